"""``bleuscope push``: outputs become a version of a system, in a workspace of this machine or on a server."""

import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.shared_options import TEXT_NAMES, Given, examples, made_of, text_options, texts_given
from bleuscope.cli.streams import notice, print_result, print_text
from bleuscope.cli.workspace_place import place_given, workspace_options
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.style import numbers
from bleuscope.features.projects.pushed_texts import read_pushed
from bleuscope.features.projects.scored_versions import CUT_ANEW, SEGMENTATION
from bleuscope.shell.disk.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuscope.workspace import Workspace
    from bleuscope.workspace.manifests import References
    from bleuscope.workspace.push_payload import Parcel, Pushed
    from bleuscope.workspace.remote import Server

LONGEST_PATIENCE = 3600
FORMS = ("text", "json")


@dataclass(frozen=True)
class Push:
    """What a command line asks for.

    Attributes:
        inputs: The files.
        given: All options, by their names.
    """

    inputs: Inputs
    given: Given


def _asked(given: Given, _: Inputs | None) -> Push:
    return Push(texts_given(given), given)


_OPTIONS = {
    "project": click.option("--project", metavar="NAME", help="The project, such as en-de; the first push makes it."),
    "test_set": click.option("-t", "--test-set", metavar="NAME", help="The name of the test set in the project."),
    "language_pair": click.option(
        "-l",
        "--language-pair",
        "--langpair",
        metavar="XX-YY",
        help="The language pair, such as en-de. Without --reference, the test set is sacreBLEU's.",
    ),
    "system": click.option("--system", metavar="NAME", help="The system.  [default: the name of its file]"),
    "version": click.option("--version", metavar="LABEL", help="What to call these outputs: a commit, a step, a day."),
    "runs": click.option(
        "--run",
        "runs",
        multiple=True,
        metavar="NAME",
        help="The run (seed) of the version: one for all, or one per OUT.",
    ),
    "step": click.option("--step", type=click.IntRange(min=0), help="The training step."),
    "made_at": click.option(
        "--made-at", metavar="TIME", help="Time of training, as 2026-11-23T08:00:00+01:00.  [default: now]"
    ),
    "aligns": click.option(
        "--align", "aligns", is_flag=True, help="Split outputs with other line breaks into the references' segments."
    ),
    "config": click.option("--config", type=click.Path(), help="A JSON file with the settings of the system."),
    "tags": click.option("--tag", "tags", multiple=True, metavar="WORD", help="A word to search for."),
    "workspace": workspace_options()[0],
    "to": click.option(
        "--to", metavar="URL", help="The address of a server to push to, instead of the local workspace."
    ),
    "token_file": click.option(
        "--token-file", type=click.Path(), help="A file with the server's token; without it, BLEUSCOPE_TOKEN_PUSH."
    ),
    "wait": click.option(
        "--wait",
        type=click.IntRange(0, LONGEST_PATIENCE),
        default=30,
        show_default=True,
        metavar="SECONDS",
        help="Wait up to this long for a server that is away.",
    ),
    "never_fail": click.option(
        "--never-fail", is_flag=True, help="Exit with 0 even if the outputs wait in the outbox: for training loops."
    ),
    "pending": click.option("--pending", is_flag=True, help="Send what waits in the outbox."),
    "dry_run": click.option("--dry-run", is_flag=True, help="Only print what would be saved."),
    "form": click.option("-f", "--format", "form", type=click.Choice(FORMS), default=FORMS[0], show_default=True),
}


@click.command(
    "push",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope push out.txt --project en-de --test-set news --system base --version v1 -r ref.txt -s src.txt",
        "bleuscope push out.txt --project en-de --test-set news --system base --version 2k --step 2000",
        "bleuscope push seed1.txt seed2.txt --project en-de -t news --system base --version v3 --run 1 --run 2",
        "bleuscope push out.txt --project en-de -t wmt22 -l en-de --system base --version $GITHUB_SHA",
        "bleuscope push out.txt --project en-de -t news --system base --version v2 --to https://bleu.example.org/",
        "bleuscope push talk.txt --project en-de -t news --system base --version v4 --align",
        "bleuscope push --pending",
    ),
)
@made_of(
    [*text_options("OUT...", "A file with references, at the first push of a test set."), *_OPTIONS.values()],
    [*TEXT_NAMES, *_OPTIONS],
    "asked",
    _asked,
)
def push_command(asked: Push) -> None:
    """Save the outputs in OUT as a version of a system, or of one system per file.

    The first push of a test set names its references. Later, outputs are enough; references named again must be the
    saved ones. Pushing the same outputs again changes nothing. Other outputs under the same version are refused. With
    --to, the token comes from --token-file or BLEUSCOPE_TOKEN_PUSH. What cannot be sent waits in the outbox.
    """
    if asked.given["pending"]:
        pushed = _send_pending(asked)
    else:
        _refuse_unfit(asked.given)
        pushed = _push_here(asked) if asked.given["to"] is None else _push_there(asked)
    _give(pushed, asked.given["form"])


