"""Algorithm X on bitmaps: the same covers in the same order as with links, and as brute force."""

import itertools
import os
import pickle
import platform
import random
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.jit.simd import N_LANES
from dlx_numba.kernels import algorithms
from dlx_numba.kernels.bitset import bitmaps
from dlx_numba.kernels.bitset import subtree as bitset_subtree
from dlx_numba.kernels.bitset.bitmaps import LANE_BITS, VECTOR_BITS
from dlx_numba.kernels.bitset.state import fill_level, row_vectors, table_shape
from dlx_numba.kernels.bitset.subtree import SubtreeBitset
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.kernels.subtree import Subtree
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.search import prepared
from scripts.fuzzing.covers import resume_searches
from tests.helpers import ROOT
from tests.helpers.problems import instance, unstarted, with_costs
from tests.helpers.seeds import instances, seeds

RULES = ["smallest", "leftmost", "random", "sharp", "own"]


@pytest.fixture
def eager_shrinking(monkeypatch):
    """Build smaller tables wherever they have at most half as many options."""
    start = bitset_subtree.start_bitset

    def start_eagerly(*arguments):
        state = start(*arguments)
        state.subtree_size[:] = 1e15
        return state

    monkeypatch.setattr(bitset_subtree, "start_bitset", start_eagerly)


def larger_problem(seed, choose, algorithm):
    """Return a random problem with secondary items, colors and multiplicities.

    Every second problem has more than 32 items, which need two groups, every fourth one more
    than 512 options, which need two vectors, and two of five have multiplicities.
    """
    rng = random.Random(seed)
    is_long = seed % 4 == 0
    n_items = rng.randint(5, 12) if is_long else rng.randint(5, 18) + 18 * (seed % 2)
    items, width = [f"{'#' * (k % 3 > 0)}{k}" for k in range(n_items)], rng.randint(2, 4)
    rng.shuffle(items)
    options = [items[k : k + width] for k in range(0, n_items, width)]
    n_options = rng.randint(500, 600) if is_long else rng.randint(20, 70)
    options += [rng.sample(items, width) for _ in range(n_options)]
    secondary = [f"s{k}" for k in range(rng.randint(0, 5))]
    for option in options:
        for name in rng.sample(secondary, rng.randint(0, len(secondary))):
            option.append(rng.choice([name, (name, rng.randint(1, 3))]) if seed % 3 else name)
    rng.shuffle(options)
    rule = rng.sample(items, 3) if choose == "own" else choose
    pairs = [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (1, 3), (2, 2), (2, 3), (2, 4)]
    bounds = {item: rng.choice(pairs) for item in items} if seed % 5 < 2 else None
    arguments = {"choose": rule, "seed": seed, "algorithm": algorithm, "multiplicity": bounds}
    return dlx.ExactCover(options, items, secondary, **arguments)


@pytest.mark.compiled
@pytest.mark.parametrize("choose", RULES)
def test_larger_problems_have_the_covers_of_links(choose, eager_shrinking):
    n_found = n_shrunk = 0
    for seed in seeds(100):
        linked, cover = (larger_problem(seed, choose, name) for name in ("links", "bitset"))
        found = cover.solve(limit=100)
        assert found == linked.solve(limit=100), seed
        assert cover.count(limit=1000) == linked.count(limit=1000), seed
        tree = unstarted(cover)
        shapes = tree.groups[-1].shapes
        tree.explore(5000, UNLIMITED)
        n_shrunk += bool(shapes[1:].any())
        n_found += len(found)
    assert n_found > instances(1000)
    assert n_shrunk > 0


@pytest.mark.compiled
def test_smaller_tables_do_not_change_the_counters(eager_shrinking, monkeypatch):
    eager = instance("pent3x20", algorithm="bitset").search()
    monkeypatch.undo()
    default = instance("pent3x20", algorithm="bitset").search()
    assert eager.count() == default.count() == 8
    assert eager.counters() == default.counters()


def test_a_smaller_table_leaves_the_levels_before_it(eager_shrinking):
    """The table after the first choice has two vectors of options, the first one three."""
    options = [["a", "p"], ["a", "q"], *[["q", "b"]] * 540, *[["p", "b"]] * 560]
    tree = unstarted(dlx.ExactCover(options, algorithm="bitset"))
    shapes = tree.groups[-1].shapes
    n_found, _ = tree.explore(UNLIMITED, UNLIMITED)
    assert shapes[1].any()
    assert n_found == 1100


