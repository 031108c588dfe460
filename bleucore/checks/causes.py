"""One cause, one finding: what a fault of a whole column brings about is not reported a second time.

Lines that were read with a wrong encoding have words that no other text has; lines of a copied reference have its
faults; a reference in another script makes every system look foreign. The finding that names the cause stands alone. It
has to be about nearly all segments of what it explains, so that another fault of the same column stays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.findings import Observation

Found: TypeAlias = tuple[str, Observation]
"""The name of a check, and what it found."""

_NEARLY_ALL, _MOST, _WHOLE = 0.9, 0.8, 0.5
"""Of the segments of a column's finding that a closer one has, of the segments of what is explained, and of the texts
of a column, from which a fault is one of the whole column."""

_OF_WORDS = (
    *("unrelated-lines", "unrelated-outputs", "another-language", "source-words", "duplicated-lines"),
    *("length-outliers", "truncated-outputs", "changed-numbers", "changed-names", "letter-case", "missing-accents"),
    *("missing-punctuation", "unusual-proportions", "unusual-beginnings", "unusual-endings"),
    *("quoted-outputs", "repetition-loops", "tokenised-text", "near-references", "partial-copies"),
)
"""Checks that hold the words of a text against those of others: any fault that changes words can set them off."""

_OF_MODELS = ("refusals", "preambles", "notes", "variants", "markup")
_OF_CHARACTERS = (
    *("wrong-decoding", "control-characters", "replacement-characters", "invisible-characters", "line-separators"),
    *("mixed-normal-forms", "look-alike-letters", "full-width-letters", "escaped-text", "special-tokens"),
    *("html-tags", "subword-marks", "byte-order-marks"),
)
_OF_PLACES = ("empty-lines", "duplicated-lines", "unusual-beginnings", "unusual-endings", "unusual-proportions")
_ANY = (*_OF_CHARACTERS, *_OF_MODELS, *_OF_WORDS, "wrong-script", "empty-lines", "unusual-spacing")

CAUSES: Mapping[str, tuple[str, ...]] = {
    "identical-systems": (*_ANY, "copied-reference", "copied-source"),
    "copied-reference": (*_ANY,),
    "near-references": (
        *(one for one in _ANY if one not in ("letter-case", "full-width-letters")),
        "copied-reference",
    ),
    "copied-source": _ANY,
    "empty-lines": _OF_WORDS,
    "no-text": (*_ANY, "shifted-lines", "reordered-lines"),
    "wrong-decoding": (
        *(one for one in _OF_CHARACTERS if one != "wrong-decoding"),
        *_OF_WORDS,
        "wrong-script",
        "unusual-spacing",
    ),
    "escaped-text": ("unusual-spacing", "html-tags", "special-tokens", *_OF_MODELS, *_OF_WORDS),
    "html-tags": (*_OF_MODELS, *_OF_WORDS),
    "subword-marks": ("unusual-spacing", *_OF_MODELS, *_OF_WORDS),
    "special-tokens": ("unusual-spacing", *_OF_MODELS, *_OF_WORDS),
    "invisible-characters": ("unusual-spacing", *_OF_MODELS, *_OF_WORDS),
    "look-alike-letters": (*_OF_WORDS, "wrong-script"),
    "full-width-letters": (*_OF_WORDS, "wrong-script"),
    "mixed-normal-forms": _OF_WORDS,
    "control-characters": ("line-separators", "wrong-decoding", *_OF_WORDS),
    "replacement-characters": _OF_WORDS,
    "wrong-script": ("unusual-spacing", *_OF_WORDS, *_OF_MODELS),
    "unusual-spacing": _OF_WORDS,
    "duplicated-lines": (*_OF_WORDS, *_OF_MODELS),
    "unrelated-lines": (*_OF_WORDS, *_OF_MODELS),
    "reordered-lines": (*_OF_WORDS, "empty-lines"),
    "preambles": ("refusals", "notes", "variants", "markup", *_OF_WORDS),
    "markup": ("quoted-outputs", *_OF_WORDS),
    "quoted-outputs": ("unusual-beginnings", "unusual-endings"),
    "unusual-endings": ("preambles", "notes", "truncated-outputs", "missing-punctuation"),
    "repetition-loops": ("length-outliers", "unusual-proportions", "unusual-endings"),
}
"""What each fault of a whole column brings about in the same column."""

_WIDE: Mapping[str, tuple[str, ...]] = {
    "unusual-proportions": (
        *("truncated-outputs", "length-outliers", "unusual-endings", "missing-punctuation"),
        *("unrelated-outputs", "changed-numbers", "changed-names"),
    ),
    "unusual-beginnings": ("markup", "preambles", "variants", "changed-numbers"),
    "unusual-endings": ("truncated-outputs", "missing-punctuation", "changed-numbers", "changed-names"),
}
"""Checks of the distribution of a column, and what they explain unless a closer check is about nearly those lines."""

_BY_REFERENCES = ("wrong-script", "mixed-normal-forms", *_OF_WORDS, "exchanged-references")
"""Checks that hold systems against references: of no use where the only reference is at fault as a whole."""

Observe: TypeAlias = Callable[[Columns], Sequence[Found]]


def by_cause(columns: Columns, found: Sequence[Found], observe: Observe) -> list[Found]:
    """What was found, without what a fault of a whole column brings about in that column and in others.

    Args:
        columns: The texts.
        found: What all checks found.
        observe: Runs the same checks on other columns.
    """
    kept = _within_columns(_with_the_closest(found))
    at_fault = {
        one.column: None
        for name, one in kept
        if one.column is not None and _is_target(one) and one.severity != "note" and _is_at_fault(name, one)
    }
    blamed = [one for _, one in kept if _is_target(one) and one.column not in at_fault and one.severity != "note"]
    if not at_fault or not blamed:
        return kept
    remaining = _without(columns, tuple(at_fault))
    if remaining is None:
        return [
            (name, one)
            for name, one in kept
            if one.column in at_fault or not (_is_target(one) and name in _BY_REFERENCES)
        ]
    still = {(name, _title(one)) for name, one in observe(remaining) if one.severity != "note"}
    return [
        (name, one)
        for name, one in kept
        if one.column in at_fault or not _is_target(one) or one.severity == "note" or (name, _title(one)) in still
    ]


def _with_the_closest(found: Sequence[Found]) -> list[Found]:
    """Without what the distribution of a column explains; or without that, where a closer check is about its lines."""
    kept = list(found)
    for name, wide in found:
        if name not in _WIDE or (name, wide) not in kept:
            continue
        beside = [(other, one) for other, one in kept if one is not wide and one.column is wide.column]
        folded = _WIDE[name]
        if any(
            other not in _WIDE and (one.repair or other not in folded) and _covers(one, wide) for other, one in beside
        ):
            kept.remove((name, wide))
        else:
            kept = [pair for pair in kept if pair not in beside or pair[0] not in folded]
    return kept


def _covers(one: Observation, wide: Observation) -> bool:
    """Whether a warning or error is about nearly all segments of another."""
    n_both = int((one.segments & wide.segments).sum())
    return one.severity != "note" and n_both >= _NEARLY_ALL * int(wide.segments.sum())


def _within_columns(found: Sequence[Found]) -> list[Found]:
    """Without what other findings about the same column explain."""
    explained: set[int] = set()
    for place, (name, cause) in enumerate(found):
        if place in explained or not _is_whole(name, cause):
            continue
        for other, (effect, one) in enumerate(found):
            is_other = other != place and one.column is cause.column and one.severity != "note"
            if is_other and other not in explained and _explains(name, cause, effect, one):
                explained.add(other)
    return [pair for place, pair in enumerate(found) if place not in explained]


def _explains(name: str, cause: Observation, effect: str, one: Observation) -> bool:
    if name == "shifted-lines":  # lines were put in or left out somewhere: those are empty or there twice
        n_moved = sum(abs(shift.amount) for shift in cause.shifts)
        return effect in _OF_PLACES and int(one.segments.sum()) <= max(n_moved, 1)
    if effect not in CAUSES[name]:
        return False
    n_both, n_effect = int((one.segments & cause.segments).sum()), int(one.segments.sum())
    return n_both >= _MOST * n_effect or _share(cause) >= _NEARLY_ALL


def _is_whole(name: str, one: Observation) -> bool:
    """Whether a finding names a cause and is about so much of a column that other findings can come from it."""
    if one.severity == "note" or one.column is None or not (name in CAUSES or name == "shifted-lines"):
        return False
    return _share(one) >= _WHOLE


def _is_at_fault(name: str, one: Observation) -> bool:
    """Whether a column has a fault that other columns are better not held against."""
    is_of_column = name in _WIDE or _is_whole(name, one)
    return _share(one) >= (_WHOLE if is_of_column else _NEARLY_ALL)


def _share(one: Observation) -> float:
    """Segments of a finding, per text of its column."""
    n_filled = len(one.segments) if one.column is None else max(1, int((one.column.lengths > 0).sum()))
    return int(one.segments.sum()) / n_filled


def _is_target(one: Observation) -> bool:
    return one.column is not None and one.column.kind in ("system", "reference")


def _title(one: Observation) -> str:
    return "" if one.column is None else one.column.title


def _without(columns: Columns, left_out: Sequence[CheckedColumn]) -> Columns | None:
    """The columns but some; ``None`` where no system or no reference is left."""
    systems, references = (
        tuple(_numbered(one, number) for number, one in enumerate(one for one in group if one not in left_out))
        for group in (columns.systems, columns.references)
    )
    if not systems or not references:
        return None
    return replace(columns, systems=systems, references=references, _results={})


def _numbered(column: CheckedColumn, index: int) -> CheckedColumn:
    """The same column in another place, with all that was read of it."""
    placed = replace(column, index=index)
    placed.__dict__.update({key: value for key, value in column.__dict__.items() if key not in placed.__dict__})
    return placed
