"""The engines `dlx-leftmost` and `dlx-literal`: the nodes that a recursive program visits."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from tests.helpers import oracles
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.kernels


def exact_cover(board, box):
    """Return the items that the givens leave, in order, and the options, as sets of items."""
    rows, columns, n = box.rows, box.columns, box.n
    options = []
    for cell in range(box.cells):
        r, c = divmod(cell, n)
        units = ((1, r), (2, c), (3, r // rows * rows + c // columns))
        options += [(cell, value, {(0, cell), *((*u, value) for u in units)}) for value in range(n)]
    given = [items for cell, value, items in options if board[cell] == value + 1]
    covered = set().union(*given)
    remaining = [items for _, _, items in options if not items & covered]
    return sorted(set().union(*(items for *_, items in options)) - covered), remaining


def calls(items, options, limit, fails_early):
    """Return the calls of the recursive program until `limit` solutions, and their number.

    To fail early is to reject an option whose other items take the last option of an item.
    """
    if not items:
        return 1, 1
    total, found = 1, 0
    others = [option for option in options if items[0] not in option]
    for option in options:
        if items[0] not in option or found == limit:
            continue
        left = [item for item in items if item not in option]
        kept = [other for other in others if not other & option]
        if fails_early and not set().union(*others).intersection(left) <= set().union(*kept):
            continue
        n_calls, n_found = calls(left, kept, limit - found, fails_early)
        total, found = total + n_calls, found + n_found
    return total, found


def test_nodes_of_random_boards():
    for seed in seeds(300):
        rng = random.Random(seed)
        box = rng.choice([Box(2, 2), Box(2, 3), Box(3, 2)])
        board = oracles.random_solution(box, rng)
        board[rng.sample(range(box.cells), box.cells // 2)] = 0
        limit = rng.choice([1, 2, 1000])
        items, options = exact_cover(board, box)
        for engine in ("dlx-leftmost", "dlx-literal"):
            is_literal = engine == "dlx-literal"
            n_calls, n_found = calls(items, options, limit, not is_literal)
            result = dlx.solve_batch(board[None], limit=limit, engine=engine, box=box)
            visited = result.nodes[0] if is_literal else result.nodes[0] + result.counts[0]
            assert (visited, result.counts[0]) == (n_calls, n_found)
