"""NIST mteval XML, and what holds for XML of any format."""

import gzip

import pytest

from bleucore.errors import InputError
from bleucore.formats import columns as limits
from bleucore.formats import read

DOCTYPE = '<!DOCTYPE mteval SYSTEM "ftp://example.org/mteval-xml-v1.5.dtd">\n'
DOC = '<doc docid="d"><seg id="1">a</seg></doc>'


def refusal(text, name="set.xml"):
    with pytest.raises(InputError) as caught:
        read(name, text if isinstance(text, bytes) else text.encode())
    return str(caught.value)


def columns(text, name="set.xml"):
    return [(column.role, column.name, column.segments) for column in read(name, text.encode())]


def test_a_source_set_is_a_source_column_with_keys():
    (column,) = read(
        "src.xml",
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        + DOCTYPE.encode()
        + b"""<mteval>
        <srcset setid="t" srclang="any"><doc docid="d1" genre="nw">
        <hl><seg id="1"> Un </seg></hl><p><seg id="2">deux &amp; trois</seg></p>
        </doc><doc docid="d2"><poster><seg id="1">quatre</seg></poster></doc></srcset></mteval>""",
    )
    assert (column.file, column.name, column.role, column.first_line) == ("src.xml", "source", "source", 1)
    assert column.segments == ("Un", "deux & trois", "quatre")
    assert column.keys == (("d1", "1"), ("d1", "2"), ("d2", "1"))


def test_a_set_may_be_the_root_and_case_does_not_matter():
    assert columns('<TSTSET SysID="s"><DOC DocID="d"><Seg ID="1">A b</Seg></DOC></TSTSET>') == [
        ("hypothesis", "s", ("A b",))
    ]


def test_sets_of_one_file_become_source_references_hypotheses():
    text = (
        f'<mteval><tstset sysid="s1">{DOC}</tstset><refset refid="r1">{DOC}</refset><srcset>{DOC}</srcset>'
        f'<refset refid="r2">{DOC}</refset><tstset sysid="s2">{DOC}</tstset></mteval>'
    )
    assert columns(text) == [
        ("source", "source", ("a",)),
        ("reference", "r1", ("a",)),
        ("reference", "r2", ("a",)),
        ("hypothesis", "s1", ("a",)),
        ("hypothesis", "s2", ("a",)),
    ]


def test_older_files_name_the_system_on_each_document():
    text = """<tstset setid="t"><doc docid="d1" sysid="A"><seg id="1">a1</seg></doc>
        <doc docid="d2" sysid="A"><seg id="1">a2</seg></doc>
        <doc docid="d1" sysid="B"><seg id="1">b1</seg></doc>
        <doc docid="d2" sysid="B"><seg id="1">b2</seg></doc></tstset>"""
    assert columns(text) == [("hypothesis", "A", ("a1", "a2")), ("hypothesis", "B", ("b1", "b2"))]


@pytest.mark.parametrize("attribute", ["sysid", "refid"])
def test_older_files_name_the_reference_on_each_document(attribute):
    text = f"""<refset><doc docid="d" {attribute}="ann"><seg id="1">a</seg></doc>
        <doc docid="d" {attribute}="bob"><seg id="1">b</seg></doc></refset>"""
    assert columns(text) == [("reference", "ann", ("a",)), ("reference", "bob", ("b",))]


def test_sets_without_an_id_are_columns_of_their_own():
    text = f"<mteval><refset>{DOC}</refset><refset>{DOC}</refset><tstset>{DOC}</tstset></mteval>"
    assert [(role, name) for role, name, _ in columns(text, "online-A.de.xml")] == [
        ("reference", "reference"),
        ("reference", "reference"),
        ("hypothesis", "online-A.de"),
    ]


def test_documents_of_one_system_may_be_spread_over_sets():
    other = DOC.replace('"d"', '"e"')
    assert columns(f'<mteval><tstset sysid="s">{DOC}</tstset><tstset sysid="s">{other}</tstset></mteval>') == [
        ("hypothesis", "s", ("a", "a"))
    ]


