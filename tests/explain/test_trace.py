"""Traces as text and JSON agree with the record."""

import json

import numpy as np

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.explain.trace import format_json, format_text, trace_effects
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


def test_options_without_names_are_described_by_their_items():
    record = record_search(classic_example(CLASSIC_EXAMPLE.values()))
    assert "Try option B C: cover item B. This hides option A B.\n" in format_text(record)
    row = rows_of(record)[3]
    assert (row["option"], row["option_description"]) == ("2", "B C")


def test_options_are_described_if_the_search_starts_after_givens():
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b", "c"], ["c"]], given=[0])
    text = format_text(record_search(view_search(cover, "given")))
    assert "Try option b c: cover item c." in text


def test_colors_and_multiplicities():
    options = [["p", ("x", "A")], ["q", ("x", "A")], ["q", ("x", "B")]]
    rows = rows_of(record_search(view_search(dlx.ExactCover(options, secondary=["x"]), "colors")))
    assert (rows[3]["option_description"], rows[3]["purified"]) == ("p x:A", ["x"])
    assert rows[3]["removed"] == ["2"]
    view = view_search(multiplicity_example(), "multiplicities")
    record = record_search(view, steps=26)
    rows = rows_of(record)
    assert [(row["action"], row.get("item"), row.get("used")) for row in rows[1:8]] == [
        ("choose", "c", None),
        ("prepare", "c", None),
        ("try", "c", ["a"]),
        ("choose", "a", None),
        ("prepare", "a", None),
        ("tweak", "a", ["a"]),
        ("try", "a", ["b"]),
    ]
    assert rows[23]["released"] == ["a", "b"]
    assert format_text(record).splitlines()[-1] == "The recording stopped early, after 26 steps."


def test_options_of_a_board_are_its_placements():
    board = np.array([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2], np.uint8)
    view = view_board(board, Box(2, 2), Alphabet("1-9A-", 4), "4×4 board")
    record = record_search(view)
    assert record.nodes == dlx.solve_batch(board[None], engine="dlx", limit=None).nodes[0]
    lines = format_text(record).splitlines()
    assert lines[6].startswith("   3     0 X5  Try option r1c4=4 (4 in row 1, column 4): cover ")
    [cover] = [row for row in rows_of(record) if row["action"] == "visit"]
    cells = dict(name.split("=") for name in cover["partial_solution"])
    solution = dlx.solve_sudoku("1.....3..4.....2")
    givens = {0, 6, 9, 15}
    assert cells == {
        f"r{k // 4 + 1}c{k % 4 + 1}": solution[k] for k in range(16) if k not in givens
    }


def test_long_lines_are_abbreviated():
    """A line lists the first options that it removes, and is indented by some levels at most."""
    options = [["a"]] + [["a", k] for k in range(20)] + [[k] for k in range(20)]
    view = view_search(dlx.ExactCover(options), "long")
    view = view._replace(rule=BranchingRule(Branching.LEFTMOST))
    lines = format_text(record_search(view, steps=62)).splitlines()
    assert "hide options a 0, a 1, a 2, a 3, a 4, a 5, a 6, a 7, and 12 more from" in lines[5]
    assert lines[-4] == "  60    19 X5  " + 16 * "│ " + "Try option 18."


def test_names_stay_on_one_line():
    view = view_search(dlx.ExactCover([["x\ny", 'a "b"'], ["x\ny"]]), "odd\nname")
    record = record_search(view)
    text = format_text(record)
    assert text.startswith("odd\\nname: ")
    assert len(text.splitlines()) == len(record.steps) + 5
    assert 'Cover item a "b": remove it' in text
    assert rows_of(record)[3]["covered"] == ["x\ny"]


def test_effects_reproduce_the_state():
    """The items and options of each step add up, and are those of the remaining problem."""
    algorithms = set()
    for seed in seeds(240, 12):
        options, bounds, secondary = random_general_problem(seed)
        more = {"multiplicity": bounds} if seed % 2 else {}
        cover = dlx.ExactCover(options, list(bounds), secondary, **more)
        record = record_search(view_search(cover, "random"), steps=300)
        view = record.view
        covered, colored, removed = set(), set(), set()
        sets = list(view.marked_rows())
        rows = rows_of(record)
        for step, effects, row in zip(record.steps, trace_effects(record), rows, strict=True):
            algorithms.add(step.name[0])
            assert row["description"].startswith(step.text)
            assert row["name"] == step.name
            assert ("option" in row) == (step.option >= 0)
            assert len(row.get("partial_solution", [])) == len(step.chosen)
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
            assert step.lacking == 0 or record.tree[step.tree_node].outcome == "dead-end"
        if record.stop_reason is StopReason.COMPLETE and view.problem.low is not None:
            # The search returns to the root; Algorithm X stops at the last cover or dead end.
            assert not (covered | colored | removed)
    assert algorithms == {"X", "C", "M"}
