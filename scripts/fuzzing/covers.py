"""Campaigns for exact cover problems: every way to search for covers, against two oracles."""

import json
import pickle
import random
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from dlx_numba import Covers, ExactCover, Search
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.choices import ALGORITHMS
from dlx_numba.search import executor_runner, portfolio, thread_runner
from dlx_numba.search.portfolio import METHODS
from dlx_numba.search.thread_runner import Workers
from tests.helpers import oracles
from tests.helpers.penalties import check_plans
from tests.helpers.problems import best_costs, find_covers, random_options, stated_problem

from .checks import check, check_equal, kept_on_failure
from .problems import (
    MAX_LISTED,
    MAX_UPDATES,
    RULES,
    Statement,
    random_statement,
)


@cache
def thread_pool() -> Executor:
    return ThreadPoolExecutor(2)


@cache
def process_pool() -> Executor:
    # Forking a process with threads is unsafe; spawning is the default on most systems only.
    import multiprocessing

    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


@contextmanager
def small_slices(rng: random.Random) -> Iterator[None]:
    """Often make slices and tasks so short that small problems are split, too."""
    if rng.random() < 0.3:
        yield
        return
    updates = rng.choice([1, 8, 50])
    slices = {"MIN_UPDATES_PER_SLICE": updates, "UPDATES_PER_SLICE": updates}
    with (
        mock.patch.multiple(thread_runner, **slices),
        mock.patch.multiple(executor_runner, LOCAL_SECONDS=0, MIN_TASK_SECONDS=0.001),
    ):
        yield


def search_small_problems(rng: random.Random, folder: Path) -> None:
    """Compare all results for a small problem with brute force."""
    seed, rule = rng.randrange(2**32), rng.choice([*RULES[:4], "own"])
    options, bounds, _ = oracles.random_general_problem(seed)
    cover, expected = stated_problem(seed, rule)
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        n_covers = oracles.cover_costs(options, bounds, [0] * len(options))
        check_equal("oracles", n_covers[0], len(list(oracles.multiple_covers(options, bounds))))
        found = cover.solve()
        check_equal("solve", sorted(found), expected)
        check_equal("count", cover.count(), len(expected))
        check_equal("first", cover.first(), (found or [None])[0])
        k = rng.randint(1, 5)
        cheap = cover.cheapest(k)
        check_equal(
            "costs",
            [each.cost for each in cheap],
            best_costs(cover, expected, k),
        )
        check(all(options in expected for options in cheap), "cheapest: not a cover")
        check_equal("cheapest", len({tuple(options) for options in cheap}), len(cheap))
        compare_algorithms(cover, found)
        run_in_parallel(rng, cover, found)


def search_literally(rng: random.Random, folder: Path) -> None:
    """Compare the covers and nodes of literal searches with those of a recursive program."""
    options, n_items, n_primary = random_options(rng)
    items, secondary = list(range(n_primary)), list(range(n_primary, n_items))
    for rule in ("literal-leftmost", "literal-smallest"):
        covers, levels = oracles.recursive_search(options, items, rule == "literal-leftmost")
        threads = rng.randint(1, 4)
        cover = ExactCover(options, items, secondary, choose=rule, threads=threads)
        with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
            for find in (cover.solve, cover.count, lambda cover=cover: list(cover)):
                found = find()
                check(found in (covers, len(covers)), f"{rule}: {found} instead of {covers}")
                n_nodes = cover.statistics.levels
                check_equal("nodes of each level", n_nodes, list(np.trim_zeros(levels, "b")))
                check_equal("nodes", cover.statistics.nodes, sum(levels))
            check_equal("first", cover.first(), (covers or [None])[0])


def compare_plans(rng: random.Random, folder: Path) -> None:
    """Compare all results for a small problem with penalties with brute force."""
    check_plans(rng.randrange(2**32))


