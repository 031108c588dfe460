"""The program behind ``make calibration``, and a small run of it with a fixed seed."""

import importlib.util
import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from scipy import stats

from bleucore import BleuOptions, InputError
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.significance import compare as compare_systems

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "calibration.py"
_spec = importlib.util.spec_from_file_location("calibration", PROGRAM)
calibration = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(calibration)

Design, Population, Rate = calibration.Design, calibration.Population, calibration.Rate
COMPARISONS, SEED = 300, 1
DRAWS = 399
"""Fewer than the program's: what varies is one comparison to the next, not one draw to the next."""


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def small_population():
    """Five segments in two documents; every value tells its system and its segment."""
    segments = np.array([[[value, 1] for value in values] for values in ([11, 12, 13, 14, 15], [1, 2, 3, 4, 5])])
    documents = np.stack([[column[:2].sum(axis=0), column[2:].sum(axis=0)] for column in segments])
    counts = {"segment": segments, "document": documents}
    return Population("by hand", ("first", "second"), counts, [np.array([0, 1]), np.array([2, 3, 4])], mean)


def near(rate, expected):
    """Whether a rate is within three standard errors of what is expected."""
    return abs(rate.value - expected) <= 3 * Rate(expected, rate.n).standard_error


@pytest.fixture(scope="module")
def population():
    return calibration.made_population(BleuOptions(), SEED, n_documents=100)


@pytest.fixture(scope="module")
def compared(population):
    """300 comparisons of each design, made when they are asked for; or fewer."""
    made = {}

    def compare(design, comparisons=COMPARISONS):
        if design not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(calibration, "DRAWS", DRAWS)
                made[design] = calibration.compare(population, design, comparisons=comparisons, seed=SEED)
        return made[design]

    return compare


class TestRate:
    def test_of_5_in_100_has_a_standard_error_of_2_points(self):
        assert Rate(0.05, 100).standard_error == pytest.approx(math.sqrt(0.05 * 0.95 / 100))
        assert str(Rate(0.05, 100)) == "5.0 ± 2.2"

    def test_counts_p_values_below_the_level_and_intervals_that_hold_the_truth(self):
        p_values, ends = np.array([0.049, 0.05, 0.009, 1.0]), np.array([[1, 2], [3, 4], [2, 2], [math.nan, math.nan]])
        trials = calibration.Trials(Design(9), {"block-t": p_values}, {"block-t": ends}, {"block-t": 2.0})
        assert trials.rate("block-t") == Rate(0.5, 4)
        assert trials.rate("block-t", 0.01) == Rate(0.25, 4)
        assert trials.coverage("block-t") == Rate(0.5, 4)


class TestAttainable:
    """What an exact p can do: of 20 signs, 5 or fewer (15 or more) are p = 0.041, and 6 are p = 0.115."""

    @pytest.mark.parametrize(
        ("test", "level", "n_blocks", "expected"),
        [
            ("block-sign", 0.05, 20, 2 * sum(math.comb(20, n) for n in range(6)) / 2**20),
            ("block-sign", 0.05, 5, 0),
            ("block-sign", 0.05, 6, 2 / 64),
            ("block-wilcoxon", 0.05, 6, 2 / 64),
            ("block-t", 0.05, 20, 0.05),
            ("approximate-randomisation", 0.05, 20, 50 / 1001),
            ("paired-bootstrap", 0.01, 20, 10 / 1001),
        ],
    )
    def test_rate_is_that_of_the_values_p_can_have(self, test, level, n_blocks, expected):
        assert calibration.attainable(test, level, n_blocks) == pytest.approx(expected)

    @pytest.mark.parametrize("n_blocks", [7, 10])
    def test_rate_is_that_of_scipys_p_over_all_signs(self, n_blocks):
        signs = 1 - 2 * ((np.arange(2**n_blocks)[:, None] >> np.arange(n_blocks)) & 1)
        wilcoxon = stats.wilcoxon(signs * np.arange(1, n_blocks + 1), axis=1, method="exact").pvalue
        assert calibration.attainable("block-wilcoxon", 0.05, n_blocks) == pytest.approx((wilcoxon < 0.05).mean())
        sign = np.array([stats.binomtest(int(n), n_blocks).pvalue for n in (signs > 0).sum(axis=1)])
        assert calibration.attainable("block-sign", 0.05, n_blocks) == pytest.approx((sign < 0.05).mean())


