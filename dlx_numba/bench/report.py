"""The results of the benchmark as text, Markdown, JSON or SVG."""

import io
import json
import os
import platform
import textwrap
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..pictures.times import Distribution, times_picture
from ..runtime.text import plural
from .covers import CoverMeasurement
from .measure import Measurement

MAX_WIDTH = 80  # columns of the notes
UNLIMITED_WIDTH = 1000  # columns of a table that is not on a terminal

Row = tuple[str, ...]  # the cells of a table row

TIMES = {"minimum": "min", "maximum": "max", "average": "mean", "std deviation": "std"}  # of NumPy
TIMES_NOTE = (
    "Times are those of puzzles that are solved one by one, each in its own call, in one thread; "
    "the rate in the headline is for sets that are solved in one call, as files are."
)
DETAILS_NOTE = (
    "At once: milliseconds per puzzle if the set is solved in one call. Nodes and guesses are "
    "means of the puzzles solved; no guess is the number of puzzles solved without one."
)


def machine() -> dict[str, str]:
    """Return the processor, the system and the versions that the measurements depend on."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }


def as_json(measurements: Sequence[Measurement], covers: Sequence[CoverMeasurement]) -> str:
    """Return a JSON record for each result, with the run time of each board or count in seconds.

    The last record has the status, the numbers of results, and the machine.
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
    markdown: bool = False,
    verbose: bool = False,
    width: int = UNLIMITED_WIDTH,
) -> str:
    """Return a headline, a table of times, and a table for exact cover.

    Parameters
    ----------
    measurements, covers
        The results, in the order of the rows.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    verbose
        Whether the table also has the rates and the work of the solvers.
    width
        The largest width of the tables.
    """
    draw = partial(_draw_table, markdown=markdown, width=width)
    parts, notes = [], []
    if measurements:
        parts = [textwrap.fill(headline(measurements), min(width, MAX_WIDTH)) + "\n"]
        parts.append(draw("Sudoku: ms per puzzle", _sudoku_rows(measurements, verbose), 2))
        notes = [TIMES_NOTE, *[DETAILS_NOTE] * verbose]
        notes += [f"{m.boards.name}, {m.solver}: {m.note}." for m in measurements if m.note]
    if covers:
        parts.append(draw("Exact cover: ms to count all covers", _cover_rows(covers), 1))
    notes.append("All solutions and counts are verified.")
    details = ", ".join(f"{key} {value}" for key, value in machine().items())
    notes.append(f"Measured with {details}." if verbose else f"One core of {_processor()}.")
    if not markdown:
        notes = [textwrap.fill(note, min(width, MAX_WIDTH)) for note in notes]
    return "\n".join([*parts, "\n\n".join(notes)])


def headline(measurements: Sequence[Measurement]) -> str:
    """Return the speed of the fastest of the solvers that solved most sets.

    A set is solved if all of its boards are.
    """
    solved: dict[str, list[Measurement]] = {m.solver: [] for m in measurements}
    for m in measurements:
        solved[m.solver] += [m] * bool(m.solved.all())

    def rate(solver: str) -> float:
        seconds = [len(m.seconds) / m.per_second for m in solved[solver]]
        return sum(len(m.seconds) for m in solved[solver]) / sum(seconds) if seconds else 0.0

    solver = max(solved, key=lambda name: (len(solved[name]), rate(name)))
    if not solved[solver]:
        return f"{solver}: no set is solved"
    speed = f"{_format_rate(rate(solver))} puzzles/s"
    return f"{solver}: {speed} on one core if a set is solved in one call"


def as_picture(measurements: Sequence[Measurement]) -> str:
    """Return the distribution of each solver's run times on each set as an SVG document.

    Raises
    ------
    ValueError
        If there are no run times.
    """
    groups: dict[str, list[Distribution]] = {}
    for m in measurements:
        heading = f"{m.boards.name}: {plural(len(m.solved), 'board')}"
        groups.setdefault(heading, []).append(Distribution(m.solver, m.seconds, m.note))
    return times_picture("Time per board, each solved in a separate call", [*groups.items()])


