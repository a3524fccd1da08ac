"""Shikaku: rectangles with given areas."""

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import numpy as np

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.filling import Pieces
from ...runtime.text import plural
from ..puzzle import Puzzle
from ..records import Record
from .boards import CELL_WORDS, Cell, WordTable
from .rows import board_text

formats = (
    "rows and columns, then the areas in their cells, ? for an unknown one, and - for other cells"
)

MAX_CELLS = 4_000_000  # of all rectangles together
DRAWN = (2, 30)  # of new puzzles: their rows
LONGEST = 4  # a side of a rectangle


def _unknown_areas(table: WordTable, givens: dict[Cell, str], size: Cell) -> range:
    """Return the possible areas of `?`. Raises FormatError if areas do not fill the board."""
    n_rows, n_columns = size
    total = sum(int(word) for word in givens.values() if word != "?")
    n_unknown = [*givens.values()].count("?")
    n_others = n_rows * n_columns - total  # cells in rectangles of unknown area
    if n_others < n_unknown or (n_others and not n_unknown):
        others = f", and {plural(n_unknown, 'area')} unknown" if n_unknown else ""
        raise table.error(1, f"the areas sum to {total}, not to {n_rows}×{n_columns}{others}")
    return range(1, n_others - n_unknown + 2)  # each other unknown area is at least 1


def _shapes(areas: range, most_rows: int, most_columns: int) -> Iterator[tuple[int, int]]:
    """Yield the height and the width of each rectangle of a possible area.

    >>> [*_shapes(range(4, 5), 4, 2)]
    [(2, 2), (4, 1)]
    """
    for height in range(1, min(areas[-1], most_rows) + 1):
        for width in range(-(-areas[0] // height), min(areas[-1] // height, most_columns) + 1):
            yield height, width


def _free_around(place: int, others: Iterable[int], n_places: int) -> range:
    """Return the places, from 1, that one can reach without meeting others.

    >>> _free_around(4, [1, 2, 7], 9)
    range(3, 7)
    """
    before = (other for other in others if other < place)
    after = (other for other in others if other > place)
    return range(max(before, default=0) + 1, min(after, default=n_places + 1))


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, whose items and options `example` describes."""
    table = WordTable(record)
    words = table.board(r"[1-9][0-9]{0,4}|[?.-]", "a number from 1, ?, - or .")
    n_rows, n_columns = max(words)
    givens = {cell: word for cell, word in words.items() if word not in "-."}
    unknown = _unknown_areas(table, givens, (n_rows, n_columns))
    in_row: dict[int, list[int]] = {}
    in_column: dict[int, list[int]] = {}
    for r, c in givens:
        in_row.setdefault(r, []).append(c)
        in_column.setdefault(c, []).append(r)
    is_number = np.zeros((n_rows + 1, n_columns + 1), np.int64)
    is_number[tuple(zip(*givens, strict=True))] = 1
    sums = is_number.cumsum(0).cumsum(1).tolist()  # of the cells above and to the left
    options = {}
    marks = []
    n_entries = 0
    for number, ((r, c), word) in enumerate(givens.items(), 1):
        rows = _free_around(r, in_column[c], n_rows)
        columns = _free_around(c, in_row[r], n_columns)
        areas = unknown if word == "?" else range(int(word), int(word) + 1)
        for height, width in _shapes(areas, len(rows), len(columns)):
            # The rectangles that contain the cell, and no other number in its row and its column
            tops = range(max(rows.start, r - height + 1), min(r, rows.stop - height) + 1)
            lefts = range(max(columns.start, c - width + 1), min(c, columns.stop - width) + 1)
            for top, left in product(tops, lefts):
                above = sums[top - 1]
                below = sums[top + height - 1]
                left_end = left - 1
                right_end = left_end + width
                # The rectangle has no other number.
                if below[right_end] - above[right_end] - below[left_end] + above[left_end] == 1:
                    cells = [*product(range(top, top + height), range(left, left + width))]
                    options[f"r{top}c{left} {height}x{width}"] = cells
                    marks.append(tuple((cell, str(number)) for cell in cells))
                    n_entries += len(cells)
                    if n_entries > MAX_CELLS:
                        reason = f"possible rectangles have more than {MAX_CELLS:,} cells"
                        raise table.error(1, reason)
    cells = board_cells(n_rows, n_columns)
    named = (r"(r\d{1,3}c\d{1,3}) (\d{1,3}x\d{1,3})", r"the rectangle \2 from \1"), CELL_WORDS
    picture = Pieces("Shikaku", marks, cells, [*givens.items()], blank="-", words=named)
    return Puzzle("Shikaku", Formulation(options, cells, view=picture))


def example() -> Puzzle:
    """Divide a board into rectangles, each with one number, which is its area.

    Items: each cell.
    Options: a rectangle.

    Notes
    -----
    In texts, rectangles are numbered in the order of their numbers on the board.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    3 1 1 2
    3 1 1 2
    3 4 4 2
    5 5 5 5
    """
    return parse(Record("example", "4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4"))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle, which may have several solutions.

    The first free cell is the corner of a random rectangle of free cells until none is left.

    >>> len(random(1, 6).splitlines())
    7
    """
    generator = Random(seed)
    free = dict.fromkeys(product(range(size), repeat=2))
    word_of = dict.fromkeys(free, "-")
    while free:
        r, c = next(iter(free))
        shapes = [
            [*product(range(r, r + height), range(c, c + width))]
            for height, width in product(range(1, LONGEST + 1), repeat=2)
            if height * width > 1
        ]
        fitting = [shape for shape in shapes if free.keys() >= {*shape}] or [[(r, c)]]
        chosen = generator.choice(fitting)
        word_of[generator.choice(chosen)] = str(len(chosen))
        for cell in chosen:
            del free[cell]
    return board_text([[word_of[r, c] for c in range(size)] for r in range(size)]) + "\n"
