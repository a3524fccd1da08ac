"""The parameters of `SudokuRules`, its JSON form, names of rules, and exact cover problems."""

import pickle
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import Stopped, SudokuRules
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.puzzles.variants.units import check_units
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.table import RULES
from tests.helpers.hosts import SetAfter
from tests.helpers.oracles import random_solution
from tests.helpers.seeds import seeds
from tests.helpers.variants import (
    CHECKED,
    NAMES,
    neighbors,
    random_rules,
    random_variant,
    variant_solutions,
)


def test_names_of_fields():
    assert list(RULES) == NAMES


def test_round_trips():
    for seed in seeds(50):
        rng = random.Random(seed)
        _, values = random_variant(Box(2, 2), rng.sample(NAMES, 4), rng, 0)
        rules = SudokuRules(**values)
        copies = pickle.loads(pickle.dumps(rules)), eval(repr(rules))
        assert {*copies, SudokuRules.from_json(rules.to_json())} == {rules}
        assert rules != SudokuRules()


def test_forms_of_regions():
    expected = SudokuRules(regions=[0, 0, 1, 1] * 2 + [2, 2, 3, 3] * 2)
    drawing = "AABB\n AABB\n CCDD\n CCDD"
    assert SudokuRules(regions=drawing) == expected
    assert SudokuRules(regions=np.repeat([[7, 1], [3, 5]], 2, 0).repeat(2, 1)) == expected
    assert expected.exact_cover() == SudokuRules().exact_cover((2, 2))


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"diagonals": 1}, "diagonals must be True or False, not 1"),
        ({"regions": "AAAB" * 4}, "regions must assign the cells of a board to n regions"),
        *(({"regions": x}, "regions must assign") for x in ("AAB", {"A": [0]}, [[1], [1, 2]])),
        ({"extra_regions": 5}, "extra_regions must be a list, not 5"),
        ({"extra_regions": [[0, 1, 0]]}, r"extra_regions: cell 0 appears twice in \[0, 1, 0\]"),
        ({"thermometers": [[0, -1]]}, "thermometers: cells are numbered from 0, not -1"),
        ({"less_than": [[0, 1, 2]]}, "less_than must consist of two cells, not"),
        ({"sums": [[0, 1]]}, "sums must consist of two cells and a number"),
        ({"differences": [[0, 0, 1]]}, "differences: cell 0 appears twice"),
        ({"ratios": [[0, 1, 0]]}, "ratios: the numbers must be 1 or more, not 0"),
        ({"cages": [[5, [0, 1], 3]]}, "cages must consist of a sum and a list of cells"),
        ({"arrows": [[5]]}, "arrows must consist of a circle and other cells"),
        ({"arrows": [[[], 5]]}, "arrows: a circle has 1 to 9 cells, not 0"),
        ({"arrows": [[[*range(10)], 10]]}, "arrows: a circle has 1 to 9 cells, not 10"),
        ({"little_killers": [[3, []]]}, "little_killers: the list of cells is empty"),
        ({"quadruples": [[[1], []]]}, "quadruples: the list of cells is empty"),
        ({"ratios": [[0, 1, 10**20]]}, "ratios: the numbers must be 1,000,000 or less"),
    ],
)
def test_invalid_parameters(parameters, reason):
    with pytest.raises(ValueError, match=reason):
        SudokuRules(**parameters)


@pytest.mark.parametrize(
    ("parameters", "box", "reason"),
    [
        ({"windows": True}, (2, 3), "windows need square boxes, such as 3x3, not 2x3"),
        ({"regions": "AABBAABBCCDDCCDD"}, (3, 3), "regions have 16 cells, but a 9x9 board 81"),
        ({"cages": [[5, [0, 16]]]}, (2, 2), "cages: a 4x4 board has no cell 16"),
        ({"sums": [[0, 81, 5]]}, (3, 3), "sums: a 9x9 board has no cell 81"),
        ({"extra_regions": [range(5)]}, (2, 2), "region1 has 5 cells, more than the 4 values"),
        ({"diagonals": True}, (5, 5), "rules apply to boards of up to 16x16 cells, not 25x25"),
    ],
)
def test_rules_that_do_not_exist_at_a_size(parameters, box, reason):
    with pytest.raises(ValueError, match=reason):
        SudokuRules(**parameters).exact_cover(box)


