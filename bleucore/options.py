"""Settings that can change a BLEU score, and the signature that names them."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bleucore.errors import InputError

SACREBLEU_VERSION = "2.6.0"
"""The version of sacreBLEU whose scores and signature are reproduced."""

TokenizerName: TypeAlias = Literal["13a", "intl", "char", "zh", "none"]
Smoothing: TypeAlias = Literal["exp", "floor", "add-k", "none"]

TOKENIZER_NAMES: tuple[TokenizerName, ...] = get_args(TokenizerName)
SMOOTHING_METHODS: tuple[Smoothing, ...] = get_args(Smoothing)
DEFAULT_SMOOTHING_VALUES: dict[Smoothing, float] = {"floor": 0.1, "add-k": 1.0}
MAX_ORDER_LIMIT = 32


@dataclass(frozen=True)
class BleuOptions:
    """How BLEU is computed. The defaults are sacreBLEU's.

    Attributes:
        tokenizer: One of ``TOKENIZER_NAMES``.
        lowercase: Lower-case every text first.
        max_order: M, the longest n-gram counted.
        smoothing: What stands in for an n-gram order without a match (Chen and Cherry 2014).
        smoothing_value: For ``floor`` and ``add-k``; ``None`` is 0.1 and 1. Without meaning for the others.
        effective_order: Leave orders out of the corpus score for which the hypotheses have no n-gram.
            Segment scores always do so.

    Raises:
        InputError: A value that is not accepted.
    """

    tokenizer: TokenizerName = "13a"
    lowercase: bool = False
    max_order: int = 4
    smoothing: Smoothing = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False

    def __post_init__(self) -> None:
        _refuse_unless(self.tokenizer in TOKENIZER_NAMES, "tokenizer", self.tokenizer, ", ".join(TOKENIZER_NAMES))
        _refuse_unless(self.smoothing in SMOOTHING_METHODS, "smoothing", self.smoothing, ", ".join(SMOOTHING_METHODS))
        _refuse_unless(
            isinstance(self.max_order, int)
            and not isinstance(self.max_order, bool)
            and 1 <= self.max_order <= MAX_ORDER_LIMIT,
            "max_order",
            self.max_order,
            f"a whole number from 1 to {MAX_ORDER_LIMIT}",
        )
        if self.smoothing_value is not None:
            self._check_smoothing_value(self.smoothing_value)

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

    @property
    def effective_smoothing_value(self) -> float:
        """The value in force: the one given, else the method's own, else 0."""
        if self.smoothing_value is not None:
            return self.smoothing_value
        return DEFAULT_SMOOTHING_VALUES.get(self.smoothing, 0.0)

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it; what it cannot say stands in fields of our own before the version.

        ``order`` appears when it is not 4, and a smoothing value that two decimals do not give exactly is
        written out (sacreBLEU rounds 0.001 to 0.00).
        """
        fields = {
            "nrefs": str(n_references),
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": self.tokenizer,
            "smooth": self._smoothing_signature(),
        }
        if self.max_order != BleuOptions.max_order:
            fields["order"] = str(self.max_order)
        fields["version"] = SACREBLEU_VERSION
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def _smoothing_signature(self) -> str:
        if self.smoothing not in DEFAULT_SMOOTHING_VALUES:
            return self.smoothing
        value = self.effective_smoothing_value
        short = f"{value:.2f}"
        return f"{self.smoothing}[{short if float(short) == value else repr(float(value))}]"


def _refuse_unless(accepted: bool, option: str, found: object, expected: str) -> None:  # noqa: FBT001
    if not accepted:
        raise InputError(
            "this value is not accepted",
            where=f"Option {option}",
            found=repr(found),
            expected=expected,
            remedy="Choose one of the accepted values.",
        )
