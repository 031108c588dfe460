"""What people marked in the open texts, for the kinds of errors: all their tasks together."""

from collections.abc import Hashable, Sequence

from bleucore.analysis.kinds import KindLosses
from bleucore.analysis.marked_kinds import MarkedKinds, marked_kinds
from bleucore.annotation.marked import at_their_outputs, rows_of
from bleucore.errors import InputError
from bleucore.judgements.records import Judgements
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.annotation.open_store import open_store
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.runtime.kept import kept
from bleuscope.shell.state import workspace_in_use

NAME = "annotations"
MOST = 8
"""Pairs whose marks are kept."""
Revisions = tuple[tuple[str, Hashable], ...]


def marked(view: ComparisonContext, losses: Sequence[KindLosses]) -> MarkedKinds | None:
    """The tokens of annotated outputs by kind, and how many are marked; ``None`` where nobody annotated these texts.

    Args:
        view: The open texts.
        losses: What the systems of interest lost, with the kinds of their tokens.
    """
    store = open_store()
    try:
        somebody = None if store is None or workspace_in_use.is_by_link() else workspace_in_use.somebody()
        if store is None or somebody is None:
            return None
        tasks = store.tasks(somebody[1], view.loaded.as_read.test_set.texts_digest)
        revisions = tuple((one.id, store.revision(one.id)) for one in tasks)
        return _marked(view, tuple(losses), store, revisions) if revisions else None
    except InputError:  # the page of annotations says what is wrong
        return None


@kept(
    most=MOST,
    key=lambda view, losses, _, revisions: (
        view.evaluation.digest,
        view.options,
        tuple(one.system for one in losses),
        revisions,
    ),
)
def _marked(
    view: ComparisonContext, losses: tuple[KindLosses, ...], store: AnnotationStore, revisions: Revisions
) -> MarkedKinds | None:
    rows = [row for name, _ in revisions for row in rows_of(store.task(name), store.states(name))]
    names = dict(zip(view.loaded.as_read.test_set.system_names, view.test_set.system_names, strict=False))
    placed = at_their_outputs(rows, view.test_set, names)
    if not placed:
        return None
    judgements = Judgements(NAME, NAME, "MQM", placed)
    found = marked_kinds(view.test_set, losses, judgements, view.options)
    return found if found.n_outputs else None
