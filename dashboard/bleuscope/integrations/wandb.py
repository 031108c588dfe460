"""A study in a run of Weights & Biases."""

from typing import Any

import wandb

from bleucore import InputError
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.integrations.logged import MOST_SEGMENTS, Table, logged_study


def log_study(
    study: TestedStudy,
    run: Any = None,  # noqa: ANN401  # theirs
    *,
    name: str = "bleuscope",
    most_segments: int = MOST_SEGMENTS,
) -> None:
    """Log the tables of systems and segments, scores and verdict as summary, and signatures as config.

    Args:
        study: As ``bleuscope.compare`` makes it.
        run: Where; the one that ``wandb.init`` began unless given.
        name: In front of every name; give each study of a run its own.
        most_segments: Rows of the table of segments: those that differ most, if there are more.

    Raises:
        InputError: No run has begun.
    """
    run = wandb.run if run is None else run
    if run is None:
        raise InputError("no run has begun", where="W&B", remedy="Call wandb.init first, or give the run.")
    logged = logged_study(study, most_segments)
    run.config.update({f"{name}/{key}": value for key, value in logged.settings.items()}, allow_val_change=True)
    run.log({f"{name}/systems": _table(logged.systems), f"{name}/segments": _table(logged.segments)})
    run.summary.update({f"{name}/{key}": value for key, value in logged.scores.items()})
    if logged.verdict is not None:
        run.summary[f"{name}/verdict"] = logged.verdict


def _table(table: Table) -> Any:  # noqa: ANN401  # theirs
    return wandb.Table(columns=[*table], data=[list(row) for row in zip(*table.values(), strict=True)])
