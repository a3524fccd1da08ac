"""The cheapest covers at any time: brute force, interruptions, checkpoints, threads and bounds."""

import copy
import pickle
import random
import signal

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.optimizer import CheapestCovers, CoverOptimizer, NodeTask
from dlx_numba.kernels.cheapest.subgradients import Approach
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.search import branch_and_bound, node_search, tighten
from dlx_numba.search.checkpoint import load_file, save_file
from tests.helpers import oracles
from tests.helpers.counting import tilings
from tests.helpers.hosts import SetAfter, interrupted_results, running, wait_until
from tests.helpers.problems import instance, problem, total_problem
from tests.helpers.seeds import seeded, seeds

COMPILED = pytest.mark.compiled


def weighted(options, **arguments):
    """Return a problem whose options have various costs."""
    return dlx.ExactCover(options, costs=[k * 7919 % 97 for k in range(len(options))], **arguments)


def trominoes(n_rows, n_columns):
    """Return the tilings with pieces of three cells, which have various costs."""
    return weighted(tilings(n_rows, n_columns, 3).options)


def hard_problem():
    """Return a problem that takes longer than any test."""
    return trominoes(24, 24)


@pytest.fixture
def tiny_budgets(monkeypatch):
    """Let small problems need many nodes."""

    def choose(rng):
        monkeypatch.setattr(branch_and_bound, "MIN_UPDATES", rng.choice([1, 3, 10, 30, 100]))
        n_steps = rng.choice([3, 10, 100])
        monkeypatch.setattr(branch_and_bound, "ROOT_STEPS", n_steps)
        monkeypatch.setattr(node_search, "ROOT_STEPS", n_steps)
        monkeypatch.setattr(node_search, "MAX_WORK", rng.choice([1, 1000, 10**6]))
        monkeypatch.setattr(node_search, "URGENCY", rng.choice([1, 4]))

    return choose


def check(cover, expected, covers, k):
    """Check a list of the cheapest covers, complete or not, given all covers."""
    costs = sorted(map(cover.cost, expected))
    assert all(cover.cost(options) == cost for cost, options in covers)
    assert all(options in expected for _, options in covers)
    assert len({tuple(options) for _, options in covers}) == len(covers) <= k
    assert covers == sorted(covers)
    rest = list(costs)
    for cost, _ in covers:
        rest.remove(cost)
    if covers.bound is not None and rest:
        assert covers.bound <= rest[0]
    if covers.done:
        assert [cost for cost, _ in covers] == costs[:k]
        assert covers.bound == (covers[-1][0] if covers else None)
        assert covers.gap == (0 if k == 1 and covers else None)


def test_small_problems(tiny_budgets):
    for seed in seeds(1000):
        if seed % 3:
            tiny_budgets(random.Random(seed))
        cover, expected = problem(seed)
        for k in (1, 2, 5, 100):
            covers = cover.cheapest(k, threads=1)
            assert covers.done
            check(cover, expected, covers, k)
            assert cover.statistics.solutions == len(covers)


def test_bounds_are_valid_whatever_the_subgradients_return(monkeypatch, tiny_budgets):
    def approach(program, bound, target, spread=0.0):
        yield
        n_calls.append(spread)
        rng = np.random.default_rng(len(program.cost))
        price = rng.normal(0, 10.0 ** rng.integers(-2, 21), len(program.low))
        part = rng.random(len(program.cost))
        return Approach(price, price, price, price, part, np.zeros(5))

    n_calls = []
    monkeypatch.setattr(node_search, "approach_relaxation", approach)
    for seed in seeds(300):
        tiny_budgets(random.Random(seed))
        monkeypatch.setattr(node_search, "URGENCY", 0)  # so that the root is not solved at once
        cover, expected, *_ = (problem, total_problem)[seed % 2](seed)
        for k in (1, 3):
            optimizer = cover.optimizer(k, threads=1)
            assert optimizer.run()
            check(cover, expected, optimizer.best, k)
    assert len(n_calls) > 5


