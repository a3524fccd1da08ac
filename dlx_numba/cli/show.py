"""`show`: what an instance looks like, in the terminal or as a picture."""

import shutil
import sys
from itertools import islice
from typing import Annotated

import typer

from ..cover.io.drawing import draw_matrix
from ..explain.problem_view import Subject
from ..sudoku.io.board import encode_board
from ..sudoku.io.grid import grid
from ..sudoku.io.records import Records
from ..svg.board import sudoku_picture
from ..svg.matrix import matrix_picture
from .detect import Boards
from .instance import BoxShape, File, Kind, Symbols, name_of, open_instance, pick_board, subject_of
from .output import safe_output, write_text
from .terminal import counted, fail, say

MOST_BOARDS, MOST_ROWS = 4, 40
WIDTH = 100  # where there is no terminal that has one


def show(
    file: File,
    board: Annotated[
        int | None, typer.Option(min=1, help="Which board of a file of Sudoku; else the first.")
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Of a Sudoku: the matrix, not the board.")
    ] = False,
    whole: Annotated[bool, typer.Option("--all", help="Cut nothing, however large.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a picture of one board or matrix; - is stdout."),
    ] = None,
    kind: Kind = None,
    box: BoxShape = None,
    alphabet: Symbols = "auto",
) -> None:
    """Print the matrix of an exact cover problem, or the boards of a file of Sudoku.

    INSTANCE is any file that `solve` or `cover` reads.

    Examples: `show problem.dlx`, `show --board 3 --matrix puzzles.txt`, `show --svg a.svg a.txt`
    """
    opened = open_instance(file, kind, box, alphabet)
    with safe_output():
        if matrix or not isinstance(opened, Boards):
            if board is not None and not isinstance(opened, Boards):
                raise fail(f"{name_of(file)}: an exact cover problem has no boards")
            _show_matrix(subject_of(opened, board or 1, file), file, whole, svg)
        elif svg or board is not None:
            _show_board(opened, board or 1, file, svg)
        else:
            _show_boards(opened, None if whole else MOST_BOARDS)


def _show_boards(opened: Boards, most: int | None) -> None:
    shown = left_out = bad = 0
    for records in opened.chunks:
        bad += len(records.bad)
        here = len(records) if most is None else min(len(records), most - shown)
        for at in range(here):
            sys.stdout.write(("\n" if shown else "") + _drawn(records, at) + "\n")
            shown += 1
        left_out += len(records) - here
    if left_out:
        sys.stdout.write(f"… {counted(left_out, 'more board')}\n")
    if bad:
        say(f"{counted(bad, 'record')} could not be read; `solve` tells why")


def _drawn(records: Records, at: int) -> str:
    return grid(records.boards[at], records.box, records.alphabet)


def _show_board(opened: Boards, number: int, file: str, svg: str | None) -> None:
    records, at = pick_board(opened, number, file)
    if svg is None:
        sys.stdout.write(_drawn(records, at) + "\n")
        return
    givens = encode_board(records.boards[at], records.alphabet)
    write_text(svg, sudoku_picture(name_of(file, number), givens, records.box), file)


def _show_matrix(subject: Subject, file: str, whole: bool, svg: str | None) -> None:
    rows = subject.marked_rows()
    if svg is not None:
        try:
            text = matrix_picture(subject.title, subject.items, subject.n_primary, rows)
        except ValueError as error:
            raise fail(f"{subject.title}: {error}") from None
        write_text(svg, text, file)
    else:
        width = None if whole else shutil.get_terminal_size((WIDTH, 0)).columns
        most = None if whole else MOST_ROWS
        drawn = draw_matrix(subject.items, subject.n_primary, rows, width=width, max_rows=most)
        sys.stdout.write(drawn + "\n")
        for mark, color in islice(subject.color_marks().items(), MOST_ROWS):
            if mark != color:
                sys.stdout.write(f"{mark}: {color}\n")
    say(f"({subject.summary})")
