"""Sheets as LaTeX: tables with the rules of booktabs, every text escaped."""

import re
from collections.abc import Sequence

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import STAR, Cell, is_text, legend, read_columns, read_fields

COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}\allowbreak{}",  # signatures are long and hold no blank
    '"': r"\char34{}",  # babel gives the sign itself another meaning in some languages
    "'": r"{\char39}",  # as the sign for a quote, never two of them as one
    "`": r"\textasciigrave{}",
    "[": "{[}",  # else the end of a row before it takes it for a distance
    "]": "{]}",
    "*": "{*}",
    "-": "-{}",  # two hyphens stay two hyphens
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "Δ": r"$\Delta$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "\u2009": r"\,",
    "\u200a": r"\,",
    "\u202f": r"\,",
    "\u00a0": "~",
}
"""What LaTeX reads as something else, and our own signs, which pdfLaTeX does not know as characters."""
SPECIAL = re.compile("[" + re.escape("".join(COMMANDS)) + "]")
HYPHEN_WITHIN = re.compile(r"-\{\}(?!-)")
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
LONG = 40
MOST_OF_WIDTH = 0.6
"""Of a line, for all columns with long texts together."""
FEW_COLUMNS = 3
"""So few leave a single column with long texts all that room."""
GAP, COLUMN_WIDTH, PAGE_WIDTH = 2, 53, 112
"""Characters: between two columns, and on a line of a paper's column (85 mm) and page in small letters."""
FIRST_SENTENCE = re.compile(r"(.+?[.!?])(?: |$)(.*)", re.DOTALL)
BLANKS = re.compile(r"[ \t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")


def latex_text(sheet: Sheet) -> str:
    """A floating table: a caption of one sentence, label, tabular, and the other sentences as a note beneath.

    One that is wider than a column of a paper takes the page, and one wider than that is shrunk to it.
    """
    columns = read_columns(sheet)
    alignment = _alignment([is_text(one) for one in read_fields(sheet)], columns)
    heading = " & ".join(escaped(one.heading) for one in read_fields(sheet))
    rows = [" & ".join(_cell(cell) for cell in row) for row in zip(*columns, strict=True)]
    width = sum(_widths(sheet))
    fits = width <= PAGE_WIDTH
    packages = "booktabs" if fits else "booktabs,graphicx"
    environment = "table" if width <= COLUMN_WIDTH else "table*"
    caption, note = _caption_and_note(sheet.caption + legend(sheet, is_bold=True))
    return "\n".join(
        [
            rf"% Needs \usepackage{{{packages}}}; letters beyond those of Europe need XeLaTeX or LuaLaTeX.",
            rf"\begin{{{environment}}}",
            r"\centering",
            rf"\caption{{{escaped(caption)}}}",
            rf"\label{{tab:{re.sub('[^a-z0-9-]', '-', sheet.name.lower())}}}",
            r"\small\setlength{\tabcolsep}{4pt}",
            *([] if fits else [r"\resizebox{\linewidth}{!}{%"]),
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            rf"{heading} \\",
            r"\midrule",
            *(rf"{row} \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}" if fits else r"\end{tabular}}",
            *([rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {escaped(note)}}}"] if note else []),
            rf"\end{{{environment}}}",
            "",
        ]
    )


def keys_that_fit(sheet: Sheet) -> list[str]:
    """The columns, from the first on, that fit a column of a paper together; too wide ones are left out."""
    keys, room = [], COLUMN_WIDTH
    for one, width in zip(read_fields(sheet), _widths(sheet), strict=True):
        if width <= room:
            keys.append(one.key)
            room -= width
    return keys


def _widths(sheet: Sheet) -> list[int]:
    """How many characters each column takes, a long text as many as it breaks lines after."""
    return [
        GAP + max(len(one.heading), min(LONG, max((len(cell.text) for cell in cells), default=0)))
        for one, cells in zip(read_fields(sheet), read_columns(sheet), strict=True)
    ]


def _caption_and_note(text: str) -> tuple[str, str]:
    found = FIRST_SENTENCE.fullmatch(text)
    return (text, "") if found is None else (found[1], found[2])


def escaped(text: str) -> str:
    """A text on one line that LaTeX sets as it is written; characters that cannot be seen become their code points."""
    line = BLANKS.sub(" ", text).strip()
    line = SPECIAL.sub(lambda found: COMMANDS[found.group()], line)
    line = HYPHEN_WITHIN.sub("-", line)
    return CONTROL.sub(lambda found: f"{{[}}U+{ord(found.group()):04X}{{]}}", line)


def _alignment(are_texts: Sequence[bool], columns: Sequence[Sequence[Cell]]) -> str:
    """Texts to the left, numbers to the right; columns with long texts share what room there is, and break lines."""
    are_long = [
        is_so and max((len(cell.text) for cell in cells), default=0) > LONG
        for is_so, cells in zip(are_texts, columns, strict=True)
    ]
    share = MOST_OF_WIDTH / max(1 if len(are_texts) <= FEW_COLUMNS else 2, sum(are_long))
    long = rf"p{{{share:.2f}\linewidth}}"
    kinds = ("l" if is_so else "r" for is_so in are_texts)
    return "".join(long if is_long else kind for kind, is_long in zip(kinds, are_long, strict=True))


def _cell(cell: Cell) -> str:
    """A star takes no room, so that numbers stay in line."""
    text = escaped(cell.text)
    return (rf"\textbf{{{text}}}" if cell.is_best and text else text) + (
        rf"\rlap{{$^{{{STAR}}}$}}" if cell.is_marked else ""
    )
