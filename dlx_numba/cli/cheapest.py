"""`cheapest`: find the covers of lowest cost."""

from dataclasses import dataclass
from functools import partial
from typing import cast

import typer

from ..cover.certificate import check_certifiable
from ..cover.covers import Covers
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.optimizer import CoverOptimizer
from ..cover.plan import describe_changes
from ..explain.deduction.text import join
from ..runtime.choices import OptimizerEngine
from . import options
from .cluster import open_cluster
from .commands.groups import CountedFields
from .endings import PLANS
from .inputs import ROWS, ProblemOptions
from .output import check_file, last_record, recording_stop, write_plans, write_text
from .proof import certify
from .search_run import RunOptions, SearchRun
from .selection import fixed_problem
from .terminal import describe_work, report


@dataclass(kw_only=True)
class CountedOptions(CountedFields, ProblemOptions):
    """The options of a problem, and those that count options instead of their costs."""


def cheapest(
    *,
    number: options.Number,
    style: str | None,
    verbose: bool,
    engine: str,
    start: str | None,
    changes: float,
    fixed_by: options.FixedBy,
    certificate: options.CertificateFile,
    svg: str | None,
    run: RunOptions,
    problem: CountedOptions,
) -> None:
    """Find the covers of lowest cost of an exact cover problem."""
    problem.check_seed()
    plan = problem.take_plan(style)  # the file of the covers, if they are written as plans
    check_file("--certificate", certificate, ["-", problem.output], problem.file)
    check_file("--svg", svg, [problem.output], problem.file)
    saved = run.load(CoverOptimizer)  # None without --resume
    if saved is not None and problem.seed is None:
        problem.seed = saved.seed
    problem.call.reject("--dask", "--threads")
    problem.call.reject("--certificate", "--changes", "--fewest")  # it is about the file's costs
    problem.call.require("--start", "--changes")
    puzzle, _ = problem.take()
    with open_cluster(run.dask) as executor, problem.reading(puzzle) as exact_cover:
        earlier = None if start is None else problem.read_plan(puzzle, start)
        with recording_stop(style, count="0", bound=None):
            searched = fixed_problem(exact_cover, fixed_by, problem.stop)
        if certificate is not None:
            check_certifiable(named_problem(searched), True)  # of a cost, not of a count
        searched = searched.replace(threads=run.threads, executor=executor)
        optimizer = searched.optimizer(
            number, start=earlier, changes=changes, engine=cast(OptimizerEngine, engine)
        )
        if saved is not None:
            optimizer = run.resumed(optimizer)
        search = SearchRun(problem.call, optimizer, problem.stop, run, limit=number)

        search.execute(partial(_advance, optimizer, verbose))
        covers = optimizer.result
        style = problem.style_of(exact_cover, style)
        _print_covers(problem, exact_cover, covers, style, plan or "-", earlier)
        if svg is not None and covers:
            write_text(svg, exact_cover.svg(covers[0]), problem.file)
        if style == "json":
            typer.echo(last_record(search.is_complete, count=str(len(covers)), bound=covers.bound))
        if certificate is not None and search.is_complete:
            # Without a cover, there is no cost to prove: the certificate is that of a count of 0.
            certify(exact_cover, certificate, covers[0].cost if covers else None, search.stop)
        search.exit(len(covers), describe_work(optimizer.counters()))


def _advance(optimizer: CoverOptimizer, is_reported: bool, seconds: float) -> bool:
    """Search for some seconds, and return whether the search is complete; report what improves."""
    before = optimizer.result[:1], optimizer.result.bound
    optimizer.run(seconds)
    if is_reported and (optimizer.result[:1], optimizer.result.bound) != before:
        report(f"({optimizer})")
    return optimizer.done


def _print_covers(
    problem: ProblemOptions,
    exact_cover: ExactCover,
    covers: Covers,
    style: str,
    plan: str,
    earlier: list[int] | None,
) -> None:
    """Write covers as plans to a file, or print them, and report their costs, or what changes."""
    if style in PLANS:
        write_plans(plan, style, iter(covers), problem.file, start=earlier)
        if covers and exact_cover.problem.cost is not None:
            costs = join(f"{cover.cost:,}" for cover in covers)
            report(f"({'cost' if len(covers) == 1 else 'costs'} {costs})")
        return
    for cover in covers:
        typer.echo(problem.format_cover(exact_cover, cover, style))
        if earlier is not None and style != ROWS:
            report(f"({describe_changes(named_problem(exact_cover), cover, earlier)})")
