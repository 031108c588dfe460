"""The command line that gives the numbers of a page: only what differs from the defaults, quoted for a shell."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleucore import BleuOptions
from bleucore.metrics import MetricOptions
from bleucore.options import DEFAULT_SMOOTHING_VALUES
from bleucore.presets import PRESETS
from bleucore.segment_scores import SegmentScores
from bleucore.significance import SignificanceOptions
from dashboard.content.blocks import LayoutChoice
from dashboard.content.filters import DEFAULT_ORDER, FILTERS, ORDERS, PLACES, Filter
from dashboard.content.inputs import Inputs
from dashboard.content.ngram_tables import AGAINST, MAX_LISTED, PART, RATIO, VIEWS, WORTH, NgramChoice
from dashboard.content.segment_queries import SegmentQuery, TextSearch
from dashboard.content.wordings import BLEU, SIGNIFICANCE, can_be_said, words_of, words_of_metrics

if TYPE_CHECKING:
    from dashboard.content.report import ReportOptions

PROGRAM = "bleuscope"
STANDARD_INPUT = "-"
BLEU_NAME = "BLEU"
REPORT_AS_MARKDOWN = ["report", "--format", "markdown", "--output", "report.md"]
RANKS = {PART: "part", WORTH: "worth", RATIO: "ratio"}

ROLES_CHOSEN = (
    "Roles, names or columns of the files were chosen by hand, which no command can say: this one reads the files as "
    "their names and contents suggest."
)
IN_THEIR_FOLDER = "Run it in the folder of the files."
ALL_SCORES = "Files of scores are read with all of their columns."
EVERY_SLICE = "The command lists all slices, and corrects p for all of them."
WITHOUT_NOTES = "Tags and notes are not part of it."
NOT_SAID = "These scoring options are those of no preset, and a command cannot say all of them."


@dataclass(frozen=True)
class Subject:
    """What a command is about.

    Attributes:
        inputs: Where the texts came from.
        systems: The names of all systems.
        options: BLEU's.
        metrics: Settings of further metrics.
        significance: How differences are tested.
        baseline: The system that the others are measured against.
        pair: The systems A and B.
    """

    inputs: Inputs
    systems: tuple[str, ...]
    options: BleuOptions
    metrics: tuple[MetricOptions, ...]
    significance: SignificanceOptions
    baseline: str
    pair: tuple[str, str]


def checks_command(subject: Subject) -> str:
    """The findings of the Test set page."""
    return _written(["checks", *_scoring(subject), *_texts(subject)])


def scores_command(subject: Subject) -> str:
    """The systems of the Scores page, measured against the baseline."""
    return _written(["compare", *_baseline(subject), *_scoring(subject), *_tests(subject), *_texts(subject)])


def pair_command(subject: Subject, metric: str = BLEU_NAME) -> str:
    """Systems A and B: their difference, its test, and where it comes from."""
    return _written(
        ["compare", *_pair(subject), *_tested(metric), *_scoring(subject), *_tests(subject), *_texts(subject)]
    )


def significance_command(subject: Subject, metric: str = BLEU_NAME) -> str:
    """The tests of the Significance page: of all systems, with A and B and the baseline as they are chosen."""
    asked = [*_baseline(subject), *_pair(subject), *_tested(metric)]
    return _written(["compare", *asked, *_scoring(subject), *_tests(subject), *_texts(subject)])


def blocks_command(subject: Subject, choice: LayoutChoice, metric: str = BLEU_NAME) -> str:
    """Systems A and B over these blocks."""
    is_by_document = choice.by == "documents"
    tests = replace(
        subject.significance,
        test="block-t",
        unit="document" if is_by_document else "segment",
        n_blocks=choice.amount if choice.by == "number" else subject.significance.n_blocks,
        block_size=choice.amount if choice.by == "size" else None,
        remainder=choice.remainder,
        shuffle_seed=choice.shuffle_seed,
    )
    asked = replace(subject, significance=tests)
    words = ["compare", *_pair(asked), *_tested(metric), *_scoring(asked), *_tests(asked), *_texts(asked)]
    return _written(words)


def segments_command(subject: Subject, query: SegmentQuery, metric: str = BLEU_NAME) -> str:
    """The segments of A and B that a query names."""
    return _written(
        ["segments", *_pair(subject), *_tested(metric), *_query(query), *_scoring(subject), *_texts(subject)]
    )


def ngrams_command(subject: Subject, choice: NgramChoice, top: int = MAX_LISTED) -> str:
    """The n-grams of one order, as many as the page lists."""
    of_references = choice.view != VIEWS[0] and choice.against == AGAINST[1]
    usual = RATIO if of_references or choice.part is None else choice.part
    words = ["ngrams", *_pair(subject)]
    words += [] if choice.view == VIEWS[0] else ["--view", choice.view]
    words += [] if choice.order == 1 else ["--order-n", str(choice.order)]
    words += ["--against", "references"] if of_references else []
    words += [] if choice.rank == usual else ["--rank", RANKS[choice.rank]]
    words += ["--find", choice.find] if choice.find else []
    return _written([*words, "--top", str(top), *_bleu(subject), *_inputs(subject.inputs)])


def slices_command(subject: Subject, kind: str, metric: str = BLEU_NAME, *, all_systems: bool = False) -> str:
    """A and B on slices of a kind of ``bleucore.slices``."""
    asked = subject if metric != BLEU_NAME else replace(subject, metrics=())
    words = [*_pair(asked), "--by", kind, *(["--all-systems"] if all_systems else []), *_tested(metric)]
    return _written(["slices", *words, *_scoring(asked), *_tests(asked), *_texts(asked)])


def report_command(subject: Subject, options: "ReportOptions | None" = None, *, is_html: bool = True) -> str:
    """The report, with its choices."""
    words = ["report", "--output", "report.html"] if is_html else REPORT_AS_MARKDOWN
    words = [*words, *(_report(options) if options is not None else [])]
    words += [*_baseline(subject), *_pair(subject), *_scoring(subject), *_tests(subject), *_texts(subject)]
    return _written(words)


def remarks(subject: Subject, *, is_upload: bool = False, with_metrics: bool = True) -> tuple[str, ...]:
    """What a command does not say, in sentences.

    Args:
        subject: What it is about.
        is_upload: Whether the files were uploaded, so that their folder is not known.
        with_metrics: Whether the command computes further metrics.
    """
    has_scores = any(isinstance(options, SegmentScores) for options in subject.metrics)
    said = (
        (not subject.inputs.is_complete, ROLES_CHOSEN),
        (is_upload, IN_THEIR_FOLDER),
        (with_metrics and has_scores, ALL_SCORES),
        (_preset(subject.options) is None and not can_be_said(subject.options, BLEU), NOT_SAID),
    )
    return tuple(sentence for holds, sentence in said if holds)


def _written(words: Sequence[str]) -> str:
    return shlex.join([PROGRAM, *words])


def _query(query: SegmentQuery) -> list[str]:
    """The order and the filters."""
    words = [] if query.order == DEFAULT_ORDER else ["--order", ORDERS[query.order].called]
    without = SegmentQuery()
    for field, each in FILTERS.items():
        value = getattr(query, field)
        if value != getattr(without, field):
            words += _filter(each, value)
    return words


def _filter(each: Filter, value: object) -> list[str]:
    """A filter with its value."""
    if isinstance(value, TextSearch):
        words = [] if value.is_empty else [each.option, value.text]
        words += ["--pattern"] if value.is_pattern and words else []
        return [*words, "--in", value.place] if value.place != PLACES[0] and words else words
    if each.is_range and isinstance(value, tuple):
        return [each.option, *map(str, value)]
    if each is FILTERS["labels"] and isinstance(value, tuple):
        return [word for name, label in value for word in (each.option, name, label)]
    if isinstance(value, tuple):
        return [each.option, ",".join(str(segment + 1) for segment in value)]
    return [each.option, str(value)]


def _baseline(subject: Subject) -> list[str]:
    return [] if subject.baseline == subject.systems[0] else ["--baseline", subject.baseline]


def _pair(subject: Subject) -> list[str]:
    return [] if subject.pair[0] == subject.pair[1] else ["--pair", *subject.pair]


def _tested(metric: str) -> list[str]:
    return [] if metric == BLEU_NAME else ["--metric", metric]


def _texts(subject: Subject) -> list[str]:
    """The files, with those of scores before them."""
    scores = [options for options in subject.metrics if isinstance(options, SegmentScores)]
    files = dict.fromkeys(options.file for options in scores)
    words = [word for file in files for word in ("--scores", _path(file))]
    lower = [options.name for options in scores if not options.higher_is_better]
    return [*words, *(word for name in lower for word in ("--lower-is-better", name)), *_inputs(subject.inputs)]


def _inputs(inputs: Inputs) -> list[str]:
    if inputs.is_sample:
        return ["--sample"]
    named = [("--source", inputs.source), ("--documents", inputs.documents)]
    named += [
        ("--encoding", inputs.encoding),
        ("--test-set", inputs.test_set),
        ("--language-pair", inputs.language_pair),
    ]
    words = [word for path in inputs.references for word in ("--reference", _path(path))]
    words += [word for option, value in named if value is not None for word in (option, _path(value))]
    words += [word for path in inputs.labels for word in ("--labels", _path(path))]
    has_dash = any(path.startswith("-") and path != STANDARD_INPUT for path in inputs.systems)
    return [*words, *(["--"] if has_dash else []), *map(_path, inputs.systems)]


def _path(path: str) -> str:
    """A path that no program takes for something in a home folder."""
    return f"./{path}" if path.startswith("~") else path


def _scoring(subject: Subject) -> list[str]:
    """The options of all metrics."""
    return [*_bleu(subject), *words_of_metrics(subject.metrics)]


def _bleu(subject: Subject) -> list[str]:
    """BLEU's options, or the preset where they cannot say it."""
    options = subject.options
    preset = _preset(options)
    if preset is not None and not can_be_said(options, BLEU):
        return ["--preset", preset]
    if options.smoothing_value == DEFAULT_SMOOTHING_VALUES.get(options.smoothing):
        options = replace(options, smoothing_value=None)
    words = words_of(options, BLEU)
    tokenize = BLEU["tokenizer"].option
    if subject.inputs.language_pair is not None and tokenize not in words:
        words = [tokenize, options.tokenizer, *words]  # or the language would decide
    return words


def _preset(options: BleuOptions) -> str | None:
    return next((name for name, preset in PRESETS.items() if preset.options == options), None)


def _tests(subject: Subject) -> list[str]:
    return words_of(subject.significance, SIGNIFICANCE)


def _report(options: "ReportOptions") -> list[str]:
    """The choices of a report."""
    from dashboard.content.report import SECTIONS, ReportOptions  # noqa: PLC0415  # with all that draws a report

    usual = ReportOptions()
    words = [] if options.title is None else ["--title", options.title]
    words += ["--date", options.date] if options.date is not None else []
    words += ["--remarks", options.remarks] if options.remarks else []
    words += ["--top", str(options.n_segments)] if options.n_segments != usual.n_segments else []
    if options.chosen is not None:
        words += ["--segments-list", ",".join(str(segment + 1) for segment in options.chosen)]
    words += ["--full"] if options.is_full else []
    words += _tested(options.metric or BLEU_NAME)
    return [*words, *(word for name in SECTIONS if not options.holds(name) for word in ("--without", name))]
