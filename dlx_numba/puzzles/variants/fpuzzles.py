"""The JSON objects of f-puzzles and SudokuPad, and the links that contain them compressed.

An object lists constraints by name. Those that `SudokuRules` cannot express are errors: a puzzle is
never solved without some of its constraints.
"""

import json
import math
import re
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any
from urllib.parse import unquote

from ...runtime.batched import batched
from ...runtime.json import fits
from ...sudoku.box import SIDES, Box
from ...sudoku.io.table import is_constraint, is_remark
from .compressed import decompress, expand
from .constraints import CELLS

_FLAGS = "anti_knight", "anti_king", "non_consecutive", "disjoint_groups"
FLAGS = {rule.replace("_", ""): rule for rule in _FLAGS}
PAIRS = {"difference": ("differences", 1), "ratio": ("ratios", 2)}  # with the default number
XV = {"X": 10, "V": 5}
NEGATIVE = {"difference": "differences", "ratio": "ratios", "xv": "sums"}
_LINES = (
    *("thermometers", "slow_thermometers", "renban", "palindromes", "between_lines", "lockouts"),
    *("region_sum_lines", "entropic_lines", "zipper_lines", "parity_lines"),
)
LINES = {rule.replace("_", "").removesuffix("s"): rule for rule in _LINES}
LINES["whispers"] = "whispers"
CLUES = {
    "sandwichsum": "sandwiches",
    "xsum": "x_sums",
    "skyscraper": "skyscrapers",
    "numberedroom": "numbered_rooms",
    "numberedrooms": "numbered_rooms",
}
INDEXERS = {"rowindexer": "row", "columnindexer": "column", "boxindexer": "box"}
OTHERS = {"size", "grid", "diagonal+", "diagonal-", "negative"}
# What does not restrict the values
COSMETIC = {
    *("title", "author", "ruleset", "solution", "successMessage", "metadata", "highlightConflicts"),
    *("text", "circle", "rectangle", "line", "cage", "disabledlogic", "truecandidatesoptions"),
    *("id", "foglight", "fogofwar", "fog"),
}
FOG = "fog is ignored, because it does not restrict the values"
NOTICES = {
    "line": "lines of f-puzzles restrict no values: they are cosmetic",  # often drawn for a rule
    **dict.fromkeys(("foglight", "fogofwar", "fog"), FOG),
}
LOOPS = ("whispers", "parityline", "renban")  # lines that may be closed
CELL_FIELDS = {"value", "given", "region", "parity"}
ENTRY_FIELDS = {"cell", "cells", "lines", "value", "values", "cloneCells", "direction"}
COSMETIC_CELL_FIELDS = {"c", "cArray", "highlight", "centerPencilMarks", "cornerPencilMarks"}

NO_VALUE = None, ""

MAX_LINK_LENGTH = 1 << 16
MAX_CONTENT_LENGTH = 1 << 20

_CELL = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})")
_URL = r"https?://(?:(?!N4Ig|sclN4)\S)*[/=]"  # up to the first place where a puzzle may start
_LINK = re.compile(rf"(?:{_URL})?(?:(?:fpuzzles|fpuz)?(?=N4Ig)|(scl)(?=N4))([A-Za-z0-9+/=%_ -]+)")
_HOST = r"(?:\w+\.)?(?:sudokupad\.(?:app|com)|crackingthecryptic\.com|f-puzzles\.com|tinyurl\.com)"
_SHORT_LINK = re.compile(rf"https?://{_HOST}/\S*")


def is_link(text: str) -> bool:
    """Return whether a text is a link to a puzzle, or the compressed string of one.

    Examples
    --------
    >>> is_link("https://sudokupad.app/abc123"), is_link("https://example.com/abc123")
    (True, False)
    """
    return any(each.fullmatch(text.strip()) is not None for each in (_LINK, _SHORT_LINK))


def decompress_link(text: str) -> str:
    """Return the JSON object in a link. Raises ValueError if it is damaged."""
    if len(text) > MAX_LINK_LENGTH:
        raise ValueError(f"the link is longer than {MAX_LINK_LENGTH:,} characters")
    match = _LINK.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            "the link does not contain the puzzle, only its name on a server, which is not asked: "
            "save the puzzle as JSON, or export it to f-puzzles and copy the long link"
        )
    text = decompress(unquote(match[2]).replace(" ", "+"), MAX_CONTENT_LENGTH)
    return text if match[1] is None else expand(text)


