"""Counts by a memo: known numbers, limits of memory, interrupts, and what implies a search."""

import errno
import math
import os
import pickle
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, product

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover import class_counter, component_counter
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.orbits import OrbitCounter
from dlx_numba.kernels.memo import frontier, item_order, levels, option_sets, potentials
from dlx_numba.kernels.memo import search as memo_search
from dlx_numba.kernels.memo.explore import count_of
from dlx_numba.runtime import resources
from dlx_numba.runtime.interrupts import Stop, complete
from dlx_numba.runtime.job import run
from dlx_numba.search import level_counter, subproblems
from dlx_numba.search.checkpoint import CheckpointError
from dlx_numba.search.subproblems import ORDERS, MemoPortfolio
from dlx_numba.search.thread_runner import Workers
from tests.helpers.counting import (
    latin_squares,
    matchings,
    memo_of,
    narrow_order_of,
    pairs,
    partitions,
    tilings,
)
from tests.helpers.hosts import SetAfter, succeeds_in_fork
from tests.helpers.problems import instance, stated_problem, total_problem
from tests.helpers.seeds import seeds

COMPILED = pytest.mark.compiled


def roster(n, k):
    """Return the problem of n people on n days, each k times."""
    shifts = [[("day", day), ("person", person)] for day in range(n) for person in range(n)]
    return dlx.ExactCover(shifts, exactly=dict.fromkeys(chain.from_iterable(shifts), k))


@pytest.mark.parametrize(
    ("make", "sizes", "expected"),
    [
        *((matchings, (n,), math.prod(range(1, n, 2))) for n in (2, 12)),
        (partitions, (7,), 877),  # OEIS A000110
        *((pairs, (n,), 2**n) for n in (7, 64, 130)),
        *((roster, *known) for known in (((4, 2), 90), ((5, 2), 2040), ((5, 3), 2040))),  # A001499
        (tilings, (6, 6, 2), 6728),  # OEIS A004003
        # Project Euler 161, and TAOCP 7.1.4
        pytest.param(tilings, (12, 9, 3), 20_574_308_184_277_971, marks=COMPILED),
        pytest.param(tilings, (8, 8, 1, 2, 3), 92_109_458_286_284_989_468_604, marks=COMPILED),
    ],
)
def test_known_counts(make, sizes, expected):
    cover = make(*sizes)
    assert cover.count(method="memo") == cover.statistics.solutions == expected
    assert cover.statistics.nodes < 500_000
    if make is pairs:  # the nodes are distinct subproblems
        assert cover.statistics.nodes == sizes[0]


def test_keys_with_equal_options_and_different_items_are_distinguished():
    # After x or y, no option is available; item c is covered only by the first.
    options = [["a", "b", "c"], ["a", "b", "s"], ["a", "s"], ["b", "s"], ["c", "s"]]
    cover = dlx.ExactCover(options, secondary=["s"])
    assert cover.count(method="memo") == cover.count(method="search") == 1


@COMPILED
@pytest.mark.parametrize(
    ("cover", "expected", "memory"),
    [
        *((matchings(18), 34_459_425, memory) for memory in (0, 100_000)),
        *((pairs(n), 2**n, memory) for n in (70, 200) for memory in (0, 1 << 20)),
    ],
)
def test_counts_are_exact_and_become_wider_when_the_memory_is_full(cover, expected, memory):
    problem = cover.problem
    for order in (None, np.arange(problem.n_primary)):
        memo = memo_of(problem, order, memory)
        memo.run(lambda: False)
        assert memo.value == expected
        assert memo.is_frozen == (memory <= 100_000 and expected == 34_459_425)


@pytest.mark.parametrize(
    ("cover", "order", "expected"),
    [(dlx.example("queens", n=9).cover(), None, 352), (pairs(200), np.arange(200), 2**200)],
    ids=["larger", "wider"],
)
def test_a_table_grows_in_several_calls(monkeypatch, cover, order, expected):
    monkeypatch.setattr(memo_search, "SLOTS_PER_SLICE", 512)
    problem, n_growing = cover.search()._spec.problem, 0
    search, at_once = memo_of(problem, order, 1 << 30), memo_of(problem, order, 1 << 30)
    while not search.is_done:
        search.run(SetAfter(3).is_set)
        n_growing += search.growth is not None
    at_once.run(lambda: False)
    assert search.value == at_once.value == expected
    assert search.lookups == at_once.lookups
    assert n_growing > 2


