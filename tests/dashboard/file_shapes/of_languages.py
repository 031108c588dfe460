"""Files as tools, services, releases and people write them, in ten languages."""

# ruff: noqa: E501  # programs write long lines

import csv
import gzip
import io
import itertools
import json
import lzma
import random
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.dashboard.file_shapes.laid_out import sheets
from tests.dashboard.file_shapes.languages import second, sentences, system


class Shapes(dict[str, Callable[[], Any]]):
    """Shapes by their names, each as the function that writes it."""

    def shape(self, write):
        self[write.__name__] = write
        return write

    def of_texts(self, *args, **options):
        """A shape that is written of a source, a reference and two outputs."""

        def add(write):
            self[write.__name__] = lambda: write(*texts_of(*args, **options))
            return write

        return add


SHAPES = Shapes()
shape, of_texts = SHAPES.shape, SHAPES.of_texts


@dataclass(frozen=True)
class Wanted:
    """What a person expects of files.

    Attributes:
        sets: The systems of each test set with their texts, and its references; nothing where files are refused.
        runs: How many runs each recipe has.
        said: What the refusal says.
    """

    sets: tuple[Mapping[str, Any], ...]
    runs: Mapping[str, int] | None = None
    said: str | None = None


def one_set(systems, *references, runs=None):
    return Wanted(({"systems": systems, "references": list(references)},), runs)


def several(sets):
    return Wanted(tuple(sets))


def refused(said):
    return Wanted((), said=said)


def joined(lists):
    return [*itertools.chain.from_iterable(lists)]


def plain(lines, nl="\n", enc="utf-8", bom=b""):
    return bom + (nl.join(lines) + nl).encode(enc)


def rows_of(rows):
    return ("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n").encode()


def whole(value, **options):
    return json.dumps(value, ensure_ascii=False, **options).encode()


def table(rows, sep=",", enc="utf-8", nl="\r\n", **options):
    written = io.StringIO()
    csv.writer(written, delimiter=sep, lineterminator=nl, **options).writerows(rows)
    return written.getvalue().encode(enc)


def xlsx(*named):
    width = max(len(row) for _, rows in named for row in rows)
    return sheets({name: [[*row, *[None] * (width - len(row))] for row in rows] for name, rows in named})


def parquet(columns):
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written)
    return written.getvalue()


def zipped(files):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return written.getvalue()


def texts_of(lang="en", n=40, a="alpha", b="beta", seed=0):
    return (
        sentences("de" if lang != "de" else "en", n, seed),
        sentences(lang, n, seed),
        system(lang, n, a, 0.12, seed),
        system(lang, n, b, 0.25, seed),
    )


def tokenized(x):
    return x.replace(",", " ,").replace(".", " .")


# ---- toolkits
@of_texts()
def fairseq_generate(s, r, a, b):
    def log(h, seed):
        out = [
            "2026-03-01 10:11:12 | INFO | fairseq_cli.generate | {'_name': None, 'common': {'seed': 1}}",
            "2026-03-01 10:11:15 | INFO | fairseq.tasks.translation | [de] dictionary: 8848 types",
        ]
        order = list(range(len(h)))
        random.Random(seed).shuffle(order)
        for i in order:
            out += [
                f"S-{i}\t{tokenized(s[i])}",
                f"T-{i}\t{tokenized(r[i])}",
                f"H-{i}\t-0.{300 + i}\t{tokenized(h[i])}",
                f"D-{i}\t-0.{300 + i}\t{h[i]}",
                f"P-{i}\t" + " ".join(f"-0.{100 + k}" for k in range(6)),
            ]
        return plain(
            [
                *out,
                f"2026-03-01 10:12:00 | INFO | fairseq_cli.generate | Translated {len(h)} sentences (900 tokens) in 2.1s",
                "Generate test with beam=5: BLEU4 = 33.1, 70.1/40.2/25.0/16.1 (BP=1.000, ratio=1.010, syslen=900, reflen=890)",
            ]
        )

    rr = [tokenized(x) for x in r]
    return {"transformer_base/generate-test.txt": log(a, 1), "transformer_big/generate-test.txt": log(b, 2)}, one_set(
        {"transformer_base": a, "transformer_big": b}, rr
    )


@of_texts("ru")
def fairseq_interactive_with_reference(s, r, a, b):
    def log(h):
        return plain(
            joined(
                [
                    [
                        f"S-{i}\t{s[i]}",
                        f"W-{i}\t0.112\tseconds",
                        f"H-{i}\t-0.4\t{h[i]}",
                        f"D-{i}\t-0.4\t{h[i]}",
                        f"P-{i}\t-0.2 -0.1",
                    ]
                    for i in range(40)
                ]
            )
        )

    return {"base.interactive.log": log(a), "big.interactive.log": log(b), "test.ru": plain(r)}, one_set(
        {"base": a, "big": b}, r
    )


@of_texts("fr")
def marian_nbest(_s, r, a, b):
    return {
        "marian.nbest": plain(
            joined(
                [
                    [f"{i} ||| {x} ||| F0= -{i % 7}.12 ||| -{i % 7}.12", f"{i} ||| {y} ||| F0= -9.2 ||| -9.2"]
                    for i, (x, y) in enumerate(zip(a, b, strict=False))
                ]
            )
        ),
        "ref.fr": plain(r),
        "other.fr": plain(b),
    }, one_set({"marian": a, "other": b}, r)


@of_texts()
def opennmt_verbose(s, r, a, b):
    def log(h):
        return plain(
            [
                "[2026-02-02 09:00:00,123 INFO] Translating shard 0.",
                *joined(
                    [
                        [
                            f"SENT {i + 1}: {tokenized(s[i]).split()!r}",
                            f"PRED {i + 1}: {h[i]}",
                            f"PRED SCORE: -{i}.1234",
                            f"GOLD {i + 1}: {r[i]}",
                            "GOLD SCORE: -12.3",
                            "",
                        ]
                        for i in range(40)
                    ]
                ),
                "PRED AVG SCORE: -0.3, PRED PPL: 1.4",
            ]
        )

    return {"onmt_small.log": log(a), "onmt_large.log": log(b)}, one_set({"onmt_small": a, "onmt_large": b}, r)


@of_texts()
def joeynmt_model_dirs(s, r, a, b):
    f = {}
    for m, h in (("rnn", a), ("transformer", b)):
        f[f"{m}/best.ckpt.hyps.test"] = plain(h)
        f[f"{m}/validations.txt"] = plain(
            [f"Steps: {k}00\tLoss: 3.{k}\tPPL: 20.{k}\tbleu: {k}.1\tLR: 0.0003\t*" for k in range(1, 20)]
        )
        f[f"{m}/config.yaml"] = plain(["name: x", "model:", "  encoder: {type: rnn}"])
        f[f"{m}/train.log"] = plain(
            [
                f"2026-01-01 1{k}:00:00,1 - INFO - joeynmt.training - Epoch {k}, Step: {k}00, Batch Loss: 3.2"
                for k in range(9)
            ]
        )
        f[f"{m}/src_vocab.txt"] = plain(["<unk>", "<pad>", "<s>", "</s>", "der", "die", "das"])
    f["data/test.en"] = plain(r)
    f["data/test.de"] = plain(s)
    return f, one_set({"rnn": a, "transformer": b}, r)


@of_texts("es")
def sockeye_json(_s, r, a, b):
    def o(h):
        return rows_of(
            [{"sentence_id": i, "translation": x, "score": 1.0 + i / 9, "nbest": [x]} for i, x in enumerate(h)]
        )

    return {"sockeye.base.out": o(a), "sockeye.big.out": o(b), "reference.es": plain(r)}, one_set(
        {"base": a, "big": b}, r
    )


@of_texts()
def tensor2tensor_decodes(s, r, a, b):
    p = "translate.transformer.transformer_base.translate_ende.beam4.alpha0.6"
    return {
        f"run1/{p}.decodes": plain(a),
        f"run1/{p}.inputs": plain(s),
        f"run1/{p}.targets": plain(r),
        f"run2/{p}.decodes": plain(b),
        f"run2/{p}.inputs": plain(s),
        f"run2/{p}.targets": plain(r),
    }, one_set({"run1": a, "run2": b}, r)


@of_texts()
def simuleval_instances(_s, r, a, b):
    def o(h):
        return rows_of(
            [
                {
                    "index": i,
                    "prediction": x + " </s>" if False else x,
                    "delays": [float(k) for k in range(5)],
                    "elapsed": [0.1 * k for k in range(5)],
                    "prediction_length": len(x.split()),
                    "reference": r[i],
                    "source": [f"/data/tst/ted_{i}.wav", "samplerate: 16000"],
                    "source_length": 4000.0 + i,
                }
                for i, x in enumerate(h)
            ]
        )

    return {
        "wait3/instances.log": o(a),
        "wait7/instances.log": o(b),
        "wait3/scores": plain(["{'Quality': {'BLEU': 22.1}, 'Latency': {'AL': 3.2}}"]),
    }, one_set({"wait3": a, "wait7": b}, r)


@of_texts("de")
def nemo_manifest(_s, r, a, b):
    def o(h):
        return rows_of(
            [
                {"audio_filepath": f"/a/{i:04d}.wav", "duration": 2.5 + i, "text": r[i], "pred_text": x, "wer": 0.1}
                for i, x in enumerate(h)
            ]
        )

    return {"canary.json": o(a), "parakeet.json": o(b)}, one_set({"canary": a, "parakeet": b}, r)


@of_texts("es")
def kaldi_text_shuffled(_s, r, a, b):
    def o(h, k):
        rows = [f"spk{i % 4}-utt{i:04d} {x}" for i, x in enumerate(h)]
        random.Random(k).shuffle(rows)
        return plain(rows)

    return {
        "exp/conformer/decode_test/text": o(a, 1),
        "exp/branchformer/decode_test/text": o(b, 2),
        "data/test/text": o(r, 3),
    }, one_set({"conformer": a, "branchformer": b}, r)


@of_texts()
def espnet_trn(_s, r, a, b):
    def o(h):
        return plain([f"{x} (spk{i % 3}-tst_{i:03d})" for i, x in enumerate(h)])

    return {
        "st_a/hyp.trn.detok": o(a),
        "st_a/ref.trn.detok": o(r),
        "st_b/hyp.trn.detok": o(b),
        "st_b/ref.trn.detok": o(r),
    }, one_set({"st_a": a, "st_b": b}, r)


@of_texts()
def compare_mt_folder(s, r, a, b):
    def tag(h):
        return plain([" ".join(["DT", "NN", "VB", "IN"][len(w) % 4] for w in x.split()) for x in h])

    return {
        "ted.ref.eng": plain(r),
        "ted.sys1.eng": plain(a),
        "ted.sys2.eng": plain(b),
        "ted.orig.deu": plain(s),
        "ted.ref.eng.tag": tag(r),
        "ted.sys1.eng.tag": tag(a),
        "ted.sys2.eng.tag": tag(b),
        "ted.ref.align": plain([" ".join(f"{k}-{k}" for k in range(5 + i % 4)) for i in range(40)]),
        "vocab.counts": plain([f"word{i}\t{i * 7}" for i in range(90)]),
    }, one_set({"sys1": a, "sys2": b}, r)


