"""Nonograms: pictures from the lengths of runs of black cells."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, groupby, product
from random import Random
from typing import Any

import numpy as np

from ...cover.encode import Statement
from ...kernels.dlx.supports import MAX_ROWS
from ...kernels.nonogram import BLACK, BOTH, narrow_nonogram
from ...pictures.grid import Grid
from ...runtime.errors import FormatError
from ..puzzle import Puzzle
from .boards import Record, Table, is_stated, parse_lines, parse_records, split_records

formats = "rows and columns, the runs of each column, then of each row; .non; JSON; puzz.link"

DRAWN, DENSITY = (2, 30), 0.6  # of new pictures: their rows; the black cells

MAX_ENTRIES = 2_000_000  # of options that compare the places of successive runs: 2 s to state

Runs = list[list[int]]
WORDS = (
    (r"r(\d+),run,(\d+)", r"run \2 of row \1"),
    (r"c(\d+),run,(\d+)", r"run \2 of column \1"),
    (r"r(\d+),(\d+)", r"r\1c\2 in row \1"),
    (r"c(\d+),(\d+)", r"r\2c\1 in column \1"),
    (r"\w+,later,.*", "the order of runs", "runs are in order, with white between them"),
    (r"r(\d{1,3})\.(\d{1,3})@(\d{1,3})", r"run \2 of row \1 from r\1c\3"),
    (r"c(\d{1,3})\.(\d{1,3})@(\d{1,3})", r"run \2 of column \1 from r\3c\1"),
    (r"r(\d+)-(\d+)", r"white r\1c\2"),
    (r"c(\d+)-(\d+)", r"white r\2c\1"),
)

LINK = re.compile(r"\s*https?://\S*[?/]nonogram/([0-9]{1,3})/([0-9]{1,3})/([0-9a-z.-]*)/?\s*")
NAME = r"(?:(?P<row>row|hor)|col|ver)(?:s|umns?|izontal|tical)?_?(?:clues|hints|runs)?"
# Of lists, tuples or texts of runs, as in JSON and Python
LISTS = re.compile(rf"(?i)\b{NAME}[\"']?\s*[:=]\s*(?P<list>[\[(]\s*[\[(\"'][][()0-9,\s\"']*[])])")
RUNS = r"(?:[0-9][a-z]?|[, \t\r])*"  # a letter is a color
SECTION = re.compile(rf"(?im)^(rows|columns)[ \t\r]*(?::[ \t\r]*)?\n(?={RUNS}$)")  # unlike MPS
XML = re.compile(  # of webpbn
    r"<clues\s+type=[\"'](rows|columns)[\"']\s*>([^<]*(?:<(?!/?clues)[^<]*)*)</clues>"
)
# Rows first, as only a line between rows and columns states
MK = re.compile(
    r"\s*([0-9]{1,3})[ \t]+([0-9]{1,3})[ \t\r]*\n((?:[0-9 \t\r]*\n)+)#[ \t\r]*\n(?=[0-9 \t])"
)
# The same with the sizes on two lines, and a blank line between rows and columns
CWD = re.compile(
    r"\s*([0-9]{1,3})[ \t\r]*\n([0-9]{1,3})[ \t\r]*\n((?:[0-9][0-9 \t\r]*\n)+)[ \t\r]*\n(?=[0-9])"
)
DIVIDER = re.compile(r"(?m)^=+[ \t\r]*$")  # between the puzzles of a file
SIZES = {"rows": "height", "columns": "width"}  # the name of the length of each section


def recognize(head: str) -> bool:
    """Return whether a text starts like a nonogram."""
    lists = {bool(name) for name, _ in LISTS.findall(head)} if '"puzzle"' not in head else ()
    has_sections = {*SIZES} == {name.lower() for name in SECTION.findall(head)}
    is_other = LINK.match(head) or len(lists) == 2 or has_sections or MK.match(head)
    is_other = is_other or re.search(r"<clues\s+type=", head)
    return bool(is_other) or is_stated(_with_names_of_sizes(head), ("Nonogram",), _layout)


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text."""
    return parse_records(text, source, _state, _records)


