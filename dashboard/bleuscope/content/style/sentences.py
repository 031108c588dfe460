"""Sentences before they are written: words, names and what stands out. HTML, Markdown and plain text are made of them.

Whatever comes from a user is escaped by each writer in its own way, so that a sentence may hold any text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from markupsafe import Markup, escape

from bleuscope.content.style import markdown_escapes
from bleuscope.content.style.invisible import in_one_line

MAX_NAMED = 3
AT_START = re.compile(r"^([+\-](?=\s|$)|[=\-]+(?=\s*$)|\d+(?=[.)](?:\s|$)))")
"""What would make a list, or a heading of the line before."""
HARMLESS = re.compile(r"\\:(?=\s|$)")
"""A colon that ends a word begins neither a link nor an emoji."""


class Written(Protocol):
    """What pages and reports can write."""

    def __html__(self) -> str:
        """The HTML of it."""

    def markdown(self) -> str:
        """The same as Markdown."""


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: its text, the same as HTML, and what stands around it in Markdown."""

    text: str
    html: Markup
    mark: str = ""


@dataclass(frozen=True)
class Sentence:
    """Words in one line."""

    pieces: tuple[Piece, ...] = ()

    def __add__(self, other: "str | Sentence") -> "Sentence":
        """One after the other."""
        return Sentence((*self.pieces, *_pieces(other)))

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.pieces)

    def __str__(self) -> str:
        """Plain text, with nothing in it that a terminal would obey."""
        return in_one_line("".join(piece.text for piece in self.pieces))

    def __html__(self) -> Markup:
        """HTML."""
        return Markup("").join(piece.html for piece in self.pieces)

    def continued(self) -> "Sentence":
        """The same behind a comma: its first letter is small, unless a name begins it."""
        first, *rest = self.pieces or (Piece("", Markup()),)
        if first.mark or first.html != escape(first.text):
            return self
        return Sentence((*_pieces(first.text[:1].lower() + first.text[1:]), *rest))

    def markdown(self) -> str:
        """A line of Markdown."""
        found = [
            (mark, "".join(piece.text for piece in pieces))
            for mark, pieces in groupby(self.pieces, lambda piece: piece.mark)
        ]
        written = (
            f"{mark}{' ' * text[:1].isspace()}{escaped(text)}{' ' * text[-1:].isspace()}{mark}" for mark, text in found
        )
        return guarded(" ".join("".join(written).split()))


@dataclass(frozen=True)
class Paragraph:
    """A sentence, or several, in a look of ours."""

    style: str
    sentence: Sentence

    def __html__(self) -> Markup:
        """HTML."""
        style = Markup(' class="{}"').format(self.style) if self.style else ""
        return Markup("<p{}>{}</p>").format(style, self.sentence)

    def markdown(self) -> str:
        """Markdown."""
        return self.sentence.markdown()


@dataclass(frozen=True)
class Text:
    """Paragraphs and the like beneath each other, in a frame where there is one."""

    parts: tuple[Written, ...] = ()
    frame: str = ""

    def __add__(self, other: Written) -> "Text":
        """One beneath the other."""
        return Text((self, other))

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return any(self.parts)

    def __html__(self) -> Markup:
        """HTML."""
        html = Markup("").join(self.parts)
        return Markup('<div class="{}">{}</div>').format(self.frame, html) if self.frame else html

    def markdown(self) -> str:
        """Markdown."""
        return "\n\n".join(written for part in self.parts if (written := part.markdown()))


def sentence(template: str, *parts: str | Sentence) -> Sentence:
    """Words of ours with parts in place of each ``{}``."""
    first, *others = template.split("{}")
    pieces = [piece for part, words in zip(parts, others, strict=True) for piece in (*_pieces(part), *_pieces(words))]
    return Sentence((*_pieces(first), *pieces))


def paragraph(style: str, template: str, *parts: str | Sentence) -> Text:
    """A sentence, made as ``sentence`` does, in a CSS class of ours; several may follow each other in it."""
    return Text((Paragraph(style, sentence(template, *parts)),))


def verdict(template: str, *parts: str | Sentence) -> Text:
    """What a result comes to, as a paragraph."""
    return paragraph("bs-verdict", template, *parts)


def note(template: str, *parts: str | Sentence) -> Text:
    """What has to be known beside a result, as a paragraph."""
    return paragraph("bs-source", template, *parts)


def warning(template: str, *parts: str | Sentence) -> Text:
    """What casts doubt on a result, as a paragraph."""
    return paragraph("bs-warning", template, *parts)


def notes(sentences: Iterable[str | Sentence]) -> Text:
    """A paragraph for each sentence."""
    return Text(tuple(note("{}", one) for one in sentences))


def strong(name: str) -> Sentence:
    """A system's name within a sentence."""
    return Sentence((Piece(name, Markup("<bdi><strong>{}</strong></bdi>").format(name), "**"),))


def isolated(text: str) -> Sentence:
    """Names in any script, which turn nothing around them."""
    return Sentence((Piece(text, Markup("<bdi>{}</bdi>").format(text)),))


def bold(text: str) -> Sentence:
    """Words of ours that stand out."""
    return Sentence((Piece(text, Markup("<strong>{}</strong>").format(text), "**"),))


def defined(term: str) -> Sentence:
    """A term that the sentence explains."""
    return Sentence((Piece(term, Markup("<em>{}</em>").format(term), "*"),))


def explained(term: str, explanation: str) -> Sentence:
    """A term with what it means, shown on hover and focus."""
    html = Markup('<abbr tabindex="0" title="{}">{}</abbr>').format(explanation, term)
    return Sentence((Piece(term, html),))


def listed(names: Sequence[str], *, most: int = MAX_NAMED) -> Sentence:
    """The names, or the first few of many and how many more there are."""
    shown = [strong(name) for name in names[:most]]
    shown += [sentence(f"{len(names) - most} more")] if len(names) > most else []
    return joined(", ", shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


def joined(separator: str, sentences: Sequence[Sentence]) -> Sentence:
    """One after the other, with something between."""
    between = (one for each in sentences for one in (sentence(separator), each))
    return Sentence(tuple(piece for one in between for piece in one.pieces)[1:])


def escaped(text: str) -> str:
    """A text on one line within a line of Markdown, read as it is written."""
    return HARMLESS.sub(":", markdown_escapes.escaped(text))


def guarded(line: str) -> str:
    """A line of Markdown that begins neither a list nor a heading."""
    return AT_START.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)


def _pieces(words: str | Sentence) -> tuple[Piece, ...]:
    if isinstance(words, Sentence):
        return words.pieces
    return (Piece(words, escape(words)),) if words else ()
