"""Pips: dominoes on a board with conditions."""

import json
import random
from collections import Counter
from itertools import permutations, product

import pytest

import dlx_numba as dlx
from dlx_numba.explain.deduction.boards import deduce_puzzle
from dlx_numba.puzzles.answer import find_answer
from dlx_numba.puzzles.kind import load_kind
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.pictures import parse_picture
from tests.helpers.puzzles import parse_one, parse_text
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
        puzzle = parse_one(json.dumps(stated, indent=1), "pips")
        assert puzzle.count() == count_all(stated, cells)


@pytest.mark.slow
def test_new_puzzles_have_one_solution():
    for seed in seeds(100, 4):
        stated = json.loads(load_kind("pips").random(seed, 2))
        assert count_all(stated, [*product(range(2), repeat=2)]) == 1
        for size in (3, 4, 5):
            puzzle = parse_one(load_kind("pips").random(seed, size), "pips")
            assert puzzle.count() == 1


def test_a_solution_is_drawn():
    puzzle = parse_one(json.dumps(SMALL), "pips")
    assert puzzle.count() == 1
    assert puzzle.text(puzzle.first()) == "1 1\n2 0"
    assert parse_picture(puzzle.svg(puzzle.first())) is not None


def test_a_missing_puzzle_is_no_puzzle_without_solutions():
    day = {"printDate": "2031-01-01", "easy": {"dominoes": None, "regions": None}, "hard": SMALL}
    missing, puzzle = parse_text(json.dumps(day, indent=1), "pips", "day.json")
    assert str(missing) == "day.json:1: easy: the puzzle is missing"
    assert puzzle.title == "Pips 2031-01-01 hard"
    assert puzzle.place == "day.json, hard"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dominoes": [[1, 1]]}, "the dominoes have 2 cells, the board has 4"),
        ({"regions": [{"indices": [[0, 0]], "type": "odd"}]}, "the region type 'odd' is unknown"),
        ({"regions": SMALL["regions"] * 2}, "row 1 column 1 is in two regions"),
        ({"dominoes": [[1, -1], [2, 0]]}, "expected two numbers from 0, not [1, -1]"),
        ({"dominoes": [[1, 1, 1], [2, 0]]}, "expected two numbers, not [1, 1, 1]"),
        ({"dominoes": ["11", "20"]}, "expected two numbers, not '11'"),
        (
            {"regions": [{"indices": [[0, 0]], "type": "less", "target": 2.5}]},
            "region 1 must have an integer as its target",
        ),
    ],
)
def test_invalid_puzzles_are_errors(change, reason):
    [error] = parse_text(json.dumps(SMALL | change), "pips", "day")
    assert str(error) == f"day:1: {reason}"


def test_puzzles_may_be_a_list():
    solved = SMALL | {"solution": [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]}
    record = {"problem": json.dumps(SMALL), "solution": "1 1\n2 0"}
    expected = parse_one(json.dumps(SMALL), "pips")
    for stated in ([solved, record], {"puzzles": [record, solved]}):
        puzzles = parse_text(json.dumps(stated), "pips")
        assert [puzzle.count() for puzzle in puzzles] == [expected.count()] * 2
        assert sorted(str(puzzle.answer) for puzzle in puzzles) == ["(0, 5)", "1 1\n2 0"]
    with pytest.raises(FormatError, match=":1: expected an object with the puzzles of a day"):
        parse_one(json.dumps({"others": [SMALL]}), "pips")
    with pytest.raises(FormatError, match=":1: expected JSON: an object"):
        parse_one("1 2", "pips")


def test_a_stated_solution_is_the_answer():
    places = [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]
    puzzle = parse_one(json.dumps(SMALL | {"solution": places}), "pips")
    assert list(puzzle.answer) == sorted(puzzle.first())
    places.reverse()
    wrong = parse_one(json.dumps(SMALL | {"solution": places}), "pips")
    assert wrong.answer == "2 0\n1 1"
    assert wrong.count() == 1
    with pytest.raises(ValueError, match="the solution in the file is wrong"):
        find_answer(wrong)


def test_cells_of_a_solution_may_be_far_from_the_board():
    stated = SMALL | {"solution": [[[0, 0], [0, 10**12]], [[1, 0], [1, 1]]]}
    puzzle = parse_one(json.dumps(stated), "pips")
    with pytest.raises(ValueError, match="the solution in the file is wrong"):
        find_answer(puzzle)


def test_pictures_show_the_conditions_and_the_dominoes():
    puzzle = parse_one(json.dumps(SMALL), "pips")
    drawn = puzzle.svg([])
    assert all(f">{text}<" in drawn for text in ("=", "2", "0-2", "1-1"))


def test_steps_use_sums():
    puzzle = parse_one(json.dumps(SMALL), "pips")
    whole = puzzle.with_all_options()
    steps = deduce_puzzle(whole, whole.cover(), Stop())
    start = "For the sum 2 in the region of r2c1, there is only what adds up to it. This excludes "
    assert steps[0].text.startswith(start)
    assert whole.text(steps.cover) == "1 1\n2 0"


def test_cells_are_named_beside_regions_of_the_same_number():
    regions = [{"type": "empty", "indices": [[0, 0]]}, {"type": "unequal", "indices": [[0, 1]]}]
    puzzle = parse_one(json.dumps({"dominoes": [[1, 2]], "regions": regions}), "pips")
    words = [puzzle.picture.words_for(name) for name in ("cell,1,1", "value,1,2")]
    rule = "different values in the region of r1c2"
    assert words == [("r1c1",), ("the 2 in the region of r1c2", rule)]


def test_steps_name_values_that_cells_need():
    regions = [[[0, 0], [1, 2], [1, 0]], [[0, 2], [0, 1]], [[1, 1]]]
    stated = [{"type": "unequal", "indices": cells} for cells in regions]
    puzzle = parse_one(
        json.dumps({"dominoes": [[1, 0], [1, 2], [1, 2]], "regions": stated}), "pips"
    )
    assert any("in the region of r1c1, one each" in step.text for step in dlx.deduce(puzzle))
