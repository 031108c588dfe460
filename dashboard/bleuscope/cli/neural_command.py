"""``bleuscope neural``: run a neural metric, or print the commands that run it elsewhere and write what they read."""

import sys
from pathlib import Path

import click

from bleuscope.cli.files_out import refuse_taken, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import STANDARD_OUTPUT, Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Loaded
from bleuscope.content.neural.neural_files import (
    commands_text,
    models_called,
    neural_files,
    neural_sheet,
    text_notices,
)
from bleuscope.content.neural.run_words import cost_words, run_sheet, saved_words
from bleuscope.neural.environments import neural_folder
from bleuscope.neural.metrics import metric_called
from bleuscope.neural.scoring import Run, Scores, scores_file

TEXT = "text"


@click.command(
    "neural",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope neural A.txt B.txt -r ref.txt -s source.txt --run wmt22-comet-da -o scoring",
        "bleuscope neural A.txt B.txt -r ref.txt -s source.txt",
        "bleuscope neural A.txt B.txt -r ref.txt -s source.txt --model wmt22-comet-da -o scoring",
        "bleuscope neural 'systems/*.txt' -r ref.txt --model bert-score -o scoring",
        "bleuscope neural --sample --format json",
    ),
)
@file_options(takes_scores=False)
@click.option("--run", "run_name", metavar="NAME", help="Score with this metric, in an environment of its own.")
@click.option("--yes", is_flag=True, help="Agree to the download and the licence of --run.")
@click.option("--model", "named", multiple=True, metavar="NAME", help="Only this model.  [default: all that fit]")
@click.option("-f", "--format", "form", type=click.Choice((TEXT, "json", "csv")), default=TEXT, show_default=True)
@click.option("-o", "--output", "folder", type=click.Path(), help="A folder for scores, or for what commands read.")
def neural_command(
    asked: Inputs, *, run_name: str | None, yes: bool, named: tuple[str, ...], form: str, folder: str | None
) -> None:
    """Score with COMET, BERTScore and others, or print commands that do so elsewhere, with the licences of models.

    --run downloads a metric once you agree, and saves what it scored: after a stop, the same command goes on. Without
    --run nothing is downloaded, and --output writes the texts in the formats of these programs. Open the scores with
    bleuscope score … --scores FILE, or drop them on the dashboard.
    """
    if run_name is not None and named:
        raise click.UsageError("--run names one metric; leave --model out.")
    texts = read_texts(asked, None)
    if run_name is not None:
        _run(texts, run_name, form, folder, is_agreed=yes)
        return
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


def _run(texts: Loaded, name: str, form: str, folder: str | None, *, is_agreed: bool) -> None:
    """Score the texts, write the scores of segments, and print the mean of each system."""
    metric, test_set = metric_called(name), texts.test_set
    run = Run(metric, test_set, neural_folder())
    file = f"{metric.name}.jsonl"
    if folder is not None:
        refuse_taken(Path(folder), [file])
    if run.needs_download and not is_agreed:
        for said in cost_words(metric):
            notice(said)
        if sys.stdin is not None and sys.stdin.isatty():
            is_agreed = click.confirm("Download and run it?", err=True)
    scores = _scores(run, is_agreed=is_agreed)
    if folder is not None:
        write_file(Path(folder) / file, scores_file(metric, scores))
        lower = "" if metric.higher_is_better else f" --lower-is-better {metric.name}"
        notice(f"to compare them with BLEU, add to any command: --scores {Path(folder) / file}{lower}")
    give_tables(
        Tables({"scores": lambda: run_sheet(metric, test_set, scores)}, texts.notices), Output(form, STANDARD_OUTPUT)
    )


def _scores(run: Run, *, is_agreed: bool) -> Scores:
    try:
        with progress(f"Scoring with {run.metric.name}") as report:
            return run.scores(report, may_download=is_agreed)
    except KeyboardInterrupt:
        notice(f"{saved_words(run)} Run the same command to go on.")
        raise
