"""`sample`: draw random covers of an exact cover problem."""

import typer

from ..cover.text import COVER_STYLES
from . import options
from .inputs import CSV, DRAWING, ProblemOptions, matching_items
from .search_run import diagram_of


def sample(
    *,
    number: options.Number = 1,
    style: str | None = options.style(
        (*COVER_STYLES, DRAWING, CSV), show_default="names on a terminal"
    ),
    memory: options.MemoryLimit = None,
    distinct: options.Distinct = None,
    problem: ProblemOptions,
) -> None:
    """Draw random covers of an exact cover problem, all with the same probability.

    Examples:
      dlx-numba sample queens.dlx
      dlx-numba sample -n 10 --seed 1 --format names queens.dlx

    Exit status: 0 if there are covers, 1 if there are none
    """
    problem.call.reject("sample", "--algorithm", "--choose", "--consistency")
    problem.are_plans_numbered = number > 1
    with (
        problem.reading() as exact_cover,
        diagram_of(problem.call, exact_cover.replace(memory=memory), problem.stop) as diagram,
    ):
        chosen = matching_items(exact_cover, distinct)
        n_covers = number if diagram.count(stop=problem.stop) else 0
        for cover in diagram.sample(n_covers, problem.seed, distinct=chosen, stop=problem.stop):
            typer.echo(problem.format_cover(exact_cover, cover, style))