def roster(state):
    """Let 12 nurses work 8 or 9 of 42 shifts, at most one a day."""
    options = [
        [("nurse", k), ("shift", day, shift), ("day", k, day)]
        for k in range(12) for day in range(14) for shift in range(3)
    ]  # fmt: skip
    bounds = {("nurse", k): (8, 9) for k in range(12)}
    bounds |= {("shift", day, shift): (2, 3) for day in range(14) for shift in range(3)}
    days = {option[2]: None for option in options}
    return state(options, items=[*bounds], secondary=[*days], multiplicity=bounds)


@COMPILED
def test_without_costs_any_solution_is_the_cheapest():
    """Bounds would not guide a search for it."""
    covers = roster(dlx.ExactCover).cheapest(3)
    assert covers.done
    assert [cost for cost, _ in covers] == [0, 0, 0]
    assert covers == sorted(covers)
    assert covers.bound == 0


def test_a_saved_optimizer_keeps_its_start():
    cover = dlx.ExactCover([["a"], ["b"], ["a", "b"]], costs=[5, 6, 4])
    optimizer = cover.optimizer(start=[0, 1])
    for each in (pickle.loads(pickle.dumps(optimizer)), optimizer):
        each._advance(Stop(), 1)
        assert each.best == [(11, [0, 1])]
        assert each.run()
        assert each.best == [(4, [2])]


@COMPILED
def test_a_roster_of_ranges_is_proven():
    """The steps of `ascend` stall below the linear relaxation."""
    covers = roster(weighted).cheapest(threads=1)
    assert covers.done


def test_runs_are_interrupted_saved_and_loaded(tmp_path, tiny_budgets):
    path = tmp_path / "optimizer"
    for seed in seeds(200):
        rng = random.Random(seed)
        tiny_budgets(rng)
        cover, expected = problem(seed)
        k, lowest = rng.choice([1, 1, 2, 10]), min(map(cover.cost, expected), default=None)
        whole = cover.cheapest(k, threads=1)
        optimizer, is_loaded = cover.optimizer(k, threads=rng.choice([1, 2])), False
        while not optimizer.done:
            optimizer._advance(SetAfterCalls(rng.randint(1, 4)))
            check(cover, expected, optimizer.best, k)
            assert lowest is None or optimizer.bound is None or optimizer.bound <= lowest
            if rng.random() < 0.1:
                is_loaded = True
                optimizer.save(path)
                optimizer = CoverOptimizer.load(path, cover.optimizer(k))
            elif rng.random() < 0.1:
                optimizer = rng.choice([copy.copy, pickled])(optimizer)
        check(cover, expected, optimizer.best, k)
        assert is_loaded or optimizer.best == whole


class SetAfterCalls(Stop):
    """A condition that is set after some calls."""

    def __init__(self, n):
        super().__init__(event=SetAfter(n))


def pickled(optimizer):
    return pickle.loads(pickle.dumps(optimizer))


def test_large_costs(tiny_budgets):
    for seed in seeds(200):
        rng = random.Random(seed)
        tiny_budgets(rng)
        options, bounds, secondary = oracles.random_general_problem(seed)
        largest = 2**62 // (len(options) + 1)
        costs = [rng.choice([0, 6, 7**20, largest, largest - rng.randrange(99)]) for _ in options]
        costs = [min(cost, largest) for cost in costs]
        cover = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds, costs=costs)
        covers = cover.cheapest(3, threads=1)
        assert covers.done
        check(cover, cover.solve(), covers, 3)


def test_independent_parts_are_combined():
    options = [[f"{k}a"] for k in range(60)] + [[f"{k}a"] for k in range(60)]
    cover = dlx.ExactCover(options, costs=[2] * 60 + [2 + 2**k for k in range(50)] + [5] * 10)
    covers = cover.cheapest(9)
    assert [cost - 120 for cost, _ in covers] == [0, 1, 2, 3, 3, 3, 3, 3, 3]
    assert covers.done
    assert covers.bound == 123
    impossible = dlx.ExactCover([*options, ["x", "y"], ["y", "z"]], items=None)
    covers = impossible.cheapest()
    assert (covers, covers.bound, covers.gap, covers.done) == ([], None, None, True)


def cycle(n):
    """A connected problem with two covers, whose search has `n` levels without choices."""
    options = [[k, k + n] for k in range(n)] + [[k + n, (k + 1) % n] for k in range(n)]
    costs = np.random.default_rng(n).integers(1, 100, 2 * n).tolist()
    return dlx.ExactCover(options, costs=costs), min(sum(costs[:n]), sum(costs[n:]))


