"""`cheapest`: find the covers of lowest cost."""

from typing import cast

import typer

from ..cover.certificate import check_certifiable
from ..cover.optimizer import ENGINES, CoverOptimizer, Engine
from ..cover.text import COVER_STYLES
from . import options
from .cluster import open_cluster
from .endings import PLANS
from .inputs import DRAWING, ProblemOptions, certify
from .output import check_file, last_record, write_plan, write_text
from .search_run import RunOptions, SearchRun
from .terminal import describe_work, report


def cheapest(
    *,
    number: options.Number = 1,
    style: str | None = options.style(
        (*COVER_STYLES, DRAWING, *PLANS), show_default="names on a terminal"
    ),
    verbose: bool = options.flag("Report better covers and bounds.", "--verbose", "-v"),
    engine: str = options.choice(ENGINES, "What seeks the covers", default=ENGINES[0]),
    certificate: options.CertificateFile = None,
    svg: str | None = options.svg("Draw the problem and its first cover as SVG."),
    run: RunOptions,
    problem: ProblemOptions,
) -> None:
    """Find the covers of lowest cost of an exact cover problem.

    Examples:
      dlx-numba cheapest shifts.dlx
      dlx-numba cheapest -n 3 --format names shifts.dlx
      dlx-numba cheapest --seconds 10 --verbose lectures.dlx
      dlx-numba cheapest --engine both shifts.dlx
      dlx-numba cheapest --checkpoint saved --resume lectures.dlx
      dlx-numba cheapest --items job --cost cost -o plan.csv jobs.csv

    The cost follows each cover. If the search is stopped, the best covers known are printed,
    and a bound: no cover costs less. Files named .csv, .xlsx and .ics are tables and calendars.
    Costs require --algorithm auto or links.

    Exit status: 0 if these are the cheapest covers, 1 if there is none
    """
    problem.check_seed()
    plan = problem.take_plan(style)
    check_file("--certificate", certificate, ["-", problem.output], problem.file)
    check_file("--svg", svg, [problem.output], problem.file)
    saved = run.load(CoverOptimizer)
    if saved is not None and problem.seed is None:
        problem.seed = saved._spec.rule.seed
    options.reject("--dask", "--threads")
    with open_cluster(run.dask) as executor, problem.reading() as stated:
        if certificate is not None:
            check_certifiable(stated._stated, True)
        stated = stated.replace(threads=run.threads, executor=executor)
        optimizer = stated.optimizer(number, engine=cast(Engine, engine))
        if saved is not None:
            optimizer = run.resumed(optimizer)
        search = SearchRun(optimizer, problem.stop, run, limit=number)

        def advance(seconds: float) -> bool:
            before = optimizer.result[:1], optimizer.result.bound
            optimizer.run(seconds)
            if verbose and (optimizer.result[:1], optimizer.result.bound) != before:
                report(f"({optimizer})")
            return optimizer.done

        search.execute(advance)
        covers = optimizer.result
        if plan and style:
            write_plan(plan, style, [*iter(covers)], problem.file)
        for cover in covers if not plan else ():
            typer.echo(problem.format_cover(stated, cover, style))
        if svg is not None and covers:
            write_text(svg, stated.svg(covers[0]), problem.file)
        if style == "json":
            fields = {"count": str(len(covers)), "bound": covers.bound}
            typer.echo(last_record(search.is_complete, **fields))
        if certificate is not None and search.is_complete:
            certify(stated, certificate, covers[0].cost if covers else None, search.stop)
        search.exit(len(covers), describe_work(*optimizer._counters()[1:]))
