"""Sudoku functions in programs with threads, signals and events that end calls early."""

import asyncio
import multiprocessing
import os
import random
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from itertools import islice

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.registry import ENGINES
from tests.helpers.hosts import (
    HandlerError,
    SetAfter,
    alarms,
    in_threads,
    interrupt_after,
    raise_error,
)
from tests.helpers.seeds import seeded

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms"),
]

REPETITIONS = 2  # of each test that depends on random moments
N_THREADS = 8
MIN_INTERVAL = 0.01  # seconds between two signals
MAX_REACTION_SECONDS = 5  # the usual time is a hundredth, but machines may be busy
EMPTY = "." * 81
LARGE = Box(4, 4)


@cache
def generated():
    return dlx.generate(3000, seed=1, clues=(20, 30))


@cache
def large():
    return dlx.generate(2, seed=1, box=LARGE)


def arrays(result):
    """Return a result as a list of arrays."""
    if isinstance(result, dlx.Ratings):
        return [result.codes, result.counts, result.solutions, np.array([*result.steps])]
    return [result] if isinstance(result, np.ndarray) else list(result)


def assert_same(result, expected):
    for array, other in zip(arrays(result), arrays(expected), strict=True):
        assert np.array_equal(array, other)


def first_solutions(**arguments):
    """Return the first solutions of an empty board as an array."""
    return np.array(list(islice(dlx.iter_solutions(np.zeros(81, np.uint8), **arguments), 30_000)))


# Each takes about a tenth of a second, in one thread or in several.
CALLS = {
    "solve_batch": lambda **named: dlx.solve_batch(
        np.tile(generated().puzzles, (8, 1)), 2, threads=2, **named
    ),
    "solve_batch in one thread": lambda **named: dlx.solve_batch(
        generated().puzzles, None, "dlx", threads=1, **named
    ),
    "iter_solutions": first_solutions,
    "generate": lambda **named: dlx.generate(2000, seed=2, threads=2, **named),
    "generate in one thread": lambda **named: dlx.generate(
        500, seed=2, threads=1, difficulty="easy", **named
    ),
    "minimize": lambda **named: dlx.minimize(generated().solutions[:1500], threads=2, **named),
    "is_minimal of large boards": lambda **named: dlx.is_minimal(
        large().puzzles, threads=1, box=LARGE, **named
    ),
    "is_minimal": lambda **named: dlx.is_minimal(generated().puzzles, threads=2, **named),
    "rate": lambda **named: dlx.rate(np.tile(generated().puzzles, (8, 1)), threads=2, **named),
    "canonical": lambda **named: dlx.canonical(generated().puzzles, threads=2, **named),
    "canonical forms of large boards": lambda **named: dlx.canonical(
        np.tile(large().solutions, (20, 1)), threads=1, box=LARGE, **named
    ),
}
# This cannot be stopped, but signals arrive.
OTHER_CALLS = {
    "solve_sudoku": lambda: np.array(
        [dlx.solve_sudoku(puzzle) for puzzle in generated().puzzles[:1000]]
    ),
}


@cache
def expected(name):
    return {**CALLS, **OTHER_CALLS}[name]()


@cache
def seconds_of(name):
    expected(name)  # compiled
    begin = time.perf_counter()
    {**CALLS, **OTHER_CALLS}[name]()
    return time.perf_counter() - begin


every_call = pytest.mark.parametrize("name", [*CALLS, *OTHER_CALLS])
every_call_with_stop = pytest.mark.parametrize("name", CALLS)


def is_prefix(partial_result, whole):
    pairs = zip(arrays(partial_result), arrays(whole), strict=True)
    if isinstance(whole, dlx.Ratings):  # the steps are rows of columns
        *pairs, (steps, all_steps) = pairs
        assert np.array_equal(steps, all_steps[:, : steps.shape[1]])
    return all(np.array_equal(array, other[: len(array)]) for array, other in pairs)


