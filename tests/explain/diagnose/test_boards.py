"""Diagnoses of puzzles are checked by backtracking, which knows rules as predicates."""

import pickle
import random
import re

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import Box, SudokuRules, diagnose_sudoku
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.diagnose.boards import _Conflicts, diagnose_puzzle
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import oracles
from tests.helpers.hosts import SetAfter
from tests.helpers.seeds import seeds
from tests.helpers.variants import random_variant, variant_solutions

BOX = Box(2, 2)
RULES = ["diagonals", "anti_knight", "less_than", "thermometers", "cages", "clones", "regions"]


def has_solution(box, rules, conditions, removed=None):
    """Return whether some givens, such as `r1c4=7`, and rules have a common solution."""
    board, chosen = [0] * box.cells, []
    for kind, condition in conditions:
        if (kind, condition) == removed:
            continue
        if kind == "rule":
            chosen.append(condition)
        else:
            row, column, value = map(int, re.findall(r"\d+", condition))
            board[(row - 1) * box.n + column - 1] = value
    stated = rules.with_rules(chosen).stated()
    if stated:
        return next(variant_solutions(board, box, stated), None) is not None
    return oracles.count_sudoku_solutions(board, box, 1, 10**6) == 1


def broken_puzzle(rng, names):
    """Return a box, a board and rules, mostly without a solution."""
    box, rules = BOX, {}
    if names:
        board, rules = random_variant(box, rng.sample(names, 2), rng, 6)
    else:
        box = rng.choice([BOX, Box(3, 3)])
        board = oracles.random_board(box, rng, 2 * box.cells // 3).ravel().tolist()
    for cell in rng.sample(range(box.cells), 2):
        board[cell] = rng.randint(1, box.n)
    return box, board, rules


@pytest.mark.parametrize("seed", [*seeds(120)])
def test_conflicts_of_random_puzzles(seed):
    """Each statement of a diagnosis is true, by backtracking."""
    box, board, rules = broken_puzzle(random.Random(seed), RULES if seed % 2 else [])
    stated = SudokuRules(**rules)
    # Few of the givens may exclude each other only after a long search.
    diagnosis = diagnose_sudoku(
        np.array(board), box=box, rules=stated if rules else None, seconds=10
    )

    every = [("given", f"r{k // box.n + 1}c{k % box.n + 1}={v}") for k, v in enumerate(board) if v]
    every += [("rule", rule) for rule in stated.single_rules()]
    assert diagnosis.kind == ("solvable" if has_solution(box, stated, every) else "conflict")
    if diagnosis.kind == "conflict":
        blamed = diagnosis.conditions
        if "was stopped" in diagnosis.text:
            return
        assert diagnosis.is_minimal
        assert not has_solution(box, stated, blamed)
        assert all(has_solution(box, stated, blamed, each) for each in blamed)
        for other in diagnosis.others:
            assert not set(other.conditions) & set(blamed)
            assert not has_solution(box, stated, other.conditions)
        left = [each for each in every if each not in diagnosis.conditions]
        for other in diagnosis.others:
            left = [each for each in left if each not in other.conditions]
        assert has_solution(box, stated, left)
        helpful = [each for each in blamed if has_solution(box, stated, every, each)]
        assert diagnosis.helpful == helpful


def test_a_conflict_has_the_symbols_of_the_puzzle():
    puzzle = dlx.Board("AA" + "." * 254, alphabet="A-")
    diagnosis = diagnose_sudoku(puzzle)
    assert diagnosis.text.split("\n")[:2] == [
        "The puzzle has no solution: two As in row 1.",
        "To blame: `r1c1=A`, `r1c2=A`.",
    ]
    assert diagnosis.conditions == [("given", "r1c1=1"), ("given", "r1c2=1")]
    assert diagnose_sudoku(puzzle.string(), alphabet="A-") == diagnosis
    assert diagnose_sudoku(puzzle.values).text == diagnosis.text.replace("A", "1")


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("1....1" + "." * 10, "2 givens exclude each other."),
        (".1......1.......", "two 1s in box 1."),
    ],
)
def test_regions_replace_the_boxes_in_reasons(board, reason):
    rules = SudokuRules(regions="PPRR PQRR PQSS QQSS")
    assert diagnose_sudoku(board, rules=rules).first_line.endswith(reason)


@pytest.mark.slow
@pytest.mark.parametrize(("third", "is_solvable"), [("12", False), ("3", True)])
def test_candidates_can_conflict(third, is_solvable):
    cells = ["12", "12", third, *["123456789"] * 78]
    rows = (" ".join(cells[k : k + 9]) for k in range(0, 81, 9))
    [puzzle] = dlx.read("\n".join(rows), "sukaku")
    diagnosis = diagnose_puzzle(puzzle, Stop(), lambda step: None)
    assert (diagnosis.kind == "solvable") == is_solvable == bool(puzzle.count(1))
    if not is_solvable:
        assert "r1c1, r1c2 and r1c3 all need the 1 of row 1 or the 2 of row 1" in diagnosis.text
        assert "forbidden" not in diagnosis.text


