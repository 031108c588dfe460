"""A report as Markdown: the same words and tables, no charts, every text escaped."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from bleuscope.content.report.parts import (
    Block,
    Charts,
    Code,
    Drawn,
    Heading,
    SegmentCard,
    Table,
    Tables,
    Words,
    Written,
)
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.values import STAR, is_text, page_fields, page_texts
from bleuscope.content.significance.significance_tables import Matrix, p_line
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.sentences import escaped, guarded

Looks = Mapping[str, SystemStyle]

FENCE = re.compile(r"`+")


def markdown_report(report: Written) -> str:
    """The whole text, the same for the same report."""
    pieces = [f"# {escaped(report.title)}"]
    pieces += [_line(report.options.date)] if report.options.date else []
    pieces += [_with_breaks(report.options.remarks)] if report.options.remarks.strip() else []
    pieces += [" · ".join(f"{name}: {value}" for value, name in report.facts)]
    for section in report.sections:
        pieces += [f"## {section.title}"]
        pieces += [piece for block in section.blocks for piece in _written(block, report.looks)]
    return "\n\n".join(pieces) + "\n"


def _written(block: Block, looks: Looks) -> list[str]:  # noqa: PLR0911  # one for each kind
    if isinstance(block, Heading):
        return [f"### {escaped(block.text)}"]
    if isinstance(block, Words):
        return [block.said.markdown()]
    if isinstance(block, Table):
        return [_matrix(block.sheet, looks) if block.is_matrix else _sheet(block.sheet, looks)]
    if isinstance(block, Drawn):
        return [_sheet(block.sheet, looks)]
    if isinstance(block, Tables):
        return [piece for one in block.tables for piece in (f"### {escaped(one.title)}", _sheet(one.sheet, looks))]
    if isinstance(block, Code):
        return [f"{escaped(block.title)}:", _fenced(block.text)]
    if isinstance(block, Charts):
        pairs = [(f"**{escaped(chart.alt)}**", _sheet(chart.data.sheet, looks)) for chart in block.charts]
        return [piece for pair in pairs for piece in pair]
    return _segment(block)


def _sheet(sheet: Sheet, looks: Looks) -> str:
    """A table as pages show it."""
    shown = page_fields(sheet)
    columns = [[escaped(text) for text in _texts(sheet, one, looks)] for one in shown]
    heads = [escaped(one.page_heading) for one in shown]
    return _table([heads, *zip(*columns, strict=True)], [not is_text(one) for one in shown])


def _texts(sheet: Sheet, one: Field, looks: Looks) -> list[str]:
    """The cells of a column, a mark behind its value."""
    if one.names_system:
        return [_numbered(name, looks) for name in sheet.frame[one.key]]
    return page_texts(sheet, one, mark=" ")


def _matrix(sheet: Sheet, looks: Looks) -> str:
    """Pairs of systems as rows and columns."""
    matrix = Matrix.of(sheet)
    rows = [["", *(str(looks[name].number) for name in matrix.systems)]]
    for row in matrix.systems:
        pairs = [matrix.cells.get((row, column)) for column in matrix.systems]
        cells = ["" if one is None else f"{numbers.difference(one[0])} {p_line(one[1])}" for one in pairs]
        marks = [f" {STAR}" if one is not None and one[1].is_marked else "" for one in pairs]
        rows.append([_numbered(row, looks), *(cell + mark for cell, mark in zip(cells, marks, strict=True))])
    return _table([[escaped(cell) for cell in row] for row in rows], [False] + [True] * len(matrix.systems))


def _numbered(name: str, looks: Looks) -> str:
    return f"{looks[name].number} {name}"


def _segment(card: SegmentCard) -> list[str]:
    facts = [f"{escaped(name)} {value}" for value, name in card.facts]
    facts += [f"tag: {escaped(card.tag)}"] if card.tag else []
    rows = [[escaped(name), score, _cell(text)] for name, score, text in card.texts]
    pieces = [f"#### {escaped(card.title)}"]
    pieces += [" · ".join(facts)] if facts else []
    pieces += [_with_breaks(f"Note: {card.note}")] if card.note else []
    return [*pieces, _table([["", "BLEU", "text"], *rows], [False, True, False])]


def _cell(text: str | None) -> str:
    if text is None:
        return "*none*"
    return escaped(text) or "*empty*"


def _with_breaks(text: str) -> str:
    """Lines stay lines, and paragraphs paragraphs."""
    by_filled = groupby(text.strip().splitlines(), lambda line: bool(line.strip()))
    paragraphs = [[_line(line) for line in lines] for is_filled, lines in by_filled if is_filled]
    return "\n\n".join("\\\n".join(lines) for lines in paragraphs)


def _line(text: str) -> str:
    """A text as a line of its own."""
    return guarded(escaped(text))


def _fenced(text: str) -> str:
    longest = max((len(run) for run in FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.replace(chr(0), '␀')}\n{fence}"


def _table(rows: Sequence[Sequence[str]], is_right: Sequence[bool]) -> str:
    head, *body = rows
    rule = ["---:" if right else ":---" for right in is_right]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))
