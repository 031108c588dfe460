"""What tests of differences say in words, in tables and in figures."""

from dataclasses import replace

import numpy as np
import pytest
from markupsafe import escape

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.significance import ComparedSystems, SignificanceOptions, compare
from bleuscope.content.sheets.html import html_table
from bleuscope.content.significance import significance_figures, significance_words
from bleuscope.content.significance.significance_sheets import selection_sheet
from bleuscope.content.style.identity import identities

HOSTILE = "<b>evil</b>"


def mean(counts):
    return counts[..., 0] / counts[..., 1]


def note_of(found):
    """How all pairs were tested."""
    return significance_words.method_note(found, found.pairs.values())


def dependence_of(found):
    """What is said of resembling segments beside all pairs."""
    return significance_words.dependence_words(found, found.pairs.values())


def system(name, *values):
    return name, np.stack([np.array(values), np.ones(len(values), int)], axis=1)


def compared(*systems, documents=None, by_score=False, higher_is_better=True, **options):
    given = ComparedSystems(systems, mean, higher_is_better, documents, by_score)
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


class TestStanding:
    def test_names_who_is_ahead_by_how_much_and_how_surely(self, three, read_html):
        text = read_html(significance_words.standing(three, ["better", "same", "base"], "base")).text
        assert text.startswith("better is ahead of base by 6.")
        assert "(95 % interval 5." in text
        assert "p\u00a0=\u00a0.002): more than chance would give." in text
        assert text.endswith("Not told apart from base: same.")

    def test_compares_the_best_baseline_with_the_next(self, three, read_html):
        text = read_html(significance_words.standing(three, ["better", "same", "base"], "better")).text
        assert text.startswith("better is ahead of same by")

    def test_of_one_system_is_empty(self):
        assert not significance_words.standing(compared(system("a", 1, 2)), ["a"], "a")

    def test_escapes_names(self):
        found = compared(system(HOSTILE, *range(30)), system("other", *range(5, 35)))
        assert HOSTILE not in escape(significance_words.standing(found, ["other", HOSTILE], "other"))


