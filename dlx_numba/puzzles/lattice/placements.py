"""The names and marks of the placements of pieces in space."""

from collections.abc import Sequence
from functools import cached_property
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from ...cover.names import as_text
from ...kernels.csr import first_equal, number_rows, row_of, sum_rows, transpose
from ...pictures.cells import Cell
from ...pictures.grid import Mark
from .solids import Points


class SolidPlacements:
    """The placements of all pieces. Their names and marks are created when they are needed.

    Parameters
    ----------
    pieces
        The names of the pieces.
    names
        The names of the cells of the result.
    placements
        For each piece, an array with the cells of each placement, increasing.
    """

    def __init__(
        self, pieces: Sequence[str], names: Sequence[Cell], placements: Sequence[Points]
    ) -> None:
        self.pieces = pieces
        self.names = names
        sizes, widths = np.array([each.shape for each in placements], np.int64).reshape(-1, 2).T
        self.piece = np.repeat(np.arange(len(sizes)), sizes)  # of each option
        self.cells = np.concatenate([np.empty(0, np.int64), *map(np.ravel, placements)])
        self.start = np.append(0, np.cumsum(np.repeat(widths, sizes)))  # of each option in `cells`

    @cached_property
    def turn(self) -> Points:
        """The number of each placement among those of the piece with the same first cell."""
        _, n_before = number_rows(self.piece, self.cells[self.start[:-1]])
        return 1 + n_before

    def number_cells(self, is_optional: NDArray[np.bool_]) -> tuple[Points, Points, Points, Points]:
        """Return the items of the cells, which follow those of the pieces.

        Parameters
        ----------
        is_optional
            Whether each cell may stay empty.

        Returns
        -------
        kept
            The cell of each of these items: of the cells that are only filled together, the first
            one. Those that may stay empty are last.
        item_of
            The item of each cell.
        indptr, numbers
            The items of each placement, as in `Problem`.
        """
        # The placements that fill each cell; the first cell that the same placements fill
        covering, begins = transpose(self.start, self.cells, len(is_optional))
        equal = first_equal(begins, covering)
        # The first of each set of equal cells, where those that must be filled come first
        order = np.argsort(is_optional, kind="stable")
        _, n_before = number_rows(equal[order])  # how many equal cells are before each one
        kept = order[n_before == 0]
        item_of, is_kept = np.zeros((2, len(is_optional)), np.int64)
        item_of[equal[kept]] = len(self.pieces) + np.arange(len(kept))
        is_kept[kept] = 1
        item_of = item_of[equal]  # equal cells have one item
        # The items of each placement are its piece, and then those of its cells that are kept.
        is_own = is_kept[self.cells]
        lengths = sum_rows(self.start, is_own)
        ends = np.cumsum(lengths)
        numbers = np.insert(item_of[self.cells[is_own > 0]], ends - lengths, self.piece)
        indptr = np.append(0, ends + np.arange(1, len(ends) + 1))
        return kept, item_of, indptr, numbers

    def name(self, option: int) -> str:
        """Return the name of an option."""
        cell = as_text(self.names[self.cells[self.start[option]]])  # the first one
        turn = f" #{self.turn[option]}" if self.turn[option] > 1 else ""
        return f"{self.pieces[self.piece[option]]} at {cell}{turn}"

    def marks(self, option: int) -> tuple[Mark, ...]:
        """Return what an option marks in the picture."""
        number, letter = divmod(int(self.piece[option]), len(ascii_letters))
        text = f"{ascii_letters[letter]}{number or ''}"
        cells = row_of(self.cells, self.start, option).tolist()
        return tuple((self.names[cell], text) for cell in cells)
