"""Presets: the numbers of the tools they name, on text of our own, and the definitions these come from.

The expected numbers were printed by the tools themselves: NLTK 3.10.4, Moses' mteval-v13a.pl and multi-bleu.perl
(made to print twelve decimals), iBLEU's bleu.js under node, the functions of TorchMetrics 1.9.0 and of Tensor2Tensor,
and the files that Hugging Face's evaluate fetches for its metric bleu.
"""

from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.metrics.bleu import scores
from bleucore.metrics.presets import PRESETS, preset

TEXT = (
    [
        "The École opened its doors at 8.30 , and 42% of the Pupils came late .",
        "&quot;Late again&quot; , she said .",
        "Yes !",
        "the river_bank was dry",
        "Nobody sang .",
        "",
    ],
    [
        [
            "The École opened its doors at 8.30 and 42% of all pupils came late .",
            "&quot;Late once more&quot; , he said .",
            "Yes !",
            "The river_bank was very dry today",
            "Everyone slept .",
            "so be it",
        ],
        [
            "At 8.30 the école opened , but 42% of the pupils were late .",
            "&quot;Again late&quot; , she sighed and left .",
            "Oh yes",
            "the bank was dry",
            "A bird sang .",
            "",
        ],
    ],
)
"""Entities, capitals within and beyond ASCII, %, _, short segments, an empty hypothesis, an empty reference."""
SHORT = (["a b c d e f", "a b", "c"], [["a b c d x f", "a b", "d"]])
TIE = 57.89300674674098
LONE = (["the old clock in the hall struck seven"], [["the old clock in our hall struck seven times"]])


def scored(text, options):
    """The result of one system."""
    hypotheses, references = text
    return evaluate(TestSet([System("s", hypotheses)], references), options).systems["s"]


def corpus_score(text, name, **change):
    return scored(text, replace(PRESETS[name].options, **change)).score.score


class TestRegistry:
    def test_has_each_preset_under_its_name(self):
        assert all(name == each.name for name, each in PRESETS.items())
        assert list(PRESETS) == [
            *("sacrebleu", "mteval-v13a", "multi-bleu"),
            *(f"nltk-{method}" for method in range(8)),
            *("hf-evaluate", "torchmetrics", "tensor2tensor"),
            *("ibleu", "papineni-2002"),
        ]

    def test_says_of_each_what_it_is_and_from_where(self):
        for each in PRESETS.values():
            assert each.description.endswith(".")
            assert each.source
            assert each.limits is None or each.limits.endswith(".")

    def test_tells_all_presets_apart_by_their_signatures(self):
        assert len({each.options.signature(1) for each in PRESETS.values()}) == len(PRESETS)

    def test_cannot_be_changed(self):
        with pytest.raises(TypeError):
            PRESETS["mine"] = PRESETS["sacrebleu"]

    def test_gives_a_preset_by_name(self):
        assert preset("ibleu") is PRESETS["ibleu"]

    def test_refuses_a_name_that_it_does_not_have(self):
        with pytest.raises(InputError) as caught:
            preset("nltk")
        names = (
            "sacrebleu, mteval-v13a, multi-bleu, nltk-0, nltk-1, nltk-2, nltk-3, nltk-4, nltk-5, nltk-6, nltk-7, "
            "hf-evaluate, torchmetrics, tensor2tensor, ibleu"
        )
        assert str(caught.value) == (
            f"Preset: there is no preset of this name (found 'nltk', expected {names}, papineni-2002). "
            "Choose one of these, or give BleuOptions."
        )


class TestSacrebleu:
    def test_is_the_default(self):
        assert PRESETS["sacrebleu"].options == BleuOptions()

    @pytest.mark.parametrize("text", [TEXT, SHORT, LONE])
    def test_scores_as_sacrebleu(self, text):
        assert corpus_score(text, "sacrebleu") == pytest.approx(BLEU().corpus_score(*text).score, abs=1e-9)


