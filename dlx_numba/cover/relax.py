"""Relax a problem that has no cover: drop the cheapest set of its requirements.

The relaxed problem has further options, whose costs are the weights of the requirements. Each
stands for an option that is missing, as for penalties; for a unit of capacity that is not needed,
which saves its weight; or for a power of two by which a total leaves its limits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple, cast

from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, raise_if_stopped
from ..runtime.text import plural
from .check import find_violations
from .costs import as_price
from .counting import ThreadStatistics
from .covers import Cover
from .encode import Statement, encode_problem
from .highs import strongest_engine
from .iterables import as_mapping
from .models import list_totals
from .names import Cost, label, names_of, option_numbers
from .optimizer import create_optimizer
from .penalties import Missing, as_cost
from .prepare import DEFAULTS, RESOURCES
from .solutions import find_cheapest
from .spelling import simplify_names, suggest
from .stated import Stated

KINDS = {  # of requirements, and what it means to drop one
    "uncovered": "{0} is covered {1} less than required",
    "capacity": "{0} is covered {1} more than allowed",
    "total": "the total {0} is {2:,} beyond its limits",
    "given": "option {0} is not chosen",
    "forbidden": "option {0} is chosen",
}
MAX_BITS = 30  # of what a total exceeds
ALONE = 64  # nodes that the own search examines before HiGHS starts
NOTHING = Fraction(0)
INFINITE = Fraction(1 << 62)  # it must not be dropped

Dropped = dict[tuple[str, Hashable], int]  # by how much, by the kind and name of a requirement


class RelaxedCover(Cover):
    """A cover of a problem without some of its requirements."""

    __slots__ = ("_dropped", "_price")
    _dropped: Dropped
    _price: Fraction

    def __reduce__(self) -> tuple[Any, ...]:
        return _as_relaxed, (self._problem, list(self), self._dropped, self._price)

    @property
    def relaxed(self) -> Dropped:
        return self._dropped

    @property
    def _missing(self) -> list[Missing]:
        dropped = [name for kind, name in self._dropped if kind == "uncovered"]
        return [*super()._missing, *(Missing(name, 1, None) for name in dropped)]

    @property
    def cost(self) -> Cost:
        return as_cost(self._price)


def _as_relaxed(
    stated: Stated, options: Sequence[int], dropped: Dropped, price: Fraction
) -> RelaxedCover:
    cover = RelaxedCover(options)
    cover._problem = stated
    cover._dropped = dropped
    cover._price = price
    return cover


def describe_relaxed(cover: Cover, is_cheapest: bool) -> str:
    """Return what a relaxed cover drops, and the cover itself, in lines of text."""
    if not cover.relaxed:
        return f"No requirement needs to be dropped: {cover}"
    which = "the cheapest" if is_cheapest else "the cheapest known"
    lines = [f"There is a cover at cost {cover.cost:,}, {which}, without these requirements:"]
    problem = cover._stated.problem
    names = cover._stated.names
    for (kind, name), n in cover.relaxed.items():
        if kind in ("given", "forbidden"):  # it may be a number, and people know items
            name = names_of(problem, names, option_numbers([name], problem, names))[0]
        lines.append(f"- {KINDS[kind].format(label(name), plural(n, 'time'), n)}")
    return "\n".join([*lines, f"The cover: {cover}"])


class _Weights:
    """The weights of the requirements of a problem."""

    def __init__(self, stated: Stated, weights: Mapping[Any, Any] | None) -> None:
        names = stated.names
        self._weights = {} if weights is None else as_mapping(weights, "weights", "numbers")
        named: dict[str, set[Hashable]] = {"total": {*names.totals}}
        named["uncovered"] = named["capacity"] = {*names.items}
        named["given"] = named["forbidden"] = {*names.options}
        known = {*KINDS, *chain(*named.values())}
        for key, weight in self._weights.items():
            is_pair = isinstance(key, tuple) and len(key) == 2 and key[0] in KINDS
            if key not in known and not (is_pair and key[1] in named[key[0]]):
                hint = suggest(key, simplify_names(known))
                raise ValueError(f"weights: there is no requirement {key!r}{hint}")
            if weight != math.inf:
                as_price(weight, f"weight of {key!r}")

    def __call__(self, kind: str, name: Hashable) -> Fraction:
        """Return the weight of a requirement: given for it, for its name or for its kind, or 1."""
        keys = ((kind, name), name, kind)
        weight = next((self._weights[key] for key in keys if key in self._weights), 1)
        return INFINITE if weight == math.inf else as_price(weight, "weight")


def relax_problem(
    stated: Stated, weights: Mapping[Any, Any] | None, stop: Stop
) -> RelaxedCover | None:
    """Return the cheapest relaxed cover, as `ExactCover.relax` does."""
    weigh = _Weights(stated, weights)
    best = cast(RelaxedCover | None, None)
    rows = _Rows.of(stated, weigh, stop)
    extra = dict.fromkeys(rows.excess, 0)  # by how much capacities may be exceeded
    while True:
        cover, is_done = _solve(stated, rows, weigh, extra, best, stop)
        if cover is not None and (best is None or cover._price < best._price):
            best = cover
        if not is_done:
            raise Stopped("stopped before the cheapest relaxation was known", best)
        # Exceeding an item by more than this costs as much as the best cover.
        most = dict(rows.excess)
        for item, limit in most.items():
            weight = weigh("capacity", stated.names.items[item])
            if best is not None and weight:
                most[item] = max(0, min(limit, math.ceil(best._price / weight) - 1))
        if best is not None and not best._price:
            return best
        if all(extra[item] >= number for item, number in most.items()):
            return best
        highest = 2 * max(extra.values()) + 1  # few units, because they are interchangeable
        extra = {item: min(number, highest) for item, number in most.items()}


class _Rows(NamedTuple):
    """The options of a problem, in which secondary items are primary ones with a capacity.

    A color of an item is an item of its own, which is on or off; all that are on take capacity.
    """

    numbers: list[int]  # of the options
    rows: list[list[Any]]
    states: list[tuple[int, int]]  # colored items and their colors
    used: Counter[int]  # how often each item may be covered
    excess: dict[int, int]  # by how much, if it exceeds its bound

    @classmethod
    def of(cls, stated: Stated, weigh: _Weights, stop: Stop) -> _Rows:
        problem = stated.problem
        names = stated.names
        given = {*stated.selected.given}
        forbidden = {*stated.forbidden}
        used = Counter[int]()
        numbers = list[int]()
        rows = list[list[Any]]()
        states = dict[tuple[int, int], None]()
        for k in problem.usable_options().tolist():
            raise_if_stopped(stop, "the relaxed problem was ready")
            if k in forbidden and weigh("forbidden", names.options[k]) == INFINITE:
                continue
            own = problem.entries(k)
            states.update((node, None) for node in own if node[1])
            used.update(item for item, color in own if not color)
            rows.append([(node, "on") if node[1] else node[0] for node in own])
            if k in given:
                rows[-1].append(("given", k))
            numbers.append(k)
        used.update(item for item, _ in states)
        high = problem.item_high.tolist()
        excess = {
            item: n - high[item]
            for item, n in used.items()
            if n > high[item] and weigh("capacity", names.items[item]) < INFINITE
        }
        return cls(numbers, rows, [*states], used, excess)


def _solve(
    stated: Stated,
    rows: _Rows,
    weigh: _Weights,
    extra: Mapping[int, int],
    start: RelaxedCover | None,
    stop: Stop,
) -> tuple[RelaxedCover | None, bool]:
    """Return the cheapest cover that exceeds capacities by at most `extra`, and if it is known."""
    problem = stated.problem
    names = stated.names
    options = rows.rows.copy()
    place = {k: j for j, k in enumerate(rows.numbers)}
    forbidden = {*stated.forbidden}
    costs: list[Any] = [
        weigh("forbidden", names.options[k]) if k in forbidden else 0 for k in place
    ]
    bounds = dict[Any, tuple[int, int]]()
    totals = dict[Any, Any]()

    def add(row: list[Any], cost: Fraction = NOTHING, copies: int = 1) -> None:
        if cost < INFINITE:
            options.extend([row] * copies)
            costs.extend([cost] * copies)

    for node in rows.states:
        add([("state", *node), node[0], (node, "on")])
        add([("state", *node), (node, "off")])
    for k in stated.selected.given:
        add([("given", k)], weigh("given", names.options[k]))
    items = [*range(problem.n_primary), *sorted(k for k in rows.used if k >= problem.n_primary)]
    limits = problem.item_bounds
    for item in items:
        more = extra.get(item, 0)
        least, most = limits[item]
        price = weigh("uncovered", names.items[item])
        if price < INFINITE:  # what is missing in any case does not matter
            least = min(least, rows.used[item])
        most = min(most, max(1, rows.used[item]))
        bounds[item] = least + more if least else 0, max(least, most) + more
        add([item], -weigh("capacity", names.items[item]), more)
        add([item], price, least)
    for k, (lowest, highest, pairs) in enumerate(list_totals(problem)):
        values = {place[j]: w for j, w in pairs if j in place}
        weight = weigh("total", names.totals[k])
        for sign, end in ((1, lowest), (-1, highest)):
            extreme = sum(w for w in values.values() if sign * w < 0)
            beyond = 0 if end is None else max(0, sign * (end - extreme))
            for bit in range(min(MAX_BITS, beyond.bit_length()) * (weight < INFINITE)):
                values[len(options)] = sign << bit
                bounds["slack", len(options), k] = 0, 1
                add([("slack", len(options), k)], weight * (1 << bit))
        totals["limit", k] = values, lowest, highest
    listed: list[Any] = [*bounds, *(("state", *node) for node in rows.states)]
    listed += [("given", k) for k in stated.selected.given]
    if stop():
        return None, False
    statement = Statement(options, listed, rows.states, bounds, costs, totals=totals or None)
    settings: Any = {**DEFAULTS, **{k: v for k, v in stated.settings.items() if k in RESOURCES}}
    relaxed = Stated(*encode_problem(statement), settings)
    first = [place[k] for k in start or ()]
    # The units that are dropped are interchangeable, which HiGHS notices. It starts after a part of
    # the own search, so that small problems have the same result in each call.
    optimizer = create_optimizer(relaxed, 1, stop, first)
    optimizer._advance(stop, ALONE)
    found = optimizer.result
    if not (found.done or stop()):
        engine = strongest_engine()
        found = find_cheapest(relaxed, ThreadStatistics(), 1, False, stop, first, engine=engine)
    for cover in found:
        chosen = [rows.numbers[k] for k in cover if k < len(place)]
        dropped = find_dropped(stated, chosen)
        price = sum((weigh(*key) * n for key, n in dropped.items()), NOTHING)
        return _as_relaxed(stated.shared, chosen, dropped, price), bool(found.done)
    return None, bool(found.done)


def find_dropped(stated: Stated, options: Sequence[int]) -> Dropped:
    """Return the requirements that options violate, and by how much."""
    names = stated.names
    named = {"uncovered": names.items, "capacity": names.items, "total": names.totals}
    violations = find_violations(stated, options)
    return {(kind, named.get(kind, names.options)[k]): n for kind, k, n in violations}