def check_stopped(name, call):
    """Call a function that is stopped, or not; check what it presents as complete."""
    try:
        result = call()
    except dlx.Stopped as error:
        stopped = error
    else:
        stopped = None
    if stopped is not None:
        if name != "iter_solutions":
            assert is_prefix(stopped.partial, expected(name))
            assert len(arrays(stopped.partial)[0]) < len(arrays(expected(name))[0])
        return True
    if name.startswith("solve_batch"):
        is_finished = result.counts >= 0
        assert (result.counts[~is_finished] == -1).all()
        for array, other in zip(result, expected(name), strict=True):
            assert np.array_equal(array[is_finished], other[is_finished])
        return not is_finished.all()
    assert_same(result, expected(name))
    return False


@every_call_with_stop
def test_partial_results_are_never_presented_as_complete(name):
    assert check_stopped(name, partial(CALLS[name], stop=SetAfter(0)))
    rng = random.Random(seeded(1))
    for _ in range(REPETITIONS):
        # A condition that is true at one question only ends the call, too.
        for condition in (SetAfter(rng.randint(1, 100)), SetOnce(rng.randint(1, 60))):
            check_stopped(name, partial(CALLS[name], stop=condition))
    assert not check_stopped(name, partial(CALLS[name], stop=threading.Event()))


class SetOnce:
    """A condition to stop that is true at the n-th question, and at no other."""

    def __init__(self, n):
        self.n_left = n

    def is_set(self):
        self.n_left -= 1
        return self.n_left == 0


@every_call_with_stop
def test_events_end_calls_soon(name):
    rng, seconds = random.Random(seeded(2)), seconds_of(name)
    for _ in range(REPETITIONS):
        event, set_times = threading.Event(), []

        def set_event(event=event, set_times=set_times):
            set_times.append(time.perf_counter())
            event.set()

        timer = threading.Timer(rng.uniform(0, seconds), set_event)
        timer.start()
        is_stopped = check_stopped(name, partial(CALLS[name], stop=event))
        end = time.perf_counter()
        timer.cancel()
        assert not is_stopped or end - set_times[0] < MAX_REACTION_SECONDS


def test_iterations_end_after_the_last_solution_found():
    event, found = threading.Event(), []
    solutions = dlx.iter_solutions(EMPTY, stop=event)
    found += islice(solutions, 1000)
    event.set()
    with pytest.raises(dlx.Stopped):
        found.extend(solutions)
    assert len(found) >= 1000
    assert found == list(islice(dlx.iter_solutions(EMPTY), len(found)))


@every_call_with_stop
def test_conditions_need_a_method(name):
    for stop in (True, 1, "stop"):
        with pytest.raises(TypeError, match="stop must have a method is_set"):
            CALLS[name](stop=stop)


@every_call_with_stop
def test_exceptions_of_conditions_propagate(name):
    class Failing:
        def is_set(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        CALLS[name](stop=Failing())
    assert_same(CALLS[name](), expected(name))


@every_call
def test_handlers_that_return_change_nothing(name):
    calls, event = [], threading.Event()

    def handle():
        calls.append(1)
        event.set()  # nothing depends on it

    seconds = max(seconds_of(name) / 10, MIN_INTERVAL)
    while not calls:
        with alarms(seconds, handle, seconds):
            result = {**CALLS, **OTHER_CALLS}[name]()
        assert_same(result, expected(name))


@every_call
def test_handlers_that_raise_leave_the_library_usable(name):
    rng, seconds = random.Random(seeded(3)), seconds_of(name)
    call = {**CALLS, **OTHER_CALLS}[name]
    with alarms(0, raise_error):
        for _ in range(REPETITIONS):
            result = interrupt_after(rng.uniform(1e-5, 1.1 * seconds), call)
            if result is not None:
                assert_same(result, expected(name))
    assert_same(call(), expected(name))


def test_exceptions_of_handlers_propagate_at_once():
    """A search that would take years ends, with any engine and in any number of threads."""
    for name, engine in ENGINES.items():
        if "naive" in name or name == "elimination":
            continue
        for threads in (1, 2):
            with alarms(0.2, raise_error), pytest.raises(HandlerError):
                dlx.solve_batch([EMPTY] * 100, None, engine.name, threads=threads)
    assert dlx.solve_batch(["1.....3..4.....2"] * 100, 2).counts.tolist() == [1] * 100


def test_signals_of_other_processes_and_threads():
    """SIGUSR1 by `os.kill` from a thread, whose handler sets the event."""
    event = threading.Event()
    previous = signal.signal(signal.SIGUSR1, lambda number, frame: event.set())
    try:
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        timer.start()
        result = dlx.solve_batch([EMPTY] * 3, None, threads=2, stop=event)
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, previous)
    assert result.counts.tolist() == [-1] * 3


