"""A guard around interfaces of Numba that are not public, and may differ in its other versions.

Kernels run correctly without them: these interfaces only save time, or report on compilation.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_has_warned = False


@contextmanager
def numba_internals() -> Iterator[None]:
    """Let the block fail without consequences. The first failure in a process raises a warning.

    Files that cannot be read or written have nothing to do with Numba, and are ignored.
    """
    global _has_warned
    try:
        yield
    except OSError:
        pass
    except Exception as error:
        if not _has_warned:
            from numba import __version__

            _has_warned = True
            warnings.warn(
                f"an internal interface of Numba {__version__} has failed "
                f"({type(error).__name__}: {error}); kernels work, but may be compiled in each "
                "process, or run more slowly",
                RuntimeWarning,
                stacklevel=3,
            )
