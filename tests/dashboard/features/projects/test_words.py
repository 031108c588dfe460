"""Sentences about projects that depend on a condition."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import System, TestSet, evaluate
from bleucore.history import changes_between
from bleuscope.content.style import numbers
from bleuscope.features.projects import words as history_words
from tests.dashboard import builders
from tests.dashboard.reading import read

CASES = builders.CASES


@given(firsts=st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_changes_between_versions_are_counted(firsts):
    better, worse, reworded, unchanged = firsts
    if not sum(firsts):
        return
    right, wrong, other = "a b c d e f", "a b x d e f", "a b y d e f"
    pairs = (
        [(wrong, right)] * better
        + [(right, wrong)] * worse
        + [(wrong, other)] * reworded
        + [(right, right)] * unchanged
    )
    older, newer = zip(*pairs, strict=True)
    test_set = TestSet([System("one", list(older)), System("two", list(newer))], [[right] * len(pairs)])
    bleu = evaluate(test_set).bleu
    changes = changes_between(*(one.counts for one in bleu.systems.values()), bleu.options, (older, newer))
    first, second = (
        replace(one, score=score)
        for one, score in zip(CASES["B is better"].scored.versions, (20.0, 22.5), strict=False)
    )
    said = read(history_words.changes_verdict(changes, first, second, "BLEU"))
    n_changed = better + worse + reworded
    if not n_changed:
        assert said == "v0 and v1 have the same outputs."
        return
    assert said == (
        f"From v0 to v1: +2.50 BLEU. {n_changed} of {numbers.counted(sum(firsts), 'segment')} changed: {better} "
        f"better, {worse} worse, {reworded} with the same score."
    )


@pytest.mark.parametrize(
    ("n_systems", "n_notes", "said", "not_said"),
    [
        (0, 0, ["No version of a system yet."], ["system:", "note"]),
        (1, 1, ["1 system: ", "1 note on its texts."], ["No version", "notes"]),
        (2, 2, ["2 systems: ", "2 notes on its texts."], ["No version"]),
    ],
)
def test_a_card_counts_systems_and_notes(n_systems, n_notes, said, not_said):
    text = read(
        history_words.card_words(replace(builders.card(), systems=("base", "nightly")[:n_systems], n_notes=n_notes))
    )
    assert all(one in text for one in said)
    assert not any(one in text for one in not_said)
    assert "Last push 2026-03-02 12:00 UTC." in text


@pytest.mark.parametrize("case", [name for name in CASES if name != "both are the same"])
def test_versions_tell_alarms_the_latest_and_who_shares_the_lead(case):
    one = CASES[case]
    alarmed = [version for version in one.history.found.versions if version.alarm]
    said = read(history_words.alarms_note(one.history.found))
    assert said.startswith(f"{numbers.counted(len(alarmed), 'alarm')}, the last at {alarmed[-1].name}")
    kinds = [
        {"drop": "worse than before", "decline": "worse than the best before"}[version.alarm] for version in alarmed
    ]
    assert all(f"{kinds.count(kind)} {kind}" in said for kind in kinds)
    latest = one.scored.versions[-1]
    said = read(history_words.history_verdict(one.history))
    assert (
        f"The latest of 5 versions of base is {latest.label}: {numbers.score(latest.score)} {one.metric.name}" in said
    )
    is_best = latest.score == (max if one.metric.higher_is_better else min)(
        version.score for version in one.scored.versions
    )
    assert ("It is the best of them" in said) == is_best
    board = read(history_words.leaderboard_verdict(replace(one.board, comparison=None)))
    first = one.board.rows[0].version.score
    n_level = sum(numbers.score(row.version.score) == numbers.score(first) for row in one.board.rows)
    assert ("share the highest score" in board) == (n_level > 1)
    assert ("scores highest" in board) == (n_level == 1)
    assert numbers.score(first) in board
