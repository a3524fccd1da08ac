"""Traces as text and CSV agree with the record."""

import csv
import io
import itertools

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.explain.trace import trace_search
from dlx_numba.explain.trace_text import CSV_HEADER, format_csv, format_text
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers import ROOT
from tests.helpers.examples import multiplicity_example
from tests.helpers.oracles import random_general_problem
from tests.helpers.seeds import seeds

LISTS = ("covered", "uncovered", "purified", "unpurified", "used", "released")
OPTION_LISTS = ("removed", "restored", "partial_solution")


CLASSIC_EXAMPLE = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}


def classic_example(options=CLASSIC_EXAMPLE):
    """Return the view of the universe {A, B, C} with S1 = {A}, S2 = {A, B} and S3 = {B, C}."""
    return view_search(dlx.ExactCover(options), "classic")


def rows_of(table):
    """Return the rows of a table as dictionaries with lists of names."""

    def names(field):
        return next(csv.reader([field], delimiter=" ", strict=True), [])

    reader = csv.DictReader(io.StringIO(table), strict=True)
    assert tuple(reader.fieldnames) == CSV_HEADER
    return [
        {key: names(value) if key in LISTS + OPTION_LISTS else value for key, value in row.items()}
        for row in reader
    ]


def test_classic_example_as_text():
    view = classic_example()
    assert format_text(record_search(view)) == (
        "classic: 3 options, 3 items, 5 entries\n"
        "\n"
        "step level      cover items; remove options; {partial solution}\n"
        "   0     0 X1  start with all items and options  {}\n"
        "   1     0 X3  choose C (1 option)  {}\n"
        "   2     0 X4  cover C; remove S3  {}\n"
        "   3     0 X5  try S3: cover B; remove S2  {S3}\n"
        "   4     1 X3  │ choose A (1 option)  {S3}\n"
        "   5     1 X4  │ cover A; remove S1  {S3}\n"
        "   6     1 X5  │ try S1  {S3 S1}\n"
        "   7     2 X2  │ │ ✓ cover 1: S1 S3\n"
        "   8     2 X8  │ │ end: 1 cover found  {S3 S1}\n"
        "\n"
        "The recording contains the complete search.\n"
    )


def test_classic_example_as_csv():
    view = classic_example()
    assert format_csv(record_search(view, steps=4)).splitlines() == [
        "step,level,name,action,item,size,option,option_description,covered,uncovered,purified,unpurified,"
        "used,released,removed,restored,partial_solution,outcome,description",
        '0,0,X1,start,,,,,,,,,,,,,,,"Set up the links: 3 options, 3 items, 5 entries. No option '
        'has been chosen yet."',
        '1,0,X3,choose,C,1,,,,,,,,,,,,,"Choose item C, which has 1 option left: the choice is '
        'forced."',
        '2,0,X4,cover,C,,,,C,,,,,,S3,,,,"Cover item C: remove it from the item list, and hide '
        'option S3 from the lists of its other items."',
        '3,0,X5,try,C,,S3,S3,B,,,,,,S2,,S3,,"Try option S3: cover item B. This hides option S2. '
        'The recording stopped early, after 4 steps."',
    ]
    rows = rows_of(format_csv(record_search(view)))
    assert [row["partial_solution"] for row in rows if row["action"] == "visit"] == [["S3", "S1"]]


def test_options_without_names_have_numbers_and_labels():
    view = classic_example(CLASSIC_EXAMPLE.values())
    text = format_text(record_search(view))
    assert "try 2 (B C): cover B; remove 1  {2}\n" in text
    assert "✓ cover 1: 0 2\n" in text
    rows = rows_of(format_csv(record_search(view)))
    assert (rows[3]["option"], rows[3]["option_description"]) == ("2", "B C")


def test_options_are_described_if_the_search_starts_after_givens():
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b", "c"], ["c"]], given=[0])
    text = format_text(record_search(view_search(cover, "given")))
    assert "try 2 (b c): cover c" in text


def test_knuths_example():
    cover = dlx.ExactCover.from_file(ROOT / "docs" / "examples" / "knuth.dlx")
    view = view_search(cover, "Knuth")
    lines = format_text(record_search(view)).splitlines()
    assert lines[3:-2] == [
        "   0     0 X1  start with all items and options  {}",
        "   1     0 X3  choose a (2 options)  {}",
        "   2     0 X4  cover a; remove 1 3  {}",
        "   3     0 X5  try 1 (a d g): cover d g; remove 4 5  {1}",
        "   4     1 X3  │ choose f (1 option)  {1}",
        "   5     1 X4  │ cover f; remove 2  {1}",
        "   6     1 X5  │ try 2 (b c f): cover b c; remove 0 ✗ e has no options left  {1 2}",
        "   7     1 X6  │ undo 2 (b c f): uncover c b; restore 0  {1}",
        "   8     1 X7  │ backtrack: uncover f; restore 2  {1}",
        "   9     0 X8  return to level 0  {1}",
        "  10     0 X6  undo 1 (a d g): uncover g d; restore 4 5  {}",
        "  11     0 X5  try 3 (a d f): cover d f; remove 2 5  {3}",
        "  12     1 X3  │ choose e (1 option)  {3}",
        "  13     1 X4  │ cover e; remove 0  {3}",
        "  14     1 X5  │ try 0 (c e): cover c  {3 0}",
        "  15     2 X3  │ │ choose g (1 option)  {3 0}",
        "  16     2 X4  │ │ cover g; remove 4  {3 0}",
        "  17     2 X5  │ │ try 4 (b g): cover b  {3 0 4}",
        "  18     3 X2  │ │ │ ✓ cover 1: 0 3 4",
        "  19     3 X8  │ │ │ end: 1 cover found  {3 0 4}",
    ]


