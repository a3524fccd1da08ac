"""Named arrays with a JSON header, as bytes in NumPy's `.npz` format without pickled objects.

Reading runs no code, and takes memory in proportion to the size of the content.
"""

import io
import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_COUNTER = 2**60  # the sum with a limit fits into int64
HEADER = "header"  # the name of the array that contains the header


def pack(header: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> memoryview:
    """Return a header and arrays as the content of an `.npz` file.

    Examples
    --------
    >>> header, arrays = unpack(pack({"kind": "example"}, {"a": np.arange(3)}))
    >>> header, arrays["a"].tolist()
    ({'kind': 'example'}, [0, 1, 2])
    """
    stream = io.BytesIO()
    stored = {HEADER: np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays}
    np.savez(stream, **stored)  # type: ignore[arg-type]  # allow_pickle is a keyword
    return stream.getbuffer()


def unpack(content: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays that `pack` stored.

    Raises
    ------
    ValueError
        If the content is damaged.
    """
    import zipfile  # like NumPy, only if a file is read: this takes some milliseconds

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > len(content):  # `pack` does not compress
            raise ValueError("compressed content might exhaust the memory")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = dict(stored)
        header = json.loads(arrays.pop(HEADER).tobytes())
        if not all(isinstance(each, np.ndarray) for each in arrays.values()):
            raise ValueError("content that is not an array")
        return dict(header), arrays
    except Exception:  # damaged files make NumPy and zipfile raise almost any exception
        raise ValueError("the file is damaged") from None


def check_integers(values: Any, low: int, high: int) -> NDArray[np.int64]:
    """Return a list of integers from a header, or a stored array, as an array of int64.

    Parameters
    ----------
    values
        The list, or the array.
    low, high : int
        The smallest and the largest valid integer.

    Raises
    ------
    ValueError
        If `values` is neither a list nor a one-dimensional array of valid integers.

    Examples
    --------
    >>> check_integers([0, 3], 0, 2)
    Traceback (most recent call last):
        ...
    ValueError: expected integers from 0 to 2
    """
    if isinstance(values, np.ndarray):
        is_valid = (
            values.ndim == 1
            and values.dtype.kind in "iu"  # signed or unsigned
            and not np.any((values < low) | (values > high))
        )
    else:
        is_valid = isinstance(values, list) and all(
            type(each) is int and low <= each <= high for each in values
        )
    if not is_valid:
        raise ValueError(f"expected integers from {low} to {high}")
    return np.array(values, np.int64)


def check_number(value: Any) -> float:
    """Return a finite number from a file. Raises TypeError or ValueError if it is invalid."""
    if not isfinite(value):
        raise ValueError("expected a number")
    return float(value)
