"""The answers that a text claims: lists of options, what commands print, or a plan."""

import csv
import io
import re
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from ..cover.check import check_cover
from ..cover.named_problem import NamedProblem, named_problem
from ..cover.names import ContradictionError
from ..cover.plan import CHANGE, FORMATS, GIVEN_UP, PlanError, tabulate_plan
from ..pictures.grid import Grid
from ..runtime.batched import batched
from ..runtime.json import load_json
from ..runtime.source import named_stream
from ..sudoku.io.records import Records
from ..sudoku.io.table import is_unreadable
from .answer import is_drawing, with_answer
from .exact.variations import VariationReader
from .puzzle import Puzzle
from .reading import SUDOKU, read_any
from .sudoku import BoardPuzzle, board_puzzles

Claim = list[int] | str  # the options of a cover, or its drawing
Cells = frozenset[tuple[str, str]]  # with their titles
Row = tuple[int, Cells]  # of a plan in CSV: its line, and its cells

# What commands print behind covers and below drawings
_COST = re.compile(r"(?:^|[ ])(?:\|(-?[0-9][0-9.e+-]*)|\(cost ([^()]*)\))$")
_VERDICT = re.compile(
    r"(?m)^# (?:.*: )?(?:(?:unique|no solution|a solution|not decided|interrupted|cost) ?"
    r"|[0-9,]+ (?:or more )?solutions).*(?:\n\n?|$)"
)
_WITHOUT = {"no cover", "unreadable", "unfinished"}  # lines of a batch
_NUMBERS = "plan", "plan_"
_ADDED = {
    *_NUMBERS,
    CHANGE,
    f"{CHANGE}_",
    GIVEN_UP,
    f"{GIVEN_UP}_",
}  # titles of columns that only plans have


def divide_answers(text: str, are_boards: bool) -> list[str]:
    r"""Return the part of a text for each of several puzzles, as `solve` writes them in any format.

    Examples
    --------
    >>> divide_answers("Q .\n# a.txt:1: unique\n\n# a.txt:2: no solution\n", are_boards=False)
    ['Q .\n', '']
    >>> divide_answers("1234341221434321 # puzzle 1, solution 1\n", are_boards=True)
    ['1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1']
    """
    if are_boards:
        with suppress(ValueError):
            chunks = read_any(named_stream(text.encode(), "ANSWER"), SUDOKU).chunks or ()
            boards = board_puzzles(map(_without_marked, chunks))
            answers = [str(each.answer) if isinstance(each, Puzzle) else "" for each in boards]
            if any(answers):
                return answers
    if text.startswith('{"puzzle": '):
        return text.splitlines()
    *parts, last = _VERDICT.split(text)
    return [*parts, last] if last.strip() or not parts else parts


def _without_marked(records: Records) -> Records:
    """Return records without those of `solve` for text that is no puzzle, and has no answer."""
    bad = (each for each in records.bad if not is_unreadable(each.others))
    return records.replace(bad=tuple(bad))


def read_claims(puzzle: Puzzle, text: str, start: int = 0) -> Sequence[Claim]:
    """Return the answers to a puzzle that a text claims.

    Parameters
    ----------
    puzzle
        The puzzle.
    text
        A list of options by number or name; covers as commands print them, also for a batch, in any
        of their formats; drawings of solutions; or a plan in CSV.
    start
        The number of the first option.

    Raises
    ------
    ValueError
        If there is no such option.

    Examples
    --------
    >>> from dlx_numba import read
    >>> [puzzle] = read('{"options": {"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]}}', "json")
    >>> [read_claims(puzzle, text) for text in ("S1,S3", "0 2 |7", '{"options": [1]}')]
    [[[0, 2]], [[0, 2]], [[1]]]
    """
    try:
        named = named_problem(puzzle.problem)
    except ContradictionError:  # of its givens: any text is a claim
        return [text] if text.strip() else []
    lines = [_COST.sub("", line) for line in text.splitlines() if not _COST.fullmatch(line)]
    if lines[:1] == ["line,status,count,cover"]:
        lines = [line.rpartition(",")[2] for line in lines[1:]]
    lines = [line for line in lines if line not in _WITHOUT]
    filled = [line for line in lines if line.strip()]
    if filled and filled[0].startswith("{") and filled[0].endswith("}"):
        return [*_read_records(filled, start)]
    puzzle = with_answer(puzzle, "")
    drawings, may_be_drawn = _divide_drawings(puzzle, lines)
    reader = VariationReader(named.problem, named.names, start)
    try:
        covers = [*map(reader.options, filled)]
    except ValueError:
        if plans := _read_plans(named, text):
            return plans
        if not is_drawing(puzzle, drawings[0]):
            raise
        return drawings
    if may_be_drawn and not check_cover(named, covers[0]):  # rather digits than options
        return drawings
    # One option on each line is a list, unless each is a cover.
    if len(covers) > 1 and max(map(len, covers)) == 1 and not check_cover(named, covers[0]):
        return [[option for cover in covers for option in cover]]
    return covers


