"""Exact cover problems in files of all formats, read and written."""

import gzip
import io
import sys

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.read import read_problem
from dlx_numba.kernels.problem import Problem
from dlx_numba.runtime.errors import FormatError, UnreadableError

MATRIX = np.array([[0, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1, 0]], np.uint8)
MATRIX = np.vstack([MATRIX, [[1, 0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0, 1]]])


def test_all_matrix_formats_contain_the_same_problem(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX)
    np.save(tmp_path / "b.npy", MATRIX.astype(bool))
    rows, columns = np.nonzero(MATRIX)
    csr = {"indptr": np.searchsorted(rows, np.arange(7)), "indices": columns}
    np.savez_compressed(tmp_path / "c.npz", **csr, shape=MATRIX.shape)
    text = "".join("".join(map(str, row)) + "\n" for row in MATRIX)
    (tmp_path / "d.txt").write_text(text)
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    for path in sorted(tmp_path.iterdir()):
        cover = dlx.ExactCover.from_file(path)
        assert cover.solve() == [[0, 3, 4]], path
        assert np.array_equal(cover.to_csr()[1], np.nonzero(MATRIX)[1])
        assert isinstance(read_problem(path).options, Problem)


def test_the_extension_states_the_format(tmp_path):
    for name, items in (("a.txt", [0, 1]), ("a.dlx", ["1", "0"]), ("a.dlx.gz", ["1", "0"])):
        text = b"1 0\n0 1\n"
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        assert list(dlx.ExactCover.from_file(tmp_path / name).items) == items


def test_errors_in_a_file_of_this_extension_are_those_of_tables(tmp_path):
    (tmp_path / "a.csv").write_text("kind,name\ngate,A1,2\n")
    with pytest.raises(FormatError, match=r"a\.csv:2: .*not 'A1'|a\.csv:2: the row has 3 fields"):
        dlx.ExactCover.from_file(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("1,0\n0,1\n")
    assert dlx.ExactCover.from_file(tmp_path / "b.csv").solve() == [[0, 1]]


def test_secondary_items_can_be_chosen_for_a_matrix_file(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX)
    expected = dlx.ExactCover.from_matrix(MATRIX, secondary=[2, 6])
    cover = dlx.ExactCover.from_file(tmp_path / "a.npy", secondary=[2, 6])
    assert cover.items == expected.items
    assert cover.solve() == expected.solve()


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("kind", ["path", "stdin", "stream"])
def test_problems_are_read_from_paths_streams_and_standard_input(
    compress, kind, tmp_path, monkeypatch
):
    data = compress(b"\xef\xbb\xbfa b | s\na s\nb s:x\n")
    path = tmp_path / "problem"
    path.write_bytes(data)
    if kind == "stdin":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    problem = read_problem({"path": path, "stdin": "-", "stream": io.BytesIO(data)}[kind])
    expected = dlx.ExactCover([["a", "s"], ["b", ("s", "x")]], secondary=["s"])
    assert dlx.ExactCover(**problem._asdict()) == expected


def test_problem_with_colors_is_not_converted_to_csr():
    with pytest.raises(ValueError, match="cannot represent the colors"):
        dlx.ExactCover([["a", ("s", "x")]], secondary=["s"]).to_csr()


def test_invalid_files_are_rejected_by_name(tmp_path):
    def assert_rejected(name, exception, reason, data=None):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(exception, match=reason) as caught:
            dlx.ExactCover.from_file(tmp_path / name)
        assert name in str(caught.value)

    assert_rejected("absent", UnreadableError, "No such file")
    assert_rejected("binary", UnreadableError, "binary data, not text", b"\x00\x01\xff")
    assert_rejected(
        "broken.gz", UnreadableError, "ends too early", gzip.compress(b"a\na\n", mtime=0)[:-9]
    )
    assert_rejected("text", FormatError, "text:2: unknown item 'b'", b"a\nb\n")
    assert_rejected("x.npy", ValueError, "x.npy", b"\x93NUMPY broken")
    assert_rejected("x.npz", ValueError, "x.npz", b"PK\x03\x04 broken")
    np.savez(tmp_path / "other.npz", a=MATRIX)
    assert_rejected("other.npz", ValueError, "array 'indptr' of a CSR matrix is missing")
    costs = b'{"options": [["a"]], "costs": [1, 2]}'
    assert_rejected("costs.json", ValueError, r"costs must have shape \(1,\), not \(2,\)", costs)
