"""Shapes with several answers to an item: whose they are, which are runs, and what is said of files left out."""

import json

import pytest

from bleucore import InputError
from bleucore.formats import read
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import notices_of, read_inputs
from tests.dashboard.file_shapes import beside, oddities
from tests.dashboard.file_shapes.model_logs import helm
from tests.dashboard.file_shapes.tables import CELLS
from tests.dashboard.file_shapes.texts import REFERENCE, SOURCE, SYSTEMS, A, N, plain, rows_of, table, whole
from tests.dashboard.test_shape_battery import opened


def row_of_promptfoo(provider, test, text, run):
    item = test % N
    return {
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": f"Translate {SOURCE[item]}", "label": "Translate {{text}}"},
        "vars": {"text": SOURCE[item], "expected": REFERENCE[item]},
        "response": {"output": text if run == 0 else f"{text} again"},
        "testIdx": test,
        "testCase": {"assert": [{"type": "similar", "value": REFERENCE[item]}]},
    }


def repeated(times, providers=SYSTEMS):
    return [
        row_of_promptfoo(name, run * N + item, texts[item], run)
        for run in range(times)
        for item in range(N)
        for name, texts in providers.items()
    ]


def document(rows):
    return {"results.json": whole({"results": {"version": 3, "results": rows}})}


def systems(files, folder):
    """The names of outputs by the system whose runs they are."""
    found = opened(files, folder)
    columns = {column.name: column.system for column in read_inputs(Inputs((str(folder),)))}
    return {one.name: columns[one.name] for one in found.systems}


def test_repetitions_of_promptfoo_are_runs(tmp_path):
    assert systems(document(repeated(2)), tmp_path) == {
        "a, run 1": "a",
        "a, run 2": "a",
        "b, run 1": "b",
        "b, run 2": "b",
    }


def test_repetitions_of_one_provider_are_its_runs_and_the_provider_is_no_output(tmp_path):
    assert systems(document(repeated(3, {"a": A})), tmp_path) == {f"a, run {run}": "a" for run in (1, 2, 3)}


def test_rows_of_promptfoo_can_be_lines(tmp_path):
    assert len(systems({"r.jsonl": rows_of(repeated(2))}, tmp_path)) == 4


def test_a_text_that_is_twice_among_the_tests_of_promptfoo_is_two_segments(tmp_path):
    rows = repeated(1)
    for row in rows:
        if row["testIdx"] == 1:
            row["vars"] = rows[0]["vars"]
    assert [len(one.hypotheses) for one in opened(document(rows), tmp_path).systems] == [N, N]


def test_a_test_of_promptfoo_without_one_of_its_answers_is_refused_with_its_number(tmp_path):
    with pytest.raises(InputError, match=r"another number of answers .*1 for test 24, expected 2"):
        opened(document(repeated(2)[:-1]), tmp_path)


def test_references_of_promptfoo_can_be_what_it_asserts(tmp_path):
    rows = [{**row, "vars": {"text": row["vars"]["text"]}} for row in repeated(1)]
    assert list(opened(document(rows), tmp_path).references[0]) == REFERENCE


def test_an_output_of_promptfoo_that_is_an_object_of_several_texts_is_refused_with_their_names(tmp_path):
    rows = repeated(1)
    rows[3]["response"] = {"output": {"note": "x", "remark": "y"}}
    with pytest.raises(InputError, match=r"object without one text .found 'note', 'remark'"):
        opened(document(rows), tmp_path)


def test_completions_of_helm_are_runs(tmp_path):
    found = json.loads(helm(A, ""))
    for one in found["request_states"]:
        one["result"]["completions"].append({"text": "another one"})
    assert set(systems({"m/scenario_state.json": whole(found)}, tmp_path).values()) == {"scenario_state"}


def test_runs_over_a_data_set_of_langfuse_are_systems(tmp_path):
    assert systems(oddities.SHAPES["runs of Langfuse"], tmp_path) == {"gpt-a": None, "gpt-b": None}


def test_runs_of_langfuse_without_outputs_are_refused_with_a_trace(tmp_path):
    run = oddities.nested_run("a", A)
    for one in run["datasetRunItems"]:
        del one["trace"]
    with pytest.raises(InputError, match=r"without outputs .found trace 't0'"):
        opened({"a.json": whole(run), "ref.txt": plain(REFERENCE)}, tmp_path)


def test_predictions_keep_the_names_of_their_models(tmp_path):
    assert set(systems(oddities.SHAPES["predictions of several models"], tmp_path)) == {"mt5", "byt5"}


def test_rows_of_a_wide_table_that_all_come_again_are_runs(tmp_path):
    again = [[SOURCE[row], REFERENCE[row], f"{A[row]} again", f"{SYSTEMS['b'][row]} again"] for row in range(N)]
    files = {"t.csv": table([["text", "expected", "[a] T", "[b] T"], *CELLS, *again])}
    assert set(systems(files, tmp_path).values()) == {"[a] T", "[b] T"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "a pointer of Git LFS"),
        (b"404: Not Found", "a server says that has no such file"),
    ],
)
def test_what_stands_for_a_file_that_is_not_there_is_refused_by_its_name(data, said):
    with pytest.raises(InputError, match=said):
        read("a.txt", data)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (beside.SHAPES["tokenized copies"], "a.tok.txt: a tokenized copy"),
        (beside.SHAPES["copies in subwords"], "a.bpe: a subword copy"),
        (beside.SHAPES["nohup.out with prose"], "nohup.out is left out: a log"),
        (beside.SHAPES["JoeyNMT"], "2000.hyps: validation data with 40 lines"),
        (beside.SHAPES["OmegaT"], "glossary.txt is left out: a part of a project of OmegaT"),
        (oddities.SHAPES["XML of another program"], "set.de-en.xml is left out: this is not XML of a known format"),
        (oddities.SHAPES["empty lines at the end"], "ref.txt: 2 lines behind the texts left out"),
        (oddities.SHAPES["reasoning on the line"], "a.txt: 24 spans of reasoning"),
    ],
)
def test_what_is_left_out_is_named_with_the_reason(shape, said, tmp_path):
    opened(shape, tmp_path)
    columns = read_inputs(Inputs((str(tmp_path),)))
    reasons = [f"{column.file}: {column.left_out}" for column in columns if column.left_out]
    name, _, reason = said.partition(": ")
    assert any(name in one and reason in one for one in (*notices_of(columns), *reasons))


def test_a_gap_between_the_ids_of_parts_is_named(tmp_path):
    lines = oddities.one_in_turn(A, 0).decode().splitlines()
    files = {"gen.shard0.log": plain(lines[:16]), "gen.shard2.log": plain(lines[16:])}
    with pytest.raises(InputError, match=r"a part of a text is missing .found no segment numbered 1"):
        opened(files, tmp_path)


def test_a_link_to_another_file_of_the_folder_is_no_system(tmp_path):
    opened(beside.PLAIN, tmp_path)
    (tmp_path / "best.txt").symlink_to("a.txt")
    columns = read_inputs(Inputs((str(tmp_path),)))
    assert [column.name for column in columns if column.role == "hypothesis"] == ["a", "b"]
    assert any("best.txt is left out: a link to a.txt" in said for said in notices_of(columns))


def test_the_best_of_scored_lists_is_kept():
    (_, column) = read("a.jsonl", beside.sockeye(A, has_best=False))
    assert column.segments == tuple(A)
    assert "the best of each segment is kept, and 24 others are left out" in column.notices[-1]
