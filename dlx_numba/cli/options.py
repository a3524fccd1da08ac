"""The vocabulary of options that the commands share, and functions that interpret their values.

An option with a name that is listed here has the same meaning in every command that has it. The
commands differ in defaults and limits, so most options are made by functions, whose results are the
default values of parameters. Those that are always the same are annotations.
"""

import inspect
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer
from typer.models import OptionInfo

from ..puzzles.registry import COVER_FORMATS, KINDS
from ..runtime.arguments import UNLIMITED, check_choice
from .call import MATRIX_OPTIONS, Call
from .endings import OTHER_PICTURES
from .terminal import fail, set_quiet

if TYPE_CHECKING:
    from ..cover.rows import LongForm
    from ..puzzles.exact.matrix import MatrixForm


HELP_ALL = "--help-all"
BOARDS_DEFAULT = "line; grid on a terminal"  # of `--format`


def at_least(
    minimum: float | None, kind: Callable[[Any], float] = int, noun: str = "whole number"
) -> Callable[[Any], Any]:
    """Return a parser of numbers; it rejects those below the minimum, if there is one."""
    limit = "" if minimum is None else f" of at least {minimum:g}"

    def parse_number(text: Any) -> float:
        """Return the value of an option as a number."""
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        # No comparison with NaN holds, so it is rejected even if there is no minimum.
        if not number >= (-math.inf if minimum is None else minimum):
            raise ValueError(f"must be a {noun}{limit}, not {str(text)!r}")
        return number

    return parse_number


def choice_of(choices: Iterable[str], alternative: str = "") -> Callable[[str], str]:
    """Return a parser of choices. With an alternative, it accepts any text that has a comma."""
    values = tuple(choices)

    def check(text: str) -> str:
        if not (alternative and "," in text):
            check_choice("", text, values, alternative)
        return text

    return check


def parse_size(text: Any) -> int:
    """Return the number of bytes of a size such as 500M; the units are powers of 1024."""
    match = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", str(text).strip().upper())
    if match is None:
        raise ValueError(f"must be a size such as 500M or 2G, not {text!r}")
    return int(match[1]) << 10 * " KMGT".index(match[2] or " ")


def size(help: str, show_default: str, default: int | None = None) -> Any:
    """Return an option whose value is a number of bytes."""
    return text(help, "SIZE", parser=parse_size, show_default=show_default, default=default)


def _parse_rules(text: str) -> Any:
    """Return the rules with these names, or those in a file."""
    from ..puzzles.variants.rules import SudokuRules  # most runs have no rules

    if not (os.path.isfile(text) or text.endswith(".json")):
        return SudokuRules.parse(text)
    try:
        with open(text, encoding="utf-8-sig") as file:
            return SudokuRules.from_json(file.read())
    except (OSError, ValueError, TypeError) as error:
        # The name of the option and of the file replace what the message begins with.
        reason = getattr(error, "strerror", None) or re.sub("^(<text>: |rules )", "", str(error))
        raise ValueError(f"{text}: {reason}") from None


def _parse_box(text: str) -> Any:
    from ..sudoku.box import Box  # imports NumPy

    return Box.parse(text)


def complete_rules(incomplete: str) -> list[str]:
    """Return the lists of rules that a list with an incomplete name may become.

    >>> complete_rules("windows,anti-k")
    ['windows,anti-knight', 'windows,anti-king']
    """
    from ..puzzles.variants.constraints import FLAGS  # most runs have no rules

    *others, last = incomplete.split(",")
    names = [name.replace("_", "-") for name in FLAGS]
    return [",".join([*others, name]) for name in names if name.startswith(last)]


