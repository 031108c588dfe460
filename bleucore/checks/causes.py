"""One cause, one finding: what a fault of a whole column brings about is not reported a second time.

Lines that were read with a wrong encoding have words that no other text has; lines of a copied reference have its
faults; a reference in another script makes every system look foreign. The finding that names the cause stands alone. It
has to be about nearly all segments of what it explains, so that another fault of the same column stays.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import CheckedColumn, Columns, SubjectKind
from bleucore.checks.findings import Observation, Repair

Found: TypeAlias = tuple[str, Observation]
"""The name of a check, and what it found."""

_NEARLY_ALL, _MOST, _WHOLE = 0.9, 0.8, 0.5
"""Of the segments of a column's finding that a closer one has, of the segments of what is explained, and of the texts
of a column, from which a fault is one of the whole column."""

_OF_WORDS = (
    *("unrelated-lines", "unrelated-outputs", "another-language", "source-words", "duplicated-lines"),
    "unknown-words",
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
    "unknown-words": (
        *("another-language", "source-words", "unrelated-outputs", "changed-numbers", "changed-names"),
        *("missing-accents", "near-references", "tokenised-text", "exchanged-references"),
    ),
    "reversed-words": (*_OF_WORDS, *_OF_MODELS),
    "duplicated-lines": (*_OF_WORDS, *_OF_MODELS),
    "unrelated-lines": (*_OF_WORDS, *_OF_MODELS),
    "reordered-lines": (*_OF_WORDS, "empty-lines"),
    "preambles": ("refusals", "notes", "variants", "markup", *_OF_WORDS),
    "markup": ("quoted-outputs", *_OF_WORDS),
    "quoted-outputs": ("unusual-beginnings", "unusual-endings"),
    "unusual-beginnings": (),
    "unusual-endings": ("preambles", "notes", "truncated-outputs", "missing-punctuation"),
    "repetition-loops": ("length-outliers", "unusual-proportions", "unusual-endings", "notes", "variants"),
    "tokenised-text": ("preambles", "notes", "variants"),
    "transposed-references": ("unusual-beginnings", "unusual-endings", "unusual-proportions"),
}
"""What each fault of a whole column brings about in the same column."""

_OF_LINES = ("identical-systems", "copied-reference", "copied-source", "empty-lines")
"""Causes that say everything about their own lines, and nothing about others."""

_WIDE: Mapping[str, tuple[str, ...]] = {
    "unusual-proportions": (
        *("truncated-outputs", "length-outliers", "unusual-endings", "missing-punctuation"),
        *("unrelated-outputs", "unknown-words", "changed-numbers", "changed-names"),
    ),
    "unusual-beginnings": ("markup", "preambles", "variants", "changed-numbers"),
    "unusual-endings": ("truncated-outputs", "missing-punctuation", "changed-numbers", "changed-names"),
}
"""Checks of the distribution of a column, and what they explain unless a closer check is about nearly those lines."""

_OF_BOTH_ENDS = ("unusual-beginnings", "unusual-endings", "unusual-proportions")
_CLOSER: Mapping[str, tuple[str, ...]] = {
    "missing-punctuation": ("unusual-endings",),
    "tokenised-text": ("unusual-endings", "unusual-proportions"),
    "letter-case": ("unusual-beginnings",),
    **dict.fromkeys((*_OF_MODELS, "another-language", "source-words", "unrelated-outputs"), _OF_BOTH_ENDS),
}
"""What checks of single outputs explain of the distribution of a column, besides what ``CAUSES`` has."""

_PAIRS = {
    **{mark: mark for mark in "\"'`*_"},
    "“": '”"',
    "‘": "’'",
    "„": '“”"',
    "‚": "‘’'",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "(": ")",
    "[": "]",
    "{": "}",
    "<": ">",
}
"""Marks that enclose a text, each with those that may close it."""

_BY_REFERENCES = ("wrong-script", "mixed-normal-forms", *_OF_WORDS, "exchanged-references")
"""Checks that hold systems against references: of no use where the only reference is at fault as a whole."""

_FEW_SYSTEMS, _PAIR, _MANY = 2, 2, 0.03
"""Systems that take the place of a reference where none is left, and columns of which nothing says which is wrong; and
the share of a system's texts from which systems alone tell that they are wrong."""

Observe: TypeAlias = Callable[[Columns, AbstractSet[str] | None], Sequence[Found]]
"""Runs the checks of these names on columns; all that were asked if ``None``."""


