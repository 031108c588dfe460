"""Sheets as Markdown: tables of GitHub's kind, every text escaped."""

import re

from dashboard.content.invisible import sign
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.sheets.values import STAR, Cell, is_text, legend, read_columns, read_fields

SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$#!:@^{}]|(?<=www)\.)")
"""What Markdown, its tables, links that need no brackets, mentions, formulas or HTML could be made of."""
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
BLANKS = re.compile(r"\s+")


def markdown_text(sheet: Sheet) -> str:
    """The table, and its caption as a paragraph beneath."""
    columns = read_columns(sheet)
    heading = [escaped(one.heading) for one in read_fields(sheet)]
    rule = [":---" if is_text(one) else "---:" for one in read_fields(sheet)]
    rows = [[_cell(cell) for cell in row] for row in zip(*columns, strict=True)]
    lines = ["| " + " | ".join(line) + " |" for line in (heading, rule, *rows)]
    return "\n".join(lines) + f"\n\n{escaped(sheet.caption + legend(sheet, is_bold=True))}\n"


def escaped(text: str) -> str:
    """A text on one line that reads in Markdown as it is written."""
    line = CONTROL.sub(lambda found: sign(found.group()), BLANKS.sub(" ", text).strip())
    return SPECIAL.sub(r"\\\1", line)


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    return (f"**{text}**" if cell.is_best and text else text) + (f"\\{STAR}" if cell.is_marked else "")
