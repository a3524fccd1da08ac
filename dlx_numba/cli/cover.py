"""`cover`: an exact cover problem in, its covers out."""

import sys
import time
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from ..exact_cover import ExactCover
from ..formats import FormatError, looks_like_matrix, parse_matrix
from ..prepare import CHOICES
from .terminal import INTERRUPTED, compile_notice, end_of_pipe, fail, say


def cover(
    file: Annotated[str, typer.Argument(metavar="FILE | -", help="The problem; - is stdin.")],
    count: Annotated[
        bool, typer.Option("--count", help="Print the number of covers only.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many covers; all if not given.")
    ] = None,
    choose: Annotated[
        str, typer.Option(metavar="NAME", help=f"The next item: {', '.join(CHOICES)}.")
    ] = "smallest",
) -> None:
    """Solve an exact cover problem: print each cover as its option numbers, from 0.

    FILE holds a matrix of 0 and 1, a row an option; or Knuth's form: a line of items, `|` before
    the secondary ones, then a line an option (lines that start with `|` are comments).
    Exit status: 0 covers found, 1 none, 2 usage or unreadable input.

    Examples: `cover queens.dlx`, `cover --count queens.dlx`, `cover --limit 1 -`
    """
    if choose not in CHOICES:
        raise fail(f"--choose must be one of {', '.join(CHOICES)}, not {choose!r}")
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
        source = "<stdin>" if file == "-" else file
        if looks_like_matrix(text):
            problem = ExactCover.from_matrix(parse_matrix(text, source), choose=choose)
        else:
            problem = ExactCover.from_knuth(text, source, choose=choose)
    except OSError as error:
        raise fail(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise fail(f"{file}: binary data, not text") from None
    except (FormatError, ValueError) as error:
        raise fail(str(error)) from None
    begin = time.perf_counter()
    found = 0
    try:
        with compile_notice():
            if count:
                found = problem.count(limit)
                typer.echo(found)
            else:
                for options in islice(problem, limit):
                    found += 1
                    sys.stdout.write(" ".join(map(str, options)) + "\n")
    except BrokenPipeError:
        end_of_pipe()
        raise typer.Exit(0) from None
    except KeyboardInterrupt:
        say(f"interrupted: {problem.statistics.solutions:,} covers so far")
        raise typer.Exit(INTERRUPTED) from None
    elapsed = time.perf_counter() - begin
    did = problem.statistics
    say(f"{did.solutions:,} covers, {did.nodes:,} nodes, {did.updates:,} updates ({elapsed:.2f} s)")
    raise typer.Exit(0 if found else 1)
