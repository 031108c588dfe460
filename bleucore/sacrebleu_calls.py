"""``corpus_bleu`` and ``sentence_bleu`` with sacreBLEU's arguments, and its numbers to the last digit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.notebook_tables import decimals, html_table
from bleucore.optional_packages import bleu
from bleucore.options import DEFAULT_SMOOTHING_VALUES, BleuOptions, SacrebleuSmoothing
from bleucore.partitions import partition_counts

CORPUS_CALL = "corpus_bleu(hypotheses, [references])"
SENTENCE_CALL = "sentence_bleu(hypothesis, [reference])"


@dataclass(frozen=True)
class BleuResult:
    """What sacreBLEU's ``BLEUScore`` says, under its names.

    Attributes:
        score: 0-100.
        counts: Matches by order; with ``add-k`` what it adds is among them, as there.
        totals: n-grams of the hypotheses by order, with ``add-k`` likewise.
        precisions: By order, 0-100.
        bp: The brevity penalty.
        sys_len: The tokens of the hypotheses.
        ref_len: The tokens of the references.
        signature: To cite with the score.
    """

    score: float
    counts: tuple[float, ...]
    totals: tuple[float, ...]
    precisions: tuple[float, ...]
    bp: float
    sys_len: int
    ref_len: int
    signature: str

    def __str__(self) -> str:
        """As sacreBLEU writes it."""
        ratio = self.sys_len / self.ref_len if self.ref_len else 0
        precisions = "/".join(f"{one:.1f}" for one in self.precisions)
        lengths = f"hyp_len = {self.sys_len} ref_len = {self.ref_len}"
        return f"BLEU = {self.score:.2f} {precisions} (BP = {self.bp:.3f} ratio = {ratio:.3f} {lengths})"

    def _repr_html_(self) -> str:
        heads = ["BLEU", *(f"p{order + 1}" for order in range(len(self.precisions))), "BP"]
        cells = [decimals(self.score), *(decimals(one, 1) for one in self.precisions), decimals(self.bp, 3)]
        return html_table(heads, [cells], n_names=0, caption=self.signature)


def corpus_bleu(  # noqa: PLR0913, PLR0917  # sacreBLEU's
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: SacrebleuSmoothing = "exp",
    smooth_value: float | None = None,
    force: bool = False,  # noqa: ARG001, FBT001, FBT002  # there, whether a warning is left out
    lowercase: bool = False,  # noqa: FBT001, FBT002  # sacreBLEU's
    tokenize: Any = "13a",  # noqa: ANN401  # the name of a tokenizer, which the options check
    use_effective_order: bool = False,  # noqa: FBT001, FBT002  # sacreBLEU's
) -> BleuResult:
    """Corpus BLEU as ``sacrebleu.corpus_bleu`` gives it.

    Args:
        hypotheses: S texts.
        references: R columns of S texts each, ``None`` where a segment lacks that reference; "" is an empty reference.
        smooth_method: sacreBLEU's name of it.
        smooth_value: For ``floor`` and ``add-k``.
        force: No effect; accepted as in sacreBLEU.
        lowercase: Lower-case every text first.
        tokenize: The name of a tokenizer.
        use_effective_order: Leave out orders for which the hypotheses have no n-gram.

    Raises:
        InputError: Lengths differ, there is nothing to score, a single text is given for a list, or a value is not
            accepted.
    """
    if isinstance(hypotheses, str):
        _refuse("The hypotheses", "a single string", "a list of strings", CORPUS_CALL)
    _refuse_no_list(references, "lists of strings, one for each reference", CORPUS_CALL)
    references = list(references)
    if any(isinstance(column, str) for column in references):
        _refuse("The references", "a string for a list", "lists of strings, one for each reference", CORPUS_CALL)
    return _scored(
        hypotheses, references, _options(smooth_method, smooth_value, lowercase, tokenize, use_effective_order)
    )


def sentence_bleu(  # noqa: PLR0913, PLR0917  # sacreBLEU's
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: SacrebleuSmoothing = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,  # noqa: FBT001, FBT002  # sacreBLEU's
    tokenize: Any = "13a",  # noqa: ANN401  # the name of a tokenizer, which the options check
    use_effective_order: bool = True,  # noqa: FBT001, FBT002  # sacreBLEU's
) -> BleuResult:
    """BLEU of one segment as ``sacrebleu.sentence_bleu`` gives it: by default with effective order.

    Args:
        hypothesis: The text.
        references: One text or more.
        smooth_method: As in ``corpus_bleu``.
        smooth_value: As in ``corpus_bleu``.
        lowercase: As in ``corpus_bleu``.
        tokenize: As in ``corpus_bleu``.
        use_effective_order: As in ``corpus_bleu``.

    Raises:
        InputError: As ``corpus_bleu``.
    """
    if not isinstance(hypothesis, str):
        _refuse("The hypothesis", type(hypothesis).__name__, "one string", SENTENCE_CALL)
    _refuse_no_list(references, "a list of strings", SENTENCE_CALL)
    options = _options(smooth_method, smooth_value, lowercase, tokenize, use_effective_order)
    return _scored([hypothesis], [[text] for text in references], options)


def _options(
    smooth_method: SacrebleuSmoothing,
    smooth_value: float | None,
    lowercase: bool,  # noqa: FBT001  # as given
    tokenize: Any,  # noqa: ANN401  # as given
    effective_order: bool,  # noqa: FBT001  # as given
) -> BleuOptions:
    """The settings; sacreBLEU passes over a value that its smoothing does not take."""
    return BleuOptions(
        "13a" if tokenize is None else tokenize,
        lowercase=lowercase,
        smoothing=smooth_method,
        smoothing_value=smooth_value if smooth_method in tuple(DEFAULT_SMOOTHING_VALUES) else None,
        effective_order=effective_order,
    )


def _scored(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], options: BleuOptions) -> BleuResult:
    """Counted here; sacreBLEU's own function makes the score of the counts."""
    counted = partition_counts(TestSet([System("hypotheses", hypotheses)], references), options, keeps_segments=False)
    sys_len, ref_len, *counts = counted.sums[0].tolist()
    order = options.max_order
    found = bleu.BLEU.compute_bleu(
        counts[:order],
        counts[order:],
        sys_len,
        ref_len,
        options.smoothing,
        options.effective_smoothing_value,
        options.effective_order,
        order,
    )
    n_references: int | Literal["var"] = next(iter(counted.numbers)) if len(counted.numbers) == 1 else "var"
    return BleuResult(
        float(found.score),
        tuple(found.counts),
        tuple(found.totals),
        tuple(found.precisions),
        float(found.bp),
        sys_len,
        ref_len,
        options.signature(n_references),
    )


def _refuse_no_list(references: object, expected: str, call: str) -> None:
    if isinstance(references, str):
        _refuse("The references", "a single string", expected, call)
    if not isinstance(references, Iterable):
        _refuse("The references", type(references).__name__, expected, call)


def _refuse(where: str, found: str, expected: str, call: str) -> NoReturn:
    raise InputError(
        "this is not what sacreBLEU takes here", where=where, found=found, expected=expected, remedy=f"Write {call}."
    )
