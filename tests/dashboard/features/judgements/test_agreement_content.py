"""The agreement of metrics with people in words, figures and tables."""

import numpy as np
import pytest
from scipy import stats

from bleucore.agreement.agreement import AgreementOptions, agreement
from bleucore.agreement.by_size import size_groups
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.opinions import neighbour_differences
from bleucore.agreement.pairwise import JudgedPair, mean_counts, mean_score
from bleucore.agreement.people_range import BANDS
from bleucore.metrics import human_agreement
from bleuscope.content.style.identity import identities
from bleuscope.features.judgements import figures as agreement_figures
from bleuscope.features.judgements import figures_opinions as opinion_figures
from bleuscope.features.judgements import sheets as agreement_sheets
from bleuscope.features.judgements import sheets_opinions as opinion_sheets
from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements import words_opinions as opinion_words

NAMES = ("one", "two", "three", "four", "far")
JUDGED = np.array([[0.0, -1, -2], [-1, -1, -3], [-2, -2, -2.5], [-3, -2, -3], [-40, -42, -41]])
SCORED = np.array([[40.0, 41, 44], [44, 42, 43], [38, 37, 39], [33, 36, 37], [11, 10, 12]])


def found_of(names=NAMES, judged=JUDGED, scored=SCORED, curve=None):
    counts = mean_counts(scored)
    metric = ScoredSystems("a metric", names, scored.mean(axis=1), scored, True, counts, mean_score, curve)
    return agreement(HumanScores.of("mqm", names, judged), [metric], AgreementOptions(trials=99, permutations=2))


def scatter(found, *, without_outliers=False):
    (metric,) = found.metrics
    looks = identities(metric.systems, None)
    return agreement_figures.scatter_figure(
        found, metric, {metric.systems[0]: (39.0, 43.0)}, looks, without_outliers=without_outliers
    )


class TestWords:
    def test_count_pairs_and_say_what_the_correlation_hangs_on(self):
        found = found_of()
        (metric,) = found.metrics
        text = " ".join(agreement_words.agreement_verdict(found, metric).markdown().split())
        assert metric.pairs_agree == 9
        assert "**a metric** orders 9 of 10 pairs of systems as mqm does" in text
        assert "For the other pair, the ratings are inconclusive too." in text
        assert f"without **far** it is {metric.pearson_without_outliers.value:.2f}." in text

    @pytest.mark.parametrize(
        ("n_unsure", "n_others", "said"),
        [
            (0, 1, "For the other pair, the ratings are conclusive."),
            (0, 4, "For all of the other 4 pairs, the ratings are conclusive."),
            (4, 4, "For none of the other 4 pairs, the ratings are conclusive."),
            (1, 4, "For 1 of the other 4 pairs, the ratings are inconclusive too."),
        ],
    )
    def test_say_how_sure_people_are_of_the_others(self, n_unsure, n_others, said):
        assert agreement_words._how_sure(n_unsure, n_others, n_others + 1) == said

    def test_speak_of_no_other_pair_where_there_is_one_alone(self):
        assert agreement_words._how_sure(1, 1, 1) == "The ratings are inconclusive too."

    def test_say_why_there_is_no_correlation(self):
        found = found_of(judged=np.zeros((5, 3)))
        text = str(agreement_words.agreement_verdict(found, found.metrics[0]).markdown())
        assert "People give all systems the same score." in text


