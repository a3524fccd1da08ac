"""Sudoku puzzles of pencil marks (Sukaku)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...runtime.batched import batched
from ...runtime.errors import FormatError
from ...sudoku.box import Box
from ..records import Record
from ..sudoku import BoardPuzzle

formats = "pencil marks: lines of 729 symbols, or a drawing with the candidates of each cell"

_LINE = re.compile(r"[0-9.]{729}")
_MARKS = re.compile("(?=.)1?2?3?4?5?6?7?8?9?")  # the candidates of a cell
_SIDES = 4, 6, 8, 9  # of drawings


def parse(record: Record) -> BoardPuzzle | Iterator[BoardPuzzle | FormatError]:
    """Return the puzzle of a drawing, or those of lines.

    A line has nine symbols for each cell: a digit, or `.` or `0` if it is impossible in the cell. A
    drawing has rows of cells, with the possible digits of each.
    """
    lines = record.lines()
    if _LINE.fullmatch(lines[0].strip()):
        return _parse_lines(record)
    rows = [(number, _cells(line)) for number, line in enumerate(lines, 1)]
    rows = [(number, cells) for number, cells in rows if cells]
    n = len(rows)
    if n not in _SIDES:
        raise record.error(1, f"expected 9 rows of candidates, or 729 symbols, not {n} rows")
    for number, cells in rows:
        if not _is_row(cells, n):
            raise record.error(number, f"expected {n} cells with increasing digits")
    return _state([marks for _, cells in rows for marks in cells])


def _parse_lines(record: Record) -> Iterator[BoardPuzzle | FormatError]:
    """Yield the puzzle of each line of 729 symbols."""
    for number, line in enumerate(record.lines(), 1):
        symbols = line.strip()
        if not _LINE.fullmatch(symbols):
            yield record.error(number, f"{len(symbols)} symbols, instead of 729 digits and dots")
        elif not _are_in_place(symbols):
            yield record.error(number, "a digit is not in its place")
        else:
            puzzle = _state([re.sub("[0.]", "", group) for group in batched(symbols, 9)])
            yield replace(puzzle, place=record.place_of(number))


def _are_in_place(symbols: str) -> bool:
    """Return whether each digit is in its place among the nine symbols of a cell."""
    return all(c in ("0", ".", str(k % 9 + 1)) for k, c in enumerate(symbols))


def _cells(line: str) -> list[str]:
    """Return the words of a row, without the frame of a drawing; none of a rule."""
    if not line.strip(" \t+-'.|:*"):
        return []
    return line.replace("|", " ").split()


def _is_row(cells: list[str], n: int) -> bool:
    """Return whether words are the candidates of n cells."""
    return len(cells) == n and all(map(_MARKS.fullmatch, cells)) and max("".join(cells)) <= str(n)


def _state(cells: list[str]) -> BoardPuzzle:
    """Return a puzzle with these candidates."""
    givens = tuple(int(marks) if len(marks) == 1 else 0 for marks in cells)
    board: Any = {"box": Box._of_cells(len(cells)), "values": givens, "candidates": tuple(cells)}
    return BoardPuzzle("pencil marks", **board)
