"""The page Runs: recipes with their runs, or how to name files."""

import re

from bleuscope.content.significance.verdict_words import NO_TRAINING_NOISE, OF_RUNS
from bleuscope.features.runs.words import NO_RUNS

N_LINES = 30
LINES = [f"line {number} says that the cat sat on mat number {number * 7} today" for number in range(N_LINES)]


def run(share, seed):
    """Lines of which some words are wrong."""
    wrong = [
        [
            word if (place * 7 + number * 3 + seed * 5) % 20 >= share else "wrong"
            for place, word in enumerate(one.split())
        ]
        for number, one in enumerate(LINES)
    ]
    return "\n".join(map(" ".join, wrong)) + "\n"


REFERENCE = {"ref.txt": "\n".join(LINES) + "\n"}
RUNS = {
    **{f"small<b>-seed{seed}.txt": run(6, seed) for seed in (1, 2, 3)},
    **{f"big-seed{seed}.txt": run(2, seed) for seed in (1, 2, 3)},
    **REFERENCE,
}
STEPS = {
    **{f"net-step{step}.txt": run(share, 1) for step, share in ((10, 8), (50, 5), (200, 3), (900, 2))},
    **REFERENCE,
}


def texts_of(app):
    return " ".join(str(one.body) for one in app.get("html"))


class TestOverview:
    def test_the_verdict_says_that_it_is_about_runs_and_leads_to_recipes(self, open_page):
        page = open_page("overview", RUNS)
        assert OF_RUNS in texts_of(page)
        assert NO_TRAINING_NOISE not in texts_of(page)
        (way,) = (one for one in page.button if one.key == "to-recipes")
        assert way.label == "These are 6 runs of 2 recipes: compare the recipes"
        way.click().run()
        assert not page.exception
        assert "Recipes and their runs" in str(page.get("plotly_chart")[0].proto.spec)

    def test_of_single_runs_it_says_what_is_not_included_and_leads_nowhere(self, read_page):
        page = read_page("overview")
        assert NO_TRAINING_NOISE in texts_of(page)
        assert not [one for one in page.button if one.key == "to-recipes"]


class TestRuns:
    def test_without_runs_it_says_how_to_name_files(self, read_page):
        page = read_page("runs")
        assert [one.value for one in page.info] == [NO_RUNS]
        assert not page.get("plotly_chart")

    def test_recipes_are_drawn_and_both_claims_are_said(self, open_page, command_of):
        page = open_page("runs", RUNS)
        said = re.sub(r"<[^>]+>|[\u2068\u2069]", "", texts_of(page))
        assert not page.exception
        assert not page.error
        assert "is the best recipe. It is significantly better than the other recipe." in said
        assert re.search(r"Recipe: \S+ is significantly (better|worse) than", said)
        assert "Single runs: of 9 pairs" in said
        assert "smallest possible p .100" in said
        assert "Twice the runs" in said
        assert len(page.get("plotly_chart")) == 2
        assert command_of(page).startswith("bleuscope runs ")

    def test_names_are_escaped(self, open_page):
        page = open_page("runs", RUNS)
        assert "<b>-seed" not in texts_of(page)

    def test_a_numeric_factor_has_a_curve(self, open_page):
        page = open_page("runs", STEPS)
        said = texts_of(page)
        assert not page.exception
        assert "Each recipe has one run" in said
        assert len(page.get("plotly_chart")) == 2

    def test_another_metric_is_shown(self, open_page, command_of):
        page = open_page("runs", RUNS, scored_in="chrF2")
        assert not page.exception
        assert "--metric chrF2" in command_of(page)
