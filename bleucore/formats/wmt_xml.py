"""WMT XML -> columns: documents that hold source, references and hypotheses side by side."""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Key
from bleucore.formats.keyed_columns import KeyedColumns, KeyedRole
from bleucore.formats.xml_segments import Element, ParsedXml

LABELS = ("origlang", "domain")

_ROLES: Mapping[str, KeyedRole] = MappingProxyType({"src": "source", "ref": "reference", "hyp": "hypothesis"})
_Place: TypeAlias = tuple[KeyedRole, Hashable]


def wmt_columns(file: str, parsed: ParsedXml) -> tuple[Column, ...]:
    """Source, references by translator, hypotheses by system, then the labels that all documents have.

    Raises:
        InputError: A document has no id or a hypothesis no system, a segment is there twice, or one is
            missing from the source or a system.
    """
    columns = KeyedColumns(file)
    places = _register(file, parsed, columns)
    document_of: dict[Key, Element] = {}
    for segment in parsed.segments:
        key = (segment.outer.document_id(file, "id", "docid"), segment.identifier)
        document_of[key] = segment.outer
        columns.add_segment(*places[segment.inner], key, segment.text, segment.line)
    texts = columns.columns()
    return texts + _labels(file, parsed, texts[0].keys or (), document_of)


def _register(file: str, parsed: ParsedXml, columns: KeyedColumns) -> Mapping[Element, _Place]:
    """The column of each source, reference and hypothesis element."""
    places: dict[Element, _Place] = {}
    n_unnamed: defaultdict[Element | None, int] = defaultdict(int)
    for element in parsed.elements:
        if element.parent is None:
            continue
        role, name = _ROLES[element.tag], _name(file, element)
        identity: Hashable = name
        if name is None:
            n_unnamed[element.parent] += 1
            number = n_unnamed[element.parent]
            identity, name = number, "reference" if number == 1 else f"reference ({number})"
        columns.add_column(role, identity, name, element.attribute("lang"))
        places[element] = (role, identity)
    return places


def _name(file: str, element: Element) -> str | None:
    if element.tag == "src":
        return "source"
    if element.tag == "ref":
        return element.attribute("translator")
    system = element.attribute("system")
    if system is None:
        raise InputError(
            "a hypothesis has no system",
            where=file,
            line=element.line,
            found="<hyp>",
            expected='<hyp system="...">',
            remedy="Name the system of every hypothesis.",
        )
    return system


def _labels(
    file: str, parsed: ParsedXml, keys: tuple[Key, ...], document_of: Mapping[Key, Element]
) -> tuple[Column, ...]:
    documents = [element for element in parsed.elements if element.parent is None]
    present = [name for name in LABELS if all(name in document.attributes for document in documents)]
    return tuple(
        Column(file, name, "label", tuple(document_of[key].attributes[name] for key in keys), keys, 1)
        for name in present
    )
