"""The test sets that laws are tried on: several scripts, empty texts, missing references, and texts without a fault."""

from collections.abc import Mapping, Sequence
from itertools import product

from bleucore.corpus import System, TestSet

SYSTEMS: Mapping[str, Sequence[str]] = {
    "good": [
        "the cat sat on the mat .",
        "it rains",
        "Привет , мир !",
        "今天天气很好。",
        "",
        "a b c d e",
        "قطة على سجادة",
        "x",
    ],
    "poor": ["mat the on sat", "it is raining cats", "мир", "天气", "nothing", "e d c b a", "سجادة", "y z"],
    "mixed": ["the cat sat", "it rains", "Привет мир", "今天天气不好。", "word", "a b c", "قطة", ""],
}
REFERENCES: Sequence[Sequence[str | None]] = [
    [
        "the cat sat on a mat .",
        "it rains",
        "Привет , мир !",
        "今天天气很好。",
        "word",
        "a b c d e",
        "قطة على السجادة",
        "",
    ],
    ["a cat was sitting there", None, "Здравствуй , мир !", None, "words", "a b c d f", None, "x"],
]
N_SEGMENTS = len(REFERENCES[0])

_HOSTILE = [
    "",
    " ",
    "\0",
    "\u2028",
    "\ufeff",
    "```",
    '"',
    "a\nb",
    "a " * 500,
    "e\u0301",
    "&quot;",
    "😀",
    "<b>",
    "\u202e",
]
_WHO = ("The old doctor", "My neighbour", "A young teacher", "The mayor of the town")
_WHAT = ("bought {} loaves of bread", "waited for {} hours", "read {} books in a month")
_WHERE = ("near the harbour", "before the long winter")
_REWORDED: Sequence[Mapping[str, str]] = (
    {"bought": "purchased", "waited for": "had to wait", "read": "finished", "near": "close to", "before": "ahead of"},
    {"bought": "took", "waited for": "was waiting for", "read": "studied", "loaves": "pieces", "long": "hard"},
    {"bought": "got", "waited for": "stayed for", "books in": "novels within", "harbour": "port", "winter": "frost"},
)


def whole(
    systems: Mapping[str, Sequence[str]] = SYSTEMS,
    references: Sequence[Sequence[str | None]] = REFERENCES,
    rows: Sequence[int] = range(N_SEGMENTS),
) -> TestSet:
    """These systems and references, or some segments of them."""
    return TestSet(
        [System(name, [texts[row] for row in rows]) for name, texts in systems.items()],
        [[column[row] for row in rows] for column in references],
    )


def faultless() -> TestSet:
    """24 segments, a source, two references and two systems, none of which has a fault."""
    parts = [
        (who, what.format(number), where)
        for number, (who, what, where) in enumerate(product(_WHO, _WHAT, _WHERE), start=2)
    ]
    first = [f"{who} {what} {where}." for who, what, where in parts]
    second, system, other = ([_reworded(text, words) for text in first] for words in _REWORDED)
    source = [f"Quelltext {number}: {what.replace('of', 'von')}." for number, (_, what, _) in enumerate(parts)]
    return TestSet([System("one", system), System("two", other)], [first, second], source)


def _reworded(text: str, words: Mapping[str, str]) -> str:
    for word, other in words.items():
        text = text.replace(word, other)
    return text


def of_every_kind() -> Mapping[str, TestSet]:
    """Test sets that differ in what they have, by what to call them."""
    return {
        "texts in several scripts": whole(),
        "one system": whole({"only": SYSTEMS["mixed"]}),
        "one segment": whole(rows=[0]),
        "no text at all": TestSet([System("empty", [""] * 3)], [[""] * 3]),
        "texts with a source": faultless(),
        "hostile texts": TestSet(
            [System("a", _HOSTILE), System("b", _HOSTILE[::-1])], [["x"] * len(_HOSTILE)], _HOSTILE
        ),
        "the same text everywhere": TestSet([System(name, ["It rains."] * 30) for name in "ab"], [["It rains."] * 30]),
    }
