"""The position of a search: it can be left, restored, split and undone at any node."""

import random
from itertools import islice

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.kernels.bitset import bitmaps
from dlx_numba.kernels.bitset.bitmaps import RootBuilder, encode_entries
from dlx_numba.kernels.bitset.state import fill_root, start_bitset
from dlx_numba.kernels.bitset.subtree import SubtreeBitset
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.kernels.dlx.linked_subtree import descend
from dlx_numba.kernels.dlx.restarts import restart
from dlx_numba.kernels.dlx.state import N_REGISTERS, N_SUMS, Register
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers.problems import general_problem, instance, total_problem
from tests.helpers.seeds import seeds

KINDS = {"X": SubtreeX, "M": SubtreeM, "bitset": SubtreeBitset}
COLORED = [["a", ("s", 1)], ["a", ("s", 2)], ["b", ("s", 1)], ["b", "t"], ["c", "t"], ["c", "b"]]


def small_problems():
    """Yield problems, most of which have covers, the kinds of their searches, and their rules."""
    for seed in seeds(24, at_least=24):
        rule = BranchingRule([*Branching][seed % 4], last_sharp=2, seed=seed)
        has_bounds = seed % 2 > 0
        problem = general_problem(seed, has_bounds).problem
        for kind in (
            (SubtreeM, SubtreeBitset) if has_bounds else (SubtreeX, SubtreeM, SubtreeBitset)
        ):
            yield problem, kind, rule
        if seed % 4 == 0:
            yield total_problem(seed)[0].problem, SubtreeM, rule
            consistent = rule._replace(is_consistent=True)
            yield problem, SubtreeM, consistent
        if seed % 8 == 0:
            weighted = rule._replace(branching=Branching.WEIGHTED)
            yield problem, SubtreeM, weighted


def step(tree):
    """Explore until the next node."""
    tree.interrupt()
    tree.explore(UNLIMITED, UNLIMITED, Translation())
    tree.claim(0.0)
    tree.is_busy = False


def finish(tree):
    """Return the covers of the rest of a tree in their order, and all that it has counted."""
    while not tree.is_done:
        tree.explore(UNLIMITED, UNLIMITED, Translation())
    return tree.found.tolist(), tree.counters.tolist()


def test_a_search_is_restored_at_each_node():
    for problem, kind, rule in small_problems():
        whole = finish(kind.start(problem, rule))
        tree = kind.start(problem, rule)
        explored = [0.0]
        while not tree.is_done:
            step(tree)
            if not tree.is_done:
                content = tree.content()
                if rule.branching != Branching.WEIGHTED:  # a path does not have the weights
                    tree = kind.start(problem, rule)
                    tree.restore(content)
                assert tree.path() == content["path"]
                assert all(1 <= taken <= n for taken, n in tree.choices())
                explored.append(tree.explored())
                assert tree.remaining() == pytest.approx(1 - explored[-1])
        assert explored == pytest.approx(sorted(explored))
        assert finish(tree) == whole


def test_the_parts_of_a_split_are_the_rest_of_the_search():
    rng = random.Random(1)
    for problem, kind, rule in small_problems():
        if rule.branching not in (Branching.RANDOM, Branching.WEIGHTED):
            covers, counters = finish(kind.start(problem, rule))
            trees = [kind.start(problem, rule)]
            for tree in trees:
                for _ in range(rng.randrange(4)):
                    if not tree.is_done:
                        step(tree)
                while (other := tree.split()) is not None:
                    trees.insert(trees.index(tree) + 1, other)
            parts = [finish(tree) for tree in trees]
            assert [cover for found, _ in parts for cover in found] == covers
            assert np.sum([each for _, each in parts], 0).tolist() == counters
            assert sum(tree.explored() for tree in trees) == pytest.approx(1)


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeBitset])
def test_the_choices_before_the_part_of_a_split_count_as_tried(kind):
    tree = kind.start(dlx.example("queens", n=6).cover().problem, BranchingRule())
    step(tree)
    taken, n_branches = tree.choices()[0]
    other = tree.split()
    assert tree.choices()[0][0] == taken == 1
    n_tried, n_left = tree.choices()[0][1], other.choices()[0][1]
    assert 1 < n_tried < n_left == n_branches == 6
    assert other.choices()[0][0] == n_tried


