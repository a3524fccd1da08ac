"""Texts in all formats of boards, with the boards and errors that a reader finds in them.

The tests of the readers, of the commands, and `scripts/fuzz` share them.
"""

import json
from itertools import chain, product
from typing import Any, NamedTuple

from tests.helpers.boards import AllRecords

PUZZLE = "..9.5.1.3.4...1.....6.4.92..6.8...1.3.4...8.9.5..1.236....6...28..........3......"
OTHER = "84.612.....68.7.....3.........28.6.....75......4.......3....24..52...1.37.1....86"
THIRD = ".3...5..8..9.6.35....7..4..5...432.9.....6...3..8......5....6.3....2.5...2...48.."
SOLVED = "..7.42.........4....38...9......3..248......55...6..........93..9.3..5.7.....48.."
SOLUTION = "867942153259136478143857296971583642486279315532461789718625934694318527325794861"
WRONG = f"{SOLUTION[:2]}1{SOLUTION[3:]}"  # contradicts a given
LETTERS = "".join(
    "123456789ABCDEFG"[(4 * row + row // 4 + k) % 16] for row in range(16) for k in range(16)
)
FOUR, FOUR_SOLVED = "1.....3..4.....2", "1324423124133142"
FOUR_ROWS = "[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]"

UNKNOWN = "not a board"
NO_BOARD = "no board in the JSON object"
FEW_SYMBOLS = "expected 81 symbols, found 80"
BROKEN = "No solve instructions - Puzzle is not possible to solve."


class Text(NamedTuple):
    """A text, its boards, and the errors by their lines; the rest as in `AllRecords`, or None."""

    text: str
    boards: list[str]
    errors: dict[int, str] | None = None
    lines: list[int] | None = None
    solutions: list[str] | None = None
    counts: list[int] | None = None
    difficulties: list[str] | None = None

    def check(self, found: AllRecords) -> None:
        """Compare records with the expected ones."""
        assert found.boards == self.boards
        assert {line: reason for _, line, reason in found.bad} == (self.errors or {})
        for index, line, _ in found.bad:  # in the order of the text
            before, at = (sum(start < line + k for start in found.lines) for k in (0, 1))
            assert before <= index <= at
        for name in ("lines", "solutions", "counts", "difficulties"):
            assert getattr(self, name) in (None, getattr(found, name))


def rows(board: str) -> list[str]:
    """Return the rows of a board."""
    n = round(len(board) ** 0.5)
    return [board[start : start + n] for start in range(0, n * n, n)]


def compact(board: str) -> str:
    """Return a board drawn as rows, and an empty line."""
    return "\n".join(rows(board)) + "\n\n"


def ruled(board: str, rule: str, left: str = "", separator: str = "|") -> str:
    """Return a drawn board with a rule between its bands."""
    drawn = [left + separator.join((r[:3], r[3:6], r[6:])) + left for r in rows(board)]
    return f"\n{rule}\n".join("\n".join(drawn[k : k + 3]) for k in (0, 3, 6))


def braces(value: Any) -> str:
    """Return lists as an array initializer of C or Java."""
    return json.dumps(value).replace("[", "{").replace("]", "}")


GRID = [[0 if symbol == "." else int(symbol) for symbol in row] for row in rows(PUZZLE)]
THIRTY = [[(6 * row + row // 5 + k) % 30 * (k % 2 < 1) for k in range(30)] for row in range(30)]
THIRTY_CELLS = " ".join(str(value or ".") for row in THIRTY for value in row)
SPREAD = [f"| {' '.join(row[:3])} | {' '.join(row[3:])} |" for row in rows(PUZZLE)]

DRAWINGS = {
    "rows": "\n".join(rows(PUZZLE)),
    "rows with spaces": "\n".join(map(" ".join, rows(PUZZLE))),
    "rules": ruled(PUZZLE, "---+---+---"),
    "a border of stars": f"*-----------*\n{ruled(PUZZLE, '|---+---+---|', '|')}\n*-----------*",
    "rules of equal signs": "\n".join(["+===+===+===+", *SPREAD, "+===+===+===+"]),
}
LISTS = {
    "a list of rows": json.dumps(GRID),
    "a declaration of Java": f"int[][] board = {braces(GRID)};",
    "a declaration on several lines": "public static final int[][] PUZZLE = new int[][] "
    + braces(GRID).replace("}, ", "},\n"),
    "comments of C": "// text\nint grid[9][9] =\n{\n"
    + braces(GRID)[1:-1].replace("}, ", "}, // row\n")
    + "};",
    "a list of Python": "board = [\n" + "".join(f"    {row},\n" for row in GRID) + "]\n",
    "an array of NumPy": "board = np.array([\n"
    + "".join(f"    {row},\n" for row in GRID)
    + "], dtype=int)\n",
    "floats of NumPy": "[[" + "]\n [".join(" ".join(f"{x}." for x in row) for row in GRID) + "]]",
    "rows of lists": "# text\n\n" + "".join(f"{row}\n" for row in GRID),
    "strings of C": "const char *rows[] = {" + json.dumps(rows(PUZZLE))[1:-1] + "};",
    "strings of cells": json.dumps([[str(value or ".") for value in row] for row in GRID]),
    "None": json.dumps([[value or None for value in row] for row in GRID]).replace("null", "None"),
    "numbers of all cells": json.dumps([*chain(*GRID)]),
    "strings of separate cells": json.dumps([" ".join(row) for row in rows(PUZZLE)]),
    "a string of separate cells": json.dumps([" ".join(PUZZLE)]),
    "an object with lists": json.dumps({"board": GRID, "difficulty": "hard"}),
    "an object with strings": json.dumps({"puzzle": rows(PUZZLE)}),
}  # fmt: skip

# The third row of a board of numbers that is not one
BAD_NUMBERS = {
    "'31' is not a number from 1 to 30": [31, *THIRTY[2][1:]],
    "'1x' is not a number from 1 to 30": ["1x", *THIRTY[2][1:]],
    "expected 30 numbers in the row, found 29": THIRTY[2][1:],
    "expected 30 numbers in the row, found 31": [*THIRTY[2], 1],
}
# A row of a drawn board that is not one
BAD_ROWS = {
    "..3Q.....": "invalid symbol 'Q' in column 4",
    ". . 3 | Q . . | . . .": "invalid symbol 'Q' in column 9",
    "..3.....": "expected 9 symbols in the row, found 8",
    "..3.......": "expected 9 symbols in the row, found 10",
}
# A line between boards of one line that is not one
BAD_LINES = {
    PUZZLE[:-1]: FEW_SYMBOLS,
    PUZZLE + "1": "expected 81 symbols, found 82",
    PUZZLE[:36]: "board of 36 cells in a file of boards of 81 cells",
    PUZZLE[:4] + "Q" + PUZZLE[5:]: "invalid symbol 'Q' in column 5",
    "  " + PUZZLE[:4] + "é" + PUZZLE[5:]: "invalid symbol 'é' in column 7",
    "12 13": UNKNOWN,
    "Puzzle is not possible.!": UNKNOWN,
    "\xff\xfe": UNKNOWN,
}
# A list on a line between lists that is not a board
EMPTY_ROW = "[0, 0, 0, 0]"
BAD_LISTS = {
    f"[{EMPTY_ROW}, [0, 0, 5, 0], {EMPTY_ROW}, {EMPTY_ROW}]": "'5' is not a number from 1 to 4",
    f'[{EMPTY_ROW}, [0, 0, "ab", 0], {EMPTY_ROW}, {EMPTY_ROW}]': "'ab' is not a number from 1 to 4",
    f"[{EMPTY_ROW}, [0, 0, , 0], {EMPTY_ROW}]": "expected 4 rows, found 3",
    f"[{EMPTY_ROW}, [0, 0, 0], {EMPTY_ROW}]": "expected 4 numbers in the row, found 3",
    "[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]": "expected 16 numbers, found 15",
    '["12..", "..5.", "....", "...."]': "invalid symbol '5' in column 3",
    '["12......1......x."]': "expected 16 symbols, found 17",
    "hello": "expected a list or a JSON object, found 'hello'",
}
RECORDS = [
    {"id": 1, "puzzle": FOUR, "solution": FOUR_SOLVED, "tags": ["a", "]}{"]},
    {"puzzle": "1.....3..4......", "difficulty": "easy", "url": "https://example.org/{x}"},
]
OBJECTS = {
    "a list of objects on one line": json.dumps(RECORDS),
    "a list of objects": json.dumps(RECORDS, indent=2),
    "a list of objects on lines": "[\n" + ",\n".join(map(json.dumps, RECORDS)) + "\n]\n",
    "a list of indented objects": f"[{', '.join(json.dumps(each, indent=1) for each in RECORDS)}]",
    "indented objects": "\n".join(json.dumps(each, indent=4) for each in RECORDS),
    "objects on lines": "\n".join(map(json.dumps, RECORDS)),
    "a collection on one line": json.dumps({"n": 2, "puzzles": RECORDS}),
    "a collection": json.dumps({"about": {"seeds": [1]}, "puzzles": RECORDS, "n": 2}, indent=1),
}


def with_row(board: str, at: int, row: str) -> str:
    """Return a drawn board with another row."""
    return "\n".join([*rows(board)[:at], row, *rows(board)[at + 1 :]])


def separate(rows: list[list[Any]], between: str, blank: str = "0") -> str:
    """Return rows of cells between separators, and an empty line."""
    return "".join(between.join(str(v or blank) for v in row) + "\n" for row in rows) + "\n"


TEXTS = {
    "boards on lines": Text(
        f"{PUZZLE}\n{OTHER}\n", [PUZZLE, OTHER], lines=[1, 2], solutions=["", ""], counts=[-1, -1]
    ),
    "page breaks": Text(f"\f\n{PUZZLE}\n\f\n{OTHER}\n", [PUZZLE, OTHER]),
    "mixed line ends": Text(
        f"{PUZZLE}\r\n{OTHER}\r{THIRD}\n\r{OTHER}\r",
        [PUZZLE, OTHER, THIRD, OTHER],
        lines=[1, 2, 3, 5],
    ),
    "symbols in groups": Text(
        f"{' '.join(PUZZLE)}\n{'  '.join(rows(OTHER))}\n{' | '.join(rows(THIRD))}\n",
        [PUZZLE, OTHER, THIRD],
    ),
    "contradictory givens": Text("55" + "." * 79, ["55" + "." * 79]),
    "an empty row of spaces": Text(
        with_row(SOLUTION, 1, " " * 9), [SOLUTION[:9] + "." * 9 + SOLUTION[18:]]
    ),
    "an empty board of hyphens": Text(
        f"{PUZZLE.replace('.', '-')}\n{'-' * 81}\n", [PUZZLE, "." * 81]
    ),
    "rules of hyphens that resemble rows of empty cells": Text(
        (ruled(PUZZLE.replace(".", "-"), "---------") + "\n\n") * 2
        + "- - - | - - - | - - -\n".join(
            "".join(f"{' '.join(row)}\n" for row in rows(PUZZLE.replace(".", "-"))[k : k + 3])
            for k in (0, 3, 6)
        ),
        [PUZZLE] * 3,
        lines=[1, 13, 25],
    ),
    "sections": Text(
        f"#A someone\n[Puzzle]\n{compact(PUZZLE)}[State]\n{compact(OTHER)}{compact(THIRD)}",
        [PUZZLE, THIRD],
    ),
    "sections of solutions": Text(
        f"[Puzzle]\n{PUZZLE}\n[Solution]\n{SOLUTION}\n\n[Puzzle]\n{compact(OTHER)}\n[solution]\n"
        f"{compact(SOLUTION)}\n[Puzzle]\n{THIRD}\n",
        [PUZZLE, OTHER, THIRD],
        solutions=[SOLUTION, SOLUTION, ""],
        lines=[2, 7, 31],
    ),
    "solutions on lines of their own": Text(
        f"{PUZZLE}\n{SOLVED}\n\n# its solution\n{SOLUTION}\n{SOLUTION}\n{PUZZLE}\n",
        [PUZZLE, SOLVED, SOLUTION, PUZZLE],
        solutions=["", SOLUTION, "", ""],
        lines=[1, 2, 6, 7],
    ),
    "a complete board after unreadable text": Text(
        f"{SOLVED}\nwhat?\n{SOLUTION}\n", [SOLVED, SOLUTION], errors={2: UNKNOWN}
    ),
    "a complete board that contradicts the puzzle": Text(
        f"{SOLVED}\n{WRONG}\n{SOLUTION}\n{SOLUTION}\n",
        [SOLVED, WRONG, SOLUTION, SOLUTION],
        solutions=[""] * 4,
    ),
    "digits in remarks of qqwing": Text(
        f"Number of Givens: 27\n{PUZZLE}\nTime: 3.145 milliseconds\n{PUZZLE}", [PUZZLE] * 2
    ),
    "a solution with letters": Text(
        f"{LETTERS[:-1]}.,{LETTERS}\n", [f"{LETTERS[:-1]}."], solutions=[LETTERS]
    ),
    "a comment with the header of a table": Text(
        f"{PUZZLE}\n# number,puzzle\n2,{OTHER}\n", [PUZZLE, OTHER]
    ),
    "the most frequent size": Text(
        f"{FOUR}\n{PUZZLE}\n{PUZZLE}\n",
        [PUZZLE, PUZZLE],
        errors={1: "board of 16 cells in a file of boards of 81 cells"},
    ),
    "an additional row": Text(
        f"{compact(THIRD)}{DRAWINGS['rows']}\n123456789\n\n{compact(OTHER)}",
        [THIRD, OTHER],
        errors={11: "expected 9 rows, found 10"},
    ),
    "bands between empty lines": Text(
        ruled(PUZZLE, "") + f"\n\n{compact(PUZZLE)}{ruled(PUZZLE, '')}",
        [PUZZLE] * 3,
        lines=[1, 13, 23],
    ),
    "an incomplete row in bands between empty lines": Text(
        ruled(PUZZLE, "").replace("\n3.4", "\n.4") + f"\n\n{compact(OTHER)}",
        [OTHER],
        errors={6: "expected 9 symbols in the row, found 8", 9: "expected 9 rows, found 3"},
    ),
    "a band before an invalid board": Text(
        "\n".join([*rows(OTHER)[:3], "", with_row(PUZZLE, 1, "Q4...1...")]),
        [],
        errors={1: "expected 9 rows, found 3", 6: "invalid symbol 'Q' in column 1"},
    ),
    "a table of solutions": Text(
        f"Solution,Time (milliseconds),\nPuzzle has no solution.,0.01,\n{SOLUTION},0.2,\n",
        [SOLUTION],
        errors={2: "no board in column 1 of the table"},
    ),
    "a table with solutions in rows of their own": Text(
        f"number,puzzle\n1,{SOLVED}\n1,{SOLUTION}\n2,{PUZZLE}\n",
        [SOLVED, PUZZLE],
        lines=[2, 4],
        solutions=[SOLUTION, ""],
    ),
    "a table with incomplete values": Text(
        f"puzzle,answer,solution count\n{SOLVED},{PUZZLE},1\n{PUZZLE},?,none\n{OTHER},,{10**30}\n",
        [SOLVED, PUZZLE, OTHER],
        solutions=["", "", ""],
        counts=[1, -1, -1],
    ),
    "rows of qqwing that continue on the next line": Text(
        f"Puzzle,Solve Instructions,Solution Count,\n{PUZZLE},,1,\n"
        f"{PUZZLE[:-1]},{BROKEN}\n0,\n{OTHER},{BROKEN}\n0,\n",
        [PUZZLE, OTHER],
        counts=[1, 0],
        errors={3: FEW_SYMBOLS},
    ),
    "tables one after another": Text(
        f"Puzzle,Difficulty\n{PUZZLE},Easy\nDifficulty,Puzzle\nSimple,{OTHER}\n",
        [PUZZLE, OTHER],
        difficulties=["Easy", "Simple"],
    ),
    "unreadable rows of a table": Text(
        f"id,puzzle\n1,{PUZZLE[:-1]}\n2,{PUZZLE[:4]}Q{PUZZLE[5:]}\n3\n4,\n5,{OTHER}\n",
        [OTHER],
        errors={
            2: FEW_SYMBOLS,
            3: "invalid symbol 'Q' in column 5",
            4: UNKNOWN,
            5: "no board in column 2 of the table",
        },
    ),
    "a list that is not closed": Text(
        FOUR_ROWS[:-1].replace("]", "]\n"), [FOUR], errors={1: "the list is not closed"}
    ),
    "a list of too few rows": Text(
        "[1, 0, 0, 0],\n[0, 0, 3, 0],\n[0, 4, 0, 0]\n", [], errors={1: "expected 4 rows, found 3"}
    ),
    "a puzzle and its solution as lists": Text(
        f"{json.dumps(GRID)}\n\n{[*SOLVED.replace('.', '0')]}\n[\n{[*map(int, SOLUTION)]}]\n",
        [PUZZLE, SOLVED],
        lines=[1, 3],
        solutions=["", SOLUTION],
    ),
    "a list of boards": Text(braces([GRID, GRID]), [PUZZLE] * 2),
    "nested lists of boards": Text(json.dumps([[[GRID], [GRID, GRID]]], indent=2), [PUZZLE] * 3),
    "a list of lists of all cells": Text(json.dumps([[*chain(*GRID)]] * 2), [PUZZLE] * 2),
    "lists and strings of boards": Text(json.dumps([" ".join(PUZZLE), GRID]), [PUZZLE] * 2),
    "bands of numbers between empty lines": Text(
        ("".join(separate(THIRTY[k : k + 5], " ") for k in range(0, 30, 5)) + "\n") * 2,
        [THIRTY_CELLS] * 2,
    ),
    "lists of boards of 30×30": Text(
        f"{[THIRTY, THIRTY]}\n{[*chain(*THIRTY)]}\n{braces(THIRTY)}", [THIRTY_CELLS] * 4
    ),
    "a section, not a list": Text(f"[Puzzle]\n{compact(PUZZLE)}", [PUZZLE]),
    "objects with errors": Text(
        f'{{"puzzle": "{FOUR}", "solution": "{FOUR_SOLVED}", "difficulty": "easy"}}\n'
        '{"puzzle": null, "reason": "expected 16 symbols"}\n'
        f'{{"puzzle": "{FOUR[1:]}"}}\n'
        f'{{"quiz": {FOUR_ROWS}, "solution count": 1}}\n'
        '{"puzzle": "1..."\n',
        [FOUR, FOUR],
        solutions=[FOUR_SOLVED, ""],
        difficulties=["easy", ""],
        counts=[-1, 1],
        errors={2: NO_BOARD, 3: "expected 16 symbols, found 15", 5: UNKNOWN},
    ),
    "a list of objects with errors": Text(
        f'[{{"puzzle": "{FOUR}"}},\nnull, {{"puzzle": "{FOUR}"}},\n'
        '{"puzzle": "1"},\n{"puzzle" "x"},\n{"puzzle": "1...",\n',
        [FOUR, FOUR],
        errors={
            2: "expected a list or a JSON object, found 'null'",
            3: NO_BOARD,
            4: UNKNOWN,
            5: "the JSON object is not closed",
        },
    ),
    "objects on several lines": Text(
        json.dumps([*RECORDS, {"id": 3}], indent=2),
        [FOUR, FOUR[:-1] + "."],
        lines=[2, 11],
        errors={16: NO_BOARD},
    ),
    "a first object that is cut off": Text(
        '{"puzzle": "1.....3..4\n' + "\n".join(map(json.dumps, RECORDS)),
        [FOUR, FOUR[:-1] + "."],
        errors={1: UNKNOWN},
    ),
    "failures of qqwing": Text(
        f"{'.' * 81}\nCould not generate puzzle.\n"
        f"{PUZZLE}\nPuzzle is not possible.\nPuzzle has no solution.\n",
        ["." * 81, PUZZLE],
        counts=[-1, 0],
        errors={
            2: "qqwing printed 'Could not generate puzzle.' instead of a board",
            5: "qqwing printed 'Puzzle has no solution.' instead of a board",
        },
    ),
}
TEXTS |= {
    f"{name}, drawn": Text(f"{drawing}\n\n{drawing}\n{drawing}", [PUZZLE] * 3)
    for name, drawing in DRAWINGS.items()
}
TEXTS |= {
    f"the rule {rule}": Text(f"{rule}\n{ruled(PUZZLE, rule, separator=' │ ')}\n{rule}", [PUZZLE])
    for rule in ("—", "─────────┼─────────", "––– ––– –––", "═══╬═══", "−−−+−−−", "－－－", "⎯⎯⎯")
}
TEXTS |= {
    f"{rest!r} after a board": Text(f"  {PUZZLE}{rest}\n{OTHER}{rest}", [PUZZLE, OTHER])
    for rest in (" 4.5", ",4.5,x", "\t4.5", ";hard", "#hard", " # hard, 123456789", " .", ",,", " ")
}
TEXTS |= {
    f"{between!r} before the solution": Text(
        f"{SOLVED}{between}{SOLUTION}\n{PUZZLE}{between}{OTHER}\n",
        [SOLVED, PUZZLE],
        solutions=[SOLUTION, ""],
    )
    for between in (",", ", ", ";", "\t", " ", ",,", "\f, ")
}
TEXTS |= {
    f"the row {row!r} at {at}": Text(
        f"{compact(PUZZLE)}{with_row(OTHER, at, row)}\n{compact(THIRD)}",
        [PUZZLE, THIRD],
        lines=[1, 20],
        errors={11 + at: reason},
    )
    for row, reason in BAD_ROWS.items()
    for at in (0, 4, 8)
}
TEXTS |= {
    f"{end!r} after {number} rows": Text(
        "\n".join(rows(OTHER)[:number]) + f"\n{end}{compact(PUZZLE)}",
        [PUZZLE],
        errors={1: f"expected 9 rows, found {number}"},
    )
    for number in (3, 8)
    for end in ("\n", "\n\n# next\n", "# next\n", "Difficulty: Easy\n")
}
TEXTS |= {
    f"the line {line!r}": Text(
        f"{text}\n{line}\n{text}\n{line}", [board] * 2, lines=[1, 3], errors={2: reason, 4: reason}
    )
    for board, text, bad in ((PUZZLE, PUZZLE, BAD_LINES), (FOUR, FOUR_ROWS, BAD_LISTS))
    for line, reason in bad.items()
}
TEXTS |= {
    # The solutions that a table states are read unchanged, correct or not.
    f"the header {header}": Text(
        f"{header}\n{SOLVED},{SOLUTION}\n{PUZZLE},{SOLUTION}\n{OTHER},\n",
        [SOLVED, PUZZLE, OTHER],
        lines=[2, 3, 4],
        solutions=[SOLUTION, SOLUTION, ""],
    )
    for header in ("quizzes,solutions", '"Puzzle","Solution"', "Sudoku,Answer", "quiz,solution")
}
TEXTS |= {
    f"a table with {mark!r}": Text(
        f"id{mark}puzzle{mark}solution{mark}difficulty\n1{mark}{SOLVED}{mark}{SOLUTION}{mark}2.2\n"
        f'2{mark}"{PUZZLE}"{mark}{mark}"a{mark} ""b"""\n3{mark}{OTHER}\n',
        [SOLVED, PUZZLE, OTHER],
        solutions=[SOLUTION, "", ""],
        difficulties=["2.2", f'a{mark} "b"', ""],
    )
    for mark in ",;\t"
}
TEXTS |= {
    f"{len(grid)} cells in a row, {between!r} and {blank!r}": Text(
        separate(grid, between, blank) * 2 + separate([[*chain(*grid)]], between, blank),
        [board] * 3,
    )
    for grid, board in ((GRID, PUZZLE), (THIRTY, THIRTY_CELLS))
    for between, blank in [*product((" ", ",", ", ", "	", ";"), "0."), (",", "")]
}
TEXTS |= {
    f"{reason}, after {between!r}": Text(
        separate(THIRTY, between)
        + separate([*THIRTY[:2], row, *THIRTY[3:]], between)
        + separate(THIRTY, between),
        [THIRTY_CELLS] * 2,
        lines=[1, 63],
        errors={34: reason},
    )
    for reason, row in BAD_NUMBERS.items()
    for between in (" ", ",")
}
TEXTS |= {name: Text(f"{text}\n{text}\n", [PUZZLE, PUZZLE]) for name, text in LISTS.items()}
TEXTS |= {
    f"an object with a list of boards, with indent {indent}": Text(
        json.dumps({"name": "two", "puzzles": [PUZZLE, OTHER]}, indent=indent), [PUZZLE, OTHER]
    )
    for indent in (None, 1)
}
TEXTS |= {
    name: Text(
        text,
        [str(record["puzzle"]) for record in RECORDS],
        solutions=[FOUR_SOLVED, ""],
        difficulties=["", "easy"],
    )
    for name, text in OBJECTS.items()
}
