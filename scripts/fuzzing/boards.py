"""Campaigns for Sudoku: engines, limits, backends and canonical forms, against oracles."""

import random
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.engines.registry import ENGINES, LANES_BOX, MAX_DLX_SIDE
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.sudoku.verify import are_solutions
from tests.helpers import oracles, symmetries
from tests.helpers.boards import varied_boards
from tests.helpers.rating import slow_class

from ..puzzles import mixed_boards, transform
from .checks import check, check_equal, kept_on_failure
from .covers import process_pool, thread_pool

BOXES = (
    *(Box(2, 2), Box(2, 3), Box(3, 2), Box(2, 4), Box(3, 3), Box(3, 3), Box(3, 3), Box(3, 3)),
    *(Box(2, 5), Box(3, 4), Box(4, 3), Box(4, 4), Box(1, 5), Box(7, 1), Box(5, 5)),
)
MAX_NODES = 400  # of the oracle, for each board
MAX_ITERATED = 300  # solutions
ALPHABETS = ("1-9A-", "0-9A-", "A-")


def boards_kept_on_failure(path: Path, boards: NDArray[np.uint8]) -> AbstractContextManager[None]:
    """Write boards as lines of numbers, which `solve` reads, if the block raises."""
    text = "\n".join(" ".join(map(str, board)) for board in boards.tolist())
    return kept_on_failure(path, lambda: text)


def random_boards(rng: random.Random, box: Box, number: int) -> NDArray[np.uint8]:
    """Return boards from complete ones to nearly empty ones, some of them contradictory."""
    boards = []
    for _ in range(number):
        most = box.cells if rng.random() < 0.1 else box.cells * rng.randint(30, 80) // 100
        board = oracles.random_board(box, rng, rng.randint(0, most))
        if rng.random() < 0.1:  # a wrong digit that agrees with its row, column and box
            cell = rng.randrange(box.cells)
            board[cell] = rng.randint(1, box.n)
        boards.append(board)
    return np.array(boards)


def check_result(
    result: EngineResult,
    boards: NDArray[np.uint8],
    box: Box,
    counts: list[int | None],
    is_finished: bool = True,
) -> None:
    """Check solutions, and counts unless the expected one is None."""
    check(not is_finished or (result.counts >= 0).all(), "a board is unfinished")
    for row, expected in enumerate(counts):
        if expected is not None and result.counts[row] != -1:
            check_equal(f"count of board {row}", int(result.counts[row]), expected)
    found = result.counts > 0
    check(are_solutions(result.solutions[found], boards[found], box).all(), "wrong solution")
    check(not result.solutions[result.counts == 0].any(), "solution of a board without solutions")


def solve_boards(rng: random.Random, folder: Path) -> None:
    """Solve boards with all engines, threads and executors; compare with a simple solver."""
    box = rng.choice(BOXES)
    boards = random_boards(rng, box, rng.randint(1, 20 if box.n <= 9 else 4))
    limit = rng.choice([1, 2, 2, rng.randint(3, 30), None])
    oracle_limit = 1000 if limit is None else limit
    counts = [
        oracles.count_sudoku_solutions(board.tolist(), box, oracle_limit, MAX_NODES)
        for board in boards
    ]
    if limit is None:  # some boards have too many solutions to count them all
        finished = [k for k, count in enumerate(counts) if count is not None and count < 1000]
        boards, counts = boards[finished], [counts[k] for k in finished]
    elif box.n > 9:  # and some large boards are too hard
        finished = [k for k, count in enumerate(counts) if count is not None]
        boards, counts = boards[finished], [counts[k] for k in finished]
    with boards_kept_on_failure(folder / f"boards-{box}-limit-{limit}.txt", boards):
        for name in ENGINES:
            is_tried = name != "lanes" or box == LANES_BOX
            if name == "textbook":
                is_tried = box.n <= MAX_DLX_SIDE
            if name == "sat":  # which starts a process for each board
                is_tried = rng.random() < 0.02
            if is_tried:
                result = dlx.solve_batch(boards, limit, name, threads=1, box=box)
                check_result(result, boards, box, counts)
        result = dlx.solve_batch(boards, limit, threads=1, box=box)
        check_result(result, boards, box, counts)
        solve_in_parallel(rng, boards, limit, box, result)
        solve_strings(rng, boards, limit, box, result)


