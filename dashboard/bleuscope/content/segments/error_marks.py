"""Errors that people or a metric marked, on the texts: a line beneath each by its severity, and a list of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from markupsafe import Markup

from bleucore.analysis.credited_and_marked import LEVELS, level_of
from bleucore.judgements.records import Judgements, Row, Side, Span
from bleuscope.content.style import numbers
from bleuscope.content.style.markup import together

MOST_ERRORS = 100
"""Of one text: more are counted, not shown."""
N_LANES = 4
"""Lines beneath each other; further ones that overlap are drawn over the first."""
SEVERITY_STYLES = ("bs-neutral", "bs-minor", "bs-major", "bs-critical")
NO_ERRORS = Markup("")


@dataclass(frozen=True)
class ErrorMark:
    """One error in a text.

    Attributes:
        label: What its place and its line of the list are called by ("1").
        span: Where it is, and what it is.
        said_by: The rater, or the system whose output has it from the source; "" where nobody is named.
        lane: How far beneath the text its line is, from 0: errors that overlap have different ones.
    """

    label: str
    span: Span
    said_by: str = ""
    lane: int = 0

    @property
    def style(self) -> str:
        """The classes of its line."""
        return f"bs-error {SEVERITY_STYLES[level_of(self.span.severity)]} bs-lane-{self.lane}"

    @property
    def words(self) -> str:
        """Severity, category and who says so."""
        return ", ".join(one for one in (_severity(self.span), self.span.category, self.said_by) if one)

    def around(self, body: Markup, *, begins: bool, ends: bool) -> Markup:
        """A piece of its text with the line beneath; the first says what it is, the last has its label."""
        said = Markup(' data-said="error {}, {}"').format(self.label, self.words) if begins else ""
        label = Markup(' data-label="{}"').format(self.label) if ends else ""
        return Markup('<span class="{}" title="{}"{}{}>{}</span>').format(self.style, self.words, said, label, body)


@dataclass(frozen=True)
class MarkedErrors:
    """What is marked in the texts of a test set.

    Attributes:
        key: Of their content: judgements of equal keys are the same.
        judgements: Aligned, with the names of systems that are shown.
    """

    key: str
    judgements: Judgements = field(compare=False, repr=False)

    @cached_property
    def _rows(self) -> Mapping[tuple[str, int], Sequence[Row]]:
        rows: dict[tuple[str, int], list[Row]] = {}
        for row in self.judgements.rows:
            if row.number is not None:
                rows.setdefault((row.system, row.number), []).append(row)
        return rows

    def is_judged(self, system: str, segment: int) -> bool:
        """Whether anybody judged a segment (from 0) of a system."""
        return (system, segment) in self._rows

    def of_output(self, system: str, segment: int) -> tuple[ErrorMark, ...]:
        """The errors in an output, in the order of their places; what is missing comes last."""
        found = [
            (span, row.rater)
            for row in self._rows.get((system, segment), ())
            for span in row.spans
            if span.side == "target"
        ]
        return _in_lanes(found)

    def of_source(self, systems: Sequence[str], segment: int) -> tuple[ErrorMark, ...]:
        """The errors of some systems' outputs that are marked in the source."""
        found = [
            (span, system)
            for system in systems
            for row in self._rows.get((system, segment), ())
            for span in row.spans
            if span.side == "source"
        ]
        return _in_lanes(found, "s")


def errors_html(errors: Sequence[ErrorMark], text: str, side: Side = "target", *, is_judged: bool = True) -> Markup:
    """All errors of a text, one a line: severity, what stands there or that it is missing, category, who says so."""
    if not errors:
        words = "" if side == "source" else "no error marked" if is_judged else "not judged"
        return Markup('<p class="bs-none">{}</p>').format(words) if words else NO_ERRORS
    items = [_item(error, text) for error in errors[:MOST_ERRORS]]
    if len(errors) > MOST_ERRORS:
        items.append(Markup("<li>{} more</li>").format(numbers.count(len(errors) - MOST_ERRORS)))
    return Markup('<ul class="bs-errors" aria-label="errors that are marked">{}</ul>').format(together(items))


def _item(error: ErrorMark, text: str) -> Markup:
    span = error.span
    written = Markup("<b>missing</b>") if span.is_missing else _quoted(text[span.start : span.end])
    parts = [Markup("<bdi>{}</bdi>").format(one) for one in (span.category, error.said_by) if one]
    return Markup('<li><span class="bs-error-label">{}</span> <span class="{}">{}</span> {}</li>').format(
        error.label,
        f"bs-error {SEVERITY_STYLES[level_of(span.severity)]}",
        _severity(span),
        Markup(" · ").join([written, *parts]),
    )


def _quoted(text: str) -> Markup:
    return Markup('<q dir="auto">{}</q>').format(text) if text.strip() else Markup("between words")


def _severity(span: Span) -> str:
    return span.severity or LEVELS[level_of(span.severity)]


def _in_lanes(found: Sequence[tuple[Span, str]], prefix: str = "") -> tuple[ErrorMark, ...]:
    """Numbered in the order of their places, each in the first lane that is free there."""
    in_order = sorted(found, key=lambda one: (one[0].is_missing, one[0].start, -one[0].end))
    ends, made = [0] * N_LANES, list[ErrorMark]()
    for number, (span, said_by) in enumerate(in_order, start=1):
        lane = next((lane for lane, end in enumerate(ends) if end <= span.start), 0)
        if not span.is_missing:
            ends[lane] = max(ends[lane], span.end)
        made.append(ErrorMark(f"{prefix}{number}", span, said_by, lane))
    return tuple(made)
