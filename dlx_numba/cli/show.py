"""`show`: print or draw boards and matrices."""

import shutil
import sys
from collections.abc import Iterator
from typing import Annotated

import numpy as np

from ..cover.exact_cover import ExactCover
from ..cover.io.drawing import draw_matrix
from ..cover.io.models import build_model, format_cnf, format_mps
from ..cover.io.numbered import format_orlib
from ..cover.io.table import format_table
from ..cover.io.text import summarize
from ..cover.names import Names
from ..cover.symmetry import find_symmetries
from ..kernels.problem import Problem
from ..kernels.symmetry.incidence import Restriction
from ..pictures.board import sudoku_picture
from ..pictures.matrix import matrix_picture
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.io.board import format_cells, format_grid
from ..sudoku.io.records import Records
from . import options
from .detect import BoardFile
from .inputs import InputOptions
from .output import write_text
from .run import Run
from .terminal import fail, failing, report

MAX_BOARDS, MAX_ROWS = 4, 40  # printed without --full
EXPORTS = ("mps", "cnf", "orlib")
STYLES = ("text", "csv", *EXPORTS)
DEFAULT_WIDTH = 100  # characters, if the width of the terminal is not known


def show(
    *,
    board: Annotated[
        int | None, options.number("Show only board N (from 1) of a Sudoku file.")
    ] = None,
    matrix: Annotated[bool, options.flag("Show a Sudoku board as an exact cover problem.")] = False,
    full: Annotated[bool, options.flag("Print everything, regardless of its size.")] = False,
    style: Annotated[str, options.style(STYLES, "Output format of a matrix")] = STYLES[0],
    symmetries: Annotated[
        bool, options.flag("Print the symmetries of a problem: order, generators.")
    ] = False,
    output: options.OutputFile = "-",
    svg: Annotated[
        str | None, options.svg("Draw a board or a matrix as SVG; - for standard output.")
    ] = None,
    inputs: InputOptions,
) -> None:
    """Show the boards of a Sudoku file, or an exact cover problem.

    Examples:
      dlx-numba show queens.dlx
      dlx-numba show --board 2 --matrix puzzles.txt
      dlx-numba show --matrix -f csv -o matrix.csv puzzles.txt
      dlx-numba show --svg board.svg puzzles.txt
      dlx-numba show --symmetries queens.dlx

    Reads all files that solve and cover read. Large files are shown in part. cover reads
    matrices that are complete (with --full), and those in CSV format.
    """
    options.reject("--svg", "--format", "--output", "--full")
    options.reject("--symmetries", "--svg", "--format", "--full")
    options.require("--symmetries", "--seconds")
    content = inputs.open()
    if not isinstance(content, BoardFile):
        options.reject("an exact cover problem", "--board")
    elif not (matrix or symmetries):
        options.require("--matrix", "--one-based")
        options.reject("--board", "--full")
    if symmetries:
        with failing(f"{inputs.source}: "):
            text = _format_symmetries(*_state(inputs, content, board), Stop(inputs.seconds))
        write_text(output, text, inputs.file)
        return
    if style in EXPORTS and not isinstance(content, BoardFile):
        with failing(f"{inputs.source}: "):
            write_text(output, getattr(content, f"to_{style}")(), inputs.file)
        report(f"({content.summary()})")
    elif matrix or not isinstance(content, BoardFile):
        with failing(f"{inputs.source}: "):
            if svg is None:
                problem, names = _state(inputs, content, board)
                text = _format_matrix(problem, names, inputs.start, style, full)
            else:
                view = inputs.view(content, board or 1)
                rows, labels = view.marked_rows(), view.option_labels()
                problem, shown = view.problem, (view.title, view.items, view.n_primary)
                text = matrix_picture(*shown, rows, labels=labels)
        write_text(output if svg is None else svg, text, inputs.file)
        report(f"({summarize(problem)})")
    elif style != STYLES[0]:
        advice = "add --matrix, or use `solve --format csv` for a table of boards"
        raise fail(f"{inputs.source}: --format {style} writes matrices, not boards; {advice}")
    elif svg is not None:
        records, index = inputs.find_board(content, board or 1)
        givens = format_cells(records.boards[index], records.alphabet)
        title = inputs.title(board or 1)
        rules = None if records.rules is None else records.rules.stated()
        picture = sudoku_picture(title, givens, *records.box, rules=rules)
        write_text(svg, picture, inputs.file)
    elif board is not None:
        write_text(output, _draw_board(*inputs.find_board(content, board)) + "\n", inputs.file)
    elif output != "-":
        write_text(output, "".join(_draw_boards(content, full)), inputs.file)
    else:
        sys.stdout.writelines(_draw_boards(content, full))


def _state(
    inputs: InputOptions, content: BoardFile | ExactCover, board: int | None
) -> tuple[Problem, Names]:
    """Return the problem in the input. A view would describe all of its options, which is slow."""
    if isinstance(content, BoardFile):
        view = inputs.view(content, board or 1)
        return view.problem, view.names
    content.problem.reject_totals("a matrix")
    return content.problem, content._stated.names


def _format_symmetries(problem: Problem, names: Names, stop: Stop) -> str:
    """Return the order of the group of all symmetries, and its generators in cycle notation."""
    none = np.zeros((2, problem.n_options), np.bool_)
    group = find_symmetries(problem, names, Restriction(*none), limit=None, stop=stop)
    lines = [f"order {group.order:,}, {plural(len(group.generators), 'generator')}"]
    return "\n".join([*lines, *group.cycles(), ""])


def _draw_boards(boards: BoardFile, full: bool) -> Iterator[str]:
    """Yield the drawings of the boards. Reports the records that could not be read."""
    limit = None if full else MAX_BOARDS
    run, n_shown, n_omitted = Run(), 0, 0
    for records in boards.chunks:
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
    if records.rules is not None:
        sentences = " ".join(records.rules.sentences())
        report(f"{records.source}: {sentences} Pictures show these rules: use --svg")
    return format_grid(records.boards[index], records.box, records.alphabet)


def _format_matrix(problem: Problem, names: Names, start: int, style: str, full: bool) -> str:
    """Return a matrix as text. Raises ValueError if the format cannot represent it."""
    if style == "csv":
        return format_table(problem, names, start)
    if style == "orlib":
        return format_orlib(problem, names)
    if style != "text":
        model = build_model(problem, names)
        return format_mps(model) if style == "mps" else format_cnf(model)
    width = None if full else shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
    max_rows = None if full else MAX_ROWS
    return draw_matrix(problem, names, width=width, max_rows=max_rows, start=start) + "\n"
