"""Independent checks of solutions: by brute force, by definition, and by another solver."""

from collections import defaultdict
from itertools import pairwise, product

import pytest

import dlx_numba
from dlx_numba.gallery import (
    Knight,
    Mates,
    Sudoku,
    Words,
)

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python


def split_cells(text):
    return [line.split() for line in text.splitlines()]


def test_closed_tour_returns_to_the_corner():
    knight = Knight(6, 6, closed=True)
    path = knight.path(knight.cover().first())
    assert path[0] == (1, 1)
    assert len(set(path)) == 36
    for (r, c), (i, j) in pairwise([*path, path[0]]):
        assert sorted((abs(r - i), abs(c - j))) == [1, 2]


def test_sudoku_with_givens_agrees_with_the_solver():
    givens = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sudoku = Sudoku(givens=givens)
    [solution] = sudoku.cover().solve(limit=2)
    assert "".join(sudoku.text(solution).split()) == dlx_numba.solve_sudoku(givens)


def test_mates_are_orthogonal():
    mates = Mates()
    pairs = split_cells(mates.text(mates.cover().first()))
    assert len({pair for row in pairs for pair in row}) == 100
    for line in [*pairs, *zip(*pairs, strict=True)]:
        assert len({a for a, _ in line}) == len({b for _, b in line}) == 10


def test_all_words_are_in_the_grid():
    words = Words()
    grid = split_cells(words.text(words.cover().first()))
    lines = defaultdict(str)  # rows, columns and diagonals, read in both directions
    for r, c in product(range(7), range(9)):
        for line in (("row", r), ("column", c), ("down", r - c), ("up", r + c)):
            lines[line] += grid[r][c]
    texts = " ".join([*lines.values(), *(text[::-1] for text in lines.values())])
    assert all(word in texts for word in words.words.split(","))