@of_texts()
def bpe_beside_detokenised(_s, r, a, b):
    def bpe(h):
        return plain([" ".join(w[:3] + "@@ " + w[3:] if len(w) > 6 else w for w in tokenized(x).split()) for x in h])

    return {
        "sysA.bpe": bpe(a),
        "sysA.txt": plain(a),
        "sysB.bpe": bpe(b),
        "sysB.txt": plain(b),
        "ref.txt": plain(r),
    }, one_set({"sysA": a, "sysB": b}, r)


@of_texts("fr")
def opusmt_compare_blocks(s, r, a, b):
    def o(h):
        return plain(joined([[s[i], r[i], h[i], ""] for i in range(40)]))

    return {"opus-2020.tatoeba.deu-fra.compare": o(a), "opus-2021.tatoeba.deu-fra.compare": o(b)}, one_set(
        {"opus-2020": a, "opus-2021": b}, r
    )


@of_texts("de")
def mt_compareval(s, r, a, b):
    return {
        "newstest/source.txt": plain(s),
        "newstest/reference.txt": plain(r),
        "newstest/config.neon": plain(
            ["name: News", "description: my", "source: source.txt", "reference: reference.txt"]
        ),
        "newstest/moses/translation.txt": plain(a),
        "newstest/moses/config.neon": plain(["name: Moses"]),
        "newstest/chimera/translation.txt": plain(b),
        "newstest/chimera/config.neon": plain(["name: Chimera"]),
    }, one_set({"moses": a, "chimera": b}, r)


@of_texts()
def hf_run_translation_dirs(s, r, a, b):
    f = {"data/test.json": rows_of([{"translation": {"de": x, "en": y}} for x, y in zip(s, r, strict=False)])}
    for m, h in (("opus-mt", a), ("m2m100", b)):
        f[f"out/{m}/generated_predictions.txt"] = plain(h)
        f[f"out/{m}/all_results.json"] = whole({"predict_bleu": 31.2, "predict_samples": 40})
        f[f"out/{m}/predict_results.json"] = whole({"predict_bleu": 31.2})
        f[f"out/{m}/trainer_state.json"] = whole({"epoch": 3.0, "log_history": [{"loss": 2.1, "step": 10}]})
        f[f"out/{m}/README.md"] = plain(["---", "license: mit", "---", "# " + m, "This model is a fine-tuned version."])
    return f, one_set({"opus-mt": a, "m2m100": b}, r)


@of_texts("en", 30)
def whisper_json_per_model(_s, r, a, b):
    def o(h):
        return whole(
            {
                "text": " ".join(h),
                "segments": [
                    {
                        "id": i,
                        "seek": 0,
                        "start": i * 3.0,
                        "end": i * 3.0 + 2.5,
                        "text": " " + x,
                        "tokens": [50364, 400 + i],
                        "temperature": 0.0,
                        "avg_logprob": -0.2,
                        "compression_ratio": 1.3,
                        "no_speech_prob": 0.01,
                    }
                    for i, x in enumerate(h)
                ],
                "language": "en",
            }
        )

    return {"large-v3/talk.json": o(a), "small/talk.json": o(b), "ref.txt": plain(r)}, one_set(
        {"large-v3": a, "small": b}, r
    )


@of_texts("en", 30)
def moses_100best_only(_s, r, a, b):
    def o(h, g):
        return plain(
            joined(
                [
                    [
                        f"{i} ||| {x}  ||| LexicalReordering0= -1.2 0 0 Distortion0= 0 LM0= -30.{i} ||| -2.{i}",
                        f"{i} ||| {y}  ||| LexicalReordering0= -3 0 0 Distortion0= 0 LM0= -31 ||| -3.{i}",
                    ]
                    for i, (x, y) in enumerate(zip(h, g, strict=False))
                ]
            )
        )

    return {"pbmt/run7.best100.out": o(a, b), "osm/run7.best100.out": o(b, a), "test.ref": plain(r)}, one_set(
        {"pbmt": a, "osm": b}, r
    )


# ---- model providers
@of_texts("ja", 30)
def openai_batch_with_requests(s, r, a, b):
    req = rows_of(
        [
            {
                "custom_id": f"request-{i}",
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": {
                    "model": "gpt-x",
                    "messages": [
                        {"role": "system", "content": "You translate."},
                        {"role": "user", "content": "Translate to Japanese: " + x},
                    ],
                },
            }
            for i, x in enumerate(s)
        ]
    )

    def o(h, k, m):
        rows = [
            {
                "id": f"batch_req_{i}",
                "custom_id": f"request-{i}",
                "response": {
                    "status_code": 200,
                    "request_id": "r",
                    "body": {
                        "id": "c",
                        "object": "chat.completion",
                        "model": m,
                        "choices": [
                            {"index": 0, "message": {"role": "assistant", "content": x}, "finish_reason": "stop"}
                        ],
                        "usage": {"total_tokens": 30},
                    },
                },
                "error": None,
            }
            for i, x in enumerate(h)
        ]
        random.Random(k).shuffle(rows)
        return rows_of(rows)

    return {
        "requests.jsonl": req,
        "gpt-4o_output.jsonl": o(a, 1, "gpt-4o-2024"),
        "gpt-mini_output.jsonl": o(b, 2, "gpt-mini-2024"),
        "references.ja": plain(r),
    }, one_set({"gpt-4o": a, "gpt-mini": b}, r)


@of_texts("en", 30)
def openai_batch_ids_of_table(s, r, a, b):
    def o(h, k, m):
        rows = [
            {
                "id": f"b{i}",
                "custom_id": f"news-{i:03d}",
                "response": {
                    "status_code": 200,
                    "body": {"model": m, "choices": [{"index": 0, "message": {"role": "assistant", "content": x}}]},
                },
                "error": None,
            }
            for i, x in enumerate(h)
        ]
        random.Random(k).shuffle(rows)
        return rows_of(rows)

    return {
        "batch_gpt.jsonl": o(a, 1, "gpt-4o"),
        "batch_o4.jsonl": o(b, 2, "o4-mini"),
        "testset.tsv": table(
            [["id", "source", "reference"]] + [[f"news-{i:03d}", s[i], r[i]] for i in range(30)], "\t"
        ),
    }, one_set({"gpt": a, "o4": b}, r)


@of_texts("en", 30)
def anthropic_batch(s, r, a, b):
    def o(h, k, m):
        rows = [
            {
                "custom_id": f"seg{i}",
                "result": {
                    "type": "succeeded",
                    "message": {
                        "id": "msg",
                        "type": "message",
                        "role": "assistant",
                        "model": m,
                        "content": [{"type": "text", "text": x}],
                        "stop_reason": "end_turn",
                        "usage": {"input_tokens": 9},
                    },
                },
            }
            for i, x in enumerate(h)
        ]
        random.Random(k).shuffle(rows)
        return rows_of(rows)

    return {
        "haiku.jsonl": o(a, 3, "haiku-4"),
        "sonnet.jsonl": o(b, 4, "sonnet-4"),
        "gold.jsonl": rows_of([{"id": f"seg{i}", "src": s[i], "ref": r[i]} for i in range(30)]),
    }, one_set({"haiku": a, "sonnet": b}, r)


@of_texts("th", 30)
def gemini_batch(_s, r, a, b):
    def o(h):
        return rows_of(
            [
                {
                    "key": f"k-{i}",
                    "response": {
                        "candidates": [
                            {"content": {"parts": [{"text": x + "\n"}], "role": "model"}, "finishReason": "STOP"}
                        ],
                        "modelVersion": "gemini-x",
                        "usageMetadata": {"totalTokenCount": 44},
                    },
                }
                for i, x in enumerate(h)
            ]
        )

    return {"flash.jsonl": o(a), "pro.jsonl": o(b), "ref.th.txt": plain(r)}, one_set({"flash": a, "pro": b}, r)


@of_texts("en", 40)
def vllm_ranks_interleaved(s, r, a, b):
    f = {"ref.txt": plain(r)}
    for m, h in (("qwen", a), ("llama", b)):
        for k in range(4):
            f[f"{m}/outputs_rank{k}.jsonl"] = rows_of(
                [
                    {"idx": i, "prompt": "Translate German to English.\n" + s[i], "generated_text": h[i]}
                    for i in range(k, 40, 4)
                ]
            )
    return f, one_set({"qwen": a, "llama": b}, r)


@of_texts("en", 30)
def azure_translator(_s, r, a, b):
    return {
        "azure.json": whole(
            [
                {"detectedLanguage": {"language": "de", "score": 1.0}, "translations": [{"text": x, "to": "en"}]}
                for x in a
            ]
        ),
        "google.json": whole({"data": {"translations": [{"translatedText": x, "model": "nmt"} for x in b]}}),
        "ref.en": plain(r),
    }, one_set({"azure": a, "google": b}, r)


@of_texts("fr", 30)
def libretranslate_and_deepl(s, r, a, b):
    return {
        "libre.json": whole({"translatedText": a}),
        "deepl.json": whole({"translations": [{"detected_source_language": "DE", "text": x} for x in b]}),
        "ref.fr": plain(r),
        "src.de": plain(s),
    }, one_set({"libre": a, "deepl": b}, r)


@of_texts("hi", 30)
def chat_messages_with_gold(s, r, a, b):
    def o(h):
        return rows_of(
            [
                {
                    "messages": [
                        {"role": "system", "content": "You are a translator."},
                        {"role": "user", "content": "Translate into Hindi:\n" + s[i]},
                        {"role": "assistant", "content": r[i]},
                    ],
                    "generated": h[i],
                }
                for i in range(30)
            ]
        )

    return {"mistral.jsonl": o(a), "gemma.jsonl": o(b)}, one_set({"mistral": a, "gemma": b}, r)


@of_texts("en", 30)
def one_json_per_item(s, r, a, b):
    f = {}
    for m, h in (("claude", a), ("gpt", b)):
        for i in range(30):
            f[f"results/{m}/{i:04d}.json"] = whole(
                {"id": i, "model": m, "source": s[i], "reference": r[i], "output": h[i], "latency_ms": 300 + i},
                indent=1,
            )
    return f, one_set({"claude": a, "gpt": b}, r)


@of_texts("en", 30)
def llama_cpp_lines_with_think(_s, r, a, b):
    return {
        "deepseek.jsonl": rows_of(
            [
                {"id": i, "response": "<think>\nThe sentence is about a " + r[i].split()[1] + ".\n</think>\n\n" + x}
                for i, x in enumerate(a)
            ]
        ),
        "phi.jsonl": rows_of([{"id": i, "response": x} for i, x in enumerate(b)]),
        "ref.jsonl": rows_of([{"id": i, "reference": x} for i, x in enumerate(r)]),
    }, one_set({"deepseek": a, "phi": b}, r)


