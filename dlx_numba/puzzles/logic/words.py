"""Word search puzzles."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...cover.encode import Formulation
from ...pictures.lines import Lines
from ..parameters import check_range
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, cells_of, check_keys
from .rows import as_word

formats = 'a grid of letters, or dots; a blank line; the words; {"grid": [...], "words": [...]}'
HAS_BLANK_LINES = True
UNEQUAL = "rows of the grid must have the same number of letters, or . for none"

# The last four directions are the reverses of the first four, in reverse order.
STEPS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
DIRECTIONS = list(zip("↖↑↗←→↙↓↘", STEPS, strict=True))
MAX_PLACEMENTS = 250_000  # of all words
EXAMPLE = "DANCING,LINKS,KNUTH,OPTION,ITEM,EXACT,COVER,COLOR,NODE,QUEEN,SUDOKU,TILING"


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    return _formulate(*_read(record.as_text(_as_text)))


def example(rows: int = 7, columns: int = 9, words: str = EXAMPLE) -> Puzzle:
    """Hide words in a grid, in eight directions; crossing words share a letter.

    Items: each word.
    Secondary items: each cell, with a letter as its color.
    Options: a word in one of its placements, with the letter of each of its cells.

    Parameters
    ----------
    rows, columns
        The size of the grid, each from 1 to 50.
    words
        The words, with commas between them.

    Notes
    -----
    TAOCP 7.2.2.1 hides the names of mathematicians in this way.

    >>> example(2, 2, "NO,ON").count()     # 12 placements of NO, and 7 of ON with each
    84
    """
    check_range("rows", rows, 1, 50)
    check_range("columns", columns, 1, 50)
    return _formulate(["." * columns] * rows, words.split(","))


def _as_text(value: Any) -> str:
    """Return the text of an object, whose rows are texts or lists of letters."""
    check_keys(value, "grid", "words")
    found = value if isinstance(value, dict) else {}
    lists: list[Any] = [found.get(key) for key in ("grid", "words")]
    if not all(isinstance(each, list) and each for each in lists):
        raise ValueError('expected a grid and words, such as {"grid": ["ON"], "words": ["NO"]}')
    grid, words = lists
    if not all(grid) or any(len(str(letter)) != 1 for row in grid for letter in row):
        raise ValueError(UNEQUAL)
    return "\n".join([*(" ".join(map(as_word, row)) for row in grid), "", *map(as_word, words)])


def _is_row(text: str) -> bool:
    return text.replace(".", "A").isalpha()


def _read(record: Record) -> tuple[list[str], list[str]]:
    """Return the rows of a grid and the words below it, in upper case."""
    rows: list[str] = []
    words: list[str] = []
    is_grid = True
    for number, line in enumerate(record.text.upper().split("\n"), 1):
        parts = re.findall(r"[^\s,]+", line)
        if not parts:
            is_grid = False
        elif not is_grid:
            words += parts
        else:
            rows.append("".join(parts))
            # Either all letters of a row are separated, or none.
            width = len(rows[0])
            if len(rows[-1]) != width or len(parts) not in (1, width) or not _is_row(rows[-1]):
                raise record.error(number, UNEQUAL)
    if not rows:
        raise ValueError("there is no grid before the words")
    if not words:
        raise ValueError("there are no words after the grid and a blank line")
    return rows, words


def _formulate(grid: Sequence[str], words: Sequence[str]) -> Puzzle:
    """Return a puzzle, from the rows of its grid, where `.` is a cell without a letter.

    `example` describes its items and options.
    """
    n_rows = len(grid)
    n_columns = len(grid[0])
    known: set[str] = set()
    for text in words:
        if not text.isalpha():
            raise ValueError(f"words must be letters with commas between them, not {text!r}")
        if text in known:
            raise ValueError(f"word {text} appears twice")
        known.add(text)
        if len(text) > max(n_rows, n_columns):
            raise ValueError(
                f"word {text} is longer than the sides of the grid, {n_rows}×{n_columns}"
            )
    cells = cells_of(grid)
    options: dict[str, list[Any]] = {}
    directed = _lines(cells)  # the lines of each direction, in which words are sought
    marks = []
    lines = []
    for text in words:
        for arrow, covered in _placements(text, directed):
            r, c = covered[0]
            entries = [("cell", *cell) for cell in covered]
            options[f"{text} at {r},{c} {arrow}"] = [text, *zip(entries, text, strict=True)]
            marks.append(tuple(zip(covered, text, strict=True)))
            lines.append(((covered[0], covered[-1]),))
            if len(lines) > MAX_PLACEMENTS:
                raise ValueError(f"the words have more than {MAX_PLACEMENTS:,} placements")
    # In texts, letters that no word covers are in lower case.
    givens = [(cell, letter.lower()) for cell, letter in cells.items() if letter != "."]
    picture = Lines(
        "Word search",
        marks,
        cells=[*cells],
        givens=givens,
        glyphs=[(letter, letter.upper()) for letter in sorted({each for _, each in givens})],
        lines=lines,
        line_style="ovals",
        words=((r"cell,(\d+),(\d+)", r"r\1c\2", r"another letter in r\1c\2"),),
    )
    secondary = [("cell", *cell) for cell in cells]
    formulation = Formulation(options, list(words), secondary, view=picture)
    return Puzzle("Word search", formulation)


def _lines(letter_at: Mapping[Cell, str]) -> list[tuple[str, str, list[Cell]]]:
    """Return each direction, the letters of its lines with spaces between, and their cells."""
    directed = []
    for arrow, (dr, dc) in DIRECTIONS:
        letters: list[str] = []
        cells: list[Cell] = []
        for r, c in letter_at:
            cell = (r, c)
            if (r - dr, c - dc) in letter_at:
                continue  # not the first cell of a line
            while cell in letter_at:
                cells.append(cell)
                letters.append(letter_at[cell])
                cell = cell[0] + dr, cell[1] + dc
            cells.append(cell)
            letters.append(" ")
        directed.append((arrow, "".join(letters), cells))
    return directed


def _placements(
    text: str, lines: Sequence[tuple[str, str, list[Cell]]]
) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the direction and the cells of each placement of a word on cells that allow it."""
    # The last four directions reverse the first four, which are enough for a palindrome; one, to
    # the right, is enough for a single letter.
    different = lines[:4] if text == text[::-1] else lines
    pattern = re.compile(f"(?={''.join(f'[.{re.escape(letter)}]' for letter in text)})")
    for arrow, letters, cells in different if len(text) > 1 else lines[4:5]:
        if "." in letters or text in letters:
            starts = (match.start() for match in pattern.finditer(letters))
            for start in sorted(starts, key=cells.__getitem__):
                yield arrow, cells[start : start + len(text)]