def read_costs(text: str) -> list[float]:
    """Return the costs that a text has for covers, as commands write them.

    >>> read_costs("0 2 |7"), read_costs('{"options": [1], "cost": 2.5}'), read_costs("0 2")
    ([7.0], [2.5], [])
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[0].startswith("{") and lines[0].endswith("}"):
        covers = _covers_of(lines)
        return [float(each["cost"]) for each in covers if each.get("cost") is not None]
    matches = map(_COST.search, lines)
    costs = (match[1] or match[2].replace(",", "") for match in matches if match)
    return [float(cost) for cost in costs if re.fullmatch(r"[-+0-9.e]+", cost)]


def _covers_of(lines: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the covers, or the solutions of puzzles, in the lines that commands write as JSON."""
    for line in lines:
        record: dict[str, Any] = load_json(line)
        for found in record.get("solutions", [record]):
            yield found.get("cover", found) or {}  # of a batch, if there is one


def _read_records(lines: list[str], start: int) -> Iterator[Claim]:
    """Yield the options of the covers in such lines."""
    for cover in _covers_of(lines):
        options = cover.get("numbers", cover.get("options"))
        if options is not None:
            yield [option - start for option in options]


def _read_plans(named: NamedProblem, text: str) -> list[list[int]]:
    """Return the options whose rows are those of plans in CSV; none if the text has no plans.

    Raises PlanError for the first row that is no option.
    """
    # All options as a plan, written and read again, so that cells are compared as texts
    columns = tabulate_plan(named, range(named.names.n_listed), ())
    titles, [own] = _read_rows(FORMATS[".csv"]([columns]).decode(), set())
    words = text.partition("\n")[0].replace('"', "").rstrip("\r")
    separator = max(",;\t", key=lambda sign: len(titles.intersection(words.split(sign))))
    planned, plans = _read_rows(text, _ADDED - titles, separator)
    unknown = sorted(planned - titles - _ADDED)
    # A plan has one of the problem's columns or, if it has an unknown column, several: otherwise,
    # the text is something else.
    if not plans or len(planned & titles) <= bool(unknown):
        return []
    if unknown:
        raise PlanError(1, f"has the column {unknown[0]!r}, which the problem lacks")
    return [_options_of_rows(rows, own) for rows in plans]


def _options_of_rows(rows: list[Row], own: list[Row]) -> list[int]:
    """Return the options of the rows of a plan; `own` are the rows of all options.

    Equal rows of a plan are different options with these cells. Raises PlanError for a row that is
    no option, or for which none is left.
    """
    numbers: dict[Hashable, list[int]] = {}
    for option, (_, cells) in enumerate(own):
        numbers.setdefault(cells, []).append(option)
    options = []
    for line, cells in rows:
        if cells not in numbers:
            raise PlanError(line, f"is no option; {_difference(cells, own)}")
        if not numbers[cells]:
            raise PlanError(line, "repeats another one")
        options.append(numbers[cells].pop(0))
    return options


def _difference(cells: Cells, own: list[Row]) -> str:
    """Return how the cells of a row differ from those of the most similar option."""
    nearest = dict(max((other for _, other in own), key=lambda other: len({*cells} & {*other})))
    given = dict(cells)
    parts = [
        f"{title} {nearest.get(title, '')!r}, not {given.get(title, '')!r}"
        for title in sorted({*given} | {*nearest})
        if given.get(title) != nearest.get(title)
    ]
    return f"the nearest one has {' and '.join(parts)}"


def _read_rows(
    text: str, added: set[str], separator: str = ","
) -> tuple[set[str], list[list[Row]]]:
    """Return the titles of plans in CSV, and the lines and cells of their chosen rows.

    Cells that are empty are left out. `added` are the titles of columns that only plans have.
    """
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    plans: dict[str, list[Row]] = {}
    for row in rows:
        cells = {title: cell for title, cell in row.items() if title and cell}
        facts = {title: cells.pop(title, "") for title in added}
        # Rows with the same number in the column "plan" are one plan, and so are those without one.
        plan = plans.setdefault("".join(facts.get(title, "") for title in _NUMBERS), [])
        # What the column "change" of `tabulate_plan` says of rows that are not chosen
        if {*facts.values()}.isdisjoint({"dropped", "uncovered"}):
            plan.append((rows.line_num, frozenset(cells.items())))
    return {*(rows.fieldnames or ())} - {""}, [*plans.values()]


def _divide_drawings(puzzle: Puzzle, lines: list[str]) -> tuple[list[str], bool]:
    """Divide a text into drawings, which empty lines separate; those of grids have one height.

    Also return whether lines of numbers may be drawings, such as boards with digits, rather than
    the numbers of options.
    """
    text = "\n".join(lines).rstrip("\n")
    if not isinstance(puzzle.picture, Grid):
        return re.split("\n{2,}", text), False
    rows = text.split("\n")
    height = len(puzzle.picture.text([]).split("\n"))
    if isinstance(puzzle, BoardPuzzle):  # `divide_answers` draws boards without lines
        height = puzzle.box.n
    # The rows of a drawing may be empty, too.
    if (len(rows) + 1) % (height + 1) or any(rows[height :: height + 1]):
        return [text], False  # a single drawing of another height
    drawings = ["\n".join(part[:height]) for part in batched(rows, height + 1)]
    # A board of one row looks like numbers of options, unless it has a sign for each cell.
    return drawings, height > 1 or len(rows[0].split()) == len(puzzle.picture.positions)