def _records(text: str, source: str) -> Iterator[Record | FormatError]:
    """Yield the puzzles of a text, in the form that begins with the numbers of rows and columns."""
    if LINK.match(text):
        is_one = len(text.split()) == 1
        yield from parse_lines(text, source, lambda x, at: _decode(x, source if is_one else at))
        return
    if XML.search(text):
        puzzles = re.split(r"<puzzle\b", text)[1:]
        for number, puzzle in enumerate(puzzles, 1):
            yield _read_xml(puzzle, f"{source}, {number}" if len(puzzles) > 1 else source)
        return
    text = _with_names_of_sizes(text)
    lists = [(bool(found["row"]), found["list"]) for found in LISTS.finditer(text)]
    # Only programs, which are not JSON, have these lists.
    with suppress(ValueError, RecursionError):
        json.loads(text)
        lists = []
    for k in range(0, len(lists), 2):
        if len(pair := dict(lists[k : k + 2])) < 2:
            raise FormatError(source, 1, "lists of rows and of columns do not alternate")
        place = f"{source}, {k // 2 + 1}" if len(lists) > 2 else source
        try:
            yield _as_record(place, _parse_list(pair[True]), _parse_list(pair[False]))
        except (ValueError, RecursionError):
            yield FormatError(place, 1, "the lists of rows and of columns are malformed")
    parts = DIVIDER.split(text) if SECTION.search(text) and not lists else []
    for number, part in enumerate(parts, 1):
        if part.strip():
            yield _read_sections(part, f"{source}, {number}" if len(parts) > 1 else source)
    if not (lists or parts):
        yield from split_records(text, source, _read_lists)


def _with_names_of_sizes(text: str) -> str:
    """Return a `.mk` or `.cwd` file as a text that names its sizes, which has rows first."""
    if (found := MK.match(text) or CWD.match(text)) is None:
        return text
    return f"height {found[1]} width {found[2]}\n{found[3]}{text[found.end() :]}"


def _parse_list(text: str) -> Any:
    """Return a list of lists, tuples or texts, as Python writes it."""
    brackets = text.translate(str.maketrans("()'", '[]"'))
    return json.loads(re.sub(r",\s*]", "]", brackets))


def _read_lists(level: dict[str, Any]) -> dict[str, Any]:
    """Return the texts of a record with lists of runs, which may be in an object in it."""
    found = []
    for part in (level, *(each for each in level.values() if isinstance(each, dict))):
        matches = ((re.fullmatch(f"(?i){NAME}", key), each) for key, each in part.items())
        lists = {
            bool(name["row"]): each for name, each in matches if name and isinstance(each, list)
        }
        found += [lists] if len(lists) == 2 else []
    if len(found) != 1:
        raise KeyError("one list of rows, and one of columns")
    return {"problem": _as_record("", found[0][True], found[0][False]).text}


def _read_sections(text: str, place: str) -> Record:
    """Return the puzzle of a `.non` file, in which the last lines may be blank, and its goal."""
    _, *parts = SECTION.split(text)
    found, missing = dict[str, Runs](), list[str]()
    for name, part in zip(map(str.lower, parts[::2]), parts[1::2], strict=True):
        if name in found:
            raise FormatError(place, 1, f"{name} are stated twice; divide puzzles by ====")
        matched: Any = re.match(rf"(?:{RUNS}\n)*", part.rstrip() + "\n")
        if re.search("[a-z]", matched[0]):
            raise FormatError(place, 1, f"the {name} have colors, which are not supported")
        lines = matched[0].rstrip("\n").split("\n")
        stated = re.search(rf"(?im)^{SIZES[name]}[ \t]+([0-9]{{1,3}})[ \t\r]*$", text)
        n_stated, n_given = int(stated[1]) if stated else 0, len(part.splitlines())
        if n_given < n_stated:
            missing.append(f"{n_given} {name}, but {SIZES[name]} {n_stated}")
        lines += [""] * (n_stated - len(lines))
        found[name] = [[int(run) for run in re.findall("[0-9]+", line)] for line in lines]
    if missing and len({sum(map(sum, each)) for each in found.values()}) > 1:
        raise FormatError(place, 1, missing[0])
    goal = re.search(r'(?m)^goal[ \t]+"?([01]+)\b', text)
    return _with_goal(place, found, goal[1] if goal else "", "01")


def _read_xml(text: str, place: str) -> Record:
    """Return the puzzle of an XML file of webpbn, and its goal."""
    found = dict[str, Runs]()
    for name, clues in XML.findall(text):
        runs = r"<count(?:\s+color=[\"']([^\"']*)[\"'])?\s*>\s*([0-9]{1,3})\s*</count>"
        lines = [
            re.findall(runs, line)
            for line in re.findall(r"<line\s*/>|<line\s*>(?:(?!<line)[\s\S])*?</line>", clues)
        ]
        if {color for line in lines for color, _ in line} - {"", "black"}:
            raise FormatError(place, 1, f"the {name} have colors, which are not supported")
        found[name] = [[int(run) for _, run in line] for line in lines]
    goal = re.search(r"<solution[^>]*>\s*<image>([^<]*)</image>", text)
    return _with_goal(place, found, re.sub(r"[|\s]", "", goal[1]) if goal else "", ".X")


def _with_goal(place: str, found: dict[str, Runs], goal: str, symbols: str) -> Record:
    """Return the puzzle of the sections of a file, whose goal has symbols for white and black."""
    if found.keys() != SIZES.keys():
        raise FormatError(place, 1, "expected rows and columns")
    answer = goal.translate(str.maketrans(symbols, "-x"))
    return _as_record(place, found["rows"], found["columns"])._replace(answer=answer)


