"""The engine alone, without what the extra ``dashboard`` brings: commands have their help, Python names are there."""

import json

from tests.without_dashboard import FOR_SCORES, check_that_it_says_what_it_needs, run_program

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
SCORES = """
import contextlib, io, json
from bleucore import ChrfOptions, InputError, System, TerOptions, TestSet, corpus_bleu, evaluate
from bleuscope.cli.command import bleuscope
test_set = TestSet([System("a", ["x y z w"]), System("b", ["x y z v"])], [["x y z w"]])
evaluation = evaluate(test_set, metrics=[ChrfOptions()])
told = {"scores": [round(metric.systems["a"].score, 9) for metric in evaluation.metrics.values()]}
with contextlib.redirect_stdout(io.StringIO()) as out:
    bleuscope.main(["score", "--sample", "--metrics", "chrf"], standalone_mode=False)
told["command"] = out.getvalue().split()[:2]
for name, use in {
    "tables": evaluation.to_frame,
    "sacrebleu": lambda: corpus_bleu(["x"], [["x"]]),
    "ter": lambda: evaluate(test_set, metrics=[TerOptions()]),
    "statistics": lambda: evaluation.bleu.group_scores("a", evaluation.systems["a"].counts[:, 0] * 0, 1),
}.items():
    try:
        use()
    except InputError as error:
        told[name] = str(error)
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


def test_scores_need_neither_pandas_nor_scipy_nor_sacrebleu(tmp_path):
    found = told(FOR_SCORES + SCORES, tmp_path)
    assert (found.pop("scores"), found.pop("command")) == ([100.0, 100.0], ["system", "BLEU"])
    for extra, package in (("tables", "pandas"), ("sacrebleu", "sacrebleu"), ("statistics", "scipy")):
        said = found.pop(extra)
        assert said.startswith(f"The package {package} is not installed. ")
        assert f"need the extra {extra!r}. To add it: " in said
    assert found.pop("ter").startswith("TER: the package sacrebleu cannot be imported (found No module named ")
    assert not found


def test_a_command_that_needs_more_says_so_in_a_line(tmp_path):
    check_that_it_says_what_it_needs(("demo",), tmp_path)
