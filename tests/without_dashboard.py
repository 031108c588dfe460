"""Programs and commands in a process that has nothing of what the extra ``dashboard`` brings."""

import subprocess
import sys

MISSING = (
    *("alembic", "jinja2", "platformdirs", "plotly", "requests", "sqlalchemy", "starlette"),
    *("python_multipart", "streamlit", "uvicorn", "xlsxwriter"),
)
"""What imports of the extra's packages are called."""
FOR_SCORES = (*MISSING, "pandas", "sacrebleu", "scipy")
"""What the extra ``commands`` brings is missing too."""
WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""
NEEDED = "is not installed. Pages, figures, reports and the workspace need the extra 'dashboard'."
"""How a command says that it needs them."""


def run_program(script, folder, missing=MISSING):
    """How a program ended, with what it printed."""
    command = [sys.executable, "-c", WITHOUT.format(missing) + script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def run_command(words, folder):
    """How a command ended, with what it printed."""
    return run_program(f"from bleuscope.cli import main; sys.argv = ['bleuscope', *{words!r}]; main()", folder)


def check_that_it_says_what_it_needs(words, folder):
    """Run a command that needs more, and read its last line."""
    ended = run_command(words, folder)
    assert ended.returncode == 2
    assert NEEDED in ended.stderr.splitlines()[-1]
