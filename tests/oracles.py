"""Brute force, short enough to be seen to be right, and random problems to hold solvers against."""

import random
from collections.abc import Iterator

import numpy as np

from dlx_numba.box import Box


def covers(options: list[list[int]], primary: set[int]) -> Iterator[list[int]]:
    """All exact covers: each primary item in one chosen option, each other item in one or none."""

    def extend(chosen: list[int], covered: frozenset[int]) -> Iterator[list[int]]:
        missing = primary - covered
        if not missing:
            yield sorted(chosen)
            return
        item = min(missing)
        for number, option in enumerate(options):
            if item in option and covered.isdisjoint(option):
                yield from extend([*chosen, number], covered | set(option))

    return extend([], frozenset())


def random_cover_problem(seed: int) -> tuple[list[list[int]], list[int], list[int]]:
    """Options, primary and secondary items; about half of them have a cover."""
    rng = random.Random(seed)
    n_primary, n_secondary = rng.randint(0, 8), rng.choice([0, 0, 1, 3])
    items = range(n_primary + n_secondary)
    options = [
        sorted(rng.sample(items, rng.randint(0, min(4, len(items)))))
        for _ in range(rng.randint(0, 14))
    ]
    if rng.random() < 0.5:  # plant one
        left = list(range(n_primary))
        rng.shuffle(left)
        while left:
            size = rng.randint(1, 3)
            options.insert(rng.randint(0, len(options)), sorted(left[:size]))
            left = left[size:]
    return options, list(items[:n_primary]), list(items[n_primary:])


def random_solution(box: Box, rng: random.Random) -> np.ndarray:
    """A full board: the pattern that every box has, its digits, lines and bands shuffled."""
    n = box.n
    digits = rng.sample(range(1, n + 1), n)

    def shuffled(bands: int, lines: int) -> list[int]:
        return [
            band * lines + line
            for band in rng.sample(range(bands), bands)
            for line in rng.sample(range(lines), lines)
        ]

    rows, columns = shuffled(box.columns, box.rows), shuffled(box.rows, box.columns)
    return np.array(
        [
            digits[(row % box.rows * box.columns + row // box.rows + column) % n]
            for row in rows
            for column in columns
        ],
        np.uint8,
    )


def random_board(box: Box, rng: random.Random, blanks: int) -> np.ndarray:
    """A board with that many blanks; one in five has givens changed at random."""
    board = random_solution(box, rng)
    board[rng.sample(range(box.cells), blanks)] = 0
    if rng.random() < 0.2:
        for cell in rng.sample(range(box.cells), 2):
            board[cell] = rng.randint(1, box.n)
    return board
