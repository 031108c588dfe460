"""One look at each file of a campaign: its beginning and its number of lines."""

from collections.abc import Iterable, Iterator

from bleucore.formats.campaign_looks import Look, is_plain_text, look_at_columns, look_at_text
from bleucore.formats.campaign_plan import PlannedFile
from bleucore.judgements.reading import holds_judgements
from bleuscope.features.campaign.contents import content_of, pieces_of, refuse_devices
from bleuscope.features.campaign.parquet_columns import MAGIC, look_at_parquet


def look_at(file: PlannedFile, encoding: str | None = None, *, is_plain: bool | None = None) -> Look:
    """What is to be known of a file to plan with it; a plain text on a disk never is in memory as a whole.

    Args:
        file: Where it is.
        encoding: What to read a text in that is not UTF-8.
        is_plain: Whether it is one segment a line, where that was seen before.

    Raises:
        InputError: It cannot be read.
    """
    refuse_devices(file)
    pieces = pieces_of(file)
    first = next(pieces, b"")
    if first.startswith(MAGIC):
        return look_at_parquet(file)
    is_plain = is_plain_text(file.name, first) if is_plain is None else is_plain
    look = look_at_text(file.name, _all(first, pieces)) if is_plain else None
    return look if look is not None else look_at_columns(file.name, content_of(file), encoding)


def look_unless_scores(file: PlannedFile) -> Look | None:
    """The same; ``None`` where a file holds judgements or scores.

    Raises:
        InputError: It cannot be read.
    """
    if _names_documents(file):
        return look_at(file)
    first = next(pieces_of(file), b"")
    if first.startswith(MAGIC):
        return look_at(file)
    is_plain = is_plain_text(file.name, first)
    head = first[: first.rfind(b"\n") + 1] or first if is_plain else content_of(file)
    return None if holds_judgements(file.name, head) else look_at(file, is_plain=is_plain)


def _names_documents(file: PlannedFile) -> bool:
    """Whether a file is mt-metrics-eval's list of documents, which looks like scores where these are numbers."""
    return file.name.lower().removesuffix(".gz").endswith(".docs")


def _all(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
