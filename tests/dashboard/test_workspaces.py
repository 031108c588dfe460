"""The switch of workspaces, samples that are one press away, and the ways on from empty pages."""

import pytest

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.style.identity import GLYPHS, MARKERS
from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.page_list import DOORS, PAGES, doors_of, share_of
from tests.dashboard.feature_parts import is_there

SUBJECTS = sorted({page.subject for page in PAGES.values()})


@pytest.fixture
def kept(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_has_the_same_five_doors(subject):
    assert list(doors_of(subject)) == [door.title for door in DOORS]
    assert all(page.subject == subject and page.is_door for page in doors_of(subject).values())
    behind = {page.door_name for page in PAGES.values() if page.subject == subject}
    share = share_of(subject)
    assert behind <= {page.name for page in doors_of(subject).values()} | {share.name if share else ""}


def test_the_switch_lists_comparisons_and_what_features_have(open_page):
    app = open_page("overview")
    app.session_state["switch"] = True
    app.run()
    assert not app.exception
    entries = [str(one.key) for one in app.button if str(one.key).startswith("switch-")]
    assert {"switch-open", "switch-files"} <= set(entries)
    assert ("switch-projects" in entries) == is_there("projects")
    assert ("switch-new-campaign" in entries) == is_there("campaign")


def test_the_first_page_offers_a_sample_of_each_kind(kept, open_link):
    keys = {str(one.key) for one in open_link("test_set", Inputs()).button}
    assert "sample" in keys
    assert {f"sample-{name}" for name in ("campaign", "project") if is_there(name.replace("ject", "jects"))} <= keys


def test_one_system_leads_on_from_compare(open_page):
    app = open_page("compare", {"sys-a.txt": "a b c d e\n", "ref.txt": "a b c d f\n"})
    app.button(key="read-one").click().run()
    assert not app.exception
    assert app.title[0].value == "Segments"


def test_compare_answers_in_one_line_each_and_leads_on(read_page, open_page):
    said = "".join(one.proto.body for one in read_page("compare").get("html") if "bs-answer-line" in one.proto.body)
    assert "neural-40k wins 5, loses 7 and ties 0" in said.replace("<bdi>", "").replace("</bdi>", "")
    app = open_page("compare")
    app.button(key="ask-ngrams").click().run()
    assert app.title[0].value == "N-grams"


def test_every_marker_has_a_letter_of_its_own():
    assert len(set(GLYPHS.values())) == len(MARKERS) == len(GLYPHS)
