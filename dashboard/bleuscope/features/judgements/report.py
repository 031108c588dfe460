"""The section of the report that holds metrics against people."""

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.judges import ModelJudges
from bleucore.agreement.opinions import neighbour_differences
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.style.sentences import note, notes
from bleuscope.features.judgements import figures as agreement_figures
from bleuscope.features.judgements import figures_opinions as opinion_figures
from bleuscope.features.judgements import sheets as agreement_sheets
from bleuscope.features.judgements import sheets_judges as judge_sheets
from bleuscope.features.judgements import sheets_opinions as opinion_sheets
from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements import words_judges as judge_words
from bleuscope.features.judgements import words_opinions as opinion_words
from bleuscope.features.judgements.methods import agreement_method

NO_JUDGEMENTS = "This section needs human judgements of at least two systems."


def method(found: Agreement) -> Part:
    """How agreement was measured, for a paper."""
    return agreement_method(found)


def blocks(study: TestedStudy, found: Agreement | None) -> list[Block]:
    """How far metrics agree with people: all of them, then every pair of systems in one of them; or why not."""
    if found is None:
        return [Words(note("{}", NO_JUDGEMENTS))]
    by_name = {one.name: one for one in found.metrics}
    metric = by_name.get(study.metric.name) or found.metrics[0]
    return [
        Words(agreement_words.agreement_verdict(found, metric)),
        Words(notes(agreement_sheets.agreement_notices(found))),
        *_metrics(found),
        *(Charts((chart,)) for chart in _charts(study, found, metric)),
        Words(note("{}", opinion_words.expected_words(found, metric))),
        *(Charts((chart,)) for chart in _curve(found, metric)),
        Charts(_opinions(study, found, metric)),
        *([] if found.judges is None else _judges(found.judges)),
    ]


def _judges(judges: ModelJudges) -> list[Block]:
    """Judges that are models: their biases, and their agreement with people."""
    tables = [Table(sheet, title=sheet.title) for sheet in judge_sheets.shown_sheets(judges)]
    return [Heading("Model judges"), Words(judge_words.judges_words(judges)), *tables]


def _metrics(found: Agreement) -> list[Block]:
    """Every metric, on systems and on segments."""
    tables = zip(agreement_words.OF_SHEETS, agreement_sheets.metric_sheets(found), strict=True)
    return [block for said, sheet in tables for block in (Words(note("{}", said)), Table(sheet))]


def _charts(study: TestedStudy, found: Agreement, metric: MetricAgreement) -> list[Chart]:
    tested = {study.evaluation.bleu.name: study.comparison, **study.others}.get(metric.name)
    intervals = {} if tested is None else {name: tested.intervals.get(name) for name in metric.systems}
    return [
        Chart(
            "validity",
            agreement_figures.scatter_figure(found, metric, intervals, study.looks, without_outliers=False),
            f"Systems by {metric.name} and by raters, as points with 95 % intervals",
            Table(agreement_sheets.judged_systems_sheet(found)),
            agreement_words.SCATTER_CAPTION,
        ),
        Chart(
            "validity-pairs",
            agreement_figures.pairs_figure(found, metric, study.looks),
            "Pairs of systems: who agrees, and who is sure",
            Table(agreement_sheets.judged_pairs_sheet(found, metric)),
            agreement_words.PAIRS_CAPTION,
        ),
    ]


def _curve(found: Agreement, metric: MetricAgreement) -> list[Chart]:
    """How often people agree with a difference of a size, where that was published."""
    if metric.curve is None:
        return []
    return [
        Chart(
            "validity-sizes",
            opinion_figures.agreement_curve_figure(metric, metric.curve),
            "How often raters agree with a difference of a size, as a curve with these pairs on it",
            Table(opinion_sheets.sizes_sheet(found, metric), "bs-narrow"),
            opinion_words.CURVE_CAPTION,
        )
    ]


def _opinions(study: TestedStudy, found: Agreement, metric: MetricAgreement) -> tuple[Chart, ...]:
    """How far people set neighbours apart, and where they and the metric place each system."""
    neighbours = agreement_sheets.judged_neighbours_sheet(found)
    side_by_side = opinion_sheets.side_by_side_sheet(found, metric)
    return (
        Chart(
            "validity-neighbours",
            opinion_figures.neighbours_figure(found, neighbour_differences(found.people), study.looks),
            "Each system minus the next in the raters' order, with 95 % intervals",
            Table(neighbours, "bs-narrow"),
            opinion_words.NEIGHBOURS_CAPTION,
        ),
        Chart(
            "validity-side-by-side",
            opinion_figures.side_by_side_figure(found, metric, study.looks),
            f"Where people and {metric.name} place each system between the worst and the best",
            Table(side_by_side, "bs-narrow"),
            opinion_words.FROM_WORST,
        ),
    )
