"""What programs that run or evaluate language models write."""

from collections.abc import Sequence

from tests.dashboard.file_shapes.texts import (
    REFERENCE,
    SHUFFLED,
    SOURCE,
    SYSTEMS,
    A,
    B,
    Files,
    N,
    in_folders,
    of_systems,
    plain,
    records_table,
    rows_of,
    table,
    whole,
)

LONG = [
    {"system": name, "segment_id": row, "source": SOURCE[row], "reference": REFERENCE[row], "hypothesis": texts[row]}
    for name, texts in SYSTEMS.items()
    for row in range(N)
]


def chat(text: str, role: str = "assistant") -> dict[str, str]:
    return {"role": role, "content": text}


def completion(text: str, model: str = "gpt-x") -> dict[str, object]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 17,
        "model": model,
        "choices": [{"index": 0, "message": chat(text), "finish_reason": "stop"}],
        "usage": {"total_tokens": 42},
    }


def openai_batch(texts: Sequence[str], model: str) -> bytes:
    return rows_of(
        {
            "id": f"batch_req_{row}",
            "custom_id": f"request-{row + 1}",
            "response": {"status_code": 200, "request_id": "x", "body": completion(texts[row], model)},
            "error": None,
        }
        for row in SHUFFLED
    )


def openai_requests() -> bytes:
    return rows_of(
        {
            "custom_id": f"request-{row + 1}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "gpt-x", "messages": [chat("Translate.", "system"), chat(SOURCE[row], "user")]},
        }
        for row in range(N)
    )


def responses_batch(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "custom_id": f"r-{row}",
            "response": {
                "status_code": 200,
                "body": {
                    "object": "response",
                    "output": [
                        {"type": "reasoning", "summary": []},
                        {
                            "type": "message",
                            "role": "assistant",
                            "content": [{"type": "output_text", "text": texts[row], "annotations": []}],
                        },
                    ],
                },
            },
        }
        for row in SHUFFLED
    )


def anthropic(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "custom_id": f"r-{row}",
            "result": {
                "type": "succeeded",
                "message": {
                    "id": "msg",
                    "type": "message",
                    "role": "assistant",
                    "model": "c",
                    "content": [{"type": "text", "text": texts[row]}],
                    "stop_reason": "end_turn",
                    "usage": {"input_tokens": 3},
                },
            },
        }
        for row in SHUFFLED
    )


def vertex(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "status": "",
            "processed_time": "2025-01-01T00:00:00Z",
            "request": {"contents": [{"role": "user", "parts": [{"text": SOURCE[row]}]}]},
            "response": {
                "candidates": [{"content": {"role": "model", "parts": [{"text": texts[row]}]}, "finishReason": "STOP"}],
                "modelVersion": "g",
            },
        }
        for row in range(N)
    )


def bedrock(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "recordId": f"REC{row:08}",
            "modelInput": {"messages": [chat(SOURCE[row], "user")]},
            "modelOutput": {"content": [{"type": "text", "text": texts[row]}], "stop_reason": "end_turn"},
        }
        for row in range(N)
    )


def ollama(texts: Sequence[str], name: str) -> bytes:
    return rows_of(
        {
            "model": name,
            "created_at": "2025-01-01T10:00:00Z",
            "prompt": SOURCE[row],
            "response": texts[row],
            "done": True,
            "total_duration": 123456,
        }
        for row in range(N)
    )


def vllm(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "prompt": SOURCE[row],
            "outputs": [{"text": texts[row], "token_ids": [1, 2], "cumulative_logprob": -1.5, "finish_reason": "stop"}],
        }
        for row in range(N)
    )


def server(texts: Sequence[str], name: str) -> bytes:
    return rows_of(completion(text, name) for text in texts)


def inspect(texts: Sequence[str], name: str) -> bytes:
    return whole(
        {
            "version": 2,
            "status": "success",
            "eval": {"task": "mt", "model": name, "created": "2025-01-01"},
            "plan": {"steps": []},
            "results": {"scores": []},
            "samples": [
                {
                    "id": row + 1,
                    "epoch": 1,
                    "input": [chat(SOURCE[row], "user")],
                    "target": REFERENCE[row],
                    "messages": [chat(SOURCE[row], "user"), chat(texts[row])],
                    "output": {
                        "model": name,
                        "choices": [{"message": chat(texts[row]), "stop_reason": "stop"}],
                        "completion": texts[row],
                    },
                    "scores": {"bleu": {"value": 0.3, "answer": texts[row]}},
                }
                for row in range(N)
            ],
        }
    )


