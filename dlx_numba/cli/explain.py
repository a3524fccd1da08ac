"""`explain`: record a search as an HTML page, as text or as a CSV table."""

import os
from pathlib import Path
from typing import Annotated

from ..cover.prepare import CHOICES
from ..explain import record_search
from ..explain.page import MAX_ASSIGNMENTS, check_size, describe_ending, is_page, make_page
from ..explain.trace_text import format_csv, format_text
from ..kernels.state import UNLIMITED
from ..runtime.text import plural
from .inputs import InputOptions
from .options import choice_option, format_option, limit_option, number_option, output_option
from .output import write_text
from .terminal import fail, failing, report

RECORDED_CHOICES = ("smallest", "leftmost")
FORMATS = {"html": make_page, "text": format_text, "csv": format_csv}


def explain(
    *,
    output: Annotated[
        str | None,
        output_option(show_default="NAME.html for a page, otherwise standard output"),
    ] = None,
    style: Annotated[
        str,
        format_option(FORMATS, "Output format: interactive page, or trace as text or as a table."),
    ] = "html",
    steps: Annotated[
        int, number_option("--steps", help="Maximum number of recorded steps.")
    ] = 1000,
    limit: Annotated[int, limit_option("Find at most N covers.")] = UNLIMITED,
    choose: Annotated[
        str,
        choice_option(
            "--choose", choices=RECORDED_CHOICES, help="Rule that selects the next item."
        ),
    ] = RECORDED_CHOICES[0],
    board: Annotated[
        int, number_option("--board", help="Number of the board (from 1) in a Sudoku file.")
    ] = 1,
    options: InputOptions,
) -> None:
    """Show a search step by step, on an HTML page or as a trace.

    Examples:
      dlx-numba explain knuth.txt
      dlx-numba explain -o page.html --board 2 puzzles.txt
      dlx-numba explain --format text knuth.txt
      dlx-numba gallery queens --knuth | dlx-numba explain -

    The page shows the matrix, the links, the arrays and the search tree. It is a single file
    without external resources, which is written to the current directory as NAME.html, unless
    --output is given. The formats text and csv print one line for each step. Reads all
    files that solve and cover read. The search is Knuth's Algorithm X, or C (with colors) or M
    (with multiplicities); costs are ignored.
    """
    writes_page = style == "html"
    if output is None:
        output = _default_page(options, board) if writes_page else "-"
    view = options.view(options.open(), board)
    with failing(f"{options.source}: "):
        if writes_page:
            check_size(view)
        record = record_search(
            view,
            steps=steps,
            limit=limit,
            choose=CHOICES[choose],
            max_assignments=MAX_ASSIGNMENTS if writes_page else None,
        )
    write_text(output, FORMATS[style](view, record), options.file)
    counts = [
        plural(len(record.steps), "step"),
        plural(len(record.covers), "cover"),
        plural(record.nodes, "node"),
        plural(record.updates, "update"),
    ]
    report(f"{view.summary}: {', '.join(counts)}.")
    # A trace on the terminal ends with the same sentence.
    if style != "text" or output != "-":
        report(describe_ending(view, record))
    if output != "-":
        report(f"Written to {output}.")


def _default_page(options: InputOptions, board: int) -> str:
    """Return the name of the page of a file. Fails if another file has this name."""
    file = "board" if options.is_board else options.file
    stem = "explain" if file == "-" else Path(file.removesuffix(".gz")).stem
    page = f"{stem}.html" if board == 1 else f"{stem}-{board}.html"
    if os.path.exists(page) and not is_page(page):
        raise fail(f"{page} exists and is not a page of this program; use --output FILE (-o)")
    return page