# ---- evaluation harnesses
@of_texts("en", 30)
def lm_eval_samples(s, r, a, b):
    f = {}
    for m, h in (("meta-llama__Llama-3-8B", a), ("google__gemma-2-9b", b)):
        f[f"{m}/results_2026-01-01T10-00-00.123.json"] = whole(
            {
                "results": {"wmt16-de-en": {"alias": "wmt16-de-en", "bleu,none": 30.1}},
                "config": {"model": "hf"},
                "n-samples": {},
            }
        )
        f[f"{m}/samples_wmt16-de-en_2026-01-01T10-00-00.123.jsonl"] = rows_of(
            [
                {
                    "doc_id": i,
                    "doc": {"translation": {"de": s[i], "en": r[i]}},
                    "target": " " + r[i],
                    "arguments": {
                        "gen_args_0": {
                            "arg_0": "German phrase: " + s[i] + "\nEnglish phrase:",
                            "arg_1": {"until": ["\n"]},
                        }
                    },
                    "resps": [[" " + h[i]]],
                    "filtered_resps": [" " + h[i]],
                    "filter": "none",
                    "metrics": ["bleu"],
                    "doc_hash": "ab" * 32,
                    "bleu": [r[i], h[i]],
                }
                for i in range(30)
            ]
        )
    return f, one_set({"Llama": a, "gemma": b}, r)


@of_texts("en", 30)
def helm_scenario_states(s, r, a, b):
    f = {}
    for m, h in (("openai_gpt-4o", a), ("meta_llama-3", b)):
        d = f"runs/v1/wmt_14:language_pair=de-en,model={m}"
        f[d + "/scenario_state.json"] = whole(
            {
                "adapter_spec": {"method": "generation", "model": m.replace("_", "/")},
                "request_states": [
                    {
                        "instance": {
                            "id": f"id{i}",
                            "split": "test",
                            "input": {"text": s[i]},
                            "references": [{"output": {"text": r[i]}, "tags": ["correct"]}],
                        },
                        "request": {"model": m.replace("_", "/"), "prompt": "Translate:\n" + s[i]},
                        "result": {"success": True, "completions": [{"text": " " + h[i], "logprob": -3.2}]},
                    }
                    for i in range(30)
                ],
            }
        )
        f[d + "/run_spec.json"] = whole({"name": "wmt_14", "adapter_spec": {"model": m}})
        f[d + "/stats.json"] = whole([{"name": {"name": "bleu_4", "split": "test"}, "count": 1, "mean": 0.2}])
        f[d + "/per_instance_stats.json"] = whole(
            [{"instance_id": f"id{i}", "stats": [{"name": {"name": "bleu_4"}, "sum": 0.1}]} for i in range(30)]
        )
    return f, one_set({"gpt-4o": a, "llama-3": b}, r)


@of_texts("de", 20)
def promptfoo_json(s, r, a, b):
    res = []
    for i in range(20):
        for m, h in (("openai:gpt-4o", a), ("mistral:large", b)):
            res.append(
                {
                    "provider": {"id": m, "label": ""},
                    "prompt": {"raw": "Translate: " + s[i], "label": "p"},
                    "vars": {"text": s[i], "reference": r[i]},
                    "response": {"output": h[i], "tokenUsage": {}},
                    "testIdx": i,
                    "promptIdx": 0 if m[0] == "o" else 1,
                    "success": True,
                    "score": 1,
                    "latencyMs": 100,
                    "gradingResult": None,
                }
            )
    return {
        "output.json": whole(
            {
                "evalId": "eval-x",
                "results": {
                    "version": 3,
                    "timestamp": "2026-01-01",
                    "prompts": [],
                    "results": res,
                    "stats": {"successes": 40},
                },
                "config": {},
                "shareableUrl": None,
            }
        )
    }, one_set({"gpt-4o": a, "mistral": b}, r)


@of_texts("en", 20)
def openai_evals_log(s, r, a, b):
    def o(h, m):
        return rows_of(
            [
                {
                    "spec": {
                        "completion_fns": [m],
                        "eval_name": "translate.dev",
                        "base_eval": "translate",
                        "split": "dev",
                        "run_config": {},
                        "created_by": "",
                        "run_id": "2301",
                        "created_at": "2026",
                    }
                },
                *joined(
                    [
                        [
                            {
                                "run_id": "2301",
                                "event_id": 2 * i,
                                "sample_id": f"translate.dev.{i}",
                                "type": "sampling",
                                "data": {
                                    "prompt": [{"role": "user", "content": "Translate " + s[i]}],
                                    "sampled": [h[i]],
                                },
                                "created_by": "",
                                "created_at": "x",
                            },
                            {
                                "run_id": "2301",
                                "event_id": 2 * i + 1,
                                "sample_id": f"translate.dev.{i}",
                                "type": "match",
                                "data": {
                                    "correct": False,
                                    "expected": r[i],
                                    "sampled": h[i],
                                    "sacrebleu_sentence_score": 31.2,
                                },
                                "created_by": "",
                                "created_at": "x",
                            },
                        ]
                        for i in range(20)
                    ]
                ),
                {"final_report": {"sacrebleu_score": 30.1}},
            ]
        )

    return {"gpt-a.jsonl": o(a, "gpt-a"), "gpt-b.jsonl": o(b, "gpt-b")}, one_set({"gpt-a": a, "gpt-b": b}, r)


@of_texts("en", 30)
def ragas_like_long(s, r, a, b):
    rows = []
    for i in range(30):
        for m, h in (("gpt", a), ("llama", b)):
            rows.append(
                {
                    "user_input": "Translate: " + s[i],
                    "response": h[i],
                    "reference": r[i],
                    "retrieved_contexts": [],
                    "model_name": m,
                    "temperature": 0.0,
                }
            )
    random.Random(5).shuffle(rows)
    return {"eval_dataset.jsonl": rows_of(rows)}, one_set({"gpt": a, "llama": b}, r)


@of_texts("en", 20)
def inspect_eval_json(s, r, a, b):
    def o(h, m):
        return whole(
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "translate", "model": m, "created": "2026-01-01"},
                "plan": {"steps": []},
                "results": {"scores": []},
                "samples": [
                    {
                        "id": i + 1,
                        "epoch": 1,
                        "input": "Translate: " + s[i],
                        "target": r[i],
                        "messages": [{"role": "user", "content": s[i]}, {"role": "assistant", "content": h[i]}],
                        "output": {
                            "model": m,
                            "choices": [{"message": {"content": h[i], "role": "assistant"}, "stop_reason": "stop"}],
                            "completion": h[i],
                        },
                        "scores": {"bleu": {"value": 0.3}},
                    }
                    for i in range(20)
                ],
            }
        )

    return {
        "logs/2026-01-01T10-00_translate_a.json": o(a, "openai/gpt-4o"),
        "logs/2026-01-01T11-00_translate_b.json": o(b, "google/gemini"),
    }, one_set({"gpt-4o": a, "gemini": b}, r)


@of_texts("en", 30)
def wandb_table(s, r, a, b):
    return {
        "media/table/predictions_1.table.json": whole(
            {
                "columns": ["step", "source", "reference", "baseline", "finetuned", "bleu"],
                "data": [[i, s[i], r[i], a[i], b[i], 0.3] for i in range(30)],
                "ncols": 6,
                "nrows": 30,
            }
        )
    }, one_set({"baseline": a, "finetuned": b}, r)


@of_texts("en", 20)
def langfuse_csv(s, r, a, b):
    rows = [
        [
            "id",
            "timestamp",
            "name",
            "userId",
            "metadata",
            "input",
            "output",
            "expected_output",
            "model",
            "latency",
            "total_cost",
        ]
    ]
    for m, h in (("gpt-4o", a), ("haiku", b)):
        for i in range(20):
            rows.append(  # noqa: PERF401  # a row of a table
                [
                    f"{m}-tr{i:08x}",
                    f"2026-01-0{1 + i % 9}T10:00:00Z",
                    "translate",
                    "u1",
                    json.dumps({"item": i}),
                    s[i],
                    h[i],
                    r[i],
                    m,
                    "1.2",
                    "0.001",
                ]
            )
    return {"traces.csv": table(rows)}, one_set({"gpt-4o": a, "haiku": b}, r)


@of_texts("en", 30)
def lighteval_details_parquet(s, r, a, b):
    def o(h):
        return parquet(
            {
                "doc": [
                    {"query": "Translate: " + s[i], "choices": [r[i]], "gold_index": 0, "id": str(i)} for i in range(30)
                ],
                "model_response": [{"text": [h[i]], "input_tokens": [1, 2], "logprobs": [0.1]} for i in range(30)],
                "metric": [{"bleu": 0.3} for _ in range(30)],
            }
        )

    return {"details/mistral/details_wmt_2026.parquet": o(a), "details/qwen/details_wmt_2026.parquet": o(b)}, one_set(
        {"mistral": a, "qwen": b}, r
    )


# ---- metrics inputs
@of_texts("zh")
def comet_inputs(s, r, a, b):
    return {
        "src.de": plain(s),
        "hyp1.zh": plain(a),
        "hyp2.zh": plain(b),
        "ref.zh": plain(r),
        "comet.log": plain([f"hyp1.zh\tSegment {i}\tscore: 0.8{i}" for i in range(40)] + ["hyp1.zh\tscore: 0.8123"]),
    }, one_set({"hyp1": a, "hyp2": b}, r)


@of_texts("en", 30)
def comet_to_json(s, r, a, b):
    return {
        "comet.json": whole(
            {
                "hyp1.txt": [{"src": s[i], "mt": a[i], "ref": r[i], "COMET": 0.8} for i in range(30)],
                "hyp2.txt": [{"src": s[i], "mt": b[i], "ref": r[i], "COMET": 0.7} for i in range(30)],
            }
        )
    }, one_set({"hyp1": a, "hyp2": b}, r)


@of_texts("en", 30)
def metricx_inputs(s, r, a, b):
    def o(h):
        return rows_of([{"id": str(i), "source": s[i], "hypothesis": h[i], "reference": r[i]} for i in range(30)])

    return {"metricx/sysA.jsonl": o(a), "metricx/sysB.jsonl": o(b)}, one_set({"sysA": a, "sysB": b}, r)


@of_texts("en", 30)
def wmt_da_csv_without_system(s, r, a, b):
    rows = [["lp", "src", "mt", "ref", "score", "raw", "annotators", "domain", "year"]] + [
        ["de-en", s[i], h[i], r[i], "0.1", "80.0", "3", "news", "2021"] for i in range(30) for h in (a, b)
    ]
    return {"wmt-da.csv": table(rows)}, refused("system")


@shape
def wmt_da_with_system_two_pairs():
    rows = [["lp", "src", "mt", "ref", "score", "raw", "annotators", "domain", "year", "sysname"]]
    sets = []
    for lp, language in (("en-de", "de"), ("de-en", "en")):
        s, r, a, b = texts_of(language, 30)
        sets.append({"systems": {"UEdin": a, "Online-B": b}, "references": [r]})
        for i in range(30):
            for m, h in (("UEdin", a), ("Online-B", b)):
                rows.append([lp, s[i], h[i], r[i], "0.1", "80.0", "3", "news", "2021", m])
    return {"da.csv": table(rows)}, several(sets)


