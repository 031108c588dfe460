"""Exports of platforms for annotation, translation and evaluation, and documents in JSON."""

# programs write long lines

from tests.dashboard.file_shapes.texts import (
    REFERENCE,
    SOURCE,
    A,
    B,
    N,
    escaped,
    of_systems,
    plain,
    records_table,
    rows_of,
    table,
    whole,
)

ROWS = [
    dict(zip(("source", "reference", "a", "b"), one, strict=True)) for one in zip(SOURCE, REFERENCE, A, B, strict=True)
]
CUTS = ((0, 5), (5, 6), (6, 15), (15, N))
PLAIN_TWO = {"a.txt": plain(A), "b.txt": plain(B)}


def documents(texts):
    return {f"doc{place}": texts[start:end] for place, (start, end) in enumerate(CUTS)}


def of_all_tables(*titles, further=()):
    """A table with sources for each translation."""
    named = {"a": A, "b": B, "reference": REFERENCE}
    return {
        f"{name}.csv": table(
            [
                titles,
                *(
                    [place, source, text, *further]
                    for place, (source, text) in enumerate(zip(SOURCE, texts, strict=True))
                ),
            ]
        )
        for name, texts in named.items()
    }


def chat(source, answer):
    return [{"role": "user", "content": source}, {"role": "assistant", "content": answer}]


def batch(texts):
    return rows_of(
        {"custom_id": f"r{place}", "response": {"body": {"choices": [{"message": {"content": text}}]}}}
        for place, text in enumerate(texts)
    )


def variants(texts):
    units = "".join(
        f'<tu><tuv xml:lang="de"><seg>{escaped(source)}</seg></tuv>{"".join(texts)}</tu>'
        for source, *texts in zip(
            SOURCE,
            *([f'<tuv xml:lang="en"><seg>{escaped(text)}</seg></tuv>' for text in one] for one in texts),
            strict=True,
        )
    )
    return f'<tmx version="1.4"><header srclang="de"/><body>{units}</body></tmx>'.encode()


def in_language(code):
    texts = {"reference": REFERENCE, "a": A, "b": B} if code == "en" else dict.fromkeys(("reference", "a", "b"), SOURCE)
    return [{"tgt_lang": code, **{name: own[place] for name, own in texts.items()}} for place in range(N)]


