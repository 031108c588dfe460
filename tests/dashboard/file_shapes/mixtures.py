"""Texts among other things that are called or laid out alike: sources and references as systems, runs, prose, junk."""

from collections.abc import Sequence

from tests.dashboard.file_shapes.tables import CELLS, TITLES
from tests.dashboard.file_shapes.texts import (
    REFERENCE,
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
    whole,
)

RATED = [
    {"langs": "en-de", "line_id": 3 * row, "doc_id": f"d{row // 4}", "system": name, "src": SOURCE[row]}
    | {"tgt": texts[row], "esa_score": 60.5 + row, "esa_spans": []}
    for row in range(N)
    for name, texts in {**SYSTEMS, "refB": REFERENCE}.items()
]
LONG = [
    {"system": name, "segment": row, "text": texts[row]}
    for name, texts in {"src": SOURCE, "ref": REFERENCE, **SYSTEMS}.items()
    for row in range(N)
]


def generations(texts: Sequence[str]) -> bytes:
    """Rows of a program that completes prompts."""
    return rows_of(
        {"prompt": f"Put this into German:\n\n{source}", "generated_text": text, "finish_reason": "stop"}
        for source, text in zip(SOURCE, texts, strict=True)
    )


def sdlxliff(texts: Sequence[str]) -> bytes:
    """Units of three marked segments each, the last one of them of nothing that is translated."""
    units = ""
    for first in range(0, N, 3):
        numbers = range(first, first + 3)
        sides = {
            tag: " ".join(
                f'<mrk mtype="seg" mid="{number + 1}"><g id="{number}">{escaped(side[number][:9])}</g>'
                f"{escaped(side[number][9:])}</mrk>"
                for number in numbers
            )
            for tag, side in (("seg-source", SOURCE), ("target", texts))
        }
        whole_source = escaped(" ".join(SOURCE[number] for number in numbers))
        units += f'<trans-unit id="u{first}"><source>{whole_source}</source><seg-source>{sides["seg-source"]}'
        units += f"</seg-source><target>{sides['target']}</target></trans-unit>"
    units += '<trans-unit id="last" translate="no"><source><x id="90"/></source></trans-unit>'
    return (
        '<?xml version="1.0" encoding="utf-8"?><xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" version="1.2" '
        'xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="t" source-language="en-US" '
        f'target-language="de-DE" datatype="x-sdlfilterframework2"><body>{units}</body></file></xliff>'
    ).encode()


MARKDOWN_ROWS = "".join("| " + " | ".join(cells) + " |\n" for cells in CELLS)


def streamed(texts: Sequence[str]) -> bytes:
    """Answers in pieces, each with a last line that says that it is done."""
    said = []
    for text in texts:
        words = text.split(" ")
        pieces = [words[0], *(f" {word}" for word in words[1:])]
        said += [
            {"model": "m", "created_at": "2025-01-01T00:00:00Z", "done": False}
            | {"message": {"role": "assistant", "content": piece}}
            for piece in pieces
        ]
        said.append(
            {"model": "m", "created_at": "2025-01-01T00:00:09Z", "done": True, "done_reason": "stop", "eval_count": 9}
            | {"message": {"role": "assistant", "content": ""}}
        )
    return rows_of(said)


SHAPES: dict[str, Files] = {
    "rated rows, a reference as a system": {"rated.jsonl": rows_of(RATED)},
    "long, source and reference as systems": {"t.tsv": records_table(LONG, "\t")},
    "long, input and gold as systems": {
        "t.csv": records_table(
            [{**one, "system": {"src": "Input", "ref": "gold"}.get(str(one["system"]), one["system"])} for one in LONG]
        )
    },
    "completed prompts beside a source": {
        "a.jsonl": generations(A),
        "b.jsonl": generations(B),
        "src.txt": plain(SOURCE),
        "ref.txt": plain(REFERENCE),
    },
    "SDLXLIFF, marked segments": {
        "a.sdlxliff": sdlxliff(A),
        "b.sdlxliff": sdlxliff(B),
        "reference.sdlxliff": sdlxliff(REFERENCE),
    },
    "compiled files and folders of programs": {
        "work/.git/HEAD": b"ref: refs/heads/main\n",
        "work/.git/index": b"DIRC\x00\x00\x00\x02" + bytes(range(200)),
        "work/.idea/workspace.xml": b"<project><component/></project>\n",
        "work/__pycache__/score.cpython-312.pyc": b"\xcb\r\r\n\x00\x00\x00\x00" + bytes([0, 99] * 300),
        "work/model.bin": bytes([7, 0] * 500),
        "work/score.py": b"import sacrebleu\n\nprint(sacrebleu)\n",
        "work/run.sh": b"#!/bin/sh\npython score.py\n",
        "work/requirements.txt": b"sacrebleu==2.4\ntorch\n",
        "work/out/a.de": plain(A),
        "work/out/b.de": plain(B),
        "work/data/set.en": plain(SOURCE),
        "work/data/set.de": plain(REFERENCE),
    },
    "a chat in pieces of a stream": {
        "a.jsonl": streamed(A),
        "b.jsonl": streamed(B),
        "ref.txt": plain(REFERENCE),
    },
    "Markdown between prose": {
        "results.md": (
            "# Results\n\nWe asked two models in May.\n\n| "
            + " | ".join(TITLES)
            + " |\n| :--- | --- | --- | ---: |\n"
            + MARKDOWN_ROWS
            + "\nThe second one was cheaper.\n"
        ).encode()
    },
    "Trainer, a test set in languages": {
        "data/test.json": rows_of(
            {"translation": {"de": source, "en": text}} for source, text in zip(SOURCE, REFERENCE, strict=True)
        ),
        **{
            f"{name}/{file}": data
            for name, texts in SYSTEMS.items()
            for file, data in {
                "generated_predictions.txt": plain(texts),
                "predict_results.json": whole({"predict_bleu": 30.1, "predict_samples": N}),
                "all_results.json": whole({"predict_bleu": 30.1, "predict_samples": N}),
                "config.json": whole({"architectures": ["T5ForConditionalGeneration"], "d_model": 512}),
                "trainer_state.json": whole({"epoch": 3.0, "log_history": [{"loss": 2.5, "step": 10}]}),
                "README.md": b"---\nlicense: mit\n---\n\n# A model\n\nIt translates.\n",
            }.items()
        },
    },
    "SimulEval with scores": {
        f"{name}/{file}": data
        for name, texts in SYSTEMS.items()
        for file, data in {
            "instances.log": rows_of(
                {"index": row, "prediction": texts[row], "delays": [1, 2, 3], "elapsed": [1.5, 2.5, 3.5]}
                | {"prediction_length": 3, "reference": REFERENCE[row], "source": SOURCE[row], "source_length": 9}
                for row in range(N)
            ),
            "config.yaml": b"source_type: text\ntarget_type: text\n",
            "scores.tsv": b"BLEU\tAL\tAP\n27.1\t3.2\t0.61\n",
        }.items()
    },
}
