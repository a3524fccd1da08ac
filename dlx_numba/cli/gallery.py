"""`gallery`: list, solve, draw and export well-known problems."""

import inspect
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from typing import Annotated, Any

import typer

from ..cover.counting import CoverCounter, Method
from ..cover.exact_cover import ExactCover
from ..cover.orbits import OrbitCounter, count_orbits
from ..cover.prepare import CHOICES
from ..cover.solutions import start_counter
from ..kernels.dlx.state import UNLIMITED
from ..kinds.kind import examples, find_example
from ..kinds.parameters import parameters as parameter_texts
from ..kinds.parameters import with_parameters
from ..kinds.puzzle import Puzzle
from ..runtime.errors import Stopped
from ..runtime.resources import memory_limit
from ..search.search import Search
from . import options
from .cover_problem import explaining
from .explain import report_record
from .output import check_output, redirected_output, write_text
from .run import Run
from .search_run import RunOptions, SearchOptions, SearchRun, diagram_of
from .terminal import describe_work, fail, failing, report

MAX_PARAMETER_LENGTH = 60  # characters, in the list
SAMPLE_MEMORY = 1 << 30  # larger diagrams are rarely complete in a minute


def gallery(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Problem to solve; all are listed if omitted.",
            autocompletion=lambda: list(examples()),
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PARAMETER=VALUE",
            help="Parameters that differ from the defaults.",
            autocompletion=lambda ctx: _complete_parameters(ctx.params),
        ),
    ] = None,
    about: Annotated[
        bool, options.flag("Describe the problem, its items and its options.")
    ] = False,
    count: Annotated[bool, options.flag("Print only the number of solutions.")] = False,
    limit: Annotated[
        int | None,
        options.limit("Find at most N solutions.", show_default="1, or all with --count"),
    ] = None,
    up_to_symmetry: options.UpToSymmetry = False,
    sample: Annotated[
        int | None, options.number("Print N random solutions; all are equally probable.")
    ] = None,
    memory: Annotated[
        int | None, options.size("Memory for the diagram of a sample, such as 2G.", "1G")
    ] = None,
    seed: Annotated[
        int | None,
        options.number("Seed of the random order of the search, or of the sample.", minimum=None),
    ] = None,
    output: options.OutputFile = "-",
    svg: Annotated[
        str | None, options.svg("Draw the first solution as SVG; - for standard output.")
    ] = None,
    page: Annotated[
        str | None,
        options.text(
            "Write a page that shows the search.",
            "PAGE",
            "--explain",
            parser=options.path_of("HTML"),
        ),
    ] = None,
    title: Annotated[
        str | None, options.text("Title of the page.", "TITLE", show_default="NAME")
    ] = None,
    steps: Annotated[
        int | None, options.number("Maximum number of steps of the page.", show_default="1000")
    ] = None,
    choose: Annotated[
        Any, options.choice(CHOICES, "The next item on the page", show_default="smallest")
    ] = None,
    knuth: Annotated[bool, options.flag("Print the problem in Knuth's text format.")] = False,
    seconds: options.TimeLimit = None,
    quiet: options.Quiet = False,
    run: RunOptions,
) -> None:
    """Solve, draw or list well-known exact cover problems.

    Examples:
      dlx-numba gallery queens n=12 --count
      dlx-numba gallery polyominoes --count --up-to-symmetry
      dlx-numba gallery queens n=18 --count --checkpoint saved
      dlx-numba gallery macmahon --seed 1 --svg squares.svg
      dlx-numba gallery tilings sizes=4 --sample 3
      dlx-numba gallery langford n=7 --knuth
      dlx-numba gallery polyominoes --explain pentominoes.html

    Prints the first solution of a problem, or the one of lowest cost if its options have costs.
    Without NAME, lists all problems and their parameters with the default values.

    Exit status: 0 if solutions were found, 1 if there are none, 2 for a usage error,
    3 if it was stopped before its end, 130 if interrupted.
    """
    if name is None:
        options.reject_all("a list of problems")
        _list_problems()
        return
    if about:
        options.reject_all("--about")
        with failing():
            typer.echo(_describe(find_example(name)))
        return
    options.require("--explain", "--title", "--steps", "--choose")
    others = "--count", "--svg", "--knuth", "--sample", "--output", "--up-to-symmetry"
    options.reject("--explain", *others)
    options.reject("--up-to-symmetry", "--sample", "--checkpoint", *["--limit"] * count)
    options.reject("--knuth", "--count", "--svg", "--limit", "--up-to-symmetry", "--seconds")
    options.reject("--count", "--svg")
    options.require("--count", "--threads", "--checkpoint", "--resume")
    options.require("--sample", "--memory")
    options.reject("--sample", "--count", "--limit", "--knuth")
    with failing():
        create = find_example(name)
    with failing(f"{name}: "):
        puzzle = with_parameters(create, parameters or [])
    is_plain = puzzle.condition is None
    if (count or up_to_symmetry or sample is not None) and not is_plain:
        option = "--count" if count else "--up-to-symmetry" if up_to_symmetry else "--sample"
        reason = "it would include covers that are no solutions, see --about; use --limit all"
        raise fail(f"{name}: {option}: {reason}")
    parameter_values = [each.partition("=")[2] for each in parameters or []]
    if svg is not None:  # a parameter can be the name of an input file
        check_output(svg, *parameter_values)
    with redirected_output(output, *parameter_values):
        is_analyzed = sample is not None or (seed is None and (count or knuth or page is not None))
        order = puzzle.order_seed if seed is None else seed
        if choose is not None:
            problem = puzzle.cover(choose=choose, seed=seed)
        elif is_analyzed or order is None:
            problem = puzzle.cover()
        else:
            problem = puzzle.cover(choose="random", seed=order)
        if knuth:
            with failing("--knuth: "):  # a name that cannot be written in Knuth's format
                sys.stdout.write(problem.to_knuth())
            return
        if page is not None:
            with failing(f"{name}: "):
                title = title or " ".join([name, *(parameters or [])])
                recorded = problem.explain(
                    title=title, steps=steps or 1000, limit=limit, seconds=seconds
                )
            write_text(page, recorded.html, *parameter_values)
            report_record(recorded)
            report(f"Written to {page}.")
            return
        report(f"({problem.summary()})")
        words = ["dlx-numba", "gallery", name, *(parameters or []), "--knuth"]
        diagnosis = f"`{shlex.join(words)} | dlx-numba diagnose -`"
        with explaining(problem, diagnosis) if is_plain else nullcontext():
            if count:
                problem = problem.replace(threads=run.threads)
                search = SearchOptions(requested_limit=limit, **vars(run))
                saved = search.search(problem, is_resumed=search.load(Search) is not None)
                method: Method = "search" if search.used() else "auto"
                work: Search | CoverCounter | OrbitCounter
                with failing("--up-to-symmetry: " * up_to_symmetry):
                    if up_to_symmetry:
                        work = count_orbits(problem._stated, None, method)
                    else:
                        work = saved or start_counter(problem._stated, method, limit=search.limit)
                    SearchRun(work, seconds, search, limit=search.limit).print_count()
            if sample is not None:
                if memory is None:
                    memory = min(memory_limit(None), SAMPLE_MEMORY)
                with (
                    failing("--sample: "),
                    diagram_of(problem.replace(memory=memory), seconds=seconds) as diagram,
                ):
                    covers = diagram.sample(sample, seed=seed) if diagram.count() else []
                    _print(puzzle, problem, covers, svg)
            command = Run(is_shown=False)
            solutions = _solutions(puzzle, problem, limit or 1, up_to_symmetry, seconds)
            n_found = _print(puzzle, problem, solutions, svg)
            described = describe_work(*problem.statistics[1:])
            command.end_search(n_found, described, is_limited=n_found == (limit or 1))


