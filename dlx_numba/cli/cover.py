"""`cover`: print the covers of an exact cover problem."""

import sys
from collections.abc import Callable
from functools import partial
from typing import NoReturn, cast

from ..cover.covers import Covers
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.orbits import smallest_problem
from ..cover.plan import format_plan_rows
from ..cover.product import CoverProduct
from ..cover.symmetry import find_group
from ..kernels.symmetry.smallest import SmallestFilter
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import Order
from ..runtime.errors import Stopped
from ..runtime.text import plural
from ..search.search import Search
from . import options
from .endings import CSV
from .inputs import ProblemOptions
from .limit import TimeLimit
from .output import check_file, is_shown, write_text
from .run import Run
from .search_run import SearchOptions, SearchRun
from .selection import fixed_problem, matching_items
from .terminal import describe_work, ending, report

MAX_SHOWN = 20  # covers on a terminal without --limit


def cover(
    *,
    style: str | None,
    batch: options.BatchFile,
    up_to_symmetry: options.UpToSymmetry,
    distinct: options.Distinct,
    fixed_by: options.FixedBy,
    svg: str | None,
    order: str,
    search: SearchOptions,
    problem: ProblemOptions,
) -> None:
    """Print the covers of an exact cover problem."""
    problem.check_seed()
    problem.call.reject(
        "--batch", "--up-to-symmetry", "--distinct", "--fixed-by", "--svg", "--format drawing"
    )
    problem.call.reject("--up-to-symmetry", "--checkpoint", "--resume")
    if batch is not None:
        from .batch_run import run_batch  # most runs have no batch

        run_batch(batch, problem, search, style or "numbers", order)  # this ends the command
    check_file("--svg", svg, [problem.output], problem.file)
    # For `ProblemOptions.format_cover`. With a checkpoint, later runs may find further covers.
    problem.are_plans_numbered = search.limit != 1 or search.checkpoint is not None
    # The order matters only if not all covers are wanted, and the search is not literal.
    is_literal = problem.choose.startswith("literal")
    is_any = order == "any" and not is_literal and search.limit != UNLIMITED
    remark = _abridge(problem, search)
    is_drawn = False

    def format_cover(exact_cover: ExactCover, chosen: list[int]) -> str:
        """Return a cover as text; the first one is drawn, too, if there is a picture."""
        nonlocal is_drawn
        if svg is not None and not is_drawn:
            write_text(svg, exact_cover.svg(chosen))
            is_drawn = True
        return problem.format_cover(exact_cover, chosen, style)

    problem.call.reject("--distinct", "--fixed-by")
    if distinct or fixed_by or is_any:
        reason = "--order any"
        if distinct or fixed_by:
            reason = "--distinct" if distinct else "--fixed-by"
        problem.call.reject(
            reason, "--up-to-symmetry", "--checkpoint", "--resume", "--every", "--dask"
        )
        # This ends the command.
        _print_selected(problem, search, distinct, fixed_by, order, format_cover, remark)
    with search.reading(problem) as (exact_cover, to_save):
        if svg is not None:
            exact_cover.svg()  # raises ValueError if the matrix is too large
        work, smallest = _start(exact_cover, to_save, up_to_symmetry, problem.stop)
        run = SearchRun(problem.call, work, problem.stop, search, search.limit)
        run.smallest = smallest
        if search.checkpoint is not None:
            # The rows of further covers continue the numbers of those that were written before.
            problem.plan_number = work.counters().solutions
            run.continue_output(problem.part, _titles(problem, exact_cover, style))
        run.print_covers(partial(format_cover, exact_cover), remark, style)


def _abridge(problem: ProblemOptions, search: SearchOptions) -> str:
    """Show at most MAX_SHOWN covers on a terminal unless there is a limit; return the notice."""
    is_limited = search.requested_limit is not None or search.checkpoint is not None
    if is_limited or not is_shown(problem.output):
        return ""
    search.requested_limit = MAX_SHOWN  # that is `search.limit` from now on
    return f"Only {MAX_SHOWN} covers are shown; --limit all prints all of them."


def _titles(problem: ProblemOptions, exact_cover: ExactCover, style: str | None) -> str:
    """Return the titles of covers that are written as rows of a table, or ""."""
    names = named_problem(exact_cover).names
    if names.table is None or problem.style_of(exact_cover, style) != CSV:
        return ""
    return format_plan_rows(names, [], 1, True) + "\n"  # plan 1 has the titles, and no rows here


def _start(
    exact_cover: ExactCover, to_save: Search | None, up_to_symmetry: bool, stop: TimeLimit
) -> tuple[Search | CoverProduct, SmallestFilter | None]:
    """Return a search and what selects the covers to print, if not all are.

    The search is `to_save` if there is a checkpoint, which excludes `up_to_symmetry`. Otherwise,
    components are searched separately.
    """
    named = named_problem(exact_cover)
    if up_to_symmetry:
        group = find_group(named, True, stop)
        search = Search(smallest_problem(named, group, stop), workers=named.workers)
        return search, group.smallest_filter()
    if to_save is None and len(components := named.prepare().components) > 1:
        return CoverProduct(components, named.workers), None
    return to_save or exact_cover.search(), None


def _print_selected(
    problem: ProblemOptions,
    search: SearchOptions,
    distinct: list[str] | None,
    fixed_by: list[str] | None,
    order: str,
    format_cover: Callable[[ExactCover, list[int]], str],
    remark: str,
) -> NoReturn:
    """Print covers of some kind, or in any order, when all of them are known; end the command.

    If the search is stopped, those that were found are printed. `format_cover` returns a cover as
    text, and `remark` is a notice after the last one.
    """
    run = Run(problem.call, problem.stop)
    is_complete = True
    covers = Covers()
    with problem.reading() as exact_cover:
        with run.stopping():
            try:
                searched = exact_cover.replace(threads=search.threads, progress=True)
                searched = fixed_problem(searched, fixed_by, problem.stop)
                items = matching_items(exact_cover, distinct)
                covers = searched.solve(
                    search.limit, distinct=items, order=cast(Order, order), stop=run.stop
                )
            except Stopped as stopped:
                is_complete = False
                covers = stopped.partial or Covers()
        sys.stdout.writelines(format_cover(exact_cover, cover) + "\n" for cover in covers)
        run.status_counts["covers"] = len(covers)
        work = describe_work(searched.statistics)
        if not is_complete:
            report(f"Stopped before the end: {plural(len(covers), 'solution')}, {work}.")
            raise ending(is_complete=False)
        is_limited = len(covers) == search.limit
        run.end_search(len(covers), work, is_limited=is_limited, remark=remark)
