"""Find rules that follow from others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations, islice, pairwise
from typing import TypeVar

import numpy as np

from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult
from .constraints import Constraints
from .engine import variant_engine
from .formulate import Sum, formulate, related_pairs, weighted_cells
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
        violating = _violating_boards(rules.with_rules([single]), box, board)
        if not _has_solution(others, box, violating, stop) and not any(
            _has_other_sum(others, box, board, each, stop) for each in weighted_cells(single)
        ):
            redundant.append(single)
    return redundant


def _violating_boards(rule: Constraints, box: Box, board: Boards) -> Iterator[Boards]:
    """Yield copies of a board with two more values: each violating solution extends one of them.

    Violations of the sum of a cage, a little killer or an arrow are left out.
    """
    different = ~np.eye(box.n, dtype=np.bool_)
    units, known = check_units(rule, box), check_units(rule.with_rules([]), box)
    sets = [cells for name, cells in units.items() if name not in known]
    for pairs, agrees in (
        *related_pairs(rule, box),
        *((combinations(cells, 2), different) for cells in (*sets, *(c for _, c in rule.cages))),
        *((pairwise(cells), ~different) for cells in rule.clones),
    ):
        values = np.argwhere(~agrees) + 1
        for pair in pairs:
            cells = list(pair)
            is_free = (board[cells] == 0) | (board[cells] == values)
            for excluded in values[is_free.all(axis=1)]:
                violating = board.copy()
                violating[cells] = excluded
                yield violating


def _has_other_sum(rules: Constraints, box: Box, board: Boards, stated: Sum, stop: Stop) -> bool:
    """Return whether a board has a solution in which a sum differs from the stated one."""
    _, total, _, cells = stated
    assert total is not None
    bounds = (None, total - 1), (total + 1, None)
    for sums in ([("other", *each, cells)] for each in bounds):
        with suppress(ValueError):  # the other rules exclude a given
            cover = formulate(rules, box, board.tolist(), stop, sums=sums).cover
            if cover.first(stop=stop) is not None:
                return True
    return False


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
