"""Sheets of error analysis: what stands in them, against counts by hand, sacreBLEU and the engine."""

import io
import json
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sacrebleu.metrics import BLEU

from bleucore import BleuOptions, ChrfOptions, InputError, evaluate
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.analysis.slices import compare_slices, slice_kinds, slice_segments
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import SignificanceOptions
from bleuscope.annotations import SegmentNote
from bleuscope.content.attribution import attribution_sheets
from bleuscope.content.comparison import difference_sheets
from bleuscope.content.comparison.comparison_context import Loaded, Settings, study_of
from bleuscope.content.ngrams import ngram_sheets, ngram_tables
from bleuscope.content.ngrams.ngram_tables import AGAINST, PART, RATIO, VIEWS, WORTH, NgramChoice
from bleuscope.content.segments import segment_sheets
from bleuscope.content.segments.segment_notes import notes_sheet
from bleuscope.content.sheets.forms import FORMS
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.parquet import METADATA, parquet_file
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.writers import write, write_text
from bleuscope.content.slices import slice_sheets, slice_tables
from bleuscope.content.style import numbers

FEW = SignificanceOptions(trials=99, resamples=50)


@pytest.fixture(scope="module")
def two(score_texts):
    """Three segments in two documents; A is right about the first, B about the rest."""
    scored = score_texts(
        {"one": ["a b c d", "x y", "p q r s t"], "two": ["a b c x", "x z", "p q r s u"]},
        [["a b c d", "x z", "p q r s u"], [None, "w w", None]],
        documents=["d1", "d1", "d2"],
        source=["A B C D", "X Z", "P Q"],
        labels={"domain": ["news", "news", "talk"]},
        reference_names=["first", "second"],
    )
    return of(scored)


@pytest.fixture(scope="module")
def of_sample(sample):
    return of(sample)


def of(scored, first=0, second=1):
    return study_of(Loaded(scored.test_set), scored.evaluation, Settings(pair=scored.pair(first, second)))


def keys(sheet):
    return [field.key for field in sheet.fields]


class TestAttribution:
    def test_leads_from_the_score_of_a_over_each_part_to_the_score_of_b(self, two):
        attribution = two.attribution
        sheet = attribution_sheets.attribution_sheet(attribution, two.evaluation)
        frame = sheet.frame
        ingredients = ["1-grams", "2-grams", "3-grams", "4-grams", "brevity penalty"]
        assert frame["ingredient"].tolist() == [*ingredients, "total"]
        assert frame["part"].tolist()[:4] == attribution.orders.tolist()
        assert frame["part"].sum() == pytest.approx(2 * attribution.difference)
        assert frame["bleu_so_far"].iloc[0] == pytest.approx(attribution.scores[0] + attribution.orders[0])
        assert frame["bleu_so_far"].tolist()[-2:] == pytest.approx([attribution.scores[1]] * 2)

    def test_names_systems_settings_and_texts(self, two):
        sheet = attribution_sheets.attribution_sheet(two.attribution, two.evaluation)
        assert "A is one, B is two." in sheet.caption
        assert two.evaluation.signature in sheet.caption
        assert sheet.facts["digest"] == two.test_set.digest
        assert (sheet.facts["system_a"], sheet.facts["system_b"]) == two.pair

    def test_says_why_nothing_is_divided(self, score_texts):
        nothing = of(score_texts({"one": ["x"], "two": ["y"]}, [["z"]]))
        sheet = attribution_sheets.attribution_sheet(nothing.attribution, nothing.evaluation)
        assert nothing.attribution.reason in sheet.caption
        assert sheet.frame["part"].tolist() == [0] * len(sheet.frame)

    def test_smoothing_has_a_row_and_a_reason(self, score_texts):
        smoothed = of(score_texts({"one": ["a b c d e"], "two": ["a b x d e"]}, [["a b c d e"]]))
        attribution = smoothed.attribution
        sheet = attribution_sheets.attribution_sheet(attribution, smoothed.evaluation)
        assert sheet.frame["ingredient"].tolist()[-2:] == ["smoothing", "total"]
        assert attribution.jump_reason in sheet.caption


