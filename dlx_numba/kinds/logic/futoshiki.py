"""Futoshiki: Latin squares with inequality signs between neighboring cells."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, product, zip_longest
from math import isqrt
from string import ascii_uppercase

from ...cover.encode import Statement
from ...pictures.grid import Grid
from ...runtime.errors import FormatError
from ..puzzle import Puzzle

formats = (
    "rows of numbers, and . or 0 or _, with < and > between them, and ^ and v below them; "
    "or the number of rows, rows, and lists of signs or pairs"
)

MOST = 25  # rows
CELL = re.compile(r"(?:\.|[1-9][0-9]?)")
ROW = re.compile(rf"\s*{CELL.pattern}(?:(?:\s+|\s*[<>]\s*){CELL.pattern}){{1,{MOST - 1}}}\s*")
SIGNS = re.compile(r"\s*[\^v][\s^v]*")
PLAIN = str.maketrans("_V∧∨", ".v^v")  # other symbols of drawings
ZERO = re.compile("(?<![0-9])0(?![0-9])")  # for an empty cell
# Lines of n cells and n - 1 signs, and of n signs, where each symbol has its column
OPEN_ROW = re.compile("(?:[1-9 ][<> ])*[1-9 ]")
OPEN_SIGNS = re.compile("(?:[\\^v∧∨ ] )*[\\^v∧∨ ]")
SIZE = re.compile(r"\s*(?:[2-9]|1[0-9]|2[0-5])\s*")  # a line before a board without signs
PAIRS = "START:", "REL:"  # before the board, and before pairs of cells
PUZZLE = ". . . < . 3/^ v/. . . . ./v/. . . . ./  v/. . . 4 ./. > . > . . 1"


def recognize(head: str) -> bool:
    """Return whether the first puzzle is a drawing of rows and signs, or lists."""
    first = re.split("(?m)^---", head)[0]
    lists = [_words(line) for line in first.splitlines() if line.strip()]
    if lists and SIZE.fullmatch(" ".join(lists[0])):
        n = int(" ".join(lists[0]))
        return _are_lists(lists[1:], n) or all([part] in lists for part in PAIRS)
    if lists and _are_lists(lists, len(lists[0])):
        return not {"<", ">", "^", "v"}.isdisjoint(chain(*lists))
    drawing = [line for _, line in _with_dots(list(enumerate(_plain(first).splitlines())))]
    rows = [line for line in drawing if line.strip() and not SIGNS.fullmatch(line)]
    return (
        len(rows) > 1
        and all(map(ROW.fullmatch, rows))
        and bool(re.search("[<>^v]", "".join(drawing)))
    )


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text, with a line `---` between two.

    Blank lines mean nothing, unless empty cells are blanks.
    """
    lines = ((number, line.expandtabs()) for number, line in enumerate(text.splitlines(), 1))
    for is_rule, group in groupby(lines, key=lambda line: line[1].startswith("---")):
        drawing = [line for line in _with_dots(list(group)) if line[1].strip()]
        if drawing and not is_rule:
            try:
                yield _state(drawing, source, f"{source}:{drawing[0][0]}")
            except FormatError as error:
                yield error


def example(puzzle: str = PUZZLE) -> Puzzle:
    """Fill a Latin square so that all inequality signs are true (Futoshiki).

    Items: each cell; each number in each row; each number in each column.
    Secondary items: each number k at each sign a < b.
    Options: a number in a cell covers the cell, and the number in its row and in its column. At a
    sign, it covers all smaller k if it is in a, and itself and all larger k if it is in b. So the
    number in a does not exceed that in b.

    Parameters
    ----------
    puzzle
        The lines of a drawing, with `/` between them. `^` and `v` are directly below a cell.

    >>> print((two := example(". < ./^/.   .")).text(two.first()))
    1 < 2
    ^
    2   1
    """
    lines = enumerate(puzzle.split("/"), 1)
    return _state([line for line in lines if line[1].strip()], "puzzle")


