"""Measure how long the puzzles of a public collection take, and compare the solution in the files.

    python -m scripts.measure collection --folder puzzlekit-dataset/assets/data [--kinds tents ...]

The collection is SmilingWayne/puzzlekit-dataset. For each puzzle, the time includes its statement,
its first solution and whether there is another one: processor time of one thread. The first puzzle
of a kind is solved before, so that no kernel is loaded meanwhile. Puzzles that are not unique, and
given solutions that break a rule, are listed.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dlx_numba.puzzles.answer import find_answer
from dlx_numba.puzzles.kind import load_kind
from dlx_numba.puzzles.puzzle import Puzzle
from dlx_numba.runtime.errors import FormatError, Stopped

from ..tables import Row

FILES = {
    "tents": "Tent",
    "shikaku": "Shikaku",
    "dominosa": "Dominos",
    "star-battle": "Starbattle",
    "kakuro": "Kakuro",
    "nonogram": "Nonogram",
    "samurai": "SamuraiSudoku",
    "euler": "Eulero",
    "takuzu": "Binairo",
    "killer": "KillerSudoku",
}
SECONDS = 10  # for each search


@dataclass
class KindTimes:
    """The times of the puzzles of a kind, and the records that are not as they should be."""

    kind: str
    seconds: list[float] = field(default_factory=list)
    slowest: str = ""
    remarks: list[str] = field(default_factory=list)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, required=True, help="with NAME/NAME_dataset.json")
    parser.add_argument("--kinds", nargs="+", choices=FILES, default=list(FILES))


def measure(options: argparse.Namespace) -> list[KindTimes]:
    """Measure all puzzles of some kinds."""
    return [measure_kind(kind, options.folder) for kind in options.kinds]


def measure_kind(kind: str, folder: Path) -> KindTimes:
    """Measure all puzzles of a kind."""
    name = FILES[kind]
    text = (folder / name / f"{name}_dataset.json").read_text(encoding="utf-8")
    solve(next(load_kind(kind).parse(text, name)))
    times = KindTimes(kind)
    puzzles: Iterator[Puzzle | FormatError] = load_kind(kind).parse(text, name)
    while True:
        start = time.process_time()
        if (puzzle := next(puzzles, None)) is None:
            return times
        if isinstance(puzzle, FormatError):
            times.remarks.append(str(puzzle))
            continue
        remark = solve(puzzle)
        seconds = time.process_time() - start
        if not times.seconds or seconds > max(times.seconds):
            times.slowest = puzzle.place
        times.seconds.append(seconds)
        if remark:
            times.remarks.append(f"{puzzle.place}: {remark}")
        if puzzle.answer:
            try:
                find_answer(puzzle)
            except ValueError as error:
                times.remarks.append(str(error))


def solve(puzzle: Puzzle) -> str:
    """Solve a puzzle, and return what is unusual about it."""
    try:
        puzzle.first(seconds=SECONDS)
        count = puzzle.count(limit=2, seconds=SECONDS)
    except Stopped:
        return f"stopped after {SECONDS} seconds"
    return ("no solution", "", "several solutions")[count]


def table(kinds: Sequence[KindTimes]) -> list[Row]:
    """Return the table: one row for each kind, then the remarks."""
    rows: list[Row] = [["kind", "puzzles", "seconds", "mean, ms", "slowest, ms", "its name"]]
    for each in kinds:
        total, slowest = sum(each.seconds), max(each.seconds)
        mean = f"{1e3 * total / len(each.seconds):.1f}"
        figures = [f"{len(each.seconds):,}", f"{total:.1f}", mean, f"{1e3 * slowest:.0f}"]
        rows.append([each.kind, *figures, each.slowest])
    rows += [[remark, "", "", "", "", ""] for each in kinds for remark in each.remarks]
    return rows
