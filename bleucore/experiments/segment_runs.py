"""How many runs of a recipe do well on each segment: are right there, or beat the mean of another recipe's runs."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints
from bleucore.options import BleuOptions
from bleucore.tokens.tokenizers import tokenize

Bools: TypeAlias = NDArray[np.bool_]
SHORT_ANSWERS = 0.1
"""From this share of right answers, that of the middle system, texts count as short answers, not as translations."""
SAME_SCORE = 1e-9
"""Scores that are no further apart are equal: means of equal scores are, but for rounding."""


def right_answers(test_set: TestSet, counts: Mapping[str, Ints], options: BleuOptions) -> Mapping[str, Bools]:
    """Whether each output equals one of its references after the scoring's tokenizer and case, (S,) by system.

    Args:
        test_set: The texts.
        counts: BLEU's counts (S, C) of each system under these options.
        options: With the tokenizer and the case.
    """
    return {
        system.name: _are_right(system.hypotheses, test_set.references, counts[system.name], options)
        for system in test_set.systems
    }


def are_short_answers(right: Mapping[str, Bools]) -> bool:
    """Whether the middle one of the systems has enough right answers to speak of right and wrong."""
    shares = [float(one.mean()) for one in right.values() if len(one)]
    return bool(shares) and float(np.median(shares)) >= SHORT_ANSWERS


def runs_right(right: Mapping[str, Bools], runs: Sequence[str]) -> Ints:
    """How many of the runs got each segment right, (S,)."""
    return np.asarray(np.sum([right[name] for name in runs], axis=0), np.int64)


def runs_above_mean(scores: Sequence[Floats], others: Sequence[Floats], *, higher_is_better: bool = True) -> Floats:
    """How many runs score better on each segment than the mean of the other recipe's runs, (S,).

    Args:
        scores: (S,) of each run.
        others: The same of the other recipe.
        higher_is_better: Which way scores point.

    Returns:
        NaN where a score is missing.
    """
    runs, against = np.stack(scores), np.mean(others, axis=0)
    gains = (runs - against) * (1 if higher_is_better else -1)
    return np.where(np.isnan(gains).any(axis=0), np.nan, (gains > SAME_SCORE).sum(axis=0).astype(np.float64))


def _are_right(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], counts: Ints, options: BleuOptions
) -> Bools:
    n_orders = options.max_order
    matches, totals = counts[:, 2 : 2 + n_orders], counts[:, 2 + n_orders : 2 + 2 * n_orders]
    found = np.zeros(len(hypotheses), np.bool_)
    rows = np.flatnonzero((matches == totals).all(axis=1)).tolist()  # all n-grams of equal texts match
    for column in references:
        asked = [(row, text) for row in rows if not found[row] and (text := column[row]) is not None]
        texts = [hypotheses[row] for row, _ in asked] + [text for _, text in asked]
        tokens = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
        for place, (row, _) in enumerate(asked):
            own, reference = (
                tokens.ids[tokens.offsets[one] : tokens.offsets[one + 1]] for one in (place, len(asked) + place)
            )
            found[row] = np.array_equal(own, reference)
    return found
