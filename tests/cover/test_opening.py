"""The plan from which all engines begin, and what they tell each other."""

import itertools
import random
from types import SimpleNamespace

import pytest

import dlx_numba as dlx
from dlx_numba.cover import opening, optimizer
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.penalties import choose_units
from tests.helpers.seeds import seeds

ENGINES = ["own", "highs", "both"]


@pytest.fixture(autouse=True)
def begin_small_problems(monkeypatch):
    pytest.importorskip("highspy")
    monkeypatch.setattr(optimizer, "MIN_NODES", 0)


def roster(rng, most=None):
    """A random roster: costs, penalties, and demands with or without an upper bound."""
    people = range(rng.randint(2, 4))
    options = {
        f"{person} {number}": [("who", person), *rng.sample("abc", rng.randint(1, 3))]
        for person in people
        for number in range(2)
    }
    demand = {item: (rng.randint(1, 3), most) for item in "abc"}
    costs = {name: rng.randint(0, 5) for name in options}
    who = [("who", person) for person in people]
    penalty = {item: rng.randint(1, 6) for item in "abc"}
    keywords = {"costs": costs, "multiplicity": demand, "penalty": penalty, "optional": who}
    return dlx.ExactCover(options, **keywords)


def plans(problem):
    """All plans and their costs, by enumeration; options for what is missing complete them."""
    n_listed = named_problem(problem).names.n_listed
    for size in range(n_listed + 1):
        for chosen in itertools.combinations(range(n_listed), size):
            if check := problem.check(chosen):
                yield check.cost, [*chosen]


def test_no_upper_bound_is_what_can_occur():
    for seed in seeds(40):
        problem = roster(random.Random(seed)).replace(threads=1, algorithm="links")
        best = sorted(plans(problem))[:3]
        for engine in ENGINES:
            covers = problem.cheapest(3, engine=engine)
            assert ([cover.cost for cover in covers], covers.done) == ([c for c, _ in best], True)
        bounded = roster(random.Random(seed), most=4)
        priced = [named_problem(each).priced().problem for each in (problem, bounded)]
        assert priced[0].n_options == priced[1].n_options <= problem.n_options + 6 * 4
        named = named_problem(problem)
        if named.names.penalties is not None and named.names.n_listed == problem.n_options:
            for cost, plan in best:
                options = sorted(choose_units(named.problem, named.names, plan))
                priced[0].check_covers([options])
                assert priced[0].cost[options].sum() == cost


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_begins_with_a_plan(engine):
    problem = roster(random.Random(1))
    search = problem.optimizer(engine=engine)
    search._seek_plan(opening.Stop(5))
    assert len(search.result) == 1
    assert problem.check(search.result[0])
    assert search.result[0].cost == named_problem(problem).cost(search.result[0])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_longer_search_for_a_plan_follows_if_a_short_one_fails(engine, monkeypatch):
    """It runs beside HiGHS, and after the first nodes of the branch and bound."""
    sought = []

    class Opening(opening.Opening):
        def find(self, stop):
            sought.append(stop.seconds_left() < 60)
            return super().find(stop)

    problem = roster(random.Random(1))
    monkeypatch.setattr(opening, "SHORT_UPDATES", 0)
    monkeypatch.setattr(opening, "Opening", Opening)
    search = problem.optimizer(engine=engine)
    search._seek_plan(opening.Stop(60))
    assert (len(search.result), sought) == (0, [])
    search._highs = receiver = Standin() if engine != "own" else None
    search._seek_longer(opening.Stop(60))
    assert problem.check(search.result[0])
    assert sought == [True]
    if receiver is not None:
        assert receiver.offered
        assert receiver.result.covers == ()  # which HiGHS alone changes
    search._highs = None
    assert search.run(60)
    assert search.result[0].cost == problem.cheapest(engine="own")[0].cost


