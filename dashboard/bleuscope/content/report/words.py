"""What a report will hold, in words, before it is made."""

from bleucore import Evaluation
from bleuscope.content.paper.methods import in_a_row
from bleuscope.content.report.choices import SECTION_NAMES, SECTIONS, USUAL_SECTIONS, ReportOptions
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, note, sentence, strong

NOTHING = "Choose at least one section. The report would be empty."


def holds_anything(options: ReportOptions, *, is_html: bool) -> bool:
    """Whether there would be anything in it."""
    return bool(options.sections) or (is_html and options.is_full)


def contents_words(evaluation: Evaluation, sides: tuple[str, ...], options: ReportOptions, *, is_html: bool) -> Text:
    """Which systems and sections, how many segments, and whether there is a list of all."""
    if not holds_anything(options, is_html=is_html):
        return note(NOTHING)
    is_usual = set(USUAL_SECTIONS) <= set(options.sections)
    named = [name for name in SECTION_NAMES if options.holds(name) and not (is_usual and name in USUAL_SECTIONS)]
    held = [*(["the usual sections"] if is_usual else []), *(f"“{SECTIONS[name]}”" for name in named)]
    pieces = [in_a_row(held)] if held else []
    pieces += [_written_out(options)] if options.holds("segments") else []
    if is_html and options.is_full:
        pieces.append(f"a list of all {numbers.counted(evaluation.n_segments, 'segment')} to search")
    return note("{} It contains {}.", _systems(evaluation, sides), "; ".join(pieces))


def _systems(evaluation: Evaluation, sides: tuple[str, ...]) -> Sentence:
    n_systems = numbers.counted(len(evaluation.names), "system")
    if len(sides) == 1:
        return sentence("The report covers {}.", n_systems)
    return sentence("The report compares {}, and {} (A) with {} (B) in detail.", n_systems, *map(strong, sides))


def _written_out(options: ReportOptions) -> str:
    if options.chosen is not None:
        return f"{numbers.counted(len(options.chosen), 'segment')} with a tag or a note"
    return f"up to {numbers.counted(2 * options.n_segments, 'segment')}" if options.n_segments else "no segment"
