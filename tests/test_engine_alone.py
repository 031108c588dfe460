"""The engine alone, without what the extra ``dashboard`` brings: commands have their help, Python names are there."""

import json

from tests.without_dashboard import check_that_it_says_what_it_needs, run_program

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
    ended = run_program(script, folder)
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


def test_a_command_that_needs_more_says_so_in_a_line(tmp_path):
    check_that_it_says_what_it_needs(("demo",), tmp_path)
