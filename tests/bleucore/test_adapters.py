"""BLEU in the form of others: their arguments and keys, the numbers of the engine."""

import re

import numpy as np
import pytest
import sacrebleu

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.adapters import EvaluateSacrebleu, TorchmetricsSacreBleu

PREDICTIONS = ["hello there general kenobi", "on our way to ankh morpork"]
REFERENCES = [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]]
IN_EVALUATE = {
    "score": 39.76353643835252,
    "counts": [6, 4, 2, 1],
    "totals": [10, 8, 6, 4],
    "precisions": [60.0, 50.0, 33.333333333333336, 25.0],
    "bp": 1.0,
    "sys_len": 10,
    "ref_len": 7,
}
"""What evaluate 0.4.6 gives with sacreBLEU 2.6.0 of the example in its documentation."""
CAT = ["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]]
IN_TORCHMETRICS = 0.7598
"""What torchmetrics 1.9.0 gives of the example in its documentation."""


def rounded(found):
    return {key: np.round(value, 9).tolist() for key, value in found.items()}


class TestEvaluate:
    def test_has_the_keys_types_and_numbers_of_theirs(self):
        found = EvaluateSacrebleu().compute(predictions=PREDICTIONS, references=REFERENCES)
        assert list(found) == list(IN_EVALUATE)
        assert rounded(found) == rounded(IN_EVALUATE)
        assert {key: type(value) for key, value in found.items()} == {
            key: type(value) for key, value in IN_EVALUATE.items()
        }
        assert [type(value) for value in (found["counts"][0], found["precisions"][0])] == [int, float]

    @pytest.mark.parametrize(
        "given",
        [
            {"smooth_method": "none"},
            {"smooth_method": "floor"},
            {"smooth_method": "add-k", "smooth_value": 2.0},
            {"lowercase": True, "tokenize": "char"},
            {"tokenize": "intl", "force": True},
            {"use_effective_order": True},
        ],
        ids="-".join,
    )
    def test_settings_mean_what_they_mean_there(self, given):
        predictions, references = ["The cat sat", "Ein Hund – so!"], ["the cat sat down", "ein Hund, so?"]
        found = EvaluateSacrebleu().compute(predictions=predictions, references=references, **given)
        oracle = sacrebleu.corpus_bleu(predictions, [references], **given)
        assert found["score"] == pytest.approx(oracle.score, abs=1e-9)
        if given.get("smooth_method") != "add-k":  # which adds to the counts themselves there
            assert (found["counts"], found["totals"]) == (oracle.counts, oracle.totals)

    def test_adds_up_and_forgets(self):
        metric = EvaluateSacrebleu()
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        metric.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
        assert rounded(metric.compute()) == rounded(IN_EVALUATE)
        assert metric.signature == "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
        with pytest.raises(InputError, match="nothing was given to score"):
            metric.compute()

    @pytest.mark.parametrize(
        ("predictions", "references", "text"),
        [
            (["a"], [["a"], ["b"]], "not as many references as predictions (found 2 for 1 predictions"),
            ("a", ["a"], "predictions: this is a single text"),
            (["a"], "a", "references: this is a single text"),
            ([], [], "nothing was given to score"),
            (["a", 1], ["a", "b"], "System 'predictions'"),
        ],
    )
    def test_refuses_what_cannot_be_scored(self, predictions, references, text):
        with pytest.raises(InputError, match=re.escape(text)):
            EvaluateSacrebleu().compute(predictions=predictions, references=references)

    def test_refuses_a_setting_that_is_not_accepted(self):
        with pytest.raises(InputError, match="tokenizer"):
            EvaluateSacrebleu().compute(predictions=["a"], references=["a"], tokenize="14a")


class TestTorchmetrics:
    def test_has_the_number_of_theirs(self):
        assert TorchmetricsSacreBleu()(*CAT) == pytest.approx(IN_TORCHMETRICS, abs=5e-5)

    @pytest.mark.parametrize(
        ("given", "options"),
        [
            ({}, BleuOptions(smoothing="none")),
            ({"smooth": True, "n_gram": 2}, BleuOptions(smoothing="add-k", max_order=2)),
            (
                {"n_gram": 2, "weights": [0.9, 0.1], "lowercase": True},
                BleuOptions(smoothing="none", max_order=2, weights=(0.9, 0.1), lowercase=True),
            ),
            ({"tokenize": "char"}, BleuOptions("char", smoothing="none")),
            ({"options": BleuOptions()}, BleuOptions()),
        ],
        ids=["default", "smooth", "weights", "char", "options"],
    )
    def test_settings_are_those_of_the_engine(self, given, options):
        metric = TorchmetricsSacreBleu(**given)
        metric.update(PREDICTIONS, REFERENCES)
        columns = [list(column) for column in zip(*REFERENCES, strict=True)]
        evaluation = evaluate(TestSet([System("predictions", PREDICTIONS)], columns), options)
        assert metric.compute() * 100 == pytest.approx(evaluation.systems["predictions"].score.score, abs=1e-9)
        assert metric.signature == evaluation.signature

    def test_parts_add_up_in_one_process_and_over_several(self):
        whole = TorchmetricsSacreBleu()
        whole.update(PREDICTIONS, REFERENCES)
        first, second, numbers = TorchmetricsSacreBleu(), TorchmetricsSacreBleu(), TorchmetricsSacreBleu()
        first.update(PREDICTIONS[:1], REFERENCES[:1])
        second.update(PREDICTIONS[1:], REFERENCES[1:])
        second.update([], [])
        numbers.merge_state(first.metric_state)
        numbers.merge_state(second.metric_state)
        first.merge_state(second)
        assert first.metric_state == numbers.metric_state == whole.metric_state
        assert whole.metric_state == {
            "preds_len": 10,
            "target_len": 7,
            "numerator": [6, 4, 2, 1],
            "denominator": [10, 8, 6, 4],
        }
        assert first.compute() == numbers.compute() == whole.compute()
        assert first.signature == whole.signature

    def test_a_call_gives_its_own_segments_and_counts_them(self):
        metric = TorchmetricsSacreBleu()
        assert metric(["a b c d"], [["a b c d"]]) == pytest.approx(1)
        assert metric(["a b c e"], ["a b c d"]) == 0
        assert 0 < metric.compute() < 1
        metric.reset()
        with pytest.raises(InputError, match="nothing was given to score"):
            metric.compute()

    def test_numbers_of_references_may_differ(self):
        metric = TorchmetricsSacreBleu()
        metric.update(["a b c d", "a b c d"], [["a b c d"], ["x", "a b c d"]])
        assert metric.compute() == pytest.approx(1)
        assert metric.signature.startswith("nrefs:var|")

    @pytest.mark.parametrize(
        ("state", "text"),
        [
            ({"preds_len": 1}, "no state of this metric (found preds_len"),
            ({"preds_len": 1, "target_len": 1, "numerator": [1], "denominator": [1]}, "(found 4 counts"),
            (TorchmetricsSacreBleu(tokenize="char"), "(found one of other settings"),
        ],
        ids=["keys", "orders", "settings"],
    )
    def test_refuses_the_state_of_something_else(self, state, text):
        with pytest.raises(InputError, match=re.escape(text)):
            TorchmetricsSacreBleu().merge_state(state)
