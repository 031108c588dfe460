"""Figures of a small comparison, made in a process that cannot import Streamlit, as in a notebook."""

import json
import subprocess
import sys

_BEFORE = r"""
import json, sys
sys.modules["streamlit"] = None  # an import of it fails from here on
import plotly.graph_objects as go
from bleucore import System, TestSet
from bleucore.significance import SignificanceOptions
from bleuscope.content.style.identity import identities

texts = [f"the cat {number} sat on the mat <b>&</b>" for number in range(40)]
systems = [System(name, [text.replace("cat", name) for text in texts]) for name in ("dog", "cat", "<i>")]
references = [texts, [text.replace("mat", "rug") for text in texts]]
test_set = TestSet(systems, references, documents=[f"d{i // 5}" for i in range(40)])
options = SignificanceOptions(trials=99, resamples=99)
looks = identities([system.name for system in systems], "dog")
"""
_AFTER = r"""
assert all(type(figure) is go.Figure for figure in made.values())
every = {name for module in modules for name, value in vars(module).items()
         if callable(value) and getattr(value, "__annotations__", {}).get("return") is go.Figure
         and value.__module__ == module.__name__ and not name.startswith("_")}
print(json.dumps({"made": {name: figure.to_json() for name, figure in made.items()}, "every": sorted(every)}))
"""


def check_figures(script):
    """Run a script that makes every figure of some modules (``made``, ``modules``), and look at each."""
    done = subprocess.run(
        [sys.executable, "-c", _BEFORE + script + _AFTER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert sorted(printed["made"]) == printed["every"]
    for figure in map(json.loads, printed["made"].values()):
        assert figure["data"]
        assert figure["layout"]
