"""The engine alone, without what the extra ``dashboard`` brings: commands have their help, Python names are there."""

import json
import subprocess
import sys

import pytest

MISSING = (
    *("alembic", "jinja2", "platformdirs", "plotly", "requests", "sqlalchemy", "starlette"),
    *("python_multipart", "streamlit", "uvicorn", "xlsxwriter"),
)
"""What imports of the extra's packages are called."""
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({MISSING!r}))  # an import of them fails from here on\n"
HELP = """
import contextlib, io, json
from bleuscope.cli.command import COMMANDS, bleuscope
told = {}
for name in COMMANDS:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            bleuscope.main([name, "--help"], standalone_mode=False)
        except ModuleNotFoundError as error:
            print(error)
    told[name] = out.getvalue()
print(json.dumps(told))
"""
NAMES = """
import json
import bleuscope
from bleucore import InputError, System, TestSet
from bleuscope import compare
study = compare(TestSet([System("a", ["x y z w"]), System("b", ["x y z v"])], [["x y z w"]]))
told = {}
for name in bleuscope.notebook.__all__:
    one = getattr(bleuscope, name)
    if name.endswith(("table", "figure", "sentence")) or name in ("bibtex", "report"):
        try:
            told[name] = type(one(study)).__name__
        except InputError as error:
            told[name] = str(error)
sheet = bleuscope.scores_table(study)
for form in ("csv", "json", "latex", "markdown", "parquet", "table", "tsv"):
    told[form] = bool(bleuscope.write(sheet, form))
try:
    bleuscope.write(sheet, "xlsx")
except InputError as error:
    told["xlsx"] = str(error)
print(json.dumps(told))
"""


def told(script, folder):
    command = [sys.executable, "-c", WITHOUT + script]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def test_every_command_says_how_it_is_used(tmp_path):
    found = told(HELP, tmp_path)
    assert {name: text.partition(" ")[0] for name, text in found.items()} == dict.fromkeys(found, "Usage:")


def test_every_python_name_works_or_says_in_a_line_what_it_needs(tmp_path):
    found = told(NAMES, tmp_path)
    needs = {name for name, said in found.items() if "is not installed" in str(said)}
    assert needs == {"scores_figure", "attribution_figure", "differences_figure", "report", "xlsx"}
    for name in needs:
        assert "need the extra 'dashboard'. To add it: " in found[name]
        assert "\n" not in found[name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("history",), "is not installed. Pages, figures, reports and the workspace need the extra"),
        (("campaign", "sets", "--report", "x.html"), "is not installed. Pages, figures, reports and the"),
        (("demo",), "is not installed. Pages, figures, reports and the workspace need the extra 'dashboard'."),
    ],
    ids=lambda words: words[0],
)
def test_a_command_that_needs_more_says_so_in_a_line(tmp_path, words, said):
    script = f"{WITHOUT}from bleuscope.cli import main; sys.argv = ['bleuscope', *{words!r}]; main()"
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert said in ended.stderr.splitlines()[-1]


def test_a_campaign_is_scored_and_not_kept(tmp_path):
    folder = tmp_path / "sets" / "news.en-de"
    folder.mkdir(parents=True)
    for name, text in (("ref", "a b c d"), ("one", "a b c d"), ("two", "a b c e")):
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    script = f"{WITHOUT}from bleuscope.cli import main; sys.argv = ['bleuscope', 'campaign', 'sets']; main()"
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert "100.00" in ended.stdout
    assert "for 1 pair." in ended.stdout
    assert ended.stderr.startswith("bleuscope: Finished test sets are not saved")
