"""Figures of judgements in a notebook: plain Plotly, made without Streamlit."""

from tests.dashboard.without_streamlit import check_figures

SCRIPT = r"""
import numpy as np
from bleucore.agreement.agreement import AgreementOptions, agreement
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.opinions import neighbour_differences
from bleucore.agreement.pairwise import mean_counts, mean_score
from bleucore.metrics import human_agreement
from bleuscope.features.judgements import figures, figures_opinions
names = tuple(system.name for system in systems)
modules = [figures, figures_opinions]
judged = np.array([[80.0, 70, 90], [60, 65, 50], [40, 45, 60]])
scored = np.array([[30.0, 40, 20], [25, 20, 30], [10, 15, 12]])
counts = mean_counts(scored)
metric = ScoredSystems("BLEU", names, scored.mean(1), scored, True, counts, mean_score, human_agreement.BLEU)
people = HumanScores.of("da", names, judged)
agreed = agreement(people, [metric], AgreementOptions(trials=99, permutations=2))

made = {
    "scatter_figure": figures.scatter_figure(agreed, agreed.metrics[0], {}, looks, without_outliers=False),
    "pairs_figure": figures.pairs_figure(agreed, agreed.metrics[0], looks),
    "conflicts_figure": figures.conflicts_figure(
        conflicts(judged[:2], scored[:2]), judged[0] - judged[1], scored[0] - scored[1], ("da", "BLEU")),
    "neighbours_figure": figures_opinions.neighbours_figure(agreed, neighbour_differences(agreed.people), looks),
    "side_by_side_figure": figures_opinions.side_by_side_figure(agreed, agreed.metrics[0], looks),
    "agreement_curve_figure": figures_opinions.agreement_curve_figure(agreed.metrics[0], human_agreement.BLEU),
}
"""


def test_every_figure_is_made_without_streamlit():
    check_figures(SCRIPT)
