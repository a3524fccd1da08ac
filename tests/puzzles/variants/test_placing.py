"""Rules that the generator places on grids."""

import json
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import SudokuRules
from dlx_numba.puzzles.variants.fpuzzles import LINES, format_fpuzzles
from dlx_numba.puzzles.variants.placing import FORMS
from dlx_numba.puzzles.variants.puzzle import parse_puzzle
from dlx_numba.sudoku.box import Box
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds


def test_entries_fit_the_grid():
    for seed in seeds(200, 10):
        rng, box = random.Random(seed), Box(2 + seed % 2, 2 + seed % 2)
        names = rng.sample(sorted(FORMS), rng.randint(1, 3))
        numbers = {name: rng.randint(0, 2 if box.n == 4 else 5) for name in names}
        rules = SudokuRules(diagonals=seed % 3 == 0, **numbers)
        placed, grid = rules.place(box, seed, lambda: False)
        assert {name: len(getattr(placed, name)) for name in names} == numbers
        solved = dlx.solve_batch(grid[np.newaxis], 2, rules=placed, box=box)
        assert solved.counts.tolist() == [1]
        text = format_fpuzzles(placed.stated(), box, [0] * box.cells, grid.tolist())
        read = SudokuRules(**parse_puzzle(text).constraints)
        assert solved == dlx.solve_batch(grid[np.newaxis], 2, rules=read, box=box)
        assert {name: len(getattr(read, name)) for name in names} == numbers


def test_generated_puzzles_are_unique_and_minimal():
    rules = SudokuRules(cages=8, arrows=2, differences=3)
    found = dlx.generate(4, rules=rules, seed=1, threads=1)
    assert dlx.generate(2, rules=rules, seed=1, threads=2).rules == found.rules[:2]
    assert found.to_pandas().rules.map(dlx.SudokuRules.from_json).tolist() == found.rules
    for puzzle, own in zip(found.puzzles, found.rules, strict=True):
        assert dlx.is_minimal(puzzle, rules=own).all()
    with pytest.raises(ValueError, match="each puzzle has rules of its own"):
        dlx.solve_batch(found)
    lines = invoke(
        "generate",
        4,
        "--cages",
        8,
        "--arrows",
        2,
        "--differences",
        3,
        "--seed",
        1,
        "-f",
        "fpuzzles",
    )[0].splitlines()
    for line, puzzle, own in zip(lines, found.puzzles, found.rules, strict=True):
        read = parse_puzzle(line)
        assert (read.board == puzzle).all()
        assert SudokuRules(**read.constraints).placed_counts == {}
        assert len(read.constraints["cages"]) == len(own.cages) == 8


def test_rules_that_cannot_be_placed():
    with pytest.raises(ValueError, match="no room for 200 sums on a 9x9 board"):
        dlx.generate(1, rules=SudokuRules(sums=200), seed=1)
    with pytest.raises(
        ValueError, match="cages=3 is a number of cages, which only generate places"
    ):
        dlx.solve_batch(["." * 81], rules=SudokuRules(cages=3))
    with pytest.raises(ValueError, match="f-puzzles has no windows"):
        format_fpuzzles({"windows": True}, Box(3, 3), [0] * 81, [0] * 81)
    with pytest.raises(ValueError, match="f-puzzles has no circle in this order"):
        format_fpuzzles({"arrows": [((1, 0), 2)]}, Box(3, 3), [0] * 81, [0] * 81)
    for negative in ({"negative": ["differences"]}, {"non_consecutive": True}):
        with pytest.raises(ValueError, match="differences=3 cannot be combined with a negative"):
            dlx.generate(1, rules=SudokuRules(differences=3, **negative), seed=1)
    assert json.loads(SudokuRules(cages=3).to_json()) == {"cages": 3}


def test_rules_are_exported_as_they_are_read():
    lines = {rule: [[0, 1, 2], [30, 31]] for rule in LINES.values()}
    for rule in ("between_lines", "lockouts"):
        lines[rule] = [[0, 1, 2]]
    rules = SudokuRules(
        diagonals=True,
        anti_king=True,
        extra_regions=[[0, 1]],
        cages=[(5, [0, 1]), (None, [2, 3])],
        arrows=[[0, 1, 2], [[9, 10], 11, 12]],
        clones=[[0, 13]],
        differences=[(0, 1, 1), (2, 3, 4)],
        ratios=[(0, 1, 3)],
        sums=[(0, 1, 10), (2, 3, 5)],
        **lines | {"whispers": [(None, [0, 1]), (4, [4, 5])]},
    )
    text = format_fpuzzles(rules.stated(), Box(3, 3), [0] * 81, [0] * 81)
    assert SudokuRules(**parse_puzzle(text).constraints) == rules
