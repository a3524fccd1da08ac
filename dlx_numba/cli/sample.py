"""`sample`: draw random covers of an exact cover problem."""

import typer

from ..runtime.interrupts import raise_if_stopped
from . import options
from .inputs import ProblemOptions
from .search_run import diagram_of
from .selection import fixed_problem, matching_items


def sample(
    *,
    number: options.Number,
    style: str | None,
    memory: options.MemoryLimit,
    distinct: options.Distinct,
    fixed_by: options.FixedBy,
    problem: ProblemOptions,
) -> None:
    """Draw random covers of an exact cover problem, all with the same probability."""
    problem.call.reject("sample", "--algorithm", "--choose", "--consistency")
    problem.are_plans_numbered = number > 1  # for `format_cover`: a single plan has no number
    with problem.reading() as exact_cover:
        searched = fixed_problem(exact_cover.replace(memory=memory), fixed_by, problem.stop)
        with diagram_of(problem.call, searched, problem.stop) as diagram:
            items = matching_items(exact_cover, distinct)
            # The exit status says whether there are covers: to draw from none is no error here.
            n_covers = number if diagram.count(stop=problem.stop) else 0
            for cover in diagram.sample(n_covers, problem.seed, distinct=items, stop=problem.stop):
                raise_if_stopped(problem.stop, "all covers were printed")
                typer.echo(problem.format_cover(exact_cover, cover, style))
