"""What trackers of experiments hold of a study: scores, settings, verdict, and two tables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.scores.score_sheets import systems_sheet
from bleuscope.content.segments.segment_sheets import differing_segments_sheet, segments_sheet
from bleuscope.content.sheets.builders import rows_of
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import Raw, raw_columns
from bleuscope.content.style.unique_names import unique_name
from bleuscope.integrations.checkpoints import verdict_of

MOST_SEGMENTS = 10_000
"""The most rows of a tracker's table. If there are more segments, it holds those that differ most."""
LONGEST_NAME = 80
NOT_IN_NAMES = re.compile(r"[^\w .-]|^\.+$", re.ASCII)
"""What names of metrics may not hold in every tracker, or be: one of dots alone is a folder to MLflow."""

Table = Mapping[str, tuple[Raw, ...]]
"""Columns of plain values. Texts are as written: a tracker keeps them as texts, in JSON."""


@dataclass(frozen=True)
class LoggedStudy:
    """A study as trackers hold it.

    Attributes:
        scores: Of each metric and system, as ``BLEU/online-A``, with names that every tracker takes.
        settings: Signatures of the metrics and of the tests, the baseline, and the digest of the texts.
        verdict: In a line of plain text; ``None`` of one system.
        systems: A row for each system, best first.
        segments: A row for each segment with scores and texts of systems A and B.
    """

    scores: Mapping[str, float]
    settings: Mapping[str, str]
    verdict: str | None
    systems: Table
    segments: Table


def logged_study(study: TestedStudy, most_segments: int = MOST_SEGMENTS) -> LoggedStudy:
    """What to log of a study. If there are more segments than ``most_segments``, those that differ most."""
    taken: set[str] = set()
    names = {name: unique_name(_safe(name), taken) for name in study.evaluation.names}
    taken = set()
    metrics = {unique_name(_safe(name), taken): metric for name, metric in study.evaluation.metrics.items()}
    scores = {
        f"{called}/{names[system]}": result.score
        for called, metric in metrics.items()
        for system, result in metric.systems.items()
    }
    settings = {f"signature {called}": metric.signature for called, metric in metrics.items()}
    if len(names) > 1:
        settings["signature test"] = study.comparison.options.signature()
        settings["baseline"] = study.measured_against
    settings["digest"] = study.evaluation.digest
    return LoggedStudy(
        scores, settings, verdict_of(study), _table(systems_sheet(study)), _table(_segments(study, most_segments))
    )


def _segments(study: TestedStudy, most: int) -> Sheet:
    if not study.compares or study.evaluation.n_segments <= most:
        return segments_sheet(study, np.arange(min(most, study.evaluation.n_segments)), study.parts, study.metric)
    parts = study.parts
    values = segment_differences(study.evaluation, study.pair, study.metric) if parts is None else parts
    sheet = differing_segments_sheet(study, np.nan_to_num(values), parts, study.metric)
    return rows_of(sheet, np.arange(most), title=sheet.title)


def _table(sheet: Sheet) -> Table:
    return {column.key: column.cells for column in raw_columns(sheet)}


def _safe(name: str) -> str:
    return NOT_IN_NAMES.sub("_", name)[:LONGEST_NAME]