def test_searches_do_not_use_the_memo():
    for cover, limit in ((matchings(8), 1000), (matchings(8).replace(threads=2), None)):
        assert cover.count(limit) == 105
        assert cover.statistics.nodes > 100
        with pytest.raises(ValueError, match="the method 'memo' cannot have a limit or threads"):
            cover.count(limit, method="memo")


def random_problems(seed):
    """Yield random problems with totals, multiplicities and colors, and their covers."""
    yield total_problem(seed)[:2]
    yield stated_problem(seed, "smallest")[:2]


def test_memos_count_totals_and_multiplicities_with_any_memory(monkeypatch):
    monkeypatch.setattr(level_counter, "MIN_BYTES", 0)
    for seed in seeds(2500, 40):
        for number, (cover, expected) in enumerate(random_problems(seed)):
            limited = cover.replace(memory=(None, 3000, 0)[(seed + number) % 3])
            assert limited.count(method="memo") == len(expected)


def test_potentials_of_items_reduce_the_states_of_totals(monkeypatch):
    """All bounds of the totals of random problems are true of all covers, and some are sharper."""
    n_added = 0
    for seed in seeds(1000, 30):
        cover, expected, _ = total_problem(seed)
        problem = cover.problem
        for steps in np.zeros(problem.n_options, np.int64), np.arange(problem.n_options):
            step_of = np.where(problem.has_primary, steps, -1)
            sharp = complete(potentials.sharpen_totals(problem, step_of), Stop())
            low, high, *_ = sharp.totals
            for options in expected:
                assert np.all(
                    (low <= sharp.sum_weights(options)) & (sharp.sum_weights(options) <= high)
                )
            n_added += len(low) - len(problem.totals[0])
    assert n_added > 10
    # Squares of a board with pips; the sum is nearly the largest one
    cells = [*product(range(4), range(4))]
    pairs = [
        (a, b) for a, b in product(cells, cells) if (b[0] - a[0], b[1] - a[1]) in ((0, 1), (1, 0))
    ]
    options = [[a, b] for a, b in pairs for _ in range(4)]
    sums = [m + n for _ in pairs for m, n in product(range(2), range(2))]
    board = dlx.ExactCover(options, totals={"sum": (sums, 14, None)})
    expected, n_states = board.count(method="search"), list[int]()

    def keep(problem, step_of):
        yield
        return problem

    for sharpen in (potentials.sharpen_totals, keep):
        monkeypatch.setattr(frontier, "sharpen_totals", sharpen)
        assert board.count(method="memo") == expected == 36 * math.comb(16, 2) + 36 * 17
        n_states.append(board.statistics.nodes)
    assert 2 * n_states[0] < n_states[1]


@pytest.mark.parametrize("min_rows", [1, 4, 1000])
def test_tasks_of_an_executor_share_a_memo(min_rows, monkeypatch):
    monkeypatch.setattr(level_counter, "MIN_ROWS", min_rows)
    monkeypatch.setattr(level_counter, "MIN_BYTES", 0)
    with ThreadPoolExecutor(2) as pool:
        for seed in seeds(1000, 10):
            for number, (cover, expected) in enumerate(random_problems(seed)):
                memory = (None, 2000, 0)[(seed + number) % 3]
                shared = cover.replace(executor=pool, threads=None, memory=memory)
                assert shared.count(method="memo") == len(expected)


def test_subproblems_of_tasks_are_distinct_and_counts_exceed_a_word():
    with ThreadPoolExecutor(2) as pool:
        cover = dlx.example("tilings", region="14x14").cover(executor=pool)
        assert cover.count(method="memo") == 112_202_208_776_036_178_000_000
        assert cover.statistics.nodes < 100_000  # 83,031 without an executor
        with pytest.raises(dlx.Stopped) as stopped:
            cover.count(method="memo", seconds=0)
        assert stopped.value.partial == 0


def test_few_items_with_many_options_are_counted_one_by_one():
    cover = dlx.ExactCover([[k % 3] for k in range(6000)])
    assert cover.count() == 2000**3
    assert cover.statistics.nodes == 3
    cover = dlx.ExactCover([["a", "b"], *[["a"], ["b"]] * 2000], algorithm="links")
    assert cover.count(method="search") == 2000**2 + 1
    assert cover.statistics.nodes == 1 + 2000


