"""Exclusive use: one user at a time, and work that exceptions do not interrupt."""

import os
import threading

import pytest

from dlx_numba.runtime.exclusive import ExclusiveUse
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import hosts


def test_an_object_is_not_used_twice_at_a_time():
    """Also by the same thread; tests/search/test_hosts.py has two threads."""
    use = ExclusiveUse("object")
    with pytest.raises(RuntimeError, match="the object is in use by another thread"):
        use.run(lambda: use.run(lambda: None, Stop()), Stop())
    assert use.run(lambda: 3, Stop()) == 3


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("is_canceled", [False, True])
def test_a_forked_process_does_not_wait_for_threads_that_it_lacks(is_canceled):
    use, has_begun, may_end = ExclusiveUse("object"), threading.Event(), threading.Event()
    stop = Stop()

    def work():
        stop.is_canceled = is_canceled
        with use.data_lock:
            has_begun.set()
            may_end.wait()

    def can_read():
        with use.data_lock:
            pass
        with pytest.raises(RuntimeError, match="in use by another thread"):
            use.run(lambda: None, Stop())
        return True

    with hosts.running(lambda: use.run(work, stop)):
        has_begun.wait()
        try:
            assert hosts.succeeds_in_fork(can_read)
        finally:
            may_end.set()


def test_a_handler_that_interrupts_a_reader_does_not_wait_for_it():
    use = ExclusiveUse("object")

    def work():
        with use.data_lock:
            pass

    with use.data_lock, pytest.raises(RuntimeError, match="the object is in use by this thread"):
        use.run(work, Stop())
    use.run(work, Stop())


def test_interruption_cancels_the_work():
    stop = Stop()

    def work():
        hosts.alarm()
        hosts.wait_until(stop)

    with pytest.raises(hosts.HandlerError), hosts.alarms(0, hosts.raise_error):
        ExclusiveUse("object").run(work, stop)
    assert stop.is_canceled
