"""Puzzles with rules, each a JSON object or a link."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cover.spelling import simplify_names, suggest
from ...runtime.json import load_json
from ...sudoku.box import Box
from ...sudoku.convert import convert_puzzle
from ...sudoku.io.table import PUZZLES, RULES, box_of, is_constraint, is_remark
from .fpuzzles import decompress_link, is_link, parse_fpuzzles
from .sudokupad import parse_sudokupad

# Fields of an object that are neither rules nor the puzzle, such as those that `solve` writes
IGNORED = {
    *("title", "author", "comment", "source", "file", "line", "solution", "count", "status"),
    *("size", "difficulty", "puzzle_number", "solution_number", "nodes", "minimal", "id"),
}


class VariantPuzzle(NamedTuple):
    """A puzzle with rules."""

    constraints: dict[str, Any]  # arguments of `SudokuRules`
    box: Box | None  # None if there is neither a board nor a box
    board: NDArray[np.uint8] | None  # (cells,) 0 for an empty cell
    solution: NDArray[np.uint8] | None = None  # (cells,) None if none, or a part, is given


def parse_puzzle(text: str, box: Box | None = None, alphabet: str = "auto") -> VariantPuzzle:
    """Return the puzzle or the rules that a JSON object or a link describes.

    Parameters
    ----------
    text
        An object with parameters of `SudokuRules`, and possibly `puzzle` and `box`; an object of
        f-puzzles or SudokuPad; or a link with an object of f-puzzles.
    box, alphabet
        Those of the puzzle, unless the object has its box.

    Raises
    ------
    ValueError
        If the text has another form, or the puzzle has constraints that are not supported.

    Examples
    --------
    >>> parse_puzzle('{"diagonals": true, "puzzle": "1..............."}').board[:4]
    array([1, 0, 0, 0], dtype=uint8)
    """
    text = decompress_link(text) if is_link(text) else text
    try:
        found = load_json(text)
    except ValueError as error:
        raise ValueError(f"not a JSON object: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, not {type(found).__name__}")
    try:
        for name, parse in (("grid", parse_fpuzzles), ("cells", parse_sudokupad)):
            if isinstance(found.get(name), list):
                constraints, box, values = parse(found)
                if wrong := [value for value in values if not 0 <= value <= box.n]:
                    raise ValueError(f"the value {wrong[0]} is not in the range 1 to {box.n}")
                board = np.array(values, np.uint8)
                solution = _solution(found.get("solution"), box)
                return VariantPuzzle(constraints, box, board, solution)
        return _parse_own(found, box, alphabet)
    # Of other types, or infinite
    except (AttributeError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"invalid constraint: {error}") from None


def _parse_own(found: dict[str, Any], box: Box | None, alphabet: str) -> VariantPuzzle:
    """Return the puzzle in an object whose fields are parameters of `SudokuRules`."""
    unknown = found.keys() - {*RULES, *PUZZLES, *IGNORED, "box"}
    unknown = {name for name in unknown if is_constraint(name) or not is_remark(found[name])}
    if unknown:
        hint = suggest(min(unknown), simplify_names(RULES))
        raise ValueError(f"constraints that are not supported: {', '.join(sorted(unknown))}{hint}")
    constraints = {name: value for name, value in found.items() if name in RULES}
    box = box_of(found) or box
    puzzle = next((found[name] for name in PUZZLES if name in found), None)
    if puzzle is None:
        return VariantPuzzle(constraints, box, None)
    values, box, _ = convert_puzzle(puzzle, box, alphabet)
    board = np.frombuffer(values, np.uint8)
    solution = None
    if text := found.get("solution"):
        solution = _solution([*convert_puzzle(text, box, alphabet)[0]], box)
    return VariantPuzzle(constraints, box, board, solution)


def _solution(values: Any, box: Box) -> NDArray[np.uint8] | None:
    """Return the values of a complete board, or None."""
    is_complete = isinstance(values, list) and len(values) == box.cells
    if not is_complete or not {*map(str, values)} <= {*map(str, range(1, box.n + 1))}:
        return None
    return np.array(values, np.uint8)
