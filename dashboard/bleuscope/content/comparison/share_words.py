"""What is said of links for who has no account."""

from datetime import datetime

from markupsafe import Markup

LABEL = "For people without an account"
OF_COMPARISON = (
    "Anyone with the link can read, filter and sort this page of this comparison until the end "
    "of that day. They cannot open anything else, load files or write notes. bleuscope shows the "
    "link once."
)
OF_PROJECT = (
    "Anyone with the link can read this page of this test set, with every version present by "
    "then, until the end of that day. They cannot open anything else, including texts. bleuscope "
    "shows the link once."
)
NOT_FOR_READERS = "Only writers and owners of this project can create links."
NOT_THIS_PAGE = "This page opens more than one view, so it has no link for people without an account."
ENDED = Markup('<p class="bs-account">{}</p>').format(
    "This link no longer works: it has ended, or its author revoked it."
)
OTHER_PAGE = Markup('<p class="bs-account">{}</p>').format("Your link opens another page. Open the link again.")
GONE = Markup('<p class="bs-account">{}</p>').format(
    "The data of this link are gone or have changed. Ask the sender for another link."
)


def said(author: str | None, until: datetime) -> Markup:
    """Whose link it is that somebody came by, where people have names."""
    whose = "" if author is None else f" of {author}"
    return Markup('<p class="bs-account">{}</p>').format(f"Opened by a link{whose}, until {until:%Y-%m-%d}.")


def in_list(page: str, until: datetime) -> str:
    """A link among those that somebody made."""
    return f"{page}, until {until:%Y-%m-%d}"
