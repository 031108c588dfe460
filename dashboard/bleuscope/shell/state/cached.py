"""What is computed or uploaded once and kept for all sessions of this server.

Every key is a digest of content, with options where they matter. What does not depend on names is kept by the texts
and the places of systems: other names cost nothing but new findings, whose sentences name systems. None of it lies in
Streamlit's caches: their keys are made from a sample of a large array or frame, where two different ones can meet, and
a message of any browser empties them for all.
"""

import hashlib
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import cast

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from bleucore import BleuOptions, Evaluation, InputError, TestSet
from bleucore.agreement.agreement import Agreement, agreement
from bleucore.agreement.judged_test_set import judged_people, scored_systems
from bleucore.agreement.raters import Raters, raters_of
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
from bleucore.campaign import SetResult
from bleucore.campaign.lost_everywhere import LostEverywhere
from bleucore.checks import Finding, check, check_scoring, gravest_first
from bleucore.counts import Floats, Ints, Progress
from bleucore.evaluation import MetricEvaluation, evaluate_metric
from bleucore.formats import Budget, Column, Unpacked, read, unpacked
from bleucore.formats.archives import may_be_archive
from bleucore.formats.campaign_plan import CampaignPlan
from bleucore.history import SegmentStrips, VersionChanges, VersionHistory
from bleucore.judgements import reading
from bleucore.judgements.reading import Found
from bleucore.judgements.records import Judgements
from bleucore.metrics import MetricOptions
from bleucore.metrics.segment_scores import SegmentScores
from bleucore.options import Lowercase
from bleucore.robustness.references import DrawOptions, ReferenceStudy, study_references
from bleucore.robustness.sensitivity import AxisName, SensitivityGrid, sensitivity
from bleucore.sampling.criteria import diversity
from bleucore.significance import Comparison, LayoutStudy, SignificanceOptions, SizeStudy, compare
from bleucore.tokens.tokenizer_choice import AnyTokenizerName, TokenizerProposal, proposed_tokenizer
from bleuscope.content.blocks.block_analysis import study_layouts, study_sizes
from bleuscope.content.campaign.campaign_view import CampaignView
from bleuscope.content.comparison import test_set_facts
from bleuscope.content.comparison.differences import Selection, compared_systems, known_units
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded
from bleuscope.content.comparison.study import Study
from bleuscope.content.findings.finding_words import flagged_segments
from bleuscope.content.ngrams import ngram_tables
from bleuscope.content.ngrams.ngram_tables import N_LEADING, NgramList, Side, UnmatchedView
from bleuscope.content.ngrams.phrases import phrase_of, phrases_of
from bleuscope.content.segments import highlights, marked_tokens, reading_list, segment_queries
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.segments.highlights import SegmentView
from bleuscope.content.segments.pattern_process import SearchUnavailableError
from bleuscope.content.segments.question_sheets import questions_sheet
from bleuscope.content.segments.reading_list import ListView
from bleuscope.content.segments.segment_queries import Bools, Lookups, SegmentQuery, TextSearch
from bleuscope.content.sensitivity.segment_choices import kept_segments
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.significance.significance_by_metric import attribution_of
from bleuscope.content.slices import slice_tables
from bleuscope.content.slices.slice_tables import SliceSummary
from bleuscope.content.validity.agreement_choice import AgreementChoice
from bleuscope.shell.disk.files import content_digest, load
from bleuscope.shell.state.shared_work import SECONDS_BETWEEN_REPORTS
from bleuscope.shell.state.shelves import MOST_BYTES, Key, Shelf, Value, Work
from bleuscope.workspace import texts
from bleuscope.workspace.manifests import References

MAX_EVALUATIONS = 24
MAX_UPLOADS = 200
MAX_OPENED = 4
MAX_QUERIES = 200
MAX_LISTED = 100
MAX_FILES_READ = 400
MAX_ARCHIVES = 4
MAX_TOKENIZED = 4
MAX_REPORTS = 4
MAX_CAMPAIGNS = 4
MAX_ROBUSTNESS = 16
MAX_AGREEMENTS = 8
MOST_BYTES_OF_DRAWS = 2**29
"""Behind all comparisons: those of 200 systems take 80 MB in BLEU and 150 MB in chrF."""
MOST_BYTES_OF_TEXTS, MOST_BYTES_OF_COUNTS = 2**30, 2**29
"""Of test sets that were uploaded, of files that were read for one; of the counts behind all scores."""
BYTES_OF_JUDGEMENT = 500
"""About, of one with its texts, and of one span."""
BUDGET = Budget()
"""Of what is uploaded; files that are named on the command line are those of whoever runs the server."""
READ_FOR_SECONDS = 600.0
"""A file that was read is kept so long for a page that shows what is in it."""

MANY_CHECKED = 100_000
"""Outputs of a test set; of sets with more, one is checked after the other."""
_large_checks = threading.Lock()

MATCHED: Counted = "matched"

Places = tuple[int, int]
KeyOfOne = tuple[str, MetricOptions, SignificanceOptions, int, Selection | None, bool]
"""Of one system's comparisons with all others: texts, scoring, tests, its place, segments, whether they are tested."""
ScoredSets = tuple[tuple[SetResult, ...], tuple[tuple[str, str], ...]]
"""Of a campaign: what its sets say, and the names of those that failed, each with the reason."""
PlannedCampaign = tuple[CampaignPlan, Hashable, str | None]
"""What is where, what changes when a file does (``stamp_of``), and the digest of all files once it was asked for."""


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


