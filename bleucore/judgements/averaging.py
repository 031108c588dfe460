"""Aligned judgements -> one value for each system and segment: mean of raters, z-scores, weights of MQM."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np

from bleucore.counts import Floats, read_only
from bleucore.errors import InputError
from bleucore.judgements.records import Draw, Judgements, Span
from bleucore.metrics.segment_scores import LARGEST_SCORE, SegmentScores, SystemScores
from bleucore.values import name_among, not_accepted, positive_number, shown
from bleucore.written_numbers import counted

Method: TypeAlias = Literal["mean", "z"]
METHODS: tuple[Method, ...] = get_args(Method)

ANY_SEVERITY = "*"
_MOST_NAMED = 5
_WEIGHT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True)
class MqmWeights:
    """The penalty of each kind of error.

    Attributes:
        name: To show, and in links.
        penalties: By "severity", "severity/category" or "severity/category/subcategory", in lower case; "*" stands for
            every severity. The most specific entry holds; one with a severity before one for all.
        most: What all errors of a judgement cost together at most; ``None`` for no bound.

    Raises:
        InputError: A penalty is no number from 0.
    """

    name: str
    penalties: Mapping[str, float] = field(hash=False)
    most: float | None = None

    def __post_init__(self) -> None:
        checked = {
            key.strip().lower(): positive_number(f"weight of {shown(key)}", value, LARGEST_SCORE, "a number from 0")
            for key, value in self.penalties.items()
        }
        object.__setattr__(self, "penalties", MappingProxyType(checked))

    def penalty(self, severity: str, category: str) -> float | None:
        """The penalty of an error, ``None`` where nothing is said about its severity or category."""
        parts = [part.strip() for part in category.lower().split("/") if part.strip()]
        for depth in range(len(parts), -1, -1):
            for first in (severity, ANY_SEVERITY):
                found = self.penalties.get("/".join([first, *parts[:depth]]))
                if found is not None:
                    return found
        return None


_GOOGLE: dict[str, float] = {"major": 5, "minor": 1, "neutral": 0, "*/non-translation!": 25, "*/non-translation": 25}
_GOOGLE |= {"minor/fluency/punctuation": 0.1, "*/no-error": 0, "no-error": 0}
PRESETS: Mapping[str, MqmWeights] = MappingProxyType(
    {
        # Freitag et al. 2021, table 3
        "google": MqmWeights("google", _GOOGLE),
        # the weights of the metrics task of 2024: what the source is to blame for, and free renderings, cost nothing
        "wmt24": MqmWeights(
            "wmt24",
            _GOOGLE
            | {
                "critical": 5,
                "*/source issue": 0,
                "*/reinterpretation": 0,
                "*/creative reinterpretation": 0,
                "*/accuracy/creative reinterpretation": 0,
            },
        ),
        # what xCOMET makes of its own spans (comet/models/multitask/xcomet_metric.py), before it is scaled to 0 to 1
        "xcomet": MqmWeights("xcomet", {"minor": 1, "major": 5, "critical": 10}, most=25),
    }
)


def written_weights(text: str) -> MqmWeights:
    """Weights as commands and links write them: "google", or "google, major=10, minor/fluency=0.5".

    Names of presets and single weights, with commas between them; of several for one kind of error the last holds,
    and of several presets the last says what a judgement costs at most.

    Raises:
        InputError: A part is neither, or there is none.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    penalties: dict[str, float] = {}
    most: float | None = None
    for part in parts:
        kind, is_weight, number = part.rpartition("=")
        if part in PRESETS:
            penalties |= PRESETS[part].penalties
            most = PRESETS[part].most
        elif is_weight and kind.strip() and _WEIGHT.fullmatch(number.strip()):
            penalties[kind.strip().lower()] = float(number)
        else:
            raise _no_weights(part)
    if not parts:
        raise _no_weights(text)
    return MqmWeights(", ".join(parts), penalties, most)


def _no_weights(found: str) -> InputError:
    return not_accepted("weights of errors", found, f"{', '.join(PRESETS)}, or as in major=5, minor=1")


