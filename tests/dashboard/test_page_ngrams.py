"""The N-grams page, drawn and used."""

import pytest

from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_types import ngram_types, pair_tokens, segments_with
from bleuscope.content.ngrams.ngram_tables import N_LEADING, RATIO

PAIR = ("online", "neural-40k")
ONE = "The cat sat on the mat.\nA dog ran off\n"
TWO = "the cat sat\nthe dog ran away\n"
REFERENCE = "The cat sat on the mat.\nThe dog ran off.\n"


@pytest.fixture
def open_page(open_page):
    """A page that compares two systems of the sample which differ in many n-grams."""

    def opened(page, files=None, **address):
        of_pair = {} if files else dict(zip("ab", PAIR, strict=True))
        return open_page(page, files, **of_pair | address)

    return opened


@pytest.fixture(scope="module")
def types(sample):
    """The n-grams of these systems."""
    counts = (sample.evaluation.systems[name].counts for name in PAIR)
    attribution = attribute(*counts, sample.evaluation.options)
    tokens = pair_tokens(sample.test_set, PAIR, sample.evaluation.options)
    return ngram_types(tokens, attribution.match_values, n_leading=N_LEADING)


def table(app, side):
    """The list of a system."""
    return next(one for one in app.dataframe if str(one.key).startswith(f"_rows_ngrams-{side}"))


def ngrams(app, side):
    """The n-grams of a list as tokens."""
    return [
        tuple(name.strip().replace("\u200a", "").replace("\u2060", "").split("␣"))
        for name in table(app, side).value["n-gram"]
    ]


def control(app, key, value):
    app.segmented_control(key=key).set_value(value).run()
    assert not app.exception
    return app


