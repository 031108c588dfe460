"""Figures of versions in a notebook: plain Plotly, made without Streamlit."""

import json
import subprocess
import sys

SCRIPT = r"""
import json, sys
sys.modules["streamlit"] = None  # an import of it fails from here on
from datetime import UTC, datetime, timedelta
import plotly.graph_objects as go
from bleucore import System, TestSet
from bleucore.history import segment_strips, version_history
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.features.projects import figures, figures_strips, scored_versions

texts = [f"the cat {number} sat on the mat <b>&</b>" for number in range(40)]
systems = [System(name, [text.replace("cat", name) for text in texts]) for name in ("dog", "cat", "<i>")]
test_set = TestSet(systems, [texts], documents=[f"d{i // 5}" for i in range(40)])
options = SignificanceOptions(trials=99, resamples=99)
study = make_study(test_set, Settings(significance=options, pair=("dog", "cat")))
evaluation, tested = study.evaluation, study.comparison
bleu = evaluation.metrics["BLEU"]
versions = tuple(
    scored_versions.ScoredVersion("<b>", name, step, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=step), name, (),
                                  evaluation.systems[name].score.score, tested.intervals[name])
    for step, name in enumerate(evaluation.names)
)
over_time = scored_versions.SystemHistory(
    scored_versions.ScoredVersions("p", "t", "d", 40, "BLEU", "s", "bs:99", versions), "<b>", versions,
    version_history(compared_systems(test_set, bleu), options))
strips = segment_strips([one.counts for one in bleu.systems.values()], bleu.options)
followed = tuple(strips.most("got better", 0, len(versions) - 1, 3).tolist())
shown_strips = figures_strips.ShownStrips(
    over_time, strips, 0, len(versions) - 1, "got better", followed, ("<b>",) * len(followed))
made = (figures.history_figure(over_time, "step", (0, 1)), figures_strips.strips_figure(shown_strips))
assert all(type(figure) is go.Figure for figure in made)
print(json.dumps([figure.to_json() for figure in made]))
"""


def test_every_figure_of_versions_is_made_without_streamlit():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = [json.loads(figure) for figure in json.loads(done.stdout)]
    assert len(figures) == 2
    assert all(figure["data"] and figure["layout"] for figure in figures)
