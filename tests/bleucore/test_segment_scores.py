"""Scores read from a file: additive sums and numbers, and nothing taken in that is not a score of the test set."""

import gzip
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError, System, TestSet
from bleucore.formats import columns as limits
from bleucore.metrics.segment_scores import (
    LARGEST_SCORE,
    SegmentScores,
    SystemScores,
    has_scores,
    read_segment_scores,
    scores,
)

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wmt22-zh-en"
TABLE = "system\tsegment\tcomet\tMQM\nA\t2\t0.5\t-3\nA\t1\t.25\t+4e-1\nB\t3\t1\t0\n"
TEST_SET = TestSet([System("B", ["b"] * 3), System("A", ["a"] * 3)], [["r"] * 3])


def read(text, name="t.tsv", **options):
    return read_segment_scores(name, text.encode(), **options)


def refusal(text, name="t.tsv", **options):
    with pytest.raises(InputError) as caught:
        read(text, name, **options)
    return str(caught.value)


def values(column):
    """The scores as plain dictionaries."""
    return {
        name: dict(zip(system.segments.tolist(), system.values.tolist(), strict=True))
        for name, system in column.scores.items()
    }


class TestTables:
    def test_each_column_but_system_and_segment_is_read_as_scores(self):
        comet, mqm = read(TABLE)
        assert (comet.name, mqm.name, comet.file) == ("comet", "MQM", "t.tsv")
        assert values(comet) == {"A": {1: 0.25, 2: 0.5}, "B": {3: 1.0}}
        assert values(mqm) == {"A": {1: 0.4, 2: -3.0}, "B": {3: 0.0}}
        assert comet.scores["A"].lines.tolist() == [3, 2]

    def test_the_columns_come_in_any_order_with_titles_in_any_case(self):
        (column,) = read("x\tSegment\tSystem\n 7 \t 1 \tA\n")
        assert (column.name, values(column)) == ("x", {"A": {1: 7.0}})

    @pytest.mark.parametrize("title", ["score", "Score"])
    def test_a_lone_column_titled_score_is_called_after_its_file(self, title):
        assert [column.name for column in read(f"system\tsegment\t{title}\nA\t1\t2\n", "comet.tsv")] == ["comet"]
        assert [column.name for column in read(f"system\tsegment\t{title}\tz\nA\t1\t2\t3\n")] == [title, "z"]

    def test_csv_and_gzip_and_windows_line_ends_are_read_too(self):
        (csv,) = read('segment,system,x\r\n1,"A, B",2\r\n', "t.csv")
        assert values(csv) == {"A, B": {1: 2.0}}
        (packed,) = read_segment_scores("t.tsv.gz", gzip.compress(b"system\tsegment\tx\nA\t1\t2"))
        assert values(packed) == {"A": {1: 2.0}}

    def test_the_arrays_are_read_only(self):
        system = read(TABLE)[0].scores["A"]
        assert not any(array.flags.writeable for array in (system.segments, system.values, system.lines))

    def test_higher_is_better_unless_the_caller_says_otherwise(self):
        assert [column.higher_is_better for column in read(TABLE.replace("MQM", "TER"))] == [True, True]
        assert [column.higher_is_better for column in read(TABLE, lower_is_better=["MQM"])] == [True, False]
        (column,) = read("system\tsegment\tscore\nA\t1\t2\n", "ter.tsv", lower_is_better={"ter"})
        assert not column.higher_is_better


class TestJsonLines:
    def test_each_further_field_is_read_as_scores_whichever_line_it_stands_in(self):
        text = (
            '{"system": "A", "segment": 1, "x": 0.5, "y": 2}\n'
            '{"segment": 1, "y": -1e2, "system": "B"}\n'
            '{"segment": 1, "x": 3, "system": "B"}\n'
        )
        x, y = read(text, "t.jsonl")
        assert (x.name, values(x), y.name, values(y)) == (
            "x",
            {"A": {1: 0.5}, "B": {1: 3.0}},
            "y",
            {"A": {1: 2.0}, "B": {1: -100.0}},
        )

    def test_a_lone_field_called_score_is_called_after_its_file(self):
        assert read('{"system": "A", "segment": 1, "score": 2}', "out/comet.jsonl")[0].name == "comet"

    def test_it_says_the_same_as_a_table(self):
        records = [("A", 2, 0.5, -3), ("A", 1, 0.25, 0.4), ("B", 3, 1, 0)]
        titles = ("system", "segment", "comet", "MQM")
        text = "\n".join(json.dumps(dict(zip(titles, record, strict=True))) for record in records)
        assert list(map(values, read(text, "x"))) == list(map(values, read(TABLE)))


