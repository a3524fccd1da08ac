"""`count`: count the covers of an exact cover problem."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NoReturn, cast

import typer

from ..cover.counting import CoverCounter
from ..cover.diagram import CoverDiagram
from ..cover.exact_cover import ExactCover, with_named
from ..cover.named_problem import named_problem
from ..cover.orbits import OrbitCounter, start_orbit_counter
from ..cover.solutions import start_counter
from ..puzzles.puzzle import Puzzle
from ..puzzles.sudoku import BoardPuzzle
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import Method
from ..runtime.errors import Stopped
from ..runtime.text import all_digits
from ..search.search import Search
from .commands.problems import CountFields
from .inputs import ProblemOptions
from .output import check_file, is_shown, last_record, recording_stop
from .proof import certify
from .search_run import SearchOptions, SearchRun, diagram_of
from .selection import fixed_problem, matching_items
from .terminal import ending, fail, failing

OTHERS = "--frequencies", "--up-to-symmetry", "--distinct", "--mirror-images", "--fixed-by"
WAYS = "--algorithm", "--choose", "--consistency"  # of a search
SEARCHES = "--limit", "--threads", "--checkpoint", "--dask", "--resume", "--every"
# What cannot be combined: an option, others that it excludes, and of the options that imply a
# search (`SearchOptions.used`), those that it takes; it excludes all others of these.
EXCLUDED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("--certificate", ("--batch", "--folder", "--method", *WAYS, *OTHERS), ()),
    ("--batch", ("--method", *OTHERS, "--memory"), SEARCHES),
    ("--mirror-images", ("--limit", "--distinct"), SEARCHES),
    (
        "--fixed-by",
        ("--distinct", "--mirror-images", "--up-to-symmetry"),
        ("--limit", "--threads", "--dask"),
    ),
    ("--method memo", WAYS, ()),
    ("--method search", ("--memory", "--folder"), SEARCHES),
    ("--frequencies", (*WAYS, "--method"), ()),
    ("--up-to-symmetry", ("--frequencies", "--choose"), ("--threads",)),
    (
        "--distinct",
        ("--method", "--choose", "--frequencies", "--up-to-symmetry"),
        ("--limit", "--resume"),
    ),
    ("--folder", ("--batch", *WAYS, *OTHERS), ("--threads",)),
)


@dataclass(kw_only=True)
class CountOptions(CountFields):
    """The options that say what is counted, and how."""

    def check(self, searches: list[str]) -> list[str]:
        """Fail if options exclude each other, and set the method that they imply.

        `searches` are the used options that usually imply a search. Return those of them that do so
        here: a count in a folder has threads, but no search.
        """
        self.call.require("--batch", "--format csv")
        self.call.require("--frequencies or --batch", "--format numbers", "--format names")
        self.call.require("--frequencies", "--format svg")
        for option, others, taken in EXCLUDED:
            self.call.reject(option, *others, *(name for name in searches if name not in taken))
        if self.folder is not None:
            self.method = "memo"
            searches = [name for name in searches if name != "--threads"]
        if self.call.is_used("--choose"):
            self.method = "search"
        if not (self.frequencies or self.up_to_symmetry):
            self.call.reject("--memory", *searches)
        return searches


def count(
    *,
    wanted: CountOptions,
    search: SearchOptions,
    problem: ProblemOptions,
) -> None:
    """Count the covers of an exact cover problem."""
    problem.check_seed()
    searches = wanted.check(search.used())
    if wanted.certificate is not None:
        _certify(wanted, problem)  # ends the command, as `run_batch` and `_count_puzzles` do
    if wanted.batch is not None:
        from .batch_run import run_batch  # most runs have no batch

        run_batch(wanted.batch, problem, search, wanted.style or "numbers")
    puzzles, is_single = problem.several(problem.read())
    puzzle = next(puzzles)
    is_searched = _is_searched(wanted, search, problem, puzzle, is_single)
    if not is_searched or wanted.distinct or wanted.mirror_images:
        counted = (
            each.with_settings(threads=search.threads, memory=wanted.memory)
            for each in chain([puzzle], puzzles)
        )
        _count_puzzles(wanted, search, problem, counted, is_single)
    # `to_save` is the search of a checkpoint, if there is one.
    with search.reading(problem, puzzle) as (exact_cover, to_save):
        exact_cover = exact_cover.replace(memory=wanted.memory)
        with recording_stop(wanted.style, bound="0"):
            searched = fixed_problem(exact_cover, wanted.fixed_by, problem.stop)
        if wanted.frequencies:  # the block ends the command
            with diagram_of(problem.call, searched, problem.stop) as diagram:
                _print_frequencies(exact_cover, diagram, problem, wanted.style)
        own = named_problem(searched)
        counter: Search | CoverCounter | OrbitCounter
        if wanted.up_to_symmetry:
            how = cast(Method, wanted.method)
            counter = start_orbit_counter(own, how, True, problem.stop)
        else:
            how = cast(Method, "search" if searches else wanted.method)
            folder = wanted.folder
            counter = to_save or start_counter(own, how, limit=search.limit, folder=folder)
        SearchRun(problem.call, counter, problem.stop, search, search.limit).print_count(
            wanted.style
        )


def _certify(wanted: CountOptions, problem: ProblemOptions) -> NoReturn:
    """Print the number of covers, and write its certificate."""
    certificate = cast(str, wanted.certificate)
    check_file("--certificate", certificate, ["-", problem.output], problem.file)
    with problem.reading() as exact_cover:
        exact_cover = exact_cover.replace(memory=wanted.memory)
        n_covers = certify(exact_cover, certificate, None, problem.stop)
        number = all_digits(n_covers)
        typer.echo(last_record(True, count=number) if wanted.style == "json" else number)
    raise ending(is_solved=n_covers > 0)


def _is_searched(
    wanted: CountOptions,
    search: SearchOptions,
    problem: ProblemOptions,
    puzzle: Puzzle,
    is_single: bool,
) -> bool:
    """Return whether the covers of one problem are counted, otherwise the solutions of puzzles.

    `puzzle` is the first one to count, and `is_single` says that it is the only one. Fails if an
    option concerns the search, but there is none.
    """
    # Givens may exclude each other: the number of solutions is 0, but there are no frequencies.
    with failing(f"{problem.source}: "):
        is_impossible = not wanted.frequencies and problem.stop.call(
            lambda: puzzle.is_contradictory
        )
    # Otherwise, solutions are not covers: a condition excludes some, or several are counted as one.
    counts_covers = is_single and puzzle.condition is None and not puzzle.counts_classes
    search_options = {*search.used()} - {"--limit", "--resume"}  # which all counts have
    selections = "--given", "--forbidden", "--memory", "--presolve"
    questions = "--frequencies", "--up-to-symmetry", "--fixed-by"  # about covers
    if not counts_covers:
        subject = "this puzzle" if is_single else "several puzzles"
        parts = "--given", "--forbidden", "--folder", "--method", "--memory", "--presolve"
        others = search_options if is_single else search_options - {"--threads"}
        problem.call.reject(subject, *parts, *WAYS, *questions, *others)
    # Boards with rules are searched as boards, unless an option needs their covers. A puzzle among
    # others that are unreadable is one of several.
    needs = (*questions, *selections, *WAYS, *search_options)
    needs_covers = any(map(problem.call.is_used, needs))
    is_one_of_several = problem.n_unreadable and not problem.call.is_used("--puzzle")
    is_board = wanted.method == "auto" and (puzzle.has_boards or is_one_of_several)
    return counts_covers and not is_impossible and (needs_covers or not is_board)


def _print_frequencies(
    exact_cover: ExactCover, diagram: CoverDiagram, problem: ProblemOptions, style: str | None
) -> None:
    """Print for each option how many covers contain it: for people, as a table or as heat maps."""
    if style == "svg":
        typer.echo(diagram.frequencies(stop=problem.stop).svg())
        return
    is_table = is_shown(problem.output) and style != "json"
    labels = [str(problem.start + option) for option in range(exact_cover.n_options)]
    if is_table or style not in (None, "numbers"):
        own = named_problem(exact_cover)
        names = own.names._replace(penalties=None)  # which an option alone does not cost
        exact_cover = with_named(exact_cover, own.with_attributes(names=names))
        labels = [
            problem.format_cover(exact_cover, [k], style or "names") for k in range(len(labels))
        ]
    width = max(map(len, ["option", *labels]))
    if is_table:
        typer.echo(f"{'option':{width}} {'covers':>12}")
    for label, frequency in zip(labels, diagram.frequencies(stop=problem.stop), strict=True):
        if is_table:
            typer.echo(f"{label:{width}} {frequency:>12,}")
        elif style == "json":  # the label is an object, which gets a further member
            typer.echo(f'{label[:-1]}, "covers": {all_digits(frequency)}}}')
        else:
            typer.echo(f"{label}\t{all_digits(frequency)}")
    if style == "json":
        typer.echo(last_record(True, count=all_digits(diagram.count())))


def _count_puzzles(
    wanted: CountOptions,
    search: SearchOptions,
    problem: ProblemOptions,
    puzzles: Iterable[Puzzle],
    is_single: bool,
) -> NoReturn:
    """Print the number of solutions of each puzzle of the input, or of distinct ones.

    For people, the places of several puzzles precede their numbers. The puzzles that the continued
    run has counted are passed over.
    """
    limit = None if search.limit == UNLIMITED else search.limit
    run = problem.run(problem.output, search.resume)
    problem.report_size()
    is_placed = is_shown(problem.output) and not is_single
    with run.writing(), run.printing():
        for puzzle in islice(puzzles, run.n_records, None):
            fields = {} if is_single else {"place": puzzle.place}
            try:
                with failing(f"{puzzle.place or problem.source}: ", start=problem.start):
                    count = _count_puzzle(wanted, problem, puzzle, limit)
            except Stopped as stopped:
                if wanted.style == "json":
                    bound = all_digits(stopped.partial or 0)
                    typer.echo(last_record(False, **fields, bound=bound))
                if is_single:
                    raise
                later = f"{puzzle.place} and the puzzles after it are not counted"
                raise Stopped(f"{stopped}: {later}") from None
            run.status_counts["solved" if count else "none"] += 1
            number = all_digits(count)
            if wanted.style == "json":
                if count == limit:
                    fields["status"] = "limit"
                typer.echo(last_record(True, **fields, count=number))
            else:
                typer.echo(f"{puzzle.place}: {number}" if is_placed else number)
            run.end_record()
    raise problem.ending(is_solved=not run.status_counts["none"])


def _count_puzzle(
    wanted: CountOptions, problem: ProblemOptions, puzzle: Puzzle, limit: int | None
) -> int:
    """Return the number of solutions of a puzzle, or of distinct ones."""
    stop = problem.stop
    # The first access to `is_contradictory` formulates the puzzle, for which the time is limited.
    if not isinstance(puzzle, BoardPuzzle) or wanted.distinct is not None:
        stop.call(lambda: puzzle.is_contradictory)
    if wanted.mirror_images:
        if not puzzle.counts_classes:
            raise fail("--mirror-images: this puzzle is not counted up to symmetry")
        assembled: Any = puzzle
        return int(assembled.assemblies(True, stop=stop))
    if wanted.distinct is None or puzzle.is_contradictory:
        return puzzle.count(limit, stop=stop)
    if puzzle.condition is not None:
        raise fail("--distinct: not all conditions of this puzzle are items")
    cover = problem.formulate(puzzle)
    return cover.count(limit, distinct=matching_items(cover, wanted.distinct), stop=stop)
