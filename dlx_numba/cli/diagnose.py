"""`diagnose`: explain why an exact cover problem has no cover."""

import json
from contextlib import suppress
from typing import Annotated, Any

import typer

from ..cover.io.json import json_name
from ..cover.names import as_text
from ..diagnose import Diagnosis, find_diagnosis
from .cover_problem import ProblemOptions
from .options import format_option
from .run import Run
from .terminal import deferred_signals, ending, fail

STYLES = ("text", "json", "svg")


def diagnose(
    *,
    style: Annotated[
        str, format_option(STYLES, "Sentences, JSON, or a board that shows a coloring")
    ] = STYLES[0],
    problem: ProblemOptions,
) -> None:
    """Explain why an exact cover problem has no cover.

    Examples:
      dlx-numba diagnose shifts.dlx
      dlx-numba diagnose --seconds 10 -f json shifts.dlx
      dlx-numba diagnose -f svg -o proof.svg board.json

    The reason is the first of these: items that too few options contain; a coloring, which is a
    number for each item, and proves by sums that there is no cover; a few items and conditions that
    exclude each other.

    Exit status: 0 if there is a cover, 1 if there is none, 2 for a usage error or
    unreadable input, 3 if the search was stopped before that was known.
    """
    run = Run(seconds=problem.seconds)
    with problem.reading() as stated:
        with run.display, suppress(KeyboardInterrupt), deferred_signals(run.stop.cancel):
            diagnosis = find_diagnosis(stated, run.stop, run.display.update)
        typer.echo(_format(diagnosis, style), nl=style != "svg")
    is_known, has_cover = diagnosis.kind != "unknown", diagnosis.kind == "solvable"
    raise ending(is_complete=is_known, is_solved=has_cover)


def _format(diagnosis: Diagnosis, style: str) -> str:
    if style == "svg":
        picture = diagnosis.svg()
        if picture is None:
            raise fail(f"there is no picture: {diagnosis.text}")
        return picture
    if style == "text":
        return diagnosis.text
    fields: dict[str, Any] = {
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
            fields[name] = [[kind, json_name(condition)] for kind, condition in conditions]
        fields["is_minimal"] = diagnosis.is_minimal
    return json.dumps(fields, ensure_ascii=False)
