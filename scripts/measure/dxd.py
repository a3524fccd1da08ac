"""Count the covers of the instances of the DXD paper with a memo, in one thread.

    python -m scripts.measure dxd FOLDER [--seconds 30]

FOLDER is a checkout of the public repository `loiufam/alg-lab`, or its folder `data`. Each instance
is counted once by `ExactCover.counter("memo")`; the times include the preparation. An instance that
is not finished by the time limit is counted again with the method "auto", without a time limit, and
this time counts. Known numbers and numbers of up to a million covers are verified, the latter by a
search.

"two tables" is a bound on the gain from a second thread with a memo of its own, which would count
the covers with half of the options of the smallest item: the number of subproblems, divided by
that of the larger half. "separated" is the number of distinct subproblems if independent components
are separated, divided by that if they are not, both in plain Python, for small instances only.

`--write` writes the tables of the documentation: a row for each family in docs/benchmarks.md, and
one for each instance in docs/dxd.md.
"""

import argparse
import math
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine

from ..blocks import measured
from ..tables import Row

PAGE = Path(__file__).parents[2] / "docs" / "dxd.md"
HEADER = """---
orphan: true
---

# Instances of the DXD paper

The numbers of covers of the instances in the public repository `loiufam/alg-lab`, counted with a
memo in one thread. The time includes the choice of an order. Where there is no number of
subproblems, a memo does not finish within 30 seconds, and `count()` was measured.
[Benchmarks](benchmarks.md#the-instances-of-the-dxd-paper) has the totals.

The `latin8` instances are 8×8 Latin squares whose first row, first column and first symbol are
given. A memo hardly helps, because nearly all of their subproblems occur once. But many are
isomorphic, because rows, columns and symbols are interchangeable. `count()` recognizes this near
the root, where it counts
[isomorphic subproblems once](library/diagrams.md#isomorphic-subproblems), and searches below. The
fewer symmetries an instance has, the less this saves.


"""
BLOCK = "dxd"
MAX_VERIFIED = 1_000_000
MAX_COMPARED = 1_000

Rows = frozenset[frozenset[int]]


@dataclass(frozen=True)
class Result:
    """The count of an instance."""

    family: str
    name: str
    n_options: int
    n_covers: int
    subproblems: int
    seconds: float
    is_done: bool  # with a memo; otherwise, the time is that of the method "auto"
    larger_half: int  # the number of its subproblems
    together: int  # subproblems of a memo in Python, 0 if there would be too many
    separated: int  # the same if it separates components


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=30)


def measure(options: argparse.Namespace) -> list[Result]:
    paths = sorted(path for path in options.folder.rglob("*") if path.suffix in (".ec", ".txt"))
    paths = [path for path in paths if path.parent.name in ("exact_cover_benchmark", "run_set")]
    ExactCover([["a"], ["a", "b"], ["b"]]).count(method="memo")  # loads the kernels
    return [measure_instance(path, options.seconds) for path in paths]


def tables(results: list[Result]) -> list[list[Row]]:
    return [family_table(results), instance_table(results)]


def write_page(tables: list[list[Row]]) -> None:
    PAGE.write_text(f"{HEADER}{measured(tables[1], machine())}\n", encoding="utf-8")


def measure_instance(path: Path, seconds: float) -> Result:
    """Count the covers of an instance. Raises RuntimeError if the number is wrong."""
    problem = ExactCover.from_file(path)
    family = "graphs" if path.parent.name == "run_set" else path.stem.split("-")[0]
    begin = time.perf_counter()
    counter = problem.counter("memo")
    is_done = counter.run(seconds)
    if not is_done:
        begin, counter = time.perf_counter(), problem.counter(threads=1)
        counter.run()
    elapsed = time.perf_counter() - begin
    n_covers, subproblems, _ = counter.counters()
    expected = known_count(path.stem)
    if expected is None and n_covers <= MAX_VERIFIED:
        expected = problem.count(method="search")
    if expected not in (None, n_covers):
        raise RuntimeError(f"{path}: counted {n_covers:,} covers instead of {expected:,}")
    half = larger_half(problem) if is_done else 0
    is_small = is_done and subproblems <= MAX_COMPARED
    both = [count_subproblems(problem, separates=each) if is_small else 0 for each in (False, True)]
    print(f"{path.stem}: {elapsed:.3f} s", file=sys.stderr)
    facts = family, path.stem, problem.n_options, n_covers, subproblems
    return Result(*facts, elapsed, is_done, half, *both)


