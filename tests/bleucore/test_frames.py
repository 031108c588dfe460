"""Results as pandas frames and as tables in notebooks."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.metrics.ter import TerOptions
from bleucore.significance import ComparedSystems, SignificanceOptions, compare

HOSTILE = '<img src=x onerror=alert(1)> & "it\'s"'


@pytest.fixture
def small():
    """Two systems of two segments: one is its reference, of the other two of four words match."""
    systems = [System("perfect", ["a b c d", "e f g h"]), System("half", ["a b x y", "e f x y z"])]
    return TestSet(systems, [["a b c d", "e f g h"]])


@pytest.fixture
def longer(small):
    """Eight times the same two segments."""
    systems = [System(one.name, one.hypotheses * 8) for one in small.systems]
    return TestSet(systems, [small.references[0] * 8])


def compared(evaluation, **settings):
    metric = evaluation.metrics["BLEU"]
    systems = [(name, result.counts) for name, result in metric.systems.items()]
    options = SignificanceOptions(trials=99, resamples=99, **settings)
    return compare(ComparedSystems(systems, metric.score_of), options)


def given_scores(name, rows):
    """Scores from a file: segments and values by system."""
    systems = {
        system: SystemScores(np.array(segments), np.array(values), np.array(segments))
        for system, (segments, values) in rows.items()
    }
    return SegmentScores(name, "scores.tsv", systems)


def cells(html):
    return [re.findall(r"<bdi>(.*?)</bdi>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)[1:]]


class TestFrameOfSystems:
    def test_has_a_row_for_each_system_with_the_parts_of_bleu(self, small):
        frame = evaluate(small).to_frame()
        assert list(frame.columns) == [
            *("system", "BLEU", "precision_1", "precision_2", "precision_3", "precision_4"),
            *("brevity_penalty", "hypothesis_length", "reference_length", "length_ratio"),
        ]
        perfect, half = frame.to_dict("records")
        assert perfect["system"] == "perfect"
        assert perfect["BLEU"] == pytest.approx(100)
        # of 9 words 4 match, of 7 pairs 2; 5 triples and 3 quadruples without a match are halved: 1/2/5 and 1/4/3
        assert half["precision_1"] == pytest.approx(100 * 4 / 9)
        assert half["precision_2"] == pytest.approx(100 * 2 / 7)
        assert half["precision_3"] == pytest.approx(100 / 10)
        assert half["precision_4"] == pytest.approx(100 / 12)
        assert half["BLEU"] == pytest.approx(100 * (4 / 9 * 2 / 7 / 10 / 12) ** 0.25)
        assert (half["brevity_penalty"], half["hypothesis_length"], half["reference_length"]) == (1.0, 9, 8)
        assert half["length_ratio"] == pytest.approx(9 / 8)

    def test_has_as_many_precisions_as_orders(self, small):
        frame = evaluate(small, BleuOptions(max_order=2)).to_frame()
        assert [name for name in frame.columns if name.startswith("precision")] == ["precision_1", "precision_2"]

    def test_has_a_column_for_each_further_metric(self, small):
        evaluation = evaluate(small, metrics=[ChrfOptions(word_order=2), TerOptions()])
        frame = evaluation.to_frame().set_index("system")
        assert list(frame.columns[-2:]) == ["chrF2++", "TER"]
        for name in ("chrF2++", "TER"):
            scores = {system: result.score for system, result in evaluation.metrics[name].systems.items()}
            assert frame[name].to_dict() == scores

    def test_keeps_metrics_apart_that_people_named_like_a_part_of_bleu(self, small):
        given = given_scores("brevity_penalty", {name: ([1, 2], [5.0, 7.0]) for name in ("perfect", "half")})
        frame = evaluate(small, metrics=[given]).to_frame()
        assert frame["brevity_penalty (metric)"].tolist() == [6.0, 6.0]
        assert frame["brevity_penalty"].tolist() == [1.0, 1.0]

    def test_has_nothing_where_a_file_has_no_score_of_a_system(self, small):
        evaluation = evaluate(small, metrics=[given_scores("COMET", {"perfect": ([1, 2], [0.5, 0.25])})])
        assert evaluation.to_frame()["COMET"].tolist()[0] == 0.375
        assert math.isnan(evaluation.to_frame()["COMET"].tolist()[1])
        assert [row[-1] for row in cells(evaluation._repr_html_())] == ["0.38", "–"]


class TestFrameOfSegments:
    def test_has_a_row_for_each_system_and_segment(self, small):
        evaluation = evaluate(small)
        frame = evaluation.segments_frame()
        assert frame[["system", "segment"]].values.tolist() == [
            *(["perfect", 1], ["perfect", 2]),
            *(["half", 1], ["half", 2]),
        ]
        assert frame["BLEU"].tolist() == [
            *evaluation.systems["perfect"].segment_scores,
            *evaluation.systems["half"].segment_scores,
        ]

    def test_sets_systems_side_by_side_in_their_order_when_it_is_pivoted(self, small):
        wide = evaluate(small).segments_frame().pivot(index="segment", columns="system", values="BLEU")
        assert list(wide.columns) == ["perfect", "half"]
        assert list(wide.index) == [1, 2]

    def test_has_nothing_where_a_segment_has_no_score(self, small):
        given = given_scores("COMET", {"perfect": ([1, 2], [0.5, 0.25]), "half": ([2], [0.125])})
        column = evaluate(small, metrics=[given]).segments_frame()["COMET"].tolist()
        assert column[:2] == [0.5, 0.25]
        assert math.isnan(column[2])
        assert column[3] == 0.125

    def test_can_be_changed_without_changing_the_results(self, small):
        evaluation = evaluate(small)
        before = evaluation.systems["half"].segment_scores.copy()
        frame = evaluation.segments_frame()
        frame.loc[:, "BLEU"] = 0.0
        assert evaluation.systems["half"].segment_scores.tolist() == before.tolist()


class TestFrameOfPairs:
    def test_has_a_row_for_each_pair_with_what_the_test_says(self, longer):
        found = compared(evaluate(longer))
        (row,) = found.to_frame().to_dict("records")
        pair = found.pair("perfect", "half")
        assert (row["system"], row["other"], row["difference"]) == ("perfect", "half", pair.difference)
        assert (row["interval_low"], row["interval_high"]) == pair.interval
        assert (row["p_value"], row["corrected_p_value"]) == (pair.p_value, pair.corrected_p_value)
        assert row["significant"] == found.is_significant(pair)
        assert (row["smallest_detectable"], row["n_needed"]) == (pair.smallest_detectable, pair.n_needed)

    def test_has_nothing_where_there_is_no_test_and_no_interval(self):
        test_set = TestSet([System("one", ["a b"]), System("two", ["a c"])], [["a b"]])
        frame = compared(evaluate(test_set), test="block-t").to_frame()
        assert frame[["interval_low", "interval_high", "p_value", "smallest_detectable"]].isna().all(axis=None)
        assert frame["n_needed"].isna().all()
        assert frame["significant"].tolist() == [False]

    def test_has_its_columns_without_a_pair_too(self):
        frame = compared(evaluate(TestSet([System("one", ["a b"])], [["a b"]]))).to_frame()
        assert len(frame) == 0
        assert {"system", "other", "difference", "significant"} <= set(frame.columns)


class TestNotebooks:
    def test_show_the_best_system_first_with_rounded_numbers(self, small):
        html = evaluate(small, metrics=[TerOptions()])._repr_html_()
        assert cells(html) == [
            ["perfect", "100.00", "100.0", "100.0", "100.0", "100.0", "1.000", "1.000", "0.00"],
            ["half", "18.04", "44.4", "28.6", "10.0", "8.3", "1.000", "1.125", "62.50"],
        ]
        assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in html
        assert "TER|nrefs:1" in html

    def test_show_the_pairs_of_a_comparison(self, longer):
        html = compared(evaluate(longer))._repr_html_()
        ((system, other, difference, interval, *_),) = cells(html)
        assert (system, other, difference) == ("perfect", "half", "+93.62")
        assert re.fullmatch(r"\+\d+\.\d\d to \+\d+\.\d\d", interval)
        assert "test:approximate-randomisation|ar:99" in html

    def test_show_a_dash_where_nothing_is_known(self):
        test_set = TestSet([System("one", ["a b"]), System("two", ["a c"])], [["a b"]])
        (row,) = cells(compared(evaluate(test_set), test="block-t")._repr_html_())
        assert row[3:] == ["–", "–", "–", "no"]

    def test_never_show_a_p_value_of_0(self):
        references = [f"a b c d {number}" for number in range(60)]
        worse = [f"a b x y {number}" + " z" * (number % 7) for number in range(60)]
        test_set = TestSet([System("one", references), System("two", worse)], [references])
        found = compared(evaluate(test_set), test="block-t", n_blocks=20)
        assert 0 < found.pair("one", "two").p_value < 0.0001
        assert cells(found._repr_html_())[0][4] == "&lt; .001"

    def test_show_what_a_test_set_holds(self):
        test_set = TestSet(
            [System("one", ["a"] * 7, file="out/one.txt"), System("two", ["b"] * 7)],
            [["c"] * 7],
            documents=["x", "x", "x", "y", "y", "y", "y"],
        )
        html = test_set._repr_html_()
        assert cells(html) == [
            ["one", "system", "out/one.txt"],
            ["two", "system", "–"],
            ["reference 1", "reference", "–"],
        ]
        assert "7 segments, 2 documents, without a source" in html

    def test_show_the_first_hypotheses_of_a_system(self):
        html = System("one", ["x" * 1_000, "<b>", "", "d", "e", "f", "g"])._repr_html_()
        assert [row[0] for row in cells(html)] == ["1", "2", "3", "4", "5"]
        assert cells(html)[0][1] == "x" * 199 + "…"
        assert cells(html)[1][1] == "&lt;b&gt;"
        assert "7 segments, the first 5 shown" in html
        assert "1 segment<" in System("one", ["a"])._repr_html_()

    def test_show_the_scores_of_one_metric(self, small):
        metric = evaluate(small, metrics=[TerOptions()]).metrics["TER"]
        assert cells(metric._repr_html_()) == [["perfect", "0.00"], ["half", "62.50"]]
        assert "nrefs:1" in metric._repr_html_()

    def test_show_names_as_text(self, small):
        names = TestSet([System(HOSTILE, ["a b"]), System("other", ["a"])], [["a b"]])
        evaluation = evaluate(names)
        shown = (evaluation, compared(evaluation), names, names.systems[0], evaluation.bleu)
        for html in (one._repr_html_() for one in shown):
            assert "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;it&#x27;s&quot;" in html
            assert not re.search(r"<(?!/?(?:table|caption|thead|tbody|tr|th|td|bdi)\b)", html)
            assert not re.search(r"https?:|src=(?!x)|url\(", html)

    def test_need_pandas_only_when_they_ask_for_frames(self):
        code = "import sys, bleucore, bleucore.significance; print('pandas' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
