"""Faulty texts -> the same without the fault. ``None`` stands for a text that lost what nobody can put back.

Patterns are compiled where they are needed: all of them take as long as a check of a thousand lines.
"""

import html
import json
from typing import Final
from urllib.parse import unquote

import regex

from bleucore.checks import phrases

_MAX_CHARACTERS = 20_000
_LONGEST_UNIT, _LEAST_REPEATED_LETTERS = 200, 24
_MAX_ROUNDS = 3
"""Decodings of one text: what was read wrongly may have been so more than once."""

_REST_OF_OPENING = r"[^:：\n.!?。！？]{0,80}[:：\n]"
_OPENING_ENDS = (":", "：", "\n")
_LEFT_OF_OPENING = r"^[\s*_:：]+"
_NOTE_BEGINS = r"[\s(\[（【*_\-–—]*$"
_CLOSED_NOTE = r"^[([（【][^()\[\]（）【】]*[)\]）】]"

_ENTITY = r"& ?(quot|apos|amp|lt|gt|nbsp|#[0-9]{2,5}) ?;"
_CODE = r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\x([0-9a-fA-F]{2})"
_BACKSLASHED = r"\\([nrt\"'])"
_OF_BACKSLASHED = {"n": "\n", "r": "\n", "t": "\t", '"': '"', "'": "'"}
_PERCENT = r"(?:%[0-9A-F]{2}){2,}"

_FENCE = r"^(?:```|~~~)[a-zA-Z]*\n?|\n?(?:```|~~~)$"
_EMPHASIS = r"\*\*([^*\s][^*]*)\*\*|__([^_\s][^_]*[^_\s])__"
_WHOLE_EMPHASIS = r"^([*_])([^*_\s][^*_]*)\1$"
_LINE_MARK = r"^(?:#{1,6} |[*•+>·‣◦▪●○■–—-] |[•‣◦▪●○■]|\(?\d{1,4}[.)] )"
_TAG_OF_ANSWER = (
    r"(?i)</?(?:translation|translated|target|output|result|text|answer|response|think|de|en|fr|es|zh|ja|ru)>"
)
_CODE_SPAN = r"^`([^`]+)`([.。]?)$"
_QUOTES: Final = "\"“”„‟«»‹›「」『』《》〈〉＂'‘’‚‛`"
_QUOTED = rf"(?s)^(?:``|[{_QUOTES}])\s?(.*?)\s?(?:''|``|[{_QUOTES}])([.。]?)$"

_INLINE_TAG = r"(?i)</?(?:a|b|big|code|em|font|i|small|span|strong|style|sub|sup|tt|u)(?:\s[^<>]{0,200})?\s?/?>"
_TAG = rf"(?i)\s*(?:{phrases.HTML_TAG.removeprefix('(?i)')})\s*"

_LOST_PIECE = r"<unk>|<UNK>|⁇|\[UNK\]|<mask>|\[MASK\]"
_PIECE = (
    r" ?(?:<s>|\[INST\]|<pad>|<bos>|<2[a-z]{2,3}>|__[a-z]{2,3}__|<start_of_turn>(?:model\n)?|\[CLS\]|</?<SYS>>) ?"
    r"| ?(?:</s>|<(?:eos|sep|cls)>|\[(?:PAD|SEP)\]|\[/INST\]|<end_of_turn>|<extra_id_[0-9]{1,3}>)"
    r"|(?:<[|｜](?:im_start|start_header_id)[|｜]>(?:assistant|user|system)\s*)?<[|｜][A-Za-z0-9_▁]{1,40}[|｜]>\s*"
    r"|<\|im_start\|>(?:assistant|user|system)\s*|>>[a-z]{2,3}(?:_[A-Z][a-z]{3})?<< ?"
    r"|^[a-z]{2,3}_(?:[A-Z]{2}|[A-Z][a-z]{3})\s|\s[a-z]{2,3}_(?:[A-Z]{2}|[A-Z][a-z]{3})$"
)
_BYTE_TOKENS = r"(?:<0x[0-9A-Fa-f]{2}>)+"
_BRACKETS = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}"}
_BRACKET = r"(?:-(L[RSC]B)- ?| ?-(R[RSC]B)-)"
_TREEBANK_QUOTES = r"`` ([^`]{1,200}) ''"
_BLANK_TOO_MANY = (
    r"(?<=[\pL\pM\p{N}»”\"')\]%°]) (?=[,.!?;:،](?: |$))"
    r"|(?<=[\pL\p{N}]) (?=['’] ?(?:s|t|re|ve|ll|d|m)(?: |$))|(?<=\pL) (?=n't(?: |$))"
    r"|(?<=\() (?=[^()]{1,80} \))|(?<=\([^()]{1,81}) (?=\))"
    r"|(?<=[\pL\p{N}])\s(?=[，。、！？；：])|(?<=[，。、！？；：])\s(?=\p{Han})"
)
_CONTROL = r"[\x00-\x08\x0E-\x1F\x7F\x80-\x84\x86-\x9F]"
_LINE_END = r"\s*[\n\r\x0B\x0C\x85\u2028\u2029]+\s*"
_MISREAD = r"[\u0080-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2,}"


