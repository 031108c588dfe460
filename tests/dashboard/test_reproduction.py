"""The foot of each page: the command that gives its numbers, and what to write into a paper."""

import re

import pytest

from dashboard.content import commands, methods
from dashboard.content.study import make_study
from dashboard.shell import links
from dashboard.shell.files import load_sample
from dashboard.shell.reproduction import LABEL

FILES = {"one.txt": "the cat sat\na dog ran\n", "two.txt": "the cat sat down\nthe dog ran\n"} | {
    "ref.txt": "the cat sat\nthe dog ran\n"
}
ONE = {name: text for name, text in FILES.items() if name != "two.txt"}


def plain(text):
    return re.sub(r"\\(.)", r"\1", str(text))


def command_of(app):
    """The command at the foot of a page."""
    (panel,) = [panel for panel in app.expander if panel.label == LABEL]
    return panel.code[0].value


def said_of(app):
    (panel,) = [panel for panel in app.expander if panel.label == LABEL]
    return [plain(caption.value) for caption in panel.caption]


class TestCommand:
    @pytest.mark.parametrize(
        ("page", "address", "command"),
        [
            ("test_set", {}, "bleuscope checks --sample"),
            ("scores", {}, "bleuscope compare --sample"),
            (
                "scores",
                {"baseline": "human", "tok": "intl"},
                "bleuscope compare --baseline human --tokenize intl --sample",
            ),
            (
                "scores",
                {"metrics": ["chrF", "chrF++"]},
                "bleuscope compare --metrics chrf,chrf:word-order=2 --sample",
            ),
            ("significance", {}, "bleuscope compare --pair online neural-40k --sample"),
            (
                "significance",
                {"test": "paired-bootstrap", "seed": "7", "panel": "All pairs"},
                "bleuscope compare --pair online neural-40k --test paired-bootstrap --seed 7 --sample",
            ),
            (
                "significance",
                {"panel": "Blocks", "blocks": "12"},
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
                {"metrics": ["chrF"], "tested": "chrF2"},
                "bleuscope compare --pair online neural-40k --metric chrF2 --metrics chrf --sample",
            ),
            ("compare", {"a": "fluent", "b": "human"}, "bleuscope compare --pair fluent human --sample"),
            ("segments", {}, "bleuscope segments --pair online neural-40k --sample"),
            (
                "segments",
                {"sort": "Δ: largest first", "find": "the sea"},
                "bleuscope segments --pair online neural-40k --order delta --search 'the sea' --sample",
            ),
            (
                "segments",
                {"agree": "A and B differ", "low": "-2.5", "regex": "true", "find": "^D", "in": "source"},
                "bleuscope segments --pair online neural-40k --search '^D' --pattern --in source --delta -2.5 inf "
                "--agreement 'A and B differ' --sample",
            ),
            ("ngrams", {}, "bleuscope ngrams --pair online neural-40k --top 100 --sample"),
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

    @pytest.mark.parametrize("page", [page for page in links.PAGES if page != "compare"])
    def test_stands_there_with_one_system_too_but_for_what_compares_two(self, open_page, page):
        app = open_page(page, ONE)
        shown = [panel.label for panel in app.expander if panel.label == LABEL]
        assert len(shown) == (page != "significance")
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
        app.file_uploader[0].upload(first, text.encode(), "text/plain")
        for name, more in rest:
            app.file_uploader[0].upload(name, more.encode(), "text/plain")
        app.run()
        if is_renamed:
            next(box for box in app.text_input if box.value == "one").set_value("mine").run()
        next(button for button in app.button if button.key == "compare").click().run()
        app.switch_page(links.PAGES["scores"].script).run()
        assert command_of(app) == "bleuscope compare --reference ref.txt one.txt two.txt"
        said = [commands.ROLES_CHOSEN] if is_renamed else []
        assert said_of(app) == [*said, commands.IN_THEIR_FOLDER]


class TestPaper:
    def test_shows_the_sentences_and_the_bibliography_when_it_is_opened(self, open_page):
        def shown(app):
            (panel,) = [panel for panel in app.expander if panel.label == "For your paper"]
            return [code.value for code in panel.code]

        study = make_study(load_sample().test_set)
        assert shown(open_page("scores")) == []
        assert shown(open_page("scores", paper="true")) == [methods.methods_sentence(study), methods.bibtex(study)]
