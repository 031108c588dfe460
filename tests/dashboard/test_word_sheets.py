"""Words by kind in sheets, sentences, commands and on the page."""

import json

import pytest

from bleucore.analysis.word_accuracy import FREQUENCY, WORD_KINDS, compare_words, word_buckets
from bleucore.significance import SignificanceOptions
from dashboard.content.slices.word_sheets import words_sheet, words_verdict

FEW = SignificanceOptions(trials=499, resamples=99)


@pytest.fixture(scope="module")
def compared(sample):
    study = sample.study(("online", "neural-40k"))
    buckets = word_buckets(study.test_set, study.pair, FREQUENCY, study.options)
    return study, buckets, compare_words(buckets, study.pair, study.test_set.documents, FEW)


def test_the_verdict_names_the_kinds_that_a_system_gets_better(compared, read_html):
    study, buckets, tested = compared
    text = read_html(words_verdict(study, FREQUENCY, buckets, tested)).text
    lead = "neural-40k gets words better, more than chance would give, by their frequency: once (+8.98 F1)"
    assert text.startswith(lead)
    turned = tested.__class__(tested.options.__class__(trials=499, level=1e-9), tested.tests, tested.n_tests)
    assert "No kind of words tells" in read_html(words_verdict(study, FREQUENCY, buckets, turned)).text


def test_the_sheet_has_what_f1_is_made_of(compared):
    study, buckets, tested = compared
    frame = words_sheet(study, FREQUENCY, buckets, tested).frame
    precision, recall = frame["precision_a"], frame["recall_a"]
    assert frame["f1_a"].to_list() == pytest.approx((2 * precision * recall / (precision + recall)).to_list())
    assert (frame["f1_b"] - frame["f1_a"]).to_list() == pytest.approx(frame["difference"].to_list())
    assert frame["words"].to_list()[:2] == ["once", "2 times"]
    assert "options 0 : 2" in frame["won"][0]


def test_the_command_gives_the_table(bleuscope):
    code, out, _ = bleuscope(
        "slices", "--sample", "--pair", "online", "neural-40k", "--words", "form", "--trials", "99", "--format", "json"
    )
    rows = json.loads(out)["words"]
    assert code == 0
    assert {"numbers", "words in lower case"} <= {row["words"] for row in rows}


@pytest.mark.parametrize("kind", WORD_KINDS)
def test_the_page_shows_words_and_its_command_gives_them(open_link, kind):
    app = open_link("slices", data="sample", slices_of="words", words_by=kind, trials="99")
    assert not app.exception
    assert len(app.dataframe[0].value)
    assert any(f"--words {kind}" in code.value for code in app.code)
