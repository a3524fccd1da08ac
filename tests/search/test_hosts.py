"""Searches, counters and builders in programs with threads, signals and requests to stop."""

import _thread
import concurrent.futures
import copy
import os
import pickle
import random
from contextlib import suppress
from functools import partial
from itertools import chain
from unittest.mock import Mock

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.bitset import subtree
from dlx_numba.runtime import workers
from dlx_numba.search import subproblems
from tests.helpers import hosts
from tests.helpers.seeds import instances, seeded

pytestmark = pytest.mark.compiled

ALGORITHMS = ["links", "bitset"]


def queens(n, algorithm="auto"):
    return dlx.example("queens", n=n).cover(algorithm=algorithm)


def test_a_second_thread_cannot_use_a_search():
    search = queens(20).search()
    methods = [
        search.run,
        search.count,
        partial(search._use_alone, search._cancel_tasks),
        iter(search).__next__,
    ]
    methods += [
        partial(search.split, 2),
        partial(search.push_back, []),
        partial(search.save, "no"),
    ]
    copies = [partial(copied, search) for copied in (pickle.dumps, copy.copy, copy.deepcopy)]
    with hosts.running(search.count):
        hosts.wait_until(lambda: search.counters()[1] > 0)
        for call in (*methods, *copies):
            with pytest.raises(RuntimeError, match="in use by another thread"):
                call()
        search.request_stop()


def test_results_are_taken_only_once(monkeypatch):
    """Another call begins when the work of the first one has ended, but it has not returned."""
    search = queens(8).search()
    run, others = search._use.run, list[list[list[int]]]()

    def run_twice(work, stop):
        run(work, stop)
        monkeypatch.undo()
        others.append(search.run(solutions=1))

    monkeypatch.setattr(search._use, "run", run_twice)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        search.run()
    assert len(others[0]) + len(search.run()) == 92
    assert search.progress.solutions == 92


def test_any_thread_can_look_at_a_running_search():
    search, seen = queens(20).search(), []

    def look():
        progress = search.progress
        assert not search.done
        assert search.progress.solutions <= search.counters()[0]
        assert 0 <= progress.fraction <= 1
        assert progress.seconds > 0 or progress.nodes == 0  # of this run, too: it gives the speed
        seen.append(progress.nodes)
        return len(seen) >= 200 and progress.fraction > 0

    with hosts.running(lambda: search.count()) as results:
        hosts.wait_until(look)
        assert str(search.progress)
        search.request_stop()
    assert seen == sorted(seen)
    assert results == [search.progress.solutions]
    assert search.progress.text.count("/") > 1


@pytest.mark.usefixtures("small_slices")
def test_a_search_survives_a_limit_of_threads(monkeypatch):
    """The threads that were started end before the error is raised."""
    search, n_started = queens(10).replace(threads=8).search(), []

    def start(*arguments):
        if len(n_started) == 2:
            raise RuntimeError("can't start new thread")
        n_started.append(_thread.start_new_thread(*arguments))

    monkeypatch.setattr(workers, "start_new_thread", start)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        search.count()
    monkeypatch.undo()
    search.count()
    assert search.progress.solutions == 724


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("n_threads", [1, 2, None])
def test_stop_ends_a_run_which_can_be_resumed(algorithm, n_threads):
    """Each run is stopped as soon as it has visited a node."""
    cover, found = queens(13, algorithm), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        workers = {"threads": n_threads} if n_threads else {"executor": pool}
        search = cover.replace(**workers).search()
        while not search.done:
            nodes = search.counters()[1]
            with hosts.running(lambda: search.count()) as results:
                hosts.wait_until(lambda: results or search.counters()[1] > nodes)  # noqa: B023
                search.request_stop()
            found += results[0]
        search._use_alone(search._cancel_tasks)
        search.count()  # clears a request that came too late
    assert found == search.progress.solutions == 73712


def test_a_request_to_stop_waits_for_the_next_run(tmp_path):
    """Saving and copying are no runs."""
    search = queens(8).search()
    search.request_stop()
    search.save(tmp_path / "search")
    copy.copy(search)
    assert search.count() == 0
    assert search.count() == 92


