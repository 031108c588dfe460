"""Every page, drawn: with the sample, with nothing, with one system, with files that are wrong."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from bleucore import BleuOptions, evaluate
from bleucore.analysis.attribution import attribute
from bleucore.formats import Budget
from bleucore.metrics.presets import PRESETS
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.segments.filters import SEGMENT_ORDERS
from bleuscope.content.segments.reading_list import ROWS_PER_SLICE
from bleuscope.content.style import numbers
from bleuscope.content.style.terms import pattern_of
from bleuscope.shell.disk.files import OPENING_VARIABLE, SAMPLE_FILES, to_environment
from bleuscope.shell.page import scoring
from bleuscope.shell.segments import segment_filters
from bleuscope.shell.server.lost_uploads import lost_uploads
from bleuscope.shell.server.server import SCRIPT
from bleuscope.shell.state import cached, links
from bleuscope.shell.uploads import dropped_files, uploading
from tests.dashboard.feature_parts import by_own_names, own_names
from tests.dashboard.reading import drop_zone

PAGES = own_names(
    *("test_set", "scores", "significance", "compare", "segments", "ngrams", "slices", "references.references")
)
RESULTS = PAGES[1:]
SAMPLE = Path(__file__).parents[2] / "sample_data"
NOT_A_NUMBER = re.compile(r"\b(?:nan|inf|none)\b", re.IGNORECASE)

ONE = b"The cat sat on the mat.\nA dog ran off\n"
TWO = b"the cat sat\nthe dog ran away\n"
REFERENCE = b"The cat sat on the mat.\nThe dog ran off.\n"
BOMB = b'<!DOCTYPE mteval [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><mteval><srcset>&b;</srcset></mteval>'


@pytest.fixture
def begin(monkeypatch, undrawn):
    """The dashboard on an opening, not yet drawn: ``go`` begins on a page, as a link does."""

    def prepare(opening=None):
        monkeypatch.setenv(OPENING_VARIABLE, "{}")
        to_environment(opening or Inputs())
        return undrawn(SCRIPT)

    return prepare


@pytest.fixture
def open_app(begin):
    """The dashboard on an opening, drawn as its bare address leads to."""
    return lambda opening=None: begin(opening).run()


@pytest.fixture
def sample_app(begin):
    """The dashboard on the sample comparison, not yet drawn."""
    return begin(Inputs(is_sample=True))


@pytest.fixture
def short_sample(begin, tmp_path):
    """The dashboard on the first 30 segments of three systems of the sample, with all else that it has."""
    paths = []
    for name in (*SAMPLE_FILES[:4], *SAMPLE_FILES[-3:]):
        paths.append(tmp_path / name)
        lines = (SAMPLE / name).read_text(encoding="utf-8").splitlines(keepends=True)
        paths[-1].write_text("".join(lines[:30]), encoding="utf-8")
    return begin(Inputs(tuple(map(str, paths))))


@pytest.fixture
def scores_page(sample_app):
    """Its page of scores."""
    return go(sample_app, "scores")


@pytest.fixture
def open_files(begin, tmp_path):
    """The dashboard on files by content, not yet drawn: systems, references."""

    def start(systems, references):
        paths = []
        for number, text in enumerate([*systems, *references]):
            path = tmp_path / f"{'sys' if number < len(systems) else 'ref'}{number}.txt"
            path.write_bytes(text)
            paths.append(str(path))
        return begin(Inputs(systems=tuple(paths[: len(systems)]), references=tuple(paths[len(systems) :])))

    return start


def go(app, page):
    if page == "test_set" and not app.title:  # whose address is not the name of its file: known after a first run
        app.run()
    app.switch_page(links.PAGES[page].script).run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app


def html_of(app):
    """All HTML that the page shows, but the style sheet."""
    found = "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])
    return re.sub(r'<span class="bs-(?:ahead|exchanged-open)".*?</span>', "", found, flags=re.DOTALL)


def words_of(app):
    """Every sentence on the page that is not HTML."""
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.title, app.subheader)
    return " ".join(str(element.value) for kind in kinds for element in kind)


def charts(app):
    return [json.loads(element.proto.spec) for element in app.get("plotly_chart")]


def bodies(app, read_html):
    """The texts on the cards of the Segments page."""
    return [element.text for element in read_html(html_of(app)).of_class("bs-body")]


def upload(app, *files):
    for name, data in files:
        drop_zone(app).upload(name, data, "text/plain")
    app.run()
    assert not app.exception
    return app


SESSION_OF_TESTS = "test session id"
"""What Streamlit's tests of pages call their session."""


VERDICT, DOCUMENTS = ("BLEU", "95 % interval", "p"), ("Exact randomisation",)
"""In a verdict; in the sentence on the test, where the units are few."""
_EXPLAINED = {
    "overview": [*VERDICT, "segments", "references", "signature", *DOCUMENTS, "corrected", "step-down max-T", "seed"],
    "scores": [*VERDICT, *DOCUMENTS, "corrected", "step-down max-T", "seed"],
    "significance": [*VERDICT, *DOCUMENTS, "corrected", "step-down max-T", "seed"],
    "significance?unit=segment": [*VERDICT, "Approximate randomisation", "trials", "corrected", "seed"],
    "significance?panel=All+pairs": ["significant", "clusters", *DOCUMENTS, "step-down max-T"],
    "compare": ["precision", "brevity penalty", *VERDICT, "n-grams"],
    "ngrams": ["n-grams", "Δ", "brevity penalty"],
    "slices?slice_by=reference+length": ["Approximate randomisation", "trials", "p", "corrected", "Holm", "bootstrap"],
    "slices?slices_of=words": ["Approximate randomisation", "trials", "p", "corrected", "Holm", "resamples"],
    "projects.leaderboard": [*VERDICT, *DOCUMENTS, "seed"],
    "projects.history?system=base": ["BLEU", "Approximate randomisation", "trials", "segments", "seed"],
}
EXPLAINED = by_own_names(_EXPLAINED)
"""Terms that have to be explained in the sentences of a page, where they first stand there."""
_OUTLINES = {
    "overview": ["All systems", "Where neural-40k and online differ", "Most influential segments for each system"],
    "scores": ["All systems", "Charts", "Signatures"],
    "significance": ["Two systems"],
    "significance?panel=Blocks": ["Blocks", "Systems A and B", "Every system", "Block by block", "Other blocks"],
    "compare": ["Where the difference comes from", "By segment", "By document"],
    "segments": ["Find segments", "The list as a whole"],
    "ngrams": ["Matched more by B neural-40k", "Matched more by A online"],
    "ngrams?ngram_order=1": ["Matched more by B neural-40k", "Matched more by A online"],
    "slices": ["Differences by document"],
    "slices?slices_of=words": ["Words by frequency", "Examples"],
    "test_set": [
        "Loaded files",
        "Do the texts look right?",
        "Texts",
        "Scores and judgements",
        "Other files",
    ],
    "report": ["Content", "The file"],
    "projects.projects": ["English \\<b\\>to\\<\\/b\\> German"],
    "projects.leaderboard": ["Not compared", "Systems", "Signature"],
    "projects.history?system=base&strip=3": [
        "Two versions",
        "Segment by segment",
        "Segment 3 over the versions",
        "Signature",
    ],
}
OUTLINES = by_own_names(_OUTLINES)
"""How the headings of sections begin, page by page."""


