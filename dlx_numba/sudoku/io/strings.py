"""Many boards as strings: their conversion to one array at the speed of memory.

Most batches consist of strings of the same form, with one symbol for each cell. A kernel decodes
them; `parse_board` reads all others, one by one.
"""

import string
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ..box import SIDE_OF_CELLS, Box
from .board import are_named_numbers, encode_text, parse_board, symbols_of_texts
from .symbols import (
    BLANKS,
    INVALID,
    MAX_SYMBOLS,
    Alphabet,
    Values,
    select_alphabet,
    single_blank,
)

Strings = Sequence[str] | Sequence[bytes] | NDArray[Any]

CHUNK_CHARACTERS = 1 << 20  # strings are joined in chunks that fit into the cache

_ALPHANUMERIC = (string.digits + string.ascii_letters).encode()
_ZERO, _DOT, _STAR, _UNDERSCORE, _X = 48, 46, 42, 95, 120


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
    decode : ndarray of uint8, shape (128,)
        The value of each character, 255 if it is invalid.
    digits : bool
        Whether `decode` is that of the alphabet 1 to n with its usual blank symbols. Such strings
        are decoded by arithmetic, which is vectorized, instead of by table lookup.
    n : int
        The side of the boards.
    boards : ndarray of uint8, shape (N, n²)
        The values of the cells. Written.
    is_irregular : ndarray of bool, shape (N,)
        Whether a string has an invalid character or another tail. The board is arbitrary then.
        Written.
    """
    highest = np.uint8(n)
    for k in range(len(rows)):
        row, board = rows[k], boards[k]
        cells = len(board)
        invalid = False
        if digits:
            for cell in range(cells):
                character = row[cell]
                digit = np.uint8((np.int64(character) - _ZERO) & 255)
                is_digit = digit <= highest
                is_blank = (
                    (character == _DOT)
                    | (character == _STAR)
                    | (character == _UNDERSCORE)
                    | (character | 32 == _X)
                )
                board[cell] = digit if is_digit else np.uint8(0)
                invalid |= (character > 127) | (not (is_digit | is_blank))
        else:
            for cell in range(cells):
                character = row[cell]
                value = decode[character & 127]
                board[cell] = value
                invalid |= (character > 127) | (value == INVALID)
        for at in range(len(tail)):
            invalid |= row[cells + at] != tail[at]
        is_irregular[k] = invalid


class Form(NamedTuple):
    """The common form of strings: a symbol for each cell, and perhaps a line end."""

    n: int
    blanks: bytes  # the symbols of an empty cell
    length: int  # of each string, with the line end

    @classmethod
    def of(cls, text: str, box: Box | None) -> "Form | None":
        """Return the form of a string, or None if it has another form than this."""
        symbols = encode_text(text.rstrip("\r\n"))
        n = SIDE_OF_CELLS.get(len(symbols), 0)
        if box is not None:
            n = box.n if len(symbols) == box.cells else 0
        blanks = single_blank(symbols) or BLANKS
        if not 0 < n <= MAX_SYMBOLS or symbols.translate(None, _ALPHANUMERIC + blanks):
            return None
        if blanks == b"-" and not symbols.strip(b"-"):
            return None  # it may be a horizontal rule
        return cls(n, blanks, len(text))


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
        If given, strings that are not boards become zeros, and their reasons are stored here by
        their numbers. The first string must be a board.

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
    first = text_of(strings[0])
    form = None if are_named_numbers(alphabet) else Form.of(first, box)
    if form is None:
        if not isinstance(strings, np.ndarray):
            _check_types(strings, strings)
        try:
            _, symbols, box = parse_board(first, box, alphabet)
        except ValueError as error:
            raise ValueError(f"puzzle 0: {error}") from None
        if symbols.n > 9 and alphabet == "auto":
            symbols, _ = select_alphabet(alphabet, symbols.n, symbols_of_texts(_texts(strings)))
        boards = np.empty((len(strings), box.cells), np.uint8)
        numbers: Any = range(len(strings))
    else:
        box = box or Box.of_side(form.n)
        boards = np.empty((len(strings), box.cells), np.uint8)
        is_irregular = np.empty(len(strings), np.bool_)
        symbols = _decode(strings, form, alphabet, boards, is_irregular)
        numbers = np.flatnonzero(is_irregular).tolist()
    for number in numbers:
        try:
            boards[number], _, _ = parse_board(text_of(strings[number]), box, symbols)
        except ValueError as error:
            if errors is None:
                raise ValueError(f"puzzle {number}: {error}") from None
            boards[number] = 0
            errors[number] = str(error)
    return boards, box


def _decode(
    strings: Strings, form: Form, name: str, boards: Values, is_irregular: NDArray[np.bool_]
) -> Alphabet:
    """Decode all strings of a form into `boards` and mark the others; return the alphabet."""
    if form.n <= 9 or name != "auto":
        symbols, _ = select_alphabet(name, form.n, b"", form.blanks)
        _decode_with(symbols.decode, strings, form, boards, is_irregular)
    else:
        # The alphabet depends on all symbols, so they are stored in `boards` first.
        identity = np.full(256, INVALID, np.uint8)
        known = list(_ALPHANUMERIC + form.blanks)
        identity[known] = known
        _decode_with(identity, strings, form, boards, is_irregular)
        seen = _seen_symbols(strings, boards, is_irregular)
        symbols, _ = select_alphabet(name, form.n, seen, form.blanks)
        for chunk in _chunks(len(boards), boards.shape[1]):
            boards[chunk] = symbols.decode[boards[chunk]]
            is_irregular[chunk] |= (boards[chunk] == INVALID).any(axis=1)
    if form.blanks == b"-":
        is_irregular |= ~boards.any(axis=1)  # it may be a horizontal rule
    return symbols


def _decode_with(
    decode: Values,
    strings: Strings,
    form: Form,
    boards: Values,
    is_irregular: NDArray[np.bool_],
) -> None:
    """Decode all strings of a form by a table (256,), and mark the others."""
    usual = Alphabet("1-9A-", form.n).decode
    digits = form.n <= 9 and np.array_equal(decode, usual)
    tail = None
    for chunk, rows in _rows(strings, form.length):
        if tail is None:
            tail = rows[0, boards.shape[1] :].copy()
        decode_rows(rows, tail, decode[:128], digits, form.n, boards[chunk], is_irregular[chunk])


def _rows(strings: Strings, length: int) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield the characters of the strings as arrays (N, width), in chunks.

    In a list, strings of another length than `length` are replaced by an invalid one.
    """
    if isinstance(strings, np.ndarray):
        character = np.uint32 if strings.dtype.kind == "U" else np.uint8
        native = np.ascontiguousarray(strings, strings.dtype.newbyteorder("="))
        rows = native.view(character).reshape(len(strings), -1)
        rows.flags.writeable = False
        yield slice(0, len(strings)), rows
        return
    are_bytes = isinstance(strings[0], bytes)
    invalid: Any = bytes(length) if are_bytes else "\0" * length
    for chunk in _chunks(len(strings), length):
        part: Any = strings[chunk]
        try:
            if set(map(len, part)) != {length}:
                part = [each if len(each) == length else invalid for each in part]
            if are_bytes:
                _check_types(part, strings)  # bytes.join accepts more types
            data = b"".join(part) if are_bytes else _encode_ascii("".join(part))
        except TypeError:
            _check_types(strings, strings)
            raise
        yield chunk, np.frombuffer(data, np.uint8).reshape(len(part), length)


