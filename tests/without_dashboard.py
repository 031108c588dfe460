"""Programs and commands in a process that has nothing of what the extra ``dashboard`` brings."""

import subprocess
import sys

MISSING = (
    *("alembic", "jinja2", "platformdirs", "plotly", "requests", "sqlalchemy", "starlette"),
    *("python_multipart", "streamlit", "uvicorn", "xlsxwriter"),
)
"""What imports of the extra's packages are called."""
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({MISSING!r}))  # an import of them fails from here on\n"
FOR_SCORES = """
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "sacrebleu", "scipy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""
"""What the extra ``commands`` brings is missing too. pyarrow would take a stand-in of pandas in ``sys.modules``."""
NEEDED = "is not installed. Pages, figures, reports and the workspace need the extra 'dashboard'."
"""How a command says that it needs them."""


def run_program(script, folder):
    """How a program ended, with what it printed."""
    command = [sys.executable, "-c", WITHOUT + script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def run_command(words, folder):
    """How a command ended, with what it printed."""
    return run_program(f"from bleuscope.cli import main; sys.argv = ['bleuscope', *{words!r}]; main()", folder)


def check_that_it_says_what_it_needs(words, folder):
    """Run a command that needs more, and read its last line."""
    ended = run_command(words, folder)
    assert ended.returncode == 2
    assert NEEDED in ended.stderr.splitlines()[-1]
