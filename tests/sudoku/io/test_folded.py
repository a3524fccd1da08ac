"""Boards on lines of any length, and the drawings of old programs below a banner."""

import io
import random

import pytest

from dlx_numba.sudoku.io.read import read_records
from tests.helpers.examples import EASY
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def read(text, **options):
    """Return the boards in a text, their lines, and the number of bad records."""
    chunks = list(read_records(io.BytesIO(text.encode()), **options))
    boards = ["".join(map(str, board)) for chunk in chunks for board in chunk.boards]
    lines = [int(line) for chunk in chunks for line in chunk.lines]
    return boards, lines, sum(len(chunk.bad) for chunk in chunks)


@pytest.mark.parametrize("empty", [".", "0", "_"])
@pytest.mark.parametrize("space", ["", " ", "\t"])
def test_a_board_may_be_folded_at_any_width(empty, space):
    board = EASY.replace(".", empty)
    for width in range(1, 82):
        rows = [board[k : k + width] for k in range(0, 81, width)]
        for end in ("\n", space + "\n", "\n\n"):
            text = "# a board\n\n" + "".join(space.join(row) + end for row in rows)
            boards, lines, n_bad = read(text)
            assert (boards, n_bad) == ([EASY.replace(".", "0")], 0), (width, end)
            assert lines == [3]


@pytest.mark.parametrize("seed", [*seeds(200)])
def test_lines_may_have_unequal_lengths(seed):
    rng = random.Random(seed)
    cuts = sorted(rng.sample(range(1, 81), rng.randint(1, 80)))
    board = EASY.replace(".", rng.choice(".0*x"))
    parts = [board[a:b] for a, b in zip([0, *cuts], [*cuts, 81], strict=True)]
    text = "\n".join(rng.choice(["", " "]).join(part) for part in parts)
    boards, _, n_bad = read(text + rng.choice(["", "\n"]))
    assert (boards, n_bad) == ([EASY.replace(".", "0")], 0)


def test_other_numbers_of_symbols_are_no_board():
    for text in (EASY[:40] + "\n" + EASY[40:80], EASY[:40] + "\n" + EASY[40:] + "1"):
        boards, _, n_bad = read(f"{text}\n{SOLVED}\n")
        assert EASY.replace(".", "0") not in boards
        assert n_bad


def test_other_blanks_may_be_folded():
    board = EASY.replace(".", "#")
    assert read(board[:27] + "\n" + board[27:], blank="#")[0] == [EASY.replace(".", "0")]


def draw(board, banner):
    """Return a board as old programs draw it."""
    rows = [board[k : k + 9] for k in range(0, 81, 9)]
    drawn = ["".join(" ".join(row[k : k + 3]) + "|" for k in (0, 3, 6)) for row in rows]
    rule = "-" * 18
    return "\n".join([*banner, *drawn[:3], rule, *drawn[3:6], rule, *drawn[6:], rule, ""])


BANNER = ["Sudoku Solver 1.2 (C) 2006", "==========================", "", "Result 1:"]


@pytest.mark.parametrize("banner", [[], BANNER, ["Solved in 3 ms"]])
def test_drawings_of_old_programs_are_read_and_verified(banner, tmp_path):
    path = tmp_path / "old.txt"
    path.write_text(draw(SOLVED, banner))
    assert read(path.read_text()) == ([SOLVED], [1 + len(banner)], 0)
    for kind in ([], ["--kind", "sudoku"]):
        assert invoke("solve", *kind, path)[0] == f"{SOLVED}\n"
        assert invoke("verify", *kind, path)[0] == "a cover\n"
    puzzle = SOLVED[:9].ljust(81, ".")
    assert invoke("verify", puzzle, path)[0] == "a cover\n"
    out, _ = invoke("verify", puzzle[::-1], path, status=1)
    assert "the solution in the file contradicts a given\n" in out
    path.write_text(draw(SOLVED.replace("5346", "5546"), banner))
    out, _ = invoke("verify", "--kind", "sudoku", path, status=1)
    assert out == "two 5s in row 1\n"


def test_several_drawings_have_banners():
    text = draw(SOLVED, BANNER) + draw(SOLVED, ["Result 2:"])
    boards, _, n_bad = read(text)
    assert (boards, n_bad) == ([SOLVED, SOLVED], 0)


def test_text_inside_a_drawing_is_an_error():
    lines = draw(SOLVED, BANNER).split("\n")
    lines.insert(8, "an advertisement")
    assert read("\n".join(lines))[2] > 0


def test_remarks_beside_drawings_are_kept():
    text = draw(EASY, ["Difficulty: Easy"])
    [chunk] = read_records(io.BytesIO(text.encode()))
    assert not chunk.bad