class TestFigures:
    def test_draw_a_point_for_each_system_with_its_intervals(self):
        *line, one, _, _, _, far = scatter(found_of()).data
        assert len(line) == 3
        assert (one.error_x.array, one.error_x.arrayminus) == ((43 - 41.6666666666666667,), (41.6666666666666667 - 39,))
        low, high = stats.ttest_1samp(JUDGED[0], 0).confidence_interval()
        assert one.error_y.array[0] == pytest.approx((high - low) / 2)
        assert (one.marker.line.width, far.marker.line.width) == (0, 3)

    def test_draw_the_line_of_least_squares_with_its_band(self):
        found = found_of()
        upper, lower, line = scatter(found).data[:3]
        x, y = found.metrics[0].scores, found.metrics[0].people
        fit = stats.linregress(x, y)
        assert list(line.y) == pytest.approx([fit.intercept + fit.slope * at for at in line.x])
        ends = stats.t.ppf(0.975, 3) * np.sqrt(((y - fit.intercept - fit.slope * x) ** 2).sum() / 3)
        at = np.sqrt(1 / 5 + (x.min() - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum())
        assert upper.y[0] - lower.y[0] == pytest.approx(2 * ends * at)

    def test_leave_outliers_out(self):
        assert len(scatter(found_of(), without_outliers=True).data) == 3 + 4

    def test_of_pairs_say_who_agrees_in_the_order_of_people(self):
        found = found_of()
        figure = agreement_figures.pairs_figure(found, found.metrics[0], identities(NAMES, None))
        (grid,) = figure.data
        marks = dict(zip(map(tuple, grid.customdata), grid.text, strict=True))
        assert [marks["one", other][:1] for other in NAMES[1:]] == ["✗", "✓", "✓", "✓"]
        assert len(marks) == 10
        assert [name.split()[-1] for name in figure.layout.xaxis.categoryarray] == list(NAMES[1:])
        assert [name.split()[-1] for name in figure.layout.yaxis.categoryarray] == list(NAMES[-2::-1])

    def test_of_conflicts_open_segments(self):
        parted = conflicts(JUDGED[:2], SCORED[:2])
        people, metric = (values[0] - values[1] for values in (JUDGED, SCORED))
        _, conflict = agreement_figures.conflicts_figure(parted, people, metric, ("mqm", "a metric")).data
        assert [place for place, _ in conflict.customdata] == parted.segments.tolist() == [0]

    def test_hold_names_as_text(self):
        names = ("<b>x</b>", "%{x}", "three", "four", "far")
        points = scatter(found_of(names)).data[3:]
        assert points[0].hovertext.startswith("&lt;b&gt;x&lt;/b&gt;<br>")
        assert {point.hovertemplate for point in points} == {"%{hovertext}<extra></extra>"}


class TestOpinions:
    def test_of_neighbours_are_drawn_with_the_intervals_of_their_table(self):
        found = found_of()
        rows = neighbour_differences(found.people)
        (drawn,) = opinion_figures.neighbours_figure(found, rows, identities(NAMES, None)).data
        assert list(drawn.x) == [one.difference for one in rows]
        assert [x - low for x, low in zip(drawn.x, drawn.error_x.arrayminus, strict=True)] == pytest.approx(
            [one.interval[0] for one in rows]
        )

    def test_stand_beside_the_metric_from_worst_to_best(self):
        """Means of people are -1, -5/3, -2.17, -2.67 and -41; the metric has 41.7, 43, 38, 35.3 and 11."""
        found = found_of()
        people, metric = opinion_figures.side_by_side_figure(found, found.metrics[0], identities(NAMES, None)).data
        assert list(people.x) == pytest.approx([1, 0.98333, 0.97083, 0.95833, 0], abs=1e-5)
        assert (people.x[0], people.x[-1], metric.x[1], metric.x[-1]) == (1, 0, 1, 0)
        sheet = opinion_sheets.side_by_side_sheet(found, found.metrics[0]).frame
        assert sheet["metric_of_range"].tolist() == list(metric.x)

    def test_hold_names_as_text(self):
        found = found_of(("<b>x</b>", "%{x}", "three", "four", "far"))
        looks = identities(found.metrics[0].systems, None)
        (neighbours,) = opinion_figures.neighbours_figure(found, neighbour_differences(found.people), looks).data
        people, _ = opinion_figures.side_by_side_figure(found, found.metrics[0], looks).data
        assert neighbours.hovertext[0].startswith("&lt;b&gt;x&lt;/b&gt; − %{x}<br>")
        assert people.hovertext[0].startswith("&lt;b&gt;x&lt;/b&gt;<br>")
        assert {neighbours.hovertemplate, people.hovertemplate} == {"%{hovertext}<extra></extra>"}

    def test_that_are_all_the_same_have_no_worst(self):
        found = found_of(judged=np.zeros((5, 3)))
        assert len(opinion_figures.side_by_side_figure(found, found.metrics[0], identities(NAMES, None)).data) == 1
        assert opinion_sheets.side_by_side_sheet(found, found.metrics[0]).frame["people_of_range"].isna().all()


class TestCurve:
    def test_has_every_pair_on_it_and_says_what_it_expects(self):
        found = found_of(curve=human_agreement.BLEU)
        (metric,) = found.metrics
        _, agreeing, others = opinion_figures.agreement_curve_figure(metric, human_agreement.BLEU).data
        assert (len(agreeing.x), len(others.x)) == (9, 1)
        assert others.y[0] == pytest.approx(human_agreement.BLEU.percent(4 / 3))
        said = str(opinion_words.expected_words(found, metric))
        shares = [human_agreement.BLEU.percent(pair.metric) / 100 for pair in metric.pairs]
        assert sum(abs(pair.metric) > 10 for pair in metric.pairs) == 4
        assert said == (
            "By later campaigns, raters agree with a metric on 3 to 6 of 6 pairs of systems; "
            "here (mqm) they agree on 5. Left out: 4 pairs with too small or too large a difference."
        )
        sheet = opinion_sheets.sizes_sheet(found, metric).frame
        assert sheet["size"].is_monotonic_decreasing
        assert sheet["published"].tolist() == pytest.approx(sorted((100 * share for share in shares), reverse=True))
        assert sheet[["observed_low", "observed_high"]].isna().all(axis=1).tolist() == [True] * 4 + [False] * 6
        assert set(sheet["observed_low"].dropna()) <= {band.low for band in BANDS}
        assert sheet[~sheet["agrees"]][["first", "second"]].values.tolist() == [["two", "one"]]

    def test_says_nothing_of_other_settings_or_small_differences(self):
        found = found_of()
        assert str(opinion_words.expected_words(found, found.metrics[0])) == (
            "No published agreement rate covers a metric with these settings and references."
        )
        alike = found_of(scored=SCORED / 1000, curve=human_agreement.BLEU)
        assert "No published agreement rate covers a metric differences as small" in str(
            opinion_words.expected_words(alike, alike.metrics[0])
        )
        some = found_of(scored=np.vstack([SCORED[0], SCORED[0] - 0.001, SCORED[2:]]), curve=human_agreement.BLEU)
        said = str(opinion_words.expected_words(some, some.metrics[0]))
        assert " of 5 pairs of systems" in said
        assert said.endswith(" Left out: 5 pairs with too small or too large a difference.")
        of_chrf = found_of(curve=human_agreement.CHRF)
        assert str(opinion_words.expected_words(of_chrf, of_chrf.metrics[0])).startswith(
            "No later campaign was measured"
        )

    def test_has_a_box_for_each_range_that_the_figure_reaches(self):
        for scored, n_boxes in ((SCORED, 3), (40 + (SCORED - 40) / 20, 1)):
            (metric,) = found_of(scored=scored, curve=human_agreement.BLEU).metrics
            shapes = opinion_figures.agreement_curve_figure(metric, human_agreement.BLEU).layout.shapes
            assert [(one.y0, one.y1) for one in shapes] == [(band.low, band.high) for band in BANDS[:n_boxes]]
        assert not opinion_figures.agreement_curve_figure(metric, human_agreement.CHRF).layout.shapes

    def test_has_the_shares_of_fifths_where_there_are_pairs_enough(self):
        pairs = [JudgedPair("a", "b", 1.0, size / 10, size > 10, None, None) for size in range(30, 0, -1)]
        groups = size_groups(pairs)
        assert [(one.n_agree, one.n_pairs) for one in groups] == [(0, 6), (2, 6), (6, 6), (6, 6), (6, 6)]
        assert (groups[1].low, groups[1].high, groups[1].mean) == pytest.approx((0.7, 1.2, 0.95))
        assert size_groups(pairs[:-1]) == ()


def test_sheets_hold_every_statistic_and_every_pair():
    found = found_of()
    metrics = agreement_sheets.agreement_sheet(found).frame
    assert metrics["outliers"].tolist() == ["far"]
    assert metrics["pearson"][0] == found.metrics[0].pearson.value
    systems = agreement_sheets.judged_systems_sheet(found).frame
    assert systems["system"].tolist() == ["one", "two", "three", "four", "far"]
    assert systems["outlier"].tolist() == [False] * 4 + [True]
    pairs = agreement_sheets.judged_pairs_sheet(found).frame
    assert (len(pairs), int(pairs["agrees"].sum())) == (10, 9)
    neighbours = agreement_sheets.judged_neighbours_sheet(found).frame
    assert neighbours["next"].tolist() == ["two", "three", "four", "far"]
