"""The foot of each page: the command that gives its numbers, and what to write into a paper."""

import json
import re
import shlex
from html import unescape

import pandas as pd
import pytest

from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.paper import methods
from bleuscope.content.segments.filters import FILTERS
from bleuscope.content.style import numbers
from bleuscope.content.style.wordings import BLEU, SIGNIFICANCE
from bleuscope.shell.disk.files import load_sample
from bleuscope.shell.page.frame import VIEW
from bleuscope.shell.page.reproduction import LABEL
from bleuscope.shell.state import links
from tests.dashboard.reading import drop_zone

JUDGED = "--judgements judgements-invented.jsonl"
FILES = {"one.txt": "the cat sat\na dog ran\n", "two.txt": "the cat sat down\nthe dog ran\n"} | {
    "ref.txt": "the cat sat\nthe dog ran\n"
}
WITHOUT_NUMBERS = {"significance", "annotation_results"}
"""Pages that have none with one system, or before somebody annotated."""
ONE = {name: text for name, text in FILES.items() if name != "two.txt"}


SHARED = {
    "baseline": "human",
    "tok": "intl",
    "metrics": "chrF++",
    "a": "fluent",
    "b": "online",
    "seed": "7",
    "trials": "99",
    "resamples": "120",
    "tested": "chrF2",
}
"""What every page is opened with: of the sidebar, and systems A and B."""
SAID_OF_SHARED = (
    *("--baseline human", "--tokenize intl", "--metrics chrf --chrf-word-order 2", "--metric chrF2"),
    "--trials 99 --resamples 120 --seed 7",
)
CHANGED = {
    "scores -": {},
    "compare -": {},
    "significance pairs": {"panel": "All pairs"},
    "segments found": {
        "where": ["length > 8"],
        "find": "the",
        "in": "references",
        "regex": "true",
        "agree": "A and B differ",
        "high": "-1",
        "sort": "Δ: largest first",
        "selection": "true",
    },
    "ngrams missed": {
        "ngram_view": "missed",
        "ngram_order": "2",
        "ngram_against": "the references",
        "ngram_find": "a",
        "ngram_rank_alone": "worth",
    },
    "slices words": {"slices_of": "words", "words_by": "form"},
    "slices document": {
        "slices_of": "segments",
        "slice_by": "document",
        "slice_order": "contribution to Δ",
        "all_scores": "true",
    },
    "report short": {
        "report_title": "A title",
        "report_date": "May",
        "report_form": "Markdown",
        "report_segments": "2",
        "report_sections": ["verdict", "systems"],
    },
}
LOOKS = {
    "preset": "what it chooses is in the scoring options",
    "panel": "which of the tables are on the screen; the command prints all",
    "basis": "which of two columns of the tables a chart shows",
    "compared_preset": "explains a number; it changes none",
    "segment": "which segment is open to be read",
    "layers": "which marks its text has",
    "lines": "what stands beside the outputs in the list",
    "keys": "whether single keys do something",
    "mark": "whose matches the references show",
    "all": "which further systems stand beside it",
    "with": "which further systems stand beside it",
    "blind": "hides names, scores and the command",
    "sort": "in which order segments are listed",
    "in": "where the text is looked for, which is part of its filter",
    "regex": "how the text is looked for, which is part of its filter",
    "report_remarks": "too long for an address; tested with the words of commands",
}
"""What needs no option of its own, and why."""
KINDS = ("selectbox", "toggle", "number_input", "text_input", "text_area", "multiselect", "button_group")


def plain(text):
    return re.sub(r"\\(.)", r"\1", str(text))


def command_of(app):
    """The command at the foot of a page."""
    (panel,) = [panel for panel in app.expander if panel.label == LABEL]
    (found,) = re.findall(r"<pre>(.*?)</pre>", panel.get("html")[0].proto.body, re.DOTALL)
    return unescape(found)


def said_of(app):
    (panel,) = [panel for panel in app.expander if panel.label == LABEL]
    return [plain(caption.value) for caption in panel.caption]


