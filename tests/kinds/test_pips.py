"""Pips: dominoes on a board with conditions."""

import json
import random
from collections import Counter
from itertools import permutations, product

import pytest

from dlx_numba.deduction.boards import deduce_puzzle
from dlx_numba.kinds.answer import find_answer
from dlx_numba.kinds.kind import load_kind
from dlx_numba.kinds.reading import read, read_any
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.source import named_stream
from tests.helpers.pictures import parse_picture
from tests.helpers.seeds import seeds

SMALL = {
    "dominoes": [[1, 1], [2, 0]],
    "regions": [
        {"indices": [[0, 0], [0, 1]], "type": "equals"},
        {"indices": [[1, 0]], "type": "sum", "target": 2},
        {"indices": [[1, 1]], "type": "empty"},
    ],
}


def holds(kind, values, target):
    return {
        "empty": True,
        "equals": len({*values}) == 1,
        "unequal": len({*values}) == len(values),
        "sum": sum(values) == target,
        "less": sum(values) < target,
        "greater": sum(values) > target,
    }[kind]


def count_all(stated, cells):
    """Count the tilings by trying all: the first empty cell is covered by any domino left."""

    def fill(values, left):
        free = [cell for cell in cells if cell not in values]
        if not free:
            conditions = (
                holds(each["type"], [values[tuple(c)] for c in each["indices"]], each.get("target"))
                for each in stated["regions"]
            )
            return int(all(conditions))
        (r, c), total = free[0], 0
        for other in ((r, c + 1), (r + 1, c)):
            if other in free:
                for domino in [*left]:
                    rest = left - Counter([domino])
                    for a, b in {*permutations(domino)}:
                        total += fill(values | {(r, c): a, other: b}, rest)
        return total

    return fill({}, Counter(tuple(sorted(each)) for each in stated["dominoes"]))


def test_solutions_are_those_of_all_tilings():
    for seed in seeds(40):
        rng = random.Random(seed)
        cells = [*product(range(2), range(rng.randint(2, 4)))]
        dominoes = [[rng.randint(0, 3), rng.randint(0, 3)] for _ in range(len(cells) // 2)]
        regions = []
        order = sorted(cells, key=lambda _: rng.random())
        while order:
            size = rng.randint(1, 3)
            kind = rng.choice(["empty", "empty", "equals", "unequal", "sum", "less", "greater"])
            region = {"indices": [[*cell] for cell in order[:size]], "type": kind}
            regions.append(region | {"target": rng.randint(1, 5)})
            del order[:size]
        stated = {"dominoes": dominoes, "regions": regions}
        [puzzle] = read(json.dumps(stated, indent=1))
        assert puzzle.count() == count_all(stated, cells)


def test_new_puzzles_have_one_solution():
    for seed in seeds(100, 4):
        stated = json.loads(load_kind("pips").random(seed, 2))
        assert count_all(stated, [*product(range(2), repeat=2)]) == 1
        for size in (3, 4, 5):
            [puzzle] = read(load_kind("pips").random(seed, size))
            assert puzzle.count() == 1


def test_a_solution_is_drawn():
    [puzzle] = read(json.dumps(SMALL) + "\n")
    assert puzzle.count() == 1
    assert puzzle.text(puzzle.first()) == "1 1\n2 0"
    assert parse_picture(puzzle.svg(puzzle.first())) is not None


def test_a_missing_puzzle_is_no_puzzle_without_solutions():
    day = {"printDate": "2031-01-01", "easy": {"dominoes": None, "regions": None}, "hard": SMALL}
    text = json.dumps(day, indent=1).encode()
    missing, puzzle = read_any(named_stream(text, "day.json")).puzzles
    assert str(missing) == "day.json:3: easy: the puzzle is missing"
    assert puzzle.title == "Pips 2031-01-01 hard"
    assert puzzle.place == "day.json:7, hard"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dominoes": [[1, 1]]}, "the dominoes have 2 cells, the board has 4"),
        ({"regions": [{"indices": [[0, 0]], "type": "odd"}]}, "the region type 'odd' is unknown"),
        ({"regions": SMALL["regions"] * 2}, "row 1 column 1 is in two regions"),
    ],
)
def test_invalid_puzzles_are_errors(change, reason):
    [error] = read_any(named_stream(json.dumps(SMALL | change).encode(), "day")).puzzles
    assert str(error) == f"day:1: {reason}"


def test_puzzles_may_be_a_list():
    solved = SMALL | {"solution": [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]}
    record = {"problem": json.dumps(SMALL), "solution": "1 1\n2 0"}
    for stated in ([solved, record], {"puzzles": [record, solved]}):
        puzzles = [*read(json.dumps(stated) + "\n")]
        [expected] = read(json.dumps(SMALL) + "\n")
        assert [puzzle.count() for puzzle in puzzles] == [expected.count()] * 2
        assert sorted(str(puzzle.answer) for puzzle in puzzles) == ["(0, 5)", "1 1\n2 0"]
    with pytest.raises(FormatError, match=":1: expected an object with the puzzles of a day"):
        [*read(json.dumps({"others": [SMALL]}) + "\n")]
    with pytest.raises(FormatError, match=":1: 1: Expecting"):
        [*read(json.dumps([record | {"problem": "{"}, SMALL]) + "\n", "pips")]


def test_a_stated_solution_is_the_answer():
    places = [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]
    [puzzle] = read(json.dumps(SMALL | {"solution": places}) + "\n")
    assert list(puzzle.answer) == sorted(puzzle.first())
    places.reverse()
    [wrong] = read(json.dumps(SMALL | {"solution": places}) + "\n")
    assert wrong.answer == "2 0\n1 1"
    assert wrong.count() == 1
    with pytest.raises(ValueError, match="the stated solution is wrong"):
        find_answer(wrong)


def test_pictures_show_the_conditions_and_the_dominoes():
    [puzzle] = read(json.dumps(SMALL) + "\n")
    drawn = puzzle.svg([])
    assert all(f">{text}<" in drawn for text in ("=", "2", "0-2", "1-1"))


def test_steps_use_sums():
    [puzzle] = read(json.dumps(SMALL) + "\n")
    whole = puzzle._with_all_options()
    steps = deduce_puzzle(whole, whole.cover(), Stop())
    start = "For the sum 2 in the region of r2c1, there is only what adds up to it. This excludes "
    assert steps[0].text.startswith(start)
    assert whole.text(steps.cover) == "1 1\n2 0"
