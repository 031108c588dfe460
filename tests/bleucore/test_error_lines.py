"""Where something is wrong: every reader names the line, or the item, that it stands in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats.campaign_manifest import read_manifest
from bleucore.judgements import comet_json, mqm_tsv, one_per_line, wmt_jsonl

WMT = {"langs": "en-de", "system": "a", "tgt": "x", "esa_score": 50, "src": "y", "line_id": 3}
MQM = ["system", "seg_id", "rater", "source", "target", "category", "severity"]


def wmt(n_lines, wrong):
    """Judgements of WMT, in lines; one of them lacks its system."""
    records = [{**WMT, "line_id": row} for row in range(n_lines)]
    del records[wrong]["system"]
    return "".join(json.dumps(record) + "\n" for record in records), "line"


def comet(n_lines, wrong):
    """Output of comet-score: items of a list; one of them lacks its translation."""
    segments = [{"mt": "x", "src": "y", "COMET": 0.5} for _ in range(n_lines)]
    del segments[wrong]["mt"]
    return json.dumps({"a.txt": segments}), "item"


def mqm(n_lines, wrong):
    """A table whose first line is the header; one row is too short."""
    rows = [["a", str(row + 1), "r", "y", "x", "No-error", "No-error"] for row in range(n_lines)]
    rows[wrong] = rows[wrong][:3]
    return "".join("\t".join(row) + "\n" for row in [MQM, *rows]), "row"


def scores(n_lines, wrong):
    """One score a line; one is a word."""
    written = ["0.5"] * n_lines
    written[wrong] = "half"
    return "".join(f"{line}\n" for line in written), "line"


def manifest(n_lines, wrong):
    """A manifest in YAML; one line of it is none."""
    lines = [f"key{row}: value" for row in range(n_lines)]
    lines[wrong] = "broken: [}"
    return "".join(f"{line}\n" for line in lines), "line"


READERS = {
    "WMT in JSON Lines": (wmt_jsonl.read, wmt),
    "comet-score": (comet_json.read, comet),
    "MQM": (mqm_tsv.read, mqm),
    "one score a line": (one_per_line.read, scores),
    "a manifest": (lambda _, text: read_manifest("sets.yaml", text.encode()), manifest),
}


@pytest.mark.parametrize("name", READERS)
@given(n_lines=st.integers(1, 6), data=st.data())
def test_the_line_that_is_wrong_is_named(name, n_lines, data):
    read, make = READERS[name]
    wrong = data.draw(st.integers(0, n_lines - 1))
    text, kind = make(n_lines, wrong)
    with pytest.raises(InputError) as raised:
        read("file.x", text)
    if kind == "item":
        assert raised.value.line is None
        assert f"item {wrong + 1}," in str(raised.value)
    else:
        assert raised.value.line == wrong + 1 + (kind == "row")


def test_rows_of_judgements_say_which_line_they_are_of():
    for read, line in ((wmt_jsonl.read, json.dumps(WMT)),):
        (found,) = read("file.x", f"{line}\n" * 3)
        assert [row.line for row in found.rows] == [1, 2, 3]
    (found,) = one_per_line.read("file.x", "1\n2\n3\n")
    assert [row.line for row in found.rows] == [1, 2, 3]
    (found,) = comet_json.read("file.x", json.dumps({"a.txt": [{"mt": "x", "COMET": 0.5}] * 3}))
    assert [row.line for row in found.rows] == [1, 2, 3]
