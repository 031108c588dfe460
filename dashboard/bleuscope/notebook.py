"""What pages, reports and commands are made of, for notebooks and scripts: one call each.

The package ``bleuscope`` offers the names of ``__all__``. What else lies in it may change with any release.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from bleucore import InputError, TestSet, corpus_bleu, sentence_bleu
from bleucore.formats import assemble
from bleucore.installing import missing_words
from bleuscope.content.attribution import attribution_sheets
from bleuscope.content.comparison import difference_sheets
from bleuscope.content.comparison.comparison_context import Settings, TestedStudy, checked, make_study
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.paper.methods import bibtex, methods_sentence
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.scores import score_sheets
from bleuscope.content.sheets import writers
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.scale import ScoreScale
from bleuscope.shell.disk.files import read_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from bleuscope.content.sheets.forms import FormName

Asked = ParamSpec("Asked")
Made = TypeVar("Made")

__all__ = [
    "ReportOptions",
    "Settings",
    "Sheet",
    "TestedStudy",
    "attribution_figure",
    "attribution_table",
    "bibtex",
    "compare",
    "corpus_bleu",
    "differences_figure",
    "differences_table",
    "methods_sentence",
    "read_test_set",
    "report",
    "scores_figure",
    "scores_table",
    "sentence_bleu",
    "write",
]


def read_test_set(*paths: str, references: "Sequence[str]" = (), source: str | None = None) -> TestSet:
    """The test set of files, folders or archives, read and sorted as the dashboard and every command do.

    Args:
        paths: Outputs; all of the test set where no references are named.
        references: Files with references.
        source: The file with the source.

    Raises:
        InputError: A file cannot be read, the files do not fit together, or they hold several test sets.
    """
    return assemble(read_inputs(Inputs(tuple(paths), tuple(references), source)))


def _with_dashboard(make: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """The same function, which says how to install what it draws or writes with where that is missing."""

    @wraps(make)
    def made(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        try:
            return make(*args, **kwargs)
        except ModuleNotFoundError as error:
            raise InputError(missing_words(str(error.name)).removesuffix(".")) from error

    return made


def compare(test_set: TestSet, settings: Settings | None = None, *, title: str = "Comparison") -> TestedStudy:
    """Score and test the systems of a test set, and check its texts: a study, which all else here is made of.

    Args:
        test_set: Texts, aligned.
        settings: Metrics, test, baseline, and systems A and B; those of the dashboard unless given.
        title: What to call the test set.

    Raises:
        InputError: There is no such system or metric, a metric needs what is not installed, or documents are the
            unit and not known.
    """
    return checked(make_study(test_set, settings, title=title))


def scores_table(study: TestedStudy) -> Sheet:
    """The systems, best first: scores, intervals and p-values, and what BLEU is made of. Its ``frame`` is pandas'."""
    return score_sheets.systems_sheet(study)


@_with_dashboard
def scores_figure(study: TestedStudy) -> "go.Figure":
    """The scores of all systems with their intervals.

    Raises:
        InputError: Plotly is not installed.
    """
    from bleuscope.content.scores import score_figures  # noqa: PLC0415  # draws, which the engine alone cannot

    return score_figures.scores_figure(scores_table(study), study.looks)


def attribution_table(study: TestedStudy) -> Sheet:
    """What each ingredient of the metric adds to the difference of A and B; the parts add up to it.

    Raises:
        ValueError: There is one system.
    """
    _ = study.pair
    return attribution_sheets.attribution_sheet(study.attribution, study.evaluation)


@_with_dashboard
def attribution_figure(study: TestedStudy) -> "go.Figure":
    """The same as a waterfall from the score of A to that of B.

    Raises:
        InputError: Plotly is not installed.
        ValueError: There is one system.
    """
    from bleuscope.content.attribution import attribution_figures  # noqa: PLC0415  # as above

    looks = [study.looks[name] for name in study.pair]
    return attribution_figures.waterfall_figure(attribution_table(study), ScoreScale.of(study.metric), looks)


def differences_table(study: TestedStudy) -> Sheet:
    """Every segment with the difference of B and A in their own scores, sorted.

    Raises:
        ValueError: There is one system.
    """
    values = segment_differences(study.evaluation, study.pair, study.metric)
    return difference_sheets.sorted_segments_sheet(values, study.metric.name)


@_with_dashboard
def differences_figure(study: TestedStudy) -> "go.Figure":
    """The same as bars, as in iBLEU.

    Raises:
        InputError: Plotly is not installed.
        ValueError: There is one system.
    """
    from bleuscope.content.comparison import difference_figures  # noqa: PLC0415  # as above

    texts = study.test_set.source or study.test_set.references[0]
    return difference_figures.segment_differences_figure(
        differences_table(study), texts, difference_figures.Quantity(ScoreScale.of(study.metric))
    )


@_with_dashboard
def report(study: TestedStudy, options: ReportOptions | None = None) -> str:
    """Everything in one HTML file, which needs no network; the same study gives the same text.

    Args:
        study: What it is about.
        options: What to hold; every usual section, and ten segments each way, unless given.

    Raises:
        InputError: A chosen segment is not there, or what draws a report is not installed.
    """
    from bleuscope.content.report import html_report, make_report  # noqa: PLC0415  # as above

    return html_report(make_report(study, options))


@_with_dashboard
def write(sheets: "Sheet | Sequence[Sheet]", form: "FormName") -> bytes:
    """Sheets as the bytes of a file.

    Text is UTF-8; CSV begins with a byte-order mark, without which Excel takes it for another encoding.

    Args:
        sheets: One, or several for a form that holds them.
        form: "csv", "json", "latex", "markdown", "parquet", "table", "tsv" or "xlsx".

    Raises:
        InputError: A sheet has more rows or columns than a worksheet of Excel holds, or what writes worksheets is not
            installed.
        ValueError: Several sheets are for a form that holds one, or two have the same name in JSON.
    """
    return writers.write(sheets, form)
