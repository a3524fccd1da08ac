"""Clauses: solvers and model counters read what this package writes as CNF and WCNF."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import dlx_numba as dlx
from tests.helpers.oracles import random_general_problem

from .exchange import ask, check, optimum
from .row import Row, version_of

N_PROBLEMS = 30


class Counter(NamedTuple):
    """A program that reads clauses; `name` is its function in `foreign_programs`."""

    program: str
    package: str
    name: str
    has_costs: bool
    surprises: str


COUNTERS = [
    Counter(
        *("ApproxMC", "pyapproxmc", "approxmc", False),
        "variables that are only in satisfied clauses are not counted: `1 0` and `2 1 0` have 1 "
        "model",
    ),
    Counter(*("D4", "d4solver", "d4", False), "the number that `count()` returns is a text"),
    Counter(*("Ganak", "pyganak", "ganak", False), "the second `count()` of an object fails"),
    Counter(
        *("tididi-cnf", "tididi-cnf", "tididi", False),
        "a variable in no clause may be missing from a projected count (`c p show`)",
    ),
    Counter(
        *("CaDiCaL in python-sat", "python-sat", "enumerate_models", False),
        "the number of variables in the first line is ignored: those in no clause are not counted",
    ),
    Counter(*("RC2 in python-sat", "python-sat", "rc2", True), "none"),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    problems = [*make_problems()]
    for number, stated in enumerate(problems):
        stated.write(folder / f"{number}.cnf")
        costs = [k % 5 for k in range(stated.n_options)]
        stated.replace(costs=costs).write(folder / f"{number}.wcnf")
    for counter in COUNTERS:
        suffix = "wcnf" if counter.has_costs else "cnf"
        paths = [str(folder / f"{number}.{suffix}") for number in range(len(problems))]
        answers = ask(python, counter.name, [(path, []) for path in paths])
        n_right = 0
        for stated, answer, path in zip(problems, answers, paths, strict=True):
            if "error" in answer:
                continue
            if counter.has_costs:
                costs = [k % 5 for k in range(stated.n_options)]
                expected = optimum(stated.replace(costs=costs))
            else:
                expected = stated.count()
            if counter.name == "approxmc" and answer["value"] != expected:
                continue  # see the surprises
            check(f"{counter.program} solves {path}", answer["value"], expected)
            n_right += 1
        reads = f"{n_right} of {len(paths)} {suffix.upper()}"
        version = version_of(counter.package)
        yield Row(counter.program, version, reads, "nothing", counter.surprises)


def make_problems() -> Iterator[dlx.ExactCover]:
    """Yield random problems without costs, and examples."""
    for seed in range(N_PROBLEMS):
        options, bounds, secondary = random_general_problem(seed)
        yield dlx.ExactCover(options, bounds, secondary, multiplicity=bounds)
    yield dlx.example("queens", n=6).cover()
    options = {f"option {k}": random.Random(k).sample("abcdefgh", 3) for k in range(20)}
    yield dlx.ExactCover(options, [*"ab"], [*"cdefgh"])
