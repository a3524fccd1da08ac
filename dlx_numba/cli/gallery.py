"""`gallery`: list the kinds of puzzles and problems, describe their examples, and solve them."""

import inspect
from typing import Annotated, Any

import typer

from ..kinds.kind import KINDS, find_example, load_kind
from ..kinds.parameters import parameters as parameter_texts
from ..kinds.reading import read_any
from . import options
from .inputs import InputOptions
from .puzzle_run import count_puzzles, solve_puzzles
from .terminal import failing

MAX_PARAMETER_LENGTH = 60  # characters, in the list


def gallery(
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
        typer.Argument(metavar="PARAMETER=VALUE", help="Parameters that differ from the defaults."),
    ] = None,
    about: Annotated[bool, options.flag("Describe the example: its items and options.")] = False,
    count: Annotated[bool, options.flag("Print only the number of solutions.")] = False,
    seed: Annotated[int | None, options.number("Seed of a random order.", minimum=None)] = None,
    limit: Annotated[int | None, options.limit("Find at most N solutions.", "1")] = None,
    svg: Annotated[str | None, options.svg("Draw the first solution as SVG.")] = None,
    seconds: options.TimeLimit = None,
) -> None:
    """List the kinds of puzzles and problems, or solve the example of one, as `solve` does.

    Examples:
      dlx-numba gallery
      dlx-numba gallery queens n=6
      dlx-numba gallery queens --about
      dlx-numba count tilings:sizes=2:region=6x6

    Without NAME, lists all kinds, their parameters with the default values, and the files that they
    read. All commands take an example in place of a file: its name, parameters after colons.
    """
    if name is not None:
        with failing():
            described = _describe(find_example(name))
        if about:
            typer.echo(described)
            return
        with failing(f"{name}: "):
            source = ":".join([name, *(parameters or [])])
            found = read_any(source)
        if count:
            options.reject("--count", "--seed", "--svg")
            inputs = InputOptions(file=source, seconds=seconds)
            count_puzzles(inputs, inputs.puzzles(found), limit)
        solve_puzzles([(source, found)], None, limit or 1, False, "-", svg, seconds, seed)
    for kind in KINDS:
        module = load_kind(kind)
        example, formats = getattr(module, "example", None), getattr(module, "formats", "")
        typer.echo(f"{kind:13} {_describe(example or module).splitlines()[0]}")
        for parameter in parameter_texts(example) if example else ():
            suffix = " ..." * (len(parameter) > MAX_PARAMETER_LENGTH)
            typer.echo(f"{'':14}{parameter[:MAX_PARAMETER_LENGTH]}{suffix}")
        if formats:
            typer.echo(f"{'':14}reads {formats}")


def _describe(example: Any) -> str:
    """Return the docstring of an example without its own examples."""
    return (inspect.getdoc(example) or "").partition("\n>>>")[0].rstrip()
