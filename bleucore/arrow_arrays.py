"""Whole numbers from numpy to Arrow and back, on the same memory, and the distinct values of an array.

``pyarrow.array``, ``pyarrow.scalar`` and ``Array.to_numpy`` import pandas, which takes longer than all else of a score.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

try:
    from pyarrow._compute import call_function
except ImportError:  # no public name, so it may go
    from pyarrow.compute import call_function


def as_arrow(numbers: NDArray[np.signedinteger[Any]]) -> pa.Array:
    """Whole numbers (n,) that lie side by side, as an Arrow array."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, pa.py_buffer(numbers)])


def as_numpy(numbers: pa.Array) -> NDArray[Any]:
    """Whole numbers of an Arrow array without nulls, (n,), read-only."""
    return np.from_dlpack(numbers)


def dictionary_encoded(array: pa.Array) -> pa.DictionaryArray:
    """The distinct values of an array, and which of them each value is.

    ``Array.dictionary_encode`` imports ``pyarrow.compute`` for that, which first wraps all functions of Arrow:
    an eighth of the time of a command that scores one system.
    """
    return call_function("dictionary_encode", [array])
