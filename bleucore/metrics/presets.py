"""Named settings that reproduce what other tools and the first paper call BLEU."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from bleucore.options import BleuOptions
from bleucore.values import unknown_name


@dataclass(frozen=True)
class Preset:
    """Options that reproduce a tool.

    Attributes:
        name: The tool, with its version where versions differ.
        options: The settings.
        description: What is special about it, in one sentence.
        source: Where the rules stand.
        limits: What is not reproduced; ``None`` if nothing is known.
    """

    name: str
    options: BleuOptions
    description: str
    source: str
    limits: str | None = None


def preset(name: str) -> Preset:
    """The preset of that name.

    Raises:
        InputError: There is none.
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise unknown_name("preset", name, PRESETS, where="Preset", remedy="Choose one of these, or give BleuOptions.")
    return PRESETS[name]


_NLTK = BleuOptions("none", totals_at_least_one=True)
_NLTK_NEIGHBOUR = replace(_NLTK, max_order=5, weights=(0.25, 0.25, 0.25, 0.25, 0.0), smoothing="nltk-5")
_NLTK_SOURCE = "nltk.translate.bleu_score (NLTK 3.10.4), SmoothingFunction(epsilon=0.1, alpha=5, k=5)"
_OF_LAST_SEGMENT = (
    "Segment scores are those of sentence_bleu. corpus_bleu takes {} of its last segment, a bug whose score depends on "
    "the order of the segments; the corpus's own are taken here, unless the last segment is given to "
    "bleucore.metrics.bleu.scores."
)

_PRESETS = (
    Preset(
        "sacrebleu",
        BleuOptions(),
        "The default of sacreBLEU: tokenizer 13a, case kept, closest reference length, exponential smoothing.",
        "Post 2018; sacreBLEU 2.6.0",
    ),
    Preset(
        "mteval-v13a",
        BleuOptions(lowercase="ascii", missing_order="one", smooths_without_match=True),
        "NIST's script without options: A to Z in lower case, smoothed even without a match. An order "
        "without n-grams has precision 1.",
        "Moses, scripts/generic/mteval-v13a.pl",
        "The script stops where every hypothesis or every reference is empty, which scores 0 here, and U+001C to "
        "U+001F separate no tokens there.",
    ),
    Preset(
        "multi-bleu",
        BleuOptions("ascii-space", smoothing="none"),
        "Moses' script on text tokenized beforehand: tokens stand between ASCII white space, nothing is smoothed.",
        "Moses, scripts/generic/multi-bleu.perl",
        "The script prints two decimals and stops where every hypothesis is empty, which scores 0 here; of segments "
        "alone it has no score.",
    ),
    Preset(
        "nltk-0",
        replace(_NLTK, smoothing="nltk-0"),
        "NLTK without smoothing: a precision of 0 is 2.2e-308, so that the score is tiny instead of 0.",
        _NLTK_SOURCE,
    ),
    Preset(
        "nltk-1",
        replace(_NLTK, smoothing="floor", smoothing_value=0.1),
        "NLTK's method 1: 0.1 stands in for no match.",
        _NLTK_SOURCE,
    ),
    Preset(
        "nltk-2",
        replace(_NLTK, smoothing="add-k", smoothing_value=1.0),
        "NLTK's method 2: 1 is added to matches and totals above the first order.",
        _NLTK_SOURCE,
    ),
    Preset(
        "nltk-3",
        _NLTK,
        "NLTK's method 3: halved with each order without a match, as sacreBLEU's default.",
        _NLTK_SOURCE,
    ),
    Preset(
        "nltk-4",
        replace(_NLTK, smoothing="nltk-4"),
        "NLTK's method 4: as method 3, times ln(length) / 5, so that a long text is helped more.",
        _NLTK_SOURCE,
    ),
    Preset(
        "nltk-5",
        _NLTK_NEIGHBOUR,
        "NLTK's method 5: each precision is the mean of itself and its neighbours; the score can exceed 100.",
        _NLTK_SOURCE,
        _OF_LAST_SEGMENT.format("the precision of 5-grams"),
    ),
    Preset(
        "nltk-6",
        replace(_NLTK, smoothing="nltk-6"),
        "NLTK's method 6: precisions from the third order on are drawn towards what the two orders before let expect.",
        _NLTK_SOURCE,
        _OF_LAST_SEGMENT.format("the numbers of 3-grams and 4-grams")
        + " It stops where no 3-gram matches, which scores 0 here.",
    ),
    Preset(
        "nltk-7",
        replace(_NLTK_NEIGHBOUR, smoothing="nltk-7"),
        "NLTK's method 7: method 4, then method 5; the score can exceed 100.",
        _NLTK_SOURCE,
        _OF_LAST_SEGMENT.format("the precision of 5-grams"),
    ),
    Preset(
        "hf-evaluate",
        BleuOptions(smoothing="none", reference_length="shortest"),
        "The metric bleu of Hugging Face's evaluate: tokenizer 13a, the shortest reference gives the length, nothing "
        "is smoothed. Its metric sacrebleu is sacreBLEU.",
        "huggingface/evaluate at 4ec931e, metrics/bleu; tensorflow/nmt, scripts/bleu.py",
        "The score is on 0 to 1 there, and where every hypothesis or every reference is empty the metric stops, which "
        "scores 0 here.",
    ),
    Preset(
        "torchmetrics",
        BleuOptions("none", smoothing="none", length_tie="first"),
        "BLEUScore of TorchMetrics: tokens stand between white space, nothing is smoothed, and the first of two "
        "equally close references gives the length. SacreBLEUScore is the same with tokenizer 13a.",
        "torchmetrics 1.9.0, functional/text/bleu.py",
        "The score is on 0 to 1 there, in single precision.",
    ),
    Preset(
        "tensor2tensor",
        BleuOptions("intl", missing_order="one", smooths_without_match=True),
        "t2t-bleu, cased: the international tokenization of mteval-v14, smoothed even without a match. "
        "An order without n-grams has precision 1.",
        "tensorflow/tensor2tensor, utils/bleu_hook.py",
        "It reads one reference.",
    ),
    Preset(
        "ibleu",
        BleuOptions(
            "ibleu",
            lowercase=True,
            length_tie="first",
            missing_order="one",
            smooths_without_match=True,
            empty_counts_as_token=True,
        ),
        "iBLEU with its boxes unticked: as mteval-v13a with all letters in lower case, but ! # % * < = > \\ ^ _ | are "
        "not split off, the first of two equally close references gives the length, and an empty text is one token.",
        "Madnani 2011; desilinguist/ibleu at 852055b, js/bleu.js",
        "White space is Python's, not JavaScript's, which has U+FEFF and lacks U+0085 and U+001C to U+001F.",
    ),
    Preset(
        "papineni-2002",
        BleuOptions(lowercase=True, smoothing="none"),
        "The paper's definition: uniform weights to 4-grams, the best match length, no smoothing, case ignored as in "
        "its example 2.",
        "Papineni et al. 2002, sections 2.1 to 2.3",
        "The paper names no tokenizer and no rule for equally close references: 13a and the shorter one are taken.",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({each.name: each for each in _PRESETS})
"""Every preset by its name."""
