"""What programs write that evaluate outputs, and what services of translation answer."""

import io
import json
import zipfile
from collections.abc import Iterable, Sequence

from tests.dashboard.file_shapes.folders import zipped
from tests.dashboard.file_shapes.model_logs import inspect
from tests.dashboard.file_shapes.texts import (
    REFERENCE,
    SOURCE,
    SYSTEMS,
    A,
    B,
    C,
    Files,
    N,
    in_folders,
    of_systems,
    plain,
    rows_of,
    whole,
)


def inspect_zip(texts: Sequence[str], name: str) -> bytes:
    log = json.loads(inspect(texts, name))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", whole({"version": 2, "eval": log["eval"], "plan": {}}))
        archive.writestr("_journal/summaries/1.json", whole([{"id": 1, "epoch": 1, "input": SOURCE[0]}]))
        for sample in reversed(log["samples"]):
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", whole(sample))
        archive.writestr("summaries.json", whole([{"id": one["id"], "epoch": 1} for one in log["samples"]]))
        archive.writestr("reductions.json", whole([{"scorer": "bleu", "samples": []}]))
        archive.writestr("header.json", whole({key: log[key] for key in log if key != "samples"}))
    return written.getvalue()


def captions(texts: Sequence[str]) -> bytes:
    return whole([{"image_id": 1000 + row * 7, "caption": texts[row]} for row in reversed(range(N))])


def coco(references: Iterable[Sequence[str]]) -> bytes:
    numbered = enumerate((row, texts[row]) for texts in references for row in range(N))
    return whole(
        {
            "info": {"year": 2014, "description": "captions"},
            "licenses": [{"id": 1, "name": "CC", "url": "http://x.example/"}],
            "images": [{"id": 1000 + row * 7, "file_name": f"COCO_{row:012}.jpg", "height": 4} for row in range(N)],
            "annotations": [
                {"image_id": 1000 + row * 7, "id": number, "caption": text} for number, (row, text) in numbered
            ],
        }
    )


def azure(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            "rows": [
                {
                    "inputs.query": SOURCE[row],
                    "inputs.response": texts[row],
                    "inputs.ground_truth": REFERENCE[row],
                    "outputs.bleu.bleu_score": 0.25 + row / 100,
                    "outputs.bleu.bleu_result": "pass",
                    "outputs.bleu.bleu_threshold": 0.5,
                }
                for row in range(N)
            ],
            "metrics": {"bleu.bleu_score": 0.3},
            "studio_url": None,
        }
    )


def azure_target(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            "rows": [
                {"inputs.query": SOURCE[row], "inputs.ground_truth": REFERENCE[row], "outputs.response": texts[row]}
                for row in range(N)
            ],
            "metrics": {},
        }
    )


def openai_evals(texts: Sequence[str], name: str, *, in_options: bool = False) -> bytes:
    def event(number: int, row: int, kind: str, data: dict[str, object]) -> dict[str, object]:
        return {
            "run_id": "240101ABC",
            "event_id": number,
            "sample_id": f"mt.dev.{row}",
            "type": kind,
            "data": data,
            "created_by": "",
            "created_at": f"2024-01-01 10:00:{row:02}.000000+00:00",
        }

    prompt = [{"role": "system", "content": "Translate."}, *({"role": "user", "content": text} for text in SOURCE)]
    events = [
        one
        for row in reversed(range(N))
        for one in (
            event(2 * row, row, "sampling", {"prompt": [prompt[0], prompt[row + 1]], "sampled": [texts[row]]}),
            event(
                2 * row + 1,
                row,
                "match",
                {"correct": False, "expected": REFERENCE[row], "picked": None, "sampled": texts[row]}
                | ({"options": [REFERENCE[row]]} if in_options else {}),
            ),
        )
    ]
    spec = {"spec": {"completion_fns": [name], "eval_name": "mt.dev", "base_eval": "mt", "run_id": "240101ABC"}}
    report = {"final_report": {"accuracy": 0.0}}
    return rows_of([spec, *events, report])