def component_of(cover):
    """Return the problem of the only component."""
    [component] = named_problem(cover).prepare(Stop()).components
    return component.problem


@pytest.mark.slow
def test_tasks_of_a_memo_that_run_out_of_time_are_continued(monkeypatch):
    monkeypatch.setattr(level_counter, "MIN_ROWS", 8)
    monkeypatch.setattr(levels, "ROWS_PER_SLICE", 20)
    problem, rng = component_of(dlx.example("tilings", region="10x10").cover()), random.Random(0)
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(
            level_counter, "advance", lambda *task: levels.advance(*task[:-1], rng_stop)
        )
        rng_stop = lambda: rng.random() < 0.05  # noqa: E731
        memo, n_runs = level_counter.LevelCounter(problem, 1 << 30, Workers(executor=pool)), 0
        while not memo.done:
            is_limited = n_runs % 3 == 0
            stop = Stop(event=None if is_limited else SetAfter(n_runs))
            run(memo, stop, memo.work + 1 if is_limited else math.inf)
            n_runs += 1
    assert memo.counters()[0] == 258_584_046_368
    assert n_runs > 10


@pytest.mark.slow
def test_counts_in_a_folder_continue_after_any_interruption(monkeypatch, tmp_path):
    monkeypatch.setattr(level_counter, "MIN_ROWS", 1)
    monkeypatch.setattr(level_counter, "THREAD_BYTES", 1)
    monkeypatch.setattr(level_counter, "MIN_BYTES", 0)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it takes most of the time
    n_stopped = 0
    for seed in seeds(2500, 30):
        rng = random.Random(seed)
        monkeypatch.setattr(level_counter, "SAVED_ROWS", rng.choice([1, 5, 50]))
        for cover, expected in random_problems(seed):
            memory, count = rng.choice([0, 1000, 10_000, 1 << 20]), None
            several, n_runs = cover.replace(threads=rng.choice([1, 2])), 0
            while count is None:
                stop = SetAfter(rng.randint(3, 20) + n_runs)
                n_runs += 1
                with suppress(dlx.Stopped):
                    count = several.count(method="memo", folder=tmp_path, memory=memory, stop=stop)
            n_stopped += n_runs - 1
            assert count == len(expected)
            for path in tmp_path.rglob("*.*"):
                assert path.name == level_counter.STATE
                path.unlink()
    assert n_stopped > 10


def test_a_process_that_ends_at_any_point_loses_no_saved_level(monkeypatch, tmp_path):
    cover, expected = dlx.example("tilings", region="10x10").cover(), 258_584_046_368
    monkeypatch.setattr(level_counter, "SAVED_ROWS", 500)
    monkeypatch.setattr(level_counter, "MIN_BYTES", 0)
    saves, rng, n_failures = level_counter.save_file, random.Random(1), 0

    def fail(path, *content):
        """Save, or not, and end before the files that are not needed are removed."""
        number = rng.random()
        if number < 0.6:
            saves(path, *content)
        if number > 0.4:
            raise KeyboardInterrupt

    monkeypatch.setattr(level_counter, "save_file", fail)
    arguments = {"method": "memo", "folder": tmp_path, "memory": 20_000}
    count = None
    while count is None:
        try:
            count = cover.count(**arguments)
        except KeyboardInterrupt:
            n_failures += 1
    assert count == expected
    assert n_failures > 5
    monkeypatch.setattr(level_counter, "save_file", saves)
    assert cover.count(**arguments) == expected


def test_errors_of_a_folder_state_its_path(monkeypatch, tmp_path):
    monkeypatch.setattr(level_counter, "SAVED_ROWS", 0)
    cover, arguments = tilings(4, 4, 2), {"method": "memo", "folder": tmp_path}
    for wrong in ({"folder": tmp_path}, arguments | {"up_to_symmetry": True}):
        with pytest.raises(ValueError, match="folder"):
            cover.count(**wrong)
    with pytest.raises(dlx.Stopped):
        cover.count(**arguments, stop=SetAfter(8))
    with pytest.raises(ValueError, match=r"0: the folder has a count of another problem"):
        tilings(4, 6, 2).count(**arguments)
    other = tilings(4, 6, 2).counter("memo", folder=tmp_path)
    with pytest.raises(ValueError, match="another problem"):
        other.run()
    with pytest.raises(dlx.Stopped):  # though the other one is still there
        cover.count(**arguments, stop=SetAfter(8))
    for path in (tmp_path / "0").glob("*.rows"):
        path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"\d+\.rows: the file is damaged"):
        cover.count(**arguments)
    for path in (tmp_path / "0").glob("*.rows"):
        path.unlink()
    with pytest.raises(ValueError, match=r"\d+\.rows: the file is missing"):
        cover.count(**arguments)
    (tmp_path / "0" / level_counter.STATE).write_bytes(b"no state")
    with pytest.raises(ValueError, match=r"state\.npz: not a saved levels, or the file is damaged"):
        cover.count(**arguments)