class TestJudged:
    """Of 2,000 comparisons a share of 5 % has a standard error of 0.49 points: 3.54 to 6.46 % are within three."""

    @pytest.mark.parametrize(
        ("value", "n", "verdict"),
        [
            (0.04, 2000, "yes"),
            (0.06, 2000, "yes"),
            (0.064, 2000, "by 3 s.e."),
            (0.036, 2000, "by 3 s.e."),
            (0.065, 2000, "no"),
            (0.035, 2000, "no"),
            (0.064, 20_000, "no"),
        ],
    )
    def test_is_the_band_and_then_three_standard_errors(self, value, n, verdict):
        assert calibration.judged(Rate(value, n), 0.05, (0.04, 0.06)) == verdict

    def test_of_few_p_values_expects_what_they_allow(self):
        assert calibration.judged(Rate(0.0338, 20_000), 0.0352, (0.04, 0.06)) == "by 3 s.e."

    @pytest.mark.parametrize(("share", "held", "verdict"), [(0.05, 0.95, "yes"), (0.05, 0.9, "no"), (0.1, 0.95, "no")])
    def test_of_a_test_is_the_worse_of_rate_and_coverage(self, share, held, verdict):
        p_values = np.where(np.arange(2000) < 2000 * share, 0.01, 0.5)
        ends = np.where(np.arange(2000)[:, None] < 2000 * held, [-1, 1], [1, 2])
        trials = calibration.Trials(Design(9), {"block-t": p_values}, {"block-t": ends}, {"block-t": 0.0})
        assert calibration.verdict(trials, "block-t") == verdict


class TestVerdictOnAll:
    """Of 200 comparisons by hand, p is 0.005 to 1 in even steps: 9 of them are below 0.05."""

    @staticmethod
    def trials(design, *, too_eager):
        even = np.arange(1, 201) / 200
        p_values = {test: np.where(even < 0.2, 0.001, even) if test == too_eager else even for test in design.tests}
        ends = np.where(even[:, None] < 0.95, [-1, 1], [1, 2])
        intervals = dict.fromkeys(design.intervals, ends)
        return calibration.Trials(design, p_values, intervals, dict.fromkeys(intervals, 0.0))

    @pytest.mark.parametrize(
        ("too_eager", "where", "holds"),
        [
            (None, "segment", True),
            ("sacrebleu-bs", "segment", True),
            ("block-t", "segment", False),
            ("approximate-randomisation", "document", False),
        ],
    )
    def test_is_that_every_test_of_ours_holds_in_its_own_unit(self, capsys, too_eager, where, holds):
        def compared(design):
            return self.trials(design, too_eager=too_eager if design.tested == where else None)

        assert calibration.print_calibration(compared, 500, (100,)) is holds
        printed = capsys.readouterr().out
        assert ("| no " in printed) is not holds
        assert printed.count("| 4.5 ± 1.5 ") >= 3 * len(calibration.TESTS) - 2

    @pytest.mark.parametrize(
        ("n_documents", "test", "holds"),
        [(99, "paired-bootstrap", True), (100, "paired-bootstrap", False), (20, "approximate-randomisation", False)],
    )
    def test_ignores_what_the_bootstrap_says_of_few_documents(self, n_documents, test, holds):
        def compared(design):
            return self.trials(design, too_eager=test if design.tested == "document" else None)

        assert calibration.print_calibration(compared, 500, (n_documents,)) is holds

    def test_ignores_what_tests_of_segments_say_of_exchanged_documents(self):
        def compared(design):
            return self.trials(design, too_eager="block-t" if design.drawn != design.tested else None)

        assert calibration.print_calibration(compared, 500, (100,)) is True


class TestDrawnCounts:
    def test_are_those_of_segments_drawn_with_replacement(self):
        first, second = calibration.drawn_counts(small_population(), Design(50, share=0), np.random.default_rng(1))
        assert set(first[:, 0]) == {11, 12, 13, 14, 15}
        assert (first[:, 0] - second[:, 0] == 10).all()

    def test_are_exchanged_in_about_the_share_asked_for(self):
        first, second = calibration.drawn_counts(small_population(), Design(4000, share=0.25), np.random.default_rng(1))
        assert set(np.abs(first[:, 0] - second[:, 0])) == {10}
        assert near(Rate((first[:, 0] < second[:, 0]).mean(), 4000), 0.25)

    def test_of_documents_and_of_their_segments_are_the_same_texts(self):
        documents, segments = (
            calibration.drawn_counts(small_population(), Design(30, "document", tested), np.random.default_rng(2))
            for tested in ("document", "segment")
        )
        sizes = documents[0, :, 1]
        assert set(sizes) == {2, 3}
        starts = np.cumsum(sizes) - sizes
        assert np.add.reduceat(segments, starts, axis=1).tolist() == documents.tolist()
        is_exchanged = segments[0, :, 0] < 10
        assert {len(set(each)) for each in np.split(is_exchanged, starts[1:])} == {1}

    @pytest.mark.parametrize(("share", "score", "lead"), [(0, 13, 10), (0.25, 10.5, 5), (0.5, 8, 0), (1, 3, -10)])
    def test_have_a_score_and_a_lead_that_are_known(self, share, score, lead):
        assert small_population().truth(share) == (score, lead)


