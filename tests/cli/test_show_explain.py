"""`show`, `explain` and `bench --plot` through real processes."""

import gzip
import json
import re

import pytest

from tests.helpers import DATA, INSTANCES
from tests.helpers.processes import NONE, UNIQUE, run

pytestmark = pytest.mark.processes

MATRIX = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"


@pytest.fixture
def knuth(tmp_path):
    path = tmp_path / "knuth.txt"
    path.write_text(MATRIX)
    return path


def data_of(page):
    return json.loads(re.search(r'id="record">(.*?)</script>', page, re.DOTALL)[1])


def test_show_a_matrix(knuth):
    out, err = run("show", knuth)
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


def test_show_cuts_what_is_large():
    out, _ = run("show", INSTANCES / "pent3x20.dlx")
    assert out.endswith("… 1,196 more options\n")
    assert max(map(len, out.splitlines())) <= 100
    whole, _ = run("show", "--all", INSTANCES / "pent3x20.dlx")
    assert "…" not in whole
    assert len(whole.splitlines()) > 1236


def test_show_tells_colours():
    text = "a | s\na s:red\na s:blue\n"
    out, _ = run("show", "-", stdin=text)
    assert "A: red\nB: blue\n" in out
    assert "0 | 1 | A\n" in out
    out, _ = run("show", "-", stdin=text.replace("red", "r").replace("blue", "b"))
    assert "0 | 1 | r\n1 | 1 | b\n" in out
    out, _ = run("show", "-", stdin=text.replace("red", "r").replace("blue", "1"))
    assert "B: 1\n" in out


def test_show_boards():
    out, _ = run("show", DATA / "easy.txt")
    assert out.count("-------|-------|-------") == 8
    assert out.endswith("… 196 more boards\n")
    third, _ = run("show", "--board", 3, DATA / "easy.txt")
    assert third in out
    assert "1 board" not in run("show", "--board", 200, DATA / "easy.txt")[0]
    _, err = run("show", "--board", 201, DATA / "easy.txt", status=2)
    assert "no board 201; there are 200" in err


def test_show_the_matrix_of_a_board():
    out, err = run("show", "--matrix", "--all", "-", stdin="." * 16)
    assert "64 options, 64+0 items, 256 entries" in err
    assert len(out.splitlines()) == 64 + 5
    _, err = run("show", "--matrix", "-", stdin=NONE, status=2)
    assert "givens in row 1, column 1 and in row 1, column 2 contradict each other" in err


def test_show_draws(knuth, tmp_path):
    out, _ = run("show", "--svg", tmp_path / "matrix.svg", knuth)
    assert out == ""
    assert (tmp_path / "matrix.svg").read_text(encoding="utf-8").startswith("<svg ")
    run("show", "--svg", tmp_path / "board.svg", DATA / "expert.txt")
    assert "9×9 board" in (tmp_path / "board.svg").read_text(encoding="utf-8")
    _, err = run("show", "--svg", tmp_path / "no" / "where.svg", knuth, status=2)
    assert "No such file" in err
    _, err = run("show", "--svg", knuth, knuth, status=2)
    assert "both input and output" in err
    assert knuth.read_text() == MATRIX


@pytest.mark.parametrize("words", [["show", "--all"], ["explain", "--board", 9999999, "-o", "-"]])
def test_a_file_that_breaks_off_within_its_boards_is_told(words, tmp_path):
    packed = gzip.compress((DATA / "expert.txt").read_bytes() * 200)
    path = tmp_path / "boards.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    _, err = run(*words, path, status=2)
    assert err.splitlines()[-1] == f"error: {path}: the compressed file ends too early"


def test_explain_a_matrix(knuth, tmp_path):
    path = tmp_path / "page.html"
    _, err = run("explain", knuth, "-o", path)
    assert "20 steps, 1 cover, 4 nodes, 28 updates." in err
    assert "The recording contains the complete search." in err
    page = path.read_text(encoding="utf-8")
    data = data_of(page)
    assert len(data["steps"]) == 20
    assert data["steps"][-2]["chosen"] == [3, 0, 4]
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    assert run("explain", knuth, "-o", "-")[0] == page


