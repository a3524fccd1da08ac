"""`bench`: measure the Sudoku solvers, and the algorithms for exact cover."""

import atexit
import shutil
from contextlib import ExitStack
from importlib.resources import as_file
from itertools import islice
from pathlib import Path

import numpy as np

from ..bench.covers import (
    ALGORITHMS,
    PROBLEMS,
    CoverMeasurement,
    CoverProblem,
    measure_covers,
)
from ..bench.measure import BoardSet, Measurement, WrongSolution, measure
from ..bench.report import UNLIMITED_WIDTH, as_json, as_text
from ..puzzles.reading import open_text, read_any
from ..runtime.choices import NAIVE, SOLVERS
from ..runtime.display import ProgressDisplay
from ..runtime.errors import FormatError
from ..runtime.files import bundled_directories
from ..sudoku.engines.registry import ENGINES
from . import options
from .call import Call
from .output import check_output, is_shown, write_text
from .terminal import ending, fail, failing, report_error

BUNDLED_SETS = ("simple", "easy", "intermediate", "expert")
NAIVE_BOARDS = 20  # of each set, unless it is named: it may take a second for one


def bench(
    *,
    files: list[str] | None,
    engines: list[str] | None,
    limit: int,
    repeat: int,
    cutoff: float,
    boards: int | None,
    details: bool,
    style: str,
    kind: options.KindName,
    output: options.OutputFile,
    call: Call,
) -> None:
    """Measure the speed of the Sudoku and exact cover solvers."""
    named = engines or []
    # Engines that take single boards are measured only if they are named.
    in_batches = [name for name, spec in ENGINES.items() if spec.block_size > 1]
    names = named or [NAIVE, *in_batches, *ALGORITHMS]
    solvers = [name for name in SOLVERS if name in names]  # of boards
    algorithms = [name for name in ALGORITHMS if name in names]  # of exact cover
    with failing(command=call.command):
        paths = files or (_bundled_files() if solvers else [])
        check_output(output, *paths)
        sets: list[BoardSet | CoverProblem] = []
        for path in paths:
            sets += _load(path, path if files else Path(path).stem, boards, kind)
    if algorithms and not files:
        sets += PROBLEMS
    if not any(isinstance(each, BoardSet) for each in sets):
        call.reject("a benchmark of exact cover", "--limit", *([] if files else ["--boards"]))
    runs: list[tuple[BoardSet | CoverProblem, str]] = []
    for measured in sets:
        fitting = solvers if isinstance(measured, BoardSet) else algorithms
        if not fitting:
            raise fail(f"{measured.name}: {', '.join(named)} cannot solve it")
        runs += [(measured, name) for name in fitting]
    measurements, covers = _measure(runs, named, limit, repeat, cutoff)
    width = shutil.get_terminal_size().columns if is_shown(output) else UNLIMITED_WIDTH
    if style == "json":
        text = as_json(measurements, covers)
    else:
        text = as_text(
            measurements, covers, details=details, markdown=style == "markdown", width=width
        )
    write_text(output, text.rstrip("\n") + "\n")


def _measure(
    runs: list[tuple[BoardSet | CoverProblem, str]],
    named: list[str],
    limit: int,
    repeat: int,
    cutoff: float,
) -> tuple[list[Measurement], list[CoverMeasurement]]:
    """Return the measurements of engines on sets of boards, and on exact cover problems.

    `named` are the engines of the command line. Fails if an engine returns a wrong solution.
    """
    measurements: list[Measurement] = []
    covers: list[CoverMeasurement] = []
    # By problem, the number of covers that the first algorithm found, which others have to find
    n_covers_of: dict[str, int | None] = {}
    with ProgressDisplay(len(runs)) as display:
        for n_done, (measured, name) in enumerate(runs):
            title = f"{measured.name}: {name}"
            display.update(title, n_done)
            with failing(f"{title}: "):
                try:
                    if isinstance(measured, BoardSet):
                        is_slow = name == NAIVE and name not in named
                        boards = measured.first(NAIVE_BOARDS) if is_slow else measured
                        result = measure(name, boards, limit=limit, repeat=repeat, cutoff=cutoff)
                        measurements.append(result)
                    else:
                        n_covers = n_covers_of.get(measured.name, measured.covers)
                        problem = measured._replace(covers=n_covers)
                        covers.append(measure_covers(problem, name, repeat, cutoff))
                        n_covers_of[measured.name] = covers[-1].covers
                except WrongSolution as error:
                    report_error(f"{title}: {error}")
                    raise ending(is_solved=False) from None
    return measurements, covers


def _bundled_files() -> list[str]:
    """Return the files of the bundled sets. Raises ValueError if they are not installed."""
    for directory in bundled_directories("data", "data"):
        found = [directory / f"{name}.txt" for name in BUNDLED_SETS]
        if all(file.is_file() for file in found):
            extracted = ExitStack()  # from an archive, until the end of the process
            atexit.register(extracted.close)
            return [str(extracted.enter_context(as_file(file))) for file in found]
    raise ValueError("the bundled puzzles are not installed: specify a file of puzzles")


def _load(
    path: str, name: str, n_puzzles: int | None, kind: str | None
) -> list[BoardSet] | list[CoverProblem]:
    """Return the boards of a file as a set, or its other puzzles; of either, the first ones.

    A set or a single puzzle is called `name`, and several puzzles `name` with their numbers. At
    most `n_puzzles` are returned, if it is given. Raises ValueError if one of the records cannot be
    read.
    """
    reading = read_any(open_text(path), kind)
    if reading.chunks is None:
        problems: list[CoverProblem] = []
        for puzzle in islice(reading.puzzles, n_puzzles):
            if isinstance(puzzle, FormatError):
                raise puzzle
            problems.append(CoverProblem(f"{name} {len(problems) + 1}", puzzle))
        if not problems:
            raise ValueError(f"{path}: no puzzle found")
        return problems if problems[1:] else [problems[0]._replace(name=name)]
    chunks = [*reading.chunks]
    for chunk in chunks:
        for bad in chunk.bad:
            raise ValueError(bad.at(chunk.source))
    boards = np.concatenate([chunk.boards for chunk in chunks])
    return [BoardSet(name, boards[:n_puzzles], chunks[0].box)]
