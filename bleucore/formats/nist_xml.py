"""NIST mteval XML -> columns: sets of sources, references and hypotheses, in one file or several."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType

from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.formats.keyed_columns import KeyedColumns, KeyedRole
from bleucore.formats.names import stem
from bleucore.formats.xml_segments import Element, ParsedXml

_ROLES: Mapping[str, KeyedRole] = MappingProxyType({"srcset": "source", "refset": "reference", "tstset": "hypothesis"})


def nist_columns(file: str, parsed: ParsedXml) -> tuple[Column, ...]:
    """One source column, one column per reference id and one per system id.

    Raises:
        InputError: A document has no id, a set or a column has no segments, a segment is there twice,
            or one is missing from the source or a system.
    """
    _refuse_empty_sets(file, parsed)
    columns = KeyedColumns(file)
    for element in parsed.elements:
        if element.parent is not None:
            role, identity, name = _column_of(element, element.parent, file)
            says = "srclang" if role == "source" else "trglang"
            columns.add_column(role, identity, name, element.parent.attribute(says))
    for segment in parsed.segments:
        role, identity, _ = _column_of(segment.inner, segment.outer, file)
        key = (segment.inner.document_id(file, "docid", "id"), segment.identifier)
        columns.add_segment(role, identity, key, segment.text, segment.line)
    named = (element.attribute("setid") for element in parsed.elements if element.parent is None)
    test_set = next((name for name in named if name), None)
    return tuple(replace(column, test_set=test_set) for column in columns.columns())


def _column_of(document: Element, text_set: Element, file: str) -> tuple[KeyedRole, Hashable, str]:
    """Role, identity and name of the column; older files name it on each document, newer ones on the set."""
    role = _ROLES[text_set.tag]
    if role == "source":
        return role, "source", "source"
    own, general = document.attribute, text_set.attribute
    if role == "reference":
        name = own("refid") or general("refid") or own("sysid") or general("sysid")
    else:
        name = own("sysid") or general("sysid")
    if name is not None:
        return role, name, name
    return role, text_set, "reference" if role == "reference" else stem(file)


def _refuse_empty_sets(file: str, parsed: ParsedXml) -> None:
    filled = {segment.outer for segment in parsed.segments}
    for element in parsed.elements:
        if element.parent is None and element not in filled:
            raise InputError(
                f"a <{element.tag}> has no segments",
                where=file,
                line=element.line,
                found="no <seg>",
                expected="at least one",
                remedy="Take it out, or add its segments.",
            )