class TestDocuments:
    def test_are_scored_as_sacrebleu_does_and_their_parts_add_up(self, of_sample):
        attribution = of_sample.attribution
        frame = difference_sheets.documents_sheet(of_sample, attribution).frame
        documents = np.array(of_sample.test_set.documents)
        assert frame["document"].tolist() == list(dict.fromkeys(documents))
        assert frame["segments"].sum() == of_sample.test_set.n_segments
        rows = np.flatnonzero(documents == frame["document"][2])
        hypotheses = of_sample.test_set.system(of_sample.pair[1]).hypotheses
        references = [[column[row] for row in rows] for column in of_sample.test_set.references]
        expected = BLEU().corpus_score([hypotheses[row] for row in rows], references).score
        assert frame["bleu_b"][2] == pytest.approx(expected, abs=1e-9)
        assert frame["difference"].tolist() == pytest.approx((frame["bleu_b"] - frame["bleu_a"]).tolist())
        assert frame["part"].sum() == pytest.approx(attribution.difference - attribution.jump)

    def test_without_an_attribution_have_no_parts_and_of_one_system_one_score(self, two):
        assert keys(difference_sheets.documents_sheet(two, None))[-1] == "difference"
        alone = replace(two, sides=("one",))
        assert keys(difference_sheets.documents_sheet(alone, None)) == ["document", "segments", "bleu"]

    def test_that_are_not_known_are_asked_for(self, score_texts):
        scored = score_texts({"a": ["x"], "b": ["y"]}, [["x"]])
        with pytest.raises(InputError, match=r"^Sheet documents: the test set has no documents\. Give the document"):
            difference_sheets.documents_sheet(of(scored), None)


class TestSegments:
    def test_stand_in_the_order_given_with_scores_lengths_and_texts(self, two):
        parts = two.attribution.segments
        frame = segment_sheets.segments_sheet(two, np.array([2, 0]), parts).frame
        assert frame["segment"].tolist() == [3, 1]
        assert frame["document"].tolist() == ["d2", "d1"]
        assert frame["label domain"].tolist() == ["talk", "news"]
        assert frame["part"].tolist() == [parts[2], parts[0]]
        assert frame["bleu_b"].tolist() == pytest.approx([100, two.evaluation.systems["two"].segment_scores[0]])
        assert frame["difference"].tolist() == pytest.approx((frame["bleu_b"] - frame["bleu_a"]).tolist())
        assert frame["tokens_a"].tolist() == [5, 4]
        assert frame["source"].tolist() == ["P Q", "A B C D"]
        assert frame["reference_1"].tolist() == ["p q r s u", "a b c d"]
        assert frame["reference_2"].isna().all()
        assert frame["hypothesis_b"].tolist() == ["p q r s u", "a b c x"]

    def test_of_one_system_need_no_second_one(self, one_system):
        alone = of(one_system, 0, 0)
        sheet = segment_sheets.segments_sheet(alone, np.array([2, 1]), None)
        assert keys(sheet) == ["segment", "document", "bleu", "tokens", "source", "reference_1", "hypothesis"]
        assert sheet.frame["hypothesis"].tolist() == ["", "x"]

    def test_say_which_they_are(self, two):
        sheet = segment_sheets.segments_sheet(two, np.array([1]), None, chosen="1 segment with text “x”.")
        assert sheet.caption.startswith("1 segment with text “x”. BLEU of a segment is its own score")
        assert [field.heading for field in sheet.fields if field.key.startswith("reference")] == ["first", "second"]

    def test_none_is_a_sheet_without_rows(self, two):
        assert len(segment_sheets.segments_sheet(two, np.array([], np.int64), None).frame) == 0

    def test_keep_hostile_texts_as_they_are(self, hostile, hostile_texts):
        frame = segment_sheets.segments_sheet(of(hostile), np.arange(len(hostile_texts)), None).frame
        assert tuple(frame["hypothesis_a"]) == tuple(frame["source"]) == hostile_texts

    def test_can_be_ordered_by_how_much_they_differ(self, two):
        delta = np.array([0.5, -2.0, 1.0])
        sheet = segment_sheets.differing_segments_sheet(two, delta, None)
        assert sheet.frame["segment"].tolist() == [2, 3, 1]
        assert sheet.caption.startswith("All segments, those that differ most first.")


