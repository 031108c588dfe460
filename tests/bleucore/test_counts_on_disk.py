"""Counts of very large test sets lie in temporary files: they are the same, and nothing stays behind."""

import mmap
import os
import tempfile

import numpy as np
import pytest

from bleucore import System, TestSet, evaluate
from bleucore.counts import let_go, room, some_rows
from bleucore.errors import InputError
from bleucore.metrics import bleu_counts
from bleucore.options import BleuOptions

TEXTS = [f"the cat {number} sat on mat {number % 7}" for number in range(40)]
TEST_SET = TestSet([System("a", TEXTS[::-1]), System("b", TEXTS)], [TEXTS])


@pytest.fixture
def on_disk(tmp_path, monkeypatch):
    """All counts go to this folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(bleu_counts, "MOST_IN_MEMORY", 0)
    return tmp_path


def lies_in_a_file(counts):
    while isinstance(counts, np.ndarray):
        counts = counts.base
    return isinstance(counts, mmap.mmap)


def test_scores_from_disk_are_those_from_memory_and_leave_no_file(on_disk, monkeypatch):
    found = evaluate(TEST_SET)
    goes_to_disk = hasattr(os, "posix_fallocate") and hasattr(mmap, "MADV_DONTNEED")  # not on every system
    assert all(lies_in_a_file(result.counts) is goes_to_disk for result in found.systems.values())
    assert not list(on_disk.iterdir())
    monkeypatch.setattr(bleu_counts, "MOST_IN_MEMORY", 2**30)
    for name, wanted in evaluate(TEST_SET).systems.items():
        assert not lies_in_a_file(wanted.counts)
        np.testing.assert_array_equal(found.systems[name].counts, wanted.counts)
        np.testing.assert_array_equal(found.systems[name].segment_scores, wanted.segment_scores)
        assert found.systems[name].score.score == wanted.score.score


def test_an_error_leaves_no_file(on_disk):
    def refuse(_):
        raise InputError("stopped")

    with pytest.raises(InputError, match="stopped"):
        bleu_counts.statistics(TEST_SET, BleuOptions(), refuse)
    assert not list(on_disk.iterdir())


def test_counts_that_were_let_go_are_still_there(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    counts = room(3, 100_000, np.dtype(np.int64), on_disk=True)
    counts[:] = np.arange(300_000).reshape(100_000, 3)
    let_go(counts)
    assert sum(part.sum() for part in some_rows(counts)) == np.arange(300_000).sum()
    assert [len(part) for part in some_rows(counts)] == [65_536, 34_464]


def test_a_disk_without_room_means_memory(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    counts = room(3, 10, np.dtype(np.int64), on_disk=True)
    assert counts.shape == (10, 3)
    assert not lies_in_a_file(counts)
