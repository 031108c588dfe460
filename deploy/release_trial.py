"""What a new environment has to be able to do, run by its own Python: ``release_trial.py engine|dashboard``.

Prints one line. Any failure is a traceback and the exit code 1.
"""

import http.client
import re
import socket
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT

SECONDS = 60
WELL = 200


def command(*arguments: str) -> str:
    """What the command prints, called as a module."""
    ended = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "bleuscope", *arguments], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    if ended.returncode:
        raise RuntimeError(f"bleuscope {' '.join(arguments)}: {ended.stdout}{ended.stderr}")
    return ended.stdout


def status_of_a_page() -> int:
    """What the server answers to who has its token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-u", "-m", "bleuscope", "demo", "--no-browser", "--no-workspace", "--port", str(port)]
    with subprocess.Popen(program, stdout=PIPE, stderr=STDOUT, text=True) as server:  # noqa: S603  # our own command
        try:
            lines = iter(server.stdout or ())
            said = next((line for line in lines if "token=" in line), "")
            token = re.findall(r"token=(\S+)", said)[0]
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
            connection.request("GET", "/_stcore/health", headers={"Authorization": f"Bearer {token}"})
            return connection.getresponse().status
        finally:
            server.terminate()


def main(kind: str) -> None:
    """Import, score, compare; with the dashboard report and serve too."""
    import bleucore  # noqa: PLC0415  # what is tried

    test_set = bleucore.TestSet([bleucore.System("one", ["a b c d"])], [["a b c e"]])
    score = bleucore.evaluate(test_set, metrics=[bleucore.ChrfOptions()]).systems["one"].score.score
    best = command("score", "--sample").splitlines()[1].split()
    command("compare", "--sample")
    if kind == "dashboard":
        command("report", "--sample", "-o", "report.html")
        if Path("report.html").stat().st_size < 1_000_000:  # noqa: PLR2004  # Plotly alone is larger
            raise RuntimeError("the report lacks something")
        if status_of_a_page() != WELL:
            raise RuntimeError("the server does not answer as it should")
    elif subprocess.run([sys.executable, "-c", "import streamlit"], capture_output=True, check=False).returncode == 0:
        raise RuntimeError("the engine alone brought Streamlit along")
    print(f"bleucore {bleucore.__version__}: {score:.4f} by hand, the best system of the sample {best[0]} {best[1]}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