def openai_evals_ideal(texts: Sequence[str], name: str) -> bytes:
    lines = [json.loads(line) for line in openai_evals(texts, name).decode().splitlines()]
    for one in lines:
        if one.get("type") == "match":
            one["type"] = "metrics"
            data = one["data"]
            one["data"] = {"ideal": [data["expected"]], "sampled": data["sampled"], "sacrebleu_sentence_score": 0.3}
    return rows_of(lines)


def label_studio(texts: Sequence[str], _: str) -> bytes:
    return whole(
        [
            {
                "id": 4000 + row,
                "annotations": [
                    {
                        "id": row,
                        "completed_by": 1,
                        "was_cancelled": False,
                        "result": [
                            {
                                "value": {"text": [texts[row]]},
                                "id": "aB3",
                                "from_name": "translation",
                                "to_name": "text",
                                "type": "textarea",
                                "origin": "manual",
                            },
                            {
                                "value": {"choices": ["good"]},
                                "id": "aB4",
                                "from_name": "quality",
                                "to_name": "text",
                                "type": "choices",
                            },
                        ],
                        "lead_time": 12.5,
                    }
                ],
                "predictions": [],
                "data": {"source": SOURCE[row], "reference": REFERENCE[row]},
                "meta": {},
                "project": 7,
                "updated_at": "2025-01-01T00:00:00Z",
            }
            for row in range(N)
        ]
    )


def label_studio_min(texts: Sequence[str], _: str) -> bytes:
    return whole(
        [
            {
                "text": SOURCE[row],
                "id": row,
                "translation": texts[row],
                "annotator": 1,
                "annotation_id": row,
                "created_at": "2025-01-01T00:00:00Z",
                "updated_at": "2025-01-01T00:00:00Z",
                "lead_time": 3.5,
            }
            for row in range(N)
        ]
    )


def gem(texts: Sequence[str], name: str) -> bytes:
    return whole(
        {
            "submission_name": name,
            "param_count": 220000000,
            "tasks": {
                "wiki_lingua": {
                    "values": [{"generated": text, "gem_id": f"wiki-test-{row}"} for row, text in enumerate(texts)],
                    "keys": [f"wiki-test-{row}" for row in range(N)],
                }
            },
        }
    )


def kserve(texts: Sequence[str], name: str) -> bytes:
    return whole(
        {
            "model_name": name,
            "model_version": "1",
            "id": "req-1",
            "outputs": [{"name": "translation", "shape": [N], "datatype": "BYTES", "data": [*texts]}],
        }
    )


def google(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {"data": {"translations": [{"translatedText": text, "detectedSourceLanguage": "en"} for text in texts]}}
    )


def joined(records: Iterable[object]) -> bytes:
    """Objects behind each other, as jq writes them."""
    return "\n".join(json.dumps(one, ensure_ascii=False, indent=2) for one in records).encode() + b"\n"


def azure_translator(texts: Sequence[str], other: Sequence[str]) -> bytes:
    pairs = zip(texts, other, strict=True)
    return whole(
        [{"translations": [{"text": text, "to": "en"}, {"text": second, "to": "fr"}]} for text, second in pairs]
    )


