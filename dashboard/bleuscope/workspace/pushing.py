"""Pushing from a program: the outputs of a system, into a workspace of this machine or to a server."""

import logging
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bleucore.errors import InputError
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import ForbiddenError, NotFoundError
from bleuscope.workspace.outbox import Outbox, Waiting
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.place import place_of, usual_place
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.push_payload import GivenTexts, Parcel, Pushed
from bleuscope.workspace.push_service import keep
from bleuscope.workspace.remote import UNTIL_LATER, USUAL_PATIENCE, NotSentError, Server, checked_address, send
from bleuscope.workspace.tokens import FORM
from bleuscope.workspace.workspace import open_workspace

TOKEN_VARIABLE = "BLEUSCOPE_TOKEN_PUSH"  # noqa: S105  # its name
LATER = (NotSentError, ForbiddenError, NotFoundError)
"""What another token, another day or another push may fix: such a push stays in the outbox."""


def push(  # noqa: PLR0913  # each is told by its name
    outputs: Sequence[str],
    *,
    project: str,
    test_set: str,
    system: str,
    version: str,
    run: str | None = None,
    step: int | None = None,
    config: Mapping[str, Any] | None = None,
    tags: Sequence[str] = (),
    made_at: datetime | None = None,
    references: Sequence[Sequence[str | None]] = (),
    source: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
    workspace: str | None = None,
    to: str | None = None,
    token: str | None = None,
    patience: float = USUAL_PATIENCE,
    never_fail: bool = False,
) -> Pushed | None:
    """Keep the outputs of a system as a version of it.

    Pushed again, the same outputs under the same names are there already; other outputs under them are refused.

    Args:
        outputs: S texts.
        project: Its name, small letters and digits; it is made at the first push to a workspace of this machine.
        test_set: Its name in the project.
        system: Its name.
        version: What to call these outputs: a commit, a step, a day.
        run: Of which run of the version they are, as a seed; a version can have several runs.
        step: Of training.
        config: Settings, as JSON holds them.
        tags: Words.
        made_at: When the outputs were made; now unless given.
        references: R columns of S texts; needed at the first push of a test set.
        source: S texts.
        documents: The document of each segment.
        labels: Further columns of S texts by name.
        workspace: A folder, or postgresql://…; the usual one unless given.
        to: The address of a server to push to in place of a workspace.
        token: Of that server; from the variable ``BLEUSCOPE_TOKEN_PUSH`` unless given.
        patience: Seconds in which a server that is away may come back.
        never_fail: Whether a push to a server that does not arrive is left in the outbox with a warning in the log.

    Returns:
        What came of it; ``None`` where it did not arrive and ``never_fail`` is set.

    Raises:
        ConflictError: Other outputs have these names, or the test set other texts.
        InputError: The outputs do not fit the test set, a name is none, or there is no way to the server.
        WorkspaceError: The workspace or the outbox cannot be written.
    """
    new = NewVersion(system, version, tuple(outputs), step, made_at or now(), config or {}, tuple(tags), run=run)
    texts = GivenTexts(tuple(references), None, None, source, documents, labels or {})
    parcel = Parcel(project, test_set, new, texts)
    if to is None:
        with open_workspace(usual_place() if workspace is None else place_of(workspace)) as opened:
            return keep(opened, parcel, opened.people.person(LOCAL))
    address, shown = checked_address(to), token or os.environ.get(TOKEN_VARIABLE, "")
    if not never_fail:
        checked_token(shown)
    outbox = Outbox()
    waiting = outbox.put(address, parcel)
    reason: InputError
    try:
        server = Server(address, checked_token(shown), patience)
    except InputError as error:  # only where it may not fail: else it was looked at before
        reason = _with(error, UNTIL_LATER)
    else:
        try:
            return deliver(waiting, server, outbox, keeps_refused=never_fail)
        except InputError as error:
            if not never_fail:
                raise
            reason = error
    logging.getLogger(__name__).warning("%s", reason)
    return None


def deliver(waiting: Waiting, server: Server, outbox: Outbox, *, keeps_refused: bool) -> Pushed:
    """Send a push that waits; it goes from the outbox when the server has it.

    Args:
        waiting: In the outbox.
        server: To which.
        outbox: Where it waits.
        keeps_refused: Whether what the server refuses for good is kept aside, because nobody else may have it.

    Raises:
        NotSentError: There is no way to the server now, or not with this token; it stays in the outbox.
        ForbiddenError: The token may not write; it stays.
        NotFoundError: There is no such project for this token, or no such test set; it stays.
        InputError: The server refuses it for good.
    """
    try:
        pushed = send(waiting.parcel, server)
    except LATER as error:
        raise _with(error, UNTIL_LATER) from error
    except InputError as error:
        if not keeps_refused:
            outbox.sent(waiting)
            raise
        raise _with(error, f"Its texts are in {outbox.refused(waiting)}.") from error
    outbox.sent(waiting)
    return pushed


def checked_token(text: str, where: str = f"Variable {TOKEN_VARIABLE}") -> str:
    """A token, as ``bleuscope token make`` gives it.

    Raises:
        InputError: It is none.
    """
    stripped = text.strip()
    if not FORM.fullmatch(stripped):
        raise InputError(
            "there is no token" if not stripped else "this is no token",
            where=where,
            found=f"{len(stripped)} letters" if stripped else None,
            expected="bls_ and 43 letters",
            remedy="Have one made on the server: bleuscope token make --project NAME --right write.",
        )
    return stripped


def _with(error: InputError, sentence: str) -> InputError:
    """The error with one sentence more to what can be done."""
    return type(error)(
        error.problem,
        where=error.where,
        line=error.line,
        found=error.found,
        expected=error.expected,
        remedy=" ".join(part for part in (error.remedy, sentence) if part),
    )
