"""A comparison without names: sides that are fair and stay, counts, and the test of them."""

import csv
import gzip
import io

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from bleucore import InputError
from bleuscope.annotations import BlindTrial
from bleuscope.content.segments.blind_trial import blind_result, blind_sheet, blind_verdict, read_preferences
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.writers import write_text


@pytest.fixture
def trial():
    return BlindTrial.of("digest", ("beta", "alpha"), 1)


def said(trial, names):
    """Preferences that name these systems in turn; ``None`` for a tie."""
    return {
        segment: "tie" if name is None else ("left", "right")[trial.sides(segment).index(name)]
        for segment, name in enumerate(names)
    }


class TestSides:
    def test_hold_both_systems_and_do_not_depend_on_which_is_a(self, trial):
        other = BlindTrial.of("digest", ("alpha", "beta"), 1)
        for segment in range(50):
            assert sorted(trial.sides(segment)) == ["alpha", "beta"]
            assert trial.sides(segment) == other.sides(segment)

    def test_are_drawn_fairly_and_each_for_itself(self, trial):
        left = np.array([trial.sides(segment)[0] == "alpha" for segment in range(4000)])
        pairs = np.bincount(2 * left[:-1] + left[1:], minlength=4)
        assert chisquare(pairs).pvalue > 0.001

    def test_differ_with_the_seed_and_the_test_set(self, trial):
        sides = [trial.sides(segment) for segment in range(64)]
        for other in (BlindTrial.of("digest", trial.systems, 2), BlindTrial.of("another", trial.systems, 1)):
            assert [other.sides(segment) for segment in range(64)] != sides


class TestResult:
    def test_counts_wins_and_ties_and_tests_the_wins(self, trial):
        result = blind_result(trial, said(trial, ["alpha"] * 9 + ["beta"] + [None] * 5))
        assert (result.wins, result.n_ties) == ((9, 1), 5)
        assert result.p_value == pytest.approx(22 / 1024)

    @pytest.mark.parametrize(("first", "second"), [(0, 1), (3, 3), (12, 5), (2, 20)])
    def test_p_is_that_of_coin_tosses(self, trial, first, second):
        n = first + second
        expected = min(1.0, 2 * binom.cdf(min(first, second), n, 0.5))
        result = blind_result(trial, said(trial, ["alpha"] * first + ["beta"] * second))
        assert result.p_value == pytest.approx(expected)

    def test_of_nothing_but_ties_has_no_p(self, trial, read_html):
        assert blind_result(trial, {1: "tie"}).p_value is None
        assert "nothing to test" in read_html(blind_verdict(trial, {1: "tie"})).text

    def test_in_words_names_counts_and_says_whether_chance_explains_them(self, trial, read_html):
        clear = read_html(blind_verdict(trial, said(trial, ["alpha"] * 9 + ["beta", None]))).text
        assert clear == (
            "alpha was preferred in 9 segments, beta in 1; 1 tie. Significant (sign test, p\u00a0=\u00a0.021)."
        )
        even = read_html(blind_verdict(trial, said(trial, ["alpha", "beta"]))).text
        assert even == (
            "alpha was preferred in 1 segment, beta in 1; 0 ties. Not significant (sign test, p\u00a0>\u00a0.999)."
        )


class TestKey:
    def test_says_who_stood_where_and_who_was_preferred(self, trial, read_html):
        preferences = {7: "left", 2: "right", 4: "tie"}
        rows = read_html(html_table(blind_sheet(trial, preferences))).rows()[1:]
        assert [row[0] for row in rows] == ["3", "5", "8"]
        assert [tuple(row[1:3]) for row in rows] == [trial.sides(segment) for segment in (2, 4, 7)]
        assert [row[3] for row in rows] == [trial.sides(2)[1], "tie", trial.sides(7)[0]]

    def test_is_saved_with_the_seed(self, trial):
        heading, line = (
            row.split("\t") for row in write_text(blind_sheet(trial, {2: "right"}), "quoted-tsv").splitlines()
        )
        sides = trial.sides(2)
        assert dict(zip(heading, line, strict=True)) == {
            "segment": "3",
            "left": sides[0],
            "right": sides[1],
            "preference": "right",
            "preferred system": sides[1],
            "seed": "1",
        }

    def test_is_saved_without_formulas_and_with_names_as_they_are(self):
        trial = BlindTrial.of("digest", ("=1+1", 'a\t"b"\nc'), 1)
        saved = io.StringIO(write_text(blind_sheet(trial, {0: "left", 1: "tie"}), "quoted-tsv"), newline="")
        _, first, second = csv.reader(saved, delimiter="\t")
        assert sorted(first[1:3]) == sorted(second[1:3]) == ["'=1+1", 'a\t"b"\nc']
        assert (first[4], second[4]) == (first[1], "")

    def test_keeps_names_as_text(self, hostile_texts, read_html):
        trial = BlindTrial.of("digest", hostile_texts[:2], 1)
        page = read_html(html_table(blind_sheet(trial, {0: "left"})))
        assert all(" ".join(name.split()) in page.text for name in hostile_texts[:2])
        assert all(name in read_html(blind_verdict(trial, {0: "left"})).text for name in hostile_texts[:2])


class TestReadBack:
    @pytest.mark.parametrize("pair", [("beta", "alpha"), ("=1+1", 'a\t"b"\nc')])
    @pytest.mark.parametrize("name", ["p.tsv", "p.tsv.gz"])
    def test_gives_what_was_saved(self, pair, name):
        trial = BlindTrial.of("digest", pair, 3)
        preferences = {0: "left", 4: "tie", 2: "right"}
        data = write_text(blind_sheet(trial, preferences), "quoted-tsv").encode()
        data = gzip.compress(data) if name.endswith(".gz") else data
        assert read_preferences(name, data, "digest", 5) == (trial, preferences)

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            (lambda text: text.replace("seed", "sead"), "sead"),
            (lambda text: text.split("\n")[0], "segment"),
            (lambda text: text.replace("\n1\t", "\n6\t"), "segment '6'"),
            (lambda text: text + text.splitlines()[1] + "\n", "segment '1'"),
            (lambda text: text.replace("\n1\t", "\n-1\t"), "segment '-1'"),
            (lambda text: text.replace("\tleft\t", "\tup\t"), "'up'"),
            (lambda text: text.replace("alpha", "gamma"), "'"),
            (lambda text: text.replace("\t3\n", "\t4\n", 1), "'"),
            (lambda text: "", "no"),
        ],
    )
    def test_refuses_what_is_of_other_texts(self, change, found):
        trial = BlindTrial.of("digest", ("beta", "alpha"), 3)
        data = change(write_text(blind_sheet(trial, {0: "left", 4: "tie"}), "quoted-tsv")).encode()
        with pytest.raises(InputError) as refusal:
            read_preferences("p.tsv", data, "digest", 5)
        assert found in str(refusal.value)

    def test_refuses_the_sides_of_another_test_set(self):
        trial = BlindTrial.of("digest", ("beta", "alpha"), 3)
        data = write_text(blind_sheet(trial, dict.fromkeys(range(30), "tie")), "quoted-tsv").encode()
        with pytest.raises(InputError, match="the sides that this test set has"):
            read_preferences("p.tsv", data, "other", 30)