# ---- releases
@of_texts("en", 30)
def wmt_sgm(s, r, a, b):
    def sgm(k, lines, attr):
        return (
            f"<{k} {attr}>\n"
            + '<doc docid="d1" origlang="de" sysid="{}">\n'.format(attr.split('sysx="')[-1].split('"')[0])
            + "\n".join(f'<p>\n<seg id="{i + 1}">{x}</seg>\n</p>' for i, x in enumerate(lines))
            + f"\n</doc>\n</{k}>\n"
        ).encode()

    c = 'setid="newstest2013" srclang="any" trglang="en"'
    return {
        "newstest2013-src.de.sgm": sgm("srcset", s, 'setid="newstest2013" srclang="any"'),
        "newstest2013-ref.en.sgm": sgm("refset", r, c + ' sysx="ref"'),
        "newstest2013.de-en.cu-zeman.sgm": sgm("tstset", a, c + ' sysx="cu-zeman"'),
        "newstest2013.de-en.uedin.sgm": sgm("tstset", b, c + ' sysx="uedin"'),
    }, one_set({"cu-zeman": a, "uedin": b}, r)


@of_texts("en")
def wmt14_text(s, r, a, b):
    return {
        "newstest2014-deen-ref.en": plain(r),
        "newstest2014-deen-src.de": plain(s),
        "newstest2014.uedin-syntax.3035.de-en": plain(a),
        "newstest2014.onlineA.0.de-en": plain(b),
    }, one_set({"uedin-syntax": a, "onlineA": b}, r)


@shape
def wmt18_submissions_src_ref():
    f = {}
    sets = []
    for lp in ("de-en", "en-de"):
        x, y = lp.split("-")
        s, r, a, b = texts_of(y, 30)
        f[f"sources/newstest2018-{x}{y}-src.{x}"] = plain(s)
        f[f"references/newstest2018-{x}{y}-ref.{y}"] = plain(r)
        f[f"system-outputs/newstest2018/{lp}/newstest2018.RWTH.5650.{lp}"] = plain(a)
        f[f"system-outputs/newstest2018/{lp}/newstest2018.NTT.5632.{lp}"] = plain(b)
        sets.append({"systems": {"RWTH": a, "NTT": b}, "references": [r]})
    return f, several(sets)


@of_texts("ru")
def wmt22_hyp_names(s, r, a, b):
    second("ru", 40)
    return {
        "generaltest2022.de-ru.src.de": plain(s),
        "generaltest2022.de-ru.ref.refA.ru": plain(r),
        "generaltest2022.de-ru.hyp.Online-W.ru": plain(a),
        "generaltest2022.de-ru.hyp.JDExplore.ru": plain(b),
    }, one_set({"Online-W": a, "JDExplore": b}, r)


@of_texts("ja")
def wmttest_names(s, r, a, b):
    return {
        "wmttest2023.src.de": plain(s),
        "wmttest2023.ref.refA.ja": plain(r),
        "wmttest2023.hyp.GPT4-5shot.ja": plain(a),
        "wmttest2023.hyp.ONLINE-B.ja": plain(b),
    }, one_set({"GPT4-5shot": a, "ONLINE-B": b}, r)


@of_texts("en", 30)
def wmt21_xml_two_refs(s, r, a, b):
    r2 = second("en", 30)

    def blk(k, attr, lines, o):
        return (
            f"<{k} {attr}>\n<p>\n"
            + "\n".join(f'<seg id="{i + 1}">{x}</seg>' for i, x in enumerate(lines))
            + f"\n</p>\n</{k}>"
        )

    x = '<?xml version="1.0" encoding="utf-8"?>\n<dataset id="newstest2021">\n'
    for d in range(3):
        c = slice(10 * d, 10 * d + 10)
        x += (
            f'<doc origlang="de" id="doc{d}">'
            + blk("src", 'lang="de"', s[c], 0)
            + blk("ref", 'lang="en" translator="A"', r[c], 0)
            + blk("ref", 'lang="en" translator="B"', r2[c], 0)
            + blk("hyp", 'lang="en" system="Facebook-AI"', a[c], 0)
            + blk("hyp", 'lang="en" system="VolcTrans"', b[c], 0)
            + "</doc>\n"
        )
    return {"newstest2021.de-en.all.xml": (x + "</dataset>\n").encode()}, Wanted(
        [{"systems": {"Facebook-AI": a, "VolcTrans": b}, "references": [r, r2]}]
    )


@of_texts("es", 30)
def wmt24_jsonl_system_files(s, r, a, b):
    base = rows_of(
        [
            {
                "line_id": i,
                "dataset_id": "wmttest2024",
                "collection_id": "general",
                "doc_id": f"news_{i // 5}",
                "domain": "news",
                "src_lang": "en",
                "tgt_lang": "es",
                "src": s[i],
                "ref": r[i],
            }
            for i in range(30)
        ]
    )

    def o(h):
        return rows_of([{"line_id": i, "doc_id": f"news_{i // 5}", "hypothesis": h[i]} for i in range(30)])

    return {"en-es.jsonl": base, "submissions/Tower.jsonl": o(a), "submissions/Claude.jsonl": o(b)}, one_set(
        {"Tower": a, "Claude": b}, r
    )


@of_texts("en", 30)
def wmt25_tgt_text(s, r, a, b):
    return {
        "wmt25-genmt-humeval.jsonl": rows_of(
            [
                {
                    "doc_id": f"de-en_#_news_#_{i}",
                    "src_text": s[i],
                    "tgt_text": {"refA": r[i], "GPT-4.1": a[i], "Shy-hunyuan": b[i]},
                    "scores": {"GPT-4.1": [{"human": 80}], "Shy-hunyuan": [{"human": 70}]},
                }
                for i in range(30)
            ]
        )
    }, one_set({"GPT-4.1": a, "Shy-hunyuan": b}, r)


@of_texts("en", 40)
def mtme_layout(s, r, a, b):
    second("en", 40)
    return {
        "documents/de-en.docs": plain([f"news\tdoc{i // 5}" for i in range(40)]),
        "sources/de-en.txt": plain(s),
        "references/de-en.refA.txt": plain(r),
        "system-outputs/de-en/refA.txt": plain(r),
        "system-outputs/de-en/Lan-Bridge.txt": plain(a),
        "system-outputs/de-en/GTCOM.txt": plain(b),
        "metric-scores/de-en/BLEU-refA.seg.score": plain(
            [f"Lan-Bridge\t{i}.0" for i in range(40)] + [f"GTCOM\t{i}.1" for i in range(40)]
        ),
        "human-scores/de-en.mqm.seg.score": plain([f"GTCOM\t-{i % 5}.0" for i in range(40)]),
    }, one_set({"Lan-Bridge": a, "GTCOM": b}, r)


@of_texts("en", 30)
def iwslt_xml_and_text(s, r, a, b):
    def x(k, lines, language):
        return (
            '<mteval>\n<{} setid="iwslt2017-tst2012" srclang="de"{}>\n'.format(
                k, ' trglang="en"' if k != "srcset" else ""
            )
            + '<doc docid="1" genre="lectures">\n<url>http://example.org/talk1</url>\n<keywords>talks, city</keywords>\n<title>A talk</title>\n'
            + "\n".join(f'<seg id="{i + 1}"> {q} </seg>' for i, q in enumerate(lines))
            + f"\n</doc>\n</{k}>\n</mteval>\n"
        ).encode()

    return {
        "IWSLT17.TED.tst2012.de-en.de.xml": x("srcset", s, "de"),
        "IWSLT17.TED.tst2012.de-en.en.xml": x("refset", r, "en"),
        "kit.tst2012.txt": plain(a),
        "fbk.tst2012.txt": plain(b),
    }, one_set({"kit": a, "fbk": b}, r)


@shape
def flores_devtest():
    f = {}
    sets = []
    codes = {"de": "deu_Latn", "fr": "fra_Latn", "zh": "zho_Hans", "ar": "arb_Arab"}
    f["devtest/eng_Latn.devtest"] = plain(sentences("en", 30))
    for language, c in codes.items():
        f[f"devtest/{c}.devtest"] = plain(sentences(language, 30))
        a, b = system(language, 30, "nllb"), system(language, 30, "madlad", 0.25)
        f[f"outputs/nllb-3.3B/eng_Latn-{c}.txt"] = plain(a)
        f[f"outputs/madlad/eng_Latn-{c}.txt"] = plain(b)
        sets.append({"systems": {"nllb-3.3B": a, "madlad": b}, "references": [sentences(language, 30)]})
    return f, several(sets)


@shape
def ntrex():
    f = {"NTREX-128/newstest2019-src.eng.txt": plain(sentences("en", 30))}
    sets = []
    for language, c in (("fr", "fra"), ("ru", "rus"), ("hi", "hin")):
        f[f"NTREX-128/newstest2019-ref.{c}.txt"] = plain(sentences(language, 30))
        a, b = system(language, 30, "m2m"), system(language, 30, "gpt", 0.2)
        f[f"m2m/eng-{c}.txt"] = plain(a)
        f[f"gpt/eng-{c}.txt"] = plain(b)
        sets.append({"systems": {"m2m": a, "gpt": b}, "references": [sentences(language, 30)]})
    return f, several(sets)


@of_texts("fr", 40)
def opus_moses_with_license(s, r, a, b):
    return {
        "OpenSubtitles.de-fr.de": plain(s),
        "OpenSubtitles.de-fr.fr": plain(r),
        "OpenSubtitles.de-fr.ids": plain([f"de/2001/{i}.xml.gz\tfr/2001/{i}.xml.gz\t{i}\t{i}" for i in range(40)]),
        "README": plain(["OpenSubtitles", "=============", "", "Please cite the corpus when you use it."]),
        "LICENSE": plain(["This corpus is distributed as is."] * 3),
        "hyp.marian.fr": plain(a),
        "hyp.nllb.fr": plain(b),
    }, one_set({"marian": a, "nllb": b}, r)


@shape
def ted_all_talks_tsv():
    n = 30
    rows = [["talk_name", "en", "de", "fr", "ar"]] + [
        [f"talk{i // 6}", sentences("en", n)[i], sentences("de", n)[i], sentences("fr", n)[i], sentences("ar", n)[i]]
        for i in range(n)
    ]
    a, b = system("fr", n, "x"), system("fr", n, "y", 0.25)
    return {
        "all_talks_test.tsv": table(rows, "\t", quoting=csv.QUOTE_NONE, escapechar="\\"),
        "x.fr.txt": plain(a),
        "y.fr.txt": plain(b),
    }, one_set({"x": a, "y": b}, sentences("fr", n))