def solve_in_parallel(
    rng: random.Random,
    boards: NDArray[np.uint8],
    limit: int | None,
    box: Box,
    expected: EngineResult,
) -> None:
    """Check that threads or an executor return the same, and time limits at least no errors."""
    kind = rng.choice(["threads", "executor", "seconds", "none"])
    arguments: dict[str, Any] = {"threads": rng.randint(2, 4)}
    if kind == "none":
        return
    if kind == "executor":
        executor = process_pool() if rng.random() < 0.01 else thread_pool()
        arguments = {"executor": executor}
    elif kind == "seconds":
        arguments = {"seconds": rng.choice([0, 1e-4, 1e-3])}
    engine = rng.choice(["auto", "dlx"])
    result = dlx.solve_batch(boards, limit, engine, box=box, **arguments)
    counts = expected.counts.tolist()
    check_result(result, boards, box, counts, is_finished=kind != "seconds")
    if kind != "seconds":
        check_equal("counts", result.counts, expected.counts)
        if engine == "auto":
            check_equal("solutions", result.solutions, expected.solutions)
            check_equal("nodes", result.nodes, expected.nodes)


def solve_strings(
    rng: random.Random,
    boards: NDArray[np.uint8],
    limit: int | None,
    box: Box,
    expected: EngineResult,
) -> None:
    """Check that boards as strings, single boards and other array types give the same results."""
    if not len(boards):
        return
    alphabet = Alphabet(rng.choice(ALPHABETS) if box.n > 9 else "1-9A-", box.n)
    strings = [format_board(board, alphabet) for board in boards]
    named = {"alphabet": alphabet.name} if box.n > 9 else {}
    result = dlx.solve_batch(strings, limit, box=box, **named)
    check_equal("solutions of strings", result.solutions, expected.solutions)
    check_equal("counts of strings", result.counts, expected.counts)
    wide = boards.reshape(-1, box.n, box.n).astype(
        rng.choice([np.int64, np.int8, np.uint32, ">i2"])
    )
    check_equal("array types", dlx.solve_batch(wide, limit, box=box).counts, expected.counts)
    row = rng.randrange(len(boards))
    if limit is None and expected.counts[row] <= MAX_ITERATED:
        solutions = list(dlx.iter_solutions(strings[row], box=box, **named))
        check_equal("iterated solutions", len(solutions), int(expected.counts[row]))
        check_equal("different solutions", len(set(solutions)), len(solutions))
        rows = dlx.solve_batch(solutions, box=box, **named) if solutions else expected
        check((rows.counts == 1).all() or not solutions, "an iterated solution is wrong")
    try:
        solution = dlx.solve_sudoku(strings[row], box=box, **named)
    except dlx.NoSolution:
        check_equal("no solution", int(expected.counts[row]), 0)
    else:
        check_equal("single solution", solution, format_board(expected.solutions[row], alphabet))


def compare_engines(rng: random.Random, folder: Path) -> None:
    """Solve hundreds of 9×9 boards with `lanes` and `dlx`, and compare the results."""
    box = Box(3, 3)
    boards = varied_boards(rng.randint(1, 600), rng.randrange(2**32), max_blanks=0.75)
    limit = rng.choice([1, 2, 2, 3, 33, 500])
    with boards_kept_on_failure(folder / f"boards-limit-{limit}.txt", boards):
        expected = dlx.solve_batch(boards, limit, "dlx")
        check_result(expected, boards, box, [])
        result = dlx.solve_batch(boards, limit, "lanes")
        check_result(result, boards, box, expected.counts.tolist())


