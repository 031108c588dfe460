"""Pushes version after version into a workspace and prints each label as it is acknowledged; it is killed meanwhile.

Run as ``killed_while_pushing.py FOLDER PREFIX NUMBER WRITERS``: with several writers, each is a process of its own.
"""

import os
import sys

from bleuscope.workspace import push

REFERENCE = [f"reference {line}" for line in range(40)]


def write(folder: str, prefix: str, number: int) -> None:
    """Push so many versions."""
    for count in range(number):
        label = f"{prefix}-{count}"
        outputs = [f"{label} {line}" for line in range(len(REFERENCE))]
        push(outputs, project="p", test_set="t", system="s", version=label, workspace=folder, references=[REFERENCE])
        os.write(1, f"{label}\n".encode())  # whole: others write to the same pipe


def write_at_once(folder: str, prefix: str, number: int, writers: int) -> int:
    """The same from so many processes; the number of those that failed."""
    children = []
    for writer in range(writers):
        child = os.fork()
        if not child:
            write(folder, f"{prefix}-{writer}", number)
            os._exit(0)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    where, called, how_many, processes = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if processes > 1:
        sys.exit(write_at_once(where, called, how_many, processes))
    write(where, called, how_many)
