"""Marks, schemes, events and tasks of annotation."""

import json

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bleucore.annotation.events import (
    Changed,
    Commented,
    Event,
    Finished,
    Marked,
    Removed,
    Reopened,
    Scored,
    folded,
    from_json,
    state_to_json,
    to_json,
    window_of,
)
from bleucore.annotation.marks import Mark, checked, is_boundary, long_clusters, mark_from_json, mark_to_json
from bleucore.annotation.schemes import ESA, MQM, Category, Severity, scheme_from_json, scheme_from_yaml, scheme_to_json
from bleucore.annotation.tasks import planned, shown_item, task_from_json, task_to_json
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.sampling.design import draw_documents

FAMILY, FLAGS, MARKED = "👨‍👩‍👧‍👦", "🇩🇪🇫🇷", "e\u0301a\u0323\u0308"
ARABIC, CHINESE, HINDI = "كِتَابٌ", "我昨天没去。", "क्षत्रिय"
PIECES = (FAMILY, FLAGS, MARKED, ARABIC, CHINESE, HINDI, "word", " ", "👍🏽", "\r\n", "각")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)


@given(TEXTS, st.data())
def test_offsets_are_code_points_and_never_split_a_grapheme(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    clusters = regex.findall(r"\X", text)
    ends = {0}
    for cluster in clusters:
        ends.add(max(ends) + len(cluster))
    mark = Mark(start, end, "major", side="target" if end > start else "missing")
    if {start, end} <= ends:
        assert checked(mark, text, MQM) is mark
    else:
        with pytest.raises(InputError, match="splits a grapheme"):
            checked(mark, text, MQM)


@given(TEXTS)
def test_the_clusters_that_a_browser_gets_are_all_places_where_a_mark_cannot_end(text):
    within = {offset for start, end in long_clusters(text) for offset in range(start + 1, end)}
    assert within == {offset for offset in range(len(text) + 1) if not is_boundary(text, offset)}


@pytest.mark.parametrize("text", [FAMILY, MARKED[:2], "🇩🇪", "👍🏽"])
def test_a_family_a_flag_and_a_letter_with_its_accent_are_marked_whole(text):
    assert checked(Mark(1, 1 + len(text), "minor"), f"a{text}b", MQM).end == 1 + len(text)
    for inner in range(1, len(text)):
        with pytest.raises(InputError, match=r"splits a grapheme \(found 2|splits a grapheme"):
            checked(Mark(1, 1 + inner, "minor"), f"a{text}b", MQM)


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (Mark(0, 9, "major"), r"outside the text \(found 9, expected 0 to 4\)"),
        (Mark(-1, 2, "major"), "outside the text"),
        (Mark(2, 2, "major"), r"wrong length \(found 2 to 2, target"),
        (Mark(1, 2, "major", side="missing"), "wrong length"),
        (Mark(3, 2, "major"), "wrong length"),
        (Mark(0, 2, "huge"), r"severity is unknown \(found 'huge', expected minor, major, critical\)"),
        (Mark(0, 2, "major", "x" * 201), "category is too long"),
        (Mark(0, 2, "major", comment="x" * 10_001), "comment is too long"),
    ],
)
def test_a_mark_that_cannot_be_one_of_the_text_is_refused(mark, words):
    with pytest.raises(InputError, match=words):
        checked(mark, "text", MQM)


def test_what_is_missing_has_a_place_which_may_be_the_end():
    assert checked(Mark(4, 4, "major", side="missing"), "text", MQM)
    assert checked(Mark(0, 0, "major", side="missing"), "", MQM)


