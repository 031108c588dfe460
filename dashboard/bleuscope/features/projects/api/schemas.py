"""What bodies and answers hold, as JSON Schema."""

from typing import Any

from bleuscope.features.projects.scored_versions import WHICH
from bleuscope.workspace.names import MAX_NAME
from bleuscope.workspace.projects import MAX_TAGS, MOST_CONFIG, MOST_STEPS
from bleuscope.workspace.push_payload import MOST_BYTES, MOST_UNPACKED

Schema = dict[str, Any]


def _text(description: str, **more: object) -> Schema:
    return {"type": "string", "description": description, **more}


def _texts(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _object(properties: Schema, required: tuple[str, ...] | None = None, **more: object) -> Schema:
    needed = list(properties if required is None else required)
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False, **more}


_NAME: Schema = {"minLength": 1, "maxLength": MAX_NAME}
_DIGEST = _text("SHA-256, in hexadecimal.", pattern="^[0-9a-f]{64}$")
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_WHOLE: Schema = {"type": "integer", "minimum": 0}
_LANGUAGES: Schema = {
    "type": "array",
    "items": {"type": ["string", "null"]},
    "minItems": 2,
    "maxItems": 2,
    "description": "Of source and target, null where it is not known.",
}
_REFERENCE = _object(
    {
        "name": _text("To show."),
        "file": _text("What it was read from."),
        "segments": {
            "type": "array",
            "items": {"type": ["string", "null"]},
            "description": "A text per segment, null where this reference lacks it.",
        },
    },
    ("segments",),
)
_SAID: Schema = {
    "system": _text("The name of the system.", **_NAME),
    "version": _text("The label of the version: with its run unique for its system and test set.", **_NAME),
    "run": {
        "type": ["string", "null"],
        "description": "Of which run (a seed) of the version the outputs are; null where it is not told.",
        **_NAME,
    },
    "step": {"type": ["integer", "null"], "minimum": 0, "maximum": MOST_STEPS, "description": "Of training."},
    "config": {"type": "object", "description": f"Settings, at most {MOST_CONFIG:,} characters."},
    "tags": {**_texts("Words."), "maxItems": MAX_TAGS},
}
_DONE: Schema = {
    "is_new": {"type": "boolean", "description": "Whether it was not there before."},
    "is_kept": {"type": "boolean", "description": "Whether it is there now: not after a dry run."},
}
_TEST_SET: Schema = {
    "test_set": _text("Its name."),
    "digest": {**_DIGEST, "description": "Of its texts."},
    "n_segments": _WHOLE,
    "languages": _LANGUAGES,
}

SCHEMAS: dict[str, Schema] = {
    "NewTestSet": _object(
        {
            "references": {"type": "array", "items": _REFERENCE, "description": "Needed where it is not there yet."},
            "source": _texts("A text per segment."),
            "documents": _texts("The document of each segment."),
            "labels": {"type": "object", "additionalProperties": _texts("A word per segment.")},
            "languages": _LANGUAGES,
        },
        (),
        description="Texts that outputs are scored against.",
    ),
    "NewSegment": _object(
        {
            "references": {"type": "array", "items": {"type": ["string", "null"]}},
            "source": _text("Its source."),
            "document": _text("Its document."),
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        (),
        description="A line of JSON Lines: one segment; all have the same fields.",
    ),
    "NewVersion": _object(
        {
            **_SAID,
            "made_at": {**_MOMENT, "description": "When the outputs were made, with its offset from UTC."},
            "file": _text("What the outputs were read from, for messages."),
            "outputs": _texts("A text per segment of the test set, in its order."),
        },
        ("system", "version", "outputs"),
        description="Outputs of a system. In JSON Lines the first line has all but the outputs, which follow, a string "
        "a line.",
    ),
    "TestSet": _object({"project": _text("Its slug."), **_TEST_SET, **_DONE}, ("project", *_TEST_SET, *_DONE)),
    "TestSets": _object({"test_sets": {"type": "array", "items": _object(_TEST_SET)}}),
    "Pushed": _object(
        {
            "project": _text("Its slug."),
            "test_set": _text("The name of the test set."),
            "system": _text("The name of the system."),
            "version": _text("The label."),
            "digest": {**_DIGEST, "description": "Of the outputs."},
            "n_segments": _WHOLE,
            "run": {"type": ["string", "null"], "description": "Of the version; null where it is not told."},
            **_DONE,
        }
    ),
    "Versions": _object(
        {
            "versions": {
                "type": "array",
                "items": _object({**_SAID, "digest": _DIGEST, "made_at": _MOMENT, "pushed_at": _MOMENT}),
            }
        },
        description="By system; the versions of one by step, or else by when they were made.",
    ),
    "Leaderboard": _object(
        {
            "project": _text("Its slug."),
            **_TEST_SET,
            "which": {**_text("Which version of each system stands there."), "enum": list(WHICH)},
            "signature": _text("To cite with the scores."),
            "interval": _text("How the intervals were drawn."),
            "systems": {
                "type": "array",
                "items": _object(
                    {
                        "name": _text("Of the system."),
                        "n_versions": {**_WHOLE, "description": "That it has on this test set."},
                        "version": _text("The label of the one that stands there."),
                        "step": {"type": ["integer", "null"]},
                        "made_at": _MOMENT,
                        "digest": {**_DIGEST, "description": "Of its outputs, or those of its first run."},
                        "n_runs": {"type": "integer", "minimum": 1, "description": "How many runs the version has."},
                        "bleu": {"type": "number", "description": "0 to 100; the mean of several runs."},
                        "deviation": {
                            "type": ["number", "null"],
                            "description": "The standard deviation of several runs.",
                        },
                        "interval": {
                            "type": ["array", "null"],
                            "items": {"type": "number"},
                            "minItems": 2,
                            "maxItems": 2,
                            "description": "95 % interval of the score; of several runs with the variance of runs.",
                        },
                    }
                ),
            },
        },
        description="Best first. Differences are tested on the page Leaderboard and by bleuscope history.",
    ),
    "Problem": _object(
        {
            "type": _text("Always about:blank: title and status say the kind."),
            "title": _text("The words of the status."),
            "status": {"type": "integer"},
            "detail": _text("What is wrong and what to do about it, in sentences."),
            "problem": _text("What is wrong, in a few words."),
            "where": _text("The field, test set or version concerned."),
            "line": {"type": "integer", "description": "The line or segment, counted from 1."},
            "found": _text("What is there."),
            "expected": _text("What should be there."),
            "remedy": _text("What to do."),
        },
        ("type", "title", "status", "detail", "problem"),
        description="RFC 9457.",
    ),
}
BOUNDS = f"A body has at most {MOST_BYTES:,} bytes on the wire and {MOST_UNPACKED:,} unpacked."
