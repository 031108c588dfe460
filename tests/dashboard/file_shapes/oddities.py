"""What people and programs do to files: moved, empty and noted rows, copies, spans of reasoning, numbered parts."""

import json
from collections.abc import Iterable, Mapping, Sequence

from tests.dashboard.file_shapes.laid_out import sheets
from tests.dashboard.file_shapes.tables import CELLS, TITLES
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
    escaped,
    plain,
    records_table,
    rows_of,
    table,
    whole,
)

PLAIN = {f"{name}.txt": plain(texts) for name, texts in ALL.items()}
BLANK = [""] * len(TITLES)


def in_parts(texts: Sequence[str], name: str) -> Files:
    return {name.format(part): plain(texts[part * 8 : part * 8 + 8]) for part in range(3)}


def dataset_run(name: str, texts: Sequence[str], order: Iterable[int] = range(N)) -> list[dict[str, object]]:
    """Items of a run over a data set of Langfuse."""
    return [
        {"id": f"{name}-{row}", "datasetRunName": name, "datasetItemId": f"item-{row:03}", "traceId": f"t{name}{row}"}
        | {"input": SOURCE[row], "expectedOutput": REFERENCE[row], "output": texts[row], "latency": 1.5}
        for row in order
    ]


def nested_run(name: str, texts: Sequence[str]) -> dict[str, object]:
    """A run as Langfuse's interface answers."""
    return {
        "id": f"run-{name}",
        "name": name,
        "datasetName": "wmt",
        "datasetRunItems": [
            {
                "datasetItemId": f"item-{row}",
                "traceId": f"t{row}",
                "datasetItem": {"id": f"item-{row}", "input": {"text": SOURCE[row]}, "expectedOutput": REFERENCE[row]},
                "trace": {"output": {"role": "assistant", "content": texts[row]}, "latency": 1.2},
            }
            for row in range(N)
        ],
    }


def marked(text: str) -> str:
    return f"<v>{text[:5]}</v>{text[5:]}"


def rated(name: str, texts: Sequence[str]) -> list[list[object]]:
    """Rows of MQM: two errors of two raters for each output, marked in the text."""
    return [
        [name, "doc1", row + 1, row + 1, f"rater{rater}", SOURCE[row], marked(texts[row]), "Accuracy", "Minor", "{}"]
        for row in range(N)
        for rater in (1, 2)
    ]


RATED = ["system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata"]


def xliff(texts: Sequence[str], others: Mapping[str, Sequence[str]], *, said: str = "") -> bytes:
    """XLIFF with these targets, and other translations in each unit by their origin.

    Args:
        texts: The targets.
        others: The other translations.
        said: Attributes of each unit.
    """
    units = "".join(
        f'<trans-unit id="{row}"{said}><source>{escaped(SOURCE[row])}</source><target>{escaped(texts[row])}</target>'
        + "".join(
            f'<alt-trans origin="{name}"><target>{escaped(own[row])}</target></alt-trans>'
            for name, own in others.items()
        )
        + "</trans-unit>"
        for row in range(N)
    )
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="t" source-language="de" '
        f'target-language="en" datatype="plaintext"><body>{units}</body></file></xliff>'
    ).encode()


def with_engines() -> bytes:
    """XLIFF in which each unit has what two engines proposed."""
    return xliff(REFERENCE, SYSTEMS)


def quoted_by_excel(rows: Iterable[Sequence[str]]) -> bytes:
    """Text with tabs in UTF-16, cells with commas or quotes in quotes."""
    lines = (
        "\t".join('"' + cell.replace('"', '""') + '"' if "," in cell or '"' in cell else cell for cell in row)
        for row in rows
    )
    return "\r\n".join(lines).encode("utf-16")


def thought(texts: Sequence[str], between: str) -> list[str]:
    return [f"<think>{between}It begins with {text[:5]}.{between}</think>{between}{text}" for text in texts]


MARIAN = [f"[2025-01-02 10:00:00] Best translation {row} : {{}}" for row in range(N)]


