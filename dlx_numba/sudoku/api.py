"""Sudoku by the thousand, or by the one: the library's two calls."""

import math
from collections.abc import Iterator, Sequence
from operator import index
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..jit.compile import default_threads
from ..kernels.state import UNLIMITED
from ..runtime.interrupts import Stop
from .backends import Team
from .box import Box
from .io.board import decode_board, encode_board
from .io.symbols import Alphabet, choose_alphabet
from .result import BatchResult
from .verify import check_values

BoxLike = Box | tuple[int, int] | str | None


class NoSolution(ValueError):
    """The puzzle has no solution."""


def solve_batch(
    puzzles: ArrayLike | Sequence[str],
    limit: int | None = 1,
    engine: str = "auto",
    threads: int | None = None,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    seconds: float | None = None,
) -> BatchResult:
    """Solve many Sudoku puzzles of one size.

    Parameters
    ----------
    puzzles
        Integers of shape (N, cells) or (N, n, n), 0 where a cell is empty; or N strings.
    limit
        Look for so many solutions of each puzzle: 1 solves it, 2 tells whether it is unique,
        None counts all.
    engine
        "auto" takes the fastest: "lanes" for 9×9 (many boards at once, in the lanes of vector
        registers), else "dlx", Dancing Links. For comparison: "dlx-leftmost" (the next item is
        the first, not the smallest), "naive", "very-naive", "naive-python" and
        "very-naive-python".
    threads
        How many threads to use; None takes all processors. The result is the same for any.
    box
        Rows and columns of a box, such as (2, 3) or "2x3"; None takes the usual box.
    alphabet
        The symbols of strings beyond 9×9: "1-9A-", "0-9A-" or "A-" (at 16×16: 1-9A-G, 0-9A-F,
        A-P); "auto" tells it from all puzzles together, and takes the first where both fit.
    seconds
        Stop after that time. Puzzles that are not done by then have the count -1.

    Returns
    -------
    BatchResult
        `solutions` (N, cells) uint8, `counts` (N,) int64, `nodes` (N,) int64. A puzzle whose
        givens are at odds has the count 0.

    Raises
    ------
    ValueError
        Where `puzzles` is no such array, a value is out of range, or an argument is.

    Examples
    --------
    >>> result = solve_batch(["1..." "..3." ".4.." "...2", "1..." "1..." "...." "...."], limit=2)
    >>> result.counts
    array([1, 0])
    >>> result.solutions[0].reshape(4, 4)
    array([[1, 3, 2, 4],
           [4, 2, 3, 1],
           [2, 4, 1, 3],
           [3, 1, 4, 2]], dtype=uint8)
    """
    boards, box = _boards(puzzles, _box(box), alphabet)
    limit = UNLIMITED if limit is None else min(index(limit), UNLIMITED)
    if limit < 1:
        raise ValueError(f"limit must be 1 or more, or None for all, not {limit}")
    threads = default_threads() if threads is None else index(threads)
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    threads = min(threads, max(1, len(boards)))
    with Team(engine, limit, threads, Stop(seconds)) as team:
        return team.solve(boards, box)