def known_count(name: str) -> int | None:
    """Return a Bell number or a double factorial, or None for other instances."""
    family, _, number = name.partition("-")
    if family == "doublefact":
        return math.prod(range(1, int(number) + 1, 2))
    if family != "bell":
        return None
    row = [1]
    for _ in range(int(number) - 1):
        following = [row[-1]]
        for value in row:
            following.append(following[-1] + value)
        row = following
    return row[-1]


def smallest_options(problem: ExactCover) -> list[int]:
    """Return the options of the first item with the fewest options, at least two."""
    stated = problem.problem
    sizes = np.bincount(stated.items, minlength=stated.n_items)[: stated.n_primary]
    sizes = np.where(sizes < 2, sizes.max(), sizes)
    return np.unique(stated.option_of_node()[stated.items == np.argmin(sizes)]).tolist()


def larger_half(problem: ExactCover) -> int:
    """Return the number of subproblems with either half of the options of an item, the larger."""
    options, numbers = smallest_options(problem), []
    for first in (0, 1):
        stated = problem.to_csr()
        counter = ExactCover.from_csr(*stated, forbidden=options[first::2]).counter("memo")
        counter.run()
        numbers.append(counter.counters()[1])
    return max(numbers)


def count_subproblems(problem: ExactCover, *, separates: bool) -> int:
    """Return how many distinct subproblems a memo enters that branches on the smallest item.

    If it separates components, it enters each of them, until one has no cover.
    """
    indptr, items, n_items, _ = problem.to_csr()
    known: dict[Rows, bool] = {}  # whether a subproblem has a cover

    def has_cover(rows: Rows, uncovered: frozenset[int]) -> bool:
        sizes = Counter(item for row in rows for item in row)
        if len(sizes) < len(uncovered):
            return False
        if rows not in known:
            smallest = min(sizes, key=lambda item: (sizes[item], item))
            known[rows] = False
            for chosen in [row for row in rows if smallest in row]:
                rest = frozenset(row for row in rows if not row & chosen)
                items_left = uncovered - chosen
                parts = components(rest) if separates else [(rest, items_left)]
                is_covered = sum(len(part[1]) for part in parts) == len(items_left)
                if is_covered and all(has_cover(*part) for part in parts):
                    known[rows] = True
        return not rows or known[rows]

    rows = frozenset(frozenset(items[begin:end].tolist()) for begin, end in pairwise(indptr))
    known[frozenset()] = True
    has_cover(rows, frozenset(range(n_items)))
    return len(known) - 1


def components(rows: Rows) -> list[tuple[Rows, frozenset[int]]]:
    """Return the rows and items of each set of rows that are connected by common items."""
    parts: list[tuple[Rows, frozenset[int]]] = []
    for row in rows:
        joined = [part for part in parts if part[1] & row]
        parts = [part for part in parts if not part[1] & row]
        merged = frozenset({row}).union(*(part[0] for part in joined))
        parts.append((merged, row.union(*(part[1] for part in joined))))
    return parts


def family_table(results: list[Result]) -> list[Row]:
    """Return a row for each family."""
    rows: list[Row] = [
        ["family", "instances", "by memo", "total, s", "worst, s", "two tables", "separated"]
    ]
    families = defaultdict[str, list[Result]](list)
    for result in results:
        families[result.family].append(result)
    for family, members in families.items():
        worst = max(members, key=lambda result: result.seconds)
        done = [result for result in members if result.is_done]
        halves = sum(result.larger_half for result in done)
        subproblems = sum(result.subproblems for result in done)
        together = sum(result.together for result in members)
        separated = sum(result.separated for result in members)
        row = [family, f"{len(members)}", f"{len(done)}", seconds_text(members)]
        row += [f"{worst.seconds:.3g} ({worst.name})", quotient(subproblems, halves)]
        row.append(quotient(separated, together))
        rows.append(row)
    n_done = sum(result.is_done for result in results)
    rows.append(["all", f"{len(results)}", f"{n_done}", seconds_text(results), "", "", ""])
    return rows


def quotient(numerator: int, denominator: int) -> str:
    """Return a quotient, or a dash if nothing was measured."""
    return f"{numerator / denominator:.2f}" if denominator else "–"


def seconds_text(results: list[Result]) -> str:
    """Return the total time in seconds."""
    return f"{sum(result.seconds for result in results):.3g}"


def instance_table(results: list[Result]) -> list[Row]:
    """Return a row for each instance."""
    rows: list[Row] = [["instance", "options", "covers", "subproblems", "ms"]]
    for result in results:
        subproblems = f"{result.subproblems:,}" if result.is_done else "–"
        row = [result.name, f"{result.n_options:,}", f"{result.n_covers:,}", subproblems]
        rows.append([*row, f"{1000 * result.seconds:,.1f}"])
    return rows