def test_undoing_all_choices_restores_the_links():
    for problem, kind, rule in small_problems():
        if kind is not SubtreeBitset:
            root = kind.start(problem, rule)
            if problem.total_low is not None or rule.is_consistent:  # the root loses options
                step(root)
                root.undo_from(0)
            before = root.path_groups[0]
            tree = kind.start(problem, rule)
            links, colors, *_ = tree.path_groups
            for _ in range(3):
                if not tree.is_done:
                    step(tree)
            if tree.is_done:
                continue
            tree.undo_from(0)
            assert all(map(np.array_equal, before, links))
            assert colors is None or not colors.purifier.any()
            assert (tree.path()["items"], tree.choices()) == ([], ())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values())
def test_undoing_some_choices_leaves_the_other_branches(kind):
    problem = dlx.example("queens", n=5).cover().problem

    def nodes():
        tree = kind.start(problem, BranchingRule(Branching.SMALLEST))
        while not tree.is_done:
            yield tree, [taken for taken, _ in tree.choices()]
            step(tree)

    passed = [(path, len(tree.found)) for tree, path in nodes()]
    covers = finish(kind.start(problem, BranchingRule(Branching.SMALLEST)))[0]
    assert len(covers) == 10
    for k, (path, n_before) in enumerate(passed):
        for level in range(1, len(path) + 1):
            tree, _ = next(islice(nodes(), k, None))
            tree.undo_from(level)
            later = (n for other, n in passed[k:] if other[:level] != path[:level])
            rest = covers[next(later, len(covers)) :]
            assert finish(tree)[0][n_before:] == rest


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeM])
def test_a_search_that_restarts_finds_all_covers(kind):
    for problem, each, rule in small_problems():
        if each is kind and problem.total_low is None and not rule.is_consistent:
            whole = finish(kind.start(problem, rule))
            tree = kind.start(problem, rule)
            step(tree)
            if not tree.is_done:
                restart(*tree.path_groups)
                assert (tree.path()["items"], tree.path()["is_entering"]) == ([], True)
                n_before = len(tree.found)
                assert sorted(finish(tree)[0][n_before:]) == sorted(whole[0])


@pytest.mark.parametrize("kind", KINDS.values())
def test_a_random_search_takes_any_path_that_ties_allow(kind):
    problem = dlx.ExactCover([[k, k + 4] for k in range(4) for _ in range(2)]).problem
    items = set[int]()
    for seed in range(20):
        tree = kind.start(problem, BranchingRule(Branching.RANDOM, seed=seed))
        tree.explore(1, UNLIMITED)
        path = tree.path()
        items.add(path["items"][0])
        other = kind.start(problem, BranchingRule(Branching.RANDOM, seed=seed + 100))
        other.follow(path)
        assert other.path() == path
        smallest = kind.start(problem, BranchingRule())
        if path["items"][0] != 0:
            with pytest.raises(ValueError, match="cannot take this path"):
                smallest.follow(path)
    assert len(items) > 4


