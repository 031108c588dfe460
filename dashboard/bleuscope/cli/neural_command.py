"""``bleuscope neural``: the files that neural metrics read, and the commands to run."""

from pathlib import Path

import click

from bleuscope.cli.files_out import refuse_taken, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import STANDARD_OUTPUT, Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options
from bleuscope.cli.streams import notice
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.neural.neural_files import (
    commands_text,
    models_called,
    neural_files,
    neural_sheet,
    text_notices,
)

TEXT = "text"


@click.command(
    "neural",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope neural A.txt B.txt -r ref.txt -s source.txt",
        "bleuscope neural A.txt B.txt -r ref.txt -s source.txt --model wmt22-comet-da -o scoring",
        "bleuscope neural 'systems/*.txt' -r ref.txt --model bert-score -o scoring",
        "bleuscope neural --sample --format json",
    ),
)
@file_options(takes_scores=False)
@click.option("--model", "named", multiple=True, metavar="NAME", help="Only this model.  [default: all that fit]")
@click.option("-f", "--format", "form", type=click.Choice((TEXT, "json", "csv")), default=TEXT, show_default=True)
@click.option("-o", "--output", "folder", type=click.Path(), help="A folder for the files that the commands read.")
def neural_command(asked: Inputs, *, named: tuple[str, ...], form: str, folder: str | None) -> None:
    """Print commands that score these texts with COMET, MetricX and others, with the licences of models.

    Runs and downloads nothing. --output writes the texts in the formats of these programs. Open the scores with
    bleuscope score … --scores FILE, or drop them on the dashboard.
    """
    texts = read_texts(asked, None)
    models = models_called(named, texts.test_set)
    files = {} if folder is None else neural_files(texts.test_set, models)
    if folder is not None:
        refuse_taken(Path(folder), list(files))
        for path, content in files.items():
            write_file(Path(folder) / path, content)
    for said in text_notices(texts.test_set):
        notice(said)
    output = Output(form, STANDARD_OUTPUT)
    if form == TEXT:
        output.give(commands_text(texts.test_set, models))
    else:
        give_tables(Tables({"models": lambda: neural_sheet(texts.test_set, models)}, texts.notices), output)
