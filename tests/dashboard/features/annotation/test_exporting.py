"""Tables of annotations hold every text and place, whatever a spreadsheet makes of them."""

import io
import zipfile

import pytest

from bleucore.annotation.events import ItemState
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.judgements import reading
from bleucore.sampling.design import draw_segments
from bleuscope.features.annotation.exporting import download, exported, forms_of, table_file
from bleuscope.features.annotation.outcome import Outcome

HOSTILE = [
    "=1+1",
    "-2",
    "@x",
    'a "quoted" text',
    "two\nlines",
    "a\ttab",
    "👨‍👩‍👧‍👦 🇩🇪 e\u0301",
    "كِتَابٌ",
    "<script>alert(1)</script>",
    "1,5;2",
    " edges ",
]


@pytest.fixture(params=[ESA, MQM], ids=lambda one: one.name)
def found(request):
    texts = TestSet([System("=S", HOSTILE)], [HOSTILE], source=HOSTILE[::-1], documents=["d"] * len(HOSTILE))
    draw = draw_segments([1.0] * len(HOSTILE), len(HOSTILE) - 2, seed=1)
    task = planned(texts, draw, ["=ann"], scheme=request.param, name="=task/..")
    states = {}
    for item in task.items:
        end = len(item.text)
        marks = {
            "a": Mark(0, end, "major", "=category", comment="=comment"),
            "b": Mark(end, end, "minor", side="missing"),
            "c": Mark(0, 0, "minor", side="missing"),
            "d": Mark(0, len(item.source), "minor", side="source"),
        }
        score = float(item.segment) if request.param.has_slider else None
        states[item.id, "=ann"] = ItemState(marks, score, "=remark", True)
    return texts, Outcome(task, states)


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_every_text_mark_weight_and_score_is_read_again(found, form):
    texts, outcome = found
    name, content = next(iter(exported(outcome, "xlsx").items())) if form == "xlsx" else table_file(outcome)
    assert "/" not in name
    (judgements,) = reading.aligned_judgements(reading.read(name, content), texts)
    by_segment = {row.number: row for row in judgements.rows}
    for item in outcome.task.items:
        row = by_segment[item.segment]
        assert (row.system, row.rater, row.target, row.source) == ("=S", "=ann", item.text, item.source)
        assert row.value == (float(item.segment) if outcome.task.scheme.has_slider else None)
        assert row.draw.weight == pytest.approx(item.draw.weight)
        places = [(span.start, span.end, span.side, span.severity) for span in row.spans]
        end = len(item.text)
        expected = [(0, end, "target", "major"), (-1, -1, "target", "minor"), (0, 0, "target", "minor")]
        assert places == [*expected, (0, len(item.source), "source", "minor")]
        assert row.spans[0].comment == "=comment"


def test_a_table_that_cannot_hold_a_text_says_which(found):
    _, outcome = found
    for make in (exported, download):
        with pytest.raises(InputError, match="the table cannot hold this"):
            make(outcome, "marot")
    assert ("esa" in forms_of(outcome)) == outcome.task.scheme.has_slider


def test_several_files_are_one_archive_with_the_same_bytes_each_time():
    texts = TestSet([System("S", ["one", "two"])], [["one", "two"]])
    task = planned(texts, None, ["ann"], scheme=MQM)
    outcome = Outcome(task, {(item.id, "ann"): ItemState({}, None, "", True) for item in task.items})
    name, make = download(outcome, "mtme")
    with zipfile.ZipFile(io.BytesIO(make())) as archive:
        inside = {one: archive.read(one) for one in archive.namelist()}
    assert (name, inside) == ("Annotation.zip", exported(outcome, "mtme"))
    assert make() == make()
    assert download(outcome, "xlsx")[1]().startswith(b"PK")