def harness(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "doc_id": row,
            "doc": {"source": SOURCE[row], "target": REFERENCE[row]},
            "target": REFERENCE[row],
            "arguments": {"gen_args_0": {"arg_0": f"Translate: {SOURCE[row]}", "arg_1": {"until": ["\n"]}}},
            "resps": [[texts[row]]],
            "filtered_resps": [texts[row]],
            "filter": "none",
            "metrics": ["bleu"],
            "doc_hash": "ab",
            "prompt_hash": "cd",
            "target_hash": "ef",
            "bleu": [REFERENCE[row], texts[row]],
        }
        for row in range(N)
    )


def helm(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            "adapter_spec": {"model": "m"},
            "request_states": [
                {
                    "instance": {
                        "input": {"text": SOURCE[row]},
                        "references": [{"output": {"text": REFERENCE[row]}, "tags": ["correct"]}],
                        "split": "test",
                        "id": f"id{row}",
                    },
                    "train_trial_index": 0,
                    "request": {"model": "m", "prompt": SOURCE[row]},
                    "result": {"success": True, "completions": [{"text": texts[row], "logprob": -1.0, "tokens": []}]},
                }
                for row in range(N)
            ],
        }
    )


def opencompass(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            str(row): {
                "origin_prompt": [{"role": "HUMAN", "prompt": SOURCE[row]}],
                "prediction": texts[row],
                "gold": REFERENCE[row],
            }
            for row in range(N)
        }
    )


def lighteval(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "example": SOURCE[row],
            "instruction": "",
            "full_prompt": f"T: {SOURCE[row]}",
            "gold": [REFERENCE[row]],
            "predictions": [texts[row]],
            "metrics": {"bleu": 0.3},
        }
        for row in range(N)
    )


def mlflow(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            "columns": ["inputs", "ground_truth", "outputs", "token_count", "latency"],
            "data": [[SOURCE[row], REFERENCE[row], texts[row], 12, 0.5] for row in range(N)],
        }
    )


def langsmith(name: str, texts: Sequence[str]) -> list[dict[str, object]]:
    return [
        {
            "id": f"{row:08x}-0000-4000-8000-{len(name):012x}",
            "inputs.text": SOURCE[row],
            "outputs.output": texts[row],
            "reference_outputs.answer": REFERENCE[row],
            "experiment": name,
            "latency": 0.4,
            "error": "",
        }
        for row in range(N)
    ]


def deepeval(texts: Sequence[str], _: str) -> bytes:
    return whole(
        {
            "testCases": [
                {
                    "name": f"test_case_{row}",
                    "input": SOURCE[row],
                    "actualOutput": texts[row],
                    "expectedOutput": REFERENCE[row],
                    "success": True,
                    "metricsData": [],
                }
                for row in range(N)
            ]
        }
    )


def ragas(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "user_input": SOURCE[row],
            "response": texts[row],
            "reference": REFERENCE[row],
            "retrieved_contexts": ["one", "two"],
        }
        for row in range(N)
    )


def promptfoo(version: int) -> bytes:
    rows = [
        {
            "provider": {"id": name, "label": ""},
            "prompt": {"raw": "Translate {{text}}", "label": "Translate {{text}}"},
            "vars": {"text": SOURCE[row], "expected": REFERENCE[row]},
            "response": {"output": texts[row], "tokenUsage": {"total": 12}},
            "success": True,
            "score": 1,
            "latencyMs": 300,
            "testIdx": row,
            "promptIdx": 0,
        }
        for row in range(N)
        for name, texts in SYSTEMS.items()
    ]
    return whole(
        {
            "evalId": "e",
            "results": {"version": version, "timestamp": "2025", "results": rows, "stats": {}},
            "config": {},
        }
    )


