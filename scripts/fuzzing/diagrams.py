"""A campaign for counting with a memo and for diagrams, against brute force and other searches."""

import json
import random
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from dlx_numba import CoverDiagram, ExactCover
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import level_counter
from dlx_numba.search.level_counter import LevelCounter
from dlx_numba.search.subproblems import ORDERS
from tests.helpers.counting import memo_of, narrow_order_of
from tests.helpers.problems import best_costs, stated_problem

from .checks import check, check_equal, kept_on_failure
from .problems import MAX_LISTED, RULES, random_statement

MAX_SUBPROBLEMS = 300_000  # of a count with little memory, which is then not continued


def build_diagrams(rng: random.Random, folder: Path) -> None:
    """Compare counts and diagrams of a problem with its covers."""
    if rng.random() < 0.5:
        seed, rule = rng.randrange(2**32), rng.choice([*RULES[:4], "own"])
        cover, expected = stated_problem(seed, rule, has_bounds=rng.random() < 0.5)
    else:
        statement = random_statement(rng)
        if rng.random() < 0.5:
            statement.bounds = dict.fromkeys(statement.bounds, (1, 1))
        costs = statement.cover_costs()
        if costs is None or costs.total() > MAX_LISTED:
            return
        try:
            cover = statement.problem(rng.choice(RULES), rng.randrange(2**31))
        except ValueError as error:  # given options may contradict each other
            check("cannot be in one cover" in str(error) and not costs.total(), str(error))
            return
        expected = sorted(cover.solve())
        check_equal("solve", len(expected), costs.total())
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        check_equal("count", cover.count(method="memo"), len(expected))
        count_with_little_memory(rng, cover, len(expected))
        items = list(cover.items[: cover.problem.n_primary])
        order: Any = rng.choice([*ORDERS, rng.sample(items, rng.randint(0, len(items)))])
        diagram = cover.diagram(order=order)
        compare(rng, cover, diagram, expected)
        numbers = range(cover.n_options)
        likely = rng.choice(expected) if expected and rng.random() < 0.8 else numbers
        given = [k for k in likely if rng.random() < 0.3]
        forbidden = [k for k in numbers if rng.random() < 0.1]
        condition = diagram.condition(given, forbidden)
        met = [
            options
            for options in expected
            if set(given) <= set(options) and not set(forbidden) & set(options)
        ]
        with kept_on_failure(folder / "condition.json", lambda: json.dumps([given, forbidden])):
            compare(rng, cover, condition, met)
        diagram.save(folder / "diagram")
        compare(rng, cover, CoverDiagram.load(folder / "diagram"), expected)


def count_with_little_memory(rng: random.Random, cover: ExactCover, n_covers: int) -> None:
    """Count with a memo that is full soon, interrupted at random."""
    problem = cover.search()._spec.problem
    if problem.has_sums:
        with mock.patch.object(level_counter, "MIN_BYTES", 0):
            counter = LevelCounter(problem, rng.choice([0, 1000, 100_000]))
        while not counter.done:
            run(counter, Stop(), counter.work + rng.choice([1, 10, 10_000]))
        check_equal("count of levels with little memory", counter.counters()[0], n_covers)
        return
    order = rng.choice([None, np.arange(problem.n_primary), narrow_order_of(problem)])
    memo = memo_of(problem, order, 0)
    while not memo.is_done:
        budget = memo.subproblems + rng.choice([1, 10, 10_000])
        memo.run(lambda: False, max_subproblems=budget)
        if memo.subproblems > MAX_SUBPROBLEMS:
            return
    check_equal("count with little memory", memo.value, n_covers)


def compare(
    rng: random.Random, cover: ExactCover, diagram: CoverDiagram, expected: list[list[int]]
) -> None:
    """Compare all results of a diagram with the covers that it should contain."""
    check_equal("number of covers", diagram.count(), len(expected))
    listed, k = diagram.covers(), rng.randint(0, len(expected) + 1)
    check_equal("covers", sorted(listed), expected)
    check_equal("iteration", [*diagram], listed.tolist())
    check_equal("first covers", diagram.covers(k), listed[:k])
    frequencies = [0] * cover.n_options
    for options in expected:
        for option in options:
            frequencies[option] += 1
    check_equal("frequencies", diagram.frequencies(), frequencies)
    k = rng.randint(1, 5)
    cheapest = diagram.cheapest(k)
    check_equal(
        "costs",
        [each.cost for each in cheapest],
        best_costs(cover, expected, k),
    )
    if not (expected and cover.n_options):
        return
    samples = diagram.sample(3, rng.randrange(100))
    check(all(options in expected for options in samples), f"not covers: {samples}")
    check(all(options in diagram for options in samples), f"not in the diagram: {samples}")
    changed = sorted({*samples[0], rng.randrange(cover.n_options)})
    check_equal("membership", changed in diagram, changed in expected)
    check(samples[0][::-1] in diagram, "the order of a cover matters")
    for other in (cover.n_options, *samples[0][:1]):
        check([*samples[0], other] not in diagram, f"option {other} is added")
    if diagram.order != "smallest":
        check_equal("sets of the ZDD", zdd_sets(diagram), expected)


def zdd_sets(diagram: CoverDiagram) -> list[list[int]]:
    """Return the sets of options of a ZDD in Graphillion's text format."""
    *lines, end, last = diagram.to_zdd().split("\n")
    check_equal("end of the ZDD", (end, last), (".", ""))
    options = diagram.zdd_options()
    check_equal("options of the ZDD", sorted(options), list(range(diagram.n_options)))
    level = dict.fromkeys("BT", len(options) + 1)
    sets: dict[str, list[list[int]]] = {"B": [], "T": [[]]}
    for line in lines:
        name, *fields = line.split()
        if fields:
            number, low, high = int(fields[0]), *fields[1:]
            check(number < min(level[low], level[high]) and high != "B", f"the line {line}")
            level[name] = number
            sets[name] = sets[low] + [sorted([options[number - 1], *each]) for each in sets[high]]
    return sorted(sets[name])
