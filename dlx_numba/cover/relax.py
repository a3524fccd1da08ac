"""Relax a problem that has no cover: drop the cheapest set of its requirements.

The relaxed problem has further options, whose costs are the weights of the requirements. Each
stands for an option that is missing, as for penalties; for a unit of capacity that is not needed,
which saves its weight; or for a power of two by which a total leaves its limits.

If options have costs, a second search finds the cheapest cover among those that drop as little.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from ..kernels.problem import MAX_WEIGHT
from ..pictures.document import Svg
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, raise_if_stopped
from ..runtime.job import run
from ..runtime.text import plural
from ..runtime.workers import call_until
from .counting import ThreadStatistics
from .covers import Cover, NameT, Start
from .encode import Formulation, encode_problem
from .engines import create_optimizer
from .highs import EXACT_BITS, strongest_engine
from .models import list_totals
from .named_problem import NamedProblem, named_problem
from .names import label, names_of, option_numbers
from .penalties import Missing, exact_costs
from .picture import draw
from .plan import Columns, align_rows, tabulate_plan
from .prepare import DEFAULTS
from .requirements import INFINITE, KINDS, Dropped, RequirementWeights, find_dropped
from .solutions import find_cheapest

MAX_BITS = 31  # of what a total exceeds
BASE = 1000  # of the digits of large weights: many weights in decimals have zeros
ALONE = 64  # nodes that the own search examines before HiGHS starts
NOTHING = Fraction(0)


class RelaxedCover(Cover[NameT]):
    """A cover of a problem without some of its requirements.

    Attributes
    ----------
    done : bool
        Whether it is known to drop the cheapest requirements.
    """

    __slots__ = ("_dropped", "done")
    _dropped: Dropped
    done: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return _as_relaxed, (self._problem, [*self], self._dropped), (None, {"done": self.done})

    @property
    def relaxed(self) -> Dropped:
        return self._dropped

    @property
    def _missing(self) -> list[Missing]:
        dropped = [name for kind, name in self._dropped if kind == "uncovered"]
        return [*super()._missing, *(Missing(name, 1, None) for name in dropped)]

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"Given up: {loss}" for loss in self.losses)])

    def columns(self, start: Start = None) -> Columns:
        """Return columns as `Cover.columns`, with what is given up beside its options."""
        losses: defaultdict[int, list[str]] = defaultdict(list)
        for (kind, name), text in zip(self._dropped, self.losses, strict=True):
            for k in self._options_of(kind, name):
                losses[k].append(text)
        joined = {k: "; ".join(texts) for k, texts in losses.items()}
        return tabulate_plan(self._named, self, self._missing, start, joined)

    def _options_of(self, kind: str, name: Hashable) -> list[int]:
        """Return the options of the plan that break a requirement, or the given one that it lacks.

        Nothing is returned for an item that is not covered.
        """
        named = self._named
        if kind in ("given", "forbidden"):
            return option_numbers([name], named.problem, named.names)
        if kind == "capacity":
            item = named.names.item_numbers[name]
            return [k for k in self if item in dict(named.problem.entries(k))]
        if kind == "total":
            pairs = list_totals(named.problem)[[*named.names.totals].index(name)].pairs
            weighed = {k for k, weight in pairs if weight}
            return [k for k in self if k in weighed]
        return []

    def svg(self) -> Svg:
        """Draw the plan, with a mark at what it does not keep, below the sentences that say so."""
        from ..pictures.sheet import svg_sheet  # most plans are not drawn

        named = self._named
        broken = {
            k
            for kind, name in self._dropped
            if kind in ("capacity", "forbidden")
            for k in self._options_of(kind, name)
        }
        if (picture := named.drawing) is not None:
            named = named.with_attributes(view=replace(picture, marked=tuple(sorted(broken))))
        losses = "\n".join(f"Given up: {loss}" for loss in self.losses)
        return svg_sheet("A plan that gives something up", [(losses, draw(named, self))])

    def _picture(self) -> Svg | None:
        return None if self._named.drawing is None else self.svg()

    @property
    def losses(self) -> list[str]:
        """The sentences that say what is given up."""
        return [*self._losses()]

    def _losses(self) -> Iterator[str]:
        """Yield a sentence for each requirement that is dropped.

        An option without a name is shown by its items, which people know.
        """
        named = self._named
        limits = dict(zip(named.names.items, named.problem.item_bounds, strict=True))
        for (kind, name), n in self._dropped.items():
            text = KINDS[kind]
            low, high = limits.get(name, (0, 0))
            if kind in ("given", "forbidden"):
                numbers = option_numbers([name], named.problem, named.names)
                name = names_of(named.problem, named.names, numbers)[0]
            elif kind == "uncovered" and n == low:
                text = "{0} is not covered"
            elif kind == "capacity" and n == high == 1:
                text = "{0} is used twice"
            yield named.in_words(text.format(label(name), plural(n, "time"), n))


def _as_relaxed(named: NamedProblem, options: Sequence[int], dropped: Dropped) -> RelaxedCover:
    cover = RelaxedCover(options)
    cover.done = True
    cover._problem = named
    cover._dropped = dropped
    return cover


def describe_relaxed(cover: RelaxedCover, is_cheapest: bool) -> str:
    """Return what a relaxed cover drops, and the cover itself, in lines of text."""
    named = named_problem(cover)
    names = named.names
    has_costs = named.problem.cost is not None
    which = "The cheapest one" if has_costs else "One of these"
    if not (cover.losses or has_costs):
        which = "One cover"
    if not is_cheapest:
        which = "The best one known"
    plan = f"{which}: {Cover.__str__(cover)}"
    if names.table is not None:
        cost = f" (cost {cover.cost:,})" if has_costs else ""
        columns = cover.columns()
        added = [columns.pop(title) for title in [*columns] if title not in names.table.columns]
        # What the plan has beside the table, such as "uncovered", becomes one untitled column.
        columns[" "] = ["; ".join(filter(None, texts)) for texts in zip(*added, strict=True)]
        plan = f"{which}{cost}:\n{align_rows(columns if added else cover.columns())}"
    losses = [f"- {loss}" for loss in cover.losses]
    first = "There is a cover if this is given up:" if losses else "Nothing needs to be given up."
    return "\n".join([first, *losses, plan])


def relax_problem(
    named: NamedProblem, weights: Mapping[Any, object] | None, stop: Stop
) -> RelaxedCover | None:
    """Return the cheapest relaxed cover, as `ExactCover.relax` does.

    At first, no capacity may be exceeded, and then each by more and more units, until exceeding it
    further would cost more than the best cover. If options have costs, a last search finds the
    cheapest of the covers that drop as little.
    """
    weigh = RequirementWeights(named, weights)
    best = cast(RelaxedCover | None, None)
    price = INFINITE
    rows = _OptionRows.of(named, weigh, stop)
    extra = dict.fromkeys(rows.excess, 0)  # by how much capacities may be exceeded
    while True:
        cover, is_done, is_exact = _RelaxedProblem(rows, extra, stop).solve(best)
        if cover is not None and (best is None or weigh.price(cover.relaxed) < price):
            best = cover
            price = weigh.price(cover.relaxed)
        if not is_done:
            if best is None:
                raise Stopped("stopped before a relaxation was known")
            best.done = False
            return best
        # Exceeding an item by more than this costs more than the best cover.
        most = dict(rows.excess)
        for item, limit in most.items():
            weight = weigh("capacity", named.names.items[item])
            if best is not None and weight:
                most[item] = min(limit, math.floor(price / weight))
        if not price or all(extra[item] >= number for item, number in most.items()):
            break
        highest = 2 * max(extra.values()) + 1  # few units, because they are interchangeable
        extra = {item: min(number, highest) for item, number in most.items()}
    if best is None:
        return None
    is_exact |= not price  # rounded costs do not matter if nothing is dropped
    best.done = is_exact
    if not any(_costs(named)):
        return best
    relaxation = _RelaxedProblem(rows, most, stop)
    relaxation.minimize_cost(price)
    cover, *are_known = relaxation.solve(best)
    best = best if cover is None else cover  # an empty one is false
    best.done = is_exact and all(are_known)
    return best


def _costs(named: NamedProblem) -> list[Fraction]:
    """Return what to minimize: the costs of the options, and then the penalties of items."""
    sign = 1 if named.names.scale.factor > 0 else -1
    return [sign * cost for cost in exact_costs(named.problem, named.names)]


class _OptionRows(NamedTuple):
    """The options of a problem, in which secondary items are primary ones with a capacity.

    A color of an item is an item of its own, which is on or off; all that are on take capacity.
    """

    named: NamedProblem
    weigh: RequirementWeights
    numbers: list[int]  # of the options
    rows: list[list[Any]]  # their items: numbers, or tuples for what is an item only here
    colored: list[tuple[int, int]]  # colored items and their colors
    used: Counter[int]  # how often all options and colors together would cover each item
    excess: dict[int, int]  # by how much that exceeds its bound, if it does, and may

    @classmethod
    def of(cls, named: NamedProblem, weigh: RequirementWeights, stop: Stop) -> _OptionRows:
        """Collect the options that may be chosen, and what items may be used too often.

        A node (item, color) with a color is an item of its own, which has the color "on".
        """
        problem = named.problem
        names = named.names
        given = {*named.selected.given}
        forbidden = {*named.forbidden}
        used: Counter[int] = Counter()
        numbers: list[int] = []
        rows: list[list[Any]] = []
        colored: dict[tuple[int, int], None] = {}
        for k in problem.usable_options().tolist():
            raise_if_stopped(stop, "the relaxed problem was ready")
            if k in forbidden and weigh("forbidden", names.options[k]) == INFINITE:
                continue
            entries = problem.entries(k)  # pairs of an item and its color, or 0
            colored.update(((item, color), None) for item, color in entries if color)
            used.update(item for item, color in entries if not color)
            rows.append([((item, color), "on") if color else item for item, color in entries])
            if k in given:
                rows[-1].append(("given", k))
            numbers.append(k)
        used.update(item for item, _ in colored)
        high = problem.item_high.tolist()
        excess = {
            item: n - high[item]
            for item, n in used.items()
            if n > high[item] and weigh("capacity", names.items[item]) < INFINITE
        }
        return cls(named, weigh, numbers, rows, [*colored], used, excess)


class _RelaxedProblem:
    """A relaxed problem: its options, what each of them costs, its bounds and its totals.

    The capacity of an item may be exceeded by at most `extra[item]`. If `stop` leaves a relaxed
    problem incomplete, `solve` does not solve it.
    """

    def __init__(self, rows: _OptionRows, extra: Mapping[int, int], stop: Stop) -> None:
        named = rows.named
        names = named.names
        forbidden = {*named.forbidden}
        self._rows = rows
        self._stop = stop
        self._place = {k: j for j, k in enumerate(rows.numbers)}  # of options among `_options`
        self._options = rows.rows.copy()  # items are named by numbers or tuples
        self._costs: list[Any] = [
            rows.weigh("forbidden", names.options[k]) if k in forbidden else NOTHING
            for k in rows.numbers
        ]
        self._bounds: dict[Any, tuple[int, int]] = {}  # of items; others are covered once
        self._totals: dict[Any, Any] = {}
        self._paid = NOTHING  # in any case
        for node in rows.colored:  # is the color on or off?
            item, _ = node
            self._add([("color", *node), item, (node, "on")])
            self._add([("color", *node), (node, "off")])
        for k in named.selected.given:
            self._add([("given", k)], rows.weigh("given", names.options[k]))
        self._add_items(extra)
        self._add_totals()

    def _add(self, row: list[Any], cost: Fraction = NOTHING, copies: int = 1) -> None:
        if cost < INFINITE:
            self._options += [row] * copies
            self._costs += [cost] * copies

    def _add_items(self, extra: Mapping[int, int]) -> None:
        """Add the options that drop requirements of items, and the bounds of the items.

        Options of the item alone stand for times that it stays uncovered. Others are paid for, and
        return the price of a use beyond the capacity that the plan does not need.
        """
        used = self._rows.used
        problem = self._rows.named.problem
        names = self._rows.named.names
        limits = problem.item_bounds
        for item in [*range(problem.n_primary), *sorted(k for k in used if k >= problem.n_primary)]:
            if self._stop():
                return
            more = extra.get(item, 0)
            least, most = limits[item]
            price = self._rows.weigh("uncovered", names.items[item])
            saved = self._rows.weigh("capacity", names.items[item])
            if price < INFINITE:  # pay at once for times that no choice of options covers
                missing = max(0, least - used[item])
                least -= missing
                self._paid += missing * price
            most = min(most, max(1, used[item]))  # a higher bound is no limit
            # The `more` units that return the price cover the item, too. Without a lower bound, no
            # unit must be chosen, but those that are not needed are, because they save weight.
            self._bounds[item] = least + more if least else 0, max(least, most) + more
            self._add([item], -saved, more)
            self._add([item], price, least)
            self._paid += more * saved  # as if all were needed; the others return it

    def _add_totals(self) -> None:
        """Add the totals, and options that drop their limits at a price.

        Such an option, whose item is a "slack", moves the sum toward the limit by a power of two.
        """
        names = self._rows.named.names
        for k, (lowest, highest, pairs) in enumerate(list_totals(self._rows.named.problem)):
            # The weights of options in the relaxed problem
            values = {self._place[j]: w for j, w in pairs if j in self._place}
            weights = [*values.values()]
            weight = self._rows.weigh("total", names.totals[k])
            for sign, end in ((1, lowest), (-1, highest)):
                # `beyond` is how far a sum can be beyond this end, at most. What is needed of it is
                # the sum of options whose weights are powers of two.
                extreme = sum(w for w in weights if sign * w < 0)
                beyond = 0 if end is None else max(0, sign * (end - extreme))
                for bit in range(min(MAX_BITS, beyond.bit_length())):
                    if weight * (1 << bit) >= INFINITE:
                        break
                    slack = "slack", len(self._options), k
                    values[len(self._options)] = sign << bit
                    self._bounds[slack] = 0, 1
                    self._add([slack], weight * (1 << bit))
            self._totals["limit", k] = values, lowest, highest

    def minimize_cost(self, limit: Fraction) -> None:
        """Limit what is dropped, and minimize the costs of the problem.

        All covers within the limit have the same weight, so a multiple of it is added to the costs:
        without that, bounds would be those of covers that drop more. It is left out if the sums
        would have too many digits.
        """
        costs = _costs(self._rows.named)
        left = limit - self._paid
        factor = math.lcm(left.denominator, *(weight.denominator for weight in self._costs))
        weights = {k: int(weight * factor) for k, weight in enumerate(self._costs) if weight}
        divisor = math.gcd(*weights.values())
        weights = {k: weight // divisor for k, weight in weights.items()}
        self._costs = [NOTHING] * len(self._costs)
        for k, j in self._place.items():
            self._costs[j] = costs[k]
        self._add_penalties(costs)
        if not weights:
            return
        # The costs may sum to `most` before they are made integers; the weights get what is left.
        most = (1 << EXACT_BITS) // math.lcm(*(cost.denominator for cost in self._costs))
        room = math.floor(most - sum(map(abs, self._costs)))
        # A unit of weight costs more than any option, if there is room for that.
        scale = min(math.ceil(1 + max(map(abs, costs))), room // sum(map(abs, weights.values())))
        for k, weight in weights.items():
            self._costs[k] += max(0, scale) * weight
        self._limit_sum(weights, int(left * factor) // divisor)

    def _limit_sum(self, weights: Mapping[int, int], limit: int) -> None:
        """Limit a sum of weights, which no cover has below the limit.

        Weights that are too large for a total are divided. The sum of the remainders, in a total of
        their own, is that of the limit, and a carry, which is the sum of the options that are added
        here.
        """
        while max(map(abs, weights.values())) > MAX_WEIGHT:
            base = min(BASE, MAX_WEIGHT // len(weights))  # for sums that are no larger than weights
            rests = {k: weight % base for k, weight in weights.items()}
            weights = {k: weight // base for k, weight in weights.items()}
            limit, rest = divmod(limit, base)
            for bit in range((sum(rests.values()) // base).bit_length()):
                k = len(self._options)
                rests[k] = -base << bit
                weights[k] = 1 << bit
                self._bounds["carry", k] = 0, 1
                self._add([("carry", k)])
            self._totals["rest", len(self._totals)] = rests, rest, rest
        self._totals["limit"] = weights, None, limit

    def _add_penalties(self, costs: Sequence[Fraction]) -> None:
        """Add the penalties of items, whose prices are the last costs.

        An item with the penalty is in all options of the item, and in those that stand for times
        that the plan lacks.
        """
        named = self._rows.named
        if (penalties := named.names.penalties) is None:
            return
        prices = costs[named.problem.n_options :]
        items = penalties.items.tolist()
        containing: dict[int, list[int]] = {item: [] for item in items}
        for option, place in self._place.items():
            for item, _ in named.problem.entries(option):
                if item in containing:
                    containing[item].append(place)
        for item, number, price in zip(items, penalties.needed.tolist(), prices, strict=True):
            places = containing[item]
            for place in places:
                self._options[place] = [*self._options[place], ("penalty", item)]
            needed = min(number, len(places))  # all covers pay for the others
            self._bounds["penalty", item] = needed, needed + len(places)
            self._add([("penalty", item)], price, needed)

    def solve(self, start: RelaxedCover | None) -> tuple[RelaxedCover | None, bool, bool]:
        """Return the best cover known, which is sought near another one.

        Also return whether the search has ended, and whether it was exact, with no costs rounded.

        The units that are dropped are interchangeable, which HiGHS notices. It starts after a part
        of the own search, so that small problems have the same result in each call.
        """
        stop = self._stop
        named = self._rows.named
        colored = self._rows.colored
        listed: list[Any] = [*self._bounds, *(("color", *node) for node in colored)]
        listed += [("given", k) for k in named.selected.given]
        formulation = Formulation(
            self._options, listed, colored, self._bounds, self._costs, totals=self._totals or None
        )
        task = call_until(lambda: encode_problem(formulation), stop)
        if not task.has_ended:
            return None, False, False
        relaxed = NamedProblem(*task.result(), DEFAULTS._replace(**named.settings.resources))
        first = [self._place[k] for k in start or ()]
        optimizer = create_optimizer(relaxed, 1, stop, first)
        run(optimizer, stop, ALONE)
        best = optimizer.result
        if not (best.done or stop()):
            engine = strongest_engine()
            best = find_cheapest(relaxed, ThreadStatistics(), 1, False, stop, first, engine=engine)
        is_exact = not best.tolerance
        for cover in best:  # one at most
            chosen = [self._rows.numbers[k] for k in cover if k < len(self._place)]
            dropped = find_dropped(named, chosen)
            return _as_relaxed(named.shared, chosen, dropped), bool(best.done), is_exact
        return None, bool(best.done), is_exact
