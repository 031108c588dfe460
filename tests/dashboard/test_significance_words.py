"""What significance tests say in words, in tables and in figures."""

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.significance import ComparedSystems, SignificanceOptions, compare
from bleuscope.content.sheets.html import html_table
from bleuscope.content.significance import significance_figures, significance_words
from bleuscope.content.significance.significance_sheets import selection_sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import identities

HOSTILE = "<b>evil</b>"


def mean(counts):
    return counts[..., 0] / counts[..., 1]


def note_of(found):
    """How all pairs were tested."""
    return significance_words.method_note(found, found.pairs.values())


def system(name, *values):
    return name, np.stack([np.array(values), np.ones(len(values), int)], axis=1)


def compared(*systems, documents=None, by_score=False, higher_is_better=True, **options):
    given = ComparedSystems(systems, mean, higher_is_better, documents, selected_by_score=by_score)
    return compare(given, SignificanceOptions(**{"trials": 499, **options}))


@pytest.fixture(scope="module")
def three():
    """A baseline, a clearly better system, and one that is hardly better; 60 segments in 12 documents."""
    rng = np.random.default_rng(1)
    quality = rng.integers(30, 60, 60)
    systems = [
        system("base", *quality),
        system("better", *(quality + 6 + rng.integers(-4, 5, 60))),
        system("same", *(quality + rng.integers(-9, 10, 60))),
    ]
    return compared(*systems, documents=[f"d{place // 5}" for place in range(60)])


def ladder(n_systems):
    """Systems in steps far above the noise."""
    rng = np.random.default_rng(3)
    return [system(f"s{place}", *(20 * place + rng.integers(-3, 4, 60))) for place in range(n_systems)]


class TestResolution:
    @pytest.mark.parametrize(
        ("systems", "options", "said"),
        [
            (
                4,
                {"correction": "holm", "trials": 99},
                "99 trials are too few to show any difference among 6 comparisons: even one that none of them reaches "
                "is not significant. It takes 120 trials or the correction max-t.",
            ),
            (
                4,
                {"trials": 19},
                "19 trials are too few to show any difference among 6 comparisons: even one that none of them reaches "
                "is not significant. It takes 30 trials.",
            ),
            (
                2,
                {"test": "paired-bootstrap", "resamples": 10},
                "10 resamples are too few to show any difference: even one that none of them reaches is not "
                "significant. It takes 20 resamples.",
            ),
            (
                12,
                {"test": "sacrebleu-bs", "resamples": 1_000},
                "1\u202f000 resamples are too few to show any difference among 66 comparisons: even one that none of "
                "them reaches is not significant. It takes 1\u202f320 resamples.",
            ),
        ],
    )
    def test_too_few_draws_are_said_with_what_it_takes(self, systems, options, said):
        found = compared(*ladder(systems), **options)
        assert significance_words.resolution_words(found.options, len(found.pairs)) == said


class TestZeroScores:
    @pytest.mark.parametrize(
        ("texts", "said"),
        [
            ("cat dog", " BLEU is 0 because no text is longer than 1 word, and it counts sequences of up to 4 words: "),
            ("cat_dog cat_mouse", " BLEU is 0 because no text is longer than 2 words, and"),
            ("x_x_x_x x_x_x_x", " No text shares a word with its references."),
            ("a_b_c_d cat", ""),
        ],
    )
    def test_says_why_every_score_is_zero(self, texts, said):
        systems = {name: [text.replace("_", " ")] for name, text in zip("ab", texts.split(), strict=True)}
        reference = "a b c d" if not said else "cat owl elk" if "cat" in texts else "hen"
        test_set = TestSet([System(*one) for one in systems.items()], [[reference]])
        words = significance_words.zero_words(evaluate(test_set))
        assert words.startswith(said)
        assert bool(words) == bool(said)

    def test_says_why_every_score_is_zero_where_some_words_match(self):
        reference = ["a b c d e f"]
        test_set = TestSet([System("a", ["a b x d y z"]), System("b", ["x y z a b x"])], [reference])
        words = significance_words.zero_words(evaluate(test_set, BleuOptions(smoothing="none")))
        assert words.startswith(" BLEU is 0 because no text has more than 2 words of its references in a row: choose")
        long = TestSet([System("a", ["a b c d e f"])], [[" ".join(["a b c d e f"] * 1_000)]])
        assert significance_words.zero_words(evaluate(long)).endswith("much shorter than their references.")


