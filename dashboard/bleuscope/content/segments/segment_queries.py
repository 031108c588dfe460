"""Which segments to list, and in which order."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, InputError, MetricEvaluation, TestSet
from bleucore.analysis.slices import Slicing, slice_by_question
from bleucore.counts import Floats, Ints
from bleuscope.content.comparison.comparison_context import ComparisonContext, compared_metrics
from bleuscope.content.comparison.differences import SCORE_DECIMALS, segment_differences
from bleuscope.content.ngrams.ngram_tables import ANYWHERE, of_address, written
from bleuscope.content.segments.conditions import Material, asks_of, holding, names_in, segments_where
from bleuscope.content.segments.feature_numbers import NAMES as FEATURE_NAMES
from bleuscope.content.segments.filters import FILTERS, OF_KINDS, ORDERS, Agreement, Place
from bleuscope.content.segments.kind_points import KindPoints
from bleuscope.content.segments.marked_tokens import NUMBER_NAMES
from bleuscope.content.segments.patterns import PatternSearch
from bleuscope.content.significance.significance_by_metric import parting_segments
from bleuscope.content.style import numbers

Bools: TypeAlias = NDArray[np.bool_]
Range: TypeAlias = tuple[float, float]
MEASURES = ("BLEU A", "BLEU B", "Δ", "contribution", "tokens")
"""What ranges are of, as their filters are named."""

NUMBERS_IN_CONDITIONS = MappingProxyType(
    {"delta": "Δ", "part": "contribution", "tokens_a": "tokens A", "tokens_b": "tokens B"}
)
"""What conditions call numbers that lists are ordered by."""
DECLARED_UNIT = "BLEU"


@dataclass(frozen=True)
class TextSearch:
    """A text to look for, whatever the case.

    Attributes:
        text: The text or pattern; blanks around a text do not count.
        is_pattern: Whether it is a regular expression, as the package ``regex`` reads it.
        place: In which texts.
    """

    text: str = ""
    is_pattern: bool = False
    place: Place = "anywhere"

    @property
    def is_empty(self) -> bool:
        """Whether every segment fits."""
        return not self.text.strip()


@dataclass(frozen=True)
class SegmentQuery:
    """Which segments to list, and in which order. All conditions hold at once; ends of ranges are included.

    Attributes:
        search: Only segments with this text.
        document: Only segments of this document.
        labels: Label columns with their values: one value of each column must fit.
        first_range: Of the segment score of A.
        second_range: Of the segment score of B.
        delta_range: Of the segment score of B minus that of A.
        part_range: Of the part in the corpus difference.
        length_range: Of the tokens of the longer one of the hypotheses of A and B.
        agreement: A key of ``filters.AGREEMENTS``.
        flag: Only segments that this check points at.
        tag: Only segments with this tag.
        tagged: The segments (counted from 0) with that tag.
        ngram: Only segments with this n-gram, its tokens with blanks between them, in A, B or a reference.
        ngram_where: One of ``ngram_tables.WHERE``.
        slice: Only segments of the slice that this address of ``slice_tables`` names.
        kind: Only segments that lose or gain points by this kind of error.
        conditions: Only segments that all of these expressions of ``conditions`` hold for.
        order: A key of ``filters.ORDERS``.
    """

    search: TextSearch = field(default_factory=TextSearch)
    document: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    first_range: Range | None = None
    second_range: Range | None = None
    delta_range: Range | None = None
    part_range: Range | None = None
    length_range: Range | None = None
    agreement: Agreement = "any"
    flag: str | None = None
    tag: str | None = None
    tagged: tuple[int, ...] = ()
    ngram: str = ""
    ngram_where: str = ANYWHERE
    slice: str = ""
    kind: str | None = None
    conditions: tuple[str, ...] = ()
    order: str = "as given"

    @property
    def looks_at_scores(self) -> bool:
        """Whether scores decide which segments are found: tests of such a selection prove little."""
        ranges = (self.first_range, self.second_range, self.delta_range, self.part_range)
        return (
            any(one is not None for one in ranges)
            or self.agreement == "contribution and score disagree"
            or bool(self.ngram)
            or self.kind is not None
            or bool(self.conditions)
        )


def unit_of(metric: MetricEvaluation) -> str:
    """What scores are called in orders, filters and headings; a file can call its column anything."""
    return "score" if metric.metric.is_read else metric.name


def in_unit(words: str, unit: str) -> str:
    """An order, filter or heading, which are declared with BLEU's scores, of those of another metric."""
    return unit + words.removeprefix(DECLARED_UNIT) if words.startswith(DECLARED_UNIT) else words