def by_cause(columns: Columns, found: Sequence[Found], observe: Observe) -> list[Found]:
    """What was found, without what a fault of a whole column brings about in that column and in others.

    Args:
        columns: The texts.
        found: What all checks found.
        observe: Runs the same checks, or some of them, on other columns.
    """
    kept = _within_columns(_with_the_closest(found))
    kept += _left_after_repair(columns, found, kept, observe)
    close = _at_fault(kept, lambda name: name not in _WIDE)  # whose distributions say nothing of the others'
    kept = _without_blame(columns, kept, close, observe)
    every = _at_fault(kept, lambda _: True)
    return kept if every == close else _without_blame(columns, kept, every, observe)


def _at_fault(found: Sequence[Found], is_asked: Callable[[str], bool]) -> tuple[CheckedColumn, ...]:
    """The systems and references that these checks find at fault as a whole."""
    at_fault = {
        one.column: None
        for name, one in found
        if one.column is not None and is_asked(name) and _can_be_blamed(one) and _is_at_fault(name, one)
    }
    return tuple(at_fault)


def _without_blame(
    columns: Columns, found: Sequence[Found], at_fault: Sequence[CheckedColumn], observe: Observe
) -> list[Found]:
    """Without warnings and errors about columns that are in order beside others than those at fault."""
    if not at_fault or all(one.column in at_fault for _, one in found if _can_be_blamed(one)):
        return list(found)
    remaining = _without(columns, at_fault)
    asked = {name for name, one in found if one.column not in at_fault and _can_be_blamed(one)}
    still = [({(c.kind, c.title) for c in one.targets}, _grave(observe(one, asked))) for one in remaining]
    names = {name for _, found_there in still for name, _ in found_there}
    is_pair = any(len(one.targets) == _PAIR for one in remaining)  # either is named

    has_reference = any(one not in at_fault for one in columns.references)

    def is_left(name: str, one: Observation) -> bool:
        if one.column is None or one.column in at_fault or not _can_be_blamed(one):
            return True
        if not has_reference and name in _BY_REFERENCES and _share(one) < _MANY:
            return False
        if not remaining:
            return name not in _BY_REFERENCES or _is_at_fault(name, one)
        there = [found_there for held, found_there in still if (one.column.kind, one.column.title) in held]
        return all((name, _title(one)) in found_there for found_there in there) or (
            is_pair and name in _WIDE and name in names
        )

    return [(name, one) for name, one in found if is_left(name, one)]


def _left_after_repair(
    columns: Columns, found: Sequence[Found], kept: Sequence[Found], observe: Observe
) -> list[Found]:
    """What other findings of a column seemed to explain, and what is there without their fault all the same."""
    left: list[Found] = []
    for column in columns.targets:
        own = [pair for pair in found if pair[1].column is column and pair[1].severity != "note"]
        repair = _repair_of([pair for pair in own if pair in kept])
        if repair is None or not repair.is_whole or repair.exchanged_with is not None:
            continue
        again = _within_columns(_with_the_closest(observe(_with_texts(columns, column, repair), None)))
        still = {name: one for name, one in again if one.severity != "note" and _title(one) == column.title}
        left += [pair for pair in own if pair not in kept and pair[0] in still]
        known = {name for name, _ in own}
        left += [
            (name, replace(one, column=column, repair=None))  # it was hidden
            for name, one in still.items()
            if name in _WIDE and name not in known
        ]
    return left


def _repair_of(found: Sequence[Found]) -> Repair | None:
    """The texts without the fault of a whole column that is about most of them."""
    causes = [one for name, one in found if name not in _WIDE and one.repair and _share(one) >= _WHOLE]
    cause = max(causes, key=_share, default=None)
    return None if cause is None or cause.repair is None else cause.repair()


def _with_texts(columns: Columns, column: CheckedColumn, repair: Repair) -> Columns:
    """The columns, one of them repaired."""
    texts = list(column.texts)
    for segment, text in zip(repair.segments.tolist(), repair.texts, strict=True):
        texts[segment] = text
    repaired = CheckedColumn(column.kind, column.index, column.title, texts)
    systems, references = (
        tuple(repaired if one is column else one for one in group) for group in (columns.systems, columns.references)
    )
    return replace(columns, systems=systems, references=references, _results={})


def _grave(found: Sequence[Found]) -> set[tuple[str, str]]:
    """Check and title of what is no note."""
    return {(name, _title(one)) for name, one in found if one.severity != "note"}


