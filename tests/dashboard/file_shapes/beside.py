"""Files next to texts that are none of their own: copies, logs, glossaries, parts of projects and experiments."""

import json
from collections.abc import Callable, Sequence

from tests.dashboard.file_shapes import model_logs
from tests.dashboard.file_shapes.folders import zipped
from tests.dashboard.file_shapes.texts import (
    ALL,
    REFERENCE,
    SAMPLE,
    SOURCE,
    SYSTEMS,
    A,
    B,
    Files,
    N,
    escaped,
    plain,
    rows_of,
    whole,
)

PLAIN = {f"{name}.txt": plain(texts) for name, texts in ALL.items()}
FOUR = {**ALL, "src": SOURCE}
GLOSSARY = plain(["Kartoffel\tpotato\tfood", "Schale\tskin", *(f"Wort{n}\tword{n}\tseen once" for n in range(10))])
TERMS = plain([f"{source.split()[0]}\t{text.split()[0]}" for source, text in zip(SOURCE, REFERENCE, strict=True)])


def tokens(texts: Sequence[str]) -> list[str]:
    return [text.replace(",", " ,").replace(".", " .").replace('"', " &quot; ") for text in texts]


def subwords(texts: Sequence[str]) -> list[str]:
    return [
        " ".join(f"{word[:3]}@@ {word[3:]}" if len(word) > 5 else word for word in line.split())
        for line in tokens(texts)
    ]


def pieces(texts: Sequence[str]) -> list[str]:
    return [" ".join(f"▁{word[:3]} {word[3:]}".rstrip() for word in text.split()) for text in texts]


def small(texts: Sequence[str]) -> list[str]:
    return [text.lower() for text in texts]


def copies(change: Callable[[Sequence[str]], list[str]], name: str) -> Files:
    """Four texts, each with a copy that is called so."""
    return {
        **{f"{one}.txt": plain(texts) for one, texts in FOUR.items()},
        **{name.format(one): plain(change(texts)) for one, texts in FOUR.items()},
    }


def development(name: str) -> list[str]:
    """Lines that are not among those of the test set, more than it has."""
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()[100:140]


def joeynmt(texts: Sequence[str], *, step: str) -> Files:
    """What JoeyNMT leaves in the folder of a model."""
    return {
        "config.yaml": b"name: wmt\ndata:\n  train: data/train\n",
        "train.log": plain(
            [f"2025-01-02 10:00:00,1 - INFO - Epoch 1, Step: {n}00, Loss: {9 / (n + 1)}" for n in range(90)]
        ),
        "validations.txt": plain(
            [f"Steps: {n}000\tloss: 2.{n}\tacc: 0.4\tbleu: 2{n}.10\tLR: 0.0003\t*" for n in range(3)]
        ),
        f"{step}.hyps": plain(development("neural-20k")),
        "best.ckpt": bytes(range(256)),
        "src_vocab.txt": plain([f"w{n}" for n in range(500)]),
        "trg_vocab.txt": plain([f"v{n}" for n in range(500)]),
        "output.dev": plain(development("neural-40k")),
        "output.test": plain(texts),
    }


def memory(texts: Sequence[str]) -> bytes:
    units = "".join(
        f'<tu><tuv lang="de"><seg>{escaped(source)}</seg></tuv><tuv lang="en"><seg>{escaped(text)}</seg></tuv></tu>'
        for source, text in zip(SOURCE, texts, strict=True)
    )
    header = '<header creationtool="OmegaT" segtype="sentence" srclang="de" adminlang="en" datatype="plaintext"/>'
    return f'<?xml version="1.0"?><tmx version="1.1">{header}<body>{units}</body></tmx>'.encode()