PATH = {"items": [0], "options": [0], "open_level": 0, "untried": [1, 1], "random_state": 1}


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("rule", [Branching.SMALLEST, Branching.RANDOM])
@pytest.mark.parametrize(
    "change",
    [
        {"items": [2]},  # of which there are more options
        {"items": [7]},
        {"options": [2]},  # which does not contain the item
        {"options": [9]},
        {"options": [-1]},
        {"untried": [0, 1]},
        {"untried": [1, 2]},
        {"items": [0] * 10, "options": [0] * 10},
        {"open_level": 2},
    ],
)
def test_other_paths_are_rejected(kind, rule, change):
    options = [["a", "c"], ["a"], ["b"], ["b"], ["b", "c"], ["c"]]
    problem = dlx.ExactCover(options, ["a", "b", "c"]).problem
    path = PATH | {"is_entering": True}
    if kind is SubtreeM:  # the other options of a level stay together
        path["untried"] = [-1, -1]
    tree = kind.start(problem, BranchingRule(rule))
    tree.follow(path)
    assert {**tree.path(), "random_state": 1} == path
    tree = kind.start(problem, BranchingRule(rule))
    with pytest.raises((LookupError, ValueError, TypeError)):
        tree.follow(path | change)


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeM])
def test_a_path_does_not_end_at_an_item_without_options(kind):
    problem = dlx.ExactCover([["a", "c"], ["a"], ["b", "c"], ["b", "c"]]).problem
    tree = kind.start(problem, BranchingRule(Branching.SMALLEST))
    with pytest.raises(ValueError, match="cannot take this path"):
        tree.follow(PATH | {"untried": [1, 1], "is_entering": True})


def test_the_untried_options_of_a_path_are_in_order():
    problem = dlx.ExactCover([["a"]] * 4).problem
    for kind in (SubtreeX, SubtreeBitset):
        with pytest.raises(ValueError, match="not in order"):
            kind.start(problem, BranchingRule()).follow(
                PATH | {"untried": [3, 1], "is_entering": True}
            )


@pytest.mark.parametrize("options", [[["a"], ["b"]], [["a", "c"], ["b", "d"], ["c", "a"]]])
def test_the_first_call_tells_whether_a_problem_has_several_components(options):
    for more in ([], [["a", "b"]]):
        problem = dlx.ExactCover(options + more).problem
        tree = SubtreeX.start(problem, BranchingRule())
        tree.seeks_parts = 1
        tree.explore(UNLIMITED, UNLIMITED)
        assert tree.is_divisible == (not more)
        assert tree.is_done == bool(more)
        assert tree.counters.any() == bool(more)
        begun = SubtreeX.start(problem, BranchingRule())
        begun.explore(0, UNLIMITED)
        begun.seeks_parts = 1  # too late
        assert (finish(begun)[1][0] > 0) == (dlx.ExactCover(options + more).count() > 0)
        assert not begun.is_divisible


def test_the_arrays_of_a_search_have_no_more_elements_than_it_needs():
    for kind in (SubtreeX, SubtreeM):
        problem = dlx.ExactCover(COLORED, ["a", "b", "c"], ["s", "t"]).problem
        tree = kind.start(problem, BranchingRule())
        links, colors, *_, state = tree.groups
        n_nodes = 1 + 5 + 12  # the root, the items, and the elements of options
        assert [len(each) for each in links] == [n_nodes] * 5 + [1 + 5]
        assert [len(each) for each in colors] == [n_nodes, 1 + 5]
        assert (len(state.trail), len(state.forced)) == (n_nodes, 3 + 1)
        if kind is SubtreeX:  # an option covers at least one item
            assert {len(each) for each in state[:7]} == {3 + 1}
            assert tree.n_levels == 3 + 1

        else:  # each choice is an option or none
            assert tree.n_levels == 3 + (3 + 1)
            bounds = tree.path_groups[2]
            assert [len(each) for each in bounds[:2]] == [3 + 1] * 2
    weighted = kind.start(problem, BranchingRule(Branching.WEIGHTED))
    assert len(weighted.register) == N_REGISTERS + 1 + 3
    assert weighted.register[N_REGISTERS:].tolist() == [1] * 4
    assert not weighted.register[: Register.TARGET].any()


