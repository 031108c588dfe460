"""How people meet each setting: its name, its widget and address, its option of a command; one entry for each field.

What a setting accepts and changes stands at its field (``bleucore.declarations``). The order here is that of widgets
and of options in the help of commands.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bleucore.declarations import Declaration, Truth, declarations
from bleucore.metrics import IN_PLACE_OF_BLEU, MetricOptions
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions
from bleucore.options import BleuOptions
from bleuscope.runtime import params
from bleuscope.runtime.param import Param


@dataclass(frozen=True)
class Wording:
    """How people meet a setting.

    Attributes:
        name: In tables and reports.
        options: What it is called on a command line, in the form in which commands are written first; a truth that
            can be taken back has both forms in one, with a slash between them.
        told: In the help of commands.
        usual: What stands there for the default, where that says too little; in this and in the words of the widget
            ``{usual}`` is the number that stands for none.
        metavar: What stands there for a value that is a text.
        address: Its key in the address, which is that of its widget. The widget of a value that belongs to a
            method is called like the method.
        label: Of the widget.
        help: Of the widget.
        placeholder: Of the widget, where nothing is chosen.
        least: The smallest number that the widget takes, unless it is the smallest of all.
        most: The largest.
        step: Of a widget for numbers that are not whole.
        form: How it writes them.
        is_rare: Whether reports leave it out where it is as usual.
        stands_apart: Whether its widget stands apart from the others: rules of other tools, and which blocks to make.
        is_switch: Whether the widget of two values is a switch, off for the first.
        short: The name where several settings stand side by side.
    """

    name: str
    options: tuple[str, ...] = ()
    told: str = ""
    usual: str | None = None
    metavar: str | None = None
    address: Param | None = None
    label: str = ""
    help: str | None = None
    placeholder: str | None = None
    least: float | None = None
    most: float | None = None
    step: float | None = None
    form: str | None = None
    is_rare: bool = False
    stands_apart: bool = False
    is_switch: bool = False
    short: str | None = None

    @property
    def option(self) -> str:
        """What commands are written with."""
        return self.options[0].partition("/")[0]

    def help_of_option(self, declaration: Declaration) -> str:
        """What the help of a command says, with the default."""
        usual = self.usual
        if usual is None and declaration.default is not None and not isinstance(declaration.accepts, Truth):
            usual = str(declaration.default)
        words = "  ".join(filter(None, (self.told, usual and f"[default: {usual}]")))
        return words.replace("{usual}", str(getattr(declaration.accepts, "usual", "")))


Wordings = Mapping[str, Wording]

BLEU: Wordings = MappingProxyType(
    {
        "tokenizer": Wording(
            "tokenizer",
            ("--tokenize", "-tok"),
            usual="13a; for a pair into zh, ja or ko that language's",
            address=params.TOKENIZER,
            label="Tokenizer",
            help=(
                "13a: sacreBLEU's default; intl: all Unicode punctuation; zh: Chinese; char: every "
                "character; none: only spaces. ja-mecab, ko-mecab, spm and flores need extra packages."
            ),
        ),
        "lowercase": Wording(
            "ignoring case",
            ("--lowercase/--no-lowercase", "-lc"),
            "Ignore case.",
            address=params.LOWERCASE,
            label="Ignore case",
        ),
        "smoothing": Wording(
            "smoothing",
            ("--smooth-method",),
            address=params.SMOOTHING,
            label="Smoothing",
            help=("Replaces zero matches of an n-gram order. exp is sacreBLEU's default (Chen and Cherry 2014)."),
        ),
        "smoothing_value": Wording(
            "smoothing value",
            ("--smooth-value", "-sv"),
            "For floor (0.1 unless given) and add-k (1).",
            label="Smoothing value",
            least=0.0,
            most=10.0,
            step=0.05,
            form="%.3f",
            short="smoothing",
        ),
        "max_order": Wording(
            "longest n-gram",
            ("--max-ngram-order",),
            address=params.MAX_ORDER,
            label="Longest n-gram",
            most=9,
        ),
        "weights": Wording(
            "weights",
            ("--weights",),
            "One weight per n-gram order, with a sum of 1.",
            metavar="W,W,…",
            address=params.WEIGHTS,
            label="Weights of the orders",
            help="One per order, with a sum of 1: 0.4 0.3 0.2 0.1",
            placeholder="all the same",
        ),
        "reference_length": Wording(
            "reference length",
            ("--reference-length",),
            address=params.REFERENCE_LENGTH,
            label="Reference length of the brevity penalty",
            help=("closest: as in sacreBLEU. shortest: NIST before 2009. average: the mean. none: no brevity penalty."),
        ),
        "effective_order": Wording(
            "effective order",
            ("--effective-order/--no-effective-order", "-e"),
            "Ignore n-gram orders longer than every hypothesis.",
            address=params.EFFECTIVE_ORDER,
            label="Effective order",
            help="Ignores n-grams longer than the hypotheses, as segment scores always do.",
        ),
        "length_tie": Wording(
            "of equally close lengths",
            ("--length-tie",),
            "Which reference sets the length if two are equally close.",
            address=params.TIE,
            label="Reference length: ties",
            help=("Of two equally close references, the shorter (sacreBLEU) or the first (iBLEU) sets the length."),
            stands_apart=True,
        ),
        "missing_order": Wording(
            "order without n-grams",
            ("--missing-order",),
            "The precision of an n-gram order longer than every hypothesis.",
            address=params.MISSING,
            label="Order longer than hypotheses",
            help=("Its precision: zero (sacreBLEU) or one (mteval, iBLEU)."),
            stands_apart=True,
        ),
        "smooths_without_match": Wording(
            "smoothed without a match",
            ("--smooths-without-match/--no-smooths-without-match",),
            "Smooth even if no n-gram of any order matches.",
            address=params.NO_MATCH,
            label="Smooth even without matches",
            help=("As mteval and iBLEU do. In sacreBLEU the score is then 0."),
            stands_apart=True,
        ),
        "totals_at_least_one": Wording(
            "at least one n-gram of each order",
            ("--totals-at-least-one/--no-totals-at-least-one",),
            "Count at least one n-gram of each order in every segment.",
            address=params.TOTALS,
            label="Count at least one n-gram per order",
            help=("In every segment, however short (NLTK)."),
            stands_apart=True,
        ),
        "empty_counts_as_token": Wording(
            "an empty text is a token",
            ("--empty-counts-as-token/--no-empty-counts-as-token",),
            "Count an empty text as one token.",
            address=params.EMPTY,
            label="Count an empty text as a token",
            help="As in iBLEU; sacreBLEU counts none.",
            stands_apart=True,
        ),
    }
)
"""Of ``BleuOptions``."""

CHRF: Wordings = MappingProxyType(
    {
        "char_order": Wording("char order", ("--chrf-char-order", "-cc")),
        "word_order": Wording("word order", ("--chrf-word-order", "-cw"), "2 is chrF++."),
        "beta": Wording("beta", ("--chrf-beta",)),
        "whitespace": Wording("whitespace", ("--chrf-whitespace",), "Count white space too."),
        "lowercase": Wording("ignoring case", ("--chrf-lowercase",), "Ignore case."),
        "eps_smoothing": Wording("eps smoothing", ("--chrf-eps-smoothing",), "As chrF++.py, NLTK and Moses."),
    }
)
"""Of ``ChrfOptions``; a page offers some kinds of chrF by their names."""

TER: Wordings = MappingProxyType(
    {
        "case_sensitive": Wording("case sensitive", ("--ter-case-sensitive",), "Distinguish upper and lower case."),
        "asian_support": Wording("asian support", ("--ter-asian-support",), "Treat each Asian character as a word."),
        "no_punct": Wording("no punct", ("--ter-no-punct",), "Delete punctuation."),
        "normalized": Wording(
            "normalized",
            ("--ter-normalized",),
            "Split punctuation off first; in references twice, as sacreBLEU does.",
        ),
    }
)
"""Of ``TerOptions``."""

SIGNIFICANCE: Wordings = MappingProxyType(
    {
        "test": Wording(
            "test",
            ("--test",),
            address=params.TEST,
            label="Test",
            help=(
                "approximate-randomisation exchanges outputs; paired-bootstrap resamples the test set; block tests "
                "compare blocks of segments; sacrebleu-bs computes sacreBLEU's own p-value, which is too small."
            ),
        ),
        "level": Wording(
            "level",
            ("--level",),
            "Significance level: smaller p-values are significant.",
            address=params.LEVEL,
            label="Significance level α",
            help="Smaller p-values count as significant.",
            least=0.001,
            most=0.5,
            step=0.01,
            form="%.3f",
        ),
        "correction": Wording(
            "correction",
            ("--correction",),
            "Correction of p for several comparisons. max-t needs trials that all comparisons share, so "
            "block tests, sacrebleu-bs and slices use holm instead.",
            address=params.CORRECTION,
            label="Correction for multiple comparisons",
            help=(
                "max-t and holm keep the chance of any false finding below α; benjamini-hochberg keeps their "
                "expected share below α. Block tests, sacrebleu-bs and slices use holm for max-t."
            ),
        ),
        "unit": Wording(
            "unit",
            ("--unit",),
            "The unit that tests exchange and intervals resample. auto: documents if known, otherwise blocks of "
            "neighbouring segments.",
            address=params.UNIT,
            label="Unit",
            help=(
                "auto: documents if known, otherwise blocks of neighbouring segments. item: all rows with "
                "the same source and references. segment: valid only without documents and repeated items."
            ),
        ),
        "trials": Wording(
            "trials",
            ("--trials", "--paired-ar-n", "-parn"),
            "Trials of approximate randomisation.",
            usual="{usual}, or more for many comparisons",
            address=params.TRIALS,
            label="Trials",
            help="Default: {usual}, or more for many comparisons.",
            placeholder="{usual}, or more",
        ),
        "n_blocks": Wording(
            "blocks",
            ("--blocks",),
            "Blocks of the block tests.",
            usual="{usual}, or every document",
            address=params.TEST_BLOCKS,
            label="Blocks of the test",
            help="Default: {usual}, or every document.",
            placeholder="{usual}, or documents",
            most=1_000,
        ),
        "block_size": Wording(
            "block size",
            ("--block-size",),
            "Segments in a block, for block tests (instead of --blocks) and for --unit block.",
            usual="automatic",
            address=params.BLOCK_SIZE,
            label="Segments in a block",
            help=(
                "Default: four times the cube root of the number of segments. If rows repeat, the size counts items."
            ),
            placeholder="automatic",
            is_rare=True,
        ),
        "remainder": Wording(
            "remainder",
            ("--remainder",),
            "Leave out segments that fill no block, or make some blocks one longer.",
            address=params.SPREAD,
            label="Spread the remainder",
            help=("Makes some blocks one segment longer; otherwise the remainder is left out."),
            is_rare=True,
            stands_apart=True,
            is_switch=True,
        ),
        "shuffle_seed": Wording(
            "seed of the blocks",
            ("--shuffle-blocks",),
            "Shuffle segments into blocks with this seed.",
            metavar="SEED",
            address=params.BLOCK_SEED,
            label="Seed of the blocks",
            is_rare=True,
            stands_apart=True,
        ),
        "resamples": Wording(
            "resamples",
            ("--resamples", "--paired-bs-n", "--confidence-n", "-pbsn", "-cin"),
            "Resamples for intervals and bootstrap tests.",
            usual="{usual}, or more for many comparisons",
            address=params.RESAMPLES,
            label="Resamples",
            help=("For intervals and bootstrap tests. Default: {usual}, or more for many comparisons."),
            placeholder="{usual}, or more",
        ),
        "seed": Wording(
            "seed",
            ("--seed",),
            address=params.SEED,
            label="Seed",
            help="The same seed gives the same numbers.",
        ),
    }
)
"""Of ``SignificanceOptions``."""


METRICS: Mapping[str, tuple[type[Any], Wordings]] = MappingProxyType(
    {"bleu": (BleuOptions, BLEU), "chrf": (ChrfOptions, CHRF), "ter": (TerOptions, TER)}
)
"""What commands call each metric, with its options."""


def added_metrics() -> Mapping[str, MetricOptions]:
    """The metrics of other packages with their usual settings, by their names in lower case, as commands call them."""
    return {name.lower(): options for name, options in IN_PLACE_OF_BLEU.added.items()}


def key_of(metric: str, wording: Wording) -> str:
    """What a setting is called behind the name of its metric: ``word-order`` in ``chrf:word-order=2``."""
    return wording.option.removeprefix(f"--{metric}-")


def words_of_metrics(all_options: Sequence[object]) -> list[str]:
    """The options of a command line that come to these metrics, in their order.

    The settings of a metric stand behind its name only where there are several kinds of it. What commands have no
    name for is left out.
    """
    named = [(name, one) for one in all_options for name, (kind, _) in METRICS.items() if type(one) is kind]
    n_kinds = Counter(name for name, _ in named)
    names = [name if n_kinds[name] == 1 else _with_settings(name, one) for name, one in named]
    if len(named) < len(all_options):
        names += [name for name, one in added_metrics().items() if one in all_options]
    words = ["--metrics", ",".join(names)] if names else []
    return [*words, *(word for name, one in named if n_kinds[name] == 1 for word in words_of(one, METRICS[name][1]))]


def _with_settings(metric: str, options: object) -> str:
    """A metric with its settings that are not as usual: ``chrf:word-order=2``."""
    said = [metric]
    for name, one in declarations(options).items():
        value, key = getattr(options, name), key_of(metric, METRICS[metric][1][name])
        if value != one.default:
            said.append(key if isinstance(value, bool) else f"{key}={written(value)}")
    return ":".join(said)


def words_of(options: object, wordings: Wordings) -> list[str]:
    """The options of a command line that come to these, as far as they have one: those that are not as usual."""
    words: list[str] = []
    for name, one in declarations(options).items():
        value, wording = getattr(options, name), wordings[name]
        if value != one.default and wording.options:
            words += [wording.option, *([] if isinstance(value, bool) else [written(value)])]
    return words


def written(value: object) -> str:
    """A value as a command line takes it."""
    return ",".join(map(repr, value)) if isinstance(value, tuple) else str(value)
