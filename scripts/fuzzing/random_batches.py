"""Random batches of variations of exact cover problems, and their covers by brute force."""

import random
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

import dlx_numba as dlx
from tests.helpers import oracles


class Batch(NamedTuple):
    """A problem, and the conditions of variations of it as lists of numbers."""

    options: list[list[Any]]
    bounds: dict[int, tuple[int, int]]
    cover: dlx.ExactCover
    given: list[list[int]]
    forbidden: list[list[int]]
    covered: list[list[int]]
    conditions: tuple[list[int], list[int]]  # the options that the problem itself gives and forbids

    def covers(self, k: int) -> list[list[int]]:
        """Return all covers of a variation."""
        covered, forbidden = set(self.covered[k]), {*self.forbidden[k], *self.conditions[1]}
        kept = [
            number
            for number, option in enumerate(self.options)
            if number not in forbidden
            and covered.isdisjoint(e[0] if isinstance(e, tuple) else e for e in option)
        ]
        bounds = {item: bound for item, bound in self.bounds.items() if item not in covered}
        given = {*self.given[k], *self.conditions[0]}
        found = oracles.multiple_covers([self.options[number] for number in kept], bounds)
        covers = ([kept[k] for k in cover] for cover in found)
        return [cover for cover in covers if given <= set(cover)]

    def has_optional_items(self, k: int) -> bool:
        """Return whether, after the given options of a variation, an item may have more options
        but needs none. In a problem of its own, it becomes secondary or vanishes.
        """
        uses = Counter(item for option in {*self.given[k]} for item in self.options[option])
        return any(low <= uses[item] < high for item, (low, high) in self.bounds.items())


def random_batch(seed: int, *, has_bounds: bool = True, has_covered: bool = True) -> Batch:
    """Return up to twelve variations of a random problem, which may have conditions itself."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed, has_bounds)
    arguments: dict[str, Any] = {
        "items": list(bounds),
        "secondary": secondary,
        "multiplicity": bounds if has_bounds else None,
        "choose": rng.choice(["smallest", "leftmost", "random", "sharp"]),
        "seed": seed,
        "presolve": rng.random() < 0.3,
        "algorithm": rng.choice(["auto", "links", "bitset"]),
    }

    def draw(numbers: list[int], *lengths: int) -> list[int]:
        return [rng.choice(numbers) for _ in range(rng.choice(lengths))] if numbers else []

    numbers, items = list(range(len(options))), [*bounds, *secondary]
    conditions = draw(numbers, 0, 0, 1), draw(numbers, 0, 0, 1, 2)
    try:
        cover = dlx.ExactCover(options, given=conditions[0], forbidden=conditions[1], **arguments)
    except ValueError:  # they contradict each other
        conditions = [], []
        cover = dlx.ExactCover(options, **arguments)
    n_variations = rng.randint(0, 12)
    given = [draw(numbers, 0, 0, 1, 1, 2) for _ in range(n_variations)]
    forbidden = [draw(numbers, 0, 1, 2) for _ in range(n_variations)]
    covered = [draw(items, 0, 0, 1, 2) if has_covered else [] for _ in range(n_variations)]
    return Batch(options, bounds, cover, given, forbidden, covered, conditions)


def random_form(lists: list[list[int]], n_options: int, rng: random.Random) -> Any:
    """Return lists of options as they are, as an array with padded rows, or as a mask."""
    form = rng.choice(["lists", "array", "mask"])
    if form == "lists":
        return lists
    if form == "mask":
        mask = np.zeros((len(lists), n_options), np.bool_)
        for k, numbers in enumerate(lists):
            mask[k, numbers] = True
        return mask
    width = max(map(len, lists), default=0) + rng.randint(0, 2)
    array = np.full((len(lists), width), -1, rng.choice([np.int64, np.int32, np.int16]))
    for k, numbers in enumerate(lists):
        array[k, rng.sample(range(width), len(numbers))] = numbers
    return array
