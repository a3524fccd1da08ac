"""The options and the help of the commands for puzzles and problems.

`app` runs the function of the same name in the module of `cli` that is called like the command.
"""

from dataclasses import dataclass

from ...puzzles.registry import KINDS
from ...runtime.choices import COVER_STYLES, METHODS, OPTIMIZER_ENGINES, ORDERS
from .. import options
from ..endings import BOOK, CSV, DRAWING, PLANS
from .groups import (
    CountedFields,
    InputFields,
    ProblemFields,
    RunFields,
    SearchFields,
    SelectionFields,
)

DIAGNOSE_STYLES = ("text", "json", "svg", *PLANS)
HINT_STYLES = ("text", BOOK, "json")


@dataclass(kw_only=True)
class CountFields(options.OptionGroup):
    """The options that say what is counted, and how."""

    method: str = options.choice(METHODS, "How to count", default="auto")
    frequencies: bool = options.flag("Print for each option how many covers contain it.")
    style: str | None = options.style(
        (*COVER_STYLES, "csv", "svg"), "json, or the format of --frequencies and --batch"
    )
    batch: options.BatchFile = None
    certificate: options.CertificateFile = None
    memory: options.MemoryLimit = None
    folder: str | None = options.text("Keep levels of a memo in FOLDER; continue there.", "FOLDER")
    up_to_symmetry: options.UpToSymmetry = False
    distinct: options.Distinct = None
    fixed_by: options.FixedBy = None
    mirror_images: bool = options.flag("Count mirror images of assemblies, too.")


def cover(
    *,
    style: str | None = options.style((*COVER_STYLES, DRAWING, CSV)),
    batch: options.BatchFile = None,
    up_to_symmetry: options.UpToSymmetry = False,
    distinct: options.Distinct = None,
    fixed_by: options.FixedBy = None,
    svg: str | None = options.svg("Draw the problem and its first cover as SVG."),
    order: str = options.choice(ORDERS, "Order of the covers", default=ORDERS[0]),
    search: SearchFields,
    problem: ProblemFields,
) -> None:
    """Print the covers of an exact cover problem.

    Examples:
      dlx-numba cover queens.dlx
      echo '{"options": {"S1": ["A"], "S2": ["B"]}}' | dlx-numba cover -
      dlx-numba cover --given S1 --format names subsets.csv
      dlx-numba cover --limit 1 --svg matrix.svg subsets.csv
      dlx-numba cover --up-to-symmetry queens.dlx
      dlx-numba cover --fixed-by rotate180 tilings:region=6x6
      dlx-numba cover --checkpoint saved --resume queens.dlx
      dlx-numba cover --batch dates.txt --format csv calendar.json

    On a terminal, prints up to 20 covers by the names of their options; elsewhere, all covers by
    option numbers, from 0. With --batch, prints the first cover of each variation.

    Exit status: 0 if covers were found, 1 if there are none
    """


def count(
    *,
    wanted: CountFields,
    search: SearchFields,
    problem: ProblemFields,
) -> None:
    """Count the covers of an exact cover problem.

    Examples:
      dlx-numba count queens.dlx
      dlx-numba count --distinct 'piece*' puzzle.dlx
      dlx-numba count --folder levels --memory 1G tilings:region=30x30

    --folder implies --method memo, and the next call continues there. --choose, --limit,
    --checkpoint, --dask and several --threads imply --method search.

    Exit status: 0 if there are covers, 1 if there are none
    """


def sample(
    *,
    number: options.Number = 1,
    style: str | None = options.style(
        (*COVER_STYLES, DRAWING, CSV), show_default="names on a terminal"
    ),
    memory: options.MemoryLimit = None,
    distinct: options.Distinct = None,
    fixed_by: options.FixedBy = None,
    problem: ProblemFields,
) -> None:
    """Draw random covers of an exact cover problem, all with the same probability.

    Examples:
      dlx-numba sample queens.dlx
      dlx-numba sample -n 10 --seed 1 --format names queens.dlx

    Exit status: 0 if there are covers, 1 if there are none
    """


