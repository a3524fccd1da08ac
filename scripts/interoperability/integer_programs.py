"""Integer programs: they solve what this package writes as MPS, and it reads what they write."""

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import dlx_numba as dlx
from tests.helpers.problems import problem, total_problem

from .exchange import Request, ask, check, optimum
from .row import Row, version_of

N_PROBLEMS = 30


class Solver(NamedTuple):
    """A program that solves integer programs; `name` is its function in `foreign_programs`."""

    program: str
    package: str
    name: str
    writes: tuple[str, ...]
    surprises: str


BOTH = (".lp", ".mps")
SOLVERS = [
    Solver(
        *("CBC", "coinor-cbc", "cbc", BOTH),
        "`NAME X FREE` is needed before short names; OBJSENSE is ignored; `-export` writes what is "
        "presolved, and MPS as `.gz`",
    ),
    Solver(
        *("CPLEX", "cplex", "cplex", BOTH),
        "a maximum is written to MPS with negated costs, but not a negated constant; a sense on "
        "the line OBJSENSE is ignored",
    ),
    Solver(
        *("GLPK", "glpk-utils", "glpk", BOTH),
        "OBJSENSE is refused, and a RHS of the objective is its constant with the same sign; "
        "`$ empty column` at the end of lines",
    ),
    Solver(
        *("Gurobi", "gurobipy", "gurobi", BOTH),
        "a constant in LP files is a variable; rows with two limits are equalities with a variable",
    ),
    Solver(
        *("HiGHS", "highspy", "highs", BOTH),
        "`x + y - 1 >= 0` in LP files loses the constant; `OBJSENSE MAXIMIZE` on a line minimizes",
    ),
    Solver(
        *("lp_solve", "lp-solve", "lp_solve", (".mps",)),
        "a RHS of the objective is its constant with the same sign; integer columns without bounds "
        "have no upper bound; bounds of columns that are in no row are written",
    ),
    Solver(
        *("OR-tools", "ortools", "ortools", BOTH),
        "bounds of columns that are in no row are written to MPS",
    ),
    Solver(
        *("PuLP", "pulp", "pulp", BOTH),
        "the constant of an objective is not written, nor is the sense in MPS but as a comment; "
        "RANGES are not read",
    ),
    Solver(
        *("python-mip", "mip", "python_mip", BOTH),
        "writes `m.mps` as `m.mps.mps.gz`, and maxima in MPS without the sense",
    ),
    Solver(
        *("SCIP", "pyscipopt", "scip", BOTH),
        "LP files with `:`, brackets or `>=` in names are written, and then not read",
    ),
    Solver(
        *("SYMPHONY", "coinor-symphony", "symphony", ()),
        "OBJSENSE is ignored; after an optimum that preprocessing finds, it prints that the "
        "problem is infeasible",
    ),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    problems = [*make_problems()]
    for number, stated in enumerate(problems):
        stated.write(folder / f"{number}.mps")
    for solver in SOLVERS:
        requests: list[Request] = []
        for number in range(len(problems)):
            targets = [f"{solver.name}-{number}{suffix}" for suffix in solver.writes]
            requests.append((f"{folder / str(number)}.mps", [str(folder / t) for t in targets]))
        answers = ask(python, solver.name, requests)
        n_solved = 0
        n_read = dict.fromkeys(solver.writes, 0)
        for stated, answer, (path, targets) in zip(problems, answers, requests, strict=True):
            if "error" in answer:
                continue
            expected = optimum(stated)
            signed = -expected if expected is not None and is_maximum(stated) else expected
            check(f"{solver.program} solves {path}", answer["value"], signed)
            n_solved += 1
            for target in targets:
                with warnings.catch_warnings():  # of continuous variables that make ranges
                    warnings.simplefilter("ignore")
                    check(f"we read {target}", optimum(dlx.ExactCover.read(target)), signed)
                n_read[Path(target).suffix] += 1
        is_read = ", ".join(f"{n} {suffix[1:].upper()}" for suffix, n in n_read.items())
        yield Row(
            solver.program,
            version_of(solver.package),
            f"{n_solved} of {len(problems)} MPS",
            is_read or "nothing",
            solver.surprises,
        )


def make_problems() -> Iterator[dlx.ExactCover]:
    """Yield random problems with all features and difficult names, and an example."""
    for seed in range(N_PROBLEMS):
        rng = random.Random(seed)
        stated = rng.choice([problem, total_problem])(seed)[0]
        costs = [rng.choice([0, 2, -1, 2.5]) for _ in range(stated.n_options)]
        yield stated.replace(**{rng.choice(["costs", "maximize"]): costs})
    queens = dlx.example("queens", n=6).cover()
    yield queens.replace(costs=[k % 7 for k in range(queens.n_options)])


def is_maximum(stated: dlx.ExactCover) -> bool:
    return "* dlx_numba: the objective is a maximum" in stated.write(kind="mps")
