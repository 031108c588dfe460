"""The texts are checked from when they are opened, and every page says how far that is and what was found."""

import re
import threading

import pytest

from bleucore import BleuOptions
from bleucore.checks import CHECKS, Check, registry
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import NAMED_FILES
from bleuscope.shell.page import scoring
from bleuscope.shell.state import cached, workspace_in_use
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.gated_checks import Gate

GOOD = [f"sentence {n} of the text says {n * n} to {n + 7} others" for n in range(40)]
OTHERWISE = [line.replace("says", "states") for line in GOOD]
UNRELATED = [f"Wort{n * 13 % 40} {'ja ' * (n * 7 % 11)}nein" for n in range(40)]
OF_TEST_SETS = [name for name, page in PAGES.items() if page.is_of_comparison]


@pytest.fixture
def files(tmp_path, request):
    """Two systems; the second has nothing to do with the reference. Other texts in each test: findings are kept."""

    def write(second):
        for name, lines in (("first", OTHERWISE), ("second", second), ("ref", GOOD)):
            texts = "".join(f"{line} {request.node.name}\n" for line in lines)
            (tmp_path / f"{name}.txt").write_text(texts, encoding="utf-8")
        systems, references = (str(tmp_path / "first.txt"), str(tmp_path / "second.txt")), (str(tmp_path / "ref.txt"),)
        return Inputs(systems=systems, references=references)

    return write


def html(app):
    return "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])


def progress(app):
    return [one.proto.text for one in app.get("progress")]


def is_checking(app):
    """Whether a page says how far the checks are."""
    return [one for one in progress(app) if re.fullmatch(r"Checking the texts … \d+%", one)] == progress(app) != []


def finish(gate, inputs):
    gate.may_end.set()
    return cached.text_findings(cached.opened(inputs).test_set).value(lambda _: None)


def are_tested(inputs):
    test_set = cached.opened(inputs).test_set
    bleu = cached.evaluation(test_set, BleuOptions()).bleu
    return cached.comparison(test_set, bleu, SignificanceOptions(trials=97, resamples=50)).is_done


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception
    return app


def test_the_first_screen_of_many_texts_says_that_they_are_checked_and_then_what_is_wrong(gate, files, open_link):
    inputs = files(UNRELATED)
    app = open_link("overview", inputs)
    assert is_checking(app)
    assert gate.has_begun.wait(60)
    assert progress(app.run()) == ["Checking the texts … 30%"]
    assert "scores higher than" in html(app)
    assert "Check the texts first." not in html(app)
    finish(gate, inputs)
    app.run()
    assert progress(app) == []
    assert "Check the texts first." in html(app)
    assert press(app, "findings").title[0].value == "Data"


def test_texts_without_errors_are_said_to_have_none(gate, files, open_link):
    inputs = files([line.replace("says", "told") for line in GOOD])
    app = open_link("scores", inputs)
    finish(gate, inputs)
    assert "No errors or warnings in the texts." in html(app.run())
    assert "findings" not in [one.key for one in app.button]


@pytest.mark.parametrize("page", OF_TEST_SETS)
def test_every_page_of_a_test_set_has_the_same_status(gate, files, open_link, page):
    inputs = files(UNRELATED)
    app = open_link(page, inputs, trials="97", resamples="50")
    assert is_checking(app)
    finish(gate, inputs)
    assert "Check the texts first." in html(app.run())


def test_checks_that_are_cancelled_stay_so_on_other_pages_until_they_are_started_again(gate, files, open_link):
    inputs = files(UNRELATED)
    app = press(open_link("overview", inputs), "cancel-checks")
    assert "You cancelled the checks." in html(app)
    app.switch_page(PAGES["scores"].script).run()
    assert "You cancelled the checks." in html(app)
    press(app, "check-texts")
    assert is_checking(app)
    finish(gate, inputs)
    assert "Check the texts first." in html(app.run())


def test_one_who_cancels_does_not_end_them_for_another(gate, files, open_link):
    inputs = files(UNRELATED)
    mine, other = open_link("overview", inputs), open_link("overview", inputs)
    press(mine, "cancel-checks")
    assert is_checking(other.run())
    finish(gate, inputs)
    assert "Check the texts first." in html(other.run())
    assert "Check the texts first." in html(mine.run())


def test_checks_that_fail_say_so_and_can_be_tried_again(gate, files, open_link):
    inputs = files(UNRELATED)
    app = open_link("overview", inputs)
    gate.failure = MemoryError()
    with pytest.raises(MemoryError):
        finish(gate, inputs)
    assert "The checks failed." in html(app.run())
    gate.failure = None
    press(app, "check-texts")
    finish(gate, inputs)
    assert "Check the texts first." in html(app.run())


def test_few_texts_are_checked_before_the_answer_and_a_failure_is_said_and_in_the_log(
    files, open_link, monkeypatch, caplog
):
    gate = Gate()
    gate.may_end.set()
    gate.failure = ValueError("no gate")
    monkeypatch.setattr(registry, "CHECKS", {"gate": Check(gate, "Fails."), **CHECKS})
    app = open_link("overview", files(UNRELATED))
    assert "The checks failed." in html(app)
    assert "scores higher than" in html(app)
    assert "ValueError: no gate" in caplog.text
    gate.failure = None
    assert "Check the texts first." in html(press(app, "check-texts"))


def test_checks_that_no_cache_has_room_for_are_known_to_whoever_began_them(files, open_link, monkeypatch):
    monkeypatch.setattr(cached.text_findings.cache, "keep", lambda *_: None)
    app = open_link("test_set", files(UNRELATED))
    for _ in range(2):
        assert not app.exception
        assert not progress(app)
        assert "Check the texts first." in html(app)
        app.run()


def test_the_page_of_the_test_set_says_that_findings_are_to_come(gate, files, open_link):
    inputs = files(UNRELATED)
    app = open_link("test_set", inputs)
    assert any("once the texts are checked" in one.value for one in app.caption)
    finish(gate, inputs)
    app.run()
    assert not any("once the texts are checked" in one.value for one in app.caption)
    assert "bs-finding-error" in html(app)


@pytest.mark.parametrize("opening", ["command", "link", "sample"])
def test_however_the_texts_are_opened(gate, files, open_link, opening):
    inputs = files(UNRELATED)
    address = {"command": {}, "link": {"data": NAMED_FILES}, "sample": {"data": "sample"}}[opening]
    assert is_checking(open_link("overview", inputs, **address))


def test_a_comparison_that_was_opened_before(gate, files, open_link, empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    try:
        inputs = files(UNRELATED)
        open_link("scores", inputs)
        finish(gate, inputs)
        for thread in threading.enumerate():
            if thread.name == "keep":
                thread.join(60)
        gate.may_end.clear()
        cached.text_findings.cache.clear()  # as after a restart
        app = open_link("test_set", Inputs())
        assert not progress(app)
        (button,) = (one.key for one in app.button if one.key.startswith("_open-"))
        assert is_checking(press(app, button))
        assert app.title[0].value == "Summary"
    finally:
        workspace_in_use.use(None, is_shared=False)


@pytest.mark.parametrize("page", ["overview", "scores", "compare"])
def test_of_very_many_texts_the_tests_wait_until_the_texts_are_checked(gate, files, open_link, monkeypatch, page):
    monkeypatch.setattr(scoring, "MANY_OUTPUTS", 1)
    inputs = files(UNRELATED)
    app = open_link(page, inputs, trials="97", resamples="50")
    assert not are_tested(inputs)
    finish(gate, inputs)
    app.run()
    assert not app.exception
    assert are_tested(inputs)
