"""Families of comparisons: p-values and intervals that agree, stars against Holm's, the claim about the best."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from bleucore.significance import (
    CORRECTIONS,
    TESTS,
    ComparedSystems,
    SignificanceOptions,
    compare,
    holm,
)
from bleucore.significance.families import best_of, in_agreement, leader_p_value, of_a_star

DRAWS = {"trials": 199, "resamples": 100}


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def made(seed, n_systems, n_documents, *, step=0.0, common=6.0, noise=8.0):
    """Systems on documents of 1 to 12 segments, which have something in common; each better than the last by a step."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(n_documents), rng.integers(1, 13, n_documents))
    n_segments = len(documents)
    shared = rng.normal(0, 10, n_segments)
    systems = []
    for place in range(n_systems):
        of_document = rng.normal(0, common, n_documents)[documents]
        values = np.rint(1_000 + step * place + shared + of_document + rng.normal(0, noise, n_segments)).astype(int)
        systems.append((f"s{place}", np.stack([values, np.ones(n_segments, int)], axis=1)))
    return ComparedSystems(systems, mean, documents=[f"d{number}" for number in documents])


compared_systems = st.builds(
    made,
    st.integers(0, 10_000),
    st.integers(2, 5),
    st.integers(2, 24),
    step=st.sampled_from([0.0, 1.0, 4.0, 40.0]),
    noise=st.sampled_from([0.0, 8.0, 30.0]),
)
ours = st.builds(
    SignificanceOptions,
    st.sampled_from([test for test in TESTS if test != "sacrebleu-bs"]),
    correction=st.sampled_from(CORRECTIONS),
    unit=st.sampled_from(["auto", "segment", "block"]),
    level=st.sampled_from([0.01, 0.05, 0.2]),
    trials=st.just(199),
    resamples=st.just(100),
)


def everything_said(compared):
    """Every pair as all pairs, and as those with each baseline, say it, in both directions."""
    for name, other in combinations(compared.names, 2):
        for baseline in (None, name, other):
            asked = compared.with_baseline(baseline)
            yield asked.pair(name, other)
            yield asked.pair(other, name)


def disagrees(pair):
    """Whether the interval and the corrected p-value are on different sides of .05."""
    if pair.interval is None or pair.corrected_p_value is None:
        return False
    low, high = pair.interval
    if pair.corrected_p_value < 0.05:
        return not (low >= 0 or high <= 0)
    return not low <= 0 <= high


class TestAgreement:
    @pytest.mark.parametrize(
        ("interval", "difference", "p_value", "expected"),
        [
            ((0.5, 2.0), 1.0, 0.01, (0.5, 2.0)),
            ((-0.5, 2.0), 1.0, 0.01, (0.0, 2.0)),
            ((-2.0, 0.5), -1.0, 0.01, (-2.0, 0.0)),
            ((0.5, 2.0), 1.0, 0.05, (0.0, 2.0)),
            ((-2.0, -0.5), -1.0, 0.2, (-2.0, 0.0)),
            ((0.1, 2.0), 0.0, 1.0, (0.0, 2.0)),
            ((-1.0, 2.0), 1.0, None, (-1.0, 2.0)),
            (None, 1.0, 0.01, None),
        ],
    )
    def test_moves_an_end_to_zero_where_both_disagree(self, interval, difference, p_value, expected):
        assert in_agreement(interval, difference, p_value) == expected

    @given(compared_systems, ours)
    def test_an_interval_never_disagrees_with_its_p_value(self, systems, options):
        compared = compare(systems, options)
        assert not [pair for pair in everything_said(compared) if disagrees(pair)]

    @given(compared_systems, ours)
    def test_an_interval_holds_its_difference(self, systems, options):
        for pair in everything_said(compare(systems, options)):
            if pair.interval is not None:
                assert pair.interval[0] <= pair.difference <= pair.interval[1]

    @given(compared_systems, ours)
    def test_a_star_is_never_next_to_an_uncorrected_p_value_above_the_level(self, systems, options):
        compared = compare(systems, options)
        for pair in compared.pairs.values():
            assert not compared.is_significant(pair) or pair.p_value < options.level
            assert pair.p_value is None or pair.corrected_p_value >= pair.p_value


