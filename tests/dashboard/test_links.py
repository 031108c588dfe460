"""Links: what the address holds, what it was made for, and junk in it."""

import ast
import re
from pathlib import Path

import pytest

import bleuscope
from bleucore import System, TestSet
from bleuscope.content import commands
from bleuscope.content.comparison import link_notes
from bleuscope.content.comparison.inputs import Inputs, Loaded
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.disk.files import load_sample, upload_origin
from bleuscope.shell.state import cached, links
from tests.dashboard.feature_parts import of_features

PACKAGE = Path(bleuscope.__file__).parent
ASKING = {
    *("selectbox", "multiselect", "toggle", "checkbox", "radio", "number_input", "text_input", "text_area", "slider"),
    *("select_slider", "segmented_control", "pills", "pagination", "date_input", "tabs", "expander"),
}
"""Streamlit's widgets that keep a value and can be bound to the address."""
_NOT_IN_THE_ADDRESS = {
    "annotation.of_segments.py": "which output is marked, of the open segment",
    "annotation.panel_annotate.py": "whether others see one's time is kept on the disk",
    "dropped_files.py": "folders and texts that are being read",
    "campaign.panel.py": "which cell was pressed, which becomes the comparison that is open",
    "campaign.panel_paper.py": "a report is asked for, and the address itself",
    "campaign.panel_matrix.py": "a table to save is opened",
    "campaign.panel_over_all.py": "a table to read is opened",
    "exports.py": "what is copied from a menu is no part of the view",
    "new_session.py": "which session drew the page",
    "score_files.py": "columns of files that are being read; the scores chosen are named together",
    "charts.py": "tables of charts lead on: what is clicked there is no part of the view",
    "file_overrides.py": "what names in files mean, and whether spans are moved, are named together",
    "word_panel.py": "files of labels, and lists of words that can be longer than an address",
    "segment_charts.py": "what the browser draws over, which becomes a filter",
    "segment_reading.py": "how often a key was pressed, which becomes systems A and B",
    "segment_list.py": "where the browser goes, which becomes the open segment",
    "segment_filters.py": "what a question is put together of, until it is asked",
    "share_panel.py": "until when a link works, which is kept with it",
    "segment_notes.py": "tags and notes are kept on the disk",
    "uploading.py": "roles of files that are being read",
    "several_sets_panel.py": "which of several test sets is being read",
    "named_views.py": "names of views are kept on the disk",
    "recent_panel.py": "names in the list of what was opened before are kept on the disk",
    "projects.panel_team.py": "roles, tokens and links of a project are kept on the disk",
    "renaming.py": "the names together are one value of the address",
    "report_panel.py": "remarks can be longer than an address",
}
NOT_IN_THE_ADDRESS = of_features(_NOT_IN_THE_ADDRESS)
"""Modules with widgets that are not bound, those of features as ``feature.module``, and what they ask for."""
BOUND = re.compile(r"\.(bound|panel)\(\)$|^given")
"""What a widget is given by its key; ``setting_inputs`` puts it together in ``given``."""
HEX = "0123456789abcdef"
JUNK = {
    "long": "x" * 100_000,
    "null": "\x00",
    "markup": "<script>alert(1)</script>",
    "huge": "9" * 400,
    "no number": "nan",
    "infinity": "1e999",
    "negative": "-1",
    "path": "../../etc/passwd",
    "code": "__import__('os').system('exit')",
    "blanks": " \u2028\t",
}


@pytest.fixture
def upload():
    """An upload that the server holds."""
    test_set = TestSet([System("one", ["a b c d"]), System("two", ["a b x d"])], [["a b c d"]])
    loaded = Loaded(test_set, "Upload of 2 systems", upload_origin(test_set))
    cached.keep_upload(loaded)
    return loaded


def warnings_of(app):
    return [re.sub(r"\\(.)", r"\1", str(warning.value)) for warning in app.warning]


def sample_digest():
    return load_sample().test_set.digest[:16]


