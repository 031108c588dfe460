"""Sheets as Markdown: tables of GitHub's kind, every text escaped."""

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import STAR, Cell, is_text, legend, read_columns, read_fields
from bleuscope.content.style.markdown_escapes import escaped


def markdown_text(sheet: Sheet) -> str:
    """The table, and its caption as a paragraph beneath."""
    columns = read_columns(sheet)
    heading = [escaped(one.heading) for one in read_fields(sheet)]
    rule = [":---" if is_text(one) else "---:" for one in read_fields(sheet)]
    rows = [[_cell(cell) for cell in row] for row in zip(*columns, strict=True)]
    lines = ["| " + " | ".join(line) + " |" for line in (heading, rule, *rows)]
    return "\n".join(lines) + f"\n\n{escaped(sheet.caption + legend(sheet, is_bold=True))}\n"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    return (f"**{text}**" if cell.is_best and text else text) + (f"\\{STAR}" if cell.is_marked else "")
