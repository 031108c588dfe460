"""The integrations with the real packages, in an environment that has them: ``python real.py [NAME …]``.

Each check trains, evaluates or logs something tiny, without a network, and compares what came out with ``bleucore``.
It prints a line with the version that it ran with. ``test_real.py`` makes the environment.
"""

import json
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = Path(tempfile.mkdtemp(prefix="bleuscope-real-"))
os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_HOME": str(FOLDER / "huggingface"),
    "WANDB_MODE": "offline",
    "WANDB_DIR": str(FOLDER),
    "WANDB_SILENT": "true",
    "MLFLOW_TRACKING_URI": f"sqlite:///{FOLDER / 'mlflow.db'}",
    "GIT_PYTHON_REFRESH": "quiet",
    "INSPECT_LOG_DIR": str(FOLDER / "inspect"),
    "INSPECT_DISPLAY": "none",
    "CUDA_VISIBLE_DEVICES": "",
}

from bleucore import System, TestSet, corpus_bleu  # noqa: E402  # after the environment
from bleuscope import Settings, compare  # noqa: E402

REFERENCES = [f"the cat {number} sat on the old mat and saw {number + 7} dogs" for number in range(24)]
GOOD = [line.replace("sat", "sits") for line in REFERENCES]
BAD = [line.replace("sat on the old", "lies in a big") for line in REFERENCES]
HOSTILE = "=1+1 <script>alert(1)</script>"


def expected(outputs, references=REFERENCES):
    """What the engine says."""
    return corpus_bleu(outputs, [references]).score


def near(value, other):
    """Equal but for the last digits of a float that went through another program."""
    assert abs(value - other) < 1e-4, (value, other)


def study():
    """Two systems, one with a name and an output that programs could take for something else."""
    outputs = [HOSTILE, *GOOD[1:]]
    systems = [System("old", BAD), System("new/=1+1 <b>", outputs)]
    source = [f"die Katze {number} saß auf der alten Matte" for number in range(len(REFERENCES))]
    return compare(TestSet(systems, [REFERENCES], source=source), Settings(baseline="old"))


class Tokens:
    """A tokenizer of characters."""

    pad_token_id = 0

    def batch_decode(self, rows, *, skip_special_tokens):
        """Texts of ids."""
        return ["".join(chr(one) for one in row if one) for row in rows]


def ids_of(texts, width=80):
    """The ids of texts, padded as labels are."""
    return [[ord(one) for one in text] + [-100] * (width - len(text)) for text in texts]


def check_transformers():
    """A training of a few steps with three evaluations."""
    import torch
    from torch.utils.data import Dataset
    from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainingArguments

    from bleuscope.integrations.huggingface import BleuCallback

    class Lines(Dataset):
        def __len__(self):
            return len(REFERENCES)

        def __getitem__(self, index):
            return {"input_ids": torch.tensor([index]), "labels": torch.tensor(ids_of(REFERENCES)[index])}

    class Learner(PreTrainedModel):
        """Writes bad texts at first and good ones later."""

        config_class = PretrainedConfig

        def __init__(self, config):
            super().__init__(config)
            self.weight = torch.nn.Parameter(torch.zeros(1))
            self.n_steps = 0
            self.post_init()

        def forward(self, input_ids, labels=None):
            self.n_steps += self.training
            texts = BAD if self.n_steps < 4 else GOOD
            ids = torch.tensor(ids_of(texts))[input_ids[:, 0]]
            return {"loss": (self.weight - 1).pow(2).sum(), "logits": ids}

    bleu = BleuCallback(Tokens(), REFERENCES, against="best")
    arguments = TrainingArguments(
        str(FOLDER / "trainer"),
        max_steps=6,
        per_device_train_batch_size=8,
        eval_strategy="steps",
        eval_steps=2,
        save_strategy="steps",
        save_steps=2,
        metric_for_best_model="BLEU",
        load_best_model_at_end=True,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
    )
    trainer = Trainer(
        Learner(PretrainedConfig()),
        arguments,
        train_dataset=Lines(),
        eval_dataset=Lines(),
        compute_metrics=bleu,
        callbacks=[bleu],
    )
    trainer.train()
    history = [one for one in trainer.state.log_history if "eval_BLEU" in one]
    near(history[0]["eval_BLEU"], expected(BAD))
    near(history[-1]["eval_BLEU"], expected(GOOD))
    assert "tok:13a" in history[-1]["eval_BLEU_signature"]
    assert "eval_BLEU_verdict" not in history[0]
    assert "step 4 beats the baseline step 2" in history[1]["eval_BLEU_verdict"], history
    assert "equal to those of System 'step 4'" in history[2]["eval_BLEU_verdict"], history
    assert trainer.state.best_metric == history[1]["eval_BLEU"]
    saved = json.loads((FOLDER / "trainer" / "checkpoint-6" / "trainer_state.json").read_text(encoding="utf-8"))
    assert any("eval_BLEU_verdict" in one for one in saved["log_history"])


