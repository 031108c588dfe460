"""What annotations come to, and their way through files."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.annotation.agreement import annotator_agreement, coincidences_of, ordinal_alpha
from bleucore.annotation.events import Commented, Event, Finished, Marked, Scored, folded
from bleucore.annotation.exports import esa_lines, marot_table, mtme_files
from bleucore.annotation.held import adjudicator_of, is_adjudicator, judgements_of, shown_annotators, what_holds
from bleucore.annotation.imports import replayed
from bleucore.annotation.marks import Mark, long_clusters
from bleucore.annotation.results import attention, disagreements, seconds_by_annotator, system_results
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned, task_from_json, task_to_json
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.judgements import reading
from bleucore.judgements.averaging import written_weights

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-en-de-mtme"
N, DOCUMENTS = 24, 8
PIECES = ("Haus", "geht", "👨‍👩‍👧‍👦", "e\u0301", "我们", "كِتَابٌ", "🇩🇪", "=1+1", "<b>", "'x")


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def test_set():
    systems = [
        System(name, [f"{name} {PIECES[n % len(PIECES)]} number {n} {PIECES[(3 * n + 1) % 10]}" for n in range(N)])
        for name in ("A", "B.1", "C-2")
    ]
    documents = [f"doc-{n * DOCUMENTS // N}" for n in range(N)]
    source = [f"source number {n}" for n in range(N)]
    return TestSet(systems, [[f"reference {n}" for n in range(N)]], source, documents, languages=("en", "de"))


class Annotated:
    """States of a task that a test fills."""

    def __init__(self, task):
        self.task, self.events = task, {}

    def say(self, item, annotator, *bodies, finished=True):
        said = self.events.setdefault((item.id, annotator), [])
        for body in (*bodies, *([Finished(5.0)] if finished else [])):
            said.append(Event(len(said) + 1, item.id, annotator, body, len(said), "w"))

    @property
    def states(self):
        return {key: folded(events) for key, events in self.events.items()}


def marked(*marks):
    return [Marked(f"m{place}", mark) for place, mark in enumerate(marks)]


def both(test_set, scheme, **more):
    return Annotated(planned(test_set, None, ["ann", "bob"], scheme=scheme, overlap=1, **more))


def of(annotated, system, segment):
    return next(
        item
        for item in annotated.task.items
        if (item.system, item.segment) == (system, segment) and item.planted is None
    )


def spans_of(row):
    """The spans of a row, without what not every form holds."""
    plain = tuple(replace(span, text=None, weight=None, comment="") for span in row.spans)
    return row.system, row.number, row.rater, plain


@st.composite
def annotations(draw, task):
    """States of all annotators, with marks between graphemes of every side."""
    annotated = Annotated(task)
    for annotator in task.annotators:
        for item in task.items_of(annotator):
            if draw(st.integers(0, 3)) == 0:
                continue
            marks = []
            for side in draw(st.lists(st.sampled_from(["target", "source", "missing"]), max_size=2)):
                text = item.text_of(side)
                within = {place for start, end in long_clusters(text) for place in range(start + 1, end)}
                places = [place for place in range(len(text) + 1) if place not in within]
                start = draw(st.sampled_from(places[:-1]))
                end = start if side == "missing" else draw(st.sampled_from([one for one in places if one > start]))
                severity = draw(st.sampled_from(task.scheme.severity_names))
                category = draw(st.sampled_from(["accuracy/omission", "style"])) if task.scheme.categories else ""
                marks.append(Mark(start, end, severity, category, side, draw(st.sampled_from(["", "why?"]))))
            score = [Scored(float(draw(st.sampled_from([0, 33.5, 100]))))] if task.scheme.has_slider else []
            annotated.say(item, annotator, *marked(*marks), *score)
    return annotated


@pytest.mark.parametrize("form", ["mtme", "marot", "esa"])
@given(data=st.data(), seed=st.integers(0, 5))
def test_an_export_that_is_imported_is_exported_as_the_same_bytes(test_set, form, data, seed):
    scheme = ESA if form == "esa" else MQM
    annotators = ["ann"] if form == "mtme" else ["ann", "bob"]
    task = planned(test_set, None, annotators, scheme=scheme, overlap=0.5, seed=seed)
    annotated = data.draw(annotations(task))
    if not annotated.events:
        return
    write = {
        "mtme": lambda task, states: next(iter(mtme_files(task, states).values())),
        "marot": marot_table,
        "esa": esa_lines,
    }[form]
    written = write(task, annotated.states)
    name = {"mtme": "en-de.x.seg.rating", "marot": "x.tsv", "esa": "x.jsonl"}[form]
    found = reading.read(name, written)
    (judgements,) = reading.aligned_judgements(found, test_set)
    again = replayed(judgements, test_set, systems=test_set.system_names)
    states = Annotated(again.task)
    for event in again.events:
        states.events.setdefault((event.item, event.annotator), []).append(event)
    assert write(again.task, states.states) == written
    before, after = (judgements_of(one.task, one.states) for one in (annotated, states))
    assert {row[1:5] for row in before.rows} == {row[1:5] for row in after.rows}
    assert {spans_of(row) for row in before.rows} == {spans_of(row) for row in after.rows}


@pytest.mark.thorough
def test_ratings_of_mt_metrics_eval_are_replayed_to_the_byte(test_set):
    """Real ratings where they lie beside the project; else small ones of the same make."""
    if DATA.exists():
        outputs = [System(path.stem, lines(path)) for path in sorted((DATA / "system-outputs/en-de").glob("*.txt"))]
        references = [lines(DATA / "references/en-de.refA.txt")]
        texts = TestSet(outputs, references, source=lines(DATA / "sources/en-de.txt"))
        ratings = (DATA / "human-scores/en-de.mqm.merged.seg.rating").read_bytes()
        scores = (DATA / "human-scores/en-de.mqm.seg.score").read_text(encoding="utf-8")
    else:
        texts = test_set
        error = {"start": 0, "end": 1, "category": "style", "severity": "minor", "score": 1.0, "is_source_error": False}
        judged = json.dumps({"errors": [error]})
        parts = [(name, n) for name in test_set.system_names for n in range(N)]
        ratings = "".join(f"{name}\t{judged if n % 2 else None}\n" for name, n in parts).encode()
        scores = "".join(f"{name}\t{-1.0 if n % 2 else None}\n" for name, n in parts)
    found = reading.read("en-de.mqm.merged.seg.rating", ratings)
    (judgements,) = reading.aligned_judgements(found, texts)
    again = replayed(judgements, texts, systems=tuple(found.judgements[0].block_sizes))
    annotated = Annotated(again.task)
    for event in again.events:
        annotated.events.setdefault((event.item, event.annotator), []).append(event)
    written, of_segments = mtme_files(again.task, annotated.states).values()
    assert written == ratings
    assert sorted(of_segments.decode().splitlines()) == sorted(
        [*scores.splitlines(), *(["synthetic_ref\tNone"] * texts.n_segments if DATA.exists() else [])]
    )


class TestAgreement:
    def test_alpha_is_that_of_krippendorffs_example(self):
        coders = ["123321412...", "1233224125.3", ".3332342251.", "1233244125 1.".replace(" ", "")]
        units = [[int(coder[n]) for coder in coders if coder[n] != "."] for n in range(12)]
        assert ordinal_alpha(coincidences_of(units, 6)) == pytest.approx(0.815, abs=0.0005)

    def test_alpha_is_one_where_all_agree_and_undefined_where_nothing_varies(self):
        assert ordinal_alpha(coincidences_of([[0, 0], [1, 1], [2, 2]], 3)) == 1
        assert ordinal_alpha(coincidences_of([[1, 1], [1, 1]], 3)) is None
        assert ordinal_alpha(coincidences_of([[1], [2]], 3)) is None

    def test_span_f1_counts_characters_and_a_severity_that_differs_counts_half(self, test_set):
        annotated = both(test_set, MQM)
        item = of(annotated, "A", 0)
        annotated.say(item, "ann", *marked(Mark(0, 6, "major")))
        annotated.say(item, "bob", *marked(Mark(2, 6, "minor")))
        found = annotator_agreement(annotated.task, annotated.states)
        assert found.n_shared == 1
        assert found.span_f1.value == pytest.approx(2 * (4 * 0.5) / (6 + 4))
        assert found.mark_f1.value == 1
        assert found.span_f1.interval is None
        assert found.pairs[0].n_items == 1

    def test_all_that_agrees_is_one_with_intervals_from_six_documents_on(self, test_set):
        annotated = both(test_set, ESA)
        for number, item in enumerate(annotated.task.items):
            for annotator in ("ann", "bob"):
                severity = "major" if number % 3 else "minor"
                annotated.say(item, annotator, *marked(Mark(0, 1, severity)), Scored(float(number)))
        found = annotator_agreement(annotated.task, annotated.states)
        assert (found.n_shared, found.n_units) == (3 * N, DOCUMENTS)
        for one in (found.span_f1, found.mark_f1, found.severity_alpha, found.scores):
            assert one.value == pytest.approx(1)
            assert one.interval == pytest.approx((1, 1))

    def test_scores_correlate_within_pairs_as_numpy_says(self, test_set):
        annotated, random = both(test_set, ESA), np.random.default_rng(1)
        given_scores = random.uniform(0, 100, (3 * N, 2))
        for item, (one, other) in zip(annotated.task.items, given_scores.tolist(), strict=True):
            annotated.say(item, "ann", Scored(one))
            annotated.say(item, "bob", Scored(other))
        found = annotator_agreement(annotated.task, annotated.states)
        assert found.scores.value == pytest.approx(np.corrcoef(given_scores.T)[0, 1])
        low, high = found.scores.interval
        assert low < found.scores.value < high
        assert found.span_f1.value is None

    def test_nobody_who_shares_gives_no_number(self, test_set):
        found = annotator_agreement(both(test_set, ESA).task, {})
        assert (found.n_shared, found.span_f1.value, found.pairs) == (0, None, ())


class TestDecisions:
    @pytest.fixture
    def annotated(self, test_set):
        annotated = both(test_set, ESA)
        item = of(annotated, "A", 0)
        annotated.say(item, "ann", *marked(Mark(0, 1, "major")), Scored(20.0))
        annotated.say(item, "bob", Scored(90.0))
        same = of(annotated, "A", 1)
        for annotator in ("ann", "bob"):
            annotated.say(same, annotator, Scored(50.0))
        return annotated

    def test_a_disagreement_stands_side_by_side_until_somebody_decides(self, annotated):
        (found,) = disagreements(annotated.task, annotated.states)
        assert [one.annotator for one in found.said] == ["ann", "bob"]
        assert (found.difference, found.span_f1, found.decision) == (70.0, 0.0, None)

    def test_a_decision_replaces_what_annotators_said_and_says_who_decided(self, annotated):
        item = of(annotated, "A", 0)
        annotated.say(item, adjudicator_of(7, "cem"), Scored(40.0), Commented("as ann"))
        (found,) = disagreements(annotated.task, annotated.states)
        assert found.decision.annotator == "adjudicator:7:cem"
        held = [one for one in what_holds(annotated.task, annotated.states) if one.item is item]
        assert [(one.annotator, one.state.score) for one in held] == [("adjudicator:7:cem", 40.0)]
        judgements = judgements_of(annotated.task, annotated.states)
        assert [(row.rater, row.value) for row in judgements.rows if row.number == 0] == [("cem (decided)", 40.0)]
        assert [one.score for one in system_results(annotated.task, annotated.states)] == [45.0]
        assert annotator_agreement(annotated.task, annotated.states).n_shared == 2
        assert b"cem (decided)" in esa_lines(annotated.task, annotated.states)

    def test_two_people_of_one_name_are_two_adjudicators_with_two_names(self, annotated):
        first, second = adjudicator_of(7, "cem"), adjudicator_of(12, "cem")
        annotated.say(of(annotated, "A", 0), second, Scored(40.0))
        annotated.say(of(annotated, "A", 1), first, Scored(50.0))
        said = what_holds(annotated.task, annotated.states)
        decided = {one.annotator for one in said if one.is_decision}
        assert decided == {first, second}
        assert {shown_annotators(said)[one] for one in decided} == {"cem (decided)", "cem (decided) 2"}
        raters = {row.rater for row in judgements_of(annotated.task, annotated.states).rows}
        assert {"cem (decided)", "cem (decided) 2"} <= raters
        assert is_adjudicator(first, 7)
        assert not is_adjudicator(second, 1)

    def test_a_decision_that_is_not_finished_does_not_hold(self, annotated):
        annotated.say(of(annotated, "A", 0), adjudicator_of(7, "cem"), Scored(40.0), finished=False)
        assert len(what_holds(annotated.task, annotated.states)) == 4

    def test_nobody_can_be_planned_as_an_adjudicator(self, test_set):
        with pytest.raises(InputError, match="name of the annotator"):
            planned(test_set, None, [adjudicator_of(7, "x")], scheme=ESA)


class TestScores:
    def test_scores_are_means_with_intervals_by_documents(self, test_set):
        annotated = Annotated(planned(test_set, None, ["ann"], scheme=MQM))
        for item in annotated.task.items:
            severity = {"A": "minor", "B.1": "major", "C-2": "minor"}[item.system]
            marks = [Mark(0, 1, severity)] if item.segment % 2 or item.segment // 3 % 2 else []
            annotated.say(item, "ann", *marked(*marks))
        found = {one.name: one for one in system_results(annotated.task, annotated.states)}
        assert found["B.1"].score == pytest.approx(5 * found["A"].score)
        low, high = found["A"].interval
        assert low < found["A"].score < high
        assert found["A"].n_outputs == N
        assert found["A"].n_marks["minor"] == -found["A"].score * N
        heavier = system_results(annotated.task, annotated.states, written_weights("minor=2, major=5"))
        assert {one.name: one.score for one in heavier}["A"] == pytest.approx(2 * found["A"].score)

    def test_systems_without_annotations_are_left_out(self, test_set):
        annotated = Annotated(planned(test_set, None, ["ann"], scheme=ESA))
        annotated.say(of(annotated, "A", 3), "ann", Scored(10.0))
        assert [one.name for one in system_results(annotated.task, annotated.states)] == ["A"]
        with pytest.raises(InputError, match="nobody has judged"):
            system_results(annotated.task, {})


def test_attention_checks_count_as_found_where_a_mark_overlaps_and_are_no_results(test_set):
    annotated = Annotated(planned(test_set, None, ["ann"], scheme=ESA, attention=2))
    planted = [item for item in annotated.task.items if item.planted]
    annotated.say(planted[0], "ann", *marked(Mark(*planted[0].planted, "major")), Scored(0.0))
    annotated.say(planted[1], "ann", Scored(0.0))
    (found,) = attention(annotated.task, annotated.states)
    assert (found.annotator, found.n_found, found.n_checks) == ("ann", 1, 2)
    assert what_holds(annotated.task, annotated.states) == ()


def test_marks_of_somebody_who_reads_count_without_being_finished(test_set):
    annotated = Annotated(replace(planned(test_set, None, ["you"], scheme=MQM), counts_unfinished=True))
    annotated.say(of(annotated, "A", 0), "you", *marked(Mark(0, 1, "major")), finished=False)
    assert [one.score for one in system_results(annotated.task, annotated.states)] == [-5.0]
    assert task_from_json(task_to_json(annotated.task)).counts_unfinished


def test_time_is_seen_by_its_annotator_alone_until_all_agree(test_set):
    annotated = both(test_set, ESA)
    for annotator in ("ann", "bob"):
        annotated.say(of(annotated, "A", 0), annotator, Scored(1.0))
    task, states = annotated.task, annotated.states
    assert seconds_by_annotator(task, states) == {}
    assert seconds_by_annotator(task, states, "ann") == {"ann": 5.0}
    assert seconds_by_annotator(replace(task, shares_time=("ann",)), states) == {}
    shared = task_from_json(task_to_json(replace(task, shares_time=("ann", "bob"))))
    assert seconds_by_annotator(shared, states) == {"ann": 5.0, "bob": 5.0}
    for form in (esa_lines, marot_table):
        assert b"seconds" not in form(task, states)


class TestFaults:
    def test_a_text_that_a_table_cannot_hold_is_named(self):
        texts = TestSet([System("A", ["one\ttwo"])], [["x"]])
        annotated = Annotated(planned(texts, None, ["ann"], scheme=MQM))
        annotated.say(annotated.task.items[0], "ann")
        with pytest.raises(InputError, match=r"System 'A', segment 1: the table cannot hold this output"):
            marot_table(annotated.task, annotated.states)

    def test_marks_without_scores_are_not_written_as_esa(self, test_set):
        with pytest.raises(InputError, match="these annotations have no scores"):
            esa_lines(both(test_set, MQM).task, {})

    def test_several_annotators_have_files_of_their_own(self, test_set):
        annotated = both(test_set, MQM)
        for annotator in ("ann", "bob"):
            annotated.say(of(annotated, "A", 0), annotator)
        names = list(mtme_files(annotated.task, annotated.states))
        assert names == [
            f"en-de.Annotation-{name}.seg.{kind}" for name in ("ann", "bob") for kind in ("rating", "score")
        ]

    def test_annotators_whose_names_are_alike_have_files_of_their_own(self, test_set):
        names = ["Анна", "王", "Ann B", "Ann-B"]
        annotated = Annotated(planned(test_set, None, names, scheme=MQM, overlap=1))
        for name in names:
            annotated.say(of(annotated, "A", 0), name)
        assert len(mtme_files(annotated.task, annotated.states)) == 2 * len(names)

    def test_scores_by_weights_that_an_error_lacks_are_not_written(self, test_set):
        annotated = both(test_set, MQM)
        annotated.say(of(annotated, "A", 0), "ann", *marked(Mark(0, 1, "critical")))
        with pytest.raises(InputError, match="no weight for this error"):
            mtme_files(annotated.task, annotated.states, written_weights("major=10"))

    def test_a_category_cannot_begin_a_row(self, test_set):
        annotated = both(test_set, MQM)
        annotated.say(of(annotated, "A", 0), "ann", *marked(Mark(0, 1, "minor", "x\tMinor\nB\td")))
        assert marot_table(annotated.task, annotated.states).count(b"\n") == 2

    def test_an_output_of_two_annotators_is_counted_once(self, test_set):
        annotated = both(test_set, ESA)
        for name in ("ann", "bob"):
            for segment in range(N):
                annotated.say(of(annotated, "A", segment), name, *([Scored(50.0)] if segment else []))
        (found,) = system_results(annotated.task, annotated.states)
        assert found.n_outputs == N - 1

    def test_a_mark_beyond_its_text_is_refused_with_its_line_or_moved(self, test_set):
        rating = {"errors": [{"start": 2, "end": 400, "severity": "major", "category": "x", "is_source_error": False}]}
        parts = [(name, n) for name in test_set.system_names for n in range(N)]
        text = "".join(f"{name}\t{json.dumps(rating) if not n else None}\n" for name, n in parts).encode()
        (judgements,) = reading.aligned_judgements(reading.read("en-de.x.seg.rating", text), test_set)
        said = r"segment 1, line 1: a mark lies outside the text .found .*, expected .*--widen"
        with pytest.raises(InputError, match=said):
            replayed(judgements, test_set)
        moved = replayed(judgements, test_set, widens=True)
        assert "moved: 3 marks" in moved.notices[-1]
        assert next(iter(moved.events)).body.mark.end == len(test_set.systems[0].hypotheses[0])
