"""Four annotators mark at once, and kill -9 ends the process again and again: no acknowledged mark may be lost.

Run as ``python tests/benchmarks/killed_marks.py [MARKS] [SECONDS] [SEED] [postgresql]``; 10,000 marks, a kill after up
to 10 seconds, and seed 17 unless given. With ``postgresql`` it starts a server of its own.
"""

import importlib.util
import os
import random
import socket
import sys
import tempfile
from pathlib import Path

from bleuscope.workspace.place import FOLDER_VARIABLE

TESTS = Path(__file__).parents[1]


def _module(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


killed = _module(TESTS / "dashboard" / "features" / "annotation" / "test_killed_marks.py")
postgresql = _module(TESTS / "workspace" / "postgresql.py")


def main(number: int, seconds: float, seed: int, *, is_postgresql: bool) -> None:
    """Mark and kill, then look at what is there."""
    moments = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[FOLDER_VARIABLE] = folder
        server = postgresql.Server(_free_port()) if is_postgresql else None
        try:
            address = f"{folder}/workspace" if server is None else server.make("marks")
            each = -(-number // len(killed.marking.ANNOTATORS))
            n_marks, rounds, took = killed.mark_and_kill(address, each, lambda: moments.uniform(0, seconds), 10_000)
        finally:
            if server is not None:
                server.stop()
    where = "PostgreSQL" if is_postgresql else "SQLite"
    print(f"{where}: {n_marks:,} marks by four annotators at once; kill -9 ended {rounds} rounds ({took:.0f} s).")
    print("Every acknowledged mark is there once, as its annotator sent it.")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "postgresql"]
    given = [*words, *("10000", "10", "17")[len(words) :]]
    main(int(given[0]), float(given[1]), int(given[2]), is_postgresql="postgresql" in sys.argv)