class TestDigest:
    def test_stands_in_the_address_of_what_is_open(self, open_link):
        app = open_link("scores")
        assert app.query_params["data"] == "sample"
        assert app.query_params["digest"] == sample_digest()

    def test_that_fits_says_nothing(self, open_link):
        app = open_link("scores", data="sample", digest=sample_digest())
        assert not app.warning
        assert app.query_params["digest"] == sample_digest()

    @pytest.mark.parametrize("page", ["test_set", "scores", "segments", "report"])
    def test_of_other_data_is_named_with_both_digests_on_every_page(self, open_link, page):
        app = open_link(page, data="sample", digest=HEX)
        (said,) = warnings_of(app)
        assert said == link_notes.changed_data("Sample comparison", sample_digest(), HEX)
        assert HEX in said
        assert sample_digest() in said

    def test_of_other_data_stays_named_until_it_is_seen_to(self, open_link):
        app = open_link("scores", data="sample", digest=HEX)
        assert app.query_params["digest"] == HEX
        app.switch_page(links.PAGES["compare"].script).run()
        assert len(app.warning) == 1
        app.button(key="_go_on").click().run()
        assert not app.warning
        assert app.query_params["digest"] == sample_digest()

    def test_is_compared_where_the_link_names_no_test_set(self, open_link):
        assert "made for other data" in warnings_of(open_link("scores", digest=HEX))[0]

    def test_of_files_that_changed_is_named(self, open_link, tmp_path):
        for name, text in (("ref.txt", "a b c d\n"), ("one.txt", "a b c d\n"), ("two.txt", "a x c d\n")):
            (tmp_path / name).write_text(text)
        opening = Inputs(
            systems=(str(tmp_path / "one.txt"), str(tmp_path / "two.txt")), references=(str(tmp_path / "ref.txt"),)
        )
        first = open_link("scores", opening)
        digest = first.query_params["digest"]
        assert not open_link("scores", opening, data="files", digest=digest).warning
        (tmp_path / "two.txt").write_text("a x y d\n")
        (said,) = warnings_of(open_link("scores", opening, data="files", digest=digest))
        assert f"the link: {digest}" in said


class TestTestSet:
    def test_an_upload_that_is_held_is_opened(self, open_link, upload):
        app = open_link("scores", data=upload.origin, digest=upload.test_set.digest[:16])
        assert not app.warning
        assert app.query_params["data"] == upload.origin

    @pytest.mark.parametrize("page", ["overview", "scores", "segments", "test_set", "report"])
    @pytest.mark.parametrize(
        ("origin", "said"),
        [(HEX * 2, link_notes.UPLOAD_GONE), ("files", link_notes.FILES_GONE)],
        ids=["upload", "files"],
    )
    def test_that_is_not_there_is_named_and_nothing_else_is_shown(self, open_link, page, origin, said):
        app = open_link(page, data=origin, digest=HEX)
        assert warnings_of(app) == [said]
        assert shows_nothing(app)
        assert (app.query_params["data"], app.query_params["digest"]) == (origin, HEX)
        app.button(key="_start_anew").click().run()
        assert not app.warning
        assert app.query_params["data"] == "sample"

    def test_an_upload_that_is_not_held_is_named_where_nothing_is_open(self, open_link):
        app = open_link("scores", Inputs(), data=HEX * 2)
        assert warnings_of(app) == [link_notes.UPLOAD_GONE]
        app.button(key="_start_anew").click().run()
        assert "Open a test set" in [button.label for button in app.button]

    def test_opening_something_else_ends_the_matter(self, open_link):
        app = open_link("scores", Inputs(), data=HEX * 2)
        app.button(key="_start_anew").click().run()
        next(button for button in app.button if button.label == "Open the sample comparison").click().run()
        assert not app.warning
        assert app.query_params["data"] == "sample"
        assert app.query_params["digest"] == sample_digest()

    def test_scores_from_files_that_are_not_held_are_named(self, open_link):
        app = open_link("scores", data="sample", scores=HEX)
        assert warnings_of(app) == [link_notes.SCORES_GONE]
        app.button(key="_go_on").click().run()
        assert not app.warning


def named(path):
    """A module as the table of them names it."""
    of_feature = path.is_relative_to(PACKAGE / "features")
    return f"{path.relative_to(PACKAGE / 'features').parts[0]}.{path.name}" if of_feature else path.name


class TestAddress:
    def test_holds_every_value_that_is_asked_for(self):
        missing = []
        for path in sorted(
            path for folder in ("shell", "pages", "features") for path in (PACKAGE / folder).rglob("*.py")
        ):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                    continue
                given = {keyword.arg for keyword in node.keywords}
                is_only_shown = node.func.attr == "expander" and "on_change" not in given
                if ast.unparse(node.func.value) == "st" and node.func.attr in ASKING and not is_only_shown:
                    spread = [ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg is None]
                    missing += [] if any(map(BOUND.search, spread)) else [named(path)]
        assert set(missing) == set(NOT_IN_THE_ADDRESS)

    def test_is_written_with_all_values_of_a_name_when_it_is_asked_for(self, open_link):
        app = open_link("report", report_sections=["verdict", "methods"], tok="intl")
        app.session_state["link"] = True
        app.run()
        written = next(code.value for code in app.code if code.value.startswith(("http", "?")))
        assert "report_sections=verdict&report_sections=methods" in written
        assert f"data=sample&digest={sample_digest()}" in written
        assert "tok=intl" in written

    def test_names_every_filter_that_holds_whatever_the_browser_said(self, open_link):
        app = open_link("segments", data="sample", a="human", b="literal")
        app.text_input(key="find").set_value("море & <b>")
        app.number_input(key="low").set_value(-12.5)
        app.selectbox(key="document").set_value(app.selectbox(key="document").options[1])
        app.run()  # without a browser, which would name them
        assert app.query_params["find"] == "море & <b>"
        assert app.query_params["low"] == "-12.5"
        assert app.query_params["document"] == app.selectbox(key="document").value


