"""`bench`: measure the Sudoku solvers, and the algorithms for exact cover."""

import atexit
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from importlib.resources import as_file
from pathlib import Path
from typing import Any

import numpy as np

from ..bench.covers import ALGORITHMS, PROBLEMS, CoverMeasurement, measure_covers
from ..bench.measure import BoardSet, Measurement, WrongSolution, measure
from ..bench.report import UNLIMITED_WIDTH, as_json, as_text
from ..runtime.display import ProgressDisplay
from ..runtime.files import bundled_directories
from ..sudoku.engines.registry import ENGINES
from ..sudoku.io.read import read_records
from . import options
from .output import check_output, is_shown, write_text
from .terminal import ending, fail, failing, report_error

STYLES = ("text", "markdown", "json")

_FOR_COVERS = ", ".join(ALGORITHMS)

BUNDLED_SETS = ("simple", "easy", "intermediate", "expert")


def bench(
    files: list[str] | None = options.argument(
        "Files of puzzles; each file is a set.",
        "FILE",
        show_default="the bundled sets",
        default=None,
    ),
    engines: list[str] | None = options.choice(
        (*ENGINES, *ALGORITHMS),
        f"Measure this engine ({_FOR_COVERS} are for exact cover); can be repeated",
        "--engine",
        show_default="all that solve batches",
    ),
    limit: int = options.limit(show_default=True, default=1),
    repeat: int = options.number("Take the fastest of N runs.", default=3),
    cutoff: float = options.seconds("Time limit of each solver for each set.", 0.01, default=5.0),
    boards: int | None = options.number("Use the first N puzzles of each set."),
    style: str = options.style(STYLES, default=STYLES[0]),
    output: options.OutputFile = "-",
) -> None:
    """Measure the speed of the Sudoku and exact cover solvers.

    Examples:
      dlx-numba bench
      dlx-numba bench --engine dlx --limit 2 -f markdown small.txt

    Prints the minimum, maximum, mean and standard deviation of the time for a puzzle of each set,
    the puzzles per second if a set is solved at once, and nodes or guesses; then the times to count
    the covers of well-known problems, which are left out if files are measured. Engines that solve
    one board at a time, portfolio and sat, are measured if they are named.
    """
    in_batches = [name for name, spec in ENGINES.items() if spec.block_size > 1]
    names = engines or (in_batches if files else [*in_batches, *ALGORITHMS])
    solvers, algorithms = ([k for k in table if k in names] for table in (ENGINES, ALGORITHMS))
    if not solvers and files:
        raise fail(f"only engines for Sudoku, not {algorithms[0]}, read files")
    if not solvers:
        options.reject("a benchmark of exact cover", "--limit", "--boards")
    with failing():
        paths = files or (_bundled_files() if solvers else [])
        check_output(output, *paths)
        board_sets = [_load(path, boards) for path in paths]
    how: dict[str, Any] = {"repeat": repeat, "cutoff": cutoff}
    tasks: list[tuple[str, Callable[[], Measurement | CoverMeasurement]]] = [
        (f"{each.name}: {name}", partial(measure, name, each, limit=limit, **how))
        for each in board_sets
        for name in solvers
    ]
    tasks += [
        (f"{problem}: {name}", partial(measure_covers, problem, name, **how))
        for problem in PROBLEMS
        for name in algorithms
    ]
    results: list[Measurement | CoverMeasurement] = []
    with ProgressDisplay(len(tasks)) as display:
        for name, task in tasks:
            display.update(name, len(results))
            try:
                results.append(task())
            except WrongSolution as error:
                report_error(f"{name}: {error}")
                raise ending(is_solved=False) from None
    measurements = [each for each in results if isinstance(each, Measurement)]
    covers = [each for each in results if isinstance(each, CoverMeasurement)]
    width = shutil.get_terminal_size().columns if is_shown(output) else UNLIMITED_WIDTH
    if style == "json":
        text = as_json(measurements, covers)
    else:
        text = as_text(measurements, covers, markdown=style == "markdown", width=width)
    write_text(output, text.rstrip("\n") + "\n")


def _bundled_files() -> list[str]:
    """Return the files of the bundled sets. Raises ValueError if they are not installed."""
    for directory in bundled_directories("data", "data"):
        found = [directory / f"{name}.txt" for name in BUNDLED_SETS]
        if all(file.is_file() for file in found):
            extracted = ExitStack()  # from an archive, until the end of the process
            atexit.register(extracted.close)
            return [str(extracted.enter_context(as_file(file))) for file in found]
    raise ValueError("the bundled puzzles are not installed: specify a file of puzzles")


def _load(path: str, n_boards: int | None) -> BoardSet:
    """Return the boards of a file, or the first ones.

    Raises ValueError if one of its records cannot be read.
    """
    chunks = list(read_records(path))
    if not any(len(chunk) for chunk in chunks):
        raise ValueError(f"{path}: no puzzle found")
    for chunk in chunks:
        for bad in chunk.bad:
            raise ValueError(bad.at(chunk.source))
    boards = np.concatenate([chunk.boards for chunk in chunks])
    return BoardSet(Path(path).stem, boards[:n_boards], chunks[0].box)
