"""Counts by a memo: known numbers, limits of memory, interrupts, and what implies a search."""

import math
import os
import pickle
import random
import signal
import time
from collections import Counter
from itertools import chain, combinations

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover import part_counter
from dlx_numba.cover.subproblems import ORDERS, MemoPortfolio
from dlx_numba.kernels.memo import item_order, option_sets
from dlx_numba.kernels.memo import search as memo_search
from dlx_numba.kernels.memo.item_order import finish, narrow_order
from dlx_numba.kernels.memo.search import MemoSearch
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import oracles
from tests.helpers.counting import (
    domino_tilings,
    latin_squares,
    matchings,
    pairs,
    partitions,
    tilings,
)
from tests.helpers.hosts import SetAfter, running, wait_until
from tests.helpers.problems import instance
from tests.helpers.seeds import seeds

COMPILED = pytest.mark.compiled
BELL = [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975]  # OEIS A000110


def count(cover, memory=None):
    return cover.count(method="memo", memory=memory)


@pytest.mark.parametrize(
    "n", [1, 2, 3, *(pytest.param(n, marks=COMPILED, id=str(n)) for n in (4, 5))]
)
def test_domino_tilings(n):
    assert count(tilings(2 * n, 2 * n, 2)) == domino_tilings(n)


@COMPILED
def test_domino_tilings_of_the_largest_board_in_the_literature():
    assert count(tilings(10, 10, 2)) == 258_584_046_368
    assert count(tilings(12, 12, 2)) == 53_060_477_521_960_000


@pytest.mark.thorough
@COMPILED
def test_tetromino_tilings():  # OEIS A263425
    assert count(tilings(6, 8, 4)) == 22_483_347
    assert count(tilings(8, 8, 4)) == 19_077_209_438


@COMPILED
@pytest.mark.parametrize("size", [(9, 12), (12, 9)], ids=str)
def test_tromino_tilings(size):  # Project Euler 161
    assert count(tilings(*size, 3)) == 20_574_308_184_277_971


@COMPILED
def test_pieces_of_up_to_three_cells():  # TAOCP 7.1.4
    cover = tilings(8, 8, 1, 2, 3)
    assert count(cover) == 92_109_458_286_284_989_468_604
    assert cover.statistics.solutions == 92_109_458_286_284_989_468_604
    assert cover.statistics.nodes < 200_000


@pytest.mark.parametrize("n", range(2, 11, 2))
def test_perfect_matchings(n):
    assert count(matchings(n)) == np.prod(np.arange(1, n, 2))


@COMPILED
def test_many_perfect_matchings():
    assert count(matchings(30)) == 6_190_283_353_629_375


@pytest.mark.parametrize(
    "n", [*range(1, 8), *(pytest.param(n, marks=COMPILED, id=str(n)) for n in (8, 9, 10))]
)
def test_partitions_of_a_set(n):
    assert count(partitions(n)) == BELL[n]


@pytest.mark.parametrize("n", [63, 64, 65, 130])
def test_counts_beyond_64_bits(n):
    assert count(pairs(n)) == 2**n


def test_nodes_are_distinct_subproblems():
    cover = pairs(7)
    assert count(cover) == 2**7
    assert cover.statistics == (2**7, 7, 12)


def test_random_problems_have_as_many_covers_as_enumeration_finds():
    for seed in seeds(150):
        cover, expected = oracles.stated_problem(seed, "smallest", has_bounds=False)
        assert count(cover) == len(expected)
        assert cover.count() == len(expected)


def test_keys_with_equal_options_and_different_items_are_distinguished():
    # After x or y, no option is available; item c is covered only by the first.
    options = [["a", "b", "c"], ["a", "b", "s"], ["a", "s"], ["b", "s"], ["c", "s"]]
    cover = dlx.ExactCover(options, secondary=["s"])
    assert count(cover) == cover.count(method="search") == 1


def test_colors():
    options = [[item, (f"s{k}", color)] for item in "abc" for k in range(2) for color in "xy"]
    cover = dlx.ExactCover(options, secondary=["s0", "s1"])
    assert count(cover) == cover.count(method="search") == len(cover.solve())


@pytest.mark.parametrize("order", ["smallest", "given", "bandwidth"])
def test_all_orders_find_the_same_number(order):
    for name, expected in (("langford7", 52), ("queens8", 92)):
        assert instance(name).diagram(order=order).count() == expected


