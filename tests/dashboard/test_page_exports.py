"""The menu beneath tables: nothing is made before it is opened; then it copies and saves."""

import base64
import csv
import hashlib
import io
import re

import pytest

from bleuscope.content.style import numbers
from bleuscope.shell.controls.exports import MOST_COPIED, SAVED
from bleuscope.shell.server import server
from bleuscope.shell.server.pictures import PICTURE_SCRIPT

MENUS = {
    "test_set": ["checks", "texts"],
    "scores": ["systems", "orders"],
    "Two systems": ["pair"],
    "All pairs": ["pairs", "clusters"],
    "Power": ["power"],
    "Blocks": ["block-tests", "blocks", "block-scores"],
}


def page_of(open_page, place):
    """A page, or a panel of the Significance page."""
    return open_page(place) if place in ("test_set", "scores") else open_page("significance", panel=place)


def menus(app):
    """The keys of the menus on a page."""
    blocks = "".join(str(block.proto) for block in app.get("popover"))
    return list(dict.fromkeys(re.findall(r"export-menu-([\w-]+)", blocks)))


def opened(app, key):
    app.session_state[f"export-menu-{key}"] = True
    app.run()
    assert not app.exception
    return app


def copied(app):
    """The text in the open menu."""
    return next(code.value for code in app.code if "\t" in code.value or code.value.startswith(("%", "| ")))


def saved_forms(app):
    return [one.proto.label for one in app.get("download_button") if one.proto.label in SAVED.values()]


class TestMenu:
    @pytest.mark.parametrize("place", MENUS)
    def test_stands_at_every_table_and_makes_nothing_before_it_is_opened(self, open_page, place):
        app = page_of(open_page, place)
        assert menus(app) == MENUS[place]
        assert not saved_forms(app)
        assert not any("\t" in code.value for code in app.code)

    @pytest.mark.parametrize(("place", "key"), [(place, key) for place, keys in MENUS.items() for key in keys])
    def test_shows_the_table_to_copy_and_every_form_to_save(self, open_page, place, key):
        app = opened(page_of(open_page, place), key)
        assert saved_forms(app) == list(SAVED.values())
        rows = list(csv.reader(io.StringIO(copied(app)), delimiter="\t"))
        assert len(rows) > 1
        assert {len(row) for row in rows} == {len(rows[0])}

    def test_copies_the_numbers_of_the_page(self, open_page, sample):
        app = opened(open_page("scores"), "systems")
        heading, *rows = (line.split("\t") for line in copied(app).strip().split("\n"))
        shown = {row[0]: numbers.score(float(row[heading.index("bleu")])) for row in rows}
        assert shown == {name: numbers.score(result.score.score) for name, result in sample.evaluation.systems.items()}

    def test_copies_latex_and_markdown_as_well(self, open_page):
        app = opened(open_page("scores"), "systems")
        app.segmented_control(key="export-copied-systems").set_value("LaTeX").run()
        assert copied(app).startswith("% Needs")
        app.segmented_control(key="export-copied-systems").set_value("Markdown").run()
        assert copied(app).startswith("| system | BLEU ↑ |")

    def test_rounds_latex_and_markdown_to_the_decimals_that_are_chosen(self, open_page, sample):
        app = opened(open_page("scores"), "systems")
        app.segmented_control(key="export-copied-systems").set_value("Markdown").run()
        app.number_input(key="export-decimals-systems").set_value(1).run()
        best = max(result.score.score for result in sample.evaluation.systems.values())
        assert f"**{best:.1f}**" in copied(app)

    def test_of_a_long_table_saves_and_says_why_it_does_not_copy(self, open_page):
        texts = "a b c\n" * (MOST_COPIED + 1)
        app = opened(open_page("test_set", {"one.txt": texts, "ref.txt": texts}), "texts")
        assert saved_forms(app) == list(SAVED.values())
        assert any("501 rows are too many to copy" in caption.value for caption in app.caption)

    def test_of_an_explanation_and_of_a_selection_stands_where_they_are(self, open_page):
        app = open_page("scores", why="true", compared_preset="mteval-v13a")
        assert "explanation" in menus(app)
        assert copied(opened(app, "explanation")).startswith("system\there\t")
        app = open_page("segments", selection="true")
        assert copied(opened(app, "selection")).startswith("system\tbleu\t")


def pictures():
    from bleuscope.shell.server.pictures import picture_buttons

    picture_buttons()


class TestPictures:
    def test_are_made_by_a_script_that_the_security_policy_allows_by_its_hash(self, undrawn):
        (element,) = undrawn(pictures).run().get("html")
        script = re.fullmatch("<script>(.*)</script>", element.proto.body, re.DOTALL)[1]
        assert script == PICTURE_SCRIPT
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in server._content_security_policy()
