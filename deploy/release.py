"""Makes a release in dist/, and tries it as those who install it will.

docs/reference/releases.md says what it does.


python deploy/release.py              of a commit whose version, changelog and citation agree
python deploy/release.py --rehearse   of any commit, with a changelog that is not dated yet
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
TRIAL = Path(__file__).with_name("release_trial.py")
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python 3.11.2, which Debian 12 has, knows no filter."""
CLAIMED = frozenset({"bleucore", "bleuscope"})
"""The names that a wheel may take in an environment, beside its own metadata."""
FOLDER_OF_A_USER = 'raise ImportError("this is the folder of a user")\n'
ENVIRONMENTS = (
    ("engine", "oldest"),
    ("dashboard", "oldest"),
    ("engine", "newest"),
    ("dashboard", "lock"),
)
"""What is installed, and with which versions: the oldest that pyproject.toml allows, the newest, the tested ones."""


class NotReadyError(Exception):
    """What has to be mended before a release."""


def version_of(sources: Path) -> str:
    """The version, from where it stands."""
    found = re.search(
        r'^__version__ = "(.+)"$', (sources / "bleucore/__init__.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    if found is None:
        raise NotReadyError('bleucore/__init__.py: no line __version__ = "…"')
    return found[1]


def disagreements(sources: Path, version: str, *, is_rehearsal: bool) -> list[str]:
    """Where something else stands than the version, or what a release needs: a day, addresses of the project."""
    day = r"(\d{4}-\d\d-\d\d|unreleased)" if is_rehearsal else r"\d{4}-\d\d-\d\d"
    expected = {
        "CHANGELOG.md": rf"\A# Changelog\n[^#]*## {re.escape(version)} \({day}\)\n",
        "CITATION.cff": rf"(?m)^version: {re.escape(version)}$",
        "deploy/compose.yaml": rf"image: bleuscope:{re.escape(version)}\n",
        "deploy/compose.team.yaml": rf"image: bleuscope:{re.escape(version)}\n",
    }
    if not is_rehearsal:
        expected["pyproject.toml"] = r"(?m)^\[project\.urls\]$"  # of whoever publishes; a fork has others
    return [
        f"{name}: nothing that matches {pattern}"
        for name, pattern in expected.items()
        if not re.search(pattern, (sources / name).read_text(encoding="utf-8"))
    ]


def run(*command: object, cwd: Path, **more: str) -> str:
    """What a command prints.

    Raises:
        NotReadyError: It failed.
    """
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    ended = subprocess.run(  # noqa: S603  # commands of this file
        [*map(str, command)], cwd=cwd, env=environment | more, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise NotReadyError(f"{' '.join(map(str, command))}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def built(commit: str, folder: Path) -> tuple[Path, Path]:
    """A source distribution of a commit, and a wheel from that; equal commits give equal bytes."""
    epoch = run("git", "log", "-1", "--format=%ct", commit, cwd=ROOT).strip()
    archive, sources, made = (folder / name for name in ("sources.tar", "sources", "made"))
    folder.mkdir(parents=True)
    run("git", "archive", "--output", archive, commit, cwd=ROOT)
    with tarfile.open(archive) as packed:
        packed.extractall(sources, **SAFELY)  # noqa: S202  our own archive
    build = (sys.executable, "-m", "hatchling", "build", "--directory", made, "--target")
    run(*build, "sdist", cwd=sources, SOURCE_DATE_EPOCH=epoch)
    (sdist,) = made.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, **SAFELY)  # noqa: S202  our own archive
    run(*build, "wheel", cwd=folder / sdist.name.removesuffix(".tar.gz"), SOURCE_DATE_EPOCH=epoch)
    (wheel,) = made.glob("*.whl")
    return sdist, wheel


def refuse_what_is_not_committed() -> None:
    """Refuse a checkout in which something differs from its commit.

    Raises:
        NotReadyError: Something does.
    """
    if found := run("git", "status", "--porcelain", cwd=ROOT):
        raise NotReadyError(f"not committed:\n{found}")


def look_into(wheel: Path) -> None:
    """See that a wheel takes no name that may be somebody else's, and brings licence, types and sample.

    Raises:
        NotReadyError: It does not.
    """
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    claimed = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    if claimed != CLAIMED:
        raise NotReadyError(f"{wheel.name} claims {', '.join(sorted(claimed))}, not {', '.join(sorted(CLAIMED))}")
    wanted = ["bleucore/py.typed", "bleuscope/py.typed", "bleuscope/config.toml", "bleuscope/sample_data/source.txt"]
    wanted += ["/licenses/LICENSE", "/licenses/NOTICE.md"]
    missing = [name for name in wanted if not any(one.endswith(name) for one in names)]
    if missing:
        raise NotReadyError(f"{wheel.name} lacks {', '.join(missing)}")


def environment_with(wheel: Path, kind: str, versions: str, folder: Path, sources: Path) -> Path:
    """The Python of a new environment with a wheel and nothing of this checkout."""
    python = folder / "bin" / "python"
    uv = (sys.executable, "-m", "uv", "--quiet")
    run(*uv, "venv", "--python", sys.executable, folder, cwd=ROOT)
    install = (*uv, "pip", "install", "--python", python)
    if versions == "newest":
        run(*install, f"{wheel}[dashboard]" if kind == "dashboard" else wheel, cwd=sources)
        return python
    if versions == "oldest":  # of what we ask for ourselves; a wheel's needs are not ours to the resolver
        listed = folder / "oldest.txt"
        compiled = (*uv, "pip", "compile", "--resolution", "lowest-direct", "--output-file", listed)
        run(*compiled, *(("--extra", kind) if kind == "dashboard" else ()), "pyproject.toml", cwd=sources)
        run(*install, "--requirements", listed, cwd=sources)
    else:
        run(*install, "--require-hashes", "--no-deps", "--requirements", sources / "requirements.lock", cwd=sources)
    run(*install, "--no-deps", wheel, cwd=sources)
    return python


def tried_out(python: Path, kind: str, folder: Path) -> str:
    """What the trial says in a folder that has folders of the user's with names like ours."""
    for name in ("dashboard", "workspace", "tests"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(
            'raise ImportError("this is the folder of a user")\n', encoding="utf-8"
        )
    return run(python, TRIAL, kind, cwd=folder, BLEUSCOPE_WORKSPACE=str(folder / "kept"))


def sums(files: Iterable[Path]) -> str:
    """The SHA-256 of files, as ``sha256sum --check`` reads them."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)


def release(commit: str, target: Path, *, is_rehearsal: bool, environments: Iterable[tuple[str, str]]) -> list[Path]:
    """Build, compare, look into, install, try, and list what is in it.

    Raises:
        NotReadyError: Anything is not as it has to be.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        say("Building twice")
        made = built(commit, folder / "first")
        if [file.read_bytes() for file in made] != [file.read_bytes() for file in built(commit, folder / "second")]:
            raise NotReadyError("two builds of one commit differ")
        sources = folder / "first" / "sources"
        version = version_of(sources)
        problems = disagreements(sources, version, is_rehearsal=is_rehearsal)
        if problems:
            raise NotReadyError("\n".join(problems))
        sdist, wheel = made
        look_into(wheel)
        run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel, cwd=folder)
        parts = target / f"bleuscope-{version}.cdx.json"
        target.mkdir(parents=True, exist_ok=True)
        for number, (kind, versions) in enumerate(environments):
            say(f"Trying the {kind} with versions: {versions}")
            python = environment_with(wheel, kind, versions, folder / f"environment-{number}", sources)
            say(tried_out(python, kind, folder / f"trial-{number}").strip())
            if versions == "lock":
                listed = (sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible")
                run(*listed, "--pyproject", sources / "pyproject.toml", "--output-file", parts, python, cwd=folder)
        files = [target / file.name for file in made]
        for file, new in zip(made, files, strict=True):
            new.write_bytes(file.read_bytes())
        files += [parts] if parts.exists() else []
        (target / "SHA256SUMS").write_text(sums(files), encoding="utf-8")
    return [*files, target / "SHA256SUMS"]


def say(line: str) -> None:
    """Tell how far it is."""
    print(line, flush=True)  # noqa: T201  # a script


def main() -> None:
    """Make a release of the commit that is checked out."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rehearse", action="store_true", help="any commit, a changelog without a date")
    asked.add_argument("--target", type=Path, default=ROOT / "dist")
    given = asked.parse_args()
    try:
        if not given.rehearse:
            refuse_what_is_not_committed()
        files = release("HEAD", given.target, is_rehearsal=given.rehearse, environments=ENVIRONMENTS)
    except NotReadyError as error:
        sys.exit(f"Not ready: {error}")
    say("\n".join(map(str, files)))


if __name__ == "__main__":
    main()
