"""Which tests ``make quick`` runs: those of the engine, and those of content that import nothing beyond it."""

import pkgutil

import bleuscope


def test_of_all_rooms_of_the_package_content_alone_is_quick(goes_beyond_content):
    rooms = [room.name for room in pkgutil.iter_modules(bleuscope.__path__)]
    assert {"content", "cli", "shell", "pages", "app", "workspace"} <= set(rooms)
    for lines in (
        "from bleuscope.{}.x import y",
        "    from bleuscope import {}",
        "import re\nimport bleuscope.{} as x",
    ):
        assert [room for room in rooms if not goes_beyond_content(lines.format(room))] == ["content"]


def test_what_is_named_in_other_words_says_nothing(goes_beyond_content):
    assert not goes_beyond_content(
        "import bleucore\nfrom bleucore import x\n# import streamlit\ncode = 'import subprocess'"
    )
    assert goes_beyond_content("import subprocess")
    assert goes_beyond_content("from streamlit.testing.v1 import AppTest")