def test_the_arrays_of_what_is_propagated_have_no_more_elements_than_it_needs():
    limits = {"sum": ([1, 2, 0, 3, -1, 4], 1, 5), "number": ([1] * 6, 2, 2)}
    problem = dlx.ExactCover(COLORED, ["a", "b", "c"], ["s", "t"], totals=limits).problem
    bounds = SubtreeM.start(problem, BranchingRule(is_consistent=True)).path_groups[2]
    totals = bounds.totals
    n_slots = len(totals.slot_item)
    assert n_slots == 2 * 3  # each item carries weights in both totals
    assert len(totals.weight) == 5 + 6
    lengths = [len(each) for each in (totals.sums, totals.least, totals.most, totals.is_old)]
    assert lengths == [2, n_slots + 2, n_slots + 2, n_slots + 2]
    supports = bounds.supports
    assert [len(bounds.known), len(supports.queue), len(supports.is_queued)] == [3, 3 + 1, 3 + 1]
    assert len(supports.counts) == len(supports.initial)
    assert len(supports.start) == len(problem.items) + 1 + 5 + 1
    assert len(supports.item_start) == 3 + 2
    assert len(supports.pair_start) == len(supports.pair_item) + 1
    assert len(supports.color) == len(supports.group)


@pytest.mark.parametrize("has_bounds", [False, True])
def test_the_arrays_of_bitmaps_have_no_more_elements_than_it_needs(has_bounds):
    bounds = {"a": (1, 2)} if has_bounds else None
    cover = dlx.ExactCover(COLORED, ["a", "b", "c"], ["s", "t"], multiplicity=bounds)
    tree = SubtreeBitset.start(cover.problem, BranchingRule(seed=4))
    *_, scratch, lanes, state = tree.groups
    n_levels = (2 + 1 + 1 if has_bounds else 0) + 3 + 1
    vectors = "available", "untried"
    for name, array in state._asdict().items():
        if name in ("found", "register", "shapes", "n_options", "subtree_size"):
            continue
        assert len(array) == n_levels, name
    assert state.uncovered.shape == (n_levels, 1)
    assert len(state.n_options) == 1
    assert len(state.shapes) == 1 + 2  # at most half of 6 options, and half of these
    assert len(state.register) == N_REGISTERS + 2
    assert state.register[Register.RANDOM_NUMBER] == 1 + 4
    assert len(scratch.lane) == 3
    assert len(scratch.bitmaps) == 1 + 5 + 2
    if has_bounds:
        assert [len(each) for each in lanes] == [1, 1, n_levels, n_levels]
    assert {len(getattr(state, name)[0]) for name in vectors} == {32}


@pytest.mark.parametrize("has_bounds", [False, True])
def test_bitmaps_that_are_built_in_slices_are_the_same(has_bounds, monkeypatch):
    for seed in seeds(6, at_least=6):
        problem = general_problem(seed, has_bounds).problem
        whole = RootBuilder(problem)
        assert not whole.build()
        monkeypatch.setattr(bitmaps, "VECTORS_PER_SLICE", 1)
        sliced = RootBuilder(problem)
        n_slices = 1
        while sliced.build():
            n_slices += 1
        monkeypatch.undo()
        n_options, n_items = sliced.shape.n_options, sliced.shape.n_items
        assert n_slices == n_items + 3 * n_options + sliced.shape.n_groups
        assert all(map(np.array_equal, whole.tables, sliced.tables))


def test_items_that_are_forced_twice_on_a_path_fit_into_the_queue():
    """Covering "i" forces the others, which then need less, and are forced again."""
    rows = [["i", "j", "k", "s"], ["j", "k", "s"], ["j", "k", "s", "t"]]
    bounds = {"j": 2, "k": 2}
    problem = dlx.ExactCover(rows, secondary=["s", "t"], multiplicity=bounds).problem
    tree = SubtreeM.start(problem, BranchingRule())
    none = np.zeros(0, np.uint32)
    path = none, none, np.zeros(tree.n_levels), np.ones(N_SUMS), UNLIMITED
    assert plain_python(descend)(*tree.path_groups, *path)


