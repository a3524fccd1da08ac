"""The rules of a Sudoku variant, drawn on a board."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, product, starmap
from math import dist
from string import ascii_uppercase
from typing import Any

from .plane import Point, Polygon, area, bounds, dot, line, mean, pixels, rectangle, square, word

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
_FINE: dict[str, Any] = {"class_": "thin", "stroke_width": 2}
_ROUND = {"stroke_linejoin": "round"}
_SIDES = (1, 0), (0, 1), (-1, 0), (0, -1)  # of a cell, as steps to the right and down


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
    # The rows and the columns in windows: those on both sides of them are left out.
    in_windows = [k for k in range(n) if k % (box_rows + 1)] if rules.get("windows") else []
    regions = [[divmod(cell, n) for cell in cells] for cells in _entries(rules, "extra_regions")]
    elements = []
    if shaded := [*chain.from_iterable(regions), *product(in_windows, in_windows)]:
        elements.append(area(list(starmap(square, shaded)), class_="shade", opacity=0.6))
    # Two regions can touch each other.
    elements += [line(_outline(cells), **_FINE) for cells in regions]
    if rules.get("diagonals"):
        elements.append(line([[(0, 0), (n, n)], [(n, 0), (0, n)]], **_FINE))
    for thermometer in _entries(rules, "thermometers"):
        points = _centers(thermometer, n)
        # The bulb is a line without length, which has round ends.
        elements.append(line([points[:1] * 2], class_="thin", stroke_width=pixels(0.7)))
        elements.append(line([points], class_="thin", stroke_width=pixels(0.25), **_ROUND))
    elements += [dot(center, 0.4, class_="shade") for center in _centers(rules.get("odd", ()), n)]
    elements += [_square(center, 0.4) for center in _centers(rules.get("even", ()), n)]
    for name, length in (("minimum", 0.06), ("maximum", -0.06)):
        for x, y in _centers(rules.get(name, ()), n):
            # Arrowheads at the four sides point in or out; `length` has the sign of the direction.
            signs = [
                _sign((x + 0.4 * dx, y + 0.4 * dy), dx * length, dy * length) for dx, dy in _SIDES
            ]
            elements += [_square((x, y), 0.5), line(signs, class_="wire")]
    for kind, cells in _entries(rules, "indexers"):
        shapes = [square(*divmod(cell, n)) for cell in cells]
        elements.append(area(shapes, fill=_INDEXERS[kind], opacity=0.4))
    for name in _LINES:
        for cells in _entries(rules, name):
            if name == "whispers":
                _, cells = cells  # the least difference, and the cells
            elements += _line_elements(name, _centers(cells, n))
    for circle, *cells in _entries(rules, "arrows"):
        # The cells with the digits of the sum: a list of them, or one
        digits = circle if isinstance(circle, tuple | list) else [circle]
        elements += _arrow_elements(_centers(digits, n), _centers(cells, n))
    return elements


def _square(center: Point, half: float) -> str:
    """Draw the square that marks a cell."""
    return area([_around(*center, half, half)], class_="shade")


def _line_elements(name: str, points: list[Point]) -> list[str]:
    """Draw a line of a rule, and what marks its ends."""
    ends = (points[0], points[-1])
    color = _LINES[name]
    look = {"class_": "thin"} if color is None else {"stroke": color, "opacity": 0.7}
    width = 0.15 if name == "slow_thermometers" else 0.22
    elements = [line([points], stroke_width=pixels(width), **_ROUND, **look)]
    if name == "between_lines":
        elements += [dot(end, 0.4, class_="paper thin") for end in ends]
    elif name == "lockouts":
        diamonds = [[(x - 0.45 * dx, y - 0.45 * dy) for dx, dy in _SIDES] for x, y in ends]
        elements.append(area(diamonds, class_="paper thin"))
    elif name == "slow_thermometers":
        elements.append(dot(points[0], 0.35, class_="paper thin", stroke_width=3))
    return elements


def _arrow_elements(digits: list[Point], cells: list[Point]) -> list[str]:
    """Draw an arrow from the nearest of the cells with the digits of its sum, and these cells."""
    path = [min(digits, key=lambda center: dist(center, cells[0])), *cells]
    (x, y), tip = path[-2:]
    across = x - tip[0]  # back from the tip: the head opens there
    down = y - tip[1]
    length = 10 * (abs(across) + abs(down))  # so the head does not grow with the last step
    arrow = line([path, _sign(tip, across / length, down / length)], **_FINE)
    if len(digits) == 1:
        return [arrow, dot(path[0], 0.4, class_="paper wire")]
    left, top, right, bottom = bounds(digits)
    # Several digits are in a frame instead of a circle.
    pill = rectangle(left - 0.4, top - 0.4, right + 0.4, bottom + 0.4)
    return [arrow, area([pill], class_="paper wire")]


def mark_elements(rules: Mapping[str, Any], n: int) -> list[str]:
    """Return what is drawn above the lines of a board: cages, signs, dots and numbers.

    `rules` are parameters of `SudokuRules`, in which cells are numbers by rows, and `n` is the side
    of the board.
    """
    elements = []
    for total, numbers in _entries(rules, "cages"):
        elements += _cage_elements(total, [divmod(cell, n) for cell in numbers])
    for total, numbers in _entries(rules, "little_killers"):
        points = _centers(numbers, n)
        elements.append(line([points], class_="wire", stroke_dasharray="1 5"))
        x, y = points[0]
        elements += _number(str(total), (x - 0.3, y + 0.3))
    for letter, numbers in zip(ascii_uppercase * n, _entries(rules, "clones"), strict=False):
        corners = [(cell % n + 0.85, cell // n + 0.2) for cell in numbers]
        elements += [word(letter, corner, 0.22, "soft") for corner in corners]
    for number, cells in _entries(rules, "whispers"):
        if number is not None and cells:  # another difference than the usual one
            corner = (cells[0] % n + 0.15, cells[0] // n + 0.85)
            elements.append(word(str(number), corner, 0.22, "soft"))
    for values, cells in _entries(rules, "quadruples"):
        elements += _quadruple_elements(values, mean(_centers(cells, n)))
    for number, cells in (clue for name in CLUES for clue in _entries(rules, name)):
        (x, y), (next_x, next_y) = _centers(cells[:2], n)
        # The clue precedes its first cell, in the direction of the others.
        place = x - 0.85 * (next_x - x), y - 0.85 * (next_y - y)
        elements.append(word(str(number), place, 0.34))
    for name in ("less_than", "differences", "ratios", "sums"):
        for first, second, *number in _entries(rules, name):
            elements += _pair_elements(name, _center(first, n), _center(second, n), *number)
    return elements


def _cage_elements(total: int | None, cells: list[tuple[int, int]]) -> list[str]:
    """Draw a cage with its sum, if any, in the corner of its first cell."""
    elements = [line(_outline(cells), class_="wire", stroke_dasharray="3 3")]
    if total is not None:
        row, column = min(cells)
        right_of_line = column + 0.04 + _half_width(str(total))
        elements += _number(str(total), (right_of_line, row + 0.2))
    return elements


def _quadruple_elements(values: Sequence[int], center: Point) -> list[str]:
    """Draw a circle with values, up to two of them in a line."""
    x, y = center
    elements = [dot(center, 0.28, class_="paper wire")]
    lines = [values[:2], values[2:]] if len(values) > 2 else [values]
    for k, part in enumerate(lines):
        place = x, y + 0.22 * (k - 0.5 * (len(lines) - 1))
        elements.append(word(" ".join(map(str, part)), place, 0.2))
    return elements


def _pair_elements(name: str, start: Point, end: Point, number: int = 0) -> list[str]:
    """Draw the sign, the number or the dot between two cells, and a line if they are apart."""
    place = mean([start, end])
    across = end[0] - start[0]
    down = end[1] - start[1]
    length = abs(across) + abs(down)
    elements = []
    if length > 1:
        elements.append(line([[start, end]], class_="thin", stroke_dasharray="3 3"))
    if name == "less_than":
        sign = _sign(place, 0.1 * across / length, 0.1 * down / length)
        return [*elements, line([sign], class_="rule")]
    if name == "sums":
        return elements + _number(str(number), place)
    is_white = name == "differences"
    elements.append(dot(place, 0.15, class_="paper wire" if is_white else "wire"))
    if number != (1 if is_white else 2):  # what a dot without a number means
        elements.append(word(str(number), place, 0.22, "" if is_white else "on"))
    return elements


def _entries(rules: Mapping[str, Any], name: str) -> list[Any]:
    """Return the entries of a rule that have cells, which are last; of others, nothing is drawn."""
    return [entry for entry in rules.get(name, ()) if entry and entry[-1] not in ((), [])]


def _center(cell: int, n: int) -> Point:
    return cell % n + 0.5, cell // n + 0.5


def _centers(cells: Iterable[int], n: int) -> list[Point]:
    return [_center(cell, n) for cell in cells]


def _around(x: float, y: float, right: float, down: float) -> Polygon:
    """Return the corners of a rectangle around a point, given by half its sides."""
    return rectangle(x - right, y - down, x + right, y + down)


def _sign(place: Point, across: float, down: float) -> Sequence[Point]:
    """Return an inequality sign that opens in a direction, a vector of half its length."""
    x, y = place
    wings = [(x + across - side * down, y + down + side * across) for side in (1.5, -1.5)]
    return [wings[0], (x - across, y - down), wings[1]]


def _number(text: str, place: Point) -> list[str]:
    """Return a small number on a blank background."""
    background = _around(*place, _half_width(text), 0.13)
    return [area([background], class_="paper"), word(text, place, 0.22)]


def _half_width(text: str) -> float:
    """Return half the width of a small number with its background."""
    return 0.07 + 0.07 * len(text)


def _outline(cells: Collection[tuple[int, int]]) -> list[list[Point]]:
    """Return the sides of an area of cells, a little inside of it."""
    sides = []
    for (row, column), (right, down) in product(cells, _SIDES):
        if (row + down, column + right) in cells:
            continue
        side = []
        for end in (-1, 1):
            # The step along the side to one of its ends, perpendicular to the step across it
            end_down = right * end
            end_right = down * end
            half = 0.5 - _INSET  # at a convex corner, the side ends before the edge of the cell
            if (row + end_down, column + end_right) in cells:
                # It goes on to the next cell, and at a concave corner beyond the edge.
                is_concave = (row + down + end_down, column + right + end_right) in cells
                half = 0.5 + (_INSET if is_concave else 0)
            x = column + 0.5 + right * (0.5 - _INSET) + end_right * half
            side.append((x, row + 0.5 + down * (0.5 - _INSET) + end_down * half))
        sides.append(side)
    return sides
