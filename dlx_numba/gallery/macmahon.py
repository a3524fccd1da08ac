"""MacMahon's squares."""

from dataclasses import dataclass
from itertools import product

from ..svg.palette import COLOURS
from ..svg.plane import area, plane_picture
from .entry import Entry, Statement

WHITE = "a"


@dataclass(frozen=True)
class MacMahon(Entry):
    """Lay MacMahon's 24 squares of three colours such that sides that meet agree.

    Items: each square, by its colours clockwise; each cell; secondary: each edge between cells or
    at the frame, coloured.
    Options: a square in a cell, turned in some way, gives its four edges their colours.

    The frame may be asked to have one colour, a. Then 4×6 has 13,328 solutions but for rotations,
    reflections and the exchange of b and c, and eight times as many in all; 3×8 and 2×12 have none.

    >>> MacMahon().cover(choose="random", seed=1).count(limit=5)
    5
    """

    rows: int = 4
    columns: int = 6
    framed: bool = True

    def __post_init__(self) -> None:
        if self.rows < 1 or self.rows * self.columns != 24:
            raise ValueError(
                f"rows times columns must be 24, as 4 and 6, not {self.rows} and {self.columns}"
            )

    def statement(self) -> Statement:
        turns = {
            "".join(sides): sorted({"".join(sides[k:] + sides[:k]) for k in range(4)})
            for sides in product("abc", repeat=4)
        }
        squares = [square for square, turned in turns.items() if square == turned[0]]
        cells = [(r, c) for r in range(self.rows) for c in range(self.columns)]
        edges = {cell: self._edges(*cell) for cell in cells}
        options = [
            [square, ("cell", *cell), *zip(edges[cell], sides, strict=True)]
            for square in squares
            for cell in cells
            for sides in turns[square]
            if not self.framed or self._fits(edges[cell], sides)
        ]
        items = [*squares, *(("cell", *cell) for cell in cells)]
        secondary = sorted({edge for own in edges.values() for edge in own})
        return Statement(options, items, secondary)

    def _edges(self, r: int, c: int) -> list[tuple[str, int, int]]:
        """Those of a cell clockwise: h above a cell or below the last, v likewise across."""
        return [("h", r, c), ("v", r, c + 1), ("h", r + 1, c), ("v", r, c)]

    def _fits(self, edges: list[tuple[str, int, int]], sides: str) -> bool:
        """Is the square white where it is at the frame?"""
        return all(
            side == WHITE
            or 0 < (r if way == "h" else c) < (self.rows if way == "h" else self.columns)
            for (way, r, c), side in zip(edges, sides, strict=True)
        )

    def text(self, solution: list[int]) -> str:
        colour = self._colours(solution)
        lines = []
        for r in range(self.rows + 1):
            lines.append(" ".join(f" {colour['h', r, c]} " for c in range(self.columns)).rstrip())
            if r < self.rows:
                lines.append("   ".join(colour["v", r, c] for c in range(self.columns + 1)))
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        colour = self._colours(solution)
        triangles = []
        for r in range(self.rows):
            for c in range(self.columns):
                corners = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1), (c, r)]
                for k, edge in enumerate(self._edges(r, c)):
                    fill = COLOURS["abc".index(colour[edge])]
                    triangle = [*corners[k : k + 2], (c + 0.5, r + 0.5)]
                    triangles.append(area([triangle], fill=fill, class_="edge"))
        said = f"{self.rows}×{self.columns} squares of four triangles; those that meet agree."
        corners = [(0, 0), (self.columns, self.rows)]
        return plane_picture("MacMahon's squares", said, corners, triangles)

    def _colours(self, solution: list[int]) -> dict[tuple[str, int, int], str]:
        options = self.statement().options
        return {edge: side for option in solution for edge, side in options[option][2:]}
