"""`show`: print or draw boards and matrices."""

import shutil
import sys
from itertools import islice
from typing import Annotated

import typer

from ..cover.io.drawing import draw_matrix
from ..explain.problem_view import ProblemView
from ..runtime.text import plural
from ..sudoku.io.board import format_cells, format_grid
from ..sudoku.io.records import Records
from ..svg.board import sudoku_picture
from ..svg.matrix import matrix_picture
from .detect import BoardFile
from .inputs import InputFile, InputKind, find_board, input_title, open_input, view_problem
from .options import AlphabetName, BoxShape
from .output import safe_output, write_text
from .terminal import fail, report

MAX_BOARDS, MAX_ROWS = 4, 40  # printed without --all
DEFAULT_WIDTH = 100  # characters, if the width of the terminal is not known


def show(
    file: InputFile,
    board: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Show only board N (from 1) of a Sudoku file."),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Show a Sudoku board as an exact cover problem.")
    ] = False,
    show_all: Annotated[
        bool, typer.Option("--all", help="Print everything, regardless of its size.")
    ] = False,
    svg: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw a board or a matrix as SVG; - for standard output."
        ),
    ] = None,
    kind: InputKind = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
) -> None:
    """Show the boards of a Sudoku file, or an exact cover problem.

    Reads all files that `solve` and `cover` read. Large files are shown in part.

    Examples:

    - `python -m dlx_numba show problem.dlx`

    - `python -m dlx_numba show --board 3 --matrix puzzles.txt`

    - `python -m dlx_numba show --svg board.svg puzzles.txt`
    """
    content = open_input(file, kind, box, alphabet)
    with safe_output():
        if matrix or not isinstance(content, BoardFile):
            if board is not None and not isinstance(content, BoardFile):
                raise fail(f"{input_title(file)}: --board requires a Sudoku file")
            _show_matrix(view_problem(content, board or 1, file), file, show_all, svg)
        elif svg or board is not None:
            _show_board(content, board or 1, file, svg)
        else:
            _show_boards(content, None if show_all else MAX_BOARDS)


def _show_boards(boards: BoardFile, limit: int | None) -> None:
    n_shown = n_omitted = n_bad = 0
    for records in boards.chunks:
        n_bad += len(records.bad)
        n_to_show = len(records) if limit is None else min(len(records), limit - n_shown)
        for index in range(n_to_show):
            sys.stdout.write(("\n" if n_shown else "") + _draw_grid(records, index) + "\n")
            n_shown += 1
        n_omitted += len(records) - n_to_show
    if n_omitted:
        sys.stdout.write(f"… {plural(n_omitted, 'more board')}\n")
    if n_bad:
        report(f"{plural(n_bad, 'record')} could not be read; run `solve` to see the reasons")


def _draw_grid(records: Records, index: int) -> str:
    return format_grid(records.boards[index], records.box, records.alphabet)


def _show_board(boards: BoardFile, number: int, file: str, svg: str | None) -> None:
    records, index = find_board(boards, number, file)
    if svg is None:
        sys.stdout.write(_draw_grid(records, index) + "\n")
        return
    givens = format_cells(records.boards[index], records.alphabet)
    write_text(svg, sudoku_picture(input_title(file, number), givens, *records.box), file)


def _show_matrix(view: ProblemView, file: str, show_all: bool, svg: str | None) -> None:
    rows = view.marked_rows()
    if svg is not None:
        try:
            text = matrix_picture(view.title, view.items, view.n_primary, rows)
        except ValueError as error:
            raise fail(f"{view.title}: {error}") from None
        write_text(svg, text, file)
    else:
        width = None if show_all else shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
        max_rows = None if show_all else MAX_ROWS
        drawing = draw_matrix(view.items, view.n_primary, rows, width=width, max_rows=max_rows)
        sys.stdout.write(drawing + "\n")
        for mark, color in islice(view.color_marks().items(), MAX_ROWS):
            if mark != color:
                sys.stdout.write(f"{mark}: {color}\n")
    report(f"({view.summary})")
