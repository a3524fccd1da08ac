"""Record a search step by step, and write it as an interactive page, as text or as JSON."""

import os

from ..cover.named_problem import NamedProblem
from ..runtime.arguments import UNLIMITED, check_integer
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.workers import call_until
from ..search.thread_runner import check_limit
from .algorithm_m import RecorderM
from .algorithm_x import RecorderX
from .literal import RecorderLiteral
from .lookahead import Limits, find_first_cover
from .page import MAX_ASSIGNMENTS, Page, check_size
from .problem_view import ProblemView, view_search
from .record import SearchRecord, StopReason
from .recorder import Recorder

NO_COVER = "The problem has no cover: each branch is a dead end."
TOO_LARGE = "There is a cover, but the record would be too large if it reached one."


def explain_cover(
    named: NamedProblem,
    stop: Stop,
    path: str | os.PathLike[str] | None,
    steps: int,
    limit: int | None,
    title: str,
    show_givens: bool,
) -> Page:
    """Record the search of a problem, and write the page if there is a path.

    `ExactCover.explain` describes the parameters.
    """
    n_steps = check_integer(steps, "steps")
    max_covers = check_limit(limit, "limit")
    # The problem of the page: givens that are shown are not applied, so it keeps their options.
    shown = named.changed(given=()) if show_givens else named
    check_size(shown.selected.problem)  # before a picture is sought
    task = call_until(lambda: view_search(named, title, show_givens), stop)  # seeks a picture
    if not task.has_ended:
        raise Stopped("stopped before the search began")
    view = task.result()
    limits = {"steps": n_steps, "limit": max_covers, "max_assignments": MAX_ASSIGNMENTS}
    page = Page(record_search(view, **limits, stop=stop))
    if path is not None:
        if not call_until(lambda: page.html, stop).has_ended:  # with hints, which take long
            raise Stopped("stopped before the page was complete")
        page.save(path)
    return page


def recorder_class(view: ProblemView) -> type[Recorder]:
    """Return the class of recorders of the algorithm that searches a problem."""
    if view.rule.is_literal:
        return RecorderLiteral
    return RecorderX if view.problem.low is None else RecorderM


def record_search(
    view: ProblemView,
    *,
    steps: int = 1000,
    limit: int = UNLIMITED,
    max_assignments: int = UNLIMITED,
    stop: Stop | None = None,
) -> SearchRecord:
    """Record a search for covers.

    Literal searches are those of the module `dancing_links`. Problems with multiplicities are
    solved by Algorithm M, problems with colors by Algorithm C, and all others by Algorithm X.

    Parameters
    ----------
    view : ProblemView
        The problem to solve.
    steps : int
        Maximum number of steps to record. If the search takes more steps to find a cover, the
        record contains its beginning and the path to the first cover.
    limit : int, default: UNLIMITED
        Stop after this number of covers.
    max_assignments : int, default: UNLIMITED
        Stop after about this number of assignments, which bounds the size of the record.
    stop : Stop, optional
        Ends the recording by an exception, Stopped.

    Returns
    -------
    SearchRecord

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain.problem_view import view_search
    >>> cover = ExactCover([["a"], ["a", "b"], ["b"]], multiplicity={"a": 2})
    >>> record = record_search(view_search(cover._named, "example"))
    >>> record.covers, record.steps[1].name
    ([[0, 1]], 'M3')
    """
    recorder = recorder_class(view)
    limits = Limits(limit, steps, max_assignments, stop or Stop())
    record = recorder(view, limits).record()
    if record.covers or record.stop_reason is StopReason.LIMIT:
        return record
    if record.stop_reason not in (StopReason.MAX_STEPS, StopReason.MAX_ASSIGNMENTS):
        return record._replace(advice=NO_COVER)
    if view.given:
        return record._replace(advice="Record more steps (--steps), or omit --show-givens.")
    # The record is full before its first cover, which a compiled search finds sooner.
    first = find_first_cover(view, limits)
    if first is None:
        advice = "No cover was found soon: another rule (--choose) or given options may find one."
        return record._replace(advice=advice)
    n_needed = 2 * first.path_steps(0)  # half of them for the beginning of the search
    advice = f"Record {n_needed:,} steps (--steps) to reach a cover."
    if first.cover is None:  # the compiled search is complete
        advice = NO_COVER
    if n_needed <= steps:  # record again, and skip branches off the path to the cover
        record = recorder(view, limits, first).record()
        if first.cover is not None:
            advice = "" if record.covers else TOO_LARGE
    return record._replace(advice=advice)
