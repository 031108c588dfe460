"""Files as office programs, consoles and chats leave them: web pages, printed tables, answers in one text."""

import io
import json
import zipfile
from collections.abc import Sequence

import pandas as pd

from tests.dashboard.file_shapes.texts import (
    ALL,
    REFERENCE,
    SHUFFLED,
    SOURCE,
    SYSTEMS,
    A,
    B,
    C,
    Files,
    N,
    escaped,
    of_all,
    of_systems,
    plain,
    rows_of,
    table,
    whole,
)

WIDE = pd.DataFrame({"source": SOURCE, "reference": REFERENCE, **SYSTEMS})


def numbered(texts: Sequence[str], before: str = "") -> str:
    return before + "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))


def page(rows: Sequence[Sequence[str]]) -> bytes:
    """A document of one table, as Google Docs exports it."""
    cells = ["".join(f'<td class="c1"><p class="c2"><span>{cell}</span></p></td>' for cell in row) for row in rows]
    shown = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<!DOCTYPE html><html><style>p < a {{}}</style><p>Draft</p><table>{shown}</table><p>End".encode()


def model() -> bytes:
    """What PyTorch saves: a zip archive without texts."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("best/data.pkl", b"\x80\x02}q\x00.")
    return written.getvalue()


def predicted(row: int) -> dict[str, object]:
    """An item of Label Studio that nobody has edited."""
    return {
        "id": 900 + row,
        "data": {"source": SOURCE[row], "reference": REFERENCE[row]},
        "annotations": [],
        "predictions": [
            {
                "model_version": name,
                "result": [{"from_name": "mt", "type": "textarea", "value": {"text": [texts[row]]}}],
            }
            for name, texts in SYSTEMS.items()
        ],
    }


SETS = {
    "de-en": {"source": SOURCE, "reference": REFERENCE, "systems": SYSTEMS},
    "en-de": {"source": REFERENCE, "reference": SOURCE, "systems": {"a": SOURCE[::-1]}},
}


def in_quotes(text: str) -> str:
    """A cell of CSV."""
    return '"' + text.replace('"', '""') + '"'


def candidates(texts: Sequence[str], _: str = "") -> bytes:
    """One answer of Gemini with several candidates."""
    return whole({"candidates": [{"content": {"parts": [{"text": text}]}} for text in texts[:6]]})


SHAPES: dict[str, Files] = {
    "every line in quotes": of_all(lambda texts: plain(map(in_quotes, texts)), ".txt"),
    "lines in quotes as needed": {
        "a.txt": plain(in_quotes(text) if {*',"'} & {*text} else text for text in A),
        "b.txt": plain(B),
        "ref.txt": plain(REFERENCE),
    },
    "lines as Python prints them": of_all(lambda texts: plain(map(repr, texts)), ".txt"),
    "lines of a list in quotes": of_all(lambda texts: plain(f"{json.dumps(text)}," for text in texts), ".txt"),
    "candidates of one answer": {"a.json": candidates(A), "b.json": candidates(B), "ref.txt": plain(REFERENCE[:6])},
    "ToTTo": {
        "totto.jsonl": rows_of(
            {
                "example_id": 900 - row,
                "table": [[{"value": "x", "is_header": True}]],
                "sentence_annotations": [
                    {"original_sentence": SOURCE[row], "final_sentence": text} for text in (REFERENCE[row], C[row])
                ],
            }
            for row in range(N)
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "WebNLG": {
        "test.xml": (
            "<benchmark><entries>"
            + "".join(f"<entry eid='{n}'><lex>{escaped(text)}</lex></entry>" for n, text in enumerate(REFERENCE))
            + "</entries></benchmark>"
        ).encode(),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "pieces of words": {
        "a.out": plain(" ".join(f"▁{word}" for word in text.split()) for text in A),
        "b.out": plain(
            " ".join(word.replace("en", "en@@ ", 1) if "en" in word[:-2] else word for word in text.split())
            for text in B
        ),
        "ref.txt": plain(REFERENCE),
    },
    "STM beside plain texts": {
        "test.stm": plain(f"talk 1 spk {n}.00 {n}.90 <o,f0> {text}" for n, text in enumerate(REFERENCE)),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "rows of one item": {
        "testset_w_refs.csv": table(
            [["mr", "ref"]]
            + [[f"name[{n}]", text] for n in range(N) for text in (REFERENCE[n], f"{REFERENCE[n]} Again.")]
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "lists by id": {
        "references.json": whole({f"q{row}": [REFERENCE[row], f"{REFERENCE[row]} again"] for row in range(N)}),
        "a.json": whole({f"q{row}": [A[row]] for row in range(N)}),
        "b.json": whole({f"q{row}": [B[row]] for row in SHUFFLED}),
    },
    "page of a document": {
        "t.html": page([("Source", "Human translation", "a", "b"), *zip(SOURCE, REFERENCE, A, B, strict=True)])
    },
    "table of pandas on a console": {"t.txt": WIDE.to_string().encode()},
    "table of pandas on a console, cut": {"t.txt": WIDE.to_string(max_colwidth=20).encode()},
    "lists of one text in cells": {
        "t.csv": table([[*ALL, "src"], *([*map(repr, map(list, zip(row)))] for row in zip(A, B, REFERENCE, SOURCE))])  # noqa: B905
    },
    "paragraphs of a web page in cells": {
        "t.csv": table(
            [
                ["source", "reference", *SYSTEMS],
                *([x, y, f"<p>{a}</p>", f"<p>{b}</p>"] for x, y, a, b in zip(SOURCE, REFERENCE, A, B, strict=True)),
            ]
        )
    },
    "printed bytes": of_all(lambda texts: plain(repr(text.encode()) for text in texts), ".txt"),
    "printed results of a pipeline": of_all(
        lambda texts: plain(repr([{"translation_text": text}]) for text in texts), ".txt"
    ),
    "an empty line behind each text": {
        "a.txt": "\n\n".join(A).encode(),
        "b.txt": plain(B),
        "ref.txt": plain(REFERENCE),
    },
    "numbered answers in one text": {"t.json": whole({name: numbered(texts) for name, texts in ALL.items()})},
    "numbered answers behind a remark": of_systems(
        lambda texts, name: whole({"model": name, "prompt": "Translate:", "response": numbered(texts, "Sure!\n\n")}),
        ".json",
    ),
    "numbered answers, a line each": {
        "t.jsonl": rows_of({"model": name, "response": numbered(texts)} for name, texts in SYSTEMS.items()),
        "ref.txt": plain(REFERENCE),
    },
    "a list of outputs beside its prompt": of_systems(
        lambda texts, name: whole({"model": name, "prompt": "Translate:", "outputs": texts}), ".json"
    ),
    "Label Studio, predictions": {"t.json": whole([predicted(row) for row in range(N)])},
    "people in a folder": {
        f"{folder}/news.txt": plain(texts) for folder, texts in (("human", REFERENCE), ("a", A), ("b", B))
    },
    "release with a model": {
        "outputs/a.en": plain(A),
        "outputs/b.en": plain(B),
        "data/ref.en": plain(REFERENCE),
        "models/best.pt": model(),
    },
    "test sets by language pair": {"t.json": whole(SETS)},
}
