"""What the checks found, on screen."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from bleucore import BleuOptions, ChrfOptions, System, TerOptions, TestSet, evaluate
from bleucore.checks import Finding, Repair, check
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import read_segment_scores
from bleuscope.content.findings import finding_words
from bleuscope.content.findings.finding_words import (
    Effect,
    alarm,
    by_check,
    deserve_a_look,
    effect_of,
    effects_of,
    finding_card,
    findings_verdict,
    flagged_segments,
    found_words,
    more_label,
    named_findings,
)
from bleuscope.content.style.scale import ScoreScale


def finding(
    severity="warning", check_name="refusals", kind="system", index=0, subject="System 'a'", segments=(1,), **values
):
    flagged = np.array(list(segments), np.int64)
    return Finding(check_name, severity, kind, index, subject, "1 of 3 segments refuses.", "Look.", flagged, **values)


def repair(texts, *, is_whole=True):
    """A repair of the segments that are named."""
    return Repair(np.array(list(texts), np.int64), tuple(texts.values()), is_whole)


def effect_in(evaluation, one, name="BLEU"):
    return effect_of(evaluation, evaluation.metrics[name], one)


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
    assert text.startswith("Check the texts first. System 'late': ")
    assert "line 10" in text


def test_a_name_that_begins_with_the_word_system_is_told_apart_from_it(read_html):
    lines = ["A cat sat on the mat.", "Two dogs ran home.", "It rained all day long."]
    names = ["System-01", "System 3", "Systematic"]
    test_set = TestSet([System(name, ["", *lines[1:]]) for name in names], [lines])
    empty = [one for one in check(test_set) if one.kind == "system" and one.segments.tolist() == [0]]
    assert {one.subject for one in empty} >= {"'System-01'", "'System 3'", "System 'Systematic'"}
    assert more_label(empty[:1]) in {f"The same for 1 more: '{name}'" for name in names}


def test_without_errors_there_is_no_alarm():
    assert not alarm([finding("warning"), finding("note")])


def test_the_verdict_counts_by_severity(read_html):
    found = [finding("error"), finding("warning"), finding("warning"), finding("note")]
    text = read_html(findings_verdict(found)).text
    assert "checks found 1 error, 2 warnings, 1 note. Fix the files first" in text
    assert "checks found no errors, 2 warnings, 1 note. bleuscope" in read_html(findings_verdict(found[1:])).text
    assert "Nothing looks wrong" in read_html(findings_verdict([])).text


@pytest.fixture(scope="module")
def two_systems(sample):
    """A seventh of the sample's segments and two of its systems, with all metrics: TER of everything takes seconds."""
    lines = slice(0, None, 7)
    systems = [System(one.name, one.hypotheses[lines]) for one in sample.test_set.systems[:2]]
    test_set = TestSet(systems, [reference[lines] for reference in sample.test_set.references])
    return test_set, evaluate(test_set, BleuOptions(), metrics=[ChrfOptions(), TerOptions()])


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_the_effect_is_the_score_of_the_repaired_texts(two_systems, name):
    test_set, evaluation = two_systems
    texts = {segment: test_set.references[0][segment] for segment in range(0, test_set.n_segments, 5)}
    one = finding(index=1, segments=texts, repair=repair(texts))
    effect = effect_in(evaluation, one, name)
    system = test_set.systems[1]
    repaired = [texts.get(segment, text) for segment, text in enumerate(system.hypotheses)]
    rescored = evaluate(
        TestSet([System("repaired", repaired)], test_set.references), metrics=[ChrfOptions(), TerOptions()]
    ).metrics[name]
    assert effect.score == evaluation.metrics[name].systems[system.name].score
    assert effect.score_repaired == pytest.approx(rescored.systems["repaired"].score, abs=1e-9)
    assert effect.cost > 0
    assert test_set.systems[1].hypotheses == system.hypotheses


def test_the_effect_on_lines_of_files_counts_no_white_space_at_their_end():
    lines = TestSet([System("a", ["the cat  ", "a dog"])], [["the cat ", "a dog \t"]], are_lines=True)
    evaluation = evaluate(lines, metrics=[ChrfOptions(whitespace=True)])
    effect = effect_in(evaluation, finding(repair=repair({1: "a dog"})), "chrF2")
    assert effect.score_repaired == effect.score == 100.0


@pytest.mark.parametrize(
    "one",
    [
        finding(segments=[1]),
        finding(kind="source", index=None, repair=repair({1: "x"})),
        finding(kind="reference", repair=repair({1: "x"})),
        finding(repair=repair({1: ""}, is_whole=False)),
    ],
    ids=["without a repair", "of the source", "of a reference", "in part and without a gain"],
)
def test_there_is_no_effect_where_there_is_none_to_compute(sample, one):
    assert effect_in(sample.evaluation, one) is None


def test_of_very_many_repaired_texts_bleu_alone_says_what_they_cost(sample, monkeypatch):
    monkeypatch.setattr(finding_words, "MOST_REPAIRED", 1)
    evaluation = evaluate(sample.test_set, BleuOptions(), metrics=[ChrfOptions()])
    one = finding(index=1, repair=repair(dict.fromkeys((1, 2), "x")))
    assert [effect.scale.unit for effect in effects_of(evaluation, one)] == ["BLEU"]


def card(read_html, one, *effects):
    return read_html(finding_card(one, effects)).text


