"""Ratings: the classes and steps of qqwing, invalid boards, threads and arguments."""

import csv
import random
import shutil

import numpy as np
import pytest

from dlx_numba.sudoku.rating import CLASSES, EXPERT, rate
from scripts import compare_qqwing
from scripts.fuzzing.boards import rate_boards
from scripts.puzzles import mixed_boards, read_boards
from tests.helpers import DATA, SAMPLES
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE
from tests.helpers.seeds import instances, seeded, seeds

pytestmark = pytest.mark.compiled


def data_boards(name):
    return read_boards(DATA / f"{name}.txt")


@pytest.mark.parametrize("name", CLASSES[1:])
def test_puzzles_by_qqwing_have_the_class_that_it_states(name):
    assert rate(data_boards(name), threads=1).count_classes() == {name: 200}


def test_steps_equal_the_columns_of_the_sample():
    with open(SAMPLES / "qqwing" / "csv_stats.txt", newline="") as file:
        rows = list(csv.DictReader(file))
    ratings = rate([row["Puzzle"] for row in rows])
    assert ratings.difficulty.tolist() == [row["Difficulty"].lower() for row in rows]
    assert ratings.givens.tolist() == [int(row["Givens"]) for row in rows]
    for column, attribute in compare_qqwing.COLUMNS.items():
        found = getattr(ratings.steps, attribute).tolist()
        for row, number, code in zip(rows, found, ratings.codes, strict=True):
            assert number == (-1 if code == EXPERT else int(row[column]))


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
    differences = compare_qqwing.count_differences(boards, [found])
    assert differences == dict.fromkeys(differences, 0)


def test_random_boards_are_rated_like_the_oracle(tmp_path):
    for seed in seeds(150):
        rate_boards(random.Random(seed), tmp_path)


def test_boards_without_exactly_one_solution_are_invalid():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    ratings = rate([NONE, SEVERAL, "." * 81, wrong])
    assert ratings.difficulty.tolist() == ["invalid"] * 4
    assert ratings.counts.tolist() == [0, 2, 2, 0]
    assert all(column.tolist() == [-1] * 4 for column in ratings.steps)
    assert not ratings.techniques.any()
    assert not ratings.solutions.any()


def test_complete_board_is_simple():
    ratings = rate([SOLVED, "." + SOLVED[1:]])
    assert ratings.difficulty.tolist() == ["simple", "simple"]
    assert ratings.steps.singles.tolist() == [0, 1]
    assert ratings.strings() == ["", "naked single"]


def test_threads_do_not_change_the_result():
    boards = mixed_boards(instances(20_000))
    one, several = rate(boards, threads=1), rate(boards, threads=3)
    assert np.array_equal(one.codes, several.codes)
    assert np.array_equal([*one.steps], [*several.steps])
    assert np.array_equal(one.solutions, several.solutions)


def test_no_boards_are_rated():
    ratings = rate([])
    assert ratings.difficulty.tolist() == ratings.strings() == []
    assert ratings.steps.singles.shape == (0,)
    assert repr(ratings) == "<Ratings of 0 puzzles>"


def test_techniques_are_named():
    [text] = rate(data_boards("expert")[:1]).strings(" + ")
    assert text == "naked single + hidden single + naked pair + pointing + guess"


def test_some_rows_are_taken():
    taken = rate([UNIQUE, SEVERAL, SOLVED])._take(np.array([2, 0]))
    assert taken.difficulty.tolist() == ["simple", "expert"]
    assert taken.givens.tolist() == [81, 21]
    assert taken.strings() == ["", "guess"]
    assert taken.solutions[0].tolist() == taken.solutions[1].tolist()


def test_boards_of_other_sizes_are_rejected():
    with pytest.raises(ValueError, match="only 9x9 boards with 3x3 boxes have a difficulty, not 4"):
        rate(["1..............."])
