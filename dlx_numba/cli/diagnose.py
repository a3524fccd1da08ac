"""`diagnose`: explain why an exact cover problem has no cover, or a puzzle no solution."""

import json
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from typing import Any

import typer

from ..cover.exact_cover import ExactCover
from ..cover.named_problem import NamedProblem, named_problem
from ..cover.names import MAX_LISTED, as_text, json_name
from ..cover.relax import RelaxedCover, describe_relaxed, relax_problem
from ..explain.diagnose import Diagnosis
from ..explain.diagnose.boards import diagnose_puzzle, with_options
from ..puzzles.puzzle import Puzzle
from ..puzzles.sudoku import BoardPuzzle
from ..runtime.errors import Stopped
from . import options
from .endings import PLANS
from .inputs import ProblemOptions
from .output import check_plan, write_plans
from .part import redirected_output
from .run import Run
from .terminal import fail, failing, report


def diagnose(
    *,
    style: str,
    rules: options.RulesOption,
    relaxes: bool,
    given: ProblemOptions,
) -> None:
    """Explain why a problem has no cover, or a Sudoku puzzle no solution."""
    run = Run(given.call, given.stop)
    given.call.reject("--relax", "--rules", "--format svg")
    given.call.require("--relax", *(f"--format {each}" for each in PLANS))
    if style in PLANS:
        check_plan(given.output, style)  # standard output has the reason
    plan = given.take_plan(style)
    reading = given.read()
    kinds: list[str] = []  # of the diagnoses, which decide the exit status
    given.check_seed()
    if reading.chunks is not None:
        given.report_size()
    puzzles, is_single = given.several(reading, rules)
    if not is_single and style == "svg":
        raise fail("--format svg needs a single puzzle: see --puzzle")
    if not is_single and plan:
        raise fail(f"{plan}: a plan needs a single puzzle: see --puzzle")
    path = given.output
    given.output = "-"  # the block redirects it for all puzzles
    with redirected_output(path, given.file, is_answer=is_single):
        for puzzle in puzzles:
            place, writing = _open(given, puzzle)
            with writing as cover:
                named = None if cover is None else named_problem(cover)
                with failing(f"{puzzle.place or given.source}: "), run.display, run.stopping():
                    diagnosis = diagnose_puzzle(puzzle, run.stop, run.display.update, named)
                kinds.append(diagnosis.kind)
                record = record_of(diagnosis)
                if relaxes and named is not None:
                    relaxed, is_cheapest = _relax(named, run)
                    if not is_cheapest:
                        kinds.append("unknown")  # for the exit status
                    if relaxed is not None:
                        dropping = named.in_words(describe_relaxed(relaxed, is_cheapest))
                        diagnosis = replace(diagnosis, text=f"{diagnosis.text}\n{dropping}")
                        record |= _relaxed_record(relaxed)
                        if plan:
                            write_plans(plan, style, [relaxed], given.file)
                if len(diagnosis.items) > MAX_LISTED and style == "text" and diagnosis.svg():
                    report("(a picture shows them: --format svg --output FILE.svg)")
                text = _format(diagnosis, record, style, "" if is_single else place)
                typer.echo(text, nl=style != "svg")
        raise given.ending(
            is_complete="unknown" not in kinds,
            is_solved={*kinds} == {"solvable"},
        )


def _open(
    given: ProblemOptions, puzzle: Puzzle
) -> tuple[str, AbstractContextManager[ExactCover | None]]:
    """Return the place of a puzzle in messages, and a context in which its problem is known.

    The context yields None for a board, which is diagnosed without a problem.
    """
    if isinstance(puzzle, BoardPuzzle):
        given.call.reject(
            "a Sudoku file",
            "--given",
            "--forbidden",
            "--one-based",
            "--presolve",
            "--relax",
            "--algorithm",
            "--choose",
            "--consistency",
        )
        return puzzle.place, nullcontext()
    return f"{puzzle.place}: {puzzle.title}", given.reading(with_options(puzzle))


def _relax(named: NamedProblem, run: Run) -> tuple[RelaxedCover | None, bool]:
    """Return a cover that drops some of the conditions, and whether none is cheaper.

    The cover is None if there is none, which is final, or if the run was stopped before.
    """
    relaxed = None
    is_cheapest = False
    with run.display, run.stopping(), suppress(Stopped):
        relaxed = relax_problem(named, None, run.stop)
        is_cheapest = relaxed is None or relaxed.done
    return relaxed, is_cheapest


def _relaxed_record(relaxed: RelaxedCover) -> dict[str, Any]:
    """Return what a relaxed cover drops, and its options, as members of a JSON object."""
    dropped = [[kind, json_name(name), n] for (kind, name), n in relaxed.relaxed.items()]
    names = [json_name(name) for name in relaxed.names]
    return {"relaxed": dropped, "cost": relaxed.cost, "options": names}


def _format(diagnosis: Diagnosis, record: dict[str, Any], style: str, place: str) -> str:
    """Return a diagnosis as a picture, as JSON with the fields of `record`, or as text.

    `place` is that of the puzzle; "" if there is only one.
    """
    if style == "svg":
        picture = diagnosis.svg()
        if picture is None:
            raise fail(f"there is no picture: {diagnosis.text}")
        return picture
    if style != "json":
        return f"{place}: {diagnosis.text}" if place else diagnosis.text
    fields = {"place": place} if place else {}
    return json.dumps(fields | record, ensure_ascii=False)


def record_of(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as a JSON object."""
    items = [json_name(item) for item in diagnosis.items]
    fields: dict[str, Any] = {"kind": diagnosis.kind, "text": diagnosis.text, "items": items}
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
    if diagnosis.others:
        fields["others"] = [*map(record_of, diagnosis.others)]
    return fields
