"""A campaign that limits the time of operations on hostile problems, and measures the delay.

The problems take long in an unusual way: they have many options that hide nothing, many items, long
options, many covers, many components, or none of the structure that a method needs.
"""

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import dlx_numba as dlx
from dlx_numba import ExactCover
from dlx_numba.runtime.monitoring import working_time
from tests.helpers.counting import affine_plane, matchings, pigeons
from tests.helpers.problems import without_short_proof

from .checks import check

MAX_LATE_SECONDS = 0.2
MAX_TRIES = 3  # the first one loads kernels, and other processes may be busy


def lists(rng: random.Random) -> ExactCover:
    """A few items with many options, most of which contain nothing else."""
    n_items, n_options = rng.randint(2, 4), rng.choice([2000, 20_000, 60_000])
    joined = [[*range(n_items)]] * rng.choice([0, 1, 100])
    return ExactCover(joined + [[k] for k in range(n_items) for _ in range(n_options)])


def colored_lists(rng: random.Random) -> ExactCover:
    """A few items with many options, in which a secondary item has one of a few colors."""
    n_items, n_colors = rng.randint(2, 4), rng.choice([1, 2, 50])
    size = rng.choice([2000, 20_000])
    options = [[k, ("s", j % n_colors)] for k in range(n_items) for j in range(size)]
    return ExactCover(options, secondary=["s"])


def paired_lists(rng: random.Random) -> ExactCover:
    """A few items with many options, each of which excludes one option of each other item."""
    n_items, size = rng.randint(2, 3), rng.choice([2000, 20_000])
    options = [[k, ("s", j)] for k in range(n_items) for j in range(size)]
    return ExactCover(options, secondary=[("s", j) for j in range(size)])


def several(rng: random.Random) -> ExactCover:
    """Choose a few of many options."""
    size, most = rng.choice([2000, 20_000]), rng.randint(3, 900)
    options = [["a"]] * size + [["b", "a"]] * size
    return ExactCover(options, multiplicity={"a": (3, most), "b": (2, most)})


def covering(rng: random.Random) -> ExactCover:
    """Cover each item at least once, at low cost."""
    n_items, n_options = rng.choice([(100, 2000), (300, 20_000)])
    options = [rng.sample(range(n_items), 5) for _ in range(n_options)]
    bounds = dict.fromkeys(range(n_items), (1, n_options))
    costs = [rng.randint(1, 1000) for _ in options]
    return ExactCover(options, range(n_items), multiplicity=bounds, costs=costs)


def packing(rng: random.Random) -> ExactCover:
    """Choose the most valuable disjoint sets."""
    options = [rng.sample(range(200), 3) for _ in range(2000)]
    costs = [-rng.randint(1, 1000) for _ in options]
    return ExactCover(
        options, range(200), multiplicity=dict.fromkeys(range(200), (0, 1)), costs=costs
    )


