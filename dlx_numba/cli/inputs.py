"""The input of a command: the puzzles in a file of any kind, one of them, and it as a problem."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import typer

from ..cover.covers import as_cover
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import NamedProblem, named_problem
from ..cover.names import ContradictionError, Numbers, listing, names_of
from ..cover.plan import align_rows, format_plan_rows
from ..cover.text import format_cover, has_names, summarize
from ..pictures.timetable import Timetable
from ..puzzles.claims import read_claims
from ..puzzles.exact.variations import VariationReader
from ..puzzles.kind import readers
from ..puzzles.puzzle import Puzzle
from ..puzzles.reading import BoardOptions, Reading, open_text, read_any
from ..puzzles.sudoku import board_puzzles
from ..puzzles.variants.rules import SudokuRules
from ..runtime.errors import FormatError, Stopped
from ..runtime.files import is_terminal
from ..runtime.interrupts import Stop
from ..runtime.partial_file import PartialFile
from ..runtime.text import plural
from . import terminal
from .answers import read_answer
from .board_argument import BOARD_SOURCE, advise_size, board_from_argument
from .board_run import with_rules
from .commands.groups import CHOICES, InputFields, ProblemFields, SelectionFields
from .demands import reading_options
from .endings import CSV, DRAWING, PLANS
from .limit import INPUT_END, TimeLimit
from .output import check_plan, source_name
from .part import origin_of, redirected_output
from .run import Run
from .selection import branching_rule

MAX_WORK = 1 << 24  # of an explanation that was not requested: some milliseconds

ROWS = "rows"  # the rows of a table, aligned for people, if no timetable shows them


@dataclass(kw_only=True)
class InputOptions(InputFields):
    """The options of all commands that read one puzzle or problem."""

    read_as = ""  # how the input was read
    unreadable: list[terminal.BadPlace] = field(default_factory=list, init=False)  # puzzles

    @property
    def n_unreadable(self) -> int:
        """The number of puzzles that could not be read."""
        return len(self.unreadable)

    n_readable = 0  # puzzles

    def ending(self, **outcomes: bool) -> typer.Exit:
        """Return the exception that ends a command whose other outcomes are given."""
        is_readable = not self.unreadable
        is_usable = is_readable or self.n_readable > 0
        return terminal.ending(is_usable=is_usable, is_readable=is_readable, **outcomes)

    def ending_of_one(self, **outcomes: bool) -> typer.Exit:
        """Return `ending` for one puzzle; what others are does not matter if `--puzzle` is used."""
        end = terminal.ending if self.call.is_used("--puzzle") else self.ending
        return end(**outcomes)

    @property
    def start(self) -> int:
        """The number of the first option where options are read and written: 0, or 1.

        It has nothing to do with the option `--start`, whose value is a plan.
        """
        return 1 if self.one_based else 0

    @property
    def number(self) -> int:
        """The number of the puzzle in the file."""
        return self.puzzle or 1

    @property
    def is_board(self) -> bool:
        """Whether a board is given instead of a file."""
        return self._board is not None

    @property
    def _board(self) -> BinaryIO | None:
        is_possible = self.kind in (None, "sudoku")
        return board_from_argument(self.file, self.blank) if is_possible else None

    @property
    def source(self) -> str:
        """The name of the input in messages."""
        return BOARD_SOURCE if self.is_board else source_name(self.file)

    @cached_property
    def stop(self) -> TimeLimit:
        """The time limit, which begins when the input is read, or when it is first used."""
        return TimeLimit(self.seconds)

    def run(self, output: str, resume: bool, *others: str) -> Run:
        """Return a run that writes a record for each puzzle; it may read other files, too."""
        run = Run(self.call, self.stop, output, is_shown=False)
        run.files = self.file, *others
        run.unreadable = self.unreadable
        run.origin = origin_of(self.call, *run.files)
        run.resume = resume
        return run

    def title(self, reading: Reading) -> str:
        """Return the title of a picture of the input, or of one of its boards."""
        if self.is_board:
            return "board"
        name = "standard input" if self.file == "-" else Path(self.file).name
        return name if reading.chunks is None else f"{name}, board {self.number}"

    def report_size(self, size: str = "", puzzle: Puzzle | None = None) -> None:
        """Report how the input was read, and its size if it is given.

        If a puzzle is given some of whose covers are no solutions, report that, too.
        """
        terminal.report(f"({', '.join(filter(None, (size, f'read as {self.read_as}')))})")
        if puzzle is not None and puzzle.condition is not None:
            terminal.report(
                "(some covers are no solutions, as items do not express all conditions)"
            )

    def take(self, rules: SudokuRules | None = None) -> tuple[Puzzle, str]:
        """Return one of the puzzles of the input, with rules if it is a board, and its title."""
        reading = self.read()
        return self.select(self.puzzles(reading, rules)), self.title(reading)

    def read(self) -> Reading:
        """Return the content of the input. Fails if it is of no kind."""
        kind = "sudoku" if self.is_board else self.kind
        with terminal.failing(suffix=advise_size(self.file), command=self.call.command):
            source = self._board or open_text(self.file)
            boards = BoardOptions(self.box, self.alphabet, self.blank)
            problems = reading_options(self)
            readers()  # importing them takes no part of the time
            read = partial(read_any, source, kind, boards, problems, self.max_input)
            reading = self.stop.call(read, INPUT_END)
        if reading.chunks is None:
            self.call.reject(f"a file of the kind {reading.kind}", "--rules", "--blank")
        if reading.chunks is None and (self.box is not None or self.alphabet != "auto"):
            raise terminal.fail(f"{self.source}: --box and --alphabet need a Sudoku file")
        self.read_as = reading.format or reading.kind
        return reading

    def puzzles(self, reading: Reading, rules: SudokuRules | None = None) -> Iterator[Puzzle]:
        """Yield the puzzles, boards with rules if there are any, and report what is not read."""
        puzzles = reading.puzzles
        if reading.chunks is not None:
            puzzles = board_puzzles(with_rules(records, rules) for records in reading.chunks)
        with terminal.failing():
            while (each := self.stop.call(partial(next, puzzles, None), INPUT_END)) is not None:
                if isinstance(each, FormatError):
                    self.unreadable.append(terminal.BadPlace(each.source, each.line, each.reason))
                    terminal.report_one_of(self.n_unreadable, str(each), terminal.report_error)
                else:
                    self.n_readable += 1
                    yield each
                    # `stop.call` gives each puzzle some time, also after the limit. A single puzzle
                    # is answered in any case.
                    if self.n_readable > 1 and self.stop():
                        raise Stopped(f"stopped before {INPUT_END}")

    def several(
        self, reading: Reading, rules: SudokuRules | None = None, *, is_single: bool = False
    ) -> tuple[Iterator[Puzzle], bool]:
        """Return all puzzles of the input, or the selected one, and whether there is only one.

        With `is_single`, one is selected even without `--puzzle`: the first.
        """
        puzzles = self.puzzles(reading, rules)
        if is_single or self.call.is_used("--puzzle"):
            return iter([self.select(puzzles)]), True
        first_two = [*islice(puzzles, 2)] or [self.select(puzzles)]  # fails: there are none
        return chain(first_two, puzzles), len(first_two) == 1

    def refute(self, puzzle: Puzzle, error: ContradictionError) -> typer.Exit:
        """Report why a puzzle has no solution, and return the exception that ends the command."""
        text = f"{puzzle.place or self.source}: no solution: {error.describe(self.start)}"
        terminal.report(text, brief=text)  # the only answer, so that `--quiet` does not hide it
        return self.ending_of_one(is_solved=False)

    def select(self, puzzles: Iterable[Puzzle]) -> Puzzle:
        """Return the puzzle of `--puzzle`, or the first one. Fails if there are fewer."""
        n_puzzles = 0
        remaining = iter(puzzles)
        for n_puzzles, puzzle in enumerate(remaining, 1):
            if n_puzzles == self.number:
                if self.puzzle is None and next(remaining, None) is not None:
                    terminal.report("(the first puzzle of the file; --puzzle N takes another)")
                return puzzle
        if self.n_unreadable and not n_puzzles:
            raise terminal.ending(is_usable=False)
        raise terminal.fail(
            f"{self.source}: no puzzle {self.number:,}: the file contains "
            f"{plural(n_puzzles, 'puzzle')}"
        )


@dataclass(kw_only=True)
class SelectionOptions(SelectionFields, InputOptions):
    """The options of commands that read a puzzle as a problem, and select parts of it."""

    def check_seed(self) -> None:
        """Fail if there is a seed of choices that are not random."""
        if self.choose != "random":
            self.call.require("--choose random", "--seed")

    def formulate(self, puzzle: Puzzle, **keywords: Any) -> ExactCover:
        """Return the problem of a puzzle. Raises Stopped if the time limit ends the call.

        If givens of the puzzle exclude each other, this ends the command: there is no solution.
        """
        try:
            return self.stop.call(partial(self._formulate, puzzle, keywords))
        except ContradictionError as error:
            if not puzzle.is_contradictory:  # but `--given` and `--forbidden` are
                raise
            raise self.refute(puzzle, error) from None

    def _formulate(self, puzzle: Puzzle, keywords: dict[str, Any]) -> ExactCover:
        """Return the problem of a puzzle with the rule and the conditions of the command.

        If these name items or options, the problem is formulated first, to know the names. They are
        added to the conditions that the puzzle has itself.
        """
        rule: Any = self.choose
        if rule in CHOICES and not (self.given or self.forbidden):
            return puzzle.cover(choose=rule, seed=self.seed, **keywords)
        exact_cover = puzzle.cover()
        own = named_problem(exact_cover)
        rule = branching_rule(exact_cover, rule)
        given = parse_options("--given", self.given, exact_cover, self.start)
        forbidden = parse_options("--forbidden", self.forbidden, exact_cover, self.start)
        return puzzle.cover(
            choose=rule,
            seed=self.seed,
            given=Numbers([*own.selected.given, *given]),
            forbidden=Numbers([*own.forbidden, *forbidden]),
            **keywords,
        )


@dataclass(kw_only=True)
class ProblemOptions(ProblemFields, SelectionOptions):
    """The options of all commands that read a problem and search it."""

    part: PartialFile | None = field(default=None, init=False)  # the output, if it is a file
    # The number of the last cover that was written as rows of a table. The commands set it if they
    # continue an output, and whether the rows have such numbers: a single plan needs none.
    plan_number = 0
    are_plans_numbered = True
    earlier: list[int] | None = field(default=None, init=False)  # the plan of `--start`

    def formulate(self, puzzle: Puzzle, **keywords: Any) -> ExactCover:
        """Return the problem of a puzzle, with the options that say how to search it."""
        return super().formulate(
            puzzle,
            presolve=self.presolve,
            algorithm=self.algorithm,
            consistency=self.consistency,
            **keywords,
        )

    def format_cover(self, exact_cover: ExactCover, cover: list[int], style: str | None) -> str:
        """Return a cover as text, in the format that `style_of` returns.

        If no picture can draw a cover, its names replace the drawing. Drawings and aligned rows end
        with a newline, so that a blank line follows when they are printed; all other texts lack
        their last newline.
        """
        own = named_problem(exact_cover)
        names = own.names
        style = self.style_of(exact_cover, style)
        if style == CSV:
            if names.table is None:
                given = self.call.name_format(CSV, self.output)
                raise terminal.fail(f"{given} needs --batch, or a table: see --items")
            self.plan_number += 1
            return format_plan_rows(names, cover, self.plan_number, self.are_plans_numbered)
        if style in (DRAWING, ROWS):
            cost = "" if own.problem.cost is None else f"(cost {own.cost(cover):,})\n"
            if style == ROWS:
                plan = as_cover(own, cover)
                return f"{align_rows(plan.columns(self.earlier))}\n{cost}"
            if own.drawing is not None:
                return f"{own.drawing.text(cover, terminal.painter())}\n{cost}"
            style = "names"
        is_for_people = style == "names" and is_terminal(sys.stdout)
        return format_cover(
            own.problem, names, cover, style, self.start, is_for_people=is_for_people
        )

    def style_of(self, exact_cover: ExactCover, style: str | None) -> str:
        """Return the format of covers: by default, for people on a terminal, and numbers elsewhere.

        Those of a table with one option a row are by default drawn, or written as rows of it. The
        covers of a matrix are numbers everywhere.
        """
        if style is not None:
            return style
        own = named_problem(exact_cover)
        is_shown = is_terminal(sys.stdout)
        if own.names.table is not None:
            format_for_people = DRAWING if isinstance(own.drawing, Timetable) else ROWS
            return format_for_people if is_shown else CSV
        return "names" if is_shown and has_names(own.names) else "numbers"

    def read_plan(self, puzzle: Puzzle, text: str) -> list[int]:
        """Return the options of the plan of `--start`, which is a file, or a list of options.

        `earlier` keeps them, so that the changes can be shown.
        """
        with terminal.failing("--start: ", start=self.start):
            answer = read_answer(text)
            with answer.locating():
                plans = read_claims(puzzle, answer.text, self.start)
            if len(plans) != 1:
                raise ValueError(f"expected one plan, not {len(plans)}")
            if isinstance(plans[0], str):  # a claim about the number of solutions
                raise ValueError(f"{text} has no options of the problem")
            self.earlier = plans[0]
            return plans[0]

    def take_plan(self, style: str | None) -> str:
        """Return the file of a plan, and redirect all other output to standard output.

        Plans are written at the end of a command, not as covers are found. Return "" if the format
        is not that of a plan, or is CSV on standard output.
        """
        if style not in PLANS or (style == CSV and self.output == "-"):
            return ""
        check_plan(self.output, str(style))
        path, self.output = self.output, "-"
        return path

    @contextmanager
    def reading(
        self,
        puzzle: Puzzle | None = None,
        *,
        origin: dict[str, str] | None = None,
        resume: bool = False,
        is_answer: bool = True,
        is_explained: bool = True,
    ) -> Iterator[ExactCover]:
        """Formulate a puzzle as a problem for a block that writes the output.

        Without a `puzzle`, one of the input is read. If the block ends with the status that there
        is no cover, report the reason unless `is_explained` is False. With `is_answer`, the output
        is an answer; otherwise, a list of covers, which is complete only at its end. This and
        `origin` and `resume` are the parameters of `redirected_output`. Fails if the problem is not
        valid, or the block cannot use it.
        """
        if puzzle is None:
            puzzle, _ = self.take()
        with terminal.failing(f"{self.source}: ", start=self.start):
            cover = self.formulate(puzzle)
            own = named_problem(cover)
            self.report_size(summarize(own.problem), puzzle)
            report_unusable(cover, self.start)
            if puzzle.counts_classes:
                terminal.report("(unlike by `count FILE`, images of a cover are other covers)")
            if self.presolve:  # what is removed before the time limit remains removed
                own.keep(own.prepare(self.stop))
            self.stop.call(own.prepare)
            self._report_presolved(own)
            with redirected_output(
                self.output, self.file, origin=origin, resume=resume, is_answer=is_answer
            ) as self.part:
                if self.part is not None and own.names.table is not None:
                    self.part.texts = own.names.table.text_titles
                end: typer.Exit | None = None
                try:
                    yield cover
                except typer.Exit as error:
                    end = error
                self._end(cover, end, is_explained)

    def _report_presolved(self, own: NamedProblem) -> None:
        """Report how many options and items `--presolve` has removed."""
        if (presolved := own.find_presolved()) is not None:
            removed, forced, items = presolved
            until = " until the time limit" if self.stop() else ""  # others may be left
            terminal.report(
                f"(presolved{until}: {plural(len(removed), 'option')} and "
                f"{plural(len(items), 'item')} removed, {plural(len(forced), 'option')} forced)"
            )

    def _end(self, cover: ExactCover, end: typer.Exit | None, is_explained: bool) -> None:
        """Report why there is no cover, if `end` says so, and raise the end of the command, if any.

        `end` is the exception that has ended the block of `reading`.
        """
        status = 0 if end is None else end.exit_code
        # With `--fixed-by`, only some of the covers were searched: the problem may have others.
        is_explained &= not self.call.is_used("--fixed-by")
        if is_explained and status == terminal.ExitStatus.NOT_SOLVED:
            self._explain(cover)
        # The status of an answer says if other puzzles of the input cannot be read.
        is_decided = status <= terminal.ExitStatus.NOT_SOLVED
        if is_decided and self.unreadable and not self.call.is_used("--puzzle"):
            if self.call.outcome is not None:
                self.call.outcome.unreadable = self.unreadable
            raise self.ending()
        if end is not None:
            raise end

    def _explain(self, cover: ExactCover) -> None:
        """Report why there is no cover, if that takes no search, and the command that finds out."""
        reason = find_quick_reason(cover)
        see = "See" if reason else "To find out why there is no cover, run"
        command = self.call.diagnose_command([self.file])
        where = " with the problem in a file" if command.endswith(" FILE") else ""
        terminal.report(f"{reason} {see} `{command}`{where}.".lstrip())


def report_unusable(cover: ExactCover, start: int) -> None:
    """Report which options are in no cover, because they have no items to cover."""
    names = named_problem(cover).names.options
    unusable = (~cover.problem.has_primary).nonzero()[0].tolist()
    if unusable:
        labels = (k + start if names[k] == k else names[k] for k in unusable)
        terminal.report(f"(in no cover, without items to cover: {listing(labels)})")


def find_quick_reason(cover: ExactCover) -> str:
    """Return why a problem has no cover, in a sentence, or "" if that takes a search."""
    from ..explain.diagnose import as_sentences, find_reason  # most problems have covers

    own = named_problem(cover)
    reason = find_reason(own, Stop(), MAX_WORK, max_items=1)
    return "" if reason is None else as_sentences(own, reason.first_line)


def parse_options(
    option: str, texts: list[str] | None, exact_cover: ExactCover, start: int
) -> list[int]:
    """Return the numbers, from 0, of all options in the lists that are given with an option.

    A list has numbers, counted from `start`, or names, or conditions that select rows of a table.
    Fails if there is no such option, or a number is also a name.
    """
    names = named_problem(exact_cover).names
    reader = VariationReader(exact_cover.problem, names, start)
    with terminal.failing(f"{option}: ", errors=(ValueError,), start=start):
        selected = [reader.options(text) for text in texts or ()]
    for text, numbers in zip(texts or (), selected, strict=True):
        # A condition such as teacher=Lindh may select more rows than expected.
        if names.table is not None and "=" in text and len(numbers) > 1:
            rows = listing(names_of(exact_cover.problem, names, numbers))
            rule = "all must be chosen" if option == "--given" else "none may be chosen"
            terminal.report(f"({option} {text}: {len(numbers):,} rows, of which {rule}: {rows})")
    return [k for numbers in selected for k in numbers]
