"""Sentences that depend on a condition: each word is there where its condition holds, and not where it does not."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import System, TestSet, evaluate
from bleucore.checks import CHECKS
from bleucore.metrics.ter import TerOptions
from bleuscope.content.attribution import attribution_words
from bleuscope.content.blocks import block_words
from bleuscope.content.comparison import alike
from bleuscope.content.comparison.comparison_context import Loaded, Settings, study_of
from bleuscope.content.comparison.unit_words import extent_words, units_words
from bleuscope.content.findings import finding_words
from bleuscope.content.ngrams import ngram_words, phrase_words
from bleuscope.content.overview import overview_words
from bleuscope.content.scores import explanations, verdicts
from bleuscope.content.segments import marked_tokens
from bleuscope.content.segments.blind_trial import blind_verdict
from bleuscope.content.significance import significance_words, study_verdict, verdict_words
from bleuscope.content.slices import slice_words, word_sheets
from bleuscope.content.style import numbers
from tests.dashboard import builders
from tests.dashboard import sheet_properties as properties
from tests.dashboard.feature_parts import module_of, of_features
from tests.dashboard.reading import all_of, read

agreement_words = module_of("judgements.words")
opinion_words = module_of("judgements.words_opinions")
rater_words = module_of("judgements.words_raters")
judge_words = module_of("judgements.words_judges")
sample_words = module_of("judgements.words_samples")
agreement_methods = module_of("judgements.methods")
sample_sheets = module_of("judgements.sheets_samples")
annotation_words = module_of("annotation.words")
kind_words = module_of("kinds.words")
history_words = module_of("projects.words")
strip_words = module_of("projects.words_strips")
team_words = module_of("projects.words_team")
reference_words = module_of("references.words")
sensitivity_words = module_of("sensitivity.words")
CASES = builders.CASES
FREQUENCY = builders.FREQUENCY


_SAID = {
    "attribution_verdict": lambda c: attribution_words.attribution_verdict(c.attribution),
    "waterfall_caption": lambda c: attribution_words.waterfall_caption(c.attribution),
    "parts_caption": lambda c: attribution_words.parts_caption(c.metric),
    "smoothing_note": lambda c: attribution_words.smoothing_note(c.attribution),
    "disagreement_note": lambda c: attribution_words.disagreement_note(c.attribution.segments, c.delta),
    "measures_note": lambda c: attribution_words.measures_note(c.attribution.segments, c.delta),
    "layout_words": lambda c: all_of(*map(block_words.layout_words, c.layouts)),
    "pair_test": lambda c: all_of(
        *(block_words.pair_test(one, tests, 0.05) for one, tests in zip(c.analyses, c.block_tests, strict=True))
    ),
    "verdict_note": lambda c: all_of(
        *(
            block_words.verdict_note(one, tests, study_verdict.verdict_of_pair(c.study), 0.05)
            for one, tests in zip(c.analyses, c.block_tests, strict=True)
        )
    ),
    "decision_note": lambda c: all_of(*map(block_words.decision_note, c.block_tests)),
    "pair_remarks": lambda c: all_of(*map(block_words.pair_remarks, c.block_tests)),
    "missing_tests_note": lambda c: all_of(
        *(block_words.missing_tests_note(one, which) for one in c.analyses for which in ("row above", "baseline"))
    ),
    "unmatched_note": lambda c: all_of(*map(block_words.unmatched_note, c.analyses)),
    "layouts_verdict": lambda c: block_words.layouts_verdict(c.layout_study, c.block_tests[0][0], 0.05),
    "sizes_verdict": lambda c: block_words.sizes_verdict(c.size_study, 0.05),
    "alike_note": lambda c: alike.alike_note(c.study),
    "units": lambda c: all_of(units_words(c.comparison), extent_words(c.comparison)),
    "findings_verdict": lambda c: finding_words.findings_verdict(c.findings),
    "found_words": lambda c: finding_words.found_words(c.findings),
    "alarm": lambda c: finding_words.alarm(c.findings),
    "projects.leaderboard_verdict": lambda c: history_words.leaderboard_verdict(c.board),
    "projects.leaderboard before tests": lambda c: history_words.leaderboard_verdict(replace(c.board, comparison=None)),
    "projects.chosen_best_note": lambda c: history_words.chosen_best_note(c.scored),
    "projects.history_verdict": lambda c: history_words.history_verdict(c.history),
    "projects.history before tests": lambda c: history_words.history_verdict(replace(c.history, found=None)),
    "projects.optimism_note": lambda c: history_words.optimism_note(c.history.found, "BLEU"),
    "projects.alarms_note": lambda c: history_words.alarms_note(c.history.found),
    "projects.history method": lambda c: history_words.method_note(c.history.found),
    "projects.card_words": lambda c: history_words.card_words(builders.card()),
    "projects.strips_note": lambda c: strip_words.strips_note(replace(c.strips, course="got worse"), 9),
    "phrases_verdict": lambda c: all_of(
        *(
            phrase_words.phrases_verdict(c.study, *one, replace(c.study, metric=c.evaluation.bleu).attribution)
            for one in c.phrase_lists
        )
    ),
    "list_note": lambda c: all_of(
        *(
            ngram_words.list_note(listed, listed.ranked(choice.rank), part=choice.part, find="")
            for lists, choice in c.ngram_lists
            for listed in lists
        )
    ),
    "answer": lambda c: overview_words.answer(c.study, c.findings),
    "answer unchecked": lambda c: overview_words.answer(c.study),
    "why_heading": lambda c: overview_words.why_heading(c.study),
    "ingredients_words": lambda c: overview_words.ingredients_words(c.study, c.attribution),
    "balance_words": lambda c: overview_words.balance_words(c.study),
    "documents_words": lambda c: overview_words.documents_words(c.attribution, c.test_set.documents),
    "segments_heading": lambda c: overview_words.segments_heading(c.study),
    "how_words": lambda c: overview_words.how_words(c.study),
    "references.references verdict": lambda c: reference_words.verdict_of(c.references),
    "references.references people": lambda c: reference_words.people_words(c.references),
    "references.references method": lambda c: reference_words.references_method(c.references)[0],
    "references.simulation_words": lambda c: reference_words.simulation_words(c.references),
    "explanation_note": lambda c: explanations.explanation_note(c.explanation),
    "study_verdict": lambda c: verdicts.study_verdict(c.study, c.findings),
    "headlines": lambda c: verdicts.comparison_headlines(c.evaluation, c.pair_looks, c.metric),
    "differences_note": lambda c: verdicts.differences_note(c.metric, c.pair_looks),
    "blind_verdict": lambda c: blind_verdict(c.trial, builders.PREFERENCES),
    "annotation.progress": lambda c: all_of(*map(annotation_words.progress_words, c.annotated)),
    "annotation.agreement": lambda c: all_of(
        *(annotation_words.agreement_words(one.agreement, annotation_words.unit_of(one)) for one in c.annotated)
    ),
    "annotation.scores": lambda c: all_of(*map(annotation_words.scores_words, c.annotated)),
    "annotation.disagreements": lambda c: all_of(*map(annotation_words.disagreement_words, c.annotated)),
    "annotation.marks": lambda c: all_of(*map(annotation_words.marks_words, c.annotated)),
    "kinds.kinds verdict": lambda c: kind_words.verdict_of(c.kinds),
    "kinds.undivided": lambda c: kind_words.undivided(c.kinds),
    "kinds.marked": lambda c: all_of(*map(kind_words.marked_note, (None, c.annotated[0].kinds))),
    "annotation.kinds": lambda c: all_of(*map(annotation_words.kinds_words, c.annotated)),
    "sensitivity.sensitivity verdict": lambda c: sensitivity_words.verdict_of(c.grid),
    "sensitivity.least_firm": lambda c: all_of(*sensitivity_words.least_firm(c.grid)),
    "sensitivity.pair_told": lambda c: all_of(*map(sensitivity_words.pair_told, c.grid.pairs())),
    "sensitivity.repeats_told": lambda c: all_of(*sensitivity_words.repeats_told(c.grid)),
    "sensitivity.sensitivity method": lambda c: sensitivity_words.sensitivity_method(c.grid)[0],
    "clusters_verdict": lambda c: significance_words.clusters_verdict(c.comparison),
    "power_verdict": lambda c: significance_words.power_verdict(c.comparison, c.compared, c.metric.name),
    "method_note": lambda c: significance_words.method_note(c.comparison, [c.compared]),
    "remarks": lambda c: significance_words.remarks(c.comparison, list(c.comparison.pairs.values())),
    "verdict_sentence": lambda c: verdict_words.verdict_sentence(study_verdict.verdict_of_pair(c.study)),
    "rule_note": lambda c: all_of(*(slice_words.rule_note(one) for one, _ in c.slices)),
    "slices verdict": lambda c: all_of(*(slice_words.verdict(*one) for one in c.slices)),
    "slices method": lambda c: all_of(*(slice_words.method_note(*one) for one in c.slices)),
    "words_verdict": lambda c: word_sheets.words_verdict(c.study, FREQUENCY, *c.words),
    "what_note": lambda c: word_sheets.what_note(FREQUENCY, c.words[1]),
    "judgements.agreement_verdict": lambda c: all_of(
        *(agreement_words.agreement_verdict(c.agreed, one) for one in c.agreed.metrics)
    ),
    "judgements.measured_words": lambda c: agreement_words.measured_words(c.agreed),
    "judgements.expected_words": lambda c: all_of(
        *(opinion_words.expected_words(c.agreed, one) for one in c.agreed.metrics)
    ),
    "judgements.judges_words": lambda c: all_of(*map(judge_words.judges_words, c.judges)),
    "judgements.raters_words": lambda c: rater_words.raters_words(c.raters, c.people),
    "judgements.drawn_words": lambda c: all_of(*map(sample_sheets.drawn_words, c.tasks)),
    "judgements.page_words": lambda c: all_of(*map(sample_words.page_words, c.tasks)),
    "judgements.next_words": lambda c: all_of(
        *(sample_words.next_words(one, Path("a b/campaign.json")) for one in c.tasks)
    ),
    "interval_words": lambda c: significance_words.interval_words(c.comparison, [c.compared]),
    "power_sentence": lambda c: significance_words.power_sentence(c.comparison, c.compared, unit=c.metric.name),
    "judgements.averaging_words": lambda c: agreement_words.averaging_words(c.people.averaging),
    "judgements.agreement_method": lambda c: agreement_methods.agreement_method(c.agreed)[0],
    "marked_method": lambda c: marked_tokens.marked_method(
        marked_tokens.MarkedTokens(builders.Judgements("mqm", "mqm.tsv", "MQM", c.rows), c.marked)
    )[0],
    "references.references_named": lambda c: all_of(*map(reference_words.references_named, c.references.subsets)),
    "sensitivity.setting_named": lambda c: all_of(
        *(sensitivity_words.setting_named(one.setting) for one in c.grid.results)
    ),
    "projects.numbers_of_false_alarms": lambda c: history_words.numbers_of_false_alarms(c.history.found.alarms.per_100),
    "table_notes": lambda c: verdicts.table_notes(c.study),
    "all_pairs_offer": lambda c: significance_words.all_pairs_offer(c.baseline),
    "title_words": lambda c: all_of(*(ngram_words.title_words(one.view, one.against) for _, one in c.ngram_lists)),
    "projects.team": lambda c: all_of(
        *(team_words.ask_to_take("Ann", "en-de"), team_words.ask_to_revoke("ci"), team_words.ask_to_end("Bob"))
    ),
}
SAID = of_features(_SAID)
"""What is said of a case."""
OTHER_SIDE = {
    *("attribution_verdict", "why_heading", "balance_words", "segments_heading", "documents_words", "answer"),
    *("words_verdict", "ingredients_words"),
    *of_features({"kinds.kinds verdict": None}),
}
"""Sentences that say the same of two systems whichever of them is A."""


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_sentence_has_the_number_of_its_nouns_and_nothing_of_a_program(name):
    said = [read(SAID[name](case)) for case in CASES.values()]
    for text in said:
        assert not properties.WRONG_NUMBER.search(text), text
        assert not properties.NO_WORDS.search(text), text
        properties.agrees_with_itself(text)


SILENT = {
    "table_notes",
    "pair_remarks",
    "missing_tests_note",
    "alike_note",
    "alarm",
    "smoothing_note",
    "verdict_note",
    "disagreement_note",
    "sensitivity.repeats_told",
    "kinds.undivided",
    "kinds.marked",
    "annotation.kinds",
}
"""What has nothing to say of most comparisons."""


def test_there_is_something_to_say_of_some_case():
    silent = [name for name in sorted(set(SAID) - SILENT) if not any(read(SAID[name](case)) for case in CASES.values())]
    assert silent == []


@pytest.mark.parametrize("name", sorted(OTHER_SIDE))
@pytest.mark.parametrize("case", ["B is better", "A is better", "against a baseline"])
def test_who_is_better_does_not_depend_on_who_is_a(name, case):
    one = CASES[case]
    other = builders.Case(*one.names[::-1], one.metric_name, one.baseline)
    of_smoothing = r" [+−][\d.]+ of the difference comes from .*"  # which is B minus A
    assert re.sub(of_smoothing, "", read(SAID[name](one))) == re.sub(of_smoothing, "", read(SAID[name](other)))


def better_and_worse(case):
    """The names of the better and of the worse system."""
    return case.names[::-1] if case.metric.gain(np.array([case.compared.difference]))[0] > 0 else case.names


def won(case):
    """How many segments B wins, loses and ties against A."""
    gains = case.metric.gain(case.delta)
    return int((gains > 0).sum()), int((gains < 0).sum()), int((gains == 0).sum())


@pytest.mark.parametrize("case", [name for name in CASES if name != "both are the same"])
class TestOfTwoSystems:
    def test_the_better_one_is_named_first_with_its_gain(self, case):
        one = CASES[case]
        better, worse = better_and_worse(one)
        gap = numbers.score(abs(one.compared.difference))
        said = read(attribution_words.attribution_verdict(one.attribution))
        if one.attribution.has_ingredients:
            assert said.startswith(f"{better} scores higher mainly through ")
        else:
            assert said.startswith(f"{better} scores {gap} {one.metric.name} better than {worse}")
        leads = read(verdict_words.verdict_sentence(study_verdict.verdict_of_pair(one.study)))
        assert leads.startswith(better)
        assert leads.index(better) < leads.index(worse)
        is_sure = one.comparison.is_significant(one.compared)
        assert (f"{better} beats {worse}: " in leads) == is_sure

    def test_what_makes_most_of_it_and_what_works_against_it_are_named(self, case):
        one = CASES[case]
        said = read(attribution_words.attribution_verdict(one.attribution))
        if not one.attribution.has_ingredients:
            assert "mainly through" not in said
            return
        sign = np.sign(one.attribution.difference)
        parts = sorted(attribution_words.ingredients(one.attribution), key=lambda part: -sign * part[1])
        assert f"mainly through {'its ' if 'gram' in parts[0][0] else 'the '}{parts[0][0]} (+" in said
        assert (", despite " in said) == (sign * parts[-1][1] < -0.005)

    def test_wins_losses_and_ties_are_those_of_the_better_one(self, case):
        one = CASES[case]
        wins, losses, ties = won(one)
        assert f"wins {wins}, loses {losses} and ties {ties} segment" in read(
            verdicts.differences_note(one.metric, one.pair_looks)
        )
        scores = one.evaluation.systems
        is_b = scores[one.names[1]].score.score >= scores[one.names[0]].score.score
        wins, losses = (wins, losses) if is_b else (losses, wins)
        said = read(overview_words.balance_words(one.study))
        assert said.startswith(f"{one.names[int(is_b)]} wins {wins}, loses {losses} and ties {ties} segment")

    def test_blocks_tell_who_is_better_in_more_of_them(self, case):
        one = CASES[case]
        for analysis, tests in zip(one.analyses, one.block_tests, strict=True):
            said, test = read(block_words.pair_test(analysis, tests, 0.05)), tests[0]
            gains = one.metric.gain(test.differences)
            better, worse = one.names[::-1] if gains.mean() > 0 else one.names
            gains = gains if gains.mean() > 0 else -gains
            assert f"{better} against {worse}: " in said
            assert f"It wins {(gains > 0).sum()}, loses {(gains < 0).sum()} and ties {(gains == 0).sum()} " in said
            sign = np.sign(gains.mean()) * (1 if one.metric.higher_is_better else -1)
            assert numbers.difference(sign * abs(test.mean_difference)) in said

    def test_slices_are_won_by_b_and_by_a(self, case):
        one = CASES[case]
        for summary, tested in one.slices:
            gains = one.metric.gain(summary.delta)
            clear = [
                one.metric.gain(np.array([tested.tests[place].difference]))[0]
                for place in tested.tests
                if tested.is_significant(place)
            ]
            said = read(slice_words.verdict(summary, tested))
            counts = [int((gains > 0).sum()), int((gains < 0).sum()), int((gains == 0).sum())]
            assert said.startswith(
                f"{one.names[1]} wins {counts[0]}, loses {counts[1]} and ties "
                f"{numbers.counted(counts[2], 'slice')} against {one.names[0]}."
            )
            wanted = f"Significant: {sum(x > 0 for x in clear)} for B, {sum(x < 0 for x in clear)} for A."
            assert (wanted in said) == bool(clear)
            assert ("is significant" in said) == (not clear)

    def test_ingredients_and_documents_are_those_that_speak_for_the_leader(self, case):
        one = CASES[case]
        said = read(overview_words.documents_words(one.attribution, one.test_set.documents))
        found = [float(number.replace("−", "-")) for number in re.findall(r"\(([+−][\d.]+)\)", said)]
        assert found == sorted(found, reverse=True)
        assert all(number >= 0 for number in found)
        assert 1 <= len(found) <= overview_words.N_SHOWN
        said = read(overview_words.ingredients_words(one.study, one.attribution))
        parts = re.findall(r"([+−][\d.]+)(?=[,.]( |$|\w))", said)
        sizes = [abs(float(number.replace("−", "-"))) for number, _ in parts]
        assert sizes == sorted(sizes, reverse=True)
        assert bool(sizes) == one.attribution.has_ingredients

    def test_clusters_and_significant_pairs_are_counted(self, case):
        one = CASES[case]
        found = one.comparison
        said = read(significance_words.clusters_verdict(found))
        n_significant = sum(found.is_significant(found.pair(*names)) for names in found.pairs)
        assert said.startswith(f"{n_significant} of {len(found.pairs)} ")
        assert f" {'is' if n_significant == 1 else 'are'} significant;" in said
        assert (f"the systems fall into {len(found.clusters)} clusters" in said) == (len(found.clusters) > 1)


def tiny(wins, losses, ties, metric="BLEU"):
    """Two systems of which B wins, loses and ties so many segments."""
    right, wrong = "a b c d e f", "a b x d e f"
    pairs = [(wrong, right)] * wins + [(right, wrong)] * losses + [(right, right)] * ties
    texts = [[f"{text} {place}" for place, text in enumerate(column)] for column in zip(*pairs, strict=True)]
    references = [[f"{right} {place}" for place in range(len(pairs))]]
    test_set = TestSet([System("one", texts[0]), System("two", texts[1])], references)
    evaluation = evaluate(test_set, metrics=(TerOptions(),))
    return study_of(Loaded(test_set), evaluation, Settings(pair=("one", "two"), metric=metric))


COUNTS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).filter(any)


@given(counts=COUNTS, metric=st.sampled_from(["BLEU", "TER"]))
def test_segments_won_lost_and_tied_are_counted_in_the_right_number(counts, metric):
    study = tiny(*counts, metric)
    looks = tuple(study.looks[name] for name in study.pair)
    said = read(verdicts.differences_note(study.metric, looks))
    wins, losses, ties = counts
    assert said.startswith(f"two wins {wins}, loses {losses} and ties {numbers.counted(ties, 'segment')}.")
    said = read(overview_words.balance_words(study))
    if wins >= losses:
        assert said == f"two wins {wins}, loses {losses} and ties {numbers.counted(ties, 'segment')}."
    else:
        assert said == f"one wins {losses}, loses {wins} and ties {numbers.counted(ties, 'segment')}."


@given(counts=COUNTS)
def test_a_score_of_nothing_and_equal_scores_are_said_to_be_such(counts):
    wins, losses, _ = counts
    study = tiny(*counts)
    said = read(attribution_words.attribution_verdict(study.attribution))
    if wins == losses:
        assert "have the same score to two decimals" in said or study.attribution.reason is not None
    else:
        better = "two" if wins > losses else "one"
        assert said.startswith(f"{better} scores higher mainly through ")


SIGNS = st.lists(
    st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.sampled_from([-1.0, 0.0, 1.0])), min_size=1, max_size=6
)


@given(pairs=SIGNS)
def test_only_segments_that_point_to_different_systems_disagree(pairs):
    parts, delta = np.array(pairs).T
    n_turned = sum(part * gap < 0 for part, gap in pairs)
    note = read(attribution_words.disagreement_note(parts, delta))
    assert note == (
        f"In {numbers.counted(n_turned, 'segment')}, the contribution to Δ and the segment scores favour different "
        "systems."
        if n_turned
        else ""
    )
    where = numbers.counted(n_turned, "segment") if n_turned else "no segment"
    assert read(attribution_words.measures_note(parts, delta)).endswith(f"favour different systems in {where}.")


@given(n_errors=st.integers(0, 2), n_warnings=st.integers(0, 2), n_notes=st.integers(0, 2))
def test_findings_are_counted_by_severity(n_errors, n_warnings, n_notes):
    found = builders._findings()[0]
    many = [
        replace(found, severity=severity)
        for severity, n in (("error", n_errors), ("warning", n_warnings), ("note", n_notes))
        for _ in range(n)
    ]
    said = read(finding_words.findings_verdict(many))
    for n, severity in ((n_errors, "error"), (n_warnings, "warning"), (n_notes, "note")):
        assert (numbers.counted(n, severity) in said) == (n > 0)
    assert ("found nothing to report" in said) == (not many)
    assert ("Fix the files first" in said) == (n_errors > 0)
    assert ("found no errors, " in said) == (bool(many) and not n_errors)
    assert f"{len(CHECKS)} checks" in said
    assert finding_words.has_errors(many) == (n_errors > 0)


@given(counts=st.lists(st.sampled_from(["left", "right", "tie"]), min_size=1, max_size=9))
def test_a_blind_comparison_counts_who_was_preferred(counts):
    case = CASES["B is better"]
    trial, preferences = case.trial, dict(enumerate(counts))
    preferred = [trial.preferred(row, one) for row, one in preferences.items()]
    said = read(blind_verdict(trial, preferences))
    first, second = (preferred.count(name) for name in trial.systems)
    ties = preferred.count(None)
    assert said.startswith(
        f"{trial.systems[0]} was preferred in {numbers.counted(first, 'segment')}, {trial.systems[1]} in {second}; "
        f"{numbers.counted(ties, 'tie')}."
    )
    assert ("nothing to test" in said) == (first + second == 0)
