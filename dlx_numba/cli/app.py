"""The application: all commands, and the options of the program itself."""

import gc
import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, partial, wraps
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from .. import __version__
from ..runtime import signals
from ..runtime.monitoring import watch_compilation
from ..runtime.resources import requested_threads
from . import options, terminal
from .call import Call
from .output import noting_old_files, prepare_streams, safe_output
from .summary import summarizing

COMMANDS = {
    "Sudoku": ("solve", "rate", "generate", "minimize", "canonical"),
    "Puzzles and problems": (
        *("cover", "count", "sample", "cheapest", "estimate", "hint", "diagnose", "verify"),
        *("puzzles", "gallery"),
    ),
    "Pictures": ("show", "explain"),
    "Tools": ("mcp", "demo", "bench", "warmup"),
}
COMMAND_NAMES = tuple(chain.from_iterable(COMMANDS.values()))
MODULES = "sudoku", "problems", "pictures", "tools"  # of `commands`, in the order of COMMANDS

SCRIPT_NAME = "dlx-numba"  # of the console script; the examples of all commands have it

MIN_ALLOCATIONS = 100_000  # between two garbage collections: options are many lists, and no cycles

PANELS = {  # of the help of a command: what an option concerns; the others are general
    "Problem": "given forbidden items optional cost name separator excel-sheet multiplicity "
    "penalty demand packing covering fewest most columns transpose header nonzero one-based box "
    "alphabet blank rules limit number check all batch up-to-symmetry fixed-by difficulty level "
    "clues symmetry minimal no-minimal boards paths show-givens unique distinct mirror-images",
    "Output": "output summary format details relax svg sheet solution per-page verbose title "
    "certificate frequencies full matrix symmetries links step steps-per-sheet worksheet "
    "condensed animated open with-steps",
    "Long runs": "threads seconds checkpoint every resume folder dask steps repeat cutoff",
    "Expert": "algorithm engine choose consistency order presolve method memory max-input seed "
    "strict clear",
}
USUAL = {  # the options in `--help` of the commands that have more; `--help-all` shows all
    "solve": "limit all check rules kind sheet format output seconds",
    "rate": "difficulty box format output summary threads seconds resume",
    "generate": "difficulty level clues symmetry rules seed format output",
    "minimize": "rules solution seed format output threads seconds resume",
    "canonical": "unique box format output summary threads seconds resume",
    "cover": "limit up-to-symmetry given kind items format output threads seconds",
    "count": "limit up-to-symmetry frequencies given kind format output seconds method",
    "sample": "number distinct seed given kind items format output seconds",
    "cheapest": "number given items optional cost demand format output seconds",
    "estimate": "paths choose given kind items format output seconds algorithm",
    "hint": "number all rules given kind puzzle format output seconds",
    "diagnose": "rules relax given kind puzzle items format output seconds",
    "verify": "kind puzzle items optional cost format output seconds",
    "puzzles": "number clues level size seed kind format output seconds",
    "show": "matrix full symmetries kind puzzle box items format output",
    "bench": "kind boards engine limit repeat details format output",
    "explain": "limit steps choose kind puzzle format worksheet output open",
}
GENERAL = ("quiet", "help_all", "help")  # the options of all commands
OTHER_STATUSES = (
    "2 for an error or a question, 3 if stopped, 4 for unreadable lines, 130 if interrupted."
)
COMPLETION_OPTIONS = ("--install-completion", "--show-completion")  # of Typer

_SETTINGS: dict[str, Any] = {
    "rich_markup_mode": None,  # boxes and bullets take space, and encodings may lack them
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["--help", "-h"]},
}

_UsageError: Any = typer.BadParameter.__base__  # recent versions of Typer contain a copy of Click


