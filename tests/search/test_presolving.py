"""Searches that take long are presolved: the same covers, by less work."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from dlx_numba import ExactCover
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import presolving
from dlx_numba.search.exploration import Exploration
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import instance, problem
from tests.helpers.puzzles import parse_one
from tests.helpers.seeds import seeds

COMPILED = pytest.mark.compiled
HARD_ID = (  # of `sgt-unequal 8dx`, 20230122
    "8:0D,5,0,0,0,0,0,0,6,0U,0U,0L,0,0R,0U,0,0R,0,0L,0U,0L,0,0L,0D,0U,0,0R,0R,0,0,0,0,0U,0,"
    "0L,0,0U,0,0D,0L,0,0,0D,0,0U,0D,2,0L,0D,0,0L,0D,0L,0D,0U,0U,0,0,0R,0,0U,0,0R,0,"
)


@pytest.fixture
def at_once(monkeypatch):
    """Presolve each problem soon after its search has begun."""
    monkeypatch.setattr(presolving, "MIN_UPDATES", 1)
    monkeypatch.setattr(presolving, "NODE_UPDATES", 0)
    monkeypatch.setattr(presolving, "WORK_SHARE", 1 << 20)
    monkeypatch.setattr(presolving, "REMOVED_SHARE", 0)


def covers_of(component, n_checks):
    """Return the covers that a search finds when it is interrupted again and again."""
    search = Exploration(component)
    covers = []
    while not search.done:
        covers += search.find_covers(Stop(event=SetAfter(n_checks)), UNLIMITED).covers
        search = pickle.loads(pickle.dumps(search))
    return sorted(covers), search.spec.presolving is not None


@COMPILED
def test_a_presolved_search_has_the_same_covers(at_once):
    n_presolved = 0
    for seed in seeds(2000):
        cover, expected = problem(seed)
        assert sorted(map(list, cover.iterate())) == expected, seed
        counter = cover.replace(presolve=False).counter()
        assert (run(counter, Stop()), counter.result) == (True, len(expected)), seed
        prepared = named_problem(cover.replace(presolve=False)).prepare()
        if len(prepared.components) == 1:
            for n_checks in (3, 1000):
                covers, is_presolved = covers_of(prepared, n_checks)
                assert covers == expected, seed
                n_presolved += is_presolved
    assert n_presolved


@COMPILED
def test_a_puzzle_whose_signs_exclude_many_numbers_is_presolved_by_itself():
    cover = parse_one(f"Unequal: {HARD_ID}", "futoshiki").cover()
    assert cover.count() == len(cover.solve()) == len([*cover.iterate()]) == 1
    assert cover.statistics.updates < 1 << 25
    assert cover.replace(threads=2).count() == 1
    assert cover.first() == cover.solve()[0]


def with_useless_options(n):
    """Return the problem of n queens with as many options that presolving removes."""
    queens = [(r, c, ("d", r + c), ("e", r - c)) for r in range(n) for c in range(n, 2 * n)]
    useless = [(*queen[:2], "u") for queen in queens]
    diagonals = {item for queen in queens for item in queen[2:]}
    return ExactCover([*queens, *useless, ["u", "v"]], optional=sorted(diagonals))


@COMPILED
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["search", "auto"])
@pytest.mark.parametrize("choose", ["smallest", "random"])
def test_a_count_that_is_stopped_after_presolving_loses_nothing(at_once, method, threads, choose):
    counter = with_useless_options(10).replace(choose=choose, threads=threads).counter(method)
    [component] = counter._open
    run(component, Stop(), 50_000)
    is_presolved = component.search.spec.presolving is not None
    assert (is_presolved, component.count > 0, component.done) == (True, True, False)
    results = [component.count]
    while not component.done:
        run(component, Stop(), 50_000 * (1 + len(results)))
        component = pickle.loads(pickle.dumps(component))
        results.append(component.count)
    assert results == sorted(results)
    assert results[-1] == 724


@COMPILED
def test_workers_do_not_decide_whether_a_search_is_presolved():
    """A second worker soon finds covers, of the option with b, and the first one none for long."""
    rows = [
        [f"h{row}", f"g{column}"]
        for row in range(10)
        for column in range(10)
        if row != 5 or column in (2, 4, 7)
    ]
    excluded = [f"x{k}" for k in range(12)]  # w needs one of them
    options = [["p", "g0"], ["p", "b"], *rows, *(["w", each] for each in excluded)]
    options += [["h5", *excluded, f"y{k}"] for k in range(60)]
    optional = sorted({item for option in options for item in option if item[0] in "gbxy"})
    cover = ExactCover(options, optional=optional)
    expected = cover.replace(threads=1).solve(20, order="search")
    for threads in (2, 4):
        assert cover.replace(threads=threads).solve(20, order="search") == expected
    with ThreadPoolExecutor(1) as executor:
        assert cover.replace(executor=executor).solve(20, order="search") == expected


@COMPILED
def test_a_search_of_which_presolving_removes_little_goes_on():
    cover = instance("pent3x20")
    search = Exploration(named_problem(cover).prepare())
    assert search.count_covers(Stop())
    assert search.spec.presolving is None


@COMPILED
def test_a_search_that_is_saved_keeps_its_problem(at_once):
    search = parse_one(f"Unequal: {HARD_ID}", "futoshiki").cover().search()
    search.run(seconds=0.1)
    assert search.spec.presolving is None
