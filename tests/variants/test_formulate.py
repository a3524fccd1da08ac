"""The exact cover problems of variants against backtracking, and known counts."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba import Stopped, SudokuRules
from dlx_numba.sudoku.box import Box
from tests.helpers.hosts import SetAfter
from tests.helpers.seeds import seeds
from tests.helpers.variants import NAMES, random_variant, variant_solutions


@pytest.mark.parametrize("name", [*NAMES, ""])
def test_solutions_at_4x4_are_those_of_backtracking(name):
    """Each rule, and combinations."""
    for seed in seeds(20, 1) if name else seeds(500):
        rng = random.Random(seed)
        names = [name] if name else rng.sample(NAMES, rng.randint(2, 4))
        board, rules = random_variant(Box(2, 2), names, rng, 0 if name else 1)
        found = dlx.iter_solutions(board, box="2x2", rules=SudokuRules(**rules))
        assert sorted(found) == sorted(variant_solutions(board, Box(2, 2), rules))


# The numbers of grids, from exhaustive searches by other programs: "diagonal" Latin squares that
# are Sudoku grids (4x4: 48; 9x9 has 55,613,393,399,531,520)
@pytest.mark.parametrize(
    ("box", "rules", "count"),
    [
        ((2, 2), SudokuRules(), 288),
        ((2, 2), SudokuRules(diagonals=True), 48),
        ((2, 3), SudokuRules(diagonals=True), 8640),
    ],
)
def test_known_counts(box, rules, count):
    assert rules.exact_cover(box).count() == count


def test_no_pair_is_excluded_twice():
    """Pairs that share an item need no other; the diagonals of a 4×4 board cross all boxes."""
    king = SudokuRules(anti_king=True).exact_cover((2, 2))
    boxes = SudokuRules(extra_regions=[[0, 1, 4, 5]]).exact_cover((2, 2))
    assert boxes == SudokuRules().exact_cover((2, 2))
    assert king.n_items - 64 < 4 * 10  # the ten diagonal pairs between boxes


def test_regions_may_have_any_size():
    """A board of prime side has no boxes, but it may have regions. The first row is any of 5!."""
    regions = ["AABBB", "AACCB", "ADCCB", "DDCEE", "DDEEE"]
    cover = SudokuRules(regions="\n".join(regions)).exact_cover("1x5")
    board, rules = [1, 2, 3, 4, 5, *[0] * 20], {"regions": "".join(regions)}
    assert cover.count() == 120 * sum(1 for _ in variant_solutions(board, Box(1, 5), rules)) > 0


def test_the_formulation_asks_often_whether_to_stop():
    """The parts of tests/test_limits.py that ask more than once."""
    with pytest.raises(Stopped):
        SudokuRules(anti_king=True, clones=[[0, 255]]).exact_cover("4x4", stop=SetAfter(300))
