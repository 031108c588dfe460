"""Lists of n-grams: what is in them, how they are ranked and searched, and what is said of them."""

import re

import numpy as np
import pytest

from bleucore import BleuOptions
from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_types import NgramSegments, ngram_types, pair_tokens
from bleuscope.content.comparison.comparison_context import Loaded, Settings, study_of
from bleuscope.content.ngrams import ngram_tables, ngram_words
from bleuscope.content.ngrams.ngram_sheets import ngram_list_sheet
from bleuscope.content.ngrams.ngram_tables import (
    ANYWHERE,
    N_LEADING,
    PART,
    RATIO,
    WHERE,
    WORTH,
    NgramChoice,
    NgramList,
    NgramRow,
    address_of,
    as_read,
    of_address,
    written,
)
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.clicked import clicked_rows
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.style import numbers

OPTIONS = BleuOptions("none", max_order=2, smoothing="floor")
FIRST = ["the cat the cat", "a dog ran", "so it is"]
SECOND = ["the cat sat", "the dog ran", "so is it , so"]
REFERENCE = ["the cat sat down", "the dog ran", "so it is"]


class Counted:
    """Two systems with their n-grams."""

    def __init__(self, scored):
        self.pair = scored.pair()
        first, second = (scored.evaluation.systems[name].counts for name in self.pair)
        self.attribution = attribute(first, second, scored.evaluation.options, names=self.pair)
        self.tokens = pair_tokens(scored.test_set, self.pair, scored.evaluation.options)
        self.types = ngram_types(self.tokens, self.attribution.match_values, n_leading=N_LEADING)


@pytest.fixture(scope="module")
def small(score_texts):
    return Counted(score_texts({"one": FIRST, "two": SECOND}, [REFERENCE], OPTIONS))


@pytest.fixture(scope="module")
def sample_counts(sample):
    return Counted(sample)


def by_ngram(listed):
    return {" ".join(row.tokens): row.counts for row in listed.rows}


def listed(*rows, n_types=None):
    return NgramList("B", ANYWHERE, ("B", "A"), rows, n_types)


class TestWonAndLost:
    def test_lists_what_each_system_matches_more_often(self, small):
        won, lost = ngram_tables.won_and_lost(small.types[1])
        assert (won.side, won.heads, by_ngram(won), won.n_types) == (
            "B",
            ("B +", "A +"),
            {"cat sat": (1, 0), "the dog": (1, 0)},
            2,
        )
        assert (lost.side, by_ngram(lost)) == ("A", {"so it": (1, 0), "it is": (1, 0)})

    def test_the_parts_of_all_ngrams_are_the_part_of_the_order(self, small):
        for types in small.types:
            rows = [row for one in ngram_tables.won_and_lost(types) for row in one.rows]
            assert sum(row.part for row in rows) == pytest.approx(types.part)


class TestOverGeneratedAndMissed:
    def test_lists_what_each_system_has_too_often_more_than_the_other(self, small):
        for_second, for_first = ngram_tables.unmatched_by_system(small.types[0], "over-generated", small.attribution)
        assert {name: counts for name, counts in by_ngram(for_second).items() if counts[0] > counts[1]} == {
            "so": (1, 0),
            ",": (1, 0),
        }
        assert [row.tokens for row in for_first.ranked(PART)] == [("a",), ("cat",), ("the",)]

    @pytest.mark.parametrize("view", ["over-generated", "missed"])
    def test_having_more_of_them_lowers_the_score_of_b(self, sample_counts, view):
        for_second, for_first = ngram_tables.unmatched_by_system(
            sample_counts.types[0], view, sample_counts.attribution
        )
        assert all(row.part < 0 for row in for_second.ranked(PART))
        assert all(row.part > 0 for row in for_first.ranked(PART))

    def test_with_one_reference_what_is_missed_more_is_what_is_matched_less(self, small):
        types = small.types[0]
        missed = {
            row.tokens: row.part for row in ngram_tables.unmatched_by_system(types, "missed", small.attribution)[0].rows
        }
        matched = {row.tokens: row.part for one in ngram_tables.won_and_lost(types) for row in one.rows}
        assert matched
        assert {tokens: missed[tokens] for tokens in matched} == pytest.approx(matched)

    def test_against_the_references_the_other_kind_stands_beside(self, small):
        found = ngram_tables.unmatched_by_references(
            small.types[0], "over-generated", small.attribution, small.tokens, "A"
        )
        assert found.heads == ("too often", "missed")
        assert by_ngram(found) == {"the": (1, 1), "cat": (1, 0), "a": (1, 0)}
        assert all(row.part > 0 for row in found.rows)

    def test_what_is_too_often_here_and_missed_there_does_not_lead(self, sample_counts):
        found = ngram_tables.unmatched_by_references(
            sample_counts.types[0], "missed", sample_counts.attribution, sample_counts.tokens, "A"
        )
        first = found.ranked(RATIO)[0]
        assert first.counts[0] > first.counts[1]
        balanced = [row for row in found.rows if row.counts[0] == row.counts[1]]
        assert balanced
        assert all(row.ratio < first.ratio for row in balanced)