@dataclass(frozen=True)
class Averaging:
    """How several judgements of a segment become one.

    Attributes:
        method: "mean" of the raters, or mean of their "z"-scores.
        weights: What errors cost where a judgement follows from its spans; ``None`` for the penalties that the file
            itself gives, and those of "google" where it gives none.
    """

    method: Method = "mean"
    weights: MqmWeights | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", name_among("method", self.method, METHODS))


USUAL_AVERAGING = Averaging()


def averaged(
    judgements: Judgements,
    system_names: Sequence[str],
    n_segments: int,
    averaging: Averaging = USUAL_AVERAGING,
) -> Floats:
    """One value for each system and segment, higher is better: (K, S), NaN where nobody judged.

    Penalties are negative, as mt-metrics-eval writes them; values of a scale where lower is better change their sign.

    Args:
        judgements: Aligned with the test set.
        system_names: K names; judgements of other systems are left out.
        n_segments: S.
        averaging: Mean or z-scores, and what errors cost.

    Raises:
        InputError: An error has no penalty; or z-scores are asked for, and no rater has two different judgements.
    """
    values = row_values(judgements, averaging)
    places = {name: index for index, name in enumerate(system_names)}
    systems = np.array([places.get(row.system, -1) for row in judgements.rows], np.int64)
    segments = np.array([-1 if row.number is None else row.number for row in judgements.rows], np.int64)
    used = (systems >= 0) & (segments >= 0) & (segments < n_segments) & ~np.isnan(values)
    cells = systems[used] * n_segments + segments[used]
    sums = np.bincount(cells, values[used], minlength=len(system_names) * n_segments)
    numbers = np.bincount(cells, minlength=len(system_names) * n_segments)
    means = np.full(len(sums), np.nan)
    np.divide(sums, numbers, out=means, where=numbers > 0)
    return read_only(means.reshape(len(system_names), n_segments))


def row_values(judgements: Judgements, averaging: Averaging = USUAL_AVERAGING) -> Floats:
    """The value of each judgement, higher is better: (n,); NaN where z-scores leave a rater out.

    Raises:
        InputError: As ``averaged``.
    """
    values = np.array(judgements.values)
    if not judgements.scale.higher_is_better:
        values = -values
    # A value of the file stands beside its spans, unless weights are asked for.
    is_weighed = averaging.weights is not None and judgements.protocol == "MQM" and len(judgements.spans) > 0
    from_spans = np.isnan(values) | is_weighed
    if from_spans.any():
        values[from_spans] = _penalties(judgements, averaging.weights)[from_spans]
    return _standardised(judgements, values) if averaging.method == "z" else values


def segment_scores(judgements: Judgements, averaging: Averaging = USUAL_AVERAGING) -> SegmentScores:
    """The same as a column of scores, as files of scores give it: segments from 1, on the file's own scale.

    Raises:
        InputError: As ``averaged``, or nothing of it has a place in the test set.
    """
    sign = 1.0 if judgements.scale.higher_is_better or averaging.method == "z" else -1.0
    values = row_values(judgements, averaging) * sign
    rows: dict[str, dict[int, list[tuple[float, int]]]] = {}
    for row, value in zip(judgements.rows, values.tolist(), strict=True):
        if row.number is not None and not np.isnan(value):
            rows.setdefault(row.system, {}).setdefault(row.number, []).append((value, row.line))
    scores = {system: _system_scores(of_system) for system, of_system in rows.items()}
    return SegmentScores(judgements.name, judgements.file, MappingProxyType(scores), higher_is_better=sign > 0)


def draws_of(judgements: Judgements) -> Mapping[int, Draw]:
    """How each segment was drawn, by its number from 1; nothing where they are not of a sample.

    Raises:
        InputError: The file has two draws of a segment, or of some segments none.
    """
    draws: dict[int, Draw] = {}
    if all(row.draw is None for row in judgements.rows):
        return draws
    for row in judgements.rows:
        segment = (row.number or 0) + 1
        if row.draw is None or draws.setdefault(segment, row.draw) != row.draw:
            raise InputError(
                "the segment has no sampling weight" if row.draw is None else "a segment has two sampling weights",
                where=f"{judgements.file}, segment {segment:,}",
                line=row.line,
                found="no weight" if row.draw is None else f"weight {row.draw.weight:g}, stratum {row.draw.stratum}",
                expected="the weight of its sample"
                if row.draw is None
                else f"weight {draws[segment].weight:g}, stratum {draws[segment].stratum}",
                remedy="Load the judgements of one sample.",
            )
    return MappingProxyType(draws)


