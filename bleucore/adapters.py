"""BLEU in the form that training code already calls: of Hugging Face evaluate's sacrebleu, and of torchmetrics.

The forms are those of evaluate 0.4.6 and torchmetrics 1.9.0; neither is imported. The numbers are those of
``bleucore.evaluate``, which are sacreBLEU's.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bleucore.corpus import System, TestSet
from bleucore.counts import Ints
from bleucore.errors import InputError
from bleucore.metrics.bleu import BleuScore, bleu_score
from bleucore.options import BleuOptions, SacrebleuSmoothing
from bleucore.partitions import PartCounts, partition_counts
from bleucore.written_numbers import counted

_SYSTEM = "predictions"
_STATES = ("preds_len", "target_len", "numerator", "denominator")
"""What torchmetrics calls the counts: lengths of predictions and references, matches and totals by order."""


class EvaluateSacrebleu:
    """In place of ``evaluate.load("sacrebleu")``: the same arguments, the same keys, nothing fetched.

    Attributes:
        signature: Of what ``compute`` gave last, to cite; ``None`` before.
    """

    def __init__(self) -> None:
        self.signature: str | None = None
        self._predictions: list[str] = []
        self._references: list[Sequence[str] | str] = []

    def add(self, *, prediction: str, reference: Sequence[str] | str) -> None:
        """Keep one segment, with one reference or several, until ``compute``."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[Sequence[str] | str]) -> None:
        """Keep some segments until ``compute``.

        Raises:
            InputError: There are not as many of one as of the other, or one of them is a single text.
        """
        _refuse_other_number("references", predictions, references)
        self._predictions += predictions
        self._references += references

    def compute(  # noqa: PLR0913  # theirs
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: Sequence[Sequence[str] | str] | None = None,
        smooth_method: SacrebleuSmoothing = "exp",
        smooth_value: float | None = None,
        force: bool = False,  # noqa: ARG002  # there, whether a warning is left out
        lowercase: bool = False,
        tokenize: Any = None,  # noqa: ANN401  # the name of a tokenizer, which the options check
        use_effective_order: bool = False,
    ) -> dict[str, Any]:
        """Corpus BLEU of these segments and of all that were added; those are forgotten then.

        Args:
            predictions: S texts.
            references: For each of them its reference, or all its references.
            smooth_method: sacreBLEU's name of it.
            smooth_value: For ``floor`` and ``add-k``.
            force: Accepted and not needed.
            lowercase: Lower-case every text first.
            tokenize: The name of a tokenizer; ``13a`` unless given, as there.
            use_effective_order: Leave out orders for which no prediction has an n-gram.

        Returns:
            ``score`` (0-100), ``counts``, ``totals`` and ``precisions`` (0-100) by order, ``bp``, ``sys_len``,
            ``ref_len``. Counts and totals are those of the texts, also with ``add-k``, where sacreBLEU adds to them.

        Raises:
            InputError: There is nothing to score, or a value that is not accepted.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        options = BleuOptions(
            "13a" if tokenize is None else tokenize,
            lowercase=lowercase,
            smoothing=smooth_method,
            smoothing_value=smooth_value,
            effective_order=use_effective_order,
        )
        counted = _counted(self._predictions, self._references, options)
        self._predictions, self._references = [], []
        self.signature = counted.signature
        found = bleu_score(counted.sums[0], options)
        return {
            "score": found.score,
            "counts": found.matches.tolist(),
            "totals": found.totals.tolist(),
            "precisions": found.precisions.tolist(),
            "bp": found.brevity_penalty,
            "sys_len": found.hypothesis_length,
            "ref_len": found.reference_length,
        }


class TorchmetricsSacreBleu:
    """In place of ``torchmetrics.text.SacreBLEUScore``: update, compute and reset, BLEU from 0 to 1.

    It is no ``torch.nn.Module`` and gives a float; it gathers nothing from other processes by itself: ``merge_state``
    adds what they have counted.

    Their number differs where sacreBLEU's rules do: there any order without a match makes the score 0, smoothed or
    not, and of two references that are equally close in length the first counts, here the shorter.

    Args:
        n_gram: The longest n-gram counted.
        smooth: Whether 1 is added to matches and n-grams of all orders above the first, which sacreBLEU calls
            ``add-k``; else nothing is smoothed.
        tokenize: The name of a tokenizer.
        lowercase: Lower-case every text first.
        weights: Of the orders; equal unless given.
        options: All settings at once, in place of those above: ``BleuOptions()`` is sacreBLEU's default.
    """

    is_differentiable = False
    higher_is_better = True

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,  # noqa: FBT001, FBT002  # theirs
        tokenize: Any = "13a",  # noqa: ANN401  # the name of a tokenizer, which the options check
        lowercase: bool = False,  # noqa: FBT001, FBT002  # theirs
        weights: Sequence[float] | None = None,
        *,
        options: BleuOptions | None = None,
    ) -> None:
        self.options = options or BleuOptions(
            tokenize,
            lowercase=lowercase,
            max_order=n_gram,
            smoothing="add-k" if smooth else "none",
            weights=None if weights is None else tuple(weights),
        )
        self._sums: Ints = np.zeros(2 + 2 * self.options.max_order, np.int64)
        self._numbers: frozenset[int] | None = None

    def update(self, preds: Sequence[str], target: Sequence[Sequence[str] | str]) -> None:
        """Count some segments.

        Args:
            preds: S texts.
            target: For each of them all its references, or its only one.

        Raises:
            InputError: There are not as many of one as of the other, or something is no text.
        """
        _refuse_other_number("target", preds, target)
        if len(preds):
            counted = _counted(preds, target, self.options)
            self._add(counted.sums[0], counted.numbers)

    def compute(self) -> float:
        """BLEU of all that was counted, 0-1.

        Raises:
            InputError: Nothing was.
        """
        return self.score.score / 100

    def forward(self, preds: Sequence[str], target: Sequence[Sequence[str] | str]) -> float:
        """BLEU of these segments alone, 0-1; they are counted as ``update`` does."""
        alone = TorchmetricsSacreBleu(options=self.options)
        alone.update(preds, target)
        value = alone.compute()
        self.merge_state(alone)
        return value

    __call__ = forward

    def reset(self) -> None:
        """Forget all that was counted."""
        self._sums, self._numbers = np.zeros_like(self._sums), None

    @property
    def score(self) -> BleuScore:
        """All of it, 0-100, with what it is made of.

        Raises:
            InputError: Nothing was counted.
        """
        if self._numbers is None:
            raise _nothing()
        return bleu_score(self._sums, self.options)

    @property
    def signature(self) -> str:
        """To cite with the score. A state that came as numbers does not say how many references it is of.

        Raises:
            InputError: Nothing was counted.
        """
        if not self._numbers:
            raise _nothing()
        return self.options.signature(next(iter(self._numbers)) if len(self._numbers) == 1 else "var")

    @property
    def metric_state(self) -> dict[str, Any]:
        """What was counted, in plain numbers, as ``merge_state`` takes it, in another process perhaps."""
        order = self.options.max_order
        parts = (self._sums[0], self._sums[1], self._sums[2 : 2 + order], self._sums[2 + order :])
        return {name: part.tolist() for name, part in zip(_STATES, parts, strict=True)}

    def merge_state(self, incoming_state: "Mapping[str, Any] | TorchmetricsSacreBleu") -> None:
        """Add what another has counted under the same settings.

        Raises:
            InputError: It is of other settings, or no such state.
        """
        if isinstance(incoming_state, TorchmetricsSacreBleu):
            if incoming_state.options != self.options:
                raise _no_state("one of other settings")
            sums, numbers = incoming_state._sums, incoming_state._numbers  # noqa: SLF001  # of this class
            if numbers is not None:
                self._add(sums, numbers)
            return
        try:
            sums = np.concatenate([np.atleast_1d(np.asarray(incoming_state[name], np.int64)) for name in _STATES])
        except (KeyError, TypeError, ValueError) as error:
            raise _no_state(", ".join(map(str, incoming_state))) from error
        if sums.shape != self._sums.shape:
            raise _no_state(counted(len(sums), "count"))
        self._add(sums, frozenset())

    def _add(self, sums: Ints, numbers: frozenset[int]) -> None:
        self._sums = self._sums + sums
        self._numbers = numbers | (self._numbers or frozenset())


def _counted(predictions: Sequence[str], references: Sequence[Sequence[str] | str], options: BleuOptions) -> PartCounts:
    """The counts of texts whose references are given segment by segment."""
    test_set = TestSet([System(_SYSTEM, list(predictions))], by_reference(predictions, references))
    return partition_counts(test_set, options, keeps_segments=False)


def by_reference(predictions: Sequence[str], references: Sequence[Sequence[str] | str]) -> list[list[str | None]]:
    """References that are given segment by segment, as a ``TestSet`` takes them.

    Args:
        predictions: S texts.
        references: For each of them its reference, or all its references.

    Returns:
        R lists of S references, ``None`` where a segment has fewer.

    Raises:
        InputError: There are not as many of one as of the other, there is none, or one of them is a single text.
    """
    _refuse_other_number("references", predictions, references)
    if not len(predictions):
        raise _nothing()
    given = [[one] if isinstance(one, str) else one for one in references]
    return [[texts[place] if place < len(texts) else None for texts in given] for place in range(max(map(len, given)))]


def _refuse_other_number(name: str, predictions: Sequence[Any], references: Sequence[Any]) -> None:
    for one, given in (("predictions", predictions), (name, references)):
        if isinstance(given, str):
            raise InputError(
                "this is a single text", where=one, found="a string", expected="a list with an entry for each segment"
            )
    if len(predictions) != len(references):
        raise InputError(
            "there are not as many references as predictions",
            where=name,
            found=f"{len(references)} for {len(predictions)} predictions",
            expected="an entry for each prediction, which may be a list of references",
        )


def _nothing() -> InputError:
    return InputError("nothing was given to score", where="The predictions", remedy="Give at least one segment.")


def _no_state(found: object) -> InputError:
    return InputError(
        "this is no state of this metric",
        where="The state to merge",
        found=str(found),
        expected=f"{', '.join(_STATES)}, of as many orders",
        remedy="Take metric_state of a metric with the same settings.",
    )
