"""What language models add or give instead, in many languages; and lengths, ends and loops."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.checks import CHECKS
from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.lengths import deviation
from bleucore.checks.loops import has_loop
from bleucore.corpus import System, TestSet

N = 30
WORDS = ["river", "stone", "winter", "letter", "garden", "window", "silver", "candle", "forest", "bridge", "market"]


def sentence(seed, kind):
    rng = random.Random(seed)
    words = [rng.choice(WORDS) + str(rng.randint(1, 99)) for _ in range(rng.randint(9, 16))]
    if kind == "source":
        return "Das " + " und ".join(words) + "."
    if kind == "system" and len(words) > 3:
        words[1], words[2] = words[2], words[1]
    return "The " + " and ".join(words) + "."


SOURCE, REFERENCE, SYSTEM = ([sentence(seed, kind) for seed in range(N)] for kind in ("source", "reference", "system"))
S = 5


def found(name, text, *, reference=None, source=None):
    systems = [System("s", with_text(SYSTEM, text)), System("t", SYSTEM)]
    test_set = TestSet(systems, [with_text(REFERENCE, reference)], with_text(SOURCE, source))
    findings = [one.named(name) for one in CHECKS[name].observe(Columns.of(test_set))]
    assert all((one.kind, one.index, one.severity) == ("system", 0, "warning") for one in findings)
    return [segment for one in findings for segment in one.segments.tolist()]


def with_text(texts, text):
    return [text if index == S and text is not None else other for index, other in enumerate(texts)]


TEXT = SYSTEM[S]
OTHER = " ".join(reversed(TEXT.split()))
ARTEFACTS = [
    "length-outliers",
    "truncated-outputs",
    "repetition-loops",
    "refusals",
    "preambles",
    "notes",
    "variants",
    "quoted-outputs",
    "markup",
]


@pytest.mark.parametrize("name", ARTEFACTS)
def test_plain_outputs_raise_nothing(name):
    assert found(name, TEXT) == []


@pytest.mark.parametrize(
    "preamble",
    [
        "Here is the translation: ",
        "Sure! Here's the translated sentence:\n",
        "**Translation:** ",
        "Certainly, the translation is: ",
        "Hier ist die Übersetzung: ",
        "Voici la traduction : ",
        "Aquí está la traducción: ",
        "A tradução é: ",
        "Ecco la traduzione: ",
        "Вот перевод: ",
        "以下是翻译：",
        "翻訳：",
        "번역: ",
        "English: ",
        "Output: ",
    ],
)
def test_preambles_are_found(preamble):
    assert found("preambles", preamble + TEXT) == [S]


@pytest.mark.parametrize("role", ["Assistant: ", "ASSISTANT: ", "[ASSISTANT] "])
@pytest.mark.parametrize(("own", "label"), [("News", "Nachricht"), ("News", "新闻"), ("News", "Новости")])
def test_a_role_before_a_label_of_the_text_is_a_token(role, own, label):
    text, reference, source = f"{own}: {TEXT}", f"{own}: {REFERENCE[S]}", f"{label}: {SOURCE[S]}"
    assert found("special-tokens", role + text, reference=reference, source=source) == [S]
    assert found("special-tokens", text, reference=reference, source=source) == []


@pytest.mark.parametrize(
    ("text", "source"), [("Model: A7, colour: red", "型号：A7，颜色：红"), ("System: A7", "Система: A7")]
)
def test_a_label_that_translates_one_of_the_source_is_no_role(text, source):
    assert found("special-tokens", text, reference=text.replace("Model", "Type"), source=source) == []


def test_a_preamble_that_translates_one_of_the_source_is_right():
    for source, output in (
        ("Hier ist die Übersetzung: drei Steine.", "Here is the translation: three stones."),
        ("Antwort: drei Steine.", "Answer: three stones."),
        ("A. Drei Steine.", "Answer: three stones."),
        ("Natürlich, hier ist der Link.", "Sure, here is the link."),
    ):
        assert found("preambles", output, source=source) == []
        assert found("preambles", output, reference=source) == []


@pytest.mark.parametrize("text", ["The answer is three stones.", "Here is the river.", "Sure, three stones will do."])
def test_ordinary_beginnings_are_no_preambles(text):
    assert found("preambles", text) == []


@pytest.mark.parametrize(
    "refusal",
    [
        "I'm sorry, but I can't assist with that.",
        "As an AI language model, I cannot do this.",
        "Please provide the text you would like me to translate.",
        "Es tut mir leid, aber ich kann das nicht übersetzen.",
        "Je suis désolé, mais je ne peux pas traduire ce texte.",
        "Lo siento, pero no puedo ayudar con eso.",
        "Извините, но я не могу перевести этот текст.",
        "抱歉，我无法翻译这段内容。",
        "申し訳ありませんが、翻訳できません。",
        "죄송하지만 번역할 수 없습니다.",
    ],
)
def test_refusals_are_found(refusal):
    assert found("refusals", refusal) == [S]


def test_an_apology_that_translates_one_of_the_source_is_right():
    source, reference = "Es tut mir leid, aber ich kann das nicht.", "I am sorry, but I can't do that."
    assert found("refusals", "I'm sorry, but I cannot do this.", source=source, reference=reference) == []
    assert (
        found("refusals", "Sorry, I can't do that.", source="Geht nicht.", reference="I cannot do that, sorry.") == []
    )


def test_a_translation_about_refusing_is_right_where_it_fits_the_reference():
    assert found("refusals", f"Sorry, I {REFERENCE[S]}") == []


@pytest.mark.parametrize(
    "note",
    [
        " (Note: the name is unchanged.)",
        "\n\nNote: I kept the original name.",
        " [Translator's note: a pun.]",
        " (Anmerkung: ein Wortspiel.)",
        " Explication : jeu de mots.",
        " Nota: se conserva el nombre.",
        " Примечание: имя без перевода.",
        "（注：双关语。）",
        " 補足：固有名詞です。",
        " Let me know if you would like another version!",
        " This is a literal translation.",
    ],
)
def test_notes_are_found(note):
    assert found("notes", TEXT + note) == [S]


def test_a_note_that_translates_one_of_the_source_is_right():
    assert found("notes", "Three stones. Note: they are big.", source="Drei Steine. Hinweis: Sie sind gross.") == []


@pytest.mark.parametrize(
    "form",
    [
        "{0} Or: {1}",
        "1. {0} 2. {1}",
        "Option 1: {0} Option 2: {1}",
        "{0} / {1}",
        "{0} Oder: {1}",
        "{0}\nor\n{1}",
        "{0} 或者：{1}",
        "{0} Alternative translation: {1}",
        "{0} {1}",
    ],
)
def test_several_variants_are_found(form):
    assert found("variants", form.format(TEXT, OTHER)) == [S]


def test_numbered_lists_and_slashes_of_the_usual_length_are_right():
    assert found("variants", f"1. {TEXT[:40]} 2. {TEXT[40:]}") == []
    assert found("variants", f"{TEXT[:40]} / {TEXT[40:]}") == []


@pytest.mark.parametrize("form", ['"{}"', "“{}”", "„{}“", "«{}»", "'{}'", "「{}」", "``{}''"])
def test_quotation_marks_around_an_output_are_found_unless_an_original_is_quoted(form):
    assert found("quoted-outputs", form.format(TEXT)) == [S]
    assert found("quoted-outputs", form.format(TEXT), source=f"„{SOURCE[S]}“") == []
    assert found("quoted-outputs", form.format(TEXT), reference=f"“{REFERENCE[S]}”.") == []


def test_quotation_marks_inside_an_output_are_right():
    assert found("quoted-outputs", f'He said "{TEXT}" and left.') == []


@pytest.mark.parametrize("fence", ["```sql\n{}\n```", "```{}```", "```\n{}\n```."])
def test_a_fence_around_code_is_markup_and_no_quotation(fence):
    assert found("quoted-outputs", fence.format(TEXT)) == []
    assert found("markup", fence.format(TEXT)) == [S]


@pytest.mark.parametrize(
    "form",
    ["```{}```", "**{}**", "## {}", "<translation>{}</translation>", '{{"translation": "{}"}}', "`{}`", "*{}*", "> {}"],
)
def test_markup_is_found_unless_an_original_has_it(form):
    assert found("markup", form.format(TEXT)) == [S]
    assert found("markup", form.format(TEXT), source=form.format(SOURCE[S])) == []


@pytest.mark.parametrize(
    "loop",
    [
        "no no no no no",
        "the red the red the red the red the red",
        "in the old town in the old town in the old town",
        "哈哈哈哈哈哈哈哈",
        "我不知道我不知道我不知道我不知道",
        "ha" * 20,
        "great" + "!" * 40,
        ". " * 30,
    ],
)
def test_loops_are_found_unless_an_original_repeats_itself(loop):
    assert found("repetition-loops", f"{TEXT} {loop}") == [S]
    assert found("repetition-loops", f"{TEXT} {loop}", source=f"{SOURCE[S]} ja ja ja ja ja") == []


def test_an_output_given_twice_word_for_word_is_a_loop():
    assert found("repetition-loops", f"{TEXT} {TEXT}") == [S]


@pytest.mark.parametrize(
    "text", ["very very very good", "the cat and the dog and the bird", "1,000,000,000", "a-b-a-b"]
)
def test_ordinary_repeats_are_no_loops(text):
    assert found("repetition-loops", f"{TEXT} {text}") == []


def test_a_loop_does_not_pass_from_one_text_to_the_next():
    column = CheckedColumn("system", 0, "s", ["no no", "no no", "no no"])
    assert not has_loop(column).any()


@given(st.lists(st.sampled_from("abc"), max_size=24))
def test_loops_of_words_are_those_of_counting_every_unit(words):
    n_words = len(words)
    expected = n_words >= 8 and n_words % 2 == 0 and words[: n_words // 2] == words[n_words // 2 :]
    for unit in range(1, n_words + 1):
        times = 5 if unit < 3 else 3
        for start in range(n_words - unit * times + 1):
            expected |= words[start : start + unit] * times == words[start : start + unit * times]
    assert has_loop(CheckedColumn("system", 0, "s", [" ".join(words)])).tolist() == [expected]


def test_deviation_is_the_logarithm_of_the_ratio_beside_the_usual_one():
    test_set = TestSet([System("s", ["a" * 25] * 4 + ["a" * 55])], [["b" * 25] * 5])
    columns = Columns.of(test_set)
    assert deviation(columns.systems[0], columns).tolist() == pytest.approx([0, 0, 0, 0, np.log(2)])


def test_deviation_takes_the_original_that_makes_it_most_usual():
    test_set = TestSet([System("s", ["a" * 25] * 4 + ["a" * 55])], [["b" * 25] * 5, ["b" * 25] * 4 + ["b" * 45]])
    columns = Columns.of(test_set)
    assert deviation(columns.systems[0], columns)[4] == pytest.approx(np.log(60 / 50))


def test_deviation_is_zero_where_the_originals_disagree_whether_an_output_is_longer():
    test_set = TestSet([System("s", ["a" * 25] * 4 + ["a" * 35])], [["b" * 25] * 5, ["b" * 25] * 4 + ["b" * 45]])
    columns = Columns.of(test_set)
    assert deviation(columns.systems[0], columns)[4] == 0


def test_outputs_far_too_long_or_too_short_are_found():
    assert found("length-outliers", " ".join(SYSTEM[S : S + 3])) == [S]
    assert found("length-outliers", f"{TEXT[:20]}.") == [S]


@pytest.mark.parametrize(
    ("text", "source", "said"),
    [
        (" ".join(SYSTEM[S : S + 3]), SOURCE, "1 over 2.0 times the usual length for source and reference."),
        (f"{TEXT[:20]}.", SOURCE, "1 shorter than usual for source and reference by a factor of more than 2.0."),
        (f"{TEXT[:20]}.", None, "1 shorter than usual for the reference by a factor of more than 2.0."),
    ],
)
def test_lengths_are_said_to_be_beside_what_is_there(text, source, said):
    test_set = TestSet([System("s", with_text(SYSTEM, text)), System("t", SYSTEM)], [REFERENCE], source)
    (finding,) = CHECKS["length-outliers"].observe(Columns.of(test_set))
    assert finding.message.endswith(said)


def test_lengths_that_an_original_explains_are_right():
    assert found("length-outliers", " ".join(SYSTEM[S : S + 3]), source=" ".join(SOURCE[S : S + 3])) == []


def test_an_output_that_stops_in_the_middle_is_found():
    assert found("truncated-outputs", TEXT[: len(TEXT) // 2]) == [S]
    assert found("truncated-outputs", TEXT[: len(TEXT) // 2], source=SOURCE[S][:-1], reference=REFERENCE[S][:-1]) == [S]


def test_a_short_output_that_ends_like_a_sentence_is_not_cut_off():
    assert found("truncated-outputs", f"{TEXT[: len(TEXT) // 2]}.") == []
    assert found("truncated-outputs", f"{TEXT[: len(TEXT) // 2]}.”") == []


def test_an_output_of_full_length_without_a_full_stop_is_not_cut_off():
    assert found("truncated-outputs", TEXT[:-1]) == []


def test_words_before_a_colon_that_no_other_text_has_are_a_preamble_in_any_language():
    assert found("preambles", f"Quelque chose de nouveau: {TEXT}") == [S]
    assert found("preambles", f"Quelque chose de nouveau: {TEXT}", source=f"Etwas Neues: {SOURCE[S]}") == []
    assert found("preambles", TEXT.replace(" and ", ": ", 1)) == []


def test_words_behind_a_sentence_that_no_other_text_has_are_a_note_in_any_language():
    assert found("notes", f"{TEXT} Bemerkung vom Verfasser, umgangssprachlich gemeint, eher selten benutzt.") == [S]
    assert found("notes", f"{TEXT} {TEXT[4:]}") == []


def test_an_output_without_a_word_of_the_other_texts_is_a_note_of_its_own():
    systems = [System("s", with_text(SYSTEM, "Completely different matters were invented here.")), System("t", SYSTEM)]
    columns = Columns.of(TestSet(systems, [REFERENCE], SOURCE))
    (finding,) = [one.named("unrelated-outputs") for one in CHECKS["unrelated-outputs"].observe(columns)]
    assert (finding.kind, finding.index, finding.segments.tolist()) == ("system", 0, [S])
    assert finding.severity == "warning"


def test_an_output_as_long_as_those_of_other_systems_is_not_cut_off():
    cut = TEXT[: len(TEXT) // 2]
    systems = [System(name, with_text(SYSTEM, cut)) for name in "stu"]
    source = with_text(SOURCE, SOURCE[S][:-1])
    for group, expected in ((systems, []), ([systems[0], *(System(name, SYSTEM) for name in "tu")], [0])):
        columns = Columns.of(TestSet(group, [with_text(REFERENCE, REFERENCE[S][:-1])], source))
        observations = list(CHECKS["truncated-outputs"].observe(columns))
        assert [one.column.index for one in observations] == expected


@pytest.mark.parametrize(
    ("n_own", "n_others", "n_systems", "expected"),
    [(51, 60, 2, [0]), (52, 60, 2, []), (32, 40, 2, [0]), (33, 40, 2, []), (52, 60, 1, [0, 1])],
)
def test_as_long_is_what_two_other_systems_or_more_write_less_a_few_characters(n_own, n_others, n_systems, expected):
    reference = " ".join(f"word{index}" for index in range(10, 25))
    own, other = reference[:n_own], reference[:n_others]
    systems = [System(str(index), with_text(SYSTEM, text)) for index, text in enumerate([own, *[other] * n_systems])]
    columns = Columns.of(TestSet(systems, [with_text(REFERENCE, reference)], with_text(SOURCE, reference)))
    assert [column.lengths[S] for column in columns.systems] == [n_own, *[n_others] * n_systems]
    observations = CHECKS["truncated-outputs"].observe(columns)
    assert [one.column.index for one in observations] == expected


def test_outputs_are_held_against_all_references_and_four_other_systems():
    columns = Columns.of(TestSet([System(name, SYSTEM) for name in "abcdef"], [REFERENCE] * 6, SOURCE))
    beside = [(one.kind, one.index) for one in columns.beside(columns.systems[1])]
    assert beside == [("reference", index) for index in range(6)] + [("system", index) for index in (0, 2, 3, 4)]
