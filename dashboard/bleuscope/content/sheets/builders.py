"""What sheets are put together from: columns with their values, and who is compared under which settings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, MetricEvaluation
from bleucore.optional_packages import pd
from bleuscope.content.sheets.sheet import Field, Kind, Sheet
from bleuscope.content.style.identity import letters_of
from bleuscope.content.style.terms import term

Of = TypeVar("Of")
Facts = Mapping[str, str | int | float]
FilledField = tuple[Field, object]
"""A field and its values: an array or a list, one a row; of an interval the two ends a row."""

SYSTEM = Field("system", "system", "text", explanation=term("system"), names_system=True)
BREVITY_PENALTY = Field("brevity_penalty", "BP", "ratio", explanation=term("BP"))
HYPOTHESIS_LENGTH = Field("hypothesis_length", "hyp. length", "count", explanation=term("hypothesis"))
REFERENCE_LENGTH = Field("reference_length", "ref. length", "count", explanation=term("reference"))


def sheet_of(  # noqa: PLR0913  # what a sheet holds
    name: str,
    sentences: Iterable[str],
    columns: Sequence[FilledField],
    facts: Facts,
    *,
    title: str = "",
    emphasised: tuple[int, ...] = (),
    parted: tuple[int, ...] = (),
) -> Sheet:
    """A sheet of columns, in order; empty sentences are left out of its caption."""
    frame: dict[str, object] = {}
    for column, values in columns:
        if column.kind == "interval":
            low, high = np.asarray(values, np.float64).reshape(-1, 2).T
            frame |= {f"{column.key}_low": low, f"{column.key}_high": high}
        elif column.kind == "text":  # objects, since Arrow's strings have no room for half a character
            frame[column.key] = pd.Series([*cast("Iterable[object]", values)], dtype=object)
        else:
            frame[column.key] = values
    return Sheet(
        name,
        " ".join(sentence for sentence in sentences if sentence),
        tuple(column for column, _ in columns),
        pd.DataFrame(frame),
        facts,
        title,
        emphasised,
        parted,
    )


def columns_of(sheet: Sheet, keys: Sequence[str], *, title: str) -> Sheet:
    """Some columns of a sheet, in this order; no row of it stands out."""
    fields = {one.key: one for one in sheet.fields}
    return replace(sheet, fields=tuple(fields[key] for key in keys), title=title, emphasised=(), parted=())


def rows_of(sheet: Sheet, rows: Sequence[int] | NDArray[np.int64], *, title: str) -> Sheet:
    """Some rows of a sheet, in this order; none of them stands out."""
    fields = tuple(
        replace(one, notes={place: one.notes[row] for place, row in enumerate(rows) if row in one.notes})
        for one in sheet.fields
    )
    frame = sheet.frame.iloc[list(rows)].reset_index(drop=True)
    return replace(sheet, fields=fields, frame=frame, title=title, emphasised=(), parted=())


def context(sides: tuple[str, ...], evaluation: Evaluation, metric: MetricEvaluation | None = None) -> list[str]:
    """Who is A and who is B, and the signature of the metric, BLEU unless given, as sentences."""
    who = f"A is {sides[0]}, B is {sides[1]}." if len(sides) > 1 else f"The system is {sides[0]}."
    return [who, f"Signature: {(metric or evaluation.bleu).signature}."]


def facts_of(
    sides: tuple[str, ...], evaluation: Evaluation, metric: MetricEvaluation | None = None
) -> dict[str, str | int | float]:
    """The same for machines, with the digest of the texts."""
    systems = {f"system_{letter.lower()}": name for name, letter in letters_of(sides).items()} or {"system": sides[0]}
    return {"digest": evaluation.digest, "signature": (metric or evaluation.bleu).signature, **systems}


def pair_columns(
    sides: tuple[str, ...], key: str, heading: str, kind: Kind, values: Mapping[str, NDArray[Any]]
) -> list[FilledField]:
    """The values of A and of B, or of the only system."""
    if len(sides) == 1:
        return [(Field(key, heading, kind), values[sides[0]])]
    return [
        (Field(f"{key}_{side.lower()}", f"{heading} {side}", kind), values[name])
        for name, side in letters_of(sides).items()
    ]


def score_column(metric: MetricEvaluation) -> tuple[str, Kind]:
    """The key and the kind of columns that hold scores of a metric."""
    return ("score", "metric score") if metric.metric.is_read else (metric.name.casefold(), "score")


def numbers_of(found: Sequence[Of | None], number: Callable[[Of], float | None]) -> NDArray[np.float64]:
    """A number of each, NaN where there is none."""
    return np.array([None if one is None else number(one) for one in found], np.float64)


def ends_of(intervals: Sequence[tuple[float, float] | None]) -> NDArray[np.float64]:
    """The ends of intervals, (n, 2), NaN where there is none."""
    return np.array([(np.nan, np.nan) if one is None else one for one in intervals], np.float64).reshape(-1, 2)


BLEU = Field("bleu", "BLEU ↑", "score", best="highest", explanation=term("BLEU"))


REMARK = Field("remark", "remark", "text", for_machines=True)


def evaluation_facts(evaluation: Evaluation) -> dict[str, str | int | float]:
    """What holds for all scores: the digest of the texts, their number, and the signature of each metric."""
    bleu, *others = evaluation.metrics.values()
    return {
        "digest": evaluation.digest,
        "n_segments": evaluation.n_segments,
        "signature": bleu.signature,
        **{f"signature of {metric.name}": metric.signature for metric in others},
    }


def signatures(evaluation: Evaluation, names: Iterable[str] | None = None) -> list[str]:
    """The signature of each metric, and what has to be known beside it."""
    chosen = [evaluation.metrics[name] for name in names or evaluation.metrics]
    remarks = [remark for metric in chosen for remark in metric.remarks]
    if len(chosen) == 1:
        return [f"Signature: {chosen[0].signature}.", *remarks]
    return ["Signatures: " + "; ".join(f"{metric.name}|{metric.signature}" for metric in chosen) + ".", *remarks]


def part_field(metric: str) -> Field:
    """Parts in a difference of the metric."""
    return Field("part", "contribution to Δ", "part", on_pages=f"contribution to Δ {metric} (B − A)")
