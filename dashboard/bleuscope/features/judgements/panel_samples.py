"""Segments drawn to be judged, and the files that take them to people."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from bleucore import InputError
from bleucore.sampling.criteria import CRITERIA, USUAL_BUDGET, USUAL_SEED, Criterion, draw_sample
from bleucore.sampling.design import Sample, draw_segments
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets import writers
from bleuscope.content.sheets.forms import FORMS, FormName
from bleuscope.content.style import sentences
from bleuscope.features.judgements import commands, kept, params
from bleuscope.features.judgements import words_samples as sample_words
from bleuscope.features.judgements.pearmut import CAMPAIGN_FILE, PROTOCOLS, Protocol, campaign
from bleuscope.features.judgements.sheets_samples import Task, drawn_words, sample_sheet, strata_sheet
from bleuscope.shell.analysis.neural_panel import neural_panel
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.controls.exports import shown_table

PAIR, ALL = "A and B", "all"
TABLES: tuple[FormName, ...] = ("csv", "xlsx")


def judging_panel(view: ComparisonContext) -> Callable[[ComparisonContext], str] | None:
    """What can be had from others where nobody has judged: judgements of people, and scores of neural metrics.

    Returns:
        What makes the command that draws the same; ``None`` where nothing could be drawn.
    """
    st.header("Collect human judgements", anchor=False)
    make = _sample(view)
    neural_panel(view)
    return make


def more_judging_panel(view: ComparisonContext) -> None:
    """The same where people have judged, folded."""
    more = st.expander("Collect more human judgements", icon=":material/rate_review:", **params.JUDGING.panel())
    if more.open:
        with more:
            make = _sample(view)
            if make is not None:
                widgets.copyable(make(view))
    neural_panel(view)


def _sample(view: ComparisonContext) -> Callable[[ComparisonContext], str] | None:
    """Choices, how was drawn, and the files."""
    st.caption(sample_words.WHY_SAMPLE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        by, systems = _criterion(view)
        budget = st.number_input(
            "Segments",
            1,
            view.evaluation.n_segments,
            min(USUAL_BUDGET, view.evaluation.n_segments),
            **params.JUDGE_BUDGET.bound(),
        )
        seed = st.number_input("Seed", 0, 2**31, USUAL_SEED, **params.JUDGE_SEED.bound())
        protocol = st.selectbox("Protocol of Pearmut", PROTOCOLS, **params.JUDGE_PROTOCOL.bound())
    try:
        task = Task(view.test_set, systems, by, _drawn(view, by, systems, int(budget), int(seed)))
    except InputError as error:
        st.info(widgets.plain(str(error)))
        return None
    widgets.html(sentences.paragraph("bs-in-words", "{}", drawn_words(task)))
    shown_table(strata_sheet(task), style="bs-narrow")
    _downloads(task, protocol)
    return partial(commands.draw_command, task=task, protocol=protocol)


def _criterion(view: ComparisonContext) -> tuple[Criterion, tuple[str, ...]]:
    """By what segments are drawn, and which systems are judged."""
    is_offered: dict[Criterion, bool] = {
        "difference": view.compares,
        "disagreement": True,
        "diversity": view.compares,
        "document": view.test_set.documents is not None,
    }
    offered = tuple(one for one in CRITERIA if is_offered[one])
    by = choices.segmented(params.JUDGE_BY, "Sample by", offered, help=sample_words.BY_HELP)
    names = view.evaluation.names
    whom = PAIR
    if len(names) > len(view.sides):
        chosen = choices.segmented(params.JUDGE_WHOM, "Systems", (PAIR, ALL))
        whom = str(chosen)
    return by, names if whom == ALL else view.sides


def _drawn(view: ComparisonContext, by: Criterion, systems: tuple[str, ...], budget: int, seed: int) -> Sample:
    if by != "diversity":
        drawn_from = (view.evaluation, view.test_set, systems)
        return draw_sample(by, *drawn_from, metric=view.metric, budget=budget, seed=seed)
    unlike = widgets.waited_for("Comparing outputs …", kept.diversity_of(view.test_set, systems))
    return draw_segments(unlike, budget, seed=seed)


def _downloads(task: Task, protocol: Protocol) -> None:
    """A campaign and a table; each is made when its button is pressed."""
    with st.container(horizontal=True, vertical_alignment="center", key="judging-files"):
        st.download_button(
            "Pearmut campaign",
            lambda: campaign(task, protocol).encode(),
            CAMPAIGN_FILE,
            FORMS["json"].media_type,
            icon=":material/download:",
            on_click="ignore",
            key="judging-campaign",
        )
        for form in TABLES:
            st.download_button(
                f"Table as {form.upper()}",
                partial(writers.write, sample_sheet(task), form),
                f"sample.{FORMS[form].ending}",
                FORMS[form].media_type,
                icon=":material/download:",
                on_click="ignore",
                key=f"judging-{form}",
            )
    st.caption(widgets.plain(sample_words.page_words(task)))