def test_shuffled_segments_are_brought_into_the_order_of_the_source():
    text = """<mteval><refset refid="r"><doc docid="e"><seg id="1">e1</seg></doc>
        <doc docid="d"><seg id="2">d2</seg><seg id="1">d1</seg></doc></refset>
        <srcset><doc docid="d"><seg id="1">D1</seg><seg id="2">D2</seg></doc>
        <doc docid="e"><seg id="1">E1</seg></doc></srcset></mteval>"""
    source, reference = read("set.xml", text.encode())
    assert source.segments == ("D1", "D2", "E1")
    assert reference.segments == ("d1", "d2", "e1")
    assert reference.keys == source.keys


def test_a_segment_that_a_reference_lacks_is_none_and_stays_in_its_document():
    text = """<mteval><refset refid="r1"><doc docid="d"><seg id="1">a</seg></doc><doc docid="e">
        <seg id="1">c</seg></doc></refset><refset refid="r2"><doc docid="d"><seg id="1">x</seg>
        <seg id="2">y</seg></doc></refset></mteval>"""
    first, second = read("set.xml", text.encode())
    assert first.keys == (("d", "1"), ("d", "2"), ("e", "1"))
    assert first.segments == ("a", None, "c")
    assert second.segments == ("x", "y", None)


def test_a_segment_that_a_system_lacks_is_an_error():
    text = (
        '<mteval><srcset><doc docid="d"><seg id="1">a</seg><seg id="2">b</seg></doc></srcset>'
        f'<tstset sysid="s">{DOC}</tstset></mteval>'
    )
    assert refusal(text) == (
        "set.xml, hypothesis 's': a segment is missing (found no segment '2' in document 'd', expected every "
        'segment that the other texts of the file have). Add it: <seg id="..."></seg> stands for an empty '
        "translation."
    )


def test_a_segment_that_is_there_twice_is_an_error():
    text = '<tstset sysid="s"><doc docid="d"><seg id="1">a</seg>\n<seg id="1">a</seg></doc></tstset>'
    assert refusal(text) == (
        "set.xml, hypothesis 's', line 2: a segment is there twice (found document 'd', segment '1' once more, "
        "expected each segment id once per document). Give the segments of a document different ids."
    )


def test_text_is_stripped_outside_and_verbatim_inside():
    text = (
        '<refset refid="r"><doc docid="d"><seg id="1">\n a  <b>b</b><!-- no -->\n&quot;c&apos;&#160;<![CDATA[<&]]>\t'
        '</seg><seg id="2"/><seg id="3">\u3000x\u2028</seg></doc></refset>'
    )
    assert columns(text) == [("reference", "r", ("a  b\n\"c'\u00a0<&", "", "\u3000x\u2028"))]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("out.txt", b"  \n<mteval>"),
        ("out.txt", b"<?xml version='1.0'?><mteval>"),
        ("out.txt", b"<!-- a --><?pi?><!-- b --><Srcset a='1'>"),
        ("out.txt", b"<!DOCTYPE mteval><mteval/>"),
        ("out.xml", b"hello"),
        ("OUT.SGM", b"hello"),
        ("out.sgml.gz", gzip.compress(b"hello", mtime=0)),
        ("out.tsv", b"<dataset/>"),
    ],
)
def test_xml_is_known_by_its_content_or_its_name(name, data):
    assert any(said in refusal(data, name) for said in ("XML", "no segments", "where a <srcset> ends"))


@pytest.mark.parametrize(
    "line",
    [
        "<unk> is a word",
        "<mtevals>",
        "<docset> x",
        "< mteval>",
        "<!-- no end",
        "<?no end",
        "<!-- a --> b",
        "x <mteval>",
    ],
)
def test_a_text_that_begins_like_a_tag_stays_text(line):
    assert read("out.txt", line.encode())[0].segments == (line,)


def test_utf_16_with_its_mark_reads_like_utf_8():
    text = f'<?xml version="1.0" encoding="utf-16"?><tstset sysid="größer">{DOC}</tstset>'
    assert read("s.xml", text.encode("utf-16"))[0].name == "größer"


@pytest.mark.parametrize(
    ("declared", "codec"),
    [("ISO-8859-1", "latin-1"), ("windows-1252", "cp1252"), ("utf8", "utf-8"), ("UTF-8", "utf-8-sig")],
)
def test_a_declared_encoding_is_used(declared, codec):
    text = f"<?xml version='1.0' encoding='{declared}'?><tstset sysid='größer'>{DOC}</tstset>"
    assert read("s.xml", text.encode(codec))[0].name == "größer"


