"""`estimate`: estimate the size of a search."""

import math

import typer

from ..runtime.text import format_range, plural
from ..search.search import Search
from .inputs import ProblemOptions
from .output import last_record
from .search_run import SECONDS_PER_CALL
from .terminal import ending, report

MAX_EXACT = 1e12  # of numbers with all digits
ERRORS = 2  # standard errors on both sides of a mean: 95 % of estimates are that good


def estimate(
    *,
    paths: int,
    style: str,
    problem: ProblemOptions,
) -> None:
    """Estimate the size of the search for all covers, without running it."""
    with problem.reading() as exact_cover:
        search = exact_cover.replace(threads=1).search()
        # The last moment of the time limit is for measuring the speed of the search.
        seconds_left = max(0.0, problem.stop.seconds_left() - SECONDS_PER_CALL)
        estimated = search.estimate(paths, problem.seed or 0, seconds=seconds_left)
        speed = _measure_speed(search)
        seconds = estimated.updates / speed if speed else None
        is_complete = estimated.paths == paths
        if style == "json":
            fields = {
                name: value if math.isfinite(value) else None
                for name, value in estimated._asdict().items()
            }
            typer.echo(last_record(is_complete, **fields, seconds=seconds))
            raise ending(is_complete=is_complete)
        n_paths = plural(estimated.paths, "random path")
        typer.echo(f"Estimated from {n_paths}, with the standard error:")
        for name in ("solutions", "nodes", "updates"):
            mean = getattr(estimated, name)
            error = getattr(estimated, f"{name}_error")
            typer.echo(f"{name:>9} {_amount(mean):>15} ± {_amount(error)}")
        if seconds is not None:
            typer.echo(f"at {speed / 1e6:,.0f} M updates per second, {_amount(seconds, 1)} s")
            margin = ERRORS * estimated.updates_error / speed
            if math.isfinite(margin):  # not that of a single path, or of numbers that overflow
                time = format_range(seconds - margin, seconds + margin)
                has_totals = exact_cover.problem.total_low is not None
                memo = "" if has_totals else ";\n`count` would try a memo first"
                report(f"This takes {time} on one thread by searching{memo}.")
        raise ending(is_complete=is_complete)


def _measure_speed(search: Search) -> float:
    """Return the updates per second of the beginning of a search; 0 if it ends at once."""
    search.count(updates=1)  # compiles the kernels
    start = search.progress
    search.count(SECONDS_PER_CALL)
    end = search.progress
    if end.updates == start.updates:
        return 0.0
    return (end.updates - start.updates) / (end.seconds - start.seconds)


def _amount(number: float, digits: int = 0) -> str:
    """Return a number with some digits after the point; large numbers in powers of ten."""
    return f"{number:,.{digits}f}" if number < MAX_EXACT else f"{number:.4g}"