class TestStatistics:
    def test_a_segment_has_its_score_and_one_or_nothing_and_nought(self):
        comet, _ = read(TABLE)
        counts = comet.statistics(TEST_SET)
        assert list(counts) == ["B", "A"]
        assert counts["A"].tolist() == [[0.25, 1], [0.5, 1], [0, 0]]
        assert counts["B"].tolist() == [[0, 0], [0, 0], [1, 1]]

    def test_a_system_without_scores_has_nought_everywhere(self):
        (column,) = read("system\tsegment\tx\nA\t1\t2\n")
        assert column.statistics(TEST_SET)["B"].tolist() == [[0, 0]] * 3

    def test_the_score_is_the_mean_over_what_is_there_and_says_where_nothing_is(self):
        counts = np.array([[[3.0, 2], [0, 0]], [[-1.0, 1], [0.0, 4]]])
        assert scores(counts).tolist() == [[1.5, 0], [-1, 0]]
        assert has_scores(counts).tolist() == [[True, False], [True, True]]
        assert (float(scores(counts[0, 1])), bool(has_scores(counts[0, 1]))) == (0, False)

    def test_scores_of_other_systems_are_left_out_only_when_asked(self):
        (column,) = read("system\tsegment\tx\nC\t9\t1\nA\t1\t2\n")
        assert column.statistics(TEST_SET, extra_systems="ignore")["A"].tolist() == [[2, 1], [0, 0], [0, 0]]

    @given(st.dictionaries(st.integers(1, 6), st.floats(-1e100, 1e100), min_size=1))
    def test_counts_add_up_to_the_mean(self, written):
        text = "system\tsegment\tx\n" + "".join(f"A\t{segment}\t{value!r}\n" for segment, value in written.items())
        test_set = TestSet([System("A", [""] * 6)], [[""] * 6])
        counts = read(text)[0].statistics(test_set)["A"]
        expected = sum(written.values()) / len(written)
        assert scores(counts.sum(axis=0)) == pytest.approx(expected, abs=1e-12 * max(map(abs, written.values())))
        assert int(has_scores(counts).sum()) == len(written)


HEADER = "system\tsegment\tx\n"
NUMBER_REMEDY = (
    "Write a number with a decimal point. Take the line out if there is no score, or the column if it holds no scores."
)
SEGMENT_REMEDY = "Count segments from 1, in the order of the test set."
SYSTEM_REMEDY = "Write the name that the system has in the test set."
OBJECT_REMEDY = 'Write one object per line, such as {"system": "A", "segment": 1, "score": 0.5}.'


