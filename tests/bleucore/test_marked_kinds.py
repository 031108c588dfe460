"""Which kinds of errors raters marked: by hand, and of a task with what BLEU lost on the same outputs."""

import re
from pathlib import Path

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.kinds import study_kinds
from bleucore.analysis.marked_kinds import MARKED_IN_WMT23, MATCHED, MATCHED_MARKED_IN_WMT23, marked_kinds
from bleucore.analysis.token_kinds import KINDS, NUMBER
from bleucore.annotation.events import ItemState
from bleucore.annotation.marked import at_their_outputs, marked_of_task, rows_of
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import MQM
from bleucore.annotation.tasks import Item, Task
from bleucore.judgements.records import Judgements, Row, Span

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "kinds.md"
OUTPUTS = ("it cost 15 euros", "it cost 16 euros")
TEXTS = TestSet([System("A", OUTPUTS)], [["it cost 50 euros", "it cost 50 euros"]])
OPTIONS = BleuOptions(max_order=2)


def test_tokens_of_each_kind_are_counted_and_those_in_a_mark_of_any_rater():
    losses = study_kinds(TEXTS, ["A"], OPTIONS).losses
    rows = (
        Row(1, "A", 0, "ann", spans=(Span(8, 10, "major"),)),
        Row(2, "A", 0, "bob", spans=(Span(0, 2, "minor"), Span(9, 10, "minor"))),
        Row(3, "A", 1, "ann"),
        Row(4, "B", 0, "ann", spans=(Span(0, 4, "major"),)),
    )
    found = marked_kinds(TEXTS, losses, Judgements("mqm", "mqm", "MQM", rows), OPTIONS)
    assert found.n_outputs == 2
    assert (found.tokens[NUMBER], found.marked[NUMBER], found.shares[NUMBER]) == (2, 1, 0.5)
    assert (found.tokens[MATCHED], found.marked[MATCHED]) == (6, 1)
    assert found.tokens.sum() == 8
    assert np.isnan(found.shares[KINDS.index("case")])


def task_of(*references):
    items = tuple(
        Item(f"i{place}", place, "A", "", text, reference=reference)
        for place, (text, reference) in enumerate(zip(OUTPUTS, references, strict=True))
    )
    return Task("T", MQM, items, ("ann",), {"ann": tuple(one.id for one in items)})


def test_a_task_says_what_was_marked_and_what_the_same_outputs_lost():
    task = task_of(*TEXTS.references[0])
    marks = {"m": Mark(8, 10, "major")}
    states = {("i0", "ann"): ItemState(marks, None, "", True, 1.0), ("i1", "ann"): ItemState({}, None, "", True, 1.0)}
    found = marked_of_task(task, states, OPTIONS)
    alone = study_kinds(TEXTS, ["A"], OPTIONS).losses[0]
    assert (found.n_outputs, found.shares[NUMBER]) == (2, 0.5)
    assert found.losses == pytest.approx(alone.losses)
    again = marked_kinds(TEXTS, [alone], Judgements("T", "T", "MQM", rows_of(task, states)), OPTIONS)
    assert (again.tokens.tolist(), again.marked.tolist()) == (found.tokens.tolist(), found.marked.tolist())


def test_marks_follow_their_output_where_systems_were_renamed():
    def row(system, text):
        return Row(1, system, 0, "ann", None, (Span(8, 10, "major"),), text)

    now = TestSet([System("B", OUTPUTS), System("A", ("it costs 15 euros", "x"))], TEXTS.references)
    marked = [row("A", OUTPUTS[0]), row("B", OUTPUTS[0]), row("old", OUTPUTS[0]), row("B", "gone")]
    assert [one.system for one in at_their_outputs(marked, now, {"A": "B", "B": "A"})] == ["B", "B", "B"]


def test_outputs_that_nobody_finished_or_that_have_no_reference_do_not_count():
    assert marked_of_task(task_of(*TEXTS.references[0]), {}, OPTIONS) is None
    done = {("i0", "ann"): ItemState({}, None, "", True, 1.0)}
    assert marked_of_task(task_of(None, "it cost 50 euros"), done, OPTIONS) is None


def test_the_guide_has_the_shares_of_the_program():
    text = GUIDE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \|.*\| (\d+) % \|$", text, re.MULTILINE)
    assert {kind: int(share) / 100 for kind, share in rows} == MARKED_IN_WMT23
    assert f"next to {MATCHED_MARKED_IN_WMT23:.0%} of matching tokens.".replace("%", " %") in text
