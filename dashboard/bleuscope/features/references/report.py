"""What the report says of the choice of references."""

from bleucore.counts import Progress
from bleucore.robustness.references import ONE_REFERENCE, DrawOptions, ReferenceStudy, study_references
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.evidence import compared_in, scored_in
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.sheets.builders import Facts, evaluation_facts, rows_of
from bleuscope.content.significance.significance_words import flip_test_words
from bleuscope.content.style.sentences import note, notes, paragraph
from bleuscope.features.references import figures, sheets, words


def is_offered(study: ComparisonContext) -> bool:
    """Whether there is a choice."""
    return len(study.test_set.references) > 1


def find(study: TestedStudy, progress: Progress) -> ReferenceStudy | None:
    """What the choice of references does to the order of systems; ``None`` where there is one reference."""
    if not is_offered(study):
        return None
    return study_references(
        study.test_set,
        scored_in(study).options,
        draws=DrawOptions(seed=study.significance.seed),
        significance=study.significance,
        comparison=compared_in(study),
        progress=progress,
    )


def method(found: ReferenceStudy) -> Part | None:
    """A sentence for a paper, with what it cites."""
    return words.references_method(found) if found.n_pairs else None


def blocks(study: TestedStudy, found: ReferenceStudy | None) -> list[Block]:
    """Orders by references, draws of references, which of them matched, and each as a system."""
    if found is None:
        return [Words(note(ONE_REFERENCE))]
    facts = evaluation_facts(study.evaluation)
    nearness = sheets.nearness_sheet(found, facts)
    return [
        Words(words.verdict_of(found)),
        Words(notes(found.notices)),
        *(_orders(study, found, facts) if found.n_pairs else []),
        *(_matches(found, facts) if found.shares is not None else []),
        Heading("References as systems"),
        Words(words.people_words(found)),
        Words(note(words.AS_SYSTEMS)),
        Heading(nearness.title),
        Table(nearness, "bs-narrow"),
        Words(note(words.NEARNESS)),
        Words(paragraph("bs-in-words", "{}", flip_test_words(found.tests))),
    ]


def _matches(found: ReferenceStudy, facts: Facts) -> list[Block]:
    return [
        Charts(
            (
                Chart(
                    "reference-matches",
                    figures.matches_figure(found),
                    "The share of matched n-grams that each reference alone decides, by order",
                    Table(sheets.matches_sheet(found, facts)),
                    words.MATCHED,
                ),
            )
        )
    ]


def _orders(study: TestedStudy, found: ReferenceStudy, facts: Facts) -> list[Block]:
    ranks, growth = sheets.ranks_sheet(found, facts), sheets.growth_sheet(found, facts)
    draws, ahead = sheets.draw_flips_sheet(found, facts), sheets.draws_sheet(found, facts)
    return [
        Charts(
            (
                Chart(
                    "reference-ranks",
                    figures.slope_figure(found, study.looks),
                    "The rank of each system by each choice of references, as lines",
                    Table(ranks),
                ),
                Chart(
                    "reference-growth",
                    figures.growth_figure(found, study.looks),
                    "Scores by the number of references, with their ranges",
                    Table(growth),
                    words.GROWTH_CAPTION,
                ),
            )
        ),
        Table(sheets.subsets_sheet(found, facts)),
        Words(note("{}", words.simulation_words(found))),
        Charts(
            (
                Chart(
                    "reference-draws",
                    figures.draws_figure(found),
                    "How many draws of references reverse how many pairs",
                    Table(draws, "bs-narrow"),
                ),
                Chart(
                    "reference-ahead",
                    figures.ahead_figure(found, study.looks),
                    "The share of samples in which one system scores higher than another",
                    Table(rows_of(ahead, range(0, len(ahead.frame), 2), title=ahead.title), "bs-narrow"),
                ),
            )
        ),
    ]
