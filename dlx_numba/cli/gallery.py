"""`gallery`: list the kinds of puzzles and problems, and describe their examples."""

import inspect
from typing import Annotated, Any

import typer

from ..kinds.kind import KINDS, find_example, load_kind
from ..kinds.parameters import parameters
from . import options
from .terminal import failing

MAX_PARAMETER_LENGTH = 60  # characters, in the list


def gallery(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Kind of puzzle to describe; all are listed if omitted.",
            autocompletion=lambda: list(KINDS),
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """List the kinds of puzzles and problems, or describe the example of one.

    Examples:
      dlx-numba gallery
      dlx-numba gallery queens
      dlx-numba solve queens:n=12
      dlx-numba count tilings:sizes=2:region=6x6

    Without NAME, lists all kinds, their parameters with the default values, and the files that they
    read. All commands take an example in place of a file: its name, parameters after colons.
    """
    if name is not None:
        with failing():
            typer.echo(_describe(find_example(name)))
        return
    for kind in KINDS:
        module = load_kind(kind)
        example, formats = getattr(module, "example", None), getattr(module, "formats", "")
        typer.echo(f"{kind:13} {_describe(example or module).splitlines()[0]}")
        for parameter in parameters(example) if example else ():
            suffix = " ..." * (len(parameter) > MAX_PARAMETER_LENGTH)
            typer.echo(f"{'':14}{parameter[:MAX_PARAMETER_LENGTH]}{suffix}")
        if formats:
            typer.echo(f"{'':14}reads {formats}")


def _describe(example: Any) -> str:
    """Return the docstring of an example without its own examples."""
    return (inspect.getdoc(example) or "").partition("\n>>>")[0].rstrip()