def find_first_covers(rng: random.Random, folder: Path) -> None:
    """Compare each method that finds a first cover, alone and together, with brute force."""
    has_bounds = rng.random() < 0.7
    seed = rng.randrange(2**32)
    cover, expected = stated_problem(seed, rng.choice(RULES[:4]), has_bounds=has_bounds)
    alone = ["search", "restarts", "prices", "memo"]
    combined = [["symmetry", "search"], ["consistency", "search"], METHODS]
    methods = rng.choice([*([method] for method in alone), *combined])
    wanted = 1 if methods in (["prices"], ["memo"]) else rng.randint(1, 9)
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        limits = {"FIRST_UPDATES": rng.choice([1, 50]), "SLICE_UPDATES": rng.choice([1, 8, 50])}
        limits["SYMMETRY_DELAY"] = 0
        with mock.patch.multiple(portfolio, **limits):
            found = find_covers(cover, wanted, methods, rng.randint(1, 3)).take()
        check_equal(f"covers by {methods}", len({*map(tuple, found)}), min(wanted, len(expected)))
        check(all(each in expected for each in found), f"{methods}: not a cover")
        n_found = len(cover.solve(wanted, order="any"))
        check_equal("covers in any order", n_found, min(wanted, len(expected)))


def search_colored_problems(rng: random.Random, folder: Path) -> None:
    """Compare problems of which inconsistent options are removed with brute force."""
    for _ in range(rng.choice([1, 9])):  # most problems have no cover
        options, bounds, secondary = oracles.colored_problem(rng.randrange(2**32))
        expected = sorted(oracles.multiple_covers(options, bounds))
        if expected:
            break
    stated = partial(ExactCover, options, [*bounds], secondary, multiplicity=bounds)
    cover = stated(presolve=rng.random() < 0.5, choose=rng.choice(RULES[:4]))
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        found = cover.solve()
        check_equal("solve", sorted(found), expected)
        check_equal("counts", [cover.count(), cover.count(method="memo")], [len(expected)] * 2)
        possible = np.flatnonzero(cover.possible_options()).tolist()
        check_equal("possible options", possible, sorted({*chain(*expected)}))
        compare_algorithms(cover, found)
        rule = rng.choice(["smallest", "random"])
        search_consistently(rng, cover.replace(choose=rule, consistency="colors"), expected)
        weights = [rng.randint(-3, 5) for _ in options]
        sums = [sum(weights[k] for k in each) for each in expected]
        high = rng.choice(sums or [5])
        low = high - rng.randint(0, 6)
        limited = [each for each, total in zip(expected, sums, strict=True) if low <= total <= high]
        totals = {"total": (weights, low, high)}
        with_total = stated(choose=rule, consistency="colors", totals=totals)
        search_consistently(rng, with_total, limited)


def search_consistently(rng: random.Random, cover: ExactCover, expected: list[list[int]]) -> None:
    """Check that the steps of a search that keeps colors consistent do not depend on its runs."""
    whole, divided, split = cover.search(), cover.search(), cover.search()
    covers, found = whole.run(), list[list[int]]()
    check_equal("consistent colors", sorted(covers), expected)
    while not divided.done:
        found += divided.run(updates=rng.randint(1, 20))
    check_equal("divided search", (found, divided.counters()), (covers, whole.counters()))
    found = split.run(updates=3)
    found += chain.from_iterable(part.run() for part in [*split.split(3), split])
    check_equal("split search", sorted(found), expected)
    forbidden = [[k] for k in range(cover.n_options)]
    counts = cover.solve_batch(forbidden=forbidden, limit=None).counts.tolist()
    check_equal("batch", counts, [sum(k not in each for each in expected) for [k] in forbidden])


