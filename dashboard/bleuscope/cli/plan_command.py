"""``bleuscope plan``: what files come to, before anything is scored."""

import sys
from functools import partial

import click

from bleucore import InputError
from bleucore.formats import assemble, common_title
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, give_tables
from bleuscope.cli.output import Tables as OutputTables
from bleuscope.cli.shared_options import examples, file_options, output_options
from bleuscope.cli.streams import notice, notice_on_terminal
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.comparison.plan import Plan, plan_document, plan_of_columns, sets_sheet
from bleuscope.registry import load, own_features
from bleuscope.shell.disk import files

UNDECIDED = 2


@click.command(
    "plan",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope plan outputs/",
        "bleuscope plan A.jsonl B.jsonl ref.txt",
        "bleuscope plan results.csv --format json",
        "bleuscope plan wmt22/",
    ),
)
@file_options(takes_scores=False)
@output_options()
def plan_command(asked: Inputs, output: Output) -> None:
    """Show what files come to: test sets, systems with their runs, references, and what is left out and why.

    Nothing is scored. The exit code is 2 where something has to be decided first: which file is the reference, say.
    """
    output.check(asked.paths)
    plan = _plan(asked)
    for said in plan.notices:
        notice(said)
    for path, reason in plan.left_out:
        if not any(said.startswith(f"{path} ") for said in plan.notices):
            notice(f"{path} is left out: {reason.removeprefix(f'{path}: ')}.".replace("..", "."))
    make = partial(sets_sheet, plan)
    give_tables(OutputTables({"plan": make}, (), document=lambda: plan_document(plan)), output)
    if plan.decision is not None:
        notice(plan.decision)
        sys.exit(UNDECIDED)


def _plan(asked: Inputs) -> Plan:
    """Several test sets where one path holds them, else one."""
    if asked == Inputs(systems=asked.systems) and len(asked.systems) == 1:
        for feature in own_features():
            found: Plan | None = load(feature.plans)(asked.systems[0]) if feature.plans else None
            if found is not None:
                return found
    columns = files.read_inputs(asked, announce=notice_on_terminal, read_data=reader(asked.paths))
    decision = None
    try:
        assemble(columns)
    except InputError as error:
        decision = str(error)
    return plan_of_columns(common_title(columns) or "Comparison", columns, decision=decision)
