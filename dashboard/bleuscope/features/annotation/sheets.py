"""Annotations as sheets: progress, agreement, scores, disagreements, and every mark."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from bleucore.analysis.marked_kinds import MARKED_IN_WMT23, MATCHED_MARKED_IN_WMT23
from bleucore.analysis.token_kinds import KINDS
from bleucore.annotation.exports import marked_rows, table_titles
from bleucore.annotation.held import Said, shown_annotator
from bleuscope.content.sheets.builders import SYSTEM, FilledField, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Kind, Sheet
from bleuscope.content.style import numbers
from bleuscope.features.annotation import words
from bleuscope.features.annotation.outcome import Outcome

_KINDS: Mapping[str, Kind] = {
    "segment": "count",
    "score": "statistic",
    "penalty": "statistic",
    "stratum": "count",
    "weight": "statistic",
}
_PROSE = ("source", "translation")


def progress_sheet(found: Outcome) -> Sheet:
    """How far each annotator is, with attention checks, and seconds where all annotators let others see them."""
    names = list(found.task.annotators)
    checks = {one.annotator: one for one in found.attention}
    columns: list[FilledField] = [
        (Field("annotator", "annotator", "text"), names),
        (Field("n_finished", "finished", "count"), np.array([found.n_finished.get(name, 0) for name in names])),
        (Field("n_items", "outputs", "count"), np.array([len(found.task.assigned.get(name, ())) for name in names])),
        (Field("n_marks", "marks", "count"), np.array([found.n_marks[name] for name in names])),
    ]
    if checks:
        said = [f"{checks[name].n_found} of {checks[name].n_checks}" if name in checks else "" for name in names]
        columns.append((Field("attention", "planted errors found", "text", explanation=words.ATTENTION), said))
    if found.seconds:
        seconds = np.array([found.seconds.get(name, np.nan) for name in names])
        columns.append((Field("seconds", "seconds an output", "statistic"), seconds))
    return sheet_of("progress", (words.progress_words(found),), columns, _facts(found), title="Progress")


def agreement_sheet(found: Outcome) -> Sheet:
    """Every measure of agreement, with its interval."""
    of = found.agreement
    measures = {
        "span F1, characters": of.span_f1,
        "span F1, marks": of.mark_f1,
        "Krippendorff's α, severity": of.severity_alpha,
        "Pearson's r, scores": of.scores,
    }
    columns: list[FilledField] = [
        (Field("measure", "measure", "text"), list(measures)),
        (Field("value", "value", "statistic"), numbers_of(list(measures.values()), lambda one: one.value)),
        (
            Field("interval", "95 % CI", "interval"),
            ends_of([one.interval for one in measures.values()]),
        ),
        (Field("meaning", "what it is", "text"), list(words.MEASURES)),
    ]
    return sheet_of(
        "annotator-agreement",
        (words.agreement_words(of, words.unit_of(found)),),
        columns,
        _facts(found),
        title="Agreement",
    )


def pairs_sheet(found: Outcome) -> Sheet:
    """How far each two annotators agree."""
    pairs = found.agreement.pairs
    columns: list[FilledField] = [
        (Field("first", "annotator", "text"), [pair.first for pair in pairs]),
        (Field("second", "other annotator", "text"), [pair.second for pair in pairs]),
        (Field("n_items", "outputs", "count"), np.array([pair.n_items for pair in pairs], np.int64)),
        (Field("span_f1", "span F1", "ratio"), numbers_of(pairs, lambda pair: pair.span_f1)),
        (Field("scores", "Pearson's r", "ratio"), numbers_of(pairs, lambda pair: pair.scores)),
    ]
    return sheet_of("annotator-pairs", (words.PAIRS,), columns, _facts(found), title="Pairs of annotators")


def systems_sheet(found: Outcome) -> Sheet:
    """Scores of systems with intervals, and the marks of each severity."""
    systems = found.systems
    columns: list[FilledField] = [
        (SYSTEM, [one.name for one in systems]),
        (Field("score", "score ↑", "metric score", best="highest"), np.array([one.score for one in systems])),
        (Field("interval", "95 % CI", "interval"), ends_of([one.interval for one in systems])),
        (Field("n_outputs", "outputs", "count"), np.array([one.n_outputs for one in systems], np.int64)),
    ]
    columns += [
        (
            Field(f"n_{place}", severity, "count", explanation="Marks of this severity."),
            np.array([one.n_marks[severity] for one in systems], np.int64),
        )
        for place, severity in enumerate(found.task.scheme.severity_names)
    ]
    said = (words.scores_words(found),)
    return sheet_of("annotated-systems", said, columns, _facts(found), title="Scores of systems")


def disagreements_sheet(found: Outcome) -> Sheet:
    """Outputs of which annotators say different things; systems are hidden, as from annotators."""
    of = found.disagreements
    first = [one.said[0].item for one in of]
    columns: list[FilledField] = [
        (Field("item", "item", "text"), [item.id for item in first]),
        (Field("output", "output", "text", is_prose=True), [item.text for item in first]),
        (Field("said", "annotators", "text"), ["; ".join(_said(found, said) for said in one.said) for one in of]),
        (Field("gap", "Δ score", "metric score"), numbers_of(of, lambda one: one.difference)),
        (Field("span_f1", "span F1", "ratio"), numbers_of(of, lambda one: one.span_f1)),
        (
            Field("decided", "decided by", "text"),
            ["" if one.decision is None else shown_annotator(one.decision.annotator) for one in of],
        ),
    ]
    return sheet_of("disagreements", (words.disagreement_words(found),), columns, _facts(found), title="Disagreements")


def marks_sheet(found: Outcome) -> Sheet:
    """Every mark that holds, a row each: the table that is read again."""
    titles: Sequence[str] = table_titles()
    rows = list(marked_rows(found.task, found.states, found.weights))
    columns: list[FilledField] = []
    for place, title in enumerate(titles):
        kind = _KINDS.get(title, "text")
        values = [row[place] for row in rows]
        field = Field(title, title, kind, names_system=title == "system", is_prose=title in _PROSE)
        columns.append((field, _column(kind, values)))
    return sheet_of("annotations", (words.marks_words(found),), columns, _facts(found), title="Annotations")


def kinds_sheet(found: Outcome) -> Sheet:
    """What was marked of each kind of error, next to what BLEU lost to it on these outputs, and to WMT23."""
    marked, names = found.kinds, (*KINDS, words.MATCHED)
    cited = 100 * np.array([*(MARKED_IN_WMT23.get(kind, np.nan) for kind in KINDS), MATCHED_MARKED_IN_WMT23])
    tokens, shares, losses = np.zeros(len(names), np.int64), cited, cited
    if marked is not None and marked.losses is not None:
        tokens, shares, losses = marked.tokens, 100 * marked.shares, np.array([*marked.losses, np.nan])
    rows = [] if marked is None else [row for row in range(len(names)) if tokens[row] or losses[row] > 0]
    columns: list[FilledField] = [
        (Field("kind", "kind", "text"), [names[row] for row in rows]),
        (Field("tokens", "tokens", "count"), tokens[rows]),
        (Field("marked", "marked, %", "precision", explanation=words.MARKED), shares[rows]),
        (Field("marked_wmt23", "WMT23, %", "precision", explanation=words.IN_WMT23), cited[rows]),
        (Field("lost", "BLEU lost", "score", explanation=words.LOST), losses[rows]),
    ]
    said = (words.kinds_words(found),)
    return sheet_of("marked-kinds", said, columns, _facts(found), title="Marked, by kind of error")


SHEETS: Mapping[str, Callable[[Outcome], Sheet]] = MappingProxyType(
    {
        "progress": progress_sheet,
        "annotator-agreement": agreement_sheet,
        "annotator-pairs": pairs_sheet,
        "annotated-systems": systems_sheet,
        "marked-kinds": kinds_sheet,
        "disagreements": disagreements_sheet,
        "annotations": marks_sheet,
    }
)
"""Every sheet by its name."""


def _column(kind: Kind, values: Sequence[object]) -> object:
    if kind == "text":
        return ["" if value is None else str(value) for value in values]
    known = np.array([np.nan if value is None else float(str(value)) for value in values], np.float64)
    return known.astype(np.int64) if kind == "count" and not np.isnan(known).any() else known


def _said(found: Outcome, said: Said) -> str:
    state = said.state
    marks = numbers.counted(len(state.marks), "mark")
    score = "" if not found.task.scheme.has_slider or state.score is None else f", {state.score:g}"
    return f"{said.annotator}: {marks}{score}"


def _facts(found: Outcome) -> dict[str, str | int | float]:
    task = found.task
    return {
        "task": task.name,
        "scheme": task.scheme.name,
        "n_items": len(task.items),
        "n_annotators": len(task.annotators),
        "overlap": task.overlap,
        "seed": task.seed,
        "weights": (found.weights or task.scheme.weights).name,
    }
