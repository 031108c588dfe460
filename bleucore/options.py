"""Settings that can change a BLEU score, and the signature that names them."""

import sys
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias, get_args

from bleucore.declarations import (
    Names,
    Number,
    Truth,
    Whole,
    declared,
    keep_accepted,
    signed_fields,
    unless_usual,
    yes_or_no,
)
from bleucore.errors import InputError
from bleucore.values import not_accepted, positive_number, shown

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
SIGNATURE_ORDER = ("case", "eff", "tok", "smooth", "order", "w", "len", "tie", "lower")
"""Fields of a signature in their order: sacreBLEU's, then ours; others follow as their settings are declared."""
MAX_ORDER_LIMIT = 32
MAX_WEIGHT_ERROR = 1e-9
LARGEST_SMOOTHING_VALUE = 1e30
"""Larger values are refused: scores of those accepted are finite, in single precision too."""


@dataclass(frozen=True)
class BleuOptions:
    """How BLEU is computed. The defaults are sacreBLEU's.

    Numbers and truth values of numpy's are converted to Python's.

    Attributes:
        tokenizer: One of ``ALL_TOKENIZER_NAMES`` or ``EXTERNAL_TOKENIZER_NAMES``.
        lowercase: Lower-case every text first. ``"ascii"`` lower-cases A to Z only, once what a tokenizer deletes
            and unescapes is done, as NIST's mteval-v13a does.
        max_order: M, the longest n-gram counted.
        smoothing: What stands in for an n-gram order without a match (Chen and Cherry 2014); ``nltk-i`` is
            method i of NLTK's SmoothingFunction where sacreBLEU has no such method.
        smoothing_value: For ``floor`` and ``add-k``, from 0 to ``LARGEST_SMOOTHING_VALUE``; ``None`` is 0.1 and 1.
            Refused for the others, where it would mean nothing.
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

    tokenizer: TokenizerName | ExternalTokenizerName = declared(
        "13a",
        Names(ALL_TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES, TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES),
        "texts",
        ("tok", lambda options: options.tokenizer),
    )
    lowercase: Lowercase = declared(
        False,
        Truth(also="ascii"),
        "texts",
        ("case", lambda options: "lc" if options.lowercase else "mixed"),
        ("lower", lambda options: "ascii" if options.lowercase == "ascii" else None),
    )
    max_order: int = declared(4, Whole(1, MAX_ORDER_LIMIT), "counts", ("order", unless_usual("max_order")))
    smoothing: Smoothing = declared(
        "exp",
        Names(ALL_SMOOTHING_METHODS, SMOOTHING_METHODS),
        "scores",
        ("smooth", lambda options: options.smoothing_in_signature),
    )
    smoothing_value: float | None = declared(
        None,
        Number(lambda value, options: _checked_smoothing_value(value, options.smoothing)),
        "scores",
        belongs_to="smoothing",
    )
    effective_order: bool = declared(False, Truth(), "scores", ("eff", yes_or_no("effective_order")))
    weights: tuple[float, ...] | None = declared(
        None,
        Number(lambda value, options: _checked_weights(value, options.max_order), are_several=True),
        "scores",
        ("w", lambda options: options.weights_in_signature),
        belongs_to="max_order",
    )
    reference_length: ReferenceLength = declared(
        "closest", Names(REFERENCE_LENGTHS), "counts", ("len", unless_usual("reference_length"))
    )
    length_tie: LengthTie = declared(
        "shorter",
        Names(LENGTH_TIES),
        "counts",
        ("tie", lambda options: options.length_tie if options.takes_first_of_ties else None),
    )
    missing_order: MissingOrder = declared(
        "zero", Names(MISSING_ORDERS), "scores", ("missing", unless_usual("missing_order"))
    )
    smooths_without_match: bool = declared(
        False, Truth(), "scores", ("nomatch", lambda options: "smoothed" if options.smooths_without_match else None)
    )
    totals_at_least_one: bool = declared(
        False, Truth(), "counts", ("totals", lambda options: "min1" if options.totals_at_least_one else None)
    )
    empty_counts_as_token: bool = declared(
        False, Truth(), "counts", ("empty", lambda options: "token" if options.empty_counts_as_token else None)
    )

    def __post_init__(self) -> None:
        keep_accepted(self)
        if self.smoothing in NEIGHBOUR_SMOOTHINGS:
            self._check_neighbour()

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

    @property
    def takes_first_of_ties(self) -> bool:
        """Whether the first of two equally close references gives the length, so that their order counts."""
        return self.reference_length in ("closest", "none") and self.length_tie == "first"

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it; what it cannot say stands in fields of our own before the version.

        A field of our own appears when its value is not sacreBLEU's: ``order``, ``w`` (weights), ``len`` (reference
        length), ``tie`` (between equally close lengths), ``lower``, ``missing`` (order without an n-gram),
        ``nomatch``, ``totals`` and ``empty``. A smoothing value that two decimals do not give exactly is written
        out (sacreBLEU rounds 0.001 to 0.00).
        """
        fields = {"nrefs": n_references, **signed_fields(self, SIGNATURE_ORDER), "version": SACREBLEU_VERSION}
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    @property
    def smoothing_in_signature(self) -> str:
        """The method, and its value where it takes one."""
        if self.smoothing not in DEFAULT_SMOOTHING_VALUES:
            return self.smoothing
        value = self.effective_smoothing_value
        short = f"{value:.2f}"
        return f"{self.smoothing}[{short if float(short) == value else repr(float(value))}]"

    @property
    def weights_in_signature(self) -> str | None:
        """The weights, where they are not all the same."""
        weights = self.unequal_weights
        return None if weights is None else ",".join(repr(weight).removesuffix(".0") for weight in weights)


def _checked_smoothing_value(value: object, smoothing: Smoothing) -> float | None:
    if value is None:
        return None
    if smoothing not in DEFAULT_SMOOTHING_VALUES:
        raise InputError(
            f"smoothing {smoothing!r} takes no value",
            where="Option smoothing_value",
            found=shown(value),
            remedy="Leave the value out, or choose the smoothing 'floor' or 'add-k'.",
        )
    expected = f"a number from 0 to {LARGEST_SMOOTHING_VALUE:g}"
    return positive_number("smoothing_value", value, LARGEST_SMOOTHING_VALUE, expected)


def _checked_weights(weights: object, max_order: int) -> tuple[float, ...] | None:
    """The weights as a tuple of floats."""
    if weights is None:
        return None
    if isinstance(weights, str | bytes | AbstractSet | Mapping) or not isinstance(weights, Iterable):
        raise not_accepted("weights", weights, "one number for each order")
    given = tuple(
        positive_number("weights", weight, sys.float_info.max, "numbers of at least 0")
        for weight in islice(weights, MAX_ORDER_LIMIT + 1)  # they may come without end
    )
    if len(given) != max_order:
        raise InputError(
            "the number of weights is not that of the orders",
            where="Option weights",
            found=len(given) if len(given) <= MAX_ORDER_LIMIT else f"more than {MAX_ORDER_LIMIT}",
            expected=max_order,
            remedy="Give one weight for each order from 1 to max_order.",
        )
    if abs(sum(given) - 1) > MAX_WEIGHT_ERROR:
        raise InputError(
            "the weights do not sum to 1",
            where="Option weights",
            found=f"{sum(given):.12g}",
            expected=1,
            remedy="Divide each weight by their sum.",
        )
    return given
