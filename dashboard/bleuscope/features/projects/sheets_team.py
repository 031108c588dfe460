"""Members, tokens, links and the log of a project as sheets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.projects.sheets import written_moment


@dataclass(frozen=True)
class MemberRow:
    """A member.

    Attributes:
        role: Theirs.
        name: To show.
        email: As whoever vouches for them says; "" if not.
        issuer: Who vouches for them.
        subject: Their name there, which never changes.
    """

    role: str
    name: str
    email: str
    issuer: str
    subject: str


@dataclass(frozen=True)
class TokenRow:
    """A token, without what it says.

    Attributes:
        id: Its number.
        name: To know it by.
        right: What it may.
        state: "valid", "expired" or "revoked".
        made_by: Who made it.
        made: When.
        expires: When it ends; ``None`` if never.
        used: When it was shown last; ``None`` if never.
    """

    id: int
    name: str
    right: str
    state: str
    made_by: str
    made: datetime
    expires: datetime | None
    used: datetime | None


@dataclass(frozen=True)
class LinkRow:
    """A link for somebody without an account.

    Attributes:
        id: Its number.
        page: The title of the page that it opens.
        made_by: Who made it.
        expires: Until when it works.
    """

    id: int
    page: str
    made_by: str
    expires: datetime


@dataclass(frozen=True)
class LogRow:
    """Something that was done.

    Attributes:
        at: When.
        who: By whom; "" where it was nobody.
        action: What.
        object: To what, in a line.
    """

    at: datetime
    who: str
    action: str
    object: str


def members_sheet(slug: str, members: Sequence[MemberRow]) -> Sheet:
    """Who has which role, owners first."""
    return _sheet("members", slug, members, [_text("role"), _text("name"), _text("email"), *_ISSUED])


def tokens_sheet(slug: str, tokens: Sequence[TokenRow]) -> Sheet:
    """The tokens in the order in which they were made, worthless ones too."""
    columns = [
        (Field("id", "id", "count"), lambda one: one.id),
        *(_text(name) for name in ("name", "right", "state")),
        _text("made_by", "made by"),
        *(_day(name) for name in ("made", "expires")),
        _moment("used", "used last"),
    ]
    return _sheet("tokens", slug, tokens, columns)


def links_sheet(slug: str, links: Sequence[LinkRow]) -> Sheet:
    """The links that still work, the last first."""
    columns = [(Field("id", "id", "count"), lambda one: one.id), _text("page"), _text("made_by", "made by")]
    return _sheet("links", slug, links, [*columns, _day("expires", "until")])


def log_sheet(slug: str, log: Sequence[LogRow]) -> Sheet:
    """Who did what, the last first."""
    return _sheet("log", slug, log, [_moment("at", "at (UTC)"), _text("who"), _text("action"), _text("object")])


_Column = tuple[Field, Callable[[Any], Any]]


def _sheet(what: str, slug: str, rows: Sequence[Any], columns: Sequence[_Column]) -> Sheet:
    title = f"{what.capitalize()} of project {slug}"
    return sheet_of(
        f"{what}-of-{slug}",
        (f"{title}.",),
        [(field, [value(row) for row in rows]) for field, value in columns],
        {"project": slug},
        title=title,
    )


def _text(name: str, heading: str | None = None, explanation: str | None = None) -> _Column:
    return Field(name, heading or name, "text", explanation=explanation), lambda one: getattr(one, name)


def _day(name: str, heading: str | None = None) -> _Column:
    field = Field(name, heading or name, "text", explanation="In UTC.")
    return field, lambda one: None if getattr(one, name) is None else f"{getattr(one, name):%Y-%m-%d}"


def _moment(name: str, heading: str) -> _Column:
    field = Field(name, heading, "text", explanation="In UTC.")
    return field, lambda one: None if getattr(one, name) is None else written_moment(getattr(one, name))


_ISSUED = (
    _text("issuer", explanation="Who vouches for them."),
    _text("subject", explanation="Their name there, which never changes."),
)
