"""Networks of constraints, compared with brute force."""

import random
from itertools import product

import numpy as np

from dlx_numba.kernels.network import (
    CHOICE,
    DISTINCT,
    LEVEL,
    N_FOUND,
    RELATED,
    SUM,
    Constraint,
    Network,
    NetworkSearch,
)
from dlx_numba.kernels.network_search import explore, search_boards, start_search
from tests.helpers.seeds import seeds


def random_constraint(n, n_cells, rng):
    form, size = rng.choice((RELATED, DISTINCT, CHOICE, SUM)), rng.randint(1, min(n, n_cells))
    cells = rng.sample(range(n_cells), size)
    if form == SUM:
        bounds = sorted(rng.randint(-n, 3 * n) for _ in range(2))
        return Constraint(
            form, cells, (), tuple(bounds), [rng.choice((-10, -1, 1, 2)) for _ in cells]
        )
    if form == RELATED:
        return Constraint(form, cells, [rng.randrange(1 << n) for _ in range(n)])
    if form == CHOICE:
        return Constraint(
            form, cells, [rng.randrange(1 << n) for _ in range(size * rng.randint(1, 4))]
        )
    sets = [mask for mask in range(1 << n) if mask.bit_count() == size]
    return Constraint(form, cells, rng.sample(sets, rng.randint(1, len(sets))))


def is_satisfied(constraint, values):
    form, cells, masks, (low, high), coefficients = constraint
    bits = [1 << (values[cell] - 1) for cell in cells]
    if form == SUM:
        total = sum(c * values[cell] for c, cell in zip(coefficients, cells, strict=True))
        return low <= total <= high
    if form == RELATED:
        return all(masks[values[cells[0]] - 1] & bit for bit in bits[1:])
    if form == DISTINCT:
        return len({*bits}) == len(bits) and sum(bits) in masks
    alternatives = [masks[k : k + len(cells)] for k in range(0, len(masks), len(cells))]
    return any(all(a & b for a, b in zip(each, bits, strict=True)) for each in alternatives)


def test_solutions():
    for seed in seeds(3000, 1):
        rng = random.Random(seed)
        n, n_cells = rng.randint(2, 4), rng.randint(1, 5)
        stated = [random_constraint(n, n_cells, rng) for _ in range(rng.randint(0, 5))]
        boards = np.array(
            [[rng.choice((0, 0, rng.randint(1, 2 * n))) for _ in range(n_cells)] for _ in range(3)],
            np.uint8,
        )
        network = Network.build(n, n_cells, stated)
        expected = [
            [
                values
                for values in product(range(1, n + 1), repeat=n_cells)
                if all(
                    b in (0, v) or (b > n and b - n != v)
                    for b, v in zip(board, values, strict=True)
                )
                and all(is_satisfied(each, values) for each in stated)
            ]
            for board in boards.tolist()
        ]
        limit = rng.choice((1, 2, 1 << 20))
        search = NetworkSearch.allocate(network, rng.choice((0, 1 + seed)))
        solutions, counts, nodes = np.zeros_like(boards), np.full(3, -1), np.zeros(3, np.int64)
        max_work = rng.choice((1, 1 << 20))
        arguments = network, search, boards, limit, max_work, solutions, counts, nodes
        while not search_boards(*arguments):
            pass
        assert counts.tolist() == [min(limit, len(each)) for each in expected]
        for solution, each in zip(solutions.tolist(), expected, strict=True):
            assert tuple(solution) in each if each else not any(solution)
        start_search(network, search, boards[0])
        found = set()
        while search.register[LEVEL] >= 0:
            block, search.register[N_FOUND] = np.zeros((2, n_cells), np.uint8), 0
            explore(network, search, 2, 1 << 40, block)
            found |= {*map(tuple, block[: search.register[N_FOUND]].tolist())}
        assert found == {*expected[0]}
