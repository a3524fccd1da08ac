"""Sudoku puzzles of pencil marks (Sukaku)."""

import re

from ...runtime.batched import batched
from ...sudoku.box import Box
from ..records import Record
from ..sudoku import BoardPuzzle

formats = "pencil marks: lines of 729 symbols, or a drawing with the candidates of each cell"

LINE = re.compile(r"[0-9.]{729}")
_IN_PLACE = re.compile("(?:[0.1][0.2][0.3][0.4][0.5][0.6][0.7][0.8][0.9])*")
_MARKS = re.compile("(?=.)1?2?3?4?5?6?7?8?9?")  # the candidates of a cell
_SIDES = 4, 6, 8, 9  # of drawings


def parse(record: Record) -> BoardPuzzle:
    """Return the puzzle of a drawing or a line.

    A line has nine symbols for each cell: a digit, or `.` or `0` if it is impossible in the cell. A
    drawing has rows of cells, with the possible digits of each.
    """
    if "\n" not in record.text:
        return _parse_line(record.text)
    lines = enumerate(record.lines(), 1)
    rows = [(number, cells) for number, line in lines if (cells := _cells(line))]
    n = len(rows)
    if n not in _SIDES:
        raise record.error(1, f"expected 9 rows of candidates, or 729 symbols, not {n} rows")
    for number, cells in rows:
        if not _is_row(cells, n):
            raise record.error(number, f"expected {n} cells with increasing digits")
    return _formulate([marks for _, cells in rows for marks in cells])


def _parse_line(symbols: str) -> BoardPuzzle:
    """Return the puzzle of a line. Raises ValueError if it is malformed."""
    if not LINE.fullmatch(symbols):
        raise ValueError(f"expected 9 rows of candidates, or 729 symbols, not {len(symbols)}")
    if not _IN_PLACE.fullmatch(symbols):
        raise ValueError("a digit is not in its place")
    return _formulate([re.sub("[0.]", "", group) for group in batched(symbols, 9)])


def _cells(line: str) -> list[str]:
    """Return the words of a row, without the frame of a drawing; none of a rule."""
    if not line.strip(" \t+-'.|:*"):
        return []
    return line.replace("|", " ").split()


def _is_row(cells: list[str], n: int) -> bool:
    """Return whether words are the candidates of n cells."""
    return len(cells) == n and all(map(_MARKS.fullmatch, cells)) and max("".join(cells)) <= str(n)


def _formulate(cells: list[str]) -> BoardPuzzle:
    """Return a puzzle with these candidates."""
    givens = tuple(int(marks) if len(marks) == 1 else 0 for marks in cells)
    return BoardPuzzle(
        "pencil marks", values=givens, box=Box.of_cells(len(cells)), candidates=tuple(cells)
    )
