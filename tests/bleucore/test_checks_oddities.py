"""Texts that are written otherwise than those beside them: case, punctuation, accents, numbers, signs nobody sees."""

import re
import unicodedata

import numpy as np
import pytest

from bleucore.checks import CHECKS, check
from bleucore.checks.compared_texts import Columns
from bleucore.checks.homoglyphs import LATIN_OF, has_false_words
from bleucore.corpus import System, TestSet

N = 40
SOURCE = [f"On day {number} Mr Müller, the mayor, saw {number + 100} trees." for number in range(N)]
REFERENCE = [f"Am Tag {number} sah Herr Müller, der Bürgermeister, {number + 100} Bäume." for number in range(N)]
OTHER = [f"Herr Müller, der Bürgermeister, sah am Tag {number} genau {number + 100} Bäume." for number in range(N)]
OUTPUT = [f"An Tag {number} hat Herr Müller, der Bürgermeister, {number + 100} Bäume gesehen." for number in range(N)]
UKRAINIAN = [f"На {number} день пан Мельник, міський голова, побачив {number + 100} дерев." for number in range(N)]


def found(name, outputs, reference=REFERENCE, source=SOURCE, others=(OTHER,)):
    systems = [System("s", outputs), *(System(f"other {index}", other) for index, other in enumerate(others))]
    observations = CHECKS[name].observe(Columns.of(TestSet(systems, [reference], source)))
    return [one.named(name) for one in observations]


def struck(change, segments, texts=OUTPUT):
    return [change(text) if index in segments else text for index, text in enumerate(texts)]


def unmarked(text):
    return "".join(part for part in unicodedata.normalize("NFD", text) if not unicodedata.combining(part))


FAULTS = [
    ("letter-case", str.lower),
    ("letter-case", str.upper),
    ("missing-punctuation", lambda text: text.replace(",", "").replace(".", "")),
    ("missing-accents", unmarked),
    ("changed-numbers", lambda text: re.sub(r"1(\d\d) ", r"7\1 ", text)),
    ("html-tags", lambda text: text.replace("Herr ", "Herr<br/>")),
    ("invisible-characters", lambda text: text.replace("Herr", "He\u00adrr")),
    ("invisible-characters", lambda text: text.replace(" ", "\u200b ")),
    ("look-alike-letters", lambda text: text.replace("Herr", "Hеrr")),
    ("full-width-letters", lambda text: text.replace("Herr", "Ｈｅｒｒ")),
]


@pytest.mark.parametrize(("name", "change"), FAULTS, ids=[f"{name}-{index}" for index, (name, _) in enumerate(FAULTS)])
@pytest.mark.parametrize("segments", [{7}, {3, 7, 30}, set(range(N))], ids=["one", "some", "all"])
def test_texts_that_are_written_otherwise_are_found_and_no_others(name, change, segments):
    (finding,) = found(name, struck(change, segments))
    assert (finding.kind, finding.index, set(finding.segments.tolist())) == ("system", 0, segments)


@pytest.mark.parametrize("name", sorted({name for name, _ in FAULTS}))
def test_texts_that_are_written_alike_raise_nothing(name):
    assert found(name, OUTPUT) == []


@pytest.mark.parametrize(("name", "change"), FAULTS, ids=[f"{name}-{index}" for index, (name, _) in enumerate(FAULTS)])
def test_a_reference_that_is_written_otherwise_is_named_itself(name, change):
    findings = found(name, OUTPUT, reference=struck(change, set(range(N)), REFERENCE))
    assert [(one.kind, one.index, len(one.segments)) for one in findings] == [("reference", 0, N)]


@pytest.mark.parametrize(("name", "change"), FAULTS, ids=[f"{name}-{index}" for index, (name, _) in enumerate(FAULTS)])
def test_one_system_and_one_reference_are_enough(name, change):
    findings = found(name, struck(change, {7, 8}), others=())
    assert [one.segments.tolist() for one in findings if one.kind == "system"] == [[7, 8]]


@pytest.mark.parametrize("letter", ["a", "c", "i", "o"])
def test_a_latin_letter_in_a_cyrillic_word_is_found(letter):
    cyrillic = next(chr(code) for code, latin in LATIN_OF.items() if latin == letter)
    outputs = [text.replace("пан", "пан міський") for text in UKRAINIAN]
    segment = next(index for index, text in enumerate(outputs) if cyrillic in text)
    outputs[segment] = outputs[segment].replace(cyrillic, letter, 1)
    (finding,) = found("look-alike-letters", outputs, UKRAINIAN, None, ())
    assert finding.segments.tolist() == [segment]


@pytest.mark.parametrize("word", ["IT-компанія", "SMSки", "μm", "ΔT", "3D", "книга"])
def test_words_of_two_scripts_that_are_written_so_are_right(word):
    assert not has_false_words(f"Das ist {word} heute.", ["Das ist es."])


def test_signs_that_an_original_has_belong_there():
    outputs, reference = (
        struck(lambda text: f"Ａ{text}\u00ad", {5}),
        struck(lambda text: f"Ａ\u00ad{text}", {5}, REFERENCE),
    )
    assert found("invisible-characters", outputs, reference) == []
    assert found("full-width-letters", outputs, reference) == []


