"""Exclusive use of resumable objects, whose work no exception can interrupt halfway."""

import _thread
import os
import pickle
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from .interrupts import Stop
from .workers import Task, may_handle_signals

ResultT = TypeVar("ResultT")

HANDOVER_SECONDS = 0.001  # between two checks whether abandoned work has ended


class StopRequest:
    """A request to end the current or the next run. Setting it takes no lock, so handlers can."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        """Request that the run ends."""
        self._is_set = True

    def clear(self) -> None:
        """Withdraw the request."""
        self._is_set = False

    def is_set(self) -> bool:
        """Return whether the run should end."""
        return self._is_set


class _Use(Task[None]):
    """One use of an object, from the call of a method to its return."""

    def __init__(self, call: Callable[[], None]) -> None:
        super().__init__(call)
        # Taken by the thread that does the work, or that keeps it from being done
        self.claim = _thread.allocate_lock()
        self.is_abandoned = False  # the caller was interrupted
        self.is_over = False  # the caller has received the result

    @property
    def is_free(self) -> bool:
        """Whether another use can begin."""
        return self.is_over or (self.is_abandoned and self.has_ended)

    def run(self) -> None:
        """Do the work, unless it is abandoned before the thread has started."""
        if self.claim.acquire(blocking=False):
            super().run()


class ExclusiveUse:
    """The right to use an object, which one thread holds at a time.

    A signal handler may raise an exception between any two bytecodes of the main thread. So work
    that modifies the object runs in a separate thread while the main thread waits: no exception can
    come between, for example, a kernel call and the storage of its results. Other threads run no
    signal handlers, and do the work themselves.

    Parameters
    ----------
    name : str
        The name of the object in error messages.

    Attributes
    ----------
    stop_request : StopRequest
        Cleared at the end of the work that it concerns.
    lock : lock
        Held while a use begins. Taking it prevents that.
    state_lock : RLock
        Held by the work while it modifies what other threads may read.

    Examples
    --------
    >>> use, found = ExclusiveUse("search"), []
    >>> use.run(lambda: found.append(1), Stop(), lambda: found)
    [1]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.stop_request = StopRequest()
        self._current: _Use | None = None
        self.create_locks()

    def __reduce__(self) -> tuple[Any, ...]:
        return ExclusiveUse, (self.name,)

    def create_locks(self) -> None:
        """Create the locks, also after a fork: a child lacks the threads that held them."""
        self.lock = _thread.allocate_lock()
        self.state_lock = _thread.RLock()

    def require_free(self) -> None:
        """Raise RuntimeError if the object is in use."""
        current = self._current
        if current is not None and not current.is_free:
            raise RuntimeError(f"the {self.name} is in use by another thread")

    def run(self, work: Callable[[], None], stop: Stop, deliver: Callable[[], ResultT]) -> ResultT:
        """Run work that modifies the object, and return its result.

        Parameters
        ----------
        work : callable
            Stores its result in the object. It should end soon after `stop` is canceled.
        stop : Stop
            Canceled if the caller is interrupted.
        deliver : callable
            Removes the result from the object and returns it. It must modify the object in its last
            statement, which calls no function. Then an exception comes either before this
            statement, so the result stays in the object, or not at all.

        Raises
        ------
        RuntimeError
            If the object is in use by another thread, or by this one.
        BaseException
            What `work` raises, or a signal handler while the main thread waits.
        """

        def do_work() -> None:
            self._begin(use)
            try:
                work()
            finally:
                self.stop_request.clear()

        use = _Use(do_work)
        try:
            if may_handle_signals():
                # `threading.Thread.start` waits in Python code, which an exception could break.
                _thread.start_new_thread(use.run, ())
            else:
                use.run()
            use.result()
            result = deliver()
            use.is_over = True
            return result
        except BaseException:
            use.is_abandoned = stop.is_canceled = True
            if not use.claim.acquire(blocking=False):  # the work has begun
                use.wait()
            raise
        finally:
            use.error = None  # it refers to this frame

    def _begin(self, use: _Use) -> None:
        """Make a use the current one, after the work of an abandoned one has ended."""
        while True:
            with self.lock:
                current = self._current
                if current is None or not current.is_abandoned or current.has_ended:
                    self.require_free()
                    self._current = use
                    _used.add(weakref.ref(self, _used.discard))
                    return
            time.sleep(HANDOVER_SECONDS)


# The objects whose locks threads may hold. A WeakSet has callbacks in Python, which would ignore
# the exceptions of signal handlers.
_used: set[weakref.ref[ExclusiveUse]] = set()


def _create_locks() -> None:
    for reference in _used:
        if (use := reference()) is not None:
            use.create_locks()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_create_locks)


class Resumable:
    """The base of objects whose work can be stopped and resumed.

    Parameters
    ----------
    name : str
        The name of the object in error messages.
    """

    def __init__(self, name: str) -> None:
        self._use = ExclusiveUse(name)

    def stop(self) -> None:
        """End the current run, from another thread or from a signal handler.

        The run returns what it has found, within a few hundredths of a second, and can be resumed.
        If no run is in progress, the next one returns at once.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.stop()
        >>> search.run(), search.done
        ([], False)
        >>> search.run(), search.done
        ([[0, 2], [1, 2]], True)
        """
        self._use.stop_request.set()

    def _use_alone(self, work: Callable[[], None]) -> None:
        """Do some work as soon as no other thread uses the object, or raise RuntimeError."""
        self._use.run(work, Stop(), lambda: None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the whole state. Raises RuntimeError if another thread modifies it."""
        contents: list[bytes] = []
        self._use_alone(lambda: contents.append(pickle.dumps(self._state())))
        return _restore, (type(self), contents[0])

    def _state(self) -> dict[str, Any]:
        """Return the attributes to be pickled."""
        return self.__dict__


class Computation(Resumable, ABC):
    """The base of resumable objects that compute one result.

    One thread at a time can run a computation; its other methods and its properties may be used
    from any thread. An exception that interrupts a run loses nothing: the next run continues.
    """

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the result is complete."""

    def run(self, seconds: float | None = None) -> bool:
        """Work until the end, for about `seconds`, or until `stop` is called.

        Parameters
        ----------
        seconds : float, optional
            The time limit.

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
        >>> optimizer.run(seconds=0), optimizer.run(), optimizer.best
        (False, True, [(0, [0])])
        """
        stop = Stop(seconds, self._use.stop_request)
        return self._use.run(lambda: self.advance(stop), stop, lambda: self.done)

    @abstractmethod
    def advance(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""


def _restore(resumable_class: type[Resumable], content: bytes) -> Resumable:
    """Restore a pickled object."""
    restored = resumable_class.__new__(resumable_class)
    restored.__dict__.update(pickle.loads(content))
    return restored