@overload
def solve_sudoku(puzzle: str, *, box: BoxLike = ..., alphabet: str = ...) -> str: ...
@overload
def solve_sudoku(
    puzzle: NDArray[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> NDArray[Any]: ...
@overload
def solve_sudoku(
    puzzle: Sequence[Any], *, box: BoxLike = ..., alphabet: str = ...
) -> list[Any]: ...
def solve_sudoku(puzzle: Any, *, box: BoxLike = None, alphabet: str = "auto") -> Any:
    """Solve one Sudoku puzzle: the first solution that is found.

    `puzzle` is a string (on one line, or drawn as a grid), an integer array of shape (cells,) or
    (n, n), 0 where a cell is empty, or lists of such. A string comes back as one line, an array
    as an array of the same shape and dtype, lists as lists. `box` and `alphabet` are as in
    `solve_batch`.

    Raises NoSolution where there is none, ValueError where `puzzle` is no board.

    >>> solve_sudoku("1..." "..3." ".4.." "...2")
    '1324423124133142'
    >>> solve_sudoku([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    [[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]
    """
    if isinstance(puzzle, str):
        board, found, shape = decode_board(puzzle, box=_box(box))
        if alphabet != "auto":
            found = Alphabet.named(alphabet, shape.n)
            board, _, _ = decode_board(puzzle, box=shape, alphabet=found)
        return encode_board(_solve_one(board, shape), found)
    array = np.asarray(puzzle)
    if array.dtype.kind == "U":
        raise ValueError("puzzle must be one string, or integers; solve_batch takes many strings")
    boards, shape = _boards(array.reshape(1, -1), _box(box))
    solution = _solve_one(boards[0], shape).reshape(array.shape).astype(array.dtype)
    return solution if isinstance(puzzle, np.ndarray) else solution.tolist()


def _solve_one(board: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    with Team("auto", limit=1, threads=1, stop=Stop()) as team:
        result = team.solve(board[np.newaxis], box)
    if result.counts[0] == 0:
        raise NoSolution("the puzzle has no solution")
    solution: NDArray[np.uint8] = result.solutions[0]
    return solution


def _box(box: BoxLike) -> Box | None:
    if box is None:
        return None
    if not isinstance(box, str | tuple):
        raise ValueError(f"box must be a pair or a string such as '2x3', not {box!r}")
    return Box.parse(box) if isinstance(box, str) else Box.checked(*box)


def _boards(puzzles: Any, box: Box | None, alphabet: str = "auto") -> tuple[NDArray[np.uint8], Box]:
    """The puzzles as an array (N, cells) uint8, checked, and the shape of their box."""
    if isinstance(puzzles, str):
        raise ValueError("puzzles must be many; solve_sudoku takes one")
    if isinstance(puzzles, Iterator):
        puzzles = list(puzzles)
    if isinstance(next(iter(puzzles), None), str):
        return _decoded(puzzles, box, alphabet)
    array = np.asarray(puzzles)
    if array.ndim == 1 and not len(array):  # no puzzles, and no telling of which size
        box = box or Box(3, 3)
        array = np.zeros((0, box.cells), np.uint8)
    if array.dtype.kind not in "iu":
        raise ValueError(f"puzzles must be integers or strings, not {array.dtype}")
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[1] != array.shape[2]):
        raise ValueError(f"puzzles must have the shape (N, cells) or (N, n, n), not {array.shape}")
    array = array.reshape(len(array), math.prod(array.shape[1:]))
    box = box or Box.of_cells(array.shape[1])
    if array.shape[1] != box.cells:
        raise ValueError(f"a board of box {box} has {box.cells} cells, not {array.shape[1]}")
    if array.dtype != np.uint8:  # else the team looks at it, piece by piece
        check_values(array, box.n)
    return np.require(array, np.uint8, ["C", "W"]), box  # kernels know one kind of array


def _alphabet(name: str, side: int, symbols: str) -> Alphabet:
    if name == "auto":
        return choose_alphabet(side, symbols.encode())[0]
    return Alphabet.named(name, side)


def _decoded(
    puzzles: Sequence[str], box: Box | None, alphabet: str
) -> tuple[NDArray[np.uint8], Box]:
    for number, puzzle in enumerate(puzzles):
        if not isinstance(puzzle, str):
            raise ValueError(f"puzzle {number}: not a string, as the first is")
    rows = []
    chosen = None
    if len(puzzles[0]) > 81:  # there are letters: all puzzles together tell which
        side = box.n if box else decode_board(puzzles[0])[2].n
        chosen = _alphabet(alphabet, side, "".join(puzzles))
    for number, puzzle in enumerate(puzzles):
        try:
            row, chosen, box = decode_board(puzzle, box=box, alphabet=chosen)
        except ValueError as error:
            raise ValueError(f"puzzle {number}: {error}") from None
        rows.append(row)
    assert box is not None
    return np.array(rows), box
