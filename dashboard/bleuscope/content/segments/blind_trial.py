"""Two systems compared without their names: who stands on which side, and what the preferences say."""

from dataclasses import dataclass

from bleucore import InputError
from bleucore.formats import decoding
from bleucore.formats.formula_cells import as_typed
from bleucore.formats.tables import quoted_rows
from bleucore.significance.block_tests import sign_p
from bleucore.values import shown
from bleuscope.annotations import BlindTrial, Preference, Preferences
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.significance.verdict_words import p_phrase
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, strong, verdict

COLUMNS = ("segment", "left", "right", "preference", "seed")
"""Of a file of preferences; the system preferred follows from them."""
MAX_BYTES, MAX_DIGITS = 64 * 1024**2, 9
PREFERENCES: tuple[Preference, ...] = ("left", "tie", "right")

LEVEL = 0.05
METHOD = (
    "Two-sided sign test without ties: if the systems are equal, each preference is a coin toss "
    "(Dixon and Mood 1946). Segments chosen by their scores prove little."
)


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
    p_value = sign_p(first, first + second) if first + second else None
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
        title="Key: which system was left or right",
    )


def read_preferences(file: str, data: bytes, digest: str, n_segments: int) -> tuple[BlindTrial, Preferences]:
    """What ``blind_sheet`` was saved as: a table (TSV, or CSV by its name) with the columns named there.

    Args:
        file: The file's name.
        data: The file's bytes, perhaps compressed with gzip.
        digest: Of the test set that it has to be about.
        n_segments: Of that test set.

    Raises:
        InputError: A column is missing, a segment is not there or is there twice, or the sides are not those that the
            seed draws for these texts and names.
    """
    head, *rows = quoted_rows(file, decoding.decode(file, decoding.unpack(file, data, MAX_BYTES)))
    places = {title: head.cells.index(title) for title in COLUMNS if title in head.cells}
    if len(places) < len(COLUMNS) or not rows:
        raise _no_preferences(file, 1, ", ".join(map(shown, head.cells[: 2 * len(COLUMNS)])), ", ".join(COLUMNS))
    found: dict[int, Preference] = {}
    trials = set()
    for row in rows:
        said = {title: as_typed(row.cells[place]) for title, place in places.items()}
        segment, seed = (_whole(said[title]) for title in ("segment", "seed"))
        if segment is None or seed is None or not 1 <= segment <= n_segments or segment - 1 in found:
            expected = f"segments 1 to {n_segments}, each once, and one seed"
            raise _no_preferences(file, row.line, f"segment {shown(said['segment'])}", expected)
        preference = next((one for one in PREFERENCES if one == said["preference"]), None)
        trial = BlindTrial.of(digest, (said["left"], said["right"]), seed)
        trials.add(trial)
        if preference is None or trial.sides(segment - 1) != (said["left"], said["right"]) or len(trials) > 1:
            expected = f"one of {', '.join(PREFERENCES)}, and the sides that this test set has"
            raise _no_preferences(file, row.line, shown(said["preference"]), expected)
        found[segment - 1] = preference
    return trials.pop(), found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def _no_preferences(file: str, line: int, found: str, expected: str) -> InputError:
    return InputError(
        "these are no preferences of a blind comparison of this test set",
        where=file,
        line=line,
        found=found,
        expected=expected,
        remedy="Save them anew at the end of a blind comparison, and read them with the same texts and names.",
    )


def _test_in_words(result: BlindResult) -> str:
    if result.p_value is None:
        return "Only ties: there is nothing to test."
    first, second = result.wins
    is_real = result.p_value < LEVEL and first != second
    words = "Significant" if is_real else "Not significant"
    return f"{words} (sign test, {p_phrase(result.p_value)})."
