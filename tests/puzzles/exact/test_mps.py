"""Integer programs in the MPS format are read as exact cover problems."""

import random
import re
from fractions import Fraction
from itertools import combinations

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.mps import parse_mps
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import problem, total_problem
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

FIXED = """\
* Two crews, in the columns of the fixed format
NAME          CREWS
ROWS
 N  COST
 N  HOURS
 E  LEG_1
 L  BASE
 G  LEG_2
COLUMNS
    PAIR_A    COST               3.5   LEG_1              1.
    PAIR_A    BASE               1.0   HOURS             80.
    MARK      'MARKER'                 'INTORG'
    PAIR_B    COST               2.0   LEG_2              1.
    PAIR_B    LEG_1              1.0   BASE               1.
    PAIR_C    LEG_2              1.0
    MARK      'MARKER'                 'INTEND'
RHS
    RHS       LEG_1              1.0   LEG_2              1.0
    RHS       BASE               2.0
RANGES
    RNG       BASE               1.0   LEG_2              1.0
BOUNDS
 BV BND       PAIR_A
 UP BND       PAIR_B             1.0
ENDATA
"""
FREE = [
    *("NAME", "ROWS", " N c", " E a"),
    *("COLUMNS", " x c 2 a 1", " y c 3", " y a 1"),
    *("RHS", " RHS a 1", "RANGES"),
    *("BOUNDS", " BV B x", " BV B y", "ENDATA"),
]


def test_the_fixed_format_is_read():
    statement = parse_mps(FIXED)
    options = [["LEG_1", "BASE"], ["LEG_2", "LEG_1", "BASE"], ["LEG_2"]]
    assert statement.options == dict(zip(["PAIR_A", "PAIR_B", "PAIR_C"], options, strict=True))
    assert statement.multiplicity == {"LEG_1": (1, 1), "BASE": (1, 2), "LEG_2": (1, 2)}
    assert statement.costs == {"PAIR_A": 3.5, "PAIR_B": 2}


def test_programs_that_are_written_are_read(tmp_path):
    for seed in seeds(300):
        rng = random.Random(seed)
        for cover in (problem(seed)[0], total_problem(seed)[0]):
            costs = [rng.choice([0, 2, -1, 2.5]) for _ in range(cover.n_options)]
            stated = cover.replace(**{rng.choice(["costs", "maximize"]): costs})
            path = tmp_path / rng.choice(["problem.mps", "problem"])
            stated.write(path, "mps")
            again = dlx.ExactCover.read(path)  # a color is an option, too
            found = ([k for k in each if k < stated.n_options] for each in again.solve())
            assert sorted(found) == sorted(stated.solve())
            assert [c.cost for c in again.cheapest()] == [c.cost for c in stated.cheapest()]


def test_names_that_are_equal_as_text_are_written_with_a_mark():
    cover = dlx.ExactCover({5: ["a", 2], "5": ["b"]}, totals={"2": ([3, 4], 0, 9)})
    [again] = dlx.ExactCover.read(cover.write(kind="mps"), "mps")
    assert (again.names, again.items) == (["5", "5#2"], [["a", "2"], ["b"]])
    assert again.totals == {"2#2": 7}


def test_a_marker_is_no_name(tmp_path):
    path = tmp_path / "problem.mps"
    dlx.ExactCover({"'MARKER'": ["a"], "x": ["'MARKER'", "b"]}).write(path)
    assert dlx.ExactCover.read(path).count() == 1


BOUNDS = {
    None: ["BV {}", "UP {} 1"],
    0: ["FX {} 0", "UP {} 0"],
    1: ["FX {} 1", "LO {} 1\n UP B {} 1", "BV {}\n LO B {} 1"],
}


def test_bounds_fix_columns_and_rows_may_exclude_theirs():
    for seed in seeds(200):
        rng = random.Random(seed)
        names, rows = [f"x{k}" for k in range(5)], [f"r{k}" for k in range(3)]
        inside = {name: rng.sample(rows, rng.randint(1, 2)) for name in names}
        limits = {row: (rng.choice("ELG"), rng.randint(0, 2)) for row in rows}
        value = {name: rng.choice([None, None, None, 0, 1]) for name in names}
        lines = [
            "NAME",
            "ROWS",
            " N cost",
            *(f" {kind} {row}" for row, (kind, _) in limits.items()),
        ]
        lines += ["COLUMNS", " M 'MARKER' 'INTORG'", " __dummy cost 1"]
        lines += [f" {name} {row} 1" for name in names for row in inside[name]]
        lines += ["RHS", *(f" RHS {row} {limit}" for row, (_, limit) in limits.items()), "BOUNDS"]
        words = [rng.choice(BOUNDS[value[name]]).split(" ", 1) for name in names]
        lines += [
            f" {kind} B {rest.replace('{}', name)}"
            for name, (kind, rest) in zip(names, words, strict=True)
        ]
        lines += [" FX B __dummy 0", "ENDATA"]
        relations = {"E": int.__eq__, "L": int.__le__, "G": int.__ge__}
        n_covers = sum(
            all(value[name] in (None, name in chosen) for name in names)
            and all(
                relations[kind](sum(row in inside[name] for name in chosen), limit)
                for row, (kind, limit) in limits.items()
            )
            for n in range(6)
            for chosen in combinations(names, n)
        )
        try:
            problem = dlx.ExactCover(**parse_mps("\n".join(lines))._asdict())
        except ValueError:  # what is fixed is excluded
            assert not n_covers
        else:
            assert problem.count() == n_covers


