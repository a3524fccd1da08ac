"""Ratings: the classes of qqwing, scores, invalid boards, threads and arguments."""

import csv
import random
import shutil
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import rate
from dlx_numba.explain.deduction.boards import deduce
from dlx_numba.explain.deduction.ratings import StepFinder
from dlx_numba.runtime.choices import CLASSES
from scripts import compare_qqwing
from scripts.fuzzing.boards import rate_boards
from scripts.puzzles import mixed_boards, read_boards
from tests.helpers import DATA, SAMPLES
from tests.helpers.hosts import SetAfter
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE
from tests.helpers.seeds import instances, seeded, seeds

pytestmark = pytest.mark.compiled

HARDEST = [  # known as hard for people
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "....7..2.8.......6.1.2.5...9.54....8.........3....85.1...3.2.8.4.......9.7..6....",
]


def data_boards(name):
    return read_boards(DATA / f"{name}.txt")


@pytest.mark.parametrize("name", CLASSES[1:])
def test_puzzles_by_qqwing_have_the_class_that_it_states(name):
    assert rate(data_boards(name), threads=1).count_classes() == {name: 200}


def test_classes_equal_those_of_the_sample():
    with open(SAMPLES / "qqwing" / "csv_stats.txt", newline="") as file:
        rows = list(csv.DictReader(file))
    ratings = rate([row["Puzzle"] for row in rows])
    assert ratings.difficulty.tolist() == [row["Difficulty"].lower() for row in rows]
    assert ratings.givens.tolist() == [int(row["Givens"]) for row in rows]


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("qqwing") is None, reason="needs qqwing")
@pytest.mark.processes
def test_ratings_equal_those_of_qqwing():
    rng = np.random.default_rng(seeded(3))
    boards = np.concatenate(
        [
            compare_qqwing.generate_with_qqwing(instances(200)).boards,
            compare_qqwing.random_puzzles(instances(500), rng),
            compare_qqwing.random_puzzles(instances(500), rng, max_clues=50),
            *(data_boards(name) for name in CLASSES[1:]),
        ]
    )
    found = compare_qqwing.rate_with_qqwing(boards)
    assert compare_qqwing.count_differences(boards, [found]) == 0


def test_random_boards_are_rated_like_the_oracle(tmp_path):
    for seed in seeds(150):
        rate_boards(random.Random(seed), tmp_path)


def test_boards_without_exactly_one_solution_are_invalid():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    ratings = rate([NONE, SEVERAL, "." * 81, wrong])
    assert ratings.difficulty.tolist() == ["invalid"] * 4
    assert ratings.counts.tolist() == [0, 2, 2, 0]
    assert ratings.scores.tolist() == [-1] * 4
    assert ratings.hardest.tolist() == [""] * 4
    assert ratings.strings() == [""] * 4
    assert not ratings.solutions.any()


def test_complete_board_is_simple():
    ratings = rate([SOLVED, "." + SOLVED[1:]])
    assert ratings.difficulty.tolist() == ["simple", "simple"]
    assert ratings.scores.tolist() == [0, 1]
    assert ratings.strings() == ["", "naked single"]


def test_threads_do_not_change_the_result():
    boards = mixed_boards(instances(20_000))
    one, several = rate(boards, threads=1), rate(boards, threads=3)
    assert np.array_equal(one.codes, several.codes)
    assert np.array_equal(one.scores, several.scores)
    assert np.array_equal(one.solutions, several.solutions)


def test_no_boards_are_rated():
    ratings = rate([])
    assert ratings.difficulty.tolist() == ratings.strings() == []
    assert ratings.scores.shape == (0,)
    assert repr(ratings) == "<Ratings of 0 puzzles>"


def test_techniques_are_named():
    [text] = rate(data_boards("expert")[:1]).strings(" + ")
    assert text == "naked single + hidden single + pointing + naked pair + forcing chain"


def test_some_rows_are_taken():
    taken = rate([UNIQUE, SEVERAL, SOLVED]).take(np.array([2, 0]))
    assert taken.difficulty.tolist() == ["simple", "expert"]
    assert taken.givens.tolist() == [81, 21]
    assert taken.strings() == ["", "guess"]
    assert taken.solutions[0].tolist() == taken.solutions[1].tolist()


