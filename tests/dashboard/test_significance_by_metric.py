"""What each metric says of two systems, and what is said first where metrics disagree."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore import System, TestSet, evaluate
from bleucore.analysis.attribution import attribute, opposed_parts
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Settings, make_study, metrics_beside_bleu
from bleuscope.content.report import make_report, markdown_report
from bleuscope.content.scores.verdicts import study_verdict
from bleuscope.content.significance.significance_by_metric import (
    contradict,
    disagree,
    disagreement,
    disagreements,
    opinions_of,
    parting_segments,
)
from bleuscope.content.significance.significance_sheets import opinions_sheet
from bleuscope.content.significance.study_verdict import study_verdict as verdict_of_study
from bleuscope.content.significance.study_verdict import verdict_of_pair

QUICK = SignificanceOptions(trials=199, resamples=100)
REFERENCE = "die kleinen Häuser stehen immer noch hinter dem großen Stadion"
PHRASES = "die kleinen Häuser stehen immer xx yy zz qq vv"
"""Half of it word by word, the rest nothing: BLEU likes it better than chrF does."""
ENDINGS = "diee kleinenn Häuserr stehenn immerr nochh hinterr demm großenn Stadionn"
"""Nearly every character and hardly a word."""
GREEK = "τα μικρά σπίτια είναι ακόμη πίσω από το μεγάλο στάδιο"


def varied(text, n=40):
    """The same text n times, each with two other numbers: equal rows would be one item."""
    return [f"{text} {number} {number}" for number in range(100, 100 + n)]


def study_of_texts(first, second, *, n=40, **settings):
    systems = [System("phrases", varied(first, n)), System("endings", varied(second, n))]
    test_set = TestSet(systems, [varied(REFERENCE, n)])
    return make_study(test_set, Settings(significance=QUICK, **settings))


@pytest.fixture(scope="module")
def disputed():
    return study_of_texts(PHRASES, ENDINGS)


class TestChrfBesideBleu:
    def test_a_study_has_it_without_being_asked(self, disputed):
        assert list(disputed.evaluation.metrics) == ["BLEU", "chrF2"]
        assert list(disputed.others) == ["chrF2"]

    def test_it_comes_first_and_once(self):
        plus = ChrfOptions(word_order=2)
        assert metrics_beside_bleu([TerOptions(), ChrfOptions(), plus]) == (ChrfOptions(), TerOptions(), plus)

    def test_another_chrf_of_its_name_takes_its_place(self):
        assert metrics_beside_bleu([ChrfOptions(lowercase=True)]) == (ChrfOptions(lowercase=True),)


class TestOpinions:
    def test_metrics_with_other_systems_ahead_contradict_each_other(self, disputed):
        said = opinions_of(disputed)
        assert {one.metric.name: one.ahead for one in said} == {"BLEU": "phrases", "chrF2": "endings"}
        assert contradict(said)

    def test_an_error_metric_is_turned_the_right_way(self):
        study = study_of_texts(REFERENCE, GREEK, metrics=(TerOptions(),))
        said = opinions_of(study)
        assert [one.ahead for one in said] == ["phrases"] * 3
        assert not disagree(said)
        assert not disagreement(study.evaluation, said)

    def test_one_metric_alone_that_tells_systems_apart_is_a_disagreement_and_no_contradiction(self):
        references = varied(REFERENCE, 12)
        first = [text.replace("Stadion", "Stadio") for text in references[:6]] + references[6:]
        second = references[:6] + [GREEK] * 2 + references[8:]
        study = make_study(
            TestSet([System("a", first), System("b", second)], [references]), Settings(significance=QUICK)
        )
        said = [replace(one, is_significant=place == 0) for place, one in enumerate(opinions_of(study))]
        assert disagree(said)
        assert not contradict(said)
        names = " and ".join(said[0].ahead_and_behind)
        assert str(disagreement(study.evaluation, said)).startswith(
            f"Only BLEU finds a significant difference between {names}."
        )

    def test_the_same_texts_do_not_disagree(self):
        assert not disagree(opinions_of(study_of_texts(PHRASES, PHRASES)))


class TestWords:
    def test_the_verdict_says_in_a_chip_which_metric_disagrees(self, disputed):
        assert study_verdict(disputed).markdown().split("\n\n")[1].endswith("chrF2 disagrees")

    def test_a_metric_with_the_other_order_does_not_agree(self, disputed):
        chrf = disputed.others["chrF2"]
        unsure = {pair: replace(one, corrected_p_value=0.5) for pair, one in disputed.comparison.pairs.items()}
        quiet = replace(disputed.comparison, pairs=unsure)
        also_quiet = replace(
            chrf, pairs={pair: replace(one, corrected_p_value=0.5) for pair, one in chrf.pairs.items()}
        )
        made = verdict_of_pair(replace(disputed, comparison=quiet, others={"chrF2": also_quiet}))
        assert made.state == "no-winner"
        assert made.agreement == (("chrF2", "reverses the order"),)

    @pytest.mark.parametrize(
        ("significant", "turned", "said"),
        [
            ((), False, "agrees"),
            (("three",), False, "narrows the tie"),
            (("two", "three"), False, "disagrees"),
            (("three",), True, "disagrees"),
        ],
    )
    def test_a_metric_that_finds_a_difference_among_tied_systems_says_so(self, significant, turned, said):
        texts = {
            name: varied(REFERENCE.replace("Häuser", word), 40)
            for name, word in (("one", "Hauser"), ("two", "Hausen"), ("three", "Haus"))
        }
        study = make_study(
            TestSet([System(*pair) for pair in texts.items()], [varied(REFERENCE, 40)]), Settings(significance=QUICK)
        )
        unsure = {pair: replace(one, corrected_p_value=0.5) for pair, one in study.comparison.pairs.items()}
        first = verdict_of_study(study).systems[0]
        assert first == "one"
        chrf = study.others["chrF2"]
        pairs = {}
        for (name, other), one in chrf.pairs.items():
            sign = 1 if name == first else -1
            is_apart = first in (name, other) and {name, other} & set(significant)
            pairs[name, other] = replace(
                one,
                difference=sign * (-1 if turned and is_apart else 1) * abs(one.difference),
                corrected_p_value=0.01 if is_apart else 0.5,
            )
        tied = replace(
            study, comparison=replace(study.comparison, pairs=unsure), others={"chrF2": replace(chrf, pairs=pairs)}
        )
        found = verdict_of_study(tied)
        assert len(found.systems) == 3
        assert dict(found.agreement)["chrF2"] == said

    def test_the_contradiction_names_what_each_metric_prefers_and_what_it_rewards(self, disputed):
        lead, why = disagreement(disputed.evaluation, opinions_of(disputed)).text.markdown().split("\n\n")
        assert lead == (
            "Metrics contradict each other: BLEU prefers **phrases**, chrF2 prefers **endings**, each significantly."
        )
        assert why.startswith("BLEU rewards longer matches of whole words")

    def test_a_report_shows_what_each_metric_says(self, disputed):
        written = markdown_report(make_report(disputed, findings=()))
        assert "chrF2 disagrees" in written.split("## Result\n\n")[1]
        assert "### By metric" in written

    def test_names_of_users_are_written_as_they_are(self):
        systems = [System("<b>*x*</b>", varied(PHRASES)), System("y", varied(ENDINGS))]
        study = make_study(TestSet(systems, [varied(REFERENCE)]), Settings(significance=QUICK))
        (said,) = disagreements(study.evaluation, study.comparison, study.others, study.measured_against)
        assert "<bdi><strong>&lt;b&gt;*x*&lt;/b&gt;</strong></bdi>" in said.lead.__html__()
        assert "<b>*x*</b>" in str(said)

    def test_systems_in_dispute_beside_the_best_are_named(self):
        systems = [
            System("endings", varied(ENDINGS)),
            System("best", varied(REFERENCE)),
            System("phrases", varied(PHRASES)),
        ]
        study = make_study(TestSet(systems, [varied(REFERENCE)]), Settings(significance=QUICK))
        said = disagreements(study.evaluation, study.comparison, study.others, "endings")
        assert [str(one) for one in said] == ["Against endings, metrics contradict each other about phrases."]


class TestSegments:
    def test_those_that_metrics_pull_apart_are_named(self):
        n = 30
        systems = [
            System("phrases", [*varied(PHRASES, n), GREEK]),
            System("endings", [*varied(ENDINGS, n), GREEK]),
        ]
        study = make_study(TestSet(systems, [[*varied(REFERENCE, n), REFERENCE]]), Settings(significance=QUICK))
        parting = parting_segments(study.evaluation, study.pair, study.evaluation.metrics["chrF2"])
        assert (parting[:n] > 0).all()
        assert parting[n] == 0
        assert "disagree most in segments " in str(disagreement(study.evaluation, opinions_of(study)))

    def test_a_segment_that_pulls_the_other_way_round_comes_last(self):
        systems = [
            System("a", [PHRASES, PHRASES, ENDINGS, REFERENCE]),
            System("b", [ENDINGS, ENDINGS, PHRASES, REFERENCE]),
        ]
        evaluation = evaluate(TestSet(systems, [[REFERENCE] * 4]), metrics=[ChrfOptions()])
        first, second = (
            attribute(*(one.systems[name].counts for name in "ab"), one.options) for one in evaluation.metrics.values()
        )
        assert np.sign(opposed_parts(first, second)).tolist() == [1, 1, -1, 0]
        assert opposed_parts(first, second) == pytest.approx(opposed_parts(second, first))


class TestSheet:
    def test_it_has_a_row_for_each_metric_and_says_whether_they_disagree(self, disputed):
        sheet = opinions_sheet(disputed, opinions_of(disputed))
        assert sheet.frame["metric"].tolist() == ["BLEU ↑", "chrF2 ↑"]
        assert sheet.frame["ahead"].tolist() == ["phrases", "endings"]
        assert sheet.frame["significant"].tolist() == [True, True]
        assert sheet.facts["metrics_disagree"] is True
