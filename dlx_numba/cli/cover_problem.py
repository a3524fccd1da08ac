"""The options that describe an exact cover problem, and the problem in a file."""

import os
import shlex
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Any, TypeVar, cast, get_args

import typer

from ..cover.certificate import write_certificate
from ..cover.exact_cover import ExactCover
from ..cover.names import as_integer, as_text
from ..cover.prepare import CHOICES, Consistency, SearchKeywords
from ..cover.text import COVER_STYLES, SolutionStyle, format_cover, summarize
from ..kernels.algorithms import ALGORITHMS, AUTO, Algorithm
from ..kinds.exact.variations import option_of_word, split_list
from ..kinds.puzzle import Puzzle
from ..runtime.files import is_terminal
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from . import options
from .inputs import InputOptions
from .output import PLANS, redirected_output
from .terminal import ExitStatus, deferred_signals, fail, failing, painter, report

MAX_WORK = 1 << 24  # of an explanation that was not requested: some milliseconds

ResultT = TypeVar("ResultT")


DRAWING = "drawing"
CoverStyle = Annotated[
    str | None, options.style((*COVER_STYLES, DRAWING), show_default="names on a terminal")
]


_RULES = ", ".join(CHOICES).replace("smallest", "smallest (default)", 1)


@dataclass(kw_only=True)
class Selection:
    """The options that select parts of an exact cover problem, and the order of the search."""

    given: list[str] | None = options.text("Options in every cover, by number or name.", "N,N,...")
    forbidden: list[str] | None = options.text("Options in no cover, by number or name.", "N,N,...")
    choose: str = options.text(
        f"Next item: {_RULES}, or a list A,B,...",
        "RULE",
        show_default=False,
        parser=options.choice_of(CHOICES, ", or a list A,B,... of items"),
        default="smallest",
    )
    seed: int | None = options.number("Seed for random choices.", minimum=None)

    def check_seed(self) -> None:
        """Fail if there is a seed of choices that are not random."""
        if self.choose != "random":
            options.require("--choose random", "--seed")

    def state(self, puzzle: Puzzle, start: int = 0, **keywords: Any) -> ExactCover:
        """Return the problem of a puzzle, whose options are counted from `start`."""
        rule: Any = self.choose
        if rule in CHOICES and not (self.given or self.forbidden):
            return puzzle.cover(choose=rule, seed=self.seed, **keywords)
        stated = puzzle.cover()
        if rule not in CHOICES:  # item names; the items of a matrix are numbers
            items = {str(item): item for item in stated.items}
            rule = [items.get(name, name) for name in self.choose.split(",") if name]
        names = stated.option_names
        given = parse_options("--given", self.given, names, start)
        forbidden = parse_options("--forbidden", self.forbidden, names, start)
        return puzzle.cover(
            choose=rule,
            seed=self.seed,
            given=[*stated._stated.selected.given, *given],
            forbidden=[*stated._stated.forbidden, *forbidden],
            **keywords,
        )