class TestCommand:
    @pytest.mark.parametrize(
        ("page", "address", "command"),
        [
            ("test_set", {}, "bleuscope lint --sample"),
            ("scores", {}, "bleuscope compare --sample"),
            (
                "scores",
                {"baseline": "human", "tok": "intl"},
                "bleuscope compare --baseline human --tokenize intl --sample",
            ),
            (
                "scores",
                {"metrics": ["chrF++"]},
                "bleuscope compare --metrics chrf --chrf-word-order 2 --sample",
            ),
            ("significance", {}, "bleuscope compare --pair online neural-40k --sample"),
            (
                "significance",
                {"test": "paired-bootstrap", "seed": "7", "panel": "All pairs"},
                "bleuscope compare --pair online neural-40k --test paired-bootstrap --seed 7 --sample",
            ),
            (
                "significance",
                {"panel": "Blocks", "by": "number", "blocks": "12"},
                "bleuscope compare --pair online neural-40k --test block-t --blocks 12 --sample",
            ),
            (
                "significance",
                {"panel": "Blocks", "by": "size", "size": "30", "shuffle": "true", "block_seed": "4", "spread": "true"},
                "bleuscope compare --pair online neural-40k --test block-t --block-size 30 --remainder spread "
                "--shuffle-blocks 4 --sample",
            ),
            (
                "significance",
                {"tested": "chrF2"},
                "bleuscope compare --pair online neural-40k --metric chrF2 --sample",
            ),
            ("compare", {"a": "fluent", "b": "human"}, "bleuscope compare --pair fluent human --sample"),
            ("segments", {}, f"bleuscope segments --pair online neural-40k {JUDGED} --sample"),
            (
                "segments",
                {"sort": "Δ: largest first", "find": "the sea"},
                f"bleuscope segments --pair online neural-40k --order delta --search 'the sea' {JUDGED} --sample",
            ),
            (
                "segments",
                {"agree": "A and B differ", "low": "-2.5", "regex": "true", "find": "^D", "in": "source"},
                "bleuscope segments --pair online neural-40k --search '^D' --pattern --in source --delta -2.5 inf "
                f"--agreement 'A and B differ' {JUDGED} --sample",
            ),
            ("ngrams", {}, "bleuscope ngrams --pair online neural-40k --top 20 --sample"),
            (
                "ngrams",
                {"ngram_order": "1"},
                "bleuscope ngrams --pair online neural-40k --order-n 1 --top 100 --sample",
            ),
            (
                "ngrams",
                {"ngram_view": "missed", "ngram_order": "3", "ngram_find": "a"},
                "bleuscope ngrams --pair online neural-40k --view missed --order-n 3 --find a --top 100 --sample",
            ),
            ("slices", {}, "bleuscope slices --pair online neural-40k --by document --sample"),
            (
                "slices",
                {"slice_by": "reference length", "all_scores": "true"},
                "bleuscope slices --pair online neural-40k --by 'reference length' --all-systems --sample",
            ),
            ("report", {}, "bleuscope report --output report.html --pair online neural-40k --sample"),
        ],
    )
    def test_stands_at_the_foot_of_the_page(self, open_link, page, address, command):
        app = open_link(page, **address)
        assert command_of(app) == command
        assert said_of(app) == []

    @pytest.mark.parametrize(
        "page",
        [name for name, page in links.PAGES.items() if name != "compare" and page.is_of_comparison],
    )
    def test_stands_there_with_one_system_too_but_for_what_compares_two(self, open_page, page):
        app = open_page(page, ONE)
        shown = [panel.label for panel in app.expander if panel.label == LABEL]
        assert len(shown) == (page not in WITHOUT_NUMBERS)
        if shown:
            assert "--pair" not in command_of(app)

    @pytest.mark.parametrize("page", ["compare", "segments", "ngrams", "slices"])
    def test_is_not_there_where_a_system_is_compared_with_itself(self, open_page, page):
        app = open_page(page, a="human", b="human")
        assert not [panel for panel in app.expander if panel.label == LABEL]

    def test_names_files_as_they_were_named(self, open_page, tmp_path):
        app = open_page("scores", FILES)
        paths = " ".join(str(tmp_path / name) for name in FILES)
        assert command_of(app) == f"bleuscope compare {paths}"

    def test_is_not_shown_while_names_are_hidden(self, open_page):
        app = open_page("segments", blind="true")
        assert not [panel for panel in app.expander if panel.label == LABEL]

    @pytest.mark.parametrize("is_renamed", [False, True])
    def test_of_an_upload_says_where_to_run_it_and_whether_it_says_all(self, open_page, is_renamed):
        app = open_page("test_set")
        (first, text), *rest = FILES.items()
        drop_zone(app).upload(first, text.encode(), "text/plain")
        for name, more in rest:
            drop_zone(app).upload(name, more.encode(), "text/plain")
        app.run()
        if is_renamed:
            next(box for box in app.text_input if box.value == "one").set_value("mine").run()
        next(button for button in app.button if button.key == "compare").click().run()
        app.switch_page(links.PAGES["scores"].script).run()
        assert command_of(app) == "bleuscope compare --reference ref.txt one.txt two.txt"
        said = [commands.ROLES_CHOSEN] if is_renamed else []
        assert said_of(app) == [*said, commands.IN_THEIR_FOLDER]


