"""The JSON objects of f-puzzles and SudokuPad, and the links that contain them compressed.

An object lists constraints by name. Those that `SudokuRules` cannot express are errors: a puzzle is
never solved without some of its constraints.
"""

import math
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ..sudoku.box import SIDES, Box

FLAGS = {
    "antiknight": "anti_knight",
    "antiking": "anti_king",
    "nonconsecutive": "non_consecutive",
    "disjointgroups": "disjoint_groups",
}
PAIRS = {"difference": ("differences", 1), "ratio": ("ratios", 2)}  # with the default number
XV = {"X": 10, "V": 5}
SUPPORTED = {
    *FLAGS,
    *PAIRS,
    *("size", "grid", "diagonal+", "diagonal-", "thermometer", "killercage", "extraregion"),
    *("clone", "palindrome", "xv", "arrow", "littlekillersum"),
}
# What does not restrict the values
COSMETIC = {
    *("title", "author", "ruleset", "solution", "successMessage", "metadata", "highlightConflicts"),
    *("text", "circle", "rectangle", "line", "cage", "disabledlogic", "truecandidatesoptions"),
    "id",
}
CELL_FIELDS = {"value", "given", "region"}
COSMETIC_CELL_FIELDS = {"c", "cArray", "highlight", "centerPencilMarks", "cornerPencilMarks"}

MAX_LINK_LENGTH = 1 << 16

_CELL = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})")
_URL = r"https?://(?:(?!N4Ig)\S)*[/=]"  # up to the first place where a puzzle may start
_LINK = re.compile(rf"(?:{_URL})?(?:fpuzzles|fpuz)?(N4Ig[A-Za-z0-9+/=%_ -]+)")


def is_link(text: str) -> bool:
    """Return whether a text is a link to a puzzle, or the compressed string of one."""
    return _LINK.fullmatch(text.strip()) is not None


def decompress_link(text: str) -> str:
    """Return the JSON object in a link. Raises ValueError if it is damaged."""
    try:
        from lzstring import LZString  # the extra `lzstring`
    except ImportError:
        raise ValueError(
            "compressed puzzles need the package lzstring: pip install 'dlx-numba[lzstring]'"
        ) from None
    if len(text) > MAX_LINK_LENGTH:
        raise ValueError(f"the link is longer than {MAX_LINK_LENGTH:,} characters")
    match = _LINK.fullmatch(text.strip())
    compressed = unquote(match[1]).replace(" ", "+") if match else ""
    try:
        return str(LZString().decompressFromBase64(compressed) or "")
    except (KeyError, IndexError, ValueError, TypeError):
        raise ValueError("the compressed puzzle is damaged") from None


def parse_fpuzzles(found: dict[str, Any]) -> tuple[dict[str, Any], Box, list[int]]:
    """Return the arguments of `SudokuRules`, the box, and the values, 0 for an empty cell.

    Raises ValueError if the puzzle has constraints that are not supported, or is not valid.
    """
    unknown = [name for name, value in found.items() if value and name not in SUPPORTED | COSMETIC]
    grid = _cells(found["grid"], found.get("size"))
    in_cells = {name for cell in grid for name, value in cell.items() if value}
    unknown += sorted(in_cells - CELL_FIELDS - COSMETIC_CELL_FIELDS)
    if unknown:
        raise ValueError(f"constraints that are not supported: {', '.join(unknown)}")
    n = math.isqrt(len(grid))
    box = Box._of_side(n) if n in SIDES else Box._checked(1, n)

    def entries(name: str) -> list[tuple[Any, list[int]]]:
        """Return the value of each object of a constraint, if any, and its cells."""
        return [(each.get("value"), _numbers(each["cells"], n)) for each in found.get(name) or []]

    def lines(name: str) -> list[list[int]]:
        """Return the cells of the lines of a constraint."""
        return [_numbers(line, n) for each in found.get(name) or [] for line in each["lines"]]

    def summed(name: str) -> list[tuple[int | None, list[int]]]:
        """Return the sum that each object states, if any, and its cells."""
        return [(int(str(value)) if value else None, cells) for value, cells in entries(name)]

    rules: dict[str, Any] = {rule: True for name, rule in FLAGS.items() if found.get(name)}
    extra = [cells for _, cells in entries("extraregion")]
    up, down = ([k * (n + step) + start for k in range(n)] for step, start in ((-1, n - 1), (1, 0)))
    if found.get("diagonal+") and found.get("diagonal-"):
        rules["diagonals"] = True
    else:
        extra += [up] * bool(found.get("diagonal+")) + [down] * bool(found.get("diagonal-"))
    for name, (rule, default) in PAIRS.items():
        rules[rule] = [(*cells, int(str(value or default))) for value, cells in entries(name)]
    rules["sums"] = [(*cells, XV.get(str(value).upper(), 0)) for value, cells in entries("xv")]
    rules["thermometers"] = lines("thermometer")
    clones = [
        pair
        for each in found.get("clone") or []
        for pair in zip(*(_numbers(each[key], n) for key in ("cells", "cloneCells")), strict=True)
    ]
    for cells in lines("palindrome"):
        clones += zip(cells[: len(cells) // 2], reversed(cells), strict=False)
    rules["clones"] = [pair for pair in clones if pair[0] != pair[1]]
    rules["cages"] = summed("killercage")
    rules["arrows"] = [arrow for each in found.get("arrow") or [] for arrow in _arrows(each, n)]
    rules["little_killers"] = [each for each in summed("littlekillersum") if each[0] is not None]
    values = [_value(cell, n) for cell in grid]
    return {**rules, "regions": _regions(grid, box), "extra_regions": extra}, box, values


def _cells(rows: list[list[dict[str, Any]]], size: Any) -> list[dict[str, Any]]:
    """Return the cells of a grid by rows."""
    n = len(rows)
    if not n or size not in (None, n) or any(len(row) != n for row in rows):
        raise ValueError("the grid must have `size` rows of `size` cells")
    return [cell for row in rows for cell in row]


def _value(cell: dict[str, Any], n: int) -> int:
    """Return the value of a given, or 0; a value that is not given was entered by a solver."""
    value = int(cell.get("value") or 0) if cell.get("given") else 0
    if not 0 <= value <= n:
        raise ValueError(f"the value {value} is not in the range 1 to {n}")
    return value


def _regions(cells: list[dict[str, Any]], box: Box) -> list[int] | None:
    """Return the region of each cell; None if all are boxes."""
    n, rows, columns = box.n, *box
    boxes = [cell // n // rows * rows + cell % n // columns for cell in range(n * n)]
    regions = [cell.get("region", default) for cell, default in zip(cells, boxes, strict=True)]
    is_same = len(set(regions)) == len(set(zip(regions, boxes, strict=True))) == n
    return None if is_same else regions


def _arrows(found: dict[str, Any], n: int) -> Iterator[list[int]]:
    """Yield the circle and the other cells of each line of an arrow."""
    circle = _numbers(found["cells"], n)
    if len(circle) != 1:
        raise ValueError(
            "constraints that are not supported: arrow with several cells in its circle"
        )
    for line in found["lines"]:
        yield circle + [cell for cell in _numbers(line, n) if cell not in circle]


def _numbers(names: Any, n: int) -> list[int]:
    """Return the numbers of cells with names such as R1C9."""
    numbers = []
    for name in names:
        match = _CELL.fullmatch(str(name))
        row, column = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (1 <= row <= n and 1 <= column <= n):
            raise ValueError(f"a {n}x{n} board has no cell {name!r}")
        numbers.append((row - 1) * n + column - 1)
    return numbers
