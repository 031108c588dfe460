"""Asking which segments to list and in which order; what narrows the list down is named and can be taken back."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from bleucore import InputError, TestSet
from bleucore.counts import Ints
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.conditions import (
    ASKED,
    ASKED_HOW,
    HELP,
    HELP_OF_MARKS,
    MAX_CONDITIONS,
    OF_MARKS,
    READY,
    written_condition,
)
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.segments.feature_numbers import DECLARED, FeatureNumbers, by_name, feature_numbers
from bleuscope.content.segments.filters import (
    AGREEMENTS,
    DEFAULT_ORDER,
    FILTERS,
    OF_FEATURES,
    OF_KINDS,
    ORDERS,
    PLACES,
    SEGMENT_ORDERS,
)
from bleuscope.content.segments.kind_points import NAMES as KINDS
from bleuscope.content.segments.kind_points import KindPoints
from bleuscope.content.segments.segment_queries import (
    DECLARED_UNIT,
    Range,
    SegmentQuery,
    TextSearch,
    active_filters,
    in_unit,
    numbers_in_conditions,
    unit_of,
)
from bleuscope.content.style.unique_names import unique_name
from bleuscope.runtime import params
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.segments import kind_of_list, named_segments
from bleuscope.shell.state import cached, links, session
from bleuscope.streamlit_port import DeltaGenerator

EVERY_DOCUMENT, ANY = "all documents", "any"
"""What stands where nothing is chosen. No values: documents and tags may be called so."""
MAX_LISTED_DOCUMENTS = 1_000
"""More documents are not sent to the browser: their name is typed."""
MAX_LISTED_VALUES = 200
"""A label column with more values than this is no label to choose by."""
SCORES = (-100.0, 100.0)
ANY_SCORES = (-1e6, 1e6)
"""Of other metrics: errors can be more than words, and a file can have any."""
TOKENS = (0.0, 100_000.0)
RANGES = {each.name: each for each in FILTERS.values() if each.is_range}
OF_ONE_SYSTEM = (None, "BLEU A", "tokens A", "kind A")
"""What segments of a single system can be ordered by."""
WITHOUT_FILTER: Mapping[str, object] = {
    key: list(each.without) if isinstance(each.without, tuple) else each.without
    for each in FILTERS.values()
    for key in each.keys
}
"""The value of each widget that filters nothing."""


def query_inputs(
    view: ComparisonContext,
    tagged: Mapping[str, Sequence[int]],
    flags: Sequence[str],
    places: Sequence[DeltaGenerator],
) -> SegmentQuery:
    """Which segments, in which order.

    Args:
        view: What the page shows.
        tagged: The segments of each tag, counted from 0.
        flags: The checks that point at segments.
        places: Where to ask for the text, for conditions and for the order, and for everything else.
    """
    _name_in_address()
    unit = unit_of(view.metric)
    find, questions, order, more = places
    with find:
        text = st.text_input("Find text", placeholder="Find text", label_visibility="collapsed", **params.FIND.bound())
    with questions:
        conditions = _question_input(view)
    with order:
        chosen_order = _order_input(unit, by_name(feature_numbers(view)), compares=view.compares)
    with more:
        query = _further_filters(view, text or "", tagged, flags)
    return replace(query, conditions=conditions, order=chosen_order)


def chips(view: ComparisonContext, query: SegmentQuery) -> None:
    """Every filter by a button that takes it back."""
    active = active_filters(query, unit_of(view.metric))
    _chips({name: words for name, words in active.items() if name != "conditions"})


def found(view: ComparisonContext, query: SegmentQuery) -> tuple[SegmentQuery, Ints]:
    """What can be used of the query, and the segments that it finds, in order; the page names what was left out."""
    try:
        known = looked_at(view, query)
        return query, cached.found_segments(view.test_set, view.evaluation, view.both, query, view.metric, *known)
    except InputError as error:
        st.error(widgets.plain(f"{error} Until then it is left out."))
        is_condition = (error.where or "").startswith("Condition")
        without = replace(query, conditions=()) if is_condition else replace(query, search=TextSearch())
        if without == query:
            raise
        return found(view, without)


def looked_at(
    view: ComparisonContext, query: SegmentQuery
) -> tuple[MarkedErrors | None, tuple[FeatureNumbers, ...], KindPoints | None]:
    """What a query looks at beside scores and texts, as ``found_segments`` takes it."""
    return marked_errors(view), feature_numbers(view), kind_of_list.found(view, query.kind)


def clear() -> None:
    """Take every filter back."""
    for name in dict.fromkeys(each.name for each in FILTERS.values()):
        _take_back(name)


def set_range(name: str, limits: Range) -> None:
    """Filter by a range of one of ``RANGES``; for callbacks, which run before the widgets are drawn."""
    for key, limit in zip(RANGES[name].keys, limits, strict=True):
        session.put(key, limit)


def _name_in_address() -> None:
    """Have every filter that holds named in the address.

    A browser names what is typed there itself, and says with the next run what the address holds. Said too early, it
    is written back without the filter (Streamlit 1.67). A value that is set here is written as it is.
    """
    for key, without in WITHOUT_FILTER.items():
        value = session.get(key)
        if value is not None and value != without and not links.holds(key, value):
            session.put(key, value)


def _further_filters(
    view: ComparisonContext, text: str, tagged: Mapping[str, Sequence[int]], flags: Sequence[str]
) -> SegmentQuery:
    """What else narrows the list down."""
    search = _search_inputs(text)
    _asking_inputs()
    document = _document_input(view.test_set)
    labels = _label_inputs(view.test_set)
    ranges: dict[str, Any] = {
        field: _range_inputs(each.name, unit_of(view.metric)) for field, each in FILTERS.items() if each.is_range
    }
    agreement = st.selectbox(
        "Systems disagree",
        list(AGREEMENTS),
        help="; ".join(f"{name}: {meaning}" for name, meaning in AGREEMENTS.items() if meaning) + ".",
        **params.AGREE.bound(),
    )
    flag = _choice("Finding", params.FLAG, flags) if flags else None
    tag = _choice("Tag", params.TAG, sorted(tagged))
    ngram, ngram_where = named_segments.ngram_inputs()
    chosen_slice = _choice("Slice", params.SLICE, named_segments.slice_options(view))
    kind = _choice("Kind of error", params.LOST_TO, KINDS) if KINDS else None
    return SegmentQuery(
        search=search,
        document=document,
        labels=labels,
        **ranges,
        agreement=agreement,
        flag=flag,
        tag=tag,
        tagged=tuple(tagged[tag]) if tag is not None else (),
        ngram=ngram,
        ngram_where=ngram_where,
        slice=chosen_slice or "",
        kind=kind,
    )


def _search_inputs(text: str) -> TextSearch:
    is_pattern = st.toggle(
        "Regular expression",
        help="Ignores case. Examples: `colou?r`, `^und\\b`, `\\p{Greek}`, `[\\u200b-\\u200f]`.",
        **params.REGEX.bound(),
    )
    place = choices.segmented(params.LOOK_IN, "Look in", PLACES)
    return TextSearch(text, is_pattern, place)


def _question_input(view: ComparisonContext) -> tuple[str, ...]:
    """One's own questions: ready ones by their names, and whatever is typed."""
    known = by_name(feature_numbers(view))
    numbers = ", ".join(f"`{name}`" for name in (*numbers_in_conditions(view.evaluation), *known))
    has_marks = marked_errors(view) is not None
    asked = st.multiselect(
        "Conditions",
        [
            *(name for name in READY if has_marks or name not in OF_MARKS),
            *(called for one in DECLARED if one.name in known for called in one.conditions),
        ],
        placeholder="Choose or type a condition",
        help=HELP.format(numbers=numbers) + (HELP_OF_MARKS if has_marks else ""),
        label_visibility="collapsed",
        accept_new_options=True,
        max_selections=MAX_CONDITIONS,
        **params.WHERE.bound(),
    )
    return tuple(asked)


