"""Every shape of the battery comes to the same systems and references on the page and in commands.

BLEU depends on nothing else.
"""

from dataclasses import dataclass

import pytest

import bleuscope
from bleucore.formats import assemble, guess
from bleucore.formats.several_sets import several_sets
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import load
from bleuscope.shell.uploads.dropped_files import read_dropped
from tests.dashboard.features.campaign.test_shapes_of_languages import REFUSED, WARNED, written
from tests.dashboard.file_shapes.of_languages import SHAPES

ONE_SET = [name for name, write in SHAPES.items() if name not in {*REFUSED, *WARNED} and len(write()[1].sets) == 1]


@dataclass(frozen=True)
class Dropped:
    """A file as a browser sends it."""

    name: str
    data: bytes

    def getvalue(self):
        return self.data


def view(test_set):
    """What is compared: systems by their texts, and references."""
    systems = {system.name: tuple(system.hypotheses) for system in test_set.systems}
    return systems, sorted(map(tuple, test_set.references))


def on_the_page(files):
    dropped = read_dropped([Dropped(f"drop/{name}", data) for name, data in sorted(files.items())], ())
    assert not dropped.is_blocked
    assert several_sets(dropped.columns) == ()
    return view(assemble(guess(dropped.columns).columns))


@pytest.mark.parametrize("shape", ONE_SET)
def test_a_shape_is_the_same_on_the_page_in_commands_and_in_python(shape, tmp_path):
    written(shape, tmp_path)
    found = view(bleuscope.read_test_set(str(tmp_path)))
    assert found == view(load(Inputs((str(tmp_path),))).test_set)
    assert found == on_the_page(SHAPES[shape]()[0])
