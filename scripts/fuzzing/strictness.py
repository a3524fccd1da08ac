"""Texts of each kind with a line or a word changed: errors, or other puzzles of the same kind."""

import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from dlx_numba.puzzles.kind import load_kind
from dlx_numba.puzzles.puzzle import Puzzle
from dlx_numba.puzzles.records import parse_all
from dlx_numba.puzzles.sudoku import BoardPuzzle

from .checks import check


class Sample(NamedTuple):
    """A text of a kind.

    Attributes
    ----------
    kind : str
        The name of the kind.
    text : str
        The text of one puzzle, without comments.
    is_sized : bool
        Whether the number of words follows from a size.
    """

    kind: str
    text: str
    is_sized: bool = True


JIGSAW = "4 4\n- - 4 3\n- - - 1\n- 2 - -\n- - - -\n1 1 1 3\n1 3 3 3\n2 2 4 4\n2 2 4 4"
NON = "width 2\nheight 3\n\nrows\n1\n2\n1\n\ncolumns\n3\n1\n"
CAGES = [[[0, 0], [1, 0]], [[0, 1], [0, 2], [0, 3]], [[1, 1], [2, 1]], [[1, 2], [1, 3]]]
CAGES += [[[2, 0], [3, 0], [3, 1]], [[2, 2], [3, 2]], [[2, 3], [3, 3]]]
SUMS = [4, 8, 5, 3, 6, 7, 7]
KILLER = [{"sum": total, "cells": cells} for total, cells in zip(SUMS, CAGES, strict=True)]
PIPS = {
    "dominoes": [[1, 1], [2, 0]],
    "regions": [
        {"indices": [[0, 0], [0, 1]], "type": "equals"},
        {"indices": [[1, 0]], "type": "sum", "target": 2},
        {"indices": [[1, 1]], "type": "empty"},
    ],
}
COURSES = """Name:
Courses: 2
Rooms: 2
Days: 1
Periods_per_day: 3
Curricula: 1
Constraints: 1
COURSES:
algebra noether 2 1 30
logic tarski 1 1 12
ROOMS:
hall 25
cellar 10
CURRICULA:
first 2 algebra logic
UNAVAILABILITY_CONSTRAINTS:
logic 0 0"""
SAMPLES = [
    Sample("shikaku", "4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4"),
    Sample("shikaku", "3 4\n4 - - -\n- 2 - 6\n- - - -"),
    Sample("tents", "3 4\n1 0 0 1\n1 0 1\n- x - -\n- - - -\n- - x -"),
    Sample("dominosa", "3 4\n1 1 0 2\n0 2 1 2\n0 2 1 0"),
    Sample("euler", "3 3\n11 23 00\n22 00 00\n00 00 00"),
    Sample("kakuro", "3 3\n- 4, 6,\n,3 0 0\n,7 0 0"),
    Sample("kakuro", "3 4\n- 4, 6, -\n,3 0 0 -\n,7 0 0 -"),
    Sample("takuzu", "4 4\n1 - - 2\n- - - -\n- 1 - -\n2 - - -"),
    Sample("takuzu", ".1.11.\n.1.0..\n......\n0....1\n...1..\n....1.", is_sized=False),
    Sample("killer", "4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5"),
    Sample("killer", json.dumps(KILLER), is_sized=False),
    Sample("killer", json.dumps({"cages": KILLER}), is_sized=False),
    Sample("killer", "4j:1j2b3a,b__b__bc___c_"),
    Sample("jigsaw", JIGSAW, is_sized=False),  # without its regions, it is a Sudoku
    Sample("star-battle", "5 5 1\n1 1 2 2 2\n1 3 3 2 2\n1 3 4 4 2\n1 1 4 5 5\n1 1 4 4 5"),
    Sample("star-battle", "AABBB\nACCBB\nACDDB\nAADEE\nAADDE", is_sized=False),
    Sample("star-battle", '{"regions": ["AAB", "ACB", "CCB"]}', is_sized=False),
    Sample("nonogram", "5 4\n2\n4\n4\n4\n1 1\n4\n4\n3\n1"),
    Sample("nonogram", NON, is_sized=False),  # a file may have no goal, and titles
    Sample("nonogram", '{"hor": [[1], [2], [1]], "ver": [[3], [1]]}', is_sized=False),
    Sample("nonogram", "row=[[1], [2], [1]]\ncolumn=[[3], [1]]", is_sized=False),
    Sample("nonogram", "https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h"),
    Sample("hashiwokakero", "2.3\n...\n1.2", is_sized=False),
    Sample("hashiwokakero", "3 3\n1 - 3\n- - -\n- - 2"),
    Sample("hashiwokakero", "https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3"),
    Sample("shikaku", "https://puzz.link/p?shikaku/6/6/j3g56h6t6h23g5j"),
    Sample("kakuro", "https://puzz.link/p?kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3"),
    Sample("tents", "https://puzz.link/p?tents/5/5/2g0h1i1j82323"),
    Sample("star-battle", "https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou"),
    Sample("tents", "8x8:_iab_kbgafcia,3,0,2,1,2,1,1,2,3,1,0,3,0,4,0,1"),
    Sample("futoshiki", ". . < . 3\n^ v\n. . . .\n. . 4 .\n  v\n. > . > . .", is_sized=False),
    Sample("words", "CATXX\nXXXXX\nXXDOG\nXXXXX\nXXXXX\n\nCAT DOG", is_sized=False),
    Sample("words", '{"grid": ["CAT", "XXX"], "words": ["CAT"]}', is_sized=False),
    Sample("sukaku", "12 12 3 1234\n1234 1234 1234 12\n1 34 34 34\n1234 1234 1234 1234"),
    Sample("pips", json.dumps(PIPS), is_sized=False),
    Sample("pieces", "2x4\n\n##\n#\n\n##\n #\n\n##", is_sized=False),
    Sample("pieces", "5x4\nT2 L I O", is_sized=False),
    Sample("pieces", "AA##\n.A##\n####\n\n2 x\n##\n ##\n\nrotations only", is_sized=False),
    Sample("pieces", "2x2x2\n\n##|##\n##|#\n\n#", is_sized=False),
    Sample("pieces", "2 4 3\nCUSTOM\n.XXX\nXXXX\nAA\nA\nBB\nC\nC", is_sized=False),
    Sample("ctt", COURSES),
]  # fmt: skip
MAX_TEXT = 1000  # characters of a text in a report


