"""From an n-gram or a slice to its segments, by mouse and by keyboard, and back."""

import pytest

pytestmark = pytest.mark.browser

NAME_X, HEADING, ROW = 70, 37, 32


def tables(visitor):
    """The tables on the page, drawn."""
    found = visitor.page.get_by_test_id("stDataFrame").locator("canvas[data-testid=data-grid-canvas]")
    found.first.wait_for()
    visitor.page.wait_for_timeout(300)
    visitor.at_rest(found.first)
    return found


def cell(visitor, table, column, row):
    """What a screen reader reads in a cell."""
    return tables(visitor).nth(table).locator(f"#glide-cell-{column}-{row}").inner_text().strip()


def press_name(visitor, table, row):
    """Click the name of a row."""
    tables(visitor).nth(table).click(position={"x": NAME_X, "y": HEADING + ROW * row + ROW // 2}, force=True)
    visitor.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    visitor.settle()


def boxes(visitor):
    """The words in boxes in the first row of the list."""
    return visitor.page.locator(".bs-row").first.locator(".bs-ngram").all_inner_texts()


@pytest.fixture
def visitor(visit, sample_server):
    """Somebody who compares the n-grams of two systems."""
    return visit(sample_server).open("/ngrams?ngram_order=2&a=fluent&b=neural-40k")


def test_a_click_on_an_ngram_lists_its_segments_with_the_ngram_in_boxes_until_it_is_cleared(visitor):
    tokens = cell(visitor, 0, 1, 1).replace("\u200a", "").split("␣")
    press_name(visitor, 0, 1)
    assert "ngram_where=B+matches+it+more" in visitor.page.url
    assert boxes(visitor)[:2] == tokens
    assert "of 216 segments with n-gram" in visitor.text()
    visitor.page.get_by_test_id("stMain").get_by_role("button", name="n-gram").click()
    visitor.settle()
    assert "216 segments, sorted by" in visitor.text()
    visitor.wait_until("document.querySelector('.bs-reading .bs-ngram, .bs-row .bs-ngram') === null")
    assert boxes(visitor) == []
    assert "ngram" not in visitor.page.url


def test_an_ngram_is_opened_by_keyboard(visit, sample_server):
    visitor = visit(sample_server).open("/ngrams?ngram_view=missed&ngram_order=1")
    table = tables(visitor).nth(1)
    table.focus()
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Shift+Space")
    visitor.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    visitor.settle()
    assert "ngram_where=A+misses+it" in visitor.page.url


def test_coming_back_to_the_ngrams_stays_there(visitor):
    press_name(visitor, 1, 0)
    visitor.turn_to("N-grams")
    visitor.settle()
    assert visitor.page.get_by_role("heading", name="N-grams", exact=True).count() == 1
    press_name(visitor, 0, 2)
    assert "ngram_where=B" in visitor.page.url


def test_a_bar_or_a_row_of_a_slice_lists_its_segments(visit, sample_server):
    visitor = visit(sample_server).open("/slices?slice_by=reference+length")
    name, size = cell(visitor, 0, 1, 1), cell(visitor, 0, 2, 1)
    press_name(visitor, 0, 1)
    assert f"{size} of 216 segments" in visitor.text()
    assert f"slice reference length: {name}" in visitor.text()
    visitor.turn_to("Slices")
    visitor.click_bar("slices", 0)
    visitor.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    visitor.settle()
    assert "slice=" in visitor.page.url
    assert f"slice reference length: {name}" not in visitor.text()
    visitor.page.get_by_test_id("stMain").get_by_role("button", name="Clear", exact=True).last.click()
    visitor.settle()
    assert "216 segments, sorted by" in visitor.text()
