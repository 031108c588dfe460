"""Backs up or restores again and again, and is killed each time at another line of the workspace's code.

Run as ``killed_with_backups.py back_up|restore FILE NUMBER PLACE…``: the first place is used once without a kill, to
count the lines; then each of the others with one kill. It prints how many processes were killed. Kills come
where a line is run for the first time: most lines that run belong to a few loops.
"""

import os
import signal
import sys
from pathlib import Path

import bleuscope.workspace.migrations
from bleuscope.workspace import open_workspace, place_of
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.place import FOLDER_VARIABLE
from bleuscope.workspace.restoring import restore

CODE = str(Path(bleuscope.workspace.__file__).parent)


def work(what: str, file: Path, place: str) -> None:
    """Do it once; a PostgreSQL gets a folder for its texts next to the file."""
    os.environ[FOLDER_VARIABLE] = f"{file}-{place.rpartition('/')[2]}"
    if what == "restore":
        restore(place_of(place), file)
        return
    with open_workspace(place_of(place)) as workspace:
        back_up(workspace, file)


class Lines:
    """Counts the lines of the workspace's code as they are run, and kills the process at one of them."""

    def __init__(self, last: int | None = None) -> None:
        self.number, self._last = 0, last
        self.first_runs: dict[tuple[str, int], int] = {}

    def __call__(self, frame, _event, _argument):
        if not frame.f_code.co_filename.startswith(CODE):
            return None
        return self._line

    def _line(self, frame, event, _argument):
        if event == "line":
            self.number += 1
            self.first_runs.setdefault((frame.f_code.co_filename, frame.f_lineno), self.number)
            if self.number == self._last:
                os.kill(os.getpid(), signal.SIGKILL)
        return self._line


def counted(what: str, file: Path, place: str) -> list[int]:
    """At which number of lines each line is run for the first time, and at which the last one is run."""
    lines = Lines()
    sys.settrace(lines)
    work(what, file, place)
    sys.settrace(None)
    return [*lines.first_runs.values(), lines.number]


def is_killed(what: str, file: Path, place: str, last: int) -> bool:
    """Do it in a process that is killed at a line; whether it came to that."""
    child = os.fork()
    if not child:
        sys.settrace(Lines(last))
        work(what, file, place)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


if __name__ == "__main__":
    asked, named, how_often, first, *others = sys.argv[1:]
    number = int(how_often)
    moments = counted(asked, Path(f"{named}.first") if asked == "back_up" else Path(named), first)
    kills = [moments[round((len(moments) - 1) * point / (number - 1))] for point in range(number)]
    targets = others if len(others) > 1 else others * number
    print(sum(is_killed(asked, Path(named), target, kill) for target, kill in zip(targets, kills, strict=True)))
