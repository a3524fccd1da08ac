"""The marks of kinds and formats: what a text unmistakably is, as data.

A mark is an ending of a file name, the root of an XML document, the keys of a JSON object, the host
and the genre of a link, or a header that only one format has. No mark is a pattern of digits.
"""

import os
import re

from ..runtime.json import looks_like_json
from .registry import KINDS

HEAD_BYTES = 1 << 14  # in which a text says what it is

# What the ending of a file means
ENDINGS = {
    ".non": "nonogram",
    ".xmpuzzle": "burr",
    ".ctt": "ctt",
    ".opensudoku": "sudoku",
    ".sdm": "sudoku",
    ".sdk": "sudoku",
    ".ss": "sudoku",
    ".lp": "lp",
    ".mps": "mps",
    ".dlx": "knuth",
    ".ec": "ec",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".npy": "matrix",
    ".npz": "matrix",
    ".xlsx": "table",
}

# Of a table of options, unless it has boards
TABLE_ENDINGS = (".csv", ".tsv")

# The root of an XML document
ROOTS = {
    "puzzle": "burr",
    "opensudoku": "sudoku",
    "puzzleset": "nonogram",
}

# Keys of a JSON object, all of which it has
KEYS = {
    ("options",): "json",
    ("dominoes", "regions"): "pips",
    ("easy", "medium", "hard"): "pips",
    ("rows", "columns"): "nonogram",
    ("hor", "ver"): "nonogram",
    ("grid", "words"): "words",
    ("regions", "stars"): "star-battle",
    ("cages", "puzzle"): "sudoku",  # with the rules of a variant
    ("cages", "regions"): "sudoku",
    ("sum", "cells"): "killer",
    ("cages",): "killer",
    ("items",): "json",
    ("primary_items", "rows"): "json",
}

# Names of collections of puzzles, as the `name` of a JSON object with records
COLLECTIONS = {
    "Binairo": "takuzu",
    "Dominos": "dominosa",
    "Eulero": "euler",
    "EvenOddSudoku": "jigsaw",
    "Hashi": "hashiwokakero",
    "JigsawSudoku": "jigsaw",
    "Kakuro": "kakuro",
    "KillerSudoku": "killer",
    "Nonogram": "nonogram",
    "SamuraiSudoku": "samurai",
    "Shikaku": "shikaku",
    "Starbattle": "star-battle",
    "Sudoku": "jigsaw",
    "Tent": "tents",
}

# How a text begins, as regular expressions
HEADERS = {
    r"(?:c(?: .*)?\n|\s)*p ec ": "ec",
    r"(?:\*.*\n|NAME.*\n|OBJSENSE.*\n(?:\s.*\n)?)*ROWS[ \t]*\n\s+[NELG]\s": "mps",
    r"(?:\\.*\n|\s)*(?:min|max)(?:imi[sz]e|imum)?\b(?s:.*)\n[ \t]*"
    r"(?:subject\s+to|such\s+that|s\.?t\.?)(?![^\s:])": "lp",
    r"(?:#.*\n|---.*\n|\s)*(?:constraints|candidates):[ \t]*(?:[#{].*)?\n": "yaml",
    # Binary data, of which only the characters remain
    r"NUMPY[\x01-\x03]": "matrix",
    r"PK\x03\x04(?s:.{0,60}?)\.npy": "matrix",
    r"\[Puzzle\]": "sudoku",
    r"(?:catalogue|title|by|copyright|license|color|width|height) .*\n"
    r"(?=(?s:.*)(?m:^)(?:rows|columns):?\s*\n)": "nonogram",
    r"Name:.*\n\s*Courses:": "ctt",
    r"\d+ \d+ \d+[ \t]*\n(?:DEFAULT|CUSTOM)\s": "pieces",
}