@shape
def opus100_pairs():
    f = {}
    sets = []
    for language in ("de", "fr"):
        s, r = sentences("en", 30), sentences(language, 30)
        a, b = system(language, 30, "k"), system(language, 30, "m", 0.3)
        p = "-".join(sorted(("en", language)))
        f[f"opus100/{p}/opus.{p}-test.en"] = plain(s)
        f[f"opus100/{p}/opus.{p}-test.{language}"] = plain(r)
        f[f"opus100/{p}/transformer.{language}"] = plain(a)
        f[f"opus100/{p}/adapter.{language}"] = plain(b)
        sets.append({"systems": {"transformer": a, "adapter": b}, "references": [r]})
    return f, several(sets)


# ---- CAT, subtitles
@of_texts("es", 30)
def srt_versions(_s, r, a, b):
    def ts(k):
        return f"00:0{k // 60}:{k % 60:02d}"

    def o(h, nl="\n"):
        return (
            nl.join(f"{i + 1}{nl}{ts(2 * i)},000 --> {ts(2 * i + 1)},900{nl}{x}{nl}" for i, x in enumerate(h)) + nl
        ).encode()

    return {
        "film.ref.es.srt": o(r),
        "film.deepl.es.srt": o(a, "\r\n"),
        "film.google.es.srt": b"\xef\xbb\xbf" + o(b),
    }, one_set({"deepl": a, "google": b}, r)


@of_texts("ja", 30)
def vtt_with_settings(_s, r, a, b):
    def ts(k):
        return f"00:0{k // 60}:{k % 60:02d}"

    def o(h):
        return (
            "WEBVTT\nKind: captions\nLanguage: ja\n\nNOTE made by hand\n\n"
            + "\n".join(
                f"{ts(2 * i)}.000 --> {ts(2 * i + 1)}.900 align:start position:0%\n<v Speaker>{x}</v>\n"
                for i, x in enumerate(h)
            )
        ).encode()

    return {"reference.vtt": o(r), "sys-a.vtt": o(a), "sys-b.vtt": o(b)}, one_set({"sys-a": a, "sys-b": b}, r)


@of_texts("de", 30)
def tmx_reference_txt_outputs(s, r, a, b):
    x = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/><body>'
        + "".join(
            f'<tu tuid="{i}"><prop type="x-project">p</prop><tuv xml:lang="en-US"><seg>{s[i]}</seg></tuv><tuv xml:lang="de-DE"><seg>{r[i]}</seg></tuv></tu>\n'
            for i in range(30)
        )
        + "</body></tmx>"
    )
    return {"memory.tmx": x.encode(), "deepl.txt": plain(a), "modernmt.txt": plain(b)}, one_set(
        {"deepl": a, "modernmt": b}, r
    )


@of_texts("fr", 30)
def xliff_per_engine(s, r, a, b):
    def o(h):
        return (
            '<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a.html" source-language="de" target-language="fr" datatype="html"><body>'
            + "".join(
                f'<trans-unit id="{i}"><source>{s[i]}</source><target state="translated">{x}</target><note>n</note></trans-unit>'
                for i, x in enumerate(h)
            )
            + "</body></file></xliff>"
        ).encode()

    return {"human.xlf": o(r), "engine1.xlf": o(a), "engine2.xlf": o(b)}, one_set({"engine1": a, "engine2": b}, r)


@of_texts("es", 30)
def po_folders(s, r, a, b):
    def o(h):
        return (
            'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: es\\n"\n\n'
            + "\n".join(f'#: src/a.c:{i}\nmsgid "{s[i]}"\nmsgstr "{x}"\n' for i, x in enumerate(h))
        ).encode()

    return {"reference/es.po": o(r), "google/es.po": o(a), "deepl/es.po": o(b)}, one_set({"google": a, "deepl": b}, r)


@of_texts("en", 30)
def cat_export_csv_per_engine(s, r, a, b):
    def o(h):
        return table(
            [["ID", "Source (de)", "Target (en)", "Match", "Comment", "Status"]]
            + [[i + 1, s[i], h[i], "MT", "", "Translated" if i % 3 else "Confirmed"] for i in range(30)],
            ";",
            "utf-8-sig",
        )

    return {"reference.csv": o(r), "deepl.csv": o(a), "systran.csv": o(b)}, one_set({"deepl": a, "systran": b}, r)


@of_texts("de", 20)
def word_document(_s, r, a, _b):
    return {
        "job.docx": zipped(
            {
                "[Content_Types].xml": b"<Types/>",
                "word/document.xml": (
                    "<w:document><w:body>"
                    + "".join(f"<w:p><w:r><w:t>{x}</w:t></w:r></w:p>" for x in a)
                    + "</w:body></w:document>"
                ).encode(),
            }
        ),
        "ref.txt": plain(r),
    }, refused("Word")


@of_texts("it" if False else "fr", 25)
def sdlxliff_units(s, r, a, b):
    def o(h):
        return (
            '<?xml version="1.0" encoding="utf-8"?><xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2" sdl:version="1.0"><file original="x.docx" datatype="x-sdlfilterframework2" source-language="de-DE" target-language="fr-FR"><header/><body>'
            + "".join(
                f'<trans-unit id="u{i}"><source>{s[i]}</source><seg-source><mrk mtype="seg" mid="{i}">{s[i]}</mrk></seg-source><target><mrk mtype="seg" mid="{i}">{x}</mrk></target><sdl:seg-defs><sdl:seg id="{i}" conf="Translated" percent="99"/></sdl:seg-defs></trans-unit>'
                for i, x in enumerate(h)
            )
            + "</body></file></xliff>"
        ).encode()

    return {"human.sdlxliff": o(r), "mt1.sdlxliff": o(a), "mt2.sdlxliff": o(b)}, one_set({"mt1": a, "mt2": b}, r)


# ---- tables
@of_texts("de", 30)
def excel_title_and_comments(s, r, a, b):
    rows = (
        [
            ["MT-Vergleich Frühjahr 2026"],
            ["Bearbeiter: A. Muster", "", "", "Stand: 1.3.2026"],
            [],
            ["Nr.", "Quelle", "Referenz", "DeepL", "Google", "Kommentar", "Note DeepL"],
        ]
        + [[i + 1, s[i], r[i], a[i], b[i], "gut" if i % 7 == 0 else None, 3 + i % 3] for i in range(30)]
        + [[], ["Durchschnitt", None, None, None, None, None, 3.7]]
    )
    return {
        "vergleich.xlsx": xlsx(("Anleitung", [["Bitte die Spalten D und E bewerten."], ["Danke!"]]), ("Daten", rows))
    }, one_set({"DeepL": a, "Google": b}, r)


@shape
def excel_sheet_per_pair():
    sh = []
    sets = []
    for language in ("de", "fr"):
        s, r, a, b = texts_of(language, 25)
        s = sentences("en", 25)
        sh.append(
            (
                f"en-{language}",
                [["Source", "Reference", "MT 1", "MT 2"]] + [list(x) for x in zip(s, r, a, b, strict=False)],
            )
        )
        sets.append({"systems": {"MT 1": a, "MT 2": b}, "references": [r]})
    return {"pairs.xlsx": xlsx(*sh)}, several(sets)


@of_texts("de", 30)
def semicolon_bom_german_csv(s, r, a, b):
    return {
        "ergebnis.csv": table(
            [["ID", "Ausgangstext", "Referenz", "System A", "System B", "BLEU A"]]
            + [[f"S{i:03d}", s[i], r[i], a[i], b[i], "0,3" + str(i)] for i in range(30)],
            ";",
            "utf-8-sig",
        )
    }, one_set({"System A": a, "System B": b}, r)


@of_texts("en", 30)
def pipe_separated(s, r, a, b):
    return {
        "out.psv": table(
            [["src", "ref", "nmt", "smt"]] + [list(x) for x in zip(s, r, a, b, strict=False)], "|", nl="\n"
        )
    }, one_set({"nmt": a, "smt": b}, r)


@of_texts("ru", 30)
def utf16_excel_unicode(s, r, a, b):
    return {
        "Book1.txt": b"\xff\xfe"
        + table(
            [["source", "reference", "yandex", "google"]] + [list(x) for x in zip(s, r, a, b, strict=False)],
            "\t",
            "utf-16-le",
        )
    }, one_set({"yandex": a, "google": b}, r)


@of_texts("en", 30)
def pandas_long_with_index(_s, r, a, b):
    rows = [["", "system", "seg_id", "doc", "hypothesis", "reference", "seed"]]
    k = 0
    for m, h in (("big", a), ("small", b)):
        for i in range(30):
            rows.append([k, m, i, f"d{i // 6}", h[i], r[i], 1])
            k += 1
    body = rows[1:]
    random.Random(3).shuffle(body)
    return {"df.csv": table([rows[0], *body], nl="\n")}, one_set({"big": a, "small": b}, r)


@of_texts("en", 30)
def long_three_seeds(_s, r, _a, _b):
    rows = [["model", "seed", "id", "output", "reference"]]
    outputs = {}
    for m in ("base", "wide"):
        for seed in (1, 2, 3):
            h = system("en", 30, f"{m}{seed}", 0.15 if m == "base" else 0.22)
            outputs[f"{m}-{seed}"] = h
            for i in range(30):
                rows += [[m, seed, i, h[i], r[i]]]
    return {"runs.tsv": table(rows, "\t", nl="\n")}, one_set(outputs, r, runs={"base": 3, "wide": 3})


@of_texts("zh", 30)
def jsonl_nested_lists(s, r, a, b):
    return {
        "data.jsonl": rows_of(
            [
                {
                    "id": i,
                    "source": {"lang": "de", "text": s[i]},
                    "references": [{"translator": "A", "text": r[i]}],
                    "translations": [
                        {"system": "qwen", "text": a[i], "scores": {"comet": 0.8}},
                        {"system": "glm", "text": b[i], "scores": {"comet": 0.7}},
                    ],
                }
                for i in range(30)
            ]
        )
    }, one_set({"qwen": a, "glm": b}, r)


@of_texts("en", 20)
def yaml_records(s, r, a, b):
    return {
        "samples.yaml": (
            "".join(
                f'- id: {i}\n  source: "{s[i]}"\n  reference: "{r[i]}"\n  outputs:\n    small: "{a[i]}"\n    large: "{b[i]}"\n'
                for i in range(20)
            )
        ).encode()
    }, one_set({"small": a, "large": b}, r)