class TestTexts:
    def test_that_are_made_have_documents_and_no_repeated_line(self):
        made = calibration.made_texts(3, 50)
        sizes = np.unique(made.documents, return_counts=True)[1]
        assert (len(sizes), sizes.min() >= 4, sizes.max() <= 20) == (50, True, True)
        for column in (made.references[0], *(system.hypotheses for system in made.systems)):
            assert len(set(column)) == len(column)

    def test_that_are_made_are_the_same_for_the_same_seed(self):
        assert calibration.made_texts(3, 20).digest == calibration.made_texts(3, 20).digest
        assert calibration.made_texts(3, 20).digest != calibration.made_texts(4, 20).digest

    def test_of_a_folder_are_the_two_systems_nearest_to_one_point_apart(self, tmp_path):
        reference = [f"line {number} of the reference is here" for number in range(25)]
        columns = {"a": reference, "b": [*reference[:23], "line of the reference", "line"], "c": ["no"] * 25}
        _write(tmp_path, reference, columns)
        read = calibration.read_population(tmp_path, BleuOptions())
        assert read.names == ("a", "b")
        assert read.title == f"{tmp_path.name} (10 lines at a time are taken for a document)"
        assert [len(segments) for segments in read.segments_of] == [10, 10, 5]
        expected = [BLEU().corpus_score(columns[name], [reference]).score for name in "ab"]
        assert read.truth(0) == pytest.approx((expected[0], expected[0] - expected[1]), abs=1e-9)

    def test_of_a_folder_have_the_documents_that_it_names(self, tmp_path):
        _write(tmp_path, ["a b c d"] * 5, {"a": ["a b c d"] * 5, "b": ["a b c e"] * 5})
        (tmp_path / "documents.txt").write_text("x\nx\ny\nx\ny\n", encoding="utf-8")
        read = calibration.read_population(tmp_path, BleuOptions())
        assert [segments.tolist() for segments in read.segments_of] == [[0, 1, 3], [2, 4]]
        assert read.counts["document"].sum(axis=1).tolist() == read.counts["segment"].sum(axis=1).tolist()

    def test_of_a_folder_need_two_systems(self, tmp_path):
        _write(tmp_path, ["a"], {"a": ["a"]})
        text = f"{tmp_path}: there are not two systems (found 1, expected systems/*.txt)."
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            calibration.read_population(tmp_path, BleuOptions())
        with pytest.raises(SystemExit, match=f"^{re.escape(text)}$"):
            calibration.main([str(tmp_path)])


def _write(folder, reference, columns):
    (folder / "systems").mkdir()
    (folder / "reference.A.txt").write_text("\n".join(reference) + "\n", encoding="utf-8")
    for name, column in columns.items():
        (folder / "systems" / f"{name}.txt").write_text("\n".join(column) + "\n", encoding="utf-8")


class TestCompare:
    def test_says_what_the_comparison_of_the_product_says(self, population):
        """The first comparison, drawn again and tested through the one call that the pages use."""
        trials = calibration.compare(population, Design(200), comparisons=1, seed=7)
        rng = np.random.default_rng((7, 200, 0, 500, 0))
        drawn = calibration.drawn_counts(population, Design(200), rng)
        systems = ComparedSystems(list(zip(population.names, drawn, strict=True)), population.score)
        seed = int(rng.integers(2**32))
        for test in calibration.TESTS:
            options = SignificanceOptions(test=test, trials=1000, resamples=1000, seed=seed, unit="segment")
            pair = compare_systems(systems, options).pair(*population.names)
            assert pair.p_value == pytest.approx(trials.p_values[test][0], abs=1e-12), test
            of_test = calibration.DIFFERENCE
            name = calibration.PERCENTILES[of_test] if test == calibration.NOT_OURS else of_test
            assert pair.interval == pytest.approx(tuple(trials.intervals[name][0])), test

    def test_does_not_depend_on_what_runs_it(self, population):
        design = Design(60, "document", "document")
        alone = calibration.compare(population, design, comparisons=60, seed=3)
        with ThreadPoolExecutor(2) as pool:
            shared = calibration.compare(population, design, comparisons=60, seed=3, run=pool.map)
        for test in calibration.TESTS:
            assert shared.p_values[test].tolist() == alone.p_values[test].tolist()
        fewer = calibration.compare(population, design, comparisons=10, seed=3)
        assert fewer.p_values["block-t"].tolist() == alone.p_values["block-t"][:10].tolist()


