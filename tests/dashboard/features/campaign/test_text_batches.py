"""Texts some segments at a time: the same texts, from plain files, gzip, Parquet and addresses."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bleucore import InputError
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign import held_sets
from bleuscope.features.campaign.held_sets import LargeSet, SmallSet
from bleuscope.features.campaign.looking import look_at
from bleuscope.features.campaign.opened_places import content_at, opened
from bleuscope.features.campaign.parquet_columns import parquet_column
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.text_batches import segments_of, text_batches
from bleuscope.workspace.cache_files import CacheFiles

FEW = SignificanceOptions(trials=100, resamples=50)
LINES = ["das Haus", "", "ist\r sehr\u2028alt \u0085", "ä", "und klein heute"]


def file_of(path: Path, data: bytes, column: str | None = None) -> PlannedFile:
    """A file on the disk, planned."""
    path.write_bytes(data)
    return PlannedFile(str(path), name=path.name, column=column)


def as_parquet(lines: list[str | None], name: str = "text") -> bytes:
    """A table with one column of texts beside numbers."""
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"id": list(range(len(lines))), name: lines}), sink)
    return bytes(sink.getvalue())


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\n".join(LINES).encode(), LINES),
        (("\n".join(LINES) + "\n").encode(), LINES),
        ("\r\n".join(LINES).encode("utf-8-sig"), LINES),
        (gzip.compress("\n".join(LINES[:2]).encode()) + gzip.compress(("\n" + "\n".join(LINES[2:])).encode()), LINES),
        (as_parquet(LINES), LINES),
        (as_parquet([None, "a"]), [None, "a"]),
        (b"a\n\n", ["a", ""]),
        (b"a" * (1 << 20) + b"b\nc", ["a" * (1 << 20) + "b", "c"]),
    ],
    ids=["plain", "ended", "windows", "gzip", "parquet", "no value", "empty line", "across pieces"],
)
def test_segments_are_what_they_are_in_memory(tmp_path: Path, data: bytes, expected: list[str | None]) -> None:
    """Whatever they lie in."""
    assert list(segments_of(file_of(tmp_path / "file", data))) == expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\n\xff\n", r"^file, line 2: the text is not valid in its encoding \(found byte 0xFF, expected UTF-8\)"),
        (gzip.compress(b"a\nb\n" * 500)[:-9], "the gzip file is damaged or cut off"),
        ("a\nb".encode("utf-16"), "is read as UTF-8 alone"),
        (b"a\0\n", "is read as UTF-8 alone"),
        (as_parquet(["a"])[:-9] + b"012345678", "the Parquet file is damaged"),
        (b"a" * ((1 << 24) + (1 << 20) + 1), "a line is too long"),
    ],
    ids=["encoding", "gzip", "utf-16", "binary", "parquet", "line"],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    """With the file, and the line where there is one."""
    with pytest.raises(InputError, match=message):
        list(segments_of(file_of(tmp_path / "file", data)))


def test_a_column_of_parquet_is_named_where_there_are_several(tmp_path: Path) -> None:
    """Or it is refused."""
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"a": ["x"], "b": ["y"]}), sink)
    path, data = tmp_path / "file.parquet", bytes(sink.getvalue())
    assert list(segments_of(file_of(path, data, "b"))) == ["y"]
    for column in (None, "c"):
        with pytest.raises(InputError, match=r"not clear which column holds the segments \(found a, b"):
            list(segments_of(file_of(path, data, column)))


def test_files_of_other_lengths_are_refused_where_one_ends(tmp_path: Path) -> None:
    """With both lengths, as far as they are known."""
    short, long = file_of(tmp_path / "short", b"a\n" * 5), file_of(tmp_path / "long", b"a\n" * 9)
    with pytest.raises(
        InputError, match=r"^short: the number of segments differs \(found 5, expected at least 6 as in"
    ):
        list(text_batches({"one": short}, {"A": long}, n_segments=3))


def test_segments_score_as_lines_of_files_do(tmp_path: Path) -> None:
    """Which tells where chrF counts white space."""
    file = file_of(tmp_path / "file", b"a \n" * 5)
    assert [part.are_lines for part in text_batches({"one": file}, {"A": file}, n_segments=3)] == [True, True]


def plan_of(files: dict[str, PlannedFile]) -> CampaignPlan:
    """One set of two systems."""
    systems = {name: files[name] for name in ("one", "two")}
    one = PlannedSet("news", (None, None), None, None, {"A": files["reference"]}, None, {}, systems)
    return CampaignPlan("made", (one,))


def texts(seed: int) -> list[str]:
    """Made lines."""
    return [" ".join(f"w{(row * seed + place) % 47}" for place in range(6)) for row in range(50)]


def test_a_large_set_says_what_it_says_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, with what is drawn: in batches of seven, from every kind of file."""
    data = {name: "\n".join(texts(seed)).encode() for seed, name in enumerate(("reference", "one", "two"), start=1)}
    plain = plan_of({name: file_of(tmp_path / name, text) for name, text in data.items()})
    small = run_campaign(plain, tests=FEW).results[0]
    monkeypatch.setattr(held_sets, "LARGE", 0)
    monkeypatch.setattr(text_batches, "__kwdefaults__", {"n_segments": 7})
    mixed = {
        "reference": file_of(tmp_path / "reference.parquet", as_parquet(texts(1))),
        "one": file_of(tmp_path / "one.txt.gz", gzip.compress(data["one"])),
        "two": file_of(tmp_path / "two.txt", data["two"]),
    }
    kept = CacheFiles(tmp_path / "caches", 10**8)
    for plan in (plain, plan_of(mixed)):
        run = run_campaign(plan, tests=FEW, kept=kept)
        assert run.failed == ()
        found = run.results[0]
        assert (found.scores, found.signature, found.n_segments) == (small.scores, small.signature, 50)
        assert (found.digest, found.source_digest, found.options) == (small.digest, small.source_digest, small.options)
        assert np.isfinite(found.pair_numbers).all()
        assert np.array_equal(found.pair_numbers, small.pair_numbers)
        assert np.array_equal(found.null, small.null)
    again = run_campaign(plan_of(mixed), tests=SignificanceOptions(trials=50, resamples=50), kept=kept)
    assert (again.n_kept, again.n_counted, again.results[0].scores) == (0, 0, small.scores)


