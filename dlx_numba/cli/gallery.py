"""`gallery`: problems that people know, listed, run, drawn, and written as Knuth's text."""

import inspect
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..cover.exact_cover import ExactCover
from .output import safe_output, write_text
from .terminal import compile_notice, fail, interruptible, say, say_statistics

if TYPE_CHECKING:
    from ..gallery import Entry

MOST_SHOWN = 60  # characters of a parameter, in the list


def gallery(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The problem; else all are listed.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PARAMETER=VALUE]...", help="Other values than the defaults."),
    ] = None,
    about: Annotated[
        bool, typer.Option("--about", help="Tell what the problem's items and options are.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Print the number of solutions only.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The first N solutions, not just one.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Search in a random order, the same at each run.")
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE | -", help="Draw the first solution; - is stdout.")
    ] = None,
    knuth: Annotated[
        bool, typer.Option("--knuth", help="Write the problem as Knuth's text, do not solve it.")
    ] = False,
) -> None:
    """Solve a problem of the gallery: print the first solution, or the cheapest if options cost.

    Without NAME, lists all problems, and their parameters with the defaults.
    Exit status: 0 solutions found, 1 none, 2 usage.

    Examples: `gallery`, `gallery queens n=12 --count`, `gallery macmahon --seed 1 --svg tiles.svg`,
    `gallery langford n=7 --knuth | python -m dlx_numba cover --count -`
    """
    if name is None:
        _list_all()
        return
    if about:
        typer.echo(_about(_kind(name)))
        return
    if knuth and (count or limit is not None or svg is not None):
        raise fail("--knuth does not solve: it goes with none of --count, --limit, --svg")
    if count and svg is not None:
        raise fail("--count finds nothing to draw: it does not go with --svg")
    entry = _entry(name, words or [])
    how: dict[str, Any] = {} if seed is None else {"choose": "random", "seed": seed}
    found = 1
    with interruptible(), safe_output(), compile_notice():
        problem = entry.cover(**how)
        if knuth:
            sys.stdout.write(problem.to_knuth())
        else:
            found = _run(entry, problem, count, limit, svg)
    raise typer.Exit(0 if found else 1)


def _run(
    entry: "Entry", problem: ExactCover, count: bool, limit: int | None, svg: str | None
) -> int:
    """Solve, print or draw, and tell. Returns the number of solutions found."""
    say(f"({problem.summary()})")
    begin = time.perf_counter()
    if count:
        found = problem.count(limit)
        typer.echo(found)
    else:
        found = 0
        for solution in _solutions(entry, problem, limit or 1):
            if found == 0 and svg is not None:
                _draw(entry, solution, svg)
            if svg != "-":
                typer.echo(("\n" if found else "") + entry.text(solution))
            found += 1
            if problem.cost(solution):
                say(f"It costs {problem.cost(solution):,}.")
        if not found:
            say("There is no solution.")
    say_statistics(problem.statistics, time.perf_counter() - begin)
    return found


def _solutions(entry: "Entry", problem: ExactCover, limit: int) -> Iterable[list[int]]:
    """The first ones; where options have costs, the cheapest."""
    if entry.statement().costs is None:
        return problem.iterate(limit)
    return (solution for _, solution in problem.cheapest(limit))


def _draw(entry: "Entry", solution: list[int], target: str) -> None:
    """Write the picture. Fails where there is none."""
    picture = entry.svg(solution)
    if picture is None:
        raise fail("there is no picture of this one: its text says it all")
    write_text(target, picture)


def _entry(name: str, words: list[str]) -> "Entry":
    """The entry with its parameters. Fails where there is none such."""
    from ..gallery.parameters import with_parameters

    try:
        return with_parameters(_kind(name), words)
    except ValueError as error:
        raise fail(f"{name}: {error}") from None


def _kind(name: str) -> "type[Entry]":
    from ..gallery import GALLERY  # few commands need it; the import would be for all

    if name not in GALLERY:
        raise fail(f"no problem {name!r} in the gallery; there are: {', '.join(GALLERY)}")
    return GALLERY[name]


def _about(kind: "type[Entry]") -> str:
    """The docstring of an entry, but for its examples."""
    return (inspect.getdoc(kind) or "").partition("\n>>>")[0].rstrip()


def _list_all() -> None:
    """The name of each problem, what it is about, and its parameters with their defaults."""
    from ..gallery import GALLERY
    from ..gallery.parameters import parameters

    for name, kind in GALLERY.items():
        typer.echo(f"{name:11} {_about(kind).splitlines()[0]}")
        for parameter in parameters(kind):
            cut = parameter[:MOST_SHOWN] + " ..." * (len(parameter) > MOST_SHOWN)
            typer.echo(f"{'':13}{cut}")