class TestEveryPage:
    @pytest.mark.parametrize("page", OUTLINES)
    def test_has_one_title_and_a_heading_for_each_section(self, read_page, read_html, page):
        name, _, asked = page.partition("?")
        app = read_page(name, **dict(parse_qsl(asked)))
        assert len(app.title) == 1
        headings = [one.value for one in app.header]
        headings += [" ".join(one.text.split()) for one in read_html(html_of(app)).of_tag("h2")]
        assert len(headings) == len(OUTLINES[page])
        assert all(map(str.startswith, headings, OUTLINES[page]))
        assert not app.subheader
        parts = [one.text for one in read_html(html_of(app)).of_tag("h3")]
        assert parts == (["Warnings", "Notes"] if page == "test_set" else [])  # of the findings

    @pytest.mark.parametrize("page", EXPLAINED)
    def test_explains_terms_where_they_first_stand(self, read_page, page):
        name, _, asked = page.partition("?")
        body = " ".join(
            re.findall(r'<p(?! class="bs-said")[ >].*?</p>', html_of(read_page(name, **dict(parse_qsl(asked)))))
        )
        shown = re.sub("<[^>]+>", "", re.sub("<abbr[^>]*>(.*?)</abbr>", r"⟦\1⟧", re.sub("<bdi.*?</bdi>", "", body)))
        for term in EXPLAINED[page]:
            first = pattern_of(term).search(shown)
            assert shown[first.start() - 1] + shown[first.end()] == "⟦⟧", term

    @pytest.mark.parametrize("page", PAGES)
    def test_draws_the_sample(self, read_page, read_html, page):
        app = read_page(page)
        assert app.title[0].value
        assert not app.error
        assert not NOT_A_NUMBER.search(read_html(html_of(app)).text)
        assert all(name in html_of(app) for name in ("online", "neural-40k")) or page in ("compare", "segments")

    def test_keeps_names_apart_that_are_nearly_equal(self, open_app, tmp_path):
        names = ["a", "A", "a.", "a/b", "'a'", "a (2)", "a\u200b", "any"]
        rows = [["reference 1", "Reference 1", "hyp", *names, "document"]]
        for number in range(30):
            text = f"sentence {number} of the text says {number * number}"
            rows.append([text.replace("says", "tells"), text, *[text] * (len(names) + 1), f"d{number // 10}"])
        path = tmp_path / "table.tsv"
        path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
        app = open_app(Inputs(systems=(str(path),)))
        for page in PAGES:
            assert not go(app, page).error

    @pytest.mark.parametrize("page", PAGES)
    def test_without_a_test_set_says_what_to_do(self, open_app, page):
        app = go(open_app(), page)
        assert not app.error
        offers = [button.label for button in app.button]
        assert "Open the sample comparison" in offers
        assert app.file_uploader if page == "test_set" else "Open a test set" in offers

    @pytest.mark.parametrize("page", RESULTS)
    def test_opens_the_sample_with_one_click(self, open_app, page):
        app = go(open_app(), page)
        next(button for button in app.button if button.label == "Open the sample comparison").click().run()
        assert not app.exception
        assert "literal" in html_of(app) + str(app.selectbox)

    @pytest.mark.parametrize("page", RESULTS)
    def test_leads_to_the_uploader_with_one_click(self, open_app, page):
        app = go(open_app(), page)
        next(button for button in app.button if button.label == "Open a test set").click().run()
        assert not app.exception
        assert app.file_uploader

    @pytest.mark.parametrize("page", PAGES)
    @pytest.mark.parametrize(
        ("systems", "references"),
        [
            ([ONE], [REFERENCE]),
            ([ONE, ONE], [REFERENCE]),
            ([b"\n\n", b"x\n\n"], [REFERENCE, TWO]),
            ([b"x\n", b"y\n"], [b"z\n"]),
        ],
        ids=["one system", "identical systems", "empty hypotheses", "one segment"],
    )
    def test_draws_what_there_is_of_a_small_test_set(self, open_files, read_html, page, systems, references):
        app = go(open_files(systems, references), page)
        assert not app.error
        shown = read_html(html_of(app)).text + words_of(app)
        assert not NOT_A_NUMBER.search(shown)

    def test_a_file_that_has_gone_since_the_start_is_named(self, open_app, tmp_path):
        app = open_app(Inputs(systems=(str(tmp_path / "gone.txt"),), references=("x",)))
        assert not app.exception
        assert "cannot be read" in app.error[0].value
        assert app.file_uploader


class TestScores:
    def test_shows_every_system_with_its_score_and_the_signature(self, read_page, sample, read_html, signatures_of):
        app = read_page("scores")
        text = read_html(html_of(app)).text
        for name, result in sample.evaluation.systems.items():
            assert name in text
            assert numbers.score(result.score.score) in text
        assert signatures_of(app)[0] == f"BLEU|{sample.evaluation.signature}"
        assert len(charts(app)) == 2

    @pytest.mark.parametrize(
        ("change", "options"),
        [
            (lambda app: app.selectbox(key="tok").set_value("char"), BleuOptions("char")),
            (lambda app: app.toggle(key="lc").set_value(True), BleuOptions(lowercase=True)),
            (lambda app: app.number_input(key="order").set_value(2), BleuOptions(max_order=2)),
            (lambda app: app.toggle(key="eff").set_value(True), BleuOptions(effective_order=True)),
            (lambda app: app.selectbox(key="smooth").set_value("floor"), BleuOptions(smoothing="floor")),
            (lambda app: app.selectbox(key="smooth").set_value("none"), BleuOptions(smoothing="none")),
        ],
        ids=["tokenizer", "case", "order", "effective order", "floor", "no smoothing"],
    )
    def test_other_options_give_other_scores_and_signatures(
        self, sample_app, sample, read_html, change, options, signatures_of
    ):
        app = go(sample_app, "scores")
        change(app).run()
        evaluation = evaluate(sample.test_set, options)
        assert signatures_of(app)[0] == f"BLEU|{evaluation.signature}"
        text = read_html(html_of(app)).text
        assert all(numbers.score(result.score.score) in text for result in evaluation.systems.values())

    @pytest.mark.parametrize(("smoothing", "key", "value"), [("floor", "floor", 0.25), ("add-k", "addk", 2.0)])
    def test_a_smoothing_with_a_value_asks_for_it(self, sample_app, smoothing, key, value, signatures_of):
        app = go(sample_app, "scores")
        app.selectbox(key="smooth").set_value(smoothing).run()
        app.number_input(key=key).set_value(value).run()
        assert f"smooth:{smoothing}[{value:.2f}]" in signatures_of(app)[0]

    def test_another_baseline_moves_the_differences(self, sample_app, sample, read_html):
        app = go(sample_app, "scores")
        app.selectbox(key="baseline").set_value("neural-40k").run()
        scores = {name: result.score.score for name, result in sample.evaluation.systems.items()}
        text = read_html(html_of(app)).text
        for name in ("literal", "fluent", "human"):
            assert numbers.difference(scores[name] - scores["neural-40k"]) in text


