"""Files that are parts of one text, and files that lie next to the texts."""

from collections.abc import Sequence

from tests.dashboard.file_shapes.folders import PLAIN, zipped
from tests.dashboard.file_shapes.texts import ALL, REFERENCE, SOURCE, SYSTEMS, A, B, Files, N, escaped, lines_of, plain

TRAIN = [f"{one} {two}" for one, two in zip(lines_of("source"), reversed(lines_of("source")), strict=True)] * 5


def cut(texts: Sequence[str], names: Sequence[str]) -> Files:
    """The texts, a part in each file."""
    n_each = -(-N // len(names))
    return {name: plain(texts[place * n_each : (place + 1) * n_each]) for place, name in enumerate(names)}


def talks(texts: Sequence[str], *, role: str = "srcset") -> bytes:
    docs = "".join(
        f'<doc docid="{535 + talk}" genre="lectures">\n<url>http://www.ted.com/talks/{talk}</url>\n'
        f"<keywords>talks, x</keywords>\n<speaker>A &amp; B</speaker>\n<talkid>{535 + talk}</talkid>\n"
        f"<title>Title {talk}</title>\n<description>TED Talk: so &amp; so.</description>\n"
        + "".join(
            f'<seg id="{number}"> {escaped(text)} </seg>\n'
            for number, text in enumerate(texts[talk * 12 : talk * 12 + 12], 1)
        )
        + "</doc>\n"
        for talk in range(2)
    )
    other = ' trglang="de"' if role != "srcset" else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n<{role} setid="iwslt-test2010" srclang="en"{other}>\n'
        f"{docs}</{role}>\n</mteval>\n"
    ).encode()


def slurm(n_lines: int) -> bytes:
    lines = ["srun: job 4711 queued and waiting for resources", "loading model from /scratch/model.pt"]
    lines += [
        f"Translated {number} sentences in {number * 0.35:.2f} s on gpu0{number % 4}" for number in range(n_lines)
    ]
    return plain(lines[:n_lines])


SEGMENTS = {
    f"{folder}/{row + 1:04}.txt": text.encode() + b"\n"
    for folder, texts in {"system-a": A, "system-b": B, "refs": REFERENCE}.items()
    for row, text in enumerate(texts)
}
SHAPES: dict[str, Files] = {
    "a file a segment": SEGMENTS,
    "a file a segment, in an archive": {"all.zip": zipped(SEGMENTS)},
    "a file a segment, numbers that grow": {
        f"{folder}/{row}.txt": text.encode()
        for folder, texts in {"out/a": A, "out/b": B, "ref": REFERENCE, "src": SOURCE}.items()
        for row, text in enumerate(texts)
    },
    "a file a segment, as one text": {
        **{
            f"{folder}/segment_{row}.txt": text.encode()
            for folder, texts in {"a": A, "b": B}.items()
            for row, text in enumerate(texts)
        },
        "ref.txt": plain(REFERENCE),
    },
    "ranks": {
        **cut(A, ["a.rank0.txt", "a.rank1.txt"]),
        **cut(B, ["b.rank0.txt", "b.rank1.txt"]),
        "ref.txt": plain(REFERENCE),
    },
    "ranks, one missing": {
        **{name: data for name, data in cut(A, [f"a.rank{rank}.txt" for rank in range(3)]).items() if "1" not in name},
        "b.txt": plain(B),
        "ref.txt": plain(REFERENCE),
    },
    "ranks of one system": {**cut(A, ["a.rank0.txt", "a.rank1.txt"]), "b.txt": plain(B), "ref.txt": plain(REFERENCE)},
    "ranks that take a line in turn": {
        **{f"a.rank{rank}.txt": plain(A[rank::3]) for rank in range(3)},
        **{f"b.rank{rank}.txt": plain(B[rank::3]) for rank in range(3)},
        "ref.txt": plain(REFERENCE),
    },
    "a folder for each rank": {
        **{
            f"{system}/rank_{rank}/out.txt": plain(texts[rank * 12 : rank * 12 + 12])
            for system, texts in SYSTEMS.items()
            for rank in range(2)
        },
        "ref.txt": plain(REFERENCE),
    },
    "parts of Spark": {
        **{
            f"{system}/{name}": data
            for system, texts in SYSTEMS.items()
            for name, data in cut(texts, [f"part-0000{number}" for number in range(4)]).items()
        },
        **{f"{system}/_SUCCESS": b"" for system in SYSTEMS},
        "ref.txt": plain(REFERENCE),
    },
    "parts of split": {
        **cut(A, ["a.txt.part_aa", "a.txt.part_ab", "a.txt.part_ac"]),
        "b.txt": plain(B),
        "ref.txt": plain(REFERENCE),
    },
    "shards that count from one": {
        **cut(A, [f"a_shard{number}.txt" for number in range(1, 4)]),
        **cut(B, [f"b_shard{number}.txt" for number in range(1, 4)]),
        "ref.txt": plain(REFERENCE),
    },
    "more than ten parts": {
        **cut(A, [f"a.{number}.txt" for number in range(12)]),
        **cut(B, [f"b.{number}.txt" for number in range(12)]),
        "ref.txt": plain(REFERENCE),
    },
    "IWSLT": {
        "IWSLT.TED.tst2010.en-de.en.xml": talks(SOURCE),
        "IWSLT.TED.tst2010.en-de.de.xml": talks(REFERENCE, role="refset"),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "train and valid beside": {
        "train.en": plain(TRAIN),
        "train.de": plain(TRAIN[::-1]),
        "valid.en": plain(TRAIN[: N + 6]),
        "valid.de": plain(TRAIN[::-1][: N + 6]),
        "test.en": plain(SOURCE),
        "test.de": plain(REFERENCE),
        "a.de": plain(A),
        "b.de": plain(B),
    },
    "train and valid in folders": {
        "data/train.src": plain(TRAIN),
        "data/train.tgt": plain(TRAIN[::-1]),
        "data/valid.src": plain(TRAIN[: N + 6]),
        "data/valid.tgt": plain(TRAIN[::-1][: N + 6]),
        "data/test.src": plain(SOURCE),
        "data/test.tgt": plain(REFERENCE),
        "outputs/a.txt": plain(A),
        "outputs/b.txt": plain(B),
    },
    "logs of slurm": {**PLAIN, "slurm-4711.out": slurm(N + 1)},
    "logs of slurm, as many lines": {**PLAIN, "slurm-4711.out": slurm(N)},
    "logs of slurm, two": {**PLAIN, "slurm-4711.out": slurm(N), "slurm-4712.out": slurm(N), "job.err": slurm(N)},
    "an empty second reference": {**{f"{name}.txt": plain(texts) for name, texts in ALL.items()}, "ref2.txt": b""},
    "a second reference of empty lines": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        "ref2.txt": b"\n" * N,
    },
}
