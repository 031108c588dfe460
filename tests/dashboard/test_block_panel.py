"""The panel of blocks, drawn: what it asks for, and what it shows of each choice."""

import json
import re

import pytest

from bleucore.significance import SignificanceOptions
from bleuscope.shell.state import cached

NOT_A_NUMBER = re.compile(r"\b(?:nan|inf|none)\b", re.IGNORECASE)


def script(texts, documents, pair, scores):
    """The panel on systems by name, the first of them the reference too; without texts on the sample comparison.

    Scores from a file, by system, are a further metric.
    """
    from dataclasses import replace

    import numpy as np

    from bleucore import BleuOptions, System, TestSet
    from bleucore.evaluation import evaluate_metric
    from bleucore.metrics.segment_scores import SegmentScores, SystemScores
    from bleuscope.content.comparison.comparison_context import study_of
    from bleuscope.content.comparison.inputs import Loaded, Settings
    from bleuscope.shell.analysis.block_panel import block_panel
    from bleuscope.shell.disk.files import load_sample
    from bleuscope.shell.state import cached

    loaded = load_sample()
    if texts is not None:
        systems = [System(name, column) for name, column in texts.items()]
        loaded = Loaded(TestSet(systems, [systems[0].hypotheses], documents=documents), "a title", "an origin")
    evaluation = cached.evaluation(loaded.test_set, BleuOptions())
    if scores is not None:
        columns = {}
        for name, values in scores.items():
            segments = np.array([place + 1 for place, value in enumerate(values) if value is not None])
            columns[name] = SystemScores(segments, np.array([value for value in values if value is not None]), segments)
        judged = evaluate_metric(loaded.test_set, SegmentScores("*judged*", "judged.tsv", columns))
        evaluation = replace(evaluation, metrics={**evaluation.metrics, judged.name: judged})
    names = evaluation.names
    metric = list(evaluation.metrics)[-1]
    block_panel(study_of(loaded, evaluation, Settings(pair=pair or (names[0], names[-1]), metric=metric)), None)


@pytest.fixture
def open_panel(read_html, undrawn):
    """The panel, run once."""

    def run(texts=None, documents=None, pair=None, scores=None):
        arguments = {"texts": texts, "documents": documents, "pair": pair, "scores": scores}
        return sound(undrawn(script, **arguments).run(), read_html)

    return run


def sound(app, read_html):
    assert not app.exception, [problem.message for problem in app.exception]
    assert not app.error
    assert not NOT_A_NUMBER.search(text_of(app, read_html))
    return app


def text_of(app, read_html):
    return read_html("".join(element.proto.body for element in app.get("html"))).text


def titles(app):
    return [json.loads(element.proto.spec)["layout"]["title"]["text"] for element in app.get("plotly_chart")]


ALL_CHARTS = ["Paired block differences", "Score of each block", "t over random layouts", "t over block sizes"]


