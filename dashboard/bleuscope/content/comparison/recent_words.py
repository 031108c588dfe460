"""What is said of comparisons that somebody opened before."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import listed

NOT_KEPT = "This comparison is open, and not kept: {}"
CANNOT_SAVE = "Nothing can be saved: {}. You can still read and export everything."
EXPLANATION = "Kept on the computer that runs bleuscope, with your notes, until you delete it."


def name_of(title: str, system_names: Sequence[str]) -> str:
    """What to call a comparison in a list: what its files have in common, or else its first systems."""
    name = title.rpartition(", ")[0] or title
    return str(listed(system_names)) if name == "Comparison" or name.startswith("Upload of ") else name


def in_words(n_systems: int, n_segments: int, opened_at: datetime, now: datetime) -> str:
    """As in "8 systems · 216 segments · 3 hours ago"."""
    parts = [numbers.counted(n_systems, "system"), numbers.counted(n_segments, "segment"), when(opened_at, now)]
    return " · ".join(parts)


def when(moment: datetime, now: datetime) -> str:
    """How long ago something was; its day where that is more than a week. A clock that was set back says "now"."""
    ago = now - moment
    if ago < timedelta(minutes=1):
        return "just now"
    if ago < timedelta(hours=1):
        return f"{numbers.counted(ago // timedelta(minutes=1), 'minute')} ago"
    if ago < timedelta(days=1):
        return f"{numbers.counted(ago // timedelta(hours=1), 'hour')} ago"
    if ago < timedelta(days=7):
        return f"{numbers.counted(ago.days, 'day')} ago"
    return f"on {moment:%Y-%m-%d}"
