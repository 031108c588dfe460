"""Four annotators mark at once in one process, and each mark is printed as it is acknowledged; it is killed meanwhile.

Run as ``marking.py PLACE TASK EACH``: so many marks of each annotator; where it was killed before, it goes on with the
first mark that was not acknowledged, as a browser sends again what nobody acknowledged. ``PLACE`` is a folder or the
address of a database. What was acknowledged is read from standard input: a line "annotator number" each.
"""

import os
import sys
import threading

from bleucore.annotation.events import Marked
from bleucore.annotation.marks import Mark
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import open_workspace, place_of

ANNOTATORS = ("ann", "bob", "cem", "dea")


def mark_of(annotator, number):
    """What an annotator marks at a time: its comment says whose it is, and which."""
    return Mark(number % 5, number % 5 + 1, "minor" if number % 2 else "major", comment=f"{annotator} {number}")


def item_of(task, annotator, number):
    """Which item it is on."""
    items = task.assigned[annotator]
    return items[number * 7 % len(items)]


def mark(store, task, annotator, first, each):
    """Send marks one after the other, as one window does."""
    revisions = {}
    for number in range(first, each):
        item = item_of(task, annotator, number)
        body = Marked(f"m{number}", mark_of(annotator, number))
        revision = revisions.get(item, 0)
        revisions[item] = store.append(task.id, item, annotator, body, revision, f"{annotator}-window.{number}")
        os.write(1, f"{annotator} {number}\n".encode())  # whole: others write to the same pipe


def main(place, task_id, each):
    """All annotators at once."""
    first = dict.fromkeys(ANNOTATORS, 0)
    for line in sys.stdin:
        annotator, number = line.split()
        first[annotator] = max(first[annotator], int(number) + 1)
    with open_workspace(place_of(place)) as workspace:
        store = AnnotationStore(workspace)
        task = store.task(task_id)
        threads = [threading.Thread(target=mark, args=(store, task, name, first[name], each)) for name in ANNOTATORS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