def omegat(name: str, texts: Sequence[str], *, is_exported: bool = True) -> Files:
    """A project of OmegaT with a glossary."""
    project = b'<?xml version="1.0"?><omegat><project version="1.0"><source_lang>DE</source_lang></project></omegat>'
    return {
        f"{name}/omegat.project": project,
        f"{name}/source/text.txt": plain(SOURCE),
        **({f"{name}/target/text.txt": plain(texts)} if is_exported else {}),
        f"{name}/omegat/project_save.tmx": memory(texts),
        f"{name}/omegat/project_stats.txt": b"Project Statistics\n\t\tSegments\tWords\nTotal:\t24\t400\n",
        f"{name}/omegat/last_entry.properties": b"#Tue\nLAST_ENTRY_NUMBER=3\n",
        f"{name}/omegat/segmentation.srx": b'<?xml version="1.0"?><srx version="2.0"><header/></srx>',
        f"{name}/glossary/glossary.txt": GLOSSARY,
        f"{name}/{name}-omegat.tmx": memory(texts),
        f"{name}/{name}-level1.tmx": memory(texts),
    }


def helm_run(name: str, texts: Sequence[str]) -> Files:
    """The folder of a run of HELM, with all that it writes."""
    folder = f"runs/v1/wmt_14:language_pair=de-en,model={name}"
    asked = [{"input": {"text": SOURCE[n]}, "references": [], "split": "test", "id": f"id{n}"} for n in range(N)]
    return {
        f"{folder}/scenario_state.json": model_logs.helm(texts, name),
        f"{folder}/run_spec.json": whole({"name": name, "adapter_spec": {"model": name, "method": "generation"}}),
        f"{folder}/stats.json": whole([{"name": {"name": "bleu", "split": "test"}, "count": 1, "sum": 0.3}]),
        f"{folder}/instances.json": whole(asked),
        f"{folder}/display_predictions.json": whole(
            [{"instance_id": f"id{n}", "predicted_text": texts[n], "train_trial_index": 0} for n in range(N)]
        ),
        f"{folder}/display_requests.json": whole(
            [{"instance_id": f"id{n}", "request": {"prompt": f"Translate: {SOURCE[n]}"}} for n in range(N)]
        ),
    }


def helm_changed(texts: Sequence[str], name: str) -> bytes:
    """A scenario with wrong references and changed inputs among its requests."""
    found = json.loads(model_logs.helm(texts, name))
    for number, one in enumerate(found["request_states"]):
        one["instance"]["references"].insert(0, {"output": {"text": f"wrong {number}"}, "tags": []})
    changed = json.loads(json.dumps(found["request_states"]))
    for one in changed:
        one["instance"]["perturbation"] = {"name": "misspelling"}
        one["result"]["completions"][0]["text"] += " perhaps"
    return whole({**found, "request_states": [*found["request_states"], *changed]})


def sockeye(texts: Sequence[str], *, has_best: bool) -> bytes:
    """The best outputs of each segment, as Sockeye writes them with several."""
    return rows_of(
        {
            "sentence_id": number,
            **({"translation": text, "score": -0.3} if has_best else {}),
            "scores": [[-0.3], [-0.5]],
            "translations": [text, f"{text} again"],
        }
        for number, text in enumerate(texts)
    )


