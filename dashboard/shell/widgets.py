"""What the sidebar and several pages ask for. Every value is in the address and outlives a change of page."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.options import SMOOTHING_METHODS, TOKENIZER_NAMES
from bleucore.significance import BlockLayout, Remainder, blocks_of_number, blocks_of_size
from dashboard.content import markup, tables
from dashboard.shell import session
from dashboard.shell.files import Loaded

MAX_OFFERED_ORDER = 9
PAPER_BLOCKS, PAPER_BLOCK_SIZE = 20, 25
CHART_CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}


def html(fragment: Markup) -> None:
    """Show a fragment whose every user string was escaped when it was made."""
    if fragment:
        st.html(fragment)


def plain(text: str) -> str:
    """A text for a label, where Streamlit would read Markdown: shown as it is written."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|~:$^=&@/])", r"\\\1", text)


def test_set_card(loaded: Loaded) -> None:
    """What is open, in the sidebar."""
    html(
        Markup('<div class="bs-open"><p class="bs-title"><bdi>{}</bdi></p>{}</div>').format(
            loaded.title, markup.facts(tables.test_set_facts(loaded.test_set))
        )
    )


def baseline_choice(test_set: TestSet) -> str:
    """The system that the others are measured against."""
    return system_choice("Baseline", "baseline", test_set.system_names, help_text="Differences are measured from it.")


def system_choice(label: str, key: str, names: Sequence[str], *, index: int = 0, help_text: str | None = None) -> str:
    """One of the systems."""
    session.keep_valid(key, tuple(names))
    chosen = st.selectbox(
        label,
        list(names),
        index=index,
        key=key,
        help=help_text,
        bind="query-params",
        persist_state="session",
    )
    return str(chosen)


def pair_choice(test_set: TestSet, evaluation: Evaluation, baseline: str) -> tuple[str, str]:
    """The systems A and B to compare: the baseline and the best other one unless chosen."""
    names = test_set.system_names
    best = next((name for name in evaluation.ranked() if name != baseline), baseline)
    left, middle, right = st.columns([10, 1, 10], vertical_alignment="bottom")
    with left:
        first = system_choice("System A", "a", names, index=names.index(baseline))
    with right:
        second = system_choice("System B", "b", names, index=names.index(best))
    with middle:
        st.button(
            "⇄", help="Swap A and B", on_click=_swap, args=(first, second), width="stretch", key="swap", type="tertiary"
        )
    return first, second


def scoring_options() -> BleuOptions:
    """The options of BLEU; sacreBLEU's own unless changed."""
    with st.expander("Scoring options", expanded=False):
        tokenizer = st.selectbox(
            "Tokenizer",
            TOKENIZER_NAMES,
            key="tok",
            help="How a text is cut into words: 13a is sacreBLEU's default, intl splits all Unicode punctuation, zh is "
            "for Chinese, char takes every character, none splits at spaces only. Scores under different tokenizers "
            "cannot be compared.",
            bind="query-params",
            persist_state="session",
        )
        lowercase = st.toggle("Ignore case", key="lc", bind="query-params", persist_state="session")
        smoothing = st.selectbox(
            "Smoothing",
            SMOOTHING_METHODS,
            key="smooth",
            help="What stands in for an n-gram order without any match; exp is sacreBLEU's default "
            "(Chen and Cherry 2014).",
            bind="query-params",
            persist_state="session",
        )
        value = _smoothing_value(smoothing)
        order = st.number_input(
            "Longest n-gram",
            1,
            MAX_OFFERED_ORDER,
            BleuOptions.max_order,
            key="order",
            bind="query-params",
            persist_state="session",
        )
        effective = st.toggle(
            "Effective order",
            key="eff",
            help="Leave out n-gram orders that the hypotheses are too short for. Segment scores always do.",
            bind="query-params",
            persist_state="session",
        )
    return BleuOptions(tokenizer, lowercase, int(order), smoothing, value, effective)


def _smoothing_value(smoothing: str) -> float | None:
    defaults = {"floor": ("floor", 0.1), "add-k": ("addk", 1.0)}
    if smoothing not in defaults:
        return None
    key, default = defaults[smoothing]
    return float(
        st.number_input(
            "Smoothing value",
            0.0,
            10.0,
            default,
            step=0.05,
            format="%.3f",
            key=key,
            bind="query-params",
            persist_state="session",
        )
    )


def _swap(first: str, second: str) -> None:
    session.put("a", second)
    session.put("b", first)


def chart(figure: go.Figure, key: str, alt: str) -> None:
    """Show a figure."""
    st.plotly_chart(figure, key=f"chart-{key}", alt=alt, config=CHART_CONFIG)


def clicked(figure: go.Figure, key: str, alt: str) -> list[Any] | None:
    """Show a figure whose points can be clicked; the custom data of the one that was, at the run after the click."""
    state_key = f"chart-{key}-{session.get(_clicks(key), 0)}"
    event = st.plotly_chart(
        figure, key=state_key, alt=alt, config=CHART_CONFIG, on_select="rerun", selection_mode="points"
    )
    points = event.selection.points
    if not points:
        return None
    session.put(_clicks(key), session.get(_clicks(key), 0) + 1)  # a new chart: coming back does not click again
    return list(points[0]["customdata"])


def block_layout(n_segments: int) -> BlockLayout:
    """How to cut the test set into blocks."""
    by, amount, rest = st.columns([3, 3, 4], vertical_alignment="bottom")
    with by:
        kind = st.segmented_control(
            "Choose blocks by their",
            ("number", "size"),
            default="number",
            required=True,
            key="by",
            bind="query-params",
            persist_state="session",
        )
    with amount:
        if kind == "size":
            value = _whole_number("Segments in a block", "size", n_segments, min(PAPER_BLOCK_SIZE, n_segments))
        else:
            value = _whole_number("Blocks", "blocks", n_segments, min(PAPER_BLOCKS, n_segments))
    with rest:
        spread = st.toggle(
            "Spread the remainder",
            key="spread",
            help="If the segments do not divide evenly: make some blocks one segment longer instead of leaving the "
            "last segments out.",
            bind="query-params",
            persist_state="session",
        )
    remainder: Remainder = "spread" if spread else "drop"
    make = blocks_of_size if kind == "size" else blocks_of_number
    return make(n_segments, value, remainder=remainder)


def progress_reporter(label: str) -> tuple[Callable[[float], None], Callable[[], None]]:
    """A progress bar: a function that moves it and one that takes it away."""
    bar = st.progress(0.0, label)
    return (lambda share: _move(bar, share, label)), _ignoring_result(bar.empty)


def _move(bar: DeltaGenerator, share: float, label: str) -> None:
    bar.progress(min(1.0, share), label)


def _ignoring_result(function: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        function()

    return call


def _whole_number(label: str, key: str, most: int, default: int) -> int:
    return int(st.number_input(label, 1, most, default, key=key, bind="query-params", persist_state="session"))


def _clicks(key: str) -> str:
    return f"_clicks_{key}"
