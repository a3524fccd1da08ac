"""Random exact cover problems, larger than those of brute force, and their covers by an oracle."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dlx_numba import ExactCover
from tests.helpers import oracles

RULES = ("smallest", "leftmost", "random", "sharp", "list")
MAX_STATES = 3000  # of the oracle
MAX_LISTED = 2000  # covers; if there are more, they are only counted
MAX_UPDATES = 20_000_000  # of a search; longer ones are stopped and not tested further


@dataclass
class Statement:
    """A problem as lists, independent of the package. Colored items are pairs."""

    options: list[list[Any]]
    bounds: dict[str, tuple[int, int]]  # of the primary items
    secondary: list[str]
    costs: list[int]
    given: list[int]
    forbidden: list[int]

    def cover_costs(self) -> Counter[int] | None:
        """Return the number of covers of each cost, or None if the oracle takes too long."""
        return oracles.cover_costs(
            self.options, self.bounds, self.costs, self.given, self.forbidden, MAX_STATES
        )

    def is_cover(self, solution: Sequence[int]) -> bool:
        """Return whether the options are a cover that respects given and forbidden options."""
        counts: Counter[str] = Counter()
        colors: dict[str, list[Any]] = {}
        for number in solution:
            for entry in self.options[number]:
                item, color = entry if isinstance(entry, tuple) else (entry, None)
                if item in self.bounds:
                    counts[item] += 1
                else:
                    colors.setdefault(item, []).append(color)
        return (
            list(solution) == sorted(set(solution))
            and all(low <= counts[item] <= high for item, (low, high) in self.bounds.items())
            and all(
                len(each) == 1 or (None not in each and len(set(each)) == 1)
                for each in colors.values()
            )
            and set(self.given) <= set(solution)
            and set(self.forbidden).isdisjoint(solution)
            and all(any(e in self.bounds for e in self.options[k]) for k in solution)
        )

    def problem(self, rule: str, seed: int, **arguments: Any) -> ExactCover:
        """Return the problem with a branching rule of RULES."""
        choose: str | list[str] = rule
        if rule == "list":
            rng = random.Random(seed)
            items = list(self.bounds)
            choose = rng.sample(items, rng.randint(0, len(items)))
        return ExactCover(
            self.options,
            list(self.bounds),
            self.secondary,
            multiplicity={i: pair for i, pair in self.bounds.items() if pair != (1, 1)},
            costs=self.costs,
            choose=choose,
            seed=seed,
            given=self.given,
            forbidden=self.forbidden,
            **arguments,
        )


def random_statement(rng: random.Random) -> Statement:
    """Return a random problem whose options contain items of a narrow range.

    Such problems have deep search trees, and few states in the oracle's dynamic programming.
    """
    n_primary = rng.randint(1, 30)
    window = rng.randint(1, 6)
    marks = [rng.choice(["", "", "#"]) for _ in range(n_primary)]
    names = [f"{mark}p{k}" for k, mark in enumerate(marks)]
    secondary = [f"s{k}" for k in range(rng.choice([0, 0, 1, 3, 8]))]
    n_colors = rng.choice([0, 0, 2, 4])
    several = rng.random() < 0.4
    bounds = {}
    for name in names:
        high = rng.choice([1, 1, 1, 2, 3]) if several else 1
        bounds[name] = (rng.choice([high, rng.randint(0, high)]), high)

    def option(items: list[str]) -> list[Any]:
        result: list[Any] = list(items)
        if secondary and rng.random() < 0.4:
            # Secondary items are near the primary items, too.
            near = names.index(items[0]) * len(secondary) // n_primary
            item = secondary[min(near + rng.randint(0, 1), len(secondary) - 1)]
            color = rng.randint(0, n_colors)
            result.append((item, f"c{color}") if color else item)
        rng.shuffle(result)
        return result

    options = []
    if rng.random() < 0.7:  # insert a cover without secondary items
        start = 0
        while start < n_primary:
            size = rng.randint(1, min(window, 3))
            options.append(names[start : start + size])
            start += size
    for _ in range(rng.randint(0, 2 * n_primary)):
        start = rng.randrange(n_primary)
        near = names[start : start + window]
        options.append(option(rng.sample(near, rng.randint(1, min(3, len(near))))))
    if rng.random() < 0.1:
        options.append([])
    rng.shuffle(options)
    max_cost = rng.choice([0, 0, 1, 9])
    costs = [rng.randint(0, max_cost) for _ in options]
    forbidden = [k for k in range(len(options)) if rng.random() < 0.03]
    given = []
    if rng.random() < 0.2:
        allowed = [k for k, option in enumerate(options) if option and k not in forbidden]
        given = rng.sample(allowed, min(1, len(allowed)))
    return Statement(options, bounds, secondary, costs, given, forbidden)
