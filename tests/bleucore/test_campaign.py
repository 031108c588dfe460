"""Many test sets together: what each says, and what they say together."""

from copy import deepcopy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleucore import ChrfOptions, InputError, System, TestSet, evaluate
from bleucore.campaign import combine, mean_ranks, partial_conjunction, qualitative_interaction, replicability
from bleucore.campaign import set_results as set_results_module
from bleucore.campaign.replicability import PARTIAL_CONJUNCTIONS, normal_effects, replicabilities
from bleucore.campaign.set_results import seed_of_set, set_result, set_result_of
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import TESTS, ComparedSystems, SignificanceOptions, compare

OPTIONS = SignificanceOptions(trials=999, resamples=99, unit="segment")
ALL = ["cat sat on the mat today", "dogs run in the park now", "it is a fine day for us", "we go home by the bus"]


def mean_of(counts):
    return counts[..., 0] / counts[..., 1]


def compared_of(scores, *, higher_is_better=True):
    """Systems by name whose score is the mean of their segments' numbers."""
    systems = [(name, np.stack([row, np.ones(len(row))], axis=1)) for name, row in scores.items()]
    return ComparedSystems(systems, mean_of, higher_is_better)


def made_set(name, gains, n_segments=60, seed=0, **settings):
    """A set of systems whose segments are random numbers; ``gains`` are the true scores."""
    generator = np.random.default_rng(seed)
    common = generator.normal(size=n_segments)
    scores = {system: common + gain + generator.normal(size=n_segments) for system, gain in sorted(gains.items())}
    return result_of(name, {system: scores[system] for system in gains}, **settings)


def result_of(name, scores, *, higher_is_better=True, **settings):
    told = {"digest": name, "metric": "mean", "signature": "mean", "options": OPTIONS}
    return set_result(name, compared_of(scores, higher_is_better=higher_is_better), **(told | settings))


def test_a_system_that_is_better_on_every_set_is_found_on_every_set():
    sets = [made_set(f"set {number}", {"A": 1.0, "B": 0.0}, seed=number) for number in range(4)]
    (pair,) = combine(sets).pairs
    assert (pair.wins, pair.losses, pair.ties, pair.n_sets) == (4, 0, 0, 4)
    assert (pair.n_sets_better, pair.n_sets_worse, pair.sets_better) == (4, 0, tuple(one.name for one in sets))
    assert pair.is_significant
    assert pair.sets_against == ()
    assert pair.heterogeneity.p_value == 1


def test_a_set_where_the_other_system_is_better_goes_against_the_rest():
    gains = [1.0, 1.0, 1.0, -1.0]
    sets = [made_set(f"set {number}", {"A": gain, "B": 0.0}, seed=number) for number, gain in enumerate(gains)]
    (pair,) = combine(sets).pairs
    assert (pair.wins, pair.losses, pair.sets_against) == (3, 1, ("set 3",))
    assert pair.turned().sets_against == ("set 3",)
    assert pair.heterogeneity.p_value < 0.001


def test_a_missing_cell_is_none():
    sets = [made_set("one", {"A": 1.0, "B": 0.0}), made_set("two", {"A": 1.0, "C": 0.0}, seed=2)]
    campaign = combine(sets)
    assert (campaign.score("B", "two"), sets[1].interval("B"), sets[1].rank_range("B")) == (None, None, None)
    assert sets[1].cluster("B") is None
    pair = campaign.pair("B", "C")
    assert (pair.n_sets, pair.wins, pair.p_value, pair.corrected_p_value) == (0, 0, None, None)
    assert (pair.mean_difference, pair.mean_gain, pair.remark) == (None, None, "No test set has both systems.")
    assert campaign.pair("A", "B").sets == ("one",)
    assert campaign.pair("A", "B").n_comparisons == 2
    assert campaign.ranks is None
    assert campaign.mean_score("A") is None


