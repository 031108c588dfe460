"""The Slices page, drawn and used."""

import json

import pytest

from bleucore.analysis.slices import DOCUMENT, RARITY, REFERENCE_LENGTH, SOURCE_LENGTH, slice_segments
from bleuscope.shell.state import links

ONE = "The cat sat on the mat.\nA dog ran off\nso it is\n"
TWO = "the cat sat\nthe dog ran away\nso it is\n"
REFERENCE = "The cat sat on the mat.\nThe dog ran off.\nso it is\n"
TABLE = "domain\treference\tone\ttwo\n" + "".join(
    f"{domain}\ta b c d e\ta b c d {first}\ta b c {second} e\n"
    for domain, first, second in [("news", "e", "x"), ("talk: live", "x", "d")] * 20
)


def table(app):
    """The table of slices."""
    return next(one for one in app.dataframe if str(one.key).startswith("_rows_slices"))


def charts(app):
    return [json.loads(element.proto.spec) for element in app.get("plotly_chart")]


def choose(app, kind):
    app.selectbox(key="slice_by").set_value(kind).run()
    assert not app.exception
    return app


def text(app, read_html):
    html = "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])
    return read_html(html).text


class TestSample:
    @pytest.mark.parametrize("kind", [DOCUMENT, REFERENCE_LENGTH, SOURCE_LENGTH, RARITY])
    def test_is_sliced_in_every_way_with_the_scores_of_both_systems(self, open_page, sample, kind):
        app = choose(open_page("slices"), kind)
        slicing = slice_segments(sample.test_set, kind, sample.evaluation.options)
        rows = table(app).value
        assert sorted(rows[kind].str.strip()) == sorted(slicing.names)
        assert int(rows["segments"].sum()) == sample.test_set.n_segments
        scores = sample.evaluation.group_scores("neural-40k", slicing.groups, slicing.n_slices)
        place = slicing.names.index(rows[kind].iloc[0].strip())
        assert rows["BLEU B"].iloc[0] == pytest.approx(scores[place])
        (chart,) = charts(app)
        assert len(chart["data"][0]["customdata"]) == slicing.n_slices

    def test_shows_documents_sorted_and_in_another_order_if_asked(self, open_page):
        app = open_page("slices")
        assert table(app).value["Δ"].tolist() == sorted(table(app).value["Δ"], reverse=True)
        app.segmented_control(key="slice_order").set_value("contribution to Δ").run()
        assert table(app).value["contribution to Δ"].tolist() == sorted(
            table(app).value["contribution to Δ"], reverse=True
        )

    def test_shows_the_scores_of_all_systems_if_asked(self, open_page, sample):
        app = open_page("slices")
        app.toggle(key="all_scores").set_value(True).run()
        others = [name for name in sample.evaluation.ranked() if name not in ("online", "neural-40k")]
        assert table(app).value.columns.tolist()[-len(others) :] == [f"{name} BLEU" for name in others]

    def test_names_the_test_of_the_sidebar(self, open_page, read_html):
        app = open_page("slices")
        app.selectbox(key="test").set_value("paired-bootstrap").run()
        app.selectbox(key="correction").set_value("benjamini-hochberg").run()
        app.selectbox(key="unit").set_value("segment").run()
        said = text(app, read_html)
        assert "Paired bootstrap, 1\u202f000 resamples. p corrected for 12 slices (Benjamini-Hochberg)" in said

    def test_says_that_documents_as_slices_have_no_test(self, open_page, read_html):
        app = open_page("slices")
        app.selectbox(key="unit").set_value("document").run()
        said = text(app, read_html)
        assert "No slice has the 6 documents that a test needs." in said
        assert "Tests exchange and resample documents within each slice" in text(
            choose(app, REFERENCE_LENGTH), read_html
        )


class TestSegments:
    def test_of_a_document_are_listed_after_a_choice_of_its_row(self, open_page):
        app = open_page("slices")
        name = table(app).value[DOCUMENT].iloc[2].strip()
        app = select(app, 2)
        assert app.title[0].value == "Segments"
        assert app.query_params["document"] == name

    def test_of_a_bucket_are_listed_after_a_choice_of_its_row(self, open_page):
        app = choose(open_page("slices"), REFERENCE_LENGTH)
        name = table(app).value[REFERENCE_LENGTH].iloc[1].strip()
        app = select(app, 1)
        assert app.query_params["slice"] == f"reference length:{name}"

    def test_of_a_slice_that_the_address_names_are_found_and_others_of_its_kind_offered(self, open_page, sample):
        app = open_page("segments", slice="rarity of words:26 % or more")
        box = app.selectbox(key="slice")
        assert box.options == [f"{RARITY}:{name}" for name in names(sample, RARITY)]
        box.set_value(box.options[0]).run()
        slicing = slice_segments(sample.test_set, RARITY, sample.evaluation.options)
        assert any(caption.value.startswith(f"{slicing.sizes[0]} of 216 segments") for caption in app.caption)
        next(button for button in app.button if button.label.startswith("slice")).click().run()
        assert any(caption.value.startswith("216 segments") for caption in app.caption)