class TestJunk:
    @pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
    def test_in_the_names_of_data_is_said_and_nothing_else_is_shown(self, open_link, junk):
        app = open_link("scores", data=junk, digest=junk, scores=junk)
        (said,) = warnings_of(app)
        assert said.startswith("This link cannot be read: “data” is “")
        assert len(said) < 300
        assert shows_nothing(app)
        app.button(key="_start_anew").click().run()
        assert not app.warning
        assert app.query_params["data"] == "sample"
        assert app.query_params["digest"] == sample_digest()
        assert "scores" not in app.query_params

    @pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
    def test_in_any_value_leaves_the_numbers_as_they_are(self, open_link, junk):
        keys = bound_keys() - {"find", "ngram", "ngram_find", "report_title", "weights", "where"}
        for page in ("significance", "segments"):
            app = open_link(page, **dict.fromkeys(keys, junk))
            assert not app.error
            assert [box.value for box in app.selectbox if box.key in ("a", "b")] == ["online", "neural-40k"]
            assert app.selectbox(key="tok").value == "13a"
            if page == "significance":
                assert app.selectbox(key="test").value == "approximate-randomisation"
            assert app.number_input(key="seed").value == 12345
            assert app.number_input(key="level").value == 0.05

    def test_in_keys_that_there_are_not_is_named_until_that_is_seen(self, open_link):
        app = open_link("scores", data="sample", zzz="1", seed="7")
        assert warnings_of(app) == [link_notes.not_here("zzz", "1")]
        assert "there is no such setting" in warnings_of(app)[0]
        assert "zzz" not in app.query_params
        app.button(key="_go_on_without").click().run()
        assert not app.warning

    def test_in_many_keys_that_there_are_not_is_named_for_the_first(self, open_link):
        app = open_link("scores", data="sample", **{f"utm_{place}": "x" for place in range(9)})
        assert missed_of(app) == {f"utm_{place}" for place in range(links.MOST_NAMED)}
        assert not any(name.startswith("utm_") for name in app.query_params)

    def test_is_nothing_that_streamlit_itself_reads(self, open_link):
        assert not open_link("scores", data="sample", embed="true", embed_options="show_padding").warning

    def test_in_texts_that_are_too_long_is_named_with_their_length(self, open_link):
        app = open_link("slices", data="sample", slices_of="words", words_by="list", word_list="x" * 100_001)
        (said,) = [one for one in warnings_of(app) if "word_list" in one]
        long, most = numbers.count(100_001), numbers.count(100_000)
        assert said == f"This link gives “word_list” {long} characters; it takes up to {most}. The page ignores them."
        assert "word_list" not in app.query_params
        title = open_link("report", data="sample", report_title="x" * 121)
        assert "121 characters" in warnings_of(title)[0]

    @pytest.mark.parametrize("page", [name for name in ("scores", "validity", "history") if name in links.PAGES])
    def test_without_an_end_breaks_no_page(self, open_link, page):
        whole = [str(key) for key in params.PARAMS.values() if key.kind == "whole"]
        app = open_link(page, data="sample", **dict.fromkeys(whole, "1e999"))
        assert set(whole) <= missed_of(app)

    def test_in_settings_is_named_until_that_is_seen(self, open_link):
        wrong = {"tok": "intll", "lc": "maybe", "order": "0", "smooth": "ex", "seed": "12x", "level": "2"}
        wrong |= {"preset": "no such", "metrics": ["BLEURT"]}
        app = open_link("scores", data="sample", trials="97", resamples="50", **wrong)
        assert missed_of(app) == set(wrong)
        app.button(key="_go_on_without").click().run()
        assert not app.warning

    def test_that_are_not_there_are_named_in_one_message(self, open_link):
        junk = {
            "a": "no one",
            "b": "nobody",
            "baseline": "none",
            "document": "no such",
            "flag": "x: y",
            "segment": "999",
        }
        app = open_link("segments", data="sample", **junk)
        (said,) = warnings_of(app)
        assert said.startswith("This link holds 6 values that do not exist here or are not accepted: “")
        assert said.endswith(", and 3 more. The page uses its usual ones.")
        app.button(key="_go_on_without").click().run()
        assert not app.warning

    def test_of_two_name_both(self):
        assert link_notes.missed_words({"a": "x", "tok": "y"}) == (
            "This link holds 2 values that do not exist here or are not accepted: “a” = “x” and “tok” = “y”. The page "
            "uses its usual ones."
        )

    def test_a_tokenizer_of_a_link_that_there_is_not_is_named_once_where_another_is_proposed(self, open_link, tmp_path):
        for name in ("one", "two", "ref"):
            (tmp_path / f"{name}.txt").write_text(
                "我们昨天在北京看了一部很长的电影。\n他说明天会下雨。\n", encoding="utf-8"
            )
        inputs = Inputs((str(tmp_path / "one.txt"), str(tmp_path / "two.txt")), (str(tmp_path / "ref.txt"),))
        app = open_link("scores", inputs, tok="intll")
        assert any("This link sets “tok” to “intll”" in said for said in warnings_of(app))
        app.button(key="_go_on_without").click().run()
        app.run()
        assert not any("This link sets" in said for said in warnings_of(app))

    def test_settings_that_are_accepted_say_nothing(self, open_link):
        right = {"tok": "intl", "lc": "true", "order": "3", "smooth": "floor", "floor": "0.5", "seed": "7"}
        app = open_link("scores", data="sample", **right, level="0.010", trials="97", resamples="50")
        assert not app.warning

    @pytest.mark.parametrize(
        ("page", "wrong", "right"),
        [
            ("segments", {"sort": "no order", "agree": "x", "in": "nowhere", "regex": "maybe"}, {"find": "the"}),
            ("segments", {"low": "1e999", "high": "few"}, {"sort": "Δ: B better first"}),
            ("ngrams", {"ngram_order": "77", "ngram_view": "x"}, {"ngram_find": "of"}),
            ("slices", {"slice_by": "nothing"}, {}),
            ("significance", {"by": "nothing", "blocks": "1e999"}, {"panel": "Blocks"}),
            ("report", {"report_segments": "1e999"}, {"report_title": "A & B"}),
        ],
    )
    def test_in_choices_of_a_page_is_named_until_that_is_seen(self, open_link, page, wrong, right):
        app = open_link(page, data="sample", **wrong, **right)
        assert missed_of(app) == set(wrong)
        app.button(key="_go_on_without").click().run()
        app.run()
        assert not any("This link sets" in said for said in warnings_of(app))

    def test_in_what_was_said_of_names_in_files_is_named_and_not_repeated_in_commands(self, open_link, command_of):
        said = ["MT1=no such", "MT2=online"]
        app = open_link("scores", data="sample", system_names=said, move_spans="perhaps")
        assert missed_of(app) == {"system_names", "move_spans"}
        assert "MT1" not in command_of(app)

    @pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
    def test_in_texts_is_text(self, open_link, junk):
        for page in ("segments", "ngrams", "report"):
            app = open_link(page, find=junk, ngram=junk, ngram_find=junk, report_title=junk)
            assert not any("<script>alert" in str(element.proto.body) for element in app.get("html"))

    @pytest.mark.parametrize(
        ("page", "junk", "lengths"),
        [
            ("ngrams", {"ngram_order": "77", "ngram_view": "x", "a": "online"}, [8, 6, 11, 3]),
            ("ngrams", {"ngram_order": "1", "ngram_rank": "\0", "ngram_against": "<b>"}, [100, 100]),
            ("slices", {"slice_by": "nothing", "slice_order": "x", "all_slices": "maybe"}, [12]),
            ("segments", {"slice": "reference length: no such", "ngram_where": "nowhere"}, []),
        ],
    )
    def test_in_the_choices_of_a_list_shows_what_is_usual(self, open_link, page, junk, lengths):
        app = open_link(page, **junk)
        assert not app.error
        assert [len(listed.value) for listed in app.dataframe] == lengths

    def test_in_the_weights_is_named_and_left_out(self, open_link, signatures_of):
        app = open_link("scores", weights="1e999 nan")
        assert len(app.error) == 1
        assert any("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version" in code for code in signatures_of(app))


