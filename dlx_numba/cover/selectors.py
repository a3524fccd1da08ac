"""Selectors: items whose options say how each of the items that matter is covered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.csr import join_ranges, row_of
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.problem import Problem
from ..kernels.reduce import exclude_each_other
from ..runtime.interrupts import Steps, Stop, unless_stopped
from ..search.prepared import PreparedProblem
from .classes import UNCHOSEN, Uses
from .named_problem import NamedProblem
from .names import Numbers, number_names
from .prepare import select, simplify


def add_selectors(named: NamedProblem, uses: Uses, stop: Stop) -> PreparedProblem | None:
    """Return the problem with a selector for each aspect, which the search branches on first.

    A call that `stop` ends returns None, or a problem that takes longer.
    """
    problem = named.problem
    limits = problem.item_high
    start = np.searchsorted(uses.aspect, np.arange(uses.n_aspects + 1))
    is_single = np.zeros(uses.n_aspects, np.bool_)
    for k in range(uses.n_aspects):
        options = row_of(uses.option, start, k)
        is_single[k] = not stop() and exclude_each_other(problem, limits, options)
    extended = unless_stopped(_extend(problem, uses, is_single), stop)
    if extended is None:
        return None
    settings = named.settings._replace(
        choose="smallest",
        presolve=False,
        given=Numbers(named.selected.given),
        forbidden=Numbers(named.forbidden),
        algorithm="links",
    )
    selected = select(extended, number_names(extended), settings).problem
    rule = BranchingRule(Branching.SHARP, uses.n_aspects, is_consistent=selected.rule.is_consistent)
    return simplify(replace(selected, rule=rule), False, stop)


def _extend(problem: Problem, uses: Uses, is_single: NDArray[np.bool_]) -> Steps[Problem]:
    """Return the problem with a selector for each aspect.

    `is_single` says whether a cover contains at most one of the options that use an aspect.
    """
    aspect, option, value = uses
    n_selectors = len(is_single)
    n_single = int(is_single.sum())
    # Selectors come first. The last primary items belong to single aspects: each is covered by the
    # option that uses the aspect, or by the choice of none. The last secondary items belong to all
    # aspects; the color is the value.
    n_own_primary = n_selectors + problem.n_primary
    n_primary = n_own_primary + n_single
    use_item = n_own_primary + np.cumsum(is_single) - 1
    value_item = n_primary + problem.n_secondary + np.arange(n_selectors)

    # The options of a selector: none is chosen, or one with a certain value; or, if the aspect is
    # not single, a certain number of them, which a total compares with the options chosen.
    _, first_use, n_uses = np.unique(uses.content, return_index=True, return_counts=True)
    yield
    pair_aspect = aspect[first_use]
    largest = np.where(is_single[pair_aspect], 1, n_uses)
    # Of each option: the number of uses, the pair of an aspect and a value, and the aspect
    n_chosen, pair = join_ranges(np.ones_like(largest), largest + 1)
    chosen = pair_aspect[pair]
    # The numbers of the options of selectors: those for no use come first.
    if_none = problem.n_options + np.arange(n_selectors)
    if_chosen = problem.n_options + n_selectors + np.arange(len(pair))
    n_options = problem.n_options + n_selectors + len(pair)

    # Of each use: whether its aspect has several values. Only then does the option color the last
    # secondary items; with a single value, it suffices how often the aspect is used.
    has_values = (np.bincount(pair_aspect, minlength=n_selectors) > 1)[aspect]
    is_one = is_single[aspect]
    shift = np.where(problem.items < problem.n_primary, n_selectors, n_selectors + n_single)
    yield
    option_of, items, colors = _join_columns(
        [
            (problem.option_of_node(), problem.items + shift, problem.node_colors),
            (option[has_values], value_item[aspect[has_values]], value[has_values]),
            (option[is_one], use_item[aspect[is_one]], 0),
            (if_none, np.arange(n_selectors), 0),
            (if_none[is_single], use_item[is_single], 0),
            (if_none[~is_single], value_item[~is_single], UNCHOSEN),
            (if_chosen, chosen, 0),
            (if_chosen, value_item[chosen], value[first_use[pair]]),
        ]
    )
    yield
    order = np.argsort(option_of, kind="stable")
    yield
    low, high = (
        None if bound is None else np.pad(bound, (n_selectors, n_single), constant_values=1)
        for bound in (problem.low, problem.high)
    )

    # The total of an aspect that is not single: uses of it minus the number chosen are 0.
    n_totals = len(problem.totals.low) + n_selectors - n_single
    own_total = len(problem.totals.low) + np.cumsum(~is_single) - 1
    is_counted = ~is_single[chosen]
    no_difference = np.zeros(n_selectors - n_single, np.int64)
    added = (
        no_difference,
        no_difference,
        *_join_columns(
            [
                (own_total[aspect[~is_one]], option[~is_one], 1),
                (own_total[chosen[is_counted]], if_chosen[is_counted], -n_chosen[is_counted]),
            ]
        ),
    )
    yield
    totals = [np.concatenate(pair) for pair in zip(problem.totals, added, strict=True)]
    return Problem(
        np.cumsum(np.bincount(option_of + 1, minlength=n_options + 1)),
        items[order],
        n_primary,
        problem.n_secondary + n_selectors,
        colors[order].astype(np.int32),
        low,
        high,
        None,
        *(totals if n_totals else ()),
    )


def _join_columns(tables: Iterable[Sequence[Any]]) -> NDArray[np.int64]:
    """Return the columns of tables, one below the other. A number is the same in all rows."""
    return np.concatenate([np.stack(np.broadcast_arrays(*columns)) for columns in tables], axis=1)
