"""Leaderboards and histories: one verdict, as in the comparison that they open."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import numpy as np
from hypothesis import given

from bleucore.history import version_history
from bleucore.significance import compare as compare_systems
from bleucore.significance import verdict_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.significance.study_verdict import (
    study_verdict,
    with_findings,
)
from bleuscope.content.significance.verdict_words import verdict_facts, verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.features.projects.board_verdicts import (
    BEFORE,
    BEST_AND_BEFORE,
    THE_BEST,
    board_verdict,
    latest_verdicts,
)
from bleuscope.features.projects.scored_versions import (
    Leaderboard,
    ScoredVersion,
    ScoredVersions,
    SystemHistory,
    board_rows,
)
from bleuscope.features.projects.sheets import history_sheet, leaderboard_sheet
from bleuscope.features.projects.words import history_verdict, leaderboard_verdict
from bleuscope.workspace.results import ScoredSet
from tests.dashboard.one_verdict import check_same, examples, numbers_of, row_of, same, studies


@examples(12, 100)
@given(study=studies())
def test_a_leaderboard_says_what_the_comparison_says_that_it_opens(study):
    metric, of = study.metric, study.test_set
    drawn_from = ScoredSet(None, metric.options, metric.signature, study.known_units)
    given_ = drawn_from.compared([(name, one.counts) for name, one in metric.systems.items()])
    comparison = compare_systems(given_, study.significance).with_baseline(study.baseline)
    versions = tuple(
        ScoredVersion(name, "1", None, datetime(2026, 9, 1, tzinfo=UTC), name, (), one.score, None)
        for name, one in metric.systems.items()
    )
    scored = ScoredVersions("p", "news", of.digest, of.n_segments, metric.name, metric.signature, "", versions)
    scored = replace(scored, higher_is_better=metric.higher_is_better)
    board = Leaderboard(scored, board_rows(scored, "latest"), study.baseline, comparison, study.findings)
    opened = study_verdict(study)
    said = leaderboard_verdict(board).markdown()
    assert "only system" in said if opened is None else verdict_sentence(opened).markdown() in said
    if opened is not None:
        check_same(board_verdict(board), opened)
        rows = leaderboard_sheet(board)
        assert verdict_facts(board_verdict(board)).items() <= rows.facts.items()
        expected = numbers_of(opened, comparison)
        assert same(row_of(rows, opened), expected)
        drawn = unescape(str(html_table(rows, study.looks)))
        assert opened.p_value is None or numbers.p_value(opened.p_value) in drawn
        assert numbers.difference(abs(opened.effect)) in drawn or numbers.difference(-abs(opened.effect)) in drawn


@examples(12, 100)
@given(study=studies())
def test_a_history_says_what_its_rows_say(study):
    metric, of = study.metric, study.test_set
    drawn_from = ScoredSet(None, metric.options, metric.signature, study.known_units)
    options = replace(study.significance, test="approximate-randomisation")
    given_ = drawn_from.compared([(name, one.counts) for name, one in metric.systems.items()])
    found = version_history(given_, options)
    versions = tuple(
        ScoredVersion("s", name, None, datetime(2026, 9, 1, tzinfo=UTC), name, (), one.score, None)
        for name, one in metric.systems.items()
    )
    scored = ScoredVersions("p", "news", of.digest, of.n_segments, metric.name, metric.signature, "", versions)
    scored = replace(scored, higher_is_better=metric.higher_is_better)
    history = SystemHistory(scored, "s", versions, found, study.findings)
    said = history_verdict(history).markdown().replace("**", "").replace("\\", "").replace("\u00a0", " ")
    row = history_sheet(history).frame.iloc[-1]
    verdicts_ = latest_verdicts(history)
    assert set(verdicts_) <= {THE_BEST, BEFORE, BEST_AND_BEFORE}
    assert len({frozenset((one.compared.name, one.compared.other)) for one in verdicts_.values()}) == len(verdicts_)
    is_faulty = any(one.state == "check-texts" for one in verdicts_.values())
    assert ("Check the texts first" in said) == is_faulty
    assert not (is_faulty and re.search(r"beats|is the best|No significant", said))
    for role, one in verdicts_.items():
        key = "behind" if role == THE_BEST else "change"
        sign = 1 if one.compared.name == versions[-1].label else -1
        ends = sorted((sign * row[f"{key}_interval_low"], sign * row[f"{key}_interval_high"]))
        numbers_ = (sign * row[key], *ends, row[f"{key}_p"])
        low, high = one.interval or (np.nan, np.nan)
        expected = (one.effect, low, high, np.nan if one.p_value is None else one.p_value)
        assert np.allclose(np.array(numbers_, np.float64), expected, rtol=0, atol=1e-9, equal_nan=True)
        if not is_faulty:
            assert (one.state == "leads") == row[f"{key}_significant"]
            assert one.state == "equal" or f"{numbers.difference(one.effect)} {metric.name}" in said
            better, other = (
                name if name == versions[-1].label else f"{name} ({role})"
                for name in (one.compared.name, one.compared.other)
            )
            assert (one.state == "leads") == (f"{better} beats {other}: " in said)
    if len(versions) == 2:
        (one,) = verdicts_.values()
        names = [version.label for version in history.held]
        compared = verdict_of(compare_systems(given_, options), metric.name, metric.ranked())
        check_same(
            replace(one, compared=replace(one.compared, family="pair")), with_findings(compared, names, study.findings)
        )
