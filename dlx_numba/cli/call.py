"""A call of a command: which options were given, and what they exclude or need."""

import os
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from ..runtime.parquet import import_parquet, is_parquet
from .endings import CSV, format_of
from .terminal import BadPlace, fail, failing

MATRIX_OPTIONS = "--columns", "--transpose", "--header", "--nonzero"
TABLE_OPTIONS = (
    *("--items", "--optional", "--cost", "--name", "--separator", "--excel-sheet"),
    *("--multiplicity", "--penalty", "--demand", "--packing", "--covering"),
)
# The values of these options are files that are written
WITH_RESULTS = "--output", "--svg", "--sheet", "--certificate"
WITH_FILE = [*WITH_RESULTS, "--summary", "--checkpoint"]


class RunFacts(Protocol):
    """The facts of a run that `--summary` writes."""

    status_counts: Counter[str]
    unreadable: list[BadPlace]

    @property
    def seconds(self) -> float: ...


class Call:
    """A call of a command: the values of its options, and which of them were given.

    Parameters
    ----------
    context
        The context of Typer, after parsing. Two options that would write the same file are an
        error.

    Attributes
    ----------
    command : str
        The name of the command.
    used : dict
        The values that are not the defaults, by the first names of options and arguments.
    outcome : RunFacts or None
        The last run of the command.
    at_end : ExitStack
        What ends with the command, such as locks of files.
    """

    def __init__(self, context: Any) -> None:
        self.command: str = context.info_name
        self.used: dict[str, Any] = {}
        self.outcome: RunFacts | None = None
        self.at_end = ExitStack()
        self._given: set[str] = set()  # whatever the values are
        for option in context.command.params:
            source = context.get_parameter_source(option.name)
            value = context.params.get(option.name)
            name = option.opts[0]
            if source.name == "COMMANDLINE":
                self._given.add(name)
                if value != option.default:
                    self.used[name] = value
        writers: dict[str, str] = {}  # the first option that writes each file
        for name in filter(self.is_used, WITH_FILE):
            writer = writers.setdefault(os.path.abspath(self.used[name]), name)
            if writer != name:
                raise fail(f"{name} and {writer} need different files")
        if self.is_used("--demand") and os.path.abspath(self.used["--demand"]) in writers:
            raise fail(f"{self.used['--demand']} is both input and output")

    def is_used(self, option: str) -> bool:
        """Return whether an option has another value than by default, or this: `--method memo`."""
        name, _, value = option.partition(" ")
        return name in self.used and (not value or self.used[name] == value)

    def diagnose_command(self, files: Sequence[str]) -> str:
        """Return the command that finds out why there is no solution, for the same problem.

        It has FILE in the place of several files, and of a pipe, which it could not read again.
        """
        selection = "--given", "--forbidden"
        boards = "--rules", "--box", "--alphabet", "--blank"
        how = "--one-based", "--kind", "--puzzle"
        names = *selection, *MATRIX_OPTIONS, *TABLE_OPTIONS, *boards, *how
        words: list[str] = []
        for name in filter(self.is_used, names):
            value = self.used[name]
            values = value if isinstance(value, list | tuple) else [value]
            words += [name if each is True else f"{name}={each}" for each in values]
        [file] = files if len(files) == 1 else ["-"]
        is_text = file != "-" and not os.path.exists(file)  # a board, or an example such as queens
        usable = file if is_text or os.path.isfile(file) else "FILE"
        return shlex.join(["dlx-numba", "diagnose", *words, usable])

    def reject(self, option: str, *others: str) -> None:
        """Fail if an option is combined with one of the others.

        The first may also be what is read, or a command.
        """
        if self.is_used(option) or not option.startswith("--"):
            for other in filter(self.is_used, others):
                raise fail(f"{option} cannot be combined with {other}")

    def require(self, option: str, *others: str) -> None:
        """Fail if another is used without an option, or one of two: `--batch or --svg`."""
        if not any(map(self.is_used, option.split(" or "))):
            for other in filter(self.is_used, others):
                raise fail(f"{other} needs {option}")

    def name_format(self, style: str, output: str) -> str:
        """Return the option that selected a format: `--format`, or the output file."""
        return f"--format {style}" if "--format" in self._given else f"--output {output}"

    def select_format(self, style: str | None, output: str, *endings: Sequence[str]) -> str | None:
        """Return the format of `--format`, or that of the output file, which is noted as used.

        `style` is the value of `--format`, perhaps its default, and `endings` has the parameters
        `formats` and `excluded` of `format_of`.
        """
        selected = None if "--format" in self._given else format_of(output, *endings)
        if is_parquet(output):
            if CSV not in (style, selected):
                raise fail(f"{output}: a Parquet file has the table of --format csv")
            with failing(errors=(ImportError,)):
                import_parquet()
        if selected is None or selected == style:
            return style
        self.used["--format"] = selected
        return selected