class _Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, and the arguments, which metavars describe without Python types."""
        parameters: list[Any] = super().get_params(ctx)
        for parameter in parameters:
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: None
                name = parameter.metavar if parameter.required else f"[{parameter.metavar}]"
                if parameter.nargs != 1:
                    name += "..."
                parameter.get_usage_pieces = lambda ctx, name=name: [name]
            if ctx.resilient_parsing:  # to complete a word, which needs no values
                parameter.process_value = lambda ctx, value: value
        return parameters

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after the name of the command."""
        rest: list[str] = super().parse_args(ctx, args)
        ctx.obj = Call(ctx)
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options of `USUAL`.

        With `--help-all`, and for the other commands, write all options, in panels.
        """
        parameters = self.get_params(ctx)
        sections = {title: list[Any]() for title in ("Arguments", *PANELS, "Options")}
        for parameter in parameters:
            names = {name.lstrip("-") for name in parameter.opts}
            panels = (title for title, words in PANELS.items() if names & set(words.split()))
            is_argument = parameter.param_type_name == "argument"
            sections["Arguments" if is_argument else next(panels, "Options")].append(parameter)
        # The callback of `--help-all` leaves a mark in the context.
        if self.name in USUAL and options.HELP_ALL not in ctx.meta:
            option_of = {name.lstrip("-"): each for each in parameters for name in each.opts}
            usual = [option_of[name] for name in USUAL[self.name].split()]
            general = [each for each in sections["Options"] if each.name in GENERAL]
            sections = {"Arguments": sections["Arguments"], "Options": usual + general}
        for title, members in sections.items():
            if members:
                with formatter.section(title):
                    formatter.write_dl([each.get_help_record(ctx) for each in members])


def _nearest_option(name: str, ctx: Any) -> str:
    """Return the end of the message about a wrong option: which one may be meant; "" if none.

    It is one whose name contains the wrong word between hyphens, or else one with a similar name.
    """
    options = [option for each in ctx.command.get_params(ctx) for option in each.opts]
    names = [option.removeprefix("--") for option in options if option.startswith("--")]
    word = name.lstrip("-")
    containing = [each for each in names if word in each.split("-")]
    similar = get_close_matches(word, names, n=1, cutoff=0.7)
    nearest = [*containing, *similar][:1]
    return "".join(f". Did you mean --{each}?" for each in nearest)


def _import_command(name: str) -> Any:
    """Return the function that runs a command.

    `python -m dlx_numba` disables the garbage collector while it imports. If so, freeze all objects
    so far, so that the collector skips them, also at exit, and enable it.
    """
    function = getattr(import_module(f".{name}", __package__), name)
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
        gc.set_threshold(MIN_ALLOCATIONS, *gc.get_threshold()[1:])
    return function


def _documented(name: str) -> tuple[Any, str]:
    """Return the function with the options of a command, and its docstring."""
    places = zip(MODULES, COMMANDS.values(), strict=True)
    module = next(module for module, names in places if name in names)
    function = getattr(import_module(f".commands.{module}", __package__), name)
    return function, inspect.getdoc(function) or ""


@cache
def _load_command(name: str, program: str) -> Any:
    """Return a command. Its help is its docstring; the exit statuses follow the options.

    The docstring says what 0 and 1 mean; the other statuses are those of all commands. `program` is
    the name in its examples. What runs the command is imported afterward, as that takes longer than
    to complete a word.
    """
    function, docstring = _documented(name)
    examples = docstring.replace(f"{SCRIPT_NAME} ", f"{program} ")
    description, _, statuses = examples.partition("\n\nExit status:")
    if statuses and not statuses.endswith("."):
        statuses += f", {OTHER_STATUSES}"
    run = options.with_groups(function, partial(_import_command, name))

    @wraps(run)
    def command(context: Any, **values: Any) -> None:
        # The summary has the status of output that cannot be written.
        call = context.obj
        with summarizing(call), noting_old_files(call), safe_output(), terminal.interruptible():
            run(context, **values)

    if name != "warmup":  # which displays what it compiles
        command = watch_compilation(lambda name: terminal.report_compilation())(command)
    single = typer.Typer(add_completion=False, **_SETTINGS)
    single.command(
        cls=_Command,
        help=description.replace("Examples:", "\b\nExamples:"),  # keeps their lines
        epilog=f"Exit status:{statuses}" if statuses else None,
    )(command)
    return typer.main.get_command(single)


def _describe_usage_error(error: Any) -> str:
    """Return the message of a usage error: the option that is wrong, and why."""
    parameter = getattr(error, "param", None)
    message = str(error.message or "")
    if parameter is None:
        # Only errors about an option that does not exist have possibilities.
        if (option := getattr(error, "option_name", "")) and hasattr(error, "possibilities"):
            return f"no such option: {option}{_nearest_option(option, error.ctx)}"
        text = error.format_message()
        return str(text[:1].lower() + text[1:].rstrip("."))
    name = parameter.metavar if parameter.param_type_name == "argument" else parameter.opts[0]
    return f"{name} {message}" if message else f"{name} is missing"


class _CommandGroup(TyperGroup):
    """All commands. The module of a command is imported when the command is needed.

    Importing all modules would take longer than solving a million puzzles. Usage errors have the
    style of all other errors.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = dict.fromkeys(COMMAND_NAMES)  # for suggestions

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the program.

        Recent versions of Typer import Pydantic to convert None, which takes as long as Typer.
        """
        parameters: list[Any] = super().get_params(ctx)
        for parameter in parameters:
            if parameter.default is None:  # of the options that complete words
                parameter.default = False
        return parameters

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in groups."""
        for title, names in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, _documented(name)[1].split("\n")[0]) for name in names])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none with this name."""
        program = ctx.find_root().info_name or SCRIPT_NAME
        return _load_command(cmd_name, program) if cmd_name in COMMAND_NAMES else None

    def make_context(self, info_name: Any, args: Any, *arguments: Any, **options: Any) -> Any:
        """Parse the options of the program."""
        terminal.print_log()
        terminal.set_quiet(False)
        self.epilog = f"Example: {info_name} solve puzzles.txt"
        if not options.get("resilient_parsing"):  # which completes a command
            args = args or ["--help"]  # not Typer's error, whose stream and status depend on Click
        if " " in info_name and args and args[0] in COMPLETION_OPTIONS:
            raise terminal.fail(
                f"shells complete only {SCRIPT_NAME}: run `{SCRIPT_NAME} {args[0]}`"
            )
        installs_completion = "--install-completion" in args  # parsing removes it
        try:
            with safe_output(), _plain_errors():
                return super().make_context(info_name, args, *arguments, **options)
        except SystemExit:
            if installs_completion:
                _complete_at_first_tab(info_name)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Import a command, parse its options, and run it."""
        with safe_output(), _plain_errors():
            return super().invoke(ctx)


