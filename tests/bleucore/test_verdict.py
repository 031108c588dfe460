"""The one verdict about some systems: every state of every question."""

import numpy as np
import pytest

from bleucore.significance import ComparedSystems, SignificanceOptions, compare, pair_verdict, verdict_of

N = 60


def mean(counts):
    return counts[..., 0] / counts[..., 1]


def system(name, values):
    return name, np.stack([np.asarray(values), np.ones(len(values), int)], axis=1)


def noise(seed, n=N):
    return np.random.default_rng(seed).integers(-4, 5, n)


def made(gains, *, documents="each", higher_is_better=True, baseline=None, options=None, only_with=None, **asked):
    """Systems that score about 50 plus their gain, with noise of their own, compared; and their order."""
    systems = [system(name, 50 + gain + noise(place)) for place, (name, gain) in enumerate(gains.items())]
    known = [f"d{place}" for place in range(N)] if documents == "each" else documents
    given = ComparedSystems(systems, mean, higher_is_better=higher_is_better, documents=known)
    options = options or SignificanceOptions(trials=499, resamples=200)
    comparison = compare(given, options, only_with=only_with, **asked).with_baseline(baseline)
    scores = dict(zip(comparison.names, comparison.drawn.scores.tolist(), strict=True))
    ranked = sorted(scores, key=scores.__getitem__, reverse=higher_is_better)
    return comparison, ranked


def verdict(gains, **settings):
    comparison, ranked = made(gains, **settings)
    return verdict_of(comparison, "BLEU", ranked)


class TestBest:
    def test_of_one_system_there_is_none(self):
        assert verdict({"a": 0}) is None

    def test_a_clear_best_leads(self):
        found = verdict({"low": 0, "high": 9, "middle": 4})
        assert (found.question, found.state, found.systems) == ("best", "leads", ("high",))
        assert (found.compared.name, found.compared.other, found.family) == ("high", "middle", "best")
        assert found.effect > 0
        assert found.interval[0] > 0
        assert found.p_value < 0.05
        assert (found.unit, found.n_units, found.n_systems) == ("document", N, 3)

    def test_systems_that_are_not_significantly_worse_are_tied_at_the_top(self):
        found = verdict({"a": 9, "low": 0, "b": 9})
        assert found.state == "no-winner"
        assert set(found.systems) == {"a", "b"}
        assert found.interval[0] <= 0 <= found.interval[1]

    def test_of_forty_systems_the_best_ones_are_tied(self):
        found = verdict({f"s{place}": 5 * (place < 5) for place in range(40)})
        assert found.state == "no-winner"
        assert set(found.systems) == {f"s{place}" for place in range(5)}
        assert found.n_systems == 40

    def test_less_is_better_where_the_metric_says_so(self):
        found = verdict({"many": 9, "few": 0, "some": 4}, higher_is_better=False)
        assert (found.state, found.systems, found.compared.other) == ("leads", ("few",), "some")
        assert found.effect < 0
        assert found.interval[1] < 0

    def test_two_equal_best_scores_have_no_winner(self):
        values = 50 + noise(1)
        systems = [system("one", values), system("low", values - 20), system("other", values[::-1])]
        given = ComparedSystems(systems, mean, documents=[f"d{place}" for place in range(N)])
        comparison = compare(given, SignificanceOptions(trials=199, resamples=100))
        found = verdict_of(comparison, "BLEU", ["one", "other", "low"])
        assert (found.state, found.effect, found.systems) == ("equal", 0.0, ("one", "other"))


class TestPair:
    def test_two_systems_are_a_pair_without_a_tie_to_name(self):
        found = verdict({"a": 0, "b": 6})
        assert (found.question, found.state, found.systems, found.compared.other) == ("pair", "leads", ("b",), "a")
        assert found.family == "pair"

    @pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
    @pytest.mark.parametrize("higher_is_better", [True, False])
    def test_the_better_one_comes_first_whoever_is_named_first(self, names, higher_is_better):
        comparison, _ = made({"a": 0, "b": 6, "c": 3}, higher_is_better=higher_is_better)
        found = pair_verdict(comparison, "BLEU", *names)
        assert found.compared.name == ("b" if higher_is_better else "a")
        assert (found.effect > 0) == higher_is_better

    def test_of_equal_skill_has_no_winner(self):
        assert verdict({"a": 0, "b": 0}).state == "no-winner"

    def test_of_the_same_texts_is_equal(self):
        values = 50 + noise(1)
        given = ComparedSystems([system("a", values), system("b", values)], mean)
        comparison = compare(given, SignificanceOptions(trials=199, resamples=100))
        assert verdict_of(comparison, "BLEU", ["a", "b"]).state == "equal"


STEPS = {"low": 0, "middle": 5, "high": 10}


