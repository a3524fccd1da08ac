"""The options and the help of the commands for files of Sudoku boards.

The functions have no bodies: `app` runs `cli.rate.rate` for `rate`, and so on.
"""

import re
from dataclasses import dataclass
from typing import Any

from ...runtime.choices import (
    BOARD_ENGINES,
    BOARD_STYLES,
    CANDIDATES,
    DIFFICULTIES,
    INVALID,
    RATING_STYLES,
    SYMMETRIES,
    TECHNIQUES,
)
from .. import options
from ..endings import BOOK, FPUZZLES, PLANS, SOLIDS
from .groups import RecordFields

_SOLVE_STYLES = (*BOARD_STYLES, CANDIDATES, "svg", BOOK, *PLANS[1:], SOLIDS)


def _parse_clues(text: str) -> tuple[int, int]:
    """Return the range given by `--clues`."""
    match = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–]\s*(\d{1,3})\s*)?", text)
    if match is None:
        raise ValueError(f"must be a number or a range such as 24-28, not {text!r}")
    return int(match[1]), int(match[2] or match[1])


@dataclass(kw_only=True)
class PuzzleFields(options.OptionGroup):
    """The options that say which puzzles are wanted."""

    difficulty: str | None = options.choice(
        DIFFICULTIES, "Class of the puzzles (9x9 only)", show_default="any"
    )
    level: str | None = options.choice(
        TECHNIQUES, "Hardest step of the puzzles, as of rate (9x9 only)", show_default="any"
    )
    symmetry: str = options.choice(SYMMETRIES, "Symmetry of the cells with a clue", default="none")
    clues: Any = options.text(
        "Number of clues: a range, or one number.", "A-B", parser=_parse_clues
    )
    minimal: bool | None = options.flag(
        "No clue can be removed without a second solution.",
        "--minimal/--no-minimal",
        default=None,
        show_default="minimal without --difficulty",
    )
    box: options.BoxShape = None
    alphabet: options.AlphabetName = "1-9A-"
    rules: options.RulesOption = None
    cages: int | None = options.placed("cages")
    thermometers: int | None = options.placed("thermometers")
    arrows: int | None = options.placed("arrows")
    differences: int | None = options.placed("differences")
    ratios: int | None = options.placed("ratios")
    sums: int | None = options.placed("sums")


@dataclass(kw_only=True)
class WritingFields(options.OptionGroup):
    """The options that say where puzzles are written, and how many at a time."""

    output: options.OutputFile = "-"
    style: str | None = options.style(
        (*BOARD_STYLES, FPUZZLES, BOOK), show_default=options.BOARDS_DEFAULT
    )
    per_page: options.PerPage = None
    title: options.BookTitle = None
    solution: bool = options.flag("Write the solution after each puzzle.")
    seed: int | None = options.number("Seed for random choices.", minimum=0)
    threads: options.Threads = None
    dask: options.DaskAddress = None
    seconds: options.TimeLimit = None
    resume: options.Resume = False
    summary: options.SummaryFile = None


def solve(
    *,
    style: str | None = options.style(_SOLVE_STYLES, show_default=options.BOARDS_DEFAULT),
    limit: int | None = options.limit(show_default="1, 2 with --check, all with --all"),
    all_solutions: bool = options.flag("Write all solutions of each puzzle.", "--all"),
    check: bool = options.flag("Check that each puzzle has a unique solution."),
    engine: str = options.choice(("auto", *BOARD_ENGINES), "Solver", default="auto"),
    rules: options.RulesOption = None,
    svg: str | None = options.svg("Draw a single puzzle and its solution as SVG."),
    sheet: str | None = options.text(
        "Draw all solutions found on a sheet, as SVG or HTML.",
        "FILE",
        parser=options.check_sheet,
    ),
    kind: options.KindName = None,
    puzzle: int | None = options.puzzle_number("all"),
    choose: str | None = options.text(
        "Next item of an exact cover, as in cover.", "RULE", show_default=False
    ),
    seed: int | None = options.number(
        "Find random solutions of a puzzle of another kind.", minimum=None
    ),
    up_to_symmetry: options.UpToSymmetry = False,
    fixed_by: options.FixedBy = None,
    one_based: options.OneBased = False,
    records: RecordFields,
    table: options.TableOptions,
) -> None:
    """Solve files of Sudoku puzzles, or of puzzles or problems of any other kind.

    Examples:
      dlx-numba solve puzzles.txt
      dlx-numba solve -o queens.svg queens:n=12
      dlx-numba solve --limit 12 --sheet queens.html queens
      dlx-numba solve --all --limit 10 puzzles.txt
      qqwing --generate 9 | dlx-numba solve -
      dlx-numba solve --rules diagonals,anti-knight puzzles.txt
      dlx-numba solve --check -f csv -o checked.csv puzzles.csv.gz

    Writes one record per puzzle, or with --all one per solution, in order. Reads all output
    formats of qqwing, .sdm, .sdk, .ss, CSV and JSON files, and arrays from programs. Puzzles of
    other kinds are drawn, with a verdict: unique, 2 or more solutions, no solution.

    Exit status: 0 if all puzzles are solved (with --check: have a unique solution), 1 if not
    """


