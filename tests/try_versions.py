"""Tries the engine with the oldest packages, on each Python of this machine, and next to the packages of its users.

    python tests/try_versions.py              # all of it; make test-versions
    python tests/try_versions.py neighbours   # one part: oldest, newest, neighbours or size

Needs uv and an index of packages. Without an index it says so and ends with 0, in CI with 1.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
TOOLS = ("filelock", "hypothesis", "pytest", "pytest-timeout", "pytest-xdist", "xlsxwriter")
"""What the tests of the engine need."""
NEIGHBOURS = (
    *("datasets", "evaluate", "lm-eval", "mlflow", "torchmetrics", "transformers", "unbabel-comet>=2.2.7", "wandb"),
)
"""Packages that people have beside ours, all of them at once."""
MOST_MEGABYTES = 250
"""Of the engine alone with all that it needs, two thirds of which are pyarrow."""


def uv(*words, **options):
    return subprocess.run(["uv", *map(str, words)], cwd=ROOT, text=True, check=False, **options)


def there_is_an_index():
    asked = uv("pip", "compile", "--quiet", "--no-cache", "-", input="click", capture_output=True)
    return asked.returncode == 0


def engine_passes(python, folder, *constraints):
    """Whether the quick tests of the engine pass in a new environment."""
    requirements = ("--editable", ".[cluster,commands,ja,ko,spm]", *constraints)
    interpreter = folder / "bin" / "python"
    made = uv("venv", "--quiet", "--clear", "--no-python-downloads", "--python", python, folder).returncode
    made = made or uv("pip", "install", "--quiet", "--python", interpreter, *requirements, *TOOLS).returncode
    tests = ("-m", "quick", "--hypothesis-profile=quick", "tests/bleucore", "tests/oracle")
    command = [interpreter, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *tests]
    path = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "dashboard")))}
    return not made and subprocess.run(command, cwd=ROOT, env=os.environ | path, check=False).returncode == 0


def oldest(work):
    return engine_passes(PYTHONS[0], work / "oldest", "--constraints", ROOT / "tests" / "oldest.txt")


def newest(work):
    """The Pythons that are not on this machine are named, and are no failure."""
    passed = True
    for python in PYTHONS:
        if uv("python", "find", "--quiet", "--no-python-downloads", python, capture_output=True).returncode:
            print(f"Python {python} is not on this machine.")
        else:
            passed &= engine_passes(python, work / python)
    return passed


def neighbours(_work):
    """All commands next to them, and of the dashboard what Streamlit allows: COMET wants an older protobuf."""
    command = ("pip", "compile", "--quiet", "--python-version", PYTHONS[0], "--no-header", "pyproject.toml", "-")
    of_dashboard = [one for one in NEIGHBOURS if not one.startswith("unbabel-comet")]
    return all(
        uv(*command, "--extra", extra, input="\n".join(wanted), stdout=subprocess.DEVNULL).returncode == 0
        for extra, wanted in (("commands", NEIGHBOURS), ("dashboard", of_dashboard))
    )


def size(work):
    """The engine alone, installed."""
    if uv("pip", "install", "--quiet", "--target", work / "alone", "--python", PYTHONS[0], ".").returncode:
        return False
    megabytes = sum(path.stat().st_size for path in (work / "alone").rglob("*") if path.is_file()) / 1e6
    print(f"The engine alone takes {megabytes:.0f} MB.")
    return megabytes <= MOST_MEGABYTES


PARTS = {part.__name__: part for part in (neighbours, size, oldest, newest)}


def main(wanted):
    if not there_is_an_index():
        print("No index of packages answers, so no versions were tried.")
        return 1 if os.environ.get("CI") else 0
    with tempfile.TemporaryDirectory() as work:
        failed = [name for name in wanted or PARTS if not PARTS[name](Path(work))]
    print(f"Failed: {', '.join(failed)}." if failed else "All passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