def _state(drawing: Iterable[tuple[int, str]], source: str, place: str = "") -> Puzzle:
    """Return the puzzle in numbered lines. Raises FormatError if they are not a puzzle."""
    lines = list(drawing)
    lists = [_words(line) for _, line in lines]
    if lists and _are_lists(lists, len(lists[0])):
        lines.insert(0, (lines[0][0], str(len(lists[0]))))
    read = _read_lists if lines and SIZE.fullmatch(lines[0][1]) else _read
    givens, less = read(lines, source)
    numbers = range(1, isqrt(len(givens)) + 1)
    cells = list(product(numbers, repeat=2))
    names = [f"r{r}c{c}" for r, c in cells]
    signs = [(f"{names[a]}<{names[b]}", a, b) for a, b in less]
    options, marks = dict[str, list[object]](), []
    for (k, (r, c)), v in product(enumerate(cells), numbers):
        if givens[k] in (".", str(v)):
            placed = [("cell", r, c), ("row", r, v), ("column", c, v)]
            above = [(sign, t) for sign, a, _ in signs if a == k for t in range(1, v)]
            below = [(sign, t) for sign, _, b in signs if b == k for t in range(v, len(numbers))]
            options[f"{names[k]}={v}"] = [*placed, *above, *below]
            marks.append((((r, c), str(v)),))
    items = [*(("cell", *cell) for cell in cells), *product(("row", "column"), numbers, numbers)]
    secondary = list(product((sign for sign, _, _ in signs), numbers[:-1]))
    picture = Grid(
        "Futoshiki",
        tuple(marks),
        givens=tuple(mark for mark in zip(cells, givens, strict=True) if mark[1] != "."),
        rules=(("less_than", tuple(less)),),
        box=(1, len(numbers)),
        words=((r"(\w+)<(\w+),(\d)", r"either \1 > \3 or \2 ≤ \3", r"\1 < \2"),),
    )
    statement = Statement(options, items, secondary, view=picture)
    return Puzzle("Futoshiki", statement, place=place)


def _read(
    drawing: Iterable[tuple[int, str]], source: str
) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the given of each cell or `.`, and the pairs of cells whose first one is smaller."""
    givens, less, starts, number, n = list[str](), list[tuple[int, int]](), list[int](), 1, 0
    for number, written in drawing:
        line = _plain(written)
        is_row = not SIGNS.fullmatch(line)
        if is_row:
            row = CELL.findall(line)
            starts = [cell.start() for cell in CELL.finditer(line)]
            below = {k for cell in CELL.finditer(line) for k in range(*cell.span())}
            givens, n = givens + row, n or min(max(2, len(row)), MOST)
            is_small = all(word == "." or int(word) <= n for word in row)
            if not ROW.fullmatch(line) or len(row) != n or not is_small:
                cells = f"{n} cells, dots or numbers up to {n}, with <, > or spaces between them"
                raise FormatError(source, number, f"a row must have {cells}")
        for sign in re.finditer("[<>^v]", line):
            if not is_row and not (starts and sign.start() in below):
                raise FormatError(source, number, f"{sign[0]!r} is not directly below a cell")
            cell = len(givens) - n + bisect(starts, sign.start()) - 1
            pair = (cell, cell + (1 if is_row else n))
            less.append(pair if sign[0] in "<^" else pair[::-1])
        starts = starts if is_row else []  # no signs below signs, or at the end
    if len(givens) != n * n or not starts:
        raise FormatError(source, number, f"the last line must be row {n} of {n}")
    return givens, less


def _plain(drawing: str) -> str:
    """Return a drawing with only one symbol for each meaning."""
    return ZERO.sub(".", drawing.translate(PLAIN))


def _with_dots(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return numbered lines, with dots for empty cells if these are blanks.

    >>> _with_dots([(1, " < "), (2, "^"), (3, "2")])
    [(1, '.<.'), (2, '^  '), (3, '2 .')]
    """
    filled = [k for k, (_, text) in enumerate(lines) if text]
    drawing = lines[filled[0] : filled[-1] + 1] if filled else []
    width = len(drawing)  # n cells, and n - 1 signs between them
    if width not in range(3, 18, 2) or width != max(len(text) for _, text in drawing):
        return lines
    texts = [text.ljust(width) for _, text in drawing]
    if not all(map(OPEN_ROW.fullmatch, texts[::2])) or not all(
        map(OPEN_SIGNS.fullmatch, texts[1::2])
    ):
        return lines
    for k in range(0, width, 2):
        cells = texts[k][::2].replace(" ", ".")
        texts[k] = "".join(map("".join, zip_longest(cells, texts[k][1::2], fillvalue="")))
    return [(number, text) for (number, _), text in zip(drawing, texts, strict=True)]


