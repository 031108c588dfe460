"""How pages speak of runs: of recipes, and of the steps of a training."""

import pytest

from tests.dashboard.features.runs.test_page_runs import RUNS, STEPS
from tests.page_texts import texts_of
from tests.voice import faults_of


@pytest.mark.parametrize("page", ["overview", "runs", "segments"])
@pytest.mark.parametrize("files", [RUNS, STEPS], ids=["runs", "steps"])
def test_pages_of_runs_speak_plainly(page, files, open_page, record_property):
    found = texts_of(open_page(page, files))
    record_property(f"{page} of runs", found)
    assert not faults_of(found)