def without_preamble(text: str) -> str | None:
    """The text behind a beginning that is about the translation, or that names its language; or behind two of them."""
    rest = _behind_opening(text[:_MAX_CHARACTERS].strip())
    return None if rest is None else _behind_opening(rest) or rest


def _behind_opening(text: str) -> str | None:
    found = regex.search(phrases.PREAMBLE, text) or regex.search(phrases.LABEL, text)
    if found is None:
        return None
    end = found.end()
    if not found[0].endswith(_OPENING_ENDS) and (rest := regex.match(_REST_OF_OPENING, text, pos=end)):
        end = rest.end()
    return regex.sub(_LEFT_OF_OPENING, "", text[end:]) or None


def without_note(text: str) -> str | None:
    """The text before a note, and behind one in brackets; marks at the end of a sentence stay."""
    text = text[:_MAX_CHARACTERS].strip()
    found = regex.search(phrases.NOTE, text)
    if found is None:
        return None
    start = found.start() + (text[found.start()] in '.!?。！？…"”»')
    before = regex.sub(_NOTE_BEGINS, "", text[:start])
    note = text[len(before) :].lstrip()
    closed = regex.match(_CLOSED_NOTE, note)
    behind = note[closed.end() :].strip() if closed else ""
    return f"{before} {behind}".strip() or None


def unescaped(text: str) -> str:
    """Entities, codes, backslashes and percent signs as what they stand for."""
    text = html.unescape(regex.sub(_ENTITY, r"&\1;", text))
    text = regex.sub(_CODE, _coded, text)
    text = regex.sub(_BACKSLASHED, lambda found: _OF_BACKSLASHED[found[1]], text)
    return regex.sub(_PERCENT, lambda found: unquote(found[0]), text)


def without_markup(text: str) -> str:
    """The text without marks of Markdown, tags of answers or JSON around it."""
    text = regex.sub(_FENCE, "", _from_json(text.strip()))
    text = regex.sub(_EMPHASIS, lambda found: found[1] or found[2], regex.sub(_TAG_OF_ANSWER, "", text))
    text = regex.sub(_CODE_SPAN, r"\1\2", regex.sub(_LINE_MARK, "", text))
    return regex.sub(_WHOLE_EMPHASIS, r"\2", text).strip()


def without_tags(text: str) -> str:
    """The text without tags of HTML; one that ends a line leaves a blank."""
    return regex.sub(_TAG, " ", regex.sub(_INLINE_TAG, "", text)).strip()


def without_quotes(text: str) -> str | None:
    """The text without the quotation marks around it."""
    found = regex.match(_QUOTED, text.strip())
    return found[1] + found[2] if found and found[1] else None


def without_tokens(text: str) -> str | None:
    """The text without tokens of a model, and bytes as characters; nobody knows what an unknown word was."""
    if regex.search(_LOST_PIECE, text):
        return None
    text = regex.sub(_BYTE_TOKENS, _characters_of, text)
    return (
        None if regex.search(_BYTE_TOKENS, text) else regex.sub(phrases.ROLE, "", regex.sub(_PIECE, "", text)).strip()
    )