@pytest.mark.filterwarnings("ignore:the machine code of a kernel cannot be stored")
def test_a_row_of_a_table_has_no_options_of_the_row_before_it():
    options = [[k, k + 1] for k in range(700)]
    state = SubtreeBitset.start(dlx.ExactCover(options).problem, BranchingRule()).groups[-1]
    state.available.fill(np.iinfo(state.available.dtype).max)
    fill_level(state, table_shape(state, 0))
    available = state.available[: row_vectors(state)]
    assert sum(int(bits).bit_count() for bits in available.flat) == len(options)


@pytest.mark.parametrize(
    ("n_options", "n_items", "sizes"),
    [
        (0, 0, [0, 1, 1]),
        (1, 1, [1, 1, 1]),
        (LANE_BITS, N_LANES, [1, 1, 1]),
        (LANE_BITS + 1, N_LANES + 1, [2, 1, 2]),
        (VECTOR_BITS, 2 * N_LANES, [N_LANES, 1, 2]),
        (VECTOR_BITS + 1, 2 * N_LANES + 1, [N_LANES + 1, 2, 3]),
    ],
)
def test_a_table_has_room_for_its_options_and_items(n_options, n_items, sizes):
    shape, above = bitmaps.stack_shapes([(n_options, n_items), (5, 7)])
    assert [shape.n_chunks, shape.n_vectors, shape.n_groups] == sizes
    assert list(above[6:]) == [
        shape.n_groups * shape.n_chunks,
        n_items * shape.n_vectors,
        n_options * shape.n_vectors,
        n_options * shape.n_groups,
        n_options,
        n_items,
    ]


@pytest.mark.filterwarnings("ignore:the machine code of a kernel cannot be stored")
def test_building_a_table_in_slices_does_nothing_too_early():
    """The steps: clear the rows of items, then of colors; fill both; compare options; transpose."""
    n = N_LANES + 8
    options = [[k, (k + 1) % n, ("s", f"color {k % 3}")] for k in range(n)]
    tree = SubtreeBitset.start(dlx.ExactCover(options, secondary=["s"]).problem, BranchingRule())
    while tree.build():
        pass
    entries, tables, *_ = tree.groups
    shape = table_shape(tree.groups[-1], 0)
    scratch = bitmaps.allocate_scratch(tree.n_rows, shape)
    whole = [each.copy() for each in tables]
    for each in (scratch.bitmaps, tables.compatible, tables.containing):
        each[:] = 1
    untouched = scratch.bitmaps.copy()
    n_colors = 3
    sizes = [shape.n_items, *[shape.n_options] * 3, *[1] * shape.n_groups]
    ends = [0, *itertools.accumulate(sizes)]
    assert ends[-1] == bitmaps.count_steps(shape)
    for step, (begin, end) in enumerate(itertools.pairwise(ends)):
        bitmaps.build_table(entries, tables, shape, scratch, begin, end)
        if step == 0:
            assert np.array_equal(scratch.bitmaps[-n_colors:], untouched[-n_colors:])
        elif step == 1:
            assert not scratch.bitmaps[1:].any()
        elif step == 2:
            assert (tables.compatible == 1).all()
        elif step == 3:
            assert (tables.containing == 1).all()
        elif step == 4:  # of two groups
            assert (tables.containing[N_LANES * shape.n_vectors :] == 1).all()
    assert all(map(np.array_equal, tables, whole))


def test_a_path_with_an_item_that_does_not_exist_is_rejected():
    cover = dlx.ExactCover([[k] for k in range(N_LANES) for _ in range(2)], choose="random")
    tree = SubtreeBitset.start(cover.problem, BranchingRule(Branching.RANDOM))
    tree.explore(5, UNLIMITED)
    path = tree.path()
    for item in (N_LANES, N_LANES + 1):
        other = SubtreeBitset.start(cover.problem, BranchingRule(Branching.RANDOM))
        with pytest.raises(ValueError, match="the search cannot take this path"):
            other.follow(path | {"items": [item, *path["items"][1:]]})


def test_covers_are_counted_up_to_a_limit():
    for limit in (49, 50, 51):
        tree = SubtreeBitset.start(dlx.ExactCover([["a"]] * 50).problem, BranchingRule())
        n_covers, _ = tree.explore(UNLIMITED, limit)
        assert (n_covers, tree.is_done) == (min(limit, 50), limit > 50)


def test_smaller_tables_are_split_saved_and_resumed(eager_shrinking, tmp_path):
    for seed in seeds(500):
        resume_searches(random.Random(seed), tmp_path)


