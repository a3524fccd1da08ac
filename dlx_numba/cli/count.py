"""`count`: count the covers of an exact cover problem."""

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any, NoReturn, cast

import typer

from ..cover.base import restated
from ..cover.counting import METHODS, CoverCounter, Method
from ..cover.diagram import CoverDiagram
from ..cover.exact_cover import ExactCover
from ..cover.orbits import OrbitCounter
from ..cover.solutions import start_counter
from ..cover.stated import stated_of
from ..cover.text import COVER_STYLES
from ..kernels.dlx.state import UNLIMITED
from ..puzzles.puzzle import Puzzle
from ..puzzles.sudoku import BoardPuzzle
from ..runtime.text import all_digits
from ..search.search import Search
from . import options
from .inputs import ProblemOptions, matching_items
from .output import check_file, is_shown, last_record
from .proof import certify
from .run import Run
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
    folder: str | None = options.text("Keep levels of a memo in FOLDER; continue there.", "FOLDER"),
    up_to_symmetry: options.UpToSymmetry = False,
    distinct: options.Distinct = None,
    mirror_images: bool = options.flag("Count mirror images of assemblies, too."),
    search: SearchOptions,
    problem: ProblemOptions,
) -> None:
    """Count the covers of an exact cover problem.

    Examples:
      dlx-numba count queens.dlx
      dlx-numba count --distinct 'piece*' puzzle.dlx
      dlx-numba count --folder levels --memory 1G tilings:region=30x30

    --folder implies --method memo, and the next call continues there. --choose, --limit,
    --checkpoint, --dask and several --threads imply --method search.

    Exit status: 0 if there are covers, 1 if there are none
    """
    problem.check_seed()
    searches = search.used()
    options.require("--batch", "--format csv")
    options.require("--frequencies or --batch", "--format numbers", "--format names")
    options.require("--frequencies", "--format svg")
    others = "--frequencies", "--up-to-symmetry", "--distinct", "--mirror-images"
    ways = "--algorithm", "--choose", "--consistency"  # of a search
    options.reject("--certificate", "--batch", "--folder", "--method", *ways, *others, *searches)
    options.reject("--batch", "--method", *others, "--memory")
    options.reject("--mirror-images", "--limit", "--distinct")
    options.reject("--method memo", *ways, *searches)
    options.reject("--method search", "--memory", "--folder")
    options.reject("--frequencies", *ways, "--method", *searches)
    options.reject("--up-to-symmetry", "--frequencies", "--choose", *{*searches} - {"--threads"})
    unlimited = {*searches} - {"--limit", "--resume"}
    kinds = "--method", "--choose", "--frequencies", "--up-to-symmetry"
    options.reject("--distinct", *kinds, *unlimited)
    if folder is not None:
        method, searches = "memo", [name for name in searches if name != "--threads"]
        options.reject("--folder", "--batch", *ways, *others, *searches)
    if options.is_used("--choose"):
        method = "search"
    if not (frequencies or up_to_symmetry):
        options.reject("--memory", *searches)
    if certificate is not None:
        check_file("--certificate", certificate, ["-", problem.output], problem.file)
        with problem.reading() as stated:
            stated = stated.replace(memory=memory)
            n_covers = certify(stated, certificate, None, problem.stop)
            number = all_digits(n_covers)
            typer.echo(last_record(True, count=number) if style == "json" else number)
        raise ending(is_solved=n_covers > 0)
    if batch is not None:
        from .batch_run import run_batch  # most runs have no batch

        run_batch(batch, problem, search, style or "numbers")
    found = problem.read()
    puzzles, is_single = problem.several(found)
    puzzle = next(puzzles)
    # Givens of boards may exclude each other: their number of solutions is 0.
    with failing(f"{problem.source}: "):
        is_impossible = found.chunks is not None and problem.stop.call(
            lambda: puzzle.is_contradictory
        )
    has_parts = is_single and puzzle.condition is None and not puzzle.counts_classes
    is_searched = has_parts and not is_impossible
    subject = "this puzzle" if is_single else "several puzzles"
    if not has_parts:
        parts = "--given", "--forbidden", "--folder", "--method", "--memory", "--presolve"
        options.reject(subject, *parts, *ways)
    if not is_searched:
        options.reject(subject, "--frequencies", "--up-to-symmetry", *unlimited)
    # Boards with rules are searched as boards, unless an option needs their covers. A puzzle among
    # others that are unreadable is one of several.
    needs = "--frequencies", "--up-to-symmetry", "--given", "--forbidden", "--memory", "--presolve"
    needs_covers = any(map(options.is_used, (*needs, *ways, *unlimited)))
    is_partial = problem.n_unreadable and not options.is_used("--puzzle")
    if method == "auto" and not needs_covers and (puzzle.has_boards or is_partial):
        is_searched = False
    if not is_searched or distinct or mirror_images:
        limit = None if search.limit == UNLIMITED else search.limit
        resources = {"threads": search.threads, "memory": memory}
        counted = (each.with_settings(**resources) for each in chain([puzzle], puzzles))
        wanted = limit, distinct, mirror_images, style == "json"
        options.reject(subject, "--checkpoint", "--every")
        run = problem.run(problem.output, search.resume)
        _count_puzzles(run, problem, counted, is_single, *wanted)
    with search.reading(problem, puzzle) as (stated, saved):
        stated = stated.replace(memory=memory)
        if frequencies:
            with diagram_of(stated, problem.stop) as diagram:
                _print_frequencies(stated, diagram, problem, style)
        own = stated_of(stated)
        counter: Search | CoverCounter | OrbitCounter
        if up_to_symmetry:
            how = cast(Method, method)
            counter = OrbitCounter(own.problem, own.restriction, None, own.settings, how)
        else:
            how = cast(Method, "search" if searches else method)
            counter = saved or start_counter(own, how, limit=search.limit, folder=folder)
        SearchRun(counter, problem.stop, search, search.limit).print_count(style)


