"""Each filter of segments once: its chip, its widgets and their addresses, and its option of a command."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from bleuscope.content.ngrams.ngram_tables import ANYWHERE, WHERE
from bleuscope.content.segments.kind_points import NAMES as KINDS
from bleuscope.registry import own_features
from bleuscope.runtime import params
from bleuscope.runtime.param import Param

Place = Literal["anywhere", "source", "references", "hypotheses"]
Agreement = Literal[
    "any", "A and B differ", "A and B are equal", "all systems differ", "contribution and score disagree"
]

PLACES: tuple[Place, ...] = get_args(Place)
"""Where a text is looked for."""
AGREEMENTS: Mapping[Agreement, str] = MappingProxyType(
    {
        "any": "",
        "A and B differ": "",
        "A and B are equal": "",
        "all systems differ": "no two wrote the same",
        "contribution and score disagree": "they favour different systems",
    }
)
"""In which way systems agree or not, and what that means."""


@dataclass(frozen=True)
class Filter:
    """How people meet a field of a query.

    Attributes:
        name: Of the filter that it belongs to, whose chip takes it back.
        option: What it is called on a command line.
        told: In the help of commands.
        keys: Of its widgets, which are their names in the address.
        without: What a widget holds that filters nothing.
        is_range: Whether it has a lower and an upper end.
        choices: Its values, where they are always the same.
        words: Of its value: what stands behind the option, each time that it is given.
    """

    name: str
    option: str
    told: str
    keys: tuple[Param, ...] = ()
    without: object = None
    is_range: bool = False
    choices: tuple[str, ...] = ()
    words: Callable[[Any], Sequence[tuple[str, ...]]] = lambda value: [(str(value),)]

    def said(self, value: object) -> list[str]:
        """The words of a command line that come to a value."""
        return [word for words in self.words(value) for word in (self.option, *words)]


def _range(name: str, option: str, told: str, *keys: Param) -> Filter:
    return Filter(name, option, told, keys, is_range=True, words=lambda ends: [tuple(map(str, ends))])


FILTERS: Mapping[str, Filter] = MappingProxyType(
    {
        "search": Filter("text", "--search", "Only segments with this text, in any column.", (params.FIND,), ""),
        "document": Filter("document", "--document", "Only segments of this document.", (params.DOCUMENT,)),
        "labels": Filter("labels", "--label", "Only segments with this label.", (params.LABELS,), (), words=tuple),
        "delta_range": _range("Δ", "--delta", "Segment score of B minus that of A.", params.LOW, params.HIGH),
        "part_range": _range(
            "contribution",
            "--part",
            "What a segment adds to the difference between the corpus scores.",
            params.PART_LOW,
            params.PART_HIGH,
        ),
        "first_range": _range("BLEU A", "--bleu-a", "Segment score of A.", params.A_LOW, params.A_HIGH),
        "second_range": _range("BLEU B", "--bleu-b", "Segment score of B.", params.B_LOW, params.B_HIGH),
        "length_range": _range(
            "tokens",
            "--tokens",
            "Of the longer of A and B.",
            params.TOKENS_LOW,
            params.TOKENS_HIGH,
        ),
        "agreement": Filter(
            "agreement",
            "--agreement",
            "Only segments where systems agree or disagree in this way.",
            (params.AGREE,),
            next(iter(AGREEMENTS)),
            choices=tuple(AGREEMENTS),
        ),
        "flag": Filter("flag", "--flag", "Only segments that this check flags.", (params.FLAG,)),
        "tag": Filter("tag", "--tag", "The tag of the segments of --tagged.", (params.TAG,)),
        "tagged": Filter(
            "tag",
            "--tagged",
            "Only these segments, counted from 1.",
            words=lambda segments: [(",".join(str(segment + 1) for segment in segments),)],
        ),
        "ngram": Filter(
            "n-gram", "--ngram", "Only segments with this n-gram, its tokens with blanks between.", (params.NGRAM,), ""
        ),
        "ngram_where": Filter(
            "n-gram", "--ngram-where", "Where the n-gram occurs.", (params.NGRAM_WHERE,), ANYWHERE, choices=tuple(WHERE)
        ),
        "slice": Filter("slice", "--slice", "Only segments of this slice, as in 'document:a'.", (params.SLICE,)),
        "kind": Filter(
            "kind",
            "--lost-to",
            "Only segments that lose or gain points by this kind of error.",
            (params.LOST_TO,),
            choices=tuple(KINDS),
        ),
        "conditions": Filter(
            "conditions",
            "--where",
            "Only segments that fit, as in 'bleu_b - bleu_a > 20 and length > 30'.",
            (params.WHERE,),
            (),
            words=lambda conditions: [(one,) for one in conditions],
        ),
    }
)
"""Of every field of ``SegmentQuery`` but the order."""


@dataclass(frozen=True)
class SegmentOrder:
    """An order of segments.

    Attributes:
        called: What commands call it.
        by: What it looks at; ``None`` keeps the order given.
        sign: -1 where large values come first.
        is_absolute: Whether it looks at the size alone.
    """

    called: str
    by: str | None = None
    sign: int = 1
    is_absolute: bool = False


METRICS_DISAGREE = "metrics disagree: most first"
_OWN_ORDERS: Mapping[str, SegmentOrder] = MappingProxyType(
    {
        "as given": SegmentOrder("given"),
        "contribution to Δ: largest first": SegmentOrder("part", "contribution", -1, is_absolute=True),
        "contribution to Δ: for B first": SegmentOrder("part-b", "contribution", -1),
        "contribution to Δ: for A first": SegmentOrder("part-a", "contribution"),
        "Δ: B better first": SegmentOrder("delta-b", "Δ", -1),
        "Δ: A better first": SegmentOrder("delta-a", "Δ"),
        "Δ: largest first": SegmentOrder("delta", "Δ", -1, is_absolute=True),
        METRICS_DISAGREE: SegmentOrder("metrics", "metrics", -1),
        "BLEU A: lowest first": SegmentOrder("low-a", "BLEU A"),
        "BLEU A: highest first": SegmentOrder("high-a", "BLEU A", -1),
        "BLEU B: lowest first": SegmentOrder("low-b", "BLEU B"),
        "BLEU B: highest first": SegmentOrder("high-b", "BLEU B", -1),
        "tokens A: most first": SegmentOrder("long-a", "tokens A", -1),
        "tokens A: fewest first": SegmentOrder("short-a", "tokens A"),
        "tokens B: most first": SegmentOrder("long-b", "tokens B", -1),
        "tokens B: fewest first": SegmentOrder("short-b", "tokens B"),
    }
)
OF_FEATURES: Mapping[str, SegmentOrder] = MappingProxyType(
    {
        name: SegmentOrder(called, number.name, -1 if largest_first else 1)
        for one in own_features()
        if one.segment_numbers is not None
        for number in one.segment_numbers.numbers
        for name, (called, largest_first) in number.orders.items()
    }
)
"""By numbers of features, which some comparisons have."""
BY_GAIN, BY_LOSS = "Δ of the kind: largest first", "kind A: most points first"
"""The orders in which a kind of a pair, or of one system, is read first."""
OF_KINDS: Mapping[str, SegmentOrder] = MappingProxyType(
    {
        BY_GAIN: SegmentOrder("kind", "Δ of the kind", -1, is_absolute=True),
        BY_LOSS: SegmentOrder("kind-a", "kind A", -1),
        "kind B: most points first": SegmentOrder("kind-b", "kind B", -1),
    }
    if KINDS
    else {}
)
"""By the points of the kind that is chosen."""
ORDERS: Mapping[str, SegmentOrder] = MappingProxyType({**_OWN_ORDERS, **OF_KINDS, **OF_FEATURES})
SEGMENT_ORDERS = tuple(_OWN_ORDERS)
DEFAULT_ORDER = "contribution to Δ: largest first"
"""What decides the corpus difference stands on the first screen; with one system this is the order given."""
