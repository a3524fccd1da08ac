"""Count the covers of the instances of the DXD paper with a memo, in one thread.

    python -m scripts.measure dxd FOLDER [--seconds 30]

FOLDER is a checkout of the public repository `loiufam/alg-lab`, or its folder `data`. Each instance
is counted once by `ExactCover.counter("memo")`; the times include the preparation. An instance that
is not finished by the time limit is counted again with the method "auto", without a time limit, and
this time counts. Known numbers and numbers of up to a million covers are verified, the latter by a
search.

`--write` writes a row for each family into docs/figures/dxd.csv, and one for each instance into
docs/dxd.csv, which docs/dxd.md describes.
"""

import argparse
import csv
import math
import sys
import textwrap
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine

from ..blocks import PAGE_WIDTH
from ..tables import Row, format_machine

PAGE = Path(__file__).parents[2] / "docs" / "dxd.md"
TABLE = PAGE.with_suffix(".csv")
HEADER = """---
orphan: true
---

# Instances of the DXD paper

[This table](dxd.csv) has the numbers of covers of the instances in the public repository
`loiufam/alg-lab`, counted with a memo in one thread, and the times, which include the choice of an
order. [The totals](benchmark-data.md#the-instances-of-the-dxd-paper) are on another page. Where
there is no number of subproblems, a memo does not finish within 30 seconds, and `count()` was
measured.

The slow instances, `latin8`, are 8×8 Latin squares whose first row, first column and first symbol
are given. Nearly all of their subproblems are distinct, but many are isomorphic, and
[`count()` counts isomorphic ones once](library/diagrams.md#isomorphic-subproblems).

"""
BLOCK = "dxd"
MAX_VERIFIED = 1_000_000


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


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=30)


def measure(options: argparse.Namespace) -> list[Result]:
    paths = sorted(path for path in options.folder.rglob("*") if path.suffix in (".ec", ".txt"))
    paths = [path for path in paths if path.parent.name in ("exact_cover_benchmark", "run_set")]
    ExactCover([["a"], ["a", "b"], ["b"]]).count(method="memo")  # loads the kernels
    return [measure_instance(path, options.seconds) for path in paths]


def write_page(results: list[Result]) -> None:
    note = f"Measured with {format_machine(machine())}."
    PAGE.write_text(f"{HEADER}{textwrap.fill(note, PAGE_WIDTH)}\n", encoding="utf-8")
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(instance_table(results))


def measure_instance(path: Path, seconds: float) -> Result:
    """Count the covers of an instance. Raises RuntimeError if the number is wrong."""
    is_graph = path.parent.name == "run_set"
    problem = ExactCover.read(path, "orlib" if is_graph else "ec")
    family = "graphs" if is_graph else path.stem.split("-")[0]
    begin = time.perf_counter()
    counter = problem.counter("memo")
    is_done = counter.run(seconds)
    if not is_done:
        begin, counter = time.perf_counter(), problem.replace(threads=1).counter()
        counter.run()
    elapsed = time.perf_counter() - begin
    n_covers, subproblems, _ = counter.counters()
    expected = known_count(path.stem)
    if expected is None and n_covers <= MAX_VERIFIED:
        expected = problem.count(method="search")
    if expected not in (None, n_covers):
        raise RuntimeError(f"{path}: counted {n_covers:,} covers instead of {expected:,}")
    print(f"{path.stem}: {elapsed:.3f} s", file=sys.stderr)
    facts = family, path.stem, problem.n_options, n_covers, subproblems
    return Result(*facts, elapsed, is_done)


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


def table(results: list[Result]) -> list[Row]:
    """Return a row for each family."""
    rows: list[Row] = [["family", "instances", "by memo", "total, s", "worst, s"]]
    families = defaultdict[str, list[Result]](list)
    for result in results:
        families[result.family].append(result)
    for family, members in families.items():
        worst = max(members, key=lambda result: result.seconds)
        row = summary(family, members)
        rows.append([*row, f"{worst.seconds:.3g} ({worst.name})"])
    return [*rows, [*summary("all", results), ""]]


def summary(name: str, results: list[Result]) -> Row:
    """Return the first cells of a row."""
    n_done = sum(result.is_done for result in results)
    seconds = sum(result.seconds for result in results)
    return [name, f"{len(results)}", f"{n_done}", f"{seconds:.3g}"]


def instance_table(results: list[Result]) -> list[Row]:
    """Return a row for each instance."""
    rows: list[Row] = [["instance", "options", "covers", "subproblems", "ms"]]
    for result in results:
        subproblems = str(result.subproblems) if result.is_done else ""
        row = [result.name, str(result.n_options), str(result.n_covers), subproblems]
        rows.append([*row, f"{1000 * result.seconds:.1f}"])
    return rows
