"""The requirements of a problem: their weights, and which of them options violate."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from .check import find_violations
from .costs import as_price
from .iterables import as_mapping
from .named_problem import NamedProblem
from .spelling import simplify_names, suggest

KINDS = {  # of requirements, and what it means to drop one
    "uncovered": "{0} is covered {1} less than required",
    "capacity": "{0} is used {1} more than allowed",
    "total": "the total {0} is {2:,} beyond its limits",
    "given": "{0} is given, but not chosen",
    "forbidden": "{0} is chosen, but forbidden",
}
INFINITE = Fraction(1 << 62)  # it must not be dropped

Dropped = dict[tuple[str, Hashable], int]  # by how much, by the kind and name of a requirement


class RequirementWeights:
    """The weights of the requirements of a problem."""

    def __init__(self, named: NamedProblem, weights: Mapping[Any, object] | None) -> None:
        names = named.names
        self._prices: dict[Any, Fraction] = {}
        known_names: dict[str, set[Hashable]] = {"total": {*names.totals}}
        known_names["uncovered"] = known_names["capacity"] = {*names.items}
        known_names["given"] = known_names["forbidden"] = {*names.options}
        known = {*KINDS, *chain(*known_names.values())}
        given = {} if weights is None else as_mapping(weights, "weights", "numbers")
        for key, weight in given.items():
            is_pair = isinstance(key, tuple) and len(key) == 2 and key[0] in KINDS
            if key not in known and not (is_pair and key[1] in known_names[key[0]]):
                hint = suggest(key, simplify_names(known))
                raise ValueError(f"weights: there is no requirement {key!r}{hint}")
            is_infinite = weight == math.inf
            price = INFINITE if is_infinite else as_price(weight, f"weight of {key!r}")
            if price >= INFINITE and not is_infinite:
                raise ValueError(f"weight of {key!r} must be less than 2**62, or infinite")
            self._prices[key] = price

    def __call__(self, kind: str, name: Hashable) -> Fraction:
        """Return the weight of a requirement: given for it, for its name or for its kind, or 1."""
        for key in ((kind, name), name, kind) if self._prices else ():
            if key in self._prices:
                return self._prices[key]
        return Fraction(1)

    def price(self, dropped: Dropped) -> Fraction:
        """Return what the requirements cost that are dropped."""
        return sum((self(*key) * n for key, n in dropped.items()), Fraction(0))


def find_dropped(named: NamedProblem, options: Sequence[int]) -> Dropped:
    """Return the requirements that options violate, and by how much."""
    names = named.names
    known_names = {"uncovered": names.items, "capacity": names.items, "total": names.totals}
    violations = find_violations(named, options)
    return {(kind, known_names.get(kind, names.options)[k]): n for kind, k, n in violations}
