"""The widget of notebooks in a page with a stand-in for Jupyter: it asks Python for a segment, and shows its HTML."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import expect

from bleucore import System, TestSet
from bleuscope import Settings, compare

pytestmark = pytest.mark.browser
REFERENCES = [f"the cat {number} sat on the old mat" for number in range(4)]
OUTPUTS = ["the cat 0 sat on the old mat", "<img src=x onerror=alert(1)>", "cat 2", "the cat 3 sat on the mat"]
HOST = """([code, traits]) => new Promise((resolve) => {
  const listeners = {};
  window.model = {
    get: (name) => traits[name],
    set: (name, value) => { traits[name] = value; },
    on: (event, listener) => { listeners[event] = listener; },
    off: (event) => { delete listeners[event]; },
    save_changes: async () => { traits.html = await python(traits.segment); listeners["change:html"]?.(); },
  };
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  document.body.innerHTML = '<main id="place"></main>';
  window.outside = [];
  addEventListener("keydown", (event) => window.outside.push(event.key));
  import(address).then((made) => {
    window.leave = made.default.render({ model: window.model, el: document.getElementById("place") });
    resolve();
  });
})"""


class Trait:
    """A trait of traitlets: its value, whatever is said of it."""

    def __init__(self, value=None):
        self.value = value

    def tag(self, **_):
        """What Jupyter sees."""
        return self.value


class Widget:
    """anywidget's, with traits as attributes."""

    def __init__(self, **traits):
        vars(self).update(traits)


@pytest.fixture
def widget(monkeypatch):
    """Two systems in the widget, whose packages are stand-ins."""
    names = dict.fromkeys(("Int", "Unicode", "Float", "List"), Trait)
    same = {name: lambda _: lambda made: made for name in ("validate", "observe")}
    for name, contents in (("anywidget", {"AnyWidget": Widget}), ("traitlets", {**names, **same})):
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "bleuscope.integrations.widget", raising=False)
    made = importlib.import_module("bleuscope.integrations.widget")
    monkeypatch.delitem(sys.modules, made.__name__)
    systems = [System("old", REFERENCES), System("new <b>", OUTPUTS)]
    study = compare(TestSet(systems, [REFERENCES]), Settings(baseline="old"))
    return made.SegmentsWidget(study)


def test_segments_are_reached_by_button_key_and_order_and_every_text_is_escaped(widget, chromium):
    asked, faults = [], []
    page = chromium.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))

    def python(segment):
        widget.segment = segment
        widget._show()
        return widget.html

    page.expose_function("python", python)
    traits = ("segment", "html", "legend", "styles", "values", "value_name", "names")
    given = {name: getattr(widget, name) for name in traits}
    page.evaluate(HOST, [Path(type(widget)._esm).read_text(encoding="utf-8"), given])
    place, body = page.locator("output"), page.locator("section")
    assert place.inner_text() == "Segment 2 (1 of 4), Δ BLEU −96.61"
    assert "<img src=x onerror=alert(1)>" in body.inner_text()
    assert page.locator("img").count() == 0
    assert page.locator(".bs-m4").count() > 0
    assert page.get_by_role("button", name="Previous").is_disabled()
    page.get_by_role("button", name="Next").click()
    expect(place).to_contain_text("Segment 3 (2 of 4)")
    page.keyboard.press("j")
    expect(place).to_contain_text("Segment 4 (3 of 4)")
    page.keyboard.press("k")
    expect(place).to_contain_text("Segment 3 (2 of 4)")
    assert page.evaluate("window.outside") == []
    page.get_by_label("Order").select_option(label="Order of the test set")
    expect(place).to_contain_text("Segment 1 (1 of 4), Δ BLEU 0.00")
    assert page.locator(".bs-m1, .bs-m4").first.evaluate("one => getComputedStyle(one).boxShadow") != "none"
    page.evaluate("window.leave()")
    page.close()
    assert faults == []
    assert [one for one in asked if not one.startswith("blob:")] == []