def cheapest(
    *,
    number: options.Number = 1,
    style: str | None = options.style(
        (*COVER_STYLES, DRAWING, *PLANS), show_default="names on a terminal"
    ),
    verbose: bool = options.flag("Report better covers and bounds.", "--verbose", "-v"),
    engine: str = options.choice(
        OPTIMIZER_ENGINES, "What seeks the covers", default=OPTIMIZER_ENGINES[0]
    ),
    start: str | None = options.text("An earlier plan: a file, or options.", "PLAN"),
    changes: float = options.text(
        "Cost of each option of the plan that is dropped.",
        "COST",
        parser=options.at_least(0, float, "number"),
        default=0,
        show_default=False,
    ),
    fixed_by: options.FixedBy = None,
    certificate: options.CertificateFile = None,
    svg: str | None = options.svg("Draw the problem and its first cover as SVG."),
    run: RunFields,
    problem: CountedFields,
) -> None:
    """Find the covers of lowest cost of an exact cover problem.

    Examples:
      dlx-numba cheapest shifts.dlx
      dlx-numba cheapest -n 3 --format names shifts.dlx
      dlx-numba cheapest --seconds 10 --verbose lectures.dlx
      dlx-numba cheapest --engine both shifts.dlx
      dlx-numba cheapest --checkpoint saved --resume lectures.dlx
      dlx-numba cheapest --items job --cost cost -o plan.csv jobs.csv
      dlx-numba cheapest --items job --start plan.csv jobs.csv

    The cost follows each cover. If the search is stopped, the best covers known are printed,
    and a bound: no cover costs less. Files named .csv, .xlsx and .ics are tables and calendars,
    and a cover of a table is its rows, except on a terminal. With --start, the column `change` says
    what is kept, new or dropped. Costs require --algorithm auto or links.

    Exit status: 0 if these are the cheapest covers, 1 if there is none
    """


def estimate(
    *,
    paths: int = options.number(
        "Number of random paths.", "--paths", "--number", "-n", default=1000
    ),
    style: str = options.style(("text", "json"), default="text"),
    problem: ProblemFields,
) -> None:
    """Estimate the size of the search for all covers, without running it.

    Examples:
      dlx-numba estimate queens.dlx
      dlx-numba estimate --paths 100000 --seconds 10 queens.dlx

    Knuth's method follows random paths through the search tree. Means are printed with their
    standard errors, and the time of a single thread at the speed of the first moments.
    """


def hint(
    *,
    number: int = options.number("Show at most N steps.", "--number", "-n", default=1),
    show_all: bool = options.flag("Show all steps, until no rule applies.", "--all"),
    style: str = options.style(HINT_STYLES, default=HINT_STYLES[0]),
    title: str | None = options.text(
        "Title of the page.", "TITLE", show_default="name of the file"
    ),
    rules: options.RulesOption = None,
    output: options.OutputFile = "-",
    inputs: SelectionFields,
) -> None:
    """Show what follows next in a puzzle or problem, and why.

    Examples:
      dlx-numba hint puzzle.txt
      dlx-numba hint -n 5 kakuro.txt
      dlx-numba hint --all -f html -o steps.html puzzle.txt

    Each step is the simplest one: an item with one option left; options of an item that exclude
    another one; items that use up others; or a choice that leads to a dead end. On a Sudoku board,
    steps have the names that players use. The puzzle is drawn as it is after the last step.

    Exit status: 0 if there are steps, or nothing is left to do, 1 if no rule applies or there is no
    cover
    """


