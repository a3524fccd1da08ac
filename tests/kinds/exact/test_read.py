"""Exact cover problems in files of all formats, read and written."""

import gzip
import io
import sys

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.problem import Problem
from dlx_numba.kinds.exact.read import read_content
from dlx_numba.runtime.errors import FormatError, UnreadableError
from tests.helpers.examples import KNUTH_MATRIX

MATRIX = np.array([[int(cell) for cell in row] for row in KNUTH_MATRIX], np.uint8)


def test_all_matrix_formats_contain_the_same_problem(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX)
    np.save(tmp_path / "b.npy", MATRIX.astype(bool))
    rows, columns = np.nonzero(MATRIX)
    csr = {"indptr": np.searchsorted(rows, np.arange(7)), "indices": columns}
    np.savez_compressed(tmp_path / "c.npz", **csr, shape=MATRIX.shape)
    scipy = {"data": np.ones(16), "format": b"csr", "shape": MATRIX.shape}
    np.savez(tmp_path / "d.npz", **csr, **scipy)
    text = "\n".join(KNUTH_MATRIX)
    (tmp_path / "d.txt").write_text(text)
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    for path in sorted(tmp_path.iterdir()):
        problem = read_content(path)[0].options
        assert isinstance(problem, Problem)
        assert np.array_equal(problem.indptr, csr["indptr"]), path
        assert np.array_equal(problem.items, columns), path
        assert problem.n_primary == 7


def test_the_extension_states_the_format(tmp_path):
    for name, items in (("a.txt", [0, 1]), ("a.dlx", ["1", "0"]), ("a.dlx.gz", ["1", "0"])):
        text = b"1 0\n0 1\n"
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        assert list(dlx.ExactCover.read(tmp_path / name).items) == items


def test_errors_in_a_file_of_this_extension_are_those_of_tables(tmp_path):
    (tmp_path / "a.csv").write_text("kind,name\ngate,A1,2\n")
    with pytest.raises(FormatError, match=r"a\.csv:2: .*not 'A1'|a\.csv:2: the row has 3 fields"):
        dlx.ExactCover.read(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("1,0\n0,1\n")
    assert dlx.ExactCover.read(tmp_path / "b.csv").solve() == [[0, 1]]


def test_secondary_items_can_be_chosen_for_a_matrix_file(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX)
    cover = dlx.ExactCover.read(tmp_path / "a.npy", secondary=[2, 6])
    assert cover == dlx.ExactCover.from_matrix(MATRIX, secondary=[2, 6])


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("kind", ["path", "stdin", "stream"])
def test_problems_are_read_from_paths_and_streams(compress, kind, tmp_path, monkeypatch):
    data = compress(b"\xef\xbb\xbfa b | s\na s\nb s:x\n")
    path = tmp_path / "problem"
    path.write_bytes(data)
    if kind == "stdin":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    problem, _ = read_content({"path": path, "stdin": "-", "stream": io.BytesIO(data)}[kind])
    expected = dlx.ExactCover([["a", "s"], ["b", ("s", "x")]], secondary=["s"])
    assert dlx.ExactCover(**problem._asdict()) == expected


def test_invalid_files_are_rejected_by_name(tmp_path):
    np.savez(tmp_path / "other.npz", a=MATRIX)
    (tmp_path / "broken.gz").write_bytes(gzip.compress(b"a\na\n", mtime=0)[:-9])
    for name, exception, reason in (
        ("absent", UnreadableError, "No such file"),
        ("broken.gz", UnreadableError, "ends too early"),
        ("other.npz", ValueError, "array 'indptr' of a CSR matrix is missing"),
    ):
        with pytest.raises(exception, match=f"{name}.*{reason}"):
            dlx.ExactCover.read(tmp_path / name)