def _asking_inputs() -> None:
    """A question that three fields come to."""
    st.caption("Conditions on the texts")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        which = st.selectbox("Text", list(ASKED), key="_asked_in", width=130, label_visibility="collapsed")
        how = st.selectbox("Condition", list(ASKED_HOW), key="_asked_how", width=200, label_visibility="collapsed")
        text = st.text_input(
            "Text or pattern", key="_asked_what", placeholder="text or pattern", label_visibility="collapsed"
        )
        st.button("Add", on_click=_ask, args=(which, how, text), disabled=not (text or "").strip(), key="_ask")


def _ask(which: str, how: str, text: str) -> None:
    """Add a question to those that are asked; a callback."""
    question = written_condition(which, how, text.strip())
    session.put(params.WHERE, list(dict.fromkeys([*session.get(params.WHERE, []), question])))
    session.put("_asked_what", "")


def _document_input(test_set: TestSet) -> str | None:
    if test_set.documents is None:
        session.drop(params.DOCUMENT)
        return None
    names = tuple(dict.fromkeys(test_set.documents))
    if len(names) < MAX_LISTED_DOCUMENTS:
        return _choice("Document", params.DOCUMENT, names, nothing=EVERY_DOCUMENT)
    return st.text_input("Document", None, placeholder=EVERY_DOCUMENT, **params.DOCUMENT.bound())


