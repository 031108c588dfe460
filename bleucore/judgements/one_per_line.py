"""One number a line, or the three that ``bert-score -s`` writes: of one system, in the order of the test set."""

import re

from bleucore.formats import decoding
from bleucore.formats.names import stem
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Row
from bleucore.written_numbers import counted

_BERT_SCORE = re.compile(r"\S+ P: [0-9.]+ R: [0-9.]+ F1: [0-9.]+")
_TITLES = ("BERTScore F1", "BERTScore precision", "BERTScore recall")
_PLACES = (2, 0, 1)
_NUMBER = re.compile(r"\s*[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*")
_LOOKED_AT = 20


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first lines are numbers, or the first is that of ``bert-score``."""
    lines = text[: 1 << 12].split("\n")
    return _BERT_SCORE.match(lines[0]) is not None or all(map(_NUMBER.fullmatch, lines[:-1][:_LOOKED_AT] or lines))


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The scores, of a system that the file does not name; of ``bert-score`` F1, precision and recall.

    Raises:
        InputError: A line is no number, or not three.
    """
    lines = decoding.lines_of(file, text)
    if not _BERT_SCORE.match(lines[0]):
        return (_judgements(stem(file), file, lines, 1),)
    columns: list[list[str]] = [[], [], []]
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split()
        if len(cells) != len(columns):
            raise Place(file, number).refusal(
                "the line is not made of three numbers",
                found=counted(len(cells), "word"),
                expected="precision, recall and F1",
                remedy="Load the file as bert-score -s wrote it.",
            )
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    return tuple(_judgements(title, file, columns[place], 2) for title, place in zip(_TITLES, _PLACES, strict=True))


def _judgements(name: str, file: str, written: list[str], first_line: int) -> Judgements:
    rows = tuple(
        Row(first_line + index, "", index, value=fields.number(Place(file, first_line + index), "score", one))
        for index, one in enumerate(written)
    )
    return Judgements(name, file, "scores", rows, first_number=0, block_sizes={"": len(rows)})
