"""`warmup`: compile all kernels ahead of time."""

import time
from concurrent.futures.process import BrokenProcessPool

from ..jit.library import Store
from ..precompile import compile_kernels
from ..runtime.display import ProgressDisplay
from ..runtime.files import user_directory
from ..runtime.text import plural
from .terminal import fail, report


def warmup(
    *,
    clear: bool,
) -> None:
    """Compile all kernels for this processor, and store them."""
    start_time = time.perf_counter()
    directory = user_directory()
    if clear:
        try:
            report(f"{plural(Store(directory).clear(), 'file')} removed")
        except OSError as error:
            raise fail(f"{error.filename}: {error.strerror}") from error
        return
    with ProgressDisplay(1) as display:
        try:
            files = compile_kernels(
                directory,
                update=lambda n_done, n_tasks: display.update("compiling", n_done / n_tasks),
            )
        except OSError as error:
            raise fail(f"cannot write to {directory}: {error.strerror or error}") from error
        except BrokenProcessPool as error:
            raise fail("a process that compiles kernels has ended unexpectedly") from error
    if n_compiled := sum(files.values()):
        outcome = f"{plural(n_compiled, 'kernel')} compiled"
    else:
        outcome = "all kernels are already compiled"
    report(f"{outcome} ({time.perf_counter() - start_time:.2f} s)")
