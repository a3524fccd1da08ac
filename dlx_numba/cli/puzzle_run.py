"""Solve and count puzzles of any kind but boards, which have engines of their own."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain, count, islice, starmap
from typing import Any, NamedTuple, NoReturn

import numpy as np
import typer

from ..cover.covers import Cover
from ..cover.named_problem import named_problem
from ..cover.text import format_cover, has_names
from ..pictures.document import Svg
from ..pictures.sheet import html_sheet, svg_sheet
from ..puzzles.kind import readers
from ..puzzles.pieces.burr import write_solutions
from ..puzzles.puzzle import EXACT_COVER, Puzzle
from ..puzzles.reading import (
    SUDOKU,
    Reading,
    ReadingOptions,
    find_kind,
    is_example,
    open_text,
    read_any,
)
from ..puzzles.sudoku import BoardPuzzle
from ..runtime import signals
from ..runtime.arguments import UNLIMITED
from ..runtime.errors import FormatError, UnreadableError
from ..runtime.partial_file import part_name
from ..runtime.text import plural
from . import output
from .board_argument import advise_size
from .board_run import RecordOptions
from .call import Call
from .endings import PLANS, SOLIDS
from .inputs import report_unusable
from .limit import INPUT_END
from .part import origin_of
from .puzzle_search import (
    INTERRUPTED,
    MULTIPLE,
    NONE,
    UNDECIDED,
    PuzzleSearch,
    SearchOutcome,
    answer_puzzle,
    format_json,
)
from .run import Run
from .terminal import (
    DESCRIBED,
    DIAGNOSE_ADVICE,
    BadPlace,
    describe_statuses,
    ending,
    fail,
    failing,
    painter,
    report,
    report_error,
)

MAX_DRAWN = 1000  # solutions on a sheet


def draw(puzzle: Puzzle, solution: Any, start: int = 0) -> str:
    """Return a solution, options or a board, as lines of text, in color on a terminal.

    The options of a matrix are numbers, counted from `start`.
    """
    if isinstance(puzzle, BoardPuzzle) and isinstance(solution, np.ndarray):
        return puzzle.draw(solution, painter())
    if puzzle.picture is None:
        named = named_problem(puzzle.problem)
        style = "names" if has_names(named.names) else "numbers"
        return format_cover(named.problem, named.names, solution, style, start, is_for_people=True)
    return puzzle.picture.text(solution, painter())


class Target(NamedTuple):
    """The files to which the solutions of puzzles are written.

    Attributes
    ----------
    path
        The output file, or `-`.
    style
        The format; by default, solutions are drawn as text, and verdicts follow.
    svg
        The file of a picture of the first solution.
    sheet
        The file of a sheet with the first solutions.
    """

    path: str
    style: str | None
    svg: str | None
    sheet: str | None

    @property
    def is_plan(self) -> bool:
        """Whether the output is a file that is written at the end."""
        return self.style in (*PLANS, SOLIDS)

    @property
    def is_picture(self) -> bool:
        """Whether a picture is written to standard output."""
        return "-" in (self.svg, self.sheet)

    @property
    def is_text(self) -> bool:
        """Whether solutions are drawn as they are found."""
        return not (self.style == "json" or self.is_plan or self.is_picture)

    @property
    def n_kept(self) -> int:
        """The number of solutions of a puzzle that are kept until it is solved."""
        if self.style == "json" or self.is_plan:
            return UNLIMITED
        return MAX_DRAWN if self.sheet else 1

    def check(self, call: Call, names: list[str]) -> None:
        """Fail if a file is also an input or another output, or needs options that are missing."""
        # With these formats, the output is the picture itself; with `--svg -`, standard output
        # has nothing else.
        others = [] if self.style in ("svg", "html") else [self.path]
        output.check_file("--svg", self.svg, [] if self.svg == "-" else others, *names)
        output.check_file("--sheet", self.sheet, others, *names)
        if self.is_plan:
            output.check_plan(self.path, str(self.style))
        call.require("--output", "--resume")
        # These are written as a whole, so nothing of them can be continued.
        whole = (f"--format {name}" for name in ("svg", "html", *PLANS, SOLIDS))
        call.reject("--resume", "--svg", "--sheet", *whole)


class PuzzleRun(Run):
    """A run that solves puzzles, prints their solutions, and keeps those that files will have.

    Parameters
    ----------
    names
        The files of the puzzles.
    records, search, target
        What the command was asked for.
    """

    noun = "puzzle"

    def __init__(
        self, names: list[str], records: RecordOptions, search: PuzzleSearch, target: Target
    ) -> None:
        path = "-" if target.is_plan else target.path
        super().__init__(records.call, records.stop, path, total=1)
        self.files: list[str] = names
        self.origin = origin_of(records.call, *names)
        self.resume = records.resume
        self.records = records
        self.search = search
        self.target = target
        self.n_puzzles = 0  # also those that cannot be read
        self.statuses: list[str] = []  # of the puzzles so far
        self.verdict = ""  # of the last puzzle
        self.has_advice = False  # whether a puzzle has no solution, for a reason unknown so far
        self.kept: list[tuple[Any, list[Cover]]] = []  # the first solutions of each puzzle
        self.finished: set[int] = set()  # the indices in `kept` of puzzles with all solutions
        self._numbers = count(1)  # of solutions

    @property
    def is_single(self) -> bool:
        """Whether there is a single puzzle."""
        return self.n_puzzles == 1

    @property
    def n_readable(self) -> int:
        """The number of puzzles that can be read."""
        return self.n_puzzles - len(self.unreadable)

    @property
    def is_usable(self) -> bool:  # type: ignore[override]
        """Whether all files have puzzles that can be read."""
        return not self.records.n_rejected and (self.n_readable > 0 or not self.n_puzzles)

    def solve(self, puzzles: list[tuple[str, int, Puzzle | FormatError]]) -> None:
        """Solve the puzzles that no earlier run has solved, until the time limit.

        Each comes with its file, and its number in the file.
        """
        self.n_puzzles = len(puzzles)
        self.statuses += self.status_counts.elements()  # of the run that is continued
        self.unreadable += starmap(BadPlace, self.saved.get("unreadable", ()))
        self.display.update("no solution so far")
        if self.target.svg is not None and not self.is_single:
            raise fail("--svg needs a single puzzle: see --puzzle")
        n_before = self.saved.get("done", 0)
        for n_done, (file, number, puzzle) in enumerate(puzzles[n_before:], n_before + 1):
            if isinstance(puzzle, FormatError):
                place = BadPlace(puzzle.source, puzzle.line, puzzle.reason)
                self._reject(place, str(puzzle))
                continue
            answer = self._answer(file, puzzle)
            if answer is None:
                continue
            self.statuses.append(answer.status)
            _, solutions = self.kept[-1]
            if self.search.has_all(answer) and answer.n_found == len(solutions):
                self.finished.add(len(self.kept) - 1)
            self.verdict = answer.verdict
            is_explained = answer.reason or self.search.fixed_by  # which leaves out solutions
            self.has_advice |= answer.status == NONE and not is_explained
            self._print_answer(file, number, answer)
            if answer.status == INTERRUPTED or (answer.status == UNDECIDED and self.stop()):
                self.n_records += 1  # it is printed, but another run searches it again
                self.is_complete = False
                return
            self.status_counts[answer.status] += 1
            self.end_record(done=n_done, unreadable=[*self.unreadable])

    def _answer(self, file: str, puzzle: Puzzle) -> SearchOutcome | None:
        """Return what is known of a puzzle, whose solutions are shown; None if it is not valid.

        `kept` gets the puzzle, with its solutions so far, which `_show` adds.
        """
        if not self.is_single:
            n_solved = len(self.statuses)
            progress = f"{n_solved:,} of {plural(self.n_puzzles, 'puzzle')}"
            self.display.update(progress, n_solved / self.n_puzzles)
        puzzle = puzzle.with_settings(threads=self.records.threads)
        solutions: list[Cover] = []
        self.kept.append((puzzle, solutions))
        target = self.target
        shows_boards = target.is_text and target.svg is None and target.sheet is None
        try:
            answer = answer_puzzle(puzzle, self.search, self.stop, self._show, shows_boards)
            if puzzle.title == EXACT_COVER and puzzle.is_formulated:
                report_unusable(puzzle.problem, self.search.start)
            return answer
        except ValueError as error:  # the puzzle is no valid problem
            if solutions:  # it is one, and its picture has a defect
                raise
            place = puzzle.place or file
            self._reject(BadPlace.of(place, str(error)), f"{place}: {error}")
            return None

    def _reject(self, place: BadPlace, message: str) -> None:
        """Report a puzzle that cannot be read."""
        self.unreadable.append(place)
        report_error(message)

    def _show(self, solution: Cover) -> None:
        """Keep a solution of the last puzzle, and print it if solutions are drawn as text."""
        puzzle, solutions = self.kept[-1]
        space = "\n" if self.statuses or solutions else ""  # a blank line between drawings
        if len(solutions) < self.target.n_kept:
            solutions.append(solution)
        if self.target.is_text:
            self.display.clear_for_stdout()
            typer.echo(space + draw(puzzle, solution, self.search.start))
        if self.is_single:
            self.display.update(plural(next(self._numbers), "solution"))

    def _print_answer(self, file: str, number_in_file: int, answer: SearchOutcome) -> None:
        """Print what is known of the last puzzle."""
        puzzle, solutions = self.kept[-1]
        self.display.clear_for_stdout()
        if self.target.style == "json":
            start = self.search.start
            typer.echo(format_json(puzzle, number_in_file, answer, solutions, start))
        elif not self.target.is_picture:
            place = "" if self.is_single else f"{puzzle.place or file}: "
            reason = f": {answer.reason}" if answer.reason else ""
            typer.echo(f"# {place}{answer.verdict}{reason}")

    def write_files(self) -> None:
        """Write the picture, the plans or the sheet of the solutions.

        If plans that were asked for are missing, the name of the file says so, as in other runs.
        """
        path, style, svg, sheet = self.target
        has_solutions = any(solutions for _, solutions in self.kept)
        if svg is not None and has_solutions:
            [(puzzle, solutions)] = self.kept
            # Fails if the picture would replace one of the files that are read.
            output.write_text(svg, puzzle.svg(solutions[0]), *self.files)
        if not self.is_complete:
            if not has_solutions:
                return
            # Nothing is missing if the last puzzle was reached, and has as many as were asked for.
            is_last = self.is_usable and len(self.statuses) == self.n_readable
            _, last_solutions = self.kept[-1]
            has_all = is_last and len(last_solutions) >= (self.search.limit or 1)
            if self.target.is_plan and not has_all:
                path = part_name(path)
                report(f"({path} has the solutions that were found; others are missing)")
        if style == SOLIDS:
            output.check_output(path, *self.files)
            kept = enumerate(self.kept)
            answers = [(puzzle, own, k in self.finished) for k, (puzzle, own) in kept]
            with failing(), output.safe_output(path):
                write_solutions(path, answers)
        elif style in PLANS:
            covers = chain.from_iterable(solutions for _, solutions in self.kept)
            output.write_plans(path, style, covers, *self.files)
        if sheet is not None:
            self._write_sheet(sheet)

    def _write_sheet(self, sheet: str) -> None:
        """Draw the first solutions of puzzles, if there are any, on a sheet."""
        drawn: list[tuple[str, Svg]] = []
        for puzzle, solutions in self.kept:
            for solution in solutions[: MAX_DRAWN - len(drawn)]:
                name = f"{len(drawn) + 1}"
                parts = [name] if self.is_single else [puzzle.place, name]
                if solution.cost != 0:
                    parts.append(f"cost {solution.cost:,}")
                drawn.append((", ".join(filter(None, parts)), puzzle.svg(solution)))
        if drawn:
            title = self.kept[0][0].title if self.is_single else ", ".join(self.files)
            is_page = self.target.style == "html" or sheet.lower().endswith((".html", ".htm"))
            build = html_sheet if is_page else svg_sheet
            output.write_text(sheet, build(title, drawn), *self.files)
        if len(drawn) == MAX_DRAWN:
            report(f"(the sheet has the first {MAX_DRAWN:,} solutions)")

    def exit(self, kinds: str) -> NoReturn:
        """Report how many puzzles have which status, and end the command."""
        n_not_reached = self.n_readable - len(self.statuses)
        statuses = self.statuses + ["not reached"] * n_not_reached
        if self.search.fixed_by:
            unsolved = DESCRIBED[NONE] + self.search.remark
            statuses = [unsolved if status == NONE else status for status in statuses]
        counts = describe_statuses(Counter(statuses))
        summary = f"{plural(len(statuses), 'puzzle')} read as {kinds}"
        if statuses == [MULTIPLE]:
            several = f"with {self.verdict}" if self.search.limit else DESCRIBED[MULTIPLE]
            summary = f"1 puzzle {several}, read as {kinds}"
        elif counts:
            summary += f": {counts}"
        report(f"{summary} ({self.duration()})")
        if self.has_advice:
            command = self.records.call.diagnose_command(self.files)
            report(DIAGNOSE_ADVICE.format(command))
        failures = {NONE, MULTIPLE} if self.search.check else {NONE}
        raise ending(
            is_interrupted=INTERRUPTED in self.statuses or signals.is_interrupted(),
            is_usable=self.is_usable,
            is_readable=not self.unreadable,
            is_complete=UNDECIDED not in self.statuses,
            is_solved=not failures & set(self.statuses),
        )


def solve_puzzles(
    files: list[tuple[str, Reading]],
    records: RecordOptions,
    search: PuzzleSearch,
    target: Target,
    number: int | None,
) -> NoReturn:
    """Print the solutions of the puzzles in files, and whether there are others.

    With a `number`, only the puzzle of this number in each file is solved.
    """
    names = [file for file, _ in files]
    target.check(records.call, names)
    run = PuzzleRun(names, records, search, target)
    try:
        with run.writing(), run.printing():
            with failing():
                puzzles = run.stop.call(lambda: _list_puzzles(files, number), INPUT_END)
            run.solve(puzzles)
            run.is_complete &= run.is_usable
    except typer.Exit as end:
        if not end.exit_code:  # standard output is a closed pipe
            run.write_files()
        raise
    run.write_files()
    run.exit(", ".join(dict.fromkeys(reading.format or reading.kind for _, reading in files)))


def _list_puzzles(
    files: list[tuple[str, Reading]], number: int | None
) -> list[tuple[str, int, Puzzle | FormatError]]:
    """Return the puzzles of each file, with the file, and their numbers in it.

    With a `number`, this is one puzzle of each file: the one with this number among the readable.
    """
    listed: list[tuple[str, int, Puzzle | FormatError]] = []
    for file, reading in files:
        own: Iterator[tuple[int, Puzzle | FormatError]] = enumerate(reading.puzzles, 1)
        if number is not None:
            readable = ((k, puzzle) for k, puzzle in own if not isinstance(puzzle, FormatError))
            up_to_number = [*islice(readable, number)]
            if len(up_to_number) < number:
                raise ValueError(
                    f"{output.source_name(file)}: no puzzle {number:,}: the file contains "
                    f"{plural(len(up_to_number), 'puzzle')}"
                )
            own = iter(up_to_number[-1:])
        listed += [(file, k, puzzle) for k, puzzle in own]
    return listed


def read_other_kinds(
    records: RecordOptions,
    kind: str | None,
    problems: ReadingOptions,
    reads_boards: bool,
) -> list[tuple[str, Reading]] | None:
    """Return the content of files that contain no boards; None if all of them do.

    Files of boards are left for the engines of Sudoku: `records.files` becomes their list, and
    `records.sources` has what was opened of them. With `reads_boards`, boards are puzzles like all
    others. Of several files, those that cannot be read are reported and left out. Fails if there
    are files of both sorts.
    """
    readers()  # importing them takes no part of the time
    others: list[tuple[str, Reading]] = []
    board_files: list[str] = []
    unreadable: dict[str, UnreadableError] = {}  # damaged files, which may begin with boards
    has_several_files = len(records.files) > 1
    for file in records.files:
        try:
            with failing(suffix=advise_size(file), command=records.call.command):
                source = open_text(records.take(file))
                own_kind = kind
                if not (kind or problems.is_problem or is_example(source)):
                    try:
                        own_kind, source = records.stop.call(partial(find_kind, source), INPUT_END)
                    except UnreadableError as error:  # boards before the damage can be read
                        own_kind = SUDOKU
                        unreadable[file] = error
                if own_kind == SUDOKU and not reads_boards:
                    board_files.append(file)
                    records.sources[file] = source
                    continue
                read = partial(read_any, source, own_kind, problems=problems)
                others.append((file, records.stop.call(read, INPUT_END)))
        except typer.Exit:
            if records.strict:
                report("stopped at the first file that cannot be read")
            if records.strict or not has_several_files:
                raise
            records.n_rejected += 1
    if others:
        # Boards that precede the damage in a file cannot be solved in a run of other puzzles.
        for file in filter(unreadable.get, board_files):
            fail(unreadable[file])  # reports it; the exception is not raised
            records.n_rejected += 1
        board_files = [file for file in board_files if file not in unreadable]
    if not (others or board_files):
        raise ending(is_usable=False)
    if others and board_files:
        file, reading = others[0]
        raise fail(
            UnreadableError(
                file,
                f"this is of the kind {reading.kind}, and {board_files[0]} has Sudoku "
                "boards: solve them in separate runs",
            )
        )
    records.files = board_files
    return others or None
