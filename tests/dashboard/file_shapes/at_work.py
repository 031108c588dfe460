"""Files as people who evaluate translations have them on their disks: runs, exports, releases, odd encodings."""

# ruff: noqa: E501  # programs write long lines
# fmt: off

import html
import io
import itertools
import random

import pyarrow as pa

from tests.dashboard.file_shapes.languages import second, sentences, system
from tests.dashboard.file_shapes.of_languages import (
    Shapes,
    one_set,
    parquet,
    plain,
    rows_of,
    several,
    table,
    texts_of,
    tokenized,
    whole,
    xlsx,
    zipped,
)

N = 26
SHAPES = Shapes()
shape, of_texts = SHAPES.shape, SHAPES.of_texts


def of_two(write, source, ref, a, b, names=("alpha", "beta")):
    """Files of two systems, which `write` makes of a name and its outputs, and what is expected of them."""
    files = {}
    for name, texts in zip(names, (a, b), strict=True):
        files.update(write(name, texts))
    return files, one_set(dict(zip(names, (a, b), strict=True)), ref)


def shuffled(rows, seed=1):
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    return rows


# ---- logs of language models
@of_texts(n=N)
def harness_v4_folders(s, r, a, b):
    def write(name, texts):
        folder = f"results/org__{name}"
        rows = [
            {
                "doc_id": k,
                "doc": {"translation": {"de": s[k], "en": r[k]}},
                "target": " " + r[k],
                "arguments": {"gen_args_0": {"arg_0": f"German phrase: {s[k]}\nEnglish phrase:", "arg_1": {"until": ["\n"], "do_sample": False}}},
                "resps": [[" " + t]],
                "filtered_resps": [t],
                "filter": "none",
                "metrics": ["bleu", "ter", "chrf"],
                "doc_hash": f"{k * 7919:064x}",
                "prompt_hash": f"{k * 104729:064x}",
                "target_hash": f"{k * 1299709:064x}",
                "bleu": [r[k], t],
                "ter": [r[k], t],
                "chrf": [r[k], t],
            }
            for k, t in enumerate(texts)
        ]
        return {
            f"{folder}/samples_wmt16-de-en_2026-03-01T10-11-12.123456.jsonl": rows_of(rows),
            f"{folder}/results_2026-03-01T10-11-12.123456.json": whole({"results": {"wmt16-de-en": {"bleu,none": 27.1}}, "n-samples": {"wmt16-de-en": {"original": N}}, "git_hash": "abc1234", "config": {"model": "hf", "model_args": f"pretrained=org/{name}"}}),
        }

    return of_two(write, s, r, a, b)


@of_texts(n=N)
def harness_v3_write_out(s, r, a, b):
    def write(name, texts):
        return {
            f"{name}/wmt20-de-en_write_out_info.json": whole(
                [
                    {"doc_id": k, "prompt_0": f"German phrase: {s[k]}\nEnglish phrase:", "logit_0": t, "truth": r[k], "bleu": f"('{r[k]}', '{t}')", "chrf": "(1, 2)"}
                    for k, t in enumerate(texts)
                ]
            )
        }

    return of_two(write, s, r, a, b)


