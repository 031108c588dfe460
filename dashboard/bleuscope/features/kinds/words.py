"""What people read of kinds of errors."""

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from bleucore.analysis.kinds import KindStudy
from bleucore.analysis.marked_kinds import MARKED_IN_WMT23, MATCHED, MATCHED_MARKED_IN_WMT23, MarkedKinds
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    isolated,
    joined,
    note,
    paragraph,
    sentence,
    strong,
    verdict,
)

PLURALS = {
    "case": "case",
    "punctuation": "punctuation",
    "number": "numbers",
    "repeat": "repeated words",
    "word order": "word order",
    "name": "names",
    "other form": "other forms",
    "other word": "other words",
    "missing": "missing words",
    "length": "length",
}
"""What sentences call each kind."""
MEANINGS = {
    "case": "The word matches except for case.",
    "punctuation": "The token has neither a letter nor a digit.",
    "number": "The token has a digit.",
    "repeat": "The reference has the word, but less often.",
    "word order": "The words match, but not in this order.",
    "name": "A capitalised word inside a sentence, or a word of the source.",
    "other form": "The word begins like a reference word that is missing.",
    "other word": "Any other word that no reference has.",
    "missing": "A reference word with no counterpart in the output.",
    "length": "The brevity penalty, and what no other kind explains.",
}
"""What each kind means, in a sentence."""
METHOD = (
    "BLEU points are divided among kinds of errors along the line from the output's counts to those of a perfect "
    "output. Each n-gram without a match is charged to the tokens that break it."
)
READ_ALL = "The segments that gain or lose points by this kind."
MOST_NAMED = 3
MOST_MARKED_NAMED = 4
LEAST_NAMED = 0.005
"""Points: a kind with less is not named."""


def verdict_of(study: KindStudy) -> Text:
    """What the kinds come to: of two systems what the higher score consists of, of one what it lost most to."""
    if not study.compares:
        (one,) = study.losses
        named = _named(one.losses)
        if not named:
            return verdict("{} has no errors that cost BLEU.", strong(one.system))
        return verdict("{} loses most to {}.", strong(one.system), joined(", ", named))
    leader, other = study.losses[:: _direction(study)]
    gains = study.total_gains * -_direction(study)
    named = _named(gains) + _named(gains, against=True)[:1]
    if not named:
        return verdict("No kind makes a difference between {} and {}.", strong(leader.system), strong(other.system))
    if abs(leader.score - other.score) < LEAST_NAMED:
        names = strong(leader.system), strong(other.system)
        return verdict("{} and {} differ by less than {} BLEU: {}.", *names, str(LEAST_NAMED), joined(", ", named))
    return verdict(
        "{} scores {} BLEU above {}: {}.",
        strong(leader.system),
        numbers.score(leader.score - other.score),
        strong(other.system),
        joined(", ", named),
    )


def _direction(study: KindStudy) -> int:
    """-1 where B has the higher score or the same, else 1: the order in which the better system comes first."""
    first, second = study.losses
    return -1 if second.score >= first.score else 1


def _named(points: np.ndarray, *, against: bool = False) -> list[Sentence]:
    """The kinds with the most points above 0, or below it, with these."""
    towards = -points if against else points
    order = np.argsort(-towards, kind="stable")[:MOST_NAMED]
    return [
        sentence(f"{PLURALS[KINDS[place]]} {numbers.difference(float(points[place]))}")
        for place in order.tolist()
        if towards[place] >= LEAST_NAMED
    ]


def answer(study: KindStudy) -> Text | None:
    """The kinds that do most for the higher score, each with its bar."""
    found = leading_kinds(study)
    if not study.compares or not found:
        return None
    return points_for(study) + Text(tuple(found))


def points_for(study: KindStudy) -> Text:
    """What the numbers next to the bars are: points for the higher score."""
    leader = study.losses[:: _direction(study)][0]
    return paragraph("bs-answer-line", "In BLEU points for {}:", isolated(leader.system))


@dataclass(frozen=True)
class LeadingKind:
    """A kind among those that do most.

    Attributes:
        kind: Of ``KINDS``.
        points: What the better system gains by it; of a single system what it loses, below 0.
        share: Of the largest of them, from 0 to 1.
        segment: One that shows it, from 0; ``None`` without one.
    """

    kind: str
    points: float
    share: float
    segment: int | None

    def __html__(self) -> Markup:
        """The kind with its points, and a bar as long as these."""
        side = "for" if self.points > 0 else "against"
        return Markup(
            '<div class="bs-kind"><span>{}</span>'
            '<i class="bs-kind-bar bs-kind-{}" style="width:{:.0f}%"></i><b>{}</b></div>'
        ).format(PLURALS[self.kind], side, 100 * self.share, numbers.difference(self.points))

    def markdown(self) -> str:
        """The kind with its points."""
        return f"{PLURALS[self.kind]} {numbers.difference(self.points)}"


def leading_kinds(study: KindStudy) -> list[LeadingKind]:
    """The kinds by which the better of two systems gains or loses most, or a single one loses most."""
    segments = study.gains * -_direction(study) if study.compares else -study.losses[0].segments
    points = segments.sum(axis=0)
    order = np.argsort(-np.abs(points), kind="stable")[:MOST_NAMED].tolist()
    largest = float(np.abs(points).max())
    return [
        LeadingKind(KINDS[place], float(points[place]), abs(float(points[place])) / largest, _shown(segments[:, place]))
        for place in order
        if abs(points[place]) >= LEAST_NAMED
    ]


def _shown(values: np.ndarray) -> int | None:
    """The segment that has most of a kind, with the sign of the whole."""
    towards = -values if values.sum() < 0 else values
    place = int(towards.argmax())
    return place if towards[place] > 0 else None


def undivided(study: KindStudy) -> Text:
    """Which points belong to no kind, and why."""
    (alone, *others) = study.losses
    divided = [alone] if not others else [study]
    reasons = [one.reason or one.jump_reason for one in divided if abs(one.jump) >= LEAST_NAMED]
    return Text(tuple(note("{}", reason) for reason in dict.fromkeys(reasons) if reason))


def marked_note(marked: MarkedKinds | None) -> Text:
    """Which kinds raters mark: in these outputs where they are annotated, and in WMT23."""
    if marked is None:
        said = [
            sentence(f"{PLURALS[kind]} {numbers.percent(MARKED_IN_WMT23[kind])}")
            for kind in ("number", "name", "other word", "word order")
        ]
        return note("Of these differences, MQM raters marked as errors in WMT23 en-de: {}.", joined(", ", said))
    order = sorted(range(len(KINDS)), key=lambda place: -int(marked.tokens[place]))
    rows = [(PLURALS[KINDS[row]], row, MARKED_IN_WMT23[KINDS[row]]) for row in order if marked.tokens[row]]
    rows = [*rows[:MOST_MARKED_NAMED], ("words that match", MATCHED, MATCHED_MARKED_IN_WMT23)]
    said = [
        sentence(f"{numbers.percent(float(marked.shares[row]))} of {named} (WMT23: {numbers.percent(cited)})")
        for named, row, cited in rows
        if marked.tokens[row]
    ]
    outputs = numbers.counted(marked.n_outputs, "annotated output")
    return note("Raters marked as errors in {}: {}.", outputs, joined(", ", said))
