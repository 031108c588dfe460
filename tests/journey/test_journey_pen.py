"""The pen of annotation by itself: what the browser draws and sends, with a server in the page that keeps it."""

import http.server
import threading
from pathlib import Path

import pytest

import bleuscope

pytestmark = pytest.mark.browser
HERE = Path(__file__).parent
BROWSER = Path(bleuscope.__file__).parent / "features" / "annotation" / "browser"
MQM = {
    "severities": [{"name": "minor"}, {"name": "major"}, {"name": "critical"}],
    "categories": [
        {
            "key": "a",
            "name": "accuracy",
            "parts": [{"key": "m", "name": "mistranslation"}, {"key": "o", "name": "omission"}],
        },
        {"key": "f", "name": "fluency", "parts": [{"key": "g", "name": "grammar"}]},
        {"key": "t", "name": "terminology", "parts": []},
    ],
    "has_slider": False,
}
ESA = {"severities": [{"name": "minor"}, {"name": "major"}], "categories": [], "has_slider": True}
GERMAN = {"text": "Das alte Haus ist sehr groß.", "source": "The old house is small.", "lang": "de"}
PLACE_OF = """([side, start, end]) => {
  const text = document.querySelector(`.bs-pen-side.is-${side} .bs-pen-text`), range = document.createRange();
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const find = (offset) => {
    for (const node of nodes) {
      if (offset <= node.length) return [node, offset];
      offset -= node.length;
    }
  };
  const isInNext = nodes.some((node, at) => nodes.slice(0, at + 1).reduce((sum, one) => sum + one.length, 0) === start);
  range.setStart(...(isInNext ? find(start + 1).map((one, at) => at ? one - 1 : one) : find(start)));
  range.setEnd(...find(end));
  const box = range.getBoundingClientRect();
  return [box.left, box.right, box.top + box.height / 2];
}"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the pen's own files, and the page around them."""

    def translate_path(self, path):
        name = Path(path.partition("?")[0]).name
        return str(HERE / name if name == "pen.html" else BROWSER / name)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def address():
    """Where the page is."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/pen.html"
        server.shutdown()


class Writer:
    """Somebody with the pen."""

    def __init__(self, page, address):
        self.page, self.address, self.errors = page, address, []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.load()

    def load(self):
        self.page.goto(self.address)
        self.wait("window.isReady === true")

    def wait(self, expression):
        for _ in range(400):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"this does not come to hold: {expression}")

    def open(self, *items, scheme=MQM, **rest):
        self.page.evaluate("said => server.open(said)", {"scheme": scheme, "items": list(items), **rest})

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def marks(self, item="item-0"):
        """What the server has, once all is saved: severity, category, side and offsets."""
        self.wait("document.querySelector('.bs-pen-saved').textContent === 'Saved'")
        marks = self.page.evaluate("item => Object.values(server.state(item).marks)", item)
        return [tuple(one[name] for name in ("severity", "category", "side", "start", "end")) for one in marks]

    def said(self):
        return self.page.locator(".bs-pen-said").inner_text()

    def selected(self, side="target"):
        return "".join(self.page.locator(f".is-{side} .is-selected").all_text_contents())

    def drag(self, start, end, side="target"):
        left, right, middle = self.page.evaluate(PLACE_OF, [side, start, end])
        self.page.mouse.move(left + 0.3, middle)
        self.page.mouse.down()
        self.page.mouse.move((left + right) / 2, middle)
        self.page.mouse.move(right - 0.3, middle)
        self.page.mouse.up()

    def tap(self, start, end):
        left, right, middle = self.page.evaluate(PLACE_OF, ["target", start, end])
        self.page.touchscreen.tap((left + right) / 2, middle)


@pytest.fixture
def writer(chromium, address):
    """Somebody at a screen with a keyboard and a mouse."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    writer = Writer(context.new_page(), address)
    yield writer
    context.close()
    assert writer.errors == []


