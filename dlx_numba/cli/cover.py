"""`cover`: print the covers of an exact cover problem."""

from typing import Annotated

from ..cover.io.text import COVER_STYLES
from .cover_problem import ProblemOptions
from .options import BatchFile, UpToSymmetry, format_option, reject_options, svg_option
from .output import check_svg, is_shown, write_text
from .search_run import SearchOptions
from .terminal import fail

MAX_SHOWN = 20  # covers on a terminal without --limit


def cover(
    *,
    style: Annotated[str | None, format_option((*COVER_STYLES, "csv"))] = None,
    batch: BatchFile = None,
    up_to_symmetry: UpToSymmetry = False,
    svg: Annotated[str | None, svg_option("Draw the matrix and its first cover as SVG.")] = None,
    search: SearchOptions,
    problem: ProblemOptions,
) -> None:
    """Print the covers of an exact cover problem.

    Examples:
      dlx-numba cover queens.dlx
      dlx-numba cover --limit 1 --format names - < queens.dlx
      dlx-numba cover --given S1 --format names subsets.csv
      dlx-numba cover --limit 1 --svg matrix.svg subsets.csv
      dlx-numba cover --up-to-symmetry queens.dlx
      dlx-numba cover --checkpoint saved --resume queens.dlx
      dlx-numba cover --batch dates.txt --format csv calendar.json

    On a terminal, prints up to 20 covers by the names of their options; elsewhere, all covers by
    option numbers, from 0. With --batch, prints the first cover of each variation.
    Reads Knuth's text format, matrices as text, tables or .npy, JSON and CSR matrices of SciPy.

    Exit status: 0 if covers were found, 1 if there are none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before its end.
    """
    if batch is not None:
        from .batch_run import run_batch  # most runs have no batch

        reject_options("--batch", "--up-to-symmetry", "--svg")
        run_batch(batch, problem, search, style or "numbers", has_covers=True)
    if style == "csv":
        raise fail("--format csv needs --batch")
    if svg is not None:
        check_svg(svg, problem.output, problem.file)
    is_abridged = (
        is_shown(problem.output) and search.requested_limit is None and search.checkpoint is None
    )
    if is_abridged:
        search.requested_limit = MAX_SHOWN
    with search.searching(problem, up_to_symmetry) as (stated, run):
        if svg is not None:
            stated.svg()  # raises ValueError if the matrix is too large
        is_drawn = svg is None

        def format_cover(options: list[int]) -> str:
            nonlocal is_drawn
            if svg is not None and not is_drawn:
                write_text(svg, stated.svg(options))
                is_drawn = True
            return problem.format_cover(stated, options, style)

        remark = f"Only {MAX_SHOWN} covers are shown; --limit all prints all of them."
        run.print_covers(format_cover, remark * is_abridged)
