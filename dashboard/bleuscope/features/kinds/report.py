"""What the report says of kinds of errors."""

from collections.abc import Sequence

from bleucore.analysis.kinds import KindLosses, kind_losses
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.paper.methods import Part
from bleuscope.content.report.parts import Block, Chart, Charts, Table, Words
from bleuscope.content.style.sentences import note
from bleuscope.features.kinds import figures, sheets, words


def is_offered(_study: ComparisonContext) -> bool:
    """Always: one system has errors too."""
    return True


def find(study: TestedStudy, progress: Progress) -> Sequence[KindLosses] | None:
    """What A and B lost to each kind."""
    found = kind_losses(study.test_set, study.sides, study.options, progress=progress)
    return tuple(found[name] for name in study.sides)


def method(_found: Sequence[KindLosses]) -> Part | None:
    """A sentence for a paper."""
    return words.METHOD, ()


def blocks(study: TestedStudy, losses: Sequence[KindLosses] | None) -> list[Block]:
    """What the kinds come to, the ladder, and what human raters mark."""
    if losses is None:
        return []
    looks = [study.looks[one.system] for one in losses]
    return [
        Words(words.verdict_of(losses)),
        Charts(
            (
                Chart(
                    "kinds",
                    figures.ladder_figure(losses, looks),
                    "The BLEU points that each system lost to each kind of error, as bars",
                    Table(sheets.kinds_sheet(study, losses)),
                    words.METHOD,
                ),
            )
        ),
        Words(words.undivided(losses)),
        Words(note("{}", words.MARKED)),
    ]
