"""``bleuscope plan``: what files come to, before anything is scored."""

import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click

from bleucore import InputError
from bleucore.formats import assemble, common_title
from bleucore.formats.several_sets import SeveralSetsError
from bleuscope.cli.by_hand import run_option, runs_among
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, give_tables
from bleuscope.cli.output import Tables as OutputTables
from bleuscope.cli.shared_options import examples, file_options, output_options
from bleuscope.cli.streams import notice, notice_on_terminal
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.comparison.plan import Plan, plan_document, plan_of_columns, plan_of_sets, sets_sheet, with_runs
from bleuscope.content.comparison.plan_manifest import manifest_of
from bleuscope.registry import load, of_several_sets
from bleuscope.shell.disk import files

UNDECIDED = 2


@click.command(
    "plan",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope plan outputs/",
        "bleuscope plan A.jsonl B.jsonl ref.txt",
        "bleuscope plan results.csv --format json",
        "bleuscope plan outputs/ --manifest sets.yaml",
        "bleuscope plan A.txt B.txt ref.txt --run A=small --run B=small --manifest small.yaml",
        "bleuscope plan wmt22/",
    ),
)
@file_options(takes_scores=False)
@click.option("--manifest", type=click.Path(), help="Also write the plan as a manifest, to change and open.")
@run_option
@output_options()
def plan_command(asked: Inputs, output: Output, manifest: str | None, **of_features: object) -> None:
    """Show what bleuscope finds in files: test sets, systems, runs, references, and what it leaves out.

    Nothing is scored. The exit code is 2 if you have to decide something first, such as which file is the reference.
    """
    output.check(asked.paths)
    if manifest is not None:
        refuse_unwritable(Path(manifest))
    plan = _plan(asked)
    plan = with_runs(plan, runs_among(plan.texts, of_features))
    for said in plan.notices:
        notice(said)
    for path, reason in plan.left_out:
        if not any(said.startswith(f"{path} ") for said in plan.notices):
            notice(f"{path} is left out: {reason.removeprefix(f'{path}: ')}.".replace("..", "."))
    make = partial(sets_sheet, plan)
    give_tables(OutputTables({"plan": make}, (), document=lambda: plan_document(plan)), output)
    if manifest is not None:
        folder = Path(manifest).resolve().parent
        write_file(Path(manifest), manifest_of(plan, partial(_path_from, folder, _places(asked))).encode())
    if plan.decision is not None:
        notice(plan.decision)
        sys.exit(UNDECIDED)


def _places(asked: Inputs) -> dict[str, Path]:
    """What is named, by what plans call it: a folder by "", a file by its name and by its path."""
    places: dict[str, Path] = {}
    for path in asked.paths:
        if Path(path).is_dir():
            places[""] = Path(path)
        else:
            places |= {Path(path).name: Path(path), path: Path(path)}
    return places


def _path_from(folder: Path, places: Mapping[str, Path], name: str) -> str:
    """The path of a file of a plan from the folder of the manifest.

    Raises:
        InputError: It is inside an archive, or there is no such file.
    """
    inside = places[""] / name if "" in places else None
    found = places.get(name) or (inside if inside is not None and inside.is_file() else None)
    if found is None:
        raise InputError(
            "a manifest names files, and this is none on the disk",
            where=name,
            remedy="Unpack the archive or put the pieces together, and plan the folder.",
        )
    return os.path.relpath(found.resolve(), folder).replace(os.sep, "/")


def _plan(asked: Inputs) -> Plan:
    """Several test sets where one path holds them, else one."""
    if asked == Inputs(systems=asked.systems) and len(asked.systems) == 1:
        several = of_several_sets()
        found: Plan | None = load(several.plan)(asked.systems[0]) if several is not None else None
        if found is not None:
            return found
    try:
        columns = files.read_inputs(asked, announce=notice_on_terminal, read_data=reader(asked.paths))
    except SeveralSetsError as error:
        return plan_of_sets(common_title([column for one in error.sets for column in one.columns]) or "Files", error)
    decision = None
    try:
        assemble(columns)
    except InputError as error:
        decision = str(error)
    return plan_of_columns(common_title(columns) or files.came_in(asked) or "Comparison", columns, decision=decision)