def _print(
    puzzle: Puzzle, problem: ExactCover, solutions: Iterable[list[int]], svg: str | None
) -> int:
    """Print solutions, draw the first one, and return their number."""
    n_found = 0
    for solution in solutions:
        if not n_found and svg is not None:
            write_text(svg, puzzle.svg(solution))
        if svg != "-":
            typer.echo("\n" * (n_found > 0) + puzzle.text(solution))
        n_found += 1
        if cost := problem.cost(solution):
            report(f"Its cost is {cost:,}.")
    if not n_found:
        report("There is no solution.")
    return n_found


def _solutions(
    puzzle: Puzzle, problem: ExactCover, limit: int, up_to_symmetry: bool, seconds: float | None
) -> Iterator[list[int]]:
    """Yield the first solutions, or those of lowest cost if options have costs."""
    has_costs = problem.problem.cost is not None
    with failing("--up-to-symmetry: " * up_to_symmetry):
        if has_costs and (up_to_symmetry or limit != UNLIMITED):
            found = problem.cheapest(limit, up_to_symmetry=up_to_symmetry, seconds=seconds)
            yield from found
            if not found.done:
                raise Stopped("stopped before the end")
        elif up_to_symmetry:
            yield from problem.solve(limit, up_to_symmetry=True, seconds=seconds)
        elif has_costs:
            yield from sorted(problem.solve(seconds=seconds), key=problem.cost)
        else:
            is_plain = puzzle.condition is None
            covers: Any = problem.iterate(limit if is_plain else UNLIMITED, seconds=seconds)
            yield from covers if is_plain else islice(filter(puzzle.condition, covers), limit)


def _complete_parameters(values: dict[str, Any]) -> list[str]:
    """Return the parameters of the problem on the command line, with their defaults."""
    create, used = examples().get(str(values.get("name"))), values.get("parameters") or []
    names = {each.partition("=")[0] for each in used}
    texts = [] if create is None else parameter_texts(create)
    return [text for text in texts if text.partition("=")[0] not in names]


def _describe(create: Callable[..., Any]) -> str:
    """Return the docstring of a problem without its examples."""
    return (inspect.getdoc(create) or "").partition("\n>>>")[0].rstrip()


def _list_problems() -> None:
    """Print the name, summary and parameters of each problem."""
    for name, create in examples().items():
        typer.echo(f"{name:13} {_describe(create).splitlines()[0]}")
        for parameter in parameter_texts(create):
            suffix = " ..." * (len(parameter) > MAX_PARAMETER_LENGTH)
            typer.echo(f"{'':14}{parameter[:MAX_PARAMETER_LENGTH]}{suffix}")
