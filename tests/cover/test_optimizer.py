"""The cheapest covers at any time: brute force, interruptions, checkpoints, threads and bounds."""

import copy
import pickle
import random
from concurrent.futures import BrokenExecutor
from fractions import Fraction
from itertools import count
from unittest.mock import Mock

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.optimizer import CoverOptimizer
from dlx_numba.kernels import problem as problem_module
from dlx_numba.kernels.cheapest import multipliers
from dlx_numba.kernels.cheapest.subgradients import Approach
from dlx_numba.runtime.interrupts import Stop, complete
from dlx_numba.runtime.job import run
from dlx_numba.search import branch_and_bound, construction, core, node_search
from dlx_numba.search.checkpoint import load_file, save_file
from dlx_numba.search.node_tasks import NodeQueue
from tests.helpers.counting import tilings
from tests.helpers.executors import CopyingExecutor
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import instance, problem, ranked, total_problem, with_costs
from tests.helpers.seeds import seeded, seeds
from tests.search.test_portfolio import roster

COMPILED = pytest.mark.compiled


def weighted(cover):
    """Return a problem with various costs of its options."""
    return cover.replace(costs=[k * 7919 % 97 for k in range(cover.n_options)])


def trominoes(n_rows, n_columns):
    """Return the tilings with pieces of three cells, which have various costs."""
    return weighted(tilings(n_rows, n_columns, 3))


@pytest.fixture
def tiny_budgets(monkeypatch):
    """Let small problems need many nodes."""

    def choose(rng):
        monkeypatch.setattr(branch_and_bound, "MIN_UPDATES", rng.choice([1, 3, 10, 30, 100]))
        n_steps = rng.choice([3, 10, 100])
        monkeypatch.setattr(branch_and_bound, "ROOT_STEPS", n_steps)
        monkeypatch.setattr(node_search, "ROOT_STEPS", n_steps)
        monkeypatch.setattr(multipliers, "VISITS_PER_SLICE", rng.choice([1, 1000, 10**6]))
        monkeypatch.setattr(node_search, "URGENCY", rng.choice([1, 4]))
        n_core = rng.choice([4, 10_000])  # options, in which covers are sought
        monkeypatch.setattr(construction, "MIN_CORE", n_core)
        monkeypatch.setattr(core, "MIN_CORE", n_core)
        monkeypatch.setattr(core, "CORE_FACTOR", 1)
        monkeypatch.setattr(construction, "TAIL_OPTIONS", rng.choice([1, 4]))
        monkeypatch.setattr(branch_and_bound, "LARGE", rng.choice([1, 1000]))
        monkeypatch.setattr(node_search, "LARGE", rng.choice([1, 1000]))

    return choose


def check(cover, expected, covers, k):
    """Check a list of the cheapest covers, complete or not, given all covers."""
    pairs = ranked(cover, expected)
    costs = [cost for cost, _ in pairs]
    found = [(each.cost, list(each)) for each in covers]
    others = [cost for cost, options in pairs if (cost, options) not in found]
    assert len(others) == len(expected) - len(covers) >= len(expected) - k
    assert found == [pair for pair in pairs if pair in found]
    if others and covers.bound is not None:
        bounds = covers.bound, others[0]
        assert covers.bound == (min if costs[0] <= costs[-1] else max)(bounds)
    if covers.done:
        assert [each.cost for each in covers] == costs[:k]
        assert covers.bound == (covers[-1].cost if covers else None)
        assert covers.gap == (0 if k == 1 and covers else None)


def test_small_problems(tiny_budgets):
    for seed in seeds(1000):
        if seed % 3:
            tiny_budgets(random.Random(seed))
        rng, (cover, expected) = random.Random(seed), problem(seed)
        if seed % 4 == 0:
            largest = 2**62 // (cover.n_options + 1)
            likely = [0, 6, min(7**20, largest), largest, largest - rng.randrange(99)]
            cover = cover.replace(costs=[rng.choice(likely) for _ in range(cover.n_options)])
        # With "auto", a slice of a search finds all covers of a small problem.
        cover = cover.replace(threads=1, algorithm=("links", "auto")[seed % 5 == 0])
        for k in (1, 2, 5, 100):
            covers = cover.cheapest(k)
            assert covers.done
            check(cover, expected, covers, k)
            assert cover.statistics.solutions == len(covers)


@pytest.mark.slow
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
    for seed in seeds(200):
        tiny_budgets(random.Random(seed))
        monkeypatch.setattr(node_search, "URGENCY", 0)  # so that the root is not solved at once
        cover, expected, *_ = (problem, total_problem)[seed % 2](seed)
        k = 1 + 2 * (seed % 3 > 0)
        check(cover, expected, cover.replace(threads=1, algorithm="links").cheapest(k), k)
    assert n_calls