class TestSegmentScores:
    def test_are_those_of_sacrebleu_with_its_signature(self, of_sample):
        metric = BLEU(effective_order=True)
        test_set = of_sample.test_set
        sheet = segment_sheets.segment_scores_sheet(test_set, of_sample.evaluation)
        for row, name in product((0, 57), of_sample.pair):
            references = [column[row] for column in test_set.references]
            expected = metric.sentence_score(test_set.system(name).hypotheses[row], references).score
            assert sheet.frame[f"BLEU: {name}"][row] == pytest.approx(expected, abs=1e-9)
        assert sheet.facts["signature"] == str(metric.get_signature())
        assert sheet.facts["BLEU.tokenizer"] == "13a"
        assert sheet.facts["BLEU.effective_order"] is True

    def test_have_a_column_for_each_metric_and_system(self, two):
        evaluation = evaluate(two.test_set, metrics=[ChrfOptions(word_order=2)])
        sheet = segment_sheets.segment_scores_sheet(two.test_set, evaluation)
        assert keys(sheet) == [
            *("segment", "document", "label domain"),
            *(f"{metric}: {name}" for metric in ("BLEU", "chrF2++") for name in two.pair),
        ]
        expected = evaluation.metrics["chrF2++"].systems["two"].segment_scores
        assert sheet.frame["chrF2++: two"].tolist() == expected.tolist()
        assert sheet.facts["chrF2++.word_order"] == 2
        assert all(metric.name in sheet.caption for metric in evaluation.metrics.values())
        assert sheet.caption.endswith(" ".join(evaluation.remarks))

    def test_that_a_file_lacks_are_missing(self, two):
        scores = {"two": SystemScores(np.array([2]), np.array([0.0]), np.array([1]))}
        evaluation = evaluate(two.test_set, metrics=[SegmentScores("human", "h.tsv", scores, higher_is_better=False)])
        sheet = segment_sheets.segment_scores_sheet(two.test_set, evaluation)
        assert sheet.frame["human: one"].isna().all()
        assert sheet.frame["human: two"].isna().tolist() == [True, False, True]
        assert sheet.facts["human.file"] == "h.tsv"
        assert sheet.facts["human.higher_is_better"] is False

    def test_with_equal_names_stay_apart(self, score_texts):
        scored = score_texts({"b: c": ["x"], "c": ["y"]}, [["x"]])
        human = SystemScores(np.array([1]), np.array([1.0]), np.array([1]))
        names = {"m": {"b: c": human}, "m: b": {"c": human}}
        evaluation = evaluate(scored.test_set, metrics=[SegmentScores(name, "f", of) for name, of in names.items()])
        sheet = segment_sheets.segment_scores_sheet(scored.test_set, evaluation)
        assert keys(sheet)[3:] == ["m: b: c", "m: c", "m: b: b: c", "m: b: c (2)"]

    def test_weights_are_told_as_numbers_with_commas(self, two):
        evaluation = evaluate(two.test_set, BleuOptions(max_order=2, weights=(0.75, 0.25)))
        assert segment_sheets.segment_scores_sheet(two.test_set, evaluation).facts["BLEU.weights"] == "0.75,0.25"

    def test_in_tsv_are_the_numbers_of_the_engine(self, of_sample):
        sheet = segment_sheets.segment_scores_sheet(of_sample.test_set, of_sample.evaluation)
        read = pd.read_csv(io.BytesIO(write(sheet, "tsv")), sep="\t")
        for name, result in of_sample.evaluation.systems.items():
            assert read[f"BLEU: {name}"].tolist() == result.segment_scores.tolist()


