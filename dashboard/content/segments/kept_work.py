"""What a person said about one test set, as a text that can be kept and read again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from dashboard.content.segments.blind_trial import PREFERENCES, BlindTrial, Preference, Preferences
from dashboard.content.segments.segment_notes import MAX_NOTE, MAX_TAG, Notes, SegmentNote

VERSION = 1
FIRST_SEED = 1


@dataclass(frozen=True)
class Work:
    """What a person typed and chose by hand, of what no link holds.

    Attributes:
        notes: Tags and notes by segment, counted from 0.
        trials: Preferences of each blind comparison.
        ended: The blind comparisons whose key was shown.
        blind_seed: That draws the sides of the blind comparison in hand.
        names: Names given by hand, as an address holds them.
        remarks: On the report.
    """

    notes: Notes = field(default_factory=dict)
    trials: Mapping[BlindTrial, Preferences] = field(default_factory=dict)
    ended: frozenset[BlindTrial] = frozenset()
    blind_seed: int = FIRST_SEED
    names: tuple[str, ...] = ()
    remarks: str = ""


def written(work: Work) -> str:
    """The work as JSON."""
    trials = [
        {
            "digest": trial.digest,
            "systems": list(trial.systems),
            "seed": trial.seed,
            "is_over": trial in work.ended,
            "preferences": {str(segment): preference for segment, preference in sorted(preferences.items())},
        }
        for trial, preferences in work.trials.items()
    ]
    return json.dumps(
        {
            "version": VERSION,
            "notes": {str(segment): [note.tag, note.note] for segment, note in sorted(work.notes.items())},
            "trials": trials,
            "blind_seed": work.blind_seed,
            "names": list(work.names),
            "remarks": work.remarks,
        },
        ensure_ascii=True,  # half characters can be typed, and UTF-8 has no bytes for them
        indent=1,
    )


def read(text: str, n_segments: int) -> Work:
    """What ``written`` gave.

    Raises:
        ValueError: The text is something else, or about a test set of more segments.
    """
    try:
        content = json.loads(text)
        if content["version"] != VERSION:
            raise ValueError(f"version {content['version']!r}, expected {VERSION}")
        trials = {_trial(one): _preferences(one["preferences"]) for one in content["trials"]}
        work = Work(
            {_number(segment): _note(*said) for segment, said in content["notes"].items()},
            trials,
            frozenset(_trial(one) for one in content["trials"] if one["is_over"]),
            _number(content["blind_seed"]),
            tuple(_text(name) for name in content["names"]),
            _text(content["remarks"]),
        )
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not what is kept here: {error}") from error
    if max((*work.notes, *(segment for trial in trials.values() for segment in trial)), default=-1) >= n_segments:
        raise ValueError(f"a segment beyond the {n_segments} of the test set")
    return work


def _trial(content: Mapping[str, Any]) -> BlindTrial:
    first, second = map(_text, content["systems"])
    return BlindTrial(_text(content["digest"]), (first, second), _number(content["seed"]))


def _preferences(content: Mapping[str, Any]) -> Preferences:
    if not set(content.values()) <= set(PREFERENCES):
        raise ValueError("not a preference")
    return {_number(segment): cast("Preference", preference) for segment, preference in content.items()}


def _note(tag: object, note: object) -> SegmentNote:
    return SegmentNote(_text(tag)[:MAX_TAG], _text(note)[:MAX_NOTE])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value


def _number(value: str | int) -> int:
    """A count or a number of a segment; JSON's keys are texts."""
    number = int(value)
    if number < 0:
        raise ValueError(f"{number} in place of a number from 0")
    return number
