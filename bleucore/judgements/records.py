"""What people said about translations, as read: rows, error spans and a scale, in columns that nobody can change."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.formats.columns import refuse_excess
from bleucore.metrics.segment_scores import LARGEST_SCORE
from bleucore.values import name_of, shown

Protocol: TypeAlias = Literal["DA", "ESA", "MQM", "SQM", "pairwise", "pointwise", "scores"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
Side: TypeAlias = Literal["target", "source"]

UNPLACED = -1
"""The segment of a row that is not aligned, and both ends of a span of what is missing."""


@dataclass(frozen=True)
class Scale:
    """What values mean.

    Attributes:
        name: To show ("0 to 100").
        low: The lowest value there is, ``None`` where there is no bound or it is not known.
        high: The highest.
        higher_is_better: False for penalties and edits.
    """

    name: str = "as in the file"
    low: float | None = None
    high: float | None = None
    higher_is_better: bool = True


@dataclass(frozen=True)
class Span:
    """A stretch of a text that somebody marked.

    Attributes:
        start: Its first character, from 0; ``UNPLACED`` where something is missing from the text.
        end: One behind its last character; ``UNPLACED`` with ``start``.
        severity: In lower case ("minor", "major", "critical", "neutral"); "" where none was said.
        category: As written ("accuracy/omission"); "" where none was said.
        side: The text it is in.
        weight: The penalty that the file gives it; ``None`` where it gives none.
        text: What the file says stands there; ``None`` where it says nothing.
        comment: What the rater says of it.
    """

    start: int
    end: int
    severity: str = ""
    category: str = ""
    side: Side = "target"
    weight: float | None = None
    text: str | None = None
    comment: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether it marks what the text lacks, at no place."""
        return self.start == UNPLACED


@dataclass(frozen=True, eq=False)
class Spans:
    """All spans of some judgements, in columns of one length E, in the order of the rows.

    Attributes:
        rows: (E,), the judgement each belongs to, rising.
        starts: (E,), first characters; ``UNPLACED`` for what is missing.
        ends: (E,), one behind the last character; ``UNPLACED`` for what is missing.
        severities: E names in lower case.
        categories: E names.
        on_source: (E,), whether it is in the source.
        weights: (E,), penalties of the file; NaN where it gives none.
        texts: E texts, ``None`` where the file says none.
    """

    rows: Ints
    starts: Ints
    ends: Ints
    severities: tuple[str, ...]
    categories: tuple[str, ...]
    on_source: np.ndarray[Any, np.dtype[np.bool_]]
    weights: Floats
    texts: tuple[str | None, ...]

    @classmethod
    def of_rows(cls, spans: Sequence[Sequence[Span]]) -> "Spans":
        """The spans of each row, put together."""
        flat = [(row, span) for row, of_row in enumerate(spans) for span in of_row]
        return cls(
            read_only(np.array([row for row, _ in flat], np.int64)),
            read_only(np.array([span.start for _, span in flat], np.int64)),
            read_only(np.array([span.end for _, span in flat], np.int64)),
            tuple(span.severity for _, span in flat),
            tuple(span.category for _, span in flat),
            read_only(np.array([span.side == "source" for _, span in flat], np.bool_)),
            read_only(np.array([np.nan if span.weight is None else span.weight for _, span in flat], np.float64)),
            tuple(span.text for _, span in flat),
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.severities)

    def of(self, row: int) -> tuple[Span, ...]:
        """The spans of one row."""
        first, behind = np.searchsorted(self.rows, [row, row + 1])
        return tuple(self[index] for index in range(first, behind))

    def __getitem__(self, index: int) -> Span:
        """One of them."""
        weight = float(self.weights[index])
        return Span(
            int(self.starts[index]),
            int(self.ends[index]),
            self.severities[index],
            self.categories[index],
            "source" if self.on_source[index] else "target",
            None if np.isnan(weight) else weight,
            self.texts[index],
        )


class Draw(NamedTuple):
    """How a segment came to be judged, where some were drawn of a test set.

    Attributes:
        weight: How many segments of the test set it stands for: 1 over the probability that it is drawn.
        stratum: Among which segments it was drawn, from 1.
        unit: What was drawn: the segment's number, or its document.
    """

    weight: float
    stratum: int
    unit: str


class Contest(NamedTuple):
    """That an output was judged next to another system's output of the same segment.

    Attributes:
        rival: The other system, named as in the file.
        is_first: Whether the judge saw this output before the rival's.
    """

    rival: str
    is_first: bool


