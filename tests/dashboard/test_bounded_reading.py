"""What is read of files and pipes, and what memory that takes."""

import contextlib
import os
import threading
import tracemalloc

import pytest

from bleuscope.shell.disk.bounded_reading import PIECE, read_at_most


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_a_file_within_the_bound_is_read_whole(tmp_path, size):
    (tmp_path / "file").write_bytes(b"x" * size)
    with (tmp_path / "file").open("rb") as file:
        assert read_at_most(file, 100) == b"x" * size


def test_of_a_larger_file_the_beginning_is_read(tmp_path):
    (tmp_path / "file").write_bytes(bytes(range(200)))
    with (tmp_path / "file").open("rb") as file:
        assert read_at_most(file, 100) == bytes(range(100))


@pytest.mark.parametrize(("size", "most"), [(0, 10), (3 * PIECE + 5, 4 * PIECE), (3 * PIECE + 5, 2 * PIECE + 1)])
def test_a_pipe_is_read_up_to_the_bound(size, most):
    content = os.urandom(size)
    out, into = os.pipe()

    def fill():
        with contextlib.suppress(BrokenPipeError), open(into, "wb") as end:  # noqa: PTH123  a descriptor
            end.write(content)

    filling = threading.Thread(target=fill)
    filling.start()
    with open(out, "rb") as file:  # noqa: PTH123
        found = read_at_most(file, most)
    filling.join()
    assert found == content[:most]


def test_a_file_that_grew_since_it_was_opened_is_read_whole(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"first ")
    with path.open("rb") as file, path.open("ab") as other:
        file.peek(1)
        other.write(b"second")
        other.flush()
        assert read_at_most(file) == b"first second"


def test_no_more_memory_is_set_aside_than_there_is_content(tmp_path):
    """The usual bound is half a gigabyte."""
    (tmp_path / "file").write_bytes(b"x" * 1000)
    with (tmp_path / "file").open("rb") as file:
        tracemalloc.start()
        read_at_most(file)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < PIECE
