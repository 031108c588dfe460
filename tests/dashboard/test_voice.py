"""How the pages speak: none of the words that we do not use, and no sentence too long to be read in one go."""

import re

import pytest

from bleuscope.content.comparison.inputs import Inputs
from tests.page_texts import STATES, sentences, texts_of, words

MOST_WORDS = 25

@pytest.mark.parametrize(
    "state",
    [pytest.param(one, id=one.name, marks=[] if one.is_quick else pytest.mark.deep) for one in STATES],
)
def test_pages_speak_plainly(state, open_page, open_link, record_property):
    if state.files is not None and not state.files:
        app = open_link(state.page, Inputs(), **state.address)
    else:
        app = open_page(state.page, state.files, **state.address)
    found = texts_of(app)
    record_property(state.name, found)
