"""Columns that are no texts of the test set: logs, notes, numbers, remarks."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from statistics import fmean, median

from bleucore.formats.columns import Column, Role
from bleucore.formats.content_kinds import is_no_text, is_of_labels, is_of_symbols, kind_of
from bleucore.formats.hints import PLAIN, Hint
from bleucore.formats.likeness import Likeness, words_in
from bleucore.formats.name_parts import path_of
from bleucore.formats.names import stem
from bleucore.formats.program_logs import reads_like_log
from bleucore.values import shown
from bleucore.written_numbers import count_of

_TEXT_ROLES: tuple[Role, ...] = ("reference", "hypothesis", "source")
_OTHER_ROWS, _FEW_ROWS = 1.5, 20
_FEW_SHARED, _MOST_LINES = 0.1, 1_000
_ONE_LINE, _FEW_WORDS, _MANY_LINES = 1, 3, 4
_FEW_REMARKS, _OTHER_LENGTH, _UNLIKE = 0.6, 2.0, 0.3
_FEW_COMPARED, _LEAST_WITHIN, _NEARLY_ALL = 200, 3, 0.9
_OTHER_TEXT = 0.2
"""Likeness of texts, as measured in ``roles``."""


def leave_out_tables_of_other_length(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out tables that have far more or fewer rows than the plain texts beside them, as scores and notes have."""
    plain = Counter(
        len(column.segments)
        for column, role in zip(columns, roles, strict=True)
        if not column.is_cell and column.role is None and role != "ignore"
    )
    if plain.total() < 2:  # noqa: PLR2004  # an output and a reference
        return {}
    usual = plain.most_common(1)[0][0]
    found: dict[int, str] = {}
    for place, column in enumerate(columns):
        n_rows = len(column.segments)
        if column.is_cell and column.role is None and not usual / _OTHER_ROWS < n_rows < usual * _OTHER_ROWS:
            roles[place] = "ignore"
            found[place] = f"{n_rows:,} row{'s' * (n_rows != 1)}, where the texts have {usual:,} lines."
    return found


