"""Counts, samples and frequencies from the command line: output, progress and signals."""

import json
from contextlib import suppress
from typing import NamedTuple

import typer

from ..cover.counting import CoverCounter
from ..cover.diagram import CoverDiagram
from ..cover.exact_cover import ExactCover, Statistics
from ..cover.io.text import SolutionStyle
from ..cover.subproblems import DiagramBuilder
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from .output import safe_output
from .run_search import SECONDS_PER_CALL
from .signals import deferred_signals
from .terminal import ExitStatus, ProgressDisplay, Stopwatch, report, report_statistics


class CoverStyle(NamedTuple):
    """The format of covers and options."""

    problem: ExactCover
    style: SolutionStyle
    start: int  # the number of the first option


def print_count(counter: CoverCounter, seconds: float | None) -> ExitStatus:
    """Count the covers and print their number; if that is stopped, the number found so far."""
    stopwatch = Stopwatch()
    with suppress(KeyboardInterrupt):
        _run(counter, seconds)
    with safe_output():
        typer.echo(counter.count)
    if not counter.done:
        report(f"Stopped before the end: {counter} ({stopwatch.describe()}).")
        return ExitStatus.STOPPED
    n_covers, nodes, updates = counter.counters()
    if counter.method == "memo":
        work = f"{nodes:,} distinct subproblems, {updates:,} lookups"
        report(f"Altogether {plural(n_covers, 'solution')}, {work} ({stopwatch.describe()}).")
    else:
        report_statistics(Statistics(n_covers, nodes, updates), stopwatch)
    return ExitStatus.SUCCESS if n_covers else ExitStatus.NOT_SOLVED


def print_diagram(
    builder: DiagramBuilder,
    style: CoverStyle,
    sample: int | None,
    seed: int | None,
    seconds: float | None,
) -> ExitStatus:
    """Print random covers, or the frequencies of all options if `sample` is None.

    Raises MemoryError if the diagram needs too much memory.
    """
    stopwatch = Stopwatch()
    problem, form, start = style
    diagram = build_diagram(builder, seconds, stopwatch)
    if diagram is None:
        return ExitStatus.STOPPED
    n_covers = diagram.count()
    with safe_output():
        if sample is None:
            for option, frequency in enumerate(diagram.frequencies()):
                typer.echo(_frequency_line(style, option, frequency))
        elif n_covers:
            for options in diagram.sample(sample, seed):
                typer.echo(problem.format(options, form, start=start))
    size = f"{plural(diagram.n_nodes, 'node')}, {plural(diagram.n_edges, 'edge')}"
    report(
        f"Altogether {plural(n_covers, 'solution')}, a diagram of {size} ({stopwatch.describe()})."
    )
    return ExitStatus.SUCCESS if n_covers else ExitStatus.NOT_SOLVED


def build_diagram(
    builder: DiagramBuilder, seconds: float | None, stopwatch: Stopwatch
) -> CoverDiagram | None:
    """Complete a diagram, with its progress on a terminal. Returns None if that is stopped.

    Raises MemoryError if the diagram needs too much memory.
    """
    with suppress(KeyboardInterrupt):
        _run(builder, seconds)
    if builder.done:
        return builder.diagram()
    report(f"Stopped before the end: {builder} ({stopwatch.describe()}).")
    return None


def _frequency_line(style: CoverStyle, option: int, frequency: int) -> str:
    """Return an option and the number of covers that contain it, separated by a tab, or as JSON."""
    problem, form, start = style
    if form == "json":
        return json.dumps(
            json.loads(problem.format([option], form, start=start)) | {"covers": frequency}
        )
    label = str(option + start)
    if form == "names":
        label = problem.format([option], form, start=start)
    return f"{label}\t{frequency}"


def _run(work: CoverCounter | DiagramBuilder, seconds: float | None) -> None:
    """Run a count or a builder until it is done or the time limit is reached.

    A terminal shows its progress. Raises KeyboardInterrupt after Ctrl-C or SIGTERM.
    """
    stop = Stop(seconds)

    def end_soon() -> None:
        stop.cancel()
        work.stop()

    with ProgressDisplay(has_bar=False) as display, deferred_signals(end_soon):
        while not stop() and not work.run(min(SECONDS_PER_CALL, stop.seconds_left())):
            display.update(str(work))
