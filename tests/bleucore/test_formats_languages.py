"""The language pair of a test set: from what files say, else from their names."""

import pytest

from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.columns import Column
from bleucore.formats.languages import language_of_script, language_tag, languages_of


def files(*names):
    return guess_roles([column for name in names for column in read(name, b"one line\n")])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("newstest2022-cs-en.ref.txt", "newstest2022-cs-en.sys1.txt", "newstest2022-cs-en.src.txt"), ("cs", "en")),
        (("flores.eng_Latn-zho_Hans.ref", "flores.eng_Latn-zho_Hans.one"), ("en", "zh")),
        (("ref.de.txt", "hyp1.de.txt", "src.ja.txt"), ("ja", "de")),
        (("ref.txt", "one.txt", "two.txt"), (None, None)),
        (("ref.ja", "one.txt", "two.txt"), (None, "ja")),
        (("ref.txt", "one.txt", "src.cs"), ("cs", None)),
        (("ref.txt", "one.ja.txt", "two.txt"), (None, None)),
        (("ref.ja", "one.en", "src.txt"), (None, None)),
        (("ref.en", "one.en", "input.en"), ("en", "en")),
        (("flores200.eng_Latn-bod_Tibt.ref", "flores200.eng_Latn-bod_Tibt.one"), ("en", "bo")),
        (("devtest.sat_Olck.ref", "one.hyp.txt", "devtest.sin_Sinh.src"), ("si", "sat")),
        (("ref.ja.txt", "one.txt", "generaltest2022.cs-en.hyp.CUNI-DocTransformer.en"), (None, None)),
        (("ref.en.txt", "one.txt", "generaltest2022.cs-en.hyp.CUNI-DocTransformer.en"), ("cs", "en")),
        (("ref.en.txt", "one.txt", "test.ces-eng.hyp.two.txt"), ("cs", "en")),
    ],
)
def test_names_of_files_tell(names, expected):
    test_set = assemble(files(*names))
    assert test_set.languages == expected


def test_what_a_file_says_comes_before_its_name():
    says = [
        Column("a.de-fr.xml", "source", "source", ("x",), None, 1, language="Czech"),
        Column("a.de-fr.xml", "r", "reference", ("x",), None, 1, language="pt_BR"),
        Column("a.de-fr.xml", "h", "hypothesis", ("x",), None, 1, language="nonsense, surely"),
    ]
    assert languages_of(says) == ("cs", "pt-BR")
    assert languages_of(says[:1] + says[2:]) == ("cs", "fr")


def test_files_of_wmt_and_nist_say_their_languages():
    wmt = (
        '<dataset id="t"><collection id="g"><doc id="d"><src lang="uk"><p><seg id="1">s</seg></p></src>'
        '<ref lang="cs" translator="A"><p><seg id="1">r</seg></p></ref>'
        '<hyp system="S"><p><seg id="1">h</seg></p></hyp></doc></collection></dataset>'
    )
    assert assemble(read("wmt.xml", wmt.encode())).languages == ("uk", "cs")
    segment, says = '<doc docid="d"><seg id="1">x</seg></doc>', 'setid="t" srclang="Arabic" trglang="English"'
    nist = f'<mteval><refset {says} refid="r">{segment}</refset><tstset {says} sysid="s">{segment}</tstset></mteval>'
    assert assemble(read("nist.xml", nist.encode())).languages == (None, "en")


def test_documents_of_several_languages_have_none():
    documents = "".join(
        f'<doc id="{code}"><src lang="{code}"><p><seg id="1">s</seg></p></src>'
        '<ref lang="en"><p><seg id="1">r</seg></p></ref><hyp system="S"><p><seg id="1">h</seg></p></hyp></doc>'
        for code in ("fr", "de")
    )
    text = f'<dataset id="t"><collection id="g">{documents}</collection></dataset>'
    assert assemble(read("wmt.xml", text.encode())).languages == (None, "en")


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        ("de", "de"),
        (" DEU ", "de"),
        ("zh_Hans", "zh-Hans"),
        ("Farsi", "fa"),
        ("hsb", "hsb"),
        ("Klingon", None),
        ("", None),
    ],
)
def test_languages_are_written_as_the_web_writes_them(said, tag):
    assert language_tag(said) == tag


def test_languages_change_no_digest():
    one, other = (assemble(files(f"{name}.ref.txt", f"{name}.out.txt")) for name in ("x.cs-en", "x.de-fr"))
    assert one.languages != other.languages
    assert one.texts_digest == other.texts_digest


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("これは BLEU の例です。", "ja"),
        ("这是 BLEU 的例子。", "zh"),
        ("이것은 BLEU 예입니다.", "ko"),
        ("นี่คือตัวอย่าง", "th"),
        ("ეს მაგალითია", "ka"),
        ("བོད་ཡིག", "bo"),
        ("This is 例 of BLEU", None),
        ("यह एक उदाहरण है", None),
        ("Это пример", None),
        ("12 345", None),
        ("", None),
    ],
)
def test_a_script_that_one_language_has_tells_it(text, language):
    assert language_of_script([text, None]) == language


def test_scripts_are_asked_where_no_name_tells():
    columns = [
        Column("x.csv", name, role, (text,), None, 1, is_cell=True)
        for name, role, text in (("s", "source", "the cat"), ("r", "reference", "猫がいる"), ("h", "hypothesis", "猫"))
    ]
    assert assemble(columns).languages == (None, "ja")
    named = [Column(f"{one.name}.zh", one.name, one.role, one.segments, None, 1) for one in columns[1:]]
    assert assemble([columns[0], *named]).languages == (None, "zh")