def segments_with_text(test_set: TestSet, search: TextSearch) -> Bools:
    """Which segments have a text, (S,).

    Raises:
        InputError: The pattern is wrong, or takes too long.
    """
    holds = PatternSearch(search.text).fits if search.is_pattern else holding(search.text.strip())
    found = np.zeros(test_set.n_segments, bool)
    for column in _searched_columns(test_set, search.place):
        found |= holds(column)
    return found


def no_flags(_check: str) -> Ints:
    """No segment is flagged."""
    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class Lookups:
    """Where a query finds what is neither a score nor a column of the test set.

    Attributes:
        parts: (S,), the part of each segment in the corpus difference; ``None`` if it has none.
        with_text: Gives the segments with a text; a cache may stand here.
        flagged: Gives the segments that a check points at.
        with_ngram: Gives the segments with an n-gram, of one of ``ngram_tables.WHERE``.
        in_slice: Gives the segments of a slice; ``None`` if there is no such slice.
        marks: Gives the numbers of ``marked_tokens`` of A and B, where there are judgements.
        numbers: Gives those that features know of A and B.
        of_kind: Gives the points of a kind of error; ``None`` where there are none to give.
    """

    parts: Floats | None = None
    with_text: Callable[[TestSet, TextSearch], Bools] = segments_with_text
    flagged: Callable[[str], Ints] = no_flags
    with_ngram: Callable[[str, str], Ints] = lambda _ngram, _where: np.zeros(0, np.int64)
    in_slice: Callable[[str], Ints | None] = lambda _address: None
    marks: Callable[[tuple[str, str]], Mapping[str, Floats]] = lambda _pair: {}
    numbers: Callable[[tuple[str, str]], Mapping[str, Floats]] = lambda _pair: {}
    of_kind: Callable[[str], KindPoints | None] = lambda _kind: None


def find_segments(
    test_set: TestSet,
    evaluation: Evaluation,
    pair: tuple[str, str],
    query: SegmentQuery,
    lookups: Lookups | None = None,
    metric: MetricEvaluation | None = None,
) -> Ints:
    """The segments (counted from 0) that a query names, in its order; equal ones keep the test set's order.

    Scores are those of the metric, BLEU unless given; what a file has no score of lies in no range and comes last.
    Where segments have no parts, the difference of their scores stands in when they are ordered, and no segment lies
    in a range of parts.

    Raises:
        InputError: The pattern to look for is wrong, or takes too long.
    """
    lookups, metric = lookups or Lookups(), metric or evaluation.bleu
    measured = measures(evaluation, pair, lookups.parts, metric)
    keep = np.ones(test_set.n_segments, bool)
    if query.document is not None and test_set.documents is not None:
        keep &= _equal(test_set.documents, query.document)
    keep &= _has_labels(test_set, query.labels)
    for name, limits in ranges(query).items():
        keep &= (measured[name] >= limits[0]) & (measured[name] <= limits[1])
    if query.flag is not None:
        keep &= _members(lookups.flagged(query.flag), len(keep))
    if query.tag is not None:
        keep &= _members(np.array(query.tagged, np.int64), len(keep))
    if query.ngram:
        keep &= _members(lookups.with_ngram(query.ngram, query.ngram_where), len(keep))
    in_slice = lookups.in_slice(query.slice) if query.slice else None
    if in_slice is not None:
        keep &= _members(in_slice, len(keep))
    of_kind = None if query.kind is None else lookups.of_kind(query.kind)
    keep &= True if of_kind is None else of_kind.is_there
    keep &= _agrees(test_set, pair, query.agreement, measured)
    if not query.search.is_empty:
        keep &= lookups.with_text(test_set, query.search)
    measured |= {**_looked_up(pair, query, lookups), **({} if of_kind is None else of_kind.numbers)}
    if query.conditions:
        material = material_of(test_set, evaluation, pair, measured)
        keep &= np.logical_and.reduce([segments_where(one, material) for one in query.conditions])
    rows = np.flatnonzero(keep)
    if ORDERS[query.order].by == "metrics":
        measured["metrics"] = _parting(evaluation, pair, metric)
    return rows[np.argsort(_sort_key(query.order, measured, metric)[rows], kind="stable")]


def _looked_up(pair: tuple[str, str], query: SegmentQuery, lookups: Lookups) -> dict[str, Floats]:
    """The numbers of marks and of features, which take a second, where a query asks for them."""
    asked = frozenset[str]().union(*map(names_in, query.conditions))
    marks = lookups.marks(pair) if asked & NUMBER_NAMES else {}
    known = lookups.numbers(pair) if FEATURE_NAMES & {*asked, ORDERS[query.order].by} else {}
    return {**marks, **known}