def _encode_ascii(text: str) -> bytes:
    """Return one byte per character; other characters than ASCII become invalid symbols."""
    data = text.encode("ascii", "replace")
    return data if text.isascii() else data.replace(b"?", b"\0")


def _chunks(n_rows: int, width: int) -> Iterator[slice]:
    size = max(1, CHUNK_CHARACTERS // width)
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def _check_types(part: Sequence[Any], strings: Sequence[Any]) -> None:
    """Raise ValueError if not all strings are of type str, or all of type bytes.

    Only `part` is searched for another type; the message has the number among all `strings`.
    """
    expected = bytes if isinstance(strings[0], bytes) else str
    if not all(issubclass(kind, expected) for kind in set(map(type, part))):
        number = next(k for k, each in enumerate(strings) if not isinstance(each, expected))
        kind = "bytes" if expected is bytes else "a string"
        raise ValueError(f"puzzle {number}: expected {kind}, like puzzle 0")


def _seen_symbols(strings: Strings, boards: Values, is_irregular: NDArray[np.bool_]) -> bytes:
    """Return the symbols of all strings, to find their alphabet.

    `boards` has the symbols of those that are not irregular. Each is returned at least once; those
    of the first board are returned in order.
    """
    if is_irregular[0]:
        return symbols_of_texts(_texts(strings))
    is_seen = np.zeros(256, np.bool_)
    for chunk in _chunks(len(boards), boards.shape[1]):
        is_seen[boards[chunk][~is_irregular[chunk]]] = True
    others = symbols_of_texts(text_of(strings[k]) for k in np.flatnonzero(is_irregular).tolist())
    first = bytes(boards[0].tolist())
    return first + bytes(np.flatnonzero(is_seen).tolist()) + others


def _texts(strings: Strings) -> Iterator[str]:
    return map(text_of, strings)


def text_of(puzzle: str | bytes) -> str:
    """Return a puzzle as text."""
    return puzzle.decode("utf-8", "replace") if isinstance(puzzle, bytes) else str(puzzle)
