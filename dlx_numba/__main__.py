"""`python -m dlx_numba`."""

import gc
import os

from .runtime import signals


def main() -> None:
    """Run the command line, which SIGINT (Ctrl-C) and SIGTERM end soon at any time."""
    signals.install()  # before the slow imports
    # No command multiplies large matrices, so the threads of BLAS need not be started.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # until the command is imported; see `_import_command` in cli/app.py
    from .cli import main as run

    try:
        run()
    except SystemExit as end:
        if signals.leaves_threads():  # other threads may still run kernels or the compiler
            os._exit(end.code if isinstance(end.code, int) else signals.STATUS)
        raise


if __name__ == "__main__":
    main()
