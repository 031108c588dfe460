"""Words by kind in sheets, sentences, commands and on the page."""

import json

import pytest

from bleucore.analysis.word_accuracy import FREQUENCY, GIVEN_KINDS, WORD_KINDS, compare_words, word_buckets
from bleucore.significance import SignificanceOptions, TestSetUnits
from bleuscope.content.comparison import link_notes
from bleuscope.content.slices.word_sheets import example_title, telling_kinds, words_sheet, words_verdict
from bleuscope.shell.state import links

FEW = SignificanceOptions(trials=499, resamples=99)


@pytest.fixture(scope="module")
def compared(sample):
    study = sample.study(("online", "neural-40k"))
    buckets = word_buckets(study.test_set, study.pair, FREQUENCY, study.options)
    return study, buckets, compare_words(buckets, study.pair, TestSetUnits(study.test_set.n_segments), FEW)


def test_the_verdict_names_the_kinds_that_a_system_gets_better(compared, read_html):
    study, buckets, tested = compared
    text = read_html(words_verdict(study, FREQUENCY, buckets, tested)).text
    lead = "neural-40k gets words significantly better, by frequency: once (+8.98 F1)"
    assert text.startswith(lead)
    turned = tested.__class__(tested.options.__class__(trials=499, level=1e-9), tested.tests, tested.n_tests)
    assert "No significant difference between" in read_html(words_verdict(study, FREQUENCY, buckets, turned)).text


def test_kinds_beyond_chance_are_the_first_to_be_shown_by_an_example(compared, read_html):
    _, buckets, tested = compared
    first, *others = telling_kinds(buckets, tested)
    assert tested.is_significant(first)
    assert len(others) == 2
    title = read_html(example_title(buckets[first])).text
    assert title == f"{buckets[first].name}: {buckets[first].most_different}"


def test_the_sheet_has_what_f1_is_made_of(compared):
    study, buckets, tested = compared
    frame = words_sheet(study, FREQUENCY, buckets, tested).frame
    precision, recall = frame["precision_a"], frame["recall_a"]
    assert frame["f1_a"].to_list() == pytest.approx((2 * precision * recall / (precision + recall)).to_list())
    assert (frame["f1_b"] - frame["f1_a"]).to_list() == pytest.approx(frame["difference"].to_list())
    assert frame["words"].to_list()[:2] == ["once", "2 times"]
    assert "options 0 : 2" in frame["won"][0]


def test_the_command_gives_the_table(bleuscope):
    code, out, _ = bleuscope(
        "slices", "--sample", "--pair", "online", "neural-40k", "--words", "form", "--trials", "99", "--format", "json"
    )
    rows = json.loads(out)["words"]
    assert code == 0
    assert {"numbers", "words in lower case"} <= {row["words"] for row in rows}


class TestGivenWords:
    FILES = ("a.txt", "the book\na cat\n"), ("b.txt", "we book\na dog\n"), ("ref.txt", "we book the book\na dog\n")
    LABELS = (("ref.pos", "P V D N\nD N\n"), ("a.pos", "D N\nD N\n"), ("b.pos", "P V\nD N\n"), ("few.pos", "P\nD N\n"))
    LABELLED = ("--words", "label", "--token-labels", "ref.pos")

    @pytest.fixture
    def words(self, bleuscope, tmp_path):
        for name, text in (*self.FILES, *self.LABELS, ("terms.txt", "the book\ndog\n")):
            (tmp_path / name).write_text(text, encoding="utf-8")

        def run(*arguments):
            options = ("--trials", "99", "--resamples", "50", "--format", "json", *arguments)
            code, out, err = bleuscope("slices", "a.txt", "b.txt", "-r", "ref.txt", *options)
            return code, {row["words"]: row for row in json.loads(out)["words"]} if not code else {}, err

        return run

    def test_labels_of_the_reference_sort_words(self, words):
        code, rows, _ = words(*self.LABELLED)
        assert (code, list(rows)) == (0, ["D", "N", "P", "V"])
        assert [rows["V"][key] for key in ("in_reference", "recall_a", "recall_b", "won")] == [1, 100, 100, ""]

    def test_labels_of_the_outputs_tell_them_apart(self, words):
        code, rows, _ = words(*self.LABELLED, "--output-labels", "a.pos", "--output-labels", "b.pos")
        assert code == 0
        assert [rows["V"][key] for key in ("recall_a", "recall_b", "won")] == [0, 100, "book 0 : 1"]

    def test_a_list_has_words_and_phrases(self, words):
        code, rows, _ = words("--words", "list", "--word-list", "terms.txt")
        assert code == 0
        listed = rows["words of the list"]
        assert [listed[key] for key in ("in_reference", "won", "lost")] == [2, "dog 0 : 1", "the book 1 : 0"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--words", "label"), "every reference needs labels of its tokens (found 0, expected 1)"),
            (("--words", "list"), "the list has no word"),
            (
                ("--words", "form", "--word-list", "terms.txt"),
                "Option --word-list: it is for --words list (found --words form)",
            ),
            (("--token-labels", "ref.pos"), "Option --token-labels: it is for --words label (found no --words)"),
            (
                ("--words", "label", "--token-labels", "few.pos"),
                "few.pos, line 1: there is not one label for each token",
            ),
            (("--words", "label", "--token-labels", "none.pos"), "none.pos: the file cannot be read"),
        ],
    )
    def test_what_does_not_fit_is_one_line(self, words, arguments, message):
        code, _, err = words(*arguments)
        assert (code, err.count("\n")) == (2, 1)
        assert message in err


