"""The checks of the texts that a session has open: begun as soon as they are open, and followed on every page."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Literal

from bleucore import TestSet
from bleucore.checks import Finding
from bleuscope.runtime.background import RunningTask
from bleuscope.shell.state import cached, session

INSTANT_TEXTS = 4_000
"""Outputs: a page waits for the checks of up to this number; those of more go on while it is read."""

_BEGUN, _CANCELLED, _SHOWN = "_checks_begun", "_checks_cancelled", "_checks_shown"

Status = Literal["checking", "checked", "cancelled", "failed"]
_Begun = tuple[Hashable, RunningTask[tuple[Finding, ...]]]


@dataclass(frozen=True)
class TextChecks:
    """How far the checks of the open texts are.

    Attributes:
        status: Whether they go on, or how they ended.
        share: How much of them is done, 0 to 1.
        found: What they found, once they are done.
    """

    status: Status
    share: float = 0.0
    found: tuple[Finding, ...] = ()


def follow(test_set: TestSet) -> TextChecks:
    """How far the checks are; they are begun unless this session cancelled them or they failed.

    What this session has begun is known to it though the caches have no room for it.
    """
    work = cached.text_findings(test_set)
    if work.is_done:
        return TextChecks("checked", 1.0, work.value())
    if session.get(_CANCELLED) == work.key:
        return TextChecks("cancelled")
    begun: _Begun | None = session.get(_BEGUN)
    if begun is not None and begun[0] == work.key:
        if begun[1].failure is not None:
            return TextChecks("failed")
        if begun[1].found is not None:
            return TextChecks("checked", 1.0, begun[1].found)
    under_way = work.begin()
    session.put(_BEGUN, (work.key, under_way))
    return TextChecks("checking", under_way.share)


def found_in(test_set: TestSet) -> tuple[Finding, ...] | None:
    """What the checks found; ``None`` as long as they have not ended."""
    checks = follow(test_set)
    return checks.found if checks.status == "checked" else None


def known(test_set: TestSet) -> tuple[Finding, ...]:
    """What the checks have found so far as they have ended; they are not begun."""
    work = cached.text_findings(test_set)
    return work.value() if work.is_done else ()


def cancel(test_set: TestSet) -> None:
    """End the checks for this session; another that has the same texts open goes on with them."""
    work = cached.text_findings(test_set)
    session.put(_CANCELLED, work.key)
    work.stop()


def start_again(test_set: TestSet) -> None:
    """Begin checks that were cancelled, or failed, once more."""
    session.drop(_CANCELLED, _BEGUN)
    cached.text_findings(test_set).begin()


def are_instant(test_set: TestSet) -> bool:
    """Whether a page waits for the checks before it shows scores."""
    return test_set.n_segments * len(test_set.systems) <= INSTANT_TEXTS


def show_going_on(test_set: TestSet, move: Callable[[float], None]) -> None:
    """Note that this run of the page shows the checks as going on, and what moves their bar."""
    session.put(_SHOWN, (session.this_run(), test_set, move))


def have_ended() -> bool:
    """Whether checks that this run of the page shows as going on have ended; until then their bar is moved.

    A page that waits for other work asks this: what follows the checks runs only between two runs of the page.
    """
    run, test_set, move = session.get(_SHOWN, (None, None, None))
    if run is None or run != session.this_run():
        return False
    checks = follow(test_set)
    if checks.status == "checking":
        move(checks.share)
    return checks.status != "checking"
