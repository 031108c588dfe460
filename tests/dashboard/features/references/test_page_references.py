"""The page References: what the choice of references does to the order of systems."""

from bleuscope.features.references import kept

ONE = {"a.txt": "the cat sat on the mat\nit is so\n", "ref.txt": "the cat sat on a mat\nthat is so\n"}
TWO = {
    "system.<b>x.txt": "the cat sat on the mat\nit is so\n",
    "system.y.txt": "a cat sat on a mat\nit was so\n",
    "ref.A.txt": "the cat sat on a mat\nthat is so\n",
    "ref.B.txt": "a cat was on a mat\nit was thus\n",
}


def texts_of(app):
    return " ".join(str(one.body) for one in app.get("html"))


class TestReferences:
    def test_the_sample_says_what_each_reference_turns_round(self, read_page, command_of):
        page = read_page("references")
        said = texts_of(page)
        assert "reverses 10 of 28 pairs, 2 significant on both sides" in said
        assert "With one random reference per document, " in said
        assert len(page.get("plotly_chart")) == 5
        assert "references --sample" in command_of(page)
        assert "--draw-by" not in command_of(page)

    def test_the_paper_gets_sentences_with_their_citation(self, read_page):
        written = [code.value for code in read_page("references").code]
        assert any("reverses 1 (reference A), 10 (reference B) of the order" in one for one in written)
        assert any(one.startswith("@inproceedings{papineni-etal-2002-bleu") for one in written)

    def test_choices_are_in_the_link_and_in_the_command(self, open_page, command_of):
        page = open_page("references", held_against="reference B", draw_unit="segment")
        assert "Against the order with" in texts_of(page)
        assert "--base 'reference B' --draw-by segment" in command_of(page)

    def test_another_metric_is_in_the_link_and_in_the_command(self, open_page, command_of):
        page = open_page("references", TWO, scored_in="chrF2")
        assert "references --metric chrF2 " in command_of(page)
        assert len(page.get("plotly_chart")) == 4
        assert "chrF2, rank" in texts_of(page)

    def test_one_reference_says_what_another_would_tell_and_compares_nothing(self, open_page, monkeypatch):
        monkeypatch.delattr(kept, "references")
        assert "There is only one reference. A second one would show" in texts_of(open_page("references", ONE))

    def test_names_are_shown_as_they_are_written(self, open_page):
        page = open_page("references", TWO)
        assert "<b>x" not in texts_of(page)
