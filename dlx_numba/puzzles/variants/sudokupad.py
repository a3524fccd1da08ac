"""The JSON objects of SudokuPad: givens, regions, and cages; lines have a meaning in words only."""

import warnings
from math import isqrt
from typing import Any

from ...sudoku.box import Box
from .fpuzzles import FLAGS, FOG, board_box, without_boxes

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
    metadata = found.get("metadata") or {}
    if not n or any(len(row) != n for row in found["cells"]) or len(found["cells"]) != n:
        raise ValueError("the cells must be n rows of n cells")
    words = str(metadata.get("rules") or "")
    values = [int(cell.get("value") or 0) for cell in cells]

    def numbers(places: Any) -> list[int]:
        """Return the numbers of cells that are given by rows and columns."""
        is_inside = all(0 <= row < n and 0 <= column < n for row, column in places)
        if not is_inside or any(number != int(number) for place in places for number in place):
            raise ValueError(f"a {n}x{n} board has no cell {places}")
        return [int(row) * n + int(column) for row, column in places]

    rules: dict[str, Any] = {FLAGS[name]: True for name in FLAGS if metadata.get(name)}
    rules |= {"cages": [], "little_killers": []}
    # What is drawn as a cage may also be a sum of cells with equal digits, as that of a little
    # killer, or a hidden helper without a meaning.
    for cage in (each for each in found.get("cages") or [] if each.get("cells")):
        text = str(cage.get("value") or cage.get("sum") or "")
        if cage.get("unique", text != ""):
            rules["cages"].append((int(text) if text else None, numbers(cage["cells"])))
        elif text:
            rules["little_killers"].append((int(text), numbers(cage["cells"])))
        elif not cage.get("hidden"):
            raise ValueError("constraints that are not supported: a cage without a meaning")
    lines = [_cells_on(each["wayPoints"], numbers) for each in found.get("lines") or []]
    if lines:
        meanings = [rule for word, rule in MEANINGS.items() if word in words.lower()]
        if len(meanings) != 1 or len({each.get("color") for each in found["lines"]}) > 1:
            raise ValueError(
                "constraints that are not supported: lines without a meaning, because the rules in "
                "words do not name one kind of lines; write them as SudokuRules"
            )
        [rule] = meanings
        least = 4 if "dutch" in words.lower() else None  # by how much neighbors differ on whispers
        rules[rule] = [(least, line) for line in lines] if rule == "whispers" else lines
        warnings.warn(f"the lines are read as {rule}, which the rules in words name", stacklevel=2)
    elif words:
        warnings.warn(f"the rules in words are not read: {words}", stacklevel=2)
    # Rectangles without text are decoration; arrows, circles and texts are constraints.
    marks = [
        name
        for name in ("arrows", "overlays", "underlays")
        for each in found.get(name) or []
        if name == "arrows" or each.get("text") or each.get("rounded")
    ]
    if marks:
        listed = ", ".join(dict.fromkeys(marks))
        raise ValueError(f"constraints that are not supported: {listed} without a meaning")
    if found.get("foglight") or found.get("triggereffect"):
        warnings.warn(FOG, stacklevel=2)
    region_of: dict[int, int] = {}
    for k, region in enumerate(found.get("regions") or []):
        region_of |= dict.fromkeys(numbers(region), k)
    if not region_of:  # a Latin square
        return rules, Box.checked(1, n), values
    box = board_box(n)
    regions = [region_of.get(cell, -1) for cell in range(n * n)]
    return rules | {"regions": without_boxes(regions, box)}, box, values


def _cells_on(points: Any, numbers: Any) -> list[int]:
    """Return the cells on a line through points, which are given in rows and columns."""
    row, column = (int(each) for each in points[0])
    places = [(row, column)]
    for point in points[1:]:
        down = int(point[0]) - row
        right = int(point[1]) - column
        steps = max(abs(down), abs(right))
        if down and right and abs(down) != abs(right):
            raise ValueError(f"a line is neither straight nor diagonal: {points}")
        for _ in range(steps):
            row, column = row + down // steps, column + right // steps
            places.append((row, column))
    found: list[int] = numbers(places)
    return found
