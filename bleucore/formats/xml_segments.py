"""XML of translation evaluation -> its segments, whatever the format: safely, and with nothing left out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import refuse_excess
from bleucore.values import shown

UNKNOWN_XML = "this is not XML of a known format"
"""What is wrong with XML of any other program."""
_XML_SPACE = " \t\r\n"
_MAX_ATTRIBUTES_SHOWN = 5
_MAX_FINDING = 80

HEADS = frozenset(
    {"url", "keywords", "speaker", "talkid", "title", "description", "translator", "reviewer", "videourl", "videopath"}
)
"""Elements that describe a document, as IWSLT has them: their texts are no segments."""
_NIST_LEVELS = (("srcset", "refset", "tstset"), ("doc",))
_LEVELS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "mteval": _NIST_LEVELS,
        "srcset": _NIST_LEVELS,
        "refset": _NIST_LEVELS,
        "tstset": _NIST_LEVELS,
        "dataset": (("doc",), ("src", "ref", "hyp")),
    }
)

_SPACE = re.compile(rb"\s*")
_ROOT = re.compile(rb"<([A-Za-z]+)[\s/>]")
_DOCTYPE = re.compile(
    rb"""<!DOCTYPE\s+[^\s>\["']+(?:\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?:"[^"]*"|'[^']*'))?\s*>"""
)
_DECLARED_ENCODING = re.compile(rb"""^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']""")
_ENCODINGS = re.compile(
    r"utf-?8|us-ascii|iso-?8859-?[0-9]{1,2}|latin-?1|windows-[0-9]{3,4}|cp[0-9]{3,4}|koi8-[rtu]", re.IGNORECASE
)


_BARE_AMPERSAND = re.compile(rb"&(?![A-Za-z_:][A-Za-z0-9._:-]*;|#[0-9]+;|#x[0-9A-Fa-f]+;)")


@dataclass(frozen=True, eq=False)
class Element:
    """An element that says what the segments inside it are: a set, a document, a hypothesis.

    Attributes:
        tag: Its name in lower case.
        attributes: Its attributes, their names in lower case.
        line: Its line in the file.
        parent: The element of the level above, ``None`` on the upper level.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    parent: "Element | None"

    def attribute(self, name: str) -> str | None:
        """The attribute's value, ``None`` if it is absent or blank."""
        value = self.attributes.get(name, "")
        return value if value.strip() else None

    def document_id(self, file: str, *names: str) -> str:
        """The first of these attributes that a document has.

        Raises:
            InputError: It has none.
        """
        found = next(filter(None, map(self.attribute, names)), None)
        if found is None:
            raise InputError(
                "a document has no id",
                where=file,
                line=self.line,
                found="<doc>",
                expected=f'<doc {names[0]}="...">',
                remedy="Give every document an id.",
            )
        return found


@dataclass(frozen=True, slots=True)
class Segment:
    """The text of one <seg>, stripped, with the elements of both levels that hold it."""

    outer: Element
    inner: Element
    identifier: str
    text: str
    line: int


class BrokenXmlError(InputError):
    """What is not well-formed XML; it may be SGML all the same."""


@dataclass(frozen=True)
class ParsedXml:
    """The root's name in lower case, and all elements of both levels and all segments in file order."""

    root: str
    elements: tuple[Element, ...]
    segments: tuple[Segment, ...]


def looks_like_xml(content: bytes) -> bool:
    """Whether the content starts like XML: a declaration, a DOCTYPE, or a root of the formats known here."""
    start = _end_of_space(content, 0)
    if content[start : start + len(b"<!doctype")].lower().startswith((b"<?xml", b"<!doctype")):
        return True
    position = start_of_root(content)
    root = _ROOT.match(content, position)
    return root is not None and (root[1].decode().lower() in _LEVELS or _is_whole_document(content, root[1]))


def _is_whole_document(content: bytes, root: bytes) -> bool:
    """Whether an element that is opened once in several lines ends where the content ends, as in XML of any kind."""
    closing = b"</" + root + b">"
    end = content.rstrip()
    return end.endswith(closing) and content.count(closing) == 1 and b"\n" in end


def may_be_sgml(name: str, content: bytes) -> bool:
    """Whether mteval-v13a.pl would read it as SGML: not named .xml, without a declaration, and a set or several."""
    is_named_xml = name.lower().removesuffix(".gz").endswith(".xml")
    start = _end_of_space(content, 0)
    root = _ROOT.match(without_doctype(content), start_of_root(without_doctype(content)))
    is_known = root is not None and root[1].decode().lower() in _LEVELS and root[1].lower() != b"dataset"
    return is_known and not is_named_xml and not content.startswith(b"<?xml", start)


def declares_encoding(content: bytes) -> bool:
    """Whether an XML declaration names an encoding other than UTF-8."""
    declaration = _DECLARED_ENCODING.match(content)
    return declaration is not None and declaration[1].lower() not in (b"utf-8", b"utf8")


def with_bare_ampersands_escaped(name: str, content: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The content with "&amp;" for an "&" that begins nothing, and a notice if there was any.

    Test sets in NIST's format often have them: the evaluation script reads them as text and never minded. Where
    CDATA sections make it unclear what an ampersand is, the content is left alone.
    """
    if b"<![CDATA[" in content:
        return content, ()
    escaped, number = _BARE_AMPERSAND.subn(b"&amp;", content)
    if not number:
        return content, ()
    first = _BARE_AMPERSAND.search(content)
    line = 1 + content.count(b"\n", 0, first.start() if first else 0)
    kind = "an ampersand is" if number == 1 else f"{number:,} ampersands are"
    return escaped, (
        f'{name}, line {line:,}: {kind} not written as XML wants it ("&amp;") and {"was" if number == 1 else "were"} '
        'read as "&".',
    )


def parse(name: str, content: bytes, *, is_unicode: bool) -> ParsedXml:
    """The segments of an XML file.

    Args:
        name: The file's name, for messages.
        content: The file's bytes.
        is_unicode: Whether they are UTF-8 whatever an XML declaration says.

    Raises:
        InputError: The XML is broken, declares entities, or has not the structure of a known format.
    """
    reader = _SegmentReader(name)
    encoding = "utf-8" if is_unicode else _checked_encoding(name, content)
    parser = DefusedXMLParser(target=reader, encoding=encoding, forbid_dtd=True)
    reader.watch(parser)
    try:
        parser.feed(without_doctype(content))
        parser.close()
    except ParseError as error:
        raise _broken(name, error) from error
    except DefusedXmlException as error:
        raise _forbidden(name, content, reader.line) from error
    except (LookupError, ValueError) as error:
        raise _unknown_encoding(name, str(error)) from error
    return ParsedXml(reader.root, tuple(reader.elements), tuple(reader.segments))


def _end_of_space(content: bytes, position: int) -> int:
    match = _SPACE.match(content, position)
    return match.end() if match else position


def start_of_root(content: bytes) -> int:
    """Where declaration, comments and instructions end, and the DOCTYPE or the root begins."""
    position = 0
    while True:
        position = _end_of_space(content, position)
        for opening, closing in ((b"<?", b"?>"), (b"<!--", b"-->")):
            if content.startswith(opening, position):
                end = content.find(closing, position + len(opening))
                break
        else:
            return position
        if end < 0:
            return position
        position = end + len(closing)


def without_doctype(content: bytes) -> bytes:
    """The content with spaces for a DOCTYPE that only names a DTD.

    The DTD is never read. With a DOCTYPE in place, expat would leave out unknown entities of attribute
    values without a word; without one, they are errors.
    """
    doctype = _DOCTYPE.match(content, start_of_root(content))
    if doctype is None:
        return content
    return content[: doctype.start()] + re.sub(rb"[^\r\n]", b" ", doctype[0]) + content[doctype.end() :]


def _checked_encoding(name: str, content: bytes) -> str | None:
    """The encoding to parse with, ``None`` for the one declared."""
    declaration = _DECLARED_ENCODING.match(content)
    declared = declaration[1].decode("ascii", errors="replace") if declaration else "utf-8"
    if declared.lower() in {"utf-8", "utf8"}:
        decoding.decode(name, content)
        return "utf-8"
    if not _ENCODINGS.fullmatch(declared):
        raise _unknown_encoding(name, shown(declared))
    return None


class _SegmentReader:
    """Receives the parser's events one by one: no tree, no recursion."""

    def __init__(self, file: str) -> None:
        self.root = ""
        self.elements: list[Element] = []
        self.segments: list[Segment] = []
        self._file = file
        self._levels: tuple[tuple[str, ...], ...] = ()
        self._open: list[Element] = []
        self._segment: tuple[str, int] | None = None  # identifier and line of the segment being read
        self._n_heads = 0  # what describes a document, open
        self._depth = 0  # of elements inside that segment
        self._texts: list[str] = []

    @property
    def line(self) -> int:
        """The line that the parser has come to."""
        return self._expat.CurrentLineNumber

    def watch(self, parser: DefusedXMLParser) -> None:
        """Take line numbers from this parser, and every text with the line where it stands."""
        self._expat = parser.parser
        self._expat.buffer_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        tag = _local(name)
        if not self.root:
            self._begin_root(tag)
        level = next((level for level, tags in enumerate(self._levels) if tag in tags), None)
        if self._segment is not None:
            if tag == "seg" or level is not None:
                raise self._misplaced(tag, "a <seg>")
            self._depth += 1
        elif tag == "seg":
            self._begin_segment(self._lowered(tag, attributes))
        elif level is not None:
            self._begin_element(tag, level, self._lowered(tag, attributes))
        elif tag in HEADS:
            self._n_heads += 1

    def data(self, text: str) -> None:
        """Take up text, which belongs to a segment."""
        if self._segment is not None:
            self._texts.append(text)
        elif not self._n_heads and text.strip(_XML_SPACE):
            raise self._refusal(
                "there is text outside a <seg>",
                shown(text.strip(_XML_SPACE)),
                "text inside <seg> only",
                "Put it into a segment, or take it out.",
            )

    def end(self, name: str) -> None:
        """End an element."""
        if self._segment is None:
            if self._open and self._open[-1].tag == _local(name):
                self._open.pop()
            self._n_heads -= _local(name) in HEADS and self._n_heads > 0
        elif self._depth:
            self._depth -= 1
        else:
            text = "".join(self._texts).strip(_XML_SPACE)
            self.segments.append(Segment(self._open[0], self._open[1], self._segment[0], text, self._segment[1]))
            self._segment = None
            self._texts.clear()
            refuse_excess(self._file, len(self.segments))

    def close(self) -> None:
        """Nothing is left to do at the end of the file."""

    def _begin_root(self, tag: str) -> None:
        if tag not in _LEVELS:
            raise self._refusal(
                UNKNOWN_XML,
                f"{shown(tag)} as the outermost element",
                ", ".join(f"<{root}>" for root in _LEVELS),
                "Load NIST mteval XML, WMT XML, a table or plain text.",
            )
        self.root = tag
        self._levels = _LEVELS[tag]

    def _begin_element(self, tag: str, level: int, attributes: Mapping[str, str]) -> None:
        if level != len(self._open):
            raise self._misplaced(tag, f"<{self._open[-1].tag}>" if self._open else f"<{self.root}>")
        parent = self._open[-1] if self._open else None
        self._open.append(Element(tag, attributes, self.line, parent))
        self.elements.append(self._open[-1])
        refuse_excess(self._file, len(self.elements))

    def _begin_segment(self, attributes: Mapping[str, str]) -> None:
        if len(self._open) < len(self._levels):
            raise self._misplaced("seg", f"<{self._open[-1].tag}>" if self._open else f"<{self.root}>")
        identifier = attributes.get("id", "")
        if not identifier.strip():
            raise self._refusal(
                "a segment has no id", "<seg>", '<seg id="...">', "Give every segment of a document an id."
            )
        self._segment = (identifier, self.line)

    def _lowered(self, tag: str, attributes: Mapping[str, str]) -> Mapping[str, str]:
        lowered = {name.lower(): value for name, value in attributes.items()}
        if len(lowered) < len(attributes):
            raise self._refusal(
                f"a <{tag}> has the same attribute twice",
                ", ".join(map(shown, list(attributes)[:_MAX_ATTRIBUTES_SHOWN])),
                "each attribute once, whatever its case",
                "Take one of them out.",
            )
        return lowered

    def _misplaced(self, tag: str, place: str) -> InputError:
        outer, inner = (", ".join(f"<{tag}>" for tag in tags) for tags in self._levels)
        return self._refusal(
            f"a <{tag}> stands where it does not belong",
            f"<{tag}> directly in {place}",
            f"{outer} outside, {inner} in it, <seg> innermost",
            "Correct the order of the elements.",
        )

    def _refusal(self, problem: str, found: str, expected: str, remedy: str) -> InputError:
        return InputError(problem, where=self._file, line=self.line, found=found, expected=expected, remedy=remedy)


def _local(name: str) -> str:
    """The element's name in lower case, without the namespace that the parser puts before it."""
    return name.rpartition("}")[2].lower()


def _broken(name: str, error: ParseError) -> BrokenXmlError:
    line, position = error.position
    kind = str(error).partition(": line")[0]
    if kind.startswith("junk after document element"):
        return BrokenXmlError(
            "there is something after the outermost element",
            where=name,
            line=line,
            found="more text or another element",
            expected="one outermost element, as XML has it",
            remedy="Put all sets into one <mteval>, or name the file .sgm, which may have several.",
        )
    return BrokenXmlError(
        "the XML is broken",
        where=name,
        line=line,
        found=f"{kind[:_MAX_FINDING]} at position {position + 1:,}",
        expected="well-formed XML",
        remedy='Close every element, put attribute values in quotes, and write "&" as "&amp;" and "<" as "&lt;".',
    )


def _forbidden(name: str, content: bytes, line: int) -> InputError:
    declares = "entities, which are never expanded" if b"<!ENTITY" in content else "more than the DTD's address"
    return InputError(
        f"the DOCTYPE declares {declares}",
        where=name,
        line=line,
        found="declarations of its own in the DOCTYPE",
        expected="a DOCTYPE with a name and an address, or none",
        remedy="Remove the DOCTYPE, and write characters instead of entities.",
    )


def _unknown_encoding(name: str, found: str) -> InputError:
    return InputError(
        "the XML declares an encoding that cannot be read",
        where=name,
        line=1,
        found=found,
        expected="UTF-8 or an encoding with one byte per character",
        remedy="Save the file as UTF-8 and declare that.",
    )