@pytest.mark.parametrize("scale", ["points", "standard-errors"])
def test_the_combined_p_value_is_that_of_all_exchanges_in_all_sets(scale):
    generator = np.random.default_rng(3)
    scores = [
        {"A": generator.normal(0.4, 1, size), "B": generator.normal(0, 1, size), "C": generator.normal(0, 1, size)}
        for size in (5, 4, 3)
    ]
    options = replace(OPTIONS, trials=40_000)
    campaign = combine([result_of(str(n), one, options=options) for n, one in enumerate(scores)], scale=scale)
    for pair in campaign.pairs:
        apart = [one[pair.name] - one[pair.other] for one in scores]
        assert pair.p_value == pytest.approx(exact_p_value(apart, scale), abs=0.01)


def exact_p_value(apart, scale):
    """Of the mean of differences of sets, by all exchanges; a difference in a set is the mean of its segments."""
    drawn = []
    for one in apart:
        means = np.array([np.mean(np.array(signs) * one) for signs in product((1, -1), repeat=len(one))])
        drawn.append(means / np.sqrt(np.mean(means**2)) if scale == "standard-errors" else means)
    sums = drawn[0][:, None, None] + drawn[1][:, None] + drawn[2]
    return (np.abs(sums) >= abs(sums[0, 0, 0]) - 1e-9).mean()


@pytest.mark.parametrize("test", TESTS)
def test_one_set_alone_says_what_its_comparison_says(test):
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=50) + gain for name, gain in (("A", 0.4), ("B", 0), ("C", 0.1))}
    options = replace(OPTIONS, test=test)
    expected = compare(compared_of(scores), options)
    found = result_of("one", scores, options=options, keeps_seed=True)
    assert (found.systems, found.clusters, found.options) == (expected.names, expected.clusters, expected.options)
    assert dict(zip(found.systems, found.intervals, strict=True)) == expected.intervals
    assert found.rank_ranges == tuple(expected.rank_range(name) for name in expected.names)
    for pair in found.pairs:
        other = expected.pairs[pair.name, pair.other]
        for field in ("difference", "interval", "p_value", "corrected_p_value", "remark"):
            assert getattr(pair, field) == getattr(other, field)
        assert pair.is_significant == expected.is_significant(other)
        spread = expected.resampled_differences(pair.name, pair.other).std(ddof=1)
        assert pair.standard_error == pytest.approx(
            spread * np.sqrt(found.n_units / (found.n_units - 1)), rel=1e-9, nan_ok=True
        )


def test_a_set_says_the_settings_of_its_own_draws_and_those_of_the_campaign():
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=50) for name in "AB"}
    found = result_of("one", scores, options=OPTIONS)
    assert found.asked == OPTIONS
    alone = compare(compared_of(scores), found.options).pairs["A", "B"]
    assert (alone.p_value, alone.interval) == (found.pair("A", "B").p_value, found.pair("A", "B").interval)
    assert combine([found]).asked == OPTIONS


@pytest.mark.parametrize("scale", ["points", "standard-errors"])
@pytest.mark.parametrize("baseline", [None, "B"])
@pytest.mark.parametrize("correction", ["max-t", "holm", "benjamini-hochberg", "none"])
def test_a_campaign_of_one_set_has_the_p_values_of_that_set(correction, baseline, scale):
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=50) + gain for name, gain in (("A", 0.4), ("B", 0), ("C", 0.1))}
    found = result_of(
        "one", scores, options=replace(OPTIONS, correction=correction), keeps_seed=True, baseline=baseline
    )
    campaign = combine([found], correction=correction, baseline=baseline, scale=scale)
    assert len(campaign.pairs) == (3 if baseline is None else 2)
    for pair in campaign.pairs:
        alone = found.pair(pair.name, pair.other)
        assert (pair.p_value, pair.corrected_p_value) == (alone.p_value, alone.corrected_p_value)
        assert pair.mean_difference == alone.difference
        assert pair.is_significant == alone.is_significant