@COMPILED
@pytest.mark.parametrize("memory", [0, 100_000, 1 << 30])
def test_counts_are_exact_when_the_memory_is_full(memory):
    memo = MemoSearch(matchings(18).problem, np.arange(18), memory)
    memo.run(lambda: False)
    assert memo.value == 34_459_425
    assert memo.is_frozen == (memory <= 100_000)
    assert memo.subproblems == 4180 or memo.is_frozen


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("n", [70, 200])
def test_counts_become_wider_when_the_memory_is_full(memory, n):
    for order in (None, np.arange(n)):
        memo = MemoSearch(pairs(n).problem, order, memory)
        memo.run(lambda: False)
        assert memo.value == 2**n


def test_a_count_is_resumed_after_each_subproblem():
    problem = matchings(10).problem
    for order in (None, np.arange(10), finish(narrow_order(problem))):
        memo = MemoSearch(problem, order, 1 << 20)
        fractions = []
        while not memo.is_done:
            memo.run(lambda: False, max_subproblems=memo.subproblems + 1)
            fractions.append(memo.explored())
        assert memo.value == 945
        assert fractions == sorted(fractions)
        assert fractions[-1] == 1


def test_a_table_grows_in_several_calls(monkeypatch):
    monkeypatch.setattr(memo_search, "SLOTS_PER_SLICE", 512)
    search = MemoSearch(dlx.gallery.Queens(9).cover().problem, None, 1 << 30)
    n_growing = 0
    while not search.is_done:
        search.run(SetAfter(3).is_set)
        n_growing += search.growth is not None
    assert search.value == 352
    assert n_growing > 2


def test_counts_become_wider_in_several_calls(monkeypatch):
    monkeypatch.setattr(memo_search, "SLOTS_PER_SLICE", 512)
    memo, n_growing = MemoSearch(pairs(200).search().spec.problem, np.arange(200), 1 << 30), 0
    while not memo.is_done:
        memo.run(SetAfter(3).is_set)
        n_growing += memo.growth is not None
    assert memo.value == 2**200
    assert n_growing > 2


@pytest.mark.parametrize("by_smallest", [False, True])
def test_count_so_far_is_a_lower_bound(by_smallest):
    problem = matchings(10).problem
    memo = MemoSearch(problem, None if by_smallest else np.arange(10), 1 << 20)
    counts = []
    while not memo.is_done:
        memo.run(lambda: False, max_subproblems=memo.subproblems + 1)
        counts.append(memo.count_so_far())
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 945)
    assert len(set(counts)) > 2


def test_counters_are_resumed_after_time_limits():
    counter = matchings(12).counter("memo")
    n_runs = 0
    while not counter.run(seconds=1e-9) and n_runs < 1000:
        n_runs += 1
    assert counter.run()
    assert (counter.done, counter.count) == (True, 10395)
    assert counter.seconds > 0


@COMPILED
@pytest.mark.parametrize("method", ["auto", "memo"])
def test_an_interrupted_counter_continues(method):
    cover = tilings(15, 14, 3)
    pairs(3).count(method="memo")
    counter = cover.counter(method)

    def interrupt():
        wait_until(lambda: counter.fraction > 0)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), running(interrupt):
        counter.run()
    assert 0 < counter.fraction < 1
    assert "% explored" in str(counter)
    assert not counter.run(0.05)
    assert sum(counter.counters()) > 0


def test_searches_do_not_use_the_memo():
    cover = matchings(8)
    for arguments in ({"limit": 1000}, {"threads": 2}, {"method": "search"}):
        assert cover.count(**arguments) == 105
        assert cover.statistics.nodes > 100
    assert cover.search().count() == 105


@pytest.mark.parametrize("arguments", [{"limit": 1}, {"threads": 2}, {"executor": object()}])
def test_memo_and_arguments_that_imply_a_search_are_rejected(arguments):
    with pytest.raises(ValueError, match="the method 'memo' cannot have a limit, threads"):
        matchings(4).count(method="memo", **arguments)


