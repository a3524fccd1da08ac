"""Drawings of cells in texts: black cells, and the outlines of pieces."""

from collections.abc import Callable, Container, Iterable

from .cells import Cell

_CORNERS = " ??─?┌┐┬?└┘┴│├┤┼"  # by the sides that meet: 8 up, 4 down, 2 left, 1 right


def format_blocks(black: Container[tuple[int, int]], n_rows: int, n_columns: int) -> str:
    """Return black cells, by row and column from 0, as lines of text; a line has two rows.

    >>> print(format_blocks([(0, 0), (0, 1), (1, 1), (2, 0)], 3, 3))
    ▀█
    ▀
    """
    # The index of a character has the bit 2 if its upper cell is black, and 1 if its lower one is.
    lines = [
        "".join(" ▄▀█"[2 * ((r, c) in black) + ((r + 1, c) in black)] for c in range(n_columns))
        for r in range(0, n_rows, 2)
    ]
    return "\n".join(line.rstrip() for line in lines)


def format_outlines(
    pieces: Iterable[Iterable[Cell]], paint: Callable[[str, Cell], str] = lambda text, cell: text
) -> str:
    """Return the outlines of pieces that consist of squares, as lines of text.

    `paint` is called with the blanks inside of cells.

    >>> print(format_outlines([[(0, 0), (1, 0)], [(0, 1)]]))
    ┌───┬───┐
    │   │   │
    │   ├───┘
    │   │
    └───┘
    """
    owner = {cell: number for number, cells in enumerate(pieces) for cell in cells}
    rows = [cell[0] for cell in owner]
    columns = [cell[1] for cell in owner]
    lines = []
    # Also the row below the last one and the column after it, for the outlines there
    for r in range(min(rows, default=0), max(rows, default=-2) + 2):
        corners = ""
        sides = ""
        for c in range(min(columns), max(columns) + 2):
            # The pieces of the four cells around the upper left corner of this place; None outside
            above_left = owner.get((r - 1, c - 1))
            above = owner.get((r - 1, c))
            left = owner.get((r, c - 1))
            here = owner.get((r, c))
            # The sides that meet in this corner are outlines between different pieces.
            up = above_left != above
            down = left != here
            to_left = above_left != left
            to_right = above != here
            corner = _CORNERS[8 * up + 4 * down + 2 * to_left + to_right]
            for text in (corner, "───" if to_right else "   "):
                corners += paint(text, (r, c)) if text.isspace() and here is not None else text
            for text in ("│" if down else " ", "   "):
                sides += paint(text, (r, c)) if text.isspace() and here is not None else text
        lines += [corners.rstrip(), sides.rstrip()]
    return "\n".join(lines[:-1])  # without the sides of the row below the last one