def test_empty_lines_and_values_that_a_board_lacks():
    assert SudokuRules(renban=[[]]).exact_cover("2x2").count() == 288
    for rule in ({"numbered_rooms": [(5, [0, 1, 2, 3])]}, {"quadruples": [([1, 9], [0, 1])]}):
        assert SudokuRules(**rule).exact_cover("2x2").count() == 0


def test_quadruples_with_more_values_than_cells():
    rules = SudokuRules(quadruples=[([1, 1, 2, 3, 4], [5, 6, 9, 10])])
    assert rules.exact_cover("2x2").count() == 0
    assert not rules.possible("2x2")


def test_rules_that_cannot_be_formulated_are_not_impossible():
    for rule, reason in (
        ({"skyscrapers": [(5, range(16))]}, "skyscrapers: too many lines of 16 cells"),
        ({"quadruples": [([1] * 10, range(60))]}, "quadruples: too many places of 10 values"),
    ):
        rules = SudokuRules(**rule)
        for function in (rules.possible, rules.exact_cover):
            with pytest.raises(ValueError, match=reason):
                function("4x4")


def test_plain_boards_of_any_size_have_units():
    assert len(check_units(SudokuRules(), Box(5, 5))) == 75


def test_types():
    with pytest.raises(TypeError, match="a number in little_killers must be an integer, not None"):
        SudokuRules(little_killers=[[None, [0, 1]]])
    with pytest.raises(TypeError):
        SudokuRules(True)
    with pytest.raises(AttributeError):
        SudokuRules().diagonals = True


def test_names():
    assert SudokuRules.parse(" Anti-Knight,windows") == SudokuRules(anti_knight=True, windows=True)
    with pytest.raises(
        ValueError,
        match=r"rules must be names from diagonals, .*not 'cages'; write rules with cells",
    ):
        SudokuRules.parse("diagonals,cages")


@pytest.mark.parametrize("seed", [*seeds(60)])
def test_redundant_rules_change_no_solution(seed):
    """All solutions are found by backtracking, with and without each rule."""
    rng, box = random.Random(seed), Box(2, 2)
    board, stated = random_variant(box, rng.sample(NAMES, 3), rng, rng.randint(0, 3))
    rules, singles = SudokuRules(**stated), SudokuRules(**stated).single_rules()
    assert rules.with_rules(singles) == rules

    def solutions(chosen):
        return list(map(tuple, variant_solutions(board, box, rules.with_rules(chosen).stated())))

    expected = [
        rule
        for rule in singles
        if len(solutions([each for each in singles if each is not rule])) == len(solutions(singles))
    ]
    assert rules.redundant(puzzle=board) == expected
    if not any(board):
        assert rules.possible(box) == bool(solutions(singles))


def test_the_exact_cover_of_a_puzzle_has_its_givens():
    rules = SudokuRules(clones=[(0, 6)])
    cover = rules.exact_cover(puzzle="1..............2")
    solutions = list(variant_solutions([1] + [0] * 14 + [2], Box(2, 2), {"clones": [(0, 6)]}))
    assert cover.count() == len(solutions)
    assert {"r1c1=1", "r4c4=2"} <= set(cover.first().names)
    with pytest.raises(ValueError, match="the rules exclude the given r1c1=4"):
        SudokuRules(less_than=[(0, 1)]).exact_cover(puzzle="4" + "." * 15)
    with pytest.raises(ValueError, match=r"r1c1=1.*r1c2=1"):
        SudokuRules().exact_cover(puzzle="11" + "." * 14)


@pytest.mark.slow
def test_the_exact_cover_of_a_large_plain_board_has_its_givens():
    cover = SudokuRules().exact_cover(puzzle="64 " + "0 " * 4095, box="8x8")
    assert (cover.n_options, len(cover.items)) == (64**3, 4 * 64**2)
    assert named_problem(cover).selected.given == [63]


