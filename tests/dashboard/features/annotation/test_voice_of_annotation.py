"""How the pages of annotation speak before there is a task."""

import pytest

from tests.page_texts import texts_of
from tests.voice import faults_of


@pytest.mark.parametrize("page", ["annotate", "annotation_results"])
def test_pages_without_a_task_speak_plainly(page, read_page, record_property):
    found = texts_of(read_page(page))
    record_property(f"{page} without a task", found)
    assert not faults_of(found)