@of_texts("fr", 25)
def ods_sheet(s, r, a, b):
    from xml.sax.saxutils import escape as e

    def cell(v):
        return f'<table:table-cell office:value-type="string"><text:p>{e(str(v))}</text:p></table:table-cell>'

    rows = [["Commentaire : relu par M.", "", "", ""], ["source", "référence", "systran", "reverso"]] + [
        list(x) for x in zip(s, r, a, b, strict=False)
    ]
    x = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Feuille1">'
        + "".join("<table:table-row>" + "".join(map(cell, q)) + "</table:table-row>" for q in rows)
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    return {
        "tableau.ods": zipped(
            {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": x.encode()}
        )
    }, one_set({"systran": a, "reverso": b}, r)


@of_texts("de", 30)
def hf_parquet_translation_struct(s, r, a, b):
    return {
        "test-00000-of-00001.parquet": parquet(
            {"id": [str(i) for i in range(30)], "translation": [{"en": s[i], "de": r[i]} for i in range(30)]}
        ),
        "mbart.de": plain(a),
        "nllb.de": plain(b),
    }, one_set({"mbart": a, "nllb": b}, r)


@of_texts("ar", 25)
def csv_quotes_newlines_arabic(s, r, a, b):
    return {
        "ar.csv": table(
            [["source", "reference", "gpt", "jais", "notes"]]
            + [[s[i] + "\n(zwei Zeilen)", r[i], a[i], b[i], '"ok", fine' if i % 4 == 0 else ""] for i in range(25)],
            quoting=csv.QUOTE_ALL,
        )
    }, one_set({"gpt": a, "jais": b}, r)


@of_texts("en", 25)
def wide_prompts_by_model(s, r, a, b):
    c, d = system("en", 25, "c", 0.2), system("en", 25, "d", 0.3)
    return {
        "grid.csv": table(
            [["id", "src", "ref", "gpt_zero-shot", "gpt_few-shot", "llama_zero-shot", "llama_few-shot"]]
            + [[i, s[i], r[i], a[i], b[i], c[i], d[i]] for i in range(25)]
        )
    }, one_set({"gpt_zero-shot": a, "gpt_few-shot": b, "llama_zero-shot": c, "llama_few-shot": d}, r)


@of_texts("en", 20)
def markdown_report(s, r, a, b):
    return {
        "report.md": (
            "# Results\n\nWe compared two systems.\n\n| # | source | reference | alpha | beta |\n|---|:--|---|---|---|\n"
            + "".join(f"| {i + 1} | {s[i]} | {r[i]} | {a[i]} | {b[i]} |\n" for i in range(20))
            + "\nEnd.\n"
        ).encode()
    }, one_set({"alpha": a, "beta": b}, r)


# ---- folders and encodings
@of_texts("fr", 40)
def latin1_plain(_s, r, a, b):
    return {
        "ref.txt": plain(r, enc="latin-1"),
        "moses.txt": plain(a, enc="latin-1"),
        "rbmt.txt": plain(b, enc="latin-1"),
    }, one_set({"moses": a, "rbmt": b}, r)


@of_texts("zh", 40)
def gb18030_plain(_s, r, a, b):
    return {
        "ref.zh": plain(r, enc="gb18030"),
        "niutrans.zh": plain(a, enc="gb18030"),
        "youdao.zh": plain(b, enc="gb18030"),
    }, one_set({"niutrans": a, "youdao": b}, r)


@of_texts("en", 40)
def crlf_and_trailing_blank(_s, r, a, b):
    return {"reference.txt": plain(r, "\r\n"), "A.txt": plain(a, "\r\n") + b"\r\n", "B.txt": plain(b)[:-1]}, one_set(
        {"A": a, "B": b}, r
    )


@of_texts("en", 40)
def empty_lines_are_outputs(s, r, a, b):
    a[5] = ""
    a[17] = ""
    b[39] = ""
    return {"ref.en": plain(r), "sys1.en": plain(a), "sys2.en": plain(b), "src.de": plain(s)}, one_set(
        {"sys1": a, "sys2": b}, r
    )


@of_texts("en", 40)
def spark_parts(_s, r, a, b):
    f = {}
    for n, h in (("system1", a), ("system2", b), ("reference", r)):
        for k in range(4):
            f[f"{n}/part-0000{k}"] = plain(h[10 * k : 10 * k + 10])
        f[f"{n}/_SUCCESS"] = b""
    return f, one_set({"system1": a, "system2": b}, r)


@of_texts("en", 60)
def split_suffix_shards(_s, r, a, b):
    f = {"ref.txt": plain(r)}
    for n, h in (("mt5", a), ("byt5", b)):
        for k, c in enumerate(("aa", "ab", "ac")):
            f[f"{n}.out.{c}"] = plain(h[20 * k : 20 * k + 20])
    return f, one_set({"mt5": a, "byt5": b}, r)


@of_texts("en", 40)
def checkpoints_dirs(_s, r, _a, _b):
    f = {"data/test.ref": plain(r)}
    outputs = {}
    for k in (1000, 5000, 10000, 20000):
        outputs[f"checkpoint-{k}"] = h = system("en", 40, f"c{k}", 0.5 - k / 50000)
        f[f"checkpoint-{k}/translations.txt"] = plain(h)
        f[f"checkpoint-{k}/trainer_state.json"] = whole({"global_step": k})
        f[f"checkpoint-{k}/config.json"] = whole({"model_type": "marian"})
    return f, one_set(outputs, r)


@of_texts("en", 40)
def seeds_of_two_recipes(_s, r, _a, _b):
    f = {"ref.txt": plain(r)}
    outputs = {}
    for m in ("baseline", "dropout"):
        for k in (11, 22, 33):
            outputs[f"{m}.seed{k}"] = h = system("en", 40, f"{m}{k}", 0.2)
            f[f"{m}.seed{k}.txt"] = plain(h)
    return f, one_set(outputs, r, runs={"baseline": 3, "dropout": 3})


@shape
def languages_in_folders():
    f = {}
    sets = []
    for language in ("de", "fr", "th", "hi"):
        r = sentences(language, 25)
        a, b = system(language, 25, "sysA"), system(language, 25, "sysB", 0.3)
        f[f"references/{language}.txt"] = plain(r)
        f[f"outputs/{language}/sysA.txt"] = plain(a)
        f[f"outputs/{language}/sysB.txt"] = plain(b)
        sets.append({"systems": {"sysA": a, "sysB": b}, "references": [r]})
    return f, several(sets)


@shape
def languages_as_endings():
    f = {}
    sets = []
    for language in ("de", "ru", "ja"):
        r = sentences(language, 25)
        a, b = system(language, 25, "sysA"), system(language, 25, "sysB", 0.3)
        f[f"test.ref.{language}"] = plain(r)
        f[f"test.sysA.{language}"] = plain(a)
        f[f"test.sysB.{language}"] = plain(b)
        sets.append({"systems": {"sysA": a, "sysB": b}, "references": [r]})
    f["test.src.en"] = plain(sentences("en", 25))
    return f, several(sets)


@of_texts("en", 48)
def per_document_outputs(s, r, a, b):
    f = {}
    cuts = [0, 7, 19, 20, 36, 48]
    for n, h in (("source", s), ("reference", r), ("tower", a), ("gpt", b)):
        for k in range(5):
            f[f"{n}/doc{k + 1}.txt"] = plain(h[cuts[k] : cuts[k + 1]])
    return f, one_set({"tower": a, "gpt": b}, r)


@of_texts("en", 40)
def copies_and_junk(_s, r, a, b):
    return {
        "out/sysA.txt": plain(a),
        "out/sysA (copy).txt": plain(a),
        "out/sysB.txt": plain(b),
        "out/.DS_Store": b"\0\0\0\1Bud1\0",
        "out/ref.txt": plain(r),
        "out/train.log": plain(
            [f"2026-01-01 0{k % 10}:00:00 | epoch {k} | loss {3 - k / 50:.3f} | lr 1e-4" for k in range(40)]
        ),
        "out/slurm-12345.out": plain([f"[{k:03d}] step {k} done in {k * 1.3:.1f}s" for k in range(40)]),
        "out/README.md": plain(["# Outputs", "", "Made on Monday with beam 5."]),
        "out/LICENSE": plain(["Permission is granted to use this."]),
        "out/requirements.txt": plain(["numpy==1.26", "torch>=2.1"]),
        "out/config.yaml": plain(["beam: 5", "lenpen: 1.0"]),
    }, one_set({"sysA": a, "sysB": b}, r)


@of_texts("de", 40)
def scores_beside_outputs(_s, r, a, b):
    return {
        "ref.de": plain(r),
        "m1.de": plain(a),
        "m1.de.scores": plain([f"-{i / 7:.4f}" for i in range(40)]),
        "m2.de": plain(b),
        "m2.de.scores": plain([f"-{i / 9:.4f}" for i in range(40)]),
        "m1.de.ids": plain([f"line{i}" for i in range(40)]),
        "times.txt": plain([f"00:00:{i:02d}.123" for i in range(40)]),
        "m1.bleu.json": whole({"name": "BLEU", "score": 31.2, "signature": "nrefs:1", "verbose_score": "60/40"}),
    }, one_set({"m1": a, "m2": b}, r)


@of_texts("th", 40)
def thai_plain_no_extension(s, r, a, b):
    return {"reference": plain(r), "typhoon": plain(a), "seallm": plain(b), "source": plain(s)}, one_set(
        {"typhoon": a, "seallm": b}, r
    )


@of_texts("en", 40)
def gz_and_tar(_s, r, a, b):
    q = io.BytesIO()
    with tarfile.open(fileobj=q, mode="w:gz") as z:
        for n, d in (
            ("x/ref.txt", plain(r)),
            ("x/opus.txt.gz", gzip.compress(plain(a))),
            ("x/pegasus.txt.xz", lzma.compress(plain(b))),
        ):
            i = tarfile.TarInfo(n)
            i.size = len(d)
            z.addfile(i, io.BytesIO(d))
    return {"x.tar.gz": q.getvalue()}, one_set({"opus": a, "pegasus": b}, r)


@of_texts("en", 40)
def no_reference_at_all(s, _r, a, b):
    return {"source.de": plain(s), "deepl.en": plain(a), "google.en": plain(b)}, refused("reference")


@shape
def two_testsets_prefix():
    f = {}
    sets = []
    for k, ts in enumerate(("news", "medical")):
        n = 30 if ts == "news" else 24
        r = sentences("de", n, k + 5)
        a, b = system("de", n, "A", 0.15, k + 5), system("de", n, "B", 0.25, k + 5)
        f[f"{ts}.ref.de"] = plain(r)
        f[f"{ts}.A.de"] = plain(a)
        f[f"{ts}.B.de"] = plain(b)
        sets.append({"systems": {"A": a, "B": b}, "references": [r]})
    return f, several(sets)


@of_texts("en", 40)
def multi_reference_numbers(_s, r, a, b):
    r2 = second("en", 40)
    return {"ref0.txt": plain(r), "ref1.txt": plain(r2), "hyp_a.txt": plain(a), "hyp_b.txt": plain(b)}, Wanted(
        [{"systems": {"hyp_a": a, "hyp_b": b}, "references": [r, r2]}]
    )


@of_texts("en", 40)
def dates_and_hparams_in_names(_s, r, a, b):
    return {
        "2026-03-01_nmt-lr1e-4_bs64.txt": plain(a),
        "2026-03-02_nmt-lr3e-4_bs64.txt": plain(b),
        "2026-03-01_gold.txt": plain(r),
    }, one_set({"lr1e-4": a, "lr3e-4": b}, r)


@of_texts("en", 20)
def pickles_refused(_s, r, _a, _b):
    return {
        "outputs.pkl": b"\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94(\x8c\x01a\x94\x8c\x01b\x94e.",
        "ref.txt": plain(r),
    }, refused("pickle")


@of_texts("en", 30)
def da_shuffled_uneven(s, r, a, b):
    c = system("en", 30, "c", 0.3)
    rows = [
        ["de-en", s[i], h[i], r[i], f"0.{k}", "80.0", "3", "news", "2021"]
        for i in range(30)
        for k, h in enumerate((a, b, c))
        if not (k == 2 and i % 3)
    ]
    random.Random(1).shuffle(rows)
    return {
        "da.csv": table([["lp", "src", "mt", "ref", "score", "raw", "annotators", "domain", "year"], *rows])
    }, refused("system")


@of_texts("en", 30)
def da_shuffled_even(s, r, a, b):
    rows = [
        ["de-en", s[i], h[i], r[i], f"0.{k}", "80.0", "3", "news", "2021"]
        for i in range(30)
        for k, h in enumerate((a, b))
    ]
    random.Random(1).shuffle(rows)
    return {
        "da.csv": table([["lp", "src", "mt", "ref", "score", "raw", "annotators", "domain", "year"], *rows])
    }, refused("system")


@of_texts("en", 40)
def plain_other_language_beside(s, r, a, b):
    return {
        "ref.txt": plain(r),
        "sysA.txt": plain(a),
        "sysB.txt": plain(b),
        "src.de.txt": plain(s),
        "test.fr.txt": plain(sentences("fr", 40)),
        "test.es.txt": plain(sentences("es", 40)),
    }, one_set({"sysA": a, "sysB": b}, r)


@shape
def wide_langs_with_systems():
    n = 30
    a, b = system("en", n, "x"), system("en", n, "y", 0.3)
    rows = [["id", "de", "fr", "es", "en", "google", "deepl"]] + [
        [i, sentences("de", n)[i], sentences("fr", n)[i], sentences("es", n)[i], sentences("en", n)[i], a[i], b[i]]
        for i in range(n)
    ]
    return {"multi.csv": table(rows)}, one_set({"google": a, "deepl": b}, sentences("en", n))


@of_texts("en", 30)
def wmt25_without_scores(s, r, a, b):
    return {
        "w.jsonl": rows_of(
            [
                {
                    "doc_id": f"de-en_#_news_#_{i}",
                    "src_text": s[i],
                    "tgt_text": {"refA": r[i], "GPT-4.1": a[i], "Shy": b[i]},
                }
                for i in range(30)
            ]
        )
    }, one_set({"GPT-4.1": a, "Shy": b}, r)


@of_texts("en", 30)
def chats_output_equals_answer(s, r, a, b):
    def o(h):
        return rows_of(
            [
                {
                    "messages": [{"role": "user", "content": s[i]}, {"role": "assistant", "content": h[i]}],
                    "output": h[i],
                    "reference": r[i],
                }
                for i in range(30)
            ]
        )

    return {"m.jsonl": o(a), "n.jsonl": o(b)}, one_set({"m": a, "n": b}, r)


@of_texts("en", 30)
def batch_and_test_text(s, _r, a, b):
    def o(h):
        return rows_of(
            [
                {
                    "custom_id": f"r-{i}",
                    "response": {"body": {"choices": [{"message": {"role": "assistant", "content": x}}]}},
                }
                for i, x in enumerate(h)
            ]
        )

    return {"gpt.jsonl": o(a), "deepl.txt": plain(b), "src.txt": plain(s)}, refused("reference")


@of_texts("de", 25)
def sheets_versions(s, r, a, b):
    r2 = list(r)
    r2[3] = "Etwas ganz anderes steht hier."
    h = ["Source", "Reference", "MT 1", "MT 2"]
    return {
        "pairs.xlsx": xlsx(
            ("final", [h] + [list(x) for x in zip(s, r, a, b, strict=False)]),
            ("old", [h] + [list(x) for x in zip(s, r2, a, b, strict=False)]),
        )
    }, one_set({"MT 1": a, "MT 2": b}, r)


@of_texts("en", 20)
def inspect_random_names(s, r, a, b):
    def o(h, m):
        return whole(
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "translate", "model": m, "created": "2026-01-01"},
                "plan": {},
                "results": {},
                "samples": [
                    {
                        "id": i + 1,
                        "epoch": 1,
                        "input": s[i],
                        "target": r[i],
                        "output": {
                            "model": m,
                            "choices": [{"message": {"content": h[i], "role": "assistant"}}],
                            "completion": h[i],
                        },
                    }
                    for i in range(20)
                ],
            }
        )

    return {
        "2026-01-01T10-00-00+00-00_translate_Gprr29Mv.json": o(a, "openai/gpt-4o"),
        "2026-01-01T11-00-00+00-00_translate_XYcc29ab.json": o(b, "google/gemini"),
    }, one_set({"gpt-4o": a, "gemini": b}, r)


