"""Compare: two systems, where their difference comes from, and in which segments and documents they differ."""

from functools import partial

import streamlit as st

from bleucore.agreement.people_range import people_range
from bleuscope.content import commands
from bleuscope.content.attribution import attribution_figures, attribution_sheets, attribution_words
from bleuscope.content.comparison import difference_figures, difference_sheets, differences
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.difference_figures import Quantity
from bleuscope.content.comparison.differences import DifferenceBins
from bleuscope.content.scores import verdicts
from bleuscope.content.segments import segment_sheets
from bleuscope.content.significance import significance_sheets
from bleuscope.content.significance.significance_by_metric import disagreement, opinions_of
from bleuscope.content.significance.significance_people import people_note, people_words
from bleuscope.content.significance.study_verdict import verdict_of_pair
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.sentences import verdict
from bleuscope.content.style.terms import OF_RESULTS, explaining
from bleuscope.runtime import params
from bleuscope.shell.analysis import compare_panel
from bleuscope.shell.controls import charts, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import cached, links
from bleuscope.shell.state.page_end import end_page


def foot(view: ComparisonContext) -> None:
    """The command; and the tests, if the page did not wait for them."""
    command_note(view, commands.pair_command)
    StudyTests(view).go_on()


view = open_view()
if not view.compares:
    compare_panel.of_one_system(view)
    end_page()
pair = view.pair
looks = (view.looks[pair[0]], view.looks[pair[1]])
metric, scale = view.metric, ScoreScale.of(view.metric)
widgets.html(explaining(verdicts.comparison_headlines(view.evaluation, looks, metric), "precision"))

tests = StudyTests(view)
tested = tests.early()
opinions = opinions_of(tested) if tested is not None else ()
if tested is not None:
    made = verdict_of_pair(tested, view.findings)
    widgets.html(explaining(verdict_text(made), *OF_RESULTS))
dispute = disagreement(view.evaluation, opinions, cached.attribution)
if dispute:
    widgets.html(explaining(dispute.text, *OF_RESULTS))
    if st.button("Read the segments on which they disagree", type="tertiary", icon=":material/arrow_forward:"):
        links.open_disagreements()
widgets.heading("Where the difference comes from")
attribution = cached.attribution(view.evaluation, metric, pair)
widgets.html(explaining(attribution_words.attribution_verdict(attribution), "n-grams"))
people = people_range(view.evaluation, metric, *pair)
if people.ends is not None:
    widgets.html(verdict("{}", people_words(people).strip()) + people_note(people))
compare_panel.answers_panel(view, attribution)
left, right = st.columns(2, gap="large")
with left:
    if attribution.reason is None:
        ingredients = attribution_sheets.attribution_sheet(attribution, view.evaluation)
        if attribution.has_ingredients:
            waterfall = attribution_figures.waterfall_figure(ingredients, scale, looks)
            alt = f"What each ingredient of {metric.name} adds to the difference"
            charts.chart(waterfall, "waterfall", alt, ingredients)
            st.caption(attribution_words.waterfall_caption(attribution))
        else:
            st.caption(attribution_words.NO_INGREDIENTS.format(widgets.plain(metric.name)))
        export_menu(lambda: ingredients, "attribution")
with right:
    if tested is not None:
        shown_table(significance_sheets.opinions_sheet(tested, opinions), view.looks, style="bs-narrow")
        tests.offer_all_pairs()
compare_panel.whole_reasons(view)

widgets.heading("By segment")
by_parts = widgets.difference_basis(can_divide=attribution.reason is None)
quantity = Quantity(scale, is_part=by_parts)
delta = differences.segment_differences(view.evaluation, pair, metric)
texts = view.test_set.source or view.test_set.references[0]
left, right = st.columns([3, 2], gap="large")
with left:
    values = attribution.segments if by_parts else delta
    in_order = difference_sheets.sorted_segments_sheet(values, metric.name, are_parts=by_parts)
    bars = difference_figures.segment_differences_figure(in_order, texts, quantity)
    ends = difference_sheets.ends_of(in_order, charts.MOST_ROWS)
    chosen = charts.clickable(
        bars,
        f"sorted-{quantity.name}",
        f"{quantity.axis} of every segment, sorted",
        ends,
        lambda row: (ends.frame["segment"].iloc[row] - 1,),
    )
    if chosen is not None:
        links.open_segment(int(chosen[0]))
    parts = None if attribution.reason is not None else attribution.segments
    export_menu(partial(segment_sheets.differing_segments_sheet, view, values, parts, metric), "segments")
with right:
    bins = difference_sheets.difference_bins_sheet(DifferenceBins.of(delta, least=scale.least_limit))
    chosen = charts.clickable(
        difference_figures.difference_histogram(delta, scale),
        "histogram",
        "How many segments differ by how much",
        bins,
        lambda row: bins.frame[["from", "to"]].to_numpy()[row],
    )
    if chosen is not None:
        links.open_differences((float(chosen[0]), float(chosen[1])))
widgets.html(verdicts.differences_note(metric, looks))
if attribution.reason is None:
    widgets.html(attribution_words.disagreement_note(attribution.segments, delta))
    st.caption(attribution_words.parts_caption(metric).markdown())

widgets.heading("By document")
if view.test_set.documents is None:
    st.caption("No documents. Load XML, or a file with one document name per line.")
    foot(view)
    end_page()
documents = difference_sheets.documents_sheet(view, attribution)
n_documents = len(documents.frame)
every = n_documents <= differences.MAX_DOCUMENTS or st.toggle(
    f"Show all {n_documents} documents", **params.ALL_DOCUMENTS.bound()
)
chosen = charts.clickable(
    difference_figures.document_differences_figure(documents, quantity, None if every else differences.MAX_DOCUMENTS),
    f"documents-{quantity.name}",
    f"{quantity.axis} of each document",
    documents,
    lambda row: (row,),
)
if chosen is not None:
    links.open_document(documents.frame["document"][int(chosen[0])])
export_menu(lambda: documents, "documents")
st.caption("Click a bar or a document to read its segments.")
foot(view)
