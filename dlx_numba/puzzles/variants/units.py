"""The units of a board: sets of cells in which each value appears once, or at most once."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from ...runtime.batched import batched
from ...sudoku.box import Box, units
from .constraints import CLUES, Constraints, cells_of

MAX_SIDE = 16  # of a board with rules
UNITS = ("diagonals", "windows", "disjoint_groups", "regions", "extra_regions")
_DIAGONALS = {"down": "the main diagonal", "up": "the antidiagonal"}


def unit_words(name: str, regions: object = None) -> str:
    """Return what a sentence calls a unit or a cage; `regions` are those in place of boxes.

    >>> unit_words("row3"), unit_words("up"), unit_words("region1")
    ('row 3', 'the antidiagonal', 'extra region 1')
    """
    name = re.sub(r"^region(?=\d)", "extra region", name)
    if regions:
        name = re.sub(r"^box(?=\d)", "region", name)
    return _DIAGONALS.get(name) or re.sub(r"(?<=[a-z])(?=[0-9])", " ", name)


def check_units(rules: Constraints, box: Box) -> dict[str, list[int]]:
    """Return the units of a board. Raises ValueError if a rule does not exist on it."""
    n = box.n
    values = rules.stated()
    if n > MAX_SIDE and values:
        raise ValueError(f"rules apply to boards of up to {MAX_SIDE}x{MAX_SIDE} cells, not {n}x{n}")
    for name, value in values.items():
        if type(value) is int:
            raise ValueError(f"{name}={value} is a number of {name}, which only generate places")
        if isinstance(value, tuple) and name != "regions":
            cells = [cell for entry in value for cell in cells_of(name, entry)]
            if max(cells, default=0) >= box.cells:
                raise ValueError(f"{name}: a {n}x{n} board has no cell {max(cells)}")
    clues = [(name, cells) for name in CLUES for _, cells in getattr(rules, name)]
    # The first 2 * n units are the rows and columns; clues see them from either end.
    lines = {tuple(cells) for cells in units(box)[: 2 * n]} if clues else set()
    for name, cells in clues:
        if cells not in lines and cells[::-1] not in lines:
            raise ValueError(f"{name}: cells must be a row or a column, not {list(cells)}")
    return named_units(box, **{name: getattr(rules, name) for name in UNITS})


@lru_cache
def named_units(
    box: Box,
    *,
    diagonals: bool = False,
    windows: bool = False,
    disjoint_groups: bool = False,
    regions: Sequence[int] | None = None,
    extra_regions: Sequence[Sequence[int]] = (),
) -> dict[str, list[int]]:
    """Return the cells of each unit, by its name.

    The parameters are those of `SudokuRules`. Units that consist of the same cells appear once. The
    result is kept for the next call, so it must not be modified. Raises ValueError if a unit does
    not exist on the board.

    >>> list(named_units(Box(2, 2), windows=True))[7:]
    ['column4', 'box1', 'box2', 'box3', 'box4', 'window1']
    """
    n = box.n
    grid = np.arange(box.cells).reshape(n, n)
    rows, columns, boxes = batched(units(box), n)
    kinds = {"row": rows, "column": columns, "box": boxes}
    if regions:
        if len(regions) != box.cells:
            raise ValueError(f"regions have {len(regions)} cells, but a {n}x{n} board {box.cells}")
        kinds["box"] = units(box, regions)[-n:]
    if disjoint_groups:
        kinds["group"] = [list(cells) for cells in zip(*boxes, strict=True)]
    if windows:
        side = box.rows
        if box.rows != box.columns:
            raise ValueError(f"windows need square boxes, such as 3x3, not {box}")
        kinds["window"] = [
            grid[row : row + side, column : column + side].ravel().tolist()
            for row, column in product(range(1, n - side, side + 1), repeat=2)
        ]
    kinds["region"] = [list(cells) for cells in extra_regions]
    named = {f"{kind}{k}": cells for kind, sets in kinds.items() for k, cells in enumerate(sets, 1)}
    if diagonals:
        named |= {"down": grid.diagonal().tolist(), "up": grid[::-1].diagonal().tolist()}
    # Of units with the same cells, the first one stays.
    distinct = {frozenset(cells): name for name, cells in reversed(named.items())}
    for name, cells in named.items():
        if len(cells) > n:
            raise ValueError(f"{name} has {len(cells)} cells, more than the {n} values")
    return {name: cells for name, cells in named.items() if distinct[frozenset(cells)] == name}
