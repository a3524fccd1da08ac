"""Parse strings as boards.

Most batches consist of strings with one symbol for each cell. They are joined and decoded at once;
`parse_board` reads all others, one by one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.text import plural
from ..box import BOARD_SIZES, SIDE_OF_CELLS, Box
from .cells import (
    DECORATION,
    has_commas,
    has_numbers,
    is_rule,
    plain_line,
    split_cells,
    without_last_comma,
)
from .lines import LineReader
from .sniff import sniff
from .symbols import INVALID, MAX_SYMBOLS, Alphabet, Values, select_alphabet

Strings = Sequence[str] | Sequence[bytes] | NDArray[Any]


def parse_board(
    text: str, box: Box | None = None, alphabet: Alphabet | str = "auto"
) -> tuple[Values, Alphabet, Box]:
    r"""Parse a board.

    Parameters
    ----------
    text
        The board on one line, or drawn on several lines, as in a file.
    box
        The box; None for the standard box of the board's size.
    alphabet
        The symbols, or the name of their alphabet; "auto" to choose the alphabet that fits.

    Returns
    -------
    values : ndarray of uint8, shape (cells,)
        The values of the cells, 0 for an empty cell.
    alphabet : Alphabet
    box : Box

    Raises
    ------
    ValueError
        If the text is not a board; the message states the reason.

    Examples
    --------
    >>> values, alphabet, box = parse_board("12|..\n..|..\n--+--\n..|..\n..|.4")
    >>> values[:3], alphabet.name, str(box)
    (array([1, 2, 0], dtype=uint8), '1-4', '2x2')
    """
    lines = encode_text(text).splitlines()
    rows = [line for line in lines if line.isspace() or not is_rule(plain_line(line))]
    joined, cells = b"".join(rows), without_last_comma(split_cells(b" ".join(rows)), *SIDE_OF_CELLS)
    side = SIDE_OF_CELLS.get(len(cells), 0)
    is_separated = has_commas(joined) or has_numbers(cells) or side > MAX_SYMBOLS
    if is_separated or "numbers" in (alphabet, getattr(alphabet, "style", "")):
        joined, size, noun = b" ".join(rows), len(cells), "number"
    else:
        size, noun = len(joined.translate(None, DECORATION)), "symbol"
        if isinstance(alphabet, Alphabet) and box and alphabet.n == box.n:  # usual in batches
            symbols = joined.translate(alphabet.decode_table, DECORATION)
            if len(symbols) == box.cells and INVALID not in symbols:
                return np.frombuffer(bytearray(symbols), np.uint8), alphabet, box
    # The lines may be folded at any place, so they are also tried as one, at last with spaces as
    # empty cells.
    errors = []
    for parts in (lines, [joined], [joined.replace(b" ", b".")]):
        try:
            return _parse_lines(parts, box, alphabet)
        except ValueError as error:
            errors.append(error)
    n = box.n if box else SIDE_OF_CELLS.get(size, 0)
    if noun == "symbol" and SIDE_OF_CELLS.get(size, 0) > MAX_SYMBOLS:
        raise ValueError(f"a board of {n}x{n} has numbers, separated by spaces or commas")
    if n == 0:
        raise ValueError(f"{plural(size, noun)}: a board has {BOARD_SIZES}")
    if size != n * n:
        raise ValueError(f"expected {n * n} {noun}s, found {size}")
    if box is None:
        return parse_board(text, Box.of_side(n), alphabet)
    raise errors[0]


def _parse_lines(
    lines: list[bytes], box: Box | None, alphabet: Alphabet | str
) -> tuple[Values, Alphabet, Box]:
    """Parse a board on the lines of a text, as `parse_board` does."""
    layout = sniff(lines, box.n if box else None)
    shape = box or Box.of_side(layout.side)
    if isinstance(alphabet, str):
        alphabet, _ = select_alphabet(alphabet, shape.n, layout.symbols, layout.blanks)
    elif alphabet.n != shape.n:
        raise ValueError(f"alphabet {alphabet.name} does not fit a board of {shape.cells} cells")
    reader = LineReader(replace(alphabet, blanks=layout.blanks), 1, shape, layout.width)
    for line in lines:
        reader.read(line)
    reader.end()
    if reader.count == 1 and not reader.bad and not reader.chunks:
        return reader.boards[0], reader.alphabet, shape
    raise ValueError(reader.bad[0].reason if reader.bad else "no board")


def encode_text(text: str) -> bytes:
    """Return a text as UTF-8; surrogates, which have no encoding, are invalid symbols as well."""
    return text.encode("utf-8", "surrogatepass")


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
    texts = _texts(strings, errors)
    symbols = None
    for number, text in enumerate(texts):
        try:
            if not errors or number not in errors:
                _, symbols, box = parse_board(text, box, alphabet)
        except ValueError as error:
            _reject(number, str(error), errors)
            continue
        if symbols and (errors is None or symbols.n <= 9 or alphabet != "auto"):
            break  # otherwise, text that is not a board must not affect the choice of the alphabet
    if symbols is None or box is None:
        box = box or Box(3, 3)
        return np.zeros((len(texts), box.cells), np.uint8), box
    if symbols.n > 9 and alphabet == "auto":
        lines = [encode_text(line) for text in texts for line in text.splitlines()]
        plain = [line for line in lines if not (has_commas(line) or has_numbers(split_cells(line)))]
        symbols, _ = select_alphabet("auto", symbols.n, sniff(plain, box.n).symbols, symbols.blanks)
    values = _decode(texts, symbols, box.cells)
    boards = np.frombuffer(bytearray(values), np.uint8).reshape(-1, box.cells)
    is_valid = np.ones(len(texts), np.bool_)
    if INVALID in values:
        is_valid = boards.max(axis=1) < INVALID
    if symbols.blanks == b"-":
        is_valid &= boards.any(axis=1)  # otherwise, it may be a horizontal rule
    for row in np.flatnonzero(~is_valid).tolist():
        boards[row] = 0
        try:
            if not errors or row not in errors:
                boards[row], _, _ = parse_board(texts[row], box, symbols)
        except ValueError as error:
            _reject(row, str(error), errors)
    return boards, box


def _decode(texts: list[str], symbols: Alphabet, cells: int) -> bytes:
    """Return the values of strings, INVALID for those that are not one symbol for each cell."""
    joined = "".join(texts)
    if set(map(len, texts)) != {cells} or not joined.isascii():
        plain = (text.rstrip("\r\n") for text in texts)
        joined = "".join(
            text if len(text) == cells and text.isascii() else "\0" * cells for text in plain
        )
    return joined.encode().translate(symbols.decode_table)


def _reject(number: int, reason: str, errors: dict[int, str] | None) -> None:
    """Store why a string is not a board. Raises ValueError if errors are not collected."""
    if errors is None:
        raise ValueError(f"puzzle {number}: {reason}")
    errors[number] = reason


def _texts(strings: Strings, errors: dict[int, str] | None) -> list[str]:
    """Return the strings as text. All must have the type of the first one."""
    entries: list[Any] = strings.tolist() if isinstance(strings, np.ndarray) else list(strings)
    kind = type(next(entry for entry in entries if isinstance(entry, str | bytes)))
    if set(map(type, entries)) != {kind}:
        expected = "bytes" if issubclass(kind, bytes) else "a string"
        for number, entry in enumerate(entries):
            if not isinstance(entry, kind):
                _reject(number, f"expected {expected}, not {type_name(entry)}", errors)
                entries[number] = kind()
    if issubclass(kind, bytes):
        entries = [entry.decode("utf-8", "replace") for entry in entries]
    return entries


def type_name(value: Any) -> str:
    """Return the name of the type of a value, for messages."""
    return "None" if value is None else type(value).__name__
