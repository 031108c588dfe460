"""The section that says where the difference of systems A and B comes from."""

from dataclasses import replace
from functools import partial

import numpy as np

from bleucore.counts import Floats
from bleuscope.content.attribution import attribution_figures, attribution_sheets, attribution_words
from bleuscope.content.comparison import difference_figures, difference_sheets
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.difference_figures import Quantity
from bleuscope.content.comparison.differences import (
    MAX_DOCUMENTS,
    DifferenceBins,
    extremes,
    segment_differences,
)
from bleuscope.content.ngrams.ngram_tables import AGAINST, VIEWS
from bleuscope.content.ngrams.ngram_words import title_words
from bleuscope.content.ngrams.phrases import PhraseChoice, clicked_sheet, phrase_lists, phrases_in
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Tables, Words
from bleuscope.content.scores import verdicts
from bleuscope.content.sheets.builders import columns_of, rows_of
from bleuscope.content.significance import significance_by_metric, significance_sheets
from bleuscope.content.significance.study_verdict import verdict_of_pair
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.sentences import Text, note

STEPS = (1, 2, 5)
"""Times a power of ten: the places of a long curve that its table names."""
ONE_SYSTEM = "There is one system and nothing to compare it with."
N_PHRASES = 5
"""Of each list."""
SAME_SYSTEM = "A and B are the same system: there is no difference to divide."


def difference_blocks(study: TestedStudy, options: ReportOptions) -> list[Block]:
    """Scores of A and B, what ingredients, segments, documents and phrases add to Δ; what one system has otherwise."""
    if not study.compares:
        reason = ONE_SYSTEM if len(study.evaluation.names) == 1 else SAME_SYSTEM
        return [Words(note(reason)), *_phrases(study)]
    pair, metric, attribution = study.pair, study.metric, study.attribution
    is_bleu, scale = metric is study.evaluation.bleu, ScoreScale.of(metric)
    said = not is_bleu or (options.holds("verdict") and _is_in_verdict(study))
    opinions = significance_by_metric.opinions_of(study)
    dispute = significance_by_metric.disagreement(study.evaluation, opinions)
    blocks: list[Block] = [
        Words(verdicts.comparison_headlines(study.evaluation, (study.looks[pair[0]], study.looks[pair[1]]), metric)),
        *([] if said or not dispute else [Words(dispute.text)]),
        *([] if said else [Words(_tested(study))]),
        Words(attribution_words.attribution_verdict(attribution)),
        Heading("By metric"),
        Table(significance_sheets.opinions_sheet(study, opinions), "bs-narrow"),
    ]
    can_divide = attribution.reason is None
    if can_divide:
        blocks += [Charts((_waterfall(study),))] if attribution.has_ingredients else []
    delta = segment_differences(study.evaluation, pair, metric)
    values, quantity = attribution.segments if can_divide else delta, Quantity(scale, is_part=can_divide)
    blocks += [
        Heading("By segment"),
        Charts((_sorted_segments(study, values, quantity), _histogram(delta, scale))),
    ]
    if can_divide:
        blocks += [
            Words(attribution_words.disagreement_note(attribution.segments, delta)),
            Words(note("{}", attribution_words.parts_caption(metric))),
        ]
    blocks += _documents(study, quantity)
    return [*blocks, *(_phrases(study) if is_bleu else ())]


def _tested(study: TestedStudy) -> Text:
    """What the test of A and B says."""
    return verdict_text(verdict_of_pair(replace(study, metric=study.evaluation.bleu)))


def _is_in_verdict(study: TestedStudy) -> bool:
    """Whether the verdict compares A and B: what systems are measured against, and the best of the others."""
    other = study.measured_against
    return {other, next(name for name in study.evaluation.ranked() if name != other)} == set(study.pair)


def _waterfall(study: TestedStudy) -> Chart:
    sheet = attribution_sheets.attribution_sheet(study.attribution, study.evaluation)
    shown = columns_of(sheet, ("ingredient", "part"), title=sheet.title)
    return Chart(
        "waterfall",
        attribution_figures.waterfall_figure(
            sheet, ScoreScale.of(study.metric), [study.looks[name] for name in study.pair]
        ),
        f"From A's score over what each ingredient of {study.metric.name} adds to B's score",
        Table(replace(shown, emphasised=sheet.emphasised), "bs-narrow"),
        attribution_words.waterfall_caption(study.attribution),
    )


def _sorted_segments(study: TestedStudy, values: Floats, quantity: Quantity) -> Chart:
    texts = study.test_set.source or study.test_set.references[0]
    sheet = difference_sheets.sorted_segments_sheet(values, quantity.scale.unit, are_parts=quantity.is_part)
    places = np.array(_places(len(sheet.frame))) - 1
    both_ends = np.union1d(places, len(sheet.frame) - 1 - places)
    return Chart(
        "segments",
        difference_figures.segment_differences_figure(sheet, texts, quantity),
        f"{quantity.axis} of every segment as bars, sorted",
        Table(rows_of(sheet, both_ends, title="The bars at both ends, and some between"), "bs-narrow"),
    )


def _histogram(delta: Floats, scale: ScoreScale) -> Chart:
    return Chart(
        "histogram",
        difference_figures.difference_histogram(delta, scale),
        "How many segments differ by how much in their own scores",
        Table(difference_sheets.difference_bins_sheet(DifferenceBins.of(delta, least=scale.least_limit)), "bs-narrow"),
    )


def _documents(study: TestedStudy, quantity: Quantity) -> list[Block]:
    if study.test_set.documents is None:
        return []
    sheet = difference_sheets.documents_sheet(study, study.attribution)
    order = extremes(sheet.frame[quantity.key].to_numpy())
    left_out = len(order) > MAX_DOCUMENTS
    note = f"The chart shows the {MAX_DOCUMENTS} documents that differ most, of {numbers.count(len(order))}."
    chart = Chart(
        "documents",
        difference_figures.document_differences_figure(sheet, quantity, MAX_DOCUMENTS),
        f"{quantity.axis} of each document as bars, sorted",
        Table(
            columns_of(
                rows_of(sheet, order, title=""),
                ("document", "segments", quantity.key),
                title=f"{quantity.axis} by document",
            ),
            "bs-narrow",
        ),
        note if left_out else "",
    )
    return [Heading("By document"), Charts((chart,))]


def _phrases(study: TestedStudy) -> list[Block]:
    """The phrases that A and B match more, or that the only system has too often and misses."""
    choices = [PhraseChoice(view, AGAINST[1]) for view in (VIEWS[:1] if study.compares else VIEWS[1:])]
    tables = []
    for choice in choices:
        for listed in phrase_lists(study, choice, partial(phrases_in, study, most=N_PHRASES)):
            if listed.leading:
                has_parts = study.attribution.reason is None
                sheet = clicked_sheet(study, listed, listed.leading, choice, has_parts=has_parts)
                name = study.sides["AB".index(listed.side)]
                tables.append(Table(sheet, title=f"{title_words(choice.view, choice.against)} {name}"))
    return [Heading("By phrase"), Tables(tuple(tables))] if tables else []


def _places(number: int) -> list[int]:
    """1, 2, 5, 10, 20 and so on up to a number, and that number."""
    steps = [step * 10**power for power in range(len(str(number))) for step in STEPS]
    return sorted({step for step in steps if step < number} | {number})