def test_explain_says_when_it_stops_early(tmp_path):
    path = tmp_path / "page.html"
    queens = INSTANCES / "queens8.dlx"
    _, err = run("explain", "--steps", 50, queens, "-o", path)
    assert "stopped early, after 50 steps" in err
    data = data_of(path.read_text(encoding="utf-8"))
    assert len(data["steps"]) == 50
    assert "stopped early, after 50 steps" in data["ending"]
    _, err = run("explain", "--limit", 1, queens, "-o", path)
    assert "1 cover, " in err
    assert "found the requested number of covers" in err


def test_explain_a_board(tmp_path):
    path = tmp_path / "page.html"
    _, err = run("explain", "--board", 2, DATA / "easy.txt", "-o", path)
    assert "1 cover" in err
    data = data_of(path.read_text(encoding="utf-8"))
    assert data["board"]["side"] == 9
    run("explain", "--limit", 1, "-", "-o", path, stdin=UNIQUE)
    run("explain", "--box", "3x2", "--steps", 20, "-", "-o", path, stdin="1" + "." * 35)
    assert data_of(path.read_text(encoding="utf-8"))["board"]["rows"] == 3


def test_explain_multiplicities(tmp_path):
    path = tmp_path / "page.html"
    _, err = run("explain", "--steps", 40, INSTANCES / "queendom8.mcc.dlx", "-o", path)
    assert "stopped early, after 40 steps" in err
    page = path.read_text(encoding="utf-8")
    data = data_of(page)
    assert {step["name"] for step in data["steps"]} >= {"M1", "M3", "M4", "M5", "M6", "M7"}
    assert data["arrays"]["need"][1] == 5
    assert "Algorithm M" in page
    assert "Algorithm X " not in page


def test_explain_tells_that_costs_play_no_part(tmp_path):
    path = tmp_path / "page.html"
    _, err = run("explain", INSTANCES / "queens8.cost.dlx", "-o", path)
    assert "Costs are ignored." in err
    assert "Costs are ignored." in data_of(path.read_text(encoding="utf-8"))["ending"]
    assert "Costs" not in run("explain", INSTANCES / "queens8.dlx", "-o", path)[1]


def test_explain_leftmost(knuth):
    page, _ = run("explain", "--choose", "leftmost", knuth, "-o", "-")
    assert "it is the leftmost item" in page


def test_what_cannot_be_explained(tmp_path):
    path = tmp_path / "page.html"
    cases = [
        ((INSTANCES / "pent6x10r.dlx",), "nodes are too many for a page"),
        (("--choose", "random", INSTANCES / "queens8.dlx"), "--choose must be one of"),
        (("--as", "chess", INSTANCES / "queens8.dlx"), "one of sudoku, cover"),
        (("--as", "sudoku", INSTANCES / "queens8.dlx"), "no puzzle in it"),
        (("--box", "3", DATA / "easy.txt"), "expected ROWSxCOLUMNS"),
        ((tmp_path / "nowhere",), "No such file"),
    ]
    for arguments, reason in cases:
        _, err = run("explain", *arguments, "-o", path, status=2)
        assert reason in err
        assert "Traceback" not in err
        assert not path.exists()
    run("explain", INSTANCES / "queens8.dlx", status=2)  # no page is named


def test_bench_draws(tmp_path):
    path = tmp_path / "times.svg"
    boards = ("--boards", 3, "--repeat", 1, "--solver", "dlx")
    out, _ = run("bench", *boards, "--set", DATA / "easy.txt", "--plot", path)
    assert "easy: 3 boards" in out
    assert "easy: 3 boards, dlx: " in path.read_text(encoding="utf-8")
    missing = tmp_path / "no" / "where.svg"
    out, err = run("bench", *boards, "--plot", missing, DATA / "easy.txt", status=2)
    assert "No such file" in err
    assert "easy: 3 boards" in out  # what was measured is not lost
