"""What a link was made for, and what to say where it is opened on something else."""

import re
from dataclasses import dataclass

DIGEST_LENGTH = 16
"""Hexadecimal digits of a test set's digest in a link: 64 bits tell test sets apart."""
DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_LENGTH}}}")


@dataclass(frozen=True)
class LinkTarget:
    """What a link was made for.

    Attributes:
        origin: How it names the test set.
        digest: The beginning of the test set's digest then.
        lacks_scores: Whether it names scores from files that are not held.
    """

    origin: str | None = None
    digest: str | None = None
    lacks_scores: bool = False


def short_digest(digest: str) -> str:
    """What a link carries of a test set's digest."""
    return digest[:DIGEST_LENGTH]


def digest_in_address(value: str | None) -> str | None:
    """The digest in an address; ``None`` where there is none, or something else."""
    return value if value is not None and DIGEST.fullmatch(value) else None


def changed_data(title: str, found: str, expected: str) -> str:
    """The data that a link names are others now."""
    return (
        f"This link was made for other data. {title} now has the digest {short_digest(found)} (the link: {expected}): "
        "texts or names have changed since. Scores, tests and segments on this page are those of the data as they "
        "are now."
    )


def changed_campaign(title: str, found: str, expected: str) -> str:
    """The campaign that a link names has changed."""
    return (
        f"This link was made for other files. {title} now has the digest {short_digest(found)} (the link: {expected}): "
        "texts, names or test sets have changed since. Everything on this page is of the files as they are now."
    )


def upload_gone(*, shows_other: bool) -> str:
    """The upload that a link names is not held any more."""
    return (
        "This link was made for an upload that the server does not hold any more: it was deleted, or the server keeps "
        "nothing, or another workspace. "
        + ("What you see are other data. " if shows_other else "")
        + "Open the same files under Test set in another tab, then reload this page: the link finds them by their "
        "content."
    )


def files_gone(*, shows_other: bool) -> str:
    """A link names files from the command line, and the server was started otherwise."""
    return (
        "This link was made for files that were named on the command line, and this server was started without them. "
        + ("What you see are other data. " if shows_other else "")
        + "Start bleuscope with these files, and open the link there."
    )


SCORES_GONE = (
    "This link shows scores or judgements from files, and the server does not hold them any more. Read the files again "
    "under Test set."
)
OF_CAMPAIGN = (
    "Opens what you see: all test sets with the baseline, options, tests, order and groups. The digest of all files is "
    "part of it, so that a link to a campaign that has changed says so."
)
FOR_DROPPED_CAMPAIGN = (
    "The files were dropped: the link works as long as this server runs. A folder that is named when it starts, or a "
    "project, has a link that lasts."
)
FOR_NAMED_CAMPAIGN = "The files are this server's: the link works where bleuscope is started with the same campaign."
WORDS_GONE = (
    "This link shows words by labels, or by a long list, that were given with the texts, and the server does not hold "
    "them any more. Give them again."
)
EXPLANATION = (
    "Opens what you see: the page with its systems, options, tests, filters and segment. The digest of the test set "
    "is part of it, so that a link to data that have changed says so. Tags and notes are not part of it."
)
FOR_UPLOAD = "The data are an upload: the link works until it is deleted under Test set, after a restart too."
FOR_PROJECT = "The data are of a project: the link works for whoever may read it."
OVER_TIME = "Opens what you see for whoever may read the project, with every version that is there by then."
FOR_HELD_UPLOAD = "The data are an upload, and this server keeps nothing: the link works as long as it runs."
FOR_FILES = "The data are files of this server: the link works where bleuscope is started with the same files."
