"""The process of a metric, in its own environment: requests come in, scores go out, a JSON document a line.

It needs the standard library alone, of any Python since 3.9. The words of its command line are a scorer's file, the
name of a model, and the number of bytes of memory that it may take.
"""

import json
import os
import runpy
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

SECONDS_BETWEEN_LOOKS = 0.25
_STATE = Path("/proc/self/statm")


def main(scorer: str, model: str, most_bytes: int) -> int:
    """Load the scorer, say so, and answer one request after the other."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # packages print what they like: it is no reply
    sys.stdout = sys.stderr
    requests = os.fdopen(os.dup(0), encoding="ascii")

    def reply(said: dict[str, object]) -> None:
        replies.write(json.dumps(said) + "\n")
        replies.flush()

    threading.Thread(target=_watch, args=(os.getppid(), most_bytes), daemon=True).start()
    try:
        score = runpy.run_path(scorer)["load"](model)
        reply({"ready": True})
        for line in requests:
            reply({"scores": list(score(json.loads(line)))})
    except BaseException as error:  # noqa: BLE001  # whatever somebody else's packages raise
        traceback.print_exc()
        reply({"error": f"{type(error).__name__}: {error}"})
        return 1
    return 0


def _watch(parent: int, most_bytes: int) -> None:
    """End this process when the one that started it is gone, or when it takes more memory than it may."""
    while True:
        if os.getppid() != parent:
            _end()
        if _memory() > most_bytes:
            sys.stderr.write(f"It took more than the {most_bytes // 10**6:,} MB of memory that it may take.\n")
            sys.stderr.flush()
            _end()
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _end() -> None:
    """End this process, and those that it started."""
    if os.name != "nt" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _memory() -> int:
    """The bytes that this process has in memory; 0 where the system does not say."""
    try:
        return int(_STATE.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
