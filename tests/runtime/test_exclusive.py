"""Exclusive use: one user at a time, and work that exceptions do not interrupt."""

import copy
import math
import os
import pickle
import random
import threading

import pytest

from dlx_numba.runtime.exclusive import ExclusiveUse
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.hosts import (
    HandlerError,
    alarm,
    alarms,
    interrupt_after,
    raise_error,
    running,
    succeeds_in_fork,
    wait_until,
)
from tests.helpers.seeds import instances, seeded


def test_result_and_error_reach_the_caller():
    use = ExclusiveUse("object")
    assert use.run(lambda: 1, Stop()) == 1
    with pytest.raises(ZeroDivisionError):
        use.run(lambda: 1 / 0, Stop())
    assert use.run(lambda: 2, Stop()) == 2


def test_a_second_user_is_rejected():
    use, has_begun, may_end = ExclusiveUse("object"), threading.Event(), threading.Event()

    def work():
        has_begun.set()
        may_end.wait()

    with running(lambda: use.run(work, Stop())):
        has_begun.wait()
        with pytest.raises(RuntimeError, match="the object is in use by another thread"):
            use.run(lambda: None, Stop())
        may_end.set()
    assert use.run(lambda: 3, Stop()) == 3
    with pytest.raises(RuntimeError, match="in use"):
        use.run(lambda: use.run(lambda: None, Stop()), Stop())


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_does_not_wait_for_threads_that_it_lacks():
    use, has_begun, may_end = ExclusiveUse("object"), threading.Event(), threading.Event()

    def work():
        with use.state_lock:
            has_begun.set()
            may_end.wait()

    def can_read():
        with use.state_lock, pytest.raises(RuntimeError, match="in use"):
            use.run(lambda: None, Stop())
        return True

    with running(lambda: use.run(work, Stop())):
        has_begun.wait()
        try:
            assert succeeds_in_fork(can_read)
        finally:
            may_end.set()


def test_a_stop_request_is_cleared_by_the_run_that_it_ends():
    use, seen = ExclusiveUse("object"), []
    use.stop_request.cancel()
    for _ in range(2):
        stop = Stop(event=use.stop_request)
        use.run(lambda stop=stop: seen.append(stop()), stop)
    assert seen == [True, False]


def test_interrupted_work_is_complete():
    """Each unit of work that has begun is stored, whenever the exception comes."""
    rng = random.Random(seeded(5))
    use, begun, stored = ExclusiveUse("object"), [], []

    def run_work(k):
        def work():
            begun.append(k)
            n_checks = rng.randrange(1000) if k % 2 else math.inf
            while n_checks > 0 and not stop():
                n_checks -= 1
            stored.append(k)
            return True

        stop = Stop()
        return use.run(work, stop)

    with alarms(0, raise_error):
        for k in range(instances(600, 150)):
            result = interrupt_after(rng.uniform(1e-5, 0.001), lambda k=k: run_work(k))
            assert result is None or k % 2
    assert use.run(lambda: stored == begun, Stop())


def test_interruption_cancels_the_work():
    stop = Stop()

    def work():
        alarm()
        wait_until(stop)

    with pytest.raises(HandlerError), alarms(0, raise_error):
        ExclusiveUse("object").run(work, stop)
    assert stop.is_canceled


def test_copies_are_independent():
    use = ExclusiveUse("object")
    use.stop_request.cancel()
    for other in (pickle.loads(pickle.dumps(use)), copy.deepcopy(use)):
        assert other.name == "object"
        assert not other.stop_request.is_set()
