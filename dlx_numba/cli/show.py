"""`show`: print or draw boards and matrices."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from ..cover.io.drawing import draw_matrix
from ..cover.io.table import format_table
from ..cover.io.text import summarize
from ..cover.io.write import KINDS as EXPORTS
from ..cover.symmetry import find_symmetries
from ..explain.problem_view import ProblemView, view_search
from ..kernels.symmetry.incidence import Restriction
from ..kinds.sudoku import BoardPuzzle
from ..pictures.matrix import matrix_picture
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.io.apps import format_opensudoku
from ..sudoku.io.board import format_grid
from ..sudoku.io.records import Records
from . import options
from .inputs import InputOptions
from .output import write_text
from .run import Run
from .terminal import fail, failing, report

MAX_BOARDS, MAX_ROWS = 4, 40  # printed without --full
OPENSUDOKU = "opensudoku"
STYLES = ("text", "csv", *EXPORTS, OPENSUDOKU)
DEFAULT_WIDTH = 100  # characters, if the width of the terminal is not known


def show(
    *,
    matrix: Annotated[bool, options.flag("Show a puzzle as an exact cover problem.")] = False,
    full: Annotated[bool, options.flag("Print everything, regardless of its size.")] = False,
    style: Annotated[str, options.style(STYLES, "Output format")] = STYLES[0],
    symmetries: Annotated[
        bool, options.flag("Print the symmetries of a problem: order, generators.")
    ] = False,
    output: options.OutputFile = "-",
    svg: Annotated[
        str | None, options.svg("Draw a puzzle or a matrix as SVG; - for standard output.")
    ] = None,
    inputs: InputOptions,
) -> None:
    """Show the boards of a Sudoku file, another puzzle, or an exact cover problem.

    Examples:
      dlx-numba show queens.dlx
      dlx-numba show --puzzle 2 --matrix puzzles.txt
      dlx-numba show --matrix -f csv -o matrix.csv puzzles.txt
      dlx-numba show --svg board.svg puzzles.txt
      dlx-numba show -f opensudoku -o puzzles.opensudoku puzzles.txt
      dlx-numba show --symmetries queens.dlx

    Large files are shown in part. cover reads
    matrices that are complete (with --full), and those in CSV format.
    """
    options.reject("--svg", "--format", "--output", "--full")
    options.reject("--symmetries", "--svg", "--format", "--full")
    options.require("--symmetries", "--seconds")
    found = inputs.read()
    if style == OPENSUDOKU and (matrix or symmetries or svg or found.chunks is None):
        raise fail(f"{inputs.source}: --format {OPENSUDOKU} writes boards")
    is_written = style != STYLES[0] and found.chunks is None
    is_matrix = matrix or symmetries or is_written or found.kind == "cover"
    if not is_matrix:
        options.require("--matrix", "--one-based")
    target = output if svg is None else svg
    if is_matrix:
        puzzle = inputs.select(inputs.puzzles(found))
        with failing(f"{puzzle.place or inputs.source}: "):
            cover = puzzle.cover()
        with failing(f"{inputs.source}: "):
            if style in EXPORTS:
                summary, text = summarize(cover.problem), cover.write(kind=style)
            else:
                view = view_search(cover._stated, inputs.title(found), start=inputs.start)
                summary = view.summary
                if symmetries:
                    text = _format_symmetries(view, Stop(inputs.seconds))
                elif svg is not None:
                    shown = view.title, view.items, view.n_primary, view.marked_rows()
                    text = matrix_picture(*shown, labels=view.option_labels())
                else:
                    text = _format_matrix(view, style, full)
        write_text(target, text, inputs.file)
        if not symmetries:
            report(f"({summary})")
    elif style == OPENSUDOKU and found.chunks is not None:
        with failing():
            text = "".join(format_opensudoku(found.chunks, os.path.basename(inputs.source)))
        write_text(output, text, inputs.file)
    elif style != STYLES[0]:
        advice = "add --matrix, or use `solve --format csv` for a table of boards"
        raise fail(f"{inputs.source}: --format {style} writes matrices, not boards; {advice}")
    elif found.chunks is None or svg is not None or options.is_used("--puzzle"):
        options.reject("--puzzle", "--full")
        puzzle = inputs.select(inputs.puzzles(found))
        if isinstance(puzzle, BoardPuzzle):
            puzzle = replace(puzzle, title=inputs.title(found))
            if svg is None:
                _report_rules(puzzle.rules, puzzle.place)
        write_text(target, puzzle.text([]) + "\n" if svg is None else puzzle.svg([]), inputs.file)
        if found.chunks is None:
            report(f"({puzzle.title}, read as {found.kind})")
    elif output != "-":
        write_text(output, "".join(_draw_boards(found.chunks, full)), inputs.file)
    else:
        sys.stdout.writelines(_draw_boards(found.chunks, full))


def _format_symmetries(view: ProblemView, stop: Stop) -> str:
    """Return the order of the group of all symmetries, and its generators in cycle notation."""
    none = np.zeros((2, view.problem.n_options), np.bool_)
    group = find_symmetries(view.problem, view.names, Restriction(*none), limit=None, stop=stop)
    lines = [f"order {group.order:,}, {plural(len(group.generators), 'generator')}"]
    return "\n".join([*lines, *group.cycles(), ""])


def _draw_boards(chunks: Iterable[Records], full: bool) -> Iterator[str]:
    """Yield the drawings of the boards. Reports the records that could not be read."""
    limit = None if full else MAX_BOARDS
    run, n_shown, n_omitted = Run(), 0, 0
    for records in chunks:
        for bad in records.bad:
            run.report_problem(bad.at(records.source))
        n_to_show = len(records) if limit is None else min(len(records), limit - n_shown)
        for index in range(n_to_show):
            yield ("\n" if n_shown else "") + _draw_board(records, index) + "\n"
            n_shown += 1
        n_omitted += len(records) - n_to_show
    if n_omitted:
        yield f"… {plural(n_omitted, 'more board')}\n"
    if run.n_problems:
        report(f"{plural(run.n_problems, 'record')} could not be read")


def _draw_board(records: Records, index: int) -> str:
    _report_rules(records.rules, records.source)
    return format_grid(records.boards[index], records.box, records.alphabet)


def _report_rules(rules: Any, place: str) -> None:
    """Report the rules of a board, which texts do not show."""
    if rules is not None and (sentences := " ".join(rules.sentences())):
        report(f"{place}: {sentences} Pictures show these rules: use --svg")


def _format_matrix(view: ProblemView, style: str, full: bool) -> str:
    """Return a matrix as text. Raises ValueError if the format cannot represent it."""
    if style == "csv":
        return format_table(view.problem, view.names, view.start)
    width = None if full else shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
    size: dict[str, Any] = {"width": width, "max_rows": None if full else MAX_ROWS}
    return draw_matrix(view.problem, view.names, **size, start=view.start) + "\n"
