"""Alphabets: the symbols of the values of a board, and of its empty cells."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from ...runtime.arguments import invalid_choice
from ...runtime.errors import AmbiguousError

Values = npt.NDArray[np.uint8]

INVALID = 255
BLANKS = b".0*_xX"
NUMBER = 128  # plus a number: the code of a cell with two digits
MAX_SYMBOLS = 25  # the values of larger boards are numbers
_CROSSES = b"xX"
_NEWLINE = ord("\n")
_ZERO = b"0"[0]
_DOT = b"."[0]
_NOT_BLANKS = ",;|+=\"'[]{}"  # they have a meaning between cells

STYLES = {
    "1-9A-": b"123456789ABCDEFGHIJKLMNOP",
    "0-9A-": b"0123456789ABCDEFGHIJKLMNO",
    "A-": b"ABCDEFGHIJKLMNOPQRSTUVWXY",
}
_NUMBERS = "numbers"


@dataclass(frozen=True)
class Alphabet:
    """The symbols of the values 1 to n.

    A symbol is a character in the styles `1-9A-`, `0-9A-` and `A-`, for n up to `MAX_SYMBOLS`. In
    the style `numbers`, it is a decimal number, and symbols are separated by spaces or commas.

    Letters are read in either case. A blank symbol that is also a value (`0` in `0-9A-F`, `x` in
    `A-Y`) is read as that value.

    Parameters
    ----------
    style
        The style.
    n
        The number of values.
    blanks
        The symbols of an empty cell: `BLANKS`, perhaps with others, or a single one. An empty cell
        is written as `.`.

    Examples
    --------
    >>> Alphabet("1-9A-", 16).name, Alphabet("0-9A-", 16).name, Alphabet("A-", 16).name
    ('1-9A-G', '0-9A-F', 'A-P')
    """

    style: str
    n: int
    blanks: bytes = BLANKS

    @classmethod
    @cache
    def named(cls, name: str, n: int) -> "Alphabet":
        """Return the alphabet `name` for boards of side `n`.

        Parameters
        ----------
        name
            A style, such as "0-9A-", or the full name of an alphabet, such as "0-9A-F" or
            "numbers". "auto" is "1-9A-", or "numbers" if the boards are too large for symbols.
        n
            The side of the boards.

        Raises
        ------
        ValueError
            If there is no such alphabet, or it belongs to another side.

        Examples
        --------
        >>> Alphabet.named("0-9A-", 12).name
        '0-9A-B'
        """
        if name == "auto":
            name = "1-9A-" if n <= MAX_SYMBOLS else _NUMBERS
        alphabets = [cls(style, n) for style in STYLES if n <= MAX_SYMBOLS]
        for alphabet in alphabets:
            if name.upper() in (alphabet.style, alphabet.style[:3], alphabet.name):
                return alphabet
        if name.lower() == _NUMBERS:
            return cls(_NUMBERS, n)
        names = (*(alphabet.name for alphabet in alphabets), _NUMBERS)
        raise invalid_choice("alphabet", name, names, f" for boards of {n}x{n}")

    @property
    def has_numbers(self) -> bool:
        """Whether the symbols are decimal numbers instead of characters."""
        return self.style == _NUMBERS

    @property
    def has_digits(self) -> bool:
        """Whether the symbols are the digits from 1."""
        return self.n <= 9 and self.symbols[:1] == b"1"

    @property
    def symbols(self) -> bytes:
        """The characters of the values 1 to n; empty if the symbols are numbers."""
        return b"" if self.has_numbers else STYLES[self.style][: self.n]

    @property
    def name(self) -> str:
        """The ranges of the characters, such as 1-9A-G, or `numbers`."""
        if self.has_numbers:
            return _NUMBERS
        runs = re.findall("[0-9]+|[A-Z]+", self.symbols.decode())
        return "".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)

    @cached_property
    def decode(self) -> Values:
        """The value of each byte, shape (256,): 0 for a blank, 255 for an invalid symbol.

        If cells have two digits, the byte `NUMBER` plus a number stands for the number. A space is
        invalid, because most spaces separate symbols; whether it is an empty cell depends on the
        whole line.
        """
        table = np.full(256, INVALID, np.uint8)
        table[list(self.blanks)] = 0
        for value, symbol in enumerate(self.symbols or b"123456789"[: self.n], 1):
            table[[symbol, ord(chr(symbol).lower())]] = value
        table[NUMBER : NUMBER + self.n + 1] = np.arange(self.n + 1)
        return table

    @cached_property
    def decode_table(self) -> bytes:
        """The table `decode` in the form of the argument of `bytes.translate`."""
        return self.decode.tobytes()

    @cached_property
    def encode(self) -> Values:
        """The symbol of each value, shape (n + 1,); that of an empty cell is `.`.

        The shape is (n + 1, 3) for numbers: two characters, the first of which is 0 if it is not
        needed, and a space.
        """
        if self.has_numbers:
            texts = [b".", *(b"%d" % value for value in range(1, self.n + 1))]
            cells = b"".join(text.rjust(2, b"\0") + b" " for text in texts)
            return np.frombuffer(cells, np.uint8).reshape(-1, 3)
        return np.frombuffer(b"." + self.symbols, np.uint8)

    def symbols_of(self, values: Values) -> Values:
        """Return the symbols of boards.

        Parameters
        ----------
        values
            The values of the cells, shape (..., cells).

        Returns
        -------
        ndarray of uint8
            The text of each board. Its shape is that of `values`; for numbers it is
            (..., 3 * cells - 1), and zeros are padding.
        """
        if self.has_numbers:
            texts = self.encode[values]
            return texts.reshape(*values.shape[:-1], 3 * values.shape[-1])[..., :-1]
        if not self.has_digits:
            return np.take(self.encode, values)  # three times as fast as indexing
        symbols = np.add(values, _ZERO, dtype=np.uint8)
        if not values.all():
            # Turns 0 into a dot where a cell is empty
            symbols -= (_ZERO - _DOT) * (values == 0).view(np.uint8)
        return symbols

    def lines_of(self, values: Values) -> Values:
        """Return the symbols of boards (N, cells) without empty cells, each with a line feed."""
        symbols = values if self.has_digits else self.symbols_of(values)
        lines = np.empty((len(symbols), symbols.shape[1] + 1), np.uint8)
        lines[:, -1] = _NEWLINE
        np.add(symbols, _ZERO if self.has_digits else 0, out=lines[:, :-1])
        return lines


def select_alphabet(
    name: str, n: int, seen: bytes, blanks: bytes = BLANKS
) -> tuple[Alphabet, bool]:
    """Return an alphabet by its name, or choose one that fits the symbols of boards.

    By default, `-` or `?` is an empty cell only if the boards have no other symbol for it, and `x`
    only if there are other symbols: lines of nothing but `x` are no boards.

    Parameters
    ----------
    name
        The name; "auto" to choose an alphabet.
    n
        The side of the boards.
    seen
        The symbols of the boards, in order.
    blanks
        The symbols of an empty cell.

    Returns
    -------
    alphabet : Alphabet
    ambiguous : bool
        Whether another alphabet fits the symbols as well.

    Raises
    ------
    AmbiguousError
        If 0 could be a digit of boards of up to 9×9.

    Examples
    --------
    >>> alphabet, ambiguous = select_alphabet("auto", 16, b"12.A0")
    >>> alphabet.name, ambiguous
    ('0-9A-F', False)
    >>> select_alphabet("auto", 4, b"1-3--4")[0].blanks
    b'-'
    """
    seen_blanks = bytes(blank for blank in b"-?.*_" if blank in seen)  # 0 and x may be values
    if blanks == BLANKS and seen_blanks in (b"-", b"?"):
        blanks = seen_blanks
    if blanks == BLANKS and seen and not seen.translate(None, _CROSSES):
        blanks = bytes(blank for blank in blanks if blank not in _CROSSES)
    # Other symbols for empty cells than the usual ones
    own_blanks = bytes(set(blanks).difference(BLANKS))
    alphabet = Alphabet.named(name, n)
    is_ambiguous = False
    if name == "auto" and n <= 9 and _fits_zero(n, seen):
        error = AmbiguousError(
            "0 could be a digit, as other symbols are empty cells; name the alphabet "
            f"0-{n - 1} or 1-{n}"
        )
        error.choices = f"0-{n - 1}", f"1-{n}"
        raise error
    if name == "auto" and 9 < n <= MAX_SYMBOLS:  # values of smaller boards are always digits
        # Without numbers, and with dots for the further symbols of empty cells
        numbers = bytes(range(NUMBER, 256))
        symbols = seen.translate(bytes.maketrans(own_blanks, b"." * len(own_blanks)), numbers)
        alphabet, is_ambiguous = _fit_symbols(n, symbols)
    # Digits are values of boards in some alphabet, whichever is chosen here.
    values = set(alphabet.symbols + alphabet.symbols.lower() + b"0123456789")
    if taken := values.intersection(own_blanks):
        symbol = chr(min(taken))
        raise ValueError(f"{symbol!r} is a value of {alphabet.name}, so it is not an empty cell")
    return replace(alphabet, blanks=blanks), is_ambiguous


def parse_blanks(text: str) -> bytes:
    """Return the symbols of empty cells, with further ones. Raises ValueError if one is invalid.

    Examples
    --------
    >>> parse_blanks("o")
    b'.0*_xXo'
    """
    if re.fullmatch(r"[!-~]*", text) is None or not set(text).isdisjoint(_NOT_BLANKS):
        raise ValueError(f"blank must be symbols of ASCII other than {_NOT_BLANKS}, not {text!r}")
    return BLANKS + text.encode()


def _fits_zero(n: int, seen: bytes) -> bool:
    """Return whether 0 could be a digit, as the highest one is missing.

    Other symbols are empty cells, and no row or column has two zeros.

    >>> [_fits_zero(4, seen) for seen in (b"01..", b"01.0", b"014.", b"0100")]
    [True, False, False, False]
    """
    has_others = any(blank in seen for blank in (*b".*_-?", NUMBER))
    if not has_others or b"0" not in seen or b"%d" % n in seen:
        return False
    boards = (seen[k : k + n * n] for k in range(0, len(seen), n * n))
    lines = ((board[k * n :][:n], board[k::n]) for board in boards for k in range(n))
    return all(row.count(b"0") < 2 > column.count(b"0") for row, column in lines)


def _fit_symbols(n: int, seen: bytes) -> tuple[Alphabet, bool]:
    """Return the alphabet that fits symbols, and whether another one fits as well.

    Without digits from 1, it is that of letters. The highest symbol of 1-9A- is none of 0-9A-. If
    it is missing, and 0 is there, 0 is a value if the first board is complete with the symbols of
    0-9A-, or if other symbols are empty cells; otherwise, it is an empty cell. If both are missing,
    either alphabet fits.
    """
    style = "1-9A-"
    is_ambiguous = False
    text = seen.upper()
    symbols = {symbol for symbol in range(256) if symbol in text}  # faster than set(text)
    if values := symbols.difference(BLANKS):
        one, zero, _ = (Alphabet(style, n).symbols for style in STYLES)
        if values.isdisjoint(b"123456789"):
            style = "A-"
        elif one[-1] not in values and _ZERO in symbols:
            first = Counter(text[: n * n])
            is_complete = all(first[symbol] == n for symbol in zero)
            if is_complete or not symbols.isdisjoint(b".*_X"):
                style = "0-9A-"
        else:
            is_ambiguous = one[-1] not in values
    return Alphabet(style, n), is_ambiguous
