"""Characters, normal forms, scripts and traces of processing that do not belong into a text."""

import unicodedata

import pyarrow as pa
import pytest

from bleucore.checks import CHECKS
from bleucore.checks.alphabet import HAN, KANA, SCRIPTS, CodePoints
from bleucore.checks.characters import _composition_patterns
from bleucore.checks.compared_texts import Columns
from bleucore.checks.compared_texts import found as found_in
from bleucore.corpus import System, TestSet

N = 12
ENGLISH = [f"The {number} of them went home in the café at night." for number in range(N)]
GERMAN = [f"Die {number} gingen nachts ins Café heim." for number in range(N)]
SYSTEM = [f"All {number} of these walked home to the café by night." for number in range(N)]


def found(name, system=SYSTEM, reference=ENGLISH, source=GERMAN):
    test_set = TestSet([System("s", system)], [reference], source)
    return [one.named(name) for one in CHECKS[name].observe(Columns.of(test_set))]


def with_text(text, segment=5, texts=SYSTEM):
    return [text if index == segment else other for index, other in enumerate(texts)]


UNWANTED = [
    ("byte-order-marks", "\ufeff"),
    ("control-characters", "\0"),
    ("control-characters", "\x07"),
    ("control-characters", "\x9f"),
    ("line-separators", "\u2028"),
    ("line-separators", "\u2029"),
    ("line-separators", "\x85"),
    ("line-separators", "\n"),
    ("replacement-characters", "\ufffd"),
]


@pytest.mark.parametrize(("name", "character"), UNWANTED)
@pytest.mark.parametrize("form", ["{}walked home", "walked {} home", "walked home{}"])
def test_an_unwanted_character_is_found_anywhere(name, character, form):
    (finding,) = found(name, with_text(form.format(character)))
    assert (finding.kind, finding.severity, finding.segments.tolist()) == ("system", "warning", [5])
    assert finding.message.startswith("1 of 12 segments holds ")


@pytest.mark.parametrize(("name", "character"), UNWANTED)
def test_it_is_found_in_a_reference_and_only_noted_in_the_source(name, character):
    reference, source = with_text(f"a{character}b", 3, ENGLISH), with_text(f"a{character}b", 4, GERMAN)
    findings = found(name, reference=reference, source=source)
    assert [(one.kind, one.severity, one.segments.tolist()) for one in findings] == [
        ("reference", "warning", [3]),
        ("source", "note", [4]),
    ]


@pytest.mark.parametrize("name", [name for name in CHECKS if name != "copied-reference"])
def test_plain_texts_raise_nothing(name):
    assert found(name) == []


def test_tabs_are_no_control_characters():
    assert found("control-characters", with_text("a\tb")) == []


@pytest.mark.parametrize(
    "text", ["Müller", "„Straße“ – oder so…", "naïve", "5 °C", "日本語", "привет", "Šumava", "Pěkný"]
)
def test_utf_8_read_as_windows_1252_is_found_and_true_text_is_not(text):
    wrong = text.encode().decode("cp1252", errors="replace")
    (finding,) = found("wrong-decoding", with_text(wrong))
    assert finding.segments.tolist() == [5]
    assert found("wrong-decoding", with_text(text)) == []


@pytest.mark.parametrize(
    "text", ["SÃO PAULO", "« THÉÂTRE »", "Ção", "l’été… “oui”", "Ärger «schön»", "„Ä“ und „Å“", "Ä, Ö…"]
)
def test_true_capitals_and_quotation_marks_do_not_look_like_a_wrong_decoding(text):
    assert found("wrong-decoding", with_text(text)) == []


@pytest.mark.parametrize("text", [" walked", "walked ", "\twalked", "walked\u00a0"])
def test_outer_white_space_is_a_note(text):
    (finding,) = found("outer-white-space", with_text(text))
    assert (finding.severity, finding.segments.tolist()) == ("note", [5])


def test_decomposed_letters_among_composed_ones_are_found():
    (finding,) = found("mixed-normal-forms", with_text(unicodedata.normalize("NFD", SYSTEM[5])))
    assert (finding.kind, finding.severity, finding.segments.tolist()) == ("system", "warning", [5])
    assert "decomposed (NFD)" in finding.message


