"""Content of files and pipes up to a bound, with no more memory than there is content."""

import os
from typing import BinaryIO

MAX_BYTES = 512 * 1024**2
"""Of one file; the readers of formats refuse more."""
PIECE = 2**20


def read_at_most(file: BinaryIO, most: int = MAX_BYTES + 1) -> bytes:
    """What a file holds, or the beginning of a larger one: the usual bound and one more byte show that it is too large.

    ``file.read(most)`` alone would set as much memory aside, whatever the size of the file.
    """
    asked = min(os.fstat(file.fileno()).st_size + 1, most)  # the size of a pipe is 0
    content = file.read(asked)
    if len(content) < asked:
        return content
    pieces, left = [content], most - len(content)
    while left and (piece := file.read(min(PIECE, left))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
