"""`--certificate`: the proof of a count or of a lowest cost."""

from ..cover.certificate import write_certificate
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from . import terminal


def certify(cover: ExactCover, path: str, cost: int | None, stop: Stop) -> int:
    """Write the certificate of a count, or of a lowest cost.

    Without a `cost`, the certificate is that of the number of covers, which is returned. With one,
    it proves that no cover costs less, and 0 is returned. Ends the command if the certificate
    cannot be completed.
    """
    try:
        with (
            terminal.failing(f"{path}: ", errors=(MemoryError, OSError)),
            terminal.deferred_signals(stop.cancel),
        ):
            count = write_certificate(named_problem(cover), path, cost, stop)
    except (Stopped, KeyboardInterrupt) as end:  # the status keeps the answer written before
        # If the end is Stopped, None lets `ending` find out whether a signal has stopped the proof.
        is_interrupted = isinstance(end, KeyboardInterrupt) or None
        terminal.report("Stopped before the certificate was complete.")
        raise terminal.ending(is_interrupted=is_interrupted, is_complete=False) from None
    command = f"python -m dlx_numba.verify_certificate PROBLEM {path}"
    terminal.report(
        f"(the proof is in {path}; to verify it, with PROBLEM in Knuth's format, "
        f"or JSON as `show --matrix -f json` writes it: {command})"
    )
    return count