class TestRefusals:
    @pytest.mark.parametrize(
        ("cell", "found"),
        [
            ("nan", "'nan'"),
            ("inf", "'inf'"),
            ("1e999", "Infinity"),
            ("-2e100", "-2e+100"),
            ("0,5", "'0,5'"),
            ("1_0", "'1_0'"),
            ("good", "'good'"),
            ("\u0661", "'\u0661'"),
            ("", "nothing"),
            (" ", "' '"),
        ],
    )
    def test_a_cell_without_a_finite_number(self, cell, found):
        assert refusal(f"{HEADER}A\t1\t2\nA\t2\t{cell}\n") == (
            f"t.tsv, column 'x', line 3: the score is not a number "
            f"(found {found}, expected a number from -1e+100 to 1e+100, such as 0.75). {NUMBER_REMEDY}"
        )

    @pytest.mark.parametrize(
        ("value", "found"),
        [
            ("NaN", "NaN"),
            ("-Infinity", "-Infinity"),
            ("true", "true"),
            ("null", "null"),
            ('"0.5"', "'0.5'"),
            ("1" + "0" * 101, "1" + "0" * 79 + "\u2026"),
            ("[1, 2]", "[1, 2]"),
        ],
    )
    def test_a_field_without_a_finite_number(self, value, found):
        assert refusal(f'{{"system": "A", "segment": 1, "x": {value}}}', "t.jsonl") == (
            f"t.jsonl, column 'x', line 1: the score is not a number "
            f"(found {found}, expected a number from -1e+100 to 1e+100, such as 0.75). {NUMBER_REMEDY}"
        )

    @pytest.mark.parametrize(
        ("cell", "found"),
        [("0", "0"), ("-1", "-1"), ("1.0", "1.0"), ("one", "'one'"), ("", "nothing"), ("9" * 19, "1e+19")],
    )
    def test_a_cell_without_a_number_of_a_segment(self, cell, found):
        assert refusal(f"{HEADER}A\t{cell}\t2\n") == (
            f"t.tsv, line 2: the segment is not a number of a segment "
            f"(found {found}, expected a whole number from 1). {SEGMENT_REMEDY}"
        )

    @pytest.mark.parametrize("value", ["0", "true", "1.0", "null"])
    def test_a_field_without_a_number_of_a_segment(self, value):
        assert refusal(f'{{"system": "A", "segment": {value}, "x": 1}}', "t.jsonl") == (
            f"t.jsonl, line 1: the segment is not a number of a segment "
            f"(found {value}, expected a whole number from 1). {SEGMENT_REMEDY}"
        )

    def test_a_system_without_a_name(self):
        problem = "the system has no name (found {}, expected the name of a system, as in the test set). "
        assert refusal(f"{HEADER}\t1\t2\n") == f"t.tsv, line 2: {problem.format('nothing')}{SYSTEM_REMEDY}"
        expected = f"t, line 1: {problem.format('7')}{SYSTEM_REMEDY}"
        assert refusal('{"system": 7, "segment": 1, "x": 1}', "t") == expected

    @pytest.mark.parametrize(
        ("header", "key"), [("name\tsegment\tx", "system"), ("system\tid\tx", "segment"), ("A\t1\t2", "system")]
    )
    def test_a_table_without_a_column_that_is_needed(self, header, key):
        found = ", ".join(map(repr, header.split("\t")))
        assert refusal(f"{header}\nA\t1\t2\n") == (
            f"t.tsv, line 1: there is no column '{key}' (found {found}, expected system, segment and at least one "
            "score). Write these titles into the first row."
        )

    def test_many_titles_are_not_all_named(self):
        assert "(found 'a', 'b', 'c', 'd', 'e' and 2 more, expected" in refusal(
            "a\tb\tc\td\te\tf\tg\n" + "1\t" * 6 + "1"
        )

    @pytest.mark.parametrize(
        ("record", "key", "found"),
        [
            ('{"segment": 1, "x": 2}', "system", "'segment', 'x'"),
            ('{"system": "A"}', "segment", "'system'"),
            ("{}", "system", "an empty object"),
        ],
    )
    def test_an_object_without_a_field_that_is_needed(self, record, key, found):
        assert refusal(record, "t.jsonl") == (
            f"t.jsonl, line 1: there is no field '{key}' (found {found}, expected system, segment and at least one "
            "score). Give every object these fields."
        )

    @pytest.mark.parametrize("text", ["system\tsegment\nA\t1\n", '{"system": "A", "segment": 1}'])
    def test_no_score_at_all(self, text):
        assert refusal(text) == (
            "t.tsv, line 1: there is no score (found 'system', 'segment', expected system, segment and at least one "
            "score). Add the scores, or load the file that has them."
        )

    @pytest.mark.parametrize(
        ("record", "found"),
        [
            ('[{"system": "A"}]', '[{"system": "A"}]'),
            ('{"system": "A",', "Expecting property name enclosed in double quotes at character 16"),
            ('{"x": 1, "x": 2}', "the field 'x' twice"),
            ('{" ": 1}', "a field without a name"),
        ],
    )
    def test_a_line_that_is_not_an_object(self, record, found):
        assert refusal(record, "t.jsonl") == (
            f"t.jsonl, line 1: the line is not a JSON object (found {found}, expected one object with fields of "
            f"different names). {OBJECT_REMEDY}"
        )

    def test_an_empty_line_among_objects(self):
        record = '{"system": "A", "segment": 1, "x": 1}'
        assert refusal(f"{record}\n\n{record}\n").startswith(
            "t.tsv, line 2: the line is not a JSON object (found an empty line, expected"
        )

    @pytest.mark.parametrize(
        "record",
        ["[" * 100_000, '{"segment": ' + "1" * 5000 + "}", '{"\\ud800": 1}'],
        ids=["deep nesting", "a number of many digits", "half of a surrogate pair"],
    )
    def test_a_line_that_no_reader_should_choke_on(self, record):
        assert refusal(record).startswith("t.tsv, line 1: the line is not a JSON object (found ")

    def test_a_segment_scored_twice(self):
        assert refusal(f"{HEADER}A\t5\t2\nB\t5\t2\nA\t5\t3\n") == (
            "t.tsv, line 4: a segment is scored twice (found 'x' of 'A', segment 5 once more, expected only the score "
            "in line 2). Keep one of them, or write their mean."
        )

    def test_lines_are_counted_through_cells_with_line_ends(self):
        assert refusal('system,segment,x\n"A\nB",1,2\nA,1,z\n', "t.csv").startswith("t.csv, column 'x', line 4: ")

    def test_a_name_in_lower_is_better_that_is_not_there(self):
        assert refusal(TABLE, lower_is_better=["mqm"]) == (
            "t.tsv, option lower_is_better: there is no such score column (found 'mqm', expected 'comet', 'MQM'). "
            "Name columns of the file."
        )

    def test_more_score_fields_than_can_be_shown(self, monkeypatch):
        monkeypatch.setattr(limits, "MAX_COLUMNS", 2)
        record = '{"system": "A", "segment": 1, "x": 1, "y": 2, "z": 3}'
        assert refusal(record) == (
            "t.tsv: the file holds too many columns (found 3, expected at most 2). "
            "Split the test set into smaller files."
        )

    def test_a_file_that_is_too_large_or_not_text(self):
        assert refusal(TABLE, max_bytes=5).startswith(
            "t.tsv: the file is too large (found 58 bytes, expected at most 5"
        )
        with pytest.raises(InputError, match=re.escape("t.tsv, line 1: the text is not valid in its encoding")):
            read_segment_scores("t.tsv", b"system\xff")

    def test_a_score_as_large_as_can_be_is_accepted(self):
        assert values(read(f"{HEADER}A\t1\t{LARGEST_SCORE!r}\n")[0]) == {"A": {1: LARGEST_SCORE}}

    def test_one_string_for_the_names_in_lower_is_better(self):
        assert refusal(TABLE, lower_is_better="MQM") == (
            "Option lower_is_better: this value is not accepted (found 'MQM', expected a list of names of columns). "
            "Choose one of the accepted values."
        )

    def test_a_system_whose_name_holds_half_of_a_surrogate_pair(self):
        assert refusal('{"system": "A", "segment": 1, "x": 1}\n{"system": "B\\udc00", "segment": 1, "x": 1}') == (
            "t.tsv, line 2: the name of the system holds half of a surrogate pair, which is not a character (found "
            "U+DC00 at position 2 of 'B\\udc00', expected the name of a system, as in the test set). Write the name "
            "that the system has in the test set."
        )

    def test_a_field_whose_name_holds_half_of_a_surrogate_pair(self):
        assert refusal('{"system": "A", "segment": 1, "x\\ud800": 1}').startswith(
            "t.tsv, line 1: the line is not a JSON object (found a field whose name holds half of a surrogate pair, "
            "which is not a character: U+D800 at position 2, expected"
        )

    def test_a_file_whose_name_holds_half_of_a_surrogate_pair(self):
        message = refusal(TABLE, "caf\udce9.tsv")
        assert message.startswith("File 'caf\\udce9.tsv': the name holds half of a surrogate pair")
        assert refusal("system\tsegment\n", "caf\udce9.tsv").startswith("caf\\udce9.tsv, line 1: ")

    @pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e400", "1.1e100", "true", "null", '"nan"'])
    def test_a_score_that_is_not_a_finite_number_in_json(self, score):
        assert refusal(f'{{"system": "A", "segment": 1, "x": {score}}}').startswith(
            "t.tsv, column 'x', line 1: the score is not a number (found "
        )

    @pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-inf", "1e400", "1_0", "0x1", "٥", "True", "", "-", "1,5"])
    def test_a_score_that_is_not_a_finite_number_in_a_table(self, score):
        assert refusal(f"{HEADER}A\t1\t{score}\n").startswith(
            "t.tsv, column 'x', line 2: the score is not a number (found "
        )


