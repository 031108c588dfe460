"""References mixed up with a system."""

import random

import numpy as np
import pytest

from bleucore import evaluate
from bleucore.checks import check
from bleucore.corpus import System, TestSet

N = 80
WORDS = ["".join(random.Random(number).choices("abdefgiklmnoprstu", k=6)) for number in range(2000)]


def said(number):
    """What segment number says, in 24 words."""
    return random.Random(number).sample(WORDS, 24)


def written(seed, n_own):
    """Texts that say the same, with so many words of their own in each."""
    rng = random.Random(seed)
    texts = []
    for number in range(N):
        words = said(number)
        for place in rng.sample(range(24), n_own):
            words[place] = rng.choice(WORDS)
        texts.append(" ".join(words))
    return texts


SYSTEMS = [written(seed, 1) for seed in range(4)]
PERSON = written(9, 10)


def found(systems, references):
    test_set = TestSet([System(str(index), texts) for index, texts in enumerate(systems)], references)
    return [one for one in check(test_set) if one.check == "exchanged-references"]


@pytest.mark.parametrize("others", [[], [written(11, 10)]], ids=["one reference", "two"])
@pytest.mark.parametrize("person", [PERSON, written(9, 4)], ids=["free", "close"])
def test_a_reference_that_changed_places_with_a_system_is_named_with_it(person, others):
    (finding,) = found([*SYSTEMS[:2], person, SYSTEMS[3]], [SYSTEMS[2], *others])
    assert (finding.kind, finding.index, finding.severity) == ("reference", 0, "warning")
    assert "System '2' does not" in finding.message


def test_files_that_changed_places_cost_what_their_exchange_gains():
    others = [SYSTEMS[0], SYSTEMS[1], SYSTEMS[3]]
    (finding,) = found([*others[:2], PERSON, others[2]], [SYSTEMS[2]])
    exchanged, as_is = (
        [one.score.score for one in evaluate(TestSet(systems, [reference])).systems.values()]
        for systems, reference in (
            ([System(str(number), texts) for number, texts in enumerate(others)], PERSON),
            ([System(str(number), texts) for number, texts in enumerate(others)], SYSTEMS[2]),
        )
    )
    assert finding.cost == pytest.approx(np.median(np.subtract(exchanged, as_is)), abs=1e-9)


def test_references_in_their_place_raise_nothing_whatever_the_systems_are():
    assert found(SYSTEMS, [PERSON]) == []
    assert found([*SYSTEMS, written(12, 10)], [PERSON]) == []  # a person among the systems
    assert found([*SYSTEMS, written(12, 16)], [PERSON]) == []  # a poor system


@pytest.mark.parametrize(("n_segments", "n_found"), [(50, 1), (49, 0)])
def test_fifty_segments_are_enough_to_tell(n_segments, n_found):
    first, second, person, last, reference = (
        texts[:n_segments] for texts in (*SYSTEMS[:2], PERSON, SYSTEMS[3], SYSTEMS[2])
    )
    assert len(found([first, second, person, last], [reference])) == n_found


def test_two_systems_are_too_few_to_tell():
    assert found([PERSON, SYSTEMS[0]], [SYSTEMS[1]]) == []
