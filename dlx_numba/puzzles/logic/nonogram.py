"""Nonograms: pictures from the lengths of runs of black cells."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, groupby
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cover.encode import Formulation
from ...kernels.dlx.supports import MAX_ROWS
from ...kernels.nonogram import BLACK, BOTH, narrow_nonogram
from ...pictures.areas import Blocks
from ...pictures.board import board_cells
from ...runtime.batched import batched
from ...runtime.errors import FormatError
from ...runtime.json import fits, load_json
from ..puzzle import Puzzle
from ..records import Record
from .boards import MOST, NUMBER, Cell, WordTable, check_keys
from .rows import board_text

formats = (
    "rows and columns, the runs of each column, then of each row, 0 for none; .non; webpbn XML; "
    '{"rows": [[1], [2]], "columns": [[2], [1]]}'
)
HAS_BLANK_LINES = True

DRAWN = (2, 30)  # of new pictures: their rows
DENSITY = 0.6  # the black cells

MAX_ENTRIES = 2_000_000  # of options that compare the places of successive runs: 2 s to build

Runs = list[list[int]]
WORDS = (
    (r"r(\d+),run,(\d+)", r"run \2 of row \1"),
    (r"c(\d+),run,(\d+)", r"run \2 of column \1"),
    (r"r(\d+),(\d+)", r"r\1c\2 in row \1"),
    (r"c(\d+),(\d+)", r"r\2c\1 in column \1"),
    (r"\w+,later,.*", "the order of runs", "runs are in order, with white between them"),
    (r"r(\d{1,3})\.(\d{1,3})@(\d{1,3})", r"run \2 of row \1 from r\1c\3"),
    (r"c(\d{1,3})\.(\d{1,3})@(\d{1,3})", r"run \2 of column \1 from r\3c\1"),
    (r"r(\d+)-(\d+)", r"white r\1c\2"),
    (r"c(\d+)-(\d+)", r"white r\2c\1"),
)

NAMES = {"rows": "row|rows|hor", "columns": "col|cols|column|columns|ver"}  # of lists of runs
# Lists in a program
LIST = r"\s*(\w+)\s*=\s*(\[[][0-9,\s]*\])\s*;?\s*"
PROGRAM = re.compile(LIST + LIST)
# Of `.non` files, besides lines of runs
TITLES = ("catalogue", "title", "by", "copyright", "license", "color")
FIELDS = ("height", "width", "goal")
SHADES = str.maketrans("01.X", "-x-x")  # of the cells of a goal


def parse(record: Record) -> Puzzle | Iterator[Puzzle | FormatError]:
    """Return the puzzle of a record, or those of an XML document."""
    if record.value is not None:
        return _parse_lists(record.value)
    if record.text.startswith("<"):
        return _parse_xml(record)
    program = PROGRAM.fullmatch(record.text)
    if program is not None:
        first, its_runs, second, others = program.groups()
        return _parse_lists({first: load_json(its_runs), second: load_json(others)})
    if re.match("[A-Za-z]", record.text):
        return _parse_sections(record)
    table = WordTable(record)
    height, width = table.size()
    n_lines = height + width
    if len(table) > 1 + n_lines:
        raise table.error(2 + n_lines, f"there are more than {width} + {height} lines of runs")
    lines = [_runs(record, k, table.words(k)) for k in range(2, 2 + n_lines)]
    return _puzzle(lines[width:], lines[:width])


def _runs(record: Record, line: int, words: list[str]) -> list[int]:
    """Return the runs of a line; 0 is for none."""
    runs = [int(word) if re.fullmatch(NUMBER, word) else 0 for word in words]
    if 0 in runs and words != ["0"]:
        raise record.error(line, "expected the lengths of runs without colors, or 0 for none")
    return [run for run in runs if run]


def _parse_lists(value: Any) -> Puzzle:
    """Return the puzzle of an object with lists of the runs of rows and of columns."""
    check_keys(value, *"|".join(NAMES.values()).split("|"))
    found: list[Runs] = []
    for names in NAMES.values():
        keys = [key for key in value if re.fullmatch(names, key)] if isinstance(value, dict) else []
        lines: Any = value[keys[0]] if len(keys) == 1 else None
        if not fits(lines, [[int]]) or not all(0 <= run <= MOST for runs in lines for run in runs):
            raise ValueError('expected runs, such as {"rows": [[1], [2]], "columns": [[2], [1]]}')
        found.append([[run for run in runs if run] for runs in lines])
    rows, columns = found
    return _puzzle(rows, columns)


def _parse_sections(record: Record) -> Puzzle:
    """Return the puzzle of a `.non` file, in which blank lines mean nothing."""
    found: dict[str, Runs] = {}
    fields: dict[str, str] = {}
    section: Runs | None = None
    for number, line in enumerate(record.lines(), 1):
        name, _, value = line.strip().partition(" ")
        name = name.lower().rstrip(":")
        if section is not None and name[:1].isdecimal():
            section.append(_runs(record, number, re.split(r"[\s,]+", line.strip())))
        elif name in found or name in fields:
            raise record.error(number, f"{name} are given twice; divide puzzles by ---")
        elif name in NAMES and not value:
            section = found[name] = []
        elif name in FIELDS:
            fields[name] = value.strip(' "')
        elif name and name not in TITLES:
            raise record.error(number, f"{name[:20]!r} is neither the name of a section nor runs")
    for side, key in zip(NAMES, FIELDS, strict=False):  # rows and height, columns and width
        n_lines = len(found.get(side, ()))
        if fields.get(key) != str(n_lines):
            reason = f"{n_lines} {side}, but the {key} is {fields.get(key) or 'missing'}"
            raise record.error(len(record.lines()), reason)
    return _puzzle(found["rows"], found["columns"], fields.get("goal", ""))


def _parse_xml(record: Record) -> Iterator[Puzzle | FormatError]:
    """Return the puzzles in an XML document of webpbn, each with its goal."""
    elements = [(f"puzzle {k}", each) for k, each in enumerate(record.xml().iter("puzzle"), 1)]
    if not elements:
        raise record.error(1, "the document has no puzzle")
    return record.parse_parts(elements, partial(_parse_element, record))


def _parse_element(record: Record, _: str, element: Any) -> Puzzle:
    """Return the puzzle of an element of XML."""
    found: dict[str, Runs] = {}
    for clues in element.iter("clues"):
        if any(count.get("color", "black") != "black" for count in clues.iter("count")):
            raise ValueError(f"the {clues.get('type')} have colors, which are not supported")
        lines = [[count.text or "" for count in line.iter("count")] for line in clues.iter("line")]
        found[clues.get("type")] = [_runs(record, 1, line) for line in lines]
    if found.keys() != NAMES.keys():
        raise ValueError("expected rows and columns")
    image = element.findtext("solution[@type='goal']/image", "")
    return _puzzle(found["rows"], found["columns"], re.sub(r"[|\s]", "", image))


def _puzzle(rows: Runs, columns: Runs, goal: str = "") -> Puzzle:
    """Return a puzzle, with its goal as the answer.

    Raises ValueError if the runs of rows and columns do not fit each other.
    """
    if not rows or not columns or max(len(rows), len(columns)) > MOST:
        raise ValueError(f"there must be from 1 to {MOST} rows and columns")
    reasons: list[str] = []
    for lines, size in ((rows, len(columns)), (columns, len(rows))):
        lengths = [sum(runs) + len(runs) - 1 for runs in lines]
        if max(lengths) > size:
            reasons.append(f"runs of {max(lengths)} in {size} cells")
    in_rows, in_columns = (sum(map(sum, lines)) for lines in (rows, columns))
    if in_rows != in_columns:
        reasons.append(f"{in_rows} black cells in rows, {in_columns} in columns")
    if reasons:
        raise ValueError(f"the runs of rows and of columns do not fit each other: {reasons[-1]}")
    answer = "\n".join(batched(goal.translate(SHADES), len(columns)))
    return replace(_formulate(rows, columns), answer=answer)


def _formulate(rows: Runs, columns: Runs, is_whole: bool = False) -> Puzzle:
    """Return a puzzle, without options that are in no solution, if a short search finds them.

    A whole formulation has all places of each run, and no lines that are known. The search branches
    on the cells near one corner first, so that it compares lines that cross; see `_items`.
    """
    every = tuple(board_cells(len(rows), len(columns)))
    # What is written beside the rows, and above the columns
    left, top = (tuple(" ".join(map(str, runs)) for runs in lines) for lines in (rows, columns))
    picture = Blocks("Nonogram", (), every, margins=(left, top), blank="-", words=WORDS)
    whole = partial(_formulate, rows, columns, True)
    narrowed = _all_places(rows, columns) if is_whole else narrow_nonogram(rows, columns)
    if narrowed is None:
        formulation = Formulation([], ["contradiction"], view=picture)
        return Puzzle("Nonogram", formulation, whole=whole)
    values, starts = narrowed
    # An option of a run has an item for about each start of the run, see `_line_options`.
    n_entries = sum(len(own) ** 2 for line in starts for own in line)
    if n_entries > MAX_ENTRIES:
        reason = f"the places of the runs need more than {MAX_ENTRIES:,} entries in options"
        raise ValueError(reason)
    options: dict[str, list[Any]] = {}
    marks: list[Any] = []
    n_pairs = 0
    lines = [*_lines(rows, columns, values)]
    # `own_starts` has the possible starts of each run of the line.
    for (name, runs, line, cells), own_starts in zip(lines, starts, strict=True):
        written = [(cell, "x") for cell in cells]
        for option, covered, start, end in _line_options(name, runs, own_starts, line, cells):
            options[option] = covered
            # The first items are primary: the run or the cell, and the black cells of a run. The
            # others have colors.
            n_primary = 1 + end - start
            n_pairs += n_primary * max(0, len(covered) - n_primary)
            marks.append(tuple(written[start:end]))
    entries = chain.from_iterable(options.values())
    secondary = dict.fromkeys(entry[0] for entry in entries if isinstance(entry[0], tuple))
    picture = replace(picture, marks=tuple(marks))
    formulation = Formulation(options, _items(lines), list(secondary), view=picture)
    # At most half of the possible pairs, because preparing them delays the first solution.
    settings = {"consistency": "colors"} if n_pairs <= MAX_ROWS // 2 else {}
    return Puzzle("Nonogram", formulation, settings=settings, whole=whole)


def _items(lines: list[Any]) -> list[Any]:
    """Return the items of what `_lines` yields: cells from one corner on, and then the runs."""
    corner: dict[Any, int] = {}  # how far the cells that may be black are from the corner
    items: list[Any] = []
    for name, runs, line, cells in lines:
        items += [(name, "run", k) for k in range(1, len(runs) + 1)]
        for place, value in enumerate(line if BOTH in line else ()):
            if value & BLACK:
                corner[name, place + 1] = sum(cells[place])
    return [*sorted(corner, key=corner.__getitem__), *items]


def _lines(
    rows: Runs, columns: Runs, values: NDArray[Any]
) -> Iterator[tuple[str, list[int], list[int], list[Cell]]]:
    """Yield the name, the runs, and the values and cells of each row, then of each column."""
    for r, (runs, line) in enumerate(zip(rows, values.tolist(), strict=True), 1):
        yield f"r{r}", runs, line, [(r, c) for c in range(1, len(columns) + 1)]
    for c, (runs, line) in enumerate(zip(columns, values.T.tolist(), strict=True), 1):
        yield f"c{c}", runs, line, [(r, c) for r in range(1, len(rows) + 1)]


def _all_places(rows: Runs, columns: Runs) -> tuple[NDArray[Any], list[Runs]]:
    """Return what `narrow_nonogram` returns if nothing is known."""
    starts = [_all_starts(len(columns), runs) for runs in rows]
    starts += [_all_starts(len(rows), runs) for runs in columns]
    return np.full((len(rows), len(columns)), BOTH), starts


def _all_starts(length: int, runs: list[int]) -> Runs:
    """Return the places where each run of a line of this length may start, from 0.

    >>> _all_starts(5, [1, 2])
    [[0, 1], [2, 3]]
    """
    first = accumulate((run + 1 for run in runs), initial=0)
    n_places = length - sum(runs) - len(runs) + 2
    return [[*range(start, start + n_places)] for start, _ in zip(first, runs, strict=False)]


def _line_options(
    name: str, runs: list[int], starts: Runs, line: list[int], cells: list[Cell]
) -> Iterator[tuple[str, list[Any], int, int]]:
    """Yield the name and items of each option of a line, and the range of its black cells.

    An option is a run, or a white cell, whose range is empty. For two successive runs, an item for
    each start of the second one says whether that starts later.
    """
    if BOTH not in line:  # all cells are known, so each run has one start
        for k, (run, [start]) in enumerate(zip(runs, starts, strict=True), 1):
            yield f"{name}.{k}@{start + 1}", [(name, "run", k)], start, start + run
        return
    # For each cell, the entries of an option in which it is black, and of one in which it is white
    black, white = (
        [
            ([(("cell", *cell), shade)] if value == BOTH else [])
            for value, cell in zip(line, cells, strict=True)
        ]
        for shade in ("black", "white")
    )
    items = [(name, place) for place in range(1, len(line) + 1)]
    # By run, for each of its starts: whether the run starts later than that
    not_later, later = (
        [[((name, "later", k, start), answer) for start in own] for k, own in enumerate(starts)]
        for answer in ("no", "yes")
    )
    for k, (run, own) in enumerate(zip(runs, starts, strict=True)):
        for place, start in enumerate(own):
            end = start + run
            covered: list[Any] = [(name, "run", k + 1)]
            covered += items[start:end]
            covered += chain(*black[start:end], *white[end : end + 1])
            covered += chain(*white[max(start - 1, 0) : start])
            if k + 1 < len(runs):  # the next run starts after the white cell that follows
                covered += later[k + 1][: bisect_right(starts[k + 1], end)]
            if k:
                covered += later[k][:place] + not_later[k][place:]
            yield f"{name}.{k + 1}@{start + 1}", covered, start, end
    for place, value in enumerate(line):
        if value == BOTH:
            yield f"{name}-{place + 1}", [items[place], *white[place]], place, place


def example() -> Puzzle:
    """Find a picture from the lengths of its runs of black cells.

    Items: each run; each cell, once for its row and once for its column.
    Secondary items: each cell, whose color is black or white; for two successive runs, each start
    of the second one, whose color is whether it starts later.
    Options: a run in a place; a white cell in a row or a column.

    Notes
    -----
    A short search of lines and cells leaves out options that are in no solution. Lines that are
    thus known have runs only.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    ▄█▄█▄
    ▀███▀
      ▀
    """
    return _puzzle([[1, 1], [5], [5], [3], [1]], [[2], [4], [4], [4], [2]])


def random(seed: int, size: int) -> str:
    """Return the text of the nonogram of a random picture, which may have several solutions.

    >>> len(random(1, 5).splitlines())
    11
    """
    generator = Random(seed)
    cells = [[generator.random() < DENSITY for _ in range(size)] for _ in range(size)]
    runs = [
        [str(len([*run])) for is_black, run in groupby(line) if is_black] or ["0"]
        for line in (*zip(*cells, strict=True), *cells)
    ]
    return board_text(runs, size, size) + "\n"
