"""Which kinds of errors people mark: the share of the tokens of each kind that stand in a mark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from bleucore.analysis.credited_and_marked import marks_of, token_levels
from bleucore.analysis.kinds import KindLosses
from bleucore.analysis.matches import match_segments
from bleucore.analysis.token_kinds import N_KINDS, NO_KIND
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, read_only
from bleucore.judgements.records import Judgements
from bleucore.options import BleuOptions

MATCHED: Final = N_KINDS
"""The place of tokens with which nothing is wrong, behind those of ``KINDS``."""
MARKED_IN_WMT23: Mapping[str, float] = MappingProxyType(
    {
        "case": 0.17,
        "punctuation": 0.38,
        "number": 0.33,
        "repeat": 0.27,
        "word order": 0.17,
        "name": 0.25,
        "other form": 0.17,
        "other word": 0.21,
    }
)
"""The share of such tokens that MQM raters marked in WMT23 en-de, by kind: 12 systems, sorted by these rules."""
MATCHED_MARKED_IN_WMT23: Final = 0.08
"""The same of tokens with which nothing is wrong."""


@dataclass(frozen=True)
class MarkedKinds:
    """The tokens of annotated outputs, by kind. All arrays are read-only.

    Attributes:
        n_outputs: How many outputs were annotated.
        tokens: (11,), how many tokens are of each kind, and how many match; none is ``missing`` or of ``length``.
        marked: (11,), how many of these stand in a mark of any rater.
        losses: (10,), the BLEU points lost to each kind on these outputs, the mean of their systems; ``None`` where
            points of more segments are shown next to them.
    """

    n_outputs: int
    tokens: Ints
    marked: Ints
    losses: Floats | None = None

    @property
    def shares(self) -> Floats:
        """(11,), the share of the tokens of each kind that are marked; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.marked / self.tokens, np.float64)


def marked_kinds(
    test_set: TestSet, losses: Sequence[KindLosses], judgements: Judgements, options: BleuOptions
) -> MarkedKinds:
    """Count the tokens of each kind in the judged outputs of some systems, and those that raters marked.

    Args:
        test_set: The texts.
        losses: Of the systems, with the kinds of their tokens.
        judgements: With error spans, aligned with the test set.
        options: With which the kinds were told.
    """
    counts, n_outputs = np.zeros((2, N_KINDS + 1), np.int64), 0
    for one in losses:
        hypotheses, marks = test_set.system(one.system).hypotheses, marks_of(judgements, one.system)
        cut = match_segments([hypotheses[segment] for segment in marks], [[""]] * len(marks), options)
        for (segment, spans), matches in zip(marks.items(), cut, strict=True):
            kinds = np.array(one.kinds_of(segment), np.int64)
            levels = token_levels(matches.tokens, len(hypotheses[segment]), spans)
            if len(kinds) == len(levels):  # a tokenizer that cuts a text alone otherwise tells no places
                places = np.where(kinds == NO_KIND, MATCHED, kinds)
                counts[0] += np.bincount(places, minlength=N_KINDS + 1)
                counts[1] += np.bincount(places[levels > 0], minlength=N_KINDS + 1)
                n_outputs += 1
    return MarkedKinds(n_outputs, read_only(counts[0]), read_only(counts[1]))