def test_work_grows_with_the_size_of_problems_without_choices():
    updates = {}
    for n in (300, 3000):
        cover, lowest = cycle(n)
        covers = cover.cheapest(threads=1)
        assert (covers[0][0], covers.done) == (lowest, True)
        updates[n] = cover.statistics.updates
    assert updates[3000] < 30 * updates[300]


@pytest.mark.compiled
def test_options_may_have_many_items():
    items = range(100_000)  # the square of which is too much work
    options = [list(items), list(items[::2]), list(items[1::2])]
    assert dlx.ExactCover(options, costs=[5, 1, 1]).cheapest() == [(2, [1, 2])]


def test_examinations_of_large_problems_pause_and_continue(monkeypatch):
    problem = trominoes(4, 6)
    expected = problem.cheapest(3)
    monkeypatch.setattr(tighten, "LARGE", 0)
    work, n_pauses = problem.optimizer(3), 0
    while not work.done:
        work._advance(Stop(event=SetAfter(5)))
        n_pauses += 1
        if n_pauses % 5 == 0:
            work = pickle.loads(pickle.dumps(work))
    assert n_pauses > 1
    assert work.best == expected


def test_the_first_examination_finds_a_cover_and_a_bound():
    problem = hard_problem().problem
    component = branch_and_bound.Component(problem, np.arange(problem.n_options), 1)
    node = component.pop()
    task = NodeTask(component, node)
    task.run(Stop())
    task.merge()
    [(cost, options)], bound, lowest, is_done = component.state
    problem.check_covers([list(options)])
    assert cost == problem.cost[list(options)].sum()
    assert 0 < bound == lowest < cost
    assert not is_done


def test_problems_without_costs_or_items():
    assert dlx.ExactCover([], items=[]).cheapest(2) == [(0, [])]
    assert dlx.ExactCover([["s"]], items=[], secondary=["s"]).cheapest() == [(0, [])]
    covers = dlx.ExactCover([], items=["a"]).cheapest()
    assert (covers, covers.done) == ([], True)
    covers = dlx.ExactCover([["a"], ["a"]]).cheapest()
    assert (covers, covers.bound, covers.gap) == ([(0, [0])], 0, 0.0)
    given = dlx.ExactCover([["a"], ["b"], ["b"]], costs=[5, 2, 1], given=[0])
    assert given.cheapest(2) == [(6, [0, 2]), (7, [0, 1])]
    assert given.optimizer().best == []


@COMPILED
def test_known_costs_for_any_number_of_threads():
    cover = trominoes(9, 9)
    expected = cover.diagram().cheapest(5)
    covers = [cover.cheapest(5, threads=threads) for threads in (1, 2, 3, None)]
    assert covers[0] == covers[1] == covers[2] == covers[3]
    assert [cost for cost, _ in covers[0]] == [cost for cost, _ in expected]
    queens = instance("queens8.cost")
    costs = sorted(map(queens.cost, queens.solve()))
    assert [cost for cost, _ in queens.cheapest(20)] == costs[:20]


def test_bounds_and_covers_of_a_problem_that_takes_too_long():
    cover = hard_problem()
    optimizer, bounds, costs = cover.optimizer(), [], []
    while len(costs) < 3:
        assert not optimizer.run(seconds=0.1)
        if optimizer.best:
            [(cost, options)] = optimizer.best
            assert cover.cost(options) == cost
            cover.problem.check_covers([options])
            costs.append(cost)
        bounds += [] if optimizer.bound is None else [optimizer.bound]
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] <= costs[-1]
    assert optimizer.gap == (costs[-1] - bounds[-1]) / costs[-1]
    assert str(optimizer).startswith(f"cost {costs[-1]:,}, bound {bounds[-1]:,}, ")
    assert repr(optimizer) == f"<CoverOptimizer: {optimizer}>"
    assert "done, cost 4, bound 4" in repr(solved([["a"], ["a"], ["b"]], [3, 2, 2]))
    assert "done, no cover, 0.0 s" in repr(solved([["a", "b"], ["b", "c"]], [3, 2]))