def test_joiners_that_a_language_writes_are_no_fault():
    persian = [f"می\u200cروم به خانه {number}" for number in range(N)]
    assert found("invisible-characters", persian, persian[1:] + persian[:1], None, ()) == []


def test_other_signs_that_nobody_sees_are_found_in_a_language_with_joiners():
    persian = [f"می\u200cروم به خانه {number}" for number in range(N)]
    (finding,) = found("invisible-characters", struck(lambda text: f"{text}\u00ad", {3, 9}, persian), persian, None, ())
    assert finding.segments.tolist() == [3, 9]


def test_latin_names_of_other_letters_are_found_in_chinese():
    chinese = [f"他在第{number}天买了一台PC。" for number in range(N)]
    (finding,) = found(
        "look-alike-letters", struck(lambda text: text.replace("PC", "РС"), {4}, chinese), chinese, None, ()
    )
    assert finding.segments.tolist() == [4]


def test_a_text_in_another_script_does_not_only_look_right():
    russian = struck(lambda _: "Он сказал, что тот нос не сор.", {4})
    assert found("look-alike-letters", russian) == []


def test_numbers_are_the_same_however_their_digits_are_grouped_or_written():
    outputs = struck(lambda text: text.replace("107", "1.070").replace("7 ", "٧ "), {7})
    assert found("changed-numbers", outputs, struck(lambda text: text.replace("107", "1,070"), {7}, REFERENCE)) == []


def test_a_number_that_stands_twice_beside_and_once_here_is_missed():
    texts = [f"{number} of 100 or 100 of {number}" for number in range(N)]
    (finding,) = found(
        "changed-numbers", struck(lambda text: text.replace("100 of", "700 of"), {7}, texts), texts, None, ()
    )
    assert finding.segments.tolist() == [7]


def test_numbers_and_words_of_more_characters_than_are_told_apart_are_read():
    texts = [f"{'9' * 65} {'ä' * 65} {number}" for number in range(N)]
    assert found("changed-numbers", texts, texts, None, ()) == []
    assert found("missing-accents", texts, texts, None, ()) == []
    (finding,) = found("missing-accents", struck(unmarked, {7}, texts), texts, None, ())
    assert finding.segments.tolist() == [7]


@pytest.mark.parametrize("segment", [0, N - 1])
def test_digits_that_changed_places_are_another_number_wherever_it_stands(segment):
    texts = [f"{number} of 127 or 340 of {number}" for number in range(N)]
    outputs = struck(lambda text: text.replace("127", "172"), {segment}, texts)
    (finding,) = found("changed-numbers", outputs, texts, None, (texts,))
    assert (finding.kind, finding.index, finding.segments.tolist()) == ("system", 0, [segment])


def test_a_number_that_is_written_out_elsewhere_is_right():
    assert found("changed-numbers", ["Zwei 2"] * N, ["Zwei"] * N, ["two"] * N, ()) == []


def test_the_message_says_the_score_without_the_cause():
    (finding,) = [one for one in check(TestSet([System("s", struck(str.lower, set(range(N))))], [OUTPUT], SOURCE))
                  if one.check == "letter-case"]  # fmt: skip
    assert finding.severity == "error"
    assert re.search(
        r"If these segments are scored in lower case, BLEU \(tokenizer 13a\) goes from [\d.]+ to 100\.0\.$",
        finding.message,
    )


def test_what_costs_nothing_is_a_note_even_everywhere():
    wide, narrow = ([f"{text} {mark}" for text in OUTPUT] for mark in ("Ａ", "B"))
    findings = check(TestSet([System("s", wide)], [narrow], SOURCE))
    assert [one.severity for one in findings if one.check == "full-width-letters"] == ["note"]


def test_texts_without_letters_or_words_raise_nothing():
    for name, _ in FAULTS:
        assert found(name, ["", "1", "…", "，"], ["", "1", "…", "，"], None, ()) == []


def test_a_word_of_this_output_alone_is_not_missing_the_marks_that_it_writes_elsewhere():
    plain = struck(lambda _: "Hier ist es still.", {7}, OTHER)
    outputs = struck(lambda text: text.replace(".", " Zäune."), {3}, plain)
    outputs = struck(lambda text: text.replace(".", " Zaune."), {7}, outputs)
    assert found("missing-accents", outputs, plain, None, (plain,)) == []


def test_a_thousand_words_with_marks_are_told_from_their_plain_forms():
    rng = np.random.default_rng(1)
    letters = list("abcdefghiklmnoprstu")
    words = ["".join(rng.choice(letters, 9)) + "é" + "".join(rng.choice(letters, 3)) for _ in range(1000)]
    texts = [" ".join(words[start : start + 5]) for start in range(0, 1000, 5)]
    (finding,) = found("missing-accents", struck(unmarked, {4, 190}, texts), texts, None, ())
    assert finding.segments.tolist() == [4, 190]