class TestParquet:
    def test_has_the_numbers_of_the_engine(self, of_sample):
        read = pd.read_parquet(
            io.BytesIO(parquet_file(segment_sheets.segment_scores_sheet(of_sample.test_set, of_sample.evaluation)))
        )
        assert read["document"].tolist() == list(of_sample.test_set.documents)
        for name, result in of_sample.evaluation.systems.items():
            assert read[f"BLEU: {name}"].tolist() == result.segment_scores.tolist()

    def test_has_types_of_its_own_and_tells_the_facts(self):
        fields = (
            Field("name", "Name", "text"),
            Field("n", "number", "count"),
            Field("p", "p", "p"),
            Field("is_best", "best", "yes or no"),
            Field("interval", "95 % interval", "interval"),
        )
        frame = pd.DataFrame(
            {
                "name": ["=1+1\t", None],
                "n": [3, None],
                "p": [0.5, np.nan],
                "is_best": [True, None],
                "interval_low": [1, np.nan],
                "interval_high": [2.5, np.nan],
                "hidden": [0, 0],
            }
        )
        table = pq.read_table(io.BytesIO(parquet_file(Sheet("s", "Caption é.", fields, frame, {"seed": 7}))))
        types = dict(zip(table.schema.names, table.schema.types, strict=True))
        assert types == {
            "name": pa.string(),
            "n": pa.int64(),
            "p": pa.float64(),
            "is_best": pa.bool_(),
            "interval_low": pa.float64(),
            "interval_high": pa.float64(),
        }
        assert table.to_pylist() == [
            dict(zip(types, ["=1+1\t", 3, 0.5, True, 1.0, 2.5], strict=True)),
            dict.fromkeys(types),
        ]
        told = json.loads(table.schema.metadata[METADATA])
        assert told == {"name": "s", "caption": "Caption é.", "facts": {"seed": 7}}
        assert table.schema.field("p").metadata[b"kind"] == b"p"

    def test_tells_signature_digest_and_options(self, two):
        table = pq.read_table(
            io.BytesIO(parquet_file(segment_sheets.segment_scores_sheet(two.test_set, two.evaluation)))
        )
        facts = json.loads(table.schema.metadata[METADATA])["facts"]
        assert facts["digest"] == two.test_set.digest
        assert facts["signature"] == "nrefs:var|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"
        assert facts["BLEU.lowercase"] is False


class TestOneSegment:
    def test_has_scores_and_the_counts_behind_them(self, two):
        sheet = segment_sheets.one_segment_sheet(two, 0, ("two", "one"))
        first, second = sheet.frame.to_dict("records")
        assert [first[f"matches_{order}"] for order in (1, 2, 3, 4)] == [3, 2, 1, 0]
        assert [first[f"ngrams_{order}"] for order in (1, 2, 3, 4)] == [4, 3, 2, 1]
        assert [first[f"precision_{order}"] for order in (1, 2, 3, 4)] == pytest.approx([75, 200 / 3, 50, 50])
        assert first["bleu"] == two.evaluation.systems["two"].segment_scores[0]
        assert (second["system"], second["bleu"], second["brevity_penalty"]) == ("one", pytest.approx(100), 1)
        assert (second["hypothesis_length"], second["reference_length"]) == (4, 4)

    def test_has_no_precision_where_there_is_no_ngram(self, two):
        frame = segment_sheets.one_segment_sheet(two, 1, ("one",)).frame
        assert frame["precision_3"].isna().all()
        assert frame["ngrams_3"].tolist() == [0]

    def test_tells_what_other_metrics_say(self, two):
        with_chrf = replace(two, evaluation=evaluate(two.test_set, metrics=[ChrfOptions()]))
        sheet = segment_sheets.one_segment_sheet(with_chrf, 2, ("one",))
        expected = with_chrf.evaluation.metrics["chrF2"].systems["one"].segment_scores[2]
        assert sheet.frame["chrF2"].tolist() == [expected]


