"""One drop gives the same sets and numbers on the page, in commands, in Python and as a campaign."""

import random

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuscope
from bleucore.formats import assemble, guess, read
from bleucore.formats.several_sets import SeveralSetsError, several_sets
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.sets import open_set
from bleuscope.shell.disk.files import load
from tests.dashboard.generated_drops import LAYOUTS, WITH_ONE_REFERENCE, drawn, sets_of, several, view, written


def on_the_page(files):
    columns = [column for name, data in files.items() for column in read(name, data)]
    assert several_sets(columns) == ()
    return view(assemble(guess(columns).columns))


def as_a_campaign(folder):
    return [view(open_set(planned)) for planned in plan_campaign(str(folder)).sets]


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS), n_references=st.integers(1, 2))
def test_one_drop_is_the_same_through_four_entrances(seed, layout, n_references, tmp_path_factory):
    draw = random.Random(seed)
    texts, systems = drawn(draw, draw.randint(0, 100), draw.choice([12, 40]))
    references = [texts["reference-A"], texts["reference-B"]][:n_references]
    files = layout(texts, systems, references)
    folder = written(files, tmp_path_factory.mktemp("drop"))
    found = on_the_page(files)
    assert found == view(load(Inputs((str(folder),))).test_set)
    assert found == view(bleuscope.read_test_set(str(folder)))
    assert [found] == as_a_campaign(folder)
    used = references[:1] if layout in WITH_ONE_REFERENCE else references
    assert found[1] == sorted(map(tuple, used))
    assert sorted(text for text, _ in found[0].values()) == sorted(map(tuple, systems.values()))
    for text, score in found[0].values():
        assert score == pytest.approx(sacrebleu.corpus_bleu(list(text), used).score, abs=1e-9)


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS))
def test_several_sets_in_one_drop_are_the_same_through_four_entrances(seed, layout, tmp_path_factory):
    draw = random.Random(seed)
    made, files = several(draw, layout)
    folder = written(files, tmp_path_factory.mktemp("drop"))
    columns = [column for name, data in files.items() for column in read(name, data)]
    found = [view(assemble(guess(one.columns).columns)) for one in several_sets(columns)]
    assert found == as_a_campaign(folder)
    for entrance in (lambda: load(Inputs((str(folder),))), lambda: bleuscope.read_test_set(str(folder))):
        with pytest.raises(SeveralSetsError) as refused:
            entrance()
        assert found == sets_of(refused.value)
    assert [sorted(text for text, _ in systems.values()) for systems, *_ in found] == [
        sorted(map(tuple, systems.values())) for _, systems in made.values()
    ]