class TestMethodNote:
    def test_names_test_extent_correction_intervals_level_and_seed(self, three, read_html):
        assert read_html(significance_words.method_note(three, three.pairs.values())).text == (
            "Approximate randomisation, 499 trials over 12 documents (60 segments). p corrected for 2 comparisons with "
            "the best, else for all 3 pairs (step-down max-T). 95 % intervals: CR2 for scores, "
            "simultaneous for differences. Significant below .05, seed 12345."
        )

    def test_names_the_family_of_each_p_value_shown(self, three):
        planned = three.with_baseline("base")
        with_baseline, with_best = planned.pair("same", "base"), planned.pair("same", "better")
        family = "p corrected for 2 comparisons with the baseline base"
        assert f"{family} (step-down" in significance_words.method_words(planned, [with_baseline])
        assert "p corrected for 2 comparisons with the best (step-down" in significance_words.method_words(
            planned, [with_best]
        )
        both = significance_words.method_words(planned, [with_baseline, with_best])
        assert f"{family}, else for 2 comparisons with the best (step-down" in both
        elsewhere = significance_words.method_words(three, [three.pair("same", "base")])
        assert "p corrected for all 3 pairs (step-down" in elsewhere

    @pytest.mark.parametrize("baseline", [None, "base"])
    @pytest.mark.parametrize("n_documents", [1, 2, 3, 5])
    def test_of_few_documents_says_that_there_is_no_test(self, read_html, n_documents, baseline):
        systems = [system(name, *range(start, start + 60)) for start, name in enumerate(("base", "new", "other"))]
        found = compared(*systems, documents=[f"d{place * n_documents // 60}" for place in range(60)])
        found = found.with_baseline(baseline)
        documents = "1 document" if n_documents == 1 else f"{n_documents} documents"
        text = read_html(note_of(found)).text
        assert text == f"No test and no intervals over {documents} (60 segments)."
        assert {(one.p_value, one.corrected_p_value) for one in found.against("base").values()} == {(None, None)}

    def test_of_a_test_by_segment_says_why_there_are_no_stars(self, read_html):
        found = compared(*ladder(2), documents=[f"d{place // 5}" for place in range(60)], unit="segment")
        texts = [element.text for element in read_html(note_of(found)).of_class("bs-warning")]
        assert texts == [significance_words.stars_words(found)]
        assert "60 segments in 12 documents" in read_html(note_of(found)).text

    def test_of_a_single_comparison_names_no_family(self, read_html):
        rng = np.random.default_rng(1)
        found = compared(
            system("a", *rng.integers(0, 9, 62)),
            system("b", *rng.integers(0, 9, 62)),
            documents=[f"d{place}" for place in range(62)],
            unit="document",
            correction="none",
        )
        text = read_html(note_of(found)).text
        assert text == (
            "Approximate randomisation, 499 trials over 62 documents (62 segments). 95 % intervals: expanded "
            "percentiles. Significant below .05, seed 12345."
        )

    @pytest.mark.parametrize(("options", "warns"), [({}, True), ({"n_blocks": 9}, False), ({"unit": "segment"}, False)])
    def test_warns_of_blocks_of_unequal_size_where_these_are_documents(self, read_html, options, warns):
        rng = np.random.default_rng(1)
        systems = (system(name, *rng.integers(0, 9, 90)) for name in "ab")
        found = compared(*systems, documents=[f"d{place % 60}" for place in range(90)], test="block-t", **options)
        texts = [element.text for element in read_html(note_of(found)).of_class("bs-warning")]
        assert texts == ([significance_words.DOCUMENTS_AS_BLOCKS] if warns else [])

    def test_counts_the_blocks_of_tests_over_blocks(self, read_html):
        one, two = system("a", *range(30)), system("b", *range(5, 35))
        found = compared(one, two, test="block-sign", n_blocks=6)
        text = read_html(note_of(found)).text
        assert text.startswith("Sign test over 6 blocks of 5 segments. Intervals over 15 blocks of 2 neighbouring")
        documents = [f"d{place % 10}" for place in range(30)]
        found = compared(one, two, test="block-t", unit="document", documents=documents)
        text = read_html(note_of(found)).text
        assert text.startswith("Paired t-test over 10 documents (30 segments).")

    def test_warns_of_sacrebleus_test_and_of_a_selection(self, read_html):
        a, b = (np.random.default_rng(seed).integers(0, 30, 30) for seed in (1, 2))
        found = compared(system("a", *a), system("b", *b), by_score=True, test="sacrebleu-bs", resamples=100)
        texts = [element.text for element in read_html(note_of(found)).of_class("bs-warning")]
        assert texts[0].startswith("These segments were selected by their scores, so a test cannot show")
        assert texts[1].startswith("sacreBLEU's p-values are too small")

    def test_says_when_nothing_is_corrected(self, read_html):
        systems = (system(name, *range(start, start + 30)) for start, name in enumerate("abc"))
        found = compared(*systems, correction="none")
        assert "p not corrected for all 3 pairs" in significance_words.method_words(found, found.pairs.values())