class Change(NamedTuple):
    """A change of a text: its name, and whether it may leave the puzzle as it is."""

    name: str
    apply: Callable[[str, random.Random], str]
    is_harmless: bool = False


def parse_changed_texts(rng: random.Random, folder: Path) -> None:
    """Parse a text in which lines or words are removed, repeated, exchanged, cut or replaced.

    The result is an error, or another puzzle, since each word has a meaning; a text that states its
    size cannot lose or repeat a line.
    """
    del folder
    sample = rng.choice(SAMPLES)
    change = rng.choice(CHANGES)
    text = change.apply(sample.text, rng)
    if _words(sample, text) == _words(sample, sample.text):
        return
    puzzles = parse(sample.kind, text)
    if puzzles is None:
        return
    place = f"{sample.kind}: {change.name}: {text[:MAX_TEXT]!r}"
    if "\n" not in sample.text and "\n" in text:
        return  # each line is a puzzle
    check(len(puzzles) == 1, f"{place}: {len(puzzles)} puzzles")
    if sample.is_sized:
        is_whole = len(text.split()) == len(sample.text.split())
        check(is_whole, f"{place}: a text with another size is accepted")
    if not change.is_harmless:
        same = parse(sample.kind, sample.text)
        check(same is not None and facts(puzzles[0]) != facts(same[0]), f"{place}: the same puzzle")


def parse(kind: str, text: str) -> list[Puzzle] | None:
    """Return the puzzles in a text, or None if any of them is malformed, or read with a notice."""
    warnings.filterwarnings("ignore", ".* costs of missing days")  # what `ctt` does not state
    try:
        found = [*parse_all(load_kind(kind), text, "text")]
    except (ValueError, UserWarning):
        return None
    puzzles = [each for each in found if isinstance(each, Puzzle)]
    return puzzles if found and len(puzzles) == len(found) else None


