"""Sudoku functions whose host ends calls early; scripts/fuzz adds random threads and signals."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.engines.registry import ENGINES
from tests.helpers.hosts import HandlerError, SetAfter, alarms, raise_error

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms"),
]

EMPTY = "." * 81


def test_iterations_end_after_the_last_solution_found():
    event, found = threading.Event(), []
    solutions = dlx.iter_solutions(EMPTY, stop=event)
    found += islice(solutions, 1000)
    event.set()
    with pytest.raises(dlx.Stopped):
        found.extend(solutions)
    assert found == list(islice(dlx.iter_solutions(EMPTY), len(found)))


def test_exceptions_of_handlers_propagate_at_once():
    """A search that would take years ends, with any engine and in any number of threads."""
    for engine in ENGINES.values():
        for threads in (1, 2):
            with pytest.raises(HandlerError), alarms(0.05, raise_error):
                dlx.solve_batch([EMPTY] * 100, None, engine.name, threads=threads)
    assert dlx.solve_batch(["1.....3..4.....2"] * 100, 2).counts.tolist() == [1] * 100


def test_executors_are_not_waited_for_after_a_stop():
    go_on, easy = threading.Event(), ["1.....3..4.....2"] * 10
    with ThreadPoolExecutor(1) as executor:
        try:
            executor.submit(go_on.wait)  # no task of the calls can start
            result = dlx.solve_batch(easy, stop=SetAfter(1), executor=executor)
            assert result.counts.tolist() == [-1] * 10
            with pytest.raises(HandlerError), alarms(0.1, raise_error):
                dlx.solve_batch(easy, executor=executor)
        finally:
            go_on.set()
        assert dlx.solve_batch(easy, executor=executor).counts.tolist() == [1] * 10
