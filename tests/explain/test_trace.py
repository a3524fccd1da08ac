"""Traces as text and JSON agree with the record."""

import itertools
import json

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.explain.trace import trace_search
from dlx_numba.explain.trace_text import format_json, format_text
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.examples import multiplicity_example
from tests.helpers.oracles import random_general_problem
from tests.helpers.seeds import seeds

CLASSIC_EXAMPLE = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}


def classic_example(options=CLASSIC_EXAMPLE):
    """Return the view of the universe {A, B, C} with S1 = {A}, S2 = {A, B} and S3 = {B, C}."""
    return view_search(dlx.ExactCover(options), "classic")


def rows_of(record):
    """Return the objects of a trace."""
    return list(map(json.loads, format_json(record).splitlines()))


def test_classic_example_as_text():
    view = classic_example()
    assert format_text(record_search(view)) == (
        "classic: 3 options, 3 items, 5 entries\n"
        "\n"
        "step level      action: effects  {partial solution}\n"
        "   0     0 X1  start  {}\n"
        "   1     0 X3  choose C (1)  {}\n"
        "   2     0 X4  cover C: covered C; removed S3  {}\n"
        "   3     0 X5  try S3: covered B; removed S2  {S3}\n"
        "   4     1 X3  │ choose A (1)  {S3}\n"
        "   5     1 X4  │ cover A: covered A; removed S1  {S3}\n"
        "   6     1 X5  │ try S1  {S3 S1}\n"
        "   7     2 X2  │ │ ✓ cover  {S3 S1}\n"
        "   8     2 X8  │ │ end  {S3 S1}\n"
        "\n"
        "The recording contains the complete search.\n"
    )


def test_classic_example_as_json():
    rows = rows_of(record_search(classic_example(), steps=4))
    assert rows[1]["size"] == 1
    assert rows[3] == {
        "step": 3,
        "level": 0,
        "name": "X5",
        "action": "try",
        "item": "C",
        "option": "S3",
        "option_description": "S3",
        "covered": ["B"],
        "removed": ["S2"],
        "partial_solution": ["S3"],
        "description": "Try option S3: cover item B. This hides option S2. The recording stopped "
        "early, after 4 steps.",
    }


def test_options_without_names_have_numbers_and_labels():
    record = record_search(classic_example(CLASSIC_EXAMPLE.values()))
    assert "try 2 (B C): covered B; removed 1  {2}\n" in format_text(record)
    row = rows_of(record)[3]
    assert (row["option"], row["option_description"]) == ("2", "B C")


def test_options_are_described_if_the_search_starts_after_givens():
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b", "c"], ["c"]], given=[0])
    text = format_text(record_search(view_search(cover, "given")))
    assert "try 2 (b c): covered c" in text


def test_colors_and_multiplicities():
    options = [["p", ("x", "A")], ["q", ("x", "A")], ["q", ("x", "B")]]
    view = view_search(dlx.ExactCover(options, secondary=["x"]), "colors")
    lines = format_text(record_search(view)).splitlines()
    assert lines[6] == "   3     0 C5  try 0 (p x:A): purified x; removed 2  {0}"
    view = view_search(multiplicity_example(), "multiplicities")
    lines = format_text(record_search(view, steps=26)).splitlines()
    assert lines[4:11] == [
        "   1     0 M3  choose c (2)  {}",
        "   2     0 M4  prepare c: covered c; removed 1 4  {}",
        "   3     0 M6  try 1 (a c): used a  {1}",
        "   4     1 M3  │ choose a (3)  {1}",
        "   5     1 M4  │ prepare a  {1}",
        "   6     1 M5  │ tweak 0 (a b): used a; removed 0  {1}",
        "   7     1 M6  │ try 0 (a b): used b  {1 0}",
    ]
    assert "  18     2 M6  │ │ try a  {1 0}" in lines
    assert "  23     1 M7  │ undo 0 (a b): released a b  {1}" in lines
    assert lines[-1] == "The recording stopped early, after 26 steps."


def test_options_of_a_board_are_its_placements():
    board = np.array([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2], np.uint8)
    view = view_board(board, Box(2, 2), Alphabet("1-9A-", 4), "4×4 board")
    record = record_search(view)
    lines = format_text(record).splitlines()
    assert lines[4:7] == [
        "   1     0 X3  choose p14 (1)  {}",
        "   2     0 X4  cover p14: covered p14; removed r1c4=4  {}",
        "   3     0 X5  try r1c4=4 (4 in row 1, column 4): covered r14 c44 b24; removed r1c3=4 "
        "r2c4=4  {r1c4=4}",
    ]
    [cover] = [row for row in rows_of(record) if row["action"] == "visit"]
    cells = dict(name.split("=") for name in cover["partial_solution"])
    solution = dlx.solve_sudoku("1.....3..4.....2")
    givens = {0, 6, 9, 15}
    assert cells == {
        f"r{k // 4 + 1}c{k % 4 + 1}": solution[k] for k in range(16) if k not in givens
    }


