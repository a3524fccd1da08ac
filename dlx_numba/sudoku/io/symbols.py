"""Which character stands for which value of a board, and which ones for an empty cell."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.uint8]

INVALID = 255
_ZERO, _DOT = b"0"[0], b"."[0]
BLANKS = b".0*_xX"

_STYLES = {
    "1-9A-": b"123456789ABCDEFGHIJKLMNOP",
    "0-9A-": b"0123456789ABCDEFGHIJKLMNO",
    "A-": b"ABCDEFGHIJKLMNOPQRSTUVWXY",
}


@dataclass(frozen=True)
class Alphabet:
    """The n symbols of the values 1 to n, in one of three styles: `1-9A-`, `0-9A-`, `A-`.

    Letters are read in either case. A blank symbol that is also a value (`0` in `0-9A-F`, `x` in
    `A-Y`) is that value.

    >>> Alphabet("1-9A-", 16).name, Alphabet("0-9A-", 16).name, Alphabet("A-", 16).name
    ('1-9A-G', '0-9A-F', 'A-P')
    """

    style: str
    n: int

    @classmethod
    def named(cls, name: str, n: int) -> "Alphabet":
        """The alphabet that `name` (a style or an alphabet's full name) means for side `n`.

        Raises ValueError for any other name, and where the full name is that of another side.

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
        return _STYLES[self.style][: self.n]

    @property
    def name(self) -> str:
        ranges = re.findall("([0-9]+)|([A-Z]+)", self.symbols.decode())
        runs = (digits or letters for digits, letters in ranges)
        return "".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)

    @cached_property
    def decode(self) -> Values:
        """(256,) the value of each byte: 0 where it is a blank, 255 where it is no symbol.

        A space is none: mostly it stands between symbols, and only a whole line can tell.
        """
        table = np.full(256, INVALID, np.uint8)
        table[list(BLANKS)] = 0
        for value, symbol in enumerate(self.symbols, 1):
            table[[symbol, ord(chr(symbol).lower())]] = value
        return table

    @cached_property
    def decode_table(self) -> bytes:
        """`decode` as `bytes.translate` takes it."""
        return self.decode.tobytes()

    @cached_property
    def encode(self) -> Values:
        """(n + 1,) the symbol of each value; that of an empty cell is `.`."""
        return np.frombuffer(b"." + self.symbols, np.uint8)

    def symbols_of(self, values: Values, out: Values | None = None) -> Values:
        """The symbols of `values`, an array of the same shape; in `out`, if that is given."""
        if self.n > 9 or self.symbols[0] != _ZERO + 1:
            # Three times as fast as indexing; without a mode it would not write into `out` at once.
            return np.take(self.encode, values, out=out, mode="clip")
        symbols = np.add(values, _ZERO, out=out, dtype=np.uint8)
        if not values.all():
            symbols -= (_ZERO - _DOT) * (values == 0).view(np.uint8)
        return symbols


def choose_alphabet(n: int, seen: bytes) -> tuple[Alphabet, bool]:
    """The alphabet of boards of side `n` whose symbols are `seen`, and whether that is a guess.

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
