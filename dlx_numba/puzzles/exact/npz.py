"""Exact cover problems as arrays: dense matrices in `.npy` files, CSR matrices in `.npz` files."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cover.encode_matrix import encode_csr, encode_matrix
from ...kernels.problem import Problem
from ...runtime.errors import FormatError
from ...runtime.source import MAX_CONTENT_BYTES
from .numbered import check_count

_NPY_MAGIC = b"\x93NUMPY"
_ZIP_MAGIC = b"PK\x03\x04"
_KEYS = "indptr", "indices", "shape"  # of the arrays of a CSR matrix, as SciPy writes it
BINARY_PREFIXES = (_NPY_MAGIC, _ZIP_MAGIC)


def parse_numpy(data: bytes, source: str = "<data>") -> Problem:
    """Parse a problem from the content of a `.npy` or `.npz` file.

    Parameters
    ----------
    data : bytes
        A 0/1 matrix of shape (options, items) as written by `numpy.save`, or a CSR matrix as
        written by `scipy.sparse.save_npz`.
    source : str, optional
        Name of the data for error messages.

    Raises
    ------
    ValueError
        If the data is damaged or not a 0/1 matrix; names the source.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.save(file, [[1, 0], [0, 1]])
    >>> parse_numpy(file.getvalue()).items
    array([0, 1])
    """
    from zipfile import ZipFile  # few files are compressed

    try:
        if data.startswith(_ZIP_MAGIC):
            with ZipFile(io.BytesIO(data)) as archive:
                size = sum(entry.file_size for entry in archive.infolist())
            if size > max(len(data), MAX_CONTENT_BYTES):
                raise ValueError(f"larger than the limit of {MAX_CONTENT_BYTES:,} bytes")
        loaded = np.load(io.BytesIO(data), allow_pickle=False)
        return encode_matrix(loaded) if data.startswith(_NPY_MAGIC) else _parse_csr(dict(loaded))
    except Exception as error:  # damaged files make NumPy and zipfile raise almost any exception
        raise FormatError(source, None, str(error)) from error


def _parse_csr(arrays: dict[str, NDArray[Any]]) -> Problem:
    """Return the problem in the arrays of an `.npz` file, or raise ValueError."""
    layout = arrays.get("format", np.array("csr")).astype(str).tolist()  # SciPy stores bytes
    if layout != "csr":
        raise ValueError(f"the sparse matrix must have the layout 'csr', not {layout!r}")
    for key in _KEYS:
        if key not in arrays:
            raise ValueError(f"the array {key!r} of a CSR matrix is missing")
        if arrays[key].ndim != 1 or arrays[key].dtype.kind not in "iu":
            raise ValueError(f"the array {key!r} must be one-dimensional and contain integers")
    if unknown := arrays.keys() - {*_KEYS, "data", "format", "_is_array"}:
        raise ValueError(f"the array {min(unknown)!r} is no part of a CSR matrix")
    shape = arrays["shape"]
    indptr = arrays["indptr"]
    if shape.shape != (2,) or len(indptr) != shape[0] + 1:
        raise ValueError(f"indptr of length {len(indptr)} does not match shape {shape.tolist()}")
    if arrays.get("data", arrays["indices"]).shape != arrays["indices"].shape:
        raise ValueError("the arrays 'data' and 'indices' must be equally long")
    if not np.all(arrays.get("data", np.ones(1)) == 1):
        raise ValueError("the stored elements of the sparse matrix must be 1; see eliminate_zeros")
    n_items = int(shape[1])
    check_count(n_items, "items")
    return encode_csr(indptr, arrays["indices"], n_items)