def facts(puzzle: Puzzle) -> Any:
    """Return all that a puzzle states."""
    if isinstance(puzzle, BoardPuzzle):
        return puzzle.values, puzzle.box, puzzle.rules, puzzle.candidates
    statement = puzzle.statement._replace(view=None)
    look = getattr(puzzle.picture, "givens", ()), getattr(puzzle.picture, "regions", ())
    limits = getattr(puzzle.picture, "rules", ()), getattr(puzzle.picture, "legend", ())
    return statement, look, limits, getattr(puzzle.picture, "margins", ()), puzzle.answer


def _words(sample: Sample, text: str) -> list[list[str]]:
    """Return the words on each line, or without blanks if these mean nothing."""
    text = text.replace("http://", "https://").replace("/p?", "/?")
    lines = text.split("\n") if sample.is_sized else ["".join(text.split())]
    return [line.split() for line in lines if line.strip()]


def _remove_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def _repeat_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    k = rng.randrange(len(lines))
    return "\n".join([*lines[:k], lines[k], *lines[k:]])


def _exchange_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    i = rng.randrange(len(lines))
    j = rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def _insert_blank_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    k = rng.randrange(len(lines))
    return "\n".join([*lines[:k], "", *lines[k:]])


def _join_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    k = rng.randrange(len(lines))
    separator = rng.choice(["", " "])
    return "\n".join([*lines[:k], separator.join(lines[k : k + 2]), *lines[k + 2 :]])


def _cut_end(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(1, len(text))]


def _remove_word(text: str, rng: random.Random) -> str:
    return _change_word(text, rng, lambda word: "")


def _repeat_word(text: str, rng: random.Random) -> str:
    return _change_word(text, rng, lambda word: f"{word} {word}")


def _negate_word(text: str, rng: random.Random) -> str:
    return _change_word(text, rng, lambda word: rng.choice("-+!") + word.replace("0", "1"))


def _replace_word(text: str, rng: random.Random) -> str:
    other = rng.choice(text.split() or [text])
    return _change_word(text, rng, lambda word: other)


def _change_word(text: str, rng: random.Random, change: Callable[[str], str]) -> str:
    words = text.split(" ")
    k = rng.randrange(len(words))
    words[k] = change(words[k])
    return " ".join(words)


def _replace_symbol(text: str, rng: random.Random) -> str:
    k = rng.randrange(len(text))
    return text[:k] + rng.choice(text) + text[k + 1 :]


def _insert_symbol(text: str, rng: random.Random) -> str:
    k = rng.randrange(len(text) + 1)
    return text[:k] + rng.choice("x0-#.!,|" + text) + text[k:]


def _remove_symbol(text: str, rng: random.Random) -> str:
    k = rng.randrange(len(text))
    return text[:k] + text[k + 1 :]


def _change_value(text: str, rng: random.Random) -> str:
    """Return a text in JSON in which an element is removed, repeated, negated or made a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    places = list[tuple[Any, Any]]()

    def visit(part: Any) -> None:
        keys = range(len(part)) if isinstance(part, list) else [*part]
        for key in keys:
            places.append((part, key))
            if isinstance(part[key], list | dict):
                visit(part[key])

    visit(value)
    part, key = rng.choice(places)
    name = rng.choice(["remove", "repeat", "negate", "quote", "nest"])
    if name == "remove":
        del part[key]
    elif name == "repeat" and isinstance(part, list):
        part.insert(key, part[key])
    elif name == "negate" and isinstance(part[key], int):
        part[key] = -part[key] - 1
    elif name == "quote" and isinstance(part[key], int):
        part[key] = f"x{part[key]}"
    elif name == "nest":
        part[key] = [part[key]]
    return json.dumps(value)


CHANGES = [
    Change("a line removed", _remove_line),
    Change("a line repeated", _repeat_line),
    Change("two lines exchanged", _exchange_lines, is_harmless=True),
    Change("a blank line", _insert_blank_line, is_harmless=True),
    Change("two lines joined", _join_lines),
    Change("the end cut", _cut_end),
    Change("a word removed", _remove_word),
    Change("a word repeated", _repeat_word),
    Change("a word negated", _negate_word),
    Change("a word replaced", _replace_word, is_harmless=True),
    Change("a symbol replaced", _replace_symbol, is_harmless=True),
    Change("a symbol inserted", _insert_symbol, is_harmless=True),
    Change("a symbol removed", _remove_symbol),
    Change("a value changed", _change_value),
]