def test_one_sided_p_values_point_where_the_metric_does():
    for higher_is_better in (True, False):
        pair = made_set("one", {"A": 1.0, "B": 0.0}, higher_is_better=higher_is_better).pair("A", "B")
        low, high = sorted([pair.better_p_value, pair.worse_p_value])
        assert (low, high) == pytest.approx((0.001, 1.0))
        assert (pair.better_p_value == low) is higher_is_better
        assert pair.turned().better_p_value == pair.worse_p_value


def test_mean_ranks_of_the_only_set_that_has_all_are_said_to_be_of_one():
    sets = [made_set("one", {"A": 1.0, "B": 0.0, "C": 0.5}), made_set("two", {"A": 1.0, "B": 0.0}, seed=2)]
    assert "Mean ranks are of the only test set of 2 that has every system." in combine(sets).remarks
    more = [*sets, made_set("three", {"A": 1.0, "B": 0.0, "C": 0.5}, seed=3)]
    assert "Mean ranks are of the 2 test sets of 3 that have every system." in combine(more).remarks


def test_where_lower_is_better_a_win_is_a_lower_score():
    sets = [made_set(str(n), {"A": 1.0, "B": 0.0}, seed=n, higher_is_better=False) for n in range(3)]
    campaign = combine(sets)
    (pair,) = campaign.pairs
    assert (pair.wins, pair.losses, pair.n_sets_better, pair.n_sets_worse) == (0, 3, 0, 3)
    assert pair.mean_difference > 0 > pair.mean_gain
    assert campaign.mean_rank("B") == 1


def test_only_pairs_with_the_baseline_are_held():
    gains = {"A": 0.0, "B": 0.3, "C": 0.6, "D": 0.9}
    of_all, of_some = made_set("one", gains), made_set("one", gains, baseline="C")
    assert of_some.null.shape == (3, 999)
    assert of_some.pair("A", "B") is None
    for name in ("A", "B", "D"):
        assert of_some.pair("C", name) == of_some.pair(name, "C").turned()
        assert of_some.pair(name, "C").p_value == of_all.pair(name, "C").p_value
        assert np.array_equal(of_some.null_differences("C", name), of_all.null_differences("C", name))
    elsewhere = made_set("two", {"A": 0.0, "B": 0.3}, baseline="C")
    assert (elsewhere.n_pairs, elsewhere.pair("A", "B"), elsewhere.score("A") is None) == (0, None, False)
    assert combine([of_some, elsewhere], baseline="C").pair("B", "C").sets == ("one",)


def test_many_pairs_are_linearised_and_say_so(monkeypatch):
    gains = {name: 0.1 * place for place, name in enumerate("ABCD")}
    exact = [made_set(str(number), gains, seed=number) for number in range(3)]
    monkeypatch.setattr(set_results_module, "HELD_PAIRS", 5)
    linear = [made_set(str(number), gains, seed=number) for number in range(3)]
    assert linear[0].null.shape == (4, 999)
    assert "linearised" in linear[0].remarks[-1]
    assert any("linear approximation" in remark for remark in combine(linear).remarks)
    for one, other in zip(combine(exact).pairs, combine(linear).pairs, strict=True):
        assert one.p_value == pytest.approx(other.p_value, abs=0.02)
    for one, other in zip(exact[0].pairs, linear[0].pairs, strict=True):
        assert one == other
        assert (
            np.corrcoef(
                exact[0].null_differences(one.name, one.other), linear[0].null_differences(one.name, one.other)
            )[0, 1]
            > 0.999
        )


