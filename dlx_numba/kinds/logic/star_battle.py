"""Star battles, and queens in regions."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, combinations_with_replacement, pairwise, product
from random import Random
from typing import Any

from ...cover.encode import Statement
from ...pictures.grid import Grid
from ...runtime.errors import FormatError
from ...runtime.json import looks_like_json
from ..lattice.regions import components
from ..puzzle import Puzzle
from .boards import COMMENT, Cell, Record, Table, beside, is_stated, parse_records, split_records

formats = "rows, columns and stars, then the region of each cell; a square of letters; JSON"

# The number of stars on a line of its own
STATED = re.compile(r"(?im)^ *stars?(?:[_ ][a-z]+)* *(?:[=:] *)?([0-9]{1,3}) *$\n?")
REGIONS = r"(?i:regions|(?:colou?r|region)_?(?:regions|grid|map))"
LEVEL = re.compile(rf"\b{REGIONS}\"?\s*[:=]\s*(\[\s*(?:\[[\w\s\"',]+\][\s,]*)+\])")  # in a program
SQUARE = re.compile(r"\[\s*(?:\[[\w\s\"',]+\][\s,]*)+\]")  # in JSON or in a program
# A board in digits beside the regions, which are those of a jigsaw
BOARD = re.compile(
    r"\b(?:puzzle|board|grid|sudoku)\"?\s*[:=]\s*[\"'\[]"
    r"[][0.*_\s,\"']*[1-9][][0-9.*_\s,]*[2-9]"
)
LABEL = re.compile(r"[0-9]+|'\w+'|\"\w+\"")  # of a cell in it
STARS = {"true", "1", "x", "q", "*", "★", "♛", "♕", "👑", "s"}  # in solutions
DRAWN, MAX_MOVES = (5, 9), 200  # of new puzzles: their rows; cells that change their regions


def recognize(head: str) -> bool:
    """Return whether a text starts like a star battle."""
    if _has_regions(head):
        return True
    if re.match(r'\s*(?:\[\s*){1,3}"[A-Za-z]', head):  # other lists do not repeat letters in a row
        with suppress(ValueError):
            record = next(iter(_records(head, "")))
            rows = [line.split() for line in getattr(record, "text", "").split("\n")[1:]]
            _regions(Table(record))  # type: ignore[arg-type]
            return any(len(set(row)) < len(row) for row in rows)
        return False
    levels = re.match(
        rf'\s*(?:\{{[^][{{}}]*"\w+"\s*:\s*)?(?:\[\s*)?\{{[^{{}}]*"{REGIONS}"\s*:\s*\[\s*[\["]', head
    )
    if levels or looks_like_json(head):
        is_board = re.search(r'"(?:puzzle|board|grid|cages)"', head)
        return bool(levels and not is_board) or is_stated(head, ("Starbattle",), _regions)
    if LEVEL.search(head):
        return BOARD.search(head) is None
    [first, *others] = _blocks(head)
    if not all(re.search(r"\w", block) for block in others):
        return False  # the letters are pieces, and the others a board to fill
    has_size = re.match(r"\s*[0-9]+(?:\s+[0-9]+)?\s*\n", head)
    if re.search("[0-9.-]" if has_size else "[.-]", first.partition("\n")[2]):
        return False  # a board with empty cells or, without the number of stars, with numbers
    if not is_stated(first, ("Starbattle",), partial(_regions, is_strict=True)):
        return False
    if not re.match(r"\s*[0-9]+,[0-9]+ *\n", head):
        return True
    _, region = _regions(Table(Record("", first)))  # or islands in water
    sizes = Counter(region.values())
    return all(
        sizes[label] == 1 or any(region.get(near) == label for near in beside(cell))
        for cell, label in region.items()
    )


def _has_regions(text: str) -> bool:
    """Return whether a text is a square of numbers, or a list of words, that is one of regions.

    There are as many numbers as rows, whose cells are connected, and lines have equal numbers, so
    it is no Latin square.
    """
    if "[" in text:
        squares = SQUARE.findall(text)
        is_one = len(squares) == 1 and not re.search("[0-9.*_]{16}", text)
        lines = re.findall(r"\[([^][]+)\]", squares[0]) if is_one else []
        rows: Any = [re.split(r"\s*,\s*", line.strip(", \t\r\n")) for line in lines]
        if not all(map(LABEL.fullmatch, chain(*rows))):
            return False
    elif re.search(r"[^\W\d]|[#.-]", text):
        return False
    else:
        lines = re.findall(r"[0-9]+(?:[ \t,]+[0-9]+)*", text)
        rows = [line if line.isdecimal() else re.findall("[0-9]+", line) for line in lines]
    cells = {(r, c): label for r, row in enumerate(rows) for c, label in enumerate(row)}
    n = len(rows)
    is_square = n >= 4 and len(cells) == n * n and len({*cells.values()}) == n
    return is_square and any(len({*row}) < n for row in rows) and len([*components(cells)]) == n


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text."""
    return parse_records(text, source, _state, _records)