def _processor() -> str:
    path = Path("/proc/cpuinfo")  # on Linux
    lines = path.read_text().splitlines() if path.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _statistics(m: Measurement, verbose: bool) -> dict[str, str]:
    """Return the figures of a solver on a set by their labels."""
    texts = {label: format_ms(getattr(m.seconds, name)()) for label, name in TIMES.items()}
    if verbose:
        texts |= {"at once": format_ms(1 / m.per_second), "puzzles/s": _format_rate(m.per_second)}
        texts[m.work_unit] = _format_number(m.nodes.mean())
        if m.work_unit == "guesses":
            texts["no guess"] = f"{np.sum(m.nodes == 0):,}"
    return texts


def _sudoku_rows(measurements: Sequence[Measurement], verbose: bool) -> list[Row]:
    """Return rows with the times of each solver; a set is a column."""
    rows: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)  # by title and label, by set
    for solver in dict.fromkeys(m.solver for m in measurements):
        group = [m for m in measurements if m.solver == solver]
        for m in group:
            for label, text in _statistics(m, verbose).items() if len(m.seconds) else ():
                rows[solver, label][m.boards.name] = text
        if not all(m.solved.all() for m in group):
            texts = {m.boards.name: f"{len(m.seconds)} of {len(m.solved)}" for m in group}
            rows[solver, "solved"] = texts
    sets = dict.fromkeys(m.boards.name for m in measurements)
    table: list[Row] = [("solver", "", *sets)]
    titles = set[str]()
    for (title, label), texts in rows.items():
        shown = title if title not in titles else ""
        table.append((shown, label, *(texts.get(name, "-") for name in sets)))
        titles.add(title)
    return table


def _cover_rows(covers: Sequence[CoverMeasurement]) -> list[Row]:
    """Return a row for each problem, with the time of each algorithm."""
    rows = {m.problem: [m.problem, f"{m.options:,}", f"{m.covers:,}"] for m in covers}
    for m in covers:
        rows[m.problem].append("cut off" if m.seconds is None else f"{1000 * m.seconds:,.2f}")
    algorithms = dict.fromkeys(m.algorithm for m in covers)
    return [("problem", "options", "covers", *algorithms), *map(tuple, rows.values())]


def _format_rate(rate: float) -> str:
    """Return a rate with a unit prefix.

    >>> _format_rate(7_212_000), _format_rate(202_828), _format_rate(2879), _format_rate(564)
    ('7.2 M', '203 k', '2.9 k', '564')
    """
    value, unit = (rate / 1e6, " M") if rate >= 999_500 else (rate / 1000, " k")
    if rate < 999.5:
        value, unit = rate, ""
    return f"{value:,.1f}{unit}" if value < 99.95 and unit else f"{value:,.0f}{unit}"


def format_ms(seconds: float) -> str:
    """Return a time in milliseconds.

    >>> format_ms(0.0000123), format_ms(0.000345), format_ms(0.01234), format_ms(1.5)
    ('0.0123', '0.345', '12.3', '1,500')
    """
    return _format_number(1000 * seconds)


def _format_number(value: float) -> str:
    n_digits = sum(value < limit for limit in (100, 10, 1, 0.1))
    return f"{value:,.{n_digits}f}"


def _draw_table(
    heading: str, rows: Sequence[Row], n_names: int, *, markdown: bool, width: int
) -> str:
    """Return a table, whose first `n_names` columns are names, which are aligned to the left."""
    from rich.box import MARKDOWN
    from rich.console import Console
    from rich.table import Table

    table = Table(box=MARKDOWN if markdown else None, padding=(0, 1), pad_edge=True)
    for place, name in enumerate(rows[0]):
        table.add_column(name, justify="left" if place < n_names else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines() if line.strip()]
    if markdown:  # with the alignment of the columns
        n_numbers = len(rows[0]) - n_names
        lines[1] = f"| {' | '.join(['---'] * n_names + ['---:'] * n_numbers)} |"
    return "\n".join([f"**{heading}**\n" if markdown else heading, *lines, ""])
