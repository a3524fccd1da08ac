"""Deductions are checked step by step, by their rules on plain lists, and by brute force."""

import random
import re
import threading

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.deduction import deduce_steps, rules_of
from dlx_numba.explain.deduction.reason import CASES
from dlx_numba.runtime.interrupts import Stop
from scripts.fuzzing.diagnoses import deduce_problems, larger_problem
from tests.helpers import oracles
from tests.helpers.deductions import check_deduction
from tests.helpers.seeds import seeds


@pytest.mark.parametrize("seed", [*seeds(2500, 30)])
def test_no_step_contradicts_a_cover(seed, tmp_path):
    deduce_problems(random.Random(seed), tmp_path)


@pytest.mark.parametrize("seed", [*seeds(2000, 30)])
def test_cases_decide_all_problems_with_one_cover_and_those_without(seed):
    rng = random.Random(seed)
    problem = larger_problem(rng) if seed % 2 else oracles.random_general_problem(seed, True)
    options, bounds, secondary = problem
    cover = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds)
    rules = [*rules_of(named_problem(cover), rng.randint(1, 3)), (CASES, 0, 0)]
    deduction = deduce_steps(named_problem(cover), rules, Stop())
    check_deduction(cover, deduction)
    n_covers = len(cover.solve(limit=2))
    assert (deduction.refuted, deduction.cover is not None) == (n_covers == 0, n_covers == 1)


def test_rules_and_their_order():
    hidden = dlx.ExactCover([["a", "b"], ["b", "c"], ["c", "a", "d"], ["c"]], items=[*"abcd"])
    step = hidden.deduce()[0]
    assert (step.kind, step.items, step.chosen, step.removed) == ("only", ["d"], 2, [0, 1, 3])
    pairs = {f"{man}{day}": [man, day] for man in "abc" for day in "xyz"}
    del pairs["az"], pairs["bz"]
    step = dlx.ExactCover(pairs).deduce()[0]
    assert (step.kind, step.items, step.chosen) == ("only", ["z"], 6)
    pairs = {f"{man}{day}": [man, day] for man in "abcd" for day in "wxyz"}
    del pairs["az"], pairs["bz"], pairs["aw"], pairs["bw"]
    step = dlx.ExactCover(pairs).deduce()[0]
    assert (step.kind, step.size, step.items) == ("set", 2, ["a", "b", "x", "y"])
    assert [[*pairs][k] for k in step.removed] == ["cx", "cy", "dx", "dy"]
    assert all(step.kind == "chain" for step in dlx.ExactCover(pairs).deduce(max_size=1))


def test_sets_leave_out_items_of_which_several_options_may_have_the_same_color():
    options = [["a", ("s", 1)], ["a", ("t", 1)], ["b", ("s", 1)], ["b", ("t", 1)], ["c", ("s", 1)]]
    options.append(["c", ("t", 2)])
    cover = dlx.ExactCover(options, secondary=["s", "t"])
    assert all(step.kind != "set" for step in cover.deduce())
    plain = [[name[0] if isinstance(name, tuple) else name for name in each] for each in options]
    assert dlx.ExactCover(plain, secondary=["s", "t"]).deduce().refuted


@pytest.mark.parametrize("seconds", [0, None])
def test_a_deduction_that_is_stopped_is_not_done(seconds):
    empty = dlx.ExactCover([["a"], ["b"]])
    event = threading.Event()
    event.set()
    deduction = empty.deduce(seconds=seconds, stop=event)
    assert (deduction.done, deduction.steps, deduction.cover) == (False, [], None)
    assert deduction.end == "Stopped before the end."


def test_totals_may_refute_what_the_steps_find():
    cover = dlx.ExactCover([["a"], ["b"]], totals={"t": ([1, 1], 0, 1)})
    deduction = cover.deduce()
    assert (deduction.refuted, deduction.cover) == (True, None)
    assert "totals" in deduction.end


def test_pictures_show_the_step(tmp_path):
    board = dlx.deduce("1.....3..4.....2")
    assert board[0].svg().count("<svg") == 1
    pieces = dlx.example("polyominoes").cover().deduce()
    assert "stroke-dasharray" in next(step for step in pieces if step.removed).svg()
    matrix = dlx.ExactCover([["x", "y"], ["y"], ["x"]], items=["x", "y", "z"][:2])
    assert matrix.deduce(given=[1])[0].svg().startswith("<svg")
    assert "<code>" in matrix.deduce(given=[1])[0]._repr_html_()
    assert board[0]._repr_html_().startswith("<p>Naked single: r1c4 can only be 4.")


def test_each_step_of_a_nonogram_is_drawn_on_its_board():
    steps = dlx.example("nonogram").with_all_options().cover().deduce()
    assert any("white" in step.text for step in steps)
    [title] = {re.search("<title[^>]*>([^<]*)", step.svg()).group(1) for step in steps}
    assert title == "Nonogram"
