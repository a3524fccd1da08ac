"""`gallery`: list the kinds of puzzles and problems, and describe them."""

import inspect
from typing import Any

import typer

from ..puzzles.kind import load_kind
from ..puzzles.parameters import parameters
from ..puzzles.registry import KINDS
from .terminal import failing

MAX_PARAMETER_LENGTH = 60  # characters, in the list


def gallery(
    *,
    name: str | None,
) -> None:
    """List the kinds of puzzles and problems, or describe one of them."""
    if name is not None:
        with failing():
            module = load_kind(name)
        typer.echo(_describe(getattr(module, "example", module)))  # some have no example
        return
    for kind in KINDS:
        module = load_kind(kind)
        example = getattr(module, "example", None)
        formats = getattr(module, "formats", "")
        typer.echo(f"{kind:13} {_describe(example or module).splitlines()[0]}")
        for parameter in parameters(example) if example else ():
            suffix = " ..." if len(parameter) > MAX_PARAMETER_LENGTH else ""
            typer.echo(f"{'':14}{parameter[:MAX_PARAMETER_LENGTH]}{suffix}")
        if formats:
            typer.echo(f"{'':14}reads {formats}")


def _describe(documented: Any) -> str:
    """Return the docstring of an example or a module without its own examples."""
    return (inspect.getdoc(documented) or "").partition("\n>>>")[0].rstrip()
