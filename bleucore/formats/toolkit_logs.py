"""Logs of toolkits of translation -> columns: fairseq, OpenNMT, lists of several outputs, alignments."""

import re
from collections.abc import Sequence

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.line_reading import LineFormat, column_of, lines_in, nothing_in, odd_line
from bleucore.formats.names import stem
from bleucore.values import shown

_FEW = 3
_SCORED = re.compile(
    r" \|\|\| (?:[\w.-]{1,30}= )?[-+\d.e= \w]{0,400}\d(?: \|\|\| -?[\d.e+-]{1,30})?\s{0,9}", re.IGNORECASE
)
"""Features and a score, as all that stands behind the text."""
_OPENNMT = re.compile(r"^(SENT|PRED|GOLD) (\d{1,15}): ?(.*)$", re.MULTILINE)
_WER = re.compile(r"^(\S+), %WER \d", re.MULTILINE)
_TOOLKIT = re.compile(r"([STHDPAEIR])-(\d{1,15})\t(.*)", re.DOTALL)
_MARIAN = re.compile(
    r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\](?: \[\w{1,20}\])? Best translation (\d{1,15}) : ?(.*)$", re.MULTILINE
)
_NBEST = re.compile(r"\s*(\d{1,15}) \|\|\| (.*?) ?\|\|\|(?: |$)")


def _is_toolkit(head: str) -> bool:
    lines = lines_in(head)
    letters = [match[1] for line in lines if (match := _TOOLKIT.fullmatch(line))]
    is_whole = {"H", "D"} & {*letters} and {"S", "T", "P"} & {*letters}
    return len(letters) >= min(_FEW, max(1, len(lines))) and bool(
        is_whole or ({*letters} <= {"H", "D"} and len(letters) == len(lines))
    )


def _toolkit(file: str, text: str) -> Sequence[Column]:
    """What fairseq wrote: sources, references and outputs, in the order of their numbers."""
    by_letter: dict[str, dict[int, str]] = {}
    n_further = 0
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        match = _TOOLKIT.fullmatch(line)
        if match is None or match[1] in "PAEIR":
            continue
        letter, index, rest = match[1], int(match[2]), match[3]
        if letter in "HD":
            score, tab, rest = rest.partition("\t")
            if not tab:
                raise InputError(
                    "an output has no score before it",
                    where=file,
                    line=number,
                    found=shown(score),
                    expected="H-0, a score and the text, with tabs between them",
                    remedy="Load the file as fairseq-generate wrote it.",
                )
        found = by_letter.setdefault(letter, {})
        n_further += index in found and letter in "HD"
        found.setdefault(index, rest)
    outputs = by_letter.get("D") or by_letter.get("H") or {}
    ids = sorted({index for found in by_letter.values() for index in found})
    columns: list[Column] = []
    notices = [f"{file}: read as the log of fairseq-generate, put into the order of its numbers."]
    notices += (
        [f"{file}: the first of several outputs of a segment was read, {n_further:,} more left out."]
        if n_further
        else []
    )
    parts: tuple[tuple[dict[int, str], str, Role], ...] = (
        (by_letter.get("S", {}), "source", "source"),
        (by_letter.get("T", {}), "reference", "reference"),
        (outputs, stem(file), "hypothesis"),
    )
    for part, name, role in parts:
        if not part:
            continue
        missing = next((index for index in ids if index not in part), None)
        if missing is not None:
            raise InputError(
                "a line is missing",
                where=file,
                found=f"no {name} number {missing:,}",
                expected="each number once for source, reference and output",
                remedy="Load the complete log.",
            )
        said = notices if role == "hypothesis" else []
        columns.append(column_of(file, [part[index] for index in ids], [*map(str, ids)], *said, name=name, role=role))
    return columns


def _is_nbest(head: str) -> bool:
    lines = lines_in(head)
    numbers = [int(match[1]) for line in lines if (match := _NBEST.match(line))]
    return len(numbers) == len(lines) > 0 and numbers == sorted(numbers)


def _nbest(file: str, text: str) -> Sequence[Column]:
    """The best of each list; scores and features are no texts."""
    best: dict[int, str] = {}
    n_lines = 0
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        if not line.strip():
            continue
        match = _NBEST.match(line)
        if match is None:
            raise odd_line(file, number, line, "number ||| text ||| features ||| score")
        best.setdefault(int(match[1]), match[2])
        n_lines += 1
    numbers = sorted(best)
    said = f"{file}: read as n-best lists, the first of {n_lines / len(best):.0f} outputs of each segment."
    return [column_of(file, [best[number] for number in numbers], [*map(str, numbers)], said)]


def _is_scored(head: str) -> bool:
    """Whether each line is a text, features and a score, as Marian and Moses write the best output alone."""
    lines = lines_in(head)
    return len(lines) >= _FEW and all(_before_scores(line) is not None for line in lines)


