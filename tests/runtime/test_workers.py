"""Worker threads: results, errors, the end of threads, and exceptions of signal handlers."""

import subprocess
import sys
import threading

import pytest

from dlx_numba.runtime.batches import WorkerThreads
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.workers import TaskThreads, call_in_thread
from tests.helpers.hosts import HandlerError, alarm, alarms, in_threads, raise_error, wait_until


def test_errors_are_raised_by_the_waiting_thread():
    threads = TaskThreads(1)
    failing, following = threads.submit(lambda: 1 // 0), threads.submit(lambda: 1)
    with pytest.raises(ZeroDivisionError):
        failing.result()
    assert following.result() == 1
    threads.close()


@pytest.mark.parametrize("cancel", [False, True])
def test_threads_end_after_their_tasks(cancel):
    called, go_on = [], threading.Event()

    def work():
        go_on.wait()
        called.append(threading.get_ident())

    threads = TaskThreads(2)
    tasks = [threads.submit(work) for _ in range(4)]
    wait_until(lambda: threads.tasks.qsize() == 2)
    threads.close(cancel=cancel)
    go_on.set()
    n_called = 2 if cancel else 4
    for task in tasks[:n_called]:
        task.result()
    wait_until(lambda: threads.tasks.qsize() == 1)  # the sign to end, which all threads pass on
    assert len(called) == n_called


def test_threads_end_with_their_owner():
    threads = TaskThreads(2)
    threads.submit(int).result()
    queue = threads.tasks
    del threads
    wait_until(lambda: queue.qsize() == 1)


def test_only_calls_of_the_main_thread_run_in_another_one():
    own = threading.get_ident
    assert call_in_thread(own) != own()
    [idents] = in_threads(1, lambda _: (call_in_thread(own), own()))
    assert idents[0] == idents[1]


def test_exceptions_of_handlers_propagate_while_the_call_goes_on():
    go_on, ended = threading.Event(), []

    def work():
        alarm()
        go_on.wait()
        ended.append(True)

    with pytest.raises(HandlerError), alarms(0, raise_error):
        call_in_thread(work)
    assert not ended
    go_on.set()
    wait_until(lambda: ended)


def test_handlers_that_return_change_nothing():
    calls = []
    with alarms(0.001, lambda: calls.append(1), 0.001):
        assert call_in_thread(lambda: wait_until(lambda: len(calls) > 9) or 7) == 7


@pytest.mark.processes
@pytest.mark.parametrize(
    ("seconds", "wait", "expected"),
    [(600, "main_thread().join()", "ended [1, 2, 3]"), (0.01, "Event().wait()", "[1, 2, 3]")],
    ids=["short", "long"],
)
def test_processes_wait_for_running_tasks_at_exit_but_not_forever(seconds, wait, expected):
    """Calls while the interpreter exits are complete, although new threads would never run then."""
    program = f"""
import builtins, os
from threading import Event, main_thread
from dlx_numba.runtime import workers
from dlx_numba.runtime.exclusive import ExclusiveUse
from dlx_numba.runtime.interrupts import Stop

class AtExit:
    def __del__(self):
        results = [
            workers.call_in_thread(lambda: 1),
            workers.TaskThreads(2).submit(lambda: 2).result(),
            ExclusiveUse("object").run(lambda: 3, Stop()),
        ]
        os.write(1, str(results).encode())

started = Event()
def work():
    started.set()
    {wait}
    print("ended", end=" ", flush=True)
idle, busy = workers.TaskThreads(1), workers.TaskThreads(1)
idle.submit(int).result()
busy.submit(work)
started.wait()
workers.EXIT_SECONDS = {seconds}
builtins.last = AtExit()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


def test_an_exception_ends_the_parts_of_all_threads():
    done, stop = [], Stop()

    def work_on(part):
        done.append(part)
        if part == 100:
            raise ZeroDivisionError
        if part > 100:
            wait_until(lambda: stop.is_canceled)

    with pytest.raises(ZeroDivisionError), WorkerThreads(2, stop) as workers:
        workers.run_parts(work_on, range(1000))
    assert len(done) <= 102
