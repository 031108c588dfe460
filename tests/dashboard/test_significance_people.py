"""What keeps apart more than chance, noticed by people, and better."""

import numpy as np
import pytest

from bleucore import System, TestSet
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.comparison.study import make_study
from bleuscope.content.paper import methods
from bleuscope.content.scores.score_sheets import systems_sheet
from bleuscope.content.scores.verdicts import study_verdict
from bleuscope.content.significance.significance_by_metric import opinions_of
from bleuscope.content.significance.significance_people import people_note, people_words
from bleuscope.content.significance.significance_sheets import opinions_sheet, pairs_sheet, people_column

QUICK = SignificanceOptions(trials=199, resamples=100)
TEXT = "о чём шумите вы народные витии зачем анафемой грозите вы"


def study_with(n_wrong, *, n=60, references=1):
    wrong = TEXT.replace("вы", "ты")
    systems = [System("first", [TEXT] * n), System("second", [wrong] * n_wrong + [TEXT] * (n - n_wrong))]
    return make_study(TestSet(systems, [[TEXT] * n] * references), Settings(significance=QUICK))


@pytest.fixture(scope="module")
def study():
    """Two systems that differ by a point or two of BLEU."""
    return study_with(2)


def test_a_size_is_set_beside_what_people_agree_with(study):
    said = people_words(study.evaluation.bleu, 1.0)
    assert said == " People agree with about 64\u00a0% of BLEU differences of this size."
    assert people_words(study.evaluation.metrics["chrF2"], -1.0).startswith(
        " People agree with about 70\u00a0% of chrF2"
    )


def test_large_differences_are_said_to_exceed_the_curve(study):
    assert people_words(study.evaluation.bleu, 6.0) == (
        " People agree with 88\u00a0% or more of BLEU differences of this size."
    )


@pytest.mark.parametrize("difference", [0.0, 0.26])
def test_nothing_is_said_of_sizes_that_are_no_better_than_a_coin(study, difference):
    assert people_words(study.evaluation.bleu, difference) == ""
    assert not people_note(study.evaluation.bleu, difference)


def test_nothing_is_said_where_there_is_no_metric_or_several_references():
    assert people_words(None, 1.0) == ""
    assert people_words(study_with(2, references=2).evaluation.bleu, 1.0) == ""


def test_the_verdict_and_the_methods_say_it_and_warn_of_systems_that_are_not_kin(study):
    written = study_verdict(study).markdown()
    assert "People agree with about" in written
    assert "a language model and a translation model" in written
    sentence = methods.methods_sentence(study)
    assert "does not make a system better: people agree with about" in sentence
    assert "Kocmi et al., 2024" in sentence
    assert "@inproceedings{kocmi-etal-2024-navigating," in methods.bibtex(study)


def test_where_nobody_knows_people_read_no_such_column(study):
    bleu = study.evaluation.bleu
    column, shares = people_column([(bleu, 0.001)])
    assert (column.for_machines, np.isnan(shares).tolist()) == (True, [True])
    column, shares = people_column([(bleu, 0.001), (bleu, 5.0)])
    assert (column.for_machines, np.isnan(shares).tolist()) == (False, [True, False])


def test_tables_have_it_beside_each_difference(study):
    bleu = study.evaluation.bleu
    difference = bleu.systems["second"].score - bleu.systems["first"].score
    wanted = bleu.agreement(difference)
    assert pairs_sheet(study.comparison, study.evaluation).frame["people_agree"].tolist() == pytest.approx([wanted])
    assert opinions_sheet(study, opinions_of(study)).frame["people_agree"][0] == pytest.approx(wanted)
    by_system = systems_sheet(study).frame.set_index("system")["people_agree"]
    assert by_system["second"] == pytest.approx(wanted)
    assert by_system.isna()["first"]
