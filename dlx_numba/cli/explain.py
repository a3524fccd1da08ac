"""`explain`: record a search as an HTML page."""

from typing import Annotated

import typer

from ..cover.prepare import CHOICES
from ..explain import record_search
from ..explain.page import check_size, describe_ending, make_page
from ..runtime.text import plural
from .inputs import InputFile, InputKind, input_title, open_input, view_problem
from .options import AlphabetName, BoxShape, check_choice
from .output import write_text
from .terminal import compile_notice, fail, interruptible, report

RECORDED_CHOICES = ("smallest", "leftmost")


def explain(
    file: InputFile,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to this file; - for standard output."
        ),
    ],
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
        int, typer.Option(min=1, metavar="N", help="Number of the board in a Sudoku file.")
    ] = 1,
    kind: InputKind = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
) -> None:
    """Write an HTML page that shows a search step by step.

    The page shows the matrix, the links, the arrays and the search tree. It is a single file
    without external resources. Reads all files that `solve` and `cover` read. The search is
    Knuth's Algorithm X, or C (with colors) or M (with multiplicities); costs are ignored.

    Examples:

    - `python -m dlx_numba explain -o page.html problem.dlx`

    - `python -m dlx_numba explain -o page.html --board 3 puzzles.txt`
    """
    check_choice("--choose", choose, RECORDED_CHOICES)
    content = open_input(file, kind, box, alphabet)
    view = view_problem(content, board, file)
    try:
        check_size(view)
        with interruptible(), compile_notice():
            record = record_search(view, steps=steps, limit=limit, choose=CHOICES[choose])
    except ValueError as error:
        raise fail(f"{input_title(file)}: {error}") from None
    write_text(output, make_page(view, record), file)
    counts = [
        plural(len(record.steps), "step"),
        plural(len(record.covers), "cover"),
        plural(record.nodes, "node"),
        plural(record.updates, "update"),
    ]
    report(f"{view.summary}: {', '.join(counts)}.")
    report(describe_ending(view, record))
