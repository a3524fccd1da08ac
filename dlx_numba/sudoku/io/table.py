"""Puzzles with named fields: the columns of tables (CSV), and JSON objects."""

from collections.abc import Iterator
from typing import Any, NamedTuple

PUZZLES = ("puzzle", "puzzles", "quizzes", "quiz", "board", "boards", "sudoku", "question")
_SOLUTIONS = ("solution", "solutions", "answer", "answers")
_COUNTS = ("solution count", "solution_count", "solutions count", "number of solutions")
_DIFFICULTIES = ("difficulty", "rating")


class Table(NamedTuple):
    """The columns of a table, counted from 0; None for a column that is missing.

    If no column contains puzzles, `puzzle` is the column of the solutions.
    """

    delimiter: str
    puzzle: int
    solution: int | None
    solution_count: int | None
    difficulty: int | None
    row_breaks: bool  # whether a row may continue on the next line; see `qqwing.ROW_BREAK`

    @property
    def has_ratings(self) -> bool:
        """Whether there is a column of counts or of difficulties."""
        return self.solution_count is not None or self.difficulty is not None

    @property
    def suits_kernel(self) -> bool:
        """Whether the kernel `scan` can read the rows."""
        return not self.row_breaks and (self.solution is None or self.solution > self.puzzle)


# Objects with one of these fields are puzzles with rules, which `variants` reads.
RULES = (
    *("diagonals", "windows", "disjoint_groups", "regions", "extra_regions", "anti_knight"),
    *("anti_king", "non_consecutive", "less_than", "thermometers", "differences", "ratios"),
    *("sums", "clones", "cages"),
)
HAS_RULES = "the puzzle has rules, and is not solved without them"

# The order of the fields that `read_object` returns.
OBJECT_COLUMNS = Table(",", 0, 1, 2, 3, row_breaks=False)


def read_object(line: str) -> list[str] | None:
    """Return the puzzle, solution, count and difficulty in a JSON object, or None.

    The names of the fields are those of the columns of tables. A missing field is "". In place of a
    puzzle that has rules is `HAS_RULES`.

    Examples
    --------
    >>> read_object('{"puzzle": "1...", "solution": null, "line": 5}')
    ['1...', '', '', '']
    """
    if not line.lstrip().startswith("{"):
        return None
    import json  # imported here because only a few files need it

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fields = {str(key).lower(): value for key, value in found.items()}
    known = (PUZZLES, _SOLUTIONS, _COUNTS, _DIFFICULTIES)
    if fields.keys().isdisjoint(PUZZLES + _SOLUTIONS):
        return None
    if any(fields.get(name) for name in RULES):
        return [HAS_RULES, "", "", ""]
    return [
        _field_text(next((fields[name] for name in names if name in fields), None))
        for names in known
    ]


def _field_text(value: Any) -> str:
    """Return the text of a JSON value; lists are flattened."""
    if not isinstance(value, list):
        return "" if value is None else str(value)
    cells = list(_flatten(value))
    return (" " if any(len(cell) > 2 for cell in cells) else ",").join(cells)


def _flatten(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _flatten(item)
    else:
        yield "" if value is None else str(value)


def read_header(line: str) -> Table | None:
    """Return the table with this header, or None if the line is not a header.

    Examples
    --------
    >>> read_header("Puzzle,Solution,Difficulty")
    Table(delimiter=',', puzzle=0, solution=1, solution_count=None, difficulty=2, row_breaks=False)
    """
    delimiter = max(",;\t", key=line.count)
    names = [name.strip().lower() for name in split_row(line, delimiter)]
    if names[-1] == "":  # qqwing ends its rows with a comma
        names.pop()

    def column(*known: str) -> int | None:
        return next((names.index(name) for name in known if name in names), None)

    # In qqwing's statistics, "givens" is the number of givens.
    givens = () if "singles" in names else ("givens",)
    puzzle, solution = column(*PUZZLES, *givens), column(*_SOLUTIONS)
    if puzzle is None:
        puzzle, solution = solution, None
    if puzzle is None:
        return None
    breaks = "solve instructions" in names
    return Table(delimiter, puzzle, solution, column(*_COUNTS), column(*_DIFFICULTIES), breaks)


def split_row(line: str, delimiter: str) -> list[str]:
    """Return the fields of a row, without the quotes around them."""
    if '"' not in line:
        return line.split(delimiter)
    import csv  # imported here because only a few files need it

    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:  # a field of more than 128 KiB
        return line.split(delimiter)


def field_of(fields: list[str], column: int | None) -> str:
    """Return a field of a row, "" if it is missing."""
    return fields[column].strip() if column is not None and column < len(fields) else ""