def diagnose(
    *,
    style: str = options.style(
        DIAGNOSE_STYLES,
        "Sentences, JSON, a board that shows the reason, or a plan",
        default=DIAGNOSE_STYLES[0],
    ),
    rules: options.RulesOption = None,
    relaxes: bool = options.flag("Also print the cheapest set of requirements to drop.", "--relax"),
    given: ProblemFields,
) -> None:
    """Explain why a problem has no cover, or a Sudoku puzzle no solution.

    Examples:
      dlx-numba diagnose shifts.dlx
      dlx-numba diagnose --seconds 10 -f json shifts.dlx
      dlx-numba diagnose -f svg -o proof.svg board.json
      dlx-numba diagnose --rules diagonals puzzle.txt
      dlx-numba diagnose --relax shifts.dlx

    The reason is the first of these: items that too few options contain; a count, or a coloring,
    which is a number for each item, and proves by sums that there is no cover; a few items and
    conditions that exclude each other. All independent reasons are printed. For a puzzle, it is a
    few givens, and rules of a variant.

    Exit status: 0 if there is a cover or a solution, 1 if there is none
    """


def verify(
    *,
    inputs: InputFields,
    answer: str | None = options.argument(
        "The options: N,N,... or names; or a file.", "ANSWER", default=None
    ),
    style: str = options.style(("text", "json"), default="text"),
    output: options.OutputFile = "-",
    resume: options.Resume = False,
    summary: options.SummaryFile = None,
) -> None:
    """Check a claimed answer: which items are covered twice or not at all, and what it costs.

    Examples:
      dlx-numba verify routes.txt
      dlx-numba verify shifts.json "Ann on Monday,Bob on Tuesday"

    By default, the answer is the one in the file.

    Exit status: 0 if all answers are right, 1 if not
    """


def puzzles(
    *,
    number: int = options.number("Number of puzzles.", "--number", "-n", default=1),
    clues: list[str] | None = options.text(
        "Show only clues with such names, such as Q*.", "NAME", show_default="all"
    ),
    no_minimal: bool = options.flag(
        "Stop removing clues at the first one that is needed.", "--no-minimal"
    ),
    level: str | None = options.text(
        "Hardest step: only, conflict, set, chain, set of 2.", "LEVEL"
    ),
    size: int | None = options.number("Make new puzzles of the kind FILE with N rows."),
    style: str = options.style(("text", "json", BOOK), without_endings=[".jsonl"], default="text"),
    per_page: options.PerPage = None,
    title: options.BookTitle = None,
    output: options.OutputFile = "-",
    threads: options.Threads = None,
    memory: options.MemoryLimit = None,
    inputs: SelectionFields,
) -> None:
    """Make puzzles from a problem: a few options of a cover, which no other cover contains.

    Examples:
      dlx-numba puzzles -n 20 -o book.html pieces.txt
      dlx-numba puzzles --level only --seed 1 queens:n=8
      dlx-numba puzzles -n 20 --size 8 -o book.html star-battle

    Each puzzle is made from a random cover, whose options are removed in random order. A clue that
    is left cannot be left out; with --level, clues are added to a puzzle that is too hard. With
    --size, the puzzles are new problems with one solution: their regions, or the lengths of their
    runs, are drawn at random. A book has the puzzles from easy to hard, with the pieces that are
    not yet placed, and then the solutions. Without any puzzle, nothing is written.

    Exit status: 0 if all puzzles are made, 1 if there is no cover
    """


def gallery(
    name: str | None = options.argument(
        "Kind of puzzle; all are listed if omitted.",
        "NAME",
        autocompletion=lambda: list(KINDS),
        default=None,
    ),
) -> None:
    """List the kinds of puzzles and problems, or describe one of them.

    Examples:
      dlx-numba gallery
      dlx-numba gallery queens
      dlx-numba solve queens:n=6
      dlx-numba count tilings:sizes=2:region=6x6

    Without NAME, lists all kinds, the parameters of their examples with the default values, and the
    files that they read. All commands take an example in place of a file: its name, with parameters
    after colons.
    """
