"""`verify`: check claimed answers to puzzles and problems."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import typer

from ..kinds.answer import check_answer, is_drawing
from ..kinds.puzzle import Puzzle
from ..kinds.reading import SUDOKU, read_any
from ..runtime.interrupts import raise_if_stopped
from ..runtime.source import Source
from ..runtime.text import plural
from . import options
from .inputs import InputOptions, parse_options
from .limit import OUTPUT_END
from .terminal import ending, fail, failing, report

STYLES = ("text", "json")


def verify(
    *,
    inputs: InputOptions,
    answer: str | None = options.argument(
        "The options: N,N,... or names; or a file.", "ANSWER", default=None
    ),
    style: str = options.style(STYLES, default=STYLES[0]),
) -> None:
    """Check a claimed answer: which items are covered twice or not at all, and what it costs.

    Examples:
      dlx-numba verify routes.txt
      dlx-numba verify shifts.json "Ann on Monday,Bob on Tuesday"

    By default, the answer is the one that the file states.

    Exit status: 0 if all answers are right, 1 if not, 2 for a usage error or unreadable input.
    """
    found = inputs.read()
    puzzles, is_single = inputs.several(found, is_single=answer is not None)
    inputs.report_size()
    n_right = 0
    n_checked = 0
    n_without = 0
    for puzzle in puzzles:
        claims = puzzle._answers
        if answer is not None:
            with failing(f"{inputs.source}: ", start=inputs.start):
                puzzle, claims = _read_answer(inputs, puzzle, answer, found.chunks is not None)
        n_without += not claims
        for number in range(len(claims)):
            if number > 0:  # each of many may take no time
                raise_if_stopped(inputs.stop, OUTPUT_END)
            with failing(f"{inputs.source}: ", start=inputs.start):
                check = partial(check_answer, puzzle, claims, number, inputs.start)
                record = inputs.stop.call(check, OUTPUT_END)
            n_checked += 1
            n_right += record["is_right"]
            place = puzzle.place + (f", solution {number + 1}" if len(claims) > 1 else "")
            if style == "json":
                typer.echo(json.dumps({"place": place, **record}, ensure_ascii=False))
            else:
                cost = f" (cost {record['cost']:,})" if "cost" in record else ""
                prefix = "" if is_single and len(claims) == 1 else f"{place}: "
                typer.echo(f"{prefix}{record['text']}{cost}")
    if not n_checked and not inputs.n_unreadable:
        raise fail(f"{inputs.source}: no answer is stated; add ANSWER")
    n_wrong = n_checked - n_right
    if n_checked > (1 if is_single else 0):
        report(f"{plural(n_checked, 'answer')}: {n_right:,} right, {n_wrong:,} wrong")
    if n_without:
        verb = "states" if n_without == 1 else "state"
        report(f"{plural(n_without, 'puzzle')} {verb} no answer")
    raise ending(is_usable=not inputs.n_unreadable, is_solved=not n_wrong)


def _read_answer(
    inputs: InputOptions, puzzle: Puzzle, answer: str, is_sudoku: bool
) -> tuple[Puzzle, Sequence[Any]]:
    """Return the options of an answer, or a puzzle that states the answer as a drawing."""
    problem = inputs.stop.call(puzzle.cover)
    text = answer
    if os.path.isfile(answer):
        with Source(answer) as source:
            text = source.read_all().decode("utf-8-sig", "replace")
        if is_sudoku:  # in any layout, perhaps below a banner
            text = _read_board(answer) or text
    try:
        claimed = parse_options("ANSWER", [text], problem.option_names, inputs.start)
        problem._stated.numbers_of(claimed, "cover")
    except ValueError:
        if not text.strip() or not inputs.stop.call(partial(is_drawing, puzzle, text)):
            raise
        return replace(puzzle, answer=text), [text]
    return puzzle, [claimed]


def _read_board(path: str) -> str:
    """Return the solved board in a file, as rows, or "" if there is none."""
    with suppress(ValueError):
        board = next(read_any(path, SUDOKU).puzzles, None)
        if isinstance(board, Puzzle) and isinstance(board.answer, str):
            return board.answer
    return ""