@pytest.mark.parametrize("test", TESTS)
def test_of_many_systems_a_baseline_is_all_that_the_others_are_compared_with(monkeypatch, test):
    gains = {name: 0.1 * place for place, name in enumerate("ABCD")}
    options = replace(OPTIONS, test=test)
    of_few = made_set("one", gains, baseline="C", options=options)
    monkeypatch.setattr(set_results_module, "HELD_PAIRS", 5)
    of_many = made_set("one", gains, baseline="C", options=options)
    for one in ("scores", "intervals", "pairs", "options", "remarks"):
        assert getattr(of_many, one) == getattr(of_few, one)
    assert np.array_equal(of_many.null, of_few.null)
    assert (of_few.cluster("A") is None, of_few.rank_range("A") is None) == (False, False)
    assert (of_many.cluster("A"), of_many.rank_range("A"), of_many.pair("A", "B")) == (None, None, None)
    assert any("baseline alone" in remark for remark in combine([of_many], baseline="C").remarks)
    assert not any("baseline alone" in remark for remark in combine([of_few], baseline="C").remarks)
    elsewhere = made_set("two", {name: gains[name] for name in "ABD"}, baseline="C")
    assert elsewhere.cluster("A") is not None


def test_of_many_systems_without_the_baseline_none_are_compared(monkeypatch):
    gains = {name: 0.1 * place for place, name in enumerate("ABDE")}
    with_it = made_set("one", {"C": 0.3, **gains}, baseline="C")
    of_few = made_set("two", gains, baseline="C")
    compared = []
    monkeypatch.setattr(set_results_module, "HELD_PAIRS", 5)
    monkeypatch.setattr(
        set_results_module, "compare", lambda *given, **how: compared.append(how) or compare(*given, **how)
    )
    of_many = made_set("two", gains, baseline="C")
    assert [one["is_tested"] for one in compared] == [False]
    for one in ("scores", "intervals", "options", "remarks", "n_trials", "n_pairs"):
        assert getattr(of_many, one) == getattr(of_few, one)
    assert (of_few.cluster("A") is None, of_many.cluster("A") is None, of_many.rank_ranges) == (False, True, None)
    campaign = combine([with_it, of_many], baseline="C")
    assert campaign.pairs == combine([with_it, of_few], baseline="C").pairs
    assert [one.sets for one in campaign.pairs] == [("one",)] * 4
    assert any("1 of them lacks the baseline, so they have scores" in remark for remark in campaign.remarks)
    assert not any("lack" in remark for remark in combine([with_it, of_few], baseline="C").remarks)


def test_sets_of_the_same_sources_exchange_the_same_units():
    generator = np.random.default_rng(0)
    scores = {"A": generator.normal(size=30), "B": generator.normal(size=30)}
    first, second, other = (
        result_of(name, scores, digest=name, source_digest=source)
        for name, source in (("one", "s"), ("two", "s"), ("three", "t"))
    )
    assert np.array_equal(first.null, second.null)
    assert not np.array_equal(first.null, other.null)
    assert combine([first, second]).pairs[0].p_value == combine([first]).pairs[0].p_value  # nothing new is learnt


def test_fisher_is_warned_of_sets_that_share_their_sources():
    sets = [made_set(str(n), {"A": 0.1, "B": 0.0}, seed=n, source_digest="s") for n in range(2)]
    assert not combine(sets).remarks
    assert "count by Bonferroni" in combine(sets, conjunction="fisher").remarks[0]


def test_identical_systems_tie_on_every_set():
    row = np.random.default_rng(0).normal(size=20)
    sets = [result_of(str(number), {"A": row + number, "B": row + number}) for number in range(3)]
    (pair,) = combine(sets).pairs
    assert (pair.wins, pair.losses, pair.ties, pair.n_sets_better, pair.n_sets_worse) == (0, 0, 3, 0, 0)
    assert (pair.p_value, pair.corrected_p_value, pair.is_significant) == (None, None, False)
    assert pair.remark.startswith("There is nothing to exchange")
    assert (pair.mean_difference, pair.heterogeneity.p_value) == (0.0, None)


def test_a_set_of_one_segment_adds_what_it_knows():
    one = result_of("one", {"A": np.array([1.0]), "B": np.array([0.0])})
    assert (one.interval("A"), one.pair("A", "B").interval) == (None, None)
    (pair,) = combine([one]).pairs
    assert (pair.wins, pair.p_value, pair.n_sets_better, pair.heterogeneity.p_value) == (1, 1.0, 0, None)
    assert (one.is_tested, len(one.remarks)) == (False, 1)
    assert "A test needs at least 6" in one.remarks[0]
    sets = [result_of(str(n), {"A": np.array([1.0]), "B": np.array([0.0])}) for n in range(8)]
    assert combine(sets).pairs[0].p_value == pytest.approx(2 / 2**8, abs=0.01)


