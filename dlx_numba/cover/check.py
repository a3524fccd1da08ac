"""Check a claimed cover, and name what is wrong with it."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ..runtime.text import plural
from .named_problem import NamedProblem
from .names import Cost, as_text, decode_option, names_of
from .prepare import OptionNumbers

REASONS = {  # why options that are chosen or not are wrong
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
    n_listed = names.n_listed
    # An item that is covered less often than it must be costs its penalty: the option that stands
    # for this, one of those after the listed ones, is added.
    for k in sorted({*range(n_listed, problem.n_options)} - {*numbers}):
        missing = int(problem.items[problem.indptr[k]])
        if used[missing] < low[missing]:
            used[missing] += 1
            numbers.append(k)
    labels = [as_text(name) for name in names_of(problem, names, numbers)]
    if not names.has_options:  # the items would say too little
        labels = [f"option {number + start}" for number in numbers]
    # The options and colors of each item
    uses: defaultdict[Hashable, list[tuple[str, Hashable]]] = defaultdict(list)
    for number, label in zip(numbers, labels, strict=True):
        for item, color in decode_option(problem, names, number):
            uses[item].append((label, color))
    totals = problem.sum_weights(numbers).tolist()
    problems: list[str] = []
    is_useless = ~problem.has_primary[numbers]
    useless = [Violation("useless", numbers[k], 1) for k in np.flatnonzero(is_useless).tolist()]
    for kind, k, _ in [*find_violations(named, numbers), *useless]:
        if kind in REASONS:
            text = as_text(names_of(problem, names, [k])[0])
            problems.append(f"option `{text}` {REASONS[kind]}")
        elif kind == "total":
            problems.append(f"the total `{as_text(names.totals[k])}` is {totals[k]:,}")
        else:
            item = names.items[k]
            problems.append(f"`{as_text(item)}` {_describe_uses(uses[item])}")
    return Check([*map(named.in_words, problems)], named.cost(numbers))


def _describe_uses(uses: list[tuple[str, Hashable]]) -> str:
    """Return how an item is covered wrongly, by the options and colors of its uses."""
    colors = {color for _, color in uses}
    if len(colors) > 1 and None not in colors:
        return f"has the colors {' and '.join(sorted(map(as_text, colors)))}"
    if uses:
        return f"is covered {plural(len(uses), 'time')}, by {' and '.join(by for by, _ in uses)}"
    return "is not covered"


def find_violations(named: NamedProblem, options: Sequence[int]) -> list[Violation]:
    """Return the requirements that options violate.

    All uses of an item in the same color count as one.
    """
    problem = named.problem
    chosen = set(options)
    pairs = [pair for option in options for pair in problem.entries(option)]
    used = Counter(item for item, color in pairs if not color)
    used.update(item for item, _ in {pair for pair in pairs if pair[1]})
    found: list[tuple[str, int, int]] = []
    for k, (low, high) in enumerate(problem.item_bounds):
        if not low <= (n := used.get(k, 0)) <= high:
            found.append(("uncovered", k, low - n) if n < low else ("capacity", k, n - high))
    totals = problem.totals
    sums = problem.sum_weights([*options])
    excess = np.maximum(totals.low - sums, sums - totals.high)
    found += [("total", k, n) for k, n in enumerate(excess.tolist())]
    # If an option violates its condition, the excess is True, which is 1.
    found += [("given", k, k not in chosen) for k in named.selected.given]
    found += [("forbidden", k, k in chosen) for k in named.forbidden]
    return [Violation(kind, k, int(n)) for kind, k, n in found if n > 0]
