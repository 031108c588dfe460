"""What a manifest of a campaign says, and what none may hold."""

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats.campaign_manifest import NamedFile, has_wildcards, is_manifest, matched, read_manifest

YAML = """title: Two sets
test sets:
  - name: news
    language pair: no-en
    source: news.src
    references: {human: news.ref}
    systems: outputs/*/news.txt
    domain: no
  - test set: law
    references: [law.a, law.b]
    systems:
      ours: law.1
      theirs: law.2
"""


def test_yaml_and_tables_say_the_same():
    said = read_manifest("m.yaml", YAML.encode())
    assert said.title == "Two sets"
    news, law = said.sets
    assert (news.name, news.line, news.languages, news.domain) == ("news", 3, "no-en", "no")  # never a truth value
    assert news.references == (NamedFile("human", "news.ref"),)
    assert news.systems == (NamedFile(None, "outputs/*/news.txt"),)
    assert law.references == (NamedFile(None, "law.a"), NamedFile(None, "law.b"))
    assert law.systems == (NamedFile("ours", "law.1"), NamedFile("theirs", "law.2"))
    table = b"test set\treferences\tsystems\tdomain\nlaw\tlaw.a; law.b\tlaw.1\tlaw\nlaw\t\tlaw.2\t\n"
    (law,) = read_manifest("m.tsv", table).sets
    assert (law.references, law.systems, law.domain) == (
        (NamedFile(None, "law.a"), NamedFile(None, "law.b")),
        (NamedFile(None, "law.1"), NamedFile(None, "law.2")),
        "law",
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("test sets: [{name: a, sistems: x}]", "m.yaml, line 1: the manifest says something unknown (found 'sistems'"),
        ("test sets: [{name: a, ref: x, references: y}]", "says it twice"),
        ("test sets: [{name: a, name: b}]", "this is no YAML (found a key is there twice"),
        ("test sets: [{systems: x}]", "a test set has no name"),
        ("a: &x [1]\nb: *x", "line 1: the manifest repeats a part of itself (found an anchor or an alias"),
        ("test sets:\n  - name: *all", "line 2: the manifest repeats a part of itself"),
        ("test sets:\n - {name: a", "this is no YAML"),
        ("[" * 40 + "]" * 40, "too deep or too large"),
        ("just words", "has no list of test sets"),
        ("test sets: []", "names no test set"),
        ("test sets: [{name: a, source: [b]}]", "the source is no text"),
        ("test sets: [{name: a, systems: [[b]]}]", "the systems cannot be read"),
        ("test sets: [{name: a, domain: b}, {name: a, domain: c}]", "there twice with another domain (found 'c'"),
        ("", "the file is empty"),
    ],
)
def test_a_manifest_that_cannot_be_meant_is_refused(written, said):
    with pytest.raises(InputError) as raised:
        read_manifest("m.yaml", written.encode())
    assert said in str(raised.value)


def test_a_bomb_of_aliases_is_refused_before_it_is_built():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    with pytest.raises(InputError, match="repeats a part of itself"):
        read_manifest("m.yaml", "\n".join(lines).encode())


def test_objects_of_python_are_never_made(tmp_path):
    made = tmp_path / "made"
    with pytest.raises(InputError, match="a test set has no name"):
        read_manifest("m.yaml", f'sets: [{{name: !!python/object/apply:os.mkdir ["{made}"], systems: x}}]'.encode())
    assert not made.exists()


@given(written=st.text(alphabet="-:{}[]&*!|>'\"# \nabtest sname,", max_size=80))
def test_any_text_is_read_or_refused(written):
    with contextlib.suppress(InputError):
        read_manifest("m.yaml", written.encode())


def test_the_manifest_of_the_documentation_is_one():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "campaigns.md").read_text(encoding="utf-8")
    said = read_manifest("m.yaml", page.partition("```yaml\n")[2].partition("```")[0].encode())
    assert [(one.name, one.domain, one.sacrebleu) for one in said.sets] == [
        ("law", "law", None),
        ("news", None, None),
        ("wmt22", None, "wmt22"),
    ]


def test_a_table_of_texts_is_no_manifest():
    assert is_manifest("m.tsv", b"test set\tsource\treferences\tsystems\n")
    assert is_manifest("m.csv", b"name,systems\n")
    assert not is_manifest("m.tsv", b"source\treference\tsystem one\n")
    assert not is_manifest("m.txt", YAML.encode())


def test_wildcards_stand_for_parts_of_a_path():
    names = ["out/one/hyp.base.de", "out/one/two/hyp.base.de", "a/x/y/b.txt", "a/b.txt", "out/\udc80/hyp.é.de"]
    assert matched("out/*/hyp.*.de", names) == {names[0]: ("one", "base"), names[4]: ("?", "é")}
    assert matched("a/**/b.txt", names) == {names[2]: ("x/y/",), names[3]: ("",)}
    assert matched("*", []) == {}
    assert has_wildcards("a?")
    assert not has_wildcards("plain (1).txt")


@given(path=st.text("a*?/.[-\n", max_size=8), name=st.text("a/.[-\n", max_size=8))
def test_wildcards_match_what_an_expression_of_python_matches(path, name):
    signs = {"**/": "((?:[^/]+/)*)", "**": "(.*)", "*": "([^/]*)", "?": "([^/])"}
    expression = "".join(signs.get(one) or re.escape(one) for one in re.split(r"(\*\*/?|\*|\?)", path))
    found = re.fullmatch(expression, name)
    assert matched(path, [name]) == ({} if found is None else {name: found.groups()})


def test_wildcards_that_could_stand_for_much_are_matched_at_once_and_too_many_refused():
    assert matched("*a" * 20 + "b", ["a" * 4_000]) == {}
    with pytest.raises(InputError, match=r"too many wildcards \(found 21, expected at most 20\)"):
        matched("*a" * 21, ["a"])
    with pytest.raises(
        InputError, match=r"too long for wildcards \(found 1,000,001 characters, expected at most 4,096"
    ):
        matched("*" + "a" * 1_000_000, ["a"])