class TestOfTheSample:
    def test_begins_with_documents_and_has_the_papers_20_blocks(self, open_panel, read_html):
        app = open_panel()
        assert app.segmented_control(key="by").value == "documents"
        app.segmented_control(key="by").set_value("number").run()
        text = text_of(app, read_html)
        assert "20 blocks of 10 segments each. 16 segments at the end are left out." in text
        assert re.search(
            r"Paired t-test over \w+, online against literal: .* It wins \d+, loses \d+ and ties \d+ blocks\.",
            text,
        )
        assert "signed-rank test" in text
        assert [title.split(":")[0] for title in titles(app)] == ALL_CHARTS

    def test_links_its_source_once(self, open_panel, read_html):
        app = open_panel()
        said = [one.value for one in (*app.caption, *app.markdown)]
        assert sum(text.count("https://aclanthology.org/P02-1040/") for text in said) == 1
        assert "the paired t-test counts: it was chosen in advance." in text_of(app, read_html)

    def test_other_numbers_and_sizes_give_other_blocks(self, open_panel, read_html):
        app = open_panel()
        app.segmented_control(key="by").set_value("number").run()
        app.number_input(key="blocks").set_value(5).run()
        assert "5 blocks of 43 segments" in text_of(sound(app, read_html), read_html)
        app.toggle(key="spread").set_value(True).run()
        assert "5 blocks of 43 to 44 segments" in text_of(sound(app, read_html), read_html)
        app.segmented_control(key="by").set_value("size").run()
        app.toggle(key="spread").set_value(False).run()
        assert "8 blocks of 25 segments" in text_of(sound(app, read_html), read_html)

    def test_shuffled_blocks_name_their_seed_and_another_gives_other_tests(self, open_panel, read_html):
        app = open_panel()
        app.segmented_control(key="by").set_value("number").run()
        app.toggle(key="shuffle").set_value(True).run()
        first = text_of(sound(app, read_html), read_html)
        assert "Each has segments sampled at random with seed 1." in first
        app.number_input(key="block_seed").set_value(2).run()
        second = text_of(sound(app, read_html), read_html)
        assert "Each has segments sampled at random with seed 2." in second
        ends = [re.search(r"Paired t-test over blocks.*?95 % CI ([^,]+),", text).group(1) for text in (first, second)]
        assert ends[0] != ends[1]

    def test_documents_are_blocks_and_the_tests_say_so(self, open_panel, read_html):
        app = open_panel()
        app.segmented_control(key="by").set_value("documents").run()
        text = text_of(sound(app, read_html), read_html)
        assert "Every document is a block: 12 documents of 18 segments." in text
        assert re.search(
            r"Paired t-test over documents, online against literal: .* It wins \d+, loses \d+ and ties \d+ doc",
            text,
        )
        assert "Score of each document" in titles(app)
        assert not app.number_input

    def test_the_baseline_can_take_the_place_of_the_left_neighbour(self, open_panel, read_html):
        app = open_panel()
        before = text_of(app, read_html)
        app.segmented_control(key="against").set_value("baseline").run()
        assert text_of(sound(app, read_html), read_html) != before

    def test_a_switch_brings_all_systems(self, open_panel, read_html):
        app = open_panel()

        def visible():
            (lines,) = [
                json.loads(element.proto.spec)["data"]
                for element in app.get("plotly_chart")
                if "Score of each" in element.proto.spec
            ]
            return len(lines)

        assert visible() == 3
        app.toggle(key="all_lines").set_value(True).run()
        assert visible() == 9

    def test_of_a_system_with_itself_asks_for_two(self, open_panel):
        app = open_panel(pair=("human", "human"))
        assert "two different systems" in app.info[0].value
        assert titles(app) == ["Score of each document"]


class TestWhereLittleIsThere:
    lines = ("a b c d e", "f g h i", "k l m n o", "p q r s", "t u v w", "x y z a")

    def test_identical_systems(self, open_panel, read_html):
        app = open_panel({"one": self.lines, "two": self.lines})
        text = text_of(app, read_html)
        assert "Both systems have the same score in every block" in text
        assert "t over random layouts: Both systems" in text
        assert "t over block sizes: Both systems" in text
        assert [title.split(":")[0] for title in titles(app)] == ALL_CHARTS[:2]

    def test_one_segment(self, open_panel, read_html):
        app = open_panel({"one": ["a b c d"], "two": ["a b c x"]})
        text = text_of(app, read_html)
        assert "1 block of 1 segment each." in text
        assert "one against two: it wins 1, loses 0 and ties 0 blocks. One block has no variance" in text
        assert "5 blocks take at least 5 segments." in text

    def test_one_document(self, open_panel, read_html):
        app = open_panel({"one": self.lines, "two": self.lines[::-1]}, documents=["d"] * 6)
        text = text_of(app, read_html)
        assert "Every document is a block: 1 document of 6 segments." in text
        assert "A test needs at least 6 documents, and there is 1." in text

    @pytest.mark.parametrize("n_documents", [2, 3, 5])
    def test_few_documents_are_not_tested(self, open_panel, read_html, n_documents):
        documents = [f"d{place * n_documents // 12}" for place in range(12)]
        lines = [f"{line} {place}" for place, line in enumerate(self.lines * 2)]
        app = open_panel({"one": lines, "two": [line.replace("e", "o") for line in lines]}, documents=documents)
        text = text_of(app, read_html)
        assert f"A test needs at least 6 documents, and there are {n_documents}." in text
        assert "is significant" not in text
        assert "not significant" not in text
        assert "p\u00a0" not in text
        assert not {"t over random layouts", "t over block sizes"} & {title.split(":")[0] for title in titles(app)}

    def test_one_system(self, open_panel, read_html):
        app = open_panel({"one": self.lines})
        assert "6 blocks of 1 segment each." in text_of(app, read_html)
        assert titles(app) == ["Score of each block"]
        assert not app.info

    def test_no_documents(self, open_panel):
        app = open_panel({"one": self.lines, "two": self.lines[::-1]})
        assert list(app.segmented_control(key="by").options) == ["number", "size"]
        app.session_state["by"] = "documents"  # as chosen for another test set
        assert app.run().segmented_control(key="by").value == "number"
        assert not app.exception

    def test_a_system_that_always_wins_by_the_same(self, open_panel, read_html):
        texts = {name: [f"a b c {word} {n}" for n in range(8)] for name, word in (("one", "d"), ("two", "x"))}
        app = open_panel(texts)
        text = text_of(app, read_html)
        assert (
            "one against two: it wins 8, loses 0 and ties 0 blocks. The difference is the same in every block" in text
        )
        assert ".008" in text

    def test_more_blocks_than_can_be_drawn(self, open_panel, read_html):
        texts = [f"a b c d {'e' * (place % 7)} f g {place}" for place in range(450)]
        app = open_panel({"one": texts, "two": [text.replace("b", "x") if len(text) % 2 else text for text in texts]})
        app.segmented_control(key="by").set_value("size").run()
        app.number_input(key="size").set_value(1).run()
        assert "450 blocks of 1 segment each." in text_of(sound(app, read_html), read_html)
        assert any("More than 400 blocks" in caption.value for caption in app.caption)
        assert "Score of each block" not in titles(app)

    def test_names_that_try_to_be_markup(self, open_panel, hostile_texts, read_html):
        text = text_of(open_panel(dict.fromkeys(hostile_texts, self.lines)), read_html)
        assert all(name in text for name in hostile_texts)


