"""How the pages speak."""

import pytest

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.state.page_list import PAGES
from tests.page_texts import STATES, sentences, texts_of
from tests.voice import faults_of


@pytest.mark.parametrize(
    "state",
    [pytest.param(one, id=one.name, marks=[] if one.is_quick else pytest.mark.deep) for one in STATES],
)
def test_pages_speak_plainly(state, open_page, open_link, record_property):
    if state.files is not None and not state.files:
        app = open_link(state.page, Inputs(), **state.address)
    else:
        app = open_page(state.page, state.files, **state.address)
    found = texts_of(app)
    record_property(state.name, found)
    assert not faults_of(found)
    assert not [text for text in found if text.startswith("This link ")], "the state's address is refused"


@pytest.mark.parametrize("page", [name for name, page in PAGES.items() if page.subject == "projects"])
def test_pages_of_projects_speak_plainly(page, read_page, record_property):
    found = texts_of(read_page(page))
    record_property(f"{page} of a project", found)
    assert not faults_of(found)


def test_verdicts_have_two_sentences_at_most(open_page, read_html):
    for page in ("overview", "significance"):
        html = "".join(one.proto.body for one in open_page(page).get("html") if "bs-verdict" in one.proto.body)
        for verdict in read_html(html).of_class("bs-verdict"):
            assert len(sentences(verdict.text)) <= 2
