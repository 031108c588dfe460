"""Faults planted in the sample at random are found: a small run of ``tests/benchmarks/planted_faults.py``."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bleucore.checks import CHECKS

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "planted_faults.py"
_spec = importlib.util.spec_from_file_location("planted_faults", PROGRAM)
planted_faults = importlib.util.module_from_spec(_spec)
sys.modules["planted_faults"] = planted_faults  # dataclasses look their module up
_spec.loader.exec_module(planted_faults)

ROUNDS, SEED = 4, 1
LEAST = 0.85
"""Of every single fault: its few dozens of segments say no more. ``TARGET`` is for all faults of a check together."""
FEW = 10
"""Planted segments of a fault that say too little by themselves."""

NOT_IN_THE_SAMPLE = {"partial-copies", "missing-accents"}
"""Checks that need more lines, or a language with accents: ``test_checks_columns`` and ``test_checks_oddities``."""

UNPLANTED = {
    "scored-by-words",
    "identical-systems",
    "identical-references",
    "exchanged-references",
    "transposed-references",
    "single-outputs",
    "single-segment-documents",
    "repeated-items",
}
"""Checks of whole columns or test sets that are tested by themselves."""


@pytest.fixture(scope="module")
def sample():
    return planted_faults.load(planted_faults.SAMPLE)


@pytest.mark.parametrize("check", sorted({fault.check for fault in planted_faults.FAULTS.values()} - NOT_IN_THE_SAMPLE))
@pytest.mark.thorough
def test_planted_faults_are_found_and_little_else(check, sample):
    total = planted_faults.Count()
    for name, fault in planted_faults.FAULTS.items():
        if fault.check == check:
            is_of_segments = isinstance(fault, planted_faults.InSegments)
            rounds = 1 if is_of_segments and fault.is_everywhere else ROUNDS  # a whole file has segments enough
            count = planted_faults.measure(name, sample, rounds=rounds, seed=SEED)
            if is_of_segments and count.planted < FEW and not fault.is_everywhere:
                continue
            assert count.planted >= rounds
            assert min(count.recall, count.precision) >= LEAST, (name, count.wrong)
            total += count
    assert total.recall >= planted_faults.TARGET, total.wrong
    assert total.precision >= planted_faults.TARGET, total.wrong


def test_every_check_has_a_fault_that_it_is_to_find():
    assert {fault.check for fault in planted_faults.FAULTS.values()} == set(CHECKS) - UNPLANTED


def test_what_was_flagged_before_is_false_unless_a_look_confirmed_it(sample, tmp_path):
    name = "literal"
    test_set = replace(sample, systems=[system for system in sample.systems if system.name == name])
    segments = planted_faults.observed("repetition-loops", test_set)[0].segments.tolist()
    rows = [f"sample_data\trepetition-loops\t{name}\t{segment}\tstutter" for segment in segments]
    (tmp_path / "confirmed.tsv").write_text("\n".join([*rows, f"another\tnotes\t{name}\t0\tnote"]) + "\n")
    confirmed = planted_faults.read_confirmed(tmp_path / "confirmed.tsv", "sample_data")
    assert confirmed == {("repetition-loops", name, segment) for segment in segments}

    one, other = (
        planted_faults.measure("loop", test_set, rounds=ROUNDS, seed=1, confirmed=known)
        for known in (frozenset(), confirmed)
    )
    assert one.before == other.before == other.confirmed > one.confirmed == 0
    assert one.strict_precision == one.found / (one.found + one.false + one.before)
    assert other.strict_precision == other.precision > one.strict_precision


def test_a_fault_that_no_check_looks_for_is_not_found(sample):
    typo = planted_faults.InSegments("markup", lambda place, _: place.text.replace("e", "a", 1))
    count = typo.round(sample, planted_faults.np.random.default_rng(1), [])
    assert count.planted > 0
    assert count.recall == 0
