"""Reading a text of boards into plain lists."""

import io
from typing import Any, NamedTuple

import numpy as np

from dlx_numba.sudoku.io.board import encode_board
from dlx_numba.sudoku.io.read import read_boards


class Told(NamedTuple):
    """All that reading told, chunks joined."""

    boards: list[str]
    lines: list[int]
    solutions: list[str]
    counts: list[int]
    difficulties: list[str]
    bad: list[tuple[int, int, str]]


def read(text: str | bytes, **options: Any) -> Told:
    told = Told([], [], [], [], [], [])
    data = text.encode() if isinstance(text, str) else text
    for records in read_boards(io.BytesIO(data), **options):
        n = len(records)
        before = len(told.boards)
        cells = records.box.cells
        assert records.boards.dtype == np.uint8
        assert records.boards.shape == (n, cells)
        assert records.lines.dtype == np.int64
        assert records.lines.shape == (n,)
        assert n or records.bad
        told.boards.extend(encode_board(board, records.alphabet) for board in records.boards)
        told.lines.extend(records.lines.tolist())
        solutions = np.zeros((n, cells), np.uint8)
        if records.solutions is not None:
            solutions = records.solutions
        told.solutions.extend(
            encode_board(row, records.alphabet) if row.any() else "" for row in solutions
        )
        told.counts.extend([-1] * n if records.counts is None else records.counts.tolist())
        told.difficulties.extend(records.difficulties or [""] * n)
        told.bad.extend((before + bad.index, bad.line, bad.reason) for bad in records.bad)
    return told
