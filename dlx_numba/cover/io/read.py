"""Any file of an exact cover problem, known by what is in it."""

import gzip
import io
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.errors import UnreadableError
from .json import looks_like_json, parse_json
from .knuth import KnuthProblem, parse_knuth
from .matrix import looks_like_matrix, parse_matrix
from .named import NamedProblem, SparseProblem

AnyProblem = NamedProblem | KnuthProblem | SparseProblem | NDArray[Any]

_GZIP, _NPY, _ZIP = b"\x1f\x8b", b"\x93NUMPY", b"PK\x03\x04"


def read_problem(source: str | os.PathLike[str]) -> AnyProblem:
    """The problem in a file, or on standard input (`-`), compressed by gzip or not.

    That is Knuth's text, JSON, a matrix of 0 and 1 as text or `.npy`, or the `.npz` in which
    SciPy's `save_npz` keeps a CSR matrix. An array stands for a matrix.

    Raises UnreadableError where it cannot be read at all, FormatError or ValueError, which names
    the source, where it is no problem.
    """
    return parse_problem(*read_bytes(source))


def read_bytes(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    """All that is in a file, or on standard input (`-`), and its name. Raises UnreadableError."""
    name = os.fspath(source)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UnreadableError(name, error.strerror or str(error)) from error
    return data, "<stdin>" if name == "-" else name


def parse_problem(data: bytes, name: str) -> AnyProblem:
    """The problem in a file of that content and name; raises what `read_problem` does."""
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise UnreadableError(name, str(error)) from error
    if data.startswith((_NPY, _ZIP)):
        try:
            loaded = np.load(io.BytesIO(data), allow_pickle=False)
            return loaded if data.startswith(_NPY) else _sparse(dict(loaded))
        except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
            raise ValueError(f"{name}: {error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError(name, "binary data, not text") from None
    if looks_like_json(text):
        return parse_json(text, name)
    if looks_like_matrix(text):
        return parse_matrix(text, name)
    return parse_knuth(text, name)


def _sparse(arrays: dict[str, NDArray[Any]]) -> SparseProblem:
    """The problem in the arrays of an `.npz` file. Raises ValueError where it is none."""
    kind = arrays.get("format", np.array(b"csr")).item()
    if kind not in (b"csr", "csr"):
        raise ValueError(f"the matrix is in the layout {kind!r}; a problem is in CSR")
    missing = [key for key in ("indptr", "indices", "shape") if key not in arrays]
    if missing:
        raise ValueError(f"no array {missing[0]!r} in it, as SciPy's save_npz writes for CSR")
    shape, indptr = arrays["shape"], arrays["indptr"]
    if shape.shape != (2,) or len(indptr) != shape[0] + 1:
        raise ValueError(f"an indptr of {len(indptr)} does not fit the shape {shape.tolist()}")
    if not np.all(arrays.get("data", np.ones(1)) == 1):
        raise ValueError("the matrix must hold 0 and 1, and store the 1 only")
    return SparseProblem(indptr, arrays["indices"], int(shape[1]))
