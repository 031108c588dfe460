"""Segments, where A or B has several runs: how many got a segment right, or beat the other recipe there."""

import json
import re
from html import unescape

import numpy as np
import pytest

from bleucore import System, TestSet
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.segments.feature_numbers import feature_numbers
from bleuscope.content.segments.segment_sheets import segments_sheet
from bleuscope.features.runs.words import above_told, right_told
from tests.dashboard import sheet_properties as properties

N_LINES = 24
LINES = [f"line {number} says that the cat sat on mat number {number * 7} today" for number in range(N_LINES)]
ANSWERS = [f"answer {number}" for number in range(N_LINES)]


def wrong(lines, share, seed):
    """Lines of which some words are wrong."""
    return [
        " ".join(
            word if (place * 7 + number * 3 + seed * 5) % 20 >= share else "wrong"
            for place, word in enumerate(line.split())
        )
        for number, line in enumerate(lines)
    ]


def texts(lines, shares):
    return {f"{recipe}-seed{seed}": wrong(lines, share, seed) for recipe, share in shares.items() for seed in (1, 2, 3)}


def files(lines, shares):
    named = {**texts(lines, shares), "ref": lines}
    return {f"{name}.txt": "\n".join(one) for name, one in named.items()}


SHARES = {"big": 5, "small": 6}
TRANSLATIONS, SHORT = files(LINES, SHARES), files(ANSWERS, {"big": 5, "small": 12})


def study_of(lines, shares, pair, **settings):
    systems = [System(name, one) for name, one in texts(lines, shares).items()]
    return make_study(TestSet(systems, [lines]), Settings(pair=pair, **settings))


def said_on(page):
    return " ".join(unescape(re.sub(r"<[^>]+>|[\u2068\u2069]", "", str(one.body))) for one in page.get("html"))


class TestNumbers:
    def test_short_answers_are_right_where_they_equal_a_reference(self):
        study = study_of(ANSWERS, {"big": 5, "small": 12}, ("big-seed1", "small-seed2"))
        (found,) = feature_numbers(study)
        expected = {
            side: [
                sum(study.test_set.system(f"{recipe}-seed{seed}").hypotheses[row] == ANSWERS[row] for seed in (1, 2, 3))
                for row in range(N_LINES)
            ]
            for side, recipe in (("a", "big"), ("b", "small"))
        }
        assert {name[-1]: values.tolist() for name, values in found.numbers.items()} == expected
        assert found.told(0) == f"A {expected['a'][0]}, B {expected['b'][0]} of 3 runs right"

    def test_translations_are_counted_against_the_mean_of_the_other_recipe(self):
        study = study_of(LINES, SHARES, ("small-seed1", "big-seed2"))
        (found,) = feature_numbers(study)
        scores = {
            recipe: np.array([study.metric.known_segment_scores(f"{recipe}-seed{seed}") for seed in (1, 2, 3)])
            for recipe in SHARES
        }
        expected = (scores["small"] > scores["big"].mean(axis=0) + 1e-6).sum(axis=0)
        assert found.numbers["runs_a"].tolist() == expected.tolist()
        assert found.told(5) == f"{expected[5]} of 3 runs beat big's mean"

    @pytest.mark.parametrize("pair", [("big-seed1", "big-seed2")])
    def test_translations_of_one_recipe_are_not_compared_with_their_own_mean(self, pair):
        assert feature_numbers(study_of(LINES, SHARES, pair)) == ()
        (found,) = feature_numbers(study_of(ANSWERS, {"big": 5, "small": 12}, pair))
        assert found.told(0).endswith(" of 3 runs right")
        assert found.told(0)[0].isdigit()

    def test_single_runs_have_no_numbers(self):
        systems = [System(name, wrong(LINES, 3, place)) for place, name in enumerate("ab")]
        assert feature_numbers(make_study(TestSet(systems, [LINES]))) == ()

    @pytest.mark.parametrize(("lines", "shares"), [(LINES, SHARES), (ANSWERS, {"big": 5, "small": 12})])
    @pytest.mark.parametrize("pair", [("big-seed1", "small-seed2"), ("big-seed1", "big-seed2")])
    @pytest.mark.parametrize(
        "holds", [properties.has_what_it_names, properties.reads_well, properties.is_written_as_its_kind]
    )
    def test_the_sheet_keeps_what_all_sheets_keep(self, lines, shares, pair, holds):
        study = study_of(lines, shares, pair)
        holds(segments_sheet(study, np.arange(N_LINES), study.parts, study.metric))