def test_bitmaps_are_refused_if_they_exceed_the_memory(monkeypatch):
    cells = [[f"row {k}", f"column {3 * k % 1000}"] for k in range(1000)]
    problem = dlx.ExactCover(cells).problem
    n_bytes = sum(table.nbytes for table in RootBuilder(problem).tables)
    monkeypatch.setattr(bitmaps, "MAX_BYTES", 1.1 * n_bytes)
    RootBuilder(problem)
    monkeypatch.setattr(bitmaps, "MAX_BYTES", 0.9 * n_bytes)
    with pytest.raises(ValueError, match="use links"):
        RootBuilder(problem)
    # With multiplicities, the state of a search has more bitmaps than the tables.
    monkeypatch.setattr(bitmaps, "MAX_BYTES", 2 * n_bytes)
    ones = np.ones(problem.n_primary, np.int64)
    with pytest.raises(ValueError, match="use links"):
        RootBuilder(problem._replace(low=ones, high=ones))


def test_a_slice_of_larger_bitmaps_has_fewer_steps(monkeypatch):
    slices = list[tuple[int, int]]()
    monkeypatch.setattr(bitmaps, "build_table", lambda *given: slices.append(given[-2:]))
    monkeypatch.setattr(bitmaps, "VECTORS_PER_SLICE", 100)
    builder = RootBuilder(dlx.ExactCover([[k // 2] for k in range(1000)]).problem)
    assert builder.shape.n_vectors == 2
    builder.build()
    builder.build()
    assert slices == [(0, 50), (50, 100)]


def test_the_root_of_a_search_with_bitmaps_has_no_choices():
    shape = RootBuilder(dlx.ExactCover([["a"], ["a", "b"], ["b"]]).problem).shape
    state = start_bitset(shape, None, BranchingRule())
    state.n_chosen[:] = 2
    state.n_uncovered[:] = 0
    plain_python(fill_root)(None, state, shape)
    assert state.n_chosen[0] == 0
    assert state.n_uncovered[0] == 2


def test_a_bitmap_has_the_options_that_exclude_others():
    cover = dlx.ExactCover(COLORED, ["a", "b", "c"], ["s", "t"])
    builder = RootBuilder(cover.problem)
    builder.build()
    compatible = np.unpackbits(builder.tables.compatible.view(np.uint8), axis=1, bitorder="little")
    pairs = {(0, 2), (0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5), (2, 4)}
    for a in range(6):
        found = {b for b in np.flatnonzero(compatible[a]).tolist() if b < 6}
        assert found == {b for b in range(6) if (a, b) in pairs or (b, a) in pairs}
    assert builder.tables.n_covered.tolist() == [1, 1, 1, 1, 1, 2]
    assert encode_entries(cover.problem)[1] == 1 + 5 + 2  # s has two colors


def test_bitmaps_do_not_depend_on_what_the_memory_contains():
    names = [f"s{k}" for k in range(7)]
    options = [[k // 2, names[k % 7], (names[(k + 1) % 7], k % 3)] for k in range(600)]
    problem = dlx.ExactCover(options, secondary=names).problem
    tables = []
    for value in (0, 0xFFFF):
        builder = RootBuilder(problem)
        assert builder.shape.n_vectors == 2
        builder._scratch.bitmaps[builder.shape.n_vectors :] = value  # the first row stays empty
        while builder.build():
            pass
        tables.append(builder.tables)
    assert all(map(np.array_equal, *tables))


def test_only_a_fork_has_a_new_lock():
    builder = RootBuilder(instance("queens8").problem)
    lock = builder._lock
    builder.build()
    assert builder._lock is lock
    builder._process = -1  # as in a process that was forked from this one
    builder.build()
    assert builder._lock is not lock


def test_a_state_of_bitmaps_is_restored_by_a_pickle():
    tree = SubtreeBitset.start(instance("queens8").problem, BranchingRule())
    tree.explore(300, UNLIMITED)
    state = tree.__getstate__()
    other = SubtreeBitset.__new__(SubtreeBitset)
    other.__setstate__(state)
    assert other.path() == tree.path()
    assert finish(other)[1] == finish(tree)[1]
