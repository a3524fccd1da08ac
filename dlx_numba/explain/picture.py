"""Pictures of a recorded search after one of its steps, within a step, and of a whole run."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from ..pictures.document import Svg
from ..pictures.links import links_picture
from ..pictures.matrix import matrix_picture
from ..pictures.sheet import svg_sheet
from .problem_view import ProblemView
from .record import RecordedStep, SearchRecord
from .trace import Replay

MAX_FRAMES = 400  # on a sheet or in an animation: each is a picture


def phases_of(step: RecordedStep) -> list[int]:
    """Return the number of changes that precede each phase of a step; the last one completes it.

    They are the sub-steps of the page, whose function `substepsOf` in `web/phases.js` makes the
    same ones. An attempt first shows its row, the columns of the row, and the related rows; its
    last change does not complete it, but a longer partial solution does. To try no further option,
    -1, is no attempt: it has no row.
    """
    n = len(step.changes)
    if step.action == "try" and step.option >= 0:
        return [0, 0, 0, *range(1, n + 1), n]
    return [*range(n + 1)]


def draw_still(
    record: SearchRecord, number: int, phase: int | None, links: bool, condensed: bool
) -> Svg:
    """Draw the matrix, the board of a Sudoku, or the links, after a phase of a step.

    Raises ValueError if there is no such phase, or the picture would be too large.
    """
    view = record.view
    step = record.steps[number]
    phases = phases_of(step)
    phase = len(phases) if phase is None else phase
    if not 1 <= phase <= len(phases):
        last = f"the last sub-step is {number:,}.{len(phases)}"
        hint = last if len(phases) > 1 else f"step {number:,} has no sub-steps"
        raise ValueError(f"there is no step {number:,}.{phase}; {hint}")
    is_complete = phase == len(phases)
    n_changes = phases[phase - 1]
    name = number if is_complete else f"{number}.{phase}"
    replay = Replay(record, number - 1)
    removed_before = replay.snapshot().removed
    replay.apply(step, 0, n_changes)
    snapshot = replay.snapshot()
    # The partial solution changes when the step is complete.
    chosen = step.chosen if is_complete else record.steps[max(0, number - 1)].chosen
    title = f"{view.title}, step {name}: {step.text}"
    if links:
        # The changes of the next phase. Phases of an attempt that make none show its first one.
        following = 0 if is_complete else max(1, phases[phase] - n_changes)
        cells = replay.cells(step, n_changes, n_changes + following)
        return _draw_links(record, title, replay, chosen, cells)
    if not condensed and view.picture is not None and view.drawn is not None and view.drawn.symbols:
        given = () if view.shows_givens else view.original_givens
        placed = [*given, *(view.numbers[option] for option in chosen)]
        return replace(view.picture, title=title).svg(placed)
    rows = view.marked_rows()
    # What is outlined: an option, items, and related options, which the step removes or restores
    row = -1
    columns: set[int] = set()
    related: set[int] = set()
    if step.action == "choose":
        columns = {step.item - 1}
    # Outlines of an attempt begin one after another: phase 1 has the row, phase 2 also its columns,
    # and phase 3 also the related rows.
    if not is_complete:
        row = step.option
        if step.action != "try" or phase > 1:
            changed = {change.item - 1 for change in step.changes}
            columns = {item for item, _ in rows[row]} if row >= 0 else changed
        if step.action != "try" or phase > 2:
            replay.apply(step, n_changes, len(step.changes))
            is_related = removed_before != replay.snapshot().removed
            related = set(np.flatnonzero(is_related).tolist()) - {row}
    gone = set(np.flatnonzero(snapshot.removed).tolist()).difference(chosen, {row})
    hidden = set(np.flatnonzero(snapshot.covered[1:]).tolist())  # after the header
    kept = [*range(len(rows))], [*range(len(view.items))]
    if condensed:  # what is outlined stays
        kept = kept_parts(view, gone - related, hidden - columns, {*chosen} - related - {row})
    return matrix_picture(
        title,
        view.item_names(),
        view.n_primary,
        rows,
        chosen,
        view.references(),
        covered=hidden,
        removed=gone,
        focus=({row}, columns, related),
        kept=kept,
    )


def kept_parts(
    view: ProblemView, gone: set[int], hidden: set[int], chosen: Collection[int]
) -> tuple[list[int], list[int]]:
    """Return the options and the items of a condensed matrix: those that are left.

    Options that are `gone` or chosen and `hidden` items are left out. Nothing is left at a cover,
    which is shown instead, with all items.
    """
    n_options = len(view.numbers)
    n_items = len(view.items)
    options = [k for k in range(n_options) if k not in gone and k not in chosen]
    items = [k for k in range(n_items) if k not in hidden]
    if options or items:
        return options, items
    return sorted(chosen), list(range(n_items))


def _draw_links(
    record: SearchRecord,
    title: str,
    replay: Replay,
    chosen: tuple[int, ...],
    bold: set[tuple[str, int]],
) -> Svg:
    """Draw the links of a replay; those in `bold` are about to change."""
    view = record.view
    n_items = record.view.problem.n_items
    links = {name: replay.arrays[name].tolist() for name in "LRUD"}
    covered = set(np.flatnonzero(replay.snapshot().covered).tolist())
    # Nodes to which the one above does not link; the row of each node: 0 for the root and the items
    hidden = {k for k in range(1 + n_items, view.n_nodes) if links["D"][links["U"][k]] != k}
    rows = [0] * (1 + n_items) + (1 + replay.option_of_node).tolist()
    marked = {k for k, row in enumerate(rows) if row - 1 in chosen}
    columns = replay.arrays["column"].tolist()
    names = view.item_names()
    unlinked = covered | hidden
    return links_picture(title, names, links, columns, rows, unlinked, marked, bold)


def _caption(record: SearchRecord, number: int, has_partial_solution: bool) -> str:
    """Return the description of a step, and perhaps a line with the options chosen then."""
    step = record.steps[number]
    labels = record.view.references()
    caption = f"{number} {step.name}: {step.text}"
    if not has_partial_solution:
        return caption
    chosen = "; ".join(labels[option] for option in step.chosen)
    return f"{caption}\nPartial solution: {chosen or 'none'}"


def draw_sheet(
    record: SearchRecord,
    first: int,
    n_steps: int | None,
    animated: bool,
    links: bool,
    condensed: bool,
) -> Svg:
    """Draw some steps of a run, with their descriptions: beside and below each other, or one after
    another.

    All further steps are drawn if there is no number of them.
    """
    end = len(record.steps) if n_steps is None else first + n_steps
    numbers = range(first, min(end, len(record.steps)))
    if len(numbers) > MAX_FRAMES:
        raise ValueError(
            f"{len(numbers):,} steps are too many for a sheet; use --steps-per-sheet "
            f"{MAX_FRAMES}, or fewer"
        )
    drawn = [
        (
            _caption(record, k, has_partial_solution=condensed),
            draw_still(record, k, None, links, condensed),
        )
        for k in numbers
    ]
    title = f"{record.view.title}, steps {numbers[0]} to {numbers[-1]}"
    return svg_sheet(title, drawn, animated=animated)
