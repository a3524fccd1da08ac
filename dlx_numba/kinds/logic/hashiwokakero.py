"""Hashiwokakero: bridges between islands."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise, product

from ...cover.encode import Statement
from ...pictures.lines import Lines
from ...runtime.errors import FormatError
from ...runtime.json import looks_like_json
from ...runtime.text import plural
from ...sudoku.box import SIDE_OF_CELLS, SIDES
from ..puzzle import Puzzle
from .boards import COLLECTION_NAME, Cell, cells_of, split_records

formats = "Hashiwokakero: rows of numbers for islands, and dots or 0 for water"

Span = tuple[Cell, Cell]  # two islands that face each other in a row or column

PUZZLE = "..2.3...2/.2...2.3./..4.2..../.......4./2.4.2...3/.5...7.6./..4.2..../.1.....2./4.6..5..3"


def recognize(head: str) -> bool:
    """Return whether a text is such a drawing: possible numbers of islands with water between.

    A drawing of the size of a Sudoku must repeat numbers in several rows or columns. If 0 is water,
    some row must repeat it, unlike the numbers of items, and some island must have two bridges,
    unlike the columns of a matrix.
    """
    if looks_like_json(head):
        named = COLLECTION_NAME.match(head)
        return named is not None and named[1] == "Hashi"
    drawing = re.split(r"\n\s*\n", head.strip(), maxsplit=1)[0]
    puzzle = _drawn(drawing.splitlines())
    rows = puzzle.split("/")
    if _invalid(puzzle) or len(rows) < 2:
        return False
    if re.match("[0-9]+ +[0-9]+ +[0-9]+\n", drawing) and len(rows) == drawing.count("\n"):
        return True  # the number of islands is stated
    if len(rows[0]) in SIDE_OF_CELLS:  # perhaps boards on lines
        return False
    is_digits = re.search("[.*]", drawing) is None
    if is_digits and not (re.search("0.*0", drawing) and re.search("[2-8]", puzzle)):
        return False
    islands = _islands(rows)
    ends = Counter(island for span in _spans(islands) for island in span)
    is_near = any((r, c + 1) in islands or (r + 1, c) in islands for r, c in islands)
    is_possible = all(number <= 2 * ends[island] for island, number in islands.items())
    if is_near or not is_possible or sum(islands.values()) % 2:
        return False
    lines = [list(filter(str.isdigit, line)) for line in (*rows, *zip(*rows, strict=True))]
    n_repeating = sum(len(set(digits)) < len(digits) for digits in lines)
    return n_repeating > 2 or len(rows) != len(rows[0]) or len(rows) not in SIDES


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text, which blank lines separate, or in JSON."""
    for record in split_records(text, source):
        if isinstance(record, FormatError):
            yield record
            continue
        lines = enumerate(record.text.splitlines(), 1)
        for is_blank, group in groupby(lines, key=lambda line: not line[1].strip()):
            if not is_blank:
                numbers, drawing = zip(*group, strict=True)
                puzzle, start = _drawn(drawing), numbers[0]
                place = f"{source}:{start}" if record.place == source else record.place
                reason = _invalid(puzzle)
                error = FormatError(record.place, start, reason)
                answer = _read_answer(puzzle.split("/"), record.answer)
                yield error if reason else replace(_state(puzzle, place), answer=answer)


def _drawn(lines: Sequence[str]) -> str:
    """Return a puzzle with `/` between its rows, and `.` for water.

    >>> _drawn(["3,5", "1, 0, 3, 0, 2", "00000", "20004"]), _drawn(["- 2", "1 -"])
    ('1.3.2/...../2...4', '.2/1.')
    >>> _drawn(["2 4 2", "1 0 0 1", "0 0 0 0"]), _drawn(["2", "3", "1**", "1**"])
    ('1..1/....', '1../1..')
    """
    rows = [re.sub(",(?=[^,])", "", "".join(line.split())) for line in lines]
    for n_before in (1, 2):  # lines that may have the size, and the number of islands
        stated = re.findall("[0-9]{1,9}", " ".join(lines[:n_before]))
        board = rows[n_before:]
        size = [len(board), *{len(row) for row in board}]
        size += [len(re.findall("[1-8]", "".join(board)))] * (len(stated) == 3)
        if board and [*map(int, stated)] == size and len(rows[0]) != len(board[0]):
            rows = board
            break
    puzzle = "/".join(rows)
    water = {*puzzle}.difference("12345678/")
    return puzzle.replace(water.pop(), ".") if len(water) == 1 and water < {*"0-_*"} else puzzle


def _read_answer(rows: Sequence[str], answer: str) -> str | tuple[int, ...]:
    """Return the options of a solution that has a word for each cell; others as they are.

    The words are 1 and 2 for bridges in a row, a and b for those in a column, and - for the others.
    Bridges between adjacent islands have no cell, so such an answer is ignored.

    >>> _read_answer(["2.2", "...", "1.1"], "3 3\\n- 1 -\\na - a\\n- - -")
    (1, 2, 4, 9, 10, 13, 14)
    """
    lines = [line.split() for line in answer.splitlines()[-len(rows) :]]
    spans = _spans(_islands(rows)) if [*map(len, lines)] == [*map(len, rows)] else []
    left = {cell: word for cell, word in cells_of(lines).items() if word != "-"}
    options: list[int] = []
    for k, span in enumerate(spans):
        cells = _between(span)
        bridges = "12" if span[0][0] == span[1][0] else "ab"
        words = {left.get(cell, "-") for cell in cells}
        number = bridges.find(words.pop()) + 1 if len(words) == 1 else 0
        left = {cell: word for cell, word in left.items() if not number or cell not in cells}
        options += [4 * k + 1, 4 * k + 1 + number] if number else [4 * k]
    if left:
        return answer
    return tuple(options) if all(map(_between, spans)) else ""