class TestSymmetry:
    @given(compared_systems, ours)
    def test_a_pair_says_the_same_in_both_directions(self, systems, options):
        compared = compare(systems, options)
        for name, other in combinations(compared.names, 2):
            pair, turned = compared.pair(name, other), compared.pair(other, name)
            assert (turned.turned(), turned.difference) == (pair, -pair.difference)
            assert (turned.corrected_p_value, turned.n_comparisons, turned.family) == (
                pair.corrected_p_value,
                pair.n_comparisons,
                pair.family,
            )

    @given(compared_systems, ours, st.randoms(use_true_random=False))
    def test_nothing_depends_on_the_order_of_the_systems(self, systems, options, random):
        shuffled = list(systems.systems)
        random.shuffle(shuffled)
        first = compare(systems, options)
        other_way = compare(ComparedSystems(shuffled, mean, documents=systems.documents), options)
        for key in first.pairs:
            one, same = first.pair(*key), other_way.pair(*key)
            assert same.corrected_p_value == pytest.approx(one.corrected_p_value)
            assert same.smallest_detectable == pytest.approx(one.smallest_detectable)
            assert same.interval == pytest.approx(one.interval, abs=1e-9)
            assert same.family == one.family
        if len(set(first.drawn.scores)) == len(first.names):
            assert [set(cluster) for cluster in first.clusters] == [set(cluster) for cluster in other_way.clusters]


class TestAgainstHolm:
    """Max-T and Holm's correction of the same p-values."""

    @staticmethod
    def stars(compared):
        """What is significant by the comparison's own correction, and by Holm's."""
        pairs = list(compared.pairs.values())
        by_holm = holm([pair.p_value for pair in pairs]) < compared.options.level
        return {(one.name, one.other) for one in pairs if compared.is_significant(one)}, {
            (one.name, one.other) for one, is_found in zip(pairs, by_holm, strict=True) if is_found
        }

    @given(
        st.integers(0, 10_000),
        st.integers(3, 6),
        st.integers(15, 60),
        st.sampled_from([0.0, 1.0, 2.0, 4.0]),
    )
    def test_finds_no_less(self, seed, n_systems, n_documents, step):
        systems = made(seed, n_systems, n_documents, step=step)
        compared = compare(systems, SignificanceOptions(trials=1_999, resamples=100))
        of_max_t, of_holm = self.stars(compared)
        assert of_max_t >= of_holm

    @pytest.mark.parametrize("n_documents", [20, 50])
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_finds_no_less_among_thirteen_systems(self, n_documents, seed):
        systems = made(seed, 13, n_documents, step=1.5)
        compared = compare(systems, SignificanceOptions(trials=9_999, resamples=100))
        of_max_t, of_holm = self.stars(compared)
        assert of_max_t >= of_holm
        assert len(of_max_t) >= 2


@cache
def thirteen():
    return compare(made(7, 13, 30, step=1.0), SignificanceOptions(trials=1_999, resamples=200))


class TestTheBest:
    @pytest.mark.parametrize("test", ["approximate-randomisation", "paired-bootstrap"])
    @pytest.mark.parametrize("correction", ["max-t", "holm"])
    def test_of_two_systems_has_the_plain_p_value(self, test, correction):
        compared = compare(made(3, 2, 25, step=2), SignificanceOptions(test, correction=correction, **DRAWS))
        (pair,) = compared.pairs.values()
        assert pair.corrected_p_value == pair.p_value
        family = [(0, 1)]
        assert leader_p_value(0, family, [pair.p_value], None) == pair.p_value
        assert leader_p_value(1, family, [pair.p_value], None) == pair.p_value

    def test_leads_by_the_largest_p_value_of_its_comparisons(self):
        """Three comparisons of four systems have 3 as the other system each: 3 times .04 is the largest."""
        pairs = list(combinations(range(4), 2))
        p_values = [0.001, 0.002, 0.04, 0.5, 0.5, 0.5]
        assert leader_p_value(0, pairs, p_values, None) == pytest.approx(0.12)
        assert leader_p_value(1, pairs, p_values, None) == 1.0

    def test_cannot_be_claimed_where_a_pair_has_no_test(self):
        assert leader_p_value(0, [(0, 1), (0, 2), (1, 2)], [0.01, None, 0.01], None) is None

    def test_of_tied_systems_is_none(self):
        assert best_of([3.0, 2.0, 3.0], higher_is_better=True, rounding=1e-12) is None
        assert best_of([3.0, 2.0, 3.0], higher_is_better=False, rounding=1e-12) == 1

    def test_is_claimed_more_easily_than_all_its_pairs_among_all(self):
        """Twelve comparisons with each other system hold up less than all 78 do."""
        compared = thirteen()
        best = compared.names[int(np.argmax(compared.drawn.scores))]
        for pair in compared.pairs.values():
            assert (pair.family, pair.n_comparisons) == (
                ("best", 12) if best in (pair.name, pair.other) else ("all", 78)
            )
        of_best = [pair for pair in compared.pairs.values() if pair.family == "best"]
        others = [pair for pair in compared.pairs.values() if pair.family == "all"]

        def half_widths(pairs):
            """Of intervals that the p-value did not move, in standard errors."""
            return [
                (high - pair.difference) / pair.standard_error
                for pair in pairs
                for low, high in [pair.interval]
                if abs((high + low) / 2 - pair.difference) < 1e-9
            ]

        assert max(half_widths(of_best)) < min(half_widths(others))


