"""``bleuscope draw``: the segments that people are to judge, as a table to fill in or a campaign of Pearmut."""

from functools import partial
from pathlib import Path

import click

from bleucore.sampling.criteria import CRITERIA, USUAL_BUDGET, USUAL_SEED, Criterion, draw_sample
from bleuscope.cli.files_out import refuse_taken, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import PEARMUT, STANDARD_OUTPUT, Output, Tables, form_of, give_tables
from bleuscope.cli.shared_options import examples, file_options, format_option, metric_option, scoring_options
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.studies import scored_pair
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.sheets.forms import COMMAND_FORMS
from bleuscope.content.sheets.writers import write
from bleuscope.features.judgements.pearmut import CAMPAIGN_FILE, PROTOCOLS, Protocol, campaign
from bleuscope.features.judgements.sheets_samples import Task, drawn_words, sample_sheet, strata_sheet
from bleuscope.features.judgements.words_samples import TABLE_FILE, next_words

SAMPLE_FORMS = (*COMMAND_FORMS, PEARMUT)


@click.command(
    "draw",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope draw A.txt B.txt -r ref.txt -s source.txt --by difference --budget 100 -o judging/",
        "bleuscope draw 'systems/*.txt' -r ref.txt --by diversity --format pearmut -o campaign.json",
        "bleuscope draw A.txt B.txt -r ref.txt --documents docs.txt --by document --format xlsx -o sample.xlsx",
        "bleuscope draw --sample --by disagreement",
    ),
)
@file_options()
@scoring_options
@metric_option
@click.option(
    "--by", type=click.Choice(CRITERIA), default=CRITERIA[0], show_default=True, help="Which segments to prefer."
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=USUAL_BUDGET,
    show_default=True,
    help="Up to this number of segments.",
)
@click.option("--seed", type=click.IntRange(min=0), default=USUAL_SEED, show_default=True, help="Seed of the sample.")
@click.option(
    "--system",
    "judged",
    multiple=True,
    metavar="NAME",
    help="A system to judge.  [default: A and B by difference, else all]",
)
@click.option(
    "--protocol", type=click.Choice(PROTOCOLS), default=PROTOCOLS[0], show_default=True, help="The protocol in Pearmut."
)
@click.option(
    "--judges",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="The number of raters who share the campaign.",
)
@format_option(SAMPLE_FORMS)
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(allow_dash=True),
    default=STANDARD_OUTPUT,
    help=f"The file to write; or a folder (folder/), for {CAMPAIGN_FILE} and {TABLE_FILE}.",
)
@click.option("--table", metavar="NAME", help="Only this table: sample or strata.")
def draw_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    *,
    metric: str | None,
    by: Criterion,
    budget: int,
    seed: int,
    judged: tuple[str, ...],
    protocol: Protocol,
    judges: int,
    form: str | None,
    path: str,
    table: str | None,
) -> None:
    """Sample segments for raters, and write them as a Pearmut campaign or a table to fill in.

    Every segment has a known sampling probability, and the files carry its weight. So bleuscope agreement
    --judgements FILE estimates the judgement of the whole test set.

    Tables: sample, strata. --format pearmut or a folder writes the campaign.
    """
    is_folder = path != STANDARD_OUTPUT and (path.endswith(("/", "\\")) or Path(path).is_dir())
    output = Output(SAMPLE_FORMS[0] if is_folder else form_of(form, path, SAMPLE_FORMS), path, table)
    if is_folder:
        refuse_taken(Path(path), (CAMPAIGN_FILE, TABLE_FILE))
    else:
        output.check(asked.paths)
    texts = read_texts(asked, scoring.options.tokenizer)
    task = _task(scored_pair(texts, scoring, None, metric), by, judged, budget, seed)
    notice(drawn_words(task))
    if is_folder:
        write_file(Path(path) / CAMPAIGN_FILE, campaign(task, protocol, judges).encode())
        write_file(Path(path) / TABLE_FILE, write(sample_sheet(task), "csv"))
    elif output.form == PEARMUT:
        output.give(campaign(task, protocol, judges))
    else:
        makers = {"sample": partial(sample_sheet, task), "strata": partial(strata_sheet, task)}
        give_tables(Tables(makers, (), for_people=("strata",)), output)
    if is_folder or output.form == PEARMUT:
        notice(next_words(task, Path(path) / CAMPAIGN_FILE if is_folder else Path(path)))


def _task(study: ComparisonContext, by: Criterion, judged: tuple[str, ...], budget: int, seed: int) -> Task:
    """What is drawn of the texts that were scored."""
    test_set = study.test_set
    named = tuple(dict.fromkeys(system_named(test_set, name, "Option --system") for name in judged))
    systems = named or (study.sides if by == "difference" else test_set.system_names)
    with progress("Choosing segments") as report:
        sample = draw_sample(
            by,
            study.evaluation,
            test_set,
            systems,
            metric=study.metric,
            budget=budget,
            seed=seed,
            progress=report,
        )
    return Task(test_set, systems, by, sample)
