"""A task of one annotator in a workspace on disk, and what the workspace has of their marks."""

from bleucore.annotation.schemes import MQM
from bleucore.annotation.tasks import Item, Task
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.people import LOCAL


def begun(folder, texts):
    """Begin a task, and give its id and the link of its annotator."""
    with open_workspace(WorkspacePlace(folder)) as workspace:
        items = tuple(Item(f"i{n}", n, "secret", "", text, "A source") for n, text in enumerate(texts))
        task = Task("Ours", MQM, items, ("ann",), {"ann": tuple(item.id for item in items)}, languages=("en", "de"))
        store = AnnotationStore(workspace)
        task_id = store.create(task, workspace.people.person(LOCAL))
        return task_id, store.link_for(task_id, "ann")


def marked(folder, task_id):
    """The marks of each item, and whether it is finished."""
    with open_workspace(WorkspacePlace(folder)) as workspace:
        found = AnnotationStore(workspace).states(task_id)
    return {item: (tuple(state.marks.values()), state.is_finished) for (item, _), state in found.items()}