def missed_of(app):
    """What the page says in its one message that the link gives and nothing here has."""
    missed = app.session_state["_missed_of_address"]
    assert warnings_of(app) == [link_notes.missed_words(missed)]
    return set(missed)


UNREADABLE = {
    "unknown": {"data": "deadbeef"},
    "cut off": {"data": (HEX * 2)[:-1]},
    "too long": {"data": HEX * 2 + "0"},
    "in capitals": {"data": (HEX * 2).upper()},
    "no hexadecimal digit": {"data": "g" * 32},
    "empty": {"data": ""},
    "twice": {"data": ["sample", HEX * 2]},
    "twice the same": {"data": ["sample", "sample"]},
    "digest cut off": {"data": "sample", "digest": HEX[:-1]},
    "digest twice": {"data": "sample", "digest": [HEX, HEX]},
    "scores cut off": {"data": "sample", "scores": HEX[:-1]},
    "judgements of another alphabet": {"data": "sample", "judgements": "z" * 16},
    "words cut off": {"data": "sample", "given_words": "0"},
}


@pytest.mark.parametrize(
    ("page", "key", "older", "now"),
    [
        ("segments", params.SORT, "part in Δ: largest first", "contribution to Δ: largest first"),
        ("segments", params.SORT, "part in Δ: for A first", "contribution to Δ: for A first"),
        ("slices", params.SLICE_ORDER, "part in Δ", "contribution to Δ"),
        ("compare", params.BASIS, "their own scores", "their own scores"),
    ],
)
def test_an_older_link_is_read_in_the_words_of_now(open_link, page, key, older, now):
    app = open_link(page, **{key: older})
    assert app.session_state[key] == now
    assert warnings_of(app) == []


