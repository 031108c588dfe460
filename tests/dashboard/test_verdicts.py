"""Results in words."""

import math
import re

import pytest

from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.comparison_context import study_of as study_of_loaded
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.comparison.inputs import Loaded, Settings
from bleuscope.content.scores import verdicts
from bleuscope.content.scores.verdicts import comparison_headlines, differences_note, study_verdict
from bleuscope.content.significance.study_verdict import study_verdict as of_all_systems
from bleuscope.content.significance.study_verdict import verdict_of_pair, verdict_on
from bleuscope.content.style import numbers


def study_of(scored):
    return make_study(scored.test_set, Settings(significance=SignificanceOptions(trials=199, resamples=100)))


def verdict(scored, read_html):
    return read_html(study_verdict(study_of(scored))).text


def test_says_why_all_have_nothing(score_texts, read_html):
    scored = score_texts({"a": ["cat"], "b": ["dog"]}, [["cat"]])
    untested = study_of_loaded(Loaded(scored.test_set), scored.evaluation, Settings())
    said = read_html(study_verdict(untested)).text
    assert said.startswith("a scores highest: 0.00 BLEU. BLEU is 0 because no text is longer than 1 word")


def test_names_the_best_system_its_score_and_its_lead(sample, read_html):
    text = verdict(sample, read_html)
    best, second = sample.evaluation.ranked()[:2]
    scores = [sample.evaluation.systems[name].score.score for name in (best, second)]
    effect = numbers.difference(scores[0] - scores[1])
    assert text.startswith("No clear winner: 4 systems are tied at the top. ")
    assert f"{best} over {second}: {effect} BLEU (95 % CI " in text
    assert "Approximate randomisation, 199 trials over 12 documents" in text


SHORT = "The brevity penalty lowers the score of {}: the output is clearly shorter than the references."


def test_names_who_wrote_clearly_less(sample, read_html):
    short = [name for name, result in sample.evaluation.systems.items() if result.score.brevity_penalty <= 0.9]
    assert short == ["neural-10k", "fluent"]
    assert SHORT.format("fluent and neural-10k") in verdict(sample, read_html)


def test_a_penalty_is_said_from_its_bound_on(score_texts, read_html, monkeypatch):
    scored = score_texts({"short": ["x y"]}, [["x y z"]])
    penalty = scored.evaluation.systems["short"].score.brevity_penalty
    assert 0 < penalty < verdicts.CLEARLY_SHORT == 0.9
    for bound, is_said in ((penalty, True), (math.nextafter(penalty, 0), False)):
        monkeypatch.setattr(verdicts, "CLEARLY_SHORT", bound)
        cost = f"short (here ×\N{NO-BREAK SPACE}{numbers.ratio(penalty)})"
        assert (SHORT.format(cost) in verdict(scored, read_html)) == is_said
        assert ("brevity penalty" in verdict(scored, read_html)) == is_said


LINES = [f"the cat number {number} sat on the mat of dog {number * 3}" for number in range(30)]


@pytest.mark.parametrize(
    ("names", "is_of_runs"),
    [
        (("big-seed1", "big-seed2", "small"), True),
        (("small", "big, prompt=A, seed 1", "big, prompt=A, seed 2"), True),
        (("big-seed1", "small-seed1", "online-A"), False),
    ],
)
def test_the_verdict_knows_whether_names_tell_several_runs(score_texts, names, is_of_runs):
    texts = {name: [line.replace("cat", "x" * place) for line in LINES] for place, name in enumerate(names, start=1)}
    study = study_of(score_texts(texts, [LINES]))
    assert of_all_systems(study).is_of_runs == verdict_of_pair(study).is_of_runs == is_of_runs
    assert verdict_on(study.comparison, study.metric, names[:2], design=study.design).is_of_runs == is_of_runs


def test_says_that_two_systems_have_the_same_score(twins, read_html):
    assert verdict(twins, read_html).startswith("first and second have the same score.")


