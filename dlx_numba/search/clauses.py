"""Write exact cover problems as clauses, for solvers of the satisfiability problem."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.csr import group, row_of, transpose
from ..kernels.problem import Problem

MAX_PAIRWISE = 5  # up to this size, clauses of two literals say "at most one"


class Color(NamedTuple):
    """A color of an item that several options have."""

    item: int
    color: int
    options: list[int]


class Sum(NamedTuple):
    """The number of true variables that is required of some."""

    item: int
    variables: NDArray[np.int64]
    low: int
    high: int  # at most the number of the variables, unless they are too few anyway


def find_sums(problem: Problem) -> tuple[list[Sum], list[Color]]:
    """Return what a problem requires of variables that are 0 or 1, for clauses and linear models.

    There is a variable for each option, which says whether it is chosen, and after these, one for
    each of the colors that are returned, which says whether an item has the color. At most one of
    the colors of an item may be true. An option without a color there counts as one more color.
    """
    options, start = transpose(problem.indptr, problem.items, problem.n_items)
    node_colors = problem.color
    if node_colors is not None:  # in the order of `options`: by item
        nodes, _ = group(problem.items, problem.n_items)
        node_colors = node_colors[nodes]
    sums: list[Sum] = []
    colors: list[Color] = []
    for item, (low, high) in enumerate(problem.item_bounds):
        variables = row_of(options, start, item)
        if item >= problem.n_primary and node_colors is not None:
            groups: dict[tuple[int, int], list[int]] = {}
            item_colors = row_of(node_colors, start, item).tolist()
            for option, color in zip(variables.tolist(), item_colors, strict=True):
                # -1 stands for all options of the color; an option without one is alone.
                groups.setdefault((color, -1 if color else option), []).append(option)
            color_variables: list[int] = []
            # A single color needs no sum: all of its options may be chosen together.
            for (color, _), members in groups.items() if len(groups) > 1 else ():
                if len(members) > 1:
                    color_variables.append(problem.n_options + len(colors))
                    colors.append(Color(item, color, members))
                else:  # the variable of the option is that of the color, too
                    color_variables += members
            variables = np.array(color_variables, np.int64)
        # Clauses need no sum that cannot be violated, but models have a row for each primary item.
        if low > 0 or (len(variables) and item < problem.n_primary) or high < len(variables):
            sums.append(Sum(item, variables, low, max(low, min(high, len(variables)))))
    return sums, colors


def iterate_clauses(
    n_options: int, sums: Sequence[Sum], colors: Sequence[Color], fixed: Mapping[int, int]
) -> Iterator[list[int]]:
    """Yield the clauses of sums, colors and fixed options, as lists of literals.

    Literals count variables from 1. `fixed` has the values of some options, 0 or 1. The values of
    the options determine those of all other variables, so each cover is a single model.
    """
    n_variables = n_options + len(colors)
    for option, value in fixed.items():
        yield [option + 1 if value else -option - 1]
    # A color is true if and only if one of its options is.
    for variable, color in enumerate(colors, n_options + 1):
        yield [-variable, *(option + 1 for option in color.options)]
        yield from ([variable, -option - 1] for option in color.options)
    # Of the literals of a sum, from `low` to `high` are true. Small cases need no counter.
    for _, variables, low, high in sums:
        literals = [variable + 1 for variable in variables.tolist()]
        if low == 1 or low > len(literals):
            yield literals if low == 1 else []  # the empty clause is never true
            low = 0
        if high == 0:
            yield from ([-literal] for literal in literals)
        if high == 1 and len(literals) <= MAX_PAIRWISE:
            yield from (
                [-a, -b] for n_before, a in enumerate(literals) for b in literals[:n_before]
            )
            continue
        # Sinz's sequential counter: the variable or literal reached[j] is true if at least j + 1 of
        # the literals so far are. It counts up to `low`, or to `high` if that can be exceeded.
        reached: list[int] = []
        depth = max(low, high if high < len(literals) else 0)
        for literal in literals if depth else ():
            if high < len(literals) and len(reached) >= high:
                yield [-literal, -reached[high - 1]]
            following: list[int] = []
            for j in range(min(depth, len(reached) + 1)):
                # At least j + 1 of the literals up to this one are true if as many were true before
                # it, or if this one is and j were. Lists are empty where that is impossible
                # (`before`) or always so (`fewer`); otherwise, they have one variable.
                before = reached[j : j + 1]
                fewer = reached[j - 1 : j] if j else []
                if not before and not fewer:
                    following.append(literal)
                    continue
                n_variables += 1
                following.append(n_variables)
                yield from ([n_variables, -variable] for variable in before)
                yield [n_variables, -literal, *(-variable for variable in fewer)]
                yield [-n_variables, *before, literal]
                yield from ([-n_variables, *before, variable] for variable in fewer)
            reached = following
        if low:
            yield [reached[low - 1]]
