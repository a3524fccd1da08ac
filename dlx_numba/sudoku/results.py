"""The results of `solve_batch` and `generate`: arrays that print, and that notebooks show."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.tables import ArrayFields, ColumnTable
from ..runtime.text import plural
from .board import Board
from .box import Box
from .io.symbols import Alphabet

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_SHOWN = 3  # boards that are shown of a batch
SHOWN_WIDTH = 240  # pixels


@dataclass(frozen=True, eq=False, repr=False)
class BoardsResult(ArrayFields, ColumnTable):
    """A result that consists of arrays with a row for each board; prints the first ones as strings.

    As for a table, the length is the number of rows, and iteration yields the columns. Subclasses
    are dataclasses, whose positional parameters are the arrays.
    """

    _box: Box | None = field(default=None, init=False)  # None for the standard box

    __match_args__: ClassVar[tuple[str, ...]]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Iterate over the arrays."""
        return (getattr(self, name) for name in self.__match_args__)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(getattr(self, self.__match_args__[0]))

    def _replace(self, **changes: Any) -> Self:
        """Return a copy in which the given arrays replace others."""
        for name in changes:
            if name not in self.__dataclass_fields__:
                raise TypeError(f"{type(self).__name__} has no array {name!r}")
        replaced = copy.copy(self)
        vars(replaced).update(changes)
        return replaced

    @property
    def box(self) -> Box:
        """The shape of the boxes."""
        return self._box or Box.of_cells(next(iter(self)).shape[1])

    @abstractmethod
    def _summary(self) -> str:
        """Return a description of all boards."""

    @abstractmethod
    def _lines(self) -> list[str]:
        """Return a line for each of the first boards."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._summary()}>"

    def __str__(self) -> str:
        lines = self._lines()
        if len(self) > len(lines):
            lines.append("…")
        return "\n".join([*lines, f"({self._summary()})"])


@dataclass(frozen=True, eq=False, repr=False)
class BatchResult(BoardsResult):
    """The result of solving a batch of N puzzles; row k belongs to puzzle k.

    The result can be unpacked into its three arrays, and its length is the number of puzzles.
    `print` shows its first boards as strings, and notebooks show them as pictures.

    Parameters
    ----------
    solutions : ndarray of uint8, shape (N, cells)
        A solution of each puzzle, any one of several; zeros if none was found.
    counts : ndarray of int64, shape (N,)
        The number of solutions found, up to the limit; -1 if the puzzle is unreadable, or
        unfinished because the call was stopped.
    nodes : ndarray of int64, shape (N,)
        The number of nodes of the search tree that were entered; the number of guesses if the
        engine is "lanes".
    errors : dict of int to str, optional
        Why puzzles are unreadable, by their indices; see the parameter `errors` of `solve_batch`.
    candidates : ndarray of bool, shape (N, cells, values), optional
        Whether each value, counted from 1, occurs in a cell in at least one solution; see the
        parameter `candidates` of `solve_batch`. None if it was not requested.

    Notes
    -----
    As for a table, the length is the number of rows, and iteration yields the columns, so that
    `solutions, counts, nodes = result` works. Results are equal if their arrays, errors, boxes and
    alphabets are equal. They are not hashable, because arrays can change. ``_replace(counts=...)``
    returns a copy with other arrays.

    Examples
    --------
    >>> from dlx_numba import solve_batch
    >>> result = solve_batch(["1..." "..3." ".4.." "...2", "1..." "1..." "...." "...."])
    >>> result
    <BatchResult: 2 puzzles, 1 solved, 1 without a solution>
    >>> solutions, counts, nodes = result
    >>> counts.tolist(), len(result)
    ([1, 0], 2)
    """

    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    errors: dict[int, str] = field(default_factory=dict, kw_only=True)
    candidates: NDArray[np.bool_] | None = field(default=None, kw_only=True)
    # The display of the boards needs the rest.
    _alphabet: str = field(default="auto", init=False)
    _first_puzzles: NDArray[np.uint8] | None = field(default=None, init=False, compare=False)

    def strings(self) -> list[str]:
        """Return each solution on one line; "" if none was found.

        The symbols are those of the argument `alphabet` of `solve_batch`; if that was "auto", 1-9
        and then letters, or numbers if the boards are larger than 25×25.

        Returns
        -------
        list of str

        Examples
        --------
        >>> from dlx_numba import solve_batch
        >>> puzzles = ["1..." "..3." ".4.." "...2", "1..." "1..." "...." "...."]
        >>> solve_batch(puzzles).strings()
        ['1324423124133142', '']
        """
        strings = format_boards(self.solutions, self.box, self._alphabet)
        is_found: list[bool] = np.any(self.solutions, axis=1).tolist()
        return [string if found else "" for string, found in zip(strings, is_found, strict=True)]

    def _columns(self) -> dict[str, Any]:
        columns = {"solution": self.strings(), "count": self.counts, "nodes": self.nodes}
        if self.errors:
            columns["error"] = [self.errors.get(row, "") for row in range(len(self))]
        return columns

    def _summary(self) -> str:
        """Return how many puzzles are solved."""
        n_solved, n_without, n_unfinished = (
            int(np.count_nonzero(mask))
            for mask in (self.counts > 0, self.counts == 0, self.counts < 0)
        )
        n_unfinished -= len(self.errors)
        parts = [plural(len(self), "puzzle"), f"{n_solved:,} solved"]
        if n_without:
            parts.append(f"{n_without:,} without a solution")
        if n_unfinished:
            parts.append(f"{n_unfinished:,} unfinished")
        if self.errors:
            parts.append(f"{len(self.errors):,} unreadable")
        return ", ".join(parts)

    def _statuses(self) -> list[str]:
        """Return the statuses of the puzzles that are shown, which stand for missing solutions."""
        return [
            "unreadable" if k in self.errors else _status(count)
            for k, count in enumerate(self.counts[:MAX_SHOWN].tolist())
        ]

    def _lines(self) -> list[str]:
        strings = self._replace(solutions=self.solutions[:MAX_SHOWN]).strings()
        return [string or status for string, status in zip(strings, self._statuses(), strict=True)]

    def _repr_html_(self) -> str:
        """Return the first boards with their solutions, or without where none is known."""
        solutions = self.solutions[:MAX_SHOWN]
        puzzles = self._first_puzzles
        is_found = solutions.any(axis=1, keepdims=True)
        # After `_replace`, the solutions may be those of other puzzles, which are not known.
        if (
            puzzles is None
            or puzzles.shape != solutions.shape
            or (is_found & (puzzles != 0) & (puzzles != solutions)).any()
        ):
            puzzles = solutions
        boards = [
            Board(values, self.box, self._alphabet, givens=puzzle)
            for values, puzzle in zip(np.where(is_found, solutions, puzzles), puzzles, strict=True)
        ]
        return boards_as_html(boards, self._statuses(), len(self), self._summary())


@dataclass(frozen=True, eq=False, repr=False)
class GenerateResult(BoardsResult):
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
    rules : list of SudokuRules, optional
        The rules of each puzzle, if the generator has placed some of them.

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
    rules: list[Any] = field(default_factory=list, kw_only=True)

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

    def _columns(self) -> dict[str, Any]:
        boards = {"puzzle": self.strings(), "solution": format_boards(self.solutions, self.box)}
        return boards | ({"rules": [each.to_json() for each in self.rules]} if self.rules else {})

    def _summary(self) -> str:
        """Return how many puzzles there are, and how many clues they have."""
        side = self.box.n
        text = f"{plural(len(self), 'puzzle')} of {side}x{side} cells"
        if not len(self):
            return text
        n_clues = (self.puzzles > 0).sum(axis=1)
        low = int(n_clues.min())
        high = int(n_clues.max())
        return f"{text}, {low if low == high else f'{low} to {high}'} clues"

    def _lines(self) -> list[str]:
        return format_boards(self.puzzles[:MAX_SHOWN], self.box)

    def _repr_html_(self) -> str:
        boards = [Board(puzzle, self.box) for puzzle in self.puzzles[:MAX_SHOWN]]
        return boards_as_html(boards, [""] * len(boards), len(self), self._summary())


def format_boards(values: NDArray[np.uint8], box: Box, alphabet: str = "auto") -> list[str]:
    """Return each board of an array (N, cells) on one line.

    >>> format_boards(np.array([[1, 0, 0, 0] * 4], np.uint8), Box(2, 2))
    ['1...1...1...1...']
    """
    symbols = Alphabet.named(alphabet, box.n)
    texts = np.ascontiguousarray(symbols.symbols_of(values))
    # Each row as one string of bytes
    rows: list[bytes] = texts.view(f"S{texts.shape[1]}").ravel().tolist()
    return [row.replace(b"\0", b"").decode() for row in rows]


def boards_as_html(
    boards: Sequence[Board], captions: Sequence[str], n_boards: int, summary: str
) -> str:
    """Return the pictures of the first boards of a batch, and a summary.

    Parameters
    ----------
    boards, captions
        The boards that are shown, and what is written below each.
    n_boards
        The number of all boards.
    summary
        A description of all boards.
    """
    from ..pictures.html import figures, paragraph  # only notebooks need HTML

    pictures = ((board.svg(), caption) for board, caption in zip(boards, captions, strict=True))
    n_more = n_boards - len(boards)
    if n_more:
        summary += f" ({n_more:,} not shown)"
    return figures(pictures, SHOWN_WIDTH) + paragraph(summary)


def _status(count: int) -> str:
    if count < 0:
        return "unfinished"
    return plural(count, "solution") if count else "no solution"
