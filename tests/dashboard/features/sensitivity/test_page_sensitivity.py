"""The page Sensitivity: what settings do to the order of systems."""

import re

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.style.wordings import BLEU
from bleuscope.features.sensitivity import words as sensitivity_words

ONE = {"a.txt": "the cat sat on the mat\nit is so\n", "ref.txt": "the cat sat on a mat\nthat is so\n"}
TWO = {
    "system.<b>x.txt": "the cat sat on the mat\nit is so\n",
    "system.y.txt": "a cat sat on a mat\nit was so\n",
    "ref.A.txt": "the cat sat on a mat\nthat is so\n",
    "ref.B.txt": "a cat was on a mat\nit was thus\n",
}


def texts_of(app):
    return " ".join(str(one.body) for one in app.get("html"))


class TestSensitivity:
    def test_of_many_pairs_the_least_firm_are_listed(self, open_page, monkeypatch):
        whole = texts_of(open_page("sensitivity", axes=["case"]))
        monkeypatch.setattr(sensitivity_words, "MOST_LISTED", 5)
        some = texts_of(open_page("sensitivity", axes=["case"]))
        assert "The 5 least firm of 28 pairs. The exported table lists all of them." in some
        assert "least firm of" not in whole
        assert whole.count("<tr>") - some.count("<tr>") == 28 - 5

    def test_the_sample_says_how_firm_its_order_is(self, read_page):
        page = read_page("sensitivity")
        said = texts_of(page)
        assert "of 28 pairs keep their order under all 48 settings" in said
        assert "The choice of references matters most: it alone reverses" in said
        assert "every order has a match" in said
        assert len(page.get("plotly_chart")) == 2

    def test_axes_and_filters_are_in_the_link_and_in_the_command(self, open_page, command_of):
        page = open_page("sensitivity", axes=["case"], filters=["short", "documents"])
        assert "sensitivity --axis case --axis filter=short,documents --sample" in command_of(page)

    def test_another_metric_is_varied_in_case_and_references(self, open_page, command_of):
        page = open_page("sensitivity", TWO, scored_in="chrF2")
        assert "order under all 3 settings" in texts_of(page)
        assert "sensitivity --axis case --axis references --metric chrF2" in command_of(page)

    def test_a_setting_is_scored_with_once_it_is_chosen(self, open_page, command_of):
        page = open_page("sensitivity", axes=["case"])
        page.session_state["_chosen_settings"] = {"preset": "sacrebleu", BLEU["lowercase"].address: True}
        page.run()
        assert not page.exception
        assert page.toggle(key=BLEU["lowercase"].address).value is True
        assert "--lowercase" in command_of(page)

    def test_one_system_has_scores_and_no_order_nor_anything_of_pairs(self, open_page):
        said = texts_of(open_page("sensitivity", ONE))
        assert "There is only one system, so there is no order to change." in said
        assert '<th scope="row" class="bs-text">13a</th>' in said
        assert "pair" not in said.replace("bs-pairs", "")

    def test_systems_without_a_match_are_shown_too(self, open_page):
        page = open_page("sensitivity", {**TWO, "system.y.txt": "x\ny\n", "system.<b>x.txt": "z\nv\n"})
        assert not page.error
        assert not re.search(r"\bnan\b|<b>x", texts_of(page))

    def test_without_a_test_set_says_what_to_do(self, open_link):
        page = open_link("sensitivity", Inputs())
        assert "Open the sample comparison" in [button.label for button in page.button]

    def test_nothing_to_vary_is_said(self, open_page):
        page = open_page("sensitivity", axes=["case"])
        page.session_state["axes"] = []
        page.run()
        assert [one.value for one in page.info] == ["Choose what to vary."]
