"""Star battles, and queens in regions."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import combinations_with_replacement, pairwise, product
from random import Random
from typing import Any

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.grid import Grid
from ...runtime.json import fits
from ..lattice.regions import components
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable, beside, check_keys
from .rows import as_word, board_text

formats = (
    "rows, columns and stars, then the region of each cell, or # for none; "
    'for one star, rows of letters without blanks; {"regions": [...], "stars": 1}'
)

DRAWN = (5, 9)  # of new puzzles: their rows
MAX_MOVES = 200  # cells that change their regions


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    table = WordTable(record.as_text(_as_text))
    if table.has_symbols:
        if len(table) < 4:
            raise table.error(1, "a square of letters has at least 4 rows")
        stars = 1
        region = table.symbols("[A-Za-z]", "a letter")
    else:
        n_rows, n_columns, stars = table.size(3)
        names = r"\w+|[@#.-]", "a region, or # for none"
        region = table.cells(2, (n_rows, n_columns), *names)
    n_rows, n_columns = max(region)
    # Cells without a region may fill the last rows and columns.
    region = {cell: label for cell, label in region.items() if re.match(r"\w", label)}
    n_regions = len({*region.values()})
    if not n_rows == n_columns == n_regions:
        raise table.error(
            1,
            f"{n_rows} rows, {n_columns} columns and {n_regions} regions cannot all "
            "have the same number of stars",
        )
    return _formulate(stars, region)


def _as_text(value: Any) -> str:
    """Return the text of an object with rows of regions, as texts or lists."""
    check_keys(value, "regions", "stars", "size")
    rows = value.get("regions") if isinstance(value, dict) else None
    if not rows or not fits(rows, [(str, list)]):
        raise ValueError('expected rows of regions, such as {"regions": ["AAB", "ACB", "CCB"]}')
    size = value.get("size", len(rows))
    stars = value.get("stars", 1)
    return board_text([[*map(as_word, row)] for row in rows], *map(as_word, (size, size, stars)))


def _formulate(stars: int, region: dict[Cell, str], is_whole: bool = False) -> Puzzle:
    """Return a puzzle, whose items and options `example` describes.

    If k rows contain k - 1 regions, their other cells have the stars of one row; the items of these
    cells save most of the search. If they contain k regions, their other cells are left out; in the
    whole formulation, an option that has to be chosen excludes them.
    """
    n = len(set(region.values()))
    options: dict[Cell, list[Any]] = {
        (r, c): [("row", r), ("column", c), ("region", region[r, c])] for r, c in region
    }
    lines = [(name, k) for name in ("row", "column") for k in range(1, n + 1)]
    primary: dict[Any, int] = dict.fromkeys(
        [*lines, *(("region", label) for label in region.values())], stars
    )
    blocks = list(product(range(1, n), repeat=2))
    for (r, c), (down, right) in product(blocks, product((0, 1), repeat=2)):
        if (cell := (r + down, c + right)) in region:
            options[cell].append(("block", r, c))
    empty: dict[str, list[Any]] = {}
    for axis, band, inside in _bands(region, n):
        name, first, last = band  # "rows" or "columns", and the first and the last of them
        # The cells of these rows or columns that are not in the regions inside
        between = [
            cell for cell in options if first <= cell[axis] <= last and region[cell] not in inside
        ]
        is_full = len(inside) > last - first  # as many regions as lines: these have all the stars
        if not is_full:
            primary[band] = stars
        elif is_whole and between:
            # The option of "no star" is the only one that covers its item, so it takes the band
            # from all cells in it.
            primary |= {band: 1, ("no star", *band): 1}
            empty[f"no star in {name} {first} to {last}"] = [band, ("no star", *band)]
        for cell in between:
            options[cell].append(band)
            if is_full and not is_whole:  # no star can be here
                del options[cell]
    picture = Grid(
        "Star battle",
        (*(((cell, "x"),) for cell in options), *(() for _ in empty)),
        [*board_cells(n)],
        regions=[*region.items()],
        blank="-",
        glyphs=(("x", "★"),),
        words=_words(region),
    )
    formulation = Formulation(
        {f"r{r}c{c}": items for (r, c), items in options.items()} | empty,
        list(primary),
        [("block", *block) for block in blocks],
        multiplicity=primary,
        view=picture,
    )
    whole = partial(_formulate, stars, region, True)
    return Puzzle("Star battle", formulation, whole=whole)


def _bands(region: dict[Cell, str], n: int) -> Iterator[tuple[int, tuple[str, int, int], set[str]]]:
    """Yield an axis, adjacent rows or columns, and the regions inside: as many, or one fewer."""
    for axis, name in enumerate(("rows", "columns")):
        places: defaultdict[str, list[int]] = defaultdict(list)  # the lines of each region
        for cell, label in region.items():
            places[label].append(cell[axis])
        spans = [(label, min(each), max(each)) for label, each in places.items()]
        for first, last in combinations_with_replacement(range(1, n + 1), 2):
            inside = {label for label, low, high in spans if first <= low and high <= last}
            if inside and len(inside) - (last - first) in (0, 1):  # of last - first + 1 lines
                yield axis, (name, first, last), inside


def _words(region: dict[Cell, str]) -> tuple[tuple[str, ...], ...]:
    """Return what sentences call items: regions by their first cells."""
    first_cell = {label: f"r{r}c{c}" for (r, c), label in reversed(region.items())}
    return (
        (r"r\d+c\d+", r"\g<0>"),
        (r"no star .*", r"no star"),
        *((f"region,{name}", f"the region of {cell}") for name, cell in first_cell.items()),
        (r"(row|column),(\d+)", r"\1 \2", r"\1 \2"),
        (r"block,(\d+),(\d+)", r"the 2×2 cells from r\1c\2", "stars do not touch each other"),
        (r"(?:no star,)?(row|column)s,(\d+),\2", r"\1 \2 outside of the whole region in it"),
        (
            r"(?:no star,)?(rows|columns),(\d+),(\d+)",
            r"\1 \2 to \3 outside of the whole regions in them",
        ),
    )


def example() -> Puzzle:
    """Place stars so that each row, column and region has one.

    Stars do not touch each other, not even diagonally. With one star, they are also called queens.

    Items: each row, column and region; the cells of some rows that are in no region within these
    rows.
    Secondary items: each block of 2×2 cells, which has at most one star.
    Options: a star in a cell.

    Notes
    -----
    Files may contain puzzles with more stars; the items are then covered as often.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    x - - - -
    - - - x -
    - x - - -
    - - - - x
    - - x - -
    """
    return parse(Record("example", "AABBB\nACCBB\nACDDB\nAADEE\nAADDE"))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle with one star in each region, and with one solution.

    Regions grow from the stars of a solution. As long as there is another one, one of its cells
    moves to a neighboring region.

    >>> len(random(1, 6).splitlines())
    7
    """
    generator = Random(seed)
    while True:
        stars = [*range(size)]  # the column of the star in each row; adjacent ones must not touch
        while any(abs(a - b) < 2 for a, b in pairwise(stars)):
            generator.shuffle(stars)
        region = _grow(generator, stars)
        for _ in range(MAX_MOVES):
            if (other := _find_other(region, stars)) is None:
                rows = [[str(region[r, c] + 1) for c in range(size)] for r in range(size)]
                return board_text(rows, size, size, 1) + "\n"
            # Stars of the other solution only, whose regions are connected without their cells, and
            # the neighboring regions
            moves = [
                (cell, label)
                for cell in enumerate(other)
                if stars[cell[0]] != cell[1] and _is_loose(region, cell)
                for label in {region[each] for each in beside(cell) if each in region}
                if label != region[cell]
            ]
            if not moves:
                break
            cell, label = generator.choice(moves)
            region[cell] = label