class TestMtevalV13a:
    @pytest.mark.parametrize(
        ("text", "score", "segments"),
        [
            (TEXT, 68.43321648, [77.8158127131, 27.5686731819, 100, 90.360200361, 63.8943104246, 0]),
            (SHORT, 54.2192187233, [53.7284965912, 100, 84.0896415254]),
            (LONE, 44.1248451292, [44.1248451292]),
        ],
    )
    def test_scores_corpus_and_segments_as_the_script(self, text, score, segments):
        found = scored(text, PRESETS["mteval-v13a"].options)
        assert found.score.score == pytest.approx(score, abs=1e-9)
        assert found.segment_scores == pytest.approx(segments, abs=1e-9)

    def test_scores_as_the_script_with_its_option_to_keep_case(self):
        found = scored(TEXT, replace(PRESETS["mteval-v13a"].options, lowercase=False))
        assert found.score.score == pytest.approx(56.7191152044, abs=1e-9)
        assert found.segment_scores == pytest.approx(
            [65.2719665322, 26.6635442971, 100, 66.8740304976, 63.8943104246, 0], abs=1e-9
        )

    def test_lowers_a_to_z_only(self):
        text = ["ÉTÉ Paris a b"], [["été paris a b"]]
        assert scored(text, PRESETS["mteval-v13a"].options).score.matches.tolist() == [3, 2, 1, 0]

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "score"),
        [
            ("yes", "no", 84.0896),
            ("a b c d e", "v w x y z", 5.3411),
            ("a b c", "a b c", 100),
            ("", "a", 0),
            ("", "", 0),
        ],
    )
    def test_scores_the_micro_examples(self, hypothesis, reference, score):
        assert corpus_score(([hypothesis], [[reference]]), "mteval-v13a") == pytest.approx(score, abs=5e-5)

    def test_takes_the_shortest_length_as_the_script_with_that_option(self):
        text = ["a b c d e x"], [["a b c d e y z"], ["q r s"]]
        assert corpus_score(text, "mteval-v13a") == pytest.approx(64.3187, abs=5e-5)
        assert corpus_score(text, "mteval-v13a", reference_length="shortest") == pytest.approx(75.9836, abs=5e-5)


class TestMultiBleu:
    @pytest.mark.parametrize(
        ("text", "score"), [(TEXT, 47.966542862418), (SHORT, 54.21921872326), (LONE, 44.12484512923)]
    )
    def test_scores_as_the_script(self, text, score):
        assert corpus_score(text, "multi-bleu") == pytest.approx(score, abs=1e-9)

    @pytest.mark.parametrize("hypothesis", ["a b c x", "a b c", "x", ""])
    def test_is_0_without_a_match_of_any_one_order(self, hypothesis):
        assert corpus_score(([hypothesis], [["a b c d"]]), "multi-bleu") == 0.0

    def test_separates_tokens_at_bytes_and_so_not_at_a_no_break_space(self):
        assert scored((["a\u00a0b c"], [["a b c"]]), PRESETS["multi-bleu"].options).score.totals[0] == 2


NLTK = [
    # method, corpus and segments of TEXT, corpus and segments of SHORT, LONE; None where NLTK stops
    (
        0,
        (
            44.24572739177772,
            [
                *(58.964120249738116, 9.594215925295645e-153, 1.491668146240062e-152),
                *(1.347874325663466e-152, 1.133422688662942e-152, 0.0),
            ],
        ),
        (41.488865152565225, [53.7284965911771, 1.491668146240062e-152, 0.0]),
        44.124845129229776,
    ),
    (
        1,
        (
            44.24572739177772,
            [58.964120249738116, 10.928032077900921, 31.6227766016838, 24.028114141347544, 24.028114141347544, 0.0],
        ),
        (41.488865152565225, [53.7284965911771, 31.6227766016838, 0.0]),
        44.124845129229776,
    ),
    (
        2,
        (
            47.33976808669417,
            [62.302638558095936, 32.15935109119012, 70.71067811865476, 59.46035575013605, 57.735026918962575, 0.0],
        ),
        (51.334504804017044, [63.89431042462724, 70.71067811865476, 0.0]),
        52.47357977607321,
    ),
    (
        3,
        (
            44.24572739177772,
            [58.964120249738116, 20.547995616750764, 59.46035575013605, 45.18010018049224, 45.18010018049224, 0.0],
        ),
        (41.488865152565225, [53.7284965911771, 59.46035575013605, 0.0]),
        44.124845129229776,
    ),
    (
        4,
        (
            44.24572739177772,
            [58.964120249738116, 12.300543931351683, 22.138858862513068, 23.789752058541684, 21.177974141341938, 0.0],
        ),
        (41.488865152565225, [53.7284965911771, 22.138858862513068, 0.0]),
        44.124845129229776,
    ),
    (
        5,
        (
            50.988835162275656,
            [68.20061480141607, 21.332788561609803, 39.04229971285616, 32.60321821955115, 24.996997924056803, 0.0],
        ),
        (47.93614990879412, [58.59402341761669, 39.04229971285616, 0.0]),
        50.2518442497486,
    ),
    (
        6,
        (170.63196024896644, [60.74178484850986, None, None, None, None, 0.0]),
        (84.15015129593588, [53.23655935657039, None, 0.0]),
        49.829956246236,
    ),
    (
        7,
        (
            50.988835162275656,
            [68.20061480141607, 24.32293312673303, 43.58979683151974, 39.09756173549657, 32.003976141564586, 0.0],
        ),
        (47.93614990879412, [58.59402341761669, 43.58979683151974, 0.0]),
        50.2518442497486,
    ),
]


