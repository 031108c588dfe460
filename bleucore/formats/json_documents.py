"""Documents in JSON -> segments: objects or texts in lists, a list for each document."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bleucore.formats.columns import refuse_excess
from bleucore.formats.json_records import Record, at
from bleucore.formats.json_values import Number
from bleucore.formats.marked_lines import numbered_lines
from bleucore.formats.pieces_alike import are_pieces
from bleucore.formats.usual_names import role_of

DOCUMENT, SEGMENT = "document", "segment"
_NAMES_OF_DOCUMENTS = ("doc_id", "document_id", "docid", "doc", "document", "document_name", "id", "name", "title")
_SEGMENTS = """sentences sents segments paragraphs paras lines texts utterances srcs trgs tgts sources targets hyps
hypotheses outputs translations predictions"""
_OF_SEGMENTS = frozenset(_SEGMENTS.split())
"""Names of lists that hold the segments of a document, where their lengths differ from document to document."""
_CALLED_AS_DOCUMENT = re.compile(
    r"(?:doc|document|talk|chapter|article|story|file|page)s?[\W_]?\w{0,20}", re.IGNORECASE
)
_LEAST_TEXTS = 2
LEAST_SEGMENTS = 5
"""Of fewer texts in one object nothing says that they are segments."""


def with_lines_as_lists(document: Mapping[str, object]) -> tuple[dict[str, object], list[str]]:
    """The object with a list where one text holds all segments, and the names of these texts.

    Such texts have numbered lines, or as many lines as the others.
    """
    texts = {name: value for name, value in document.items() if isinstance(value, str) and "\n" in value.strip()}
    numbered = {name: own for name, text in texts.items() if (own := numbered_lines(text)) is not None}
    lines = {name: text.strip().splitlines() for name, text in texts.items()} | numbered
    n_lines = {len(one) for one in lines.values()}
    are_alike = len(lines) > 1 and len(n_lines) == 1 and min(n_lines) >= LEAST_SEGMENTS
    found = lines if are_alike else numbered
    return {**document, **found}, [*found]


def with_segments(file: str, records: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    """The records, one for each segment where each was a document; else as they are.

    A document holds objects with texts in one list, or several lists of texts with a text of each segment.
    """
    if not records:
        return records
    found = _of_objects(records) or _of_lists(records)
    if found is None:
        return records
    refuse_excess(file, len(found) * len(found[0]) if found else 0)
    return found


def of_documents(document: Mapping[str, object]) -> list[Record] | None:
    """The segments of one object that has a list of texts for each document; ``None`` for any other.

    Lists of one length are columns, unless their names are those of documents.
    """
    if len(document) < _LEAST_TEXTS or any(role_of(name) not in (None, "documents") for name in document):
        return None
    if not all(map(_is_list, document.values())):
        return None
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    are_called = all(map(_CALLED_AS_DOCUMENT.fullmatch, lists))
    if not are_called and len({len(value) for value in lists.values()}) == 1:
        return None
    return [
        {DOCUMENT: name, SEGMENT: str(number), "text": text}
        for name, texts in lists.items()
        for number, text in enumerate(texts, start=1)
    ]


def _of_objects(records: Sequence[Mapping[str, object]]) -> list[Record] | None:
    """The objects in the only list of objects that each document has, with the texts of their document."""
    if any(role_of(name) not in (None, "documents") for record in records for name in record):
        return None
    names = [name for name, value in records[0].items() if _are_objects(value)]
    if len(names) != 1 or not all(_are_objects(record.get(names[0])) for record in records):
        return None
    found: list[Record] = []
    for number, record in enumerate(records, start=1):
        inner = at(record, names[0])
        own = _fields_of_document(record, number)
        for place, one in enumerate(inner if isinstance(inner, list) else (), start=1):
            found.append({**own, SEGMENT: str(place), **{key: value for key, value in one.items() if key not in own}})
    has_texts = any(role_of(name) not in (None, "documents") for name in found[0])
    return found if has_texts else None


def _of_lists(records: Sequence[Mapping[str, object]]) -> list[Record] | None:
    """A record for each place in lists that are equally long within each document, and hold nothing but texts."""
    leaves = [dict(_lists_in(record)) for record in records]
    paths = leaves[0].keys()
    if not paths or any(one.keys() != paths for one in leaves):
        return None
    lengths = [{len(texts) for texts in one.values()} for one in leaves]
    if any(len(found) != 1 for found in lengths) or max(max(found) for found in lengths) < _LEAST_TEXTS:
        return None
    single = {role_of(name) for record in records for name, value in record.items() if isinstance(value, str)} - {
        None,
        "documents",
    }
    is_uneven = len(set.union(*lengths)) > 1
    if single or not _are_of_segments(list(paths), is_uneven=is_uneven, is_named=any(map(_is_named, records[0]))):
        return None
    if is_uneven and not any(map(_is_named, records[0])) and _say_the_same(leaves):
        return None
    found: list[Record] = []
    for number, (record, texts) in enumerate(zip(records, leaves, strict=True), start=1):
        own = _fields_of_document(record, number)
        for place in range(next(iter(lengths[number - 1]))):
            one: Record = {**own, SEGMENT: str(place + 1)}
            for path, listed in texts.items():
                inner = one
                for name in path[:-1]:
                    inner = inner.setdefault(name, {})  # type: ignore[assignment]  # objects that were made here
                inner[path[-1]] = listed[place]
            found.append(one)
    return found


def _say_the_same(leaves: Sequence[Mapping[tuple[str, ...], list[object]]]) -> bool:
    """Whether outputs are like references in other places, too: several answers and references of one item."""
    paths = {role_of(path[-1]): path for path in leaves[0]}
    if not {"reference", "hypothesis"} <= paths.keys():
        return False
    listed = [
        [[str(text).encode()] for text in one[paths[role]]] for one in leaves for role in ("hypothesis", "reference")
    ]
    pairs = [pair for pair in zip(listed[::2], listed[1::2], strict=True) if len(pair[0]) > 1]
    return 2 * sum(not are_pieces(*pair) for pair in pairs) > len(pairs)


def _is_named(name: str) -> bool:
    return role_of(name) == "documents"


def _are_of_segments(paths: Sequence[tuple[str, ...]], *, is_uneven: bool, is_named: bool) -> bool:
    """Whether lists by their names hold texts of segments, and not several references or answers to one item."""
    roles = [role_of(path[-1]) or role_of(path[0]) for path in paths]
    if len(paths) == 1:
        return is_uneven and roles[0] != "reference" and paths[0][-1].casefold() in _OF_SEGMENTS
    names = [path[-1].casefold() for path in paths]
    has_source = "source" in roles or "srcs" in names
    is_of_texts = has_source or is_uneven or (is_named and _OF_SEGMENTS.issuperset(names))
    return is_of_texts and len({*roles} - {None}) + roles.count(None) > 1


def _lists_in(record: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], list[object]]]:
    """The lists of texts of a record, and of the objects in it."""
    for name, value in record.items():
        if _is_list(value) and isinstance(value, list):
            yield (name,), value
        elif isinstance(value, dict):
            yield from (
                ((name, key), inner) for key, inner in value.items() if isinstance(inner, list) and _is_list(inner)
            )


def _fields_of_document(record: Mapping[str, object], number: int) -> Record:
    """What is said of a document as a whole: its name, and labels."""
    name = next((key for key in _NAMES_OF_DOCUMENTS if isinstance(record.get(key), str)), None)
    labels = {
        key: value
        for key, value in record.items()
        if isinstance(value, str) and key != name and key not in (DOCUMENT, SEGMENT, *_NAMES_OF_DOCUMENTS)
    }
    return {DOCUMENT: str(record[name]) if name is not None else str(number), **labels}


def _is_list(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, str) and not isinstance(one, Number) for one in value)
    )


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
