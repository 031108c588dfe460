"""Settings that can change a BLEU score, and the signature that names them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Literal, TypeAlias, get_args

from bleucore.errors import InputError

SACREBLEU_VERSION = "2.6.0"
"""The version of sacreBLEU whose scores and signature are reproduced."""

SacrebleuTokenizer: TypeAlias = Literal["13a", "intl", "char", "zh", "none"]
OtherTokenizer: TypeAlias = Literal["ibleu", "ascii-space"]
TokenizerName: TypeAlias = Literal[SacrebleuTokenizer, OtherTokenizer]
ExternalTokenizerName: TypeAlias = Literal["ja-mecab", "ko-mecab", "spm", "flores101", "flores200"]
SacrebleuSmoothing: TypeAlias = Literal["exp", "floor", "add-k", "none"]
NltkSmoothing: TypeAlias = Literal["nltk-0", "nltk-4", "nltk-5", "nltk-6", "nltk-7"]
Smoothing: TypeAlias = Literal[SacrebleuSmoothing, NltkSmoothing]
Lowercase: TypeAlias = Literal["ascii"] | bool
ReferenceLength: TypeAlias = Literal["closest", "shortest", "average", "none"]
LengthTie: TypeAlias = Literal["shorter", "first"]
MissingOrder: TypeAlias = Literal["zero", "one"]

TOKENIZER_NAMES: tuple[SacrebleuTokenizer, ...] = get_args(SacrebleuTokenizer)
"""sacreBLEU's tokenizers, which are those to choose from."""
ALL_TOKENIZER_NAMES: tuple[TokenizerName, ...] = get_args(TokenizerName)
"""With those that presets need."""
EXTERNAL_TOKENIZER_NAMES: tuple[ExternalTokenizerName, ...] = get_args(ExternalTokenizerName)
"""sacreBLEU's tokenizers that need further packages."""
SMOOTHING_METHODS: tuple[SacrebleuSmoothing, ...] = get_args(SacrebleuSmoothing)
ALL_SMOOTHING_METHODS: tuple[Smoothing, ...] = get_args(Smoothing)
REFERENCE_LENGTHS: tuple[ReferenceLength, ...] = get_args(ReferenceLength)
LENGTH_TIES: tuple[LengthTie, ...] = get_args(LengthTie)
MISSING_ORDERS: tuple[MissingOrder, ...] = get_args(MissingOrder)
DEFAULT_SMOOTHING_VALUES: dict[Smoothing, float] = {"floor": 0.1, "add-k": 1.0}
NEIGHBOUR_SMOOTHINGS: frozenset[Smoothing] = frozenset({"nltk-5", "nltk-7"})
"""Those that look at the precision of the next order, and so need one order more than is weighted."""
MAX_ORDER_LIMIT = 32
MAX_WEIGHT_ERROR = 1e-9


