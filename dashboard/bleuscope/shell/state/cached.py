"""What is computed or uploaded once and kept for all sessions of this server.

Every key is a digest of content, with options where they matter. What does not depend on names is kept by the texts
and the places of systems: other names cost nothing but new findings, whose sentences name systems. None of it lies in
Streamlit's caches: their keys are made from a sample of a large array or frame, where two different ones can meet, and
a message of any browser empties them for all. All share one bound of memory (``runtime/memo_cache.py``).
"""

import hashlib
import json
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.analysis import credited_and_marked as credited_marks
from bleucore.analysis import word_accuracy
from bleucore.analysis.attribution import Attribution, BleuAttribution
from bleucore.analysis.credited_and_marked import CreditedAndMarked
from bleucore.analysis.differing_ngrams import Counted
from bleucore.analysis.explanation import DifferenceExplanation, explain_difference
from bleucore.analysis.given_words import GivenWords, LabelFile
from bleucore.analysis.ngram_phrases import Phrase, Phrases
from bleucore.analysis.ngram_types import NGram, OrderTypes, PairTokens, ngram_types, pair_tokens, segments_with
from bleucore.analysis.slices import SliceComparison, Slicing, compare_slices, slice_kinds, slice_segments
from bleucore.analysis.word_accuracy import WordBucket
from bleucore.checks import Finding, check, check_scoring, gravest_first
from bleucore.counts import Floats, Ints, Progress
from bleucore.evaluation import MetricEvaluation, evaluate_metric
from bleucore.formats import Budget, Column, Unpacked, read, unpacked
from bleucore.formats.archives import may_be_archive
from bleucore.judgements import reading
from bleucore.judgements.reading import Found
from bleucore.judgements.records import Judgements
from bleucore.metrics import MetricOptions
from bleucore.metrics.segment_scores import SegmentScores
from bleucore.segmentation.resegmenting import Resegmented, resegmented
from bleucore.significance import Comparison, LayoutStudy, SignificanceOptions, SizeStudy, compare
from bleucore.tokens.tokenizer_choice import AnyTokenizerName, TokenizerProposal
from bleuscope.content.blocks.block_analysis import study_layouts, study_sizes
from bleuscope.content.comparison import test_set_facts
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import Selection, compared_systems, known_units
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded
from bleuscope.content.findings.finding_words import flagged_segments
from bleuscope.content.ngrams import ngram_tables
from bleuscope.content.ngrams.ngram_tables import N_LEADING, NgramList, Side, UnmatchedView
from bleuscope.content.ngrams.phrases import phrase_of, phrases_of
from bleuscope.content.segments import highlights, marked_tokens, reading_list, segment_queries
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.segments.feature_numbers import FeatureNumbers, by_name, numbers_of_pair
from bleuscope.content.segments.highlights import SegmentView
from bleuscope.content.segments.kind_points import KindPoints, kinds_of_tokens
from bleuscope.content.segments.pattern_process import SearchUnavailableError
from bleuscope.content.segments.question_sheets import questions_sheet
from bleuscope.content.segments.reading_list import ListName, ListView
from bleuscope.content.segments.segment_queries import Bools, Lookups, SegmentQuery, TextSearch
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.significance.significance_by_metric import attribution_of
from bleuscope.content.slices import slice_tables
from bleuscope.content.slices.slice_tables import SliceSummary
from bleuscope.runtime.background import SECONDS_BETWEEN_REPORTS
from bleuscope.runtime.kept import in_background, kept, kept_or_refused
from bleuscope.runtime.memo_cache import BackgroundTask, MemoCache, Value
from bleuscope.shell.disk.files import content_digest, load
from bleuscope.shell.disk.mecab import proposed_tokenizer

MAX_EVALUATIONS = 24
MAX_UPLOADS = 200
MAX_OPENED = 4
MAX_QUERIES = 200
MASK = 2**64 - 1
MAX_LISTED = 1_000
"""Slices of lists, and segments, as they are sent: some 20 to 150 kB each."""
MAX_FILES_READ = 400
MAX_ARCHIVES = 4
MAX_TOKENIZED = 4
MAX_REPORTS = 4
MAX_ROBUSTNESS = 16
MAX_AGREEMENTS = 8
BUDGET = Budget()
"""Of what is uploaded; files that are named on the command line are those of whoever runs the server."""
READ_FOR_SECONDS = 600.0
"""A file that was read is kept so long for a page that shows what is in it."""

