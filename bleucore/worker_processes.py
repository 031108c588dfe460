"""Processes that work for this one without its main module, and whether this one can have any.

``multiprocessing`` has a new process import the script that started it, which repeats the script's work unless that is
under ``if __name__ == "__main__":``. What runs here is in modules of packages and needs nothing of the script.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import current_process, process, spawn
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

_AN_INTERPRETER = re.compile(r"(python|pypy|graalpy)", re.IGNORECASE)
_PREPARING = Lock()


def can_start() -> bool:
    """Whether this process may start others that run the same Python.

    Not a daemonic one, such as a worker of ``multiprocessing.Pool``, of Dask or of a ``DataLoader``; not one that is
    importing its parent's script; and none whose program is not Python itself, which would start the program again.
    """
    own = current_process()
    executable = spawn.get_executable()
    return not (
        own.daemon
        or getattr(own, "_inheriting", False)
        or getattr(sys, "frozen", False)
        or not executable
        or _AN_INTERPRETER.match(Path(os.fsdecode(executable)).name) is None
    )


class WorkerProcess(SpawnProcess):
    """A new interpreter that does not import the script of this one."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: ANN401, N802  # multiprocessing's
        with _preparing_without_main():
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001  # as above


class WorkerContext(SpawnContext):
    """What ``get_context("spawn")`` gives, with such processes."""

    Process = WorkerProcess


@contextmanager
def _preparing_without_main() -> Iterator[None]:
    """In this thread ``multiprocessing`` tells a new process where modules are, and nothing of the main one.

    Its own function would also settle the start method of all processes to come, which is the caller's to choose.
    """
    with _PREPARING:
        usual, thread = spawn.get_preparation_data, get_ident()
        spawn.get_preparation_data = lambda name: _preparation(name) if get_ident() == thread else usual(name)
        try:
            yield
        finally:
            spawn.get_preparation_data = usual


def _preparation(name: str) -> dict[str, Any]:
    folder = os.getcwd()  # noqa: PTH109  # as multiprocessing has it
    return {
        "name": name,
        "authkey": current_process().authkey,
        "sys_path": [path or process.ORIGINAL_DIR for path in sys.path],  # type: ignore[attr-defined]  # as above
        "dir": folder,
        "orig_dir": process.ORIGINAL_DIR,  # type: ignore[attr-defined]  # as above
    }