@dataclass(frozen=True)
class BleuOptions:
    """How BLEU is computed. The defaults are sacreBLEU's.

    Attributes:
        tokenizer: One of ``ALL_TOKENIZER_NAMES`` or ``EXTERNAL_TOKENIZER_NAMES``.
        lowercase: Lower-case every text first. ``"ascii"`` lower-cases A to Z only, once what a tokenizer deletes
            and unescapes is done, as NIST's mteval-v13a does.
        max_order: M, the longest n-gram counted.
        smoothing: What stands in for an n-gram order without a match (Chen and Cherry 2014); ``nltk-i`` is
            method i of NLTK's SmoothingFunction where sacreBLEU has no such method.
        smoothing_value: For ``floor`` and ``add-k``; ``None`` is 0.1 and 1. Without meaning for the others.
        effective_order: Leave orders out of the corpus score for which the hypotheses have no n-gram.
            Segment scores always do so.
        weights: M numbers of at least 0 that sum to 1, w of BP · exp(Σ w_n ln p_n) (Papineni et al. 2002,
            section 2.3); ``None`` is 1/M each. A weight of 0 drops the order. Where orders are left out, the
            weights of the others are divided by their sum. Smoothing looks at all orders, whatever their weights.
        reference_length: The reference length r of a segment that the brevity penalty sums: of the reference
            ``closest`` to the hypothesis, of the ``shortest`` (NIST's mteval before version 13), or the
            ``average``; ``none`` is no brevity penalty.
        length_tie: Which of two equally close references gives the length, the ``shorter`` or the ``first``.
        missing_order: The precision of an order for which the hypotheses have no n-gram: ``zero``, unless the
            effective order leaves it out, or ``one``, which leaves nothing to be left out.
        smooths_without_match: Smooth also where no n-gram of any order matches; else the score is 0.
        totals_at_least_one: Every segment counts at least one n-gram of each order, as in NLTK.
        empty_counts_as_token: An empty text is one empty token, as in iBLEU.

    Raises:
        InputError: A value that is not accepted.
    """

    tokenizer: TokenizerName | ExternalTokenizerName = "13a"
    lowercase: Lowercase = False
    max_order: int = 4
    smoothing: Smoothing = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False
    weights: tuple[float, ...] | None = None
    reference_length: ReferenceLength = "closest"
    length_tie: LengthTie = "shorter"
    missing_order: MissingOrder = "zero"
    smooths_without_match: bool = False
    totals_at_least_one: bool = False
    empty_counts_as_token: bool = False

    def __post_init__(self) -> None:
        tokenizers = ALL_TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES
        _refuse_unless(self.tokenizer in tokenizers, "tokenizer", self.tokenizer, ", ".join(tokenizers))
        _refuse_unless(
            self.smoothing in ALL_SMOOTHING_METHODS, "smoothing", self.smoothing, ", ".join(ALL_SMOOTHING_METHODS)
        )
        _refuse_unless(
            isinstance(self.max_order, int)
            and not isinstance(self.max_order, bool)
            and 1 <= self.max_order <= MAX_ORDER_LIMIT,
            "max_order",
            self.max_order,
            f"a whole number from 1 to {MAX_ORDER_LIMIT}",
        )
        self._check_choices()
        if self.smoothing_value is not None:
            self._check_smoothing_value(self.smoothing_value)
        if self.weights is not None:
            object.__setattr__(self, "weights", _checked_weights(self.weights, self.max_order))
        if self.smoothing in NEIGHBOUR_SMOOTHINGS:
            self._check_neighbour()

    def _check_choices(self) -> None:
        _refuse_unless(self.lowercase in (False, True, "ascii"), "lowercase", self.lowercase, "False, True, 'ascii'")
        for option, accepted in (
            ("reference_length", REFERENCE_LENGTHS),
            ("length_tie", LENGTH_TIES),
            ("missing_order", MISSING_ORDERS),
        ):
            found = getattr(self, option)
            _refuse_unless(found in accepted, option, found, ", ".join(accepted))
        for option in ("smooths_without_match", "totals_at_least_one", "empty_counts_as_token"):
            found = getattr(self, option)
            _refuse_unless(isinstance(found, bool), option, found, "True or False")

    def _check_smoothing_value(self, value: float) -> None:
        if self.smoothing not in DEFAULT_SMOOTHING_VALUES:
            raise InputError(
                f"smoothing {self.smoothing!r} takes no value",
                where="Option smoothing_value",
                found=value,
                remedy="Leave the value out, or choose the smoothing 'floor' or 'add-k'.",
            )
        _refuse_unless(
            isinstance(value, int | float) and math.isfinite(value) and value >= 0,
            "smoothing_value",
            value,
            "a number of at least 0",
        )

    def _check_neighbour(self) -> None:
        if self.weights is None or self.weights[-1] > 0:
            raise InputError(
                f"smoothing {self.smoothing!r} needs one order more than it smooths",
                where="Option weights",
                found="no weights" if self.weights is None else f"a last weight of {self.weights[-1]:g}",
                expected="a last weight of 0",
                remedy="Raise max_order by one and give the last order the weight 0.",
            )

    @property
    def effective_smoothing_value(self) -> float:
        """The value in force: the one given, else the method's own, else 0."""
        if self.smoothing_value is not None:
            return self.smoothing_value
        return DEFAULT_SMOOTHING_VALUES.get(self.smoothing, 0.0)

    @property
    def unequal_weights(self) -> tuple[float, ...] | None:
        """The weights, or ``None`` where all are the same, which is sacreBLEU's 1/M."""
        return None if self.weights is None or len(set(self.weights)) == 1 else self.weights

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it; what it cannot say stands in fields of our own before the version.

        A field of our own appears when its value is not sacreBLEU's: ``order``, ``w`` (weights), ``len`` (reference
        length), ``tie`` (between equally close lengths), ``lower``, ``missing`` (order without an n-gram),
        ``nomatch``, ``totals`` and ``empty``. A smoothing value that two decimals do not give exactly is written
        out (sacreBLEU rounds 0.001 to 0.00).
        """
        fields = {
            "nrefs": str(n_references),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": self.tokenizer,
            "smooth": self._smoothing_signature(),
            **self._own_fields(),
            "version": SACREBLEU_VERSION,
        }
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def _own_fields(self) -> dict[str, str]:
        weights = self.unequal_weights or ()
        has_tie = self.reference_length in ("closest", "none") and self.length_tie != BleuOptions.length_tie
        fields = {
            "order": (self.max_order != BleuOptions.max_order, str(self.max_order)),
            "w": (bool(weights), ",".join(repr(weight).removesuffix(".0") for weight in weights)),
            "len": (self.reference_length != BleuOptions.reference_length, self.reference_length),
            "tie": (has_tie, self.length_tie),
            "lower": (self.lowercase == "ascii", "ascii"),
            "missing": (self.missing_order != BleuOptions.missing_order, self.missing_order),
            "nomatch": (self.smooths_without_match, "smoothed"),
            "totals": (self.totals_at_least_one, "min1"),
            "empty": (self.empty_counts_as_token, "token"),
        }
        return {key: value for key, (differs, value) in fields.items() if differs}

    def _smoothing_signature(self) -> str:
        if self.smoothing not in DEFAULT_SMOOTHING_VALUES:
            return self.smoothing
        value = self.effective_smoothing_value
        short = f"{value:.2f}"
        return f"{self.smoothing}[{short if float(short) == value else repr(float(value))}]"


def _checked_weights(weights: Iterable[object], max_order: int) -> tuple[float, ...]:
    """The weights as a tuple of floats."""
    expected = "one number for each order"
    _refuse_unless(isinstance(weights, Iterable) and not isinstance(weights, str), "weights", weights, expected)
    given = []
    for weight in weights:
        is_number = isinstance(weight, Real) and not isinstance(weight, bool)
        _refuse_unless(is_number, "weights", weight, "numbers of at least 0")
        given.append(float(weight))  # type: ignore[arg-type]  # a number, as just seen
        _refuse_unless(math.isfinite(given[-1]) and given[-1] >= 0, "weights", weight, "numbers of at least 0")
    if len(given) != max_order:
        raise InputError(
            "the number of weights is not that of the orders",
            where="Option weights",
            found=len(given),
            expected=max_order,
            remedy="Give one weight for each order from 1 to max_order.",
        )
    if abs(math.fsum(given) - 1) > MAX_WEIGHT_ERROR:
        raise InputError(
            "the weights do not sum to 1",
            where="Option weights",
            found=f"{math.fsum(given):.12g}",
            expected=1,
            remedy="Divide each weight by their sum.",
        )
    return tuple(given)


def _refuse_unless(accepted: bool, option: str, found: object, expected: str) -> None:  # noqa: FBT001
    if not accepted:
        raise InputError(
            "this value is not accepted",
            where=f"Option {option}",
            found=repr(found),
            expected=expected,
            remedy="Choose one of the accepted values.",
        )
