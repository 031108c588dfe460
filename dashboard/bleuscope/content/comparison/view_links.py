"""Links to views that somebody gave a name."""

from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup


def link(name: str, address: str, query: str, title: str) -> Markup:
    """A link to a view, with the title of its page.

    Args:
        name: Of the view.
        address: Of its page, as seen from any other.
        query: What stands behind the question mark; written anew, so that it can be nothing else.
        title: Of the page.
    """
    href = f"{address}?{urlencode(parse_qsl(query, keep_blank_values=True))}"
    return Markup('<a class="bs-view" href="{}"><bdi>{}</bdi></a> · {}').format(href, name, title)
