"""The results of the benchmark as text, Markdown, JSON or SVG."""

import json
import os
import platform
import textwrap
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from ..runtime.text import plural
from ..svg.times import Distribution, times_picture
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

MAX_WIDTH = 100  # columns of the text tables

Row = tuple[str, ...]  # the cells of a table row

HEADER = ("solver", "at once", "puzzles/s", "min", "mean", "max", "std dev")
TIMES_NOTE = (
    "At once: µs per puzzle if the whole set is solved in one call, and the puzzles per second "
    "that follow from it. Min, mean, max, standard deviation: µs per puzzle if each is solved in a "
    "separate call, which leaves most lanes of `lanes` idle. CPU times of one thread, with the "
    "setup of each puzzle, but without the warm-up run, in which all solutions were verified."
)

DIFFICULTY_HEADER = (
    *("solver", "set", "givens", "nodes", "guesses", "no guess", "mean µs"),
    *("vs naive", "vs Java"),
)
DIFFICULTY_NOTE = (
    "Means per puzzle: givens of the set; nodes or guesses, and µs in separate calls, of the "
    "puzzles that the solver has solved. No guess: the number of puzzles solved without one. "
    "Speedups: the mean time of `naive`, on the puzzles that both have solved, and of the naive "
    "Java program of 2014, on its puzzles of the same class, divided by the mean time of the "
    "solver."
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


def as_json(measurements: Sequence[Measurement]) -> str:
    """Return all results as JSON, with the run time of each board in seconds."""
    return json.dumps(
        {
            "machine": machine(),
            "measurements": [
                {
                    "set": m.set_name,
                    "solver": m.solver,
                    "boards": m.boards,
                    "mean_givens": m.mean_givens,
                    "solved": len(m.seconds),
                    "note": m.note,
                    "per_second": m.per_second,
                    "mean_nodes": m.mean_work("nodes"),
                    "mean_guesses": m.mean_work("guesses"),
                    "without_guess": m.without_guess,
                    "speedup_over_naive": speedup_over_naive(m, measurements),
                    "speedup_over_published_naive": speedup_over_published_naive(m),
                    "seconds": [round(float(value), 9) for value in m.seconds],
                    m.work_unit: m.nodes.tolist(),
                }
                for m in measurements
            ],
            "published_ms": {
                name: {key: figures._asdict() for key, figures in sets.items()}
                for name, sets in PUBLISHED.items()
            },
        },
        indent=1,
    )


def as_table(
    measurements: Sequence[Measurement], markdown: bool, remarks: Sequence[str] = ()
) -> str:
    """Return the results as tables.

    There is one table of times for each set, with the published results for a set of the same
    name, and one table that compares the effort of each solver on all sets.

    Parameters
    ----------
    measurements
        The results, in the order of the rows.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    remarks
        Paragraphs that precede the description of the machine.
    """
    format_table = _markdown_table if markdown else _text_table
    tables = []
    for set_name, group in _by_set(measurements).items():
        rows = [_measured_row(m) for m in group]
        rows += [
            _published_row(source, sets[set_name])
            for source, sets in PUBLISHED.items()
            if set_name in sets
        ]
        notes = [f"{m.solver}: {m.note}" for m in group if m.note]
        heading = f"{_heading(group)}, µs per puzzle"
        tables.append(format_table(heading, [HEADER, *rows], 1, notes))
    rows = _difficulty_rows(measurements)
    if rows:
        tables.append(format_table("Difficulty", [DIFFICULTY_HEADER, *rows], 2, []))
    environment = ", ".join(f"{key} {value}" for key, value in machine().items())
    notes = [TIMES_NOTE, *[DIFFICULTY_NOTE] * bool(rows), *remarks, f"Measured with {environment}."]
    if not markdown:
        notes = [textwrap.fill(note, MAX_WIDTH) for note in notes]
    return "\n".join([*tables, "\n\n".join(notes)])


def speedup_over_naive(m: Measurement, measurements: Sequence[Measurement]) -> float | None:
    """Return the speedup over `naive` on the same set; None if it was not measured."""
    for baseline in measurements:
        if (baseline.solver, baseline.set_name) == (NAIVE, m.set_name):
            return m.speedup_over(baseline)
    return None


def speedup_over_published_naive(m: Measurement) -> float | None:
    """Return the speedup over the published naive program; None if it has no such set."""
    published = PUBLISHED_NAIVE.get(m.set_name)
    if published is None or not m.mean_seconds:
        return None
    return published.average / (1000 * m.mean_seconds)


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
    groups = [
        (_heading(group), [Distribution(m.solver, m.seconds, m.note) for m in group])
        for group in _by_set(measurements).values()
    ]
    return times_picture("Time per board, each solved in a separate call", groups)


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not on Linux
        pass
    return platform.processor() or "unknown"


def _by_set(measurements: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    groups: dict[str, list[Measurement]] = {}
    for measurement in measurements:
        groups.setdefault(measurement.set_name, []).append(measurement)
    return groups


def _heading(group: Sequence[Measurement]) -> str:
    return f"{group[0].set_name}: {plural(group[0].boards, 'board')}"


def _measured_row(m: Measurement) -> Row:
    if not len(m.seconds):
        return (m.solver, *"------")
    statistics = (m.seconds.min(), m.seconds.mean(), m.seconds.max(), m.seconds.std())
    at_once = _format_seconds(1 / m.per_second)
    return (m.solver, at_once, f"{m.per_second:,.0f}", *map(_format_seconds, statistics))


def _published_row(source: str, published: Published) -> Row:
    statistics = (_format_seconds(ms / 1000) for ms in published)
    return (source.replace("Dancing Links", "DLX"), "-", "-", *statistics)


def _difficulty_rows(measurements: Sequence[Measurement]) -> list[Row]:
    """Return a row for each solver and set with times, grouped by solver."""
    solvers = list(dict.fromkeys(m.solver for m in measurements))
    by_solver = sorted(measurements, key=lambda m: solvers.index(m.solver))
    return [
        (
            m.solver,
            m.set_name,
            f"{m.mean_givens:.1f}",
            _format_work(m.mean_work("nodes")),
            _format_work(m.mean_work("guesses")),
            "-" if m.without_guess is None else f"{m.without_guess:,}",
            _format_seconds(m.mean_seconds),
            *(
                "" if speedup is None else format_speedup(speedup)
                for speedup in (
                    speedup_over_naive(m, measurements),
                    speedup_over_published_naive(m),
                )
            ),
        )
        for m in by_solver
        if m.mean_seconds is not None
    ]


def _format_work(mean: float | None) -> str:
    if mean is None:
        return "-"
    return f"{mean:,.0f}" if mean >= 1000 else f"{mean:.1f}" if mean >= 10 else f"{mean:.2f}"


def _format_seconds(seconds: float) -> str:
    """Return a time in µs."""
    return f"{1e6 * seconds:,.2f}"


def _markdown_table(heading: str, rows: Sequence[Row], n_names: int, notes: Sequence[str]) -> str:
    """Return a table; the first `n_names` columns are aligned to the left."""
    header, *body = [f"| {' | '.join(row)} |" for row in rows]
    alignment = ["---"] * n_names + ["---:"] * (len(rows[0]) - n_names)
    lines = [f"**{heading}**", "", header, f"| {' | '.join(alignment)} |", *body]
    lines += ["", *(f"{note}  " for note in notes)]
    return "\n".join([*lines, ""])


def _text_table(heading: str, rows: Sequence[Row], n_names: int, notes: Sequence[str]) -> str:
    """Return a table; the first `n_names` columns are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligns = [str.ljust] * n_names + [str.rjust] * (len(widths) - n_names)
    lines = [heading]
    for row in rows:
        cells = [align(cell, width) for cell, width, align in zip(row, widths, aligns, strict=True)]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    lines += [
        textwrap.fill(f"({note})", MAX_WIDTH, initial_indent="  ", subsequent_indent="   ")
        for note in notes
    ]
    return "\n".join([*lines, ""])
