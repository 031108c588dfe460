"""Who has entered, as the gate tells the pages: in a header of ours, which it takes from every request of a browser."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from bleuscope.workspace.people import Identity

HEADER = "x-bleuscope-entered"


@dataclass(frozen=True)
class Entered:
    """By what somebody was let in; empty where nobody was asked who they are.

    Attributes:
        identity: Who logged in.
        share: The row of the link that they were let in by, which opens one view alone.
        page: The page, as its address begins, that a link of its own let them in to, alone.
        sign_out: Where whoever logged in ends that; ``None`` where it is not for us to end.
    """

    identity: Identity | None = None
    share: int | None = None
    page: str | None = None
    sign_out: str | None = None


def written(entered: Entered) -> bytes:
    """The value of the header."""
    return json.dumps(asdict(entered)).encode("ascii")


def entered_in(headers: Mapping[str, str]) -> Entered:
    """What the gate said of a request; nothing where no gate was passed, as in a test of a page."""
    said = json.loads(headers.get(HEADER) or "{}")
    identity = said.get("identity")
    who = None if identity is None else Identity(**identity)
    return Entered(who, said.get("share"), said.get("page"), said.get("sign_out"))
