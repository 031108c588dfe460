"""The section on what people marked of the words that BLEU credits."""

from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.report.parts import Block, Heading, Table, Words
from bleuscope.content.segments import marked_tokens
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.sentences import note

NO_ERRORS = "There are no errors that people marked."


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
