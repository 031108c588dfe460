"""The scores of all segments, of every system and in every metric, as files."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments import segment_sheets
from bleuscope.content.sheets import writers
from bleuscope.content.sheets.forms import FORMS, FormName
from bleuscope.content.style import numbers
from bleuscope.shell.controls import widgets

NAME = "segment-scores"
LABELS: Mapping[str, FormName] = {"TSV": "tsv", "Parquet": "parquet"}
HELP = "One row per segment, one column per metric and system. Parquet also holds digest, signatures and settings."


def segment_scores(view: ComparisonContext) -> None:
    """Two buttons; a file is made when its button is pressed."""
    evaluation = view.evaluation
    with st.container(horizontal=True, vertical_alignment="center", key="segment-scores"):
        st.caption(
            f"Scores of all {numbers.counted(evaluation.n_segments, 'segment')}, "
            f"{numbers.counted(len(evaluation.names), 'system')}, {widgets.plain(', '.join(evaluation.metrics))}:",
            width="content",
            help=HELP,
        )
        for label, form in LABELS.items():
            st.download_button(
                label,
                partial(_file, view, form),
                f"{NAME}.{form}",
                FORMS[form].media_type,
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                key=f"segment-scores-{form}",
            )


def _file(view: ComparisonContext, form: FormName) -> bytes:
    return writers.write(segment_sheets.segment_scores_sheet(view.test_set, view.evaluation), form)