@pytest.mark.parametrize("seed", [*seeds(60, 10)])
def test_one_changed_bit_in_a_folder_is_an_error_that_names_the_file(seed, tmp_path):
    rng = random.Random(seed)
    cover, arguments = tilings(6, 6, 2), {"method": "memo", "folder": tmp_path}
    with pytest.raises(dlx.Stopped):
        cover.count(**arguments, stop=SetAfter(rng.randint(15, 30)))
    path = rng.choice(sorted((tmp_path / "0").glob("*.*")))
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    try:
        assert cover.count(**arguments) == 6728
    except ValueError as error:
        assert str(error).startswith(f"{path}: ")  # noqa: PT017  (some bits mean nothing)


def test_a_stop_saves_and_only_one_counter_uses_a_folder(tmp_path):
    cover, arguments = tilings(12, 12, 2), {"method": "memo", "folder": tmp_path}
    n_rows = list[int]()
    for _ in range(4):
        counter = cover.counter(**arguments)
        counter.run(stop=SetAfter(40))
        n_rows.append(counter._open.popitem()[0].memo._state.n_rows)
    assert n_rows == sorted({*n_rows})
    with pytest.raises(CheckpointError, match="0: another count is running in this folder"):
        cover.count(**arguments)
    del counter
    assert cover.count(**arguments) == 53_060_477_521_960_000


def test_a_copy_of_a_counter_continues_in_the_folder_as_soon_as_it_is_free(tmp_path):
    cover, expected = tilings(10, 10, 2), 258_584_046_368
    counter = cover.counter("memo", folder=tmp_path)
    counter.run(stop=SetAfter(40))
    copy = pickle.loads(pickle.dumps(counter))
    shown = copy.counters()
    assert shown == counter.counters() > (0, 0, 0)
    for _ in range(2):  # a run that fails writes nothing
        with pytest.raises(CheckpointError, match="0: another count is running in this folder"):
            copy.run()
    assert not counter.run(stop=SetAfter(10))
    counter.leave_folder()
    assert not copy.run(stop=SetAfter(40))
    assert copy.counters() > shown
    copy.leave_folder()
    for each in (counter, copy, pickle.loads(pickle.dumps(counter))):
        assert (each.run(), each.result) == (True, expected)


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_does_not_share_the_folder(tmp_path):
    """Two processes that did would count some rows of the other one, and miss some of their own."""
    counter = tilings(10, 10, 2).counter("memo", folder=tmp_path)
    counter.run(stop=SetAfter(40))

    def is_refused():
        with pytest.raises(CheckpointError, match="0: another count is running in this folder"):
            counter.run()
        return True

    assert succeeds_in_fork(is_refused)
    assert (counter.run(), counter.result) == (True, 258_584_046_368)


def test_a_folder_stays_the_same_in_another_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counter = tilings(10, 10, 2).counter("memo", folder="count")
    counter.run(stop=SetAfter(40))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    assert (counter.run(), counter.result) == (True, 258_584_046_368)


@pytest.mark.parametrize("method", ["auto", "memo"])
def test_a_counter_that_is_unpickled_has_no_executor(method):
    cover = dlx.example("queens", n=8).cover()
    with ThreadPoolExecutor(2) as pool:
        counter = cover.replace(executor=pool).counter(method)
        counter.run(stop=SetAfter(12))
        copy = pickle.loads(pickle.dumps(counter))
    assert copy.counters() == counter.counters()
    assert (copy.run(), copy.result) == (True, 92)


def test_a_full_disk_names_the_folder(monkeypatch, tmp_path):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(level_counter, "store_rows", fail)
    with pytest.raises(CheckpointError, match="0: No space left on device"):
        tilings(12, 12, 2).count(method="memo", folder=tmp_path, stop=SetAfter(40))
    assert not [*tmp_path.rglob("*.rows")]


