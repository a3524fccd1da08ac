"""A guard for private interfaces of Numba, which may differ between its versions.

Kernels run correctly without them: these interfaces only save time, or report on compilation.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_has_warned = False


@contextmanager
def numba_internals() -> Iterator[None]:
    """Let the block fail without consequences. The first failure in a process raises a warning.

    Files that cannot be read or written have nothing to do with Numba, and are ignored. An
    exception that a signal handler raises meanwhile is not a failure, and propagates.
    """
    global _has_warned
    try:
        yield
    except Exception as error:
        if is_from_handler(error):
            raise
        if not _has_warned and not isinstance(error, OSError):
            from numba import __version__

            _has_warned = True
            warnings.warn(
                f"an internal interface of Numba {__version__} has failed "
                f"({type(error).__name__}: {error}); kernels work, but may be compiled in each "
                "process, or run more slowly",
                RuntimeWarning,
                stacklevel=3,
            )


def is_from_handler(error: BaseException) -> bool:
    """Return whether a signal handler has raised an error.

    Python passes to a handler the frame that it interrupts, which is also the frame of its caller.
    """
    trace = error.__traceback__
    while trace is not None:
        caller = trace.tb_frame.f_back
        for value in trace.tb_frame.f_locals.values():
            values = value if isinstance(value, tuple) else (value,)
            if caller is not None and any(each is caller for each in values):
                return True
        trace = trace.tb_next
    return False