def _with_the_closest(found: Sequence[Found]) -> list[Found]:
    """Without what the distribution of a column explains; or without that, where a closer check is about its lines."""
    kept = list(found)
    for name, wide in found:
        if name not in _WIDE or (name, wide) not in kept:
            continue
        beside = [(other, one) for other, one in kept if one is not wide and one.column is wide.column]
        folded = _WIDE[name]
        if any(
            (one.repair or other not in folded) and _is_closer(other, name) and _covers(one, wide)
            for other, one in beside
        ):
            kept.remove((name, wide))
        else:
            kept = [pair for pair in kept if pair not in beside or pair[0] not in folded]
    return kept


def _is_closer(check: str, wide: str) -> bool:
    """Whether a check can name the cause of what the distribution of a column shows."""
    return check not in _WIDE and wide in (*CAUSES.get(check, ()), *_CLOSER.get(check, ()))


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
    if name == "unusual-beginnings":
        return (effect == "unusual-endings" and _are_enclosed(cause, one)) or (
            effect == "letter-case" and _begin_small(cause)
        )
    if effect not in CAUSES[name] or (name == "near-references" and _share(one) >= _WHOLE):
        return False
    n_both, n_effect = int((one.segments & cause.segments).sum()), int(one.segments.sum())
    return n_both >= _MOST * n_effect or (_share(cause) >= _NEARLY_ALL and name not in _OF_LINES)


def _are_enclosed(beginnings: Observation, endings: Observation) -> bool:
    """Whether what texts begin and end with is one pair of marks, as quotation marks and brackets are."""
    n_ends = int(endings.segments.sum())
    if int((beginnings.segments & endings.segments).sum()) < _NEARLY_ALL * n_ends:
        return False
    texts = _texts(beginnings)
    n_enclosed = sum(text[-1:] in _PAIRS.get(text[:1], ()) for text in texts)
    return n_enclosed >= _NEARLY_ALL * len(texts)


def _begin_small(beginnings: Observation) -> bool:
    """Whether texts begin with small letters, which leaves some of them without any capital."""
    texts = _texts(beginnings)
    return sum(text[:1].islower() for text in texts) >= _NEARLY_ALL * len(texts)


def _texts(one: Observation) -> list[str]:
    """The texts that a finding is about, without white space at their ends."""
    texts = () if one.column is None else one.column.texts
    return [(texts[segment] or "").strip() for segment in np.flatnonzero(one.segments).tolist()] if texts else []


def _is_whole(name: str, one: Observation) -> bool:
    """Whether a finding names a cause and is about so much of a column that other findings can come from it."""
    if one.severity == "note" or one.column is None or name not in (*CAUSES, "shifted-lines"):
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


def _can_be_blamed(one: Observation) -> bool:
    """Whether this is a warning or error about a system or a reference."""
    return one.column is not None and one.column.kind in ("system", "reference") and one.severity != "note"


def _title(one: Observation) -> str:
    return "" if one.column is None else one.column.title


def _without(columns: Columns, left_out: Sequence[CheckedColumn]) -> tuple[Columns, ...]:
    """The columns but some; none where no system is left, or only one and no reference.

    Where no reference is left, systems take its place in turn: each is held against another one.
    """
    systems, references = (
        tuple(one for one in group if one not in left_out) for group in (columns.systems, columns.references)
    )
    if systems and references:
        return (_of_columns(columns, systems, references),)
    if len(systems) < _FEW_SYSTEMS:
        return ()
    return tuple(
        _of_columns(columns, tuple(one for one in systems if one is not stand_in), (stand_in,))
        for stand_in in systems[:_FEW_SYSTEMS]
    )


def _of_columns(columns: Columns, systems: Sequence[CheckedColumn], references: Sequence[CheckedColumn]) -> Columns:
    """These columns alone, in these places."""
    return replace(
        columns,
        systems=tuple(_placed(one, "system", number) for number, one in enumerate(systems)),
        references=tuple(_placed(one, "reference", number) for number, one in enumerate(references)),
        _results={},
    )


def _placed(column: CheckedColumn, kind: SubjectKind, index: int) -> CheckedColumn:
    """The same column in another place, with all that was read of it."""
    placed = replace(column, kind=kind, index=index)
    placed.__dict__.update({key: value for key, value in column.__dict__.items() if key not in placed.__dict__})
    return placed
