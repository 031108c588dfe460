"""The sample comparison has the properties for which it is shown: what its README says to look for, held."""

import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from bleucore.analysis.slices import slice_scores, slice_segments
from bleucore.checks import check
from bleucore.judgements.averaging import averaged
from bleucore.judgements.span_checks import span_fit
from bleucore.metrics.bleu import scores
from bleucore.significance import compare
from bleuscope import notebook
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.ngrams.phrases import phrases_in
from bleuscope.content.style import numbers
from bleuscope.shell.disk.files import SAMPLE_FILES, SAMPLE_JUDGEMENTS, load_sample
from bleuscope.shell.disk.judgement_files import judgements_of

FOLDER = Path(__file__).parents[2] / "sample_data"
IN_USE, NEWEST = "online", "neural-40k"
CHECKPOINTS = ("neural-10k", "neural-20k", "neural-40k")
ARTEFACTS = {
    "preambles": {2, 20, 92, 110, 131, 147, 182},
    "notes": {55, 84, 97, 99, 167, 197},
    "quoted-outputs": {53, 113, 203},
    "repetition-loops": {35, 170},
    "markup": {58, 175},
    "variants": {37},
    "refusals": {124},
    "copied-source": {162},
}
"""Segments of ``assistant`` with each habit of a language model, counted from 1."""


@pytest.fixture(scope="module")
def comparison(sample):
    """All pairs, with the default number of trials."""
    return compare(compared_systems(sample.test_set, sample.evaluation.metrics["BLEU"]))


@pytest.fixture(scope="module")
def bleu(sample):
    """The corpus score of each system."""
    return {name: result.score.score for name, result in sample.evaluation.systems.items()}


@pytest.fixture(scope="module")
def by_document(sample):
    """The score of each system in each document."""
    options = sample.evaluation.metrics["BLEU"].options
    slicing = slice_segments(sample.test_set, "document", options)
    return {
        name: slice_scores(result.counts, slicing, lambda counts: scores(counts, options))
        for name, result in sample.evaluation.systems.items()
    }


@pytest.fixture(scope="module")
def findings(sample):
    """What the checks found."""
    return check(sample.test_set)


def test_every_text_of_the_folder_is_used_and_has_a_line_for_each_segment():
    assert {path.name for path in FOLDER.glob("*.txt")} == set(SAMPLE_FILES)
    for name in SAMPLE_FILES:
        text = (FOLDER / name).read_bytes().decode("utf-8")
        assert text.count("\n") == 216, name
        assert "\r" not in text, name
        assert all(line == line.strip() != "" for line in text.removesuffix("\n").split("\n")), name


def test_systems_lie_between_15_and_50(bleu):
    assert len(bleu) == 8
    assert min(bleu.values()) > 15
    assert max(bleu.values()) < 50


def test_the_view_opens_on_two_that_cannot_be_told_apart(open_page):
    app = open_page("compare")
    assert [app.selectbox(key=key).value for key in "ab"] == [IN_USE, NEWEST]


def test_a_newcomer_would_have_called_the_newest_checkpoint_the_winner(comparison):
    pair = comparison.pair(NEWEST, IN_USE)
    assert 0.3 < pair.difference < 0.8
    assert pair.p_value > 0.3
    low, high = pair.interval
    assert low < -1 < 1 < high
    assert f"not significant (p = {numbers.p_value(pair.corrected_p_value)})" in (FOLDER / "README.md").read_text(
        "utf-8"
    )


def test_checkpoints_rise_and_the_last_two_are_not_told_apart(bleu, comparison):
    first, second, last = CHECKPOINTS
    assert bleu[first] + 5 < bleu[second] < bleu[last]
    assert comparison.is_better(second, first)
    assert comparison.pair(last, second).difference > 0.3
    assert comparison.pair(last, second).p_value > 0.1
    p_value = comparison.pair(last, second).corrected_p_value
    assert f"not significant (p = {numbers.p_value(p_value)})" in (FOLDER / "README.md").read_text("utf-8")


def test_checkpoints_share_most_of_their_words(sample):
    words = {system.name: [Counter(text.split()) for text in system.hypotheses] for system in sample.test_set.systems}
    for one, other in pairwise(CHECKPOINTS):
        shared = sum((early & late).total() for early, late in zip(words[one], words[other], strict=True))
        assert shared / sum(early.total() for early in words[one]) > 0.75, (one, other)