def test_marks_are_made_changed_and_undone_by_keys_and_said_aloud(writer):
    writer.open(GERMAN, {"text": "Zweiter Satz."})
    writer.press("ArrowRight", "ArrowRight", "2")
    assert writer.said() == "major: “Haus”"
    writer.press("a", "m")
    assert writer.said() == "major, mistranslation: “Haus”"
    writer.press("ArrowRight", "Shift+ArrowRight", "t", "1")  # a letter may come first
    assert writer.said() == "minor, terminology: “ist sehr”"
    assert writer.marks() == [
        ("major", "accuracy/mistranslation", "target", 9, 13),
        ("minor", "terminology", "target", 14, 22),
    ]
    writer.press("3", "z", "z", "Control+z")
    assert writer.marks() == [("major", "accuracy", "target", 9, 13)]
    writer.press("Home", "ArrowRight", "m", "1", "Shift+M", "3", "Shift+Tab", "ArrowRight", "2", "f", "g")
    assert writer.marks()[1:] == [
        ("minor", "accuracy/omission", "missing", 4, 4),
        ("critical", "accuracy/omission", "missing", 28, 28),
        ("major", "fluency/grammar", "source", 4, 7),
    ]
    assert writer.said() == "major, grammar: “old” in the source"
    writer.press("Delete")
    writer.press("Tab", "Home", "Alt+ArrowRight", "Alt+Shift+ArrowRight", "Alt+Shift+ArrowRight", "Alt+Shift+ArrowLeft")
    assert writer.selected() == "Da"
    writer.press("c")
    writer.page.keyboard.type("to <b>check</b>")
    writer.press("Enter")
    assert writer.page.locator(".bs-pen-marks .is-comment").inner_text() == "Comment: to <b>check</b>"
    writer.press("Enter")
    assert writer.page.locator(".bs-pen-count").inner_text() == "2 of 2"
    writer.press("Enter")
    writer.wait("document.querySelector('.bs-pen-over').textContent.startsWith('All 2 done')")
    assert writer.page.evaluate("server.saved.filter((one) => one.body.kind === 'finished').length") == 2


def test_a_mouse_drags_from_letter_to_letter_and_a_click_takes_a_word_or_a_mark(writer):
    writer.open(GERMAN)
    writer.drag(10, 12)
    assert writer.selected() == "au"
    writer.press("1")
    writer.drag(4, 13)
    writer.press("2")
    assert writer.marks() == [("minor", "", "target", 10, 12), ("major", "", "target", 4, 13)]
    writer.drag(27, 28)  # a full stop is narrow
    assert writer.selected() == "."
    left, right, middle = writer.page.evaluate(PLACE_OF, ["target", 18, 22])
    writer.page.mouse.click((left + right) / 2, middle)
    assert writer.selected() == "sehr"
    left, right, middle = writer.page.evaluate(PLACE_OF, ["target", 11, 12])
    writer.page.mouse.click((left + right) / 2, middle)  # the word lies in the larger mark alone
    writer.press("3")
    assert writer.marks() == [("minor", "", "target", 10, 12), ("critical", "", "target", 4, 13)]
    writer.page.locator(".bs-pen-remove").first.click()
    assert len(writer.marks()) == 1


def test_a_score_is_typed_and_asked_for_before_the_next(writer):
    writer.open(GERMAN, {"text": "Zweiter Satz."}, scheme=ESA)
    writer.press("Enter")
    assert writer.said() == "Give a score from 0 to 100, then press Enter"
    writer.press("8", "7", "ArrowLeft", "Enter")
    writer.wait("document.querySelector('.bs-pen-count').textContent === '2 of 2'")
    writer.marks()
    assert writer.page.evaluate("server.state().score") == 86
    assert writer.page.evaluate("server.state().is_finished")