def _system_scores(rows: Mapping[int, Sequence[tuple[float, int]]]) -> SystemScores:
    segments = sorted(rows)
    return SystemScores(
        np.array(segments, np.int64) + 1,
        np.array([fmean(value for value, _ in rows[segment]) for segment in segments], np.float64),
        np.array([rows[segment][0][1] for segment in segments], np.int64),
    )


def _penalties(judgements: Judgements, weights: MqmWeights | None) -> Floats:
    """The sum of what the errors of each judgement cost, negative: (n,)."""
    spans = judgements.spans
    costs = np.array(spans.weights) if weights is None else np.full(len(spans), np.nan)
    used = weights or PRESETS["google"]
    for index in np.flatnonzero(np.isnan(costs)):
        found = used.penalty(spans.severities[index], spans.categories[index])
        if found is None:
            raise _no_penalty(judgements, int(spans.rows[index]), spans[int(index)], used)
        costs[index] = found
    penalties = np.zeros(len(judgements.rows))
    penalties -= np.bincount(spans.rows, costs, minlength=len(penalties))
    return penalties if weights is None or weights.most is None else np.maximum(penalties, -weights.most)


def _no_penalty(judgements: Judgements, row: int, span: Span, weights: MqmWeights) -> InputError:
    severities = [key for key in weights.penalties if "/" not in key]
    return InputError(
        "there is no weight for this error",
        where=f"{judgements.file}, system {shown(judgements.rows[row].system)}",
        line=judgements.rows[row].line,
        found=f"severity {shown(span.severity)}, category {shown(span.category)}",
        expected=", ".join(severities),
        remedy=f"Add it to the weights {weights.name}, or choose others.",
    )


def _standardised(judgements: Judgements, values: Floats) -> Floats:
    """Each value less its rater's mean, over the rater's standard deviation (of a sample): (n,).

    As the rankings of the WMT news and general tasks do it: a rater without any deviation says nothing, and is NaN.
    All judgements are of one language pair.
    """
    raters = {rater: index for index, rater in enumerate(judgements.raters)}
    of_row = np.array([raters[row.rater] for row in judgements.rows], np.int64)
    known = ~np.isnan(values)
    numbers = np.bincount(of_row[known], minlength=len(raters))
    means = np.bincount(of_row[known], values[known], minlength=len(raters)) / np.maximum(numbers, 1)
    squares = np.bincount(of_row[known], (values[known] - means[of_row[known]]) ** 2, minlength=len(raters))
    low, high = np.full(len(raters), np.inf), np.full(len(raters), -np.inf)
    np.minimum.at(low, of_row[known], values[known])
    np.maximum.at(high, of_row[known], values[known])
    if not (low < high).any():
        raise _no_spread(judgements)
    # By the values themselves: rounding can leave a deviation where all are the same.
    deviations = np.where(low < high, np.sqrt(squares / np.maximum(numbers - 1, 1)), np.nan)
    standardised = np.array(values)
    standardised -= means[of_row]
    standardised /= deviations[of_row]
    return standardised


def _no_spread(judgements: Judgements) -> InputError:
    raters = list(judgements.raters)
    more = f" and {len(raters) - _MOST_NAMED:,} more" if len(raters) > _MOST_NAMED else ""
    return InputError(
        "there are no z-scores, because no rater has given two different judgements",
        where=judgements.file,
        found=f"{counted(len(raters), 'rater')}: " + ", ".join(map(shown, raters[:_MOST_NAMED])) + more,
        expected="raters with judgements that differ",
        remedy="Use the mean of the raters.",
    )
