"""Searches that are limited, split, interrupted or distributed find each solution once."""

import concurrent.futures
import copy
import multiprocessing
import os
import random
import traceback
from contextlib import suppress
from functools import partial
from itertools import chain, count, product
from types import SimpleNamespace
from unittest import mock

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cover_array import CoverArray
from dlx_numba.kernels.subtree import COUNTERS, Subtree
from dlx_numba.search import executor_runner, thread_runner
from dlx_numba.search import search as search_module
from dlx_numba.search.thread_runner import ThreadRunner
from scripts.fuzzing.covers import resume_searches
from tests.helpers.problems import instance
from tests.helpers.seeds import seeds


def test_runs_splits_threads_and_executors_in_any_order(tmp_path):
    for seed in seeds(1000):
        resume_searches(random.Random(seed), tmp_path)


@pytest.mark.parametrize("other", ["run", "count"])
def test_covers_that_were_counted_are_reported_once_although_another_thread_goes_on(other):
    search = instance("queens8").search()
    use, found = search._use.run, []

    def use_twice(work, stop):
        """Let another thread use the search before the caller has what it has counted."""
        result = use(work, stop)
        search._use.run = use
        found.append(getattr(search, other)(updates=2000))
        return result

    search._use.run = use_twice
    if other == "run":
        n_found = search.count(updates=2000) + len(found[0])
    else:
        with pytest.raises(RuntimeError, match="in use by another thread"):
            search.count(updates=2000)
        n_found = found[0]
    assert 0 < n_found < 92
    assert n_found + search.count() == 92
    assert search.done


@pytest.mark.usefixtures("small_slices")
def test_default_threads_are_all_processors(monkeypatch):
    monkeypatch.setattr(thread_runner, "default_threads", lambda: 3)
    name, explore = "_explore_in_thread", ThreadRunner._explore_in_thread
    with mock.patch.object(ThreadRunner, name, autospec=True, side_effect=explore) as observed:
        for choose in ("smallest", "random"):  # a random search has one thread
            instance("queens8", choose=choose).count(method="search")
            assert observed.call_count == 2  # in addition to the thread of the run


def test_short_searches_start_no_threads_however_slow_the_machine_is(monkeypatch):
    monkeypatch.setattr(thread_runner, "time", SimpleNamespace(perf_counter=count(0, 60).__next__))
    monkeypatch.setattr(ThreadRunner, "_explore_in_thread", None)
    for threads in (None, 2):
        assert instance("queens8").replace(threads=threads).count() == 92


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["queens12", "langford11", "random40", "queendom7.mcc"])
def test_threads_on_larger_instances(name):
    cover = instance(name)
    count = cover.replace(threads=1).count(method="search")
    alone = cover.statistics
    for threads in (2, 5):
        assert cover.replace(threads=threads).count(method="search") == count
        assert cover.statistics == alone


class LateExecutor(concurrent.futures.Executor):
    """Runs its tasks when the call that has submitted them asks whether it should end."""

    def __init__(self):
        self.pending, self.found = [], []

    def submit(self, function, *arguments):
        task = concurrent.futures.Future()
        task.set_running_or_notify_cancel()
        self.pending.append((task, function, arguments))
        return task

    def is_set(self):
        for task, function, arguments in self.pending:
            before = arguments[0].register[COUNTERS].copy()
            subtree = function(*arguments)
            self.found.append((subtree.register[COUNTERS] - before)[0])
            task.set_result(subtree)
        return bool(self.pending)


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["solve", "count"])
def test_a_call_that_is_stopped_returns_what_its_tasks_have_found(monkeypatch, method):
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
    monkeypatch.setattr(executor_runner, "MIN_TASK_SECONDS", 0.001)
    executor, cover = LateExecutor(), instance("queens12")
    with pytest.raises(dlx.Stopped) as stopped:
        getattr(cover.replace(executor=executor), method)(stop=executor)
    found, n_found = stopped.value.partial, sum(executor.found)
    assert n_found > 0
    if method == "count":
        assert found == n_found
    else:
        assert len(found) == 1 + n_found  # the first one is found before there are tasks
        chosen = {*map(tuple, found)}
        assert found == [each for each in cover.solve() if tuple(each) in chosen]


@pytest.mark.slow
@pytest.mark.processes
def test_processes_find_the_same_solutions_and_lose_none_when_they_die(monkeypatch):
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
    monkeypatch.setattr(executor_runner, "MIN_TASK_SECONDS", 0.01)
    cover = instance("langford8")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        assert cover.replace(executor=executor).solve() == cover.solve()
        whole = instance("queens12").search()
        search = instance("queens12").replace(executor=executor).search()
        found = search.run(0.05, solutions=7)
        assert found == whole.run(solutions=len(found))
        assert search.count() == 14200 - len(found) == whole.count()
        search = instance("queens10").replace(executor=executor).search()
        with suppress(concurrent.futures.BrokenExecutor):  # which rejects the second task
            for _ in range(2):
                executor.submit(os._exit, 1)
        with pytest.raises(concurrent.futures.BrokenExecutor):
            search.count()
        n_found = search.progress.solutions
        assert n_found + copy.deepcopy(search).count() == 724  # a copy has no executor


