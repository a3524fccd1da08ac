"""Solve and count puzzles of any kind but boards, which have engines of their own."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NoReturn

import typer

from ..cover.covers import Cover
from ..cover.names import OptionSelectionError, as_text
from ..kinds.puzzle import Puzzle
from ..kinds.reading import Reading, open_text, read_unless_boards
from ..runtime.errors import FormatError, Stopped
from ..runtime.interrupts import Stop
from ..runtime.text import all_digits, plural
from .cover_problem import find_quick_reason
from .output import check_file, redirected_output, write_text
from .run import Run
from .terminal import ending, fail, failing, report, report_error

UNIQUE, MULTIPLE, NONE, UNDECIDED = "unique", "multiple", "none", "unknown"


class Answer:
    """The solutions of a puzzle that were found, and what is known about others.

    Parameters
    ----------
    puzzle
        The puzzle.
    limit
        The number of solutions to find; two are sought in any case.
    stop
        Ends the search.
    """

    def __init__(self, puzzle: Puzzle, limit: int, stop: Stop) -> None:
        self.puzzle, self.reason = puzzle, ""
        self.solutions: list[Cover] = []
        seconds = stop.seconds_left()
        try:
            cover = puzzle.cover()
            if cover.problem.cost is not None and puzzle.condition is None:
                self._find_cheapest(stop)
                return
            for solution in islice(puzzle.solutions(stop=stop), max(2, limit)):
                self.solutions.append(solution)
            self.status = (NONE, UNIQUE, MULTIPLE)[min(2, len(self.solutions))]
            self.verdict = ("no solution", "unique", "2 or more solutions")[
                min(2, len(self.solutions))
            ]
            if self.status == NONE:
                self.reason = find_quick_reason(cover)
        except OptionSelectionError as error:  # givens that contradict each other
            self.status, self.verdict, self.reason = NONE, "no solution", str(error)
        except Stopped:
            known = "a solution, " if self.solutions else ""
            self.status = UNDECIDED
            self.verdict = f"{known}not decided in {seconds:.3g} s"
        self.solutions = self.solutions[:limit]

    def _find_cheapest(self, stop: Stop) -> None:
        """Find the solution of lowest cost."""
        covers = self.puzzle.cover().cheapest(stop=stop)
        self.solutions = [*covers]
        self.status = UNDECIDED if not covers.done else "cheapest" if covers else NONE
        self.verdict = f"cost {covers[0].cost:,}" if covers else "no solution"
        if not covers.done:
            bound = "" if covers.bound is None else f"; none costs less than {covers.bound:,}"
            self.verdict = f"{self.verdict if covers else 'not decided'}, the best known{bound}"

    def text(self, place: str = "") -> str:
        """Return the solutions as the kind draws them, and the verdict."""
        drawn = "".join(f"{self.puzzle.text(each)}\n\n" for each in self.solutions)[:-1]
        reason = f": {self.reason}" if self.reason else ""
        return f"{drawn}# {place}{self.verdict}{reason}\n"

    def record(self, number: int) -> dict[str, Any]:
        """Return the same as an object of JSON."""
        return {
            "puzzle": number,
            "title": self.puzzle.title,
            "place": self.puzzle.place,
            "status": self.status,
            "verdict": self.verdict,
            **({"reason": self.reason} if self.reason else {}),
            "solutions": [
                {
                    "text": self.puzzle.text(each),
                    "options": [as_text(name) for name in each.names],
                    **({} if self.status != "cheapest" else {"cost": each.cost}),
                }
                for each in self.solutions
            ],
        }


def solve_puzzles(
    files: list[tuple[str, Reading]],
    style: str | None,
    limit: int,
    check: bool,
    output: str,
    svg: str | None,
    seconds: float | None,
) -> NoReturn:
    """Print the solutions of all puzzles in files, and whether there are others."""
    names = [file for file, _ in files]
    check_file("--svg", svg, [output], *names)
    run, statuses, n_unreadable = Run(is_shown=False, seconds=seconds), list[str](), 0
    with redirected_output(output, *names):
        for file, found in files:
            puzzles = list(_readable(found))
            for number, puzzle in enumerate(puzzles, 1):
                if isinstance(puzzle, FormatError):
                    n_unreadable += 1
                    report_error(str(puzzle))
                    continue
                answer = Answer(puzzle, limit, run.stop)
                is_single = len(puzzles) == len(files) == 1
                if svg is not None:
                    if not is_single or not answer.solutions:
                        raise fail("--svg needs a single puzzle with a solution")
                    write_text(svg, puzzle.svg(answer.solutions[0]), *names)
                if style == "json":
                    typer.echo(json.dumps(answer.record(number), ensure_ascii=False))
                elif svg != "-":
                    place = "" if is_single else f"{puzzle.place or file}: "
                    typer.echo("\n" * bool(statuses) + answer.text(place), nl=False)
                statuses.append(answer.status)
                if answer.status == UNDECIDED and run.stop():
                    break
    kinds = ", ".join(dict.fromkeys(found.format or found.kind for _, found in files))
    counts = ", ".join(f"{statuses.count(each):,} {each}" for each in dict.fromkeys(statuses))
    report(f"{plural(len(statuses), 'puzzle')} read as {kinds}: {counts} ({run.duration()})")
    bad = {NONE, MULTIPLE} if check else {NONE}
    raise ending(
        is_usable=not n_unreadable,
        is_complete=UNDECIDED not in statuses,
        is_solved=not bad & set(statuses),
    )


def read_other_kinds(files: list[str], kind: str | None) -> list[tuple[str, Reading]] | None:
    """Return the content of files that contain no boards; None if all do, or are unreadable."""
    with failing():
        found = [read_unless_boards(open_text(file), kind) for file in files]
    others = [(file, each) for file, each in zip(files, found, strict=True) if each is not None]
    if others and len(others) < len(files):
        boards = next(file for file, each in zip(files, found, strict=True) if each is None)
        reason = f"{boards} has Sudoku boards, and {others[0][0]} is {others[0][1].kind}"
        raise fail(f"{reason}: solve them in separate runs")
    return others or None


def count_puzzles(puzzles: Iterable[Puzzle], limit: int | None, seconds: float | None) -> NoReturn:
    """Print the number of solutions of each puzzle."""
    stop, n_without = Stop(seconds), 0
    for puzzle in puzzles:
        try:
            count = puzzle.count(limit, stop=stop)
        except OptionSelectionError:  # givens that contradict each other
            count = 0
        n_without += not count
        typer.echo(all_digits(count))
    raise ending(is_solved=not n_without)


def _readable(found: Reading) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles of a file. Fails if the rest of the file cannot be read."""
    with failing():
        yield from found.puzzles
