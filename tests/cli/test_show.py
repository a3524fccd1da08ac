"""`show`: matrices and boards in the terminal, and pictures."""

import gzip

import pytest

from tests.helpers import DATA, INSTANCES
from tests.helpers.processes import NONE, invoke, run

pytestmark = pytest.mark.compiled

MATRIX = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"


@pytest.fixture
def knuth(tmp_path):
    path = tmp_path / "knuth.txt"
    path.write_text(MATRIX)
    return path


def test_matrix(knuth):
    out, err = invoke("show", knuth)
    assert out == (
        "    0 1 2 3 4 5 6\n"
        "    2 2 2 3 2 2 3\n"
        "------------------\n"
        "0 | . . 1 . 1 1 .\n"
        "1 | 1 . . 1 . . 1\n"
        "2 | . 1 1 . . 1 .\n"
        "3 | 1 . . 1 . . .\n"
        "4 | . 1 . . . . 1\n"
        "5 | . . . 1 1 . 1\n"
    )
    assert "6 options, 7+0 items, 16 entries" in err


def test_large_matrix_is_cut():
    out, _ = invoke("show", INSTANCES / "pent3x20.dlx")
    assert out.endswith("… 1,196 more options\n")
    assert max(map(len, out.splitlines())) <= 100
    whole, _ = invoke("show", "--all", INSTANCES / "pent3x20.dlx")
    assert "…" not in whole
    assert len(whole.splitlines()) > 1236


def test_marks_of_colors_are_explained():
    text = "a | s\na s:red\na s:blue\n"
    out, _ = invoke("show", "-", stdin=text)
    assert "A: red\nB: blue\n" in out
    assert "0 | 1 | A\n" in out
    out, _ = invoke("show", "-", stdin=text.replace("red", "r").replace("blue", "b"))
    assert "0 | 1 | r\n1 | 1 | b\n" in out
    out, _ = invoke("show", "-", stdin=text.replace("red", "r").replace("blue", "1"))
    assert "B: 1\n" in out


def test_boards():
    out, _ = invoke("show", DATA / "easy.txt")
    assert out.count("-------|-------|-------") == 8
    assert out.endswith("… 196 more boards\n")
    third, _ = invoke("show", "--board", 3, DATA / "easy.txt")
    assert third in out
    assert "1 board" not in invoke("show", "--board", 200, DATA / "easy.txt")[0]
    _, err = invoke("show", "--board", 201, DATA / "easy.txt", status=2)
    assert "no board 201: the file contains 200 boards" in err


def test_matrix_of_a_board():
    out, err = invoke("show", "--matrix", "--all", "-", stdin="." * 16)
    assert "64 options, 64+0 items, 256 entries" in err
    assert len(out.splitlines()) == 64 + 5
    _, err = invoke("show", "--matrix", "-", stdin=NONE, status=2)
    assert "givens in row 1, column 1 and in row 1, column 2 contradict each other" in err


def test_pictures(knuth, tmp_path):
    out, _ = invoke("show", "--svg", tmp_path / "matrix.svg", knuth)
    assert out == ""
    assert (tmp_path / "matrix.svg").read_text(encoding="utf-8").startswith("<svg ")
    invoke("show", "--svg", tmp_path / "board.svg", DATA / "expert.txt")
    assert "9×9 board" in (tmp_path / "board.svg").read_text(encoding="utf-8")
    _, err = invoke("show", "--svg", tmp_path / "no" / "where.svg", knuth, status=2)
    assert "No such file" in err
    _, err = invoke("show", "--svg", knuth, knuth, status=2)
    assert "both input and output" in err
    assert knuth.read_text() == MATRIX


@pytest.mark.processes
def test_show_in_a_process(knuth):
    assert run("show", knuth) == invoke("show", knuth)


def test_truncated_file_is_reported(tmp_path):
    packed = gzip.compress((DATA / "expert.txt").read_bytes() * 200, mtime=0)
    path = tmp_path / "boards.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    for arguments in (["show", "--all"], ["explain", "--board", 9999999, "-o", "-"]):
        _, err = invoke(*arguments, path, status=2)
        assert err.splitlines()[-1] == f"error: {path}: the compressed file ends too early"
