"""The sections that hold scores against people: whether they agree, and what of the credited words people marked."""

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.opinions import neighbour_differences
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.segments import marked_tokens
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.sentences import note, notes
from bleuscope.content.validity import (
    agreement_figures,
    agreement_sheets,
    agreement_words,
    opinion_figures,
    opinion_sheets,
    opinion_words,
)

NO_JUDGEMENTS = "It takes judgements of people, of at least two systems, to hold scores against them."
NO_ERRORS = "There are no errors that people marked."


def validity_blocks(study: TestedStudy, found: Agreement | None, why_not: str | None = None) -> list[Block]:
    """How far metrics agree with people: all of them, then every pair of systems in one of them; or why not."""
    if found is None:
        return [Words(note("{}", why_not or NO_JUDGEMENTS))]
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
    ]


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
            f"Systems by {metric.name} and by people, as points with 95 % intervals",
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
            "How often people agree with a difference of a size, as a curve with these pairs on it",
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
            "How far people set each system apart from the next, with 95 % intervals",
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


def errors_blocks(study: TestedStudy, found: MarkedTokens | None) -> list[Block]:
    """What BLEU credits against what people marked, by system, and of B by category."""
    if found is None:
        return [Words(note(NO_ERRORS))]
    last, file = study.both[-1], found.judgements.file
    of_last = found.systems.get(last)
    categories = [] if of_last is None else _titled(marked_tokens.categories_sheet(last, of_last))
    return [
        Words(note(marked_tokens.TOLD)),
        Table(marked_tokens.systems_sheet(found.systems, file, study.evaluation.bleu.signature)),
        *categories,
    ]


def _titled(sheet: Sheet) -> list[Block]:
    return [Heading(sheet.title), Table(sheet, "bs-narrow")]