@dataclass(kw_only=True)
class ProblemOptions(Selection, InputOptions):
    """The options of all commands that read a problem and search it."""

    algorithm: str = options.choice((AUTO, *ALGORITHMS), "How to search", default=AUTO)
    presolve: bool = options.flag("First remove options that are in no cover.")
    consistency: str | None = options.choice(
        get_args(Consistency), "Keep this consistent at each node"
    )
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

        The covers of a matrix are numbers everywhere. Those of a table without a column of names
        are drawn, because the items of its options make long lines.
        """
        names, costs = stated._stated.names, stated.problem.cost
        is_unnamed = names.table is not None and not names.has_options
        if style is None and is_unnamed and is_terminal(sys.stdout):
            style = DRAWING
        if style == DRAWING and (picture := stated._stated.drawing) is not None:
            cost = None if costs is None else names.scale.stated(int(costs[[*cover]].sum()))
            last = "" if cost is None else f"(cost {cost:,})\n"
            return f"{picture.text(cover, painter())}\n{last}"
        style = "names" if style == DRAWING else style
        if is_terminal(sys.stdout) and style in (None, "names"):
            is_named = names.has_options or any(as_integer(item) is None for item in names.items)
            if style or is_named:
                arguments = stated.problem, names, cover, "names", self.start
                return format_cover(*arguments, is_for_people=True)
        chosen = cast(SolutionStyle, style or "numbers")
        return format_cover(stated.problem, names, cover, chosen, self.start)

    def take_plan(self, style: str | None) -> str:
        """Return the file of a plan, whose extension says so, and print nothing else to it."""
        if style is not None or not self.output.lower().endswith(PLANS):
            return ""
        path, self.output = self.output, "-"
        return path

    def reject_search(self, option: str) -> None:
        """Fail if options of a search are combined with an option that needs none."""
        options.reject(option, "--algorithm", "--choose")

    @contextmanager
    def reading(
        self, puzzle: Puzzle | None = None, *, is_appended: bool = False, is_explained: bool = True
    ) -> Iterator[ExactCover]:
        """Read the problem, unless it was read, for a block that writes the output.

        If the block finds no cover, report the reason, unless the problem itself may have covers.
        Fails if it is not a valid problem, or the block cannot use it.
        """
        if puzzle is None:
            puzzle, _ = self.take()
        with failing(f"{self.source}: ", start=self.start):
            algorithm = cast(Algorithm, self.algorithm)
            settings = SearchKeywords(algorithm=algorithm, presolve=self.presolve)
            settings["consistency"] = cast(Consistency | None, self.consistency)
            cover = self.state(puzzle, self.start, **settings)
            self.report_size(summarize(cover.problem))
            if puzzle.condition is not None:
                report("(some covers are no solutions, as items do not express all conditions)")
            if self.presolve:  # the search continues with what is removed in time
                cover._stated.keep(self.limited(cover._stated.prepare))
            if (presolved := cover._stated.find_presolved()) is not None:
                options, forced, items = presolved
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
        for option, columns in (("items", self.items), ("optional", self.optional)):
            joined = ("+".join(each) if type(each) is tuple else each for each in columns or ())
            words += [f"--{option}={','.join(joined)}"] * (columns is not None)
        words += [f"--kind={self.kind}"] * (self.kind is not None)
        words += [f"--puzzle={self.number}"] * (self.number > 1)
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
            reason = find_quick_reason(cover)
            see = "See" if reason else "To find out why there is no cover, run"
            report(f"{reason} {see} {command}.".lstrip())
        raise


def matching_items(cover: ExactCover, patterns: list[str] | None) -> list[Hashable] | None:
    """Return the items that patterns such as `piece*` match; None without patterns.

    Fails if a pattern matches none.
    """
    items = {item: as_text(item) for item in cover.items} if patterns else {}
    found: dict[Hashable, None] = {}
    for pattern in patterns or ():
        matched = [item for item, text in items.items() if fnmatchcase(text, pattern)]
        if not matched:
            raise fail(f"--distinct: no item is called {pattern}")
        found |= dict.fromkeys(matched)
    return [*found] if patterns else None


def find_quick_reason(cover: ExactCover) -> str:
    """Return why a problem has no cover, in a sentence, or "" if that takes a search."""
    from ..diagnose import find_reason  # most problems have covers

    reason = find_reason(cover._stated, Stop(), MAX_WORK, max_items=1)
    return "" if reason is None else reason._first_line


def parse_options(
    option: str, texts: list[str] | None, names: Iterable[Hashable], start: int
) -> list[Hashable]:
    """Return the options in lists separated by commas: numbers from 0, and names.

    A name that contains commas needs no quotes if it is alone. Fails if a number, counted from
    `start`, is also the name of another option.
    """
    number_of = {as_text(name): k for k, name in enumerate(names) if name != k}
    selected, words = list[Hashable](), list[str]()
    for text in texts or ():
        listed = split_list(text)
        is_name = text in number_of and any(not each.isdigit() for each in listed)
        words += [text] if is_name else listed
    for word in words:
        try:
            number = option_of_word(word, number_of, start)
        except ValueError as error:
            raise fail(f"{option}: {error}") from None
        selected.append(word if number is None else number)
    return selected


def certify(cover: ExactCover, path: str, cost: int | None, stop: Stop) -> int:
    """Write the certificate of a count or of a lowest cost, and return the number of covers.

    Ends the command if the certificate cannot be completed.
    """
    with failing(f"{path}: ", errors=(MemoryError, OSError)), deferred_signals(stop.cancel):
        count = write_certificate(cover._stated, path, cost, stop)
    command = f"python -m dlx_numba.verify_certificate PROBLEM {path}"
    formats = "Knuth's format, or JSON as `show --matrix -f json` writes it"
    report(f"(the proof is in {path}; to verify it, with PROBLEM in {formats}: {command})")
    return count
