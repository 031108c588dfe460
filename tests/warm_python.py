"""A Python for tests that has imported already what is slow to import: numpy, pandas and others take a second.

A process imports packages of others, none of ours, and waits. What a test starts with ``warm_python()`` instead of
``sys.executable`` has its program run by a fork of that process, with the words, environment, folder, input and output
that the test gave. It ends as the program ends and hands signals on; the program is killed soon after it is. The
program has another number, and no limits or groups of the test's: tests of such things take ``sys.executable``.
"""

import atexit
import gc
import importlib
import os
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import types
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGES = (
    "alembic.command alembic.runtime.migration click defusedxml.ElementTree jinja2 numpy pandas plotly.graph_objects "
    "plotly.io pyarrow python_multipart regex requests sacrebleu scipy.optimize scipy.special scipy.stats sqlalchemy "
    "starlette.applications starlette.staticfiles streamlit streamlit.components.v2 streamlit.testing.v1 "
    "streamlit.web.bootstrap unittest.mock uvicorn uvicorn.protocols.http.auto xlsxwriter yaml"
)
"""What pages, commands and servers import of others."""
CLIENT = """#!{python} -IS
import sys
sys.path.insert(0, {folder!r})
from warm_client import run
run({address!r}, {python!r})
"""
SOCKET = "socket"
SECONDS_TO_END = 5


@cache
def warm_python():
    """What starts a program: a file to run in the place of Python. Its process is one for all tests of a process."""
    if not hasattr(os, "pidfd_open"):
        return sys.executable
    folder = Path(tempfile.mkdtemp(prefix="warm-"))  # a short path: its socket lies there
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, __file__, str(folder)],
        stdin=subprocess.PIPE,  # it ends when that is closed, as it is at the end of this process
        stdout=subprocess.PIPE,
        env=own,
        start_new_session=True,
    )
    process.stdout.readline()
    atexit.register(_end, process)
    here = str(Path(__file__).parent)
    client = folder / "python"
    client.write_text(CLIENT.format(python=sys.executable, folder=here, address=str(folder / SOCKET)), encoding="utf-8")
    client.chmod(0o755)
    return str(client)


def _end(process):
    """Start no more programs; those that still run go on."""
    process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(SECONDS_TO_END)
    process.returncode = process.returncode or 0  # nobody waits for it any more


def serve(address):
    """Fork for each program: in the fork the files that it was given, at last ``None``."""
    ways = selectors.DefaultSelector()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(address))
    listener.listen()
    ways.register(listener, selectors.EVENT_READ)
    ways.register(0, selectors.EVENT_READ)
    os.write(1, b"ready\n")
    running = {}
    while running or 0 in ways.get_map():
        for key, _ in ways.select():
            if key.fileobj is listener:
                connection, _ = listener.accept()
                _, files, _, _ = socket.recv_fds(connection, 1, 4)
                process = os.fork()
                if not process:
                    for way in [*ways.get_map().values()][2:]:
                        way.data[0].close()
                    connection.close()
                    listener.close()
                    ways.close()
                    return files
                for file in files:
                    os.close(file)
                with suppress(OSError):
                    connection.sendall(f"{process}\n".encode())
                running[process] = connection, os.pidfd_open(process)
                for way in running[process]:
                    ways.register(way, selectors.EVENT_READ, (connection, process))
            elif key.fileobj == 0:
                ways.unregister(0)
                ways.unregister(listener)
                listener.close()
            elif isinstance(key.fileobj, int):
                connection, process = key.data
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                with suppress(OSError):
                    connection.sendall(f"{code}\n".encode())
                ways.unregister(key.fileobj)
                os.close(key.fileobj)
                with suppress(KeyError):
                    ways.unregister(connection)
                connection.close()
                del running[process]
            else:  # whoever started the program was killed
                ways.unregister(key.fileobj)
                os.kill(key.data[1], signal.SIGKILL)
    return None


def become(files):
    """Run the program that was given as Python does."""
    given, *standard = files
    folder, number, *rest = os.pread(given, os.fstat(given).st_size, 0).split(b"\0")
    words = [os.fsdecode(one) for one in rest[: int(number)]]
    os.close(given)
    for place, file in enumerate(standard):
        os.dup2(file, place)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    for one in rest[int(number) :]:
        name, _, value = one.partition(b"=")
        os.environb[name] = value
    own = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    kind, *behind = words
    first = {"-c": "", "-m": str(Path.cwd())}.get(kind, str(Path(kind).resolve().parent))
    sys.path[:] = [first, *own, *sys.path]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if kind == "-c":
        sys.argv = ["-c", *behind[1:]]
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(behind[0], "<string>", "exec"), vars(main))
    elif kind == "-m":
        sys.argv = behind
        runpy.run_module(behind[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(kind, run_name="__main__")


def end_with(files):
    """Run the program that was given, and end as Python does, but for taking down what was imported."""
    code = None
    try:
        become(files)
    except SystemExit as ending:
        code = ending.code
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # noqa: BLE001  # as Python does
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit((code or 0) & 0xFF)


if __name__ == "__main__":
    for package in PACKAGES.split():
        importlib.import_module(package)
    gc.collect()
    gc.freeze()
    del sys.path[0]
    home = Path(sys.argv[1])
    begun = serve(home / SOCKET)
    if begun is None:
        shutil.rmtree(home)
    else:
        end_with(begun)