@COMPILED
def test_bounds_are_multiples_of_the_common_divisor_of_the_costs():
    options = tilings(18, 18, 3).options
    cover = dlx.ExactCover(options, costs=[1000 * (k * 7919 % 97) for k in range(len(options))])
    optimizer = cover.optimizer(threads=1)
    while not optimizer.bound:
        assert not optimizer.run(seconds=0.1)
    assert optimizer.bound % 1000 == 0


def solved(options, costs):
    optimizer = dlx.ExactCover(options, costs=costs).optimizer()
    assert optimizer.run()
    return optimizer


def test_limits_end_a_call_without_an_exception():
    cover = hard_problem()
    for arguments in ({"seconds": 0}, {"stop": SetAfter(0)}):
        covers = cover.cheapest(**arguments)
        assert isinstance(covers, CheapestCovers)
        assert (covers, covers.bound, covers.gap, covers.done) == ([], None, None, False)
    assert not cover.cheapest(seconds=0.1).done


def test_an_optimizer_is_stopped_and_read_from_other_threads():
    optimizer = hard_problem().optimizer()
    optimizer.stop()
    assert optimizer.run() is False
    with running(optimizer.run) as results:
        wait_until(lambda: optimizer.best)
        assert optimizer.bound <= optimizer.best[0][0]
        with pytest.raises(RuntimeError, match="the optimizer is in use by another thread"):
            optimizer.run(seconds=1)
        optimizer.stop()
    assert results == [False]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_exceptions_of_signal_handlers_lose_nothing():
    for threads in (1, 2):
        optimizer, costs = hard_problem().optimizer(threads=threads), []

        def has_covers():
            costs.extend(cost for cost, _ in optimizer.best)  # noqa: B023
            return len(costs) >= 3  # noqa: B023

        interrupted_results(random.Random(threads), optimizer.run, has_covers, 0.1)
        assert costs == sorted(costs, reverse=True)
        assert optimizer.best.bound > 0


def test_invalid_arguments():
    cover = dlx.ExactCover([["a"]])
    for method in (cover.cheapest, cover.optimizer):
        with pytest.raises(ValueError, match="k must be 1 or more, not 0"):
            method(0)
        with pytest.raises(ValueError, match="threads must be 1 or more"):
            method(threads=0)
        with pytest.raises(TypeError):
            method("2")
    with pytest.raises(ValueError, match="'bitset' does not support cheapest; use links"):
        dlx.ExactCover([["a"]], algorithm="bitset").optimizer()


def test_checkpoints_of_other_problems_and_damaged_ones(tmp_path, tiny_budgets):
    path = tmp_path / "optimizer"
    tiny_budgets(random.Random(seeded(1)))
    cover = trominoes(6, 6)
    optimizer = cover.optimizer()
    while not optimizer.best:
        optimizer._advance(SetAfterCalls(3))
    optimizer.save(path)
    assert CoverOptimizer.load(path).best == optimizer.best
    for other in (cover.optimizer(2), trominoes(6, 5).optimizer()):
        with pytest.raises(dlx.CheckpointError, match="an optimizer of another problem"):
            CoverOptimizer.load(path, other)
    with pytest.raises(dlx.CheckpointError, match="not a saved search"):
        dlx.Search.load(path)
    form = CoverOptimizer.kind, CoverOptimizer.version
    facts, arrays = load_file(path, *form, lambda *content: content)
    component = facts["components"][0]

    def change(**changes):
        return {**facts, "components": [{**component, **changes}]}

    [[cost, options]] = component["best"]
    for changed in (
        change(best=[[cost - 1, options]]),
        change(best=[[cost, options[1:]]]),
        change(nodes=[[[10**6], [], 0]]),
        change(nodes=[[[0], [], -1]]),
        change(nodes=[[["a"], [], 0]]),
        change(counters=[0, 0]),
        {**facts, "components": []},
        {**facts, "k": 0},
        {**facts, "seconds": "a"},
    ):
        save_file(path, *form, {**changed, **arrays})
        with pytest.raises(dlx.CheckpointError, match="the optimizer in the file is inconsistent"):
            CoverOptimizer.load(path)
