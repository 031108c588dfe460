"""Tables, whatever program wrote them."""

import io
from collections.abc import Sequence

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from tests.dashboard.file_shapes.texts import (
    ALL,
    REFERENCE,
    SHUFFLED,
    SOURCE,
    SYSTEMS,
    A,
    B,
    Files,
    N,
    plain,
    records_table,
    table,
    whole,
)

NAMES = "urn:oasis:names:tc:opendocument:xmlns"
TITLES = ["source", "reference", "a", "b"]
CELLS = [[SOURCE[row], REFERENCE[row], A[row], B[row]] for row in range(N)]
WIDE = pd.DataFrame(CELLS, columns=TITLES)
LONG = pd.DataFrame(
    [
        {"model": name, "id": row, "source": SOURCE[row], "reference": REFERENCE[row], "output": texts[row]}
        for name, texts in SYSTEMS.items()
        for row in range(N)
    ]
)


def parquet(value: object) -> bytes:
    written = io.BytesIO()
    pa.parquet.write_table(
        pa.Table.from_pylist(value) if isinstance(value, list) else pa.Table.from_pandas(value), written
    )
    return written.getvalue()


def arrow(frame: pd.DataFrame, *, is_stream: bool = False) -> bytes:
    written = io.BytesIO()
    found = pa.Table.from_pandas(frame, preserve_index=False)
    with (pa.ipc.new_stream if is_stream else pa.ipc.new_file)(written, found.schema) as sink:
        sink.write_table(found)
    return written.getvalue()


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    written = io.BytesIO()
    pd.DataFrame(rows).to_excel(written, index=False, header=False)
    return written.getvalue()


def ods(rows: Sequence[Sequence[object]]) -> bytes:
    import zipfile

    from tests.dashboard.file_shapes.texts import escaped

    body = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{escaped(str(cell))}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        f'xmlns:office="{NAMES}:office:1.0" xmlns:table="{NAMES}:table:1.0" xmlns:text="{NAMES}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Sheet1">{body}<table:table-row table:number-rows-repeated="99">'
        '<table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{NAMES}:manifest:1.0"/>',
        )
    return written.getvalue()


def sheet(rows: Sequence[Sequence[object]], name: str, data: bytes) -> Files:
    return {name: data}


MARKDOWN = (
    "| "
    + " | ".join(TITLES)
    + " |\n|---|:-:|---|---|\n"
    + "".join("| " + " | ".join(cells) + " |\n" for cells in CELLS)
)
LATEX = (
    "\\begin{tabular}{llll}\n"
    + " & ".join(TITLES)
    + " \\\\ \\hline\n"
    + "".join(" & ".join(cells) + " \\\\\n" for cells in CELLS)
    + "\\end{tabular}\n"
)