class TestMadeOfArrays:
    """Scores that no file was read for."""

    def test_arrays_are_copied_and_read_only(self):
        numbers = np.array([0.5, 1.0])
        system = SystemScores(np.array([1, 3], np.int8), numbers, [1, 2])
        numbers[0] = 7
        assert (system.segments.tolist(), system.values.tolist(), system.lines.tolist()) == ([1, 3], [0.5, 1], [1, 2])
        assert [array.dtype for array in (system.segments, system.values, system.lines)] == [
            np.int64,
            np.float64,
            np.int64,
        ]
        with pytest.raises(ValueError, match="read-only"):
            system.values[0] = 1

    @pytest.mark.parametrize(
        ("segments", "numbers", "lines", "message"),
        [
            (
                [1, 2],
                [1, math.nan],
                [1, 2],
                "no values of scores (found nan for segment 2, expected numbers from -1e+1",
            ),
            ([1, 2], [-math.inf, 1], [1, 2], "no values of scores (found -inf for segment 1, expected numbers from"),
            ([1], [1.1e100], [1], "no values of scores (found 1.1e+100 for segment 1, expected numbers from"),
            ([1, 1], [1, 2], [1, 2], "no segments of scores (found others, expected numbers from 1 that rise)"),
            ([0, 1], [1, 2], [1, 2], "no segments of scores (found others, expected numbers from 1 that rise)"),
            ([1.0], [1], [1], "no segments of scores (found an array of shape (1,) and type float64, expected arrays"),
            ([1], ["1"], [1], "no values of scores (found an array of shape (1,) and type <U1, expected arrays"),
            ([1], [True], [1], "no values of scores (found an array of shape (1,) and type bool, expected arrays"),
            ([1], [1, 2], [1], "no values of scores (found an array of shape (2,) and type int64, expected arrays"),
            ([1], [1], [[1]], "no lines of scores (found an array of shape (1, 1) and type int64, expected arrays"),
            ([], [], [], "no segments of scores (found an array of shape (0,) and type float64, expected arrays"),
        ],
    )
    def test_arrays_that_are_no_scores_are_refused(self, segments, numbers, lines, message):
        with pytest.raises(InputError) as caught:
            SystemScores(np.array(segments), np.array(numbers), np.array(lines))
        assert str(caught.value).startswith(f"The scores of a system: these are {message}")

    def test_the_settings_of_the_metric_are_a_value_with_a_hash(self):
        system = SystemScores(np.array([1]), np.array([0.5]), np.array([1]))
        both = [SegmentScores("x", "t.tsv", {"A": system}, higher_is_better=is_so) for is_so in (True, np.True_)]
        assert both[0] == both[1]
        assert hash(both[0]) == hash(both[1])
        assert both[0] != SegmentScores("x", "t.tsv", {"A": system}, higher_is_better=False)

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"name": "x\ud800"}, "Scores 'x\\ud800': the name holds half of a surrogate pair"),
            ({"name": 3}, "Scores 3: the name is not a string (found int, expected a string)."),
            ({"file": None}, "File None: the name is not a string (found NoneType, expected a string)."),
            ({"scores": {"A\udfff": None}}, "System 'A\\udfff': the name holds half of a surrogate pair"),
            ({"higher_is_better": 1}, "Option higher_is_better: this value is not accepted (found 1, expected True"),
        ],
    )
    def test_settings_that_are_not_accepted_are_refused(self, changed, message):
        with pytest.raises(InputError) as caught:
            SegmentScores(**({"name": "x", "file": "t.tsv", "scores": {}} | changed))
        assert str(caught.value).startswith(message)


