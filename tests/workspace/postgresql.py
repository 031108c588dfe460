"""A PostgreSQL of its own for the tests: started from the machine's programs, in a folder that goes away."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = "usr/lib/postgresql"
SECONDS_TO_START = 120.0


def find():
    """The folder with the machine's PostgreSQL programs, the newest; ``None`` without any."""
    named = shutil.which("initdb")
    folders = sorted(Path("/", PROGRAMS).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(named).resolve().parent if named else folders[-1].parent if folders else None


class Server:
    """A server on a free port of this machine, for nobody else."""

    def __init__(self, port):
        self._programs = find()
        self._folder = folder = Path(tempfile.mkdtemp(prefix="bs-pg-"))  # a short path: its socket lies there
        self._as = _unprivileged()
        self.port = port
        if self._as:
            shutil.chown(folder, self._as.pw_uid, self._as.pw_gid)
        self._run("initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync")
        settings = f"-p {self.port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=120"
        self._run("pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", settings, "start")
        self._to_make = None

    def address(self, name="postgres"):
        """The address of a database of it."""
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def make(self, name, template="template0"):
        """A new database, empty or the copy of another; its address."""
        if self._to_make is None:
            import psycopg  # here: what only finds the programs needs no driver

            self._to_make = psycopg.connect(self.address(), autocommit=True)
        self._to_make.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.address(name)

    def stop(self):
        """End it."""
        if self._to_make is not None:
            self._to_make.close()
        self._run("pg_ctl", "-D", self._folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self._folder)

    def _run(self, program, *arguments):
        deadline = time.monotonic() + SECONDS_TO_START
        with (self._folder / f"{program}.out").open("w") as out:
            subprocess.run(
                [self._programs / program, *arguments],
                check=True,
                stdout=out,
                stderr=out,
                timeout=deadline - time.monotonic(),
                cwd=self._folder,
                **({"user": self._as.pw_uid, "group": self._as.pw_gid, "extra_groups": []} if self._as else {}),
                env={**os.environ, "HOME": str(self._folder), "LC_ALL": "C.UTF-8"},
            )


def _unprivileged():
    """Somebody who is not root, whom PostgreSQL refuses; ``None`` where these tests are run by somebody else."""
    if os.name != "posix" or os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None