def test_the_digest_of_a_large_set_is_that_of_its_texts(tmp_path: Path) -> None:
    """With source, documents and labels; in any form in which a file is one column."""
    names = ("reference", "other", "one", "two", "source", "documents", "label")
    data = {name: "\n".join(texts(seed)).encode() for seed, name in enumerate(names, start=1)}
    data["documents"] = "\n".join(f"document {row // 10}" for row in range(50)).encode()
    plain = {name: file_of(tmp_path / name, text) for name, text in data.items()}
    packed = {name: file_of(tmp_path / f"{name}.gz", gzip.compress(text)) for name, text in data.items()}

    def planned(files: dict[str, PlannedFile]) -> PlannedSet:
        references = {"A": files["reference"], "B": files["other"]}
        systems = {name: files[name] for name in ("one", "two")}
        label = {"domain": files["label"]}
        return PlannedSet("news", ("en", "de"), None, files["source"], references, files["documents"], label, systems)

    small, large, other = SmallSet(planned(plain)), LargeSet(planned(plain)), LargeSet(planned(packed))
    assert small.texts_digest == large.texts_digest == other.texts_digest
    assert small.source_digest == large.source_digest == other.source_digest
    assert large.digest != other.digest


def test_a_campaign_is_planned_by_its_address(tmp_path: Path) -> None:
    """A folder, a manifest there, and a manifest here that names files there."""
    import fsspec

    memory = fsspec.filesystem("memory")
    for name, seed in (("reference.txt", 1), ("systems/one.txt", 2), ("systems/two.txt", 3)):
        memory.pipe(f"/planned/news/{name}", "\n".join(texts(seed)).encode())
    run = run_campaign(plan_campaign("memory://planned"), tests=FEW)
    assert ([one.name for one in run.results], run.results[0].systems) == (["news"], ("one", "two"))
    lines = (
        "test set\treference\tsystems\nnews\t{0}news/reference.txt\t{0}news/systems/one.txt;{0}news/systems/two.txt\n"
    )
    memory.pipe("/planned/campaign.tsv", lines.format("").encode())
    here = tmp_path / "campaign.tsv"
    here.write_text(lines.format("memory://planned/"), encoding="utf-8")
    for manifest in ("memory://planned/campaign.tsv", str(here)):
        found = run_campaign(plan_campaign(manifest), tests=FEW)
        assert (found.failed, found.results[0].scores) == ((), run.results[0].scores)
    memory.pipe("/planned/starred.tsv", lines.format("").replace("systems/two.txt", "systems/t*.txt").encode())
    here.write_text(lines.format("memory://planned/").replace("two.txt", "t*.txt"), encoding="utf-8")
    for manifest in ("memory://planned/starred.tsv", str(here)):
        found = run_campaign(plan_campaign(manifest), tests=FEW)
        assert (found.failed, found.results[0].scores) == ((), run.results[0].scores)
    here.write_text(lines.format("https://host/").replace("two.txt", "*.txt"), encoding="utf-8")
    with pytest.raises(InputError, match=r"a web server does not tell which files it has \(found a wildcard"):
        plan_campaign(str(here))
    with pytest.raises(InputError, match=r"^ssh://host/a: files at such an address are not read"):
        plan_campaign("ssh://host/a")


def test_files_are_read_by_their_address(tmp_path: Path) -> None:
    """Of a file system in memory, as from S3."""
    import fsspec

    memory = fsspec.filesystem("memory")
    for seed, name in enumerate(("reference", "one", "two"), start=1):
        memory.pipe(f"/campaign/{name}.txt", "\n".join(texts(seed)).encode())
    files = {
        name: PlannedFile(f"memory://campaign/{name}.txt", name=f"{name}.txt") for name in ("reference", "one", "two")
    }
    run = run_campaign(plan_of(files), tests=FEW)
    assert (run.failed, run.results[0].n_segments) == ((), 50)
    assert content_at("memory://campaign/one.txt") == "\n".join(texts(2)).encode()
    memory.pipe("/campaign/one.parquet", as_parquet(texts(2)))
    packed = PlannedFile("memory://campaign/one.parquet", name="one.parquet")
    assert (look_at(packed).n_segments, parquet_column(packed).segments) == (50, tuple(texts(2)))
    memory.rm("/campaign/one.txt")
    ((_, fault),) = run_campaign(plan_of(files), tests=FEW).failed
    assert fault.startswith("memory://campaign/one.txt: the file cannot be read")


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "ssh://host/file", "simplecache::s3://a/b", "zip://a::s3://b"]
)
def test_addresses_of_other_kinds_are_refused(address: str) -> None:
    """Those that run programs, or lead into other files."""
    with pytest.raises(InputError, match=r"not read|cannot be read"):
        opened(address)
