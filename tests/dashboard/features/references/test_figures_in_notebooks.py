"""Figures of references in a notebook: plain Plotly, made without Streamlit."""

import json
import subprocess
import sys

SCRIPT = r"""
import json, sys
sys.modules["streamlit"] = None  # an import of it fails from here on
import plotly.graph_objects as go
from bleucore import System, TestSet
from bleucore.robustness.references import DrawOptions, study_references
from bleucore.significance import SignificanceOptions
from bleuscope.content.style.identity import identities
from bleuscope.features.references import figures

texts = [f"the cat {number} sat on the mat <b>&</b>" for number in range(40)]
systems = [System(name, [text.replace("cat", name) for text in texts]) for name in ("dog", "cat", "<i>")]
test_set = TestSet(systems, [texts, [text.replace("mat", "rug") for text in texts]])
options = SignificanceOptions(trials=99, resamples=99)
looks = identities([system.name for system in systems], "dog")
study = study_references(test_set, draws=DrawOptions(n=20), significance=options)
made = {
    "slope_figure": figures.slope_figure(study, looks),
    "growth_figure": figures.growth_figure(study, looks),
    "draws_figure": figures.draws_figure(study),
    "ahead_figure": figures.ahead_figure(study, looks),
    "matches_figure": figures.matches_figure(study),
}
assert all(type(figure) is go.Figure for figure in made.values())
every = {name for name, value in vars(figures).items() if not name.startswith("_")
         and callable(value) and getattr(value, "__annotations__", {}).get("return") is go.Figure
         and value.__module__ == figures.__name__}
print(json.dumps({"made": {name: figure.to_json() for name, figure in made.items()}, "every": sorted(every)}))
"""


def test_every_figure_is_made_without_streamlit():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert sorted(printed["made"]) == printed["every"]
    for figure in map(json.loads, printed["made"].values()):
        assert figure["data"]
        assert figure["layout"]