def check_evaluate():
    """The module from its folder."""
    import evaluate

    from bleuscope.integrations import EVALUATE_MODULE

    metric = evaluate.load(EVALUATE_MODULE, cache_dir=str(FOLDER / "evaluate"))
    found = metric.compute(predictions=GOOD, references=[[one, "x"] for one in REFERENCES])
    near(found["score"], corpus_bleu(GOOD, [REFERENCES, ["x"] * len(REFERENCES)]).score)
    near(metric.compute(predictions=GOOD, references=REFERENCES)["score"], expected(GOOD))
    assert found["signature"].startswith("nrefs:2|")
    found = metric.compute(predictions=GOOD, references=REFERENCES, lowercase=True, tokenize="char")
    assert "tok:char" in found["signature"]


def check_lightning():
    """A training of some epochs in one process, and a validation in two."""
    from lightning_training import validate

    from bleuscope.integrations.lightning import BleuCallback

    bleu = BleuCallback(against="previous")
    logged, settings = validate(FOLDER / "lightning", bleu, [BAD, GOOD], REFERENCES)
    near(logged["val_BLEU"], expected(GOOD))
    assert "val_chrF2" in logged
    assert "tok:13a" in settings["val_BLEU_signature"]
    assert "beats the baseline" in bleu.verdict, bleu.verdict
    logged, _ = validate(FOLDER / "two", BleuCallback(), [GOOD[:6] + BAD[6:]], REFERENCES, n_processes=2)
    near(logged["val_BLEU"], expected(GOOD[:6] + BAD[6:]))


def check_wandb():
    """A run without a server, read from its own file."""
    import wandb

    from bleuscope.integrations.wandb import log_study

    made = study()
    with wandb.init(project="bleuscope", dir=str(FOLDER)) as run:
        log_study(made)
        summary, config = dict(run.summary), dict(run.config)
        folder = Path(run.dir)
    near(summary["bleuscope/BLEU/old"], made.evaluation.systems["old"].score.score)
    assert "new/=1+1 <b>" in summary["bleuscope/verdict"]
    assert "bleuscope/BLEU/new__1_1 _b_" in summary
    assert config["bleuscope/signature BLEU"] == made.evaluation.signature
    tables = {path.name.partition("_")[0]: json.loads(path.read_text()) for path in folder.rglob("*.table.json")}
    row = dict(zip(tables["segments"]["columns"], tables["segments"]["data"][0], strict=True))
    assert (row["segment"], row["hypothesis_b"]) == (1, HOSTILE)
    assert len(tables["segments"]["data"]) == len(REFERENCES)


