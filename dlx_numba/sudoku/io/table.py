"""Tables (CSV): which column of a header holds what."""

from typing import NamedTuple

_PUZZLES = ("puzzle", "puzzles", "quizzes", "quiz", "board", "boards", "sudoku", "question")
_SOLUTIONS = ("solution", "solutions", "answer", "answers")
_COUNTS = ("solution count", "solution_count", "solutions count", "number of solutions")
_DIFFICULTIES = ("difficulty", "rating")


class Table(NamedTuple):
    """The columns of a table, counted from 0; None for what it does not have.

    Where no column holds puzzles, `puzzle` is the one of the solutions.
    """

    delimiter: str
    puzzle: int
    solution: int | None
    solutions: int | None  # how many the puzzle has
    difficulty: int | None
    breaks: bool  # a row may go on in the next line, where qqwing's solve instructions end

    @property
    def rates(self) -> bool:
        """Whether it tells more of a puzzle than its solution."""
        return self.solutions is not None or self.difficulty is not None

    @property
    def suits_kernel(self) -> bool:
        return not self.breaks and (self.solution is None or self.solution > self.puzzle)


def read_header(line: str) -> Table | None:
    """The table that this line is the header of, or None.

    >>> read_header("Puzzle,Solution,Difficulty")
    Table(delimiter=',', puzzle=0, solution=1, solutions=None, difficulty=2, breaks=False)
    """
    delimiter = max(",;\t", key=line.count)
    names = [name.strip().lower() for name in split_row(line, delimiter)]
    if names[-1] == "":  # qqwing ends its rows in a comma
        names.pop()

    def column(*known: str) -> int | None:
        return next((names.index(name) for name in known if name in names), None)

    # qqwing's column of this name holds how many they are.
    givens = () if "singles" in names else ("givens",)
    puzzle, solution = column(*_PUZZLES, *givens), column(*_SOLUTIONS)
    if puzzle is None:
        puzzle, solution = solution, None
    if puzzle is None:
        return None
    breaks = "solve instructions" in names
    return Table(delimiter, puzzle, solution, column(*_COUNTS), column(*_DIFFICULTIES), breaks)


def split_row(line: str, delimiter: str) -> list[str]:
    """The fields of a row, without quotes around them."""
    if '"' not in line:
        return line.split(delimiter)
    import csv  # few files quote, and every start of the program would pay for it

    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:  # a field of more than 128 KiB
        return line.split(delimiter)
