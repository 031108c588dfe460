"""Where a difference comes from, in words and figures."""

import re
from dataclasses import replace

import numpy as np
import pytest

from bleucore import BleuOptions, ChrfOptions
from bleucore.analysis.attribution import attribute
from bleucore.evaluation import evaluate_metric
from bleuscope.content.attribution import attribution_figures, attribution_sheets, attribution_words
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale


def attributed(scored, first=0, second=-1):
    pair = scored.pair(first, second)
    counts = [scored.evaluation.systems[name].counts for name in pair]
    return attribute(*counts, scored.evaluation.options, names=pair)


def waterfall(attribution, scored):
    sheet = attribution_sheets.attribution_sheet(attribution, scored.evaluation)
    pair = [scored.looks[name] for name in attribution.names]
    return attribution_figures.waterfall_figure(sheet, ScoreScale.of(scored.evaluation.bleu), pair)


def verdict(attribution, read_html):
    return read_html(attribution_words.attribution_verdict(attribution)).text


class TestVerdict:
    def test_names_who_leads_and_the_main_ingredient(self, sample, read_html):
        attribution = attributed(sample, 0, 3)
        assert attribution.names == ("online", "neural-40k")
        text = verdict(attribution, read_html)
        penalty, orders = attribution.brevity_penalty, attribution.orders
        assert text.startswith(
            f"neural-40k scores higher mainly through the brevity penalty ({numbers.difference(penalty)})"
        )
        least = re.escape(numbers.difference(min(orders)))
        assert re.search(rf", despite its 4-grams \({least}\)", text)

    def test_is_the_same_with_the_systems_turned(self, sample, read_html):
        assert verdict(attributed(sample, 0, 3), read_html) == verdict(attributed(sample, 3, 0), read_html)

    def test_of_equal_scores_counts_who_wins_where(self, twins, read_html):
        text = verdict(attributed(twins), read_html)
        assert text.startswith("first and second have the same score to two decimals.")
        assert "0 segments add 0.00 for second, 0 add 0.00 for first." in text

    @pytest.mark.parametrize(("difference", "is_the_same"), [(0.00499, True), (-0.00499, True), (0.005, False)])
    def test_scores_are_the_same_to_two_decimals_below_half_of_the_last(
        self, sample, read_html, difference, is_the_same
    ):
        attribution = replace(attributed(sample, 0, 3), scores=(0.0, difference))
        assert ("have the same score to two decimals" in verdict(attribution, read_html)) == is_the_same

    def test_of_nothing_to_divide_says_so(self, score_texts, read_html):
        scored = score_texts({"a": ["x"], "b": ["y"]}, [["z"]])
        assert "there is nothing to divide" in verdict(attributed(scored), read_html)

    def test_of_a_jump_names_smoothing(self, score_texts, read_html):
        scored = score_texts({"none": ["a b x d e"], "some": ["a b c d e"]}, [["a b c d e"]])
        attribution = attributed(scored)
        assert "smoothing: none has no match of order 3, 4" in verdict(attribution, read_html)
        assert attribution_words.ingredients(attribution)[-1] == ("smoothing", attribution.jump)

    def test_escapes_names(self, hostile, hostile_texts, read_html):
        assert hostile_texts[0] in read_html(attribution_words.attribution_verdict(attributed(hostile, 0, 1))).text

    def test_counts_segments_where_the_two_views_disagree(self, read_html):
        note = attribution_words.disagreement_note(np.array([0.1, -0.1, 0.2]), np.array([-5.0, -3.0, 1.0]))
        assert (
            read_html(note).text
            == "In 1 segment, the contribution to Δ and the segment scores favour different systems."
        )
        assert not attribution_words.disagreement_note(np.array([0.1]), np.array([5.0]))


class TestCaption:
    def test_says_which_half_of_a_bar_the_matches_are(self, sample):
        attribution = attributed(sample, 0, 1)
        caption = attribution_words.waterfall_caption(attribution)
        matches, totals = (
            numbers.difference(float(parts[0])) for parts in (attribution.match_parts, attribution.total_parts)
        )
        assert f"1-grams: {matches} for matches, {totals} for the number in the output." in caption

    def test_does_not_halve_what_smoothing_mixes(self, score_texts):
        options = BleuOptions("none", max_order=3, smoothing="nltk-5", weights=(0.5, 0.5, 0.0))
        scored = score_texts({"a": ["a b c d e x"], "b": ["a b c d e"]}, [["a b c d e f"]], options)
        assert "1-grams" not in attribution_words.waterfall_caption(attributed(scored))


class TestOtherMetrics:
    def attributed(self, sample, metric):
        counts = [metric.systems[name].counts for name in ("literal", "online")]
        return attribute(*counts, metric.options, names=("literal", "online"))

    def test_chrf_has_its_own_ingredients(self, sample, read_html):
        metric = evaluate_metric(sample.test_set, ChrfOptions(word_order=1))
        attribution = self.attributed(sample, metric)
        parts = attribution_words.ingredients(attribution)
        assert [name for name, _ in parts] == [*(f"character {n}-grams" for n in range(1, 7)), "word 1-grams"]
        assert sum(part for _, part in parts) == pytest.approx(attribution.difference)
        said = "online scores higher mainly through its character 6-grams"
        assert said in verdict(attribution, read_html)

    def test_errors_are_told_of_in_their_direction(self, sample, sample_errors, read_html):
        attribution = self.attributed(sample, sample_errors)
        text = verdict(attribution, read_html)
        assert attribution.difference < 0
        assert re.match(r"online scores \d+\.\d\d errors better than literal\.", text)
        turned = replace(attribution, scores=(50.0, 50.0))
        found = attribution.concentration
        assert f"{found.n_negative} segments add {-found.negative:.2f} for online" in verdict(turned, read_html)


class TestFigures:
    def test_the_waterfall_ends_at_b(self, sample):
        attribution = attributed(sample, 0, 2)
        bars = waterfall(attribution, sample).data[0]
        assert len(bars.x) == 7
        assert bars.base[-2] + bars.y[-2] == pytest.approx(attribution.scores[1])
        assert bars.base[1] == pytest.approx(attribution.scores[0])
        assert bars.customdata[1][1] == numbers.difference(float(attribution.orders[0]))

    def test_hostile_names_are_escaped(self, hostile, hostile_texts):
        figure = waterfall(attributed(hostile, 0, 1), hostile)
        assert hostile_texts[0] not in figure.to_json()

    def test_a_scale_that_would_hide_the_parts_is_cut(self, score_texts):
        reference = [f"one two three four five {number}" for number in range(40)]
        scored = score_texts({"a": ["x y z w", *reference[1:]], "b": reference}, [reference])
        attribution = attributed(scored)
        low, high = waterfall(attribution, scored).layout.yaxis.range
        assert low > 0
        assert high > max(attribution.scores)


class TestMeasures:
    @pytest.mark.parametrize(
        ("parts", "delta", "expected"),
        [
            ([1.0, -1.0, 0.5], [-2.0, -2.0, -0.1], "in 2 segments."),
            ([1.0, -1.0, 0.5], [2.0, -2.0, -0.1], "in 1 segment."),
            ([1.0, 0.0, 0.5], [2.0, -2.0, 0.0], "in no segment."),
        ],
    )
    def test_disagree_where_they_have_opposite_signs(self, parts, delta, expected):
        note = attribution_words.measures_note(np.array(parts), np.array(delta))
        assert note.endswith(f"favour different systems {expected}")