def test_composed_letters_among_decomposed_references_are_found():
    decomposed = [unicodedata.normalize("NFD", text) for text in ENGLISH]
    findings = found("mixed-normal-forms", reference=decomposed)
    assert [(one.kind, len(one.segments)) for one in findings] == [("system", N), ("source", N)]
    assert "composed (NFC)" in findings[0].message


def test_texts_all_in_one_form_raise_nothing():
    forms = [[unicodedata.normalize("NFD", text) for text in texts] for texts in (SYSTEM, ENGLISH, GERMAN)]
    assert found("mixed-normal-forms", *forms) == []


def test_a_stress_mark_that_no_letter_is_composed_with_is_no_normal_form():
    assert found("mixed-normal-forms", with_text("за\u0301мок")) == []


@pytest.mark.parametrize(
    "text",
    ["é", "Ñ", "ǖ", "ệ", "ά", "й", "ї", "が", "ポ", "한", "각", "ą", "ș", "Å", "ḍ̇"],
    ids=lambda text: f"{ord(text[0]):X}",
)
def test_the_patterns_tell_the_normal_forms_of_letters(text):
    composed, decomposed = _composition_patterns()
    nfc, nfd = (pa.array([unicodedata.normalize(form, text)], pa.large_string()) for form in ("NFC", "NFD"))
    assert found_in(nfc, composed).all()
    assert found_in(nfd, decomposed).all()
    assert not found_in(nfd, composed).any()


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Это другой язык", "Cyrillic"),
        ("这是另一种语言", "Han"),
        ("هذه لغة أخرى", "Arabic"),
        ("αυτή είναι άλλη", "Greek"),
    ],
)
def test_a_text_in_another_script_is_found_and_the_script_is_named(text, script):
    (finding,) = found("wrong-script", with_text(text))
    assert (finding.severity, finding.segments.tolist()) == ("warning", [5])
    assert finding.message == f"1 of 12 segments is mostly written in {script} letters, the references in Latin."


def test_a_column_in_another_script_is_an_error():
    (finding,) = found("wrong-script", ["Это другой язык"] * N)
    assert (finding.severity, len(finding.segments)) == ("error", N)


def test_a_script_that_the_reference_of_the_segment_has_too_is_right():
    assert found("wrong-script", with_text("Это цитата"), with_text("Это цитата", texts=ENGLISH)) == []


def test_names_in_another_script_and_signs_are_right():
    assert found("wrong-script", with_text("The word книга means a book in Russian.")) == []
    assert found("wrong-script", with_text("123 — 456 %")) == []


def test_latin_text_among_chinese_references_is_found_and_product_names_are_not():
    chinese = [f"他们{number}个人晚上回家了。" for number in range(N)]
    assert found("wrong-script", chinese, chinese) == []
    (finding,) = found("wrong-script", with_text("They went home.", texts=chinese), chinese)
    assert finding.segments.tolist() == [5]


def test_chinese_in_place_of_japanese_is_an_error():
    japanese = [f"彼ら{number}人は夜に家へ帰りました。とても疲れていたからです。" for number in range(40)]
    chinese = [f"他们{number}个人晚上回家了因为非常疲倦" for number in range(40)]
    (finding,) = found("wrong-script", chinese, japanese, None)
    assert (finding.severity, len(finding.segments)) == ("error", 40)
    assert "Japanese" in finding.message
    assert found("wrong-script", japanese, japanese, None) == []


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latin"),
        ("ß", "Latin"),
        ("ш", "Cyrillic"),
        ("ω", "Greek"),
        ("ח", "Hebrew"),
        ("ع", "Arabic"),
        ("अ", "Devanagari"),
        ("ก", "Thai"),
        ("한", "Hangul"),
        ("漢", "Han"),
        ("か", "kana"),
        ("カ", "kana"),
        ("ა", "Georgian"),
        ("1", ""),
        ("!", ""),
    ],
)
def test_letters_have_their_script(character, script):
    assert SCRIPTS[CodePoints.of([character]).scripts[0]] == script