def of_documents(name, gain, n_documents, size=8, seed=0, **settings):
    """A set of A and B whose difference varies by document."""
    generator = np.random.default_rng((seed, n_documents))
    rows = np.repeat(generator.normal(size=n_documents), size)
    scores = {"A": rows + gain + 0.1 * generator.normal(size=len(rows)), "B": np.zeros(len(rows))}
    documents = np.repeat(np.arange(n_documents), size).astype(str).tolist()
    compared = replace(compared_of(scores), documents=documents)
    told = {"digest": name, "metric": "mean", "signature": "mean", "options": replace(OPTIONS, unit="auto")}
    return set_result(name, compared, **(told | settings))


@pytest.mark.parametrize("n_documents", [2, 5])
def test_a_set_of_few_documents_is_not_tested_and_adds_its_difference(n_documents):
    few, clear = of_documents("few", 9.0, n_documents), of_documents("clear", 9.0, 30)
    assert (few.is_tested, clear.is_tested) == (False, True)
    assert few.remarks == (f"A test needs at least 6 documents, and there are {n_documents}.",)
    held = few.pair("A", "B")
    assert (held.p_value, held.corrected_p_value, held.better_p_value, held.worse_p_value) == (None,) * 4
    assert (held.interval, held.standard_error, held.is_significant) == (None, None, False)
    assert held.turned().better_p_value is None
    (pair,) = combine([few, clear]).pairs
    assert (pair.wins, pair.significant_wins, pair.n_sets) == (2, 1, 2)
    assert (pair.tested, pair.n_sets_better, pair.sets_better) == (("clear",), 1, ("clear",))
    assert pair.better.n_sets == 1
    assert pair.mean_difference == pytest.approx((held.difference + clear.pair("A", "B").difference) / 2)
    (alone,) = combine([few]).pairs
    assert (alone.p_value is not None, alone.n_sets_better, alone.sets_better) == (True, 0, ())


def test_sets_of_few_documents_combine_into_one_test():
    sets = [of_documents(str(seed), 9.0, 5, seed=seed) for seed in range(4)]
    (pair,) = combine(sets).pairs
    assert (pair.is_significant, pair.n_sets_better, pair.tested) == (True, 0, ())


def test_an_untested_set_makes_no_tested_one_weaker():
    clear = of_documents("clear", 9.0, 30)
    alone, beside = combine([clear]), combine([clear, *(of_documents(str(n), 0.0, 3, seed=n) for n in range(5))])
    assert beside.pairs[0].better.p_values.tolist() == alone.pairs[0].better.p_values.tolist()


def test_a_set_tested_by_segment_though_its_documents_are_known_is_no_evidence():
    found = of_documents("one", 9.0, 30, options=replace(OPTIONS, unit="segment"))
    assert (found.is_tested, found.has_stars, found.pair("A", "B").is_significant) == (False, False, False)
    assert found.pair("A", "B").p_value < 0.01
    assert any("counts neither" in remark for remark in found.remarks)
    (pair,) = combine([found]).pairs
    assert (pair.significant_wins, pair.n_sets_better, pair.tested) == (0, 0, ())


def test_one_sided_p_values_of_all_exchanges_count_both_sides():
    found = of_documents("one", 0.5, 8)
    pair = found.pair("A", "B")
    assert "makes all 128 exchanges" in pair.remark
    assert min(pair.better_p_value, pair.worse_p_value) == pytest.approx(pair.p_value / 2)
    means = [np.mean(np.array(signs) * 1.0) for signs in product((1, -1), repeat=8)]
    assert len(means) == 256
    assert pair.better_p_value * 256 == pytest.approx(round(pair.better_p_value * 256))
    assert pair.better_p_value + pair.worse_p_value == pytest.approx(1, abs=2 / 256)
    assert len(found.null[0]) == found.options.n_trials  # random trials add up over sets


