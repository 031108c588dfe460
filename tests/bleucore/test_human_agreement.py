"""How often people agree with a difference, as published: the table of Kocmi et al. (2024), and where it is silent."""

from dataclasses import replace

import pytest

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.metrics import metric_of
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.human_agreement import BLEU, CHRF
from bleucore.metrics.ter import TerOptions


class TestCurves:
    @pytest.mark.parametrize(
        ("percent", "difference"),
        [(50, 0.27), (55, 0.52), (60, 0.78), (65, 1.06), (70, 1.39), (75, 1.79), (80, 2.34), (85, 3.35)],
    )
    def test_of_bleu_is_the_published_table(self, percent, difference):
        assert BLEU.percent(difference + 0.006) == pytest.approx(percent, abs=0.3)
        assert BLEU.percent(-difference - 0.006) == BLEU.percent(difference + 0.006)

    @pytest.mark.parametrize(("percent", "difference"), [(50, 0.14), (60, 0.54), (70, 1.00), (80, 1.63), (90, 3.05)])
    def test_of_chrf_is_the_published_table(self, percent, difference):
        assert CHRF.percent(difference) == pytest.approx(percent, abs=0.3)

    def test_one_point_of_bleu(self):
        assert BLEU.percent(1.0) == pytest.approx(63.989, abs=5e-4)

    @pytest.mark.parametrize("difference", [0.0, 0.2, -0.27])
    def test_is_silent_below_a_coin_toss(self, difference):
        assert BLEU.percent(difference) is None

    def test_never_exceeds_its_ceiling(self):
        assert BLEU.percent(90.0) <= BLEU.ceiling
        assert BLEU.percent(1e6) == BLEU.ceiling


class TestSettings:
    @pytest.mark.parametrize("tokenizer", ["13a", "zh", "ja-mecab"])
    def test_of_the_fit_are_the_defaults_with_the_tokenizers_of_languages(self, tokenizer):
        options = BleuOptions(tokenizer=tokenizer)
        assert metric_of(options).people(options) is BLEU
        assert metric_of(options).people(replace(options, lowercase=True)) is None

    @pytest.mark.parametrize(
        "options",
        [
            BleuOptions(tokenizer="intl"),
            BleuOptions(smoothing="none"),
            BleuOptions(max_order=3),
            ChrfOptions(word_order=2),
            ChrfOptions(beta=1),
            TerOptions(),
        ],
    )
    def test_of_others_have_no_curve(self, options):
        assert metric_of(options).people(options) is None

    def test_with_several_references_there_is_none(self):
        systems = [System("a", ["eins zwei drei vier fünf"]), System("b", ["eins zwei drei vier"])]
        one, two = (
            evaluate(TestSet(systems, references)).bleu
            for references in ([["eins zwei drei vier fünf"]], [["eins zwei drei vier fünf"], ["eins"]])
        )
        assert one.people is BLEU
        assert two.people is None
