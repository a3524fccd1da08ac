"""The results of the benchmark as text, Markdown, JSON or SVG."""

import json
import os
import platform
import textwrap
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..runtime.text import plural
from ..svg.times import Distribution, times_picture
from .measure import Measurement


class Published(NamedTuple):
    """Published run times, in milliseconds per puzzle; the field names are keys of the JSON."""

    minimum: float
    average: float
    maximum: float
    deviation: float  # standard deviation


class Comparison(NamedTuple):
    """The figures of the second table, or None; the field names are keys of the JSON."""

    mean_nodes: float | None  # of a solved board, if the solver counts nodes
    mean_guesses: float | None
    without_guess: int | None  # solved boards; a number of nodes does not show wrong choices
    speedup_over_naive: float | None  # on the same set, if it was measured
    speedup_over_published_naive: float | None  # if there is such a set


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
                    "set": m.boards.name,
                    "solver": m.solver,
                    "boards": len(m.solved),
                    "mean_givens": m.boards.mean_givens,
                    "solved": len(m.seconds),
                    "note": m.note,
                    "per_second": m.per_second,
                    **compare(m, measurements)._asdict(),
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


def compare(m: Measurement, measurements: Sequence[Measurement]) -> Comparison:
    """Return the effort of a solver on a set, and its speedups."""
    in_guesses = m.work_unit == "guesses"
    mean_work = float(m.nodes.mean()) if len(m.nodes) else None
    key = (NAIVE, m.boards.name)
    baseline = next((b for b in measurements if (b.solver, b.boards.name) == key), None)
    published, seconds = PUBLISHED_NAIVE.get(m.boards.name), m.mean_seconds
    return Comparison(
        None if in_guesses else mean_work,
        mean_work if in_guesses else None,
        int(np.count_nonzero(m.nodes == 0)) if in_guesses else None,
        None if baseline is None else m.speedup_over(baseline),
        published.average / (1000 * seconds) if published and seconds else None,
    )


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
        groups.setdefault(measurement.boards.name, []).append(measurement)
    return groups


def _heading(group: Sequence[Measurement]) -> str:
    return f"{group[0].boards.name}: {plural(len(group[0].solved), 'board')}"


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
    rows = []
    for m in sorted(measurements, key=lambda m: solvers.index(m.solver)):
        if m.mean_seconds is not None:
            nodes, guesses, without_guess, *speedups = compare(m, measurements)
            rows.append(
                (
                    *(m.solver, m.boards.name, f"{m.boards.mean_givens:.1f}"),
                    *(_format_work(nodes), _format_work(guesses)),
                    "-" if without_guess is None else f"{without_guess:,}",
                    _format_seconds(m.mean_seconds),
                    *("" if each is None else format_speedup(each) for each in speedups),
                )
            )
    return rows


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
