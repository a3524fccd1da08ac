"""The class `Board`: one Sudoku board, which prints as a grid and which notebooks show."""

from __future__ import annotations

from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..runtime.text import plural
from .box import Box, BoxLike, as_box
from .io.board import format_board, format_cells, format_grid
from .io.strings import parse_board, type_name
from .io.symbols import Alphabet


class Board:
    """A Sudoku board. Notebooks show it as a picture, and `print` as a grid.

    `solve_sudoku` and `iter_solutions` accept boards and return boards. A board is immutable.

    Parameters
    ----------
    values : str, or array_like of int of shape (n, n) or (cells,)
        The board on one line or drawn as a grid, or its values, 0 for an empty cell.
    box : Box, (int, int) or str, optional
        The rows and columns of a box, such as (2, 3) or "2x3"; None for the one that the bars of a
        drawing show, or else the standard box.
    alphabet : str, default: "auto"
        The symbols of the board, see `solve_batch`; "auto" determines those of a string.
    givens : array_like of int, optional
        The givens, if the board is the solution of a puzzle. By default, all values are givens.

    Attributes
    ----------
    values, givens : ndarray of uint8, shape (n, n)
        The values of the cells and of the givens, 0 for an empty cell.
    box : Box
        The shape of the boxes.

    Raises
    ------
    ValueError
        If the board is not valid, or `givens` do not agree with it.

    Examples
    --------
    >>> from dlx_numba import Board, solve_sudoku
    >>> board = Board("1..." "..3." ".4.." "...2")
    >>> board
    <Board of 4x4 cells: 4 givens>
    >>> print(solve_sudoku(board))
     1 3 | 2 4
     4 2 | 3 1
    -----|-----
     2 4 | 1 3
     3 1 | 4 2
    """

    def __init__(
        self, values: object, box: BoxLike = None, alphabet: str = "auto", *, givens: object = None
    ) -> None:
        shape = as_box(box)
        if isinstance(values, str):
            board, self._alphabet, self.box = parse_board(values, shape, alphabet)
        else:
            array = np.asarray(values)
            if array.ndim == 0 or array.dtype.kind == "O":
                raise ValueError(f"values must be a string or integers, not {type_name(values)}")
            self.box = shape or Box.of_cells(array.size)
            board = _check_values(array, self.box, "values")
            self._alphabet = Alphabet.named(alphabet, self.box.n)
        given_values = (
            board if givens is None else _check_values(np.asarray(givens), self.box, "givens")
        )
        if ((given_values != 0) & (given_values != board)).any():
            raise ValueError("the givens differ from the values of the board")
        n = self.box.n
        self.values = _frozen(board.reshape(n, n))
        self.givens = _frozen(given_values.reshape(n, n))

    def completed(self, solution: NDArray[np.uint8]) -> Board:
        """Return the board with the values of all cells; the givens remain the same.

        Parameters
        ----------
        solution : ndarray of uint8
            The values, in reading order.

        Returns
        -------
        Board
        """
        return Board(solution, self.box, self._alphabet.name, givens=self.givens)

    def string(self) -> str:
        """Return the board on one line, with `.` for an empty cell.

        Returns
        -------
        str
            A symbol for each cell, or numbers separated by spaces if the board has numbers.

        Examples
        --------
        >>> Board([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]).string()
        '1.....3..4.....2'
        """
        return format_board(self.values.ravel(), self._alphabet)

    def svg(self) -> str:
        """Return a picture of the board, in which the givens are bold.

        Returns
        -------
        str
            An SVG document.

        Examples
        --------
        >>> "A 4×4 board with 4 givens." in Board("1..." "..3." ".4.." "...2").svg()
        True
        """
        from ..pictures.board import sudoku_picture  # only notebooks need pictures

        givens, values = (
            format_cells(each.ravel(), self._alphabet) for each in (self.givens, self.values)
        )
        return sudoku_picture("Sudoku", givens, *self.box, values)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return a copy of the values, for NumPy functions; a board is immutable."""
        if copy is False:
            raise ValueError("a board cannot be an array without a copy; use its attribute values")
        return np.array(self.values, dtype)

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(content)
        self.values, self.givens = _frozen(self.values), _frozen(self.givens)  # they were copied

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        pairs = ((self.values, other.values), (self.givens, other.givens))
        return self.box == other.box and all(starmap(np.array_equal, pairs))

    def __hash__(self) -> int:
        return hash((self.box, self.values.tobytes()))

    def __str__(self) -> str:
        return format_grid(self.values.ravel(), self.box, self._alphabet)

    def __repr__(self) -> str:
        """Return the numbers of givens and of empty cells."""
        n = self.box.n
        n_givens = int(np.count_nonzero(self.givens))
        n_empty = self.box.cells - int(np.count_nonzero(self.values))
        status = ""
        if n_givens + n_empty < self.box.cells:
            status = f", {plural(n_empty, 'empty cell')}" if n_empty else ", solved"
        return f"<Board of {n}x{n} cells: {plural(n_givens, 'given')}{status}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def _frozen(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a copy that cannot be made writable."""
    return np.frombuffer(array.tobytes(), np.uint8).reshape(array.shape)


def _check_values(array: NDArray[Any], box: Box, name: str) -> NDArray[np.uint8]:
    """Return values as an array (cells,) of uint8. Raises ValueError if they are invalid."""
    if array.dtype.kind not in "iu" or array.shape not in ((box.cells,), (box.n, box.n)):
        raise ValueError(
            f"{name} must be integers of shape ({box.cells},) or ({box.n}, {box.n}), "
            f"not {array.dtype} of shape {array.shape}"
        )
    if array.min() < 0 or array.max() > box.n:
        raise ValueError(f"{name} must be in the range 0 to {box.n}")
    return array.astype(np.uint8).ravel()
