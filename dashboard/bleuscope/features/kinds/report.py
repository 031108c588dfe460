"""What the report says of kinds of errors."""

from bleucore.analysis.kinds import KindStudy, study_kinds
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.parts import Block, Chart, Charts, Table, Words
from bleuscope.features.kinds import figures, sheets, words


def is_offered(_study: ComparisonContext) -> bool:
    """Always: one system has errors too."""
    return True


def find(study: TestedStudy, progress: Progress) -> KindStudy | None:
    """What A and B lost to each kind, and what makes their difference."""
    return study_kinds(study.test_set, study.sides, study.options, progress=progress)


def method(_found: KindStudy) -> Part | None:
    """A sentence for a paper."""
    return words.METHOD, ()


def blocks(study: TestedStudy, kinds: KindStudy | None) -> list[Block]:
    """What the kinds come to, the ladder, and what human raters mark."""
    if kinds is None:
        return []
    looks = [study.looks[one.system] for one in kinds.losses]
    return [
        Words(words.verdict_of(kinds)),
        Charts(
            (
                Chart(
                    "kinds",
                    figures.ladder_figure(kinds, looks),
                    "What each kind of error contributes to the difference, or cost, as bars",
                    Table(sheets.kinds_sheet(study, kinds)),
                    words.METHOD,
                ),
            )
        ),
        Words(words.undivided(kinds)),
        Words(words.marked_note(None)),
    ]