def test_one_system_has_scores_and_nothing_to_compare():
    campaign = combine([made_set("one", {"A": 1.0}), made_set("two", {"A": 1.0})])
    assert (campaign.pairs, campaign.mean_rank("A"), campaign.ranks.p_value) == ((), 1.0, None)
    assert campaign.score("A", "one") is not None


def test_a_system_without_a_score_is_no_cell():
    found = result_of("one", {"A": np.array([1.0, 2.0]), "B": np.array([0.0, 1.0])})
    assert found.systems == ("A", "B")
    compared = compared_of({"A": np.array([1.0, 2.0]), "B": np.array([0.0, 1.0])})
    counts = compared.systems[1][1] * 0
    with np.errstate(invalid="ignore"):
        found = set_result(
            "one", replace(compared, systems=[compared.systems[0], ("B", counts)]), digest="", metric="m", signature="m"
        )
    assert (found.systems, found.score("B"), found.pairs) == (("A",), None, ())
    assert "B has no score here." in found.remarks
    with np.errstate(invalid="ignore"), pytest.raises(InputError, match="no system has a score"):
        set_result("one", replace(compared, systems=[("B", counts)]), digest="", metric="m", signature="m")


def test_a_result_can_be_sent_to_another_process():
    found = made_set("one", {"A": 1.0, "B": 0.0, "C": 0.5})
    again = deepcopy(found)  # by what pickling does
    assert again.pairs == found.pairs
    assert combine([again]).pairs == combine([found]).pairs
    assert found.null.nbytes == 4 * 3 * 999


def test_an_evaluation_gives_the_scores_of_any_of_its_metrics():
    test_set = TestSet([System("A", ALL), System("B", [text.upper() for text in ALL])], [ALL], source=ALL)
    evaluation = evaluate(test_set, metrics=[ChrfOptions()])
    bleu = set_result_of("one", evaluation, source=test_set.source, options=OPTIONS)
    exact = tuple(one.score.score for one in evaluation.systems.values())
    assert (bleu.metric, bleu.scores, bleu.signature) == ("BLEU", exact, evaluation.signature)
    assert bleu.source_digest != set_result_of("one", evaluation, options=OPTIONS).source_digest
    assert set_result_of("one", evaluation, metric="chrF2", options=OPTIONS).score("A") == pytest.approx(100.0)
    with pytest.raises(InputError, match="there is no metric of this name"):
        set_result_of("one", evaluation, metric="TER")


def test_the_same_set_under_two_names_is_told():
    sets = [made_set(name, {"A": 0.1, "B": 0.0}, digest="d") for name in ("one", "two")]
    assert combine(sets).remarks == (
        "Test sets 'one' and 'two' are the same, and are counted twice: leave one of them out.",
    )


def test_scores_that_were_read_leave_the_cells_empty_that_they_lack():
    every, numbers = np.arange(1, 5), np.array([0.8, 0.7, 0.9, 0.6])
    scores = {"A": SystemScores(every, numbers, every), "B": SystemScores(every, numbers[::-1], every)}
    read = SegmentScores("COMET", "scores.tsv", scores, higher_is_better=True)
    systems = [System(name, [f"{name} {text}" for text in ALL]) for name in "ABC"]
    evaluation = evaluate(TestSet(systems, [ALL]), metrics=[read])
    found = set_result_of("one", evaluation, metric="COMET", options=OPTIONS)
    assert (found.systems, found.score("C")) == (("A", "B"), None)
    assert "C has no score here." in found.remarks


