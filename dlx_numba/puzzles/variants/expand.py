"""Formulate all rules of a variant: call the function of each parameter with each entry."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import raise_if_stopped
from ...sudoku.box import Box
from ...sudoku.engines.base import StopCheck
from . import clues, lines
from .constraints import WHOLE, Constraints
from .requirements import (
    Choice,
    Different,
    Equal,
    Less,
    Related,
    Requirement,
    RuleBoard,
    Total,
    first_cells,
    is_single,
)
from .units import UNITS

_PLURAL = re.compile(r"(?<=ch)es$|s$")


def list_requirements(
    rules: Constraints, box: Box, stop: StopCheck = lambda: False
) -> Iterator[Requirement]:
    """Yield what the rules require, except those that are units; see `units.check_units`.

    Raises Stopped if `stop` ends the call, which is asked once for each entry of a rule.
    """
    for _, own, combined in _grouped(rules, box, lambda _: None, stop):
        yield from (*own, *combined)


def list_relations(rules: Constraints, box: Box) -> Iterator[tuple[str, Requirement]]:
    """Yield relations of cells, choices and totals, each with the name of its rule."""
    below: list[tuple[str, Requirement]] = []  # the order of cells, which is yielded last
    for name, own, combined in _grouped(rules, box, itemgetter(0)):
        below += ((name, related) for related in combined)
        for requirement in own:
            if is_single(requirement):
                yield name, requirement.choice()
            elif isinstance(requirement, Related | Choice | Total | Equal):
                yield name, requirement
            elif isinstance(requirement, Different) and requirement.sets and name != "cages":
                yield name, requirement.choice(box.n)
    yield from below


def list_entries(rules: Constraints, box: Box) -> Iterator[tuple[str, str, list[Requirement]]]:
    """Yield each entry of a rule: the names of both, and what the entry requires."""
    for (name, entry), own, combined in _grouped(rules, box, itemgetter(0, 1)):
        yield name, entry, [*own, *combined]


def _grouped(
    rules: Constraints, box: Box, key: Callable[[Any], Any], stop: StopCheck = lambda: False
) -> Iterator[tuple[Any, list[Requirement], Iterator[Related]]]:
    """Yield the key of each group of entries, what they require, and separately the order of cells.

    `key` returns that of a tuple that `_expand` yields.
    """
    for group_key, group in groupby(_expand(rules, box, stop), key):
        gaps = np.zeros((box.cells, box.cells), np.int64)
        own: list[Requirement] = []
        for _, _, requirement in group:
            if isinstance(requirement, Less):
                gaps[requirement.low, requirement.high] = 1
            else:
                own.append(requirement)
        yield group_key, own, _combine(gaps, box.n)


def _expand(
    rules: Constraints, box: Box, stop: StopCheck
) -> Iterator[tuple[str, str, Requirement]]:
    """Yield the name of each rule and of each of its entries with each of its requirements."""
    board = RuleBoard(rules, box)
    for name, value in rules.stated().items():
        if name in UNITS:
            continue
        function = getattr(lines, name, None) or getattr(clues, name)
        singular = _PLURAL.sub("", name).replace("_", " ")
        for k, entry in enumerate([value] if name in WHOLE or value is True else value, 1):
            raise_if_stopped(stop, "all rules were encoded")
            board.name = f"{singular}{k}"
            yield from ((name, board.name, each) for each in function(entry, board))


def _combine(gaps: NDArray[np.int64], n: int) -> Iterator[Related]:
    """Yield the pairs of cells for each gap, by which the second value exceeds the first at least.

    `gaps` are 1 for pairs that are required; pairs that follow from several of them are added.
    """
    if gaps.any():
        gaps = _close(gaps, n)
        for gap in range(1, int(gaps.max()) + 1):
            agrees = np.subtract.outer(np.arange(n), np.arange(n)) <= -gap
            yield Related(np.argwhere(gaps == gap), agrees)


def find_clash(
    requirements: Iterable[Requirement], units: Mapping[str, Sequence[int]]
) -> tuple[int, int, str] | None:
    """Return two cells that must have the same value, and a unit or cage with both, if any."""
    equal = [each for each in requirements if isinstance(each, Equal)]
    if not equal:
        return None
    first = first_cells(1 + max(chain.from_iterable(units.values())), equal).tolist()
    sets = {each.name: each.cells for each in requirements if isinstance(each, Different)}
    for name, cells in (*units.items(), *sets.items()):
        if len({first[cell] for cell in cells}) < len(cells):
            for one, other in combinations(cells, 2):
                if first[one] == first[other]:
                    return one, other, name
    return None


def _close(gaps: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return how much the value of a cell is at least below that of another, (cells, cells).

    0 means unrelated. The gap of two cells is the length of the longest chain of cells between
    them whose values increase; it has more information than the steps of the chain. Gaps are cut at
    n + 1: a gap of n is impossible already, and in a circle of cells, they would grow.
    """
    for cell in np.flatnonzero(gaps.any(axis=0) & gaps.any(axis=1)):
        before = gaps[:, cell]
        after = gaps[cell]
        through = np.add.outer(before, after) * np.logical_and.outer(before > 0, after > 0)
        gaps = np.minimum(np.maximum(gaps, through), n + 1)
    return gaps
