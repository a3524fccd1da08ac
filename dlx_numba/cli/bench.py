"""`bench`: measure the Sudoku solvers."""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from ..bench.measure import BoardSet, Measurement, WrongSolution, measure
from ..bench.report import as_json, as_picture, as_table
from ..runtime.errors import UnreadableError
from ..sudoku.engines.registry import ENGINES
from ..sudoku.io.read import read_boards
from .options import check_choice, reject_options
from .output import check_output, write_text
from .terminal import ExitStatus, ProgressDisplay, compile_notice, fail, report

BUNDLED_SETS = ("simple", "easy", "intermediate", "expert")


def bench(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Files of puzzles; each file is a set.",
            show_default="the bundled sets",
        ),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FILE", help="Add a file of puzzles; can be repeated."),
    ] = None,
    solvers: Annotated[
        list[str] | None,
        typer.Option(
            "--solver",
            "-s",
            metavar="NAME",
            help=f"Measure this solver; can be repeated: {', '.join(ENGINES)}.",
            show_default="all",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, metavar="N", help="Search for up to N solutions of each puzzle.")
    ] = 1,
    repeat: Annotated[
        int, typer.Option(min=1, metavar="N", help="Take the fastest of N runs.")
    ] = 3,
    cutoff: Annotated[
        float,
        typer.Option(min=0.01, metavar="SECONDS", help="Time limit of each solver for each set."),
    ] = 5.0,
    boards: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Use the first N puzzles of each set."),
    ] = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print JSON, including the time and the nodes or guesses of each puzzle."
        ),
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")] = False,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the distribution of the times as SVG."),
    ] = None,
) -> None:
    """Measure the speed of the Sudoku solvers.

    Prints puzzles per second, and the minimum, average, maximum and standard deviation of the
    time per puzzle, next to figures published in 2014. A second table compares the sets: givens,
    nodes or guesses, puzzles solved without a guess, and speedups over the naive solvers.

    Examples:

    - `dlx-numba bench`

    - `dlx-numba bench --solver dlx --limit 2 --markdown puzzles.txt`

    - `dlx-numba bench --plot times.svg`
    """
    if json:
        reject_options("--json", {"--markdown": markdown})
    names = solvers or list(ENGINES)
    for name in names:
        check_choice("--solver", name, ENGINES)
    try:
        paths = [*(files or []), *(sets or [])] or _bundled_files()
        if plot is not None:
            check_output(plot, *paths)
        board_sets = [_load(path) for path in paths]
    except (UnreadableError, ValueError) as error:
        raise fail(str(error)) from None
    if boards is not None:
        board_sets = [each._replace(boards=each.boards[:boards]) for each in board_sets]
    measurements: list[Measurement] = []
    pairs = [(board_set, name) for board_set in board_sets for name in names]
    with compile_notice(), ProgressDisplay(len(pairs)) as display:
        for n_done, (board_set, name) in enumerate(pairs):
            display.update(f"{board_set.name}: {name}", n_done)
            try:
                measurement = measure(name, board_set, limit=limit, repeat=repeat, cutoff=cutoff)
            except WrongSolution as error:
                report(f"error: {name} on {board_set.name}: {error}")
                raise typer.Exit(ExitStatus.NOT_SOLVED) from None
            measurements.append(measurement)
    text = as_json(measurements) if json else as_table(measurements, markdown)
    sys.stdout.write(text.rstrip("\n") + "\n")
    if plot is not None:
        _draw(measurements, plot)


def _draw(measurements: list[Measurement], path: str) -> None:
    """Write a picture of the times. Fails if there are none."""
    try:
        picture = as_picture(measurements)
    except ValueError as error:
        raise fail(str(error)) from None
    write_text(path, picture)


def _bundled_files() -> list[str]:
    """Return the files of the bundled sets. Raises ValueError if they are not installed."""
    package = Path(__file__).parents[1]
    for directory in (package / "data", package.parent / "data"):  # installed, or a checkout
        paths = [directory / f"{name}.txt" for name in BUNDLED_SETS]
        if all(path.is_file() for path in paths):
            return [str(path) for path in paths]
    raise ValueError("the bundled puzzles are not installed: specify a file of puzzles")


def _load(path: str) -> BoardSet:
    """Return the boards of a file. Raises ValueError if one of its records cannot be read."""
    chunks = list(read_boards(path))
    if not any(len(chunk) for chunk in chunks):
        raise ValueError(f"{path}: no puzzle found")
    for chunk in chunks:
        for bad in chunk.bad:
            raise ValueError(bad.at(chunk.source))
    boards = np.concatenate([chunk.boards for chunk in chunks])
    return BoardSet(Path(path).stem, boards, chunks[0].box)
