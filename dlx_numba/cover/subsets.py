"""Search for sets of options that meet totals, if that seems to take less time than totals."""

from __future__ import annotations

import numpy as np

from ..kernels.algorithms import updates_of_slice
from ..kernels.dlx.branching import Branching
from ..kernels.subsets import may_replace_totals, replace_totals
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Stop
from ..search.prepared import PreparedProblem
from .fixed import Fixed
from .named_problem import NamedProblem
from .names import Numbers, number_names


def easier(named: NamedProblem, stop: Stop, tree: Subtree | None = None) -> NamedProblem:
    """Return a problem with options for the sets that meet totals, or else the same problem.

    Its covers stand for those of the problem. It is another one if a slice of a search, which has
    explored the `tree`, finds no cover and does not end, there are few such sets, and they seem to
    be easier to search: if nothing else limits the options, or another slice explores a larger
    fraction.
    """
    is_default = named.selected.rule.branching in (Branching.SMALLEST, Branching.RANDOM)
    if not may_replace_totals(named.problem) or named.fixed is not None or not is_default:
        return named
    replaced: NamedProblem | None = named.recall(
        "easier", lambda: _find_easier(named, stop, tree), stop
    )
    if replaced is None:
        return named
    same = np.arange(named.problem.n_options)  # the first options are those of the problem
    return replaced.with_attributes(
        fixed=Fixed(named, same, replaced.problem.n_options),
        settings=replaced.settings._replace(**named.settings.resources),
    )


def _find_easier(named: NamedProblem, stop: Stop, tree: Subtree | None) -> NamedProblem | None:
    """Return a problem that is easier to search, or None if there is none.

    Its first options are those of the given problem. `tree` is that of a slice of a search, if one
    has begun; otherwise, a slice is searched here.
    """
    tree = tree or _slice(named.prepare(stop))
    is_easy = tree.is_done or tree.counters[0] > 0  # with its totals: a cover, or the end, is found
    if is_easy or (problem := replace_totals(named.problem, stop)) is None:
        return None
    settings = named.settings._replace(
        given=Numbers(named.selected.given), forbidden=Numbers(named.forbidden)
    )
    replaced = NamedProblem(problem, number_names(problem), settings)
    prepared = replaced.prepare(stop)
    items = prepared.item_numbers[: prepared.problem.n_primary].tolist()
    # Whether a primary item of the problem itself is left: items of `replaced` are named by
    # numbers, of which the lowest ones are those of the problem.
    is_limited = any(replaced.items_left[k] < named.problem.n_primary for k in items)
    if is_limited or prepared.problem.total_low is not None:
        other = _slice(prepared)
        if not other.is_done and other.explored() <= tree.explored():
            return None
    return replaced


def _slice(prepared: PreparedProblem) -> Subtree:
    """Return the whole tree after a slice of its search."""
    tree = prepared.start()
    tree.explore(updates_of_slice(len(prepared.problem.items)), UNLIMITED)
    return tree