@pytest.mark.compiled
def test_tasks_return_few_solutions(monkeypatch):
    numbers, explore = [], executor_runner.explore

    def recorded(*arguments):
        subtree = explore(*arguments)
        numbers.append(len(subtree.found))
        return subtree

    monkeypatch.setattr(executor_runner, "explore", recorded)
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
    monkeypatch.setattr(executor_runner, "MAX_TASK_COVERS", 100)
    cover = instance("queens12")
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert cover.replace(executor=executor).solve() == cover.solve()
    assert max(numbers) <= 100
    assert sum(numbers) == 14200 - 1  # the first one is found before there are tasks


def test_runs_end_at_their_limits():
    cover = instance("queens8")
    whole, search = cover.solve(), cover.replace(threads=1).search()
    assert search.run(solutions=5) == whole[:5]
    assert search.progress.solutions == 5
    assert search.run(updates=0) == search.run(seconds=0) == search.run(solutions=0) == []
    before = search.progress.updates
    found = search.run(updates=500)
    assert 500 <= search.progress.updates - before < 1000
    assert found == whole[5 : 5 + len(found)]
    assert search.count(solutions=3) == 3
    assert list(search) == whole[8 + len(found) :]
    assert search.done
    assert (search.run(), search.progress.solutions, search.count()) == ([], 92, 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_can_be_stopped_while_it_converts_covers_to_lists(threads, monkeypatch):
    lengths = list[int]()
    tolist = CoverArray.tolist

    def recorded(covers):
        lengths.append(len(covers))
        return tolist(covers)

    monkeypatch.setattr(CoverArray, "tolist", recorded)
    monkeypatch.setattr(search_module, "MAX_ITERATED", 32)
    monkeypatch.setattr(search_module, "MAX_LISTED", 1000)
    cover = dlx.ExactCover([[k] for k in range(9) for _ in range(3)], threads=threads)
    whole = [*product(*(range(3 * k, 3 * k + 3) for k in range(9)))]
    search = cover.search()
    found = search.run(stop=SimpleNamespace(is_set=lambda: len(lengths) == 3))
    assert 3 * 32 <= len(found) == sum(lengths)
    assert [*map(tuple, found + search.run())] == whole
    assert search.done
    assert max(lengths) <= 1 + 1000 // 9


def test_solutions_pushed_back_are_returned_next(tmp_path):
    cover = instance("queens8")
    whole, search = cover.solve(), cover.search()
    assert search.run(solutions=10) == whole[:10]
    search.push_back(whole[4:10])
    assert search.progress.solutions == 4
    search.save(tmp_path / "search")
    search = dlx.Search.load(tmp_path / "search")
    assert search.run(solutions=2) == whole[4:6]
    assert [*chain.from_iterable(search.split(2))] == whole[6:]
    assert search.progress.solutions == 6


def test_a_split_may_find_that_no_work_is_left():
    search = dlx.ExactCover([["a", "b"], ["b", "c"], ["a", "c"]], choose="leftmost").search()
    assert not search.done
    assert search.split(3) == []
    assert search.done


@pytest.mark.usefixtures("small_slices")
def test_a_split_after_a_run_with_threads_returns_at_most_so_many_parts():
    for seed in seeds(30):
        rng = random.Random(seed)
        search = instance("queens8").replace(threads=4).search()
        found = search.run(solutions=rng.randint(0, 40))
        n_parts = rng.randint(1, 6)
        parts = search.split(n_parts)
        assert len(parts) <= n_parts
        for part in parts:
            shares = [each.explored() + each.remaining() for each in part.subtrees]
            assert sum(shares) == pytest.approx(1 if shares else 0)
        assert sorted([*found, *chain.from_iterable(parts)]) == sorted(instance("queens8").solve())


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("method", ["split", "explore"])
def test_error_in_a_thread_is_raised(method, monkeypatch):
    monkeypatch.setattr(Subtree, method, mock.Mock(side_effect=MemoryError("out of memory")))
    search = instance("queens8").replace(threads=3).search()
    with pytest.raises(MemoryError, match="out of memory"):
        search.count()
    monkeypatch.undo()
    assert search.progress.solutions + search.count() >= 92


@pytest.mark.parametrize(
    "keywords", [{}, {"algorithm": "bitset"}, {"multiplicity": {"a": (1, 2)}}], ids=repr
)
def test_few_frames_lie_between_a_public_method_and_the_kernel(keywords, monkeypatch):
    cover = dlx.ExactCover([["a"], ["a"], ["b"]], **keywords)
    alone = cover.replace(threads=1)
    depths = []
    owner, name = type(cover.search().subtrees[0]), "_find"
    if not keywords:
        owner, name = type(cover._named.plain.narrow), "search"
    find, package = getattr(owner, name), os.path.dirname(dlx.__file__)

    def observed(*arguments):
        frames = traceback.extract_stack()
        depths.append(sum(frame.filename.startswith(package) for frame in frames))
        return find(*arguments)

    monkeypatch.setattr(owner, name, observed)
    monkeypatch.setattr(thread_runner, "ALONE_UPDATES", 1 << 60)  # no further threads
    search = partial(alone.count, method="search")
    for call in (cover.solve, cover.first, cover.count, search):
        depths.clear()
        call()
        assert max(depths) <= (6 if keywords or call is search else 2)
