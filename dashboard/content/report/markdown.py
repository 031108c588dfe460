"""A report as Markdown: the same words and tables, no charts, every text escaped."""

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from itertools import groupby

from markupsafe import Markup

from dashboard.content import numbers, tables
from dashboard.content.identity import Identity
from dashboard.content.report.parts import Block, Charts, Code, Heading, Report, SegmentCard, Table, Tables, Words
from dashboard.content.sheets import markdown
from dashboard.content.sheets.sheet import Field, Sheet
from dashboard.content.sheets.values import STAR, is_text, page_fields, read_column
from dashboard.content.significance_tables import Matrix, p_line

Looks = Mapping[str, Identity]

AT_START = re.compile(r"^([+\-](?=\s|$)|[=\-]+(?=\s*$)|\d+(?=[.)](?:\s|$)))")
"""What would make a list, or a heading of the line before."""
HARMLESS = re.compile(r"\\:(?=\s|$)")
"""A colon that ends a word begins neither a link nor an emoji."""
FENCE = re.compile(r"`+")


def markdown_report(report: Report) -> str:
    """The whole text, the same for the same report."""
    pieces = [f"# {escaped(report.title)}"]
    pieces += [_line(report.options.date)] if report.options.date else []
    pieces += [_with_breaks(report.options.remarks)] if report.options.remarks.strip() else []
    facts = tables.test_set_facts(report.study.test_set)
    pieces += [" · ".join(f"{name}: {value}" for value, name in facts)]
    for section in report.sections:
        pieces += [f"## {section.title}"]
        pieces += [piece for block in section.blocks for piece in _written(block, report.study.looks)]
    return "\n\n".join(pieces) + "\n"


def escaped(text: str) -> str:
    """A text on one line within a line, read as it is written."""
    return HARMLESS.sub(":", markdown.escaped(text))


def markdown_of(html: Markup) -> str:
    """Our own HTML (paragraphs, headings, emphasis) as Markdown."""
    reader = _Reader()
    reader.feed(str(html))
    reader.close()
    return reader.markdown()


def _written(block: Block, looks: Looks) -> list[str]:  # noqa: PLR0911  # one for each kind
    if isinstance(block, Heading):
        return [f"### {escaped(block.text)}"]
    if isinstance(block, Words):
        return [text for text in [markdown_of(block.html)] if text]
    if isinstance(block, Table):
        return [_matrix(block.sheet, looks) if block.is_matrix else _sheet(block.sheet, looks)]
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
    heads = [escaped(one.heading if one.on_pages is None else one.on_pages) for one in shown]
    return _table([heads, *zip(*columns, strict=True)], [not is_text(one) for one in shown])


def _texts(sheet: Sheet, one: Field, looks: Looks) -> list[str]:
    """The cells of a column, a mark behind its value."""
    if one.names_system:
        texts = [_numbered(name, looks) for name in sheet.frame[one.key]]
    else:
        texts = [f"{cell.text} {STAR}" if cell.is_marked else cell.text for cell in read_column(sheet, one)]
    return [one.notes[row].text if row in one.notes else text for row, text in enumerate(texts)]


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
    return _guarded(escaped(text))


def _guarded(line: str) -> str:
    return AT_START.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)


def _fenced(text: str) -> str:
    longest = max((len(run) for run in FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.replace(chr(0), '␀')}\n{fence}"


def _table(rows: Sequence[Sequence[str]], is_right: Sequence[bool]) -> str:
    head, *body = rows
    rule = ["---:" if right else ":---" for right in is_right]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))


class _Reader(HTMLParser):
    """Reads HTML of ours; what it does not know is read for its text."""

    MARKS = {"strong": "**", "em": "*"}  # noqa: RUF012  never changed
    APART = frozenset({"p", "div", "h3"})
    PIECES = frozenset({"bs-label", "bs-value"})
    """Parts of one line that stand beneath each other on the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._done: list[str] = []
        self._text = ""
        self._prefix = ""
        self._ends: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph, or emphasis."""
        if tag in self.APART:
            self._begin(tag, set((dict(attrs).get("class") or "").split()))
        self._text += self.MARKS.get(tag, "")

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self._text += self.MARKS.get(tag, " " if tag == "span" else "")
        if tag in self.APART:
            end = self._ends.pop()
            if end:
                self._text += end
            else:
                self._end_paragraph()

    def handle_data(self, data: str) -> None:
        """Take a text, with the blanks at its ends."""
        before, after = data[:1].isspace(), data[-1:].isspace()
        self._text += " " * before + escaped(data) + " " * after

    def markdown(self) -> str:
        """What was read."""
        self._end_paragraph()
        return "\n\n".join(self._done)

    def _begin(self, tag: str, classes: set[str]) -> None:
        is_piece = bool(classes & self.PIECES)
        self._ends.append(" · " if is_piece else "")
        if not is_piece and "bs-detail" not in classes:
            self._end_paragraph()
            self._prefix = "### " if tag == "h3" else ""

    def _end_paragraph(self) -> None:
        text = self._taken()
        if text:
            self._done.append(self._prefix + (text if self._prefix else _guarded(text)))
        self._prefix = ""

    def _taken(self) -> str:
        text, self._text = " ".join(self._text.split()), ""
        return text
