"""Matrices with titles: a first row, a first column, or both, in the styles of printed tables."""

import re
from typing import NamedTuple

from .notation import COMMENT_MARKS, TextLines
from .table import CELL_VALUES, Line, read_lines

_RULE = re.compile(r"(?=.*[-=])[-+=|: \t]+")  # between rows, as databases print it
_NAME_AND_DIGITS = re.compile(r"\s*([^\s,;:|]+)\s+([01]{2,})\s*")  # as in `S1 0110`
_BAR = re.compile("[:|]")  # after a title, the only one of a line
_PUNCTUATION = re.compile(r"(?<=[0-9])[.)]$|:$")  # after a title, as in `2.`
_BETWEEN = re.compile(r"[\s,;]+")
_CELLS = re.compile(r"[01](?:\s+[01])+")
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")


class TitledMatrix(NamedTuple):
    """The rows of a matrix, and the titles of its rows and columns.

    Attributes
    ----------
    rows
        The cells of each row.
    row_titles, column_titles
        The titles; None if there are none.
    """

    rows: list[Line]
    row_titles: list[str] | None
    column_titles: list[str] | None


def read_titled(text: str, lines: TextLines, *, has_numbers: bool = False) -> TitledMatrix:
    r"""Return a matrix with titles.

    Commas, semicolons, tabs, bars or blanks separate the cells, and nothing need separate digits.
    Rules and blank lines may be between the rows. The first line has the titles of the columns
    unless all of its fields but the first are cells; the first column has those of the rows if
    the first line has one field less, or an empty one, or if the column does not only have cells.

    Parameters
    ----------
    text
        The text.
    lines
        Its lines, for errors.
    has_numbers
        Whether cells may be other numbers than 0 and 1.

    Examples
    --------
    >>> text = "A | B | C | |\n---|---|---|---|\nS1 | 1 | 0 | 0 |\nS2 | 0 | 1 | 1 |\n"
    >>> _, rows, columns = read_titled(text, TextLines(text, ""))
    >>> rows, columns
    (['S1', 'S2'], ['A', 'B', 'C'])
    """
    rows = _split(text, lines)
    if not rows:
        raise ValueError("the matrix is empty")
    first = rows[0].fields
    width = min((len(row.fields) for row in rows[1:]), default=len(first))
    # The first line has titles if it is shorter, or some cell is no number.
    columns: list[str] | None = None
    if first[0] == "" or len(first) < width or not all(map(_is_cell, first[1:] or first)):
        columns = [*first]
        while columns and columns[-1] == "":  # after a separator at the end of the line
            columns.pop()
        rows = rows[1:]
        if not (rows and columns):
            raise ValueError("no titles above rows")
    has_corner = columns is not None and columns[0] == ""
    is_short = columns is not None and len(columns) == width - 1
    # Whether the first column has titles
    is_named = has_corner or is_short or not all(_is_cell(row.fields[0]) for row in rows)
    if columns is None and not is_named:
        raise ValueError("there is neither a row nor a column of titles")
    # Whether the form of the lines decides, rather than only the cells of the first column
    is_explicit = has_corner or is_short or columns is None or not is_named
    sides = [row.fields[0] for row in rows], (columns or [])[1:]
    if has_numbers and not is_explicit and any(all(map(_NUMBER.fullmatch, side)) for side in sides):
        raise ValueError(
            "the first line or column could be titles or numbers of the matrix: leave the "
            "first field empty above titles, or write titles with letters"
        )
    if columns is not None and is_named and not is_short:
        del columns[0]
    n_cells = width - 1 if columns is None else len(columns)
    if not n_cells:
        raise ValueError("there are only titles")
    # The loop sets `lines.number`, which is the line that an error names.
    names = []
    for k, (lines.number, fields) in enumerate(rows):
        if is_named:
            names.append(_PUNCTUATION.sub("", fields.pop(0)))
            if _CELLS.fullmatch(names[-1]):
                raise ValueError(f"is {names[-1]!r} a title? Separate all columns in the same way")
        while len(fields) > n_cells and fields[-1] == "":
            fields.pop()
        if len(fields) != n_cells:
            raise ValueError(f"row {k + 1} has {len(fields)} columns, not {n_cells}")
    return TitledMatrix(rows, names if is_named else None, columns)


def _is_cell(field: str) -> bool:
    return field in CELL_VALUES


def _split(text: str, lines: TextLines) -> list[Line]:
    """Return the fields of each line that is no rule or comment.

    The first of three forms that fits is read: a title, a bar or a colon, and cells; fields
    between bars in all lines; fields between commas, semicolons, tabs or blanks.
    """
    bars = TextLines(text, "", "#")
    written = [(bars.number, line.strip(" \r\n")) for line in bars]  # tabs are around cells
    written = [(number, line) for number, line in written if not _RULE.fullmatch(line)]
    numbers = [number for number, _ in written]
    stripped = [line.strip() for _, line in written]
    fields = _split_labeled([line for _, line in written])
    if fields is None and stripped and all("|" in line for line in stripped):
        # Bars at the start or the end of all lines enclose the table, and separate nothing: `start`
        # and `end`, as 0 or 1, are how many are dropped there.
        start = all(line[0] == "|" for line in stripped)
        end = all(line[-1] == "|" for line in stripped)
        inner = (line[start : len(line) - end] for line in stripped)
        fields = [[part.strip() for part in line.split("|")] for line in inner]
    if fields is not None:
        return [*map(Line, numbers, fields)]
    plain = [(n, line) for n, line in written if not line.startswith(COMMENT_MARKS)]
    if plain and any(mark in plain[0][1] for mark in ",;\t"):
        return read_lines(text, lines)
    rows = [Line(number, _split_at_blanks(line)) for number, line in plain]
    if len(rows) > 1 and [len(word) for word in rows[0].fields] == [len(rows[1].fields)]:
        # A single word with as many letters as the next line has cells: each letter is a title.
        rows[0] = Line(rows[0].number, [*rows[0].fields[0]])
    return rows


def _split_labeled(lines: list[str]) -> list[list[str]] | None:
    """Return the fields of lines with a title before a bar or a colon, and cells after it.

    The first line may have no title, and titles of columns instead of cells. Returns None if other
    lines have another form.
    """
    rows = [_split_label(line) for line in lines]
    are_rows = [len(row) > 2 and all(map(_is_cell, row[1:])) for row in rows]
    is_labeled = len(rows) > 1 and all(row[0] for row in rows[1:]) and all(are_rows[1:])
    return rows if is_labeled and (are_rows[0] or not rows[0][0]) else None


def _split_label(line: str) -> list[str]:
    """Return a title, which may be empty, and the cells after it."""
    title, *cells = _BAR.split(line)
    title = title.rstrip()
    if len(cells) != 1 or any(mark in title for mark in ",;\t"):
        return ["", *_split_cells(line)]
    return [title, *_split_cells(cells[0].lstrip())]


def _split_cells(text: str) -> list[str]:
    """Return cells that are separated, or that are digits without anything between them."""
    cells = _BETWEEN.split(text.strip(" \t,;"))
    return [*cells[0]] if len(cells) == 1 and cells[0].isdigit() else cells


def _split_at_blanks(line: str) -> list[str]:
    """Return the words of a line, and the digits of a row in which nothing separates them."""
    if found := _NAME_AND_DIGITS.fullmatch(line):
        return [found[1], *found[2]]
    words = line.split()
    is_digits = len(words) == 1 and len(words[0]) > 1 and words[0].isdigit()
    return [*words[0]] if is_digits else words