def select(app, side, row):
    """Select a row of a list, as Shift + Space does."""
    app.session_state[table(app, side).key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()
    assert not app.exception
    return app


def html(app):
    return "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])


def listed(app):
    """How many segments the page says that it lists."""
    (said,) = [caption.value for caption in app.caption if "sorted by" in caption.value]
    return int(said.split()[0])


def text(app, read_html):
    return read_html(html(app)).text


class TestPhrases:
    def test_of_all_lengths_lead_with_examples_and_the_others_are_folded_away(self, read_page, read_html):
        app = read_page("ngrams")
        said = text(app, read_html)
        assert said.index("not 18 : 4") < said.index("Please don't stir!") < said.index("metres 7 : 0 matches")
        labels = [panel.label.split(" ", 1)[1] for panel in app.expander]
        assert labels[0] == labels[2] == "more phrases"
        assert labels[1].startswith("hidden\\: \u2068")
        assert [table.value.columns.tolist() for table in app.dataframe] == [["phrase", "A", "B", "contribution"]] * 4

    @pytest.mark.parametrize(("view", "verb"), [("over-generated", "overuses"), ("missed", "misses")])
    def test_are_those_that_systems_have_too_often_or_miss_too(self, open_page, read_html, view, verb):
        app = open_page("ngrams", ngram_view=view)
        said = text(app, read_html)
        assert verb in said
        assert [table.value.columns.tolist() for table in app.dataframe] == [["phrase", "A", "B", "contribution"]] * 4
        control(app, "ngram_against", "the references")
        assert ("more" if view == "over-generated" else "less") + " often than the references." in text(app, read_html)
        assert {tuple(table.value.columns) for table in app.dataframe} == {("phrase", "missed", "too often", "worth")}
        next(button for button in app.button if button.label == "Read its segments").click().run()
        assert app.query_params["ngram_where"] == f"B {'misses it' if view == 'missed' else 'has it too often'}"

    def test_of_one_system_are_held_against_the_references(self, open_page, read_html):
        app = open_page("ngrams", {"sys.txt": "x w w w a\n" * 3, "ref.txt": "x w w w b\n" * 3})
        said = text(app, read_html)
        assert "sys has 1 phrase more often than the references." in said
        assert "w␣w␣w␣a 3 : 0 · worth" in said.replace("\u200a", "")
        control(app, "ngram_view", "missed")
        assert "w␣w␣w␣b 3 : 0 · worth" in text(app, read_html).replace("\u200a", "")

    def test_open_their_segments(self, open_page):
        app = open_page("ngrams")
        next(button for button in app.button if button.label == "Read 14 segments").click().run()
        assert not app.exception
        assert (app.title[0].value, app.query_params["ngram"]) == ("Segments", "not")
        assert app.query_params["ngram_where"] == "B matches it more"
        assert listed(app) == 14

    def test_that_are_folded_open_their_segments_too(self, open_page):
        app = open_page("ngrams")
        folded = app.dataframe[-1]
        app.session_state[folded.key] = {"selection": {"rows": [2], "columns": [], "cells": []}}
        app.run()
        shown = folded.value["phrase"][2].replace("\u200a", "").replace("\u2060", "").replace("␣", " ").strip()
        assert (app.query_params["ngram"], app.query_params["ngram_where"]) == (shown, "A matches it more")

    def test_of_systems_that_hardly_differ_are_none(self, open_page, read_html):
        app = open_page("ngrams", {"a.txt": ONE, "b.txt": TWO, "ref.txt": REFERENCE})
        assert sum("No phrase occurs in enough" in caption.value for caption in app.caption) == 2

    def test_have_no_parts_where_nothing_is_divided(self, open_page):
        app = open_page("ngrams", {"a.txt": "x\n", "b.txt": "y\n", "ref.txt": "z\n"})
        assert any("Contributions to Δ are not shown" in caption.value for caption in app.caption)


class TestLists:
    def test_by_part_lead_what_the_matches_of_each_system_add(self, open_page, types):
        app = control(open_page("ngrams"), "ngram_order", "2")
        won, lost = types[1].leading_won, types[1].leading_lost
        assert set(ngrams(app, "B")[:5]) <= {each.tokens for each in won if each.part >= won[5].part}
        assert table(app, "B").value["contribution"].tolist() == sorted(
            table(app, "B").value["contribution"], reverse=True
        )
        assert table(app, "A").value["contribution"].tolist() == sorted(table(app, "A").value["contribution"])
        assert set(ngrams(app, "A")) <= {each.tokens for each in lost}

    def test_by_log_likelihood_ratio_lead_the_surest(self, open_page, types):
        app = control(open_page("ngrams", ngram_order="1"), "ngram_rank", RATIO)
        ratios = table(app, "B").value["G²"].tolist()
        assert ratios == sorted(ratios, reverse=True)
        assert ratios[0] == max(each.log_likelihood for each in types[0].leading_won)

    @pytest.mark.parametrize(("view", "words"), [("over-generated", "overuses"), ("missed", "of the references")])
    def test_of_what_is_unmatched_compare_the_other_system_or_the_references(self, open_page, read_html, view, words):
        app = control(open_page("ngrams", ngram_order="1"), "ngram_view", view)
        assert words in text(app, read_html)
        assert table(app, "B").value.columns.tolist() == ["n-gram", "B", "A", "contribution", "G²"]
        control(app, "ngram_against", "the references")
        assert table(app, "B").value.columns.tolist()[3:] == ["worth", "G²"]
        assert set(table(app, "B").value.columns[1:3]) == {"too often", "missed"}

    def test_find_a_text_in_the_ngrams(self, open_page, read_html):
        app = open_page("ngrams", ngram_order="1")
        app.text_input(key="ngram_find").set_value("TH").run()
        assert all("th" in ngram[0].lower() for ngram in ngrams(app, "B"))
        app.text_input(key="ngram_find").set_value("no such n-gram").run()
        assert not app.dataframe
        assert "No n-gram here contains “no such n-gram”" in text(app, read_html)

    def test_go_up_to_the_longest_order_of_the_scoring(self, open_page):
        app = open_page("ngrams")
        app.number_input(key="order").set_value(6).run()
        assert app.segmented_control(key="ngram_order").options == ["all", "1", "2", "3", "4", "5", "6"]
        control(app, "ngram_order", "6")
        app.number_input(key="order").set_value(2).run()
        assert app.segmented_control(key="ngram_order").value == "all"


class TestSegments:
    @pytest.mark.parametrize(("side", "where"), [("A", "A matches it more"), ("B", "B matches it more")])
    def test_are_listed_after_a_click_on_an_ngram(self, open_page, side, where):
        app = control(open_page("ngrams"), "ngram_order", "2")
        chosen = ngrams(app, side)[1]
        app = select(app, side, 1)
        assert app.title[0].value == "Segments"
        assert app.query_params["ngram"] == " ".join(chosen)
        assert app.query_params["ngram_where"] == where

    def test_have_the_ngram_in_boxes_until_the_filter_is_taken_back(self, open_page, sample, read_html):
        app = open_page("segments")
        app.text_input(key="ngram").set_value(" of  the ").run()
        tokens = pair_tokens(sample.test_set, PAIR, sample.evaluation.options)
        n_segments = len(segments_with(("of", "the"), tokens).segments)
        assert listed(app) == n_segments
        assert {element.text for element in read_html(html(app)).of_class("bs-ngram")} == {"of", "the"}
        next(button for button in app.button if button.label.startswith("n\\-gram")).click().run()
        assert not app.exception
        assert app.text_input(key="ngram").value == ""
        assert listed(app) == 216
        assert read_html(html(app)).of_class("bs-ngram") == []

    def test_can_be_those_where_one_system_misses_the_ngram(self, open_page, sample):
        app = open_page("segments")
        app.text_input(key="ngram").set_value("the").run()
        app.selectbox(key="ngram_where").set_value("B misses it").run()
        found = segments_with(("the",), pair_tokens(sample.test_set, PAIR, sample.evaluation.options))
        n_segments = int((found.second < found.reference).sum())
        assert listed(app) == n_segments


class TestSmallTestSets:
    def test_of_one_system_set_it_against_the_references(self, open_page, read_html):
        app = open_page("ngrams", {"sys.txt": ONE, "ref.txt": REFERENCE}, ngram_order="1")
        assert app.segmented_control(key="ngram_view").options == ["over-generated", "missed"]
        assert "sys has 1 single token too often." in text(app, read_html)
        assert ngrams(app, "A") == [("A",)]

    def test_without_a_match_of_any_kind_say_why_there_are_no_parts(self, open_page):
        app = open_page("ngrams", {"a.txt": "x\n", "b.txt": "y\n", "ref.txt": "z\n"}, ngram_order="1")
        assert any("Contributions to Δ are not shown" in caption.value for caption in app.caption)
        control(app, "ngram_view", "missed")
        assert not app.dataframe
        control(app, "ngram_against", "the references")
        assert ngrams(app, "B") == ngrams(app, "A") == [("z",)]
        assert "contribution" not in table(app, "B").value.columns

    def test_of_identical_systems_have_nothing_won_or_lost(self, open_page, read_html):
        app = open_page("ngrams", {"a.txt": TWO, "b.txt": TWO, "ref.txt": REFERENCE}, ngram_order="1")
        assert not app.dataframe
        assert "There are no such n-grams" in text(app, read_html)

    def test_hostile_texts_stay_text(self, open_page, hostile_texts, read_html):
        lines = "\n".join(hostile_texts) + "\n"
        files = {"hyp.<b>.txt": lines, "hyp.b.txt": "x\n" * len(hostile_texts), "ref.txt": lines}
        app = open_page("ngrams", files, ngram_order="1")
        assert "Matched more by A hyp.<b>" in text(app, read_html)
        assert ("<",) in ngrams(app, "A")
