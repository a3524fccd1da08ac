"""Programs that host the library: threads, signals, and conditions to stop."""

import os
import signal
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress


class HandlerError(Exception):
    """Raised by handlers of signals in these tests."""


_is_armed = False  # else the handler of alarms does nothing: one may come after its timer has ended


@contextmanager
def alarms(seconds, handler, interval=1.0):
    """Let SIGALRM call `handler()` after some seconds, if not 0, and then in intervals.

    It is repeated because Python ignores an exception that arrives in a finalizer. The limit of the
    test uses the same timer, and continues at the end.
    """
    limit = signal.setitimer(signal.ITIMER_REAL, 0)
    previous = signal.signal(signal.SIGALRM, lambda number, frame: _is_armed and handler())
    try:
        arm(seconds, interval)
        yield
    finally:
        disarm()
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # discards an alarm that is still pending
        signal.signal(signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, *limit)


def arm(seconds, interval=1.0):
    """Let the alarm come after some seconds, if not 0, and then in intervals."""
    global _is_armed
    _is_armed = True
    signal.setitimer(signal.ITIMER_REAL, seconds, interval)


def disarm():
    """Turn off the alarm, also if it comes right now."""
    global _is_armed
    while True:
        try:
            _is_armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        except Exception:  # of the handler
            pass


def alarm():
    """Send the alarm now, and then each second, from any thread; the main thread handles it."""
    signal.setitimer(signal.ITIMER_REAL, 1e-6, 1)


def interrupt_after(seconds, function):
    """Call a function that the handler `raise_error` may interrupt; return its result, or None.

    The handler must be set by `alarms(0, raise_error)`.
    """
    result = None
    try:
        arm(seconds)
        result = function()
        disarm()
    except HandlerError:  # perhaps after the function has returned
        pass
    disarm()
    return result


def interrupted_results(rng, call, is_done, longest=0.002):
    """Call a function with interruptions until a condition is true; return its results.

    The intervals, of up to `longest` seconds at first, grow, so any machine gets to the end.
    """
    results = []
    with alarms(0, raise_error):
        while not is_done():
            results.append(interrupt_after(rng.uniform(1e-5, longest), call))
            longest *= 1.02
    return [result for result in results if result is not None]


def raise_error():
    """Raise the exception of these tests."""
    raise HandlerError


class SetAfter:
    """A condition to stop that is true from the n-th question on."""

    def __init__(self, n):
        self.n_left = n

    def is_set(self):
        self.n_left -= 1
        return self.n_left < 0


def in_threads(n_threads, function):
    """Call `function(k)` in threads that start together, and return the results by k."""
    start = threading.Barrier(n_threads)

    def call(k):
        start.wait()
        return function(k)

    with ThreadPoolExecutor(n_threads) as pool:
        return [*pool.map(call, range(n_threads))]


@contextmanager
def running(function):
    """Call a function in a thread while the block runs; yield a list with its result at the end.

    If the block fails, the thread is not waited for, not even when the process ends.
    """
    results = []

    def call():
        try:
            results.append(function())
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    yield results
    thread.join()


def wait_until(condition):
    """Wait until a condition is true, for at most four minutes: kernels may have to be compiled."""
    end = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def succeeds_in_fork(check):
    """Return whether `check()` is true in a forked process, which has half a minute."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the process has other threads
        child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(30)
        is_right = False
        with suppress(BaseException):
            is_right = check()
        os._exit(0 if is_right else 1)
    return os.waitpid(child, 0)[1] == 0