def one_in_turn(texts: Sequence[str], part: int) -> bytes:
    """What one of two processes logged, each with every other segment."""
    rows = [
        f"S-{row}\t{SOURCE[row]}\nT-{row}\t{REFERENCE[row]}\nH-{row}\t-0.3\t{texts[row]}\nP-{row}\t-0.1"
        for row in range(part, N, 2)
    ]
    return plain(rows)


SHAPES: dict[str, Files] = {
    "empty rows between": {"t.csv": table([row for cells in [TITLES, *CELLS] for row in (cells, BLANK)])},
    "empty rows and a note beneath": {"t.csv": table([TITLES, *CELLS, BLANK, ["Run in May.", *BLANK[1:]]])},
    "languages beneath titles": {"t.csv": table([TITLES, ["German", "English", "English", "English"], *CELLS])},
    "codes beneath titles": {"t.csv": table([TITLES, ["de", "en", "en", "en"], *CELLS])},
    "a note above, titles with languages": {
        "t.tsv": table(
            [
                ["Shootout, do not edit", *BLANK],
                [*BLANK, ""],
                ["#", "DE source", "EN reference", "Engine A", "Engine B"],
            ]
            + [[str(row + 1), *cells] for row, cells in enumerate(CELLS)],
            "\t",
        )
    },
    "titles that are languages": {
        "t.csv": table([["ID", "German (Germany)", "English (US)", "MT: a", "MT: b"]])
        + table([[row, *cells] for row, cells in enumerate(CELLS)])
    },
    "Excel's text with tabs": {"t.txt": quoted_by_excel([TITLES, *CELLS])},
    "predictions of several models": {"t.csv": table([["source", "target_text", "pred_mt5", "pred_byt5"], *CELLS])},
    "numbered parts of all": {
        **in_parts(A, "a.{:02}"),
        **in_parts(B, "b.{:02}"),
        **in_parts(REFERENCE, "ref.{:02}"),
    },
    "numbered parts of all, names in front": {
        **in_parts(A, "a_{}.txt"),
        **in_parts(B, "b_{}.txt"),
        **in_parts(REFERENCE, "ref_{}.txt"),
    },
    "rows in another order, ids and references": {
        "a.jsonl": rows_of({"id": f"x{row}", "output": A[row], "reference": REFERENCE[row]} for row in range(N)),
        "b.jsonl": rows_of({"id": f"x{row}", "output": B[row], "reference": REFERENCE[row]} for row in SHUFFLED),
    },
    "rows in another order, sources": {
        "a.jsonl": rows_of({"source": SOURCE[row], "output": A[row]} for row in range(N)),
        "b.jsonl": rows_of({"source": SOURCE[row], "output": B[row]} for row in SHUFFLED),
        "ref.txt": plain(REFERENCE),
        "src.txt": plain(SOURCE),
    },
    "rows in another order, ids without titles": {
        "a.tsv": table([[f"utt{row + 100}", A[row]] for row in range(N)], "\t"),
        "b.tsv": table([[f"utt{row + 100}", B[row]] for row in SHUFFLED], "\t"),
        "ref.tsv": table([[f"utt{row + 100}", REFERENCE[row]] for row in reversed(range(N))], "\t"),
    },
    "runs of Langfuse": {"t.csv": records_table([*dataset_run("gpt-a", A), *dataset_run("gpt-b", B)])},
    "runs of Langfuse, a file each": {
        "a.jsonl": rows_of(dataset_run("gpt-a", A)),
        "b.jsonl": rows_of(dataset_run("gpt-b", B, SHUFFLED)),
    },
    "runs of Langfuse, nested": {"r.json": whole({"data": [nested_run("a", A), nested_run("b", B)], "meta": {}})},
    "runs of Langfuse, cells in JSON": {
        "t.csv": records_table(
            [
                {**one, **{key: json.dumps(one[key]) for key in ("input", "output", "expectedOutput")}}
                for one in [*dataset_run("gpt-a", A), *dataset_run("gpt-b", B)]
            ]
        )
    },
    "objects under expected output": {
        f"{name}.jsonl": rows_of(
            {
                "input": {"text": SOURCE[row]},
                "expectedOutput": {"translation": REFERENCE[row]},
                "output": {"translation": texts[row]},
            }
            for row in range(N)
        )
        for name, texts in SYSTEMS.items()
    },
    "a column that names the system": {
        f"{name}.csv": records_table(
            [
                {"model": name, "source": SOURCE[row], "reference": REFERENCE[row], "text": texts[row]}
                for row in range(N)
            ]
        )
        for name, texts in SYSTEMS.items()
    },
    "MQM with the reference as a system": {
        "mqm_ende.tsv": table(
            [RATED, *(row for name, texts in {"refA": REFERENCE, **SYSTEMS}.items() for row in rated(name, texts))],
            "\t",
        )
    },
    "XLIFF with proposals of engines": {"t.xlf": with_engines()},
    "texts with bars between": {
        "a.txt": plain([f"{source} ||| {text}" for source, text in zip(SOURCE, A, strict=True)]),
        "b.txt": plain([f"{source} ||| {text}" for source, text in zip(SOURCE, B, strict=True)]),
        "ref.txt": plain(REFERENCE),
    },
    "logs of marian-decoder": {
        **{
            f"{name}.log": plain([line.format(text) for line, text in zip(MARIAN, texts, strict=True)])
            for name, texts in SYSTEMS.items()
        },
        "ref.txt": plain(REFERENCE),
    },
    "reasoning on the line": {"a.txt": plain(thought(A, " ")), "b.txt": plain(B), "ref.txt": plain(REFERENCE)},
    "reasoning on lines of its own": {
        "a.txt": plain(thought(A, "\n")),
        "b.txt": plain(thought(B, "\n")),
        "ref.txt": plain(REFERENCE),
    },
    "reasoning in records": {
        **{
            f"{name}.jsonl": rows_of({"output": text} for text in thought(texts, "\n"))
            for name, texts in SYSTEMS.items()
        },
        "ref.txt": plain(REFERENCE),
    },
    "remarks above the texts": {**PLAIN, "a.txt": b"# system: base\n# date: 2025-01-02\n" + plain(A)},
    "empty lines at the end": {**PLAIN, "ref.txt": plain(REFERENCE) + b"\n\n"},
    "a fence around the texts": {**PLAIN, "a.txt": b"```text\n" + plain(A) + b"```\n"},
    "copies of the system of files": {
        **PLAIN,
        "a (1).txt": plain(A),
        "Copy of a.txt": plain(A),
        "#a.txt#": plain(A[1:]),
    },
    "MLflow": {
        f"mlruns/0/{name}/{file}": data
        for name, texts in SYSTEMS.items()
        for file, data in {
            "artifacts/eval_results_table.json": whole(
                {
                    "columns": ["inputs", "ground_truth", "outputs", "token_count"],
                    "data": [[SOURCE[row], REFERENCE[row], texts[row], 9] for row in range(N)],
                }
            ),
            "metrics/bleu": b"1740000000000 31.2 0\n",
            "params/model": b"m\n",
            "tags/mlflow.runName": b"m\n",
            "meta.yaml": b"run_name: m\n",
        }.items()
    },
    "XML of another program": {
        "set.de-en.de": plain(SOURCE),
        "set.de-en.en": plain(REFERENCE),
        "set.de-en.a.en": plain(A),
        "set.de-en.b.en": plain(B),
        "set.de-en.xml": b'<?xml version="1.0"?><cesAlign><linkGrp fromDoc="de/1" toDoc="en/1"/></cesAlign>',
    },
    "references in lists": {
        "a.json": whole(A),
        "b.json": whole(B),
        "references.json": whole([[text] for text in REFERENCE]),
    },
    "tags of parts of speech": {
        **PLAIN,
        "a.xpos": plain([" ".join(["NN", "VVFIN", "ART", "$.", "ADJA"][place % 5] for place in range(12))] * N),
    },
    "phonemes": {**PLAIN, "a.phn": plain(["HH AH0 L OW1 W ER1 L D IH0 Z"] * N)},
    "labels": {**PLAIN, "labels.txt": plain(["good", "bad"] * (N // 2)), "lang.txt": plain(["de"] * N)},
    "records of recordings": {
        **PLAIN,
        "test.yaml.txt": plain([f"- {{duration: {row}.5, offset: {row}.1, wav: ted_{row}.wav}}" for row in range(N)]),
    },
    "word scores": {**PLAIN, "a.word": plain(["1:0.93 2:0.55 3:0.11"] * N)},
    "rows in another order, numbered in documents": {
        f"{name}.jsonl": rows_of(
            {"doc_id": f"d{row // 6}", "seg_id": row % 6, "text": texts[row]}
            for row in (SHUFFLED if name == "b" else range(N))
        )
        for name, texts in ALL.items()
    },
    "rows in another order, ids behind the texts": {
        f"{name}.tsv": table([[texts[row], f"utt{row + 100}"] for row in (SHUFFLED if name == "b" else range(N))], "\t")
        for name, texts in ALL.items()
    },
    "keys before bars": {
        f"{name}.txt": plain([f"LJ001-{row:04}|{text}" for row, text in enumerate(texts)])
        for name, texts in ALL.items()
    },
    "a table of the texts beside": {**PLAIN, "all.csv": table([TITLES, *CELLS])},
    "records of the texts beside": {
        **PLAIN,
        **{f"{name}.jsonl": rows_of({"output": text} for text in texts) for name, texts in SYSTEMS.items()},
    },
    "checksums": {**PLAIN, "MD5SUMS": plain([f"{row:032x}  file{row}.txt" for row in range(N)])},
    "speakers of recordings": {
        **PLAIN,
        "a.rttm": plain([f"SPEAKER talk1 1 {row}.00 0.90 <NA> <NA> spk{row % 2} <NA> <NA>" for row in range(N)]),
    },
    "translations by model in a list": {
        "t.jsonl": rows_of(
            {
                "src": SOURCE[row],
                "ref": REFERENCE[row],
                "translations": [{"model": name, "text": texts[row]} for name, texts in SYSTEMS.items()],
            }
            for row in range(N)
        )
    },
    "outputs by name beside lists": {"t.json": whole({"src": SOURCE, "ref": REFERENCE, "hyps": SYSTEMS})},
    "sheets in other orders, with ids": {
        "t.xlsx": sheets(
            {
                "Testset": [["ID", "Source", "Reference"], *([f"x{n}", SOURCE[n], REFERENCE[n]] for n in range(N))],
                "Outputs": [["ID", "a", "b"], *([f"x{n}", A[n], B[n]] for n in SHUFFLED)],
            }
        )
    },
    "verses": {**PLAIN, "vref.txt": plain([f"GEN {row // 10 + 1}:{row % 10 + 1}" for row in range(N)])},
    "glosses next to sentences": {
        "best.1.dev.txt": plain(A),
        "best.2.dev.txt": plain(B),
        "best.1.dev.gls": plain([text.upper() for text in A]),
        "references.dev.txt": plain(REFERENCE),
        "references.dev.gls": plain([" ".join(text.upper().split()[::2]) for text in REFERENCE]),
    },
    "post-edited": {
        "test.src": plain(SOURCE),
        "test.pe": plain(REFERENCE),
        "submissions/a.txt": plain(A),
        "submissions/b.txt": plain(B),
        "test.hter": plain([f"0.{row:02}" for row in range(N)]),
        "test.tags": plain(["OK BAD OK"] * N),
    },
    "sources in the folder of references": {
        **{
            f"outputs/{name}.jsonl": rows_of({"de": SOURCE[row], "en": texts[row]} for row in range(N))
            for name, texts in {"a.deen": A, "b.deen": B}.items()
        },
        "refs/full_en.jsonl": rows_of({"de": SOURCE[row], "en": REFERENCE[row]} for row in range(N)),
    },
    "units of letters": {
        f"{name}/{kind}.{unit}-best.pt-test.txt": plain(
            [f"{change(texts[row])} (None-{row})" for row in (SHUFFLED if name == "b" else range(N))]
        )
        for name, own in SYSTEMS.items()
        for kind, texts in {"hypo": own, "ref": REFERENCE}.items()
        for unit, change in {"word": str, "units": lambda text: " ".join(text.replace(" ", "|"))}.items()
    },
    "logs of processes": {
        **{
            f"{name}/gen.shard{part}.log": one_in_turn(texts, part)
            for name, texts in SYSTEMS.items()
            for part in range(2)
        },
    },
}