class TestRefusalsOfATestSet:
    def refusal(self, text, **options):
        with pytest.raises(InputError) as caught:
            read(text)[0].statistics(TEST_SET, **options)
        return str(caught.value)

    def test_a_system_that_is_not_in_it(self):
        assert self.refusal(f"{HEADER}A\t1\t2\nC\t3\t1\nC\t2\t1\n") == (
            "t.tsv, line 3: 1 system is not in the test set (found 'C', expected 'B', 'A'). Name the systems as in the "
            'test set or load these systems too; or leave their scores out (extra_systems="ignore").'
        )

    def test_several_systems_that_are_not_in_it_the_first_line_first(self):
        assert self.refusal(f"{HEADER}a\t2\t2\nA\t1\t2\nC\t3\t1\n").startswith(
            "t.tsv, line 2: 2 systems are not in the test set (found 'a', 'C', expected 'B', 'A')."
        )

    @pytest.mark.parametrize("extra_systems", ["refuse", "ignore"])
    def test_scores_of_other_systems_alone_are_never_left_out(self, extra_systems):
        assert self.refusal(f"{HEADER}C\t1\t2\n", extra_systems=extra_systems) == (
            "t.tsv, line 2: 1 system is not in the test set (found 'C', expected 'B', 'A'). Name the systems as in the "
            "test set or load these systems too."
        )

    def test_an_unknown_way_with_extra_systems(self):
        assert self.refusal(TABLE, extra_systems="drop") == (
            "Option extra_systems: this value is not accepted (found 'drop', expected refuse, ignore). "
            "Choose one of the accepted values."
        )

    def test_a_segment_behind_the_last_one_by_the_first_line_of_any(self):
        assert self.refusal(f"{HEADER}A\t2\t2\nA\t1234\t2\nA\t4\t2\n") == (
            "t.tsv, line 3: there is no such segment in the test set (found segment 1,234 of 'A', expected segments 1 "
            "to 3). Load the scores of this test set, with segments counted from 1."
        )