def search_deep_problems(rng: random.Random, folder: Path) -> None:
    """Compare all results for a larger problem with dynamic programming."""
    statement = random_statement(rng)
    costs = statement.cover_costs()
    if costs is None:
        return
    seed, rule, presolve = rng.randrange(2**31), rng.choice(RULES), rng.random() < 0.4
    try:
        cover = statement.problem(rule, seed, presolve=presolve)
    except ValueError as error:  # given options may contradict each other
        check("cannot be in one cover" in str(error) and not costs.total(), str(error))
        return

    def description() -> str:
        return json.dumps([vars(statement), rule, seed, presolve], indent=1)

    with kept_on_failure(folder / "statement.json", description):
        search = cover.search()
        n_covers = search.count(updates=MAX_UPDATES)
        check_equal("count", min(n_covers, costs.total()), n_covers)
        if not search.done:
            return
        check_equal("count", n_covers, costs.total())
        k = rng.randint(1, 9)
        cheap = cover.cheapest(k) if costs.total() <= MAX_LISTED else Covers()
        lowest = list(islice(costs_in_order(costs), len(cheap)))
        check_equal("costs", [each.cost for each in cheap], lowest)
        if costs.total() > MAX_LISTED:
            first = cover.solve(50)
            check(all(map(statement.is_cover, first)), f"not covers: {first}")
            return
        check_equal("number of cheapest covers", len(cheap), min(k, costs.total()))
        found = cover.solve()
        check_equal("solve", len({tuple(solution) for solution in found}), costs.total())
        check(all(map(statement.is_cover, found)), f"not covers: {found}")
        check_equal(
            "costs", sorted(map(named_problem(cover).cost, found)), list(costs_in_order(costs))
        )
        compare_algorithms(cover, found)
        run_in_parallel(rng, cover, found)
        if not (statement.given or statement.forbidden or presolve):
            compare_representations(rng, statement, cover, found)


def costs_in_order(costs: Any) -> Iterator[int]:
    return (cost for cost in sorted(costs) for _ in range(costs[cost]))


def compare_algorithms(cover: ExactCover, found: list[list[int]]) -> None:
    """Check that all algorithms find the same covers, in the same order.

    A search of the whole problem may have another order than `solve`, which searches the parts of a
    problem that falls apart.
    """
    is_ordered = cover.choose != "random" and " components" not in str(cover.counter())
    for algorithm in ALGORITHMS:
        try:
            search = Search(replace(cover.search()._spec, algorithm=algorithm))
        except ValueError as error:
            check("does not support" in str(error), str(error))
            continue
        covers = search.run()
        if not is_ordered:
            covers, found = sorted(covers), sorted(found)
        check_equal(f"algorithm {algorithm}", covers, found)


def run_in_parallel(rng: random.Random, cover: ExactCover, found: list[list[int]]) -> None:
    """Check that threads or an executor find the same covers, in the same order."""
    kind = rng.choice(["threads", "executor", "none", "none"])
    if kind == "none":
        return
    arguments: dict[str, Any] = {"threads": rng.randint(2, 4)}
    if kind == "executor":
        executor = process_pool() if rng.random() < 0.01 else thread_pool()
        arguments = {"executor": executor}
    with small_slices(rng):
        parallel = cover.replace(**arguments)
        together = parallel.solve()
        limit = rng.randint(0, len(found) + 1)
        first = parallel.solve(limit)
        n_covers = parallel.count()
    check_equal(f"number of covers with {kind}", n_covers, len(found))
    check_equal("limited number of covers", len(first), min(limit, len(found)))
    if cover.choose == "random":
        together, found = sorted(together), sorted(found)
    else:
        check_equal(f"first covers with {kind}", first, found[:limit])
    check_equal(f"covers with {kind}", together, found)


