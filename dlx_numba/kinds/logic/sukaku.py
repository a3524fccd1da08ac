"""Sudoku puzzles of pencil marks (Sukaku)."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from ...runtime.errors import FormatError
from ...sudoku.box import Box
from ...sudoku.io.qqwing import read_remark
from ..puzzle import Puzzle
from ..sudoku import BoardPuzzle

formats = "pencil marks: 729 symbols, or a drawing with the candidates of each cell"

_LINE = re.compile(r"(?=.*[1-9])[0-9.]{729}")
_MARKS = re.compile("(?=.)1?2?3?4?5?6?7?8?9?")  # the candidates of a cell
_SIDES = 4, 6, 8, 9  # of drawings


def recognize(head: str) -> bool:
    """Return whether a text starts with a line or a drawing of pencil marks.

    Small drawings have different numbers of candidates, because rows may be lists of items.

    >>> [recognize(text) for text in (81 * ".2.4.6.8.", "12 3 | 4\\n", 9 * (9 * " 12" + "\\n"))]
    [True, False, True]
    """
    lines = [line for line in _on_one_line(head).splitlines() if re.search("[1-9]", line)]
    if lines and _LINE.fullmatch(lines[0].strip()):
        return True
    n = len(_cells(lines[0])) if lines else 0
    rows = [_cells(line) for line in lines[:n]]
    is_drawing = n in _SIDES and len(rows) == n and all(_is_row(row, n) for row in rows)
    lengths = {len(marks) for row in rows for marks in row}
    return is_drawing and lengths != {1} and (n == 9 or len(lengths) > 1)


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text.

    A line has nine symbols for each cell: a digit, or `.` or `0` if it is impossible in the cell.
    A line may be broken; see `_on_one_line`. A drawing has rows of cells, with the possible digits
    of each; their number is the same in a text.
    """
    rows: list[str] = []
    first, n = 0, 9
    for number, line in enumerate(_on_one_line(text).splitlines(), 1):
        if not re.search("[1-9]", line) or read_remark(line):
            continue
        symbols = line.strip()
        if _LINE.fullmatch(symbols) and not rows:
            if not _are_in_place(symbols):
                yield FormatError(source, number, "a digit is not in its place")
                continue
            groups = (symbols[k : k + 9] for k in range(0, 729, 9))
            yield _state([re.sub("[0.]", "", group) for group in groups], f"{source}:{number}")
            continue
        cells = _cells(line)
        if not first and len(cells) in _SIDES:
            n = len(cells)
        first = first if rows else number
        rows += cells
        if not _is_row(cells, n):
            reason = f"expected {n} cells with increasing digits, or 729 symbols"
            yield FormatError(source, number, reason)
            rows = []
        elif len(rows) == n * n:
            yield _state(rows, f"{source}:{first}")
            rows = []
    if rows:
        yield FormatError(source, first, f"expected {n} rows, found {len(rows) // n}")


def _on_one_line(text: str) -> str:
    """Return a text with the 729 symbols on lines of 9 or 81, or in a square, on one line.

    The square has a square of nine symbols for each cell. Sudoku boards, which may be on the same
    lines, have no two digits side by side and all of their digits in these places.
    """

    def join(match: re.Match[str]) -> str:
        rows = match[0].split()
        if len(rows[0]) == 27:
            parts = product(range(0, 27, 3), range(0, 27, 3), range(3))
            rows = [rows[top + k][left : left + 3] for top, left, k in parts]
        symbols = "".join(rows)
        cells = (symbols[k : k + 9] for k in range(0, 729, 9))
        has_choice = any(len(re.findall("[1-9]", cell)) > 1 for cell in cells)
        n_lines = match[0].count("\n")  # so that the following ones keep their numbers
        return symbols + n_lines * "\n" if has_choice and _are_in_place(symbols) else match[0]

    for width in (9, 27, 81):
        row = rf"(?<!\S)[0-9.]{{{width}}}(?:\s+|\Z)"
        text = re.sub(f"(?:{row}){{{729 // width}}}", join, text)
    return text


def _are_in_place(symbols: str) -> bool:
    """Return whether each digit is in its place among the nine symbols of a cell."""
    return all(c in ("0", ".", str(k % 9 + 1)) for k, c in enumerate(symbols))


def _cells(line: str) -> list[str]:
    """Return the words of a row, without the frame of a drawing."""
    return re.sub("[|:*!]", " ", line).split()


def _is_row(cells: list[str], n: int) -> bool:
    """Return whether words are the candidates of n cells."""
    return len(cells) == n and all(map(_MARKS.fullmatch, cells)) and max("".join(cells)) <= str(n)


def _state(cells: list[str], place: str) -> Puzzle:
    """Return a puzzle with these candidates."""
    givens = tuple(int(marks) if len(marks) == 1 else 0 for marks in cells)
    board: Any = {"box": Box._of_cells(len(cells)), "values": givens, "candidates": tuple(cells)}
    return BoardPuzzle("pencil marks", place=place, **board)
