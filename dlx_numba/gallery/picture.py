"""Small SVG pictures as text: mosaics of cells, bent sticks, and boards with words on them.

Colours are light, so that dark letters stand out from them, and outlines are dark: a picture needs
no background, and can be looked at on a white page and on a black one. The colours are Paul Tol's
scheme "light", made for colour-blind people, too; and each piece has its letter besides.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from html import escape

Corner = tuple[float, float]  # how far right, how far down, in sides of a cell
Polygon = Sequence[Corner]
Stick = tuple[Corner, Corner]  # its ends

SIDE = 48  # of a cell, in pixels; all else is measured in sides
MARGIN = 0.25
OUTLINE = 0.06
BODY = 0.2  # of a stick
STOP, BEND = 0.3, 0.45  # how far from a meeting point a stick stops, or begins to bend
INK, POINT = "#222", "#888"
PAPER, SHADE = "#f4f4ee", "#d8d8ce"  # of a board's cells
COLOURS = (
    "#77aadd",  # light blue
    "#ee8866",  # orange
    "#eedd88",  # light yellow
    "#44bb99",  # mint
    "#ffaabb",  # pink
    "#99ddff",  # light cyan
    "#bbcc33",  # pear
    "#aaaa00",  # olive
    "#dddddd",  # pale grey
)


def mosaic(
    title: str, parts: Sequence[tuple[str, Sequence[Polygon]]], letter_size: float = 0.5
) -> str:
    """Parts made of cells, each part its letter and its cells, in a colour, with an outline.

    Parts that touch have different colours, as far as there are enough.

    >>> domino = [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]]
    >>> picture = mosaic("A domino", [("D", domino)])
    >>> picture.splitlines()[1]
    '<title>A domino</title>'
    """
    sides = [Counter(side for cell in cells for side in _sides(cell)) for _, cells in parts]
    bodies, outlines, letters = [], [], []
    for (letter, cells), times, colour in zip(parts, sides, colour_parts(sides), strict=True):
        body = "".join(f"{_path(cell)}z" for cell in cells)
        bodies.append(f'<path d="{body}" fill="{colour}" stroke="{INK}" stroke-opacity=".15"/>')
        outlines += [_path(sorted(side)) for side, number in times.items() if number == 1]
        middle = _nearest_to_middle([_mean(cell) for cell in cells])
        letters.append(_text(letter, middle, letter_size))
    outline = f'<path d="{"".join(outlines)}" {_pen(INK, OUTLINE)}/>'
    corners = [corner for _, cells in parts for cell in cells for corner in cell]
    return document(title, corners, [*bodies, outline, *letters])


def sticks(title: str, parts: Sequence[tuple[str, Sequence[Stick]]]) -> str:
    """Parts made of sticks on the square grid, each part its letter and its sticks.

    Parts that meet at a point keep apart there, but where they cross: they stop short of it, bend
    round it, or go straight on.

    >>> sticks("Two", [("I", [((0, 0), (1, 0))]), ("J", [((1, 0), (1, 1))])]).count("<path")
    4
    """
    meetings = [Counter(end for stick in own for end in stick) for _, own in parts]
    points = sorted({point for times in meetings for point in times})
    elements = [_circle(point, 0.05, f'fill="{POINT}"') for point in points]
    for (letter, own), times, colour in zip(parts, meetings, colour_parts(meetings), strict=True):
        ways = {end: [other for stick in own if end in stick for other in stick if other != end]
                for end in times}  # fmt: skip
        path = "".join(
            _path([_kept(end, other, ways), _kept(other, end, ways)]) for end, other in own
        )
        for point, others in ways.items():
            if _is_bend(point, others):
                start, end = (_towards(point, other, BEND) for other in others)
                path += f"{_path([start])}Q{_pair(point)} {_pair(end)}"
        elements.append(f'<path d="{path}" {_pen(INK, BODY + OUTLINE)}/>')
        elements.append(f'<path d="{path}" {_pen(colour, BODY)}/>')
        middle = _nearest_to_middle([_mean(stick) for stick in own])
        elements.append(_circle(middle, 0.19, f'fill="{colour}" stroke="{INK}"'))
        elements.append(_text(letter, middle, 0.28))
    return document(title, points, elements)


def board(
    title: str,
    rows: Sequence[Sequence[str | None]],
    shaded: Collection[tuple[int, int]] = (),
) -> str:
    """Square cells with words or signs in them, by rows; None where there is no cell.

    Cells (row, column) of `shaded` are a little darker.

    >>> board("Two cells", [["a", "&", None]]).count("<path")
    2
    """
    elements: list[str] = []
    corners: list[Corner] = []
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if word is not None:
                cell = square(r, c)
                corners += cell
                fill = SHADE if (r, c) in shaded else PAPER
                elements.append(f'<path d="{_path(cell)}z" fill="{fill}" stroke="{INK}"/>')
                if word:
                    elements.append(_text(word, (c + 0.5, r + 0.5), min(0.6, 1.4 / len(word))))
    return document(title, corners, elements)


def square(row: int, column: int) -> Polygon:
    """The unit square at a place of a board.

    >>> square(0, 2)
    [(2, 0), (3, 0), (3, 1), (2, 1)]
    """
    return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]


def triangle(centre: tuple[int, int]) -> Polygon:
    """The unit triangle with this centre: see `TRIANGLES`, the lattice.

    >>> [(x, round(y, 2)) for x, y in triangle((1, 1))]
    [(0.0, 0.0), (1.0, 0.0), (0.5, 0.87)]
    """
    row, column = centre[0] // 3, centre[1] // 3
    corners = [(row, column + 1), (row + 1, column)]
    points_down = centre[0] % 3 == 1
    corners = [(row, column), *corners] if points_down else [(row + 1, column + 1), *corners]
    return [(c + r / 2, r * 0.75**0.5) for r, c in corners]


def document(title: str, corners: Sequence[Corner], elements: Sequence[str]) -> str:
    """A document that holds these elements, as large as the corners ask for."""
    left, top = (min(values) - MARGIN for values in zip(*corners, strict=True))
    right, bottom = (max(values) + MARGIN for values in zip(*corners, strict=True))
    width, height = _pixels(right - left), _pixels(bottom - top)
    box = f"{_pixels(left)} {_pixels(top)} {width} {height}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{height}" viewBox="{box}">',
            f"<title>{escape(title)}</title>",
            f'<g font-family="monospace" text-anchor="middle" fill="{INK}">',
            *elements,
            "</g>",
            "</svg>",
        ]
    )


def colour_parts(marks: Sequence[Collection[Hashable]]) -> list[str]:
    """A colour for each part, another one than those before it with which it shares a mark.

    >>> len(set(colour_parts([{1, 2}, {2, 3}, {3, 4}])))
    3
    """
    chosen: list[str] = []
    for number, own in enumerate(marks):
        first = number % len(COLOURS)
        wished = COLOURS[first:] + COLOURS[:first]
        before = zip(chosen, marks, strict=False)
        taken = {colour for colour, other in before if any(mark in other for mark in own)}
        chosen.append(next((colour for colour in wished if colour not in taken), wished[0]))
    return chosen


def _sides(cell: Polygon) -> list[frozenset[Corner]]:
    return [frozenset(ends) for ends in zip(cell, [*cell[1:], cell[0]], strict=True)]


def _is_bend(point: Corner, others: Sequence[Corner]) -> bool:
    return len(others) == 2 and _mean(others) != point


def _kept(end: Corner, other: Corner, ways: dict[Corner, list[Corner]]) -> Corner:
    """Where the straight part of a stick ends, towards `end`."""
    if len(ways[end]) == 1:
        return _towards(end, other, STOP)
    return _towards(end, other, BEND) if _is_bend(end, ways[end]) else end


def _towards(point: Corner, other: Corner, distance: float) -> Corner:
    (x, y), (far_x, far_y) = point, other
    return x + (far_x - x) * distance, y + (far_y - y) * distance


def _mean(points: Sequence[Corner]) -> Corner:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _nearest_to_middle(points: Sequence[Corner]) -> Corner:
    x, y = _mean(points)
    return min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _pixels(length: float) -> str:
    return f"{round(length * SIDE, 1):g}"


def _pair(point: Corner) -> str:
    return f"{_pixels(point[0])} {_pixels(point[1])}"


def _path(points: Sequence[Corner]) -> str:
    return "M" + "L".join(map(_pair, points))


def _pen(colour: str, width: float) -> str:
    width_text = f'stroke-width="{_pixels(width)}"'
    return f'fill="none" stroke="{colour}" {width_text} stroke-linecap="round"'


def _circle(centre: Corner, radius: float, look: str) -> str:
    x, y = map(_pixels, centre)
    return f'<circle cx="{x}" cy="{y}" r="{_pixels(radius)}" {look}/>'


def _text(word: str, middle: Corner, size: float) -> str:
    x, y = map(_pixels, middle)
    return f'<text x="{x}" y="{y}" dy=".35em" font-size="{_pixels(size)}">{escape(word)}</text>'
