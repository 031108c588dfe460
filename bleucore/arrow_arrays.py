"""Whole numbers from numpy to Arrow and back, on the same memory.

``pyarrow.array``, ``pyarrow.scalar`` and ``Array.to_numpy`` import pandas, which takes longer than all else of a score.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def as_arrow(numbers: NDArray[np.signedinteger[Any]]) -> pa.Array:
    """Whole numbers (n,) that lie side by side, as an Arrow array."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, pa.py_buffer(numbers)])


def as_numpy(numbers: pa.Array) -> NDArray[Any]:
    """Whole numbers of an Arrow array without nulls, (n,), read-only."""
    return np.from_dlpack(numbers)
