"""`cheapest`: find the covers of lowest cost."""

from typing import Annotated, cast

import typer

from ..cover.io.text import COVER_STYLES, SolutionStyle
from ..runtime.errors import Stopped
from .cover_problem import ProblemOptions
from .options import Number, format_option
from .output import safe_output
from .terminal import ExitStatus, Stopwatch, describe_work, report, total_reported


def cheapest(
    *,
    number: Number = 1,
    style: Annotated[str, format_option(COVER_STYLES)] = "numbers",
    problem: ProblemOptions,
) -> None:
    """Find the covers of lowest cost of an exact cover problem.

    Examples:
      dlx-numba cheapest shifts.dlx
      dlx-numba cheapest -n 3 --format names shifts.dlx

    The cost follows each cover. Multiplicities and costs require --algorithm auto or links.

    Exit status: 0 if there are covers, 1 if there are none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before its end.
    """
    with problem.reading() as stated:
        stopwatch = Stopwatch()
        try:
            covers = stated.cheapest(number, seconds=problem.seconds)
        except (KeyboardInterrupt, Stopped) as stop:
            found = getattr(stop, "partial", None)
            known = f"the lowest cost found is {found[0][0]:,}" if found else "no cover is known"
            report(f"Stopped before the end: {known} ({stopwatch.describe()}).")
            raise typer.Exit(ExitStatus.STOPPED) from None
        with safe_output():
            for _, options in covers:
                typer.echo(stated.format(options, cast(SolutionStyle, style), start=problem.start))
        work = describe_work(stated.statistics.nodes, stated.statistics.updates)
        raise total_reported(len(covers), work, stopwatch)
