"""`count`: count the covers of an exact cover problem."""

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any, NoReturn, cast

import typer

from ..cover.counting import METHODS, CoverCounter, Method
from ..cover.diagram import CoverDiagram
from ..cover.exact_cover import ExactCover
from ..cover.orbits import OrbitCounter
from ..cover.solutions import start_counter
from ..cover.text import COVER_STYLES
from ..kernels.dlx.state import UNLIMITED
from ..kinds.puzzle import Puzzle
from ..runtime.interrupts import Stop
from ..runtime.text import all_digits
from ..search.search import Search
from . import options
from .cover_problem import ProblemOptions, certify, matching_items
from .output import check_file, is_shown, last_record
from .search_run import SearchOptions, SearchRun, diagram_of
from .terminal import ending, fail, failing


def count(
    *,
    method: str = options.choice(METHODS, "How to count", default="auto"),
    frequencies: bool = options.flag("Print for each option how many covers contain it."),
    style: str | None = options.style(
        (*COVER_STYLES, "csv", "svg"), "json, or the format of --frequencies and --batch"
    ),
    batch: options.BatchFile = None,
    certificate: options.CertificateFile = None,
    memory: options.MemoryLimit = None,
    folder: options.LevelFolder = None,
    up_to_symmetry: options.UpToSymmetry = False,
    distinct: options.Distinct = None,
    mirror_images: bool = options.flag("Count the mirror image of an assembly of pieces, too."),
    search: SearchOptions,
    problem: ProblemOptions,
) -> None:
    """Count the covers of an exact cover problem.

    Examples:
      dlx-numba count queens.dlx
      dlx-numba count --distinct 'piece*' puzzle.dlx
      dlx-numba count --folder levels --memory 1G tilings:region=30x30

    --folder implies --method memo, and the next call continues there. --limit,
    --checkpoint, --dask and several --threads imply --method search.

    Exit status: 0 if there are covers, 1 if there are none, 2 for a usage error or
    unreadable input, 3 if the count was stopped before its end.
    """
    problem.check_seed()
    if style == "csv" and batch is None:
        raise fail("--format csv needs --batch")
    if style in ("numbers", "names") and batch is None and not frequencies:
        raise fail(f"--format {style} needs --frequencies or --batch")
    if style == "svg" and not frequencies:
        raise fail("--format svg needs --frequencies")
    searches = search.used()
    if certificate is not None:
        others = "--batch", "--frequencies", "--method", "--up-to-symmetry", "--distinct", *searches
        problem.reject_search("--certificate")
        options.reject("--certificate", *others)
        check_file("--certificate", certificate, ["-", problem.output], problem.file)
        with problem.reading() as stated:
            stated = stated.replace(memory=memory)
            n_covers = certify(stated, certificate, None, Stop(problem.seconds))
            number = all_digits(n_covers)
            typer.echo(last_record(True, count=number) if style == "json" else number)
        raise ending(is_solved=n_covers > 0)
    if batch is not None:
        from .batch_run import run_batch  # most runs have no batch

        others = "--method", "--frequencies", "--memory", "--up-to-symmetry", "--distinct"
        options.reject("--batch", *others)
        run_batch(batch, problem, search, style or "numbers", has_covers=False)
    if folder is not None:
        if method == "search":
            raise fail("--folder cannot be combined with --method search")
        method, searches = "memo", [name for name in searches if name != "--threads"]
        options.reject("--folder", "--frequencies", "--up-to-symmetry", "--distinct", "--batch")
    if method == "memo":
        options.reject("--method memo", "--algorithm", "--choose", *searches)
    if method == "search":
        options.reject("--method search", "--memory")
    if not (frequencies or up_to_symmetry):
        options.reject("--memory", *searches)
    problem.reject_search("--frequencies")
    options.reject("--frequencies", "--method", *searches)
    options.reject("--up-to-symmetry", "--frequencies", *{*searches} - {"--threads"})
    options.reject("--distinct", "--method", "--frequencies", *{*searches} - {"--limit"})
    found = problem.read()
    puzzles = problem.puzzles(found)
    first = [*islice(puzzles, 2)]
    is_conditional = any(each.condition is not None or each.counts_classes for each in first)
    # Givens of boards may exclude each other: their number of solutions is 0.
    is_impossible = found.chunks is not None and any(each._is_contradictory for each in first)
    is_several = len(first) > 1 or is_conditional or is_impossible
    puzzles = chain(first, puzzles)
    if is_several and not options.is_used("--puzzle"):
        options.reject("several puzzles", "--frequencies", "--up-to-symmetry", *searches)
    else:
        puzzles = iter([puzzle := problem.select(puzzles)])
        is_several = bool(distinct or mirror_images or puzzle.counts_classes)
    if is_several:
        limit = None if search.limit == UNLIMITED else search.limit
        _count_puzzles(problem, puzzles, limit, distinct, mirror_images)
    with search.reading(problem, puzzle, is_count=True) as (stated, saved, _):
        stated = stated.replace(memory=memory)
        if frequencies:
            with diagram_of(stated, seconds=problem.seconds) as diagram:
                _print_frequencies(stated, diagram, problem, style)
        counter: Search | CoverCounter | OrbitCounter
        if up_to_symmetry:
            own, how = stated._stated, cast(Method, method)
            counter = OrbitCounter(own.problem, own.restriction, None, own.settings, how)
        else:
            chosen = cast(Method, "search" if searches else method)
            counter = saved or start_counter(
                stated._stated, chosen, limit=search.limit, folder=folder
            )
        SearchRun(counter, problem.seconds, search, limit=search.limit).print_count(style)