def roster(n, k):
    """Return the problem of n people on n days, each k times, and the number of its covers."""
    shifts = [[("day", day), ("person", person)] for day in range(n) for person in range(n)]
    items = dict.fromkeys(chain.from_iterable(shifts), k)
    counts = Counter({(k,) * n: 1})
    for _ in range(n):
        following: Counter = Counter()
        for left, count in counts.items():
            for chosen in combinations(range(n), k):
                if all(left[person] for person in chosen):
                    following[tuple(m - (p in chosen) for p, m in enumerate(left))] += count
        counts = following
    return dlx.ExactCover(shifts, exactly=items), counts[(0,) * n]


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 2), (5, 3)])
def test_rosters_are_counted_by_a_memo(n, k):
    cover, expected = roster(n, k)
    assert cover.count(method="search") == expected
    n_nodes = cover.statistics.nodes
    assert cover.count(method="memo") == expected
    assert cover.statistics.nodes < n_nodes


@COMPILED
def test_the_memo_is_chosen_for_rosters():
    cover, _ = roster(8, 2)
    counter = cover.counter()
    assert counter.run()
    assert (counter.count, counter.method) == (187530840, "memo")


def test_problems_with_multiplicities_are_counted_with_little_memory():
    for seed in seeds(300):
        rng = random.Random(seed)
        options, bounds, secondary = oracles.random_general_problem(seed)
        problem = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds).problem
        for order in (None, np.array(rng.sample(range(len(bounds)), len(bounds)))):
            memo = MemoSearch(problem, order, 0)
            while not memo.is_done:
                memo.run(lambda: False, max_subproblems=memo.subproblems + rng.randint(1, 5))
            assert memo.value == len(list(oracles.multiple_covers(options, bounds))), seed