def question_slicing(study: ComparisonContext, condition: str) -> Slicing:
    """The segments that a condition holds for, and the others, as slices.

    Raises:
        InputError: The condition cannot be asked, or names A or B: who is worse where B failed is no question.
    """
    if asks_of(condition):
        raise InputError(
            "it looks at the outputs that are compared",
            where=f"Condition {condition[:80]!r}",
            remedy="Ask of the source, the reference or the length: what an output decides favours the other.",
        )
    query = SegmentQuery(conditions=(condition,))
    holds = np.zeros(study.test_set.n_segments, np.bool_)
    holds[find_segments(study.test_set, study.evaluation, study.both, query, metric=study.metric)] = True
    return slice_by_question(condition, holds)


def active_filters(query: SegmentQuery, unit: str = DECLARED_UNIT) -> dict[str, str]:
    """What narrows the list down, in words, by the name of the filter; scores are called by the unit."""
    found = _text_filters(query)
    if query.labels:
        found["labels"] = " · ".join(f"{name}: {value}" for name, value in query.labels)
    for name, limits in ranges(query).items():
        found[name] = f"{in_unit(name, unit)} {_range_in_words(limits)}"
    if query.conditions:
        found["conditions"] = f"where {' · '.join(query.conditions)}"
    if query.agreement != "any":
        found["agreement"] = query.agreement
    for name, word, value in (("flag", "check", query.flag), ("tag", "tag", query.tag)):
        if value is not None:
            found[name] = f"{word} {value}"
    if query.ngram:
        where = "" if query.ngram_where == ANYWHERE else f", {query.ngram_where}"
        found["n-gram"] = f"n-gram “{written(of_address(query.ngram))}”{where}"
    if query.slice:
        found["slice"] = f"slice {query.slice.replace(':', ': ', 1)}"
    if query.kind is not None:
        found["kind"] = f"kind {query.kind}"
    return found


def found_words(query: SegmentQuery, n_found: int, n_segments: int, unit: str = DECLARED_UNIT) -> str:
    """How many segments a query found, by which filters and in which order, as a sentence."""
    filters = active_filters(query, unit)
    questions = filters.pop("conditions", "")
    which = f" with {'; '.join(filters.values())}" if filters else ""
    which += f" {questions}" if questions else ""
    order = "in the order given"
    if ORDERS[query.order].by is not None:
        order = f"sorted by {in_unit(query.order, unit).replace(': ', ', ')}"
    segments = numbers.counted(n_segments, "segment")
    return f"{segments if n_found == n_segments else f'{numbers.count(n_found)} of {segments}'}{which}, {order}."


def measures(
    evaluation: Evaluation, pair: tuple[str, str], parts: Floats | None, metric: MetricEvaluation
) -> dict[str, Floats]:
    """What can be filtered and ordered by, each (S,)."""
    first, second = (np.round(metric.known_segment_scores(name), SCORE_DECIMALS) for name in pair)
    delta = segment_differences(evaluation, pair, metric)
    lengths = [evaluation.bleu.systems[name].counts[:, 0].astype(float) for name in pair]
    return {
        "BLEU A": first,
        "BLEU B": second,
        "Δ": delta,
        "contribution": np.full(len(delta), np.nan) if parts is None else np.round(parts, SCORE_DECIMALS),
        "tokens A": lengths[0],
        "tokens B": lengths[1],
        "tokens": np.maximum(*lengths),
    }


def ranges(query: SegmentQuery) -> dict[str, Range]:
    """The ranges that a query filters by, by the names of their filters."""
    limits = {each.name: getattr(query, field) for field, each in FILTERS.items() if each.is_range}
    return {name: limits[name] for name in MEASURES if limits[name] is not None}


def without_range(query: SegmentQuery, name: str) -> SegmentQuery:
    """The query without the range of a filter."""
    changed: dict[str, Any] = {field: None for field, each in FILTERS.items() if each.is_range and each.name == name}
    return replace(query, **changed)


def _text_filters(query: SegmentQuery) -> dict[str, str]:
    found = {}
    if not query.search.is_empty:
        kind = "pattern" if query.search.is_pattern else "text"
        place = "" if query.search.place == "anywhere" else f" in {query.search.place}"
        found["text"] = f"{kind} “{query.search.text.strip()}”{place}"
    if query.document is not None:
        found["document"] = f"document {query.document}"
    return found


def _range_in_words(limits: Range) -> str:
    low, high = (f"{limit:g}".replace("-", numbers.MINUS) for limit in limits)
    if np.isinf(limits[0]):
        return f"up to {high}"
    return f"from {low}" if np.isinf(limits[1]) else f"{low} to {high}"


