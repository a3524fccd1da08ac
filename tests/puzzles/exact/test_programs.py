"""Files that other programs write are read as they mean them, and they can read ours.

Unless a test says otherwise, a program's files state the same problem: the maximum of
3 a + 2 b + c - d + 5, where a + b = 1, b + c + d is 1 or 2, a + c <= 1, and 2 a + 3 c + d <= 4.
"""

import random
import re
import warnings

import pytest

import dlx_numba as dlx
from tests.helpers import SAMPLES
from tests.helpers.problems import problem, total_problem
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

PROGRAMS = SAMPLES / "programs"
RANGE = r"1 continuous (variable|column) such as 'Rg.*', each in one equality"
# A file, what wrote it, the optimum, and a notice
FILES = [
    ("cbcexp.mps", "CBC 2.10.8, a minimum with a constant of 2, and a <= ...", 1, None),
    ("copt.lp", "COPT, with bounds as rows", 8, RANGE),
    ("copt.mps", "COPT", 8, None),
    ("cplex.lp", "CPLEX 22.2.0.1", 8, RANGE),
    ("cplex.mps", "CPLEX 22.2.0.1, which negates the costs but not the constant", 2, None),
    ("docplex.lp", "DOcplex, with a slack variable from -1", 8, RANGE),
    ("glpk2.lp", "GLPK 5.0, a minimum", 1, None),
    ("glpk2.mps", "GLPK 5.0, a minimum", 1, None),
    ("gurobi.lp", "Gurobi 13.0.3, with a slack variable and one for the constant", 8, RANGE),
    ("gurobi.mps", "Gurobi 13.0.3, with the sense on the line OBJSENSE", 8, RANGE),
    ("highs.lp", "HiGHS 1.15.1", 8, None),
    ("highs.mps", "HiGHS 1.15.1", 8, None),
    ("linopy.lp", "linopy 0.10.1, without the constant", 3, None),
    ("linopy.mps", "linopy 0.10.1, without the constant", 3, None),
    ("mip.lp", "python-mip 2.0.0, a minimum of negated costs", -3, None),
    ("pulp.lp", "PuLP 3.3.2, without the constant", 3, None),
    ("pulp.mps", "PuLP 3.3.2, with the sense in a comment", 1, "'.SENSE:Maximize' is a comment"),
    ("pyomo.lp", "Pyomo 6.10.1", 8, None),
    ("pyomo.mps", "Pyomo 6.10.1, with the constant as a row", 8, None),
    ("pyomo_nolabel.lp", "Pyomo 6.10.1", 8, None),
    ("scip.lp", "SCIP in PySCIPOpt 6.3.0", 8, None),
    ("scip.mps", "SCIP in PySCIPOpt 6.3.0", 8, None),
    ("xpress.lp", "Xpress 9.9.1", 8, None),
    ("xpress.mps", "Xpress 9.9.1, with MAXIMIZE on the line OBJSENSE", 8, None),
]


@pytest.mark.parametrize(("name", "writer", "optimum", "notice"), FILES)
def test_files_of_other_programs_are_read(name, writer, optimum, notice):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        read = dlx.ExactCover.read(PROGRAMS / name)
    assert [bool(re.search(notice or "", str(each.message))) for each in found] == (
        [True] if notice else []
    ), writer
    assert [cover.cost for cover in read.cheapest()] == [optimum], writer
    assert read.count() == 4, writer


@pytest.mark.parametrize("name", ["cpmpy.lp", "cpmpy.mps"])
def test_sos_of_cpmpy_1_1_1_is_refused(name):
    with pytest.raises(
        dlx.FormatError, match=r"sets \(SOS\) are not possible|'SOS' is not possible"
    ):
        dlx.ExactCover.read(PROGRAMS / name)


def optimum(text):
    """The cost of the cheapest cover; None if there is no cover."""
    return next((cover.cost for cover in dlx.ExactCover.read(text).cheapest()), None)


HEAD = "NAME\nROWS\n N c\n N other\n E a\nCOLUMNS\n"
INTEGERS = " M 'MARKER' 'INTORG'\n{} M 'MARKER' 'INTEND'\n"