def _characters_of(found: "regex.Match[str]") -> str:
    """The characters that these bytes are in UTF-8; the tokens as they stand if they are none."""
    try:
        return bytes.fromhex(regex.sub(r"<0x|>", "", found[0])).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def joined(text: str) -> str:
    """The text with the pieces of its words put together."""
    if "▁" in text or "Ġ" in text:
        mark = "▁" if "▁" in text else "Ġ"
        return text.replace(f" {mark}", mark).replace(mark, " ").replace("Ċ", "\n").strip()
    return regex.sub(r"@@(?: |$)| ##(?=\p{Ll})|^##(?=\p{Ll})", "", text.replace(" @-@ ", "-").replace("@-@", "-"))


def detokenised(text: str) -> str:
    """The text without blanks that a tokenizer put before marks, and with brackets and quotes as they are written."""
    text = regex.sub(_BRACKET, lambda found: _BRACKETS[found[1] or found[2]], text)
    return regex.sub(_BLANK_TOO_MANY, "", regex.sub(_TREEBANK_QUOTES, r'"\1"', text))


def decoded(text: str) -> str | None:
    """The text as UTF-8 where its bytes were read as Latin-1 or Windows-1252; not where some of them are lost."""
    if "\ufffd" in text:
        return None
    for _ in range(_MAX_ROUNDS):
        better = regex.sub(_MISREAD, lambda found: _as_utf_8(found[0]), text)
        if better == text:
            break
        text = better
    return text


def without_controls(text: str) -> str:
    """The text without control characters."""
    return regex.sub(_CONTROL, "", text)


def on_one_line(text: str) -> str:
    """The text with a blank for each line end within it."""
    return regex.sub(_LINE_END, " ", text).strip()


def without_loop(text: str) -> str | None:
    """The text with once what it says over and over."""
    text = text[:_MAX_CHARACTERS].strip()
    words = text.split(" ")
    kept = _once(words, [word.strip(".,;:!?…").lower() for word in words]) if len(words) > 1 else None
    if kept is not None:
        return " ".join(kept)
    letters = _once(list(text), list(text), least=_LEAST_REPEATED_LETTERS if " " in text else 1)
    return None if letters is None else "".join(letters)


def _once(parts: list[str], compared: list[str], *, least: int = 1) -> list[str] | None:
    """The parts without those that the same ones follow again, where that takes most away; ``None`` without a loop."""
    n_parts, best = len(parts), (0, 0, 0)
    for unit in range(1, min(_LONGEST_UNIT, n_parts // 2) + 1):
        start = 0
        while start + unit < n_parts:
            if compared[start] != compared[start + unit]:
                start += 1
                continue
            stop = start
            while stop + unit < n_parts and compared[stop] == compared[stop + unit]:
                stop += 1
            n_said_again = (stop - start) // unit * unit
            if n_said_again > best[0] and n_said_again >= least:
                best = n_said_again, start, unit
            start = stop
    n_said_again, start, unit = best
    is_whole = 2 * unit == n_parts
    if n_said_again < 2 * unit and not is_whole:
        return None
    return parts[:start] + parts[start + n_said_again :]


def _coded(found: "regex.Match[str]") -> str:
    code = int(next(part for part in found.groups() if part), 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found[0]  # noqa: PLR2004


def _from_json(text: str) -> str:
    """The only text that an object holds; the text as it is where it is none."""
    if not text.startswith("{"):
        return text
    try:
        values = list(json.loads(text[:_MAX_CHARACTERS]).values())
    except (ValueError, AttributeError, RecursionError):
        return text
    return values[0] if len(values) == 1 and isinstance(values[0], str) else text


def _as_utf_8(text: str) -> str:
    try:
        read = b"".join(
            bytes([ord(one)]) if ord(one) < 0x100 else one.encode("cp1252")  # noqa: PLR2004
            for one in text
        )
        return read.decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text
