"""Some mutations of all shapes, and some logs next to outputs; ``tests/benchmarks/mutations.py`` tries thousands."""

import pytest

from tests.benchmarks.mutations import logs, mutations

pytestmark = pytest.mark.thorough


def test_a_mutated_file_is_read_or_refused():
    assert mutations(80, seed=5) == 0


def test_no_log_becomes_a_system():
    assert logs(60, seed=5) == 0
