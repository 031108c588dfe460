"""BLEU in the Trainer of Hugging Face: one object that is its ``compute_metrics`` and its callback."""

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
from transformers import TrainerCallback

from bleucore import BleuOptions, ChrfOptions
from bleucore.metrics import MetricOptions
from bleuscope.integrations.checkpoints import Against, Checkpoints, References, ScoredOutputs


class BleuCallback(TrainerCallback):  # type: ignore[misc]  # the package is not there where types are checked
    """Scores the texts of each evaluation, and puts signatures and verdict into the history of the training.

    ``Seq2SeqTrainer(…, compute_metrics=bleu, callbacks=[bleu])`` with ``predict_with_generate=True`` logs ``eval_BLEU``
    and ``eval_chrF2``.

    Attributes:
        outputs: The texts of the last evaluation.
        scored: What it says; ``None`` before the first.
        verdict: Whether it is better than an earlier one; ``None`` if that was not asked, or for the first.
    """

    def __init__(
        self,
        tokenizer: Any,  # noqa: ANN401  # any of theirs
        references: References,
        *,
        options: BleuOptions | None = None,
        metrics: Sequence[MetricOptions] = (ChrfOptions(),),
        against: Against | None = None,
    ) -> None:
        """A callback.

        Args:
            tokenizer: What turns token ids into texts.
            references: Of the segments of the evaluation, as their file has them: decoded labels are other texts.
            options: BLEU's settings.
            metrics: More metrics.
            against: Also test against the ``"previous"`` evaluation or the ``"best"`` so far.

        Raises:
            InputError: There is no such evaluation.
        """
        self.tokenizer, self.references = tokenizer, references
        self.checkpoints = Checkpoints(options=options, metrics=metrics, against=against)
        self.outputs: list[str] = []
        self.scored: ScoredOutputs | None = None
        self.verdict: str | None = None

    def __call__(self, predicted: Any) -> dict[str, float]:  # noqa: ANN401  # their EvalPrediction
        """The scores of the token ids that the Trainer predicted, as ``compute_metrics`` returns them.

        Raises:
            InputError: There are not as many references as outputs.
        """
        given = predicted.predictions
        ids = np.asarray(given[0] if isinstance(given, tuple) else given)
        padding = self.tokenizer.pad_token_id
        texts = self.tokenizer.batch_decode(np.where(ids < 0, padding, ids), skip_special_tokens=True)
        self.outputs = list(texts)
        self.scored = self.checkpoints.score(self.outputs, self.references)
        return self.scored.scores

    def on_evaluate(self, args: Any, state: Any, control: Any, **others: Any) -> None:  # noqa: ANN401, ARG002  # theirs
        """Note the signatures and the verdict next to the scores that were logged."""
        if self.scored is None or not state.is_world_process_zero:
            return
        said = {f"eval_{name}_signature": one for name, one in self.scored.signatures.items()}
        self.verdict = self.checkpoints.verdict(f"step {state.global_step}", self.outputs, self.references)
        if self.verdict is not None:
            said["eval_BLEU_verdict"] = self.verdict
            logging.getLogger(__name__).info("%s", self.verdict)
        if state.log_history and "eval_BLEU" in state.log_history[-1]:
            state.log_history[-1].update(said)