@pytest.mark.slow
@COMPILED
def test_components_that_another_method_has_finished_wait_no_longer():
    options, costs = {}, {}
    for k in range(34):  # more than a batch of nodes
        for cost, letters in enumerate(["abc", "cde", "efa", "bdf", "a"], 1):
            options[f"{k} {letters}"] = [f"{k}{letter}" for letter in letters]
            costs[f"{k} {letters}"] = 0 if k else cost
    items = {item for option in options.values() for item in option}
    cover = dlx.ExactCover(options, costs=costs, at_least=dict.fromkeys(items, 1))
    assert cover.cheapest()[0].cost == 6


def test_if_all_costs_are_0_any_solution_is_the_cheapest():
    """Bounds would not guide a search for it. With costs, `ascend` stalls below the relaxation."""
    covers = roster().replace(costs=[0] * roster().n_options).cheapest(3)
    assert ([each.cost for each in covers], covers.done, covers.bound) == ([0, 0, 0], True, 0)
    assert weighted(roster()).replace(threads=1).cheapest().done


def test_a_saved_optimizer_keeps_its_start():
    cover = dlx.ExactCover([["a"], ["b"], ["a", "b"]], costs=[5, 6, 4])
    optimizer = cover.optimizer(start=[0, 1])
    for each in (pickle.loads(pickle.dumps(optimizer)), optimizer):
        run(each, Stop(), 1)
        assert with_costs(each.result) == [(11, [0, 1])]
        assert each.run()
        assert with_costs(each.result) == [(4, [2])]


def test_runs_are_interrupted_saved_and_loaded(tmp_path, tiny_budgets):
    path = tmp_path / "optimizer"
    for seed in seeds(200):
        rng = random.Random(seed)
        tiny_budgets(rng)
        cover, expected = problem(seed)
        k, is_loaded = rng.choice([1, 1, 2, 10]), False
        start = rng.sample(range(cover.n_options), rng.choice([0, 0, min(2, cover.n_options)]))
        optimizer = cover.replace(threads=rng.choice([1, 2])).optimizer(k, start=start)
        for n_runs in count():
            if optimizer.done:
                break
            run(optimizer, Stop(event=SetAfter(rng.randint(1, 4))))
            check(cover, expected, optimizer.result, k)
            if n_runs > 100:
                continue  # a copy and a file lose what has been examined of a node
            if rng.random() < 0.1:
                is_loaded = True
                optimizer.save(path)
                optimizer = CoverOptimizer.load(path, cover.optimizer(k, start=start))
            elif rng.random() < 0.1:
                copied = rng.choice([copy.copy, lambda each: pickle.loads(pickle.dumps(each))])
                optimizer = copied(optimizer)
        check(cover, expected, optimizer.result, k)
        expected = cover.replace(threads=1).cheapest(k, start=start)
        assert is_loaded or optimizer.result == expected


def test_an_optimizer_is_loaded_though_no_option_has_an_item(tmp_path):
    """The price of this item grows without a limit."""
    cover = dlx.ExactCover([["a"], ["a", "b"]], ["a", "b", "c"], costs=[1, 2])
    cover.optimizer(start=[0]).save(path := tmp_path / "optimizer")
    loaded = CoverOptimizer.load(path, cover.optimizer(start=[0]))
    assert (loaded.run(), loaded.result) == (True, [])


def test_independent_parts_are_combined():
    options = [[f"{k}a"] for k in range(60)] + [[f"{k}a"] for k in range(60)]
    cover = dlx.ExactCover(options, costs=[2] * 60 + [2 + 2**k for k in range(50)] + [5] * 10)
    covers = cover.cheapest(9)
    assert [each.cost - 120 for each in covers] == [0, 1, 2, 3, 3, 3, 3, 3, 3]
    assert (covers.bound, covers.done) == (123, True)
    covers = dlx.ExactCover([*options, ["x", "y"], ["y", "z"]]).cheapest()
    assert (covers, covers.bound, covers.gap, covers.done) == ([], None, None, True)


def test_parts_are_created_until_a_run_is_stopped():
    options = [[k] for k in range(100)] * 2
    optimizer = dlx.ExactCover(options, costs=range(200)).optimizer(2)
    run(optimizer, Stop(event=SetAfter(10)))
    assert 0 < len(optimizer._created) < 10
    resumed = pickle.loads(pickle.dumps(optimizer))
    assert resumed.run()
    assert [each.cost for each in resumed.result] == [4950, 5050]


