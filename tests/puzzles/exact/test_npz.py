"""Problems in `.npy` and `.npz` files, and damaged or hostile files."""

import gzip
import io

import numpy as np
import pytest

from dlx_numba.puzzles.exact import npz
from dlx_numba.puzzles.exact.npz import parse_numpy
from dlx_numba.puzzles.exact.read import read_content
from dlx_numba.runtime.errors import UnreadableError

CSR = {
    "indptr": np.array([0, 2, 3]),
    "indices": np.array([0, 2, 1]),
    "data": np.ones(3),
    "shape": np.array([2, 3]),
    "format": np.array(b"csr"),
}


def as_npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def as_npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **{**CSR, **arrays})
    return file.getvalue()


BYTE = as_npy(np.ones((1, 1), np.uint8))
HUGE = BYTE.replace(b"(1, 1), }" + 12 * b" ", b"(4194304, 4194304), }")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (as_npz(indptr=np.array(3)), "'indptr' must be one-dimensional"),
        (as_npz(indices=np.array([0.0, 2.0, 1.0])), "'indices' must be one-dimensional"),
        (as_npz(shape=np.array([2.0, np.nan])), "'shape' must be one-dimensional"),
        (as_npz(shape=np.array([2, 2**62])), "are more than the maximum of 10,000,000"),
        (as_npz(shape=np.array([3, 3])), "does not match shape"),
        (as_npz(format=np.array(b"coo")), "must have the layout 'csr'"),
        (as_npz(data=np.array([1, 2, 1])), "must be 1"),
        (as_npz(data=np.array([None, 1, 1], object)), "allow_pickle"),
        (as_npz(data=np.ones(2)), "'data' and 'indices' must be equally long"),
        (as_npz(costs=np.ones(2)), "'costs' is no part of a CSR matrix"),
        (as_npy(np.zeros((3, 3), [("a", "i4"), ("b", "f8")])), "0 and 1"),
        (as_npy(np.array([["1", "0"]])), "0 and 1"),
        (as_npy(np.zeros(4)), "2 dimensions"),
        (HUGE, ""),
        (as_npy(np.eye(3))[:9], ""),
        (as_npz()[:9], ""),
    ],
)
def test_hostile_files_are_rejected_with_their_name(data, reason):
    with pytest.raises(ValueError, match=rf"^file: .*{reason}"):
        parse_numpy(data, "file")


def test_arrays_that_are_compressed_have_a_limit(monkeypatch):
    file = io.BytesIO()
    row = {"indptr": np.array([0, 10_000]), "indices": np.arange(10_000)}
    np.savez_compressed(file, **row, shape=np.array([1, 10_000]))
    assert parse_numpy(file.getvalue()).n_options == 1
    monkeypatch.setattr(npz, "MAX_CONTENT_BYTES", 10_000)
    with pytest.raises(ValueError, match="file: larger than the limit of 10,000 bytes"):
        parse_numpy(file.getvalue(), "file")


@pytest.mark.parametrize(
    "data",
    [as_npz(), as_npy(np.eye(5, dtype=np.uint8)), gzip.compress(b"a b c\na b\nc\n" * 3, mtime=0)],
    ids=["npz", "npy", "gzip"],
)
def test_errors_in_damaged_files_state_their_name(data):
    variants = [data[:length] for length in range(0, len(data), 8)]
    for position, byte in enumerate(data):
        changed = byte ^ 1 << position % 8
        variants.append(data[:position] + bytes([changed]) + data[position + 1 :])
    for variant in variants:
        stream = io.BytesIO(variant)
        stream.name = "toy"
        try:
            read_content(stream)
        except (ValueError, UnreadableError) as error:
            assert str(error).startswith("toy:")  # noqa: PT017