def _refuse_unfit(given: Given) -> None:
    """Refuse options that say nothing together.

    Raises:
        click.UsageError: One is missing, or belongs to a server.
    """
    context = click.get_current_context()
    if not given["systems"]:
        raise click.UsageError("Missing argument 'OUT...'.", context)
    for name in ("project", "test_set", "version"):
        if given[name] is None:
            raise click.UsageError(f"Missing option '--{name.replace('_', '-')}'.", context)
    if given["to"] is None and (given["never_fail"] or given["token_file"] is not None):
        option = "--never-fail" if given["never_fail"] else "--token-file"
        raise click.UsageError(f"{option} needs --to: it is about a server.", context)
    if given["to"] is not None and given["workspace"] is not None:
        raise click.UsageError("--to and --workspace name two places: leave one of them out.", context)


def _push_here(asked: Push) -> "list[Pushed]":
    """Into a workspace of this machine."""
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # with the database's library
    from bleuscope.workspace.database import is_there  # noqa: PLC0415  # as above
    from bleuscope.workspace.people import LOCAL  # noqa: PLC0415  # as above
    from bleuscope.workspace.push_service import keep, rehearse, rehearse_first  # noqa: PLC0415  # as above

    place = place_given(asked.given["workspace"])
    if asked.given["dry_run"] and not is_there(place):
        return [rehearse_first(parcel) for parcel in _parcels(asked, None)]
    with open_workspace(place) as workspace:
        parcels, me = _parcels(asked, workspace), workspace.people.person(LOCAL)
        done = rehearse if asked.given["dry_run"] else keep
        return [done(workspace, parcel, me) for parcel in parcels]


def _push_there(asked: Push) -> "list[Pushed]":
    """To a server."""
    from bleuscope.workspace.outbox import Outbox  # noqa: PLC0415  # as above
    from bleuscope.workspace.pushing import deliver  # noqa: PLC0415  # as above
    from bleuscope.workspace.remote import UNTIL_LATER, checked_address, send  # noqa: PLC0415  # as above

    given, address = asked.given, checked_address(asked.given["to"])
    if given["dry_run"]:
        server = _server(given, address)
        return [send(parcel, server, is_tried=True) for parcel in _parcels(asked, None)]
    if not given["never_fail"]:
        _server(given, address)  # before anything is read
    outbox, found = Outbox(), list["Pushed"]()
    waiting = [outbox.put(address, parcel) for parcel in _parcels(asked, None)]
    try:
        server = _server(given, address)
    except InputError as error:
        if not given["never_fail"]:
            raise
        notice(f"{error} {UNTIL_LATER}")
        return found
    if server.is_overheard:
        notice(f"{address} has no TLS: what is sent can be read on the way, the token too.")
    for one in waiting:
        try:
            found.append(deliver(one, server, outbox, keeps_refused=given["never_fail"]))
        except InputError as error:
            if not given["never_fail"]:
                raise
            notice(str(error))
    left = outbox.n_waiting() if len(found) == len(waiting) else 0
    if left:
        notice(f"{numbers.counted(left, 'earlier push', 'earlier pushes')} in the outbox: bleuscope push --pending.")
    return found


def _send_pending(asked: Push) -> "list[Pushed]":
    """What waits in the outbox.

    Raises:
        InputError: Pushes wait for several servers and none is named, or there is no way to it.
    """
    from bleuscope.workspace.outbox import Outbox  # noqa: PLC0415  # as above
    from bleuscope.workspace.pushing import deliver  # noqa: PLC0415  # as above
    from bleuscope.workspace.remote import NotSentError, checked_address  # noqa: PLC0415  # as above

    outbox, to = Outbox(), asked.given["to"]
    addresses = list(dict.fromkeys(one.to for one in outbox.all()))
    wanted = addresses if to is None else [checked_address(to)]
    if len(wanted) > 1:
        raise InputError(
            "pushes wait for several servers, each with a token of its own",
            where="The outbox",
            found=", ".join(wanted),
            expected="one of them",
            remedy="Name it with --to.",
        )
    found, refusals = list["Pushed"](), list[InputError]()
    if not set(wanted) & set(addresses):
        notice("nothing waits in the outbox.")
        return []
    server = _server(asked.given, wanted[0])
    for one in outbox.all():
        if one.to != server.address:
            continue
        try:
            found.append(deliver(one, server, outbox, keeps_refused=True))
        except NotSentError:
            _give(found, asked.given["form"])
            raise
        except InputError as error:
            refusals.append(error)
    for refusal in refusals[:-1]:
        notice(str(refusal))
    if refusals:
        _give(found, asked.given["form"])
        raise refusals[-1]
    return found


def _server(given: Given, address: str) -> "Server":
    """The server, with the token of this command.

    Raises:
        InputError: The address is none, or there is no token.
    """
    from bleuscope.workspace.pushing import TOKEN_VARIABLE, checked_token  # noqa: PLC0415  # as above
    from bleuscope.workspace.remote import Server, checked_address  # noqa: PLC0415  # as above

    file = given["token_file"]
    if file is None:
        token = checked_token(os.environ.get(TOKEN_VARIABLE, ""))
    else:
        token = checked_token(read_bytes(Path(file)).decode("utf-8", "replace"), file)
    return Server(checked_address(address), token, given["wait"])


