"""Whatever the bytes: a result that loses nothing, or an InputError."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.formats import ROLES, assemble, guess_roles, read

NIST = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE mteval SYSTEM "x.dtd">\n<mteval>'
    b'<srcset setid="t"><doc docid="d"><hl><seg id="1">a &amp; b</seg></hl><p><seg id="2">c</seg></p></doc></srcset>'
    b'<refset refid="r"><doc docid="d"><seg id="2">C</seg><seg id="1">A</seg></doc></refset>'
    b'<tstset sysid="s"><doc docid="d"><seg id="1">x</seg><seg id="2">y</seg></doc></tstset></mteval>'
)
WMT = (
    b'<dataset id="t"><collection id="g"><doc id="d" origlang="fr" domain="news"><src lang="fr"><p>'
    b'<seg id="1">a</seg></p></src><ref translator="A"><p><seg id="1">b</seg></p></ref><ref><seg id="1">c</seg>'
    b'</ref><hyp system="S"><p><seg id="1">d</seg></p></hyp></doc></collection></dataset>'
)
CSV = b'source,ref,mt,doc\r\n"a, ""b""",c,d,e\r\n"f\r\ng",h,i,j\r\n'
TSV = "source\tref\tmt\nä\tb\tc\n\u2028\te\tf\n".encode()
VALID = {
    "n.xml": NIST,
    "w.xml": WMT,
    "t.csv": CSV,
    "t.tsv": TSV,
    "t.csv.gz": gzip.compress(CSV),
    "n.gz": gzip.compress(NIST),
    "n.txt": NIST.decode().replace("UTF-8", "utf-16").encode("utf-16"),
    "out.txt": TSV,
    "t.jsonl": b'{"source": "a", "refs": ["b", "c"], "mt": "d", "id": 1}\n{"source": "e", "refs": [], "mt": "f"}\n',
    "p.json": b'{"predictions": ["a", "b"], "references": [["c"], ["d", "e"]]}',
    "s.sgm": b"<tstset sysid=s><doc docid=d><seg id=1>a < b</seg><seg id=2>c & d</seg></doc></tstset>",
}
NAMES = st.sampled_from(
    ["a.txt", "a", "a.tsv", "a.csv", "a.xml", "a.sgm", "a.csv.gz", "a.json", "a.jsonl", "a.xlsx", "", ".gz"]
)
FRAGMENTS = st.sampled_from(
    [
        b"",
        b"\n",
        b"\r",
        b"\0",
        b"\t",
        b",",
        b";",
        b'"',
        b"&",
        b"&nbsp;",
        b"&#xD800;",
        b"]]>",
        b"<",
        b">",
        b"</seg>",
        b"<seg id='1'>",
        b"<doc>",
        b"<mteval>",
        b"<dataset>",
        b"<?xml version='1.0' encoding='",
        b"cp037",
        b"utf-7",
        b"idna",
        b"<!DOCTYPE mteval [",
        b"<!ENTITY a 'b'>",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1f\x8b\x08",
        b"\xed\xa0\x80",
        b"\xc3\xa9",
        b"\xe2\x80\xa8",
        b'{"mt": "a"}',
        b'[{"ref": ["a", "b"]',
        b"]",
        b"}",
        b"PK\x03\x04",
        b"xl/workbook.xml",
    ]
)


def attempt(function, *arguments, **options):
    """The result, or the InputError instead of it; any other exception fails the test."""
    try:
        return function(*arguments, **options)
    except InputError as error:
        return error


def assert_read_or_refused(name, data, header=None):
    """Columns of equal length, roles for all of them, perhaps a test set; or an error that says what to do."""
    columns = attempt(read, name, data, header=header, max_bytes=1_000_000)
    if isinstance(columns, InputError):
        assert columns.where.startswith(name)
        assert columns.remedy
        return
    assert len({len(column.segments) for column in columns}) == 1
    assert all(column.segments for column in columns)
    guessed = guess_roles(columns)
    assert [column.segments for column in guessed] == [column.segments for column in columns]
    assert all(column.role in ROLES for column in guessed)
    test_set = attempt(assemble, guessed)
    assert isinstance(test_set, TestSet | InputError)
    if isinstance(test_set, TestSet):
        assert test_set.n_segments == len(columns[0].segments)


