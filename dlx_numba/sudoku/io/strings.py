"""Parse strings as boards.

Most batches consist of strings with one symbol for each cell. They are joined and decoded at once;
`parse_board` reads all others, one by one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.text import plural
from ..box import BOARD_SIZES, SIDE_OF_CELLS, Box
from .cells import count_groups, drawn_box, examine, find_box_error, is_rule, plain_line, read_cells
from .sniff import any_symbols, sides_of
from .symbols import INVALID, MAX_SYMBOLS, Alphabet, Values, select_alphabet

FOLDED_SIDE = 9
Strings = Sequence[str] | Sequence[bytes] | NDArray[Any]


def parse_board(
    text: str, box: Box | None = None, alphabet: str = "auto"
) -> tuple[Values, Alphabet, Box]:
    r"""Parse a board.

    Parameters
    ----------
    text
        The board on one line, or drawn on several lines, as in a file.
    box
        The box; None for the one that the bars of a drawing show, or else the standard box.
    alphabet
        The name of the alphabet; "auto" to choose the one that fits.

    Returns
    -------
    values : ndarray of uint8, shape (cells,)
        The values of the cells, 0 for an empty cell.
    alphabet : Alphabet
    box : Box

    Raises
    ------
    ValueError
        If the text is not a board; the message gives the reason.

    Examples
    --------
    >>> values, alphabet, box = parse_board("12|..\n..|..\n--+--\n..|..\n..|.4")
    >>> values[:3], alphabet.name, str(box)
    (array([1, 2, 0], dtype=uint8), '1-4', '2x2')
    """
    box, codes = read_symbols(text, box, alphabet)
    symbols, _ = select_alphabet(alphabet, box.n, codes)
    values = codes.translate(symbols.decode_table)
    if INVALID in values:
        raise ValueError(_find_reason(text, symbols))
    return np.frombuffer(bytearray(values), np.uint8), symbols, box


def read_symbols(text: str, box: Box | None, alphabet: str) -> tuple[Box, bytes]:
    """Return the box and the symbols of a board. Raises ValueError if the text is not one.

    The text is tried in several forms: its lines without rules and comments, joined by a space, by
    a comma or directly; or all of its lines, as what looks like a rule may be a row of empty cells.

    The lines of a 9×9 board may be folded at any place; smaller boards could be on those of others.
    """
    rows = _rows(text)
    n_lines = sum(line.strip()[:1] not in ("", "#") for line in text.splitlines())
    # If other lines follow, the first one is not a board: the others would be ignored.
    first = rows[0] if any(row.strip() for row in rows[1:]) else b""
    all_lines = encode_text(text).translate(None, b"\r\n")  # `-` may be an empty cell
    for joined in (b" ".join(rows), b",".join(rows), b"".join(rows), all_lines):
        for n in [box.n] if box else sides_of(joined):
            expected = any_symbols(n), n * n, n * n  # a whole board, not a row
            if (symbols := read_cells(joined, *expected)) and read_cells(first, *expected) is None:
                if n != FOLDED_SIDE and 1 < n_lines < n:  # not folded, and not one line
                    raise ValueError(f"expected {n} rows, found {n_lines}")
                drawn = [count_groups(row) for row in rows if row.strip()]
                groups = drawn if len(drawn) == n else []
                box = box or drawn_box(groups, n) or Box.of_side(n)
                if reason := find_box_error(groups, box):
                    raise ValueError(reason)
                return box, symbols[: n * n]
    size, noun, _, _ = examine(b" ".join(rows), any_symbols(MAX_SYMBOLS))
    n = box.n if box else SIDE_OF_CELLS.get(size, 0)
    if n == 0:
        raise ValueError(f"{plural(size, noun)}: a board has {BOARD_SIZES}")
    if size != n * n:
        raise ValueError(f"expected {n * n} {noun}s, found {size}")
    raise ValueError(_find_reason(text, Alphabet.named(alphabet, n)))


def _rows(text: str) -> list[bytes]:
    """Return the lines of a text without rules and comments."""
    lines = [plain_line(line) for line in encode_text(text).splitlines()]
    return [line.partition(b"#")[0] for line in lines if line.isspace() or not is_rule(line)]


def _find_reason(text: str, alphabet: Alphabet) -> str:
    """Return why a text with as many cells as a board is not one."""
    reasons = (examine(row, alphabet).reason for row in _rows(text))
    return next(filter(None, reasons), "no board")


def encode_text(text: str) -> bytes:
    """Return a text as UTF-8, without a byte order mark.

    Surrogates, which have no encoding, are invalid symbols as well.
    """
    return text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")


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
        The box; None for that of the first board.
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
        If one is not a board, and `errors` is None; the message gives its number and the reason.

    Examples
    --------
    >>> boards, box = parse_boards(["1..." * 4, "12|..|..|..|..|..|..|.4"], None, "auto")
    >>> boards[:, :5], str(box)
    (array([[1, 0, 0, 0, 1],
           [1, 2, 0, 0, 0]], dtype=uint8), '2x2')
    """
    reasons: dict[int, str] = {}
    texts = _texts(strings, reasons)
    for number, text in enumerate(texts):
        if box is not None:  # the first board has determined it
            break
        if number not in reasons:
            try:
                box = read_symbols(text, None, alphabet)[0]
            except ValueError as error:
                reasons[number] = str(error)
    box = box or Box(3, 3)
    joined = _join(texts, box.cells)
    chosen, _ = select_alphabet(alphabet, box.n, joined)
    boards = _decode(joined, chosen, box)
    if reasons or INVALID in boards:
        boards = _parse_each(texts, joined, box, alphabet, reasons)
    if errors is not None:
        errors.update(reasons)
    elif reasons:
        number = min(reasons)
        raise ValueError(f"puzzle {number}: {reasons[number]}")
    return boards, box


