"""Ends with 0 if the bleuscope of this container answers; what its image asks every half minute.

Reads the token from BLEUSCOPE_TOKEN, as the server does. Where one is drawn at every start, nobody here knows it: then
the answer that it is missing shows that the server is there.
"""

import http.client
import os
import sys

ADDRESS = "/_stcore/health"
SECONDS = 4.0
WELL, NOT_LET_IN = 200, 403


def status(host: str, port: int, token: str) -> int:
    """The status of the server's answer.

    Raises:
        OSError: It does not answer.
    """
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    connection.request("GET", ADDRESS, headers={"Authorization": f"Bearer {token}"} if token else {})
    return connection.getresponse().status


if __name__ == "__main__":
    host, port = sys.argv[1:] or ("127.0.0.1", "8501")
    token = os.environ.get("BLEUSCOPE_TOKEN", "")
    try:
        found = status(host, int(port), token)
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"bleuscope does not answer: {error}")
    if found != (WELL if token else NOT_LET_IN):
        sys.exit(f"bleuscope answers with status {found}")
