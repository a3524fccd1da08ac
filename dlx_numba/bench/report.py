"""The results of the benchmark as text, Markdown or JSON."""

import io
import json
import os
import platform
import textwrap
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..explain.deduction.ratings import rate
from ..jit.library import supported_instruction_sets
from ..runtime.choices import NAIVE
from ..sudoku.rating import BOX
from .covers import CoverMeasurement
from .measure import BoardSet, Measurement

MAX_WIDTH = 80  # columns of the notes
UNLIMITED_WIDTH = 1000  # columns of a table that is not on a terminal

Row = tuple[str, ...]  # the cells of a table row

TIMES = ("min", "max", "mean", "std")  # functions of NumPy
NOTE = (
    "Times are those of puzzles that are solved one by one, each in its own call, in one thread; "
    "the rate per second is for sets that are solved in one call, as files are. Nodes and guesses "
    "are means. The column `× naive` compares the times of the same puzzles."
)


def machine() -> dict[str, str]:
    """Return the processor, the system and the versions that the measurements depend on."""
    versions: dict[str, str] = {}
    for name in ("numba", "llvmlite", "numpy"):
        with suppress(PackageNotFoundError):  # a frozen program may do without Numba
            versions[name] = version(name)
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **versions,
    }


def as_json(measurements: Sequence[Measurement], covers: Sequence[CoverMeasurement]) -> str:
    """Return a JSON record for each result, with the run time of each board or count in seconds.

    The last record has the status, "stopped" if some boards or counts have no time, the numbers of
    results, and the machine.
    """
    records: list[dict[str, Any]] = [
        {
            "set": m.boards.name,
            "solver": m.solver,
            "boards": len(m.solved),
            "mean_givens": m.boards.mean_givens,
            "solved": len(m.seconds),
            "note": m.note,
            "per_second": m.per_second,
            "seconds": [round(float(value), 9) for value in m.seconds],
            m.work_unit: m.nodes.tolist(),
        }
        for m in measurements
    ]
    records += [m._asdict() for m in covers]
    is_complete = all(m.solved.all() for m in measurements) and all(
        m.seconds is not None for m in covers
    )
    last = {
        "status": "done" if is_complete else "stopped",
        "measurements": len(measurements),
        "exact_cover": len(covers),
        "machine": machine(),
    }
    return "\n".join(map(json.dumps, [*records, last]))


def as_text(
    measurements: Sequence[Measurement],
    covers: Sequence[CoverMeasurement],
    *,
    details: bool = False,
    markdown: bool = False,
    width: int = UNLIMITED_WIDTH,
) -> str:
    """Return a table of times for each set, and a table for exact cover.

    Parameters
    ----------
    measurements, covers
        The results, in the order of the rows; those of a set follow each other.
    details
        Whether to rate the puzzles of each set.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    width
        The largest width of the tables.
    """
    draw = partial(_draw_table, markdown=markdown, width=width)
    parts = []
    for name, of_set in groupby(measurements, lambda m: m.boards.name):
        parts.append(draw(f"Sudoku, {name}: ms per puzzle", _sudoku_rows([*of_set]), 1))
    if covers:
        parts.append(draw("Exact cover: ms to count all covers", _cover_rows(covers), 1))
    notes = [f"{m.boards.name}, {m.solver}: {m.note}." for m in measurements if m.note]
    notes += [f"{m.problem}, {m.algorithm}: {m.note}." for m in covers if m.note]
    if details:  # of the whole sets: the naive solver may have only their first boards
        sets = {m.boards.name: m.boards for m in measurements if m.solver != NAIVE}
        notes += map(_describe_difficulty, sets.values())
    versions = ", ".join(f"{key} {value}" for key, value in machine().items())
    if measurements:
        notes.append(NOTE)
    notes.append(f"All solutions and counts are verified. Measured with {versions}.")
    if not markdown:
        notes = [textwrap.fill(note, min(width, MAX_WIDTH)) for note in notes]
    return "\n".join([*parts, "\n\n".join(notes)])


def _processor() -> str:
    """Return the model of the processor and its instruction set, such as "AMD EPYC (x86-64-v3)".

    Processors of one name may differ by AVX-512 (x86-64-v4), which doubles the speed of engines.
    """
    path = Path("/proc/cpuinfo")  # on Linux
    lines = path.read_text().splitlines() if path.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or "unknown"
    best = supported_instruction_sets()[:1]
    return f"{model} ({best[0]})" if best else model


def _describe_difficulty(boards: BoardSet) -> str:
    """Return the distribution of the classes and of the scores of a set, in a sentence."""
    if boards.box != BOX:
        return f"{boards.name}: only 9x9 boards have classes."
    ratings = rate(boards.boards, threads=1)
    steps = Counter(name for name in ratings.hardest.tolist() if name)
    classes = ", ".join(f"{n:,} {name}" for name, n in ratings.count_classes().items())
    hardest = ", ".join(f"{n:,} {name}" for name, n in steps.most_common())
    scores = np.percentile(ratings.scores, (0, 25, 50, 75, 100)).round().astype(int).tolist()
    quartiles = ", ".join(f"{score:,}" for score in scores)
    return f"{boards.name}: {classes}; hardest steps: {hardest}; quartiles of scores: {quartiles}."


