"""The commands, put together."""

from typing import Annotated

import typer

from .. import __version__
from .bench import bench
from .cover import cover
from .explain import explain
from .gallery import gallery
from .show import show
from .solve import solve
from .warmup import warmup

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (solve, cover, gallery, show, explain, bench, warmup):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dlx_numba {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Knuth's Dancing Links at the speed of C: whole files of Sudoku, and exact cover.

    Example: `qqwing --generate 1000 --one-line | python -m dlx_numba solve -`
    """


def main() -> None:
    """Run the command that the command line names."""
    app(prog_name="python -m dlx_numba")
