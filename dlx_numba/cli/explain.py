"""`explain`: a search as a page to step through."""

from typing import Annotated

import typer

from ..cover.prepare import CHOICES
from ..explain import record_search
from ..explain.page import check_size, describe_ending, make_page
from .instance import BoxShape, File, Kind, Symbols, name_of, open_instance, subject_of
from .output import write_text
from .terminal import compile_notice, counted, fail, interruptible, say

FOLLOWED = ("smallest", "leftmost")


def explain(
    file: File,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PAGE.html", help="The page; - is stdout.")
    ],
    steps: Annotated[int, typer.Option(min=1, help="Record so many steps at most.")] = 1000,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Stop at so many covers; else search to the end.")
    ] = None,
    choose: Annotated[
        str, typer.Option(metavar="HOW", help=f"The next item: {' or '.join(FOLLOWED)}.")
    ] = FOLLOWED[0],
    board: Annotated[int, typer.Option(min=1, help="Which board of a file of Sudoku.")] = 1,
    kind: Kind = None,
    box: BoxShape = None,
    alphabet: Symbols = "auto",
) -> None:
    """Write a page that shows a search step by step: matrix, links, arrays and search tree.

    The page is one HTML file that needs nothing else. INSTANCE is any file that `solve` or `cover`
    reads; of several boards the first is taken, or that of --board. The search is Knuth's
    Algorithm X; with colours C, with multiplicities M. Costs play no part in it.

    Examples: `explain problem.dlx -o page.html`, `explain --board 3 puzzles.txt -o page.html`
    """
    if choose not in FOLLOWED:
        raise fail(f"--choose must be one of {', '.join(FOLLOWED)}, not {choose!r}")
    opened = open_instance(file, kind, box, alphabet)
    subject = subject_of(opened, board, file)
    try:
        check_size(subject)
        with interruptible(), compile_notice():
            record = record_search(subject, steps=steps, limit=limit, choose=CHOICES[choose])
    except ValueError as error:
        raise fail(f"{name_of(file)}: {error}") from None
    write_text(output, make_page(subject, record), file)
    found = counted(len(record.covers), "cover")
    did = f"{record.nodes:,} nodes, {record.updates:,} updates"
    say(f"{subject.summary}: {len(record.steps):,} steps, {found}, {did}.")
    say(describe_ending(subject, record))
