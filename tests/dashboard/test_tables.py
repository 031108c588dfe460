"""Tables of results."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions
from bleuscope.content.comparison import text_sheets
from bleuscope.content.comparison.test_set_facts import test_set_facts
from bleuscope.content.scores import score_sheets
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import numbers
from bleuscope.content.style.markup import snippet

test_set_facts.__test__ = False


def systems_rows(scored, read_html, baseline=None):
    sheet = score_sheets.tested_systems_sheet(
        scored.evaluation, scored.comparison, baseline or scored.evaluation.names[0], others={}
    )
    return read_html(html_table(sheet, scored.looks)).rows()


class TestSystemsTable:
    def test_gives_every_part_of_the_score_best_system_first(self, sample, read_html):
        heading, *rows = systems_rows(sample, read_html)
        assert heading[:6] == ["system", "BLEU ↑", "95 % interval", "Δ", "p", "ranks"]
        assert len(heading) == 14
        assert [row[0] for row in rows] == list(sample.evaluation.ranked())
        for name, row in zip(sample.evaluation.ranked(), rows, strict=True):
            score = sample.evaluation.systems[name].score
            assert row[1] == numbers.score(score.score)
            low, high = sample.comparison.intervals[name]
            assert row[2] == f"{numbers.score(low)} to {numbers.score(high)}"
            assert row[6:10] == [numbers.precision(value) for value in score.precisions]
            assert row[10] == numbers.ratio(score.brevity_penalty)
            assert row[11:13] == [numbers.count(score.hypothesis_length), numbers.count(score.reference_length)]
            assert row[13] == numbers.ratio(score.length_ratio)

    def test_gives_p_against_the_baseline_and_the_ranks(self, sample, read_html):
        against = sample.comparison.against("neural-40k")
        for row in systems_rows(sample, read_html, "neural-40k")[1:]:
            name = row[0]
            assert row[4].startswith("–" if name == "neural-40k" else numbers.p_value(against[name].corrected_p_value))
            first, last = sample.comparison.rank_range(name)
            assert row[5] == (str(first) if first == last else f"{first}–{last}")

    def test_measures_differences_from_the_baseline(self, sample, read_html):
        base = sample.evaluation.systems["neural-40k"].score.score
        for name, row in zip(
            sample.evaluation.ranked(), systems_rows(sample, read_html, "neural-40k")[1:], strict=True
        ):
            difference = sample.evaluation.systems[name].score.score - base
            assert row[3] == ("baseline" if name == "neural-40k" else numbers.difference(difference))

    def test_before_the_tests_keeps_the_places_of_what_they_say(self, sample, read_html):
        base = sample.evaluation.names[0]
        html = html_table(score_sheets.tested_systems_sheet(sample.evaluation, None, base, others={}), sample.looks)
        waiting, tested = read_html(html).rows(), systems_rows(sample, read_html)
        assert waiting[0] == tested[0]
        for before, after in zip(waiting[1:], tested[1:], strict=True):
            assert [before[2], *before[4:6]] == ["…"] * 3
            after[3] = "–" if after[3] == "baseline" else after[3]
            assert before[:2] + before[3:4] + before[6:] == after[:2] + after[3:4] + after[6:]

    def test_of_one_system_has_one_row_and_no_difference(self, one_system, read_html):
        heading, row = systems_rows(one_system, read_html)
        assert heading[:4] == ["system", "BLEU ↑", "95 % interval", "p1"]
        assert len(row) == len(heading)

    def test_of_identical_systems_has_a_difference_of_zero(self, twins, read_html):
        assert [row[3] for row in systems_rows(twins, read_html)[1:]] == ["baseline", "0.00"]

    @pytest.mark.parametrize("max_order", [1, 2, 6])
    def test_has_a_precision_of_every_order_counted(self, score_texts, read_html, max_order):
        scored = score_texts({"a": ["x y"]}, [["x z"]], BleuOptions(max_order=max_order))
        assert {len(row) for row in systems_rows(scored, read_html)} == {7 + max_order}

    def test_of_empty_hypotheses_has_zeros_and_no_nan(self, score_texts, read_html):
        rows = systems_rows(score_texts({"a": ["", ""], "b": ["x", ""]}, [["x", "y"]]), read_html)
        assert rows[1][1:6] == ["0.00", "–", "baseline", "–", "1–2"]
        assert rows[1][6:] == ["0.0", "0.0", "0.0", "0.0", "0.000", "0", "2", "0.000"]

    def test_keeps_names_as_text(self, hostile, read_html):
        names = [row[0] for row in systems_rows(hostile, read_html)[1:]]
        assert sorted(names) == sorted(hostile.evaluation.names)


class TestOrdersTable:
    def test_ends_with_the_corpus_score(self, sample, read_html):
        heading, *rows = read_html(html_table(score_sheets.orders_sheet(sample.evaluation), sample.looks)).rows()
        assert len(heading) == 9
        for name, row in zip(sample.evaluation.ranked(), rows, strict=True):
            score = sample.evaluation.systems[name].score
            assert row[1:5] == [numbers.precision(value) for value in score.precisions]
            assert row[-1] == numbers.score(score.score)

    def test_keeps_names_as_text(self, hostile, read_html):
        rows = read_html(html_table(score_sheets.orders_sheet(hostile.evaluation), hostile.looks)).rows()
        assert sorted(row[0] for row in rows[1:]) == sorted(hostile.evaluation.names)


class TestTextsTable:
    def test_has_every_text_of_the_first_segments_in_one_row(self, sample, read_html):
        rows = read_html(html_table(text_sheets.texts_sheet(sample.test_set, 5))).rows()
        assert len(rows) == 6
        assert rows[0][-8:] == list(sample.test_set.system_names)
        assert rows[1][2] == sample.test_set.source[0]
        assert rows[1][-1] == sample.test_set.systems[-1].hypotheses[0]

    def test_says_what_is_missing_and_what_is_empty(self, score_texts, read_html):
        scored = score_texts({"a": ["x", ""]}, [["x", "y"], ["z", None]])
        assert read_html(html_table(text_sheets.texts_sheet(scored.test_set, 5))).rows()[2] == [
            "2",
            "y",
            "none",
            "empty",
        ]

    def test_are_read_aloud_in_their_language(self, score_texts, read_html):
        scored = score_texts({"a": ["x"]}, [["y"]], source=["z"], languages=("uk", "zh-Hans"))
        texts = read_html(html_table(text_sheets.texts_sheet(scored.test_set))).elements
        spoken = [(one.text, one.attributes["lang"]) for one in texts if "lang" in one.attributes]
        assert spoken == [("z", "uk"), ("y", "zh-Hans"), ("x", "zh-Hans")]

    def test_keeps_every_text_and_name_as_text_in_its_own_direction(self, hostile, read_html):
        page = read_html(html_table(text_sheets.texts_sheet(hostile.test_set, 20)))
        rows = page.rows()
        assert rows[0][3:5] == list(hostile.test_set.reference_names)
        assert rows[0][5:] == list(hostile.test_set.system_names)
        for index, row in enumerate(rows[1:]):
            assert row[1] == hostile.test_set.documents[index]
            assert row[2] == hostile.test_set.source[index]
            assert set(row[5:]) == {hostile.test_set.systems[0].hypotheses[index]}
        assert {element.attributes["dir"] for element in page.of_tag("span")} == {"auto"}


def not_a_number(page):
    return re.findall(r"\b(?:nan|inf|None)\b", page.text, re.IGNORECASE)


class TestSnippet:
    @pytest.mark.parametrize(
        ("text", "length", "expected"),
        [
            ("short", 10, "short"),
            ("", 10, ""),
            ("two\n lines\tof  it", 20, "two lines of it"),
            ("exactly ten", 11, "exactly ten"),
            ("one too many", 11, "one too ma…"),
            ("cut at a blank", 8, "cut at…"),
        ],
    )
    def test_is_the_beginning_on_one_line(self, text, length, expected):
        assert snippet(text, length) == expected

    @given(text=st.text(), length=st.integers(2, 40))
    def test_is_never_longer_than_asked_for(self, text, length):
        assert len(snippet(text, length)) <= length
        assert "\n" not in snippet(text, length)


class TestFacts:
    def test_count_what_a_test_set_holds(self, sample):
        facts = {name: value for value, name in test_set_facts(sample.test_set)}
        assert facts == {"segments": "216", "systems": "8", "references": "2", "source": "1", "documents": "12"}

    def test_of_one_thing_are_in_the_singular(self, score_texts):
        scored = score_texts({"a": ["x"]}, [["x"]], documents=["one"])
        named = [name for _, name in test_set_facts(scored.test_set)]
        assert named == ["segment", "system", "reference", "source", "document"]

    def test_say_what_is_missing_or_empty(self, score_texts):
        scored = score_texts({"a": ["x", " "]}, [["x", "y"], [None, "z"]])
        facts = {value_name[1]: value_name[0] for value_name in test_set_facts(scored.test_set)}
        assert facts["system"] == "1"
        assert facts["source"] == "no"
        assert facts["empty hypothesis"] == "1"
        assert facts["missing reference text"] == "1"
        assert "documents" not in facts
