"""Files that people bring, of eighty sorts: each is read as its own kind, or refused by name."""

import gzip
import json
import random
import time
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import dlx_numba as dlx
from dlx_numba.puzzles.reading import read_any
from dlx_numba.runtime.errors import FormatError, UnreadableError
from tests.helpers.processes import invoke_with_status

from .checks import Mismatch, check
from .files import STATUSES_ALLOWED
from .mutations import mutate

T = TypeVar("T")

MAX_MESSAGE = 10_000  # characters
MAX_SECONDS = 2.0  # of the processor, to read a file of some kilobytes
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ZEROS = BOARD.replace(".", "0")
ROWS = [BOARD[k : k + 9] for k in range(0, 81, 9)]
MATRIX = (
    "0 0 1 0 1 1 0\n1 0 0 1 0 0 1\n0 1 1 0 0 1 0\n1 0 0 1 0 0 0\n0 1 0 0 0 0 1\n0 0 0 1 1 0 1\n"
)
KNUTH = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
LP = "minimize\n x1 + 2 x2 + 3 x3\nsubject to\n x1 + x2 = 1\n x2 + x3 = 1\nbinary\n x1 x2 x3\nend\n"
MPS = """NAME TEST
ROWS
 N COST
 E R1
COLUMNS
 M1 'MARKER' 'INTORG'
 X1 COST 1 R1 1
 X2 COST 2 R1 1
 M2 'MARKER' 'INTEND'
RHS
 RHS R1 1
BOUNDS
 BV BND X1
 BV BND X2
ENDATA
"""
CTT = """Name: Toy
Courses: 2
Rooms: 2
Days: 2
Periods_per_day: 2
Curricula: 1
Constraints: 0

COURSES:
C1 T1 1 1 10
C2 T2 1 1 10

ROOMS:
A 20
B 15

CURRICULA:
Q1 2 C1 C2

UNAVAILABILITY_CONSTRAINTS:

END.
"""
PIPS = (
    '{"easy": {"id": 1, "dominoes": [[0, 1]], "regions": [{"indices": [[0, 0], [0, 1]], '
    '"type": "sum", "target": 1}], "solution": [[[0, 0], [0, 1]]]}}'
)
NONOGRAM = "https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h"
TENTS = "2 2\n0 1\n1 0\nx -\n- -\n"


class Sort(NamedTuple):
    """A sort of files, an example, and the kind that it is read as, or what the refusal says.

    A file without a mark is read by the name of its kind or format.
    """

    content: str | bytes
    kind: str = ""
    refusal: str = ""
    name: str = ""