class TestBaseline:
    @pytest.mark.parametrize(
        ("baseline", "name", "other", "n_better", "n_worse"),
        [("low", "high", "low", 2, 0), ("middle", "high", "middle", 1, 1), ("high", "high", "middle", 0, 2)],
    )
    def test_the_best_of_the_others_is_compared_with_it(self, baseline, name, other, n_better, n_worse):
        found = verdict(STEPS, baseline=baseline)
        assert (found.question, found.state, found.baseline) == ("baseline", "leads", baseline)
        assert (found.compared.name, found.compared.other) == (name, other)
        assert (found.n_better, found.n_worse) == (n_better, n_worse)
        assert (found.family, found.compared.n_comparisons) == ("baseline", 2)

    def test_counts_the_systems_that_are_better_where_less_is(self):
        found = verdict(STEPS, baseline="high", higher_is_better=False)
        assert (found.compared.name, found.n_better) == ("low", 2)

    def test_nobody_wins_where_the_best_is_not_significantly_better(self):
        found = verdict({"a": 5, "base": 5, "low": 0}, baseline="base")
        assert (found.state, found.n_better, found.n_worse) == ("no-winner", 0, 1)

    def test_is_the_same_where_the_others_alone_were_compared_with_it(self):
        among_all, alone = verdict(STEPS, baseline="low"), verdict(STEPS, only_with="low")
        assert (alone.state, alone.effect, alone.p_value) == (among_all.state, among_all.effect, among_all.p_value)


class TestErrorsInTexts:
    def answer(self, faulty, gains=STEPS, **settings):
        comparison, ranked = made(gains, **settings)
        return verdict_of(comparison, "BLEU", ranked, {faulty: "Lines are shifted."}), verdict_of(
            comparison, "BLEU", ranked
        )

    def test_of_a_system_that_is_not_named_leave_the_answer_about_the_others(self):
        found, as_scored = self.answer("low")
        assert found.apart == (("low", "Lines are shifted."),)
        assert (found.state, found.systems, found.compared) == ("leads", ("high",), as_scored.compared)

    @pytest.mark.parametrize("faulty", ["high", "middle"])
    def test_of_one_that_is_named_leave_nothing_aside(self, faulty):
        found, as_scored = self.answer(faulty)
        assert found.apart == ()
        assert found == as_scored

    def test_are_not_counted_against_a_baseline(self):
        found, as_scored = self.answer("middle", baseline="low")
        assert (as_scored.n_systems, as_scored.n_better) == (3, 2)
        assert (found.n_systems, found.n_better, found.apart[0][0]) == (2, 1, "middle")
        assert (found.compared, found.state) == (as_scored.compared, as_scored.state)

    @pytest.mark.parametrize("faulty", ["low", "high"])
    def test_of_the_baseline_or_the_best_of_the_others_leave_nothing_aside(self, faulty):
        found, as_scored = self.answer(faulty, baseline="low")
        assert found == as_scored


class TestUntested:
    def test_few_documents_cannot_be_tested(self):
        documents = [f"d{place % 4}" for place in range(N)]
        options = SignificanceOptions(trials=199, resamples=100, unit="document")
        found = verdict({"a": 0, "b": 9}, documents=documents, options=options)
        assert (found.state, found.p_value) == ("untested", None)
        assert found.reason == "A test needs at least 6 documents, and there are 4."

    def test_few_documents_cannot_be_tested_against_a_baseline(self):
        documents = [f"d{place % 4}" for place in range(N)]
        options = SignificanceOptions(trials=199, resamples=100, unit="document")
        found = verdict({"a": 0, "b": 9, "c": 4}, documents=documents, options=options, baseline="a")
        assert (found.question, found.state, found.p_value, found.n_better) == ("baseline", "untested", None, 0)
        assert found.reason == "A test needs at least 6 documents, and there are 4."

    def test_one_document_is_one(self):
        options = SignificanceOptions(trials=199, resamples=100, unit="document")
        found = verdict({"a": 0, "b": 9}, documents=["d"] * N, options=options)
        assert found.reason == "A test needs at least 6 documents, and there is 1."

    @pytest.mark.parametrize("gains", [{"a": 0, "b": 9}, {"a": 0, "b": 9, "c": 4}])
    def test_by_segment_does_not_count_where_documents_are_known(self, gains):
        documents = [f"d{place // 5}" for place in range(N)]
        options = SignificanceOptions(trials=199, resamples=100, unit="segment")
        found = verdict(gains, documents=documents, options=options)
        assert (found.state, found.unit) == ("untested", "segment")
        assert found.p_value < 0.05
        assert found.reason.startswith("Segments depend on each other")

    def test_differences_that_nobody_tested_have_an_interval(self):
        found = verdict({"a": 0, "b": 9, "c": 4}, only_with="b", is_tested=False)
        assert (found.state, found.p_value, found.reason) == ("untested", None, "This difference was not tested.")
        assert found.interval is not None

    def test_a_pair_that_nobody_compared_has_its_difference_alone(self):
        comparison, ranked = made({"a": 0, "b": 9, "c": 4}, only_with="a", is_tested=False)
        found = verdict_of(comparison, "BLEU", ranked)
        assert (found.compared.name, found.compared.other, found.state) == ("b", "c", "untested")
        assert found.effect == pytest.approx(comparison.drawn.scores[1] - comparison.drawn.scores[2])
        assert found.interval is None


class TestTexts:
    def test_an_error_comes_before_any_praise(self):
        found = verdict({"a": 0, "b": 9}).with_texts(n_warnings=2, error="a: no text")
        assert (found.state, found.reason, found.n_warnings) == ("check-texts", "a: no text", 2)

    def test_warnings_leave_the_state_as_it_is(self):
        found = verdict({"a": 0, "b": 9}).with_texts(n_warnings=2, error=None)
        assert (found.state, found.reason, found.n_warnings) == ("leads", None, 2)
