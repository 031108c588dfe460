"""What is said about a drop."""

from dataclasses import replace

from bleucore.formats import Column, guess
from bleuscope.content.comparison.drops import remarks, summary

ENGLISH = ("the cat sat on the mat", "a dog ran home", "it was late")
OTHER = ("a cat sat on a mat", "the dog ran home", "late it was")
THIRD = ("one cat sat on the mat", "a dog went home", "it was very late")
GERMAN = ("die Katze lag da", "ein Hund lief heim", "es wurde spät")


def guessed(**texts):
    return guess([Column(f"{name}.txt", name, None, text, None, 1) for name, text in texts.items()])


def said(found):
    return remarks(found.columns, found)


def test_texts_are_counted_by_role():
    found = guessed(a=ENGLISH, b=OTHER, ref=THIRD, src=GERMAN, docs=("d", "d", "e"))
    assert summary(found.columns) == "2 outputs, 1 reference, 1 source, document names"
    left_out = [replace(found.columns[0], role="ignore"), *found.columns[1:]]
    assert summary(left_out) == "1 output, 1 reference, 1 source, document names, 1 left out"
    assert said(found) == []


def test_a_reference_without_a_sign_is_called_a_guess_until_it_is_changed():
    found = guessed(a=ENGLISH, b=OTHER, c=THIRD)
    (sentence,) = said(found)
    reference = next(column for column in found.columns if column.role == "reference")
    unsigned = "No file name identifies the reference."
    assert sentence == f"{unsigned} {reference.file} is a guess: it is least like the other texts. Please check."
    assert remarks([replace(column, role="hypothesis") for column in found.columns], found) == []
    (of_two, single) = said(guessed(a=ENGLISH, b=OTHER))
    assert of_two == f"{unsigned} b.txt is a guess: it is the second of two texts. Please check."
    assert single == "With one output, there is a score but no comparison."


def test_an_output_that_equals_a_reference_is_named():
    found = guessed(a=ENGLISH, b=OTHER, ref=OTHER)
    assert said(found) == ["b.txt holds exactly the text of ref.txt, and would score 100."]


def test_a_reference_that_is_there_twice_is_said_to_be_left_out():
    columns = [Column("hyp.txt", "hyp", None, OTHER, None, 1), Column("refs/refA.txt", "refA", None, ENGLISH, None, 1)]
    found = guess(
        [
            *columns,
            Column("outputs/refA.txt", "refA", None, ENGLISH, None, 1),
            replace(columns[0], file="b.txt", name="b"),
        ]
    )
    assert said(found)[0] == "outputs/refA.txt: the same text as a reference, and so left out."


def test_files_that_are_left_out_for_one_reason_are_named_together():
    found = guessed(ref=ENGLISH, a=OTHER, b=THIRD)
    reason = "in another language."
    columns = [replace(column, role="ignore", left_out=reason) for column in found.columns]
    ignored = replace(found, columns=(*columns, *(replace(columns[0], file=f"{name}.txt") for name in "defg")))
    assert remarks(ignored.columns, ignored)[0] == "ref.txt, a.txt, b.txt and 4 more are left out: in another language."


def test_outputs_that_are_runs_by_their_names_are_said_to_be():
    found = guessed(**{"base-seed1": ENGLISH, "base-seed2": OTHER, "wide-seed1": THIRD, "ref": ENGLISH[::-1]})
    assert "2 outputs are runs of 1 system, as their names say: base (2)." in said(found)
