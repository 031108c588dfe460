"""The commands of neural metrics, which run elsewhere, and the files that they read."""

import streamlit as st

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.neural import neural_files
from bleuscope.content.neural.neural_models import commands_of
from bleuscope.runtime import params
from bleuscope.shell.controls import choices, widgets


def neural_panel(view: ComparisonContext) -> None:
    """The commands of one model, with its licence, and the files that they read."""
    panel = st.expander("Score with a neural metric", icon=":material/neurology:", **params.NEURAL.panel())
    if not panel.open:
        return
    test_set = view.test_set
    models = {model.name: model for model in neural_files.fitting_models(test_set)}
    with panel:
        chosen = choices.selected(params.NEURAL_MODEL, "Model", models, width=360)
        model = models[str(chosen)]
        for said in (*neural_files.model_words(model), *neural_files.text_notices(test_set)):
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
