"""Exact cover problems as models in variables that are 0 or 1, and as models of CP-SAT."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..kernels.problem import UNBOUNDED, Problem
from ..runtime.extras import import_extra
from ..search.clauses import Color, Sum, find_sums
from .names import Names, as_line, as_text, names_of


class Model(NamedTuple):
    """A problem in variables that are 0 or 1: those of its options, and then those of colors."""

    problem: Problem
    names: Names
    sums: list[Sum]
    colors: list[Color]
    fixed: dict[int, int]  # values of options that are given, forbidden or useless

    def texts(self) -> list[str]:
        """Return the name of each variable as text."""
        options = map(as_line, names_of(self.problem, self.names, range(self.problem.n_options)))
        names = self.names
        colors = ((names.items[item], names.colors[color - 1]) for item, color, _ in self.colors)
        return [*options, *(":".join(map(as_line, pair)) for pair in colors)]


def build_model(
    problem: Problem, names: Names, given: Iterable[int] = (), forbidden: Iterable[int] = ()
) -> Model:
    """Return the model of a problem, whose solutions correspond to the covers one to one."""
    sums = find_sums(problem)
    never = [*forbidden, *np.flatnonzero(~problem.has_primary).tolist()]
    return Model(problem, names, *sums, dict.fromkeys(given, 1) | dict.fromkeys(never, 0))


class LinearSum(NamedTuple):
    """A sum of variables with coefficients, and its bounds; None is no bound."""

    least: int | None
    most: int | None
    pairs: list[tuple[int, int]]  # of a variable or an option, and its coefficient


def linear_rows(model: Model, texts: list[str]) -> Iterator[tuple[str, LinearSum]]:
    """Yield the linear constraints of a model whose variables have names, each with its name."""
    for item, variables, low, high in model.sums:
        # An upper bound that all variables together meet is left out, unless it is the only bound,
        # or equals the lower one.
        most = high if low in (0, high) or high < len(variables) else None
        row = LinearSum(low or None, most, [(k, 1) for k in variables.tolist()])
        yield as_text(model.names.items[item]), row
    # A color is 1 if one of its options is: it is at most their sum, and not less than any of them.
    for k, color in enumerate(model.colors, model.problem.n_options):
        yield texts[k], LinearSum(None, 0, [(k, 1), *((option, -1) for option in color.options)])
        for option in color.options:
            yield f"{texts[k]}>={texts[option]}", LinearSum(None, 0, [(option, 1), (k, -1)])
    for name, total in zip(model.names.totals, list_totals(model.problem), strict=True):
        if (total.least, total.most) != (None, None):
            yield as_text(name), total


def build_cpsat(model: Model) -> Any:
    """Return a model as a `CpModel` of OR-Tools, whose first variables are the options."""
    module = "ortools.sat.python.cp_model"
    cp_model = import_extra(module, "CP-SAT needs OR-Tools", "ortools")
    built = cp_model.CpModel()
    texts = model.texts()
    variables = [built.new_bool_var(text) for text in texts]
    for _, (least, most, pairs) in linear_rows(model, texts):
        low = -UNBOUNDED if least is None else least
        high = UNBOUNDED if most is None else most
        chosen = [variables[k] for k, _ in pairs]
        weights = [weight for _, weight in pairs]
        built.add_linear_constraint(cp_model.LinearExpr.weighted_sum(chosen, weights), low, high)
    for k, value in model.fixed.items():
        built.add(variables[k] == value)
    if model.problem.cost is not None:
        options = variables[: model.problem.n_options]
        costs = model.problem.cost.tolist()
        built.minimize(cp_model.LinearExpr.weighted_sum(options, costs))
        # So CP-SAT shows the user's costs, or values to maximize, for which the factor is negative.
        built.proto.objective.scaling_factor = 1 / model.names.scale.factor
    return built


def list_totals(problem: Problem) -> list[LinearSum]:
    """Return the totals of a problem."""
    lows, highs, totals, options, weights = (array.tolist() for array in problem.totals)
    pairs: list[list[tuple[int, int]]] = [[] for _ in lows]
    for total, option, weight in zip(totals, options, weights, strict=True):
        pairs[total].append((option, weight))
    least = (None if low <= -UNBOUNDED else low for low in lows)
    most = (None if high >= UNBOUNDED else high for high in highs)
    return [*map(LinearSum, least, most, pairs)]
