"""The shape of a Sudoku's box, from which all of its other measures follow."""

import re
from typing import NamedTuple

SMALLEST, LARGEST = 4, 25


class Box(NamedTuple):
    """A box of `rows` × `columns` cells: the board is n × n with n = rows · columns, from 4 to 25.

    >>> Box(3, 3).n, Box(3, 3).cells
    (9, 81)
    >>> str(Box(2, 3))
    '2x3'
    """

    rows: int
    columns: int

    @property
    def n(self) -> int:
        return self.rows * self.columns

    @property
    def cells(self) -> int:
        return self.n * self.n

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @classmethod
    def checked(cls, rows: int, columns: int) -> "Box":
        """A box of these measures. Raises ValueError where the board would be no Sudoku."""
        if rows < 1 or columns < 1 or not SMALLEST <= rows * columns <= LARGEST:
            raise ValueError(
                f"box {rows}x{columns}: rows times columns must be from {SMALLEST} to {LARGEST}"
            )
        return cls(rows, columns)

    @classmethod
    def parse(cls, text: str) -> "Box":
        """The box that `text` names as ROWSxCOLUMNS. Raises ValueError.

        >>> Box.parse("3x4")
        Box(rows=3, columns=4)
        """
        match = re.fullmatch(r"\s*(\d{1,2})\s*[xX×]\s*(\d{1,2})\s*", text)
        if match is None:
            raise ValueError(f"box {text!r}: expected ROWSxCOLUMNS, for example 3x3")
        return cls.checked(int(match[1]), int(match[2]))

    @classmethod
    def of_side(cls, n: int) -> "Box":
        """The usual box of an n × n board: nearest to a square, not taller than wide.

        Raises ValueError where n is out of range or prime (such a board has no box but a line).

        >>> Box.of_side(9), Box.of_side(12)
        (Box(rows=3, columns=3), Box(rows=3, columns=4))
        """
        if SMALLEST <= n <= LARGEST:
            for rows in range(int(n**0.5), 1, -1):
                if n % rows == 0:
                    return cls(rows, n // rows)
        raise ValueError(f"no usual box for a board of {n}x{n}; sides that have one: {_sides()}")

    @classmethod
    def of_cells(cls, cells: int) -> "Box":
        """The usual box of a board with that many cells. Raises ValueError.

        >>> Box.of_cells(81)
        Box(rows=3, columns=3)
        """
        n = round(cells**0.5)
        if n * n != cells:
            raise ValueError(f"{cells} cells are no square board")
        return cls.of_side(n)


def _sides() -> str:
    sides = (n for n in range(SMALLEST, LARGEST + 1) if any(n % d == 0 for d in range(2, n)))
    return ", ".join(map(str, sides))


def units(box: Box) -> list[list[int]]:
    """The cells of each row, column and box.

    >>> units(Box(2, 2))[:2], units(Box(2, 2))[-1]
    ([[0, 1, 2, 3], [4, 5, 6, 7]], [10, 11, 14, 15])
    """
    n = box.n
    rows = [[row * n + column for column in range(n)] for row in range(n)]
    columns = [list(cells) for cells in zip(*rows, strict=True)]
    boxes = [
        [(top + i) * n + left + j for i in range(box.rows) for j in range(box.columns)]
        for top in range(0, n, box.rows)
        for left in range(0, n, box.columns)
    ]
    return rows + columns + boxes