class TestSmallRun:
    """300 comparisons with a fixed seed: a share of 5 % has a standard error of 1.3 points."""

    designs = pytest.mark.parametrize(
        "design", [Design(200), Design(60, "document", "document")], ids=["by segment", "by document"]
    )

    @designs
    @pytest.mark.parametrize("test", [test for test in calibration.TESTS if test != "sacrebleu-bs"])
    @pytest.mark.parametrize("level", calibration.LEVELS)
    def test_without_a_difference_our_tests_keep_their_level(self, compared, design, test, level):
        expected = calibration.attainable(test, level, design.n_blocks)
        assert near(compared(design).rate(test, level), expected)

    @designs
    def test_without_a_difference_sacrebleus_bootstrap_finds_twice_as_many(self, compared, design):
        rate = compared(design).rate("sacrebleu-bs")
        assert rate.value > 0.08
        assert not near(rate, 0.05)

    @designs
    @pytest.mark.parametrize("interval", calibration.INTERVALS)
    def test_intervals_hold_the_truth_as_often_as_they_say(self, compared, design, interval):
        assert near(compared(design).coverage(interval), 0.95)

    def test_segments_of_exchanged_documents_are_not_independent(self, compared):
        found = compared(Design(60, "document", "segment"))
        assert not near(found.rate("approximate-randomisation"), 0.05)
        assert found.coverage(calibration.SCORE).value < 0.9

    def test_a_known_difference_is_found_more_often_the_more_segments_there_are(self, compared):
        few, many = (compared(Design(number, share=0), comparisons=100) for number in (100, 400))
        for test in calibration.TESTS:
            assert 0.05 < few.rate(test).value < many.rate(test).value
            assert many.rate("block-sign").value <= many.rate(test).value
        assert near(many.coverage(calibration.DIFFERENCE), 0.95)

    def test_prints_tables_and_ends_well(self, capsys):
        arguments = "--comparisons 15 --segments 100 --documents 50 --families 5 --processes 1"
        assert calibration.main(arguments.split()) == 0
        printed = capsys.readouterr().out
        assert printed.startswith("made text: 4,928 segments in 400 documents; bleu 35.13 of better, 33.77 of worse\n")
        assert printed.count("| sacrebleu-bs ") == 5
        assert "Every test of ours holds." in printed


class TestAgreement:
    def test_holds_for_metrics_that_know_nothing_and_for_intervals_of_r(self, capsys):
        assert calibration.print_agreement(comparisons=150, seed=SEED, run=map) is True
        lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
        assert [row[3] != "" for row in cells[2:8]] == [True, False, True, True, False, False]
        one_by_one = float(cells[7][2].partition(" ")[0])
        assert one_by_one > 9  # the accuracy with ties, its pairs exchanged one by one
        assert [row[0] for row in cells[-3:]] == ["0.0", "0.5", "0.9"]

    def test_fails_where_chance_does_not_explain_it(self, capsys):
        assert calibration.print_agreement(comparisons=200, seed=SEED, run=lambda _, chunks: [np.ones(200)]) is False


class TestSamples:
    def test_hold_for_segments_and_documents(self, capsys):
        assert calibration.print_samples(comparisons=30, seed=SEED, run=map) is True
        printed = capsys.readouterr().out
        assert "| segment" in printed
        assert "| document" in printed

    def test_fail_where_chance_does_not_explain_it(self):
        assert calibration.print_samples(comparisons=200, seed=SEED, run=lambda _, chunks: [np.ones(200)]) is False


class TestFamilies:
    """Four systems of made text, in few comparisons."""

    @staticmethod
    def printed(capsys, run):
        texts = calibration.made_family(SEED, 4, n_documents=20)
        holds = calibration.print_families(texts, BleuOptions(), 60, comparisons=6, seed=SEED, run=run)
        lines = [line for line in capsys.readouterr().out.splitlines() if line]
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[3:]]
        return holds, lines[0], cells

    def test_prints_both_corrections_for_equal_systems_and_for_two_halves(self, capsys):
        holds, heading, rows = self.printed(capsys, map)
        assert heading == "Families: all pairs of 4 systems, 60 segments, 2,000 trials, 6 comparisons"
        assert [row[:2] for row in rows] == [["4", "max-t"], ["4", "holm"], ["2 and 2", "max-t"], ["2 and 2", "holm"]]
        assert [bool(row[3]) for row in rows] == [False, False, True, True]
        assert holds == all(row[4] == "yes" for row in rows)

    def test_fails_where_false_findings_are_more_than_chance(self, capsys):
        """Three false findings of max-t in six comparisons, and one of Holm: 5 % and three standard errors are 32 %."""

        def found(_, chunks):
            rows = [[index % 2, index == 0, 0.5, 0.25] for chunk in chunks for index in chunk]
            return [np.array(rows, np.float64)]

        holds, _, rows = self.printed(capsys, found)
        assert not holds
        assert [row[2] for row in rows] == ["50.0 ± 20.4", "16.7 ± 15.2"] * 2
        assert [row[3] for row in rows] == ["", "", "50.0", "25.0"]
        assert [row[4] for row in rows] == ["no", "yes"] * 2