def _scored(test_set: TestSet, metric: MetricOptions) -> Work[MetricEvaluation]:
    return Work(
        _evaluations(),
        (test_set.texts_digest, metric),
        lambda report: evaluate_metric(test_set, metric, progress=report),
        lambda found: found.named_as(test_set),
    )


def found_segments(
    test_set: TestSet,
    evaluation: Evaluation,
    pair: tuple[str, str],
    query: SegmentQuery,
    metric: MetricEvaluation,
    marked: MarkedErrors | None = None,
) -> NDArray[np.int64]:
    """The segments that a query names, in its order, by scores of one of the metrics; one that failed fails at once.

    Raises:
        InputError: The pattern to look for is wrong, or takes too long.
    """
    key = (evaluation.digest, evaluation.options, pair, query, metric.options, marked)
    lookups = Lookups(
        segment_parts(evaluation, metric, pair),
        segments_with_text,
        flagged=partial(_flagged_segments, test_set),
        with_ngram=partial(_segments_with_ngram, test_set, evaluation.options, pair),
        in_slice=partial(_segments_in_slice, test_set, evaluation.options),
        marks=partial(marked_numbers, test_set, evaluation.options, marked),
    )
    return _found_or_refused(
        _found(), key, lambda: segment_queries.find_segments(test_set, evaluation, pair, query, lookups, metric)
    )


def segments_with_text(test_set: TestSet, search: TextSearch) -> Bools:
    """Which segments have a text, whatever else is asked of them; a pattern that failed once fails at once.

    Raises:
        InputError: The pattern is wrong, or takes too long.
    """
    return _found_or_refused(
        _with_text(), (test_set.texts_digest, search), lambda: segment_queries.segments_with_text(test_set, search)
    )


def comparison(
    test_set: TestSet, metric: MetricEvaluation, options: SignificanceOptions, selection: Selection | None = None
) -> Work[Comparison]:
    """Every test between the systems of an evaluation, on all segments or on a selection of them.

    It cannot be made where documents are to be drawn and not known.
    """
    return Work(
        _comparisons(),
        (test_set.texts_digest, metric.options, options, selection),
        lambda report: compare(compared_systems(test_set, metric, selection), options, progress=report),
        lambda found: found.named_as(test_set.system_names),
    )


def comparison_with(  # what tests rest on
    test_set: TestSet,
    metric: MetricEvaluation,
    options: SignificanceOptions,
    system: str,
    selection: Selection | None = None,
    *,
    is_tested: bool,
) -> Work[Comparison]:
    """One system against all others, as a baseline if that is tested; the same numbers as among all pairs."""
    place = test_set.system_names.index(system)
    return Work(
        _comparisons_with(),
        (test_set.texts_digest, metric.options, options, place, selection, is_tested),
        lambda report: compare(
            compared_systems(test_set, metric, selection),
            options,
            only_with=system,
            is_tested=is_tested,
            progress=report,
        ),
        lambda found: found.named_as(test_set.system_names),
    )


def references(
    test_set: TestSet,
    metric: MetricEvaluation,
    base: str | None,
    draws: DrawOptions,
    significance: SignificanceOptions,
) -> Work[ReferenceStudy]:
    """What the choice of references does, against one of them or against all.

    It cannot be made where documents are to be drawn and not known, or some segments lack the reference.
    """
    return Work(
        _references(),
        (test_set.digest, metric.options, base, draws, significance),
        lambda report: study_references(
            test_set,
            metric.options,
            base=None if base is None else [base],
            draws=draws,
            significance=significance,
            comparison=comparison(test_set, metric, significance).value() if base is None else None,
            progress=report,
        ),
    )


def sensitivity_grid(
    test_set: TestSet,
    metric: MetricEvaluation,
    asked: Mapping[AxisName, tuple[str, ...]],
    filters: tuple[str, ...],
    significance: SignificanceOptions,
) -> Work[SensitivityGrid]:
    """What settings do to the order of systems.

    It cannot be made of too many settings, or where documents are not known that are to be left out or drawn.
    """

    def make(report: Progress | None) -> SensitivityGrid:
        kept = kept_segments(test_set, filters)
        return sensitivity(
            test_set,
            metric.options,
            {**asked, **({"filter": tuple(kept)} if kept else {})},
            filters=kept,
            significance=significance,
            comparison=comparison(test_set, metric, significance).value(),
            progress=report,
        )

    key = (test_set.digest, metric.options, tuple(asked.items()), filters, significance)
    return Work(_sensitivity_grids(), key, make)


def diversity_of(test_set: TestSet, systems: Sequence[str]) -> Work[Floats]:
    """How unlike each other the outputs of some systems are in each segment, (S,)."""
    outputs = [test_set.system(name) for name in systems]
    key = (test_set.digest, tuple(systems))
    return Work(_diversities(), key, lambda report: diversity(outputs, report))


def layout_study(
    test_set: TestSet, metric: MetricEvaluation, pair: tuple[str, str], choice: SignificanceOptions, seed: int
) -> LayoutStudy:
    """How t of two systems varies over random layouts with blocks as many and as large as chosen."""
    key = (test_set.texts_digest, metric.options, _places(test_set.system_names, pair), choice, seed)
    layout = choice.block_layout(known_units(test_set))
    found = _layout_studies().find_or_make(key, lambda: study_layouts(metric, pair, layout, seed=seed))
    return replace(found, name=pair[1], other=pair[0])