class TestRanking:
    rows = (
        NgramRow(("the",), (90, 80), 0.5, -3.0),
        NgramRow(("News", "Agency"), (7, 0), 0.35, 9.0),
        NgramRow(("News",), (7, 0), 0.35, 12.0),
        NgramRow((",",), (3, 5), -0.1, 0.5),
    )

    def names(self, *arguments, **options):
        return [" ".join(row.tokens) for row in listed(*self.rows).ranked(*arguments, **options)]

    def test_by_part_takes_those_with_more_here_and_of_equal_ones_the_surer(self):
        assert self.names(PART) == ["the", "News", "News Agency"]

    def test_by_ratio_takes_those_that_belong_here_more_than_others(self):
        assert self.names(RATIO) == ["News", "News Agency", ","]

    def test_by_ratio_takes_of_those_that_no_ratio_tells_apart_the_ones_with_more_here(self):
        rows = [NgramRow((text,), counts, 0.0, 0.0) for text, counts in (("a", (1, 1)), ("b", (1, 0)), ("c", (0, 1)))]
        assert [row.tokens for row in listed(*rows).ranked(RATIO)] == [("b",)]

    def test_by_worth_takes_all_by_their_number(self):
        assert self.names(WORTH) == ["the", "News", "News Agency", ","]

    def test_finds_a_text_whatever_its_case_also_across_tokens(self):
        assert self.names(PART, find="news") == ["News", "News Agency"]
        assert self.names(PART, find="s a") == ["News Agency"]

    def test_shows_a_hundred(self):
        rows = [NgramRow((str(number),), (number, 0), 0.0, 1.0) for number in range(1, 300)]
        assert [row.counts[0] for row in listed(*rows).ranked(PART)] == list(range(299, 199, -1))


class TestFrame:
    def of(self, sample, *rows, part=None, rank=RATIO):
        compared = study_of(Loaded(sample.test_set), sample.evaluation, Settings(pair=sample.pair()))
        choice = NgramChoice("over-generated", 1, "the other system", part, rank)
        return clicked_rows(ngram_list_sheet(compared, listed(*rows), choice))

    def test_shows_tokens_as_they_are_with_a_mark_between_them(self, sample):
        frame = self.of(sample, NgramRow(("*a*", "<b>"), (1_234, 0), -0.00123, 1.5), part=PART)
        assert frame.data.columns.tolist() == ["n-gram", "B", "A", "contribution", "G²"]
        assert frame.data["n-gram"].tolist()[0].strip() == "*a*\u200a␣\u200a<b>"
        assert frame.data["contribution"].tolist() == [-0.00123]
        shown = frame.to_html()
        assert all(text in shown for text in ("1\u202f234", "−0.0012", "1.50"))

    def test_leaves_parts_out_where_nothing_is_divided(self, sample):
        frame = self.of(sample, NgramRow(("a",), (1, 0), 0.0, 1.5))
        assert frame.data.columns.tolist() == ["n-gram", "B", "A", "G²"]

    def test_a_short_name_has_room_to_be_hit_and_a_colon_is_no_icon(self, sample):
        rows = [NgramRow((text,), (1, 0), 0.0, 1.5) for text in (",", ":material/delete:")]
        names = self.of(sample, *rows).data["n-gram"].tolist()
        assert len(names[0]) > 10
        assert names[0].strip() == ","
        assert names[1] == "\u2060:material/delete:"

    def test_cells_written_from_the_right_begin_within_their_cell(self):
        sheet = sheet_of("s", (), [(Field(key, key, "text"), ["نظام, 55.10", "a"]) for key in ("name", "other")], {})
        assert clicked_rows(sheet).data["other"].tolist() == ["\u200eنظام, 55.10", "a"]

    def test_an_empty_token_is_seen(self):
        assert written(("",)) == "(empty)"


class TestAddress:
    def test_holds_the_tokens_with_blanks_between_them(self):
        assert address_of((",", "and\u00a0so")) == ", and\u00a0so"
        assert of_address(", and\u00a0so") == (",", "and\u00a0so")
        assert of_address("") == ()


class TestSegmentsWhere:
    #           A matches 1 B 0, equal, B matches more, A too often, B misses it
    found = NgramSegments(np.arange(4) + 10, np.array([1, 1, 0, 3]), np.array([0, 1, 2, 1]), np.array([1, 1, 2, 1]))

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            (ANYWHERE, [10, 11, 12, 13]),
            ("A matches it more", [10]),
            ("B matches it more", [12]),
            ("A has it too often", [13]),
            ("B has it too often", []),
            ("A misses it", [12]),
            ("B misses it", [10]),
            ("nowhere", [10, 11, 12, 13]),
        ],
    )
    def test_compares_the_counts_of_each_segment(self, where, expected):
        assert ngram_tables.segments_where(self.found, where).tolist() == expected

    def test_every_list_leads_to_one_of_them(self, small):
        lists = [
            *ngram_tables.won_and_lost(small.types[0]),
            *ngram_tables.unmatched_by_system(small.types[0], "missed", small.attribution),
            ngram_tables.unmatched_by_references(
                small.types[0], "over-generated", small.attribution, small.tokens, "B"
            ),
        ]
        assert {one.where for one in lists} <= set(WHERE)