def _print_frequencies(
    stated: ExactCover, diagram: CoverDiagram, problem: ProblemOptions, style: str | None
) -> None:
    """Print for each option how many covers contain it: for people, as a table or as heat maps."""
    if style == "svg":
        with failing():
            typer.echo(diagram.frequencies().svg())
        return
    is_table = is_shown(problem.output) and style != "json"
    labels = [str(problem.start + option) for option in range(stated.n_options)]
    if is_table or style not in (None, "numbers"):
        labels = [problem.format_cover(stated, [k], style) for k in range(len(labels))]
    width = max(map(len, ["option", *labels]))
    if is_table:
        typer.echo(f"{'option':{width}} {'covers':>12}")
    for label, frequency in zip(labels, diagram.frequencies(), strict=True):
        line = (
            f"{label:{width}} {frequency:>12,}" if is_table else f"{label}\t{all_digits(frequency)}"
        )
        if style == "json":
            line = f'{label[:-1]}, "covers": {all_digits(frequency)}}}'
        typer.echo(line)
    if style == "json":
        typer.echo(last_record(True, count=all_digits(diagram.count())))


def _count_puzzles(
    inputs: ProblemOptions,
    puzzles: Iterable[Puzzle],
    limit: int | None,
    distinct: list[str] | None,
    mirror_images: bool,
) -> NoReturn:
    """Print the number of solutions of each puzzle of the input, or of distinct ones."""
    inputs.report_size()
    stop, n_without = Stop(inputs.seconds), 0
    for puzzle in puzzles:
        if mirror_images:
            if not puzzle.counts_classes:
                raise fail("--mirror-images: this puzzle is not counted up to symmetry")
            assembled: Any = puzzle
            count = assembled.assemblies(True, stop=stop)
        elif distinct is None or puzzle._is_contradictory:
            count = puzzle.count(limit, stop=stop)
        elif puzzle.condition is not None:
            raise fail("--distinct: not all conditions of this puzzle are items")
        else:
            cover = puzzle.cover()
            count = cover.count(limit, distinct=matching_items(cover, distinct), stop=stop)
        n_without += not count
        typer.echo(all_digits(count))
    raise ending(is_usable=not inputs.n_unreadable, is_solved=not n_without)