def test_too_few_trials_to_find_anything_are_said():
    sets = [
        made_set(str(n), {"A": 1.0, "B": 0.0, "C": 0.5}, options=replace(OPTIONS, trials=59), seed=n) for n in range(2)
    ]
    holm, max_t = combine(sets, correction="holm"), combine(sets)
    assert holm.remarks[0] == "No combined p-value of 3 pairs can be below 0.05 with 59 trials: draw 60 or more."
    assert max_t.remarks == holm.remarks[1:]
    assert max_t.remarks[0] == (
        "59 trials are too few to count a system as better on any of 2 test sets. Use 80 or more."
    )
    assert max(pair.n_sets_better for pair in max_t.pairs) == 0


def test_sets_with_fewer_trials_lend_their_number_to_all():
    sets = [
        made_set(str(n), {"A": 1.0, "B": 0.0}, options=replace(OPTIONS, trials=trials), seed=n)
        for n, trials in enumerate((999, 499))
    ]
    campaign = combine(sets)
    assert (campaign.n_trials, campaign.pairs[0].p_value) == (499, 1 / 500)
    assert campaign.remarks == ("The combined test uses the first 499 trials of every set.",)


def test_what_cannot_be_combined_is_refused():
    one = made_set("one", {"A": 1.0, "B": 0.0})
    for refused, told in (
        ([], "there is no test set"),
        ([one, one], "two test sets have the same name"),
        ([one, replace(one, name="two", metric="TER")], "the metric differs"),
        ([made_set("one", {"A": 1.0, "B": 0.0}, baseline="A")], "only pairs with another system are held"),
    ):
        with pytest.raises(InputError, match=told):
            combine(refused)
    with pytest.raises(InputError, match="there is no test set of this name"):
        combine([one]).score("A", "two")
    for settings, told in (
        ({"baseline": "Z"}, "no test set has the baseline"),
        ({"level": 1.0}, "Option level"),
        ({"correction": "x"}, "Option correction"),
        ({"scale": "x"}, "Option scale"),
        ({"conjunction": "x"}, "Option conjunction"),
    ):
        with pytest.raises(InputError, match=told):
            combine([one], **settings)


@given(st.permutations(range(3)), st.permutations("ABC"), st.integers(0, 20))
def test_the_order_of_sets_and_of_systems_changes_nothing(sets, systems, seed):
    gains = [{"A": 0.3, "B": 0.0, "C": 0.1}, {"A": 0.1, "B": 0.2, "C": 0.0}, {"A": 0.3, "B": 0.0}]

    def campaign(order, names):
        made = [
            made_set(f"set {n}", {name: gains[n][name] for name in names if name in gains[n]}, 12, seed + n)
            for n in order
        ]
        return combine(made)

    found, expected = campaign(sets, systems), campaign(range(3), "ABC")
    for pair in expected.pairs:
        other = found.pair(pair.name, pair.other)
        assert sorted(other.sets) == list(pair.sets)
        for field in ("wins", "losses", "ties", "significant_wins", "n_sets_better", "n_sets_worse", "n_comparisons"):
            assert getattr(other, field) == getattr(pair, field)
        for field in ("p_value", "corrected_p_value", "mean_difference", "mean_gain"):
            assert getattr(other, field) == pytest.approx(getattr(pair, field), rel=1e-9)
    assert found.mean_rank("A") == expected.mean_rank("A")


def test_every_set_has_draws_of_its_own():
    assert seed_of_set(1, "a") == seed_of_set(1, "a")
    assert len({seed_of_set(seed, digest) for seed in (1, 2) for digest in "ab"}) == 4
    assert made_set("one", {"A": 1.0, "B": 0.0}).options.seed == seed_of_set(OPTIONS.seed, "one")


P_VALUES = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=8)


@given(P_VALUES)
def test_of_at_least_one_set_the_combination_is_that_of_all(p_values):
    by_fisher = partial_conjunction(p_values, "fisher")
    assert by_fisher[0] == pytest.approx(stats.combine_pvalues(p_values, "fisher").pvalue, rel=1e-9)
    assert by_fisher[-1] == pytest.approx(max(p_values))
    by_bonferroni = partial_conjunction(p_values)
    assert by_bonferroni[0] == pytest.approx(min(1, len(p_values) * min(p_values)))
    assert by_bonferroni[-1] == max(p_values)