def test_documents_differ_in_who_wins(by_document):
    names = list(by_document)
    winners = [names[column] for column in np.argmax(list(by_document.values()), axis=0)]
    assert len(winners) == 12
    assert all(winners.count(name) >= 2 for name in (IN_USE, NEWEST, "assistant"))
    ahead = by_document[NEWEST] > by_document[IN_USE]
    assert 5 <= ahead.sum() <= 7


def test_the_newest_checkpoint_wins_by_its_terms_where_texts_are_technical(sample, by_document):
    documents = list(dict.fromkeys(sample.test_set.documents))
    gains = dict(zip(documents, by_document[NEWEST] - by_document[IN_USE], strict=True))
    best = sorted(gains, key=lambda document: -gains[document])[:3]
    assert set(best) == {"washing-machine", "council-minutes", "football-match"}
    assert min(gains[document] for document in best) > 5
    assert gains["support-chat"] < -5 > gains["short-story"]


def test_the_fluent_system_has_the_highest_precisions_and_omits(sample):
    results = {name: result.score for name, result in sample.evaluation.systems.items()}
    fluent = results.pop("fluent")
    for one in results.values():
        assert all(found > other for found, other in zip(fluent.precisions, one.precisions, strict=True))
    assert fluent.brevity_penalty < 0.65
    assert fluent.score < results[IN_USE].score - 10


def test_bleu_underrates_the_human(bleu):
    assert bleu["literal"] < bleu["human"] < bleu["neural-10k"]


def test_the_invented_judges_put_the_human_first_and_disagree_with_bleu_in_pairs_of_two_systems(sample, bleu):
    (judgements,) = judgements_of(Inputs(judgements=(SAMPLE_JUDGEMENTS,), is_sample=True), sample.test_set)
    assert judgements.name == "ESA (invented)"
    assert judgements.notices == (f"{SAMPLE_JUDGEMENTS}: these judgements are invented: nobody has judged the texts.",)
    assert len(judgements.raters) == 3
    assert not span_fit(judgements, sample.test_set).beyond
    judged = averaged(judgements, tuple(bleu), sample.test_set.n_segments)
    means = dict(zip(bleu, np.nanmean(judged, axis=1), strict=True))
    ranked = sorted(means, key=lambda name: -means[name])
    assert (ranked[0], ranked[-1]) == ("human", "literal")
    differing = [pair for pair in combinations(ranked, 2) if bleu[pair[0]] < bleu[pair[1]]]
    assert [sum(name in pair for pair in differing) for name in ("human", "assistant")] == [6, 4]  # one of both
    assert len(differing) == 9
    people, scores = (np.array([of[name] for name in ranked]) for of in (means, bleu))
    correlations = [np.corrcoef(people[:n], scores[:n])[0, 1] for n in (8, 7)]
    assert np.round(correlations, 2).tolist() == [0.67, 0.14]


def test_the_checks_find_every_artefact_of_the_language_model(findings):
    found = {one.check: one.segments for one in findings if one.subject == "System 'assistant'"}
    for name, segments in ARTEFACTS.items():
        assert {int(segment) + 1 for segment in found[name]} == segments, name
    everything = set().union(*ARTEFACTS.values())
    assert len(everything) < 216 / 8


def test_the_checks_find_nothing_else_but_the_stutters_of_the_literal_system(findings):
    told = {(one.check, one.subject) for one in findings if one.severity != "note"}
    others = {(name, subject) for name, subject in told if subject != "System 'assistant'"}
    assert others == {("repetition-loops", "System 'literal'")}
    assert "error" not in {one.severity for one in findings}


def test_its_readme_gives_the_p_values_that_the_program_gives(comparison):
    said = re.findall(r"p = (\.\d+)", (FOLDER / "README.md").read_text("utf-8"))
    pairs = [comparison.pair(NEWEST, IN_USE), comparison.pair(*CHECKPOINTS[:0:-1])]
    assert said == [numbers.p_value(pair.corrected_p_value) for pair in pairs]


def test_opens_on_a_pair_with_something_to_tell_on_every_page(sample):
    opens_on = load_sample().opens_on
    study = notebook.compare(sample.test_set, Settings(pair=opens_on))
    lost, won = phrases_in(study, opens_on, "matched").leading
    assert min(len(lost), len(won)) >= 10
    assert opens_on == (IN_USE, NEWEST)
    assert f"view opens on `{IN_USE}` and `{NEWEST}`" in " ".join((FOLDER / "README.md").read_text("utf-8").split())