def _decode(symbols: bytes, alphabet: Alphabet, box: Box) -> Values:
    values = bytearray(symbols.translate(alphabet.decode_table))
    return np.frombuffer(values, np.uint8).reshape(-1, box.cells)


def _parse_each(
    texts: list[str], joined: bytes, box: Box, alphabet: str, reasons: dict[int, str]
) -> Values:
    """Return boards of which some are not just symbols, and add the reasons of those that are none.

    `joined` is what `_join` returns.
    """
    boards = _decode(joined, any_symbols(box.n), box)  # their values are the symbols
    for row in _invalid_rows(boards):
        try:
            if row not in reasons:
                _, symbols = read_symbols(texts[row], box, alphabet)
                boards[row] = np.frombuffer(symbols, np.uint8)
        except ValueError as error:
            reasons[row] = str(error)
    symbol_bytes = boards.tobytes()
    seen = np.delete(boards, [*reasons], axis=0).tobytes() if reasons else symbol_bytes
    chosen, _ = select_alphabet(alphabet, box.n, seen)
    boards = _decode(symbol_bytes, chosen, box)
    for row in _invalid_rows(boards):
        symbols = symbol_bytes[row * box.cells : (row + 1) * box.cells]
        # Its symbols for empty cells may be others than those of all boards.
        own_alphabet, _ = select_alphabet(chosen.name, box.n, symbols)
        boards[row] = _decode(symbols, own_alphabet, box)
        if INVALID in boards[row]:
            boards[row] = 0
            reasons.setdefault(row, _find_reason(texts[row], own_alphabet))
    return boards


def _invalid_rows(boards: Values) -> list[int]:
    return np.flatnonzero((boards == INVALID).any(axis=1)).tolist()


def _join(texts: list[str], cells: int) -> bytes:
    """Return the symbols of strings, null bytes for those that are not one symbol for each cell."""
    joined = "".join(texts)
    if set(map(len, texts)) != {cells} or not joined.isascii():
        plain = (text.rstrip("\r\n") for text in texts)
        joined = "".join(
            text if len(text) == cells and text.isascii() else "\0" * cells for text in plain
        )
    return joined.encode()


def _texts(strings: Strings, reasons: dict[int, str]) -> list[str]:
    """Return the strings as text, "" for those that do not have the type of the first one."""
    entries: list[Any] = strings.tolist() if isinstance(strings, np.ndarray) else list(strings)
    kind = type(next(entry for entry in entries if isinstance(entry, str | bytes)))
    if set(map(type, entries)) != {kind}:
        expected = "bytes" if issubclass(kind, bytes) else "a string"
        for number, entry in enumerate(entries):
            if not isinstance(entry, kind):
                reasons[number] = f"expected {expected}, not {type_name(entry)}"
                entries[number] = kind()
    if issubclass(kind, bytes):
        entries = [entry.decode("utf-8", "replace") for entry in entries]
    return entries


def type_name(value: object) -> str:
    """Return the name of the type of a value, for messages."""
    return "None" if value is None else type(value).__name__
