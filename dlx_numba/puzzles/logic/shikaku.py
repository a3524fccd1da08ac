"""Shikaku: rectangles with given areas."""

from itertools import product
from random import Random

import numpy as np

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.filling import Pieces
from ..puzzle import Puzzle
from ..records import Record
from .boards import CELL_WORDS, Cell, WordTable
from .rows import board_text

formats = "rows and columns, then the areas in their cells, and - for other cells"

MAX_CELLS = 4_000_000  # of all rectangles together
DRAWN = (2, 30)  # of new puzzles: their rows
LONGEST = 4  # a side of a rectangle


def _layout(table: WordTable) -> tuple[int, int, dict[Cell, int]]:
    """Return the numbers of rows and columns, and the given areas."""
    words = table.board("[1-9][0-9]{0,4}|[.-]", "a number from 1, - or .")
    n_rows, n_columns = max(words)
    areas = {cell: int(word) for cell, word in words.items() if word.isdigit()}
    if sum(areas.values()) != n_rows * n_columns:
        reason = f"the areas sum to {sum(areas.values())}, not to {n_rows}×{n_columns}"
        raise table.error(1, reason)
    return n_rows, n_columns, areas


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    table = WordTable(record)
    n_rows, n_columns, areas = _layout(table)
    is_number = np.zeros((n_rows + 1, n_columns + 1), np.int64)
    is_number[tuple(zip(*areas, strict=True))] = 1
    sums = is_number.cumsum(0).cumsum(1).tolist()  # of the cells above and to the left
    options = {}
    marks = []
    n_cells = 0
    for number, ((r, c), area) in enumerate(areas.items(), 1):
        for height in range(1, min(area, n_rows) + 1):
            width, rest = divmod(area, height)
            if rest or width > n_columns:
                continue
            tops = range(max(1, r - height + 1), min(r, n_rows - height + 1) + 1)
            lefts = range(max(1, c - width + 1), min(c, n_columns - width + 1) + 1)
            for top, left in product(tops, lefts):
                above = sums[top - 1]
                below = sums[top + height - 1]
                before = left - 1
                end = before + width
                if below[end] - above[end] - below[before] + above[before] == 1:
                    cells = [*product(range(top, top + height), range(left, left + width))]
                    options[f"r{top}c{left} {height}x{width}"] = cells
                    marks.append(tuple((cell, str(number)) for cell in cells))
                    n_cells += area
                    if n_cells > MAX_CELLS:
                        reason = f"possible rectangles have more than {MAX_CELLS:,} cells"
                        raise table.error(1, reason)
    given = [(cell, str(area)) for cell, area in areas.items()]
    cells = board_cells(n_rows, n_columns)
    words = (r"(r\d{1,3}c\d{1,3}) (\d{1,3}x\d{1,3})", r"the rectangle \2 from \1"), CELL_WORDS
    picture = Pieces("Shikaku", marks, cells, given, blank="-", words=words)
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