def size_study(
    test_set: TestSet, metric: MetricEvaluation, pair: tuple[str, str], shuffle_seed: int | None
) -> SizeStudy:
    """How t of two systems varies over block sizes."""
    key = (test_set.texts_digest, metric.options, _places(test_set.system_names, pair), shuffle_seed)
    found = _size_studies().find_or_make(key, lambda: study_sizes(metric, pair, shuffle_seed))
    return replace(found, name=pair[1], other=pair[0])


def attribution(evaluation: Evaluation, metric: MetricEvaluation, pair: tuple[str, str]) -> Attribution:
    """Where the difference of two systems in one of the metrics comes from."""
    found = _attributions().find_or_make(
        (evaluation.texts_digest, metric.options, _places(evaluation.names, pair)),
        lambda: attribution_of(evaluation, metric, pair),
    )
    return found if found.names == pair else replace(found, names=pair)


def bleu_attribution(evaluation: Evaluation, pair: tuple[str, str]) -> BleuAttribution:
    """Where their difference in BLEU comes from, with parts of its orders."""
    return cast("BleuAttribution", attribution(evaluation, evaluation.bleu, pair))


def segment_parts(evaluation: Evaluation, metric: MetricEvaluation, pair: tuple[str, str]) -> Floats | None:
    """The part of each segment in the difference of two systems, (S,); ``None`` where it cannot be divided."""
    found = attribution(evaluation, metric, pair)
    return None if found.reason is not None else found.segments


def listed_rows(view: Study, rows: Ints, first_place: int, shown: ListView) -> list[Markup]:
    """Some of the segments found as rows to read, the first of them at a place from 1."""
    parts = segment_parts(view.evaluation, view.metric, view.pair) if view.compares else None
    return _listed_rows().find_or_make(
        (_as_shown(view), view.metric.options, view.sides, rows.tobytes(), first_place, shown),
        lambda: reading_list.row_htmls(view, rows, first_place, parts, shown),
    )


def segment_html(view: Study, shown: SegmentView) -> Markup:
    """A segment with its marks; the one after the open one is made a step ahead."""
    return _segment_htmls().find_or_make(
        (_as_shown(view), shown),
        lambda: highlights.segment_html(view.test_set, view.evaluation, shown, view.looks),
    )


def _as_shown(view: Study) -> Hashable:
    """What names, scores and looks of segments depend on."""
    return view.evaluation.digest, tuple(one.options for one in view.evaluation.metrics.values()), view.baseline


def ngrams(test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str]) -> Work[tuple[OrderTypes, ...]]:
    """The n-grams of each order that two systems win and lose, have too often and miss."""

    def make(report: Progress | None) -> tuple[OrderTypes, ...]:
        steps = _Steps(report, 3)
        tokens = steps.after(_pair_tokens(test_set, evaluation.options, pair))
        values = steps.after(bleu_attribution(evaluation, pair)).match_values
        return steps.after(ngram_types(tokens, values, n_leading=N_LEADING))

    key = (evaluation.texts_digest, evaluation.options, _places(evaluation.names, pair))
    return Work(_ngrams(), key, make)


def phrases(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], counted: Counted = MATCHED
) -> Work[Phrases]:
    """The phrases that make the difference of two systems, or of one that is named twice and the references."""

    def make(report: Progress | None) -> Phrases:
        steps = _Steps(report, 3)
        tokens = steps.after(_pair_tokens(test_set, evaluation.options, pair))
        attributed = steps.after(bleu_attribution(evaluation, pair))
        return steps.after(phrases_of(tokens, attributed, test_set.documents, counted=counted))

    key = (evaluation.texts_digest, evaluation.options, _places(evaluation.names, pair), counted)
    return Work(_phrases(), key, make)


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


def unmatched_ngrams(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], view: UnmatchedView, order: int, side: Side
) -> NgramList:
    """The n-grams of one order that a system has too often, or misses, set against the other of the two."""
    return _unmatched_ngrams().find_or_make(
        (evaluation.texts_digest, evaluation.options, _places(evaluation.names, pair), view, order, side),
        lambda: ngram_tables.unmatched_by_references(
            ngrams(test_set, evaluation, pair).value()[order - 1],
            view,
            bleu_attribution(evaluation, pair),
            _pair_tokens(test_set, evaluation.options, pair),
            side,
        ),
    )


def slicing(test_set: TestSet, options: BleuOptions, kind: str) -> Slicing:
    """The segments divided in one way.

    Raises:
        InputError: The test set cannot be divided so.
    """
    key = (test_set.texts_digest, options.tokenizer, options.lowercase, kind)
    return _slicings().find_or_make(key, lambda: slice_segments(test_set, kind, options))


def question_slicing(view: Study, condition: str) -> Slicing:
    """The segments that a condition holds for, and the others, as slices.

    Raises:
        InputError: The condition cannot be asked, or names A or B.
    """
    key = (view.test_set.texts_digest, view.options, condition)
    return _found_or_refused(_question_slicings(), key, lambda: segment_queries.question_slicing(view, condition))


