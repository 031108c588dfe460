"""What the report says of recipes and their runs."""

from bleucore.counts import Progress
from bleucore.experiments.claims import RunStudy, study_runs
from bleucore.experiments.factors import factor_tables
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.evidence import compared_in, scored_in
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.sheets.builders import Facts
from bleuscope.content.style.sentences import note, notes
from bleuscope.features.runs import figures, sheets, words


def is_offered(study: ComparisonContext) -> bool:
    """Whether a recipe has several runs."""
    return study.design.has_runs


def find(study: TestedStudy, progress: Progress) -> RunStudy | None:
    """What runs say about recipes; ``None`` where no recipe has several."""
    if not is_offered(study):
        return None
    known = compared_in(study)
    return study_runs(
        compared_systems(study.test_set, scored_in(study)),
        study.design,
        study.significance,
        baseline=study.baseline,
        comparison=known.with_baseline(None) if known is not None and known.has_all_pairs else None,
        progress=progress,
    )


def method(found: RunStudy) -> Part | None:
    """A sentence for a paper, with what it cites; ``None`` where no recipe is tested."""
    return words.runs_method(found) if any(claim.reason is None for claim in found.claims) else None


def blocks(study: TestedStudy, found: RunStudy | None) -> list[Block]:
    """Both claims about each recipe, the recipes with their runs, the variance by its source, and factors."""
    if found is None:
        return [Words(note("{}", words.NO_RUNS))]
    metric = scored_in(study)
    facts = sheets.facts_of(study.test_set.digest, metric, found)
    return [
        Words(words.runs_verdict(found, metric.name)),
        *([Words(words.claims_told(found, metric.name))] if found.claims else []),
        Charts(
            (
                Chart(
                    "recipes",
                    figures.recipes_figure(found, metric.name),
                    "The mean of each recipe with its interval, and a dot for each of its runs",
                    Table(sheets.recipes_sheet(found, facts)),
                ),
            )
        ),
        *_claims(found, facts),
        Heading("Variance of items and runs"),
        Words(note("{}", words.VARIANCE_HELP)),
        Table(sheets.variance_sheet(found, facts)),
        *_factors(found, metric.name, facts),
    ]


def _claims(found: RunStudy, facts: Facts) -> list[Block]:
    if not found.claims:
        return []
    sheet = sheets.claims_sheet(found, facts)
    remarks = {make(one) for one in found.claims for make in words.REMARKS}
    told = [words.variances_told(found), *sorted(remarks)]
    return [Heading(sheet.title), Table(sheet), Words(notes([one for one in told if one]))]


def _factors(found: RunStudy, metric: str, facts: Facts) -> list[Block]:
    tables = factor_tables(found)
    if not tables:
        return []
    sheet = sheets.factors_sheet(found, facts)
    charts = (
        Chart(
            f"factor-{place}",
            figures.factor_figure(table, metric),
            f"The mean score by {table.factor}, with intervals",
            Table(sheets.factor_sheet(found, facts, table.factor)),
        )
        for place, table in enumerate(tables, start=1)
    )
    return [Heading(sheet.title), *(Charts((chart,)) for chart in charts), Words(words.factor_note(tables[0]))]
