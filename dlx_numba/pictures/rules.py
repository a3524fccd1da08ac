"""The rules of a Sudoku variant, drawn on a board."""

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import dist
from string import ascii_uppercase
from typing import Any

from .plane import Point, area, dot, line, mean, pixels, square, word

_INSET = 0.09  # of the outline of a cage
# The colors of lines, by which setters know their rules; None for that of other thin lines
_LINES = {
    **dict.fromkeys(("palindromes", "between_lines", "slow_thermometers")),
    "renban": "#d070d0",
    "whispers": "#50b850",
    "region_sum_lines": "#40a8e0",
    "entropic_lines": "#f0a070",
    "zipper_lines": "#b098f0",
    "parity_lines": "#e06060",
    "lockouts": "#7088e0",
}
_INDEXERS = {"column": "#ee8866", "row": "#77aadd", "box": "#44bb99"}
CLUES = ("sandwiches", "x_sums", "skyscrapers", "numbered_rooms")  # numbers beside the board
_NO_NUMBER = {"differences": 1, "ratios": 2}  # what a dot without a number states


def ground_elements(rules: Mapping[str, Any], box_rows: int, box_columns: int) -> list[str]:
    """Return what is drawn below the lines and texts of a board: areas and lines across cells.

    Parameters
    ----------
    rules
        Parameters of `SudokuRules` and their values.
    box_rows, box_columns
        The height and width of a box.
    """
    n = box_rows * box_columns
    cells = [divmod(cell, n) for cells in rules.get("extra_regions", ()) for cell in cells]
    if rules.get("windows"):
        inside = [k for k in range(n) if k % (box_rows + 1)]
        cells += product(inside, inside)
    elements = []
    if cells:
        elements.append(area([square(*cell) for cell in cells], class_="shade", opacity=0.6))
    for region in rules.get("extra_regions", ()):  # two of them can touch each other
        sides = _outline([divmod(cell, n) for cell in region])
        elements.append(line(sides, class_="thin", stroke_width=2))
    if rules.get("diagonals"):
        elements.append(line([[(0, 0), (n, n)], [(n, 0), (0, n)]], class_="thin", stroke_width=2))
    for thermometer in rules.get("thermometers", ()):
        points = [_center(cell, n) for cell in thermometer]
        bulb, tube = pixels(0.7), pixels(0.25)
        elements.append(line([points[:1] * 2], class_="thin", stroke_width=bulb))
        elements.append(line([points], class_="thin", stroke_width=tube, stroke_linejoin="round"))
    elements += _cell_elements(rules, n)
    for name, color in _LINES.items():
        for cells in rules.get(name, ()):
            points = [_center(cell, n) for cell in (cells[1] if name == "whispers" else cells)]
            style = {"class_": "thin"} if color is None else {"stroke": color, "opacity": 0.7}
            width = pixels(0.15 if name == "slow_thermometers" else 0.22)
            elements.append(line([points], stroke_width=width, stroke_linejoin="round", **style))
            if name == "between_lines":
                elements += [
                    dot(end, 0.4, class_="paper thin") for end in points[:: len(points) - 1]
                ]
            elif name == "lockouts":
                ends = [_diamond(end) for end in points[:: len(points) - 1]]
                elements.append(area(ends, class_="paper thin"))
            elif name == "slow_thermometers":
                elements.append(dot(points[0], 0.35, class_="paper thin", stroke_width=3))
    for circle, *cells in rules.get("arrows", ()):
        digits = circle if isinstance(circle, tuple | list) else [circle]
        near = min(digits, key=lambda cell: dist(_center(cell, n), _center(cells[0], n)))
        points = [_center(cell, n) for cell in (near, *cells)]
        (x, y), (u, v) = points[-2:]
        length = 10 * (abs(u - x) + abs(v - y))
        head = _sign(points[-1], (x - u) / length, (y - v) / length)
        elements.append(line([points, head], class_="thin", stroke_width=2))
        if digits == [circle]:
            elements.append(dot(points[0], 0.4, class_="paper wire"))
        else:
            (x, y), (u, v) = _center(min(digits), n), _center(max(digits), n)
            left, right, top, bottom = x - 0.4, u + 0.4, y - 0.4, v + 0.4
            pill = [(left, top), (right, top), (right, bottom), (left, bottom)]
            elements.append(area([pill], class_="paper wire"))
    return elements


def _cell_elements(rules: Mapping[str, Any], n: int) -> list[str]:
    """Return what is drawn in single cells."""
    elements = [dot(_center(cell, n), 0.4, class_="shade") for cell in rules.get("odd", ())]
    for name, inset in (("even", 0.1), ("minimum", 0), ("maximum", 0)):
        for row, column in (divmod(cell, n) for cell in rules.get(name, ())):
            low, high = inset, 1 - inset
            corners = [(low, low), (high, low), (high, high), (low, high)]
            shape = [(column + x, row + y) for x, y in corners]
            elements.append(area([shape], class_="shade"))
            if name != "even":  # arrowheads at the four sides, which point in or out
                length = 0.06 if name == "minimum" else -0.06
                sides = [
                    _sign((column + 0.5 + 0.4 * x, row + 0.5 + 0.4 * y), x * length, y * length)
                    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))
                ]
                elements.append(line(sides, class_="wire"))
    for kind, cells in rules.get("indexers", ()):
        shapes = [square(*divmod(cell, n)) for cell in cells]
        elements.append(area(shapes, fill=_INDEXERS[kind], opacity=0.4))
    return elements


