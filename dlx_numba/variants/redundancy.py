"""Find rules that follow from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations, islice, pairwise
from typing import Any, TypeVar

import numpy as np

from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult
from .constraints import Constraints
from .engine import variant_engine
from .formulate import formulate
from .state import state_rules
from .statements import Choice, Different, Equal, Mask, Related, Statement, Total
from .units import check_units

_STOPPED = "stopped before it was known which rules are redundant"
RulesT = TypeVar("RulesT", bound=Constraints)
BLOCK_BOARDS = 16  # in each call of the engine; no call follows the first board with a solution


def find_redundant(rules: RulesT, box: Box, board: Boards, stop: Stop) -> list[RulesT]:
    """Return the rules without which a board (cells,) has the same solutions.

    Raises Stopped if `stop` ends the search.
    """
    singles = rules.single_rules()
    redundant = []
    for single in singles:
        _check(stop)
        others = rules.with_rules(other for other in singles if other is not single)
        _check(stop)
        solve = partial(_solve, others, box, board, stop)
        violating = _violating_boards(rules.with_rules([single]), box, board)
        if not _has_solution(others, box, violating, stop) and not any(
            _is_deniable(statement, box, solve) for statement in state_rules(single, box)
        ):
            redundant.append(single)
    return redundant


def _solve(
    rules: Constraints, box: Box, board: Boards, stop: Stop, statements: list[Statement]
) -> Boards | None:
    """Return a solution of a board (cells,) with further statements, or None."""
    try:
        found = formulate(rules, box, board.tolist(), stop, others=statements)
    except ValueError:  # the rules exclude a given
        return None
    cover = found.cover.first(stop=stop)
    if cover is None:
        return None
    values: Boards = np.isin(found.option_of, cover).argmax(axis=1)  # from 0
    return values


def _is_deniable(
    stated: Statement, box: Box, solve: Callable[[list[Statement]], Boards | None]
) -> bool:
    """Return whether there is a solution in which a choice or a total is not as stated.

    A solution that agrees with an alternative of a choice divides the others: each cell in turn is
    the first whose value the alternative excludes.
    """
    if isinstance(stated, Total):
        assert stated.low is not None
        bounds = (None, stated.low - 1), (stated.low + 1, None)
        others = (stated._replace(name="other", low=a, high=b, is_implied=False) for a, b in bounds)
        return any(solve([other]) is not None for other in others)
    if not isinstance(stated, Choice):
        return False
    branches = [list[Statement]()]
    while branches:
        branch = branches.pop()
        if (values := solve(branch)) is None:
            continue
        chosen = stated.allowed[:, range(len(stated.cells)), values[[*stated.cells]]].all(axis=1)
        if not chosen.any():
            return True
        for cell, is_allowed in zip(stated.cells, stated.allowed[chosen.argmax()], strict=True):
            inside, outside = (
                Related(np.array([[cell, cell]]), np.diag(each))
                for each in (is_allowed, ~is_allowed)
            )
            if not is_allowed.all():
                branches.append([*branch, outside])
                branch = [*branch, inside]
    return False


def _violating_boards(rule: Constraints, box: Box, board: Boards) -> Iterator[Boards]:
    """Yield copies of a board with two more values: each violating solution extends one of them.

    Violations of choices and totals are left out.
    """
    different = ~np.eye(box.n, dtype=np.bool_)
    units, known = check_units(rule, box), check_units(rule.with_rules([]), box)
    pairs_of: list[tuple[Iterable[Any], Mask]] = [
        (combinations(units[name], 2), different) for name in units if name not in known
    ]
    for each in state_rules(rule, box):
        if isinstance(each, Related):
            pairs_of.append(each)
        elif isinstance(each, Different):
            pairs_of.append((combinations(each.cells, 2), different))
        elif isinstance(each, Equal):
            pairs_of.append((pairwise(each.cells), ~different))
    for pairs, agrees in pairs_of:
        values = np.argwhere(~agrees) + 1
        for pair in pairs:
            cells = list(pair)
            is_free = (board[cells] == 0) | (board[cells] == values)
            is_free[:, 0] &= (cells[0] != cells[1]) | (values[:, 0] == values[:, 1])
            for excluded in values[is_free.all(axis=1)]:
                violating = board.copy()
                violating[cells] = excluded
                yield violating


def _check(stop: Stop) -> None:
    if stop():
        raise Stopped(_STOPPED)


def _has_solution(rules: Constraints, box: Box, boards: Iterable[Boards], stop: Stop) -> bool:
    """Return whether one of some boards has a solution."""
    engine, boards = variant_engine(rules, box), iter(boards)
    while block := [*islice(boards, BLOCK_BOARDS)]:
        result = EngineResult.allocate(np.array(block))
        engine.solve(np.array(block), 1, result, stop)
        if (result.counts > 0).any():
            return True
        if (result.counts < 0).any():
            raise Stopped(_STOPPED)
    return False
