"""`explain`: record a search as an HTML page, as text or as a CSV table."""

from typing import Annotated

import typer

from ..cover.prepare import CHOICES
from ..explain import record_search
from ..explain.page import MAX_CELLS, check_size, describe_ending, make_page
from ..explain.trace_text import format_csv, format_text
from ..runtime.text import plural
from .inputs import InputFile, InputKind, open_input, source_name, view_problem
from .options import DEFAULT_MAX_INPUT, AlphabetName, BoxShape, MaxInput, check_choice
from .output import write_text
from .terminal import compile_notice, fail, report

RECORDED_CHOICES = ("smallest", "leftmost")
FORMATS = {"html": make_page, "text": format_text, "csv": format_csv}


def explain(
    file: InputFile,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to this file; - for standard output. Required for html.",
            show_default="standard output",
        ),
    ] = None,
    style: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="|".join(FORMATS),
            help="Output format: interactive page, or trace as text or as a table.",
        ),
    ] = "html",
    steps: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of recorded steps.")
    ] = 1000,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after N covers.")
    ] = None,
    choose: Annotated[
        str,
        typer.Option(metavar="|".join(RECORDED_CHOICES), help="Rule that selects the next item."),
    ] = RECORDED_CHOICES[0],
    board: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of the board (from 1) in a Sudoku file.")
    ] = 1,
    kind: InputKind = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    max_input: MaxInput = DEFAULT_MAX_INPUT,
) -> None:
    """Show a search step by step, on an HTML page or as a trace.

    The page shows the matrix, the links, the arrays and the search tree. It is a single file
    without external resources. The formats text and csv print one line for each step. Reads all
    files that `solve` and `cover` read. The search is Knuth's Algorithm X, or C (with colors) or M
    (with multiplicities); costs are ignored.

    Examples:

    - `python -m dlx_numba explain -o page.html problem.dlx`

    - `python -m dlx_numba explain -o page.html --board 3 puzzles.txt`

    - `python -m dlx_numba explain --format text problem.dlx`
    """
    check_choice("--choose", choose, RECORDED_CHOICES)
    check_choice("--format", style, FORMATS)
    is_page = style == "html"
    if output is None:
        if is_page:
            raise fail("the format html requires --output FILE (-o); - is standard output")
        output = "-"
    content = open_input(file, kind, box, alphabet, max_input)
    view = view_problem(content, board, file)
    try:
        if is_page:
            check_size(view)
        with compile_notice():
            record = record_search(
                view,
                steps=steps,
                limit=limit,
                choose=CHOICES[choose],
                max_cells=MAX_CELLS if is_page else None,
            )
    except ValueError as error:
        raise fail(f"{source_name(file)}: {error}") from None
    write_text(output, FORMATS[style](view, record), file)
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
