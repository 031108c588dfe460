"""JSON and JSON Lines: what becomes a column, and what is refused."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats import assemble, guess_roles, read
from bleucore.formats import columns as limits
from bleucore.formats.json_values import looks_like_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
RECORDS = [
    {"id": 7, "source": "eins", "reference": "one", "hypothesis": "a one"},
    {"id": 8, "source": "zwei", "reference": "two", "hypothesis": "a two"},
]


def lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def columns(data, name="t.jsonl"):
    data = data if isinstance(data, str) else lines(data) if isinstance(data, list) else json.dumps(data)
    return {(column.name, column.role): column.segments for column in read(name, data.encode())}


def refusal(data, name="t.jsonl"):
    with pytest.raises(InputError) as caught:
        read(name, data.encode() if isinstance(data, str) else data)
    return str(caught.value)


EXPECTED = {
    ("id", None): ("7", "8"),
    ("source", "source"): ("eins", "zwei"),
    ("reference", "reference"): ("one", "two"),
    ("t", "hypothesis"): ("a one", "a two"),
}


class TestForms:
    @pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.ndjson", "t.txt", "t"])
    @pytest.mark.parametrize(
        "text",
        [
            lines(RECORDS),
            lines(RECORDS).rstrip(),
            lines(RECORDS).replace("\n", "\r\n"),
            json.dumps(RECORDS),
            json.dumps(RECORDS, indent=2),
            json.dumps({"version": 1, "data": RECORDS}),
            json.dumps({name: [record[name] for record in RECORDS] for name in RECORDS[0]}),
            json.dumps({name: {str(i): record[name] for i, record in enumerate(RECORDS)} for name in RECORDS[0]}),
        ],
    )
    def test_of_the_same_records_give_the_same_columns_whatever_the_ending(self, text, name):
        assert columns(text, name) == EXPECTED

    @pytest.mark.parametrize(("label", "n_segments"), [("id", 2), ("doc_id", 4)])
    def test_lists_of_one_length_are_of_documents_where_those_are_named(self, label, n_segments):
        items = [{label: name, "targets": ["r", "s"], "predictions": ["a", "b"]} for name in ("one", "two")]
        assert {len(texts) for texts in columns(items).values()} == {n_segments}

    def test_are_read_compressed(self):
        (column, *_) = read("t.json.gz", gzip.compress(json.dumps(RECORDS).encode()))
        assert column.segments == ("7", "8")

    def test_columns_are_cells_and_become_a_test_set(self):
        found = read("online-A.jsonl", lines(RECORDS).encode())
        assert all(column.is_cell for column in found)
        test_set = assemble(guess_roles(found))
        assert test_set.system_names == ("online-A",)
        assert test_set.references == (("one", "two"),)
        assert test_set.source == ("eins", "zwei")

    @pytest.mark.parametrize("text", ['["one", "two"]', '[\n "one",\n "two"\n]', '"one"\n"two"\n'])
    def test_an_array_of_texts_is_a_plain_text(self, text):
        (column,) = read("online-A.json", text.encode())
        assert (column.name, column.role, column.segments, column.is_cell) == ("online-A", None, ("one", "two"), False)

    @pytest.mark.parametrize("references", [["r1", "r2"], [["r1"], ["r2"]], [["r1", "r2"]]])
    def test_predictions_with_references_flat_by_segment_or_by_reference(self, references):
        assert columns({"predictions": ["a", "b"], "references": references}) == {
            ("t", "hypothesis"): ("a", "b"),
            ("references", "reference"): ("r1", "r2"),
        }

    def test_several_references_a_segment_become_columns_with_gaps(self):
        assert columns({"predictions": ["a", "b"], "references": [["r1", "q1"], ["r2"]]}) == {
            ("t", "hypothesis"): ("a", "b"),
            ("references 1", "reference"): ("r1", "r2"),
            ("references 2", "reference"): ("q1", None),
        }

    def test_lists_of_references_in_records(self):
        assert columns([{"mt": "a", "refs": ["r", "q"]}, {"mt": "b", "refs": "s"}]) == {
            ("t", "hypothesis"): ("a", "b"),
            ("refs 1", "reference"): ("r", "s"),
            ("refs 2", "reference"): ("q", None),
        }

    def test_one_record_alone(self):
        assert columns({"hypothesis": "a", "references": ["r", "q"]}) == {
            ("t", "hypothesis"): ("a",),
            ("references 1", "reference"): ("r",),
            ("references 2", "reference"): ("q",),
        }

    def test_nested_objects_are_named_by_their_last_part_unless_two_are_alike(self):
        assert columns([{"translation": {"en": "a", "de": "b"}}]) == {("en", None): ("a",), ("de", None): ("b",)}
        assert set(columns([{"x": {"en": "a"}, "y": {"en": "b"}}])) == {("x.en", None), ("y.en", None)}

    def test_samples_of_lm_evaluation_harness(self):
        samples = [
            {
                "doc_id": number,
                "doc": {"source": f"s{number}", "target_lang": "en"},
                "target": f"r{number}",
                "arguments": [["prompt", {}]],
                "resps": [[f" h{number}"]],
                "filtered_resps": [f"h{number}"],
                "bleu": [["x", "y"]],
            }
            for number in (1, 0)
        ]
        found = read("samples_wmt_2024.jsonl", lines(samples).encode())
        assert {column.role: column.segments for column in found} == {
            "hypothesis": ("h0", "h1"),
            "reference": ("r0", "r1"),
            "source": ("s0", "s1"),
        }
        assert found[0].notices == ('samples_wmt_2024.jsonl: the samples were put into the order of their "doc_id".',)

    def test_a_reference_that_several_files_repeat_is_one(self):
        files = ("online-A.jsonl", "online-B.jsonl")
        found = guess_roles([column for name in files for column in read(name, lines(RECORDS).encode())])
        test_set = assemble(found)
        assert test_set.system_names == ("online-A", "online-B")
        assert test_set.references == (("one", "two"),)


class TestValues:
    def test_numbers_stay_as_they_are_written(self):
        text = '{"mt": "a", "x": 1.50, "y": -0, "z": 1e400, "w": NaN, "v": ' + "9" * 5_000 + "}"
        found = columns(text)
        assert [found[name, None] for name in "xyzw"] == [("1.50",), ("-0",), ("1e400",), ("NaN",)]
        assert found["v", None] == ("9" * 5_000,)

    def test_line_ends_within_a_text_stay(self):
        assert columns([{"mt": "a\nb\r\n"}]) == {("t", "hypothesis"): ("a\nb\r\n",)}

    def test_what_is_no_text_is_left_out_with_a_notice(self):
        found = read("t.jsonl", b'{"mt": "a", "spans": [{"x": 1}], "n": ["a", "b"], "note": null}\n')
        assert [column.name for column in found] == ["t"]
        assert found[0].notices == ("t.jsonl: 'spans', 'n', 'note' left out: no text in every object.",)

    def test_a_usual_name_within_an_object_that_few_records_have_is_no_text(self):
        records = [
            {"en": "a word", "de": "ein Wort", "terms": {"input": "Eingabe"}},
            {"en": "b", "de": "c", "terms": {}},
        ]
        assert columns(records) == {("en", None): ("a word", "b"), ("de", None): ("ein Wort", "c")}

    def test_a_source_that_is_the_same_everywhere_is_a_setting(self):
        records = [{"prompt_id": "83fa74fa-6e27-4f5b", "pred": word} for word in ("one", "two", "three")]
        assert columns(records)["prompt_id", "ignore"] == ("83fa74fa-6e27-4f5b",) * 3

    def test_a_name_of_a_language_is_no_reference(self):
        records = [{"source": "de", "target": "en", "src": f"s{n}", "ref": f"r{n}", "mt": f"m{n}"} for n in range(3)]
        roles = dict(columns(records).keys())
        assert roles["source"] == roles["target"] == "ignore"

    def test_blank_lines_between_are_passed_over_with_a_notice(self):
        found = read("t.jsonl", b'{"mt": "a"}\n\n{"mt": "b"}\n\n')
        assert found[0].segments == ("a", "b")
        assert found[0].notices == ("t.jsonl: 1 blank lines between the objects were passed over.",)

    @given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=8), st.booleans(), st.booleans())
    def test_what_is_written_is_read_back(self, rows, as_lines, is_ascii):
        records = [dict(zip(("source", "online-A", "ref"), row, strict=True)) for row in rows]
        text = (
            "\n".join(json.dumps(record, ensure_ascii=is_ascii) for record in records)
            if as_lines
            else json.dumps(records, ensure_ascii=is_ascii)
        )
        found = {column.name: column.segments for column in read("t.json", text.encode())}
        for index, name in enumerate(("source", "online-A", "ref")):
            assert found[name] == tuple(row[index] for row in rows)


class TestRecognition:
    @pytest.mark.parametrize(
        "text",
        [
            "{placeholder} is a text\nanother\n",
            "[Music]\nHello\n",
            "[1] see there\n",
            '["Hello" she said.\n',
            '{"a": is how it begins\nthen words\nand words\n',
            '"one"\n"two"\n',
            "{\n",
            "[\n]\n",
            "1\n2\n",
        ],
    )
    def test_texts_that_begin_with_a_bracket_are_texts(self, text):
        assert not looks_like_json(text)
        assert read("t.txt", text.encode())[0].segments == tuple(text.removesuffix("\n").split("\n"))

    @pytest.mark.parametrize(
        "text",
        [
            '{"mt": "a"}\n{"mt": "b"\n',
            '{"predictions": ["a", "b',
            '[{"mt": "a"}, {"mt": "b"',
            '["a", "b", "c',
            '{\n  "mt": "a",\n  "ref": \n',
        ],
    )
    def test_broken_json_is_no_text_whatever_its_ending(self, text):
        assert "the JSON is broken" in refusal(text, "t.txt")

    def test_a_broken_line_is_named(self):
        assert refusal(lines(RECORDS) + '{"id": }\n').startswith(
            "t.jsonl, line 3: the JSON is broken (found something else at position 8: expecting value, expected"
        )


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("not json", "the JSON is broken"),
            ("[]", "the JSON holds no texts that can be read (found nothing"),
            ("{}", "the JSON holds no texts that can be read (found objects without names"),
            ("5", "the JSON holds no texts that can be read (found a number"),
            ("[1, 2]", "t.jsonl, item 1: the JSON holds no texts"),
            ('[{"mt": "a"}, "b"]', "t.jsonl, item 2: the JSON holds no texts that can be read (found a text"),
            ('{"mt": "a"}\n[]\n', "t.jsonl, line 2: the JSON holds no texts that can be read (found an array"),
            ('{"mt": "a"}\n{"x": "b"}\n', "t.jsonl, line 2: a text is missing (found no text under 'mt'"),
            ('{"mt": "a"}\n{"mt": null}\n', "t.jsonl, line 2: a text is missing (found no text under 'mt'"),
            ('{"mt": "a", "mt": "b"}', "an object has the same name twice (found 'mt'"),
            (
                '{"predictions": ["a", "b"], "references": ["a"]}',
                "'references': the lists differ in length (found 1 items",
            ),
            ('{"doc": {}, "resps": [[[-1.5, false]]]}', "the sample holds no generated text (found a number"),
            (
                '{"doc": {}, "resps": ["a"], "filter": "x"}\n{"doc": {}, "resps": ["a"], "filter": "y"}',
                "the samples come from several filters (found 'x', 'y'",
            ),
            ('{"spans": [[[1]]]}', "the JSON holds no texts that can be read (found 'spans'"),
        ],
    )
    def test_each_is_named(self, text, message):
        assert message in refusal(text)

    @pytest.mark.parametrize(
        "text",
        [
            "[" * 1_000_000,
            '{"a":' * 1_000_000,
            "[" * 100_000 + "]" * 100_000,
            '{"mt": "a"}\n' + '{"a":' * 200_000 + "1" + "}" * 200_000,
            '["' + "x" * 2_000_000,
            "\n".join(f'{{"k{number}": "a"}}' for number in range(3_000)),
        ],
        ids=["open", "open objects", "deep", "deep line", "unterminated", "new names a line"],
    )
    @pytest.mark.parametrize("name", ["t.json", "t.txt"])
    @pytest.mark.thorough
    def test_hostile_files_are_refused_quickly(self, text, name, without_hanging):
        with without_hanging():
            assert len(refusal(text, name)) < 1_000

    @pytest.mark.thorough
    def test_an_object_of_many_names_is_refused_quickly(self, without_hanging):
        text = "{" + ",".join(f'"k{number}": 1' for number in range(250_000)) + "}"
        with without_hanging(250):
            assert len(refusal(text, "t.json")) < 1_000

    def test_too_many_records_are_refused(self, monkeypatch):
        monkeypatch.setattr(limits, "MAX_CELLS", 3)
        assert "too many segments or cells" in refusal(lines([{"mt": "a", "ref": "b"}] * 2))


def test_a_streamed_answer_that_breaks_off_is_refused():
    pieces = [{"model": "m", "response": text, "done": False} for text in ("one", " two")]
    assert columns([*pieces, {"response": "", "done": True}]) == {("t", "hypothesis"): ("one two",)}
    assert "breaks off" in refusal(lines([*pieces, {"response": "", "done": True}, pieces[0]]))


def test_pieces_of_a_stream_end_with_their_reason():
    pieces = [{"choices": [{"delta": {"content": text}, "finish_reason": None}]} for text in ("one", " two")]
    last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    assert columns([*pieces, last, *pieces, last, {"choices": []}]) == {("t", "hypothesis"): ("one two", "one two")}


def test_lists_of_several_answers_and_references_are_no_documents():
    texts = ["the cat sat on a mat", "a cat sat on the mat", "one cat sat on the mat"]
    items = [{"references": texts[:length], "hypotheses": texts[-length:]} for length in (1, 2, 3, 2)]
    assert all(len(column) == 4 for column in columns(items).values())
    documents = [["the cat sat on a mat", "it rains"], ["nobody came", "a dog ran home", "late it was"]]
    of_documents = [{"references": one, "hypotheses": one} for one in documents]
    assert all(len(column) == 5 for column in columns(of_documents).values())


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (1, 0, 2), (2, 1, 0)])
def test_records_in_objects_of_systems_documents_and_segments_are_found_in_any_order(order):
    document: dict[str, object] = {}
    for names in ((system, doc, seg) for system in ("a", "b") for doc in ("x", "y") for seg in ("1", "2")):
        inner = document
        for place in order[:-1]:
            inner = inner.setdefault(names[place], {})
        inner[names[order[-1]]] = {"ref": f"ref {names[1:]}", "hyp": f"hyp {names}"}
    found = guess_roles(read("t.json", json.dumps(document).encode()))
    outputs = {column.name: column.segments for column in found if column.role == "hypothesis"}
    assert outputs.keys() == {"a", "b"}
    assert {len(texts) for texts in outputs.values()} == {4}
