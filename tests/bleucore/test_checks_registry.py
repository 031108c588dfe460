"""The one call: what comes back, in which order, for any test set."""

import dataclasses
import inspect
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.checks import CHECKS, SEVERITIES, Finding, check
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

SAMPLE = Path(__file__).parents[2] / "sample_data"
NASTY = [
    "",
    " ",
    "a",
    "\0",
    "\u2028",
    "\ufeff",
    "```",
    '"',
    "a\nb",
    "a " * 50,
    "译文：",
    "e\u0301",
    "&quot;",
    "😀",
    "Note: x",
    "1. a 2. b",
]


def sample():
    columns = {
        path.stem: path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for path in SAMPLE.glob("*.txt")
    }
    systems = [System(name, columns[name]) for name in ("literal", "fluent", "neural-40k", "human")]
    return TestSet(systems, [columns["reference-A"], columns["reference-B"]], columns["source"])


def faulty():
    """The sample with a shifted system, two identical ones, and marks here and there."""
    test_set = sample()
    literal, fluent, neural, human = (list(system.hypotheses) for system in test_set.systems)
    shifted = [*literal[:50], "", *literal[50:-1]]
    fluent[3], fluent[4], fluent[9] = f"```{fluent[3]}```", f"```{fluent[4]}```", f"{fluent[9]}</s>"
    systems = [System("a", shifted), System("b", fluent), System("c", neural), System("d", neural), System("e", human)]
    return TestSet(systems, test_set.references, test_set.source)


@cache
def found():
    """The faulty test set, and what is found in it, which several tests read."""
    test_set = faulty()
    return test_set, check(test_set)


def test_the_sample_raises_no_error_and_names_the_stutters_of_its_literal_system():
    findings = check(sample())
    assert [(one.check, one.subject, one.severity) for one in findings if one.severity != "note"] == [
        ("repetition-loops", "System 'literal'", "warning")
    ]


def test_findings_come_gravest_first_then_by_the_number_of_segments():
    _, findings = found()
    ranks = [(SEVERITIES.index(one.severity), -len(one.segments)) for one in findings]
    assert ranks == sorted(ranks)
    by_check = {one.check: one for one in findings}
    assert by_check["shifted-lines"].subject == "System 'a'"
    assert by_check["identical-systems"].subject == "System 'd'"
    assert by_check["markup"].segments.tolist() == [3, 4]
    assert by_check["special-tokens"].segments.tolist() == [9]


def test_equal_test_sets_give_equal_findings():
    for one, other in zip(found()[1], check(faulty()), strict=True):
        assert one.segments.tolist() == other.segments.tolist()
        rest = [dataclasses.replace(finding, segments=np.empty(0, np.int64)) for finding in (one, other)]
        assert repr(rest[0]) == repr(rest[1])


def test_findings_are_typed_and_their_segments_rise_and_are_read_only():
    test_set, findings = found()
    columns = {"system": test_set.systems, "reference": test_set.references}
    for finding in findings:
        assert finding.check in CHECKS
        assert finding.severity in SEVERITIES
        assert finding.segments.dtype == np.int64
        assert not finding.segments.flags.writeable
        assert len(finding.segments) > 0
        assert (np.diff(finding.segments) > 0).all()
        assert 0 <= finding.segments[0] <= finding.segments[-1] < test_set.n_segments
        assert (finding.index is None) == (finding.kind in ("source", "test set"))
        if finding.index is not None:
            assert 0 <= finding.index < len(columns[finding.kind])


def test_messages_and_remedies_are_sentences_with_numbers():
    for finding in found()[1]:
        assert finding.message[0].isupper() or finding.message[0].isdigit()
        assert any(character.isdigit() for character in finding.message)
        assert finding.message.endswith(".")
        assert finding.remedy.endswith(".")


def test_only_shifted_lines_have_shifts():
    assert {one.check for one in found()[1] if one.shifts} == {"shifted-lines"}


def of_many(n_segments, changes, texts="The council met in town hall {0} to speak of bridge {0}."):
    """Findings about a system of so many segments, some of them changed, that says what the reference says."""
    outputs = [texts.format(number) for number in range(n_segments)]
    changed = [changes.get(number, "{}").format(text) for number, text in enumerate(outputs)]
    references = [
        f"The town has councillors who talked of bridge {number} in hall {number}." for number in range(n_segments)
    ]
    return check(TestSet([System("s", changed)], [references]))


def test_few_flagged_outputs_stand_together_in_one_note():
    findings = of_many(1000, {5: "**{}**", 9: "{}</s>", 10: "{}</s>"})
    assert [(one.check, one.severity, one.segments.tolist()) for one in findings] == [
        ("single-outputs", "note", [5, 9, 10])
    ]
    assert findings[0].message.endswith(": markup 1, special-tokens 2.")


