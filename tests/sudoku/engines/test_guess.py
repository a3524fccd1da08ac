"""The choice of guesses by bitwise arithmetic, compared with its definition."""

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

BANDS, STACKS = range(3), range(3, 6)


def random_candidates(rng):
    """Return sets of candidates (81, 32): from nearly decided boards to nearly empty ones."""
    density = rng.uniform(0.1, 0.9, N_LANES)
    member = rng.random((9, 81, N_LANES)) < density
    cells = allocate_rows(81)
    cells[:] = (member << np.arange(9)[:, None, None]).sum(axis=0)
    return cells


def triads_of(chute):
    """Return the indices of the triads of a chute, by line."""
    return np.arange(9 * chute, 9 * chute + 9).reshape(3, 3)


def patterns(board, chute, digit):
    """Return the patterns of a digit in a chute: the triads of its three lines."""
    holds = [any(board[cell] >> digit & 1 for cell in TRIADS[triad]) for triad in range(54)]
    lines = triads_of(chute)
    choices = ([lines[k][order[k]] for k in range(3)] for order in permutations(range(3)))
    return [pattern for pattern in choices if all(holds[triad] for triad in pattern)]


def free_digits(board):
    """Return the set of chutes and digits that have all six patterns."""
    return {(c, d) for c in range(6) for d in range(9) if len(patterns(board, c, d)) == 6}


def expected_guess(board, free=None):
    """Return the digit and the triad of the guess, or None if no digit has two patterns.

    On hard boards, `free` contains the chutes and digits that were free at the first guess.
    """
    found = {(c, d): patterns(board, c, d) for c in range(6) for d in range(9)}
    best = None
    for chute in range(6):
        cells = TRIADS[triads_of(chute).ravel()].ravel()
        sizes = [int(board[cell]).bit_count() for cell in cells]
        several = [d for d in range(9) if len(found[chute, d]) > 1]
        if free is not None:
            several = [d for d in several if (chute, d) in free] or several
        two = [d for d in several if len(found[chute, d]) == 2]
        for digit in two or several:
            n_open = sum(
                size != 2 and bool(board[cell] >> digit & 1)
                for cell, size in zip(cells, sizes, strict=True)
            )
            crossing = STACKS if chute in BANDS else BANDS
            n_crossing = sum(len(found[other, digit]) != 2 for other in crossing)
            cost = sum(size != 2 for size in sizes) + 2 * (n_open + n_crossing)
            cost += 0 if two else 128
            if free is not None:
                n_patterns = sum(len(found[chute, d]) for d in range(9))
                n_several = sum(len(found[chute, d]) > 1 for d in range(9))
                n_free = sum((chute, d) in free for d in range(9))
                cost = n_patterns + 8 * (n_several - n_free), chute, cost
            else:
                cost = cost, chute
            if best is None or cost < best[0]:
                best = cost, chute, digit
    if best is None:
        return None
    _, chute, digit = best
    for line in triads_of(chute):
        holding = [t for t in line if any(board[cell] >> digit & 1 for cell in TRIADS[t])]
        if len(holding) > 1:
            return 1 << digit, holding[-1]
    raise AssertionError("two patterns differ in some line")


def test_guesses_have_the_least_cost():
    """On hard boards, digits that were free at the first guess are preferred."""
    rng = np.random.default_rng(4)
    guesses = allocate_rows(N_GUESS_ROWS)
    guesses[IS_HARD] = np.arange(N_LANES) % 4 > 0
    chosen = 0
    for _ in range(instances(10, 1)):
        first = random_candidates(rng)
        free = [free_digits(first[:, lane]) for lane in range(N_LANES)]
        later = first & random_candidates(rng)
        for cells, is_first in (first, 1), (later, 0):
            guesses[IS_FIRST] = is_first
            choose_guesses(cells, guesses)
            assert guesses[N_FREE].tolist() == [len(digits) for digits in free]
            for lane in range(N_LANES):
                digits = free[lane] if guesses[IS_HARD, lane] else None
                expected = expected_guess(cells[:, lane], digits)
                if expected is not None:
                    assert (guesses[DIGIT, lane], guesses[TRIAD, lane]) == expected
                    chosen += 1
    assert chosen > 30
