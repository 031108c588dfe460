"""What other programs call, with stand-ins for these programs: the names of their interfaces and nothing else.

``test_real.py`` tries the same with the real packages in ``make test-deep``.
"""

import asyncio
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest

from bleucore import InputError, System, TestSet, corpus_bleu
from bleuscope import Settings, compare
from bleuscope.integrations import lm_eval
from bleuscope.integrations.checkpoints import Checkpoints
from bleuscope.integrations.logged import logged_study

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"
REFERENCES = [f"the cat {number} sat on the old mat and saw {number + 7} dogs" for number in range(24)]
GOOD = [line.replace("sat", "sits") for line in REFERENCES]
BAD = [line.replace("sat on the old", "lies in a big") for line in REFERENCES]
SOURCE = [f"die Katze {number} saß auf der alten Matte" for number in range(24)]
HOSTILE = "=1+1 <script>alert(1)</script>"
ODD_NAME = "new/=1+1 <b>"


def score(outputs, references=REFERENCES):
    return pytest.approx(corpus_bleu(outputs, [references]).score)


@pytest.fixture(scope="module")
def study():
    """Two systems, one with a name and a text that programs could take for something else."""
    systems = [System("old", BAD), System(ODD_NAME, [HOSTILE, *GOOD[1:]])]
    return compare(TestSet(systems, [REFERENCES], source=SOURCE), Settings(baseline="old"))


@pytest.fixture
def integration(monkeypatch):
    """Imports a module of ours next to stand-ins, each a name and what is in it."""

    def load(name, **stand_ins):
        for path, contents in stand_ins.items():
            parts = path.split("__")
            for end in range(1, len(parts) + 1):
                module = ModuleType(".".join(parts[:end]))
                module.__path__ = []
                monkeypatch.setitem(sys.modules, module.__name__, sys.modules.get(module.__name__, module))
            vars(sys.modules[".".join(parts)]).update(contents)
        monkeypatch.delitem(sys.modules, f"bleuscope.integrations.{name}", raising=False)
        made = importlib.import_module(f"bleuscope.integrations.{name}")
        monkeypatch.delitem(sys.modules, made.__name__)
        return made

    return load


class TestCheckpoints:
    def test_scores_are_those_of_sacrebleu_with_their_signatures(self):
        found = Checkpoints().score(GOOD, REFERENCES)
        assert found.scores["BLEU"] == score(GOOD)
        assert found.signatures.keys() == found.scores.keys() == {"BLEU", "chrF2"}

    @pytest.mark.parametrize(
        ("against", "last"), [("previous", "the baseline step 3"), ("best", "the baseline step 2")]
    )
    def test_an_evaluation_is_tested_against_the_one_that_was_asked_for(self, against, last):
        checkpoints = Checkpoints(against=against)
        said = [
            checkpoints.verdict(f"step {number}", outputs, REFERENCES)
            for number, outputs in enumerate([BAD, GOOD, BAD, REFERENCES[:12] + GOOD[12:]], start=1)
        ]
        assert said[0] is None
        assert said[1].startswith("step 2 beats the baseline step 1: +")
        assert last in said[3]

    def test_nothing_is_tested_unless_it_was_asked_for(self):
        checkpoints = Checkpoints()
        assert [checkpoints.verdict(str(number), GOOD, REFERENCES) for number in range(2)] == [None, None]

    def test_segments_in_another_order_are_not_tested(self):
        checkpoints = Checkpoints(against="best")
        checkpoints.verdict("step 1", GOOD, REFERENCES)
        with pytest.raises(InputError, match="not the references of the earlier evaluation"):
            checkpoints.verdict("step 2", GOOD[::-1], REFERENCES[::-1])

    def test_there_are_two_earlier_evaluations_to_choose_from(self):
        with pytest.raises(InputError, match="previous or best"):
            Checkpoints(against="last")


