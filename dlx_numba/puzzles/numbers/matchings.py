"""Perfect matchings of graphs."""

import re
from itertools import combinations, product

from ...cover.encode import Formulation
from ...pictures.graph import Graph
from ...pictures.plane import Point
from ..parameters import check_range
from ..puzzle import Puzzle

MAX_VERTICES = 400  # a memo counts the matchings of a grid of this size

Edge = tuple[str, str]


def example(graph: str = "K8") -> Puzzle:
    """Match the vertices of a graph in pairs that are joined by edges.

    Items: each vertex.
    Options: an edge covers its two vertices.

    Parameters
    ----------
    graph
        A complete graph `K8`, a complete bipartite graph `K4,4` or a grid `4x6`. It has from 1 to
        400 vertices.

    Notes
    -----
    The complete graph with 2n vertices has 1·3·5···(2n - 1) perfect matchings (OEIS A001147), the
    complete bipartite graph with n + n vertices has n! (A000142), and those of a grid are its
    domino tilings (A004003).

    >>> matchings = example()
    >>> matchings.count()
    105
    >>> print(matchings.text(matchings.cover().first()))
    1-2 3-4 5-6 7-8
    """
    title = f"A perfect matching of {graph[:40]}"
    vertices, positions, edges = parse_graph(graph)
    picture = Graph(title, edges, vertices, positions, edges, width=0.2)
    options = {"-".join(edge): edge for edge in edges}
    return Puzzle(title, Formulation(options, vertices, view=picture), order_seed=4)


def parse_graph(text: str) -> tuple[list[str], list[Point], list[Edge]]:
    """Return the vertices of a graph, their positions unless they form a circle, and the edges.

    Raises ValueError if the text is not a valid graph.

    >>> parse_graph("2x2")[2]
    [('1', '2'), ('1', '3'), ('2', '4'), ('3', '4')]
    """
    match = re.fullmatch(r"K(\d{1,9})(?:,(\d{1,9}))?|(\d{1,9})x(\d{1,9})", text, re.ASCII)
    if match is None:
        raise ValueError(f"graph must be K8, K4,4 or 4x6 with other numbers, not {text[:40]!r}")
    first, second, rows, columns = (int(word or 0) for word in match.groups())
    check_range("the number of vertices", n := first + second + rows * columns, 1, MAX_VERTICES)
    names = [str(k) for k in range(1, n + 1)]
    if rows:  # a grid, such as 4x6
        name_of = dict(zip(product(range(rows), range(columns)), names, strict=True))
        pairs = [((r, c), near) for r, c in name_of for near in ((r, c + 1), (r + 1, c))]
        edges = [(name_of[cell], name_of[near]) for cell, near in pairs if near in name_of]
        return names, [(1.2 * c, 1.2 * r) for r, c in name_of], edges
    if match[2] is None:  # a complete graph, such as K8
        return names, [], [*combinations(names, 2)]
    if not first * second:
        raise ValueError(f"both sides must have vertices, not {first} and {second}")
    # A complete bipartite graph, such as K4,4: two columns, each centered
    sides = [(3.0 * x, 1.2 * (y - m / 2)) for x, m in enumerate((first, second)) for y in range(m)]
    return names, sides, [*product(names[:first], names[first:])]
