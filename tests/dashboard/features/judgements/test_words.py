"""Sentences about judgements that depend on a condition."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bleucore.agreement.judges import ModelJudge, SelfPreference
from bleuscope.features.judgements import sheets as agreement_sheets
from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements import words_judges
from bleuscope.features.judgements import words_samples as sample_words
from bleuscope.features.judgements.pearmut import campaign_id
from tests.dashboard import builders
from tests.dashboard.reading import read

CASES = builders.CASES


def test_commands_for_raters_name_the_campaign_and_its_log():
    for task in CASES["B is better"].tasks:
        log = f"{sample_words.LOGS}/{campaign_id(task)}.jsonl"
        assert f"Then load {log} under Data, or the table with its scores filled in." in sample_words.page_words(task)
        said = sample_words.next_words(task, Path("a b/campaign.json"))
        assert "pearmut add 'a b/campaign.json'; pearmut run." in said
        assert said.endswith(f"--judgements {log}.")


def test_conflicts_of_one_judged_segment_are_in_the_right_number():
    case = CASES["B is better"]
    found = replace(case.conflicts, n_judged=1)
    sheet = agreement_sheets.conflicts_sheet(case.test_set, found, case.names, ("da", "BLEU"))
    assert sheet.caption.endswith(" of 1 segment.")


@pytest.mark.parametrize("case", [name for name in CASES if name != "both are the same"])
def test_people_and_metric_agree_on_so_many_pairs(case):
    for metric in CASES[case].agreed.metrics:
        said = read(agreement_words.agreement_verdict(CASES[case].agreed, metric))
        agreeing = [pair for pair in metric.pairs if pair.people * pair.metric > 0 or pair.people == pair.metric == 0]
        assert f"orders {len(agreeing)} of 10 pairs of systems as da does" in said
        others = [pair for pair in metric.pairs if pair not in agreeing]
        n_unsure = sum(pair.people_test.p_value >= 0.05 for pair in others)
        assert agreement_words._how_sure(n_unsure, len(others), 10) in said


@pytest.mark.parametrize(
    ("difference", "interval", "said"),
    [
        (0.16, (0.10, 0.21), "more often than people does, by 16 points (95 % CI 10 to 21, p = .010)"),
        (-0.16, (-0.21, -0.10), "less often than people does, by 16 points (95 % CI 10 to 21, p = .010)"),
    ],
)
def test_the_interval_of_a_preference_has_the_sign_of_its_words(difference, interval, said):
    found = SelfPreference("people", 0.5, 0.5, difference, interval, 0.01, 99, 99, None)
    judge = ModelJudge("m", "pairwise", "maker", 99, 0, None, ("own",), True, (found,), None, None)
    written = " ".join(str(one) for one in words_judges._self_preference(judge, found))
    assert said in re.sub("[\u2066-\u2069]", "", written).replace("\xa0", " ")
