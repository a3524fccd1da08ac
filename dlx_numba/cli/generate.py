"""`generate`: make Sudoku puzzles."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..pictures.board import sudoku_picture
from ..pictures.book import Book
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..sudoku.generator.api import check_seed
from ..sudoku.generator.request import Request, make_request
from ..sudoku.generator.stream import generate_blocks
from ..sudoku.io.board import format_cells
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Alphabet
from ..sudoku.io.write import Writer
from ..sudoku.results import GenerateResult
from .cluster import open_cluster
from .commands.sudoku import PuzzleFields, WritingFields
from .endings import BOOK, FPUZZLES
from .limit import TimeLimit
from .output import is_shown, write_text
from .part import origin_of
from .run import Run
from .terminal import ending, fail, failing, report


@dataclass(kw_only=True)
class PuzzleOptions(PuzzleFields):
    """The options that say which puzzles are wanted."""

    def request(self) -> Request:
        """Return the request for these puzzles, and add what is placed at random to the rules."""
        names = "cages", "thermometers", "arrows", "differences", "ratios", "sums"
        placed = {name: n for name in names if (n := getattr(self, name)) is not None}
        if placed:
            from ..puzzles.variants.rules import SudokuRules  # most runs have no rules

            self.rules = SudokuRules(**({} if self.rules is None else self.rules.stated()) | placed)
        return make_request(
            self.box,
            self.difficulty,
            self.symmetry,
            self.clues,
            self.minimal,
            self.rules,
            self.level,
        )


@dataclass(kw_only=True)
class WritingOptions(WritingFields):
    """The options that say where puzzles are written, and how many at a time."""

    def check(self) -> None:
        """Fail if options exclude each other."""
        self.call.reject("--dask", "--threads")
        self.call.require(f"--format {BOOK}", "--per-page", "--title")
        self.call.reject(f"--format {FPUZZLES}", "--alphabet")
        self.call.require("--output", "--resume")
        self.call.reject(f"--format {BOOK}", "--resume")


class GeneratorRun(Run):
    """A run that writes puzzles as they are generated, or a book with all of them.

    Parameters
    ----------
    wanted, given
        The options of the command.
    request
        The request for the puzzles.
    number
        How many of them are wanted.
    """

    noun = "puzzle"
    is_complete = False
    texts = "puzzle", "solution"

    def __init__(
        self, wanted: PuzzleOptions, given: WritingOptions, request: Request, number: int
    ) -> None:
        with failing():
            self.symbols = Alphabet.named(wanted.alphabet, request.box.n)
        given.check()
        is_book = given.style == BOOK
        target = "-" if is_book else given.output  # a book is written at once
        stop = TimeLimit(given.seconds)
        has_display = not is_shown(given.output)
        super().__init__(given.call, stop, target, total=number, is_shown=has_display)
        self.wanted = wanted
        self.given = given
        self.request = request
        self.number = number
        self.style = self.select_style(given.style)
        self.origin = origin_of(given.call, number=number)
        self.resume = given.resume
        # Neither f-puzzles nor a book are written by a `Writer`: for them, any format will do.
        self.writer = Writer(
            "json" if self.style in (FPUZZLES, BOOK) else self.style,
            limit=2,  # so that the status of puzzles, which have one solution, is "unique"
            boards="both" if given.solution else "puzzles",
        )
        self.book = self._new_book() if is_book else None
        has_rules = self.is_drawn or self.style in ("json", FPUZZLES, BOOK)
        if wanted.rules is not None and not has_rules:
            report(
                f"(the format {self.style} does not contain the rules; "
                f"json, {FPUZZLES} and {BOOK} do)"
            )

    def _new_book(self) -> Book:
        """Return a book without puzzles, in which the rules are written once."""
        rules = self.wanted.rules
        return Book(
            "Sudoku puzzle",
            int(self.given.per_page or 6),  # puzzles on a page
            12 if self.request.box.n <= 9 else 6,  # solutions on a page
            [] if rules is None else rules.sentences(),
            self.given.title,
        )

    @property
    def n_puzzles(self) -> int:
        """The number of puzzles so far."""
        return self.n_records if self.book is None else len(self.book)

    def generate(self, executor: Executor | None) -> None:
        """Generate the puzzles that are left, and write them, until the time limit."""
        seed = self.given.seed
        if self.saved and seed is None:
            seed = self.saved["seed"]
        seed = check_seed(seed)
        self.remark = f", seed {seed}"
        if self.book is None:
            self.writer.header = self.saved.get("header", self.writer.header)
            self.write(b"", 0)  # creates the file, also for 0 puzzles
        blocks = generate_blocks(
            self.request,
            self.number - self.n_records,
            seed,
            self.given.threads or default_threads(),
            self.stop,
            executor,
            self.saved.get("attempts", 0),
        )
        self.display.update(plural(self.n_records, "puzzle"), self.n_records)
        # Of the attempts so far, the last ones, which have failed, count for the next puzzle.
        for block, n_failures, n_attempts in blocks:
            self.write_block(block)
            if self.book is None:
                self.status_counts["generated"] = self.n_records
                self.mark(attempts=n_attempts, seed=seed, header=self.writer.header)
            attempts = f", {plural(n_failures, 'attempt')} for the next" if n_failures > 0 else ""
            self.display.update(plural(self.n_puzzles, "puzzle") + attempts, self.n_puzzles)
        # A book that is not complete is not written: an existing file stays as it is.
        if self.book is not None and len(self.book) == self.number:
            write_text(self.given.output, self.book.document())
            self.n_records = len(self.book)
        self.is_complete = self.n_records == self.number

    def write_block(self, block: GenerateResult) -> None:
        """Write puzzles that were generated together."""
        rules = block.rules[0] if block.rules else self.wanted.rules
        if self.book is not None:
            self._add_to_book(self.book, block, rules)
        elif self.style == FPUZZLES:
            from ..puzzles.variants.fpuzzles import format_fpuzzles  # few runs need it

            rule_values = {} if rules is None else rules.stated()
            pairs = zip(block.puzzles.tolist(), block.solutions.tolist(), strict=True)
            box = self.request.box
            lines = [format_fpuzzles(rule_values, box, *both) + "\n" for both in pairs]
            self.write("".join(lines).encode(), len(lines))
        elif len(block.puzzles):
            self._write_records(block, rules)

    def _add_to_book(self, book: Book, block: GenerateResult, rules: Any) -> None:
        """Add a block of puzzles and their solutions to a book.

        The values of rules, such as cages, are drawn over the cells, which are not shaded then.
        """
        rule_values = {} if rules is None else rules.stated()
        for boards in zip(*block, strict=True):  # a puzzle and its solution
            givens, solved = (format_cells(board, self.symbols) for board in boards)
            name = f"{len(book) + 1:,}"
            shape = (givens, *self.request.box)
            puzzle = sudoku_picture(f"Puzzle {name}", *shape, is_shaded=False, rules=rule_values)
            is_shaded = not rule_values
            answer = sudoku_picture(
                f"Solution {name}", *shape, solved, is_shaded=is_shaded, rules=rule_values
            )
            book.add(puzzle, answer, self.wanted.difficulty or "")

    def _write_records(self, block: GenerateResult, rules: Any) -> None:
        """Write a block of puzzles, with their solutions if the format has them, and count them."""
        n_new = len(block.puzzles)
        difficulty = self.wanted.difficulty
        first = self.n_records + 1  # the number of a puzzle takes the place of its line
        records = Records(
            source="generated",
            box=self.request.box,
            alphabet=self.symbols,
            boards=block.puzzles,
            lines=np.arange(first, first + n_new),
            others=None if difficulty is None else [{"difficulty": difficulty}] * n_new,
            first_number=first,
            rules=rules,
        )
        text = self.writer.format(records, block.solutions, np.ones(n_new, np.int64))
        self.write(text, n_new)


def generate(
    *,
    n: int | None,
    number: int | None,
    wanted: PuzzleOptions,
    writing: WritingOptions,
) -> None:
    """Generate Sudoku puzzles with a single solution."""
    if n is not None and number is not None:
        raise fail("the number of puzzles is given twice: as N, and by --number")
    n_wanted = next((each for each in (n, number) if each is not None), 1)
    with failing():
        request = wanted.request()
    run = GeneratorRun(wanted, writing, request, n_wanted)
    with open_cluster(writing.dask) as executor, run.writing():
        run.generate(executor)
    n_written = run.n_records
    end = f"{run.remark} ({run.duration(n_written)})"
    if n_written < n_wanted:
        n_puzzles = plural(n_wanted, "puzzle")
        report(f"Stopped before the end: {n_written:,} of {n_puzzles}{end}.")
        raise ending(is_complete=False)
    report(f"{plural(n_written, 'puzzle')}{end}")
