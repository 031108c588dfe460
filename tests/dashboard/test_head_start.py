"""What is made before the first page is asked for."""

import pytest

from bleucore import BleuOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import metrics_beside_bleu
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.analysis import head_start
from bleuscope.shell.disk.files import OPENING_VARIABLE, to_environment
from bleuscope.shell.page import scoring
from bleuscope.shell.state import cached, text_checks

TEXTS = ["die Katze sitzt auf der Matte", "猫が座る", "القطة تجلس", "one more to be scored here"]
ASKED = (BleuOptions(), metrics_beside_bleu(()))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Names so many systems on the command line and makes what the first page needs: ``opened(2)``."""

    def make(n_systems):
        paths = []
        for number in range(n_systems + 1):
            paths.append(tmp_path / f"{number}-of-{n_systems}.txt")
            paths[-1].write_text("\n".join(f"{text} {number or ''}" for text in TEXTS), encoding="utf-8")
        monkeypatch.setenv(OPENING_VARIABLE, "{}")
        inputs = Inputs(systems=tuple(map(str, paths[1:])), references=(str(paths[0]),))
        to_environment(inputs)
        head_start.make()
        return cached.opened(inputs).test_set, paths

    return make


def test_scores_tests_and_findings_are_there_before_a_page_asks_for_them(opened):
    test_set, _ = opened(2)
    assert cached.is_evaluated(test_set, *ASKED)
    evaluation = cached.evaluation(test_set, *ASKED)
    assert all(cached.comparison(test_set, one, SignificanceOptions()).is_done for one in evaluation.metrics.values())
    assert cached.text_findings(test_set).is_done


def test_what_takes_long_is_left_to_the_page_which_shows_how_far_it_is(opened):
    test_set, _ = opened(13)
    assert not cached.is_evaluated(test_set, *ASKED)


def test_many_texts_are_checked_from_then_on_without_being_waited_for(opened, monkeypatch):
    monkeypatch.setattr(text_checks, "INSTANT_TEXTS", 0)
    monkeypatch.setattr(scoring, "MANY_OUTPUTS", 1)
    test_set, _ = opened(3)
    work = cached.text_findings(test_set)
    assert work.is_under_way or work.is_done


def test_a_file_that_has_gone_is_left_to_the_page_which_says_so(opened):
    _, paths = opened(1)
    paths[0].unlink()
    head_start.make()