MARKS = st.builds(
    Mark,
    st.integers(0, 50),
    st.integers(0, 50),
    st.sampled_from(["minor", "major"]),
    st.text(max_size=8),
    st.sampled_from(["target", "source", "missing"]),
    st.text(max_size=8),
)
IDS = st.sampled_from(["a", "b", "c-1", "d_2"])
BODIES = st.one_of(
    st.builds(Marked, IDS, MARKS),
    st.builds(Changed, IDS, MARKS),
    st.builds(Removed, IDS),
    st.builds(Scored, st.none() | st.floats(0, 100)),
    st.builds(Commented, st.text(max_size=9)),
    st.builds(Finished, st.floats(0, 1000)),
    st.just(Reopened()),
)


@given(BODIES)
def test_an_event_is_the_same_after_json(body):
    assert from_json(json.loads(json.dumps(to_json(body)))) == body


@given(MARKS)
def test_a_mark_is_the_same_after_json(mark):
    assert mark_from_json(json.loads(json.dumps(mark_to_json(mark)))) == mark


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, "no event of annotation"),
        ([], "no event"),
        ({"kind": "drop table"}, "no event"),
        ({"kind": ["marked"]}, "no event"),
        ({"kind": "scored", "score": "9"}, "score is not accepted"),
        ({"kind": "scored", "score": True}, "score is not accepted"),
        ({"kind": "scored", "score": 101}, "a number from 0 to 100"),
        ({"kind": "scored", "score": float("nan")}, "score is not accepted"),
        ({"kind": "finished", "seconds": -1}, "seconds is not accepted"),
        ({"kind": "removed", "mark_id": "../x"}, "id of a mark"),
        ({"kind": "removed", "mark_id": "a", "annotator": "b"}, "unknown field"),
        ({"kind": "commented", "comment": 5}, "comment is no text"),
        ({"kind": "commented", "comment": "\ud800"}, "half of a surrogate"),
        ({"kind": "commented", "comment": "x" * 10_001}, "too long"),
        ({"kind": "marked", "mark_id": "a", "mark": {"start": 0, "end": 1, "severity": "minor", "x": 1}}, "unknown"),
        ({"kind": "marked", "mark_id": "a", "mark": {"start": 0.5, "end": 1, "severity": "minor"}}, "no offset"),
        ({"kind": "marked", "mark_id": "a", "mark": {"start": True, "end": 1, "severity": "minor"}}, "no offset"),
        ({"kind": "marked", "mark_id": "a", "mark": {"start": 0, "end": 1, "side": "both"}}, "side is unknown"),
        ({"kind": "marked", "mark_id": "a"}, "mark is no JSON object"),
    ],
)
def test_what_no_pen_sends_is_refused(said, words):
    with pytest.raises(InputError, match=words):
        from_json(said)


def done(*bodies):
    """Events of windows: (window, base, body) each."""
    return [Event(n, "i", "ann", body, base, window) for n, (window, base, body) in enumerate(bodies, start=1)]


ONE, TWO, THREE = (Mark(place, place + 1, "minor") for place in range(3))


def test_events_come_to_a_state():
    state = folded(
        done(
            ("w", 0, Marked("a", ONE)),
            ("w", 1, Marked("b", TWO)),
            ("w", 2, Changed("a", THREE)),
            ("w", 3, Removed("b")),
            ("w", 4, Scored(70)),
            ("w", 5, Commented("odd")),
            ("w", 6, Finished(12.5)),
            ("w", 7, Reopened()),
            ("w", 8, Finished(2.5)),
        )
    )
    assert dict(state.marks) == {"a": THREE}
    assert (state.score, state.comment, state.is_finished, state.seconds, state.revision) == (70, "odd", True, 15.0, 9)
    assert state.conflicts == ()


def test_a_window_that_sends_several_before_an_answer_is_not_in_conflict_with_itself():
    assert folded(done(("w", 0, Marked("a", ONE)), ("w", 0, Marked("b", TWO)), ("w", 0, Scored(1)))).conflicts == ()


