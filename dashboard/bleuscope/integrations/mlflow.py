"""A study in a run of MLflow."""

import mlflow

from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.integrations.logged import MOST_SEGMENTS, logged_study


def log_study(study: TestedStudy, *, name: str = "bleuscope", most_segments: int = MOST_SEGMENTS) -> None:
    """Log the tables of systems and segments, scores as metrics, signatures as parameters, and the verdict as a tag.

    They belong to the active run, which MLflow begins if there is none.

    Args:
        study: As ``bleuscope.compare`` makes it.
        name: In front of every name; give each study of a run its own.
        most_segments: Rows of the table of segments: those that differ most, if there are more.
    """
    logged = logged_study(study, most_segments)
    mlflow.log_params({f"{name}/{key}": value for key, value in logged.settings.items()})
    mlflow.log_metrics({f"{name}/{key}": value for key, value in logged.scores.items()})
    for key, table in (("systems", logged.systems), ("segments", logged.segments)):
        mlflow.log_table({column: list(cells) for column, cells in table.items()}, f"{name}/{key}.json")
    if logged.verdict is not None:
        mlflow.set_tag(f"{name}/verdict", logged.verdict)
