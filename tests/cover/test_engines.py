"""The cheapest covers, sought by HiGHS alone or beside the own search."""

import gc
import pickle
import random
import subprocess
import sys
import threading
from fractions import Fraction
from types import SimpleNamespace

import pytest

import dlx_numba as dlx
from dlx_numba.cover import engines, highs
from dlx_numba.cover.models import build_model
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.problems import best_costs, problem, total_problem
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

pytest.importorskip("highspy")


def hard_problem(seed=1):
    """Return a covering problem that no engine solves at once."""
    rng = random.Random(seed)
    options = [rng.sample(range(60), rng.randint(2, 4)) for _ in range(300)]
    options += [[item] for item in range(60)]
    costs = [rng.randint(1, 100) for _ in range(300)] + [150] * 60
    return dlx.ExactCover.covering(options, costs=costs)


@pytest.mark.slow
def test_engines_agree():
    for seed in seeds(600, 20):
        rng, (cover, expected, *_) = random.Random(seed), (problem, total_problem)[seed % 2](seed)
        k = rng.choice([1, 1, 3])
        costs = best_costs(cover, expected, k)
        # With the algorithm "links", the own search does not begin by finding all covers.
        cover = cover.replace(threads=rng.choice([1, 2]), algorithm="links")
        for engine in ("highs", "both"):
            covers = cover.cheapest(k, engine=engine)
            assert (covers.done, [each.cost for each in covers]) == (True, costs)
            assert all(options in expected for options in covers)
            assert covers.bound == (costs[-1] if costs else None)


def test_an_offered_cover_is_not_taken_for_cheaper_than_it_is():
    # After presolving, HiGHS prices the cover [0, 2, 3] of cost 6 at 3, and proves it so.
    options = ["a", "ab", "a", "cb", "ca"]
    cover = dlx.ExactCover.covering(map(list, options), [1, 3, 3, 2, 2])
    offered = highs.HighsResult([(6, [0, 2, 3])])
    seeker = highs.HighsThread(cover.problem, 1, 1, offered)
    stop = Stop(30)
    with seeker.running(stop.cancel):
        seeker.wait(stop)
    assert seeker.result == highs.HighsResult([(3, [0, 3])], 1, 3, done=True)


def test_a_thread_waits_while_one_that_was_closed_is_still_ending(monkeypatch):
    # HiGHS ignores interrupts while it presolves, for minutes where there are many columns.
    ending = SimpleNamespace(_is_ending=True)
    monkeypatch.setattr(highs, "_running", [ending])
    seeker = highs.HighsThread(dlx.ExactCover([["a"]], costs=[1]).problem, 1, 1)
    with seeker.running(Stop().cancel):
        seeker.wait(Stop(0.1))
        assert not seeker.result.done
        assert not seeker.has_failed
        ending._is_ending = False
        seeker.wait(Stop(30))
    assert seeker.result.done
    assert highs._running == [ending]


def test_problems_with_many_pairs_of_options_are_not_presolved(monkeypatch):
    cover = hard_problem()
    expected = cover.cheapest(engine="own")[0].cost
    monkeypatch.setattr(highs, "MAX_PAIRS", 0)
    assert cover.cheapest(engine="highs")[0].cost == expected
    empty = highs._count_pairs(dlx.ExactCover([]).problem)
    assert (empty, highs._count_pairs(dlx.ExactCover([[0, 1], [0], [1], [1]]).problem)) == (0, 10)


def test_a_call_ends_if_highs_ends_without_a_result(monkeypatch, caplog):
    monkeypatch.setattr(highs.HighsThread, "_cover_of", lambda *_: None)
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b"]], costs=[1, 3, 1])
    with caplog.at_level("INFO"):
        for engine in ("highs", "both"):
            covers = cover.replace(algorithm="links").cheapest(engine=engine)
            assert (covers, covers.bound, covers.done) == ([[0, 2]], 2, True)
    assert "HiGHS ended without a result" in caplog.text


def test_a_larger_problem_is_proven_by_all_engines():
    cover = hard_problem()
    found = {engine: cover.cheapest(engine=engine)[0].cost for engine in ("own", "highs", "both")}
    assert len({*found.values()}) == 1
    cover.cheapest(engine="highs")
    assert cover.statistics.method == "highs"


