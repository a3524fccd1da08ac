"""The JSON objects of SudokuPad: givens, regions, and cages; lines have a meaning in words only."""

import warnings
from itertools import chain
from math import floor, isqrt
from typing import Any

from ...sudoku.box import Box
from .fpuzzles import (
    COSMETIC_CELL_FIELDS,
    FLAGS,
    FOG,
    NO_VALUE,
    find_boxes,
    read_integer,
    unknown_fields,
)

GLOBAL = {**FLAGS, "disjoint": "disjoint_groups"}
FOGS = "foglight", "triggereffect", "foglink"
# Fields that are read, or do not restrict the values
FIELDS = {
    *("cells", "regions", "cages", "lines", "arrows", "overlays", "underlays", "global", *FOGS),
    *("metadata", "metaData", "videos", "settings", "rules", "solution"),
}
CELL_FIELDS = {"value", "pencilMarks", "cornermarks", "centremarks", *COSMETIC_CELL_FIELDS}
CAGE_FIELDS = {"cells", "value", "sum", "unique", "hidden"}

# Words of rules that say what all lines mean, whatever their directions
MEANINGS = {
    "whisper": "whispers",
    "renban": "renban",
    "palindrome": "palindromes",
    "region sum": "region_sum_lines",
    "entropic": "entropic_lines",
    "zipper": "zipper_lines",
    "parity": "parity_lines",
    "between line": "between_lines",
    "lockout": "lockouts",
}


def parse_sudokupad(found: dict[str, Any]) -> tuple[dict[str, Any], Box, list[int]]:
    """Return the arguments of `SudokuRules`, the box, and the values, 0 for an empty cell.

    Raises ValueError if something has no meaning, or is not valid.
    """
    cells = [cell for row in found["cells"] for cell in row]
    if not all(isinstance(cell, dict) for cell in cells):
        raise ValueError(
            'the cells must be objects; cages are written as {"cages": [[SUM, [CELL, ...]]]}'
        )
    n = isqrt(len(cells))
    metadata = {**(found.get("metaData") or {}), **(found.get("metadata") or {})}
    if not n or any(len(row) != n for row in found["cells"]) or len(found["cells"]) != n:
        raise ValueError("the cells must be n rows of n cells")
    values = [read_integer(cell.get("value") or 0) for cell in cells]
    if unknown := _unsupported(found, metadata):
        raise ValueError(f"constraints that are not supported: {', '.join(unknown)}")
    rules: dict[str, Any] = {FLAGS[name]: True for name in FLAGS if metadata.get(name)}
    rules |= {GLOBAL[name]: True for name in found.get("global") or []}
    rules |= _read_cages(found, n)
    rules |= _read_lines(found, n, str(metadata.get("rules") or found.get("rules") or ""))
    _reject_marks(found)
    if any(map(found.get, FOGS)):
        warnings.warn(FOG, stacklevel=2)
    region_of: dict[int, int] = {}
    for k, region in enumerate(found.get("regions") or []):
        region_of |= dict.fromkeys(_numbers(region, n), k)
    if not region_of:  # a Latin square
        return rules, Box.checked(1, n), values
    regions, box = find_boxes([region_of.get(cell, -1) for cell in range(n * n)], n)
    return rules | {"regions": regions}, box, values


def _unsupported(found: dict[str, Any], metadata: dict[str, Any]) -> list[str]:
    """Return the names of fields that may be constraints, which would be ignored."""
    names = unknown_fields(found, FIELDS) + unknown_fields(metadata, {*FLAGS, "rules"})
    for row in found["cells"]:
        names += chain(*(unknown_fields(cell, CELL_FIELDS) for cell in row))
    for cage in found.get("cages") or []:
        names += [f"{name} of a cage" for name in unknown_fields(cage, CAGE_FIELDS)]
    return sorted({*names}) + [f"global {n}" for n in found.get("global") or [] if n not in GLOBAL]


def _read_cages(found: dict[str, Any], n: int) -> dict[str, list[Any]]:
    """Return the cages, and the sums of cells with equal digits, as those of little killers.

    Both are drawn as cages, and so is a hidden helper without a meaning.
    """
    rules: dict[str, list[Any]] = {"cages": [], "little_killers": []}
    for cage in (each for each in found.get("cages") or [] if each.get("cells")):
        sums = {str(cage[key]) for key in ("value", "sum") if cage.get(key) not in NO_VALUE}
        if len(sums) > 1:
            raise ValueError(f"a cage has the value {cage['value']!r} and the sum {cage['sum']!r}")
        text = "".join(sums)
        total = read_integer(text) if text else None
        if cage.get("unique", text != ""):
            rules["cages"].append((total, _numbers(cage["cells"], n)))
        elif text:
            rules["little_killers"].append((total, _numbers(cage["cells"], n)))
        elif not cage.get("hidden"):
            raise ValueError("constraints that are not supported: a cage without a meaning")
    return rules


def _read_lines(found: dict[str, Any], n: int, words: str) -> dict[str, list[Any]]:
    """Return the lines, whose meaning the rules in words must name, and warn of what is assumed."""
    lines = [_numbers(_places_on(each["wayPoints"]), n) for each in found.get("lines") or []]
    if not lines:
        if words:
            warnings.warn(f"the rules in words are not read: {words}", stacklevel=3)
        return {}
    meanings = [rule for word, rule in MEANINGS.items() if word in words.lower()]
    if len(meanings) != 1 or len({each.get("color") for each in found["lines"]}) > 1:
        raise ValueError(
            "constraints that are not supported: lines without a meaning, because the rules in "
            "words do not name one kind of lines; write them as SudokuRules"
        )
    [rule] = meanings
    warnings.warn(f"the lines are read as {rule}, which the rules in words name", stacklevel=3)
    least = 4 if "dutch" in words.lower() else None  # by how much neighbors differ on whispers
    return {rule: [(least, line) for line in lines] if rule == "whispers" else lines}


def _reject_marks(found: dict[str, Any]) -> None:
    """Raise ValueError if there are arrows, circles or texts, which are constraints.

    Rectangles without text are decoration.
    """
    marks = [
        name
        for name in ("arrows", "overlays", "underlays")
        for each in found.get(name) or []
        if name == "arrows" or each.get("text") or each.get("rounded")
    ]
    if marks:
        listed = ", ".join(dict.fromkeys(marks))
        raise ValueError(f"constraints that are not supported: {listed} without a meaning")


def _numbers(places: Any, n: int) -> list[int]:
    """Return the numbers of cells that are given by rows and columns."""
    is_inside = all(0 <= row < n and 0 <= column < n for row, column in places)
    if not is_inside or any(number != int(number) for place in places for number in place):
        raise ValueError(f"a {n}x{n} board has no cell {places}")
    return [int(row) * n + int(column) for row, column in places]


def _places_on(points: Any) -> list[tuple[int, int]]:
    """Return the row and the column of each cell on a line through points."""
    (row, column), *others = ([floor(each) for each in point] for point in points)
    places = [(row, column)]
    for next_row, next_column in others:
        down = next_row - row
        right = next_column - column
        steps = max(abs(down), abs(right))
        if down and right and abs(down) != abs(right):
            raise ValueError(f"a line is neither straight nor diagonal: {points}")
        for _ in range(steps):
            row += down // steps
            column += right // steps
            places.append((row, column))
    return places
