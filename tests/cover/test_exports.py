"""Models for other solvers have the solutions and costs that brute force finds."""

import io
import random
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.costs import count_if_unclear, count_options
from dlx_numba.cover.named_problem import named_problem
from tests.helpers import oracles
from tests.helpers.problems import names_in, problem, total_problem
from tests.helpers.seeds import seeds


def stated_problems(count, max_options=12, has_totals=True):
    """Yield random problems with costs, penalties and conditions, and all their covers."""
    for seed in seeds(count):
        rng, (cover, expected) = random.Random(seed), problem(seed)
        if cover.n_options > max_options:
            continue
        values = [rng.choice([0, 1, 3, -2, 0.5, -1.25]) for _ in range(cover.n_options)]
        kind = rng.choice(["costs", "maximize", None])
        arguments = {kind: values} if kind else {}
        yield cover.replace(**arguments), expected
        options, bounds, secondary = oracles.random_general_problem(seed)
        arguments["penalty"] = {item: 1.5 for item in bounds if rng.random() < 0.3}
        penalized = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds, **arguments)
        if penalized.n_options <= max_options:
            yield penalized, penalized.solve()
        if has_totals:
            yield total_problem(seed)[:2]


def check(cover, expected, chosen, totals=None):
    """Check the values of the options in all solutions of a model, and what these cost."""
    found = [np.flatnonzero(row[: cover.n_options]).tolist() for row in chosen]
    assert sorted(found) == sorted(expected)
    if totals is not None:
        assert totals == pytest.approx([named_problem(cover).cost(each) for each in found])


def models_of(clauses, n_variables):
    """Return all models of clauses, which are found by assigning one variable after another."""
    models = [] if [] in clauses else [[]]
    for k in range(1, n_variables + 1):
        decided = [clause for clause in clauses if max(map(abs, clause), default=0) == k]
        models = [
            values
            for model in models
            for values in ([*model, False], [*model, True])
            if all(any(values[abs(w) - 1] == (w > 0) for w in clause) for clause in decided)
        ]
    return models


def test_models_of_cnf_are_the_covers():
    for cover, expected in stated_problems(1500, has_totals=False):
        lines = [line.split() for line in cover.write(kind="cnf").splitlines()]
        comments = [line for line in lines if line[0] == "c" and line[2] == "="]
        labels = [line[1] for line in comments[: cover.n_options]]
        assert labels == [str(k + 1) for k in range(cover.n_options)]
        clauses = [line for line in lines if line[0] not in "cp"]
        assert all(line[-1] == "0" for line in clauses)
        has_costs, totals = cover.problem.cost is not None, None
        hard = [line[1:] for line in clauses if line[0] == "h"] if has_costs else clauses
        n_variables = max([len(comments) - 1, *(abs(int(w)) for line in hard for w in line)])
        if not has_costs:
            [head] = [line for line in lines if line[0] == "p"]
            n_variables = int(head[2])
            assert head == ["p", "cnf", head[2], str(len(clauses))]
        models = models_of([[*map(int, line[:-1])] for line in hard], n_variables)
        if has_costs:
            soft = [[*map(int, line[:-1])] for line in clauses if line[0] != "h"]
            [constant, factor] = re.findall(r"[+/] (-?[0-9]+)", cover.write(kind="cnf"))
            totals = [
                (int(constant) + sum(w for w, k in soft if model[abs(k) - 1] != (k > 0)))
                / int(factor)
                for model in models
            ]  # fmt: skip
        check(cover, expected, np.array(models).reshape(len(models), n_variables), totals)


def read_mps(text):
    """Return the columns, the rows as pairs of bounds and coefficients, and the objective."""
    section, columns, rows, bounds, sense = "", {}, {}, {}, 1
    for line in text.splitlines():
        words = line.split()
        if line == "* dlx_numba: the objective is a maximum, so its coefficients are negated":
            sense = -1
        elif line[0] != " ":
            section = words[0]
        elif section == "ROWS":
            rows[words[1]] = [words[0], 0.0, 0.0, {}]
        elif section == "COLUMNS" and words[1] != "'MARKER'":
            column = columns.setdefault(words[0], len(columns))
            assert column not in rows[words[1]][3]
            rows[words[1]][3][column] = float(words[2])
        elif section in ("RHS", "RANGES"):
            rows[words[1]][1 + (section == "RANGES")] = float(words[2])
        elif section == "BOUNDS":
            bounds[words[2]] = (0, 1) if words[0] == "BV" else (float(words[3]),) * 2
    objective = {name: sense * cost for name, cost in rows.pop("cost")[3].items()}
    limits = {"E": (0, 0), "G": (0, np.inf), "L": (-np.inf, 0)}
    linear = []
    for kind, rhs, size, pairs in rows.values():
        low, high = (rhs + limit for limit in limits[kind])
        linear.append((low, low + size if size else high, pairs))
    linear += [(*bounds[name], {k: 1.0}) for name, k in columns.items()]
    return columns, linear, objective, sense