def _label_inputs(test_set: TestSet) -> tuple[tuple[str, str], ...]:
    """Values of label columns; columns with a value for nearly every segment are no labels to choose by."""
    taken: set[str] = set()
    options = {
        unique_name(f"{name}: {value}", taken): (name, value)
        for name, column in test_set.labels.items()
        if len(values := dict.fromkeys(column)) <= MAX_LISTED_VALUES
        for value in values
    }
    if not options:
        session.drop(params.LABELS)
        return ()
    chosen = st.multiselect("Labels", list(options), placeholder=ANY, **params.LABELS.bound())
    return tuple(options[option] for option in chosen)


def _order_input(unit: str, known: Collection[str], *, compares: bool) -> str:
    """The order of the segments; one by scores stays when another metric is chosen.

    Args:
        unit: What scores are called.
        known: The numbers that features know of A and B.
        compares: Whether A and B are two systems.
    """
    of_features = (order for order, one in OF_FEATURES.items() if one.by in known)
    of_kinds = tuple(OF_KINDS) if session.get(params.LOST_TO, links.given(params.LOST_TO)) else ()
    orders = {in_unit(order, unit): order for order in (*SEGMENT_ORDERS, *of_kinds, *of_features)}
    usual = in_unit(DEFAULT_ORDER, unit)
    if not compares:  # no order is of two systems, and there is no A
        single = {*OF_ONE_SYSTEM, *known}
        orders = {name.replace(" A: ", ": "): order for name, order in orders.items() if ORDERS[order].by in single}
        usual = next(iter(orders))
    chosen = session.get(params.SORT)
    if chosen is not None and chosen not in orders:
        side = chosen[chosen.find(" ") :]
        session.put(params.SORT, next((one for one in orders if one == unit + side), usual))
    return orders[
        st.selectbox(
            "Order", list(orders), list(orders).index(usual), label_visibility="collapsed", **params.SORT.bound()
        )
    ]


def _range_inputs(name: str, unit: str) -> Range | None:
    least, most = TOKENS if name == "tokens" else SCORES if unit == DECLARED_UNIT else ANY_SCORES
    ends = []
    for column, key, word in zip(st.columns(2), RANGES[name].keys, ("at least", "at most"), strict=True):
        with column:
            ends.append(
                st.number_input(
                    f"{in_unit(name, unit)} {word}",
                    least,
                    most,
                    None,
                    step=0.01 if name == "contribution" else 1.0,
                    format="%.4f" if name == "contribution" else "%.0f" if name == "tokens" else "%.2f",
                    placeholder=ANY,
                    help=RANGES[name].told if word == "at least" else None,
                    **key.bound(),
                )
            )
    low, high = ends
    if low is None and high is None:
        return None
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _choice(label: str, key: Param, options: Sequence[str], *, nothing: str = ANY) -> str | None:
    """One of the options, or ``None``."""
    return choices.selected_if_any(key, label, options, nothing, disabled=not options)


def _chips(active: Mapping[str, str]) -> None:
    """Every filter by a button that takes it back; questions have theirs where they are asked."""
    if not active:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="chips"):
        for name, words in active.items():
            st.button(
                widgets.plain(words),
                key=f"_without_{name}",
                icon=":material/close:",
                icon_position="right",
                help="Remove this filter",
                on_click=_take_back,
                args=(name,),
                width="content",
            )
        st.button("Clear", type="tertiary", help="Remove all filters", on_click=clear, key="clear")


def _take_back(name: str) -> None:
    for key in (key for each in FILTERS.values() if each.name == name for key in each.keys):
        if session.get(key, WITHOUT_FILTER[key]) != WITHOUT_FILTER[key]:
            session.put(key, WITHOUT_FILTER[key])
