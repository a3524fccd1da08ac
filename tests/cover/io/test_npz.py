"""Problems in `.npy` and `.npz` files, and damaged or hostile files."""

import io

import numpy as np
import pytest

from dlx_numba.cover.io.npz import parse_numpy

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


def npy_header(shape):
    file = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue()


def test_matrices_are_read():
    for data in (as_npz(), as_npy(np.array([[1, 0, 1], [0, 1, 0]]))):
        problem = parse_numpy(data)
        assert (problem.indptr.tolist(), problem.items.tolist()) == ([0, 2, 3], [0, 2, 1])
        assert problem.n_primary == 3


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
        (as_npy(np.zeros((3, 3), [("a", "i4"), ("b", "f8")])), "0 and 1"),
        (as_npy(np.array([["1", "0"]])), "0 and 1"),
        (as_npy(np.zeros(4)), "2 dimensions"),
        (npy_header((1 << 22, 1 << 22)), ""),
        (as_npy(np.eye(3))[:9], ""),
    ],
)
def test_hostile_files_are_rejected_with_their_name(data, reason):
    with pytest.raises(ValueError, match=rf"^file: .*{reason}"):
        parse_numpy(data, "file")


@pytest.mark.parametrize("data", [as_npz(), as_npy(np.eye(5, dtype=np.uint8))], ids=["npz", "npy"])
def test_damaged_files_raise_only_value_errors(data):
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 1 << position % 8
        for variant in (bytes(damaged), data[:position]):
            try:
                parse_numpy(variant, "file")
            except ValueError as error:
                assert str(error).startswith("file: ")  # noqa: PT017
