"""`generate`: make Sudoku puzzles."""

import re
from functools import partial
from typing import Any

import numpy as np

from ..pictures.board import sudoku_picture
from ..pictures.book import Book
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..sudoku.generator.api import check_seed
from ..sudoku.generator.request import DIFFICULTIES, make_request
from ..sudoku.generator.start import SYMMETRIES
from ..sudoku.generator.stream import generate_blocks
from ..sudoku.io.board import format_cells
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Alphabet
from ..sudoku.io.write import STYLES, Writer
from ..sudoku.levels import TECHNIQUES
from . import options
from .cluster import open_cluster
from .limit import TimeLimit
from .output import is_shown, write_text
from .part import origin_of
from .run import Run
from .terminal import ending, fail, failing, report

BOOK = "html"  # the format of books
FPUZZLES = "fpuzzles"


def _parse_clues(text: str) -> tuple[int, int]:
    """Return the range given by `--clues`."""
    match = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–]\s*(\d{1,3})\s*)?", text)
    if match is None:
        raise ValueError(f"must be a number or a range such as 24-28, not {text!r}")
    return int(match[1]), int(match[2] or match[1])


def generate(
    n: int | None = options.argument(
        "Number of puzzles.", "N", parser=options.at_least(0), show_default="1", default=None
    ),
    number: int | None = options.number("The same, as an option.", "--number", "-n", minimum=0),
    difficulty: str | None = options.choice(
        DIFFICULTIES, "Class of the puzzles (9x9 only)", show_default="any"
    ),
    level: str | None = options.choice(
        TECHNIQUES, "Hardest step of the puzzles, as of rate (9x9 only)", show_default="any"
    ),
    symmetry: str = options.choice(SYMMETRIES, "Symmetry of the cells with a clue", default="none"),
    clues: Any = options.text(
        "Number of clues: a range, or one number.", "A-B", parser=_parse_clues
    ),
    minimal: bool | None = options.flag(
        "No clue can be removed without a second solution.",
        "--minimal/--no-minimal",
        default=None,
        show_default="minimal without --difficulty",
    ),
    box: options.BoxShape = None,
    alphabet: options.AlphabetName = "1-9A-",
    output: options.OutputFile = "-",
    style: str | None = options.style(
        (*STYLES, FPUZZLES, BOOK), show_default=options.BOARDS_DEFAULT
    ),
    per_page: options.PerPage = None,
    title: options.BookTitle = None,
    solution: bool = options.flag("Write the solution after each puzzle."),
    seed: int | None = options.number("Seed for random choices.", minimum=0),
    threads: options.Threads = None,
    dask: options.DaskAddress = None,
    rules: options.RulesOption = None,
    cages: int | None = options.placed("cages"),
    thermometers: int | None = options.placed("thermometers"),
    arrows: int | None = options.placed("arrows"),
    differences: int | None = options.placed("differences"),
    ratios: int | None = options.placed("ratios"),
    sums: int | None = options.placed("sums"),
    seconds: options.TimeLimit = None,
    resume: options.Resume = False,
    summary: options.SummaryFile = None,
) -> None:
    """Generate Sudoku puzzles with a single solution.

    Examples:
      dlx-numba generate 1000 -o puzzles.txt
      dlx-numba generate 10 --difficulty expert -f grid
      dlx-numba generate 100 --clues 28-32 --no-minimal --seed 1
      dlx-numba generate 60 --difficulty easy -f html -o book.html
      dlx-numba generate 10 --cages 12 --arrows 4 -f fpuzzles
      dlx-numba generate 20 --level X-wing
      dlx-numba generate 1000000 | dlx-numba solve --check -

    Without a difficulty, puzzles of up to 16x16 are minimal: no clue can be removed. With one, they
    are class-minimal: no clue can be removed without a second solution or a harder class. The
    classes and the symmetries are those of qqwing. A level is the hardest step that a puzzle needs.
    The same seed gives the same puzzles.

    Exit status: 0 if all puzzles are written
    """
    if n is not None and number is not None:
        raise fail("the number of puzzles is given twice: as N, and by --number")
    number = next((each for each in (n, number) if each is not None), 1)
    placed = {"cages": cages, "thermometers": thermometers, "arrows": arrows}
    placed |= {"differences": differences, "ratios": ratios, "sums": sums}
    placed = {name: each for name, each in placed.items() if each is not None}
    with failing():
        if placed:
            from ..puzzles.variants.rules import SudokuRules  # most runs have no rules

            rules = SudokuRules(**({} if rules is None else rules.stated()) | placed)
        request = make_request(box, difficulty, symmetry, clues, minimal, rules, level)
        symbols = Alphabet.named(alphabet, request.box.n)
    options.reject("--dask", "--threads")
    options.require(f"--format {BOOK}", "--per-page", "--title")
    options.reject(f"--format {FPUZZLES}", "--alphabet")
    options.require("--output", "--resume")
    options.reject(f"--format {BOOK}", "--resume")
    target = "-" if style == BOOK else output  # a book is written at once
    run = Run(TimeLimit(seconds), target, total=number, is_shown=not is_shown(output))
    run.noun = "puzzle"
    style = run.select_style(style)
    book = None
    if style == BOOK:
        size = int(per_page or 6)
        sentences = [] if rules is None else rules.sentences()
        book = Book("Sudoku puzzle", size, 12 if request.box.n <= 9 else 6, sentences, title)
    else:
        shown = "both" if solution else "puzzles"
        writer = Writer("json" if style == FPUZZLES else style, limit=2, boards=shown)
        if rules is not None and style not in ("json", FPUZZLES) and not run.is_drawn:
            report(
                f"(the format {style} does not contain the rules; json, {FPUZZLES} and {BOOK} do)"
            )
    run.origin = origin_of(number=number)
    run.resume = resume
    run.is_complete = False
    with open_cluster(dask) as executor, run.writing():
        if run.saved and seed is None:
            seed = run.saved["seed"]
        seed = check_seed(seed)
        run.remark = f", seed {seed}"
        if book is None:
            writer.header = run.saved.get("header", writer.header)
            run.write(b"", 0)  # creates the file, also for 0 puzzles
        n_left = number - run.n_records
        n_threads = threads or default_threads()
        first_attempt = run.saved.get("attempts", 0)
        blocks = generate_blocks(
            request, n_left, seed, n_threads, run.stop, executor, first_attempt
        )
        run.display.update(plural(run.n_records, "puzzle"), run.n_records)
        for block, n_failures, n_attempts in blocks:
            own_rules = block.rules[0] if block.rules else rules
            stated = {} if own_rules is None else own_rules.stated()
            if book is not None:
                draw = partial(sudoku_picture, rules=stated)
                for boards in zip(*block, strict=True):
                    givens, solved = (format_cells(board, symbols) for board in boards)
                    name = f"{len(book) + 1:,}"
                    shape = (givens, *request.box)
                    puzzle = draw(f"Puzzle {name}", *shape, is_shaded=False)
                    answer = draw(f"Solution {name}", *shape, solved, is_shaded=not stated)
                    book.add(puzzle, answer, difficulty or "")
            elif style == FPUZZLES:
                from ..puzzles.variants.fpuzzles import format_fpuzzles  # few runs need it

                pairs = zip(block.puzzles.tolist(), block.solutions.tolist(), strict=True)
                lines = [format_fpuzzles(stated, *both) + "\n" for both in pairs]
                run.write("".join(lines).encode(), len(lines))
            elif n_new := len(block.puzzles):
                first = run.n_records + 1  # the number of a puzzle takes the place of its line
                records = Records(
                    source="generated",
                    box=request.box,
                    alphabet=symbols,
                    boards=block.puzzles,
                    lines=np.arange(first, first + n_new),
                    others=None if difficulty is None else [{"difficulty": difficulty}] * n_new,
                    first_number=first,
                    rules=own_rules,
                )
                text = writer.format(records, block.solutions, np.ones(n_new, np.int64))
                run.write(text, n_new)
            if book is None:
                run.status_counts["generated"] = run.n_records
                run.mark(attempts=n_attempts, seed=seed, header=writer.header)
            n_puzzles = run.n_records if book is None else len(book)
            attempts = f", {plural(n_failures, 'attempt')} for the next" if n_failures > 0 else ""
            run.display.update(plural(n_puzzles, "puzzle") + attempts, n_puzzles)
        if book is not None and len(book) == number:  # or an existing file stays as it is
            write_text(output, book.document())
            run.n_records = len(book)
        run.is_complete = run.n_records == number
    n_written = run.n_records
    end = f"{run.remark} ({run.duration(n_written)})"
    if n_written < number:
        report(f"Stopped before the end: {n_written:,} of {plural(number, 'puzzle')}{end}.")
        raise ending(is_complete=False)
    report(f"{plural(n_written, 'puzzle')}{end}")
