"""The menus beneath the tables of the pages for error analysis: nothing before they are opened, then what is shown."""

import csv
import io

import pytest

from bleucore.analysis.attribution import attribute
from bleucore.analysis.slices import slice_kinds
from bleuscope.content.ngrams.ngram_tables import VIEWS

MENUS = {
    "compare": ("attribution", "segments", "documents"),
    "segments": ("segments", "example", "segment"),
    "ngrams": ("ngrams",),
    "slices": ("slices",),
}
OPENED = {"segments": {"segment": "1"}}
"""What a page shows only where something is open."""
SCORES = ("segment-scores-tsv", "segment-scores-parquet")


def rows(app, menu):
    """The table of a menu, opened."""
    app.session_state[f"export-menu-{menu}"] = True
    app.run()
    assert not app.exception, [problem.message for problem in app.exception]
    (text,) = [element.value for element in app.code if "\t" in element.value]
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t"))


def buttons(app):
    """The keys of what can be downloaded."""
    return [element.proto.id.rsplit("-", 1)[-1] for element in app.get("download_button")]


def deferred(app, key):
    """Whether the file of a button is made when it is pressed."""
    (button,) = [element.proto for element in app.get("download_button") if element.proto.id.endswith(f"-{key}")]
    return bool(button.deferred_file_id) and not button.url


def of_pair(sample, pair):
    counts = (sample.evaluation.systems[name].counts for name in pair)
    return attribute(*counts, sample.evaluation.options, names=pair)


class TestEveryMenu:
    @pytest.mark.parametrize("page", MENUS)
    def test_is_there_and_empty_until_it_is_opened(self, open_page, page):
        app = open_page(page, **OPENED.get(page, {}))
        assert not [key for key in buttons(app) if key in MENUS[page]]
        for menu in MENUS[page]:
            app.session_state[f"export-menu-{menu}"] = True
        app.run()
        assert not app.exception
        assert set(MENUS[page]) <= set(buttons(app))

    @pytest.mark.parametrize("page", ["segments", "ngrams", "slices"])
    def test_of_one_system_has_a_table_too(self, open_page, page):
        app = open_page(page, {"one.txt": "a b c d\nx y\n" * 9, "ref.txt": "a b c e\nx z\n" * 9})
        (table,) = [rows(app, menu) for menu in MENUS[page][:1]]
        assert table
        assert not any(key.endswith("_b") for key in table[0])

    @pytest.mark.parametrize("page", MENUS)
    def test_keeps_hostile_names_and_texts(self, open_page, hostile_texts, page):
        lines = "\n".join(["=1+1", *hostile_texts]) + "\n"
        files = {"=2.txt": lines, "@b.txt": lines.upper(), "ref.txt": lines, "documents.txt": lines}
        table = rows(open_page(page, files, **OPENED.get(page, {})), MENUS[page][-1])
        cells = [cell for row in table for cell in row.values()]
        assert not any(cell.startswith(("=", "@")) for cell in cells)


class TestCompare:
    def test_gives_what_its_charts_show(self, open_page, sample):
        pair = ("fluent", "neural-40k")
        attribution = of_pair(sample, pair)
        app = open_page("compare", a=pair[0], b=pair[1])
        total = rows(app, "attribution")[-1]
        assert (total["ingredient"], float(total["part"])) == ("total", attribution.difference)
        app.session_state["export-menu-attribution"] = False
        segments = rows(app, "segments")
        parts = [float(row["part"]) for row in segments]
        assert sorted(map(abs, parts), reverse=True) == [abs(part) for part in parts]
        assert sorted(parts) == sorted(attribution.segments.tolist())
        app.session_state["export-menu-segments"] = False
        documents = rows(app, "documents")
        assert [row["document"] for row in documents] == list(dict.fromkeys(sample.test_set.documents))


class TestSegments:
    def test_gives_all_segments_found_and_says_how(self, open_page, sample):
        app = open_page("segments", document="recipe", sort="BLEU B: lowest first")
        table = rows(app, "segments")
        assert {row["document"] for row in table} == {"recipe"}
        scores = [float(row["bleu_b"]) for row in table]
        assert scores == sorted(scores)
        assert len(scores) == sample.test_set.documents.count("recipe")

    def test_gives_the_scores_of_the_open_segment_and_of_the_systems_shown(self, open_page, sample):
        app = open_page("segments", segment="9", a="fluent", b="neural-40k", **{"with": "human"})
        table = rows(app, "segment")
        assert {row["system"]: float(row["bleu"]) for row in table} == {
            name: sample.evaluation.systems[name].segment_scores[8] for name in ("fluent", "neural-40k", "human")
        }

    def test_makes_the_scores_of_all_segments_when_they_are_asked_for(self, open_page):
        app = open_page("segments")
        assert all(deferred(app, key) for key in SCORES)
        assert any(caption.value.startswith("Scores of all 216 segments, 8 systems, BLEU") for caption in app.caption)

    def test_gives_nothing_away_in_a_blind_comparison(self, open_page):
        app = open_page("segments", blind="true")
        for menu in MENUS["segments"]:
            app.session_state[f"export-menu-{menu}"] = True
        app.run()
        assert buttons(app) == ["save_notes"]


class TestNgrams:
    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("against", ["the other system", "the references"])
    def test_of_every_view_are_those_listed(self, open_page, view, against):
        app = open_page("ngrams", ngram_view=view, ngram_order="1", ngram_against=against, ngram_find="TH")
        table = rows(app, "ngrams")
        lists = [frame.value["n-gram"].str.strip("\u2002\u2060").tolist() for frame in app.dataframe]
        assert all(lists)
        for side, names in zip("BA", lists, strict=True):
            assert [row["ngram"] for row in table if row["side"] == side] == names
            assert all("th" in name.lower() for name in names)

    def test_of_phrases_are_all_that_are_known_by_name(self, open_page):
        app = open_page("ngrams", a="online", b="neural-40k")
        table = rows(app, "ngrams")
        shown = [name for frame in app.dataframe for name in frame.value["phrase"].str.strip("\u2002\u2060")]
        assert len(table) == len(shown) + 6
        assert table[0]["phrase"] == "not"


class TestSlices:
    def test_of_every_kind_are_those_shown(self, open_page, sample):
        for kind in slice_kinds(sample.test_set):
            app = open_page("slices", slice_by=kind, all_scores="true")
            table = rows(app, "slices")
            shown = app.dataframe[0].value
            assert [row["slice"] for row in table] == shown[kind].str.strip("\u2002\u2060").tolist()
            assert [int(row["segments"]) for row in table] == shown["segments"].tolist()
            assert [float(row["difference"]) for row in table] == pytest.approx(shown["Δ"].tolist())
            assert "BLEU: human" in table[0]