@pytest.mark.parametrize("declared", ["gb2312", "cp932", "cp999", "hex", "unicode_escape", "\u00e9"])
def test_an_encoding_that_cannot_be_read_is_refused(declared):
    text = f"<?xml version='1.0' encoding='{declared}'?><tstset sysid='s'>{DOC}</tstset>"
    message = refusal(text)
    assert message.startswith("set.xml, line 1: the XML declares an encoding that cannot be read (found ")
    assert message.endswith(
        "expected UTF-8 or an encoding with one byte per character). Save the file as UTF-8 and declare that."
    )


def test_bytes_that_are_not_utf_8_are_named_with_their_line():
    data = "<tstset>\n<doc docid='größer'/></tstset>".encode("latin-1")
    assert "set.xml, line 2: the text is not valid in its encoding (found byte 0xF6" in refusal(data)


def test_broken_xml_names_line_and_finding():
    assert refusal('<tstset sysid="s">\n<doc docid="d"><seg id="1">R < D</seg></doc></tstset>') == (
        "set.xml, line 2: the XML is broken (found not well-formed (invalid token) at position 31, expected "
        'well-formed XML). Close every element, put attribute values in quotes, and write "&" as "&amp;" '
        'and "<" as "&lt;".'
    )


def test_a_bare_ampersand_is_read_as_itself_and_said():
    data = b'<tstset sysid="s">\n<doc docid="d">\n<seg id="1">R & D &amp; &#38;'
    data += b" AT&T</seg></doc></tstset>"
    (column,) = read("set.xml", data)
    assert column.segments == ("R & D & & AT&T",)
    assert column.notices == (
        'set.xml, line 3: 2 ampersands are not written as XML wants it ("&amp;") and were read as "&".',
    )


def test_a_file_written_as_xml_wants_it_has_no_notice():
    (column,) = read("set.xml", b'<tstset sysid="s"><doc docid="d"><seg id="1">R &amp; D</seg></doc></tstset>')
    assert column.notices == ()


def test_ampersands_beside_cdata_are_left_alone():
    data = b'<tstset sysid="s"><doc docid="d"><seg id="1"><![CDATA[R & D]]></seg></doc></tstset>'
    (column,) = read("set.xml", data)
    assert (column.segments, column.notices) == (("R & D",), ())
    assert "the XML is broken" in refusal(data.replace(b"]]>", b"]]> & Co").decode())


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (f"<mteval>\n<srcset>{DOC}</mteval>", 2, "mismatched tag"),
        (f"{DOCTYPE}<mteval>\n<srcset>{DOC}", 3, "no element found"),
        (f"{DOCTYPE}<srcset>\n<doc docid='&nbsp;'/></srcset>", 3, "undefined entity"),
        (f"{DOCTYPE}<srcset>\n<doc docid='d'><seg id='1'>&nbsp;</seg></doc></srcset>", 3, "undefined entity"),
        (f"\n<?xml version='1.0'?><srcset>{DOC}</srcset>", 2, "XML or text declaration not at start of entity"),
        ("<srcset><doc docid=d/></srcset>", 1, "not well-formed"),
        ("<p:srcset/>", 1, "unbound prefix"),
        ("<!DOCTYPE mteval PUBLIC 'x'><mteval/>", 1, "syntax error"),
    ],
)
def test_every_kind_of_broken_xml_is_refused_at_its_line(text, line, found):
    message = refusal(text)
    assert message.startswith(f"set.xml, line {line}: the XML is broken (found ")
    assert found in message


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "b">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://example.org/x"> %a;',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">',
    ],
)
def test_entities_are_never_expanded(declaration):
    message = refusal(f"<!DOCTYPE mteval [{declaration}]>\n<mteval><srcset>{DOC}</srcset></mteval>")
    assert message == (
        "set.xml, line 1: the DOCTYPE declares entities, which are never expanded (found declarations of its own "
        "in the DOCTYPE, expected a DOCTYPE with a name and an address, or none). Remove the DOCTYPE, and write "
        "characters instead of entities."
    )