class TestNltk:
    @pytest.mark.parametrize(("method", "text", "short", "lone"), NLTK)
    def test_segments_score_as_sentence_bleu(self, method, text, short, lone):
        options = PRESETS[f"nltk-{method}"].options
        for data, expected in ((TEXT, text[1]), (SHORT, short[1]), (LONE, [lone])):
            found = scored(data, options).segment_scores
            assert found == pytest.approx([score or 0.0 for score in expected], rel=1e-9, abs=0)

    @pytest.mark.parametrize(("method", "text", "short", "lone"), NLTK[:5])
    def test_corpora_score_as_corpus_bleu_with_methods_0_to_4(self, method, text, short, lone):
        found = [corpus_score(data, f"nltk-{method}") for data in (TEXT, SHORT, LONE)]
        assert found == pytest.approx([text[0], short[0], lone], rel=1e-9)

    @pytest.mark.parametrize(("method", "text", "short", "lone"), NLTK)
    def test_corpora_score_as_corpus_bleu_with_any_method_once_the_last_segment_is_given(
        self, method, text, short, lone
    ):
        options = PRESETS[f"nltk-{method}"].options
        for data, expected in ((TEXT, text[0]), (SHORT, short[0]), (LONE, lone)):
            counts = scored(data, options).counts
            found = scores(counts.sum(axis=0), options, last_segment=counts[-1])
            assert found == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize("method", [5, 6, 7])
    def test_corpora_score_the_same_in_any_order_where_corpus_bleu_does_not(self, method):
        name, backwards = f"nltk-{method}", ([*TEXT[0][::-1]], [column[::-1] for column in TEXT[1]])
        assert corpus_score(TEXT, name) == pytest.approx(corpus_score(backwards, name))
        counts = [scored(text, PRESETS[name].options).counts for text in (TEXT, backwards)]
        theirs = [scores(each.sum(axis=0), PRESETS[name].options, last_segment=each[-1]) for each in counts]
        assert abs(theirs[0] - theirs[1]) > 1

    def test_a_perfect_corpus_of_short_segments_is_not_perfect(self):
        text = ["a b c", "d e f"], [["a b c", "d e f"]]
        assert corpus_score(text, "nltk-3") == pytest.approx(70.7107, abs=5e-5)
        assert corpus_score(text, "nltk-0") == pytest.approx(0, abs=1e-70)
        assert corpus_score(text, "sacrebleu") == 0

    @pytest.mark.parametrize("method", range(8))
    def test_no_match_scores_0(self, method):
        assert corpus_score((["yes"], [["no"]]), f"nltk-{method}") == 0.0

    @pytest.mark.parametrize(
        ("weights", "score"),
        [
            # nltk.translate.bleu_score.corpus_bleu(..., weights, SmoothingFunction().method3) of TEXT
            ((0.4, 0.3, 0.2, 0.1), 56.87274603093944),
            ((1,), 87.5),
            ((0.5, 0.5), 74.22438453270772),
            ((0.1, 0.2, 0.3, 0.4), 34.42218864133106),
            ((0, 0, 0, 1), 20.0),
        ],
    )
    def test_weights_are_those_of_corpus_bleu(self, weights, score):
        assert corpus_score(TEXT, "nltk-3", max_order=len(weights), weights=weights) == pytest.approx(score, rel=1e-9)


