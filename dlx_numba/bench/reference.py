"""Textbook solvers, over which the benchmark states speedups. Each is a function."""

from collections.abc import Callable
from itertools import product

from ..sudoku.box import Box, units
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from ..sudoku.engines.naive import NaiveEngine

PYTHON_STEPS_PER_SLICE = 1 << 8  # boards filled in between two calls of `stop`


def solve_very_naively(
    box: Box, boards: Boards, limit: int, result: EngineResult, stop: StopCheck
) -> None:
    """Fill in all empty cells in every way, and check each complete board, in plain Python."""
    lines = units(box)
    for row, filled in enumerate(boards.tolist()):
        blanks = [cell for cell, value in enumerate(filled) if not value]
        n_found = n_tried = 0
        for values in product(range(1, box.n + 1), repeat=len(blanks)):
            if n_found == limit:
                break
            if n_tried % PYTHON_STEPS_PER_SLICE == 0 and stop():
                return
            n_tried += 1
            for cell, value in zip(blanks, values, strict=True):
                filled[cell] = value
            if all(len({filled[cell] for cell in cells}) == box.n for cells in lines):
                if n_found == 0:
                    result.solutions[row] = filled
                n_found += 1
        result.counts[row], result.nodes[row] = n_found, n_tried


def eliminate(box: Box, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
    """Fill in the cells with a single candidate until there are none, in plain Python.

    A board that remains unfinished has the count -1. One that is completed has no other solution,
    so its count is 1 for any limit.
    """
    lines = [[cells for cells in units(box) if cell in cells] for cell in range(box.cells)]
    for row, board in enumerate(boards.tolist()):
        if stop():
            return
        candidates = [{value} if value else set(range(1, box.n + 1)) for value in board]
        decided = [cell for cell, value in enumerate(board) if value]
        while decided and all(candidates):
            cell = decided.pop()
            for peer in {peer for cells in lines[cell] for peer in cells} - {cell}:
                before = len(candidates[peer])
                candidates[peer] -= candidates[cell]
                if len(candidates[peer]) == 1 < before:
                    decided.append(peer)
        if all(candidates):
            result.solutions[row] = [min(c) if len(c) == 1 else 0 for c in candidates]
        sizes = set(map(len, candidates))
        result.counts[row] = 0 if 0 in sizes else 1 if sizes == {1} else -1


def solve_in_python(
    box: Box, boards: Boards, limit: int, result: EngineResult, stop: StopCheck
) -> None:
    """Run the engine `naive` without compilation."""
    NaiveEngine(box, compiled=False).solve(boards, limit, result, stop)


Solver = Callable[[Box, Boards, int, EngineResult, StopCheck], None]

SOLVERS: dict[str, Solver] = {
    "elimination": eliminate,
    "naive-python": solve_in_python,
    "very-naive": solve_very_naively,
}
