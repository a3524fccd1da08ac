"""MacMahon's squares."""

from collections import Counter
from itertools import product

from ...cover.encode import Formulation
from ...pictures.areas import Mosaic
from ...pictures.board import board_cells
from ..puzzle import Puzzle

FRAME_COLOR = "a"

Edge = tuple[str, int, int]  # ("h" or "v", row, column)


def example(rows: int = 4, columns: int = 6, framed: bool = True) -> Puzzle:
    """Arrange MacMahon's 24 three-color squares so that touching edges match.

    Items: each square, by the colors of its edges in clockwise order; each cell.
    Secondary items: each edge of a cell, with its color.
    Options: a square in a cell, in one of its rotations, colors the four edges of the cell.

    Parameters
    ----------
    rows, columns
        The size of the board, whose product must be 24.
    framed
        Whether the edges at the frame must all have the color a.

    Notes
    -----
    With the frame, 4×6 has 13,328 solutions up to rotations, reflections and the exchange of b and
    c, which is an eighth of all; 3×8 and 2×12 have none.

    >>> example().cover(choose="random", seed=1).count(limit=5)
    5
    """
    if rows < 1 or rows * columns != 24:
        raise ValueError(
            f"rows times columns must be 24, for example 4 times 6, not {rows} times {columns}"
        )
    rotations = {
        "".join(sides): sorted({"".join(sides[k:] + sides[:k]) for k in range(4)})
        for sides in product("abc", repeat=4)
    }
    # A square is named by the first of its rotations.
    squares = [square for square, rotated in rotations.items() if square == rotated[0]]
    cells = board_cells(rows, columns)
    edges: dict[tuple[int, int], list[Edge]] = {  # of each cell clockwise, from the upper one on
        (r, c): [("h", r, c), ("v", r, c + 1), ("h", r + 1, c), ("v", r, c)] for r, c in cells
    }
    n_cells = Counter(edge for around in edges.values() for edge in around)  # beside each edge
    placed = [
        (square, cell, sides)
        for square in squares
        for cell in cells
        for sides in rotations[square]
        if not framed
        or all(
            side == FRAME_COLOR or n_cells[edge] == 2
            for edge, side in zip(edges[cell], sides, strict=True)
        )
    ]
    options = {
        f"{sides} at {i},{j}": [square, ("cell", i, j), *zip(edges[i, j], sides, strict=True)]
        for square, (i, j), sides in placed
    }
    items = [*squares, *(("cell", *cell) for cell in cells)]
    title = "MacMahon's squares"
    marks = [
        tuple(((i, j, side), color) for side, color in enumerate(sides))
        for _, (i, j), sides in placed
    ]
    picture = Mosaic(
        title,
        marks,
        lattice="quarters",
        blank=" ",
        separator="",
        words=((r"\w{4}", r"square \g<0>"), ("[hv],.*", "", "touching edges match")),
    )
    return Puzzle(title, Formulation(options, items, sorted(n_cells), view=picture))
