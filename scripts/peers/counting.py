"""Compare lists and counts of covers, of all or of those that differ in what matters, with others.

    bash scripts/compare_peers counting [--runs 3] [--only NAME] [--write]

clingo enumerates answer sets, with projection if only some items matter; Graphillion represents
perfect matchings of a graph by a decision diagram; dxz does so for all covers; ApproxMC counts
approximately, with projection. All programs get the same options and one thread, and times, the
processor time of the fastest of some runs, include their statements. Every number is checked.
`--write` writes the table into docs/benchmark-data.md.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import combinations, product
from typing import Any, NamedTuple

import clingo
import dxz
import pyapproxmc
from graphillion import GraphSet

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine

from ..blocks import measured_with, write_table
from ..measure.counting import dense_matrix, milliseconds
from ..tables import Row, text_table

Cell = tuple[int, int]
SLOW_SECONDS = 1.0  # a program is not repeated if it takes longer
PACKAGES = "clingo", "graphillion", "dxz", "pyapproxmc"


class Instance(NamedTuple):
    """Options that cover each cell once, and what matters: the cells that squares cover."""

    options: list[list[Cell]]
    n_squares: int = 0

    def cover(self) -> ExactCover:
        named = [[*option, *self.marks(option)] for option in self.options]
        number = {"square": self.n_squares} if self.n_squares else None
        empty = [mark for option in self.options for mark in self.marks(option)[1:]]
        return ExactCover(named, exactly=number, secondary=empty, threads=1)

    def marks(self, option: list[Cell]) -> list[Any]:
        return ["square", ("empty", *option[0])] if len(option) == 1 else []

    @property
    def entries(self) -> list[Any]:
        return [mark for option in self.options for mark in self.marks(option)[1:]]


def dominoes(rows: int, columns: int, n_squares: int = 0) -> Instance:
    """Cover a board with dominoes, and with a number of squares of one cell."""
    cells = list(product(range(rows), range(columns)))
    steps = [((r, c), (r + d, c + 1 - d)) for r, c in cells for d in (0, 1)]
    options = [[one, two] for one, two in steps if two in cells]
    return Instance(options + [[cell] for cell in cells if n_squares], n_squares)


def groups(instance: Instance) -> Iterator[tuple[list[int], int]]:
    """Yield the options of each cell, and of all squares, and how many of these a cover has."""
    cells = dict.fromkeys(cell for option in instance.options for cell in option)
    for cell in cells:
        yield [k for k, option in enumerate(instance.options) if cell in option], 1
    if instance.n_squares:
        squares = [k for k, option in enumerate(instance.options) if len(option) == 1]
        yield squares, instance.n_squares


def count_by_clingo(instance: Instance, *, is_projected: bool = False, lists: bool = False) -> int:
    lines = [f"{{x(0..{len(instance.options) - 1})}}."]
    for options, n in groups(instance):
        lines.append(f":- not {n} {{{'; '.join(f'x({k})' for k in options)}}} {n}.")
    squares = [k for k, option in enumerate(instance.options) if len(option) == 1]
    lines += [f"#project x({k})." for k in squares if is_projected]
    control = clingo.Control(["0", *["--project=project"] * is_projected])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    found = list[list[int]]()
    with control.solve(yield_=True) as models:
        for model in models:
            found.append([s.arguments[0].number for s in model.symbols(atoms=True)] * lists)
    return len(found)


def count_by_graphillion(instance: Instance, *, lists: bool = False) -> int:
    GraphSet.set_universe([tuple(option) for option in instance.options])
    matchings = GraphSet.perfect_matchings()
    return len(list(matchings)) if lists else len(matchings)


def count_by_dxz(instance: Instance) -> int:
    number: int = dxz.dxz_count(*dense_matrix(instance.cover()))
    return number


def count_by_approxmc(instance: Instance) -> int:
    """Count the sets of cells with squares; the number of squares is a unary counter."""
    counter, n_variables = pyapproxmc.Counter(seed=1), len(instance.options)
    *cells, (squares, n_squares) = groups(instance)
    for options, _ in cells:
        counter.add_clause([k + 1 for k in options])
        for one, two in combinations(options, 2):
            counter.add_clause([-one - 1, -two - 1])
    before = list[int]()  # whether at least 1, 2, ... of the squares so far are chosen
    for k in squares:
        now = [n_variables + i + 1 for i in range(min(len(before) + 1, n_squares + 1))]
        n_variables += len(now)
        for i, each in enumerate(now):
            less = [before[i - 1]] if i else []
            more = [before[i]] if i < len(before) else []
            counter.add_clause([-each, k + 1, *more])
            if less:
                counter.add_clause([-each, *less, *more])
            counter.add_clause([each, -k - 1, *(-v for v in less)])
            if more:
                counter.add_clause([each, -more[0]])
        before = now
    counter.add_clause([before[n_squares - 1]])
    counter.add_clause([-before[n_squares]])
    count, exponent = counter.count(projection=[k + 1 for k in squares])
    return int(count * 2**exponent)


Runs = dict[str, Callable[[Instance], int]]
LISTS: Runs = {
    "solve": lambda instance: len(instance.cover().solve()),
    "diagram": lambda instance: len(instance.cover().diagram().covers()),
    "clingo": lambda instance: count_by_clingo(instance, lists=True),
    "graphillion": lambda instance: count_by_graphillion(instance, lists=True),
}
COUNTS: Runs = {
    "solve": lambda instance: instance.cover().count(method="search"),
    "diagram": lambda instance: instance.cover().count(method="memo"),
    "graphillion": count_by_graphillion,
    "dxz": count_by_dxz,
}
CLASSES: Runs = {
    "solve": lambda instance: instance.cover().count(distinct=instance.entries),
    "clingo": lambda instance: count_by_clingo(instance, is_projected=True),
    "pyapproxmc": count_by_approxmc,
}
TASKS: dict[str, tuple[Instance, Runs, int]] = {
    "all dominoes 6×8": (dominoes(6, 8), LISTS, 167_089),
    "number of dominoes 6×8": (dominoes(6, 8), COUNTS, 167_089),
    "number of dominoes 8×8": (dominoes(8, 8), COUNTS, 12_988_816),
    "sets of 2 empty cells, 6×6": (dominoes(6, 6, 2), CLASSES, 324),
    "sets of 4 empty cells, 4×6": (dominoes(4, 6, 4), CLASSES, 4_140),
}
HEADER = ["task", "result", "dlx_numba: search", "diagram or memo", *PACKAGES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="of each program")
    parser.add_argument("--only", default="", help="tasks whose names contain this text")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    arguments = parser.parse_args()
    table: list[Row] = [HEADER]
    for name, (instance, runs, expected) in TASKS.items():
        if arguments.only not in name:
            continue
        row = [name, f"{expected:,}"]
        for program in ("solve", "diagram", *PACKAGES):
            run, best, number = runs.get(program), float("inf"), expected
            for _ in range(1 + arguments.runs if run else 0):  # the first run compiles kernels
                if SLOW_SECONDS < best < float("inf") and program in PACKAGES:
                    break
                gc.collect()
                begin = time.process_time()
                number = run(instance) if run else 0
                best = min(best, time.process_time() - begin)
            if number != expected and program != "pyapproxmc":
                sys.exit(f"{name}: {program} found {number:,}")
            text = f"{milliseconds(best)} ms" if run else "–"
            row.append(text if number == expected else f"{text}, about {number:,}")
        print(*row, sep=" | ", file=sys.stderr)
        table.append(row)
    print(text_table(table))
    if arguments.write:
        versions = ", ".join(f"{each} {version(each)}" for each in PACKAGES)
        note = measured_with(machine(), f", {versions}, one thread")
        write_table("enumeration", table, note)


if __name__ == "__main__":
    main()