class TestOtherTestSets:
    def test_labels_are_slices(self, open_page, read_html):
        app = choose(open_page("slices", {"all.tsv": TABLE}), "label domain")
        assert table(app).value["label domain"].str.strip().tolist() == ["talk: live", "news"]
        assert "two wins 1, loses 1 and ties 0 slices against one." in text(app, read_html)
        app = select(app, 0)
        assert app.query_params["slice"] == "label domain:talk: live"

    def test_one_system_has_its_scores_and_it_is_said_what_differences_take(self, open_page):
        app = open_page("slices", {"one.txt": ONE, "ref.txt": REFERENCE})
        assert "two different systems" in app.info[0].value
        assert table(app).value.columns.tolist()[-1] == "one BLEU"
        assert charts(app) == []

    def test_of_many_documents_shows_those_that_differ_most_until_asked_for_all(self, open_page, read_html):
        files = {
            "one.txt": "a b c d x\n" * 90,
            "two.txt": "".join(f"a b c {'d e' if row % 4 else 'x y'}\n" for row in range(90)),
            "ref.txt": "a b c d e\n" * 90,
            "documents.txt": "".join(f"doc{row // 2}\n" for row in range(90)),
        }
        app = open_page("slices", files)
        assert len(table(app).value) == 40
        assert "No slice has the 6 " in text(app, read_html)
        assert any("The 40 slices that differ most, of 45." in caption.value for caption in app.caption)
        app.toggle(key="all_slices").set_value(True).run()
        assert len(table(app).value) == 45
        assert len(charts(app)[0]["data"][0]["customdata"]) == 45

    def test_more_slices_than_can_be_drawn_are_in_the_table(self, open_page):
        files = {
            "one.txt": "a b\n" * 310,
            "two.txt": "a c\n" * 310,
            "ref.txt": "a b\n" * 310,
            "documents.txt": "".join(f"doc{row}\n" for row in range(310)),
        }
        app = open_page("slices", files, trials="1", resamples="1", all_slices="true")
        assert [app.number_input(key=key).value for key in ("trials", "resamples")] == [1, 1]
        assert charts(app) == []
        assert any("too many slices for a chart" in caption.value for caption in app.caption)
        assert len(table(app).value) == 310

    def test_without_parts_compares_scores_alone(self, open_page):
        app = open_page("slices", {"a.txt": "x\n", "b.txt": "y\n", "ref.txt": "z\n"})
        assert "contribution to Δ" not in table(app).value.columns
        assert table(app).value["p"].tolist() == ["no test"]

    def test_hostile_names_stay_text(self, open_page, hostile_texts, read_html):
        lines = "\n".join(hostile_texts) + "\n"
        files = {"<b>.txt": lines, "b.txt": lines.upper(), "ref.txt": lines, "documents.txt": lines}
        app = open_page("slices", files)
        assert "<b>" in text(app, read_html)
        assert {name.strip() for name in table(app).value[DOCUMENT]} == set(hostile_texts)


def select(app, row):
    """Select a row, as Shift + Space does."""
    app.session_state[table(app).key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()
    assert not app.exception
    return app


def names(scored, kind):
    return slice_segments(scored.test_set, kind, scored.evaluation.options).names


class TestMetric:
    @pytest.fixture
    def app(self, open_page):
        app = choose(open_page("slices", {"all.tsv": TABLE}), "label domain")
        assert app.selectbox(key="tested").options == ["BLEU", "chrF2"]
        return app.multiselect(key="metrics").set_value(["TER"]).run()

    def test_is_asked_for_where_there_are_several(self, app):
        assert app.selectbox(key="tested").options == ["BLEU", "chrF2", "TER"]
        assert "BLEU A" in table(app).value

    @pytest.mark.parametrize("metric", ["chrF2", "TER"])
    def test_is_that_of_scores_differences_parts_and_the_command(self, app, metric, command_of):
        app.selectbox(key="tested").set_value(metric).run()
        assert not app.exception
        rows = table(app).value
        assert rows["Δ"].to_numpy() == pytest.approx((rows[f"{metric} B"] - rows[f"{metric} A"]).to_numpy(), abs=0.01)
        (chart,) = charts(app)
        assert chart["layout"]["xaxis2"]["title"]["text"] == f"contribution to Δ {metric}"
        command = command_of(app)
        assert f"--metric {metric} --metrics ter" in command

    def test_goes_along_to_other_pages(self, app):
        app.selectbox(key="tested").set_value("TER").run()
        app.switch_page(links.PAGES["significance"].script).run()
        assert app.selectbox(key="tested").value == "TER"
