"""Exact cover problems as models of other solvers: DIMACS, MPS, and CP-SAT of OR-Tools."""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ...kernels.problem import UNBOUNDED, Problem
from ..names import Names, as_line, as_text, names_of
from .notation import list_bounds, list_totals

MAX_PAIRWISE = 5  # up to this size, clauses of two literals state "at most one"
MAX_NAME = 200  # some readers of MPS limit names to 255 bytes
_SECTIONS = ["NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"]


class Sum(NamedTuple):
    """The number of true variables that is required of some."""

    item: int
    variables: list[int]
    low: int
    high: int  # at most the number of the variables, unless they are too few anyway


class Model(NamedTuple):
    """A problem in variables that are 0 or 1: those of its options, and then those of colors."""

    problem: Problem
    names: Names
    sums: list[Sum]
    colors: list[tuple[int, int, list[int]]]  # an item, a color, and the options with this color
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
    order, option_of = np.argsort(problem.items, kind="stable"), problem.option_of_node()
    start = np.searchsorted(problem.items[order], np.arange(problem.n_items + 1)).tolist()
    options, bounds = option_of[order].tolist(), list_bounds(problem)
    sums: list[Sum] = []
    colors: list[tuple[int, int, list[int]]] = []
    for item, (low, high) in enumerate([*bounds, *[(0, 1)] * problem.n_secondary]):
        nodes = slice(start[item], start[item + 1])
        variables = options[nodes]
        if item >= problem.n_primary and problem.color is not None:
            groups: dict[tuple[int, int], list[int]] = {}
            for option, color in zip(variables, problem.color[order[nodes]].tolist(), strict=True):
                groups.setdefault((color, -1 if color else option), []).append(option)
            variables = []
            for (color, _), members in groups.items() if len(groups) > 1 else ():
                if len(members) > 1:
                    variables.append(problem.n_options + len(colors))
                    colors.append((item, color, members))
                else:  # the variable of the option is that of the color, too
                    variables += members
        if low > 0 or (variables and item < problem.n_primary) or high < len(variables):
            sums.append(Sum(item, variables, low, max(low, min(high, len(variables)))))
    primary = np.bincount(option_of[problem.items < problem.n_primary], minlength=problem.n_options)
    never = [*forbidden, *np.flatnonzero(primary == 0).tolist()]
    return Model(problem, names, sums, colors, dict.fromkeys(given, 1) | dict.fromkeys(never, 0))


def format_cnf(model: Model) -> str:
    """Return a model in the DIMACS format, or in that of MaxSAT if options have costs."""
    model.problem.reject_totals("the CNF format")
    costs, factor = model.problem.cost, model.names.scale.factor
    texts, clauses = model.texts(), list(_clauses(model))
    n_variables = max([len(texts), *(abs(literal) for clause in clauses for literal in clause)])
    lines = [f"c {k} = {text}" for k, text in enumerate(texts, 1)]
    if costs is None:
        lines.append(f"p cnf {n_variables} {len(clauses)}")
        lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    else:
        constant = int(costs[costs < 0].sum())
        lines.append(f"c total = (weight of falsified clauses + {constant}) / {factor}")
        lines += [" ".join(map(str, ["h", *clause, 0])) for clause in clauses]
        signed = enumerate(costs.tolist(), 1)
        lines += [f"{abs(cost)} {-k if cost > 0 else k} 0" for k, cost in signed if cost]
    return "\n".join(lines) + "\n"


def _clauses(model: Model) -> Iterator[list[int]]:
    """Yield the clauses. The values of the options determine those of all other variables."""
    n_options = model.problem.n_options
    n_variables = n_options + len(model.colors)
    for option, value in model.fixed.items():
        yield [option + 1 if value else -option - 1]
    for k, (_, _, members) in enumerate(model.colors, n_options + 1):
        yield [-k, *(option + 1 for option in members)]
        yield from ([k, -option - 1] for option in members)
    for _, variables, low, high in model.sums:
        literals = [k + 1 for k in variables]
        if low == 1 or low > len(literals):
            yield literals if low == 1 else []
            low = 0
        if high == 1 and len(literals) <= MAX_PAIRWISE:
            yield from ([-a, -b] for k, a in enumerate(literals) for b in literals[:k])
            continue
        # Sinz's sequential counter: reached[j] is true if j + 1 of the literals so far are true
        reached: list[int] = []
        depth = max(low, high if high < len(literals) else 0)
        for literal in literals if depth else ():
            if high < len(literals) and len(reached) >= high:
                yield [-literal, -reached[high - 1]]
            following: list[int] = []
            for j in range(min(depth, len(reached) + 1)):
                before, fewer = reached[j : j + 1], reached[j - 1 : j] if j else []
                if not before and not fewer:
                    following.append(literal)
                    continue
                n_variables += 1
                following.append(n_variables)
                yield from ([n_variables, -each] for each in before)
                yield [n_variables, -literal, *(-each for each in fewer)]
                yield [-n_variables, *before, literal]
                yield from ([-n_variables, *before, each] for each in fewer)
            reached = following
        if low:
            yield [reached[low - 1]]


