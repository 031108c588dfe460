"""What can be computed again: found, bounded, and never believed where it is damaged."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from bleuscope.workspace import open_workspace
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.cache_files import CacheFiles, DamagedError, Room
from bleuscope.workspace.counts import KeptCounts, counts_key, digest_of_columns
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.place import WorkspacePlace
from bleuscope.workspace.restoring import restore

KEY = counts_key("a", "b", "signature")


@pytest.mark.parametrize("largest", [1, 255, 256, 70_000, 2**40, -3])
def test_counts_are_found_as_they_were(tmp_path: Path, largest: int) -> None:
    """Whatever room a number needs."""
    kept = KeptCounts(CacheFiles(tmp_path, 10**6))
    counts = np.array([[0, 1, largest], [2, 3, 4]])
    assert kept.find(KEY, 2) is None
    kept.keep(KEY, counts)
    found = kept.find(KEY, 2)
    assert found is not None
    assert np.array_equal(found, counts)
    assert found.dtype == counts.dtype
    assert not found.flags.writeable


def test_fractions_are_not_kept(tmp_path: Path) -> None:
    """They would not be found as they were."""
    kept = KeptCounts(CacheFiles(tmp_path, 10**6))
    kept.keep(KEY, np.array([[0.5]]))
    assert kept.find(KEY, 1) is None


@pytest.mark.parametrize("spoil", [lambda data: data[:-1], lambda data: b"", lambda data: data[:60] + b"x" + data[61:]])
def test_what_is_damaged_is_said_once_and_gone(tmp_path: Path, spoil) -> None:
    """Cut off, empty, or changed."""
    kept = KeptCounts(CacheFiles(tmp_path, 10**6))
    kept.keep(KEY, np.arange(40).reshape(4, 10))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(DamagedError, match="what is kept is damaged"):
        kept.find(KEY, 4)
    assert kept.find(KEY, 4) is None


def test_counts_of_another_number_of_segments_are_refused(tmp_path: Path) -> None:
    """Though nothing is wrong with the file."""
    kept = KeptCounts(CacheFiles(tmp_path, 10**6))
    kept.keep(KEY, np.ones((4, 10), np.int64))
    with pytest.raises(DamagedError, match="kept counts are damaged"):
        kept.find(KEY, 3)


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    """Once there is too much."""
    caches = CacheFiles(tmp_path, 4_000)
    for number in range(3):
        caches.keep(bytes(1_000), "kind", str(number))
        os.utime(tmp_path / "kind" / str(number), (number, number))
    caches.find("kind", "0")  # which marks it
    for number in (3, 4):
        caches.keep(bytes(1_000), "kind", str(number))
    assert caches.names("kind") == {"0", "3", "4"}
    assert caches.room().n_bytes < 4_000


def test_what_was_not_used_for_long_is_pruned_and_what_is_too_much(tmp_path: Path) -> None:
    """By kinds it is told how much there is."""
    caches, a_day = CacheFiles(tmp_path, 10**6), 86_400
    assert caches.room() == caches.prune(unused_days=1, most_bytes=0) == Room(0, 0)
    for days in range(4):
        caches.keep(bytes(1_000), "ab"[days % 2], str(days))
        used_at = time.time() - days * a_day - 60
        os.utime(tmp_path / "ab"[days % 2] / str(days), (used_at, used_at))
    one = caches.room("a").n_bytes // 2
    assert (caches.room("a").n_files, caches.room()) == (2, Room(4, 4 * one))
    assert caches.prune() == Room(0, 0)
    assert caches.prune(unused_days=2, is_trial=True) == Room(2, 2 * one)
    assert caches.room().n_files == 4
    assert caches.prune(unused_days=3, most_bytes=2 * one) == Room(2, 2 * one)
    assert (caches.names("a"), caches.names("b")) == ({"0"}, {"1"})
    assert caches.prune(most_bytes=2 * one - 1) == Room(1, one)
    assert (caches.names("a"), caches.names("b")) == ({"0"}, set())


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """In a sentence, with the folder."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WorkspaceError, match=r"file: what was computed cannot be kept \(found"):
        CacheFiles(tmp_path / "file", 10).keep(b"", "a", "b")


def test_no_two_columns_have_one_digest() -> None:
    """An absent text is no empty one, and line ends of columns count."""
    columns = [[["ab"]], [["a", "b"]], [["a"], ["b"]], [["", "ab"]], [[None, "ab"]], [["ab", ""]]]
    assert len({digest_of_columns(one) for one in columns}) == len(columns)


def test_a_backup_leaves_them_behind(tmp_path: Path) -> None:
    """And what it restores has none."""
    place = WorkspacePlace(tmp_path / "workspace")
    with open_workspace(place) as workspace:
        workspace.caches.keep(b"x" * 100_000, "counts", "aa", "aaaa")
        back_up(workspace, tmp_path / "backup.tar")
    assert b"x" * 1_000 not in (tmp_path / "backup.tar").read_bytes()
    restored = WorkspacePlace(tmp_path / "restored")
    restore(restored, tmp_path / "backup.tar")
    with open_workspace(restored) as workspace:
        assert workspace.caches.room() == Room(0, 0)
