"""Compare the solution that a file gives with the puzzle."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from typing import Any

import numpy as np

from ..cover.check import check_cover
from ..cover.named_problem import named_problem
from ..cover.names import ContradictionError
from ..pictures.cells import Cell
from ..pictures.filling import Outlines, Pieces
from ..pictures.grid import Grid
from ..pictures.lines import Lines
from ..runtime.batched import batched
from ..runtime.text import plural
from .logic.rows import join_cells
from .puzzle import Puzzle

BLOCKS = " ▀▄█"  # two cells in a character
HALVES = str.maketrans(BLOCKS, "-x-x"), str.maketrans(BLOCKS, "--xx")
MAX_COVERS = 1000  # that are compared with an answer


def check_answer(
    puzzle: Puzzle, claims: Sequence[Any], number: int = 0, start: int = 0
) -> dict[str, Any]:
    """Return a record that says whether one of the claimed answers is right, and why not.

    Its keys are `is_right`, `text` and `problems`, and `cost` for options in a problem with costs.
    `number` is its place among the claims. An answer consists of options, which messages count from
    `start`, or is a drawing.
    """
    try:
        claimed = claims[number]
        if isinstance(claimed, str):
            if claimed != puzzle.answer:
                puzzle = with_answer(puzzle, claimed)
            if puzzle.has_right_answer():
                return {"is_right": True, "text": "a cover", "problems": []}
            claimed = find_answer(puzzle)
    except ValueError as error:
        return {"is_right": False, "text": str(error).removeprefix(f"{puzzle.place}: ")}
    named = named_problem(puzzle.problem)
    check = check_cover(named, claimed, start)
    record = {"is_right": bool(check), "text": str(check), "problems": check.problems}
    numbers = named.numbers_of(claimed, "cover")
    if check and puzzle.condition is not None and not puzzle.condition(numbers):
        record |= {"is_right": False, "text": "a cover that violates a condition of the puzzle"}
    if named.problem.cost is not None:
        record["cost"] = check.cost
    return record


def find_answer(puzzle: Puzzle) -> list[int]:
    """Return the options of the solution that the file gives.

    Parameters
    ----------
    puzzle : Puzzle
        A puzzle with an `answer`: a drawing, as `Puzzle.text` returns it, or a word for each cell.
        Cells of one piece have the same label.

    Returns
    -------
    list of int
        The numbers of the options.

    Raises
    ------
    ValueError
        If the answer is no solution; the message has the first place that breaks a rule.

    Examples
    --------
    >>> from dlx_numba.puzzles.logic import tents
    >>> from dlx_numba.puzzles.records import parse_all
    >>> record = '{"problem": "1 2\\\\n0 1\\\\n1\\\\nx -", "solution": "1 2\\\\nx -"}'
    >>> [puzzle] = parse_all(tents, record, "file")
    >>> find_answer(puzzle)
    Traceback (most recent call last):
    ...
    ValueError: file: the solution in the file is wrong: the tree in r1c1 is not covered
    """
    picture = puzzle.picture
    written = _written_cells(puzzle, picture) if isinstance(picture, Grid) else {}
    agreeing = _agreeing_options(picture, written) if written else _options_of_parts(puzzle)
    # Covers of the options that agree with the answer can still differ from it, as an answer may
    # have texts where no option writes.
    disagreeing = set(range(named_problem(puzzle.problem).names.n_listed)) - set(agreeing)
    wrong = ""  # the first place at which the answer differs from a cover
    try:
        covers: Any = puzzle.cover(forbidden=sorted(disagreeing)).iterate()
        for cover in islice(covers, MAX_COVERS):
            if puzzle.condition is not None and not puzzle.condition(cover):
                continue
            difference = _difference(puzzle, written, list(cover))
            if difference is None:
                return list(cover)
            wrong = wrong or f" at {difference}"
    except ContradictionError:
        raise ValueError(f"{puzzle.place}: the solution in the file contradicts a given") from None
    wrong = wrong or f": {_blame(puzzle, agreeing)}"
    raise ValueError(f"{puzzle.place}: the solution in the file is wrong{wrong}")


def _written_cells(puzzle: Puzzle, picture: Grid) -> dict[Cell, str]:
    """Return the text that the answer has for each cell. A first line with the size is ignored."""
    answer = str(puzzle.answer).rstrip().replace("\r", "")
    if isinstance(picture, Outlines):
        return _outlined_cells(picture, answer)
    if picture.lattice != "squares":
        return _drawn_cells(puzzle, picture, answer)
    n_rows, width = picture.shape
    lines = _answer_words(answer, n_rows, width)
    is_sized = len(lines) > n_rows and all(word.isdigit() for word in lines[0])
    # A size has up to three numbers. Digits above a line of signs are a row of the board.
    if is_sized and len(lines[0]) <= 3 and not {*lines[1]} <= {*picture.signs.values()}:
        del lines[0]
    reasons = [] if len(lines) == n_rows else [f"{plural(len(lines), 'row')} instead of {n_rows}"]
    reasons += [
        f"row {number} has {len(line)} words instead of {width}"
        for number, line in enumerate(lines, 1)
        if len(line) != width
    ]
    if not reasons:
        return {cell: lines[r][c] for cell, (r, c) in picture.positions.items()}
    # A board with other places than cells, or without blanks between them, is read as a drawing.
    is_full = len(picture.positions) == n_rows * width
    if is_full and picture.separator and not (picture.signs or isinstance(picture, Lines)):
        raise ValueError(f"{puzzle.place}: the solution in the file is malformed: {reasons[0]}")
    return _drawn_cells(puzzle, picture, answer)


def _drawn_cells(puzzle: Puzzle, picture: Grid, answer: str) -> dict[Cell, str]:
    """Return the text that an answer has at the place of each cell in texts."""
    scale = 2 if picture.signs else 1  # signs take every second row and column
    lines = [line.rstrip() for line in answer.split("\n")]
    n_lines = 1 + scale * max(row for row, _ in picture.positions.values())
    if any(lines[n_lines:]):
        reason = f"{plural(len(lines), 'line')} instead of {n_lines}"
        raise ValueError(f"{puzzle.place}: the solution in the file is malformed: {reason}")
    gap = len(picture.separator)
    n_columns = 1 + scale * (picture.shape[1] - 1)
    # The characters of a column with the gap after it: texts may be wider than one
    step = max(1 + gap, ceil((max(map(len, lines)) + gap) / n_columns))
    texts: dict[Cell, str] = {}
    for cell, (row, column) in picture.positions.items():
        line = lines[scale * row] if scale * row < len(lines) else ""
        start = scale * column * step
        texts[cell] = line[start : start + step - gap].strip() or picture.blank
    return texts


def _outlined_cells(picture: Grid, answer: str) -> dict[Cell, str]:
    """Return the piece of each cell in a drawing of outlines, as a label.

    Neighbors without a line between them are of one piece.
    """
    lines = answer.split("\n")
    number_at = {place: number for number, place in enumerate(picture.positions.values())}
    pairs: list[tuple[int, int]] = []
    for (row, column), number in number_at.items():
        for down, right in ((0, 1), (1, 0)):
            other = number_at.get((row + down, column + right))
            # Cells are three signs wide and a line high; what is between two of a piece is blank.
            side = "".join(lines[2 * row + 1 + down : 2 * row + 2 + down])
            start = 4 * column + 2 + 2 * right
            if other is not None and side[start : start + 1] == " ":
                pairs.append((number, other))
    return dict(zip(picture.positions, join_cells(len(number_at), pairs), strict=True))


def _answer_words(answer: str, n_rows: int, width: int) -> list[list[str]]:
    """Return the words in each line of an answer, also one that is drawn as pictures are."""
    if not {*answer} - {*BLOCKS, "\n"}:  # black cells: a line has the upper and the lower row
        lines = [line.ljust(width) for line in answer.splitlines()]
        lines += [" " * width] * n_rows
        return [[*line.translate(half)] for line in lines for half in HALVES][:n_rows]
    symbols = "".join(answer.split())  # on one line, or a word for each row
    if len(symbols) == n_rows * width > 1 and {*map(len, answer.split())} <= {width, len(symbols)}:
        return [[*row] for row in batched(symbols, width)]
    drawn = re.sub(r"(?m)^(?=.*--)[ +|-]+(?:\n|$)", "", answer)
    return [line.replace("|", " ").split() for line in drawn.rstrip().split("\n")]


def _agreeing_options(picture: Any, written: dict[Cell, str]) -> list[int]:
    """Return the options all of whose marks agree with an answer.

    An option of pieces also agrees if its cells are all those with a label: any label may stand for
    a piece. The first bridge of a span agrees with the second one, which is drawn over it.
    """
    # The signs of second bridges, by those of the first ones below them
    above = {"─": "═", "│": "║"} if getattr(picture, "line_style", "") == "bridges" else {}
    pieces: defaultdict[str, set[Cell]] = defaultdict(set)
    if isinstance(picture, Pieces):
        for cell, label in written.items():
            pieces[label].add(cell)
    wholes = {*map(frozenset, pieces.values())}
    return [
        option
        for option, marks in enumerate(picture.marks)
        if frozenset(dict(marks)) in wholes
        or all(written.get(cell) in (text, above.get(text, text)) for cell, text in marks)
    ]


def with_answer(puzzle: Puzzle, drawing: str) -> Puzzle:
    """Return a puzzle with an answer, in the picture in which commands draw covers."""
    picture = named_problem(puzzle.problem).drawing
    if puzzle.picture is None and picture is not None:
        puzzle = replace(puzzle, statement=puzzle.statement._replace(view=picture))
    return replace(puzzle, answer=drawing)


def is_drawing(puzzle: Puzzle, text: str) -> bool:
    """Return whether a text may be a drawing of a solution, rather than the names of options."""
    if isinstance(puzzle.picture, Grid):
        words = text.split()
        n_cells = len(puzzle.picture.positions)
        return n_cells > 0 and (len(words) > 1 or {*map(len, words)} == {n_cells})
    return bool(puzzle.picture) and _parts(puzzle, text) <= set().union(*_drawn_options(puzzle))


def _drawn_options(puzzle: Puzzle) -> list[set[tuple[str, str]]]:
    """Return the parts of the drawing of each option."""
    return [_parts(puzzle, puzzle.text([k])) for k in range(puzzle.problem.n_options)]


def _options_of_parts(puzzle: Puzzle) -> list[int]:
    """Return the options whose drawings are parts of the answer, of pictures without cells."""
    parts = _parts(puzzle, str(puzzle.answer))
    return [k for k, own in enumerate(_drawn_options(puzzle)) if own <= parts]


def _parts(puzzle: Puzzle, text: str) -> set[tuple[str, str]]:
    """Return the parts of a drawing, each with its row.

    These are indented lines below the name of a row, as of a timetable. In a picture without rows,
    they are what lies between separators, in the row "".
    """
    _, between = getattr(puzzle.picture, "separators", ("", "\n"))
    has_rows = bool(getattr(puzzle.picture, "rows", ()))
    row = ""
    parts: set[tuple[str, str]] = set()
    for part in text.rstrip().replace("\r", "").split(between):
        if part.startswith(" ") or not has_rows:
            parts.add((row, part.strip()))
        else:
            row = part.strip()
    return parts


def _difference(puzzle: Puzzle, written: dict[Cell, str], cover: list[int]) -> str | None:
    """Return the first place at which an answer differs from a cover, if any."""
    picture: Any = puzzle.picture
    if not written:
        same = _parts(puzzle, puzzle.text(cover)) == _parts(puzzle, str(puzzle.answer))
        return None if same else "another line"
    if isinstance(picture, Pieces):
        return None
    drawn = picture.written(cover)
    for cell, text in written.items():
        if text != drawn.get(cell, picture.blank):
            row, column = picture.positions[cell]
            return f"row {row + 1}, column {column + 1}: {text!r}"
    return None


def _blame(puzzle: Puzzle, agreeing: list[int]) -> str:
    """Return why a wrong answer is no cover: the first item not covered as often as it must be.

    `agreeing` are the options that agree with the answer. It does not show options that mark
    nothing: they are added unless they share an item with the others.
    """
    problem = puzzle.problem.problem
    marks = getattr(puzzle.picture, "marks", None) or [True] * problem.n_options
    marking = [k for k in agreeing if marks[k]]
    # Nodes of the marking options, and all nodes with an item of theirs
    covered = np.isin(problem.option_of_node(), marking)
    excluded = np.isin(problem.items, problem.items[covered])
    unmarked = set(range(len(marks))) - set(problem.option_of_node()[excluded].tolist())
    chosen = [*marking, *(k for k in unmarked if not marks[k])]
    reasons = puzzle.problem.check(chosen).problems
    certain = [reason for reason in reasons if reason.endswith("is not covered")]
    return (certain or reasons or ["two lines are equal, or another condition is violated"])[0]
