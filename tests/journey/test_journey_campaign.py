"""A cell of a campaign leads to the sentences behind it, and the row of pages leads back."""

import pytest

pytestmark = pytest.mark.browser

LINES = ("the cat sat on the mat in house {}", "a dog ran to the river near town {}")
SYSTEMS = {"early": 2, "late <b>": 1}


@pytest.fixture(scope="module")
def campaign_server(serve, tmp_path_factory):
    """``bleuscope open --campaign`` on two test sets of two systems."""
    folder = tmp_path_factory.mktemp("campaign")
    for pair in ("de-en", "fr-en"):
        (folder / pair).mkdir()
        lines = [LINES[line % 2].format(line) for line in range(16)]
        (folder / pair / "ref.en").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for system, n_wrong in SYSTEMS.items():
            outputs = [line.replace("the", "x", n_wrong if line[0] == "t" else 0) for line in lines]
            (folder / pair / f"{system}.en").write_text("\n".join(outputs) + "\n", encoding="utf-8")
    return serve("open", "--campaign", str(folder))


def test_a_cell_opens_its_comparison_with_the_mouse_and_with_keys(visit, campaign_server):
    visitor = visit(campaign_server).open("/")
    assert visitor.page.url.startswith(f"{campaign_server}/campaign")
    cells = visitor.page.locator(".bs-heat")
    assert cells.count() == 4
    cells.first.click()
    visitor.page.get_by_role("heading", name="Compare", exact=True).wait_for()
    visitor.settle()
    assert "late <b>" in visitor.text()
    assert "de-en" in visitor.page.get_by_test_id("stSidebar").inner_text()
    visitor.press("Back to")
    visitor.page.locator(".bs-matrix .bs-set").last.focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.get_by_role("heading", name="Summary", exact=True).wait_for()
    visitor.settle()
    assert "fr-en" in visitor.page.get_by_test_id("stSidebar").inner_text()
    assert not visitor.page_errors
    assert not visitor.foreign_requests