def _before_scores(line: str) -> str | None:
    """The text before the last features and score; ``None`` for a line without them."""
    text, mark, rest = line.rpartition(" ||| ")
    before, earlier, features = text.rpartition(" ||| ")
    if earlier and _SCORED.fullmatch(f"{earlier}{features}{mark}{rest}"):
        return before.strip()
    return text.strip() if mark and _SCORED.fullmatch(f"{mark}{rest}") else None


def _scored(file: str, text: str) -> Sequence[Column]:
    """The texts before features and scores."""
    texts: list[str] = []
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        before = _before_scores(line)
        if before is None:
            raise odd_line(file, number, line, "text ||| features ||| score")
        texts.append(before)
    return [column_of(file, texts, None, f"{file}: features and scores behind ||| are no part of the texts.")]


def _is_parted(head: str) -> bool:
    """Whether each line holds as many texts with bars between, as aligners take sources and targets."""
    numbers = {line.count(" ||| ") for line in lines_in(head)}
    return len(numbers) == 1 and numbers != {0} and len(lines_in(head)) >= _FEW


def _parted(file: str, text: str) -> Sequence[Column]:
    """The texts of each line, a column for each place."""
    lines = [line.split(" ||| ") for line in decoding.lines_of(file, text)]
    while len(lines) > 1 and lines[-1] == [""]:
        lines.pop()
    for number, cells in enumerate(lines, start=1):
        if len(cells) != len(lines[0]):
            raise odd_line(file, number, " ||| ".join(cells), f"{len(lines[0]):,} texts with ||| between them")
    refuse_excess(file, len(lines) * len(lines[0]), len(lines[0]))
    said = f"{file}: read as {len(lines[0]):,} texts in each line, with ||| between them."
    return [
        Column(file, f"column {place}", None, texts, None, 1, (said,), is_cell=True)
        for place, texts in enumerate(zip(*lines, strict=True), start=1)
    ]


def _is_opennmt(head: str) -> bool:
    return "PRED SCORE:" in head and len(_OPENNMT.findall(head)) >= 2  # noqa: PLR2004  # a source and an output


def _opennmt(file: str, text: str) -> Sequence[Column]:
    """What OpenNMT writes with -verbose: outputs, and references where it has them."""
    by_kind: dict[str, dict[int, str]] = {"PRED": {}, "GOLD": {}}
    for match in _OPENNMT.finditer(text):
        if match[1] in by_kind:
            by_kind[match[1]].setdefault(int(match[2]), match[3].strip())
    ids = sorted(by_kind["PRED"])
    if not ids:
        raise nothing_in(file, "log of OpenNMT", "line PRED")
    said = f"{file}: read as a log of OpenNMT, put into the order of its numbers."
    columns = [column_of(file, [by_kind["PRED"][one] for one in ids], [*map(str, ids)], said, role="hypothesis")]
    if by_kind["GOLD"].keys() == by_kind["PRED"].keys():
        texts = [by_kind["GOLD"][one] for one in ids]
        columns.insert(0, column_of(file, texts, [*map(str, ids)], name="reference", role="reference"))
    return columns


def _is_wer(head: str) -> bool:
    return ", %WER " in head and bool(_WER.search(head))


def _wer(file: str, text: str) -> Sequence[Column]:
    """Reference and output of each utterance from an alignment of words: "<eps>" stands where one has no word."""
    keys: list[str] = []
    texts: tuple[list[str], list[str]] = ([], [])
    lines = decoding.lines_of(file, text)
    for number, line in enumerate(lines):
        match = _WER.match(line)
        if match is None:
            continue
        if number + 3 >= len(lines):
            raise odd_line(file, number + 1, line, "three lines with reference, operations and output")
        keys.append(match[1])
        for found, aligned in zip(texts, (lines[number + 1], lines[number + 3]), strict=True):
            words = [word.strip() for word in aligned.split(" ; ")]
            found.append(" ".join(word for word in words if word != "<eps>"))
    said = f"{file}: read as an alignment of words; reference and output were put together from it."
    return [
        column_of(file, texts[0], keys, name="reference", role="reference"),
        column_of(file, texts[1], keys, said, role="hypothesis"),
    ]


def _is_marian(head: str) -> bool:
    return bool(_MARIAN.search(head))


def _marian(file: str, text: str) -> Sequence[Column]:
    """The best translation of each segment, as the decoder of Marian reports it."""
    found = {int(match[1]): match[2] for match in _MARIAN.finditer(text)}
    numbers = sorted(found)
    said = f"{file}: read as the log of marian-decoder, put into the order of its numbers."
    return [column_of(file, [found[number] for number in numbers], [*map(str, numbers)], said)]


TOOLKIT_LOGS = (
    LineFormat("log of fairseq", _is_toolkit, _toolkit),
    LineFormat("n-best lists", _is_nbest, _nbest),
    LineFormat("texts with scores", _is_scored, _scored),
    LineFormat("texts with bars between", _is_parted, _parted),
    LineFormat("log of OpenNMT", _is_opennmt, _opennmt),
    LineFormat("log of Marian", _is_marian, _marian),
    LineFormat("alignment of words", _is_wer, _wer),
)