class TestTestSetPage:
    def test_a_guess_follows_further_files_and_a_choice_by_hand_stays(self, open_app):
        def roles(app):
            return {box.label: box.value for box in app.selectbox if box.label.startswith("Role of file")}

        texts = [("a.txt", ONE), ("b.txt", TWO)]
        app = upload(open_app(), *texts)
        assert roles(app) == {"Role of file 1": "hypothesis", "Role of file 2": "reference"}
        texts.append(("ref.txt", REFERENCE))
        app = upload(app, *texts)
        assert list(roles(app).values()) == ["hypothesis", "hypothesis", "reference"]
        next(box for box in app.selectbox if box.label == "Role of file 1").set_value("ignore").run()
        texts.append(("src.txt", b"eins\nzwei\n"))
        app = upload(app, *texts)
        assert list(roles(app).values()) == ["ignore", "hypothesis", "reference", "source"]

    def test_good_files_become_a_test_set(self, open_app, read_html, signatures_of):
        app = upload(open_app(), ("one.txt", ONE), ("two.txt", TWO), ("ref.txt", REFERENCE))
        roles = [box for box in app.selectbox if str(box.key).startswith("role-")]
        assert [box.value for box in roles] == ["hypothesis", "hypothesis", "reference"]
        app.button(key="compare").click().run()
        assert not app.exception
        assert app.title[0].value == "Summary"
        go(app, "scores")
        text = read_html(html_of(app)).text
        assert "one" in text
        assert "two" in text
        assert signatures_of(app)[0].startswith("BLEU|nrefs:1|")

    def test_asks_before_it_goes_on_without_files_that_did_not_arrive(self, open_app):
        for name in ("翻译.txt", "*b*.txt"):
            lost_uploads().note(SESSION_OF_TESTS, name, f"{name}: the file did not arrive (found half).")
        app = upload(open_app(), ("one.txt", ONE), ("two.txt", TWO), ("ref.txt", REFERENCE))
        assert [error.value for error in app.error] == [
            "翻译\\.txt\\: the file did not arrive \\(found half\\)\\.",
            "\\*b\\*\\.txt\\: the file did not arrive \\(found half\\)\\.",
        ]
        assert app.button(key="compare").disabled
        app.button(key="without-lost").click().run()
        assert not app.error
        assert not app.button(key="compare").disabled

    def test_names_the_first_of_many_files_that_did_not_arrive(self, open_app):
        for number in range(8):
            lost_uploads().note(SESSION_OF_TESTS, str(number), "lost")
        app = go(open_app(), "test_set")
        assert app.error[-1].value == "3 more files did not arrive."
        app.button(key="without-lost").click().run()
        assert not app.error

    def test_what_costs_too_much_is_said_before_the_button_works(self, open_app, monkeypatch):
        monkeypatch.setattr(cached, "BUDGET", Budget(tokens=3))
        app = upload(open_app(), ("one.txt", ONE), ("two.txt", TWO), ("ref.txt", REFERENCE))
        assert "too many tokens" in app.error[0].value
        assert app.button(key="compare").disabled

    def test_of_hundreds_of_columns_some_are_shown_at_a_time_and_choices_stay(self, open_app):
        titles = ["reference", *(f"システム{number}" for number in range(259))]
        rows = "\n".join("\t".join(f"{line}-{number}" for number in range(260)) for line in ("one", "two"))
        app = upload(open_app(), ("all.tsv", ("\t".join(titles) + "\n" + rows + "\n").encode()))

        def roles():
            return [box for box in app.selectbox if str(box.key).startswith("role-")]

        assert len(roles()) == uploading.MAX_ROWS
        assert "too many systems (found 259, expected at most 200)" in app.error[0].value.replace("\\", "")
        roles()[1].set_value("ignore").run()
        pages = next(one for one in app.main if one.type == "pagination")
        pages.set_value(6).run()
        assert roles()[-1].label == "Role of file 260"
        assert "found 258" in app.error[0].value

    def test_a_role_and_a_name_can_be_corrected(self, open_app, read_html, signatures_of):
        app = upload(open_app(), ("a.txt", ONE), ("b.txt", TWO), ("gold-standard.txt", REFERENCE))
        roles = [box for box in app.selectbox if str(box.key).startswith("role-")]
        roles[1].set_value("reference").run()
        names = [field for field in app.text_input if str(field.key).startswith("name-")]
        names[0].set_value("My <b>system</b>").run()
        app.button(key="compare").click().run()
        assert not app.exception
        go(app, "scores")
        assert signatures_of(app)[0].startswith("BLEU|nrefs:2|")
        assert "My <b>system</b>" in read_html(html_of(app)).text

    def test_without_a_reference_nothing_can_be_compared_and_it_says_so(self, open_app):
        app = upload(open_app(), ("hyp1.txt", ONE), ("hyp2.txt", TWO))
        assert app.button(key="compare").disabled
        assert "reference" in app.warning[0].value
        next(box for box in app.selectbox if str(box.key).startswith("role-")).set_value("reference").run()
        assert not app.button(key="compare").disabled

    def test_a_reference_that_nothing_tells_is_a_guess_and_is_said_to_be_one(self, open_app):
        texts = [("a.txt", ONE), ("b.txt", TWO)]
        app = upload(open_app(), *texts)
        assert "1 output, 1 reference" in unescaped(app.markdown[-1].value)
        assert "b.txt is a guess" in unescaped(app.info[0].value)
        next(box for box in app.selectbox if str(box.key).startswith("role-")).set_value("reference").run()
        assert "2 references" in unescaped(app.markdown[-1].value)

    @pytest.mark.parametrize(
        ("name", "data", "text"),
        [
            (
                "broken.xml",
                b'<mteval>\n<tstset sysid="a">\n<doc docid="d"></tstset></mteval>',
                "line 3: the XML is broken",
            ),
            ("bomb.xml", BOMB, "never expanded"),
            (
                "latin.txt",
                "a cup\nof caf\u00e9\n".encode("latin-1"),
                "line 2: the text is not valid in its encoding (found byte 0xE9, expected UTF-8",
            ),
            ("empty.txt", b"", "the file is empty"),
            ("sheet.txt", b"PK\x03\x04", "the archive is damaged or cut off"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_named_and_blocks(self, sample_app, name, data, text):
        app = upload(go(sample_app, "test_set"), ("ref.txt", REFERENCE), (name, data), ("one.txt", ONE))
        (error,) = app.error
        assert text in unescaped(error.value)
        assert name in unescaped(error.value)
        assert app.button(key="compare").disabled
        go(app, "scores")
        assert "literal" in html_of(app)

    def test_files_that_do_not_fit_together_say_so_and_what_was_open_stays(self, sample_app):
        app = upload(go(sample_app, "test_set"), ("one.txt", ONE + b"too much\n"), ("ref.txt", REFERENCE))
        (error,) = app.error
        assert (
            "one.txt: the number of segments differs (found 3 lines, expected 2 as in ref.txt). "
            "Every file needs one line per segment, in the same order."
        ) in unescaped(error.value)
        assert app.button(key="compare").disabled
        go(app, "scores")
        assert "literal" in html_of(app)

    def test_two_systems_of_one_name_are_refused_until_one_has_another(self, open_app):
        app = upload(open_app(), ("a.txt", ONE), ("b.txt", TWO), ("ref.txt", REFERENCE))
        names = [field for field in app.text_input if str(field.key).startswith("name-")]
        names[1].set_value("a").run()
        assert "two systems have the same name 'a'" in unescaped(app.error[0].value)
        assert app.button(key="compare").disabled
        names = [field for field in app.text_input if str(field.key).startswith("name-")]
        names[1].set_value("c").run()
        assert not app.error
        assert not app.button(key="compare").disabled

    def test_whether_the_first_row_of_a_table_names_its_columns_can_be_said(self, open_app):
        rows = b"source\tref\tsys1\na b\tc d\te f\ng\th\ti\n"
        app = upload(open_app(), ("all.tsv", rows))
        assert "2 segments" in html_of(app)
        (header,) = app.toggle
        assert header.value is True
        header.set_value(False).run()
        assert not app.exception
        assert "3 segments" in html_of(app)

    def test_hostile_file_names_and_texts_stay_text(self, open_app, hostile_texts, read_html):
        files = [(f"{text.replace('/', '_')}.txt", text.encode() + b"\n") for text in hostile_texts]
        app = upload(open_app(), *files, ("ref.txt", b"x\n"))
        page = read_html(html_of(app))
        for name, data in files:
            assert name in page.text
            assert " ".join(data.decode().split()) in page.text
        app.button(key="compare").click().run()
        assert not app.exception
        for page_name in PAGES:
            read_html(html_of(go(app, page_name)))

    def test_a_table_brings_several_columns(self, open_app):
        rows = b"source\tref\tsys1\tsys2\nDie Katze\tthe cat\tthe cat\ta cat\n"
        app = upload(open_app(), ("all.tsv", rows))
        roles = [box.value for box in app.selectbox if str(box.key).startswith("role-")]
        assert roles == ["source", "reference", "hypothesis", "hypothesis"]

    def test_many_columns_that_are_no_texts_are_folded_away(self, open_app):
        texts = ("the cat sat", "a dog ran home", "it was late")
        records = [{"pred": text, "target": f"{text} today", **dict.fromkeys("abcdefg", 1)} for text in texts]
        app = upload(open_app(), ("dump.jsonl", "\n".join(map(json.dumps, records)).encode()))
        folded = next(one for one in app.expander if one.label == "7 left out")
        assert [box.value for box in folded.selectbox] == ["ignore"] * 7
        roles = [box.value for box in app.selectbox if str(box.key).startswith("role-")]
        assert sorted(roles) == ["hypothesis", *["ignore"] * 7, "reference"]
        assert not app.button(key="compare").disabled

    def test_more_files_than_can_be_read_at_once_are_refused(self, open_app, monkeypatch):
        monkeypatch.setattr(dropped_files, "MAX_FILES", 2)
        monkeypatch.setattr(dropped_files, "of_several_sets", lambda: None)
        app = upload(open_app(), ("a.txt", ONE), ("ref.txt", REFERENCE), ("b.txt", TWO))
        assert "3 files at once are too many" in app.error[0].value
        assert app.button(key="compare").disabled

    def test_what_was_read_in_another_way_than_written_is_said(self, open_app):
        wmt = (
            b'<dataset id="t"><doc id="d"><src lang="de"><p><seg id="1">a & b</seg></p></src>'
            b'<ref lang="en"><p><seg id="1">c</seg></p></ref>'
            b'<hyp lang="en" system="s"><p><seg id="1">c</seg></p></hyp></doc></dataset>'
        )
        app = upload(open_app(), ("set.xml", wmt))
        assert not app.error
        assert "set.xml" in unescaped(app.info[0].value)
        assert not app.button(key="compare").disabled

    def test_without_a_system_nothing_can_be_compared_and_it_says_so(self, open_app):
        app = upload(open_app(), ("ref.txt", REFERENCE))
        assert "system" in app.warning[0].value
        assert app.button(key="compare").disabled

    def test_the_sample_is_one_click_away_and_leads_to_its_overview(self, open_app):
        app = open_app()
        app.button(key="sample").click().run()
        assert not app.exception
        assert app.title[0].value == "Summary"
        assert "literal" in html_of(app)

    def test_after_opening_another_test_set_the_choices_of_the_last_one_are_forgotten(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="a").set_value("human").run()
        app.number_input(key="segment").set_value(2).run()
        app.text_input(key="find").set_value("der").run()
        files = [(f"{name}.txt", data * 2) for name, data in (("one", ONE), ("two", TWO), ("ref", REFERENCE))]
        app = upload(go(app, "test_set"), *files)
        app.button(key="compare").click().run()
        assert not app.exception
        app = go(app, "segments")
        assert app.selectbox(key="a").value == "one"
        assert app.number_input(key="segment").value is None
        assert app.text_input(key="find").value == ""
        assert sorted(listed(app)) == [1, 2, 3, 4]


class TestSegments:
    def test_shows_the_texts_of_the_chosen_segment(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(8).run()
        shown = bodies(app, read_html)
        test_set = sample.test_set
        assert shown[:3] == [test_set.source[7], *(column[7] for column in test_set.references)]
        chosen = [app.selectbox(key=key).value for key in ("a", "b")]
        assert shown[3:] == [test_set.system(name).hypotheses[7] for name in chosen]

    def test_finds_text_whatever_the_case_and_leaves_all_closed(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        app.text_input(key="find").set_value("MÖNKELBACH").run()
        columns = [system.hypotheses for system in sample.test_set.systems]
        columns += [*sample.test_set.references, sample.test_set.source]
        hits = [
            row + 1 for row in range(216) if any("mönkelbach" in (column[row] or "").casefold() for column in columns)
        ]
        assert sorted(listed(app)) == hits
        assert not bodies(app, read_html)

    def test_says_when_nothing_fits_and_finds_all_again_after_clear(self, sample_app):
        app = go(sample_app, "segments")
        app.text_input(key="find").set_value("no such text anywhere").run()
        assert not app.exception
        assert "No segment" in app.info[0].value
        next(button for button in app.button if button.label == "Clear").click().run()
        assert not app.info
        assert len(listed(app)) == ROWS_PER_SLICE

    def test_a_new_order_is_listed_from_its_start_unless_a_segment_is_open_that_it_is_listed_around(
        self, sample_app, sample
    ):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(150).run()
        app.selectbox(key="sort").set_value("BLEU A: lowest first").run()
        scores = sample.evaluation.systems[app.selectbox(key="a").value].segment_scores.round(9)
        ordered = (scores.argsort(kind="stable") + 1).tolist()
        assert app.number_input(key="segment").value == 150
        first = ordered.index(150) // ROWS_PER_SLICE * ROWS_PER_SLICE
        assert listed(app) == [150, *ordered[first : first + ROWS_PER_SLICE]]
        app.number_input(key="segment").set_value(None).run()
        assert listed(app) == ordered[:ROWS_PER_SLICE]

    def test_a_segment_that_a_new_filter_leaves_out_is_closed(self, sample_app, sample):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(150).run()
        other = next(name for name in sample.test_set.documents if name != sample.test_set.documents[149])
        app.selectbox(key="document").set_value(other).run()
        assert app.number_input(key="segment").value is None

    def test_narrows_down_to_a_document_and_a_difference(self, sample_app, sample):
        app = go(sample_app, "segments")
        first, second = (sample.evaluation.systems[app.selectbox(key=key).value] for key in ("a", "b"))
        delta = (second.segment_scores - first.segment_scores).round(9)
        document = sample.test_set.documents[100]
        inside = [row for row, name in enumerate(sample.test_set.documents) if name == document]
        middle = float(int(sorted(delta[inside])[len(inside) // 2]))
        app.selectbox(key="document").set_value(document).run()
        assert n_found(app) == len(inside)
        app.number_input(key="low").set_value(middle).run()
        assert n_found(app) == sum(delta[inside] >= middle)
        app.number_input(key="low").set_value(None).run()
        app.number_input(key="high").set_value(middle).run()
        assert n_found(app) == sum(delta[inside] <= middle)
        assert html_of(app).count(f"<bdi>{document}</bdi>") == len(listed(app))

    def test_bars_that_are_drawn_over_become_a_filter_and_nonsense_does_not(self, sample_app):
        app = go(sample_app, "segments")
        for nonsense in ("", "9:0:1.1", "1:5:3.1", "1:0:999.1", "tokens", "1:1:1"):
            app.text_input(key="_brush").set_value(nonsense).run()
            assert n_found(app) == 216
        app.text_input(key="_brush").set_value("1:0:4.7").run()
        assert [app.number_input(key=key).value for key in ("tlow", "thigh")] == [0.0, 10.0]
        assert 0 < n_found(app) < 216

    def test_places_are_opened_and_closed_as_the_browser_asks(self, sample_app):
        app = go(sample_app, "segments")
        for asked, opened in (("3.1", 3), ("x", 3), ("999.2", 216), ("0.3", None), ("1.4", 1)):
            app.selectbox(key="sort").set_value("as given").run()
            app.text_input(key="_go").set_value(asked).run()
            assert app.number_input(key="segment").value == opened

    def test_goes_from_one_segment_found_to_the_next_and_back(self, sample_app):
        app = go(sample_app, "segments")
        app.text_input(key="find").set_value("der").run()
        hits = listed(app)
        assert len(hits) > 3
        app.number_input(key="segment").set_value(hits[0]).run()
        for label, expected in (("Next", hits[1]), ("Next", hits[2]), ("Previous", hits[1])):
            press(app, label)
            assert app.number_input(key="segment").value == expected

    def test_those_slices_are_sent_that_the_browser_asks_for_and_that_with_the_open_segment(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="sort").set_value("as given").run()
        assert listed(app) == list(range(1, 21))
        for asked, first, last in (
            ("1-2.1", 21, 60),
            ("10-10.2", 201, 216),
            ("3-99999.3", 61, 120),
            ("99-99.4", 1, 20),
        ):
            app.text_input(key="_rows").set_value(asked).run()
            assert listed(app) == list(range(first, last + 1))
        app.text_input(key="_rows").set_value("2-2.5").run()
        for nonsense in ("", "-1-2.6", "x", "1e9-2.7"):
            app.text_input(key="_rows").set_value(nonsense).run()
            assert listed(app) == list(range(41, 61))
        app.number_input(key="segment").set_value(150).run()
        assert listed(app) == [150, *range(41, 61), *range(141, 161)]

    def test_a_segment_is_marked_as_important_by_its_place_unless_it_has_another_tag(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="sort").set_value("as given").run()
        for asked, tags in (("3.1", "3\timportant"), ("x", "3\timportant"), ("999.2", "3\timportant"), ("3.3", "")):
            app.text_input(key="_important").set_value(asked).run()
            assert f'data-tags="{tags}"' in html_of(app)
        app.number_input(key="segment").set_value(8).run()
        note_widgets(app)[0].set_value("omission").run()
        app.text_input(key="_important").set_value("8.4").run()
        assert note_widgets(app)[0].value == "omission"
        assert "Segment 8 keeps its tag" in app.toast[0].value

    def test_the_slice_is_sent_that_a_link_of_before_names_as_a_page(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="sort").set_value("as given").run()
        app.query_params["page"] = "3"
        app.run()
        assert listed(app) == list(range(41, 61))
        assert "page" not in app.query_params

    def test_a_segment_outside_the_filter_stays_open_and_says_so(self, sample_app, read_html):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(3).run()
        before = bodies(app, read_html)
        app.text_input(key="find").set_value("mönkelbach").run()
        app.number_input(key="segment").set_value(216).run()
        assert listed(app)[0] == 216, "above the list, which it is not a part of"
        assert bodies(app, read_html) != before
        assert any("not among" in str(caption.value) for caption in app.caption)

    def test_further_systems_are_shown_behind_the_pair_best_first(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        pair = [app.selectbox(key=key).value for key in ("a", "b")]
        others = [name for name in sample.evaluation.ranked() if name not in pair]
        app.number_input(key="segment").set_value(8).run()
        app.multiselect(key="with").set_value(others[::-1]).run().run()
        number = app.number_input(key="segment").value - 1
        assert bodies(app, read_html)[3:] == [sample.test_set.system(name).hypotheses[number] for name in pair + others]
        app.multiselect(key="with").set_value([others[1], pair[0]]).run().run()
        assert bodies(app, read_html)[5:] == [sample.test_set.system(others[1]).hypotheses[number]]

    def test_layers_can_be_switched_by_mouse_and_by_key(self, sample_app):
        app = go(sample_app, "segments")
        assert "bs-m4" in html_of(app)
        app.button(key="_switch_matches").click().run().run()
        assert "bs-m4" not in html_of(app)
        assert app.session_state["layers"] == ["clipped", "missed", "differences", "errors"]
        app.button(key="_switch_matches").click().run().run()
        assert "bs-m4" in html_of(app)

    def test_every_key_is_listed_once(self, sample_app, read_html):
        app = go(sample_app, "segments")
        rows = read_html(html_of(app)).rows()
        start = rows.index(["key", "does"])
        own = ["J", "K", "X", "T", "N", "I", "1", "2", "3", "4", "5", "6", "7", "/", "O", "?"]
        keys = [row[0] for row in rows[start + 1 :]]
        assert [key for key in keys if key in own] == own
        assert len(set(keys)) == len(keys)
        before = [app.selectbox(key=key).value for key in ("a", "b")]
        places = [app.selectbox(key="a").options.index(name) for name in before]
        app.text_input(key="_swap_by_key").set_value(f"{places[1]}.1").run()
        assert [app.selectbox(key=key).value for key in ("a", "b")] == before[::-1]
        app.text_input(key="_swap_by_key").set_value(f"{places[1]}.2").run()  # asked for once more, and there already
        assert [app.selectbox(key=key).value for key in ("a", "b")] == before[::-1]
        app.selectbox(key="a").set_value(before[0])  # a browser that knows of the swap no more
        app.selectbox(key="b").set_value(before[1])
        app.text_input(key="_swap_by_key").set_value(f"{places[0]}.3").run()
        assert [app.selectbox(key=key).value for key in ("a", "b")] == before

    def test_charts_follow_the_filter_and_are_drawn_only_when_open(self, sample_app):
        app = go(sample_app, "segments")
        assert charts(app) == []
        app.session_state["charts"] = True
        app.text_input(key="find").set_value("der").run()
        scatter, histogram = charts(app)
        assert len(scatter["data"][0]["customdata"]) == n_found(app)
        assert sum(int(bar[4].split()[0]) for bar in histogram["data"][0]["customdata"]) == n_found(app)

    def test_tags_and_notes_stay_with_their_segment_and_can_be_searched_for(self, sample_app):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(8).run()
        note_widgets(app)[0].set_value("omission").run()
        note_widgets(app)[1].set_value("where is the verb?").run()
        app.number_input(key="segment").set_value(9).run()
        assert [widget.value for widget in note_widgets(app)] == [None, ""]
        app = go(go(app, "scores"), "segments")
        app.number_input(key="segment").set_value(8).run()
        assert [widget.value for widget in note_widgets(app)] == ["omission", "where is the verb?"]
        app.selectbox(key="tag").set_value("omission").run()
        assert set(listed(app)) == {8}
        assert [unescaped(chip.label) for chip in chips(app)] == ["tag omission"]

    def test_a_segment_is_added_to_the_report_by_a_tag(self, sample_app):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(8).run()
        app.button(key="_add_to_report").click().run()
        assert note_widgets(app)[0].value == "for the report"
        assert app.button(key="_add_to_report").disabled
        app = go(app, "report")
        assert app.segmented_control(key="report_which").value == "those with a tag or a note"

    def test_other_systems_and_the_marks_in_the_references_can_be_switched(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        app.number_input(key="segment").set_value(8).run()
        app.toggle(key="all").set_value(True).run().run()
        assert len(bodies(app, read_html)) == 3 + 8
        with_marks = html_of(app)
        app.segmented_control(key="mark").set_value("nobody").run().run()
        assert html_of(app).count("has th") < with_marks.count("has th")
        assert "bs-missed" in with_marks
        assert "bs-missed" not in html_of(app)

    def test_swaps_the_pair(self, sample_app):
        app = go(sample_app, "segments")
        before = [app.selectbox(key=key).value for key in ("a", "b")]
        app.button(key="swap").click().run()
        assert [app.selectbox(key=key).value for key in ("a", "b")] == before[::-1]
        swapped = html_of(app)
        for key, name in zip("ab", before[::-1], strict=True):
            app.selectbox(key=key).set_value(name)
        assert html_of(app.run()) == swapped

    def test_tells_the_browser_where_a_swap_is_an_exchange_of_lines(self, sample_app):
        app = go(sample_app, "segments")
        pair = [app.selectbox(key=key).value for key in ("a", "b")]
        told = f'bs-exchanged-as" data-a="{pair[0]}" data-b="{pair[1]}"'
        assert told in html_of(app)
        for key, value in (("sort", "Δ: B better first"), ("where", ["bleu_a > 10"])):
            before = app.session_state[key]
            app.session_state[key] = value
            assert "bs-exchanged-as" not in html_of(app.run()), key
            app.session_state[key] = before
            assert told in html_of(app.run())
        app.number_input(key="high").set_value(0.0).run()  # Δ: with B as A, other segments are found
        assert "bs-exchanged-as" not in html_of(app)

    def test_swaps_the_pair_where_no_segment_fits(self, sample_app):
        app = go(sample_app, "segments")
        app.text_input(key="find").set_value("no segment has this").run()
        before = [app.selectbox(key=key).value for key in ("a", "b")]
        app.button(key="swap").click().run()
        assert not app.exception
        assert [app.selectbox(key=key).value for key in ("a", "b")] == before[::-1]

    def test_without_documents_has_no_document_to_choose(self, open_files):
        app = go(open_files([ONE, TWO], [REFERENCE]), "segments")
        assert not [box for box in app.selectbox if box.label == "Document"]

    def test_lists_first_what_makes_most_of_the_difference_and_says_that_scores_may_disagree(self, read_page, sample):
        app = read_page("segments")
        counts = [sample.evaluation.systems[app.selectbox(key=key).value].counts for key in ("a", "b")]
        parts = attribute(*counts, sample.evaluation.options).segments
        first = listed(app)
        assert [number - 1 for number in first] == np.argsort(-np.abs(parts), kind="stable")[:ROWS_PER_SLICE].tolist()
        assert all(f">{numbers.part(parts[number - 1])}<" in html_of(app) for number in first)
        assert "favour different systems in" in words_of(app)

    def test_are_listed_in_the_metric_that_is_chosen(self, open_files, command_of):
        app = go(open_files([REFERENCE, TWO], [REFERENCE]), "segments")
        app.selectbox(key="sort").set_value("BLEU A: lowest first").run()
        app.multiselect(key="metrics").set_value(["TER"]).run()
        app.selectbox(key="tested").set_value("TER").run()
        assert not app.exception
        assert app.selectbox(key="sort").value == "TER A: lowest first"
        assert html_of(app).count('<span title="TER">0.00</span>') == 2, "of A, which is the reference"
        app.session_state["charts"] = app.session_state["selection"] = True
        app.number_input(key="ahigh").set_value(150.0).run()
        assert not app.exception
        scatter, _ = charts(app)
        assert scatter["layout"]["xaxis"]["title"]["text"].startswith("TER of A: ")
        assert "TER ↓" in html_of(app)
        assert any("TER A up to 150" in button.label.replace("\\", "") for button in app.button)
        command = command_of(app)
        assert "--metric TER --order low-a" in command
        app.selectbox(key="tested").set_value("BLEU").run()
        assert app.selectbox(key="sort").value == "BLEU A: lowest first"

    def test_of_a_system_against_itself_keeps_the_order_given_and_has_no_parts(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="b").set_value(app.selectbox(key="a").value).run()
        assert listed(app) == list(range(1, ROWS_PER_SLICE + 1))
        assert "contribution to Δ" not in html_of(app)

    def test_every_filter_is_a_chip_that_takes_it_back(self, sample_app):
        app = go(sample_app, "segments")
        assert not chips(app)
        app.text_input(key="find").set_value("der").run()
        app.segmented_control(key="in").set_value("source").run()
        app.number_input(key="plow").set_value(0.01).run()
        app.number_input(key="tlow").set_value(20.0).run()
        app.selectbox(key="agree").set_value("all systems differ").run()
        words = ["text “der” in source", "contribution from 0.01", "tokens from 20", "all systems differ"]
        assert [unescaped(chip.label) for chip in chips(app)] == words
        few = n_found(app)
        for left in range(len(words), 0, -1):
            chips(app)[0].click().run()
            assert [unescaped(chip.label) for chip in chips(app)] == words[len(words) - left + 1 :]
            assert n_found(app) >= few
        assert n_found(app) == 216

    def test_a_pattern_finds_what_it_describes_and_a_wrong_one_is_named_and_left_out(self, sample_app, sample):
        app = go(sample_app, "segments")
        app.toggle(key="regex").set_value(True).run()
        app.segmented_control(key="in").set_value("source").run()
        app.text_input(key="find").set_value(r"^(der|die)\b").run()
        expected = sum(text.lower().startswith(("der ", "die ")) for text in sample.test_set.source)
        assert n_found(app) == expected > 0
        app.text_input(key="find").set_value("(der").run()
        assert "Pattern '(der': this is not a regular expression" in unescaped(app.error[0].value)
        assert n_found(app) == 216
        assert not app.exception
        for pattern, reason in (("(?V1)x", "chooses a version"), ("(?R)", "repeats a part"), (r"\L<x>", "named list")):
            app.text_input(key="find").set_value(pattern).run()
            assert [reason in unescaped(error.value) for error in app.error] == [True]
            assert not app.exception
        app.multiselect(key="where").set_value(['matches(b, "(?R)")']).run()
        assert len(app.error) == 2
        assert not app.exception

    def test_of_many_documents_asks_for_the_name(self, open_app, tmp_path, monkeypatch):
        monkeypatch.setattr(segment_filters, "MAX_LISTED_DOCUMENTS", 2)
        for name in ("one", "two", "ref"):
            (tmp_path / f"{name}.txt").write_text("a b c d\n" * 6)
        (tmp_path / "documents.txt").write_text("d1\nd1\nd2\nd2\nd3\nd3\n")
        names = ("one.txt", "two.txt", "ref.txt", "documents.txt")
        app = go(open_app(Inputs(systems=tuple(str(tmp_path / name) for name in names))), "segments")
        assert n_found(app) == 6
        app.text_input(key="document").set_value("d2").run()
        assert listed(app) == [3, 4]
        press(app, "Clear")
        assert n_found(app) == 6

    @pytest.mark.parametrize("most", [segment_filters.MAX_LISTED_DOCUMENTS, 2])
    def test_a_document_may_be_called_as_the_filter_says_that_there_is_none(
        self, open_app, tmp_path, monkeypatch, most
    ):
        monkeypatch.setattr(segment_filters, "MAX_LISTED_DOCUMENTS", most)
        for name in ("one", "two", "ref"):
            (tmp_path / f"{name}.txt").write_text("a b c d\n" * 6)
        (tmp_path / "documents.txt").write_text("d1\nd1\nall documents\nall documents\nany\nany\n")
        names = ("one.txt", "two.txt", "ref.txt", "documents.txt")
        app = go(open_app(Inputs(systems=tuple(str(tmp_path / name) for name in names))), "segments")
        asked = app.selectbox if most > 2 else app.text_input
        asked(key="document").set_value("all documents").run()
        assert listed(app) == [3, 4]
        assert [unescaped(chip.label) for chip in chips(app)] == ["document all documents"]
        press(app, "Clear")
        assert n_found(app) == 6

    def test_of_one_system_marks_what_it_has_of_the_references(self, open_files):
        app = go(open_files([b"a b c d\n"], [b"a b x d\n"]), "segments")
        html = html_of(app.number_input(key="segment").set_value(1).run())
        assert 'title="sys0 does not have this word"' in html
        assert "sys0 has " in html

    def test_of_one_system_has_no_order_by_differences_and_no_a(self, open_files):
        app = go(open_files([ONE], [REFERENCE]), "segments")
        orders = app.selectbox(key="sort")
        assert orders.value == "as given"
        assert orders.options[1:] == [
            f"{measure} first" for measure in ("BLEU: lowest", "BLEU: highest", "tokens: most", "tokens: fewest")
        ]
        assert any("in the order given" in one.value for one in app.caption)
        assert "BLEU A" not in html_of(app)
        assert not orders.set_value("BLEU: lowest first").run().exception

    def test_of_one_system_shows_it_once(self, open_files, read_html):
        app = go(open_files([ONE], [REFERENCE]), "segments")
        app.number_input(key="segment").set_value(1).run()
        assert bodies(app, read_html) == ["The cat sat on the mat.", "The cat sat on the mat."]
        assert "bs-differs" not in html_of(app)


class TestBlindMode:
    def test_hides_names_scores_and_the_list(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        app.toggle(key="blind").set_value(True).run()
        page = read_html(html_of(app))
        assert not [name for name in sample.evaluation.names if name in page.text + " ".join(page.titles())]
        assert not listed(app)
        assert not app.get("plotly_chart")
        assert not page.of_class("bs-score")
        assert ".st-key-baseline" in "".join(element.proto.body for element in app.get("html"))

    def test_hides_names_also_where_a_link_begins_blindly_and_on_segments_alone(self, open_link, sample, read_html):
        app = open_link("segments", data="sample", blind="true")
        page = read_html(html_of(app))
        assert app.toggle(key="blind").value is True
        assert not [name for name in sample.evaluation.names if name in page.text + " ".join(page.titles())]
        (sides,) = read_html(html_of(go(app, "compare"))).of_class("bs-sides-phone")
        assert "online" in sides.text
        assert "neural-40k" in sides.text

    def test_shows_the_texts_on_the_sides_that_the_key_names_afterwards(self, sample_app, sample, read_html):
        app = go(sample_app, "segments")
        app.toggle(key="blind").set_value(True).run()
        seen = {}
        for preference in ("left", "tie", "right", "left"):
            segment = app.number_input(key="segment").value
            seen[str(segment)] = (*bodies(app, read_html)[-2:], preference)
            app.button(key=f"_prefer_{preference}").click().run()
        assert len(seen) == 4, "after each preference the next segment is opened"
        assert "4 segments judged" in app.get("progress")[0].proto.text
        app.button(key="_end").click().run()
        rows = read_html(html_of(app)).rows()
        start = rows.index(["#", "left", "right", "preferred"])
        key = rows[start + 1 : start + 5]
        assert {row[0] for row in key} == set(seen)
        for number, left, right, preferred in key:
            texts = [sample.test_set.system(name).hypotheses[int(number) - 1] for name in (left, right)]
            assert (*texts, {left: "left", right: "right"}.get(preferred, "tie")) == seen[number]
        assert listed(app), "names are shown again"

    def test_starts_again_with_nothing_judged(self, sample_app):
        app = go(sample_app, "segments")
        app.toggle(key="blind").set_value(True).run()
        app.button(key="_prefer_left").click().run()
        app.button(key="_end").click().run()
        app.button(key="_start_again").click().run()
        assert "0 segments judged" in app.get("progress")[0].proto.text
        assert app.button(key="_end").disabled

    def test_takes_two_different_systems(self, open_files):
        app = go(open_files([ONE], [REFERENCE]), "segments")
        assert app.toggle(key="blind").disabled


def note_widgets(app):
    """The fields of the tag and of the note."""
    tag = next(box for box in app.selectbox if box.label == "Tag of this segment")
    return tag, next(field for field in app.text_input if field.label == "Note on this segment")


def chips(app):
    """What takes filters back."""
    return [button for button in app.button if str(button.key).startswith("_without_")]


def n_found(app):
    """How many segments the list says it has."""
    said = next(words.value for words in app.caption if re.search("sorted by|in the order given", words.value))
    return int(re.search(r"(\d+) (?:of \d+ )?segments?", said)[1])


def listed(app):
    """The numbers of the segments in the list, as it stands on the page."""
    return [int(number) for number in re.findall(r"<b>#(\d+)</b>", html_of(app))]


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


def own_charts(app):
    """The charts of Compare itself; features have others there."""
    return [one for one in charts(app) if one["layout"]["title"]["text"] != "Difference in BLEU, by kind"]


class TestCompare:
    def test_draws_where_the_difference_comes_from_down_to_segments_and_documents(self, read_page):
        titles = [chart["layout"]["title"]["text"] for chart in own_charts(read_page("compare"))]
        assert titles == [
            "From A's score to B's",
            "Contribution to Δ by segment",
            "How large the differences are",
            "Contribution to Δ by document",
        ]

    def test_shows_segments_and_documents_by_their_own_scores_too(self, sample_app):
        app = go(sample_app, "compare")
        app.segmented_control(key="basis").set_value("their own scores").run()
        titles = [chart["layout"]["title"]["text"] for chart in own_charts(app)]
        assert titles[1:] == ["Difference by segment", "How large the differences are", "Difference by document"]

    def test_is_in_the_metric_that_is_chosen(self, open_files, read_html, command_of):
        app = go(open_files([REFERENCE, TWO], [REFERENCE]), "compare")
        app.multiselect(key="metrics").set_value(["TER"]).run()
        app.selectbox(key="tested").set_value("chrF2").run()
        assert not app.exception
        waterfall, *_ = own_charts(app)
        assert waterfall["layout"]["yaxis"]["title"]["text"] == "chrF2"
        assert waterfall["data"][0]["x"][1:7] == [f"character<br>{n}-gram" for n in range(1, 7)]
        app.selectbox(key="tested").set_value("TER").run()
        assert not app.exception
        titles = [chart["layout"]["title"]["text"] for chart in own_charts(app)]
        assert titles == [
            "Contribution to Δ by segment",
            "How large the differences are",
        ]
        assert "TER has no ingredients" in words_of(app)
        assert re.search(r"sys0 scores \d+\.\d\d TER better than sys1\.", read_html(html_of(app)).text)
        assert "compare --pair sys0 sys1 --metric TER" in command_of(app)

    def test_of_scores_of_nothing_says_that_there_is_nothing_to_divide(self, open_files, read_html):
        app = go(open_files([b"x\ny", b"v\nw"], [b"a\nb"]), "compare")
        assert "there is nothing to divide" in read_html(html_of(app)).text
        assert len(own_charts(app)) == 2

    def test_of_one_system_says_what_it_takes(self, open_files):
        app = go(open_files([ONE], [REFERENCE]), "compare")
        assert "**Choose two different systems to see where they differ.**" in [one.value for one in app.markdown]
        ways = [one.key for one in app.main.button if one.key is not None]
        assert {"read-one", "missed-of-one", "add-second"} <= set(ways)
        assert own_charts(app) == []

    def test_of_a_system_with_itself_says_what_it_takes(self, sample_app):
        app = go(sample_app, "compare")
        app.selectbox(key="b").set_value(app.selectbox(key="a").value).run()
        assert not app.exception
        assert "**Choose two different systems to see where they differ.**" in [one.value for one in app.markdown]
        assert own_charts(app) == []

    def test_without_documents_says_where_they_come_from(self, open_files):
        app = go(open_files([ONE, TWO], [REFERENCE]), "compare")
        assert len(own_charts(app)) == 3
        assert any("documents" in str(caption.value) for caption in app.caption)

    def test_of_many_documents_shows_the_extremes_until_asked_for_all(self, open_app, tmp_path):
        lines = {"one": "a b c d x\n", "two": "a b c d e\n", "ref": "a b c d e\n"}
        for name, line in lines.items():
            (tmp_path / f"{name}.txt").write_text(line * 90)
        (tmp_path / "documents.txt").write_text("".join(f"doc{row // 2}\n" for row in range(90)))
        names = ("one.txt", "two.txt", "ref.txt", "documents.txt")
        app = go(open_app(Inputs(systems=tuple(str(tmp_path / name) for name in names))), "compare")
        assert len(charts(app)[-1]["data"][0]["customdata"]) == 40
        app.toggle(key="all_documents").set_value(True).run()
        assert len(charts(app)[-1]["data"][0]["customdata"]) == 45


class TestSignificance:
    """The panels that rest on the chosen test, the panel of blocks, and the settings in the sidebar."""

    @staticmethod
    def panel(app, name):
        app.session_state["panel"] = name
        return go(app, "significance")

    def blocks(self, app):
        """The panel with blocks of segments; it opens on documents."""
        app = self.panel(app, "Blocks")
        return app.segmented_control(key="by").set_value("number").run()

    def test_of_two_systems_shows_what_chance_gives_and_the_interval(self, read_page, read_html):
        app = read_page("significance")
        titles = [chart["layout"]["title"]["text"] for chart in charts(app)]
        assert titles == ["Differences to expect by chance", "Differences on test sets like this one"]
        assert "No significant difference between neural-40k and online: +0.73 BLEU" in read_html(html_of(app)).text
        assert all(source in words_of(app) for source in ("Riezler and Maxwell", "Koehn 2004"))
        assert "The interval covers the choice of segments, not variation between training runs." in words_of(app)

    def test_of_all_pairs_shows_them_and_their_clusters(self, sample_app, read_html):
        app = self.panel(sample_app, "All pairs")
        page = read_html(html_of(app))
        assert "of 28 differences are significant" in page.text
        assert len(page.of_class("bs-ahead")) == len(page.of_class("bs-behind")) == 28

    def test_of_pairs_of_many_systems_shows_neighbours_in_rank(self, begin, tmp_path, read_html):
        """The n-th of 51 systems has the first n of 55 segments right."""
        lines = [f"w{n} b c d e f" for n in range(55)]
        names = ["ref", *(f"s{n}" for n in range(1, 52))]
        for n, name in enumerate(names):
            right = lines[:n] if n else lines
            (tmp_path / f"{name}.txt").write_text("\n".join([*right, *["b c x y"] * (55 - len(right))]) + "\n")
        files = tuple(str(tmp_path / f"{name}.txt") for name in names)
        app = begin(Inputs(systems=files))
        app.session_state["trials"] = 100
        app = self.panel(app, "All pairs")
        page = read_html(html_of(app))
        assert "of 1\u202f275 differences are significant" in page.text
        assert not page.of_class("bs-ahead")
        assert "next in rank" in page.text
        assert "The exported table has every pair." in words_of(app)

    def test_of_power_says_what_can_be_shown(self, sample_app, read_html):
        app = self.panel(sample_app, "Power")
        assert "this test set detects true differences of" in read_html(html_of(app)).text
        assert "Card et al. 2020" in words_of(app)

    def test_settings_change_the_test_and_are_named(self, sample_app, read_html):
        app = go(sample_app, "significance")
        app.selectbox(key="test").set_value("paired-bootstrap").run()
        app.selectbox(key="unit").set_value("document").run()
        app.selectbox(key="correction").set_value("benjamini-hochberg").run()
        app.number_input(key="seed").set_value(7).run()
        text = read_html(html_of(app)).text
        assert "Paired bootstrap, 2\u202f240 resamples over 12 documents (216 segments)" in text
        assert "p corrected for all 28 pairs (Benjamini-Hochberg)" in text
        assert len(re.findall(r"(?<!--)seed 7", text)) == 1
        assert "There are only 12 documents to resample" in text
        app = go(app, "scores")
        assert "seed 7" in read_html(html_of(app)).text

    def test_empty_fields_of_draws_mean_the_usual_number(self, sample_app, read_html):
        app = go(sample_app, "significance")
        for key, placeholder in (("trials", "10\u202f000, or more"), ("resamples", "1\u202f000, or more")):
            assert app.number_input(key=key).value is None
            assert app.number_input(key=key).placeholder == placeholder
        app.selectbox(key="unit").set_value("segment").run()
        assert "10\u202f000 trials over 216 segments" in read_html(html_of(app)).text
        app.number_input(key="trials").set_value(299).run()
        assert "299 trials over 216 segments" in read_html(html_of(app)).text
        app.number_input(key="trials").set_value(None).run()
        assert "10\u202f000 trials over 216 segments" in read_html(html_of(app)).text

    def test_a_link_fills_the_fields_of_draws_that_it_names(self, open_link, read_html):
        app = open_link("significance", trials="299", unit="segment")
        assert app.number_input(key="trials").value == 299
        assert app.number_input(key="resamples").value is None
        assert "299 trials over 216 segments" in read_html(html_of(app)).text

    @pytest.mark.parametrize("test", ["block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs"])
    def test_every_test_is_drawn_on_every_panel(self, sample_app, read_html, test):
        app = go(sample_app, "significance")
        app.selectbox(key="test").set_value(test).run()
        for name in ("All pairs", "Power", "Two systems"):
            app = self.panel(app, name)
            assert not NOT_A_NUMBER.search(read_html(html_of(app)).text)

    def test_of_other_metrics_is_tested_too(self, open_files, sample, read_html):
        columns = [sample.test_set.system(name).hypotheses for name in ("neural-40k", "literal")]
        columns += sample.test_set.references
        texts = ["\n".join([*column[:20], ""]).encode() for column in columns]  # TER of all would take seconds
        app = go(open_files(texts[:2], texts[2:]), "significance")
        app.multiselect(key="metrics").set_value(["TER"]).run(timeout=300)
        app.selectbox(key="tested").set_value("TER").run()
        assert re.search(r"sys0 beats sys1: −\d+\.\d\d TER", read_html(html_of(app)).text)
        assert "their order counts" not in read_html(html_of(app)).text
        app.selectbox(key="tested").set_value("chrF2").run()
        assert "their order counts: here reference 2, reference 3." in read_html(html_of(app)).text

    @pytest.mark.parametrize("panel", ["Two systems", "All pairs", "Power", "Blocks"])
    @pytest.mark.parametrize("systems", [[ONE, ONE], [ONE, TWO], [b"", b"x"], [b"one line", b"another"]])
    def test_of_what_cannot_be_tested_is_answered_in_words(self, open_files, read_html, systems, panel):
        reference = REFERENCE if len(systems[0]) > 10 and b"\n" in systems[0] else b"one line"
        app = self.panel(open_files([text or b"\n" for text in systems], [reference]), panel)
        assert not app.error
        assert not NOT_A_NUMBER.search(read_html(html_of(app)).text)

    def test_of_the_sample_tests_every_system_and_a_pair_over_blocks(self, sample_app, read_html):
        app = self.blocks(sample_app)
        text = read_html(html_of(app)).text
        assert "20 blocks of 10 segments" in text
        assert re.search(r"It wins \d+, loses \d+ and ties \d+ blocks", text)

    def test_other_blocks_give_other_tests(self, sample_app, read_html):
        app = self.blocks(sample_app)
        app.number_input(key="blocks").set_value(5).run()
        assert "5 blocks of 43 segments" in read_html(html_of(app)).text
        app.toggle(key="spread").set_value(True).run()
        assert "5 blocks of 43 to 44 segments" in read_html(html_of(app)).text
        app.segmented_control(key="by").set_value("size").run()
        app.toggle(key="spread").set_value(False).run()
        assert "8 blocks of 25 segments" in read_html(html_of(app)).text

    def test_of_one_block_gives_the_reason_in_words(self, sample_app, read_html):
        app = self.blocks(sample_app)
        app.number_input(key="blocks").set_value(1).run()
        assert not app.exception
        assert "One block has no variance" in read_html(html_of(app)).text

    @pytest.mark.parametrize("panel", ["Two systems", "All pairs", "Power"])
    def test_of_one_system_says_that_it_takes_two(self, open_files, panel):
        app = self.panel(open_files([ONE], [REFERENCE]), panel)
        assert "nothing to compare it with" in app.info[0].value

    def test_of_one_system_still_shows_its_blocks(self, open_files):
        assert charts(self.panel(open_files([ONE], [REFERENCE]), "Blocks"))


class TestSelection:
    def test_segments_found_are_scored_and_tested_alone(self, sample_app, read_html):
        app = go(sample_app, "segments")
        app.text_input(key="find").set_value("the").run()
        assert "sorted by" not in read_html(html_of(app)).text
        app.session_state["selection"] = True
        app.run()
        text = read_html(html_of(app)).text
        assert "randomisation, all" in text
        assert "selected by their scores" not in text

    def test_a_selection_by_score_is_warned_of(self, sample_app, read_html):
        app = go(sample_app, "segments")
        app.number_input(key="low").set_value(1.0).run()
        app.session_state["selection"] = True
        app.run()
        assert "These segments were selected by their scores, so a test cannot show" in read_html(html_of(app)).text


class TestWhatLasts:
    def test_options_and_choices_survive_every_change_of_page(self, sample_app):
        app = go(sample_app, "segments")
        app.selectbox(key="tok").set_value("char").run()
        app.toggle(key="lc").set_value(True).run()
        app.selectbox(key="baseline").set_value("fluent").run()
        app.selectbox(key="a").set_value("human").run()
        app.selectbox(key="b").set_value("literal").run()
        app.text_input(key="find").set_value("die").run()
        app.selectbox(key="sort").set_value(SEGMENT_ORDERS[8]).run()
        app.number_input(key="segment").set_value(12).run()
        for page in (*PAGES, "segments"):
            app = go(app, page)
            assert app.selectbox(key="tok").value == "char"
            assert app.toggle(key="lc").value is True
            assert app.selectbox(key="baseline").value == "fluent"
        assert [app.selectbox(key=key).value for key in ("a", "b", "sort")] == ["human", "literal", SEGMENT_ORDERS[8]]
        assert app.text_input(key="find").value == "die"
        assert app.number_input(key="segment").value == 12

    def test_the_pair_is_the_same_on_every_page_that_compares_two(self, sample_app):
        app = go(sample_app, "compare")
        app.selectbox(key="a").set_value("human").run()
        app.selectbox(key="b").set_value("fluent").run()
        for page in ("significance", "segments", "compare"):
            app = go(app, page)
            assert [app.selectbox(key=key).value for key in ("a", "b")] == ["human", "fluent"]

    def test_the_address_names_what_is_open_and_opens_it_again(self, open_app, read_html, undrawn):
        app = upload(open_app(), ("one.txt", ONE), ("two.txt", TWO), ("ref.txt", REFERENCE))
        app.button(key="compare").click().run()
        (origin,) = as_list(app.query_params["data"])
        assert re.fullmatch(r"[0-9a-f]{32}", origin)
        again = undrawn(SCRIPT)
        again.query_params["data"] = origin
        again.run()
        assert not again.exception
        assert "two" in read_html(html_of(go(again, "scores"))).text

    @pytest.mark.parametrize("origin", ["0" * 32, "nonsense", "../../etc/passwd", "<script>"])
    def test_an_address_that_names_nothing_known_opens_nothing(self, monkeypatch, undrawn, origin):
        monkeypatch.setenv(OPENING_VARIABLE, "{}")
        app = undrawn(SCRIPT)
        app.query_params["data"] = origin
        app.run()
        assert not app.exception
        assert len(app.warning) == 1
        assert not app.selectbox
        app.button(key="_start_anew").click().run()
        assert not app.warning

    def test_the_address_can_name_the_sample(self, monkeypatch, undrawn):
        monkeypatch.setenv(OPENING_VARIABLE, "{}")
        app = undrawn(SCRIPT)
        app.query_params["data"] = "sample"
        app.run()
        assert "literal" in html_of(app)


def as_list(value):
    return value if isinstance(value, list) else [value]


def unescaped(text):
    """A text for a label as it is read once Markdown has been drawn."""
    return re.sub(r"\\(.)", r"\1", text)


class TestFurtherMetrics:
    def test_stand_in_the_systems_table_with_their_direction_and_signature(self, scores_page, signatures_of):
        scores_page.multiselect(key="metrics").set_value(["chrF++"]).run()
        assert "chrF2 ↑" in words_of(scores_page) or "chrF2 ↑" in html_of(scores_page)
        assert "chrF2++ ↑" in html_of(scores_page)
        codes = signatures_of(scores_page)
        assert any(code.startswith("chrF2|nrefs:2|") for code in codes)
        assert any(code.startswith("BLEU|nrefs:2|") for code in codes)

    def test_that_depend_on_the_order_of_references_name_it(self, scores_page, read_html):
        said = "their order counts: here"
        assert f"{said} reference A, reference B." in read_html(html_of(scores_page)).text

    @pytest.mark.parametrize("names", [("ref-x", "ref-a"), ("ref-a", "ref-x")])
    def test_name_the_order_in_which_references_were_dropped(self, open_app, read_html, names):
        files = [("hyp.txt", ONE), *((f"{name}.txt", text) for name, text in zip(names, (REFERENCE, TWO), strict=True))]
        app = upload(open_app(), *files)
        go(app.button(key="compare").click().run(), "scores")
        assert (
            f"their order counts: here {', '.join(name.replace('ref-', 'reference ') for name in names)}."
            in read_html(html_of(app)).text
        )

    def test_scores_from_a_file_stand_beside_bleu_and_systems_without_any_show_none(self, sample_app):
        go(sample_app, "test_set")
        lines = ["system\tsegment\tcomet", "neural-40k\t1\t0.9", "neural-40k\t2\t0.7", "human\t1\t0.5"]
        sample_app.file_uploader(key="score-files").upload("comet.tsv", "\n".join(lines).encode(), "text/plain").run()
        assert not sample_app.error
        go(sample_app, "scores")
        assert "comet ↑" in html_of(sample_app)
        assert "0.8000" in html_of(sample_app)
        assert "0.0000" not in html_of(sample_app)

    def test_scores_are_read_as_their_metric_wrote_them_with_their_direction(self, sample_app, sample):
        go(sample_app, "test_set")
        records = [{"hypothesis": text, "prediction": 1.5} for text in sample.test_set.system("online").hypotheses]
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        sample_app.file_uploader(key="score-files").upload("online.jsonl", data, "text/plain").run()
        assert not sample_app.error
        go(sample_app, "scores")
        assert "MetricX ↓" in html_of(sample_app)
        assert "1.5000" in html_of(sample_app)

    def test_faulty_scores_are_named(self, sample_app):
        go(sample_app, "test_set")
        data = b"system\tsegment\tcomet\nneural-40k\t999\t0.9\n"
        sample_app.file_uploader(key="score-files").upload("comet.tsv", data, "text/plain").run()
        assert "segment 999" in sample_app.error[0].value

    def test_systems_that_are_not_in_the_test_set_are_left_out_and_that_is_said(self, sample_app):
        go(sample_app, "test_set")
        data = b"system\tsegment\tcomet\nneural-40k\t1\t0.9\nother\t1\t0.1\n"
        sample_app.file_uploader(key="score-files").upload("comet.tsv", data, "text/plain").run()
        assert not sample_app.error
        assert any("left out: 1 score of 'other'" in one.value.replace("\\", "") for one in sample_app.info)
        go(sample_app, "scores")
        assert "comet ↑" in html_of(sample_app)

    def test_ter_says_that_lower_is_better(self, open_files):
        app = go(open_files([ONE, TWO], [REFERENCE]), "scores")
        app.multiselect(key="metrics").set_value(["TER"]).run()
        assert "TER ↓" in html_of(app)


class TestScoringOfOtherTools:
    def test_a_preset_gives_that_tools_scores_and_signature(self, scores_page, sample, signatures_of):
        scores_page.selectbox(key="preset").set_value("multi-bleu").run()
        options = PRESETS["multi-bleu"].options
        evaluation = evaluate(sample.test_set, options)
        assert f"BLEU|{evaluation.signature}" in signatures_of(scores_page)
        assert f"{evaluation.systems['neural-40k'].score.score:.2f}" in html_of(scores_page)

    @pytest.mark.parametrize(
        "name", ["mteval-v13a", "multi-bleu", "nltk-0", "nltk-5", "nltk-6", "ibleu", "papineni-2002"]
    )
    def test_every_page_works_under_a_preset_of_each_kind(self, short_sample, name):
        go(short_sample, "scores").selectbox(key="preset").set_value(name).run()
        for page in links.PAGES:
            go(short_sample, page)

    def test_weights_and_reference_length_rescore(self, scores_page, sample, signatures_of):
        scores_page.text_input(key="weights").set_value("0.4, 0.3 0.2 0.1").run()
        scores_page.selectbox(key="len").set_value("shortest").run()
        assert not scores_page.error
        assert any("w:0.4,0.3,0.2,0.1|len:shortest" in code for code in signatures_of(scores_page))

    @pytest.mark.parametrize(
        ("typed", "said"), [("0.5 0.5", "weights"), ("a b c d", "not numbers"), ("1 1 1 1", "weights")]
    )
    def test_weights_that_cannot_be_are_named_and_left_out(self, scores_page, typed, said, signatures_of):
        scores_page.text_input(key="weights").set_value(typed).run()
        assert said in scores_page.error[0].value
        assert any(code.endswith("tok:13a|smooth:exp|version:2.6.0") for code in signatures_of(scores_page))

    def test_the_difference_to_another_tool_is_explained(self, scores_page):
        scores_page.selectbox(key="compared_preset").set_value("papineni-2002").run()
        assert "ignoring case" in html_of(scores_page)
        assert "papineni-2002" in html_of(scores_page)


class TestLabels:
    def test_that_read_alike_are_chosen_apart(self, open_app, tmp_path):
        texts = {"hyp": "one\ntwo\n", "ref": "one\ntwo\n", "a": "b: c\nb: d\n", "a: b": "e\nc\n"}
        paths = {}
        for name, text in texts.items():
            paths[name] = tmp_path / f"{name}.txt"
            paths[name].write_text(text)
        hypothesis, reference, *labels = map(str, paths.values())
        app = go(open_app(Inputs((hypothesis,), (reference,), labels=tuple(labels))), "segments")
        assert app.multiselect(key="labels").options == ["a: b: c", "a: b: d", "a: b: e", "a: b: c (2)"]
        app.multiselect(key="labels").set_value(["a: b: c (2)"]).run()
        assert not app.exception
        assert "1 of 2 segments" in words_of(app)


class TestChecks:
    """What the checks found: on the page of the test set, as an alarm, and as a filter of segments."""

    SHIFTED = "".join(f"number {n} of {n * n} lines stands in document {n // 7} here\n" for n in range(120))

    @pytest.fixture
    def shifted(self, open_files):
        late = self.SHIFTED.splitlines(keepends=True)
        late = [*late[:60], "\n", *late[60:-1]]
        return open_files([self.SHIFTED.encode(), "".join(late).encode()], [self.SHIFTED.encode()])

    def test_a_shifted_file_is_an_error_with_its_line_and_what_it_costs(self, shifted, read_html):
        app = go(shifted, "test_set")
        page = read_html(html_of(app))
        error = next(one for one in page.of_class("bs-finding-error") if "shifted" in one.text)
        assert "look shifted" in error.text
        assert "from line 62 on" in error.text
        assert "This fault costs at least about" in error.text

    def test_errors_are_an_alarm_beside_the_scores(self, shifted, open_page, read_html):
        assert "Check the texts first." in read_html(html_of(go(shifted, "scores"))).text
        assert "Check the texts first." not in read_html(html_of(open_page("scores"))).text

    def test_a_finding_leads_to_its_segments(self, shifted):
        app = go(shifted, "test_set")
        next(button for button in app.button if str(button.key).startswith("show-shifted-lines")).click().run()
        assert not app.exception
        assert app.title[0].value == "Segments"
        assert as_list(app.query_params["flag"]) == ["shifted-lines: System 'sys1'"]

    def test_two_findings_of_one_check_about_one_system_lead_to_their_segments_each(self, open_files):
        texts = "".join(f"sentence {n} of the text says {n * n}\n" for n in range(60)).encode()
        app = go(open_files([texts] * 3, [texts.replace(b"says", b"tells")]), "test_set")
        keys = [button.key for button in app.button if "identical-systems" in str(button.key)]
        subjects = ("System 'sys1'", "System 'sys2'", "System 'sys2' (2)")
        assert keys == [f"show-identical-systems: {subject}" for subject in subjects]
        app.button(key=keys[-1]).click().run()
        assert not app.exception
        assert as_list(app.query_params["flag"]) == ["identical-systems: System 'sys2' (2)"]
        assert "60 segments" in words_of(app)

    def test_the_same_finding_of_several_systems_unfolds(self, read_page):
        labels = [one.label.replace("\\", "") for one in read_page("test_set").expander]
        assert "The same for 6 more: 'neural-10k', 'neural-20k', 'assistant' and 3 more" in labels

    def test_what_is_looked_for_is_listed(self, read_page):
        said = words_of(read_page("test_set"))
        assert "The documentation lists all checks under *Checks of the texts*." in said
        documented = (SAMPLE.parent / "docs/mathematics/checks.md").read_text(encoding="utf-8")
        assert documented.startswith("# Checks of the texts\n")
        assert "\n```{checks}\n```\n" in documented, "a row for each of the registry"


@pytest.mark.parametrize(("page", "said"), [("scores", "chrF2 narrows the tie"), ("compare", "chrF2 agrees")])
def test_with_many_outputs_bleu_comes_first_and_chrf_with_the_tests_after_it(open_link, monkeypatch, page, said):
    monkeypatch.setattr(scoring, "MANY_OUTPUTS", 1)
    app = open_link(page, data="sample", trials="97", resamples="50")
    assert not app.exception
    written = " ".join(str(one.proto.body) for one in app.get("html"))
    assert said in written
    assert "chrF2 ↑" in written
