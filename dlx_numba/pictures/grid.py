"""Pictures of boards: options write into cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

from ..runtime.text import Paint, plural, unpainted
from .cells import Cell, coordinates, drawn_triangle, quarter_corners, triangle_corners
from .document import Svg
from .frames import board_elements, box_edges, region_borders
from .isometric import divide_bands, drawn_cubes
from .picture import Picture
from .pieces import color_names
from .plane import Polygon, line, outlined, plane_picture, square, word
from .rules import CLUES, ground_elements, mark_elements

Mark = tuple[Cell, str]
MAX_PLACES = 1 << 22  # in texts, also without cells: all of them are visited
MAX_WIDTH = 1.4  # of a text, in sides of a cell, times the size of a character


@dataclass(frozen=True)
class Grid(Picture):
    """A board: options write into its cells.

    Parameters
    ----------
    title : str
        Plain text for screen readers.
    marks : sequence of tuple of (cell, text)
        What each option writes, and in which cells. A cell is a row and a column; or, in a lattice
        of cubes, a layer, a row and a column; or the position of a triangle; or, in a lattice of
        quarters of squares, a row, a column and a side, clockwise from 0 for the top.
    cells : sequence of cells, optional
        All cells, if some of them are neither marked nor given.
    givens : tuple of (cell, text), optional
        What is written anyway.
    regions : tuple of (cell, text), optional
        The region of each cell; thick lines separate regions. In texts, rules separate boxes.
    shaded : tuple of cells, optional
        The cells with a shaded background.
    axes : (tuple of str, tuple of str), optional
        The names of the rows and the columns of a board.
    margins : (tuple of str, tuple of str), optional
        Numbers between spaces, which only pictures show before each row and above each column.
    lattice : {"squares", "triangles", "cubes", "quarters"}
        The shape of the cells. In texts, the quarters of a square are at its sides; touching ones
        are in the same place.
    blank, separator : str
        The text of a cell without one, and between cells.
    outside : str, optional
        The text of a place that is no cell, between others; by default, as of an empty cell.
    size : float
        The font size in pictures, in sides of a cell.
    glyphs : tuple of (text, text), optional
        What pictures show instead of a text.
    clues : tuple of (cell, text), optional
        What only pictures show in cells that are empty.
    rules : tuple of (name, value), optional
        Parameters of `SudokuRules` that are drawn. In texts without boxes, those of `less_than`
        between neighbors are signs.
    box : (int, int)
        The rows and columns of a box of a Sudoku with rules; of other boards, their product is the
        number of columns.
    legend : tuple of str, optional
        What pictures show below a board, such as the pieces to place.

    Examples
    --------
    >>> board = Grid("Two", ((((1, 1), "a"),), (((1, 2), "b"),)))
    >>> print(board.text([0, 1]))
    a b
    >>> print(board.text([1]))
    . b
    >>> cells = [((r, c), str(r)) for r in (1, 2) for c in (1, 2)]
    >>> print(Grid("Boxes", givens=cells, regions=cells).text([]))
     1 1
    -----
     2 2
    >>> print(Grid("Signs", givens=cells, rules=[("less_than", [(0, 2)])], box=(1, 2)).text([]))
    1   1
    ^
    2   2
    """

    marks: Sequence[tuple[Mark, ...]] = ()
    cells: Sequence[Cell] = ()
    givens: Sequence[Mark] = ()
    regions: Sequence[Mark] = ()
    shaded: Sequence[Cell] = ()
    axes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    margins: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    lattice: str = "squares"
    blank: str = "."
    separator: str = " "
    outside: str | None = None
    size: float = 0.5
    glyphs: Sequence[tuple[str, str]] = ()
    clues: Sequence[Mark] = ()
    rules: tuple[tuple[str, Any], ...] = ()
    box: tuple[int, int] = (3, 3)
    legend: Sequence[str] = ()

    is_board: ClassVar[bool] = True  # whether options write into cells as givens do

    @cached_property
    def positions(self) -> dict[Cell, tuple[int, int]]:
        """The row and the column of each cell in texts, from 0; layers are side by side."""
        marked = (cell for marks in (*self.marks, self.givens) for cell, _ in marks)
        places: dict[Cell, Any] = dict.fromkeys([*self.cells, *marked])
        if not places:
            return {}
        if self.lattice == "triangles":
            places = {cell: drawn_triangle(cell) for cell in places}
        elif self.lattice == "cubes":
            places = drawn_cubes(places)
        elif self.lattice == "quarters":
            # The row and the column of each side, from the top; the next square is 2 rows below it,
            # or 4 columns to the right
            side = (0, 1), (1, 4), (2, 1), (1, 0)
            places = {(r, c, k): (2 * r + side[k][0], 4 * c + side[k][1]) for r, c, k in places}
        else:
            places = {cell: cell for cell in places}
        rows, columns = coordinates(places.values())
        top = min(rows)
        left = min(columns)
        if (1 + max(rows) - top) * (1 + max(columns) - left) > MAX_PLACES:
            raise ValueError(f"a board of more than {MAX_PLACES:,} places cannot be drawn")
        return {cell: (row - top, column - left) for cell, (row, column) in places.items()}

    @cached_property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns in texts."""
        rows, columns = coordinates(self.positions.values())
        return 1 + max(rows, default=-1), 1 + max(columns, default=-1)

    @cached_property
    def _in_layers(self) -> set[tuple[int, int]]:
        """The places in texts within layers of cubes, also those that are no cells."""
        places: set[tuple[int, int]] = set()
        for band in divide_bands(self.positions):
            rows, columns = coordinates(self.positions[cube] for cube in band)
            places.update(product(range(min(rows), max(rows) + 1), {*columns}))
        return places

    def written(self, chosen: Iterable[int]) -> dict[Cell, str]:
        """Return the text of each cell that a cover marks or that is given."""
        written = dict(self.givens)
        for option in sorted(self._listed(chosen)):
            written.update(self.marks[option])
        return written

    @cached_property
    def color_of(self) -> dict[str, int]:
        """The color of each text, as an index into the palette; pieces of several cells first."""
        n_cells = self.sizes()
        return color_names(sorted(n_cells, key=lambda text: (n_cells[text] == 1, text)))

    def sizes(self) -> dict[str, int]:
        """Return the number of cells of an option with each text that has a color."""
        sizes = {text: len(own) for own in self.marks for _, text in own}
        return {text: size for text, size in sizes.items() if text not in ("", self.blank)}

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        """Return the board as text; with a painter, cells have the colors of options."""
        options = self._listed(chosen)
        colors = {} if paint is unpainted else self._colors(options)
        text_at = dict.fromkeys(self.positions.values(), self.blank)
        text_at |= {self.positions[cell]: text for cell, text in self.written(options).items()}
        color_at = {self.positions[cell]: color for cell, color in colors.items()}
        if signs := self.signs:  # cells take every second row and column, for signs between them
            text_at = {(2 * r, 2 * c): text for (r, c), text in text_at.items()} | signs
            color_at = {(2 * r, 2 * c): color for (r, c), color in color_at.items()}
        rows, columns = (range(1 + max(values, default=-1)) for values in coordinates(text_at))
        # The texts of several rows are aligned, and those of layers, so that places are told apart.
        is_aligned = len(rows) > 1 or self.lattice != "squares"
        width = max(map(len, text_at.values()), default=1) if is_aligned else 0
        # Of places without cells: on a board or in a layer, and around layers and other lattices
        inside = " " if signs else self._text_outside(text_at.values())
        outside = inside if self.lattice == "squares" else " "
        if self.lattice == "cubes":
            text_at = dict.fromkeys(self._in_layers, inside) | text_at

        def painted(text: str, *places: tuple[int, int]) -> str:
            """Return a text in the color of its places, if all have the same one."""
            if not color_at:
                return text
            color, *others = {color_at.get(place, "") for place in places}
            return text if color == "" or others else paint(text, color)

        drawn = [
            [painted(text_at.get((r, c), outside).rjust(width), (r, c)) for c in columns]
            for r in rows
        ]
        if any(self._boxes):
            return _format_boxes(drawn, width, *self._boxes)
        # A separator has the color of the cells on both sides of it.
        texts = (
            "".join(t + painted(self.separator, (r, c), (r, c + 1)) for c, t in enumerate(row))
            for r, row in enumerate(drawn)
        )
        return "\n".join(text.rstrip() for text in texts)

    def _text_outside(self, texts: Collection[str]) -> str:
        """Return the text of a place that is no cell, between cells with these texts.

        `Pieces` has another one if some cells are empty.
        """
        return self.blank if self.outside is None else self.outside

    def _colors(self, options: Sequence[int]) -> dict[Cell, int | str]:
        """Return the color of each cell in texts, if it has one, as `paint` takes it.

        On a board, these are givens, and the signs that options write, such as queens.
        """
        glyphs = dict(self.glyphs)
        marks = (mark for option in options for mark in self.marks[option])
        signs: dict[Cell, int | str] = {
            cell: "mark" for cell, text in marks if text in glyphs or not text.isalnum()
        }
        return signs | dict.fromkeys(dict(self.givens), "given")

    @cached_property
    def _boxes(self) -> tuple[list[int], list[int]]:
        """The first row and the first column of each box but the first, if regions are boxes."""
        return box_edges({self.positions[cell]: region for cell, region in self.regions})

    @cached_property
    def signs(self) -> dict[tuple[int, int], str]:
        """The inequality signs between neighbors in texts, if no rules separate boxes.

        Their places are in doubled coordinates: cells are at even rows and columns.
        """
        if any(self._boxes):
            return {}
        signs = {}
        n_columns = self.box[0] * self.box[1]
        shapes = {(0, 1): "<", (0, -1): ">", (1, 0): "^", (-1, 0): "v"}
        for less, greater in dict(self.rules).get("less_than", ()):  # numbers of cells, by rows
            r, c = divmod(less, n_columns)
            other_r, other_c = divmod(greater, n_columns)
            if shape := shapes.get((other_r - r, other_c - c)):
                signs[r + other_r, c + other_c] = shape
        return signs

    def svg(self, chosen: Iterable[int]) -> Svg:
        """Draw the board: first what is below the texts, and at the end what is beside it."""
        options = self._listed(chosen)
        numbers, left, top = self._draw_margins()
        rows, columns = (max(1, n) for n in self.shape)
        rules = dict(self.rules)
        shaded = [self.positions[cell] for cell in self.shaded]
        below = ground_elements(rules, *self.box)
        elements = board_elements(rows, columns, shaded, below, self.positions.values())
        if self.regions:
            region_of = {self.positions[cell]: region for cell, region in self.regions}
            elements.append(line(region_borders(region_of, rows, columns), class_="rule"))
        elements += mark_elements(rules, self.box[0] * self.box[1])
        elements += self._draw_texts(dict(self.clues) | self.written(options))
        elements += outlined(outline for k in self.marked for _, outline in self.places(k))
        for k, text in enumerate(self.legend):  # below each column, as many rows as necessary
            place = k % columns + 0.5, rows + 0.5 + 0.5 * (k // columns)
            elements.append(word(text, place, min(0.35, MAX_WIDTH / max(1, len(text))), "soft"))
        elements += self._draw_axes(rows)
        # The space for what is beside the board: the legend below it, the names of the rows and
        # columns, and clues on all sides
        end = 0.5 * -(-len(self.legend) // columns) + (0.25 if self.legend else 0)
        below_axis = 0.4 if any(self.axes) else 0
        beyond = 0.4 if any(rules.get(name) for name in CLUES) else 0
        corners = [
            (-max(self._edge, beyond, left), -max(beyond, top)),
            (columns + beyond, rows + max(below_axis, beyond, end)),
        ]
        return plane_picture(self.title, self._describe(options), corners, elements + numbers)

    def _draw_texts(self, text_of: Mapping[Cell, str]) -> list[str]:
        """Return the texts in cells; if there are givens, they are bold, and others are colored."""
        elements = []
        glyphs = dict(self.glyphs)
        given = dict(self.givens)
        for cell in sorted(text_of, key=self.positions.__getitem__):
            row, column = self.positions[cell]
            class_ = ""
            if given:
                class_ = "strong" if cell in given else "one"
            text = glyphs.get(text_of[cell], text_of[cell])
            size = min(self.size, MAX_WIDTH / max(1, len(text)))
            elements.append(word(text, (column + 0.5, row + 0.5), size, class_))
        return elements

    def numbered(self) -> Grid:
        """Return the grid with the numbers of its rows and columns beside it, if there is space."""
        is_wide = getattr(self, "step", (1, 1)) != (1, 1)  # `Lines` whose texts have more places
        if any((*self.axes, *self.margins)) or is_wide or self.lattice not in ("squares", "cubes"):
            return self
        # A cell ends with its row and its column; places between layers have no number.
        rows = {row: str(cell[-2]) for cell, (row, _) in self.positions.items()}
        columns = {column: str(cell[-1]) for cell, (_, column) in self.positions.items()}
        n_rows, n_columns = self.shape
        down = tuple(rows.get(k, "") for k in range(n_rows)) if len(rows) > 1 else ()
        return replace(self, axes=(down, tuple(columns.get(k, "") for k in range(n_columns))))

    @property
    def _edge(self) -> float:
        """The space to the left of the board for the names of rows."""
        longest = max(map(len, self.axes[0]), default=0)
        return max(0.4, 0.18 * longest) if any(self.axes) else 0.0

    def _draw_axes(self, n_rows: float) -> list[str]:
        """Return the names of the rows, and below `n_rows` rows those of the columns.

        Long names of columns are smaller.
        """
        x = -max(0.4, self._edge / 2 + 0.2)
        left = [word(name, (x, k + 0.5), 0.3, "soft") for k, name in enumerate(self.axes[0])]
        below = [
            word(name, (k + 0.5, n_rows + 0.4), min(0.3, MAX_WIDTH / max(1, len(name))), "soft")
            for k, name in enumerate(self.axes[1])
        ]
        return left + below

    def _draw_margins(self) -> tuple[list[str], float, float]:
        """Return the numbers beside the board, and the space to its left and above it.

        The last number of a margin is next to the board.
        """
        elements: list[str] = []
        space: list[float] = []
        for is_above, texts in enumerate(self.margins):  # 0: beside the rows, 1: above the columns
            lines = [text.split()[::-1] for text in texts]
            space.append(0.6 * max(map(len, lines), default=0))
            for k, line_words in enumerate(lines):
                for distance, text in enumerate(line_words):  # from the board
                    center = (-0.4 - 0.6 * distance, k + 0.5)
                    elements.append(word(text, center[::-1] if is_above else center, 0.4, "soft"))
        return elements, space[0], space[1]

    def places(self, option: int) -> list[tuple[str, Polygon]]:
        return [
            (text, self.outline(cell))
            for k in self._listed([option])
            for cell, text in self.marks[k]
        ]

    def outline(self, cell: Cell) -> Polygon:
        """Return the corners of a cell in pictures, as (x, y)."""
        if self.lattice == "triangles":
            return triangle_corners(cell)
        if self.lattice == "quarters":
            return quarter_corners(cell)
        return square(*self.positions[cell])

    def _listed(self, chosen: Iterable[int]) -> list[int]:
        """Return options without those that stand for items left uncovered."""
        return [option for option in chosen if option < len(self.marks)]

    def _describe(self, chosen: list[int]) -> str:
        """Return a description for screen readers: the texts by rows, or few of them by cells."""
        n_rows, n_columns = self.shape
        written = self.written(chosen)
        n_givens = len(self.givens)
        if chosen and not any(written.values()):  # pieces without names
            return f"{plural(len(chosen), 'piece')}."
        is_solved = bool(chosen) and len(written) == len(self.positions)
        givens = f" with {plural(n_givens, 'given')}" if n_givens else ""
        if is_solved:
            givens += ", solved"
        article = "An" if re.match("8|1[18]$", f"{n_rows}") else "A"  # such as "An 8×8 board"
        places: defaultdict[str, list[str]] = defaultdict(list)  # of each text
        rows: defaultdict[int, list[str]] = defaultdict(list)  # the texts in each
        for cell in sorted(written, key=self.positions.__getitem__):
            row, column = self.positions[cell]
            text = written[cell]
            place = f"row {row + 1} column {column + 1}"
            names = [*self.axes[1][column : column + 1], *self.axes[0][row : row + 1]]
            if len(names) == 2 and not names[0].isdigit():  # as on a chessboard: "b3"
                place = "".join(names)
            places[text].append(place)
            rows[row].append(text if is_solved else f"{text} in column {column + 1}")
        parts = [f"Row {row + 1}: {', '.join(texts)}." for row, texts in rows.items()]
        if not self.regions and 2 * len(written) < len(self.positions):
            parts = [f"{text}: {', '.join(cells)}." for text, cells in places.items() if text]
        return " ".join([f"{article} {n_rows}×{n_columns} board{givens}.", *parts])


def _format_boxes(
    rows: Sequence[Sequence[str]], width: int, tops: Collection[int], lefts: Collection[int]
) -> str:
    """Return rows of texts of a width as lines, with rules before the rows `tops` and the columns
    `lefts`.

    >>> print(_format_boxes([["1", "2"], ["3", "4"]], 1, [1], [1]))
     1 | 2
    ---|---
     3 | 4
    """
    bars = ["-|" if c in lefts else "" for c in range(len(rows[0]))]
    rule = "".join(bar + "-" * (width + 1) for bar in bars) + "-"
    lines = []
    for r, row in enumerate(rows):
        if r in tops:
            lines.append(rule)
        cells = (f" | {text}" if c in lefts else f" {text}" for c, text in enumerate(row))
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)
