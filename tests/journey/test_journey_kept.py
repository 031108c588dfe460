"""What a person typed outlives server and connection; Back takes one press; the browser asks before work goes."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CUT_OFF = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"
SLOWEST = 60_000
"""Milliseconds until a page is whole again after a restart, on a machine that does much else."""
NOTE, UNSENT = "où est le verbe ?", "noch nicht abgeschickt"
MOST_STEPS_BACK = 6
"""The open segment and the filter are steps of their own."""


def note_field(visitor):
    return visitor.page.get_by_label("Note on this segment")


def save(visitor):
    with visitor.page.expect_download() as saved:
        visitor.page.locator(".st-key-save_notes button").first.click()
    return saved.value.path().read_text(encoding="utf-8")


def test_the_first_session_of_a_server_takes_a_filter_into_the_address_and_back_takes_one_press(visit, restartable):
    visitor = visit(restartable.address)
    visitor.page.goto("about:blank")
    visitor.page.goto(f"{restartable.address}/segments?a=fluent&b=human&segment=150")
    find = visitor.page.get_by_label("Find text")
    find.fill("sea")
    find.press("Enter")
    visitor.page.get_by_text("15 of 216 segments").wait_for()
    visitor.settle()
    assert "find=sea" in visitor.page.url
    visitor.page.reload()
    visitor.settle()
    assert "15 of 216 segments" in visitor.text()
    for _ in range(3):
        visitor.page.keyboard.press("j")
        visitor.settle()
    open_last = visitor.page.url
    assert "find=sea" in open_last
    assert "segment=" in open_last
    visitor.turn_to("Compare")
    visitor.page.go_back()
    visitor.wait_until("location.search.includes('find=sea') && location.search.includes('segment=')")
    visitor.settle()
    assert visitor.page.url == open_last
    assert find.input_value() == "sea"
    assert "15 of 216 segments" in visitor.text()
    for _ in range(MOST_STEPS_BACK):
        if visitor.page.url == "about:blank":
            break
        assert "/segments?" in visitor.page.url
        visitor.page.go_back()
        visitor.page.wait_for_timeout(500)
    assert visitor.page.url == "about:blank"
    visitor.open("/")
    assert "/overview?data=sample" in visitor.page.url
    visitor.page.go_back()
    visitor.page.wait_for_url("about:blank")
    assert not visitor.page_errors


def test_notes_outlive_the_server_and_are_saved_whole_and_asked_for_before_the_tab_closes(visit, restartable):
    visitor = visit(restartable.address).open("/segments?segment=5")
    note_field(visitor).fill(NOTE)
    note_field(visitor).press("Enter")
    visitor.settle()
    restartable.restart(lambda: visitor.page.wait_for_selector(CUT_OFF))
    visitor.settle()
    assert "Everything is restored: 1 segment with a tag or a note." in visitor.text()
    assert NOTE in save(visitor)
    visitor.settle()
    visitor.page.keyboard.press("j")
    visitor.settle()
    note_field(visitor).fill(UNSENT)
    visitor.page.close(run_before_unload=True)
    visitor.wait_for_dialog()
    assert visitor.dialogs == [""]
    note_field(visitor).press("Enter")
    visitor.settle()
    saved = save(visitor)
    assert NOTE in saved
    assert UNSENT in saved
    visitor.settle()
    visitor.page.reload()
    visitor.settle()
    assert visitor.dialogs == [""], "what is kept needs no question"
    assert "Restored from earlier: 2 segments with a tag or a note" in visitor.text()


def test_two_windows_that_change_one_note_keep_both_and_one_from_before_a_restart_changes_nothing(visit, restartable):
    visitor = visit(restartable.address).open("/segments?segment=12")
    first, second = visitor.page, visitor.page.context.new_page()

    def note(page):  # while a page is drawn anew after a restart, the field of before may stand beside it
        return page.get_by_label("Note on this segment").last

    def write(page, text):
        note(page).fill(text)
        note(page).press("Enter")

    write(first, "base")
    visitor.settle()
    second.goto(first.url)
    note(second).wait_for()
    expect(note(second)).to_have_value("base")
    write(first, "theirs")
    first.get_by_role("button", name="Earlier versions").wait_for()
    write(second, "mine")
    second.get_by_text("Your note is not saved yet. Another window changed the note ").wait_for()
    expect(note(second)).to_have_value("mine")
    expect(second.locator("[class*=st-key-note-conflict]")).to_contain_text("theirs")
    second.get_by_role("button", name="Keep both").click()
    expect(note(second)).to_have_value("mine / theirs")
    expect(second.get_by_text("is not saved yet")).to_have_count(0)
    second.get_by_role("button", name="Earlier versions").click()
    second.get_by_role("button", name="Restore").nth(2).click()
    expect(note(second)).to_have_value("base")
    restartable.restart(lambda: first.wait_for_selector(CUT_OFF))  # the first window still shows "theirs"
    expect(note(first)).to_have_value("base", timeout=SLOWEST)
    expect(first.get_by_text("is not saved yet")).to_have_count(0)
    expect(note(second)).to_have_value("base")
    for page in (first, second):
        expect(page.get_by_label("Note on this segment")).to_have_count(1)
    second.close()
