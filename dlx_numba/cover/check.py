"""Check a claimed cover, and name what is wrong with it."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from ..runtime.text import plural
from .names import Cost, as_text, decode_option, names_of
from .prepare import OptionNumbers
from .stated import Stated


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


def check_cover(stated: Stated, claimed: OptionNumbers) -> Check:
    """Check a claimed cover, as `ExactCover.check` does, in time proportional to its size."""
    problem, names = stated.problem, stated.names
    numbers = stated.numbers_of(claimed, "cover")
    covered = {*problem.items[np.isin(problem.option_of_node(), numbers)].tolist()}
    # An item that is left uncovered costs its penalty.
    penalized = range(problem.n_options - names.n_uncovered, problem.n_options)
    numbers += [k for k in penalized if int(problem.items[problem.indptr[k]]) not in covered]
    labels: Iterable[str] = map(as_text, names_of(problem, names, numbers))
    if not names.has_options:  # the items would say too little
        labels = (f"option {number}" for number in numbers)
    label = dict(zip(numbers, labels, strict=True))
    uses = defaultdict[Hashable, list[tuple[str, Hashable]]](list)  # the options and colors
    for number in numbers:
        for item, color in decode_option(problem, names, number):
            uses[item].append((label[number], color))
    problems, low = [], np.zeros(problem.n_items, np.int64)
    low[: problem.n_primary] = problem.costs_and_bounds[1]
    for item, least, most in zip(names.items, low, problem.item_high, strict=True):
        times, colors = len(uses[item]), {color for _, color in uses[item]}
        if len(colors) > 1:
            listed = " and ".join(sorted(map(as_text, colors)))
            problems.append(f"`{as_text(item)}` has the colors {listed}")
        elif times < least and not times:
            problems.append(f"`{as_text(item)}` is not covered")
        elif not least <= times <= most and colors <= {None}:  # one color is no conflict
            by = " and ".join(option for option, _ in uses[item])
            problems.append(f"`{as_text(item)}` is covered {plural(times, 'time')}, by {by}")
    low_total, high_total, *_ = problem.totals
    sums = problem.sum_weights(numbers)
    for name, total, low, high in zip(names.totals, sums, low_total, high_total, strict=True):
        if not low <= total <= high:
            problems.append(f"the total `{as_text(name)}` is {total:,}")
    missing = sorted({*stated.selected.given} - {*numbers})
    unwanted = sorted({*stated.forbidden} & {*numbers})
    has_primary = problem.has_primary
    useless = [number for number in numbers if not has_primary[number]]
    for reason, options in (
        ("is given but not chosen", missing),
        ("is forbidden", unwanted),
        ("has no primary item, so no cover contains it", useless),
    ):
        texts = map(as_text, names_of(problem, names, options))
        problems += [f"option `{text}` {reason}" for text in texts]
    return Check(problems, stated.cost(numbers))