def format_mps(model: Model) -> str:
    """Return a model in the free MPS format."""
    problem, names, scale = model.problem, model.names, model.names.scale
    texts = model.texts()
    if not names.has_options:
        texts[: problem.n_options] = [f"x{k}" for k in range(problem.n_options)]
    columns, rows = _labels(texts, _SECTIONS), list(linear_rows(model, texts))
    labels = _labels([text for text, *_ in rows], ["cost", *_SECTIONS])
    costs = [] if problem.cost is None else map(scale.stated, problem.cost.tolist())
    entries: list[list[tuple[str, Any]]] = [[("cost", cost)] if cost else [] for cost in costs]
    entries += [[] for _ in columns[len(entries) :]]
    head, rhs, ranges = [" N cost"], list[str](), list[str]()
    for label, (_, low, high, pairs) in zip(labels, rows, strict=True):
        head.append(f" {'L' if low is None else 'E' if low == high else 'G'} {label}")
        rhs.append(f" RHS {label} {high if low is None else low}")
        if low is not None and high is not None and low < high:
            ranges.append(f" RANGE {label} {high - low}")
        for k, coefficient in pairs:
            entries[k].append((label, coefficient))
    body = [
        f" {column} {row} {number}"
        for column, pairs in zip(columns, entries, strict=True)
        for row, number in pairs or [("cost", 0)]
    ]
    bounds = [
        f" FX BOUND {column} {model.fixed[k]}" if k in model.fixed else f" BV BOUND {column}"
        for k, column in enumerate(columns)
    ]
    sense = ["OBJSENSE", " MAX"] * (scale.factor < 0)
    marks = [f" MARKER 'MARKER' '{mark}'" for mark in ("INTORG", "INTEND")]
    sections = ["NAME ExactCover", *sense, "ROWS", *head, "COLUMNS", marks[0], *body, marks[1]]
    sections += ["RHS", *rhs, *["RANGES", *ranges] * bool(ranges), "BOUNDS", *bounds, "ENDATA"]
    return "\n".join(sections) + "\n"


def linear_rows(
    model: Model, texts: list[str]
) -> Iterator[tuple[str, int | None, int | None, list[tuple[int, int]]]]:
    """Yield the linear constraints: a name, the bounds, and pairs of a variable and a coefficient.

    None is no bound.
    """
    for item, variables, low, high in model.sums:
        ends = low or None, high if low in (0, high) or high < len(variables) else None
        yield as_text(model.names.items[item]), *ends, [(k, 1) for k in variables]
    for k, (_, _, members) in enumerate(model.colors, model.problem.n_options):
        yield texts[k], None, 0, [(k, 1), *((option, -1) for option in members)]
        for option in members:
            yield f"{texts[k]}>={texts[option]}", None, 0, [(option, 1), (k, -1)]
    totals = zip(model.names.totals, list_totals(model.problem), strict=True)
    for name, (least, most, pairs) in totals:
        if (least, most) != (None, None):
            yield as_text(name), least, most, pairs


def _labels(texts: Sequence[str], reserved: Iterable[str]) -> list[str]:
    """Return texts as distinct words, none of which is reserved or too long."""
    labels = dict.fromkeys(reserved)
    n_reserved = len(labels)
    for text in texts:
        label = re.sub(r"^[$*]|\s|[^ -~]", "_", text[:MAX_NAME]) or "_"
        while label in labels:
            label += f"_{len(labels) - n_reserved}"
        labels[label] = None
    return list(labels)[n_reserved:]


def build_cpsat(model: Model) -> Any:
    """Return a model as a `CpModel`, whose first variables are the options."""
    try:
        cp_model = import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise ImportError("CP-SAT is part of OR-Tools: pip install ortools") from None
    built = cp_model.CpModel()
    texts = model.texts()
    variables = [built.new_bool_var(text) for text in texts]
    for _, least, most, pairs in linear_rows(model, texts):
        low, high = -UNBOUNDED if least is None else least, UNBOUNDED if most is None else most
        chosen, weights = [variables[k] for k, _ in pairs], [weight for _, weight in pairs]
        built.add_linear_constraint(cp_model.LinearExpr.weighted_sum(chosen, weights), low, high)
    for k, value in model.fixed.items():
        built.add(variables[k] == value)
    if model.problem.cost is not None:
        options, costs = variables[: model.problem.n_options], model.problem.cost.tolist()
        built.minimize(cp_model.LinearExpr.weighted_sum(options, costs))
        built.proto.objective.scaling_factor = 1 / model.names.scale.factor
    return built