class TestNgrams:
    def test_matched_more_by_each_are_counted_for_a_and_b(self, two):
        choice = NgramChoice("won and lost", 1, AGAINST[0], PART, PART)
        sheet = ngram_sheets.ngrams_sheet(two, ngrams(two, choice), choice)
        rows = {(row["side"], row["ngram"]): row for row in sheet.frame.to_dict("records")}
        assert set(rows) == {("B", "z"), ("B", "u"), ("A", "d")}
        assert (rows["B", "z"]["more_matches_a"], rows["B", "z"]["more_matches_b"]) == (0, 1)
        assert (rows["A", "d"]["more_matches_a"], rows["A", "d"]["more_matches_b"]) == (1, 0)
        assert rows["A", "d"]["system"] == "one"
        assert rows["B", "u"]["part"] == -rows["A", "d"]["part"]

    @pytest.mark.parametrize(("view", "against", "order"), list(product(VIEWS, AGAINST, (1, 3))))
    def test_of_every_view_are_those_of_its_lists(self, of_sample, view, against, order):
        part = PART if against == AGAINST[0] or view == VIEWS[0] else WORTH
        choice = NgramChoice(view, order, against, part, RATIO, "the")
        lists = ngrams(of_sample, choice)
        sheet = ngram_sheets.ngrams_sheet(of_sample, lists, choice, most=5)
        rows = [(listed, row) for listed in lists for row in listed.ranked(RATIO, find="the", most=5)]
        assert sheet.frame["ngram"].tolist() == [" ".join(row.tokens) for _, row in rows]
        assert sheet.frame["log_likelihood"].tolist() == [row.ratio for _, row in rows]
        assert sheet.frame["worth" if part == WORTH else "part"].tolist() == [row.part for _, row in rows]
        counts = [field.key for field in sheet.fields if field.kind == "count"]
        assert [sorted(told) for told in sheet.frame[counts].to_numpy().tolist()] == [
            sorted(row.counts) for _, row in rows
        ]
        assert sheet.frame["side"].tolist() == [listed.side for listed, _ in rows]
        assert "ranked by log-likelihood ratio, of those that hold “the”." in sheet.caption

    @pytest.mark.parametrize(("asked", "listed"), [({}, ngram_tables.MAX_LISTED), ({"most": 120}, 120)])
    def test_are_as_many_as_on_the_page_unless_more_are_asked_for(self, of_sample, asked, listed):
        choice = NgramChoice("missed", 1, AGAINST[0], PART, PART)
        frame = ngram_sheets.ngrams_sheet(of_sample, ngrams(of_sample, choice), choice, **asked).frame
        assert (frame["side"] == "A").sum() == listed

    def test_of_one_system_have_no_side(self, one_system):
        alone = of(one_system, 0, 0)
        choice = NgramChoice("missed", 1, AGAINST[1], None, RATIO)
        sheet = ngram_sheets.ngrams_sheet(alone, ngrams(alone, choice), choice)
        assert keys(sheet) == ["system", "ngram", "missed", "too_often", "log_likelihood"]
        assert sheet.frame.loc[sheet.frame["ngram"] == "y", "missed"].tolist() == [1]

    def test_none_is_a_sheet_without_rows(self, two):
        choice = NgramChoice("won and lost", 1, AGAINST[0], PART, PART, "no such")
        sheet = ngram_sheets.ngrams_sheet(two, ngrams(two, choice), choice)
        assert len(sheet.frame) == 0
        assert sheet.frame["more_matches_a"].dtype == np.int64


