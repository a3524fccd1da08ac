"""`cover`: an exact cover problem in, its covers out."""

import time
from collections.abc import Hashable, Sequence
from typing import Annotated, Any

import typer

from ..cover.exact_cover import ExactCover
from ..cover.io.read import read_problem
from ..cover.io.text import COVER_STYLES
from ..cover.prepare import CHOICES
from .connected import connected
from .output import safe_output
from .steering import STOPPED, Steering, check_target, describe_estimate, load_saved
from .terminal import compile_notice, fail, interruptible, say, say_statistics


def cover(
    file: Annotated[str, typer.Argument(metavar="FILE | -", help="The problem; - is stdin.")],
    count: Annotated[
        bool, typer.Option("--count", help="Print the number of covers only.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, help="Stop after so many covers, counting those of a search that is resumed."
        ),
    ] = None,
    cheapest: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="The K cheapest covers, by cost.")
    ] = None,
    choose: Annotated[
        str,
        typer.Option(metavar="HOW", help=f"The next item: {', '.join(CHOICES)}; or A,B,... first."),
    ] = "smallest",
    seed: Annotated[int | None, typer.Option(help="Of the random choices.")] = None,
    presolve: Annotated[
        bool, typer.Option("--presolve", help="First remove what can be in no cover.")
    ] = False,
    given: Annotated[
        str, typer.Option(metavar="N,N,...", help="Options that each cover is to have.")
    ] = "",
    forbid: Annotated[
        str, typer.Option(metavar="N,N,...", help="Options that no cover may have.")
    ] = "",
    style: Annotated[
        str,
        typer.Option("--format", "-f", metavar="STYLE", help=f"{', '.join(COVER_STYLES)}."),
    ] = "numbers",
    seconds: Annotated[
        float | None, typer.Option(min=0, metavar="S", help="Stop after so many seconds.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Search in N threads.")] = 1,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Search on the Dask cluster there.")
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Save the search there, at intervals and when stopped."),
    ] = None,
    every: Annotated[
        float, typer.Option(min=0, metavar="S", help="Seconds from one save to the next.")
    ] = 30.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint, if there is one.")
    ] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only estimate how large the search is.")
    ] = False,
    samples: Annotated[
        int, typer.Option(min=1, metavar="N", help="Random paths for the estimate.")
    ] = 1000,
) -> None:
    """Solve an exact cover problem: print each cover as its option numbers, from 0.

    FILE holds Knuth's text: a line of items, `|` before the secondary ones, then a line an option
    (lines that start with `|` are comments); with `item:colour`, `low:high|item` and `|cost`. Or
    it holds JSON, a matrix of 0 and 1 as text or `.npy`, or a CSR matrix as SciPy's `.npz`.
    Exit status: 0 covers found, 1 none, 2 usage or unreadable input, 3 stopped before the end.

    Examples: `cover queens.dlx`, `cover --limit 1 --format names -`,
    `cover --count --threads 2 --checkpoint queens.search --resume queens.dlx`
    """
    if choose not in CHOICES and "," not in choose:
        known = ", ".join(CHOICES)
        raise fail(f"--choose must be one of {known}, or items with commas between, not {choose!r}")
    if style not in COVER_STYLES:
        raise fail(f"--format must be one of {', '.join(COVER_STYLES)}, not {style!r}")
    if resume and checkpoint is None:
        raise fail("--resume goes on from the file that --checkpoint names")
    if dask is not None and threads > 1:
        raise fail("--dask goes not with --threads: the cluster has its own")
    steered = (limit, seconds, checkpoint, dask, threads if threads > 1 else None)
    if cheapest is not None and (count or steered != (None,) * 5):
        raise fail(
            "--cheapest goes with none of --count, --limit, --seconds, --checkpoint, "
            "--threads and --dask"
        )
    saved = None
    if checkpoint is not None:
        if resume:
            saved = load_saved(checkpoint)
        else:
            check_target(checkpoint)
    problem = _problem(
        file,
        choose,
        seed=saved.seed if saved and seed is None else seed,
        presolve=presolve,
        given=_numbers(given, "--given"),
        forbidden=_numbers(forbid, "--forbid"),
    )
    if estimate:
        with compile_notice():
            typer.echo(describe_estimate(problem.search(), samples))
        return
    if cheapest is not None:
        raise typer.Exit(_print_cheapest(problem, cheapest, style))
    search = problem.search()
    if saved is not None and checkpoint is not None:
        search = load_saved(checkpoint, search) or search
        say(f"(going on: {search.progress})")
    with connected(dask) as cluster, compile_notice():
        executor = cluster and cluster.executor
        steering = Steering(search, limit, seconds, threads, executor, checkpoint, every)
        write = None if count else lambda options: problem.format(options, style)
        raise typer.Exit(steering.steer(write))


def _print_cheapest(problem: ExactCover, k: int, style: str) -> int:
    """Print the `k` cheapest covers. Returns the exit status."""
    begin = time.perf_counter()
    try:
        with compile_notice():
            found = problem.cheapest(k)
    except KeyboardInterrupt:
        say("Stopped before the end: no cover is known to be the cheapest.")
        return STOPPED
    with safe_output():
        for _, options in found:
            typer.echo(problem.format(options, style))
    say_statistics(problem.statistics, time.perf_counter() - begin)
    return 0 if found else 1


def _problem(file: str, choose: str, **how: Any) -> ExactCover:
    """The problem in the file, described on standard error. Fails where there is none."""
    source = "<stdin>" if file == "-" else file
    try:
        stated = read_problem(file)
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None
    try:
        with interruptible(), compile_notice():
            order: str | Sequence[Hashable] = choose
            if choose not in CHOICES:  # the items of a matrix are numbers
                named = {str(item): item for item in ExactCover.of(stated).items}
                order = [named.get(word, word) for word in choose.split(",") if word]
            problem = ExactCover.of(stated, choose=order, **how)
    except ValueError as error:
        raise fail(f"{source}: {error}") from None
    say(f"({problem.summary()} successfully read)")
    if problem.presolved is not None:
        options, forced, items = problem.presolved
        removed = f"{len(options):,} options and {len(items):,} items removed"
        say(f"(presolved: {removed}, {len(forced):,} options forced)")
    return problem


def _numbers(text: str, name: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise fail(f"{name} takes option numbers with commas between, not {text!r}") from None