@pytest.mark.parametrize("executor_class", [ThreadPoolExecutor, ProcessPoolExecutor])
@pytest.mark.processes
def test_executors_are_not_waited_for_after_a_stop(executor_class):
    go_on = threading.Event()
    spawn = {"mp_context": multiprocessing.get_context("spawn")}
    executor = executor_class(1, **spawn if executor_class is ProcessPoolExecutor else {})
    easy = ["1.....3..4.....2"] * 10
    try:
        if executor_class is ThreadPoolExecutor:
            executor.submit(go_on.wait)  # no task of the call can start
        else:
            executor.submit(int).result()  # the process has started
            executor.submit(time.sleep, 3)
        event = threading.Event()
        timer = threading.Timer(0.1, event.set)
        timer.start()
        begin = time.perf_counter()
        assert dlx.solve_batch(easy, stop=event, executor=executor).counts.tolist() == [-1] * 10
        assert time.perf_counter() - begin < 2.5
        with alarms(0.1, raise_error), pytest.raises(HandlerError):
            dlx.solve_batch(easy, executor=executor)
        go_on.set()
        assert dlx.solve_batch(easy, executor=executor).counts.tolist() == [1] * 10
    finally:
        go_on.set()
        executor.shutdown()


@pytest.mark.parametrize("name", ["solve_batch", "generate", "minimize", "rate", "canonical"])
def test_event_loops(name):
    """A time limit under asyncio, with signals."""

    async def serve():
        event = threading.Event()
        call = asyncio.to_thread(check_stopped, name, partial(CALLS[name], stop=event))
        task = asyncio.create_task(call)
        await asyncio.sleep(seconds_of(name) / 2)
        event.set()
        await asyncio.wait_for(task, MAX_REACTION_SECONDS)
        return await asyncio.get_running_loop().run_in_executor(None, CALLS[name])

    with alarms(MIN_INTERVAL, lambda: None, MIN_INTERVAL):
        assert_same(asyncio.run(serve()), expected(name))


def test_all_functions_in_many_threads():
    names = [*CALLS, *OTHER_CALLS]
    for name in names:
        expected(name)

    def work(k):
        rng = random.Random(seeded(4) + k)
        for name in rng.sample(names, REPETITIONS):
            assert_same({**CALLS, **OTHER_CALLS}[name](), expected(name))

    with alarms(0.005, lambda: None, 0.005):
        in_threads(N_THREADS, work)


def test_shared_objects_in_many_threads():
    board = dlx.Board("1.....3..4.....2")
    batch = dlx.solve_batch(generated().puzzles[:50])
    puzzles = generated()
    for _ in range(REPETITIONS):
        ratings = dlx.rate(generated().puzzles[:500])

        def use(k, ratings=ratings):
            rows = np.arange(k, 500, 7)
            return [
                *(dlx.solve_sudoku(board).string(), str(board), board.svg()),
                *(batch.strings(), repr(batch), batch._repr_html_()),
                *(puzzles.strings()[:10], repr(puzzles)),
                *(
                    ratings.strings(),
                    ratings.solutions.tolist(),
                    np.array([*ratings.steps]).tolist(),
                ),
                ratings.take(rows).solutions.tolist() == ratings.solutions[rows].tolist(),
            ]

        results = in_threads(N_THREADS, use)
        assert all(result == use(0) for result in results)