def compare_representations(
    rng: random.Random, statement: Statement, cover: ExactCover, found: list[list[int]]
) -> None:
    """Check that the problem has the same covers after it was written and read."""
    if cover.choose == "random":
        return
    rule: dict[str, Any] = {"choose": cover.choose, "seed": cover.seed}
    again = ExactCover.read(cover.write(kind="json"), "json", **rule)
    check_equal("covers of JSON", again.solve(), found)
    check_equal("JSON", again.write(kind="json"), cover.write(kind="json"))
    if all(statement.options):
        text = cover.write(kind="knuth")
        again = ExactCover.read(text, "knuth", **rule)
        check_equal("covers of Knuth's format", again.solve(), found)
        check_equal("Knuth's format", again.write(kind="knuth"), text)
    has_colors = any(isinstance(entry, tuple) for option in statement.options for entry in option)
    if not has_colors and cover.choose in ("smallest", "leftmost"):
        numbers = {item: number for number, item in enumerate(cover.items)}
        again = ExactCover.from_matrix(
            (cover.problem.indptr, cover.problem.items, cover.n_items),
            secondary=range(cover.problem.n_primary, cover.n_items),
            multiplicity={numbers[item]: pair for item, pair in statement.bounds.items()},
            **rule,
        )
        check_equal("covers of CSR", again.solve(), found)


def resume_searches(rng: random.Random, folder: Path) -> None:
    """Run, split, save, load and distribute searches in random order; compare with brute force."""
    if rng.random() < 0.5:
        cover, expected = stated_problem(rng.randrange(2**32), rng.choice(RULES[:4]))
    else:
        statement = random_statement(rng)
        statement.given = []
        costs = statement.cover_costs()
        if costs is None or costs.total() > MAX_LISTED:
            return
        cover = statement.problem(rng.choice(RULES), rng.randrange(2**31))
        search = cover.search()
        search.count(updates=MAX_UPDATES // 200)  # few in plain Python, too
        if not search.done:
            return
        expected = sorted(cover.solve())
        check_equal("solve", len(expected), costs.total())
    actions: list[Any] = []

    def description() -> str:
        return json.dumps([cover.write(kind="json"), cover.choose, cover.seed, actions], indent=1)

    with kept_on_failure(folder / "actions.json", description), small_slices(rng):
        algorithm = rng.choice(["links", "bitset"])
        cover.count()
        try:
            searches = [Search(replace(cover.search()._spec, algorithm=algorithm))]
        except ValueError as error:
            check("does not support" in str(error), str(error))
            return
        found: list[list[int]] = []
        n_counted = 0
        while searches:
            position = rng.randrange(len(searches))
            search = searches.pop(position)
            if search.done:
                continue
            action = rng.choice(
                ["run", "run", "count", "iterate", "split", "save", "pickle", "put"]
            )
            updates = rng.choice([None, rng.randint(0, 60), rng.randint(0, 1000)])
            limit = rng.choice([None, rng.randint(0, 3), rng.randint(0, 100)])
            workers = rng.choice([None, 1, 2])
            executor = rng.choice([None, None, thread_pool()])
            search.workers = Workers(workers, executor)
            actions.append([position, action, updates, limit, workers, executor is not None])
            if action == "run":
                new = search.run(updates=updates, solutions=limit)
                check(limit is None or len(new) <= limit, "more covers than requested")
                found += new
            elif action == "put":
                new = search.run(solutions=limit, updates=updates)
                n_kept = rng.randint(0, len(new))
                search.push_back(new[n_kept:])
                found += new[:n_kept]
            elif action == "count":
                n_counted += search.count(updates=updates, solutions=limit)
            elif action == "iterate":
                found += islice(search, 5 if limit is None else limit)
            elif action == "split":
                searches += search.split(rng.randint(1, 4))
            elif action == "save":
                search.save(folder / "search")
                search = Search.load(folder / "search")
            else:
                search = pickle.loads(pickle.dumps(search))
            progress = search.progress
            check(0 <= progress.fraction <= 1, f"fraction {progress.fraction}")
            searches.append(search)
        check_equal("number of covers", len(found) + n_counted, len(expected))
        check_equal("different covers", len({tuple(each) for each in found}), len(found))
        if not n_counted:
            check_equal("covers", sorted(found), expected)
        check({tuple(each) for each in found} <= set(map(tuple, expected)), "not a cover")