def parse_fpuzzles(found: dict[str, Any]) -> tuple[dict[str, Any], Box, list[int]]:
    """Return the arguments of `SudokuRules`, the box, and the values, 0 for an empty cell.

    Raises ValueError if the puzzle has constraints that are not supported, or is not valid.
    """
    grid = _cells(found["grid"], found.get("size"))
    # A mapping keeps their order, and each only once.
    for notice in {NOTICES[name]: 1 for name in NOTICES if found.get(name)}:
        warnings.warn(notice, stacklevel=2)
    if unknown := _unsupported(found, grid):
        raise ValueError(f"constraints that are not supported: {', '.join(unknown)}")
    n = math.isqrt(len(grid))
    rules: dict[str, Any] = {rule: True for name, rule in FLAGS.items() if found.get(name)}
    for name, (rule, read) in _readers(n).items():
        entries = rules.setdefault(rule, [])
        for each in found.get(name) or []:
            entries += read(each)
    for k, cell in enumerate(grid):
        if parity := cell.get("parity"):
            rules[{"Odd": "odd", "Even": "even"}[parity]].append(k)
    rules["negative"] = [NEGATIVE[name] for name in found.get("negative") or []]
    # The cells of the antidiagonal, which begins at the upper right, and of the main diagonal
    diagonals = {"diagonal+": range(n - 1, n * n - 1, n - 1), "diagonal-": range(0, n * n, n + 1)}
    drawn = [[*cells] for name, cells in diagonals.items() if found.get(name)]
    rules["diagonals"] = len(drawn) == 2
    if len(drawn) == 1:  # which is an extra region
        rules["extra_regions"] += drawn
    # A value that is not given was entered by a solver.
    values = [read_integer(cell.get("value") or 0) if cell.get("given") else 0 for cell in grid]
    boxes = _boxes(board_box(n))
    regions = [cell.get("region", boxes[k]) for k, cell in enumerate(grid)]
    own_regions, box = find_boxes(regions, n)
    return {**rules, "regions": own_regions}, box, values


def _unsupported(found: dict[str, Any], grid: list[dict[str, Any]]) -> list[str]:
    """Return the names of the constraints that would be ignored."""
    readers = _readers(len(grid))
    known = {*FLAGS, *readers, *OTHERS, *COSMETIC}
    names = [name for name, value in found.items() if value and name not in known]
    for name in readers:
        for each in found.get(name) or []:
            names += [f"{field} of {name}" for field in unknown_fields(each, ENTRY_FIELDS)]
    names += [f"negative {name}" for name in found.get("negative") or [] if name not in NEGATIVE]
    in_cells = {name for cell in grid for name, value in cell.items() if value}
    return names + sorted(in_cells - CELL_FIELDS - COSMETIC_CELL_FIELDS)


def unknown_fields(found: dict[str, Any], known: Container[str]) -> list[str]:
    """Return the unknown fields of an object that may be constraints, which would be ignored."""
    return [
        name
        for name, value in found.items()
        if value and name not in known and (is_constraint(name) or not is_remark(value))
    ]


