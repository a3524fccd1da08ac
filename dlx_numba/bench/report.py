"""The benchmark's table: as text, as Markdown, as JSON."""

import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from ..svg.times import Distribution, times_picture
from .measure import Measurement
from .published import PUBLISHED

HEADER = ("solver", "min", "average", "max", "deviation", "puzzles/s")
UNITS = (
    "Milliseconds per puzzle, each solved alone; puzzles per second over the whole set in one\n"
    "call. One thread; set-up of each instance included, warm-up not; every solution was checked."
)


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not on Linux
        pass
    return platform.processor() or "unknown"


def as_json(measurements: Sequence[Measurement]) -> str:
    """All figures, with each board's own time, in seconds."""
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
    """A table a set: the solvers, then the figures that were published for a set of its name."""
    parts = []
    for name in dict.fromkeys(m.set_name for m in measurements):
        of_set = [m for m in measurements if m.set_name == name]
        rows = [_row(m) for m in of_set]
        for who, sets in PUBLISHED.items():
            if name in sets:
                figures = sets[name]
                rate = f"{1000 / figures.average:,.0f}"
                rows.append((who, *map(_figure, figures), rate))
        title = f"{name}: {of_set[0].boards} boards"
        notes = [f"{m.solver}: {m.note}" for m in of_set if m.note]
        parts.append(_format(title, rows, notes, markdown))
    about = ", ".join(f"{key} {value}" for key, value in machine().items())
    return "\n".join([*parts, UNITS, f"Measured with {about}.", ""])


def as_picture(measurements: Sequence[Measurement]) -> str:
    """The distribution of each solver's times on each set, as SVG.

    Raises ValueError where there is no time at all.
    """
    groups = []
    for name in dict.fromkeys(m.set_name for m in measurements):
        of_set = [m for m in measurements if m.set_name == name]
        rows = [Distribution(m.solver, m.seconds, m.note) for m in of_set]
        groups.append((f"{name}: {of_set[0].boards} boards", rows))
    return times_picture("Time per board, each solved alone", groups)


def _row(m: Measurement) -> tuple[str, ...]:
    if not len(m.seconds):
        return (m.solver, "-", "-", "-", "-", "-")
    ms = m.seconds * 1000
    figures = (ms.min(), ms.mean(), ms.max(), ms.std())
    return (m.solver, *map(_figure, figures), f"{m.per_second:,.0f}")


def _figure(ms: float) -> str:
    return f"{ms:.5f}" if ms < 0.1 else f"{ms:.2f}"


def _format(title: str, rows: list[tuple[str, ...]], notes: list[str], markdown: bool) -> str:
    if markdown:
        lines = [f"**{title}**", "", f"| {' | '.join(HEADER)} |", "| --- " + "| ---: " * 5 + "|"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines += [""] + [f"{note}  " for note in notes]
    else:
        widths = [max(len(row[k]) for row in [HEADER, *rows]) for k in range(len(HEADER))]
        lines = [title]
        for row in [HEADER, *rows]:
            first, *others = (
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  " + "  ".join([first, *others]))
        lines += [f"  ({note})" for note in notes]
    return "\n".join([*lines, ""])
