"""BLEU of each validation of Lightning, of the texts that ``validation_step`` returns."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from lightning.pytorch import Callback

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet, partition_counts
from bleucore.adapters import by_reference
from bleucore.metrics import MetricOptions, metric_of
from bleuscope.integrations.checkpoints import Against, Checkpoints, ScoredOutputs

OUTPUTS, REFERENCES = "predictions", "references"


class BleuCallback(Callback):  # type: ignore[misc]  # the package is not there where types are checked
    """Logs ``val_BLEU`` and ``val_chrF2`` at the end of each validation, and the signatures as hyperparameters.

    ``validation_step`` has to return a mapping with ``"predictions"``, a text for each segment, and ``"references"``,
    for each segment its reference or all its references. Several processes add their counts, so the score is that of
    all their segments.

    Attributes:
        scored: What the last validation says; ``None`` before the first.
        verdict: Whether it is better than an earlier one; ``None`` if that was not asked, or for the first.
    """

    def __init__(
        self,
        *,
        options: BleuOptions | None = None,
        metrics: Sequence[MetricOptions] = (ChrfOptions(),),
        against: Against | None = None,
        prefix: str = "val_",
    ) -> None:
        """A callback.

        Args:
            options: BLEU's settings.
            metrics: More metrics.
            against: Also test against the ``"previous"`` validation or the ``"best"`` so far, in one process.
            prefix: Of the names under which scores are logged.

        Raises:
            InputError: There is no such validation.
        """
        super().__init__()
        self.checkpoints, self.prefix = Checkpoints(options=options, metrics=metrics, against=against), prefix
        self.scored: ScoredOutputs | None = None
        self.verdict: str | None = None
        self._outputs: list[str] = []
        self._references: list[Sequence[str] | str] = []
        self._has_signatures = False

    def on_validation_epoch_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401, ARG002  # theirs
        """Forget the texts of the validation before."""
        self._outputs, self._references = [], []

    def on_validation_batch_end(
        self,
        trainer: Any,  # noqa: ANN401, ARG002
        pl_module: Any,  # noqa: ANN401, ARG002
        outputs: Any,  # noqa: ANN401
        batch: Any,  # noqa: ANN401, ARG002
        batch_idx: int,
        dataloader_idx: int = 0,  # noqa: ARG002
    ) -> None:
        """Keep the texts of a batch.

        Raises:
            InputError: ``validation_step`` returned something else.
        """
        if not isinstance(outputs, Mapping) or not {OUTPUTS, REFERENCES} <= outputs.keys():
            raise InputError(
                "validation_step returned no texts",
                where=f"Batch {batch_idx}",
                found=", ".join(map(str, outputs)) if isinstance(outputs, Mapping) else type(outputs).__name__,
                expected=f"a mapping with {OUTPUTS!r} and {REFERENCES!r}",
            )
        self._outputs += outputs[OUTPUTS]
        self._references += outputs[REFERENCES]

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401  # theirs
        """Log the scores.

        Raises:
            InputError: There is nothing to score, or the numbers of references and outputs differ.
        """
        if trainer.sanity_checking:
            return
        if trainer.world_size > 1:
            self.scored = self._of_all_processes(trainer)
        else:
            self.scored = self.checkpoints.score(self._outputs, self._references)
            label = f"step {trainer.global_step}"
            self.verdict = self.checkpoints.verdict(label, self._outputs, self._references)
        for name, score in self.scored.scores.items():
            pl_module.log(f"{self.prefix}{name}", score, sync_dist=trainer.world_size > 1)
        if self.verdict is not None:
            logging.getLogger(__name__).info("%s", self.verdict)
        if not self._has_signatures:
            said = {f"{self.prefix}{name}_signature": one for name, one in self.scored.signatures.items()}
            for logger in trainer.loggers:
                logger.log_hyperparams(said)
            self._has_signatures = True

    def _of_all_processes(self, trainer: Any) -> ScoredOutputs:  # noqa: ANN401
        """The scores of the summed counts of all processes."""
        part = TestSet([System("outputs", self._outputs)], by_reference(self._outputs, self._references))
        scores, signatures = {}, {}
        for options in (self.checkpoints.options, *self.checkpoints.metrics):
            counted = partition_counts(part, options, keeps_segments=False)
            sums = trainer.strategy.reduce(torch.as_tensor(counted.sums[0].copy()), reduce_op="sum").cpu().numpy()
            metric = metric_of(options)
            scores[metric.name(options)] = float(metric.scores(sums, options))
            signatures[metric.name(options)] = counted.signature
        return ScoredOutputs(scores, signatures)