def knapsack(rng: random.Random) -> ExactCover:
    """Choose one of each pair of options, so that a sum of weights is in a narrow range."""
    n = rng.choice([40, 1000])
    options = [[k // 2] for k in range(2 * n)]
    weights = [rng.randint(1, 10**6) for _ in options]
    return ExactCover(options, totals={"w": (weights, n * 500_000, n * 500_000 + 100)})


def components(rng: random.Random) -> ExactCover:
    """Many items, each a component of its own."""
    size = rng.randint(1, 6)
    return ExactCover([[k] for k in range(rng.choice([300, 20_000])) for _ in range(size)])


def wide(rng: random.Random) -> ExactCover:
    """Options of hundreds of items each."""
    n = rng.choice([1000, 3000])
    numbers = np.random.default_rng(rng.randrange(1000))
    options = [np.sort(numbers.choice(n, n // 10, replace=False)) for _ in range(n)]
    return ExactCover.from_matrix((np.arange(n + 1) * (n // 10), np.concatenate(options), n))


def large(rng: random.Random) -> ExactCover:
    """Hundreds of thousands of options."""
    n_options, n, size = rng.choice([20_000, 180_000]), 5000, 5
    numbers = np.random.default_rng(rng.randrange(1000))
    items = numbers.integers(0, n // size, (n_options, size)) + np.arange(0, n, n // size)
    return ExactCover.from_matrix((np.arange(n_options + 1) * size, items.ravel(), n))


def subsets(rng: random.Random) -> ExactCover:
    """All subsets of a set."""
    n = rng.randint(12, 16)
    return ExactCover([each for size in range(1, n + 1) for each in combinations(range(n), size)])


def costly_queens(rng: random.Random) -> ExactCover:
    """Queens that cost different amounts."""
    cover = dlx.example("queens", n=rng.choice([16, 24])).cover()
    return cover.replace(costs=[rng.randint(1, 10**6) for _ in range(cover.n_options)])


PROBLEMS: dict[str, Callable[[random.Random], ExactCover]] = {
    "lists": lists,
    "colored lists": colored_lists,
    "paired lists": paired_lists,
    "several": several,
    "covering": covering,
    "packing": packing,
    "knapsack": knapsack,
    "components": components,
    "wide": wide,
    "large": large,
    "subsets": subsets,
    "queens": costly_queens,
    "pigeons": lambda rng: pigeons(rng.choice([16, 40])),
    "matchings": lambda rng: matchings(rng.choice([30, 200])),
    "coloring": lambda rng: without_short_proof(rng.randint(5, 6)),
    "plane": lambda rng: affine_plane(rng.choice([13, 43])),
    "tilings": lambda rng: dlx.example("tilings", region="9x9").cover(),
    "latin": lambda rng: dlx.example("latin", n=rng.choice([5, 12])).cover(),
    "words": lambda rng: dlx.example("words", rows=rng.choice([7, 12]), columns=12).cover(),
}


def count_in_folder(cover: ExactCover, **limits: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cover.count(method="memo", folder=folder, **limits)


def few(cover: ExactCover) -> list[Any]:
    return list(cover.items)[:2]


OPERATIONS: dict[str, Callable[..., Any]] = {
    "count": lambda cover, **limits: cover.count(**limits),
    "count, search": lambda cover, **limits: cover.count(method="search", **limits),
    "count, memo": lambda cover, **limits: cover.count(method="memo", **limits),
    "count, distinct": lambda cover, **limits: cover.count(distinct=few(cover), **limits),
    "count, folder": count_in_folder,
    "count, symmetry": lambda cover, **limits: cover.count(up_to_symmetry=True, **limits),
    "solve": lambda cover, **limits: cover.solve(**limits),
    "solve, any order": lambda cover, **limits: cover.solve(100, order="any", **limits),
    "solve, distinct": lambda cover, **limits: cover.solve(distinct=cover.items, **limits),
    "solve, symmetry": lambda cover, **limits: cover.solve(up_to_symmetry=True, **limits),
    "first": lambda cover, **limits: cover.first(**limits),
    "iterate": lambda cover, **limits: [None for _ in cover.iterate(**limits)],
    "cheapest": lambda cover, **limits: cover.cheapest(**limits),
    "cheapest, many": lambda cover, **limits: cover.cheapest(1000, **limits),
    "cheapest_batch": lambda cover, **limits: cover.cheapest_batch(
        forbidden=[[k] for k in range(5)], **limits
    ),
    "diagram": lambda cover, **limits: cover.diagram(**limits),
    "certify": lambda cover, **limits: cover.certify(os.devnull, **limits),
    "possible_options": lambda cover, **limits: cover.possible_options(**limits),
    "deduce": lambda cover, **limits: cover.deduce(**limits),
    "diagnose": lambda cover, **limits: cover.diagnose(**limits),
    "relax": lambda cover, **limits: cover.relax(**limits),
    "explain": lambda cover, **limits: cover.explain(steps=10**6, **limits),
    "symmetries": lambda cover, **limits: cover.symmetries(**limits),
    "solve_batch": lambda cover, **limits: cover.solve_batch(
        forbidden=[[k] for k in range(20)], limit=10, **limits
    ),
    "solve_batch, any order": lambda cover, **limits: cover.solve_batch(
        forbidden=[[k] for k in range(20)], order="any", **limits
    ),
    "puzzles": lambda cover, **limits: cover.puzzles(2, **limits),
    "estimate": lambda cover, **limits: cover.search().estimate(100, **limits),
}


def limit_operations(rng: random.Random, folder: Path) -> None:
    """Limit the time of some operations on a hostile problem, or ask them to stop."""
    name = rng.choice([*PROBLEMS])
    cover = PROBLEMS[name](rng)
    for operation in rng.sample([*OPERATIONS], 4):
        seconds, has_event = rng.choice([0.05, 0.2, 0.5]), rng.random() < 0.5
        late = min(late_seconds(cover, operation, seconds, has_event) for _ in range(MAX_TRIES))
        check(late <= MAX_LATE_SECONDS, f"{operation} of {name}: {late:.2f} s late")


def late_seconds(cover: ExactCover, operation: str, seconds: float, has_event: bool) -> float:
    """Return how late an operation ends, without the loading of kernels and the work of others."""
    limits: dict[str, Any] = {"seconds": seconds}
    event = threading.Event()
    timer = threading.Timer(seconds, event.set)
    if has_event:
        limits = {"stop": event}
        timer.start()
    unused = cover.replace()  # nothing is prepared
    begin = working_time(), time.process_time()
    with suppress(dlx.Stopped, ValueError, MemoryError, UserWarning):  # too large for a method
        OPERATIONS[operation](unused, **limits)
    late = min(working_time() - begin[0], time.process_time() - begin[1]) - seconds
    timer.cancel()
    return late