def test_highs_seeks_by_default_in_large_coverings_and_packings(monkeypatch):
    covering = hard_problem()
    packing = dlx.ExactCover.packing([[k, k + 1] for k in range(60)])
    assert covering.optimizer()._engine == "own"
    monkeypatch.setattr(engines, "MIN_HIGHS_ITEMS", 50)
    assert covering.optimizer()._engine == packing.optimizer()._engine == "both"
    partition = dlx.ExactCover([[k] for k in range(60)] * 2)
    for cover in (covering.replace(threads=1), partition):
        assert cover.optimizer()._engine == "own"
    assert covering.cheapest()[0].cost == covering.cheapest(engine="own")[0].cost
    monkeypatch.setattr(highs, "can_import", lambda name: False)
    assert covering.optimizer()._engine == "own"


def test_highs_pauses_between_runs_and_ends_with_its_optimizer():
    cover, n_threads = hard_problem(2), threading.active_count()
    begun = cover.optimizer(engine="both")
    while not begun.run(seconds=0.01):
        pass
    assert begun.result == cover.cheapest()
    copied = pickle.loads(pickle.dumps(begun))
    assert copied.run()
    assert copied.result[0].cost == begun.result[0].cost
    unfinished = cover.optimizer(engine="highs")
    unfinished.run(seconds=0)
    unfinished.run(seconds=0.001)
    del begun, copied, unfinished
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "HiGHS":
            thread.join(20)
    assert threading.active_count() <= n_threads + 2  # own workers may remain for a moment


def test_a_stopped_call_returns_what_is_known():
    covers = hard_problem().cheapest(engine="highs", seconds=0)
    assert (covers, covers.done) == ([], False)


def test_costs_of_many_digits_have_a_stated_tolerance():
    rng = random.Random(1)
    options = [rng.sample(range(20), 3) for _ in range(80)]
    for weights in ([rng.random() for _ in options], [rng.randrange(10**17) for _ in options]):
        packing = dlx.ExactCover.packing(options, weights)
        best = packing.cheapest(2)
        for engine in ("highs", "both"):
            found = packing.cheapest(2, engine=engine)
            assert found.done
            for cover, exact in zip(found, best, strict=True):
                assert float(cover.cost) == float(sum(Fraction(str(weights[k])) for k in cover))
                assert abs(cover.cost - exact.cost) <= found.tolerance <= 1e-9 * exact.cost


def test_an_unknown_engine_is_rejected():
    with pytest.raises(ValueError, match="engine must be"):
        dlx.ExactCover([["a"]]).cheapest(engine="cbc")


def test_the_command_takes_an_engine():
    text = '{"options": {"x": ["a"], "y": ["a"]}, "costs": [3, 2]}'
    for engine in ("highs", "both"):
        assert invoke("cheapest", "-", "--engine", engine, stdin=text)[0] == "1 |2\n"


@pytest.mark.processes
def test_calls_of_highs_keep_nothing():
    """Not even cycles of references, which would wait for a collection."""
    cover = dlx.ExactCover([["a"], ["a", "b"], ["b"]], costs=[1, 3, 1])

    def call(number):
        for _ in range(number):
            assert cover.cheapest(engine="highs") == [[0, 2]]
        return len(gc.get_objects())

    call(5)
    gc.collect()
    gc.disable()
    try:
        before = call(0)
        assert call(40) < before + 40
    finally:
        gc.enable()


@pytest.mark.slow
def test_a_process_may_exit_while_highs_is_running():
    program = (
        "import random\n"
        "import dlx_numba as dlx\n"
        "rng = random.Random(1)\n"
        "sets = [rng.sample(range(60), 3) for _ in range(800)]\n"
        "weights = [rng.randrange(900, 1000) for _ in sets]\n"
        "optimizer = dlx.ExactCover.packing(sets, weights).optimizer(engine='highs')\n"
        "optimizer.run(seconds=0.3)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_process_may_exit_while_a_program_for_highs_is_stated(monkeypatch):
    may_continue = threading.Event()

    def build(*arguments):
        may_continue.wait()
        return build_model(*arguments)

    monkeypatch.setattr(highs, "build_model", build)
    monkeypatch.setattr(highs, "EXIT_SECONDS", 1e6)
    seeker = highs.HighsThread(hard_problem().problem, 1, 1)
    highs._end_threads()
    assert seeker._thread.is_alive()
    may_continue.set()
    seeker._thread.join()
    assert not seeker.result.done
