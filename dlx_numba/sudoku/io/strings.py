"""Parse many strings into one array of boards.

Most batches consist of strings with one symbol for each cell. They are joined, and a kernel decodes
them; `parse_board` reads all others, one by one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..box import Box
from .board import parse_board, symbols_of_texts
from .scan import has_digits, read_symbols
from .symbols import Values, select_alphabet

Strings = Sequence[str] | Sequence[bytes] | NDArray[Any]


@njit
def decode_rows(rows: Any, decode: Any, n: int, boards: Any, is_valid: Any) -> None:
    """Decode strings with one character for each cell.

    Parameters
    ----------
    rows : ndarray of uint8 or uint32, shape (N, n² or more)
        The characters of the strings, of which the first n² are read.
    decode, n
        The parameters of `read_symbols`.
    boards : ndarray of uint8, shape (N, n²)
        The values of the cells; arbitrary if a character is invalid. Written.
    is_valid : ndarray of bool, shape (N,)
        Whether all characters are valid. Written.
    """
    digits = has_digits(decode, n)
    for k in range(len(rows)):
        is_valid[k] = read_symbols(rows[k], decode, n, digits, boards[k])


def parse_boards(
    strings: Strings, box: Box | None, alphabet: str, errors: dict[int, str] | None = None
) -> tuple[Values, Box]:
    """Parse many boards of the same size.

    Parameters
    ----------
    strings
        The boards, at least one, in any form that `parse_board` reads: a list or tuple of str or of
        bytes, or a one-dimensional array of type U or S.
    box
        The box; None for the standard box of the first board.
    alphabet
        The name of the alphabet; "auto" determines it from all boards together.
    errors
        If given, entries that are not boards become zeros, and their reasons are stored here by
        their numbers.

    Returns
    -------
    boards : ndarray of uint8, shape (N, cells)
    box : Box

    Raises
    ------
    ValueError
        If one is not a board, and `errors` is None; the message states its number and the reason.

    Examples
    --------
    >>> boards, box = parse_boards(["1..." * 4, "12|..|..|..|..|..|..|.4"], None, "auto")
    >>> boards[:, :5], str(box)
    (array([[1, 0, 0, 0, 1],
           [1, 2, 0, 0, 0]], dtype=uint8), '2x2')
    """
    _check_types(strings, errors)
    first = None
    for number in range(len(strings)):
        if errors and number in errors:
            continue
        try:
            _, symbols, box = parse_board(text_of(strings[number]), box, alphabet)
        except ValueError as error:
            _reject(number, str(error), errors)
            continue
        first = strings[number] if first is None else first
        if errors is None or box.n <= 9 or alphabet != "auto":
            break  # otherwise, text that is not a board must not affect the choice of the alphabet
    if first is None or box is None:
        box = box or Box(3, 3)
        return np.zeros((len(strings), box.cells), np.uint8), box
    texts: Any = strings
    if errors:
        texts = [first if k in errors else text for k, text in enumerate(strings)]
    if symbols.n > 9 and alphabet == "auto":
        seen = symbols_of_texts(map(text_of, texts))
        symbols, _ = select_alphabet("auto", symbols.n, seen, symbols.blanks)
    boards = np.zeros((len(texts), box.cells), np.uint8)
    is_valid = np.zeros(len(texts), np.bool_)
    if not symbols.has_numbers:
        rows = _join(texts, box.cells)
        decode_rows(rows, symbols.decode, symbols.n, boards, is_valid)
        is_valid &= (rows[:, box.cells :] == rows[0, box.cells :]).all(axis=1)
        if symbols.blanks == b"-":
            is_valid &= boards.any(axis=1)  # otherwise, it may be a horizontal rule
    for row in np.flatnonzero(~is_valid).tolist():
        try:
            boards[row], _, _ = parse_board(text_of(texts[row]), box, symbols)
        except ValueError as error:
            _reject(row, str(error), errors)
    if errors:
        boards[list(errors)] = 0
    return boards, box


def _join(texts: Any, cells: int) -> NDArray[Any]:
    """Return the characters of strings, shape (N, width); rows of zeros for irregular strings.

    The width is `cells`, or more if the strings have line ends, or the array is wider.
    """
    is_regular = len(text_of(texts[0]).rstrip("\r\n")) == cells
    if isinstance(texts, np.ndarray) and is_regular:
        character = np.uint32 if texts.dtype.kind == "U" else np.uint8
        native = np.ascontiguousarray(texts, texts.dtype.newbyteorder("="))
        rows = native.view(character).reshape(len(texts), -1)
        rows.flags.writeable = False
        return rows
    if isinstance(texts, np.ndarray):
        texts = texts.tolist()
    width = len(texts[0]) if is_regular else cells
    joined = texts[0][:0].join(texts)
    if set(map(len, texts)) != {width} or not joined.isascii():
        invalid = bytes(width) if isinstance(joined, bytes) else "\0" * width
        texts = [text if len(text) == width and text.isascii() else invalid for text in texts]
        joined = joined[:0].join(texts)
    data = joined if isinstance(joined, bytes) else joined.encode()
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def _reject(number: int, reason: str, errors: dict[int, str] | None) -> None:
    """Store why a string is not a board. Raises ValueError if errors are not collected."""
    if errors is None:
        raise ValueError(f"puzzle {number}: {reason}")
    errors[number] = reason


def _check_types(strings: Strings, errors: dict[int, str] | None) -> None:
    """Reject entries that are not of type str, or not of type bytes, like the first string."""
    is_text = isinstance(next(each for each in strings if isinstance(each, str | bytes)), str)
    kind, expected = (str, "a string") if is_text else (bytes, "bytes")
    if not isinstance(strings, np.ndarray) and set(map(type, strings)) != {kind}:
        for number, entry in enumerate(strings):
            if not isinstance(entry, kind):
                _reject(number, f"expected {expected}, not {type_name(entry)}", errors)


def text_of(puzzle: str | bytes) -> str:
    """Return a puzzle as text."""
    return puzzle.decode("utf-8", "replace") if isinstance(puzzle, bytes) else str(puzzle)


def type_name(value: Any) -> str:
    """Return the name of the type of a value, for messages."""
    return "None" if value is None else type(value).__name__
