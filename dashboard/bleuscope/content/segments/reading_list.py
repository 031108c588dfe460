"""Segments as a list to read: the reference, A and B one above the other, and only what differs is bright."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from markupsafe import Markup, escape

from bleucore import MetricEvaluation
from bleucore.analysis.matches import SegmentMatches, TokenMatch, match_segments
from bleucore.analysis.ngram_types import NGram
from bleucore.corpus import CUT_LABEL
from bleucore.counts import Floats, Ints
from bleucore.history.changes import Change
from bleucore.segmentation.resegmenting import DOUBTFUL
from bleuscope.content.comparison.comparison_context import ComparisonContext, compared_metrics
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.segments.error_marks import ErrorMark, MarkedErrors
from bleuscope.content.segments.feature_numbers import FeatureNumbers, feature_numbers
from bleuscope.content.segments.highlights import (
    DEFAULT_LAYERS,
    Layer,
    differences,
    marked_reference,
    marked_text,
    shown_text,
)
from bleuscope.content.segments.kind_points import NO_KINDS, KindPoints, kinds_of_tokens
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import letters_of
from bleuscope.content.style.markup import language_attribute, together
from bleuscope.content.style.scale import ScoreScale

NUMBERS_HELP = (
    "**Contribution to Δ**: what a segment adds to the difference between the corpus scores. "
    "**Δ**: B's segment score minus A's. **Tokens**: words and punctuation, as the tokenizer "
    "splits them."
)
"""What the numbers beside the segments are, as Markdown."""
ROWS_PER_SLICE = 20
"""Rows that are sent at once."""
NO_SCORE = Markup("")
PART = Markup(' title="contribution to Δ"')
MAX_CHARACTERS = 600
"""A longer text is read when its segment is open."""

CHANGES: Mapping[float, Change] = {1.0: "improved", -1.0: "regressed", 0.0: "reworded"}
SIGNS: Mapping[Change, tuple[str, str]] = {
    "improved": ("bs-better", "▲"),
    "regressed": ("bs-worse", "▼"),
    "reworded": ("bs-same", "~"),
    "unchanged": ("bs-same", "="),
}
"""The style and the sign of each change from one version to another."""
Line = Literal["source", "reference", "more references", "more systems", "other metrics"]
LINES: tuple[Line, ...] = ("source", "reference", "more references", "more systems", "other metrics")
DEFAULT_LINES: tuple[Line, ...] = ("reference",)


@dataclass(frozen=True)
class ListView:
    """What to show of each segment beside the outputs of A and B.

    Attributes:
        lines: Of ``LINES``.
        others: The further systems.
        layers: What is marked of what differs, or of the output of a single system.
        ngram: That is looked for, and boxed.
        errors: What people or a metric marked, or ``None``.
        of_kind: What segments lose to the kind of error that they were chosen by, or ``None``.
        versions: The names of an older and a newer version of one system, where A and B are these.
    """

    lines: AbstractSet[Line] = frozenset(DEFAULT_LINES)
    others: tuple[str, ...] = ()
    layers: AbstractSet[Layer] = field(default_factory=lambda: frozenset(DEFAULT_LAYERS))
    ngram: NGram = ()
    errors: MarkedErrors | None = None
    of_kind: KindPoints | None = None
    versions: tuple[str, str] | None = None


def list_html(rows: Sequence[Markup]) -> Markup:
    """Rows one beneath the other."""
    return Markup('<div class="bs-list">{}</div>').format(together(rows))


@dataclass(frozen=True)
class ListName:
    """What the browser knows a list by.

    Attributes:
        rows: Stands for the segments found and their order.
        shown: Stands for these, and for all that is shown of them.
        n_found: The number of segments.
    """

    rows: str
    shown: str
    n_found: int

    @property
    def n_slices(self) -> int:
        """The number of slices, the last of which can be shorter."""
        return -(-self.n_found // ROWS_PER_SLICE)


def hosts_html(place: Literal["above", "beneath"]) -> Markup:
    """Where the browser puts the rows above or beneath the open segment (``browser/rows.js``)."""
    return Markup('<div class="bs-list bs-{}" data-slice-rows="{}"></div>').format(place, ROWS_PER_SLICE)


def parcel_html(
    name: ListName, since: int, number: int, rows: Sequence[Markup], *, is_asked_for: bool = False
) -> Markup:
    """A slice of a list on its way to the browser.

    Args:
        name: Of the list.
        since: Rises with every list of a session. The browser ignores parcels of a list before its own.
        number: Of the slice, from 0.
        rows: Its rows.
        is_asked_for: Whether the address asks for this slice: it is brought into sight.
    """
    return Markup(
        '<template class="bs-parcel" data-list="{}" data-since="{}" data-order="{}" data-found="{}" data-slice="{}"{}>'
        "{}</template>"
    ).format(
        name.shown,
        since,
        name.rows,
        name.n_found,
        number,
        Markup(" data-asked") if is_asked_for else "",
        together(rows),
    )


def row_htmls(
    study: ComparisonContext, rows: Ints, first_place: int, parts: Floats | None, view: ListView
) -> list[Markup]:
    """Segments as rows that a press opens.

    Args:
        study: The systems.
        rows: The segments, from 0.
        first_place: Of the first of them among those found, from 1.
        parts: (S,), the part of every segment in the difference, or ``None``.
        view: What to show.
    """
    segments = rows.tolist()
    heads = _heads(study, rows, first_place, parts, view)
    names = tuple(dict.fromkeys((*study.sides, *(view.others if "more systems" in view.lines else ()))))
    matched = _matched(study, segments, names)
    kinds = kinds_of_tokens(study, names, segments)
    return [
        Markup('<article class="bs-row" data-place="{}" data-a="{}">{}<div class="bs-lines">{}</div></article>').format(
            first_place + offset,
            study.sides[0],
            heads[offset],
            together(
                [
                    *_context_lines(study, segment, view),
                    *_output_lines(study, segment, matched[offset], view, kinds[offset]),
                ]
            ),
        )
        for offset, segment in enumerate(segments)
    ]


def exchange_html(
    study: ComparisonContext,
    rows: Ints,
    parts: tuple[Floats | None, Floats | None],
    view: ListView,
    slices: Sequence[int] = (),
) -> Markup:
    """What the browser has to know to show rows with B as A before they are drawn so (``browser/exchange.js``).

    Nothing, unless these are the same but for the texts beside the signs of A and B, and the signs of numbers.

    Args:
        study: The systems, as they are shown.
        rows: The segments, from 0.
        parts: (S,), the part of every segment in the difference, or ``None``; and the same with B as A.
        view: What is shown.
        slices: The slices of the list that these rows are.
    """
    first, second = study.pair
    texts = [study.test_set.system(name).hypotheses for name in study.pair]
    facts, swapped = _facts(study, rows, parts[0]), _facts(study.swapped(), rows, parts[1])
    are_opposite = swapped == [[(title, numbers.other_way(fact)) for title, fact in one] for one in facts]
    on_one_line = [segment for segment in rows.tolist() if texts[0][segment] == texts[1][segment]]
    if first == second or not are_opposite or not all(_are_alike(study, segment, view) for segment in on_one_line):
        return Markup()
    return Markup('<span class="bs-exchanged-as" data-a="{}" data-b="{}" data-slices="{}"></span>').format(
        first, second, " ".join(map(str, slices))
    )


def exchanged_open_html(texts: Markup) -> Markup:
    """The texts of the open segment with B as A, as text: marks in the references are of another system then."""
    return Markup('<span class="bs-exchanged-open">{}</span>').format(str(texts))


def open_head(
    study: ComparisonContext, segment: int, place: int, parts: Floats | None, view: ListView | None = None
) -> Markup:
    """The head of the open segment, which a press closes; it stands in the place of its row."""
    (head,) = _heads(study, np.array([segment]), place, parts, view or ListView(), is_open=True)
    row = Markup('<article class="bs-row bs-opened" data-place="{}" data-a="{}">{}</article>')
    return row.format(place, study.sides[0], head)


def open_html(segment: int, marked: Markup) -> Markup:
    """The texts of the open segment beneath a heading for whoever hears the page."""
    return Markup('<div class="bs-reading"><h2 class="bs-unseen">Segment {}</h2>{}</div>').format(segment + 1, marked)


def ahead_html(place: int, head: Markup, texts: Markup) -> Markup:
    """The segment after the open one as text, which is shown once it is asked for (``browser/ahead.js``)."""
    return Markup('<span class="bs-ahead" data-place="{}">{}</span>').format(place, str(head + texts))


def _heads(
    study: ComparisonContext,
    rows: Ints,
    first_place: int,
    parts: Floats | None,
    view: ListView,
    *,
    is_open: bool = False,
) -> list[Markup]:
    """Number, document, part, Δ and change of each segment, on the button that opens or closes it."""
    documents = study.test_set.documents
    facts = _facts(study, rows, parts)
    changes = _changes(study, rows, view.versions) or [Markup()] * len(rows)
    known: list[FeatureNumbers | KindPoints] = [*feature_numbers(study)]
    known += [] if view.of_kind is None else [view.of_kind]
    found = []
    for offset, segment in enumerate(rows.tolist()):
        place = first_place + offset
        signed = [Markup('<span class="bs-signed"{}>{}</span>').format(*fact) for fact in facts[offset]]
        found.append(
            Markup(
                '<button class="bs-head" type="button" data-go="{}" aria-expanded="{}"><b>#{}</b>{}{}</button>'
            ).format(
                0 if is_open else place,
                "true" if is_open else "false",
                numbers.count(segment + 1),
                Markup("<bdi>{}</bdi>").format(documents[segment]) if documents is not None else "",
                together([*signed, *_told(known, segment), changes[offset], *_cut_mark(study, segment)]),
            )
        )
    return found


def _told(known: Sequence[FeatureNumbers | KindPoints], segment: int) -> list[Markup]:
    """What features say of a segment."""
    said = ((one.meaning, one.told(segment)) for one in known)
    return [Markup('<span class="bs-told" title="{}"><bdi>{}</bdi></span>').format(*one) for one in said if one[1]]


def _cut_mark(study: ComparisonContext, segment: int) -> list[Markup]:
    """That the segment begins or ends at a doubtful cut, where outputs were cut anew."""
    marks = study.test_set.labels.get(CUT_LABEL)
    return [Markup("<span>doubtful cut</span>")] if marks is not None and marks[segment] == DOUBTFUL else []


def _facts(study: ComparisonContext, rows: Ints, parts: Floats | None) -> list[list[tuple[Markup, str]]]:
    """What each segment adds to the difference, and how its scores differ, as far as that is known."""
    delta = segment_differences(study.evaluation, study.pair, study.metric) if study.compares else None
    write = ScoreScale.of(study.metric).difference
    found = []
    for segment in rows.tolist():
        facts = []
        if parts is not None:
            facts.append((PART, numbers.part(float(parts[segment]))))
        if delta is not None and not np.isnan(delta[segment]):
            facts.append((Markup(), f"Δ {write(float(delta[segment]))}"))
        found.append(facts)
    return found


def _changes(study: ComparisonContext, rows: Ints, versions: tuple[str, str] | None) -> list[Markup]:
    """What became of each segment from one version to the next; nothing where A and B are no versions of a system."""
    if versions is None or set(versions) != set(study.sides):
        return []
    older, newer = (study.test_set.system(name).hypotheses for name in versions)
    gains = ScoreScale.of(study.metric).gain(segment_differences(study.evaluation, versions, study.metric))
    found = []
    for segment in rows.tolist():
        kind = "unchanged" if older[segment] == newer[segment] else CHANGES[float(np.sign(gains[segment]))]
        style, sign = SIGNS[kind]
        found.append(
            Markup('<span class="bs-change {}" title="since {}">{} {}</span>').format(style, versions[0], sign, kind)
        )
    return found


def _matched(
    study: ComparisonContext, segments: Sequence[int], names: Sequence[str]
) -> list[dict[str, SegmentMatches]]:
    """What matches of each system in each segment: tokenized in one go, which has its price each time."""
    test_set = study.test_set
    texts = [_cut(test_set.system(name).hypotheses[segment]) for segment in segments for name in names]
    references = [
        [None if column[segment] is None else _cut(column[segment] or "") for column in test_set.references]
        for segment in segments
        for _ in names
    ]
    found = iter(match_segments(texts, references, study.options))
    return [{name: next(found) for name in names} for _ in segments]


def _context_lines(study: ComparisonContext, segment: int, view: ListView) -> list[Markup]:
    """The source and the references that are asked for."""
    test_set, lines = study.test_set, []
    if "source" in view.lines and test_set.source is not None:
        lines.append(_line(Markup("src"), "the source", _quiet(test_set.source[segment]), test_set.languages[0]))
    named = zip(test_set.reference_names or (), test_set.references, strict=True)
    references = [(name, text) for name, column in named if (text := column[segment]) is not None]
    wanted = references[: 1 if "reference" in view.lines else 0]
    wanted += references[1:] if "more references" in view.lines else []
    lines += [_line(Markup("ref"), name, _reference(study, text, view), test_set.languages[1]) for name, text in wanted]
    return lines


def _output_lines(
    study: ComparisonContext,
    segment: int,
    matched: Mapping[str, SegmentMatches],
    view: ListView,
    kinds: Mapping[str, Mapping[int, str]],
) -> list[Markup]:
    """The outputs, with only those words marked in which A and B differ; equal ones stand on one line."""
    letters, texts = (
        letters_of(study.sides),
        {name: study.test_set.system(name).hypotheses[segment] for name in matched},
    )
    differing = differences(matched, study.sides)
    target = study.test_set.languages[1]
    are_equal = study.compares and texts[study.sides[0]] == texts[study.sides[1]]
    lines = []
    for name, found in matched.items():
        if are_equal and name == study.sides[1]:
            continue
        letter = "A=B" if are_equal and name == study.sides[0] else letters.get(name, "")
        body = _marked(
            _cut(texts[name]),
            found.tokens,
            differing.get(name, frozenset()),
            view,
            _errors(name, segment, view),
            kinds.get(name, NO_KINDS),
            is_alone=not study.compares,
        )
        sign = Markup('<b class="bs-side" style="border-color:{}">{}</b>').format(
            study.looks[name].colour, letter or study.looks[name].glyph
        )
        lines.append(_line(sign, name, body + _rest(texts[name]), target, _scores(study, name, segment, view)))
    return lines


def _marked(  # noqa: PLR0913  # what there are marks of
    text: str,
    tokens: Sequence[TokenMatch],
    differing: AbstractSet[int],
    view: ListView,
    errors: Sequence[ErrorMark],
    kinds: Mapping[int, str],
    *,
    is_alone: bool,
) -> Markup:
    """An output with the marks of what differs; where that matches nothing, with the mark of differences."""
    shown = [
        one if is_alone or place in differing else one._replace(order=0, clipped=False)
        for place, one in enumerate(tokens)
    ]
    unmatched = frozenset(place for place in differing if not tokens[place].order and "differences" in view.layers)
    return marked_text(
        shown_text(text), shown, unmatched, view.layers, view.ngram, explains=False, errors=errors, kinds=kinds
    )


def _are_alike(study: ComparisonContext, segment: int, view: ListView) -> bool:
    """Whether what stands beside the outputs of A and B, and what is marked in equal ones, is the same."""
    (first, *rest) = [(_scores(study, name, segment, view), _errors(name, segment, view)) for name in study.pair]
    return rest == [first]


def _errors(name: str, segment: int, view: ListView) -> Sequence[ErrorMark]:
    return () if view.errors is None else view.errors.of_output(name, segment)


def _scores(study: ComparisonContext, name: str, segment: int, view: ListView) -> Markup:
    """The score in the metric that is compared in, and those of other metrics where they are asked for."""
    others = [one for one in compared_metrics(study.evaluation) if one is not study.metric]
    shown = [study.metric, *(others if "other metrics" in view.lines else ())]
    return together(_score(metric, name, segment, is_named=metric is not study.metric) for metric in shown)


def _score(metric: MetricEvaluation, name: str, segment: int, *, is_named: bool) -> Markup:
    value = float(metric.known_segment_scores(name)[segment])
    text = "" if np.isnan(value) else ScoreScale.of(metric).score(value)
    small = Markup("<small>{} </small>").format(metric.name) if is_named else ""
    return Markup('<span title="{}">{}{}</span>').format(metric.name, small, text)


def _line(sign: Markup, meaning: str, body: Markup, language: str | None, score: Markup = NO_SCORE) -> Markup:
    return Markup(
        '<span class="bs-sign-of" title="{}">{}</span><p dir="auto"{}>{}</p><span class="bs-score">{}</span>'
    ).format(meaning, sign, language_attribute(language), body, score)


def _reference(study: ComparisonContext, text: str, view: ListView) -> Markup:
    if not view.ngram:
        return _quiet(text)
    (found,) = match_segments([_cut(text)], [[]], study.options)
    return marked_reference(shown_text(_cut(text)), found.tokens, None, view.layers, view.ngram) + _rest(text)


def _quiet(text: str) -> Markup:
    return escape(shown_text(_cut(text))) + _rest(text)


def _rest(text: str) -> Markup:
    if not text:
        return Markup('<span class="bs-none">empty</span>')
    return escape("" if len(text) <= MAX_CHARACTERS else " …")


def _cut(text: str) -> str:
    return text[:MAX_CHARACTERS]
