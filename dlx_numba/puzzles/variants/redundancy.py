"""Find rules that follow from others: no solution of the others violates them."""

from collections.abc import Callable
from functools import partial
from itertools import chain, combinations, pairwise, product
from typing import Any, TypeAlias, TypeVar

import numpy as np

from ...runtime.interrupts import Stop
from ...sudoku.box import Box
from ...sudoku.engines.base import Boards
from .constraints import Constraints
from .engine import VariantEngine
from .expand import list_requirements
from .requirements import (
    Allowed,
    Cells,
    Choice,
    Different,
    Equal,
    Mask,
    Related,
    Requirement,
    Total,
)
from .units import check_units

RulesT = TypeVar("RulesT", bound=Constraints)
Solve: TypeAlias = Callable[..., Boards | None]


def find_redundant(rules: RulesT, box: Box, board: Boards, stop: Stop) -> list[RulesT]:
    """Return the rules without which a board (cells,) has the same solutions.

    Raises Stopped if `stop` ends the search.
    """
    singles = rules.single_rules()
    redundant = []
    for single in singles:
        others = rules.with_rules(other for other in singles if other is not single)
        solve = partial(_find_solution, VariantEngine(others, box), board, stop)
        rule = rules.with_rules([single])
        # The units that the rule adds are requirements, too.
        units = check_units(rule, box)
        other_units = check_units(rule.with_rules([]), box)
        added = [Different(name, (*units[name],)) for name in units if name not in other_units]
        requirement = chain(added, list_requirements(rule, box))
        if not any(_is_deniable(each, box.n, solve) for each in requirement):
            redundant.append(single)
    return redundant


def _find_solution(
    engine: VariantEngine, board: Boards, stop: Stop, allowed: Allowed, denied: Total | None = None
) -> Boards | None:
    """Return a solution in which cells have only allowed values, or None.

    `denied` is a total that it must have, too: one outside of the limits of a rule.
    """
    if denied is not None:
        engine = VariantEngine(engine.rules, engine.box, [denied])
    blocks = engine.iterate_blocks(board, stop, max_size=1, allowed=allowed)
    return next(chain.from_iterable(blocks), None)


def _is_deniable(requirement: Requirement, n: int, solve: Solve) -> bool:
    """Return whether a board has a solution that violates a requirement."""
    is_equal = np.eye(n, dtype=np.bool_)
    match requirement:
        case Related(pairs, agrees):
            # Each pair of cells, with each value of the first one, and the values of the second one
            # that do not agree with it: what `_find_solution` takes as allowed
            denied: Any = product(pairs.tolist(), zip(is_equal, ~agrees, strict=True))
            return any(solve([*zip(*each, strict=True)]) is not None for each in denied)
        case Equal(cells):
            return _is_deniable(Related(np.array([*pairwise(cells)]), is_equal), n, solve)
        case Different(_, cells, sets):
            pairs = np.array([*combinations(cells, 2)], np.int64).reshape(-1, 2)
            is_free = _is_deniable(Related(pairs, ~is_equal), n, solve)
            return is_free or (sets is not None and _is_deniable(requirement.choice(n), n, solve))
        case Choice(_, cells, allowed):
            return _is_choice_deniable(cells, allowed, solve)
        case Total(_, low, _, _, False):
            assert low is not None  # rules have only equalities, of which low is the sum
            # A solution that violates it has a smaller or a greater sum.
            bounds = (None, low - 1), (low + 1, None)
            return any(
                solve([], requirement._replace(low=a, high=b)) is not None for a, b in bounds
            )
    return False  # a total that sets imply


def _is_choice_deniable(cells: Cells, alternatives: Mask, solve: Solve) -> bool:
    """Return whether there is a solution with none of some alternatives.

    A solution that agrees with an alternative divides the others: each cell in turn is the first
    whose value the alternative excludes.
    """
    branches: list[Allowed] = [[]]
    while branches:
        allowed = branches.pop()
        if (values := solve(allowed)) is None:
            continue
        agrees = alternatives[:, range(len(cells)), values[[*cells]] - 1].all(axis=1)
        if not agrees.any():
            return True
        for cell, inside in zip(cells, alternatives[agrees.argmax()], strict=True):
            if not inside.all():
                branches.append([*allowed, (cell, ~inside)])
                allowed = [*allowed, (cell, inside)]
    return False
