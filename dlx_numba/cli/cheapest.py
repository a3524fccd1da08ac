"""`cheapest`: find the covers of lowest cost."""

from typing import Annotated

import typer

from ..cover.certificate import check_certifiable
from ..cover.optimizer import CoverOptimizer
from . import options
from .cover_problem import CoverStyle, ProblemOptions, certify
from .output import check_file, last_record
from .search_run import RunOptions, SearchRun
from .terminal import describe_work, report


def cheapest(
    *,
    number: options.Number = 1,
    style: CoverStyle = None,
    verbose: Annotated[
        bool, options.flag("Report better covers and bounds.", "--verbose", "-v")
    ] = False,
    certificate: options.CertificateFile = None,
    run: RunOptions,
    problem: ProblemOptions,
) -> None:
    """Find the covers of lowest cost of an exact cover problem.

    Examples:
      dlx-numba cheapest shifts.dlx
      dlx-numba cheapest -n 3 --format names shifts.dlx
      dlx-numba cheapest --seconds 10 --verbose lectures.dlx
      dlx-numba cheapest --checkpoint saved --resume lectures.dlx

    The cost follows each cover. If the search is stopped, the best covers known are printed,
    and a bound: no cover costs less. Costs require --algorithm auto or links.

    Exit status: 0 if these are the cheapest covers, 1 if there is none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before that was proven.
    """
    problem.check_seed()
    check_file("--certificate", certificate, ["-", problem.output], problem.file)
    saved = run.load(CoverOptimizer)
    if saved is not None and problem.seed is None:
        problem.seed = saved._spec.rule.seed
    with problem.reading() as stated:
        if certificate is not None:
            check_certifiable(stated._stated, True)
        optimizer = stated.replace(threads=run.threads).optimizer(number)
        if saved is not None:
            optimizer = run.resumed(optimizer)
        search = SearchRun(optimizer, problem.seconds, run, limit=number)

        def advance(seconds: float) -> bool:
            before = optimizer.result[:1], optimizer.result.bound
            optimizer.run(seconds)
            if verbose and (optimizer.result[:1], optimizer.result.bound) != before:
                report(f"({optimizer})")
            return optimizer.done

        search.execute(advance)
        covers = optimizer.result
        for cover in covers:
            typer.echo(problem.format_cover(stated, cover, style))
        if style == "json":
            fields = {"count": str(len(covers)), "bound": covers.bound}
            typer.echo(last_record(search.is_complete, **fields))
        if certificate is not None and search.is_complete:
            certify(stated, certificate, covers[0].cost if covers else None, search.stop)
        search.exit(len(covers), describe_work(*optimizer._counters()[1:]))
