"""Ends with 0 if the bleuscope of this container answers; what its image asks every half minute.

Reads the token from BLEUSCOPE_TOKEN, as the server does. Where one is drawn at every start, nobody here knows it: then
the answer that it is missing shows that the server is there. Of several processes (--processes) it asks each.
"""

import http.client
import os
import sys

ADDRESS = "/_stcore/health"
SECONDS = 4.0
PROCESS = "bleuscope-process"
"""How the cookie begins that leads to one of several processes; the port stands behind it."""
MOST_PROCESSES = 64
WELL, NOT_LET_IN = 200, 403


def status(host: str, port: int, token: str, *, process: int | None = None) -> tuple[int, bool]:
    """The status of the server's answer, and whether another process than that with the number gave it.

    Raises:
        OSError: It does not answer.
    """
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    cookie = {} if process is None else {"Cookie": f"{PROCESS}-{port}={process}"}
    connection.request("GET", ADDRESS, headers=({"Authorization": f"Bearer {token}"} if token else {}) | cookie)
    answer = connection.getresponse()
    return answer.status, f"{PROCESS}-{port}=" in "; ".join(answer.headers.get_all("Set-Cookie", []))


def statuses(host: str, port: int, token: str) -> set[int]:
    """The statuses of the answers of all processes. One that is being started anew ends the search.

    Raises:
        OSError: One does not answer.
    """
    one, has_several = status(host, port, token)
    found = {one}
    for process in range(MOST_PROCESSES if has_several else 0):
        one, is_another = status(host, port, token, process=process)
        if is_another:
            break
        found.add(one)
    return found


if __name__ == "__main__":
    host, port = sys.argv[1:] or ("127.0.0.1", "8501")
    token = os.environ.get("BLEUSCOPE_TOKEN", "")
    try:
        found = statuses(host, int(port), token)
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"bleuscope does not answer: {error}")
    if found != {WELL if token else NOT_LET_IN}:
        sys.exit(f"bleuscope answers with status {', '.join(map(str, sorted(found)))}")