class TestEveryWidget:
    """A page is opened with what it asks for changed, all at once; its command says so and gives its numbers."""

    @pytest.fixture(params=CHANGED)
    def changed(self, open_link, request):
        """A page, what was changed of it alone, and the page as it is drawn then."""
        page, _ = request.param.split()
        return page, CHANGED[request.param], open_link(page, **SHARED, **CHANGED[request.param])

    def test_is_in_the_command_or_changes_no_number(self, changed):
        page, address, app = changed
        asked = {widget.key for kind in KINDS for widget in app.get(kind) if widget.key and widget.key[0] != "_"}
        settings = {one.address for wordings in (BLEU, SIGNIFICANCE) for one in wordings.values()}
        filters = {key for each in FILTERS.values() for key in each.keys} if page == "segments" else set()
        assert asked <= settings | filters | set(LOOKS) | set(SHARED) | set(address)
        command = command_of(app)
        for words in SAID_OF_SHARED:
            is_of_metrics = words.startswith("--metric") and (page == "ngrams" or "words_by" in address)
            is_of_two = words.startswith("--metric ") and page == "scores"
            is_of_tests = words.startswith(("--trials", "--seed")) and page == "ngrams"
            is_of_baseline = words.startswith("--baseline") and page in ("compare", "ngrams", "slices")
            assert (words in command) != (is_of_metrics or is_of_two or is_of_tests or is_of_baseline)

    def test_gives_the_numbers_of_the_page(self, changed, bleuscope, tmp_path):
        page, _, app = changed
        program, name, *words = shlex.split(command_of(app))
        assert program == "bleuscope"
        if page == "report":
            assert bleuscope(name, *words) == (0, "", "")
            assert "A title" in (tmp_path / "report.md").read_text(encoding="utf-8")
            return
        code, out, err = bleuscope(name, "--format", "json", *words)
        printed, study = json.loads(out), app.session_state[VIEW]
        assert (code, err) == (0, "".join(f"bleuscope: {' '.join(said.split())}\n" for said in printed["warnings"]))
        assert printed["facts"]["digest"] == study.test_set.digest
        if page == "segments":
            listed = "".join(element.proto.body for element in app.get("html"))
            first = [int(number) for number in re.findall(r"<b>#(\d+)</b>", listed)]
            assert first
            assert [row["segment"] for row in printed["segments"]][: len(first)] == first
            assert {row["system"] for row in printed["selection"]} == set(study.evaluation.names)
        elif page == "ngrams":
            shown = pd.concat([table.value for table in app.dataframe])
            assert [row["worth"] for row in printed["ngrams"]] == shown["worth"].tolist()
            assert [row["log_likelihood"] for row in printed["ngrams"]] == shown["G²"].tolist()
        elif "words" in printed:
            assert [row["difference"] for row in printed["words"]] == app.dataframe[0].value["Δ F1"].tolist()
        elif page == "slices":
            shown = app.dataframe[0].value
            assert [row["difference"] for row in printed["slices"]] == shown["Δ"].tolist()
            assert shown["p"].tolist() == [
                "no test" if row["corrected_p_value"] is None else numbers.p_value(row["corrected_p_value"])
                for row in printed["slices"]
            ]
        else:
            scores = {row["system"]: row["bleu"] for row in printed["systems"]}
            assert scores == {name: each.score.score for name, each in study.evaluation.systems.items()}
            assert {row["p_value"] for row in printed["pairs"]}


class TestPaper:
    def test_shows_the_sentences_and_the_bibliography_when_it_is_opened(self, open_page):
        def shown(app):
            (panel,) = [panel for panel in app.expander if panel.label == "For your paper"]
            return [code.value for code in panel.code]

        study = make_study(load_sample().test_set)
        assert shown(open_page("scores")) == []
        assert shown(open_page("scores", paper="true")) == [methods.methods_sentence(study), methods.bibtex(study)]
