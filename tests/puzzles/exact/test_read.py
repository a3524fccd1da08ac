"""Exact cover problems in files of all formats, read and written."""

import gzip
import io
import sys

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.problem import Problem
from dlx_numba.puzzles.exact.read import FORMATS, parse_file, plain_format, read_content
from dlx_numba.puzzles.marks import find_mark
from dlx_numba.puzzles.registry import COVER_FORMATS, KINDS
from dlx_numba.runtime.errors import UnreadableError
from tests.helpers.examples import KNUTH_MATRIX

# Puzzles of other kinds, as people paste them
FOREIGN = {
    "edge matching": "7 7 8 8\n8 7 8 7\n6 7 8 7\n6 7 8 8\n",
    "bridges": "5 5\n2 - 3 - -\n- - - - -\n3 - 4 - 2\n- - - - -\n- 1 - - 2\n",
    "magnets": "4 4\n1 2 1 2\n2 1 2 1\n1 1 2 2\n3 4 5 6\n3 4 5 6\n7 7 8 8\n",
    "shingoki": "4 4\n- - b4 -\nb4 - - -\n- w2 - -\n- - - b5\n",
    "yajilin": "3 3\n1e 4s -\n- 2w -\n0n - 1w\n",
    "battleships": "4 4 2 1\n3 1 2 0\n1 2 1 2\n- - o -\n- - - -\nx - - -\n- - - -\n",
    "kakuro": "3 3\n- 5, 3,\n,4 0 0\n,4 0 0\n",
    "easy as ABC": "4 4\nA B - -\n- - C A\nA B C -\n- - - -\n",
    "letters": "A B C D\nB A D C\nC D A B\nD C B A\n",
    "words": "APPLE\nPEAR\nPLUM\n",
}
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


def test_a_text_that_does_not_say_what_it_is_is_rejected():
    for text, reason in (
        ("a b c\nb c a\n", "it could be Knuth's format, or something else"),
        ("a b | a\na\n", "in Knuth's format, 1: item 'a' appears twice"),
        ("1 2\n3 4\n", "in Knuth's format, 2: unknown item '3'"),
    ):
        with pytest.raises(ValueError, match=f"toy: the text does not .*{reason}.*--kind.*: knu"):
            parse_file(text.encode(), "toy")


def test_the_formats_are_those_that_commands_know():
    assert {*FORMATS} == {*COVER_FORMATS}
    assert not {*COVER_FORMATS} & {*KINDS}


@pytest.mark.parametrize("kind", [*FORMATS])
def test_a_text_without_content_is_no_problem(kind):
    for text in ("", "# only\n# comments\n", "\n\n"):
        with pytest.raises(ValueError, match="toy"):
            parse_file(text.encode(), "toy", kind=kind)


def test_marks_state_the_format():
    marked = {
        "mps": "* a program\nNAME a\nROWS\n N cost\n",
        "lp": "\\ a program\nminimize\n x\nsubject to\n",
        "ec": "c text\np ec 3\ns 1\n",
        "yaml": "# text\nconstraints:\n  a: b\n",
        "json": '{"items": ["a"],\n "options": []}',
    }
    for name, text in marked.items():
        assert find_mark(text, "toy") == name
    assert find_mark("min st\nmin\n", "toy") is None
    for save in (np.save, np.savez):
        file = io.BytesIO()
        save(file, MATRIX)
        assert find_mark(file.getvalue().decode("utf-8-sig", "ignore"), "toy") == "matrix"


def test_no_foreign_text_is_plainly_a_problem():
    for text in (texts := [*FOREIGN.values()]):
        assert plain_format(text) is None, text
        assert plain_format(text.partition("\n")[2]) is None, text
    assert len(texts) > 9


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
