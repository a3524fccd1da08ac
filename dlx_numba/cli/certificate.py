"""Write the certificate of a result, for the commands that have `--certificate`."""

from ..cover.certificate import write_certificate
from ..cover.exact_cover import ExactCover
from ..runtime.interrupts import Stop
from .terminal import deferred_signals, fail, report

VERIFIER = "dlx_numba.verify_certificate"


def certify(cover: ExactCover, path: str, cost: int | None, stop: Stop) -> int:
    """Write the certificate of a count or of a lowest cost, and return the number of covers.

    Ends the command if the certificate cannot be completed.
    """
    try:
        with deferred_signals(stop.cancel):
            count = write_certificate(cover._stated, path, cost, stop)
    except (MemoryError, OSError) as error:
        raise fail(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    command = f"python -m {VERIFIER} PROBLEM {path}"
    formats = "Knuth's format, or JSON as problem.write writes it"
    report(f"(the proof is in {path}; to verify it, with PROBLEM in {formats}: {command})")
    return count