def _are_lists(lists: list[list[str]], n: int) -> bool:
    """Return whether there are as many words as `_read_lists` expects after the size n."""
    return [*map(len, lists)] == [n] * n + [n - 1] * n + [n] * (n - 1)


def _words(line: str) -> list[str]:
    return re.split(r"\s*[,;]\s*|\s+", line.strip())


def _read_lists(
    lines: list[tuple[int, str]], source: str
) -> tuple[list[str], list[tuple[int, int]]]:
    """Return what `_read` returns, for a board with 0 for empty cells after its number n of rows.

    Then follow n rows of signs between cells, and n - 1 rows of signs below cells: 1, `<` or `^` if
    the first cell is smaller, -1, `>` or `v` if it is larger. Or `START:` precedes the board, and
    `REL:` pairs of cells such as `A1;A2`, of which the first one is smaller.
    """
    (last, first), *others = lines
    n, rows = int(first), [(number, _words(line)) for number, line in others]

    def take(length: int, width: int, pattern: str, expected: str) -> list[str]:
        """Remove the next rows, and return their words."""
        nonlocal last
        taken, rows[:length] = rows[:length], []
        for last, words in taken:
            if len(words) != width or not all(re.fullmatch(pattern, word) for word in words):
                raise FormatError(source, last, f"expected {expected}")
        if len(taken) < length:
            raise FormatError(source, last, f"the text ends; expected {expected}")
        return [word for _, words in taken for word in words]

    is_paired = rows[:1] and rows[0][1] == [PAIRS[0]]
    if is_paired:
        take(1, 1, PAIRS[0], PAIRS[0])
    known = "|".join(map(str, range(n + 1)))
    numbers = take(n, n, known, f"{n} numbers up to {n}, or 0")
    givens = ["." if number == "0" else number for number in numbers]
    if is_paired:
        take(1, 1, PAIRS[1], PAIRS[1])
        letters = ascii_uppercase[:n]
        less = []
        for number, _ in list(rows):
            pair = take(1, 2, f"[{letters}](?:{known[2:]})", "two cells, such as A1;A2")
            (r, c), (i, j) = [(letters.index(cell[0]), int(cell[1:]) - 1) for cell in pair]
            if abs(r - i) + abs(c - j) != 1:
                raise FormatError(source, number, f"{pair[0]} and {pair[1]} are not adjacent")
            less.append((r * n + c, i * n + j))
        return givens, less
    cells = range(n * n)
    pairs = [(k, k + 1) for k in cells if k % n < n - 1]
    pairs += zip(cells, cells[n:], strict=False)
    signs = take(n, n - 1, "-?1|0|[<>]", f"{n - 1} signs, -1, 0 or 1")
    signs += take(n - 1, n, "-?1|0|[v^]", f"{n} signs, -1, 0 or 1")
    if rows:
        raise FormatError(source, rows[0][0], f"there are more than {n - 1} rows of {n} signs")
    stated = zip(pairs, signs, strict=True)
    return givens, [pair if sign in "1<^" else pair[::-1] for pair, sign in stated if sign != "0"]