def check_mlflow():
    """A run in a file of SQLite."""
    import mlflow

    from bleuscope.integrations.mlflow import log_study

    made = study()
    mlflow.create_experiment("bleuscope", artifact_location=(FOLDER / "artifacts").as_uri())
    mlflow.set_experiment("bleuscope")
    with mlflow.start_run() as begun:
        log_study(made)
    run = mlflow.get_run(begun.info.run_id)
    near(run.data.metrics["bleuscope/BLEU/old"], made.evaluation.systems["old"].score.score)
    assert "bleuscope/BLEU/new__1_1 _b_" in run.data.metrics
    assert run.data.params["bleuscope/signature BLEU"] == made.evaluation.signature
    assert "new/=1+1 <b>" in run.data.tags["bleuscope/verdict"]
    table = mlflow.load_table("bleuscope/segments.json", run_ids=[begun.info.run_id])
    assert (len(table), table["hypothesis_b"][0]) == (len(REFERENCES), HOSTILE)


TASK = """
task: cats
dataset_path: json
dataset_kwargs: {data_files: {test: DATA}}
test_split: test
output_type: generate_until
doc_to_text: "{{source}}"
doc_to_target: "{{reference}}"
generation_kwargs: {until: ["\\n"]}
metric_list:
  - metric: !function bleuscope.integrations.lm_eval.bleu
    aggregation: !function bleuscope.integrations.lm_eval.corpus_bleu
    higher_is_better: true
  - metric: !function bleuscope.integrations.lm_eval.chrf
    aggregation: !function bleuscope.integrations.lm_eval.corpus_chrf
    higher_is_better: true
"""


def check_lm_eval():
    """A task of a YAML file with a model that looks its outputs up; its logged samples are read again."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    import bleuscope

    class Lookup(LM):
        def loglikelihood(self, requests, **_):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

        def generate_until(self, requests, **_):
            return [GOOD[int(one.args[0])] for one in requests]

    folder = FOLDER / "harness"
    folder.mkdir()
    rows = [json.dumps({"source": str(number), "reference": line}) for number, line in enumerate(REFERENCES)]
    (folder / "data.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (folder / "cats.yaml").write_text(TASK.replace("DATA", str(folder / "data.jsonl")), encoding="utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = simple_evaluate(Lookup(), tasks=["cats"], task_manager=manager, log_samples=True, bootstrap_iters=0)
    near(found["results"]["cats"]["bleu,none"], expected(GOOD))
    assert found["results"]["cats"]["chrf,none"] > 50
    samples = folder / "samples_cats_2026-01-01T00-00-00.jsonl"
    samples.write_text("\n".join(json.dumps(one, default=str) for one in found["samples"]["cats"]), encoding="utf-8")
    (system,) = bleuscope.read_test_set(str(samples)).systems
    assert list(system.hypotheses) == GOOD


def check_inspect_ai():
    """An evaluation with a model of fixed outputs; the scorer is found by its entry point, and the log is read."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.util import registry_create

    import bleuscope

    samples = [Sample(input=str(number), target=line) for number, line in enumerate(REFERENCES)]
    outputs = [ModelOutput.from_content("mock", text) for text in GOOD]
    for output in outputs:
        output.usage = ModelUsage()  # or it fetches what counts tokens
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = inspect_ai.Task(dataset=samples, scorer=registry_create("scorer", "bleuscope/bleu"))
    (log,) = inspect_ai.eval(task, model=model, max_samples=1, max_connections=1, log_format="json")
    assert log.status == "success", log.error.message
    (scored,) = log.results.scores
    near(scored.metrics["corpus_bleu"].value, expected(GOOD))
    assert "tok:13a" in log.samples[0].scores["bleu"].metadata["bleuscope_signature"]
    test_set = bleuscope.read_test_set(log.location.removeprefix("file://"))
    assert list(test_set.systems[0].hypotheses) == GOOD


def check_anywidget():
    """The widget asks for one segment at a time."""
    from bleuscope.integrations.widget import SegmentsWidget

    widget = SegmentsWidget(study())
    assert "<script>" not in widget.html
    before = widget.html
    widget.segment = 2
    assert widget.html != before
    assert "Katze 2 " in widget.html


CHECKS = {name.removeprefix("check_"): check for name, check in [*globals().items()] if name.startswith("check_")}

if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    for name in sys.argv[1:] or CHECKS:
        CHECKS[name]()
        print(f"{name} {version(name.replace('_', '-'))}: as expected", flush=True)
