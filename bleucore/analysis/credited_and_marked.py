"""What BLEU credits against what people marked: the tokens of judged segments, counted by both.

A token is marked if any of its characters in the text as written stands in a span of the translation: blanks between
tokens are nobody's, and what a tokenizer drops or writes otherwise counts where it stood. Spans of the source and of
what is missing mark no token. Several raters mark together, and the gravest severity counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from bleucore.analysis.matches import TokenMatch, match_segments
from bleucore.corpus import TestSet
from bleucore.counts import Ints, read_only
from bleucore.judgements.records import Judgements, Span
from bleucore.options import BleuOptions

LEVELS = ("not marked", "minor", "major", "critical")
"""How gravely a token is marked, from 0."""
_LEVELS: Mapping[str, int] = MappingProxyType({"neutral": 0, "no-error": 0, "major": 2, "critical": 3})
"""Of severities as they are written; what is neutral is no error, and any other, or none, is minor."""


@dataclass(frozen=True)
class CreditedAndMarked:
    """The tokens of a system's J judged segments; counts add up over segments, and over cells to all tokens.

    Attributes:
        segments: (J,), from 0, rising.
        counts: (J, O + 1, 4): by the longest credited n-gram that a token is part of, 0 to the largest order, and by
            its level of ``LEVELS``.
        of_categories: The same of marks of one category alone, by its name, sorted; all others are not marked there.
    """

    segments: Ints
    counts: Ints
    of_categories: Mapping[str, Ints]

    @property
    def sums(self) -> Ints:
        """Over all segments, (O + 1, 4)."""
        return np.asarray(self.counts.sum(axis=0))

    def segments_with(self, orders: slice, levels: slice, category: str | None = None) -> Ints:
        """The segments that have a token of these orders and levels, rising."""
        counts = self.counts if category is None else self.of_categories[category]
        return read_only(self.segments[counts[:, orders, levels].any(axis=(1, 2))])


def level_of(severity: str) -> int:
    """The level of a severity in lower case."""
    return _LEVELS.get(severity, 1)


def marks_of(judgements: Judgements, system: str) -> dict[int, tuple[Span, ...]]:
    """What any rater marked in each judged segment of a system, by its number; nothing where there is no error."""
    marks: dict[int, tuple[Span, ...]] = {}
    for row in judgements.rows:
        if row.system == system and row.number is not None:
            marks[row.number] = marks.get(row.number, ()) + row.spans
    return dict(sorted(marks.items()))


def credited_and_marked(
    test_set: TestSet, system: str, judgements: Judgements, options: BleuOptions
) -> CreditedAndMarked:
    """The tokens of a system by what BLEU credits, with all references, and by what people marked.

    Args:
        test_set: The texts.
        system: Its name.
        judgements: Aligned with the test set.
        options: How tokens are cut and what matches.
    """
    marks, hypotheses = marks_of(judgements, system), test_set.system(system).hypotheses
    references = [[column[segment] for column in test_set.references] for segment in marks]
    found = match_segments([hypotheses[segment] for segment in marks], references, options)
    tokens = [one.tokens for one in found]
    orders = [np.array([token.order for token in one], np.int64) for one in tokens]
    lengths = [len(hypotheses[segment]) for segment in marks]
    unmarked = np.zeros((len(marks), options.max_order + 1, len(LEVELS)), np.int64)
    for index, of_segment in enumerate(orders):
        unmarked[index, :, 0] = np.bincount(of_segment, minlength=options.max_order + 1)

    def counted(category: str | None = None) -> Ints:
        counts = unmarked.copy()
        for index, spans in enumerate(marks.values()):
            kept = [span for span in spans if category in (None, span.category)]
            if kept:
                cells = orders[index] * len(LEVELS) + token_levels(tokens[index], lengths[index], kept)
                counts[index] = np.bincount(cells, minlength=counts[index].size).reshape(counts[index].shape)
        return read_only(counts)

    categories = sorted({span.category for spans in marks.values() for span in spans})
    return CreditedAndMarked(
        read_only(np.array(list(marks), np.int64)),
        counted(),
        MappingProxyType({category: counted(category) for category in categories}),
    )


def token_levels(tokens: Sequence[TokenMatch], length: int, spans: Sequence[Span]) -> Ints:
    """How gravely each token of a text is marked, as a level: (T,).

    Args:
        tokens: With their places in the text.
        length: Of the text, in characters.
        spans: What was marked.
    """
    marks = [(level_of(span.severity), span) for span in spans if span.side == "target" and not span.is_missing]
    if not marks:
        return np.zeros(len(tokens), np.int64)
    levels = bytearray(length)
    for level, span in sorted(marks, key=lambda mark: mark[0]):
        start, end = max(span.start, 0), min(span.end, length)
        levels[start:end] = bytes([level]) * (end - start)
    return np.array([max(levels[slice(*token.span)], default=0) for token in tokens], np.int64)