@of_texts("en", 40)
def gz_inside_tar(_s, r, a, b):
    q = io.BytesIO()
    with tarfile.open(fileobj=q, mode="w:gz") as z:
        for n, d in (
            ("x/ref.txt", plain(r)),
            ("x/opus.txt.gz", gzip.compress(plain(a))),
            ("x/pegasus.txt.gz", gzip.compress(plain(b))),
        ):
            i = tarfile.TarInfo(n)
            i.size = len(d)
            z.addfile(i, io.BytesIO(d))
    return {"x.tar.gz": q.getvalue()}, one_set({"opus": a, "pegasus": b}, r)


@of_texts("en", 40)
def flat_ranks(s, r, a, b):
    f = {"ref.txt": plain(r)}
    for m, h in (("qwen", a), ("llama", b)):
        for k in range(4):
            f[f"{m}_rank{k}.jsonl"] = rows_of(
                [{"idx": i, "prompt": s[i], "generated_text": h[i]} for i in range(k, 40, 4)]
            )
    return f, one_set({"qwen": a, "llama": b}, r)


@shape
def sgm_two_pairs():
    f = {}
    sets = []
    for src in ("de", "ru"):
        s, r = sentences(src, 30), sentences("en", 30, 3 if src == "ru" else 0)
        a, b = (
            system("en", 30, "A" + src, 0.1, 3 if src == "ru" else 0),
            system("en", 30, "B" + src, 0.2, 3 if src == "ru" else 0),
        )
        if src == "ru":
            s = sentences("ru", 30, 3)

        def g(k, texts, attr):
            return (
                f'<{k} {attr}>\n<doc docid="x" '
                + (attr.split('"en" ')[-1] if "sysid" in attr else "")
                + ">\n"
                + "\n".join(f'<seg id="{i + 1}">{x}</seg>' for i, x in enumerate(texts))
                + f"\n</doc>\n</{k}>\n"
            ).encode()

        c = f'setid="newstest2016" srclang="{src}" trglang="en"'
        f[f"newstest2016-{src}en-src.{src}.sgm"] = g("srcset", s, f'setid="newstest2016" srclang="{src}"')
        f[f"newstest2016-{src}en-ref.en.sgm"] = g("refset", r, c + ' sysid="ref"')
        f[f"newstest2016.uedin-nmt.{src}-en.sgm"] = g("tstset", a, c + ' sysid="uedin"')
        f[f"newstest2016.online-B.0.{src}-en.sgm"] = g("tstset", b, c + ' sysid="online"')
        sets.append({"systems": {"uedin": a, "online": b}, "references": [r]})
    return f, several(sets)


@of_texts("en", 40)
def wmt20_txt(s, r, a, b):
    return {
        "txt/sources/newstest2020-deen-src.de.txt": plain(s),
        "txt/references/newstest2020-deen-ref.en.txt": plain(r),
        "txt/system-outputs/de-en/newstest2020.de-en.Tohoku-AIP-NTT.1442.txt": plain(a),
        "txt/system-outputs/de-en/newstest2020.de-en.OPPO.1360.txt": plain(b),
    }, one_set({"Tohoku-AIP-NTT": a, "OPPO": b}, r)


@of_texts("es", 40)
def wmt24_names_refb(s, r, a, b):
    return {
        "wmttest2024.en-es.src.en": plain(s),
        "wmttest2024.en-es.ref.refB.es": plain(r),
        "wmttest2024.en-es.hyp.Llama3-70B.es": plain(a),
        "wmttest2024.en-es.hyp.Claude-3.5.es": plain(b),
    }, one_set({"Llama3-70B": a, "Claude-3.5": b}, r)


@of_texts("de", 30)
def flores_wide_parquet(s, r, a, b):
    return {
        "devtest.parquet": parquet(
            {
                "id": list(range(30)),
                "URL": ["https://example.org/a"] * 30,
                "domain": ["wikinews"] * 30,
                "sentence_eng_Latn": s,
                "sentence_deu_Latn": r,
                "sentence_fra_Latn": sentences("fr", 30),
            }
        ),
        "nllb.deu_Latn.txt": plain(a),
        "m2m.deu_Latn.txt": plain(b),
    }, one_set({"nllb": a, "m2m": b}, r)


@of_texts("en", 30)
def csv_units_row(s, r, a, b):
    return {
        "x.csv": table(
            [["id", "source", "reference", "base", "large"], ["(int)", "(text)", "(text)", "(text)", "(text)"]]
            + [[i, s[i], r[i], a[i], b[i]] for i in range(30)]
        )
    }, one_set({"base": a, "large": b}, r)


@of_texts("de", 30)
def excel_locale_columns(s, r, a, b):
    return {
        "t.xlsx": xlsx(
            (
                "Sheet1",
                [["Key", "en-US", "de-DE", "DeepL (de-DE)", "Google (de-DE)"]]
                + [[f"ui.label.{i}", s[i], r[i], a[i], b[i]] for i in range(30)],
            )
        )
    }, one_set({"DeepL": a, "Google": b}, r)


@of_texts("fr", 30)
def sheet_with_evaluator_notes(s, r, a, b):
    return {
        "export.tsv": table(
            [["Source text", "Human translation", "MT 1", "MT 2", "Evaluator notes"]]
            + [
                [s[i], r[i], a[i], b[i], "Wrong gender in the second clause, otherwise fine." if i % 2 else "OK"]
                for i in range(30)
            ],
            "\t",
        )
    }, one_set({"MT 1": a, "MT 2": b}, r)


@of_texts("en", 40)
def prompts_in_folders(_s, r, a, b):
    c, d = system("en", 40, "c", 0.2), system("en", 40, "d", 0.3)
    return {
        "gpt/zero-shot.txt": plain(a),
        "gpt/few-shot.txt": plain(b),
        "llama/zero-shot.txt": plain(c),
        "llama/few-shot.txt": plain(d),
        "ref.txt": plain(r),
    }, one_set({"gpt/zero-shot": a, "gpt/few-shot": b, "llama/zero-shot": c, "llama/few-shot": d}, r)


@of_texts("en", 40)
def temperatures(_s, r, a, b):
    c = system("en", 40, "c", 0.3)
    return {"t0.0.txt": plain(a), "t0.7.txt": plain(b), "t1.0.txt": plain(c), "ref.txt": plain(r)}, one_set(
        {"t0.0": a, "t0.7": b, "t1.0": c}, r
    )


