"""Has the process of ``warm_python`` run a program: sends it what it is given, and ends as the program ends."""

import os
import signal
import socket
import sys
from contextlib import suppress

HANDED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(address, python):
    """Run what the command line says; with options of Python, in a Python of its own."""
    words = sys.argv[1:]
    if not words or (words[0].startswith("-") and words[0] not in ("-c", "-m")):
        os.execv(python, [python, *words])
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        given = os.memfd_create("given")
        folder = os.getcwd()  # noqa: PTH109  # pathlib takes as long to import as all else here
        variables = [name + b"=" + value for name, value in os.environb.items()]
        os.write(given, b"\0".join([*map(os.fsencode, (folder, str(len(words)), *words)), *variables]))
        socket.send_fds(server, [b"x"], [given, 0, 1, 2])
        answers = server.makefile()
        process = int(answers.readline())

        def hand_on(number, _frame):
            with suppress(ProcessLookupError):
                os.kill(process, number)

        for number in HANDED_ON:
            signal.signal(number, hand_on)
        code = int(answers.readline() or -signal.SIGKILL)
    if code < 0:
        with suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
