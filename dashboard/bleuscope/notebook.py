"""What pages, reports and commands are made of, for notebooks and scripts: one call each.

The package ``bleuscope`` offers the names of ``__all__``. What else lies in it may change with any release.
"""

import plotly.graph_objects as go

from bleucore import TestSet
from bleuscope.content.attribution import attribution_figures, attribution_sheets
from bleuscope.content.comparison import difference_figures, difference_sheets
from bleuscope.content.comparison.difference_figures import Quantity
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.comparison.study import Settings, TestedStudy, make_study
from bleuscope.content.paper.methods import bibtex, methods_sentence
from bleuscope.content.report import html_report, make_report
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.scores import score_figures, score_sheets
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.writers import write
from bleuscope.content.style.scale import Scale

__all__ = [
    "ReportOptions",
    "Settings",
    "Sheet",
    "TestedStudy",
    "attribution_figure",
    "attribution_table",
    "bibtex",
    "compare",
    "differences_figure",
    "differences_table",
    "methods_sentence",
    "report",
    "scores_figure",
    "scores_table",
    "write",
]


def compare(test_set: TestSet, settings: Settings | None = None, *, title: str = "Comparison") -> TestedStudy:
    """Score and test the systems of a test set: a study, which all else here is made of.

    Args:
        test_set: Texts, aligned.
        settings: Metrics, test, baseline, and systems A and B; those of the dashboard unless given.
        title: What to call the test set.

    Raises:
        InputError: There is no such system or metric, a metric needs what is not installed, or documents are to be
            drawn and not known.
    """
    return make_study(test_set, settings, title=title)


def scores_table(study: TestedStudy) -> Sheet:
    """The systems, best first: scores, intervals and p-values, and what BLEU is made of. Its ``frame`` is pandas'."""
    return score_sheets.systems_sheet(study)


def scores_figure(study: TestedStudy) -> go.Figure:
    """The scores of all systems with their intervals."""
    return score_figures.scores_figure(scores_table(study), study.looks)


def attribution_table(study: TestedStudy) -> Sheet:
    """What each ingredient of the metric adds to the difference of A and B; the parts add up to it.

    Raises:
        ValueError: There is one system.
    """
    _ = study.pair
    return attribution_sheets.attribution_sheet(study.attribution, study.evaluation)


def attribution_figure(study: TestedStudy) -> go.Figure:
    """The same as a waterfall from the score of A to that of B.

    Raises:
        ValueError: There is one system.
    """
    looks = [study.looks[name] for name in study.pair]
    return attribution_figures.waterfall_figure(attribution_table(study), Scale.of(study.metric), looks)


def differences_table(study: TestedStudy) -> Sheet:
    """Every segment with the difference of B and A in their own scores, sorted.

    Raises:
        ValueError: There is one system.
    """
    values = segment_differences(study.evaluation, study.pair, study.metric)
    return difference_sheets.sorted_segments_sheet(values, study.metric.name)


def differences_figure(study: TestedStudy) -> go.Figure:
    """The same as bars, as in iBLEU.

    Raises:
        ValueError: There is one system.
    """
    texts = study.test_set.source or study.test_set.references[0]
    return difference_figures.segment_differences_figure(
        differences_table(study), texts, Quantity(Scale.of(study.metric))
    )


def report(study: TestedStudy, options: ReportOptions | None = None) -> str:
    """Everything in one HTML file, which needs no network; the same study gives the same text.

    Args:
        study: What it is about.
        options: What to hold; every usual section, and ten segments each way, unless given.

    Raises:
        InputError: A chosen segment is not there.
    """
    return html_report(make_report(study, options))