def test_human_judgements_of_wmt22_average_to_the_published_ones():
    """The real file where it lies beside the project, else a small one of the same make."""
    if DATA.exists():
        files = {name: (DATA / f"human_{name}_scores.tsv").read_bytes() for name in ("segment", "system")}
    else:
        files = {
            "segment": b"system\tsegment\traw\tz\tn_judgements\n"
            b"A\t2\t93.5\t0.5\t2\nA\t1\t90\t-0.2\t2\nHUMAN-B\t1\t9\t0\t1\n",
            "system": b"system\traw\tz\tn_segments\tn_judgements\nA\t91.8\t0.15\t2\t4\nHUMAN-B\t9\t0\t1\t1\n",
        }
    header, *rows = [line.split("\t") for line in files["system"].decode().splitlines()]
    published = {row[0]: dict(zip(header[1:], map(float, row[1:]), strict=True)) for row in rows}
    n_segments = 1875 if DATA.exists() else 2
    names = [name for name in published if name != "HUMAN-B"]
    test_set = TestSet([System(name, [""] * n_segments) for name in names], [[""] * n_segments])
    raw, z, number = read_segment_scores("human_segment_scores.tsv", files["segment"])
    assert (raw.name, z.name, number.name) == ("raw", "z", "n_judgements")
    with pytest.raises(InputError, match="1 system is not in the test set \\(found 'HUMAN-B', expected"):
        raw.statistics(test_set)
    sums = {
        column.name: {
            name: counts.sum(axis=0) for name, counts in column.statistics(test_set, extra_systems="ignore").items()
        }
        for column in (raw, z, number)
    }
    for name in names:
        assert scores(sums["raw"][name]) == pytest.approx(published[name]["raw"], abs=0.06)
        assert scores(sums["z"][name]) == pytest.approx(published[name]["z"], abs=0.0006)
        assert sums["raw"][name][1] == published[name]["n_segments"]
        assert sums["n_judgements"][name][0] == published[name]["n_judgements"]
