"""SGML that is no XML, read as mteval-v13a.pl reads it."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats import assemble, guess_roles, read

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).map(str.split).map(" ".join)


def columns(text, name="t.sgm"):
    return {(column.name, column.role): column.segments for column in read(name, text.encode())}


def notices(text):
    return read("t.sgm", text.encode())[0].notices


def refusal(text, name="t.sgm"):
    with pytest.raises(InputError) as caught:
        read(name, text.encode())
    assert len(str(caught.value)) < 1_000
    return str(caught.value)


def segment(text, attributes="id=1"):
    return f'<tstset sysid="A"><doc docid="d"><seg {attributes}>{text}</seg></doc></tstset>'


class TestSegments:
    def test_may_have_attributes_without_quotes(self):
        text = "<TSTSET setid=s srclang=any trglang=en>\n<DOC docid=d1 sysid=A>\n<hl>\n<seg id=1> one </seg>\n</hl>\n"
        text += "<p>\n<seg id=2>two</seg>\n</p>\n</DOC>\n</TSTSET>\n"
        assert columns(text) == {("A", "hypothesis"): ("one", "two")}
        assert notices(text) == ("t.sgm, line 1: 7 attributes without quotes were read, as mteval-v13a.pl does.",)

    @pytest.mark.parametrize("raw", ["a < b", "<unk> and <b>bold</b>", "x <- y", "i <3 u", "a<", "<", "a <i b"])
    def test_may_hold_a_raw_angle_bracket(self, raw):
        text = segment(raw, 'id="1"')
        assert columns(text) == {("A", "hypothesis"): (raw,)}
        assert '"<" stands within a segment and was read as text, as mteval' in " ".join(notices(text)) or raw.count(
            "</b>"
        )

    def test_of_several_outermost_elements_are_one_file(self):
        sets = [
            f'<refset setid="s" refid="{name}"><doc docid="d"><seg id="1">{name} {text}</seg></doc></refset>\n'
            for name, text in (("A", "one"), ("B", "uno"))
        ]
        assert columns("".join(sets)) == {("A", "reference"): ("A one",), ("B", "reference"): ("B uno",)}
        assert notices("".join(sets)) == (
            "t.sgm, line 1: 2 outermost elements were read, all as one file, as mteval-v13a.pl does.",
        )

    def test_make_a_test_set_with_files_of_xml(self):
        source = b'<srcset setid="s"><doc docid="d"><seg id="1">eins</seg></doc></srcset>'
        sgml = b"<refset setid=s refid=R><doc docid=d><seg id=1>one</seg></doc></refset>"
        sgml += b"<tstset setid=s sysid=A><doc docid=d><seg id=1>a < b</seg></doc></tstset>"
        test_set = assemble(guess_roles([*read("src.sgm", source), *read("rest.sgm", sgml)]))
        assert test_set.system("A").hypotheses == ("a < b",)
        assert test_set.references == (("one",),)

    def test_have_the_entities_of_the_script_and_no_others(self):
        text = segment("&quot;a&quot; &amp; b &lt;c&gt; d&apos;s &nbsp; &#228; R&D")
        assert columns(text)["A", "hypothesis"] == ('"a" & b <c> d\'s &nbsp; &#228; R&D',)
        said = " ".join(notices(text))
        assert '1 times "&" is not written as "&amp;"' in said
        assert "2 entities other than those of mteval-v13a.pl were left as they are" in said

    @given(st.lists(TEXT, min_size=1, max_size=5))
    def test_that_are_written_are_read_back(self, texts):
        def escaped(text):
            return text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")

        lines = "".join(f"<seg id={number}>{escaped(text)}</seg>\n" for number, text in enumerate(texts))
        text = f"<tstset sysid=A><doc docid=d>\n{lines}</doc></tstset>"
        assert columns(text)["A", "hypothesis"] == tuple(texts)

    def test_of_strict_sgml_are_read_as_xml_without_a_notice(self):
        assert notices(segment("a", 'id="1"')) == ()


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (segment("a").replace("</seg>", ""), "line 1: it is not clear where a <seg> ends"),
            (
                "<tstset sysid=A><doc docid=d>\n<seg id=1>a\n<seg id=2>b</seg></doc></tstset>",
                "line 2: it is not clear where a <seg> ends",
            ),
            ("<tstset sysid=A>\n<doc docid=d><seg id=1>a</seg></tstset>", "line 2: it is not clear where a <doc> ends"),
            ("<tstset sysid=A>\n<doc docid=d><seg id=1>a</seg></doc>", "line 1: it is not clear where a <tstset> ends"),
            ("<tstset sysid=A><doc docid=d><seg id=1>a</doc></seg></doc></tstset>", "not clear where a segment ends"),
            (segment("a") + "\nrest", "there is text outside a <seg> (found 'rest'"),
            (segment("a", "x=1"), "a segment has no id"),
            (segment("a", 'id=" "'), "a segment has no id"),
            (segment("a", "id=1 ID=2"), "a tag has the same attribute twice (found 'ID'"),
            ("<tstset sysid=A><seg id=1>a</seg></tstset>", "a <seg> stands where it does not belong"),
            ("<tstset sysid=A></doc></tstset>", "it is not clear where a <tstset> ends"),
            (segment("a") + "</seg>", "a </seg> has no beginning"),
        ],
    )
    def test_are_named_with_their_line(self, text, message):
        assert message in refusal(text)

    def test_of_xml_with_two_roots_say_what_to_do(self):
        two = segment("a", 'id="1"') * 2
        assert refusal(two, "t.xml").endswith(
            "Put all sets into one <mteval>, or name the file .sgm, which may have several."
        )

    @pytest.mark.parametrize(
        "text",
        [
            "<tstset sysid=A>" * 100_000,
            "<tstset sysid=A><doc docid=d>" + "<seg id=1>" * 100_000,
            "<tstset sysid=A><doc docid=d><seg id=1>" + "<" * 1_000_000,
            "<tstset sysid=A><doc docid=d>" + "<!--" * 200_000,
            "<tstset " + "a=b " * 300_000 + ">",
            "<tstset sysid=A>" + "<x" * 300_000,
        ],
    )
    def test_of_hostile_files_are_found_quickly(self, text, without_hanging):
        with without_hanging():
            refusal(text)

    @given(
        st.lists(
            st.sampled_from(["<tstset a=b>", "<doc docid=d>", "<seg id=1>", "</seg>", "</doc>", "x<", "</tstset>", "&"])
        )
    )
    def test_of_any_order_of_tags_are_errors_of_input(self, parts):
        with contextlib.suppress(InputError):
            assert read("t.sgm", ("<tstset sysid=A>" + "".join(parts)).encode())
