"""Independent checks of solutions: by brute force, by definition, and by another solver."""

import random
from collections import defaultdict
from itertools import pairwise, product

import pytest

import dlx_numba
from dlx_numba.gallery import (
    Calendar,
    GeniusStar,
    Knight,
    MacMahon,
    Mates,
    Sudoku,
    Tilings,
    Words,
)
from dlx_numba.gallery.calendar import DAYS, MONTHS
from dlx_numba.gallery.genius_star import DICE

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python


def split_cells(text):
    return [line.split() for line in text.splitlines()]


def test_each_date_of_the_calendar_has_a_solution():
    cover = Calendar().cover()
    dates = [[month, day] for month in MONTHS for day in DAYS]
    batch = cover.solve_batch(given=dates, limit=None)
    assert (batch.counts.sum(), batch.counts.min()) == (25061, 7)


def test_each_roll_of_the_genius_star_has_a_solution():
    rng = random.Random(1)
    rolls = [[f"B{rng.choice(die)}" for die in DICE] for _ in range(1000)]
    assert GeniusStar(roll="").cover().solve_batch(given=rolls).counts.all()


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


def test_keywords_of_cover_replace_the_costs_of_the_entry():
    problem = Tilings(region="2x2").cover(costs=[1, 2, 2, 1])
    assert [cost for cost, _ in problem.cheapest(2)] == [2, 4]


def test_macmahon_uses_each_square_once():
    squares = MacMahon()
    lines = squares.text(squares.cover(choose="random", seed=1).first()).splitlines()
    across, down = [line.split() for line in lines[::2]], [line.split() for line in lines[1::2]]
    assert {*across[0], *across[-1], *(row[0] for row in down), *(row[-1] for row in down)} == {"a"}
    found = set()
    for r, c in product(range(4), range(6)):
        sides = across[r][c] + down[r][c + 1] + across[r + 1][c] + down[r][c]
        found.add(min(sides[k:] + sides[:k] for k in range(4)))
    assert len(found) == 24


def test_all_words_are_in_the_grid():
    words = Words()
    grid = split_cells(words.text(words.cover().first()))
    lines = defaultdict(str)  # rows, columns and diagonals, read in both directions
    for r, c in product(range(7), range(9)):
        for line in (("row", r), ("column", c), ("down", r - c), ("up", r + c)):
            lines[line] += grid[r][c]
    texts = " ".join([*lines.values(), *(text[::-1] for text in lines.values())])
    assert all(word in texts for word in words.words.split(","))
