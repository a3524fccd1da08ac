"""Boards as plain lists: read from texts, or chosen at random."""

import io
import random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from tests.helpers.oracles import random_board, random_solution
from tests.helpers.seeds import seeded

HARD = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
)


class AllRecords(NamedTuple):
    """All records of a source, its chunks joined; "" and -1 for missing values."""

    boards: list[str]
    lines: list[int]
    solutions: list[str]
    counts: list[int]
    difficulties: list[str]
    bad: list[tuple[int, int, str]]


def read(text: str | bytes, **options: Any) -> AllRecords:
    """Read a text with the options of `read_records`, and check the form of each chunk."""
    result = AllRecords([], [], [], [], [], [])
    data = text.encode() if isinstance(text, str) else text
    for records in read_records(io.BytesIO(data), **options):
        n, before = len(records), len(result.boards)
        cells = records.box.cells
        assert (records.boards.dtype, records.boards.shape) == (np.uint8, (n, cells))
        assert (records.lines.dtype, records.lines.shape) == (np.int64, (n,))
        number = max(n, len(records.bad))
        assert number <= options.get("chunk_boards", 8192)
        is_empty_table = records.columns is not None and records.first_number == 1
        assert number > 0 or is_empty_table
        result.boards.extend(format_board(board, records.alphabet) for board in records.boards)
        result.lines.extend(records.lines.tolist())
        empty = np.zeros((n, cells), np.uint8)
        solutions = empty if records.solutions is None else records.solutions
        result.solutions.extend(
            format_board(row, records.alphabet) if row.any() else "" for row in solutions
        )
        result.counts.extend([-1] * n if records.counts is None else records.counts.tolist())
        others = [{k.lower(): v for k, v in each.items()} for each in records.others or [{}] * n]
        result.difficulties.extend(each.get("difficulty", "") for each in others)
        result.bad.extend((before + bad.index, bad.line, bad.reason) for bad in records.bad)
    return result


def values_of(text: str) -> NDArray[np.uint8]:
    """Return the values of a board of digits."""
    return np.array([int(symbol) for symbol in text.replace(".", "0")], np.uint8)


def random_boards(box: Box, number: int, max_blanks: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return random boards with any number of solutions."""
    rng = random.Random(seeded(seed))
    blanks = [rng.randint(0, max_blanks) for _ in range(number)]
    return np.array([random_board(box, rng, n_blanks) for n_blanks in blanks])


def varied_boards(number: int, seed: int, max_blanks: float) -> NDArray[np.uint8]:
    """Return shuffled 9×9 boards: complete ones, and with no, one, few and thousands of solutions.

    The share of blanks is at most `max_blanks`; some boards have contradictory givens.
    """
    rng, python = np.random.default_rng(seed), random.Random(seed)
    solutions = np.array([random_solution(Box(3, 3), python) for _ in range(max(8, number // 50))])
    boards = solutions[rng.integers(0, len(solutions), number)]
    share = rng.uniform(0.2, max_blanks, number)
    share[rng.random(number) < 0.02] = 0
    boards[rng.random(boards.shape) < share[:, None]] = 0
    changed = np.flatnonzero(rng.random(number) < 0.2)
    for _ in range(2):
        cells = rng.integers(0, 81, len(changed))
        boards[changed, cells] = rng.integers(1, 10, len(changed))
    return boards


def large_board(box: Box, seed: int) -> Any:
    """Return a board of numbers that is solved by propagation alone."""
    rng = random.Random(seeded(seed))
    board = random_solution(box, rng)
    board[rng.sample(range(box.cells), box.cells // 4)] = 0
    return board
