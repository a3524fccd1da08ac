"""Exclusive use of resumable objects, whose work no exception can interrupt halfway."""

import _thread
import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from .clock import Clock
from .interrupts import Stop, StopEvent
from .workers import call_in_thread

ResultT = TypeVar("ResultT")

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
        A request to end the current or the next work, at whose end it is withdrawn. Signal handlers
        can cancel it: it has no lock.
    state_lock : RLock
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
        self._state_lock = _thread.RLock()
        self._process = os.getpid()
        self._stop: Stop | None = None  # of the work in progress

    def __reduce__(self) -> tuple[Any, ...]:
        return ExclusiveUse, (self.name,)

    @property
    def state_lock(self) -> _thread.RLock:
        """The lock for reading. It is new after a fork: no thread of the child would release it."""
        if self._process != os.getpid():
            self._state_lock = _thread.RLock()
            self._process = os.getpid()
        return self._state_lock

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
            while not self._lock.acquire(timeout=HANDOVER_SECONDS):
                current = self._stop
                if current is not None and not current.is_canceled:  # otherwise it ends soon
                    raise RuntimeError(f"the {self.name} is in use by another thread")
            try:
                self._stop = stop
                if stop.is_canceled:
                    raise RuntimeError("the caller was interrupted before the work began")
                return work()
            finally:
                self._stop = None
                self.stop_request.is_canceled = False
                self._lock.release()

        try:
            return call_in_thread(do_work)
        except BaseException:
            stop.cancel()
            raise


class Resumable:
    """The base of objects whose work can be stopped and resumed.

    Parameters
    ----------
    name : str
        The name of the object in error messages.
    """

    def __init__(self, name: str) -> None:
        self._use = ExclusiveUse(name)

    def _request_stop(self) -> None:
        """End the current run, or else the next one, from another thread or a signal handler."""
        self._use.stop_request.cancel()

    def _use_alone(self, work: Callable[[], None]) -> None:
        """Do some work as soon as no other thread uses the object, or raise RuntimeError."""
        self._use.run(work, Stop())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the whole state. Raises RuntimeError if another thread modifies it."""
        content = self._use.run(lambda: pickle.dumps(self._state()), Stop())
        return _restore, (type(self), content)

    def _state(self) -> dict[str, Any]:
        """Return the attributes to be pickled."""
        return self.__dict__


class Computation(Resumable, ABC):
    """The base of resumable objects that compute one result.

    One thread at a time can run a computation; its other methods and its properties may be used
    from any thread. An exception that interrupts a run loses nothing: the next run continues.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._clock = Clock()

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the result is complete."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'done, ' * self.done}{self}>"

    def run(self, seconds: float | None = None, stop: StopEvent | None = None) -> bool:
        """Work until the end, for about `seconds`, or until `stop` is set.

        Parameters
        ----------
        seconds : float, optional
            The time limit. A run of less than a millisecond may make no progress.
        stop : StopEvent, optional
            An object with a method `is_set`, such as `threading.Event`, that ends the run within a
            few hundredths of a second after it is set.

        Returns
        -------
        bool
            Whether the result is complete.

        Raises
        ------
        TypeError, ValueError
            If the time limit is not a number or is negative.
        MemoryError
            If the memory for a diagram does not suffice.
        RuntimeError
            If another thread is using the object.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> optimizer = ExactCover([["a"]]).optimizer()
        >>> optimizer.run(seconds=0), optimizer.run(), optimizer.result
        (False, True, [[0]])
        """
        limit = Stop(seconds, stop, self._use.stop_request)
        self._use.run(lambda: self._advance(limit), limit)
        return self.done

    @abstractmethod
    def _advance(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""


def _restore(resumable_class: type[Resumable], content: bytes) -> Resumable:
    """Restore a pickled object."""
    restored = resumable_class.__new__(resumable_class)
    restored.__dict__.update(pickle.loads(content))
    return restored
