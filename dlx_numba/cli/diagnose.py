"""`diagnose`: explain why an exact cover problem has no cover, or a puzzle no solution."""

import json
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

from ..cover.io.json import json_name
from ..cover.names import as_text
from ..diagnose import Diagnosis, find_diagnosis
from ..diagnose.boards import diagnose_board
from ..kinds.sudoku import PLAIN, BoardPuzzle
from . import options
from .cover_problem import ProblemOptions
from .output import redirected_output
from .run import Run
from .terminal import deferred_signals, ending, fail

STYLES = ("text", "json", "svg")


def diagnose(
    *,
    style: Annotated[
        str, options.style(STYLES, "Sentences, JSON, or a board that shows the reason")
    ] = STYLES[0],
    rules: options.RulesOption = None,
    given: ProblemOptions,
) -> None:
    """Explain why a problem has no cover, or a Sudoku puzzle no solution.

    Examples:
      dlx-numba diagnose shifts.dlx
      dlx-numba diagnose --seconds 10 -f json shifts.dlx
      dlx-numba diagnose -f svg -o proof.svg board.json
      dlx-numba diagnose --rules diagonals puzzle.txt

    The reason is the first of these: items that too few options contain; a coloring, which is a
    number for each item, and proves by sums that there is no cover; a few items and conditions that
    exclude each other. For a puzzle, it is a few givens, and rules of a variant.

    Exit status: 0 if there is a cover or a solution, 1 if there is none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before that was known.
    """
    run = Run(seconds=given.seconds)
    if rules is not None:
        given.kind = "sudoku"
    found, kinds = given.read(), list[str]()
    given.check_seed()
    if found.chunks is not None:
        options.reject("a Sudoku file", "--given", "--forbidden", "--one-based", "--presolve")
        options.reject("a Sudoku file", "--algorithm", "--choose", "--consistency")
    puzzles = list(given.puzzles(found, rules))
    if options.is_used("--puzzle"):
        puzzles = [given.select(puzzles)]
    if len(puzzles) > 1 and style == "svg":
        raise fail("--format svg needs a single puzzle: see --puzzle")
    for puzzle in puzzles:
        place = f"{puzzle.place}: {puzzle.title}" if len(puzzles) > 1 else ""
        with ExitStack() as writing:
            explain: Callable[[], Diagnosis]
            if isinstance(puzzle, BoardPuzzle):
                redirected = redirected_output(given.output, given.file, is_appended=bool(kinds))
                writing.enter_context(redirected)
                board = np.array(puzzle.values, np.uint8), puzzle.box, puzzle.alphabet
                own = None if puzzle.rules == PLAIN else puzzle.rules
                explain = partial(diagnose_board, *board, own, run.stop, run.display.update)
                place = puzzle.place if place else ""
            else:
                stated = writing.enter_context(given.reading(puzzle, is_appended=bool(kinds)))
                explain = partial(find_diagnosis, stated._stated, run.stop, run.display.update)
            with run.display, suppress(KeyboardInterrupt), deferred_signals(run.stop.cancel):
                diagnosis = explain()
            typer.echo(_format(diagnosis, style, place), nl=style != "svg")
        kinds.append(diagnosis.kind)
    is_usable = not given.n_unreadable
    raise ending(
        is_usable=is_usable, is_complete="unknown" not in kinds, is_solved={*kinds} == {"solvable"}
    )


def _format(diagnosis: Diagnosis, style: str, place: str = "") -> str:
    if style == "svg":
        picture = diagnosis.svg()
        if picture is None:
            raise fail(f"there is no picture: {diagnosis.text}")
        return picture
    if style == "text":
        return f"{place}: {diagnosis.text}" if place else diagnosis.text
    fields: dict[str, Any] = {"place": place} if place else {}
    fields |= {
        "kind": diagnosis.kind,
        "text": diagnosis.text,
        "items": [json_name(item) for item in diagnosis.items],
    }
    if diagnosis.values is not None:
        values = {as_text(item): value for item, value in diagnosis.values.items()}
        fields |= {"values": values, "modulus": diagnosis.modulus}
    if diagnosis.kind == "conflict":
        for name in ("conditions", "helpful"):
            conditions = getattr(diagnosis, name)
            fields[name] = [
                [kind, each.stated() if kind == "rule" else json_name(each)]
                for kind, each in conditions
            ]
        fields["is_minimal"] = diagnosis.is_minimal
    return json.dumps(fields, ensure_ascii=False)
