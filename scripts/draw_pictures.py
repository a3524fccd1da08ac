"""Draw the pictures of the README and the documentation into docs/images/.

    python -m scripts.draw_pictures

A picture of the gallery shows the first solution of `solve NAME --seed 3`, the first one of
`solve NAME` if it has a seed of its own, or the cheapest one if options have costs.
"""

import re
import runpy
from contextlib import redirect_stdout
from doctest import DocTestParser
from pathlib import Path
from typing import Any

from dlx_numba import ExactCover, example, solve_sudoku
from dlx_numba.explain.problem_view import view_search
from dlx_numba.kinds.kind import examples
from dlx_numba.kinds.puzzle import Puzzle
from dlx_numba.pictures.board import sudoku_picture
from dlx_numba.pictures.graph import Graph
from dlx_numba.pictures.matrix import matrix_picture
from dlx_numba.pictures.pieces import mosaic_picture
from dlx_numba.pictures.plane import square
from dlx_numba.pictures.timetable import Bar, Timetable
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
    knuth = view_search(cover._stated, "Knuth's example")
    sudoku = view_search(example("sudoku", box="2x2").cover()._stated, "The 4×4 Sudoku")
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
        **{f"planning/{name}": text for name, text in planning_pictures().items()},
        **{f"gallery/{name}": text for name, text in gallery_pictures().items()},
    }


def draw_dominoes() -> str:
    """Draw the matrix of the first lesson, with its first cover."""
    with redirect_stdout(None):  # what the lesson prints
        lesson = runpy.run_path(str(FOLDER.parent / "tutorial" / "dominoes.py"))
    return lesson["cover"].svg(lesson["cover"].first())


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


def planning_pictures() -> dict[str, str]:
    """Draw the plans that the page on planning finds."""
    page = (FOLDER.parent / "planning.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    found: dict[str, Any] = {}
    exec("".join(each.source for each in DocTestParser().get_examples(blocks)), found)
    people, days, slots = found["people"], found["days"], found["slots"]
    shifts = [name.split() for name in found["plan"].names]
    late = {"early": 0, "late": 1}
    roster = [
        Bar(
            people.index(who),
            begin := 2 * days.index(day) + late[shift],
            begin + 1,
            shift,
            late[shift],
        )
        for who, day, shift in shifts
    ]
    half_days = [(2 * k, day) for k, day in enumerate(days)]
    flights = found["flights"]
    crews = [
        Bar(row, 60 * departure, 60 * arrival, f"{origin}–{destination}", row)
        for row, pairing in enumerate(found["schedule"].items)
        for origin, destination, departure, arrival in map(flights.get, pairing)
    ]
    lectures = [name.split() for name in found["timetable"].names if ":" in name]
    teachers = sorted({teacher for teacher, _ in found["lectures"].values()})
    bars = [
        Bar(
            found["rooms"].index(room),
            begin := slots.index(slot),
            begin + 1,
            lecture,
            teachers.index(found["lectures"][lecture][0]),
        )
        for lecture, slot, room in lectures
    ]
    matches = found["matches"]
    pairs = tuple(matches)
    arcs = tuple((a, b) for a in pairs for b in matches[a])
    cycles = tuple(tuple(name.split("-")) for name in found["exchange"].cheapest()[0].names)
    return {
        "roster": Timetable(
            "A roster", (tuple(roster),), people, half_days, ((0, "early"), (1, "late"))
        ).svg([0]),
        "crews": Timetable("The schedule", (tuple(crews),), ("1", "2"), axes=("crew", "hour")).svg(
            [0]
        ),
        "timetable": Timetable(
            "A timetable",
            (tuple(bars),),
            found["rooms"],
            tuple(enumerate([*slots, "13:00"])),
            tuple(enumerate(teachers)),
            ("room", ""),
        ).svg([0]),
        "exchange": Graph("A kidney exchange", cycles, pairs, lines=arcs, width=0.2).svg(
            range(len(cycles))
        ),
    }


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