def _parcels(asked: Push, workspace: "Workspace | None") -> "list[Parcel]":
    """What is pushed, a parcel for each system.

    Raises:
        InputError: A file cannot be read, the files do not fit together, or one name is given to several systems.
    """
    from bleuscope.workspace.columns import now  # noqa: PLC0415  # as above
    from bleuscope.workspace.projects import NewVersion  # noqa: PLC0415  # as above
    from bleuscope.workspace.push_payload import Parcel  # noqa: PLC0415  # as above

    given, inputs = asked.given, asked.inputs
    is_of_sacrebleu = inputs.language_pair is not None and not inputs.references
    if is_of_sacrebleu and not _is_kept(workspace, given):
        inputs = replace(inputs, test_set=given["test_set"])
    kept = _kept_references(workspace, given) if given["aligns"] else None
    outputs, texts = read_pushed(inputs, aligns=given["aligns"], kept=kept)
    runs = _runs(given, len(outputs))
    if given["system"] is not None and len(outputs) > 1 and len(given["runs"]) <= 1:
        raise InputError(
            "one name is given to several systems",
            where="Option --system",
            found=", ".join(one.name for one in outputs),
            expected="one system",
            remedy="Leave it out: each has the name of its file. Or name the run of each with --run.",
        )
    made_at, config = _moment(given["made_at"]) or now(), _config(given["config"])
    return [
        Parcel(
            given["project"],
            given["test_set"],
            NewVersion(
                given["system"] or one.name,
                given["version"],
                one.segments,
                given["step"],
                made_at,
                config | ({SEGMENTATION: CUT_ANEW} if one.is_cut else {}),
                given["tags"],
                one.file,
                run,
            ),
            texts,
        )
        for one, run in zip(outputs, runs, strict=True)
    ]


def _runs(given: Given, n_outputs: int) -> "Sequence[str | None]":
    """The run of each of the outputs.

    Raises:
        InputError: There are neither one nor as many as outputs, or one twice; or no system of several is named.
    """
    runs: tuple[str, ...] = given["runs"]
    if len(runs) <= 1:
        return [*runs, *([None] * (1 - len(runs)))] * n_outputs
    problem, found, expected, remedy = "", ", ".join(runs), "one for each", "Name each run once, in this order."
    if len(runs) != n_outputs:
        files = numbers.counted(n_outputs, "file of outputs", "files of outputs")
        problem = f"there are {numbers.counted(len(runs), 'run')} of {files}"
    elif len({run.strip() for run in runs}) < len(runs):
        problem = "a run is named twice"
    elif given["system"] is None:
        problem, remedy = "these are runs of no system", "Name the system that they are runs of with --system."
    if problem:
        raise InputError(problem, where="Option --run", found=found, expected=expected, remedy=remedy)
    return runs


def _is_kept(workspace: "Workspace | None", given: Given) -> bool:
    """Whether the test set is there, so that nothing needs to be read of it."""
    from bleuscope.workspace.errors import NotFoundError  # noqa: PLC0415  # as above

    if workspace is None:
        return False
    try:
        workspace.projects.test_set(workspace.projects.find(given["project"]), given["test_set"].strip())
    except NotFoundError:
        return False
    return True


def _kept_references(workspace: "Workspace | None", given: Given) -> "References | None":
    """The references of the test set where it is there; ``None`` where it is new, or on a server."""
    from bleuscope.workspace.errors import NotFoundError  # noqa: PLC0415  # as above

    if workspace is None:
        return None
    try:
        of = workspace.projects.test_set(workspace.projects.find(given["project"]), given["test_set"].strip())
    except NotFoundError:
        return None
    return workspace.projects.references(of)


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            "this is no time",
            where="Option --made-at",
            found=shown(text),
            expected="as in 2026-11-23T08:00:00+01:00",
            remedy="Write it so.",
        ) from error


def _config(file: str | None) -> dict[str, Any]:
    """The settings in a JSON file.

    Raises:
        InputError: It cannot be read, or holds something else.
    """
    if file is None:
        return {}
    try:
        found = json.loads(read_bytes(Path(file)))
    except (ValueError, RecursionError) as error:
        found = error
    if not isinstance(found, dict):
        raise InputError(
            "this is no JSON object",
            where=file,
            found=str(found) if isinstance(found, Exception) else type(found).__name__,
            expected='settings by name, as in {"layers": 6}',
            remedy="Write the settings as JSON.",
        )
    return found


def _give(pushed: "Sequence[Pushed]", form: str) -> None:
    """Print what was kept: a line each, or one line of JSON."""
    if form == "json":
        print_result(f"{json.dumps({'versions': [asdict(one) for one in pushed]}, ensure_ascii=False)}\n")
    elif pushed:
        print_text("".join(f"{one}\n" for one in pushed))
