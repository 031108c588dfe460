"""``bleuscope align``: outputs in other lines than the references, cut at their segments."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleucore.corpus import TestSet
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options, output_options
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs

if TYPE_CHECKING:
    from bleuscope.content.sheets.sheet import Sheet


@click.command(
    "align",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope align talk.txt -r ref.txt -o aligned.tsv",
        "bleuscope align talks.txt -r ref.txt --documents docs.txt --lines aligned.txt",
    ),
)
@file_options(takes_scores=False)
@click.option("--lines", type=click.Path(), help="Write the one output to this file, a line for each segment.")
@output_options()
def align_command(asked: Inputs, output: Output, lines: str | None) -> None:
    """Cut outputs at the segments of the references, with the fewest word edits, and mark doubtful cuts.

    The table has one row per segment and opens like any other. Correct it where a cut is wrong.
    """
    output.check(asked.paths)
    if lines is not None:
        refuse_unwritable(Path(lines))
    test_set = read_texts(replace(asked, aligns=True), None).test_set
    if lines is not None:
        if len(test_set.systems) != 1:
            raise click.UsageError("--lines takes one output.", click.get_current_context())
        write_file(Path(lines), "".join(f"{text}\n" for text in test_set.systems[0].hypotheses).encode())
    give_tables(Tables({"texts": partial(_sheet, test_set)}, ()), output)


def _sheet(test_set: TestSet) -> "Sheet":
    from bleuscope.content.comparison.text_sheets import texts_sheet  # noqa: PLC0415  # with pandas

    return texts_sheet(test_set)
