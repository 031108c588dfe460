"""A rater by a link, with the server that keeps what they mark; and the pen in Segments."""

import pytest

from bleucore.annotation.marks import Mark
from tests.journey.annotation_task import begun, marked
from tests.journey.looks import PHONE, assert_accessible_in_both_themes, sideways_excess

pytestmark = pytest.mark.browser
TEXTS = ("Das alte Haus ist sehr groß.", "Er kam nicht nach Hause.", "Ein <b>Satz</b> mehr.")
IS_SAVED = "document.querySelector('.bs-pen-saved')?.textContent === 'Saved'"


@pytest.fixture
def server(started, tmp_path, free_port):
    """A server, and the link of a rater there."""
    task_id, link = begun(tmp_path / "workspace", TEXTS)
    server = started(tmp_path, free_port(), "demo")
    yield server, task_id, link
    server.stop()


def test_what_a_rater_marks_is_saved_also_what_they_mark_while_the_server_is_away(server, visit, tmp_path):
    server, task_id, link = server
    visitor = visit(server.address)
    page = visitor.open(f"/annotate?rater={link}").page
    page.locator(".bs-pen-text:focus").wait_for()
    for key in ("ArrowRight", "2", "a", "m", "Enter"):
        page.keyboard.press(key)
    visitor.wait_until(IS_SAVED)
    assert "secret" not in page.content()
    assert_accessible_in_both_themes(visitor, "Annotate")
    page.set_viewport_size(PHONE)
    visitor.settle()
    assert sideways_excess(visitor) == 0
    page.locator(".is-target .bs-pen-text").focus()
    server.stop()
    for key in ("End", "ArrowLeft", "1", "f", "g", "Enter", "3", "o"):
        page.keyboard.press(key)
    server.start()
    visitor.wait_until(f"{IS_SAVED} && document.querySelector('.bs-pen-count').textContent === '3 of 3'")
    assert marked(tmp_path / "workspace", task_id) == {
        "i0": ((Mark(4, 8, "major", "accuracy/mistranslation"),), True),
        "i1": ((Mark(18, 23, "minor", "fluency/grammar"),), True),
        "i2": ((Mark(0, 3, "critical", "other"),), False),
    }
    page.reload()
    page.get_by_role("button", name="critical, other “Ein”").wait_for()
    visitor.open("/segments?segment=6")
    page.keyboard.press("e")
    page.locator(".is-alone .bs-pen-text:focus").wait_for()
    page.keyboard.press("1")
    visitor.wait_until(IS_SAVED)
    page.keyboard.press("e")
    page.locator(".bs-pen").wait_for(state="detached")
    assert visitor.page_errors == []
    assert visitor.foreign_requests == []
