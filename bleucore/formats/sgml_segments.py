"""SGML of translation evaluation -> its segments, as mteval-v13a.pl finds them in files that are not XML.

That script looks for tags with patterns: attributes need no quotes, a file may have several outermost elements, and
between <seg> and </seg> everything is text. Where a tag lacks its end it would skip text; here that is an error.
"""

import re
from collections.abc import Mapping

from bleucore.errors import InputError
from bleucore.formats.columns import refuse_excess
from bleucore.formats.xml_segments import HEADS, Element, ParsedXml, Segment
from bleucore.values import shown

_SETS = ("srcset", "refset", "tstset")
_TAG = re.compile(r"<(/?)(mteval|srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_SEGMENT_END = re.compile(r"</seg\s*>", re.IGNORECASE)
_SEGMENT_START = re.compile(r"<seg\s[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"<[!?/]?[A-Za-z][^<>]*>")
_HEAD = re.compile(rf"<({'|'.join(sorted(HEADS))})(?:\s[^<>]*)?>[^<]*</\1\s*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITIES: Mapping[str, str] = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_ENTITY = re.compile(r"&(quot|amp|lt|gt|apos);")
_OTHER_ENTITY = re.compile(r"&(?!(?:quot|amp|lt|gt|apos);)(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#x[0-9A-Fa-f]+);")
_BARE_AMPERSAND = re.compile(r"&(?![A-Za-z][A-Za-z0-9]*;|#[0-9]+;|#x[0-9A-Fa-f]+;)")
_SPACE = " \t\r\n"


def parse_sgml(file: str, text: str) -> tuple[ParsedXml, tuple[str, ...]]:
    """The segments of the text, and what was read in another way than XML would have it.

    Raises:
        InputError: It is not clear where a segment, a document or a set ends, or what a text outside of them is.
    """
    reader = _Reader(file, text)
    reader.read()
    return ParsedXml("mteval", tuple(reader.elements), tuple(reader.segments)), reader.notices()


class _Reader:
    """Goes through the tags of a text one by one."""

    def __init__(self, file: str, text: str) -> None:
        self.elements: list[Element] = []
        self.segments: list[Segment] = []
        self._file, self._text = file, text
        self._line, self._counted = 1, 0
        self._open: list[Element] = []
        self._n_wrapped = 0
        self._kinds: dict[str, tuple[int, int]] = {}  # how often, and the first line

    def read(self) -> None:
        """Find elements and segments."""
        position = 0
        while (tag := _TAG.search(self._text, position)) is not None:
            self._refuse_text(position, tag.start())
            line = self._line_at(tag.start())
            is_end, name, attributes = bool(tag[1]), tag[2].lower(), tag[3]
            position = tag.end()
            if name == "seg":
                position = self._segment(tag, line, is_end=is_end)
            elif name == "mteval":
                self._n_wrapped += not is_end
            elif is_end:
                self._close(name, line)
            else:
                self._begin(name, self._attributes(attributes, line), line)
        self._refuse_text(position, len(self._text))
        if self._open:
            raise self._unclosed(self._open[-1].tag, self._open[-1].line)

    def notices(self) -> tuple[str, ...]:
        """One sentence for each kind of thing that XML would not have."""
        n_sets = len([element for element in self.elements if element.parent is None])
        if n_sets > 1 and not self._n_wrapped:
            self._kinds["outermost elements"] = (n_sets, 1)
        sentences = {
            "outermost elements": "outermost elements were read, all as one file",
            "unquoted": "attributes without quotes were read",
            "raw": 'times "<" stands within a segment and was read as text',
            "ampersands": 'times "&" is not written as "&amp;" and was read as text',
            "entities": "entities other than those of mteval-v13a.pl were left as they are",
        }
        return tuple(
            f"{self._file}, line {line:,}: {number:,} {sentences[kind]}, as mteval-v13a.pl does."
            for kind, (number, line) in self._kinds.items()
        )

    def _segment(self, tag: re.Match[str], line: int, *, is_end: bool) -> int:
        """Take a segment; the position after it comes back."""
        if is_end:
            raise self._refusal("a </seg> has no beginning", line, "</seg>", "a <seg> before it")
        if len(self._open) < len(("set", "document")):
            raise self._refusal("a <seg> stands where it does not belong", line, "<seg>", "<seg> in a <doc> of a set")
        end = _SEGMENT_END.search(self._text, tag.end())
        if end is None or _SEGMENT_START.search(self._text, tag.end(), end.start()):
            raise self._unclosed("seg", line)
        inside = _TAG.search(self._text, tag.end(), end.start())
        if inside is not None:
            raise self._refusal(
                "it is not clear where a segment ends",
                self._line_at(inside.start()),
                f"{inside[0][:40]} within a <seg>",
                "</seg> before it",
            )
        identifier = self._attributes(tag[3], line).get("id", "")
        if not identifier.strip():
            raise self._refusal("a segment has no id", line, "<seg>", '<seg id="...">')
        raw = self._text[tag.end() : end.start()]
        for kind, number in (
            ("raw", raw.count("<")),
            ("ampersands", len(_BARE_AMPERSAND.findall(raw))),
            ("entities", len(_OTHER_ENTITY.findall(raw))),
        ):
            self._note(kind, number, line)
        text = _ENTITY.sub(lambda found: _ENTITIES[found[1]], raw).strip(_SPACE)
        self.segments.append(Segment(self._open[0], self._open[1], identifier, text, line))
        refuse_excess(self._file, len(self.segments))
        return end.end()

    def _begin(self, name: str, attributes: Mapping[str, str], line: int) -> None:
        level = 0 if name in _SETS else 1
        if level != len(self._open):
            if self._open and level < len(self._open):
                raise self._unclosed(self._open[-1].tag, self._open[-1].line)
            raise self._refusal(f"a <{name}> stands where it does not belong", line, f"<{name}>", "<doc> in a set")
        element = Element(name, attributes, line, self._open[-1] if self._open else None)
        self._open.append(element)
        self.elements.append(element)
        refuse_excess(self._file, len(self.elements))

    def _close(self, name: str, line: int) -> None:
        if not self._open:
            raise self._refusal(f"a </{name}> has no beginning", line, f"</{name}>", f"a <{name}> before it")
        if self._open[-1].tag != name:
            raise self._unclosed(self._open[-1].tag, self._open[-1].line)
        self._open.pop()

    def _attributes(self, written: str, line: int) -> Mapping[str, str]:
        attributes: dict[str, str] = {}
        for found in _ATTRIBUTE.finditer(written):
            name = found[1].lower()
            if name in attributes:
                raise self._refusal("a tag has the same attribute twice", line, shown(found[1]), "each attribute once")
            quoted = found[2] if found[2] is not None else found[3]
            self._note("unquoted", quoted is None, line)
            value = found[4] if quoted is None else quoted
            attributes[name] = _ENTITY.sub(lambda entity: _ENTITIES[entity[1]], value)
        return attributes

    def _note(self, kind: str, number: int, line: int) -> None:
        if number:
            before, first = self._kinds.get(kind, (0, line))
            self._kinds[kind] = (before + number, first)

    def _refuse_text(self, start: int, end: int) -> None:
        left = _OTHER_TAG.sub("", _HEAD.sub("", _without_comments(self._text[start:end]))).strip(_SPACE)
        if left:
            raise self._refusal(
                "there is text outside a <seg>", self._line_at(start), shown(left), "text inside <seg> only"
            )

    def _line_at(self, position: int) -> int:
        self._line += self._text.count("\n", self._counted, position)
        self._counted = max(position, self._counted)
        return self._line

    def _unclosed(self, name: str, line: int) -> InputError:
        return self._refusal(
            f"it is not clear where a <{name}> ends", line, f"no </{name}> of its own", f"</{name}> where it ends"
        )

    def _refusal(self, problem: str, line: int, found: str, expected: str) -> InputError:
        return InputError(
            problem,
            where=self._file,
            line=line,
            found=found,
            expected=expected,
            remedy="Correct the file there, or save its texts as plain text, one segment a line.",
        )


def _without_comments(text: str) -> str:
    """The text without comments; one that does not end stays, and is found to be text."""
    first, *others = text.split("<!--")
    kept = [first]
    for index, part in enumerate(others):
        _, end, rest = part.partition("-->")
        if not end:
            return "".join(kept) + "<!--" + "<!--".join(others[index:])
        kept.append(rest)
    return "".join(kept)
