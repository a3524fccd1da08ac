"""Compare the solution that a file states with the puzzle."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..cover.check import check_cover
from ..cover.names import ContradictionError
from ..pictures.cells import Cell
from ..pictures.grid import Grid
from .puzzle import Puzzle

BLOCKS = " ▀▄█"  # two cells in a character
HALVES = str.maketrans(BLOCKS, "-x-x"), str.maketrans(BLOCKS, "--xx")
PIECES = ("pieces", "outlines")  # the styles of pictures whose options are pieces


def check_answer(
    puzzle: Puzzle, claims: Sequence[Any], number: int = 0, start: int = 0
) -> dict[str, Any]:
    """Return whether one of the claimed answers is right, and why not.

    An answer consists of options, counted from `start`, or is the text of `puzzle.answer`.
    """
    try:
        claimed = claims[number]
        if isinstance(claimed, str):
            if puzzle._has_right_answer():
                return {"is_right": True, "text": "a cover", "problems": []}
            claimed = find_answer(puzzle)
    except ValueError as error:
        return {"is_right": False, "text": str(error).removeprefix(f"{puzzle.place}: ")}
    stated_problem = puzzle._problem._stated
    check = check_cover(stated_problem, claimed, start)
    record = {"is_right": bool(check), "text": str(check), "problems": check.problems}
    numbers = stated_problem.numbers_of(claimed, "cover")
    if check and puzzle.condition is not None and not puzzle.condition(numbers):
        record |= {"is_right": False, "text": "a cover that violates a condition of the puzzle"}
    if stated_problem.problem.cost is not None:
        record["cost"] = check.cost
    return record


def find_answer(puzzle: Puzzle) -> list[int]:
    """Return the options of the solution that the file states.

    Parameters
    ----------
    puzzle : Puzzle
        A puzzle with an `answer`, whose picture is a grid. If its style is that of pieces, cells of
        one piece have the same label in the answer.

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
    >>> from dlx_numba.kinds.logic.tents import parse
    >>> record = '{"problem": "1 2\\\\n0 1\\\\n1\\\\nx -", "solution": "1 2\\\\nx -"}'
    >>> [puzzle] = parse(record, "file")
    >>> find_answer(puzzle)
    Traceback (most recent call last):
    ...
    ValueError: file, 1: the stated solution is wrong: the tree in r1c1 is not covered
    """
    picture: Any = puzzle.picture
    stated = _stated_cells(puzzle, picture)
    agreeing = _agreeing_options(picture, stated)
    others = set(range(len(picture.marks))) - set(agreeing)
    try:
        cover = puzzle.cover(forbidden=sorted(others), presolve=False).first()
    except ContradictionError:
        raise ValueError(f"{puzzle.place}: the stated solution contradicts a given") from None
    if cover is None or (puzzle.condition is not None and not puzzle.condition(cover)):
        raise ValueError(
            f"{puzzle.place}: the stated solution is wrong: {_blame(puzzle, agreeing)}"
        )
    if (wrong := _difference(picture, stated, list(cover))) is not None:
        raise ValueError(f"{puzzle.place}: the stated solution is wrong at {wrong}")
    return list(cover)


def _stated_cells(puzzle: Puzzle, picture: Grid) -> dict[Cell, str]:
    """Return the text that the answer has for each cell. A first line with the size is ignored."""
    if picture.lattice == "cubes":
        return _drawn_layers(puzzle, picture)
    rows, columns = zip(*picture.positions, strict=True)
    top, left = min(rows), min(columns)
    n_rows, width = max(rows) - top + 1, max(columns) - left + 1
    lines = _answer_words(str(puzzle.answer), n_rows, width)
    if len(lines) > n_rows and all(word.isdigit() for word in lines[0]) and len(lines[0]) <= 3:
        del lines[0]  # the size
    reasons = [] if len(lines) == n_rows else [f"{len(lines)} rows instead of {n_rows}"]
    reasons += [
        f"row {number} has {len(line)} words instead of {width}"
        for number, line in enumerate(lines, 1)
        if len(line) != width
    ]
    if reasons:
        raise ValueError(f"{puzzle.place}: the stated solution is malformed: {reasons[0]}")
    return {
        (r, c): word
        for r, line in enumerate(lines, top)
        for c, word in enumerate(line, left)
        if (r, c) in picture.positions
    }


def _drawn_layers(puzzle: Puzzle, picture: Grid) -> dict[Cell, str]:
    """Return the text that an answer has for each cell in space, drawn as pictures are."""
    rows, columns = zip(*picture.positions.values(), strict=True)
    lines = [line.rstrip() for line in str(puzzle.answer).splitlines()[: 1 + max(rows)]]
    step = max(2, round(max(map(len, lines), default=0) / (1 + max(columns))))
    lines += [""] * (1 + max(rows) - len(lines))
    words = {
        cell: lines[row][step * column : step * (column + 1) - 1].strip()
        for cell, (row, column) in picture.positions.items()
    }
    if not all(words.values()):
        raise ValueError(f"{puzzle.place}: the stated solution is not drawn as the puzzle is")
    return words


def _answer_words(answer: str, n_rows: int, width: int) -> list[list[str]]:
    """Return the words in each line of an answer, also one that is drawn as pictures are."""
    if not {*answer} - {*BLOCKS, "\n", "\r"}:  # black cells, two rows in a line
        lines = [line.ljust(width) for line in answer.rstrip().splitlines()]
        lines += [" " * width] * n_rows
        return [[*line.translate(half)] for line in lines for half in HALVES][:n_rows]
    symbols = "".join(answer.split())  # on one line, or a word for each row
    if len(symbols) == n_rows * width > 1 and {*map(len, answer.split())} <= {width, len(symbols)}:
        return [[*symbols[k : k + width]] for k in range(0, len(symbols), width)]
    drawn = re.sub(r"(?m)^[ +|-]*--[ +|-]*(?:\n|$)", "", answer.rstrip().replace("\r", ""))
    return [line.replace("|", " ").split() for line in drawn.rstrip().split("\n")]


def _agreeing_options(picture: Grid, stated: dict[Cell, str]) -> list[int]:
    """Return the options all of whose marks agree with an answer."""
    marks = picture.marks
    written = [all(stated.get(cell) == text for cell, text in each) for each in marks]
    if picture.style not in PIECES:
        return [k for k, is_written in enumerate(written) if is_written]
    pieces = defaultdict[str, set[Cell]](set)
    for cell, label in stated.items():
        pieces[label].add(cell)
    cells = [{cell for cell, _ in each} for each in marks]
    whole = [pieces[stated[next(iter(each))]] == each for each in cells]
    return [k for k in range(len(marks)) if whole[k] or written[k]]  # equal pieces may touch


def _difference(picture: Grid, stated: dict[Cell, str], cover: list[int]) -> str | None:
    """Return the first cell at which an answer differs from a cover, if any."""
    if picture.style in PIECES:
        return None
    written = picture.written(cover)
    for cell, text in stated.items():
        if text != written.get(cell, picture.blank):
            (row, column) = picture.positions[cell]
            return f"row {row + 1}, column {column + 1}: {text!r}"
    return None


def _blame(puzzle: Puzzle, agreeing: list[int]) -> str:
    """Return the first item that some options do not cover as often as they must.

    Options that mark nothing are considered unless the others exclude them.
    """
    picture: Any = puzzle.picture
    problem = puzzle._problem.problem
    marking = [k for k in agreeing if picture.marks[k]]
    covered = np.isin(problem.option_of_node(), marking)
    excluded = np.isin(problem.items, problem.items[covered])
    unmarked = set(range(problem.n_options)) - set(problem.option_of_node()[excluded].tolist())
    chosen = [*marking, *(k for k in unmarked if not picture.marks[k])]
    reasons = puzzle._problem.check(chosen).problems
    certain = [reason for reason in reasons if reason.endswith("is not covered")]
    return (certain or reasons or ["two lines are equal, or another condition is violated"])[0]
