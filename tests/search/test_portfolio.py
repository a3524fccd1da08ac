"""The methods that find a first cover."""

import random
from functools import partial

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels.cover_array import CoverArray
from dlx_numba.kernels.dlx.links import INACTIVE
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import portfolio
from dlx_numba.search.portfolio import METHODS, CoverPortfolio
from scripts.fuzzing.covers import find_first_covers
from tests.helpers.counting import pigeons
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import find_covers, instance, problem
from tests.helpers.seeds import seeds


def test_each_method_finds_covers_of_brute_force(tmp_path):
    for seed in seeds(1500, 40):
        find_first_covers(random.Random(seed), tmp_path)


def roster(n=12, n_days=14):
    """Three shifts a day, of which each nurse has about the same number."""
    options = [
        [("nurse", k), ("shift", day, shift), ("day", k, day)]
        + [("rest", k, day + (shift == 2))] * (shift != 1)
        for k in range(n)
        for day in range(n_days)
        for shift in range(3)
        if (k * k + day) % 7
    ]
    bounds = {("nurse", k): (5, 6) for k in range(n)}
    bounds |= {
        ("shift", day, shift): (2 - shift // 2, 3) for day in range(n_days) for shift in range(3)
    }
    secondary = {item for option in options for item in option} - bounds.keys()
    return dlx.ExactCover(options, list(bounds), sorted(secondary), multiplicity=bounds)


def stars(n=14, k=3):
    """Place stars in rows and columns, none beside another."""
    options = [
        [("row", i), ("column", j), *(("block", a, b) for a in (i - 1, i) for b in (j - 1, j))]
        for i in range(n)
        for j in range(n)
    ]
    lines = [(name, i) for name in ("row", "column") for i in range(n)]
    secondary = {item for option in options for item in option} - {*lines}
    return dlx.ExactCover(
        options, lines, sorted(secondary), multiplicity=dict.fromkeys(lines, (k, k))
    )


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("make", "methods"),
    [(roster, METHODS), (stars, METHODS), (stars, ["restarts"]), (partial(pigeons, 13), METHODS)],
)
def test_long_searches_are_avoided_with_any_number_of_threads(make, methods):
    turns = [find_covers(make(), 1, methods, n_threads) for n_threads in (1, 3)]
    one, other = (([*each.take()], each.method, each.counters()) for each in turns)
    assert one == other
    found, method, _ = one
    assert method != "search"
    make().problem.check_covers(found)
    assert len(found) == (make in (roster, stars))
    if methods is METHODS:
        firsts = [make().replace(threads=k).first(engine="own") for k in (1, 3)]
        assert firsts == [*(found or [None]) * 2]


@pytest.mark.compiled
@pytest.mark.parametrize("make", [roster, stars, partial(pigeons, 13)])
def test_a_few_covers_are_found_and_counted_without_a_long_search(make):
    cover = make().replace(threads=1)
    n_covers = cover.count(2)
    assert n_covers == (0 if make not in (roster, stars) else 2)
    assert cover.statistics.method != "search"
    found = cover.solve(2)
    assert len({tuple(each) for each in found}) == n_covers
    cover.problem.check_covers([*map(list, found)])


def test_a_count_of_a_few_covers_is_that_of_all_with_a_limit():
    for seed in seeds(400, 40):
        cover, expected, *_ = problem(seed)
        for limit in (0, 1, 2, 5, 11):
            assert cover.count(limit) == min(limit, len(expected))
            assert cover.solve(limit) == [*cover.iterate(limit)]


@pytest.mark.parametrize("method", ["restarts", "prices"])
def test_pauses_in_large_problems_are_close_and_change_no_cover(monkeypatch, method):
    cover = dlx.example("queens", n=8).cover()
    expected = [*find_covers(cover, 1, [method]).take()]
    sizes, shuffle = [], portfolio.shuffle_options

    def record(links, state, begin, end):
        sizes.append(int((links.size[begin:end] % INACTIVE).sum()))
        shuffle(links, state, begin, end)

    monkeypatch.setattr(portfolio, "shuffle_options", record)
    monkeypatch.setattr(portfolio, "LARGE", 32)
    assert [*find_covers(cover, 1, [method]).take()] == expected
    assert max(sizes, default=0) <= 64
    assert sum(sizes) % len(cover.problem.items) == 0
    assert bool(sizes) == (method == "restarts")


@pytest.mark.compiled
def test_pauses_of_small_problems_are_no_turns():
    """A batch in any order begins with a cover that the method "prices" finds in a few rounds."""
    assert find_covers(roster(), 1, ["prices"], max_rounds=8).take()


def test_restarts_notice_that_a_lesson_needs_more_days_than_are_left():
    slots = [(lesson, day, hour) for lesson in range(4) for day in range(4) for hour in range(6)]
    options = [[k, ("day", k, day), ("hour", day, hour)] for k, day, hour in slots]
    secondary = {entry for option in options for entry in option[1:]}
    cover = dlx.ExactCover(options, range(4), secondary, exactly=dict.fromkeys(range(4), 5))
    found = find_covers(cover, 1, ("restarts",))
    assert (found.done, [*found.take()], found.counters()[1]) == (True, [], 1)


@pytest.mark.compiled
@pytest.mark.parametrize("n_checks", [3, 50])
def test_covers_of_a_stopped_search_are_arrays(monkeypatch, n_checks):
    monkeypatch.setattr(portfolio, "FIRST_UPDATES", 1 << 17)
    monkeypatch.setattr(portfolio, "SLICE_UPDATES", 1 << 10)
    cover = instance("queens12")
    [component] = named_problem(cover).prepare().components
    finder = CoverPortfolio([component], METHODS)
    run(finder, Stop(event=SetAfter(n_checks)), 14_000)
    assert 0 < finder.n_found < 14_000
    covers = finder.take()
    assert isinstance(covers, CoverArray)
    assert len({*map(tuple, covers)}) == finder.n_found
    assert {*map(tuple, covers)} <= {*map(tuple, cover.solve())}
