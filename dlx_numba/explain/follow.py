"""A search for covers, recorded step by step, by the algorithm that the problem calls for."""

from ..kernels.branching import Branching
from ..kernels.state import UNLIMITED
from .problem_view import Subject
from .record import Record
from .recorder_m import RecorderM
from .recorder_x import RecorderX


def record_search(
    subject: Subject,
    *,
    steps: int = 1000,
    limit: int | None = None,
    choose: int = Branching.SMALLEST,
) -> Record:
    """Record the search for covers until it ends, has found `limit`, or has taken `steps`.

    `choose` is Branching.SMALLEST or Branching.LEFTMOST. Follows Algorithm M where items may be covered more than
    once, else Algorithm C or X. Raises ValueError for another choice, and RecordError where the
    kernel does otherwise.

    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain.problem_view import cover_subject
    >>> twice = ExactCover([["a"], ["a", "b"], ["b"]], multiplicity={"a": 2})
    >>> record = record_search(cover_subject(twice, "twice"))
    >>> record.covers, record.steps[1].name
    ([[0, 1]], 'M3')
    """
    if choose not in (Branching.SMALLEST, Branching.LEFTMOST):
        raise ValueError("a record knows the choices smallest and leftmost")
    follow = RecorderX if subject.instance.bounds is None else RecorderM
    return follow(subject, choose, UNLIMITED if limit is None else limit, steps).run()
