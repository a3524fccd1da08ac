"""The functions for boards with rules, against backtracking and against each other."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import SudokuRules
from dlx_numba.puzzles.variants.engine import variant_engine
from dlx_numba.puzzles.variants.expand import list_requirements
from dlx_numba.puzzles.variants.formulate import formulate
from dlx_numba.runtime.errors import Stopped
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.engines.registry import ENGINES
from tests.helpers.hosts import SetAfter
from tests.helpers.oracles import random_solution
from tests.helpers.seeds import seeds
from tests.helpers.variants import NAMES, random_rules, random_variant, variant_solutions

DIAGONAL = SudokuRules(diagonals=True)
BOX, EMPTY = Box(3, 3), np.zeros((1, 81), np.uint8)


def candidates_of(solutions: list[list[int]], box: Box) -> np.ndarray:
    marked = np.zeros((box.cells, box.n), bool)
    for solution in solutions:
        marked[np.arange(box.cells), np.array(solution) - 1] = True
    return marked


def as_strings(solutions: list[list[int]]) -> list[str]:
    return ["".join(map(str, solution)) for solution in solutions]


def check_solutions(board: list[int], box: Box, values: dict) -> None:
    """Compare all functions that solve a board with backtracking."""
    rules, text = SudokuRules(**values) if values else None, "".join(map(str, board))
    expected = list(variant_solutions(board, box, values))
    for limit in (1, 2, None):  # which does not change the candidates
        batch = dlx.solve_batch([text, text], limit, rules=rules, box=box, candidates=True)
        assert batch.counts.tolist() == [len(expected[:limit])] * 2
        assert not expected or batch.solutions[1].tolist() in expected
        assert np.array_equal(batch.candidates, [candidates_of(expected, box)] * 2)
    found = dlx.iter_solutions(text, box=box, rules=rules)
    assert sorted(found) == sorted(as_strings(expected))
    if expected:
        assert dlx.solve_sudoku(text, box=box, rules=rules) in as_strings(expected)
    else:
        with pytest.raises(dlx.NoSolution):
            dlx.solve_sudoku(text, box=box, rules=rules)


@pytest.mark.parametrize("box", [Box(2, 2), pytest.param(Box(3, 2), marks=pytest.mark.thorough)])
def test_solutions_and_candidates(box):
    for seed in seeds(200 if box.n == 4 else 20, 4):
        rng = random.Random(seed)
        names = [name for name in NAMES if name != "windows" or box.n == 4]
        chosen = rng.sample(names, seed % 4)
        board, values = random_variant(box, chosen, rng, 1 if box.n == 4 else 18)
        check_solutions(board, box, values)


def test_killers():
    """Cages of the whole board, from which sums of other cells follow."""
    for seed in seeds(300, 6):
        rng, box = random.Random(seed), Box(2, 2 + seed % 2)
        solution = random_solution(box, rng).ravel().tolist()
        halves: dict[tuple[int, bool], list[int]] = {}  # of the rows
        for cell in range(box.cells):
            halves.setdefault((cell // box.n, rng.random() < 0.5), []).append(cell)
        values = {"cages": [(sum(solution[c] for c in cage), cage) for cage in halves.values()]}
        if seed % 3 == 0:
            for name in ("arrows", "little_killers"):
                values[name] = random_rules(name, solution, box, rng)
        given = rng.sample(range(box.cells), 0 if box.n == 4 else 12)
        board = [solution[cell] if cell in given else 0 for cell in range(box.cells)]
        check_solutions(board, box, values)


def test_candidates_of_many_boards():
    """Boards without a solution and unreadable ones have no candidates; others are not affected."""
    puzzle = dlx.generate(1, seed=3).puzzles[0]
    several = np.where(np.arange(81) < 40, puzzle, 0)
    boards = [puzzle, several, np.where(np.arange(81) < 2, 1, 0)]
    strings = ["".join(map(str, board)) for board in boards]
    batch = dlx.solve_batch([*strings, None], 2, candidates=True, errors="mark")
    assert batch.candidates.sum(axis=(1, 2)).tolist()[0] == 81
    assert batch.counts.tolist() == [1, 2, 0, -1]
    assert not batch.candidates[2:].any()
    again = dlx.solve_batch([strings[1]], candidates=True, engine="dlx")
    assert np.array_equal(again.candidates[0], batch.candidates[1])
    assert batch != batch._replace(candidates=None)


@pytest.mark.parametrize(
    "rules",
    [
        DIAGONAL,
        SudokuRules(anti_king=True, windows=True),
        SudokuRules(clones=[[0, 40], [40, 80]], thermometers=[[3, 4, 5]], cages=[(10, [9, 10])]),
    ],
)
def test_generated_puzzles(rules):
    result = dlx.generate(3, rules=rules, seed=1, threads=1)
    solved = dlx.solve_batch(result.puzzles, 2, rules=rules)
    assert solved.counts.tolist() == [1] * 3
    assert np.array_equal(solved.solutions, result.solutions)
    assert dlx.is_minimal(result.puzzles, rules=rules).all()
    fewer = dlx.generate(2, rules=rules, seed=1, threads=2)
    assert np.array_equal([*fewer], [array[:2] for array in result])
    minimized = dlx.minimize(result.solutions, rules=rules, seed=5, threads=2)
    assert np.array_equal(minimized, dlx.minimize(result.solutions, rules=rules, seed=5))
    assert dlx.is_minimal(minimized, rules=rules).all()


def test_requests_for_puzzles():
    result = dlx.generate(2, rules=DIAGONAL, symmetry="rotate180", clues=(25, 35), minimal=False)
    givens = result.puzzles > 0
    assert np.array_equal(givens, givens[:, ::-1])
    assert ((givens.sum(axis=1) >= 25) & (givens.sum(axis=1) <= 35)).all()
    assert dlx.solve_batch(result, 2, rules=DIAGONAL).counts.tolist() == [1, 1]
    few = dlx.generate(1, rules=SudokuRules(thermometers=[[0, 1, 2, 3]]), box=(2, 2), clues=(0, 3))
    assert (few.puzzles > 0).sum() <= 3
    with pytest.raises(ValueError, match="difficulty and level apply to plain Sudoku"):
        dlx.generate(1, rules=DIAGONAL, difficulty="easy")


def test_minimize_needs_a_unique_solution():
    with pytest.raises(ValueError, match="puzzle 0: it has several solutions"):
        dlx.minimize(EMPTY, rules=DIAGONAL)
    plain = dlx.generate(1, seed=1).solutions
    assert dlx.is_minimal(plain, rules=DIAGONAL).tolist() == [False]


def test_engines_and_functions_without_rules():
    for name in ENGINES:
        with pytest.raises(ValueError, match=f"engine '{name}' does not support rules"):
            dlx.solve_batch(EMPTY, rules=DIAGONAL, engine=name)
    with pytest.raises(TypeError):  # about plain Sudoku
        dlx.canonical(EMPTY, rules=DIAGONAL)


def test_invalid_rules():
    for function in (dlx.solve_batch, dlx.minimize, dlx.is_minimal, dlx.solve_sudoku):
        with pytest.raises(ValueError, match="windows need square boxes"):
            function(EMPTY[:, :36], rules=SudokuRules(windows=True))
        with pytest.raises(TypeError, match="rules must be a SudokuRules, not 'diagonals'"):
            function(EMPTY, rules="diagonals")
    for function in (dlx.deduce, dlx.diagnose_sudoku):
        with pytest.raises(TypeError, match=r"rules must be a SudokuRules, not \{\}"):
            function("." * 16, rules={})


@pytest.mark.thorough
def test_threads_and_executors():
    puzzles = np.repeat(dlx.generate(4, rules=DIAGONAL, seed=2).puzzles, 8, axis=0)
    puzzles[::3] = 0
    expected = dlx.solve_batch(puzzles, 2, rules=DIAGONAL, threads=1, candidates=True)
    assert dlx.solve_batch(puzzles, 2, rules=DIAGONAL, threads=3, candidates=True) == expected
    with ThreadPoolExecutor(2) as executor:
        found = dlx.solve_batch(puzzles, 2, rules=DIAGONAL, executor=executor, candidates=True)
    assert found == expected


def test_values_that_are_impossible():
    """A given that the rules exclude is a contradiction; the other boards are solved."""
    rules = SudokuRules(thermometers=[[0, 1, 2, 3]])
    check_solutions([4] + [0] * 15, Box(2, 2), rules.stated())
    batch = dlx.solve_batch(["4" + "." * 15, "." * 16], rules=rules, limit=None)
    assert batch.counts.tolist() == [0, 12]


@pytest.mark.compiled
def test_contradictory_rules_end_the_random_search():
    """Also the second time, and after a call that was stopped."""
    rules, box = SudokuRules(diagonals=True, disjoint_groups=True), Box(2, 3)
    variant_engine.cache_clear()
    calls = count()
    with suppress(ValueError):
        assert variant_engine(rules, box).random_grid(1, lambda: next(calls) > 9) is None
    for _ in range(2):
        with pytest.raises(ValueError, match="no 6x6 grid satisfies the rules"):
            dlx.generate(1, rules=rules, seed=1, box=box)


@pytest.mark.compiled
def test_rules_are_stated_until_a_request_to_stop():
    rules = SudokuRules(sandwiches=[(k, range(9 * k, 9 * k + 9)) for k in range(2, 9)])
    statements = list_requirements(rules, BOX, SetAfter(3).is_set)
    with pytest.raises(Stopped):
        next(statements)
    variant_engine.cache_clear()
    engine, result = variant_engine(rules, BOX), EngineResult.allocate(EMPTY)
    assert not engine.prepare(SetAfter(3).is_set)
    engine.solve(EMPTY, 1, result, SetAfter(3).is_set)
    assert result.counts.tolist() == [-1]
    with pytest.raises(Stopped):
        next(engine.iterate_blocks(EMPTY[0], SetAfter(3).is_set, 1))
    with pytest.raises(Stopped):
        formulate(rules, BOX, stop=SetAfter(3).is_set)
    assert dlx.solve_batch(EMPTY, rules=rules, stop=SetAfter(3)).counts.tolist() == [-1]
    assert engine.prepare(lambda: False)
    assert engine.prepare(lambda: True)