TEXTS = (
    # text, language, keys, what is selected, its first and last code point
    ("هذا البيت القديم كبير", "ar", ["ArrowLeft", "Shift+ArrowLeft"], "البيت القديم", 4, 16),
    ("שלום לכם חברים", "he", ["ArrowLeft", "ArrowLeft", "ArrowRight"], "לכם", 5, 8),
    ("我喜欢老房子。", "zh", ["ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"], "喜欢老", 1, 4),
    ("ก็ชอบบ้านเก่า", "th", ["Alt+ArrowRight", "Alt+Shift+ArrowRight"], "ชอ", 2, 4),
    (
        "Cafe\u0301 nai\u0308f 👩\u200d👩\u200d👧 ok 🇩🇪!",
        "fr",
        ["ArrowRight", "ArrowRight"],
        "👩\u200d👩\u200d👧",
        12,
        17,
    ),
    ("𝕏 neu 𝕏", "de", ["ArrowRight", "ArrowRight"], "𝕏", 6, 7),
    ("Cafe\u0301s nu", "fr", ["Alt+ArrowRight"] * 4 + ["Alt+Shift+ArrowRight"], "e\u0301s", 3, 6),
)


def test_offsets_are_code_points_and_split_no_grapheme_in_any_script(writer):
    for place, (text, lang, keys, chosen, start, end) in enumerate(TEXTS):
        direction = "rtl" if lang in ("ar", "he") else "ltr"
        saved = "server.saved.length = 0"
        writer.page.evaluate(saved)
        writer.open({"text": text, "lang": lang, "direction": direction, "item": f"text-{place}"})
        writer.press("Home", *keys)
        assert (lang, writer.selected()) == (lang, chosen)
        writer.press("2")
        assert writer.marks(f"text-{place}") == [("major", "", "target", start, end)]
        assert text[start:end] == chosen
        writer.press("Shift+M", "1")
        assert writer.marks(f"text-{place}")[1][3:] == (len(text), len(text))


def test_a_place_within_a_grapheme_of_the_server_is_none_of_the_pen(writer):
    writer.open({"text": "abcdef", "clusters": {"text": [[2, 5]], "source": []}})
    writer.press(*["Alt+ArrowRight"] * 3)
    assert writer.selected() == "cde"


def test_nothing_is_lost_without_a_connection_and_sent_after_a_reload(writer):
    writer.open(GERMAN)
    writer.page.evaluate("server.isAway = true")
    writer.press("2", "ArrowRight", "1")
    assert len(writer.page.locator(".bs-pen-mark").all()) == 2
    assert writer.page.locator(".bs-pen-saved").inner_text() == "Saving …"
    assert writer.page.evaluate("server.saved.length") == 0
    writer.load()
    writer.open(GERMAN)
    assert [one[3:] for one in writer.marks()] == [(0, 3), (4, 8)]
    assert writer.page.evaluate("Object.keys(localStorage).length") == 0
    assert writer.page.evaluate("server.saved.length") == 2


def test_a_mark_of_before_a_reload_can_be_removed_while_nothing_is_acknowledged(writer):
    writer.open(GERMAN)
    writer.page.evaluate("server.isAway = true")
    writer.press("2")
    writer.load()
    writer.page.evaluate("server.isAway = true")
    writer.open(GERMAN)
    writer.press("Home", "Delete")
    assert writer.page.locator(".bs-pen-mark").all() == []
    waiting = writer.page.evaluate("Object.values(localStorage).map((one) => JSON.parse(one))")
    made, removed = sorted(waiting, key=lambda event: event["order"])
    assert (made["body"]["kind"], removed["body"]["kind"]) == ("marked", "removed")
    assert made["client_id"].split(".")[0] != removed["client_id"].split(".")[0]
    assert removed["base"] >= 1, "who has not seen the mark cannot take it back"


