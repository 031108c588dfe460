"""Installs what lock files name into an environment: with uv, and with pip where there is no uv.

    python deploy/install.py .venv requirements.lock      # makes the environment if there is none
    python deploy/install.py .venv requirements.lock .    # and the project, as it stands in this folder

uv takes a quarter of pip's time. Where the machine has none, pip brings the one that ``requirements-release.lock``
pins. Both refuse a file whose hash the lock file lacks. What is compiled comes as a wheel, or not at all.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
_UV = re.compile(r"^uv==(?:.*\\\n)*.*\n", re.MULTILINE)
_LOCKED = ("--require-hashes", "--no-deps", "--no-build-isolation")
_WHEELS = ("--only-binary", "mecab-python3", "--only-binary", "mecab-ko")
_PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")


def main(folder: Path, wanted: Sequence[str]) -> int:
    """Install lock files, and the project for ``.``, in this order: 0, or what the installer that failed returned."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.EnvBuilder(symlinks=os.name != "nt", with_pip=False).create(folder)
    code = 1
    for installer in _installers(python):
        for one in wanted:
            what = ("--no-deps", "--no-build-isolation", "-e", one) if one == "." else (*_LOCKED, *_WHEELS, "-r", one)
            code = _run(*installer, *what)
            if code:
                break
        else:
            return 0
    return code


def _installers(python: Path) -> Iterator[tuple[str, ...]]:
    """The beginnings of commands that install, the next one for where the last failed."""
    uv = shutil.which("uv") or _uv_beside(python)
    if uv is not None:
        for names_of_authorities in ("UV_SYSTEM_CERTS", "UV_NATIVE_TLS"):  # those of the machine, as pip takes them
            os.environ.setdefault(names_of_authorities, "1")
        if "PIP_INDEX_URL" in os.environ:
            os.environ.setdefault("UV_DEFAULT_INDEX", os.environ["PIP_INDEX_URL"])
        yield uv, "pip", "install", "--quiet", "--python", str(python)
        print("uv could not install that. Trying pip.", file=sys.stderr)  # noqa: T201  # a script's words
    _bring_pip(python)
    yield str(python), *_PIP


def _bring_pip(python: Path) -> None:
    """Give an environment pip if it has none; end with a sentence where Python came without it, as on Debian."""
    ways = (("pip", "--version"), ("ensurepip",))
    if all(_run(str(python), "-m", *way, is_quiet=True) for way in ways):
        sys.exit(
            "This Python comes without pip, so it can install nothing. Add pip and repeat the command. "
            "On Debian and Ubuntu: sudo apt install python3-venv"
        )


def _uv_beside(python: Path) -> str | None:
    """The uv of the environment; one that is pinned is put there if there is none. ``None`` where that fails."""
    uv = python.with_name("uv.exe" if os.name == "nt" else "uv")
    if uv.exists():
        return str(uv)
    pinned = _UV.search((ROOT / "requirements-release.lock").read_text(encoding="utf-8"))
    if pinned is None:
        return None
    own = str(python)
    pip: tuple[str, ...] = (sys.executable, "-m", "pip", "--python", own)
    if _run(sys.executable, "-m", "pip", "--version", is_quiet=True):
        _bring_pip(python)
        pip = (own, "-m", "pip")
    with tempfile.TemporaryDirectory() as work:
        lock = Path(work, "uv.lock")
        lock.write_text(pinned[0], encoding="utf-8")
        command = (*pip, *_PIP[2:], "--require-hashes", "--no-deps")
        _run(*command, "--only-binary", ":all:", "-r", str(lock), is_quiet=True)
    return str(uv) if uv.exists() else None


def _run(*command: str, is_quiet: bool = False) -> int:
    """What the command returns; what it says is not shown if ``is_quiet``."""
    output = subprocess.DEVNULL if is_quiet else None
    return subprocess.run(command, cwd=ROOT, check=False, stdout=output, stderr=output).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute(), sys.argv[2:]))
