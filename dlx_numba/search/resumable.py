"""The bases of resumable objects: what they share."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ..runtime.clock import Clock
from ..runtime.exclusive import ExclusiveUse
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.job import Counters, Job
from ..runtime.job import run as run_job
from .progress import Progress


class Resumable(ABC):
    """The base of what a user can stop and resume.

    A subclass does the work. The base protects it, measures its time, and has the progress as a
    record, as text and as HTML.

    Parameters
    ----------
    name : str
        The name of the object in error messages.
    """

    clock: Clock

    def __init__(self, name: str) -> None:
        self._use = ExclusiveUse(name)
        self.clock = Clock()

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether nothing is left to do."""

    @abstractmethod
    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates so far, as in `Statistics`."""

    @property
    def progress(self) -> Progress:
        """The progress; its fraction is unknown."""
        return Progress(None, str(self), *self.counters(), self.clock.seconds)

    def __repr__(self) -> str:
        status = "done, " if self.done else ""
        return f"<{type(self).__name__}: {status}{self}>"

    def _repr_html_(self) -> str:
        from ..pictures.html import paragraph  # only notebooks need HTML

        return paragraph(str(self))

    def request_stop(self) -> None:
        """End the current run, or else the next one, from another thread or a signal handler."""
        self._use.stop_request.cancel()

    def _use_alone(self, work: Callable[[], None]) -> None:
        """Do some work as soon as no other thread uses the object, or raise RuntimeError."""
        self._use.run(work, Stop())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the whole state. Raises RuntimeError if another thread modifies it."""
        content = self._use.run(lambda: pickle.dumps(self._pickled()), Stop())
        return _restore, (type(self), content)

    def _pickled(self) -> dict[str, Any]:
        """Return the attributes to be pickled."""
        return self.__dict__


class ResumableJob(Resumable, Job):
    """The base of resumable objects whose work is done in steps."""

    clock: Clock

    def describe(self) -> tuple[float | None, str]:
        return self.progress[:2]


class Computation(ResumableJob):
    """The base of resumable objects that compute one result.

    One thread at a time can run a computation; its other methods and its properties may be used
    from any thread. An exception that interrupts a run loses nothing: the next run continues.
    """

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
        self._use.run(lambda: run_job(self, limit), limit)
        return self.done


def _restore(resumable_class: type[Resumable], content: bytes) -> Resumable:
    """Restore a pickled object."""
    restored = resumable_class.__new__(resumable_class)
    restored.__dict__.update(pickle.loads(content))
    return restored