def _grow(generator: Random, stars: list[int]) -> dict[Cell, int]:
    """Return the region of each cell: regions that grow from stars, one in each row."""
    region = {(r, c): r for r, c in enumerate(stars)}
    cells = set(product(range(len(stars)), repeat=2))
    frontier = [(near, r) for (r, c) in region for near in beside((r, c)) if near in cells]
    while frontier:
        k = generator.randrange(len(frontier))
        # The last element is removed in constant time.
        frontier[k], frontier[-1] = frontier[-1], frontier[k]
        cell, label = frontier.pop()
        if cell not in region:
            region[cell] = label
            frontier += [(near, label) for near in beside(cell) if near in cells]
    return region


def _is_loose(region: dict[Cell, int], cell: Cell) -> bool:
    """Return whether the region of a cell is connected without it."""
    others = {each: "" for each, label in region.items() if label == region[cell] and each != cell}
    return len([*components(others)]) < 2


def _find_other(region: dict[Cell, int], stars: list[int]) -> list[int] | None:
    """Return the columns of the stars in another solution, or None if there is none."""
    puzzle = _formulate(1, {(r + 1, c + 1): str(label) for (r, c), label in region.items()})
    picture: Any = puzzle.picture
    for cover in puzzle.solutions():
        columns = [c - 1 for _, c in sorted(picture.written(cover))]
        if columns != stars:
            return columns
    return None