def test_scripts_agree_with_the_names_of_the_letters():
    latin, cyrillic, greek = (SCRIPTS.index(name) for name in ("Latin", "Cyrillic", "Greek"))
    codes = {"LATIN": latin, "CYRILLIC": cyrillic, "GREEK": greek, "HIRAGANA": KANA, "KATAKANA": KANA, "CJK": HAN}
    letters = [chr(code) for code in range(0x10000) if chr(code).isalpha()]
    phonetic = {chr(code) for code in (*range(0x1D00, 0x1DC0), *range(0xAB30, 0xAB70))}  # Latin but for a few
    scripts = CodePoints.of(["".join(letters)]).scripts
    for letter, script in zip(letters, scripts, strict=False):
        name = unicodedata.name(letter, "?").split()
        if name[0] in codes and "MARK" not in name and letter not in phonetic:
            assert script == codes[name[0]], (letter, name)


def test_sums_count_characters_of_each_text():
    characters = CodePoints.of(["ab c", None, "1d"])
    assert characters.sums(characters.scripts > 0).tolist() == [3, 0, 1]


PROCESSED = [
    ("escaped-text", "walked &quot;home&quot;", '"walked home"'),
    ("escaped-text", "it&#39;s home", "it's home"),
    ("escaped-text", "R &amp; D", "R & D"),
    ("escaped-text", "walked\\nhome", "AC/DC \\ home"),
    ("escaped-text", "caf\\u00e9", "café"),
    ("escaped-text", "na%C3%AFve", "100 % sure, 50%off"),
    ("subword-marks", "wal@@ ked ho@@ me", "me@home @ night"),
    ("subword-marks", "▁walked ▁home", "_walked_ home"),
    ("subword-marks", "walk ##ed home", "issue ##NUMBER## #1"),
    ("subword-marks", "Ġwalked Ġhome", "walked home"),
    ("tokenised-text", "walked home , and slept .", "walked home, and slept."),
    ("tokenised-text", "Anna ' s home", "Anna's home"),
    ("tokenised-text", "they did n't go", "they didn't go"),
    ("tokenised-text", "home ( at night )", "home (at night) .NET"),
    ("special-tokens", "walked home</s>", "walked < home > now"),
    ("special-tokens", "walked <unk> home", "walked [home]"),
    ("special-tokens", "walked home<|im_end|>", "a <| b |> c"),
    ("special-tokens", "walked ⁇ home", "walked ?? home"),
]


@pytest.mark.parametrize(("name", "wrong", "right"), PROCESSED)
def test_traces_of_processing_are_found_and_ordinary_text_is_not(name, wrong, right):
    (finding,) = found(name, with_text(wrong))
    assert (finding.kind, finding.segments.tolist()) == ("system", [5])
    assert found(name, with_text(right)) == []


@pytest.mark.parametrize(("name", "wrong", "right"), PROCESSED)
def test_traces_that_an_original_of_the_segment_has_too_belong_there(name, wrong, right):
    in_source = found(name, with_text(wrong), source=with_text(wrong, texts=GERMAN))
    in_reference = found(name, with_text(wrong), with_text(wrong, texts=ENGLISH))
    in_both = found(name, with_text(wrong), with_text(wrong, texts=ENGLISH), with_text(wrong, texts=GERMAN))
    assert [[one.kind for one in findings] for findings in (in_source, in_reference, in_both)] == [
        ["source"],
        ["reference"],
        [],
    ]


def test_an_escaped_reference_is_found_beside_plain_systems():
    (finding,) = found("escaped-text", reference=with_text("R &amp; D", texts=ENGLISH))
    assert (finding.kind, finding.index, finding.severity) == ("reference", 0, "warning")


def test_a_stray_blank_before_a_comma_is_a_note_in_a_large_file():
    texts = [f"{number} of these walked home , sadly." if number == 7 else "They slept." for number in range(300)]
    plain = ["They slept."] * 300
    (finding,) = found("tokenised-text", texts, plain, plain)
    assert finding.severity == "note"
