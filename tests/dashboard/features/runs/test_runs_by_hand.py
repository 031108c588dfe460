"""Runs and factors that people name on the page, and recipes as they write them."""

import re

import pytest

from bleucore import InputError, System, TestSet
from bleuscope.content.report.choices import SECTIONS
from bleuscope.content.significance.verdict_words import NO_TRAINING_NOISE, OF_RUNS
from bleuscope.features.runs.assignments import assignments, words_of
from bleuscope.features.runs.words import NO_RUNS
from bleuscope.shell.state.page_list import PAGES

N_LINES = 30
LINES = [f"line {number} says that the cat sat on mat number {number * 7} today" for number in range(N_LINES)]


def wrong(share):
    """Lines of which some words are wrong."""
    return "\n".join(
        " ".join(
            word if (place * 7 + number * 3 + share * 5) % 20 >= share else "wrong"
            for place, word in enumerate(line.split())
        )
        for number, line in enumerate(LINES)
    )


FILES = {
    "ref.txt": "\n".join(LINES),
    **{f"{name}.txt": wrong(share) for name, share in (("A", 2), ("B", 3), ("C", 6), ("D", 7))},
}
BY_HAND = "A=good\nB=good\n\nC.txt = bad\nD=bad"


def said_on(page):
    return " ".join(re.sub(r"<[^>]+>|[\u2068\u2069]", "", str(one.body)) for one in page.get("html"))


class TestAssignments:
    TEXTS = TestSet([System(name, ["x"], f"{name}.txt") for name in ("a", "b", "m, prompt=A")], [["x"]])

    def test_lines_name_systems_or_files_and_their_recipes(self):
        assert assignments(self.TEXTS, "a=x\n\n b.txt = y z \n") == (("a", "x"), ("b", "y z"))
        assert assignments(self.TEXTS, "m, prompt=A=m") == (("m, prompt=A", "m"),)
        assert assignments(self.TEXTS, "a=x\na=y") == (("a", "y"),)
        assert assignments(self.TEXTS, " ") == ()

    @pytest.mark.parametrize(("line", "told"), [("a", "this names no recipe"), ("z=x", "there is no system")])
    def test_other_lines_are_refused(self, line, told):
        with pytest.raises(InputError, match=told):
            assignments(self.TEXTS, line)

    def test_of_many_systems_a_few_are_named(self):
        many = TestSet([System(f"s{place}", ["x"]) for place in range(30)], [["x"]])
        with pytest.raises(InputError, match="and 20 more"):
            assignments(many, "z=x")

    def test_words_are_told_apart_by_commas_and_blanks(self):
        assert words_of(" depth, epoch  depth") == ("depth", "epoch")


class TestPage:
    def test_systems_are_assigned_to_recipes(self, open_page, command_of):
        page = open_page("runs", FILES)
        assert [one.value for one in page.info] == [NO_RUNS]
        page.text_area(key="recipes").set_value(BY_HAND).run()
        assert not page.exception
        assert not page.info
        assert "Single runs: of 4 pairs" in said_on(page)
        assert "--run A=good --run B=good --run C=bad --run D=bad" in command_of(page)

    def test_the_baseline_recipe_is_that_of_the_baseline(self, open_page, command_of):
        page = open_page("runs", FILES, recipes=BY_HAND, baseline="C")
        assert "1 recipe against the baseline bad: 1 significantly better" in said_on(page)
        assert "--baseline C" in command_of(page)
        page = open_page("runs", FILES, recipes=BY_HAND, baseline="B")
        assert "1 recipe against the baseline good: 0 significantly better, 1 significantly worse" in said_on(page)

    def test_without_a_baseline_it_is_the_best_recipe(self, open_page, command_of):
        page = open_page("runs", FILES, recipes=BY_HAND)
        assert "good is the best recipe. It is significantly better than the other recipe." in said_on(page)
        assert "--baseline" not in command_of(page)

    def test_a_word_makes_a_factor(self, open_page, command_of):
        files = {f"net-depth{name}.txt": FILES[f"{letter}.txt"] for name, letter in ((2, "D"), (4, "C"), (6, "A"))}
        page = open_page("runs", {**files, "ref.txt": FILES["ref.txt"]})
        page.text_input(key="factor_words").set_value("depth").run()
        assert not page.exception
        assert "depth=6 is significantly better than depth=2" in said_on(page)
        assert "--factor depth" in command_of(page)

    def test_the_verdict_and_the_way_from_it_take_them(self, open_page):
        page = open_page("overview", FILES)
        assert NO_TRAINING_NOISE in said_on(page)
        assert not [one for one in page.button if one.key == "to-recipes"]
        page = open_page("overview", FILES, recipes=BY_HAND)
        assert OF_RUNS in said_on(page)
        (way,) = (one for one in page.button if one.key == "to-recipes")
        assert way.label == "These are 4 runs of 2 recipes: compare the recipes"

    def test_what_is_said_on_the_page_reaches_the_verdict(self, open_page):
        page = open_page("runs", FILES)
        page.text_area(key="recipes").set_value(BY_HAND).run()
        page.switch_page(PAGES["overview"].script).run()
        assert OF_RUNS in said_on(page)

    def test_the_report_has_the_section_and_its_command_says_the_same(self, open_page, command_of):
        page = open_page("report", FILES, recipes=BY_HAND)
        assert SECTIONS["runs"] in said_on(page)
        command = command_of(page)
        assert "--run A=good --run B=good --run C=bad --run D=bad" in command
        assert " runs" not in command
        assert "--run" not in command_of(open_page("report", FILES))

    def test_the_command_of_segments_says_the_same(self, open_page, command_of):
        assert "--run A=good" in command_of(open_page("segments", FILES, recipes=BY_HAND))

    def test_what_cannot_be_leaves_other_pages_as_they_are(self, open_page, command_of):
        page = open_page("report", FILES, recipes="Z=x")
        assert not page.exception
        assert "--run" not in command_of(page)

    @pytest.mark.parametrize(
        ("lines", "words", "told"),
        [("A", "", "this names no recipe"), ("Z=x", "", "there is no system"), ("", "depth", "has no two levels")],
    )
    def test_what_cannot_be_is_said(self, open_page, lines, words, told):
        page = open_page("runs", FILES, recipes=lines, factor_words=words)
        assert not page.exception
        (error,) = page.error
        assert told in error.value