def test_two_windows_with_the_same_base_keep_both_marks_and_the_state_says_so():
    state = folded(done(("v", 0, Marked("a", ONE)), ("w", 0, Marked("b", TWO))))
    assert dict(state.marks) == {"a": ONE, "b": TWO}
    (conflict,) = state.conflicts
    assert (conflict.about, conflict.mark_ids, conflict.number, conflict.unseen) == ("marks", ("a", "b"), 2, (1,))
    assert state_to_json(state)["conflicts"][0]["mark_ids"] == ["a", "b"]


def test_two_changes_of_one_mark_are_both_kept():
    state = folded(done(("v", 0, Marked("a", ONE)), ("v", 1, Changed("a", TWO)), ("w", 1, Changed("a", THREE))))
    assert dict(state.marks) == {"a": THREE, "a~2": TWO}
    assert state.conflicts[0].mark_ids == ("a", "a~2")


@pytest.mark.parametrize("first", [Removed("a"), Changed("a", TWO)])
def test_a_mark_that_one_window_changed_and_another_removed_stays(first):
    other = Removed("a") if isinstance(first, Changed) else Changed("a", TWO)
    state = folded(done(("v", 0, Marked("a", ONE)), ("v", 1, first), ("w", 1, other)))
    assert dict(state.marks) == {"a": TWO}
    assert state.conflicts[0].about == "mark"


def test_of_two_scores_the_later_holds_and_both_comments_stay():
    state = folded(done(("v", 0, Scored(10)), ("w", 0, Scored(20)), ("v", 1, Commented("x")), ("w", 2, Commented("y"))))
    assert (state.score, state.comment) == (20, "x\ny")
    assert [one.about for one in state.conflicts] == ["score", "comment"]


def test_whoever_finishes_after_having_seen_a_conflict_has_settled_it():
    both = (("v", 0, Marked("a", ONE)), ("w", 0, Marked("b", TWO)))
    assert folded(done(*both, ("v", 1, Finished(1)))).conflicts
    assert not folded(done(*both, ("v", 2, Finished(1)))).conflicts
    assert not folded(done(*both, ("v", 2, Removed("b")))).conflicts


@given(st.lists(st.tuples(st.sampled_from(["v", "w", ""]), st.integers(0, 12), BODIES), max_size=12))
def test_no_mark_is_lost_unless_somebody_who_saw_it_removed_it(parts):
    events = done(*((window, min(base, n), body) for n, (window, base, body) in enumerate(parts)))
    state = folded(events)
    for event in events:
        if not isinstance(event.body, Marked | Changed):
            continue
        seen = [
            one
            for one in events[event.number :]
            if not isinstance(one.body, Scored | Commented | Finished | Reopened)
            and one.body.mark_id == event.body.mark_id
            and (one.base >= event.number or (one.window and one.window == event.window))
        ]
        if not seen:
            assert event.body.mark in state.marks.values()


@pytest.mark.parametrize("client", ["", "a b", "x" * 65, "a.b", "a.1.2", "ä.1", "a.\n1"])
def test_an_id_that_is_no_window_and_number_is_refused(client):
    with pytest.raises(InputError, match="id of an event"):
        window_of(client)


def test_the_window_stands_before_the_full_stop():
    assert window_of("3f2a-91.7") == "3f2a-91"
    assert window_of("3f2a-91") == ""


OURS = b"""
name: ours
severities:
  minor: 1
  major: 5
categories:
  t: terminology
  a:
    accuracy: [omission, addition]
slider: yes
weights:
  minor/terminology: 0.5
"""


def test_a_scheme_of_ones_own_is_read_from_yaml():
    scheme = scheme_from_yaml(OURS, "ours.yaml")
    assert scheme.severities == (Severity("minor", 1.0), Severity("major", 5.0))
    assert scheme.categories == (Category("t", "terminology"), Category("a", "accuracy", ("omission", "addition")))
    assert scheme.has_slider
    assert scheme.weights.penalty("minor", "terminology") == 0.5
    assert scheme.weights.penalty("major", "terminology") == 5


