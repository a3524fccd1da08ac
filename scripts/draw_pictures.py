"""Draw the pictures of the README and the documentation into docs/images/.

    python -m scripts.draw_pictures

A picture of the gallery shows the first solution of `gallery NAME --seed 3`, the first one of
`gallery NAME` if it has a seed of its own, or the cheapest one if options have costs.
"""

import runpy
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from dlx_numba import ExactCover, solve_sudoku
from dlx_numba.cover.io.matrix import parse_matrix
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import GALLERY, Entry, Sudoku, Tilings
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.svg.board import sudoku_picture
from dlx_numba.svg.matrix import matrix_picture
from dlx_numba.svg.pieces import mosaic_picture
from dlx_numba.svg.plane import square
from tests.helpers.diagnoses import tiling

FOLDER = Path(__file__).parents[1] / "docs" / "images"
KNUTH = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"
PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEED = 3  # solutions in random order look less regular than the first ones
WINDOKU = ".4....6...6.4..8..........2.5.2...7.....4.29....7.1..67.......4.....9............"
VARIANTS: dict[str, Entry] = {
    "sudoku": Sudoku(givens=WINDOKU, windows=True),
    "tilings": Tilings("4"),
}

IMPOSSIBLE = {
    "dominoes": tiling(8, 8, "##", {(0, 0), (7, 7)}),
    "trominoes": tiling(8, 8, "###", {(0, 0)}),
    "t-tetrominoes": tiling(10, 10, "### .#."),
    "i-tetrominoes": tiling(10, 10, "####"),
    "l-tetrominoes": tiling(6, 6, "### #.."),
}


def pictures() -> dict[str, str]:
    """Return the SVG document of each picture by its path in FOLDER, without the suffix."""
    cover = ExactCover.from_matrix(parse_matrix(KNUTH))
    knuth = view_search(cover, "Knuth's example")
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
            labels=sudoku.references(),
        ),
        "tutorial/dominoes": draw_dominoes(),
        "tutorial/packing": draw_packing(),
        **{f"diagnose/{name}": draw_coloring(cover) for name, cover in IMPOSSIBLE.items()},
        "sudoku9x9": sudoku_picture("A 9×9 Sudoku, solved", PUZZLE, 3, 3, solve_sudoku(PUZZLE)),
        **{f"gallery/{name}": text for name, text in gallery_pictures().items()},
    }


def draw_dominoes() -> str:
    """Draw the matrix of the first lesson, with its first cover."""
    with redirect_stdout(None):  # what the lesson prints
        lesson = runpy.run_path(str(FOLDER.parent / "tutorial" / "dominoes.py"))
    return lesson["cover"].first().svg()


def draw_coloring(cover: ExactCover) -> str:
    """Draw the coloring that proves that a board has no tiling."""
    picture = cover.diagnose().svg()
    assert picture is not None
    return picture


def draw_packing() -> str:
    """Draw the solution of the packing puzzle."""
    rows = ("LLLLW", "LUUWW", "VUWWP", "VUUPP", "VVVPP")
    pieces = {letter: [] for letter in "LUVWP"}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            pieces[letter].append(square(r, c))
    return mosaic_picture("Five pieces fill a square box", list(pieces.items()))


def gallery_pictures() -> dict[str, str]:
    """Return the SVG document of a solution of each entry that has pictures, by its name."""
    entries = {name: VARIANTS.get(name, kind()) for name, kind in GALLERY.items()}
    drawn = {name: draw_solution(entry) for name, entry in entries.items()}
    return {name: text for name, text in drawn.items() if text is not None}


def draw_solution(entry: Entry) -> str | None:
    """Draw the cheapest solution of an entry with costs, otherwise a random one."""
    problem = entry.ordered_cover(SEED if entry.order_seed is None else entry.order_seed)
    has_costs = entry.statement().costs is not None
    solution = problem.cheapest()[0][1] if has_costs else problem.first()
    assert solution is not None
    return entry.svg(solution)


def main() -> None:
    for name, text in pictures().items():
        path = FOLDER / f"{name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