def test_a_card_says_what_was_found_and_what_it_costs(sample, read_html):
    texts = dict(enumerate(sample.test_set.references[0][:3]))
    one = finding(index=1, segments=texts, repair=repair(texts))
    effect = effect_in(sample.evaluation, one)
    text = card(read_html, one, effect)
    assert effect.score == sample.evaluation.systems[sample.evaluation.names[1]].score.score
    assert "System 'a': 1 of 3 segments refuses." in text
    scores = f"{effect.score:.3f} → {effect.score_repaired:.3f}"  # 36.36 and 37.09 differ by 0.73
    assert f"Look. Repaired: BLEU {scores} (+{effect.score_repaired - effect.score:.3f})." in text


def test_a_card_has_the_sign_of_a_cost_right_whichever_way_the_metric_points(read_html):
    bleu, ter = (ScoreScale(unit, higher, 2) for unit, higher in (("BLEU", True), ("TER", False)))
    one = finding()
    assert "Repaired: BLEU 46.15 → 46.49 (+0.34)." in card(read_html, one, Effect(bleu, 46.15, 46.49))
    assert "Repaired: TER 46.49 → 46.15 (−0.34)." in card(read_html, one, Effect(ter, 46.49, 46.15))
    assert "This fault improves BLEU by 0.34 (46.49, 46.15 if repaired)." in card(
        read_html, one, Effect(bleu, 46.49, 46.15)
    )
    assert "This fault improves TER by 0.34 (46.15, 46.49 if repaired)." in card(
        read_html, one, Effect(ter, 46.15, 46.49)
    )
    assert "Repaired: BLEU unchanged." in card(read_html, one, Effect(bleu, 46.15, 46.151))
    assert "Repaired: BLEU 20.333 → 20.408 (+0.075)." in card(read_html, one, Effect(bleu, 20.3331, 20.4079))


def test_a_card_says_at_least_where_some_texts_cannot_be_repaired(read_html):
    effect = Effect(ScoreScale("BLEU", True, 2), 46.15, 46.49, is_whole=False)
    said = "This fault costs at least about 0.34 BLEU: not every text can be repaired."
    assert said in card(read_html, finding(), effect)


def test_a_card_without_a_repair_claims_no_cost(read_html):
    assert card(read_html, finding()).endswith("Look.")


@pytest.mark.parametrize(
    ("cost", "is_whole", "said"),
    [
        (1.234, True, "This fault costs the systems 1.23 BLEU (median)."),
        (1.234, False, "This fault costs the systems at least about 1.23 BLEU (median)."),
        (-1.234, True, "Raises the systems’ scores by about 1.23 BLEU (median)."),
    ],
)
def test_a_card_says_what_a_fault_of_a_reference_costs_the_systems(read_html, cost, is_whole, said):
    one = finding(kind="reference", repair=repair({1: "x"}, is_whole=is_whole), cost=cost)
    assert said in card(read_html, one)


def test_scores_from_files_have_no_effect(sample):
    lines = [f"{name}\t{number}\t0.{number % 9}" for name in sample.test_set.system_names for number in range(1, 11)]
    (scores,) = read_segment_scores("s.tsv", "\n".join(["system\tsegment\tcomet", *lines]).encode())
    comet = evaluate_metric(sample.test_set, scores)
    evaluation = replace(sample.evaluation, metrics={**sample.evaluation.metrics, "comet": comet})
    one = finding(index=1, segments=[0], repair=repair({0: "x"}))
    assert [effect.scale.unit for effect in effects_of(evaluation, one)] == ["BLEU"]
    assert effects_of(evaluation, finding(segments=())) == ()


def test_a_card_below_one_that_says_the_same_gives_its_own_segments_and_costs_alone(sample, read_html):
    above = replace(finding(), message="1 of 9 segments contains a tag, 2.5 times as many.")
    alike = replace(
        finding(subject="System 'b'", segments=(1, 2)), message="2 of 9 segments contain a tag, 30 times as many."
    )
    assert read_html(finding_card(alike, (), above)).text.split() == [
        "▲",
        "System",
        "'b':",
        "also",
        "in",
        "2",
        "segments.",
    ]
    repaired = replace(alike, index=1, repair=repair({1: "", 2: ""}))
    costly = read_html(finding_card(repaired, effects_of(sample.evaluation, repaired), above)).text
    assert "BLEU" in costly
    assert "Look." not in costly
    for other in (
        replace(alike, message="2 of 9 segments contain a link, 30 times as many."),
        replace(alike, remedy="Look twice."),
        replace(alike, segments=np.empty(0, np.int64)),
    ):
        text = read_html(finding_card(other, (), above)).text
        assert other.message in text
        assert other.remedy in text


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
    assert more_label(found) == "The same for 5 more: 'one', 'two', 'three' and 2 more"
    assert more_label(found[:1]) == "The same for 1 more: 'one'"


@pytest.mark.parametrize(
    ("severities", "said"),
    [
        ((), "No errors or warnings in the texts."),
        (("note", "note"), "No errors or warnings in the texts."),
        (("warning",), "1 warning in the texts."),
        (("error", "warning", "warning", "note"), "1 error and 2 warnings in the texts."),
    ],
)
def test_errors_and_warnings_are_counted_and_notes_deserve_no_look(severities, said):
    found = [Finding("refusals", one, "system", 0, "x", "m", "r", np.empty(0, np.int64)) for one in severities]
    assert str(found_words(found)) == said
    assert deserve_a_look(found) is ("No" not in said)
