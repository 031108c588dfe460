"""Slices as tables, figures and words, and in the address."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore import BleuOptions, ChrfOptions, System, TerOptions, TestSet
from bleucore.analysis.attribution import attribute
from bleucore.analysis.slices import DOCUMENT, REFERENCE_LENGTH, compare_slices, slice_kinds, slice_segments
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import read_segment_scores
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Loaded, Settings, study_of
from bleuscope.content.sheets.clicked import clicked_rows
from bleuscope.content.slices import slice_figures, slice_tables, slice_words
from bleuscope.content.slices.slice_sheets import slices_sheet
from bleuscope.content.slices.slice_tables import AS_GIVEN, BY_DELTA, BY_PART, BY_SIZE, MAX_SLICES
from bleuscope.content.style.identity import SIDE_COLOURS

QUICK = SignificanceOptions(trials=999, resamples=100, unit="segment")
BY_DOCUMENT = replace(QUICK, unit="document")


class Sliced:
    """Two systems of a test set in slices; segments are independent unless documents are the unit."""

    def __init__(self, scored, kind, *, pair=None, options=QUICK, chosen=None):
        self.pair = pair or scored.pair()
        self.compared = scored.study(self.pair)
        counts = (scored.evaluation.systems[name].counts for name in self.pair)
        self.attribution = attribute(*counts, scored.evaluation.options, names=self.pair)
        self.slicing = slice_segments(scored.test_set, kind, scored.evaluation.options)
        self.summary = slice_tables.summarise(scored.evaluation, self.slicing, self.compared.sides, self.attribution)
        self.tested = None
        if self.summary.compares:
            systems = slice_tables.compared_pair(scored.test_set, scored.evaluation.metrics["BLEU"], self.pair)
            if options.unit == "segment":
                systems = replace(systems, documents=None, items=None)
            self.tested = compare_slices(systems, self.slicing, options, chosen=chosen)
        self.shown = np.arange(self.slicing.n_slices) if chosen is None else np.array(chosen)

    def table(self, others=()):
        """The table as it is clicked."""
        return clicked_rows(slices_sheet(self.compared, self.summary, self.tested, self.shown, others=others))

    def figure(self, shown=None):
        """What is drawn of it."""
        sheet = slices_sheet(self.compared, self.summary, self.tested, self.shown if shown is None else shown)
        return slice_figures.slices_figure(sheet, self.summary.scale)

    @property
    def rows(self):
        """What the table holds."""
        return self.table().data


@pytest.fixture(scope="module")
def documents(sample):
    return Sliced(sample, DOCUMENT)


@pytest.fixture(scope="module")
def lengths(sample):
    return Sliced(sample, REFERENCE_LENGTH)


@pytest.fixture(scope="module")
def many(score_texts):
    """A hundred documents of six segments; how much better B is differs."""
    words = list("abcdefghij")
    texts = [" ".join(words[: 4 + row // 6 % 6]) for row in range(600)]
    first = [" ".join([*words[:2], *["x"] * 4]) for _ in range(600)]
    return Sliced(
        score_texts(
            {"one": first, "two": texts},
            [[" ".join(words)] * 600],
            BleuOptions("none", max_order=2),
            documents=[f"d{row // 6:03d}" for row in range(600)],
        ),
        DOCUMENT,
        chosen=[0, 1],
    )


class TestSummary:
    def test_the_parts_of_all_slices_add_up_to_the_difference(self, documents, lengths):
        for sliced in (documents, lengths):
            assert sliced.summary.parts.sum() == pytest.approx(sliced.attribution.difference - sliced.attribution.jump)

    def test_the_difference_of_a_slice_is_that_of_its_scores_and_of_its_test(self, documents):
        first, second = (documents.summary.scores[name] for name in documents.pair)
        assert documents.summary.delta == pytest.approx(second - first)
        tested = [documents.tested.tests[index].difference for index in range(documents.slicing.n_slices)]
        assert documents.summary.delta == pytest.approx(tested)

    def test_slices_below_thirty_segments_are_small(self, documents, lengths):
        assert documents.summary.is_small.all()
        assert lengths.summary.is_small.tolist() == (lengths.slicing.sizes < 30).tolist()

    def test_one_system_has_scores_and_neither_differences_nor_parts(self, one_system):
        sliced = Sliced(one_system, DOCUMENT)
        assert not sliced.summary.compares
        assert sliced.summary.parts is None
        assert sliced.summary.orders() == (BY_SIZE, AS_GIVEN)

    def test_nothing_to_divide_leaves_no_order_by_parts(self, score_texts):
        nothing = score_texts({"one": ["x"], "two": ["y"]}, [["z"]], documents=["d"])
        assert Sliced(nothing, DOCUMENT).summary.orders() == (BY_DELTA, BY_SIZE, AS_GIVEN)


class TestOrder:
    def test_buckets_stay_as_they_follow_on_each_other(self, lengths):
        assert lengths.summary.orders() == (AS_GIVEN,)
        assert lengths.summary.shown(AS_GIVEN).tolist() == list(range(lengths.slicing.n_slices))

    @pytest.mark.parametrize("order", [BY_DELTA, BY_PART, BY_SIZE])
    def test_documents_are_sorted_the_largest_first(self, documents, order):
        values = {
            BY_DELTA: documents.summary.delta,
            BY_PART: documents.summary.parts,
            BY_SIZE: documents.slicing.sizes,
        }[order]
        shown = documents.summary.shown(order)
        assert (np.diff(values[shown]) <= 0).all()

    def test_of_many_those_that_differ_most_are_shown_half_for_each_side(self, many):
        order = np.argsort(-many.summary.delta, kind="stable")
        shown = many.summary.shown(BY_DELTA)
        assert len(shown) == MAX_SLICES
        assert shown.tolist() == [*order[:20].tolist(), *order[-20:].tolist()]
        assert len(many.summary.shown(BY_DELTA, None)) == 100
        assert many.summary.shown(AS_GIVEN).tolist() == list(range(40))


class TestTable:
    def test_has_size_scores_difference_interval_p_and_part(self, documents):
        rows = documents.rows
        assert rows.columns.tolist() == [
            *(DOCUMENT, "segments", "size", "BLEU A", "BLEU B", "Δ", "95 % interval", "p", "contribution to Δ")
        ]
        assert rows[DOCUMENT].str.strip().tolist() == list(documents.slicing.names)
        assert rows["segments"].tolist() == documents.slicing.sizes.tolist()
        assert set(rows["size"]) == {"small"}
        assert rows["Δ"].tolist() == documents.summary.delta.tolist()

    def test_writes_numbers_as_everywhere(self, documents):
        shown = documents.table(documents.pair).to_html()
        assert f"{documents.summary.delta[0]:+.2f}".replace("-", "−") in shown

    def test_says_nothing_of_small_slices_where_there_is_none(self, sample):
        sliced = Sliced(sample, "rarity of words")
        assert (sliced.slicing.sizes >= 30).all()
        assert "size" not in sliced.rows.columns

    def test_further_systems_stand_behind_by_their_names(self, sample, documents):
        others = [name for name in sample.evaluation.names if name not in documents.pair]
        frame = documents.table(others)
        assert frame.data.columns.tolist()[-len(others) :] == [f"{name} BLEU" for name in others]
        assert frame.data[f"{others[0]} BLEU"].tolist() == documents.summary.scores[others[0]].tolist()

    def test_a_system_named_like_a_letter_is_told_from_the_pair(self, score_texts):
        scored = score_texts({"one": ["x"], "A": ["y"], "two": ["z"]}, [["z"]], documents=["d"])
        sliced = Sliced(scored, DOCUMENT, pair=("one", "two"))
        frame = sliced.table(("A",))
        assert [head for head in frame.data.columns if "BLEU" in head] == ["BLEU A", "BLEU B", "A BLEU"]

    def test_marks_what_is_significant_and_what_has_no_test_or_interval(self, documents, score_texts):
        assert any(cell.endswith("*") for cell in documents.rows["p"])
        single = Sliced(score_texts({"one": ["a"], "two": ["b"]}, [["b"]], documents=["d"]), DOCUMENT)
        assert single.rows["95 % interval"].tolist() == ["–"]
        assert single.rows["p"].tolist() == ["no test"]
        one_block = replace(QUICK, test="block-t")
        untested = Sliced(
            score_texts({"one": ["a"], "two": ["b"]}, [["b"]], documents=["d"]), DOCUMENT, options=one_block
        )
        assert untested.rows["p"].tolist() == ["no test"]

    def test_of_one_system_has_its_scores_alone(self, one_system):
        sliced = Sliced(one_system, DOCUMENT)
        frame = sliced.table()
        assert frame.data.columns.tolist() == [DOCUMENT, "segments", "size", "only BLEU"]

    def test_a_slice_without_a_name_is_seen(self, score_texts):
        scored = score_texts({"one": ["a", "b"]}, [["a", "b"]], labels={"x": ["", "y"]})
        sliced = Sliced(scored, "label x")
        frame = sliced.table()
        assert frame.data["label x"].str.strip().tolist() == ["(empty)", "y"]


class TestAddress:
    def test_leads_back_to_the_segments_of_the_slice(self, lengths):
        for index in range(lengths.slicing.n_slices):
            address = slice_tables.address_of(lengths.slicing, index)
            assert slice_tables.kind_in_address(address, (DOCUMENT, REFERENCE_LENGTH)) == REFERENCE_LENGTH
            found = slice_tables.segments_of(address, lengths.slicing)
            assert found.tolist() == lengths.slicing.segments(index).tolist()

    def test_of_a_label_with_a_colon_is_told_from_that_of_a_shorter_name(self, score_texts):
        columns = {"a": ["b:c", "d"], "a:b": ["c", "d"]}
        scored = score_texts({"one": ["x", "y"]}, [["x", "y"]], labels=columns)
        kinds = slice_kinds(scored.test_set)
        assert slice_tables.kind_in_address("label a:d", kinds) == "label a"
        assert slice_tables.kind_in_address("label a:b:d", kinds) == "label a:b"

    def test_of_no_slice_leads_nowhere(self, lengths):
        assert slice_tables.kind_in_address("nothing", (REFERENCE_LENGTH,)) is None
        assert slice_tables.segments_of("reference length:no such", lengths.slicing) is None


class TestFigure:
    def test_shows_differences_with_intervals_and_parts_in_the_order_of_the_table(self, documents):
        shown = documents.summary.shown(BY_DELTA)
        figure = documents.figure(shown)
        delta, parts = figure.data
        assert list(delta.x) == documents.summary.delta[shown].tolist()
        assert list(parts.x) == documents.summary.parts[shown].tolist()
        rows = [*range(len(shown))]
        assert [data[0] for data in delta.customdata] == rows == [data[0] for data in parts.customdata]
        low, high = documents.tested.tests[int(shown[0])].interval
        assert delta.x[0] + delta.error_x.array[0] == pytest.approx(high)
        assert delta.x[0] - delta.error_x.arrayminus[0] == pytest.approx(low)
        assert [figure.layout[f"xaxis{number}"].title.text for number in ("", 2)] == [
            "Δ BLEU (B − A)",
            "contribution to Δ BLEU",
        ]

    def test_hatches_small_slices(self, lengths):
        figure = lengths.figure()
        shapes = [shape == "/" for shape in figure.data[0].marker.pattern.shape]
        assert shapes == lengths.summary.is_small.tolist()

    def test_of_a_single_small_slice_says_so_in_the_singular(self, score_texts, read_html):
        alone = score_texts({"one": ["x y"], "two": ["y z"]}, [["x z"]], documents=["d"])
        said = read_html(slice_words.rule_note(Sliced(alone, DOCUMENT).summary)).text
        assert said.endswith(" It has fewer than 30 segments (hatched).")

    def test_hatches_without_a_warning_of_plotly(self, lengths):
        marker = lengths.figure().data[0].marker
        assert isinstance(marker.pattern.bgcolor, str), "the contrast is to one colour, and a list is none"

    def test_without_parts_shows_differences_alone(self, score_texts):
        nothing = score_texts({"one": ["x"], "two": ["y"]}, [["z"]], documents=["d"])
        sliced = Sliced(nothing, DOCUMENT)
        figure = sliced.figure()
        assert len(figure.data) == 1
        assert list(figure.data[0].error_x.array) == [0]

    def test_escapes_hostile_names(self, hostile):
        sliced = Sliced(hostile, DOCUMENT)
        figure = sliced.figure()
        assert not any("<" in text for text in figure.layout.yaxis.ticktext)
        assert not any("<" in data[1] for data in figure.data[0].customdata)


class TestWords:
    def text(self, read_html, html):
        return read_html(html).text

    def test_say_how_the_segments_were_divided_and_how_many_slices_are_small(self, documents, lengths, read_html):
        assert self.text(read_html, slice_words.rule_note(documents.summary)) == (
            "12 slices: one per document. All have fewer than 30 segments (hatched)."
        )
        said = self.text(read_html, slice_words.rule_note(lengths.summary))
        assert "length of the reference in tokens (mean of the references), in steps of" in said

    def test_say_in_how_many_slices_each_system_is_ahead_and_where_surely(self, documents, read_html):
        said = self.text(read_html, slice_words.verdict(documents.summary, documents.tested))
        n_ahead = int((documents.summary.delta > 0).sum())
        first, second = documents.pair
        assert said.startswith(f"{second} wins {n_ahead}, loses {12 - n_ahead} and ties 0 slices against {first}.")
        n_sure = sum(documents.tested.is_significant(index) for index in range(12))
        n_for_b = sum(
            documents.tested.is_significant(index) and documents.summary.delta[index] > 0 for index in range(12)
        )
        assert f"{n_for_b} for B, {n_sure - n_for_b} for A" in said

    def test_say_so_where_chance_could_give_all_that(self, twins, read_html):
        sliced = Sliced(twins, DOCUMENT)
        said = self.text(read_html, slice_words.verdict(sliced.summary, sliced.tested))
        assert said == (
            "second wins 0, loses 0 and ties 2 slices against first. No slice has the 6 segments that a test needs."
        )

    def test_name_the_test_and_count_slices_that_are_not_shown(self, many, read_html):
        note = slice_words.method_note(many.summary, many.tested)
        assert self.text(read_html, note) == (
            "Approximate randomisation, 999 trials. p corrected for 100 slices, shown or not (Holm). * Significant "
            "below .05. 95 % bootstrap intervals, 100 resamples. Tests exchange and resample segments "
            "within each slice."
            "999 trials are too few to show any difference among 100 comparisons: even one that none of them reaches "
            "is not significant. It takes 2\u202f000 trials."
        )
        said = self.text(read_html, slice_words.verdict(many.summary, many.tested))
        assert said.endswith("With so few trials, no difference can be significant.")

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"correction": "none"}, "p not corrected for 12 slices"),
            ({"test": "paired-bootstrap"}, "Paired bootstrap, 100 resamples"),
            ({"test": "block-t"}, "Paired t-test over blocks of each slice"),
            ({"test": "sacrebleu-bs"}, "p-values are too small"),
        ],
    )
    def test_name_other_settings(self, sample, read_html, options, words):
        sliced = Sliced(sample, DOCUMENT, options=replace(QUICK, **options))
        note = slice_words.method_note(sliced.summary, sliced.tested)
        assert words in self.text(read_html, note)

    def test_say_that_slices_with_few_documents_have_no_test(self, sample, read_html):
        sliced = Sliced(sample, DOCUMENT, options=BY_DOCUMENT)
        assert "No slice has the 6 documents that a test needs." in self.text(
            read_html, slice_words.verdict(sliced.summary, sliced.tested)
        )
        assert not slice_words.method_note(sliced.summary, sliced.tested)
        assert (
            slice_words.method_words(sliced.summary, sliced.tested) == "No slice has the 6 documents that a test needs"
        )

    def test_count_slices_without_a_test_among_all_and_not_among_those_shown(self, many):
        few = replace(many.tested, n_tests=97)
        assert slice_words.method_words(many.summary, few).endswith(
            ". 3 of 100 slices have no test, which needs 6 segments"
        )

    @pytest.mark.parametrize(
        ("order", "words"),
        [(BY_DELTA, "differ most"), (BY_PART, "add most"), (BY_SIZE, "are largest"), (AS_GIVEN, "come first")],
    )
    def test_say_which_of_many_are_shown(self, many, order, words):
        shown = many.summary.shown(order)
        assert words in slice_words.shown_note(many.summary, shown, order)
        assert "of 100" in slice_words.shown_note(many.summary, shown, order)
        assert slice_words.all_slices_label(many.summary) == "Show all 100 slices, not 40"


class TestAnyMetric:
    """Slices of two systems in other metrics than BLEU."""

    def of(self, scored, options):
        metric, pair = evaluate_metric(scored.test_set, options), scored.pair()
        slicing = slice_segments(scored.test_set, REFERENCE_LENGTH, scored.evaluation.options)
        parts = attribute(*(metric.systems[name].counts for name in pair), options, names=pair)
        summary = slice_tables.summarise(scored.evaluation, slicing, pair, parts, metric)
        systems = replace(slice_tables.compared_pair(scored.test_set, metric, pair), documents=None, items=None)
        return summary, parts, compare_slices(systems, slicing, QUICK)

    def test_slices_have_its_scores_and_parts_that_add_up(self, sample):
        summary, parts, tested = self.of(sample, ChrfOptions())
        rows, index = summary.slicing.segments(1), np.arange(summary.slicing.n_slices)
        part = TestSet(
            [System(one.name, [one.hypotheses[row] for row in rows]) for one in sample.test_set.systems],
            [[column[row] for row in rows] for column in sample.test_set.references],
        )
        alone = evaluate_metric(part, ChrfOptions())
        for name in summary.pair:
            assert summary.scores[name][1] == pytest.approx(alone.systems[name].score)
        assert summary.parts.sum() == pytest.approx(parts.difference - parts.jump)
        compared = sample.study(summary.pair)
        sheet = slices_sheet(compared, summary, tested, index)
        assert {"chrF2 A", "chrF2 B"} < set(clicked_rows(sheet).data)
        figure = slice_figures.slices_figure(sheet, summary.scale)
        assert (figure.layout.xaxis.title.text, figure.layout.xaxis2.title.text) == (
            "Δ chrF2 (B − A)",
            "contribution to Δ chrF2",
        )

    def test_a_sheet_names_it_with_its_signature(self, sample):
        summary, _, tested = self.of(sample, ChrfOptions())
        compared = sample.study(summary.pair)
        sheet = slices_sheet(compared, summary, tested)
        assert {"chrf2_a", "chrf2_b"} < set(sheet.frame)
        assert sheet.caption.startswith("chrF2 by reference length: ")
        assert sheet.facts["signature"] == summary.metric.signature
        assert f"Signature: {summary.metric.signature}." in sheet.caption

    def test_fewer_edits_are_ahead(self, score_texts, read_html):
        texts = {"one": ["a b c d"] * 12, "two": ["a b x y"] * 12}
        scored = score_texts(texts, [["a b c d"] * 12])
        summary, _, tested = self.of(scored, TerOptions())
        assert summary.delta.tolist() == [50.0]
        assert summary.gain.tolist() == [-50.0]
        words = read_html(slice_words.verdict(summary, tested)).text
        assert words.startswith("two wins 0, loses 1 and ties 0 slices against one.")
        assert words.endswith("0 for B, 1 for A.")
        figure = slice_figures.slices_figure(slices_sheet(scored.study(), summary, tested), summary.scale)
        colours = [trace.marker.color for trace in figure.data]
        assert colours == [(SIDE_COLOURS["A"],), (SIDE_COLOURS["A"],)]

    def test_a_slice_without_a_score_has_none(self, score_texts):
        scored = score_texts(
            {"one": ["a", "a b c d e f g h i j k l"], "two": ["b", "c"]}, [["a", "a b c d e f g h i j k l"]]
        )
        lines = ["system\tsegment\tcomet", "one\t1\t0.5", "two\t1\t0.25"]
        (scores,) = read_segment_scores("s.tsv", "\n".join(lines).encode())
        metric, slicing = (
            evaluate_metric(scored.test_set, scores),
            slice_segments(scored.test_set, REFERENCE_LENGTH, scored.evaluation.options),
        )
        summary = slice_tables.summarise(scored.evaluation, slicing, scored.pair(), None, metric)
        assert summary.scores["one"].tolist() == pytest.approx([0.5, np.nan], nan_ok=True)
        compared = study_of(Loaded(scored.test_set), scored.evaluation, Settings(pair=scored.pair()))
        html = clicked_rows(slices_sheet(compared, summary, None)).to_html()
        assert "0.5000" in html
        assert "nan" not in html