class TestSlices:
    def test_of_every_kind_have_scores_tests_and_parts(self, of_sample):
        attribution = of_sample.attribution
        for kind in slice_kinds(of_sample.test_set):
            summary, tested = sliced(of_sample, kind, attribution)
            sheet = slice_sheets.slices_sheet(of_sample, summary, tested, others=("human",))
            frame = sheet.frame
            assert frame["slice"].tolist() == list(summary.slicing.names)
            assert frame["segments"].sum() == of_sample.test_set.n_segments
            assert frame["part"].sum() == pytest.approx(attribution.difference - attribution.jump)
            assert frame["BLEU: human"].tolist() == summary.scores["human"].tolist()
            p_values = [test.corrected_p_value for test in tested.tests.values()]
            assert [None if np.isnan(p) else p for p in frame["corrected_p_value"]] == p_values
            assert all((p is None) == (kind == "document") for p in p_values), "one document is one unit"
            has_interval = frame["difference_interval_low"].notna()
            assert has_interval.tolist() == [p is not None for p in p_values]
            assert (frame["difference_interval_low"] <= frame["difference_interval_high"])[has_interval].all()
            assert frame["significant"].tolist() == (frame["corrected_p_value"] < 0.05).tolist()
            for said in ("Approximate randomisation, 99 trials", "p corrected for"):
                assert (said in sheet.caption) == (kind != "document"), "no slice is tested: no test is named"
            used = replace(FEW, unit="document", correction="holm")  # slices share no draws
            assert sheet.facts["test_signature"] == used.signature()

    def test_are_listed_as_shown_and_those_not_tested_have_no_p(self, of_sample):
        summary, tested = sliced(of_sample, "reference length", None, chosen=(2,))
        frame = slice_sheets.slices_sheet(of_sample, summary, tested, np.array([0, 2])).frame
        assert frame["slice"].tolist() == [summary.slicing.names[0], summary.slicing.names[2]]
        assert frame["p_value"].isna().tolist() == [True, False]
        assert frame["significant"].tolist() == [False, frame["corrected_p_value"][1] < 0.05]
        assert "part" not in frame

    def test_of_one_system_have_its_score(self, one_system):
        alone = of(one_system, 0, 0)
        slicing = slice_segments(alone.test_set, "document", alone.evaluation.options)
        summary = slice_tables.summarise(alone.evaluation, slicing, alone.sides, None)
        sheet = slice_sheets.slices_sheet(alone, summary, None)
        assert keys(sheet) == ["slice", "segments", "small", "bleu"]

    def test_warn_of_a_test_whose_p_is_too_small(self, two):
        summary, _ = sliced(two, "document", None)
        compared = slice_tables.compared_pair(two.test_set, two.evaluation.metrics["BLEU"], two.pair)
        tested = compare_slices(compared, summary.slicing, replace(FEW, test="sacrebleu-bs"))
        assert "p-values are too small" in slice_sheets.slices_sheet(two, summary, tested).caption


class TestExample:
    def test_has_the_texts_of_a_segment_and_the_scores_of_its_outputs(self, sample):
        study = sample.study()
        frame = segment_sheets.example_sheet(study, 29, (*study.sides, "human")).frame
        first, second = study.sides
        assert frame.iloc[:, 0].tolist() == [
            "source",
            *sample.test_set.reference_names,
            f"A: {first}",
            f"B: {second}",
            "human",
        ]
        texts = [sample.test_set.source[29], *(column[29] for column in sample.test_set.references)]
        texts += [sample.test_set.system(name).hypotheses[29] for name in (first, second, "human")]
        assert frame["text"].tolist() == texts
        assert np.isnan(frame["bleu"][:3]).all()
        assert frame["bleu"][3] == sample.evaluation.systems[first].segment_scores[29]

    def test_is_a_table_for_papers_with_wide_texts(self, sample):
        written = write_text(segment_sheets.example_sheet(sample.study(), 29, sample.study().sides), "latex")
        assert r"\begin{tabular}{lp{0.60\linewidth}r}" in written
        assert sample.test_set.source[29].split()[1] in written


