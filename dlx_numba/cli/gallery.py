"""`gallery`: list the kinds of puzzles and problems, and solve examples of them."""

import inspect
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from ..kinds.kind import KINDS, examples, load_kind
from ..kinds.parameters import parameters as parameter_texts
from ..kinds.reading import read_any
from . import options
from .count import count as count_covers
from .cover_problem import ProblemOptions
from .puzzle_run import solve_puzzles
from .search_run import SearchOptions
from .terminal import fail, failing

MAX_PARAMETER_LENGTH = 60  # characters, in the list


def gallery(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Kind of puzzle; all are listed if omitted.",
            autocompletion=lambda: list(KINDS),
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
    seed: Annotated[
        int | None, options.number("Seed of a random order of the search.", minimum=None)
    ] = None,
    output: options.OutputFile = "-",
    svg: Annotated[
        str | None, options.svg("Draw the first solution as SVG; - for standard output.")
    ] = None,
    threads: options.Threads = None,
    seconds: options.TimeLimit = None,
    quiet: options.Quiet = False,
) -> None:
    """List the kinds of puzzles and problems, and solve examples of them.

    Examples:
      dlx-numba gallery
      dlx-numba gallery queens n=12 --count
      dlx-numba gallery macmahon --seed 1 --svg squares.svg
      dlx-numba explain queens:n=6

    Without NAME, lists all kinds, their parameters with the default values, and the files that they
    read. All commands take an example in place of a file: its name, parameters after colons.

    Exit status: as for solve, and as for count with --count.
    """
    if name is None:
        options.reject_all("a list of kinds")
        _list_kinds()
        return
    example = examples().get(name)
    if example is None:
        nearest = "".join(f"; did you mean {n!r}?" for n in get_close_matches(name, KINDS, 1))
        has_none = f"the kind {name!r} has no example" if name in KINDS else f"no kind {name!r}"
        raise fail(has_none if name in KINDS else has_none + nearest)
    if about:
        options.reject_all("--about")
        typer.echo(_describe(example))
        return
    options.reject("--count", "--svg", "--seed")
    options.require("--count", "--threads", "--up-to-symmetry")
    source = ":".join([name, *(parameters or [])])
    if count:
        search = SearchOptions(requested_limit=limit, threads=threads)
        problem = ProblemOptions(file=source, output=output, seconds=seconds)
        count_covers(search=search, problem=problem, up_to_symmetry=up_to_symmetry)
        return
    with failing(f"{name}: "):
        found = read_any(source)
    solve_puzzles([(source, found)], None, limit or 1, False, output, svg, seconds, seed)


def _complete_parameters(values: dict[str, Any]) -> list[str]:
    """Return the parameters of the problem on the command line, with their defaults."""
    create, used = examples().get(str(values.get("name"))), values.get("parameters") or []
    names = {each.partition("=")[0] for each in used}
    texts = [] if create is None else parameter_texts(create)
    return [text for text in texts if text.partition("=")[0] not in names]


def _describe(example: Any) -> str:
    """Return the docstring of an example without its own examples."""
    return (inspect.getdoc(example) or "").partition("\n>>>")[0].rstrip()


def _list_kinds() -> None:
    """Print the name, summary, parameters and formats of each kind."""
    for name in KINDS:
        module = load_kind(name)
        example, formats = getattr(module, "example", None), getattr(module, "formats", "")
        described = _describe(example or module).splitlines()[0]
        typer.echo(f"{name:13} {described}")
        for parameter in parameter_texts(example) if example else ():
            suffix = " ..." * (len(parameter) > MAX_PARAMETER_LENGTH)
            typer.echo(f"{'':14}{parameter[:MAX_PARAMETER_LENGTH]}{suffix}")
        if formats:
            typer.echo(f"{'':14}reads {formats}")
