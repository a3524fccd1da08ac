"""The choice of guesses: a digit with several patterns, and a triad in which they differ.

The numbers of guesses, which the benchmarks state, and those of hard boards depend on all costs.
"""

from itertools import permutations

import numpy as np

from dlx_numba.jit.simd import N_LANES, allocate_rows
from dlx_numba.sudoku.engines.guess import (
    DIGIT,
    IS_FIRST,
    IS_HARD,
    N_FREE,
    N_GUESS_ROWS,
    TRIAD,
    TRIADS,
    choose_guesses,
)
from tests.helpers.seeds import instances


def random_candidates(rng):
    """Return sets of candidates (81, 32): from nearly decided boards to nearly empty ones."""
    density = rng.uniform(0.1, 0.9, N_LANES)
    member = rng.random((9, 81, N_LANES)) < density
    cells = allocate_rows(81)
    cells[:] = (member << np.arange(9)[:, None, None]).sum(axis=0)
    return cells


def patterns(board, chute, digit):
    """Return the patterns of a digit in a chute: the triads of its three lines."""
    lines = np.arange(9 * chute, 9 * chute + 9).reshape(3, 3)
    choices = ([lines[k][order[k]] for k in range(3)] for order in permutations(range(3)))
    return [each for each in choices if (board[TRIADS[each]] >> digit & 1).any(axis=1).all()]


def test_each_guess_has_two_branches():
    """A digit with two patterns is preferred, except on hard boards."""
    rng = np.random.default_rng(4)
    guesses = allocate_rows(N_GUESS_ROWS)
    guesses[IS_HARD] = np.arange(N_LANES) % 4 > 0
    guesses[IS_FIRST] = 1
    chosen = 0
    for _ in range(instances(10, 1)):
        cells = random_candidates(rng)
        choose_guesses(cells, guesses)
        for lane, board in enumerate(cells.T):
            found = {(c, d): patterns(board, c, d) for c in range(6) for d in range(9)}
            sizes = [len(each) for each in found.values()]
            assert guesses[N_FREE, lane] == sizes.count(6)
            if max(sizes) > 1:
                triad, digit = guesses[TRIAD, lane], int(guesses[DIGIT, lane]).bit_length() - 1
                in_chute = found[triad // 9, digit]
                is_preferred = len(in_chute) == 2 or 2 not in sizes
                assert len(in_chute) > 1
                assert is_preferred or guesses[IS_HARD, lane]
                line = range(triad // 3 * 3, triad // 3 * 3 + 3)
                holding = [t for t in line if (board[TRIADS[t]] >> digit & 1).any()]
                assert len(holding) > 1
                assert holding[-1] == triad
                chosen += 1
    assert chosen > 15
