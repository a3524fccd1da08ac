"""Rate boards by deductions: all steps of the simplest level are taken at once, round by round."""

import numpy as np

from ...jit import njit
from .remaining import choose_option
from .steps import (
    CHAIN,
    CONTINUES,
    CURSOR,
    FOUND,
    LACKING,
    LEVEL,
    N_FOUND,
    N_ROUNDS,
    find_step,
)

FIRST_CHAIN = 64  # the level of chains of one round
GUESS = 1 << 20  # the level of a board that the steps do not complete, or show to be impossible
HARDEST, SCORE, USED = range(3)  # columns of ratings
N_COLUMNS = 3
CHAIN_WEIGHT = 10
GUESS_WEIGHT = 1000


@njit
def rate_by_steps(boards, weights, levels, tables, initial, remaining, ratings):
    """Rate boards by their steps, up to the last level. Option `n * k + v - 1` places v in cell k.

    Parameters: `boards` (N, cells) uint8, of n × n cells; `weights` (levels,) int64; `levels`, a
    `Levels`; `tables` and `initial`, of an empty board; `remaining`, a `Remaining` that is written;
    `ratings` (N, N_COLUMNS) int64, which receives HARDEST, the number of the hardest level, or
    `FIRST_CHAIN` and the length of a chain, minus 1, or `GUESS` if the steps end early; SCORE, the
    sum of the weights of the steps; and USED, a bit for each level that was used.
    """
    n_values = np.int64(len(initial.trail) // boards.shape[1])
    for row in range(len(boards)):
        _copy(initial.available, remaining.available)
        _copy(initial.slack, remaining.slack)
        _copy(initial.need, remaining.need)
        _copy(initial.room, remaining.room)
        _copy(initial.low, remaining.low)
        _copy(initial.high, remaining.high)
        for k in range(boards.shape[1]):
            value = boards[row, k]
            if value:
                option = np.uint32(n_values * k + value - 1)
                choose_option(option, tables, remaining, np.int64(0), np.int64(0))
        hardest = -1
        score = used = 0
        is_open = _is_open(remaining.available)
        progress = levels.progress
        while is_open:
            progress[LEVEL] = progress[CURSOR] = 0
            status = CONTINUES
            while status == CONTINUES:
                status = find_step(False, levels, tables, remaining)  # not only the first step
            if status != FOUND or progress[LACKING] >= 0:  # no step, or a contradiction
                hardest, score, is_open = GUESS, score + GUESS_WEIGHT, False
                continue
            level = progress[LEVEL]
            weight = weights[level]
            used |= 1 << level
            if levels.rules[level, 0] == CHAIN:
                weight += CHAIN_WEIGHT * progress[N_ROUNDS]
                level = FIRST_CHAIN + progress[N_ROUNDS] - 1
            hardest, score = max(hardest, level), score + weight * progress[N_FOUND]
            is_open = _is_open(remaining.available)
        ratings[row, HARDEST] = hardest
        ratings[row, SCORE] = score
        ratings[row, USED] = used


@njit
def _copy(source, target):
    """Copy an array; slices would need Numba's allocator."""
    for k in range(len(source)):
        target[k] = source[k]


@njit
def _is_open(available):
    """Return whether options are left in a bitmap (words,) uint64."""
    found = np.uint64(0)
    for options in available:
        found |= options
    return found != 0
