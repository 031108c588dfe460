"""Texts in which lines mean something: subtitles, catalogues of messages, logs of toolkits, transcripts, tables."""

from functools import lru_cache

from bleucore.formats.app_texts import APP_TEXTS
from bleucore.formats.line_reading import LineFormat, head_of
from bleucore.formats.lines_in_turn import LINES_IN_TURN
from bleucore.formats.marked_lines import MARKED_LINES
from bleucore.formats.markup_tables import MARKUP_TABLES
from bleucore.formats.subtitles import SUBTITLES
from bleucore.formats.toolkit_logs import TOOLKIT_LOGS
from bleucore.formats.transcripts import TRANSCRIPTS

LINE_FORMATS: tuple[LineFormat, ...] = (
    *(*SUBTITLES, *APP_TEXTS, *TOOLKIT_LOGS, *TRANSCRIPTS, *MARKUP_TABLES, *MARKED_LINES, *LINES_IN_TURN),
)
"""In the order in which a text is looked at."""


def is_of_lines(text: str) -> bool:
    """Whether a text is of any of these formats, and not one segment a line."""
    return bool(_formats_of(head_of(text)))


def is_of(text: str, format_: LineFormat) -> bool:
    """Whether a text is of one of these formats, by its beginning."""
    return format_.called in _formats_of(head_of(text))


@lru_cache(maxsize=64)
def _formats_of(head: str) -> frozenset[str]:
    """The formats that a beginning is of; the same one is asked about for each format, and again when it is read."""
    return frozenset(one.called for one in LINE_FORMATS if one.recognises(head))
