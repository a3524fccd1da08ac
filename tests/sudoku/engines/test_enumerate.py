"""All solutions of a board, compared with a brute-force search."""

from itertools import chain

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import enumerate as enumerator
from tests.helpers.boards import random_boards
from tests.helpers.seeds import instances
from tests.helpers.variants import variant_solutions


def iterate_solutions(board, box):
    return chain.from_iterable(enumerator.iterate_blocks(board, box, lambda: False))


@pytest.mark.parametrize(
    ("box", "number", "max_blanks"),
    [
        (Box(3, 2), 400, 13),
        (Box(1, 5), 200, 18),
        (Box(3, 3), 30, 36),
    ],
    ids=str,
)
def test_solutions_are_those_of_brute_force(box, number, max_blanks):
    boards = random_boards(box, instances(number, at_least=20), max_blanks)
    counts = dlx.solve_batch(boards, limit=None, engine="dlx", box=box)
    for board, count, first in zip(boards, counts.counts, counts.solutions, strict=True):
        solutions = [tuple(each.tolist()) for each in iterate_solutions(board, box)]
        expected = variant_solutions(board.tolist(), box, {})
        assert sorted(solutions) == sorted(map(tuple, expected))
        assert len(solutions) == count
        assert not solutions or solutions[0] == tuple(first.tolist())
    assert len(set(counts.counts.tolist())) > 1


def test_order_does_not_depend_on_blocks_and_slices(monkeypatch):
    empty, box = np.zeros(16, np.uint8), Box(2, 2)
    expected = [each.tolist() for each in iterate_solutions(empty, box)]
    assert len(expected) == 288
    monkeypatch.setattr(enumerator, "UPDATES_PER_SLICE", 20)
    assert [each.tolist() for each in iterate_solutions(empty, box)] == expected
    for size in (1, 7, 288, 1000):
        blocks = list(enumerator.iterate_blocks(empty, box, lambda: False, size))
        assert max(map(len, blocks)) <= size
        assert np.concatenate(blocks).tolist() == expected