SHAPES: dict[str, Files] = {
    "an OpenAI batch": of_systems(openai_batch, ".jsonl"),
    "an OpenAI batch with its requests": {**of_systems(openai_batch, ".jsonl"), "input.jsonl": openai_requests()},
    "a batch of responses": of_systems(responses_batch, ".jsonl"),
    "an Anthropic batch": of_systems(anthropic, ".jsonl"),
    "Vertex": of_systems(vertex, ".jsonl"),
    "Bedrock": of_systems(bedrock, ".jsonl.out"),
    "Ollama": of_systems(ollama, ".jsonl"),
    "Ollama, one file": {
        "all.jsonl": b"".join(ollama(texts, name) for name, texts in SYSTEMS.items()),
        "ref.txt": plain(REFERENCE),
    },
    "vLLM": of_systems(vllm, ".jsonl"),
    "a server": of_systems(server, ".jsonl"),
    "chats": of_systems(
        lambda texts, _: rows_of(
            {"messages": [chat("Translate", "system"), chat(SOURCE[row], "user"), chat(texts[row])]} for row in range(N)
        ),
        ".jsonl",
    ),
    "ShareGPT": of_systems(
        lambda texts, _: whole(
            [
                {
                    "id": str(row),
                    "conversations": [{"from": "human", "value": SOURCE[row]}, {"from": "gpt", "value": texts[row]}],
                }
                for row in range(N)
            ]
        ),
        ".json",
    ),
    "Inspect": {f"{name}.json": inspect(texts, name) for name, texts in SYSTEMS.items()},
    "Inspect, names of times": {
        f"2025-01-0{place}T10-00-00+00-00_mt_{'xy'[place - 1] * 8}.json": inspect(texts, name)
        for place, (name, texts) in enumerate(SYSTEMS.items(), 1)
    },
    "lm-evaluation-harness": {
        f"{name}/samples_wmt_2025-01-01T10-00-00.000.jsonl": harness(texts, name) for name, texts in SYSTEMS.items()
    },
    "HELM": in_folders(helm, "scenario_state.json"),
    "OpenCompass": in_folders(opencompass, "predictions/wmt.json"),
    "LightEval": in_folders(lighteval, "details.jsonl"),
    "MLflow": in_folders(mlflow, "eval_results_table.json"),
    "LangSmith": {
        "runs.csv": records_table([one for name, texts in SYSTEMS.items() for one in langsmith(name, texts)])
    },
    "Langfuse": {
        "t.csv": records_table(
            [
                {
                    "id": f"t-{name}-{row}",
                    "timestamp": f"2025-01-01T00:00:{row:02}Z",
                    "name": name,
                    "input": SOURCE[row],
                    "output": texts[row],
                    "expectedOutput": REFERENCE[row],
                    "latency": 0.5,
                }
                for name, texts in SYSTEMS.items()
                for row in range(N)
            ]
        )
    },
    "DeepEval": in_folders(deepeval, "results.json"),
    "ragas": in_folders(ragas, "dataset.jsonl"),
    "promptfoo 3": {"results.json": promptfoo(3)},
    "promptfoo CSV": {
        "out.csv": table(
            [
                ["text", "expected", "[a] Translate {{text}}", "[b] Translate {{text}}"],
                *([SOURCE[row], REFERENCE[row], A[row], B[row]] for row in range(N)),
            ]
        )
    },
    "LLM Comparator": {
        "c.json": whole(
            {
                "metadata": {},
                "models": [{"name": "a"}, {"name": "b"}],
                "examples": [
                    {
                        "input_text": SOURCE[row],
                        "tags": ["t"],
                        "output_text_a": A[row],
                        "output_text_b": B[row],
                        "score": 0.5,
                        "individual_rater_scores": [],
                        "custom_fields": {"reference": REFERENCE[row]},
                    }
                    for row in range(N)
                ],
            }
        )
    },
    "W&B": {
        "t.table.json": whole(
            {
                "columns": ["id", "source", "reference", "a", "b"],
                "data": [[row, SOURCE[row], REFERENCE[row], A[row], B[row]] for row in range(N)],
                "ncols": 5,
                "nrows": N,
            }
        )
    },
    "W&B media": {
        "predictions_0_abc.table.json": whole(
            {
                "columns": ["step", "source", "target", "prediction"],
                "data": [[1, SOURCE[row], REFERENCE[row], A[row]] for row in range(N)],
            }
        ),
        "b.txt": plain(B),
    },
    "GEM": {
        "s.json": whole(
            {"submission_name": "x", "tasks": {}, "systems": SYSTEMS, "references": [REFERENCE], "source": SOURCE}
        )
    },
    "COMET": {
        "c.json": whole(
            {
                f"{name}.txt": [
                    {"src": SOURCE[row], "mt": texts[row], "ref": REFERENCE[row], "COMET": 0.8} for row in range(N)
                ]
                for name, texts in SYSTEMS.items()
            }
        )
    },
    "WMT24++": {
        "en-de_DE.jsonl": rows_of(
            {
                "lp": "en-de_DE",
                "domain": "news",
                "document_id": f"d{row // 4}",
                "segment_id": row,
                "is_bad_source": False,
                "source": SOURCE[row],
                "target": REFERENCE[row],
                "original_target": B[row],
            }
            for row in range(N)
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "SummEval": {
        "s.jsonl": rows_of(
            {
                "id": f"d{row}",
                "model_id": name,
                "decoded": texts[row],
                "text": SOURCE[row],
                "reference": REFERENCE[row],
                "expert_annotations": [{"coherence": 3}],
            }
            for row in range(N)
            for name, texts in SYSTEMS.items()
        )
    },
    "Label Studio": {
        "export.json": whole(
            [
                {
                    "id": row,
                    "data": {"source": SOURCE[row], "reference": REFERENCE[row], "a": A[row], "b": B[row]},
                    "annotations": [{"id": row, "result": [{"value": {"rating": 4}, "from_name": "q"}]}],
                    "created_at": "2025-01-01T00:00:00Z",
                }
                for row in range(N)
            ]
        )
    },
    "Prodigy": {
        "p.jsonl": rows_of(
            {
                "text": SOURCE[row],
                "reference": REFERENCE[row],
                "a": A[row],
                "b": B[row],
                "_input_hash": row * 7919,
                "_task_hash": row * 104729,
                "answer": "accept",
                "_timestamp": 1735689600 + row,
            }
            for row in range(N)
        )
    },
    "translation struct": {
        "d.jsonl": rows_of({"translation": {"en": SOURCE[row], "de": REFERENCE[row]}} for row in range(N)),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "datasets server rows": {
        "d.json": whole(
            {
                "features": [{"feature_idx": 0, "name": "source"}],
                "rows": [
                    {
                        "row_idx": row,
                        "row": {"source": SOURCE[row], "reference": REFERENCE[row], "a": A[row], "b": B[row]},
                        "truncated_cells": [],
                    }
                    for row in range(N)
                ],
                "num_rows_total": N,
            }
        )
    },
    "models under outputs": {
        "o.jsonl": rows_of(
            {"id": row, "source": SOURCE[row], "reference": REFERENCE[row], "outputs": {"a": A[row], "b": B[row]}}
            for row in range(N)
        )
    },
    "models in a list": {
        "o.jsonl": rows_of(
            {
                "id": row,
                "source": SOURCE[row],
                "reference": REFERENCE[row],
                "outputs": [{"model": name, "text": texts[row]} for name, texts in SYSTEMS.items()],
            }
            for row in range(N)
        )
    },
    "long": {"all.jsonl": rows_of(LONG)},
    "AlpacaEval": {
        f"{name}.json": whole(
            [{"instruction": SOURCE[row], "output": texts[row], "generator": name, "dataset": "x"} for row in range(N)]
        )
        for name, texts in SYSTEMS.items()
    }
    | {
        "ref.json": whole(
            [
                {"instruction": SOURCE[row], "output": REFERENCE[row], "generator": "human", "dataset": "x"}
                for row in range(N)
            ]
        )
    },
    "MT-bench answers": of_systems(
        lambda texts, name: rows_of(
            {
                "question_id": row + 81,
                "answer_id": f"id{row}",
                "model_id": name,
                "choices": [{"index": 0, "turns": [texts[row]]}],
                "tstamp": 1690000000.5,
            }
            for row in range(N)
        ),
        ".jsonl",
    ),
    "AutoGen logs, two models": {
        "log.jsonl": rows_of(
            {
                "timestamp": f"2025-01-01T10:{row:02}:00Z",
                "level": "INFO",
                "request_id": f"r{row}-{name}",
                "model": name,
                "sample_id": row,
                "input": SOURCE[row],
                "target": REFERENCE[row],
                "completion": texts[row],
            }
            for row in range(N)
            for name, texts in SYSTEMS.items()
        )
    },
    "Qualtrics-like": {
        "q.csv": table(
            [
                ["id", "source", "reference", "a", "b", "rating", "comment"],
                *(
                    [row, SOURCE[row], REFERENCE[row], A[row], B[row], row % 5, "ok" if row % 2 else ""]
                    for row in range(N)
                ),
            ]
        )
    },
}
