"""Figures of a study in a notebook: plain Plotly, made without Streamlit."""

import json
import subprocess
import sys

SCRIPT = r"""
import importlib, json, pkgutil, sys
sys.modules["streamlit"] = None  # an import of it fails from here on
import numpy as np
import plotly.graph_objects as go
from bleucore import System, TestSet
from bleucore.analysis.attribution import attribute
from bleucore.significance import BlockLayout, SignificanceOptions, TestSetUnits
from bleucore.analysis.slices import compare_slices, slice_segments
from bleuscope import content
from bleuscope.content.attribution import attribution_figures, attribution_sheets
from bleuscope.content.blocks import block_figures, block_analysis
from bleuscope.content.comparison import differences
from bleuscope.content.comparison import difference_figures, difference_sheets
from bleuscope.content.scores import score_figures
from bleuscope.content.segments import segment_figures
from bleuscope.content.significance import significance_figures
from bleuscope.content.sheets.forest import forest_figure
from bleuscope.content.sheets.forest_rows import Panel
from bleuscope.content.slices import slice_figures, slice_sheets, slice_tables
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.scores.score_sheets import orders_sheet, tested_systems_sheet
from bleuscope.content.comparison.comparison_context import Settings, make_study


for module in pkgutil.walk_packages(content.__path__, "bleuscope.content."):
    importlib.import_module(module.name)

texts = [f"the cat {number} sat on the mat <b>&</b>" for number in range(40)]
systems = [System(name, [t.replace("cat", name).replace("1", "x" * (i % 2 + 1)) for i, t in enumerate(texts)])
           for name in ("dog", "cat", "<i>")]
test_set = TestSet(systems, [texts], source=texts, documents=[f"d{i // 5}" for i in range(40)])
options = SignificanceOptions(trials=99, resamples=99)
study = make_study(test_set, Settings(significance=options, pair=("dog", "cat")))
evaluation, tested, pair, looks = study.evaluation, study.comparison, study.pair, study.looks
bleu, two = evaluation.metrics["BLEU"], tuple(looks[name] for name in study.pair)
delta = differences.segment_differences(evaluation, pair)
attribution = attribute(*(evaluation.systems[name].counts for name in pair), evaluation.options, names=pair)
compared = tested.pair(pair[1], pair[0])
layout = SignificanceOptions("block-t", n_blocks=8).block_layout(TestSetUnits(40))
analysis = block_analysis.analyse(bleu, layout, "dog")
tests = analysis.tests(pair)
slicing = slice_segments(test_set, "document", evaluation.options)
summary = slice_tables.summarise(evaluation, slicing, pair, attribution)
sliced = compare_slices(slice_tables.compared_pair(test_set, bleu, pair), slicing, options)
first, second = (evaluation.systems[name].segment_scores for name in pair)
made = {
    "scores_figure": score_figures.scores_figure(tested_systems_sheet(evaluation, tested, pair[0], others={}), looks),
    "forest_figure": forest_figure(orders_sheet(evaluation), looks, [Panel("bleu_4", "BLEU")], title="BLEU"),
    "precisions_figure": score_figures.precisions_figure(orders_sheet(evaluation), looks),
    "segment_differences_figure": difference_figures.segment_differences_figure(
        difference_sheets.sorted_segments_sheet(delta), texts, difference_figures.SCORE_DIFFERENCE),
    "difference_histogram": difference_figures.difference_histogram(delta),
    "document_differences_figure": difference_figures.document_differences_figure(
        difference_sheets.documents_sheet(study, attribution), difference_figures.SCORE_DIFFERENCE),
    "waterfall_figure": attribution_figures.waterfall_figure(
        attribution_sheets.attribution_sheet(attribution, evaluation), ScoreScale.of(bleu), two),
    "null_figure": significance_figures.null_figure(tested.null_test(pair[1], pair[0]), "BLEU"),
    "bootstrap_figure": significance_figures.bootstrap_figure(
        compared, tested.resampled_differences(pair[1], pair[0]), "BLEU"),
    "power_figure": significance_figures.power_figure(tested, compared, "BLEU"),
    "scatter_figure": segment_figures.scatter_figure(first, second, np.arange(40), two),
    "block_scores_figure": block_figures.block_scores_figure(analysis, pair, looks, show_others=True),
    "block_differences_figure": block_figures.block_differences_figure(analysis, tests[0]),
    "layouts_figure": block_figures.layouts_figure(
        block_analysis.study_layouts(bleu, pair, layout, seed=1), tests[0], 0.05),
    "sizes_figure": block_figures.sizes_figure(block_analysis.study_sizes(bleu, pair, None), 5, tests[0], 0.05),
    "slices_figure": slice_figures.slices_figure(
        slice_sheets.slices_sheet(study, summary, sliced, summary.shown(summary.orders()[0], None)), summary.scale),
}
assert all(type(figure) is go.Figure for figure in made.values())
every = {name for module in pkgutil.walk_packages(content.__path__, "bleuscope.content.")
         for name, value in vars(importlib.import_module(module.name)).items()
         if callable(value) and getattr(value, "__annotations__", {}).get("return") is go.Figure
         and value.__module__ == module.name and not name.startswith("_") and name not in ("styled", "named_at_ends")}
print(json.dumps({"made": {name: figure.to_json() for name, figure in made.items()}, "every": sorted(every)}))
"""


def test_every_figure_of_a_study_is_made_without_streamlit():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert sorted(printed["made"]) == printed["every"]
    for figure in map(json.loads, printed["made"].values()):
        assert figure["data"]
        assert figure["layout"]


def test_the_package_offers_what_is_made_for_notebooks_and_nothing_else():
    code = "import sys, bleuscope; print('bleuscope.notebook' in sys.modules); from bleuscope import cli\n"
    code += "print('bleuscope.notebook' in sys.modules)\n"
    code += "from bleuscope import notebook; print(hasattr(bleuscope, 'go'), 'report' in notebook.__all__)\n"
    code += "print(all(getattr(bleuscope, name) is getattr(notebook, name) for name in notebook.__all__))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "False", "True", "True"]