CLOSEST = (["a b c d e x"], [["a b c d e y z"], ["q r s"]])
FIRST_OF_TWO = (["a b c d e"], [["a b c d x e"], ["q r s t"]])
NO_4_GRAM = (["a b c x"], [["a b c d"]])
NO_LONGER = (["a b c"], [["a b c"]])
NEITHER = (["yes"], [["no"]])


class TestHfEvaluate:
    @pytest.mark.parametrize(
        ("text", "score"),
        [
            (TEXT, 56.7191152043597),
            (SHORT, 54.21921872325952),
            (CLOSEST, 75.98356856515926),
            (FIRST_OF_TWO, 70.71067811865474),
            *((text, 0) for text in (NO_4_GRAM, NO_LONGER, NEITHER)),
        ],
    )
    def test_scores_as_its_metric_bleu(self, text, score):
        assert corpus_score(text, "hf-evaluate") == pytest.approx(score, abs=1e-9)


class TestTorchmetrics:
    @pytest.mark.parametrize(
        ("text", "score"),
        [
            (TEXT, 47.9665428624182),
            (SHORT, 54.21921872325952),
            (CLOSEST, 64.31870218238024),
            (FIRST_OF_TWO, TIE),
            *((text, 0) for text in (NO_4_GRAM, NO_LONGER, NEITHER)),
        ],
    )
    def test_scores_as_its_function(self, text, score):
        assert corpus_score(text, "torchmetrics") == pytest.approx(score, abs=1e-9)


class TestTensor2Tensor:
    @pytest.mark.parametrize(
        ("text", "score"),
        [
            (TEXT, 45.746218566879925),
            (SHORT, 54.21921872325952),
            (NO_4_GRAM, 59.46035575013605),
            (NO_LONGER, 100),
            (NEITHER, 84.08964152537145),
        ],
    )
    def test_scores_as_its_function_with_one_reference(self, text, score):
        hypotheses, references = text
        assert corpus_score((hypotheses, references[:1]), "tensor2tensor") == pytest.approx(score, abs=1e-9)


class TestIbleu:
    @pytest.mark.parametrize(
        ("text", "score", "segments"),
        [
            (
                TEXT,
                59.537100852982725,
                [73.11104457090248, 27.568673181924424, 100, 70.71067811865474, 63.89431042462726, 100],
            ),
            (SHORT, 54.21921872325952, [53.7284965911771, 100, 84.08964152537146]),
            (LONE, 44.124845129229776, [44.124845129229776]),
            ((["", ""], [["a b", "c d"]]), 26.013004751144443, [30.934850332660563] * 2),
            ((["a b c d e"], [["a b c d x e"], ["q r s t"]]), TIE, [TIE]),
        ],
    )
    def test_scores_corpus_and_segments_as_the_script(self, text, score, segments):
        found = scored(text, PRESETS["ibleu"].options)
        tolerance = 5e-5 if round(score, 4) == score else 1e-9
        assert found.score.score == pytest.approx(score, abs=tolerance)
        assert found.segment_scores == pytest.approx(segments, abs=tolerance)


class TestPapineni2002:
    def test_counts_two_sevenths_in_example_2(self):
        text = ["the the the the the the the"], [["The cat is on the mat."], ["There is a cat on the mat."]]
        score = scored(text, PRESETS["papineni-2002"].options).score
        assert (score.matches[0], score.totals[0]) == (2, 7)

    def test_is_the_geometric_mean_of_four_precisions_times_the_penalty(self):
        score = scored(LONE, PRESETS["papineni-2002"].options).score
        expected = (7 / 8 * 5 / 7 * 3 / 6 * 1 / 5) ** 0.25 * np.exp(1 - 9 / 8)
        assert (score.matches.tolist(), score.totals.tolist()) == ([7, 5, 3, 1], [8, 7, 6, 5])
        assert score.score == pytest.approx(100 * expected)

    def test_smooths_nothing(self):
        assert corpus_score((["a b c x d"], [["a b c y d"]]), "papineni-2002") == 0.0
