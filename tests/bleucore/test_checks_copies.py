"""Texts that are missing, or equal where they should differ."""

import pytest

from bleucore.checks import CHECKS
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NAMES = ["Ada", "Bodo", "Cleo", "Dora", "Emil", "Frida", "Gero", "Hilde", "Ivo", "Jutta", "Kai", "Lotte", "Maja"]
CITIES = [
    "Aachen",
    "Bonn",
    "Celle",
    "Dessau",
    "Essen",
    "Fulda",
    "Gera",
    "Halle",
    "Jena",
    "Kiel",
    "Lindau",
    "Mainz",
    "Ulm",
]


def english(index):
    city = CITIES[(index * 5) % 13]
    return f"{NAMES[index % 13]} bought {NUMBERS[index % 12]} {index} big apples in {city} on market day."


def german(index):
    return f"{NAMES[index % 13]} kaufte am Markttag in {CITIES[(index * 5) % 13]} {index} grosse rote Äpfel ein."


def paraphrase(index):
    city = CITIES[(index * 5) % 13]
    return f"On market day {NAMES[index % 13]} got {index} large apples, {NUMBERS[index % 12]}, in {city}."


N = 40
ENGLISH, GERMAN, OTHER = ([make(index) for index in range(N)] for make in (english, german, paraphrase))


def found(name, test_set):
    return [one.named(name) for one in CHECKS[name].observe(Columns.of(test_set))]


def a_test_set(*systems, references=(ENGLISH,), source=GERMAN):
    return TestSet([System(str(index), column) for index, column in enumerate(systems)], references, source)


def changed(texts, **by_segment):
    return [by_segment.get(f"s{index}", text) for index, text in enumerate(texts)]


def test_empty_outputs_are_found_blank_ones_too():
    (finding,) = found("empty-lines", a_test_set(changed(OTHER, s3="", s7=" \t"), OTHER))
    assert (finding.kind, finding.index, finding.severity) == ("system", 0, "warning")
    assert finding.segments.tolist() == [3, 7]
    assert finding.message == "2 of 40 segments are empty."


def test_an_empty_output_for_an_empty_source_is_right():
    test_set = a_test_set(changed(OTHER, s3=""), references=(changed(ENGLISH, s3=""),), source=changed(GERMAN, s3=""))
    assert found("empty-lines", test_set) == []


def test_an_empty_reference_and_source_are_found_and_a_missing_reference_is_not():
    references = (changed(ENGLISH, s2=""), [None if index == 5 else text for index, text in enumerate(OTHER)])
    findings = found("empty-lines", a_test_set(OTHER, references=references, source=changed(GERMAN, s4="")))
    assert [(one.kind, one.index, one.severity, one.segments.tolist()) for one in findings] == [
        ("reference", 0, "warning", [2]),
        ("source", None, "note", [4]),
    ]


def test_a_system_of_empty_outputs_is_an_error():
    (finding,) = found("empty-lines", a_test_set([""] * N))
    assert finding.severity == "error"


def test_a_line_written_twice_is_found_where_it_does_not_belong():
    (finding,) = found("duplicated-lines", a_test_set(changed(OTHER, s8=OTHER[7]), OTHER))
    assert finding.segments.tolist() == [8]
    assert finding.severity == "warning"
    assert finding.message.startswith("1 of 40 segments repeats the text of another segment")


def test_a_reference_written_twice_is_found():
    (finding,) = found("duplicated-lines", a_test_set(OTHER, references=(ENGLISH, changed(OTHER, s8=OTHER[7]))))
    assert (finding.kind, finding.index, finding.segments.tolist()) == ("reference", 1, [8])


def test_equal_outputs_for_equal_segments_are_right():
    texts = [changed(column, s8=column[7]) for column in (OTHER, ENGLISH, GERMAN)]
    assert found("duplicated-lines", a_test_set(texts[0], references=(texts[1],), source=texts[2])) == []


def test_equal_outputs_for_segments_of_nearly_the_same_words_are_right():
    source = changed(GERMAN, s7="Vielen Dank für Ihren Anruf.", s8="Danke für Ihren Anruf!")
    reference = changed(ENGLISH, s7="Thank you for your call.", s8="Thanks for your call!")
    system = changed(OTHER, s7="Thank you for your call.", s8="Thank you for your call.")
    assert found("duplicated-lines", a_test_set(system, references=(reference,), source=source)) == []