@pytest.mark.parametrize(
    ("replaced", "text", "line", "reason"),
    [
        (3, " X a", 3, "expected N, E, L or G and a new name, not 'X a'"),
        (4, " G c", 4, "expected N, E, L or G and a new name, not 'G c'"),
        (
            6,
            " x c 2 a 1.5",
            6,
            "the coefficient of column 'x' in row 'a' must be an integer",
        ),
        (6, " x c 2 d 1", 6, "row 'd' is unknown"),
        (6, " x c two", 6, "'two' is not a number"),
        (7, " x a 1", 7, "the coefficient of column 'x' in row 'a' is given twice"),
        (7, " x c 3", 7, "the cost of column 'x' is given twice"),
        (9, "QUADOBJ\n x y 1", 9, "section 'QUADOBJ' is not possible"),
        (10, " RHS a 0.5", 10, "RHS of row 'a' must be an integer, not 0.5"),
        (10, " RHS a 1\n R2 a 2", 11, "RHS of row 'a' is given twice"),
        (10, " RHS a 1 c 5\n R2 c 7", 11, "RHS of row 'c' is given twice"),
        (10, " RHS a 1 c 0\n R2 c 7", 11, "RHS of row 'c' is given twice"),
        (13, " UP B x 2", 13, "column 'x' is not binary: its values are from 0 to 2"),
        (13, " LO B x 0", 13, "column 'x' is not binary: its values are from 0 to inf"),
        (13, " UP B x 1", 13, "column 'x' is not binary: it is not declared as an integer"),
        (13, " UP B x 0\n LO B x 1", 14, "column 'x' is not binary: its values are from 1 to 0"),
        (13, " PL B x", 13, "column 'x' is not binary: its values are from 0 to inf"),
        (13, " XX B x", 13, "expected BV, UP, LO, UI, LI, FX, PL, MI or FR, not 'XX'"),
        (13, " BV B z", 13, "no column is known in 'BV B z'"),
        (13, " UP", 13, "no column is known in 'UP'"),
        (13, " UP 1", 13, "no column is known in 'UP 1'"),
        (14, "", 7, "column 'y' is not binary"),
        (15, "", 14, "ENDATA is missing"),
    ],
)
def test_other_programs_are_rejected_with_their_line(replaced, text, line, reason):
    lines = [*FREE[: replaced - 1], *text.splitlines(), *FREE[replaced:]]
    with pytest.raises(FormatError, match=re.escape(f"toy:{line}: {reason}")):
        parse_mps("\n".join(lines), "toy")


def test_commands_read_and_write_programs():
    text = "\n".join(FREE)
    assert invoke("cheapest", "-", stdin=text)[0] == "0 |2\n"
    assert " y a 1" in invoke("show", "--format", "mps", "-", stdin=text)[0]
    assert "h 1 2 0" in invoke("show", "--format", "cnf", "-", stdin=text)[0]


def test_items_may_be_called_as_columns_without_a_row():
    for names in (["option x1"], ["option x1", "option x1#2"]):
        cover = dlx.ExactCover([names, []], items=names)
        read = dlx.ExactCover.read(cover.write(kind="mps"))
        assert read.items[: len(names)] == names
        assert dlx.ExactCover.read(read.write(kind="mps")).count() == read.count() == 1


def test_names_are_none_that_programs_misread():
    names = ["Name", "qsection", "BOUND", "Cost", "x" * 300, "x" * 301]
    text = dlx.ExactCover({name: [name] for name in names}).write(kind="mps")
    columns = {line.split()[2] for line in text.splitlines() if line.startswith(" BV ")}
    assert len(columns) == len(names)
    assert columns.isdisjoint(names)
    assert max(map(len, columns)) < 160
    [cover] = dlx.ExactCover.read(text)
    assert cover.names == names


def test_costs_that_are_rounded_are_announced():
    thirds = dlx.ExactCover([[0], [0]], costs=[Fraction(1, 3), 2])
    with pytest.warns(UserWarning, match="costs are rounded to 17 digits; JSON has all of them"):
        assert " x0 cost 0.3333333333333333\n" in thirds.write(kind="mps")