def find_canonical_forms(rng: random.Random, folder: Path) -> None:
    """Compare canonical forms with brute force, and with those of equivalent boards."""
    box = rng.choice([*BOXES, Box(4, 4), Box(6, 6)])
    boards = random_boards(rng, box, rng.randint(1, 10))
    if rng.random() < 0.2 and 2 < box.rows < box.n:
        boards[0] = board_with_two_open_rows(box, rng)
    if box.n > 12:  # complete boards are often too symmetric
        boards[:, rng.sample(range(box.cells), box.cells // 2)] = 0
        _, errors = dlx.canonical(boards, box=box, errors="mark")
        boards = np.delete(boards, list(errors), axis=0)
        if not len(boards):
            return
    images = np.array([symmetries.random_equivalent(board, box, rng) for board in boards])
    with boards_kept_on_failure(folder / f"boards-{box}.txt", boards):
        forms = dlx.canonical(boards, threads=rng.choice([1, 2, None]), box=box)
        check_equal("forms of equivalent boards", dlx.canonical(images, box=box), forms)
        check_equal("forms of forms", dlx.canonical(forms, box=box), forms)
        for board, form in zip(boards[:2], forms[:2], strict=False):
            is_small = box.n <= 6 and max(box) < 5
            if is_small or (box.n == 9 and np.count_nonzero(board) > 3):
                smallest = symmetries.minimal_board_by_rows(board, box)
                check_equal("smallest board", tuple(form.tolist()), smallest)


CLASS_OF = {"": "invalid", "naked single": "simple", "hidden single": "easy"}
CLASS_OF |= dict.fromkeys(["pointing", "claiming", "naked pair", "hidden pair"], "intermediate")


def rate_boards(rng: random.Random, folder: Path) -> None:
    """Rate 9×9 boards, most of them valid; compare classes, scores and solutions."""
    number = rng.choice([1, 20, 40])
    random_state = np.random.RandomState(rng.randrange(2**32))
    boards = np.concatenate(
        [
            mixed_boards(number, rng.randrange(2**32)),
            random_boards(rng, Box(3, 3), 1 + number // 4),
        ]
    )
    for board, solution in zip(boards, dlx.solve_batch(boards).solutions, strict=True):
        for cell in rng.sample(range(81), rng.choice([0, 0, 1, 3, 10])):
            board[cell] = solution[cell] if rng.random() < 0.95 else rng.randint(0, 9)
    with boards_kept_on_failure(folder / "boards.txt", boards):
        ratings = dlx.rate(boards, threads=rng.randint(1, 3))
        for row, board in enumerate(boards.tolist()):
            expected = slow_class(board)
            check_equal(f"class of board {row}", str(ratings.difficulty[row]), expected)
            step = str(ratings.hardest[row]) or ("naked single" if expected != "invalid" else "")
            check_equal(
                f"class of the hardest step {step!r}", CLASS_OF.get(step, "expert"), expected
            )
        valid = ratings.codes > 0
        are_valid = are_solutions(ratings.solutions[valid], boards[valid], Box(3, 3))
        check(are_valid.all(), "wrong solution")
        equivalent = np.array([transform(board, random_state) for board in boards])
        others = dlx.rate(equivalent)
        check_equal("equivalent boards", others.codes, ratings.codes)
        check_equal("scores of equivalent boards", others.scores, ratings.scores)
        check_equal("steps of equivalent boards", others.hardest, ratings.hardest)


def board_with_two_open_rows(box: Box, rng: random.Random) -> NDArray[np.uint8]:
    """Return a board of a single band whose last row repeats the values of the rows before.

    These rows consist of values in the last stack. So the labels of both rows depend on the same
    order of columns, which the last row determines.
    """
    n, width = box.n, box.columns
    grid = np.zeros((n, n), np.uint8)
    values = rng.sample(range(1, n + 1), min(n, (box.rows - 1) * width))
    for index, value in enumerate(values):
        grid[index // width, n - width + index % width] = value
    rng.shuffle(values)
    for column, value in zip(rng.sample(range(n - width), n - width), values, strict=False):
        grid[box.rows - 1, column] = value if rng.random() < 0.7 else 0
    return grid.ravel()