def questions(view: Study, conditions: tuple[str, ...], marked: MarkedErrors | None = None) -> Sheet:
    """How often questions hold for each system.

    Raises:
        InputError: One of them cannot be asked, or takes too long.
    """
    key = (view.evaluation.digest, view.options, view.both, view.metric.options, view.metrics, conditions, marked)
    lookups = Lookups(marks=partial(marked_numbers, view.test_set, view.options, marked))
    return _found_or_refused(_questions(), key, lambda: questions_sheet(view, conditions, lookups))


def slice_comparison(
    test_set: TestSet,
    metric: MetricEvaluation,
    summary: SliceSummary,
    chosen: tuple[int, ...],
    options: SignificanceOptions,
) -> Work[SliceComparison]:
    """The two systems of a summary compared on some of its slices."""
    systems = slice_tables.compared_pair(test_set, metric, summary.pair)
    places = _places(test_set.system_names, summary.pair)
    return Work(
        _slice_comparisons(),
        (test_set.texts_digest, metric.options, places, summary.slicing.kind, chosen, options),
        lambda report: compare_slices(systems, summary.slicing, options, chosen=chosen, progress=report),
        lambda found: found.named_as(summary.pair),
    )


def agreement_with(view: Study, choice: AgreementChoice) -> Work[Agreement]:
    """How far each metric agrees with judgements.

    It cannot be made where fewer than two systems were judged, or an error of theirs has no weight.
    """
    metrics = choice.metrics(view.evaluation)

    def make(report: Progress | None) -> Agreement:
        people = judged_people(view.test_set, choice.judgements, choice.averaging)
        scored = [scored_systems(one, people.systems) for one in metrics]
        return agreement(people, scored, choice.options, progress=report)

    key = (view.evaluation.digest, choice, tuple(metric.options for metric in metrics))
    return Work(_agreements(), key, make)


def raters(view: Study, choice: AgreementChoice, systems: tuple[str, ...]) -> Raters:
    """Who judged the systems that are compared.

    Raises:
        InputError: Where ``agreement_with`` cannot be made.
    """
    return _raters().find_or_make(
        (view.test_set.digest, choice, systems),
        lambda: raters_of(choice.judgements, systems, view.test_set.n_segments, choice.averaging),
    )


def word_buckets(
    test_set: TestSet, pair: tuple[str, str], kind: str, options: BleuOptions, given: GivenWords
) -> tuple[WordBucket, ...]:
    """The words of two systems by kind."""
    places = _places(test_set.system_names, pair)
    key = (test_set.texts_digest, places, kind, options.tokenizer, options.lowercase, given)
    return _word_buckets().find_or_make(key, lambda: word_accuracy.word_buckets(test_set, pair, kind, options, given))


def word_comparison(  # what the tests hang on
    test_set: TestSet,
    pair: tuple[str, str],
    kind: str,
    options: BleuOptions,
    significance: SignificanceOptions,
    given: GivenWords,
) -> Work[SliceComparison]:
    """The words of two systems by kind, compared."""
    buckets = word_buckets(test_set, pair, kind, options, given)
    places = _places(test_set.system_names, pair)
    return Work(
        _word_comparisons(),
        (test_set.texts_digest, places, kind, options.tokenizer, options.lowercase, given, significance),
        lambda report: word_accuracy.compare_words(buckets, pair, known_units(test_set), significance, progress=report),
        lambda found: found.named_as(pair),
    )


def _places(names: Sequence[str], pair: tuple[str, str]) -> Places:
    """Where two systems stand in the test set, whatever they are called."""
    return names.index(pair[0]), names.index(pair[1])


def _pair_tokens(test_set: TestSet, options: BleuOptions, pair: tuple[str, str]) -> PairTokens:
    key = (test_set.texts_digest, options, _places(test_set.system_names, pair))
    return _tokens().find_or_make(key, lambda: pair_tokens(test_set, pair, options))


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


def findings(test_set: TestSet, tokenizer: AnyTokenizerName) -> Work[tuple[Finding, ...]]:
    """What the checks say about the texts, and about scoring them with a tokenizer."""
    return _text_findings(test_set, lambda found: gravest_first([*found, *scoring_findings(test_set, tokenizer)]))


def text_findings(test_set: TestSet) -> Work[tuple[Finding, ...]]:
    """What the checks say about the texts alone."""
    return _text_findings(test_set, gravest_first)


def _text_findings(
    test_set: TestSet, named: Callable[[tuple[Finding, ...]], tuple[Finding, ...]]
) -> Work[tuple[Finding, ...]]:
    def make(report: Progress | None) -> tuple[Finding, ...]:
        if test_set.n_segments * len(test_set.systems) <= MANY_CHECKED:
            return check(test_set, progress=report)
        with _turn_at_large_checks(report):
            return check(test_set, progress=report)

    return Work(_findings(), (test_set.digest, None), make, named)


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


def scoring_findings(test_set: TestSet, tokenizer: AnyTokenizerName) -> tuple[Finding, ...]:
    """What the checks say about scoring the texts with a tokenizer; found at once."""
    return _findings().find_or_make((test_set.digest, tokenizer), lambda: check_scoring(test_set, tokenizer))


def tokenizer_proposal(test_set: TestSet) -> TokenizerProposal | None:
    """The tokenizer that the references need; ``None`` where sacreBLEU's default does."""
    (proposal,) = _proposals().find_or_make(test_set.texts_digest, lambda: (proposed_tokenizer(test_set.references),))
    return proposal


