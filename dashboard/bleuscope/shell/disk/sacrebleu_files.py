"""Where sacreBLEU keeps the files of one of its test sets; run as a process of its own, which can be ended.

sacreBLEU waits for a server as long as it takes, leaves the process where a download is not what it expects, and
reads XML that somebody may have put into its cache. None of that is to happen in the process of the dashboard.

    python sacrebleu_files.py wmt22 en-de cache       print what is there as JSON
    python sacrebleu_files.py wmt22 en-de download    fetch what is not there before
"""

import json
import socket
import sys
import urllib.request
from http.client import HTTPException
from typing import Any, NoReturn

SECONDS_OF_SILENCE = 20
"""A server that says nothing for so long is given up."""


class NotInCache(Exception):  # noqa: N818  # not an error: the answer to a question
    """sacreBLEU would have to download something."""


class NoNetwork(urllib.request.OpenerDirector):
    """What opens addresses in place of urllib's own, and opens none."""

    def open(self, *_arguments: object, **_options: object) -> NoReturn:
        """Refuse to."""
        raise NotInCache


def found(name: str, pair: str) -> dict[str, object]:
    """The path of each field of a test set, and the paths of the references that sacreBLEU takes of it."""
    from sacrebleu.dataset import DATASETS  # noqa: PLC0415  # reads the environment as it is imported

    dataset: Any = DATASETS[name]
    files = dict(zip(dataset.fieldnames(pair), dataset.get_files(pair), strict=True))
    return {"files": files, "references": list(dataset.get_reference_files(pair))}


def _in_words(error: Exception) -> str:
    """What went wrong; urllib wraps what the system says."""
    reason = getattr(error, "reason", error)
    said = getattr(reason, "strerror", None) or str(reason)
    if not isinstance(reason, OSError):
        return f"{type(error).__name__}: {said}"
    return f"{reason.filename}: {said.lower()}" if reason.filename else said.lower()


def main() -> None:
    """Print what was found, or why nothing was, as one object of JSON."""
    name, pair, mode = sys.argv[1:]
    socket.setdefaulttimeout(SECONDS_OF_SILENCE)
    if mode == "cache":
        urllib.request.install_opener(NoNetwork())
    answer: dict[str, object]
    try:
        answer = found(name, pair)
    except NotInCache:
        answer = {"is_absent": True}
    except SystemExit:
        answer = {"error": "its checksum or its certificate is not the right one", "is_of_network": True}
    except Exception as error:  # noqa: BLE001  # whatever sacreBLEU makes of broken files
        is_of_network = mode == "download" and isinstance(error, OSError | HTTPException)
        answer = {"error": _in_words(error), "is_of_network": is_of_network}
    print(json.dumps(answer))  # noqa: T201  # this is how the other process reads it


if __name__ == "__main__":
    main()
