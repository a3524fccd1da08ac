"""The application: all commands, and the options of the program itself."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from .. import __version__
from .bench import bench
from .cover import cover
from .explain import explain
from .gallery import gallery
from .output import flushed_output, reopen_closed_streams
from .show import show
from .solve import solve
from .terminal import interruptible, report_warnings
from .warmup import warmup

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _add_command(function: Callable[..., None]) -> None:
    """Add a command. Its help ends with the exit statuses and examples of its docstring."""
    docstring = inspect.getdoc(function) or ""
    description, *epilog = re.split(r"\n\n(?=Exit status:|Examples:)", docstring, maxsplit=1)

    @wraps(function)
    def command(**arguments: Any) -> None:
        with interruptible():
            function(**arguments)

    app.command(help=description, epilog=epilog[0] if epilog else None)(command)


for _function in (solve, cover, gallery, show, explain, bench, warmup):
    _add_command(_function)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"dlx_numba {__version__}")
        raise typer.Exit


@app.callback(epilog="Example: `qqwing --generate 1000 --one-line | python -m dlx_numba solve -`")
def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Solve exact cover problems and Sudoku puzzles with Knuth's Dancing Links."""


def main() -> None:
    """Run the command given on the command line."""
    reopen_closed_streams()
    report_warnings()
    with flushed_output():
        app(prog_name="python -m dlx_numba")
