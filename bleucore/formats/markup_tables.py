"""Tables in the markup of documents -> columns: Markdown, LaTeX."""

import re
from collections.abc import Sequence

from bleucore.errors import InputError
from bleucore.formats import decoding, tables
from bleucore.formats.columns import Column
from bleucore.formats.line_reading import LineFormat, lines_in
from bleucore.formats.table_rows import Row
from bleucore.values import shown

_FEW = 3
_TABULAR = re.compile(r"^[ \t]{0,20}\\begin\{(?:tabular|longtable|tabularx)[*]?\}", re.MULTILINE)
_RULE = re.compile(r":?-+:?")


def _is_markdown(head: str) -> bool:
    lines = lines_in(head)
    return len(lines) >= _FEW and all("|" in line for line in lines[:_FEW]) and _is_rule(lines[1])


def _is_rule(line: str) -> bool:
    """Whether a line parts the titles of a table from its rows."""
    return all(_RULE.fullmatch(cell.strip()) for cell in line.strip().strip("|").split("|"))


def _markdown(file: str, text: str) -> Sequence[Column]:
    """A table of Markdown."""
    rows: list[Row] = []
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        if line.strip() and not (len(rows) == 1 and _is_rule(line)):
            inside = line.strip().removeprefix("|")
            inside = inside[:-1] if inside.endswith("|") and not inside.endswith(r"\|") else inside
            cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inside)]
            rows.append(Row(number, number + 1, cells))
    return tables.columns_of_rows(file, iter(rows), header=True)


def _is_latex(head: str) -> bool:
    return "\\begin{" in head and _TABULAR.search(head) is not None


def _latex(file: str, _text: str) -> Sequence[Column]:
    raise InputError(
        "LaTeX tables are not supported",
        where=file,
        found=r"\begin{tabular}",
        expected="TSV, CSV or a workbook",
        remedy="Save the table as CSV with the program that wrote it.",
    )


def _is_program(head: str) -> bool:
    start, end = head[:2], head.rstrip()[-2:]
    is_list = start in ("['", '["') and end in ("']", '"]') and "\n" not in head.strip()
    return is_list or head.lstrip().startswith(("<?php", "#!/"))


def _program(file: str, text: str) -> Sequence[Column]:
    raise InputError(
        "this is program code, not a text",
        where=file,
        found=shown(text.lstrip().partition("\n")[0]),
        expected="the texts themselves",
        remedy="Export the texts, as JSON with a key for each.",
    )


MARKUP_TABLES = (
    LineFormat("program", _is_program, _program),
    LineFormat("table of Markdown", _is_markdown, _markdown),
    LineFormat("table of LaTeX", _is_latex, _latex),
)
