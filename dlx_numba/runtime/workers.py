"""Worker threads that survive exceptions of signal handlers in the main thread.

Python runs signal handlers in the main thread, between any two instructions. The locks of
`threading` and `concurrent.futures` are Python code, so an exception of a handler can leave them
locked, and then their threads never end. Here, the main thread only calls functions written in C:
it starts threads, puts tasks into a queue, and waits for a lock that each task releases.
"""

import atexit
import os
import sys
import threading
import time
import weakref
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

# How long the main thread waits without handling signals, on systems (Windows) where a signal
# does not end the wait for a lock
WAIT_SECONDS = 0.05
EXIT_SECONDS = 2  # timeout for running tasks when the process exits

ResultT = TypeVar("ResultT")

_busy_workers: set[LockType] = set()  # locked while a task runs
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_busy_workers.clear)


class Task(Generic[ResultT]):
    """A call that another thread executes.

    Parameters
    ----------
    call : callable
        A function without parameters.

    Attributes
    ----------
    has_ended : bool
        Whether the call has ended.
    error : BaseException or None
        The exception of the call.
    """

    def __init__(self, call: Callable[[], ResultT]) -> None:
        self._call = call
        self._result: ResultT
        self.error: BaseException | None = None
        self.has_ended = False
        self._end = allocate_lock()
        self._end.acquire()

    def run(self) -> None:
        """Execute the call, once."""
        try:
            self._result = self._call()
        except BaseException as error:
            self.error = error
        self.has_ended = True
        self._end.release()

    def wait(self, is_late: Callable[[], bool] = lambda: False) -> None:
        """Wait for the end of the call, unless it is late."""
        while not self.has_ended and not is_late():
            self._end.acquire(timeout=WAIT_SECONDS)

    def result(self) -> ResultT:
        """Wait for the end of the call. Return its result or raise its exception."""
        self.wait()
        if self.error is not None:
            raise self.error
        return self._result


class TaskThreads:
    """Threads that execute tasks in the order of their submission.

    The threads are started when tasks are submitted. They do not keep the process from exiting.
    While the interpreter exits, the caller executes the tasks.

    Parameters
    ----------
    n_threads : int
        The maximum number of threads.

    Examples
    --------
    >>> threads = TaskThreads(2)
    >>> tasks = [threads.submit(lambda k=k: k * k) for k in range(4)]
    >>> [task.result() for task in tasks]
    [0, 1, 4, 9]
    >>> threads.close()
    """

    def __init__(self, n_threads: int) -> None:
        self._n_unstarted = n_threads
        self.tasks: SimpleQueue[Any] = SimpleQueue()  # of tasks; anything else ends the threads
        # An exception may keep `close` from being called. In a method `__del__`, Python would
        # ignore the exception of a signal handler; this callback is a function written in C.
        self._closer = weakref.ref(self, self.tasks.put)

    def submit(self, call: Callable[[], ResultT]) -> Task[ResultT]:
        """Add a task, which executes `call`."""
        task = Task(call)
        if sys.is_finalizing():  # a new thread would never run
            task.run()
            return task
        self.tasks.put(task)
        if self._n_unstarted:
            self._n_unstarted -= 1
            start_new_thread(_work, (self.tasks, self._closer))
        return task

    def close(self, *, cancel: bool = False) -> None:
        """End each thread after its task; `cancel` drops the tasks that have not started."""
        with suppress(Empty):
            while cancel:  # until the queue is empty, which raises the exception
                self.tasks.get_nowait()
        self.tasks.put(None)


def call_until(call: Callable[[], ResultT], is_late: Callable[[], bool]) -> Task[ResultT]:
    """Execute a call in another thread. Return its task when it has ended, or is late.

    A call that is late continues to its end.
    """
    threads = TaskThreads(1)
    task = threads.submit(call)
    threads.close()
    task.wait(is_late)
    return task


def call_in_thread(call: Callable[[], ResultT]) -> ResultT:
    """Return the result of a call that no signal handler can interrupt.

    The main thread waits for another thread that executes the call. An exception of a signal
    handler propagates at once, while the call continues to its end.
    """
    is_main = threading.get_ident() == threading.main_thread().ident
    if not is_main or sys.is_finalizing():  # no handler can interrupt this thread
        return call()
    threads = TaskThreads(1)
    try:
        return threads.submit(call).result()
    finally:
        threads.close()


def _work(tasks: SimpleQueue[Any], closer: object) -> None:
    """Execute the tasks of a queue until it yields something else, and leave None for the others.

    This runs in each thread of a `TaskThreads`. At the end of that object's life, the callback of
    `closer`, which the threads keep alive, puts something else into the queue.
    """
    is_busy = allocate_lock()
    while isinstance(task := tasks.get(), Task):
        with is_busy:
            _busy_workers.add(is_busy)
            task.run()
            _busy_workers.discard(is_busy)
        del task  # its result may be large
    tasks.put(None)


@atexit.register
def _wait_for_workers() -> None:
    """Wait for the tasks that an exception has interrupted, which end soon.

    A process must not exit while one of its threads is in the compiler.
    """
    deadline = time.monotonic() + EXIT_SECONDS
    for is_busy in list(_busy_workers):
        is_busy.acquire(timeout=max(0.0, deadline - time.monotonic()))
