"""Traces as text and JSON agree with the record."""

import csv
import json

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.explain.trace import format_csv, format_json, format_text, trace_effects
from tests.helpers.examples import multiplicity_example
from tests.helpers.problems import general_problem
from tests.helpers.seeds import seeds

SETS = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}
COLORS = [["p", ("x", "A")], ["q", ("x", "A")], ["q", ("x", "B")]]
SAME = "(keep only options of the same color)"
GIVEN = [["a"], ["a", "b"], ["b", "c"], ["c"]]


def rows_of(record):
    """Return the objects of a trace."""
    return list(map(json.loads, format_json(record).splitlines()))


def test_a_table_has_what_the_lines_of_json_have():
    record = record_search(view_search(named_problem(multiplicity_example()), "table"))
    table = [*csv.DictReader(format_csv(record).splitlines())]
    for row, stated in zip(table, rows_of(record), strict=True):
        texts = {
            key: "; ".join(map(str, value)) if isinstance(value, list) else str(value)
            for key, value in stated.items()
        }
        assert {key: value for key, value in row.items() if value} == texts


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        (dlx.ExactCover(SETS), {"option": "S3", "option_description": "S3"}),
        (dlx.ExactCover(SETS.values()), {"option": "2", "option_description": "B C"}),
        (dlx.ExactCover(GIVEN, given=[0]), {"description": "Try option b c: cover item c."}),
        (
            dlx.ExactCover(COLORS, secondary=["x"]),
            {
                "purified": ["x"],
                "removed": ["2"],
                "description": f"Try option p x:A: purify item x {SAME}. This hides option q x:B.",
            },
        ),
        (
            dlx.ExactCover([["p", "r", ("x", "A")], ["q"]], secondary=["x"]),
            {"description": f"Try option p r x:A: cover item r and purify item x {SAME}."},
        ),
    ],
    ids=["names", "no names", "given", "colors", "cover and purify"],
)
def test_descriptions_of_options(cover, expected):
    row = rows_of(record_search(view_search(named_problem(cover), "options")))[3]
    assert expected.items() <= row.items()


def test_multiplicities():
    record = record_search(
        view_search(named_problem(multiplicity_example()), "multiplicities"), steps=26
    )
    rows = rows_of(record)
    stated = [" ".join([row["action"], row["item"], *row.get("used", [])]) for row in rows[1:8]]
    assert stated[:3] == ["choose c", "prepare c", "try c a"]
    assert stated[3:] == ["choose a", "prepare a", "tweak a a", "try a b"]
    assert [rows[1]["size"], rows[4]["size"]] == [2, 3]
    assert rows[23]["released"] == ["a", "b"]
    assert format_text(record).splitlines()[-1] == "The recording stopped early, after 26 steps."


@pytest.mark.parametrize("rule", ["smallest", "literal-leftmost"])
def test_a_trace_says_that_given_options_have_no_alternatives(rule):
    """The others of their items are not tried, though the arrays contain them."""
    cover = dlx.ExactCover(SETS | {"S4": ["C"]}, given=["S1"], choose=rule)
    record = record_search(view_search(named_problem(cover), "given", show_givens=True))
    assert [step.text for step in record.steps if step.name in ("X6", "X7") and not step.level] == [
        "Undo option S1: restore what it covered and hid, in reverse order. "
        "It is given, so no other option of item A is tried.",
        "The given option of item A has been tried: uncover it.",
    ]
    assert record.steps[-1].text == (
        "All options have been tried but those that the given ones exclude, so the search ends: "
        "1 cover was found."
    )
    tried = [step.text.split()[2].strip(".:") for step in record.steps if step.action == "try"]
    assert tried == ["S1", "S3"]


def test_options_of_a_board_are_its_placements():
    board = np.array([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2], np.uint8)
    [puzzle] = dlx.read("1.....3..4.....2")
    record = record_search(view_search(named_problem(puzzle.cover()), "4×4 board"))
    assert record.nodes == dlx.solve_batch(board[None], engine="dlx", limit=None).nodes[0]
    rows = rows_of(record)
    assert rows[3]["description"].startswith("Try option r1c4=4: cover ")
    [cover] = [row for row in rows if row["action"] == "visit"]
    solution = dlx.solve_sudoku("1.....3..4.....2")
    placements = {f"r{k // 4 + 1}c{k % 4 + 1}={solution[k]}" for k in range(16) if not board[k]}
    assert set(cover["partial_solution"]) == placements


def test_long_lines_are_abbreviated():
    """A line lists the first options that it removes, and is indented by some levels at most."""
    options = [["a"]] + [["a", k] for k in range(20)] + [[k] for k in range(20)]
    view = view_search(named_problem(dlx.ExactCover(options, choose="leftmost")), "long")
    lines = format_text(record_search(view, steps=62)).splitlines()
    assert "hide options a 0, a 1, a 2, a 3, a 4, a 5, a 6, a 7, and 12 more from" in lines[5]
    assert lines[-4] == "  60    19 X5  " + 16 * "│ " + "Try option 18."


def test_names_stay_on_one_line():
    view = view_search(named_problem(dlx.ExactCover([["x\ny", 'a "b"'], ["x\ny"]])), "odd\nname")
    record = record_search(view)
    text = format_text(record)
    assert text.startswith("odd\\nname: ")
    assert len(text.splitlines()) == len(record.steps) + 5
    assert 'Cover item a "b": remove it' in text
    assert rows_of(record)[3]["covered"] == ["x\ny"]


def test_only_characters_without_a_shape_are_escaped():
    options = [["x\ny", 'a "b"', "c"], ["x\ny"], ["c", 'a "b"'], ["x\ny", "c"], ["c"]]
    text = format_text(record_search(view_search(named_problem(dlx.ExactCover(options)), "")))
    assert "│ Choose item x\\ny" in text
    assert 'option c a "b"' in text


def test_effects_reproduce_the_state():
    """The items and options of each step add up, and are those of the remaining problem."""
    algorithms = set()
    for seed in seeds(240, 12):
        cover = general_problem(seed, has_bounds=seed % 2 == 1)
        record = record_search(view_search(named_problem(cover), "random"), steps=300)
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