def test_the_same_output_for_everything_is_an_error():
    (finding,) = found("duplicated-lines", a_test_set(["I do not know what that means at all."] * N, OTHER))
    assert finding.severity == "error"
    assert len(finding.segments) > 0.9 * N


def test_an_untranslated_output_is_found_unless_a_reference_is_the_source_too():
    system = changed(OTHER, s3=GERMAN[3], s4=GERMAN[4])
    reference = changed(ENGLISH, s4=GERMAN[4])
    finding, other = found("copied-source", a_test_set(system, references=(reference, OTHER)))
    assert (finding.kind, finding.severity, finding.segments.tolist()) == ("system", "warning", [3])
    assert (other.kind, other.segments.tolist()) == ("reference", [4])
    assert finding.message == "1 of 40 segments is equal to the source, 1 of them with 4 words or more."


def test_numbers_and_signs_alone_are_no_copy_of_the_source():
    system, source, reference = (changed(column, s3="— …") for column in (OTHER, GERMAN, ENGLISH))
    assert found("copied-source", a_test_set(system, references=(reference,), source=source)) == []


def test_the_source_loaded_as_a_system_is_an_error():
    (finding,) = found("copied-source", a_test_set(OTHER, GERMAN))
    assert (finding.kind, finding.index, finding.severity, len(finding.segments)) == ("system", 1, "error", N)


def test_the_source_loaded_as_a_reference_is_an_error():
    (finding,) = found("copied-source", a_test_set(OTHER, references=(GERMAN, ENGLISH)))
    assert (finding.kind, finding.index, finding.severity) == ("reference", 0, "error")


def test_equal_to_the_source_is_a_note_where_source_and_target_are_one_language():
    source = [text if index % 3 else text.replace("bought", "buyed") for index, text in enumerate(ENGLISH)]
    findings = found("copied-source", a_test_set(source, source, references=(ENGLISH,), source=source))
    assert {one.severity for one in findings} == {"note"}


@pytest.mark.parametrize(
    ("of_systems", "of_reference", "severity"),
    [
        ((4, 4), 4, "note"),
        ((3, 4), 4, "warning"),
        ((4, 4), 3, "warning"),
        ((4, 0, 4), 4, "note"),
        ((4, 0, 0), 4, "warning"),
    ],
)
def test_one_language_is_what_a_tenth_of_the_usual_system_and_reference_say(of_systems, of_reference, severity):
    def keeping(column, first, n):
        return changed(column, **{f"s{index}": GERMAN[index] for index in range(first, first + n)})

    systems = [keeping(OTHER, 10, n) for n in of_systems]
    findings = found("copied-source", a_test_set(*systems, references=(keeping(ENGLISH, 0, of_reference),)))
    assert {one.severity for one in findings} == {severity}


def test_there_is_no_copied_source_without_a_source():
    assert found("copied-source", a_test_set(GERMAN, source=None)) == []


def test_a_reference_loaded_as_a_system_is_an_error():
    (finding,) = found("copied-reference", a_test_set(OTHER, ENGLISH))
    assert (finding.index, finding.severity, len(finding.segments)) == (1, "error", N)
    assert "equal to the reference, " in finding.message


def test_of_several_references_the_one_that_is_a_system_is_named():
    (finding,) = found("copied-reference", a_test_set(OTHER, ENGLISH, references=(GERMAN, ENGLISH)))
    assert "equal to Reference 2, " in finding.message


def test_a_reference_with_a_few_changes_is_still_an_error():
    (finding,) = found("copied-reference", a_test_set(changed(ENGLISH, s1="a", s2="b")))
    assert (finding.severity, len(finding.segments)) == ("error", N - 2)


def test_a_few_outputs_equal_to_a_reference_are_a_note():
    (finding,) = found("copied-reference", a_test_set(changed(OTHER, s3=ENGLISH[3]), OTHER))
    assert (finding.severity, finding.segments.tolist()) == ("note", [3])


def test_more_equal_outputs_than_two_other_systems_have_are_an_error():
    leaked = {f"s{index}": ENGLISH[index] for index in range(0, N, 4)}
    findings = found("copied-reference", a_test_set(OTHER, changed(OTHER, **leaked), OTHER))
    assert [(one.index, one.severity) for one in findings] == [(1, "error")]