def test_enough_flagged_outputs_are_a_finding_of_their_check():
    findings = of_many(1000, dict.fromkeys(range(20), "{}</s>"))
    assert [(one.check, one.severity, len(one.segments)) for one in findings] == [("special-tokens", "warning", 20)]


def test_severity_follows_what_the_repaired_texts_gain():
    changed = dict.fromkeys(range(0, 300, 12), "Here is the translation: " * 3 + "{}")
    everywhere = dict.fromkeys(range(300, 302), "{}</s>")
    texts = [f"The council met in town hall {number} to speak of bridge {number}." for number in range(400)]
    outputs = [(changed | everywhere).get(number, "{}").format(text) for number, text in enumerate(texts)]
    references = [
        f"A council met {number} times to speak of it." if number < 302 else t for number, t in enumerate(texts)
    ]
    found = {one.check: one for one in check(TestSet([System("a", outputs), System("b", texts)], [references]))}
    assert found["preambles"].severity == "error"
    assert found["preambles"].cost > 1
    assert found["special-tokens"].severity == "warning"
    assert 0.05 < found["special-tokens"].cost < 1


def test_a_few_outputs_that_cost_nothing_are_a_note_and_many_a_warning():
    for n_struck, severity in ((5, "note"), (20, "warning")):
        (finding,) = of_many(1000, dict.fromkeys(range(n_struck), "{}</s>"))
        assert abs(finding.cost) < 0.05
        assert finding.severity == severity


def test_lines_that_are_out_of_place_are_not_found_fault_with_otherwise():
    findings = [one for one in found()[1] if one.subject == "System 'a'"]
    of_outputs = {"length-outliers", "truncated-outputs", "preambles", "notes", "repetition-loops", "changed-numbers"}
    (shifted,) = [one for one in findings if one.check == "shifted-lines"]
    for finding in findings:
        assert finding.check not in of_outputs or not set(finding.segments) & set(shifted.segments)
    assert not {"length-outliers", "truncated-outputs", "changed-numbers"} & {one.check for one in findings}


def test_progress_rises_to_one():
    shares = []
    check(faulty(), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) > sum(one.asks == "texts" for one in CHECKS.values())


def test_every_check_has_a_stable_name_and_one_line_that_explains_it():
    for name, one in CHECKS.items():
        assert name == name.lower().replace(" ", "-").replace("_", "-")
        assert one.explanation.endswith("."), name
        assert "\n" not in one.explanation, name
        assert len(one.explanation) < 80, name


def test_every_attribute_of_a_finding_is_explained():
    attributes = (inspect.getdoc(Finding) or "").partition("Attributes:")[2]
    assert all(f"{field.name}: " in attributes for field in dataclasses.fields(Finding))


def test_the_texts_stay_as_they_are():
    test_set = faulty()
    digest = test_set.digest
    check(test_set)
    assert TestSet(test_set.systems, test_set.references, test_set.source).digest == digest


texts = st.sampled_from(NASTY) | st.text(max_size=12)


@given(st.data())
def test_any_test_set_is_checked(data):
    n_segments = data.draw(st.integers(1, 4))
    columns = st.lists(texts, min_size=n_segments, max_size=n_segments)
    systems = [System(str(index), data.draw(columns)) for index in range(data.draw(st.integers(1, 3)))]
    references = [data.draw(columns) for _ in range(data.draw(st.integers(1, 2)))]
    source = data.draw(st.none() | columns)
    for finding in check(TestSet(systems, references, source)):
        assert finding.segments.max() < n_segments


def test_large_columns_are_searched_one_by_one_as_small_ones_are_together():
    large, small = "no " * 6_000_000 + "yes", "yes"
    columns = Columns.of(TestSet([System("s", [large, "no"]), System("t", [small, "no"])], [[large, small]]))
    assert columns.matches(columns.targets, "yes").tolist() == [[True, False], [True, False], [True, True]]
    assert columns.in_originals("yes").tolist() == [True, True]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10**6,
        "ab " * 10**5,
        '"' + "x " * 10**5 + '"',
        "**" * 10**5,
        "(Note: " * 10**5,
        "e" + "\u0301\u0323" * 10**5,
        "[" + '"a", ' * 10**5 + "]",
        "Sure, here " * 10**5,
        "译文：" * 10**5,
        "&" * 10**6,
        " " * 10**6,
        "\n" * 10**6,
    ],
    ids=lambda text: repr(text[:8]),
)
@pytest.mark.thorough
def test_a_huge_line_is_checked(text):
    test_set = TestSet([System("s", [text, "three big stones"])], [["two rivers", "three large stones"]], ["a", "b"])
    assert all(finding.segments.max() <= 1 for finding in check(test_set))
