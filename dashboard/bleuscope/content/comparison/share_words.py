"""What is said of links for who has no account."""

from datetime import datetime

from markupsafe import Markup

LABEL = "For somebody without an account"
OF_COMPARISON = (
    "Opens this page of this comparison to whoever has the link, until the end of that day: to read, filter and sort. "
    "They cannot open anything else, bring files or write notes. It is shown once."
)
OF_PROJECT = (
    "Opens this page of this test set to whoever has the link, until the end of that day: with every version that is "
    "there by then. They cannot open anything else, texts included. It is shown once."
)
NOT_FOR_READERS = "Links into this project are made by its writers and owners."
NOT_THIS_PAGE = "No link for somebody without an account leads here: this page opens more than one view."
ENDED = Markup('<p class="bs-account">{}</p>').format(
    "This link does not work any more: it has ended, or whoever made it took it back."
)
GONE = Markup('<p class="bs-account">{}</p>').format(
    "The data that this link was made for are not here any more, or have changed. Ask whoever sent it for another."
)


def said(author: str | None, until: datetime) -> Markup:
    """Whose link it is that somebody came by, where people have names."""
    whose = "" if author is None else f" of {author}"
    return Markup('<p class="bs-account">{}</p>').format(f"Opened by a link{whose}, until {until:%Y-%m-%d}.")


def in_list(page: str, until: datetime) -> str:
    """A link among those that somebody made."""
    return f"{page}, until {until:%Y-%m-%d}"