@pytest.mark.parametrize("name", [*NAMES, ""])
def test_solutions_at_4x4_are_those_of_backtracking(name):
    """Each rule, and combinations."""
    for seed in seeds(20, 1) if name else seeds(500):
        rng = random.Random(seed)
        names = [name] if name else rng.sample(NAMES, rng.randint(2, 4))
        board, rules = random_variant(Box(2, 2), names, rng, 0 if name else 1)
        found = dlx.iter_solutions(board, box="2x2", rules=SudokuRules(**rules))
        assert sorted(found) == sorted(variant_solutions(board, Box(2, 2), rules))


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_rules_of_setters_at_6x6_are_those_of_backtracking(name):
    """The search of networks, and the exact cover problem."""
    for seed in seeds(12, 1):
        rng, box = random.Random(seed), Box(2, 3)
        solution = random_solution(box, rng).ravel().tolist()
        names = [name, "cages", *rng.sample(sorted(CHECKED), 2)]
        rules = {each: random_rules(each, solution, box, rng) for each in names}
        if isinstance(rules[name], list) and name != "negative":
            rules[name] = rules[name] + random_rules(name, solution, box, rng)
            rules[name] = [
                each for k, each in enumerate(rules[name]) if each not in rules[name][:k]
            ]
        given = rng.sample(range(box.cells), 16)
        board = [value if cell in given else 0 for cell, value in enumerate(solution)]
        expected = [*map(tuple, variant_solutions(board, box, rules))]
        stated = SudokuRules(**rules)
        found = dlx.iter_solutions(board, box=box, rules=stated)
        assert sorted(map(tuple, found)) == sorted(expected)
        if expected:
            assert stated.exact_cover(box, puzzle=board).count() == len(expected)


DOTS = "differences", "ratios"


@pytest.mark.parametrize(
    "negative", [{"non_consecutive": True, "negative": ["ratios"]}, {"negative": [*DOTS]}]
)
@pytest.mark.parametrize("of_one_and_two", DOTS)
def test_either_dot_may_be_between_1_and_2(negative, of_one_and_two):
    """A Kropki puzzle with all dots, one for each pair of cells."""
    solution = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    dots = {name: [] for name in DOTS}
    for pair in [(a, b) for a in range(16) for b in neighbors(a, 4) if a < b]:
        low, high = sorted(solution[cell] for cell in pair)
        if (low, high) == (1, 2):
            dots[of_one_and_two].append((*pair, 1 + (of_one_and_two == "ratios")))
        elif high - low == 1:
            dots["differences"].append((*pair, 1))
        elif high == 2 * low:
            dots["ratios"].append((*pair, 2))
    stated = dots | negative
    rules = SudokuRules(**stated)
    expected = [*variant_solutions([0] * 16, Box(2, 2), stated)]
    assert solution in map(list, expected)
    found = dlx.iter_solutions([0] * 16, box="2x2", rules=rules)
    assert sorted(found) == sorted(expected)
    assert rules.exact_cover((2, 2)).count() == len(expected)
    assert rules.with_rules(rules.single_rules()) == rules
    assert len(rules.single_rules()) == 1
    steps = dlx.deduce("." * 16, rules)
    assert steps
    assert not any(step.text.startswith("Conflict") for step in steps)


def test_equal_cells_in_a_unit_are_the_reason():
    """A line of 25 cells through one box: most of its pairs are in the same row."""
    line = [*range(9), *range(17, 8, -1), *range(18, 25)]
    rules = SudokuRules(palindromes=[line])
    assert not rules.possible()
    assert dlx.solve_batch(["." * 81], rules=rules).nodes.tolist() == [0]
    reason = "r2c3 and r2c9 have the same value, but are in row 2"
    assert reason in str(dlx.diagnose_sudoku("." * 81, rules=rules))


def test_clues_are_about_rows_and_columns():
    with pytest.raises(ValueError, match="sandwiches: cells must be a row or a column"):
        SudokuRules(sandwiches=[(5, [0, 1, 2, 4])]).exact_cover((2, 2))
    with pytest.raises(ValueError, match="too many lines of 16 cells show 5 values"):
        SudokuRules(skyscrapers=[(5, range(16))]).exact_cover((4, 4))


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
