"""The sections that say whether the order of systems hangs on the references, or on a setting."""

from bleucore.robustness.references import ONE_REFERENCE, ReferenceStudy
from bleucore.robustness.sensitivity import SensitivityGrid
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.references import reference_figures, reference_sheets, reference_words
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.sensitivity import sensitivity_figures, sensitivity_sheets, sensitivity_words
from bleuscope.content.sheets.builders import Facts, evaluation_facts, rows_of
from bleuscope.content.style.sentences import note, notes, paragraph

ONE_SYSTEM = "There is one system, and no order to change."
MOST_PAIRS = 30
"""Of systems, the least firm first."""


def references_blocks(study: TestedStudy, found: ReferenceStudy | None) -> list[Block]:
    """Orders by references, draws of references, which of them matched, and each as a system."""
    if found is None:
        return [Words(note(ONE_REFERENCE))]
    facts = evaluation_facts(study.evaluation)
    nearness = reference_sheets.nearness_sheet(found, facts)
    return [
        Words(reference_words.verdict_of(found)),
        Words(notes(found.notices)),
        *(_orders(study, found, facts) if found.n_pairs else []),
        *(_matches(found, facts) if found.shares is not None else []),
        Heading("References as systems"),
        Words(reference_words.people_words(found)),
        Words(note(reference_words.AS_SYSTEMS)),
        Heading(nearness.title),
        Table(nearness, "bs-narrow"),
        Words(note(reference_words.NEARNESS)),
        Words(paragraph("bs-in-words", "{}", reference_words.test_words(found.tests))),
    ]


def _matches(found: ReferenceStudy, facts: Facts) -> list[Block]:
    return [
        Charts(
            (
                Chart(
                    "reference-matches",
                    reference_figures.matches_figure(found),
                    "The share of matched n-grams that each reference alone decides, by order",
                    Table(reference_sheets.matches_sheet(found, facts)),
                    reference_words.MATCHED,
                ),
            )
        )
    ]


def _orders(study: TestedStudy, found: ReferenceStudy, facts: Facts) -> list[Block]:
    ranks, growth = reference_sheets.ranks_sheet(found, facts), reference_sheets.growth_sheet(found, facts)
    draws, ahead = reference_sheets.draw_flips_sheet(found, facts), reference_sheets.draws_sheet(found, facts)
    return [
        Charts(
            (
                Chart(
                    "reference-ranks",
                    reference_figures.slope_figure(found, study.looks),
                    "The rank of each system by each choice of references, as lines",
                    Table(ranks),
                ),
                Chart(
                    "reference-growth",
                    reference_figures.growth_figure(found, study.looks),
                    "Scores by the number of references, with their ranges",
                    Table(growth),
                    reference_words.GROWTH_CAPTION,
                ),
            )
        ),
        Table(reference_sheets.subsets_sheet(found, facts)),
        Words(note("{}", reference_words.simulation_words(found))),
        Charts(
            (
                Chart(
                    "reference-draws",
                    reference_figures.draws_figure(found),
                    "How many draws of references reverse how many pairs",
                    Table(draws, "bs-narrow"),
                ),
                Chart(
                    "reference-ahead",
                    reference_figures.ahead_figure(found, study.looks),
                    "The share of samples in which one system scores higher than another",
                    Table(rows_of(ahead, range(0, len(ahead.frame), 2), title=ahead.title), "bs-narrow"),
                ),
            )
        ),
    ]


def sensitivity_blocks(study: TestedStudy, grid: SensitivityGrid | None) -> list[Block]:
    """The grid of settings, pairs that are not firm, ranks, and what matters most."""
    if grid is None:
        return [Words(note(ONE_SYSTEM))]
    facts = evaluation_facts(study.evaluation)
    pairs = sensitivity_sheets.pairs_sheet(grid, facts)
    return [
        Words(sensitivity_words.verdict_of(grid)),
        Words(note(sensitivity_words.NO_CHOICE)),
        Words(notes(sensitivity_words.repeats_told(grid))),
        Charts(
            (
                Chart(
                    "settings",
                    sensitivity_figures.grid_figure(grid),
                    "How many pairs of systems each setting reverses, as a grid",
                    Table(sensitivity_sheets.settings_sheet(grid, facts)),
                    sensitivity_words.GRID_READ,
                ),
            )
        ),
        Words(notes(sensitivity_words.least_firm(grid))),
        Charts(
            (
                Chart(
                    "setting-ranks",
                    sensitivity_figures.ribbons_figure(grid, study.looks),
                    "The ranks that each system has over all settings, as points on a line",
                    Table(sensitivity_sheets.ranks_sheet(grid, facts)),
                ),
            )
        ),
        Heading("What matters most"),
        Table(sensitivity_sheets.effects_sheet(grid, facts), "bs-narrow"),
        Heading("The least firm pairs of systems"),
        Table(rows_of(pairs, range(min(MOST_PAIRS, len(pairs.frame))), title=pairs.title)),
        Words(paragraph("bs-in-words", "{}", sensitivity_words.method_words(grid))),
    ]
