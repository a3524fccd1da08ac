"""The options that describe an exact cover problem, and the problem in a file."""

import os
import shlex
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast, get_args

import typer

from ..cover.encode import Statement
from ..cover.exact_cover import ExactCover
from ..cover.io.read import is_trivial, parse_problem, read_problem
from ..cover.io.text import COVER_STYLES, SolutionStyle, format_cover
from ..cover.io.variations import option_of_word, split_list
from ..cover.names import as_integer, as_text
from ..cover.prepare import CHOICES, Consistency, SearchKeywords
from ..kernels.algorithms import ALGORITHMS, AUTO, Algorithm
from ..runtime.errors import UnreadableError
from ..runtime.files import is_terminal
from ..runtime.interrupts import Stop
from ..runtime.source import Source
from ..runtime.text import plural
from . import options
from .output import redirected_output, source_name
from .terminal import ExitStatus, fail, failing, report

MAX_WORK = 1 << 24  # of an explanation that was not requested: some milliseconds

ResultT = TypeVar("ResultT")


def read_cover(source: str | os.PathLike[str], max_bytes: int | None = None) -> Statement:
    """Read the exact cover problem in a file, or on standard input (`-`).

    Parameters
    ----------
    source
        The file; `-` is standard input.
    max_bytes
        The maximum size of the content, after decompression.

    Raises
    ------
    UnreadableError, FormatError
        If the file cannot be read: see `read_problem`.
    ValueError
        If the file contains Sudoku boards; the message names the commands that read them.
    """
    with Source(source) as opened:
        data, name = opened.read_all(max_bytes=max_bytes), opened.name
    error = None
    try:
        problem = parse_problem(data, name)
        if not is_trivial(problem):
            return problem
    except (ValueError, UnreadableError) as caught:
        error = caught
    from .detect import find_boards  # most problems do not look like boards

    if find_boards(data, name) is not None:
        file = os.fspath(source)
        raise ValueError(
            f"{name}: a Sudoku file, not an exact cover problem; run `solve {file}` to "
            "solve it, or `show --matrix` or `explain` to convert a board to an exact cover problem"
        )
    if error is not None:
        raise error
    return problem


CoverStyle = Annotated[str | None, options.style(COVER_STYLES, show_default="names on a terminal")]


_RULES = ", ".join(CHOICES).replace("smallest", "smallest (default)", 1)


@dataclass(kw_only=True)
class Selection:
    """The options that select parts of an exact cover problem, and the order of the search."""

    given: Annotated[
        list[str] | None, options.text("Options in every cover, by number or name.", "N,N,...")
    ] = None
    forbidden: Annotated[
        list[str] | None, options.text("Options in no cover, by number or name.", "N,N,...")
    ] = None
    choose: Annotated[
        str,
        options.text(
            f"Next item: {_RULES}, or a list A,B,...",
            "RULE",
            show_default=False,
            parser=options.choice_of(CHOICES, ", or a list A,B,... of items"),
        ),
    ] = "smallest"
    seed: Annotated[int | None, options.number("Seed for random choices.", minimum=None)] = None

    def check_seed(self) -> None:
        """Fail if there is a seed of choices that are not random."""
        if self.choose != "random":
            options.require("--choose random", "--seed")

    def state(self, content: Statement, start: int, **keywords: Any) -> ExactCover:
        """Return the problem in a file, whose options are counted from `start`."""
        rule: Any = self.choose
        if rule not in CHOICES:  # item names; the items of a matrix are numbers
            items = {str(item): item for item in ExactCover(**content._asdict()).items}
            rule = [items.get(name, name) for name in self.choose.split(",") if name]
        names = content.options if isinstance(content.options, dict) else ()
        return ExactCover(
            **content._asdict(),
            choose=rule,
            seed=self.seed,
            given=_parse_options("--given", self.given, names, start),
            forbidden=_parse_options("--forbidden", self.forbidden, names, start),
            **keywords,
        )


@dataclass(kw_only=True)
class FileOptions:
    """The options of all commands that may read an exact cover problem."""

    one_based: options.OneBased = False
    columns: options.Columns = None
    max_input: options.MaxInput = options.DEFAULT_MAX_INPUT
    seconds: options.TimeLimit = None
    quiet: options.Quiet = False

    @property
    def start(self) -> int:
        """The number of the first option."""
        return 1 if self.one_based else 0


