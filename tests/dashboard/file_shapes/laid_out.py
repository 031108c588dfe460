"""Tables that are laid out for people: sheets, merged cells, systems in rows, totals, blocks of lines."""

import io
from collections.abc import Mapping, Sequence

import pandas as pd

from tests.dashboard.file_shapes.tables import CELLS, TITLES, workbook
from tests.dashboard.file_shapes.texts import REFERENCE, SOURCE, SYSTEMS, A, B, Files, N, lines_of, plain, table

BACK = [" ".join(reversed(text.split())) for text in lines_of("source")]


def sheets(rows: Mapping[str, Sequence[Sequence[object]]], merged: Mapping[str, str] | None = None) -> bytes:
    """A workbook of several sheets; of the first some cells are merged."""
    written = io.BytesIO()
    with pd.ExcelWriter(written) as writer:
        for number, (name, found) in enumerate(rows.items()):
            pd.DataFrame(found).to_excel(writer, sheet_name=name, index=False, header=False)
            for area, text in merged.items() if merged and not number else ():
                writer.sheets[name].merge_range(area, text)
    return written.getvalue()


def of_system(texts: Sequence[str]) -> list[list[str]]:
    return [["source", "reference", "output"], *([SOURCE[row], REFERENCE[row], texts[row]] for row in range(N))]


def totals(word: str, *scores: object) -> Files:
    """A table with scores of each output, and their mean under them."""
    titles = ["source", "reference", "a", "a_bleu", "b", "b_bleu"]
    rows = [[SOURCE[row], REFERENCE[row], A[row], 30.5 + row, B[row], 28.25 + row] for row in range(N)]
    return {"t.csv": table([titles, *rows, [word, "", "", *scores]])}


def blocks(heads: Sequence[str], texts: Sequence[Sequence[str]], between: str = "\n") -> bytes:
    return between.join(
        "".join(f"{head}{own[row]}\n" for head, own in zip(heads, texts, strict=True)) for row in range(N)
    ).encode()


SHAPES: dict[str, Files] = {
    "a sheet a system": {"t.xlsx": sheets({name: of_system(texts) for name, texts in SYSTEMS.items()})},
    "a sheet a system, a mean beneath": {
        "t.xlsx": sheets(
            {
                name: [
                    ["source", "reference", "output", "BLEU"],
                    *([SOURCE[row], REFERENCE[row], texts[row], 30.5 + row] for row in range(N)),
                    ["Average", "", "", 42],
                ]
                for name, texts in SYSTEMS.items()
            }
        )
    },
    "a sheet a system, a sheet of scores": {
        "t.xlsx": sheets(
            {
                "Summary": [["system", "BLEU"], ["a", 31.2], ["b", 29.8]],
                **{name: of_system(texts) for name, texts in SYSTEMS.items()},
            }
        )
    },
    "a sheet a system, one of references": {
        "t.xlsx": sheets(
            {
                "source": [["source"], *([text] for text in SOURCE)],
                "reference": [["reference"], *([text] for text in REFERENCE)],
                **{name: [["text"], *([text] for text in texts)] for name, texts in SYSTEMS.items()},
            }
        )
    },
    "merged titles": {
        "t.xlsx": sheets(
            {"Sheet1": [["", "", "systems", ""], TITLES, *CELLS]},
            {"C1:D1": "systems"},
        )
    },
    "merged titles above each system": {
        "t.xlsx": sheets(
            {
                "Sheet1": [
                    ["source", "reference", "a", None, "b", None],
                    [None, None, "text", "BLEU", "text", "BLEU"],
                    *([*cells[:3], 30.5, cells[3], 28.5] for cells in CELLS),
                ]
            },
            {"A1:A2": "source", "B1:B2": "reference", "C1:D1": "a", "E1:F1": "b"},
        )
    },
    "systems in rows": {
        "t.csv": table(
            [["system", *(f"seg{row + 1}" for row in range(N))], ["source", *SOURCE], ["reference", *REFERENCE]]
            + [[name, *texts] for name, texts in SYSTEMS.items()]
        )
    },
    "systems in rows, numbers above": {
        "t.tsv": table([["", *map(str, range(1, N + 1))], ["reference", *REFERENCE], ["a", *A], ["b", *B]], "\t")
    },
    "systems in rows of a workbook": {
        "t.xlsx": workbook([["", *range(1, N + 1)], ["reference", *REFERENCE], ["a", *A], ["b", *B]])
    },
    "systems in rows beneath a title": {
        "t.xlsx": workbook(
            [
                ["Results"] + [None] * N,
                ["system", *(f"Segment {row + 1}" for row in range(N))],
                ["Reference", *REFERENCE],
                ["a", *A],
                ["b", *B],
            ]
        )
    },
    "lines in turn": {
        "a.txt": blocks(["", "", ""], [SOURCE, REFERENCE, A], ""),
        "b.txt": blocks(["", "", ""], [SOURCE, REFERENCE, B], ""),
    },
    "lines in turn, two systems": {"all.txt": blocks(["", "", "", ""], [SOURCE, REFERENCE, A, B], "")},
    "lines in turn, blank lines between": {
        "a.txt": blocks(["", "", ""], [SOURCE, REFERENCE, A]),
        "b.txt": blocks(["", "", ""], [SOURCE, REFERENCE, B]),
    },
    "lines in turn, one missing": {
        "a.txt": blocks(["", "", ""], [SOURCE, REFERENCE, A], "").rpartition(A[-1].encode())[0]
    },
    "blocks": {
        f"{name}.txt": blocks(["SRC: ", "REF: ", "HYP: "], [SOURCE, REFERENCE, texts])
        for name, texts in SYSTEMS.items()
    },
    "blocks of two systems": {"all.txt": blocks(["SRC: ", "REF: ", "a: ", "b: "], [SOURCE, REFERENCE, A, B])},
    "blocks, names on lines of their own": {
        f"{name}.txt": blocks(["SRC:\n", "REF:\n", "HYP:\n"], [SOURCE, REFERENCE, texts])
        for name, texts in SYSTEMS.items()
    },
    "blocks with rules": {
        f"{name}.txt": blocks(["SRC: ", "REF: ", "HYP: "], [SOURCE, REFERENCE, texts], "-----\n")
        for name, texts in SYSTEMS.items()
    },
    "a back-translation": {
        "t.csv": table([[*TITLES, "back-translation"], *([*cells, BACK[row]] for row, cells in enumerate(CELLS))])
    },
    "back-translations of each": {
        "t.csv": table(
            [
                ["source", "reference", "a", "a_backtranslation", "b", "bt_b"],
                *([SOURCE[row], REFERENCE[row], A[row], SOURCE[row], B[row], BACK[row]] for row in range(N)),
            ]
        )
    },
    "a back-translation beside": {
        **{f"{name}.txt": plain(texts) for name, texts in {**SYSTEMS, "ref": REFERENCE, "src": SOURCE}.items()},
        "a.backtranslated.txt": plain(BACK),
    },
    "a mean beneath": totals("Average", 41.5, "", 39.25),
    "a mean beneath, in German": totals("Gesamt", "41,5", "", "39,25"),
    "a sum beneath": totals("∑", 996, "", 942),
    "an abbreviation beneath": totals("AVG.", "41.5", "", "39.25 %"),
    "a mean in words beneath": totals("Overall mean:", "41.5 ± 2.1", "", "39.25 ± 2"),
    "two rows beneath": {
        "t.csv": totals("Mean", 41.5, "", 39.25)["t.csv"] + table([["Std. dev.", "", "", 4.5, "", 3.5]])
    },
}
