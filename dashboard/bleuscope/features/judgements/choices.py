"""Which judgements metrics are held against, and how: asked for on the page Human judgements and for the report."""

from collections.abc import Iterable, Sequence

import streamlit as st

from bleucore import InputError
from bleucore.agreement.agreement import AgreementOptions
from bleucore.agreement.judges import MOST_JUDGES
from bleucore.formats.columns import numbered_apart
from bleucore.judgements.averaging import METHODS, PRESETS, Averaging, Method, MqmWeights, written_weights
from bleucore.judgements.people_and_models import every_judge
from bleucore.judgements.records import Judgements
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.features.judgements import params
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.error_spans import judgements_beside, marked_errors
from bleuscope.shell.page.score_files import judgements_of
from bleuscope.shell.state import links, session

AS_IN_FILE = "as in the file"


def is_offered(view: ComparisonContext) -> bool:
    """Whether people said anything about the texts."""
    return bool(judgements_known(view))


def agreement_choice(view: ComparisonContext) -> AgreementChoice | None:
    """What metrics are held against, and how: all of it in the address; ``None`` where there are no judgements."""
    known = judgements_known(view)
    if not known:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        name = choices.selected(params.JUDGEMENT, "Judgements", known)
        judged, column = known[name]
        averaging = _averaging(judged.judgements)
        judged_segments = st.toggle(
            "Score judged segments only",
            help=("Otherwise metrics score all segments, as papers report them."),
            **params.JUDGED_SEGMENTS.bound(),
        )
        models = models_of(known.values())
        own = _own_systems(models, view.test_set.system_names) if models else ()
    options = AgreementOptions(judged_segments=judged_segments)
    return AgreementChoice(judged.key, judged.judgements, column, averaging, options, models, own)


def judgements_known(view: ComparisonContext) -> dict[str, tuple[MarkedErrors, str | None]]:
    """What people said, by its name, with the name of the column of scores that it is.

    People's come first, then those of models. What a metric may have said comes last.
    """
    columns = [metric for metric in view.evaluation.metrics.values() if metric.metric.is_read]
    found: list[tuple[MarkedErrors, str | None]] = [(judgements_of(view, one), one.name) for one in columns]
    files = {(one.judgements.name, one.judgements.file) for one, _ in found}
    marked = marked_errors(view)
    drawn = () if marked is None or marked.judgements.protocol == "scores" else (marked,)
    for other in (*drawn, *judgements_beside(view)):
        key = (other.judgements.name, other.judgements.file)
        found += [] if key in files else [(other, None)]
        files.add(key)
    found.sort(key=lambda one: (one[0].judgements.protocol == "scores", one[0].judgements.are_of_models))
    names = numbered_apart([one.judgements.name for one, _ in found])
    return dict(zip(names, found, strict=True))


def page_title(view: ComparisonContext) -> str:
    """What the page is called: whose judgements it has, where only models judged."""
    known = judgements_known(view).values()
    return "Model judgements" if known and all(one.judgements.are_of_models for one, _ in known) else "Human judgements"


def models_of(known: Iterable[tuple[MarkedErrors, str | None]]) -> tuple[MarkedErrors, ...]:
    """The judgements of models, each judge once."""
    judged = [one for one, _ in known]
    chosen = set(map(id, every_judge([one.judgements for one in judged])))
    return tuple(one for one in judged if id(one.judgements) in chosen)


def _own_systems(models: Sequence[MarkedErrors], systems: Sequence[str]) -> tuple[str, ...]:
    """Which systems are a judge's own, where people say so."""
    judges = list(dict.fromkeys(rater for one in models for rater in one.judgements.raters))[:MOST_JUDGES]
    words = [f"{judge}={system}" for judge in judges for system in ("", *systems)]
    chosen = st.multiselect(
        "Own systems of judges",
        words,
        placeholder="By name",
        help="Say which systems a judge made, if names mislead. *JUDGE=* says that it made none.",
        **params.OWN_SYSTEMS.bound(),
    )
    return tuple(chosen)


def _averaging(judgements: Judgements) -> Averaging:
    """How several judgements of an output become one, asked for where that makes a difference."""
    method: Method = "mean"
    weights: MqmWeights | None = None
    if len(judgements.raters) > 1:
        chosen = choices.segmented(
            params.RATERS,
            "Average of raters",
            METHODS,
            help=(
                "z makes strict and lenient raters comparable, if they judged the same systems: (judgement − "
                "rater's mean) / rater's standard deviation."
            ),
        )
        method = "z" if chosen == "z" else "mean"
    if judgements.protocol == "MQM" and len(judgements.spans):
        typed = str(session.get(params.MQM_WEIGHTS) or links.given(params.MQM_WEIGHTS) or AS_IN_FILE)
        written = st.selectbox(
            "What errors cost",
            dict.fromkeys([AS_IN_FILE, *PRESETS, typed]),
            accept_new_options=True,
            help="Or type weights of your own: google, major=10, minor/fluency=0.5.",
            **params.MQM_WEIGHTS.bound(),
        )
        try:
            weights = None if written == AS_IN_FILE else written_weights(written)
        except InputError as error:
            st.error(widgets.plain(f"{error} Until then errors cost what the file says."))
    return Averaging(method, weights)
