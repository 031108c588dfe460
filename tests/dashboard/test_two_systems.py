"""What pages offer that take two different systems and have one."""

import pytest

from bleuscope.content.style.cut_names import differ_at_ends

ONE = {"alpha.txt": "a b c d e\n", "ref.txt": "a b c d f\n"}
RUNS = [f"transformer-big-ende-lr{rate}e-4-step{step}0000" for rate in (1, 2) for step in (1, 2)]


@pytest.mark.parametrize("page", ["compare", "trust", "significance", "slices"])
def test_of_a_system_with_itself_offers_the_best_other_one(open_page, page):
    app = open_page(page, a="online", b="online")
    (button,) = [one for one in app.button if one.key == "other-than-itself"]
    assert button.label == r"Compare with neural\-40k"
    assert "add-second" not in {one.key for one in app.button}
    button.click().run()
    assert not app.exception
    assert (app.selectbox(key="a").value, app.selectbox(key="b").value) == ("online", "neural-40k")
    assert "other-than-itself" not in {one.key for one in app.button}


@pytest.mark.parametrize("page", ["overview", "compare", "trust", "significance", "slices"])
def test_one_system_leads_to_the_page_that_takes_a_second_one(open_page, page):
    app = open_page(page, ONE)
    (button,) = [one for one in app.button if one.key == "add-second"]
    button.click().run()
    assert app.title[0].value == "Data"


def test_one_reference_leads_to_the_page_that_takes_a_second_one(open_page):
    app = open_page("references", ONE)
    app.button(key="add-reference").click().run()
    assert app.title[0].value == "Data"


def test_trust_asks_of_one_system_and_of_two_only_what_they_can_answer(open_page):
    asked = {str(one.key) for one in open_page("trust", ONE).button}
    assert "ask-panel-Blocks" in asked
    assert asked.isdisjoint({"ask-panel-Two systems", "ask-panel-All pairs", "ask-panel-Power"})
    two = ONE | {"beta.txt": "a b c e d\n"}
    asked = {str(one.key) for one in open_page("trust", two).button}
    assert {"ask-panel-Two systems", "ask-panel-Power"} <= asked
    assert "ask-panel-All pairs" not in asked


def test_names_differ_at_their_ends_where_long_ones_begin_alike():
    assert differ_at_ends(RUNS)
    assert not differ_at_ends([f"{one}-averaged-over-five" for one in RUNS])
    assert not differ_at_ends(["online", "neural-40k"])
    assert not differ_at_ends(["JDExploreAcademy", "Lan-Bridge"])


@pytest.mark.parametrize(("files", "is_offered"), [(None, True), (ONE, False)])
def test_the_line_of_keys_offers_to_swap_two_systems_alone(open_page, files, is_offered):
    (line,) = [one.proto.body for one in open_page("segments", files).get("html") if "bs-key-line" in one.proto.body]
    assert ("swap A and B" in line) == is_offered


@pytest.mark.parametrize("page", ["compare", "segments", "significance", "slices"])
def test_a_choice_that_is_off_says_why(open_page, page):
    app = open_page(page, ONE | {"beta.txt": "a b c e d\n"})
    off = [one.proto for one in (*app.multiselect, *app.selectbox) if one.proto.disabled]
    assert all(one.placeholder or one.help for one in off), [one.label for one in off]
    assert ("More systems" in {one.label for one in off}) == (page == "segments")