def latin_square(n, n_given, seed):
    """Complete a Latin square of which some cells are given."""
    rng = random.Random(seed)
    rows, columns, symbols = (rng.sample(range(n), n) for _ in range(3))
    cells = [*itertools.product(range(n), repeat=2)]
    given = {cell: symbols[(rows[cell[0]] + columns[cell[1]]) % n] for cell in cells}
    for cell in rng.sample(cells, n * n - n_given):
        del given[cell]
    options = [
        [("cell", i, j), ("row", i, k), ("column", j, k)]
        for (i, j), k in itertools.product(cells, range(n))
        if given.get((i, j), k) == k
    ]
    return dlx.ExactCover(options, costs=[rng.randint(1, 99) for _ in options])


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ENGINES)
def test_other_methods_get_a_turn_if_the_search_of_a_large_problem_fails(engine, monkeypatch):
    names = []

    class Portfolio(opening.CoverPortfolio):
        def __init__(self, components, methods, n_threads):
            super().__init__(components, methods, n_threads)
            names.append(methods)

    monkeypatch.setattr(opening, "CoverPortfolio", Portfolio)
    monkeypatch.setattr(opening, "LARGE", 1)
    monkeypatch.setattr(opening, "constructions_for", lambda problem: problem)
    problem = latin_square(30, 522, 1)
    search = problem.optimizer(engine=engine)
    search._seek_plan(opening.Stop())
    assert problem.check(search.result[0])
    last = ("restarts", "prices") if engine == "highs" else ("restarts",)
    assert names == [("search",), last]


@pytest.mark.parametrize("kind", ["packing", "covering"])
@pytest.mark.parametrize("engine", ENGINES)
def test_perfect_packings_and_coverings_are_found_as_exact_covers(kind, engine, monkeypatch):
    """Without a search: a cover of each item exactly once cannot be improved."""
    cells = [*itertools.product(range(4), range(6))]
    dominoes = [[(i, j), (i + a, j + b)] for i, j in cells for a, b in ((0, 1), (1, 0))]
    options = [domino for domino in dominoes if domino[1] in cells]
    problem = getattr(dlx.ExactCover, kind)(options)
    monkeypatch.setattr(optimizer.CoverOptimizer, "_examine", None)
    monkeypatch.setattr(optimizer.CoverOptimizer, "_start_highs", None)
    search = problem.optimizer(engine=engine)
    monkeypatch.undo()
    monkeypatch.setattr(optimizer, "MIN_NODES", 0)
    search._seek_plan(opening.Stop(20))
    assert search.done
    assert (len(search.result[0]), search.result.bound) == (12, 12)
    assert search.method == ("highs" if engine == "highs" else "search")


def test_a_plan_is_known_while_a_perfect_one_is_sought(monkeypatch):
    """No plan covers each of 13 cells exactly once by pairs."""
    problem = dlx.ExactCover.packing([[k, k + 1] for k in range(12)])
    search = problem.optimizer(engine="own")
    known = []
    monkeypatch.setattr(opening.Opening, "find", lambda *_: known.append(search.result))
    search._seek_plan(opening.Stop())
    assert known == [search.result]
    assert problem.check(search.result[0])


def longer_search(monkeypatch):
    """Return an optimizer that awaits a longer search for a plan, and the calls of that search."""
    monkeypatch.setattr(opening, "SHORT_UPDATES", 0)
    search = dlx.ExactCover(SETS, costs=range(len(SETS))).optimizer(engine="own")
    search._seek_plan(opening.Stop())
    calls = []
    monkeypatch.setattr(opening.Opening, "find", lambda *_: calls.append(1))
    return search, calls


def test_a_stopped_longer_search_for_a_plan_is_resumed(monkeypatch):
    search, calls = longer_search(monkeypatch)
    stopped = opening.Stop(0)
    for stop, n_calls in ((stopped, 1), (stopped, 2), (opening.Stop(), 3), (opening.Stop(), 3)):
        search._seek_longer(stop)
        assert len(calls) == n_calls


def test_no_plan_is_sought_after_the_end(monkeypatch):
    search, calls = longer_search(monkeypatch)
    monkeypatch.setattr(optimizer.CoverOptimizer, "done", True)
    search._seek_longer(opening.Stop())
    assert not calls


def test_the_cheaper_one_of_two_plans_is_shown():
    problem = dlx.ExactCover.covering(SETS, [3, 2, 3, 2, 3, 2, 4, 2])
    search = problem.optimizer(engine="highs")
    for known, found in ((9, 7), (7, 9)):
        search._known = Standin(covers=[(known, [0])]).result
        search._highs = Standin(covers=[(found, [1])])
        assert [cost for cost, _ in search.best().covers] == [7]


