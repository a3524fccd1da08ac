"""A campaign for the formats with numbered items, compared with a second, simple parser."""

import random
from pathlib import Path

from dlx_numba import ExactCover
from dlx_numba.cover.encode import Statement
from dlx_numba.cover.io.knuth import parse_knuth
from dlx_numba.cover.io.read import read_problem
from dlx_numba.runtime.errors import FormatError
from tests.helpers.oracles import multiple_covers

from .checks import check, check_equal

NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "9",
    "-1",
    "+1",
    "1.0",
    "x",
    "s",
    "c",
    "p",
    "ec",
    "²",
    "1_0",
    "9" * 20,
]
Numbered = tuple[list[int], list[list[int]]]  # items, options


def read_numbered_items(rng: random.Random, folder: Path) -> None:
    """Read options with numbered items, and then damaged copies of the same file."""
    style = rng.choice(["ec", "counted"])
    first = rng.choice([0, 1]) if style == "counted" else 1
    n_items = rng.randint(3, 9)
    items = list(range(first, first + n_items))
    options = [
        rng.sample(items, rng.randint(1, min(4, n_items))) for _ in range(rng.randint(2, 15))
    ]
    if first == 0:
        options[rng.randrange(len(options))] = [0, 2]
    lines = write_lines(rng, style, n_items, options)
    path = folder / "problem.txt"
    path.write_text(rng.choice(["\n", "\r\n"]).join([*lines, ""]), newline="")
    problem = read_problem(path)
    check_equal("problem", problem, Statement(options, range(first, first + n_items)))
    bounds = dict.fromkeys(items, (1, 1))
    expected = sorted(sorted(cover) for cover in multiple_covers(options, bounds))
    check_equal("covers", sorted(ExactCover(**problem._asdict()).solve()), expected)
    for _ in range(20):
        damaged = damage(rng, lines)
        path.write_text("\n".join(damaged) + "\n")
        check_damaged(path, style, damaged)


def write_lines(
    rng: random.Random, style: str, n_items: int, options: list[list[int]]
) -> list[str]:
    """Return the lines of a file, with comments, blank lines and spaces."""
    rows = [[str(item) for item in option] for option in options]
    if style == "ec":
        rows = [["p", "ec", str(n_items)], *(["s", *row] for row in rows)]
    else:
        rows = [[str(n_items), str(len(rows))], *([str(len(row)), *row] for row in rows)]
    lines = []
    for row in rows:
        if rng.random() < 0.1:
            lines.append(rng.choice(["", " ", "c", "c p ec 3"]) if style == "ec" else "")
        lines.append(rng.choice(["", "", " "]) + rng.choice([" ", " ", "\t", "  "]).join(row))
    return lines


def damage(rng: random.Random, lines: list[str]) -> list[str]:
    """Return lines with a number that is replaced, removed or added, or with a changed line."""
    lines = list(lines)
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(lines))
        words = lines[at].split() or [""]
        where = rng.randrange(len(words))
        match rng.randrange(6):
            case 0:
                words[where] = rng.choice(NUMBERS)
            case 1:
                del words[where]
            case 2:
                words.insert(where, rng.choice(NUMBERS))
            case 3:
                lines.insert(at, lines[at])
            case 4:
                words = []
            case _:
                words.reverse()
        lines[at] = " ".join(words)
    return lines


def check_damaged(path: Path, style: str, lines: list[str]) -> None:
    """Check that the file is read as the second parser reads it, or rejected by both."""
    text = "\n".join(lines)
    expected = parse_simply(style, lines)
    try:
        problem = read_problem(path)
        ExactCover(**problem._asdict())
    except FormatError as error:
        check_equal(f"{error} in valid text", expected, None)
        check(str(error).startswith(f"{path}:{error.line}: "), str(error))
        check(1 <= error.line <= len(lines), f"{error}: no such line")
        return
    except ValueError as error:
        check_equal(f"{error} in valid text", expected, None)
        return
    if isinstance(items := problem.items, range) and problem.costs is None:  # not OR-Library
        check_equal("damaged problem", (list(items), problem.options), expected)
    elif expected is not None:
        check(not text.strip("01 \t\n") or is_knuth(text), f"read as another format: {text}")


def is_knuth(text: str) -> bool:
    """Return whether the text is valid in Knuth's format and has options."""
    try:
        return bool(parse_knuth(text).options)
    except FormatError:
        return False


def parse_simply(style: str, lines: list[str]) -> Numbered | None:
    """Return the items and options of a text, or None if it is not valid."""
    rows = [line.split() for line in lines if line.split()]
    if style == "ec":
        rows = [row for row in rows if row[0] != "c"]
        if not rows or rows[0][:2] != ["p", "ec"] or any(row[0] != "s" for row in rows[1:]):
            return None
        rows = [rows[0][2:], *(row[1:] for row in rows[1:])]
    if not all(word in map(str, range(100)) for row in rows for word in row):
        return None
    header, *options = [[int(word) for word in row] for row in rows] or [[]]
    if len(header) != (1 if style == "ec" else 2):
        return None
    if style == "counted":
        if len(options) != header[1] or any(row[0] != len(row) - 1 for row in options):
            return None
        options = [row[1:] for row in options]
    used = [item for option in options for item in option]
    first = 0 if style == "counted" and 0 in used else 1
    items = list(range(first, first + header[0]))
    is_valid = set(used) <= set(items) and all(len(set(row)) == len(row) for row in options)
    return (items, options) if is_valid else None
