"""JSON and JSON Lines -> columns: records, columns of lists, dumps of common tools, and arrays of texts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeGuard

from bleucore.errors import InputError
from bleucore.formats import json_dumps, usual_names
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.json_documents import LEAST_SEGMENTS, of_documents, with_lines_as_lists, with_segments
from bleucore.formats.json_records import last_message
from bleucore.formats.json_values import JsonPlace, Number, Values, json_values
from bleucore.formats.lines_in_turn import LIKE, shares_with_next
from bleucore.formats.names import stem
from bleucore.values import shown

_MAX_DEPTH = 4
_TEXT_ROLES = ("hypothesis", "reference", "source")
_MAX_NAMED = 5
_MOST_AT_ENDS = 2
_TEXTS = frozenset({"text", "content", "value", "message", "string", "body"})
"""Names of texts of any kind."""
_ABOUT_TEXTS = frozenset({"role", "finish_reason", "stop_reason", "object"})
"""Names inside objects that say of a text whose it is, or how it ends."""
_RUNS = frozenset({"samples", "sampled", "generations", "completions", "n_best", "nbest", "rollouts"})
"""Names of lists of answers that say no role."""
_FORMS = "an object a segment, an array of texts, or lists of predictions and references"
_REMEDY = 'Write one object a line, as in {"source": "…", "reference": "…", "hypothesis": "…"}.'


def json_columns(file: str, text: str) -> tuple[Column, ...]:
    """The texts of the file, a column for each name that has one text (or a list of references) in every record.

    Raises:
        InputError: The JSON is broken or holds no texts, or a segment lacks a text that others have.
    """
    return columns_of_values(file, json_values(file, text))


def columns_of_values(file: str, values: Values) -> tuple[Column, ...]:
    """The same of values that were read already.

    Raises:
        InputError: They hold no texts, or a segment lacks a text that others have.
    """
    notices: list[str] = []
    if not values.is_array and _is_record(values.items[0]):
        _refuse_several_sets(file, values.items[0])
        document, names = with_lines_as_lists(values.items[0])
        values = replace(values, items=(document,))
        notices += [f"{file}: each line of {_listed(names)} is read as a segment."] if names else []
    if values.blank_lines:
        notices.append(f"{file}: {values.blank_lines:,} blank lines between the objects were passed over.")
    if values.items and _are_texts(values.items) and values.is_array:
        refuse_excess(file, len(values.items))
        return (Column(file, stem(file), None, tuple(map(str, values.items)), None, 1, tuple(notices)),)
    if values.is_array and values.items and all(isinstance(item, list) and _are_texts(item) for item in values.items):
        return _lists_of_texts(file, [item for item in values.items if isinstance(item, list)], notices)
    if values.is_array and all(map(_is_wrapped, values.items)):
        values = replace(values, items=tuple(item[0] for item in values.items if _is_wrapped(item)))
    dump = json_dumps.dump_of(file, values)
    if dump is None:
        records, places = _records(file, values, notices)
        columns = _Records(file, records, places, notices).columns()
        return tuple(replace(column, notices=tuple(notices)) for column in columns)
    dump = dump.in_order()
    notices += [dump.notice] if dump.notice else []
    places = [JsonPlace(None, number) for number in range(1, len(dump.records) + 1)]
    return tuple(
        replace(
            column,
            name=dump.system or column.name if column.role == "hypothesis" else column.name,
            role="hypothesis" if column.name in dump.outputs else column.role,
            is_unordered=dump.is_unordered,
            notices=tuple(notices),
        )
        for column in _Records(file, dump.records, places, notices).columns()
    )


def _lists_of_texts(file: str, lists: Sequence[list[object]], notices: Sequence[str]) -> tuple[Column, ...]:
    """The texts of a list of lists: those of each segment, or of each reference, as libraries take references."""
    widths = {len(one) for one in lists}
    is_by_text = len(widths) == 1 and max(widths) > len(lists)
    width = len(lists) if is_by_text else max(widths)
    texts = lists if is_by_text else [[_item(one, place) for one in lists] for place in range(width)]
    refuse_excess(file, sum(map(len, texts)), width)
    if width == 1:
        return (Column(file, stem(file), None, tuple(map(_text, texts[0])), None, 1, tuple(notices)),)
    return tuple(
        Column(
            file, f"{stem(file)} {place}", "reference", tuple(map(_text, one)), None, 1, tuple(notices), is_cell=True
        )
        for place, one in enumerate(texts, start=1)
    )


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) and not isinstance(value, Number) for value in values)


def _is_record(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _records(
    file: str, values: Values, notices: list[str]
) -> tuple[Sequence[Mapping[str, object]], Sequence[JsonPlace]]:
    """One mapping for each segment, whichever way round the file holds them."""
    if not values.is_array and _is_record(values.items[0]):
        document = values.items[0]
        lists = {name: value for name, value in document.items() if isinstance(value, list)}
        indexed = {name: found for name, value in document.items() if (found := _by_index(value)) is not None}
        if document and len(indexed) == len(document):
            lists = indexed
        elif (by_row := _by_numbers(document)) is not None:
            lists = by_row
        is_record = any(usual_names.role_of(name) for name in document if name not in lists)
        is_record = is_record and not any(map(_are_of_segments, lists.values()))
        inner = [value for value in lists.values() if value and all(map(_is_record, value))]
        if len(inner) == 1 and not is_record:
            return _of_segments(file, inner[0], notices)
        if (segments := of_documents(document)) is not None:
            notices.append(f"{file}: {len(document):,} documents, each with its segments in a list.")
            return _placed(segments)
        if lists and not inner and not is_record:
            return _transposed(file, lists, notices)
    records = [item for item in values.items if _is_record(item)]
    if not records or len(records) < len(values.items):
        number = next((number for number, item in enumerate(values.items) if not _is_record(item)), None)
        place = JsonPlace(1) if number is None else values.places[number]
        kind = "nothing" if number is None else _kind(values.items[number])
        raise place.refusal(
            file, "the JSON holds no texts that can be read", found=kind, expected=_FORMS, remedy=_REMEDY
        )
    if all(("resps" in record or "filtered_resps" in record) and "doc" in record for record in records):
        return _harness_records(file, records, values.places, notices)
    if ends := _without_texts_at_ends(records):
        kept = slice(ends[0], len(records) - ends[1])
        notices.append(f"{file}: {sum(ends)} of {len(records):,} objects left out, at its ends and without texts.")
        records, values = records[kept], replace(values, items=values.items[kept], places=values.places[kept])
    of_segments, places = _of_segments(file, records, notices)
    return (records, values.places) if of_segments is records else (of_segments, places)


def _refuse_several_sets(file: str, document: Mapping[str, object]) -> None:
    """Refuse an object whose values are test sets, each with references of its own.

    Raises:
        InputError: It is one.
    """
    references = [
        next((texts for key, texts in one.items() if usual_names.role_of(key) == "reference"), None)
        for one in document.values()
        if _is_record(one)
    ]
    are_lists = all(isinstance(texts, list) and len(texts) >= LEAST_SEGMENTS for texts in references)
    if not 1 < len(references) == len(document) or not are_lists or all(one == references[0] for one in references):
        return
    raise InputError(
        "the JSON holds several test sets",
        where=file,
        found=_listed([*document]),
        expected="one test set in each file",
        remedy="Save what stands under each of these names as a file of its own, and load their folder.",
    )


def _are_of_segments(texts: Sequence[object]) -> bool:
    """Whether texts are those of segments: several answers to one item would be like each other."""
    if len(texts) < LEAST_SEGMENTS or not _are_texts(texts):
        return False
    shares = shares_with_next([str(text) for text in texts])
    return sum(shares) < LIKE * len(shares)


def _without_texts_at_ends(records: Sequence[Mapping[str, object]]) -> tuple[int, int] | None:
    """How many objects before and behind those with texts are settings or summaries; ``None`` where none is.

    They have nothing in common with the others but names of one value, so that no segment without an answer is one.
    """
    middle = records[len(records) // 2]
    if len(records) <= 2 * _MOST_AT_ENDS + 1 or not any(usual_names.role_of(name) in _TEXT_ROLES for name in middle):
        return None
    others = records[_MOST_AT_ENDS:-_MOST_AT_ENDS]
    telling = {name for name in middle if len({str(one.get(name)) for one in others}) > 1}
    before, behind = (
        sum(1 for _ in takewhile(lambda one: not telling & one.keys(), ordered[:_MOST_AT_ENDS]))
        for ordered in (records, records[::-1])
    )
    return (before, behind) if before or behind else None


def _of_segments(
    file: str, records: Sequence[Mapping[str, object]], notices: list[str]
) -> tuple[Sequence[Mapping[str, object]], Sequence[JsonPlace]]:
    """The segments of documents; records that are none as they are."""
    found = with_segments(file, records)
    if found is not records:
        notices.append(f"{file}: {len(records):,} documents with {len(found):,} segments.")
    return _placed(found)


def _placed(
    records: Sequence[Mapping[str, object]],
) -> tuple[Sequence[Mapping[str, object]], Sequence[JsonPlace]]:
    return records, [JsonPlace(None, number) for number in range(1, len(records) + 1)]


def _kind(value: object) -> str:
    if isinstance(value, Number):
        return "a number"
    names = {str: "a text", list: "an array", dict: "an object", bool: "true or false", type(None): "null"}
    return names[type(value)]


def _by_index(value: object) -> list[object] | None:
    """The list that a mapping of "0", "1", … stands for, as data frames are written; else ``None``."""
    if not _is_record(value) or not value or list(value) != [str(number) for number in range(len(value))]:
        return None
    return list(value.values())


def _by_numbers(document: Mapping[str, object]) -> dict[str, list[object]] | None:
    """The lists of columns that have the same numbers of rows for keys, as data frames are written after a filter."""
    columns = {name: value for name, value in document.items() if _is_record(value)}
    first = next(iter(columns.values()), None)
    if first is None or len(columns) < max(2, len(document)) or not all(map(str.isdecimal, first)):
        return None
    if any(column.keys() != first.keys() for column in columns.values()):
        return None
    lists: dict[str, list[object]] = {name: [column[key] for key in first] for name, column in columns.items()}
    return {"id": list(first), **lists} if "id" not in lists else lists


def _transposed(
    file: str, lists: Mapping[str, list[object]], notices: list[str]
) -> tuple[list[dict[str, object]], list[JsonPlace]]:
    """Records from lists by name; references may be a list for each segment, or a list for each reference."""
    texts = {name: value for name, value in lists.items() if usual_names.role_of(name) == "hypothesis"}
    named = {name: value for name, value in lists.items() if usual_names.role_of(name) is not None}
    n_segments = len(next(iter((texts or named or lists).values())))
    refuse_excess(file, n_segments * len(lists))
    by_segment: dict[str, Sequence[object]] = {}
    left_out: list[str] = []
    for name, value in lists.items():
        found = _one_per_segment(value, n_segments)
        if found is not None:
            by_segment[name] = found
        elif name in named:
            raise InputError(
                "the lists differ in length",
                where=f"{file}, {shown(name)}",
                found=f"{len(value):,} items",
                expected=f"{n_segments:,}, one for each segment",
                remedy="Give every list one item for each segment.",
            )
        else:
            left_out.append(name)
    if left_out:
        notices.append(f"{file}: {_listed(left_out)} left out: not one value for each segment.")
    notices += [
        f"{file}: each of the {n_segments:,} items of {shown(name)} is read as a segment of its own."
        for name in sorted(texts.keys() & {"candidates", "choices"})
    ]
    records = [{name: column[number] for name, column in by_segment.items()} for number in range(n_segments)]
    return records, [JsonPlace(None, number) for number in range(1, n_segments + 1)]


def _one_per_segment(values: list[object], n_segments: int) -> Sequence[object] | None:
    """The values by segment; lists of all segments, one a reference, are turned round."""
    if len(values) == n_segments:
        return values
    if values and all(isinstance(value, list) and len(value) == n_segments for value in values):
        lists = [value for value in values if isinstance(value, list)]
        return [list(texts) for texts in zip(*lists, strict=True)]
    return None


def _harness_records(
    file: str, records: Sequence[Mapping[str, object]], places: Sequence[JsonPlace], notices: list[str]
) -> tuple[list[dict[str, object]], list[JsonPlace]]:
    """Samples of lm-evaluation-harness: the answer that was scored, the target, and the source where it is named."""
    filters = {str(record.get("filter")) for record in records}
    if len(filters) > 1:
        raise InputError(
            "the samples come from several filters",
            where=file,
            found=_listed(sorted(filters)),
            expected="one answer for each document",
            remedy='Keep the lines of one "filter".',
        )
    found = list[tuple[int | None, dict[str, object], JsonPlace]]()
    repeats = _repeats(records)
    for record, place in zip(records, places, strict=True):
        answers = _first(record.get("filtered_resps", record.get("resps")))
        if not isinstance(answers, str) or isinstance(answers, Number):
            raise place.refusal(
                file,
                "the sample holds no generated text",
                found=_kind(answers),
                expected='a text in "filtered_resps" or "resps"',
                remedy="Load the samples of a task that generates text.",
            )
        texts: dict[str, object] = {"hypothesis": repeats.get(len(found), answers), "references": record.get("target")}
        doc = record["doc"]
        source = usual_names.first_source(doc) if _is_record(doc) else None
        if source is not None and _is_record(doc):
            texts["source"] = doc[source]
        number = record.get("doc_id")
        found.append((int(number) if isinstance(number, Number) and number.isdecimal() else None, texts, place))
    numbers = [number for number, _, _ in found if number is not None]
    if len(set(numbers)) == len(found) and numbers != sorted(numbers):
        found.sort(key=lambda sample: sample[0] or 0)
        notices.append(f'{file}: the samples were put into the order of their "doc_id".')
    return [texts for _, texts, _ in found], [place for _, _, place in found]


def _first(value: object) -> object:
    """What a list, or a list of lists, begins with."""
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _repeats(records: Sequence[Mapping[str, object]]) -> dict[int, list[object]]:
    """All answers to each document, where each has as many and the first is the one that was scored; else nothing."""
    found: dict[int, list[object]] = {}
    for number, record in enumerate(records):
        answers = record.get("resps")
        answers = answers[0] if isinstance(answers, list) and len(answers) == 1 else answers
        scored = _first(record.get("filtered_resps", answers))
        if not isinstance(answers, list) or len(answers) < 2 or not _are_texts(answers):  # noqa: PLR2004  # runs
            return {}
        if not isinstance(scored, str) or str(answers[0]).strip() != scored.strip():
            return {}
        found[number] = [one.strip() for one in map(str, answers)]
    return found if len({len(answers) for answers in found.values()}) == 1 else {}


@dataclass
class _Field:
    """One name of the records with what each record has there."""

    path: tuple[str, ...]
    values: list[object]
    rows: list[int]

    def holding(self, values: list[object]) -> "_Field":
        """The same with other values in the same rows."""
        return _Field(self.path, values, self.rows)


class _Records:
    """Records of one file on their way to columns."""

    def __init__(
        self, file: str, records: Sequence[Mapping[str, object]], places: Sequence[JsonPlace], notices: list[str]
    ) -> None:
        self._file, self._places, self._notices = file, places, notices
        self._n_records = len(records)
        self._fields: dict[tuple[str, ...], _Field] = {}
        for row, record in enumerate(records):
            for path, value in _leaves(record):
                one = self._fields.setdefault(path, _Field(path, [], []))
                one.values.append(value)
                one.rows.append(row)
            refuse_excess(file, self._n_records * len(self._fields), len(self._fields))

    def columns(self) -> tuple[Column, ...]:
        """The columns, those of usual names with their roles."""
        names = self._names()
        columns: list[Column] = []
        left_out: list[str] = []
        for path, one in self._fields.items():
            role = "ignore" if self._is_about_text(path) else _role_of(path)
            found = self._columns_of(one, names[path], role)
            columns += found
            if not found:
                left_out.append(names[path])
        if not columns:
            raise InputError(
                "the JSON holds no texts that can be read",
                where=self._file,
                found=_listed(left_out) if left_out else "objects without names",
                expected=_FORMS,
                remedy=_REMEDY,
            )
        if left_out:
            self._notices.append(f"{self._file}: {_listed(left_out)} left out: no text in every object.")
        return usual_names.with_usual_roles(self._file, columns)

    def _is_about_text(self, path: tuple[str, ...]) -> bool:
        """Whether a name without a role stands next to a text in an object: other answers, and what explains it."""
        is_open = len(path) > 1 and path[-1] not in _TEXTS and usual_names.role_of(path[-1]) is None
        return is_open and any((*path[:-1], name) in self._fields for name in _TEXTS)

    def _names(self) -> dict[tuple[str, ...], str]:
        """The last part of each path, or all of it where two would have the same name.

        A text keeps the last part before numbers do: scores stand under the names of the systems that they are of.
        """
        texts = [path for path, one in self._fields.items() if any(map(_may_hold_text, one.values))]
        n_texts, n_fields = (Counter(path[-1] for path in paths) for paths in (texts, self._fields))
        alone = {path for path in texts if n_texts[path[-1]] == 1}
        alone |= {path for path in self._fields if n_fields[path[-1]] == 1}
        return {path: path[-1] if path in alone else ".".join(path) for path in self._fields}

    def _columns_of(self, one: _Field, name: str, role: Role | None) -> list[Column]:
        values = one.values
        if all(isinstance(value, list) for value in values):
            width = max((len(value) for value in values if isinstance(value, list)), default=0)
            if width == 0 or (width > 1 and role != "reference"):
                is_runs = width > 1 and (role == "hypothesis" or name.casefold() in _RUNS)
                return self._runs_of(one, name, width) if is_runs else []
            refuse_excess(self._file, width * self._n_records, width)
            return [
                self._column(
                    one.holding([_item(value, index) for value in values]),
                    name if width == 1 else f"{name} {index + 1}",
                    role,
                )
                for index in range(width)
            ]
        if role == "reference" and any(isinstance(value, list) for value in values):
            listed: list[object] = [value if isinstance(value, list) else [value] for value in values]
            return self._columns_of(one.holding(listed), name, role)
        if any(isinstance(value, list) or value is _NO_TEXT for value in values):
            return []
        is_inner = len(one.path) > 1 and len(one.rows) < self._n_records  # a word of a glossary may be "input"
        if is_inner or (role is None and (len(one.rows) < self._n_records or any(value is None for value in values))):
            return []
        return [self._column(one, name, role)]

    def _runs_of(self, one: _Field, name: str, width: int) -> list[Column]:
        """Several answers to each item, a run each; nothing where items have different numbers of them."""
        lists = [value for value in one.values if isinstance(value, list) and len(value) == width]
        if len(lists) < self._n_records or any(item is None for value in lists for item in value):
            return []
        refuse_excess(self._file, width * self._n_records, width)
        system = stem(self._file)
        found = [
            self._column(one.holding([value[index] for value in lists]), f"{name} {index + 1}", "hypothesis")
            for index in range(width)
        ]
        self._notices.append(f"{self._file}: {shown(name)} holds {width:,} answers to each item, read as runs.")
        return [
            replace(column, name=f"{system}, run {number}", title=column.name, system=system)
            for number, column in enumerate(found, start=1)
        ]

    def _column(self, one: _Field, name: str, role: Role | None) -> Column:
        texts: list[str | None] = [None] * self._n_records
        for row, value in zip(one.rows, one.values, strict=True):
            texts[row] = None if role in _TEXT_ROLES and _is_no_value(value) else _text(value)
        if role in ("hypothesis", "source") and None in texts:
            raise self._places[texts.index(None)].refusal(
                self._file,
                "a text is missing",
                found=f"no text under {shown(name)}",
                expected="one in every object, as in the others",
                remedy='Add it: "" stands for an empty text.',
            )
        if role not in _TEXT_ROLES:
            texts = ["" if text is None else text for text in texts]
        return Column(self._file, name, role, tuple(texts), None, 1, is_cell=True)


def _role_of(path: tuple[str, ...]) -> Role | None:
    """What the last name says that says more than that there is a text; of a reference that holds one, the first."""
    saying = [name for name in path if name.casefold() not in _TEXTS] or path[-1:]
    if len(path) > 1 and path[-1].casefold() in _ABOUT_TEXTS:
        return "ignore"
    role = usual_names.role_of(saying[-1])
    is_expected = role == "hypothesis" and any(usual_names.role_of(name) == "reference" for name in saying[:-1])
    return "reference" if is_expected else role


def _is_no_value(value: object) -> bool:
    """Whether a program wrote that there is no number, which stands for a text that it does not have."""
    return isinstance(value, Number) and not any(map(str.isdecimal, value))


def _may_hold_text(value: object) -> bool:
    return isinstance(value, str | list) and not isinstance(value, Number)


class _NoText:
    """What stands for a value that is no text."""


_NO_TEXT = _NoText()


def _leaves(record: Mapping[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value of a record with the names that lead to it."""
    for name, value in record.items():
        here = (*path, name)
        if _is_record(value) and len(here) < _MAX_DEPTH:
            yield from _leaves(value, here)
        elif _is_wrapped(value) and len(here) < _MAX_DEPTH:
            inside = [(where, one) for where, one in _leaves({name: value[0]}, path) if _are_texts([one])]
            yield from inside or [(here, _NO_TEXT)]
        elif (answer := _last_answer(value)) is not None:
            yield here, answer
        elif isinstance(value, list) and (texts := _texts_in(value)):
            yield here, texts
        elif isinstance(value, list):
            is_flat = all(item is None or isinstance(item, str) for item in value)
            yield here, value if is_flat else _NO_TEXT
        else:
            yield here, _NO_TEXT if _is_record(value) else value


def _last_answer(value: object) -> str | None:
    """What the assistant says last in a chat; ``None`` for any other value."""
    if not isinstance(value, list) or not all(_is_record(one) and {"role", "content"} <= one.keys() for one in value):
        return None
    return last_message(value, "assistant", "model")


def _texts_in(values: Sequence[object]) -> list[object]:
    """The texts of objects in a list, each under a usual name of a text; nothing where one has none."""
    names = [
        next((name for name in _TEXTS if _is_record(one) and isinstance(one.get(name), str)), None) for one in values
    ]
    found = [one[name] for one, name in zip(values, names, strict=True) if _is_record(one) and name is not None]
    return found if len(found) == len(values) and _are_texts(found) else []


def _is_wrapped(value: object) -> TypeGuard[list[object]]:
    """Whether a list does no more than hold one object or list."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict | list)


def _item(value: object, index: int) -> object:
    return value[index] if isinstance(value, list) and index < len(value) else None


def _text(value: object) -> str | None:
    if value is None:
        return None
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(map(shown, names[:_MAX_NAMED])) + more
