"""Draw the pictures of the documentation into data/pictures/.

    .venv/bin/python scripts/draw_pictures.py

The pictures of gallery problems show the first solution of
`gallery NAME PARAMETER=VALUE --seed 3`.
"""

from pathlib import Path

import numpy as np

from dlx_numba import ExactCover, solve_sudoku
from dlx_numba.cover.io.matrix import parse_matrix
from dlx_numba.explain.problem_view import view_board, view_cover
from dlx_numba.gallery import Entry, MacMahon, Polyominoes, Sudoku
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.svg.board import sudoku_picture
from dlx_numba.svg.matrix import matrix_picture

FOLDER = Path(__file__).parents[1] / "data" / "pictures"
KNUTH = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"
PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEED = 3  # the first solution without a seed looks too regular


def pictures() -> dict[str, str]:
    """Return the SVG document of each picture, by its name."""
    cover = ExactCover.from_matrix(parse_matrix(KNUTH))
    knuth = view_cover(cover, "Knuth's example")
    box = Box(2, 2)
    empty = np.zeros(box.cells, np.uint8)
    sudoku = view_board(empty, box, Alphabet("1-9A-", box.n), "The 4×4 Sudoku")
    return {
        "knuth": matrix_picture(
            "Knuth's example and its only cover",
            knuth.items,
            knuth.n_primary,
            knuth.marked_rows(),
            cover.solve()[0],
        ),
        "sudoku4x4": matrix_picture(
            "The 4×4 Sudoku as an exact cover problem",
            sudoku.items,
            sudoku.n_primary,
            sudoku.marked_rows(),
        ),
        "sudoku9x9": sudoku_picture("A 9×9 Sudoku, solved", PUZZLE, 3, 3, solve_sudoku(PUZZLE)),
        "polyominoes": _first_solution(Polyominoes()),
        "macmahon": _first_solution(MacMahon()),
        "sudoku": _first_solution(Sudoku(windows=True)),
    }


def _first_solution(entry: Entry) -> str:
    solution = entry.cover(choose="random", seed=SEED).first()
    assert solution is not None
    picture = entry.svg(solution)
    assert picture is not None
    return picture


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
