"""From a problem as it is stated to what is searched: options decided on, items in order."""

from collections.abc import Hashable, Iterable, Sequence
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.branching import LEFTMOST, RANDOM, SHARP, SMALLEST
from ..kernels.problem import Presolved, Problem, select_options
from ..kernels.reduce import reduce_problem
from .encode import Names

CHOICES = {"smallest": SMALLEST, "leftmost": LEFTMOST, "random": RANDOM, "sharp": SHARP}
Choose = str | Sequence[Hashable]


class Prepared(NamedTuple):
    """A problem to be searched, and what its covers mean for the problem as it was stated."""

    problem: Problem
    options: NDArray[np.int64] | None  # the number that each option had; None if it still has it
    given: list[int]  # options that are in each cover beside those found
    presolved: Presolved | None


def order_items(problem: Problem, names: Names, choose: Choose) -> tuple[Problem, Names, int, int]:
    """The primary items in the order in which they are to be chosen, how, and how many are sharp.

    Raises ValueError where `choose` is neither one of CHOICES nor primary items.
    """
    n_primary = problem.n_primary
    sharps = 0
    if isinstance(choose, str):
        if choose not in CHOICES:
            known = ", ".join(CHOICES)
            raise ValueError(f"choose must be one of {known}, or a list of items, not {choose!r}")
        if choose != "sharp":
            return problem, names, CHOICES[choose], sharps
        code = SHARP
        named = names.items[:n_primary]
        first = [k for k, name in enumerate(named) if isinstance(name, str) and name[:1] == "#"]
        sharps = len(first)
    else:
        code = LEFTMOST
        number = {name: k for k, name in enumerate(names.items[:n_primary])}
        first = []
        for name in choose:
            if name not in number:
                raise ValueError(f"choose: {name!r} is no primary item, or stands there twice")
            first.append(number.pop(name))
    rest = np.ones(len(names.items), np.bool_)
    rest[first] = False
    order = np.concatenate([np.array(first, np.int64), np.flatnonzero(rest)])
    place = np.argsort(order)
    bounds = [None if b is None else b[order[:n_primary]] for b in (problem.low, problem.high)]
    problem = problem._replace(items=place[problem.items], low=bounds[0], high=bounds[1])
    return problem, names._replace(items=[names.items[k] for k in order]), code, sharps


def prepare(
    problem: Problem,
    names: Names,
    given: Iterable[int],
    forbidden: Iterable[int],
    presolve: bool,
    shuffle: int | None,
) -> Prepared:
    """The problem that is left once `given` options are chosen and `forbidden` ones dropped.

    `shuffle`, if there is one, is the seed of a random order of the options. Raises ValueError
    where an option does not exist, or two of them are at odds.
    """
    chosen = _option_numbers(given, problem, "given")
    dropped = _option_numbers(forbidden, problem, "forbidden")
    both = np.intersect1d(chosen, dropped)
    if len(both):
        raise ValueError(f"option {both[0]} is both given and forbidden")
    items = names.items
    options = None
    if len(chosen) or len(dropped):
        problem, options, kept = reduce_problem(problem, chosen, dropped, items)
        items = [items[item] for item in kept]
    presolved = None
    if presolve:
        numbers = np.arange(problem.n_options) if options is None else options
        from ..kernels.presolve import presolve_problem  # few need it; the import would be for all

        problem, options, presolved = presolve_problem(problem, numbers, items)
    if shuffle is not None:
        order = np.random.default_rng(shuffle).permutation(problem.n_options)
        problem = select_options(problem, order)
        options = order if options is None else options[order]
    forced = [] if presolved is None else presolved.forced
    return Prepared(problem, options, sorted([*chosen.tolist(), *forced]), presolved)


def _option_numbers(options: Iterable[int], problem: Problem, what: str) -> NDArray[np.int64]:
    numbers = []
    for option in options:
        try:
            number = index(option)
        except TypeError:
            raise ValueError(f"{what} options are numbers, not {option!r}") from None
        if not 0 <= number < problem.n_options:
            count = problem.n_options
            raise ValueError(f"{what} option {number} does not exist; there are {count:,}")
        numbers.append(number)
    return np.unique(np.array(numbers, np.int64))
