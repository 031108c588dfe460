"""How differences are tested: asked in the sidebar, held in the address, the same on every page."""

import streamlit as st

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.significance import BLOCK_TESTS, CORRECTIONS, TESTS, SignificanceOptions
from bleucore.significance.comparison import LARGEST_SEED, MAX_TRIALS, UNITS, USUAL_RESAMPLES, USUAL_TRIALS
from bleucore.significance.draws import Unit
from dashboard.content import numbers, tables
from dashboard.content.markup import notes
from dashboard.shell import session, widgets

DEFAULTS = SignificanceOptions()
TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS = "Two systems", "All pairs", "Power", "Blocks"
MOST_BLOCKS = 1_000


def significance_options(test_set: TestSet) -> SignificanceOptions:
    """The settings of tests and intervals."""
    with st.expander("Tests of differences", expanded=False):
        test = st.selectbox(
            "Test",
            TESTS,
            key="test",
            help="approximate-randomisation exchanges outputs at random (the default; Riezler and Maxwell 2005). "
            "paired-bootstrap draws new test sets from this one (Koehn 2004). block-t, block-wilcoxon and block-sign "
            "compare the scores of blocks of segments (Papineni et al. 2002). sacrebleu-bs gives sacreBLEU's own "
            "p-value, which is too small.",
            bind="query-params",
            persist_state="session",
        )
        level = st.number_input(
            "Level of significance",
            0.001,
            0.5,
            DEFAULTS.level,
            step=0.01,
            format="%.3f",
            key="level",
            help="A p-value below it is called significant.",
            bind="query-params",
            persist_state="session",
        )
        correction = st.selectbox(
            "Correction for several comparisons",
            CORRECTIONS,
            key="correction",
            help="max-t: the chance of any false finding stays below the level, by the draws that all pairs share; "
            "where there are none (slices, block tests, sacrebleu-bs) holm takes its place. holm: the same from the "
            "p-values alone. benjamini-hochberg: of the findings, a share below the level is false. none: each "
            "comparison as if it were the only one.",
            bind="query-params",
            persist_state="session",
        )
        unit = _unit(test_set)
        trials = DEFAULTS.trials
        if test == "approximate-randomisation":
            trials = _draws("Trials", "trials", USUAL_TRIALS)
        n_blocks = DEFAULTS.n_blocks
        if test in BLOCK_TESTS and unit == "segment":
            n_blocks = _number("Blocks of the test", "test_blocks", MOST_BLOCKS, DEFAULTS.n_blocks)
        resamples = _draws(
            "Resamples", "resamples", USUAL_RESAMPLES, "For the intervals, and for the bootstrap tests. "
        )
        seed = _number("Seed", "seed", LARGEST_SEED, DEFAULTS.seed, "The same seed gives the same numbers.", least=0)
    return SignificanceOptions(
        test=test,
        level=level,
        trials=trials,
        resamples=resamples,
        seed=seed,
        unit=unit,
        correction=correction,
        n_blocks=n_blocks,
    )


def panel() -> str:
    """Which panel of the Significance page is open."""
    return st.segmented_control(
        "Show",
        (TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS),
        default=TWO_SYSTEMS,
        required=True,
        key="panel",
        label_visibility="collapsed",
        bind="query-params",
        persist_state="session",
    )


def tested_metric(evaluation: Evaluation) -> MetricEvaluation:
    """The metric whose differences are tested; asked for where there are several that score every system."""
    names = [name for name, metric in evaluation.metrics.items() if tables.scores_every_system(metric)]
    chosen = names[0]
    if len(names) > 1:
        session.keep_valid("tested", tuple(names))
        chosen = st.selectbox("Metric to test", names, key="tested", bind="query-params", persist_state="session")
    metric = evaluation.metrics[chosen]
    widgets.html(notes(metric.remarks))
    return metric


def _unit(test_set: TestSet) -> Unit:
    if test_set.documents is None:
        return DEFAULTS.unit
    return st.selectbox(
        "Draw by",
        UNITS,
        key="unit",
        help="Segments of a document resemble each other. Drawing whole documents allows for that; it takes a good "
        "number of documents.",
        bind="query-params",
        persist_state="session",
    )


def _draws(label: str, key: str, usual: int, explanation: str = "") -> int | None:
    """How many draws; ``None`` unless they are chosen."""
    chosen = st.number_input(
        label,
        1,
        MAX_TRIALS,
        None,
        step=1,
        key=key,
        placeholder=f"{numbers.count(usual)}, or more",
        help=f"{explanation}Left empty: {numbers.count(usual)}, or as many as the number of comparisons needs.",
        bind="query-params",
        persist_state="session",
    )
    return None if chosen is None else int(chosen)


def _number(label: str, key: str, most: int, default: int, explanation: str | None = None, *, least: int = 1) -> int:
    return int(
        st.number_input(
            label,
            least,
            most,
            default,
            key=key,
            help=explanation,
            bind="query-params",
            persist_state="session",
        )
    )