@pytest.mark.parametrize("scheme", [MQM, ESA, scheme_from_yaml(OURS, "ours.yaml")], ids=lambda one: one.name)
def test_a_scheme_is_the_same_after_json(scheme):
    assert scheme_from_json(json.loads(json.dumps(scheme_to_json(scheme)))) == scheme
    keys = [category.key for category in scheme.categories]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("cmz")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "the file is empty"),
        (b"# nothing", "the scheme is empty"),
        (b"- a", r"ours.yaml, line 1: the scheme is no mapping"),
        (b"name: x", "no severities"),
        (b"severities: {minor: 1}", "no name"),
        (b"name: x\nseverities: {minor: 1}\nkinds: 1", r"line 3: this is no part of a scheme \(found 'kinds'"),
        (b"name: x\nseverities:\n  minor: -1", r"line 3: the weight is not accepted \(found '-1'"),
        (b"name: x\nseverities:\n  minor: nan", "weight is not accepted"),
        (b"name: x\nseverities: {}", "there is no severity"),
        (b"name: x\nname: y\nseverities: {minor: 1}", "line 2: a name is there twice"),
        (b"name: x\nseverities: {minor: 1}\ncategories:\n  m: missing", r"line 4: the key is not accepted"),
        (b"name: x\nseverities: {minor: 1}\ncategories:\n  ab: c", "key is not accepted"),
        (b"name: x\nseverities: {minor: 1}\ncategories:\n  a: [b]", "category is no mapping"),
        (b"name: x\nseverities: {minor: 1}\ncategories:\n  a: {b: c}", "category cannot be read"),
        (b"name: x\nseverities: {minor: 1}\nslider: perhaps", "slider is not accepted"),
        (b"name: &a x\nseverities: {minor: 1}", "repeats a part of itself"),
        (b"name: [", "this is no YAML"),
        (b"name: " + b"[" * 50 + b"]" * 50, "too deep"),
        (b"name: x\nseverities: {minor: 1}" + b"\n# " + b"x" * 100_000, "too large"),
        (b"name: !!python/object/apply:os.system [x]\nseverities: {minor: 1}", "name is no text"),
    ],
)
def test_a_file_that_is_no_scheme_is_refused_with_its_line(text, words):
    with pytest.raises(InputError, match=words):
        scheme_from_yaml(text, "ours.yaml")


N_SEGMENTS, N_DOCUMENTS = 40, 8


@pytest.fixture(scope="module")
def test_set():
    systems = [
        System(f"system-{name}", [f"{name} says the sentence {n} aloud" for n in range(N_SEGMENTS)]) for name in "ABC"
    ]
    texts = [f"reference {n}" for n in range(N_SEGMENTS)]
    documents = [f"doc {n * N_DOCUMENTS // N_SEGMENTS}" for n in range(N_SEGMENTS)]
    return TestSet(systems, [texts], source=[f"source {n}" for n in range(N_SEGMENTS)], documents=documents)


def test_each_output_is_assigned_and_the_overlap_is_what_was_asked_for(test_set):
    task = planned(test_set, None, ["ann", "bob", "cem"], scheme=ESA, overlap=0.25, seed=5)
    assert {(item.system, item.segment) for item in task.items} == {
        (name, n) for name in test_set.system_names for n in range(N_SEGMENTS)
    }
    times = [sum(item.id in of for of in task.assigned.values()) for item in task.items]
    assert set(times) == {1, 2}
    assert sum(time == 2 for time in times) / len(times) == pytest.approx(0.25)
    sizes = [len(of) for of in task.assigned.values()]
    assert max(sizes) - min(sizes) <= 3 * N_SEGMENTS // N_DOCUMENTS