def _readers(n: int) -> dict[str, tuple[str, Callable[[Any], Iterable[Any]]]]:
    """Return how the lists in an f-puzzles object are read, by the name of the list.

    Each value is a pair: the parameter of `SudokuRules` that the list becomes, and a function that
    returns the entries of this parameter for an element of the list: none for an element that is
    only drawn, several for one with several lines or cells. The board has n x n cells.
    """

    def cells(each: Any) -> list[int]:
        return _numbers(each["cells"], n)

    def pair(each: Any, default: int) -> list[Any]:
        return [(*cells(each), _number(each, default))]

    def xv(each: Any) -> list[Any]:
        mark = str(each.get("value") or "").upper()  # without a value, the entry is only drawn
        if mark and mark not in XV:
            raise ValueError(f"xv: expected X or V, not {mark!r}")
        return [(*cells(each), XV[mark])] if mark else []

    def lines(each: Any, name: str) -> list[Any]:
        # A closed line becomes two. Whispers have a number.
        parts = [part for line in each["lines"] for part in _opened(name, _numbers(line, n))]
        return [(_number(each), part) for part in parts] if name == "whispers" else parts

    def places(each: Any) -> list[int]:
        return _numbers([each["cell"]] if "cell" in each else each["cells"], n)

    def clue(each: Any) -> list[Any]:
        value = each.get("value")
        return [] if value in NO_VALUE else [(read_integer(value), _seen(each["cell"], n))]

    def clones(each: Any) -> list[Any]:
        pairs = zip(cells(each), _numbers(each["cloneCells"], n), strict=True)
        return [(first, second) for first, second in pairs if first != second]

    def indexed(each: Any, kind: str) -> list[Any]:
        return [(kind, cells(each))]

    def total(each: Any) -> list[Any]:
        return [(_number(each), cells(each))]

    return {
        **{name: (rule, partial(pair, default=k)) for name, (rule, k) in PAIRS.items()},
        **{name: (rule, partial(lines, name=name)) for name, rule in LINES.items()},
        **{name: (name, places) for name in CELLS},
        **{name: (rule, clue) for name, rule in CLUES.items()},
        **{name: ("indexers", partial(indexed, kind=kind)) for name, kind in INDEXERS.items()},
        "xv": ("sums", xv),
        "arrow": ("arrows", partial(_arrows, n=n)),
        "extraregion": ("extra_regions", lambda each: [cells(each)]),
        "quadruple": ("quadruples", lambda each: [(each["values"], cells(each))]),
        "clone": ("clones", clones),
        "killercage": ("cages", total),
        "littlekillersum": (
            "little_killers",
            lambda each: [] if each.get("value") in NO_VALUE else total(each),
        ),
    }


def _number(found: dict[str, Any], default: int | None = None) -> int | None:
    """Return the value of an object, or a default."""
    value = found.get("value")
    return default if value in NO_VALUE else read_integer(value)


def read_integer(value: Any) -> int:
    """Return an integer, which may be a text. Raises ValueError for others."""
    if re.fullmatch(r"\s*-?[0-9]{1,9}(\.0)?\s*", str(value)) is None:
        raise ValueError(f"expected an integer, not {str(value)[:20]!r}")
    return int(float(value))


def _cells(rows: list[list[dict[str, Any]]], size: Any) -> list[dict[str, Any]]:
    """Return the cells of a grid by rows."""
    n = len(rows)
    if not n or size not in (None, n) or any(len(row) != n for row in rows):
        raise ValueError("the grid must have `size` rows of `size` cells")
    if not fits(rows, [[dict]]):
        raise ValueError("the cells of the grid must be objects")
    return [*chain(*rows)]


def board_box(n: int) -> Box:
    """Return the standard box of a board, or one of a row if there is none."""
    return Box.of_side(n) if n in SIDES else Box.checked(1, n)