class TestWords:
    def test_say_what_the_matches_of_an_order_add_and_what_their_number_does(self, small, read_html):
        said = read_html(ngram_words.totals_verdict(small.types[1], "won and lost", small.attribution)).text
        attribution = small.attribution
        number, whole = (
            numbers.difference(float(part)) for part in (attribution.total_parts[1], attribution.difference)
        )
        assert said == (
            "two matches 2 2-grams that one misses in the same segment; one matches 2 that two "
            "misses. Matches of this order add 0.00 to Δ, "
            f"the number of n-grams {number} ({whole} in total)."
        )

    def test_do_not_add_up_orders_that_smoothing_mixes(self, score_texts, read_html):
        options = BleuOptions("none", max_order=3, smoothing="nltk-5", weights=(0.5, 0.5, 0.0))
        counted = Counted(score_texts({"one": FIRST, "two": SECOND}, [REFERENCE], options))
        said = read_html(ngram_words.totals_verdict(counted.types[1], "won and lost", counted.attribution)).text
        assert "the number of" not in said

    @pytest.mark.parametrize(
        ("view", "words"),
        [
            (
                "over-generated",
                "two overuses 2 single tokens, one overuses 3. The difference between these counts adds +",
            ),
            (
                "missed",
                "two misses 1 single token of the references, one misses 3. The difference between these counts adds",
            ),
        ],
    )
    def test_say_how_much_is_unmatched(self, small, read_html, view, words):
        said = read_html(ngram_words.totals_verdict(small.types[0], view, small.attribution)).text
        assert said.startswith(words)

    def test_say_nothing_of_parts_where_nothing_is_divided(self, score_texts, read_html):
        nothing = Counted(score_texts({"one": ["x"], "two": ["y"]}, [["z"]]))
        assert nothing.attribution.reason is not None
        said = read_html(ngram_words.totals_verdict(nothing.types[0], "missed", nothing.attribution)).text
        assert said == "two misses 1 single token of the references, one misses 1."

    @pytest.mark.parametrize(
        ("view", "words"),
        [
            ("over-generated", "one has 3 single tokens too often."),
            ("missed", "one misses 3 single tokens of the references."),
        ],
    )
    def test_of_one_system_count_what_is_unmatched(self, small, read_html, view, words):
        assert read_html(ngram_words.one_system_verdict(small.types[0], view, "one")).text == words

    def test_of_a_list_say_how_much_it_shows(self, read_html):
        rows = (NgramRow(("a",), (2, 0), 0.25, 1.0), NgramRow(("b",), (1, 0), 0.125, 1.0))
        whole = listed(*rows, n_types=1_200)
        said = [read_html(ngram_words.list_note(whole, rows, part=part, find="")).text for part in (PART, WORTH, None)]
        assert said == [
            "2 of 1\u202f200 n-grams listed: together they add +0.38 to Δ.",
            "2 of 1\u202f200 n-grams listed: together they are worth +0.38.",
            "2 of 1\u202f200 n-grams listed.",
        ]

    def test_say_that_there_is_none_or_none_that_holds_a_text(self, read_html):
        assert "There are no such n-grams." in read_html(ngram_words.list_note(listed(), (), part=PART, find="")).text
        said = read_html(ngram_words.list_note(listed(), (), part=PART, find="<b>x</b>")).text
        assert "contains “<b>x</b>”" in said

    def test_a_hostile_system_name_stays_text(self, hostile, read_html):
        counted = Counted(hostile)
        name = counted.pair[1]
        for view in ngram_tables.VIEWS:
            assert name in read_html(ngram_words.totals_verdict(counted.types[0], view, counted.attribution)).text
            title = ngram_words.list_title(listed().side, name, view, "the references", names_side=True)
            assert name in read_html(title).text

    def test_explain_every_count_and_ratio_with_its_correction(self):
        for view in ngram_tables.VIEWS:
            for against in ngram_tables.AGAINST:
                assert "Yates" in ngram_words.ratio_help(view, against)
                helps = ngram_words.count_help(listed(), view, against)
                assert against != "the other system" or [re.findall(r"(?<!^)\b[AB]\b", one)[0] for one in helps] == [
                    listed().side,
                    "AB".replace(listed().side, ""),
                ]
        for part in (PART, WORTH, None):
            assert "not how frequent" in ngram_words.rank_help(part)
            assert (f"*{part}*" in ngram_words.rank_help(part)) == (part == WORTH)


@pytest.mark.parametrize(
    ("tokens", "read"),
    [
        (("the", "cat"), "the cat"),
        (("猫", "が", "BLEU"), "猫が BLEU"),
        (("ค", "ว", "า", "ม"), "ความ"),
        (("ភ", "ា", "ស", "ា"), "ភាសា"),
        (("მე", "ვარ"), "მე ვარ"),
    ],
)
def test_an_ngram_is_read_as_a_text_has_it(tokens, read):
    assert as_read(tokens) == read
