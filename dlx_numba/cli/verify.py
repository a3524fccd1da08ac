"""`verify`: check claimed answers to puzzles and problems."""

import json
import os
from dataclasses import replace
from functools import partial
from typing import Any

import typer

from ..cover.check import check_cover
from ..cover.exact_cover import ExactCover
from ..kinds.answer import find_answer
from ..kinds.puzzle import Puzzle
from ..pictures.grid import Grid
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
    puzzles, is_single = inputs.several(inputs.read(), is_single=answer is not None)
    inputs.report_size()
    is_right, n_checked, n_without = True, 0, 0
    for puzzle in puzzles:
        if answer is None and not puzzle.answer:
            n_without += 1
            continue
        with failing(f"{inputs.source}: ", start=inputs.start):
            problem = inputs.stop.call(puzzle.cover)
            claimed = None
            if answer is not None:
                text = answer
                if os.path.isfile(answer):
                    with Source(answer) as source:
                        text = source.read_all().decode("utf-8-sig", "replace")
                try:
                    claimed = parse_options("ANSWER", [text], problem.option_names, inputs.start)
                    problem._stated.numbers_of(claimed, "cover")
                except ValueError:
                    if not isinstance(puzzle.picture, Grid):
                        raise
                    words = text.split()
                    if len(words) == 1 and len(words[0]) != len(puzzle.picture.positions):
                        raise
                    puzzle, claimed = replace(puzzle, answer=text), None  # a drawn solution
            record = inputs.stop.call(
                partial(check_answer, puzzle, problem, claimed, inputs.start), OUTPUT_END
            )
        n_checked += 1
        is_right &= record["is_right"]
        if style == "json":
            typer.echo(json.dumps({"place": puzzle.place, **record}, ensure_ascii=False))
        else:
            cost = f" (cost {record['cost']:,})" if "cost" in record else ""
            place = "" if is_single else f"{puzzle.place}: "
            typer.echo(f"{place}{record['text']}{cost}")
    if not n_checked and not inputs.n_unreadable:
        raise fail(f"{inputs.source}: no answer is stated; add ANSWER")
    if n_without:
        verb = "states" if n_without == 1 else "state"
        report(f"{plural(n_without, 'puzzle')} {verb} no answer")
    raise ending(is_usable=not inputs.n_unreadable, is_solved=is_right)


def check_answer(
    puzzle: Puzzle, problem: ExactCover, claimed: Any = None, start: int = 0
) -> dict[str, Any]:
    """Return whether an answer, by default that of the puzzle, is right, and why not.

    Options are counted from `start`.
    """
    if claimed is None:
        try:
            stated = puzzle.answer
            claimed = find_answer(puzzle) if isinstance(stated, str) else stated
        except ValueError as error:
            return {"is_right": False, "text": str(error).removeprefix(f"{puzzle.place}: ")}
    check = check_cover(problem._stated, claimed, start)
    record = {"is_right": bool(check), "text": str(check), "problems": check.problems}
    numbers = problem._stated.numbers_of(claimed, "cover")
    if check and puzzle.condition is not None and not puzzle.condition(numbers):
        record |= {"is_right": False, "text": "a cover that violates a condition of the puzzle"}
    if problem.problem.cost is not None:
        record["cost"] = check.cost
    return record