def test_work_grows_with_the_size_of_problems_without_choices():
    """Two covers of a connected problem, whose search has `n` levels without choices."""
    updates = {}
    for n in (300, 3000):
        options = [[k, k + n] for k in range(n)] + [[k + n, (k + 1) % n] for k in range(n)]
        cover = weighted(dlx.ExactCover(options)).replace(threads=1)
        [found] = cover.cheapest()
        assert found.cost == min(
            named_problem(cover).cost(range(n)), named_problem(cover).cost(range(n, 2 * n))
        )
        updates[n] = cover.statistics.updates
    assert updates[3000] < 30 * updates[300]


@pytest.mark.compiled
def test_options_may_have_many_items():
    items = range(100_000)  # the square of which is too much work
    options = [list(items), list(items[::2]), list(items[1::2])]
    assert with_costs(dlx.ExactCover(options, costs=[5, 1, 1]).cheapest()) == [(2, [1, 2])]


def test_problems_without_costs_or_items():
    assert with_costs(dlx.ExactCover([], items=[]).cheapest(2)) == [(0, [])]
    assert with_costs(dlx.ExactCover([["s"]], items=[], secondary=["s"]).cheapest()) == [(0, [])]
    covers = dlx.ExactCover([["a"], ["a"]]).cheapest()
    assert (covers, covers.bound, covers.gap) == ([[0]], 1, 0.0)
    given = dlx.ExactCover([["a"], ["b"], ["b"]], costs=[5, 2, 1], given=[0])
    assert with_costs(given.cheapest(2)) == [(6, [0, 2]), (7, [0, 1])]
    assert given.optimizer().result == []


@pytest.mark.slow
@COMPILED
def test_known_costs_for_any_number_of_threads():
    cover = trominoes(9, 9)
    expected = cover.diagram().cheapest(5)
    one, other = (cover.replace(threads=threads).cheapest(5) for threads in (1, 3))
    assert one == other
    assert [each.cost for each in one] == [each.cost for each in expected]
    queens = instance("queens8.cost")
    costs = sorted(map(named_problem(queens).cost, queens.solve()))
    assert [each.cost for each in queens.cheapest(20)] == costs[:20]


@pytest.mark.slow
def test_bounds_and_covers_of_a_problem_that_takes_too_long():
    """Bounds are multiples of the common divisor of the costs."""
    cover = trominoes(24, 24)  # takes longer than any test
    cover = cover.replace(costs=1000 * cover.problem.cost)
    optimizer, bounds, costs = cover.optimizer(), [], []
    while len(costs) < 3:
        assert not optimizer.run(seconds=0.1)
        if optimizer.result:
            [found] = optimizer.result
            assert named_problem(cover).cost(found) == found.cost
            cover.problem.check_covers([found])
            costs.append(found.cost)
        bounds += [] if optimizer.result.bound is None else [optimizer.result.bound]
    assert bounds == sorted(bounds)
    assert not any(bound % 1000 for bound in bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] <= costs[-1]
    assert optimizer.result.gap == (costs[-1] - bounds[-1]) / costs[-1]
    assert str(optimizer).startswith(f"cost {costs[-1]:,}, bound {bounds[-1]:,}, ")


def test_checkpoints_of_other_problems_and_damaged_ones(tmp_path, tiny_budgets):
    path = tmp_path / "optimizer"
    tiny_budgets(random.Random(seeded(1)))
    cover = trominoes(6, 6)
    optimizer = cover.optimizer()
    while not optimizer.result:
        run(optimizer, Stop(event=SetAfter(3)))
    optimizer.save(path)
    assert with_costs(CoverOptimizer.load(path).result) == with_costs(optimizer.result)
    for other in (cover.optimizer(2), trominoes(6, 5).optimizer()):
        with pytest.raises(dlx.CheckpointError, match="an optimizer of another problem"):
            CoverOptimizer.load(path, other)
    with pytest.raises(dlx.CheckpointError, match="not a saved search"):
        dlx.Search.load(path)
    form = CoverOptimizer._kind, CoverOptimizer._version
    facts, arrays = load_file(path, *form, lambda *content: content)
    [component] = facts["components"]
    [[cost, options]] = component["best"]
    for change in (
        {"best": [[cost - 1, options]]},
        {"best": [[cost, options[1:]]]},
        {"nodes": [[[10**6], [], 0]]},
        {"nodes": [[[0], [], -1]]},
        {"nodes": [[["a"], [], 0]]},
        {"counters": [0, 0]},
        {"components": []},
        {"k": 0},
        {"scale": [0, 0]},
        {"seconds": "a"},
    ):
        changed = {**facts, "components": [{**component, **change}], **change}
        save_file(path, *form, {**changed, **arrays})
        with pytest.raises(dlx.CheckpointError, match="the optimizer in the file is inconsistent"):
            CoverOptimizer.load(path)