def test_boards_of_other_sizes_are_rejected():
    with pytest.raises(ValueError, match="only 9x9 boards with 3x3 boxes have a difficulty, not 4"):
        rate(["1..............."])
    for box, reason in {"1x9": "not 9x9 boards with 1x9 boxes", "9": "ROWSxCOLUMNS"}.items():
        with pytest.raises(ValueError, match=reason):  # the box was ignored
            rate([UNIQUE], box=box)
    assert rate([UNIQUE], box=(3, 3)) == rate([UNIQUE])


def test_scores_add_up_the_weights_of_rounds():
    board = "." + SOLVED[1:9] + "." + SOLVED[10:]
    assert rate([board]).scores.tolist() == [2]  # two naked singles at once
    ratings = rate(data_boards("expert")[:20])
    for board, hardest, used in zip(
        ratings._boards, ratings.hardest, ratings.strings(), strict=True
    ):
        steps = deduce(board)
        names = {step.name for step in steps}
        assert hardest in names if steps.cover else hardest == "guess"
        assert {name.partition(" of ")[0] for name in names} >= {used.split(", ")[0]}


def test_the_hardest_puzzles_end():
    ratings = rate(HARDEST)
    assert set(ratings.difficulty) == {"expert"}
    assert ratings.scores.min() >= 1000


