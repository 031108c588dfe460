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


NAMELESS = re.compile(
    r"(\*|\[data-testid=\"st(LayoutWrapper|ElementContainer|VerticalBlock)\"\])?(:(?!root)[\w-]+(\(\))?)*"
)
"""What selects any element, or one of those that Streamlit puts around everything."""


def without_parentheses(selector: str) -> str:
    """A selector with nothing within the parentheses of its functions."""
    while (shorter := re.sub(r"\([^()]+\)", "()", selector)) != selector:
        selector = shorter
    return selector


def test_no_rule_makes_the_whole_page_be_styled_anew_for_each_letter_of_a_chart():
    """Plotly makes thousands of elements.

    Chromium asks all rules with ``:has()`` anew for each where one has ``:not()``, ``*`` or a part of a class within.
    """
    css = "".join(re.sub(r"/\*.*?\*/", "", stylesheet((part,))) for part in PARTS)
    asked = list(asked_within(css))
    assert len(asked) > 20
    assert [one for one in asked if ":not(" in one or re.search(r"(?<![\[\w])\*(?!=)|\[class", one)] == []


def test_what_comes_into_the_page_leaves_the_style_of_the_rest_alone():
    """Chromium styles anew whatever stands within the subject of ``:has()`` and has no name of its own.

    With one such rule, each element that came cost as much as the whole page.
    """
    css = re.sub(r"/\*.*?\*/", "", stylesheet())
    selectors = [one for rule in re.findall(r"([^{}]+)\{", css) for one in re.split(r",(?![^(]*\))", rule)]
    after = [without_parentheses(one).split() for one in selectors if ":has(" in one]
    assert len(after) > 20
    within = [one for one in after if any(":has" in part for part in one[:-1]) and "~" not in one]
    assert [" ".join(one) for one in within if NAMELESS.fullmatch(one[-1])] == []


def test_the_title_is_shown_while_widgets_are_loaded_and_what_would_jump_is_not():
    rules = stylesheet()
    (hides,) = re.findall(r"(?m)^:has\(\[overflow=\"visible\"\] > [^{]*\{ visibility: hidden; \}", rules)
    (shows,) = re.findall(r"(?m)^:is\(\.st-key-head, \.st-key-head-of-answer\) h1 \{ visibility: visible; \}", rules)
    assert rules.index(hides) < rules.index(shows)