class Variable(int):
    """A variable by its number."""

    __hash__ = int.__hash__

    def __eq__(self, value):
        return value, value, {self: 1}


class Standin:
    """A stand-in for `CpModel`, which records variables, linear constraints and the objective."""

    def __init__(self):
        self.names, self.linear, self.objective = [], [], {}
        self.proto = SimpleNamespace(objective=SimpleNamespace(scaling_factor=1))

    def new_bool_var(self, name):
        self.names.append(name)
        return Variable(len(self.names) - 1)

    def add_linear_constraint(self, row, low, high):
        self.linear.append((low, high, row))

    def add(self, condition):
        self.linear.append(condition)

    def minimize(self, row):
        self.objective = row


def total(chosen, row):
    """Return the sum of the coefficients in each row of assignments."""
    return chosen[:, [int(k) for k in row]] @ np.array([*row.values()], float)


def test_solutions_of_linear_models_are_the_covers(monkeypatch):
    def weighted_sum(variables, weights):
        return dict(zip(variables, weights, strict=True))

    expression = SimpleNamespace(weighted_sum=weighted_sum)
    module = SimpleNamespace(CpModel=Standin, LinearExpr=expression)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", module)
    for cover, expected in stated_problems(1500):
        columns, linear, objective, sense = read_mps(cover.write(kind="mps"))
        model = cover.to_cpsat()
        assert model.names[: cover.n_options] == list(
            map(str, names_in(cover, range(cover.n_options)))
        )
        assert len(model.names) == len(columns)
        if len(columns) > 16:
            continue
        named = named_problem(cover)
        has_colors = cover.problem.cost is None and len(columns) > cover.n_options
        count = count_options if has_colors else count_if_unclear
        _, names = count(named.problem, named.names)
        assert sense == (1 if names.scale.factor > 0 else -1)
        scale = model.proto.objective.scaling_factor
        for rows, costs, unit in ((linear, objective, 1), (model.linear, model.objective, scale)):
            chosen = np.arange(1 << len(columns))[:, None] >> np.arange(len(columns)) & 1
            for low, high, row in rows:
                sums = total(chosen, row)
                chosen = chosen[(sums >= low) & (sums <= high)]
            totals = total(chosen, costs) * unit
            if rows is linear and named_problem(cover).problem.cost is None and any(costs.values()):
                # Columns of colors are no options, which only the costs of the options can say.
                assert len(columns) > cover.n_options
                totals -= chosen[:, : cover.n_options].sum(axis=1)
            check(cover, expected, chosen, totals)


def test_columns_of_colors_do_not_count_as_options():
    cover = dlx.ExactCover(
        [["p", ("x", "a")], ["p", ("x", "b")], ["q", ("x", "a")]], ["p", "q"], ["x"]
    )
    read = dlx.ExactCover.read(cover.write(kind="mps"), "mps")
    assert (read.n_options, read.cheapest()[0].cost, cover.cheapest()[0].cost) == (4, 2, 2)


def test_cpsat_without_ortools_states_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(ImportError, match="pip install ortools"):
        dlx.ExactCover([["a"]]).to_cpsat()


def test_clauses_forbid_options_with_an_item_that_must_not_be_covered():
    options = [["a"], ["a", "b"], ["b"], *([["c"]] * 7)]
    cover = dlx.ExactCover(options, exactly={"b": 0}, at_most={"c": 0})
    clauses = [line for line in cover.write(kind="cnf").splitlines() if line[0] not in "cp"]
    assert {f"-{k} 0" for k in range(2, 11)} <= {*clauses}
    assert "-1 0" not in clauses


def test_names_and_files(tmp_path):
    names = ["RHS", "a b", "a_b", "$", "", "é\n", "b" * 300]
    rows = [[item, ("x", "r")] for item in names]
    cover = dlx.ExactCover(dict(zip(names, rows, strict=True)), names, ["x"])
    columns, rows, *_ = read_mps(cover.write(kind="mps"))
    assert len(columns) == cover.n_options
    assert all(word.isprintable() and len(word) < 255 for word in columns)
    cover.write(tmp_path / "problem.mps")
    assert (tmp_path / "problem.mps").read_text() == cover.write(kind="mps")
    text = cover.write(kind="cnf")
    for file in (io.StringIO(), io.BytesIO()):
        cover.write(file, "cnf")
        assert file.getvalue() in (text, text.encode())
    with pytest.raises(ValueError, match=r"kind must be one of knuth, json, .* unless a file ends"):
        cover.write(tmp_path / "problem.txt")
    assert [line for line in text.splitlines() if line.startswith("c 6")] == ['c 6 = "\\u00e9\\n"']
