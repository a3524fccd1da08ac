"""Integer programs in the LP format."""

import random
from itertools import combinations, product

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.lp import parse_lp
from dlx_numba.puzzles.exact.read import parse_file
from dlx_numba.runtime.errors import FormatError
from tests.helpers.seeds import seeds

RELATIONS = {"=": int.__eq__, "<=": int.__le__, "=<": int.__le__, ">": int.__ge__, ">=": int.__ge__}


def test_optima_and_counts_are_those_of_all_assignments():
    for seed in seeds(60):
        rng = random.Random(seed)
        names = [f"x_{k}" for k in range(6)]
        costs = {name: rng.randint(0, 9) for name in names}
        rows = []
        for _ in range(rng.randint(1, 4)):
            numbers = rng.choice([[1], [1, 2, 3], [1, 2, -1, -2, 0]])
            terms = [(rng.choice(numbers), n) for n in rng.sample(names, rng.randint(1, 5))]
            constant = rng.choice([0, 0, 2, -1])
            rows.append((terms, constant, rng.choice([*RELATIONS]), rng.randint(-1, 3)))
        lines = [rng.choice(["Minimize", "min", "MINIMUM:"]), "\\ a comment"]
        lines += ["obj: " + "\n + ".join(f"{cost} {name}" for name, cost in costs.items())]
        lines.append(rng.choice(["subject to:", "st", "s.t.", "Such That"]))
        for k, (terms, constant, relation, limit) in enumerate(rows):
            words = [rng.choice([n, f"1 {n}"]) if c == 1 else f"{c} {n}" for c, n in terms]
            words += [f"{constant}"] if constant else []
            label = f"c{k}: " if rng.random() < 0.5 else ""
            left = " + ".join(words).replace("+ -", "- ")
            plus = "" if left.startswith("-") else rng.choice(["", "+ "])
            lines.append(f"{label}{plus}{left} {relation} {limit}")
        lines += [rng.choice(["binary", "Binaries", "bin"]), *names, "End"]
        file = parse_file("\n".join(lines).encode(), "toy")
        assert file.format == "an integer program in LP format"
        problem = dlx.ExactCover(**file.formulation._asdict())
        totals = []
        for values in product([0, 1], repeat=len(names)):
            chosen = dict(zip(names, values, strict=True))
            if all(
                RELATIONS[relation](constant + sum(c * chosen[name] for c, name in terms), limit)
                for terms, constant, relation, limit in rows
            ):
                totals.append(sum(costs[name] * chosen[name] for name in names))
        assert problem.count() == len(totals)
        assert min(totals, default=None) == next((each.cost for each in problem.cheapest()), None)


FIXED = {
    None: ["0 <= {} <= 1", "{} >= 0"],
    0: ["{} = 0", "{} <= 0", "0 >= {}"],
    1: ["{} = 1", "{} >= 1", "1 <= {}", "1 <= {} <= 1"],
}


def test_bounds_ranges_constants_and_repeated_names_are_read():
    for seed in seeds(100):
        rng, names = random.Random(seed), [f"x[{k}]" for k in range(6)]
        costs = {name: rng.randint(0, 9) for name in names}
        rows = [(rng.sample(names, rng.randint(2, 5)), *sorted(rng.choices(range(4), k=2)))]
        rows *= rng.randint(1, 2)
        rows.append((rng.sample(names, 3), 1, 2))
        values = {name: rng.choice([None, None, None, 0, 1]) for name in names}
        constant = rng.randint(0, 3)
        terms = [f"{cost} {name}" for name, cost in costs.items()] + ["__dummy"]
        terms.insert(rng.randint(0, len(terms)), str(constant))
        lines = ["minimize", " + ".join(terms), "st"]
        lines += [f"row: {low} <= {' + '.join(row)} <= {high}" for row, low, high in rows]
        lines += ["bounds", "__dummy = 0"]
        lines += [rng.choice(FIXED[value]).format(name) for name, value in values.items()]
        lines += ["binary", *names, "end"]
        costs_found = [
            constant + sum(costs[name] for name in chosen)
            for n in range(7)
            for chosen in combinations(names, n)
            if all(low <= len({*row} & {*chosen}) <= high for row, low, high in rows)
            and all(value in (None, name in chosen) for name, value in values.items())
        ]
        statement = parse_lp("\n".join(lines))
        try:
            problem = dlx.ExactCover(**statement._asdict())
        except ValueError:  # bounds exclude each other
            assert not costs_found
            continue
        assert problem.count() == len(costs_found)
        assert [each.cost for each in problem.cheapest()] == sorted(costs_found)[:1]


def test_numbers_may_have_signs_and_no_digit_before_the_point():
    statement = parse_lp("min x + .5 y\nst\nx + y >= +1\n-1 <= x + y <= 2\nbinary\nx y\nend\n")
    [cover] = dlx.ExactCover(**statement._asdict()).cheapest()
    assert (cover.cost, cover.names) == (0.5, ["y"])


def test_decimal_bounds_are_exact():
    text = "max x\nst\nx - 100 s = -28\nbounds\ns <= 0.29\nbinary\nx\nend\n"
    with pytest.warns(UserWarning, match="1 continuous variable"):
        statement = parse_lp(text)
    assert [cover.cost for cover in dlx.ExactCover(**statement._asdict()).cheapest()] == [1]


