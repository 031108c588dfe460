"""Real test sets, where they lie beside the project; else small ones of the same make."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from bleucore.formats import assemble, guess_roles, read

pytestmark = pytest.mark.thorough
DATA = Path(__file__).parents[2].parent / "shared" / "data"

DOC = b'<doc docid="d"><hl>\n<seg id="1"> R &amp; D </seg>\n</hl></doc>'
SMALL_NIST = {
    "small-src.xml": b"<mteval>\n<srcset>" + DOC + b"</srcset></mteval>",
    "small-tst.xml": b'<mteval>\n<tstset sysid="s">' + DOC + b"</tstset></mteval>",
    "small-ref-multi.xml": b'<mteval>\n<refset refid="r">'
    + DOC
    + b'</refset><refset refid="q">'
    + DOC
    + b"</refset></mteval>",
    "bare-ampersand.xml": b"<mteval>\n<srcset>" + DOC.replace(b"&amp;", b"&") + b"</srcset></mteval>",
}
SMALL_WMT = {
    "wmt.xml": b'<dataset><doc id="d" origlang="fr"><src><seg id="1">a</seg></src><ref><seg id="1">b</seg></ref>'
    b'<hyp system="S"><seg id="1">c</seg></hyp></doc></dataset>'
}
SMALL_TEXT = {
    "source.en.txt": "ein\u2028\nzwei\n".encode(),
    "reference.A.txt": b"one\ntwo\n",
    "systems/Online-A.txt": b"one\n\n",
}


def files(pattern: str, small: dict[str, bytes]) -> dict[str, bytes]:
    """The files of that pattern beside the project, or the small ones."""
    return {str(path.relative_to(DATA)): path.read_bytes() for path in sorted(DATA.glob(pattern))} or small


NIST = files("nist-xml/*.xml", SMALL_NIST)
WMT = files("wmt-xml/*.xml", SMALL_WMT)
TEXT_SETS = [found for folder in sorted(DATA.glob("wmt22-*")) if (found := files(f"{folder.name}/**/*.txt", {}))]
TEXT_SETS = TEXT_SETS or [SMALL_TEXT]
BARE_AMPERSAND = re.compile(rb"&(?![a-z]+;|#)")


def columns_of(names: Iterable[str], contents: dict[str, bytes]):
    return guess_roles([column for name in names for column in read(name, contents[name])])


def seg_texts(data: bytes) -> list[bytes]:
    return re.findall(rb"<seg[^>]*>(.*?)</seg>", data, re.DOTALL)


@pytest.mark.parametrize("name", [name for name, data in NIST.items() if not BARE_AMPERSAND.search(data)])
def test_every_segment_of_a_nist_file_is_read(name):
    columns = read(name, NIST[name])
    assert sum(len(column.segments) for column in columns) == len(seg_texts(NIST[name]))
    assert all(text == text.strip() for column in columns for text in column.segments)
    assert not any("&amp;" in text or "&apos;" in text for column in columns for text in column.segments)


@pytest.mark.parametrize("name", [name for name, data in NIST.items() if BARE_AMPERSAND.search(data)])
def test_a_nist_file_with_a_bare_ampersand_is_read_with_a_notice_of_its_line(name):
    line = NIST[name].count(b"\n", 0, BARE_AMPERSAND.search(NIST[name]).start()) + 1
    columns = read(name, NIST[name])
    assert sum(len(column.segments) for column in columns) == len(seg_texts(NIST[name]))
    assert any("&" in text for column in columns for text in column.segments)
    for column in columns:
        (notice,) = column.notices
        assert notice.startswith(f"{name}, line {line:,}: ")


def test_nist_files_of_one_set_make_a_test_set():
    names = [name for name in NIST if re.search(r"small-(src|tst\d?|ref-multi)\.xml$", name)]
    test_set = assemble(columns_of(names, NIST))
    (source,) = (name for name in names if "src" in name)
    assert test_set.n_segments == len(seg_texts(NIST[source]))
    assert len(test_set.references) == 2
    assert len(test_set.systems) == len(names) - 2
    assert None not in test_set.references[0]


@pytest.mark.parametrize("name", WMT)
def test_a_wmt_file_makes_a_test_set_with_labels(name):
    test_set = assemble(columns_of([name], WMT))
    assert set(test_set.system_names) == set(re.findall(r'<hyp[^>]* system="([^"]*)"', WMT[name].decode()))
    blocks = re.findall(rb"<src.*?</src>", WMT[name], re.DOTALL)
    assert test_set.n_segments == sum(len(seg_texts(block)) for block in blocks)
    assert len(set(test_set.documents)) == len(blocks)
    assert "origlang" in test_set.labels
    assert set(test_set.labels["origlang"]) == {"fr"}


@pytest.mark.parametrize("contents", TEXT_SETS)
def test_text_files_of_a_set_are_given_the_right_roles_by_name_and_make_a_test_set(contents):
    columns = columns_of(contents, contents)
    for column in columns:
        expected = "hypothesis" if "systems" in column.file else column.file.split("/")[-1].partition(".")[0]
        assert column.role == expected
        assert "\n".join((*column.segments, "")).encode() == contents[column.file].removesuffix(b"\n") + b"\n"
    assert assemble(columns).n_segments == len(columns[0].segments)


@pytest.mark.parametrize(
    "contents",
    [contents for contents in TEXT_SETS if len(contents) > 3]
    or [
        {
            "source.txt": b"die Katze\nlag da\n",
            "reference.txt": b"the cat\nsat there\n",
            "systems/a.txt": b"a cat\nsat there\n",
        }
    ],
)
def test_the_source_is_found_by_its_words_when_names_say_nothing(contents):
    columns = [column for index, data in enumerate(contents.values()) for column in read(f"{index}.txt", data)]
    sources = [column.file for column in guess_roles(columns) if column.role == "source"]
    assert sources == [f"{index}.txt" for index, name in enumerate(contents) if "source" in name]
