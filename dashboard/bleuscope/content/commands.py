"""The command line that gives the numbers of a page: only what differs from the defaults, quoted for a shell."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleucore import BleuOptions, MetricEvaluation
from bleucore.analysis.given_words import GivenWords
from bleucore.metrics import MetricOptions, metric_of
from bleucore.metrics.presets import PRESETS
from bleucore.options import DEFAULT_SMOOTHING_VALUES
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import BESIDE_BLEU, ComparisonContext
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.comparison.unquoted import like_the_file
from bleuscope.content.ngrams.ngram_tables import AGAINST, MAX_LISTED, PART, RATIO, VIEWS, WORTH, NgramChoice
from bleuscope.content.ngrams.phrases import N_PHRASES, PhraseChoice
from bleuscope.content.segments.filters import DEFAULT_ORDER, FILTERS, ORDERS, PLACES
from bleuscope.content.segments.segment_notes import NOTES_FILE
from bleuscope.content.segments.segment_queries import SegmentQuery, TextSearch
from bleuscope.content.slices import slice_tables
from bleuscope.content.slices.slice_tables import SliceSummary
from bleuscope.content.style.wordings import BLEU, SIGNIFICANCE, words_of, words_of_metrics
from bleuscope.registry import load, run_naming
from bleuscope.runtime import params

if TYPE_CHECKING:
    from bleuscope.content.report import ReportOptions

PROGRAM = "bleuscope"
STANDARD_INPUT = "-"
REPORT_AS_MARKDOWN = ["report", "--format", "markdown", "--output", "report.md"]
OF_PRESETS = {preset.options: name for name, preset in PRESETS.items() if preset.options != BleuOptions()}
OF_BLOCKS = ("test", "unit", "n_blocks", "block_size", "remainder", "shuffle_seed")
RANKS = {PART: "part", WORTH: "worth", RATIO: "ratio"}
SHORT_ORDERS = {order: short for short, order in slice_tables.ORDERS.items()}

ROLES_CHOSEN = (
    "You chose roles, names or columns by hand, and no option can say so. This command goes by the names and "
    "contents of files."
)
IN_THEIR_FOLDER = "Run it in the folder of the files."
LIST_FILE = "words.txt"
LIST_FIRST = f"Save the list as {LIST_FILE} first."
LABELS_THERE = "Run it in the folder of the files with labels."
NOTES_FIRST = f"Save the tags and notes of the Segments page as {NOTES_FILE} first."


def lint_command(study: ComparisonContext) -> str:
    """The findings of the Test set page."""
    return written(["lint", *scoring_words(study), *texts_words(study)])


def scores_command(study: ComparisonContext) -> str:
    """The systems of the Scores page."""
    return written(["compare", *_baseline(study), *scoring_words(study), *test_words(study), *texts_words(study)])


def pair_command(study: ComparisonContext) -> str:
    """Systems A and B: their difference, its test, and where it comes from."""
    return written(
        [
            "compare",
            *pair_words(study),
            *tested_words(study),
            *scoring_words(study),
            *test_words(study),
            *texts_words(study),
        ]
    )


def significance_command(study: ComparisonContext) -> str:
    """The tests of the Significance page: of all systems, with A and B and the baseline as they are chosen."""
    asked = [*_baseline(study), *pair_words(study), *tested_words(study)]
    return written(["compare", *asked, *scoring_words(study), *test_words(study), *texts_words(study)])


def blocks_command(study: ComparisonContext, choice: SignificanceOptions) -> str:
    """Systems A and B over these blocks."""
    of_blocks: dict[str, Any] = {name: getattr(choice, name) for name in OF_BLOCKS}
    asked = replace(study, significance=replace(study.significance, **of_blocks))
    words = [
        "compare",
        *pair_words(asked),
        *tested_words(asked),
        *scoring_words(asked),
        *test_words(asked),
        *texts_words(asked),
    ]
    return written(words)


def segments_command(
    study: ComparisonContext, query: SegmentQuery, *, as_corpus: bool = False, judgements: str | None = None
) -> str:
    """The segments of A and B that a query names; all systems on them too, where they are taken as a corpus.

    ``judgements`` is the file of what is marked on the page.
    """
    tests = ["--as-corpus", *_baseline(study), *test_words(study)] if as_corpus else []
    marked = [] if judgements is None else ["--judgements", judgements]
    texts = texts_words(study, are_judged=judgements is not None)
    return written(
        [
            "segments",
            *pair_words(study),
            *_runs(study),
            *tested_words(study),
            *_query(query),
            *marked,
            *tests,
            *scoring_words(study),
            *texts,
        ]
    )


def ngrams_command(study: ComparisonContext, choice: NgramChoice, top: int = MAX_LISTED) -> str:
    """The n-grams of one order, as many as the page lists."""
    usual = RATIO if choice.part in (None, WORTH) else PART
    words = ["ngrams", *pair_words(study)]
    words += [*_ngram_view(choice), *params.NGRAM_ORDER.said(choice.order)]
    words += [*params.NGRAM_RANK.said(RANKS[choice.rank], RANKS[usual]), *params.NGRAM_FIND.said(choice.find, "")]
    return written([*words, "--top", str(top), *_bleu(study), *input_words(study.inputs)])


def phrases_command(study: ComparisonContext, choice: PhraseChoice, top: int = N_PHRASES) -> str:
    """The phrases of A and B, of all lengths together."""
    words = ["ngrams", *pair_words(study), *_ngram_view(choice), "--top", str(top)]
    return written([*words, *_bleu(study), *input_words(study.inputs)])


def slices_command(
    study: ComparisonContext, summary: SliceSummary, order: str, n_shown: int, *, all_systems: bool = False
) -> str:
    """A and B on slices, as many of them in an order."""
    question = summary.slicing.question
    asked = params.SLICE_BY.said(summary.slicing.kind) if question is None else ["--where", question]
    words = ["slices", *pair_words(study), *asked]
    words += params.SLICE_ORDER.said(SHORT_ORDERS[order], SHORT_ORDERS[summary.orders()[0]])
    words += [] if n_shown == summary.slicing.n_slices else ["--top", str(n_shown)]
    words += params.ALL_SCORES.said(all_systems)
    scoring = _bleu(study) if study.metric is study.evaluation.bleu else scoring_words(study)
    texts = input_words(study.inputs) if study.metric is study.evaluation.bleu else texts_words(study)
    return written([*words, *tested_words(study), *scoring, *test_words(study), *texts])


def words_command(study: ComparisonContext, kind: str, given: GivenWords) -> str:
    """Words of A and B by kind."""
    words = ["slices", *pair_words(study), *params.WORDS_BY.said(kind)]
    words += [word for file in given.references for word in ("--token-labels", file.name)]
    words += [word for file in given.outputs for word in ("--output-labels", file.name)]
    words += ["--word-list", LIST_FILE] if given.listed else []
    return written([*words, *_bleu(study), *test_words(study), *input_words(study.inputs)])


def words_remarks(given: GivenWords) -> tuple[str, ...]:
    """What has to be there for that command, in sentences."""
    said = ((bool(given.listed), LIST_FIRST), (bool(given.references), LABELS_THERE))
    return tuple(sentence for holds, sentence in said if holds)


def report_command(
    study: ComparisonContext,
    options: "ReportOptions | None" = None,
    *,
    is_html: bool = True,
    has_notes: bool = False,
    of_people: Sequence[str] = (),
    marked: str | None = None,
) -> str:
    """The report, with its choices.

    Args:
        study: What it is about.
        options: What it holds.
        is_html: Whether it is a page; else it is Markdown.
        has_notes: Whether there are tags and notes.
        of_people: The words of what sections of features ask of judgements.
        marked: The file with the errors that people marked, where the report holds these.
    """
    words = ["report", "--output", "report.html"] if is_html else REPORT_AS_MARKDOWN
    judged = list(of_people)
    judged += [] if marked is None or path_word(marked) in judged else ["--judgements", path_word(marked)]
    words = [
        *words,
        *(_report(study, options, has_judgements=bool(judged)) if options is not None else []),
        *judged,
        *(["--notes", NOTES_FILE] if has_notes else []),
    ]
    words += [*_baseline(study), *pair_words(study), *_runs(study), *tested_words(study), *scoring_words(study)]
    return written([*words, *test_words(study), *texts_words(study, are_judged=bool(judged))])


def remarks(study: ComparisonContext, *, is_upload: bool = False, with_metrics: bool = True) -> tuple[str, ...]:
    """What a command does not say, in sentences.

    Args:
        study: What it is about.
        is_upload: Whether the files were uploaded, so that their folder is not known.
        with_metrics: Whether the command computes more metrics.
    """
    said = (
        (not study.inputs.is_complete, ROLES_CHOSEN),
        (is_upload or (with_metrics and bool(_read_scores(study))), IN_THEIR_FOLDER),
    )
    return tuple(sentence for holds, sentence in said if holds)


def written(words: Sequence[str]) -> str:
    """A command of the program with these words, quoted for a shell."""
    return shlex.join([PROGRAM, *words])


def _query(query: SegmentQuery) -> list[str]:
    """The order and the filters."""
    words = params.SORT.said(ORDERS[query.order].called, ORDERS[DEFAULT_ORDER].called)
    if not query.search.is_empty:
        words += FILTERS["search"].said(query.search.text)
        words += [*params.REGEX.said(query.search.is_pattern), *params.LOOK_IN.said(query.search.place, PLACES[0])]
    query, without = replace(query, search=TextSearch()), SegmentQuery()
    for field, each in FILTERS.items():
        value = getattr(query, field)
        words += each.said(value) if value != getattr(without, field) else []
    return words


def _baseline(study: ComparisonContext) -> list[str]:
    return [] if study.baseline is None else params.BASELINE.said(study.loaded.called[study.baseline])


def pair_words(study: ComparisonContext) -> list[str]:
    """The option that chooses A and B, where there are several systems."""
    called = study.loaded.called
    return [] if not study.compares else ["--pair", *(called[name] for name in study.pair)]


def _runs(study: ComparisonContext) -> list[str]:
    """What was said by hand of runs."""
    naming = run_naming()
    return [] if naming is None else load(naming.words)(study.by_hand, study.loaded.called)


def _ngram_view(choice: NgramChoice | PhraseChoice) -> list[str]:
    against = None if choice.view == VIEWS[0] or choice.against == AGAINST[0] else "references"
    return [*params.NGRAM_VIEW.said(choice.view, VIEWS[0]), *params.NGRAM_AGAINST.said(against)]


def tested_words(study: ComparisonContext) -> list[str]:
    """The metric that is tested, where it is not BLEU."""
    return [] if study.metric is study.evaluation.bleu else ["--metric", study.metric.name]


def texts_words(study: ComparisonContext, *, are_judged: bool = False) -> list[str]:
    """The files, with those of scores before them, and what was said of these and of judgements."""
    scores, inputs = _read_scores(study), study.inputs
    said = [("--scores", path_word(file)) for file in dict.fromkeys(options.file for options in scores)]
    said += [("--score-column", options.name) for options in scores]
    said += [("--lower-is-better", options.name) for options in scores if not options.higher_is_better]
    said += [("--system-name", one) for one in inputs.system_names if scores or are_judged]
    moved = ["--move-spans"] if are_judged and inputs.moves_spans else []
    return [*(word for words in said for word in words), *moved, *input_words(inputs)]


def _read_scores(study: ComparisonContext) -> list[Any]:
    """The options of metrics whose scores are read from files."""
    return [options for options in study.metrics if metric_of(options).is_read]


def input_words(inputs: Inputs) -> list[str]:
    """The files, and what was said of them."""
    if inputs.is_sample:
        return ["--sample"]
    named = [("--source", inputs.source), ("--documents", inputs.documents)]
    named += [
        ("--encoding", inputs.encoding),
        ("--test-set", inputs.test_set),
        ("--language-pair", inputs.language_pair),
    ]
    words = [word for path in inputs.references for word in ("--reference", path_word(path))]
    words += [word for option, value in named if value is not None for word in (option, path_word(value))]
    words += [word for path in inputs.labels for word in ("--labels", path_word(path))]
    words += ["--align"] if inputs.aligns else []
    has_dash = any(path.startswith("-") and path != STANDARD_INPUT for path in inputs.systems)
    return [*words, *(["--"] if has_dash or _are_doubtful(inputs) else []), *map(path_word, inputs.systems)]


def _are_doubtful(inputs: Inputs) -> bool:
    """Whether the systems, right behind other files, could be taken for further ones of these."""
    beside = [("references", path) for path in inputs.references] + [("labels", path) for path in inputs.labels]
    beside += [(kind, path) for kind, path in (("source", inputs.source), ("documents", inputs.documents)) if path]
    return any(like_the_file(kind, path, inputs.systems) for kind, path in beside)


def path_word(path: str) -> str:
    """A path that no program takes for something in a home folder."""
    return f"./{path}" if path.startswith("~") else path


def scoring_words(study: ComparisonContext) -> list[str]:
    """The options of all metrics."""
    return [*_bleu(study), *words_of_metrics([one for one in study.metrics if one != BESIDE_BLEU])]


def computed_words(study: ComparisonContext, metric: MetricEvaluation) -> list[str]:
    """The options of BLEU, or those of another metric that is computed, with its name."""
    if metric is study.evaluation.bleu:
        return _bleu(study)
    asked = [] if metric.options == BESIDE_BLEU else words_of_metrics([metric.options])
    return ["--metric", metric.name, *asked]


def metric_words(options: MetricOptions, *, names_tokenizer: bool) -> list[str]:
    """The one metric that everything is scored in: the options of BLEU, or another metric with its usual ones."""
    if isinstance(options, BleuOptions):
        return _options(options, names_tokenizer=names_tokenizer)
    return ["--metric", metric_of(options).name(options)]


def _bleu(study: ComparisonContext) -> list[str]:
    """BLEU's options, or the preset that they are; sacreBLEU's own is the usual."""
    return _options(study.options, names_tokenizer=study.inputs.language_pair is not None)


def _options(options: BleuOptions, *, names_tokenizer: bool) -> list[str]:
    """The same; the tokenizer is named where something else would decide on it."""
    if options in OF_PRESETS:
        return params.PRESET.said(OF_PRESETS[options])
    if options.smoothing_value == DEFAULT_SMOOTHING_VALUES.get(options.smoothing):
        options = replace(options, smoothing_value=None)
    words = words_of(options, BLEU)
    tokenize = BLEU["tokenizer"].option
    if names_tokenizer and tokenize not in words:
        words = [tokenize, options.tokenizer, *words]
    return words


def test_words(study: ComparisonContext) -> list[str]:
    """How differences are tested, where that is not as usual."""
    return words_of(study.significance, SIGNIFICANCE)


def _report(study: ComparisonContext, options: "ReportOptions", *, has_judgements: bool) -> list[str]:
    """The choices of a report."""
    from bleuscope.content.report import ReportOptions  # noqa: PLC0415  # with all that draws a report
    from bleuscope.content.report.choices import OF_JUDGEMENTS, SECTION_NAMES, usual_sections  # noqa: PLC0415  # as above

    usual = ReportOptions()
    words = [*params.REPORT_TITLE.said(options.title), *params.REPORT_DATE.said(options.date)]
    words += ["--remarks", options.remarks] if options.remarks else []
    words += params.REPORT_SEGMENTS.said(options.n_segments, usual.n_segments)
    if options.chosen is not None:
        words += ["--segments-list", ",".join(str(segment + 1) for segment in options.chosen)]
    words += params.REPORT_FULL.said(options.is_full)
    expected = (*usual_sections(study), *(OF_JUDGEMENTS if has_judgements else ()))
    for name in SECTION_NAMES:
        if options.holds(name) != (name in expected):
            words += ["--with" if options.holds(name) else "--without", name]
    return words


def with_commas(value: str) -> str:
    """A value in a list that commas part, where it may hold one itself."""
    return value.replace("\\", r"\\").replace(",", r"\,")