SORTS = {
    "knuth": Sort(KNUTH, "cover"),
    "knuth colors": Sort("a b | s\na s:x\nb s:x\nb s:y\n", "cover"),
    "matrix": Sort(MATRIX, "cover"),
    "matrix digits": Sort(MATRIX.replace(" ", ""), "cover"),
    "matrix width": Sort("7\n" + MATRIX, "cover", name="matrix"),
    "matrix lists": Sort("[[0, 1, 0], [1, 0, 1]]\n", "cover", name="matrix"),
    "orlib": Sort("3 4\n1 1 1\n2 2 1 2\n1 2 2 3\n1 1 3\n", "cover", name="orlib"),
    "p ec": Sort("p ec 3\ns 1 2\ns 3\n", "cover"),
    "lp": Sort(LP, "cover"),
    "lp general": Sort(LP.replace("binary", "general"), refusal=":"),
    "mps": Sort(MPS, "cover"),
    "yaml": Sort("constraints:\n  a: 1st\n  b: 2nd\ncandidates:\n  a: one\n  b: two\n", "cover"),
    "sets": Sort("universe = {1, 2, 3}\nA = {1, 2}\nB = {3}\n", "cover"),
    "table": Sort(",A,B,C\nS1,1,0,1\nS2,0,1,0\n", "cover", name="table"),
    "json options": Sort('{"options": {"S1": ["a", "b"], "S2": ["c"]}}', "cover"),
    "json sets": Sort('{"S1": ["a", "b"], "S2": ["c"]}', "cover", name="json"),
    "json rows": Sort('{"primary_items": ["a"], "rows": [{"row_id": 1, "items": ["a"]}]}', "cover"),
    "weighted": Sort("a[2:2] b\na\nb\na b\na=2\n", "cover"),
    "routes": Sort("5:0,1\n3:1\n4:0\n1,0,0\n", "cover", name="routes"),
    "board": Sort(BOARD + "\n", "sudoku"),
    "board rows": Sort("\n".join(ROWS) + "\n", "sudoku"),
    "board spaced": Sort("\n".join(map(" ".join, ROWS)) + "\n", "sudoku"),
    "board csv": Sort("\n".join(map(",".join, ROWS)).replace(".", "0") + "\n", "sudoku"),
    "board json": Sort(f'{{"puzzle": "{BOARD}", "id": 7}}\n', "sudoku"),
    "board list": Sort(str([[int(c) for c in r.replace(".", "0")] for r in ROWS]), "sudoku"),
    "board crlf": Sort((BOARD + " # easy\r\n") * 2, "sudoku"),
    "board gzip": Sort(gzip.compress(BOARD.encode() + b"\n", mtime=0), "sudoku"),
    "puzzles csv": Sort(f"id,puzzle\n1,{BOARD}\n", "sudoku"),
    "opensudoku": Sort(f'<opensudoku><game data="{ZEROS}"/></opensudoku>', "sudoku"),
    "marks": Sort("123456789" * 81 + "\n", "sukaku", name="sukaku"),
    "queens": Sort("AABBB\nACCBB\nADCCB\nDDDEE\nDDEEE\n", "star-battle", name="star-battle"),
    "queens level": Sort('{"regions": ["AAB", "ACB", "CCB"], "stars": 1}', "star-battle"),
    "nonogram links": Sort(f"{NONOGRAM}\n{NONOGRAM}\n", "nonogram"),
    "link": Sort("https://example.org/puzzle?id=3\n", refusal="file"),
    "short link": Sort("https://sudokupad.app/abc123\n", refusal="only its name on a server"),
    "tents": Sort(TENTS, "tents", name="tents"),
    "tents record": Sort(json.dumps({"problem": TENTS}), "tents", name="tents"),
    "nonogram non": Sort("width 2\nheight 2\n\nrows\n1\n1\n\ncolumns\n1\n1\n", "nonogram"),
    "nonogram json": Sort('{"ver": [[1], [1]], "hor": [[1], [1]]}', "nonogram"),
    "takuzu": Sort(".1.11.\n.1.0..\n......\n0....1\n...1..\n....1.\n", "takuzu", name="takuzu"),
    "kakuro": Sort("3 3\n- 4, 6,\n,3 0 0\n,7 0 0\n", "kakuro", name="kakuro"),
    "shikaku": Sort("4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4\n", "shikaku", name="shikaku"),
    "words": Sort("catso\nkolmx\ntaogb\nuewiw\n\ncat, LOK\ngoat\n", "words", name="words"),
    "pieces": Sort("2x4\n\n##\n#\n\n##\n #\n\n##\n", "pieces", name="pieces"),
    "pips": Sort(PIPS, "pips"),
    "ctt": Sort(CTT, "ctt"),
    "bookings": Sort("kind,name,from,to\nroom,101,,\nstay,Ann,1,3\n", refusal="file"),
    "html": Sort("<!DOCTYPE html>\n<html><body>1</body></html>\n", refusal="an HTML page"),
    "svg": Sort("<svg width='10' height='10'><rect/></svg>\n", refusal="an SVG picture"),
    "xml": Sort("<?xml version='1.0'?>\n<puzzle><piece/></puzzle>\n", refusal="file"),
    "dimacs": Sort("c comment\np cnf 3 2\n1 -2 0\n2 3 0\n", refusal="file"),
    "minizinc": Sort("int: n = 3;\nvar 1..n: x;\nsolve satisfy;\n", refusal="MiniZinc"),
    "python": Sort("import os\n\ndef f(x):\n    return x\n", refusal="program in Python"),
    "calendar": Sort("BEGIN:VCALENDAR\nEND:VCALENDAR\n", refusal="a calendar"),
    "poll": Sort("name,Mon,Tue\nAnn,yes,no\nBob,,(yes)\n", refusal="file"),
    "toml": Sort('[tool.x]\nname = "y"\nversion = "1.0"\n', refusal="file"),
    "ini": Sort("[section]\nkey = value\nother = 3\n", refusal="file"),
    "people csv": Sort("Name,Age,City\nAnn,3,Rome\nBob,4,Oslo\n", refusal="file"),
    "json other": Sort('{"width": 3, "map": []}', refusal="file"),
    "prose": Sort("Dear all,\n\nplease find the puzzle below.\n", refusal="file"),
    "log": Sort("2025-01-01 12:00:00 INFO started\n2025-01-01 12:00:01 INFO end\n", refusal="file"),
    "c": Sort("#include <stdio.h>\nint main(void) {\n  return 0;\n}\n", refusal="file"),
    "javascript": Sort("const x = 3;\nfunction f(a) { return a; }\n", refusal="file"),
    "sql": Sort("CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\n", refusal="file"),
    "graph": Sort("p edge 3 2\ne 1 2\ne 2 3\n", refusal="file"),
    "tsp": Sort("NAME: x\nTYPE: TSP\nDIMENSION: 1\n1 0 0\nEOF\n", refusal="file"),
    "opb": Sort("* #variable= 1\nmin: +1 x1 ;\n+1 x1 >= 1 ;\n", refusal="file"),
    "notebook": Sort('{"cells": [], "metadata": {}, "nbformat": 4}', refusal="file"),
    "diff": Sort("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n", refusal="file"),
    "text": Sort("# Title\n\nSome text:\n\n- one\n- two\n", refusal="file"),
    "decimals": Sort("1.5 2.25 3\n4 5 6.5\n7 8 9\n", refusal="file"),
    "chess": Sort('[Event "x"]\n[Site "y"]\n\n1. e4 e5 *\n', refusal="file"),
    "yaml other": Sort("name: x\nversion: 1\nparts:\n  - a\n", refusal="file"),
    "utf-16": Sort("Hello\n".encode("utf-16"), refusal="UTF-16"),
    "png": Sort(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", refusal="file"),
    "zip": Sort(b"PK\x03\x04" + bytes(26), refusal="file"),
    "pdf": Sort(b"%PDF-1.7\n%\xe2\xe3\n", refusal="a PDF document"),
    "empty": Sort("", refusal="file"),
}  # fmt: skip


def read_foreign_files(rng: random.Random, folder: Path) -> None:
    """Read files of eighty sorts as their kinds, and damaged ones without surprises."""
    name = rng.choice(list(SORTS))
    sort = SORTS[name]
    content = sort.content.encode() if isinstance(sort.content, str) else sort.content
    is_whole = rng.random() < 0.2
    path = folder / "file"
    path.write_bytes(content if is_whole else mutate(content, rng))
    # What a file does not state is noticed, as costs in `ctt` and what a damaged one has lost.
    warnings.filterwarnings("ignore", category=UserWarning)
    kind, refusal = check_time(name, lambda: read_kind(path, is_whole, sort.name or None))
    check(len(refusal) < MAX_MESSAGE, f"{name}: a message of {len(refusal):,} characters")
    if is_whole:
        check(kind == sort.kind or refusal, f"{name}: read as {kind}, not as {sort.kind}")
        check(bool(refusal) == bool(sort.refusal), f"{name}: {refusal or kind}")
        check(sort.refusal in refusal, f"{name}: {refusal}")
    words = [rng.choice(["solve", "count"]), "--seconds", "0.5", "--limit", "2", "-j", "1", path]
    if sort.name:
        words += ["--kind", sort.name]
    _, err, status = check_time(" ".join(map(str, words)), lambda: invoke_with_status(*words))
    check(status in STATUSES_ALLOWED and "Traceback" not in err, f"{name}: status {status}\n{err}")


def read_kind(path: Path, is_strict: bool, name: str | None) -> tuple[str, str]:
    """Return the kind of a file, and why it is refused, if it is."""
    kind = ""
    try:
        reading = read_any(str(path), name)
        kind, puzzles = reading.kind, [*islice(reading.puzzles, 3)]
        errors = [each for each in puzzles if isinstance(each, FormatError)]
        if is_strict and errors:
            raise errors[0]
        _ = [*map(repr, puzzles)]
        _ = [*islice(dlx.read(path, name), 1)]
    except (ValueError, UnreadableError) as error:
        return kind, str(error)
    return kind, ""


def check_time(name: str, call: Callable[[], T]) -> T:
    """Return the result of a call, which must not take long, except the first time: it compiles."""
    for _ in range(2):
        began = time.process_time()
        result = call()
        seconds = time.process_time() - began
        if seconds < MAX_SECONDS:
            return result
    raise Mismatch(f"{name}: {seconds:.1f} s")
