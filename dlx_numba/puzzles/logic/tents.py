"""Tents beside trees."""

from collections.abc import Collection
from functools import partial
from itertools import product
from random import Random
from typing import Any

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable, beside
from .rows import board_text, join_cells

formats = "rows and columns, the tents of each column and of each row, then x for each tree"

DRAWN = (2, 30)  # of new puzzles: their rows
DENSITY = 0.2  # the tents in each cell

WORDS = (
    (r"(r\d{1,3}c\d{1,3})-(r\d{1,3}c\d{1,3})", r"a tent in \2 for the tree in \1"),
    (r"no tent .*", "no tent"),
    (r"tree,(\d+),(\d+)", r"the tree in r\1c\2"),
    (r"(?:no tent,)?(row|column),(\d+)", r"\1 \2", r"\1 \2 has no more tents"),
    (r"block,(\d+),(\d+)", r"the 2×2 cells from r\1c\2", "tents do not touch each other"),
)


def _layout(table: WordTable) -> tuple[list[str], list[str], dict[Cell, str]]:
    """Return the numbers of tents in each column and in each row, and the content of each cell."""
    n_rows, n_columns = table.size()
    number = r"-|\?|[0-9]+", "a number, or - for any"
    columns = table.words(2, *number, n_columns)
    rows = table.words(3, *number, n_rows)
    return columns, rows, table.cells(4, (n_rows, n_columns), "[x.-]", "x, - or .")


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    return _formulate(WordTable(record))


def _formulate(table: WordTable, is_whole: bool = False) -> Puzzle:
    """Return a puzzle, whose items and options `example` describes.

    Places in rows and columns without tents are left out; in the whole formulation, an option that
    has to be chosen excludes them.
    """
    columns, rows, cells = _layout(table)
    trees = [cell for cell, word in cells.items() if word == "x"]
    exactly = {
        (name, k): int(number)
        for name, numbers in (("row", rows), ("column", columns))
        for k, number in enumerate(numbers, 1)
        if number.isdigit()
    }
    # Rows and columns with tents, whose items are covered as often, and those without
    counted = {line: number for line, number in exactly.items() if number}
    empty = [line for line, number in exactly.items() if not number]
    # The trees with the cells beside them that are on the board, and have no tree
    pairs = [(tree, cell) for tree in trees for cell in beside(tree) if cells.get(cell, "x") != "x"]
    if not is_whole:
        pairs = [pair for pair in pairs if set(empty).isdisjoint(_lines(pair[1]))]
        empty = []
    options: dict[str, list[Any]] = {}
    for (y, x), cell in pairs:
        lines = [line for line in _lines(cell) if line in exactly]
        covered = [("tree", y, x), *_blocks(cell), *lines]
        options[f"r{y}c{x}-r{cell[0]}c{cell[1]}"] = covered
    options |= {f"no tent in {name} {k}": [("no tent", name, k), (name, k)] for name, k in empty}
    blocks = dict.fromkeys(block for _, cell in pairs for block in _blocks(cell))
    items: list[Any] = [("no tent", *line) for line in empty]
    items += [*(("tree", *tree) for tree in trees), *counted, *empty]
    picture = Grid(
        "Tents",
        (*(((cell, "o"),) for _, cell in pairs), *(() for _ in empty)),
        [*cells],
        [(tree, "x") for tree in trees],
        blank="-",
        margins=(tuple(rows), tuple(columns)),
        glyphs=(("x", "♣"), ("o", "▲")),
        words=WORDS,
    )
    formulation = Formulation(options, items, list(blocks), multiplicity=counted, view=picture)
    has_cycle = _has_cycle(trees, {cell for _, cell in pairs})
    condition = partial(_is_first, pairs) if has_cycle else None
    return Puzzle("Tents", formulation, condition, whole=partial(_formulate, table, True))


def _lines(cell: Cell) -> list[tuple[str, int]]:
    """Return the row and the column of a cell."""
    return [*zip(("row", "column"), cell, strict=True)]


def _blocks(cell: Cell) -> list[tuple[str, int, int]]:
    """Return the blocks of 2×2 cells that a cell is in."""
    r, c = cell
    return [("block", r - down, c - right) for down, right in product((0, 1), repeat=2)]


def _has_cycle(trees: list[Cell], places: Collection[Cell]) -> bool:
    """Return whether trees may form a cycle, around which all of them could change their tents.

    Around it, each tree is between two tents in a line.
    """
    number = {cell: k for k, cell in enumerate(places)}
    around = [[number.get(cell) for cell in beside(tree)] for tree in trees]
    pairs = [(a, b) for up, left, right, down in around for a, b in ((up, down), (left, right))]
    joined = [(a, b) for a, b in pairs if a is not None and b is not None]
    # Each pair that closes no cycle leaves one area less.
    return len({*join_cells(len(number), joined)}) > len(number) - len(joined)


def _is_first(pairs: list[tuple[Cell, Cell]], cover: list[int]) -> bool:
    """Return whether no tree could have an earlier one of the same tents if later trees change.

    Of several covers with the same tents, only one satisfies this.
    """
    tent_of = dict(pairs[k] for k in cover if k < len(pairs))  # without the options of no tent
    tree_of = {tent: tree for tree, tent in tent_of.items()}
    for first, tent in tent_of.items():
        for wanted in beside(first):
            if wanted >= tent or wanted not in tree_of:  # no earlier tent than its own
                continue
            # Is there a chain of later trees, each of which takes the tent of the next one?
            reached = {first}
            stack = [tree_of[wanted]]
            while stack:
                tree = stack.pop()
                if tree in reached or tree < first:
                    continue
                reached.add(tree)
                if tent in beside(tree):  # the chain closes: this tree takes the tent of the first
                    return False
                stack += [tree_of[cell] for cell in beside(tree) if cell in tree_of]
    return True


EXAMPLE = "5 5\n1 1 0 1 2\n2 0 1 1 1\n- - x x -\n- - - - -\n- - x - -\n- - - - x\nx - - - -"


def example() -> Puzzle:
    """Place a tent beside each tree.

    A tent is to the left or right of its tree, above or below it. Tents do not touch each other,
    not even diagonally. The number of tents in each row and column is given.

    Items: each tree; each row and column, covered once for each of its tents.
    Secondary items: each block of 2×2 cells.
    Options: a tent in a cell beside a tree.

    Notes
    -----
    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    - o x x o
    - - - - -
    - - x o -
    o - - - x
    x - - - o
    """
    return parse(Record("example", EXAMPLE))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle, which may have several solutions.

    >>> len(random(1, 6).splitlines())
    9
    """
    generator = Random(seed)
    cells = board_cells(size)
    word_of = dict.fromkeys(cells, "-")
    tents: set[Cell] = set()
    for r, c in generator.sample(cells, len(cells)):
        free = [cell for cell in beside((r, c)) if word_of.get(cell) == "-" and cell not in tents]
        near = {(r + down, c + right) for down, right in product((-1, 0, 1), repeat=2)}
        if word_of[r, c] == "-" and free and not near & tents and DENSITY * size**2 > len(tents):
            tents.add((r, c))
            word_of[generator.choice(free)] = "x"
    places = range(1, size + 1)
    counts = [[str(sum(cell[axis] == k for cell in tents)) for k in places] for axis in (1, 0)]
    rows = [[word_of[r, c] for c in places] for r in places]
    return board_text([*counts, *rows], size, size) + "\n"
