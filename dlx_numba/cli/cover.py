"""`cover`: solve an exact cover problem."""

from typing import Annotated, cast

import typer

from ..cover.counting import COMPARED_ALGORITHMS, METHODS
from ..cover.exact_cover import ExactCover
from ..cover.io.text import COVER_STYLES, SolutionStyle
from ..cover.prepare import CHOICES
from ..kernels.algorithms import ALGORITHMS, AUTO, Algorithm
from .cover_problem import read_cover_problem
from .options import (
    DEFAULT_MAX_INPUT,
    DaskAddress,
    MaxInput,
    OutputFile,
    Quiet,
    TimeLimit,
    check_choice,
    choice_option,
    format_option,
    limit_option,
    number_option,
    open_cluster,
    parse_size,
    reject_options,
    seconds_option,
    seed_option,
    threads_option,
)
from .output import redirected_output, safe_output
from .run_count import CoverStyle, print_count, print_diagram
from .run_search import SearchRun, check_checkpoint_target, describe_estimate, load_checkpoint
from .terminal import ExitStatus, Stopwatch, compile_notice, fail, report, report_statistics

CHOICES_OF_ALGORITHM: tuple[Algorithm, ...] = (AUTO, *ALGORITHMS)
LONG_SEARCHES = "Long searches"  # a group of options
DEFAULT_PATHS = 1000


