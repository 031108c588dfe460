"""``bleuscope annotate``: tasks for annotators, their links, and what their marks come to."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleucore.annotation.exports import FORMS, Form
from bleucore.errors import InputError
from bleucore.judgements.averaging import MqmWeights, written_weights
from bleucore.sampling.criteria import CRITERIA, USUAL_SEED, Criterion
from bleucore.values import shown
from bleuscope.cli.files_out import refuse_taken, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options, output_options, scoring_options
from bleuscope.cli.streams import notice, print_result, print_text, progress
from bleuscope.cli.studies import scored_pair
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.cli.workspace_place import place_given, workspace_options
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.style import numbers

if TYPE_CHECKING:
    from bleucore.annotation.imports import Replayed
    from bleucore.annotation.schemes import Scheme
    from bleucore.corpus import TestSet
    from bleucore.sampling.design import Sample
    from bleuscope.features.annotation.outcome import Outcome

USUAL_ADDRESS = "http://127.0.0.1:8501"
FOR_PEOPLE = ("progress", "annotator-agreement", "annotated-systems", "marked-kinds")
_workspace = workspace_options()[0]
_title = click.option("--title", metavar="TEXT", default="Annotation", show_default=True, help="The name of the task.")
_address = click.option(
    "--address", metavar="URL", default=USUAL_ADDRESS, show_default=True, help="How annotators reach the server."
)
_project = click.option("--project", metavar="NAME", help="The project that the task belongs to.")
_weights = click.option("--mqm-weights", "weights", metavar="WEIGHTS", help="Own weights, as in major=10, minor=1.")


@click.group(
    "annotate",
    epilog=examples(
        "bleuscope annotate plan A.txt B.txt -r ref.txt -s source.txt --annotators ann,bob --scheme ESA",
        "bleuscope annotate links TASK --address https://bleuscope.example.org",
        "bleuscope annotate results TASK --table disagreements",
        "bleuscope annotate export TASK --form marot -o marks.tsv",
    ),
)
def annotate_command() -> None:
    """Have people mark errors in outputs: plan a task, send links, read the results."""


@annotate_command.command(
    "plan",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope annotate plan A.txt B.txt -r ref.txt -s source.txt --annotators ann,bob --scheme ESA",
        "bleuscope annotate plan --sample --annotators ann,bob,cem --by difference --budget 40 --overlap 0.3",
        "bleuscope annotate plan 'systems/*.txt' -r ref.txt --documents docs.txt --annotators ann --scheme ours.yaml",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@click.option("--annotators", required=True, metavar="NAME,…", help="Who annotates.")
@click.option(
    "--scheme", "scheme_name", default="MQM", show_default=True, metavar="NAME|FILE", help="MQM, ESA, or a YAML file."
)
@click.option("--by", type=click.Choice(CRITERIA), default="document", show_default=True, help="What to sample by.")
@click.option("--budget", type=click.IntRange(min=1), help="Up to this number of segments.  [default: all]")
@click.option("--system", "chosen", multiple=True, metavar="NAME", help="A system to annotate.  [default: all]")
@click.option(
    "--overlap", type=click.FloatRange(0, 1), default=0.15, show_default=True, help="Share with two annotators."
)
@click.option("--attention", type=click.IntRange(0, 100), default=0, show_default=True, help="Planted errors for each.")
@click.option("--show-reference", is_flag=True, help="Show the reference to annotators.")
@click.option("--seed", type=click.IntRange(min=0), default=USUAL_SEED, show_default=True, help="Of all draws.")
@_title
@_project
@_address
@_workspace
def plan_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    *,
    annotators: str,
    scheme_name: str,
    by: Criterion,
    budget: int | None,
    chosen: tuple[str, ...],
    overlap: float,
    attention: int,
    show_reference: bool,
    seed: int,
    title: str,
    project: str | None,
    address: str,
    workspace: str | None,
) -> None:
    """Plan who annotates what, save the task, and print its name and a link for each annotator.

    Documents stay together, and a document has the outputs of all systems. Annotators never see the systems' names.
    """
    from bleucore.annotation.tasks import planned  # noqa: PLC0415  # a help does without

    scheme = _scheme(scheme_name)
    texts = read_texts(asked, scoring.options.tokenizer)
    systems = tuple(dict.fromkeys(system_named(texts.test_set, name, "Option --system") for name in chosen))
    draw: Sample | None = None
    if budget is not None:
        from bleucore.sampling.criteria import draw_sample  # noqa: PLC0415  # as above

        study = scored_pair(texts, scoring, None)
        whom = systems or study.test_set.system_names
        with progress("Choosing segments") as report:
            draw = draw_sample(
                by,
                study.evaluation,
                study.test_set,
                whom,
                metric=study.metric,
                budget=budget,
                seed=seed,
                progress=report,
            )
    task = planned(
        texts.test_set,
        draw,
        annotators.split(","),
        scheme=scheme,
        name=title,
        systems=systems or None,
        overlap=overlap,
        seed=seed,
        attention=attention,
        shows_reference=show_reference,
    )
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # with the database's library
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        store = AnnotationStore(opened)
        made = store.create(task, opened.people.person(LOCAL), project)
        links = {name: store.link_for(made, name) for name in task.annotators}
    print_text(f"{made}\n")
    _print_links(links, address)
    notice(f"task {made}: {numbers.counted(len(task.items), 'output')}. Each link is shown once; links makes new ones.")


@annotate_command.command("list", epilog=examples("bleuscope annotate list", "bleuscope annotate list -f json"))
@click.option("-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@_workspace
def list_command(form: str, workspace: str | None) -> None:
    """List the tasks of the workspace, newest first."""
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        found = AnnotationStore(opened).tasks()
    rows = [
        {
            "task": one.id,
            "title": one.title,
            "project": one.project,
            "made": f"{one.created_at:%Y-%m-%d}",
            "state": "ended" if one.ended_at else "open",
        }
        for one in found
    ]
    if form == "json":
        print_result(f"{json.dumps(rows, ensure_ascii=False)}\n")
    else:
        print_text("".join("  ".join(str(value or "–") for value in row.values()) + "\n" for row in rows))


@annotate_command.command(
    "links",
    epilog=examples(
        "bleuscope annotate links TASK --address https://bleuscope.example.org",
        "bleuscope annotate links TASK --annotator ann --revoke",
    ),
)
@click.argument("task_id", metavar="TASK")
@click.option("--annotator", "names", multiple=True, metavar="NAME", help="Only this one.  [default: all]")
@click.option("--revoke", "is_revoked", is_flag=True, help="End the links instead of making new ones.")
@_address
@_workspace
def links_command(
    task_id: str, names: tuple[str, ...], address: str, workspace: str | None, *, is_revoked: bool
) -> None:
    """Print a new link for each annotator of TASK; earlier links keep working unless revoked."""
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        store = AnnotationStore(opened)
        whose = names or store.task(task_id).annotators
        if is_revoked:
            for name in whose:
                store.revoke_links(task_id, name)
            notice(f"links revoked: {', '.join(whose)}.")
            return
        links = {name: store.link_for(task_id, name) for name in whose}
    _print_links(links, address)


@annotate_command.command(
    "export",
    epilog=examples(
        "bleuscope annotate export TASK --form mtme -o human-scores/",
        "bleuscope annotate export TASK --form esa -o marks.jsonl",
        "bleuscope annotate export TASK --form xlsx -o marks.xlsx",
    ),
)
@click.argument("task_id", metavar="TASK")
@click.option("--form", type=click.Choice(FORMS), required=True, help="mt-metrics-eval, Marot, ESA, or a workbook.")
@click.option("-o", "--output", "path", type=click.Path(), required=True, help="The file to write; a folder for mtme.")
@_weights
@_workspace
def export_command(task_id: str, form: Form, path: str, weights: str | None, workspace: str | None) -> None:
    """Write the annotations of TASK as files that other programs read, with the names of the systems."""
    from bleuscope.features.annotation.exporting import exported  # noqa: PLC0415  # as above

    files = exported(_outcome(task_id, _own_weights(weights), workspace), form)
    target = Path(path)
    if form == "mtme":
        target.mkdir(exist_ok=True)
        refuse_taken(target, tuple(files))
        for name, content in files.items():
            write_file(target / name, content)
    else:
        write_file(target, next(iter(files.values())))
    notice(f"wrote {', '.join(files) if form == 'mtme' else path}.")


@annotate_command.command(
    "import",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope annotate import A.txt B.txt -r ref.txt --annotations en-de.mqm.seg.rating",
        "bleuscope annotate import 'systems/*.txt' -r ref.txt --annotations marks.xlsx --title round-1",
    ),
)
@file_options(takes_scores=False)
@click.option("--annotations", "path", required=True, type=click.Path(), help="A file with marks of the systems.")
@click.option("--scheme", "scheme_name", metavar="NAME|FILE", help="MQM, ESA, or a YAML file.  [default: by the file]")
@click.option("--widen", is_flag=True, help="Move marks beyond their text, or within a grapheme, to the next place.")
@_title
@_project
@_workspace
def import_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    *,
    path: str,
    scheme_name: str | None,
    widen: bool,
    title: str,
    project: str | None,
    workspace: str | None,
) -> None:
    """Save a file of annotations as a task, and print its name."""
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above

    texts = read_texts(asked, None)
    replays = _replayed(
        texts.test_set, path, title, None if scheme_name is None else _scheme(scheme_name), widens=widen
    )
    for said in dict.fromkeys(one for replay in replays for one in replay.notices):
        notice(said)
    with open_workspace(place_given(workspace)) as opened:
        store = AnnotationStore(opened)
        for replay in replays:
            made = store.create(replay.task, opened.people.person(LOCAL), project)
            n_events = store.append_all(made, replay.events)
            print_text(f"{made}\n")
            outputs = numbers.counted(len(replay.task.items), "output")
            notice(f"task {made}: {outputs}, {numbers.counted(n_events, 'event')}.")


@annotate_command.command(
    "results",
    epilog=examples(
        "bleuscope annotate results TASK",
        "bleuscope annotate results TASK --table disagreements --format json",
        "bleuscope annotate results TASK --mqm-weights 'major=10, minor=1' -o results.xlsx",
    ),
)
@click.argument("task_id", metavar="TASK")
@_weights
@output_options()
@_workspace
def results_command(task_id: str, output: Output, *, weights: str | None, workspace: str | None) -> None:
    """Print progress, agreement and scores of TASK.

    Tables: progress, annotator-agreement, annotator-pairs, annotated-systems, marked-kinds, disagreements,
    annotations.
    """
    from bleuscope.features.annotation import sheets  # noqa: PLC0415  # as above

    found = _outcome(task_id, _own_weights(weights), workspace)
    makers = {name: partial(make, found) for name, make in sheets.SHEETS.items()}
    give_tables(Tables(makers, (), for_people=FOR_PEOPLE), output)


@annotate_command.command("end", epilog=examples("bleuscope annotate end TASK", "bleuscope annotate end TASK --reopen"))
@click.argument("task_id", metavar="TASK")
@click.option("--reopen", is_flag=True, help="Let it go on.")
@_workspace
def end_command(task_id: str, workspace: str | None, *, reopen: bool) -> None:
    """End TASK: nothing more can be marked."""
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        AnnotationStore(opened).end(task_id, is_over=not reopen)
    print_text(f"task {task_id}: {'open' if reopen else 'ended'}\n")


@annotate_command.command("delete", epilog=examples("bleuscope annotate delete TASK --yes"))
@click.argument("task_id", metavar="TASK")
@click.option("--yes", is_flag=True, help="Delete all its annotations for good.")
@_workspace
def delete_command(task_id: str, workspace: str | None, *, yes: bool) -> None:
    """Delete TASK with all that was marked."""
    if not yes:
        raise InputError(
            "this deletes annotations for good",
            where=f"Task {shown(task_id)}",
            remedy="Export it first; then add --yes.",
        )
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        AnnotationStore(opened).delete(task_id, opened.people.person(LOCAL))
    print_text(f"task {task_id}: deleted\n")


def _scheme(name: str) -> "Scheme":
    """A scheme by its name, or from a file."""
    from bleucore.annotation.schemes import SCHEMES, scheme_from_yaml  # noqa: PLC0415  # as above
    from bleuscope.shell.disk.files import read_bytes  # noqa: PLC0415  # as above

    known = SCHEMES.get(name.upper())
    return known or scheme_from_yaml(read_bytes(Path(name)), Path(name).name)


def _own_weights(written: str | None) -> MqmWeights | None:
    return None if written is None else written_weights(written)


def _outcome(task_id: str, weights: MqmWeights | None, workspace: str | None) -> "Outcome":
    from bleuscope.features.annotation.outcome import Outcome  # noqa: PLC0415  # as above
    from bleuscope.features.annotation.store import AnnotationStore  # noqa: PLC0415  # as above
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above

    with open_workspace(place_given(workspace)) as opened:
        store = AnnotationStore(opened)
        return Outcome(store.task(task_id), store.states(task_id), weights)


def _replayed(test_set: "TestSet", path: str, title: str, scheme: "Scheme | None", *, widens: bool) -> list["Replayed"]:
    """The tasks that a file comes to: one for each set of judgements in it."""
    from bleucore.annotation.imports import replayed  # noqa: PLC0415  # as above
    from bleucore.judgements.reading import aligned_judgements, read  # noqa: PLC0415  # as above
    from bleuscope.shell.disk.files import read_bytes  # noqa: PLC0415  # as above

    found = read(Path(path).name, read_bytes(Path(path)))
    named = {one.name: tuple(one.block_sizes or ()) for one in found.judgements}
    return [
        replayed(one, test_set, name=title, scheme=scheme, systems=named.get(one.name, ()), widens=widens)
        for one in aligned_judgements(found, test_set)
    ]


def _print_links(links: dict[str, str], address: str) -> None:
    base = address.rstrip("/")
    print_text("".join(f"{name}\t{base}/annotate?rater={secret}\n" for name, secret in links.items()))