class TestOtherWords:
    def test_power_says_what_is_detectable_and_what_it_would_take(self, three, read_html):
        text = read_html(significance_words.power_verdict(three, three.pair("same", "base"), "BLEU")).text
        assert "this test set detects true differences of" in text
        assert "Detecting 1.22 takes about 80 documents; there are 12." in text
        assert "with 80 % power (p corrected for 3 comparisons)." in text
        assert "Over all pairs, the smallest detectable difference is" in text

    @pytest.mark.parametrize(
        ("needed", "words"),
        [
            (19, "fewer than 20"),
            (20, "about 20"),
            (7_548, "about 7\u202f500"),
            (100_000, "about 100\u202f000"),
            (3_402_635, "more than 100\u202f000"),
        ],
    )
    def test_an_estimate_of_what_it_would_take_is_no_more_exact_than_it_is(self, needed, words):
        assert significance_words.needed_words(needed) == words

    def test_power_without_variation_says_so(self, read_html):
        found = compared(system("a", 1, 2, 3), system("b", 1, 2, 3))
        text = read_html(significance_words.power_verdict(found, found.pair("a", "b"), "BLEU")).text
        assert text.startswith("A test needs at least 6 segments, and there are 3.")
        found = compared(system("a", *range(9)), system("b", *range(9)))
        text = read_html(significance_words.power_verdict(found, found.pair("a", "b"), "BLEU")).text
        assert text.startswith("All resamples are equal")

    def test_clusters_are_counted(self, three, read_html):
        text = read_html(significance_words.clusters_verdict(three)).text
        assert text == "2 of 3 differences are significant; the systems fall into 2 clusters."

    def test_remarks_name_their_pairs_once(self, read_html):
        found = compared(*(system(name, *range(60)) for name in "abc"))
        text = read_html(significance_words.remarks(found, list(found.pairs.values()))).text
        assert text.startswith("a and b; a and c; b and c: The systems have identical counts in every block")

    def test_that_a_test_is_exact_is_said_once_for_all_pairs(self, read_html):
        documents = [f"d{place // 5}" for place in range(60)]
        rng = np.random.default_rng(1)
        found = compared(*(system(name, *rng.integers(9, size=60)) for name in "abc"), documents=documents, trials=9999)
        assert found.n_exchanges == 2048
        assert found.pair("a", "b").remark == f"The test is exact: it makes all {numbers.count(2048)} exchanges."
        assert not significance_words.remarks(found, list(found.pairs.values()))
        assert f"all {numbers.count(2048)} exchanges" in read_html(note_of(found)).text

    def test_remarks_leave_out_significant_pairs(self, read_html):
        found = compared(*ladder(2), ("twin", ladder(2)[1][1]))
        assert found.is_significant(found.pair("s0", "s1"))
        assert found.pair("s0", "s1").remark.startswith("No draw of 499 reached the difference")
        text = read_html(significance_words.remarks(found, list(found.pairs.values()))).text
        assert text.startswith("s1 and twin: The systems have identical counts in every block")
        assert "No draw" not in text
        assert not significance_words.remarks(found, [found.pair("s0", "s1")])


class TestTables:
    def test_significant_p_values_are_marked_and_selections_are_scored_best_first(self, three, read_html):
        html = html_table(selection_sheet(three.with_baseline("base"), "base"), identities(three.names, "base"))
        rows = {row[0]: row for row in read_html(html).rows()[1:]}
        assert next(iter(rows)) == "better"
        assert (rows["better"][5][-1], rows["base"][3], rows["base"][5]) == ("*", "baseline", "–")
        assert "*" not in rows["same"][5]

    def test_a_system_without_a_test_says_why(self, read_html):
        found = compared(system("a", 1, 2), system("b", 1, 2), test="block-t", n_blocks=2)
        page = read_html(html_table(selection_sheet(found, "a"), identities(found.names, "a")))
        assert page.rows()[2][-1] == "no test"
        assert found.against("a")["b"].remark in page.titles()


class TestFigures:
    def test_null_marks_the_observed_difference_and_what_lies_beyond(self, three):
        figure = significance_figures.null_figure(three.null_test("better", "base"), "BLEU")
        assert sum(figure.data[0].y) == 499
        assert figure.layout.shapes[0].x0 == three.pair("better", "base").difference

    def test_bootstrap_shades_the_interval(self, three):
        pair = three.pair("better", "base")
        figure = significance_figures.bootstrap_figure(pair, three.resampled_differences("better", "base"), "BLEU")
        assert any((shape.x0, shape.x1) == pair.interval for shape in figure.layout.shapes)
        assert sum(figure.data[0].y) == 1000

    def test_power_falls_with_the_root_of_the_size(self, three):
        pair = three.pair("same", "base")
        line = significance_figures.power_figure(three, pair, "BLEU").data[0]
        assert line.y[0] / line.y[-1] == pytest.approx((line.x[-1] / line.x[0]) ** 0.5)
