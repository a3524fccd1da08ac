"""Integer programs: they solve what this package writes as MPS, and it reads what they write."""

import json
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import dlx_numba as dlx
from tests.helpers.problems import problem, total_problem

from .row import Row, version_of

N_PROBLEMS = 30


class Solver(NamedTuple):
    """A program that solves integer programs; `name` is its function in `foreign_programs`."""

    program: str
    package: str
    name: str
    writes: tuple[str, ...]
    surprises: str


SOLVERS = [
    Solver("HiGHS", "highspy", "highs", (".lp", ".mps"), ""),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    problems = [*make_problems()]
    for number, stated in enumerate(problems):
        stated.write(folder / f"{number}.mps")
    for solver in SOLVERS:
        requests = [
            [
                str(folder / f"{number}.mps"),
                [str(folder / f"{solver.name}-{number}{suffix}") for suffix in solver.writes],
            ]
            for number in range(len(problems))
        ]
        answers = ask(python, solver.name, requests)
        n_solved = 0
        n_read = dict.fromkeys(solver.writes, 0)
        for stated, answer, (path, targets) in zip(problems, answers, requests, strict=True):
            if "error" in answer:
                print(f"{solver.program}, {path}: {answer['error'][-200:]}", file=sys.stderr)
                continue
            expected = optimum(stated)
            signed = -expected if expected is not None and is_maximum(stated) else expected
            check(f"{solver.program} solves {path}", answer["optimum"], signed)
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
            is_read,
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


def optimum(stated: dlx.ExactCover) -> float | None:
    """The cost of the cheapest cover; None if there is no cover."""
    return next((cover.cost for cover in stated.cheapest()), None)


def ask(python: str, name: str, requests: list[list[Any]]) -> list[dict[str, Any]]:
    """Return the optima that a program finds for files, while it writes others; or its errors."""
    program = Path(__file__).with_name("foreign_programs.py")
    text = "".join(json.dumps(request) + "\n" for request in requests)
    result = subprocess.run(
        [python, str(program), name], input=text, stdout=subprocess.PIPE, text=True, check=False
    )
    lines = [line for line in result.stdout.splitlines() if line.startswith("answer ")]
    if result.returncode:
        sys.exit(f"{name} failed after {len(lines)} of {len(requests)} files")
    return [json.loads(line.removeprefix("answer ")) for line in lines]


def check(what: str, found: float | None, expected: float | None) -> None:
    """End the program unless two optima are the same."""
    same = found == expected or (None not in (found, expected) and abs(found - expected) < 1e-6)
    if not same:
        sys.exit(f"{what}: {found}, not {expected}")
