"""Two systems compared without their names: who stands on which side, and what the preferences say."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scipy.stats import binomtest

from dashboard.content.sheets.making import sheet_of
from dashboard.content.sheets.sheet import Field, Note, Sheet
from dashboard.content.significance.significance_words import p_phrase
from dashboard.content.style import numbers
from dashboard.content.style.sentences import Text, strong, verdict

Preference = Literal["left", "tie", "right"]
PREFERENCES: tuple[Preference, ...] = ("left", "tie", "right")
Preferences = Mapping[int, Preference]
"""By segment, counted from 0."""

LEVEL = 0.05
METHOD = (
    "Two-sided sign test: ties say nothing, and without a difference each other preference is a coin toss "
    "(Dixon and Mood 1946). Segments that were chosen because of their scores prove little."
)


@dataclass(frozen=True)
class BlindTrial:
    """Two systems of a test set whose sides are drawn anew for each segment.

    Attributes:
        digest: The test set's.
        systems: The two systems, in alphabetical order.
        seed: Another seed draws other sides.
    """

    digest: str
    systems: tuple[str, str]
    seed: int

    @classmethod
    def of(cls, digest: str, pair: tuple[str, str], seed: int) -> "BlindTrial":
        """The trial of two systems, whichever is A."""
        first, second = sorted(pair)
        return cls(digest, (first, second), seed)

    def sides(self, segment: int) -> tuple[str, str]:
        """The systems at the left and at the right of a segment (from 0): the same each time it is opened."""
        drawn = hashlib.sha256(f"{self.digest} {self.seed} {segment}".encode()).digest()[0]
        return self.systems if drawn % 2 == 0 else self.systems[::-1]

    def preferred(self, segment: int, preference: Preference) -> str | None:
        """The system preferred; ``None`` for a tie."""
        left, right = self.sides(segment)
        return {"left": left, "right": right, "tie": None}[preference]


@dataclass(frozen=True)
class BlindResult:
    """How often each system was preferred.

    Attributes:
        wins: Of the two systems of the trial.
        n_ties: How often neither was.
        p_value: Of the two-sided sign test; ``None`` where nothing but ties was found.
    """

    wins: tuple[int, int]
    n_ties: int
    p_value: float | None


def blind_result(trial: BlindTrial, preferences: Preferences) -> BlindResult:
    """Counts and sign test of what was preferred."""
    preferred = [trial.preferred(segment, preference) for segment, preference in preferences.items()]
    first, second = (preferred.count(name) for name in trial.systems)
    p_value = float(binomtest(first, first + second).pvalue) if first + second else None
    return BlindResult((first, second), preferred.count(None), p_value)


def blind_verdict(trial: BlindTrial, preferences: Preferences) -> Text:
    """What came out, in words."""
    result = blind_result(trial, preferences)
    return verdict(
        "{} was preferred in {}, {} in {}; {}. {}",
        strong(trial.systems[0]),
        numbers.counted(result.wins[0], "segment"),
        strong(trial.systems[1]),
        numbers.count(result.wins[1]),
        numbers.counted(result.n_ties, "tie"),
        _test_in_words(result),
    )


def blind_sheet(trial: BlindTrial, preferences: Preferences) -> Sheet:
    """Who stood where in each segment that was judged, and who was preferred, with the seed."""
    segments = sorted(preferences)
    left, right = ([trial.sides(segment)[side] for segment in segments] for side in (0, 1))
    preferred = [trial.preferred(segment, preferences[segment]) for segment in segments]
    ties = {row: Note("tie") for row, name in enumerate(preferred) if name is None}
    return sheet_of(
        "blind-comparison",
        ("Who was left and right in each segment, and who was preferred.", METHOD),
        [
            (Field("segment", "segment", "count", on_pages="#"), [segment + 1 for segment in segments]),
            (Field("left", "left", "text"), left),
            (Field("right", "right", "text"), right),
            (Field("preference", "preference", "text", off_pages=True), [preferences[one] for one in segments]),
            (Field("preferred system", "preferred", "text", notes=ties), preferred),
            (Field("seed", "seed", "count", off_pages=True), [trial.seed] * len(segments)),
        ],
        {"digest": trial.digest, "seed": trial.seed},
        title="Key: who was left and right",
    )


def _test_in_words(result: BlindResult) -> str:
    if result.p_value is None:
        return "Nothing but ties: there is nothing to test."
    first, second = result.wins
    is_real = result.p_value < LEVEL and first != second
    words = "It is hard to explain by chance" if is_real else "Chance alone explains it well enough"
    return f"{words} (sign test, {p_phrase(result.p_value)})."