@pytest.mark.parametrize("kind", [kind for kind in WORD_KINDS if kind not in GIVEN_KINDS])
def test_the_page_shows_words_and_its_command_gives_them(open_link, kind, command_of):
    app = open_link("slices", data="sample", slices_of="words", words_by=kind, trials="99")
    assert not app.exception
    assert len(app.dataframe[0].value)
    assert f"--words {kind}" in command_of(app)
    examples = [element.proto.body for element in app.get("html") if '<div class="bs-example">' in element.proto.body]
    assert len(examples) == 3
    assert all(example.count("bs-ngram") >= 3 for example in examples)  # its title, the reference and an output


class TestGivenOnThePage:
    FILES = {"a.txt": "the book\na cat\n", "b.txt": "we book\na dog\n", "ref.txt": "we book the book\na dog\n"}  # noqa: RUF012

    def captions(self, app):
        return [caption.value.replace("\\", "") for caption in app.caption]

    def test_a_list_is_typed(self, open_page, command_of):
        app = open_page("slices", self.FILES, slices_of="words", words_by="list", trials="99")
        assert not app.dataframe
        app.text_area(key="word_list").set_value("dog\n\n the book").run()
        assert not app.exception
        assert app.dataframe[0].value["reference"].tolist() == [2, 3]
        assert "--words list --word-list words.txt" in command_of(app)
        assert "Save the list as words.txt first." in self.captions(app)
        assert app.dataframe[0].value["B has more of"].tolist()[0] == "dog 0 : 1"

    def test_labels_are_uploaded_and_stay_when_another_page_was_opened(self, open_page, command_of):
        app = open_page("slices", self.FILES, slices_of="words", words_by="label", trials="99")
        assert not app.dataframe
        app.file_uploader[0].upload("ref.pos", b"P V D N\nD N\n", "text/plain").run()
        assert not app.exception
        assert app.dataframe[0].value["reference"].tolist() == [2, 2, 1, 1]
        assert "--words label --token-labels ref.pos" in command_of(app)
        app.switch_page(links.PAGES["scores"].script).run()
        app.switch_page(links.PAGES["slices"].script).run()
        assert app.dataframe[0].value["reference"].tolist() == [2, 2, 1, 1]
        next(button for button in app.button if button.label == "Remove ref\\.pos").click().run()
        assert not app.exception
        assert not app.dataframe

    def test_a_short_list_is_in_the_link(self, open_page):
        address = {"slices_of": "words", "words_by": "list", "trials": "99"}
        app = open_page("slices", self.FILES, **address)
        app.text_area(key="word_list").set_value("dog\nкнига 书").run()
        assert app.query_params["word_list"] == "dog\nкнига 书"
        linked = open_page("slices", self.FILES, **address, word_list="dog\nкнига 书")
        assert linked.text_area(key="word_list").value == "dog\nкнига 书"
        assert linked.dataframe[0].value["reference"].tolist() == app.dataframe[0].value["reference"].tolist()

    def test_a_long_list_is_found_by_its_digest(self, open_page):
        address = {"slices_of": "words", "words_by": "list", "trials": "99"}
        app = open_page("slices", self.FILES, **address)
        text = "\n".join(["dog", *(f"w{number}" for number in range(600))])
        app.text_area(key="word_list").set_value(text).run()
        assert "word_list" not in app.query_params
        linked = open_page("slices", self.FILES, **address, given_words=app.query_params["given_words"])
        assert linked.text_area(key="word_list").value == text

    def test_labels_are_found_by_their_digest(self, open_page):
        address = {"slices_of": "words", "words_by": "label", "trials": "99"}
        app = open_page("slices", self.FILES, **address)
        app.file_uploader[0].upload("ref.pos", b"P V D N\nD N\n", "text/plain").run()
        key = app.query_params["given_words"]
        linked = open_page("slices", self.FILES, **address, given_words=key)
        assert linked.dataframe[0].value["reference"].tolist() == [2, 2, 1, 1]
        assert linked.query_params["given_words"] == key
        next(button for button in linked.button if button.label == "Remove ref\\.pos").click().run()
        assert "given_words" not in linked.query_params

    @pytest.mark.parametrize("kind", GIVEN_KINDS)
    def test_what_the_server_does_not_hold_any_more_is_said(self, open_page, kind):
        address = {"slices_of": "words", "words_by": kind, "trials": "99"}
        app = open_page("slices", self.FILES, **address, given_words="0" * 16)
        assert not app.exception
        assert [warning.value.replace("\\", "") for warning in app.warning] == [link_notes.WORDS_GONE]
        assert app.query_params["given_words"] == "0" * 16

    def test_labels_that_do_not_fit_are_named(self, open_page):
        app = open_page("slices", self.FILES, slices_of="words", words_by="label", trials="99")
        app.file_uploader[0].upload("<b>.pos", b"P V\nD N\n", "text/plain").run()
        assert not app.exception
        assert "there is not one label for each token" in app.error[0].value
        assert "<b>" not in app.error[0].value

    def test_what_is_no_text_is_named(self, open_page):
        app = open_page("slices", self.FILES, slices_of="words", words_by="label", trials="99")
        app.file_uploader[0].upload("ref.pos", b"\x89PNG\r\n\x1a\n\x00\x00\x00\x00", "text/plain").run()
        assert not app.exception
        assert len(app.error) == 1
