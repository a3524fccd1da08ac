"""Instances of either kind, for the commands that show them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..box import Box
from ..exact_cover import ExactCover
from ..explain.subject import Subject, board_subject, cover_subject
from ..formats import Boards, Records, read_instance
from ..formats.instance_file import KINDS
from .terminal import compile_notice, end_of_pipe, fail, say

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
        return opened
    try:
        with compile_notice():
            return ExactCover.of(opened)
    except ValueError as error:
        raise fail(f"{source}: {error}") from None


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


def subject_of_board(records: Records, at: int, title: str) -> Subject:
    """Fails where the givens are at odds."""
    try:
        with compile_notice():
            return board_subject(records.boards[at], records.box, records.alphabet, title)
    except ValueError as error:
        raise fail(f"{records.source}:{records.lines[at]}: {error}") from None


def subject_of_cover(cover: ExactCover, file: str) -> Subject:
    with compile_notice():
        return cover_subject(cover, name_of(file))


def name_of(file: str) -> str:
    """What a picture of it is called."""
    return "standard input" if file == "-" else Path(file).name


def write_text(path: str, text: str, source: str) -> None:
    """Write a file, or standard output (`-`), that is made from `source`.

    Fails where it cannot be written, or would replace the source.
    """
    try:
        if path == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        if source != "-" and Path(path).exists() and Path(path).samefile(source):
            raise fail(f"{path} is both input and output")
        Path(path).write_text(text, encoding="utf-8")
    except BrokenPipeError:  # the reader of a pipe has seen enough
        end_of_pipe()
        raise typer.Exit(0) from None
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
