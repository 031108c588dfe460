"""What a check says: findings, with the segments they are about."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, SubjectKind
from bleucore.counts import Ints, read_only
from bleucore.written_numbers import count

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


_NEARLY_ALL = 0.9
"""Of the outputs of a system, from which what is found is no accident of single segments."""

_FEW_SEGMENTS = 10


@dataclass(frozen=True)
class Shift:
    """A run of lines that hold the texts of other lines.

    Attributes:
        start: The first segment of the run, from 0.
        stop: The segment after its last.
        amount: How many lines too late each text stands; negative if it stands too early.
    """

    start: int
    stop: int
    amount: int


@dataclass(frozen=True, eq=False)
class Repair:
    """Texts as they would be without a fault. Nothing loads them: they tell what the fault costs.

    Attributes:
        segments: (R,), whose texts differ then, from 0, rising, read-only.
        texts: R texts.
        is_whole: Whether nothing of the fault is left then. Otherwise it costs at least what the repair gains.
        exchanged_with: The system, from 0, that holds the texts of a reference and gets its own; ``None`` without one.
    """

    segments: Ints
    texts: tuple[str, ...]
    is_whole: bool
    exchanged_with: int | None = None
    _scores: dict[Any, float] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, compute: Callable[[], float]) -> float:
        """What a score is with these texts, computed on the first call."""
        if key not in self._scores:
            self._scores[key] = compute()
        return self._scores[key]


@dataclass(frozen=True)
class Finding:
    """Something about a test set that a person should look at. The texts stay as they are.

    Attributes:
        check: The name of the check in ``CHECKS``.
        severity: ``"error"`` if the scores are very probably wrong or off by a point or more, ``"warning"`` if somebody
            has to look, ``"note"`` if it is worth knowing.
        kind: What it is about.
        index: Which of the systems or references, from 0; ``None`` for the source and the test set.
        subject: What it is about, in words: "System 'online-A'", "Reference 1", "Source", "Test set".
        message: What was found, one sentence with numbers. Names are as users wrote them.
        remedy: What to do, one sentence or two.
        segments: (F,), the flagged segments from 0, rising, read-only.
        shifts: The runs of shifted lines, in order; only of ``"shifted-lines"``.
        repair: The texts without the fault; ``None`` where nobody can derive them, as of an empty output.
        cost: BLEU of the repaired texts less BLEU of the texts as they are; of a reference, the median of up to three
            systems. ``None`` where no repair can be derived. A repair that is not whole gives the least.
    """

    check: str
    severity: Severity
    kind: SubjectKind
    index: int | None
    subject: str
    message: str
    remedy: str
    segments: Ints
    shifts: tuple[Shift, ...] = ()
    repair: Repair | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Cure:
    """What takes a difference of writing away that is no difference of words.

    Attributes:
        apply: A text -> the text without what differs; for outputs and references alike.
        words: How texts are scored then, as in "scored in lower case".
    """

    apply: Callable[[str], str]
    words: str


@dataclass(frozen=True, eq=False)
class Observation:
    """A finding before it has the name of its check.

    Attributes:
        column: What it is about; ``None`` for the test set.
        segments: (S,), whether each segment is flagged.
        severity: As in ``Finding``, and so are the others.
        cure: What takes the cause away without changing words; ``None`` where there is no such thing.
        repair: Derives the texts without the fault; ``None`` where that is impossible.
        repaired: What it derived.
        cost: As in ``Finding``.
        is_of_writing: Whether texts differ in writing alone: what costs nothing then is a note, however often it is.
        is_felt: Whether scores feel it, as far as is known.
    """

    column: CheckedColumn | None
    severity: Severity
    message: str
    remedy: str
    segments: Bools
    shifts: tuple[Shift, ...] = ()
    cure: Cure | None = None
    repair: Callable[[], Repair | None] | None = None
    repaired: Repair | None = None
    cost: float | None = None
    is_of_writing: bool = False
    is_felt: bool = True

    def named(self, check: str, *, can_change_scores: bool = True) -> Finding:
        """The finding. What concerns nearly all outputs of a system is an error, if it can change scores at all."""
        segments: Ints = read_only(np.flatnonzero(self.segments))
        kind: SubjectKind = "test set" if self.column is None else self.column.kind
        is_everywhere = len(segments) >= max(_FEW_SEGMENTS, _NEARLY_ALL * len(self.segments))
        return Finding(
            check,
            "error" if kind == "system" and is_everywhere and can_change_scores and self.is_felt else self.severity,
            kind,
            None if self.column is None else self.column.index,
            "Test set" if self.column is None else self.column.title,
            self.message,
            self.remedy,
            segments,
            self.shifts,
            self.repaired,
            self.cost,
        )


def of_all(n_flagged: int, n_segments: int, noun: str = "segment") -> str:
    """How many of how many, as in "3 of 2,037 segments"."""
    return f"{count(n_flagged)} of {count(n_segments)} {noun}{'s' * (n_segments != 1)}"
