"""The results of the benchmark as text, Markdown, JSON or SVG."""

import json
import os
import platform
import textwrap
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..runtime.text import plural
from ..svg.times import Distribution, times_picture
from .covers import CoverMeasurement
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

MAX_WIDTH = 80  # columns of the notes

Row = tuple[str, ...]  # the cells of a table row

SUMMARY_NOTE = (
    "Puzzles per second, and speedups, if a set is solved in one call; mean µs of a puzzle that "
    "is solved alone. `bench --verbose` has details."
)

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


def as_json(measurements: Sequence[Measurement], covers: Sequence[CoverMeasurement]) -> str:
    """Return all results as JSON, with the run time of each board or count in seconds."""
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
            "exact_cover": [m._asdict() for m in covers],
            "published_ms": {
                name: {key: figures._asdict() for key, figures in sets.items()}
                for name, sets in PUBLISHED.items()
            },
        },
        indent=1,
    )


def as_text(
    measurements: Sequence[Measurement],
    covers: Sequence[CoverMeasurement],
    *,
    markdown: bool = False,
    verbose: bool = False,
    remarks: Sequence[str] = (),
) -> str:
    """Return a headline, and the results as tables.

    Parameters
    ----------
    measurements, covers
        The results, in the order of the rows.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    verbose
        Whether to replace the table of all sets by a table of times for each set, with the
        published results for a set of the same name, and a table that compares the effort of each
        solver on all sets.
    remarks
        Paragraphs that precede the description of the machine in details.
    """
    format_table = _markdown_table if markdown else _text_table
    tables = [f"{headline(measurements)}\n"] if measurements else []
    if verbose:
        for group in _by_set(measurements).values():
            heading = f"{_heading(group)}, µs per puzzle"
            notes = [f"{m.solver}: {m.note}" for m in group if m.note]
            tables.append(format_table(heading, [HEADER, *_set_rows(group)], 1, notes))
        if rows := _difficulty_rows(measurements):
            tables.append(format_table("Difficulty", [DIFFICULTY_HEADER, *rows], 2, []))
        environment = ", ".join(f"{key} {value}" for key, value in machine().items())
        notes = [DIFFICULTY_NOTE] * bool(rows) + [*remarks, f"Measured with {environment}."]
        notes = [TIMES_NOTE] * bool(measurements) + notes
    else:
        if measurements:
            tables.append(format_table("Sudoku: puzzles/s", _summary_rows(measurements), 1, []))
        notes = [SUMMARY_NOTE] * bool(measurements)
        notes.append(f"One core of {_processor()}. All solutions and counts are verified.")
    if covers:
        heading = "Exact cover: ms to count all covers"
        tables.append(format_table(heading, _cover_rows(covers), 1, []))
    if not markdown:
        notes = [textwrap.fill(note, MAX_WIDTH) for note in notes]
    return "\n".join([*tables, "\n\n".join(notes)])


def headline(measurements: Sequence[Measurement]) -> str:
    """Return the speed of the fastest of the solvers that solved most sets, as a sentence."""
    solvers = _by_solver(measurements)
    solver = max(solvers, key=lambda name: _rate_and_speedup(solvers, name)[:2])
    n_sets, rate, speedup = _rate_and_speedup(solvers, solver)
    if not n_sets:
        return f"{solver}: no set is solved"
    text = f"{solver}: {_format_rate(rate)} puzzles/s on one core"
    if speedup is None or solver == NAIVE:
        return text
    return f"{text}, {float(f'{speedup:.3g}'):,.10g} times the naive solver"


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
    path = Path("/proc/cpuinfo")  # on Linux
    lines = path.read_text().splitlines() if path.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _by_set(measurements: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    return _grouped(measurements, lambda m: m.boards.name)


def _by_solver(measurements: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    return _grouped(measurements, lambda m: m.solver)


def _grouped(
    measurements: Sequence[Measurement], key: Callable[[Measurement], str]
) -> dict[str, list[Measurement]]:
    groups: dict[str, list[Measurement]] = {}
    for measurement in measurements:
        groups.setdefault(key(measurement), []).append(measurement)
    return groups


def _rate_and_speedup(
    solvers: Mapping[str, Sequence[Measurement]], name: str
) -> tuple[int, float, float | None]:
    """Return the number of sets solved, and the mean rate and the speedup over `naive` on them.

    A set is solved if all of its boards are. The speedup is None if both solve no common set.
    """
    own = {m.boards.name: m.seconds_at_once for m in solvers[name] if m.solved.all()}
    naive = {m.boards.name: m.seconds_at_once for m in solvers.get(NAIVE, ()) if m.solved.all()}
    boards = sum(len(m.solved) for m in solvers[name] if m.solved.all())
    common = own.keys() & naive.keys()
    return (
        len(own),
        boards / sum(own.values()) if own else 0.0,
        sum(naive[each] for each in common) / sum(own[each] for each in common) if common else None,
    )


def _summary_rows(measurements: Sequence[Measurement]) -> list[Row]:
    """Return a row for each solver, with its rate for each set."""
    solvers, sets = _by_solver(measurements), _by_set(measurements)
    rows: list[Row] = [("solver", *sets, "alone, µs", "vs naive")]
    for name, group in solvers.items():
        cells = dict.fromkeys(sets, "-")
        for m in group:
            n_solved = f"{np.count_nonzero(m.solved)} of {len(m.solved)}"
            cells[m.boards.name] = _format_rate(m.per_second) if m.solved.all() else n_solved
        alone = speedup = "-"
        if len(group) == len(sets) and all(m.solved.all() for m in group):
            alone = f"{1e6 * np.concatenate([m.seconds for m in group]).mean():,.1f}"
            ratio = _rate_and_speedup(solvers, name)[2]
            speedup = "-" if ratio is None else format_speedup(ratio)
        rows.append((name, *cells.values(), alone, speedup))
    return rows


def _cover_rows(covers: Sequence[CoverMeasurement]) -> list[Row]:
    """Return a row for each problem, with the time of each algorithm."""
    algorithms = dict.fromkeys(m.algorithm for m in covers)
    rows = {m.problem: [m.problem, f"{m.options:,}", f"{m.covers:,}"] for m in covers}
    for m in covers:
        rows[m.problem].append("cut off" if m.seconds is None else f"{1000 * m.seconds:,.2f}")
    return [("problem", "options", "covers", *algorithms), *map(tuple, rows.values())]


def _heading(group: Sequence[Measurement]) -> str:
    return f"{group[0].boards.name}: {plural(len(group[0].solved), 'board')}"


def _set_rows(group: Sequence[Measurement]) -> list[Row]:
    """Return a row of times for each solver, and the published ones for the same set."""
    published = [
        _published_row(source, sets[group[0].boards.name])
        for source, sets in PUBLISHED.items()
        if group[0].boards.name in sets
    ]
    return [*map(_measured_row, group), *published]


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
    rows = []
    for m in [m for group in _by_solver(measurements).values() for m in group]:
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


def _format_rate(rate: float) -> str:
    """Return a rate with a unit prefix.

    >>> _format_rate(7_212_000), _format_rate(202_828), _format_rate(2879), _format_rate(564)
    ('7.2 M', '203 k', '2.9 k', '564')
    """
    value, unit = (rate / 1e6, " M") if rate >= 999_500 else (rate / 1000, " k")
    if rate < 999.5:
        value, unit = rate, ""
    return f"{value:,.1f}{unit}" if value < 99.95 and unit else f"{value:,.0f}{unit}"


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
