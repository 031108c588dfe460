"""What the report says of settings."""

from bleucore.counts import Progress
from bleucore.robustness.sensitivity import SensitivityGrid, sensitivity
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.evidence import compared_in, scored_in
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.sheets.builders import evaluation_facts, rows_of
from bleuscope.content.style.sentences import note, notes, paragraph
from bleuscope.features.sensitivity import figures, sheets, words

ONE_SYSTEM = "There is one system, and no order to change."
MOST_PAIRS = 30
"""Of systems, the least firm first."""


def is_offered(study: ComparisonContext) -> bool:
    """Whether there is an order to change."""
    return len(study.evaluation.names) > 1


def find(study: TestedStudy, progress: Progress) -> SensitivityGrid | None:
    """What settings do to the order of systems; ``None`` where there is one system."""
    if not is_offered(study):
        return None
    return sensitivity(
        study.test_set,
        scored_in(study).options,
        significance=study.significance,
        comparison=compared_in(study),
        progress=progress,
    )


def method(found: SensitivityGrid) -> Part | None:
    """A sentence for a paper, with what it cites."""
    return words.sensitivity_method(found) if found.n_pairs else None


def blocks(study: TestedStudy, grid: SensitivityGrid | None) -> list[Block]:
    """The grid of settings, pairs that are not firm, ranks, and what matters most."""
    if grid is None:
        return [Words(note(ONE_SYSTEM))]
    facts = evaluation_facts(study.evaluation)
    pairs = sheets.pairs_sheet(grid, facts)
    return [
        Words(words.verdict_of(grid)),
        Words(note(words.NO_CHOICE)),
        Words(notes(words.repeats_told(grid))),
        Charts(
            (
                Chart(
                    "settings",
                    figures.grid_figure(grid),
                    "How many pairs of systems each setting reverses, as a grid",
                    Table(sheets.settings_sheet(grid, facts)),
                    words.GRID_READ,
                ),
            )
        ),
        Words(notes(words.least_firm(grid))),
        Charts(
            (
                Chart(
                    "setting-ranks",
                    figures.ribbons_figure(grid, study.looks),
                    "The ranks that each system has over all settings, as points on a line",
                    Table(sheets.ranks_sheet(grid, facts)),
                ),
            )
        ),
        Heading("What matters most"),
        Table(sheets.effects_sheet(grid, facts), "bs-narrow"),
        Heading("The least firm pairs of systems"),
        Table(rows_of(pairs, range(min(MOST_PAIRS, len(pairs.frame))), title=pairs.title)),
        Words(paragraph("bs-in-words", "{}", words.method_words(grid))),
    ]