def test_before_the_tests_gives_the_score_and_says_that_they_are_made(sample, read_html):
    text = read_html(study_verdict(study_of_loaded(Loaded(sample.test_set), sample.evaluation, Settings()))).text
    best = sample.evaluation.ranked()[0]
    score = numbers.score(sample.evaluation.systems[best].score.score)
    assert text.startswith(f"{best} scores highest: {score} BLEU.")
    assert "The significance tests are running." in text
    assert SHORT.format("fluent and neural-10k") in text


def test_of_one_system_has_no_comparison(one_system, read_html):
    assert re.match(r"only scores \d+\.\d\d BLEU\.", verdict(one_system, read_html))


def test_many_short_systems_are_counted_rather_than_listed(score_texts, read_html):
    systems = {f"s{number}": ["x"] for number in range(5)}
    text = verdict(score_texts(systems, [["x y z"]]), read_html)
    assert SHORT.format("s0, s1, s2 and 2 more") in text


def test_headlines_show_both_scores_what_they_are_made_of_and_the_difference(sample, read_html):
    looks = sample.looks["fluent"], sample.looks["neural-40k"]
    first, second = (sample.evaluation.systems[look.name].score for look in looks)
    page = read_html(comparison_headlines(sample.evaluation, looks))
    assert [element.text for element in page.of_class("bs-value")] == [
        numbers.score(first.score),
        numbers.score(second.score),
        numbers.difference(second.score - first.score),
    ]
    details = [element.text for element in page.of_class("bs-detail")]
    assert details[:2] == [
        f"{numbers.score(score.mean_precision)} × {numbers.ratio(score.brevity_penalty)}" for score in (first, second)
    ]


@pytest.mark.parametrize("kind", ["twins", "one_system"])
def test_headlines_of_the_same_score_have_no_sign(request, read_html, kind):
    scored = request.getfixturevalue(kind)
    page = read_html(comparison_headlines(scored.evaluation, scored.pair_looks()))
    assert page.of_class("bs-value")[2].text == "0.00"


def test_headlines_of_empty_hypotheses_have_zeros(score_texts, read_html):
    scored = score_texts({"a": [""], "b": ["x"]}, [["y"]])
    page = read_html(comparison_headlines(scored.evaluation, scored.pair_looks()))
    assert [element.text for element in page.of_class("bs-value")] == ["0.00", "0.00", "0.00"]
    assert not re.search(r"\b(?:nan|inf)\b", page.text)


def test_the_note_counts_the_segments_of_each_side(sample, read_html):
    looks = sample.looks["fluent"], sample.looks["online"]
    delta = segment_differences(sample.evaluation, ("fluent", "online"))
    text = read_html(differences_note(sample.evaluation.bleu, looks)).text
    counts = [int(number) for number in re.findall(r"\d+", text)]
    assert counts == [(delta > 0).sum(), (delta < 0).sum(), (delta == 0).sum()]
    assert sum(counts) == 216
    assert text.startswith(f"online wins {counts[0]}, loses {counts[1]} and ties {counts[2]} segments.")


def test_the_note_turns_where_less_is_better(sample, sample_errors, read_html):
    looks = sample.looks["fluent"], sample.looks["online"]
    higher, lower = (
        [int(number) for number in re.findall(r"\d+", read_html(differences_note(one, looks)).text)]
        for one in (sample.evaluation.bleu, sample_errors)
    )
    assert lower == higher  # the errors are 100 - BLEU


def test_names_stay_text_in_every_sentence(hostile, read_html):
    for first, name in enumerate(hostile.evaluation.names):
        looks = hostile.pair_looks(first - 1, first)
        assert name in read_html(comparison_headlines(hostile.evaluation, looks)).text
        assert name in read_html(differences_note(hostile.evaluation.bleu, looks)).text
    assert hostile.evaluation.ranked()[0] in verdict(hostile, read_html)