@pytest.mark.parametrize(
    ("n_equal", "n_of_others", "severity"),
    [
        (2, [], "warning"),
        (2, [0], "warning"),
        (1, [0], "note"),
        (15, [5], "warning"),
        (14, [5], "note"),
        (15, [0, 5, 30], "error"),
        (15, [6, 5, 6], "note"),
        (6, [0, 0, 30], "warning"),
    ],
)
def test_equal_outputs_are_unusual_from_three_times_those_of_the_median_of_the_other_systems(
    n_equal, n_of_others, severity
):
    systems = [changed(OTHER, **{f"s{index}": ENGLISH[index] for index in range(n)}) for n in (n_equal, *n_of_others)]
    assert found("copied-reference", a_test_set(*systems))[0].severity == severity


@pytest.mark.parametrize(("n_long", "severity"), [(20, "warning"), (19, "note")])
def test_a_share_of_fewer_than_twenty_texts_of_ten_words_says_nothing(n_long, severity):
    reference = [" ".join(text.split()[: 10 if index < n_long else 9]) for index, text in enumerate(ENGLISH)]
    system = changed(OTHER, **{f"s{index}": reference[index] for index in range(5)})
    (finding,) = found("copied-reference", a_test_set(system, OTHER, references=(reference,)))
    assert (finding.severity, len(finding.segments)) == (severity, 5)


def test_what_is_usual_is_asked_of_each_reference_by_itself():
    of_first = changed(OTHER, **{f"s{index}": ENGLISH[index] for index in range(10)})
    second = [f"Yesterday, or so it seems, {text}" for text in OTHER]
    of_second = changed(OTHER, **{f"s{index}": second[index] for index in range(10)})
    findings = found("copied-reference", a_test_set(of_second, of_first, of_first, references=(ENGLISH, second)))
    assert [(one.index, one.severity) for one in findings] == [(0, "error"), (1, "note"), (2, "note")]


def test_very_few_words_that_are_equal_prove_nothing():
    (finding,) = found("copied-reference", a_test_set(["a b c d"], references=(["a b c d"],), source=["x"]))
    assert finding.severity == "note"
    assert found("copied-reference", a_test_set(["a"], references=(["b"],), source=["x"])) == []


def test_the_same_system_twice_is_an_error_and_so_is_one_that_is_nearly_the_same():
    (same,) = found("identical-systems", a_test_set(OTHER, OTHER))
    assert (same.index, same.severity) == (1, "error")
    assert same.message == "40 of 40 segments are equal to those of System '0'."
    (nearly,) = found("identical-systems", a_test_set(OTHER, changed(OTHER, s1="x")))
    assert (nearly.severity, len(nearly.segments)) == ("error", N - 1)
    assert found("identical-systems", a_test_set(OTHER, [f"{text} x" for text in OTHER])) == []


def test_the_same_reference_twice_is_a_warning():
    (finding,) = found("identical-references", a_test_set(OTHER, references=(ENGLISH, ENGLISH)))
    assert (finding.kind, finding.index, finding.severity) == ("reference", 1, "warning")


def test_references_in_rows_instead_of_columns_are_an_error():
    square = [[f"{OTHER[segment]} {'so' * reference}" for segment in range(6)] for reference in range(6)]
    system = OTHER[:6]
    assert found("transposed-references", a_test_set(system, references=square, source=GERMAN[:6])) == []
    rows = [list(row) for row in zip(*square, strict=True)]
    (finding,) = found("transposed-references", a_test_set(system, references=rows, source=GERMAN[:6]))
    assert (finding.kind, finding.subject, finding.index, finding.severity) == ("test set", "Test set", None, "error")
    assert finding.segments.tolist() == list(range(6))


@pytest.mark.parametrize("form", ['["{0}", "{1}"]', "['{0}', '{1}']", "{0} ||| {1}", "{0}\t{1}"])
def test_lists_of_references_in_one_line_are_an_error(form):
    lists = [form.format(one, other) for one, other in zip(ENGLISH, OTHER, strict=True)]
    (finding,) = found("transposed-references", a_test_set(OTHER, references=(lists,)))
    assert (finding.kind, finding.index, finding.severity) == ("reference", 0, "error")


def test_lists_are_right_where_systems_write_them_too():
    lists = [f'["{one}", "{other}"]' for one, other in zip(ENGLISH, OTHER, strict=True)]
    assert found("transposed-references", a_test_set(lists, references=(lists,))) == []