class TestSimultaneousIntervals:
    """The largest t of each draw, by hand from the null distributions of all pairs."""

    @staticmethod
    def by_hand(compared, pairs):
        """The largest of each draw in standard errors of the draws, its 95th percentile that decides p < .05."""
        sizes = []
        for name, other in pairs:
            test = compared.null_test(name, other)
            error = np.sqrt(
                ((test.null_distribution**2).sum() + test.difference**2) / (len(test.null_distribution) + 1)
            )
            sizes.append(np.abs(test.null_distribution) / error)
        largest = np.sort(np.max(sizes, axis=0))
        n_draws = len(largest)
        return largest[n_draws - 1 - (int(np.ceil(0.05 * (n_draws + 1))) - 2)]

    @pytest.mark.parametrize("n_documents", [7, 30])
    @pytest.mark.parametrize("test", ["approximate-randomisation", "paired-bootstrap"])
    def test_reach_as_far_as_a_significant_difference_does(self, test, n_documents):
        options = SignificanceOptions(test, trials=1_999, resamples=1_999)
        compared = compare(made(11, 4, n_documents), options)
        critical = self.by_hand(compared, compared.pairs)
        factor = (n_documents - 1) / n_documents
        if test == "approximate-randomisation":
            factor /= 1 - critical**2 / compared.drawn.n_effective
        others = [pair for pair in compared.pairs.values() if pair.family == "all"]
        assert len(others) == 3
        for pair in others:
            half = critical * np.sqrt(factor) * pair.standard_error
            expected = in_agreement(
                (pair.difference - half, pair.difference + half), pair.difference, pair.corrected_p_value
            )
            assert pair.interval == pytest.approx(expected, rel=1e-4)


class TestPower:
    def test_takes_the_critical_value_of_the_family(self):
        """Of two systems that is Student's; of thirteen it is larger, and least for pairs with the best."""
        (alone,) = compare(made(3, 2, 30), SignificanceOptions(**DRAWS)).pairs.values()
        of_all, of_best = (
            np.mean(
                [
                    pair.smallest_detectable / pair.standard_error
                    for pair in thirteen().pairs.values()
                    if pair.family == each
                ]
            )
            for each in ("all", "best")
        )
        assert alone.smallest_detectable / alone.standard_error < 3.2 < of_best < of_all < 6

    @pytest.mark.parametrize(
        ("of_all", "of_others", "expected"), [(3.3, 2.7, 3.15), (np.inf, 2.7, 2.7), (np.inf, np.inf, np.inf)]
    )
    def test_of_the_best_is_a_quarter_of_the_way_to_its_claim(self, of_all, of_others, expected):
        assert of_a_star(of_all, of_others) == pytest.approx(expected)

    @pytest.mark.thorough
    def test_that_is_stated_is_observed_where_documents_are_of_very_unequal_sizes(self):
        """One of eight systems is better; 60 documents are worth about 20 equal ones."""
        lead, observed, stated = 0.75, [], []
        for seed in range(70):
            rng = np.random.default_rng(seed)
            documents = np.repeat(np.arange(60), np.minimum(1 + 3 * rng.pareto(1.3, 60), 40).astype(int))
            values = 0.7 * rng.normal(size=(8, 60))[:, documents] + rng.normal(size=(8, len(documents)))
            values[0] += lead
            systems = [(f"s{place}", np.stack([row, np.ones(len(row))], axis=1)) for place, row in enumerate(values)]
            compared = ComparedSystems(systems, mean, documents=[f"d{number}" for number in documents])
            found = compare(compared, SignificanceOptions(trials=999, resamples=300, seed=seed))
            freedom = found.drawn.n_free
            for pair in found.against("s0").values():
                observed.append(found.is_significant(pair) and pair.difference < 0)
                if pair.smallest_detectable is None:
                    stated.append(0.0)
                    continue
                critical = pair.smallest_detectable / pair.standard_error - special.stdtrit(freedom, 0.8)
                stated.append(special.stdtr(freedom, lead / pair.standard_error - critical))
        assert 0.5 < np.mean(observed) < 0.8
        assert abs(np.mean(stated) - np.mean(observed)) < 0.06


class TestLevel:
    def test_moves_stars_and_power_but_no_interval(self):
        systems = made(5, 4, 30, step=2.0)
        strict, usual, loose = (
            compare(systems, SignificanceOptions(trials=1_999, resamples=200, level=level))
            for level in (0.01, 0.05, 0.2)
        )
        for key in usual.pairs:
            pairs = [each.pairs[key] for each in (strict, usual, loose)]
            assert len({pair.interval for pair in pairs}) == 1
            assert len({pair.corrected_p_value for pair in pairs}) == 1
            of_strict, of_usual, of_loose = (pair.smallest_detectable for pair in pairs)
            assert of_strict > of_usual > of_loose
        n_stars = [sum(map(each.is_significant, each.pairs.values())) for each in (strict, usual, loose)]
        assert n_stars == sorted(n_stars)
        assert n_stars[0] < n_stars[-1]
