"""The class `GenerateResult`: the puzzles that `generate` returns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...runtime.text import plural
from ..array_result import ArrayResult
from ..batch_result import MAX_SHOWN, boards_as_html, boards_as_text, format_boards
from ..board import Board
from ..box import Box


@dataclass(frozen=True, eq=False, repr=False)
class GenerateResult(ArrayResult):
    """Puzzles and their solutions; row k belongs to puzzle k.

    The result can be unpacked into its two arrays, and its length is the number of puzzles. Results
    are compared as those of `solve_batch`, and ``_replace`` works in the same way. `print` shows
    the first puzzles as strings, and notebooks show them as pictures.

    Parameters
    ----------
    puzzles : ndarray of uint8, shape (N, cells)
        The puzzles, 0 for an empty cell.
    solutions : ndarray of uint8, shape (N, cells)
        The solution of each puzzle.

    Examples
    --------
    >>> from dlx_numba import generate
    >>> result = generate(3, box=(2, 2), clues=4, seed=1)
    >>> result
    <GenerateResult: 3 puzzles of 4x4 cells, 4 clues>
    >>> puzzles, solutions = result
    """

    puzzles: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    _box: Box | None = field(default=None, init=False)  # None for the standard box

    @classmethod
    def _of(
        cls, puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8], box: Box
    ) -> GenerateResult:
        result = cls(puzzles, solutions)
        vars(result).update(_box=None if box.is_standard else box)
        return result

    def strings(self) -> list[str]:
        """Return each puzzle on one line, with `.` for an empty cell.

        Returns
        -------
        list of str

        Examples
        --------
        >>> from dlx_numba import generate
        >>> [puzzle] = generate(1, box=(2, 2), clues=4, seed=1).strings()
        >>> len(puzzle), puzzle.count(".")
        (16, 12)
        """
        return format_boards(self.puzzles, self.box)

    @property
    def box(self) -> Box:
        """The shape of the boxes."""
        return self._box or Box.of_cells(self.puzzles.shape[1])

    def _summary(self) -> str:
        side = self.box.n
        text = f"{plural(len(self), 'puzzle')} of {side}x{side} cells"
        if not len(self):
            return text
        n_clues = (self.puzzles > 0).sum(axis=1)
        low, high = int(n_clues.min()), int(n_clues.max())
        return f"{text}, {low if low == high else f'{low} to {high}'} clues"

    def __repr__(self) -> str:
        return f"<GenerateResult: {self._summary()}>"

    def __str__(self) -> str:
        lines = format_boards(self.puzzles[:MAX_SHOWN], self.box)
        return boards_as_text(lines, len(self), self._summary())

    def _repr_html_(self) -> str:
        boards = [Board(puzzle, self.box) for puzzle in self.puzzles[:MAX_SHOWN]]
        return boards_as_html(boards, [""] * len(boards), len(self), self._summary())