def test_a_comment_that_is_typed_is_saved_with_the_output(writer):
    writer.open(GERMAN, {"text": "Zweiter Satz."})
    writer.press("c")
    writer.page.keyboard.type("unclear")
    writer.page.locator(".bs-pen-done").first.click()
    writer.wait("document.querySelector('.bs-pen-count').textContent === '2 of 2'")
    writer.marks()
    assert writer.page.evaluate("[server.state().comment, server.state().is_finished]") == ["unclear", True]
    assert writer.page.evaluate("server.state('item-1').comment") == ""


@pytest.mark.parametrize(("scheme", "keys"), [(ESA, ("Enter", "8")), (MQM, ())], ids=["ESA", "MQM"])
def test_enter_that_is_held_finishes_one_output_and_gives_no_score(writer, scheme, keys):
    writer.open(GERMAN, {"text": "Zweiter Satz."}, {"text": "Dritter Satz."}, scheme=scheme)
    writer.press(*keys)
    for _ in range(4):
        writer.page.keyboard.down("Enter")
    writer.page.keyboard.up("Enter")
    writer.marks()
    finished = "server.saved.filter((one) => one.body.kind === 'finished').map((one) => one.item)"
    assert writer.page.evaluate(finished) == ["item-0"]
    assert writer.page.evaluate("server.state('item-1').score") is None


def test_what_the_server_refuses_is_said_and_not_sent_again(writer):
    writer.open(GERMAN, scheme={**MQM, "severities": [{"name": "refused"}]})
    writer.press("1")
    writer.wait("document.querySelector('.bs-pen-said').textContent.startsWith('Not saved: the severity')")
    assert writer.marks() == []
    assert writer.page.evaluate("Object.keys(localStorage).length") == 0


def test_what_is_text_stays_text(writer):
    hostile = "<img src=x onerror=alert(1)> & <b>"
    writer.open({"text": hostile, "source": hostile, "reference": hostile})
    writer.press("Shift+End", "2")
    for side in ("source", "reference", "target"):
        assert writer.page.locator(f".is-{side} .bs-pen-text").text_content() == hostile
    assert writer.page.locator(".bs-pen img, .bs-pen-texts b").count() == 0


def test_four_hundred_words_are_marked_as_fast_as_one(writer):
    words = " ".join(f"Wort{n}" for n in range(400))
    writer.open({"text": words, "lang": "de"})
    writer.press("End", "ArrowLeft", "Shift+ArrowLeft", "2", "Home", "ArrowDown", "1")
    last, first = writer.marks()
    assert words[last[3] : last[4]] == "Wort397 Wort398"
    assert first[3] > 0


def test_a_thumb_taps_words_pulls_a_handle_and_presses_buttons(chromium, address):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    writer = Writer(context.new_page(), address)
    writer.open(GERMAN, {"text": "Zweiter Satz."}, scheme=ESA)
    writer.tap(4, 8)
    assert writer.selected() == "alte"
    writer.tap(14, 17)
    assert writer.selected() == "alte Haus ist"
    writer.page.locator(".bs-pen-severity").nth(1).tap()
    assert writer.marks() == [("major", "", "target", 4, 17)]
    writer.tap(18, 22)
    handle = writer.page.locator(".bs-pen-handle.is-end").bounding_box()
    _, right, middle = writer.page.evaluate(PLACE_OF, ["target", 23, 25])
    writer.page.mouse.move(handle["x"] + 14, handle["y"] + 10)
    writer.page.mouse.down()
    writer.page.mouse.move(right, middle + handle["height"])
    writer.page.mouse.up()
    assert writer.selected() == "sehr gr"
    writer.page.get_by_role("button", name="Missing at the end").tap()
    writer.page.locator(".bs-pen-severity").first.tap()
    assert writer.marks()[1] == ("minor", "", "missing", 28, 28)
    small = """[...document.querySelectorAll(".bs-pen button:not(.bs-pen-handle)")]
      .filter((one) => one.offsetParent && one.offsetHeight < 44).length"""
    assert writer.page.evaluate(small) == 0
    writer.load()
    writer.open(GERMAN, scheme=MQM, place="with kinds")
    assert writer.page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
    assert writer.errors == []