def _records(text: str, source: str) -> Iterator[Record | FormatError]:
    """Yield the puzzles of a text: JSON of boards or levels, or blocks of lines."""
    is_level = re.search(rf'"{REGIONS}"', text) is not None
    if not looks_like_json(text) or (_has_regions(text) and not is_level):
        stars = re.findall(r"\bstars\"?\s*[:=]\s*([0-9]+)", text)
        levels, boards = LEVEL.findall(text) or SQUARE.findall(text), []
        if len({*stars}) < 2:
            stars = (stars[:1] or ["1"]) * len(levels)
        elif levels and len(stars) != len(levels):
            raise FormatError(source, 1, f"{len(stars)} numbers of stars for {len(levels)} boards")
        for level, n_stars in zip(levels, stars, strict=False):
            rows = re.findall(r"\[([^][]+)\]", level)
            size = f"{len(rows)} {len(rows)} {n_stars}"
            boards.append([size, *(" ".join(re.findall(r"\w+", row)) for row in rows)])
        blocks = _blocks("\n\n".join(map("\n".join, boards)) or text)
        for number, block in enumerate(blocks, 1):
            yield Record(f"{source}, {number}" if len(blocks) > 1 else source, block)
        return
    if re.match(r"\s*\[\s*[^\s{]", text):
        # `split_records` reports these exceptions.
        with suppress(ValueError, LookupError, TypeError, RecursionError):
            boards = json.loads(text)
            is_one = isinstance(boards[0], str) or not isinstance(boards[0][0], list | str)
            is_one |= isinstance(boards[0][0], str) and len(boards[0][0]) == 1
            text = json.dumps([{"regions": each} for each in ([boards] if is_one else boards)])
    yield from split_records(text, source, _as_record)


def _blocks(text: str) -> list[str]:
    """Return the puzzles of a text, without commas, and with all sizes on the first line."""
    text = re.sub(f"(?m)^{COMMENT}", "", re.sub(r"[,;\t\r]", " ", text))
    found = list[str]()
    for block in re.split(r"\n(?:[ ]*\n)+", text.strip("\n ")):
        # The number of stars may be a block of its own, before or after the board.
        previous = found[-1] if found else block
        is_line = "\n" not in min(previous, block, key=len)
        if is_line and (STATED.search(previous) is None) != (STATED.search(block) is None):
            found[-1] += f"\n{block}"
        else:
            found.append(block)
    blocks = list[str]()
    for block in [block for block in found if "\n" in block] or [text]:
        stated = STATED.search(block)
        first, *rows = STATED.sub("", block).strip("\n").split("\n")
        if re.fullmatch(r" *[0-9]{1,3}(?: +[0-9]{1,3})? *", first) and len(rows) > 2:
            first = " ".join([*(first.split() * 2)[:2], stated[1] if stated else "1"])
        elif stated:
            rows = [first, *rows]
            first = f"{len(rows)} {len(rows)} {stated[1]}"
        if len(first.split()) == 3 and first.split()[0] == str(len(rows)):
            rows = [" ".join(row.strip()) if " " not in row.strip() else row for row in rows]
        blocks.append("\n".join([first, *rows]))
    return blocks


def _as_record(level: dict[str, Any]) -> dict[str, Any]:
    """Return the texts of a level, which has a list or a text for each row, or cells by region.

    A solution is a list of rows, of columns by row, or of cells.
    """
    names = [key for key in level if re.fullmatch(REGIONS, key)]
    if len(names) != 1:
        raise KeyError("one list of regions")
    rows, solution = level[names[0]], level.get("solution")
    if isinstance(rows[0][0], list):
        label = {(r, c): k for k, cells in enumerate(rows) for r, c in cells}
        first, n = min(label)[0], len(rows)
        places = range(first, first + n)
        rows = [[label.get((r, c), "#") for c in places] for r in places]
    n = len(rows)
    if isinstance(solution, list):
        if not all(isinstance(row, str | list) and len(row) == n for row in solution):
            cells = solution if isinstance(solution[0], list) else [*enumerate(solution)]
            low = [min(axis) for axis in zip(*cells, strict=True)]
            stars = {(r - low[0], c - low[1]) for r, c in cells}
            solution = [[(r, c) in stars for c in range(n)] for r in range(n)]
        words = ([str(word).lower() in STARS for word in row] for row in solution)
        solution = "\n".join(" ".join("-x"[is_star] for is_star in row) for row in words)
    labels = ([str(label) for label in row] for row in rows)  # perhaps colors, such as #ff0000
    lines = (" ".join(re.sub(r"\W", "_", x) if len(x) > 1 else x for x in row) for row in labels)
    size = f"{n} {len(rows[0])} {level.get('stars', 1)}"
    return {"problem": "\n".join([size, *lines]), "solution": solution}