def test_counts_with_multiplicities_become_wider():
    free = dlx.ExactCover(
        [["a", k // 2] for k in range(300)],
        [*range(150), "a"],
        multiplicity={"a": (149, 151)} | dict.fromkeys(range(150), (0, None)),
    )
    expected = sum(math.comb(300, n) for n in (149, 150, 151))
    assert free.count(method="memo") == expected > 2**64


def test_given_options_may_cover_all_items():
    cover = dlx.ExactCover([["a"], ["a"]], multiplicity={"a": 2}, given=[0, 1], choose=["a"])
    assert cover.count(method="memo") == 1


def test_multiplicities_beyond_a_byte_need_a_search():
    cover = dlx.ExactCover([["a"]] * 300, multiplicity={"a": 299})
    assert cover.count() == 300
    with pytest.raises(ValueError, match="the multiplicities are too large for a memo"):
        cover.count(method="memo")


def test_invalid_arguments_are_rejected():
    cover = matchings(4)
    with pytest.raises(ValueError, match="method must be one of auto, search, memo, not 'x'"):
        cover.count(method="x")
    with pytest.raises(ValueError, match="method must be one of auto, search, memo, not 'x'"):
        cover.count(limit=1, method="x")
    with pytest.raises(ValueError, match="memory must be 0 or more, or None, not -1"):
        cover.count(memory=-1)
    with pytest.raises(TypeError, match=r"memory must be an integer, or None .*, not 1\.5"):
        cover.count(memory=1.5)


@COMPILED
def test_automatic_choice_uses_the_memo_where_a_search_is_hopeless():
    pairs(3).count(method="memo")
    cover = tilings(8, 8, 2)
    assert cover.count() == 12_988_816
    assert cover.statistics.nodes < 12_988_816


@COMPILED
def test_automatic_choice_gives_up_a_memo_that_is_behind(monkeypatch):
    monkeypatch.setattr(part_counter, "MAX_MEMO_WORK", 0)
    counter = instance("macmahon4x6f").counter(threads=1)
    assert counter.run()
    assert (counter.count, counter.method, counter.order) == (11736, "search", "")


@COMPILED
def test_automatic_choice_searches_where_the_memo_does_not_pay_off():
    cover = instance("queens12")
    count(cover)
    counter = cover.counter(threads=1)
    assert counter.run()
    assert (counter.count, counter.method) == (14200, "search")


def outcome(counter):
    """Return what two counts of the same problem have in common."""
    return counter.count, counter.method, counter.order, counter.counters()


@COMPILED
@pytest.mark.parametrize(
    ("cover", "method"),
    [
        pytest.param(tilings(8, 8, 2), "memo", id="memo"),
        pytest.param(instance("langford11"), "search", id="search"),
        pytest.param(latin_squares(6), "search", id="classes", marks=pytest.mark.thorough),
    ],
)
def test_the_steps_of_a_count_depend_neither_on_the_clock_nor_on_interrupts(
    cover, method, monkeypatch
):
    at_once = cover.counter(threads=1)
    assert at_once.run()
    assert at_once.method == method
    with_threads = cover.counter(threads=2)
    assert with_threads.run()
    assert outcome(with_threads)[:3] == outcome(at_once)[:3]
    clock = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: 100 * clock())
    interrupted, counts, fractions = cover.counter(threads=1), [0], [0.0]
    while not interrupted.done:
        interrupted._advance(Stop(event=SetAfter(10)))
        counts.append(interrupted.count)
        fractions.append(interrupted.fraction)
        assert str(interrupted)
    assert outcome(interrupted) == outcome(at_once)
    assert counts == sorted(counts)
    assert fractions == sorted(fractions)


def test_problems_without_items_or_options():
    assert count(dlx.ExactCover([])) == 1
    assert count(dlx.ExactCover([], items=["a"])) == 0
    assert count(dlx.ExactCover([["s"]], secondary=["s"])) == 1
    assert count(dlx.ExactCover([["a"], ["b"]], items=["a", "b", "c"])) == 0


def test_an_option_may_cover_everything():
    assert count(dlx.ExactCover([range(200)])) == 1


@COMPILED
def test_threads_count_the_same():
    cover = instance("pent6x10r")
    for threads in (None, 2):
        counter = cover.counter(threads=threads)
        assert counter.run()
        assert counter.count == 2339
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        cover.counter(threads=0)


def count_classes(cover, memory=None):
    """Return a counter of the isomorphism classes of subproblems, from the beginning."""
    counter = cover.counter(memory=memory)
    for part in counter._parts:
        part.count_classes()
    return counter


def test_isomorphic_subproblems_are_counted_once(monkeypatch):
    monkeypatch.setattr(part_counter, "DIVISION_SHARE", math.inf)  # no class is counted by a search
    for cover, expected in ((latin_squares(5), 161_280), (matchings(14), 135_135)):
        counter = count_classes(cover)
        assert counter.run()
        assert (counter.count, counter.method) == (expected, "search")
        assert counter.counters()[1] < 200


def test_random_problems_have_as_many_covers_by_isomorphism_classes():
    for seed in seeds(150):
        cover, expected = oracles.stated_problem(seed, "smallest", has_bounds=False)
        counter = count_classes(cover)
        assert counter.run()
        assert counter.count == len(expected)


@pytest.mark.parametrize("share", [1e-9, 0.1, 1e9])
def test_counts_of_isomorphism_classes_are_resumed(share, monkeypatch):
    monkeypatch.setattr(part_counter, "DIVISION_SHARE", share)
    at_once = count_classes(latin_squares(5))
    assert at_once.run()
    counter, counts = count_classes(latin_squares(5)), [0]
    while not counter.done:
        counter._advance(Stop(event=SetAfter(30)))
        counter = pickle.loads(pickle.dumps(counter))
        counts.append(counter.count)
        assert str(counter)
    assert counts == sorted(counts)
    assert counter.count == 161_280
    assert outcome(counter) == outcome(at_once)


@pytest.mark.thorough
@COMPILED
def test_automatic_choice_counts_isomorphic_subproblems_once():
    counter = latin_squares(7).counter()
    assert counter.run()
    assert counter.count == 61_479_419_904_000  # OEIS A002860


def test_classes_are_counted_where_their_memory_is_full():
    counter = count_classes(latin_squares(5), memory=20_000)
    assert counter.run()
    assert counter.count == 161_280


def test_preparations_of_a_memo_continue_after_interrupts(monkeypatch):
    monkeypatch.setattr(item_order, "STEPS_PER_SLICE", 8)
    for name in ("BITS_PER_SLICE", "WORDS_PER_SLICE"):
        monkeypatch.setattr(option_sets, name, 1)
    cover = tilings(4, 6, 2)
    assert finish(narrow_order(cover.problem, 5)) is None
    for order in ORDERS:
        memo, n_runs = MemoPortfolio(cover.problem, order, 1 << 20), 0
        while not memo.is_done:
            memo.run(SetAfter(2).is_set)
            n_runs += 1
            assert n_runs < 1000
        assert memo.best.value == 281
        assert n_runs > 5 or order == "given"
        if order == "bandwidth":
            assert np.array_equal(memo.best.order, finish(narrow_order(cover.problem)))


def test_problems_that_are_too_large_for_a_memo_are_searched():
    cover = dlx.ExactCover([[k] for k in range(50_000)])
    with pytest.raises(ValueError, match="sets of 50,000 bits for 50,000 options are too large"):
        cover.count(method="memo")
    assert cover.count() == 1
