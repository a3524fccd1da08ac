"""The class `GenerateResult`: the puzzles that `generate` returns."""

from __future__ import annotations

from ...runtime.text import plural
from ..batch_result import MAX_SHOWN, boards_as_html, format_boards
from ..board import Board
from ..box import Box
from .stream import GeneratedBoards


class GenerateResult(GeneratedBoards):
    """Puzzles and their solutions; row k belongs to puzzle k.

    The result is a named tuple, so it can be unpacked into its two arrays. `print` shows the first
    puzzles as strings, and notebooks show them as pictures.

    Attributes
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

    _box: Box | None = None  # besides the elements of the tuple

    @classmethod
    def _of(cls, boards: GeneratedBoards, box: Box) -> GenerateResult:
        result = cls(*boards)
        result._box = box
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
        return format_boards(self.puzzles, self._shape())

    def _shape(self) -> Box:
        return self._box or Box.of_cells(self.puzzles.shape[1])

    def _summary(self) -> str:
        side = self._shape().n
        text = f"{plural(len(self.puzzles), 'puzzle')} of {side}x{side} cells"
        if not len(self.puzzles):
            return text
        n_clues = (self.puzzles > 0).sum(axis=1)
        low, high = int(n_clues.min()), int(n_clues.max())
        return f"{text}, {low if low == high else f'{low} to {high}'} clues"

    def _first(self) -> GenerateResult:
        """Return the rows that are shown."""
        return GenerateResult._of(
            GeneratedBoards(*(array[:MAX_SHOWN] for array in self)), self._shape()
        )

    def __repr__(self) -> str:
        return f"<GenerateResult: {self._summary()}>"

    def __str__(self) -> str:
        lines = self._first().strings()
        return "\n".join(
            [*lines, *["…"] * (len(self.puzzles) > len(lines)), f"({self._summary()})"]
        )

    def _repr_html_(self) -> str:
        boards = [Board(puzzle, self._shape()) for puzzle in self._first().puzzles]
        return boards_as_html(boards, [""] * len(boards), len(self.puzzles), self._summary())