def _regions(table: Table, is_strict: bool = False) -> tuple[int, dict[Cell, str]]:
    """Return the number of stars, and the region of each cell that may have one.

    If `is_strict`, a square without numbers before it must have letters.
    """
    try:
        n_rows, n_columns, stars = table.size(3)
        cells = table.cells(2, (n_rows, n_columns), r"\w+|[@#.-]", "a region, or # for none")
    except FormatError:
        words = table.words(1)
        is_letters = bool(words) and re.match("[A-Za-z]", words[0])
        if not is_letters and (
            is_strict or not words or (len(words) != len(table) and len(words[0]) < 4)
        ):
            raise
        cells = table.square("[A-Za-z]+" if is_letters else r"\w+", "a region")
        n_rows, n_columns, stars = len(table), len(table), 1
        if len({cells[1, c] for c in range(1, n_columns + 1)}) == n_rows:
            reason = "each column is a region, or this is an exact cover problem"
            raise table.error(1, reason) from None
    region = {cell: label for cell, label in cells.items() if re.match(r"\w", label)}
    if n_rows != n_columns or n_rows != len(set(region.values())):
        sizes = f"{n_rows} rows, {n_columns} columns and {len(set(region.values()))} regions"
        raise table.error(1, f"{sizes} cannot all have the same number of stars")
    return stars, region


def _state(table: Table, is_whole: bool = False) -> Puzzle:
    """Return a puzzle.

    If k rows contain k - 1 regions, their other cells have the stars of one row; the items of these
    cells save most of the search. If they contain k regions, their other cells are left out; in the
    whole statement, an option that has to be chosen excludes them.
    """
    stars, region = _regions(table)
    n = len(set(region.values()))
    options: dict[Cell, list[Any]] = {
        (r, c): [("row", r), ("column", c), ("region", region[r, c])] for r, c in region
    }
    lines = [(name, k) for name in ("row", "column") for k in range(1, n + 1)]
    primary: dict[Any, int] = dict.fromkeys(
        [*lines, *(("region", label) for label in region.values())], stars
    )
    blocks = list(product(range(1, n), repeat=2))
    for (r, c), (down, right) in product(blocks, product((0, 1), repeat=2)):
        if (cell := (r + down, c + right)) in region:
            options[cell].append(("block", r, c))
    empty = dict[str, list[Any]]()
    for axis, name in enumerate(("rows", "columns")):
        places = defaultdict[str, list[int]](list)
        for cell, label in region.items():
            places[label].append(cell[axis])
        spans = [(label, min(each), max(each)) for label, each in places.items()]
        for i, j in combinations_with_replacement(range(1, n + 1), 2):
            inside = {label for label, low, high in spans if i <= low and high <= j}
            if inside and (missing := j - i + 1 - len(inside)) in (0, 1):
                rest = [cell for cell in options if region[cell] not in inside]
                between = [cell for cell in rest if i <= cell[axis] <= j]
                if missing:
                    primary[name, i, j] = stars
                elif is_whole and between:
                    primary |= {(name, i, j): 1, ("no star", name, i, j): 1}
                    empty[f"no star in {name} {i} to {j}"] = [*primary][-2:]
                for cell in between:
                    options[cell].append((name, i, j))
                    if not missing and not is_whole:
                        del options[cell]
    picture = Grid(
        "Star battle",
        (*(((cell, "x"),) for cell in options), *(() for _ in empty)),
        tuple(product(range(1, n + 1), repeat=2)),
        regions=tuple(region.items()),
        blank="-",
        glyphs=(("x", "★"),),
        words=_words(region),
    )
    statement = Statement(
        {f"r{r}c{c}": items for (r, c), items in options.items()} | empty,
        list(primary),
        [("block", *block) for block in blocks],
        multiplicity=primary,
        view=picture,
    )
    whole = partial(_state, table, True)
    return Puzzle("Star battle", statement, settings={"presolve": True}, _whole=whole)