def example(puzzle: str = PUZZLE) -> Puzzle:
    """Connect islands by bridges (Hashiwokakero), each by as many as its number.

    Items: each island, covered as often as its number states; the first and the second bridge of
    each span, that is, between two islands that face each other.
    Secondary items: each cell where a bridge could cross another one.
    Options: no bridge of a span covers both of its items. The first bridge covers its item, the two
    islands and the cells where it could cross others; "no second bridge" covers the second item,
    and the second bridge also the two islands. So a second bridge needs a first one.

    Parameters
    ----------
    puzzle
        The rows with `/` between them: a number from 1 to 8 for an island, `.` for water.

    Notes
    -----
    All islands must be connected. Items cannot express this: the covers that satisfy all other
    rules are found first, and those that are not connected are left out. The puzzle is by Nikoli
    (1990); to solve it is NP-complete (D. Andersson, 2009).

    >>> puzzle = example("1.3/.../..2")
    >>> print(puzzle.text(puzzle.first()))
    1───3
        ║
        2
    """
    if reason := _invalid(puzzle):
        raise ValueError(reason)
    return _state(puzzle)


def _invalid(puzzle: str) -> str:
    """Return why a drawing is not a puzzle, or "" if it is one."""
    if not re.fullmatch("[1-8./]+", puzzle) or len(set(map(len, puzzle.split("/")))) > 1:
        return (
            "puzzle must have rows of equal length, in lines or with / between them, of numbers "
            f"from 1 to 8 and . or 0 for water, not {puzzle[:40]!r}"
        )
    return "" if re.search("[1-8]", puzzle) else "puzzle has no islands"


def _islands(rows: Sequence[str]) -> dict[Cell, int]:
    """Return the number of each island."""
    return {cell: int(word) for cell, word in cells_of(rows).items() if word != "."}


def _spans(islands: dict[Cell, int]) -> list[Span]:
    """Return all pairs of islands between which there may be bridges."""
    lines = (sorted(islands, key=lambda cell: (cell[axis], cell)) for axis in (0, 1))
    across, down = map(pairwise, lines)
    spans = [span for span in across if span[0][0] == span[1][0]]
    return spans + [span for span in down if span[0][1] == span[1][1]]


def _between(span: Span) -> list[Cell]:
    """Return the cells between two islands."""
    (r, c), (i, j) = span
    return [(k, c) for k in range(r + 1, i)] + [(r, k) for k in range(c + 1, j)]


def _state(puzzle: str, place: str = "") -> Puzzle:
    """Return a puzzle, from its rows with `/` between them."""
    rows = puzzle.split("/")
    islands = _islands(rows)
    spans = _spans(islands)
    counts = Counter(cell for span in spans for cell in _between(span))
    crossings = sorted(cell for cell, count in counts.items() if count > 1)
    options, marks, lines = dict[str, list[object]](), [], []
    words: list[tuple[str, ...]] = [
        (r"(\d{1,3}),(\d{1,3})–(\d{1,3}),(\d{1,3}): (.*)", r"\5 from r\1c\2 to r\3c\4")
    ]
    words += [(f"{r},{c}", "", "bridges do not cross") for r, c in crossings]
    words += [
        (f"{r},{c}", f"the island in r{r}c{c}", f"r{r}c{c} has {plural(number, 'bridge')}")
        for (r, c), number in islands.items()
    ]
    for k, span in enumerate(spans):
        first, second = ("first", k), ("second", k)
        crossed = [cell for cell in _between(span) if counts[cell] > 1]
        name = "–".join(f"{r},{c}" for r, c in span)
        ends = " to ".join(f"r{r}c{c}" for r, c in span)
        words += [(f"{each},{k}", f"the {each} bridge from {ends}") for each in ("first", "second")]
        options[f"{name}: no bridge"] = [first, second]
        options[f"{name}: a bridge"] = [first, *span, *crossed]
        options[f"{name}: no second bridge"] = [second]
        options[f"{name}: a second bridge"] = [second, *span]
        # In texts, there is a column between two columns of islands.
        wide = ((span[0][0], 2 * span[0][1]), (span[1][0], 2 * span[1][1]))
        for bridge in "─═" if wide[0][0] == wide[1][0] else "│║":
            marks += [(), tuple((cell, bridge) for cell in _between(wide))]
            lines += [(), (wide,)]
    bridges = [(name, k) for k in range(len(spans)) for name in ("first", "second")]
    picture = Lines(
        "Hashiwokakero",
        tuple(marks),
        cells=tuple(product(range(1, len(rows) + 1), range(2, 2 * len(rows[0]) + 1))),
        givens=tuple(((r, 2 * c), str(number)) for (r, c), number in islands.items()),
        blank=" ",
        separator="",
        lines=tuple(lines),
        line_style="bridges",
        step=(1, 2),
        words=tuple(words),
    )
    items = [*islands, *bridges]
    statement = Statement(options, items, crossings, multiplicity=islands, view=picture)
    condition = partial(is_connected, list(islands), spans)
    return Puzzle("Hashiwokakero", statement, condition, place=place)


def is_connected(islands: Sequence[Cell], spans: Sequence[Span], cover: Sequence[int]) -> bool:
    """Return whether the bridges of a cover connect all islands."""
    groups = {cell: {cell} for cell in islands}
    for start, end in (spans[option // 4] for option in cover if option % 2):
        if groups[start] is not groups[end]:
            smaller, larger = sorted((groups[start], groups[end]), key=len)
            larger |= smaller
            groups.update(dict.fromkeys(smaller, larger))
    return all(len(group) == len(groups) for group in groups.values())
