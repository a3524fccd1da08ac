"""The units of a board: sets of cells in which each value appears once, or at most once."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..sudoku.box import Box, units
from .constraints import NUMBERED, SUMMED, Constraints

MAX_SIDE = 16  # of a board with rules
UNITS = ("diagonals", "windows", "disjoint_groups", "regions", "extra_regions")
LISTS = ("extra_regions", "less_than", "thermometers", "clones", "arrows")


def check_units(rules: Constraints, box: Box) -> dict[str, list[int]]:
    """Return the units of a board. Raises ValueError if a rule does not exist on it."""
    n = box.n
    if n > MAX_SIDE and rules.stated():
        raise ValueError(f"rules apply to boards of up to {MAX_SIDE}x{MAX_SIDE} cells, not {n}x{n}")
    pairs = [(name, each[:2]) for name in NUMBERED for each in getattr(rules, name)]
    lists = [(name, each) for name in LISTS for each in getattr(rules, name)]
    summed = [(name, cells) for name in SUMMED for _, cells in getattr(rules, name)]
    for name, cells in chain(pairs, lists, summed):
        if max(cells, default=0) >= box.cells:
            raise ValueError(f"{name}: a {n}x{n} board has no cell {max(cells)}")
    parameters: dict[str, Any] = {name: getattr(rules, name) or () for name in UNITS}
    return named_units(box, **parameters)


def named_units(
    box: Box,
    *,
    diagonals: bool = False,
    windows: bool = False,
    disjoint_groups: bool = False,
    regions: Sequence[object] = (),
    extra_regions: Sequence[Sequence[int]] = (),
) -> dict[str, list[int]]:
    """Return the cells of each unit, by its name.

    The parameters are those of `SudokuRules`. Units that consist of the same cells appear once.
    Raises ValueError if a unit does not exist on the board.

    >>> list(named_units(Box(2, 2), windows=True))[7:]
    ['column4', 'box1', 'box2', 'box3', 'box4', 'window1']
    """
    n = box.n
    grid = np.arange(box.cells).reshape(n, n)
    rows, columns, boxes = (units(box)[start : start + n] for start in range(0, 3 * n, n))
    kinds = {"row": rows, "column": columns, "box": boxes}
    if regions:
        if len(regions) != box.cells:
            raise ValueError(f"regions have {len(regions)} cells, but a {n}x{n} board {box.cells}")
        names = sorted(set(regions), key=regions.index)
        kinds["box"] = [[cell for cell in range(n * n) if regions[cell] == k] for k in names]
    if disjoint_groups:
        kinds["group"] = [list(cells) for cells in zip(*boxes, strict=True)]
    if windows:
        side = box.rows
        if box.rows != box.columns:
            raise ValueError(f"windows need square boxes, such as 3x3, not {box}")
        starts = range(1, n - side, side + 1)
        corners = [(row, column) for row in starts for column in starts]
        kinds["window"] = [
            grid[row : row + side, column : column + side].ravel().tolist()
            for row, column in corners
        ]
    kinds["region"] = [list(cells) for cells in extra_regions]
    named = {f"{kind}{k}": cells for kind, sets in kinds.items() for k, cells in enumerate(sets, 1)}
    if diagonals:
        named |= {"down": grid.diagonal().tolist(), "up": grid[::-1].diagonal().tolist()}
    distinct = {frozenset(cells): name for name, cells in reversed(named.items())}
    for name, cells in named.items():
        if len(cells) > n:
            raise ValueError(f"{name} has {len(cells)} cells, more than the {n} values")
    return {name: cells for name, cells in named.items() if distinct[frozenset(cells)] == name}
