"""Kakuro: sums of distinct digits in runs of cells."""

from functools import partial
from itertools import chain
from typing import Any

from ...cover.encode import Formulation
from ...kernels.sums import sets_with_sum
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable

formats = "rows and columns, then 0 for cells, `down,right` sums, and - for others"

DIGITS = range(1, 10)
Run = tuple[str, int, int]  # the direction of a sum, and its cell
CELL = "0"
WORD = r"[0-]|(?=.*[0-9])(?:[1-9][0-9]?)?,(?:[1-9][0-9]?)?"  # sums are below and to the right


Runs = dict[Run, tuple[int | None, list[Cell]]]  # the sum, if any, and the cells of each run
WORDS = (
    (r"down,(\d+),(\d+),(\d)", r"the \3 below r\1c\2"),
    (r"down r(\d\d?)c(\d\d?)=(\d+)", r"the combination \3 below r\1c\2"),
    (r"right,(\d+),(\d+),(\d)", r"the \3 right of r\1c\2"),
    (r"right r(\d\d?)c(\d\d?)=(\d+)", r"the combination \3 right of r\1c\2"),
)


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    return _formulate(WordTable(record))


def _runs(table: WordTable, words: dict[Cell, str]) -> Runs:
    """Return the sum, if any, and the cells of each run of at least two cells."""
    runs: Runs = {}
    for (r, c), word in words.items():
        if word == CELL:
            if min(r, c) == 1:
                raise table.error(r + 1, f"word {c}: the first row and column have no cells")
            continue
        down, _, right = word.strip("-").partition(",")
        for name, total, step in (("down", down, (1, 0)), ("right", right, (0, 1))):
            run: list[Cell] = []
            cell = (r + step[0], c + step[1])
            while words.get(cell) == CELL:
                run.append(cell)
                cell = cell[0] + step[0], cell[1] + step[1]
            if not bool(total) <= len(run) <= len(DIGITS):  # a sum needs a cell
                raise table.error(r + 1, f"word {c}, {word!r}: there are {len(run)} cells {name}")
            if len(run) > 1 or total:
                runs[name, r, c] = int(total) if total else None, run
    if all(total is None for total, _ in runs.values()):
        raise table.error(2, "there are no sums, such as 16,4")
    return runs


def _formulate(table: WordTable, is_whole: bool = False) -> Puzzle:
    """Return a puzzle; its whole formulation also has the digits that sums exclude.

    `example` describes its items and options.
    """
    words = table.board(WORD, "0, - or sums such as 16,4")
    runs = _runs(table, words)
    cells = {cell: list[Run]() for cell, word in words.items() if word == CELL}
    items: list[Any] = [("cell", *cell) for cell in cells]
    options: dict[str, list[Any]] = {}
    possible: dict[Run, set[int]] = {}
    # An option of a run is a set of digits: it covers the other digits of the run, and each cell
    # covers its own digit, so that the cells have this set.
    for run, (total, run_cells) in runs.items():
        sets = sets_with_sum(len(DIGITS), len(run_cells), total)
        possible[run] = {*DIGITS} if is_whole else {*chain(*sets)}
        items += [run, *((*run, digit) for digit in possible[run])]
        for digits in sets:
            lacking = [(*run, digit) for digit in possible[run].difference(digits)]
            options["{} r{}c{}={}".format(*run, "".join(map(str, digits)))] = [run, *lacking]
        for cell in run_cells:
            cells[cell].append(run)
    marks: list[Any] = [()] * len(options)
    for (r, c), around in cells.items():
        for digit in DIGITS:
            if all(digit in possible[run] for run in around):
                options[f"r{r}c{c}={digit}"] = [("cell", r, c), *((*run, digit) for run in around)]
                marks.append((((r, c), str(digit)),))
    formulation = Formulation(options, items, view=_picture(words, runs, marks))
    whole = partial(_formulate, table, True)
    return Puzzle("Kakuro", formulation, whole=whole)


def _picture(words: dict[Cell, str], runs: Runs, marks: list[Any]) -> Grid:
    """Return the picture of a board with sums, and with what each option marks."""
    dark = [cell for cell, word in words.items() if word != CELL]
    side = {"down": "below", "right": "right of"}
    named = [
        (f"{name},{r},{c}", f"the sum of {total or 'the cells'} {side[name]} r{r}c{c}")
        for (name, r, c), (total, _) in runs.items()
    ]
    return Grid(
        "Kakuro",
        marks,
        [*words],
        shaded=dark,
        clues=[(cell, words[cell].replace(",", "\\")) for cell in dark if words[cell] != "-"],
        blank="-",
        words=(*named, *WORDS),
    )


def example() -> Puzzle:
    """Write digits into cells so that each run of cells has the given sum.

    No digit appears twice in a run.

    Items: each cell; each run; each digit in each run.
    Options: a digit in a cell; a set of digits that has the sum of a run covers the run, and the
    digits in it that it lacks.

    Notes
    -----
    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    - - -
    - 1 2
    - 3 4
    """
    return parse(Record("example", "3 3\n- 4, 6,\n,3 0 0\n,7 0 0"))
