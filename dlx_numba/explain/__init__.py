"""Record a search step by step, and write it as an interactive page, as text or as a table."""

from ..kernels.branching import Branching
from ..kernels.state import UNLIMITED
from .problem_view import ProblemView
from .record import Record, RecordLimits
from .recorder_m import RecorderM
from .recorder_x import RecorderX


def record_search(
    view: ProblemView,
    *,
    steps: int = 1000,
    limit: int | None = None,
    choose: Branching = Branching.SMALLEST,
    max_cells: int | None = None,
) -> Record:
    """Record a search for covers.

    Problems with multiplicities are solved by Algorithm M, problems with colors by Algorithm C,
    and all others by Algorithm X.

    Parameters
    ----------
    view : ProblemView
        The problem to solve.
    steps : int
        Maximum number of steps to record.
    limit : int, optional
        Stop after this number of covers. By default, the search is exhaustive.
    choose : Branching
        The branching rule, SMALLEST or LEFTMOST.
    max_cells : int, optional
        Stop after about this number of changed array cells, which bounds the size of the record.

    Returns
    -------
    Record

    Raises
    ------
    ValueError
        If `choose` is another rule.
    RecordError
        If the recorded search differs from the search of the kernel.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain.problem_view import view_cover
    >>> cover = ExactCover([["a"], ["a", "b"], ["b"]], multiplicity={"a": 2})
    >>> record = record_search(view_cover(cover, "example"))
    >>> record.covers, record.steps[1].name
    ([[0, 1]], 'M3')
    """
    if choose not in (Branching.SMALLEST, Branching.LEFTMOST):
        raise ValueError("only the branching rules smallest and leftmost can be recorded")
    recorder = RecorderX if view.problem.low is None else RecorderM
    limits = RecordLimits(
        covers=UNLIMITED if limit is None else limit,
        steps=steps,
        cells=UNLIMITED if max_cells is None else max_cells,
    )
    return recorder(view, choose, limits).run()
