"""`show`: print or draw boards and matrices."""

import csv
import io
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from math import inf
from typing import Any, NoReturn

from ..cover.exact_cover import ExactCover
from ..cover.named_problem import NamedProblem, named_problem
from ..cover.names import Names
from ..cover.symmetry import find_symmetries
from ..cover.text import summarize
from ..explain.problem_view import ProblemView, view_search
from ..kernels.problem import Problem
from ..pictures.book import Book
from ..pictures.document import Svg
from ..pictures.filling import Pieces
from ..pictures.matrix import matrix_picture
from ..puzzles.exact.drawing import draw_matrix
from ..puzzles.exact.table import format_table
from ..puzzles.puzzle import Puzzle
from ..puzzles.reading import Reading
from ..puzzles.sudoku import BoardPuzzle
from ..runtime.choices import WRITTEN_KINDS
from ..runtime.showing import counting
from ..runtime.text import plural
from ..runtime.workbook import Cell, format_workbook
from ..sudoku.io.apps import format_opensudoku
from . import options
from .call import Call
from .endings import BOOK, CSV, OPENSUDOKU, WORKBOOK
from .inputs import InputOptions
from .limit import OUTPUT_END, TimeLimit
from .output import check_plan, write_text
from .puzzle_run import draw
from .puzzles import add_to_book
from .terminal import ending, fail, failing, report

# What is printed without --full
MAX_PUZZLES = 4
MAX_ROWS = 40
DEFAULT_WIDTH = 100  # characters, if the width of the terminal is not known


def show(
    *,
    matrix: bool,
    full: bool,
    style: str,
    symmetries: bool,
    title: options.BookTitle,
    output: options.OutputFile,
    svg: str | None,
    inputs: InputOptions,
) -> None:
    """Show the boards of a Sudoku file, another puzzle, or an exact cover problem."""
    _check_options(inputs.call, style)
    if style == WORKBOOK:
        check_plan(output, style)
    if style == "svg":
        svg = output
        style = "text"
    reading = inputs.read()
    if style == OPENSUDOKU and (matrix or symmetries or svg or reading.chunks is None):
        raise fail(f"{inputs.source}: --format {OPENSUDOKU} writes boards")
    if style == BOOK:
        _write_book(inputs, reading, output, title)  # and exit
    # Puzzles that are no boards are written as problems, unless they are drawn as text.
    is_written = style != "text" and reading.chunks is None
    is_matrix = matrix or symmetries or is_written or reading.kind == "cover"
    if not is_matrix:
        inputs.call.require("--matrix", "--one-based")
    target = output if svg is None else svg
    if symmetries:
        cover = _problem_of(inputs, reading)
        with failing(f"{inputs.source}: "):
            view = inputs.stop.call(partial(_view, inputs, reading, cover))
            text = _format_symmetries(view, inputs.stop)
        write_text(target, text, inputs.file)
    elif is_matrix:
        cover = _problem_of(inputs, reading)
        form = partial(_format_problem, inputs, reading, cover, style, svg is not None, full)
        with failing(f"{inputs.source}: "):
            content, summary = inputs.stop.call(form, OUTPUT_END)
        write_text(target, content, inputs.file)
        inputs.report_size(summary)
    elif style == OPENSUDOKU and reading.chunks is not None:
        with failing():
            parts = format_opensudoku(reading.chunks, os.path.basename(inputs.source))
            text = inputs.stop.call(partial("".join, parts), OUTPUT_END)
        write_text(output, text, inputs.file)
    elif style != "text":
        raise fail(
            f"{inputs.source}: --format {style} writes matrices, not boards; add "
            "--matrix, or use `solve --format csv` for a table of boards"
        )
    else:
        _draw_puzzles(inputs, reading, target, svg is not None, full)


def _check_options(call: Call, style: str) -> None:
    """Fail if options exclude each other."""
    call.reject("--svg", "--format", "--output", "--full")
    call.reject("--format svg", "--full")
    call.reject("--symmetries", "--svg", "--format", "--full", "--one-based")
    call.reject(f"--format {BOOK}", "--matrix")
    call.reject(f"--format {OPENSUDOKU}", "--puzzle")
    call.require(f"--format {BOOK}", "--title")
    if style not in ("text", CSV, WORKBOOK):
        call.reject(f"--format {style}", "--one-based")


def _problem_of(inputs: InputOptions, reading: Reading) -> ExactCover:
    """Return the selected puzzle as a problem. Fails if it is not a valid one."""
    puzzle = inputs.select(inputs.puzzles(reading))
    with failing(f"{puzzle.place or inputs.source}: "):
        return inputs.stop.call(puzzle.cover)


def _view(inputs: InputOptions, reading: Reading, cover: ExactCover) -> ProblemView:
    return view_search(named_problem(cover), inputs.title(reading), start=inputs.start)


def _format_problem(
    inputs: InputOptions,
    reading: Reading,
    cover: ExactCover,
    style: str,
    is_drawn: bool,
    full: bool,
) -> tuple[str | bytes, str]:
    """Return a problem in a format, or as a picture of its matrix, and a summary of its size.

    Without totals, text and pictures show what remains of the problem after its givens.
    """
    problem = cover.problem
    names = named_problem(cover).names
    if style in WRITTEN_KINDS:
        return cover.write(kind=style), summarize(problem)
    if names.totals and style == "text" and not is_drawn:  # views cannot have totals
        text = _format_matrix(problem, names, inputs.start, style, full)
        return text, summarize(problem)
    view = _view(inputs, reading, cover)
    summary = view.summary
    if view.note and reading.chunks is None:  # people know that boards have givens
        summary += f"; {view.note}".rstrip(".")
    if is_drawn:
        picture = matrix_picture(
            view.title,
            view.items,
            view.n_primary,
            view.marked_rows(),
            labels=view.option_labels(),
        )
        return picture, summary
    shown_names = view.names._replace(penalties=names.penalties)  # which views leave out
    return _format_matrix(view.problem, shown_names, view.start, style, full), summary