def _checked(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a parser whose errors, ValueError or TypeError, follow the name of its option."""

    def parse(text: Any) -> Any:
        try:
            return convert(text)
        except (ValueError, TypeError) as error:
            # A message begins with the name of an argument, perhaps an empty one; here the name of
            # the option takes its place.
            raise typer.BadParameter(re.sub("^(box|rules)? ", "", str(error))) from None

    return parse


def argument(help: str, metavar: str, *, parser: Any = None, **details: Any) -> Any:
    """Return an argument, which is required unless there is a default."""
    return typer.Argument(metavar=metavar, help=help, parser=parser and _checked(parser), **details)


def flag(help: str, *names: str, default: bool | None = False, **details: Any) -> Any:
    """Return an option without a value."""
    return typer.Option(default, *names, help=help, **details)


def text(help: str, metavar: str, *names: str, parser: Any = None, **details: Any) -> Any:
    """Return an option whose value is text, which a parser may convert."""
    default = details.pop("default", None)
    parse = parser and _checked(parser)
    return typer.Option(default, *names, metavar=metavar, help=help, parser=parse, **details)


def number(help: str, *names: str, minimum: int | None = 1, **details: Any) -> Any:
    """Return an option whose value is a whole number `N`."""
    return text(help, "N", *names, parser=at_least(minimum), **details)


def puzzle_number(show_default: str = "1") -> Any:
    """Return the option `--puzzle`."""
    return number("Number of the puzzle in the file.", "--puzzle", show_default=show_default)


def placed(name: str) -> Any:
    """Return an option whose value is how many entries of a rule are placed."""
    return number(f"Number of {name} to place at random.", f"--{name}", minimum=0)


def seconds(help: str, minimum: float = 0, default: float | None = None) -> Any:
    """Return an option whose value is a time."""
    return text(help, "SECONDS", parser=at_least(minimum, float, "number"), default=default)


def choice(choices: Iterable[str], help: str, *names: str, **details: Any) -> Any:
    """Return an option with a list of values, which end its help, and which shells complete."""
    values = list(choices)
    details |= {"parser": choice_of(values), "autocompletion": lambda: values}
    return text(f"{help}: {', '.join(values)}.", "NAME", *names, **details)


def _parse_limit(text: Any) -> int:
    if text == "all":
        return UNLIMITED
    return int(at_least(1, noun="whole number, or all,")(text))


def limit(help: str = "Find at most N solutions of each puzzle.", **details: Any) -> Any:
    """Return the option `--limit`: the largest number of solutions of each problem, or all.

    The value is UNLIMITED for all of them.
    """
    details = {"parser": _parse_limit, "show_default": "all", **details}
    return text(help, "N|all", "--limit", "--number", "-n", **details)


def _check_picture(text: str) -> str:
    """Return a file name. Raises ValueError if it is that of a picture of another kind than SVG."""
    suffix = os.path.splitext(text)[1].lower()
    if suffix in OTHER_PICTURES:
        raise ValueError(f"writes SVG, not {suffix[1:].upper()}; the file is {text!r}")
    return text


def svg(help: str) -> Any:
    """Return an option whose value is the file of a picture. Other formats than SVG are errors."""
    return text(help, "FILE", parser=_check_picture)


def check_sheet(text: str) -> str:
    """Return a file name. Raises ValueError unless it is that of a sheet."""
    if not text.lower().endswith((".svg", ".html", ".htm")):
        raise ValueError(f"needs a file named .svg or .html, not {text!r}")
    return text


def style(
    styles: Sequence[str],
    help: str = "Output format",
    without_endings: Sequence[str] = (),
    **details: Any,
) -> Any:
    """Return the option `--format`, which the ending of the output file selects by default.

    Files with the endings in `without_endings` are refused, such as `.jsonl` where the format
    "json" is a single document.
    """
    option = choice(styles, help, "--format", "-f", **details)
    option.endings = styles, without_endings  # `with_groups` passes them to `Call.select_format`
    return option


def output(show_default: str | bool) -> Any:
    """Return the option `--output`."""
    help = "Write to this file, in the format of its ending."
    return text(help, "FILE", "--output", "-o", show_default=show_default)


OutputFile = Annotated[str, output(show_default=False)]
Threads = Annotated[
    int | None,
    number("Number of threads.", "--threads", "-j", "--jobs", show_default="all processors"),
]
UpToSymmetry = Annotated[bool, flag("Only one of covers that symmetries exchange.")]
FixedBy = Annotated[
    list[str] | None,
    text("Only covers that NAME, such as rotate90, or cycles (a b)(c d) leave as is.", "NAME"),
]
Distinct = Annotated[
    list[str] | None,
    text("Only one cover for the same of these items.", "ITEM"),
]
RulesOption = Annotated[
    Any,
    text(
        "Rules of a variant: names such as diagonals,anti-knight, or a JSON file.",
        "NAMES|FILE",
        parser=_parse_rules,
        autocompletion=complete_rules,
        show_default=False,
    ),
]
Number = Annotated[int, number("Number of covers.", "--number", "-n")]
MemoryLimit = Annotated[int | None, size("Memory, such as 2G.", "half of free memory")]
BookTitle = Annotated[str | None, text("Title of html.", "TEXT", show_default="their number")]
PerPage = Annotated[str | None, choice(("4", "6"), "Puzzles on a page of html", show_default="6")]
BoxShape = Annotated[Any, text("Rows and columns of a box: 2x3.", "RxC", parser=_parse_box)]
AlphabetName = Annotated[
    str, text("Symbols: 1-9A-, 0-9A-, A- or numbers.", "NAME", show_default=False)
]
Blank = Annotated[
    str, text("Further symbols of empty cells, such as #o.", "CHARS", show_default=False)
]
DaskAddress = Annotated[str | None, text("Run on the Dask cluster with this scheduler.", "ADDRESS")]
CertificateFile = Annotated[
    str | None, text("Write a proof that a short program verifies.", "FILE")
]
BatchFile = Annotated[str | None, text("Solve a variation for each line of FILE.", "FILE")]
_KIND_NAMES = [*KINDS, *COVER_FORMATS]
KindName = Annotated[
    str | None,
    text(
        "Kind, if no mark says it; an unknown NAME lists all.",
        "NAME",
        parser=choice_of(_KIND_NAMES),
        autocompletion=lambda: _KIND_NAMES,
    ),
]
Resume = Annotated[bool, flag("Continue FILE.part of a stopped run.")]
SummaryFile = Annotated[str | None, text("Write counts and unreadable lines as JSON.", "FILE")]
TimeLimit = Annotated[float | None, seconds("Stop after this many seconds.")]


@dataclass(kw_only=True)
class OptionGroup:
    """Options that several commands have, or that belong together."""

    call: Call = field(init=False)  # of the command


def _parse_columns(text: str) -> list[Any]:
    """Return the columns in a list such as class,teacher+slot; a tuple for several columns."""
    items = (tuple(item.split("+")) for item in text.split(","))
    return [columns if len(columns) > 1 else columns[0] for columns in items]


OneBased = Annotated[bool, flag("Number options from 1 instead of 0.")]


@dataclass(kw_only=True)
class TableOptions(OptionGroup):
    """The options that describe a matrix, or a table with one option a row."""

    columns: int | None = number("Columns of a matrix whose rows are not lines.")
    transpose: bool = flag("Each column of a matrix is an option.")
    header: bool = flag("A first row or column of a matrix has titles, or both.")
    nonzero: bool = flag("All numbers of a matrix but 0 are 1.")
    items: str | None = text("Columns of items: a,b+c; a row is an option.", "COLUMNS")
    optional: str | None = text("Columns of optional items.", "COLUMNS")
    cost: str | None = text("Column of the costs.", "COLUMN")
    name: str | None = text("Column of the names of options.", "COLUMN")
    separator: str | None = text("Separator of several items in a cell: +.", "CHARS")
    excel_sheet: str = text("Sheet of a workbook, by default the first.", "NAME", default="")

    @property
    def form(self) -> "LongForm | None":
        """The meanings of the columns; None unless a table with one option a row is to be read."""
        self.call.require("--items", "--optional", "--cost", "--name", "--separator")
        if self.items is None:
            return None
        from ..cover.rows import LongForm  # most runs read no such table

        optional = _parse_columns(self.optional) if self.optional else ()
        items = _parse_columns(self.items)
        return LongForm(items, optional, self.cost, self.name, self.separator)

    def matrix_form(self, kind: str | None) -> "MatrixForm | None":
        """Return how a matrix is written; None unless an option says so. Fails for other kinds."""
        used = list(filter(self.call.is_used, MATRIX_OPTIONS))
        if not used:
            return None
        from ..puzzles.exact.matrix import MatrixForm  # most runs read no matrix

        self.call.reject(used[0], "--box", "--alphabet", "--blank", "--items")
        if kind not in (None, "cover", "matrix"):
            raise fail(f"{used[0]} needs a matrix, not --kind {kind}")
        return MatrixForm(self.columns, self.transpose, self.header, self.nonzero)


def with_groups(
    function: Callable[..., None], load: Callable[[], Callable[..., None]]
) -> Callable[..., Any]:
    """Return a command whose options are those of a function, one by one.

    A parameter of the function that is a dataclass stands for all options that are its fields, and
    a `Call` for none. All commands have the options `--quiet` and `--help-all`. `load` returns what
    runs the command: a function with the same parameters, whose groups may be subclasses.
    """
    parameters, groups = _without_groups(function)
    keyword = inspect.Parameter.KEYWORD_ONLY
    quiet = flag("Print errors only, no notices.", "--quiet", "-q", callback=set_quiet)
    whole = flag("Show all options.", HELP_ALL, callback=_print_all_options, is_eager=True)
    for name, option in {"quiet": quiet, "help_all": whole}.items():
        parameters.append(inspect.Parameter(name, keyword, annotation=bool, default=option))
    context = inspect.Parameter("context", keyword, annotation=typer.Context)
    signature = inspect.Signature([context, *map(_as_option, parameters)])
    takes_call = "call" in inspect.signature(function).parameters
    style = signature.parameters.get("style")

    @wraps(function)
    def command(context: Any, quiet: bool, help_all: bool, **values: Any) -> None:
        """Collect the values of the options in groups, and run the command."""
        call: Call = context.obj  # callbacks have read `quiet` and `help_all`
        if style is not None:
            output = values.get("output") or "-"
            endings = style.default.endings
            values["style"] = call.select_format(values["style"], output, *endings)
        run = load()
        for name, members in groups.items():
            group = run.__annotations__[name]
            values[name] = group(**{member: values.pop(member) for member in members})
            values[name].call = call
        if takes_call:
            values["call"] = call
        run(**values)

    # From these, Typer makes the options.
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {k: each.annotation for k, each in signature.parameters.items()}
    return command


def _without_groups(
    function: Callable[..., None],
) -> tuple[list[inspect.Parameter], dict[str, list[str]]]:
    """Return the parameters of a function, with the fields of each dataclass in its place.

    Also return the names of these fields, by the name of the parameter that is the dataclass.
    """
    parameters: list[inspect.Parameter] = []
    groups: dict[str, list[str]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        group = parameter.annotation  # a class, as modules of commands do not postpone annotations
        if group is Call:
            continue
        if isinstance(group, type) and is_dataclass(group):
            members = inspect.signature(group).parameters
            groups[name] = list(members)
            parameters += members.values()
        else:
            parameters.append(parameter)
    return parameters, groups


def _print_all_options(ctx: typer.Context, is_requested: bool) -> None:
    """Print the help with all options, not just the usual ones; the callback of `--help-all`."""
    if is_requested:
        ctx.meta[HELP_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


def _as_option(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter whose default value is its option, with the name of the parameter.

    Typer would add an option `--no-` to that of a flag without an explicit name.
    """
    annotation = parameter.annotation
    info = parameter.default
    if get_origin(annotation) is Annotated:  # a shared option
        annotation, info = get_args(annotation)
        info = copy(info)
        info.default = parameter.default
    if isinstance(info, OptionInfo):
        info.param_decls = info.param_decls or (f"--{parameter.name.replace('_', '-')}",)
    return parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=annotation, default=info)