def test_reasons_are_in_the_words_of_the_picture():
    [puzzle] = dlx.read("01..\n.111\n....\n00..\n", "takuzu")
    diagnosis = diagnose_puzzle(puzzle, Stop(), lambda step: None)
    reason = "The 0s of row 2 must be covered 2 times, but only 1 option contains it."
    assert diagnosis.first_line == reason
    assert diagnosis.items == [("row", 2, "0")]


def test_all_covers_may_violate_a_condition():
    [puzzle] = dlx.read("001.\n....\n.100\n11..\n", "takuzu")  # two equal rows
    assert puzzle.cover().count() == 1
    diagnosis = diagnose_puzzle(puzzle, Stop(), lambda step: None)
    assert (diagnosis.kind, diagnosis.items, puzzle.count()) == ("condition", [], 0)
    only = named_problem(puzzle.cover(forbidden=[0]))
    assert diagnose_puzzle(puzzle, Stop(), lambda step: None, only).kind == "statement"
    [puzzle] = dlx.read("001.\n....\n....\n11..\n", "takuzu")
    assert diagnose_puzzle(puzzle, Stop(), lambda step: None).kind == "solvable"
    assert diagnose_puzzle(puzzle, Stop(0), lambda step: None).kind == "unknown"


def test_pictures_show_the_givens_in_conflict():
    diagnosis = diagnose_sudoku("12....4........3")
    assert "with 3 givens" in diagnosis.svg()
    assert diagnosis.svg() in diagnosis._repr_html_()
    assert pickle.loads(pickle.dumps(diagnosis)).svg() == diagnosis.svg()
    assert diagnose_sudoku("." * 16).svg() is None


def test_all_independent_conflicts_are_reported():
    diagnosis = diagnose_sudoku("11.. .... .... .323".replace(" ", ""))
    assert [each.conditions for each in (diagnosis, *diagnosis.others)] == [
        [("given", "r1c1=1"), ("given", "r1c2=1")],
        [("given", "r4c2=3"), ("given", "r4c4=3")],
    ]
    assert "Reason 2 of 2, independent of the others:\n" in diagnosis.text
    assert not diagnosis.helpful
    assert "two 3s in row 4" in diagnosis.others[0].text


def test_rules_alone_can_conflict():
    rules = SudokuRules(less_than=[(0, 1), (1, 2), (3, 4), (2, 0)])
    assert not rules.possible("2x2")
    diagnosis = diagnose_sudoku("." * 16, rules=rules)
    assert diagnosis.first_line == "The puzzle has no solution: 3 rules exclude each other."
    single = [rule for rule in rules.single_rules() if rule.less_than != ((3, 4),)]
    assert diagnosis.conditions == diagnosis.helpful == [("rule", rule) for rule in single]


def test_cages_to_blame_have_sums_and_the_names_of_cells():
    for board, cages, expected in (
        ("." * 16, [(10, [2, 3, 6]), (None, [8, 9])], "the cage of 10 at r1c3 r1c4 r2c3."),
        ("1.....1.........", [(None, [0, 6])], "`r1c1=1`, `r2c3=1`, the cage at r1c1 r2c3."),
    ):
        diagnosis = diagnose_sudoku(board, rules=SudokuRules(cages=cages))
        assert f"To blame: {expected}" in diagnosis.text


def test_a_stopped_call_returns_the_smallest_conflict_so_far():
    board = np.array(oracles.random_solution(BOX, random.Random(1))).ravel()
    board[board == 1] = 0
    board[0] = board[0] % 4 + 1
    rules = SudokuRules(diagonals=True)
    assert diagnose_sudoku(board, rules=rules).is_minimal  # and the rules have been formulated
    sizes = []
    for left in range(0, 240, 16):
        diagnosis = diagnose_sudoku(board, rules=rules, stop=SetAfter(left))
        assert diagnosis.is_minimal or diagnosis.kind in ("unknown", "conflict")
        if diagnosis.kind == "conflict":
            sizes.append(len(diagnosis.conditions))
            assert not has_solution(BOX, rules, diagnosis.conditions)
    assert sizes[0] > sizes[-1]
    assert diagnosis.is_minimal


def test_a_stopped_call_does_not_say_that_no_given_is_enough():
    for left in range(40):
        text = str(diagnose_sudoku("12....4........3", stop=SetAfter(left)))
        assert "not enough" not in text


def test_two_equal_givens_are_the_reason_without_a_search_for_others(monkeypatch):
    board = "897564321654321897321798654986475213743912586512683749479856132268139475135247961"
    searched = []
    search = _Conflicts.has_solution

    def count(conflicts, some):
        searched.append(len(some))
        return search(conflicts, some)

    monkeypatch.setattr(_Conflicts, "has_solution", count)
    diagnosis = dlx.diagnose_sudoku(board)
    assert diagnosis.conditions == [("given", "r9c1=1"), ("given", "r9c9=1")]
    assert diagnosis.is_minimal
    assert not {*searched} - {0, 1, 2, 79, 80, 81}
