"""Kills programs at random moments while they push, until so many pushes are acknowledged: none may be lost.

Run as ``python tests/benchmarks/killed_pushes.py [NUMBER] [SEED]``; 1,000 and 17 unless given.
"""

import importlib.util
import random
import sys
import tempfile
import time
from pathlib import Path

from bleuscope.workspace import WorkspacePlace, open_workspace

_path = Path(__file__).parents[1] / "workspace" / "test_killed.py"
_spec = importlib.util.spec_from_file_location("killed", _path)
killed = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(killed)

LONGEST_ROUND = 3.0


def main(number: int, seed: int) -> None:
    """Push and kill, then look at what is there."""
    moments, acknowledged, rounds, begin = random.Random(seed), [], 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = WorkspacePlace(Path(folder) / "workspace")
        while len(acknowledged) < number:
            moment = moments.uniform(0, LONGEST_ROUND)
            acknowledged += killed.kill_while_pushing(place.folder, f"r{rounds}", moment)
            rounds += 1
        with open_workspace(place) as workspace:
            there = killed.assert_whole(workspace, acknowledged)
        seconds, unsaid = time.monotonic() - begin, len(there) - len(acknowledged)
        print(
            f"{len(acknowledged):,} pushes were acknowledged in {rounds} rounds that kill -9 ended ({seconds:.0f} s)."
        )
        print(f"All are there, and whole; {unsaid} more were kept that could not be acknowledged any more.")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*[*given, *(1000, 17)[len(given) :]])
