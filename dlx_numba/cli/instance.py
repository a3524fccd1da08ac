"""Instances of either kind, for the commands that show them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..cover.exact_cover import ExactCover
from ..explain.problem_view import ProblemView, view_board, view_cover
from ..sudoku.box import Box
from ..sudoku.io.records import Records
from .detect import KINDS, Boards, read_instance
from .terminal import compile_notice, fail, say

File = Annotated[
    str, typer.Argument(metavar="INSTANCE | -", help="A Sudoku or a cover problem; - is stdin.")
]
Kind = Annotated[
    str | None,
    typer.Option("--as", metavar="|".join(KINDS), help="What it is, where that is ambiguous."),
]
BoxShape = Annotated[
    str | None, typer.Option("--box", metavar="RxC", help="Of a Sudoku: rows and columns of a box.")
]
Symbols = Annotated[
    str,
    typer.Option("--alphabet", metavar="NAME", help="Of a Sudoku: the symbols, as for `solve`."),
]


def open_instance(
    file: str, kind: str | None, box: str | None, alphabet: str
) -> Boards | ExactCover:
    """The boards or the problem in a file. Fails where there is none."""
    source = "<stdin>" if file == "-" else file
    try:
        with compile_notice():
            opened = read_instance(file, kind, Box.parse(box) if box else None, alphabet)
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None
    if isinstance(opened, Boards):
        if opened.ambiguous:
            say(f"{source}: read as Sudoku; --as cover reads it as an exact cover problem")
        return opened._replace(chunks=_readable(opened.chunks))
    try:
        with compile_notice():
            return ExactCover.of(opened)
    except ValueError as error:
        raise fail(f"{source}: {error}") from None


def _readable(chunks: Iterator[Records]) -> Iterator[Records]:
    """The chunks; fails where the file breaks off, or cannot be read on."""
    try:
        yield from chunks
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None


def pick_board(boards: Boards, number: int, source: str) -> tuple[Records, int]:
    """The records that hold that board of a file, counted from 1, and its place in them."""
    before = 0
    for records in boards.chunks:
        for notice in records.notices:
            say(f"{records.source}: {notice}; --alphabet chooses")
        for bad in records.bad:
            say(f"{bad.at(records.source)} (not counted)")
        if number <= before + len(records):
            return records, number - before - 1
        before += len(records)
    there_are = "there is 1" if before == 1 else f"there are {before:,}"
    raise fail(f"{source}: no board {number:,}; {there_are}")


def subject_of(opened: Boards | ExactCover, number: int, file: str) -> ProblemView:
    """The problem in the file, or that of a board of it. Fails where its givens are at odds."""
    if isinstance(opened, ExactCover):
        with compile_notice():
            return view_cover(opened, name_of(file))
    records, at = pick_board(opened, number, file)
    board, title = records.boards[at], name_of(file, number)
    try:
        with compile_notice():
            return view_board(board, records.box, records.alphabet, title)
    except ValueError as error:
        raise fail(f"{records.source}:{records.lines[at]}: {error}") from None


def name_of(file: str, board: int | None = None) -> str:
    """What a picture of it, or of one of its boards, is called."""
    name = "standard input" if file == "-" else Path(file).name
    return name if board is None else f"{name}, board {board}"