MANY_CHECKED = 100_000
"""Outputs of a test set; of sets with more, one is checked after the other."""
_large_checks = threading.Lock()

MATCHED: Counted = "matched"


@in_background(
    most=2 * MAX_EVALUATIONS,
    key=lambda test_set, metric: (test_set.texts_digest, metric),
    of=lambda found, test_set, _: found.named_as(test_set),
)
def _scored(report: Progress | None, test_set: TestSet, metric: MetricOptions) -> MetricEvaluation:
    return evaluate_metric(test_set, metric, progress=report)


def evaluation(
    test_set: TestSet,
    options: BleuOptions,
    metrics: tuple[MetricOptions, ...] = (),
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of a test set; each metric is computed once per content and settings.

    Raises:
        InputError: What a metric needs is not installed.
    """
    asked = (options, *metrics)
    shares = [_part(progress, place, len(asked)) for place in range(len(asked))]
    return Evaluation.of(
        test_set, [_scored(test_set, one).value(share) for one, share in zip(asked, shares, strict=True)]
    )


def is_evaluated(test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...] = ()) -> bool:
    """Whether ``evaluation`` answers at once."""
    return all(_scored(test_set, one).is_done for one in (options, *metrics))


def stop_scoring(test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...] = ()) -> None:
    """End the work of ``evaluation``, unless someone waits for it."""
    for one in (options, *metrics):
        _scored(test_set, one).stop()


def _part(progress: Progress | None, place: int, number: int) -> Progress | None:
    """The progress of one of several works, one after the other."""
    return None if progress is None else lambda share: progress((place + share) / number)


@kept_or_refused(
    most=MAX_QUERIES,
    key=lambda _, evaluation, pair, query, metric, marked=None, known=(), of_kind=None: (
        evaluation.digest,
        evaluation.options,
        pair,
        query,
        metric.options,
        marked,
        known,
        of_kind,
    ),
    retried=(SearchUnavailableError,),
)
def found_segments(  # noqa: PLR0913, PLR0917  # where a query looks
    test_set: TestSet,
    evaluation: Evaluation,
    pair: tuple[str, str],
    query: SegmentQuery,
    metric: MetricEvaluation,
    marked: MarkedErrors | None = None,
    known: tuple[FeatureNumbers, ...] = (),
    of_kind: KindPoints | None = None,
) -> NDArray[np.int64]:
    """The segments that a query names, in its order, by scores of one of the metrics; one that failed fails at once.

    ``known`` is what features know of the two systems, and ``of_kind`` what they lose to the kind that is asked for.

    Raises:
        InputError: The pattern to look for is wrong, or takes too long.
    """
    lookups = Lookups(
        segment_parts(evaluation, metric, pair),
        segments_with_text,
        flagged=partial(_flagged_segments, test_set),
        with_ngram=partial(_segments_with_ngram, test_set, evaluation.options, pair),
        in_slice=partial(_segments_in_slice, test_set, evaluation.options),
        marks=partial(marked_numbers, test_set, evaluation.options, marked),
        numbers=lambda _pair: by_name(known),
        of_kind=lambda _kind: of_kind,
    )
    return segment_queries.find_segments(test_set, evaluation, pair, query, lookups, metric)


@kept_or_refused(
    most=MAX_QUERIES,
    key=lambda test_set, search: (test_set.texts_digest, search),
    retried=(SearchUnavailableError,),
)
def segments_with_text(test_set: TestSet, search: TextSearch) -> Bools:
    """Which segments have a text, whatever else is asked of them; a pattern that failed once fails at once.

    Raises:
        InputError: The pattern is wrong, or takes too long.
    """
    return segment_queries.segments_with_text(test_set, search)


@in_background(
    most=MAX_EVALUATIONS,
    key=lambda test_set, metric, options, selection=None: (test_set.texts_digest, metric.options, options, selection),
    of=lambda found, test_set, *_: found.named_as(test_set.system_names),
)
def comparison(
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    options: SignificanceOptions,
    selection: Selection | None = None,
) -> Comparison:
    """Every test between the systems of an evaluation, on all segments or on a selection of them.

    It cannot be made where documents are to be drawn and not known.
    """
    return compare(compared_systems(test_set, metric, selection), options, progress=report)


@in_background(
    most=MAX_EVALUATIONS,
    key=lambda test_set, metric, options, system, selection=None, *, is_tested: (
        test_set.texts_digest,
        metric.options,
        options,
        test_set.system_names.index(system),
        selection,
        is_tested,
    ),
    of=lambda found, test_set, *_, **__: found.named_as(test_set.system_names),
)
def comparison_with(  # noqa: PLR0913  # what tests rest on
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    options: SignificanceOptions,
    system: str,
    selection: Selection | None = None,
    *,
    is_tested: bool,
) -> Comparison:
    """One system against all others, as a baseline if that is tested; the same numbers as among all pairs."""
    return compare(
        compared_systems(test_set, metric, selection), options, only_with=system, is_tested=is_tested, progress=report
    )


@kept(
    most=MAX_QUERIES,
    key=lambda test_set, metric, pair, choice, seed: (*_of_pair(test_set, metric.options, pair), choice, seed),
    of=lambda found, _test_set, _metric, pair, *_: replace(found, name=pair[1], other=pair[0]),
)
def layout_study(
    test_set: TestSet, metric: MetricEvaluation, pair: tuple[str, str], choice: SignificanceOptions, seed: int
) -> LayoutStudy:
    """How t of two systems varies over random layouts with blocks as many and as large as chosen."""
    return study_layouts(metric, pair, choice.block_layout(known_units(test_set)), seed=seed)


@kept(
    most=MAX_QUERIES,
    key=lambda test_set, metric, pair, shuffle_seed: (*_of_pair(test_set, metric.options, pair), shuffle_seed),
    of=lambda found, _test_set, _metric, pair, _seed: replace(found, name=pair[1], other=pair[0]),
)
def size_study(
    test_set: TestSet,  # noqa: ARG001  # its texts and places are what the study is kept by
    metric: MetricEvaluation,
    pair: tuple[str, str],
    shuffle_seed: int | None,
) -> SizeStudy:
    """How t of two systems varies over block sizes."""
    return study_sizes(metric, pair, shuffle_seed)


@kept(
    most=MAX_EVALUATIONS,
    key=lambda evaluation, metric, pair: _of_pair(evaluation, metric.options, pair),
    of=lambda found, _evaluation, _metric, pair: found if found.names == pair else replace(found, names=pair),
)
def attribution(evaluation: Evaluation, metric: MetricEvaluation, pair: tuple[str, str]) -> Attribution:
    """Where the difference of two systems in one of the metrics comes from."""
    return attribution_of(evaluation, metric, pair)


def bleu_attribution(evaluation: Evaluation, pair: tuple[str, str]) -> BleuAttribution:
    """Where their difference in BLEU comes from, with parts of its orders."""
    return cast("BleuAttribution", attribution(evaluation, evaluation.bleu, pair))


def segment_parts(evaluation: Evaluation, metric: MetricEvaluation, pair: tuple[str, str]) -> Floats | None:
    """The part of each segment in the difference of two systems, (S,); ``None`` where it cannot be divided."""
    found = attribution(evaluation, metric, pair)
    return None if found.reason is not None else found.segments


def _as_shown(view: ComparisonContext) -> Hashable:
    """What names, scores and looks of segments depend on."""
    metrics = tuple(one.options for one in view.evaluation.metrics.values())
    return view.evaluation.digest, metrics, view.baseline, view.by_hand


@kept(
    most=MAX_LISTED,
    key=lambda view, rows, first_place, shown: (
        _as_shown(view),
        view.metric.options,
        view.sides,
        rows.tobytes(),
        first_place,
        shown,
    ),
)
def listed_rows(view: ComparisonContext, rows: Ints, first_place: int, shown: ListView) -> list[Markup]:
    """Some of the segments found as rows to read, the first of them at a place from 1."""
    parts = segment_parts(view.evaluation, view.metric, view.pair) if view.compares else None
    return reading_list.row_htmls(view, rows, first_place, parts, shown)


def list_name(view: ComparisonContext, rows: Ints, shown: ListView) -> ListName:
    """What the browser knows a list by: another name for other rows, or where anything else is shown of them."""
    order = hash(rows.tobytes())
    whole = hash((_as_shown(view), view.metric.options, view.sides, order, shown))
    return ListName(f"{order & MASK:x}", f"{whole & MASK:x}", len(rows))


@kept(most=MAX_LISTED, key=lambda view, shown: (_as_shown(view), shown))
def segment_html(view: ComparisonContext, shown: SegmentView) -> Markup:
    """A segment with its marks; the one after the open one is made a step ahead."""
    (kinds,) = kinds_of_tokens(view, shown.systems, [shown.segment])
    return highlights.segment_html(view.test_set, view.evaluation, shown, view.looks, kinds)


@in_background(most=MAX_TOKENIZED, key=lambda _, evaluation, pair: _of_pair(evaluation, evaluation.options, pair))
def ngrams(
    report: Progress | None, test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str]
) -> tuple[OrderTypes, ...]:
    """The n-grams of each order that two systems win and lose, have too often and miss."""
    steps = _Steps(report, 3)
    tokens = steps.after(_pair_tokens(test_set, evaluation.options, pair))
    values = steps.after(bleu_attribution(evaluation, pair)).match_values
    return steps.after(ngram_types(tokens, values, n_leading=N_LEADING))


@in_background(
    most=MAX_EVALUATIONS,
    key=lambda _, evaluation, pair, counted=MATCHED: (*_of_pair(evaluation, evaluation.options, pair), counted),
)
def phrases(
    report: Progress | None,
    test_set: TestSet,
    evaluation: Evaluation,
    pair: tuple[str, str],
    counted: Counted = MATCHED,
) -> Phrases:
    """The phrases that make the difference of two systems, or of one that is named twice and the references."""
    steps = _Steps(report, 3)
    tokens = steps.after(_pair_tokens(test_set, evaluation.options, pair))
    attributed = steps.after(bleu_attribution(evaluation, pair))
    return steps.after(phrases_of(tokens, attributed, test_set.documents, counted=counted))


class _Steps:
    """Work in a few steps: its progress after each, where it can be cancelled."""

    def __init__(self, report: Progress | None, number: int) -> None:
        self._report, self._number, self._n_done = report, number, 0

    def after(self, value: Value) -> Value:
        """What a step came to."""
        self._n_done += 1
        if self._report is not None:
            self._report(self._n_done / self._number)
        return value


def phrase(test_set: TestSet, options: BleuOptions, pair: tuple[str, str], tokens: NGram) -> Phrase:
    """One n-gram of two systems, with the segments in which one matches it more often."""
    return phrase_of(tokens, segments_with(tokens, _pair_tokens(test_set, options, pair)))


@kept(
    most=MAX_EVALUATIONS,
    key=lambda _, evaluation, pair, view, order, side: (
        *_of_pair(evaluation, evaluation.options, pair),
        *(view, order, side),
    ),
)
def unmatched_ngrams(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], view: UnmatchedView, order: int, side: Side
) -> NgramList:
    """The n-grams of one order that a system has too often, or misses, set against the other of the two."""
    return ngram_tables.unmatched_by_references(
        ngrams(test_set, evaluation, pair).value()[order - 1],
        view,
        bleu_attribution(evaluation, pair),
        _pair_tokens(test_set, evaluation.options, pair),
        side,
    )


@kept(
    most=MAX_EVALUATIONS,
    key=lambda test_set, options, kind: (test_set.texts_digest, options.tokenizer, options.lowercase, kind),
)
def slicing(test_set: TestSet, options: BleuOptions, kind: str) -> Slicing:
    """The segments divided in one way.

    Raises:
        InputError: The test set cannot be divided so.
    """
    return slice_segments(test_set, kind, options)


@kept_or_refused(
    most=MAX_QUERIES,
    key=lambda view, condition: (view.test_set.texts_digest, view.options, condition),
    retried=(SearchUnavailableError,),
)
def question_slicing(view: ComparisonContext, condition: str) -> Slicing:
    """The segments that a condition holds for, and the others, as slices.

    Raises:
        InputError: The condition cannot be asked, or names A or B.
    """
    return segment_queries.question_slicing(view, condition)


@kept_or_refused(
    most=MAX_QUERIES,
    key=lambda view, conditions, marked=None: (
        view.evaluation.digest,
        view.options,
        view.both,
        view.metric.options,
        view.metrics,
        conditions,
        marked,
    ),
    retried=(SearchUnavailableError,),
)
def questions(view: ComparisonContext, conditions: tuple[str, ...], marked: MarkedErrors | None = None) -> Sheet:
    """How often questions hold for each system.

    Raises:
        InputError: One of them cannot be asked, or takes too long.
    """
    lookups = Lookups(
        marks=partial(marked_numbers, view.test_set, view.options, marked), numbers=partial(numbers_of_pair, view)
    )
    return questions_sheet(view, conditions, lookups)


@in_background(
    most=MAX_QUERIES,
    key=lambda test_set, metric, summary, chosen, options: (
        *_of_pair(test_set, metric.options, summary.pair),
        *(summary.slicing.kind, chosen, options),
    ),
    of=lambda found, _test_set, _metric, summary, *_: found.named_as(summary.pair),
)
def slice_comparison(
    report: Progress | None,
    test_set: TestSet,
    metric: MetricEvaluation,
    summary: SliceSummary,
    chosen: tuple[int, ...],
    options: SignificanceOptions,
) -> SliceComparison:
    """The two systems of a summary compared on some of its slices."""
    systems = slice_tables.compared_pair(test_set, metric, summary.pair)
    return compare_slices(systems, summary.slicing, options, chosen=chosen, progress=report)


@kept(
    most=MAX_QUERIES,
    key=lambda test_set, pair, kind, options, given: (
        *_of_pair(test_set, kind, pair),
        *(options.tokenizer, options.lowercase, given),
    ),
)
def word_buckets(
    test_set: TestSet, pair: tuple[str, str], kind: str, options: BleuOptions, given: GivenWords
) -> tuple[WordBucket, ...]:
    """The words of two systems by kind."""
    return word_accuracy.word_buckets(test_set, pair, kind, options, given)


@in_background(
    most=MAX_QUERIES,
    key=lambda test_set, pair, kind, options, significance, given: (
        *_of_pair(test_set, kind, pair),
        *(options.tokenizer, options.lowercase, given, significance),
    ),
    of=lambda found, _test_set, pair, *_: found.named_as(pair),
)
def word_comparison(  # noqa: PLR0913, PLR0917  # what tests rest on
    report: Progress | None,
    test_set: TestSet,
    pair: tuple[str, str],
    kind: str,
    options: BleuOptions,
    significance: SignificanceOptions,
    given: GivenWords,
) -> SliceComparison:
    """The words of two systems by kind, compared."""
    buckets = word_buckets(test_set, pair, kind, options, given)
    return word_accuracy.compare_words(buckets, pair, known_units(test_set), significance, progress=report)


def _of_pair(texts: TestSet | Evaluation, scoring: Hashable, pair: tuple[str, str]) -> tuple[Hashable, ...]:
    """What two systems are known by, whatever they are called: their texts, the scoring, and their places."""
    names = texts.system_names if isinstance(texts, TestSet) else texts.names
    return texts.texts_digest, scoring, names.index(pair[0]), names.index(pair[1])


@kept(most=MAX_TOKENIZED, key=_of_pair)
def _pair_tokens(test_set: TestSet, options: BleuOptions, pair: tuple[str, str]) -> PairTokens:
    return pair_tokens(test_set, pair, options)


def _segments_with_ngram(
    test_set: TestSet, options: BleuOptions, pair: tuple[str, str], ngram: str, where: str
) -> Ints:
    """The segments that hold an n-gram whose tokens have blanks between them."""
    found = segments_with(ngram_tables.of_address(ngram), _pair_tokens(test_set, options, pair))
    return ngram_tables.segments_where(found, where)


def _segments_in_slice(test_set: TestSet, options: BleuOptions, address: str) -> Ints | None:
    """The segments of the slice that an address names, if there is one."""
    kind = slice_tables.kind_in_address(address, slice_kinds(test_set))
    return None if kind is None else slice_tables.segments_of(address, slicing(test_set, options, kind))


def findings(test_set: TestSet, tokenizer: AnyTokenizerName) -> BackgroundTask[tuple[Finding, ...]]:
    """What the checks say about the texts, and about scoring them with a tokenizer."""
    return text_findings(test_set).then(lambda found: gravest_first([*found, *scoring_findings(test_set, tokenizer)]))


@in_background(most=MAX_EVALUATIONS, key=lambda test_set: test_set.digest)
def text_findings(report: Progress | None, test_set: TestSet) -> tuple[Finding, ...]:
    """What the checks say about the texts alone."""
    if test_set.n_segments * len(test_set.systems) <= MANY_CHECKED:
        return gravest_first(check(test_set, progress=report))
    with _turn_at_large_checks(report):
        return gravest_first(check(test_set, progress=report))


@contextmanager
def _turn_at_large_checks(report: Progress | None) -> Iterator[None]:
    """Wait until no other large test set is checked: each takes half a gigabyte for 20 systems of 50,000 segments."""
    while not _large_checks.acquire(timeout=SECONDS_BETWEEN_REPORTS):
        if report is not None:
            report(0.0)
    try:
        yield
    finally:
        _large_checks.release()


@kept(most=MAX_EVALUATIONS, key=lambda test_set, tokenizer: (test_set.digest, tokenizer))
def scoring_findings(test_set: TestSet, tokenizer: AnyTokenizerName) -> tuple[Finding, ...]:
    """What the checks say about scoring the texts with a tokenizer; found at once."""
    return check_scoring(test_set, tokenizer)


def tokenizer_proposal(test_set: TestSet) -> TokenizerProposal | None:
    """The tokenizer that the references need; ``None`` where sacreBLEU's default does."""
    return proposal_for(test_set.texts_digest, lambda: test_set.references)


def proposal_for(digest: str, references: Callable[[], Sequence[Sequence[str | None]]]) -> TokenizerProposal | None:
    """The same for references that are read only where it is not known yet.

    Args:
        digest: Of their test set.
        references: Reads R columns of S texts.
    """
    (proposal,) = _proposal(digest, references)
    return proposal


@kept(most=MAX_UPLOADS, key=lambda digest, _: digest)
def _proposal(
    digest: str,  # noqa: ARG001  # what it is kept by
    references: Callable[[], Sequence[Sequence[str | None]]],
) -> tuple[TokenizerProposal | None]:
    return (proposed_tokenizer(references()),)


def _flagged_segments(test_set: TestSet, flag: str) -> NDArray[np.int64]:
    return flagged_segments(text_findings(test_set).value()).get(flag, np.empty(0, np.int64))


@in_background(most=MAX_EVALUATIONS, key=lambda test_set, options, other: (test_set.digest, options, other))
def explanation(report: Progress | None, test_set: TestSet, options: BleuOptions, other: str) -> DifferenceExplanation:
    """What makes the difference between these options and a preset.

    It cannot be made where too many settings differ.
    """
    return explain_difference(test_set, options, other, progress=report)


@kept_or_refused(
    most=MAX_FILES_READ,
    key=lambda name, data, *, header=None, encoding=None: (name, _sha256(data), header, encoding),
)
def columns(name: str, data: bytes, *, header: bool | None = None, encoding: str | None = None) -> tuple[Column, ...]:
    """What an uploaded file holds, read once per content, or found wanting once.

    Raises:
        InputError: The file cannot be read.
    """
    return read(name, data, header=header, encoding=encoding, budget=BUDGET)


@kept(
    most=MAX_FILES_READ,
    key=lambda lines, references, documents: (
        _digest_of_texts([lines, *references, *([] if documents is None else [documents])]),
        documents is None,
    ),
)
def cut_anew(
    lines: Sequence[str], references: Sequence[Sequence[str | None]], documents: Sequence[str] | None
) -> Resegmented:
    """An output cut at the segments of references, which takes seconds.

    Raises:
        InputError: The text is too long.
    """
    return resegmented(lines, references, documents)


def _digest_of_texts(columns: Sequence[Sequence[str | None]]) -> str:
    state = hashlib.sha256()
    for column in columns:
        state.update(json.dumps(list(column)).encode())
    return state.hexdigest()


def unpacked_file(name: str, data: bytes) -> Unpacked:
    """The files in an uploaded archive, or the file itself; unpacked once per content, or found wanting once.

    Raises:
        InputError: The archive cannot be read.
    """
    if not may_be_archive(data):  # it is no work, and would be kept twice
        return unpacked(name, data)
    return _unpacked_archive(name, data)


@kept_or_refused(
    most=MAX_ARCHIVES,
    key=lambda name, data: (name, _sha256(data)),
)
def _unpacked_archive(name: str, data: bytes) -> Unpacked:
    return unpacked(name, data)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def drop_read_files() -> None:
    """Forget what was read from files that no page shows any more."""
    for reader in (columns, _unpacked_archive, read_beside, aligned_beside):
        reader.cache.drop_unused(READ_FOR_SECONDS)


@kept(most=MAX_OPENED, key=content_digest)
def opened(inputs: Inputs) -> Loaded | None:
    """What the dashboard opens on: one test set for all sessions, as long as the files are the same.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    return load(inputs)


@kept(most=MAX_UPLOADS, key=lambda test_set: test_set.texts_digest)
def facts(test_set: TestSet) -> list[tuple[str, str]]:
    """What a test set holds, as value and name; counted once, because every text is looked at."""
    return test_set_facts.test_set_facts(test_set)


def keep_upload(loaded: Loaded) -> None:
    """Remember an upload under its origin, so that a reload of the page finds it."""
    UPLOADS.keep(loaded.origin, loaded)


@kept_or_refused(
    most=MAX_OPENED,
    key=lambda file: (file.name, file.digest),
)
def read_beside(file: FileBeside) -> Found:
    """What a file of scores or judgements holds, read once per content, or found wanting once.

    Raises:
        InputError: It cannot be read.
    """
    return reading.read(file.name, file.data)


@kept_or_refused(
    most=MAX_OPENED,
    key=lambda file, test_set, aliases, *, moves_spans: (
        file.name,
        file.digest,
        test_set.digest,
        tuple(sorted(aliases.items())),
        moves_spans,
    ),
)
def aligned_beside(
    file: FileBeside, test_set: TestSet, aliases: Mapping[str, str], *, moves_spans: bool
) -> reading.Scores:
    """What it says about a test set.

    Raises:
        InputError: It cannot be read, or is about other texts.
    """
    return reading.aligned_scores(read_beside(file), test_set, aliases=aliases, moves_spans=moves_spans)


@kept(
    most=MAX_QUERIES,
    key=lambda key, _: key,
)
def marked_errors(_key: tuple[str, tuple[str, ...]], make: Callable[[], MarkedErrors]) -> MarkedErrors:
    """The errors of judgements, by their key and the names that are shown."""
    return make()


@kept(
    most=MAX_QUERIES,
    key=lambda test_set, options, marked, system: (
        test_set.texts_digest,
        options,
        marked.key,
        test_set.system_names.index(system),
    ),
)
def credited_and_marked(
    test_set: TestSet, options: BleuOptions, marked: MarkedErrors, system: str
) -> CreditedAndMarked:
    """The tokens of a system by what BLEU credits and by what is marked."""
    return credited_marks.credited_and_marked(test_set, system, marked.judgements, options)


@in_background(
    most=MAX_AGREEMENTS,
    key=lambda test_set, options, marked, names: (test_set.digest, options, marked.key, tuple(names)),
)
def all_credited_and_marked(
    report: Progress | None, test_set: TestSet, options: BleuOptions, marked: MarkedErrors, names: Sequence[str]
) -> dict[str, CreditedAndMarked]:
    """The same of several systems."""
    steps = _Steps(report, len(names))
    return {name: steps.after(credited_and_marked(test_set, options, marked, name)) for name in names}


def marked_numbers(
    test_set: TestSet, options: BleuOptions, marked: MarkedErrors | None, pair: tuple[str, str]
) -> Mapping[str, Floats]:
    """The numbers of marked tokens that conditions ask for, of A and B; none without judgements."""
    if marked is None:
        return {}
    sides = {side: credited_and_marked(test_set, options, marked, name) for side, name in zip("ab", pair, strict=True)}
    return marked_tokens.numbers_of(sides, test_set.n_segments)


@in_background(most=MAX_REPORTS, key=lambda key, _: key)
def report(report: Progress | None, _key: Hashable, make: Callable[[Progress | None], bytes]) -> bytes:
    """A report as a file; the key says all that it is made of."""
    return make(report)


UPLOADS: MemoCache[str, Loaded] = MemoCache(MAX_UPLOADS)
"""Uploads by their origin."""
SCORES: MemoCache[str, tuple[SegmentScores, ...]] = MemoCache(MAX_UPLOADS)
"""Scores from files, by the key in the address."""
NEURAL_SCORES: MemoCache[tuple[str, ...], bytes] = MemoCache(MAX_AGREEMENTS)
"""Files of scores, by the digests of a neural metric and of a test set, and the names of systems that are shown."""
JUDGEMENTS: MemoCache[str, Judgements] = MemoCache(MAX_UPLOADS)
"""Judgements from a file, by the key in the address."""
GIVEN_WORDS: MemoCache[str, Mapping[str, LabelFile]] = MemoCache(MAX_UPLOADS)
"""Labels of tokens by the columns they are of, or a list of words, by the key in the address."""
