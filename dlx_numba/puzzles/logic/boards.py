"""Texts of words in rows and columns."""

import re
from collections.abc import Iterable
from typing import Any

from ...runtime.errors import FormatError
from ..records import Record
from ..variants.puzzle import IGNORED

Cell = tuple[int, int]  # (row, column), from 1

NUMBER = "[0-9]{1,9}"
MOST = 200  # rows and columns
DESCRIPTIONS = IGNORED | {"kind", "level", "name", "solutions"}  # keys of an object in JSON
CELL_WORDS = (r"(\d+),(\d+)", r"r\1c\2")  # of an item that is a cell


class WordTable:
    """The words of a text in lines, which are counted from 1.

    The methods raise FormatError, which names the line and the number of the word.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._lines = record.lines()

    def __len__(self) -> int:
        return len(self._lines)

    def error(self, line: int, reason: str) -> FormatError:
        return self._record.error(line, reason)

    def words(
        self, line: int, pattern: str = r"\S+", expected: str = "", length: int | None = None
    ) -> list[str]:
        """Return the words of a line, each of which matches a pattern, by default any word.

        `expected` says what a word must be; `length` is how many there must be.
        """
        if line > len(self):
            raise self.error(len(self), f"the text ends; line {line} of it is missing")
        words = self._lines[line - 1].split()
        if length is not None and len(words) != length:
            raise self.error(line, f"{len(words)} words instead of {length}")
        self._check(line, words, pattern, expected, "word")
        return words

    def _check(self, line: int, words: list[str], pattern: str, expected: str, noun: str) -> None:
        is_valid = re.compile(pattern).fullmatch
        for column, word in enumerate(words, 1):
            if not is_valid(word):
                raise self.error(line, f"{noun} {column}, {word[:20]!r}, is not {expected}")

    def size(self, n_numbers: int = 2, most: int = MOST) -> list[int]:
        """Return the numbers on the first line, each from 1 to `most`: the size of the board."""
        words = self.words(1)
        size = [int(word) for word in words if re.fullmatch(NUMBER, word)]
        if not len(words) == len(size) == n_numbers or not 1 <= min(size) <= max(size) <= most:
            raise self.error(
                1, f"the first line must be the size: {n_numbers} numbers from 1 to {most}"
            )
        return size

    def side(self, most: int) -> int:
        """Return the number of rows of a square, from its size on the first line."""
        n_rows, n_columns = self.size(most=most)
        if n_rows != n_columns:
            raise self.error(1, f"the board must be a square, not {n_rows}×{n_columns}")
        return n_rows

    def cells(
        self, line: int, size: tuple[int, int], pattern: str, expected: str, is_last: bool = True
    ) -> dict[Cell, str]:
        """Return the word of each cell, in lines after which nothing follows if `is_last`."""
        n_rows, n_columns = size
        if is_last and len(self) >= line + n_rows:
            raise self.error(line + n_rows, f"there are more than {n_rows} rows")
        lines = range(line, line + n_rows)
        return cells_of(self.words(number, pattern, expected, n_columns) for number in lines)

    def board(self, pattern: str, expected: str) -> dict[Cell, str]:
        """Return the word of each cell of a board, which follows its size."""
        n_rows, n_columns = self.size()
        return self.cells(2, (n_rows, n_columns), pattern, expected)

    @property
    def has_symbols(self) -> bool:
        """Whether the text starts with a row of symbols without blanks, rather than with a size."""
        return len(self.words(1)) == 1

    def grid(self, pattern: str, expected: str) -> dict[Cell, str]:
        """Return the symbol of each cell of a board in rows of symbols, or after its size."""
        read = self.symbols if self.has_symbols else self.board
        return read(pattern, expected)

    def symbols(self, pattern: str, expected: str) -> dict[Cell, str]:
        """Return the symbol of each cell of a board, whose equally long rows have no blanks."""
        rows = [[*line.strip()] for line in self._lines]
        if max(len(self), len(self._lines[0])) > MOST:
            raise self.error(1, f"the board has more than {MOST} rows or columns")
        for line, row in enumerate(rows, 1):
            self._check(line, row, pattern, expected, "symbol")
            if len(row) != len(rows[0]):
                raise self.error(line, f"{len(row)} symbols instead of {len(rows[0])}")
        return cells_of(rows)


def check_keys(value: Any, *names: str) -> None:
    """Raise ValueError if an object in JSON has other keys, except those that describe a puzzle."""
    unknown = value.keys() - {*names, *DESCRIPTIONS} if isinstance(value, dict) else set()
    if unknown:
        raise ValueError(f"the key {min(unknown)!r} is unknown; there are {', '.join(names)}")


def beside(cell: Cell) -> list[Cell]:
    """Return the cells above, to the left, to the right and below, in this order."""
    r, c = cell
    return [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]


def cells_of(rows: Iterable[Iterable[str]]) -> dict[Cell, str]:
    """Return the word of each cell, by row and column, which are counted from 1."""
    return {(r, c): word for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1)}
