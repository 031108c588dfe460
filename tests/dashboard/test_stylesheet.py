"""What the rules of pages ask of the browser while a chart is drawn."""

import re

from bleuscope.content.style.stylesheet import PARTS, stylesheet

OPENING = ":has("


def asked_within(css):
    """The arguments of every ``:has()``."""
    for found in re.finditer(re.escape(OPENING), css):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(css[end], 0)
            end += 1
        yield css[found.end() : end - 1]


def test_no_rule_makes_the_whole_page_be_styled_anew_for_each_letter_of_a_chart():
    """Plotly makes thousands of elements.

    Chromium asks all rules with ``:has()`` anew for each where one has ``:not()``, ``*`` or a part of a class within.
    """
    css = "".join(re.sub(r"/\*.*?\*/", "", stylesheet((part,))) for part in PARTS)
    asked = list(asked_within(css))
    assert len(asked) > 20
    assert [one for one in asked if ":not(" in one or re.search(r"(?<![\[\w])\*(?!=)|\[class", one)] == []


def test_the_title_is_shown_while_widgets_are_loaded_and_what_would_jump_is_not():
    rules = stylesheet()
    (hides,) = re.findall(r"(?m)^:has\(\[overflow=\"visible\"\] > [^{]*\{ visibility: hidden; \}", rules)
    (shows,) = re.findall(r"(?m)^\.st-key-head h1 \{ visibility: visible; \}", rules)
    assert rules.index(hides) < rules.index(shows)