def _as_record(place: str, rows: Runs, columns: Runs) -> Record:
    """Return the text of a puzzle."""
    every: Any = (
        line if isinstance(line, list) else [str(line).replace(",", " ")]
        for line in [*rows, *columns]
    )
    lines = (" ".join(map(str, line)) or "0" for line in every)
    return Record(place, "\n".join([f"height {len(rows)} width {len(columns)}", *lines]))


def _decode(text: str, place: str) -> Record:
    """Return the puzzle of a link, which has the runs of columns first.

    Each line has a number of places, those next to the board first. A letter from g skips places.
    """
    if (link := LINK.fullmatch(text)) is None:
        raise ValueError("not a link to a nonogram")
    (width, height), body = map(int, link.groups()[:2]), link[3]
    places: list[int] = []
    for number, wide, skip in re.findall("([0-9a-f])|-([0-9a-f]{2})|([g-z.-])", body):
        if skip in ("-", "."):
            raise ValueError("a number in the link is unknown or malformed")
        places += [0] * (int(skip, 36) - 15) if skip else [int(number or wide, 16)]
    lines, start = list[list[int]](), 0
    for n_places in [(height + 1) // 2] * width + [(width + 1) // 2] * height:
        lines.append([run for run in places[start : start + n_places][::-1] if run])
        start += n_places
    return _as_record(place, lines[width:], lines[:width])


def _layout(table: Table) -> tuple[Runs, Runs]:
    """Return the runs of each row and column.

    Those of columns come first, as in the collection, unless only rows first fit the sums, or the
    first line names the numbers, as in `height 3 width 4`. In `.nin` files, that line has the width
    and the height, and rows come first.
    """
    words = table.words(1, "height|width|[0-9]{1,3}", "a number")
    is_named = words[::2] == ["height", "width"]
    height, width = map(int, words[1::2]) if is_named and len(words) == 4 else table.size()
    if table.place.lower().endswith(".nin"):
        height, width, is_named = width, height, True
    if len(table) != 1 + height + width:
        raise table.error(1, f"{len(table) - 1} lines of runs instead of {height} + {width}")
    lines = [[run for run in table.numbers(k) if run] for k in range(2, len(table) + 1)]
    columns_first, rows_first = (lines[width:], lines[:width]), (lines[:height], lines[height:])
    reasons = list[str]()
    for rows, columns in [rows_first] if is_named else [columns_first, rows_first]:
        lengths = [(width, sum(each) + len(each) - 1) for each in rows]
        lengths += [(height, sum(each) + len(each) - 1) for each in columns]
        n_black = [sum(map(sum, each)) for each in (rows, columns)]
        too_long = [f"runs of {n} in {size} cells" for size, n in lengths if n > size]
        if n_black[0] == n_black[1] and not too_long:
            return rows, columns
        sums = f"{n_black[0]} black cells in rows, {n_black[1]} in columns"
        reasons.append(sums if n_black[0] != n_black[1] else too_long[0])
    reason = "the runs of rows and of columns do not fit each other"
    raise table.error(1, f"{reason}: {reasons[0]}")


def _state(table: Table, is_whole: bool = False) -> Puzzle:
    """Return a puzzle, without options that are in no solution, if a short search finds them.

    A whole statement has all places of each run.

    The search of the others branches on the cells near one corner first, so that it compares lines
    that cross.
    """
    rows, columns = _layout(table)
    every = tuple(product(range(1, len(rows) + 1), range(1, len(columns) + 1)))
    left, top = (tuple(" ".join(map(str, runs)) for runs in lines) for lines in (rows, columns))
    look: Any = {"style": "blocks", "blank": "-", "words": WORDS}
    picture = Grid("Nonogram", (), every, margins=(left, top), **look)
    whole = partial(_state, table, True)
    lengths = [*((len(columns), runs) for runs in rows), *((len(rows), runs) for runs in columns)]
    narrowed = (
        (np.full((len(rows), len(columns)), BOTH), [_all_starts(*each) for each in lengths])
        if is_whole
        else narrow_nonogram(rows, columns)
    )
    if narrowed is None:
        statement = Statement([], ["contradiction"], view=picture)
        return Puzzle("Nonogram", statement, _whole=whole)
    values, starts = narrowed
    n_entries = sum(len(own) ** 2 for line in starts for own in line)
    if n_entries > MAX_ENTRIES:
        reason = f"the places of the runs need more than {MAX_ENTRIES:,} entries in options"
        raise table.error(1, reason)
    options, marks = dict[str, list[Any]](), list[Any]()
    cell_items, run_items, n_pairs = dict[Any, int](), list[Any](), 0
    lines = [("r", *each) for each in enumerate(zip(rows, values.tolist(), strict=True), 1)]
    lines += [("c", *each) for each in enumerate(zip(columns, values.T.tolist(), strict=True), 1)]
    for (letter, number, (runs, line)), each in zip(lines, starts, strict=True):
        places = range(1, len(line) + 1)
        cells = [(number, place) if letter == "r" else (place, number) for place in places]
        name, written = f"{letter}{number}", [(cell, "x") for cell in cells]
        run_items += [(name, "run", k) for k in range(1, len(runs) + 1)]
        for option, covered, start, end in _line_options(name, runs, each, line, cells):
            options[option] = covered
            n_primary = 1 + end - start
            n_pairs += n_primary * max(0, len(covered) - n_primary)
            marks.append(tuple(written[start:end]))
        for place, value in enumerate(line if BOTH in line else ()):
            if value & BLACK:
                cell_items[name, place + 1] = sum(cells[place])
    entries = (entry for covered in options.values() for entry in covered)
    secondary = dict.fromkeys(entry[0] for entry in entries if isinstance(entry[0], tuple))
    items = [*sorted(cell_items, key=cell_items.__getitem__), *run_items]
    picture = replace(picture, marks=tuple(marks))
    statement = Statement(options, items, list(secondary), view=picture)
    # At most half of the possible pairs, because preparing them delays the first solution.
    settings = {"consistency": "colors"} if n_pairs <= MAX_ROWS // 2 else {}
    return Puzzle("Nonogram", statement, settings=settings, _whole=whole)


def _all_starts(length: int, runs: list[int]) -> Runs:
    """Return the places where each run of a line of this length may start, from 0.

    >>> _all_starts(5, [1, 2])
    [[0, 1], [2, 3]]
    """
    first = accumulate((run + 1 for run in runs), initial=0)
    n_places = length - sum(runs) - len(runs) + 2
    return [[*range(start, start + n_places)] for start, _ in zip(first, runs, strict=False)]


def _line_options(
    name: str, runs: list[int], starts: Runs, line: list[int], cells: list[tuple[int, int]]
) -> Iterator[tuple[str, list[Any], int, int]]:
    """Yield the name and items of each option of a line, and the first and last of its black cells.

    An option is a run, or a white cell. For two successive runs, an item for each start of the
    second one states whether that starts later.
    """
    if BOTH not in line:
        for k, (run, [start]) in enumerate(zip(runs, starts, strict=True), 1):
            yield f"{name}.{k}@{start + 1}", [(name, "run", k)], start, start + run
        return
    black, white = (
        [
            [(("cell", *cell), shade)] * (value == BOTH)
            for value, cell in zip(line, cells, strict=True)
        ]
        for shade in ("black", "white")
    )
    items = [(name, place) for place in range(1, len(line) + 1)]
    earlier, later = (
        [[((name, "later", k, start), answer) for start in own] for k, own in enumerate(starts)]
        for answer in ("no", "yes")
    )
    for k, (run, own) in enumerate(zip(runs, starts, strict=True)):
        for place, start in enumerate(own):
            end = start + run
            covered: list[Any] = [(name, "run", k + 1)]
            covered += items[start:end]
            covered += chain(*black[start:end], *white[end : end + 1])
            covered += chain(*white[max(start - 1, 0) : start])
            if k + 1 < len(runs):
                covered += later[k + 1][: bisect_right(starts[k + 1], end)]
            if k:
                covered += later[k][:place] + earlier[k][place:]
            yield f"{name}.{k + 1}@{start + 1}", covered, start, end
    for place, value in enumerate(line):
        if value == BOTH:
            yield f"{name}-{place + 1}", [items[place], *white[place]], place, place


def example() -> Puzzle:
    """Find a picture from the lengths of its runs of black cells.

    Items: each run; each cell, once for its row and once for its column.
    Secondary items: each cell, whose color is black or white; for two successive runs, each start
    of the second one, whose color is whether it starts later.
    Options: a run in a place; a white cell in a row or a column.

    Notes
    -----
    A short search of lines and cells leaves out options that are in no solution. Lines that are
    thus known have runs only.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    ▄█▄█▄
    ▀███▀
      ▀
    """
    return _state(Table(Record("example", "5 5\n2\n4\n4\n4\n2\n1 1\n5\n5\n3\n1")))


def random(seed: int, size: int) -> str:
    """Return the text of the nonogram of a random picture, which may have several solutions.

    >>> len(random(1, 5).splitlines())
    11
    """
    generator = Random(seed)
    cells = [[generator.random() < DENSITY for _ in range(size)] for _ in range(size)]
    lines = (
        " ".join(str(len([*run])) for is_black, run in groupby(line) if is_black) or "0"
        for line in (*cells, *zip(*cells, strict=True))
    )
    return "\n".join([f"height {size} width {size}", *lines, ""])