def _boxes(box: Box) -> list[int]:
    n = box.n
    rows, columns = box
    return [cell // n // rows * rows + cell % n // columns for cell in range(n * n)]


def find_boxes(regions: list[int], n: int) -> tuple[list[int] | None, Box]:
    """Return regions and the standard box; None and another box if the regions are its boxes."""
    standard = board_box(n)
    others = (Box.checked(rows, n // rows) for rows in range(2, n) if n % rows == 0)
    for box in (standard, *others):
        if len(set(regions)) == len(set(zip(regions, _boxes(box), strict=True))) == n:
            return None, box
    return regions, standard


def _arrows(found: dict[str, Any], n: int) -> Iterator[list[Any]]:
    """Yield the circle, which may be a list, and the other cells of each line of an arrow."""
    circle = sorted(_numbers(found["cells"], n))  # read from left to right, or downward
    for line in found["lines"]:
        cells = [cell for cell in _numbers(line, n) if cell not in circle]
        yield [circle if len(circle) > 1 else circle[0], *cells]


def _opened(name: str, cells: list[int]) -> Iterator[list[int]]:
    """Yield a line, or the parts of a loop, which ends where it starts.

    The second part has the last pair of neighbors; the cells of a renban have no order.
    """
    if len(cells) < 3 or cells[0] != cells[-1] or name not in LOOPS:
        yield cells
    else:
        yield cells[:-1]
        if name != "renban":
            yield cells[-2:]


def _seen(name: Any, n: int) -> list[int]:
    """Return the cells of a row or a column, from a cell outside on."""
    row, column = _place(name)
    if row in (0, n + 1) and 1 <= column <= n:
        cells = range(column - 1, n * n, n)
    elif column in (0, n + 1) and 1 <= row <= n:
        cells = range((row - 1) * n, row * n)
    else:
        raise ValueError(f"the cell {name!r} is not beside a row or a column")
    return [*cells] if 0 in (row, column) else [*reversed(cells)]


def _place(name: Any) -> tuple[int, int]:
    """Return the row and the column in a name such as R1C9; zeros if it is none."""
    match = _CELL.fullmatch(str(name))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _numbers(names: Any, n: int) -> list[int]:
    """Return the numbers of cells with names such as R1C9."""
    numbers = []
    for name in names:
        row, column = _place(name)
        if not (1 <= row <= n and 1 <= column <= n):
            raise ValueError(f"a {n}x{n} board has no cell {name!r}")
        numbers.append((row - 1) * n + column - 1)
    return numbers


def _forms(n: int) -> dict[str, tuple[str, Callable[[Any], dict[str, Any]]]]:
    """Return what f-puzzles calls each parameter of `SudokuRules`, and how it writes an entry.

    The function returns the object for an entry, in which None is a field that is to be left out.
    The board has n x n cells.
    """

    def names(cells: Iterable[int]) -> list[str]:
        return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]

    def pair(entry: Sequence[int], values: dict[int, Any]) -> dict[str, Any]:
        return {"cells": names(entry[:2]), "value": values.get(entry[2], str(entry[2]))}

    def arrow(entry: Sequence[Any]) -> dict[str, Any]:
        circle = entry[0] if isinstance(entry[0], tuple) else entry[:1]
        if [*circle] != sorted(circle):  # see `_arrows`
            raise ValueError("f-puzzles has no circle in this order; use the format json")
        return {"cells": names(circle), "lines": [names([*circle[-1:], *entry[1:]])]}

    # Of a cage or a whisper, the number is first, which may be missing: None.
    forms: dict[str, tuple[str, Callable[[Any], dict[str, Any]]]] = {
        "extra_regions": ("extraregion", lambda cells: {"cells": names(cells)}),
        "arrows": ("arrow", arrow),
        "cages": ("killercage", lambda e: {"cells": names(e[1]), "value": e[0] and str(e[0])}),
        "clones": ("clone", lambda e: {"cells": names(e[:-1]), "cloneCells": names(e[1:])}),
        "sums": ("xv", partial(pair, values={10: "X", 5: "V"})),
        "whispers": ("whispers", lambda e: {"lines": [names(e[1])], "value": e[0] and str(e[0])}),
    }
    for name, (rule, default) in PAIRS.items():
        forms[rule] = name, partial(pair, values={default: None})
    for name, rule in LINES.items():  # whispers, which have a number, keep their form
        forms.setdefault(rule, (name, lambda cells: {"lines": [names(cells)]}))
    return forms


def format_fpuzzles(
    rules: dict[str, Any], box: Box, board: Sequence[int], solution: Sequence[int]
) -> str:
    """Return the JSON object of a puzzle, in which 0 is an empty cell.

    `rules` are those that `SudokuRules.stated` returns. Raises ValueError if f-puzzles lacks one.
    """
    n = box.n
    forms = _forms(n)
    cells = [{"value": value, "given": True} if value else {} for value in board]
    boxes = () if box == board_box(n) else _boxes(box)
    # Without regions, f-puzzles assumes the standard boxes.
    for cell, region in zip(cells, rules.get("regions") or boxes, strict=False):
        cell["region"] = region
    found: dict[str, Any] = {"size": n, "grid": batched(cells, n)}
    found |= {name: True for name, rule in FLAGS.items() if rule in rules}
    if "diagonals" in rules:
        found |= {"diagonal+": True, "diagonal-": True}
    for rule in (each for each in rules if each not in (*FLAGS.values(), "diagonals", "regions")):
        if rule not in forms or (rule == "sums" and {each[2] for each in rules[rule]} - {5, 10}):
            raise ValueError(f"f-puzzles has no {rule.replace('_', ' ')}; use the format json")
        name, form = forms[rule]
        entries = map(form, rules[rule])
        found[name] = [{key: e[key] for key in e if e[key] is not None} for e in entries]
    return json.dumps(found | {"solution": [*solution]})