def _complete_at_first_tab(program: str) -> None:
    """Append a call to the script that Typer has installed for zsh, if it has.

    The script only defines a function when zsh loads it, at the first press of Tab.
    """
    script = Path.home() / ".zfunc" / f"_{program}"
    call = f'\n_{re.sub(r"[^A-Za-z0-9]", "_", program)}_completion "$@"\n'
    if script.is_file() and not script.read_text().endswith(call):
        with open(script, "a") as file:
            file.write(call)


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Report usage errors of Typer like all other errors, with advice on the help."""
    try:
        yield
    except _UsageError as error:
        terminal.report_error(_describe_usage_error(error))
        if error.ctx is not None:
            terminal.report(f"Try '{error.ctx.command_path} --help' for help.")
        raise typer.Exit(terminal.ExitStatus.USAGE) from None


app = typer.Typer(cls=_CommandGroup, **_SETTINGS)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"dlx_numba {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: bool = options.flag(
        "Show the version and exit.", "--version", callback=_print_version, is_eager=True
    ),
) -> None:
    """Solve exact cover problems and Sudoku puzzles with Knuth's Dancing Links."""
    with terminal.failing():
        requested_threads()


def main() -> None:
    """Run the command given on the command line."""
    prepare_streams()
    signals.watch()  # whose pipe must not take the place of a closed stream
    terminal.report_warnings()
    app()
