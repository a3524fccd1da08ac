"""Record a search step by step, and write it as an interactive page, as text or as a table."""

from ..kernels.branching import Branching
from ..kernels.state import UNLIMITED
from .algorithm_m import RecorderM
from .algorithm_x import RecorderX
from .problem_view import ProblemView
from .record import Record


def record_search(
    view: ProblemView,
    *,
    steps: int = 1000,
    limit: int | None = None,
    choose: Branching = Branching.SMALLEST,
    max_assignments: int | None = None,
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
    max_assignments : int, optional
        Stop after about this number of assignments, which bounds the size of the record.

    Returns
    -------
    Record

    Raises
    ------
    ValueError
        If `choose` is another rule.

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
    limits = (limit, steps, max_assignments)
    return recorder(view, choose, *(UNLIMITED if each is None else each for each in limits)).run()