def mark_elements(rules: Mapping[str, Any], n: int) -> list[str]:
    """Return what is drawn above the lines of a board: cages, signs, dots and numbers."""
    elements = []
    for total, numbers in rules.get("cages", ()):
        cells = [divmod(cell, n) for cell in numbers]
        elements.append(line(_outline(cells), class_="wire", stroke_dasharray="3 3"))
        if total is not None:
            row, column = min(cells)
            elements += _number(str(total), (column + 0.2, row + 0.2))
    for total, numbers in rules.get("little_killers", ()):
        points = [_center(cell, n) for cell in numbers]
        elements.append(line([points], class_="wire", stroke_dasharray="1 5"))
        elements += _number(str(total), (points[0][0] - 0.3, points[0][1] + 0.3))
    for letter, numbers in zip(ascii_uppercase * n, rules.get("clones", ()), strict=False):
        corners = [(cell % n + 0.85, cell // n + 0.2) for cell in numbers]
        elements += [word(letter, corner, 0.22, "soft") for corner in corners]
    for values, cells in rules.get("quadruples", ()):
        x, y = mean([_center(cell, n) for cell in cells])
        elements.append(dot((x, y), 0.28, class_="paper wire"))
        lines = [values[:2], values[2:]] if len(values) > 2 else [values]
        for k, part in enumerate(lines):
            place = x, y + 0.22 * (k - 0.5 * (len(lines) - 1))
            elements.append(word(" ".join(map(str, part)), place, 0.2))
    for name in CLUES:
        for number, cells in rules.get(name, ()):
            (x, y), (u, v) = (_center(cell, n) for cell in cells[:2])
            elements.append(word(str(number), (x - 0.85 * (u - x), y - 0.85 * (v - y)), 0.34))
    for name in ("less_than", "differences", "ratios", "sums"):
        for first, second, *number in rules.get(name, ()):
            ends = (x, y), (u, v) = _center(first, n), _center(second, n)
            place, length = mean(ends), abs(u - x) + abs(v - y)
            if length > 1:
                elements.append(line([ends], class_="thin", stroke_dasharray="3 3"))
            if name == "less_than":
                across, down = 0.1 * (u - x) / length, 0.1 * (v - y) / length
                elements.append(line([_sign(place, across, down)], class_="rule"))
            elif name == "sums":
                elements += _number(str(number[0]), place)
            else:
                class_ = "paper wire" if name == "differences" else "wire"
                elements.append(dot(place, 0.15, class_=class_))
                if number[0] != _NO_NUMBER[name]:
                    on_dot = "" if name == "differences" else "on"
                    elements.append(word(str(number[0]), place, 0.22, on_dot))
    return elements


def _diamond(place: Point) -> Sequence[Point]:
    x, y = place
    return [(x - 0.45, y), (x, y - 0.45), (x + 0.45, y), (x, y + 0.45)]


def _center(cell: int, n: int) -> Point:
    return cell % n + 0.5, cell // n + 0.5


def _sign(place: Point, across: float, down: float) -> Sequence[Point]:
    """Return an inequality sign that opens in a direction."""
    x, y = place
    wings = [(x + across - side * down, y + down + side * across) for side in (1.5, -1.5)]
    return [wings[0], (x - across, y - down), wings[1]]


def _number(text: str, place: Point) -> list[str]:
    """Return a small number on a blank background."""
    (x, y), half = place, 0.07 + 0.07 * len(text)
    corners = [(x - half, y - 0.13), (x + half, y - 0.13), (x + half, y + 0.13)]
    background = area([[*corners, (x - half, y + 0.13)]], class_="paper")
    return [background, word(text, place, 0.22)]


def _outline(cells: Collection[tuple[int, int]]) -> list[list[Point]]:
    """Return the sides of an area of cells, a little inside of it."""
    sides = []
    for (row, column), (down, right) in product(cells, ((0, 1), (1, 0), (0, -1), (-1, 0))):
        if (row + down, column + right) in cells:
            continue
        side = []
        for end in (-1, 1):
            over, along = right * end, down * end  # down and to the right, along the side
            half = 0.5 - _INSET
            if (row + over, column + along) in cells:
                is_concave = (row + down + over, column + right + along) in cells
                half = 0.5 + _INSET * is_concave
            x = column + 0.5 + right * (0.5 - _INSET) + along * half
            side.append((x, row + 0.5 + down * (0.5 - _INSET) + over * half))
        sides.append(side)
    return sides
