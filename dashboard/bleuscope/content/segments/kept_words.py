"""What is said about what a person typed: what there is, where it is kept, what came back and what did not."""

from bleuscope.annotations import Annotations
from bleuscope.content.style import numbers


def in_words(work: Annotations) -> str:
    """What there is, as in "2 tags or notes, 5 preferences"; empty where there is nothing."""
    n_preferences = sum(map(len, work.trials.values()))
    parts = [
        numbers.counted(len(work.notes), "segment") + " with a tag or a note" if work.notes else "",
        numbers.counted(n_preferences, "preference") + " of blind comparisons" if n_preferences else "",
        numbers.counted(len(work.names), "name") + " given by hand" if work.names else "",
        "remarks on the report" if work.remarks else "",
    ]
    return ", ".join(part for part in parts if part)


def where_kept(*, is_kept: bool, is_shared: bool, fault: str | None) -> str:
    """Where tags, notes and the like are, and how long."""
    if is_kept:
        where = "for this browser" if is_shared else "in any browser"
        return (
            "The computer that runs bleuscope saves tags, notes, preferences, names and remarks on these texts. They "
            f"survive a reload or a restart, {where}. Save them as a file to use them elsewhere."
        )
    reason = f"They cannot be saved: {fault}. " if fault else ""
    return f"Tags and notes last until you close this page. {reason}Save them as a file."


def here_again(work: Annotations) -> str:
    """What was found at the start of a session."""
    return f"Restored from earlier: {in_words(work)}."


def new_session(had: str, work: Annotations | None) -> str:
    """A page that was open goes on in a new session: what it had, and what of that is here.

    Args:
        had: What the page had, as ``in_words`` said it.
        work: What is here; ``None`` while no test set is open.
    """
    began = "A new session began: the server restarted or lost contact with this page. "
    if work is None:
        return f"{began}The page had {had}. Open the same texts to restore what was saved."
    found = in_words(work)
    if found == had:
        return f"{began}Everything is restored: {found}."
    return f"{began}The page had {had}. Restored: {found or 'nothing; the rest could not be saved'}."
