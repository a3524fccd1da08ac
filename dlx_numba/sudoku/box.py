"""The box of a Sudoku, which determines the size of the board."""

import re
from collections.abc import Sequence
from functools import cache
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

MIN_SIDE = 4
MAX_SIDE = 64

# The sides n of boards that have a standard box; boards with a prime side have none.
SIDES = tuple(
    n for n in range(MIN_SIDE, MAX_SIDE + 1) if any(n % divisor == 0 for divisor in range(2, n))
)
SIDE_OF_CELLS = {n * n: n for n in SIDES}
BOARD_SIZES = ", ".join(f"{n * n} ({n}x{n})" for n in SIDES[:4]) + " or more"  # for messages


class Box(NamedTuple):
    """A box of `rows` × `columns` cells; the board is n × n with n = rows · columns, from 4 to 64.

    Attributes
    ----------
    rows, columns : int

    Examples
    --------
    >>> Box(3, 3).n, Box(3, 3).cells
    (9, 81)
    >>> str(Box(2, 3))
    '2x3'
    """

    rows: int
    columns: int

    @property
    def n(self) -> int:
        """The side of the board: the number of its rows, columns, boxes and values."""
        return self.rows * self.columns

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.n * self.n

    @property
    def is_standard(self) -> bool:
        """Whether this is the standard box of its boards."""
        return self in STANDARD_BOXES

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @classmethod
    def checked(cls, rows: int, columns: int) -> "Box":
        """Return the box of these dimensions.

        Parameters
        ----------
        rows, columns : int

        Returns
        -------
        Box

        Raises
        ------
        ValueError
            If the board would be too small or too large.

        Examples
        --------
        >>> Box.checked(2, 3)
        Box(rows=2, columns=3)
        """
        if rows < 1 or columns < 1 or not MIN_SIDE <= rows * columns <= MAX_SIDE:
            raise ValueError(
                f"box {rows}x{columns}: rows times columns must be from {MIN_SIDE} to {MAX_SIDE}"
            )
        return cls(rows, columns)

    @classmethod
    def parse(cls, text: str) -> "Box":
        """Return the box that a text specifies.

        Parameters
        ----------
        text : str
            The dimensions as ROWSxCOLUMNS.

        Returns
        -------
        Box

        Raises
        ------
        ValueError
            If the text has another form, or the board would be too small or too large.

        Examples
        --------
        >>> Box.parse("3x4")
        Box(rows=3, columns=4)
        """
        match = re.fullmatch(r"\s*(\d{1,2})\s*[xX×]\s*(\d{1,2})\s*", text)
        if match is None:
            raise ValueError(f"box must be ROWSxCOLUMNS, such as 2x3, not {text!r}")
        return cls.checked(int(match[1]), int(match[2]))

    @classmethod
    @cache
    def of_side(cls, n: int) -> "Box":
        """Return the standard box of an n × n board: the squarest one that is not taller than wide.

        Parameters
        ----------
        n : int
            The side of the board.

        Returns
        -------
        Box

        Raises
        ------
        ValueError
            If `n` is out of range or prime; the boxes of such a board would be lines.

        Examples
        --------
        >>> Box.of_side(9), Box.of_side(12)
        (Box(rows=3, columns=3), Box(rows=3, columns=4))
        """
        if n not in SIDES:
            sides = ", ".join(map(str, SIDES))
            raise ValueError(f"no standard box for a {n}x{n} board; sides that have one: {sides}")
        rows = next(rows for rows in range(int(n**0.5), 1, -1) if n % rows == 0)
        return cls(rows, n // rows)

    @classmethod
    def of_cells(cls, cells: int) -> "Box":
        """Return the standard box of a board.

        Parameters
        ----------
        cells : int
            The number of cells of the board.

        Returns
        -------
        Box

        Raises
        ------
        ValueError
            If there is no standard box for such a board.

        Examples
        --------
        >>> Box.of_cells(81)
        Box(rows=3, columns=3)
        """
        n = round(cells**0.5)
        if n * n != cells:
            raise ValueError(f"{cells} cells do not form a square board")
        return cls.of_side(n)


STANDARD_BOXES = frozenset(map(Box.of_side, SIDES))
BoxLike = Box | tuple[int, int] | str | None


def as_box(box: Any) -> Box | None:
    """Return the box that a caller passes. Raises ValueError if it is invalid."""
    if box is None:
        return None
    if isinstance(box, str):
        return Box.parse(box)
    is_pair = isinstance(box, tuple) and len(box) == 2 and bool not in map(type, box)
    if not is_pair or not all(isinstance(number, Integral) for number in box):
        raise ValueError(f"box must be a pair of integers or a string such as '2x3', not {box!r}")
    return Box.checked(int(box[0]), int(box[1]))


def units(box: Box, regions: Sequence[int] | None = None) -> list[list[int]]:
    """Return the cells of each row, then of each column, then of each box, or region instead.

    `regions` has the number of the region of each cell, from 0.

    Examples
    --------
    >>> units(Box(2, 2))[:2], units(Box(2, 2))[-1]
    ([[0, 1, 2, 3], [4, 5, 6, 7]], [10, 11, 14, 15])
    """
    grid = np.arange(box.cells).reshape(box.n, box.n)
    # The axes are bands, rows of a band, stacks and columns of a stack, before two are swapped. A
    # stable sort by regions lists the cells of each region, of which all have n cells.
    boxes = grid.reshape(box.columns, box.rows, box.rows, box.columns).swapaxes(1, 2)
    if regions is not None:
        boxes = np.argsort(regions, kind="stable")
    return np.concatenate([grid, grid.T, boxes.reshape(grid.shape)]).tolist()
