"""Problems that fall apart are solved part by part."""

import pickle
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

import dlx_numba as dlx
from dlx_numba.cover import product as product_module
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.product import CoverProduct
from dlx_numba.kernels import components
from dlx_numba.kernels.cover_array import CoverArray
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import prepared
from tests.helpers.counting import matchings, pigeons
from tests.helpers.hosts import SetAfter
from tests.helpers.orbits import union
from tests.helpers.problems import stated_problem
from tests.helpers.seeds import seeds


@pytest.fixture(autouse=True)
def split_small_problems(monkeypatch):
    monkeypatch.setattr(components, "MIN_ITEMS", 0)


def blocks(number, rng, **settings):
    """Return a problem of random blocks that share no item, whose options are in random order."""
    has_bounds, numbers = number % 3 > 0, range(7 * number, 7 * number + 1 + number % 4)
    problems = [stated_problem(k, "smallest", has_bounds=has_bounds) for k in numbers]
    return union([cover for cover, _ in problems], rng, **settings)


def test_covers_are_the_combinations_of_the_covers_of_parts():
    for seed in seeds(1500):
        rng = random.Random(seed)
        rule = {"choose": ("smallest", "leftmost", "random")[seed % 3], "seed": seed}
        algorithm = rng.choice(["auto", "links", "bitset"])
        cover = blocks(seed, rng, **rule, algorithm=algorithm, presolve=seed % 5 == 0)
        found = cover.solve()
        assert sorted(found) == sorted(cover.search().run())  # the problem as a whole
        assert cover.first() == (found[0] if found else None)
        for limit in (None, rng.randint(0, 2 + len(found))):
            assert cover.solve(limit) == list(cover.iterate(limit)) == found[:limit]
            assert cover.count(limit) == len(found[:limit])


def solve_by_tasks(cover, stop):
    with ThreadPoolExecutor(1) as pool:
        return cover.replace(executor=pool).solve(3, stop=stop)


@pytest.mark.parametrize(
    "call",
    [
        lambda cover, stop: cover.solve(3, stop=stop),
        solve_by_tasks,
        lambda cover, stop: cover.solve(3, order="any", stop=stop),
        lambda cover, stop: cover.count(stop=stop),
        lambda cover, stop: cover.count(method="memo", stop=stop),
    ],
)
def test_parts_are_not_started_after_the_request_to_stop(call, monkeypatch):
    def start(self):
        starts.append(self)
        stop.set()
        return begin(self)

    starts, stop, begin = [], threading.Event(), prepared.PreparedProblem.start
    monkeypatch.setattr(prepared.PreparedProblem, "start", start)
    with pytest.raises(dlx.Stopped):
        call(queens_boards(20), stop)
    assert len(set(starts)) == 1


def test_interrupted_counts_take_the_same_steps():
    for seed in seeds(200):
        rng = random.Random(seed)
        cover, method = blocks(seed, rng), rng.choice(["auto", "search", "memo"])
        at_once, counter, fraction = cover.counter(method), cover.counter(method), 0.0
        at_once.run()
        while not counter.done:
            run(counter, Stop(event=SetAfter(rng.randint(0, 5))))
            counter = pickle.loads(pickle.dumps(counter))
            assert fraction <= counter._fraction <= 1
            fraction = counter._fraction
        assert (counter.counters(), counter.method) == (at_once.counters(), at_once.method)


def test_last_part_varies_fastest():
    options = [["a"], ["b", "c"], ["a"], ["a"], ["b"], ["c"]]
    cover = dlx.ExactCover(options)
    assert cover.solve() == [[0, 1], [0, 4, 5], [1, 2], [2, 4, 5], [1, 3], [3, 4, 5]]
    assert cover.statistics.nodes == 3
    assert dlx.ExactCover(options, given=[2]).solve() == [[1, 2], [2, 4, 5]]


def queens_boards(n_boards):
    """Return the problem of several boards with six queens each, which have four covers."""
    return union([dlx.example("queens", n=6).cover()] * n_boards, random.Random(1))


@pytest.mark.parametrize("method", ["search", "memo", "auto"])
def test_counts_are_products(method):
    cover = queens_boards(20)
    assert (cover.count(10**9), cover.replace(threads=2).count()) == (10**9, 4**20)
    assert queens_boards(40).count(2**70) == 2**70
    counter = cover.counter(method)
    assert counter.run()
    assert (counter.result, counter._fraction) == (4**20, 1)
    assert counter.method == ("memo" if method == "memo" else "search")


def test_runs_continue_and_parts_with_many_covers_are_searched_again(monkeypatch):
    for seed in seeds(300):
        monkeypatch.setattr(product_module, "MAX_KEPT", seed % 3)
        rng = random.Random(seed)
        cover = blocks(seed, rng, choose="leftmost")
        search, found = CoverProduct(named_problem(cover).prepare().components), []
        while not search.done:
            limit = rng.randint(1, 5)
            if rng.random() < 0.2:
                search.request_stop()
            covers = search.run(solutions=limit)
            assert len(covers) <= limit
            found += covers
            assert search.n_found == search.counters()[0] == len(found)
        assert found == cover.solve()


def test_covers_of_an_unfinished_product_are_arrays():
    cover = queens_boards(6)
    search = CoverProduct(named_problem(cover).prepare().components)
    run(search, Stop(), 10)
    covers = search.take()
    assert isinstance(covers, CoverArray)
    assert len(covers) == search.n_found == 10
    assert [*covers, *search.run()] == cover.solve()


def test_stopped_enumerations_have_the_covers_so_far():
    cover, stop = queens_boards(20), threading.Event()
    iterator = cover.iterate(stop=stop)
    found = list(islice(iterator, 100))
    stop.set()
    with pytest.raises(dlx.Stopped):
        next(iterator)
    with pytest.raises(dlx.Stopped) as stopped:
        cover.solve(seconds=0.05)
    for partial in (found, stopped.value.partial):
        assert partial == cover.solve(len(partial))
    assert repr(queens_boards(3).counter()).startswith(
        "<CoverCounter: 0 of 3 components, the next one: 0.00 % "
    )


def test_each_part_has_a_cover_before_any_is_counted():
    for other in (dlx.ExactCover([["a"]], ["a", "b"]), pigeons(5)):
        cover = union([matchings(20), other], random.Random(1))  # 654,729,075 matchings
        for method in ("search", "auto"):
            assert cover.count(method=method) == 0
            assert cover.statistics.updates < 1 << 21


@pytest.mark.parametrize("number", [1, 2])
def test_a_stop_after_the_last_solution_ends_nothing(number):
    stop = threading.Event()
    iterator = dlx.ExactCover([["a"], ["a"]]).iterate(stop=stop)
    found = [next(iterator) for _ in range(number)]
    stop.set()
    if number == 1:
        with pytest.raises(dlx.Stopped, match="stopped after 1 solution"):
            next(iterator)
    else:
        assert [*iterator] == []
        assert found == [[0], [1]]
