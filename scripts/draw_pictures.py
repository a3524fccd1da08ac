"""Draw the pictures of the README and the documentation into docs/images/.

    python -m scripts.draw_pictures

A picture of the gallery shows the first solution of `solve NAME --seed 3`, the first one of
`solve NAME` if it has a seed of its own, or the cheapest one if options have costs.
"""

import os
import re
import runpy
import shutil
from contextlib import redirect_stdout
from doctest import DocTestParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dlx_numba import ExactCover, example, solve_sudoku
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.problem_view import view_search
from dlx_numba.pictures.board import sudoku_picture
from dlx_numba.pictures.matrix import matrix_picture
from dlx_numba.puzzles.kind import examples
from dlx_numba.puzzles.puzzle import Puzzle
from tests.helpers.diagnoses import tiling

FOLDER = Path(__file__).parents[1] / "docs" / "images"
KNUTH = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"
PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEED = 3  # solutions in random order look less regular than the first ones
WINDOKU = ".4....6...6.4..8..........2.5.2...7.....4.29....7.1..67.......4.....9............"
VARIANTS: dict[str, Puzzle] = {
    "sudoku": example("sudoku", givens=WINDOKU, windows=True),
    "tilings": example("tilings", sizes="4"),
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
    cover = ExactCover.from_matrix([list(map(int, row)) for row in KNUTH.split()])
    knuth = view_search(named_problem(cover), "Knuth's example")
    sudoku = view_search(named_problem(example("sudoku", box="2x2").cover()), "The 4×4 Sudoku")
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
        **{f"tutorial/{name}": text for name, text in tutorial_pictures().items()},
        **{f"diagnose/{name}": draw_coloring(cover) for name, cover in IMPOSSIBLE.items()},
        "sudoku9x9": sudoku_picture("A 9×9 Sudoku, solved", PUZZLE, 3, 3, solve_sudoku(PUZZLE)),
        **{f"planning/{name}": text for name, text in planning_pictures().items()},
        **{f"gallery/{name}": text for name, text in gallery_pictures().items()},
    }


def tutorial_pictures() -> dict[str, str]:
    """Draw the solutions of lessons; of the first one, also as a matrix."""
    drawn = {}
    problems = {"packing": "puzzle", "crossword": "crossword", "timetable": "timetable"}
    for name, variable in ({"dominoes": "cover"} | problems).items():
        with redirect_stdout(None):  # what the lesson prints
            problem = runpy.run_path(str(FOLDER.parent / "tutorial" / f"{name}.py"))[variable]
        drawn[name] = problem.cheapest()[0].svg()
        if name == "dominoes":
            drawn["matrix"] = problem.replace(view="matrix").svg(problem.first())
    return drawn


def draw_coloring(cover: ExactCover) -> str:
    """Draw the coloring that proves that a board has no tiling."""
    picture = cover.diagnose().svg()
    assert picture is not None
    return picture


def planning_pictures() -> dict[str, str]:
    """Draw the plans of the page on planning: the variables with the names of its pictures.

    Other names stand for `plan`.
    """
    page = (FOLDER.parent / "planning.md").read_text(encoding="utf-8")
    part = re.compile(
        r"^```python\n(.*?)^```$|images/planning/(.*?)\.svg", re.DOTALL | re.MULTILINE
    )
    found: dict[str, Any] = {}
    drawn = {}
    with TemporaryDirectory() as folder, redirect_stdout(None):
        shutil.copytree(FOLDER.parent / "examples", folder, dirs_exist_ok=True)
        os.chdir(folder)
        for block, name in part.findall(page):
            exec("".join(each.source for each in DocTestParser().get_examples(block)), found)
            if name:
                drawn[name] = found.get(name, found["plan"]).svg()
        os.chdir(FOLDER)
    return drawn


def gallery_pictures() -> dict[str, str]:
    """Return the SVG document of a solution of each problem of the gallery, by its name."""
    puzzles = {name: create() for name, create in examples().items()} | VARIANTS
    return {name: draw_solution(puzzle) for name, puzzle in puzzles.items()}


def draw_solution(puzzle: Puzzle) -> str:
    """Draw the cheapest solution of a problem with costs, otherwise a random one."""
    seed = SEED if puzzle.order_seed is None else puzzle.order_seed
    problem = puzzle.cover(choose="random", seed=seed)
    has_costs = problem.problem.cost is not None
    solution = problem.cheapest()[0] if has_costs else problem.first()
    assert solution is not None
    return puzzle.svg(solution)


def main() -> None:
    for name, text in pictures().items():
        path = FOLDER / f"{name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
