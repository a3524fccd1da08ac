"""Exclusive use of resumable objects, whose work no exception can interrupt halfway."""

import _thread
import os
from collections.abc import Callable
from typing import Any

from .interrupts import ResultT, Stop
from .workers import call_in_thread

HANDOVER_SECONDS = 0.001  # between two checks whether interrupted work has ended


class ExclusiveUse:
    """The right to use an object, which one thread holds at a time.

    A signal handler may raise an exception between any two bytecodes of the main thread. So the
    main thread lets another thread work and hold the lock. An exception then comes neither between
    a kernel call and the storage of its results, nor while the lock is taken or released.

    Parameters
    ----------
    name : str
        The name of the object in error messages.

    Attributes
    ----------
    stop_request : Stop
        A request to end the current or the next work whose stop heeds it, at whose end it is
        withdrawn. Signal handlers can cancel it: it has no lock.
    data_lock : RLock
        Held by the work while it modifies what other threads may read.

    Examples
    --------
    >>> ExclusiveUse("search").run(lambda: 1, Stop())
    1
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.stop_request = Stop()
        self._lock = _thread.allocate_lock()
        self._data_lock = _thread.RLock()
        self._process = os.getpid()
        # The stop of the work in progress, and the process that does it
        self._working: tuple[Stop, int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ExclusiveUse, (self.name,)

    @property
    def data_lock(self) -> _thread.RLock:
        """The lock for reading. It is new after a fork: no thread of the child would release it."""
        if self._process != os.getpid():
            self._data_lock = _thread.RLock()
            self._process = os.getpid()
        return self._data_lock

    def run(self, work: Callable[[], ResultT], stop: Stop) -> ResultT:
        """Run work that modifies the object, and return its result.

        Parameters
        ----------
        work : callable
            It should end soon after `stop` is canceled. What must not be lost if the caller is
            interrupted stays in the object.
        stop : Stop
            Canceled if the caller is interrupted.

        Raises
        ------
        RuntimeError
            If the object is in use by another thread, or by this one.
        BaseException
            What `work` raises, or a signal handler while the main thread waits.
        """

        def do_work() -> ResultT:
            """Work while no other thread does; wait shortly for one whose work is canceled."""
            while not self._lock.acquire(timeout=HANDOVER_SECONDS):
                if self._working is None:  # the other thread is about to begin, or has just ended
                    continue
                current_stop, process = self._working
                # Work that is canceled ends soon, unless a fork has left its thread behind.
                if not current_stop.is_canceled or process != os.getpid():
                    raise RuntimeError(f"the {self.name} is in use by another thread")
            try:
                self._working = stop, os.getpid()
                if stop.is_canceled:
                    raise RuntimeError("the caller was interrupted before the work began")
                return work()
            finally:
                self._working = None
                if stop.request is self.stop_request:  # other work, such as saving, goes to its end
                    self.stop_request.is_canceled = False
                self._lock.release()

        if self.data_lock._is_owned():  # type: ignore[attr-defined]  # a handler interrupts a reader
            raise RuntimeError(f"the {self.name} is in use by this thread")
        try:
            return call_in_thread(do_work)
        except BaseException:
            stop.cancel()
            raise