@given(P_VALUES, st.floats(0.001, 0.5))
def test_holm_names_as_many_sets_as_bonferroni_counts(p_values, level):
    found = replicability(p_values, level)
    assert len(found.found) == found.n_found
    assert replicability(p_values, level, "fisher").n_sets == len(p_values)


@given(st.lists(st.lists(st.floats(1e-4, 1), max_size=4), max_size=6), st.sampled_from(PARTIAL_CONJUNCTIONS))
def test_many_families_are_counted_as_each_by_itself(families, method):
    for one, family in zip(replicabilities(families, 0.2, method), families, strict=True):
        alone = replicability(family, 0.2, method)
        assert (one.n_sets, one.n_found, one.found) == (alone.n_sets, alone.n_found, alone.found)
        assert np.array_equal(one.p_values, alone.p_values)
        assert one.n_sets == len(family)


def test_sets_are_counted_as_by_hand():
    found = replicability([0.2, 0.01, 0.001, 0.5], 0.05)  # times 4, 3, 2, 1 in rising order: 0.004, 0.03, 0.4, 0.5
    assert found.p_values == pytest.approx([0.004, 0.03, 0.4, 0.5])
    assert (found.n_found, found.found) == (2, (1, 2))
    assert (replicability([]).n_found, replicability([]).n_sets) == (0, 0)


def test_effects_that_point_one_way_are_no_interaction():
    assert qualitative_interaction([1, 2, 3]).p_value == 1
    assert qualitative_interaction([1]).p_value is None
    two = qualitative_interaction([-1.0, 4.0])  # half of chi-squared with one degree of freedom
    assert (two.statistic, two.p_value) == (1.0, pytest.approx(stats.chi2.sf(1, 1) / 2))
    three = qualitative_interaction([-2.0, 2.0, 3.0])
    assert three.p_value == pytest.approx(stats.chi2.sf(4, 1) * 2 / 4 + stats.chi2.sf(4, 2) / 4)


def test_the_critical_values_are_those_of_gail_and_simon():
    for n_sets, value in ((2, 2.71), (3, 4.23), (4, 5.43), (5, 6.50)):  # 1985, table 1, level 0.05
        effects = [value**0.5] + [-100.0] * (n_sets - 1)
        assert qualitative_interaction(effects).p_value == pytest.approx(0.05, abs=0.0005)


def test_effects_are_normal_quantiles_and_beyond_the_draws_those_of_t():
    better, worse = np.array([0.025, 0.9, 0.001, 1.0, np.nan]), np.array([0.98, 0.1, 1.0, 1.0, np.nan])
    found = normal_effects(better, worse, np.array([9.0, -9.0, 9.0, 0.0, 9.0]), 20, 999)
    assert found[:2] == pytest.approx([stats.norm.isf(0.025), -stats.norm.isf(0.1)])
    assert found[2] == pytest.approx(stats.norm.isf(stats.t.sf(9, 19)))
    assert np.isnan(found[3:]).all()
    few = normal_effects(np.array([1 / 64]), np.array([1.0]), np.array([np.nan]), 6, 999)
    assert few == pytest.approx([stats.norm.isf(1 / 64)])


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=6))
def test_mean_ranks_are_tested_as_scipy_does(rows):
    scores = np.array(rows, np.float64)
    found = mean_ranks(scores)
    if (np.ptp(scores, axis=1) == 0).all():
        assert found.p_value == 1
    else:
        assert found.p_value == pytest.approx(stats.friedmanchisquare(*scores.T).pvalue)
    assert found.ranks.sum() == pytest.approx(6)
    assert mean_ranks(-scores, higher_is_better=False).ranks == pytest.approx(found.ranks)


def test_the_critical_difference_is_that_of_demsar():
    found = mean_ranks(np.random.default_rng(0).normal(size=(14, 4)))
    assert found.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=0.001)  # 2006, table 5