SHAPES = {
    "Label Studio, ratings": {
        "project.json": whole(
            [
                {
                    "id": 7 + place,
                    "annotations": [{"result": [{"type": "choices", "value": {"choices": ["good"]}}]}],
                    "data": row,
                }
                for place, row in enumerate(ROWS)
            ]
        )
    },
    "Prodigy, choices": {
        "choices.jsonl": rows_of(
            {
                "text": row["source"],
                "options": [{"id": name, "text": row[name]} for name in "ab"],
                "meta": {"reference": row["reference"]},
                "accept": ["a"],
                "answer": "accept",
            }
            for row in ROWS
        )
    },
    "Argilla": {
        "records.json": whole(
            [
                {
                    "id": f"{place:x}-r",
                    "status": "completed",
                    "fields": row,
                    "responses": {"best": [{"value": "ab"[place % 2], "user_id": "u1", "status": "submitted"}]},
                }
                for place, row in enumerate(ROWS)
            ]
        )
    },
    "memoQ, a table each": of_all_tables(
        "ID", "German (Germany)", "English (United Kingdom)", "Status", further=("Confirmed",)
    ),
    "strings, a table each": of_all_tables(
        "Key", "Source string", "Translation", "Labels", "Max. length", further=("", "")
    ),
    "source, reference, output, no titles": {
        f"{name}.tsv": table(zip(SOURCE, REFERENCE, texts, strict=True), "\t") for name, texts in (("a", A), ("b", B))
    },
    "battles": {
        "battles.jsonl": rows_of(
            {
                "question_id": place,
                "model_a": "a",
                "model_b": "b",
                "winner": "tie",
                "conversation_a": chat(row["source"], row["a"]),
                "conversation_b": chat(row["source"], row["b"]),
                "reference": row["reference"],
            }
            for place, row in enumerate(ROWS)
        )
    },
    "a batch, references beside requests": {
        "requests.jsonl": rows_of(
            {
                "custom_id": f"r{place}",
                "body": {"messages": chat(row["source"], "")[:1], "metadata": {"reference": row["reference"]}},
            }
            for place, row in enumerate(ROWS)
        ),
        "a.jsonl": batch(A),
        "b.jsonl": batch(B),
    },
    "workers, three rows each": {
        "Batch_1.csv": records_table(
            [
                {
                    "HITId": f"H{place}",
                    "WorkerId": f"W{worker}",
                    **{f"Input.{name}": text for name, text in row.items()},
                    "Answer.a": 3,
                    "Answer.b": worker,
                }
                for place, row in enumerate(ROWS)
                for worker in range(3)
            ]
        )
    },
    "long, a row for each metric": {
        "scores.csv": records_table(
            [
                {
                    "system": name,
                    "segment_id": place,
                    "metric": metric,
                    "score": 0.5,
                    "hypothesis": row[name],
                    "reference": row["reference"],
                }
                for name in "ab"
                for place, row in enumerate(ROWS)
                for metric in ("bleu", "chrf")
            ]
        )
    },
    "contexts beside": {
        "t.csv": records_table(
            [
                {
                    "context": (["", *SOURCE])[place],
                    "source_context_after": place,
                    **row,
                    "target context": (["", *REFERENCE])[place],
                }
                for place, row in enumerate(ROWS)
            ]
        )
    },
    "other answers next to each": {
        "t.json": whole(
            [
                {
                    "source": row["source"],
                    "reference": row["reference"],
                    "mt": {name: {"text": row[name], "alternatives": [row["reference"]]} for name in "ab"},
                }
                for row in ROWS
            ]
        )
    },
    "what was asked next to each": of_systems(
        lambda texts, _: rows_of(
            {"prompt": source, "completion": text, "full_text": f"{source} = {text}"}
            for source, text in zip(SOURCE, texts, strict=True)
        ),
        ".jsonl",
    ),
    "documents, lists": {
        "t.json": whole(
            [
                {
                    "doc_id": name,
                    "source": documents(SOURCE)[name],
                    "reference": documents(REFERENCE)[name],
                    "hypotheses": {"a": documents(A)[name], "b": documents(B)[name]},
                }
                for name in documents(A)
            ]
        )
    },
    "documents, objects": {
        "t.json": whole(
            {"documents": [{"id": f"d{start}", "domain": "news", "segments": ROWS[start:end]} for start, end in CUTS]}
        )
    },
    "documents by name": {
        f"{name}.json": whole(documents(texts)) for name, texts in (("a", A), ("b", B), ("reference", REFERENCE))
    },
    "documents by name, other orders": {
        "a.json": whole(documents(A)),
        "b.json": whole(dict(reversed(documents(B).items()))),
        "reference.json": whole(documents(REFERENCE)),
    },
    "documents, a line each": {
        f"{name}.jsonl": rows_of({"doc": doc, "sentences": sentences} for doc, sentences in documents(texts).items())
        for name, texts in (("a", A), ("b", B), ("reference", REFERENCE))
    },
    "TMX, two texts of a language": {**PLAIN_TWO, "ref.tmx": variants((REFERENCE, A[1:] + A[:1]))},
    "a table of two languages": {
        "t.csv": table(
            [
                ["source", *(f"{name}_{code}" for code in ("en", "de") for name in ("reference", "a", "b"))],
                *zip(SOURCE, REFERENCE, A, B, SOURCE, SOURCE[::-1], SOURCE, strict=True),
            ]
        )
    },
    "rows of two languages": {"t.jsonl": rows_of([*in_language("en"), *in_language("de")])},
}
ALONE = {
    "rows of two languages": {"en.jsonl": rows_of(in_language("en"))},
    "a table of two languages": {"en.csv": records_table(ROWS)},
}
"""What the remedies of refusals make of them."""