def ice(width, height, has_windings):
    """Return the ice states of a torus: two edges lead into each vertex.

    With windings 0, half of the edges between two rows, or two columns, have each direction.
    """
    options, totals = [], {}
    for x, y in product(range(width), range(height)):
        for step, line in (((1, 0), ("column", x)), ((0, 1), ("row", y))):
            there = (x + step[0]) % width, (y + step[1]) % height
            totals.setdefault(line, []).append(len(options))
            options += [[("edge", x, y, step), vertex] for vertex in (there, (x, y))]
    vertices = product(range(width), range(height))
    bounds = {
        name: (dict.fromkeys(edges, 1), len(edges) // 2, len(edges) // 2)
        for name, edges in totals.items()
    }
    exactly = dict.fromkeys(vertices, 2)
    return dlx.ExactCover(options, exactly=exactly, totals=bounds if has_windings else None)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((4, 4), (990, 2970)),
        pytest.param((6, 4), (32_810, 98_466), marks=COMPILED),
        pytest.param((6, 6), (5_482_716, 16_448_400), marks=COMPILED),
    ],
)
def test_ice_states_of_a_torus(size, expected):
    for has_windings, number in zip((True, False), expected, strict=True):
        cover = ice(*size, has_windings)
        assert cover.count(method="memo") == cover.count() == number
        if size == (6, 6):
            cover.count()
            assert cover.statistics.nodes < 500_000  # "auto" has chosen the memo
            diagram = cover.diagram()
            assert diagram.count() == number
            cover.problem.check_covers([*map(list, diagram.sample(10, seed=0))])


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        *enumerate([1, 1, 3, 37], 1),
        pytest.param(5, 1018, marks=COMPILED),
        pytest.param(6, 113_185, marks=COMPILED),
    ],
)
def test_tilings_of_a_square_by_polyominoes_of_its_side_up_to_rotations(n, expected):
    cover = tilings(n, n, n)
    rotations = cover.symmetries("rotate90")
    assert rotations.order == (4 if n > 1 else 1)
    assert cover.count(up_to_symmetry=rotations) == expected


def test_little_memory_suffices_for_counts_of_levels():
    cover, expected = roster(8, 2), 187_530_840  # OEIS A001499
    for memory in (0, 1000, 100_000):
        assert cover.replace(memory=memory).count(method="memo") == expected
        assert cover.statistics.nodes < 2_000_000
    with pytest.raises(dlx.Stopped):
        roster(8, 4).replace(memory=0).count(method="memo", seconds=0.05)


