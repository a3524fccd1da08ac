"""MacMahon's squares."""

from dataclasses import dataclass
from itertools import product

from ..pictures.palette import COLORS
from ..pictures.plane import area, plane_picture, square
from .entry import Entry, Statement

FRAME_COLOR = "a"

Edge = tuple[str, int, int]  # ("h" or "v", row, column)


@dataclass(frozen=True)
class MacMahon(Entry):
    """Arrange MacMahon's 24 three-color squares so that touching edges match.

    Items: each square, by the colors of its edges in clockwise order; each cell.
    Secondary items: each edge of a cell, with its color.
    Options: a square in a cell, in one of its rotations, colors the four edges of the cell.

    Parameters
    ----------
    rows, columns
        The size of the board, whose product must be 24.
    framed
        Whether the edges at the frame must all have the color a.

    Notes
    -----
    With the frame, 4×6 has 13,328 solutions up to rotations, reflections and the exchange of b and
    c, which is an eighth of all; 3×8 and 2×12 have none.

    >>> MacMahon().cover(choose="random", seed=1).count(limit=5)
    5
    """

    rows: int = 4
    columns: int = 6
    framed: bool = True

    def __post_init__(self) -> None:
        if self.rows < 1 or self.rows * self.columns != 24:
            raise ValueError(
                "rows times columns must be 24, for example 4 times 6, "
                f"not {self.rows} times {self.columns}"
            )

    def statement(self) -> Statement:
        rotations = {
            "".join(sides): sorted({"".join(sides[k:] + sides[:k]) for k in range(4)})
            for sides in product("abc", repeat=4)
        }
        squares = [square for square, rotated in rotations.items() if square == rotated[0]]
        cells = list(product(range(1, self.rows + 1), range(1, self.columns + 1)))
        edges = {cell: self._edges(*cell) for cell in cells}
        options = {
            f"{sides} at {i},{j}": [square, ("cell", i, j), *zip(edges[i, j], sides, strict=True)]
            for square in squares
            for i, j in cells
            for sides in rotations[square]
            if not self.framed or self._fits(edges[i, j], sides)
        }
        items = [*squares, *(("cell", *cell) for cell in cells)]
        secondary = sorted({edge for cell in cells for edge in edges[cell]})
        return Statement(options, items, secondary)

    def _edges(self, r: int, c: int) -> list[Edge]:
        """Return the edges of a cell clockwise: the horizontal one above it, and so on."""
        return [("h", r, c), ("v", r, c + 1), ("h", r + 1, c), ("v", r, c)]

    def _fits(self, edges: list[Edge], sides: str) -> bool:
        """Return whether the sides at the frame have the frame's color."""
        frame = {"h": (1, self.rows + 1), "v": (1, self.columns + 1)}
        return all(
            side == FRAME_COLOR or (r if direction == "h" else c) not in frame[direction]
            for (direction, r, c), side in zip(edges, sides, strict=True)
        )

    def text(self, solution: list[int]) -> str:
        colors = self._edge_colors(solution)
        columns, lines = range(1, self.columns + 1), list[str]()
        for r in range(1, self.rows + 2):
            lines.append(" ".join(f" {colors['h', r, c]} " for c in columns).rstrip())
            if r <= self.rows:
                lines.append("   ".join(colors["v", r, c] for c in [*columns, self.columns + 1]))
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        colors = self._edge_colors(solution)
        triangles = []
        for r, c in product(range(self.rows), range(self.columns)):
            corners = [*square(r, c), (c, r)]
            for k, edge in enumerate(self._edges(r + 1, c + 1)):
                fill = COLORS["abc".index(colors[edge])]
                triangle = [*corners[k : k + 2], (c + 0.5, r + 0.5)]
                triangles.append(area([triangle], fill=fill, class_="edge"))
        description = f"{self.rows}×{self.columns} squares of four triangles; adjacent ones match."
        corners = [(0, 0), (self.columns, self.rows)]
        return plane_picture("MacMahon's squares", description, corners, triangles)

    def _edge_colors(self, solution: list[int]) -> dict[Edge, str]:
        return {edge: side for option in self._chosen(solution) for edge, side in option[2:]}
