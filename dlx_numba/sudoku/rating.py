"""The difficulty of 9×9 puzzles, in the classes of qqwing."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import MAX_THREADS, Stop
from .backends import split_rows
from .box import Box
from .engines.base import BatchResult
from .engines.classify import (
    CLASSES,
    EXPERT,
    INTERMEDIATE,
    INVALID,
    allocate_workspace,
    classify_lanes,
)
from .engines.registry import borrowed_engine

BLOCK_BOARDS = 8192  # boards per call of a kernel, between which Ctrl-C is noticed


def classes(boards: NDArray[np.uint8], threads: int = 1) -> NDArray[np.uint8]:
    """Return the class of each board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, 81)
        The boards, 0 for an empty cell. The values must be valid; they are not checked.
    threads : int, optional
        The number of threads.

    Returns
    -------
    ndarray of uint8, shape (N,)
        Indices of `CLASSES`: 0 for a board without exactly one solution, 1 for simple, 2 for easy,
        3 for intermediate, 4 for expert.

    Examples
    --------
    >>> classes(np.zeros((1, 81), np.uint8))
    array([0], dtype=uint8)
    """
    return _classify(boards, EXPERT, threads)


def are_solved_by(boards: NDArray[np.uint8], hardest: int, threads: int = 1) -> NDArray[np.bool_]:
    """Return whether the techniques of a class solve each board; its solution is then unique.

    This is faster than `classes`, because other boards are given up.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, 81)
        The boards, 0 for an empty cell. The values must be valid; they are not checked.
    hardest : int
        The class: 1 for simple, 2 for easy, 3 for intermediate. The techniques of easier classes
        belong to it.
    threads : int, optional
        The number of threads.

    Returns
    -------
    ndarray of bool, shape (N,)
    """
    return _classify(boards, hardest, threads) <= hardest


def _classify(boards: NDArray[np.uint8], hardest: int, threads: int) -> NDArray[np.uint8]:
    """Return the class of each board; boards above `hardest` are `EXPERT` or `INVALID`."""
    result = np.empty(len(boards), np.uint8)
    n_blocks = -(-len(boards) // BLOCK_BOARDS)
    if threads == 1 or len(boards) <= threads:
        for rows in split_rows(len(boards), max(1, n_blocks)):
            _classify_block(boards[rows], hardest, result[rows])
        return result
    threads = min(threads, MAX_THREADS)
    with ThreadPoolExecutor(threads) as pool:
        blocks = split_rows(len(boards), max(n_blocks, threads))
        for future in [
            pool.submit(_classify_block, boards[rows], hardest, result[rows]) for rows in blocks
        ]:
            future.result()
    return result


def _classify_block(boards: NDArray[np.uint8], hardest: int, result: NDArray[np.uint8]) -> None:
    """Write the class of each board. Boards that no technique solves may have several solutions."""
    classify_lanes(boards, min(hardest, INTERMEDIATE), *allocate_workspace(), result)
    rows = np.flatnonzero(result == EXPERT)
    if hardest == EXPERT and len(rows):
        unsolved = boards[rows]
        solved = BatchResult.allocate(unsolved)
        with borrowed_engine("auto", Box(3, 3)) as engine:
            engine.solve(unsolved, 2, solved, Stop())
        result[rows[solved.counts != 1]] = INVALID


__all__ = ["CLASSES", "are_solved_by", "classes"]