@dataclass(kw_only=True)
class ProblemOptions(Selection, FileOptions):
    """The options of all commands that read an exact cover problem and search it."""

    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An exact cover problem; - for standard input.")
    ]
    algorithm: Annotated[str, options.choice((AUTO, *ALGORITHMS), "How to search")] = AUTO
    presolve: Annotated[bool, options.flag("First remove options that are in no cover.")] = False
    consistency: Annotated[
        str | None, options.choice(get_args(Consistency), "Keep this consistent at each node")
    ] = None
    output: options.OutputFile = "-"

    def limited(self, call: Callable[[Stop], ResultT]) -> ResultT:
        """Return the result of a call, which takes a part of the time limit."""
        stop = Stop(self.seconds)
        result = call(stop)
        if self.seconds is not None:
            self.seconds = stop.seconds_left()
        return result

    def format_cover(self, stated: ExactCover, cover: list[int], style: str | None) -> str:
        """Return a cover as a line: by default, for people on a terminal, and numbers elsewhere.

        The covers of a matrix are numbers everywhere.
        """
        names = stated._stated.names
        if is_terminal(sys.stdout) and style in (None, "names"):
            is_named = names.has_options or any(as_integer(item) is None for item in names.items)
            if style or is_named:
                arguments = stated.problem, names, cover, "names", self.start
                return format_cover(*arguments, is_for_people=True)
        return stated.format(cover, cast(SolutionStyle, style or "numbers"), start=self.start)

    def reject_search(self, option: str) -> None:
        """Fail if options of a search are combined with an option that needs none."""
        options.reject(option, "--algorithm", "--choose")

    @contextmanager
    def reading(
        self,
        content: Statement | None = None,
        *,
        is_appended: bool = False,
        is_explained: bool = True,
    ) -> Iterator[ExactCover]:
        """Read the problem, unless it was read, for a block that writes the output.

        If the block finds no cover, report the reason, unless the problem itself may have covers.
        Fails if it is not a valid problem, or the block cannot use it.
        """
        with failing():
            if content is None and self.columns is not None:
                content = read_problem(self.file, self.max_input, self.columns)
            elif content is None:
                content = read_cover(self.file, self.max_input)
        with failing(f"{source_name(self.file)}: ", start=self.start):
            algorithm = cast(Algorithm, self.algorithm)
            settings = SearchKeywords(algorithm=algorithm, presolve=self.presolve)
            settings["consistency"] = cast(Consistency | None, self.consistency)
            cover = self.state(content, self.start, **settings)
            report(f"({cover.summary()} successfully read)")
            if self.presolve:  # the search continues with what is removed in time
                cover._stated.keep(self.limited(cover._stated.prepare))
            if cover.presolved is not None:
                options, forced, items = cover.presolved
                removed = f"{plural(len(options), 'option')} and {plural(len(items), 'item')}"
                report(f"(presolved: {removed} removed, {plural(len(forced), 'option')} forced)")
            with (
                redirected_output(self.output, self.file, is_appended=is_appended),
                explaining(cover, self._diagnosis()) if is_explained else nullcontext(),
            ):
                yield cover

    def _diagnosis(self) -> str:
        """Return the command that diagnoses the same problem, for a sentence."""
        words = [f"--given={text}" for text in self.given or ()]
        words += [f"--forbidden={text}" for text in self.forbidden or ()]
        words += [f"--columns={self.columns}"] * (self.columns is not None)
        words += ["--one-based"] * self.one_based
        if not os.path.isfile(self.file):  # a pipe, which the command cannot read again
            return f"`{shlex.join(['diagnose', *words, 'FILE'])}` with the problem in a file"
        return f"`{shlex.join(['diagnose', *words, self.file])}`"


@contextmanager
def explaining(cover: ExactCover, command: str) -> Iterator[None]:
    """Report why there is no cover, or the command that finds out, if the block finds none."""
    try:
        yield
    except typer.Exit as end:
        if end.exit_code == ExitStatus.NOT_SOLVED:
            report(_explain(cover, command))
        raise


def _explain(cover: ExactCover, command: str) -> str:
    """Return the reason why a problem has no cover if it is found fast, and the command for it."""
    from ..diagnose import find_reason  # most problems have covers

    reason = find_reason(cover._stated, Stop(), MAX_WORK, max_items=1)
    if reason is None:
        return f"To find out why there is no cover, run {command}."
    return f"{reason.first_line} See {command}."


def _parse_options(
    option: str, texts: list[str] | None, names: Iterable[Hashable], start: int
) -> list[Hashable]:
    """Return the options in lists separated by commas: numbers from 0, and names.

    Fails if a number, counted from `start`, is also the name of another option.
    """
    number_of = {as_text(name): k for k, name in enumerate(names) if name != k}
    selected: list[Hashable] = []
    for word in split_list("\n".join(texts or ())):
        try:
            number = option_of_word(word, number_of, start)
        except ValueError as error:
            raise fail(f"{option}: {error}") from None
        selected.append(word if number is None else number)
    return selected