def test_items_of_a_document_and_system_stay_together_in_order_and_orders_differ(test_set):
    task = planned(test_set, None, ["ann", "bob"], scheme=ESA, overlap=1, seed=5)
    orders = []
    for annotator in task.annotators:
        items = task.items_of(annotator)
        runs = [(item.document, item.system) for item in items]
        changes = [run for run, before in zip(runs, [None, *runs], strict=False) if run != before]
        assert len(changes) == len(set(changes)) == 3 * N_DOCUMENTS
        for document, system in changes:
            segments = [item.segment for item in items if (item.document, item.system) == (document, system)]
            assert segments == sorted(segments)
        orders.append(changes)
    assert orders[0] != orders[1]
    assert len({tuple(system for of, system in orders[0] if of == document) for document, _ in orders[0]}) > 1


def test_nothing_that_a_browser_gets_names_a_system_a_segment_or_a_document(test_set):
    task = planned(test_set, None, ["ann"], scheme=ESA, attention=3)
    for item in task.items:
        got = shown_item(task, item)
        text = json.dumps({key: value for key, value in got.items() if key not in ("text", "source", "reference")})
        assert "system" not in text
        assert "doc" not in text
        assert set(got) == {"item", "text", "source", "reference", "clusters"}
    assert shown_item(task, task.items[0])["reference"] is None
    in_order = [item.system for item in sorted(task.items, key=lambda item: item.id)]
    assert len({tuple(in_order[n : n + 3]) for n in range(0, 60, 3)}) > 1


def test_attention_checks_are_hidden_among_each_annotators_items(test_set):
    task = planned(test_set, None, ["ann", "bob"], scheme=ESA, attention=3, overlap=0)
    for annotator in task.annotators:
        planted = [item for item in task.items_of(annotator) if item.planted]
        assert len(planted) == 3
        for item in planted:
            original = next(one for one in test_set.systems if one.name == item.system).hypotheses[item.segment]
            start, end = item.planted
            assert item.text[:start] == original[:start]
            assert item.text != original
            assert end > start
    assert set(task.systems) == set(test_set.system_names)


def test_the_same_seed_gives_the_same_task_and_another_one_another(test_set):
    one, same, other = (planned(test_set, None, ["a", "b"], scheme=MQM, seed=seed) for seed in (1, 1, 2))
    assert task_to_json(one) == task_to_json(same) != task_to_json(other)


def test_a_sample_gives_its_segments_with_their_weights(test_set):
    sample = draw_documents(test_set.documents, 12, seed=3)
    task = planned(test_set, sample, ["ann"], scheme=MQM, systems=["system-A", "system-C"])
    assert {item.segment for item in task.items} == set(sample.segments.tolist())
    assert {item.system for item in task.items} == {"system-A", "system-C"}
    for item in task.items:
        assert item.draw.weight == pytest.approx(sample.weights[item.segment])
        assert item.draw.unit == item.document


def test_a_task_is_the_same_after_json(test_set):
    sample = draw_documents(test_set.documents, 12, seed=3)
    task = planned(test_set, sample, ["ann", "bö b"], scheme=MQM, attention=2)
    assert task_from_json(task_to_json(task)) == task


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"items": 5}', b"[" * 9999])
def test_a_file_that_is_no_task_is_refused(data):
    with pytest.raises(InputError, match="no task of annotation"):
        task_from_json(data)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"annotators": []}, "annotators cannot be used"),
        ({"annotators": ["a", " a "]}, "'a' twice"),
        ({"annotators": ["a\x00"]}, "name of the annotator"),
        ({"annotators": ["a" * 101]}, "1 to 100 characters"),
        ({"systems": ["nobody"]}, "no system of this name"),
        ({"systems": []}, "nothing to annotate"),
        ({"overlap": 1.5}, "share of overlap"),
        ({"attention": -1}, "attention checks"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(test_set, changes, words):
    asked = {"annotators": ["a"], "scheme": ESA} | changes
    with pytest.raises(InputError, match=words):
        planned(test_set, None, asked.pop("annotators"), **asked)
