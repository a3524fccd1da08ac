"""Diagrams as text: for Graphviz, and as zero-suppressed decision diagrams (ZDDs)."""

from collections.abc import Iterable, Sequence
from itertools import chain, starmap

import numpy as np

from ..kernels.memo.explore import FALSE, TRUE, Diagram


def format_dot(graph: Diagram, counts: Sequence[int], n_options: int) -> str:
    """Return a graph in the DOT language, as `CoverDiagram.to_dot` does.

    `counts` has the number of covers of each node, and `n_options` is that of the problem.
    """
    end, text = (TRUE, "1 cover") if graph.n_nodes > TRUE else (FALSE, "no cover")
    lines = ["digraph covers {", '  node [shape=circle, label=""];']
    lines.append(f'  {end} [shape=box, label="{text}"];')
    start, option, child = graph
    for node in range(graph.n_nodes - 1, TRUE, -1):
        lines.append(f'  {node} [label="{counts[node]:,}"];')
        for edge in range(start[node], start[node + 1]):
            is_option = option[edge] < n_options
            style = f'label="{option[edge]}"' if is_option else "style=dashed"
            lines.append(f"  {node} -> {child[edge]} [{style}];")
    return "\n".join([*lines, "}"])


def format_zdd(
    graph: Diagram, options: Sequence[int], fixed: Sequence[int], ranges: Iterable[tuple[int, int]]
) -> str:
    """Return a ZDD in the text format of Graphillion, as `CoverDiagram.to_zdd` does.

    A node of the graph becomes a chain of ZDD nodes, one for the option of each edge, in ascending
    levels: "high" is the node below the edge, and "low" the next one of the chain. At its end is
    the node below an edge without an option, if there is one, and otherwise B, which has no cover.

    Parameters
    ----------
    graph : Diagram
    options : sequence of int
        The option of each level, from 1.
    fixed : sequence of int
        Options of each cover that are not part of the graph.
    ranges : iterable of (int, int)
        Consecutive ranges of nodes in ascending order, which together have all nodes with edges.
        The iterator may raise Stopped.
    """
    # An edge without an option has the number of options instead, whose level is above all others.
    level_of = np.full(len(options) + 1, len(options) + 1)
    level_of[options] = np.arange(1, len(options) + 1)
    names = ["B", "T"]  # of the ZDD node that corresponds to each node
    lines: list[str] = []

    def add_node(level: int, low: str, high: str) -> str:
        name = str(2 * len(lines) + 2)  # Graphillion numbers nodes evenly, too
        lines.append(f"{name} {level} {low} {high}")
        return name

    start, option, child = graph
    for node in chain.from_iterable(starmap(range, ranges)):
        edges = range(start[node], start[node + 1])
        name = "B"
        for edge in sorted(edges, key=lambda edge: -level_of[option[edge]]):
            level = level_of[option[edge]]
            below = names[child[edge]]
            name = below if level > len(options) else add_node(level, name, below)
        names.append(name)
    root = names[graph.n_nodes - 1]
    if graph.n_nodes > TRUE:
        for number in sorted(fixed, key=lambda option: -level_of[option]):
            root = add_node(level_of[number], "B", root)
    return "\n".join([*(lines or [root]), ".\n"])
