"""Why two settings give different scores, as it stands on the Scores page."""

from dataclasses import fields, replace

import pytest

from bleucore import BleuOptions
from bleucore.analysis.explanation import explain_difference
from bleucore.metrics.presets import PRESETS
from bleuscope.content.scores.explanations import explanation_note, setting_name
from bleuscope.content.scores.score_sheets import explanation_sheet
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.wordings import BLEU


def number(cell):
    return float(cell.replace("−", "-"))


@pytest.mark.parametrize("other", PRESETS)
def test_the_parts_in_a_row_lead_from_the_score_here_to_the_score_there(sample, read_html, other):
    explanation = explain_difference(sample.test_set, BleuOptions(), other)
    page = read_html(html_table(explanation_sheet(explanation, other), sample.looks))
    for row in page.rows()[1:]:
        here, *parts, there = (number(cell) for cell in row[1:])
        assert here + sum(parts) == pytest.approx(there, abs=0.006 * (len(parts) + 2))


def test_the_score_here_is_that_of_the_systems_table(sample, read_html):
    explanation = explain_difference(sample.test_set, sample.evaluation.options, "ibleu")
    page = read_html(html_table(explanation_sheet(explanation, "ibleu"), sample.looks))
    for row in page.rows()[1:]:
        name = next(name for name in sample.evaluation.names if row[0].endswith(name))
        assert row[1] == f"{sample.evaluation.systems[name].score.score:.2f}"


def test_the_note_says_what_changes_in_words(sample, read_html):
    weighted = replace(BleuOptions(), weights=(0.4, 0.3, 0.2, 0.1))
    explanation = explain_difference(sample.test_set, weighted, "mteval-v13a")
    note = read_html(explanation_note(explanation)).text
    assert "weights: 0.4 0.3 0.2 0.1 here, all the same there" in note
    assert "ignoring case: no here, ascii there" in note


def test_a_smoothing_without_a_value_chosen_has_its_own(sample, read_html):
    explanation = explain_difference(sample.test_set, BleuOptions(smoothing="floor", smoothing_value=0.5), "sacrebleu")
    assert "floor 0.5 here, exp with its own value there" in read_html(explanation_note(explanation)).text


def test_every_option_has_a_name_in_words():
    assert set(BLEU) == {field.name for field in fields(BleuOptions)}


def test_settings_switched_together_have_one_name(sample):
    explanation = explain_difference(sample.test_set, BleuOptions(), "nltk-1")
    assert "smoothing" in [setting_name(setting) for setting in explanation.settings]