ROW = "max x + y\nst\n{}\nbinary\nx y\nend\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (ROW.format("x +\n1.5 y = 1"), 4, "the coefficient of 'y' is 1.5, not an integer"),
        (ROW.format("x y = 1"), 3, "expected \\+ or - before 'y'"),
        (ROW.format("x + x = 1"), 3, "variable 'x' appears twice in a sum"),
        (ROW.format("x + y = 1.5"), 3, "the right-hand side must be an integer, not 1.5"),
        (ROW.format("x + y = 1 x"), 3, "expected the end of the constraint, not 'x'"),
        (ROW.format("x + y"), 3, "expected <=, >= or =, and a number, after the sum"),
        (ROW.format("x + .5 = 1"), 3, "the constant is 0.5, not an integer"),
        (ROW.format("x + y + 2e1 = 1"), 3, "2e1 is a number, or a coefficient with a variable"),
        (ROW.format("x + = 1"), 3, "expected a variable, not '='"),
        (ROW.format("x * y = 1"), 3, r"'\*' is not possible here"),
        (ROW.format("x + z = 1"), 3, "variable 'z' is not binary"),
        (ROW.format("-1.5 <= x + y"), 3, "the right-hand side must be an integer, not -1.5"),
        (ROW.format(".5 x = 1"), 3, "the coefficient of 'x' is 0.5, not an integer"),
        (ROW.format("x = 1\nbounds\n-inf <= y <= 1"), 5, "'y' is not binary: .* from -inf to 1"),
        (ROW.format("1 <= x + y"), 3, "expected <=, >= or =, and a number, after the sum"),
        (ROW.format("1.5 <= x + y"), 3, "the right-hand side must be an integer, not 1.5"),
        (ROW.format("0 <= x + y <= 1 <= 2"), 3, "expected the end of the constraint, not '<'"),
        (ROW.format("st + x = 1"), 3, "a second section begins with 'st'"),
        (ROW.format("min: x + y = 1"), 3, "a second section begins with 'min:'"),
        (
            ROW.format("x = 1\nbounds\nx <= 2"),
            5,
            "variable 'x' is not binary: its values are from 0 to 2",
        ),
        (
            ROW.format("x = 1\nbounds\n1 <= x <= 0"),
            5,
            "variable 'x' is not binary: its values are from 1 to 0",
        ),
        (ROW.format("x = 1\nbounds\nx free"), 5, "expected the bounds of a variable, not 'x free'"),
        (ROW.format("x = 1\ngenerals\nz"), 5, "variable 'z' is not binary: .* from 0 to inf"),
        (
            ROW.format("x = 1\nbounds\ny <= 1\nsemis\ny"),
            7,
            "semi-continuous variables and sets .* are not possible",
        ),
        (ROW.format("x + z <= 1\nbounds\nz <= 1"), 5, "'z' .* it is not declared as an integer"),
        (
            ROW.format("x = 1\nbounds\nx <= 0\nx >= 1"),
            6,
            "variable 'x' is not binary: its values are from 1 to 0",
        ),
        ("max 2 x y\nst\nx = 1\nbinary\nx y\nend\n", 1, "expected \\+ or - before 'y'"),
    ],
)
def test_anything_else_is_refused_with_its_line(text, line, reason):
    with pytest.raises(FormatError, match=f"toy:{line}: .*{reason}"):
        parse_lp(text, "toy")


def test_trivial_bounds_are_accepted_and_maximum_is_sought():
    problem = parse_lp("max 2 x + y\nst\nx + y = 1\nbounds\n0 <= x <= 1\ny >= 0\nbin\nx y\nend")
    covers = dlx.ExactCover(**problem._asdict()).cheapest()
    assert next((cover.cost, cover.names) for cover in covers) == (2, ["x"])


def test_integers_from_0_to_1_are_binary():
    problem = parse_lp(
        "min x\nst\nx + y + z >= 1\nbounds\nx <= 1\ny >= 1\ny <= 1\nint\nx y\nbin\nz\nend"
    )
    assert (list(problem.options), problem.given) == (["z", "x", "y"], ["y"])


def test_names_that_are_added_differ_from_stated_ones():
    rows = "a#3: x + constant <= 1\na: x = 1\na: constant <= 1\na: x + y >= 1"
    problem = parse_lp(f"min x + constant + 5\nst\n{rows}\nbinary\nx y constant\nend\n")
    assert list(problem.options) == ["x", "y", "constant", "constant#2"]
    assert len(problem.multiplicity) == 4 + 1  # the rows and the item of the constant
    assert [each.cost for each in dlx.ExactCover(**problem._asdict()).cheapest()] == [6]


def test_a_row_has_one_continuous_variable():
    """Two of them have a sum in between: x + y may be 1 here, though neither reaches 1."""
    rows = "min x\nst\nc: x + y + s + t = 2\nbounds\n0 <= s <= 0.5\n0 <= t <= 0.9\nbin\nx y\nend\n"
    with pytest.raises(FormatError, match="variable 't' is not binary"):
        parse_lp(rows)
