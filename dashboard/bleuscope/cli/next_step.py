"""What to type after a comparison."""

import shlex

from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.segments.segment_queries import SegmentQuery
from bleuscope.content.significance.study_verdict import study_verdict
from bleuscope.content.style.invisible import in_one_line
from bleuscope.content.style.widths import n_columns

MOST_OF_COMMAND = 2
"""Lines of the command."""
SAME_FILES, SAME_OPTIONS = "(same files)", "(same files and options)"


def next_step(study: TestedStudy, width: int) -> str:
    """The command that helps most now, with its reason; with the files where that fits a line.

    Args:
        study: The comparison.
        width: Columns of the line.
    """
    made = study_verdict(study) if study.compares else None
    if made is None or made.state == "check-texts" or made.apart:
        what, command = "Findings in the texts", commands.lint_command(study)
    elif made.state == "no-winner":
        power = commands.pair_command(study).replace(" compare ", " compare --table power ", 1)
        what, command = "How small a difference can this test set show?", power
    else:
        what, command = "Segments that differ most", commands.segments_command(study, SegmentQuery())
    lead = what if what.endswith("?") else f"{what}:"
    with_files = f"{lead} {command}"
    if n_columns(in_one_line(with_files)) <= width or study.inputs.is_sample:
        return with_files
    texts = shlex.join(commands.texts_words(study))
    shorter = f"{lead} {command.removesuffix(texts).rstrip()} {SAME_FILES}"
    if n_columns(in_one_line(shorter)) <= MOST_OF_COMMAND * width:
        return shorter
    return f"{lead} {' '.join(command.split()[:2])} {SAME_OPTIONS}"
