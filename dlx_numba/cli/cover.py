"""`cover`: an exact cover problem in, its covers out."""

import sys
import time
from collections.abc import Hashable, Iterable, Sequence
from typing import Annotated, Any

import typer

from ..cover.prepare import CHOICES
from ..exact_cover import ExactCover
from ..formats import COVER_STYLES, read_problem
from .terminal import INTERRUPTED, compile_notice, end_of_pipe, fail, say, say_statistics


def cover(
    file: Annotated[str, typer.Argument(metavar="FILE | -", help="The problem; - is stdin.")],
    count: Annotated[
        bool, typer.Option("--count", help="Print the number of covers only.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many covers; all if not given.")
    ] = None,
    cheapest: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="The K cheapest covers, by cost.")
    ] = None,
    choose: Annotated[
        str,
        typer.Option(metavar="HOW", help=f"The next item: {', '.join(CHOICES)}; or A,B,... first."),
    ] = "smallest",
    seed: Annotated[int | None, typer.Option(help="Of the random choices.")] = None,
    presolve: Annotated[
        bool, typer.Option("--presolve", help="First remove what can be in no cover.")
    ] = False,
    given: Annotated[
        str, typer.Option(metavar="N,N,...", help="Options that each cover is to have.")
    ] = "",
    forbid: Annotated[
        str, typer.Option(metavar="N,N,...", help="Options that no cover may have.")
    ] = "",
    style: Annotated[
        str,
        typer.Option("--format", "-f", metavar="STYLE", help=f"{', '.join(COVER_STYLES)}."),
    ] = "numbers",
) -> None:
    """Solve an exact cover problem: print each cover as its option numbers, from 0.

    FILE holds Knuth's text: a line of items, `|` before the secondary ones, then a line an option
    (lines that start with `|` are comments); with `item:colour`, `low:high|item` and `|cost`. Or
    it holds JSON, a matrix of 0 and 1 as text or `.npy`, or a CSR matrix as SciPy's `.npz`.
    Exit status: 0 covers found, 1 none, 2 usage or unreadable input.

    Examples: `cover queens.dlx`, `cover --count queens.dlx`, `cover --limit 1 --format names -`
    """
    if choose not in CHOICES and "," not in choose:
        known = ", ".join(CHOICES)
        raise fail(f"--choose must be one of {known}, or items with commas between, not {choose!r}")
    if style not in COVER_STYLES:
        raise fail(f"--format must be one of {', '.join(COVER_STYLES)}, not {style!r}")
    if cheapest is not None and (count or limit is not None):
        raise fail("--cheapest goes with neither --count nor --limit")
    problem = _problem(
        file,
        choose,
        seed=seed,
        presolve=presolve,
        given=_numbers(given, "--given"),
        forbidden=_numbers(forbid, "--forbid"),
    )
    begin = time.perf_counter()
    found = 0
    try:
        with compile_notice():
            if count:
                found = problem.count(limit)
                typer.echo(found)
            else:
                covers: Iterable[list[int]] = problem.iterate(limit)
                if cheapest is not None:
                    covers = [options for _, options in problem.cheapest(cheapest)]
                for options in covers:
                    found += 1
                    sys.stdout.write(problem.format(options, style) + "\n")
    except BrokenPipeError:
        end_of_pipe()
        raise typer.Exit(0) from None
    except OSError as error:  # a full disk, say
        raise fail(f"<stdout>: {error.strerror}") from None
    except KeyboardInterrupt:
        say(f"interrupted: {problem.statistics.solutions:,} covers so far")
        raise typer.Exit(INTERRUPTED) from None
    say_statistics(problem.statistics, time.perf_counter() - begin)
    raise typer.Exit(0 if found else 1)


def _problem(file: str, choose: str, **how: Any) -> ExactCover:
    """The problem in the file, described on standard error. Fails where there is none."""
    source = "<stdin>" if file == "-" else file
    try:
        stated = read_problem(file)
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None
    try:
        with compile_notice():
            order: str | Sequence[Hashable] = choose
            if choose not in CHOICES:  # the items of a matrix are numbers
                named = {str(item): item for item in ExactCover.of(stated).items}
                order = [named.get(word, word) for word in choose.split(",") if word]
            problem = ExactCover.of(stated, choose=order, **how)
    except ValueError as error:
        raise fail(f"{source}: {error}") from None
    except KeyboardInterrupt:
        say("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    say(f"({problem.summary()} successfully read)")
    if problem.presolved is not None:
        options, forced, items = problem.presolved
        removed = f"{len(options):,} options and {len(items):,} items removed"
        say(f"(presolved: {removed}, {len(forced):,} options forced)")
    return problem


def _numbers(text: str, name: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise fail(f"{name} takes option numbers with commas between, not {text!r}") from None
