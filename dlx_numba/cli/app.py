"""The application: all commands, and the options of the program itself."""

import gc
import inspect
import re
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from .output import flushed_output, prepare_streams
from .terminal import interruptible, report_warnings

COMMANDS = (
    "solve",
    "rate",
    "generate",
    "minimize",
    "canonical",
    "cover",
    "gallery",
    "show",
    "explain",
    "bench",
    "warmup",
)

_SETTINGS: dict[str, Any] = {
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _import_command(name: str) -> Any:
    """Return the function of a command.

    If the garbage collector is disabled, it is enabled afterward. `python -m dlx_numba` starts
    without it, because modules contain no garbage: visiting their 70,000 objects again and again
    takes a sixth of the time that a single board takes. They are excluded from later collections,
    including the one at exit.
    """
    function = getattr(import_module(f".{name}", __package__), name)
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    return function


@cache
def _load_command(name: str) -> Any:
    """Return a command. Its help ends with the exit statuses and examples of its docstring."""
    function = _import_command(name)
    docstring = inspect.getdoc(function) or ""
    description, *epilog = re.split(r"\n\n(?=Exit status:|Examples:)", docstring, maxsplit=1)

    single = typer.Typer(add_completion=False, **_SETTINGS)
    single.command(help=description, epilog=epilog[0] if epilog else None)(function)
    return typer.main.get_command(single)


class _CommandGroup(TyperGroup):
    """All commands. The module of a command is imported when the command is needed.

    Importing all modules would take longer than solving a million puzzles. Ctrl-C and SIGTERM are
    handled in all phases, because Typer would exit without a message.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # for suggestions

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none with this name."""
        return _load_command(cmd_name) if cmd_name in COMMANDS else None

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the options of the program."""
        with interruptible():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Import a command, parse its options, and run it."""
        with interruptible():
            return super().invoke(ctx)


app = typer.Typer(cls=_CommandGroup, no_args_is_help=True, **_SETTINGS)


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
    prepare_streams()
    report_warnings()
    with flushed_output():
        app(prog_name="python -m dlx_numba")