@of_texts("fr", N)
def vllm_run_batch_shuffled(s, r, a, b):
    def write(name, texts):
        rows = [
            {
                "id": f"vllm-{k * 31:08x}",
                "custom_id": f"request-{k + 1}",
                "response": {"status_code": 200, "request_id": f"vllm-batch-{k:04x}", "body": {"id": f"chatcmpl-{k}", "object": "chat.completion", "created": 1772000000 + k, "model": f"org/{name}", "choices": [{"index": 0, "message": {"role": "assistant", "content": t, "tool_calls": []}, "logprobs": None, "finish_reason": "stop", "stop_reason": None}], "usage": {"prompt_tokens": 31, "total_tokens": 60, "completion_tokens": 29}}},
                "error": None,
            }
            for k, t in enumerate(texts)
        ]
        return {f"results_{name}.jsonl": rows_of(shuffled(rows, name))}

    files, wanted = of_two(write, s, r, a, b)
    files["batch_input.jsonl"] = rows_of(
        {"custom_id": f"request-{k + 1}", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", "messages": [{"role": "system", "content": "Translate into French."}, {"role": "user", "content": t}], "max_tokens": 256}}
        for k, t in enumerate(s)
    )
    files["reference.fr"] = plain(r)
    return files, wanted


@of_texts("es", N)
def openai_evals_api_export(s, r, a, b):
    def write(name, texts):
        return {
            f"run_{name}.jsonl": rows_of(
                {
                    "object": "eval.run.output_item",
                    "id": f"outputitem_{k:024x}",
                    "run_id": f"evalrun_{name}",
                    "datasource_item_id": k,
                    "datasource_item": {"source_text": s[k], "reference": r[k]},
                    "results": [{"name": "BLEU grader", "sample": None, "passed": True, "score": 0.31}],
                    "sample": {"input": [{"role": "developer", "content": "Translate into Spanish."}, {"role": "user", "content": s[k]}], "output": [{"role": "assistant", "content": t}], "finish_reason": "stop", "model": name, "temperature": 0, "top_p": 1, "usage": {"total_tokens": 44}},
                    "status": "pass",
                }
                for k, t in enumerate(texts)
            )
        }

    return of_two(write, s, r, a, b)


@of_texts(n=N)
def helm_display_files(s, r, a, b):
    def write(name, texts):
        run = f"runs/v1/wmt_14:language_pair=de-en,model={name}"
        return {
            f"{run}/instances.json": whole([{"input": {"text": s[k]}, "references": [{"output": {"text": r[k]}, "tags": ["correct"]}], "split": "test", "id": f"id{k}"} for k in range(N)]),
            f"{run}/display_predictions.json": whole([{"instance_id": f"id{k}", "predicted_text": t, "train_trial_index": 0, "stats": {"bleu_4": 0.3, "num_output_tokens": 21}} for k, t in enumerate(texts)]),
            f"{run}/display_requests.json": whole([{"instance_id": f"id{k}", "train_trial_index": 0, "request": {"model": name, "prompt": f"Translate: {s[k]}", "max_tokens": 100}} for k in range(N)]),
            f"{run}/run_spec.json": whole({"name": f"wmt_14:language_pair=de-en,model={name}", "adapter_spec": {"model": name}}),
            f"{run}/stats.json": whole([{"name": {"name": "bleu_4", "split": "test"}, "count": 1, "mean": 0.3}]),
        }

    return of_two(write, s, r, a, b)


@of_texts("ru", N)
def inspect_samples_frame(s, r, a, b):
    rows = [
        [f"{name}{k:05}", f"logs/2026-03-01_{name}.eval", f"openai/{name}", k + 1, 1, s[k], r[k], t, 0.3, 412 + k, "", 1.5]
        for name, texts in (("alpha", a), ("beta", b))
        for k, t in enumerate(texts)
    ]
    titles = ["sample_id", "log", "model", "id", "epoch", "input", "target", "output", "score_bleu", "total_tokens", "error", "total_time"]
    return {"samples.csv": table([titles, *shuffled(rows)])}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def weave_calls(s, r, a, b):
    rows = [
        [f"0195-{name}-{k}", f"weave:///t/p/op/{name}-predict:v3", "2026-03-01T10:00:00Z", f"weave:///t/p/object/{name}:v1", f"row-{k}", s[k], r[k], t, 0.41, 1.2, "success"]
        for name, texts in (("alpha", a), ("beta", b))
        for k, t in enumerate(texts)
    ]
    titles = ["id", "op_name", "started_at", "inputs.model", "inputs.example.id", "inputs.example.source", "inputs.example.reference", "output.output.translation", "output.scores.chrf", "summary.weave.latency_s", "summary.weave.status"]
    return {"weave_export.csv": table([titles, *rows])}, one_set({"alpha": a, "beta": b}, r)


@of_texts("hi", N)
def braintrust_experiments(s, r, a, b):
    def write(name, texts):
        return {
            f"{name}-3fa9c1.json": whole(
                [
                    {"id": f"{k:036x}", "span_id": f"{k:08x}", "root_span_id": f"{k:08x}", "input": {"text": s[k], "target_lang": "hi"}, "output": {"translation": t}, "expected": {"translation": r[k]}, "error": None, "scores": {"Levenshtein": 0.7}, "metadata": {"domain": "news"}, "tags": None, "metrics": {"start": 1772000000.1, "end": 1772000001.9, "tokens": 61}, "span_attributes": {"name": "eval", "type": "eval"}}
                    for k, t in enumerate(texts)
                ]
            )
        }

    return of_two(write, s, r, a, b)


@of_texts(n=N)
def phoenix_spans(s, r, a, b):
    spans = [
        {
            "name": "ChatCompletion",
            "span_kind": "LLM",
            "context.span_id": f"{seed}{k:015x}",
            "start_time": f"2026-03-01T10:{k:02}:00+00:00",
            "status_code": "OK",
            "attributes.llm.model_name": name,
            "attributes.llm.input_messages": [{"message.role": "system", "message.content": "You translate from German into English."}, {"message.role": "user", "message.content": s[k]}],
            "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": t}],
            "attributes.llm.token_count.total": 55 + k,
            "attributes.metadata": {"segment": k, "reference": r[k]},
        }
        for seed, (name, texts) in enumerate((("alpha", a), ("beta", b)))
        for k, t in enumerate(texts)
    ]
    return {"spans.jsonl": rows_of(spans)}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def llm_command_logs(s, r, a, b):
    logs = [
        {"id": f"01h{name}{k:05}", "model": name, "resolved_model": None, "prompt": f"Translate into English: {s[k]}", "system": None, "options_json": {}, "response": t, "response_json": {"usage": {"input": 31}}, "conversation_id": f"01c{name}{k}", "duration_ms": 900 + k, "datetime_utc": f"2026-03-01T10:00:{k:02}", "attachments": []}
        for name, texts in (("alpha", a), ("beta", b))
        for k, t in enumerate(texts)
    ]
    return {"logs.json": whole(logs), "reference.txt": plain(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def promptfoo_table(s, r, a, b):
    titles = ["source", "reference", "[openai:alpha] Translate into English: {{source}}", "[anthropic:beta] Translate into English: {{source}}"]
    rows = [[s[k], r[k], f"[PASS] {a[k]}", f"[{'FAIL' if k % 5 == 0 else 'PASS'}] {b[k]}"] for k in range(N)]
    return {"output.csv": table([titles, *rows])}, one_set({"alpha": a, "beta": b}, r)


@of_texts("zh", N)
def llama_factory_saves(s, r, a, b):
    def write(name, texts):
        folder = f"saves/{name}/lora/predict"
        return {
            f"{folder}/generated_predictions.jsonl": rows_of({"prompt": f"<|im_start|>user\nTranslate into Chinese: {s[k]}<|im_end|>\n<|im_start|>assistant\n", "predict": t, "label": r[k] + "\n"} for k, t in enumerate(texts)),
            f"{folder}/predict_results.json": whole({"predict_bleu-4": 31.2, "predict_rouge-l": 40.1, "predict_runtime": 12.3}),
            f"{folder}/all_results.json": whole({"predict_bleu-4": 31.2}),
            f"{folder}/running_log.txt": plain([f"[INFO|2026-03-01 10:00:{k:02}] trainer.py:{3000 + k} >> Num examples = {N}" for k in range(9)]),
        }

    return of_two(write, s, r, a, b)


@of_texts(n=N)
def evaluate_inputs(s, r, a, b):
    second_one = second("en", N)

    def write(name, texts):
        return {f"{name}.json": whole({"predictions": texts, "references": [[x, y] for x, y in zip(r, second_one, strict=True)], "sources": s})}

    files, _ = of_two(write, s, r, a, b)
    return files, one_set({"alpha": a, "beta": b}, r, second_one)


# ---- toolkits
@of_texts(n=30)
def fairseq_two_splits(s, r, a, b):
    s2, r2, a2, b2 = texts_of(n=N, seed=5)

    def log(source, ref, hyps):
        lines = ["2026-03-01 10:00:00 | INFO | fairseq_cli.generate | loading model(s) from checkpoint_best.pt"]
        for k in shuffled(range(len(hyps))):
            lines += [f"S-{k}\t{tokenized(source[k])}", f"T-{k}\t{ref[k]}", f"H-{k}\t-0.4{k}\t{tokenized(hyps[k])}", f"D-{k}\t-0.4{k}\t{hyps[k]}", f"P-{k}\t-0.1 -0.2"]
        return plain([*lines, f"Generate test with beam=5: BLEU4 = 30.1, 60/40/30/20 (BP=1.000, syslen={len(hyps)}, reflen=9)"])

    files = {}
    for name, test, valid in (("alpha", a, a2), ("beta", b, b2)):
        files[f"{name}/generate-test.txt"] = log(s, r, test)
        files[f"{name}/generate-valid.txt"] = log(s2, r2, valid)
    return files, several([{"systems": {"alpha": a, "beta": b}, "references": [r]}, {"systems": {"alpha": a2, "beta": b2}, "references": [r2]}])


@of_texts(n=N)
def marian_alignments(s, r, a, b):
    def write(name, texts):
        return {f"{name}.out": plain([f"{t} ||| {' '.join(f'{k}-{k}' for k in range(len(t.split())))}" for t in texts])}

    files, wanted = of_two(write, s, r, a, b)
    return {**files, "newstest.de": plain(s), "newstest.en": plain(r)}, wanted


@of_texts(n=N)
def sockeye_with_score(s, r, a, b):
    def write(name, texts):
        return {f"out.{name}": plain([f"{0.35 + k / 100:.3f}\t{t}" for k, t in enumerate(texts)])}

    files, wanted = of_two(write, s, r, a, b)
    return {**files, "ref.en": plain(r)}, wanted


@of_texts(n=N)
def opennmt_five_best(s, r, a, b):
    def write(name, texts):
        return {f"pred_{name}.txt": plain(list(itertools.chain.from_iterable((t, *(" ".join(t.split()[k:] + t.split()[:k]) for k in (1, 2, 3, 4))) for t in texts)))}

    files, wanted = of_two(write, s, r, a, b)
    return {**files, "tgt-test.txt": plain(r), "src-test.txt": plain(s)}, wanted


@of_texts(n=N)
def espnet_score_bleu(s, r, a, b):
    def write(name, texts):
        folder = f"exp/st_train_{name}/decode_st/tst-COMMON.en-de/score_bleu"
        ids = [f"ted_{k // 6:03}_{k:04}" for k in range(N)]
        return {
            f"{folder}/hyp.trn": plain([f"{t.lower()} ({i})" for t, i in zip(texts, ids, strict=True)]),
            f"{folder}/hyp.trn.detok": plain(texts),
            f"{folder}/ref.trn.detok": plain(r),
            f"{folder}/ref.trn.org": plain([f"{t} ({i})" for t, i in zip(r, ids, strict=True)]),
            f"{folder}/result.tc.txt": plain(["{", '"name": "BLEU", "score": 30.1', "}"]),
        }

    return of_two(write, s, r, a, b)


@of_texts("fr", N)
def subtitles_of_talks(_s, r, a, b):
    def srt(texts):
        return "\r\n".join(f"{k + 1}\r\n00:00:{k:02},000 --> 00:00:{k + 1:02},500\r\n{t}\r\n" for k, t in enumerate(texts)).encode("utf-8-sig")

    files = {
        f"{folder}/talk_{talk}.srt": srt(texts[talk * 13 : talk * 13 + 13])
        for folder, texts in (("whisper-alpha", a), ("whisper-beta", b), ("reference", r))
        for talk in range(2)
    }
    return files, one_set({"alpha": a, "beta": b}, r)


@of_texts("ja", N)
def whisper_tables(_s, r, a, b):
    def tsv(texts):
        return table([["start", "end", "text"], *([k * 2000, k * 2000 + 1800, t] for k, t in enumerate(texts))], "\t", nl="\n")

    return {"alpha.tsv": tsv(a), "beta.tsv": tsv(b), "reference.tsv": tsv(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def speech_manifest(s, r, a, b):
    rows = [[f"ted_1_{k}", f"fbank80.zip:{k * 4711}:{900 + k}", 310 + k, r[k], f"spk.{k // 5}", s[k]] for k in range(N)]
    return {
        "tst-COMMON_st.tsv": table([["id", "audio", "n_frames", "tgt_text", "speaker", "src_text"], *rows], "\t", nl="\n"),
        "alpha.hyp": plain(a),
        "beta.hyp": plain(b),
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def speech_release(s, r, a, b):
    timing = [f"- {{duration: {2 + k / 10:.6f}, offset: {k * 3:.6f}, rW: {10 + k}, uW: 0, speaker_id: spk.{k // 6}, wav: ted_{k // 6}.wav}}" for k in range(N)]
    base = "en-de/data/tst-COMMON/txt/tst-COMMON"
    return {
        f"{base}.yaml": plain(timing),
        f"{base}.en": plain(s),
        f"{base}.de": plain(r),
        "hyps/cascade.de": plain(a),
        "hyps/direct.de": plain(b),
    }, one_set({"cascade": a, "direct": b}, r)


@of_texts(n=N)
def moses_experiment(s, r, a, b):
    files = {"evaluation/newstest.reference.1": plain(r), "evaluation/newstest.input.1": plain(s)}
    for run, texts in (("1", a), ("2", b)):
        base = "evaluation/newstest"
        files |= {
            f"{base}.output.{run}": plain([tokenized(t).lower() for t in texts]),
            f"{base}.detokenized.{run}": plain(texts),
            f"{base}.nist-bleu.{run}": plain(["NIST score = 7.1  BLEU score = 0.301 for system \"my-system\""]),
            f"{base}.multi-bleu.{run}": plain(["BLEU = 30.1, 60/40/30/20 (BP=1.000, ratio=1.000, hyp_len=500, ref_len=500)"]),
        }
    return files, one_set({"1": a, "2": b}, r)


@of_texts(n=N)
def checkpoints_of_transformers(s, r, _a, _b):
    files = {"data/test.json": rows_of({"translation": {"de": x, "en": y}} for x, y in zip(s, r, strict=True))}
    systems = {}
    for step in (500, 1000, 1500, 2000):
        systems[f"checkpoint-{step}"] = system("en", N, str(step), 0.4 - step / 10000)
        files |= {
            f"out/checkpoint-{step}/generated_predictions.txt": plain(systems[f"checkpoint-{step}"]),
            f"out/checkpoint-{step}/trainer_state.json": whole({"global_step": step, "log_history": [{"loss": 2.1, "step": k} for k in range(9)]}),
            f"out/checkpoint-{step}/all_results.json": whole({"predict_bleu": 21.2}),
        }
    return files, one_set(systems, r)


@shape
def recipes_with_seeds():
    s, r, *_ = texts_of(n=N)
    files, systems = {}, {}
    for recipe, rate in (("base", 0.25), ("big", 0.15)):
        for seed in (1, 2, 3):
            systems[f"{recipe}{seed}"] = texts = system("en", N, f"{recipe}{seed}", rate)
            folder = f"exp/{recipe}/seed_{seed}"
            files |= {
                f"{folder}/predictions.jsonl": rows_of({"idx": k, "src": s[k], "pred": t, "gold": r[k]} for k, t in enumerate(texts)),
                f"{folder}/config.yaml": plain(["model:", f"  name: {recipe}", f"seed: {seed}", "lr: 0.0003"]),
                f"{folder}/metrics.json": whole({"bleu": 30.2, "loss": 1.9}),
            }
    return files, one_set(systems, r, runs={"base": 3, "big": 3})


# ---- shared tasks and corpora
def sgm(kind, sets, language="German"):
    docs = []
    for name, texts in sets:
        docs += [f'<doc sysid="{name}" docid="doc{d}" genre="news">\n' + "".join(f'<p>\n<seg id="{k + 1}">{html.escape(t, quote=False)}</seg>\n</p>\n' for k, t in enumerate(texts[d * 13 : d * 13 + 13])) + "</doc>" for d in range(2)]
    target = "" if kind == "srcset" else ' trglang="English"'
    return plain([f'<{kind} setid="nist08" srclang="{language}"{target}>', *docs, f"</{kind}>"])


@of_texts(n=N)
def nist_four_references(s, r, a, b):
    refs = [r, second("en", N), system("en", N, "human3", 0.05), system("en", N, "human4", 0.05)]
    return {
        "mt08_src.sgm": sgm("srcset", [("source", s)]),
        "mt08_ref.sgm": sgm("refset", [(f"ref{k + 1}", t) for k, t in enumerate(refs)]),
        "mt08_tst.sgm": sgm("tstset", [("alpha", a), ("beta", b)]),
    }, one_set({"alpha": a, "beta": b}, *refs)


@of_texts("ru", N)
def metric_task_long(s, r, a, b):
    rows = [
        [f"doc{k // 6}", k % 6 + 1, "en", "ru_RU", "official", name, s[k], t, r[k], "news", "esa"]
        for name, texts in (("alpha", a), ("beta", b))
        for k, t in enumerate(texts)
    ]
    titles = ["doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment", "hypothesis_segment", "reference_segment", "domain_name", "method"]
    return {"mteval-task1-test25.tsv": table([titles, *rows], "\t", nl="\n")}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def quality_estimation(s, r, a, _):
    tags = [" ".join("OK" if k % 4 else "BAD" for k in range(len(t.split()))) for t in a]
    return {
        "test.src": plain(s),
        "test.mt": plain(a),
        "test.pe": plain(r),
        "test.hter": plain([f"{0.1 + k / 100:.6f}" for k in range(N)]),
        "test.tags": plain(tags),
        "test.source_tags": plain(["OK " * len(t.split()) for t in s]),
    }, one_set({"mt": a}, r)


@of_texts("de", N)
def post_editing_task(s, r, a, b):
    return {
        "test.src": plain(s),
        "test.mt": plain(a),
        "test.pe": plain(r),
        "submissions/TEAM_PRIMARY.tsv": plain([f"TEAM_PRIMARY\t{k + 1}\t{t}" for k, t in enumerate(b)]),
    }, one_set({"mt": a, "primary": b}, r)


@of_texts("es", N)
def biomedical_task(s, r, a, b):
    def numbered(texts):
        return plain([f"doc{k // 5 + 1}\t{k % 5 + 1}\t{t}" for k, t in enumerate(texts)])

    return {
        "medline_en2es_en.txt": numbered(s),
        "medline_en2es_es.txt": numbered(r),
        "alpha_run1_en2es.txt": numbered(a),
        "beta_run1_en2es.txt": numbered(b),
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def terminology_task(s, r, a, b):
    def rows(texts):
        return rows_of({"en": x, "de": t, "terms": {"bridge": "Brücke"}} for x, t in zip(s, texts, strict=True))

    return {"alpha.ende.noterm.jsonl": rows(a), "alpha.ende.proper.jsonl": rows(b), "reference.ende.jsonl": rows(r)}, one_set({"noterm": a, "proper": b}, r)


@of_texts(n=N)
def errors_marked_in_rows(s, r, a, b):
    rows = []
    for name, texts in (("alpha", a), ("beta", b), ("refA", r)):
        for k, t in enumerate(texts):
            words = t.split()
            for error in range(1 + k % 2):
                marked = " ".join([*words[:error], f"<v>{words[error]}</v>", *words[error + 1 :]])
                rows.append([name, f"doc{k // 6}", f"doc{k // 6}", k + 1, f"rater{error + 1}", s[k], marked, "Accuracy/Mistranslation", "minor", "{}"])
    titles = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "metadata"]
    return {"mqm_newstest_deen.tsv": table([titles, *rows], "\t", nl="\n")}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def flores_two_targets(s, en, a, b):
    fr, c, d = sentences("fr", N), system("fr", N, "alpha", 0.1), system("fr", N, "beta", 0.3)
    return {
        "flores200/devtest/deu_Latn.devtest": plain(s),
        "flores200/devtest/eng_Latn.devtest": plain(en),
        "flores200/devtest/fra_Latn.devtest": plain(fr),
        "flores200/metadata_devtest.tsv": table([["URL", "domain", "topic"], *([f"https://en.example.org/{k // 3}", "wikinews", "travel"] for k in range(N))], "\t"),
        "alpha/deu_Latn-eng_Latn.txt": plain(a),
        "alpha/deu_Latn-fra_Latn.txt": plain(c),
        "beta/deu_Latn-eng_Latn.txt": plain(b),
        "beta/deu_Latn-fra_Latn.txt": plain(d),
    }, several([{"systems": {"alpha": a, "beta": b}, "references": [en]}, {"systems": {"alpha": c, "beta": d}, "references": [fr]}])


@of_texts(n=N)
def tatoeba_test(s, r, a, b):
    return {
        "test.txt": plain([f"deu\teng\t{x}\t{y}" for x, y in zip(s, r, strict=True)]),
        "alpha.eng": plain(a),
        "beta.eng": plain(b),
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def mtdata_parts(s, r, a, b):
    base = "tests/Statmt-newstest_deen-2019-deu-eng"
    return {
        f"{base}.deu": plain(s),
        f"{base}.eng": plain(r),
        "mtdata.signature.txt": plain(["mtdata get -l deu-eng -ts Statmt-newstest_deen-2019-deu-eng <==> mtdata:0.4.1"]),
        "references.bib": plain(["@inproceedings{barrault-etal-2019,", "  title = {Findings},", "}"]),
        "systems/alpha.eng": plain(a),
        "systems/beta.eng": plain(b),
    }, one_set({"alpha": a, "beta": b}, r)


@shape
def abstracts_corpus():
    ja, en, a, b = sentences("ja", N), sentences("en", N), system("en", N, "alpha", 0.1), system("en", N, "beta", 0.3)
    return {
        "aspec/test.txt": plain([f"A-96A0{k:06} ||| {k % 9 + 1} ||| {x} ||| {y}" for k, (x, y) in enumerate(zip(ja, en, strict=True))]),
        "alpha.txt": plain(a),
        "beta.txt": plain(b),
    }, one_set({"alpha": a, "beta": b}, en)


@shape
def multimodal_two_sets():
    sets, files = [], {}
    for name, seed in (("test_2016_flickr", 1), ("test_2017_mscoco", 2)):
        s, r, a, b = texts_of("de", N, seed=seed)
        files |= {f"data/{name}.en": plain(s), f"data/{name}.de": plain(r), f"out/{name}.alpha.de": plain(a), f"out/{name}.beta.de": plain(b)}
        sets.append({"systems": {"alpha": a, "beta": b}, "references": [r]})
    return files, several(sets)


# ---- translation tools
@of_texts("fr", N)
def xliff_two_inline(s, r, a, b):
    def unit(k, source, target):
        first, _, rest = target.partition(" ")
        return f'<unit id="u{k}"><notes><note category="comment">Shown on the home page</note></notes><segment id="s1" state="translated"><source>{source}</source><target><pc id="1" type="fmt">{first}</pc> {rest}</target></segment></unit>'

    def file(texts):
        units = "".join(unit(k, x, t) for k, (x, t) in enumerate(zip(s, texts, strict=True)))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de" trgLang="fr"><file id="f1"><group id="g1">{units}</group></file></xliff>'.encode()

    return {"alpha.xlf": file(a), "beta.xlf": file(b), "human.xlf": file(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def plurals_and_contexts(s, r, a, b):
    def po(texts):
        head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
        entries = []
        for k in range(0, N - 2, 1):
            comment = f"#: src/app.py:{k + 12}\n" + ("#, python-format\n" if k % 3 else "")
            entries.append(f'{comment}msgctxt "view {k}"\nmsgid "{s[k]}"\nmsgstr "{texts[k]}"\n')
        entries.append(f'msgid "{s[N - 2]}"\nmsgid_plural "{s[N - 1]}"\nmsgstr[0] "{texts[N - 2]}"\nmsgstr[1] "{texts[N - 1]}"\n')
        entries.append('#~ msgid "Old text"\n#~ msgstr "Alter Text"\n')
        return "\n".join([head, *entries]).encode()

    return {f"{folder}/LC_MESSAGES/app.po": po(texts) for folder, texts in (("alpha", a), ("beta", b), ("reference", r))}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def memory_matches_in_xliff(s, r, a, _):
    units = "".join(f'<trans-unit id="x:{k}" m:score="0.0" m:gross-score="0.0" m:confirmed="1"><source>{x}</source><target>{y}</target><alt-trans origin="machine-trans"><target>{t}</target></alt-trans><alt-trans origin="memsource-tm"><target></target></alt-trans></trans-unit>' for k, (x, y, t) in enumerate(zip(s, r, a, strict=True)))
    return {"job_en-de.mxliff": f'<?xml version="1.0" encoding="UTF-8"?><xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:m="http://www.memsource.com/mxlf/2.0" version="1.2"><file original="a.docx" source-language="en" target-language="de" datatype="x-docx"><body>{units}</body></file></xliff>'.encode()}, one_set({"machine": a}, r)


@of_texts("fr", N)
def escaped_properties(_s, r, a, b):
    def properties(texts):
        lines = ["# Sous-titres", "! generated"]
        for k, t in enumerate(texts):
            words = "".join(f"\\u{ord(c):04x}" if ord(c) > 126 else c for c in t)
            head, gap, tail = words.partition(" ")
            lines += [f"view.{k}.title = {head}{gap}\\", f"    {tail}"]
        return plain(lines, enc="latin-1")

    return {f"messages_{name}.properties": properties(t) for name, t in (("alpha", a), ("beta", b), ("reference", r))}, one_set({"alpha": a, "beta": b}, r)


@of_texts("zh", N)
def apple_strings_wide(_s, r, a, b):
    def strings(texts, order):
        return "".join(f'/* Label {k} */\n"label.{k}" = "{texts[k]}";\n\n' for k in order).encode("utf-16")

    return {
        "alpha/zh-Hans.lproj/Localizable.strings": strings(a, range(N)),
        "beta/zh-Hans.lproj/Localizable.strings": strings(b, shuffled(range(N))),
        "reference/zh-Hans.lproj/Localizable.strings": strings(r, range(N)),
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts("es", N)
def namespaces_of_locales(_s, r, a, b):
    files = {
        f"{name}/locales/es/{space}.json": whole({f"view{k}": {"title": texts[2 * k], "hint": texts[2 * k + 1]} for k in part})
        for name, texts in (("alpha", a), ("beta", b), ("reference", r))
        for space, part in (("common", range(7)), ("home", range(7, 13)))
    }
    return files, several({"systems": {"alpha": a[one], "beta": b[one]}, "references": [r[one]]} for one in (slice(14), slice(14, N)))


@of_texts("de", N)
def tiers_of_elan(s, r, a, b):
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{k}" TIME_VALUE="{k * 1500}"/>' for k in range(N + 1))
    ids = itertools.count(1)
    tiers = "".join(
        f'<TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="{name}">' + "".join(f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{next(ids)}" TIME_SLOT_REF1="ts{k}" TIME_SLOT_REF2="ts{k + 1}"><ANNOTATION_VALUE>{t}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>' for k, t in enumerate(texts)) + "</TIER>"
        for name, texts in (("source", s), ("reference", r), ("alpha", a), ("beta", b))
    )
    return {"talk.eaf": f'<?xml version="1.0" encoding="UTF-8"?><ANNOTATION_DOCUMENT AUTHOR="" FORMAT="3.0" VERSION="3.0"><HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/><TIME_ORDER>{slots}</TIME_ORDER>{tiers}<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/></ANNOTATION_DOCUMENT>'.encode()}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def cloud_translation_jobs(s, r, a, b):
    def write(name, texts):
        folder = f"{name}/123456789012-TranslateText-{name}0f3e"
        return {
            f"{folder}/en.newstest.txt": plain(texts),
            f"{folder}/details/en.auxiliary-translation-details.json": whole({"sourceLanguageCode": "de", "targetLanguageCode": "en", "charactersTranslated": "2310", "documentCountWithCustomerError": "0", "details": [{"sourceFile": "newstest.txt", "targetFile": "en.newstest.txt", "auxiliaryData": {"appliedTerminologies": []}}]}),
        }

    files, wanted = of_two(write, s, r, a, b)
    return {**files, "newstest.txt": plain(s), "newstest.ref.txt": plain(r)}, wanted


# ---- sheets and tables
@of_texts(n=N)
def grouped_heading(s, r, a, b):
    rows = [
        ["Evaluation of May", "", "", "", "", ""],
        ["", "", "", "", "", ""],
        ["", "", "", "Systems", "", ""],
        ["#", "Source (German)", "Human translation", "GPT-4o", "DeepL", "Comments"],
        *([k + 1, s[k], r[k], a[k], b[k], "check the tense" if k % 9 == 0 else ""] for k in range(N)),
    ]
    return {"Evaluation - Sheet1.csv": table(rows)}, one_set({"GPT-4o": a, "DeepL": b}, r)


@of_texts("fr", N)
def excel_says_its_separator(s, r, a, b):
    body = table([["id", "source", "référence", "alpha", "beta"], *([k, *one] for k, one in enumerate(zip(s, r, a, b, strict=True)))], ";").decode()
    return {"export.csv": ("sep=;\r\n" + body).encode("utf-8-sig")}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def raw_quotes_in_tabs(s, r, a, b):
    a = [f'"{t}' if k in (3, 11) else t for k, t in enumerate(a)]
    b = [f'{t[:5]}"{t[5:]}' if k in (6, 7) else t for k, t in enumerate(b)]
    return {"all.tsv": plain(["source\treference\talpha\tbeta", *map("\t".join, zip(s, r, a, b, strict=True))])}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def label_studio_table(s, r, a, b):
    titles = ["annotation_id", "annotator", "better", "created_at", "id", "lead_time", "mt_1", "mt_2", "ref", "src", "updated_at"]
    rows = [[900 + k, "7", "mt_1" if k % 2 else "mt_2", "2026-03-01T10:00:00Z", 100 + k, 12.5 + k, a[k], b[k], r[k], s[k], "2026-03-01T10:02:00Z"] for k in range(N)]
    return {"project-7-at-2026-03-01.csv": table([titles, *rows])}, one_set({"mt_1": a, "mt_2": b}, r)


@of_texts(n=N)
def prodigy_spans(s, r, a, b):
    rows = [
        {"text": t, "_input_hash": -1512345 + k, "_task_hash": 71234 + k, "meta": {"system": name, "segment": k, "source": s[k], "reference": r[k]}, "tokens": [{"text": w, "start": 0, "end": 1, "id": i, "ws": True} for i, w in enumerate(t.split())], "spans": [{"start": 0, "end": 4, "token_start": 0, "token_end": 0, "label": "ACCURACY"}] if k % 3 else [], "answer": "accept", "_view_id": "spans_manual", "_timestamp": 1772000000 + k}
        for name, texts in (("alpha", a), ("beta", b))
        for k, t in enumerate(texts)
    ]
    return {"mt_spans.jsonl": rows_of(shuffled(rows))}, one_set({"alpha": a, "beta": b}, r)


@of_texts("hi", N)
def doccano_pairs(s, r, a, b):
    def rows(texts):
        return rows_of({"id": 300 + k, "text": x, "label": [t], "Comments": []} for k, (x, t) in enumerate(zip(s, texts, strict=True)))

    return {"alpha.jsonl": rows(a), "beta.jsonl": rows(b), "gold.jsonl": rows(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("es", N)
def argilla_records(s, r, a, b):
    return {
        "argilla.json": whole(
            [
                {"id": f"{k:08x}", "status": "completed", "fields": {"source": s[k], "alpha": a[k], "beta": b[k]}, "metadata": {"reference": r[k], "domain": "news"}, "suggestions": {}, "responses": {"preference": [{"value": "alpha" if k % 2 else "beta", "status": "submitted", "user_id": "3fa9"}], "comment": [{"value": "ok", "status": "submitted", "user_id": "3fa9"}]}, "vectors": {}}
                for k in range(N)
            ]
        )
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def datasets_saved_to_disk(s, r, a, b):
    def write(name, texts):
        made = pa.table({"id": [f"n{k}" for k in range(N)], "source": s, "prediction": texts, "reference": r})
        written = io.BytesIO()
        with pa.ipc.new_stream(written, made.schema) as stream:
            stream.write_table(made)
        return {
            f"preds_{name}/data-00000-of-00001.arrow": written.getvalue(),
            f"preds_{name}/dataset_info.json": whole({"citation": "", "description": "", "features": {"id": {"dtype": "string", "_type": "Value"}}, "homepage": "", "license": ""}),
            f"preds_{name}/state.json": whole({"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_fingerprint": "3fa9c1", "_format_columns": None, "_split": None}),
        }

    return of_two(write, s, r, a, b)


@of_texts("zh", N)
def frame_by_columns(s, r, a, b):
    return {"frame.json": whole({title: {str(k): t for k, t in enumerate(texts)} for title, texts in (("src", s), ("ref", r), ("alpha", a), ("beta", b))})}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def table_of_r(s, r, a, b):
    lines = ['"src" "ref" "alpha" "beta"'] + [" ".join(f'"{x}"' for x in (k + 1, s[k], r[k], a[k], b[k])) for k in range(N)]
    return {"results.txt": plain(lines)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("ja", N)
def japanese_workbook(s, r, a, b):
    return {"評価結果.xlsx": xlsx(("シート1", [["番号", "原文", "参照訳", "システムA", "システムB", "備考"], *([k + 1, s[k], r[k], a[k], b[k], ""] for k in range(N))]))}, one_set({"システムA": a, "システムB": b}, r)


# ---- folders, archives, JSON of one's own
@of_texts(n=N)
def repository_of_a_paper(s, r, a, b):
    top = "paper-code-main"
    files = {
        f"{top}/README.md": plain(["# Better MT", "", "Run `bash scripts/eval.sh`.", "", "| system | BLEU |", "|---|---|", "| alpha | 30.1 |", "| beta | 25.3 |"]),
        f"{top}/LICENSE": plain(["MIT License", "", "Copyright (c) 2026 Someone", "", "Permission is hereby granted, free of charge, to any person"]),
        f"{top}/requirements.txt": plain(["torch==2.3.0", "sacrebleu>=2.4", "transformers"]),
        f"{top}/.gitignore": plain(["*.pyc", "wandb/"]),
        f"{top}/CITATION.cff": plain(["cff-version: 1.2.0", "title: Better MT"]),
        f"{top}/scripts/eval.sh": plain(["#!/bin/bash", "set -e", "sacrebleu data/test.en < outputs/alpha/test.de-en.en"]),
        f"{top}/src/model.py": plain(["import torch", "", "class Model(torch.nn.Module):", "    pass"]),
        f"{top}/data/test.de": plain(s),
        f"{top}/data/test.en": plain(r),
        f"{top}/outputs/alpha/test.de-en.en": plain(a),
        f"{top}/outputs/beta/test.de-en.en": plain(b),
        f"__MACOSX/{top}/._README.md": b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X",
        f"{top}/.DS_Store": b"\x00\x00\x00\x01Bud1\x00",
    }
    return {"paper-code-main.zip": zipped(files)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("ru", N)
def folder_for_each_document(s, r, a, b):
    files = {
        f"doc{d:02}/{name}.txt": plain(texts[d * 9 : d * 9 + 9])
        for name, texts in (("source", s), ("reference", r), ("alpha", a), ("beta", b))
        for d in range(3)
    }
    parts = [slice(start, start + 9) for start in (0, 9, 18)]
    return files, several({"systems": {"alpha": a[one], "beta": b[one]}, "references": [r[one]]} for one in parts)


@of_texts("ar", N)
def json_by_document_and_segment(s, r, a, b):
    docs = {f"doc{d}": {str(k + 1): {"src": s[k], "ref": r[k], "mt": {"alpha": a[k], "beta": b[k]}} for k in range(d * 9, min(N, d * 9 + 9))} for d in range(3)}
    return {"all.json": whole(docs)}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def json_list_of_systems(s, r, a, b):
    return {
        "systems.json": whole({"source": {"lang": "de", "segments": s}, "systems": [{"name": name, "kind": kind, "translations": [{"id": k, "text": t} for k, t in enumerate(texts)]} for name, kind, texts in (("human", "reference", r), ("alpha", "mt", a), ("beta", "mt", b))]})
    }, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def json_of_texts_and_scores(s, r, a, b):
    refs = [[x] for x in r]
    return {"dump.json": whole({"lp": "de-en", "src": s, "refs": refs, "hyps": {"alpha": a, "beta": b}, "scores": {"alpha": [0.1] * N, "beta": [0.2] * N}})}, one_set({"alpha": a, "beta": b}, r)


@of_texts("fr", N)
def entities_of_a_service(s, r, a, b):
    r = [t.replace("le ", "l'").replace("Le ", "L'") for t in r]
    a = [t.replace("le ", "l'").replace("Le ", "L'") for t in a]
    rows = [[s[k], r[k], html.escape(a[k]), html.escape(b[k])] for k in range(N)]
    return {"google.csv": table([["source", "reference", "alpha", "beta"], *rows])}, one_set({"alpha": a, "beta": b}, r)


@of_texts("ar", N)
def marks_of_direction(s, r, a, b):
    rows = [[s[k], *("\u200f" + t[k] for t in (r, a, b))] for k in range(N)]
    return {"arabic.csv": table([["English", "Reference", "alpha", "beta"], *rows], ";", enc="utf-8-sig")}, one_set({"alpha": ["\u200f" + t for t in a], "beta": ["\u200f" + t for t in b]}, ["\u200f" + t for t in r])


@of_texts(n=N)
def separators_within_lines(_s, r, a, b):
    a = [t.replace(" ", "\u2028", 1) if k % 5 == 0 else t for k, t in enumerate(a)]
    b = [t.replace(" ", "\x85", 1) if k % 7 == 0 else t for k, t in enumerate(b)]
    r = [t.replace(" ", "\x0c", 1) if k % 6 == 0 else t for k, t in enumerate(r)]
    return {"alpha.txt": plain(a), "beta.txt": plain(b), "reference.txt": plain(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def lines_of_an_old_mac(_s, r, a, b):
    return {f"{name}.txt": plain(t, nl="\r", enc="utf-8") for name, t in (("alpha", a), ("beta", b), ("reference", r))}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def utterances_are_missing(_s, r, a, b):
    def kaldi(texts, without=()):
        return plain([f"spk{k // 5}-utt{k:03} {t}" for k, t in enumerate(texts) if k not in without])

    return {"alpha/text": kaldi(a), "beta/text": kaldi(b, (4, 17)), "ref/text": kaldi(r)}, one_set({"alpha": a, "beta": ["" if k in (4, 17) else t for k, t in enumerate(b)]}, r)


@of_texts(n=N)
def yaml_of_tests(s, r, a, b):
    lines = []
    for k in range(N):
        lines += [f"seg{k}:", f'  source: "{s[k]}"', f'  reference: "{r[k]}"', f'  alpha: "{a[k]}"', f'  beta: "{b[k]}"']
    return {"outputs.yaml": plain(lines)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("th", N)
def parquet_of_a_benchmark(s, r, a, b):
    rows = {"lp": ["en-th_TH"] * N, "domain": ["news"] * N, "document_id": [f"d{k // 5}" for k in range(N)], "segment_id": list(range(N)), "is_bad_source": [False] * N, "source": s, "target": r, "original_target": second("th", N)}
    return {
        "wmt24pp/en-th_TH.parquet": parquet(rows),
        "outputs.json": whole([{"segment_id": k, "alpha": a[k], "beta": b[k]} for k in range(N)]),
    }, one_set({"alpha": a, "beta": b}, r)


# ---- a second draw, written after all others were read
@of_texts("fr", N)
def harness_repeats(s, r, a, b):
    c = system("fr", N, "gamma", 0.2)
    rows = [{"doc_id": k, "doc": {"de": s[k], "fr": r[k]}, "target": r[k], "arguments": [[f"Translate: {s[k]}", {"do_sample": True}]], "resps": [[a[k], b[k], c[k]]], "filtered_resps": [a[k]], "doc_hash": f"{k}", "bleu": 0.3} for k in range(N)]
    return {"samples_de_fr.jsonl": rows_of(rows)}, one_set({"1": a, "2": b, "3": c}, r)


@of_texts(n=N)
def references_that_count(s, r, a, b):
    other = second("en", N)
    return {"refs/ref.0.txt": plain(r), "refs/ref.1.txt": plain(other), "hyps/alpha.txt": plain(a), "hyps/beta.txt": plain(b), "src.txt": plain(s)}, one_set({"alpha": a, "beta": b}, r, other)


@of_texts("es", N)
def data_set_and_predictions_by_id(s, r, a, b):
    data = parquet({"id": [f"es-{k * 7}" for k in range(N)], "translation": [{"de": x, "es": y} for x, y in zip(s, r, strict=True)]})
    rows = [rows_of(shuffled([{"id": f"es-{k * 7}", "prediction": t} for k, t in enumerate(texts)], 4)) for texts in (a, b)]
    return {"test-00000-of-00001.parquet": data, "alpha.jsonl": rows[0], "beta.jsonl": rows[1]}, one_set({"alpha": a, "beta": b}, r)


@of_texts("ja", N)
def japanese_titles(s, r, a, b):
    return {"結果.csv": table([["No.", "原文", "人手翻訳", "機械翻訳1", "機械翻訳2"], *([k + 1, *one] for k, one in enumerate(zip(s, r, a, b, strict=True)))], enc="utf-8-sig")}, one_set({"機械翻訳1": a, "機械翻訳2": b}, r)


@of_texts("es", N)
def spanish_titles(s, r, a, b):
    return {"hoja.csv": table([["Fuente", "Referencia", "Sistema 1", "Sistema 2"], *zip(s, r, a, b, strict=True)], ";")}, one_set({"Sistema 1": a, "Sistema 2": b}, r)


@of_texts(n=N)
def fine_tuning_file_as_test(s, r, a, b):
    chat = [{"messages": [{"role": "system", "content": "Translate into English."}, {"role": "user", "content": x}, {"role": "assistant", "content": y}]} for x, y in zip(s, r, strict=True)]
    return {"test.jsonl": rows_of(chat), **{f"{name}.jsonl": rows_of({"index": k, "completion": t} for k, t in enumerate(texts)) for name, texts in (("alpha", a), ("beta", b))}}, one_set({"alpha": a, "beta": b}, r)


@of_texts("hi", N)
def console_of_prompts(s, r, a, b):
    return {"evaluation.csv": table([["{{SOURCE}}", "ideal_output", "Prompt v1: output", "Prompt v2: output", "Prompt v1: grade"], *([*one, 4] for one in zip(s, r, a, b, strict=True))])}, one_set({"v1": a, "v2": b}, r)


@of_texts(n=N)
def side_by_side_responses(s, r, a, b):
    return {"autosxs.jsonl": rows_of({"prompt": f"Translate: {x}", "reference": y, "response": t, "baseline_model_response": u, "pairwise_choice": "CANDIDATE"} for x, y, t, u in zip(s, r, a, b, strict=True))}, one_set({"response": a, "baseline": b}, r)


@of_texts(n=N)
def outputs_by_generator(s, r, a, b):
    return {f"{name}/model_outputs.json": whole([{"dataset": "wmt", "instruction": x, "output": t, "generator": name} for x, t in zip(s, texts, strict=True)]) for name, texts in (("alpha", a), ("beta", b), ("reference", r))}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def questions_and_answers(s, r, a, b):
    def answers(name, texts):
        return rows_of({"question_id": 80 + k, "answer_id": f"x{name}{k}", "model_id": name, "choices": [{"index": 0, "turns": [t]}], "tstamp": 1.7e9} for k, t in enumerate(texts))

    questions = rows_of({"question_id": 80 + k, "category": "translation", "turns": [f"Translate: {x}"], "reference": [y]} for k, (x, y) in enumerate(zip(s, r, strict=True)))
    return {"question.jsonl": questions, "model_answer/alpha.jsonl": answers("alpha", a), "model_answer/beta.jsonl": answers("beta", b)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("ru", N)
def a_sheet_for_each_system(s, r, a, b):
    return {"all.xlsx": xlsx(*((name, [["ID", "Text"], *([k + 1, t] for k, t in enumerate(texts))]) for name, texts in (("Source", s), ("Reference", r), ("alpha", a), ("beta", b))))}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def ids_and_tabs_in_other_orders(s, r, a, b):
    def rows(texts, seed):
        return plain(shuffled([f"nt-{k:03}\t{t}" for k, t in enumerate(texts)], seed))

    return {"alpha.tsv": rows(a, 1), "beta.tsv": rows(b, 2), "reference.tsv": rows(r, 3)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def versions_of_lightning(s, r, a, b):
    files = {}
    for number, texts in enumerate((a, b)):
        folder = f"lightning_logs/version_{number}"
        files |= {f"{folder}/test_predictions.txt": plain(texts), f"{folder}/test_targets.txt": plain(r), f"{folder}/test_inputs.txt": plain(s), f"{folder}/hparams.yaml": plain(["lr: 0.001", f"seed: {number}"]), f"{folder}/metrics.csv": table([["epoch", "step", "val_loss"], *([k, k * 100, 2.5 - k / 10] for k in range(9))])}
    return files, one_set({"0": a, "1": b}, r)


@of_texts(n=N)
def inferences_of_seqio(s, r, a, b):
    def rows(texts):
        return rows_of({"input": {"inputs_pretokenized": f"translate German to English: {x}", "targets_pretokenized": y}, "target": y, "prediction": t} for x, y, t in zip(s, r, texts, strict=True))

    return {"alpha/inference_eval/wmt-predict.jsonl": rows(a), "beta/inference_eval/wmt-predict.jsonl": rows(b)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("de", N)
def template_of_messages(s, r, a, b):
    def po(texts):
        return plain(['msgid ""', 'msgstr "Content-Type: text/plain; charset=UTF-8\\n"', "", *itertools.chain.from_iterable((f"#: a.c:{k}", f'msgid "{s[k]}"', f'msgstr "{t}"', "") for k, t in enumerate(texts))])

    return {"app.pot": po([""] * N), "alpha/de.po": po(a), "beta/de.po": po(b), "reference/de.po": po(r)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("fr", N)
def wide_tabs_of_excel(s, r, a, b):
    return {"Textes unicode.txt": table([["Source", "Reference", "alpha", "beta"], *zip(s, r, a, b, strict=True)], "\t", enc="utf-16")}, one_set({"alpha": a, "beta": b}, r)


@of_texts(n=N)
def settings_in_the_first_line(s, r, a, b):
    def rows(name, texts):
        return rows_of([{"type": "config", "model": name, "temperature": 0.0, "seed": 1}, *({"type": "result", "index": k, "source": s[k], "reference": r[k], "hypothesis": t} for k, t in enumerate(texts)), {"type": "summary", "bleu": 30.1, "n": N}])

    return {"alpha.jsonl": rows("alpha", a), "beta.jsonl": rows("beta", b)}, one_set({"alpha": a, "beta": b}, r)


@of_texts("zh", N)
def flags_of_a_demo(s, r, a, b):
    rows = [[x, name, t, y, "correct" if k % 3 else "wrong", "", f"2026-03-01 10:{k:02}:00.123456"] for name, texts in (("alpha", a), ("beta", b)) for k, (x, t, y) in enumerate(zip(s, texts, r, strict=True))]
    return {"flagged/log.csv": table([["Input text", "Model", "Output", "Expected", "flag", "username", "timestamp"], *rows])}, one_set({"alpha": a, "beta": b}, r)