def rate(
    *,
    style: str = options.style(RATING_STYLES, default="line"),
    difficulty: str | None = options.choice(
        (*DIFFICULTIES, INVALID), "Write only the puzzles of this class, as lines without remarks"
    ),
    with_steps: bool = options.flag("Write the steps of each puzzle, as hint does."),
    records: RecordFields,
) -> None:
    """Rate the difficulty of 9x9 puzzles, in the classes of qqwing.

    Examples:
      dlx-numba rate puzzles.txt
      qqwing --generate 100 | dlx-numba rate -
      dlx-numba rate --difficulty easy -o easy.txt puzzles.txt
      dlx-numba rate -f csv -o ratings.csv puzzles.csv.gz
      dlx-numba rate --with-steps -f json puzzles.txt

    A puzzle is simple if naked singles solve it, easy if hidden singles are needed as well,
    intermediate if pairs, pointing or box/line are needed, and expert if anything harder is, from
    X-wings to forcing chains and guesses; with rules, also what two of them exclude together. It is
    invalid if it does not have exactly one solution. Writes one record per puzzle, in order, with
    the techniques that are used.

    Exit status: 0 if all puzzles are valid, 1 if not
    """


def generate(
    *,
    n: int | None = options.argument(
        "Number of puzzles.", "N", parser=options.at_least(0), show_default="1", default=None
    ),
    number: int | None = options.number("The same, as an option.", "--number", "-n", minimum=0),
    wanted: PuzzleFields,
    writing: WritingFields,
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


def minimize(
    *,
    style: str = options.style(BOARD_STYLES, default="line"),
    solution: bool = options.flag("Write the solution after each puzzle."),
    seed: int | None = options.number(
        "Consider the clues in a random order with this seed.", minimum=0
    ),
    rules: options.RulesOption = None,
    records: RecordFields,
) -> None:
    """Remove redundant clues from files of Sudoku puzzles.

    Examples:
      dlx-numba minimize puzzles.txt
      dlx-numba minimize --seed 1 -f csv -o minimal.csv puzzles.csv.gz

    Writes one minimal puzzle per puzzle, in order: none of its clues can be removed without a
    second solution. Puzzles that do not have exactly one solution are marked, and remain unchanged.
    Reads the files that solve reads.

    Exit status: 0 if each puzzle has a unique solution, 1 if not
    """


def canonical(
    *,
    style: str = options.style(BOARD_STYLES, default="line"),
    unique: bool = options.flag("Drop boards that are equivalent to an earlier one."),
    records: RecordFields,
) -> None:
    """Write canonical forms of boards, or find the boards that are not equivalent.

    Examples:
      dlx-numba canonical puzzles.txt
      dlx-numba canonical --unique -o unique.txt first.txt second.csv.gz
      qqwing --generate 1000 --one-line | dlx-numba canonical --unique -

    Boards are equivalent if permutations of the values, bands, stacks, rows of a band, columns of a
    stack, and the transposition transform one into the other. The canonical form is the smallest
    equivalent board, read row by row, with empty cells before 1. With --unique, the first board of
    each class is written as it is; CSV and JSON contain its form, too.

    Reads the formats of solve, and writes one record per board, in order.

    Exit status: 0 if all boards were read
    """