def leave_out_templates(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out files that name their segments and translate none, next to others of the same segments."""
    blank = [
        place
        for place, column in enumerate(columns)
        if roles[place] is None and column.ids and not column.is_cell and not any(column.segments)
    ]
    ids = {column.ids for place, column in enumerate(columns) if place not in blank}
    found = {place: "a template: it translates nothing." for place in blank if columns[place].ids in ids}
    for place in found:
        roles[place] = "ignore"
    return found


def leave_out_single_words(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]
) -> dict[int, str]:
    """Leave out plain files of a word or two that are next to texts of many lines: a version, a setting, a unit."""
    words = {
        place: [word for text in column.segments for word in (text or "").split()]
        for place, column in enumerate(columns)
        if not column.is_cell and roles[place] is None and len(column.segments) <= _ONE_LINE
    }
    few = [place for place, own in words.items() if len(own) <= _FEW_WORDS and not _is_plain(hints[place])]
    lengths = Counter(len(column.segments) for place, column in enumerate(columns) if place not in few)
    usual = max((length for length, times in lengths.items() if times > 1), default=0)
    if usual < _MANY_LINES:
        return {}
    for place in few:
        roles[place] = "ignore"
    return {place: f"{count_of(len(words[place]), 'word')}, where the texts have {usual:,} lines." for place in few}


def _is_plain(hint: Hint | None) -> bool:
    return hint is not None and hint.strength == PLAIN


def leave_out_numbers_of_other_length(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]
) -> dict[int, str]:
    """Leave out small tables without sentences that have no row for each text: scores, settings, counts of training."""
    lengths = {len(column.segments) for column in columns if column.role is not None or not _is_of_words(column)}
    by_file: dict[str, list[int]] = {}
    for place, column in enumerate(columns):
        by_file.setdefault(column.file, []).append(place)
    found: dict[int, str] = {}
    for places in by_file.values():
        n_rows = len(columns[places[0]].segments)
        is_small = n_rows <= _FEW_ROWS and n_rows not in lengths and bool(lengths)
        is_open = all(columns[place].is_cell and columns[place].role is None for place in places)
        is_open &= not any((hint := hints[place]) is not None and hint.strength == PLAIN for place in places)
        if is_small and is_open and all(_is_of_words(columns[place]) for place in places):
            for place in places:
                roles[place] = "ignore"
                found[place] = f"a table of {n_rows:,} row{'s' * (n_rows != 1)} without sentences."
    return found


def _is_of_words(column: Column) -> bool:
    """Whether a column holds no more than a word or a number in each row; other scripts write texts without blanks."""
    texts = [text or "" for text in column.segments[: _FEW_ROWS + 1]]
    return len(texts) <= _FEW_ROWS and all(text.isascii() and len(text.split()) <= 1 for text in texts)


def leave_out_other_files(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]
) -> dict[int, str]:
    """Leave out files that have more or fewer lines than the texts, and few of their words or letters: logs, notes.

    A text that is cut otherwise has as many of both, and stays.
    """
    places = [place for place, column in enumerate(columns) if not column.is_cell and roles[place] is None]
    outputs = {column.file: place for place, column in enumerate(columns) if column.is_cell and _is_output(column)}
    compared = [*places, *outputs.values()]
    lengths = Counter(len(columns[place].segments) for place in compared)
    usual, times = lengths.most_common(1)[0] if lengths else (0, 0)
    if times < 2 or len(lengths) == 1:  # noqa: PLR2004  # an output and a reference
        return {}
    alike = [columns[place] for place in compared if len(columns[place].segments) == usual]
    texts = set[str]().union(*map(words_of_column, alike))
    length = median(map(_length, alike))
    found: dict[int, str] = {}
    for place in places:
        n_lines = len(columns[place].segments)
        own = words_of_column(columns[place])
        is_named = (hint := hints[place]) is not None and hint.strength == PLAIN
        is_other = len(own & texts) < _FEW_SHARED * max(1, len(own)) and _is_log(columns[place])
        is_other |= is_no_text(columns[place]) or _length(columns[place]) < _FEW_SHARED * length
        says_nothing = kind_of(columns[place]) is not None or reads_like_log(columns[place].segments, is_called=False)
        if n_lines != usual and is_other and (not is_named or says_nothing):
            roles[place] = "ignore"
            found[place] = f"{n_lines:,} line{'s' * (n_lines != 1)} of something else, where the texts have {usual:,}."
    return found


def _is_output(column: Column) -> bool:
    return column.role == "hypothesis"


def _is_log(column: Column) -> bool:
    """Whether half of the lines have numbers in them, or are there twice."""
    lines = [text or "" for text in column.segments[:_MOST_LINES]]
    n_numbered = sum(any(map(str.isdecimal, line)) for line in lines)
    return 2 * max(n_numbered, len(lines) - len(set(lines))) >= len(lines)


def _length(column: Column) -> int:
    return sum(len(text or "") for text in column.segments)


def words_of_column(column: Column) -> set[str]:
    """The words of the first lines of a column."""
    return {word for text in column.segments[:_MOST_LINES] for word in words_in(text)}


def whole_name(column: Column) -> str:
    """What a column is called among those of all files."""
    return f"{column.file}, {shown(column.name)}" if column.is_cell else column.file


def leave_out_what_is_no_text(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out what nobody named and holds numbers, times, ids or tags, beside texts; what each holds, by its place.

    Where the reference holds the same kind, as the numbers that solve a sum, these are outputs.
    """
    kinds = {place: kind_of(column) for place, column in enumerate(columns) if roles[place] in (None, *_TEXT_ROLES)}
    kept = {kind for place, kind in kinds.items() if roles[place] == "reference"}
    has_texts = None in kept or any(kind is None and roles[place] is None for place, kind in kinds.items())
    found: dict[int, str] = {}
    of_texts = {roles[place] for place, kind in kinds.items() if kind is None}
    of_texts |= {"hypothesis"} if "reference" in of_texts and None in of_texts else set()  # what no name tells
    for place, kind in kinds.items():
        is_open = roles[place] is None and kind not in kept and has_texts
        is_beside = columns[place].role is None and (
            roles[place] in of_texts or (roles[place] == "source" and "reference" in of_texts)
        )
        if kind is not None and (is_open or is_beside):
            roles[place] = "ignore"
            if not columns[place].is_cell:
                found[place] = kind
    return found


def leave_out_composites(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out columns of tables with a reference or source, and another text of their row, inside each cell.

    So programs write what they asked or scored: "('the reference', 'the output')".
    """
    found: dict[int, str] = {}
    by_file: dict[str, list[int]] = {}
    for place, column in enumerate(columns):
        if column.is_cell and roles[place] in (None, *_TEXT_ROLES):
            by_file.setdefault(column.file, []).append(place)
    for places in by_file.values():
        given = [place for place in places if roles[place] in ("reference", "source")]
        others = [place for place in places if roles[place] in (None, "hypothesis")]
        for place in others:
            within = [one for one in given if _is_within(columns[one], columns[place])]
            also = (one for one in (*given, *others) if one != place and one not in within[:1])
            if within and any(_is_within(columns[one], columns[place], besides=columns[within[0]]) for one in also):
                roles[place] = "ignore"
                found[place] = f"its rows hold those of {shown(columns[within[0]].name)} and of another column."
    return found


def _is_within(column: Column, whole: Column, besides: Column | None = None) -> bool:
    """Whether nearly all cells of a column stand inside those of another, next to those of a third."""
    texts = (besides or whole).segments
    if len({len(column.segments), len(whole.segments), len(texts)}) > 1:  # one run of several, of a single item
        return False
    rows = [row for row in zip(column.segments, whole.segments, texts, strict=True) if row[0]][:_FEW_COMPARED]
    if len(rows) < _LEAST_WITHIN:
        return False
    n_within = sum(
        _written(part) in _written(text if besides is None else text.replace(beside or "", " ", 1))
        for part, text, beside in ((part or "", text or "", beside) for part, text, beside in rows)
    )
    return n_within >= _NEARLY_ALL * len(rows)


def _written(text: str) -> str:
    """A text without what programs write before marks of quotation."""
    return text.strip().replace("\\", "")


def leave_out_symbols(
    columns: Sequence[Column], roles: list[Role | None], alike: Likeness, found: dict[int, str]
) -> dict[int, str]:
    """Leave out plain files of a few symbols that are like no text, where other texts are like each other.

    A system that says the same few words again and again is kept; its notice by its place.
    """
    texts = [place for place, role in enumerate(roles) if role in ("reference", "hypothesis", None)]
    open_ones = [place for place in texts if columns[place].role is None and not columns[place].is_cell]
    symbols = [place for place in open_ones if is_of_symbols(columns[place])]
    if not any(roles[place] == "reference" for place in texts if place not in symbols):
        symbols = [place for place in symbols if roles[place] != "reference"]
    others = [place for place in texts if place not in symbols]
    if not symbols or max((alike.nearest(place, others) or 0.0 for place in others), default=0.0) <= _OTHER_TEXT:
        return {}
    words = {
        word for place in others for text in columns[place].segments[:_MOST_LINES] for word in (text or "").split()
    }
    kept: dict[int, str] = {}
    for place in symbols:
        if (alike.nearest(place, others) or 0.0) >= _UNLIKE * _OTHER_TEXT:
            continue
        if _may_be_output(columns[place], words, [columns[other] for other in others]):
            kept[place] = f"{whole_name(columns[place])}: few different words; a system that failed, or labels."
        else:
            roles[place] = "ignore"
            found[place] = "tags or labels"
    return kept


_LABELS = """label labels lang langs language languages tag tags class classes category categories cat cats domain
domains genre genres topic topics speaker speakers spk gender genders register formality type types sentiment sentiments
rating ratings verdict verdicts judgement judgements quality origin origlang split splits emotion emotions intent
intents stance dialect dialects accent accents style styles pos upos xpos ner ne bio iob phn phones phonemes phoneme
status doctype meta metadata annotator annotators rater raters"""
_NAMES_OF_LABELS = frozenset(_LABELS.split())
_NAME_PIECE = re.compile(r"[^\W\d_]+")
_HALF = 0.5


def _may_be_output(column: Column, words: Collection[str], others: Sequence[Column]) -> bool:
    """Whether a column of few symbols may be what a system put out: words of the other texts, or no name of labels.

    It has as many lines as another text.

    Args:
        column: With few symbols.
        words: Those of the other texts, as they are written.
        others: The other texts.
    """
    *folders, name = path_of(column.file)
    if _NAMES_OF_LABELS & {piece.casefold() for piece in _NAME_PIECE.findall(name)}:
        return False
    beside = (other.file for other in others if [*path_of(other.file)[:-1]] == folders)
    if any(stem(name) == stem(file) and column.file != file for file in beside):
        return False
    own = [word for text in column.segments[:_MOST_LINES] for word in (text or "").split()]
    if all(len(column.segments) != len(other.segments) for other in others):
        return False
    if is_of_labels([text or "" for text in column.segments[:_MOST_LINES]]):
        return True
    return sum(word in words for word in own) >= _HALF * len(own)


def leave_out_remarks(
    columns: Sequence[Column], roles: list[Role | None], alike: Likeness, found: dict[int, str]
) -> None:
    """Leave out columns of tables that are like nothing else in them, and are few or of another length, as remarks."""
    texts = [place for place, role in enumerate(roles) if role in ("reference", "hypothesis", None)]
    length = median([_mean_length(columns[place]) for place in texts]) if texts else 0.0
    cells = [place for place in texts if columns[place].is_cell]
    odd = [place for place in cells if roles[place] is None and _is_odd(columns[place], length)]
    odd += [place for place in cells if roles[place] == "hypothesis" and is_of_symbols(columns[place])]
    if not odd:
        return
    others = [place for place in texts if place not in odd]
    most = max((alike.nearest(place, others) or 0.0 for place in others), default=0.0)
    for place in odd:
        if most > _OTHER_TEXT and (alike.nearest(place, others) or 0.0) < _UNLIKE * most:
            roles[place] = "ignore"
            found[place] = "remarks"


def _is_odd(column: Column, length: float) -> bool:
    """Whether a column says few things, or is much shorter or longer than texts are on average."""
    n_distinct = len({text for text in column.segments if text})
    ratio = _mean_length(column) / max(1.0, length)
    is_short_or_long = not 1 / _OTHER_LENGTH < ratio < _OTHER_LENGTH
    return n_distinct < _FEW_REMARKS * len(column.segments) or is_short_or_long


def _mean_length(column: Column) -> float:
    return fmean(len(text or "") for text in column.segments) if column.segments else 0.0