def test_other_declarations_in_the_doctype_are_refused_too():
    text = f'<!DOCTYPE srcset [<!ATTLIST doc docid CDATA "x">]>\n<srcset>{DOC}</srcset>'
    assert "the DOCTYPE declares more than the DTD's address (found" in refusal(text)


@pytest.mark.parametrize("doctype", ["<!DOCTYPE mteval>", "<!DOCTYPE mteval PUBLIC 'a' \"b\">", DOCTYPE])
def test_a_doctype_that_only_names_a_dtd_is_allowed(doctype):
    assert columns(f"<!-- x -->{doctype}<srcset>{DOC}</srcset>") == [("source", "source", ("a",))]


def test_a_namespace_does_not_matter():
    assert columns(f'<srcset xmlns="urn:x">{DOC}</srcset>') == [("source", "source", ("a",))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html/>", "this is not XML of a known format (found 'html' as the outermost element, expected <mteval>, "),
        ("<mteval/>", "there are no segments (found no <seg>, expected at least one). Load the complete file."),
        ("<mteval>\n<srcset/></mteval>", "line 2: a <srcset> has no segments (found no <seg>"),
        (f"<refset refid='r'>{DOC}<doc docid='e' refid='q'/></refset>", "reference 'q': a reference has no segments"),
        ("<srcset>\n<doc><seg id='1'/></doc></srcset>", "line 2: a document has no id (found <doc>, expected"),
        ("<srcset><doc docid=' '><seg id='1'/></doc></srcset>", "a document has no id"),
        (
            "<srcset><doc docid='d'>\n<seg/></doc></srcset>",
            "line 2: a segment has no id (found <seg>, expected <seg id",
        ),
        (
            "<srcset><doc docid='d'><seg ID='1' id='2'/></doc></srcset>",
            "a <seg> has the same attribute twice (found 'ID', 'id'",
        ),
        ("<srcset>\nhello<doc docid='d'/></srcset>", "line 2: there is text outside a <seg> (found 'hello', expected"),
        (f"<mteval>{DOC}</mteval>", "a <doc> stands where it does not belong (found <doc> directly in <mteval>"),
        (f"<srcset><refset>{DOC}</refset></srcset>", "found <refset> directly in <srcset>"),
        (f"<srcset><doc docid='e'>{DOC}</doc></srcset>", "found <doc> directly in <doc>"),
        (
            "<mteval><seg id='1'/></mteval>",
            "found <seg> directly in <mteval>, expected <srcset>, <refset>, <tstset> outside",
        ),
        ("<srcset><seg id='1'/></srcset>", "found <seg> directly in <srcset>"),
        ("<srcset><doc docid='d'><seg id='1'><seg id='2'/></seg></doc></srcset>", "found <seg> directly in a <seg>"),
        ("<srcset><doc docid='d'><seg id='1'><doc/></seg></doc></srcset>", "found <doc> directly in a <seg>"),
    ],
)
def test_a_structure_that_would_lose_text_is_refused(text, message):
    assert message in refusal(text)


def test_deep_nesting_and_huge_attributes_are_no_problem():
    depth, size = 200_000, 5_000_000
    text = f'<srcset x="{"y" * size}">{"<p>" * depth}{DOC}{"</p>" * depth}</srcset>'
    assert columns(text) == [("source", "source", ("a",))]


def test_deep_nesting_inside_a_segment_joins_its_text():
    inner = "<b>" * 50_000 + "x" + "</b>" * 50_000
    assert columns(f'<srcset><doc docid="d"><seg id="1">a{inner}c</seg></doc></srcset>') == [
        ("source", "source", ("axc",))
    ]


def test_too_many_columns_and_segments_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 2)
    sets = "".join(f'<refset refid="{number}">{DOC}</refset>' for number in range(3))
    assert "too many columns (found 3, expected at most 2)" in refusal(f"<mteval>{sets}</mteval>")
    monkeypatch.setattr(limits, "MAX_CELLS", 2)
    assert "too many segments or cells (found 3" in refusal(
        f"<srcset>{DOC.replace('/seg>', '/seg><p/>')}{DOC}{DOC}</srcset>"
    )