class Row(NamedTuple):  # there are many, and a dataclass takes four times as long to make
    """One judgement, as a reader finds it.

    Attributes:
        line: Of the file, from 1; the item of an array where it has no lines.
        system: Its name in the file; "" where the file is of one system and does not say which.
        number: The segment as the file counts them; ``None`` where it does not.
        rater: Who judged; "" where the file does not say.
        value: The judgement; ``None`` where it follows from the spans.
        spans: What was marked.
        target: The translation as the file has it, ``None`` where it has none.
        source: The source, in the same way.
        document: The document's name, in the same way; ``number`` counts within it then.
        draw: How the segment was drawn, where the file says it.
        contest: The rival, where two outputs were compared: a comparison makes a row for each, of 1 for the winner, 0
            for the loser and 0.5 for both in a tie.
        message: What the judge was asked, where nothing else says what it judged; the row is of the output shown first.
    """

    line: int
    system: str
    number: int | None
    rater: str = ""
    value: float | None = None
    spans: tuple[Span, ...] = ()
    target: str | None = None
    source: str | None = None
    document: str | None = None
    draw: Draw | None = None
    contest: Contest | None = None
    message: str | None = None


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements of some systems' segments, by people or by a metric. Equal to itself alone.

    Attributes:
        name: To show.
        file: The file's name as given.
        protocol: How was judged; "scores" for metrics, and where the file does not say.
        rows: n of them. Those of ``aligned`` judgements have systems and segment numbers (from 0) of the test set.
        spans: What was marked, in columns.
        scale: What the values mean.
        first_number: What the file counts segments from, 0 or 1; ``None`` where nobody says.
        block_sizes: For each system, how many lines the file has of it, where lines are all that places them.
        languages: The language pair ("en-de"), ``None`` where the file does not say.
        notices: What was left out or read in another way than it is written, in sentences to be shown.
        are_of_models: Whether language models judged, and no people.
        unclear: How many answers of each rater hold no verdict; none of them is a row.

    Raises:
        InputError: Values are not finite, or people gave one that their scale does not have; or there is nothing.
    """

    name: str
    file: str
    protocol: Protocol
    rows: tuple[Row, ...]
    scale: Scale = Scale()
    first_number: Literal[0, 1] | None = None
    block_sizes: Mapping[str, int] | None = None
    languages: str | None = None
    notices: tuple[str, ...] = ()
    are_of_models: bool = False
    unclear: Mapping[str, int] = field(default_factory=dict)
    spans: Spans = field(init=False)
    values: Floats = field(init=False)

    def __post_init__(self) -> None:
        refuse_excess(self.file, len(self.rows) + sum(len(row.spans) for row in self.rows))
        if not self.rows:
            raise nothing_judged(self.file)
        name_of("Judgements", self.name)
        self._refuse_beyond(-LARGEST_SCORE, LARGEST_SCORE, "the judgement is not a number")
        low, high = self.scale.low, self.scale.high
        if self.protocol != "scores" and low is not None and high is not None:
            self._refuse_beyond(low, high, "the judgement is not on its scale")
        object.__setattr__(self, "spans", Spans.of_rows([row.spans for row in self.rows]))
        values = [np.nan if row.value is None else row.value for row in self.rows]
        object.__setattr__(self, "values", read_only(np.array(values, np.float64)))

    def _refuse_beyond(self, low: float, high: float, problem: str) -> None:
        for row in self.rows:
            if row.value is not None and not low <= row.value <= high:
                raise InputError(
                    problem,
                    where=f"{self.file}, system {shown(row.system)}",
                    line=row.line,
                    found=shown(row.value),
                    expected=f"a number from {low:g} to {high:g}",
                    remedy="Take the line out if there is no judgement.",
                )

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order of the rows."""
        return tuple(dict.fromkeys(row.system for row in self.rows))

    def of_raters(self, raters: Collection[str], name: str) -> "Judgements":
        """What some of the raters said, under a name."""
        wanted = frozenset(raters)
        rows = tuple(row for row in self.rows if row.rater in wanted)
        unclear = {rater: number for rater, number in self.unclear.items() if rater in wanted}
        return replace(self, name=name, rows=rows, unclear=unclear)

    def named_as(self, names: Mapping[str, str]) -> "Judgements":
        """The same with other names of systems; those without another one keep theirs."""
        if all(names.get(system, system) == system for system in self.systems):
            return self
        return replace(self, rows=tuple(row_named_as(row, names) for row in self.rows))

    @property
    def raters(self) -> tuple[str, ...]:
        """Who judged, in the order of the rows."""
        return tuple(dict.fromkeys(row.rater for row in self.rows))


def row_named_as(row: Row, names: Mapping[str, str | None]) -> Row:
    """The row with other names of its system and rival; those without another one keep theirs."""
    contest = row.contest and row.contest._replace(rival=names.get(row.contest.rival) or row.contest.rival)
    return row._replace(system=names.get(row.system) or row.system, contest=contest)


def nothing_judged(file: str, found: str = "no judgement") -> InputError:
    """The refusal of a file without any judgement."""
    return InputError(
        "nobody has judged anything",
        where=file,
        found=found,
        expected="at least one judgement",
        remedy="Load the file that holds the judgements.",
    )