def _sudoku_rows(measurements: Sequence[Measurement]) -> list[Row]:
    """Return a row for each solver of a set, with its times and its work."""
    naive = next((m for m in measurements if m.solver == NAIVE), None)
    rows: list[Row] = [("engine", "puzzles", *TIMES, "× naive", "per s", "work")]
    for m in measurements:
        texts = ["-"] * (len(TIMES) + 3)  # for all columns but the first two
        if len(m.seconds):
            texts = [format_ms(getattr(m.seconds, name)()) for name in TIMES]
            texts += ["-" if naive is None else _format_speedup(m, naive)]
            texts += [_format_rate(m.per_second), f"{_format_work(m.nodes.mean())} {m.work_unit}"]
        rows.append((m.solver, f"{len(m.seconds):,}", *texts))
    return rows


def _format_speedup(measurement: Measurement, naive: Measurement) -> str:
    """Return how much faster a solver is than the naive one, on the puzzles that both solved."""
    times = _seconds_by_board(measurement)
    naive_times = _seconds_by_board(naive)
    n_boards = min(len(times), len(naive_times))  # one set may be the beginning of the other
    times = times[:n_boards]
    naive_times = naive_times[:n_boards]
    # The time of a board that was not solved is NaN.
    is_solved_by_both = np.isfinite(times + naive_times)
    ratio = naive_times[is_solved_by_both].sum() / times[is_solved_by_both].sum()
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def _seconds_by_board(measurement: Measurement) -> NDArray[np.float64]:
    """Return the run time of each board; NaN for those that were not solved."""
    seconds = np.full(len(measurement.solved), np.nan)
    seconds[measurement.solved] = measurement.seconds
    return seconds


def _cover_rows(covers: Sequence[CoverMeasurement]) -> list[Row]:
    """Return a row for each problem, with the time of each algorithm."""
    algorithms = [*dict.fromkeys(m.algorithm for m in covers)]
    rows: list[Row] = [("problem", "options", "covers", *algorithms)]
    for name, of_problem in groupby(covers, lambda m: m.problem):
        group = [*of_problem]
        n_covers = next((m.covers for m in group if m.covers is not None), None)
        times = ["-" if m.seconds is None else f"{1000 * m.seconds:,.2f}" for m in group]
        count = "-" if n_covers is None else f"{n_covers:,}"
        rows.append((name, f"{group[0].options:,}", count, *times))
    return rows


def _format_work(mean: float) -> str:
    """Return a mean number of nodes or guesses.

    >>> _format_work(1.5), _format_work(347_034.7)
    ('1.50', '347,035')
    """
    return f"{mean:,.2f}" if mean < 999.5 else f"{mean:,.0f}"


def _format_rate(rate: float) -> str:
    """Return a rate with a unit prefix.

    >>> _format_rate(7_212_000), _format_rate(202_828), _format_rate(2879), _format_rate(564)
    ('7.2M', '203k', '2.9k', '564')
    """
    value, unit = (rate / 1e6, "M") if rate >= 999_500 else (rate / 1000, "k")
    if rate < 999.5:
        value = rate
        unit = ""
    return f"{value:,.1f}{unit}" if value < 99.95 and unit else f"{value:,.0f}{unit}"


def format_ms(seconds: float) -> str:
    """Return a time in milliseconds, with three significant digits or all before the point.

    >>> format_ms(0.0000123), format_ms(0.000345), format_ms(0.01234), format_ms(1.5)
    ('0.0123', '0.345', '12.3', '1,500')
    """
    n_digits = sum(1000 * seconds < limit for limit in (100, 10, 1, 0.1))
    return f"{1000 * seconds:,.{n_digits}f}"


def _draw_table(
    heading: str, rows: Sequence[Row], n_names: int, *, markdown: bool, width: int
) -> str:
    """Return a table, whose first `n_names` columns are names, which are aligned to the left."""
    from rich.box import MARKDOWN
    from rich.console import Console
    from rich.table import Table

    table = Table(box=MARKDOWN if markdown else None, padding=(0, 1), pad_edge=markdown)
    for place, name in enumerate(rows[0]):
        table.add_column(name, justify="left" if place < n_names else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines() if line.strip()]
    if markdown:  # line 1 separates the titles from the rows; here, it also aligns the columns
        n_numbers = len(rows[0]) - n_names
        lines[1] = f"| {' | '.join(['---'] * n_names + ['---:'] * n_numbers)} |"
    return "\n".join([f"**{heading}**\n" if markdown else heading, *lines, ""])
