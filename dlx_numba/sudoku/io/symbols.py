"""Alphabets: the characters of the values of a board, and of its empty cells."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.uint8]

INVALID = 255
BLANKS = b".0*_xX"
_ZERO, _DOT = b"0"[0], b"."[0]

_STYLES = {
    "1-9A-": b"123456789ABCDEFGHIJKLMNOP",
    "0-9A-": b"0123456789ABCDEFGHIJKLMNO",
    "A-": b"ABCDEFGHIJKLMNOPQRSTUVWXY",
}


@dataclass(frozen=True)
class Alphabet:
    """The symbols of the values 1 to n, in one of three styles: `1-9A-`, `0-9A-`, `A-`.

    Letters are read in either case. A blank symbol that is also a value (`0` in `0-9A-F`, `x` in
    `A-Y`) is read as that value.

    Examples
    --------
    >>> Alphabet("1-9A-", 16).name, Alphabet("0-9A-", 16).name, Alphabet("A-", 16).name
    ('1-9A-G', '0-9A-F', 'A-P')
    """

    style: str
    n: int

    @classmethod
    def named(cls, name: str, n: int) -> "Alphabet":
        """Return the alphabet `name` for boards of side `n`.

        Parameters
        ----------
        name
            A style, such as "0-9A-", or the full name of an alphabet, such as "0-9A-F".
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
        alphabets = [cls(style, n) for style in _STYLES]
        for alphabet in alphabets:
            if name.upper() in (alphabet.style, alphabet.style[:3], alphabet.name):
                return alphabet
        names = ", ".join(alphabet.name for alphabet in alphabets)
        raise ValueError(f"alphabet {name!r}: a board of {n}x{n} has one of {names}")

    @property
    def symbols(self) -> bytes:
        """The symbols of the values 1 to n."""
        return _STYLES[self.style][: self.n]

    @property
    def name(self) -> str:
        """The ranges of the symbols, such as 1-9A-G."""
        ranges = re.findall("([0-9]+)|([A-Z]+)", self.symbols.decode())
        runs = (digits or letters for digits, letters in ranges)
        return "".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)

    @cached_property
    def decode(self) -> Values:
        """The value of each byte, shape (256,): 0 for a blank, 255 for an invalid symbol.

        A space is invalid, because most spaces separate symbols; whether it is an empty cell
        depends on the whole line.
        """
        table = np.full(256, INVALID, np.uint8)
        table[list(BLANKS)] = 0
        for value, symbol in enumerate(self.symbols, 1):
            table[[symbol, ord(chr(symbol).lower())]] = value
        return table

    @cached_property
    def decode_table(self) -> bytes:
        """The table `decode` in the form of the argument of `bytes.translate`."""
        return self.decode.tobytes()

    @cached_property
    def encode(self) -> Values:
        """The symbol of each value, shape (n + 1,); that of an empty cell is `.`."""
        return np.frombuffer(b"." + self.symbols, np.uint8)

    def symbols_of(self, values: Values, out: Values | None = None) -> Values:
        """Return the symbols of `values` in an array of the same shape, or in `out` if given."""
        if self.n > 9 or self.symbols[0] != _ZERO + 1:
            # `take` is three times as fast as indexing; with mode="raise", it would buffer `out`.
            return np.take(self.encode, values, out=out, mode="clip")
        symbols = np.add(values, _ZERO, out=out, dtype=np.uint8)
        if not values.all():
            symbols -= (_ZERO - _DOT) * (values == 0).view(np.uint8)
        return symbols


def choose_alphabet(n: int, seen: bytes) -> tuple[Alphabet, bool]:
    """Choose the alphabet of boards from their symbols.

    Parameters
    ----------
    n
        The side of the boards.
    seen
        The symbols of the boards, in order.

    Returns
    -------
    alphabet : Alphabet
    ambiguous : bool
        Whether another alphabet fits as well.

    Examples
    --------
    >>> alphabet, ambiguous = choose_alphabet(16, b"12.A0")
    >>> alphabet.name, ambiguous
    ('0-9A-F', False)
    """
    one, zero, letters = (Alphabet(style, n) for style in _STYLES)
    counts = Counter(seen.upper())
    values = counts.keys() - set(BLANKS)
    if n <= 9 or not values:
        return one, False
    if values.isdisjoint(b"123456789"):
        return letters, False
    if one.symbols[-1] in values:
        return one, False
    if b"0"[0] not in counts:
        return one, True
    first = Counter(seen[: n * n].upper())
    complete = all(first[symbol] == n for symbol in zero.symbols)
    other_blanks = not counts.keys().isdisjoint(b".*_X")
    return (zero if complete or other_blanks else one), False


def select_alphabet(name: str, n: int, seen: bytes) -> tuple[Alphabet, bool]:
    """Return the alphabet `name`, or choose one if `name` is "auto"; see `choose_alphabet`."""
    if name == "auto":
        return choose_alphabet(n, seen)
    return Alphabet.named(name, n), False
