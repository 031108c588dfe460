"""What was opened is kept: found by its link after a restart, listed on the first page, called otherwise, deleted."""

import re
import threading
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs

import pytest

from bleucore import System, TestSet
from bleucore.analysis.given_words import LabelFile
from bleuscope.annotations import BlindTrial
from bleuscope.content.comparison import recent_words
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded
from bleuscope.content.segments.blind_trial import blind_sheet
from bleuscope.content.sheets.writers import write_text
from bleuscope.shell.disk.files import load_sample, upload_origin
from bleuscope.shell.state import cached, kept_attachments, kept_comparisons, session, workspace_in_use
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import LOCAL

FILES = {"one.txt": "a b c d\ne\n", "two.txt": "a b x d\né\n", "ref.txt": "a b c d\ne\n"}
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def keeps(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def restart(keeps):
    """The server ends and begins: what it held in memory is gone."""

    def again():
        wait()
        workspace_in_use.use(keeps.place, is_shared=False)
        cached.UPLOADS.clear()

    return again


def wait():
    """Until what is kept in the background is kept."""
    for thread in threading.enumerate():
        if thread.name == "keep":
            thread.join(60)


def shown(app):
    return [one.label.replace("\\", "") for one in app.button if one.key.startswith("_open-")]


def recent():
    kept = workspace_in_use.workspace()
    return kept.comparisons.recent(kept.people.person(LOCAL), 9)


class TestOpened:
    def test_is_listed_on_the_first_page_of_another_session_and_opens_with_a_click(self, open_page, open_link, restart):
        open_page("scores", FILES)
        restart()
        (kept,) = recent()
        app = open_link("test_set", Inputs())
        assert shown(app) == [kept.name]
        app.button(key=f"_open-{kept.origin}").click().run()
        assert app.query_params["data"] == kept.origin
        assert [one.value for one in app.title] == ["Summary"]

    def test_is_found_by_its_link_after_a_restart(self, open_page, open_link, restart):
        open_page("scores", FILES)
        restart()
        (kept,) = recent()
        app = open_link("scores", Inputs(), data=kept.origin)
        assert not app.warning
        shown = "".join(one.proto.body for one in app.get("html"))
        assert '<bdi title="one: one.txt">one</bdi>' in shown

    def test_is_called_as_a_person_says_and_deleted_as_they_say(self, open_page, open_link, keeps, restart):
        open_page("scores", FILES)
        restart()
        (kept,) = recent()
        app = open_link("test_set", Inputs())
        app.text_input(key=f"_name-{kept.origin}").set_value("mine *bold*").run()
        assert shown(app) == ["mine *bold*"]
        app.button(key=f"_delete-{kept.origin}").click().run()
        assert not shown(app)
        assert list(keeps.blobs.all()) == []

    def test_is_not_listed_while_it_is_open_and_the_sample_never(self, open_page, keeps):
        app = open_page("test_set", FILES)
        wait()
        assert not shown(app.run())
        open_page("test_set", data="sample")
        wait()
        assert len(recent()) == 1

    def test_without_a_workspace_nothing_is_listed(self, open_page, open_link):
        open_page("scores", FILES)
        assert not shown(open_link("test_set", Inputs()))

    def test_what_cannot_be_kept_is_said(self, open_page, keeps, monkeypatch):
        def refuse(*_):
            raise WorkspaceError("there is no more room on the disk", where="/data")

        monkeypatch.setattr(keeps.comparisons, "keep", refuse)
        app = open_page("test_set", FILES)
        wait()
        assert "no more room on the disk" in " ".join(one.value for one in app.run().warning)

    def test_what_is_damaged_is_said_on_the_page_that_a_link_opens(self, open_page, open_link, keeps, restart):
        open_page("scores", FILES)
        restart()
        (kept,) = recent()
        for digest in list(keeps.blobs.all()):
            workspace_in_use.workspace().blobs.remove(digest)
        app = open_link("scores", Inputs(), data=kept.origin)
        assert "the file with these texts is gone" in " ".join(one.value.replace("\\", "") for one in app.error)


class TestViews:
    def test_a_view_is_kept_where_links_are_made_and_leads_back_from_the_first_page(
        self, open_page, open_link, keeps, read_html
    ):
        app = open_page("segments", data="sample", a="human", b="fluent", find="sea")
        app.session_state["link"] = True
        app.run()
        app.text_input(key="_view_name").set_value("sea & <b>").run()
        app.button(key="_keep_view").click().run()
        app = open_link("test_set", Inputs())
        page = "".join(element.proto.body for element in app.get("html"))
        assert "<bdi>sea &amp; &lt;b&gt;</bdi></a> · Segments" in page
        href = unescape(re.search(r'class="bs-view" href="([^"]*)"', page)[1])
        address = parse_qs(href.removeprefix("segments?"))
        assert {name: address[name] for name in ("a", "b", "find", "data")} == {
            "a": ["human"],
            "b": ["fluent"],
            "find": ["sea"],
            "data": ["sample"],
        }
        app.button(key="_unview-0").click().run()
        assert "bs-view" not in "".join(element.proto.body for element in app.get("html"))

    def test_without_a_name_it_is_not_kept_and_that_is_said(self, open_page, keeps):
        app = open_page("segments", data="sample")
        app.session_state["link"] = True
        app.run()
        app.button(key="_keep_view").click().run()
        assert "Give it a name" in app.error[-1].value.replace("\\", "")

    def test_without_a_workspace_nothing_is_offered(self, open_page):
        app = open_page("segments", data="sample")
        app.session_state["link"] = True
        app.run()
        assert "_view_name" not in [one.key for one in app.text_input]


class TestReadBack:
    def test_notes_are_taken_once_and_can_be_changed_then(self, open_page, keeps):
        app = open_page("segments", data="sample", segment="3")
        data = b"segment\ttag\tnote\n3\tgrammar\tverb\n5\t\torder\n"
        app.file_uploader(key="read-back").upload("n.tsv", data, "text/plain").run()
        assert [one.value.replace("\\", "") for one in app.success] == ["Read 2 tags or notes."]
        note = next(one for one in app.text_input if one.label == "Note on this segment")
        assert note.value == "verb"
        note.set_value("noun").run()
        kept = keeps.work.read(keeps.people.person(LOCAL), load_sample().test_set.texts_digest)[0]
        assert {segment: said.note for segment, said in kept.notes.items()} == {2: "noun", 4: "order"}

    def test_preferences_are_those_of_the_blind_comparison(self, open_page, keeps):
        test_set = load_sample().test_set
        trial = BlindTrial.of(test_set.digest, ("human", "fluent"), 1)
        data = write_text(blind_sheet(trial, {7: "left"}), "quoted-tsv").encode()
        app = open_page("segments", data="sample", a="human", b="fluent", segment="3")
        app.file_uploader(key="read-back").upload("p.tsv", data, "text/plain").run()
        assert [one.value for one in app.success] == ["Read 1 preference of fluent and human\\."]
        app = open_page("segments", data="sample", a="human", b="fluent", blind="true")
        assert any("1 segment judged" in one.proto.text for one in app.get("progress"))

    def test_another_file_is_refused(self, open_page, keeps):
        app = open_page("segments", data="sample", segment="3")
        app.file_uploader(key="read-back").upload("x.tsv", b"a\tb\n", "text/plain").run()
        assert "no tags and notes of this test set" in app.error[-1].value


class TestBeside:
    def test_scores_and_errors_from_files_are_found_by_their_link_after_a_restart(self, open_page, open_link, restart):
        app = open_page("test_set", data="sample")
        lines = ["system\tsegment\tCOMET\tTER-like"]
        lines += [f"{name}\t{row + 1}\t{row}\t{-row}" for name in ("fluent", "human") for row in range(216)]
        data = "\n".join(lines).encode()
        app.file_uploader(key="score-files").upload("comet.tsv", data, "text/plain").run()
        app.multiselect(key="_score_columns").set_value(["TER-like"]).run()
        app.multiselect(key="_lower_is_better").set_value(["TER-like"]).run()
        (key,) = (app.session_state["_score_files"],)
        (before,) = cached.SCORES.find(key)
        restart()
        cached.SCORES.clear()
        app = open_link("scores", data="sample", scores=key)
        assert not app.warning
        (after,) = cached.SCORES.find(key)
        assert after == before
        assert not after.higher_is_better

    def test_labels_are_found_after_a_restart(self, keeps, monkeypatch):
        monkeypatch.setattr(session, "state", {})
        given = {"reference A": LabelFile("a.pos", ("N V", "")), "output x": LabelFile("x.pos", ("N", "V"))}
        kept_attachments.keep_words("0" * 16, given)
        wait()
        assert kept_attachments.words("0" * 16) == given
        assert kept_attachments.words("1" * 16) is None

    def test_what_is_damaged_is_not_there(self, keeps, monkeypatch):
        monkeypatch.setattr(session, "state", {})
        kept_attachments.keep_words("0" * 16, {"list": LabelFile("list", ("a",))})
        wait()
        for digest in list(keeps.blobs.all()):
            keeps.blobs.remove(digest)
        assert kept_attachments.words("0" * 16) is None
        assert kept_attachments.has("words", "0" * 16)


def test_all_that_was_read_comes_back(keeps, monkeypatch):
    monkeypatch.setattr(session, "state", {})
    test_set = TestSet([System("one", ["a"], "one.txt")], [["a"]], are_lines=True)
    inputs = Inputs(("one.txt",), ("ref.txt",), labels=("d.txt",), moves_spans=True)
    loaded = Loaded(
        test_set, "Ours", upload_origin(test_set), inputs, ("read as latin-1",), (), (FileBeside("m", b"x"),)
    )
    kept_comparisons.keep(loaded)
    wait()
    cached.UPLOADS.clear()
    assert kept_comparisons.find(loaded.origin) == loaded
    assert cached.UPLOADS.find(loaded.origin) == loaded


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=8), "on 2026-11-15"),
    ],
)
def test_times_are_said_as_people_say_them(ago, words):
    assert recent_words.when(NOW - ago, NOW) == words


@pytest.mark.parametrize(
    ("title", "systems", "name"),
    [
        ("WMT22 en-de, 9 systems", ["A", "B", "C"], "WMT22 en-de"),
        ("Comparison, 3 systems", ["A", "B", "C"], "A, B and C"),
        ("Comparison, 1 system", ["A"], "A"),
        ("Upload of 2 systems", ["A", "B"], "A and B"),
    ],
)
def test_a_comparison_is_called_by_what_tells_it_from_others(title, systems, name):
    assert recent_words.name_of(title, systems) == name
