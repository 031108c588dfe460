"""A push reads the same outputs and references from a drop as a page does."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore.formats import assemble, guess, read
from bleucore.formats.several_sets import SeveralSetsError, several_sets
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.projects.pushed_texts import read_pushed
from tests.dashboard.generated_drops import LAYOUTS, drawn, sets_of, several, view, written


def as_pushed(folder):
    """The texts of outputs by their names, and the references that go with them."""
    outputs, told = read_pushed(Inputs((str(folder),)))
    return {one.name: tuple(one.segments) for one in outputs}, sorted(map(tuple, told.references or ()))


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS), n_references=st.integers(1, 2))
def test_a_push_is_read_as_a_drop_is(seed, layout, n_references, tmp_path_factory):
    draw = random.Random(seed)
    texts, systems = drawn(draw, draw.randint(0, 100), 12)
    files = layout(texts, systems, [texts["reference-A"], texts["reference-B"]][:n_references])
    folder = written(files, tmp_path_factory.mktemp("drop"))
    columns = [column for name, data in files.items() for column in read(name, data)]
    systems_read, references, _ = view(assemble(guess(columns).columns))
    assert as_pushed(folder) == ({name: text for name, (text, _) in systems_read.items()}, references)


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS))
def test_a_push_of_several_sets_names_the_sets_that_a_drop_has(seed, layout, tmp_path_factory):
    draw = random.Random(seed)
    _, files = several(draw, layout)
    folder = written(files, tmp_path_factory.mktemp("drop"))
    columns = [column for name, data in files.items() for column in read(name, data)]
    with pytest.raises(SeveralSetsError) as refused:
        as_pushed(folder)
    assert sets_of(refused.value) == [view(assemble(guess(one.columns).columns)) for one in several_sets(columns)]
