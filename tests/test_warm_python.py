"""A program that ``warm_python`` starts is given what Python would give it, and ends as it would end there."""

import os
import signal
import subprocess
import sys

import pytest

from tests.warm_python import warm_python

TELLS = (
    "import os, sys; print(sys.argv, sys.path[0], os.getcwd(), ascii(os.environ['GIVEN']), sys.stdin.read(), __name__)"
)
ENDS = {
    "": 0,
    "import sys; sys.exit(3)": 3,
    "import sys; sys.exit('why')": 1,
    "1 / 0": 1,
    "import os; os.kill(os.getpid(), 9)": -signal.SIGKILL,
    "raise KeyboardInterrupt": -signal.SIGINT,
}
HEARS = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
print("ready", flush=True)
signal.pause()
"""


def run(python, *words, **settings):
    return subprocess.run([python, *words], capture_output=True, text=True, check=False, timeout=60, **settings)


@pytest.mark.parametrize("kind", ["-c", "-m", "file"])
def test_is_given_words_folder_variables_and_input(kind, tmp_path):
    (tmp_path / "tells.py").write_text(TELLS, encoding="utf-8")
    words = {"-c": ["-c", TELLS], "-m": ["-m", "tells"], "file": ["tells.py"]}[kind]
    given = {"cwd": tmp_path, "env": os.environ | {"GIVEN": "\udcff ä"}, "input": "typed"}
    usual, warm = (run(python, *words, "-x", "ö", **given) for python in (sys.executable, warm_python()))
    assert warm.stdout == usual.stdout != ""


@pytest.mark.parametrize("program", ENDS)
def test_ends_with_the_same_code(program):
    ended = run(warm_python(), "-c", program)
    assert ended.returncode == ENDS[program]
    assert ("Traceback" in ended.stderr) == (program == "1 / 0")
    assert ("why" in ended.stderr) == ("why" in program)


def test_hears_signals_and_is_gone_when_what_started_it_is_killed():
    for sent, code in ((signal.SIGTERM, 7), (signal.SIGKILL, -signal.SIGKILL)):
        with subprocess.Popen([warm_python(), "-c", HEARS], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(sent)
            assert process.stdout.read() == ""
            assert process.wait(60) == code


def test_has_imported_nothing_of_ours():
    asked = "import sys; print('streamlit' in sys.modules, {'bleucore', 'bleuscope', 'tests'} & {*sys.modules})"
    assert run(warm_python(), "-c", asked).stdout == "True set()\n"


def test_options_of_python_are_taken_by_a_new_one():
    assert run(warm_python(), "-I", "-c", "import sys; print(sys.flags.isolated, len(sys.modules) < 200)").stdout == (
        "1 True\n"
    )
