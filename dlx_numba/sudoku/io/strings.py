"""Parse many strings to one array of boards, at the speed of memory.

Most batches consist of strings of the same form, with one symbol for each cell. A kernel decodes
them; `parse_board` reads all others, one by one.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ..box import Box
from .board import encode_text, parse_board, symbols_of_texts
from .rows import ALL_SYMBOLS
from .scan import read_symbols
from .symbols import Alphabet, Values, select_alphabet

Strings = Sequence[str] | Sequence[bytes] | NDArray[Any]

CHUNK_CHARACTERS = 1 << 20  # strings are joined in chunks that fit into the cache


@kernel
def decode_rows(
    rows: Any, tail: Any, decode: Any, digits: bool, n: int, boards: Any, is_irregular: Any
) -> None:
    """Decode strings with one character for each cell.

    Parameters
    ----------
    rows : ndarray of uint8 or uint32, shape (N, width)
        The characters of the strings.
    tail : ndarray, shape (width - n²,)
        The characters that follow the cells in each string.
    decode, digits, n
        The arguments of `read_symbols`.
    boards : ndarray of uint8, shape (N, n²)
        The values of the cells. Written.
    is_irregular : ndarray of bool, shape (N,)
        Whether a string has an invalid character or another tail. The board is arbitrary then.
        Written.
    """
    cells = boards.shape[1]
    for k in range(len(rows)):
        row = rows[k]
        invalid = not read_symbols(row, decode, n, digits, boards[k])
        for position in range(len(tail)):
            invalid |= row[cells + position] != tail[position]
        is_irregular[k] = invalid


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
        first = number if first is None else first
        if errors is None or box.n <= 9 or alphabet != "auto":
            break  # otherwise, text that is not a board must not affect the choice of the alphabet
    if first is None or box is None:
        box = box or Box(3, 3)
        return np.zeros((len(strings), box.cells), np.uint8), box
    if errors:  # the first board takes their places
        rows = [first if k in errors else k for k in range(len(strings))]
        selected: Any = [strings[row] for row in rows]
        strings = strings[rows] if isinstance(strings, np.ndarray) else selected
    boards = np.empty((len(strings), box.cells), np.uint8)
    irregular: Any = range(len(strings))
    text = text_of(strings[first])
    line = text.rstrip("\r\n")
    is_regular = len(line) == box.cells and " " not in line and not symbols.has_numbers
    if symbols.n > 9 and alphabet == "auto":
        symbols = _common_alphabet(strings, text, symbols, is_regular)
    if is_regular:
        irregular = np.flatnonzero(_decode(strings, len(text), symbols, boards)).tolist()
    for number in irregular:
        try:
            boards[number], _, _ = parse_board(text_of(strings[number]), box, symbols)
        except ValueError as error:
            _reject(number, str(error), errors)
    if errors:
        boards[list(errors)] = 0
    return boards, box


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


def _common_alphabet(strings: Strings, first: str, symbols: Alphabet, is_regular: bool) -> Alphabet:
    """Return the alphabet that fits all boards, given the first one and its alphabet."""
    others: Any = strings
    seen = b""
    if is_regular:  # each symbol is needed once, except for those of the first board
        is_seen = np.zeros(128, np.bool_)
        for _, rows in _rows(strings, len(first)):
            is_other = (rows[:, len(first) - 1] == 0) | rows[:, len(first) :].any(axis=1)
            is_seen[np.minimum(rows[~is_other, : symbols.n**2], 127)] = True
        if not is_seen[ord("-")]:  # which can be the symbol of empty cells in some boards only
            seen = encode_text(first)[: symbols.n**2]
            seen += bytes(each for each in ALL_SYMBOLS + symbols.blanks if is_seen[each])
            others = (text for text in strings if len(text) != len(first))
    seen += symbols_of_texts(map(text_of, others))
    return select_alphabet("auto", symbols.n, seen, symbols.blanks)[0]


def _decode(strings: Strings, length: int, symbols: Alphabet, boards: Values) -> NDArray[np.bool_]:
    """Decode the strings of a length into `boards`; return which strings have another form."""
    is_irregular = np.empty(len(strings), np.bool_)
    digits = np.array_equal(symbols.decode, Alphabet("1-9A-", min(symbols.n, 9)).decode)
    tail = None
    for chunk, rows in _rows(strings, length):
        if tail is None:
            tail = rows[0, boards.shape[1] :].copy()
        out, marks = boards[chunk], is_irregular[chunk]
        decode_rows(rows, tail, symbols.decode, digits, symbols.n, out, marks)
    if symbols.blanks == b"-":
        is_irregular |= ~boards.any(axis=1)  # it may be a horizontal rule
    return is_irregular


def _rows(strings: Strings, length: int) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield the characters of the strings as arrays (N, width), in chunks.

    In a list, strings of another length than `length`, or with other characters than ASCII, are
    replaced by an invalid one.
    """
    if isinstance(strings, np.ndarray):
        character = np.uint32 if strings.dtype.kind == "U" else np.uint8
        native = np.ascontiguousarray(strings, strings.dtype.newbyteorder("="))
        rows = native.view(character).reshape(len(strings), -1)
        rows.flags.writeable = False
        yield slice(0, len(strings)), rows
        return
    are_bytes = isinstance(strings[0], bytes)
    empty: Any = b"" if are_bytes else ""
    invalid: Any = bytes(length) if are_bytes else "\0" * length
    size = max(1, CHUNK_CHARACTERS // length)
    for start in range(0, len(strings), size):
        part: Any = strings[start : start + size]
        if set(map(len, part)) != {length}:
            part = [each if len(each) == length else invalid for each in part]
        joined = empty.join(part)
        if not joined.isascii():
            joined = empty.join(each if each.isascii() else invalid for each in part)
        data = joined if are_bytes else joined.encode()
        yield slice(start, start + len(part)), np.frombuffer(data, np.uint8).reshape(-1, length)


def text_of(puzzle: str | bytes) -> str:
    """Return a puzzle as text."""
    return puzzle.decode("utf-8", "replace") if isinstance(puzzle, bytes) else str(puzzle)


def type_name(value: Any) -> str:
    """Return the name of the type of a value, for messages."""
    return "None" if value is None else type(value).__name__
