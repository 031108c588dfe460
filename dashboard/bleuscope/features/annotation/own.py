"""Marks that somebody makes in Segments: a task of their own for each test set, which gets an item at a time."""

from dataclasses import dataclass
from types import MappingProxyType

from bleucore.annotation.schemes import MQM, Scheme
from bleucore.annotation.tasks import Item, Task, places_in_documents
from bleucore.corpus import TestSet
from bleucore.values import unknown_name
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace.people import Person

OWN_TITLE = "Marks made in Segments"
ANNOTATOR = "you"


@dataclass(frozen=True)
class OwnItem:
    """An output that somebody marks on their own.

    Attributes:
        task_id: Of their own task of the test set.
        item: The output.
        annotator: What they are called there.
    """

    task_id: str
    item: Item
    annotator: str


def own_item(
    store: AnnotationStore, by: Person, test_set: TestSet, system: str, segment: int, scheme: Scheme = MQM
) -> OwnItem:
    """An output in somebody's own task of a test set, which is made with the first one.

    Args:
        store: Of the workspace.
        by: Who marks.
        test_set: With the output.
        system: Whose output it is.
        segment: From 0.
        scheme: Of the task, where it is made now.

    Raises:
        InputError: There is no such system.
        WorkspaceError: The workspace cannot be written.
    """
    names = test_set.system_names
    if system not in names:
        raise unknown_name("system", system, names, where="Annotation", remedy="Choose one of these systems.")
    name = f"{segment}-{names.index(system)}"
    task_id = store.own(by, test_set.texts_digest)
    if task_id is None:
        task_id = store.create(_empty(test_set, scheme), by, is_own=True)
    if name not in store.task(task_id).by_id:
        store.add_item(task_id, _item(test_set, name, system, segment), ANNOTATOR)
    return OwnItem(task_id, store.task(task_id).item(name), ANNOTATOR)


def _empty(test_set: TestSet, scheme: Scheme) -> Task:
    return Task(
        OWN_TITLE,
        scheme,
        (),
        (ANNOTATOR,),
        MappingProxyType({ANNOTATOR: ()}),
        test_set=test_set.texts_digest,
        languages=test_set.languages,
        shows_reference=True,
        n_segments=test_set.n_segments,
        counts_unfinished=True,
    )


def _item(test_set: TestSet, name: str, system: str, segment: int) -> Item:
    text = test_set.systems[test_set.system_names.index(system)].hypotheses[segment]
    return Item(
        name,
        segment,
        system,
        "" if test_set.documents is None else test_set.documents[segment],
        text,
        "" if test_set.source is None else test_set.source[segment],
        test_set.references[0][segment] if test_set.references else None,
        place=places_in_documents(test_set)[segment],
    )