def _words(region: dict[Cell, str]) -> tuple[tuple[str, ...], ...]:
    """Return what sentences call items: regions by their first cells."""
    first_cell = {label: f"r{r}c{c}" for (r, c), label in reversed(region.items())}
    return (
        (r"r\d+c\d+", r"\g<0>"),
        (r"no star .*", r"no star"),
        *((f"region,{name}", f"the region of {cell}") for name, cell in first_cell.items()),
        (r"(row|column),(\d+)", r"\1 \2", r"\1 \2"),
        (r"block,(\d+),(\d+)", r"the 2×2 cells from r\1c\2", "stars do not touch each other"),
        (r"(?:no star,)?(row|column)s,(\d+),\2", r"\1 \2 outside of the whole region in it"),
        (
            r"(?:no star,)?(rows|columns),(\d+),(\d+)",
            r"\1 \2 to \3 outside of the whole regions in them",
        ),
    )


def example() -> Puzzle:
    """Place stars so that each row, column and region has one.

    Stars do not touch each other, not even diagonally. With one star, they are also called queens.

    Items: each row, column and region; the cells of some rows that are in no region within these
    rows.
    Secondary items: each block of 2×2 cells, which has at most one star.
    Options: a star in a cell.

    Notes
    -----
    Files may state puzzles with more stars; the items are then covered as often.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    x - - - -
    - - - x -
    - x - - -
    - - - - x
    - - x - -
    """
    return _state(Table(Record("example", "AABBB\nACCBB\nACDDB\nAADEE\nAADDE")))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle with one star in each region, and with one solution.

    Regions grow from the stars of a solution. As long as there is another one, one of its cells
    moves to a neighboring region.

    >>> len(random(1, 6).splitlines())
    7
    """
    generator = Random(seed)
    while True:
        stars = [*range(size)]
        while any(abs(a - b) < 2 for a, b in pairwise(stars)):
            generator.shuffle(stars)
        region = _grow(generator, stars)
        for _ in range(MAX_MOVES):
            if (other := _find_other(region, stars)) is None:
                rows = (" ".join(f"{region[r, c] + 1}" for c in range(size)) for r in range(size))
                return "\n".join([f"{size} {size} 1", *rows, ""])
            moves = [
                (cell, label)
                for cell in enumerate(other)
                if stars[cell[0]] != cell[1] and _is_loose(region, cell)
                for label in {region[each] for each in beside(cell) if each in region}
                if label != region[cell]
            ]
            if not moves:
                break
            cell, region[cell] = generator.choice(moves)


def _grow(generator: Random, stars: list[int]) -> dict[Cell, int]:
    """Return the region of each cell: regions that grow from stars, one in each row."""
    region = {(r, c): r for r, c in enumerate(stars)}
    cells = set(product(range(len(stars)), repeat=2))
    frontier = [(near, r) for (r, c) in region for near in beside((r, c)) if near in cells]
    while frontier:
        k = generator.randrange(len(frontier))
        frontier[k], frontier[-1] = frontier[-1], frontier[k]
        cell, label = frontier.pop()
        if cell not in region:
            region[cell] = label
            frontier += [(near, label) for near in beside(cell) if near in cells]
    return region


def _is_loose(region: dict[Cell, int], cell: Cell) -> bool:
    """Return whether the region of a cell is connected without it."""
    others = {each: "" for each, label in region.items() if label == region[cell] and each != cell}
    return len([*components(others)]) < 2


def _find_other(region: dict[Cell, int], stars: list[int]) -> list[int] | None:
    """Return the columns of the stars in another solution, or None if there is none."""
    n, due = len(stars), [0] * len(stars)  # the regions that end in a row, as bits
    last = {label: r for (r, _), label in sorted(region.items())}
    for label, r in last.items():
        due[r] |= 1 << label
    bits = [[1 << region[r, c] for c in range(n)] for r in range(n)]

    def extend(begun: list[int], columns: int, used: int) -> list[int] | None:
        r, before = len(begun), begun[-1] if begun else -2
        if r == n:
            return None if begun == stars else begun
        for c, bit in enumerate(bits[r]):
            if columns >> c & 1 or used & bit or -2 < before - c < 2 or due[r] & ~(used | bit):
                continue
            if (found := extend([*begun, c], columns | 1 << c, used | bit)) is not None:
                return found
        return None

    return extend([], 0, 0)