class TestTrainer:
    def callback(self, integration, **options):
        module = integration("huggingface", transformers={"TrainerCallback": object})
        codes = SimpleNamespace(
            pad_token_id=0,
            batch_decode=lambda rows, skip_special_tokens: ["".join(chr(one) for one in row if one) for row in rows],
        )
        return module.BleuCallback(codes, REFERENCES, **options)

    def ids(self, texts):
        return np.array([[*map(ord, text), *[-100] * (80 - len(text))] for text in texts])

    def test_token_ids_become_scores_and_the_history_gets_signatures_and_verdicts(self, integration):
        bleu = self.callback(integration, against="best")
        state = SimpleNamespace(is_world_process_zero=True, global_step=0, log_history=[])
        bleu.on_evaluate(None, state, None)  # before anything was scored
        for step, (outputs, is_tuple) in enumerate([(BAD, False), (GOOD, True)]):
            ids = self.ids(outputs)
            found = bleu(SimpleNamespace(predictions=(ids, None) if is_tuple else ids))
            state.global_step = step
            state.log_history.append({"eval_BLEU": found["BLEU"]})
            bleu.on_evaluate(None, state, None, metrics={})
        first, second = state.log_history
        assert (first["eval_BLEU"], second["eval_BLEU"]) == (score(BAD), score(GOOD))
        assert "eval_BLEU_verdict" not in first
        assert "step 1 beats the baseline step 0" in second["eval_BLEU_verdict"]
        assert "|tok:13a|" in first["eval_BLEU_signature"]

    def test_other_processes_and_other_entries_get_nothing(self, integration):
        bleu = self.callback(integration)
        bleu(SimpleNamespace(predictions=self.ids(GOOD)))
        state = SimpleNamespace(is_world_process_zero=False, global_step=1, log_history=[{"eval_BLEU": 1.0}])
        bleu.on_evaluate(None, state, None)
        state.is_world_process_zero, state.log_history = True, [*state.log_history, {"loss": 1.0}]
        bleu.on_evaluate(None, state, None)
        assert state.log_history == [{"eval_BLEU": 1.0}, {"loss": 1.0}]


class TestEvaluate:
    def test_the_module_gives_the_keys_of_sacrebleu_and_a_signature(self, integration):
        names = {"Metric": object, "MetricInfo": lambda **given: given}
        kinds = {"Value": lambda kind: kind, "Sequence": lambda one: [one], "Features": dict}
        module = integration("bleuscope_bleu.bleuscope_bleu", evaluate=names, datasets=kinds)
        metric = module.BleuscopeBleu()
        found = metric._compute(predictions=GOOD, references=REFERENCES)
        assert (found["score"], found["signature"].split("|")[0]) == (score(GOOD), "nrefs:1")
        assert [one["references"] for one in metric._info()["features"]] == [["string"], "string"]


class TestLightning:
    @pytest.fixture
    def made(self, integration):
        module = integration("lightning", lightning__pytorch={"Callback": object}, torch={"as_tensor": _Reduced})
        logged, settings = {}, {}
        trainer = SimpleNamespace(
            sanity_checking=False,
            world_size=1,
            global_step=0,
            loggers=[SimpleNamespace(log_hyperparams=settings.update)],
            strategy=SimpleNamespace(reduce=lambda sums, reduce_op: _Reduced(2 * sums.sums)),
        )
        learner = SimpleNamespace(log=lambda name, value, sync_dist: logged.update({name: value}))
        return SimpleNamespace(module=module, trainer=trainer, learner=learner, logged=logged, settings=settings)

    def validate(self, made, bleu, outputs):
        bleu.on_validation_epoch_start(made.trainer, made.learner)
        for place in range(0, len(outputs), 10):
            batch = {"predictions": outputs[place : place + 10], "references": REFERENCES[place : place + 10]}
            bleu.on_validation_batch_end(made.trainer, made.learner, batch, None, place)
        bleu.on_validation_epoch_end(made.trainer, made.learner)

    def test_the_texts_of_all_batches_are_scored_together(self, made):
        bleu = made.module.BleuCallback(against="previous")
        self.validate(made, bleu, BAD)
        made.trainer.global_step = 4
        self.validate(made, bleu, GOOD)
        assert made.logged["val_BLEU"] == score(GOOD)
        assert "|tok:13a|" in made.settings["val_BLEU_signature"]
        assert bleu.verdict.startswith("step 4 beats the baseline step 0")

    def test_processes_add_their_counts(self, made):
        made.trainer.world_size = 2
        self.validate(made, made.module.BleuCallback(), GOOD)
        assert made.logged["val_BLEU"] == score(GOOD * 2, REFERENCES * 2)

    def test_a_try_before_the_training_is_not_logged(self, made):
        made.trainer.sanity_checking = True
        self.validate(made, made.module.BleuCallback(), GOOD)
        assert made.logged == {}

    @pytest.mark.parametrize("outputs", [None, {"loss": 1.0}], ids=["nothing", "a loss"])
    def test_a_step_that_returns_no_texts_is_named(self, made, outputs):
        with pytest.raises(InputError, match="Batch 3: validation_step returned no texts"):
            made.module.BleuCallback().on_validation_batch_end(made.trainer, made.learner, outputs, None, 3)