def cover(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="An exact cover problem; - for standard input."),
    ],
    count: Annotated[
        bool, typer.Option("--count", help="Print only the number of covers.")
    ] = False,
    method: Annotated[
        str,
        choice_option(
            "--method",
            choices=METHODS,
            help="How to count: by a search, by a memo of subproblems, or by the faster one.",
        ),
    ] = "auto",
    sample: Annotated[
        int | None,
        number_option("--sample", help="Print N covers, drawn uniformly from all covers."),
    ] = None,
    frequencies: Annotated[
        bool,
        typer.Option("--frequencies", help="Print for each option how many covers contain it."),
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory for subproblems, such as 2G. By default, half of the free memory.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        limit_option("Stop after N covers, including those found before a search is resumed."),
    ] = None,
    cheapest: Annotated[
        int | None, number_option("--cheapest", help="Print the N covers of lowest cost.")
    ] = None,
    choose: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help=f"Rule that selects the next item: {', '.join(CHOICES)}, "
            "or a list A,B,... of the items to cover first.",
        ),
    ] = "smallest",
    algorithm: Annotated[
        str,
        choice_option(
            "--algorithm",
            choices=CHOICES_OF_ALGORITHM,
            help="Dancing Links, bitmaps, or the faster of these two, which is chosen by the "
            "problem. For comparison, a dense array: compiled or as plain Python.",
        ),
    ] = AUTO,
    seed: Annotated[int | None, seed_option()] = None,
    presolve: Annotated[
        bool, typer.Option("--presolve", help="First remove options that are in no cover.")
    ] = False,
    given: Annotated[
        str,
        typer.Option(
            metavar="N,N,...", help="Options that every cover must contain, by number or name."
        ),
    ] = "",
    forbid: Annotated[
        str,
        typer.Option(
            metavar="N,N,...", help="Options that no cover may contain, by number or name."
        ),
    ] = "",
    one_based: Annotated[
        bool, typer.Option("--one-based", help="Number options from 1 instead of 0.")
    ] = False,
    style: Annotated[str, format_option(COVER_STYLES)] = "numbers",
    output: OutputFile = "-",
    max_input: MaxInput = DEFAULT_MAX_INPUT,
    seconds: TimeLimit = None,
    threads: Annotated[int, threads_option()] = 1,
    dask: DaskAddress = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Save the search to this file, periodically and when it is stopped.",
            rich_help_panel=LONG_SEARCHES,
        ),
    ] = None,
    every: Annotated[
        float,
        seconds_option(
            "--every",
            help="Time between checkpoints.",
            rich_help_panel=LONG_SEARCHES,
        ),
    ] = 30.0,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume the search saved in the checkpoint file, if the file exists.",
            rich_help_panel=LONG_SEARCHES,
        ),
    ] = False,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Estimate the size of the search instead of running it.",
            rich_help_panel=LONG_SEARCHES,
        ),
    ] = False,
    paths: Annotated[
        int,
        number_option(
            "--paths",
            help="Number of random paths for the estimate.",
            rich_help_panel=LONG_SEARCHES,
        ),
    ] = DEFAULT_PATHS,
    quiet: Quiet = False,
) -> None:
    """Solve an exact cover problem.

    Prints each cover as a list of option numbers, from 0. With `--format names`, prints the names
    of the options, or their items if the options have no names.

    Reads Knuth's text format: a line of item names, with `|` before the secondary items, then one
    line per option; lines that start with `|` are comments. Colors (`item:color`), multiplicities
    (`low:high|item`) and costs (`|cost`) are supported. Also reads JSON, 0/1 matrices (text or
    `.npy`), matrices with names (CSV, pipe tables, the output of `show --all`), CSR matrices
    saved by SciPy (`.npz`), and numbered items (`p ec`, or counted options).

    Exit status: 0 if covers were found, 1 if there are none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before its end.

    Examples:

    - `dlx-numba cover queens.dlx`

    - `dlx-numba cover --limit 1 --format names - < queens.dlx`

    - `dlx-numba cover --given S1 --format names subsets.csv`

    - `dlx-numba cover --count --checkpoint saved --resume queens.dlx`

    - `dlx-numba cover --sample 10 --seed 1 queens.dlx`
    """
    if "," not in choose:
        check_choice("--choose", choose, CHOICES, ", or a list A,B,... of items")
    chosen_algorithm = check_choice("--algorithm", algorithm, CHOICES_OF_ALGORITHM)
    solution_style = check_choice("--format", style, COVER_STYLES)
    if resume and checkpoint is None:
        raise fail("--resume needs --checkpoint")
    if dask is not None and threads > 1:
        raise fail("--dask cannot be combined with --threads")
    if cheapest is not None:
        reject_options(
            "--cheapest",
            {
                "--count": count,
                "--limit": limit is not None,
                "--seconds": seconds is not None,
                "--checkpoint": checkpoint is not None,
                "--threads": threads > 1,
                "--dask": dask is not None,
                f"--algorithm {algorithm}": algorithm not in (AUTO, "links"),
            },
        )
    chosen_method = check_choice("--method", method, METHODS)
    if method != "auto" and not count:
        raise fail("--method needs --count")
    if memory is not None and not (count or sample is not None or frequencies):
        raise fail("--memory needs --count, --sample or --frequencies")
    implying_search = {
        "--limit": limit is not None,
        "--checkpoint": checkpoint is not None,
        "--threads": threads > 1,
        "--dask": dask is not None,
    }
    if method == "memo":
        reject_options("--method memo", implying_search)
    for name, is_used in (("--sample", sample is not None), ("--frequencies", frequencies)):
        if is_used:
            others = {"--count": count, "--cheapest": cheapest is not None, "--estimate": estimate}
            reject_options(name, others | implying_search)
    if sample is not None and frequencies:
        raise fail("--sample cannot be combined with --frequencies")
    n_bytes = None if memory is None else parse_size("--memory", memory)
    saved = None
    if checkpoint is not None:
        if resume:
            saved = load_checkpoint(checkpoint)
        else:
            check_checkpoint_target(checkpoint)
    start = 1 if one_based else 0
    problem = read_cover_problem(
        file,
        max_bytes=parse_size("--max-input", max_input),
        choose=choose,
        algorithm=cast(Algorithm, saved.algorithm)
        if saved and algorithm == AUTO
        else chosen_algorithm,
        seed=saved.seed if saved and seed is None else seed,
        presolve=presolve,
        given=given,
        forbidden=forbid,
        start=start,
    )
    if estimate:
        with compile_notice(), redirected_output(output, file):
            typer.echo(describe_estimate(problem.search(), paths))
        return
    if cheapest is not None:
        with redirected_output(output, file):
            raise typer.Exit(_print_cheapest(problem, cheapest, solution_style, start))
    if sample is not None or frequencies:
        try:
            with compile_notice(), redirected_output(output, file):
                builder = problem.diagram_builder(memory=n_bytes)
                style_of = CoverStyle(problem, solution_style, start)
                status = print_diagram(builder, style_of, sample, seed, seconds)
        except (ValueError, MemoryError) as error:
            raise fail(f"{file}: {error}") from None
        raise typer.Exit(status)
    if count and method != "search" and not any(implying_search.values()):
        has_memo = problem.algorithm in COMPARED_ALGORITHMS and problem.problem.arrays.low is None
        if has_memo or method == "memo":
            try:
                counter = problem.counter(chosen_method, n_bytes)
            except ValueError as error:
                raise fail(f"{file}: {error}") from None
            with compile_notice(), redirected_output(output, file):
                raise typer.Exit(print_count(counter, seconds))
    search = problem.search()
    if saved is not None and checkpoint is not None:
        search = load_checkpoint(checkpoint, search) or search
        report(f"(resuming: {search.progress})")
    is_resumed = saved is not None
    with (
        open_cluster(dask) as cluster,
        compile_notice(),
        redirected_output(output, file, is_appended=is_resumed),
    ):
        run = SearchRun(
            search,
            limit=limit,
            seconds=seconds,
            threads=threads,
            executor=None if cluster is None else cluster.executor,
            checkpoint=checkpoint,
            checkpoint_seconds=every,
        )
        format_cover = (
            None if count else lambda options: problem.format(options, solution_style, start=start)
        )
        raise typer.Exit(run.execute(format_cover))


def _print_cheapest(problem: ExactCover, k: int, style: SolutionStyle, start: int) -> ExitStatus:
    """Print the `k` covers of lowest cost."""
    stopwatch = Stopwatch()
    try:
        with compile_notice():
            covers = problem.cheapest(k)
    except KeyboardInterrupt:
        report("Stopped before the end: no cover is known to be the cheapest.")
        return ExitStatus.STOPPED
    with safe_output():
        for _, options in covers:
            typer.echo(problem.format(options, style, start=start))
    report_statistics(problem.statistics, stopwatch)
    return ExitStatus.SUCCESS if covers else ExitStatus.NOT_SOLVED
