"""Hashiwokakero: bridges between islands."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, product

from ...cover.encode import Formulation
from ...pictures.grid import Mark
from ...pictures.lines import Lines
from ...runtime.text import plural
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable
from .rows import join_cells

formats = (
    "rows of numbers for islands and . for water; or rows and columns, perhaps 1 for at most one "
    "bridge between two islands, then numbers and -"
)

Span = tuple[Cell, Cell]  # two islands that face each other in a row or column

PUZZLE = "..2.3...2/.2...2.3./..4.2..../.......4./2.4.2...3/.5...7.6./..4.2..../.1.....2./4.6..5..3"

WORDS = (
    (r"(\d{1,3}),(\d{1,3})–(\d{1,3}),(\d{1,3}): (.*)", r"\5 from r\1c\2 to r\3c\4"),
    (
        r"(first|second),(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})",
        r"the \1 bridge from r\2c\3 to r\4c\5",
    ),
)
BRIDGES = {"1": "─", "2": "═", "a": "│", "b": "║", "-": " "}  # in solutions with words


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, whose answer is drawn as solutions are."""
    table = WordTable(record)
    cells, most = _layout(table)
    islands = {cell: int(word) for cell, word in cells.items() if word.isdigit()}
    if len(islands) < 2:
        raise table.error(1, "there are no islands to connect")
    puzzle = _formulate(islands, max(cells), most)
    return replace(puzzle, answer=_draw_answer(record.answer, islands))


def _layout(table: WordTable) -> tuple[dict[Cell, str], int]:
    """Return the word of each cell, and the most bridges between two islands."""
    expected = "a number from 1 to 8, or . for water"
    if [*map(str.isdigit, table.words(1))] != [True] * 3:
        return table.grid("[1-8.-]", expected), 2
    n_rows, n_columns, most = table.size(3)
    if most > 2:
        raise table.error(1, f"the most bridges between two islands are 1 or 2, not {most}")
    return table.cells(2, (n_rows, n_columns), "[1-8.-]", expected), most


def _draw_answer(answer: str, islands: dict[Cell, int]) -> str:
    """Return a drawing for an answer with a word of BRIDGES for each cell, after its size.

    Other answers are unchanged.

    >>> print(_draw_answer("1 3\\n- 1 -", {(1, 1): 1, (1, 3): 1}))
    1───1
    """
    rows = [line.split() for line in answer.splitlines()[1:]]
    if not rows or not {*chain(*rows)} <= BRIDGES.keys():
        return answer
    lines: list[str] = []
    for r, row in enumerate(rows, 1):
        words = [str(islands.get((r, c), BRIDGES[word])) for c, word in enumerate(row, 1)]
        line = " ".join(words)
        for sign in "─═":
            line = re.sub(f"(?<={sign}) | (?={sign})", sign, line)
        lines.append(line)
    return "\n".join(lines)


def example(puzzle: str = PUZZLE) -> Puzzle:
    """Connect islands by bridges (Hashiwokakero), each by as many as its number.

    Items: each island, covered as often as its number says; the first and the second bridge of
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
    return parse(Record("puzzle", puzzle.replace("/", "\n")))


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


def _formulate(islands: dict[Cell, int], size: Cell, most: int) -> Puzzle:
    """Return a puzzle on a board of a number of rows and columns.

    `example` describes its items and options; `most` is the most bridges in a span, 1 or 2.
    """
    spans = _spans(islands)
    counts = Counter(cell for span in spans for cell in _between(span))
    crossings = sorted(cell for cell, count in counts.items() if count > 1)
    options: dict[str, list[object]] = {}
    bridges: list[object] = []
    for (r, c), (i, j) in spans:
        # The items of the first and, unless there is at most one bridge, of the second bridge
        first, *second = [(nth, r, c, i, j) for nth in ("first", "second")[:most]]
        crossed = [cell for cell in _between(((r, c), (i, j))) if counts[cell] > 1]
        name = f"{r},{c}–{i},{j}"
        options[f"{name}: no bridge"] = [first, *second]
        options[f"{name}: a bridge"] = [first, (r, c), (i, j), *crossed]
        if second:
            options[f"{name}: no second bridge"] = [*second]
            options[f"{name}: a second bridge"] = [*second, (r, c), (i, j)]
        bridges += [first, *second]
    items = [*islands, *bridges]
    picture = _picture(islands, size, spans, crossings, most)
    formulation = Formulation(options, items, crossings, multiplicity=islands, view=picture)
    condition = partial(is_connected, list(islands), spans, most)
    return Puzzle("Hashiwokakero", formulation, condition)


def _picture(
    islands: dict[Cell, int], size: Cell, spans: list[Span], crossings: list[Cell], most: int
) -> Lines:
    """Return the picture of a board, in which each second option of a span draws a bridge.

    In texts, there is a column between two columns of islands.
    """
    n_rows, n_columns = size
    marks: list[tuple[Mark, ...]] = []
    lines: list[tuple[Span, ...]] = []
    for (r, c), (i, j) in spans:
        span = ((r, 2 * c), (i, 2 * j))
        for bridge in ("─═" if r == i else "│║")[:most]:
            marks += [(), tuple((cell, bridge) for cell in _between(span))]
            lines += [(), (span,)]
    words = [
        (f"{r},{c}", f"the island in r{r}c{c}", f"r{r}c{c} has {plural(number, 'bridge')}")
        for (r, c), number in islands.items()
    ]
    words += [(f"{r},{c}", "", "bridges do not cross") for r, c in crossings]
    return Lines(
        "Hashiwokakero",
        marks,
        cells=[*product(range(1, n_rows + 1), range(2, 2 * n_columns + 1))],
        givens=[((r, 2 * c), str(number)) for (r, c), number in islands.items()],
        blank=" ",
        separator="",
        lines=lines,
        line_style="bridges",
        step=(1, 2),
        words=(*WORDS, *words),
    )


def is_connected(
    islands: Sequence[Cell], spans: Sequence[Span], most: int, cover: Sequence[int]
) -> bool:
    """Return whether the bridges of a cover, at most some in each span, connect all islands.

    The options of a span follow each other: for each of its bridges, that there is none, and then
    the bridge.
    """
    number = {cell: k for k, cell in enumerate(islands)}
    bridged = (spans[option // (2 * most)] for option in cover if option % 2)
    areas = join_cells(len(islands), ((number[start], number[end]) for start, end in bridged))
    return len({*areas}) == 1
