"""What is said of a text that two windows changed, and of its earlier versions."""

from datetime import datetime

from bleuscope.annotations import SegmentNote
from bleuscope.content.comparison.recent_words import when

NOTE, REMARKS = "note", "remarks"


def not_saved(what: str, theirs: SegmentNote, who: str, changed_at: datetime | None, now: datetime) -> str:
    """Why a text was not saved: what another window did, who and when.

    Args:
        what: ``NOTE`` or ``REMARKS``.
        theirs: What is saved.
        who: Whose window it was; "" where only one person can be meant.
        changed_at: When it was saved or deleted.
        now: This moment.
    """
    did = f"{'changed' if theirs.note else 'deleted'} the {what}"
    whose = f"{who} {did} in another window" if who else f"Another window {did}"
    at = "" if changed_at is None else f" {when(changed_at, now)} ({_written(changed_at)})"
    return f"Your {what} {'are' if what == REMARKS else 'is'} not saved yet. {whose}{at}."


def version_title(said: SegmentNote, written_at: datetime, now: datetime) -> str:
    """When an earlier version was written, and its tag."""
    tag = f" · tag: {said.tag}" if said.tag else ""
    return f"{when(written_at, now).capitalize()} ({_written(written_at)}){tag}"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
