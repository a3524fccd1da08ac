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
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..pictures.times import Distribution, times_picture
from ..runtime.text import plural
from .covers import CoverMeasurement
from .measure import Measurement


class Published(NamedTuple):
    """Published run times, in milliseconds per puzzle; the field names are keys of the JSON."""

    minimum: float
    average: float
    maximum: float
    deviation: float  # standard deviation


# Results of the same benchmark in Java, from 2014: four sets of 200 boards made by QQWing.
PUBLISHED = {
    "Java 2014, Dancing Links": {
        "simple": Published(0.86, 1.35, 13.71, 1.07),
        "easy": Published(0.85, 1.20, 3.34, 0.40),
        "intermediate": Published(0.76, 1.04, 2.95, 0.30),
        "expert": Published(0.75, 1.00, 2.54, 0.25),
    },
    "Java 2014, naive": {
        "simple": Published(0.07, 48.9, 2039.4, 174.3),
        "easy": Published(0.11, 59.6, 3112.6, 214.7),
        "intermediate": Published(0.28, 44.5, 3071.8, 214.7),
        "expert": Published(0.24, 37.8, 1326.9, 114.1),
    },
}

NAIVE = "naive"  # the solver over which speedups are stated
PUBLISHED_NAIVE = PUBLISHED["Java 2014, naive"]

MAX_WIDTH = 80  # columns of the notes
UNLIMITED_WIDTH = 1000  # columns of a table that is not on a terminal

Row = tuple[str, ...]  # the cells of a table row

TIMES = {"minimum": "min", "maximum": "max", "average": "mean", "std deviation": "std"}  # of NumPy
PUBLISHED_TIMES = dict(zip(TIMES, ("minimum", "maximum", "average", "deviation"), strict=True))
SPEEDUPS = {"vs naive": "speedup_over_naive", "vs Java 2014": "speedup_over_published_naive"}

TIMES_NOTE = (
    "Times and speedups are those of puzzles that are solved one by one, each in its own call, in "
    "one thread; the rate in the headline is for sets that are solved in one call, as files are."
)
DETAILS_NOTE = (
    "At once: milliseconds per puzzle if the set is solved in one call. Nodes and guesses are "
    "means of the puzzles solved; no guess is the number of puzzles solved without one. Java 2014: "
    "published times of sets of the same classes, and speedups over the naive program."
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

    The last record has the status, the numbers of results, and what to compare them with.
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
            **compare(m, measurements),
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
        "published_ms": {
            name: {key: figures._asdict() for key, figures in sets.items()}
            for name, sets in PUBLISHED.items()
        },
    }
    return "\n".join(map(json.dumps, [*records, last]))


def as_text(
    measurements: Sequence[Measurement],
    covers: Sequence[CoverMeasurement],
    *,
    markdown: bool = False,
    verbose: bool = False,
    width: int = UNLIMITED_WIDTH,
    remarks: Sequence[str] = (),
) -> str:
    """Return a headline, a table of times and speedups, and a table for exact cover.

    Parameters
    ----------
    measurements, covers
        The results, in the order of the rows.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    verbose
        Whether the table also has the rates and the work of the solvers, and published times.
    width
        The largest width of the tables.
    remarks
        Paragraphs that precede the description of the machine.
    """
    draw = partial(_draw_table, markdown=markdown, width=width)
    parts, notes = [], []
    if measurements:
        lines = headline(measurements).splitlines()
        parts = ["\n".join(textwrap.fill(line, min(width, MAX_WIDTH)) for line in lines) + "\n"]
        parts.append(draw("Sudoku: ms per puzzle", _sudoku_rows(measurements, verbose), 2))
        notes = [TIMES_NOTE, *[DETAILS_NOTE] * verbose]
        notes += [f"{m.boards.name}, {m.solver}: {m.note}." for m in measurements if m.note]
    if covers:
        parts.append(draw("Exact cover: ms to count all covers", _cover_rows(covers), 1))
    notes += [*remarks, "All solutions and counts are verified."]
    details = ", ".join(f"{key} {value}" for key, value in machine().items())
    notes.append(f"Measured with {details}." if verbose else f"One core of {_processor()}.")
    if not markdown:
        notes = [textwrap.fill(note, min(width, MAX_WIDTH)) for note in notes]
    return "\n".join([*parts, "\n\n".join(notes)])


def headline(measurements: Sequence[Measurement]) -> str:
    """Return the speed of the fastest of the solvers that solved most sets.

    A set is solved if all of its boards are. The speedups are those of the table.
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
    text = f"{solver}: {speed} on one core if a set is solved in one call"
    ratios = [compare(m, measurements)["speedup_over_naive"] for m in solved[solver]]
    speedups = sorted(ratio for ratio in ratios if ratio is not None)
    if not speedups or solver == NAIVE:
        return text
    ends = list(dict.fromkeys(map(format_speedup, (speedups[0], speedups[-1]))))
    return f"{text}\none by one: {' to '.join(ends)} the speed of naive"


def compare(m: Measurement, measurements: Sequence[Measurement]) -> dict[str, float | None]:
    """Return the effort of a solver on a set, and its speedups, where they are known."""
    in_guesses = m.work_unit == "guesses"
    mean_work = float(m.nodes.mean()) if len(m.nodes) else None
    key = (NAIVE, m.boards.name)
    baseline = next((b for b in measurements if (b.solver, b.boards.name) == key), None)
    published = PUBLISHED_NAIVE.get(m.boards.name)
    return {
        "mean_nodes": None if in_guesses else mean_work,
        "mean_guesses": mean_work if in_guesses else None,
        # A number of nodes does not show wrong choices.
        "without_guess": int(np.count_nonzero(m.nodes == 0)) if in_guesses else None,
        "speedup_over_naive": None if baseline is None else m.speedup_over(baseline),
        "speedup_over_published_naive": (
            published.average / (1000 * m.seconds.mean()) if published and len(m.seconds) else None
        ),
    }


def format_speedup(ratio: float) -> str:
    """Return a speedup as text.

    >>> format_speedup(1234.5), format_speedup(1.234), format_speedup(0.01234)
    ('1,234×', '1.2×', '0.012×')
    """
    return (
        f"{ratio:.2g}×" if ratio < 0.95 else f"{ratio:.1f}×" if ratio < 9.95 else f"{ratio:,.0f}×"
    )


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
    """Return rows with the times of each solver, and then its speedups; a set is a column."""
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
    for source, label in product(PUBLISHED, PUBLISHED_TIMES) if verbose else ():
        for name in sets.keys() & PUBLISHED[source].keys():
            milliseconds = getattr(PUBLISHED[source][name], PUBLISHED_TIMES[label])
            rows[source, label][name] = format_ms(milliseconds / 1000)
    for title, field in [*SPEEDUPS.items()][: 1 + verbose]:
        for m in measurements:
            ratio = compare(m, measurements)[field]
            if ratio is not None and (title, m.solver) != ("vs naive", NAIVE):
                rows[title, m.solver][m.boards.name] = format_speedup(ratio)
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
