"""`python -m dlx_numba`."""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line. SIGINT (Ctrl-C) and SIGTERM end it with status 130 at any time."""
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    # No command multiplies large matrices, so the threads of BLAS need not be started.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # until the command is imported; see `_import_command` in cli/app.py
    try:
        from .cli import main as run  # slow, so signals are handled from here on

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
