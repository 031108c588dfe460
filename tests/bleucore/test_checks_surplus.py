"""Beginnings and ends that no translation has, told without knowing a phrase."""

import pytest

from bleucore.checks.compared_texts import Columns
from bleucore.checks.llm_boilerplate import without_surplus
from bleucore.corpus import System, TestSet

N, S = 30, 5
NAMES = [f"{first}{last}" for first in ("Arn", "Bel", "Cor", "Dag", "Eri", "Fal") for last in ("heim", "stadt", "wick")]
PLACES = [f"{name}-{number}" for number in range(4) for name in NAMES]


def text(segment, verb):
    first, second, third = (PLACES[(segment * step + step) % len(PLACES)] for step in (1, 5, 7))
    return f"The {first} {verb} from {second} towards the old {third} bridge of line {segment}."


SYSTEM, OTHER, REFERENCE = ([text(s, verb) for s in range(N)] for verb in ("goes", "runs", "travels"))
SOURCE = [f"Zug {s}: {PLACES[s]}." if s == 9 else f"Der Zug fährt in Zeile {s} nach {PLACES[s]}." for s in range(N)]
TEXT = SYSTEM[S]


def found(side, output, *, segment=S, source=None, reference=None, systems=2):
    def put(texts, changed):
        return [changed if index == segment and changed is not None else one for index, one in enumerate(texts)]

    columns = [System("s", put(SYSTEM, output)), System("t", OTHER)][:systems]
    test_set = TestSet(columns, [put(REFERENCE, reference)], put(SOURCE, source))
    own, *others = without_surplus(Columns.of(test_set), side)
    assert not any(others)
    return sorted(own)


@pytest.mark.parametrize("side", ["beginning", "end"])
def test_plain_outputs_have_no_surplus(side):
    assert found(side, TEXT) == []


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize(
    "opening",
    [
        "Quelque chose de nouveau: ",
        "Dette er mitt forslag:\n",
        "Gladly helping out!\n\n",
        "就这样写吧：",
        "Voilà tout!\n",
    ],
)
def test_foreign_words_before_the_usual_beginning_are_surplus_in_any_language(opening, systems):
    assert found("beginning", opening + TEXT, systems=systems) == [S]
    assert found("end", opening + TEXT, systems=systems) == []


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize(
    "closing",
    [
        " (Merkkijono jätettiin ennalleen tarkoituksella.)",
        "\n\nConfidence: high",
        "\nTilaa lisää vaihtoehtoja milloin tahansa.",
        " Sanaleikki katoaa tässä valitettavasti kokonaan.",
        "（这里换了一种说法。）",
    ],
)
def test_foreign_words_behind_the_usual_end_are_surplus_in_any_language(closing, systems):
    assert found("end", TEXT + closing, systems=systems) == [S]
    assert found("beginning", TEXT + closing, systems=systems) == []


def test_words_behind_an_output_without_a_full_stop_are_surplus():
    assert found("end", f"{TEXT[:-1]} Sanaleikki katoaa valitettavasti kokonaan") == [S]


def test_other_words_within_a_sentence_are_no_surplus():
    words = TEXT.split()
    assert found("end", " ".join([*words[:-4], "kohti sanaleikki katoaa kokonaan."])) == []
    assert found("beginning", " ".join(["Sanaleikki katoaa kokonaan kohti", *words[4:]])) == []


def test_words_that_a_reference_has_are_no_surplus():
    closing = " (Sanaleikki katoaa valitettavasti kokonaan.)"
    assert found("end", TEXT + closing, reference=REFERENCE[S] + closing) == []


def test_a_translated_label_or_bracket_of_the_source_is_no_surplus():
    assert found("beginning", f"Quelque chose de nouveau: {TEXT}", source=f"Etwas ganz Neues: {SOURCE[S]}") == []
    assert found("end", f"{TEXT[:-1]} (British time).", source=f"{SOURCE[S][:-1]} (Londoner Zeit).") == []


def test_a_label_is_surplus_where_the_output_has_the_colon_of_the_source_as_well():
    output = f"Quelque chose de nouveau: Train 9: {SYSTEM[9]}"
    assert found("beginning", output, segment=9) == [9]


def test_each_side_of_a_long_text_is_divided_at_its_own_end():
    output, source, reference = (" ".join(texts * 5) for texts in (SYSTEM, SOURCE, REFERENCE))
    opening, closing = "Quelque chose de nouveau: ", " (Sanaleikki katoaa valitettavasti kokonaan.)"
    assert found("beginning", opening + output, source=source, reference=reference) == [S]
    assert found("end", output + closing, source=source, reference=reference) == [S]


def test_texts_too_long_to_divide_and_texts_without_words_have_no_surplus():
    assert found("end", f"{TEXT} " * 500 + "\nSanaleikki katoaa valitettavasti kokonaan.") == []
    assert found("end", "...\n\n!?") == []


def test_segments_of_all_blocks_are_looked_at():
    n_copies = 200
    systems = [System("s", [*SYSTEM * n_copies, f"{TEXT} (Sanaleikki katoaa valitettavasti kokonaan.)"])]
    references = [[*REFERENCE * n_copies, REFERENCE[S]]]
    assert without_surplus(Columns.of(TestSet(systems, references)), "end") == [{N * n_copies: TEXT}]
