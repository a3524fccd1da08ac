"""Perfect matchings of graphs."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, product
from typing import ClassVar, NamedTuple

from ..pictures.groups import circle, groups_picture
from ..pictures.plane import Point
from .entry import Entry, Statement
from .parameters import check_range

MAX_VERTICES = 400  # a memo counts the matchings of a grid of this size


class Graph(NamedTuple):
    """A graph, with the position of each vertex in pictures."""

    positions: dict[str, Point]
    edges: list[tuple[str, str]]


@dataclass(frozen=True)
class Matchings(Entry):
    """Match the vertices of a graph in pairs that are joined by edges.

    Items: each vertex.
    Options: an edge covers its two vertices.

    Parameters
    ----------
    graph
        A complete graph `K8`, a complete bipartite graph `K4,4`, a grid `4x6`, or a list of edges
        `a-b,b-c,c-d`. It has from 1 to 400 vertices.

    Notes
    -----
    The complete graph with 2n vertices has 1·3·5···(2n - 1) perfect matchings (OEIS A001147), the
    complete bipartite graph with n + n vertices has n! (A000142), and those of a grid are its
    domino tilings (A004003).

    >>> matchings = Matchings()
    >>> cover = matchings.cover()
    >>> cover.count()
    105
    >>> print(matchings.text(cover.first()))
    1-2 3-4 5-6 7-8
    """

    order_seed: ClassVar[int | None] = 4

    graph: str = "K8"

    def __post_init__(self) -> None:
        _ = self.parsed  # raises ValueError if the graph is invalid

    @cached_property
    def parsed(self) -> Graph:
        """The vertices and edges of the graph."""
        return parse_graph(self.graph)

    def statement(self) -> Statement:
        options = {"-".join(edge): edge for edge in self.parsed.edges}
        return Statement(options, items=list(self.parsed.positions))

    def text(self, solution: list[int]) -> str:
        return " ".join(map("-".join, self._chosen(solution)))

    def svg(self, solution: list[int]) -> str:
        positions, edges = self.parsed
        number_of = {vertex: number for number, vertex in enumerate(positions)}
        lines = [(number_of[a], number_of[b]) for a, b in edges]
        pairs = [lines[option] for option in solution]
        title = f"A perfect matching of {self.graph[:40]}"
        return groups_picture(title, list(positions.items()), pairs, 0.2, lines)


def parse_graph(text: str) -> Graph:
    """Return a graph.

    Parameters
    ----------
    text
        A complete graph `K8`, a complete bipartite graph `K4,4`, a grid `4x6`, or a list of edges
        `a-b,b-c,c-d`. All but the last have the vertices 1, 2, ...

    Raises
    ------
    ValueError
        If the text is not a valid graph.

    Examples
    --------
    >>> parse_graph("2x2").edges
    [('1', '2'), ('1', '3'), ('2', '4'), ('3', '4')]
    """
    if match := re.fullmatch(r"K(\d{1,9})(?:,(\d{1,9}))?|(\d{1,9})x(\d{1,9})", text, re.ASCII):
        first, second, rows, columns = (int(word or 0) for word in match.groups())
        check_range("the number of vertices", first + second + rows * columns, 1, MAX_VERTICES)
        if rows:
            return _grid(rows, columns)
        if match[2] and not first * second:
            raise ValueError(f"both sides must have vertices, not {first} and {second}")
        if match[2]:
            return _complete_bipartite(first, second)
        numbers = [str(k) for k in range(1, first + 1)]
        return _on_circle(numbers, list(combinations(numbers, 2)))
    edges = [(a, b) for a, dash, b in (edge.partition("-") for edge in text.split(","))]
    vertices = list(dict.fromkeys(chain.from_iterable(edges)))
    if not all(re.fullmatch(r"\w+", vertex) for vertex in vertices):
        raise ValueError(
            "graph must be K8, K4,4, 4x6 or edges such as a-b,b-c with other numbers and names, "
            f"not {text[:40]!r}"
        )
    distinct = {frozenset(edge) for edge in edges}
    if len(distinct) < len(edges) or any(len(edge) < 2 for edge in distinct):
        raise ValueError("graph must have edges between different vertices, each once")
    check_range("the number of vertices", len(vertices), 1, MAX_VERTICES)
    return _on_circle(vertices, edges)


def _on_circle(vertices: list[str], edges: list[tuple[str, str]]) -> Graph:
    return Graph(dict(zip(vertices, circle(len(vertices)), strict=True)), edges)


def _complete_bipartite(m: int, n: int) -> Graph:
    sides = [str(k) for k in range(1, m + 1)], [str(k) for k in range(m + 1, m + n + 1)]
    positions = {
        vertex: (3.0 * x, 1.2 * (y - len(side) / 2))
        for x, side in enumerate(sides)
        for y, vertex in enumerate(side)
    }
    return Graph(positions, list(product(*sides)))


def _grid(rows: int, columns: int) -> Graph:
    cells = {(r, c): str(r * columns + c + 1) for r in range(rows) for c in range(columns)}
    edges = [
        (name, cells[other])
        for (r, c), name in cells.items()
        for other in ((r, c + 1), (r + 1, c))
        if other in cells
    ]
    return Graph({name: (1.2 * c, 1.2 * r) for (r, c), name in cells.items()}, edges)