class TestScoresFromAFile:
    texts = {name: [f"{name} a {place}" for place in range(8)] for name in ("one", "two")}  # noqa: RUF012  # read only
    full = (0.1, 0.4, 0.3, 0.2, 0.9, 0.5, 0.6, 0.7)

    def run(self, open_panel, read_html, second, n_blocks):
        app = open_panel(self.texts, scores={"one": self.full, "two": second})
        app.number_input(key="blocks").set_value(n_blocks).run()
        return sound(app, read_html)

    def test_are_tested_as_any_metric(self, open_panel, read_html):
        app = self.run(open_panel, read_html, [0.2, 0.4, 0.3, 0.3, 0.95, 0.5, 0.7, 0.7], 4)
        text = text_of(app, read_html)
        assert "4 blocks of 2 segments each." in text
        assert "p is below .05 at 1 of 1 block size of 1 segment." in text
        assert "+0.0438 *judged* per block on average" in text
        assert [title.split(":")[0] for title in titles(app)] == ALL_CHARTS

    def test_with_gaps_leave_out_how_t_varies(self, open_panel, read_html):
        app = self.run(open_panel, read_html, [0.2, None, 0.3, 0.3, 0.95, 0.5, 0.7, 0.7], 4)
        assert [title.split(":")[0] for title in titles(app)] == ALL_CHARTS[:2]
        assert any("does not cover every segment" in caption.value for caption in app.caption)

    def test_that_miss_a_block_say_what_to_do(self, open_panel, read_html):
        app = self.run(open_panel, read_html, [0.2, None, 0.3, 0.3, 0.95, 0.5, 0.7, 0.7], 8)
        assert "In 1 of 8 blocks, a system has no *judged* score" in text_of(app, read_html)
        assert titles(app) == []


class TestStudies:
    def test_are_made_once_for_each_choice(self, sample):
        bleu, pair, choice = (
            sample.evaluation.metrics["BLEU"],
            ("fluent", "neural-40k"),
            SignificanceOptions("block-t", n_blocks=20),
        )
        first = cached.layout_study(sample.test_set, bleu, pair, choice, 1).statistics
        assert (
            cached.layout_study(sample.test_set, bleu, pair, SignificanceOptions("block-t", n_blocks=20), 1).statistics
            is first
        )
        for other in (
            cached.layout_study(sample.test_set, bleu, pair, choice, 2),
            cached.layout_study(sample.test_set, bleu, pair[::-1], choice, 1),
            cached.layout_study(sample.test_set, bleu, pair, SignificanceOptions("block-t", n_blocks=10), 1),
        ):
            assert other.statistics is not first
        sizes = cached.size_study(sample.test_set, bleu, pair, None).statistics
        assert cached.size_study(sample.test_set, bleu, pair, None).statistics is sizes
        assert cached.size_study(sample.test_set, bleu, pair, 1).statistics is not sizes
