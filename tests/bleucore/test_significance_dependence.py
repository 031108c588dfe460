"""How much wider documents, or blocks of neighbours, make intervals."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bleucore.significance import ComparedSystems, SignificanceOptions, bootstrap, compare, design_factors


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def system(name, values):
    return name, np.stack([np.asarray(values), np.ones(len(values), int)], axis=1)


def of_documents(rng, n_documents=60, size=10, common=20):
    """Values of segments, and their documents, in which this much is common."""
    documents = np.repeat(np.arange(n_documents), size)
    of_document = rng.normal(0, common, n_documents)[documents]
    values = np.rint(500 + of_document + rng.normal(0, 40, len(documents))).astype(int)
    return values, [f"d{number}" for number in documents]


@pytest.fixture(scope="module")
def compared():
    """Three systems on 60 documents, and the first of them once more."""
    rng = np.random.default_rng(6)
    values, documents = of_documents(rng)
    systems = [system("a", values), system("b", values[::-1] + 5), system("c", values + rng.integers(-3, 4, 600))]
    systems.append(("d", systems[0][1]))
    options = SignificanceOptions(unit="segment", trials=200, resamples=200)
    return compare(ComparedSystems(systems, mean, documents=documents), options)


class TestByDocument:
    def test_of_two_documents_by_hand(self):
        """Influences -1, -1, 1, 1: their variance is 4 / 3; that of the documents' -2 and 2 is 8, over 4 segments 2.

        With D / (D - 1) the sums give 2 x 8 / 4 = 4, and the root of 4 / (4 / 3) is that of 3.
        """
        found = design_factors([system("a", [1, 1, 3, 3])], mean, list("xxyy"))
        assert found.systems.tolist() == pytest.approx([math.sqrt(3)])
        assert (found.n_documents, found.n_neighbours, found.of_differences) == (2, None, None)

    def test_of_segments_of_unequal_length_takes_the_score_without_each(self):
        """Without a segment the scores are 7 / 5, 7 / 4, 5 / 5 and 5 / 4, .05, .4, -.35 and -.1 from their mean.

        Those of documents are .45 and -.45 from it: 2 x (2 x .2025) / 4 over .295 / 3.
        """
        counts = np.array([[1, 1], [1, 2], [3, 1], [3, 2]])
        found = design_factors([("a", counts)], mean, list("xxyy"))
        assert found.of_scores == pytest.approx(math.sqrt(0.2025 / (0.295 / 3)))

    def test_is_what_drawing_documents_adds_to_standard_errors(self):
        rng = np.random.default_rng(1)
        values, documents = of_documents(rng)
        systems = [system("a", values), system("b", values + rng.integers(-30, 31, len(values)))]
        units = ComparedSystems(systems, mean, documents=documents).units("document")
        spreads = [bootstrap(each, mean, resamples=4000).resampled for each in (units, systems)]
        by_document, by_segment = ([*each.std(axis=1), (each[0] - each[1]).std()] for each in spreads)
        found = design_factors(systems, mean, documents)
        factors = [*found.systems, found.pairs[0, 1]]
        assert factors == pytest.approx(
            [wide / narrow for wide, narrow in zip(by_document, by_segment, strict=True)], rel=0.05
        )
        assert found.systems[0] > 1.2 > found.pairs[0, 1]

    def test_is_about_1_where_segments_are_independent_and_does_not_matter(self):
        values, documents = of_documents(np.random.default_rng(2), common=0)
        found = design_factors([system("a", values)], mean, documents)
        assert found.systems[0] == pytest.approx(1, abs=2 * found.noise)
        assert not found.matters

    def test_matters_where_documents_have_much_in_common(self):
        values, documents = of_documents(np.random.default_rng(3))
        assert design_factors([system("a", values)], mean, documents).matters

    def test_of_few_documents_matters_only_beyond_chance(self):
        """Four documents of two: a square has a standard error of sqrt(16) / 8; above 1 and 2 of them is chance."""
        values = [1, 2, 9, 8, 4, 7, 3, 8]
        found = design_factors([system("a", values)], mean, list("wwxxyyzz"))
        assert found.noise == 0.5
        assert 1.1 < found.of_scores < math.sqrt(2)
        assert not found.matters

    def test_does_not_know_what_has_no_variance(self):
        same = [3, 3, 3, 3]
        found = design_factors([system("a", same), system("b", same), system("c", [1, 2, 3, 4])], mean, list("xxyy"))
        assert np.isnan(found.systems).tolist() == [True, True, False]
        assert np.isnan(found.pairs[0, 1])
        assert found.pairs[0, 2] == pytest.approx(found.systems[2])


class TestByNeighbours:
    @pytest.mark.parametrize("documents", [None, ["one"] * 600])
    def test_of_documents_that_are_not_known_sees_part_of_what_they_have_in_common(self, documents):
        values, known = of_documents(np.random.default_rng(4))
        by_document = design_factors([system("a", values)], mean, known)
        found = design_factors([system("a", values)], mean, documents)
        assert (found.n_documents, found.n_neighbours) == (None, 8)
        assert 1.1 < found.systems[0] < by_document.systems[0]
        assert found.matters

    def test_of_segments_in_random_order_is_about_1(self):
        rng = np.random.default_rng(5)
        values, _ = of_documents(rng)
        found = design_factors([system("a", rng.permutation(values))], mean, None)
        assert found.systems[0] == pytest.approx(1, abs=2 * found.noise)
        assert not found.matters

    def test_of_one_segment_is_not_known(self):
        assert design_factors([system("a", [1])], mean, ["x"]) is None


class TestInComparisons:
    def test_stands_beside_each_score_and_each_pair(self, compared):
        assert compared.design_factor("b") == compared.dependence.systems[1]
        assert compared.pair("b", "a").design_factor == compared.dependence.pairs[0, 1]
        assert compared.pair("a", "d").design_factor is None
        assert compared.to_frame()["design_factor"].isna().tolist() == [False, False, True, False, False, False]

    @pytest.mark.parametrize(("factor", "keeps"), [(1.3, True), (1.35, False), (None, True)])
    def test_larger_standard_errors_take_the_star_by_hand(self, compared, factor, keeps):
        """p = .01 is 2.576 standard errors; of 1.3 times as large ones 1.98, and of 1.35 times 1.91 < 1.96."""
        pair = replaced(compared, factor, p_value=0.01)
        assert compared.is_significant(pair)
        assert compared.keeps_star(pair) is keeps

    def test_a_difference_that_no_draw_reached_is_as_clear_as_its_standard_errors(self, compared):
        """1 / 201 is 2.81 standard errors, too few for half of them; with 5 of them they are enough."""
        unit = 2.801585
        close, far = (
            replaced(compared, 2.0, p_value=1 / 201, difference=difference, smallest_detectable=unit)
            for difference in (3.5, 5.0)
        )
        assert not compared.keeps_star(close)
        assert compared.keeps_star(far)

    def test_of_a_difference_that_a_draw_reached_the_p_value_alone_counts(self, compared):
        """2 / 201 is 2.58 standard errors, too few for half of them, whatever its own standard errors are."""
        pair = replaced(compared, 2.0, p_value=2 / 201, difference=5.0, smallest_detectable=2.801585)
        assert not compared.keeps_star(pair)


def replaced(compared, factor, *, p_value, **changes):
    return replace(
        compared.pair("a", "b"),
        p_value=p_value,
        corrected_p_value=p_value,
        smallest_p_value=1 / 201,
        design_factor=factor,
        **changes,
    )
