"""The environment of a metric: made once by uv, in a folder that its requirements name."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

from bleucore.installing import how_to_install
from bleuscope.neural.child import Child
from bleuscope.neural.manifest import NeuralMetric, refused
from bleuscope.neural.saved import is_there

PLACE_VARIABLE = "BLEUSCOPE_NEURAL"
_COMPLETE = "complete"
"""A file that is written last."""


def neural_folder() -> Path:
    """Where environments and scores are: what the environment names, or the platform's folder for a person's data."""
    named = os.environ.get(PLACE_VARIABLE, "")
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path  # noqa: PLC0415  # not there with the engine alone

    return user_data_path("bleuscope", appauthor=False) / "neural"


def is_made(metric: NeuralMetric, folder: Path) -> bool:
    """Whether a metric's environment is there, or it needs none."""
    return not metric.requirements or is_there(_place(metric, folder) / _COMPLETE)


def python_of(metric: NeuralMetric, folder: Path, beat: Callable[[], None], lock: IO[bytes]) -> Path:
    """The Python of a metric's environment, which is made if it is not there; only who has the lock may be here.

    Without requirements it is the Python that runs here.

    Raises:
        InputError: There is no uv, or it fails.
        OSError: The folder cannot be written to.
    """
    if not metric.requirements:
        return Path(sys.executable)
    place = _place(metric, folder)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if is_made(metric, folder):
        return python
    uv = _uv(metric)
    asked = metric.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    try:
        _run(metric, [uv, "venv", "--quiet", "--clear", "--python", asked, str(place)], folder, beat, lock)
        _run(
            metric, [uv, "pip", "install", "--quiet", "--python", str(python), *metric.requirements], folder, beat, lock
        )
        (place / _COMPLETE).write_bytes(b"")
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)  # uv still has what it downloaded
        raise
    return python


def _place(metric: NeuralMetric, folder: Path) -> Path:
    return folder / "environments" / metric.environment


def _uv(metric: NeuralMetric) -> str:
    beside = Path(sys.executable).with_name("uv.exe" if os.name == "nt" else "uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise refused(metric, "uv is missing, which makes its environment", remedy=f"Add it: {how_to_install('uv')}")
    return found


def _run(metric: NeuralMetric, command: list[str], folder: Path, beat: Callable[[], None], lock: IO[bytes]) -> None:
    certificates = {"UV_SYSTEM_CERTS": "1"} | ({} if "UV_NATIVE_TLS" in os.environ else {"UV_NATIVE_TLS": "1"})
    index = os.environ.get("PIP_INDEX_URL")
    variables = certificates | ({"UV_DEFAULT_INDEX": index} if index and "UV_DEFAULT_INDEX" not in os.environ else {})
    log = folder / f"{metric.name}.log"
    with Child(metric, command, beat=beat, log=log, variables=variables, lock=lock) as child:
        code = child.wait(metric.seconds_to_load)
        if code:
            raise child.failed(f"its environment cannot be made (uv ended with exit code {code})")
