"""Very many pairs of systems: pages compare those that they show, and all of them when someone asks for it."""

from math import comb
from pathlib import Path

import pytest

from bleuscope.runtime.memo_cache import MemoCache
from bleuscope.shell.page import study_tests
from bleuscope.shell.state import cached

FEW_DRAWS = {"trials": "91", "resamples": "61"}
OFFER = ["Test all 28 pairs"]
MOST_UNASKED_PAIRS = study_tests.MOST_UNASKED_PAIRS
GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "significance.md"


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """The 28 pairs of the sample are too many to be compared without being asked, and were not before."""
    monkeypatch.setattr(study_tests, "MOST_UNASKED_PAIRS", 27)
    monkeypatch.setattr(cached.comparison, "cache", MemoCache(8))


@pytest.fixture
def words_of(read_html):
    """The words of ours on a page."""
    return lambda app: (
        read_html("".join(one.proto.body for one in app.get("html") if "bs-" in one.proto.body[:60])).text
    )


def offers(app):
    return [one.label for one in app.button if one.key == "test-all-pairs"]


class TestWithoutBaseline:
    """p is corrected among all pairs there: which system is the best is known from the same scores."""

    @pytest.mark.parametrize("page", ["overview", "scores", "significance"])
    def test_pages_show_intervals_and_offer_the_tests(self, open_page, words_of, page):
        app = open_page(page, a="neural-20k", b="neural-40k", **FEW_DRAWS)
        said = words_of(app)
        assert "+0.71 BLEU (95 % CI −" in said
        assert "This difference was not tested." in said
        assert "Differences are not tested." in said
        assert "tied at the top" not in said
        assert offers(app) == OFFER

    def test_two_systems_that_are_not_the_best_have_their_interval_too(self, open_page, words_of):
        app = open_page("compare", a="online", b="human", **FEW_DRAWS)
        assert "95 % interval" in words_of(app)
        assert offers(app) == OFFER

    def test_each_panel_of_significance_shows_what_it_can(self, open_page, words_of):
        all_pairs = open_page("significance", panel="All pairs", **FEW_DRAWS)
        assert offers(all_pairs) == OFFER
        assert "cluster" not in words_of(all_pairs)
        power = open_page("significance", panel="Power", a="online", b="human", **FEW_DRAWS)
        assert "What this test set can detect" in words_of(power)

    def test_all_pairs_are_found_on_every_page_once_someone_asked_for_them(self, open_page, words_of):
        app = open_page("scores", **FEW_DRAWS)
        app.button(key="test-all-pairs").click().run()
        assert not app.exception
        assert "p corrected for 7 comparisons with the best" in words_of(app)
        others = [open_page("overview", **FEW_DRAWS), open_page("significance", panel="All pairs", **FEW_DRAWS)]
        assert [offers(other) for other in others] == [[], []]
        assert "else for all 28 pairs" in words_of(others[1])


def test_what_is_said_of_a_baseline_is_what_it_is_among_all_pairs(open_page, words_of, monkeypatch):
    pages = ("overview", "significance", "compare")
    alone = [open_page(page, baseline="online", **FEW_DRAWS) for page in pages]
    assert [offers(app) for app in alone] == [OFFER] * 3
    monkeypatch.setattr(study_tests, "MOST_UNASKED_PAIRS", 28)
    whole = [open_page(page, baseline="online", **FEW_DRAWS) for page in pages]
    assert [offers(app) for app in whole] == [[]] * 3
    without_clusters = words_of(whole[0]).replace("cluster", "")
    assert "p corrected for 7 comparisons with the baseline online" in without_clusters
    for one, other in zip(alone[1:], whole[1:], strict=True):
        assert words_of(one) == words_of(other)


def test_the_baseline_has_no_say_in_a_pair_of_two_others(open_page, words_of):
    app = open_page("significance", baseline="online", a="human", b="neural-40k", **FEW_DRAWS)
    assert "This difference was not tested." in words_of(app)
    assert offers(app) == OFFER


def test_segments_found_are_compared_as_the_page_shows_them(open_page, words_of):
    app = open_page("segments", selection="true", a="online", b="human", lengths="1-3", **FEW_DRAWS)
    assert "This difference was not tested." in words_of(app)
    assert "Differences are not tested." in words_of(app)
    assert offers(app) == OFFER


def test_the_guide_says_from_where_on_pairs_are_very_many():
    n_systems = next(number for number in range(2, 1_000) if comb(number, 2) > MOST_UNASKED_PAIRS)
    said = f"Of more than {MOST_UNASKED_PAIRS:,} pairs, from {n_systems} systems on"
    assert said in GUIDE.read_text(encoding="utf-8")
