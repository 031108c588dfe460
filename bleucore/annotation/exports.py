"""Annotations as files that other programs read: of mt-metrics-eval, Marot and ESA, and as a table.

What is written holds: the decision where there is one, else what each annotator said.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from bleucore.annotation.held import Said, States, penalty_of, refuse_without_weight, shown_annotators, what_holds
from bleucore.annotation.marks import Mark
from bleucore.annotation.tasks import Task
from bleucore.errors import InputError
from bleucore.judgements.averaging import MqmWeights
from bleucore.judgements.marked_table import MISSING, TITLES
from bleucore.values import shown

Form: TypeAlias = Literal["mtme", "marot", "esa", "xlsx"]
FORMS: tuple[Form, ...] = get_args(Form)
NOT_JUDGED = "None"
MAROT_TITLES = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
NO_ERROR = "No-error"
_TAG = re.compile(r"</?v>")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
Cell: TypeAlias = str | int | float | None


def mtme_files(task: Task, states: States, weights: MqmWeights | None = None) -> Mapping[str, bytes]:
    """The files of mt-metrics-eval, by name: ratings with every mark, and scores of segments.

    A line for each system and segment of the test set; ``None`` where nobody annotated. Where several annotators said
    something about an output, each annotator has files of their own.

    Args:
        task: The task.
        states: Of its items and annotators.
        weights: Of errors; those of the scheme unless given.

    Raises:
        InputError: A name of a system holds a blank, which these files part cells with; or an error has no weight.
    """
    costs, held = weights or task.scheme.weights, what_holds(task, states)
    if not task.scheme.has_slider:
        refuse_without_weight(held, costs)
    names = shown_annotators(held)
    by_output: dict[tuple[str, int], list[Said]] = {}
    for one in held:
        by_output.setdefault((one.item.system, one.item.segment), []).append(one)
    are_several = any(len(said) > 1 for said in by_output.values())
    source, target = (part or "xx" for part in task.languages)
    stem = f"{source}-{target}.{_file_name(task.name)}"
    files: dict[str, bytes] = {}
    for rater in dict.fromkeys(one.annotator for one in held) if are_several else (None,):
        of = {
            place: chosen[0]
            for place, said in by_output.items()
            if (chosen := [one for one in said if rater in (None, one.annotator)])
        }
        name = stem if rater is None else _unused(f"{stem}-{_file_name(names[rater])}", files)
        ratings, scores = list[str](), list[str]()
        for system in task.named_systems or task.systems:
            _refuse_blank(system)
            for segment in range(task.n_segments):
                said_of_it = of.get((system, segment))
                ratings.append(_rating(system, said_of_it, names, costs))
                scores.append(f"{system}\t{_score(task, said_of_it, costs)}\n")
        files[f"{name}.seg.rating"] = "".join(ratings).encode()
        files[f"{name}.seg.score"] = "".join(scores).encode()
    return files


def marot_table(task: Task, states: States) -> bytes:
    """The table of Marot: one mark a row, between <v> and </v>; outputs without a mark have a row as well.

    Raises:
        InputError: A text holds a tab, a line break or a tag of the table itself.
    """
    held = what_holds(task, states)
    names = shown_annotators(held)
    has_comments = any(mark.comment for one in held for mark in one.state.marks.values())
    lines = ["\t".join((*MAROT_TITLES, *(("comment",) if has_comments else ())))]
    for one in held:
        item = one.item
        _refuse_breaks(one)
        first = (
            item.system,
            item.document,
            str(item.place),
            str(item.segment + 1),
            names[one.annotator],
        )
        for mark in one.state.marks.values() or (None,):
            texts = (_tagged(item.source, mark, "source"), _tagged(item.text, mark, "target"))
            kind = (NO_ERROR, NO_ERROR) if mark is None else (_on_one_line(mark.category), mark.severity.capitalize())
            comment = ("" if mark is None else _on_one_line(mark.comment),) if has_comments else ()
            lines.append("\t".join((*first, *texts, *kind, *comment)))
    return ("\n".join(lines) + "\n").encode()


def refuse_unfit(task: Task, states: States, form: Form) -> None:
    """Refuse annotations that a form cannot hold, before its files are made.

    Raises:
        InputError: As ``mtme_files``, ``marot_table`` and ``esa_lines``.
    """
    if form == "esa" and not task.scheme.has_slider:
        raise _no_scores(task)
    for one in what_holds(task, states):
        if form == "marot":
            _refuse_breaks(one)
        elif form == "mtme":
            _refuse_blank(one.item.system)


def esa_lines(task: Task, states: States) -> bytes:
    """The lines of JSON that hold ESA judgements, as the general task of WMT 2024 wrote them.

    Raises:
        InputError: The task has no scores, which these lines need.
    """
    if not task.scheme.has_slider:
        raise _no_scores(task)
    source, target = (part or "xx" for part in task.languages)
    lines, held = [], what_holds(task, states)
    names = shown_annotators(held)
    for one in held:
        if one.state.score is None:
            continue
        said = {
            "langs": f"{source}-{target}",
            "line_id": one.item.segment,
            "src": one.item.source,
            "tgt": one.item.text,
            "doc_id": one.item.document,
            "esa_spans": [_esa_span(one, mark) for mark in one.state.marks.values()],
            "esa_score": _short(one.state.score),
            "system": one.item.system,
            "annotator": names[one.annotator],
        }
        lines.append(json.dumps(said, ensure_ascii=False) + "\n")
    return "".join(lines).encode()


def marked_rows(task: Task, states: States, weights: MqmWeights | None = None) -> Iterator[tuple[Cell, ...]]:
    """The rows of the table whose columns are ``TITLES``: one mark a row, and a row for each output without any.

    Args:
        task: The task.
        states: Of its items and annotators.
        weights: Of errors; those of the scheme unless given.
    """
    costs, held = weights or task.scheme.weights, what_holds(task, states)
    names = shown_annotators(held)
    for one in held:
        item = one.item
        draw: tuple[Cell, ...] = (None, None, "") if item.draw is None else tuple(item.draw)
        first = (item.segment + 1, item.document, item.system, item.source, item.text, names[one.annotator])
        score = None if one.state.score is None else _short(one.state.score)
        for mark in one.state.marks.values() or (None,):
            kind: tuple[Cell, ...] = ("", "", "", "", "", None, "")
            if mark is not None:
                is_at_end = mark.side == "missing" and mark.start == len(item.text)
                places = (MISSING, MISSING) if is_at_end else (str(mark.start), str(mark.end))
                penalty = costs.penalty(mark.severity, mark.category)
                kind = (*places, mark.side, mark.severity, mark.category, penalty, mark.comment)
            yield (*first, score, *kind, one.state.comment, *draw)


def table_titles() -> Sequence[str]:
    """The columns of ``marked_rows``."""
    return TITLES


def _rating(system: str, one: Said | None, names: Mapping[str, str], weights: MqmWeights) -> str:
    if one is None:
        return f"{system}\t{NOT_JUDGED}\n"
    errors = [_error(mark, weights) for mark in one.state.marks.values()]
    rater = _on_one_line(names[one.annotator])
    return "\t".join([system, json.dumps({"errors": errors}), *([rater] if rater else [])]) + "\n"


def _error(mark: Mark, weights: MqmWeights) -> dict[str, object]:
    penalty = weights.penalty(mark.severity, mark.category)
    said: dict[str, object] = {"start": mark.start, "end": mark.end, "category": mark.category}
    said["severity"] = mark.severity
    if penalty is not None:
        said["score"] = 1.0 if penalty == 1 else _short(penalty)  # as mt-metrics-eval writes them
    return {**said, "is_source_error": mark.side == "source"}


def _score(task: Task, one: Said | None, weights: MqmWeights) -> str:
    if one is None:
        return NOT_JUDGED
    if task.scheme.has_slider:
        return NOT_JUDGED if one.state.score is None else str(float(one.state.score))
    return str(penalty_of(one.state, weights) or -0.0)


def _short(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _esa_span(one: Said, mark: Mark) -> dict[str, object]:
    is_at_end = mark.side == "missing" and mark.start == len(one.item.text)
    said: dict[str, object] = {
        "start_i": MISSING if is_at_end else mark.start,
        "end_i": MISSING if is_at_end else mark.end,
        "severity": mark.severity,
    }
    said |= {"error_type": mark.category} if mark.category else {}
    said |= {"side": "source"} if mark.side == "source" else {}
    return said | ({"comment": mark.comment} if mark.comment else {})


def _tagged(text: str, mark: Mark | None, side: Literal["source", "target"]) -> str:
    if mark is None or (mark.side == "source") != (side == "source"):
        return text
    if mark.side == "missing" and mark.start == len(text):
        return text
    return f"{text[: mark.start]}<v>{text[mark.start : mark.end]}</v>{text[mark.end :]}"


def _no_scores(task: Task) -> InputError:
    return InputError(
        "these annotations have no scores",
        where=f"Task {shown(task.name)}",
        found=f"the scheme {task.scheme.name}",
        expected="a scheme with a slider, such as ESA",
        remedy="Export as mtme, marot or xlsx.",
    )


def _refuse_breaks(one: Said) -> None:
    for name, text in (("output", one.item.text), ("source", one.item.source), ("document", one.item.document)):
        found = next((part for part in ("\t", "\n", "\r") if part in text), None) or (
            tag[0] if (tag := _TAG.search(text)) else None
        )
        if found is not None:
            raise InputError(
                f"the table cannot hold this {name}",
                where=f"System {shown(one.item.system)}, segment {one.item.segment + 1:,}",
                found=shown(found),
                expected="a text on one line, without <v>",
                remedy="Export as esa or xlsx.",
            )


def _refuse_blank(system: str) -> None:
    if re.search(r"\s", system):
        raise InputError(
            "the files cannot hold this name",
            where=f"System {shown(system)}",
            found="a blank",
            expected="a name without blanks",
            remedy="Rename the system, or export as marot, esa or xlsx.",
        )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _unused(name: str, files: Mapping[str, bytes]) -> str:
    """A name that no file has yet: names of raters can be alike but for what file names cannot hold."""
    found, count = name, 1
    while f"{found}.seg.rating" in files:
        count += 1
        found = f"{name}-{count}"
    return found


def _file_name(name: str) -> str:
    return _NAME.sub("-", name).strip("-") or "annotation"
