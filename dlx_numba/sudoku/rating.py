"""The difficulty of 9×9 puzzles, in the classes of qqwing."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import MAX_THREADS, Stop
from .backends import split_rows
from .box import Box
from .engines.base import BatchResult
from .engines.classify import CLASSES, EXPERT, INVALID, allocate_workspace, classify_lanes
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
    result = np.empty(len(boards), np.uint8)
    n_blocks = -(-len(boards) // BLOCK_BOARDS)
    if threads == 1 or len(boards) <= threads:
        for rows in split_rows(len(boards), n_blocks):
            _classify(boards[rows], result[rows])
        return result
    threads = min(threads, MAX_THREADS)
    with ThreadPoolExecutor(threads) as pool:
        parts = split_rows(len(boards), max(n_blocks, threads))
        for future in [pool.submit(_classify, boards[rows], result[rows]) for rows in parts]:
            future.result()
    return result


def _classify(boards: NDArray[np.uint8], result: NDArray[np.uint8]) -> None:
    """Write the class of each board. Boards that the techniques do not solve may have several."""
    classify_lanes(boards, *allocate_workspace(), result)
    rows = np.flatnonzero(result == EXPERT)
    if len(rows):
        unsolved = boards[rows]
        solved = BatchResult.allocate(unsolved)
        with borrowed_engine("auto", Box(3, 3)) as engine:
            engine.solve(unsolved, 2, solved, Stop())
        result[rows[solved.counts != 1]] = INVALID


__all__ = ["CLASSES", "classes"]