# What a file is that no kind reads, and how its content begins
FOREIGN = {
    "a PDF document": rb"%PDF-",
    "an image": rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|BM.{12}|II\*\0|MM\0\*",
    "a ZIP archive or a spreadsheet; unpack it, or save it as CSV": rb"PK\x03\x04",
    "an old spreadsheet or document; save it as CSV or text": rb"\xd0\xcf\x11\xe0",
    "a link without a puzzle of these kinds": rb"\s*(?:https?://|www\.)(?!\S*[0-9.]{81})\S+\s*$",
    "an HTML page": rb"(?i)\s*<(?:!doctype html|html)\b",
    "an SVG picture": rb"(?i)(?:\s*<[?!][^>]*>)*\s*<svg\b",
    "an XML document": rb"\s*<\?xml|\s*<(\w+)[^<>]*>(?:\s*<|[^<>]*</\1>)",
    "a matrix in MatrixMarket format; write a row of 0 and 1 on each line": rb"%%MatrixMarket",
    "a problem in a DIMACS format": rb"(?m)(?:(?:c .*|[^\S\n]*)\n)*p [a-z]+ [0-9]+ [0-9]+\s*$",
    "a model in MiniZinc": rb"(?ms).{0,4000}?^ *(?:constraint|var|solve) .*;",
    "a program in C or C++": rb"(?ms).{0,2000}?^#include *[<\"]",
    "a program in Java": rb"(?ms).{0,2000}?^(?:import [\w.]+;|(?:public |final )+class )",
    "a program in Python": rb"(?ms).{0,2000}?^(?:import [\w., ]+$|from [\w.]+ import |def \w+\()",
    "a calendar": rb"BEGIN:VCALENDAR",
}

_SIZES = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*\r?\n")
_ROOT = re.compile(r"(?:\s*<[?!][^>]*>)*\s*<(\w+)")
_KEY = re.compile(r'"([^"\\\n]*)"\s*:')
# The kind that an object means, and the name of a collection
_KIND = re.compile(r'[\s\[]*\{[^\[{}]*"kind":\s*"([^"]*)"')
_COLLECTION = re.compile(r'[^\[{}]*\{[^\[{}]*"name":\s*"([^"]*)"')


def find_mark(head: str, name: str) -> str | None:
    r"""Return the kind or format that a text is marked as, or None.

    Parameters
    ----------
    head
        The beginning of the text.
    name
        The name of its file.

    Examples
    --------
    >>> find_mark("", "cat.non"), find_mark('{"options": {}}', "-"), find_mark("1 2\n2 1\n", "-")
    ('nonogram', 'json', None)
    """
    ending = _ending(name)
    if ending in ENDINGS:
        # Courses call Knuth's format so, after a line with two sizes.
        return "knuth" if ending == ".ec" and _SIZES.match(head) else ENDINGS[ending]
    if looks_like_json(head):
        return _find_mark_in_json(head)
    root = _ROOT.match(head)
    if root is not None:
        return ROOTS.get(root[1])
    for pattern, kind in HEADERS.items():
        if re.match(pattern, head.lstrip(), re.IGNORECASE):
            return kind
    return None


def _ending(name: str) -> str:
    return os.path.splitext(name.lower().removesuffix(".gz"))[1]


def is_table(name: str) -> bool:
    """Return whether the ending of a file is that of a table."""
    return _ending(name) in TABLE_ENDINGS


def _find_mark_in_json(head: str) -> str | None:
    """Return the kind or format that the first object of a JSON text is marked as, or None."""
    match = _KIND.match(head)
    if match is not None and match[1] in KINDS:
        return match[1]
    collection = _COLLECTION.match(head)
    if collection is not None and collection[1] in COLLECTIONS:
        return COLLECTIONS[collection[1]]
    found = set(_KEY.findall(head))
    return next((kind for keys, kind in KEYS.items() if found.issuperset(keys)), None)


def describe_foreign(data: bytes) -> str:
    """Return what a text is that no kind reads, or "" if that is not known.

    >>> describe_foreign(b"<?xml version='1.0'?><sudoku/>")
    'an XML document'
    """
    head = data[:HEAD_BYTES]
    return next((name for name, start in FOREIGN.items() if re.match(start, head)), "")
