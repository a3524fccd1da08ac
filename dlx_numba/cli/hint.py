"""`hint`: show the next steps of a puzzle or problem, and why they follow."""

import json
from typing import Any

from ..cover.named_problem import named_problem
from ..cover.names import ContradictionError, json_name
from ..explain.deduction import Deduction
from ..explain.deduction.boards import deduce_puzzle
from ..pictures.filling import Pieces
from ..puzzles.puzzle import Puzzle
from ..runtime.interrupts import Stop
from . import options
from .inputs import SelectionOptions
from .limit import EXTRA_SECONDS
from .output import write_text
from .run import Run
from .terminal import failing, report


def hint(
    *,
    number: int,
    show_all: bool,
    style: str,
    title: str | None,
    rules: options.RulesOption,
    output: options.OutputFile,
    inputs: SelectionOptions,
) -> None:
    """Show what follows next in a puzzle or problem, and why."""
    inputs.call.reject("--all", "--number")
    inputs.call.require("--format html", "--title")
    inputs.call.reject("hint", "--choose")
    run = Run(inputs.call, inputs.stop)
    inputs.check_seed()
    puzzle, shown = inputs.take(rules)
    puzzle = run.stop.call(puzzle.with_all_options)
    inputs.report_size()
    limit = None if show_all else number
    with failing(f"{puzzle.place or inputs.source}: ", start=inputs.start):
        cover = inputs.formulate(puzzle)
        # The first access to `drawing` looks for a picture in the names, for a limited time.
        run.stop.call(lambda: named_problem(cover).drawing)
        try:
            with run.display, run.stopping():
                deduction = deduce_puzzle(puzzle, cover, run.stop, limit, describes=True)
        except ContradictionError as error:
            raise inputs.refute(puzzle, error) from None
    if puzzle.condition is not None:
        report("(the steps do not use conditions that items do not express)")
    with failing(f"{inputs.source}: "):
        if style == "html":
            from ..explain.steps_page import steps_page  # most steps are texts

            stop = Stop(run.stop.seconds_left() + EXTRA_SECONDS)
            text = steps_page(title or shown, deduction, stop)
        elif style == "json":
            text = json.dumps(record_steps(deduction, inputs.start), ensure_ascii=False)
        else:
            text = _format_text(puzzle, deduction)
    write_text(output, f"{text}\n", inputs.file)
    is_stopped = not deduction.done and len(deduction) != limit
    is_stuck = deduction.done and not deduction and deduction.cover is None
    is_solved = not (is_stuck or deduction.refuted)
    raise inputs.ending_of_one(is_complete=not is_stopped, is_solved=is_solved)


def _format_text(puzzle: Puzzle, deduction: Deduction) -> str:
    """Return the steps in sentences, and the drawing of what is chosen then."""
    lines = [f"{k}. {step.text}" for k, step in enumerate(deduction, 1)]
    if len(deduction) == 1:  # a single step has no number
        lines = [deduction[0].text]
    if deduction.end:
        lines.append(deduction.end)
    if (picture := puzzle.picture) is not None:
        draw = picture.text_of_part if isinstance(picture, Pieces) else puzzle.text
        lines += ["", draw(deduction.chosen)]
    return "\n".join(lines)


def record_steps(deduction: Deduction, start: int = 0) -> dict[str, Any]:
    """Return steps as a JSON object. Options are counted from `start`."""
    names = "kind", "size", "name", "items", "chosen", "removed", "cells", "digits", "text"
    steps = [{name: getattr(step, name) for name in names} for step in deduction]
    for step in steps:
        step["items"] = [*map(json_name, step["items"])]
        step["cells"] = [*map(list, step["cells"])]
        step["chosen"] = None if step["chosen"] is None else step["chosen"] + start
        step["removed"] = [option + start for option in step["removed"]]
    outcome = {name: getattr(deduction, name) for name in ("done", "end", "cover", "refuted")}
    if outcome["cover"] is not None:
        outcome["cover"] = [option + start for option in outcome["cover"]]
    return {"steps": steps, **outcome}
