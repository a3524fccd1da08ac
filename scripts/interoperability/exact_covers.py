"""Exact cover packages: they count the covers of what this package writes in Knuth's format."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import dlx_numba as dlx
from tests.helpers.oracles import random_general_problem

from .exchange import Request, ask, check
from .row import Row, version_of

N_PROBLEMS = 60


class Package(NamedTuple):
    """A package for exact covers; `name` is its function in `foreign_programs`."""

    program: str
    name: str
    has_secondary: bool  # and colors
    writes: bool
    surprises: str


PACKAGES = [
    Package(
        *("exact-cover", "exact_cover", False, False),
        "`get_all_solutions` returns an empty cover for one that takes all rows; a matrix without "
        "rows has one solution",
    ),
    Package(
        *("miniexact", "miniexact", True, True),
        "the notation of multiplicities is another one: `2|a` is two items",
    ),
    Package(*("xcover", "xcover", True, False), "`covers([])` is an error"),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    problems: dict[bool, list[dlx.ExactCover]] = {False: [], True: []}
    for seed in range(N_PROBLEMS):
        options, bounds, secondary = random_general_problem(seed, False)
        stated = dlx.ExactCover([each for each in options if each], bounds, secondary)
        problems[bool(secondary)].append(stated)
    for package in PACKAGES:
        chosen = problems[False] + (problems[True] if package.has_secondary else [])
        requests: list[Request] = []
        for number, stated in enumerate(chosen):
            path = folder / f"{number}.dlx"
            stated.write(path)
            target = folder / f"{package.name}-{number}.dlx"
            requests.append((str(path), [str(target)] if package.writes else []))
        answers = ask(python, package.name, requests)
        n_counted = 0
        n_read = 0
        for stated, answer, (path, targets) in zip(chosen, answers, requests, strict=True):
            if "error" in answer:
                continue
            check(f"{package.program} counts {path}", answer["value"], stated.count())
            n_counted += 1
            for target in targets:
                check(f"we read {target}", dlx.ExactCover.read(target).count(), stated.count())
                n_read += 1
        yield Row(
            package.program,
            version_of(package.program),
            f"{n_counted} of {len(chosen)} in Knuth's format",
            f"{n_read} in Knuth's format" if package.writes else "nothing",
            package.surprises,
        )
