"""`solve`: formats of input and output."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.pictures.board import sudoku_picture
from tests.helpers import DATA
from tests.helpers.pictures import parse_picture, texts_of
from tests.helpers.processes import NONE, SOLVED, UNIQUE, invoke

pytestmark = pytest.mark.compiled


def test_output_is_independent_of_the_number_of_threads():
    one = invoke("solve", "--threads", 1, DATA / "expert.txt")[0]
    for option in ("--threads", "-j", "--jobs"):
        assert invoke("solve", option, 3, DATA / "expert.txt")[0] == one


def test_other_sizes():
    six = "1....." + "." * 24 + ".....1"
    for box in ("2x3", "3x2"):
        expected = f"{dlx.solve_sudoku(six, box=box)}\n"
        assert invoke("solve", "--box", box, "-", stdin=six)[0] == expected
        grid = str(dlx.Board(six, box=box))
        assert invoke("solve", "--kind", "sudoku", "-", stdin=grid)[0] == expected


@pytest.mark.slow
def test_boards_of_numbers():
    """Each command reads what another writes; tests/sudoku/io has all sizes."""
    line, _ = invoke("solve", "-", stdin=". " * 1296)
    assert sorted(map(int, line.split())) == sorted([*range(1, 37)] * 36)
    grid, _ = invoke("solve", "-f", "grid", "-", stdin=line)
    assert invoke("show", "-", stdin=grid)[0] == grid[:-1]  # without the empty line
    for style in ("csv", "json"):
        table, _ = invoke("solve", "-f", style, "-", stdin=grid)
        assert invoke("solve", "-", stdin=table)[0] == line
    assert ">36</text>" in invoke("show", "--svg", "-", "-", stdin=table)[0]


def test_alphabet_of_numbers():
    text = "".join("16 " if cell == 0 else ". " for cell in range(256))
    assert invoke("solve", "-", stdin=text)[0][0] == "G"
    out, _ = invoke("solve", "--alphabet", "numbers", "-", stdin=text)
    assert out.startswith("16 ")
    assert sorted(map(int, out.split())) == sorted(list(range(1, 17)) * 16)
    _, err = invoke("solve", "--alphabet", "A-P", "-", stdin="36 . " * 648, status=2)
    assert "alphabet must be numbers for boards of 36x36, not 'A-P'" in err


@pytest.mark.parametrize("style", ["line", "grid", "csv", "json"])
def test_only_board_of_numbers_is_unreadable(style):
    text = "37 " + "0 " * 1295
    out, err = invoke("solve", "--kind", "sudoku", "-f", style, "-", stdin=text, status=2)
    reason = "'37' is not a number from 1 to 36"
    assert reason in out
    assert f"<stdin>: no puzzle found\n<stdin>:1: {reason}\n1 Sudoku: 1 unreadable" in err
    _, err = invoke("solve", "--kind", "sudoku", "-f", style, "-", stdin="." * 1296, status=2)
    assert "a board of 36x36 has numbers, separated by spaces or commas" in err


@pytest.mark.parametrize("style", ["line", "csv"])
def test_conflicts_of_givens_are_named(style, tmp_path):
    path = tmp_path / "puzzles"
    path.write_text(f"{UNIQUE}\n{NONE}\n" + f"1..1{'.' * 77}\n" * 30)
    out, err = invoke("solve", "-f", style, path, status=1)
    assert f"{path}:2: two 8s in row 1\n{path}:3: two 1s in row 1\n" in err
    assert err.count("two 1s in row 1") == 19
    assert "... the output of `solve` marks the rest" in err
    assert "two" not in out
    assert "two" not in invoke("solve", "--rules", "diagonals", NONE, status=1)[1]


def test_problems_are_reported_in_the_order_of_lines(tmp_path):
    path = tmp_path / "puzzles"
    path.write_text(f"{NONE}\nbad\n{UNIQUE}\n{NONE}\n{UNIQUE[1:]}\n{NONE}\n")
    _, err = invoke("solve", path, status=4)
    assert re.findall(r"^.*:(\d+): ", err, re.MULTILINE) == ["1", "2", "4", "5", "6"]


def test_absent_files_are_not_taken_for_boards():
    assert "symbol" not in invoke("solve", "..txt", "2024", status=2)[1]


@pytest.mark.parametrize("style", ["line", "grid"])
def test_picture_of_a_solved_board(style, tmp_path):
    path = tmp_path / "board.svg"
    for puzzle, solution, status in ((UNIQUE, SOLVED, 0), (NONE, None, 1)):
        out, _ = invoke("solve", "-f", style, "--svg", path, puzzle, status=status)
        assert out == invoke("solve", "-f", style, puzzle, status=status)[0]
        drawn = path.read_text(encoding="utf-8")
        assert drawn == sudoku_picture("board", puzzle, 3, 3, solution)


@pytest.mark.slow
def test_a_picture_of_several_boards_is_an_error_that_leaves_the_file(tmp_path):
    picture = tmp_path / "board.svg"
    picture.write_text("earlier")
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    for path in paths:
        path.write_text(f"{UNIQUE}\n")
    _, err = invoke("solve", "-o", picture, *paths, status=2)
    assert "--svg needs a single board" in err
    assert picture.read_text() == "earlier"


def test_sheets_have_all_solutions(tmp_path):
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{UNIQUE}\n{SOLVED[:60]:.<81}\n")
    for source, limit, n_drawn in (("queens:n=6", 3, 3), ("queens:n=6", "all", 4), (boards, 2, 3)):
        page, picture = tmp_path / "sheet.html", tmp_path / "sheet.svg"
        for path in (page, picture):
            invoke("solve", "--limit", limit, "--sheet", path, source)
        assert page.read_text().count("<figure>") == n_drawn
        root = parse_picture(picture.read_text())
        assert len(root.findall("{*}svg")) == n_drawn
    _, err = invoke("solve", "--limit", 1001, "--sheet", picture, "queens:n=12")
    assert "the sheet has the first 1,000 solutions" in err
    _, err = invoke("solve", "--sheet", "sheet.png", "queens", status=2)
    assert "--sheet needs a file named .svg or .html" in err
    _, err = invoke("solve", "--sheet", page, "--rules", "diagonals", boards, status=2)
    assert "--sheet cannot be combined with --rules" in err


def test_one_puzzle_of_a_file_is_solved_and_drawn(tmp_path):
    boards, nonograms, picture = (
        tmp_path / name for name in ("boards.txt", "a.jsonl", "solved.svg")
    )
    boards.write_text(f"{'.' * 81}\n{'?' * 7}\n{UNIQUE}\n")
    nonograms.write_text(
        '{"rows": [[1]], "columns": [[1]]}\n{"rows": [[2]], "columns": [[1], [1]]}\n'
    )
    for path, n_given in ((boards, 81), (nonograms, 3)):
        out, err = invoke("solve", "--puzzle", 2, "--svg", picture, path)
        assert "# unique" in out
        assert "1 puzzle read as" in err
        assert len(texts_of(parse_picture(picture.read_text()))) == n_given
    _, err = invoke("solve", "--puzzle", 3, boards, status=2)
    assert "boards.txt: no puzzle 3: the file contains 2 puzzles" in err
    _, err = invoke("solve", "--svg", picture, nonograms, status=2)
    assert "--svg needs a single puzzle: see --puzzle" in err


def test_the_stated_kind_overrides_boards():
    """A file of lines that are boards is an exact cover problem if people say so."""
    line = "123456789" * 9
    out, err = invoke("solve", "--kind", "cover", "-", stdin=f"{line} b\n{line}\nb\n")
    assert (out, "read as Knuth's format" in err) == (f"{line}; b\n# unique\n", True)


def test_a_puzzle_with_costs_is_checked_for_a_second_solution():
    text = '{"options": {"x": ["a"], "y": ["a"]}, "costs": [2, 1]}'
    assert invoke("solve", "-", stdin=text)[0].endswith("# cost 1, the cheapest\n")
    out, _ = invoke("solve", "--check", "-", stdin=text, status=1)
    assert out.endswith("# 2 or more solutions\n")


@pytest.mark.parametrize(
    ("command", "method"),
    [("solve", "first"), ("count --distinct row*", "count")],
)
def test_threads_of_other_puzzles_are_limited(command, method, monkeypatch):
    run, settings = getattr(dlx.ExactCover, method), []

    def noted(problem, *arguments, **keywords):
        settings.append(named_problem(problem).settings.threads)
        return run(problem, *arguments, **keywords)

    monkeypatch.setattr(dlx.ExactCover, method, noted)
    for options in ((), ("-j", 1)):
        invoke(*command.split(), *options, "queens:n=4")
    assert settings == [None, 1]
