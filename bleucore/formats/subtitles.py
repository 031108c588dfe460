"""Subtitles -> a text for each cue: SRT, WebVTT, SBV, ASS, LRC."""

import re
from collections.abc import Sequence

from bleucore.formats import decoding
from bleucore.formats.columns import Column
from bleucore.formats.line_reading import LineFormat, column_of, lines_in, nothing_in, odd_line

_FEW = 3
_STYLE = re.compile(r"</?(?:(?:[ibu]|font|c|v|ruby|rt)(?:[\s.][^<>]*)?|\d\d:[\d:.]{5,12})>", re.IGNORECASE)
_OVERRIDE = re.compile(r"\{[^{}]*\}")
_SBV = re.compile(r"(\d{1,2}:\d{2}:\d{2}\.\d{3}),\d{1,2}:\d{2}:\d{2}\.\d{3}")
_LRC = re.compile(r"\s*\[(\d{1,3}:\d{2}[.:]\d{2,3})\]")
_LRC_TAG = re.compile(r"\[[a-z]{2,6}:[^\[\]]*\]", re.IGNORECASE)
_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_CUE = re.compile(rf"\s*({_TIME})\s*-->\s*{_TIME}")
_SRT = re.compile(rf"\s*\d+[ \t]*\r?\n\s*{_TIME}\s*-->\s*{_TIME}")


def _is_subtitles(head: str) -> bool:
    return head.startswith("WEBVTT") or _SRT.match(head) is not None


def _cues(file: str, text: str) -> Sequence[Column]:
    """The text of each cue in one line; cues of several files belong together by the time at which they begin."""
    texts: list[str] = []
    begins: list[str] = []
    lines, is_of_web = decoding.lines_of(file, text), text.startswith("WEBVTT")
    places = [number for number, line in enumerate(lines) if _CUE.match(line)]
    for place, following in zip(places, [*places, len(lines)][1:], strict=True):
        body = lines[place + 1 : following]
        if is_of_web:  # remarks, styles and names of cues stand behind a blank line
            body = body[: next((number for number, line in enumerate(body) if not line.strip()), None)]
        elif following < len(lines) and body and body[-1].strip().isdecimal():
            body.pop()  # the number of the next cue
        begin = _CUE.match(lines[place])
        begins.append("" if begin is None else _milliseconds(begin[1]))
        texts.append(_without_styles(" ".join(line.strip() for line in body if line.strip())))
    if not texts:
        raise nothing_in(file, "subtitle file", "cue")
    return [column_of(file, texts, begins, _said(file, len(texts)))]


def _milliseconds(written: str) -> str:
    *larger, seconds = written.replace(",", ".").split(":")
    total = 0
    for part in larger:
        total = 60 * total + int(part)
    whole, _, rest = seconds.partition(".")
    return str((60 * total + int(whole)) * 1000 + int(rest.ljust(3, "0")[:3]))


def _without_styles(text: str) -> str:
    return _STYLE.sub("", text)


def _is_sbv(head: str) -> bool:
    lines = lines_in(head)
    return bool(lines) and _SBV.fullmatch(lines[0].strip()) is not None


def _sbv(file: str, text: str) -> Sequence[Column]:
    """The captions of YouTube: two times in a line, then the text."""
    texts: list[str] = []
    begins: list[str] = []
    for line in decoding.lines_of(file, text):
        match = _SBV.fullmatch(line.strip())
        if match is not None:
            begins.append(_milliseconds(match[1]))
            texts.append("")
        elif line.strip() and texts:
            texts[-1] = f"{texts[-1]} {line.strip()}".strip()
    return [column_of(file, texts, begins, _said(file, len(texts)))]


def _said(file: str, n_cues: int) -> str:
    return f"{file}: read as subtitles; times and numbers of {n_cues:,} cues are no part of the texts."


def _is_ass(head: str) -> bool:
    return head[:200].lstrip().lower().startswith("[script info]")


def _ass(file: str, text: str) -> Sequence[Column]:
    """The dialogue of Advanced SubStation Alpha, in the order of its lines."""
    n_fields, texts, begins = 10, list[str](), list[str]()
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        kind, _, rest = line.partition(":")
        if kind.strip().lower() == "format":
            n_fields = len(rest.split(","))
        elif kind.strip().lower() == "dialogue":
            fields = rest.split(",", n_fields - 1)
            if len(fields) < n_fields or n_fields < 2:  # noqa: PLR2004  # a layer, and the time at which it begins
                raise odd_line(file, number, line, f"{n_fields:,} fields, as the line Format names them")
            begins.append(fields[1].strip())
            texts.append(_OVERRIDE.sub("", fields[-1]).replace(r"\N", " ").replace(r"\n", " ").strip())
    if not texts:
        raise nothing_in(file, "subtitle file", "line Dialogue")
    return [column_of(file, texts, begins, _said(file, len(texts)))]


def _is_lrc(head: str) -> bool:
    lines = lines_in(head)
    timed = [line for line in lines if _LRC.match(line)]
    return len(timed) >= _FEW and all(_LRC.match(line) or _LRC_TAG.fullmatch(line.strip()) for line in lines)


def _lrc(file: str, text: str) -> Sequence[Column]:
    """Lines with a time in brackets before each."""
    found: list[tuple[str, str]] = []
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        match = _LRC.match(line)
        if match is not None:
            found.append((_milliseconds(match[1]), line[match.end() :].strip()))
        elif line.strip() and not _LRC_TAG.fullmatch(line.strip()):
            raise odd_line(file, number, line, "[00:12.50] and a text")
    texts, begins = [one[1] for one in found], [one[0] for one in found]
    return [column_of(file, texts, begins, _said(file, len(texts)))]


SUBTITLES = (
    LineFormat("subtitles", _is_subtitles, _cues),
    LineFormat("captions of YouTube", _is_sbv, _sbv),
    LineFormat("SubStation Alpha", _is_ass, _ass),
    LineFormat("lyrics", _is_lrc, _lrc),
)