def proposal_for(digest: str, references: Callable[[], Sequence[Sequence[str | None]]]) -> TokenizerProposal | None:
    """The same for references that are read only where it is not known yet.

    Args:
        digest: Of their test set.
        references: Reads R columns of S texts.
    """
    (proposal,) = _proposals().find_or_make(digest, lambda: (proposed_tokenizer(references()),))
    return proposal


def compared_versions(key: Hashable, make: Callable[[Progress | None], Comparison]) -> Work[Comparison]:
    """Tests between versions; ``key`` names their counts, their names and the options."""
    return Work(_compared_versions(), key, make)


def version_history(key: Hashable, make: Callable[[Progress | None], VersionHistory]) -> Work[VersionHistory]:
    """What tests say of versions in their order; ``key`` names their counts, their names and the options."""
    return Work(_version_histories(), key, make)


def version_changes(key: Hashable, make: Callable[[Progress | None], VersionChanges]) -> Work[VersionChanges]:
    """What changed from one version to another; ``key`` names their counts and outputs."""
    return Work(_version_changes(), key, make)


def segment_strips(key: Hashable, make: Callable[[Progress | None], SegmentStrips]) -> Work[SegmentStrips]:
    """The scores of segments over versions; ``key`` names their counts, their order and the options."""
    return Work(_segment_strips(), key, make)


def strip_outputs(key: Hashable, make: Callable[[Progress | None], tuple[str, ...]]) -> Work[tuple[str, ...]]:
    """The texts of one segment over versions; ``key`` names their outputs and the segment."""
    return Work(_strip_outputs(), key, make)


def kept_references(digest: str, make: Callable[[], References]) -> References:
    """What the versions on a test set are scored against, by the digest of the test set."""
    return _kept_references().find_or_make(digest, make)


def outputs_digest(test_set: TestSet, name: str) -> str:
    """The digest of a system's outputs, as versions have it."""
    return _outputs_digests().find_or_make(
        (test_set.digest, name), lambda: texts.digest_of(texts.written(test_set.system(name).hypotheses))
    )


def _flagged_segments(test_set: TestSet, flag: str) -> NDArray[np.int64]:
    return flagged_segments(text_findings(test_set).value()).get(flag, np.empty(0, np.int64))


def explanation(test_set: TestSet, options: BleuOptions, other: str) -> Work[DifferenceExplanation]:
    """What makes the difference between these options and a preset.

    It cannot be made where too many settings differ.
    """
    return Work(
        _explanations(),
        (test_set.digest, options, other),
        lambda report: explain_difference(test_set, options, other, progress=report),
    )


def columns(name: str, data: bytes, *, header: bool | None = None, encoding: str | None = None) -> tuple[Column, ...]:
    """What an uploaded file holds, read once per content, or found wanting once.

    Raises:
        InputError: The file cannot be read.
    """
    key = (name, hashlib.sha256(data).hexdigest(), header, encoding)
    return _found_or_refused(_columns(), key, lambda: read(name, data, header=header, encoding=encoding, budget=BUDGET))


def unpacked_file(name: str, data: bytes) -> Unpacked:
    """The files in an uploaded archive, or the file itself; unpacked once per content, or found wanting once.

    Raises:
        InputError: The archive cannot be read.
    """
    if not may_be_archive(data):  # it is no work, and would be kept twice
        return unpacked(name, data)
    return _found_or_refused(_unpacked(), (name, hashlib.sha256(data).hexdigest()), lambda: unpacked(name, data))


def drop_read_files() -> None:
    """Forget what was read from files that no page shows any more."""
    _columns().drop_unused(READ_FOR_SECONDS)
    _unpacked().drop_unused(READ_FOR_SECONDS)
    _read_beside().drop_unused(READ_FOR_SECONDS)
    _aligned_beside().drop_unused(READ_FOR_SECONDS)


def _found_or_refused(shelf: Shelf[Key, Value | InputError], key: Key, make: Callable[[], Value]) -> Value:
    """What is made once, or what is wrong with it; the error is kept without the frames that hold the file."""

    def attempt() -> Value | InputError:
        try:
            return make()
        except SearchUnavailableError:
            raise  # it may succeed the next time
        except InputError as error:
            return copy(error)

    found = shelf.find_or_make(key, attempt)
    if isinstance(found, InputError):
        raise copy(found)
    return found