class TestEveryForm:
    @pytest.mark.parametrize("form", FORMS)
    def test_takes_every_sheet_whatever_the_texts(self, hostile, form):
        odd = of(hostile)
        attribution = odd.attribution
        summary, tested = sliced(odd, "document", attribution)
        choice = NgramChoice("missed", 1, AGAINST[0], PART, PART)
        for sheet in (
            attribution_sheets.attribution_sheet(attribution, odd.evaluation),
            difference_sheets.documents_sheet(odd, attribution),
            segment_sheets.segments_sheet(odd, np.arange(3), attribution.segments),
            segment_sheets.segment_scores_sheet(odd.test_set, odd.evaluation),
            segment_sheets.one_segment_sheet(odd, 0, odd.evaluation.names),
            segment_sheets.example_sheet(odd, 0, odd.evaluation.names),
            ngram_sheets.ngrams_sheet(odd, ngrams(odd, choice), choice),
            slice_sheets.slices_sheet(odd, summary, tested),
        ):
            assert len(write(sheet, form)) > len(sheet.frame)
            assert sheet.facts["digest"] == odd.test_set.digest
            assert odd.evaluation.signature.partition("|eff")[0] in sheet.caption


class TestOneSegmentOnItsPage:
    def test_gives_scores_counts_and_lengths_of_the_segment(self, sample, read_html):
        names = ("fluent", "human")
        rows = read_html(html_table(segment_sheets.one_segment_sheet(of(sample), 7, names), sample.looks)).rows()[1:]
        for name, row in zip(names, rows, strict=True):
            result = sample.evaluation.systems[name]
            counts = result.counts[7].tolist()
            assert row[1] == numbers.score(result.segment_scores[7])
            assert [cell.split(" ")[-1] for cell in row[2:6]] == [
                f"{matched}/{total}" for matched, total in zip(counts[2:6], counts[6:], strict=True)
            ]
            assert row[-2:] == [str(counts[0]), str(counts[1])]

    def test_says_that_a_short_segment_has_no_longer_ngrams(self, score_texts, read_html):
        scored = score_texts({"a": ["x y"], "b": [""]}, [["x z"]])
        sheet = segment_sheets.one_segment_sheet(of(scored), 0, ("a", "b"))
        short, empty = read_html(html_table(sheet, scored.looks)).rows()[1:]
        assert short[2:6] == ["50.0 1/2", "50.0 0/1", "–", "–"]
        assert empty[1:7] == ["0.00", "–", "–", "–", "–", "0.000"]


class TestNotes:
    def test_are_kept_from_formulas_by_the_rule_of_all_sheets(self, score_texts):
        for text in ("=1", " \t+1", "＠x", '"=1"', "-", "a=b", "plain"):
            scored = score_texts({"a": ["x"]}, [["x"]], source=[text])
            sheet = segment_sheets.segments_sheet(of(scored, 0, 0), np.array([0]), None)
            in_sheet = pd.read_csv(io.BytesIO(write(sheet, "csv")))["source"][0]
            note = pd.read_csv(
                io.StringIO(write_text(notes_sheet(scored.test_set, {0: SegmentNote("", text)}), "quoted-tsv")),
                sep="\t",
            )
            assert note["note"][0] == note["source"][0] == in_sheet
            assert in_sheet.startswith("'") == (text not in ("a=b", "plain"))


def ngrams(two, choice):
    """The lists of a choice, as the page makes them."""
    attribution = two.attribution
    tokens = pair_tokens(two.test_set, two.both, two.evaluation.options)
    types = ngram_types(tokens, attribution.match_values, n_leading=ngram_tables.N_LEADING)[choice.order - 1]
    if choice.view == "won and lost":
        return ngram_tables.won_and_lost(types)
    if choice.against == AGAINST[0]:
        return ngram_tables.unmatched_by_system(types, choice.view, attribution)
    sides = "BA" if two.compares else "A"
    return [ngram_tables.unmatched_by_references(types, choice.view, attribution, tokens, side) for side in sides]


def sliced(two, kind, attribution, chosen=None):
    """The slices of a kind and their tests."""
    slicing = slice_segments(two.test_set, kind, two.evaluation.options)
    compared = slice_tables.compared_pair(two.test_set, two.evaluation.metrics["BLEU"], two.pair)
    tested = compare_slices(compared, slicing, FEW, chosen=chosen)
    return slice_tables.summarise(two.evaluation, slicing, two.pair, attribution), tested
