"""Tables in the markup of documents -> columns: Markdown, web pages, LaTeX."""

import html
import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore.errors import InputError
from bleucore.formats import decoding, tables
from bleucore.formats.columns import Column
from bleucore.formats.line_reading import LineFormat, lines_in
from bleucore.formats.table_rows import Row
from bleucore.values import shown
from bleucore.written_numbers import count_of

_TABULAR = re.compile(r"^[ \t]{0,20}\\begin\{(?:tabular|longtable|tabularx)[*]?\}", re.MULTILINE)
_RULE = re.compile(r":?-+:?")
_TAG = re.compile(r"/?[A-Za-z]\w{0,20}")
_HIDDEN = frozenset({"script", "style"})
_AROUND_CELLS = frozenset({"table", "/table", "tr", "/tr", "/td", "/th"})
_BREAKS = frozenset({"br", "p", "/p", "div", "/div", "li"})
_LEAST_ROWS, _LEAST_CELLS = 3, 2


def _is_markdown(head: str) -> bool:
    """Whether there is a table, and most lines are in it: a title or a sentence may stand around it."""
    lines = lines_in(head)
    start = _start_of(lines)
    return start is not None and 2 * sum("|" in line for line in lines[start:]) > len(lines)


def _start_of(lines: Sequence[str]) -> int | None:
    """The place of the titles of the first table; ``None`` where there is none."""
    return next(
        (place for place in range(len(lines) - 2) if "|" in lines[place] and _is_below_titles(lines, place)), None
    )


def _is_below_titles(lines: Sequence[str], place: int) -> bool:
    return "|" in lines[place + 1] and "|" in lines[place + 2] and _is_rule(lines[place + 1])


def _is_rule(line: str) -> bool:
    """Whether a line parts the titles of a table from its rows."""
    return all(_RULE.fullmatch(cell.strip()) for cell in line.strip().strip("|").split("|"))


def _markdown(file: str, text: str) -> Sequence[Column]:
    """A table of Markdown, without what stands around it.

    Raises:
        InputError: There are several tables.
    """
    numbered = [(number, line) for number, line in enumerate(decoding.lines_of(file, text), start=1) if line.strip()]
    lines = [line for _, line in numbered]
    start = _start_of(lines) or 0
    end = next((place for place in range(start, len(lines)) if "|" not in lines[place]), len(lines))
    if _start_of(lines[end:]) is not None:
        raise _several_tables(file, numbered[end][0])
    rows: list[Row] = []
    for number, line in (numbered[start], *numbered[start + 2 : end]):
        inside = line.strip().removeprefix("|")
        inside = inside[:-1] if inside.endswith("|") and not inside.endswith(r"\|") else inside
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inside)]
        rows.append(Row(number, number + 1, cells))
    columns = tables.columns_of_rows(file, iter(rows), header=True)
    n_around = len(lines) - (end - start)
    said = f"{file}: {count_of(n_around, 'line')} around the table left out."
    return [replace(one, notices=(*one.notices, said)) for one in columns] if n_around else columns


def _several_tables(file: str, line: int) -> InputError:
    return InputError(
        "the file holds several tables",
        where=file,
        line=line,
        found="another table after the first one",
        expected="one",
        remedy="Save each table as a file of its own.",
    )


def web_columns(file: str, text: str) -> Sequence[Column]:
    """The table of a web page, as documents and data frames are exported, without what stands around it.

    Raises:
        InputError: There is no table with texts, or there are several.
    """
    found = [rows for rows in _web_tables(text) if len(rows) >= _LEAST_ROWS and len(rows[0].cells) >= _LEAST_CELLS]
    if len(found) > 1:
        raise _several_tables(file, found[1][0].line)
    if not found:
        raise InputError(
            decoding.NO_TEXT,
            where=file,
            found="a web page",
            expected="text, or a page with a table of texts",
            remedy="Save its content as plain text in UTF-8, one segment per line, and load that file.",
        )
    return tables.columns_of_rows(file, iter(found[0]), header=None)


def _web_tables(text: str) -> list[list[Row]]:
    """The rows of each table; of what stands in a cell, the text."""
    found: list[list[tuple[int, list[list[str]]]]] = []
    cell: list[str] | None = None
    hidden, line = "", 1
    for piece in text.split("<"):
        name = _TAG.match(piece)
        tag = name[0].lower() if name is not None else ""
        after = piece.partition(">")[2]
        if hidden:
            hidden = "" if tag == f"/{hidden}" or (hidden == "--" and "-->" in piece) else hidden
        elif tag in _HIDDEN or (piece.startswith("!--") and "-->" not in piece):
            hidden = tag or "--"
        elif tag in _AROUND_CELLS:
            cell = None
            if tag == "table":
                found.append([])
            elif tag == "tr" and found:
                found[-1].append((line, []))
        elif tag in ("td", "th") and found and found[-1]:
            cell = [after]
            found[-1][-1][1].append(cell)
        elif cell is not None:
            cell.append(f" {after}" if tag in _BREAKS else after if tag or piece.startswith("!--") else f"<{piece}")
        line += piece.count("\n")
    return [
        [
            Row(line, line, [" ".join(html.unescape("".join(cell)).split()) for cell in cells])
            for line, cells in rows
            if cells
        ]
        for rows in found
    ]


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
