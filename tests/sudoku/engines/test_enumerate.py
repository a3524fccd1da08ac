"""All solutions of a board: neither the blocks nor the slices of the search change their order."""

import numpy as np

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import enumerate as enumerator


def test_order_does_not_depend_on_blocks_and_slices(monkeypatch):
    def blocks(size):
        empty = np.zeros(16, np.uint8)
        return list(enumerator.iterate_blocks(empty, Box(2, 2), lambda: False, size))

    expected = np.concatenate(blocks(256)).tolist()
    assert len(set(map(tuple, expected))) == 288
    monkeypatch.setattr(enumerator, "UPDATES_PER_SLICE", 20)
    for size in (1, 7, 288, 1000):
        assert max(map(len, blocks(size))) <= size
        assert np.concatenate(blocks(size)).tolist() == expected