def opened(inputs: Inputs) -> Loaded | None:
    """What the dashboard opens on: one test set for all sessions, as long as the files are the same.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    return _opened().find_or_make(content_digest(inputs), lambda: load(inputs))


def facts(test_set: TestSet) -> list[tuple[str, str]]:
    """What a test set holds, as value and name; counted once, because every text is looked at."""
    return _facts().find_or_make(test_set.texts_digest, lambda: test_set_facts.test_set_facts(test_set))


def keep_upload(loaded: Loaded) -> None:
    """Remember an upload under its origin, so that a reload of the page finds it."""
    _uploads().keep(loaded.origin, loaded)


def find_upload(origin: str) -> Loaded | None:
    """The upload of this origin, if the server still has it."""
    return _uploads().find(origin)


def drop_upload(origin: str) -> None:
    """Forget the upload of this origin."""
    _uploads().drop(origin)


def keep_scores(key: str, scores: tuple[SegmentScores, ...]) -> None:
    """Remember scores from files, so that a reload of the page finds them."""
    _scores().keep(key, scores)


def find_scores(key: str) -> tuple[SegmentScores, ...] | None:
    """The scores from files of this key, if the server still has them."""
    return _scores().find(key)


def keep_judgements(key: str, judgements: Judgements) -> None:
    """Remember judgements from a file, so that a reload of the page finds them."""
    _judgements().keep(key, judgements)


def find_judgements(key: str) -> Judgements | None:
    """The judgements from the file of this key, if the server still has them."""
    return _judgements().find(key)


def read_beside(file: FileBeside) -> Found:
    """What a file of scores or judgements holds, read once per content, or found wanting once.

    Raises:
        InputError: It cannot be read.
    """
    return _found_or_refused(_read_beside(), (file.name, file.digest), lambda: reading.read(file.name, file.data))


def aligned_beside(
    file: FileBeside, test_set: TestSet, aliases: Mapping[str, str], *, moves_spans: bool
) -> reading.Scores:
    """What it says about a test set.

    Raises:
        InputError: It cannot be read, or is about other texts.
    """
    key = (file.name, file.digest, test_set.digest, tuple(sorted(aliases.items())), moves_spans)
    return _found_or_refused(
        _aligned_beside(),
        key,
        lambda: reading.aligned_scores(read_beside(file), test_set, aliases=aliases, moves_spans=moves_spans),
    )


def marked_errors(key: tuple[str, tuple[str, ...]], make: Callable[[], MarkedErrors]) -> MarkedErrors:
    """The errors of judgements, by their key and the names that are shown."""
    return _marked_errors().find_or_make(key, make)


def credited_and_marked(
    test_set: TestSet, options: BleuOptions, marked: MarkedErrors, system: str
) -> CreditedAndMarked:
    """The tokens of a system by what BLEU credits and by what is marked."""
    place = test_set.system_names.index(system)
    return _credited_and_marked().find_or_make(
        (test_set.texts_digest, options, marked.key, place),
        lambda: credited_marks.credited_and_marked(test_set, system, marked.judgements, options),
    )


def all_credited_and_marked(
    test_set: TestSet, options: BleuOptions, marked: MarkedErrors, names: Sequence[str]
) -> Work[dict[str, CreditedAndMarked]]:
    """The same of several systems."""

    def make(report: Progress | None) -> dict[str, CreditedAndMarked]:
        steps = _Steps(report, len(names))
        return {name: steps.after(credited_and_marked(test_set, options, marked, name)) for name in names}

    return Work(_all_credited_and_marked(), (test_set.digest, options, marked.key, tuple(names)), make)


def marked_numbers(
    test_set: TestSet, options: BleuOptions, marked: MarkedErrors | None, pair: tuple[str, str]
) -> Mapping[str, Floats]:
    """The numbers of marked tokens that conditions ask for, of A and B; none without judgements."""
    if marked is None:
        return {}
    sides = {side: credited_and_marked(test_set, options, marked, name) for side, name in zip("ab", pair, strict=True)}
    return marked_tokens.numbers_of(sides, test_set.n_segments)


def keep_given_words(key: str, given: Mapping[str, LabelFile]) -> None:
    """Remember labels of tokens, or a long list, so that a reload of the page finds them."""
    _given_words().keep(key, given)


def find_given_words(key: str) -> Mapping[str, LabelFile] | None:
    """The labels of this key, by the columns they are of, or the list, if the server still has them."""
    return _given_words().find(key)


def report(key: Hashable, make: Callable[[Progress | None], bytes]) -> Work[bytes]:
    """A report as a file; the key says all that it is made of."""
    return Work(_reports(), key, make)


def keep_campaign(origin: str, opened: tuple[CampaignPlan, str, str | None]) -> None:
    """Remember a campaign, with the digest of its files and the project that keeps them, for links to it."""
    _campaign_plans().keep(origin, opened)


def find_campaign(origin: str) -> tuple[CampaignPlan, str, str | None] | None:
    """The campaign that a link names; whoever opens one of a project is asked for a right in it."""
    return _campaign_plans().find(origin)


def keep_named_campaign(path: str, planned: PlannedCampaign) -> None:
    """Remember the campaign that the server was started on, which is planned by a look at each of its files."""
    _named_campaigns().keep(path, planned)


def find_named_campaign(path: str) -> PlannedCampaign | None:
    """The campaign at a path, as it was when it was planned."""
    return _named_campaigns().find(path)


def campaign_results(key: Hashable, make: Callable[[Progress | None], ScoredSets]) -> Work[ScoredSets]:
    """What each set of a campaign says, and which failed; ``key`` names the digest of its files and the options."""
    return Work(_campaign_results(), key, make)


def campaign(key: Hashable, make: Callable[[], CampaignView]) -> CampaignView:
    """All sets of a campaign together, with cells and orders; ``key`` is that of its results, and what it is called."""
    return _campaigns().find_or_make(key, make)


def is_campaign_known(key: Hashable) -> bool:
    """Whether ``campaign`` answers at once."""
    return _campaigns().find(key) is not None


def lost_everywhere(key: Hashable, make: Callable[[Progress | None], LostEverywhere]) -> Work[LostEverywhere]:
    """What is lost on all sets of a campaign; ``key`` names the digest of its files, the options and the systems."""
    return Work(_lost_everywhere(), key, make)


def _size_of_results(found: ScoredSets) -> int:
    return sum(one.null.nbytes for one in found[0])


def _size_of_plan(opened: tuple[CampaignPlan, str, str | None]) -> int:
    return sum(len(file.content or b"") for one in opened[0].sets for file in one.files)


def _size_of_columns(found: tuple[Column, ...] | InputError) -> int:
    return 0 if isinstance(found, InputError) else sum(_size_of_texts(column.segments) for column in found)


def _size_of_files(found: Unpacked | InputError) -> int:
    return 0 if isinstance(found, InputError) else sum(len(data) for _, data in found.files)


def _size_of_test_set(test_set: TestSet) -> int:
    columns = [*(system.hypotheses for system in test_set.systems), *test_set.references, *test_set.labels.values()]
    columns += [column for column in (test_set.source, test_set.documents) if column is not None]
    return sum(map(_size_of_texts, columns))


def _size_of_all(judgements: Iterable[Judgements]) -> int:
    return sum(map(_size_of_judgements, judgements))


def _size_of_judgements(judgements: Judgements) -> int:
    return BYTES_OF_JUDGEMENT * (len(judgements.rows) + len(judgements.spans))


def _size_of_texts(texts: Iterable[str | None]) -> int:
    """The bytes that texts take in memory, which short ones do for themselves more than for what is in them."""
    return sum(map(sys.getsizeof, texts))


@cache
def _evaluations() -> Shelf[tuple[str, MetricOptions], MetricEvaluation]:
    return Shelf(
        2 * MAX_EVALUATIONS,
        lambda found: sum(one.counts.nbytes + one.segment_scores.nbytes for one in found.systems.values()),
        most_bytes=MOST_BYTES_OF_COUNTS,
    )


@cache
def _comparisons() -> Shelf[tuple[str, MetricOptions, SignificanceOptions, Selection | None], Comparison]:
    return Shelf(MAX_EVALUATIONS, lambda compared: compared.n_bytes, most_bytes=MOST_BYTES_OF_DRAWS)


@cache
def _comparisons_with() -> Shelf[KeyOfOne, Comparison]:
    return Shelf(MAX_EVALUATIONS, lambda compared: compared.n_bytes)


@cache
def _compared_versions() -> Shelf[Hashable, Comparison]:
    return Shelf(MAX_EVALUATIONS, lambda compared: compared.n_bytes)


@cache
def _version_histories() -> Shelf[Hashable, VersionHistory]:
    return Shelf(MAX_ROBUSTNESS)


@cache
def _version_changes() -> Shelf[Hashable, VersionChanges]:
    return Shelf(MAX_ROBUSTNESS, lambda changes: changes.gains.nbytes, most_bytes=MOST_BYTES)


@cache
def _segment_strips() -> Shelf[Hashable, SegmentStrips]:
    return Shelf(MAX_ROBUSTNESS, lambda strips: 2 * strips.scores.nbytes, most_bytes=MOST_BYTES)


@cache
def _strip_outputs() -> Shelf[Hashable, tuple[str, ...]]:
    return Shelf(MAX_LISTED)


@cache
def _outputs_digests() -> Shelf[tuple[str, str], str]:
    return Shelf(MAX_UPLOADS)


@cache
def _kept_references() -> Shelf[str, References]:
    return Shelf(MAX_ROBUSTNESS)


@cache
def _references() -> Shelf[tuple[str, MetricOptions, str | None, DrawOptions, SignificanceOptions], ReferenceStudy]:
    return Shelf(MAX_ROBUSTNESS)


@cache
def _diversities() -> Shelf[tuple[str, tuple[str, ...]], Floats]:
    return Shelf(MAX_ROBUSTNESS)


@cache
def _sensitivity_grids() -> Shelf[
    tuple[str, MetricOptions, tuple[tuple[AxisName, tuple[str, ...]], ...], tuple[str, ...], SignificanceOptions],
    SensitivityGrid,
]:
    return Shelf(MAX_ROBUSTNESS)


@cache
def _agreements() -> Shelf[Hashable, Agreement]:
    return Shelf(MAX_AGREEMENTS)


@cache
def _raters() -> Shelf[Hashable, Raters]:
    return Shelf(MAX_AGREEMENTS)


@cache
def _attributions() -> Shelf[tuple[str, MetricOptions, Places], Attribution]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _findings() -> Shelf[tuple[str, AnyTokenizerName | None], tuple[Finding, ...]]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _proposals() -> Shelf[str, tuple[TokenizerProposal | None]]:
    return Shelf(MAX_UPLOADS)


@cache
def _columns() -> Shelf[tuple[str, str, bool | None, str | None], tuple[Column, ...] | InputError]:
    return Shelf(MAX_FILES_READ, _size_of_columns, most_bytes=MOST_BYTES_OF_TEXTS)


@cache
def _unpacked() -> Shelf[tuple[str, str], Unpacked | InputError]:
    return Shelf(MAX_ARCHIVES, _size_of_files, most_bytes=MOST_BYTES_OF_TEXTS)


@cache
def _explanations() -> Shelf[tuple[str, BleuOptions, str], DifferenceExplanation]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _opened() -> Shelf[str, Loaded | None]:
    return Shelf(MAX_OPENED)


@cache
def _found() -> Shelf[Hashable, NDArray[np.int64] | InputError]:
    return Shelf(MAX_QUERIES)


@cache
def _listed_rows() -> Shelf[Hashable, list[Markup]]:
    return Shelf(MAX_LISTED)


@cache
def _segment_htmls() -> Shelf[Hashable, Markup]:
    return Shelf(MAX_LISTED)


@cache
def _with_text() -> Shelf[tuple[str, TextSearch], Bools | InputError]:
    return Shelf(MAX_QUERIES)


@cache
def _facts() -> Shelf[str, list[tuple[str, str]]]:
    return Shelf(MAX_UPLOADS)


@cache
def _uploads() -> Shelf[str, Loaded]:
    return Shelf(MAX_UPLOADS, lambda loaded: _size_of_test_set(loaded.test_set), most_bytes=MOST_BYTES_OF_TEXTS)


@cache
def _scores() -> Shelf[str, tuple[SegmentScores, ...]]:
    return Shelf(MAX_UPLOADS)


@cache
def _judgements() -> Shelf[str, Judgements]:
    return Shelf(MAX_UPLOADS, _size_of_judgements)


@cache
def _read_beside() -> Shelf[tuple[str, str], Found | InputError]:
    return Shelf(MAX_OPENED, lambda found: 0 if isinstance(found, InputError) else _size_of_all(found.judgements))


@cache
def _aligned_beside() -> Shelf[tuple[str, str, str, tuple[tuple[str, str], ...], bool], reading.Scores | InputError]:
    return Shelf(MAX_OPENED, lambda found: 0 if isinstance(found, InputError) else _size_of_all(found.judgements))


@cache
def _marked_errors() -> Shelf[tuple[str, tuple[str, ...]], MarkedErrors]:
    return Shelf(MAX_QUERIES, lambda marked: _size_of_judgements(marked.judgements))


@cache
def _credited_and_marked() -> Shelf[tuple[str, BleuOptions, str, int], CreditedAndMarked]:
    return Shelf(MAX_QUERIES, lambda found: found.counts.nbytes * (1 + len(found.of_categories)))


@cache
def _all_credited_and_marked() -> Shelf[Hashable, dict[str, CreditedAndMarked]]:
    return Shelf(MAX_AGREEMENTS)


@cache
def _given_words() -> Shelf[str, Mapping[str, LabelFile]]:
    return Shelf(MAX_UPLOADS, lambda given: sum(_size_of_texts(one.lines) for one in given.values()))


@cache
def _layout_studies() -> Shelf[tuple[str, MetricOptions, Places, SignificanceOptions, int], LayoutStudy]:
    return Shelf(MAX_QUERIES)


@cache
def _size_studies() -> Shelf[tuple[str, MetricOptions, Places, int | None], SizeStudy]:
    return Shelf(MAX_QUERIES)


@cache
def _tokens() -> Shelf[tuple[str, BleuOptions, Places], PairTokens]:
    return Shelf(MAX_TOKENIZED)


@cache
def _ngrams() -> Shelf[tuple[str, BleuOptions, Places], tuple[OrderTypes, ...]]:
    return Shelf(MAX_TOKENIZED)


@cache
def _phrases() -> Shelf[tuple[str, BleuOptions, Places, Counted], Phrases]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _unmatched_ngrams() -> Shelf[tuple[str, BleuOptions, Places, UnmatchedView, int, Side], NgramList]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _slicings() -> Shelf[tuple[str, str, Lowercase, str], Slicing]:
    return Shelf(MAX_EVALUATIONS)


@cache
def _slice_comparisons() -> Shelf[
    tuple[str, MetricOptions, Places, str, tuple[int, ...], SignificanceOptions], SliceComparison
]:
    return Shelf(MAX_QUERIES)


@cache
def _word_buckets() -> Shelf[tuple[str, Places, str, str, Lowercase, GivenWords], tuple[WordBucket, ...]]:
    return Shelf(MAX_QUERIES, lambda buckets: sum(counts.nbytes for one in buckets for counts in one.counts))


@cache
def _word_comparisons() -> Shelf[
    tuple[str, Places, str, str, Lowercase, GivenWords, SignificanceOptions], SliceComparison
]:
    return Shelf(MAX_QUERIES)


@cache
def _question_slicings() -> Shelf[tuple[str, BleuOptions, str], Slicing | InputError]:
    return Shelf(MAX_QUERIES)


@cache
def _questions() -> Shelf[Hashable, Sheet | InputError]:
    return Shelf(MAX_QUERIES)


@cache
def _reports() -> Shelf[Hashable, bytes]:
    return Shelf(MAX_REPORTS)


@cache
def _campaign_plans() -> Shelf[str, tuple[CampaignPlan, str, str | None]]:
    return Shelf(MAX_UPLOADS, _size_of_plan, most_bytes=MOST_BYTES_OF_TEXTS)


@cache
def _named_campaigns() -> Shelf[str, PlannedCampaign]:
    return Shelf(1)


@cache
def _campaign_results() -> Shelf[Hashable, ScoredSets]:
    return Shelf(MAX_CAMPAIGNS, _size_of_results, most_bytes=MOST_BYTES_OF_TEXTS)


@cache
def _campaigns() -> Shelf[Hashable, CampaignView]:
    return Shelf(MAX_CAMPAIGNS)


@cache
def _lost_everywhere() -> Shelf[Hashable, LostEverywhere]:
    return Shelf(MAX_QUERIES)