def test_ratings_have_the_steps_of_each_puzzle():
    boards = ["".join(map(str, each)) for each in dlx.generate(instances(60, 6), seed=5).puzzles]
    boards = [boards[0], "." * 81, *boards[1:], dlx.solve_sudoku(boards[0])]
    ratings = rate(boards, with_steps=True)
    assert ratings == rate(boards)
    assert rate(boards).steps is None
    with ThreadPoolExecutor(2) as executor:  # the call ended before the first step
        by_tasks = rate(boards[:3], executor=executor, with_steps=True)
    assert by_tasks.steps == ratings.steps[:3]
    assert ratings.steps is not None
    assert (ratings.steps[1], ratings.steps[-1]) == ((), ())
    for board, steps, solution in zip(boards, ratings.steps, ratings.solutions, strict=True):
        grid = {(k // 9 + 1, k % 9 + 1): value for k, value in enumerate(solution.tolist())}
        placed = set()
        for step in steps:
            pairs = [*zip(step.cells, step.digits, strict=True)]
            is_placing = "single" in step.name
            assert pairs
            assert {grid[cell] == digit for cell, digit in pairs} == {is_placing}
            assert step.text.lower().startswith(step.name.split(" of ")[0].lower())
            placed |= {*step.cells} if is_placing else set()
        assert not steps or len(placed) == board.count("0")
    columns = ratings._columns()
    assert columns["steps"][1] == ()
    counts = Counter(step.name for step in ratings.steps[0])
    assert columns["used"][0] == tuple(f"{n} {name}" for name, n in counts.most_common())


def test_steps_that_are_stopped_are_those_of_the_first_puzzles():
    boards = dlx.generate(3, seed=5).puzzles
    with pytest.raises(dlx.Stopped) as caught:
        rate(boards, threads=1, with_steps=True, stop=SetAfter(100))
    assert caught.value.partial is None or len(caught.value.partial) < 3


VARIANTS = [
    ("2x2", {"diagonals": True}),
    ("2x2", {"clones": [[0, 9]]}),
    ("2x2", {"odd": [0], "even": [6]}),
    ("2x2", {"arrows": [[0, 1, 2]]}),
    ("2x3", {"thermometers": [[0, 6, 12]], "cages": [[7, [1, 2]]]}),
    ("3x3", {"anti_knight": True}),
]


@pytest.mark.parametrize(("box", "rules"), VARIANTS)
def test_puzzles_with_rules_are_rated_by_their_steps(box, rules):
    stated = dlx.SudokuRules(**rules)
    made = dlx.generate(3, rules=stated, box=box, seed=2)
    boards = [*made.puzzles, np.zeros_like(made.puzzles[0]), made.solutions[0]]
    ratings = rate(boards, rules=stated, box=box, with_steps=True)
    counts = dlx.solve_batch(boards, 2, rules=stated, box=box).counts
    assert ratings.counts.tolist() == counts.tolist()
    assert (ratings.difficulty[-2], ratings.scores[-2], ratings.steps[-2]) == ("invalid", -1, ())
    assert (ratings.difficulty[-1], ratings.scores[-1], ratings.steps[-1]) == ("simple", 0, ())
    assert ratings.solutions[:3].tolist() == made.solutions.tolist()
    for k in range(3):
        deduction = dlx.deduce(boards[k], stated, box=box)
        # The reasons of a chain may differ
        own = [(step.name, [*step.cells], [*step.digits]) for step in ratings.steps[k]]
        assert own == [(step.name, step.cells, step.digits) for step in deduction]
        names = {name.partition(" of ")[0] for name in ratings.strings("/")[k].split("/")}
        assert ratings.hardest[k].partition(" of ")[0] in names
        known = {"naked single", "hidden single", "rule", "pointing", "claiming", "guess"}
        of_class = {"simple": {"naked single"}, "easy": {"naked single", "hidden single"}}
        assert names <= of_class.get(ratings.difficulty[k], names | known)
    assert rate(boards, rules=stated, box=box).steps is None


def test_ratings_of_boards_without_a_standard_box_are_shown():
    rules = dlx.SudokuRules(diagonals=True)
    made = dlx.generate(1, rules=rules, box=(1, 5), seed=1)
    ratings = rate(made.puzzles, rules=rules, box=(1, 5))
    assert ratings.to_pandas()["puzzle"].tolist() == made.strings()
    assert "<svg" in ratings.take(np.array([0]))._repr_html_()


def test_ratings_of_variants_do_not_depend_on_earlier_ones():
    rules = dlx.SudokuRules(anti_king=True, non_consecutive=True)
    hard = "......4........................................2..................8.............."
    easy = "......285.7...5....5.............52.....58..62...3....9.......27....26.9..8..9.17"
    ratings = rate([hard, easy], rules=rules)
    assert ratings.hardest.tolist() == ["guess", "naked single"]
    assert ratings.scores.tolist() == [1000, 58]
    with pytest.raises(dlx.Stopped):
        rate([hard], rules=rules, seconds=0.01)
    assert rate([easy], rules=rules).scores.tolist() == [58]


@pytest.mark.parametrize("rules", [{"clones": [(0, 10)]}, {"palindromes": [(0, 5, 10)]}])
@pytest.mark.parametrize("board", ["0320000020100000", "1320000020100000"])
def test_each_of_equal_cells_may_have_the_given(rules, board):
    stated = dlx.SudokuRules(**rules)
    ratings = rate([board], rules=stated, with_steps=True)
    assert ratings.hardest.tolist() == ["naked single"]
    assert [step.text for step in ratings.steps[0]] == [
        step.text for step in dlx.deduce(board, stated)
    ]


def test_puzzles_with_rules_are_rated_in_one_process():
    rules = dlx.SudokuRules(diagonals=True)
    with pytest.raises(ValueError, match="neither an executor nor errors='mark'"):
        rate(["." * 81], rules=rules, errors="mark")
    with pytest.raises(dlx.Stopped):
        rate(["." * 81], rules=rules, seconds=0)


def test_a_stopped_call_keeps_the_first_puzzles_with_rules(monkeypatch):
    rules = dlx.SudokuRules(diagonals=True)
    boards = dlx.generate(4, rules=rules, box="2x2", seed=2).puzzles
    event = threading.Event()
    find = StepFinder.find
    found = []

    def find_and_stop(finder, board, stop):
        found.append(find(finder, board, stop))
        if len(found) == 3:
            event.set()
        return found[-1]

    monkeypatch.setattr(StepFinder, "find", find_and_stop)
    with pytest.raises(dlx.Stopped) as caught:
        rate(boards, rules=rules, box="2x2", with_steps=True, stop=event)
    assert [*caught.value.partial.steps] == found[:2]