def test_a_costlier_plan_of_highs_replaces_no_known_one():
    from dlx_numba.cover.highs import HighsThread

    highs = HighsThread.__new__(HighsThread)
    highs.on_cover = lambda: None
    highs.result = Standin(covers=[(1, [3]), (7, [0])], n_proven=1).result
    for found, best in ((9, 7), (5, 5)):
        highs._cover_of = lambda _, cost=found: (cost, [1])
        highs._improve(SimpleNamespace(data_out=SimpleNamespace(mip_solution=[])))
        assert [cost for cost, _ in highs.result.covers] == [1, best]


def test_covers_are_given_to_many_components_in_parts():
    """Each part is given once, also if a stop comes between them."""
    rng = random.Random(1)
    options = [[4 * k + item for item in pair] for k in range(50) for pair in ((0, 1), (2, 3))]
    options += [[item] for item in range(200)]
    problem = dlx.ExactCover(options, costs=[rng.randint(1, 9) for _ in options])
    best = problem.cheapest()[0]
    search = problem.optimizer(engine="own")
    search._create_components(opening.Stop())
    search._offer(Standin(covers=[(best.cost, [*best])]).result)
    stops = iter([False] * 20 + [True])
    search._pass_on(lambda: next(stops))
    assert not search.result
    search._pass_on(opening.Stop())
    assert search.result[0].cost == best.cost


class Standin:
    """A thread of HiGHS that has found something, and keeps what it is offered."""

    def __init__(self, **found):
        from dlx_numba.cover.highs import HighsResult

        self.result = HighsResult(**found)
        self.offered = None


SETS = [[1, 2], [2, 8], [5, 6], [6, 7], [9, 10], [1, 9], [3, 4, 7], [3, 5]]


@pytest.mark.parametrize("kind", ["packing", "covering"])
def test_covers_and_bounds_are_exchanged_for_all_signs(kind):
    problem = getattr(dlx.ExactCover, kind)(SETS, [3, 2, 3, 2, 3, 2, 4, 2])
    best = problem.cheapest(engine="own")
    sign = -1 if kind == "packing" else 1
    value = sign * best[0].cost
    search = problem.optimizer(engine="both")
    search._create_components(opening.Stop())
    assert not search.done
    # from HiGHS: its cover, and then its bound, which ends the search
    search._exchange(Standin(covers=[(value, [*best[0]])], bound=value - 3), search._components)
    search._pass_on(opening.Stop())
    assert (search.result, search.done) == (best, False)
    assert search.result.bound == best[0].cost - sign * 3
    search._exchange(Standin(covers=[(value, [*best[0]])], bound=value), search._components)
    assert search.done
    assert search.result.bound == best[0].cost
    # from the branch and bound: its cover
    receiver = Standin()
    search._exchange(receiver, search._components)
    assert sorted(receiver.offered) == [*best[0]]


def halves(n=12):
    """Return seven pairs of halves of some items, each of which covers all of them."""
    rng = random.Random(1)
    chosen = [sorted(rng.sample(range(n), n // 2)) for _ in range(7)]
    return [half for one in chosen for half in (one, sorted({*range(n)} - {*one}))]


@pytest.mark.parametrize("engine", ENGINES)
def test_one_cheapest_plan_is_not_all_that_are_wanted(engine):
    options = halves()
    packing = dlx.ExactCover.packing(options, weights=[6] * len(options))
    for cover in (dlx.ExactCover.covering(options), packing):
        best = cover.cheapest(3, engine=engine)
        assert (len(best), len({each.cost for each in best}), best.done) == (3, 1, True)


def test_large_costs_are_compared_exactly():
    options = [*halves(512), range(512)]
    costs = [3 << 56] * 14 + [2 << 56]
    best = dlx.ExactCover.covering(options, costs=costs).cheapest()
    assert (best, best.bound) == ([[14]], 2 << 56)


@pytest.mark.parametrize(
    "changes",
    [
        {"n_proven": -1},
        {"n_proven": 3},
        {"covers": [(5, [2]), (2, [0, 1])], "n_proven": 0},
        {"bound": ""},
        {"error": "1"},
        {"error": -1},
        {"done": "no"},
    ],
)
def test_results_in_modified_files_are_checked(changes):
    from dlx_numba.cover.highs import HighsResult

    problem = dlx.ExactCover([["a"], ["b"], ["a", "b"]], costs=[1, 1, 5]).problem
    result = HighsResult([(2, [0, 1])], 1, 2, done=True)
    assert opening.check_result(problem, [*result]) == result
    with pytest.raises((TypeError, ValueError)):
        opening.check_result(problem, [*result._replace(**changes)])
