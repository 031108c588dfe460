"""What the checks found, as a sheet."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, TestSet
from bleucore.checks import CHECKS, Finding
from bleuscope.content.findings.finding_words import effect_of
from bleuscope.content.sheets.builders import (
    FilledField,
    numbers_of,
    score_column,
    sheet_of,
)
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style.unique_names import unique_name

_REPAIRS = {True: "whole", False: "in part: costs at least about this", None: ""}


def findings_sheet(findings: Sequence[Finding], test_set: TestSet, evaluation: Evaluation | None = None) -> Sheet:
    """What the checks found, gravest first.

    Args:
        findings: Of the checks.
        test_set: Whose texts were checked.
        evaluation: Tells what a system would score without the fault, where the repair of its texts can be derived.
    """
    columns: list[FilledField] = [
        (Field("severity", "severity", "text"), [finding.severity for finding in findings]),
        (Field("check", "check", "text"), [finding.check for finding in findings]),
        (Field("subject", "about", "text"), [finding.subject for finding in findings]),
        (Field("message", "found", "text"), [finding.message for finding in findings]),
        (Field("remedy", "what to do", "text"), [finding.remedy for finding in findings]),
        (Field("n_segments", "segments", "count"), [len(finding.segments) for finding in findings]),
        (
            Field("segments", "which", "text", for_machines=True),
            [_runs(finding.segments + 1) for finding in findings],
        ),
    ]
    taken = {column.key for column, _ in columns}
    for metric in () if evaluation is None else evaluation.metrics.values():
        effects = [None if evaluation is None else effect_of(evaluation, metric, finding) for finding in findings]
        key, kind = score_column(metric)
        key = unique_name(metric.name if kind == "metric score" else key, taken)
        columns += [
            (Field(key, metric.name, kind), numbers_of(effects, lambda effect: effect.score)),
            (
                Field(unique_name(f"{key}_repaired", taken), f"{metric.name} repaired", kind),
                numbers_of(effects, lambda effect: effect.score_repaired),
            ),
            (
                Field(unique_name(f"{key}_cost", taken), f"costs {metric.name}", kind),
                numbers_of(effects, lambda effect: effect.cost),
            ),
        ]
    is_whole = [finding.repair.is_whole if finding.repair is not None else None for finding in findings]
    columns.append((Field("repair", "repair", "text", for_machines=True), [_REPAIRS[one] for one in is_whole]))
    return sheet_of(
        "checks",
        (f"Findings of {len(CHECKS)} checks, gravest first. Segments are counted from 1.",),
        columns,
        {"digest": test_set.digest, "n_checks": len(CHECKS)},
    )


def _runs(segments: NDArray[np.int64]) -> str:
    """Rising numbers in short: ``3, 17 to 20``."""
    if not len(segments):
        return ""
    runs = np.split(segments, np.flatnonzero(np.diff(segments) != 1) + 1)
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
