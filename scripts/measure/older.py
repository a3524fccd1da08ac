"""Measure what the oldest texts compare Dancing Links with: milliseconds to count all covers.

    python -m scripts.measure older [--runs 3] [--write]

The naive loop fills a Sudoku cell by cell, as in `bench`. The dense array is Algorithm X without
links: it scans the rows and the columns of a matrix to choose an item, and to find the options that
are left. The lists are Algorithm X by elimination: each step makes a smaller matrix, a list of
lists. `dancing_links` is measured compiled, and as plain Python. The programs alternate, the best
time of each counts, and all numbers of covers are compared.
"""

import argparse
from collections.abc import Callable
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from numba import njit

import dlx_numba as dlx
from dlx_numba import dancing_links
from dlx_numba.bench.naive import NaiveSolver
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import option_items
from dlx_numba.kernels.problem import Problem
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.base import EngineResult

from ..puzzles import DATA, read_boards
from ..tables import Row
from .harness import best_times

BLOCK = "older"
RUNS = 3
COMPILED = "naive loop", "dense array", "`dancing_links`", "`links`"
PLAIN = "lists, Python", "`dancing_links`, Python"
N_BOARDS = 10  # of the set `simple`
MAX_PLAIN_OPTIONS = 300  # of a problem that plain Python solves soon


class Task(NamedTuple):
    """Problems whose covers are counted, and boards that are the same."""

    name: str
    problems: list[Problem]
    boards: Any = None
    box: Box = Box(3, 3)


def tasks() -> list[Task]:
    """Return problems without optional items."""
    boards = read_boards(DATA / "simple.txt")[:N_BOARDS]
    texts = ["".join(map(str, board)) for board in boards.tolist()]
    puzzles = [dlx.read(text)[0].cover() for text in texts]
    empty = np.zeros((1, 16), np.uint8)
    small = dlx.read("." * 16)[0].cover()
    return [
        Task("all Sudoku grids of 4×4", [left_of(small)], empty, Box(2, 2)),
        Task(f"{N_BOARDS} Sudokus", [left_of(each) for each in puzzles], boards),
        Task("dominoes in 6×6", [left_of(dlx.example("tilings", region="6x6").cover())]),
        Task("pentominoes in 3×20", [left_of(dlx.example("polyominoes", region="3x20").cover())]),
    ]


def left_of(cover: dlx.ExactCover) -> Problem:
    """Return a problem without what its givens cover."""
    return named_problem(cover).selected.problem


@njit
def count_dense(matrix, is_row, is_column):
    """Count covers: find a column with the fewest rows, and remove what each of them excludes."""
    n_rows, n_columns = matrix.shape
    best = -1
    fewest = n_rows + 1
    for column in range(n_columns):
        if is_column[column]:
            size = 0
            for row in range(n_rows):
                size += is_row[row] and matrix[row, column]
            if size < fewest:
                fewest = size
                best = column
    if best < 0:
        return 1
    n_covers = 0
    for row in range(n_rows):
        if is_row[row] and matrix[row, best]:
            left_rows = is_row.copy()
            left_columns = is_column.copy()
            for column in range(n_columns):
                if matrix[row, column]:
                    left_columns[column] = False
                    for other in range(n_rows):
                        if matrix[other, column]:
                            left_rows[other] = False
            n_covers += count_dense(matrix, left_rows, left_columns)
    return n_covers


def count_lists(matrix: list[list[int]], n_columns: int) -> int:
    """Count covers: make a smaller matrix for each row of a column with the fewest."""
    if n_columns == 0:
        return 1
    sizes = [sum(row[column] for row in matrix) for column in range(n_columns)]
    best = sizes.index(min(sizes))
    n_covers = 0
    for row in matrix:
        if row[best]:
            columns = [k for k in range(n_columns) if not row[k]]
            others = [each for each in matrix if not any(map(int.__and__, each, row))]
            smaller = [[each[k] for k in columns] for each in others]
            n_covers += count_lists(smaller, len(columns))
    return n_covers


def count_naive(boards: Any, box: Box) -> int:
    """Count the solutions of boards by filling cell by cell."""
    result = EngineResult.allocate(boards)
    NaiveSolver(box).solve(boards, UNLIMITED, result, lambda: False)
    return int(result.counts.sum())


def plain_module() -> Any:
    """Return `dancing_links` as a module that is not compiled."""
    spec: Any = spec_from_file_location("dlx_numba.plain", dancing_links.__file__)
    module = module_from_spec(spec)
    with mock.patch("dlx_numba.jit.njit", lambda function: function):
        spec.loader.exec_module(module)
    return module


def count_linked(module: Any, options: list[list[int]], n_items: int) -> int:
    """Count covers with dancing links."""
    links = [array.view(np.uint32) for array in module.link(options, n_items)]
    chosen = np.zeros(n_items, np.uint32)
    nodes = np.zeros(n_items, np.int64)
    state = np.zeros(4, np.int64)
    return int(module.search(*links, chosen, nodes, state, UNLIMITED, UNLIMITED, False))


def calls_of(task: Task, plain: Any) -> dict[str, Callable[[], int]]:
    """Return for each program a call that counts the covers."""
    stated = [(option_items(each), each.n_primary) for each in task.problems]
    matrices = [np.zeros((len(options), n), np.bool_) for options, n in stated]
    for matrix, (options, _) in zip(matrices, stated, strict=True):
        for row, items in enumerate(options):
            matrix[row, items] = True
    lists = [matrix.astype(int).tolist() for matrix in matrices]
    named = [
        dlx.ExactCover(options, range(n), threads=1, algorithm="links") for options, n in stated
    ]

    def dense() -> int:
        ones = [(each, *(np.ones(n, np.bool_) for n in each.shape)) for each in matrices]
        return sum(count_dense(*arrays) for arrays in ones)

    def linked(module: Any) -> int:
        return sum(count_linked(module, *each) for each in stated)

    calls: dict[str, Callable[[], int]] = {
        "dense array": dense,
        "`dancing_links`": partial(linked, dancing_links),
        "`links`": lambda: sum(each.count(method="search") for each in named),
    }
    if task.boards is not None:
        calls["naive loop"] = partial(count_naive, task.boards, task.box)
    if max(map(len, lists)) <= MAX_PLAIN_OPTIONS:
        calls["lists, Python"] = lambda: sum(count_lists(m, len(m[0])) for m in lists)
        calls["`dancing_links`, Python"] = partial(linked, plain)
    return calls


def measure(options: argparse.Namespace) -> list[Row]:
    plain = plain_module()
    rows = [["milliseconds", "options", "covers", *COMPILED, *PLAIN]]
    for task in tasks():
        calls = calls_of(task, plain)
        counts = {name: call() for name, call in calls.items()}  # compiles the kernels
        assert len({*counts.values()}) == 1, (task.name, counts)
        best = best_times(calls, options.runs)
        times = [f"{1e3 * best[k]:,.2f}" if k in best else "" for k in (*COMPILED, *PLAIN)]
        sizes = f"{sum(each.n_options for each in task.problems):,}"
        rows.append([task.name, sizes, f"{max(counts.values()):,}", *times])
    return rows