def test_costs_of_covers():
    view = view_search(dlx.ExactCover([["a"], ["a"], ["b"]], costs=[3, 5, 1000]), "costs")
    record = record_search(view)
    text = format_text(record)
    assert "✓ cover |1003  {2 0}\n" in text
    assert "✓ cover |1005  {2 1}\n" in text
    assert "options 0 and 2 form a cover of cost 1,003." in format_json(record)


def test_long_lines_are_abbreviated():
    """A line lists the first options that it removes, and the last ones of a long solution."""
    options = [["a"]] + [["a", k] for k in range(20)] + [[k] for k in range(20)]
    view = view_search(dlx.ExactCover(options), "long")
    lines = format_text(
        record_search(view._replace(rule=BranchingRule(Branching.LEFTMOST)), steps=62)
    ).splitlines()
    removed = "0 1 2 3 4 5 6 7 8 9 10 … (10 more)"
    assert lines[5] == f"   2     0 X4  cover a: covered a; removed {removed}  {{}}"
    assert lines[-4] == "  60    19 X5  " + 16 * "│ " + "try 39 (18)  {… 34 35 36 37 38 39}"
    assert max(map(len, lines)) <= 102


def test_names_stay_on_one_line():
    view = view_search(dlx.ExactCover([["x\ny", 'a "b"'], ["x\ny"]]), "odd\nname")
    record = record_search(view)
    text = format_text(record)
    assert text.startswith('"odd\\nname": ')
    assert len(text.splitlines()) == len(record.steps) + 5
    assert r'cover "a \"b\"": covered "a \"b\""; removed 0' in text
    assert rows_of(record)[3]["covered"] == ["x\ny"]


def random_views(count):
    for seed in seeds(count):
        options, bounds, secondary = random_general_problem(seed)
        more = {"multiplicity": bounds} if seed % 2 else {}
        cover = dlx.ExactCover(options, list(bounds), secondary, **more)
        view = view_search(cover, "random")
        yield view, record_search(view, steps=300)


def test_effects_reproduce_the_state():
    """The items and options of each step add up, and are those of the remaining problem."""
    algorithms = set()
    for view, record in random_views(120):
        covered, colored, removed = set(), set(), set()
        sets = list(view.marked_rows())
        for trace in trace_search(record):
            step, effects = trace.step, trace.effects
            algorithms.add(step.name[0])
            for state, added, dropped in [
                (covered, effects["covered"], effects["uncovered"]),
                (colored, effects["purified"], effects["unpurified"]),
                (removed, effects["removed"], effects["restored"]),
            ]:
                assert state.isdisjoint(added)
                assert state.issuperset(dropped)
                state.update(added)
                state.difference_update(dropped)
            # An option with a covered item cannot be chosen.
            for option, entries in enumerate(sets):
                if any(item + 1 in covered for item, _ in entries):
                    assert option in removed
            assert removed.issuperset(step.chosen)
            if step.action == "visit" and view.problem.low is None:
                assert covered.issuperset(range(1, view.n_primary + 1))
            if step.option >= 0 and step.action == "try":
                names = {item + 1 for item, _ in sets[step.option]}
                assert names.issuperset(effects["covered"] + effects["purified"] + effects["used"])
            assert trace.step.lacking == 0 or trace.outcome == "dead-end"
        if record.stop_reason is StopReason.COMPLETE and view.problem.low is not None:
            # The search returns to the root; Algorithm X stops at the last cover or dead end.
            assert not (covered | colored | removed)
    assert algorithms == {"X", "C", "M"}


def test_objects_agree_with_the_record():
    for view, record in itertools.islice(random_views(120), 60):
        rows = rows_of(record)
        assert len(rows) == len(record.steps)
        for number, (row, step) in enumerate(zip(rows, record.steps, strict=True)):
            assert (row["step"], row["name"]) == (number, step.name)
            assert row["description"].startswith(step.text)
            assert ("option" in row) == (step.option >= 0)
            assert len(row.get("partial_solution", [])) == len(step.chosen)
        covers = [row.get("partial_solution", []) for row in rows if row["action"] == "visit"]
        assert [len(cover) for cover in covers] == [len(cover) for cover in record.covers]
        lines = format_text(record).splitlines()
        assert len(lines) == len(record.steps) + 5
        assert view.title == "random"


def test_levels_are_those_of_the_tree():
    for view, record in random_views(60):
        for step in record.steps:
            depth, node = 0, step.tree_node
            while record.tree[node].parent >= 0:
                depth, node = depth + 1, record.tree[node].parent
            assert depth - 1 <= step.level <= depth
        assert view.title == "random"


@pytest.mark.parametrize("options", [[], [[]]])
def test_traces_of_empty_problems(options):
    view = view_search(dlx.ExactCover(options), "empty")
    lines = format_text(record_search(view)).splitlines()
    assert lines[4] == "   1     0 X2  ✓ cover  {}"
    assert [row["action"] for row in rows_of(record_search(view))] == [
        "start",
        "visit",
        "end",
    ]