@pytest.mark.parametrize("name", VALID)
def test_the_valid_examples_are_read(name):
    assert read(name, VALID[name])


@given(name=NAMES, data=st.binary(max_size=300), header=st.sampled_from([None, True, False]))
def test_any_bytes_are_read_or_refused(name, data, header):
    assert_read_or_refused(name, data, header)


@given(name=NAMES, parts=st.lists(FRAGMENTS | st.binary(max_size=5), max_size=12))
def test_any_sequence_of_fragments_is_read_or_refused(name, parts):
    assert_read_or_refused(name, b"".join(parts))


@given(
    name=st.sampled_from(sorted(VALID)),
    mutations=st.lists(
        st.tuples(st.integers(0, 600), st.integers(0, 8), FRAGMENTS | st.binary(max_size=4)), min_size=1, max_size=4
    ),
)
def test_mutated_files_are_read_or_refused(name, mutations):
    data = VALID[name]
    for place, length, replacement in mutations:
        start = place % (len(data) + 1)
        data = data[:start] + replacement + data[start + length :]
    assert_read_or_refused(name, data)


@given(data=st.binary(max_size=300))
def test_any_bytes_in_a_gzip_file_are_read_or_refused(data):
    assert_read_or_refused("a.txt.gz", gzip.compress(data))


@given(lines=st.lists(st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]))))
def test_plain_lines_come_back_as_they_were(lines):
    expected = ("first", *lines)
    text = "".join(f"{line}\r\n" for line in expected)
    assert read("a", text.encode())[0].segments == expected
    assert read("a", text.encode("utf-8-sig"))[0].segments == expected
    assert read("a", b"\xff\xfe" + text.encode("utf-16-le"))[0].segments == expected
    assert read("a", gzip.compress(text.encode()))[0].segments == expected


@given(
    rows=st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=width, max_size=width),
            min_size=1,
        )
    )
)
def test_quoted_csv_cells_come_back_as_they_were(rows):
    data = "".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)
    columns = read("t.csv", data.encode(), header=False)
    assert [column.segments for column in columns] == list(zip(*rows, strict=True))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b"<srcset>" + b"<p>" * 300_000),
        ("a.xml", b"<srcset " + b"a" * 2_000_000),
        ("a.xml", b"<!DOCTYPE a" + b" " * 1_000_000 + b"["),
        ("a.xml", b"<!DOCTYPE a PUBLIC '" + b'"' * 1_000_000),
        ("a.txt", b"<!--" * 500_000),
        ("a.txt", b"<??>" * 500_000),
        ("a.txt", b" " * 2_000_000 + b"<"),
        ("a.xml", b"<?xml version='1.0' " + b"encoding " * 200_000 + b"?>"),
        ("a.csv", b'"' * 2_000_001),
        ("a.tsv", b"\t" * 2_000_000),
        ("a.txt.gz", gzip.compress(b"", mtime=0) * 50_000),
        ("a.txt.gz", gzip.compress(b"\0" * 3_000_000, mtime=0)),
    ],
)
def test_hostile_files_are_decided_quickly(name, data, without_hanging):
    with without_hanging():
        assert_read_or_refused(name, data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b"<%s/>" % (b"x" * 100_000)),
        ("a.xml", b"<srcset>%s</srcset>" % (b"x" * 100_000)),
        ("a.xml", b"<srcset><doc docid='d'><seg id='1'>&%s;</seg></doc></srcset>" % (b"x" * 100_000)),
        ("a.xml", b"<srcset><doc docid='%s'><seg id='1'/><seg id='1'/></doc></srcset>" % (b"x" * 100_000)),
        ("a.xml", b"<?xml version='1.0' encoding='%s'?><srcset/>" % (b"x" * 100_000)),
        ("a.tsv", b"ref\t" + b"x" * 100_000),
        ("a.tsv", b"ref\t" + b"x" * 100_000 + b"\t" + b"x" * 100_000),
    ],
)
def test_messages_stay_short_whatever_the_file_holds(name, data):
    with pytest.raises(InputError) as caught:
        read(name, data)
    assert len(str(caught.value)) < 1_000