def test_stop_ends_an_iteration():
    cover = queens(11)
    search, found = cover.search(), []
    for solution in search:
        found.append(solution)
        if len(found) == 100:
            search.request_stop()
    assert not search.done
    assert found + list(search) == cover.solve()


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_solution_is_lost_whenever_a_handler_raises(algorithm, n_threads):
    cover, rng = queens(11, algorithm).replace(threads=n_threads), random.Random(seeded(11))

    def results_of(search, run):
        return hosts.interrupted_results(rng, run, lambda: search.done)

    for _ in range(instances(10, 1)):
        search = cover.search()
        assert [*chain.from_iterable(results_of(search, search.run))] == cover.solve()
        search = cover.search()
        assert sum(results_of(search, search.count)) == search.progress.solutions == 2680


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_interrupted_iteration_continues(algorithm):
    cover = queens(11, algorithm)
    expected, search, found, calls = cover.solve(), cover.search(), [], []

    def extend():
        calls.append(None)
        found.extend(search)

    hosts.interrupted_results(random.Random(seeded(12)), extend, lambda: search.done)
    # `extend` loses what it has been given if it is interrupted at that moment.
    assert len(expected) - len(calls) <= len(found) <= len(expected)
    remaining = iter(expected)
    assert all(solution in remaining for solution in found)


def test_a_handler_that_raises_ends_any_call():
    count, solve, diagram = dlx.ExactCover.count, dlx.ExactCover.solve, dlx.ExactCover.diagram
    for call, threads in (
        (count, None),
        (partial(count, method="search"), None),
        (solve, None),
        (solve, 2),
        (diagram, None),
    ):
        call(queens(8).replace(threads=threads))
        with pytest.raises(hosts.HandlerError), hosts.alarms(0.05, hosts.raise_error):
            call(queens(20).replace(threads=threads), seconds=30)
    assert queens(8).replace(threads=2).count() == 92


@pytest.mark.parametrize("method", ["auto", "search", "memo"])
def test_interrupted_counters_continue(method):
    rng = random.Random(seeded(13))
    for _ in range(instances(30)):
        counter = queens(11).counter(method)
        hosts.interrupted_results(rng, counter.run, lambda counter=counter: counter.done)
        assert counter.result == 2680


@pytest.mark.parametrize("start", [lambda c: c.counter("memo"), lambda c: c.diagram_builder()])
def test_a_run_continues_after_its_preparation_has_failed(monkeypatch, start):
    work = start(queens(8))
    monkeypatch.setattr(subproblems, "encode_as_bits", Mock(side_effect=MemoryError))
    with pytest.raises(MemoryError):
        work.run()
    monkeypatch.undo()
    assert work.run()


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_continues_to_build_bitmaps(monkeypatch):
    """The thread that builds the next slice does not exist there."""
    monkeypatch.setattr(subtree, "SLICES_AT_START", 0)
    tree = queens(8, "bitset").search().subtrees[0]
    with tree.builder._lock:
        assert hosts.succeeds_in_fork(lambda: tree.explore(1 << 20, 100)[0] == 92)


def is_in_use(work):
    with suppress(RuntimeError):
        return not pickle.dumps(work)
    return True


def test_counters_and_builders_are_stopped_and_observed():
    cover = dlx.example("matchings", graph="K60").cover()
    for work in (cover.counter("memo"), cover.counter("search"), cover.diagram_builder()):
        with hosts.running(work.run):
            hosts.wait_until(lambda: is_in_use(work))  # noqa: B023
            assert str(work)
            assert not work.done
            work.request_stop()
    counter = dlx.example("tilings", region="8x8").cover().counter("memo")
    counter.request_stop()
    assert not counter.run()
    assert counter.run()
    copied = pickle.loads(pickle.dumps(counter))
    assert (copied.result, copied.done) == (counter.result, counter.done) == (12988816, True)


def test_stop_events_end_calls_with_what_is_complete():
    def partial_result(call, n, **keywords):
        with pytest.raises(dlx.Stopped, match="stopped") as stopped:
            call(stop=hosts.SetAfter(n), **keywords)
        return stopped.value.partial

    cover, found = queens(13), []
    everything = cover.solve()
    for threads in (None, 2):
        covers = partial_result(cover.replace(threads=threads).solve, 3)
        assert {*map(tuple, covers)} < {*map(tuple, everything)}
    for method in ("auto", "search"):
        assert 0 <= partial_result(cover.count, 1, method=method) < 73712
    assert partial_result(queens(20).first, 0) is partial_result(cover.diagram, 1) is None
    partial_result(lambda stop: found.extend(cover.iterate(stop=stop)), 50)
    assert 0 < len(found) < 73712
    assert found == everything[: len(found)]


def test_checkpoints_and_parts_keep_what_an_interrupted_count_has_counted(tmp_path):
    search = queens(12).search()
    with suppress(hosts.HandlerError), hosts.alarms(0.005, hosts.raise_error):
        search.count()
    search.save(tmp_path / "search")
    loaded = dlx.Search.load(tmp_path / "search")
    assert sum(part.count() for part in loaded.split(2)) == 14200
    assert loaded.done
    assert search.count() == 14200
