"""How what is missing is added to this installation: by the names of the packages that are needed.

Our own name stands in no command: on an index of packages it may be somebody else's.
"""

import os
import re
import shlex
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

DISTRIBUTION = "bleuscope"
DASHBOARD = "dashboard"
"""The extra with all that the engine and its commands do without."""
NEEDED_FOR = MappingProxyType(
    {
        "pandas": ("tables", "Tables"),
        "sacrebleu": ("sacrebleu", "TER, sacreBLEU's test sets and its functions"),
        "scipy": ("statistics", "Significance tests, intervals and sums over documents"),
    }
)
"""Packages that scoring does without: the extra that has each, and what needs it."""
MECAB = frozenset({"ja", "ko"})
"""The extras with MeCab, which ``make`` installs apart from all else."""
_ROOT = Path(__file__).parents[1]
_OF_EXTRA = re.compile(r"(.+?)\s*;.*\bextra\s*==\s*[\"']([\w-]+)[\"']")


def requirements_of(extra: str) -> tuple[str, ...]:
    """What an extra needs, as ``name>=1,<2``; nothing where this is a checkout that was never installed."""
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415  # seldom needed, and slow to import

    try:
        found = map(_OF_EXTRA.fullmatch, requires(DISTRIBUTION) or ())
    except PackageNotFoundError:
        return ()
    return tuple(one[1] for one in found if one and one[2] == extra)


def how_to_add(extra: str) -> str:
    """The command that adds what an extra needs to where this runs, in a form that all shells take."""
    if extra in MECAB and checkout() is not None:
        return "make mecab"
    needed = requirements_of(extra)
    return how_to_install(*needed) if needed else f"see the extra {extra!r} in pyproject.toml"


def checkout() -> Path | None:
    """The folder of the project where ``make`` installed what runs here; ``None`` where something else did."""
    is_ours = Path(sys.prefix) == _ROOT / ".venv" and (_ROOT / "deploy" / "install.py").is_file()
    return _ROOT if is_ours else None


def how_to_install(*requirements: str) -> str:
    """The command that installs packages where this runs, in a form that all shells take."""
    quoted = " ".join(f'"{one}"' for one in requirements)
    python = Path(sys.executable or "python")
    if "pipx" in python.parts:
        return f"pipx inject {DISTRIBUTION} {quoted}"
    with suppress(OSError, ValueError):  # this folder is gone, or Python is elsewhere
        python = python.relative_to(Path.cwd())
    if find_spec("pip") is None:
        return f"uv pip install --python {_quoted(python)} {quoted}"
    return f"{_quoted(python)} -m pip install {quoted}"


def missing_words(package: str) -> str:
    """What to do about a package that the engine does without, in a line."""
    package = package.partition(".")[0]
    extra, users = NEEDED_FOR.get(package, (DASHBOARD, "Pages, figures, reports and the workspace"))
    return f"The package {package} is not installed. {users} need the extra {extra!r}. To add it: {how_to_add(extra)}"


def _quoted(path: Path) -> str:
    """A path as one word of a command line, also with a blank in it."""
    written = str(path)
    if os.name == "nt":
        return f'"{written}"' if " " in written else written
    return shlex.quote(written)
