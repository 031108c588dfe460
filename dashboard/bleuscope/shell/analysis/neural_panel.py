"""Neural metrics: a button that runs one here, and the commands and files for running it elsewhere."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bleucore import InputError
from bleucore.counts import Progress
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import FileBeside
from bleuscope.content.neural import neural_files, run_words
from bleuscope.content.neural.neural_commands import commands_of
from bleuscope.neural.environments import neural_folder
from bleuscope.neural.manifest import NeuralMetric
from bleuscope.neural.metrics import NEURAL_METRICS, lacking
from bleuscope.neural.models import NeuralModel
from bleuscope.neural.scoring import Run, scores_file
from bleuscope.runtime import params
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.score_files import add_file
from bleuscope.shell.state import cached, workspace_in_use


def neural_panel(view: ComparisonContext) -> None:
    """What a chosen metric costs, the button that runs it, and how to run it elsewhere."""
    panel = st.expander("Score with a neural metric", icon=":material/neurology:", **params.NEURAL.panel())
    if not panel.open:
        return
    models = {model.name: model for model in neural_files.fitting_models(view.test_set)}
    metrics = NEURAL_METRICS if workspace_in_use.may_run_neural() else {}
    here = {name: metric for name, metric in metrics.items() if lacking(metric, view.test_set) is None}
    with panel:
        chosen = str(choices.selected(params.NEURAL_MODEL, "Model", dict.fromkeys((*models, *here)), width=360))
        if chosen in here:
            _run_here(view, here[chosen])
        if chosen in models:
            if chosen in here:
                st.markdown("**Run it elsewhere**")
            else:
                st.caption(widgets.plain(" ".join(neural_files.model_words(models[chosen]))))
            _run_elsewhere(view, models[chosen])


def _run_here(view: ComparisonContext, metric: NeuralMetric) -> None:
    """A button, and once it was pressed how far the run is; its scores then are a metric like any other."""
    as_read, names = view.loaded.as_read.test_set, view.loaded.test_set.system_names
    run = Run(metric, as_read, neural_folder())
    needs_download = run.needs_download
    st.caption(widgets.plain(" ".join(run_words.cost_words(metric, downloads=needs_download))))
    is_scored = run.n_saved == run.n_batches
    if metric.name in view.evaluation.metrics:
        st.success(f"{metric.name} is among the metrics now.")
        if is_scored:
            st.download_button(
                "Its scores",
                lambda: _scored(run, names, None, may_download=False),
                f"{metric.name}.jsonl",
                icon=":material/download:",
                on_click="ignore",
                key="neural-scores",
            )
        return
    label = f"Scoring with {metric.name} …"
    work = BackgroundTask(
        cached.NEURAL_SCORES,
        (metric.digest, as_read.digest, *names),
        partial(_scored, run, names, may_download=needs_download),
    )
    if run.n_saved:
        st.caption(run_words.saved_words(run))
    verb = "Show its scores" if is_scored else "Go on" if run.n_saved else "Run"
    if work.is_done or not widgets.is_asked_for(label, work):
        place = st.empty()
        if not place.button(
            "Download and run" if needs_download else verb, icon=":material/play_arrow:", key="run-neural"
        ):
            return
        place.empty()
    scores = widgets.made_by(label, work, is_asked_for=True)
    if scores is None:
        return
    try:
        add_file(view.loaded, FileBeside(f"{metric.name}.jsonl", scores), higher_is_better=metric.higher_is_better)
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return
    st.rerun()


def _scored(run: Run, names: Sequence[str], progress: Progress | None, *, may_download: bool) -> bytes:
    """The file of scores, under the names that are shown: files are read with those first."""
    scores = run.scores(progress, may_download=may_download)
    return scores_file(run.metric, dict(zip(names, scores.values(), strict=True)))


def _run_elsewhere(view: ComparisonContext, model: NeuralModel) -> None:
    """The commands of one model, and the files that they read."""
    test_set = view.test_set
    for said in neural_files.text_notices(test_set):
        st.caption(widgets.plain(said))
    widgets.copyable("\n".join(commands_of(model, neural_files.paths_of(test_set))))
    st.download_button(
        "Files for it",
        lambda: neural_files.packed(neural_files.neural_files(test_set, [model])),
        f"{model.name}.zip",
        "application/zip",
        icon=":material/download:",
        on_click="ignore",
        key="neural-files",
    )
    st.caption(widgets.plain(neural_files.HOW_TO_RUN))
