"""The options and the help of the commands that draw.

`app` runs the function of the same name in the module of `cli` that is called like the command.
"""

import re
from typing import Any

from ...runtime.choices import WRITTEN_KINDS
from .. import options
from ..endings import BOOK, CSV, OPENSUDOKU, SPREADSHEET, TRACES, WORKBOOK
from .groups import InputFields, SelectionFields


def _parse_step(step: str) -> tuple[int, int | None]:
    """Return the numbers of a step and of its sub-step, None if it is not given."""
    match = re.fullmatch(r"(\d{1,9})(?:\.(\d{1,9}))?", step, re.ASCII)
    if match is None:
        raise ValueError(f"must be a number N, or N.M for a sub-step, not {step!r}")
    return int(match[1]), None if match[2] is None else int(match[2])


def show(
    *,
    matrix: bool = options.flag("Show a puzzle as an exact cover problem."),
    full: bool = options.flag("Print everything, regardless of its size."),
    style: str = options.style(
        ("text", CSV, WORKBOOK, *WRITTEN_KINDS, OPENSUDOKU, BOOK, "svg"),
        without_endings=[".jsonl"],
        default="text",
    ),
    symmetries: bool = options.flag("Print the symmetries of a problem: order, generators."),
    title: options.BookTitle = None,
    output: options.OutputFile = "-",
    svg: str | None = options.svg("Draw a puzzle or a matrix as SVG; - for standard output."),
    inputs: InputFields,
) -> None:
    """Show the boards of a Sudoku file, another puzzle, or an exact cover problem.

    Examples:
      dlx-numba show queens.dlx
      dlx-numba show --puzzle 2 --matrix puzzles.txt
      dlx-numba show --matrix -o matrix.csv puzzles.txt
      dlx-numba show --matrix -o matrix.xlsx puzzles.txt
      dlx-numba show --svg board.svg puzzles.txt
      dlx-numba show -f html -o book.html puzzles.txt
      dlx-numba show -f opensudoku -o puzzles.opensudoku puzzles.txt
      dlx-numba show --symmetries queens.dlx

    Large files are shown in part, unless --full is given. Other commands read what show writes in
    the formats csv, xlsx and json.
    """


def explain(
    *,
    output: str | None = options.output(
        show_default="NAME.html for a page, otherwise standard output"
    ),
    style: str = options.style(
        (BOOK, *TRACES, SPREADSHEET, "svg"), "Page, trace, matrices or picture", default="html"
    ),
    title: str | None = options.text(
        "Title of the page.", "TITLE", show_default="name of the file"
    ),
    steps: int = options.number("Maximum number of recorded steps.", default=1000),
    step: Any = options.text(
        "Draw step N, or its sub-step M.", "N[.M]", parser=_parse_step, show_default="first cover"
    ),
    links: bool = options.flag("Draw the links instead of the matrix or the board."),
    condensed: bool = options.flag("Draw only the rows and columns that are left."),
    steps_per_sheet: int | None = options.number("Draw N steps on one sheet, from --step on."),
    animated: bool = options.flag("Show the steps one after another, for slides."),
    worksheet: bool = options.flag("Write a worksheet with the matrix of each step, and blanks."),
    limit: int = options.limit("Find at most N covers.", default="all"),
    opens: bool = options.flag("Open the page in the browser.", "--open"),
    show_givens: bool = options.flag("Record how the given options are chosen."),
    rules: options.RulesOption = None,
    inputs: SelectionFields,
) -> None:
    """Show a search step by step, on an HTML page, as a trace or as a picture.

    Examples:
      dlx-numba explain --open knuth.txt
      dlx-numba explain --format text knuth.txt
      dlx-numba explain --step 5 -o step.svg knuth.txt
      dlx-numba explain --condensed -o run.xlsx knuth.txt
      dlx-numba explain --worksheet knuth.txt

    If no cover is found in time, the page has the beginning of the search and the path to the first
    cover. The search ignores costs; the page gives them.
    """