class TestPairSentence:
    def test_a_cluster_and_a_star_that_seem_to_contradict_each_other_are_explained(self, three, read_html):
        together = replace(three, clusters=(("better", "same", "base"),))
        text = read_html(significance_words.cluster_note(together, "base")).text
        assert text.startswith("better shares the cluster of base and yet is significantly apart from it:")
        assert "p corrected for all 3 pairs" in text
        assert not significance_words.cluster_note(three, "base")

    @pytest.mark.parametrize(("detectable", "is_said"), [(1e6, True), (0.0, False), (None, False)])
    def test_a_significant_difference_below_what_can_be_detected_is_said_to_overstate(
        self, three, read_html, detectable, is_said
    ):
        pair = replace(three.pair("better", "base"), smallest_detectable=detectable)
        assert three.is_significant(pair)
        text = read_html(significance_words.pair_sentence(three, pair)).text
        assert ("so the true one is probably smaller" in text) == is_said
        undecided = replace(pair, corrected_p_value=0.5)
        assert "probably smaller" not in read_html(significance_words.pair_sentence(three, undecided)).text

    def test_does_not_call_chance_a_difference(self, three, read_html):
        text = read_html(significance_words.pair_sentence(three, three.pair("same", "base"))).text
        assert text.endswith("Chance alone could well give that: it does not tell them apart.")

    @pytest.mark.parametrize(
        ("systems", "options", "said"),
        [
            (
                ladder(4),
                {"correction": "holm", "trials": 99},
                "99 trials are too few to show any difference among 6 comparisons: even one that none of them reaches "
                "is not significant. It takes 120 trials or the correction max-t.",
            ),
            (
                ladder(4),
                {"trials": 19},
                "19 trials are too few to show any difference among 6 comparisons: even one that none of them reaches "
                "is not significant. It takes 20 trials.",
            ),
            (
                ladder(2),
                {"test": "paired-bootstrap", "resamples": 10},
                "10 resamples are too few to show any difference: even one that none of them reaches is not "
                "significant. It takes 20 resamples.",
            ),
            (
                ladder(12),
                {"test": "sacrebleu-bs", "resamples": 1_000},
                "1\u202f000 resamples are too few to show any difference among 66 comparisons: even one that none of "
                "them reaches is not significant. It takes 1\u202f320 resamples.",
            ),
            (
                [system("s0", *[5] * 60), system("s1", *[9] * 3, *[5] * 57)],
                {},
                "So little differs that p can hardly fall below .250: the test shows nothing.",
            ),
            (
                [system("s0", *[5] * 60), system("s1", *[9] * 30, *[5] * 30)],
                {"test": "block-sign", "n_blocks": 4},
                "So little differs that p can hardly fall below .500: the test shows nothing.",
            ),
            (
                [system("s0", *[5] * 60), system("s1", 9, *[5] * 59)],
                {},
                "So little differs that p can hardly fall below 1: the test shows nothing.",
            ),
            (
                [system("s0", *[5] * 60), system("s1", *[30] * 21, *[4] * 39)],
                {"test": "block-sign", "n_blocks": 20},
                "The interval leaves out 0, the test does not bear that out: take it for undecided.",
            ),
        ],
    )
    def test_never_blames_chance_where_the_test_could_not_have_told(self, systems, options, said, read_html):
        found = compared(*systems, **options)
        text = read_html(significance_words.pair_sentence(found, found.pair("s1", "s0"))).text
        assert text.endswith(said)
        assert "chance" not in text.casefold()

    def test_says_what_many_comparisons_do_to_a_small_p(self, read_html):
        rng = np.random.default_rng(15)
        found = compared(
            *(system(f"s{place}", *rng.integers(0, 30, 80) + place // 2) for place in range(8)), trials=999
        )
        pair = min((one for one in found.pairs.values() if not found.is_significant(one)), key=lambda one: one.p_value)
        assert pair.p_value < 0.05 < pair.corrected_p_value
        assert read_html(significance_words.pair_sentence(found, pair)).text.endswith(
            "Among 28 comparisons chance could well give one like it: it does not tell them apart."
        )

    def test_turns_the_interval_to_the_leading_system(self, three, read_html):
        one = read_html(significance_words.pair_sentence(three, three.pair("base", "better"))).text
        assert one == read_html(significance_words.pair_sentence(three, three.pair("better", "base"))).text

    def test_says_the_same_of_equal_scores(self, read_html):
        found = compared(system("a", 1, 2, 3), system("b", 3, 2, 1))
        text = read_html(significance_words.pair_sentence(found, found.pair("a", "b"))).text
        assert text == "a and b have the same score."

    @pytest.mark.parametrize(
        ("texts", "said"),
        [
            ("cat dog", " BLEU is 0 because no text is longer than 1 word, and it counts sequences of up to 4 words: "),
            ("cat_dog cat_mouse", " BLEU is 0 because no text is longer than 2 words, and"),
            ("x_x_x_x x_x_x_x", " No text has a word of its references."),
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
        assert significance_words.zero_words(evaluate(long)).endswith("so much shorter than their references.")

    def test_gives_the_reason_where_there_is_no_test(self, read_html):
        found = compared(system("a", 1, 2, 3), system("b", 4, 5, 9), test="block-t", n_blocks=1)
        text = read_html(significance_words.pair_sentence(found, found.pair("a", "b"))).text
        assert "One block has no variance" in text

    def test_puts_the_lower_score_ahead_where_lower_is_better(self, read_html):
        found = compared(system("few", *range(30)), system("many", *range(5, 35)), higher_is_better=False)
        text = read_html(significance_words.pair_sentence(found, found.pair("many", "few"), unit="TER")).text
        assert text.startswith("few is ahead of many by 5.00 TER")


class TestMethodNote:
    def test_names_test_extent_correction_level_and_seed(self, three, read_html):
        assert read_html(significance_words.method_note(three, three.pairs.values())).text == (
            "Approximate randomisation, 499 trials over 60 segments in 12 documents; p corrected for all 3 pairs "
            "(step-down max-T); significant below .05; seed 12345."
        )

    def test_names_the_family_of_each_p_value_shown(self, three):
        planned = three.with_baseline("base")
        with_baseline, elsewhere = planned.pair("same", "base"), planned.pair("same", "better")
        family = "p corrected for 2 comparisons with the baseline base"
        assert f"{family} (step-down" in significance_words.method_words(planned, [with_baseline])
        assert "p corrected for all 3 pairs (step-down" in significance_words.method_words(planned, [elsewhere])
        both = significance_words.method_words(planned, [with_baseline, elsewhere])
        assert f"{family}, and all 3 pairs where it is not one of them (step-down" in both

    def test_says_that_documents_are_drawn_whole(self, three, read_html):
        rng = np.random.default_rng(1)
        found = compared(
            system("a", *rng.integers(0, 9, 60)),
            system("b", *rng.integers(0, 9, 60)),
            documents=[f"d{place}" for place in range(60)],
            unit="document",
            correction="none",
        )
        text = read_html(note_of(found)).text
        assert text == (
            "Approximate randomisation, 499 trials over 60 documents taken whole (60 segments); "
            "significant below .05; seed 12345."
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
        assert text.startswith("Sign test, 6 blocks over 30 segments;")
        documents = [f"d{place % 10}" for place in range(30)]
        found = compared(one, two, test="block-t", unit="document", documents=documents)
        text = read_html(note_of(found)).text
        assert text.startswith("Paired t-test, 10 blocks over 10 documents taken whole (30 segments);")

    def test_warns_of_sacrebleus_test_and_of_a_selection(self, read_html):
        a, b = (np.random.default_rng(seed).integers(0, 30, 30) for seed in (1, 2))
        found = compared(system("a", *a), system("b", *b), by_score=True, test="sacrebleu-bs", resamples=100)
        texts = [element.text for element in read_html(note_of(found)).of_class("bs-warning")]
        assert texts[0].startswith("These segments were selected by their scores.")
        assert texts[1].startswith("sacreBLEU's paired bootstrap gives p-values that are too small")

    def test_says_when_nothing_is_corrected(self, read_html):
        systems = (system(name, *range(start, start + 30)) for start, name in enumerate("abc"))
        found = compared(*systems, correction="none")
        assert "p not corrected for all 3 pairs" in significance_words.method_words(found, found.pairs.values())


class TestDependence:
    """What is said where segments were drawn that resemble each other."""

    @staticmethod
    def found(n_documents, *, documents=True, **options):
        """Two systems of ten segments a document; what they differ by is common to the document."""
        rng = np.random.default_rng(5)
        of_document, lead = (np.repeat(rng.normal(0, 20, n_documents), 10) for _ in range(2))
        base = np.rint(500 + of_document + rng.normal(0, 20, 10 * n_documents)).astype(int)
        other = np.rint(base + 5 + lead + rng.normal(0, 9, len(base))).astype(int)
        known = [f"d{place // 10}" for place in range(len(base))] if documents else None
        return compared(system("base", *base), system("other", *other), documents=known, **options)

    def test_of_few_documents_is_said_with_the_stars_that_it_takes(self, read_html):
        found = self.found(20)
        assert dependence_of(found) == (
            "Segments of a document resemble each other: with 20 documents taken whole, intervals are about 2.3 times "
            "as wide for scores and 2.7 times for differences; 1 of 1 significant pair loses its star."
        )
        warnings = read_html(note_of(found)).of_class("bs-warning")
        assert [element.text for element in warnings] == [dependence_of(found)]

    def test_of_enough_documents_is_said_only_where_segments_were_chosen(self):
        assert significance_words.dependence_words(self.found(60)) == ""
        words = significance_words.dependence_words(self.found(60, unit="segment"))
        assert "with 60 documents taken whole" in words
        assert words.endswith(" Draw by document.")

    def test_without_documents_names_the_blocks_of_neighbours_and_what_to_give(self):
        words = significance_words.dependence_words(self.found(60, documents=False))
        assert words.startswith("Neighbouring segments resemble each other: in blocks of 8, intervals are about 1.9")
        assert words.endswith("Give the document of each segment to draw documents whole.")

    def test_of_tests_over_blocks_counts_no_stars(self):
        assert "star" not in significance_words.dependence_words(self.found(20, test="block-t"))

    def test_of_one_system_speaks_of_scores_alone(self):
        one = compared(system("base", *range(200)), documents=[f"d{place // 10}" for place in range(200)])
        assert significance_words.dependence_words(one).endswith("about 3.2 times as wide for scores.")

    def test_of_independent_segments_is_nothing(self, three):
        assert significance_words.dependence_words(three) == ""

    def test_counts_the_stars_of_what_is_shown(self):
        rng = np.random.default_rng(7)
        of_document = np.repeat(rng.normal(0, 20, 20), 10)
        values = [np.rint(500 + step + of_document * (place + 1)).astype(int) for place, step in enumerate((0, 9, 60))]
        documents = [f"d{place // 10}" for place in range(200)]
        found = compared(*(system(name, *each) for name, each in zip("abc", values, strict=True)), documents=documents)
        with_a, with_c = (found.with_baseline(name).against(name).values() for name in "ac")
        assert [found.keeps_star(one) for one in with_c] == [True, True]
        assert "star" not in significance_words.dependence_words(found, with_c)
        all_pairs = dependence_of(found)
        assert "; 1 of 3 significant pairs loses its star." in all_pairs
        assert "; 1 of 2 significant pairs loses its star." in significance_words.dependence_words(found, with_a)

    def test_stands_beside_the_verdict_of_a_pair(self, read_html):
        found = self.found(20)
        text = read_html(significance_words.pair_verdict(found, found.pair("other", "base"), "BLEU")).text
        assert (
            "Segments resemble each other here, which makes this interval too narrow: allowing for that, it is about "
            "2.7 times as wide, and the difference would not be significant."
        ) in text
        by_document = self.found(20, unit="document")
        pair = by_document.pair("other", "base")
        assert "resemble" not in read_html(significance_words.pair_verdict(by_document, pair, "BLEU")).text


class TestOtherWords:
    def test_power_says_what_is_detectable_and_what_it_would_take(self, three, read_html):
        text = read_html(significance_words.power_verdict(three, three.pair("same", "base"), "BLEU")).text
        assert "this test set shows a true difference of" in text
        assert "To show a difference of" in text
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
        assert text.startswith("Without variation between resamples nothing can be said")

    def test_clusters_are_counted(self, three, read_html):
        text = read_html(significance_words.clusters_verdict(three)).text
        assert text == "Of 3 pairs, 2 are significant; they fall into 2 clusters."

    def test_remarks_name_their_pairs_once(self, read_html):
        found = compared(system("a", 1, 2), system("b", 1, 2), system("c", 1, 2))
        text = read_html(significance_words.remarks(found, list(found.pairs.values()))).text
        assert text.startswith("a and b; a and c; b and c: The systems have identical counts in every segment")

    def test_remarks_leave_out_significant_pairs(self, read_html):
        found = compared(*ladder(2), ("twin", ladder(2)[1][1]))
        assert found.is_significant(found.pair("s0", "s1"))
        assert found.pair("s0", "s1").remark.startswith("No draw of 499 reached the difference")
        text = read_html(significance_words.remarks(found, list(found.pairs.values()))).text
        assert text.startswith("s1 and twin: The systems have identical counts in every segment")
        assert "No draw" not in text
        assert not significance_words.remarks(found, [found.pair("s0", "s1")])

    def test_a_pair_verdict_has_the_remark_of_a_significant_pair(self, three, read_html):
        said = read_html(significance_words.pair_verdict(three, three.pair("better", "base"), "BLEU"))
        assert [note.text for note in said.of_class("bs-source")] == [
            "No draw of 499 reached the difference: p is the smallest that so many draws can show, 1 / 500."
        ]
        said = read_html(significance_words.pair_verdict(three, three.pair("same", "base"), "BLEU"))
        assert not said.of_class("bs-source")

    def test_a_pair_verdict_also_gives_p_without_correction(self, three, read_html):
        text = read_html(significance_words.pair_verdict(three, three.pair("better", "base"), "BLEU")).text
        assert "As the only comparison" not in text
        by_holm = compared(*ladder(3), correction="holm")
        text = read_html(significance_words.pair_verdict(by_holm, by_holm.pair("s1", "s0"), "BLEU")).text
        assert (
            "p\u00a0=\u00a0.006): more than chance would give. As the only comparison it would have p\u00a0=\u00a0.002."
            in text
        )


class TestTables:
    def test_significant_p_values_are_marked_and_selections_are_scored_best_first(self, three, read_html):
        html = html_table(selection_sheet(three.with_baseline("base"), "base"), identities(three.names, "base"))
        rows = {row[0][1:]: row for row in read_html(html).rows()[1:]}
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