class _Reduced:
    """A tensor, as far as it is needed."""

    def __init__(self, sums):
        self.sums = sums

    def cpu(self):
        return self

    def numpy(self):
        return self.sums


class TestTrackers:
    def test_names_of_metrics_are_those_that_every_tracker_takes_and_texts_stay_as_they_are(self, study):
        logged = logged_study(study)
        assert {"BLEU/old", "BLEU/new__1_1 _b_", "chrF2/old"} <= logged.scores.keys()
        assert ODD_NAME in logged.systems["system"]
        assert logged.segments["hypothesis_b"] == (HOSTILE, *GOOD[1:])
        assert logged.verdict.startswith(f"{ODD_NAME} beats the baseline old: +")
        assert logged.settings["signature BLEU"] == study.evaluation.signature

    def test_names_that_become_the_same_stay_apart(self):
        systems = [System(name, GOOD) for name in ("a/b", "a:b", ".", "..")]
        logged = logged_study(compare(TestSet(systems, [REFERENCES])))
        assert {name for name in logged.scores if name.startswith("BLEU")} == {
            f"BLEU/{name}" for name in ("a_b", "a_b (2)", "_", "_ (2)")
        }

    def test_of_many_segments_those_are_logged_that_differ_most(self, study):
        whole, few = logged_study(study).segments, logged_study(study, 5).segments
        sizes = sorted(map(abs, whole["part"]), reverse=True)
        assert [*map(abs, few["part"])] == sizes[:5]

    def test_one_system_has_no_verdict_and_all_its_segments(self):
        logged = logged_study(compare(TestSet([System("a", GOOD)], [REFERENCES])), 3)
        assert (logged.verdict, logged.segments["segment"]) == (None, (1, 2, 3))

    def test_wandb_gets_tables_summary_and_config(self, integration, study):
        logged = {}
        run = SimpleNamespace(config=_Settings(), summary={}, log=logged.update)
        names = {"run": None, "Table": lambda columns, data: [dict(zip(columns, row, strict=True)) for row in data]}
        module = integration("wandb", wandb=names)
        with pytest.raises(InputError, match="no run has begun"):
            module.log_study(study)
        module.log_study(study, run, name="test")
        assert logged["test/segments"][0]["hypothesis_b"] == HOSTILE
        assert [row["system"] for row in logged["test/systems"]] == [ODD_NAME, "old"]
        assert run.config["test/baseline"] == "old"
        assert run.summary["test/BLEU/old"] == score(BAD)
        assert run.summary["test/verdict"].startswith(ODD_NAME)

    def test_mlflow_gets_tables_metrics_parameters_and_a_tag(self, integration, study):
        given = {}
        names = {
            "log_params": given.update,
            "log_metrics": given.update,
            "log_table": lambda data, artifact_file: given.update({artifact_file: data}),
            "set_tag": lambda key, value: given.update({key: value}),
        }
        integration("mlflow", mlflow=names).log_study(study)
        assert given["bleuscope/segments.json"]["hypothesis_b"][0] == HOSTILE
        assert given["bleuscope/systems.json"]["system"] == [ODD_NAME, "old"]
        assert given["bleuscope/BLEU/old"] == score(BAD)
        assert given["bleuscope/verdict"].startswith(ODD_NAME)
        assert "|unit:" in given["bleuscope/signature test"]