def test_counts_with_multiplicities_become_wider():
    bounds = {"a": (149, 151)} | dict.fromkeys(range(150), (0, None))
    free = dlx.ExactCover([["a", k // 2] for k in range(300)], multiplicity=bounds)
    assert free.count(method="memo") == sum(math.comb(300, n) for n in (149, 150, 151))


def test_counts_of_full_tables_become_wider_when_they_are_merged():
    """The last count of a table may have all bits of its last word."""
    counts = 2**62 - 1, 2**63 - 1
    sections = [np.array([[levels.LIVE, count]], np.uint64) for count in counts]
    [merged] = levels.merge(1, sections, Stop())
    assert count_of(merged[:, 1:]) == sum(counts)


@COMPILED
def test_automatic_choice_gives_up_a_memo_that_is_behind(monkeypatch):
    monkeypatch.setattr(component_counter, "MAX_MEMO_WORK", 0)
    counter = instance("macmahon4x6f").replace(threads=1).counter()
    assert counter.run()
    assert (counter.result, counter.method, counter._order) == (11736, "search", "")


@COMPILED
def test_automatic_choice_leaves_a_memo_that_finds_nothing_again():
    """The memo seems to explore the short branches of this tree faster than the search."""
    size = 12
    squares = [
        (f"r{y}", f"c{x}", f"u{y + x}", f"d{y - x}") for y, x in product(range(size), repeat=2)
    ]
    free = {item for square in squares for item in square[2:]}
    counter = dlx.ExactCover([*squares, *([item] for item in sorted(free))]).counter()
    assert counter.run()
    assert (counter.result, counter.method) == (14200, "search")


@pytest.mark.slow
@COMPILED
def test_automatic_choice_knows_that_wide_levels_take_long():
    counter = instance("queendom8.mcc").counter()
    assert counter.run()
    assert (counter.result, counter.method) == (4860, "search")


def outcome(counter):
    """Return what two counts of the same problem have in common."""
    return counter.result, counter.method, counter._order, counter.counters()


def run_in_steps(counter, n_checks):
    """Interrupt and copy a counter until it is done; what it shows never decreases."""
    counts, fractions = [0], [0.0]
    while not counter.done:
        run(counter, Stop(event=SetAfter(n_checks)))
        counter = pickle.loads(pickle.dumps(counter))
        counts.append(counter.result)
        fractions.append(counter._fraction)
        assert str(counter)
    assert (counts, fractions) == (sorted(counts), sorted(fractions))
    assert fractions.index(1) == len(fractions) - 1
    return outcome(counter)


@COMPILED
@pytest.mark.parametrize(
    ("cover", "method"),
    [
        pytest.param(tilings(8, 8, 2), "planar", id="planar"),
        pytest.param(tilings(6, 8, 4), "memo", id="memo"),
        pytest.param(instance("langford11"), "search", id="search"),
        pytest.param(latin_squares(6), "search", id="classes", marks=pytest.mark.thorough),
    ],
)
def test_the_steps_of_a_count_depend_neither_on_the_clock_nor_on_interrupts(
    cover, method, monkeypatch
):
    at_once = cover.replace(threads=1).counter()
    assert at_once.run()
    assert at_once.method == method
    with_threads = cover.replace(threads=2).counter()
    assert with_threads.run()
    assert outcome(with_threads)[:3] == outcome(at_once)[:3]
    clock = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: 100 * clock())
    assert run_in_steps(cover.replace(threads=1).counter(), 10) == outcome(at_once)


def count_classes(cover, memory):
    """Return a counter of the isomorphism classes of subproblems, from the beginning."""
    counter = cover.replace(threads=1, memory=memory).counter()
    for component in counter._open:
        component.count_classes()
    return counter


@pytest.mark.parametrize(
    ("ratio", "memory"), [(0, None), (0.4, None), (5, 20_000), (math.inf, None)]
)
def test_counts_of_isomorphism_classes_are_resumed(ratio, memory, monkeypatch):
    monkeypatch.setattr(class_counter, "MAX_RATIO", ratio)
    at_once = count_classes(latin_squares(5), memory)
    assert at_once.run()
    assert at_once.result == 161_280
    assert run_in_steps(count_classes(latin_squares(5), memory), 30) == outcome(at_once)


def test_progress_states_how_many_of_the_known_classes_are_counted(monkeypatch):
    monkeypatch.setattr(class_counter, "MAX_RATIO", math.inf)
    [component] = count_classes(instance("queens8"), None)._open
    assert str(component).endswith(", 0 of 1 classes of isomorphic subproblems")
    known = list[tuple[int, ...]]()

    def observe():
        state = component._replacement._n_counted, component._replacement.n_known
        text = f"{state[0]} of {state[1]} classes of isomorphic subproblems"
        assert str(component).endswith(text)
        assert component.fraction == (component.done or state[0] / state[1])
        if state not in known:
            known.append(state)
        return False

    for _ in range(20):
        component._classes.divide()
    component.count_classes()
    run(component, observe)
    assert component.count == 92
    assert {total for counted, total in known if counted} == {21}
    assert (known[0], known[-1]) == ((0, 13), (20, 21))


def test_a_count_stops_after_an_amount_of_work(monkeypatch):
    """A node counts as some updates, as soon as the search has made enough."""
    monkeypatch.setattr(component_counter, "COUNT_UPDATES", 1000)
    monkeypatch.setattr(component_counter, "SAMPLE_UPDATES", 4000)
    [component] = instance("queens8").replace(threads=1).counter()._open
    run(component, Stop(), 20_000)
    _, nodes, updates = component.counters()
    assert (component.technique, nodes, updates) == ("search", 691, 16_412)


def test_preparations_of_a_memo_continue_after_interrupts(monkeypatch):
    monkeypatch.setattr(item_order, "STEPS_PER_SLICE", 8)
    monkeypatch.setattr(item_order, "ITEMS_PER_STEP", 1)
    for name in ("BITS_PER_SLICE", "WORDS_PER_SLICE"):
        monkeypatch.setattr(option_sets, name, 1)
    cover = tilings(4, 6, 2)
    assert narrow_order_of(cover.problem, 5) is None
    for order in ORDERS:
        memo, n_runs = MemoPortfolio(cover.problem, 1 << 20, order), 0
        while not memo.done:
            run(memo, Stop(event=SetAfter(2)))
            n_runs += 1
            assert n_runs < 1000
        assert memo.best.value == 281
        assert n_runs > 5 or order == "given"
        if order == "bandwidth":
            assert np.array_equal(memo.best.order, narrow_order_of(cover.problem))


def test_problems_that_are_too_large_for_a_memo_are_searched():
    cover = dlx.ExactCover([[k] for k in range(50_000)])
    with pytest.raises(ValueError, match="sets of 50,000 bits for 50,000 options are too large"):
        cover.count(method="memo")
    assert cover.count() == 1
    assert dlx.ExactCover([["a"]] * 300, multiplicity={"a": 299}).count() == 300


def test_a_memo_that_turns_out_to_be_too_large_is_given_up(monkeypatch):
    cells = [*product(range(5), range(4))]
    dominoes = [[(r, c), (r + a, c + 1 - a)] for r, c in cells for a in range(2)]
    options = [each for each in dominoes if each[1] in cells] + [[(0, 0)]]
    cover = dlx.ExactCover(options, multiplicity={(0, 0): (2, 2)})
    expected = cover.count()
    monkeypatch.setattr(frontier, "MAX_FRONTIER_BYTES", 1)
    monkeypatch.setattr(component_counter, "MIN_REST", 0)
    with pytest.raises(ValueError, match="too large for a memo"):
        cover.count(method="memo")
    assert cover.count() == expected > 0


def test_levels_replace_a_memo_with_many_subproblems(monkeypatch):
    monkeypatch.setattr(component_counter, "MANY_SUBPROBLEMS", 2000)
    cover, expected = tilings(10, 10, 2).replace(threads=1), 258_584_046_368
    monkeypatch.setattr(subproblems, "ROUNDS", (100,))
    [component] = cover.counter("memo")._open
    work = [0.0]
    while not component.done:
        run(component, Stop(event=SetAfter(20)))
        work.append(component.work)
    assert component.count == expected
    assert work == sorted(work)  # also when the memo is replaced
    assert isinstance(component.memo, level_counter.LevelCounter)
    assert component.memo.order == "bandwidth"
    monkeypatch.setattr(frontier, "MAX_FRONTIER_BYTES", 1)  # the memo continues
    assert cover.count(method="memo") == expected
    monkeypatch.setattr(component_counter, "MAX_HITS", 0)
    [component] = cover.counter("memo")._open
    run(component, Stop())
    assert (component.count, component.memo.order) == (expected, "bandwidth")


@COMPILED
def test_the_order_of_many_covers_is_that_with_most_hits():
    """The explored fractions say nothing before the end."""
    counter = tilings(5, 30, 5).counter("memo")
    assert counter.run()
    assert counter._order == "bandwidth"
    assert counter.counters()[1] < 300_000


def test_a_narrow_order_has_small_boundaries_between_colors():
    """Neighbors on a board of 3 rows have different colors, so they share secondary items."""
    cells = [*product(range(3), range(20))]
    edges = [{(r, c), (r + a, c + 1 - a)} for r, c in cells for a in range(2)]
    options = [
        [cell, *(("edge", k, color) for k, edge in enumerate(edges) if cell in edge)]
        for cell in cells
        for color in range(3)
    ]
    secondary = {item for option in options for item in option[1:]}
    cover = dlx.ExactCover(options, secondary=sorted(secondary))
    assert item_order.boundary_sizes(cover.problem, narrow_order_of(cover.problem)).max() < 20
    assert cover.count(method="memo") == 39_426_691_159_122  # by a transfer matrix
    assert cover.statistics.nodes < 2000


def test_the_free_memory_is_read_once_for_all_parts_of_a_problem(monkeypatch):
    readings = []
    monkeypatch.setattr(resources, "free_memory", lambda: readings.append(1) or 1 << 30)
    cover = dlx.ExactCover([[k] for k in range(100) for _ in range(2)])
    assert cover.count(method="memo") == 2**100
    assert len(readings) == 1


def test_the_progress_has_the_time_of_all_runs():
    cover = dlx.example("queens", n=6).cover()
    stated = named_problem(cover)
    orbits = OrbitCounter(stated.problem, stated.restriction, None)
    for work in (cover.counter(), orbits, cover.diagram_builder()):
        assert work.run()
        assert work.progress.seconds > 0