def material_of(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], measured: Mapping[str, Floats]
) -> Material:
    """What conditions can be about: the texts, and the scores of A and B in every metric."""
    columns: dict[str, Sequence[Sequence[str | None]]] = {
        "a": [test_set.system(pair[0]).hypotheses],
        "b": [test_set.system(pair[1]).hypotheses],
        "reference": test_set.references,
    }
    columns |= {} if test_set.source is None else {"source": [test_set.source]}
    columns |= {} if test_set.documents is None else {"document": [test_set.documents]}
    scores = {
        f"{_name_in_conditions(metric)}_{side}": metric.known_segment_scores(name)
        for metric in compared_metrics(evaluation)
        for side, name in zip("ab", pair, strict=True)
    }
    lengths = evaluation.bleu.systems[pair[0]].counts[:, 1].astype(float)
    numbers = {name: measured[key] for name, key in NUMBERS_IN_CONDITIONS.items()}
    numbers |= {name: measured[name] for name in NUMBER_NAMES | FEATURE_NAMES if name in measured}
    return Material(test_set.n_segments, columns, {**scores, **numbers, "length": lengths})


def numbers_in_conditions(evaluation: Evaluation) -> list[str]:
    """The names of the numbers that conditions can be about."""
    scores = [f"{_name_in_conditions(one)}_{side}" for one in compared_metrics(evaluation) for side in "ab"]
    return [*scores, *NUMBERS_IN_CONDITIONS, "length"]


def _name_in_conditions(metric: MetricEvaluation) -> str:
    """A metric's name as a word of an expression: ``wmt22-comet-da`` is ``wmt22_comet_da``."""
    return re.sub(r"\W+", "_", metric.name.casefold()).strip("_")


def _parting(evaluation: Evaluation, pair: tuple[str, str], metric: MetricEvaluation) -> Floats:
    """How far BLEU and the metric, or the first one beside BLEU, pull each segment to different systems, (S,)."""
    others = [one for one in compared_metrics(evaluation) if one is not evaluation.bleu]
    other = metric if metric is not evaluation.bleu else next(iter(others), metric)
    return parting_segments(evaluation, pair, other)


def _sort_key(order: str, measured: Mapping[str, Floats], metric: MetricEvaluation) -> Floats:
    """Small values come first; B is ahead where it gains, whichever way the metric points."""
    parts = measured["Δ"] if np.isnan(measured["contribution"]).all() else measured["contribution"]
    one = ORDERS[order]
    if one.by is None or (one.by not in measured and (one.by in FEATURE_NAMES or order in OF_KINDS)):
        return np.zeros(len(parts))
    values = parts if one.by == "contribution" else measured[one.by]
    if one.is_absolute:
        return one.sign * np.abs(values)
    return one.sign * (metric.gain(values) if one.by in ("contribution", "Δ") else values)


def _has_labels(test_set: TestSet, labels: Sequence[tuple[str, str]]) -> Bools:
    keep = np.ones(test_set.n_segments, bool)
    for name in dict.fromkeys(name for name, _ in labels if name in test_set.labels):
        wanted = {value for other, value in labels if other == name}
        keep &= np.fromiter((value in wanted for value in test_set.labels[name]), bool, len(keep))
    return keep


def _agrees(test_set: TestSet, pair: tuple[str, str], agreement: Agreement, measured: Mapping[str, Floats]) -> Bools:
    """Where systems agree, or do not, in the way asked for."""
    if agreement == "any":
        return np.ones(test_set.n_segments, bool)
    if agreement == "contribution and score disagree":
        return np.asarray(measured["contribution"] * measured["Δ"] < 0)
    names = test_set.system_names if agreement == "all systems differ" else dict.fromkeys(pair)
    columns = [test_set.system(name).hypotheses for name in names]
    n_different = np.fromiter((len(set(texts)) for texts in zip(*columns, strict=True)), int, test_set.n_segments)
    if agreement == "all systems differ":
        return np.asarray(n_different == len(columns))
    wanted: Bools = n_different > 1 if agreement == "A and B differ" else n_different == 1
    return wanted


def _members(segments: Ints, n_segments: int) -> Bools:
    members = np.zeros(n_segments, bool)
    members[segments[segments < n_segments]] = True
    return members


def _equal(column: Sequence[str], wanted: str) -> Bools:
    return np.fromiter((value == wanted for value in column), bool, len(column))


def _searched_columns(test_set: TestSet, place: Place) -> list[Sequence[str | None]]:
    columns: list[Sequence[str | None]] = []
    if place in ("anywhere", "hypotheses"):
        columns += [system.hypotheses for system in test_set.systems]
    if place in ("anywhere", "references"):
        columns += test_set.references
    if place in ("anywhere", "source") and test_set.source is not None:
        columns.append(test_set.source)
    return columns