def test_colors_and_multiplicities():
    options = [["p", ("x", "A")], ["q", ("x", "A")], ["q", ("x", "B")]]
    view = view_search(dlx.ExactCover(options, secondary=["x"]), "colors")
    lines = format_text(record_search(view)).splitlines()
    assert lines[6] == "   3     0 C5  try 0 (p x:A): purify x; remove 2  {0}"
    view = view_search(multiplicity_example(), "multiplicities")
    lines = format_text(record_search(view, steps=26)).splitlines()
    assert lines[4:11] == [
        "   1     0 M3  choose c (2 branches)  {}",
        "   2     0 M4  cover c; remove 1 4  {}",
        "   3     0 M6  try 1 (a c): use a  {1}",
        "   4     1 M3  │ choose a (3 branches)  {1}",
        "   5     1 M4  │ keep a, which can take several options  {1}",
        "   6     1 M5  │ tweak 0 (a b): use a; remove 0  {1}",
        "   7     1 M6  │ try 0 (a b): use b  {1 0}",
    ]
    assert "  18     2 M6  │ │ try no further option of a  {1 0}" in lines
    assert "  23     1 M7  │ undo 0 (a b): release a b  {1}" in lines
    assert lines[-1] == "The recording stopped early, after 26 steps."


def test_options_of_a_board_are_its_placements():
    board = np.array([1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2], np.uint8)
    view = view_board(board, Box(2, 2), Alphabet("1-9A-", 4), "4×4 board")
    record = record_search(view)
    lines = format_text(record).splitlines()
    assert lines[4:7] == [
        "   1     0 X3  choose p14 (1 option)  {}",
        "   2     0 X4  cover p14; remove r1c4=4  {}",
        "   3     0 X5  try r1c4=4: cover r14 c44 b24; remove r1c3=4 r2c4=4  {r1c4=4}",
    ]
    [cover] = [line for line in lines if "✓" in line]
    cells = dict(name.split("=") for name in cover.partition(": ")[2].split())
    solution = dlx.solve_sudoku("1.....3..4.....2")
    givens = {0, 6, 9, 15}
    assert cells == {
        f"r{k // 4 + 1}c{k % 4 + 1}": solution[k] for k in range(16) if k not in givens
    }
    rows = rows_of(format_csv(record))
    assert (rows[3]["option"], rows[3]["option_description"]) == ("r1c4=4", "4 in row 1, column 4")
    assert rows[-2]["partial_solution"] == [
        f"r{cell // 4 + 1}c{cell % 4 + 1}={value}"
        for [(cell, value)] in map(view.grid.option_cells.__getitem__, record.steps[-2].chosen)
    ]


def test_costs_of_covers():
    view = view_search(dlx.ExactCover([["a"], ["a"], ["b"]], costs=[3, 5, 1000]), "costs")
    record = record_search(view)
    text = format_text(record)
    assert "✓ cover 1: 0 2 |1003\n" in text
    assert "✓ cover 2: 1 2 |1005\n" in text
    assert "options 0 and 2 form a cover of cost 1,003." in format_csv(record)


def test_long_lines_are_abbreviated():
    """A line lists the first options that it removes, and the last ones of a long solution."""
    options = [["a"]] + [["a", k] for k in range(20)] + [[k] for k in range(20)]
    view = view_search(dlx.ExactCover(options), "long")
    lines = format_text(
        record_search(view._replace(rule=BranchingRule(Branching.LEFTMOST)), steps=62)
    ).splitlines()
    assert lines[5] == "   2     0 X4  cover a; remove 0 1 2 3 4 5 6 7 8 9 10 … (10 more)  {}"
    assert lines[-4].startswith("  60    19 X5" + 32 * " " + "try 39 (18)")
    assert lines[-4].endswith("{… 32 33 34 35 36 37 38 39}")
    widest = max(len(line) for line in lines)
    assert widest < 100


def test_names_stay_on_one_line():
    view = view_search(dlx.ExactCover([["x\ny", 'a "b"'], ["x\ny"]]), "odd\nname")
    text = format_text(record_search(view))
    assert text.startswith("odd\\nname: ")
    assert "{0}\n" in text
    assert 'try 0 ("x\\ny" a "b"): cover x\\ny; remove 1' in text
    assert 'cover "a ""b"""' in text
    rows = rows_of(format_csv(record_search(view)))
    assert rows[3]["covered"] == ["x\ny"]
    assert rows[2]["covered"] == ['a "b"']


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


def test_tables_agree_with_the_record():
    for view, record in itertools.islice(random_views(120), 60):
        rows = rows_of(format_csv(record))
        assert len(rows) == len(record.steps)
        for number, (row, step) in enumerate(zip(rows, record.steps, strict=True)):
            assert (int(row["step"]), row["name"]) == (number, step.name)
            assert row["description"].startswith(step.text)
            assert [row["option"] == "", row["option_description"] == ""] == [
                step.option < 0
            ] * 2 or (view.options[step.option] == "")
            assert len(row["partial_solution"]) == len(step.chosen)
        covers = [row["partial_solution"] for row in rows if row["action"] == "visit"]
        assert [len(cover) for cover in covers] == [len(cover) for cover in record.covers]
        lines = format_text(record).splitlines()
        assert len(lines) == len(record.steps) + 5


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
    assert lines[4] == "   1     0 X2  ✓ cover 1: no options"
    assert [row["action"] for row in rows_of(format_csv(record_search(view)))] == [
        "start",
        "visit",
        "end",
    ]
