"""Boards with words or signs in their cells."""

from collections.abc import Collection, Hashable, Sequence
from itertools import product

from ..sudoku.box import Box
from .plane import area, line, plane_picture, square, word

Cell = tuple[int, int]  # row, column


def board_cells(rows: int, columns: int, shaded: Collection[Cell] = ()) -> list[str]:
    """The elements of an empty board: the cells of `shaded`, thin lines between all, the frame."""
    across = [[(0, r), (columns, r)] for r in range(1, rows)]
    down = [[(c, 0), (c, rows)] for c in range(1, columns)]
    bands = [area([square(*cell) for cell in sorted(shaded)], class_="band")] if shaded else []
    frame = area([[(0, 0), (columns, 0), (columns, rows), (0, rows)]], class_="rule", fill="none")
    return [*bands, line([*across, *down], class_="thin"), frame]


def board_picture(
    title: str,
    description: str,
    words: Sequence[Sequence[str]],
    *,
    regions: Sequence[Sequence[Hashable]] = (),
    shaded: Collection[Cell] = (),
    given: Collection[Cell] | None = None,
    size: float = 0.5,
) -> str:
    """A board with words, as large as `size`, in its cells, by rows; "" for an empty cell.

    `regions`, if any, has that of each cell: rules stand between them. If `given` is not None,
    words in these cells are bold, and those in all others coloured.
    """
    rows, columns = len(words), len(words[0])
    elements = board_cells(rows, columns, shaded)
    if regions:
        elements.append(line(_rules(regions), class_="rule"))
    for r, c in product(range(rows), range(columns)):
        if words[r][c]:
            kind = "" if given is None else "strong" if (r, c) in given else "one"
            elements.append(word(words[r][c], (c + 0.5, r + 0.5), size, kind))
    return plane_picture(title, description, [(0, 0), (columns, rows)], elements)


def sudoku_picture(title: str, givens: str, box: Box, solution: str | None = None) -> str:
    """A Sudoku board with rules between its boxes.

    `givens` has a symbol for each cell, `.` for an empty one; `solution`, if given, fills those in.
    """
    n = box.n
    lines = range(n)
    filled = [symbol.strip(".") for symbol in solution or givens]
    given = {divmod(cell, n) for cell, symbol in enumerate(givens) if symbol != "."}
    return board_picture(
        title,
        f"A {n}×{n} board with {len(given)} givens{', solved' if solution else ''}.",
        [filled[row * n : row * n + n] for row in lines],
        regions=[[(r // box.rows, c // box.columns) for c in lines] for r in lines],
        shaded=given,
        given=given,
    )


def _rules(regions: Sequence[Sequence[Hashable]]) -> list[list[Cell]]:
    """The sides between cells of different regions, as points (right, down)."""
    cells = list(product(range(len(regions)), range(len(regions[0]))))
    flat = [[(c, r), (c + 1, r)] for r, c in cells if r and regions[r][c] != regions[r - 1][c]]
    upright = [[(c, r), (c, r + 1)] for r, c in cells if c and regions[r][c] != regions[r][c - 1]]
    return flat + upright
