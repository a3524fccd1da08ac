"""Problems that fall apart are solved part by part."""

import pickle
import random
import threading
from itertools import islice

import pytest

import dlx_numba as dlx
from dlx_numba.cover import product as product_module
from dlx_numba.cover.prepare import prepare
from dlx_numba.cover.product import CoverProduct
from dlx_numba.kernels.components import split_problem
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.search import prepared
from tests.helpers import oracles
from tests.helpers.hosts import SetAfter
from tests.helpers.seeds import seeds


@pytest.fixture(autouse=True)
def split_small_problems(monkeypatch):
    monkeypatch.setattr(prepared, "MIN_ITEMS", 0)


def blocks(number, rng, **settings):
    """Return a problem of random blocks that share no item, whose options are in random order."""
    options, bounds, secondary = [], {}, []
    for k in range(1 + number % 4):
        seed, has_bounds = 7 * number + k, number % 3 > 0
        block, its_bounds, others = oracles.random_general_problem(seed, has_bounds)
        name = f"{k}.{{}}".format
        options += [
            [(name(e[0]), e[1]) if isinstance(e, tuple) else name(e) for e in option]
            for option in block
        ]
        bounds |= {name(item): bound for item, bound in its_bounds.items()}
        secondary += map(name, others)
    items = rng.sample(list(bounds), len(bounds))
    options = rng.sample(options, len(options))
    return dlx.ExactCover(options, items, secondary, multiplicity=bounds, **settings)


def test_covers_are_the_combinations_of_the_covers_of_parts():
    for seed in seeds(1500):
        rng = random.Random(seed)
        rule = {"choose": ("smallest", "leftmost", "random")[seed % 3], "seed": seed}
        algorithm = rng.choice(["auto", "links", "bitset"])
        cover = blocks(seed, rng, **rule, algorithm=algorithm, presolve=seed % 5 == 0)
        found = cover.solve()
        assert sorted(found) == sorted(cover.search().run())  # the problem as a whole
        assert list(cover) == found
        assert cover.first() == (found[0] if found else None)
        assert cover.count() == len(found)
        limit = rng.randint(0, 2 + len(found))
        assert cover.solve(limit) == list(cover.iterate(limit)) == found[:limit]
        assert cover.count(limit) == min(limit, len(found))


@pytest.mark.parametrize(
    "call",
    [
        lambda cover, stop: cover.solve(3, stop=stop),
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
        call(queens_boards(100), stop)
    assert len(set(starts)) == 1


def test_interrupted_counts_take_the_same_steps():
    for seed in seeds(200):
        rng = random.Random(seed)
        cover, method = blocks(seed, rng), rng.choice(["auto", "search", "memo"])
        at_once, counter, fraction = cover.counter(method), cover.counter(method), 0.0
        at_once.run()
        while not counter.done:
            counter._advance(Stop(event=SetAfter(rng.randint(0, 5))))
            counter = pickle.loads(pickle.dumps(counter))
            assert fraction <= counter.fraction <= 1
            fraction = counter.fraction
        assert (counter.counters(), counter.method) == (at_once.counters(), at_once.method)


def test_last_part_varies_fastest():
    options = [["a"], ["b", "c"], ["a"], ["a"], ["b"], ["c"]]
    cover = dlx.ExactCover(options)
    assert cover.solve() == [[0, 1], [0, 4, 5], [1, 2], [2, 4, 5], [1, 3], [3, 4, 5]]
    assert cover.statistics.nodes == 3
    assert dlx.ExactCover(options, given=[2]).solve() == [[1, 2], [2, 4, 5]]


def test_parts_without_a_choice_are_one_part():
    cover = dlx.ExactCover([["a", "s"], ["b"], ["c"], ["d"], ["d"], ["t"]], secondary=["s", "t"])
    [(forced, options, items), (other, *_)] = split_problem(cover.problem)
    assert (forced.n_primary, options.tolist()) == (3, [0, 1, 2])
    assert [cover.items[item] for item in items] == ["a", "b", "c", "s", "t"]
    assert other.n_options == 2


def queens_boards(n_boards, n=6):
    """Return the problem of several boards with n queens each: 4 covers each for n = 6."""
    options = [
        [("row", k, i), ("column", k, j), ("up", k, i + j), ("down", k, i - j)]
        for k in range(n_boards)
        for i in range(n)
        for j in range(n)
    ]
    secondary = {item for option in options for item in option[2:]}
    return dlx.ExactCover(options, secondary=sorted(secondary))


@pytest.mark.parametrize("method", ["search", "memo", "auto"])
def test_counts_are_products(method):
    cover = queens_boards(40)
    assert cover.count(method=method) == 4**40
    assert (cover.count(10**9), cover.count(threads=2)) == (10**9, 4**40)
    assert cover.count(2**70) == 2**70
    counter = cover.counter(method)
    assert counter.run()
    assert counter.count == 4**40
    assert counter.method == ("memo" if method == "memo" else "search")
    assert counter.fraction == 1


def test_runs_continue_and_parts_with_many_covers_are_searched_again(monkeypatch):
    for seed in seeds(300):
        monkeypatch.setattr(product_module, "MAX_KEPT", seed % 3)
        rng = random.Random(seed)
        cover = blocks(seed, rng, choose="leftmost")
        search, found = CoverProduct(prepare(cover).components), []
        while not search.done:
            limit = rng.randint(1, 5)
            if rng.random() < 0.2:
                search.stop()
            covers = search.run(solutions=limit)
            assert len(covers) <= limit
            found += covers
            assert search.solutions == search.counters()[0] == len(found)
        assert found == cover.solve()


def test_stopped_enumerations_have_the_covers_so_far():
    cover, stop = queens_boards(40), threading.Event()
    iterator = cover.iterate(stop=stop)
    found = list(islice(iterator, 100))
    assert len(found[0]) == 240
    stop.set()
    with pytest.raises(dlx.Stopped):
        next(iterator)
    assert found == cover.solve(100)
    with pytest.raises(dlx.Stopped) as stopped:
        cover.solve(seconds=0.05)
    partial = stopped.value.partial
    assert partial == cover.solve(len(partial))
    assert repr(queens_boards(3).counter()).startswith(
        "<CoverCounter: 0 of 3 components, the next one: 0.00 % "
    )


def test_each_part_has_a_cover_before_any_is_counted():
    pairs = [[("p", a), ("p", b)] for a in range(20) for b in range(a)]  # 654,729,075 matchings
    pigeons = [[("q", bird), ("hole", hole)] for bird in range(6) for hole in range(5)]
    items = sorted({item for option in pairs for item in option})
    holes = [("hole", hole) for hole in range(5)]
    for more in ([[("x", 0)]], pigeons):
        birds = [*dict.fromkeys(option[0] for option in more), *[("x", 1)] * (len(more) == 1)]
        cover = dlx.ExactCover([*pairs, *more], [*items, *birds], secondary=holes)
        for method in ("search", "auto"):
            assert cover.count(method=method) == 0
            assert cover.statistics.updates < 1 << 21
