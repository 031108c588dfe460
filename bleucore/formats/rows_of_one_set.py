"""What rows of one table have to be before they are segments: of one language pair, and each item once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.formats.content_kinds import is_no_text
from bleucore.formats.foreign_texts import is_of_other_language
from bleucore.formats.likeness import script_of
from bleucore.formats.name_parts import language_of, pair_of
from bleucore.formats.usual_names import is_name_of_language, role_of
from bleucore.values import shown
from bleucore.written_numbers import count_of

_PAIRS = ("lp", "langpair", "lang_pair", "language_pair", "direction", "langs")
_LANGUAGES = (
    *("tgt_lang", "target_lang", "target_language", "trg_lang", "tgt_language", "lang", "language", "locale"),
    *("target_locale", "to", "tl", "lang_code", "language_code"),
)
_ITEMS = (
    *("segment_id", "seg_id", "segid", "item_id", "sample_id", "example_id", "id", "uid", "question_id", "task_id"),
    *("sentence_id", "sent_id", "idx", "index"),
)
_OTHERS = (
    *("system", "sys", "system_id", "system_name", "model", "model_name", "model_id", "engine", "provider", "run"),
    *("seed", "epoch", "prompt", "temperature", "doc", "doc_id", "document", "document_id", "docid", "rater"),
    *("annotator", "annotator_id", "user", "worker", "filter", "task", "test_set", "testset", "lp", "name"),
)
_MOST_REPEATED, _LEAST_ROWS = 0.35, 4
_MOST_LANGUAGES, _MOST_COMPARED = 500, 3


def of_one_set(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file, without rows that are there twice alike, as a run that was resumed writes them.

    Raises:
        InputError: An item has two answers where most have one.
    """
    if not columns or not all(column.is_cell for column in columns) or any(column.ids for column in columns):
        return tuple(columns)
    if len(columns[0].segments) < _LEAST_ROWS:
        return tuple(columns)
    called = {_called(column): column for column in columns}
    item = next((called[name] for name in _ITEMS if name in called and is_no_text(called[name])), None)
    return (
        tuple(columns) if item is None else _each_once(columns, item, [called[one] for one in _OTHERS if one in called])
    )


def _called(column: Column) -> str:
    return (column.title or column.name).strip().casefold().replace(" ", "_").replace("-", "_")


def refuse_several_pairs(columns: Sequence[Column]) -> None:
    """Refuse a table with rows of several language pairs.

    Raises:
        InputError: It has.
    """
    called = {_called(column): column for column in columns if column.is_cell}
    for name, column in called.items():
        if name in _PAIRS and len({*column.segments}) > 1 and all(pair_of(value or "") for value in {*column.segments}):
            raise _several("the table holds several language pairs", column)
        if name in _LANGUAGES and _tells_languages(column, columns):
            raise _several("the table holds texts in several languages", column)


def _tells_languages(column: Column, columns: Sequence[Column]) -> bool:
    """Whether a column names several languages, in which the references or outputs next to it are."""
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(column.segments):
        rows.setdefault((value or "").strip(), []).append(row)
    if not 1 < len(rows) <= _MOST_LANGUAGES or not all(language_of(one) or is_name_of_language(one) for one in rows):
        return False
    texts = [one for one in columns if (one.role or role_of(one.name)) in ("reference", "hypothesis", None)]
    texts = [one for one in texts if one is not column and one.role != "label" and not is_no_text(one)]
    by_language = [sorted(found) for found in rows.values() if len(found) >= _LEAST_ROWS]
    for one in texts[:_MOST_COMPARED]:
        parts = [replace(one, segments=tuple(one.segments[row] for row in found)) for found in by_language]
        if any(is_of_other_language(part, parts[0]) or script_of(part) != script_of(parts[0]) for part in parts[1:]):
            return True
    return False


def _several(problem: str, column: Column) -> InputError:
    values = list(dict.fromkeys(column.segments))
    return InputError(
        problem,
        where=f"{column.file}, column {shown(column.name)}",
        found=", ".join(shown(value or "") for value in values[:5]),
        expected="one",
        remedy="Write the rows of each to a file of its own. Dropped together, they open as a campaign.",
    )


def _each_once(columns: Sequence[Column], item: Column, others: Iterable[Column]) -> tuple[Column, ...]:
    keys = list(zip(item.segments, *(one.segments for one in others), strict=True))
    first = {key: row for row, key in reversed(list(enumerate(keys)))}
    again = [row for row, key in enumerate(keys) if first[key] != row]
    if not again or len(again) > _MOST_REPEATED * len(keys):
        return tuple(columns)
    texts = [column for column in columns if _holds_texts(column)]
    for row in again:
        differing = next((one for one in texts if one.segments[row] != one.segments[first[keys[row]]]), None)
        if differing is not None:
            raise InputError(
                "an item has two answers, and most have one",
                where=item.file,
                line=None if item.first_line < 2 else item.first_line + row,  # noqa: PLR2004  # JSON has no lines
                found=f"{item.name} {shown(item.segments[row] or '')} again, with another {shown(differing.name)}",
                expected="one answer for each item",
                remedy="Keep the answer that counts, and take the other rows out.",
            )
    gone = frozenset(again)
    kept = [row for row in range(len(keys)) if row not in gone]
    said = f"{item.file}: {count_of(len(again), 'repeated row')} left out: the same id and the same texts."
    return tuple(
        replace(column, segments=tuple(column.segments[row] for row in kept), notices=(*column.notices, said))
        for column in columns
    )


def _holds_texts(column: Column) -> bool:
    return (column.role or role_of(column.name)) in ("hypothesis", "reference", "source") or not is_no_text(column)