@pytest.mark.parametrize("kind", ["costs", "maximize"])
def test_checkpoints_have_the_unit_of_the_costs(tmp_path, kind):
    cover = dlx.ExactCover([["a"], ["a"], ["b"]], **{kind: [2.5, 4, 1]}, given=[2])
    optimizer = cover.optimizer(2)
    optimizer.run()
    optimizer.save(tmp_path / "optimizer")
    loaded = CoverOptimizer.load(tmp_path / "optimizer").result
    assert with_costs(loaded) == with_costs(optimizer.result)
    assert (loaded.bound, loaded.done) == (optimizer.result.bound, True)


@pytest.mark.parametrize(
    ("keywords", "changed"),
    [({"exactly": {"a": 3}, "penalty": {"a": 1}}, {}), ({}, {"start": [0], "changes": 5})],
)
def test_checkpoints_whose_costs_are_no_sums_need_the_problem(tmp_path, keywords, changed):
    cover = dlx.ExactCover([["a"], ["a"], ["b"]], costs=[2, 1, 4], **keywords)
    optimizer = cover.optimizer(2, **changed)
    optimizer.run()
    optimizer.save(tmp_path / "optimizer")
    with pytest.raises(dlx.CheckpointError, match="its plans, what they cost and lack follow from"):
        CoverOptimizer.load(tmp_path / "optimizer")
    loaded = CoverOptimizer.load(tmp_path / "optimizer", cover.optimizer(2, **changed)).result
    assert with_costs(loaded) == with_costs(optimizer.result)
    assert (loaded.bound, loaded.done) == (optimizer.result.bound, True)


def test_checkpoints_know_which_items_plans_leave_uncovered(tmp_path):
    options = {"x": ["a"], "y": ["b"], "z": ["a", "b", "c"]}
    prices = {"costs": {"x": 1, "y": 9, "z": 50}, "penalty": {"c": 1, "b": 2}}
    cover = dlx.ExactCover(options, **prices)
    optimizer = cover.optimizer(3)
    optimizer.run()
    optimizer.save(tmp_path / "optimizer")
    loaded = CoverOptimizer.load(tmp_path / "optimizer").result
    uncovered = [[cover.items[k] for k in plan.uncovered] for plan in loaded]
    assert uncovered == [plan.uncovered for plan in optimizer.result] == [["c", "b"], ["c"], []]
    given = cover.replace(given=["uncovered c"]).optimizer()
    given.run()
    given.save(tmp_path / "given")
    with pytest.raises(dlx.CheckpointError, match="its plans, what they cost and lack follow from"):
        CoverOptimizer.load(tmp_path / "given")
    assert CoverOptimizer.load(tmp_path / "given", given).result[0].uncovered == ["c", "b"]


def test_the_branching_rule_does_not_matter_for_a_checkpoint(tmp_path):
    for choose in ("leftmost", "random", "sharp", "literal-leftmost", "literal-smallest"):
        cover = dlx.ExactCover([["a"], ["a"], ["b"]], costs=[2, 3, 1], choose=choose)
        optimizer = cover.optimizer()
        optimizer.save(tmp_path / "optimizer")
        assert CoverOptimizer.load(tmp_path / "optimizer", optimizer).run()
        optimizer.run()
        optimizer.save(tmp_path / "optimizer")
        loaded = CoverOptimizer.load(tmp_path / "optimizer")
        assert with_costs(loaded.result) == with_costs(optimizer.result) == [(3, [0, 2])]


def test_covers_of_others_prove_nothing_while_a_node_is_examined():
    problem = dlx.ExactCover([["a"], ["a"]], costs=[3, 2]).problem
    component = branch_and_bound.ComponentOptimizer(problem, np.arange(2), 1)
    root = component.pop()
    component.offer((3, (0,)))
    assert (component.result.is_done, component.result.lowest) == (False, 0)
    component.merge(root, complete(component.examine(root), Stop()))
    assert component.result == ([(2, (1,))], 2, 2, True)