class _Settings(dict):
    def update(self, given, *, allow_val_change):
        assert allow_val_change
        super().update(given)


class TestHarnesses:
    def test_a_task_of_the_harness_is_scored_over_all_documents(self):
        items = [lm_eval.bleu(references=[one], predictions=[two]) for one, two in zip(REFERENCES, GOOD, strict=True)]
        assert lm_eval.corpus_bleu(items) == score(GOOD)
        assert lm_eval.corpus_chrf([lm_eval.chrf(["a b c d e f g"], ["a b c d e f g"])]) == pytest.approx(100)

    def test_several_references_are_refused(self):
        with pytest.raises(InputError, match="several references"):
            lm_eval.corpus_bleu([1.0, 0.0])

    def test_a_scorer_of_inspect_scores_samples_and_their_sum(self, integration):
        kinds = dict.fromkeys(["Metric", "SampleScore", "Scorer", "Target"], object)
        names = {"Score": SimpleNamespace, "metric": lambda made: made, "scorer": lambda metrics: lambda made: made}
        module = integration("inspect_ai", inspect_ai__scorer={**kinds, **names})
        scorer = module.bleu(lowercase=True)
        made = [
            asyncio.run(scorer(SimpleNamespace(output=SimpleNamespace(completion=text.upper())), [reference, "x"]))
            for text, reference in zip(GOOD, REFERENCES, strict=True)
        ]
        scores = [SimpleNamespace(score=one) for one in made]
        assert module.corpus_bleu()(scores) == score(GOOD)
        assert (made[0].answer, made[0].metadata["bleuscope_signature"][:18]) == (GOOD[0].upper(), "nrefs:2|case:lc|ef")
        assert module.corpus_bleu()([SimpleNamespace(score=SimpleNamespace(metadata=None))]) == 0


class TestRecipes:
    """What the documentation shows runs, with anything for the other programs and for what a user brings."""

    @pytest.mark.parametrize(
        "recipe", ["hf_evaluate", "inspect_task", "lightning", "push_versions", "trackers", "trainer"]
    )
    def test_a_recipe_runs(self, recipe, integration, study, monkeypatch):
        programs = {
            "evaluate": {"load": MagicMock()},
            "transformers": {"TrainerCallback": object, "Seq2SeqTrainer": MagicMock()},
            "lightning__pytorch": {"Callback": object, "Trainer": MagicMock()},
            "torch": {},
            "wandb": {"init": MagicMock(), "Table": MagicMock(), "run": None},
            "mlflow": {
                name: MagicMock() for name in ("start_run", "log_params", "log_metrics", "log_table", "set_tag")
            },
            "inspect_ai": {"Task": MagicMock()},
            "inspect_ai__scorer": {
                **dict.fromkeys(["Metric", "SampleScore", "Score", "Scorer", "Target"], object),
                "metric": lambda made: made,
                "scorer": lambda metrics: lambda made: made,
            },
        }
        integration("lm_eval", **programs)
        for name in ("huggingface", "lightning", "wandb", "mlflow", "inspect_ai"):
            monkeypatch.delitem(sys.modules, f"bleuscope.integrations.{name}", raising=False)
        given = {"tokenizer": None, "references": REFERENCES, "outputs": GOOD, "study": study}
        given |= dict.fromkeys(["model", "arguments", "data", "samples"])
        text = (RECIPES / f"{recipe}.py").read_text(encoding="utf-8")
        exec(compile(text, recipe, "exec"), given)
        for name in ("huggingface", "lightning", "wandb", "mlflow", "inspect_ai"):
            monkeypatch.delitem(sys.modules, f"bleuscope.integrations.{name}", raising=False)

    def test_metrics_of_a_task_are_names_that_can_be_imported(self):
        for name in re.findall(r"!function (\S+)", (RECIPES / "lm_eval.yaml").read_text(encoding="utf-8")):
            module, _, function = name.rpartition(".")
            assert callable(getattr(importlib.import_module(module), function))
