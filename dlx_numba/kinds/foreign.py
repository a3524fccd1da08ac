"""Say what a file is that no kind reads."""

import json
import re
from collections.abc import Iterable

from ..runtime.text import shorten
from ..sudoku.io.table import read_header

TATHAM = "Simon Tatham's collection"
GAME_ID = r"[cw]?[0-9]{1,3}(?:x[0-9]{1,3})?(?:[a-z]\w*)?:[]\w,./|[!^-]{7,}"
SAVED_GAME = r"\s*SAVEFILE *:\d+:Simon Tatham's Portable Puzzle Collection\b"
UNKNOWN_GAME = f"a game ID of {TATHAM} that is not read"

# What a text is, and how it begins; the first that matches
_FOREIGN = (
    (
        "a link without a nonogram of puzz.link, a puzzle of f-puzzles or SudokuPad, or 81 symbols",
        r"\s*https?://\S+\s*$",
    ),
    (UNKNOWN_GAME, rf"\s*{GAME_ID}\s*$"),
    (f"a saved game of {TATHAM}", SAVED_GAME),
    ("an HTML page", r"\s*<(?:!doctype html|html)\b"),
    ("an SVG picture", r"(?:\s*<[?!][^>]*>)*\s*<svg\b"),
    ("an XML document", r"\s*<\?xml|\s*<(\w+)[^<>]*>(?:\s*<|[^<>]*</\1>)"),
    ("a matrix in MatrixMarket format; write a row of 0 and 1 on each line", "%%MatrixMarket"),
    (
        "a problem for miniexact; write it in Knuth's format",
        r"(?:#.*\n|\s)*<[^<>\n]*>[^;<>]*;",
    ),
    ("a problem in DIMACS CNF format", r"(?:(?:c .*|[^\S\n]*)\n)*p cnf "),
    ("a problem in a DIMACS format", r"(?:(?:c .*|[^\S\n]*)\n)*p [a-z]+ [0-9]+ [0-9]+\s*$"),
    ("a model in MiniZinc", r"(?s).{0,4000}?^ *(?:constraint|var) .*;|.{0,4000}?^ *solve .*;"),
    (
        "an integer program for lp_solve; its options `-S1 -parse -wfmps FILE` write it as MPS",
        r"(?:/\*(?:[^*]|\*(?!/))*\*/|//.*\n|\s)*(?:max|min)[^:;\n]*:[^;]*;",
    ),
    (
        "an answer set program, for clingo",
        r"(?s)(?:(?:%[^\n]*|[^\S\n]*)\n)*[^%\n]*(?:\.|:-)[^\S\n]*$.*:-",
    ),
    ("data of a model in MiniZinc", r"(?:%.*\n|\s)*\w+ *= *(?:[0-9]+|[\[{][^;]*[\]}]) *; *$"),
    ("a program in C or C++", r"(?s).{0,2000}?^#include *[<\"]"),
    ("a program in Java", r"(?s).{0,2000}?^(?:import [\w.]+(?:\.\*)?;|(?:public |final )+class )"),
    (
        "a program in JavaScript",
        r"(?s).{0,2000}?^(?:import [^\n]* from ['\"]|['\"]use strict['\"]"
        r"|(?:export |default |async ){0,3}(?:const|function) [^\n]*[={])",
    ),
    (
        "a program in Python",
        r"(?s).{0,2000}?^(?:import [\w., ]+$|from [\w.]+ import |def \w+\()",
    ),
    ("a program", r"(?s).{0,2000}?^(?:#!/|package [\w.]+;?$|fn \w+\(|import )"),
    ("a calendar", r"BEGIN:VCALENDAR"),
    ("a TOML document; write it as JSON", r"(?:#.*\n|\s)*\[\w+\]\s*\n\s*\w+ *= *[\"'\[\d]"),
    (
        "a list for each name; if each line is an option, write Ann = {Mon, Tue}",
        r"(?:(?:[-*] +)?\w[^:{}=\n]*:[^\S\n][^:{}\n]+(?:\n|\Z))+\Z",
    ),
)
_BINARY = (
    ("a PDF document", rb"%PDF-"),
    ("an image", rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|BM.{12}|II\*\0|MM\0\*"),
    ("a ZIP archive or a spreadsheet; unpack it, or save it as CSV", rb"PK\x03\x04"),
    ("an old spreadsheet or document; save it as CSV or text", rb"\xd0\xcf\x11\xe0"),
)
_WORD = r"(?:yes|no|maybe|ok|\(yes\)|if need be|ja|nein|oui|non|available|[✓✔✗✘])"
# Blanks match in one way, and tabs only separate, so rows with many of them take linear time.
_ANSWER = rf"[^\S\t]*(?:(?:\"?{_WORD}\"?|\"\"?)[^\S\t]*)?"
_ANSWERS = re.compile(rf"[^,;\t\n]+(?:[,;\t]{_ANSWER})+", re.IGNORECASE)
# A line of several titles, and a row with words
_TABLE = re.compile(r"((?:[^\W\d][^,;\t\n]*[,;\t])+[^,;\t\n]+)\n(?=.*[^\W\d]{2})[^,;\t\n]*[,;\t]")
_DAY = re.compile(  # in English or German, or a date or a time
    r"(?:mon?|tues?|tue?|wed?|thu(?:rs?)?|th|fri?|sat?|sun?|di|mi|do|so)\b|mittwoch"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag"
    r"|(?:day|tag) ?[0-9]|[0-9]{1,2}:[0-9]{2}\b|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\b"
    r"|[0-9]{1,2}([./])[0-9]{1,2}(?:\1[0-9]{2,4}\b|\.)",
    re.IGNORECASE,
)
ROSTER = "write an option for each mark, such as 'Mon Ann'"
MAX_BYTES = 1 << 20  # of JSON whose keys a message names
MAX_KEYS = 6  # of a JSON object that a message names


def describe_text(data: bytes) -> str:
    """Return what a file looks like, for a message; "" if that is not known.

    >>> describe_text(b"<?xml version='1.0'?><sudoku/>"), describe_text(b'{"name": 1, "map": []}')
    ('an XML document', 'JSON with the keys "name" and "map", which no kind has')
    """
    for name, start in _BINARY:
        if re.match(start, data, re.DOTALL):
            return name
    head = data[: 1 << 14].decode("utf-8-sig", "ignore")
    for name, pattern in _FOREIGN:
        if re.match(pattern, head, re.IGNORECASE | re.MULTILINE):
            return name
    rows = [line for line in head.splitlines()[1:] if line.strip()]
    is_answered = any(re.search("[a-z✓✔]{2}|[✓✔]", row.partition(",")[2], re.I) for row in rows)
    if is_answered and all(map(_ANSWERS.fullmatch, rows)):
        return f"a list of availabilities: people and times; {ROSTER}"
    return _describe_json(data)


def resembles_roster(options: object, items: Iterable[object]) -> bool:
    """Return whether all items of a table are days, or times, and the options have names.

    >>> [resembles_roster({"Ann": []}, items) for items in (["Mon", "Tue"], ["sun", "moon"])]
    [True, False]
    """
    names = [*map(str, items)]
    is_named = isinstance(options, dict) and all(isinstance(name, str) for name in options)
    return is_named and len(names) > 1 and all(map(_DAY.match, names))


def describe_table(data: bytes) -> str:
    """Return how to read a table without boards whose rows have words; "" if a text is none.

    >>> describe_table(b"lesson,teacher,slot\\nMath,Ann,Mon 9\\n")
    'a table; if each row lists the items of an option, use --items'
    >>> describe_table(b"id,puzzle,level\\n1,8...,easy\\n")
    ''
    """
    found = _TABLE.match(data.decode("utf-8-sig", "ignore").replace("\r\n", "\n"))
    if found is None or read_header(found[1]) is not None:
        return ""
    return "a table; if each row lists the items of an option, use --items"


def _describe_json(data: bytes) -> str:
    """Return the keys of a JSON object, or "" if a text is none."""
    is_json = data.lstrip()[:1] in (b"{", b"[")
    if is_json and len(data) > MAX_BYTES:
        return f"JSON that no kind reads: {shorten(data[:MAX_BYTES].decode('utf-8', 'replace'))}"
    try:
        value = json.loads(data) if is_json else None
    except (ValueError, RecursionError):
        return ""
    place = " in a list" if isinstance(value, list) else ""
    value = value[0] if value and isinstance(value, list) else value
    if not isinstance(value, dict) or not value or not {"options", "puzzle"}.isdisjoint(value):
        return ""
    first = next(iter(value.values()))
    if isinstance(first, list) and all(isinstance(each, str | int) for each in first):
        return ""  # sets
    *keys, last = [json.dumps(shorten(key)) for key in value][:MAX_KEYS]
    more = ", ..." if len(value) > MAX_KEYS else ""
    names = f"the keys {', '.join(keys)} and {last}{more}" if keys else f"the key {last}"
    return f"JSON{place} with {names}, which no kind has"
