"""Ports for servers of tests, which nobody else gets between the choice and the start of the server."""

import os
import secrets
import socket
from itertools import count

OURS = range(11_000, 32_000)
"""Above those that browsers refuse, and beneath those that systems give to whoever connects or asks for any."""


class Ports:
    """Gives ports that nobody has: none twice, and none that another process of the same tests may give."""

    def __init__(self):
        process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        own = OURS[process :: int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]
        self._numbers = (own[number % len(own)] for number in count(secrets.randbelow(len(own))))

    def __call__(self, number=1):
        """So many ports."""
        return [next(port for port in self._numbers if _is_free(port)) for _ in range(number)]


def _is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