def _draw_puzzles(
    inputs: InputOptions, reading: Reading, target: str, is_picture: bool, full: bool
) -> NoReturn:
    """Draw the puzzles of a file, or the selected one, as text or as a picture."""
    inputs.call.reject("--puzzle", "--full")
    puzzles: Iterable[Puzzle] = inputs.puzzles(reading)
    is_single = is_picture or inputs.call.is_used("--puzzle")
    if is_single:
        puzzle = inputs.select(puzzles)
        puzzles = [replace(puzzle, title=inputs.title(reading)) if reading.chunks else puzzle]
    with failing(f"{inputs.source}: "):
        drawn = map(_svg, puzzles) if is_picture else _draw(puzzles, full)
        write_text(target, inputs.stop.call(partial("".join, drawn), OUTPUT_END), inputs.file)
    inputs.report_size()
    raise ending() if is_single else inputs.ending()


def _write_book(inputs: InputOptions, reading: Reading, output: str, title: str | None) -> None:
    """Write a book of the puzzles of a file, or the selected one, with their solutions.

    This ends the command.
    """
    book = Book("Sudoku puzzle" if reading.chunks else "puzzle", title=title)

    def fill() -> str:
        """Solve and draw all puzzles; return the book.

        A rule that all puzzles have is a sentence of the book; the others are captions.
        """
        puzzles = [*inputs.several(reading)[0]]
        rules = list(map(_rules_of, puzzles))
        first = rules[0] if rules else []
        book.sentences = [each for each in first if all(each in own for own in rules)]
        with counting(True, lambda: len(book), len(puzzles), "puzzle"):
            for puzzle, own in zip(puzzles, rules, strict=True):
                solution = puzzle.first(stop=inputs.stop)
                caption = " ".join(each for each in own if each not in book.sentences)
                add_to_book(book, puzzle, solution, caption=caption)
                if solution is None:
                    report(f"{puzzle.place}: no solution")
        return book.document()

    with failing(f"{inputs.source}: "):
        write_text(output, inputs.stop.call(fill, OUTPUT_END), inputs.file)
    report(f"({plural(len(book), book.noun)}, read as {inputs.read_as})")
    raise inputs.ending()


def _svg(puzzle: Puzzle) -> Svg:
    """Draw a puzzle, with the pieces that are not yet placed.

    They are drawn as they are in some options: one for each piece, and for each of its copies.
    """
    picture = puzzle.picture
    if not isinstance(picture, Pieces):
        return puzzle.svg([])
    options_of = defaultdict[str, list[int]](list)  # by the name of their piece
    for option, marks in enumerate(picture.marks):
        if marks:
            _, piece = marks[0]  # each cell is marked with the name
            options_of[piece].append(option)
    n_copies = {piece: len(copies) for piece, copies in picture.copies}
    drawn = [own[: 1 + n_copies.get(piece, 0)] for piece, own in options_of.items()]
    return picture.challenge([], chain.from_iterable(drawn))


def _format_symmetries(view: ProblemView, stop: TimeLimit) -> str:
    """Return the order of the group of all symmetries, and its generators in cycle notation."""
    group = find_symmetries(NamedProblem(view.problem, view.names), limit=None, stop=stop)
    lines = [f"order {group.order:,}, {plural(len(group.generators), 'generator')}"]
    return "\n".join([*lines, *group.cycles(), ""])


def _cells(table: str) -> Iterator[list[Cell]]:
    """Yield the rows of a table in CSV as those of a workbook, where 007 and 7 are different."""
    is_number = re.compile("0|[1-9][0-9]{0,14}").fullmatch  # of which no digit is lost
    for row in csv.reader(io.StringIO(table)):
        yield [(int(text) if is_number(text) else text, ()) for text in row]


def _rules_of(puzzle: Puzzle) -> list[str]:
    """Return the rules of a variant in words."""
    return puzzle.rules.sentences() if isinstance(puzzle, BoardPuzzle) else []


def _draw(puzzles: Iterable[Puzzle], full: bool) -> Iterator[str]:
    """Yield the drawings of the first puzzles, or of all, and report rules that texts lack.

    The last text says how many puzzles are not drawn.
    """
    n_puzzles = 0
    limit = inf if full else MAX_PUZZLES
    for n_puzzles, puzzle in enumerate(puzzles, 1):
        if n_puzzles <= limit:
            if rules := _rules_of(puzzle):
                report(f"{puzzle.place}: {' '.join(rules)} Pictures have their marks: use --svg")
            yield ("\n" if n_puzzles > 1 else "") + draw(puzzle, []) + "\n"
    if n_puzzles > limit:
        yield f"… {plural(n_puzzles - MAX_PUZZLES, 'more puzzle')}\n"


def _format_matrix(
    problem: Problem, names: Names, start: int, style: str, full: bool
) -> str | bytes:
    """Return a matrix as text, or a workbook. Raises ValueError if that cannot represent it."""
    if style in (CSV, WORKBOOK):
        table = format_table(problem, names, start)
        return table if style == CSV else format_workbook({"matrix": _cells(table)})
    width = None if full else shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
    size: dict[str, Any] = {"width": width, "max_rows": None if full else MAX_ROWS}
    return draw_matrix(problem, names, **size, start=start) + "\n"
