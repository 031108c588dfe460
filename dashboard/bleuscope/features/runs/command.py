"""``bleuscope runs``: is the recipe better, or one run of it?"""

from functools import partial

import click

from bleucore.evaluation import evaluate_metric
from bleucore.experiments.claims import study_runs
from bleucore.experiments.design import Level, RunDesign
from bleucore.significance import SignificanceOptions
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    metric_option,
    output_options,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.studies import metric_named
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.features.runs.run_options import of_command, report_options
from bleuscope.features.runs.sheets import SHEETS, axis_sheet, facts_of
from bleuscope.features.runs.words import NO_RUNS, level_told

FOR_PEOPLE = ("recipes", "claims", "variance")


@click.command(
    "runs",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope runs big-seed1.txt big-seed2.txt small-seed1.txt small-seed2.txt -r ref.txt",
        "bleuscope runs A.txt B.txt C.txt -r ref.txt --run A=old --run B=old --baseline old --table claims",
        "bleuscope runs m-depth6-seed1.txt m-depth6-seed2.txt m-depth12-seed1.txt -r ref.txt --factor depth",
        "bleuscope runs big-seed1.txt big-seed2.txt small-seed1.txt small-seed2.txt -r ref.txt --table planning",
        "bleuscope runs table.csv --axis prompt=A",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@test_options
@metric_option
@report_options
@click.option(
    "--baseline",
    metavar="NAME",
    help="The recipe, or one of its runs, to test others against.  [default: the best recipe]",
)
@click.option(
    "--axis",
    metavar="FACTOR[=LEVEL]",
    help="Compare the levels of a factor, with all others the same. LEVEL is the baseline.",
)
@output_options()
def runs_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    metric: str | None,
    by_hand: tuple[tuple[str, ...], tuple[str, ...]],
    baseline: str | None,
    axis: str | None,
) -> None:
    """Compare recipes by their runs (seeds, several answers): is the recipe better, or only this run?

    Tables: recipes, claims, variance, planning, pairs, factors, and axis with --axis. json holds everything.
    """
    options = metric_named(scoring, metric)
    texts = read_texts(asked, scoring.options.tokenizer)
    design = of_command(texts.test_set, by_hand).design(texts.test_set.system_names)
    if baseline is not None and design.recipe_of(baseline) is None:
        baseline = system_named(texts.test_set, baseline, "Option --baseline")
    with progress("Scoring and testing") as report:
        evaluation = evaluate_metric(texts.test_set, options)
        study = study_runs(
            compared_systems(texts.test_set, evaluation), design, significance, baseline=baseline, progress=report
        )
    notices = list(texts.notices)
    if not design.has_runs:
        notices.append(NO_RUNS)
        notice(NO_RUNS)
    facts = facts_of(texts.test_set.digest, evaluation, study)
    makers = {name: partial(make, study, facts) for name, make in SHEETS.items()}
    for_people = (*FOR_PEOPLE, *(("factors",) if design.factors else ()))
    if axis is not None:
        factor, level = axis_of(design, axis)
        makers = {"axis": partial(axis_sheet, study, facts, factor, level), **makers}
        for_people = ("axis",)
    give_tables(Tables(makers, notices, for_people=for_people), output)


def axis_of(design: RunDesign, given: str) -> tuple[str, Level | None]:
    """The factor and the level of FACTOR[=LEVEL], as they are written in names.

    Raises:
        InputError: There is no such factor, or no such level.
    """
    factor, _, level = given.partition("=")
    known = next((name for name in design.factors if factor.casefold() == name.casefold()), factor)
    if not level or known not in design.factors:
        return known, None
    told = {name: one for one in design.factors[known] for name in (level_told(one), str(one))}
    return known, told.get(level, level)