def _print_frequencies(
    stated: ExactCover, diagram: CoverDiagram, problem: ProblemOptions, style: str | None
) -> None:
    """Print for each option how many covers contain it: for people, as a table or as heat maps."""
    if style == "svg":
        typer.echo(diagram.frequencies(stop=problem.stop).svg())
        return
    is_table = is_shown(problem.output) and style != "json"
    labels = [str(problem.start + option) for option in range(stated.n_options)]
    own = stated_of(stated)  # an option alone costs no penalties
    names = own.names._replace(penalties=None)
    stated = restated(stated, own.with_attributes(names=names))
    if is_table or style not in (None, "numbers"):
        labels = [problem.format_cover(stated, [k], style or "names") for k in range(len(labels))]
    width = max(map(len, ["option", *labels]))
    if is_table:
        typer.echo(f"{'option':{width}} {'covers':>12}")
    for label, frequency in zip(labels, diagram.frequencies(stop=problem.stop), strict=True):
        line = (
            f"{label:{width}} {frequency:>12,}" if is_table else f"{label}\t{all_digits(frequency)}"
        )
        if style == "json":
            line = f'{label[:-1]}, "covers": {all_digits(frequency)}}}'
        typer.echo(line)
    if style == "json":
        typer.echo(last_record(True, count=all_digits(diagram.count())))


def _count_puzzles(
    run: Run,
    inputs: ProblemOptions,
    puzzles: Iterable[Puzzle],
    is_single: bool,
    limit: int | None,
    distinct: list[str] | None,
    mirror_images: bool,
    is_json: bool,
) -> NoReturn:
    """Print the number of solutions of each puzzle of the input, or of distinct ones.

    For people, the places of several puzzles precede their numbers.
    """
    inputs.report_size()
    is_placed = is_shown(inputs.output) and not is_single
    with run.writing(), run.printing():
        for puzzle in islice(puzzles, run.n_records, None):
            with failing(f"{puzzle.place or inputs.source}: ", start=inputs.start):
                count = _count_puzzle(inputs, puzzle, limit, distinct, mirror_images)
            run.status_counts["solved" if count else "none"] += 1
            number = all_digits(count)
            if is_json:
                fields = {} if is_single else {"place": puzzle.place}
                fields |= {"status": "limit"} if count == limit else {}
                typer.echo(last_record(True, **fields, count=number))
            else:
                typer.echo(f"{puzzle.place}: {number}" if is_placed else number)
            run.end_record()
    raise inputs.ending(is_solved=not run.status_counts["none"])


def _count_puzzle(
    inputs: ProblemOptions,
    puzzle: Puzzle,
    limit: int | None,
    distinct: list[str] | None,
    mirror_images: bool,
) -> int:
    """Return the number of solutions of a puzzle, or of distinct ones."""
    stop = inputs.stop
    if not isinstance(puzzle, BoardPuzzle) or distinct is not None:
        stop.call(lambda: puzzle.is_contradictory)
    if mirror_images:
        if not puzzle.counts_classes:
            raise fail("--mirror-images: this puzzle is not counted up to symmetry")
        assembled: Any = puzzle
        return int(assembled.assemblies(True, stop=stop))
    if distinct is None or puzzle.is_contradictory:
        return puzzle.count(limit, stop=stop)
    if puzzle.condition is not None:
        raise fail("--distinct: not all conditions of this puzzle are items")
    cover = inputs.state(puzzle)
    return cover.count(limit, distinct=matching_items(cover, distinct), stop=stop)
