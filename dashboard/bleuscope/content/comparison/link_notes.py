"""What a link was made for, and what to say where it is opened on something else."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bleuscope.content.style import numbers
from bleuscope.runtime import params

DIGEST_LENGTH = 16
"""Hexadecimal digits of a test set's digest in a link: 64 bits tell test sets apart."""

MOST_LISTED = 3
"""Values of a link that a message lists; of more their number."""
MOST_QUOTED = 40
"""Characters of a link's value that a message shows."""
_NAMING: Mapping[str, str] = {
    params.NAMES: "This link gives the names {}, which do not fit these texts. The page shows the names of the files.",
    params.SYSTEM_NAMES: "This link says {} of the names in files of scores, and no system here is called so. The "
    "page leaves it out.",
}
"""What to say of names in a link that cannot be used, by their names in the address."""


@dataclass(frozen=True)
class LinkTarget:
    """What a link was made for.

    Attributes:
        fault: Why nobody can read which texts it names, in a sentence; ``None`` if it can be read.
        origin: How it names the test set.
        digest: The beginning of the test set's digest then.
        lacks_scores: Whether it names scores from files that are not held.
    """

    origin: str | None = None
    digest: str | None = None
    lacks_scores: bool = False
    fault: str | None = None


def short_digest(digest: str) -> str:
    """What a link carries of a test set's digest."""
    return digest[:DIGEST_LENGTH]


def unreadable(address: Mapping[str, Sequence[str]], names: Collection[str] = ()) -> str | None:
    """Why an address does not say which texts it names: what is in it and what is expected; ``None`` where it does.

    Args:
        address: The values of each name.
        names: What is asked about; all that names texts or files unless given.
    """
    for name in params.PARAMS.values():
        values = address.get(name, ()) if name.form is not None and (not names or name in names) else ()
        if len(values) > 1:
            return f"This link cannot be read: it holds “{name}” {len(values)} times. {_COPY_AGAIN}"
        if values and name.form is not None and not name.fits(values[0]):
            return (
                f"This link cannot be read: “{name}” is {_quoted(values[0])}, where {name.form.words} is expected. "
                f"{_COPY_AGAIN}"
            )
    return None


_COPY_AGAIN = "It may have been cut off. Copy the whole link again, or start anew."


def not_here(key: str, value: str) -> str:
    """What to say of a choice in a link that the open texts do not have, or of a setting that has no such value."""
    param = params.PARAMS.get(key)
    if param is None:
        return f"This link sets {_quoted(key)} to {_quoted(value)}, but there is no such setting. The page ignores it."
    if param.most is not None and len(value) > param.most:
        return (
            f"This link gives “{key}” {numbers.count(len(value))} characters; it takes up to "
            f"{numbers.count(param.most)}. The page ignores them."
        )
    if key in _NAMING:
        return _NAMING[key].format(_quoted(value))
    noun = param.noun
    if noun is None:
        return f"This link sets “{key}” to {_quoted(value)}, which is not accepted. The page uses the usual value."
    return f"This link names the {noun} {_quoted(value)}, which does not exist here. The page shows its usual choice."


def missed_words(missed: Mapping[str, str]) -> str:
    """What to say of everything in a link that cannot be used, by its names in the address: in one message."""
    if len(missed) == 1:
        return not_here(*next(iter(missed.items())))
    shown = [f"“{key}” = {_quoted(value)}" for key, value in list(missed.items())[:MOST_LISTED]]
    rest = len(missed) - len(shown)
    listed = f"{', '.join(shown)}, and {rest} more" if rest else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return (
        f"This link holds {len(missed)} values that do not exist here or are not accepted: {listed}. The page uses its "
        "usual ones."
    )


def _quoted(value: str) -> str:
    """What somebody else wrote, short and without what cannot be seen."""
    seen = "".join(one if one.isprintable() else "�" for one in value[: MOST_QUOTED + 1])
    return f"“{seen[:MOST_QUOTED]}…”" if len(value) > MOST_QUOTED else f"“{seen}”"


def changed_data(title: str, found: str, expected: str) -> str:
    """The data that a link names are others now."""
    return (
        f"This link was made for other data. {title} now has the digest {short_digest(found)} (the link: {expected}): "
        "texts or names have changed since. Scores, tests and segments on this page are those of the data as they "
        "are now."
    )


UPLOAD_GONE = (
    "This link needs an upload that the server no longer has. Open the same files under Data in "
    "another tab, then reload this page."
)
FILES_GONE = (
    "This link needs files from the command line, and this server was started without them. Start bleuscope with these "
    "files, and open the link there."
)
SCORES_GONE = (
    "This link shows scores or judgements from files that the server no longer has. Load the files again under Data."
)
WORDS_GONE = (
    "This link shows words by labels, or by a long list, that were given with the texts, and the server does not hold "
    "them any more. Give them again."
)
EXPLANATION = (
    "Opens this page with its systems, options, tests, filters and segment. The link contains "
    "the digest of the test set, so it warns if the data have changed. It contains no tags or "
    "notes."
)
FOR_UPLOAD = "These data are an upload. The link works, even after a restart, until you delete the upload under Data."
FOR_PROJECT = "These data belong to a project. The link works for everyone who may read it."
FOR_HELD_UPLOAD = "These data are an upload, and this server saves nothing. The link works while the server runs."
FOR_FILES = "These data are files of this server. The link works wherever bleuscope is started with the same files."