SHAPES: dict[str, Files] = {
    "Inspect, zipped": {
        f"2025-01-0{place}T10-00-00+00-00_mt_{'xy'[place - 1] * 8}.eval": inspect_zip(texts, name)
        for place, (name, texts) in enumerate(SYSTEMS.items(), 1)
    },
    "Inspect, zipped, beside a reference": of_systems(inspect_zip, ".eval"),
    "Inspect, zipped, in an archive": {
        "logs.zip": zipped({f"logs/{name}.eval": inspect_zip(texts, name) for name, texts in SYSTEMS.items()})
    },
    "COCO": {
        "captions_val2014.json": coco([REFERENCE]),
        "captions_val2014_a_results.json": captions(A),
        "captions_val2014_b_results.json": captions(B),
    },
    "COCO, two references": {
        "annotations/captions_val2014.json": coco([REFERENCE, C]),
        "results/a.json": captions(A),
        "results/b.json": captions(B),
    },
    "Azure": in_folders(azure, "evaluation_results.json"),
    "Azure, a row a line": {
        f"{name}.jsonl": rows_of(json.loads(azure(texts, name))["rows"]) for name, texts in SYSTEMS.items()
    },
    "Azure with a target": {f"{name}.json": azure_target(texts, name) for name, texts in SYSTEMS.items()},
    "OpenAI Evals": {f"240101ABC_{name}.jsonl": openai_evals(texts, name) for name, texts in SYSTEMS.items()},
    "OpenAI Evals, ideal": {f"{name}.jsonl": openai_evals_ideal(texts, name) for name, texts in SYSTEMS.items()},
    "Label Studio, textarea": {f"project-{name}.json": label_studio(texts, name) for name, texts in SYSTEMS.items()},
    "Label Studio, JSON-MIN": of_systems(label_studio_min, ".json"),
    "GEM submission": of_systems(gem, ".json"),
    "GEM submission of two tasks": of_systems(
        lambda texts, name: gem(texts, name).replace(b'"tasks": {', b'"tasks": {"other": {"values": []},'), ".json"
    ),
    "COCO, an image twice": {
        "captions_val2014.json": coco([REFERENCE]),
        "a_results.json": whole([*json.loads(captions(A)), json.loads(captions(B))[0]]),
    },
    "Label Studio, a text is missing": {
        "project-a.json": whole([*json.loads(label_studio(A, "a"))[:-1], {"id": 1, "data": {}, "annotations": []}])
    },
    "translations into two languages": {"a.json": azure_translator(A, B), "ref.txt": plain(REFERENCE)},
    "Azure Translator": of_systems(
        lambda texts, _: whole([{"translations": [{"text": text, "to": "en"}]} for text in texts]), ".json"
    ),
    "DeepL": of_systems(
        lambda texts, _: whole({"translations": [{"detected_source_language": "DE", "text": text} for text in texts]}),
        ".json",
    ),
    "KServe": of_systems(kserve, ".json"),
    "LibreTranslate": of_systems(lambda texts, _: whole({"translatedText": [*texts]}), ".json"),
    "LibreTranslate, a response a line": of_systems(
        lambda texts, _: rows_of({"translatedText": text} for text in texts), ".jsonl"
    ),
    "Google Translate v2, objects behind each other": of_systems(
        lambda texts, _: joined({"data": {"translations": [{"translatedText": text}]}} for text in texts), ".json"
    ),
    "Google Translate v2": of_systems(google, ".json"),
    "objects behind each other": {
        "out.json": joined(
            {"id": row, "source": SOURCE[row], "reference": REFERENCE[row], "a": A[row], "b": B[row]}
            for row in range(N)
        )
    },
    "objects behind each other, a file a system": of_systems(
        lambda texts, _: joined({"id": row, "output": texts[row]} for row in range(N)), ".json"
    ),
    "samples in a list": {
        "s.jsonl": rows_of(
            {"id": row, "source": SOURCE[row], "reference": REFERENCE[row], "samples": [A[row], B[row]]}
            for row in range(N)
        )
    },
    "completions in a list of objects": {
        "s.jsonl": rows_of(
            {"input": SOURCE[row], "target": REFERENCE[row], "completions": [{"text": A[row]}, {"text": B[row]}]}
            for row in range(N)
        )
    },
    "predictions in a list": {
        "s.json": whole(
            [{"source": SOURCE[row], "target": REFERENCE[row], "predictions": [A[row], B[row]]} for row in range(N)]
        )
    },
    "Alpaca with a prediction": {
        f"{name}.json": whole(
            [
                {
                    "instruction": "Translate into German.",
                    "input": SOURCE[row],
                    "output": REFERENCE[row],
                    key: texts[row],
                }
                for row in range(N)
            ]
        )
        for (name, texts), key in zip(SYSTEMS.items(), ("prediction", "predict"), strict=True)
    },
    "Alpaca without an input": {
        f"{name}.json": whole(
            [{"instruction": SOURCE[row], "output": REFERENCE[row], "predict": texts[row]} for row in range(N)]
        )
        for name, texts in SYSTEMS.items()
    },
    "LLaMA-Factory": in_folders(
        lambda texts, _: rows_of(
            {
                "prompt": f"user\nTranslate: {SOURCE[row]}\nassistant\n",
                "predict": texts[row],
                "label": REFERENCE[row],
            }
            for row in range(N)
        ),
        "generated_predictions.jsonl",
    ),
}
