"""What programs that run or evaluate language models write as JSON -> flat records with usual names."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from bleucore.errors import InputError
from bleucore.formats import json_answers, json_batches, json_catalogues, json_evaluations
from bleucore.formats.json_documents import DOCUMENT, SEGMENT, with_lines_as_lists
from bleucore.formats.json_records import REFERENCE, SYSTEM, Dump, Record, all_have, at
from bleucore.formats.json_values import JsonPlace, Number, Values
from bleucore.formats.names import stem
from bleucore.formats.promptfoo_results import promptfoo, promptfoo_rows
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_UNDER = (
    *("systems", "models", "hypotheses", "outputs", "predictions", "translations", "hyps", "preds", "mt", "candidates"),
    *("responses", "completions", "answers"),
)
_NAMES_OF_SYSTEMS = ("system", "system_name", "system_id", "model", "model_name", "engine")
_NAMES = (*_NAMES_OF_SYSTEMS, "name", "id")
_KINDS = ("kind", "type", "role")
_TEXTS = ("text", "translation", "output", "hypothesis", "content", "value")
_MOST_LEVELS = 4
_MESSAGES = ("message", "defaultMessage", "string", "value")


def dump_of(file: str, values: Values) -> Dump | None:
    """The records of a known dump; ``None`` for any other JSON.

    Raises:
        InputError: It is one, and an answer is missing.
    """
    items = [item for item in values.items if isinstance(item, dict)]
    if not items or len(items) < len(values.items):
        return None
    if not values.is_array:
        return next((found for read in _DOCUMENTS if (found := read(file, items[0])) is not None), None)
    return next((found for read in _RECORDS if (found := read(file, items, values.places)) is not None), None)


def _rows_of_viewer(_file: str, document: Record) -> Dump | None:
    """Rows as the viewer of Hugging Face gives them."""
    rows = document.get("rows")
    found = [at(one, "row") for one in rows] if isinstance(rows, list) else []
    records = [one for one in found if isinstance(one, dict)]
    return Dump(records, "") if records and len(records) == len(found) else None


def _without_original_target(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """WMT24++: ``target`` is the reference; ``original_target`` is what people corrected to it."""
    if not all_have(items, "original_target", "target"):
        return None
    records = [{key: value for key, value in item.items() if key != "original_target"} for item in items]
    return Dump(records, f"{file}: read as WMT24++; “target” is the reference, and “original_target” is left out.")


def _table(_file: str, document: Record) -> Dump | None:
    """Columns and rows apart, as data frames ("split") and W&B have them."""
    columns, rows = document.get("columns"), document.get("data")
    if not (isinstance(columns, list) and isinstance(rows, list) and rows):
        return None
    names = list(map(str, columns))
    if len(set(names)) < len(names) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return Dump([dict(zip(names, row, strict=True)) for row in rows if isinstance(row, list)], "")


def _nested(file: str, document: Record) -> Dump | None:
    """Records in objects inside each other: by system, document and segment, in any order of these.

    A level tells systems where all have the same items, with the same sources and references.
    """
    rows = list(_rows(document))
    depths = {len(path) for path, _ in rows}
    if not rows or len(depths) > 1 or not 1 < max(depths) <= _MOST_LEVELS:
        return None
    level = next((one for one in range(max(depths)) if _tells_systems(one, rows)), None)
    records: list[Record] = []
    for path, record in rows:
        *documents, segment = (name for place, name in enumerate(path) if place != level)
        own: Record = {} if level is None else {SYSTEM: path[level]}
        own |= {DOCUMENT: " ".join(documents), SEGMENT: segment} if documents else {"item_id": segment}
        records.append(own | {key: value for key, value in record.items() if key not in own})
    systems = {path[level] for path, _ in rows} if level is not None else ()
    n_systems = f"{len(systems):,} systems, each with " if systems else ""
    return Dump(records, f"{file}: {n_systems}records by their ids.")


def _rows(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Record]]:
    """The objects with names of roles, and what leads to each; one without a path where anything else is there."""
    if not isinstance(value, dict):
        yield (), {}
    elif path and any(map(_is_of_text, value)):
        yield path, value
    elif len(path) <= _MOST_LEVELS:
        for name, inner in value.items():
            yield from _rows(inner, (*path, name))


def _is_of_text(name: str) -> bool:
    return role_of(name) in ("source", "reference", "hypothesis")


def _tells_systems(level: int, rows: Sequence[tuple[tuple[str, ...], Record]]) -> bool:
    """Whether the names of a level are those of systems: each has all items, with the same texts given."""
    names = {path[level] for path, _ in rows}
    items: dict[tuple[str, ...], list[Record]] = {}
    for path, record in rows:
        items.setdefault((*path[:level], *path[level + 1 :]), []).append(record)
    return len(names) > 1 and all(
        len(records) == len(names)
        and len({tuple(str(one[name]) for name in one if role_of(name) in ("source", "reference")) for one in records})
        == 1
        for records in items.values()
    )


def _by_key(file: str, document: Record) -> Dump | None:
    """An object of objects with the same names, each under its id, or in objects of systems and documents."""
    records = [value for value in document.values() if isinstance(value, dict)]
    if len(records) < max(2, len(document)) or any(map(_is_of_text, document)):  # one is an object with parts
        return None
    ids = list(document)
    message = next((name for name in _MESSAGES if all(isinstance(record.get(name), str) for record in records)), None)
    if message is not None and not any(map(role_of, records[0])):
        return Dump(
            [{"id": key, json_catalogues.TEXT: record[message]} for key, record in zip(ids, records, strict=True)], ""
        )
    if not any(_is_of_text(name) for record in records for name in record):
        return _nested(file, document)
    if len({frozenset(record) for record in records}) > 1:
        return None
    has_roles = any(map(role_of, records[0]))
    named = [record if "id" in record else {"id": key, **record} for key, record in zip(ids, records, strict=True)]
    return Dump(named, "") if has_roles else None


def _systems(file: str, document: Record) -> Dump | None:
    """Outputs by the names of systems, beside lists of references and sources."""
    name = next((one for one in _UNDER if one in document), None)
    outputs = _by_name(document.get(name or ""))
    if name is None or not outputs:
        return None
    n_segments = len(next(iter(outputs.values())))
    if any(len(texts) != n_segments for texts in outputs.values()):
        odd = next(one for one, texts in outputs.items() if len(texts) != n_segments)
        raise InputError(
            "the lists differ in length",
            where=f"{file}, {shown(odd)}",
            found=f"{len(outputs[odd]):,} items",
            expected=f"{n_segments:,}, one for each segment",
            remedy="Give every list one item for each segment.",
        )
    beside: dict[str, Sequence[object]] = {}
    if len(outputs) > 1 and REFERENCE in outputs and REFERENCE not in document:
        beside[REFERENCE] = outputs.pop(REFERENCE)
    for key, value in document.items():
        value = _first_list(value) if isinstance(value, dict) else value  # noqa: PLW2901  # what is said beside
        if key == name or not isinstance(value, list):
            continue
        if len(value) == n_segments:
            beside[key] = value
        elif value and all(isinstance(one, list) and len(one) == n_segments for one in value):
            beside[key] = [list(texts) for texts in zip(*value, strict=True)]
    clash = {one: f"{one} " if one in beside else one for one in outputs}
    records = [
        {key: texts[row] for key, texts in beside.items()} | {clash[one]: texts[row] for one, texts in outputs.items()}
        for row in range(n_segments)
    ]
    return Dump(
        records, f"{file}: {len(outputs):,} systems, as they stand under {shown(name)}.", outputs=tuple(clash.values())
    )


def _list_of_systems(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """An object for each system with a list of its outputs."""
    is_named = all(any(isinstance(item.get(key), str) for key in _NAMES_OF_SYSTEMS) for item in items)
    items = [with_lines_as_lists(item)[0] for item in items] if is_named else []
    named = _by_name(items)
    is_several = len(named) == len(items) > 1 and min(map(len, named.values())) > 1
    return _systems(file, {"systems": items}) if is_several else None


def _by_name(value: object) -> dict[str, Sequence[object]]:
    """Lists of texts by name; empty for anything else."""
    if isinstance(value, list):
        names = _names_of(value) if all(isinstance(one, dict) for one in value) else ()
        value = {name: _first_list(one) for name, one in zip(names, value, strict=True)} if names else {}
    if not isinstance(value, dict):
        return {}
    found = {str(name): texts for name, listed in value.items() if (texts := _texts_of(listed))}
    return found if len(found) == len(value) else {}


def _names_of(systems: Sequence[Record]) -> list[str]:
    """What objects with texts are called, each by itself; "reference" for people who translated. Empty if unclear."""
    kinds = [next((str(one[key]) for key in _KINDS if isinstance(one.get(key), str)), "") for one in systems]
    people = {place for place, kind in enumerate(kinds) if role_of(kind) == "reference"}
    people = people if len(people) == 1 else set()
    for keys in (_NAMES, *((key,) for key in _NAMES)):
        found = [next((one[key] for key in keys if isinstance(one.get(key), str)), None) for one in systems]
        names = [REFERENCE if place in people else name for place, name in enumerate(found)]
        if len(names) == len({*names}) and all(isinstance(name, str) for name in names):
            return [str(name) for name in names]
    return []


def _texts_of(listed: object) -> Sequence[object]:
    """A list of texts, or of objects with a text each under the same name; empty for anything else."""
    if not isinstance(listed, list) or not listed:
        return ()
    if all(isinstance(one, dict) for one in listed):
        name = next((key for key in _TEXTS if all(key in one for one in listed)), None)
        listed = [one.get(name) for one in listed]
    return listed if all(isinstance(text, str) and not isinstance(text, Number) for text in listed) else ()


def _first_list(record: Mapping[str, object]) -> object:
    return next((value for value in record.values() if isinstance(value, list)), None)


def _lists_of_records(file: str, document: Record) -> Dump | None:
    """Records by the name of a system, as the scores of COMET are written."""
    found = [(name, rows) for name, rows in document.items() if isinstance(rows, list) and rows]
    if not found or len(found) < len(document) or not all(isinstance(row, dict) for _, rows in found for row in rows):
        return None
    if len({frozenset(row) for _, rows in found for row in rows}) > 1:
        return None
    if not any(role_of(name) == "hypothesis" for name in found[0][1][0]):
        return None
    rows = [
        {SYSTEM: stem(name), "item_id": str(place), **row} for name, rows in found for place, row in enumerate(rows)
    ]
    if len(found) == 1:
        return Dump([dict(row) for row in found[0][1]], "")
    return Dump(rows, f"{file}: {len(found):,} lists, each taken for a system.")


_DOCUMENTS: tuple[Callable[[str, Record], Dump | None], ...] = (
    *(
        json_evaluations.inspect,
        promptfoo,
        json_evaluations.helm,
        json_evaluations.langfuse,
        json_evaluations.comparator,
    ),
    *(json_batches.one_answer, json_evaluations.azure_document, json_answers.captions, json_answers.gem),
    *(json_answers.tensors_document, json_answers.translations_document, json_answers.lists_by_id),
    *(_rows_of_viewer, _table, json_answers.whisper, json_catalogues.string_catalog, _systems),
    *(_lists_of_records, _by_key, json_catalogues.catalogue),
)
_RECORDS: tuple[Callable[[str, Sequence[Record], Sequence[JsonPlace]], Dump | None], ...] = (
    *(json_batches.batch_results, json_batches.batch_requests, json_batches.streams),
    *(json_batches.chats, json_batches.tokens, _list_of_systems),
    promptfoo_rows,
    *(json_evaluations.openai_evals, json_evaluations.label_studio, json_evaluations.azure, json_answers.tensors),
    *(json_answers.best_of_lists, json_answers.translations, json_answers.caption_results),
    json_answers.sentences_of_tables,
    *(json_batches.choices, _without_original_target),
)
"""In the order in which a file is looked at."""
