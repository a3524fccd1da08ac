"""A campaign for batches of variations of exact cover problems."""

import random
from pathlib import Path
from unittest import mock

import numpy as np

from dlx_numba import ExactCover
from dlx_numba.cover import batch as cover_batch
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels.batch import search as batch_search
from dlx_numba.search import portfolio

from .checks import check, check_equal
from .random_batches import Batch, random_batch, random_form

N_PROBLEMS = 20


def solve_batches(rng: random.Random, folder: Path) -> None:
    """Compare batches with brute force, and with separate problems that have the conditions."""
    for _ in range(N_PROBLEMS):
        has_bounds, has_covered = rng.random() < 0.5, rng.random() < 0.5
        batch = random_batch(rng.randrange(10**9), has_bounds=has_bounds, has_covered=has_covered)
        memory = {"MIN_STORED_OPTIONS": rng.choice([0, 1 << 16])}
        memory["UPDATES_PER_SLICE"] = rng.choice([1, 100, 1 << 22])
        turns = {"FIRST_UPDATES": rng.choice([64, 1 << 21])}
        patched = mock.patch.multiple(batch_search, **memory)
        with patched, mock.patch.multiple(portfolio, **turns):
            check_batch(rng, batch, has_covered=has_covered)
        if not has_covered:
            compare_with_separate_problems(batch)


def check_batch(rng: random.Random, batch: Batch, *, has_covered: bool) -> None:
    """Compare the counts, first covers and possible options of a batch with brute force."""
    n_options, limit = len(batch.options), rng.choice([1, 2, 5, None])
    given = random_form(batch.given, n_options, rng)
    forbidden = random_form(batch.forbidden, n_options, rng)
    covered = batch.covered if has_covered else None
    conditions = {"given": given, "forbidden": forbidden, "covered": covered}
    order, n_rounds = rng.choice(["search", "any"]), rng.choice([0, 1, 32])
    with mock.patch.object(cover_batch, "MODEL_ROUNDS", n_rounds):
        result = batch.cover.replace(threads=rng.choice([1, 2])).solve_batch(
            **conditions, limit=limit, order=order
        )
    for k, cover in enumerate(result.covers):
        covers = batch.covers(k)
        expected = len(covers) if limit is None else min(limit, len(covers))
        check_equal("count", int(result.counts[k]), expected)
        check(cover in covers if covers else cover is None, f"cover {cover} of variation {k}")
    stated = batch._replace(given=[[]], forbidden=[[]], covered=[[]])
    options = sorted({number for cover in stated.covers(0) for number in cover})
    possible = np.flatnonzero(batch.cover.possible_options()).tolist()
    check_equal("possible options", possible, options)


def compare_with_separate_problems(batch: Batch) -> None:
    """Compare counts and first covers with those of a problem for each variation."""
    secondary = [item for item in batch.cover.items if item not in batch.bounds]
    arguments = {"items": list(batch.bounds), "secondary": secondary, "multiplicity": batch.bounds}
    arguments["algorithm"] = "links"
    cover = ExactCover(batch.options, **arguments)
    result = cover.solve_batch(given=batch.given, forbidden=batch.forbidden, limit=None)
    for k, first in enumerate(result.covers):
        try:
            alone = ExactCover(
                batch.options, **arguments, given=batch.given[k], forbidden=batch.forbidden[k]
            )
        except ValueError:  # the options contradict each other
            check_equal("count", int(result.counts[k]), 0)
            continue
        solutions = alone.solve()
        check_equal("count", int(result.counts[k]), len(solutions))
        n_options = named_problem(alone).prepare(simplifies=False).problem.n_options
        # In a problem of its own, colors may exclude further options, and thus change the order.
        excludes_others = named_problem(alone).prepare().problem.n_options < n_options
        if batch.has_optional_items(k) or excludes_others:
            check(first in solutions if solutions else first is None, "first cover")
        else:
            check_equal("first cover", first, next(iter(solutions), None))
            if solutions:
                check_equal("nodes", int(result.nodes[k]), alone.statistics.nodes)
