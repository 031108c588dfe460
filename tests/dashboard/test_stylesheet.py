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


AROUND_ALL = {"stElementContainer", "stVerticalBlock", "stHorizontalBlock", "stHtml"}
"""Classes of what Streamlit puts around everything."""
CHANGES_EACH_TIME = (":has(", "script-state")
"""What is another with each element that comes into a page, and with each run."""


def names_few(compound: str) -> bool:
    """Whether what is selected has a class of its own: Chromium finds such elements by it, and others by their tag."""
    return bool({*re.findall(r"\.([\w-]+)", compound)} - AROUND_ALL) or ":root" in compound


def without_spaces(selector: str) -> str:
    """A selector whose parts between blanks are those that select one within the other."""
    while (shorter := re.sub(r"(\([^()]*?),? ([^()]*\))", r"\1.\2", selector)) != selector:
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
    """Chromium styles anew whatever stands within what changed and could be the subject of a rule about that.

    It asks for the class of the subject. Where there is none, it takes all elements with such a tag or attribute: a
    click had three times as many elements styled as it has now.
    """
    css = re.sub(r"/\*.*?\*/", "", stylesheet())
    selectors = [one for rule in re.findall(r"([^{}]+)\{", css) for one in re.split(r",(?![^(]*\))", rule)]
    changing = [one.split() for one in map(without_spaces, selectors) if any(sign in one for sign in CHANGES_EACH_TIME)]
    assert len(changing) > 20
    within = [one for one in changing if any(sign in " ".join(one[:-1]) for sign in CHANGES_EACH_TIME)]
    within = [one for one in within if "~" not in one and "label:has" not in " ".join(one)]  # these hold a few elements
    assert [" ".join(one) for one in within if not names_few(one[-1])] == []


def test_the_title_is_shown_while_widgets_are_loaded_and_what_would_jump_is_not():
    rules = stylesheet()
    (hides,) = re.findall(r"(?m)^:is\([^{]*\):has\(\[overflow=\"visible\"\] > [^{]*\{ visibility: hidden; \}", rules)
    (shows,) = re.findall(r"(?m)^:is\(\.st-key-head, \.st-key-head-of-answer\) h1 \{ visibility: visible; \}", rules)
    assert rules.index(hides) < rules.index(shows)
