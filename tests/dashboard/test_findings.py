"""What the checks found, on screen."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from bleucore import BleuOptions, ChrfOptions, System, TestSet
from bleucore.checks import Finding, check
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import read_segment_scores
from bleuscope.content.findings.finding_words import (
    alarm,
    by_check,
    effect_of,
    effects_of,
    finding_card,
    findings_verdict,
    flagged_segments,
    more_label,
    named_findings,
)


def finding(severity="warning", check_name="refusals", kind="system", index=0, subject="System 'a'", segments=(1,)):
    return Finding(
        check_name, severity, kind, index, subject, "1 of 3 segments refuses.", "Look.", np.array(segments, np.int64)
    )


@pytest.fixture(scope="module")
def shifted(sample):
    """The sample with a system whose lines stand one too late from line 101 on."""
    texts = list(sample.test_set.systems[2].hypotheses)
    late = [*texts[:100], "", *texts[100:-1]]
    systems = [*sample.test_set.systems, System("late", late)]
    return TestSet(systems, sample.test_set.references, source=sample.test_set.source)


def test_a_shifted_file_raises_the_alarm_with_its_line(shifted, read_html):
    found = check(shifted)
    text = read_html(alarm(found)).text
    assert text.startswith("Look at the texts first. System 'late': ")
    assert "line 10" in text


def test_a_name_that_begins_with_the_word_system_is_told_apart_from_it(read_html):
    lines = ["A cat sat on the mat.", "Two dogs ran home.", "It rained all day long."]
    names = ["System-01", "System 3", "Systematic"]
    test_set = TestSet([System(name, ["", *lines[1:]]) for name in names], [lines])
    empty = [one for one in check(test_set) if one.kind == "system" and one.segments.tolist() == [0]]
    assert {one.subject for one in empty} >= {"'System-01'", "'System 3'", "System 'Systematic'"}
    assert more_label(empty[:1]) in {f"The same of 1 more: '{name}'" for name in names}


def test_without_errors_there_is_no_alarm():
    assert not alarm([finding("warning"), finding("note")])


def test_the_verdict_counts_by_severity(read_html):
    found = [finding("error"), finding("warning"), finding("warning"), finding("note")]
    text = read_html(findings_verdict(found)).text
    assert "checks found 1 error, 2 warnings, 1 note. Mend the files first" in text
    assert "Nothing says that the scores are wrong" in read_html(findings_verdict(found[1:])).text
    assert "Nothing looks wrong" in read_html(findings_verdict([])).text


@pytest.mark.parametrize("options", [BleuOptions(), ChrfOptions()])
def test_the_effect_is_the_score_without_the_flagged_segments(sample, options):
    evaluation = evaluate_metric(sample.test_set, options)
    effect = effect_of(evaluation, finding(index=1, segments=range(0, 216, 2)))
    kept = slice(1, None, 2)
    rest = TestSet(
        [System(system.name, system.hypotheses[kept]) for system in sample.test_set.systems],
        [column[kept] for column in sample.test_set.references],
    )
    name = sample.evaluation.names[1]
    assert effect.score == evaluation.systems[name].score
    assert effect.score_without == pytest.approx(evaluate_metric(rest, options).systems[name].score)


@pytest.mark.parametrize(
    "one",
    [finding(kind="source", index=None), finding(segments=()), finding(segments=range(216))],
    ids=["of the source", "of nothing", "of everything"],
)
def test_there_is_no_effect_where_there_is_none_to_compute(sample, one):
    assert effect_of(sample.evaluation.bleu, one) is None


def test_a_card_says_what_was_found_and_what_it_does(sample, read_html):
    one = finding(index=1, segments=[0])
    effect = effect_of(sample.evaluation.bleu, one)
    text = read_html(finding_card(one, (effect,))).text
    assert effect.score == sample.evaluation.systems[sample.evaluation.names[1]].score.score
    assert "System 'a': 1 of 3 segments refuses." in text
    assert f"Look. BLEU {effect.score:.2f}; without these segments {effect.score_without:.2f}" in text


def test_a_card_names_the_metric_and_writes_its_scores_as_it_does(sample, read_html):
    lines = [f"{name}\t{number}\t0.{number % 9}" for name in sample.test_set.system_names for number in range(1, 11)]
    (scores,) = read_segment_scores("s.tsv", "\n".join(["system\tsegment\tcomet", *lines]).encode())
    comet, one = evaluate_metric(sample.test_set, scores), finding(index=1, segments=[0, 1, 2, 3])
    assert (
        "comet 0.3700; without these segments 0.4500 (+0.0800)."
        in read_html(finding_card(one, (effect_of(comet, one),))).text
    )
    assert effect_of(comet, finding(index=1, segments=range(10))) is None


def test_the_effects_are_those_of_all_metrics_that_have_one(sample, sample_errors):
    evaluation = replace(sample.evaluation, metrics={**sample.evaluation.metrics, "errors": sample_errors})
    effects = effects_of(evaluation, finding(index=1, segments=[0]))
    assert [effect.scale.unit for effect in effects] == ["BLEU", "errors"]
    assert effects_of(evaluation, finding(segments=())) == ()


def test_names_are_escaped(hostile_texts):
    for text in hostile_texts[:3]:
        assert text not in escape(finding_card(finding(subject=text)))
        assert text not in escape(alarm([finding("error", subject=text)]))


def test_each_finding_has_a_flag_of_its_own_with_its_segments():
    found = [
        finding(segments=[1, 2]),
        finding("note", segments=[2, 3]),
        finding(subject="System 'b'"),
        finding(segments=()),
        finding(subject="System 'a' (2)"),
    ]
    names = tuple(f"refusals: System {one}" for one in ("'a'", "'a' (2)", "'b'", "'a' (3)"))
    named = named_findings(found)
    assert [name for name, _ in named] == [*names, "refusals: System 'a' (2) (2)"]
    assert [finding for _, finding in named] == found
    flags = flagged_segments(found)
    assert list(flags) == [*names[:3], "refusals: System 'a' (2) (2)"]
    assert [flags[name].tolist() for name in names[:2]] == [[1, 2], [2, 3]]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["a", "a ", "a (2)", "a (2) (2)", "b: a", "'/\""]))))
def test_no_two_findings_share_a_flag(kinds):
    found = [finding(check_name=check, subject=subject) for check, subject in kinds]
    names = [name for name, _ in named_findings(found)]
    assert len(set(names)) == len(names) == len(found)
    assert all(name.startswith(f"{check}: {subject}") for name, (check, subject) in zip(names, kinds, strict=True))


def test_findings_of_one_check_stand_together_in_the_order_of_the_first():
    found = [finding(check_name=name, subject=subject) for name, subject in zip("abac", "1234", strict=True)]
    groups = by_check(named_findings(found))
    assert [[name for name, _ in group] for group in groups] == [["a: 1", "a: 3"], ["b: 2"], ["c: 4"]]
    assert groups[0][1][1] is found[2]
    assert by_check([]) == []


def test_what_unfolds_names_a_few_and_counts_the_rest():
    found = [finding(subject=f"System '{name}'") for name in ("one", "two", "three", "four", "five")]
    assert more_label(found) == "The same of 5 more: 'one', 'two', 'three' and 2 more"
    assert more_label(found[:1]) == "The same of 1 more: 'one'"
