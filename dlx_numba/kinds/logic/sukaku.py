"""Sudoku puzzles of pencil marks (Sukaku)."""

import re
from collections.abc import Iterator

from ...runtime.errors import FormatError
from ...sudoku.io.qqwing import read_remark
from ..puzzle import Puzzle
from ..sudoku import BoardPuzzle

formats = "pencil marks: 729 symbols on a line, or a drawing with the candidates of each cell"

_LINE = re.compile(r"(?=.*[1-9])[0-9.]{729}")
_MARKS = re.compile("(?=.)1?2?3?4?5?6?7?8?9?")  # the candidates of a cell


def recognize(head: str) -> bool:
    """Return whether a text starts with a line or a drawing of pencil marks.

    >>> [recognize(text) for text in (81 * ".2.4.6.8.", "12 3 | 4\\n", 9 * (9 * " 12" + "\\n"))]
    [True, False, True]
    """
    lines = [line for line in head.splitlines() if re.search("[1-9]", line)]
    if lines and _LINE.fullmatch(lines[0].strip()):
        return True
    rows = [_cells(line) for line in lines[:9]]
    is_drawing = len(rows) == 9 and all(map(_is_row, rows))
    return is_drawing and any(len(marks) > 1 for row in rows for marks in row)


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text.

    A line has nine symbols for each cell: a digit, or `.` or `0` if it is impossible in the cell. A
    drawing has nine rows of nine cells, with the possible digits of each.
    """
    rows: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not re.search("[1-9]", line) or read_remark(line):
            continue
        symbols = line.strip()
        if _LINE.fullmatch(symbols) and not rows:
            if any(c not in ("0", ".", str(k % 9 + 1)) for k, c in enumerate(symbols)):
                yield FormatError(source, number, "a digit is not in its place")
                continue
            groups = (symbols[k : k + 9] for k in range(0, 729, 9))
            yield _state([re.sub("[0.]", "", group) for group in groups], f"{source}:{number}")
            continue
        first = first if rows else number
        rows += _cells(line)
        if not _is_row(_cells(line)):
            reason = "expected nine cells with increasing digits, or 729 symbols"
            yield FormatError(source, number, reason)
            rows = []
        elif len(rows) == 81:
            yield _state(rows, f"{source}:{first}")
            rows = []
    if rows:
        yield FormatError(source, first, f"expected nine rows, found {len(rows) // 9}")


def _cells(line: str) -> list[str]:
    """Return the words of a row, without the frame of a drawing."""
    return re.sub("[|:*!]", " ", line).split()


def _is_row(cells: list[str]) -> bool:
    """Return whether words are the candidates of nine cells."""
    return len(cells) == 9 and all(map(_MARKS.fullmatch, cells))


def _state(cells: list[str], place: str) -> Puzzle:
    """Return a puzzle with these candidates."""
    givens = tuple(int(marks) if len(marks) == 1 else 0 for marks in cells)
    return BoardPuzzle("pencil marks", place=place, values=givens, candidates=tuple(cells))
