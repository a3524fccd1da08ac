"""Normalize puzzles, some of which may be unreadable: the parameter `errors`."""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ..runtime.arguments import check_choice
from .box import Box
from .convert import (
    BoxLike,
    as_box,
    as_sequence,
    check_alphabet,
    convert_puzzle,
    convert_puzzles,
    type_name,
)
from .io.board import parse_board
from .io.strings import parse_boards, text_of
from .io.symbols import Alphabet, Values
from .verify import check_values

ErrorHandling = Literal["raise", "mark"]


class Entries(NamedTuple):
    """Puzzles as an array, and those that are unreadable."""

    boards: Values  # (N, cells) zeros for unreadable puzzles
    box: Box
    errors: dict[int, str]  # why puzzles are unreadable, by their indices

    @property
    def readable(self) -> Any:
        """The rows of the readable puzzles, as an index of arrays."""
        rows = np.arange(len(self.boards))
        return np.setdiff1d(rows, list(self.errors)) if self.errors else slice(None)

    def n_finished(self, n_readable: int) -> int:
        """Return the number of leading puzzles done if the first `n_readable` readable ones are."""
        rows = np.arange(len(self.boards))[self.readable]
        return int(rows[n_readable]) if n_readable < len(rows) else len(self.boards)


def convert_entries(puzzles: Any, box: BoxLike, alphabet: str, errors: ErrorHandling) -> Entries:
    """Normalize the puzzles that a caller passes to a function with a parameter `errors`.

    If `errors` is "raise", this is `convert_puzzles`. If it is "mark", the values of all boards are
    checked, and the result lists the unreadable entries; only other errors raise ValueError.
    """
    if errors == "raise":
        return Entries(*convert_puzzles(puzzles, box, alphabet), {})
    check_choice("errors", errors, get_args(ErrorHandling))
    puzzles = as_sequence(puzzles)
    try:
        boards, found_box = convert_puzzles(puzzles, box, alphabet)
        check_values(boards, found_box.n)
        return Entries(boards, found_box, {})
    except ValueError:
        box = as_box(box)
        check_alphabet(alphabet)
        if not isinstance(puzzles, np.ndarray):
            if any(isinstance(puzzle, str | bytes) for puzzle in puzzles):
                return _convert_strings(puzzles, box, alphabet)
            return _convert_boards(puzzles, box, alphabet)
        if puzzles.dtype.kind == "O":
            return _convert_boards(puzzles.tolist(), box, alphabet)
        if puzzles.dtype.kind in "US" and puzzles.ndim == 1:
            return _convert_strings(puzzles, box, alphabet)
        if puzzles.dtype.kind in "iu" and puzzles.ndim > 1:
            return _convert_rows(puzzles, box, alphabet)
        raise  # the type or the shape of the array is wrong, not an entry


def _convert_rows(array: NDArray[Any], box: Box | None, alphabet: str) -> Entries:
    """Convert an array of boards, and mark those with values out of range."""
    array = np.array(np.ma.filled(array, 0))
    boards = array.reshape(len(array), -1)
    n = math.isqrt(boards.shape[1]) if box is None else box.n
    is_wrong = (boards < 0) | (boards > n)
    errors = {
        int(row): f"cell {cell}: {boards[row, cell]} is not in the range 0 to {n}"
        for row in np.flatnonzero(is_wrong.any(axis=1))
        for cell in [int(is_wrong[row].argmax())]
    }
    boards[list(errors)] = 0
    return Entries(*convert_puzzles(array, box, alphabet), errors)


def _convert_strings(strings: Any, box: Box | None, alphabet: str) -> Entries:
    """Convert strings, all of the type of the first one, and mark entries that are not boards.

    The first board determines the size of all.
    """
    kind = str if isinstance(next(s for s in strings if isinstance(s, str | bytes)), str) else bytes
    expected = "expected a string" if kind is str else "expected bytes"
    errors = {
        k: f"{expected}, not {type_name(entry)}"
        for k, entry in enumerate(strings)
        if not isinstance(entry, kind)
    }
    texts = (k for k in range(len(strings)) if k not in errors)
    for first in texts:
        try:
            _, _, box = parse_board(text_of(strings[first]), box, alphabet)
            break
        except ValueError as error:
            errors[first] = str(error)
    else:
        return _all_unreadable(len(strings), box, alphabet, errors)
    rows = [first, *texts]
    if box.n > 9 and alphabet == "auto":
        # Text that is not a board must not affect the choice of the alphabet.
        for k in rows:
            try:
                parse_board(text_of(strings[k]), box, alphabet)
            except ValueError as error:
                errors[k] = str(error)
        rows = [k for k in rows if k not in errors]
    reasons: dict[int, str] = {}
    selected = strings[rows] if isinstance(strings, np.ndarray) else [strings[k] for k in rows]
    boards = np.zeros((len(strings), box.cells), np.uint8)
    boards[rows], _ = parse_boards(selected, box, alphabet, reasons)
    errors |= {rows[k]: reason for k, reason in reasons.items()}
    return Entries(boards, box, dict(sorted(errors.items())))


def _convert_boards(puzzles: Sequence[Any], box: Box | None, alphabet: str) -> Entries:
    """Convert boards that are arrays, lists or objects, and mark entries that are not boards.

    The first board determines the size of all.
    """
    errors: dict[int, str] = {}
    values: dict[int, bytes] = {}
    for k, puzzle in enumerate(puzzles):
        try:
            values[k], box, _ = convert_puzzle(puzzle, box, alphabet)
        except ValueError as error:
            errors[k] = str(error).removeprefix("puzzle 0, ")
    if box is None:
        return _all_unreadable(len(puzzles), box, alphabet, errors)
    boards = np.zeros((len(puzzles), box.cells), np.uint8)
    for k, board in values.items():
        boards[k] = np.frombuffer(board, np.uint8)
    return Entries(boards, box, errors)


def _all_unreadable(n: int, box: Box | None, alphabet: str, errors: dict[int, str]) -> Entries:
    """Return `n` unreadable puzzles. Raises ValueError if the alphabet is unknown."""
    box = box or Box(3, 3)
    if alphabet != "auto":
        Alphabet.named(alphabet, box.n)
    return Entries(np.zeros((n, box.cells), np.uint8), box, errors)
