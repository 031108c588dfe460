"""What annotations come to, computed once for each event and kept for all sessions of this server."""

from bleucore.judgements.averaging import MqmWeights
from bleuscope.features.annotation.outcome import Outcome
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.runtime.kept import kept

MOST = 8
"""Tasks whose outcome is kept."""


@kept(
    most=MOST,
    key=lambda _, task_id, revision, weights: (task_id, revision, None if weights is None else weights.name),
)
def _outcome_at(
    store: AnnotationStore, task_id: str, _revision: tuple[str, int, int], weights: MqmWeights | None
) -> Outcome:
    """The outcome as of a revision: events are only added, so the last one and their number name them all."""
    return Outcome(store.task(task_id), store.states(task_id), weights)


def outcome_of(store: AnnotationStore, task_id: str, weights: MqmWeights | None) -> Outcome:
    """What the annotations of a task come to now.

    Raises:
        NotFoundError: There is no such task.
    """
    return _outcome_at(store, task_id, store.revision(task_id), weights)
