"""Spans as annotation tools write them: character indices, or "missing"."""

from collections.abc import Mapping

from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import UNPLACED, Side, Span

_MISSING = "missing"


def spans_of(place: Place, value: object, *, end_is_inside: bool) -> tuple[Span, ...]:
    """The spans of a list with ``start_i``, ``end_i``, ``severity`` and a category each.

    Args:
        place: Where the list stands.
        value: The list; ``None`` for none.
        end_is_inside: Whether ``end_i`` is the last character itself, and not one behind it.

    Raises:
        InputError: It is no such list, or a span ends before it starts.
    """
    if value is None:
        return ()
    found = fields.items(place, "list of spans", value)
    return tuple(_span(place, fields.mapping(place, "span", one), end_is_inside=end_is_inside) for one in found)


def _span(place: Place, one: Mapping[str, object], *, end_is_inside: bool) -> Span:
    severity = "" if one.get("severity") is None else fields.text(place, "severity", one["severity"], may_be_empty=True)
    category = _category(place, one.get("error_type", one.get("category")))
    comment = fields.text(place, "comment", one.get("comment") or "", may_be_empty=True)
    side: Side = "source" if one.get("side") == "source" else "target"
    ends = [fields.field(place, one, title) for title in ("start_i", "end_i")]
    if any(end is None or (isinstance(end, str) and end.strip("[]").lower() == _MISSING) for end in ends):
        return Span(UNPLACED, UNPLACED, severity.strip().lower(), category, comment=comment)
    start, end = (fields.whole(place, "place of a span", written) for written in ends)
    if end < start:
        raise place.refusal(
            "a span ends before it starts",
            found=f"{start:,} to {end:,}",
            expected="characters from 0",
            remedy="Load the file as it was written by its program.",
        )
    return Span(start, end + end_is_inside, severity.strip().lower(), category, side, comment=comment)


def _category(place: Place, value: object) -> str:
    """The category, with its parts joined where they are a list."""
    if value is None:
        return ""
    parts = value if isinstance(value, list) else [value]
    return "/".join(fields.text(place, "category", part, may_be_empty=True).strip() for part in parts if part)
