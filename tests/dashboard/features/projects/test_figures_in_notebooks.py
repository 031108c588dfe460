"""Figures of versions in a notebook: plain Plotly, made without Streamlit."""

from tests.dashboard.without_streamlit import check_figures

SCRIPT = r"""
from datetime import UTC, datetime, timedelta
from bleucore.history import segment_strips, version_history
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.features.projects import figures, figures_strips, scored_versions
study = make_study(test_set, Settings(significance=options, pair=("dog", "cat")))
evaluation, tested = study.evaluation, study.comparison
bleu = evaluation.metrics["BLEU"]
versions = tuple(
    scored_versions.ScoredVersion("<b>", name, step, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=step), name, (),
                                  evaluation.systems[name].score.score, tested.intervals[name])
    for step, name in enumerate(evaluation.names)
)
over_time = scored_versions.SystemHistory(
    scored_versions.ScoredVersions("p", "t", "d", 40, "BLEU", "s", "bs:99", versions), "<b>", versions,
    version_history(compared_systems(test_set, bleu), options))
strips = segment_strips([one.counts for one in bleu.systems.values()], bleu.options)
followed = tuple(strips.most("got better", 0, len(versions) - 1, 3).tolist())
shown_strips = figures_strips.ShownStrips(
    over_time, strips, 0, len(versions) - 1, "got better", followed, ("<b>",) * len(followed))
modules = [figures, figures_strips]
made = {
    "history_figure": figures.history_figure(over_time, "step", (0, 1)),
    "strips_figure": figures_strips.strips_figure(shown_strips),
}
"""


def test_every_figure_is_made_without_streamlit():
    check_figures(SCRIPT)
