"""`bench`: the table of the older systems, measured here and now."""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from ..bench.measure import BoardSet, Measurement, WrongSolution, measure
from ..bench.report import as_json, as_picture, as_table
from ..runtime.errors import UnreadableError
from ..sudoku.box import Box
from ..sudoku.engines.registry import ENGINES
from ..sudoku.io.read import read_boards
from .output import write_text
from .terminal import compile_notice, fail, progress_bar, say

DATA = ("simple", "easy", "intermediate", "expert")


def bench(
    files: Annotated[
        list[str] | None, typer.Argument(help="Own files of puzzles; else the four of `data/`.")
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="FILE", help="One more file of puzzles.")
    ] = None,
    solvers: Annotated[
        list[str] | None,
        typer.Option(
            "--solver", "-s", metavar="NAME", help=f"Measure this one: {', '.join(ENGINES)}."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Look for so many solutions of each.")] = 1,
    repeat: Annotated[int, typer.Option(min=1, help="Take the best of so many runs.")] = 3,
    cutoff: Annotated[
        float, typer.Option(min=0.01, help="Seconds that a solver may take for a set.")
    ] = 5.0,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many boards of each set.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with all times.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE.svg", help="Draw the distribution of the times.")
    ] = None,
) -> None:
    """Measure the solvers: min, average, max and deviation per puzzle, and puzzles per second.

    Examples: `bench`, `bench --solver dlx --limit 2 --markdown`, `bench --set my_puzzles.txt`,
    `bench --plot times.svg`
    """
    chosen = solvers or list(ENGINES)
    for name in chosen:
        if name not in ENGINES:
            raise fail(f"no solver {name!r}; there are: {', '.join(ENGINES)}")
    paths = [*(files or []), *(sets or [])]
    try:
        loaded = [_load(path) for path in paths or _own_data()]
    except (UnreadableError, ValueError) as error:
        raise fail(str(error)) from None
    if boards is not None:
        loaded = [each._replace(boards=each.boards[:boards]) for each in loaded]
    measurements: list[Measurement] = []
    steps = [(each, name) for each in loaded for name in chosen]
    with compile_notice(), progress_bar(len(steps)) as show:
        for at, (each, name) in enumerate(steps):
            show(at, f"{each.name}: {name}")
            try:
                found = measure(name, each, limit=limit, repeat=repeat, cutoff=cutoff)
            except WrongSolution as error:
                say(f"error: {name} on {each.name}: {error}")
                raise typer.Exit(1) from None
            measurements.append(found)
    text = as_json(measurements) if json else as_table(measurements, markdown)
    sys.stdout.write(text.rstrip("\n") + "\n")
    if plot is not None:
        _draw(measurements, plot)


def _draw(measurements: list[Measurement], path: str) -> None:
    try:
        picture = as_picture(measurements)
    except ValueError as error:  # no solver took any of the boards
        raise fail(str(error)) from None
    write_text(path, picture)


def _own_data() -> list[str]:
    package = Path(__file__).parents[1]
    for folder in (package / "data", package.parent / "data"):  # installed, or a checkout
        if all((folder / f"{name}.txt").is_file() for name in DATA):
            return [str(folder / f"{name}.txt") for name in DATA]
    raise ValueError("the project's data is not installed: name a file of puzzles")


def _load(path: str) -> BoardSet:
    chunks = list(read_boards(path))
    if not any(len(chunk) for chunk in chunks):
        raise ValueError(f"{path}: no puzzle in it")
    box: Box = chunks[0].box
    bad = [each.at(chunk.source) for chunk in chunks for each in chunk.bad]
    if bad:
        raise ValueError(bad[0])
    return BoardSet(Path(path).stem, np.concatenate([chunk.boards for chunk in chunks]), box)