@pytest.mark.compiled
def test_tables_that_are_built_in_slices_do_not_change_the_search(monkeypatch, tmp_path):
    monkeypatch.setattr(bitmaps, "VECTORS_PER_SLICE", 1)
    monkeypatch.setattr(bitset_subtree, "SLICES_AT_START", 1)
    for seed in seeds(20):
        linked, cover = (larger_problem(seed, "smallest", name) for name in ("links", "bitset"))
        tree = unstarted(cover)
        assert tree.build(), seed
        assert tree.explore(UNLIMITED, UNLIMITED) == (0, 0), seed
        copies = [unstarted(cover), tree.copy(), pickle.loads(pickle.dumps(tree))]
        for each in [tree, *copies]:
            while not each.counters.any():
                each.explore(1000, 100)
        assert [*map(Subtree.content, copies)] == [tree.content()] * 3, seed
        assert cover.solve(limit=100) == linked.solve(limit=100), seed
        batch = cover.solve_batch(forbidden=[[0]], limit=100)
        assert batch.counts == linked.solve_batch(forbidden=[[0]], limit=100).counts, seed


@pytest.mark.compiled
def test_a_time_limit_ends_the_preparation_of_large_tables():
    items = np.random.default_rng(1).integers(0, 250, (20_000, 4)) + np.arange(0, 1000, 250)
    arrays = np.arange(20_001) * 4, items.ravel(), 1000
    cover = dlx.ExactCover.from_matrix(tuple(arrays), algorithm="bitset")
    count, estimate = partial(cover.count, method="search"), cover.search().estimate
    for call in (cover.first, count, estimate, cover.possible_options):
        with pytest.raises(dlx.Stopped):
            call(seconds=0)
    assert unstarted(cover).build()  # which is not complete


def test_updates_are_the_items_counted():
    # The first node counts the options of a, b and c, and branches on a. Option 0 leaves c with one
    # option. Option 1 leaves b and c with two options each; then option 2 leaves c with one.
    cover = dlx.ExactCover([["a", "b"], ["a"], ["b"], ["c"], ["c", "b"]], algorithm="bitset")
    assert cover.solve() == [[0, 3], [1, 2, 3], [1, 4]]
    assert cover.statistics == (3, 4, 3 + 1 + 2 + 1)


def test_unsupported_problems_are_rejected_before_tables_are_allocated(monkeypatch):
    indptr, indices = np.arange(10**5 + 1), np.arange(10**5) % 100
    with pytest.raises(ValueError, match=r"bitmaps of 100,000 options .* take 1.3 GB.*; use links"):
        dlx.ExactCover.from_matrix((indptr, indices, 100), algorithm="bitset").search()
    monkeypatch.setattr(bitmaps, "MAX_OPTIONS_PER_ITEM", 2)
    with pytest.raises(ValueError, match="an item has 3 options, more than 2; use links"):
        dlx.ExactCover([["a"]] * 3, algorithm="bitset").first()
    assert dlx.ExactCover([["a"]] * 2, algorithm="bitset").first() == [0]


def test_auto_chooses_links_for_short_searches_and_other_problems(monkeypatch):
    many = [["a", "b", 0], *(["ab"[k % 2], k] for k in range(1, 200))]
    secondary = list(range(200))

    def chosen(n_options=200, **keywords):
        cover = dlx.ExactCover(many[:n_options], secondary=secondary[:n_options], **keywords)
        assert cover.algorithm == "auto"
        return cover.search().algorithm

    assert chosen(9) == chosen() == "links"
    monkeypatch.setattr(prepared, "TRIAL_UPDATES", 300)
    monkeypatch.setattr(prepared, "MIN_TRIAL_UPDATES", 300)
    monkeypatch.setattr(algorithms, "UPDATES_PER_NODE", 0)
    assert chosen() == "bitset"
    assert with_costs(dlx.ExactCover(many, secondary=secondary).cheapest()) == [(1, [0])]
    assert chosen(multiplicity={"a": (1, 2)}) == "bitset"
    assert chosen(costs=[1] * 200) == "links"
    monkeypatch.setattr(algorithms, "MAX_TABLE_BYTES", 200 * 200 // 8)  # there are 201 items
    assert chosen() == "links"


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", ["queens12", "langford11", "pent3x20", "random40", "sudoku17m1", "queendom8.mcc"]
)
def test_auto_chooses_bitmaps_for_long_searches(name):
    assert instance(name).search().algorithm == "bitset"
    assert instance(name, algorithm="links").search().algorithm == "links"


@pytest.mark.compiled
@pytest.mark.processes
@pytest.mark.thorough
@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="Linux on x86-64 only"
)
@pytest.mark.parametrize("cpu", ["haswell", "x86-64-v2"])
def test_older_processors_find_the_covers_of_links(cpu, tmp_path):
    environment = {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}
    environment["DLX_NUMBA_CACHE_DIR"] = str(tmp_path)  # kernels are compiled
    test = f"{__file__}::{test_larger_problems_have_the_covers_of_links.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", test]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)