REPORTS = {
    "warnings": plain([f"UserWarning: tokens {n} and {n + 1} were cut" for n in range(N)]),
    "prose": plain(["Some weights were not initialized", "You should train this model", "Using pad token"] * (N // 3)),
    "a decoder": plain([f"[2025-01-02 10:00:00] Best translation {n} : {text}" for n, text in enumerate(A)]),
    "a few lines": plain(["loading", "done"]),
    "progress": plain([f"{n}%|{'#' * n}| {n}/90 [00:01<00:02, 1.5it/s]" for n in range(90)]),
}
LOGS = (
    "nohup.out",
    "slurm-123456.out",
    "train.log",
    "a.err",
    "stderr.txt",
    "job.o12345",
    "logs/run1.log",
    "decode.log",
)
SHAPES: dict[str, Files] = {
    "tokenized copies": copies(tokens, "{}.tok.txt"),
    "tokenized copies, an ending of their own": copies(tokens, "{}.tok"),
    "tokenized copies behind the ending": copies(tokens, "{}.txt.tok"),
    "tokenized copies with a dash below": copies(tokens, "{}_tok.txt"),
    "copies in subwords": copies(subwords, "{}.bpe"),
    "copies in subwords, with their number": copies(subwords, "{}.bpe.32000"),
    "copies in subwords, called raw": {**PLAIN, "a.raw": plain(subwords(A)), "b.raw": plain(subwords(B))},
    "copies in pieces": copies(pieces, "{}.sp"),
    "copies in small letters": copies(small, "{}.lc.txt"),
    "copies in tokens and small letters": copies(lambda texts: small(tokens(texts)), "{}.tok.lc.txt"),
    "copies in a folder": {
        **{f"tok/{name}.txt": plain(tokens(texts)) for name, texts in FOUR.items()},
        **{f"detok/{name}.txt": plain(texts) for name, texts in FOUR.items()},
    },
    "copies in a folder next to another": {
        **{f"bpe/{name}.txt": plain(subwords(texts)) for name, texts in FOUR.items()},
        **{f"final/{name}.txt": plain(texts) for name, texts in FOUR.items()},
    },
    "detokenized next to tokenized": {
        **{f"{name}.txt": plain(tokens(texts)) for name, texts in FOUR.items()},
        **{f"{name}.detok.txt": plain(texts) for name, texts in FOUR.items()},
    },
    "copies in folders of systems": {
        **{f"{name}/hyp.txt": plain(texts) for name, texts in SYSTEMS.items()},
        **{f"{name}/hyp.tok": plain(tokens(texts)) for name, texts in SYSTEMS.items()},
        **{f"{name}/hyp.bpe": plain(subwords(texts)) for name, texts in SYSTEMS.items()},
        "ref.txt": plain(REFERENCE),
    },
    "the same in an archive": {**PLAIN, "all.zip": zipped(PLAIN)},
    **{f"{name} with {said}": {**PLAIN, name: data} for name in LOGS for said, data in REPORTS.items()},
    "JoeyNMT": {
        **{
            f"models/{name}/{file}": data
            for name, texts in SYSTEMS.items()
            for file, data in joeynmt(texts, step="2000").items()
        },
        "data/train.de": plain(SOURCE * 4),
        "data/train.en": plain(REFERENCE * 4),
        "data/dev.de": plain(development("source")),
        "data/dev.en": plain(development("reference-A")),
        "data/test.de": plain(SOURCE),
        "data/test.en": plain(REFERENCE),
    },
    "JoeyNMT, older names": {
        **{
            f"{name}/{file}": data
            for name, texts in SYSTEMS.items()
            for file, data in joeynmt(texts, step="00002000").items()
        },
        "test.de": plain(SOURCE),
        "test.en": plain(REFERENCE),
    },
    "OmegaT": {**omegat("a", A), **omegat("b", B), "ref.txt": plain(REFERENCE)},
    "OmegaT, not exported": {
        **omegat("a", A, is_exported=False),
        **omegat("b", B, is_exported=False),
        "ref.txt": plain(REFERENCE),
    },
    "a glossary in a folder": {
        "source/text.txt": plain(SOURCE),
        "target/a.txt": plain(A),
        "target/b.txt": plain(B),
        "glossary/glossary.txt": GLOSSARY,
        "ref/text.txt": plain(REFERENCE),
    },
    "a glossary of as many lines": {**PLAIN, "glossary.txt": TERMS},
    "a glossary with broken rows": {**PLAIN, "terms.csv": GLOSSARY.replace(b"\t", b",")},
    "a glossary in TBX": {**PLAIN, "terms.tbx": b'<?xml version="1.0"?><martif type="TBX"><text/></martif>'},
    "a dictionary": {**PLAIN, "dict.de-en.txt": plain([f"Wort{n} word{n}" for n in range(N)])},
    "HELM, all files": {**helm_run("a", A), **helm_run("b", B)},
    "HELM, wrong references and changed inputs": {
        f"{name}/scenario_state.json": helm_changed(texts, name) for name, texts in SYSTEMS.items()
    },
    "Sockeye, several outputs": {
        "a.json": sockeye(A, has_best=True),
        "b.json": sockeye(B, has_best=False),
        "ref.txt": plain(REFERENCE),
    },
    "a test set of terms": {
        "terms.src": plain([text.split()[0] for text in SOURCE]),
        "terms.ref": plain(REFERENCE),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
}