@pytest.mark.parametrize("address", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("page", ["overview", "segments"])
def test_a_link_that_nobody_can_read_says_so_and_shows_nothing_else(open_link, page, address):
    app = open_link(page, **address)
    (said,) = warnings_of(app)
    assert said.startswith("This link cannot be read: ")
    assert shows_nothing(app)
    assert all(app.query_params[key] == value for key, value in address.items())
    app.button(key="_start_anew").click().run()
    assert not app.warning
    assert app.query_params["data"] == "sample"


class TestChoices:
    """What a link chooses in texts that are open: where it is not there, the page says so."""

    @pytest.mark.parametrize(
        ("page", "key", "value"),
        [
            ("compare", "a", "no such"),
            ("compare", "b", "no such"),
            ("scores", "baseline", "no such"),
            ("segments", "segment", "217"),
            ("segments", "segment", "0"),
            ("segments", "document", "no such"),
            ("segments", "flag", "no such: flag"),
            ("segments", "slice", "no such"),
        ],
    )
    def test_that_are_not_there_are_named_until_that_is_seen(self, open_link, page, key, value):
        app = open_link(page, data="sample", **{key: value})
        assert warnings_of(app) == [link_notes.not_here(key, value)]
        app.run()
        assert warnings_of(app) == [link_notes.not_here(key, value)]
        app.button(key="_go_on_without").click().run()
        assert not app.warning

    @pytest.mark.parametrize(
        ("page", "key", "value"),
        [("compare", "a", "human"), ("scores", "baseline", "online"), ("segments", "segment", "216")],
    )
    def test_that_are_there_say_nothing(self, open_link, page, key, value):
        assert not open_link(page, data="sample", **{key: value}).warning


def shows_nothing(app):
    """Whether a page shows no scores, texts, charts or systems; Test set still says what to do there."""
    bodies = [str(html.proto.body) for html in app.get("html")]
    return not (app.dataframe or app.selectbox or any("neural-40k" in one for one in bodies if "bs-welcome" not in one))


def bound_keys():
    """The names under which the address holds values of widgets."""
    return {str(key) for key in params.PARAMS.values() if key.opens is None and key.form is None}


class TestNames:
    def test_of_a_link_are_shown_and_the_command_still_finds_the_systems(self, open_link, command_of):
        app = open_link("compare", data="sample", names=["s2=My *own*", "t=A & B"], a="My *own*", b="neural-40k")
        assert not app.exception
        assert app.selectbox(key="a").value == "My *own*"
        assert app.query_params["names"] == ["s2=My *own*", "t=A & B"]
        command = command_of(app)
        assert "--pair neural-10k neural-40k" in command
        assert commands.ROLES_CHOSEN in [re.sub(r"\\(.)", r"\1", caption.value) for caption in app.caption]

    @pytest.mark.parametrize("names", [["s99=x"], ["s1=human"], ["s1="], ["<b>"]])
    def test_that_cannot_be_are_dropped(self, open_link, names):
        app = open_link("compare", data="sample", names=names)
        assert not app.exception
        assert "names" not in app.query_params
        assert warnings_of(app) == [link_notes.not_here("names", " ".join(names))]
        assert "literal" in app.selectbox(key="a").options