def test_constants_of_objectives_are_read_from_their_right_hand_side():
    # HiGHS 1.15.1, SCIP, Gurobi 13.0.3, CBC 2.10.8 and OR-tools 9.15: -3 (for GLPK 5.0, it is 7)
    columns = INTEGERS.format(" x c 2 a 1\n")
    text = f"{HEAD}{columns}RHS\n RHS c 5 a 1\nENDATA\n"
    assert optimum(text) == -3
    negated = text.replace("NAME", "NAME\nOBJSENSE\n MAX").replace("c 5", "c -5")
    assert next(iter(dlx.ExactCover.read(negated).cheapest())).cost == 7


def test_a_right_hand_side_of_another_free_row_is_ignored_with_a_notice():
    # SCIP, Gurobi 13.0.3 and CBC 2.10.8 ignore it; HiGHS 1.15.1 subtracts it from the objective
    text = f"{HEAD}{INTEGERS.format(' x c 2 a 1' + chr(10))}RHS\n RHS other 7 a 1\nENDATA\n"
    with pytest.warns(UserWarning, match="<text>:11: RHS of the free row 'other' is ignored"):
        assert optimum(text) == 2


@pytest.mark.parametrize(
    "sense",
    ["OBJSENSE\n    MAX", "OBJSENSE\n  MAXIMIZE", "OBJSENSE MAX", "OBJSENSE  MAXIMIZE"],
)
def test_words_for_the_sense_are_read_on_the_line_of_objsense_and_on_the_next(sense):
    # As SCIP, Gurobi 13.0.3 and OR-tools 9.15 do; HiGHS 1.15.1 minimizes `OBJSENSE MAXIMIZE`
    columns = INTEGERS.format(" x c 3 a 1\n y c 2 a 1\n")
    text = f"{HEAD}{columns}RHS\n RHS a 1\nENDATA\n".replace("NAME", f"NAME\n{sense}")
    assert optimum(text) == 3
    with pytest.raises(dlx.FormatError, match="expected MIN or MAX, not"):
        dlx.ExactCover.read(text.replace("MAX", "MOST"))


def test_integer_columns_without_bounds_are_binary():
    # HiGHS 1.15.1, SCIP, Gurobi 13.0.3, GLPK 5.0, CBC 2.10.8, SYMPHONY and OR-tools 9.15: -2
    columns = INTEGERS.format(" x c -1 a 1\n y c -1 a 1\n")
    assert optimum(f"{HEAD.replace(' E', ' L')}{columns}RHS\n RHS a 7\nENDATA\n") == -2


def test_an_integer_column_with_only_a_lower_bound_is_refused():
    # From 1 to infinity for CPLEX 22.2, HiGHS 1.15.1, SCIP, Gurobi 13.0.3, CBC 2.10.8 and lp_solve
    bound = "RHS\n RHS a 1\nBOUNDS\n LO B x 1\nENDATA\n"
    with pytest.raises(dlx.FormatError, match=r"13: column 'x' .* from 1 to inf"):
        dlx.ExactCover.read(HEAD + INTEGERS.format(" x a 1\n") + bound)


@pytest.mark.parametrize(
    "bounds", ["BV B x 1.", "BV x", "UP x 1", "PL B x\n UP B x 1", "FX B x 0\n BV B x", "UI B x 1"]
)
def test_bounds_are_read_as_cbc_2_10_8_python_mip_2_0_0_and_ortools_9_15_write_them(bounds):
    text = HEAD + INTEGERS.format(" x a 1\n y a 1\n") + "RHS\n a 1\nBOUNDS\n"
    assert dlx.ExactCover.read(f"{text} {bounds}\nENDATA\n").count() == 2


LP = "{} {}\nst\n{}\nbinary\nx y\nend\n"


@pytest.mark.parametrize(
    ("rows", "n_solutions"),
    [
        ("x - y <= 0", 3),
        ("- x - y >= -1", 3),
        ("x + y - 1 >= 0", 3),  # HiGHS 1.15.1 drops the constant
        ("1 + x <= 1 - 0", None),
        ("x + 0 y >= 1", 2),
        ("empty: 0 x >= 1", 0),  # infeasible for HiGHS 1.15.1, SCIP, Gurobi, GLPK 5.0 and CBC
        ("empty: 0 x <= 1", 4),
        ("-1 <= x - y <= 0", 3),
    ],
)
def test_lp_files_have_negative_and_zero_coefficients_and_constants(rows, n_solutions):
    text = LP.format("min", "x + y", rows)
    if n_solutions is None:
        with pytest.raises(dlx.FormatError, match="expected the end of the constraint, not '-'"):
            dlx.ExactCover.read(text)
    else:
        assert dlx.ExactCover.read(text).count() == n_solutions


