"""Segments that other pages name: those with an n-gram, those of a slice."""

import streamlit as st

from bleucore.analysis.slices import slice_kinds
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import WHERE
from bleuscope.content.slices import slice_tables
from bleuscope.runtime import params
from bleuscope.shell.state import cached, links


def ngram_inputs() -> tuple[str, str]:
    """An n-gram, its tokens with a blank between them, and in which of the segments that hold it."""
    text = st.text_input(
        "N-gram",
        placeholder="any",
        help="Tokens as BLEU counts them, separated by spaces: `said , that`.",
        **params.NGRAM.bound(),
    )
    where = st.selectbox("Where the n-gram is", tuple(WHERE), **params.NGRAM_WHERE.bound())
    return " ".join(token for token in (text or "").split(" ") if token), str(where)


def slice_options(view: ComparisonContext) -> tuple[str, ...]:
    """The slices to choose from: those of the kind that the Slices page named; none before."""
    named = links.named_slice()
    kind = slice_tables.kind_in_address(named or "", slice_kinds(view.test_set))
    if kind is None:
        return ()
    slicing = cached.slicing(view.test_set, view.evaluation.options, kind)
    return tuple(slice_tables.address_of(slicing, index) for index in range(slicing.n_slices))
