"""Check a claimed cover, and name what is wrong with it."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ..runtime.text import plural
from .named_problem import NamedProblem
from .names import Cost, as_text, decode_option, names_of
from .prepare import OptionNumbers

REASONS = {  # why it is wrong to choose an option, or not to choose it
    "given": "is given but not chosen",
    "forbidden": "is forbidden",
    "useless": "has no primary item, so no cover contains it",
}


class Check(NamedTuple):
    """The violations of a claimed cover, and its cost; true if the claim is a cover.

    Attributes
    ----------
    problems : list of str
        A sentence for each violation: an item that is not covered or too often, a secondary item
        with two colors, a total outside its limits, an option that is forbidden or not chosen
        although it is given.
    cost : number
        The total cost or value of the options; 0 if the problem has no costs.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]}, costs=[1, 5, 1])
    >>> bool(cover.check(["S1", "S3"])), cover.check(["S1", "S3"]).cost
    (True, 2)
    >>> print(cover.check(["S1", "S2"]))
    not a cover: `A` is covered 2 times, by S1 and S2
    """

    problems: list[str]
    cost: Cost

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        return "not a cover: " + "; ".join(self.problems) if self.problems else "a cover"


class Violation(NamedTuple):
    """A requirement that options violate."""

    kind: str
    number: int  # of an item, a total or an option
    excess: int  # by how much


def check_cover(named: NamedProblem, claimed: OptionNumbers, start: int = 0) -> Check:
    """Check a claimed cover, as `ExactCover.check` does, in time proportional to its size.

    The problems count options from `start`.
    """
    problem = named.problem
    names = named.names
    numbers = named.numbers_of(claimed, "cover")
    used = Counter(item for number in numbers for item, _ in problem.entries(number))
    low = problem.lows
    # The options after the listed ones stand for leaving their only item uncovered, at its penalty.
    # They are chosen for the items that lack a cover, as users do not list them.
    for option in sorted({*range(names.n_listed, problem.n_options)} - {*numbers}):
        item = int(problem.items[problem.indptr[option]])
        if used[item] < low[item]:
            used[item] += 1
            numbers.append(option)
    labels = [as_text(name) for name in names_of(problem, names, numbers)]
    if not names.has_options:  # the items would say too little
        labels = [f"option {number + start}" for number in numbers]
    # For each item, the labels of its options, and its color in them
    uses: defaultdict[Hashable, list[tuple[str, Hashable]]] = defaultdict(list)
    for number, label in zip(numbers, labels, strict=True):
        for name, color in decode_option(problem, names, number):
            uses[name].append((label, color))
    totals = problem.sum_weights(numbers).tolist()
    problems: list[str] = []
    is_useless = ~problem.has_primary[numbers]
    useless = [Violation("useless", numbers[k], 1) for k in np.flatnonzero(is_useless).tolist()]
    for kind, number, _ in [*find_violations(named, numbers), *useless]:
        if kind in REASONS:
            [option_name] = names_of(problem, names, [number])
            problems.append(f"option `{as_text(option_name)}` {REASONS[kind]}")
        elif kind == "total":
            problems.append(f"the total `{as_text(names.totals[number])}` is {totals[number]:,}")
        else:
            name = names.items[number]
            problems.append(f"`{as_text(name)}` {_describe_uses(uses[name])}")
    return Check([*map(named.in_words, problems)], named.cost(numbers))


def _describe_uses(uses: list[tuple[str, Hashable]]) -> str:
    """Return how an item is covered wrongly.

    Its uses are the labels of the chosen options that contain it, and its color in each of them.
    """
    colors = {color for _, color in uses}
    if len(colors) > 1 and None not in colors:  # None: a use without a color
        return f"has the colors {' and '.join(sorted(map(as_text, colors)))}"
    if uses:
        return f"is covered {plural(len(uses), 'time')}, by {' and '.join(by for by, _ in uses)}"
    return "is not covered"


def find_violations(named: NamedProblem, options: Sequence[int]) -> list[Violation]:
    """Return the requirements that options violate, for a message, or to drop them."""
    problem = named.problem
    chosen = set(options)
    pairs = [pair for option in options for pair in problem.entries(option)]
    n_uses = Counter(item for item, color in pairs if not color)
    # All uses of an item in the same color count as one.
    n_uses.update(item for item, color in {*pairs} if color)
    violations: list[Violation] = []
    for item, (low, high) in enumerate(problem.item_bounds):
        n = n_uses.get(item, 0)
        if n < low:
            violations.append(Violation("uncovered", item, low - n))
        elif n > high:
            violations.append(Violation("capacity", item, n - high))
    totals = problem.totals
    sums = problem.sum_weights([*options])
    excess = np.maximum(totals.low - sums, sums - totals.high)  # negative between the limits
    violations += [Violation("total", k, n) for k, n in enumerate(excess.tolist()) if n > 0]
    violations += [Violation("given", k, 1) for k in named.selected.given if k not in chosen]
    violations += [Violation("forbidden", k, 1) for k in named.forbidden if k in chosen]
    return violations
