"""Boards without their contents: shaded cells, lines and frames."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import product, starmap

from .cells import coordinates
from .plane import area, line, rectangle, square


def board_elements(
    n_rows: int,
    n_columns: int,
    shaded: Iterable[tuple[int, int]],
    ground: Iterable[str],
    cells: Collection[tuple[int, int]],
) -> list[str]:
    """Return the elements of an empty board: shaded cells, `ground`, thin lines and the frame.

    `ground` is what is drawn above the shades and below the lines. If there are fewer `cells` than
    in its rows and columns, the missing ones are shaded, too.
    """
    across = [[(0, r), (n_columns, r)] for r in range(1, n_rows)]
    down = [[(c, 0), (c, n_rows)] for c in range(1, n_columns)]
    missing = {*product(range(n_rows), range(n_columns))}.difference(cells) if cells else ()
    squares = list(starmap(square, sorted({*shaded, *missing})))
    shades = [area(squares, class_="shade")] if squares else []
    frame = area([rectangle(0, 0, n_columns, n_rows)], class_="rule", fill="none")
    return [*shades, *ground, line([*across, *down], class_="thin"), frame]


def region_borders(
    region_of: Mapping[tuple[int, int], str], n_rows: int, n_columns: int
) -> list[list[tuple[int, int]]]:
    """Return the sides between cells of different regions, as pairs of points (x, y).

    Cells without a region are a region, too.
    """
    region = defaultdict(str, region_of)
    cells = list(product(range(n_rows), range(n_columns)))
    across = [[(c, r), (c + 1, r)] for r, c in cells if r and region[r, c] != region[r - 1, c]]
    down = [[(c, r), (c, r + 1)] for r, c in cells if c and region[r, c] != region[r, c - 1]]
    return across + down


def box_edges(region_of: Mapping[tuple[int, int], str]) -> tuple[list[int], list[int]]:
    """Return the first row and the first column of each box but the first, if regions are boxes.

    >>> box_edges({(r, c): str(c // 2) for r in range(2) for c in range(4)})
    ([], [2])
    """
    tops = _first_rows(region_of)
    lefts = _first_rows({(c, r): region for (r, c), region in region_of.items()})
    # A region, and a rectangle between neighboring borders in which it has cells. The regions are
    # these rectangles if there are as many pairs as regions and as rectangles.
    pairs = {(region, bisect(tops, r), bisect(lefts, c)) for (r, c), region in region_of.items()}
    is_divided = len(pairs) == len({*region_of.values()}) == len(tops) * len(lefts)
    return (tops[1:], lefts[1:]) if is_divided else ([], [])


def _first_rows(region_of: Mapping[tuple[int, int], str]) -> list[int]:
    """Return the rows with a border above them: all cells are in other regions than those above.

    The first row of the board is one of them.
    """
    rows, columns = map(set, coordinates(region_of))
    return [
        r
        for r in sorted(rows)
        if all(region_of.get((r - 1, c)) != region_of.get((r, c)) for c in columns)
    ]