class TestWords:
    def test_runs_of_one_recipe_and_of_two(self):
        assert right_told([(3, 5)]) == "3 of 5 runs right"
        assert right_told([(3, 5), (0, 5)]) == "A 3, B 0 of 5 runs right"
        assert right_told([(3, 5), (1, 1)]) == "A 3 of 5 runs, B 1 of 1 run right"

    def test_a_recipe_with_one_run_has_no_mean(self):
        assert above_told(3, 5, "nmt-large", 2) == "3 of 5 runs beat nmt-large's mean"
        assert above_told(1, 1, "nmt-large", 1) == "1 of 1 run beats nmt-large"

    def test_a_long_name_is_cut(self):
        assert len(above_told(3, 5, "x" * 300, 2)) < 70


class TestPage:
    @pytest.mark.parametrize(
        ("given", "told"), [(TRANSLATIONS, r"\d of 3 runs beat \w+'s mean"), (SHORT, r"A \d, B \d of 3 runs right")]
    )
    def test_rows_say_it(self, open_page, given, told):
        page = open_page("segments", given, a="small-seed1", b="big-seed1")
        assert not page.exception
        assert len(re.findall(told, said_on(page))) >= 20

    def test_it_orders_and_filters(self, open_page, command_of):
        page = open_page("segments", TRANSLATIONS, a="small-seed1", b="big-seed1")
        page.selectbox(key="sort").set_value("runs A: most first").run()
        counts = [int(one) for one in re.findall(r"(\d) of 3 runs beat", said_on(page))]
        assert counts[:20] == sorted(counts[:20], reverse=True)
        assert "--order many-runs-a" in command_of(page)
        page.multiselect(key="where").set_value(["no run of A"]).run()
        assert {*re.findall(r"(\d) of 3 runs beat", said_on(page))} == {"0"}

    def test_without_runs_neither_order_nor_question_is_offered(self, read_page):
        page = read_page("segments")
        assert not [one for one in page.selectbox(key="sort").options if one.startswith("runs")]
        assert "no run of A" not in page.multiselect(key="where").options

    def test_names_are_escaped(self, open_page):
        given = {name.replace("big", "<b>x"): one for name, one in TRANSLATIONS.items()}
        page = open_page("segments", given, a="small-seed1", b="<b>x-seed1")
        assert "runs beat &lt;b&gt;x&#39;s mean" in " ".join(str(one.body) for one in page.get("html"))


class TestCommand:
    def test_it_lists_orders_and_asks_as_the_page_does(self, bleuscope, tmp_path):
        for name, text in TRANSLATIONS.items():
            (tmp_path / name).write_text(text + "\n", encoding="utf-8")
        names = [name for name in TRANSLATIONS if name != "ref.txt"]
        asked = ["segments", *names, "-r", "ref.txt", "--pair", "small-seed1", "big-seed1", "-f", "json"]
        found = json.loads(bleuscope(*asked, "--order", "few-runs-b")[1])["segments"]
        counts = [one["runs_b"] for one in found]
        assert counts == sorted(counts)
        assert all(0 <= one["runs_a"] <= 3 for one in found)
        asked_of = json.loads(bleuscope(*asked, "--where", "runs_b - runs_a > 1")[1])["segments"]
        expected = {one["segment"] for one in found if one["runs_b"] - one["runs_a"] > 1}
        assert {one["segment"] for one in asked_of} == expected
        assert expected
        counted = json.loads(bleuscope(*asked, "--where", "no run of A", "--table", "questions")[1])["questions"]
        assert len(counted) == 6

    def test_without_runs_the_number_is_unknown(self, bleuscope, tmp_path):
        for name in ("small-seed1.txt", "big-seed1.txt", "ref.txt"):
            (tmp_path / name).write_text(TRANSLATIONS[name] + "\n", encoding="utf-8")
        asked = ["segments", "small-seed1.txt", "big-seed1.txt", "-r", "ref.txt", "--where", "runs_a > 1"]
        code, _, err = bleuscope(*asked)
        assert code == 2
        assert "runs_a" in err