@pytest.mark.parametrize("n_digits", [6, 12, 17])
def test_the_digits_of_costs_do_not_matter_for_the_bound(n_digits):
    rng = random.Random(1)
    options = [rng.sample(range(40), 3) for _ in range(400)]
    weights = [round(rng.random(), n_digits) for _ in options]
    optimizer = dlx.ExactCover.packing(options, weights).optimizer()
    run(optimizer, Stop(), 500)  # nodes
    assert optimizer.done
    [packing] = optimizer.result
    assert packing.cost == float(sum(Fraction(str(weights[k])) for k in packing))


def random_sets(seed):
    """Return a problem with random sets of four items, of which covers are hard to compare."""
    rng = np.random.default_rng(seed)
    sets = [sorted(rng.choice(34, size=4, replace=False).tolist()) for _ in range(190)]
    costs = [*rng.integers(50, 150, len(sets)).tolist(), *[60] * 34]
    return dlx.ExactCover([*sets, *([item] for item in range(34))], costs=costs)


@COMPILED
@pytest.mark.parametrize("seed", [*seeds(40, 2)])
def test_an_executor_finds_the_same_covers(seed):
    cover = random_sets(seed)
    expected = cover.replace(threads=1).cheapest(2)
    with CopyingExecutor(2) as executor:
        optimizer = cover.replace(executor=executor).optimizer(2)
        while not optimizer.run(seconds=0.02):  # tasks go on between the runs
            pass
    assert executor.n_failures < 0 or seed >= 40  # others may be solved without tasks
    assert (optimizer.result, optimizer.result.bound) == (expected, expected.bound)


@COMPILED
def test_a_task_that_fails_is_sent_again():
    cover = random_sets(0)
    with CopyingExecutor(2) as executor:
        executor.n_failures = 2
        optimizer = cover.replace(executor=executor).optimizer()
        n_failures = 0
        while not optimizer.done:
            try:
                optimizer.run()
            except BrokenExecutor:
                n_failures += 1
    assert n_failures == 2
    assert optimizer.result == cover.cheapest()


@pytest.mark.compiled
def test_a_plan_that_is_impossible_is_refuted_by_a_search():
    """The branch and bound alone would examine its nodes in vain."""
    rng = random.Random(1)
    teachers = ["Ann"] * 8 + ["Bob"] * 8
    options, costs = [], []
    for lesson, teacher in enumerate(teachers):
        for slot in range(7 if teacher == "Ann" else 10):
            for room in range(2):
                options.append([lesson, (teacher, slot), ("room", room, slot)])
                costs.append(rng.randrange(5))
    secondary = {item for option in options for item in option[1:]}
    cover = dlx.ExactCover(options, range(len(teachers)), secondary, costs=costs)
    covers = cover.cheapest()
    assert (covers.done, len(covers)) == (True, 0)


class Numbers:
    """A component whose nodes are numbers, and which is open until it has no more."""

    def __init__(self, name, n_nodes):
        self.n_examined = 100
        self.nodes = [f"{name}{k}" for k in range(n_nodes)]

    @property
    def is_open(self):
        return bool(self.nodes)

    def pop(self):
        return self.nodes.pop()


def test_a_batch_that_is_stopped_between_two_nodes_is_the_same():
    def begin():
        return NodeQueue([Numbers("a", 3), Numbers("b", 40), Numbers("c", 0)])

    whole = begin()
    parts = begin()
    for n_nodes in (32, 11, 0):
        assert whole.fill(Stop())
        n_calls = 1
        while not parts.fill(Mock(side_effect=[False, True])):
            n_calls += 1
        assert [task.node for task in parts.batch] == [task.node for task in whole.batch]
        assert len(parts.batch) == n_nodes
        assert n_calls >= n_nodes
        whole.batch.clear()
        parts.batch.clear()


def test_nodes_of_large_problems_with_optional_items_are_counted_part_by_part(monkeypatch):
    options = [[k // 3, f"s{k // 2}", f"t{k % 4}"] for k in range(12)]
    optional = {entry for option in options for entry in option[1:]}
    cover = dlx.ExactCover(options, range(4), sorted(optional), costs=range(12))
    expected = cover.cheapest()
    monkeypatch.setattr(problem_module, "COUNTED_NODES", 4)
    optimizer = cover.optimizer()
    assert optimizer.run()
    assert optimizer.result == expected


def test_optimizers_of_fixed_covers_are_loaded_with_their_problem(tmp_path):
    optimizer = dlx.example("tilings", region="4x4").cover().fixed_by("rotate180").optimizer()
    assert optimizer.run()
    optimizer.save(tmp_path / "file")
    with pytest.raises(dlx.CheckpointError, match="load needs it"):
        type(optimizer).load(tmp_path / "file")