SHAPES: dict[str, Files] = {
    "CSV": {"t.csv": table([TITLES, *CELLS])},
    "CSV with index": {"t.csv": WIDE.to_csv().encode()},
    "semicolons": {"t.csv": table([TITLES, *CELLS], ";")},
    "tabs in a CSV": {"t.csv": table([TITLES, *CELLS], "\t")},
    "bars": {"t.csv": table([TITLES, *CELLS], "|")},
    "CSV as text": {"t.txt": table([TITLES, *CELLS])},
    "TSV as text": {"t.txt": ("\n".join("\t".join(row) for row in [TITLES, *CELLS]) + "\n").encode()},
    "sep line": {"t.csv": b"sep=;\n" + table([TITLES, *CELLS], ";")},
    "UTF-16": {"t.csv": table([TITLES, *CELLS]).decode().encode("utf-16")},
    "UTF-16 TSV": {"t.tsv": ("\r\n".join("\t".join(row) for row in [TITLES, *CELLS]) + "\r\n").encode("utf-16")},
    "BOM and CRLF": {"t.csv": b"\xef\xbb\xbf" + table([TITLES, *CELLS]).replace(b"\n", b"\r\n")},
    "BOM and CRLF, texts": {
        f"{name}.txt": b"\xef\xbb\xbf" + plain(texts).replace(b"\n", b"\r\n") for name, texts in ALL.items()
    },
    "rows above": {"t.csv": table([["Evaluation of January", "", "", ""], ["", "", "", ""], TITLES, *CELLS])},
    "two rows of titles": {"t.csv": table([["", "", "systems", "systems"], TITLES, *CELLS])},
    "an empty column": {"t.csv": table([[*TITLES, ""], *([*cells, ""] for cells in CELLS)])},
    "capital titles": {"t.csv": table([["Source", "Reference", "System: a", "System: b"], *CELLS])},
    "titles in words": {"t.csv": table([["Source text", "Human translation", "a", "b"], *CELLS])},
    "titles with languages": {"t.csv": table([["English", "German (reference)", "a", "b"], *CELLS])},
    "src, ref, mt": {"t.csv": table([["src", "ref", "a_mt", "b_mt"], *CELLS])},
    "names in quotes": {
        "t.tsv": (
            "\n".join("\t".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in [TITLES, *CELLS])
            + "\n"
        ).encode()
    },
    "numbers of lines": {"t.csv": table([["#", *TITLES], *([row + 1, *cells] for row, cells in enumerate(CELLS))])},
    "scores beside": {
        "t.csv": table(
            [
                [*TITLES, "a_bleu", "b_bleu", "domain"],
                *([*cells, 30.5 + row, 29.1 + row, ("news", "chat")[row % 2]] for row, cells in enumerate(CELLS)),
            ]
        )
    },
    "XLSX": {"t.xlsx": workbook([TITLES, *CELLS])},
    "XLSX with rows above": {
        "t.xlsx": workbook([["Results", None, None, None], ["2025", None, None, None], [None] * 4, TITLES, *CELLS])
    },
    "ODS": {"t.ods": ods([TITLES, *CELLS])},
    "Markdown": {"t.md": MARKDOWN.encode()},
    "Markdown beside nothing": {"t.txt": MARKDOWN.encode()},
    "LaTeX": {"t.tex": LATEX.encode()},
    "HTML": {"t.html": WIDE.to_html().encode()},
    "Parquet": {"t.parquet": parquet(WIDE)},
    "Parquet, long": {"t.parquet": parquet(LONG)},
    "Parquet, translation": {
        "test-00000-of-00001.parquet": parquet(
            [{"translation": {"en": SOURCE[row], "de": REFERENCE[row]}} for row in range(N)]
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "Parquet, lists": {
        "t.parquet": parquet(
            [{"source": SOURCE[row], "references": [REFERENCE[row]], "a": A[row], "b": B[row]} for row in range(N)]
        )
    },
    "Parquet, WMT24++": {
        "en-de.parquet": parquet(
            [
                {
                    "lp": "en-de",
                    "source": SOURCE[row],
                    "target": REFERENCE[row],
                    "original_target": B[row],
                    "segment_id": row,
                }
                for row in range(N)
            ]
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "Parquet in pieces": {
        "data/a-00000-of-00002.parquet": parquet(WIDE[: N // 2]),
        "data/a-00001-of-00002.parquet": parquet(WIDE[N // 2 :]),
    },
    "Arrow": {"t.arrow": arrow(WIDE)},
    "Arrow stream": {"data-00000-of-00001.arrow": arrow(WIDE, is_stream=True)},
    "Feather": {"t.feather": arrow(LONG)},
    "to_json records": {"t.json": WIDE.to_json(orient="records").encode()},
    "to_json columns": {"t.json": WIDE.to_json().encode()},
    "to_json index": {"t.json": WIDE.to_json(orient="index").encode()},
    "to_json split": {"t.json": WIDE.to_json(orient="split").encode()},
    "to_json table": {"t.json": WIDE.to_json(orient="table").encode()},
    "to_json lines": {"t.jsonl": WIDE.to_json(orient="records", lines=True).encode()},
    "to_dict list": {"t.json": whole(WIDE.to_dict("list"))},
    "long CSV": {"t.csv": LONG.to_csv(index=False).encode()},
    "long CSV with index": {"t.csv": LONG.to_csv().encode()},
    "long, shuffled": {"t.csv": LONG.iloc[[*range(N), *(N + row for row in SHUFFLED)]].to_csv(index=False).encode()},
    "long with the reference as a system": {
        "t.csv": records_table(
            [
                {"system": name, "id": row, "text": texts[row]}
                for name, texts in {**SYSTEMS, "reference": REFERENCE}.items()
                for row in range(N)
            ]
        )
    },
    "long without ids": {"t.csv": LONG.drop(columns="id").to_csv(index=False).encode()},
    "long, runs": {
        "t.csv": records_table(
            [
                {"model": name, "seed": seed, "id": row, "reference": REFERENCE[row], "output": texts[row]}
                for name, texts in SYSTEMS.items()
                for seed in (1,)
                for row in range(N)
            ]
        )
    },
    "wide, ids in another order": {
        "a.csv": records_table([{"id": f"s{row}", "output": A[row]} for row in range(N)]),
        "b.csv": records_table([{"id": f"s{row}", "output": B[row]} for row in SHUFFLED]),
        "ref.csv": records_table([{"id": f"s{row}", "reference": REFERENCE[row]} for row in reversed(range(N))]),
    },
    "no titles": {"t.csv": table(CELLS)},
    "MQM table beside": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        "mqm.tsv": (
            "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
            + "".join(
                f"{name}\td1\t{row}\tr1\t{SOURCE[row]}\t{texts[row]}\tAccuracy\tMajor\n"
                for name, texts in SYSTEMS.items()
                for row in range(0, N, 2)
            )
        ).encode(),
    },
}