@of_texts("en", 40)
def epochs(_s, r, _a, _b):
    f = {"val.ref": plain(r)}
    outputs = {}
    for k in range(1, 6):
        outputs[f"epoch_{k}"] = h = system("en", 40, f"e{k}", 0.5 / k)
        f[f"epoch_{k}.txt"] = plain(h)
    return f, one_set(outputs, r)


@of_texts("en", 40)
def documents_as_json_lists(_s, r, a, b):
    f = {}
    for n, h in (("refs", r), ("sysA", a), ("sysB", b)):
        for k in range(4):
            f[f"{n}/doc{k + 1}.json"] = whole(h[10 * k : 10 * k + 10])
    return f, one_set({"sysA": a, "sysB": b}, r)


@shape
def srt_two_languages():
    f = {}
    sets = []
    for language in ("de", "fr"):
        r = sentences(language, 25)
        a, b = system(language, 25, "deepl"), system(language, 25, "gpt", 0.3)

        def o(h):
            return "\n".join(
                f"{i + 1}\n00:00:{2 * i % 60:02d},000 --> 00:00:{(2 * i + 1) % 60:02d},500\n{x}\n"
                for i, x in enumerate(h)
            ).encode()

        f[f"{language}/reference.srt"] = o(r)
        f[f"{language}/deepl.srt"] = o(a)
        f[f"{language}/gpt.srt"] = o(b)
        sets.append({"systems": {"deepl": a, "gpt": b}, "references": [r]})
    return f, several(sets)


@of_texts("de", 40)
def notebook_and_plots_beside(_s, r, a, b):
    return {
        "analysis.ipynb": whole(
            {
                "cells": [{"cell_type": "code", "source": ["import x"], "outputs": []}],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ),
        "plot.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 50,
        "bleu_scores.csv": table([["system", "bleu", "chrf"], ["a", 31.2, 55.1], ["b", 30.1, 54.0]]),
        "a.de": plain(a),
        "b.de": plain(b),
        "ref.de": plain(r),
        "eval.py": plain(["import sacrebleu", "print(1)"]),
        "Makefile": plain(["all:", "\techo x"]),
    }, one_set({"a": a, "b": b}, r)


@of_texts("en", 30)
def splits_of_data(s, r, a, b):
    ts, tr = sentences("de", 60, 9), sentences("en", 60, 9)
    vs, vr = sentences("de", 20, 8), sentences("en", 20, 8)
    return {
        "data/train.de": plain(ts),
        "data/train.en": plain(tr),
        "data/valid.de": plain(vs),
        "data/valid.en": plain(vr),
        "data/test.de": plain(s),
        "data/test.en": plain(r),
        "out/small.test.en": plain(a),
        "out/big.test.en": plain(b),
    }, one_set({"small": a, "big": b}, r)


@of_texts("en", 40)
def numbered_lines(_s, r, a, b):
    def n(h):
        return plain([f"{i + 1}\t{x}" for i, x in enumerate(h)])

    return {"a.txt": n(a), "b.txt": n(b), "ref.txt": n(r)}, one_set({"a": a, "b": b}, r)


@of_texts("ru", 30)
def one_column_csvs(_s, r, a, b):
    def o(h):
        return table([["translation"]] + [[x] for x in h])

    return {"yandex.csv": o(a), "deepl.csv": o(b), "reference.csv": o(r)}, one_set({"yandex": a, "deepl": b}, r)


@of_texts("en", 30)
def json_splits(s, r, a, b):
    return {
        "data.json": whole(
            {"test": [{"source": s[i], "target": r[i], "mt_small": a[i], "mt_large": b[i]} for i in range(30)]}
        )
    }, one_set({"small": a, "large": b}, r)


@of_texts("ar", 30)
def json_by_id(s, r, a, b):
    return {
        "data.json": whole({f"item-{i}": {"src": s[i], "ref": r[i], "jais": a[i], "gpt": b[i]} for i in range(30)})
    }, one_set({"jais": a, "gpt": b}, r)


@of_texts("ja", 30)
def json_lists_by_system(s, r, a, b):
    return {"all.json": whole({"source": s, "reference": r, "outputs": {"plamo": a, "elyza": b}})}, one_set(
        {"plamo": a, "elyza": b}, r
    )


@of_texts("en", 30)
def tsv_without_titles(s, r, a, b):
    return {"x.tsv": table([list(x) for x in zip(s, r, a, b, strict=False)], "\t", nl="\n")}, refused("reference")


@of_texts("ja", 40)
def shift_jis(_s, r, a, b):
    return {
        "ref.txt": plain(r, enc="cp932"),
        "mecab.txt": plain(a, enc="cp932"),
        "kytea.txt": plain(b, enc="cp932"),
    }, refused("--encoding")


@of_texts("en", 20)
def batch_with_an_error(_s, r, a, b):
    rows = [
        {
            "custom_id": f"seg{i}",
            "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": x}], "model": "m"}},
        }
        for i, x in enumerate(a)
    ]
    rows[7]["result"] = {"type": "errored", "error": {"type": "overloaded"}}
    return {"haiku.jsonl": rows_of(rows), "ref.txt": plain(r), "b.txt": plain(b)}, refused("errored")


@of_texts("en", 40)
def reference_lacks_a_line(_s, r, a, b):
    return {"ref.txt": plain(r[:-1]), "a.txt": plain(a), "b.txt": plain(b)}, refused("number of segments differs")


@shape
def lm_eval_two_tasks():
    f = {}
    sets = []
    for language in ("de", "fr"):
        r, s = sentences(language, 20), sentences("en", 20)
        hs = {m: system(language, 20, m) for m in ("A-7B", "B-8B")}
        for m, h in hs.items():
            f[f"org__{m}/samples_wmt_en-{language}_2026-01-01T10-00-00.jsonl"] = rows_of(
                [
                    {
                        "doc_id": i,
                        "doc": {"translation": {"en": s[i], language: r[i]}},
                        "target": r[i],
                        "arguments": [["x" + s[i], {}]],
                        "resps": [[h[i]]],
                        "filtered_resps": [h[i]],
                        "filter": "none",
                    }
                    for i in range(20)
                ]
            )
        sets.append({"systems": hs, "references": [r]})
    return f, several(sets)


@of_texts("de", 40)
def glossary_beside(s, r, a, b):
    return {
        "glossary.csv": table(
            [["term", "translation"], ["bridge", "Brücke"], ["river", "Fluss"], ["school", "Schule"]]
        ),
        "styleguide.md": plain(["# Style", "Use Sie."]),
        "ref.de": plain(r),
        "a.de": plain(a),
        "b.de": plain(b),
        "src.en": plain(s),
    }, one_set({"a": a, "b": b}, r)


@of_texts("de", 40)
def post_edits(s, r, a, _b):
    return {"test.src": plain(s), "test.mt": plain(a), "test.pe": plain(r)}, one_set({"mt": a}, r)


@of_texts("en", 30)
def challenge_set(s, r, a, b):
    return {
        "aces.tsv": table(
            [["source", "good-translation", "incorrect-translation", "reference", "phenomena", "langpair"]]
            + [[s[i], a[i], b[i], r[i], "addition" if i % 2 else "omission", "de-en"] for i in range(30)],
            "\t",
        )
    }, one_set({"good-translation": a, "incorrect-translation": b}, r)


@of_texts("zh", 30)
def chinese_titles(s, r, a, b):
    return {
        "评测.csv": table(
            [["编号", "原文", "参考译文", "百度", "腾讯"]] + [[i, s[i], r[i], a[i], b[i]] for i in range(30)],
            enc="utf-8-sig",
        )
    }, one_set({"百度": a, "腾讯": b}, r)


@of_texts("hi", 30)
def hindi_titles(s, r, a, b):
    return {
        "h.xlsx": xlsx(
            ("पत्रक1", [["क्रम", "स्रोत", "संदर्भ", "गूगल", "भाषिणी"]] + [[i + 1, s[i], r[i], a[i], b[i]] for i in range(30)])
        )
    }, one_set({"गूगल": a, "भाषिणी": b}, r)


@of_texts("ar", 30)
def arabic_titles(s, r, a, b):
    return {
        "x.tsv": table(
            [["المصدر", "المرجع", "نظام أ", "نظام ب"]] + [list(q) for q in zip(s, r, a, b, strict=False)],
            "\t",
            enc="utf-16",
        )
    }, one_set({"نظام أ": a, "نظام ب": b}, r)


@of_texts("en", 40)
def ratings_beside(_s, r, a, b):
    return {
        "ref.en": plain(r),
        "A.en": plain(a),
        "B.en": plain(b),
        "ratings.csv": table(
            [["annotator", "system", "segment", "score", "comment"]]
            + [["p1", m, i + 1, 50 + i, "fine"] for m in "AB" for i in range(40)]
        ),
    }, one_set({"A": a, "B": b}, r)


@of_texts("th", 25)
def multi_turn_results_and_reference_list(s, r, a, b):
    return {
        "res.json": whole([{"q": s[i], "refs": [r[i]], "answers": {"typhoon": a[i], "gemma": b[i]}} for i in range(25)])
    }, one_set({"typhoon": a, "gemma": b}, r)


@of_texts("en", 40)
def unrelated_texts_beside(_s, r, a, b):
    return {
        "ref.txt": plain(r),
        "a.txt": plain(a),
        "b.txt": plain(b),
        "other_testset.txt": plain(sentences("en", 40, 17)),
        "licenses.txt": plain([f"Component {i}: MIT License, Copyright (c) 20{i % 26:02d}" for i in range(40)]),
    }, one_set({"a": a, "b": b}, r)


@of_texts("de", 30)
def parquet_shards(s, r, a, b):
    files = {"small.txt": plain(a), "large.txt": plain(b)}
    for k in range(3):
        cut = slice(10 * k, 10 * k + 10)
        files[f"data/test-0000{k}-of-00003.parquet"] = parquet({"source": s[cut], "reference": r[cut]})
    return files, one_set({"small": a, "large": b}, r)


@of_texts("hi", 40)
def jsonl_ranks_in_blocks(s, r, a, b):
    files = {"ref.txt": plain(r)}
    for name, texts in (("aya", a), ("sarvam", b)):
        for k in range(4):
            rows = [{"index": i, "prompt": s[i], "output": texts[i]} for i in range(10 * k, 10 * k + 10)]
            files[f"{name}/part-{k:05d}.jsonl"] = rows_of(rows)
    return files, one_set({"aya": a, "sarvam": b}, r)


@shape
def ntrex_in_one_folder():
    files, sets = {"NTREX-128_newstest2019-src.eng.txt": plain(sentences("en", 30))}, []
    for language, code in (("fr", "fra"), ("ru", "rus"), ("hi", "hin")):
        a, b = system(language, 30, "m2m"), system(language, 30, "gpt", 0.2)
        files[f"NTREX-128_newstest2019-ref.{code}.txt"] = plain(sentences(language, 30))
        files[f"m2m.eng-{code}.txt"] = plain(a)
        files[f"gpt.eng-{code}.txt"] = plain(b)
        sets.append({"systems": {"m2m": a, "gpt": b}, "references": [sentences(language, 30)]})
    return files, several(sets)