def test_a_variable_may_be_declared_as_binary_and_as_general():
    assert dlx.ExactCover.read(LP.format("min", "x", "x + y = 1\ngeneral\nx y")).count() == 2


def test_fixed_variables_stay_fixed_before_the_section_binary():
    # HiGHS 1.15.1, SCIP, Gurobi 13.0.3, GLPK 5.0, CBC 2.10.8 and SYMPHONY: 2
    assert optimum(LP.format("min", "x + 2 y", "x + y >= 1\nbounds\nx = 0")) == 2


def test_maxima_are_written_with_negated_costs_and_restored():
    for seed in seeds(100):
        rng = random.Random(seed)
        cover = rng.choice([problem, total_problem])(seed)[0]
        stated = cover.replace(
            maximize=[rng.choice([0, 2, -1, 2.5]) for _ in range(cover.n_options)]
        )
        text = stated.write(kind="mps")
        assert "NAME ExactCover FREE\n" in text  # without FREE, CBC 2.10.8 takes fixed columns
        assert "OBJSENSE" not in text  # which GLPK 5.0 refuses, and CBC and SYMPHONY ignore
        again = dlx.ExactCover.read(text)
        assert [c.cost for c in again.cheapest()] == [c.cost for c in stated.cheapest()]
    assert "* dlx_numba: the objective is a maximum, so its coefficients are negated" in text


def test_names_in_mps_files_are_readable_by_all_programs_and_restored():
    names = [
        "x:1",
        "x>=1",
        "x[1]",
        "x_1",
        "3",
        "1e5",
        "",
        "é",
        "'MARKER'",
        "cost",
        "RHS",
        "a" * 300,
    ]
    cover = dlx.ExactCover({name: [f"item {name}", "one"] for name in names})
    text = cover.write(kind="mps")
    program = [line for line in text.splitlines() if not line.startswith("*")]
    columns = {line.split()[-1] for line in program if line.startswith(" BV")}
    assert len(columns) == len(names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]{0,210}", column) for column in columns)
    again = dlx.ExactCover.read(text)
    assert again.option_names == names
    assert {*again.items} == {*cover.items}


def test_names_that_comments_make_equal_are_refused():
    text = dlx.ExactCover({"x:1": ["a"], "x_1": ["a"]}).write(kind="mps")
    with pytest.raises(dlx.FormatError, match="two columns or rows the same name"):
        dlx.ExactCover.read(text.replace('"x:1"', '"x_1"'))


def test_an_option_in_no_clause_gets_one():
    # python-sat 1.9 counts the variables in clauses: 1 model of `p cnf 2 1` with the clause 1
    cover = dlx.ExactCover({"x": ["a"], "y": ["s"]}, ["a"], ["s"])
    for costs in (None, {"x": 1}):
        lines = cover.replace(costs=costs).write(kind="cnf").splitlines()
        clauses = [[int(word) for word in line.split() if word not in "hp"] for line in lines[3:]]
        assert {abs(k) for clause in clauses for k in clause[:-1]} >= {1, 2}


@pytest.mark.parametrize("multiplicity", [(1, 1), (2, 3)])
def test_an_item_without_options_is_no_empty_clause(multiplicity):
    # D4 1.0.0 refuses a formula with an empty clause
    cover = dlx.ExactCover({"x": ["a"]}, ["a", "b"], multiplicity={"b": multiplicity})
    lines = cover.write(kind="cnf").splitlines()
    assert {"1 0", "-1 0"} <= {*lines}
    assert "0" not in lines


def test_commands_write_programs_that_commands_read():
    text = invoke("show", "--format", "mps", "queens:n=6")[0]
    assert invoke("count", "-", stdin=text)[0] == "4\n"
