"""The texts of versions are checked from when they are opened as a comparison."""

import re


def progress(app):
    return [one.proto.text for one in app.get("progress")]


def test_versions_that_are_opened_as_a_comparison(gate, open_on_data):
    app = open_on_data("leaderboard")
    assert not progress(app)
    app.button(key="open-comparison").click().run()
    assert not app.exception
    assert app.title[0].value == "Summary"
    (said,) = progress(app)
    assert re.fullmatch(r"Checking the texts … \d+%", said)
