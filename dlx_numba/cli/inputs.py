"""Input files: their errors and names, and the boards or the problem of `show` and `explain`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ..cover.exact_cover import ExactCover
from ..explain.problem_view import ProblemView, view_board, view_cover
from ..runtime.errors import TooLargeError
from ..runtime.text import plural
from ..sudoku.io.records import Records
from .board_run import BOARD_SOURCE, open_board
from .detect import KINDS, BoardFile, read_any
from .options import check_choice, choice_option, parse_box, parse_size
from .terminal import compile_notice, fail, report

InputFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Sudoku boards, a problem, or - for standard input. Or a board: 8....3...",
        show_default=False,
    ),
]
InputKind = Annotated[
    str | None,
    choice_option("--as", choices=KINDS, help="Content of the file.", show_default="detected"),
]


@contextmanager
def readable_input() -> Iterator[None]:
    """Fail if the input cannot be read. The exceptions of readers name the file."""
    try:
        yield
    except TooLargeError as error:
        raise fail(f"{error}; see --max-input") from None
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None


def source_name(file: str) -> str:
    """Return the name of a file in messages."""
    if file == "-":
        return "<stdin>"
    return BOARD_SOURCE if open_board(file) is not None else file


def open_input(
    file: str, kind: str | None, box: str | None, alphabet: str, max_input: str
) -> BoardFile | ExactCover:
    """Return the boards or the problem in a file. Fails if it contains neither."""
    if kind is not None:
        check_choice("--as", kind, KINDS)
    shape, max_bytes = parse_box(box), parse_size("--max-input", max_input)
    board = open_board(file)
    if board is not None:
        kind = "sudoku"
    with readable_input(), compile_notice():
        content = read_any(board or file, kind, shape, alphabet, max_bytes)
    source = source_name(file)
    if isinstance(content, BoardFile):
        if content.is_ambiguous:
            report(f"{source}: read as Sudoku; use --as cover to read an exact cover problem")
        return content._replace(chunks=_checked_chunks(content.chunks))
    try:
        with compile_notice():
            return ExactCover.of(content)
    except ValueError as error:
        raise fail(f"{source}: {error}") from None


def _checked_chunks(chunks: Iterator[Records]) -> Iterator[Records]:
    """Yield chunks. Fails if the rest of the file cannot be read."""
    with readable_input():
        yield from chunks


def find_board(boards: BoardFile, number: int, file: str) -> tuple[Records, int]:
    """Return the chunk that contains board `number`, counted from 1, and its index in the chunk."""
    n_boards = 0
    for records in boards.chunks:
        for notice in records.notices:
            report(f"{records.source}: {notice}; use --alphabet to select another")
        for bad in records.bad:
            report(f"{bad.at(records.source)} (not counted)")
        if number <= n_boards + len(records):
            return records, number - n_boards - 1
        n_boards += len(records)
    source = source_name(file)
    raise fail(f"{source}: no board {number:,}: the file contains {plural(n_boards, 'board')}")


def view_problem(
    content: BoardFile | ExactCover, board: int, file: str, one_based: bool
) -> ProblemView:
    """Return the problem in a file, or that of one of its boards. Fails if givens contradict."""
    start = 1 if one_based else 0
    if isinstance(content, ExactCover):
        with compile_notice():
            return view_cover(content, input_title(file))._replace(start=start)
    records, index = find_board(content, board, file)
    try:
        with compile_notice():
            title = input_title(file, board)
            view = view_board(records.boards[index], records.box, records.alphabet, title)
            return view._replace(start=start)
    except ValueError as error:
        raise fail(f"{records.source}:{records.lines[index]}: {error}") from None


def input_title(file: str, board: int | None = None) -> str:
    """Return the title of a picture of a file, or of one of its boards."""
    if open_board(file) is not None:
        return "board"
    name = "standard input" if file == "-" else Path(file).name
    return name if board is None else f"{name}, board {board}"
