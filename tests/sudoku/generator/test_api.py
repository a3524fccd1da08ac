"""`generate`, `minimize` and `is_minimal`, checked by the engine `dlx` and by brute force."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.workers import TaskThreads
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.generator import api, stream
from dlx_numba.sudoku.generator.request import make_request
from scripts.fuzzing.generated import generate_puzzles, minimize_boards
from tests.helpers.boards import values_of
from tests.helpers.executors import CopyingExecutor
from tests.helpers.hosts import HandlerError
from tests.helpers.removal import is_symmetric
from tests.helpers.seeds import instances, seeds

pytestmark = pytest.mark.compiled

SYMMETRIES = ["none", "rotate90", "rotate180", "mirror", "flip"]


def test_random_requests_and_boards_are_judged_by_other_solvers(tmp_path):
    for seed in seeds(500, 15):
        generate_puzzles(random.Random(seed), tmp_path)
        minimize_boards(random.Random(seed), tmp_path)


def test_random_symmetry_is_each_of_the_others():
    puzzles = dlx.generate(40, symmetry="random", seed=1).puzzles
    found = [{name for name in SYMMETRIES[1:] if is_symmetric(p, name, 9)} for p in puzzles]
    assert all(found)
    assert set.union(*found) == set(SYMMETRIES[1:])


@pytest.mark.parametrize(
    ("options", "low", "high"),
    [
        ({"clues": [22, 23]}, 22, 23),
        ({"clues": 81, "minimal": False}, 81, 81),
        ({"minimal": False}, 28, 40),
        ({"clues": 24, "difficulty": "expert", "minimal": True}, 24, 24),
        ({"clues": (5, 5), "box": "2x2"}, 5, 5),
    ],
    ids=str,
)
def test_number_of_clues(options, low, high):
    result = dlx.generate(50, seed=1, **options)
    counts = np.count_nonzero(result.puzzles, axis=1)
    assert low <= counts.min()
    assert counts.max() <= high
    assert low == high or counts.min() < counts.max()
    if options.get("minimal", "difficulty" not in options):
        assert dlx.is_minimal(result.puzzles).all()


@pytest.mark.thorough
def test_statistics_of_clues_agree_with_the_literature():
    """Published for random removal from random grids: mean 24.38, standard deviation 1.12."""
    counts = np.count_nonzero(dlx.generate(20_000, seed=1).puzzles, axis=1)
    assert abs(counts.mean() - 24.38) < 0.04  # five standard errors
    assert abs(counts.std() - 1.12) < 0.03


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"difficulty": "simple", "minimal": True}, marks=pytest.mark.thorough),
        {"box": (2, 3)},
    ],
    ids=str,
)
def test_seed_determines_the_puzzles(options, monkeypatch):
    count = instances(150, 8)
    expected = dlx.generate(count, seed=5, threads=1, **options)
    for threads in (2, 3):
        assert dlx.generate(count, seed=5, threads=threads, **options) == expected
    assert (dlx.generate(7, seed=5, **options).puzzles == expected.puzzles[:7]).all()
    monkeypatch.setattr(stream, "MAX_BLOCK", 7)
    monkeypatch.setattr(stream, "FIRST_BLOCK", 1)
    assert dlx.generate(count, seed=5, **options) == expected
    for seed in (6, None):
        assert dlx.generate(count, seed=seed, **options) != expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": 10, "minimal": False, "box": (3, 4)}, "12x12 puzzles .* 11 or more"),
        ({"clues": 30, "symmetry": "rotate90"}, "the nearest possible are 28 or 29"),
        ({"clues": (60, 70), "difficulty": "simple", "minimal": True}, "60 to 70 clues found in"),
        ({"clues": 9, "box": (2, 2)}, r"4 to \d clues"),
        ({"clues": (30, 20)}, "clues must be from 0 to 81 in ascending order, not 30 to 20"),
        ({"clues": (1, 2, 3)}, "a pair of integers"),
        ({"difficulty": "hard"}, "one of simple, easy, intermediate, expert, not 'hard'"),
        ({"difficulty": "easy", "box": (2, 2)}, "difficulty applies to 9x9"),
        ({"symmetry": "diagonal"}, "symmetry must be one of none, rotate90"),
        ({"box": (5, 6)}, "up to 25x25"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"threads": 0}, "threads must be 1 or more"),
        ({"n": -1}, "n must be 0 or more"),
        *(({name: value}, f"{name} must be an integer")
          for name, value in (("n", 1.5), ("seed", "1"), ("clues", 24.5), ("threads", True))),
    ],
    ids=str,
)  # fmt: skip
def test_requests_that_cannot_be_met(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        dlx.generate(**{"n": 3, **options})


def test_an_executor_makes_the_same_puzzles():
    for options in (
        {},
        {"difficulty": "easy", "symmetry": "rotate180"},
        {"rules": dlx.SudokuRules(diagonals=True)},
        {"rules": dlx.SudokuRules(cages=8)},
    ):
        with CopyingExecutor(2) as executor:
            found = dlx.generate(3, seed=5, executor=executor, **options)
            assert found == dlx.generate(3, seed=5, threads=1, **options)
    with CopyingExecutor(2) as executor:
        with pytest.raises(ValueError, match="cannot be combined"):
            dlx.generate(1, executor=executor, threads=2)
        with pytest.raises(dlx.Stopped):
            dlx.generate(10**6, clues=17, seconds=0.1, executor=executor)


def test_rare_class_is_given_up(monkeypatch):
    monkeypatch.setattr(stream, "MAX_FAILURES", {9: 500})
    with (
        pytest.warns(UserWarning, match="such puzzles are rare, or there are none"),
        pytest.raises(ValueError, match=r"found in .* had such a number, and none of these was"),
    ):
        dlx.generate(1, difficulty="expert", clues=70, minimal=False, seed=1)


def test_blocks_and_threads_do_not_change_when_a_search_is_given_up(monkeypatch):
    monkeypatch.setattr(stream, "MAX_FAILURES", {9: 60})
    found, request = set(), make_request(None, None, None, 22, None)
    for threads, max_block in ((1, 7), (1, 1024), (3, 30)):
        monkeypatch.setattr(stream, "MAX_BLOCK", max_block)
        blocks = stream.generate_blocks(request, 50, 1, threads, Stop())
        puzzles = []
        with pytest.raises(ValueError, match="found in 60 attempts") as error:
            puzzles.extend(block.found.puzzles.tobytes() for block in blocks)
        found.add((b"".join(puzzles), str(error.value)))
    assert len(found) == 1


def test_minimize_is_independent_of_threads_and_seed_changes_the_order():
    puzzles = dlx.generate(300, minimal=False, seed=2).puzzles
    minimal = dlx.minimize(puzzles, threads=1)
    assert (dlx.minimize(puzzles, threads=3) == minimal).all()
    shuffled = dlx.minimize(puzzles, seed=1, threads=1)
    assert (dlx.minimize(puzzles, seed=1, threads=3) == shuffled).all()
    assert (shuffled != minimal).any()


def test_puzzles_without_exactly_one_solution():
    puzzles = ["1.....3..4.....2", "11..............", "." * 16]
    with pytest.raises(ValueError, match="puzzle 1: it has no solution"):
        dlx.minimize(puzzles)
    with pytest.raises(ValueError, match="puzzle 1: it has several solutions"):
        dlx.minimize([puzzles[0], puzzles[2]])
    boards = np.array([*map(values_of, puzzles)])
    result = api.minimize_boards(boards, Box(2, 2), None, 1, Stop())
    assert result.result.counts.tolist() == [1, 0, 2]
    assert result.boards.tolist() == boards.tolist()


def test_an_exception_at_the_end_propagates(monkeypatch):
    def interrupt(threads, *, cancel):
        raise HandlerError

    monkeypatch.setattr(TaskThreads, "close", interrupt)
    with pytest.raises(HandlerError):
        dlx.generate(1, box=(2, 2), seed=1, threads=2)


@pytest.mark.parametrize(
    "level", ["naked single", "claiming", "X-wing", "naked triple", "forcing chain"]
)
def test_puzzles_need_a_step_and_none_harder(level):
    puzzles = dlx.generate(2, level=level, seed=1).puzzles
    ratings = dlx.rate(puzzles)
    assert all(name.startswith(level) for name in ratings.hardest)
    assert ratings.counts.tolist() == [1, 1]


def test_levels_state_the_class():
    with pytest.raises(ValueError, match="level X-wing fixes the difficulty, too"):
        dlx.generate(1, level="X-wing", difficulty="expert")
    with pytest.raises(ValueError, match="level must be"):
        dlx.generate(1, level="swordfight")
    with pytest.raises(ValueError, match="9x9"):
        dlx.generate(1, level="X-wing", box="2x2")
