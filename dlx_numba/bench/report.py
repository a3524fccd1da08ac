"""The results of the benchmark as text, Markdown, JSON or SVG."""

import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

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

HEADER = ("solver", "min", "mean", "max", "std dev", "puzzles/s")
FOOTNOTE = (
    "Milliseconds per puzzle, each solved in a separate call, and puzzles per second for the\n"
    "whole set in one call, in one thread. The times include the setup of each puzzle, but not\n"
    "the warm-up run, in which all solutions were verified."
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
                    "solved": len(m.seconds),
                    "note": m.note,
                    "per_second": m.per_second,
                    "seconds": [round(float(value), 9) for value in m.seconds],
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


def as_table(measurements: Sequence[Measurement], markdown: bool) -> str:
    """Return one table for each set, with the published results for a set of the same name.

    Parameters
    ----------
    measurements
        The results, in the order of the rows.
    markdown
        Whether to format the tables as Markdown, or as plain text.
    """
    tables = []
    for set_name, group in _by_set(measurements).items():
        rows = [_measured_row(m) for m in group]
        rows += [
            _published_row(source, sets[set_name])
            for source, sets in PUBLISHED.items()
            if set_name in sets
        ]
        notes = [f"{m.solver}: {m.note}" for m in group if m.note]
        format_table = _markdown_table if markdown else _text_table
        tables.append(format_table(_heading(group), rows, notes))
    environment = ", ".join(f"{key} {value}" for key, value in machine().items())
    return "\n".join([*tables, FOOTNOTE, f"Measured with {environment}.", ""])


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
    return f"{group[0].set_name}: {group[0].boards} boards"


def _measured_row(m: Measurement) -> tuple[str, ...]:
    if not len(m.seconds):
        return (m.solver, "-", "-", "-", "-", "-")
    ms = m.seconds * 1000
    statistics = (ms.min(), ms.mean(), ms.max(), ms.std())
    return (m.solver, *map(_format_ms, statistics), f"{m.per_second:,.0f}")


def _published_row(source: str, published: Published) -> tuple[str, ...]:
    return (source, *map(_format_ms, published), f"{1000 / published.average:,.0f}")


def _format_ms(ms: float) -> str:
    return f"{ms:.5f}" if ms < 0.1 else f"{ms:.2f}"


def _markdown_table(heading: str, rows: list[tuple[str, ...]], notes: list[str]) -> str:
    lines = [f"**{heading}**", "", f"| {' | '.join(HEADER)} |", "| --- " + "| ---: " * 5 + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    lines += ["", *(f"{note}  " for note in notes)]
    return "\n".join([*lines, ""])


def _text_table(heading: str, rows: list[tuple[str, ...]], notes: list[str]) -> str:
    widths = [max(map(len, column)) for column in zip(HEADER, *rows, strict=True)]
    lines = [heading]
    for name, *values in [HEADER, *rows]:
        aligned = [value.rjust(width) for value, width in zip(values, widths[1:], strict=True)]
        lines.append("  " + "  ".join([name.ljust(widths[0]), *aligned]))
    lines += [f"  ({note})" for note in notes]
    return "\n".join([*lines, ""])
