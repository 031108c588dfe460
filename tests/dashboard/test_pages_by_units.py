"""Pages on test sets of few documents, of none, of repeated rows and of equal systems: nothing contradicts."""

import re

import pytest

from bleuscope.shell.page.significance_settings import ALL_PAIRS, BLOCKS, POWER, TWO_SYSTEMS

N = 40
REFERENCE = [f"the cat {n} sat on the mat near the door {n % 7} of house {n * 3}" for n in range(N)]
OUTPUTS = {
    "good": [line.replace("mat", "rug" if n % 9 else "bed") for n, line in enumerate(REFERENCE)],
    "fair": [line.replace("the", "a") if n % 5 else line for n, line in enumerate(REFERENCE)],
    "poor": [line.replace("sat on the", "is by a") for line in REFERENCE],
}
TAKEN_BACK = re.compile(r"too narrow|times as wide|loses? (?:its|their) star|design factor", re.IGNORECASE)
P_VALUE = re.compile(r"\bp\u00a0[=<]|[<>]?\s?\.\d{3}\*")
NOT_A_NUMBER = re.compile(r"\b(?:nan|inf)\b", re.IGNORECASE)
PAGES = (
    ("overview", {}),
    ("scores", {}),
    ("compare", {}),
    *(("significance", {"panel": panel}) for panel in (TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS)),
)
NAMES_OF_PAGES = [" ".join([page, *address.values()]) for page, address in PAGES]


def table(systems=("good", "fair", "poor"), *, n_documents=None, times=1):
    """A table of a test set: all of it so many times, documents of neighbours in each."""
    lines = ["\t".join(["reference", *(f"system:{name}" for name in systems), *(["document"] if n_documents else [])])]
    for copy in range(times):
        for n in range(N):
            row = [REFERENCE[n], *(OUTPUTS[name.split("-")[0]][n] for name in systems)]
            lines.append("\t".join([*row, *([f"d{n * n_documents // N}-{copy}"] if n_documents else [])]))
    return {"set.tsv": "\n".join(lines) + "\n"}


def text_of(app, read_html):
    """All that a page says: its HTML without scripts and styles, its notes and captions."""
    html = "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])
    html = re.sub(r'<span class="bs-(?:ahead|exchanged-open)".*?</span>', "", html, flags=re.DOTALL)
    return "\n".join([read_html(html).text, *(str(one.value) for one in (*app.caption, *app.info, *app.markdown))])


@pytest.mark.parametrize(("page", "address"), PAGES, ids=NAMES_OF_PAGES)
class TestEveryPage:
    @pytest.mark.parametrize("n_documents", [1, 2, 5])
    def test_of_few_documents_gives_no_p_and_says_why(self, open_page, read_html, page, address, n_documents):
        app = open_page(page, table(n_documents=n_documents), **address)
        text = text_of(app, read_html)
        there = "there is 1" if n_documents == 1 else f"there are {n_documents}"
        assert f"A test needs at least 6 documents, and {there}." in text
        assert not P_VALUE.search(text)
        assert not TAKEN_BACK.search(text)
        assert not NOT_A_NUMBER.search(text)

    @pytest.mark.parametrize(
        "made",
        [
            table(),
            table(n_documents=8),
            table(times=3),
            table(n_documents=8, times=2),
            table(["good"]),
            table(["good"], n_documents=2),
            table(["good-1", "good-2"]),
            table(["good-1", "good-2"], n_documents=3),
        ],
        ids=["no documents", "documents", "items", "both", "one system", "one of two documents", "twins", "few twins"],
    )
    def test_takes_nothing_back(self, open_page, read_html, page, address, made):
        app = open_page(page, made, **address)
        assert not app.exception
        text = text_of(app, read_html)
        assert not TAKEN_BACK.search(text)
        assert not NOT_A_NUMBER.search(text)


def test_copies_of_a_test_set_have_the_p_of_the_test_set(open_page, read_html):
    texts = [text_of(open_page("overview", table(n_documents=8, times=times)), read_html) for times in (1, 3)]
    found = [re.findall(r"p\u00a0[=<]\u00a0\.\d+", text) for text in texts]
    assert found[0] == found[1] != []


def test_the_facts_of_a_test_set_name_its_items(open_page, read_html):
    text = text_of(open_page("test_set", table(times=3)), read_html)
    assert "40 items × 3" in text
